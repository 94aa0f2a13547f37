-- Reconstruction: the rows of people from published statistics about them (Garfinkel, Abowd and Martindale
-- 2019, Understanding Database Reconstruction Attacks on Public Data).
--
-- The unknown is how many people have each combination of values, a whole number. Counts are sums of these
-- (sql/tables/common_atoms.sql). So are means and medians of a column with a known domain: the mean m of some
-- people, printed with d decimals, says that the sum of their values less m - h is at least 0, and less m + h
-- at most 0, where h is half of the last decimal; a median says how many people are at most, and at least,
-- that old. A row that is in every set of rows that agrees with all of this is certain. Integer programs find
-- them (sqlanon/tables/reconstruction.py), a function that DuckDB knows once Python has registered it.

-- What the programs say: certain (of each atom, how many people have it in all sets), example (how many in
-- one set; NULL: none was found), sets (how many there are; NULL: not known), is_proven, problem.
-- atom_values: in the measured column; boxes: lo, hi, mean, median (texts), atoms (positions from 1). This
-- stands here until the function is registered: nothing is known, and that is not finished.
create macro if not exists sqlanon._reconstruction(atom_values, boxes, decimals, max_sets, seconds) as
    {'certain': list_transform(atom_values, lambda value: 0::bigint),
     'example': list_transform(atom_values, lambda value: null::bigint),
     'sets': null::bigint, 'is_proven': false, 'problem': null::varchar};

-- Each value of the measured column by itself, as if some cell had it as its label: cell, d, label, of_table.
create or replace macro sqlanon._measured_values(told_apart, numbered_dimensions, measured) as table
    select 0::bigint as cell, d, sqlanon._raw_text(value) as label, false as of_table
    from query_table(told_apart) join query_table(numbered_dimensions) using (d)
    where name = lower(measured) and value is not null;

-- The atoms in which somebody can be, those in no cell among them: atom, place (from 1).
create or replace macro sqlanon._possible_atoms(box_atoms, empty_atoms) as table
    select atom, row_number() over (order by atom) as place
    from (select distinct atom from query_table(box_atoms)) anti join query_table(empty_atoms) using (atom);

