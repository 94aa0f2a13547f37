-- Tables together: what several tables of counts about the same people tell that none of them tells alone.
--
-- The difference of two published counts is a count that nobody has published, where the people of the one
-- are among those of the other (Denning, Denning and Schwartz 1979, The Tracker). All counts together are a
-- system of equations over common atoms (sql/tables/common_atoms.sql), which tells more: every atom, and
-- every hidden cell, has a least and a largest number of people. They are worked out as those of the cells of
-- one table are: sum by sum, then by linear or integer programs (sql/tables/cell_bounds.sql).

-- The counts as a system: of every part of boxes, and of every box: cell (parts first, then boxes), keys,
-- is_asked, known_alone, lo, hi. Nobody is in a box without parts.
create or replace macro sqlanon._first_bounds_of_parts(box_parts, part_boxes, box_counts) as table
    with number as (select coalesce(max(part), 0) as parts from query_table(box_parts))
    select part as cell, ['part', part::varchar] as keys, true as is_asked, null::double as known_alone,
           0::double as lo, null::double as hi
    from query_table(box_parts)
    union all
    select number.parts + own.box, ['box', own.box::varchar], is_hidden, null, lo,
           if(part_boxes.box is null, 0, hi)
    from number, query_table(box_counts) as own
    left join (select distinct box from query_table(part_boxes)) as part_boxes on part_boxes.box = own.box;

-- Parts and the boxes that they are in, of those that are published: part, box.
create or replace macro sqlanon._published_parts(box_parts, box_counts) as table
    select part, box from (select part, unnest(boxes) as box from query_table(box_parts))
    semi join query_table(box_counts) using (box);

-- The sums: total, d, cell.
create or replace macro sqlanon._sums_of_parts(box_parts, part_boxes) as table
    with number as (select coalesce(max(part), 0) as parts from query_table(box_parts))
    select number.parts + box as total, 1::bigint as d, part as cell
    from query_table(part_boxes), number;

-- The sums that do not follow from others: those of totals follow where a table shows all finest cells.
create or replace macro sqlanon._sums_that_tell(
    sums, box_parts, cell_boxes, finest_boxes, box_counts) as table
    with number as (select coalesce(max(part), 0) as parts from query_table(box_parts)),
    shown as (
        select nth from query_table(finest_boxes) join query_table(box_counts) using (box)
        group by nth having not bool_or(is_hidden)
    ),
    implied as (
        select distinct nth, box from query_table(cell_boxes) semi join shown using (nth) where cell > 0
        except
        from query_table(finest_boxes)
    )
    from query_table(sums) as own
    anti join (select number.parts + box as total from implied, number) as following using (total);

-- The differences that are narrow by their numbers: large, small, lo, hi, parts, by_all, unfinished.
create or replace macro sqlanon._narrow_differences(differences, threshold, zeros) as table
    select large, small, lo, hi, parts, by_all, false as unfinished
    from query_table(differences) where sqlanon._is_narrow(lo, hi, threshold, zeros);

-- Those that may be narrow by all tables together: large, small, parts.
create or replace macro sqlanon._undecided_differences(differences, threshold, zeros) as table
    select large, small, parts from query_table(differences)
    where not sqlanon._is_narrow(lo, hi, threshold, zeros) and (hi is null or lo < hi);

-- Those of them that are: as in _narrow_differences.
create or replace macro sqlanon._differences_by_all(unions, union_intervals, threshold, zeros) as table
    select large, small, lo, hi, parts, true as by_all, unfinished
    from query_table(unions) join query_table(union_intervals) using (number)
    where large is not null and sqlanon._is_narrow(lo, hi, threshold, zeros);

-- The parts, unions and hidden cells of which all tables together tell more than the rule allows: part
-- (below 0: a union) or box, lo, hi, unfinished. A part that is a published cell, or a difference that is
-- told, is not among them; nor, where people can have several rows, the boxes of releases (from tables above
-- how_many) of which nothing else tells more.
create or replace macro sqlanon._narrow_parts(
    intervals, unions, union_intervals, part_boxes, box_counts, differences, threshold, zeros, additive,
    how_many) as table
    with narrow as (
        select keys[1] as kind, keys[2]::bigint as number, lo, hi, unfinished
        from query_table(intervals) where sqlanon._is_narrow(lo, hi, threshold, zeros)
    ),
    alone as (
        select any_value(part) as part from query_table(part_boxes)
        semi join query_table(box_counts) using (box) group by box having count(*) = 1
    )
    select number as part, null::bigint as box, lo, hi, unfinished
    from narrow anti join alone on alone.part = number
    anti join (select parts[1] as part from query_table(differences) where len(parts) = 1) as told
        on told.part = number
    where kind = 'part'
    union all
    select null, number, lo, hi, unfinished from narrow where kind = 'box'
      and not exists (from query_table(box_counts) as own
                      where own.box = number and not additive and own.tables[1] > how_many
                        and own.lo = narrow.lo and own.hi = narrow.hi)
    union all
    select -number, null, lo, hi, unfinished
    from query_table(union_intervals) join query_table(unions) using (number)
    where large is null and sqlanon._is_narrow(lo, hi, threshold, zeros);

