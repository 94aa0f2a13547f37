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

-- The attribute that a part tries next, with hierarchies: a part is as wide as the lowest node above all its
-- values, which is at level.
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

-- Parts with what is tried next, numbered (from 1), and the rows of those before: number, base.
create or replace macro sqlanon._numbered_parts(tried_next) as table
    select *, row_number() over () as number,
           (sum(size) over (rows unbounded preceding) - size)::bigint as base
    from query_table(tried_next);

-- Cuts, made of the pieces that they leave: part, number (from 1), d, width, level (of the common node), cut
-- (the last code of the lower half, or what relaxed.sql has instead; NULL with a hierarchy), first_piece (the
-- pieces of all parts are numbered: a half is first_piece plus 0 or 1, a node first_piece plus node),
-- possible (no piece has fewer than k rows). Numbers come in any order: they are names, and no class depends
-- on them. halved: columns as in _halves and _children.
create or replace macro sqlanon._cuts_of_pieces(choice, halved, k) as table
    select part, number, d, width, level, cut,
           (sum(pieces) over (rows unbounded preceding) - pieces - first_node)::bigint as first_piece,
           smallest >= k as possible
    from query_table(choice) join query_table(halved) using (number);

-- What follows a query of halves, where attributes may have a hierarchy.
create or replace macro sqlanon._and_children(choice, histogram, tree) as
    if(tree is null, '', ' union all ' || {call _children});

-- Cuts, as in _cuts_of_pieces. try_next: a query of what parts try next, as in _next_attributes; halves: a
-- query of the halves of parts without a hierarchy, of the relations choice and histogram (number, code,
-- weight and, with a population, people).
create or replace macro sqlanon._cuts(state, try_next, halves, tree, k) as table
    with tried as (from query(try_next)),
    choice as materialized (from sqlanon._numbered_parts('tried')),
    histogram as (
        select number, list_extract(list_value(*columns('^q\d+$')), d) as code,
               sum(columns('^(weight|people)$'))::bigint as '\0'
        from query_table(state) join choice using (part) where not done group by all
    ),
    halved as (from query(halves || sqlanon._and_children('choice', 'histogram', tree)))
    from sqlanon._cuts_of_pieces('choice', 'halved', k);

-- The strict form: at medians, from the widest attribute on.
create or replace macro sqlanon._cuts_at_medians(state, attributes, tree, k) as table
    with extent as (from sqlanon._mondrian_extents(state, 2 * k))
    from sqlanon._cuts(
        state, sqlanon._call_of_next_attributes('extent', attributes, tree, 0),
        {call _halves: choice := 'choice', histogram := 'histogram'}, tree, k);
