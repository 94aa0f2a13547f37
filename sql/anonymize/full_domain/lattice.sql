-- The generalization lattice: every way to generalize each quasi-identifier to one level of its hierarchy, for all rows alike
-- (full-domain generalization: Samarati 2001, sec. 4; LeFevre, DeWitt and Ramakrishnan 2005, Incognito, sec. 2).
--
-- A point of the lattice is a level per attribute. Its classes come from the count table of distinct combinations, never from
-- rows, and attribute by attribute: what is generalized on the first attributes already is shared by all points that agree on
-- these, and gets smaller with each (a roll-up, as in a data cube).
--
-- A point has an id, the mixed-radix number of its levels: the sum of level * stride over its attributes.

-- The levels of the attributes' values: d, level, code, ancestor (the node above the code at that level), leaves (values under it, in the whole
-- hierarchy), label. An attribute without a hierarchy has two levels: the value (with no label but itself), and '*'; its code -1 stands for values
-- that only the population has.
create or replace macro sqlanon._ladder(tree, tuples) as table
    select d, level, code, node as ancestor, hi - lo + 1 as leaves, label from query_table(tree)
    union all
    select d, unnest([0, 1]) as level, code, unnest([code, 0]) as ancestor, unnest([1, values]) as leaves, unnest([null, '*']) as label
    from (
        select d, unnest(codes || [-1]) as code, len(codes) as values
        from (
            select d, list(distinct code) as codes
            from (select unnest(range(1, len(codes) + 1))::integer as d, unnest(codes) as code
                  from (select list_value(*columns('^q\d+$')) as codes from query_table(tuples)))
            group by d
        )
    )
    where d not in (select d from query_table(tree));

-- The loss of an attribute, from 0 (nothing is generalized) to 1 (all is): the average share of the domain's leaves that a released value
-- covers, minus what a raw value covers already; a suppressed row covers all of them (Iyengar 2002, sec. 2; ARX's Loss, with its gs_factor:
-- below 0.5 suppressed rows count less, above 0.5 generalized ones). covered and lost: the sum of leaves over all and over suppressed rows.
create or replace macro sqlanon._attribute_loss(rows, covered, domain, suppressed, lost, gs_factor) as
    list_transform([{'g': least(1, 2 - 2 * gs_factor), 's': least(1, 2 * gs_factor)}], lambda weight:
        floor(greatest(0, coalesce(
            ((weight.g * (covered - lost) + (1 - weight.s) * lost) / domain + weight.s * suppressed - weight.g * rows / domain)
                / nullif(rows - weight.g * rows / domain, 0), 0)) * 1e10 + 1e-4) / 1e10)[1];

-- What every level of every attribute costs if no row is suppressed: d, level, height (the highest level), stride, domain (leaves in all),
-- rows, nodes (that have rows), covered (the sum over rows of the leaves under their node), loss, step (level / height: precision, Sweeney 2002,
-- sec. 4.2), and entropy (non-uniform, in bits: Gionis and Tassa 2009).
create or replace macro sqlanon._levels(ladder, tuples, gs_factor) as table
    with value as (
        select d, code, sum(weight)::bigint as n
        from (select unnest(range(1, len(codes) + 1))::integer as d, unnest(codes) as code, weight
              from (select list_value(*columns('^q\d+$')) as codes, weight from query_table(tuples)))
        group by all
    ),
    node as (
        select d, level, ancestor, any_value(leaves) as leaves, sum(n)::bigint as n, sum(n * log2(n)) as inner_entropy
        from query_table(ladder) join value using (d, code)
        where n > 0
        group by all
    ),
    level as (
        select d, level, sum(n)::bigint as rows, count(*) as nodes, sum(n * leaves)::hugeint as covered,
               list_sum(list_sort(list(n * log2(n) - inner_entropy))) as entropy
        from node group by all
    ),
    attribute as (
        select d, max(level) as height, max(leaves) as domain from query_table(ladder) group by all
    ),
    strided as (
        select *, coalesce(product(height + 1) over (order by d rows between unbounded preceding and 1 preceding), 1)::bigint as stride
        from attribute
    )
    select *, sqlanon._attribute_loss(rows, covered, domain, 0, 0, gs_factor) as loss, level / greatest(height, 1) as step
    from level join strided using (d);

