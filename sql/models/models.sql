-- Privacy models: each is one aggregate over the histogram of a class, written here once; the rows of
-- list_of_models.sql say what its parameter is, and how it is judged. The check (privacy,
-- violations), the enforcement inside every anonymizer and the verification of its result all read these.
--
-- n is a histogram's count of a sensitive value in the class, p its share of the class, q its share of the
-- whole table.
--
-- Rows are people, unless a unit says whose they are. Then a histogram counts people: those of the class who
-- have the value. People with several values are counted with each, so that the counts add up to more than
-- the people. Where everybody has one value in a class all models are the textbook's.
--   * How diverse a class is (l, entropy_l, recursive_c) is judged by the worst choice of one value per
--     person: the most frequent value takes all who have it, the next one as many of those who have it as
--     there are people left, until none is left. No other choice has larger sums of the most frequent counts
--     (it is majorized by this one), and all three models are monotone in these (Marshall, Olkin and Arnold
--     2011, Inequalities: Theory of Majorization, ch. 1 and 3). So five people who all have one disease have
--     l = 1, whatever else they have. This choice knows how many have a value, not who: it may be one that
--     nobody can make, so what is reached is a bound, and the truth is no less. A second bound of distinct l
--     is how many values are somebody's only one, since every choice has all of these: the larger counts.
--   * alpha, beta, enhanced beta and delta-disclosure compare how likely it is that somebody has a value: p
--     and q are shares of people. (Shares of all that people have would hide a class in which everybody has
--     everything.)
--   * t compares distributions, which need masses that are equal: p and q are shares of the distinct pairs of
--     a person and a value. It does not see how many values somebody has; give it alpha or beta as a
--     companion.

-- The counts of a class, the largest first.
create or replace macro sqlanon._largest_first(n) as list_reverse_sort(list(n) filter (n is not null));

-- Distinct l-diversity (Machanavajjhala et al. 2007): sensitive values in the class. is_only: with a unit, is
-- the value somebody's only one?
create or replace macro sqlanon._distinct_l(n, is_only) as greatest(count(n), count(*) filter (is_only));

-- Entropy l-diversity (Machanavajjhala et al. 2007, Def. 4.1; Ganta et al. 2008, Def. 4): exp of the
-- entropy. The class is as diverse as one of so many equally frequent values; equal frequencies give their
-- number exactly.
create or replace macro sqlanon._entropy_l(n) as
    case when min(n) = max(n) then count(n)::double
         else exp(ln(sum(n)) - sum(n * ln(n)) / sum(n))
    end;

-- Recursive (c, l)-diversity (Machanavajjhala et al. 2007, Def. 4.2): with counts r1 >= r2 >= ..., the ratio
-- r1 / (r_l + ... + r_m), which must be below c; infinite with fewer than l values, NULL without an l.
create or replace macro sqlanon._recursive_c(n, at_l) as
    case when at_l is null then null
         when count(n) < at_l then 'infinity'::double
         else max(n) / list_sum(list_slice(sqlanon._largest_first(n), at_l, -1))
    end;

-- (alpha, k)-anonymity (Wong et al. 2006): the share of the most frequent sensitive value.
create or replace macro sqlanon._alpha(p) as max(p);

-- t-closeness, equal distance (Li et al. 2007, sec. 4): half the sum of |p - q| over all values of the
-- table, which is the mass that the class has too much; a value absent from the class has none.
create or replace macro sqlanon._t_equal(p, q) as sum(greatest(p - q, 0));

-- Basic beta-likeness (Cao and Karras 2012, Def. 2): the largest relative gain (p - q) / q of a value.
create or replace macro sqlanon._beta(p, q) as max(greatest(p - q, 0) / q);

-- Enhanced beta-likeness (Cao and Karras 2012, Def. 3): the same, with each gain also bounded by -ln q;
-- infinite where one is not, since no beta allows it. (A value that the reference lacks has an infinite gain.
-- DuckDB 1.5 refuses the logarithm of zero.)
create or replace macro sqlanon._enhanced_beta(p, q) as
    case when bool_or((p - q) / q > -ln(nullif(q, 0))) then 'infinity'::double
         else max(greatest(p - q, 0) / q)
    end;

-- delta-disclosure privacy (Brickell and Shmatikov 2008, Def. 3): the largest |ln(p / q)| over every value
-- of the table, thus infinite when one of the m values is absent from the class.
create or replace macro sqlanon._delta_disclosure(p, q, m) as
    case when count(p) < any_value(m) then 'infinity'::double else max(abs(ln(p / q))) end;

