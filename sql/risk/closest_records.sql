-- Closest records: how near rows without classes, such as synthetic ones, are to the rows that they were made
-- of, and to others of the same kind that were held out. A generator that has learned rows by heart is nearer
-- to its source; one that has learned how the values depend on each other is as near to both.
--
-- The distance is Gower's (sql/locating/nearest_rows.sql), from each released row to the nearest raw row.

-- Raw rows as classes of locate: release (1), class_id, size (rows), l1, l2, ... (texts that say one value,
-- whatever it looks like), t1, t2, ....
create or replace macro sqlanon._raw_rows_as_classes(tbl, columns) as table
    from query(sqlanon._fill($$
        select 1 as release, row_number() over () as class_id, size,
               {each columns: sqlanon._value_text(q{i}::varchar) as l{i}},
               {each columns: typeof(q{i}) as t{i}}
        from (select {each columns: src.{c} as q{i}}, count(*) as size from {source} as src group by all)
    $$, map {'source': sqlanon._projected(tbl, columns, null, null)}));

-- The distinct released rows as targets of locate, and two more (below 0) with the least and the greatest
-- numbers and dates of all three tables: numbers are measured by their range, which must be the same for both
-- distances.
create or replace macro sqlanon._with_ends(combinations, raw_classes, other_classes, columns) as table
    from query(sqlanon._fill($$
        with cell as (
            select {each columns: v{i} as x{i}} from {combinations}
            union all select {each columns: l{i}} from {raw_classes}
            union all select {each columns: l{i}} from {other_classes}
        ),
        finish as (
            select unnest([-1, -2]) as target, null::boolean[] as present, 0 as people,
                   {each columns: unnest([arg_min(x{i}, sqlanon._number(x{i})),
                                          arg_max(x{i}, sqlanon._number(x{i}))]) as v{i}}
            from cell
        )
        from {combinations}
        union all by name
        select * from finish, (select {each columns: any_value(r{i}) as r{i}} from {combinations})
    $$, map {}));

-- The distance of each distinct released row: target, distance (NULL: not found out).
create or replace macro sqlanon._distances_to_rows(combinations, raw_classes, hierarchy, comparisons, columns)
as table
    select target, any_value(distance) / 1e6 as distance
    from sqlanon._nearest_classes(raw_classes, combinations, hierarchy, comparisons, columns)
    group by target;

-- No rows, or an error: a released text that stands for several values, and that no raw row has. Its distance
-- from every row would be large, as if it told nothing.
create or replace macro sqlanon._refuse_labels(combinations, raw_classes, release, columns) as table
    select error('column ' || sqlanon._list(columns)[d] || ' of ' || release || ' has labels, such as '
                 || min(string) || ': closest_records compares raw values only') as refused
    from sqlanon._long(combinations, columns, 'v{i}') as released
    anti join sqlanon._long(raw_classes, columns, 'l{i}') as raw
      on raw.d = released.d and raw.string = sqlanon._value_text(released.string)
    where sqlanon._form(string) <> 'value' group by d;

