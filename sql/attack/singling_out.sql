-- Singling out: conditions read off a release of any kind, and the people of the source who alone meet one
-- (Article 29 Working Party, opinion 05/2014, sec. 2.2.1; Cohen and Nissim 2020).
--
-- A condition names values of some columns: those that one released row alone has, or in one column the ends
-- of numbers and dates where one row is. Released labels are read as everywhere, so that a class with one
-- row of a sensitive value is such a condition, too. Conditions are located like classes: a column that one
-- does not name is `*` in it.
--
-- Whoever draws conditions of weight w (the share of people who meet them) by lot isolates one of n people
-- with probability n w (1 - w)^(n - 1), at most 37 %: this is the baseline. Isolation is an attack only
-- where weights are so small that the baseline is next to nothing.

-- The sets of so many columns, as the text of GROUPING SETS.
create or replace macro sqlanon._grouped_sets(qi, width) as
    sqlanon._let(
        list_filter(range(1, (1 << len(sqlanon._list(qi)))::bigint), lambda mask: bit_count(mask) = width),
        lambda masks: case
            when len(masks) <= 1000
            then array_to_string(list_transform(masks, lambda mask:
                    '(' || array_to_string(list_transform(
                        list_filter(range(1, len(sqlanon._list(qi)) + 1), lambda place:
                            (mask >> (place - 1)::bigint) & 1 = 1),
                        lambda place: 'l' || place), ', ') || ')'), ', ')
            else error('columns has ' || len(sqlanon._list(qi)) || ' columns, which have ' || len(masks)
                       || ' sets of ' || width || ': at most 1,000 are tried, name fewer columns')
        end);

-- Conditions that one released row meets, as classes of locate: used (which columns they name, a list of
-- booleans), is_end, l1, l2, ..., t1, t2, ....
create or replace macro sqlanon._conditions_of_sets(release_classes, qi, width) as table
    from query(sqlanon._fill($$
        select [{each qi: grouping(src.l{i}) = 0}] as used, false as is_end, {labels}, {types}
        from {classes} as src group by grouping sets ({sets}) having sum(size) = 1
    $$, map {
        'labels': sqlanon._each(qi, 'if(grouping(src.l{i}) = 0, src.l{i}, ''*'') as l{i}', ', '),
        'types': sqlanon._each(qi, 'any_value(t{i}) as t{i}', ', '), 'classes': release_classes,
        'sets': sqlanon._grouped_sets(qi, width)}));

-- Of conditions on one column those on its least and greatest number or date once more: at most, and at
-- least, so much.
create or replace macro sqlanon._conditions_of_ends(conditions, release_classes, qi) as table
    with number as (
        select d, string as label, sqlanon._number(string) as number
        from sqlanon._long(
            release_classes, qi, 'if(sqlanon._kind_of_released(t{i}) in (1, 2, 4), l{i}, null)')
    ),
    finish as (
        select d, unnest(['<=', '>=']) as sign,
               unnest([arg_min(label, number), arg_max(label, number)]) as label
        from number group by d
    )
    from query(sqlanon._each_filled(qi, $$
        select own.* replace (true as is_end, sign || own.l{i} as l{i})
        from {conditions} as own join finish on d = {i} and label = own.l{i} and used[{i}]
    $$, ' union all '));

-- So many of all conditions at most, drawn by lot: release, class_id, condition (its text), used, l1, ...,
-- t1, ....
create or replace macro sqlanon._conditions_tried(conditions, qi, attempts) as table
    from query(sqlanon._fill($$
        select 1 as release, row_number() over (order by condition) as class_id, *
        from (
            select concat_ws(' and ', {texts}) as condition, * from {conditions}
            order by hash(condition), condition limit {attempts}
        )
    $$, map {
        'texts': sqlanon._each(qi,
            'case when used[{i}] then {s} || if(is_end, '' '' || l{i}[1:2] || '' '' || l{i}[3:],
                                                '' = '' || coalesce(l{i}, ''NULL'')) end', ', '),
        'attempts': attempts::varchar}));

