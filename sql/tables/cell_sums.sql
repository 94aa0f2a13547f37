-- How hidden cells follow from a table: the sums that each of them is in, with what is left of a total once
-- all shown cells are subtracted. That is the hidden cell, if the sum has only one. If it has several, other
-- sums that they are in may tell more (cell_bounds).

-- A list of names for people: the first five, and how many more there are.
create or replace macro sqlanon._some_names(cell_names) as
    array_to_string(cell_names[:5], '; ')
    || if(len(cell_names) > 5, ' and ' || (len(cell_names) - 5) || ' more', '');

-- The sums of the hidden cells: keys, d, total_keys, left_over, hidden (how many are, of total and parts),
-- told.
create or replace macro sqlanon._sums_of_hidden(whole_table, sums, shown_cells, dimensions, marks) as table
    with numbered as (
        select cell, every.keys, sqlanon._number_unmarked(shown, marks, false) as number
        from query_table(whole_table) as every left join query_table(shown_cells) as shown using (keys)
    ),
    scale as (from sqlanon._scale_of('numbered')),
    own as (
        select * replace (sqlanon._in_units(number, unit, is_exact) as number) from numbered, scale
    ),
    added as (
        select total, d, any_value(unit) as unit, coalesce(sum(number), 0) as shown_sum,
               list(cell) filter (number is null) as hidden,
               coalesce(list_sort(list(sqlanon._cell_name(keys)) filter (number is null)), []) as names
        from query_table(sums) join own using (cell) group by total, d
    ),
    summed as (
        select total, d, added.unit as unit, shown_sum, hidden, names, whole.keys as total_keys,
               whole.number as total_number
        from added join own as whole on whole.cell = total where len(hidden) > 0 or whole.number is null
    ),
    member as (
        select unnest(coalesce(hidden, []) || if(total_number is null, [total], [])) as cell, summed.*
        from summed
    )
    select own.keys, d, total_keys, (total_number - shown_sum) / member.unit as left_over,
           len(names) + (total_number is null)::integer as hidden,
           case when cell = total
                then 'is the sum of its parts over ' || sqlanon._list(dimensions)[d] || ': '
                     || sqlanon._number_text(shown_sum / member.unit) || ' shown'
                     || if(len(names) = 0, '', ', and ' || sqlanon._some_names(names) || ' hidden')
                when total_number is null
                then sqlanon._cell_name(total_keys) || ', which it counts in, is hidden itself'
                else sqlanon._cell_name(total_keys) || ' is '
                     || sqlanon._number_text(total_number / member.unit) || ', of which '
                     || sqlanon._number_text(shown_sum / member.unit) || ' are shown: '
                     || sqlanon._number_text((total_number - shown_sum) / member.unit) || ' left for '
                     || if(len(names) = 1, 'it alone', sqlanon._some_names(names)) end as told
    from member join own using (cell);

create or replace macro sqlanon._cell_sums(
    cells, dimensions, value_column, total_mark, hierarchies, marks) as table
    with _sqlanon_hierarchy as materialized (from sqlanon._hierarchies(hierarchies)),
    _sqlanon_shown as materialized (
        from sqlanon._cells_as_shown(cells, dimensions, value_column, total_mark, null, null, null)
    ),
    _sqlanon_found as materialized (from sqlanon._labels_of_cells('_sqlanon_shown')),
    _sqlanon_path as materialized (
        from sqlanon._published_paths('_sqlanon_found', '_sqlanon_hierarchy', dimensions)
    ),
    _sqlanon_tree as materialized (from sqlanon._table_tree('_sqlanon_path')),
    _sqlanon_number as materialized (from sqlanon._numbered_labels('_sqlanon_path', dimensions)),
    _sqlanon_step as materialized (from sqlanon._label_steps('_sqlanon_tree', '_sqlanon_number')),
    _sqlanon_above as materialized (from sqlanon._labels_and_above('_sqlanon_path', '_sqlanon_number')),
    _sqlanon_finest as materialized (from sqlanon._finest_labels('_sqlanon_tree', '_sqlanon_number')),
    _sqlanon_seed as materialized (
        from sqlanon._seed_cells('_sqlanon_shown', '_sqlanon_finest', dimensions)
    ),
    _sqlanon_cell as materialized (
        from sqlanon._cells_and_totals('_sqlanon_seed', '_sqlanon_shown', '_sqlanon_above', dimensions)
    ),
    _sqlanon_all_sums as materialized (from sqlanon._all_sums('_sqlanon_cell', '_sqlanon_step')),
    _sqlanon_sum as materialized (
        from sqlanon._sums_of_cells('_sqlanon_all_sums', '_sqlanon_cell', '_sqlanon_shown')
    ),
    _sqlanon_told as (
        from sqlanon._sums_of_hidden('_sqlanon_cell', '_sqlanon_sum', '_sqlanon_shown', dimensions, marks)
        semi join query_table('_sqlanon_shown') as shown using (keys)
    ),
    _sqlanon_refusal as (
        from sqlanon._refuse_empty('_sqlanon_shown', cells)
        union all from sqlanon._refuse_hierarchies('_sqlanon_hierarchy', dimensions, null)
        union all from sqlanon._refuse_unknown_labels('_sqlanon_found', '_sqlanon_path', dimensions)
    )
    from query(sqlanon._fill($$
        select {labels}, sqlanon._list({=dimensions})[d] as dimension, left_over, hidden, told
        from _sqlanon_told
        union all by name
        select refused::double as left_over from _sqlanon_refusal
    $$, map {
        'labels': sqlanon._each_filled(
            dimensions, 'sqlanon._label_of(keys[{i}], {=total_mark}) as {c}', ', ')}));

create or replace macro sqlanon.cell_sums(
    cells, dimensions, value_column := 'value', total := 'total', hierarchies := null,
    marks := ['', '*', '.', '..', '...', ':', 'c', 'C', 'x', 'X', '[c]', '[x]', 'Suppressed', 'suppressed']
) as table
    from query(
        sqlanon._checked_dimensions(dimensions, [value_column, 'dimension', 'left_over', 'hidden', 'told'],
                                    ': these are columns of the answer, or the value')
        || {call _cell_sums: total_mark := total});

comment on macro table sqlanon.cell_sums is $$
Lists the sums that contain a hidden cell of a published table, and what remains of each sum for its hidden
cells: one row per cell and sum.

Parameters:
- cells, dimensions, value_column, total, hierarchies, marks: as in cell_bounds

Result:
- <dimensions> (text): the hidden cell.
- dimension (text): the dimension of the sum.
- left_over (number): the total minus all parts that are shown; NULL: the total is hidden.
- hidden (integer): the number of hidden cells in the sum, including the total. If it is 1, the cell is known.
- told (text): the same in words.

Errors: unknown column, empty table, a column named twice, a label that the hierarchy lacks, a hierarchy that
is no tree.

Notes: this shows how a cell can be computed from one sum. cell_bounds computes what all sums reveal together.
A rounded number counts as exact.

Source: Hundepool et al. 2012, Statistical Disclosure Control, ch. 4.

Example:
with cells as (
    from (values ('north', 'flu', '12'), ('north', 'cancer', '*'), ('north', 'total', '19'))
        as row(place, disease, n)
)
from sqlanon.cell_sums('cells', dimensions := ['place', 'disease'], value_column := 'n');
$$;
