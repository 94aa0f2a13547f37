-- Common atoms: several tables of counts about the same people, in terms of the smallest groups of people
-- that the labels of all these tables distinguish.
--
-- A published cell counts the people who meet its conditions: the labels of its row, the filter of its table,
-- and being there in its period. The values of a dimension are divided into points: two values are in one
-- point if no label tells them apart. (The labels <30, >=30 and >=40 of ages make three points: <30, 30 to
-- 39, >=40.) So a label is a set of points, and a cell is a box, one set of points per dimension. An atom is
-- one point of each dimension, and the count of a cell is the sum of the atoms in its box (Garfinkel, Abowd
-- and Martindale 2019, Understanding Database Reconstruction Attacks on Public Data).
--
-- Labels are read as covers reads them. In a complete table, a combination of its finest labels that has no
-- row counts 0, as after GROUP BY.

-- WHAT THE TABLES SAY

-- The rows of all tables: nth (the number of the table), keys (one per dimension, or NULL where the table
-- lacks it), shown (text), prior_lo and prior_hi (what is known beforehand, or NULL), mean, median and
-- total_shown (a sum of the measure; texts), has_values.
create or replace macro sqlanon._rows_of_tables(
    tables, dimensions, value_column, total_mark, lower_column, upper_column, mean_column, median_column,
    sum_column) as table
    from query(sqlanon._settings_checked() || sqlanon._fill($$
        select nth, [{each dimensions: own.{c}}]::varchar[] as keys,
               sqlanon._shown_text(sqlanon._text_of_key(own.{"value_column"})) as shown,
               sqlanon._text_of_key({lower})::double as prior_lo,
               sqlanon._text_of_key({upper})::double as prior_hi,
               trim(sqlanon._text_of_key({mean})) as mean, trim(sqlanon._text_of_key({median})) as median,
               sqlanon._shown_text(sqlanon._text_of_key({summed})) as total_shown,
               own.{"value_column"} is not null as has_values
        from ({rows}) as own
    $$, map {
        'lower': coalesce('own.' || sqlanon._quote(lower_column), 'null'),
        'upper': coalesce('own.' || sqlanon._quote(upper_column), 'null'),
        'mean': coalesce('own.' || sqlanon._quote(mean_column), 'null'),
        'median': coalesce('own.' || sqlanon._quote(median_column), 'null'),
        'summed': coalesce('own.' || sqlanon._quote(sum_column), 'null'),
        'rows': sqlanon._fill(
            'select 0::bigint as nth, {nothing}null::varchar as {"value_column"} '
            || 'where false union all by name ',
            map {'nothing': sqlanon._each(dimensions, 'null::varchar as {c}, ', '')})
            || sqlanon._each_filled(
            tables,
            $$select {i}::bigint as nth,
                     sqlanon._marked_key(sqlanon._plain_text(
                         columns(lambda name: list_contains({wanted}, lower(name)))::varchar), {=total_mark})
                         as '\0'
              from query_table({s})$$,
            map {'wanted': sqlanon._names(sqlanon._lower(
                dimensions || sqlanon._list(value_column) || sqlanon._list(lower_column)
                || sqlanon._list(upper_column) || sqlanon._list(mean_column)
                || sqlanon._list(median_column) || sqlanon._list(sum_column)))},
            ' union all by name ')}));

-- The rows of releases, counted, as cells of tables that come after those: as in _rows_of_tables. Here no
-- label is the mark of a total.
create or replace macro sqlanon._rows_of_releases(releases, dimensions, tables) as table
    from query(if(len(sqlanon._list(releases)) = 0,
        $$select 0::bigint as nth, []::varchar[] as keys, '' as shown, 0::double as prior_lo,
                 0::double as prior_hi, '' as mean, '' as median, '' as total_shown, true as has_values
          where false$$,
        sqlanon._fill($$
            select nth, [{each dimensions: own.{c}}]::varchar[] as keys, count(*)::varchar as shown,
                   null::double as prior_lo, null::double as prior_hi, null::varchar as mean,
                   null::varchar as median, null::varchar as total_shown, true as has_values
            from ({rows}) as own group by all
        $$, map {
            'rows': list_aggregate(
                list_concat(
                    [sqlanon._fill(
                        'select 0::bigint as nth{nothing} where false',
                        map {'nothing': sqlanon._each(dimensions, ', null::varchar as {c}', '')})],
                    list_transform(sqlanon._list(releases), lambda name, i: sqlanon._fill(
                        $$select {nth}::bigint as nth,
                                 sqlanon._label_key(sqlanon._plain_text(
                                     columns(lambda name: list_contains({wanted}, lower(name)))::varchar))
                                     as '\0'
                          from query_table({release})$$,
                        map {'nth': (len(sqlanon._list(tables)) + i)::varchar,
                             'wanted': sqlanon._names(sqlanon._lower(dimensions)),
                             'release': sqlanon._literal(name)}))),
                'string_agg', ' union all by name ')})));

