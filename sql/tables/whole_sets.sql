-- Whole sets of cells: what the cells of one table add up to along one dimension, whether it is published or
-- not. A table by ward and sex without totals says how many people are in each ward; one that hides a total
-- and shows its parts says what it hides. So counts are known for the boxes of published cells, and for those
-- of whole sets of cells: cells that differ in one dimension only, that do not overlap, and that together
-- make up another set there (a label of some table, or everything), except for points at which there is
-- nobody.

-- Cells in lines, which differ in one dimension alone: nth, d, others (their sets, 0 in this dimension),
-- set_id (in it), box.
create or replace macro sqlanon._lines_of_cells(cell_boxes) as table
    select distinct nth, d, list_transform(sets, lambda own_set, i: if(i = d, 0, own_set)) as others,
           sets[d] as set_id, box
    from (select nth, sets, box, unnest(range(1, len(sets) + 1)) as d
          from query_table(cell_boxes) where cell > 0);

-- Which sets of a line make up another one: d, present (the sets of a line), outer_set, parts (sets, no
-- two of which overlap), left_out (points). They are the largest sets within, or the smallest, where the
-- largest overlap.
create or replace macro sqlanon._sets_that_make_up(lines, within, point_sets) as table
    with present as (
        select distinct d, present
        from (select d, list(set_id order by set_id) as present from query_table(lines)
              group by nth, d, others)
    ),
    point_of as (
        select d, set_id, unnest(members) as place
        from (select distinct d, set_id, members from query_table(point_sets))
    ),
    inside as (
        select own.d, present, outer_set, own.inner_set
        from (select d, present, unnest(present) as inner_set from present) as own
        join query_table(within) as within on within.d = own.d and within.inner_set = own.inner_set
        where outer_set <> own.inner_set
    ),
    nested as (
        select large.d, large.present, large.outer_set, large.inner_set as large_set,
               small.inner_set as small_set
        from inside as large join inside as small using (d, present, outer_set)
        join query_table(within) as within
          on within.d = large.d and within.outer_set = large.inner_set
             and within.inner_set = small.inner_set
        where large.inner_set <> small.inner_set
    ),
    chosen as (
        select d, present, outer_set, inner_set, 1 as choice from inside
        anti join (select d, present, outer_set, small_set as inner_set from nested) as smaller
            using (d, present, outer_set, inner_set)
        union all
        select d, present, outer_set, inner_set, 2 from inside
        anti join (select d, present, outer_set, large_set as inner_set from nested) as larger
            using (d, present, outer_set, inner_set)
    ),
    covered as (
        select own.d, present, outer_set, choice, list(distinct inner_set order by inner_set) as parts,
               list(distinct place) as places, count(*) as points
        from chosen as own join point_of on point_of.d = own.d and point_of.set_id = own.inner_set
        group by own.d, present, outer_set, choice having count(*) = count(distinct place)
    )
    select own.d, present, outer_set, arg_min(parts, choice) as parts,
           list_filter(any_value(members), lambda point_place:
                       not list_contains(arg_min(places, choice), point_place)) as left_out
    from covered as own
    join (select distinct d, set_id, members from query_table(point_sets)) as point_set
      on point_set.d = own.d and point_set.set_id = outer_set
    group by own.d, present, outer_set;

