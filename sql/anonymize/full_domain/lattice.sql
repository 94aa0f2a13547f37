-- The generalization lattice: every way to generalize each quasi-identifier to one level of its hierarchy,
-- for all rows alike (full-domain generalization: Samarati 2001, sec. 4; LeFevre, DeWitt and Ramakrishnan
-- 2005, Incognito, sec. 2).
--
-- A point of the lattice is a level per attribute. Its classes are made from the counts of distinct
-- combinations, never from rows, one attribute after the other. Points that agree on the first attributes
-- share the counts that are generalized on these, and the counts get fewer with every attribute (a roll-up,
-- as in a data cube).
--
-- A point has an id, the mixed-radix number of its levels: the sum of level * stride over its attributes.

-- The codes of tuples, a row per tuple and attribute: d, code, weight.
create or replace macro sqlanon._attribute_codes(tuples) as table
    select unnest(range(1, len(codes) + 1))::integer as d, unnest(codes) as code, weight
    from (select list_value(*columns('^q\d+$')) as codes, weight from query_table(tuples));

-- The levels of the attributes' values: d, level, code, ancestor (the node above the code at that level),
-- leaves (values under it, in the whole hierarchy), label. An attribute without a hierarchy has two levels:
-- the value (with no label but itself), and '*'; its code -1 stands for values that only the population
-- has.
create or replace macro sqlanon._ladder(tree, tuples) as table
    select d, level, code, node as ancestor, hi - lo + 1 as leaves, label from query_table(tree)
    union all
    select d, unnest([0, 1]) as level, code, unnest([code, 0]) as ancestor, unnest([1, values]) as leaves,
           unnest([null, '*']) as label
    from (
        select d, unnest(codes || [-1]) as code, len(codes) as values
        from (select d, list(distinct code) as codes from sqlanon._attribute_codes(tuples) group by d)
    )
    where d not in (select d from query_table(tree));

-- The loss of an attribute, from 0 (nothing is generalized) to 1 (all is): the average share of the
-- domain's leaves that a released value covers, minus what a raw value covers already; a suppressed row
-- covers all of them (Iyengar 2002, sec. 2; ARX's Loss, with its gs_factor: below 0.5 suppressed rows count
-- less, above 0.5 generalized ones). covered and lost: the sum of leaves over all and over suppressed rows.
create or replace macro sqlanon._attribute_loss(rows, covered, domain, suppressed, lost, gs_factor) as
    sqlanon._let({'g': least(1, 2 - 2 * gs_factor), 's': least(1, 2 * gs_factor)}, lambda weight:
        floor(greatest(0, coalesce(
            ((weight.g * (covered - lost) + (1 - weight.s) * lost) / domain
             + weight.s * suppressed - weight.g * rows / domain)
                / nullif(rows - weight.g * rows / domain, 0), 0)) * 1e10 + 1e-4) / 1e10);

-- What every level of every attribute costs if no row is suppressed: d, level, height (the highest level),
-- stride, domain (leaves in all), rows, nodes (that have rows), covered (the sum over rows of the leaves
-- under their node), loss, step (level / height: precision, Sweeney 2002, sec. 4.2), and entropy
-- (non-uniform, in bits: Gionis and Tassa 2009).
create or replace macro sqlanon._levels(ladder, tuples, gs_factor) as table
    with value as (
        select d, code, sum(weight)::bigint as n from sqlanon._attribute_codes(tuples) group by all
    ),
    node as (
        select d, level, ancestor, any_value(leaves) as leaves, sum(n)::bigint as n,
               sum(n * log2(n)) as inner_entropy
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
        select *, coalesce(product(height + 1) over before, 1)::bigint as stride
        from attribute window before as (order by d rows between unbounded preceding and 1 preceding)
    )
    select *, sqlanon._attribute_loss(rows, covered, domain, 0, 0, gs_factor) as loss,
           level / greatest(height, 1) as step
    from level join strided using (d);