-- Narrow parts in words. found: those of _narrow_parts; around: of _boxes_around. part_names: part, name.
create or replace macro sqlanon._parts_in_words(
    found, around, part_boxes, box_counts, part_names, cell_names, titles) as table
    with size as (select box, count(*) as size from query_table(part_boxes) group by box),
    smallest as (  -- the smallest cells that they are in, one per table
        select part, nth, min_by(cell, (size, cell)) as cell
        from (select part, box, unnest(tables) as nth, cell
              from query_table(around) join query_table(box_counts) using (box))
        join size using (box) group by part, nth
    ),
    told as (
        select part, list(sqlanon._list(titles)[nth] order by nth) as tables,
               string_agg(name || ' (' || sqlanon._count_text(lo, hi) || ')', '; ' order by nth) as because
        from smallest join query_table(cell_names) using (cell)
        join query_table(box_counts) as own on own.cell = smallest.cell group by part
    )
    select part_name.name as cell, own.lo as lower, own.hi as upper,
           coalesce(told.tables, sqlanon._list(titles)) as tables, told.because, 'all tables' as found_by,
           unfinished
    from query_table(found) as own
    join query_table(part_names) as part_name on part_name.part = own.part
    left join told on told.part = own.part
    union all
    select cell_name.name, own.lo, own.hi,
           list_transform(box.tables, lambda nth: sqlanon._list(titles)[nth]),
           'hidden, but the other counts leave no more', 'hidden cell', unfinished
    from query_table(found) as own
    join query_table(box_counts) as box on box.box = own.box
    join query_table(cell_names) as cell_name on cell_name.cell = box.cell;

-- A row where something is not finished: then more may be known than is told. One more for the cells that
-- linear programs leave wide, where no two tables of whole numbers were found that show the same.
create or replace macro sqlanon._unfinished_in_words(intervals) as table
    select count(*) || if(count(*) = 1, ' cell', ' cells') as cell, null::double as lower,
           null::double as upper, []::varchar[] as tables,
           if(is_wide, 'with fractions of people they have as many values as the threshold asks for; '
                       || 'that whole numbers leave as many is not shown',
              'not finished: more may be known of them (give more solver_seconds, or integer programs)')
               as because,
           'unfinished' as found_by, true as unfinished
    from query_table(intervals) where unfinished group by is_wide;

-- No rows, or an error: a table without rows or values, a cell that is there twice, or several cells of which
-- none has a label.
create or replace macro sqlanon._refuse_rows_of_tables(
    rows, cells, tables, titles, dimensions, value_column) as table
    select error('table ' || sqlanon._list(titles)[nth] || ' is empty') as refused
    from range(1, len(sqlanon._list(tables)) + 1) as numbers(nth)
    anti join query_table(rows) using (nth)
    union all
    select error('column ' || sqlanon._list(dimensions)[i] || ' is in none of the tables')
    from range(1, len(sqlanon._list(dimensions)) + 1) as numbers(i), query_table(rows)
    group by i having count(keys[i]) = 0
    union all
    select error('table ' || sqlanon._list(titles)[nth] || ' has no column ' || value_column)
    from query_table(rows) where not has_values group by nth
    union all
    select error('table ' || sqlanon._list(titles)[nth] || ' has the same cell ' || count(*) || ' times: '
                 || sqlanon._cell_name(keys) || ' (dimensions must name all columns that it is grouped by)')
    from query_table(cells) group by nth, keys having count(*) > 1;

-- No rows, or an error: labels of different tables that people read as one, such as flu and Flu, or A and
-- A with a blank behind it. As two values they would not be compared, and nothing would be found.
create or replace macro sqlanon._refuse_spellings(cells, titles, dimensions) as table
    with label as (
        select distinct nth, i, label,
               coalesce(regexp_replace(sqlanon._folded(label), '\s', '', 'g'), '') as plain
        from (select nth, sqlanon._text_of_key(unnest(keys)) as label, generate_subscripts(keys, 1) as i
              from query_table(cells))
        where label is not null
    )
    select error('column ' || sqlanon._list(dimensions)[i] || ' has ' || sqlanon._label_in_quotes(one.label)
                 || ' in table ' || sqlanon._list(titles)[one.nth] || ' and '
                 || sqlanon._label_in_quotes(other.label) || ' in table ' || sqlanon._list(titles)[other.nth]
                 || ': spell them alike, or rename one if they are not the same') as refused
    from label as one join label as other using (i, plain)
    where one.nth < other.nth and one.label <> other.label
      and not exists (from label as there
                      where there.i = i and there.nth = one.nth and there.label = other.label)
      and not exists (from label as there
                      where there.i = i and there.nth = other.nth and there.label = one.label);
-- A label as text, with its blanks, also those that look like another one.
create or replace macro sqlanon._label_in_quotes(label) as
    '"' || regexp_replace(label, '[\t\n\r\x{00A0}\x{2000}-\x{200B}\x{202F}\x{3000}]', '␣', 'g') || '"';

