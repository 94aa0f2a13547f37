-- Utility of synthetic rows, or of any that have values of the same form as their original: how alike
-- columns, and pairs of columns, are in both tables.
--
-- Numbers and dates are cut into groups with about as many rows of the original each, whatever else is a
-- group by itself. A pair of columns is then a table of counts, and two tables are compared (cells as in
-- Raab, Nowok and Dibben 2021).

-- Distinct rows of both tables: row, v1, v2, ... (as text), n_original and n_released (rows of each table).
create or replace macro sqlanon._rows_of_both(own_rows, released_rows, columns) as table
    from query(sqlanon._fill($$
        select row_number() over () as row, *
        from (
            select {each columns: v{i}}, sum(own)::bigint as n_original, sum(other)::bigint as n_released
            from (
                select {each columns: v{i}}, people as own, 0 as other from {own_rows}
                union all select {each columns: v{i}}, 0, people from {released_rows}
            )
            group by all
        )
    $$, map {}));

-- Cells of these rows: row, d, value, n_original, n_released.
create or replace macro sqlanon._cells_of_both(rows_of_both, columns) as table
    from query(sqlanon._fill($$
        select row, unnest(range(1, {end}))::integer as d, unnest([{each columns: v{i}}]) as value,
               n_original, n_released
        from {rows_of_both}
    $$, map {'end': (len(sqlanon._list(columns)) + 1)::varchar}));

-- The columns that are numbers or dates in both tables: d.
create or replace macro sqlanon._numbers_in_both(own_rows, released_rows, columns) as table
    select own.d
    from sqlanon._long(own_rows, columns, 'r{i}') as own
    join sqlanon._long(released_rows, columns, 'r{i}') as other using (d)
    where own.string in (1, 2, 4) and other.string in (1, 2, 4);

-- The values of each column: d, value, number (NULL: none), code (of its group). cells: as in
-- _cells_of_both.
create or replace macro sqlanon._groups_of_values(cells, number_columns, groups) as table
    with held as (
        select d, value, sum(n_original) as n,
               case when d in (from query_table(number_columns)) then sqlanon._number(value) end as number
        from query_table(cells) group by d, value
    ),
    placed as (
        select *, number is not null as is_number,
               coalesce(sum(n) over (partition by d, number is not null order by number
                                     range between unbounded preceding and current row exclude group), 0)
                   / nullif(sum(n) over (partition by d, number is not null), 0) as below
        from held
    )
    select d, value, number,
           case when is_number then least(floor(groups * coalesce(below, 0)), groups - 1)::bigint
                else -dense_rank() over (partition by d order by value nulls first) end as code
    from placed;

-- How often each group, and each pair of groups, is there: d, other (NULL: a column alone), code,
-- other_code, n_original, n_released.
create or replace macro sqlanon._counts_of_pairs(cells, groups_of_values) as table
    with coded as (
        select row, d, code, n_original, n_released
        from query_table(cells) as cell
        join query_table(groups_of_values) as grouped using (d)
        where cell.value is not distinct from grouped.value
    )
    select d, null as other, code, null as other_code, sum(n_original) as n_original,
           sum(n_released) as n_released
    from coded group by d, code
    union all
    select one.d, two.d, one.code, two.code, sum(one.n_original), sum(one.n_released)
    from coded as one join coded as two on one.row = two.row and one.d < two.d
    group by one.d, two.d, one.code, two.code;

-- The correlations of pairs of numbers: d, other, own, other_r (of rows where both are numbers).
create or replace macro sqlanon._correlations_of_both(cells, groups_of_values) as table
    with numbered as (
        select row, cell.d, number, n_original, n_released
        from query_table(cells) as cell
        join query_table(groups_of_values) as grouped
          on grouped.d = cell.d and grouped.value = cell.value
        where number is not null
    ),
    pair as (
        select one.d, two.d as other, one.number as x, two.number as y,
               unnest([one.n_original, one.n_released]) as n, unnest([true, false]) as is_original
        from numbered as one join numbered as two on one.row = two.row and one.d < two.d
    ),
    middle as (
        select d, other, is_original, fsum(n * x) / sum(n) as mean_x, fsum(n * y) / sum(n) as mean_y
        from pair group by all having sum(n) > 0
    ),
    correlation as (
        select d, other, is_original,
               fsum(n * (x - mean_x) * (y - mean_y))
                   / nullif(sqrt(fsum(n * (x - mean_x) ** 2) * fsum(n * (y - mean_y) ** 2)), 0) as r
        from pair join middle using (d, other, is_original) group by all
    )
    select d, other, any_value(r) filter (is_original) as own,
           any_value(r) filter (not is_original) as other_r
    from correlation group by d, other;

