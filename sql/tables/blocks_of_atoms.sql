-- Blocks: atoms that no published cell tells apart, found without enumerating all combinations of points.
--
-- Dimensions are looked at in turns. A node is a set of points in each of the first dimensions, and has the
-- boxes that hold all of these. In the next turn, points that leave it the same boxes make one node. So as
-- many nodes are looked at as the published cells tell apart, and not as many as there are combinations.
-- A node ends in a block: after the last turn; where no box is left, so that nothing is known of it; or where
-- a complete table has no cell left (a combination of its finest labels without a row), so that nobody is
-- there. From here on the number of a block is the number of an atom.

-- How many points dimensions have: d, points.
create or replace macro sqlanon._sizes_of_dimensions(dimension_points) as table
    select d, max(place) as points from query_table(dimension_points) group by d;

-- Sets of points once: d, set_id, members, is_full.
create or replace macro sqlanon._distinct_sets(point_sets, sizes) as table
    select distinct d, set_id, members, len(members) = points as is_full
    from query_table(point_sets) join query_table(sizes) using (d);

-- The turns of dimensions: turn, d. First those of filters and periods, so that it is known early whom a
-- table counts; then those of few points, so that few boxes are left in the nodes that have many children.
create or replace macro sqlanon._turns_of_dimensions(cell_boxes, distinct_sets, sizes) as table
    with narrowed as (
        select distinct d
        from (select unnest(sets) as set_id, generate_subscripts(sets, 1) as d
              from query_table(cell_boxes) where cell < 0)
        join query_table(distinct_sets) using (d, set_id) where not is_full
    )
    select row_number() over (order by narrowed.d is null, points, sizes.d) as turn, sizes.d as d
    from query_table(sizes) as sizes left join narrowed on narrowed.d = sizes.d;

-- What boxes say of complete tables, as bits (of the first 60 tables): box, regions (whom a table counts),
-- certain (the turn from which it is), finest (tables of which it is a finest cell that somebody can be in).
create or replace macro sqlanon._roles_of_boxes(
    cell_boxes, distinct_sets, turns, finest_boxes, counts, all_cells) as table
    with own as (select distinct box, sets from query_table(cell_boxes)),
    narrow as (
        select box, max(turn) as certain
        from (select box, unnest(sets) as set_id, generate_subscripts(sets, 1) as d from own)
        join query_table(distinct_sets) using (d, set_id) join query_table(turns) using (d)
        where not is_full group by box
    ),
    region as (
        select box, bit_or(1::bigint << nth) as regions
        from query_table(cell_boxes) semi join query_table(finest_boxes) using (nth)
        where cell < 0 and nth <= 60 and all_cells group by box
    ),
    finest as (
        select box, bit_or(1::bigint << nth) as finest
        from query_table(finest_boxes) join query_table(cell_boxes) using (nth, box)
        join query_table(counts) as said using (cell)
        where nth <= 60 and (said.hi is null or said.hi > 0) group by box
    )
    select box, coalesce(regions, 0) as regions, coalesce(certain, 0) as certain,
           coalesce(finest, 0) as finest
    from own left join narrow using (box) left join region using (box) left join finest using (box);

-- The nodes: turn, path (the first point of each set, which says which node it is), places (the last set),
-- boxes (a list; 0 is everything), is_empty, is_block. roles: of _roles_of_boxes.
create or replace macro sqlanon._nodes_of_blocks(
    cell_boxes, distinct_sets, sizes, turns, roles, max_atoms) as table
    with recursive place_of as (
        select box, turn, unnest(members) as place
        from (select distinct box, unnest(sets) as set_id, generate_subscripts(sets, 1) as d
              from query_table(cell_boxes))
        join query_table(distinct_sets) using (d, set_id) join query_table(turns) using (d)
        union all
        select 0, turn, unnest(range(1, points + 1))
        from query_table(turns) join query_table(sizes) using (d)
    ),
    role as (
        from query_table(roles)
        union all
        select 0, 0, 0, 0
    ),
    reached as (
        select 0::bigint as turn, []::bigint[] as path, []::bigint[] as places,
               (select list(box order by box) from role) as boxes, false as is_empty, false as is_block
        union all
        select turn, path, places, boxes, is_empty,
               if(count(*) over () > max_atoms,
                  error('published cells tell more than ' || count(*) over () || ' groups of people apart by '
                        || 'the first ' || turn || ' of ' || (select count(*) from query_table(turns))
                        || ' dimensions, more than max_atoms := ' || max_atoms
                        || ': give a larger one, or name fewer tables or dimensions'),
                  is_empty or boxes = [0] or turn = (select count(*) from query_table(turns))) as is_block
        from (
            select turn, list_append(path, min(place)) as path, list(place order by place) as places,
                   boxes, is_empty
            from (
                select turn, path, place, is_empty, if(is_empty, [], boxes) as boxes
                from (
                    select own.turn, path, place, list(box order by box) as boxes,
                           bit_or(if(certain <= own.turn, regions, 0)) & ~bit_or(finest) <> 0 as is_empty
                    from (select turn + 1 as turn, path, unnest(boxes) as box from reached where not is_block)
                        as own
                    join place_of using (turn, box) join role using (box)
                    group by own.turn, path, place
                )
            )
            group by turn, path, boxes, is_empty
        )
    )
    select turn, path, places, boxes, is_empty,
           is_block or (turn = 0 and (select count(*) from query_table(turns)) = 0) as is_block
    from reached;

