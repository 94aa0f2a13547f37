-- Cuts: on which attribute a part is cut, and where (LeFevre, DeWitt and Ramakrishnan 2006, sec. 4).
--
-- A part is cut on the attribute on which it is widest, relative to the whole domain: at the median where
-- the attribute is ordered, into the children of its lowest common node where it has a hierarchy.

-- What the parts span that are large enough to be cut (at_least: rows): part, size, tried_width, tried, and
-- lists of the lowest and the highest codes on all attributes: los, his.
create or replace macro sqlanon._mondrian_extents(state, at_least) as table
    select part, size, tried_width, tried, list_value(*columns('^lo_')) as los,
           list_value(*columns('^hi_')) as his
    from (
        select part, any_value(tried_width) as tried_width, any_value(tried) as tried,
               sum(weight)::bigint as size,
               min(columns('^q\d+$')) as 'lo_\0', max(columns('^q\d+$')) as 'hi_\0'
        from query_table(state) where not done group by part
    )
    where size >= at_least;

-- Could a part be cut there, and was it not tried yet? Attributes are tried from the widest on, equally
-- wide ones in their order.
create or replace macro sqlanon._is_untried(width, d, tried_width, tried) as
    width > 0 and (width < tried_width or (width = tried_width and d > tried));

-- The attribute that a part tries next: part, size, d (the attribute), width, level (NULL: the attribute
-- has no hierarchy). more: what widths count more.
create or replace macro sqlanon._next_attributes(extents, attributes, more := 0) as table
    with side as (
        select part, size, tried_width, tried,
               list_transform(list_zip(los, his, spans),
                              lambda side: nullif((side[2] - side[1]) / side[3], 0) + more) as widths
        from query_table(extents), (select list(span order by d) as spans from query_table(attributes))
    ),
    untried as (
        select part, size,
               list_transform(widths, lambda width, d:
                   case when sqlanon._is_untried(width, d, tried_width, tried) then width end) as widths
        from side
    )
    select part, size, list_position(widths, list_max(widths)) as d, list_max(widths) as width,
           null::integer as level
    from untried where list_max(widths) is not null;

-- The same with hierarchies: a part is as wide as the lowest node above all its values, which is at level.
create or replace macro sqlanon._next_attributes_in_tree(extents, attributes, tree, more := 0) as table
    with side as (
        select part, size, tried_width, tried, unnest(range(1, len(los) + 1)) as d, unnest(los) as lo,
               unnest(his) as hi
        from query_table(extents)
    ),
    common_node as (
        select part, d, min(level) as level, min(tree.hi - tree.lo) as width
        from side join query_table(tree) as tree using (d)
        where tree.code = side.lo and side.hi <= tree.hi
        group by part, d
    ),
    candidate as (
        select part, size, tried_width, tried, d, level,
               nullif(coalesce(common_node.width, hi - lo) / span, 0) + more as width
        from side
        join query_table(attributes) using (d)
        left join common_node using (part, d)
    )
    select part, any_value(size) as size, unnest(max({'width': width, 'rank': -d, 'd': d, 'level': level}))
    from candidate where sqlanon._is_untried(width, d, tried_width, tried) group by part;

-- The call of the one or the other.
create or replace macro sqlanon._call_of_next_attributes(extents, attributes, tree, more) as
    if(tree is null, {call _next_attributes}, {call _next_attributes_in_tree});

-- An ordered attribute is cut after the code that leaves the halves most equal: the last one with at most
-- half of the rows up to it, or the one after that (of two that are as good, the former). number, cut,
-- first_node, pieces, smallest (rows of the smallest piece). The running sum is one over all parts, and
-- what comes before a part, its base, is taken off again: a window with many partitions is slow.
create or replace macro sqlanon._halves(choice, histogram) as table
    with running as (
        select number, code, sum(weight) over (order by number, code)::bigint as up_to
        from query_table(histogram)
    ),
    share as (
        select number, code, up_to - base as up_to, size
        from running join query_table(choice) using (number) where level is null
    ),
    median as (
        select number, any_value(size) as size,
               max(code) filter (2 * up_to <= size) as below,
               max(up_to) filter (2 * up_to <= size) as up_to_below,
               min(code) filter (2 * up_to > size and up_to < size) as above,
               min(up_to) filter (2 * up_to > size and up_to < size) as up_to_above
        from share group by number
    ),
    better as (
        select *, above is null or size - 2 * up_to_below <= 2 * up_to_above - size as is_below from median
    )
    select number, if(is_below, below, above) as cut, 0 as first_node, 2 as pieces,
           if(is_below, up_to_below, size - up_to_above) as smallest
    from better;

-- The same with people. A side is fit if it has none of the rows or at least k. Of the cuts that leave two
-- such sides the one is made that leaves them most equal in rows, among these in people, and the first of
-- those that are as good; cut is NULL if there is none.
create or replace macro sqlanon._halves_with_people(choice, histogram, k) as table
    with running as (
        select number, code, weight, people, sum(weight) over upwards::bigint as up_to,
               sum(people) over upwards::bigint as people_up_to
        from query_table(histogram) join query_table(choice) using (number) where level is null
        window upwards as (order by number, code)
    ),
    total as (
        select number, min(up_to - weight) as base, max(up_to) as up_to,
               min(people_up_to - people) as people_base, max(people_up_to) as people_up_to, max(code) as last
        from running group by number
    ),
    half as (
        select number, code, code < last as is_cut,
               running.up_to - base as lower, total.up_to - running.up_to as upper,
               running.people_up_to - people_base as lower_people,
               total.people_up_to - running.people_up_to as upper_people
        from running join total using (number)
    )
    select number,
           arg_min(code, {'rows': abs(upper - lower), 'people': abs(upper_people - lower_people),
                          'code': code})
               filter (is_cut and (lower = 0 or lower >= k) and (upper = 0 or upper >= k)) as cut,
           0 as first_node, 2 as pieces, if(cut is null, 0, k) as smallest
    from half group by number;

-- An attribute with a hierarchy is cut into the children of the common node. The same columns; cut is NULL,
-- first_node the first of the children, pieces how many there are from there on. (A child without rows is
-- no piece that needs any.)
create or replace macro sqlanon._children(choice, histogram, tree) as table
    with child as (
        select number, node, sum(weight) as size
        from query_table(histogram) as histogram
        join query_table(choice) as choice using (number)
        join query_table(tree) as below
          on below.d = choice.d and below.level = choice.level - 1 and below.code = histogram.code
        group by number, node
    )
    select number, null::integer as cut, min(node) as first_node, max(node) - min(node) + 1 as pieces,
           min(size) filter (size > 0)::bigint as smallest
    from child group by number;