-- The whole sets of lines: nth, d, sets (of the box that they are), parts (boxes). Where the parts leave
-- points out, nobody is there. nodes, blocks, turns: sql/tables/blocks_of_atoms.sql.
create or replace macro sqlanon._whole_sets(
    lines, made_up, distinct_sets, nodes, blocks, turns, empty_atoms) as table
    with line as (
        select nth, d, others, list(set_id order by set_id) as present, map(list(set_id), list(box)) as boxes
        from query_table(lines) group by nth, d, others
    ),
    candidate as (
        select nth, d, others, outer_set, left_out,
               list_transform(parts, lambda own_set: boxes[own_set]) as parts
        from line join query_table(made_up) using (d, present)
    ),
    left_out as materialized (
        select row_number() over (order by others, d, left_out) as probe, others, d, left_out
        from (select distinct others, d, left_out from candidate where len(left_out) > 0)
    ),
    probed_side as (
        select probe, i as d, if(i = own.d, left_out, own_set.members) as places
        from (select *, unnest(range(1, len(others) + 1)) as i from left_out) as own
        left join query_table(distinct_sets) as own_set on own_set.d = i and own_set.set_id = others[i]
    ),
    perhaps as (  -- where somebody may be
        select distinct others, d, left_out
        from (from sqlanon._blocks_in_probes('probed_side', nodes, blocks, turns))
        anti join query_table(empty_atoms) using (atom) join left_out using (probe)
    )
    select nth, d, parts,
           list_transform(others, lambda own_set, i: if(i = d, outer_set, own_set)) as sets
    from candidate anti join perhaps using (others, d, left_out);

-- The boxes of whole sets by number: nth, d, box, sets, parts. A box that has been there has its number.
create or replace macro sqlanon._boxes_of_whole_sets(whole_sets, cell_boxes) as table
    with known as (select distinct sets, box from query_table(cell_boxes)),
    numbered as (
        select sets, (select coalesce(max(box), 0) from known) + row_number() over (order by sets) as box
        from (select distinct sets from query_table(whole_sets) anti join known using (sets))
    )
    select own.nth, own.d, box, own.sets, own.parts
    from query_table(whole_sets) as own join (from known union all from numbered) as box_of using (sets);

-- Boxes with what is published of them, those of whole sets among them: as in _counts_of_boxes, and sets and
-- parts (of whole sets that nobody has published, else NULL).
create or replace macro sqlanon._all_boxes(cell_boxes, box_counts, whole_boxes) as table
    select own.*, sets, null::bigint[] as parts
    from query_table(box_counts) as own
    join (select distinct box, sets from query_table(cell_boxes)) using (box)
    union all
    select box, 0, null, false, list(distinct nth order by nth), null, any_value(sets),
           arg_min(parts, (nth, len(parts), parts))
    from query_table(whole_boxes) anti join query_table(box_counts) using (box) group by box;

-- Parts and the boxes that they are in, those of whole sets among them: part, box.
create or replace macro sqlanon._parts_of_all_boxes(part_boxes, all_boxes) as table
    from query_table(part_boxes)
    union all
    select distinct own.part, whole.box
    from (select box, unnest(parts) as other from query_table(all_boxes)) as whole
    join query_table(part_boxes) as own on own.box = other;

-- The sums of whole sets, beside those of parts: total, d (which of the sums of this total), cell.
create or replace macro sqlanon._sums_of_whole_sets(whole_boxes, box_parts) as table
    with number as (select coalesce(max(part), 0) as parts from query_table(box_parts)),
    way as (select distinct box, parts from query_table(whole_boxes)),
    numbered as (
        select box, way.parts, 1 + row_number() over (partition by box order by way.parts) as d from way
    )
    select number.parts + box as total, d, number.parts + unnest(numbered.parts) as cell
    from numbered, number;

-- What boxes are called, by their first cell, or by the cells of a whole set: box, name.
create or replace macro sqlanon._names_of_all_boxes(all_boxes, cell_names) as table
    with part_of as (
        select box, unnest(parts) as other, generate_subscripts(parts, 1) as i, len(parts) as size
        from query_table(all_boxes)
    )
    select box, name from query_table(all_boxes) join query_table(cell_names) using (cell)
    union all
    select part_of.box,
           string_agg(name, ' + ' order by i) filter (size <= 4 or i <= 2)
               || if(any_value(size) > 4, ' + ' || (any_value(size) - 3) || ' others + '
                                          || any_value(name) filter (i = size), '')
    from part_of join query_table(all_boxes) as own on own.box = part_of.other
    join query_table(cell_names) using (cell) group by part_of.box;
