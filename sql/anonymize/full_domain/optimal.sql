-- The best point of the lattice: exact, by branch and bound with predictive tagging.
--
-- The least cost of a point is what it would cost if no row were suppressed, and follows from its levels
-- alone. Once a point is found that fits (no more rows are suppressed than allowed), all points are out whose
-- least cost is not below its cost. Where the requirements are monotone, all points below one that does not
-- fit do not fit, either, and are out, too (Samarati 2001; LeFevre, DeWitt and Ramakrishnan 2005, Incognito;
-- El Emam et al. 2009, OLA; Kohlmayer et al. 2012, Flash). Where they are not monotone, some rows of a class
-- are lost at each point below all the same (doomed, in lattice.sql): the parts of a class that is too far
-- from the whole table cannot all be near it. If these rows are more than may be suppressed, the point is
-- out, with all points below it. If they are fewer, what they cost (the toll) is added to the least cost of
-- the points below.
--
-- The state of the search has a row per point that is not out. One step looks at a batch of open points
-- together. The columns:
--   * step: the number of steps made so far; id, l1, l2, ..., height: the point.
--   * plain_parts: the parts of its least cost, one per attribute; NULL where they do not say what it costs
--     at least.
--   * least_cost; status: open, fits, or fails; cost: of a point that fits.
--   * suppressed, kept: rows; absent: people who must be in a class, and are in none that is kept; smallest:
--     the size of the smallest class. NULL before the point is looked at.

-- Nothing that fits stops to fit when it is generalized further: with no suppression, all models (each is
-- convex: two classes that satisfy it satisfy it together); with suppression, those that a larger class never
-- loses. That is dmin, too, where everybody must be in a class that is kept: then nothing is suppressed but
-- classes without people. With a unit k alone: in two classes together somebody who is in both has more
-- values, and counts once, so that those who have the most frequent value may become a larger share.
-- everybody: as in _needed_people.
create or replace macro sqlanon._is_monotone(req, suppression_limit, everybody, by_unit := false) as
    (everybody > 0 or not sqlanon._needs_everybody(req))
    and (not by_unit or req.l is null)
    and ((suppression_limit = 0 and not by_unit)
         or coalesce({requirements of both but dmin: req.{id}}) is null)
    and {requirements of neither joined by and: req.{id} is null};

-- Better comes first: less cost, then less height, then the smaller id.
create or replace macro sqlanon._order_of_points(cost, height, id) as
    {'cost': cost, 'height': height, 'id': id};

-- What suppressed rows add to each part of a point's cost, its toll; NULL if they add nothing. The points
-- below suppress the same rows and maybe more, and their other costs on an attribute are no higher, so that
-- each suppressed row adds no less to it: a row that covered fewer leaves loses more, more rows at a finer
-- level have more entropy to lose, and a lower step has more left to the top.
create or replace macro sqlanon._toll(parts, plain_parts) as
    sqlanon._let(list_transform(parts, lambda part, i: part - plain_parts[i]), lambda toll:
        if(list_sum(toll) > 0, toll, null));

-- What a point costs at least that has to pay a toll. (A billionth less, for rounding errors.)
create or replace macro sqlanon._cost_with_toll(plain_parts, toll, how) as
    case when toll is not null
         then list_transform(
             sqlanon._cost_of_parts(list_transform(plain_parts, lambda part, i: part + toll[i]), how),
             lambda cost: cost * (1 - 1e-9) - 1e-9)
    end;

-- The state before the first step, once there is nothing to refuse: step, id, l1, l2, ..., height,
-- plain_parts, least_cost, status, cost, suppressed, absent, kept, smallest. refusals: refused, an error
-- raised when it is read; read first.
create or replace macro sqlanon._search_start(points, refusals) as table
    select 0 as step, point.*, 'open' as status, null::double[] as cost, null::bigint as suppressed,
           null::bigint as absent, null::bigint as kept, null::bigint as smallest
    from (select count(refused) as refused from query_table(refusals))
    left join query_table(points) as point on true
    where refused = 0;