-- What makes one point better than another: its cost, a list of numbers. Less is better, and the first number that differs decides (only the
-- rank of losses has more than one). how: by which measure, aggregate (of loss), monotonic or not, weights (of attributes).
create or replace macro sqlanon._by(measure, aggregate, monotonic, weights) as
    {'measure': measure, 'aggregate': aggregate, 'monotonic': monotonic, 'weights': weights};
create or replace macro sqlanon._aggregated(losses, aggregate) as
    case aggregate
        when 'geometric_mean' then [list_aggregate(list_transform(losses, lambda loss: 1 + loss), 'product') ** (1.0 / len(losses)) - 1]
        when 'arithmetic_mean' then [list_sum(losses) / len(losses)]
        when 'rank' then list_reverse_sort(losses)
    end;
create or replace macro sqlanon._weighted(numbers, weights) as
    list_transform(numbers, lambda number, i: number * weights[i] / list_max(weights));

-- What a point costs on its attributes; NULL where the measure is about classes.
create or replace macro sqlanon._attributes_cost(losses, entropies, steps, height, how) as
    case how.measure
        when 'loss' then sqlanon._aggregated(sqlanon._weighted(losses, how.weights), how.aggregate)
        when 'entropy' then [list_sum(sqlanon._weighted(entropies, how.weights))]
        when 'precision' then [list_sum(sqlanon._weighted(steps, how.weights)) / len(steps)]
        when 'height' then [height::double]
    end;

-- The cost of a point as _measured_points describes it. Monotonic: as if its suppressed rows were released, too.
create or replace macro sqlanon._cost(point, how) as
    case how.measure
        when 'discernibility' then [case when how.monotonic then point.all_squares else point.kept_squares + point.rows * point.suppressed end::double]
        when 'average_class_size' then [point.rows / case when how.monotonic then point.all_classes else point.kept + (point.suppressed > 0)::integer end]
        else sqlanon._attributes_cost(
            case when how.monotonic then point.least_losses else point.losses end,
            list_transform(point.entropies, lambda entropy, i: entropy + case when how.monotonic then 0 else point.lost_entropies[i] end),
            list_transform(point.steps, lambda step: step + case when how.monotonic then 0 else (1 - step) * point.suppressed / point.rows end),
            point.height, how)
    end;

-- What a point costs at least, known without looking at its classes: as if no row were suppressed.
create or replace macro sqlanon._least_cost(point, how) as sqlanon._attributes_cost(point.losses, point.entropies, point.steps, point.height, how);

-- The points of the lattice between two lists of levels (NULL: no bound) that do not cost more than at_most (NULL: no bound) for sure: id, l1, l2, ...,
-- height, least_cost.
create or replace macro sqlanon._points(levels, qi, min_levels, max_levels, how, at_most) as table
    select *
    from (select point.* exclude (losses, entropies, steps), sqlanon._least_cost(point, how) as least_cost
          from query(
              'select ' || sqlanon._each(qi, 'level{i}.level * level{i}.stride', ' + ') || ' as id, '
        || sqlanon._each(qi, 'level{i}.level as l{i}', ', ') || ', ' || sqlanon._each(qi, 'level{i}.level', ' + ') || ' as height, ['
        || sqlanon._each(qi, 'level{i}.loss', ', ') || '] as losses, [' || sqlanon._each(qi, 'level{i}.entropy', ', ') || '] as entropies, ['
        || sqlanon._each(qi, 'level{i}.step', ', ') || '] as steps from '
        || sqlanon._each(qi, '(from ' || levels || ' where d = {i} and level between coalesce((' || coalesce(min_levels::varchar, 'null') || '::integer[])[{i}], 0)'
                             || ' and coalesce((' || coalesce(max_levels::varchar, 'null') || '::integer[])[{i}], height)) as level{i}', ', ')) as point
    )
    where at_most is null or least_cost is null or least_cost <= at_most;

