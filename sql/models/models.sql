-- Privacy models: each is one aggregate over the histogram of a class, written here once. The check (privacy,
-- violations), the enforcement inside every anonymizer and the verification of its result all read these.
--
-- n is a histogram's count of a sensitive value in the class, p its share of the class, q its share of the whole table.
--
-- Rows are people, unless a unit says whose they are. Then a histogram counts people: those of the class who
-- have the value. Who has several values is counted with each, so that the counts add up to more than the
-- people. Where everybody has one value in a class all models are the textbook's.
--   * How diverse a class is (l, entropy_l, recursive_c) is judged by the worst choice of one value per
--     person: the most frequent value takes all who have it, the next one as many of those who have it as
--     there are people left, until none is left. No other choice has larger sums of the most frequent counts
--     (it is majorized by this one), and all three models are monotone in these (Marshall, Olkin and Arnold
--     2011, Inequalities: Theory of Majorization, ch. 1 and 3). So five people who all have one disease have
--     l = 1, whatever else they have.
--   * alpha, beta, enhanced beta and delta-disclosure compare how likely it is that somebody has a value: p
--     and q are shares of people. (Shares of all that people have would hide a class in which everybody has
--     everything.)
--   * t compares distributions, which need masses that are equal: p and q are shares of the distinct pairs of
--     a person and a value. It does not see how many values somebody has; give it alpha or beta as a
--     companion.

-- Distinct l-diversity (Machanavajjhala et al. 2007): sensitive values in the class.
create or replace macro sqlanon._distinct_l(n) as count(n);

-- Entropy l-diversity (Machanavajjhala et al. 2007, Def. 4.1; Ganta et al. 2008, Def. 4): exp of the entropy. The class
-- is as diverse as one of so many equally frequent values; equal frequencies give their number exactly.
create or replace macro sqlanon._entropy_l(n) as
    case when min(n) = max(n) then count(n)::double
         else exp(ln(sum(n)) - sum(n * ln(n)) / sum(n))
    end;

-- Recursive (c, l)-diversity (Machanavajjhala et al. 2007, Def. 4.2): with counts r1 >= r2 >= ..., the ratio
-- r1 / (r_l + ... + r_m), which must be below c; infinite with fewer than l values.
create or replace macro sqlanon._recursive_c(n, at_l) as
    case when count(n) < at_l then 'infinity'::double
         else max(n) / list_sum(list_slice(list_reverse_sort(list(n) filter (n is not null)), at_l, -1))
    end;

-- (alpha, k)-anonymity (Wong et al. 2006): the share of the most frequent sensitive value.
create or replace macro sqlanon._alpha(p) as max(p);

-- t-closeness, equal distance (Li et al. 2007, sec. 4): half the sum of |p - q| over all values of the table, which is the
-- mass that the class has too much; a value absent from the class has none.
create or replace macro sqlanon._t_equal(p, q) as sum(greatest(p - q, 0));

-- Basic beta-likeness (Cao and Karras 2012, Def. 2): the largest relative gain (p - q) / q of a value.
create or replace macro sqlanon._beta(p, q) as max(greatest(p - q, 0) / q);

-- Enhanced beta-likeness (Cao and Karras 2012, Def. 3): the same, with each gain also bounded by -ln q; infinite where one
-- is not, since no beta allows it.
create or replace macro sqlanon._enhanced_beta(p, q) as
    case when bool_or((p - q) / q > -ln(q)) then 'infinity'::double else max(greatest(p - q, 0) / q) end;

-- delta-disclosure privacy (Brickell and Shmatikov 2008, Def. 3): the largest |ln(p / q)| over every value of the table, thus
-- infinite when one of the m values is absent from the class.
create or replace macro sqlanon._delta_disclosure(p, q, m) as
    case when count(p) < any_value(m) then 'infinity'::double else max(abs(ln(p / q))) end;