-- What share of the released rows has each label of a column: d, label, share.
create or replace macro sqlanon._shares_of_labels(release_classes, qi) as table
    from query(sqlanon._each_filled(qi, $$
        select {i} as d, l{i} as label, sum(size) / sum(sum(size)) over () as share
        from {classes} group by l{i}
    $$, map {'classes': release_classes}, ' union all '));

-- The weight of a condition if its columns had nothing to do with each other: class_id, weight. (A condition
-- on an end of a column is met by as many rows as its label.)
create or replace macro sqlanon._weights_of_conditions(conditions, shares, qi) as table
    from query(sqlanon._fill($$
        select class_id, product(share) as weight
        from (
            select class_id, unnest(range(1, {end})) as d, unnest(used) as is_used,
                   unnest([{each qi: if(is_end, l{i}[3:], l{i})}]) as label
            from {conditions}
        ) as part
        join {shares} as own on own.d = part.d and own.label is not distinct from part.label
        where is_used group by class_id
    $$, map {'end': (len(sqlanon._list(qi)) + 1)::varchar}));

create or replace macro sqlanon._singling_out(
    release, targets, id, known, width, hierarchies, controls, attempts) as table
    with {steps _release_and_targets: columns := known, others := sqlanon._list(controls)},
    _sqlanon_of_set as materialized (from sqlanon._conditions_of_sets('_sqlanon_class', known, width)),
    _sqlanon_possible as materialized (
        from _sqlanon_of_set
        union all
        from sqlanon._conditions_of_ends('_sqlanon_of_set', '_sqlanon_class', known) where width = 1
    ),
    _sqlanon_condition as materialized (
        from sqlanon._conditions_tried('_sqlanon_possible', known, attempts)
    ),
    _sqlanon_share as materialized (from sqlanon._shares_of_labels('_sqlanon_class', known)),
    _sqlanon_weight as (
        from sqlanon._weights_of_conditions('_sqlanon_condition', '_sqlanon_share', known)
    ),
    _sqlanon_located as materialized (
        from sqlanon._locate(
            '_sqlanon_condition', '_sqlanon_combination',
            sqlanon._if_any(hierarchies, '_sqlanon_hierarchy'), known)
    ),
    _sqlanon_group as (
        select target, sqlanon._says(actuals[1], 'controls') as is_control, count(*) as people
        from _sqlanon_person group by all
    ),
    -- The conditions that one person of a side meets: who that is.
    _sqlanon_isolated as materialized (
        select class_id, is_control, any_value(target) as target
        from _sqlanon_located join _sqlanon_group using (target)
        group by class_id, is_control having sum(people) = 1
    ),
    _sqlanon_total as (select sum(size) as n from _sqlanon_class),
    _sqlanon_found as (
        select target, is_control, count(*) as conditions,
               arg_min({'text': condition, 'weight': weight},
                       {'weight': round(weight, 12), 'text': condition}) as best
        from _sqlanon_isolated
        join _sqlanon_condition using (class_id)
        join _sqlanon_weight using (class_id)
        group by target, is_control
    ),
    _sqlanon_tried as (
        select count(*) filter (not is_control) as members, count(*) filter (is_control) as controls,
               (select count(*) from _sqlanon_condition) as tried,
               (select count(*) from _sqlanon_possible) as possible
        from _sqlanon_isolated
    )
    select who, best.text as learned, (1 - best.weight) ** (n - 1) as confidence,
           n * best.weight * (1 - best.weight) ** (n - 1) as baseline,
           best is not null as is_right,
           sqlanon._says(actuals[1], 'controls') as is_control, best.weight as weight,
           coalesce(conditions, 0) as conditions,
           if(sqlanon._says(actuals[1], 'controls'), total.controls, total.members) as isolating,
           total.tried, tried < possible and best is null as unfinished
    from _sqlanon_person as person
    cross join _sqlanon_total
    cross join _sqlanon_tried as total
    left join _sqlanon_found as found
      on found.target = person.target and found.is_control = sqlanon._says(actuals[1], 'controls')
    union all by name
    select refused::bigint as conditions from _sqlanon_bad_input;