-- What atoms are in each dimension: atom, d, value (several as a set).
create or replace macro sqlanon._values_of_atoms(possible_atoms, strides, dimension_points) as table
    select atom, own.d,
           if(len("values") = 1, "values"[1], sqlanon._set_text(list_sort("values"))) as value
    from query_table(possible_atoms) cross join query_table(strides) as own
    join query_table(dimension_points) as point
      on point.d = own.d and point.place = (atom // stride) % points + 1;

-- The one number that each atom has in the measured column; NULL without one: atom, value.
create or replace macro sqlanon._measured_atoms(
    possible_atoms, atom_values, numbered_dimensions, measured) as table
    select own.atom, any_value(own.place) as place, any_value(try_cast(value as double)) as value
    from query_table(possible_atoms) as own
    left join (select atom, value from query_table(atom_values)
               join query_table(numbered_dimensions) using (d) where name = lower(measured)) as measure
      on measure.atom = own.atom
    group by own.atom;

-- What cells say of their atoms, as _reconstruction takes it: boxes.
create or replace macro sqlanon._statements_of_cells(
    cells, counts, cell_boxes, box_atoms, possible_atoms) as table
    with inside as (
        select box, list(place order by place) as atoms
        from query_table(box_atoms) join query_table(possible_atoms) using (atom) group by box
    ),
    said as (
        select distinct box, lo, hi, mean, median
        from query_table(cells) join query_table(counts) using (cell)
        join (select cell, box from query_table(cell_boxes)) using (cell)
    )
    select list(struct_pack(lo := lo, hi := hi, mean := mean, median := median,
                            atoms := coalesce(inside.atoms, []::bigint[])) order by said.box, mean, median)
               as boxes
    from said left join inside using (box);

-- No rows, or an error: a dimension without a domain; a measured column that is no number; no set of rows.
create or replace macro sqlanon._refuse_reconstruction(
    numbered_dimensions, known_values, measured, solved, titles) as table
    select error('column ' || name || ' has no values in domain: give all that it can have') as refused
    from query_table(numbered_dimensions)
    anti join query_table(known_values) as known on attribute = name
    where name <> sqlanon._since()
    union all
    select error('column ' || measured || ' is measured, and its value in domain is no number: '
                 || min(value))
    from query_table(known_values)
    where attribute = lower(measured) and try_cast(value as double) is null having count(*) > 0
    union all
    select error(answer.problem) from query_table(solved) where answer.problem is not null;

create or replace macro sqlanon._reconstruct(
    of_tables, dimensions, value_column, filters, hierarchies, domain, titles, measured, mean_column,
    median_column, decimals, total_mark, marks, least, most, lower_column, upper_column, all_cells, max_atoms,
    max_sets, seconds) as table
    with _sqlanon_hierarchy as materialized (from sqlanon._hierarchies(hierarchies)),
    _sqlanon_row as materialized (from {sqlanon._rows_of_tables: tables := of_tables, sum_column := null}),
    _sqlanon_condition as materialized (from sqlanon._conditions_of_filters(filters)),
    _sqlanon_period as materialized (from sqlanon._periods_of_tables(null)),
    _sqlanon_cell as materialized (from sqlanon._cells_of_tables('_sqlanon_row', marks, least)),
    _sqlanon_count as materialized (
        from sqlanon._counts_of_cells('_sqlanon_cell', marks, least, most)
    ),
    _sqlanon_label as materialized (
        from sqlanon._labels_of_tables(
            '_sqlanon_cell', '_sqlanon_condition', '_sqlanon_period', dimensions, null, false)
        union all
        select 0, lower(name), lower(name), null, false
        from (select unnest(dimensions || sqlanon._list(measured)) as name)
    ),
    _sqlanon_dimension as materialized (from sqlanon._dimensions_of_tables('_sqlanon_label')),
    _sqlanon_term as materialized (
        from sqlanon._numbered_terms('_sqlanon_label', '_sqlanon_dimension') where label is not null
    ),
    _sqlanon_known as materialized (from sqlanon._values_of_domain(domain)),
    _sqlanon_value as materialized (
        from sqlanon._values_told_apart(
            '_sqlanon_term', '_sqlanon_dimension', '_sqlanon_hierarchy', '_sqlanon_known', '_sqlanon_period')
    ),
    _sqlanon_every_term as materialized (
        from _sqlanon_term
        union all
        from sqlanon._measured_values('_sqlanon_value', '_sqlanon_dimension', measured)
    ),
    _sqlanon_point as materialized (
        from sqlanon._points_of_dimensions(
            '_sqlanon_value', '_sqlanon_every_term', '_sqlanon_dimension', '_sqlanon_hierarchy')
    ),
    _sqlanon_terms as materialized (from sqlanon._terms_of_cells('_sqlanon_term')),
    _sqlanon_set as materialized (from sqlanon._sets_of_points('_sqlanon_terms', '_sqlanon_point')),
    _sqlanon_box as materialized (
        from sqlanon._boxes_of_cells('_sqlanon_cell', '_sqlanon_terms', '_sqlanon_set', '_sqlanon_dimension')
    ),
    _sqlanon_within as materialized (from sqlanon._sets_within_sets('_sqlanon_set')),
    _sqlanon_box_count as materialized (from sqlanon._counts_of_boxes('_sqlanon_box', '_sqlanon_count')),
    _sqlanon_stride as materialized (from sqlanon._strides('_sqlanon_point', max_atoms)),
    _sqlanon_atom as materialized (
        from sqlanon._atoms_of_boxes('_sqlanon_box', '_sqlanon_set', '_sqlanon_stride')
    ),
    _sqlanon_finest as materialized (
        from sqlanon._finest_boxes('_sqlanon_box', '_sqlanon_within', len(of_tables))
    ),
    _sqlanon_empty as materialized (
        from sqlanon._empty_atoms(
            '_sqlanon_box', '_sqlanon_atom', '_sqlanon_finest', '_sqlanon_box_count', all_cells)
    ),
    _sqlanon_possible as materialized (from sqlanon._possible_atoms('_sqlanon_atom', '_sqlanon_empty')),
    _sqlanon_of_atom as materialized (
        from sqlanon._values_of_atoms('_sqlanon_possible', '_sqlanon_stride', '_sqlanon_point')
    ),
    _sqlanon_measured as materialized (
        from sqlanon._measured_atoms('_sqlanon_possible', '_sqlanon_of_atom', '_sqlanon_dimension', measured)
    ),
    _sqlanon_said as materialized (
        from sqlanon._statements_of_cells(
            '_sqlanon_cell', '_sqlanon_count', '_sqlanon_box', '_sqlanon_atom', '_sqlanon_possible')
    ),
    _sqlanon_solved as materialized (
        select sqlanon._reconstruction("values", boxes, decimals, max_sets, seconds) as answer
        from _sqlanon_said, (select list(value order by place) as "values" from _sqlanon_measured)
    ),
    _sqlanon_told as (
        select unnest(range(1, len(answer.certain) + 1)) as place, unnest(answer.certain) as certain,
               unnest(answer.example) as example, answer.sets as sets, not answer.is_proven as unfinished
        from _sqlanon_solved
    ),
    _sqlanon_refusal as (
        from sqlanon._refuse_rows_of_tables(
            '_sqlanon_row', '_sqlanon_cell', of_tables, titles, dimensions, value_column)
        union all
        from sqlanon._refuse_unread_counts('_sqlanon_cell', titles, value_column, marks)
        union all
        from sqlanon._refuse_spellings('_sqlanon_cell', titles, dimensions)
        union all
        from sqlanon._refuse_labels_of_nothing('_sqlanon_term', '_sqlanon_set', '_sqlanon_dimension')
        union all
        from sqlanon._refuse_reconstruction(
            '_sqlanon_dimension', '_sqlanon_known', measured, '_sqlanon_solved', titles)
    )
    from query(sqlanon._fill($$
        select {columns}, any_value(certain) as certain, any_value(example) as example,
               any_value(sets) as sets, any_value(unfinished) as unfinished
        from _sqlanon_told join _sqlanon_possible using (place)
        join _sqlanon_of_atom using (atom) join _sqlanon_dimension using (d)
        where certain > 0 or example > 0 or example is null and place = 1
        group by atom
        union all by name
        select refused::bigint as certain from _sqlanon_refusal
    $$, map {'columns': sqlanon._each(
        sqlanon._each_once(dimensions || sqlanon._list(measured)),
        'any_value(value) filter (name = lower({s}) and example is not null) as {c}', ', ')}));

create or replace macro sqlanon.reconstruct(
    tables, dimensions, domain, value_column := 'value', filters := null, measured := null,
    mean_column := null, median_column := null, decimals := null, hierarchies := null, titles := null,
    total := 'total',
    marks := ['', '*', '.', '..', '...', ':', 'c', 'C', 'x', 'X', '[c]', '[x]', 'Suppressed', 'suppressed'],
    least := null,
    most := null, lower_column := null, upper_column := null, all_cells := true, max_atoms := 100000,
    max_sets := 10,
    solver_seconds := 60) as table
    from query(
        sqlanon._checked_dimensions(
            dimensions,
            sqlanon._list(value_column) || sqlanon._list(lower_column) || sqlanon._list(upper_column)
                || sqlanon._list(mean_column) || sqlanon._list(median_column),
            ' and the other columns')
        || sqlanon._checked_tables(tables, filters, null, titles)
        || case when measured is null and coalesce(mean_column, median_column) is not null
                then error('mean_column and median_column need the column that they are of, '
                           || 'measured := ''age''')
                else '' end
        || {call _reconstruct: of_tables := sqlanon._list(tables), filters := sqlanon._filters_given(filters),
            dimensions := sqlanon._list(dimensions),
            titles := sqlanon._list(coalesce(titles, tables)),
            decimals := sqlanon._whole_number_within(
                decimals, 'decimals', 0, 9, 'a whole number from 0 to 9'), total_mark := total,
            least := sqlanon._real_number(least, 'least', 0, true, 1e15, 'at least 0'),
            most := sqlanon._real_number(most, 'most', 0, true, 1e15, 'at least 0'),
            all_cells := sqlanon._truth_given(all_cells, 'all_cells'),
            max_atoms := sqlanon._whole_given(max_atoms, 'max_atoms'),
            max_sets := sqlanon._whole_given(max_sets, 'max_sets'),
            seconds := sqlanon._seconds(solver_seconds, 'solver_seconds')});

comment on macro table sqlanon.reconstruct is $$
Reconstructs the rows of people from published counts, means and medians: one row per combination of values
that every set of rows which agrees with them has, and the rest of one such set.

Parameters:
- tables (list of tables): the published tables: some of the columns in dimensions, and value_column.
- dimensions (columns): all columns by which the tables are grouped; each table has some of them.
- domain (table): rows of attribute and value: all values that each of these columns, and measured, can have.
- value_column (column; default 'value'): as in tables_together: the published count.
- filters (list of texts; default null): one per table: whom it counts, as in tables_together.
- measured (column; default null): the column that means and medians are of. Its values in domain are numbers.
- mean_column (column; default null): of some or all of the tables: the mean of the people in a cell, rounded.
  There is somebody in a cell that has one.
- median_column (column; default null): the same for the median, not rounded. Of a cell whose count is hidden
  it is not used.
- decimals (integer, at least 0; default null): to how many decimals means are rounded. If not given: as many
  as each is written with.
- hierarchies, titles, total, marks, least, most, lower_column, upper_column, all_cells: as
  in tables_together
- max_atoms: as in tables_together
- max_sets (integer, at least 1; default 10): up to how many sets of rows that agree are counted.
- solver_seconds (number, at least 0; default 60): the time limit of the programs.

Result:
- <dimensions> (text): the values; a set such as {F, M} if the tables do not tell these apart.
- <measured> (text): with measured: its value.
- certain (integer): how many people have them in every set of rows that agrees with the tables.
- example (integer): how many have them in one of these sets; NULL: none was found in time.
- sets (integer): how many sets agree; NULL: more than max_sets, or not known.
- unfinished (boolean): true if time was over: more may be certain.

Errors: those of tables_together; a column that domain lacks; a measured value, mean or median that is no
number; tables with which no set of rows agrees.

Notes: the programs run in Python: in SQL, call sqlanon.register_functions(con) first, with sqlanon[tables]
installed. Without them nothing is certain, and the only row is unfinished. Each set that is found is checked
in whole numbers. That no set agrees is an error only where that is shown in exact numbers, too; otherwise the
only row is unfinished. That there is no further one, and so what is certain, is the solver's word. A row with
certain = 0 and an example is a guess.

Source: Garfinkel, Abowd and Martindale 2019, Understanding Database Reconstruction Attacks on Public Data.

Example:
with by_sex as (from (values ('F', 2, '31.5'), ('M', 1, '40.0')) as row(sex, value, mean)),
domain as (
    select 'age' as attribute, unnest([30, 31, 32, 40])::varchar as value
    union all values ('sex', 'F'), ('sex', 'M')
)
from sqlanon.reconstruct(
    ['by_sex'], dimensions := 'sex', domain := 'domain', measured := 'age', mean_column := 'mean');
$$;