-- What makes one point better than another: its cost, a list of numbers. Less is better, and the first
-- number that differs decides (only the rank of losses has more than one). how: by which measure, aggregate
-- (of loss), monotonic or not, weights (of attributes).
create or replace macro sqlanon._by(measure, aggregate, monotonic, weights) as
    {'measure': measure, 'aggregate': aggregate, 'monotonic': monotonic, 'weights': weights};

-- The losses of attributes as one cost.
create or replace macro sqlanon._aggregated(losses, aggregate) as
    case aggregate
        when 'geometric_mean'
        then [list_aggregate(list_transform(losses, lambda loss: 1 + loss), 'product')
              ** (1.0 / len(losses)) - 1]
        when 'arithmetic_mean' then [list_sum(losses) / len(losses)]
        when 'rank' then list_reverse_sort(losses)
    end;

-- Numbers of attributes by their weights: those of the heaviest as they are.
create or replace macro sqlanon._weighted(numbers, weights) as
    list_transform(numbers, lambda number, i: number * weights[i] / list_max(weights));

-- What a point costs on each of its attributes; NULL where the measure is about classes, or the height.
create or replace macro sqlanon._parts_of_cost(losses, entropies, steps, how) as
    case how.measure
        when 'loss' then sqlanon._weighted(losses, how.weights)
        when 'entropy' then sqlanon._weighted(entropies, how.weights)
        when 'precision' then sqlanon._weighted(steps, how.weights)
    end;

-- These as one cost. It is no less where a part is more.
create or replace macro sqlanon._cost_of_parts(parts, how) as
    case how.measure
        when 'loss' then sqlanon._aggregated(parts, how.aggregate)
        when 'entropy' then [list_sum(parts)]
        when 'precision' then [list_sum(parts) / len(parts)]
    end;

-- The parts of what a point costs, by each measure that has them, and what it costs by the others. point: as
-- _measured_points describes it. Monotonic: as if its suppressed rows were released, too.
create or replace macro sqlanon._loss_parts(point, how) as
    sqlanon._weighted(if(how.monotonic, point.least_losses, point.losses), how.weights);
create or replace macro sqlanon._entropy_parts(point, how) as
    sqlanon._weighted(
        list_transform(point.entropies, lambda entropy, i:
            entropy + if(how.monotonic, 0, point.lost_entropies[i])), how.weights);
create or replace macro sqlanon._precision_parts(point, how) as
    sqlanon._weighted(
        list_transform(point.steps, lambda step:
            step + if(how.monotonic, 0, (1 - step) * point.suppressed / point.rows)), how.weights);
create or replace macro sqlanon._discernibility_cost(point, how) as
    [if(how.monotonic, point.all_squares, point.kept_squares + point.rows * point.suppressed)::double];
create or replace macro sqlanon._average_class_size_cost(point, how) as
    [point.rows / if(how.monotonic, point.all_classes, point.kept + (point.suppressed > 0)::integer)];
create or replace macro sqlanon._height_cost(point, how) as [point.height::double];

-- All points between two lists of levels (NULL: no bound): id, l1, l2, ..., height, and lists with a number
-- per attribute: losses, entropies, steps.
create or replace macro sqlanon._points_between(levels, qi, min_levels, max_levels) as table
    from query(sqlanon._fill($$
        select {id} as id, {own_levels}, {height} as height, [{losses}] as losses, [{entropies}] as entropies,
               [{each_of qi: level{i}.step}] as steps
        from {choices}
    $$, map {
        'id': sqlanon._each_of(qi, 'level{i}.level * level{i}.stride', ' + '),
        'own_levels': sqlanon._each_of(qi, 'level{i}.level as l{i}', ', '),
        'height': sqlanon._each_of(qi, 'level{i}.level', ' + '),
        'losses': sqlanon._each_of(qi, 'level{i}.loss', ', '),
        'entropies': sqlanon._each_of(qi, 'level{i}.entropy', ', '),
        'choices': sqlanon._each_filled(qi, $$
            (from {levels}
             where d = {i}
               and level between coalesce(({least})[{i}], 0) and coalesce(({most})[{i}], height)) as level{i}
        $$, map {
            'least': sqlanon._constant(min_levels::integer[]),
            'most': sqlanon._constant(max_levels::integer[])}, ', ')}));

