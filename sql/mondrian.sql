-- Mondrian: strict multidimensional partitioning (LeFevre, DeWitt and Ramakrishnan 2006, sec. 4).
--
-- All rows start in one part. A part is cut on the attribute on which it is widest, relative to the whole domain: at the median
-- where the attribute is ordered, into the children of its lowest common node where it has a hierarchy. A cut that would leave a
-- piece which violates a requirement is not made, and the part's next widest attribute is tried; a part with no attribute left
-- is a class. So no class that could be cut is left whole.
--
-- The state of the algorithm has a row per tuple (a distinct combination of codes, never a record): step, part (a name that is never
-- used twice: the step that made it, times 2^32, plus a number), done, tried_width and tried (the last attribute whose cut failed
-- here; infinity and 0 at first), tuple_id, q1, q2, ..., s, weight. One step takes a state to the next; the same step serves the
-- single statement (a recursive CTE) and a loop over tables.

-- The state before the first cut, once there is nothing to refuse. refusals: refused, an error raised when it is read; read first,
-- also where there are no tuples.
create or replace macro sqlanon._mondrian_start(tuples, refusals) as table
    select 0 as step, refused::bigint as part, false as done, 'infinity'::double as tried_width, 0 as tried, t.*
    from (select count(refused) as refused from query_table(refusals)) left join query_table(tuples) as t on true;

-- Where each part would be cut: part, number (from 1), d (the attribute), width, level (of its common node; NULL without hierarchy), cut (the last
-- code of the lower half; NULL with a hierarchy), first_node and pieces (the first and the number of its nodes below the common
-- one), smallest (rows of the smallest piece).
create or replace macro sqlanon._mondrian_cuts(state, attributes, tree, k) as table
    -- What each part spans: its rows, and its lowest and highest code on every attribute.
    with extent as (
        select part, any_value(tried_width) as tried_width, any_value(tried) as tried, sum(weight)::bigint as size,
               min(columns('^q\d+$')) as 'lo_\0', max(columns('^q\d+$')) as 'hi_\0'
        from query_table(state) where not done group by part
    ),
    side as (
        select part, size, tried_width, tried, unnest(range(1, len(los) + 1)) as d, unnest(los) as lo, unnest(his) as hi
        from (select part, size, tried_width, tried,
                     list_value(*columns('^lo_')) as los, list_value(*columns('^hi_')) as his
              from extent
              where size >= 2 * k)
    ),
    -- With a hierarchy a part is as wide as the lowest node above all its values.
    common_node as (
        select part, d, min(level) as level, min(tree.hi - tree.lo) as width
        from side join sqlanon._tree(tree) as tree using (d)
        where tree.code = side.lo and side.hi <= tree.hi
        group by part, d
    ),
    candidate as (
        select part, size, tried_width, tried, d, level, coalesce(common_node.width, hi - lo) / span as width
        from side
        join query_table(attributes) using (d)
        left join common_node using (part, d)
    ),
    -- The widest attribute that was not tried yet; of equally wide ones the first.
    choice as materialized (
        select part, any_value(size) as size, unnest(max({'width': width, 'rank': -d, 'd': d, 'level': level}))
        from candidate
        where width > 0 and (width < tried_width or (width = tried_width and d > tried))
        group by part
    ),
    histogram as materialized (
        select part, list_extract(list_value(*columns('^q\d+$')), d) as code, sum(weight)::bigint as weight
        from query_table(state) join choice using (part) where not done group by all
    ),
    -- An ordered attribute is cut after the code that leaves the halves most equal.
    running as (
        select part, size, code, sum(weight) over (partition by part order by code)::bigint as up_to
        from histogram join choice using (part) where level is null
    ),
    half as (
        select part, unnest(arg_min({'cut': code, 'first_node': 0, 'pieces': 2, 'smallest': least(up_to, size - up_to)},
                                    {'imbalance': abs(2 * up_to - size), 'code': code}))
        from running where up_to < size group by part
    ),
    -- An attribute with a hierarchy is cut into the children of the common node.
    child as (
        select part, node, sum(weight) as size
        from histogram
        join choice using (part)
        join sqlanon._tree(tree) as below
          on below.d = choice.d and below.level = choice.level - 1 and below.code = histogram.code
        group by part, node
    ),
    piece as (
        from half
        union all
        select part, null as cut, min(node) as first_node, max(node) - min(node) + 1 as pieces, min(size)::bigint as smallest
        from child group by part
    )
    select part, row_number() over (order by part) as number, d, width, level, cut, first_node, pieces, smallest
    from choice join piece using (part);