-- The text that a key is made of; NULL for the mark of a total.
create or replace macro sqlanon._text_of_key(label_key) as
    case when label_key[1] = '=' then label_key[2:] end;

-- The conditions of filters: nth (of the table), name (of the column), label. A filter is a text of SQL, one
-- or more of: age > 30, age between 20 and 29, sex = 'F', ward in ('A', 'B'), ward is null, with AND between.
create or replace macro sqlanon._name_pattern() as '("(?:[^"]|"")+"|[[:alpha:]_]\w*)';
create or replace macro sqlanon._value_pattern() as '(?:''(?:[^'']|'''')*''|-?\d+(?:\.\d+)?)';
create or replace macro sqlanon._condition_pattern() as
    replace('(?i)' || sqlanon._name_pattern() || '\s*(?:(?:<=|>=|=|<|>)\s*V|\sbetween\s+V\s+and\s+V'
            || '|\sin\s*\(\s*V(?:\s*,\s*V)*\s*\)|\sis\s+null\b)', 'V', sqlanon._value_pattern());
create or replace macro sqlanon._without_quotes(value) as
    if(value[1] = '''', replace(value[2:-2], '''''', ''''), value);
create or replace macro sqlanon._label_of_condition(comparison, texts) as
    case when regexp_matches(comparison, '^[<>]')
         then regexp_extract(comparison, '^[<>]=?') || texts[1]
         when comparison[1] = '=' then texts[1]
         when regexp_matches(comparison, '(?i)^between') then '[' || texts[1] || ', ' || texts[2] || ']'
         when regexp_matches(comparison, '(?i)^in') then sqlanon._set_text(texts)
         else '{NULL}' end;
-- The filters as texts; NULL is none.
create or replace macro sqlanon._filters_given(filters) as
    case when filters is not null
         then list_transform(sqlanon._list(filters), lambda filter: coalesce(filter, '')) end;
create or replace macro sqlanon._conditions_of_filters(filters) as table
    with given as (
        select unnest(sqlanon._list(filters)) as filter,
               generate_subscripts(sqlanon._list(filters), 1) as nth
    ),
    condition as (
        select nth, unnest(regexp_extract_all(filter, sqlanon._condition_pattern())) as condition
        from given where trim(filter) <> ''
    ),
    parted as (
        select nth, regexp_extract(condition, '^' || sqlanon._name_pattern(), 1) as quoted, condition
        from condition
    ),
    compared as (
        select nth, if(quoted[1] = '"', replace(quoted[2:-2], '""', '"'), quoted) as name,
               trim(condition[length(quoted) + 1:]) as comparison
        from parted
    )
    select nth, name, sqlanon._label_of_condition(
               comparison,
               list_transform(regexp_extract_all(comparison, sqlanon._value_pattern()), lambda value:
                              sqlanon._without_quotes(value))) as label
    from compared;

-- An empty text, or an error: a list that has not one entry per table; a filter that is nothing of these.
create or replace macro sqlanon._checked_tables(tables, filters, periods, titles) as
    case when len(sqlanon._list(tables)) = 0 then error('tables names no table: give at least one')
         when filters is not null and len(sqlanon._list(filters)) <> len(sqlanon._list(tables))
         then error('filters must have one entry for each table, empty ones for tables without a filter: '
                    || len(sqlanon._list(tables)) || ' tables, ' || len(sqlanon._list(filters)) || ' filters')
         when periods is not null and len(sqlanon._list(periods)) <> len(sqlanon._list(tables))
         then error('periods must have one entry for each table: ' || len(sqlanon._list(tables))
                    || ' tables, ' || len(sqlanon._list(periods)) || ' periods')
         when titles is not null and len(sqlanon._list(titles)) <> len(sqlanon._list(tables))
         then error('titles must have one entry for each table: ' || len(sqlanon._list(tables))
                    || ' tables, ' || len(sqlanon._list(titles)) || ' titles')
         else coalesce(error('filter ' || list_filter(sqlanon._list(filters), lambda filter:
                                 not regexp_full_match(
                                     regexp_replace(coalesce(filter, ''), sqlanon._condition_pattern(), '#',
                                                    'g'),
                                     '(?i)\s*(#(\s+and\s+#)*)?\s*'))[1]
                             || ' cannot be read: write conditions such as age > 30, age between 20 and 29, '
                             || 'sex = ''F'' or ward in (''A'', ''B''), with AND between them'), '')
    end;

