-- Unions of parts: groups that no table counts, but of whose parts all tables together tell so much that the
-- whole group is known more closely than each part. The bounds of a union are not the sums of those of its
-- parts: where a + b is published, a or b may be anything. These are asked for:
--   * differences of boxes (sql/tables/differences_of_boxes.sql), as far as sums do not decide;
--   * what some of the tables cannot tell apart, such as the tables before the last one came: a further table
--     divides parts, and what was known of the whole is known still;
--   * people of one label, or of two of different dimensions.
--
-- A union has a piece in each component of open cells (sql/tables/cell_bounds.sql). Components say nothing of
-- each other, so the bounds of a union are the sums of those of its pieces, and components stay as small as
-- they are.

-- How many unions are looked at; differences come first, then those of fewer parts.
create or replace macro sqlanon._most_unions() as 2000;

-- Which tables are looked at together, beside all of them: view, nth. All choices of the first five, and all
-- up to a later one. (What is looked at is looked at again when a table is added at the end.)
create or replace macro sqlanon._views_of_tables(cell_boxes) as table
    with number as (select max(nth) as tables from query_table(cell_boxes)),
    subset as (select unnest(range(1, 1 << least(tables, 5)::integer)) as subset from number)
    select subset as view, nth from subset, (select unnest(range(1, 6)) as nth)
    where (subset >> (nth - 1)::integer) & 1 = 1
    union all
    select 32 + newest, unnest(range(1, newest + 1))
    from (select unnest(range(6, tables + 1)) as newest from number);

-- Parts that the tables of a view do not tell apart, where they are several: parts (a list).
create or replace macro sqlanon._parts_of_views(views, box_parts, cell_boxes) as table
    with of_table as (
        select part, nth, sum(hash(box)) as signature
        from (select part, unnest(boxes) as box from query_table(box_parts))
        join (select distinct box, nth from query_table(cell_boxes)) using (box) group by part, nth
    ),
    seen as (
        select view, part, sum(hash(nth, signature)) as signature
        from of_table join query_table(views) using (nth) group by view, part
    )
    select distinct parts
    from (select list(part order by part) as parts from seen group by view, signature having count(*) > 1);

-- Points that the labels of a view do not tell apart: d, places (a list), points (how many there are in the
-- dimension), group_number.
create or replace macro sqlanon._points_of_views(
    views, terms, cell_boxes, dimension_points, sizes) as table
    with of_label as (
        select distinct d, label, nth from query_table(terms)
        join (select cell, nth from query_table(cell_boxes)) using (cell)
    ),
    of_view as (select distinct view, d, label from of_label join query_table(views) using (nth)),
    labelled as (select d, place, unnest(labels) as label from query_table(dimension_points)),
    seen as (
        select own.view, own.d, own.place,
               sum(hash(of_view.label)) filter (of_view.label is not null) as signature
        from (select distinct view, d, place from of_view join query_table(dimension_points) using (d)) as own
        left join labelled on labelled.d = own.d and labelled.place = own.place
        left join of_view on of_view.view = own.view and of_view.d = own.d and of_view.label = labelled.label
        group by own.view, own.d, own.place
    ),
    listed as (
        select distinct d, places
        from (select d, list(place order by place) as places from seen group by view, d, signature)
    )
    select d, places, points, row_number() over (order by d, places) as group_number
    from listed join query_table(sizes) using (d) where len(places) < points;

