-- InfoGain Mondrian: cuts that tell most about a target (LeFevre, DeWitt and Ramakrishnan 2006,
-- Workload-aware anonymization, sec. 3).
--
-- If a release will be used to train a classifier of some column (the target), a part is not cut on its
-- widest attribute, but where the cut tells most about the target. An ordered attribute is cut at the
-- threshold with the least entropy of the target's values in the halves, weighted by their rows, among the
-- thresholds that leave k rows on both sides. An attribute with a hierarchy is cut into the children of its
-- common node. Attributes are tried from the largest gain down, as sql/anonymize/mondrian/mondrian.sql tries
-- them from the widest down. If requirements refuse all of these cuts, the medians are tried, from the widest
-- attribute down (the paper's default). The paper looks only at thresholds between values whose rows differ
-- in the target. That suffices for the least entropy, but may miss what k allows. So all thresholds are
-- looked at here.
--
-- Entropies are compared exactly, as whole numbers: the information in n rows is n ln n, in units of 2^-20,
-- and the gain of a cut is that of the part, less that of its pieces, less the same difference for each of
-- the target's values.

-- The information in n rows.
create or replace macro sqlanon._information(n) as round(n * ln(greatest(n, 1)) * 1048576)::bigint;

-- The target's value in each combination of sensitive values: s, outcome. outcome: the column of its codes;
-- NULL without a target.
create or replace macro sqlanon._outcomes(sensitive_combinations, outcome) as table
    from query('select s, ' || coalesce(outcome, '0') || ' as outcome from ' || sensitive_combinations);

-- What the parts hold that are large enough to be cut: part, d, code, outcome, n.
create or replace macro sqlanon._outcome_cells(state, extents, outcomes) as table
    select part, d, code, outcome, sum(weight)::bigint as n
    from (
        select part, unnest(range(1, len(codes) + 1)) as d, unnest(codes) as code, outcome, weight
        from (
            select part, list_value(*columns('^q\d+$')) as codes, s, weight
            from query_table(state) where not done
        )
        semi join query_table(extents) using (part)
        join query_table(outcomes) using (s)
    )
    group by all;

-- The best threshold of each attribute that has one: part, d, level (NULL), threshold (the last code of the
-- lower half), gain. Information is summed up as codes come in, one running sum over all parts and
-- attributes: at the end of each what was gained is lost again.
create or replace macro sqlanon._best_thresholds(cells, k) as table
    with running as (
        select part, d, code, outcome, n, sum(n) over upwards::bigint as up_to
        from query_table(cells) window upwards as (order by part, d, outcome, code rows unbounded preceding)
    ),
    outcome_total as (
        select part, d, outcome, min(up_to - n) as base, max(up_to) as last from running group by all
    ),
    change as (
        select part, d, code, sum(n)::bigint as n,
               sum(sqlanon._information(up_to - base) - sqlanon._information(up_to - base - n)
                   + sqlanon._information(last - up_to) - sqlanon._information(last - up_to + n)
               )::bigint as gained
        from running join outcome_total using (part, d, outcome) group by all
    ),
    sum_up as (
        select part, d, code, n, sum(n) over upwards::bigint as up_to,
               sum(gained) over upwards::bigint as gained
        from change window upwards as (order by part, d, code rows unbounded preceding)
    ),
    total as (
        select part, d, min(up_to - n) as base, max(up_to) as last from sum_up group by all
    ),
    cut as (
        select part, d, code, last - base as size, up_to - base as lower, last - up_to as upper, gained
        from sum_up join total using (part, d)
    ),
    allowed as (
        select part, d, code, gained + sqlanon._information(size) - sqlanon._information(lower)
                              - sqlanon._information(upper) as gain
        from cut where lower >= k and upper >= k and upper > 0
    )
    select part, d, null::integer as level, arg_max(code, {'gain': gain, 'rank': -code}) as threshold,
           max(gain) as gain
    from allowed group by part, d;

-- What attributes with a hierarchy gain: columns as in _best_thresholds; level is that of the common node,
-- threshold NULL.
create or replace macro sqlanon._gains_of_children(cells, tree, k) as table
    with extent as (
        select part, d, min(code) as lo, max(code) as hi, sum(n) as size
        from query_table(cells) group by all
    ),
    common_node as (
        select part, d, any_value(size) as size, min(level) as level
        from extent join query_table(tree) as tree using (d)
        where tree.code = extent.lo and extent.hi <= tree.hi and extent.lo < extent.hi
        group by part, d
    ),
    child as (
        select part, d, outcome, node, sum(n) as n
        from query_table(cells) as cells
        join common_node using (part, d)
        join query_table(tree) as below
          on below.d = cells.d and below.level = common_node.level - 1 and below.code = cells.code
        group by all
    ),
    whole as (
        select part, d, sum(sqlanon._information(n)) as information
        from (select part, d, outcome, sum(n) as n from child group by all) group by all
    ),
    piece as (
        select part, d, node, sum(n) as n, sum(sqlanon._information(n)) as information
        from child group by all
    ),
    cut as (
        select part, d, min(n) as smallest, sum(piece.information - sqlanon._information(n)) as gained
        from piece group by all
    )
    select part, d, level, null::integer as threshold,
           (sqlanon._information(size) - information + gained)::bigint as gain
    from cut join whole using (part, d) join common_node using (part, d)
    where smallest >= k;

-- The attribute that a part tries next: part, size, d, width, level, threshold. Its width is what it gains,
-- in nats per row, plus 2: more than any that is one. widest: the same without threshold, as a cut at the
-- median would have it; for parts whose cuts by gain have all been refused.
create or replace macro sqlanon._next_by_gain(state, extents, widest, tree, outcomes, k) as table
    with cell as materialized (from sqlanon._outcome_cells(state, extents, outcomes)),
    ordered as (
        from query('from cell' || coalesce(' where d not in (select d from ' || tree || ')', ''))
    ),
    gains as (
        from query(
            {call _best_thresholds: cells := 'ordered'}
            || case when tree is null then ''
                    else ' union all ' || {call _gains_of_children: cells := 'cell'} end)
    ),
    candidate as (
        select part, size, tried_width, tried, d, level, threshold, 2 + gain / (size * 1048576) as width
        from gains join query_table(extents) using (part)
    ),
    best as (
        select part, any_value(size) as size,
               unnest(max({'width': width, 'rank': -d, 'd': d, 'level': level, 'threshold': threshold}))
        from candidate
        where sqlanon._is_untried(width, d, tried_width, tried) group by part
    )
    select part, size, d, width, level, threshold from best
    union all
    select part, size, d, width, level, null
    from query_table(widest) anti join best using (part)
    where part in (select part from query_table(extents) where tried_width < 'infinity');

-- Halves, columns as in _halves, where a threshold may be chosen already: both of its sides have k rows.
create or replace macro sqlanon._halves_by_gain(choice, histogram, k) as table
    with median as (select * from query_table(choice) where threshold is null)
    from sqlanon._halves('median', histogram)
    union all
    select number, threshold, 0, 2, k from query_table(choice) where threshold is not null;

-- Cuts, as in _cuts. outcomes: as in _outcomes.
create or replace macro sqlanon._cuts_by_gain(state, attributes, tree, k, outcomes) as table
    with extent as (from sqlanon._mondrian_extents(state, 2 * k)),
    widest as (from query(sqlanon._call_of_next_attributes('extent', attributes, tree, 0)))
    from sqlanon._cuts(
        state, {call _next_by_gain: extents := 'extent', widest := 'widest'},
        {call _halves_by_gain: choice := 'choice', histogram := 'histogram'}, tree, k);