-- No rows, or an error: a label that covers nothing.
create or replace macro sqlanon._refuse_labels_of_nothing(terms, point_sets, numbered_dimensions) as table
    select error('label ' || label || ' of column ' || name || ' stands for nothing'
                 || ' (domain must have all values of a column that it titles)') as refused
    from (select distinct d, label from query_table(terms)) as own
    join query_table(numbered_dimensions) using (d)
    semi join (from query_table(point_sets) where len(members) = 0) as nothing
        on nothing.d = own.d and nothing.terms = [own.label];

-- Counts that contradict each other: told (a sentence that names cells), place (the simplest one first):
-- cells of the same people, one within another one, cells around some people, or several sums together.
create or replace macro sqlanon._contradictions(
    box_parts, bounds, open_sums, solved, cell_boxes, counts, all_boxes, nested, box_names,
    cell_names) as table
    with same as (
        select string_agg(name || ' (' || sqlanon._count_text(own.lo, own.hi) || ')', ' and ' order by cell)
                   || ' count the same people' as told
        from query_table(counts) as own
        join (select cell, box from query_table(cell_boxes)) using (cell)
        join query_table(cell_names) using (cell)
        group by box having max(own.lo) > min(own.hi)
    ),
    within as (
        select small_name.name || ' (' || sqlanon._count_text(one.lo, one.hi) || ') is more than '
               || large_name.name || ' (' || sqlanon._count_text(other.lo, other.hi)
               || '), which holds these people' as told
        from query_table(nested) join query_table(all_boxes) as one on one.box = small
        join query_table(all_boxes) as other on other.box = large
        join query_table(box_names) as small_name on small_name.box = small
        join query_table(box_names) as large_name on large_name.box = large
        where one.lo > other.hi
    )
    select told, 1 as place from same
    union all
    select told, 2 from within
    union all
    from sqlanon._contradicted_bounds(bounds, open_sums, solved, box_parts, box_names, 'be');

-- A row that says so.
create or replace macro sqlanon._contradictions_in_words(contradictions, titles) as table
    select len(sqlanon._list(titles)) || ' tables' as cell, null::double as lower, null::double as upper,
           sqlanon._list(titles) as tables,
           'the tables contradict each other: ' || arg_min(told, (place, told))
               || sqlanon._advice_about_tables() as because,
           'contradiction' as found_by, true as unfinished
    from query_table(contradictions) having count(*) > 0;

-- A row for tables of different periods, where nobody has said what they have in common, and for those of no
-- period beside others.
create or replace macro sqlanon._not_compared_in_words(table_periods, titles, growing) as table
    with own as (
        select nth, nullif(trim(period), '') as period, place, sqlanon._list(titles)[nth] as title
        from query_table(table_periods)
    ),
    unsaid as (select list(title order by nth) as titles from own where period is null having count(*) > 0),
    said as (
        select list(title || ' (' || period || ')' order by nth) as told, list(title order by nth) as titles,
               count(distinct place) as periods
        from own where period is not null having count(*) > 0
    )
    select len(titles) || ' tables' as cell, null::double as lower, null::double as upper, titles as tables,
           array_to_string(told, ', ') || ' are of different periods, and are not compared: say whether from '
               || 'one to the next people are only added (growing), or each is of other people (not growing)'
               as because,
           'not compared' as found_by, true as unfinished
    from said where periods > 1 and growing is null
    union all
    select len(unsaid.titles) || if(len(unsaid.titles) = 1, ' table', ' tables'), null, null, unsaid.titles,
           array_to_string(unsaid.titles, ', ')
               || if(len(unsaid.titles) = 1, ' has no period, and is', ' have no period, and are')
               || ' not compared with ' || array_to_string(said.titles, ', ')
               || ': say as of when each table counts',
           'not compared', true
    from unsaid, said;

-- A row for people who can be in several parts: bounds do not tell all that follows.
create or replace macro sqlanon._bounds_in_words(titles, additive) as table
    select 'people in several cells' as cell, null::double as lower, null::double as upper,
           sqlanon._list(titles) as tables,
           'counts of people who can be in several cells tell more than the bounds that are looked at: that '
           || 'nothing else follows is not shown' as because,
           'unfinished' as found_by, true as unfinished
    where not additive;

create or replace macro sqlanon._advice_about_tables() as
    ' (a combination of labels without a row counts 0; of tables of other people, or of another date, say as'
    || ' of when they count)';