create or replace macro sqlanon.singling_out(
    release, targets, id, columns, width := null, hierarchies := null, controls := null, attempts := 100000
) as table
    from query(
        case when len(sqlanon._list(columns)) = 0
             then error('columns names no column: give at least one that conditions may name')
             when sqlanon._whole_number(width, 'width') > len(sqlanon._list(columns))
             then error('width is ' || width || ', but columns names ' || len(sqlanon._list(columns)))
             else sqlanon._checked(columns, null, null) end
        || sqlanon._fill($$
        select who as {"id"}, * exclude (who) from sqlanon._singling_out({arguments})
    $$, map {
        'arguments': concat_ws(', ',
            sqlanon._literal(release), sqlanon._literal(targets), sqlanon._literal(id),
            sqlanon._names(columns),
            coalesce(sqlanon._whole_number(width, 'width'), len(sqlanon._list(columns)))::varchar,
            sqlanon._optional(hierarchies), sqlanon._names(controls),
            coalesce(sqlanon._whole_number(attempts, 'attempts'),
                     error('attempts must be a whole number of at least 1, not NULL'))::varchar)}));

comment on macro table sqlanon.singling_out is $$
Takes conditions from a release of any kind that only one released row meets, such as zip = 52062 and age =
81, and finds the people of the source who alone meet one: one row per person.

Parameters:
- release (table): a release of any kind, such as classes, centroids, noise or synthetic rows.
- targets (table): all people of the source with raw values in columns, and the column id.
- id (column): of targets, the name or number of a person.
- columns (columns): of both tables, the columns of conditions, which may be sensitive ones.
- width (integer, at least 1; default null): the number of columns in a condition. If not given, all. With 1,
  conditions such as age <= smallest and age >= largest released value are also used.
- hierarchies: as in locate
- controls: as in nearest_linkage
- attempts (integer, at least 1; default 100000): the largest number of conditions to try. If there are more,
  a random sample is tried, the same in every run.

Result:
- <id> (unchanged): the person.
- learned (text): a condition that this person alone meets, such as zip = 52062 and age = 81; from a class,
  age = [80, 90]. Of several, the one of the smallest weight; NULL: there is none.
- confidence (number): the probability that one person alone meets it if the released row is somebody's:
  nobody else of so many meets a condition of this weight.
- baseline (number): the probability with which a condition of this weight isolates one of so many people,
  without any release.
- is_right (boolean): is there such a condition?
- is_control (boolean): is the person one of controls? Controls are isolated among controls, all others among
  all others.
- weight (number): the share of people who would meet the condition if its columns had nothing to do with each
  other, by the released rows.
- conditions (integer): the number of tried conditions that this person alone meets.
- isolating (integer): the number of tried conditions that anybody alone meets, of controls or of all others.
- tried (integer): the number of conditions that were tried.
- unfinished (boolean): true if none of them isolates this person, but not all were tried.

Errors: unknown column, a column named twice, empty table, a target twice, a hierarchy that is not a tree,
more than 1,000 sets of so many columns.

Notes: right_of_all of attack_summary is the share of people who are singled out, and beyond_controls what is
due to the release: a condition that also isolates somebody of another town says little. There should be about
as many controls as other people: among fewer it is easier to be alone. isolating / tried is
how often an adversary is right who takes a condition from the release. It can be 100 % for a k-anonymous
release, of a few people: a class and a sensitive value that one of its rows has are such a condition. A
release prevents predicate singling out only if no condition of negligible weight isolates somebody more often
than its baseline: look at the conditions with a small baseline. It is not enough that each release resists by
itself: two tables of counts can each resist, and single somebody out together. A label that could not be read
(unread_labels lists them) is met by nobody. Conditions of other kinds may find more: this is a measure, not a
guarantee.

Source: Cohen and Nissim 2020 (predicate singling out, baseline, composition; k-anonymity does not prevent
it); Article 29 Working Party 2014, opinion 05/2014, sec. 2.2.1 (singling out).

Example:
from sqlanon.singling_out('east', 'people', id := 'name', columns := ['age', 'disease']);
$$;
