-- Differencing: counts that are suppressed because they are small come back from totals (Desfontaines 2020,
-- Lowering the cost of anonymization, sec. 3.2.3).
--
-- The bounds that the other counts leave to a suppressed one are those of sql/tables/cell_bounds.sql. Here
-- they have the columns of an attack: a count is learned where its bounds are equal.

-- The counts as published cells: keys, d1, d2, ... (as given), n, lo, hi (NULL: unbounded), is_asked,
-- known_alone.
create or replace macro sqlanon._published_counts(
    counts, dimensions, count_column, total_mark, threshold, zeros_shown) as table
    from query(sqlanon._fill($$
        with own as (select [{keys}] as keys, {given}, src.{count}::bigint as n from {source} as src)
        select *, null::double as known_alone, {suppressed} as is_asked,
               if(is_asked, {least}, n)::double as lo,
               case when is_asked then {threshold} - 1 else n end::double as hi
        from own
    $$, map {
        'keys': sqlanon._each_filled(
            dimensions, 'sqlanon._marked_key(sqlanon._plain_text(src.{c}::varchar), {=total_mark})', ', '),
        'given': sqlanon._each(dimensions, 'src.{c} as d{i}', ', '), 'count': sqlanon._quote(count_column),
        'source': sqlanon._projected(counts, dimensions, count_column, null),
        'suppressed': sqlanon._fill('(n is null or coalesce(n < {threshold}{and_not_zero}, false))', map {
            'threshold': coalesce(threshold::varchar, 'null') || '::bigint',
            'and_not_zero': if(zeros_shown, ' and n > 0', '')}),
        'least': if(zeros_shown, '1', '0'),
        'threshold': coalesce(threshold::varchar, 'null') || '::bigint'}));

-- No rows, or an error: a count that is negative.
create or replace macro sqlanon._refuse_negative_counts(published, counts) as table
    select error('table ' || counts || ' has a negative count: ' || min(n)) as refused
    from query_table(published) having min(n) < 0;

create or replace macro sqlanon._differencing(
    counts, dimensions, count_column, total_mark, threshold, zeros_shown, hierarchies, programs, seconds,
    rounds) as table
    with _sqlanon_hierarchy as materialized (from sqlanon._hierarchies(hierarchies)),
    _sqlanon_count as materialized (from {sqlanon._published_counts}),
    _sqlanon_interval as (
        from sqlanon._bounds_of_cells(
            '_sqlanon_count', '_sqlanon_hierarchy', counts, dimensions, true, true, programs, seconds, rounds,
            ' (a cell that is suppressed needs a row with NULL; one without a row counts 0)')
    ),
    _sqlanon_refusal as (
        from sqlanon._refuse_negative_counts('_sqlanon_count', counts)
        union all from sqlanon._refuse_hierarchies('_sqlanon_hierarchy', dimensions, null)
    )
    from query(sqlanon._fill($$
        select {dimensions}, case when own.lo = own.hi then own.lo::bigint::varchar end as learned,
               case when own.lo = own.hi then 1.0::double end as confidence, {baseline} as baseline,
               case when own.lo = own.hi and n is not null then own.lo = n end as is_right,
               null::boolean as is_control, own.lo::bigint as lower, own.hi::bigint as upper, unfinished
        from _sqlanon_interval as own left join _sqlanon_count using (keys)
        union all by name
        select refused::bigint as lower from _sqlanon_refusal
    $$, map {
        'dimensions': sqlanon._each(dimensions, 'd{i} as {c}', ', '),
        'baseline': coalesce(
            '1 / ' || if(zeros_shown, nullif(threshold - 1, 0), threshold), 'null::double')}));

create or replace macro sqlanon.differencing(
    counts, dimensions, count_column, total := null, threshold := null, zeros_shown := false,
    hierarchies := null, programs := 'linear', solver_seconds := 60, rounds := 100) as table
    from query(
        sqlanon._checked_dimensions(dimensions, count_column, ' and count_column')
        || {call _differencing:
            total_mark := total, threshold := sqlanon._whole_number(threshold, 'threshold'),
            zeros_shown := sqlanon._truth_given(zeros_shown, 'zeros_shown'),
            programs := sqlanon._programs(programs),
            seconds := sqlanon._seconds(solver_seconds, 'solver_seconds'),
            rounds := sqlanon._whole_given(rounds, 'rounds')});

comment on macro table sqlanon.differencing is $$
Computes suppressed counts from totals: one row per suppressed cell, with the smallest and the largest value
that agree with the other counts.

Parameters:
- counts (table): one row per cell, with the columns in dimensions and count_column; totals are cells, too.
- dimensions (columns): the columns by which the counts are grouped.
- count_column (column): the count; NULL: suppressed.
- total (text; default null): the value of a dimension in cells that are totals over it, such as all. If not
  given, it is NULL, as after GROUP BY CUBE.
- threshold (integer, at least 1; default null): counts below the threshold were suppressed, so a suppressed
  count is below it. If the table has counts below it, these cells are treated as suppressed, and their counts
  as the truth.
- zeros_shown (boolean; default false): true: a count of 0 is never suppressed, so a suppressed count is at
  least 1.
- hierarchies (table; default null): rows of attribute, value, level and label. A dimension with a hierarchy
  may also have cells for its labels.
- programs, solver_seconds, rounds: as in cell_bounds

Result:
- <dimensions> (unchanged): the cell.
- learned (text): the count, if lower equals upper; NULL: it is not certain.
- confidence (number): 1 if the count is learned; NULL if not.
- baseline (number): 1 / the number of values that a suppressed count can have by the threshold; NULL without
  a threshold.
- is_right (boolean): is it the true count? NULL if counts does not have it.
- is_control (boolean): NULL, because cells are not people.
- lower (integer): the smallest possible count.
- upper (integer): the largest possible count; NULL: unbounded.
- unfinished (boolean): false if lower and upper are exact: the smallest and the largest count in all tables
  that agree with the published counts. true if that is not proven: with programs, or more rounds, they may
  become narrower.

Errors: unknown column, empty table, a column named twice, a cell that is there twice, a negative count, a
label that the hierarchy lacks, totals that contradict the cells.

Notes: a cell of the finest level without a row counts 0; a total without a row is not known. Bounds are never
wrong; they are marked unfinished unless they are proven to be the narrowest. cell_bounds explains when, and
reads tables in other formats. To use the linear programs in SQL, call sqlanon.register_functions(con) in
Python first.

Source: Desfontaines 2020, Lowering the cost of anonymization, sec. 3.2.3.

Example:
with counts as (
    from (values ('north', 'flu', 12), ('north', 'cancer', null), ('north', null, 14))
        as row(place, disease, n)
)
from sqlanon.differencing('counts', dimensions := ['place', 'disease'], count_column := 'n', threshold := 5);
$$;