create or replace macro sqlanon._tables_together(
    of_tables, releases, dimensions, value_column, filters, periods, growing, varying, hierarchies, domain,
    titles, threshold, with_zeros, total_mark, marks, least, most, lower_column, upper_column, all_cells,
    sum_column, mean_column, decimals, measure_least, measure_most, measure_step, percent, max_atoms,
    programs, seconds, rounds, additive) as table
    with _sqlanon_hierarchy as materialized (from sqlanon._hierarchies(hierarchies)),
    _sqlanon_row as materialized (
        from {sqlanon._rows_of_tables:
            tables := of_tables, median_column := null}
        union all
        from sqlanon._rows_of_releases(releases, dimensions, of_tables)
    ),
    _sqlanon_condition as materialized (from sqlanon._conditions_of_filters(filters)),
    _sqlanon_period as materialized (from sqlanon._periods_of_tables(periods)),
    _sqlanon_cell as materialized (from sqlanon._cells_of_tables('_sqlanon_row', marks, least)),
    _sqlanon_shown as materialized (
        from sqlanon._counts_of_cells('_sqlanon_cell', marks, least, most)
    ),
    _sqlanon_label as materialized (
        from sqlanon._labels_of_tables(
            '_sqlanon_cell', '_sqlanon_condition', '_sqlanon_period', dimensions, varying, growing)
    ),
    _sqlanon_dimension as materialized (from sqlanon._dimensions_of_tables('_sqlanon_label')),
    _sqlanon_term as materialized (from sqlanon._numbered_terms('_sqlanon_label', '_sqlanon_dimension')),
    _sqlanon_known as (from sqlanon._values_of_domain(domain)),
    _sqlanon_value as materialized (
        from sqlanon._values_told_apart(
            '_sqlanon_term', '_sqlanon_dimension', '_sqlanon_hierarchy', '_sqlanon_known', '_sqlanon_period')
    ),
    _sqlanon_point as materialized (
        from sqlanon._points_of_dimensions(
            '_sqlanon_value', '_sqlanon_term', '_sqlanon_dimension', '_sqlanon_hierarchy')
    ),
    _sqlanon_terms as materialized (from sqlanon._terms_of_cells('_sqlanon_term')),
    _sqlanon_set as materialized (from sqlanon._sets_of_points('_sqlanon_terms', '_sqlanon_point')),
    _sqlanon_box as materialized (
        from sqlanon._boxes_of_cells('_sqlanon_cell', '_sqlanon_terms', '_sqlanon_set', '_sqlanon_dimension')
    ),
    _sqlanon_within as materialized (from sqlanon._sets_within_sets('_sqlanon_set')),
    _sqlanon_released as materialized (
        from sqlanon._boxes_within_boxes('_sqlanon_box', '_sqlanon_within', len(of_tables))
    ),
    _sqlanon_finest as materialized (
        from sqlanon._finest_boxes('_sqlanon_box', '_sqlanon_within', len(of_tables))
    ),
    _sqlanon_size as materialized (from sqlanon._sizes_of_dimensions('_sqlanon_point')),
    _sqlanon_distinct_set as materialized (from sqlanon._distinct_sets('_sqlanon_set', '_sqlanon_size')),
    _sqlanon_turn as materialized (
        from sqlanon._turns_of_dimensions('_sqlanon_box', '_sqlanon_distinct_set', '_sqlanon_size')
    ),
    _sqlanon_role as materialized (
        from sqlanon._roles_of_boxes(
            '_sqlanon_box', '_sqlanon_distinct_set', '_sqlanon_turn', '_sqlanon_finest', '_sqlanon_shown',
            all_cells)
    ),
    _sqlanon_node as materialized (
        from sqlanon._nodes_of_blocks(
            '_sqlanon_box', '_sqlanon_distinct_set', '_sqlanon_size', '_sqlanon_turn', '_sqlanon_role',
            max_atoms)
    ),
    _sqlanon_block as materialized (from sqlanon._blocks_of_nodes('_sqlanon_node')),
    _sqlanon_side as materialized (
        from sqlanon._sides_of_blocks('_sqlanon_block', '_sqlanon_node', '_sqlanon_turn', '_sqlanon_size')
    ),
    _sqlanon_atom as materialized (from sqlanon._boxes_of_blocks('_sqlanon_block')),
    _sqlanon_count as materialized (
        from sqlanon._counts_with_releases(
            '_sqlanon_shown', '_sqlanon_box', '_sqlanon_atom', '_sqlanon_released', len(of_tables),
            additive)
    ),
    _sqlanon_told_count as materialized (from sqlanon._counts_of_boxes('_sqlanon_box', '_sqlanon_count')),
    _sqlanon_box_count as materialized (
        from sqlanon._counts_by_means(
            '_sqlanon_cell', '_sqlanon_box', '_sqlanon_told_count', decimals, measure_step)
    ),
    _sqlanon_empty as materialized (
        from sqlanon._empty_blocks(
            '_sqlanon_block', '_sqlanon_box', '_sqlanon_atom', '_sqlanon_finest', '_sqlanon_box_count',
            all_cells)
    ),
    _sqlanon_part as materialized (from sqlanon._parts_of_boxes('_sqlanon_atom', '_sqlanon_empty')),
    _sqlanon_part_box as materialized (
        from sqlanon._published_parts('_sqlanon_part', '_sqlanon_box_count')
    ),
    _sqlanon_line as materialized (from sqlanon._lines_of_cells('_sqlanon_box')),
    _sqlanon_made_up as materialized (
        from sqlanon._sets_that_make_up('_sqlanon_line', '_sqlanon_within', '_sqlanon_set')
    ),
    _sqlanon_whole_set as materialized (
        from sqlanon._whole_sets(
            '_sqlanon_line', '_sqlanon_made_up', '_sqlanon_distinct_set', '_sqlanon_node', '_sqlanon_block',
            '_sqlanon_turn', '_sqlanon_empty')
    ),
    _sqlanon_whole_box as materialized (
        from sqlanon._boxes_of_whole_sets('_sqlanon_whole_set', '_sqlanon_box')
    ),
    _sqlanon_all_box as materialized (
        from sqlanon._all_boxes('_sqlanon_box', '_sqlanon_box_count', '_sqlanon_whole_box')
    ),
    _sqlanon_all_part_box as materialized (
        from sqlanon._parts_of_all_boxes('_sqlanon_part_box', '_sqlanon_all_box')
    ),
    _sqlanon_first as materialized (
        from sqlanon._first_bounds_of_parts('_sqlanon_part', '_sqlanon_all_part_box', '_sqlanon_all_box')
    ),
    _sqlanon_sum as materialized (from sqlanon._sums_of_parts('_sqlanon_part', '_sqlanon_part_box')),
    _sqlanon_every_sum as materialized (
        from _sqlanon_sum
        union all
        from sqlanon._sums_of_whole_sets('_sqlanon_whole_box', '_sqlanon_part')
    ),
    _sqlanon_bound as materialized (
        from sqlanon._bounds_of_sums('_sqlanon_first', '_sqlanon_every_sum', additive, rounds)
    ),
    _sqlanon_equation as (
        from sqlanon._sums_that_tell(
            '_sqlanon_sum', '_sqlanon_part', '_sqlanon_box', '_sqlanon_finest', '_sqlanon_box_count')
    ),
    _sqlanon_telling as materialized (from query_table(if(additive, '_sqlanon_equation', '_sqlanon_sum'))),
    _sqlanon_open as materialized (from sqlanon._open_sums('_sqlanon_bound', '_sqlanon_telling', additive)),
    _sqlanon_box_bound as materialized (
        from sqlanon._bounds_of_boxes('_sqlanon_bound', '_sqlanon_part')
    ),
    _sqlanon_possible as materialized (
        from sqlanon._parts_with_people('_sqlanon_all_part_box', '_sqlanon_bound')
    ),
    _sqlanon_nested as materialized (
        from sqlanon._nested_boxes(
            '_sqlanon_all_box', '_sqlanon_possible', '_sqlanon_part', '_sqlanon_side', '_sqlanon_set')
    ),
    _sqlanon_few as materialized (
        from sqlanon._few_in_differences(
            '_sqlanon_nested', '_sqlanon_all_part_box', '_sqlanon_possible', '_sqlanon_box_bound',
            threshold)
    ),
    _sqlanon_sum_of_parts as (
        from sqlanon._parts_of_differences(
            '_sqlanon_few', '_sqlanon_part_box', '_sqlanon_all_part_box', '_sqlanon_bound', threshold)
    ),
    _sqlanon_nowhere as (
        from sqlanon._differences_of_people(
            '_sqlanon_few', '_sqlanon_all_part_box', '_sqlanon_bound', threshold, with_zeros)
    ),
    _sqlanon_few_parts as materialized (
        from query_table(if(additive, '_sqlanon_sum_of_parts', '_sqlanon_nowhere'))
    ),
    _sqlanon_first_of_parts as (
        from sqlanon._first_differences('_sqlanon_few_parts', '_sqlanon_all_box')
    ),
    _sqlanon_of_parts as materialized (  -- the same parts are not the same people where these are in several
        from query_table(if(additive, '_sqlanon_first_of_parts', '_sqlanon_few_parts'))
    ),
    _sqlanon_difference as materialized (
        from sqlanon._narrow_differences('_sqlanon_of_parts', threshold, with_zeros)
    ),
    _sqlanon_undecided as materialized (
        from sqlanon._undecided_differences('_sqlanon_of_parts', threshold, with_zeros)
    ),
    _sqlanon_view as materialized (from sqlanon._views_of_tables('_sqlanon_box')),
    _sqlanon_point_group as materialized (
        from sqlanon._points_of_views(
            '_sqlanon_view', '_sqlanon_term', '_sqlanon_box', '_sqlanon_point', '_sqlanon_size')
    ),
    _sqlanon_group as materialized (
        from sqlanon._parts_of_views('_sqlanon_view', '_sqlanon_part', '_sqlanon_box')
        union
        from sqlanon._parts_of_points(
            '_sqlanon_point_group', '_sqlanon_part', '_sqlanon_block', '_sqlanon_empty', '_sqlanon_side',
            '_sqlanon_bound', threshold)
    ),
    _sqlanon_union as materialized (
        from sqlanon._unions_of_parts(
            '_sqlanon_group', '_sqlanon_undecided', '_sqlanon_difference', '_sqlanon_part_box',
            '_sqlanon_all_part_box', '_sqlanon_box_bound', '_sqlanon_bound', '_sqlanon_box_count', threshold)
        where additive
    ),
    {steps _intervals_and_unions: first_bounds := '_sqlanon_first', bounds := '_sqlanon_bound',
        open_sums := '_sqlanon_open', unions := '_sqlanon_union', whole := true, rule := threshold},
    _sqlanon_found as materialized (
        from sqlanon._narrow_parts(
            '_sqlanon_interval', '_sqlanon_union', '_sqlanon_union_interval', '_sqlanon_part_box',
            '_sqlanon_box_count', '_sqlanon_difference', threshold, with_zeros, additive, len(of_tables))
    ),
    _sqlanon_told_difference as materialized (
        from _sqlanon_difference
        union all
        from sqlanon._differences_by_all('_sqlanon_union', '_sqlanon_union_interval', threshold, with_zeros)
    ),
    _sqlanon_found_part as (from _sqlanon_part semi join _sqlanon_found using (part)),
    _sqlanon_found_union as (
        from _sqlanon_union as own semi join _sqlanon_found as found on found.part = -own.number
    ),
    _sqlanon_around as materialized (
        from sqlanon._boxes_around('_sqlanon_found', '_sqlanon_found_union', '_sqlanon_part_box')
    ),
    _sqlanon_point_name as materialized (
        from sqlanon._names_of_points('_sqlanon_point', '_sqlanon_dimension', '_sqlanon_period')
    ),
    _sqlanon_part_name as (
        from sqlanon._names_of_parts(
            '_sqlanon_found_part', '_sqlanon_side', '_sqlanon_size', '_sqlanon_point_name')
        union all
        from sqlanon._names_of_unions(
            '_sqlanon_found_union', '_sqlanon_part', '_sqlanon_empty', '_sqlanon_node', '_sqlanon_block',
            '_sqlanon_turn', '_sqlanon_side', '_sqlanon_size', '_sqlanon_point', '_sqlanon_dimension',
            '_sqlanon_point_name')
    ),
    _sqlanon_cell_name as materialized (from sqlanon._names_of_cells('_sqlanon_cell', titles)),
    _sqlanon_box_name as materialized (
        from sqlanon._names_of_all_boxes('_sqlanon_all_box', '_sqlanon_cell_name')
    ),
    _sqlanon_people as materialized (
        from sqlanon._people_of_parts_and_boxes('_sqlanon_interval', '_sqlanon_box_bound')
    ),
    _sqlanon_refusal as (
        from sqlanon._refuse_rows_of_tables(
            '_sqlanon_row', '_sqlanon_cell', of_tables || releases, titles, dimensions, value_column)
        union all
        from sqlanon._refuse_unread_counts('_sqlanon_cell', titles, value_column, marks)
        union all
        from sqlanon._refuse_totals_unmarked(
            '_sqlanon_cell', sqlanon._list(titles)[:len(sqlanon._list(of_tables))], dimensions)
        union all
        from sqlanon._refuse_spellings('_sqlanon_cell', titles, dimensions)
        union all
        from sqlanon._refuse_labels_of_nothing('_sqlanon_term', '_sqlanon_set', '_sqlanon_dimension')
    ),
    _sqlanon_contradiction as materialized (
        from sqlanon._contradictions(
            '_sqlanon_part', '_sqlanon_bound', '_sqlanon_open', '_sqlanon_solved', '_sqlanon_box',
            '_sqlanon_count', '_sqlanon_all_box', '_sqlanon_nested', '_sqlanon_box_name',
            '_sqlanon_cell_name')
    ),
    _sqlanon_told as (
        from sqlanon._differences_in_words(
            '_sqlanon_told_difference', '_sqlanon_all_box', '_sqlanon_box_bound', '_sqlanon_box_name', titles)
        union all
        from sqlanon._parts_in_words(
            '_sqlanon_found', '_sqlanon_around', '_sqlanon_part_box', '_sqlanon_box_count',
            '_sqlanon_part_name', '_sqlanon_cell_name', titles)
        union all
        from sqlanon._unfinished_in_words('_sqlanon_interval')
        union all
        from sqlanon._untried_unions_in_words('_sqlanon_union')
        union all
        from sqlanon._bounds_in_words(titles, additive)
    )
    from _sqlanon_told where not exists (from _sqlanon_contradiction)
    union all
    from sqlanon._undone_noise_in_words(
        '_sqlanon_cell', '_sqlanon_box', '_sqlanon_told_count', decimals, measure_step, '_sqlanon_cell_name',
        titles)
    union all
    from (from query(if(sum_column is null and mean_column is null, sqlanon._no_sums(), {call _sums_together:
        cells := '_sqlanon_cell', cell_boxes := '_sqlanon_box', box_counts := '_sqlanon_box_count',
        box_parts := '_sqlanon_part', part_boxes := '_sqlanon_part_box', all_boxes := '_sqlanon_all_box',
        all_part_boxes := '_sqlanon_all_part_box', whole_boxes := '_sqlanon_whole_box',
        few := '_sqlanon_few', groups := '_sqlanon_group',
        empty_atoms := '_sqlanon_empty', nodes := '_sqlanon_node', blocks := '_sqlanon_block',
        turns := '_sqlanon_turn', sides := '_sqlanon_side', sizes := '_sqlanon_size',
        sums := '_sqlanon_sum',
        people := '_sqlanon_people', dimension_points := '_sqlanon_point',
        numbered_dimensions := '_sqlanon_dimension', point_names := '_sqlanon_point_name',
        cell_names := '_sqlanon_cell_name', box_names := '_sqlanon_box_name'})))
    where not exists (from _sqlanon_contradiction)
    union all
    from sqlanon._not_compared_in_words('_sqlanon_period', titles, growing)
    union all
    from sqlanon._contradictions_in_words('_sqlanon_contradiction', titles)
    union all by name
    select refused::double as lower from _sqlanon_refusal;

