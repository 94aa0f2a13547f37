-- Cells: a table of counts or sums, as a GROUP BY with all totals gives it, and who contributes to each cell
-- (Hundepool et al. 2012, Statistical Disclosure Control, ch. 4).
--
-- Whether a cell can be published depends on its contributors: how many there are, and how much of its value
-- the largest two have. These are people where there is a unit, whose rows are added up first, and rows
-- otherwise.
--
-- Rows are grouped once, to the finest cells. Totals are added up from these, where everybody is in one of
-- them. Those who are in several (whose rows have different values of a dimension) would be counted several
-- times in a total, and their parts would be taken for several small contributions. So these people, and only
-- they, are counted for each total by themselves.

-- The two largest of the numbers in several lists (an aggregate).
create or replace macro sqlanon._two_largest(lists) as
    list_sort(flatten(list(lists)), 'desc', 'nulls last')[1:2];

-- Rows as contributions: v1, v2, ... (the dimensions), person (NULL without a unit), n (people for whom the
-- row stands), x (the measure of one of them; NULL where it is no number, and without a measure). A row with
-- a weight of two or more is two: then two contributors have as much.
create or replace macro sqlanon._contributed(tbl, dimensions, measure, unit, weight) as table
    from query(sqlanon._fill($$
        select {each dimensions: src.{c} as v{i}}, {person} as person, {n} as n, {x} as x
        from (select *{twice} from sqlanon._source({=tbl}, {dimensions}, {others}, weight := {weight})) as src
    $$, map {
        'person': coalesce(sqlanon._person(unit, null), 'null::varchar'),
        'n': case when weight is null then '1::bigint'
                  else sqlanon._fill($$if(_sqlanon_nth = 0, {w} - ({w} > 1)::bigint, 1)$$,
                                     map {'w': 'src.' || sqlanon._quote(weight)}) end,
        'x': coalesce('try_cast(src.' || sqlanon._quote(measure) || ' as double)', 'null::double'),
        'twice': coalesce(', unnest(range(least(' || sqlanon._quote(weight) || ', 2))) as _sqlanon_nth', ''),
        'dimensions': sqlanon._names(dimensions),
        'others': sqlanon._names(sqlanon._list(measure) || sqlanon._list(unit)),
        'weight': sqlanon._optional(weight)}));

-- What everybody contributes to each finest cell: v1, v2, ..., person, n, amount, first, second (the largest
-- contributions), wrong (rows without a number of at least 0). With a unit a row per cell and person, of
-- n = 1; without one a row per cell. of_person: what several rows of a person are together, sum or max. They
-- are added up in the units of a scale (_scale_of), so that cents stay cents.
create or replace macro sqlanon._contributions_of_people(
    contributed, scale, dimensions, with_unit, of_person) as table
    from query(sqlanon._fill(
        if(with_unit, $$
            select {values}, person, 1::bigint as n, {of_person}(x) as amount, {of_person}(x) as first,
                   null::double as second, count(*) filter (not sqlanon._is_contribution(x)) as wrong
            from {source} group by all
        $$, $$
            with grouped as (
                select {values}, person, sum(n)::bigint as n, sum(n * x) as amount, max(x, 2) as two_largest,
                       count(*) filter (not sqlanon._is_contribution(x)) as wrong
                from {source} group by all
            )
            select * exclude (two_largest), two_largest[1] as first, two_largest[2] as second from grouped
        $$), map {
            'values': sqlanon._each(dimensions, 'v{i}', ', '),
            'source': '(select own.* replace (sqlanon._in_units(x, unit, is_exact) as x) from ' || contributed
                      || ' as own, ' || scale || ')'}));
create or replace macro sqlanon._is_contribution(x) as coalesce(x >= 0 and x < 'infinity'::double, false);

-- People who are in several finest cells: person. No rows without a unit.
create or replace macro sqlanon._spread_people(contributions, with_unit) as table
    from query(if(with_unit, 'select person from ' || contributions || ' group by person having count(*) > 1',
                  'select person from ' || contributions || ' where false'));

