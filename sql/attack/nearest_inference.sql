-- Nearest inference: what the released rows nearest to somebody have in a sensitive column, this person has,
-- too (inference, Article 29 Working Party, opinion 05/2014, sec. 2.2.3). It needs no classes, so that
-- synthetic rows, noise and centroids are attacked like anything else.
--
-- Of several nearest rows the most frequent value counts. Numbers are guessed within some distance: the guess
-- is the middle of the window that holds most of them. Rows that agree in everything that is known are the
-- correct attribution probability of Taub et al. 2018 (CAP).

-- For each target the window of this width that holds most rows, of several the lowest: target, held (rows),
-- least and most (of the places in it). counted: target, place, n.
create or replace macro sqlanon._fullest_windows(counted, width) as table
    with framed as (
        select target, place,
               sum(n) over (partition by target order by place
                            range between current row and width following) as held,
               max(place) over (partition by target order by place
                                range between current row and width following) as most
        from query_table(counted) where place is not null
    )
    select target, max(held)::bigint as held, min(place) as least,
           arg_min(most, place) as most
    from (select *, max(held) over (partition by target) as fullest from framed)
    where held = fullest group by target;

-- Where each sensitive value is: code, place (of a number itself, of others the code; NULL: a number that is
-- missing). is_number: are they numbers? name: of the column, for messages.
create or replace macro sqlanon._places_of_values(sensitive_domain, is_number, name) as table
    select code, value,
           case when not is_number then code::double
                when value is null then null
                when isfinite(try_cast(value as double)) then try_cast(value as double)
                else error('within is for numbers, but column ' || name || ' has the value ' || value)
           end as place
    from query_table(sensitive_domain);

create or replace macro sqlanon._nearest_inference(
    release, targets, id, known, sensitive, hierarchies, truth, controls, within, agreeing, comparisons
) as table
    with {steps _release_and_targets:
        columns := known, others := sqlanon._list(truth) || sqlanon._list(controls)},
    _sqlanon_nearest as materialized (
        from sqlanon._nearest_classes(
            '_sqlanon_class', '_sqlanon_combination', '_sqlanon_hierarchy', comparisons, known)
    ),
    _sqlanon_class_value as materialized (
        from sqlanon._values_of_classes('_sqlanon_released', '_sqlanon_class', known, sensitive, null)
    ),
    {steps _values_and_truth: distinct_spellings := []},
    _sqlanon_histogram as materialized (
        from sqlanon._class_histograms('_sqlanon_class_value', '_sqlanon_compared', '_sqlanon_domain')
    ),
    _sqlanon_place as materialized (
        from sqlanon._places_of_values('_sqlanon_domain', within is not null, sensitive)
    ),
    _sqlanon_counted as materialized (
        select target, place, sum(n) as n
        from _sqlanon_nearest
        join _sqlanon_histogram using (class_id)
        join _sqlanon_place using (code)
        where not agreeing or distance = 0
        group by target, place
    ),
    _sqlanon_everybody as (
        select 0 as target, place, sum(n) as n
        from _sqlanon_histogram join _sqlanon_place using (code) group by place
    ),
    _sqlanon_rows as (select target, sum(n)::bigint as n from _sqlanon_counted group by target),
    _sqlanon_guess as (
        from sqlanon._fullest_windows('_sqlanon_counted', 2 * coalesce(within::double, 0))
    ),
    _sqlanon_distance as (
        select target, any_value(distance) / 1e6 as distance, bool_or(class_id is null) as unfinished
        from _sqlanon_nearest group by target
    ),
    _sqlanon_baseline as (
        select held / (select sum(n) from _sqlanon_everybody) as baseline
        from sqlanon._fullest_windows('_sqlanon_everybody', 2 * coalesce(within::double, 0))
    )
    select who,
           case when held is null then null
                when within is null then coalesce(value, 'NULL')
                else sqlanon._number_text((least + most) / 2) end as learned,
           held / counted.n as confidence, coalesce(baseline, 0) as baseline,
           case when held is null or len(sqlanon._list(truth)) = 0 then null
                when within is null then value is not distinct from meant
                else coalesce(abs(try_cast(actuals[1] as double) - (least + most) / 2)
                              <= within::double * (1 + 1e-9), false) end as is_right,
           sqlanon._says(actuals[len(sqlanon._list(truth)) + 1], 'controls') as is_control,
           coalesce(counted.n, 0) as rows, distance, unfinished
    from _sqlanon_person as person
    join _sqlanon_distance using (target)
    left join _sqlanon_rows as counted using (target)
    left join _sqlanon_guess using (target)
    left join _sqlanon_place as guessed on guessed.place = least
    left join _sqlanon_baseline on true
    left join _sqlanon_meant as meaning on meaning.actual is not distinct from actuals[1]
    union all by name
    select refused::bigint as rows from _sqlanon_bad_input;