-- The blocks: atom (a number), path, boxes (of published cells and of regions), is_empty.
create or replace macro sqlanon._blocks_of_nodes(nodes) as table
    select row_number() over (order by path) as atom, path,
           list_filter(boxes, lambda own_box: own_box > 0) as boxes, is_empty
    from query_table(nodes) where is_block;

-- The points of blocks in each dimension: atom, d, places.
create or replace macro sqlanon._sides_of_blocks(blocks, nodes, turns, sizes) as table
    with step as (
        select atom, path[:turn] as path, turn
        from (select atom, path, unnest(range(1, len(path) + 1)) as turn from query_table(blocks))
    )
    select atom, d, coalesce(node.places, range(1, points + 1)) as places
    from query_table(blocks) as own cross join query_table(turns) as turns
    join query_table(sizes) using (d)
    left join step using (atom, turn)
    left join query_table(nodes) as node on node.turn = step.turn and node.path = step.path;

-- The blocks in each box: box, atom.
create or replace macro sqlanon._boxes_of_blocks(blocks) as table
    select unnest(boxes) as box, atom from query_table(blocks);

-- The blocks in which nobody is: atom. box_counts: box, lo, hi.
create or replace macro sqlanon._empty_blocks(
    blocks, cell_boxes, box_atoms, finest_boxes, box_counts, all_cells) as table
    select atom from query_table(blocks) where is_empty
    union
    from sqlanon._empty_atoms(cell_boxes, box_atoms, finest_boxes, box_counts, all_cells);

-- The blocks that have points of a probe in every dimension: probe, atom. probes: probe, d, places, for each
-- dimension in which it does not have all points.
create or replace macro sqlanon._blocks_in_probes(probes, nodes, blocks, turns) as table
    with recursive side as (
        select probe, turn, places as wanted from query_table(probes) join query_table(turns) using (d)
    ),
    child as (
        select turn, path[:-2] as parent, path, places, is_block from query_table(nodes) where turn > 0
    ),
    reached as (
        select probe, 0::bigint as turn, []::bigint[] as path,
               (select bool_or(is_block) from query_table(nodes) where turn = 0) as is_block
        from (select distinct probe from side)
        union all
        select reached.probe, child.turn, child.path, child.is_block
        from reached join child on child.turn = reached.turn + 1 and child.parent = reached.path
        left join side on side.probe = reached.probe and side.turn = child.turn
        where not reached.is_block and (wanted is null or list_has_any(wanted, child.places))
    )
    select probe, atom from reached join query_table(blocks) as own on own.path = reached.path
    where reached.is_block;

-- The first three combinations of points of some blocks: owner, places (one per dimension, in their order),
-- nth, others (how many there are beside three). members: owner, atom.
create or replace macro sqlanon._first_combinations(members, sides) as table
    with recursive side as (
        select atom, list(places order by d) as places from query_table(sides) group by atom
    ),
    own as (
        select owner, atom, coalesce(places, []) as places
        from query_table(members) left join side using (atom)
    ),
    size as (
        select owner, sum(list_reduce(list_transform(places, lambda own_places: len(own_places)),
                                      lambda one, other: one * other, 1.0::double)) - 3 as others
        from own group by owner
    ),
    reached as (
        select owner, places, []::bigint[] as combination from own
        union all
        select owner, places,
               list_append(combination, unnest(places[len(combination) + 1][:ceil(3 / list_reduce(
                   list_transform(places[len(combination) + 2:], lambda own_places: len(own_places)),
                   lambda one, other: one * other, 1.0::double))::bigint]))
        from reached where len(combination) < len(places)
    ),
    ranked as (
        select owner, combination, row_number() over (partition by owner order by combination) as nth
        from reached where len(combination) = len(places)
    )
    select owner, combination as places, nth, others from ranked join size using (owner) where nth <= 3;

-- What some parts are called: part, name. box_parts: part, atoms; sides, sizes: of
-- blocks.
create or replace macro sqlanon._names_of_parts(box_parts, sides, sizes, point_names) as table
    with member_of_part as (select part as owner, unnest(atoms) as atom from query_table(box_parts)),
    first_of_part as (from sqlanon._first_combinations('member_of_part', sides)),
    place_of as (
        select owner, nth, others, unnest(places) as place, generate_subscripts(places, 1) as d
        from first_of_part
    ),
    named as (
        select owner, nth, others,
               coalesce(string_agg(name, ', ' order by own.d) filter (points > 1), 'everybody') as name
        from first_of_part left join place_of as own using (owner, nth, others)
        left join query_table(sizes) as size on size.d = own.d
        left join query_table(point_names) as point on point.d = own.d and point.place = own.place
        group by owner, nth, others
    )
    select owner as part,
           string_agg(name, '; or ' order by nth)
               || if(any_value(others) > 0, '; or ' || any_value(others)::bigint || ' others', '') as name
    from named group by owner;