-- The finest cells, of those who are in one alone: k1, k2, ... (keys), n, amount, two_largest, wrong.
create or replace macro sqlanon._finest_cells(contributions, spread, dimensions, with_unit) as table
    from query(sqlanon._fill($$
        with by_value as (
            select {each dimensions: v{i}}, sum(n) as n, sum(amount) as amount, sum(wrong) as wrong,
                   coalesce(max(first, 2), []) || coalesce(max(second, 2), []) as largest
            from {contributions} as own {others} group by all
        )
        select {each dimensions: sqlanon._label_key(sqlanon._plain_text(v{i}::varchar)) as k{i}},
               sum(n)::bigint as n, sum(amount) as amount,
               sqlanon._two_largest(largest) as two_largest, sum(wrong)::bigint as wrong
        from by_value group by all
    $$, map {
        'others': if(with_unit, 'anti join ' || spread || ' as other on other.person is not distinct from '
                                || 'own.person', '')}));

-- The finest cells of each of the others: k1, k2, ..., person, amount, wrong.
create or replace macro sqlanon._spread_contributions(contributions, spread, dimensions, of_person) as table
    from query(sqlanon._fill($$
        select {each dimensions: sqlanon._label_key(sqlanon._plain_text(v{i}::varchar)) as k{i}},
               own.person, {of_person}(amount) as amount, sum(wrong)::bigint as wrong
        from {contributions} as own
        join {spread} as other on other.person is not distinct from own.person group by all
    $$));

-- The labels that the finest cells have: d, label.
create or replace macro sqlanon._found_labels(finest, spread_cells, dimensions) as table
    from query(sqlanon._each_filled(dimensions, $$
        select {i} as d, k{i} as label from {finest} union select {i}, k{i} from {spread}
    $$, map {'spread': spread_cells}, ' union all '));

-- The cells that have contributors: cell (a number), n, amount, two_largest. Added up from the finest cells,
-- but for people in several of them, each of whom counts once in a cell with all that they contribute to it.
create or replace macro sqlanon._added_cells(finest, spread_cells, above, dimensions, of_person) as table
    from query(sqlanon._fill($$
        with added as (
            select {cell} as cell, sum(n)::bigint as n, sum(amount) as amount,
                   sqlanon._two_largest(two_largest) as two_largest
            from {finest} as own {above} group by all
        ),
        of_person as (
            select {cell} as cell, own.person, {of_person}(amount) as amount
            from {spread} as own {above} group by all
        ),
        counted as (
            select cell, count(*) as n, sum(amount) as amount, max(amount, 2) as two_largest
            from of_person group by cell
        )
        select cell, sum(n)::bigint as n, sum(amount) as amount,
               sqlanon._two_largest(two_largest) as two_largest
        from (from added union all from counted) group by cell
    $$, map {
        'cell': sqlanon._each(dimensions, 'above{i}.number', ' + '),
        'above': sqlanon._each_filled(
            dimensions, 'join {above} as above{i} on above{i}.d = {i} and above{i}.value = own.k{i}', ' '),
        'spread': spread_cells}));

-- All cells, also those without contributors: k1, k2, ..., n, amount, two_largest.
create or replace macro sqlanon._all_cells(added, numbers, dimensions, with_empty) as table
    from query(sqlanon._fill($$
        with label as (select {each dimensions: label{i}.label as k{i}}, {cell} as cell from {labels})
        select label.* exclude (cell), coalesce(n, 0) as n, amount, two_largest
        from label {join} {added} using (cell)
    $$, map {
        'cell': sqlanon._each(dimensions, 'label{i}.number', ' + '),
        'labels': sqlanon._each_filled(
            dimensions, '(select label, number from {numbers} where d = {i}) as label{i}', ' cross join '),
        'join': if(with_empty, 'left join', 'join')}));

-- No rows, or an error: rows without a number to add up; a label that is also the mark of a total; a value
-- that its hierarchy lacks.
create or replace macro sqlanon._refuse_contributions(
    finest, spread_cells, tbl, dimensions, measure) as table
    from query(sqlanon._fill($$
        with own as (
            select wrong, [{each dimensions: k{i}}] as keys from {finest}
            union all
            select wrong, [{each dimensions: k{i}}] from {spread_cells}
        )
        select error(sum(wrong) || if(sum(wrong) = 1, ' row', ' rows') || ' of table ' || {=tbl}
                     || if(sum(wrong) = 1, ' has', ' have') || ' no number of at least 0 in column "'
                     || {=measure} || '": NULL, NaN, something below 0 or no number, such as in the cell '
                     || sqlanon._cell_name(min(keys))) as refused
        from own where wrong > 0 and {=measure} is not null having count(*) > 0
    $$));