-- The distribution of each sensitive attribute in the whole table. A row per attribute and code: n, q, m (number of
-- values), cumulative (share of the codes up to this one) and area (the sum of cumulative over all codes before it). One
-- more code, m, closes the area. held is the share of the people who have the value; without a unit it is q.
create or replace macro sqlanon._marginal(histogram, by_unit := false) as table
    with value as (
        select attribute, code, sum(n) as n
        from query_table(histogram) group by all
    ),
    total as (select attribute, sum(n) as rows, count(*) as m from value group by attribute),
    everybody as (select sum(rows) filter (attribute = 0) as people from total),
    share as (
        select attribute, code, n, n / rows as q, n / case when by_unit then people else rows end as held, m,
               sum(n) over (partition by attribute order by code) / rows as cumulative
        from value join total using (attribute), everybody
        union all
        select attribute, m as code, 0 as n, 0 as q, 0 as held, m, 2 as cumulative from total
    )
    select *, coalesce(sum(cumulative) over (partition by attribute order by code rows between unbounded preceding
                                             and 1 preceding), 0) as area
    from share;

-- The ordered distance of t-closeness (Li et al. 2007, sec. 4.1): the sum over all codes i of |P_i - Q_i| / (m - 1), P and Q
-- cumulative. P is constant from one value of the class (code a) to its next (code b) and Q only grows, so that the sum
-- from a to b has a closed form around the code x where Q passes P: no need to visit the values that the class lacks.
create or replace macro sqlanon._t_ordered(histogram, marginal) as table
    with step as (
        select class_id, attribute, code as a, marginal.area as area_a, m,
               sum(h.n) over class / sum(h.n) over (partition by class_id, attribute) as p,
               lead(code) over class as next_a, lead(marginal.area) over class as next_area
        from query_table(histogram) as h
        join query_table(marginal) as marginal using (attribute, code)
        window class as (partition by class_id, attribute order by code)
    ),
    closed as (
        select step.* exclude (next_a, next_area), coalesce(next_a, step.m) as b, coalesce(next_area, ending.area) as area_b
        from step
        join query_table(marginal) as ending on ending.attribute = step.attribute and ending.code = step.m
    ),
    -- The first code at which Q reaches P: the last one met on the way down through both.
    met as (
        select *, min(code) over passing as x, min(area) over passing as area_x
        from (
            select attribute, cumulative as height, code, area, null as class_id, null as a, null as p,
                   null as area_a, null as m, null as b, null as area_b
            from query_table(marginal)
            union all
            select attribute, p as height, null as code, null as area, class_id, a, p, area_a, m, b, area_b from closed
        )
        window passing as (partition by attribute order by height desc, code nulls last rows unbounded preceding)
    ),
    passed as (
        select class_id, attribute, a, p, area_a, m, b, area_b,
               case when x < a then a when x > b then b else x end as x,
               case when x < a then area_a when x > b then area_b else area_x end as area_x
        from met where class_id is not null
    )
    select class_id, attribute,
           greatest(sum(p * (2 * x - a - b) + area_a + area_b - 2 * area_x) + min(area_a), 0)
               / greatest(any_value(m) - 1, 1) as t_ordered
    from passed group by class_id, attribute;

-- The hierarchical distance of t-closeness (Li et al. 2007, sec. 4.2): at every inner node the mass that its children exchange,
-- min(surplus, deficit), weighted by the node's height. Only nodes above a value of the class can exchange any.
-- tree: attribute, code, level, node: the node above each code at each level.
create or replace macro sqlanon._t_hierarchical(histogram, marginal, tree) as table
    with size as (select class_id, attribute, sum(n) as size from query_table(histogram) group by all),
    height as (select attribute, max(level) as height from query_table(tree) group by all),
    table_node as (
        select attribute, level, node, sum(q) as q
        from query_table(tree) join query_table(marginal) using (attribute, code) group by all
    ),
    class_node as (
        select class_id, attribute, child.level, parent.node as parent, child.node, sum(n / size) as p
        from query_table(histogram)
        join size using (class_id, attribute)
        join query_table(tree) as child using (attribute, code)
        join query_table(tree) as parent using (attribute, code)
        where parent.level = child.level + 1
        group by all
    ),
    exchange as (
        select class_id, attribute, level + 1 as level, parent,
               sum(greatest(p - q, 0)) as surplus, sum(p) as parent_p
        from class_node join table_node using (attribute, level, node) group by all
    )
    select class_id, attribute,
           sum(exchange.level / height * least(surplus, greatest(surplus - (parent_p - q), 0))) as t_hierarchical
    from exchange
    join height using (attribute)
    join table_node on table_node.attribute = exchange.attribute
        and table_node.level = exchange.level and table_node.node = exchange.parent
    group by all;