-- The tuples of the parts that would be cut: number, branch (below or above the cut: 0 or 1; or the node), s, weight.
create or replace macro sqlanon._mondrian_moves(state, cuts, tree) as table
    with chosen as (
        select columns('^(number|s|weight)$'), d, level, cut, list_extract(list_value(*columns('^q\d+$')), d) as code
        from query_table(state) join query_table(cuts) using (part) where not done
    )
    select number, coalesce(below.node, (chosen.code > cut)::integer) as branch, s, weight
    from chosen
    left join sqlanon._tree(tree) as below
      on below.d = chosen.d and below.level = chosen.level - 1 and below.code = chosen.code;

-- The numbers of the parts with a piece that violates a requirement on sensitive values. requirement: one row, req.
create or replace macro sqlanon._mondrian_refused(state, cuts, tree, sensitive_values, marginal, sensitive_tree, requirement) as table
    with cell as (
        select number * 4294967296 + branch as class_id, s, sum(weight) as n
        from sqlanon._mondrian_moves(state, cuts, tree) group by all
    ),
    histogram as materialized (
        select class_id, attribute, code, sum(n) as n
        from cell join query_table(sensitive_values) using (s) where attribute > 0 group by all
    )
    select distinct class_id // 4294967296 as number
    from sqlanon._measures('histogram', marginal, sensitive_tree,
                           (select [req.t_distance] from query_table(requirement)),
                           (select req.l from query_table(requirement))) as measured,
         query_table(requirement) as required
    where not sqlanon._satisfies(measured, required.req);

-- One step: every part that is not done is cut in pieces, or marked as tried on one more attribute, or done.
-- about_sensitive: do requirements other than k have a say (then, and only then, histograms of sensitive values are made).
create or replace macro sqlanon._mondrian_step(
    state, attributes, tree, k, about_sensitive, sensitive_values, marginal, sensitive_tree, requirement) as table
    with cut as materialized (from sqlanon._mondrian_cuts(state, attributes, tree, k)),
    possible as materialized (select * from cut where smallest >= k),
    refused as (
        from query(case when about_sensitive
                        then 'from sqlanon._mondrian_refused(' || sqlanon._literal(state) || ', ''possible'', ' || sqlanon._optional(tree)
                             || ', ' || sqlanon._literal(sensitive_values) || ', ' || sqlanon._literal(marginal)
                             || ', ' || sqlanon._literal(sensitive_tree) || ', ' || sqlanon._literal(requirement) || ')'
                        else 'select 0 as number where false' end)
    ),
    legal as (select part, first_node, pieces from possible where number not in (select number from refused)),
    numbered as (
        select part, sum(pieces) over (order by part) - pieces - first_node as first_piece from legal
    ),
    plan as materialized (
        select part, d, level, cut, width, first_piece::integer as first_piece from cut left join numbered using (part)
    ),
    chosen as (
        select columns('^(step|part|tuple_id|q\d+|s|weight)$'), d, level, cut, width, first_piece,
               list_extract(list_value(*columns('^q\d+$')), d) as code
        from query_table(state) left join plan using (part) where not done
    )
    select step + 1 as step,
           case when first_piece is null then part
                else (step + 1) * 4294967296 + first_piece + coalesce(below.node, (chosen.code > cut)::integer)
           end as part,
           chosen.d is null as done,
           case when first_piece is null then coalesce(width, 0) else 'infinity' end as tried_width,
           case when first_piece is null then coalesce(chosen.d, 0) else 0 end::integer as tried,
           columns('^(tuple_id|q\d+|s|weight)$')
    from chosen
    left join sqlanon._tree(tree) as below
      on below.d = chosen.d and below.level = chosen.level - 1 and below.code = chosen.code;