-- What periods are ordered by: as texts, but for digits, which are compared as numbers: 2026-9 comes before
-- 2026-10, and 2026-09 is the same.
create or replace macro sqlanon._order_of_period(period) as
    list_aggregate(list_transform(regexp_extract_all(period, '\d+|\D+'), lambda piece:
        if(regexp_matches(piece, '\d'), lpad(ltrim(piece, '0'), greatest(len(piece), 20)::integer, '0'),
           piece)), 'string_agg', '');

-- The periods of tables: nth, period, place (from 1, in their order; no period comes last, and is not
-- compared with the others).
create or replace macro sqlanon._periods_of_tables(periods) as table
    with given as (
        select unnest(sqlanon._list(periods)) as period,
               generate_subscripts(sqlanon._list(periods), 1) as nth
    ),
    ordered as (
        select nth, period, coalesce(sqlanon._order_of_period(period), '') as sorting from given
    )
    select nth, min(period) over (partition by sorting) as period,
           dense_rank() over (order by trim(sorting) = '', sorting) as place
    from ordered;

-- The cells: cell (a number), nth, keys, shown, prior_lo, prior_hi, known_alone, mean, median, total_shown.
-- In a table that shows a 0 hidden cells are at least 1, if nothing else is said; and somebody is in a cell
-- that has a mean or a median.
create or replace macro sqlanon._cells_of_tables(rows, marks, least) as table
    select row_number() over (order by nth, keys, shown) as cell, nth,
           list_transform(keys, lambda label_key: coalesce(label_key, sqlanon._total_key())) as keys, shown,
           case when try_cast(coalesce(mean, median) as double) is not null
                then greatest(coalesce(prior_lo, 1), 1)
                when prior_lo is not null then prior_lo
                when least is null and sqlanon._shown_range(shown) is null
                     and bool_or(sqlanon._number_unmarked(shown, marks, false) = 0) over (partition by nth)
                then 1
           end as prior_lo,
           prior_hi, null::double as known_alone, mean, median, total_shown
    from query_table(rows);

-- What is known of cells by themselves: cell, lo, hi (NULL: unbounded), is_hidden.
create or replace macro sqlanon._counts_of_cells(cells, marks, least, most) as table
    with as_published as (
        select [cell::varchar] as keys, shown, prior_lo, prior_hi, known_alone from query_table(cells)
    )
    select keys[1]::bigint as cell, lo, hi, is_asked as is_hidden
    from sqlanon._published_cells('as_published', marks, null, 'nearest', coalesce(least, 0), most, true);

-- No rows, or an error: cells whose values nobody can read, by their table.
create or replace macro sqlanon._refuse_unread_counts(cells, titles, value_column, marks) as table
    select error('column "' || value_column || '" of table ' || sqlanon._list(titles)[nth] || ' has '
                 || if(count(*) = 1, 'a value that is', count(*) || ' values that are')
                 || ' no number of at least 0 (a whole one), no <5 or 1-4 and no mark of a hidden cell: '
                 || any_value(shown) || ' in ' || sqlanon._cell_name(any_value(keys))
                 || ' (marks := [...] names the marks'
                 || sqlanon._hints_of_unread(bool_or(sqlanon._is_dash(shown)),
                        bool_or(regexp_full_match(shown, '\d{1,3}(\.\d{3})+'))) || ')') as refused
    from query_table(cells)
    where shown is not null and not list_contains(marks, shown) and sqlanon._shown_below(shown, true) is null
      and sqlanon._published_number(shown, true) is null
    group by nth;

