-- Differences of boxes: the people of one box who are not in another one within it. If both counts are known,
-- because they are published or follow from sums, the difference is. Otherwise programs (linear or integer)
-- bound it.

-- The parts of boxes in which somebody can be: part, box. A box that is in another one but for people whom
-- sums leave no place is in it.
create or replace macro sqlanon._parts_with_people(all_part_boxes, bounds) as table
    select part, box from query_table(all_part_boxes)
    semi join (from query_table(bounds) where hi is null or hi > 0) as possible on possible.cell = part;

-- The boxes that hold each box, all of whose people are in it: small, large. A box is as large as the points
-- at which it has people. all_part_boxes: of _parts_with_people.
create or replace macro sqlanon._nested_boxes(
    all_boxes, all_part_boxes, box_parts, sides, point_sets) as table
    with recursive place_of as (
        select distinct part, d, unnest(places) as place
        from (select part, unnest(atoms) as atom from query_table(box_parts))
        join query_table(sides) using (atom)
    ),
    shrunk as (
        select box, d, list(distinct place order by place) as members
        from query_table(all_part_boxes) join place_of using (part) group by box, d
    ),
    numbered as (select *, dense_rank() over (partition by d order by members) as inner_set from shrunk),
    inner_point as (
        select d, inner_set, unnest(members) as place, len(members) as size
        from (select distinct d, inner_set, members from numbered)
    ),
    outer_point as (
        select d, set_id, unnest(members) as place
        from (select distinct d, set_id, members from query_table(point_sets))
    ),
    fitting as materialized (
        select d, inner_set, set_id from inner_point join outer_point using (d, place)
        group by d, inner_set, set_id having count(*) = any_value(size)
    ),
    small as (select box, list(inner_set order by d) as inner_sets from numbered group by box),
    beginning as (
        select distinct sets[:i] as begun
        from (select distinct sets, unnest(range(1, len(sets) + 1)) as i from query_table(all_boxes))
    ),
    reached as (
        select box, inner_sets, 0 as i, []::bigint[] as begun from small
        union all
        select own.box, own.inner_sets, own.i, own.begun
        from (select reached.box, inner_sets, reached.i + 1 as i, list_append(begun, set_id) as begun
              from reached join fitting on fitting.d = reached.i + 1
                                           and fitting.inner_set = inner_sets[reached.i + 1]) as own
        semi join beginning using (begun)
    )
    select reached.box as small, own.box as large
    from reached join query_table(all_boxes) as own on own.sets = begun
    where reached.i = len(inner_sets) and own.box <> reached.box;

-- Boxes with their counts as far as sums tell: box, lo, hi.
create or replace macro sqlanon._bounds_of_boxes(bounds, box_parts) as table
    with number as (select coalesce(max(part), 0) as parts from query_table(box_parts))
    select cell - number.parts as box, lo, hi from query_table(bounds), number where cell > number.parts;

-- The differences of which fewer people than a threshold may be: large, small, lo, hi (by the counts of
-- both).
create or replace macro sqlanon._few_in_differences(
    nested, all_part_boxes, possible, box_bounds, threshold) as table
    with size as (  -- of parts, and of those with people: who lacks none of these may still lack a place
        select own.box, count(*) as size, count(possible.part) as possible
        from query_table(all_part_boxes) as own
        left join query_table(possible) as possible on possible.part = own.part and possible.box = own.box
        group by own.box
    )
    select large, small, greatest(one.lo - coalesce(other.hi, one.lo), 0) as lo,
           greatest(one.hi - other.lo, 0) as hi
    from query_table(nested)
    join size as one_size on one_size.box = large join size as other_size on other_size.box = small
    join query_table(box_bounds) as one on one.box = large
    join query_table(box_bounds) as other on other.box = small
    where (one_size.possible > other_size.possible or one_size.size > other_size.size)
      and greatest(one.lo - coalesce(other.hi, one.lo), 0) < threshold;