-- What the models see of the values of classes: class_id, attribute, size, n, p, q, pair_p, pair_q (those of
-- t), m.
create or replace macro sqlanon._values_of_rows(histogram, marginal) as table
    with size as (select class_id, attribute, sum(n) as size from query_table(histogram) group by all)
    select class_id, attribute, size, h.n, h.n / size as p, q, h.n / size as pair_p, q as pair_q, m
    from query_table(histogram) as h
    join size using (class_id, attribute)
    join query_table(marginal) as marginal using (attribute, code);

-- The same with a unit; size is the people of the class, and n who is counted with this value in the worst
-- choice (NULL: nobody). The running sum is one over all classes, and what comes before a class, its base, is
-- taken off again: a window with many partitions is slow.
create or replace macro sqlanon._values_of_people(histogram, marginal) as table
    with class_people as (select class_id, n as people from query_table(histogram) where attribute = 0),
    running as (
        select class_id, attribute, code, n,
               sum(n) over (order by class_id, attribute, n desc, code rows unbounded preceding) as up_to
        from query_table(histogram)
    ),
    total as (
        select class_id, attribute, min(up_to - n) as base, max(up_to) - min(up_to - n) as pairs from running group by all
    ),
    placed as (
        select class_id, attribute, code, n, pairs, people, people - (up_to - n - base) as left_over
        from running join total using (class_id, attribute) join class_people using (class_id)
    )
    select class_id, attribute, people as size, case when left_over > 0 then least(h.n, left_over) end as n,
           h.n / people as p, held as q, h.n / pairs as pair_p, q as pair_q, m
    from placed as h join query_table(marginal) as marginal using (attribute, code);

-- Every measure of every class: one row per class_id and sensitive attribute.
-- histogram: class_id, attribute, code, n (by_unit: with attribute 0); marginal and tree as above; distances:
-- which of 'ordered' and 'hierarchical' are worth their work; at_l: the l of recursive (c, l)-diversity.
create or replace macro sqlanon._measures(
    histogram, marginal, tree, distances, at_l, by_unit := false) as table
    with value as (
        from query('from sqlanon._values_of_' || case when by_unit then 'people' else 'rows' end || '(' || sqlanon._literal(histogram) || ', '
                   || sqlanon._literal(marginal) || ')')
    ),
    base as (
        select class_id, attribute, any_value(size) as size,
               sqlanon._distinct_l(n) as distinct_l,
               sqlanon._entropy_l(n) as entropy_l,
               case when at_l is not null then sqlanon._recursive_c(n, at_l) end as recursive_c,
               sqlanon._alpha(p) as alpha,
               sqlanon._t_equal(pair_p, pair_q) as t_equal,
               sqlanon._beta(p, q) as beta,
               sqlanon._enhanced_beta(p, q) as enhanced_beta,
               sqlanon._delta_disclosure(p, q, m) as delta_disclosure
        from value group by class_id, attribute
    ),
    wanted as (select * from query_table(histogram) where list_contains(distances, 'ordered')),
    wanted_tree as (select * from query_table(tree) where list_contains(distances, 'hierarchical'))
    from base
    left join sqlanon._t_ordered('wanted', marginal) using (class_id, attribute)
    left join sqlanon._t_hierarchical(histogram, marginal, 'wanted_tree') using (class_id, attribute);

-- A parameter that is a whole number of at least 1, or that lies within bounds (above lo, or at it if closed; NaN is never): its value,
-- NULL if nothing is asked for, or an error that names it.
-- Text of a number is taken as that; true and false, lists and other text are no numbers.
create or replace macro sqlanon._number_given(given) as try_cast(given::varchar as double);
create or replace macro sqlanon._whole_number(given, parameter) as
    case when given is null then null
         when sqlanon._number_given(given) >= 1 and sqlanon._number_given(given) < 9e15  -- NaN is above all numbers
              and sqlanon._number_given(given) = floor(sqlanon._number_given(given)) then sqlanon._number_given(given)::bigint
         when sqlanon._number_given(given) >= 9e15 and not isnan(sqlanon._number_given(given))
         then error(parameter || ' must be a whole number below 9e15, not ' || given::varchar)
         else error(parameter || ' must be a whole number of at least 1, not ' || given::varchar)
    end;
create or replace macro sqlanon._real_number(given, parameter, lo, closed, hi, bounds) as
    case when given is null then null
         when not isnan(sqlanon._number_given(given)) and sqlanon._number_given(given) <= hi
              and (sqlanon._number_given(given) > lo or (closed and sqlanon._number_given(given) = lo))
         then sqlanon._number_given(given)
         else error(parameter || ' must be ' || bounds || ', not ' || given::varchar)
    end;