-- How many points a search writes down at most, which takes a few hundred megabytes.
create or replace macro sqlanon._most_points() as 2000000;

-- The levels, or an error where there are too many points between the bounds.
create or replace macro sqlanon._levels_of_few_points(levels, qi, min_levels, max_levels) as table
    with amount as materialized (
        select product(points) as points
        from (
            select d, count(distinct level) as points from query_table(levels)
            where level between coalesce((min_levels::integer[])[d], 0)
                            and coalesce((max_levels::integer[])[d], level)
            group by d
        )
    )
    select levels.*
    from query_table(levels) as levels, amount
    where points <= sqlanon._most_points() or error(sqlanon._too_many_points(points));
create or replace macro sqlanon._too_many_points(points) as
    format('the levels of these quasi-identifiers have {:,} combinations, and a search looks at {:,} at '
           'most: take fewer quasi-identifiers, hierarchies of fewer levels, or optimal, which in Python '
           'takes more with a time_limit, or fewer with min_levels and max_levels',
           points::hugeint, sqlanon._most_points());

-- Those of them that do not cost more than at_most (NULL: no bound, and then there may not be too many of
-- them) for sure: id, l1, l2, ..., height, plain_parts and least_cost (known without looking at classes: as
-- if no row were suppressed).
create or replace macro sqlanon._points(levels, qi, min_levels, max_levels, how, at_most) as table
    with few as materialized (
        from query(if(at_most is null, {call _levels_of_few_points}, 'from ' || levels))
    )
    from (
        select *, if(how['measure'] = 'height', [height::double],
                     sqlanon._cost_of_parts(plain_parts, how)) as least_cost
        from (
            select * exclude (losses, entropies, steps),
                   sqlanon._parts_of_cost(losses, entropies, steps, how) as plain_parts
            from sqlanon._points_between('few', qi, min_levels, max_levels)
        )
    )
    where at_most is null or least_cost is null or least_cost <= at_most;

create or replace macro sqlanon._no_such_level(parameter, level, name, height) as
    parameter || ' asks for level ' || level || ' of column ' || name || ', which has levels 0 to ' || height;

-- No rows, or an error where bounds on levels (a level per attribute, or NULL) ask for one that a hierarchy
-- does not have, or contradict each other. names: of the parameters least and most.
create or replace macro sqlanon._refuse_levels(levels, qi, least, most, names) as table
    with attribute as (
        select distinct qi[d] as name, height,
               (least::integer[])[d] as lo, (most::integer[])[d] as hi
        from query_table(levels)
    )
    select error(case when lo not between 0 and height then sqlanon._no_such_level(names[1], lo, name, height)
                      when hi not between 0 and height then sqlanon._no_such_level(names[2], hi, name, height)
                      else names[1] || ' (' || lo || ') is above ' || names[2] || ' (' || hi
                           || ') for column ' || name
                 end) as refused
    from attribute
    where lo not between 0 and height or hi not between 0 and height or lo > hi;

-- Codes are packed, two to a number: the work is in groups, and by few numbers it takes half the time. The
-- codes of attributes 1 and 2 are pair1 (a digit each, the code and one), those of 3 and 4 pair2, and so on.
create or replace macro sqlanon._pair(i) as 'pair' || (i + 1) // 2;
create or replace macro sqlanon._place(i) as if(i % 2 = 1, 4294967296, 1);
create or replace macro sqlanon._digit(i) as
    sqlanon._pair(i) || if(i % 2 = 1, ' >> 32', ' & 4294967295');

create or replace macro sqlanon._pairs(qi) as
    list_aggregate(
        list_transform(range(1, len(qi) + 1, 2), lambda i: sqlanon._pair(i)),
        'string_agg', ', ');