create or replace macro sqlanon._closest_records(release, original, held_out, columns, comparisons) as table
    with _sqlanon_no_tree as materialized (from sqlanon._hierarchies(null)),
    _sqlanon_released as materialized (from sqlanon._source(release, columns, [])),
    _sqlanon_row as materialized (from sqlanon._target_combinations('_sqlanon_released', columns, null)),
    _sqlanon_original as materialized (from sqlanon._raw_rows_as_classes(original, columns)),
    _sqlanon_other as materialized (from sqlanon._raw_rows_as_classes(held_out, columns)),
    _sqlanon_row_or_end as materialized (
        from sqlanon._with_ends('_sqlanon_row', '_sqlanon_original', '_sqlanon_other', columns)
    ),
    _sqlanon_to_original as materialized (
        from sqlanon._distances_to_rows(
            '_sqlanon_row_or_end', '_sqlanon_original', '_sqlanon_no_tree', comparisons, columns)
    ),
    _sqlanon_to_other as materialized (
        from sqlanon._distances_to_rows(
            '_sqlanon_row_or_end', '_sqlanon_other', '_sqlanon_no_tree', comparisons, columns)
    ),
    _sqlanon_compared as materialized (
        select people as n, near.distance as own, far.distance as other
        from _sqlanon_row
        join _sqlanon_to_original as near using (target)
        join _sqlanon_to_other as far using (target)
    ),
    _sqlanon_total as (
        select sum(n) as rows, coalesce(sum(n) filter (own is not null and other is not null), 0) as compared,
               sum(n) filter (own = 0) as copies, sum(n) filter (other = 0) as copies_of_others,
               sum(if(own < other, 2, if(own = other, 1, 0)) * n) / 2 as closer
        from _sqlanon_compared
    ),
    _sqlanon_refusal as (
        from sqlanon._refuse_empty('_sqlanon_row', release)
        union all from sqlanon._refuse_empty('_sqlanon_original', original)
        union all from sqlanon._refuse_empty('_sqlanon_other', held_out)
        union all from sqlanon._refuse_labels('_sqlanon_row', '_sqlanon_original', release, columns)
    ),
    measure as (
        select 1 as place, 'rows' as id, 'released rows' as measure, rows::double as value, 'rows' as unit,
               null::bigint as n
        from _sqlanon_total
        union all
        select 2, 'copies', 'equal to a row of the original', coalesce(copies, 0) / compared, '%', compared
        from _sqlanon_total where compared > 0
        union all
        select 3, 'copies_of_others', 'equal to a row that was held out',
               coalesce(copies_of_others, 0) / compared, '%', compared
        from _sqlanon_total where compared > 0
        union all
        select 4, 'closer', 'nearer to the original than to rows that were held out', closer / compared, '%',
               compared
        from _sqlanon_total where compared > 0
        union all
        select 5, 'distance', 'median distance to the original', quantile_disc(own, 0.5), 'columns', null
        from (select own, unnest(range(n)) from _sqlanon_compared) having count(own) > 0
        union all
        select 6, 'distance_to_others', 'median distance to rows that were held out',
               quantile_disc(other, 0.5), 'columns', null
        from (select other, unnest(range(n)) from _sqlanon_compared) having count(other) > 0
        union all
        select 7, 'unfinished', 'not compared with all rows', 1 - compared / rows, '%', rows
        from _sqlanon_total where compared < rows
        union all
        select 8, null, null, refused::double, null, null from _sqlanon_refusal
    )
    select measure, if(unit = '%', 100, 1) * value as value, unit,
           case when n > 0 then 100 * sqlanon._interval(value, n).low end as low,
           case when n > 0 then 100 * sqlanon._interval(value, n).high end as high, id
    from measure order by place;

create or replace macro sqlanon.closest_records(
    release, original, held_out, columns, comparisons := 2000000000) as table
    from query(
        case when len(sqlanon._list(columns)) = 0
             then error('columns names no column: give at least one to compare rows by')
             else sqlanon._checked(columns, null, null) end
        || {call _closest_records: comparisons := text(sqlanon._comparisons(comparisons))});

comment on macro table sqlanon.closest_records is $$
Measures whether released rows without classes, such as synthetic rows, are nearer to the rows that they were
made of than to rows of other people: one row per measure.

Parameters:
- release (table): the released rows, with values of the same form as the original.
- original (table): the raw rows of which the release was made.
- held_out (table): raw rows of people of the same kind who were not in the original, about as many rows.
- columns (columns): of all three tables, those that are compared.
- comparisons: as in nearest_linkage

Result:
- measure (text): the title of the measure.
- value (number): its value, in the unit.
- unit (text): the unit: rows, % of the released rows, or columns (a distance of 1 is one column that
  differs).
- low (number): the lower end of Wilson's 95 % interval of a share.
- high (number): the upper end.
- id (text): the measure: rows, copies, copies_of_others, closer, distance, distance_to_others, unfinished.

Errors: unknown column, a column named twice, empty table, released labels such as [20, 29], infinity or NaN.

Notes: closer is the share of released rows that are nearer to the original (a tie counts as one half). Around
50 % the release is as near to people who were not in it; above that its rows give away that somebody was in
the original. Distances do not find what other attacks find: releases that pass such a comparison are open to
membership attacks all the same (Yao et al. 2025). Rows that are copies by chance are copies of rows that were
held out as often, if these are as many. Distances say nothing about a single person: membership,
nearest_linkage and nearest_inference do. With fewer comparisons than necessary some released rows are not
compared, which unfinished counts.

Source: Platzer and Reutterer 2021 (share of rows nearer to the original than to a holdout); Gower 1971; Yao,
Krco, Ganev and de Montjoye 2025, The DCR Delusion (what distances do not find).

Example:
with original as (from people where age < 40), others as (from people where age >= 40)
from sqlanon.closest_records('voters', 'original', 'others', columns := ['age', 'zip']);
$$;