-- The name of the dimension that says since when people are there; it can be no column's.
create or replace macro sqlanon._since() as 'there since';

-- The cells, and the regions of tables (all that a table counts), which have the number -nth: cell, nth.
create or replace macro sqlanon._cells_and_regions(cells) as table
    select cell, nth from query_table(cells)
    union all
    select distinct -nth, nth from query_table(cells);

-- The labels that hold for the people in a cell, those of its table's filter and period among them: cell,
-- dimension (what it is called), name (of its column, in lower case), label, of_table (it holds in all
-- cells of the table). What changes from period to period is another dimension in each. Without growing,
-- tables of different periods are of different people.
create or replace macro sqlanon._labels_of_tables(
    cells, conditions, table_periods, dimensions, varying, growing) as table
    with own as (
        select cell, nth, lower(sqlanon._list(dimensions)[i]) as name,
               if(label_key = '-', '{NULL}', sqlanon._text_of_key(label_key)) as label, false as of_table
        from (select cell, nth, unnest(keys) as label_key, generate_subscripts(keys, 1) as i
              from query_table(cells))
        where label_key <> sqlanon._total_key()
        union all
        select cell, nth, lower(name), label, true
        from sqlanon._cells_and_regions(cells) join query_table(conditions) as conditions using (nth)
    )
    select cell,
           if(list_contains(sqlanon._lower(sqlanon._list(varying)), name) and period is not null,
              name || ' in ' || period, name) as dimension, name, label, of_table
    from own left join query_table(table_periods) as table_periods using (nth)
    union all
    select cell, sqlanon._since(), sqlanon._since(),
           if(growing and coalesce(trim(period), '') <> '', '<=', '') || place, true
    from sqlanon._cells_and_regions(cells) join query_table(table_periods) as table_periods using (nth);

-- DIMENSIONS AND THEIR POINTS

-- The dimensions in which there are labels: d (a number), dimension, name (of its column).
create or replace macro sqlanon._dimensions_of_tables(labels_of_cells) as table
    select row_number() over (order by dimension) as d, dimension, name
    from (select distinct dimension, name from query_table(labels_of_cells));

-- The labels by the number of their dimension: cell, d, label, of_table.
create or replace macro sqlanon._numbered_terms(labels_of_cells, numbered_dimensions) as table
    select distinct cell, d, label, of_table
    from query_table(labels_of_cells) join query_table(numbered_dimensions) using (dimension);

-- All values that a dimension has, where it is known: attribute, value. domain: a relation, or NULL.
create or replace macro sqlanon._values_of_domain(domain) as table
    from query(case when domain is null
                    then 'select null::varchar as attribute, null::varchar as value where false'
                    else 'select lower(attribute::varchar) as attribute, '
                         || 'sqlanon._plain_text(value::varchar) as value from '
                         || sqlanon._relation(domain) end);

-- What may be told apart: d, value; the whole domain where it is given, and otherwise whatever labels can
-- tell apart.
create or replace macro sqlanon._values_told_apart(
    terms, numbered_dimensions, hierarchy, known_values, table_periods) as table
    with given as (
        select d, value from query_table(known_values) join query_table(numbered_dimensions) as own
            on own.name = attribute
        union
        select d, place::varchar from query_table(table_periods), query_table(numbered_dimensions)
        where name = sqlanon._since()
    ),
    own_label as (select distinct d, label from query_table(terms)),
    reading as materialized (from sqlanon._readings('own_label')),
    under as (from sqlanon._values_under(hierarchy, numbered_dimensions)),
    no_kind as (select 0::bigint as d, 0 as kind where false)
    from given
    union
    select d, value
    from sqlanon._label_points('reading', 'under', 'no_kind', numbered_dimensions)
    anti join given as own using (d);

-- The points of dimensions: d, place (from 1), values (one of those that it stands for, and how many),
-- labels (those that cover it). told_apart: as in _values_told_apart.
create or replace macro sqlanon._points_of_dimensions(
    told_apart, terms, numbered_dimensions, hierarchy) as table
    with no_kind as (select 0::bigint as d, 0 as kind where false),
    own_label as (select distinct d, label from query_table(terms)),
    coded as materialized (from sqlanon._coded_domain(told_apart, 'no_kind')),
    covered as (
        select d, label, unnest(coalesce(members, range(lo, hi + 1)::integer[])) as code
        from sqlanon._covered('own_label', 'coded', hierarchy, numbered_dimensions)
        semi join own_label using (d, label)  -- others of the hierarchy tell nothing apart
    ),
    signature as (
        select coded.d, code, any_value(value) as value,
               coalesce(list(label order by label) filter (label is not null), []) as labels
        from coded left join covered using (d, code) group by coded.d, code
    )
    select d, row_number() over (partition by d order by min(code)) as place, labels,
           list(value order by code) as values
    from signature group by d, labels;

