-- Rounding: every cell of a table leaves as a multiple of a base, or halfway between two (Hundepool et al.
-- 2012, Statistical Disclosure Control, ch. 5).
--
-- Rounded to the nearest multiple, a cell is within half a base of what is shown. Random rounding goes up as
-- often as it takes to be right on average, and tells less: the cell is within a whole base. The midpoint of
-- (0, b], (b, 2b], ... stands for all numbers there; a 0 stays a 0.
--
-- In these ways each cell is rounded by itself, so totals do not add up, and give some of it back:
-- cell_bounds tells what. Controlled rounding (Cox 1987, A constructive procedure for unbiased controlled
-- rounding) takes one of both neighbouring multiples for every cell such that totals are the sums of their
-- parts, as near to the table as can be. In two dimensions there always is such a table, in three there may
-- be none: then some cells go further. It is an integer program, which runs in Python
-- (sqlanon/tables/controlled_rounding.py).

-- The multiples (how many times the base) of the cells of a list, or why there are none. sums: a list of
-- total and parts (positions from 1). This stands here until the function is registered.
create macro if not exists sqlanon._controlled_rounding(amounts, sums, base, seconds) as
    error('controlled rounding is an integer program, which runs in Python: there, install sqlanon[tables], '
          || 'and call sqlanon.register_functions(con) once')::struct(multiples bigint[], problem varchar);

-- A number, rounded. share: of random rounding, from 0 to below 1.
create or replace macro sqlanon._rounded_cell(number, base, rounding, share) as
    case rounding
         when 'nearest' then base * floor(number / base + 0.5)
         when 'random'
         then base * (floor(number / base) + if(share < number / base - floor(number / base), 1, 0))
         when 'midpoint' then if(number = 0, 0, base * ceil(number / base) - base / 2) end;

-- A rounded number as it leaves: a whole one where all are, otherwise with the decimals of the base (and one
-- more of a midpoint).
create or replace macro sqlanon._rounded_as_shown(rounded, base, rounding) as
    sqlanon._let(if(rounding = 'midpoint', base / 2, base), lambda step: sqlanon._fill(
        if(step = floor(step), '({rounded})::bigint', 'round({rounded}, {decimals})'),
        map {'rounded': rounded, 'decimals': sqlanon._decimals_of(step)::varchar}));