create or replace macro sqlanon._refuse_mark(numbers, dimensions, total_mark) as table
    select error('column ' || sqlanon._list(dimensions)[min(d)] || ' has the value ' || total_mark
                 || ', which marks totals, too: give another one (total := ''all of them'')') as refused
    from query_table(numbers) where label = sqlanon._label_key(total_mark) having count(*) > 0;
create or replace macro sqlanon._refuse_lacking_labels(found, paths, dimensions) as table
    select sqlanon._lacks_values(
               sqlanon._list(dimensions)[d], min(sqlanon._label_text(found_label.label), 10), count(*), '')
               as refused
    from query_table(found) as found_label
    anti join query_table(paths) as known on known.d = found_label.d and known.value = found_label.label
    group by d;

-- A condition on the keys of a cell: it is one of some tables, each a list of dimensions, and total over
-- all others. An error that names a column that is no dimension.
create or replace macro sqlanon._in_linked_tables(dimensions, linked) as
    case when linked is null then 'true'
         when len(linked) = 0 or list_contains(list_transform(linked, lambda own: len(own) > 0), false)
         then error('linked is a list of tables, each a list of dimensions; one of them is empty')
         else coalesce(
             error('column "' || list_filter(
                       list_transform(flatten(linked), lambda name: coalesce(name, 'NULL')), lambda name:
                       not list_contains(sqlanon._lower(sqlanon._list(dimensions)), lower(name)))[1]
                   || '" in linked is none of dimensions'),
             array_to_string(
                 list_transform(linked, lambda own: array_to_string(list_transform(
                     range(1, len(sqlanon._list(dimensions)) + 1),
                     lambda place: if(list_contains(
                                          sqlanon._lower(own), lower(sqlanon._list(dimensions)[place])),
                                      'true', 'k' || place || ' = sqlanon._total_key()')), ' and ')),
                 ' or '))
    end;

-- of_person: what several rows of a person in a cell are together, sum or max; kept: which cells are, a
-- condition.
create or replace macro sqlanon._table_cells(
    tbl, dimensions, measure, unit, hierarchies, weight, total_mark, with_empty, of_person, kept) as table
    with _sqlanon_hierarchy as materialized (from sqlanon._hierarchies(hierarchies)),
    _sqlanon_contributed as (from sqlanon._contributed(tbl, dimensions, measure, unit, weight)),
    _sqlanon_measured as (
        select distinct x as number from _sqlanon_contributed where measure is not null
    ),
    _sqlanon_scale as materialized (from sqlanon._scale_of('_sqlanon_measured')),
    _sqlanon_contribution as materialized (
        from sqlanon._contributions_of_people(
            '_sqlanon_contributed', '_sqlanon_scale', dimensions, unit is not null, of_person)
    ),
    _sqlanon_spread as materialized (
        from sqlanon._spread_people('_sqlanon_contribution', unit is not null)
    ),
    _sqlanon_finest as materialized (
        from sqlanon._finest_cells(
            '_sqlanon_contribution', '_sqlanon_spread', dimensions, unit is not null)
    ),
    _sqlanon_spread_cell as materialized (
        from sqlanon._spread_contributions('_sqlanon_contribution', '_sqlanon_spread', dimensions, of_person)
    ),
    _sqlanon_found as materialized (
        from sqlanon._found_labels('_sqlanon_finest', '_sqlanon_spread_cell', dimensions)
    ),
    _sqlanon_path as materialized (
        from sqlanon._table_paths('_sqlanon_found', '_sqlanon_hierarchy', dimensions)
    ),
    _sqlanon_number as materialized (
        from sqlanon._numbered_labels('_sqlanon_path', dimensions)
    ),
    _sqlanon_above as materialized (from sqlanon._numbers_above('_sqlanon_path', '_sqlanon_number')),
    _sqlanon_added as materialized (
        from sqlanon._added_cells(
            '_sqlanon_finest', '_sqlanon_spread_cell', '_sqlanon_above', dimensions, of_person)
    ),
    _sqlanon_cell as (from sqlanon._all_cells('_sqlanon_added', '_sqlanon_number', dimensions, with_empty)),
    _sqlanon_refusal as (
        from sqlanon._refuse_empty('_sqlanon_found', tbl)
        union all
        from sqlanon._refuse_contributions(
            '_sqlanon_finest', '_sqlanon_spread_cell', tbl, dimensions, measure)
        union all from sqlanon._refuse_hierarchies('_sqlanon_hierarchy', dimensions, null)
        union all from sqlanon._refuse_lacking_labels('_sqlanon_found', '_sqlanon_path', dimensions)
        union all from sqlanon._refuse_ambiguous_labels('_sqlanon_path', dimensions)
        union all from sqlanon._refuse_mark('_sqlanon_number', dimensions, total_mark)
    )
    from query(sqlanon._fill($$
        select {labels}, n as contributors, {value} as value, two_largest[1] / unit as largest,
               two_largest[2] / unit as second, n = 0 as is_empty
        from _sqlanon_cell, _sqlanon_scale where {kept}
        union all by name
        select refused::bigint as contributors from _sqlanon_refusal
    $$, map {
        'labels': sqlanon._each_filled(
            dimensions, 'sqlanon._label_of(k{i}, {=total_mark}) as {c}', ', '),
        'value': if(measure is null, 'n', 'coalesce(amount, 0) / unit')}));