create or replace macro sqlanon._utility_of_synthetic(original, release, columns, groups) as table
    with _sqlanon_original as materialized (from sqlanon._source(original, columns, [])),
    _sqlanon_released as materialized (from sqlanon._source(release, columns, [])),
    _sqlanon_own_row as materialized (
        from sqlanon._target_combinations('_sqlanon_original', columns, null)
    ),
    _sqlanon_released_row as materialized (
        from sqlanon._target_combinations('_sqlanon_released', columns, null)
    ),
    _sqlanon_row as materialized (
        from sqlanon._rows_of_both('_sqlanon_own_row', '_sqlanon_released_row', columns)
    ),
    _sqlanon_cell as materialized (from sqlanon._cells_of_both('_sqlanon_row', columns)),
    _sqlanon_number as (
        from sqlanon._numbers_in_both('_sqlanon_own_row', '_sqlanon_released_row', columns)
    ),
    _sqlanon_group as materialized (
        from sqlanon._groups_of_values('_sqlanon_cell', '_sqlanon_number', groups)
    ),
    _sqlanon_count as materialized (from sqlanon._counts_of_pairs('_sqlanon_cell', '_sqlanon_group')),
    _sqlanon_total as (select sum(n_original) as o, sum(n_released) as s from _sqlanon_row),
    _sqlanon_alike as (
        select d, other, 1 - sum(abs(n_original * s - n_released * o)) / (2 * o * s) as similarity,
               fsum((n_original + n_released) * (n_released / (n_original + n_released) - s / (o + s)) ** 2)
                   / (o + s) as pmse,
               (count(*) - 1) * (s / (o + s)) * (o / (o + s)) ** 2 / (o + s) as expected
        from _sqlanon_count, _sqlanon_total group by d, other, o, s
    ),
    _sqlanon_refusal as (
        from sqlanon._refuse_empty('_sqlanon_own_row', original)
        union all from sqlanon._refuse_empty('_sqlanon_released_row', release)
    ),
    answer as (
        select alike.d, alike.other, columns[alike.d] as one, columns[alike.other] as with_other,
               100 * similarity as similarity, pmse / nullif(expected, 0) as pmse_ratio, own, other_r
        from _sqlanon_alike as alike
        left join sqlanon._correlations_of_both('_sqlanon_cell', '_sqlanon_group') as correlation
          on correlation.d = alike.d and correlation.other = alike.other
        union all by name
        select refused::double as own from _sqlanon_refusal
    )
    select one as attribute, with_other as other, similarity, pmse_ratio, own as correlation_original,
           other_r as correlation_release
    from answer order by d, other nulls first;

create or replace macro sqlanon.utility_of_synthetic(original, release, columns, groups := 10) as table
    from query(
        case when len(sqlanon._list(columns)) = 0
             then error('columns names no column: give at least one to compare')
             else sqlanon._checked(columns, null, null) end
        || sqlanon._call('_utility_of_synthetic', [
            sqlanon._literal(original), sqlanon._literal(release), sqlanon._names(columns),
            coalesce(sqlanon._whole_number(groups, 'groups'),
                     error('groups must be a whole number of at least 1, not NULL'))::varchar]));

comment on macro table sqlanon.utility_of_synthetic is $$
Compares the columns, and the pairs of columns, of a release with those of the original, for synthetic rows
and other releases that have values of the same form: one row per column and per pair.

Parameters:
- original (table): the raw rows.
- release (table): the released rows, with values of the same form.
- columns (columns): of both tables, those that are compared.
- groups (integer, at least 1; default 10): into so many groups, each with about as many rows of the original,
  numbers and dates are cut.

Result:
- attribute (text): the column.
- other (text): the other column of a pair; NULL: the column alone.
- similarity (number, 0 to 100): the percentage of rows in common: 100 less half of the sum of all differences
  between the shares of the groups (total variation). 100: the same shares.
- pmse_ratio (number): the mean squared error of the propensity score (how well the groups tell the two tables
  apart), divided by its average if the release were drawn by the shares of the original. It is about 1 for
  such a release, about 2 for as many other people of the same kind, and larger the more the tables differ.
  NULL: there is one group only.
- correlation_original (number, -1 to 1): Pearson's correlation in the original. NULL: not both columns are
  numbers or dates, or one has a single value.
- correlation_release (number, -1 to 1): the same in the release.

Errors: unknown column, a column named twice, empty table.

Notes: texts and missing values are groups by themselves, as are numbers if the column is text in one of the
tables. A label such as [20, 29] is a text that the original lacks: for releases with labels see utility. A
copy has a pmse_ratio of 0: it agrees with the original better than a draw would.

Source: Snoke, Raab, Nowok, Dibben and Slavkovic 2018 (expected pMSE); Raab, Nowok and Dibben 2021 (pMSE of
tables).

Example:
from sqlanon.utility_of_synthetic('people', 'voters', columns := ['age', 'zip']);
$$;