-- What a caller asks for, as one value; an error that names the parameter when it makes no sense.
create or replace macro sqlanon._requirements(
    k, l, entropy_l, recursive_c, alpha, t, t_distance, beta, enhanced_beta, delta_disclosure, k_map := null, dmin := null, dmax := null) as {
    'k': sqlanon._whole_number(k, 'k'),
    'l': sqlanon._whole_number(l, 'l'),
    'entropy_l': sqlanon._real_number(entropy_l, 'entropy_l', 1, true, 'infinity'::double, 'at least 1'),
    'recursive_c': case when recursive_c is not null and l is null
                        then error('recursive_c needs l: recursive (c, l)-diversity has two parameters')
                        else sqlanon._real_number(recursive_c, 'recursive_c', 0, false, 'infinity'::double, 'above 0') end,
    'alpha': sqlanon._real_number(alpha, 'alpha', 0, false, 1, 'above 0 and at most 1'),
    't': sqlanon._real_number(t, 't', 0, true, 1, 'between 0 and 1'),
    't_distance': case when coalesce(t_distance in ('equal', 'ordered', 'hierarchical'), false) then t_distance
                       else error('t_distance must be equal, ordered or hierarchical, not ' || coalesce(t_distance, 'NULL')) end,
    'beta': sqlanon._real_number(beta, 'beta', 0, false, 'infinity'::double, 'above 0'),
    'enhanced_beta': sqlanon._real_number(enhanced_beta, 'enhanced_beta', 0, false, 'infinity'::double, 'above 0'),
    'delta_disclosure': sqlanon._real_number(delta_disclosure, 'delta_disclosure', 0, false, 'infinity'::double, 'above 0'),
    'k_map': sqlanon._whole_number(k_map, 'k_map'),
    'dmin': sqlanon._real_number(dmin, 'dmin', 0, true, 1, 'between 0 and 1'),
    'dmax': case when dmin > dmax then error('dmin must not be above dmax, but ' || dmin || ' is above ' || dmax)
                 else sqlanon._real_number(dmax, 'dmax', 0, true, 1, 'between 0 and 1') end
};

-- The same as a text, for a query that is put together.
create or replace macro sqlanon._requirements_text(
    k, l, entropy_l, recursive_c, alpha, t, t_distance, beta, enhanced_beta, delta_disclosure, k_map := null, dmin := null, dmax := null) as
    'sqlanon._requirements(' || sqlanon._optional(k) || ', ' || sqlanon._optional(l)
    || ', ' || sqlanon._optional(entropy_l) || ', ' || sqlanon._optional(recursive_c) || ', ' || sqlanon._optional(alpha)
    || ', ' || sqlanon._optional(t) || ', ' || sqlanon._optional(t_distance) || ', ' || sqlanon._optional(beta)
    || ', ' || sqlanon._optional(enhanced_beta) || ', ' || sqlanon._optional(delta_disclosure) || ', '
    || sqlanon._optional(k_map) || ', ' || sqlanon._optional(dmin) || ', ' || sqlanon._optional(dmax) || ')';

-- The sensitive columns that the requirements look at: all of them, or none where only k or the population is spoken of.
create or replace macro sqlanon._judged(
    sensitive, k, l, entropy_l, recursive_c, alpha, t, beta, enhanced_beta, delta_disclosure, k_map := null, dmin := null, dmax := null) as
    case when coalesce(k, l, entropy_l, recursive_c, alpha, t, beta, enhanced_beta, delta_disclosure, k_map, dmin, dmax) is null
         then error('nothing is required: give k, l, entropy_l, recursive_c, alpha, t, beta, enhanced_beta, delta_disclosure, k_map, dmin or dmax')
         when coalesce(l, entropy_l, recursive_c, alpha, t, beta, enhanced_beta, delta_disclosure) is null then []::varchar[]
         when len(sqlanon._list(sensitive)) = 0
         then error('l, entropy_l, recursive_c, alpha, t, beta, enhanced_beta and delta_disclosure need a sensitive column')
         else sqlanon._list(sensitive)
    end;