create or replace macro sqlanon.nearest_inference(
    release, targets, id, columns, sensitive, hierarchies := null, truth := null, controls := null,
    within := null, agreeing := false, comparisons := 2000000000) as table
    from query(
        case when len(sqlanon._list(columns)) = 0
             then error('columns names no column: give at least one that the adversary knows')
             when len(sqlanon._list(sensitive)) <> 1 then error('sensitive names one column, to be learned')
             else sqlanon._checked(columns, sensitive, null) end
        || sqlanon._fill($$
        select who as {"id"}, * exclude (who) from sqlanon._nearest_inference({arguments})
    $$, map {
        'arguments': concat_ws(', ',
            sqlanon._literal(release), sqlanon._literal(targets), sqlanon._literal(id),
            sqlanon._names(columns), sqlanon._literal(sqlanon._list(sensitive)[1]),
            sqlanon._optional(hierarchies),
            case when truth is null then 'null' else sqlanon._names(truth) end, sqlanon._names(controls),
            coalesce(sqlanon._real_number(within, 'within', 0, true, 1e300, 'at least 0')::varchar, 'null'),
            sqlanon._boolean_text(coalesce(agreeing::boolean, false)), sqlanon._comparisons(comparisons))}));

comment on macro table sqlanon.nearest_inference is $$
Guesses a sensitive value from the released rows that are nearest to a person, in a release of any kind: one
row per target.

Parameters:
- release, targets, id: as in nearest_linkage
- columns (columns): the columns that the adversary knows.
- sensitive (column): of release, the column to be learned.
- hierarchies: as in locate
- truth (column; default null): of targets, their true values.
- controls: as in nearest_linkage
- within (number, at least 0; default null): for a sensitive column of numbers: a guess is right if it differs
  from the truth by at most this. If not given, it must be equal.
- agreeing (boolean; default false): true: only rows that have the same values in all columns are used; if a
  target has none, nothing is learned.
- comparisons: as in nearest_linkage

Result:
- <id> (unchanged): the target.
- learned (text): the most frequent value among these rows; with within, the center of the window of width 2 *
  within that has most rows. Of equally good ones the first. NULL: there are no rows.
- confidence (number): the share of these rows that have this value, or are in this window.
- baseline (number): the same for the best guess from all rows of the release.
- is_right (boolean): is learned right? NULL without truth, or if nothing is learned.
- is_control (boolean): is the target one of controls?
- rows (integer, rows): rows of the release that were used: the nearest, or those that agree.
- distance (number): Gower's distance to the nearest rows.
- unfinished (boolean): true if more comparisons were needed; then there is no result for this target.

Errors: unknown column, a column in two roles, empty table, a target twice, a hierarchy that is not a tree,
infinity or NaN, within for a column that is not a number.

Notes: the distance is that of nearest_linkage. An adversary also guesses controls better than by chance, if
values depend on each other; this does not come from a person's own row. attack_summary shows the success for
targets and for controls.

Source: Article 29 Working Party 2014, opinion 05/2014, sec. 2.2.3 (inference); Taub, Elliot, Pampaka and
Smith 2018, sec. 3 (CAP: rows that agree).

Example:
from sqlanon.nearest_inference('east', 'voters', id := 'name', columns := 'age', sensitive := 'disease');
$$;