-- The people of such points of one dimension, or of two, that are whole parts, more than one: parts. Parts in
-- which nobody can be do not matter. bounds: cell, lo, hi (of parts).
create or replace macro sqlanon._parts_of_points(
    point_groups, box_parts, blocks, empty_atoms, sides, bounds, threshold) as table
    with own as (  -- parts in which somebody can be
        select part, atoms, lo from query_table(box_parts)
        left join (select cell as part, lo, hi from query_table(bounds)) using (part)
        where coalesce(hi > 0, true)
    ),
    nobody as (
        from query_table(empty_atoms)
        union all
        select unnest(atoms) from query_table(box_parts) anti join own using (part)
    ),
    atom_of as (  -- part NULL: people of whom nothing is known
        select part, atom from (from query_table(blocks) anti join nobody using (atom))
        left join (select part, unnest(atoms) as atom from own) using (atom)
    ),
    group_of as (select d, group_number, unnest(places) as place from query_table(point_groups)),
    place_of as (
        select part, atom, d, unnest(places) as place, len(places) as size
        from atom_of join query_table(sides) using (atom)
    ),
    placed as materialized (  -- with some points of a group, or only with such
        select part, atom, d, group_number, count(*) = any_value(size) as is_within
        from place_of join group_of using (d, place) group by part, atom, d, group_number
    ),
    inside as (
        select group_number, 0 as other_group, part, count(*) filter (is_within) as n
        from placed group by all
        union all
        select one.group_number, other.group_number, one.part,
               count(*) filter (one.is_within and other.is_within)
        from placed as one join placed as other using (atom) where one.d < other.d
        group by one.group_number, other.group_number, one.part
    )
    select distinct parts
    from (  -- all of each part
        select list(part order by part) filter (part is not null) as parts
        from inside left join own using (part)
        group by group_number, other_group
        having count(part) > 1 and coalesce(sum(lo), 0) < threshold
           and bool_and(part is not null and n = len(atoms))
    );

-- The unions that are asked for: number, parts, large and small (boxes whose difference it is; NULL: it is
-- none of two). undecided: differences, large, small, parts; known: parts (of differences that are told).
-- Not those that are a published box, nor those in which as many people as the threshold are: by their
-- parts, or by a box that they hold. told: boxes whose numbers are published; without any there are no
-- unions.
create or replace macro sqlanon._unions_of_parts(
    groups, undecided, known, part_boxes, all_part_boxes, box_bounds, bounds, told, threshold) as table
    with of_box as (
        select part, box from query_table(part_boxes) semi join query_table(told) using (box)
    ),
    every as (
        select parts, null::bigint as large, null::bigint as small from query_table(groups)
        where exists (from query_table(told))
        union all
        select parts, large, small from query_table(undecided) where len(parts) > 1
    ),
    different as (
        select parts, min(large) as large, arg_min(small, (large, small)) filter (large is not null) as small
        from every anti join query_table(known) using (parts) group by parts
    ),
    numbered as (select *, row_number() over (order by parts) as nth from different),
    member as (select nth, unnest(parts) as part from numbered),
    size as (
        select box, count(*) as size from query_table(all_part_boxes)
        semi join (from query_table(box_bounds) where lo >= threshold) as many using (box) group by box
    ),
    many as (  -- by a box within
        select distinct nth
        from (
            select nth, box from member join query_table(all_part_boxes) using (part) join size using (box)
            group by nth, box having count(*) = any_value(size)
        )
    ),
    at_least as (
        select nth, sum(lo) as lo from member join query_table(bounds) as bound on bound.cell = part
        group by nth
    ),
    may_be_box as (
        select box from of_box group by box
        having (count(*), min(part), max(part)) in (select (len(parts), parts[1], parts[-1]) from different)
    ),
    published as (
        select distinct list(part order by part) as parts
        from of_box semi join may_be_box using (box) group by box
    )
    select row_number() over (order by large is null, len(parts), parts) as number, parts, large, small
    from numbered anti join many using (nth)
    join (from at_least where lo < threshold) as few using (nth)
    anti join published using (parts);

-- What unions have in components of open cells, where that is more than one cell: number (of the union),
-- piece (a number), cells, component. connected: of _connected_sums.
create or replace macro sqlanon._pieces_of_unions(unions, connected) as table
    with own as (
        select number, component, list(cell order by cell) as cells
        from (select number, unnest(parts) as cell from query_table(unions)
              where number <= sqlanon._most_unions())
        join (select distinct component, other as cell from query_table(connected)) using (cell)
        group by number, component having count(*) > 1
    )
    select number, dense_rank() over (order by cells) as piece, cells, component from own;

-- First bounds, bounds, open sums and what hangs on these, with those of pieces, which are numbered downwards
-- from -1.
create or replace macro sqlanon._first_bounds_and_pieces(first_bounds, pieces) as table
    select cell, keys, is_asked, known_alone from query_table(first_bounds)
    union all
    select distinct -piece, ['piece', piece::varchar], true, null from query_table(pieces);
create or replace macro sqlanon._bounds_and_pieces(bounds, pieces) as table
    with member as (
        select piece, unnest(cells) as cell from (select distinct piece, cells from query_table(pieces))
    )
    select cell, lo, hi, changed from query_table(bounds)
    union all
    select -piece, sum(lo), case when count(hi) = count(*) then sum(hi) end, false
    from member join query_table(bounds) using (cell) group by piece;