-- Columns of pairs from those of codes, and the other way round, as texts of a select list.
create or replace macro sqlanon._packed_codes(qi) as
    list_aggregate(
        list_transform(range(1, len(qi) + 1, 2), lambda i:
            '(q' || i || '::bigint + 1) * 4294967296'
            || if(i < len(qi), ' + (q' || i + 1 || ' + 1)', '') || ' as ' || sqlanon._pair(i)),
        'string_agg', ', ');
create or replace macro sqlanon._unpacked_codes(qi) as
    list_aggregate(
        list_transform(qi, lambda name, i:
            '((' || sqlanon._digit(i) || ') - 1)::integer as q' || i),
        'string_agg', ', ');

-- The ways to points, one attribute at a time: d, id (what was chosen for the attributes before), next (id
-- with a level chosen for this one), and for every code of the attribute: digit (that a pair has for it), and
-- change (of the pair: to the ancestor at that level).
create or replace macro sqlanon._ways(points, ladder, levels) as table
    with attribute as (
        select distinct d, stride, stride * (height + 1) as next_stride from query_table(levels)
    ),
    choice as (
        select distinct d, id % stride as id, id % next_stride as next, (id % next_stride) // stride as level
        from (select id from query_table(points)) cross join attribute
    )
    select d, id, next, code::bigint + 1 as digit,
           (ancestor - code)::bigint * sqlanon._place(d) as change
    from choice join query_table(ladder) using (d, level);

-- The roll-up of the ith attribute, the text of a CTE. groups: equal rows become one. (Each row has a way. A
-- left join says that there are many of them: DuckDB would build a hash table of them otherwise.)
create or replace macro sqlanon._rollup(i, groups) as
    replace(replace(replace(replace(replace($$,
        rolled[i] as (
            select [before].* replace (next as id, [pair] + change as [pair] [weight])
            from [before] left join way on way.d = [i] and way.id = [before].id and way.digit = [digit]
            [group]
        )$$,
        '[weight]', if(groups, ', sum(weight)::bigint as weight', '')),
        '[group]', if(groups, 'group by all', '')),
        '[digit]', '(' || sqlanon._digit(i) || ')'), '[pair]', sqlanon._pair(i)),
        '[before]', 'rolled' || (i - 1)).replace('[i]', i::varchar);