-- No rows, or an error where bounds on levels (a level per attribute, or NULL) ask for one that a hierarchy does not have, or contradict each other.
-- names: of the parameters least and most.
create or replace macro sqlanon._refuse_levels(levels, qi, least, most, names) as table
    with attribute as (select distinct sqlanon._list(qi)[d] as name, height, (least::integer[])[d] as lo, (most::integer[])[d] as hi from query_table(levels))
    select error(case when not coalesce(lo between 0 and height, true)
                      then names[1] || ' asks for level ' || lo || ' of column ' || name || ', which has levels 0 to ' || height
                      when not coalesce(hi between 0 and height, true)
                      then names[2] || ' asks for level ' || hi || ' of column ' || name || ', which has levels 0 to ' || height
                      else names[1] || ' (' || lo || ') is above ' || names[2] || ' (' || hi || ') for column ' || name
                 end) as refused
    from attribute
    where not (coalesce(lo between 0 and height, true) and coalesce(hi between 0 and height, true) and coalesce(lo <= hi, true));

-- The ways to points, one attribute at a time: d, id (what was chosen for the attributes before), next (id with a level chosen for this one), and for
-- every code of the attribute: code, ancestor (at that level).
create or replace macro sqlanon._ways(points, ladder, levels) as table
    with attribute as (select distinct d, stride, stride * (height + 1) as next_stride from query_table(levels)),
    choice as (
        select distinct d, id % stride as id, id % next_stride as next, (id % next_stride) // stride as level
        from (select id from query_table(points)) cross join attribute
    )
    select d, id, next, code, ancestor from choice join query_table(ladder) using (d, level);