-- An empty text, or an error where a population is asked for as well as a unit.
create or replace macro sqlanon._unit_checked(unit, population) as
    case when unit is not null and population is not null
         then error('unit does not go with a population (k_map, dmin, dmax): its rows are counted, not people')
         else '' end;

-- The population, where a requirement looks at one.
create or replace macro sqlanon._counted_population(population, k_map, dmin, dmax) as
    case when coalesce(k_map, dmin, dmax) is null then null
         when population is null then error('k_map, dmin and dmax need a population: the name of a table with the columns in qi')
         else population
    end;

-- Real-valued measures are compared with a relative tolerance of 1e-12: a class at the bound is within it.
create or replace macro sqlanon._at_least(reached, required) as reached >= required * (1 - 1e-12);
create or replace macro sqlanon._at_most(reached, required) as reached <= required * (1 + 1e-12) + 1e-15;

-- The verdicts on one sensitive attribute of a class: a list with, per model, what is required (NULL: nothing), what is reached, whether that
-- holds, and whether more is better.
create or replace macro sqlanon._verdicts(measured, req) as [
    {'model': 'distinct l-diversity', 'required': req.l::double, 'reached': measured.distinct_l::double,
     'holds': measured.distinct_l >= req.l, 'more_is_better': true},
    {'model': 'entropy l-diversity', 'required': req.entropy_l, 'reached': measured.entropy_l,
     'holds': sqlanon._at_least(measured.entropy_l, req.entropy_l), 'more_is_better': true},
    {'model': 'recursive (c, l)-diversity', 'required': req.recursive_c, 'reached': measured.recursive_c,
     'holds': measured.recursive_c < req.recursive_c, 'more_is_better': false},
    {'model': '(alpha, k)-anonymity', 'required': req.alpha, 'reached': measured.alpha,
     'holds': sqlanon._at_most(measured.alpha, req.alpha), 'more_is_better': false},
    {'model': 't-closeness (equal)', 'required': case when req.t_distance = 'equal' then req.t end, 'reached': measured.t_equal,
     'holds': sqlanon._at_most(measured.t_equal, case when req.t_distance = 'equal' then req.t end), 'more_is_better': false},
    {'model': 't-closeness (ordered)', 'required': case when req.t_distance = 'ordered' then req.t end, 'reached': measured.t_ordered,
     'holds': sqlanon._at_most(measured.t_ordered, case when req.t_distance = 'ordered' then req.t end), 'more_is_better': false},
    {'model': 't-closeness (hierarchical)', 'required': case when req.t_distance = 'hierarchical' then req.t end, 'reached': measured.t_hierarchical,
     'holds': sqlanon._at_most(measured.t_hierarchical, case when req.t_distance = 'hierarchical' then req.t end), 'more_is_better': false},
    {'model': 'beta-likeness (basic)', 'required': req.beta, 'reached': measured.beta,
     'holds': sqlanon._at_most(measured.beta, req.beta), 'more_is_better': false},
    {'model': 'beta-likeness (enhanced)', 'required': req.enhanced_beta, 'reached': measured.enhanced_beta,
     'holds': sqlanon._at_most(measured.enhanced_beta, req.enhanced_beta), 'more_is_better': false},
    {'model': 'delta-disclosure', 'required': req.delta_disclosure, 'reached': measured.delta_disclosure,
     'holds': measured.delta_disclosure < req.delta_disclosure, 'more_is_better': false}
];

-- The same on a class as a whole: k-anonymity (Sweeney 2002, Def. 3) by the rows that match it (its own, and
-- more where a suppressed cell matches everything), and by the people of a population who are in it k-map
-- (Sweeney 2002, sec. 3) and delta-presence (Nergiz, Atzori and Clifton 2007, Def. 2), the share of them who
-- are in the release. It is the probability that any of them is. Whoever is in no class has probability 0:
-- delta-presence asks it of everybody in the population, thus with dmin above 0 everybody must be in a class.
create or replace macro sqlanon._class_verdicts(matching, size, people, req) as [
    {'model': 'k-anonymity', 'required': req.k::double, 'reached': matching::double, 'holds': matching >= req.k, 'more_is_better': true},
    {'model': 'k-map', 'required': req.k_map::double, 'reached': people::double, 'holds': people >= req.k_map, 'more_is_better': true},
    {'model': 'delta-presence (least)', 'required': req.dmin, 'reached': size / people,
     'holds': sqlanon._at_least(size / people, req.dmin), 'more_is_better': true},
    {'model': 'delta-presence (most)', 'required': req.dmax, 'reached': size / people,
     'holds': sqlanon._at_most(size / people, req.dmax), 'more_is_better': false}
];