-- The classes of points: id, pair1, pair2, ... (of the ancestors at the point's levels), s, weight. points:
-- id. Every fourth attribute, and the last, is grouped by.
create or replace macro sqlanon._rolled_up(points, tuples, ladder, levels, qi) as table
    from query(sqlanon._fill($$
        with way as materialized (from sqlanon._ways({=points}, {=ladder}, {=levels})),
        rolled0 as (select 0::bigint as id, {pairs}, s, weight from {tuples})
        {rollups}
        from rolled{last}
    $$, map {
        'pairs': sqlanon._packed_codes(qi), 'last': len(qi)::varchar,
        'rollups': list_aggregate(list_transform(qi, lambda name, i:
            sqlanon._rollup(i, i % 4 = 0 or i = len(qi))), 'string_agg', '')}));

-- The classes of points: id, pair1, pair2, ..., size, hopeless (too small, or with too few sensitive values,
-- to meet the requirements, and so is every part of it). A class is hopeless by its rows, and by its
-- combinations of values, also where these tell whose they are: there are never more people, nor more
-- values. By values also histogram, of those that are not hopeless. rolled: as in _rolled_up.
create or replace macro sqlanon._classes_by_size(rolled, requirement) as table
    select columns('^(id|pair\d+)$'), weight as size, weight < coalesce(req.k, 1) as hopeless
    from query_table(rolled), query_table(requirement);
create or replace macro sqlanon._classes_by_values(rolled, marginal, sensitive_tree, requirement) as table
    with class as (
        select columns('^(id|pair\d+)$'), sum(weight)::bigint as size, list(s * 4294967296 + weight) as cells
        from query_table(rolled) group by all
    ),
    judged as (
        select *, size < coalesce(req.k, 1) or len(cells) < least_values as hopeless
        from class, query_table(requirement),
             sqlanon._least_values(marginal, sensitive_tree, requirement)
    )
    select columns('^(id|pair\d+|size|hopeless)$'), if(hopeless, null, list_sort(cells)) as histogram
    from judged;

-- The share of a class's rows that its parts keep at most where each of these, or none of its rows, is to
-- reach what is required; NULL where the class reaches it. No row is farther from that than extreme, and what
-- a class reaches is no farther than the mean of its parts: share * required + (1 - share) * extreme. (Where
-- the two are close, rounding errors would count.)
create or replace macro sqlanon._keepable(reached, required, extreme) as
    case when (reached - required) * (extreme - required) > 0 and abs(extreme - required) > 1e-3
         then (extreme - reached) / (extreme - required) end;

-- The distance that t is about.
create or replace macro sqlanon._distance(measured, req) as
    case req.t_distance when 'ordered' then measured.t_ordered
                        when 'hierarchical' then measured.t_hierarchical else measured.t_equal end;

-- The histograms of classes, judged: histogram, good (does it meet what is required of sensitive values, and
-- by_unit of people), keepable (the share of the rows that parts of a class keep at most). What one meets is
-- found once for all classes that have it. composition: what known releases leave, or NULL without any. The
-- classes below 0 have one value each: nothing is farther from the table than the farthest of these.
create or replace macro sqlanon._judged_histograms(
    classes, sensitive_values, marginal, sensitive_tree, requirement, by_unit, composition) as table
    with promising as (from query_table(classes) where not hopeless),
    distinct_histogram as materialized (from sqlanon._distinct_histograms('promising')),
    packed as materialized (from sqlanon._unpacked('distinct_histogram')),
    cell as materialized (
        select * from sqlanon._histograms('packed', sensitive_values, by_unit) where attribute > 0 or by_unit
        union all by name
        select -1 - code as class_id, attribute, code, 1 as n from query_table(marginal)
        where n > 0 and not by_unit
    ),
    losing as (
        from query(sqlanon._if_given(
            composition, 'null::bigint as class_id', {call _losing: cells := 'packed', by_unit := false}))
    ),
    measured as materialized (
        select class_id, attribute, req, sqlanon._distance(measured, req) as distance,
               sqlanon._satisfies(measured, req) as satisfies,
               least(1, sqlanon._keepable(alpha, req.alpha, 1),
                     sqlanon._keepable(ln(entropy_l), ln(req.entropy_l), 0)) as keepable
        from sqlanon._measures_for('cell', marginal, sensitive_tree, requirement, by_unit) as measured,
             query_table(requirement)
    ),
    farthest as (
        select attribute, max(distance) as farthest from measured where class_id < 0 group by attribute
    ),
    judged as (
        select class_id, bool_and(satisfies) as good,
               min(least(keepable, sqlanon._keepable(distance, req.t, farthest))) as keepable
        from measured left join farthest using (attribute)
        where class_id > 0
        group by class_id
    )
    -- (Two parts of a class in which somebody has a row each may meet what they do not meet together.)
    select histogram, good and losing.class_id is null as good, if(by_unit, 1, keepable) as keepable
    from distinct_histogram join judged using (class_id) left join losing using (class_id);

-- Classes with the people of the population in them: people (NULL without a population).
create or replace macro sqlanon._classes_with_residents(
    classes, points, population, ladder, levels, qi) as table
    from query(
        case when population is null then 'select *, null::bigint as people from ' || classes
             else sqlanon._fill($$
                 select class.*, coalesce(resident.weight, 0) as people
                 from {classes} as class
                 left join sqlanon._rolled_up({=points}, {population}, {=ladder}, {=levels}, {qi}) as resident
                     using (id, {pairs})
             $$, map {
                 'population': sqlanon._literal(population), 'qi': sqlanon._names_of(qi),
                 'pairs': sqlanon._pairs(qi)}) end);

-- The classes of points, judged: id, pair1, pair2, ..., size, people (of the population, in the class; NULL
-- without one), hopeless, doomed (rows that no part of it can keep either), kept (does it meet every
-- requirement). population: the population's tuples, or NULL. about_sensitive: do requirements on sensitive
-- values have a say? by_unit: histograms count people. rolled: as in _rolled_up.
create or replace macro sqlanon._judged_rollup(
    rolled, points, population, ladder, levels, qi, about_sensitive, sensitive_values, marginal,
    sensitive_tree, requirement, by_unit := false, composition := null) as table
    from query(
        case when about_sensitive or by_unit
             then {call _classes_judged_by_values}
             else {call _classes_judged_by_size} end);

-- The same of points that are to be rolled up from tuples.
create or replace macro sqlanon._judged_classes(
    points, tuples, population, ladder, levels, qi, about_sensitive, sensitive_values, marginal,
    sensitive_tree, requirement, by_unit := false, composition := null) as table
    with rolled as (from sqlanon._rolled_up(points, tuples, ladder, levels, qi))
    from {sqlanon._judged_rollup: rolled := 'rolled'};

create or replace macro sqlanon._classes_judged_by_size(
    rolled, points, population, ladder, levels, qi, requirement) as table
    with class as materialized (from sqlanon._classes_by_size(rolled, requirement)),
    counted as (from sqlanon._classes_with_residents('class', points, population, ladder, levels, qi))
    select counted.*, if(hopeless, size, 0) as doomed,
           not hopeless and sqlanon._class_satisfies(size, size, people, required.req) as kept
    from counted, query_table(requirement) as required;

create or replace macro sqlanon._classes_judged_by_values(
    rolled, points, population, ladder, levels, qi, sensitive_values, marginal, sensitive_tree, requirement,
    by_unit, composition) as table
    with class as materialized (
        from sqlanon._classes_by_values(rolled, marginal, sensitive_tree, requirement)
    ),
    counted as (from sqlanon._classes_with_residents('class', points, population, ladder, levels, qi)),
    judged as (from {sqlanon._judged_histograms: classes := 'class'})
    select counted.* exclude (histogram),
           if(hopeless, size, size - floor(size * (judged.keepable + 1e-9) + 1e-6))::bigint as doomed,
           coalesce(judged.good, false) and sqlanon._class_satisfies(size, size, people, required.req) as kept
    from counted left join judged using (histogram), query_table(requirement) as required;

-- What points cost on their attributes, as lists in the order of qi: id, losses, least_losses (as if no row
-- were suppressed), entropies (over all rows), lost_entropies (of the suppressed rows alone), steps. classes:
-- those that are suppressed.
create or replace macro sqlanon._attribute_costs(points, classes, ladder, levels, qi, gs_factor) as table
    with point as (
        select id, unnest(range(1, len(chosen) + 1))::integer as d, unnest(chosen) as level
        from (select id, list_value(*columns('^l\d+$')) as chosen from query_table(points))
    ),
    suppressed as (
        from query(sqlanon._fill($$
            select id, d, ancestor, sum(size)::bigint as n
            from (select id, size, unnest([{each_of qi: {i}}]) as d, unnest([{each_of qi: q{i}}]) as ancestor
                  from (select id, size, {codes} from {classes}))
            group by all
        $$, map {'codes': sqlanon._unpacked_codes(qi)}))
    ),
    node as (select d, level, ancestor, any_value(leaves) as leaves from query_table(ladder) group by all),
    suppression as (
        select id, d, sum(n)::bigint as suppressed, sum(n * leaves)::hugeint as lost,
               sum(n) * log2(sum(n)) - list_sum(list_sort(list(n * log2(n)))) as lost_entropy
        from suppressed join point using (id, d) join node using (d, level, ancestor)
        group by id, d
    )
    select id,
           list(sqlanon._attribute_loss(
               rows, covered, domain, coalesce(suppressed, 0), coalesce(lost, 0), gs_factor)
               order by d) as losses,
           list(loss order by d) as least_losses, list(entropy order by d) as entropies,
           list(coalesce(lost_entropy, 0) order by d) as lost_entropies, list(step order by d) as steps
    from point
    join query_table(levels) as levels using (d, level)
    left join suppression using (id, d)
    group by id;

-- How many rows and classes points have: id, rows, suppressed (rows), kept (classes), covered (people of the
-- population in kept classes; NULL without one), smallest (rows of the smallest kept class), all_classes,
-- kept_squares and all_squares (sums of squared class sizes).
create or replace macro sqlanon._totals(classes) as table
    select id, sum(size)::bigint as rows,
           coalesce(sum(size) filter (where not kept), 0)::bigint as suppressed,
           count(*) filter (where kept) as kept,
           case when count(people) > 0
                then coalesce(sum(people) filter (where kept), 0) end::bigint as covered,
           min(size) filter (where kept) as smallest, count(*) as all_classes,
           coalesce(sum(size::hugeint * size) filter (where kept), 0) as kept_squares,
           sum(size::hugeint * size) as all_squares
    from query_table(classes) group by id;

-- Points, measured: id, l1, l2, ..., height, what _attribute_costs says, and what _totals says.
create or replace macro sqlanon._measured_points(points, classes, ladder, levels, qi, gs_factor) as table
    with suppressed_class as (from query_table(classes) where not kept)
    from query_table(points)
    join sqlanon._totals(classes) using (id)
    join sqlanon._attribute_costs(points, 'suppressed_class', ladder, levels, qi, gs_factor) using (id);

-- A point measured by what lattice tells.
create or replace macro sqlanon._loss_of(point, aggregate, weights) as
    sqlanon._let(sqlanon._by('loss', aggregate, false, weights), lambda how:
        sqlanon._cost_of_parts(sqlanon._loss_parts(point, how), how));
create or replace macro sqlanon._entropy_of(point, monotonic, weights) as
    sqlanon._let(sqlanon._by('entropy', null, monotonic, weights), lambda how:
        sqlanon._cost_of_parts(sqlanon._entropy_parts(point, how), how)[1]);
create or replace macro sqlanon._precision_of(point, monotonic, weights) as
    sqlanon._let(sqlanon._by('precision', null, monotonic, weights), lambda how:
        sqlanon._cost_of_parts(sqlanon._precision_parts(point, how), how)[1]);
create or replace macro sqlanon._discernibility_of(point, monotonic) as
    sqlanon._discernibility_cost(point, {'monotonic': monotonic})[1];
create or replace macro sqlanon._average_class_size_of(point) as
    sqlanon._average_class_size_cost(point, {'monotonic': false})[1];

-- The lattice as users see it: a row per point. residents: the population's tuples, or NULL without one.
create or replace macro sqlanon._lattice_rows(
    points, classes, ladder, attribute_levels, residents, qi, weights, gs_factor) as table
    with everybody as (
        from query(if(residents is null, 'select null::bigint as people',
                      'select sum(weight)::bigint as people from ' || residents))
    ),
    measured as (from sqlanon._measured_points(points, classes, ladder, attribute_levels, qi, gs_factor))
    select columns(lambda c: c <> 'absent' or residents is not null)
    from (
        select list_value(*columns('^l\d+$')) as levels, height, kept as classes, smallest, suppressed,
               people - covered as absent,
               sqlanon._loss_of(measured, 'geometric_mean', weights)[1] as loss_geometric_mean,
               sqlanon._loss_of(measured, 'arithmetic_mean', weights)[1] as loss_arithmetic_mean,
               sqlanon._loss_of(measured, 'rank', weights) as loss_rank,
               sqlanon._entropy_of(measured, false, weights) as entropy,
               sqlanon._entropy_of(measured, true, weights) as entropy_monotonic,
               sqlanon._discernibility_of(measured, false) as discernibility,
               sqlanon._discernibility_of(measured, true) as discernibility_monotonic,
               sqlanon._average_class_size_of(measured) as average_class_size,
               sqlanon._precision_of(measured, false, weights) as precision,
               sqlanon._precision_of(measured, true, weights) as precision_monotonic
        from measured, everybody
    )
    order by height, levels;