-- BOXES

-- The sets of points that the cells have in a dimension: d, terms (labels), set_id (that of other labels that
-- cover the same), members (places).
create or replace macro sqlanon._sets_of_points(cell_terms, dimension_points) as table
    with used as (
        select distinct d, labels as terms from query_table(cell_terms)
        union select distinct d, [] from query_table(dimension_points)
    ),
    within as (
        select used.d, terms,
               coalesce(list(place order by place) filter (list_has_all(labels, terms)), []) as members
        from used join query_table(dimension_points) using (d) group by used.d, terms
    )
    select d, terms, dense_rank() over (partition by d order by members) as set_id, members from within;

-- The labels of each cell in each dimension that it has any in: cell, d, labels.
create or replace macro sqlanon._terms_of_cells(terms) as table
    select cell, d, list(distinct label order by label) as labels from query_table(terms) group by cell, d;

-- The box of each cell and region: cell, nth, sets (a list, one set_id per dimension), box (a number, that of
-- other cells with the same sets). (Where no table has a label all cells are one box.)
create or replace macro sqlanon._boxes_of_cells(cells, cell_terms, point_sets, numbered_dimensions) as table
    with every as (from sqlanon._cells_and_regions(cells)),
    placed as (
        select every.cell, nth,
               coalesce(list(set_id order by own.d) filter (set_id is not null), []) as sets
        from every left join query_table(numbered_dimensions) as own on true
        left join query_table(cell_terms) as own_terms
            on own_terms.cell = every.cell and own_terms.d = own.d
        left join query_table(point_sets) as point_set
            on point_set.d = own.d and terms = coalesce(own_terms.labels, [])
        group by every.cell, nth
    )
    select cell, nth, sets, dense_rank() over (order by sets) as box from placed;

-- Which set of points is within which other one, or is it: d, outer_set, inner_set.
create or replace macro sqlanon._sets_within_sets(point_sets) as table
    with point_of as (
        select distinct d, set_id, unnest(members) as place, len(members) as size from query_table(point_sets)
    )
    select large.d, large.set_id as outer_set, small.set_id as inner_set
    from point_of as small join point_of as large using (d, place)
    group by large.d, large.set_id, small.set_id having count(*) = any_value(small.size);

-- The boxes of releases (tables above how_many) that hold each of these, itself among them: small, large
-- (boxes). Only what begins as one of them does is followed: there are many more combinations of sets.
create or replace macro sqlanon._boxes_within_boxes(cell_boxes, within, how_many) as table
    with recursive box as (
        select distinct box, sets from query_table(cell_boxes) where nth > how_many and cell > 0
    ),
    beginning as (
        select distinct sets[:d] as large_sets
        from (select sets, unnest(range(1, len(sets) + 1)) as d from box)
    ),
    above as (
        select box, sets, 0 as d, []::bigint[] as large_sets from box
        union all
        select own.box, own.sets, own.d, own.large_sets
        from (select box, sets, above.d + 1 as d, list_append(large_sets, outer_set) as large_sets
              from above join query_table(within) as within
                  on within.d = above.d + 1 and inner_set = sets[above.d + 1]) as own
        semi join beginning using (large_sets)
    )
    select above.box as small, box.box as large
    from above join box on box.sets = large_sets
    where above.d = len(above.sets);

-- ATOMS

-- How many points dimensions have, and how many atoms are counted by one point more: d, points, stride.
create or replace macro sqlanon._strides(dimension_points, max_atoms) as table
    with size as (select d, max(place) as points from query_table(dimension_points) group by d),
    counted as (select d, points, product(points) over (order by d desc) / points as stride from size)
    select d, points,
           if(points * stride > max_atoms,
              error('the tables tell ' || (select sqlanon._number_text(product(points)) from size)
                    || ' combinations of labels apart, more than max_atoms := ' || max_atoms
                    || ': name fewer tables or dimensions'), stride::bigint) as stride
    from counted;