-- Must everybody in the population be in a class?
create or replace macro sqlanon._needs_everybody(req) as coalesce(req.dmin, 0) > 0;

-- All verdicts hold (a model that nobody requires has none).
create or replace macro sqlanon._all_hold(verdicts) as
    len(list_filter(verdicts, lambda verdict: verdict.required is not null and not coalesce(verdict.holds, false))) = 0;
-- The same of a class as a whole (attribute 0), or of one of its sensitive attributes.
create or replace macro sqlanon._satisfies(measured, req) as
    case when measured.attribute = 0 then measured.size >= coalesce(req.k, 1) else sqlanon._all_hold(sqlanon._verdicts(measured, req)) end;

-- How many sensitive values a class needs at least to satisfy the requirements, one row: least_values. A class never has more of them than one that it is part
-- of: what this rules out stays ruled out however a class is divided. (With v values the share of a class that is not too much of anything is at most
-- that of the v most frequent ones, which bounds t and beta; a hierarchical distance is at least the equal one, divided by the height of the tree.)
create or replace macro sqlanon._least_values(marginal, sensitive_tree, requirement) as table
    with height as (select attribute, max(level) as height from query_table(sensitive_tree) group by attribute),
    ranked as (
        select attribute, m, row_number() over frequent as v, sum(q) over frequent as share, sum(held) over frequent as held
        from query_table(marginal) where n > 0
        window frequent as (partition by attribute order by q desc, code rows unbounded preceding)
    ),
    needed as (
        select attribute, any_value(req) as req, any_value(m) as m,
               min(v) filter (where share >= 1 - 1e-9 - case req.t_distance when 'equal' then req.t when 'hierarchical' then req.t * height else 1 end) as for_t,
               min(v) filter (where held * (1 + least(coalesce(req.beta, 'infinity'), coalesce(req.enhanced_beta, 'infinity'))) >= 1 - 1e-9) as for_beta
        from ranked left join height using (attribute), query_table(requirement)
        where attribute > 0
        group by attribute
    )
    select coalesce(max(greatest(1, req.l, ceil(req.entropy_l - 1e-9), ceil(1 / req.alpha - 1e-9), case when req.t is not null then for_t end, for_beta,
                                 case when req.delta_disclosure is not null then m end)), 1)::bigint as least_values
    from needed;

-- A number as people write it: 5, not 5.0.
create or replace macro sqlanon._number_text(number) as
    case when abs(number) < 1e15 and number = floor(number) then number::bigint::varchar else number::varchar end;

-- The whole table as one class violates a requirement, thus every release would: an error that says which, and by how much. may_suppress: rows may be left
-- out, and then only what no class loses by growing is a requirement that the whole table must meet. With a
-- unit that is k alone: whoever is in several classes may have other values in each. from_whole: classes come
-- from cutting the whole table, or from merging up to it, which then must meet all.
create or replace macro sqlanon._refuse_infeasible(
    histogram, marginal, sensitive_tree, requirement, sensitive, may_suppress := false, by_unit := false, from_whole := false) as table
    with verdict as (
        select attribute, unnest(case when attribute = 0 then sqlanon._class_verdicts(size, size, size, requirement.req)[1:1]
                                      else sqlanon._verdicts(measured, requirement.req) end, max_depth := 2)
        from sqlanon._measures(histogram, marginal, sensitive_tree,
                               (select [required.req.t_distance] from query_table(requirement) as required),
                               (select required.req.l from query_table(requirement) as required), by_unit) as measured,
             query_table(requirement) as requirement
    )
    select error(case when by_unit and model <> 'k-anonymity' then 'there is nothing to start from' else 'no release can meet the requirements' end
                 || ': the whole table as one class reaches '
                 || coalesce(sqlanon._number_text(reached), 'nothing') || ' in ' || model
                 || coalesce(' of column ' || sqlanon._list(sensitive)[attribute], '') || ', ' || sqlanon._number_text(required) || ' is required') as refused
    from verdict
    where required is not null and not coalesce(holds, false)
      and case when by_unit then model = 'k-anonymity' or from_whole
               else not may_suppress or model in ('k-anonymity', 'distinct l-diversity') end;