create or replace macro sqlanon.tables_together(
    tables, dimensions, value_column := 'value', releases := null, filters := null, periods := null,
    growing := null, varying := null, hierarchies := null, domain := null, titles := null, threshold := 5,
    zeros := false, total := 'total',
    marks := ['', '*', '.', '..', '...', ':', 'c', 'C', 'x', 'X', '[c]', '[x]', 'Suppressed', 'suppressed'],
    least := null, most := null,
    lower_column := null, upper_column := null, all_cells := true, sum_column := null, mean_column := null,
    decimals := null, measure_least := 0, measure_most := null, measure_step := null, percent := 10,
    max_atoms := 100000, programs := 'linear', solver_seconds := 60, rounds := 100, additive := true) as table
    from query(
        if(len(sqlanon._list(dimensions)) = 0, '', sqlanon._checked_dimensions(
            dimensions,
            sqlanon._list(value_column) || sqlanon._list(lower_column) || sqlanon._list(upper_column)
                || sqlanon._list(sum_column) || sqlanon._list(mean_column),
            ' and the other columns'))
        || sqlanon._checked_tables(
            sqlanon._list(tables) || sqlanon._list(releases), filters, periods, titles)
        || {call _tables_together: of_tables := sqlanon._list(tables),
            filters := sqlanon._filters_given(filters), releases := sqlanon._list(releases),
            dimensions := sqlanon._list(dimensions), growing := growing::boolean,
            titles := if(titles is null, sqlanon._list(tables) || sqlanon._list(releases),
                         sqlanon._list(titles)),
            threshold := sqlanon._whole_given(threshold, 'threshold'),
            with_zeros := sqlanon._truth_given(zeros, 'zeros'), total_mark := total,
            least := sqlanon._real_number(least, 'least', 0, true, 1e15, 'at least 0'),
            most := sqlanon._real_number(most, 'most', 0, true, 1e15, 'at least 0'),
            all_cells := sqlanon._truth_given(all_cells, 'all_cells'),
            decimals := sqlanon._whole_number_within(
                decimals, 'decimals', 0, 9, 'a whole number from 0 to 9'),
            measure_least := sqlanon._real_number(
                measure_least, 'measure_least', -1e15, true, 1e15, 'a number'),
            measure_most := sqlanon._real_number(
                measure_most, 'measure_most', -1e15, true, 1e15, 'a number'),
            measure_step := sqlanon._real_number(measure_step, 'measure_step', 0, false, 1e15, 'above 0'),
            percent := sqlanon._real_number(percent, 'percent', 0, true, 100, 'a number from 0 to 100'),
            max_atoms := sqlanon._whole_given(max_atoms, 'max_atoms'),
            programs := sqlanon._programs(programs),
            seconds := sqlanon._seconds(solver_seconds, 'solver_seconds'),
            rounds := sqlanon._whole_given(rounds, 'rounds'),
            additive := if(sqlanon._truth_given(additive, 'additive')
                               or (sum_column is null and mean_column is null), additive::boolean,
                           error('additive := false is for counts, without sum_column and mean_column'))});