-- Mondrian from the first relation to the release, in one statement. judged: the sensitive columns that req looks at.
-- (Here and wherever a user's table is read in their scope, CTEs have names that no such table has.)
create or replace macro sqlanon._mondrian(tbl, qi, sensitive, judged, keep, hierarchies, k, req, recoding, seed) as table
    with recursive
    _sqlanon_requirement as materialized (select req as req),
    _sqlanon_combination as materialized (from sqlanon._numbered_combinations(tbl, qi, judged)),
    _sqlanon_hierarchy as materialized (from sqlanon._hierarchies(hierarchies)),
    _sqlanon_leaf as materialized (from sqlanon._leaves('_sqlanon_hierarchy')),
    _sqlanon_sensitive_combination as materialized (from sqlanon._sensitive_combinations('_sqlanon_combination', judged)),
    _sqlanon_sensitive_value as materialized (from sqlanon._sensitive_values('_sqlanon_sensitive_combination', judged)),
    _sqlanon_tuple as materialized (from sqlanon._tuples('_sqlanon_combination', '_sqlanon_sensitive_combination', '_sqlanon_leaf', qi, judged)),
    _sqlanon_attribute as materialized (from sqlanon._attributes('_sqlanon_tuple', '_sqlanon_leaf', qi)),
    _sqlanon_tree as materialized (from sqlanon._attribute_tree('_sqlanon_hierarchy', '_sqlanon_attribute')),
    _sqlanon_sensitive_tree as materialized (from sqlanon._sensitive_tree('_sqlanon_sensitive_value', judged, '_sqlanon_hierarchy')),
    _sqlanon_whole as materialized (from sqlanon._whole('_sqlanon_tuple', '_sqlanon_sensitive_value')),
    _sqlanon_marginal as materialized (from sqlanon._marginal('_sqlanon_whole')),
    _sqlanon_refusal as (
        from sqlanon._refuse_empty('_sqlanon_combination', tbl)
        union all from sqlanon._refuse_hierarchies('_sqlanon_hierarchy', qi, judged)
        union all from sqlanon._refuse_infeasible('_sqlanon_whole', '_sqlanon_marginal', '_sqlanon_sensitive_tree', '_sqlanon_requirement', judged)
    ),
    _sqlanon_state as (
        from sqlanon._mondrian_start('_sqlanon_tuple', '_sqlanon_refusal')
        union all
        from sqlanon._mondrian_step('_sqlanon_state', '_sqlanon_attribute', case when hierarchies is not null then '_sqlanon_tree' end, k, len(judged) > 0,
                                    '_sqlanon_sensitive_value', '_sqlanon_marginal', '_sqlanon_sensitive_tree', '_sqlanon_requirement')
    ),
    _sqlanon_assignment as materialized (select tuple_id, part as class_id from _sqlanon_state where done),
    _sqlanon_node_label as materialized (from sqlanon._node_labels('_sqlanon_tuple', '_sqlanon_assignment', '_sqlanon_attribute', '_sqlanon_tree'))
    from sqlanon._release(tbl, qi, sensitive, keep, '_sqlanon_combination', judged, '_sqlanon_assignment', '_sqlanon_node_label', recoding, seed);

create or replace macro sqlanon.mondrian(
    tbl, qi, sensitive := null, keep := null, hierarchies := null,
    k := null, l := null, entropy_l := null, recursive_c := null, alpha := null, t := null, t_distance := 'equal',
    beta := null, enhanced_beta := null, delta_disclosure := null, recoding := 'text', seed := null) as table
    from query(
        sqlanon._checked(qi, sensitive, keep) || 'from sqlanon._mondrian(' || sqlanon._literal(tbl) || ', ' || sqlanon._names(qi) || ', ' || sqlanon._names(sensitive) || ', '
        || sqlanon._names(sqlanon._judged(sensitive, k, l, entropy_l, recursive_c, alpha, t, beta, enhanced_beta, delta_disclosure)) || ', '
        || sqlanon._names(keep) || ', ' || sqlanon._optional(hierarchies) || ', ' || coalesce(k::varchar, '1') || ', '
        || sqlanon._requirements_text(k, l, entropy_l, recursive_c, alpha, t, t_distance, beta, enhanced_beta, delta_disclosure) || ', '
        || sqlanon._optional(recoding) || ', ' || coalesce(seed::bigint::varchar, 'null') || ')');

comment on macro table sqlanon.mondrian is
    'A release of a table by strict multidimensional Mondrian: every row, with qi recoded to its class, and the columns in sensitive and keep; no other column leaves, and rows come in an order that depends on nothing but the released values. Requirements: k; l (distinct), entropy_l, recursive_c (with l), alpha, t (t_distance: equal, ordered or hierarchical), beta, enhanced_beta, delta_disclosure; at least one. hierarchies: the name of a table (attribute, value, level, label). recoding: text ([20, 29], {a, b}, labels) or range (STRUCT(lo, hi), LIST of the values in the class). seed fixes the order of rows. Errors: unknown column, empty table, a requirement that even the whole table as one class does not meet, a value missing in its hierarchy, a hierarchy that is not a tree. Source: LeFevre, DeWitt and Ramakrishnan 2006.';
