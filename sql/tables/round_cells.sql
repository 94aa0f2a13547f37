-- Rounding: every cell of a table leaves as a multiple of a base, or halfway between two (Hundepool et al.
-- 2012, Statistical Disclosure Control, ch. 5).
--
-- Rounded to the nearest multiple, a cell is within half a base of what is shown. Random rounding goes up as
-- often as it takes to be right on average, and tells less: the cell is within a whole base. The midpoint of
-- (0, b], (b, 2b], ... stands for all numbers there; a 0 stays a 0.
--
-- Each cell is rounded by itself, so totals do not add up, and give some of it back: cell_bounds tells what.

-- A number, rounded. share: of random rounding, from 0 to below 1.
create or replace macro sqlanon._rounded_cell(number, base, rounding, share) as
    case rounding
         when 'nearest' then base * floor(number / base + 0.5)
         when 'random'
         then base * (floor(number / base) + if(share < number / base - floor(number / base), 1, 0))
         when 'midpoint' then if(number = 0, 0, base * ceil(number / base) - base / 2) end;

-- The cells with their values: keys, amount.
create or replace macro sqlanon._cells_to_round(cells, dimensions, value_column, total_mark) as table
    from query(sqlanon._fill($$
        select [{keys}] as keys, try_cast(src.{value} as double) as amount from {source} as src
    $$, map {
        'keys': sqlanon._each_filled(
            dimensions, 'sqlanon._marked_key(sqlanon._plain_text(src.{c}::varchar), {mark})',
            map {'mark': sqlanon._optional(total_mark)}, ', '),
        'value': sqlanon._quote(value_column),
        'source': sqlanon._projected(cells, dimensions, value_column, null)}));

-- No rows, or an error: no cell, the same cell twice, or a value that is no number of at least 0.
create or replace macro sqlanon._refuse_cells_to_round(rounded_cells, tbl, value_column) as table
    from sqlanon._refuse_empty(rounded_cells, tbl)
    union all
    select error('table ' || tbl || ' has the same cell ' || count(*) || ' times: '
                 || sqlanon._cell_name(keys)) as refused
    from query_table(rounded_cells) group by keys having count(*) > 1
    union all
    select error('column "' || value_column || '" of table ' || tbl || ' has no number of at least 0 in '
                 || count(*) || ' cells, such as ' || sqlanon._cell_name(min(keys))
                 || ': round before cells are hidden') as refused
    from query_table(rounded_cells)
    where amount is null or not (amount >= 0 and amount < 'infinity'::double) having count(*) > 0;

create or replace macro sqlanon._round_cells(
    cells, dimensions, base, rounding, value_column, total_mark, seed) as table
    with _sqlanon_cell as materialized (
        from sqlanon._cells_to_round(cells, dimensions, value_column, total_mark)
    ),
    _sqlanon_drawn as (
        from query('select *, (''0x'' || left(' || sqlanon._random_key('keys', seed)
                   || ', 12))::bigint / 281474976710656 as share from _sqlanon_cell')
    ),
    _sqlanon_refusal as (from sqlanon._refuse_cells_to_round('_sqlanon_cell', cells, value_column))
    from query(sqlanon._fill($$
        select {labels}, sqlanon._rounded_cell(amount, {base}, {rounding}, share) as value from _sqlanon_drawn
        union all by name
        select refused::double as value from _sqlanon_refusal
    $$, map {
        'labels': sqlanon._each_filled(
            dimensions, 'sqlanon._label_of(keys[{i}], {mark}) as {c}',
            map {'mark': sqlanon._optional(total_mark)}, ', '),
        'base': base::varchar || '::double', 'rounding': sqlanon._literal(rounding)}));

create or replace macro sqlanon.round_cells(
    cells, dimensions, base, rounding := 'nearest', value_column := 'value', total := 'total',
    seed := null) as table
    from query(
        case when rounding in ('nearest', 'random', 'midpoint')
             then sqlanon._checked_dimensions(dimensions, [value_column], ' and value_column')
             else error('rounding must be nearest, random or midpoint, not '
                        || coalesce(rounding, 'NULL')) end
        || sqlanon._call('_round_cells', [
            sqlanon._literal(cells), sqlanon._names(dimensions),
            coalesce(sqlanon._real_number(base, 'base', 0, false, 1e15, 'above 0')::varchar,
                     error('base must be above 0, not NULL')),
            sqlanon._literal(rounding), sqlanon._literal(value_column), sqlanon._optional(total),
            coalesce(seed::bigint::varchar, 'null')]));

comment on macro table sqlanon.round_cells is $$
Rounds every cell of a table of counts or sums to a multiple of a base, or to a midpoint between two: one row
per cell.

Parameters:
- cells (table): the cells, as table_cells makes them: the columns in dimensions and value_column.
- dimensions (columns): by which the cells are grouped.
- base (number, above 0): of which multiples are made.
- rounding (one of nearest, random, midpoint; default 'nearest'): nearest, halves up. random: to one of both
  neighbouring multiples, up with the probability that makes the result right on average. midpoint: of the
  interval above one multiple and up to the next, so that 6 to 10 become 7.5 with a base of 5; 0 stays 0.
- value_column (column; default 'value'): what is rounded.
- total (text; default 'total'): the mark of a total in the columns of dimensions; with NULL it is NULL.
- seed (integer; default null): fixes what random draws: a cell, by its labels, has the same draw in every
  table. Keep it secret. Without it each call draws anew, and the mean of several gives values back.

Result:
- <dimensions> (text): the cell.
- value (number): the rounded value.

Errors: unknown column, empty table, a column named twice, a cell that is there twice, a value that is no
number of at least 0.

Notes: cells are rounded one by one, so totals are not the sums of what is shown. cell_bounds (base, rounding)
tells which cells are known more exactly by their totals. Who contributes does not matter: the rounded sum of
one person's salary is that salary, rounded.

Source: Hundepool et al. 2012, Statistical Disclosure Control, ch. 5.

Example:
with cells as (from sqlanon.table_cells('people', dimensions := ['zip', 'disease']))
from sqlanon.round_cells('cells', dimensions := ['zip', 'disease'], base := 3);
$$;