comment on macro table sqlanon.tables_together is $$
Computes what several published tables of counts about the same people reveal together: one row per cell that
nobody has published, and about which the tables tell more than the threshold allows.

Parameters:
- tables (list of tables): the published tables, with totals or without: some of the columns in dimensions,
  and value_column.
- dimensions (columns): all columns by which the tables are grouped; each table has some of them, or none.
- value_column (column; default 'value'): the published count, a number or a text: a number, <5, or a mark of
  a hidden cell. NULL: hidden.
- releases (list of tables; default null): releases of rows about the same people, everybody with one row in
  each (several: additive := false): some of the columns in dimensions, as released. Their labels are read as
  covers reads them.
- filters (list of texts; default null): one per table, then one per release: whom it counts, as conditions of
  SQL with AND between them, such as age > 30, age between 20 and 29, sex = 'F', ward in ('A', 'B') or ward is
  null; an empty text:
  everybody.
- periods (list of texts; default null): one per table, then one per release: as of when it counts, such
  as 2026-04. They are ordered as texts, but digits as numbers: 2026-9 comes before 2026-10.
- growing (boolean; default null): true: from period to period people are only added, so that the difference
  of two periods is those who came. false: tables of different periods are about different people, and there
  is nothing to compare. NULL: nobody has said; tables of different periods are not compared, and a row says
  so.