create or replace macro sqlanon._open_sums_and_pieces(open_sums, pieces) as table
    select equation, total, d, members, least, most from query_table(open_sums)
    union all
    select distinct -piece, -piece, 1,
           list_append(list_transform(cells, lambda cell: (cell, 1)), (-piece, -1)), 0, 0
    from query_table(pieces);

create or replace macro sqlanon._connected_sums_and_pieces(connected, pieces) as table
    select one, other, component from query_table(connected)
    union all
    select distinct -piece, unnest(list_append(cells, -piece)), component from query_table(pieces);

-- The intervals of unions: number, lo, hi, unfinished.
create or replace macro sqlanon._intervals_of_unions(unions, pieces, intervals) as table
    with alone as (
        select number, unnest(parts) as cell from query_table(unions)
        where number <= sqlanon._most_unions()
        except
        select number, unnest(cells) from query_table(pieces)
    ),
    term as (
        select number, ['part', cell::varchar] as keys from alone
        union all
        select number, ['piece', piece::varchar] from query_table(pieces)
    )
    select number, case when count(lo) = count(*) then sum(lo) end as lo,
           case when count(hi) = count(*) then sum(hi) end as hi,
           coalesce(bool_or(unfinished), false) as unfinished
    from term left join query_table(intervals) using (keys) group by number;

-- The intervals of cells and of unions, by the programs, too.
create or replace steps sqlanon._intervals_and_unions(
    first_bounds, bounds, open_sums, unions, whole, programs, seconds, rule) as
    _sqlanon_connected as materialized (from sqlanon._connected_sums(open_sums)),
    _sqlanon_piece as materialized (from sqlanon._pieces_of_unions(unions, '_sqlanon_connected')),
    _sqlanon_all_first as materialized (
        from sqlanon._first_bounds_and_pieces(first_bounds, '_sqlanon_piece')
    ),
    _sqlanon_all_bounds as materialized (from sqlanon._bounds_and_pieces(bounds, '_sqlanon_piece')),
    _sqlanon_all_open as materialized (from sqlanon._open_sums_and_pieces(open_sums, '_sqlanon_piece')),
    _sqlanon_all_connected as materialized (
        from sqlanon._connected_sums_and_pieces('_sqlanon_connected', '_sqlanon_piece')
    ),
    _sqlanon_component as materialized (
        from sqlanon._open_components(
            '_sqlanon_all_first', '_sqlanon_all_bounds', '_sqlanon_all_open', '_sqlanon_all_connected')
    ),
    _sqlanon_solved as materialized (
        from sqlanon._solved_components('_sqlanon_component', whole, programs, seconds, rule)
    ),
    _sqlanon_interval as materialized (
        from sqlanon._intervals(
            '_sqlanon_all_first', '_sqlanon_all_bounds', '_sqlanon_component', '_sqlanon_solved')
    ),
    _sqlanon_union_interval as materialized (
        from sqlanon._intervals_of_unions(unions, '_sqlanon_piece', '_sqlanon_interval')
    );

-- Some parts and the boxes that they are in, with those of unions, which are numbered downwards from -1:
-- part, box. Of unions the boxes around all of their parts. found: part.
create or replace macro sqlanon._boxes_around(found, unions, part_boxes) as table
    from query_table(part_boxes) semi join query_table(found) using (part)
    union all
    select -number, box
    from (select number, len(parts) as size, unnest(parts) as part from query_table(unions))
    join query_table(part_boxes) using (part)
    group by number, box having count(*) = any_value(size);