create or replace macro sqlanon.table_cells(
    tbl, dimensions, measure := null, unit := null, hierarchies := null, weight := null, total := 'total',
    empty_cells := true, linked := null) as table
    from query(
        case when unit is not null and weight is not null then sqlanon._error_of_unit_and_weight()
             when total is null then error('total must be the text that marks a total, not NULL: NULL is a '
                                           || 'value of a dimension')
             when empty_cells is null then error('empty_cells must be true or false, not NULL')
             else sqlanon._checked_dimensions(
                 dimensions, sqlanon._list(measure) || sqlanon._list(unit) || sqlanon._list(weight),
                 ', measure, unit or weight')
        end
        || {call _table_cells:
            total_mark := total::varchar, with_empty := empty_cells, of_person := 'sum',
            kept := sqlanon._in_linked_tables(dimensions, linked)});

comment on macro table sqlanon.table_cells is $$
Makes the cells of a table of counts or sums, with all totals and the number of contributors: one row per
cell.

Parameters:
- tbl (table): the raw rows.
- dimensions (columns): the columns by which the rows are grouped.
- measure (column; default null): the column to sum, a number of at least 0 in every row. If not given,
  contributors are counted.
- unit (column; default null): identifies the person of a row. Then contributors are people, and the rows of a
  person in a cell are added up first, also for totals; p1 and "P1 " are spellings of one person. If not
  given, every row is a contributor.
- hierarchies (table; default null): rows of attribute, value, level and label. A dimension with a hierarchy
  has a cell for every label; the root is the total.
- weight: as in classes
- total (text; default 'total'): the mark of a total in the columns of dimensions. No label may be the same.
- empty_cells (boolean; default true): true: also return cells without contributors, so that there is one for
  every combination of labels.
- linked (list of lists of columns; default null): several tables, each by some of the dimensions, that are
  published together and share cells: [['ward', 'age'], ['ward', 'sex']]. The result has only the cells of
  these tables, each once. The cells of a table are totals over the dimensions that it does not have. If not
  given, the result is one table by all dimensions.

Result:
- <dimensions> (text): the label of the cell; NULL: the value NULL.
- contributors (integer): the number of people or rows.
- value (number): the sum of the measure; without a measure, the contributors.
- largest (number): the largest contribution; NULL if there is none, or without a measure.
- second (number): the second largest.
- is_empty (boolean): the cell has no contributors.

Errors: unknown column, empty table, a column named twice, a column in linked that is no dimension, unit
together with weight, a measure that is NULL, NaN, infinite, below 0 or no number, a hierarchy that lacks a
value or is no tree, or in which one label stands for different values at several levels, a label that is
also the mark of a total.

Notes: a person with rows in several cells counts once in their total, so a total of contributors can be less
than the sum of its parts; sums of a measure are additive. Rows where the unit is NULL count as one person.
There can be many combinations of labels: with empty_cells := false the result has only those with
contributors.

Source: Hundepool et al. 2012, Statistical Disclosure Control, ch. 4.

Example:
from sqlanon.table_cells('people', dimensions := ['zip', 'disease'], measure := 'income');
$$;