-- The same with their parts: large, small, lo, hi (also by their parts), parts (a list), by_all (these
-- tell more). Not those that are a published box. bounds: cell, lo, hi (of parts).
create or replace macro sqlanon._parts_of_differences(
    few, part_boxes, all_part_boxes, bounds, threshold) as table
    with member as materialized (
        select large, small, own.part
        from query_table(few) join query_table(all_part_boxes) as own on own.box = large
        anti join (select box as small, part from query_table(all_part_boxes)) as other
            using (small, part)
    ),
    listed as (
        select large, small, coalesce(  -- parts in which nobody can be do not matter
                   list(part order by part) filter (bound.hi is null or bound.hi > 0),
                   list(part order by part)) as parts,
               sum(bound.lo) as lo,
               case when count(bound.hi) = count(*) then sum(bound.hi) end as hi
        from member join query_table(bounds) as bound on bound.cell = part group by large, small
        having sum(bound.lo) < threshold
    ),
    there as (
        select part, box from query_table(part_boxes)
        join (from query_table(bounds) where hi is null or hi > 0) as bound on bound.cell = part
    ),
    may_be_box as (
        select box from there group by box
        having (count(*), min(part), max(part)) in (select (len(parts), parts[1], parts[-1]) from listed)
    ),
    published as (
        select distinct list(part order by part) as parts from there semi join may_be_box using (box)
        group by box
    )
    select own.large, own.small, greatest(by_count.lo, own.lo) as lo,
           case when by_count.hi is null then own.hi else least(by_count.hi, own.hi) end as hi, own.parts,
           own.lo > by_count.lo
               or (own.hi is not null and (by_count.hi is null or own.hi < by_count.hi)) as by_all
    from listed as own join query_table(few) as by_count using (large, small)
    anti join published using (parts);

-- The same where people can be in several parts: those of the large box who are nowhere in the small one; of
-- these differences those that are narrow. That is the difference of the two counts, too; of parts only the
-- most that they hold matters. All parts of the small box that have people are in the large one, so these are
-- counted box by box, and the parts of the few that are narrow are listed.
create or replace macro sqlanon._differences_of_people(few, all_part_boxes, bounds, threshold, zeros) as table
    with most as (
        select box, sum(hi) as most, count(*) filter (hi is null) as unbounded
        from query_table(all_part_boxes) join query_table(bounds) as bound on bound.cell = part group by box
    ),
    bounded as (
        select large, small, by_count.lo, by_count.hi as hi_by_count,
               if(one.unbounded = other.unbounded, one.most - other.most, null) as hi_by_parts,
               least(hi_by_count, hi_by_parts) as hi
        from query_table(few) as by_count
        join most as one on one.box = large join most as other on other.box = small
    ),
    narrow as materialized (from bounded where sqlanon._is_narrow(lo, hi, threshold, zeros))
    select large, small, any_value(lo) as lo, any_value(hi) as hi, list(own.part order by own.part) as parts,
           any_value(coalesce(hi_by_parts < hi_by_count, hi_by_count is null)) as by_all
    from narrow join query_table(all_part_boxes) as own on own.box = large
    anti join (select box as small, part from query_table(all_part_boxes)) as other using (small, part)
    group by large, small;

-- Of several differences of the same people and the same two tables one: of printed cells if there is one,
-- and of the fewest people, whose names tell most.
create or replace macro sqlanon._first_differences(differences, all_boxes) as table
    with ranked as (
        select own.*, one.tables[1] as one_table, other.tables[1] as other_table,
               (one.cell is null or other.cell is null, coalesce(one.hi, 'inf'::double),
                greatest(one.cell, other.cell), one.cell, large, small) as place
        from query_table(differences) as own
        join query_table(all_boxes) as one on one.box = large
        join query_table(all_boxes) as other on other.box = small
    )
    select arg_min(large, place) as large, arg_min(small, place) as small, max(lo) as lo, min(hi) as hi,
           parts, bool_and(by_all) as by_all
    from ranked group by parts, one_table, other_table;

-- The differences in words: cell, lower, upper, tables, because, found_by, unfinished. Where by_all, all
-- tables together tell it, and not these two numbers alone.
create or replace macro sqlanon._differences_in_words(
    differences, all_boxes, box_bounds, box_names, titles) as table
    select one_name.name || ' - ' || other_name.name as cell, own.lo as lower, own.hi as upper,
           list_transform(list_concat([one.tables[1]], list_filter([other.tables[1]], lambda own_table:
                                                                       own_table <> one.tables[1])),
                          lambda own_table: sqlanon._list(titles)[own_table]) as tables,
           one_name.name || ' (' || sqlanon._count_text(one_bound.lo, one_bound.hi) || ') - '
               || other_name.name || ' (' || sqlanon._count_text(other_bound.lo, other_bound.hi) || ') = '
               || sqlanon._count_text(own.lo, own.hi) || if(own.hi = 1, ' person', ' people')
               || if(by_all, ' by all tables together', '') as because,
           if(by_all, 'all tables', 'difference') as found_by, unfinished
    from query_table(differences) as own
    join query_table(all_boxes) as one on one.box = large
    join query_table(all_boxes) as other on other.box = small
    join query_table(box_bounds) as one_bound on one_bound.box = large
    join query_table(box_bounds) as other_bound on other_bound.box = small
    join query_table(box_names) as one_name on one_name.box = large
    join query_table(box_names) as other_name on other_name.box = small;