- varying (columns; default null): columns whose values can change from period to period, such as age. What a
  table says of them holds in its own period only.
- hierarchies (table; default null): rows of attribute, value, level and label: what labels stand for.
- domain (table; default null): rows of attribute and value: all values that a column can have. Columns that
  are not in it can have any value.
- titles (list of texts; default null): one per table, then one per release: what it is called in the
  result; otherwise its name.
- threshold (integer, at least 1; default 5): a cell is reported if fewer values than this are possible for
  it, and the smallest is below it.
- zeros (boolean; default false): true: cells in which nobody can be are reported, too.
- total (text or NULL; default 'total'): the mark of a total in the columns of dimensions; NULL if totals are
  marked by NULL.
- marks (list of texts; default ['', '*', '.', '..', '...', ':', 'c', 'C', 'x', 'X', '[c]', '[x]',
  'Suppressed', 'suppressed']): the marks of hidden cells.
- least (number, at least 0; default null): the smallest value of a hidden cell. If not given: 1 in a table
  that shows a 0, so that zeros are not hidden, and 0 otherwise.
- most (number, at least 0; default null): the largest value of a hidden cell. If not given, there is no
  limit.
- lower_column (column; default null): of some or all of the tables: the smallest value that each hidden cell
  can have; so a rounded or noisy count is a hidden cell with bounds.