-- (c, k)-safety (Martin et al. 2007) is about all classes together, as sql/models/disclosures.sql tells. Of
-- one class, this is what disclosure stays within if all other classes are as good.
-- Proof: let p of the k + 1 atoms be about one person, and i people of the class come before who have p or
-- more each, so that (i + 1) p <= k + 1. Whatever these have, all p are false with probability 1 - top(p) /
-- (size - i) or more, top(p) the p largest counts together: at least b^p, with b the least of these to the
-- power 1 / p. So all k + 1 are, in whatever classes, with probability b^(k + 1) or more, and the target's
-- is true with at most 1 - b (p = 1): the odds against it are no less than b^(k + 1) / (1 - b). Two classes
-- that become one have a b no less than the lesser of theirs, as top(p) is no more than both together, and
-- sizes add up.
create or replace macro sqlanon._least_falsehood(size, counts, pieces) as
    list_min(list_transform(range(1, pieces + 2), lambda atoms:
        sqlanon._let(list_sum(counts[:atoms]), lambda top:
            (1 - top / greatest(size - (pieces + 1) // atoms + 1, top)) ** (1 / atoms))));
create or replace macro sqlanon._safety(n, size, pieces) as
    case when any_value(pieces) is not null then sqlanon._let(
        {'size': any_value(size), 'counts': sqlanon._largest_first(n), 'pieces': any_value(pieces)},
        lambda class: sqlanon._let(
            sqlanon._least_falsehood(class.size, class.counts, class.pieces),
            lambda least: 1 / (1 + least ** (class.pieces + 1) / (1 - least)))) end;

-- The distribution of each sensitive attribute in the whole table. A row per attribute and code: n, q, m
-- (number of values), cumulative (share of the codes up to this one) and area (the sum of cumulative over
-- all codes before it). One more code, ending, closes the area. held is the share of the people who have the
-- value; without a unit it is q.
create or replace macro sqlanon._marginal(histogram, by_unit := false) as table
    with value as (
        select attribute, code, sum(n) as n
        from query_table(histogram) group by all
    ),
    total as (
        select attribute, sum(n) as rows, count(*) as m, max(code) + 1 as ending from value group by attribute
    ),
    everybody as (select sum(rows) filter (attribute = 0) as people from total),
    share as (
        select attribute, code, n, n / rows as q, n / case when by_unit then people else rows end as held, m,
               ending, sum(n) over (partition by attribute order by code) / rows as cumulative
        from value join total using (attribute), everybody
        union all
        select attribute, ending as code, 0 as n, 0 as q, 0 as held, m, ending, 2 as cumulative from total
    )
    select *, coalesce(sum(cumulative) over before, 0) as area
    from share
    window before as (partition by attribute order by code rows between unbounded preceding and 1 preceding);

-- The ordered distance of t-closeness (Li et al. 2007, sec. 4.1): the sum over all codes i of |P_i - Q_i| /
-- (m - 1), P and Q cumulative. P is constant from one value of the class (code a) to its next (code b) and
-- Q only grows, so that the sum from a to b has a closed form around the code x where Q passes P: no need
-- to visit the values that the class lacks.
create or replace macro sqlanon._t_ordered(histogram, marginal) as table
    with step as (
        select class_id, attribute, code as a, marginal.area as area_a, m, ending,
               sum(h.n) over class / sum(h.n) over (partition by class_id, attribute) as p,
               lead(code) over class as next_a, lead(marginal.area) over class as next_area
        from query_table(histogram) as h
        join query_table(marginal) as marginal using (attribute, code)
        window class as (partition by class_id, attribute order by code)
    ),
    closed as (
        select step.* exclude (next_a, next_area, ending),
               coalesce(next_a, step.ending) as b, coalesce(next_area, last.area) as area_b
        from step
        join query_table(marginal) as last on last.attribute = step.attribute and last.code = step.ending
    ),
    -- The first code at which Q reaches P: the last one met on the way down through both.
    met as (
        select *, min(code) over passing as x, min(area) over passing as area_x
        from (
            select attribute, cumulative as height, code, area, null as class_id, null as a, null as p,
                   null as area_a, null as m, null as b, null as area_b
            from query_table(marginal)
            union all
            select attribute, p as height, null as code, null as area, class_id, a, p, area_a, m, b, area_b
            from closed
        )
        window passing as (
            partition by attribute order by height desc, code nulls last rows unbounded preceding
        )
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

-- The hierarchical distance of t-closeness (Li et al. 2007, sec. 4.2): at every inner node the mass that
-- its children exchange, min(surplus, deficit), weighted by the node's height. Only nodes above a value of
-- the class can exchange any. tree: attribute, code, level, node: the node above each code at each level.
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
           sum(exchange.level / height * least(surplus, greatest(surplus - (parent_p - q), 0)))
               as t_hierarchical
    from exchange
    join height using (attribute)
    join table_node on table_node.attribute = exchange.attribute
        and table_node.level = exchange.level and table_node.node = exchange.parent
    group by all;

-- Counts rank by size; of equal ones the first code is the highest.
create or replace macro sqlanon._rank_of_count(n, code) as n::bigint * 2147483648 - code;

-- What the models see of the values of classes: class_id, attribute, size, n, is_only, p, q, pair_p, pair_q
-- (those of t), m.
create or replace macro sqlanon._values_of_rows(histogram, marginal) as table
    with size as (
        select class_id, attribute, sum(n) as size, coalesce(sum(n) filter (code < 0), 0) as missing,
               max(sqlanon._rank_of_count(n, code)) filter (code >= 0) as highest
        from query_table(histogram) group by class_id, attribute
    )
    select class_id, attribute, size,
           case when highest is null then h.n
                when code >= 0 then h.n + if(sqlanon._rank_of_count(h.n, code) = highest, missing, 0)
           end as n,
           false as is_only, h.n / size as p, q, h.n / size as pair_p, q as pair_q, m
    from query_table(histogram) as h
    join size using (class_id, attribute)
    join query_table(marginal) as marginal using (attribute, code);

-- What the models see of the values of classes with a unit; size is the people of the class, and n who is
-- counted with this value in the worst choice (NULL: nobody). The running sum is one over all classes, and
-- what comes before a class, its base, is taken off again: a window with many partitions is slow.
create or replace macro sqlanon._values_of_people(histogram, marginal) as table
    with class_people as (select class_id, n as people from query_table(histogram) where attribute = 0),
    with_value as (
        select class_id, -attribute as attribute, n as having_some from query_table(histogram)
        where attribute < 0
    ),
    total as (
        select class_id, attribute, sum(n) as pairs,
               max(sqlanon._rank_of_count(n, code)) filter (code >= 0 and n > 0) as highest
        from query_table(histogram) where attribute >= 0 group by class_id, attribute
    ),
    -- chosen: who can be counted with a value; those who have none with the most frequent one
    choice as (
        select class_id, attribute, code, is_only, h.n as n, pairs, people,
               case when code < 0 and highest is not null then 0
                    when sqlanon._rank_of_count(h.n, code) = highest
                    then h.n + people - coalesce(having_some, people)
                    else h.n end as chosen
        from query_table(histogram) as h
        join total using (class_id, attribute)
        join class_people using (class_id)
        left join with_value using (class_id, attribute)
    ),
    running as (
        select *, sum(chosen) over (
                   order by class_id, attribute, chosen desc, code rows unbounded preceding) as up_to
        from choice
    ),
    base as (
        select class_id, attribute, min(up_to - chosen) as base from running group by class_id, attribute
    ),
    placed as (
        select running.*, people - (up_to - chosen - base) as left_over
        from running join base using (class_id, attribute)
    )
    select class_id, attribute, people as size,
           case when left_over > 0 and chosen > 0 then least(chosen, left_over) end as n,
           is_only, h.n / people as p, held as q, h.n / pairs as pair_p, q as pair_q, m
    from placed as h join query_table(marginal) as marginal using (attribute, code);

-- A call of the one or the other.
create or replace macro sqlanon._values_call(histogram, marginal, by_unit) as
    sqlanon._call(if(by_unit, '_values_of_people', '_values_of_rows'),
                  [sqlanon._literal(histogram), sqlanon._literal(marginal)]);

-- What every class reaches in every model: one row per class_id and sensitive attribute, a column per
-- verdict.
-- histogram: class_id, attribute, code, n (by_unit: with attribute 0, and is_only); marginal and tree as
-- above; distances: which of 'ordered' and 'hierarchical' are worth their work; at_l: the l of recursive
-- (c, l)-diversity; at_k: the k of (c, k)-safety.
create or replace macro sqlanon._measures(
    histogram, marginal, tree, distances, at_l, at_k, by_unit := false) as table
    with value as (
        from query(sqlanon._values_call(histogram, marginal, by_unit))
    ),
    parameter as (select at_l as recursive_l, at_k as safety_k),
    base as (
        select class_id, attribute, any_value(size) as size,
               sqlanon._t_equal(pair_p, pair_q) as t_equal,
               {verdicts of values, shares but t: {reached} as {id}}
        from value, parameter group by class_id, attribute
    ),
    wanted as (
        select * from query_table(histogram) where list_contains(distances, 'ordered') and attribute > 0
    ),
    wanted_tree as (select * from query_table(tree) where list_contains(distances, 'hierarchical')),
    read_as as (
        select *, sqlanon._is_as_written(attribute) as is_as_written
        from base
        left join sqlanon._t_ordered('wanted', marginal) using (class_id, attribute)
        left join sqlanon._t_hierarchical(histogram, marginal, 'wanted_tree') using (class_id, attribute)
    )
    select class_id, sqlanon._position_of(attribute) as attribute,
           any_value(size) as size,
           {verdicts of with_table: max({id}) as {id}},
           {verdicts of values, shares but with_table: any_value({id}) filter (not is_as_written) as {id}}
    from read_as group by all;