-- The classes of points: id, q1, q2, ... (ancestors at the point's levels), s, weight. points: id. Every second attribute, and the last, is grouped by:
-- most of the work is in the groups.
create or replace macro sqlanon._rolled_up(points, tuples, ladder, levels, qi) as table
    from query(
        'with way as materialized (from sqlanon._ways(' || sqlanon._literal(points) || ', ' || sqlanon._literal(ladder) || ', ' || sqlanon._literal(levels) || ')),'
        || ' rolled0 as (select 0::bigint as id, columns(''^(q\d+|s|weight)$'') from ' || tuples || ')'
        || list_aggregate(list_transform(range(1, len(sqlanon._list(qi)) + 1), lambda i:
            ', rolled' || i || ' as (
                select rolled' || (i - 1) || '.* replace (next as id, ancestor as q' || i
            || case when i % 2 = 0 or i = len(sqlanon._list(qi)) then ', sum(weight)::bigint as weight' else '' end || ')
                from rolled' || (i - 1) || ' join way on way.d = ' || i || ' and way.id = rolled' || (i - 1) || '.id and way.code = q' || i
            || case when i % 2 = 0 or i = len(sqlanon._list(qi)) then ' group by all' else '' end || ')'), 'string_agg', '')
        || ' from rolled' || len(sqlanon._list(qi)));

-- The classes of points, judged: id, q1, q2, ..., size, people (of the population, in the class; NULL without one), hopeless (too small, or with too few sensitive
-- values, to meet the requirements, and so is every part of it), kept (does it meet every requirement). population: the population's tuples, or NULL.
-- about_sensitive: do requirements on sensitive values have a say (then, and only then, classes that are not
-- hopeless have histograms); by_unit: histograms count people (then they are made in any case). A class is
-- hopeless by its rows, and by its combinations of values, also where these tell whose they are: there are
-- never more people, nor more values.
create or replace macro sqlanon._judged_classes(
    points, tuples, population, ladder, levels, qi, about_sensitive, sensitive_values, marginal, sensitive_tree, requirement,
    by_unit := false) as table
    from query(
        'with rolled as ' || case when about_sensitive or by_unit then 'materialized ' else '' end || '(from sqlanon._rolled_up(' || sqlanon._literal(points) || ', '
        || sqlanon._literal(tuples) || ', ' || sqlanon._literal(ladder) || ', ' || sqlanon._literal(levels) || ', ' || sqlanon._names(qi) || ')),'
        || ' class as materialized ('
        || case when about_sensitive or by_unit
                then 'select columns(''^(id|q\d+)$''), sum(weight)::bigint as size,
                             sum(weight) < coalesce(any_value(req.k), 1) or count(*) < any_value(least_values) as hopeless
                      from rolled, ' || requirement || ', sqlanon._least_values(' || sqlanon._literal(marginal) || ', ' || sqlanon._literal(sensitive_tree) || ', '
                     || sqlanon._literal(requirement) || ') group by all'
                else 'select columns(''^(id|q\d+)$''), weight as size, weight < coalesce(req.k, 1) as hopeless from rolled, ' || requirement
           end || '),'
        || case when population is null then ' counted as (select *, null::bigint as people from class)'
                else ' resident as (select columns(''^(id|q\d+)$''), weight as people from sqlanon._rolled_up(' || sqlanon._literal(points) || ', '
                     || sqlanon._literal(population) || ', ' || sqlanon._literal(ladder) || ', ' || sqlanon._literal(levels) || ', ' || sqlanon._names(qi)
                     || ')), counted as (select class.*, coalesce(people, 0) as people from class left join resident using (id, '
                     || sqlanon._each(qi, 'q{i}', ', ') || '))'
           end || ','
        || case when about_sensitive or by_unit
                then ' promising as materialized (
                          select id, ' || sqlanon._each(qi, 'q{i}', ', ') || ', list_sort(list(s * 4294967296 + weight)) as histogram
                          from rolled join class using (id, ' || sqlanon._each(qi, 'q{i}', ', ') || ') where not hopeless group by all
                      ),
                      distinct_histogram as materialized (from sqlanon._distinct_histograms(''promising'')),
                      cell as materialized (from sqlanon._cells(''distinct_histogram'', ' || sqlanon._literal(sensitive_values) || ', ' || by_unit || ')),
                      good as (
                          select class_id
                          from sqlanon._measures(''cell'', ' || sqlanon._literal(marginal) || ', ' || sqlanon._literal(sensitive_tree) || ',
                                                 (select [req.t_distance] from ' || requirement || '), (select req.l from ' || requirement || '), ' || by_unit || ') as measured,
                               ' || requirement || ' as required
                          where attribute > 0 or ' || by_unit || '
                          group by class_id having bool_and(sqlanon._satisfies(measured, required.req))
                      ),
                      good_class as (
                          select id, ' || sqlanon._each(qi, 'q{i}', ', ') || ', true as good
                          from promising join distinct_histogram using (histogram) join good using (class_id)
                      ),
                      verdict as (from counted left join good_class using (id, ' || sqlanon._each(qi, 'q{i}', ', ') || '))'
                else ' verdict as (select *, not hopeless as good from counted)'
           end
        || ' select verdict.* exclude (good), coalesce(good, false)'
        || case when population is null then '' else ' and sqlanon._all_hold(sqlanon._class_verdicts(size, size, people, required.req))' end
        || ' as kept from verdict' || case when population is null then '' else ', ' || requirement || ' as required' end);

-- What points cost on their attributes, as lists in the order of qi: id, losses, least_losses (as if no row were suppressed), entropies (over all
-- rows), lost_entropies (of the suppressed rows alone), steps.
create or replace macro sqlanon._attribute_costs(points, classes, ladder, levels, qi, gs_factor) as table
    with point as (
        select id, unnest(range(1, len(chosen) + 1))::integer as d, unnest(chosen) as level
        from (select id, list_value(*columns('^l\d+$')) as chosen from query_table(points))
    ),
    marginal as (
        from query('select columns(''^(id|q\d+)$''), sum(size)::bigint as n from ' || classes || ' where not kept group by grouping sets ('
                   || sqlanon._each(qi, '(id, q{i})', ', ') || ')')
    ),
    suppressed as (
        select id, n, unnest(range(1, len(ancestors) + 1))::integer as d, unnest(ancestors) as ancestor  -- NULL on all attributes but one
        from (select id, n, list_value(*columns('^q\d+$')) as ancestors from marginal)
    ),
    node as (select d, level, ancestor, any_value(leaves) as leaves from query_table(ladder) group by all),
    suppression as (
        select id, d, sum(n)::bigint as suppressed, sum(n * leaves)::hugeint as lost,
               sum(n) * log2(sum(n)) - list_sum(list_sort(list(n * log2(n)))) as lost_entropy
        from suppressed join point using (id, d) join node using (d, level, ancestor)
        group by id, d
    )
    select id,
           list(sqlanon._attribute_loss(rows, covered, domain, coalesce(suppressed, 0), coalesce(lost, 0), gs_factor) order by d) as losses,
           list(loss order by d) as least_losses, list(entropy order by d) as entropies, list(coalesce(lost_entropy, 0) order by d) as lost_entropies,
           list(step order by d) as steps
    from point
    join query_table(levels) as levels using (d, level)
    left join suppression using (id, d)
    group by id;

-- How many rows and classes points have: id, rows, suppressed (rows), kept (classes), covered (people of the
-- population in kept classes; NULL without one), smallest (rows of the smallest kept class), all_classes,
-- kept_squares and all_squares (sums of squared class sizes).
create or replace macro sqlanon._totals(classes) as table
    select id, sum(size)::bigint as rows, coalesce(sum(size) filter (where not kept), 0)::bigint as suppressed,
           count(*) filter (where kept) as kept,
           case when count(people) > 0 then coalesce(sum(people) filter (where kept), 0) end::bigint as covered,
           min(size) filter (where kept) as smallest, count(*) as all_classes,
           coalesce(sum(size::hugeint * size) filter (where kept), 0) as kept_squares, sum(size::hugeint * size) as all_squares
    from query_table(classes) group by id;

-- Points, measured: id, l1, l2, ..., height, what _attribute_costs says, and what _totals says.
create or replace macro sqlanon._measured_points(points, classes, ladder, levels, qi, gs_factor) as table
    from query_table(points)
    join sqlanon._totals(classes) using (id)
    join sqlanon._attribute_costs(points, classes, ladder, levels, qi, gs_factor) using (id);

-- The lattice as users see it: a row per point. everybody: the people of the population, or NULL without one.
create or replace macro sqlanon._lattice_rows(points, classes, ladder, levels, qi, weights, gs_factor,
    everybody) as table
    select list_value(*columns('^l\d+$')) as levels, height, kept as classes, smallest, suppressed,
           everybody - covered as absent,
           sqlanon._cost(point, sqlanon._by('loss', 'geometric_mean', false, weights))[1] as loss_geometric_mean,
           sqlanon._cost(point, sqlanon._by('loss', 'arithmetic_mean', false, weights))[1] as loss_arithmetic_mean,
           sqlanon._cost(point, sqlanon._by('loss', 'rank', false, weights)) as loss_rank,
           sqlanon._cost(point, sqlanon._by('entropy', null, false, weights))[1] as entropy,
           sqlanon._cost(point, sqlanon._by('entropy', null, true, weights))[1] as entropy_monotonic,
           sqlanon._cost(point, sqlanon._by('discernibility', null, false, weights))[1] as discernibility,
           sqlanon._cost(point, sqlanon._by('discernibility', null, true, weights))[1] as discernibility_monotonic,
           sqlanon._cost(point, sqlanon._by('average_class_size', null, false, weights))[1] as average_class_size,
           sqlanon._cost(point, sqlanon._by('precision', null, false, weights))[1] as precision,
           sqlanon._cost(point, sqlanon._by('precision', null, true, weights))[1] as precision_monotonic
    from sqlanon._measured_points(points, classes, ladder, levels, qi, gs_factor) as point;