-- The atoms in each box: box, atom (a number).
create or replace macro sqlanon._atoms_of_boxes(cell_boxes, point_sets, strides) as table
    with recursive point_of as (
        select d, set_id, unnest(members) as place
        from (select distinct d, set_id, members from query_table(point_sets))
    ),
    point_number as (
        select d, set_id, (place - 1) * stride as number
        from point_of join query_table(strides) using (d)
    ),
    reached as (
        select box, sets, 0 as d, 0::bigint as atom
        from (select distinct box, sets from query_table(cell_boxes))
        union all
        select box, sets, reached.d + 1, atom + number
        from reached join point_number as point
            on point.d = reached.d + 1 and set_id = sets[reached.d + 1]
    )
    select box, atom from reached where d = len(sets);

-- The finest cells of each table, which hold no other one in any dimension, and all those of a release, which
-- has a number above that of tables: nth, box.
create or replace macro sqlanon._finest_boxes(cell_boxes, within, how_many) as table
    with set_of as (
        select distinct nth, unnest(sets) as set_id, generate_subscripts(sets, 1) as d
        from query_table(cell_boxes) where cell > 0
    ),
    coarse as (
        select distinct large.nth, large.d, large.set_id
        from set_of as large join query_table(within) as within
            on within.d = large.d and outer_set = large.set_id and inner_set <> large.set_id
        join set_of as small
            on small.nth = large.nth and small.d = large.d and small.set_id = inner_set
    ),
    part as (
        select distinct nth, box, unnest(sets) as set_id, generate_subscripts(sets, 1) as d
        from query_table(cell_boxes) where cell > 0
    )
    select distinct nth, box from query_table(cell_boxes) where cell > 0
    except
    select nth, box from part semi join coarse using (nth, d, set_id) where nth <= how_many;

-- The atoms in which nobody is: atom. A complete table has finest cells, and none for them; or a cell
-- counts 0. box_counts: box, lo, hi.
create or replace macro sqlanon._empty_atoms(
    cell_boxes, box_atoms, finest_boxes, box_counts, all_cells) as table
    select atom from (
        select nth, atom from query_table(cell_boxes) join query_table(box_atoms) using (box)
        semi join query_table(finest_boxes) using (nth) where cell < 0 and all_cells
        except
        select nth, atom from query_table(finest_boxes) join query_table(box_atoms) using (box)
    )
    union
    select atom from query_table(box_atoms) semi join (from query_table(box_counts) where hi = 0) using (box);

-- What the rows of releases say, in place of their numbers: cell, lo, hi, is_hidden. Where classes overlap,
-- somebody in the box of one can be in another one. So at least the people of all classes within a box are in
-- it, and at most those of all classes that it has an atom of. Where people can have several rows (not
-- additive), rows say that somebody is in the box. nested: of _boxes_within_boxes.
create or replace macro sqlanon._counts_with_releases(
    counts, cell_boxes, box_atoms, nested, how_many, additive) as table
    with own as (
        select cell, nth, box, lo as n
        from query_table(counts) join (select cell, nth, box from query_table(cell_boxes)) using (cell)
        where nth > how_many
    ),
    inside as (
        select large.cell, if(additive, sum(small.n), least(sum(small.n), 1)) as lo
        from own as large join query_table(nested) as pair on pair.large = large.box
        join own as small on small.box = pair.small and small.nth = large.nth group by large.cell
    ),
    atom_of as (select cell, nth, n, atom from own join query_table(box_atoms) using (box)),
    beside as (
        select cell, sum(n) as hi
        from (
            select distinct one.cell, other.cell as other_cell, other.n
            from atom_of as one join atom_of as other on other.nth = one.nth and other.atom = one.atom
        )
        group by cell
    )
    select cell, coalesce(inside.lo, counts.lo) as lo, if(inside.lo is null, counts.hi, beside.hi) as hi,
           coalesce(inside.lo < beside.hi, is_hidden) as is_hidden
    from query_table(counts) as counts
    left join inside using (cell) left join beside using (cell);