-- The cells with their values: keys, amount.
create or replace macro sqlanon._cells_to_round(cells, dimensions, value_column, total_mark) as table
    from query(sqlanon._fill($$
        select [{keys}] as keys, try_cast(src.{"value_column"} as double) as amount from {source} as src
    $$, map {
        'keys': sqlanon._each_filled(
            dimensions, 'sqlanon._marked_key(sqlanon._plain_text(src.{c}::varchar), {=total_mark})', ', '),
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
        select {labels}, {rounded} as value, false as further from _sqlanon_drawn
        union all by name
        select refused::tinyint as value from _sqlanon_refusal
    $$, map {
        'labels': sqlanon._each_filled(
            dimensions, 'sqlanon._label_of(keys[{i}], {=total_mark}) as {c}', ', '),
        'rounded': sqlanon._rounded_as_shown(
            sqlanon._fill('sqlanon._rounded_cell(amount, {base}::double, {=rounding}, share)', map {
                'base': base::varchar}), base::double, rounding)}));

-- The question for the function, one row: amounts, sums, members (the keys of the cells, in their order).
create or replace macro sqlanon._rounding_question(whole_table, all_sums, amounts_of_cells) as table
    with placed as (
        select cell, row_number() over (order by cell) as place, own.*
        from query_table(whole_table) as every join query_table(amounts_of_cells) as own using (keys)
    ),
    equation as (
        select total, d, list(part.place order by part.place) as parts, any_value(above.place) as total_place
        from query_table(all_sums) as own
        join placed as part on part.cell = own.cell
        join placed as above on above.cell = own.total
        group by total, d
    )
    select (select list(amount order by place) from placed) as amounts,
           coalesce((select list(struct_pack(total := total_place, parts := parts) order by total, d)
                     from equation), []) as sums,
           (select list(keys order by place) from placed) as members;

create or replace macro sqlanon._control_rounded(
    cells, dimensions, base, value_column, total_mark, hierarchies, seconds) as table
    with _sqlanon_hierarchy as materialized (from sqlanon._hierarchies(hierarchies)),
    _sqlanon_amount as materialized (
        from sqlanon._cells_to_round(cells, dimensions, value_column, total_mark)
    ),
    _sqlanon_label as materialized (from sqlanon._labels_of_cells('_sqlanon_amount')),
    _sqlanon_line as materialized (
        from sqlanon._published_paths('_sqlanon_label', '_sqlanon_hierarchy', dimensions)
    ),
    _sqlanon_branch as materialized (from sqlanon._table_tree('_sqlanon_line')),
    _sqlanon_place as materialized (from sqlanon._numbered_labels('_sqlanon_line', dimensions)),
    _sqlanon_stair as materialized (from sqlanon._label_steps('_sqlanon_branch', '_sqlanon_place')),
    _sqlanon_upper as materialized (from sqlanon._labels_and_above('_sqlanon_line', '_sqlanon_place')),
    _sqlanon_whole_table as materialized (
        from sqlanon._cells_and_totals('_sqlanon_amount', '_sqlanon_amount', '_sqlanon_upper', dimensions)
    ),
    _sqlanon_equation as materialized (from sqlanon._all_sums('_sqlanon_whole_table', '_sqlanon_stair')),
    _sqlanon_refusal as materialized (
        from sqlanon._refuse_cells_to_round('_sqlanon_amount', cells, value_column)
        union all from sqlanon._refuse_hierarchies('_sqlanon_hierarchy', dimensions, null)
        union all from sqlanon._refuse_unknown_labels('_sqlanon_label', '_sqlanon_line', dimensions)
        union all
        from sqlanon._refuse_sums(
            '_sqlanon_whole_table', '_sqlanon_equation', '_sqlanon_amount', cells, dimensions, true,
            ' (people who can be in several parts have no totals that add up: round in another way)')
    ),
    _sqlanon_question as materialized (
        from sqlanon._rounding_question('_sqlanon_whole_table', '_sqlanon_equation', '_sqlanon_amount')
        where (select count(refused) = 0 from _sqlanon_refusal)
    ),
    _sqlanon_answer as materialized (
        select members, sqlanon._controlled_rounding(amounts, sums, base, seconds) as answer
        from _sqlanon_question
    ),
    _sqlanon_rounded as (
        select unnest(members) as keys,
               unnest(case when answer.problem is null then answer.multiples else error(answer.problem) end)
                   as multiple
        from _sqlanon_answer
    )
    from query(sqlanon._fill($$
        select {labels}, {rounded} as value,
               multiple not between floor(amount / {base}) and ceil(amount / {base}) as further
        from _sqlanon_amount join _sqlanon_rounded using (keys)
        union all by name
        select refused::tinyint as value from _sqlanon_refusal
    $$, map {
        'labels': sqlanon._each_filled(
            dimensions, 'sqlanon._label_of(keys[{i}], {=total_mark}) as {c}', ', '),
        'rounded': sqlanon._rounded_as_shown('multiple * ' || base::varchar || '::double', base::double,
                                             'controlled'),
        'base': base::varchar || '::double'}));

create or replace macro sqlanon.round_cells(
    cells, dimensions, base, rounding := 'nearest', value_column := 'value', total := 'total',
    hierarchies := null, seed := null, solver_seconds := 60) as table
    from query(
        case when rounding in ('nearest', 'random', 'midpoint', 'controlled')
                  and sqlanon._seconds(solver_seconds, 'solver_seconds') >= 0
             then sqlanon._checked_dimensions(dimensions, [value_column], ' and value_column')
             else error('rounding must be nearest, random, midpoint or controlled, not '
                        || coalesce(rounding, 'NULL')) end
        || sqlanon._let(
            coalesce(sqlanon._real_number(base, 'base', 0, false, 1e15, 'above 0')::varchar,
                     error('base must be above 0, not NULL')),
            lambda base_text:
            if(rounding = 'controlled',
               {call _control_rounded:
                   base := text(base_text), total_mark := total,
                   seconds := sqlanon._seconds(solver_seconds, 'solver_seconds')},
               {call _round_cells: base := text(base_text), total_mark := total})));

comment on macro table sqlanon.round_cells is $$
Rounds every cell of a table of counts or sums to a multiple of a base, or to a midpoint between two: one row
per cell.

Parameters:
- cells (table): the cells, as table_cells returns them: the columns in dimensions and value_column.
- dimensions (columns): the columns by which the cells are grouped.
- base (number, above 0): values are rounded to multiples of it.
- rounding (one of nearest, random, midpoint, controlled; default 'nearest'): nearest: to the nearest
  multiple, halves up. random: to one of the two neighbouring multiples, up with the probability that makes
  the result right on average. midpoint: to the middle of the interval above one multiple and up to the next:
  with a base of 5, 6 to 10 become 7.5; 0 stays 0. controlled: to one of the two neighbouring multiples, so
  that totals are still the sums of their parts.
- value_column (column; default 'value'): the values to round.
- total (text or NULL; default 'total'): the mark of a total in the columns of dimensions; NULL if totals are
  marked by NULL.
- hierarchies (table; default null): the hierarchies with which the cells were made: for controlled.
- seed (integer; default null): fixes the random draws: a cell, identified by its labels, has the same draw in
  every table. Keep it secret. Without a seed, each call draws anew, and the mean of several calls reveals the
  true values.
- solver_seconds (number, at least 0; default 60): the time limit of controlled rounding.

Result:
- <dimensions> (text): the cell.
- value (number): the rounded value.
- further (boolean): true if controlled rounding used neither of the neighbouring multiples, because otherwise
  totals would not be sums.

Errors: unknown column, empty table, a column named twice, a cell that is there twice, a value that is not a
number of at least 0; controlled: a total that is missing or is not the sum of its parts, a label that the
hierarchy lacks, no result within solver_seconds, in SQL functions that are not registered.

Notes: except with controlled, cells are rounded one by one, so totals are not the sums of the shown cells.
cell_bounds (base, rounding) finds cells that are known more exactly because of their totals. With controlled,
as with random, a value is known up to an error of less than base, if no cell was rounded further; do not
publish the column further. The same table is rounded in the same way each time. Rounding does not depend on
contributors: a cell with the salary of one person is that salary, rounded.

Source: Hundepool et al. 2012, Statistical Disclosure Control, ch. 5; Cox 1987, A constructive procedure for
unbiased controlled rounding.

Example:
with cells as (from sqlanon.table_cells('people', dimensions := ['zip', 'disease']))
from sqlanon.round_cells('cells', dimensions := ['zip', 'disease'], base := 3);
$$;
