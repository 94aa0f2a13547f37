-- Unions of parts: people of one label, or of two, whom no table has counted as such, but whose parts all
-- tables together tell so much of that the whole is known more closely than each of them. The bounds of a
-- union are not the sums of those of its parts: where a + b is published, a or b may be anything.
--
-- A union has a piece in each component of open cells (sql/tables/cell_bounds.sql). Components say nothing of
-- each other, so the bounds of a union are the sums of those of its pieces, and components stay as small as
-- they are.

-- How many unions are looked at; those of one label come first, then those of fewer parts.
create or replace macro sqlanon._most_unions() as 2000;

-- The combinations of one point or two that are whole parts, more than one, and may be less than a threshold:
-- number, d, place, other_d, other_place (0: there is no second one), parts (a list). Parts in which nobody
-- can be do not matter. Not those that are a told box or a told difference. part_boxes: of boxes that are
-- published; bounds: cell, lo, hi (of parts); told: box; without any there are no unions.
create or replace macro sqlanon._unions_of_parts(
    box_parts, part_boxes, box_counts, cell_boxes, point_sets, empty_atoms, strides, bounds, told,
    differences, threshold) as table
    with wide as (select d, points, stride from query_table(strides) where points > 1),
    combined as (select product(points) as atoms from wide),
    own as (  -- parts in which somebody can be
        select part, atoms, lo, coalesce(hi > 0, true) as is_there
        from query_table(box_parts) left join (select cell as part, lo, hi from query_table(bounds))
            using (part)
    ),
    atom_of as (
        select if(is_there, part, null) as part, unnest(atoms) as atom from own
        union all
        select null, atom from query_table(empty_atoms)
    ),
    part_of as (
        select part, box from query_table(part_boxes) semi join (from own where is_there) as own using (part)
        where exists (from query_table(told))
    ),
    placed as materialized (
        select part, atom, d, (atom // stride) % points + 1 as place, points from atom_of, wide
        where exists (from query_table(told))
    ),
    inside as (
        select d, place, 0 as other_d, 0 as other_place, part, any_value(points) as points, count(*) as n
        from placed group by all
        union all
        select one.d, one.place, other.d, other.place, one.part, any_value(one.points * other.points),
               count(*)
        from placed as one join placed as other using (atom) where one.d < other.d group by all
    ),
    whole as (  -- with all its atoms, and all of each part
        select d, place, other_d, other_place, list(part order by part) filter (part is not null) as parts
        from inside left join own using (part)
        group by d, place, other_d, other_place
        having count(part) > 1 and coalesce(sum(lo), 0) < threshold
           and bool_and(part is null or n = len(atoms))
           and sum(n) = any_value((select atoms from combined) / inside.points)
    ),
    box_at as (  -- boxes that have one point of a dimension
        select box, own.d, members[1] as place, lo
        from (select distinct box, unnest(sets) as set_id, generate_subscripts(sets, 1) as d
              from query_table(cell_boxes)) as own
        join (select distinct d, set_id, members from query_table(point_sets)) as point_set
          on point_set.d = own.d and point_set.set_id = own.set_id
        join query_table(box_counts) using (box)
        where len(members) = 1 and lo >= threshold
    ),
    large as (  -- as large as the threshold, by a box that they hold
        select distinct d, place, 0 as other_d, 0 as other_place from box_at
        union
        select one.d, one.place, other.d, other.place
        from box_at as one join box_at as other using (box) where one.d < other.d
    ),
    may_be_box as (  -- as many parts as some of them, from the same one to the same one
        select box from part_of semi join query_table(told) using (box) group by box
        having (count(*), min(part), max(part)) in (select (len(parts), parts[1], parts[-1]) from whole)
    ),
    known as (
        select list(part order by part) as parts from part_of semi join may_be_box using (box) group by box
        union
        select list(one.part order by one.part)
        from query_table(differences) join part_of as one on one.box = large
        anti join (from part_of semi join query_table(differences) on small = box) as other
            on other.box = small and other.part = one.part
        group by large, small
    ),
    different as (
        select parts, min((other_d, other_place, d, place)) as first
        from whole anti join large using (d, place, other_d, other_place)
        anti join known using (parts) group by parts
    )
    select row_number() over (order by first[1] > 0, len(parts), first) as number,
           first[3] as d, first[4] as place, first[1] as other_d, first[2] as other_place, parts
    from different;

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

-- What unions are called, numbered in this way: part, name.
create or replace macro sqlanon._names_of_unions(unions, point_names) as table
    select -number as part, one.name || coalesce(', ' || other.name, '') as name
    from query_table(unions) as own
    join query_table(point_names) as one on one.d = own.d and one.place = own.place
    left join query_table(point_names) as other on other.d = own.other_d and other.place = own.other_place;

-- A row where there are more unions than are looked at.
create or replace macro sqlanon._untried_unions_in_words(unions) as table
    select (count(*) - sqlanon._most_unions()) || ' combinations of labels' as cell, null::double as lower,
           null::double as upper, []::varchar[] as tables,
           'not looked at: there are too many (name fewer tables or dimensions)' as because,
           'unfinished' as found_by, true as unfinished
    from query_table(unions) having count(*) > sqlanon._most_unions();