-- What unions are called that are no differences, numbered in this way: part, name. By their labels in each
-- dimension, where they are all who have these; by their first atoms otherwise. Points where nobody is do not
-- matter.
create or replace macro sqlanon._names_of_unions(
    unions, box_parts, empty_atoms, nodes, blocks, turns, sides, sizes, dimension_points, numbered_dimensions,
    point_names) as table
    with member_of_union as (
        select distinct number as owner, unnest(atoms) as atom
        from (select number, unnest(parts) as part from query_table(unions))
        join query_table(box_parts) using (part)
    ),
    side as (
        select owner as number, d, any_value(points) as points, list(distinct place order by place) as places
        from (select owner, d, unnest(places) as place
              from member_of_union join query_table(sides) using (atom))
        join query_table(sizes) using (d) group by owner, d
    ),
    somebody as materialized (  -- blocks in which somebody can be
        select atom from query_table(blocks) anti join query_table(empty_atoms) using (atom)
    ),
    side_of_union as (select number as probe, d, places from side),
    is_whole as (
        select owner as number from member_of_union
        except
        select probe
        from (from (from sqlanon._blocks_in_probes('side_of_union', nodes, blocks, turns)) as own
              semi join somebody on somebody.atom = own.atom
              anti join member_of_union as member on member.owner = own.probe and member.atom = own.atom)
    ),
    beside as (  -- the same points in all dimensions but one, and the others in that
        select number, d as beside_d, row_number() over (order by number, d) as probe
        from side semi join is_whole using (number) where len(places) < points
    ),
    side_of_beside as (
        select probe, side.d,
               if(side.d = beside_d,
                  list_filter(range(1, points + 1), lambda point_place:
                              not list_contains(places, point_place)), places) as places
        from beside join side using (number)
    ),
    taken as (
        select distinct number, d, unnest(own_side.places) as place
        from (from sqlanon._blocks_in_probes('side_of_beside', nodes, blocks, turns)) as own
        semi join somebody on somebody.atom = own.atom
        join beside using (probe)
        join query_table(sides) as own_side on own_side.atom = own.atom and own_side.d = beside_d
    ),
    further as (  -- points with which nobody more is in it: of one dimension, or those where nobody is at all
        select number, d, place, min(d) over (partition by number) as first_d
        from (select number, d, unnest(places) as place
              from side_of_beside join beside using (probe) where d = beside_d)
        anti join taken using (number, d, place)
    ),
    nowhere as (
        select d, unnest(range(1, points + 1)) as place from query_table(sizes)
        except
        select d, unnest(places) from query_table(sides) semi join somebody using (atom)
    ),
    idle as (
        select number, d, list(distinct place) as idle
        from (
            select number, d, place from further where d = first_d
            union all
            select number, d, nowhere.place from side join nowhere using (d)
        )
        group by number, d
    ),
    asked as (
        select number, d, points, places, coalesce(idle, []) as idle
        from side semi join is_whole using (number) left join idle using (number, d)
    ),
    of_label as (
        select number, d, min(dimension || ' ' || label) as name
        from asked join (
            select d, label, list(place) as covered
            from (select d, place, unnest(labels) as label from query_table(dimension_points))
            group by d, label
        ) using (d)
        join query_table(numbered_dimensions) using (d)
        where dimension <> sqlanon._since() and list_has_all(covered, places)
          and list_has_all(list_concat(places, idle), covered)
        group by number, d
    ),
    of_points as (
        select number, d, if(count(*) > 1, '(' || string_agg(name, ' or ' order by place) || ')',
                             any_value(name)) as name
        from (select number, d, unnest(places) as place from asked)
        join query_table(point_names) using (d, place) group by number, d
    ),
    first_of_union as (from sqlanon._first_combinations('member_of_union', sides)),
    of_atoms as (
        select owner as number, nth, others, string_agg(name, ', ' order by d) filter (points > 1) as name
        from (select owner, nth, others, unnest(places) as place, generate_subscripts(places, 1) as d
              from first_of_union)
        join query_table(sizes) using (d) join query_table(point_names) using (d, place)
        anti join is_whole on is_whole.number = owner group by owner, nth, others
    )
    select -number as part,
           coalesce(string_agg(coalesce(of_label.name, of_points.name), ', ' order by asked.d)
                    filter (len(places) + len(idle) < points), 'everybody') as name
    from asked join of_points using (number, d) left join of_label using (number, d)
    group by number
    union all
    select -number, string_agg(name, '; or ' order by nth)
                    || if(any_value(others) > 0, '; or ' || any_value(others)::bigint || ' others', '')
    from of_atoms group by number;

-- A row where there are more unions than are looked at.
create or replace macro sqlanon._untried_unions_in_words(unions) as table
    select (count(*) - sqlanon._most_unions()) || ' combinations of labels' as cell, null::double as lower,
           null::double as upper, []::varchar[] as tables,
           'not looked at: there are too many (name fewer tables or dimensions)' as because,
           'unfinished' as found_by, true as unfinished
    from query_table(unions) having count(*) > sqlanon._most_unions();