- upper_column (column; default null): the same for the largest value.
- all_cells (boolean; default true): true: a combination of the finest labels of a table that has no row
  counts 0, as after GROUP BY. false: nothing is known of it.
- sum_column (column; default null): of some or all of the tables: what the people in a cell have in all of a
  measure, such as their incomes. NULL: not published.
- mean_column (column; default null): the same for the mean, rounded. Where the count is hidden, a mean tells
  that there is somebody, and which counts fit it.
- decimals (integer, at least 0; default null): to how many decimals sums and means are rounded. If not given:
  as many as each is written with; sums written as whole numbers are exact.
- measure_least (number; default 0): the smallest value of the measure that somebody can have.
- measure_most (number; default null): the largest value.
- measure_step (number, above 0; default null): the values of the measure are its multiples: 1 for whole
  numbers. Then a mean narrows a count that is hidden or noisy: not every number of people can have it.
- percent (number, 0 to 100; default 10): a sum of people who may be fewer than the threshold is reported if
  it is known within this percentage on each side: no value has so many percent of it above and below that
  are possible, too.
- max_atoms (integer, at least 1; default 100000): the largest number of groups of people that the published
  cells tell apart.
- programs (one of none, linear, integer; default 'linear'): how bounds are narrowed if the sums alone do not
  prove that they are exact: by linear programs, or then also by integer programs. They run in Python.
- solver_seconds (number, at least 0; default 60): the time limit of the programs.
- rounds (integer, at least 1; default 100): the largest number of rounds in which bounds are passed from sum
  to sum.
- additive (boolean; default true): true: everybody is in one combination of values, so that counts add up.
  false: people can be in several (patients with several stays), and a table counts everybody once in each of
  its cells that they are in; a release can have several rows of everybody. Then only what holds for such
  people is concluded: a count is at least that of each part, and at most the sum of them.

Result:
- cell (text): the cell: one published cell less another one (all - over_30: flu), people of one label or more
  (age >30, sex F), or a hidden cell of a table. With additive := false, one cell less another one is those of
  the first who are nowhere in the second.
- lower (number): the smallest number of people in it; of a sum: the smallest sum.
- upper (number): the largest number of people in it; of a sum: the largest sum.
- tables (list of texts): the two tables whose difference it is; or all that have a cell with these people.
- because (text): how it follows: the difference with its numbers; or the smallest cells around it.
- found_by (text): difference, from two numbers, published or sums of published ones; all tables, from all
  counts together; hidden cell, the same for a hidden cell; sum, what people who may be few have in all of the
  measure; mean, a hidden or noisy count that its mean tells. Three kinds of rows say that something is not
  known: unfinished, how many cells are not finished and why; not compared, which tables are not;
  contradiction, which cells contradict each other. Then nothing is told of all tables (the function and the
  command tell what those tell that agree).
- unfinished (boolean): true if lower and upper are not proven to be the narrowest.

Errors: unknown column, a table without rows, a cell that is there twice, a value or filter that cannot be
read, a label that stands for nothing, more than max_atoms groups.

Notes: bounds are never wrong if the tables count the same people, or periods says of when they are, and
additive says whether people can be in several combinations of values. With additive := false, a row always
says that more may follow: an adversary can work out more than these bounds (6 people have a or b, 5 have b or
c, 10 have one of these: at most 1 has b). Otherwise, no rows
mean that of the cells in question none is known too closely: differences of two boxes, each a published cell
or a whole set of cells of one table that differ in one dimension alone (by ward and sex, all women: their
total, published or not); the finest combinations that the tables tell apart, all of them or some (any of the
first five, or all up to a later one); hidden cells; and all people of one label, or of two of different
dimensions, if they are some of the finest combinations. Others are not looked at. A further table at the end
never loses what was found: it stays, or is published, or nobody is there any more.
To use the programs in SQL, call sqlanon.register_functions(con) in Python first, with sqlanon[tables]
installed.

Source: Denning, Denning and Schwartz 1979, The Tracker: A Threat to Statistical Database Security; Garfinkel,
Abowd and Martindale 2019, Understanding Database Reconstruction Attacks on Public Data.

Example:
with everybody as (from (values ('flu', 5), ('gout', 3), ('total', 8)) as row(disease, value)),
over_30 as (from (values ('flu', 4), ('gout', 2), ('total', 6)) as row(disease, value))
from sqlanon.tables_together(
    ['everybody', 'over_30'], 'disease', filters := ['', 'age > 30'], threshold := 3);
$$;