-- The points to look at next: id, l1, l2, ..., height. strategy: all; middle (those at the middle height:
-- Samarati's binary search; many of them in parts, by their ids, as the first that fits is the best of its
-- height); or bounds: an eighth of the batch has the least bounds, the rest is a sample of the upper half by
-- height (what lies high has few classes, and says most about what lies below). Points that differ on the
-- last two attributes alone are in a sample together: they share most of the roll-up. Batches double (32,
-- 64, ...) as far as about eight million tuples are read.
create or replace macro sqlanon._batch(state, tuples, strategy) as table
    with open_point as (
        select columns('^(id|l\d+|height|least_cost|step)$'), list_value(*columns('^l\d+$')) as levels
        from query_table(state) where status = 'open'
    ),
    affordable as (
        select greatest(8, 8000000 // greatest(count(*), 1)) as points from query_table(tuples)
    ),
    total as (
        select count(*) as points, (min(height) + max(height)) // 2 as middle,
               quantile_disc(height, 0.5) as median,
               least(32 * 2 ** least(any_value(step), 5), any_value(affordable.points))::bigint as size
        from open_point, affordable
    ),
    least_bounds as (
        select id from open_point
        order by least_cost nulls first, height, id limit (select size // 8 from total)
    ),
    first_of_middle as (
        select id from open_point, total where strategy = 'middle' and height = middle
        order by id limit (select least(points, 20000) from affordable)
    ),
    sample as (
        select id from open_point, total where height >= median
        order by hash(levels[:-3]), id limit (select size - size // 8 from total)
    )
    select columns('^(id|l\d+|height)$')
    from open_point, total
    where case strategy
              when 'middle' then id in (from first_of_middle)
              when 'bounds' then total.points <= size or id in (from least_bounds) or id in (from sample)
              else true
          end;

-- The open points of a state below others (on no attribute more general) that are hopeless or have a toll:
-- id, hopeless (is one of these), and the highest toll (all in all).
create or replace macro sqlanon._open_below(state, looked_at, qi, strategy) as table
    from query(if(strategy = 'middle', {call _open_below_a_height}, {call _open_below_each}));
create or replace macro sqlanon._open_below_each(state, looked_at, qi) as table
    from query(sqlanon._fill($$
        select low.id, bool_or(high.hopeless) as hopeless, arg_max(high.toll, list_sum(high.toll)) as toll
        from {state} as low join {looked_at} as high on {each_of qi and: low.l{i} <= high.l{i}}
        where low.status = 'open' and (high.hopeless or high.toll is not null)
        group by low.id
    $$));

-- The same where the others are points of one height. If none of that height fits, no lower one does:
-- Samarati's search supposes that, whatever is required. Otherwise pairs of points are compared, as long as
-- these are not so many that it takes longer than to look at what it would rule out.
create or replace macro sqlanon._open_below_a_height(state, looked_at, qi) as table
    with low as (
        select id, columns('^l\d+$'), height, status
        from query_table(state) where id not in (select id from query_table(looked_at))
    ),
    amount as materialized (
        select any_value(height) as height, bool_or(fits) as fits,
               count(*) filter (hopeless) * (select count(*) from low) as pairs
        from query_table(looked_at)
    ),
    over as materialized (
        select not fits and not exists (
                   from low where low.height = amount.height and status in ('open', 'fits')) as is_over
        from amount
    ),
    compared as (
        from query_table(looked_at)
        where hopeless and (select not is_over and pairs <= 100000000 from amount, over)
    )
    select id, true as hopeless, null::double[] as toll
    from low, amount where status = 'open' and low.height < amount.height and (select is_over from over)
    union all
    from sqlanon._open_below_each('low', 'compared', qi);

-- The open points of a state above others that have a floor, and the highest of these: id, floor.
create or replace macro sqlanon._open_above(state, others, qi) as table
    from query(sqlanon._fill($$
        select high.id, max(low.floor) as floor
        from {state} as high join {others} as low on {each_of qi and: high.l{i} >= low.l{i}}
        where high.status = 'open' and low.floor is not null
        group by high.id
    $$));

-- What a batch says about itself: id, fits (no more rows are suppressed than allowed, some are released, and
-- nobody is absent), suppressed, absent, kept, smallest, lost (rows that all points below suppress, too),
-- is_monotone, hopeless (nothing below it fits: it does not, and that is enough where the requirements are
-- monotone), floor (what points above it cost at
-- least, where the measure is about classes: these only grow). population: the population's tuples, or NULL
-- where no requirement is about them.
create or replace macro sqlanon._judged_points(
    population, classes, requirement, suppression_limit, how, strategy, by_unit) as table
    with needed as materialized (from sqlanon._needed_people(population, requirement)),
    total as materialized (
        select *, suppressed <= suppression_limit * rows and kept > 0 and absent = 0 as fits,
               sqlanon._is_monotone(required.req, suppression_limit, everybody, by_unit) as is_monotone
        from (select *, case when everybody > 0 then everybody - covered else 0 end as absent
              from sqlanon._totals(classes), needed), query_table(requirement) as required
    ),
    possible as (
        select id, sum(doomed)::bigint as lost,
               coalesce(sum(people) filter (where not hopeless), 0) as people
        from query_table(classes) group by id
    )
    select id, rows, fits, suppressed, absent, kept, smallest, kept_squares, all_squares, all_classes,
           if(is_monotone, suppressed, lost) as lost, is_monotone,
           not fits and (is_monotone or lost > suppression_limit * rows or possible.people < everybody)
               as hopeless,
           case how['measure'] when 'discernibility' then [all_squares::double]
                               when 'average_class_size' then [rows / all_classes] end as floor
    from total join possible using (id);

-- The costs of points, and their parts (NULL where the measure has none): id, parts, cost. points: as
-- _judged_points says; classes: what is not kept is suppressed. Only the measure that counts is bound.
create or replace macro sqlanon._costs(points, classes, ladder, levels, qi, how, gs_factor) as table
    from query(sqlanon._fill(
        if(how['measure'] in ('loss', 'entropy', 'precision'),
           $$select id, sqlanon._{measure}_parts(point, how) as parts,
                    sqlanon._cost_of_parts(parts, how) as cost
             from (from {points} join sqlanon._attribute_costs(
                       {=points}, {=classes}, {=ladder}, {=levels}, {qi}, {gs_factor}) using (id)) as point,
                  (select {how} as how)$$,
           $$select id, null::double[] as parts, sqlanon._{measure}_cost(point, how) as cost
             from {points} as point, (select {how} as how)$$),
        map {'measure': how['measure'], 'how': sqlanon._constant(how), 'qi': sqlanon._names_of(qi),
             'gs_factor': gs_factor::varchar}));

-- Judged points with their cost (of those that fit), and lasting_parts: the parts of the cost as if no more
-- rows were suppressed than all points below suppress, too. (As points with ids below 0, these are priced
-- together with those that fit.)
create or replace macro sqlanon._seen(
    batch, population, classes, ladder, levels, qi, requirement, suppression_limit, how, gs_factor, strategy,
    by_unit := false) as table
    with judged as materialized (from {sqlanon._judged_points}),
    point as (from query_table(batch) join judged using (id)),
    priced as materialized (
        from point where fits
        union all
        select * replace (-1 - id as id, lost as suppressed) from point
        where lost > 0 and not hopeless and not (fits and suppressed = lost)
    ),
    priced_class as (
        select columns('^(id|pair\d+|size)$') from query_table(classes)
        where not kept and id in (select id from priced)
        union all
        select columns('^(id|pair\d+|size)$')
        from (select * replace (-1 - id as id, doomed as size) from query_table(classes) where doomed > 0)
        where id in (select id from priced)
    ),
    cost as materialized (
        from sqlanon._costs('priced', 'priced_class', ladder, levels, qi, how, gs_factor)
    )
    select judged.*, cost.cost,
           coalesce(lasting.parts, if(suppressed = lost, cost.parts, null)) as lasting_parts
    from judged left join cost using (id) left join cost as lasting on lasting.id = -1 - judged.id;

-- The state after a batch was seen, without the points that are out; no rows once no point is open.
create or replace macro sqlanon._search_update(state, batch, seen, qi, how, strategy) as table
    with looked_at as materialized (
        select point.*, seen.fits, seen.hopeless, seen.floor,
               sqlanon._toll(seen.lasting_parts, plain_parts) as toll
        from query_table(batch) as point join query_table(seen) as seen using (id)
             left join (select id, plain_parts from query_table(state)) using (id)
    ),
    below as materialized (from sqlanon._open_below(state, 'looked_at', qi, strategy)),
    above as materialized (from sqlanon._open_above(state, 'looked_at', qi)),
    updated as (
        select point.step + 1 as step,
               point.* exclude (
                   step, least_cost, status, cost, suppressed, absent, kept, smallest),
               greatest(least_cost, above.floor, sqlanon._cost_with_toll(plain_parts, below.toll, how))
                   as least_cost,
               case when seen.fits then 'fits'
                    when not seen.fits then 'fails'
                    else point.status end as status,
               coalesce(seen.cost, point.cost) as cost,
               coalesce(seen.suppressed, point.suppressed) as suppressed,
               coalesce(seen.absent, point.absent) as absent, coalesce(seen.kept, point.kept) as kept,
               coalesce(seen.smallest, point.smallest) as smallest
        from query_table(state) as point
        left join query_table(seen) as seen using (id)
        left join above using (id)
        left join below using (id)
    ),
    best as materialized (
        select min(sqlanon._order_of_points(cost, height, id)) as best from updated where status = 'fits'
    )
    select updated.*
    from updated, best
    where exists (from query_table(state) where status = 'open')
      and not (status = 'open'
               and (id in (select id from below where hopeless)
                    or (least_cost is not null and best is not null
                        and sqlanon._order_of_points(least_cost, height, id) > best)));

-- One step of the search: the state (as in _search_start) after a batch was looked at.
create or replace macro sqlanon._search_step(
    state, tuples, population, ladder, levels, qi, about_sensitive, sensitive_values, marginal,
    sensitive_tree, requirement, suppression_limit, how, gs_factor, strategy, by_unit := false,
    composition := null) as table
    with batch as materialized (from sqlanon._batch(state, tuples, strategy)),
    class as materialized (from {sqlanon._judged_classes: points := 'batch'}),
    seen as materialized (from {sqlanon._seen: batch := 'batch', classes := 'class'})
    from sqlanon._search_update(state, 'batch', 'seen', qi, how, strategy);

-- How far a search is: points (that are not out), looked_at, still_open, open_cost (what the open ones cost
-- at least), fits (does one of them), cost (of the best that fits).
create or replace macro sqlanon._search_progress(state) as table
    select count(*) as points, count(*) filter (where status <> 'open') as looked_at,
           count(*) filter (where status = 'open') as still_open,
           min(least_cost) filter (where status = 'open') as open_cost,
           coalesce(bool_or(status = 'fits'), false) as fits, min(cost) filter (where status = 'fits') as cost
    from query_table(state);

-- How many points a lattice has.
create or replace macro sqlanon._lattice_size(levels) as table
    select product(height + 1)::bigint as points from (select distinct d, height from query_table(levels));

-- The neighbours of the best point of a state: one attribute a level less general, and none or one other a
-- level more. In a large lattice a walk from one point to the next better one finds a good point, which
-- keeps most others from being looked at (and is all there is if time is short). Columns as in _points.
create or replace macro sqlanon._neighbours(state, levels, qi) as table
    from query(sqlanon._fill($$
        with best as (
            select min(sqlanon._order_of_points(cost, height, id)).id as id from {state} where status = 'fits'
        ),
        attribute as (select distinct d, stride, height from {levels}),
        other as (select d, stride, height from attribute union all select 0, 0, 0)
        select point.id - attribute.stride + other.stride as id,
               {each_of qi: l{i} - (attribute.d = {i})::integer + (other.d = {i})::integer as l{i}},
               point.height - 1 + (other.d > 0)::integer as height, null::double[] as plain_parts,
               null::double[] as least_cost
        from {state} as point join best using (id), attribute, other
        where [{own_levels}][attribute.d] > 0 and attribute.d <> other.d
          and (other.d = 0 or [{own_levels}][other.d] < other.height)
    $$, map {'own_levels': sqlanon._each_of(qi, 'l{i}', ', ')}));

-- Rows about points that nothing is known of yet.
create or replace macro sqlanon._unknown(rows_of_points, known) as table
    from query_table(rows_of_points) where id not in (select id from query_table(known));

-- The best point of a state that fits: id, l1, l2, ..., cost, suppressed, or an error that says how far the
-- others are from it.
create or replace macro sqlanon._chosen(state, requirement, suppression_limit) as table
    with looked_at as (
        select min(sqlanon._order_of_points(cost, height, id)) filter (where status = 'fits') as best,
               min({'absent': absent, 'suppressed': suppressed}) filter (where status = 'fails') as nearest
        from query_table(state)
    )
    select id, columns('^l\d+$'), cost, suppressed
    from query_table(state) as point
    where status = 'fits'
      and id = (select case when best is null and nearest.absent > 0
                            then error('no generalization meets the requirements: the best would leave '
                                       || nearest.absent || ' people of the population in no class that is '
                                       || 'released, dmin above 0 allows none')
                            when best is null
                            then error('no generalization meets the requirements: the best would suppress '
                                       || coalesce(nearest.suppressed::varchar, 'all')
                                       || ' rows, suppression_limit allows a share of ' || suppression_limit)
                            else best.id end from looked_at)
    limit 1;

-- The levels through which Datafly goes (Sweeney 1997, sec. 4): the attribute with the most distinct values
-- is generalized, again and again.
create or replace macro sqlanon._datafly_chain(levels) as table
    with recursive
    chain as (
        select 0::bigint as id, list_transform(range(max(d)), lambda d: 0) as chosen from query_table(levels)
        union all
        select any_value(chain.id) + arg_max(stride, {'nodes': nodes, 'first': -d}),
               list_transform(any_value(chosen), lambda level, i:
                   level + (i = arg_max(d, {'nodes': nodes, 'first': -d}))::integer)
        from chain join query_table(levels) as level on level.level = chosen[level.d]
        where level.level < level.height
        having count(*) > 0
    )
    from chain;

-- These levels as points of the lattice: id, l1, l2, ..., height, plain_parts, least_cost.
create or replace macro sqlanon._datafly_points(levels, qi) as table
    from query(sqlanon._fill($$
        select id, {each_of qi: chosen[{i}]::integer as l{i}},
               list_sum(chosen)::integer as height, null::double[] as plain_parts,
               [list_sum(chosen)::double] as least_cost
        from sqlanon._datafly_chain({=levels})
    $$));