-- Atoms that are in the same boxes, as one: part (a number), atoms (a list), boxes (a list).
create or replace macro sqlanon._parts_of_boxes(box_atoms, empty_atoms) as table
    with signature as (
        select atom, list(box order by box) as boxes
        from query_table(box_atoms) anti join query_table(empty_atoms) using (atom) group by atom
    )
    select row_number() over (order by min(atom)) as part, list(atom order by atom) as atoms, boxes
    from signature group by boxes;

-- What is known of boxes by the cells that are published: box, lo, hi, is_hidden, tables (their numbers),
-- cell (the first one).
create or replace macro sqlanon._counts_of_boxes(cell_boxes, counts) as table
    select box, max(lo) as lo, min(hi) as hi, bool_and(is_hidden) as is_hidden,
           list(distinct nth order by nth) as tables, min(cell) as cell
    from query_table(cell_boxes) join query_table(counts) using (cell) group by box;

-- Is an interval narrower than a rule of at least so many people allows? (Where zeros are told, too, hi may
-- be 0.)
create or replace macro sqlanon._is_narrow(lo, hi, threshold, zeros) as
    coalesce(lo < threshold and hi - lo + 1 < threshold and (hi > 0 or zeros), false);

-- NAMES

-- A number of people, as far as it is known.
create or replace macro sqlanon._count_text(lo, hi) as
    sqlanon._number_text(lo) || case when hi is null then ' or more' when hi > lo
                                     then ' to ' || sqlanon._number_text(hi) else '' end;

-- What tables and cells are called: cell, name, such as march: flu, F.
create or replace macro sqlanon._names_of_cells(cells, titles) as table
    select cell, sqlanon._list(titles)[nth] || coalesce(': ' || nullif(list_aggregate(
               list_transform(list_filter(keys, lambda label_key: label_key <> sqlanon._total_key()),
                              lambda label_key: sqlanon._label_text(label_key)), 'string_agg', ', '), ''), '')
               as name
    from query_table(cells);

-- What points are called: d, place, name. The labels that cover it, but for those that hold for all of
-- another one of these; then labels that cover other points of what these have in common.
create or replace macro sqlanon._names_of_points(
    dimension_points, numbered_dimensions, table_periods) as table
    with covering as (select d, place, unnest(labels) as label from query_table(dimension_points)),
    size as (select d, label, count(*) as points from covering group by d, label),
    alone as (  -- a label of their own
        select d, place, min(label) as label
        from covering join size using (d, label) where points = 1 group by d, place
    ),
    shared as (select d, place, label from covering anti join alone using (d, place)),
    wider as (
        select large.d, large.label, small.label as other
        from covering as large join covering as small
          on small.d = large.d and small.place = large.place and small.label <> large.label
        join size on size.d = small.d and size.label = small.label
        group by large.d, large.label, small.label, size.points having count(*) = size.points
    ),
    kept as (  -- of two labels for the same points the first one
        select own.d, own.place, own.label from shared as own
        anti join (
            select beside.d, beside.place, wider.label from shared as beside
            join wider on wider.d = beside.d and wider.other = beside.label
            anti join wider as back
              on back.d = wider.d and back.label = wider.other and back.other = wider.label
                 and back.other < back.label
        ) as idle on idle.d = own.d and idle.place = own.place and idle.label = own.label
    ),
    common as (select d, place, list(label order by label) as labels from kept group by d, place),
    without as (
        select d, place, string_agg(label, ' or ' order by label) as labels
        from (
            select distinct own.d, own.place, unnest(other.labels) as label
            from common as own join query_table(dimension_points) as other
              on other.d = own.d and other.place <> own.place and list_has_all(other.labels, own.labels)
        )
        anti join shared using (d, place, label) group by d, place
    ),
    period as (select distinct place::varchar as place, period from query_table(table_periods))
    select own.d, own.place,
           case when dimension = sqlanon._since() then dimension || ' ' || coalesce(period, 'before')
                when alone.label is not null then dimension || ' ' || alone.label
                when common.labels is null then 'other ' || dimension
                else dimension || ' ' || list_aggregate(common.labels, 'string_agg', ' and ')
                     || coalesce(' but not ' || without.labels, '') end as name
    from query_table(dimension_points) as own
    join query_table(numbered_dimensions) as numbered on numbered.d = own.d
    left join alone on alone.d = own.d and alone.place = own.place
    left join common on common.d = own.d and common.place = own.place
    left join without on without.d = own.d and without.place = own.place
    left join period on dimension = sqlanon._since() and period.place = own.values[1];
