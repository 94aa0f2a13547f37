-- Breaches: the intersection attack over all targets (Ganta, Kasiviswanathan and Smith 2008, sec. 2.1), next
-- to what guessing reaches.
--
-- An attack has told something if it is right more often than a guess: of the most frequent value of all
-- rows, or of the target's class in one release. Shares of targets come with an interval, so that a
-- difference that may be chance is seen as one.

-- How many standard deviations of a normal distribution are 95 % of it, to either side.
create or replace macro sqlanon._z_95() as 1.959963984540054;

-- The 95 % interval of a share of n people (Wilson 1927), as a struct of low and high. z: the constant above.
create or replace macro sqlanon._wilson_interval(p, n, z) as
    sqlanon._let(
        {'center': (p + z ** 2 / (2 * n)) / (1 + z ** 2 / n),
         'reach': z * sqrt(p * (1 - p) / n + z ** 2 / (4 * n ** 2)) / (1 + z ** 2 / n)},
        lambda around: {'low': case when p = 0 then 0 else around.center - around.reach end,
                        'high': case when p = 1 then 1 else around.center + around.reach end});
create or replace macro sqlanon._interval(share, n) as
    sqlanon._let({'p': share, 'n': n, 'z': sqlanon._z_95()}, lambda given:
        sqlanon._wilson_interval(given.p, given.n, given.z));

-- How likely it is that one of some equally likely values, drawn by lot, is the true one; NULL without
-- values.
create or replace macro sqlanon._right(guess, true_value) as
    len(list_filter(guess.guesses, lambda value: value is not distinct from true_value))
    / nullif(len(guess.guesses), 0);

-- How exposed each target is: attribute, person, and what the measures are made of. attacked: as of
-- _attacked.
create or replace macro sqlanon._exposure(attacked) as table
    select attribute, person, prior, posterior, drop, confidence, hit, unfinished, is_told, shared, unread,
           sqlanon._right(guess, meant) as weighted, guess.guess_share as weighted_share,
           sqlanon._right(marginal, meant) as unseen, marginal.guess_share as unseen_share,
           list_transform(located, lambda evidence:
               coalesce(sqlanon._right(evidence, meant), sqlanon._right(marginal, meant))) as single,
           list_transform(located, lambda evidence:
               coalesce(nullif(evidence.guess_share, 0), marginal.guess_share)) as single_share,
           posterior = 0 as contradictory,
           coalesce(list_min(list_transform(located, lambda evidence: evidence.size)), 0) > 0 as everywhere,
           coalesce(list_max(list_transform(located, lambda evidence: evidence.size)), 0) = 0 as nowhere,
           list_avg(list_transform(located, lambda evidence: evidence.size)) as size,
           case when posterior = 1 then hit end as single_hit, posterior = 1 as is_single
    from query_table(attacked);

-- Per person the best guesses from each release: attribute, person, single, single_share (lists).
create or replace macro sqlanon._release_guesses(exposure) as table
    with release_guess as (
        select attribute, person, number, max(single[number]) as single,
               max(single_share[number]) as single_share
        from (select *, unnest(range(1, len(single) + 1)) as number from query_table(exposure))
        group by attribute, person, number
    )
    select attribute, person, list(single order by number) as single,
           list(single_share order by number) as single_share
    from release_guess group by attribute, person;

-- The same as _exposure of people who have several rows among the targets: by each measure somebody is as
-- exposed as the most exposed of their rows. (One of them that was not located, or of which nothing is left,
-- is told: it may be the exposed one.)
create or replace macro sqlanon._exposure_of_people(exposure) as table
    with most as (
        select attribute, person, max(weighted) as weighted, max(unseen) as unseen,
               any_value(unseen_share) as unseen_share, max(weighted_share) as weighted_share,
               min(prior) as prior, coalesce(min(posterior) filter (posterior > 0), 0) as posterior,
               max(drop) as drop, max(confidence) as confidence, bool_or(contradictory) as contradictory,
               bool_and(everywhere) as everywhere, bool_or(nowhere) as nowhere, any_value(unread) as unread,
               min(size) as size, bool_or(hit) as hit,
               bool_or(single_hit) as single_hit, bool_or(is_single) as is_single,
               bool_or(unfinished) as unfinished, bool_and(is_told) as is_told, any_value(shared) as shared
        from query_table(exposure) group by attribute, person
    )
    select most.*, single, single_share
    from most join sqlanon._release_guesses(exposure) as guess
      on guess.attribute = most.attribute and guess.person is not distinct from most.person;

-- Confidences in percent, each once: level.
create or replace macro sqlanon._levels_of_confidence(levels) as table
    select distinct case when level > 0 and level <= 100 then level
                         else error('levels are percentages above 0 and at most 100, not '
                                    || coalesce(level::varchar, 'NULL'))
                    end as level
    from (select unnest(levels) as level);

-- Of all releases alone, the one with which most are guessed: attribute, number, expected.
create or replace macro sqlanon._best_release(exposure) as table
    with release as (
        select unnest(range(1, max(len(single)) + 1)) as number from query_table(exposure)
    ),
    guessed as (
        select attribute, number, avg(single[number]) as correct, avg(single_share[number]) as expected
        from query_table(exposure), release group by attribute, number
    )
    select attribute, arg_max(number, {'correct': round(correct, 12), 'first': -number}) as number,
           max(expected) as expected
    from guessed group by attribute;

-- How often guesses are right: attribute, people, weighted, single, unseen, what the adversary expects of
-- each (.._share), and by how much the weighted guess is better (over_.., with half the width of the 95 %
-- interval).
create or replace macro sqlanon._guessing(exposure, best_release) as table
    select attribute, count(*) as people, avg(weighted) as weighted, avg(weighted_share) as weighted_share,
           avg(single[number]) as single, any_value(expected) as single_share,
           avg(unseen) as unseen, any_value(unseen_share) as unseen_share,
           avg(weighted - single[number]) as over_single,
           sqlanon._z_95() * stddev_samp(weighted - single[number]) / sqrt(count(*)) as over_single_reach,
           avg(weighted - unseen) as over_unseen,
           sqlanon._z_95() * stddev_samp(weighted - unseen) / sqrt(count(*)) as over_unseen_reach
    from query_table(exposure) join query_table(best_release) using (attribute) group by attribute;

-- Averages over the targets: attribute, people, and a column per measure.
create or replace macro sqlanon._average_exposure(exposure) as table
    select attribute, count(*) as people, avg(prior) as prior, avg(posterior) as posterior, avg(drop) as drop,
           avg((drop > 0)::integer) as vulnerable, avg(contradictory::integer) as contradictory,
           avg(unfinished::integer) as unfinished, any_value(shared) as shared,
           avg((not is_told)::integer) as untold, avg(everywhere::integer) as everywhere,
           avg(nowhere::integer) as nowhere, any_value(unread) as unread, avg(size) as size,
           avg(hit::integer) as hit, avg(single_hit::integer) as single_hit,
           count(*) filter (where is_single) as single
    from query_table(exposure) group by attribute;

-- PVP, the share of people whose value is known with a confidence: attribute, people, level, pvp.
create or replace macro sqlanon._pvp(exposure, levels) as table
    select attribute, count(*) as people, level,
           avg(coalesce(100 * confidence >= level, false)::integer) as pvp
    from query_table(exposure), sqlanon._levels_of_confidence(levels) group by attribute, level;

-- What is measured without the truth: attribute, place (in the answer), level, measure, value, unit, people
-- (of whom the value is a share, or NULL), reach (half the width of an interval of its own, or NULL). In rows
-- that need the truth, needs_truth is true.
create or replace macro sqlanon._measured_attack(average, confidences) as table
    select attribute, 1 as place, null as level, 'targets' as measure, people as value, 'people' as unit,
           null as people, null as reach, false as needs_truth from query_table(average)
    union all select attribute, 2, null, 'located in all releases', everywhere, '%', people, null, false
              from query_table(average)
    union all select attribute, 2.3, null, 'located in no release', nowhere, '%', people, null, false
              from query_table(average)
    union all select attribute, 2.6, null, 'rows with unread labels', unread, '%', null, null, false
              from query_table(average)
    union all select attribute, 3, null, 'average class size', size, 'rows', null, null, false
              from query_table(average)
    union all select attribute, 4, null, 'average prior anonymity', prior, 'values', null, null, false
              from query_table(average)
    union all select attribute, 5, null, 'average posterior anonymity', posterior, 'values', null, null, false
              from query_table(average)
    union all select attribute, 6, null, 'average drop', drop, 'values', null, null, false
              from query_table(average)
    union all select attribute, 7, null, 'vulnerable population', vulnerable, '%', people, null, false
              from query_table(average)
    union all select attribute, 8, level, 'PVP_' || level, pvp, '%', people, null, false
              from query_table(confidences)
    union all select attribute, 9, null, 'contradictions', contradictory, '%', people, null, false
              from query_table(average)
    union all select attribute, 9, null, 'exact cover unfinished', unfinished, '%', people, null, false
              from query_table(average) where unfinished > 0
    union all select attribute, 9.5, null, 'fewest values that two releases share', shared, 'values', null,
                     null, false
              from query_table(average) where shared is not null
    union all select attribute, 9.7, null, 'true value in no release', untold, '%', people, null, true
              from query_table(average)
    union all select attribute, 10, null, 'true value among the candidates', hit, '%', people, null, true
              from query_table(average)
    union all select attribute, 11, null, 'single candidates that are right', single_hit, '%', single, null,
                     true
              from query_table(average);

-- The same of guesses.
create or replace macro sqlanon._measured_guesses(guessing) as table
    select attribute, 12 as place, 'guess from the marginal, expected right' as measure,
           unseen_share as value, '%' as unit, null as people, null as reach, false as needs_truth
    from query_table(guessing)
    union all select attribute, 13, 'guess from the marginal, right', unseen, '%', people, null, true
              from query_table(guessing)
    union all select attribute, 14, 'guess from one release, expected right', single_share, '%', null, null,
                     false
              from query_table(guessing)
    union all select attribute, 15, 'guess from one release, right', single, '%', people, null, true
              from query_table(guessing)
    union all select attribute, 16, 'weighted guess, expected right', weighted_share, '%', null, null, false
              from query_table(guessing)
    union all select attribute, 17, 'weighted guess, right', weighted, '%', people, null, true
              from query_table(guessing)
    union all select attribute, 18, 'gain over the guess from the marginal', over_unseen, 'percentage points',
                     null, over_unseen_reach, true
              from query_table(guessing)
    union all select attribute, 19, 'gain over the guess from one release', over_single, 'percentage points',
                     null, over_single_reach, true
              from query_table(guessing);

-- One row per sensitive column and measure: sensitive, measure, value, unit, low, high. by_unit: of people
-- who may have several rows.
create or replace macro sqlanon._breaches(attacked, levels, truth_known, by_unit := false) as table
    with exposed_row as (from sqlanon._exposure(attacked)),
    exposed as materialized (
        from query(if(by_unit, 'from sqlanon._exposure_of_people(''exposed_row'')', 'from exposed_row'))
    ),
    best as materialized (from sqlanon._best_release('exposed')),
    guess as (from sqlanon._guessing('exposed', 'best')),
    average as (from sqlanon._average_exposure('exposed')),
    confident as (from sqlanon._pvp('exposed', levels)),
    measured as (
        from sqlanon._measured_attack('average', 'confident')
        union all by name
        from sqlanon._measured_guesses('guess')
    ),
    bounded as (
        select *, case when unit in ('%', 'percentage points') then 100 else 1 end as scale,
               case when reach is not null then {'low': value - reach, 'high': value + reach}
                    when people > 0 then sqlanon._interval(value, people) end as bounds
        from measured where truth_known or not needs_truth
    )
    select sensitive, measure, scale * value as value, unit, scale * bounds.low as low,
           scale * bounds.high as high
    from bounded join (select distinct attribute, sensitive from query_table(attacked)) using (attribute)
    order by attribute, place, level desc;

create or replace macro sqlanon.breaches(
    releases, targets, id, qi, sensitive, hierarchies := null, truth := null, levels := [100, 50, 25, 10],
    nearest := false, presence := null, exact_cover := false, unit := null, formats := null) as table
    with _sqlanon_attacked as materialized (
        from sqlanon._attacked(
            releases, targets, id, truth, qi, sensitive, hierarchies, nearest, presence,
            coalesce(exact_cover::boolean, false), unit, true, formats)
    )
    from sqlanon._breaches('_sqlanon_attacked', levels, truth is not null, unit is not null);

comment on macro table sqlanon.breaches is $$
Sums up the intersection attack over all targets: one row per sensitive column and measure, next to what
guessing would reach.

Parameters:
- releases, targets, id, qi, sensitive, hierarchies, truth: as in intersection_attack
- levels (list of numbers, above 0 and at most 100; default [100, 50, 25, 10]): confidences, in percent, whose
  PVP is told.
- nearest, presence, exact_cover, unit: as in intersection_attack
- formats: as in locate

Result:
- sensitive (text): the name of the sensitive column.
- measure (text): its name.
- value (number): in the unit of the measure.
- unit (text): of the value: people, rows, values, % or percentage points.
- low (number): the lower end of a 95 % interval: Wilson's for shares of targets, that of paired differences
  for gains.
- high (number): the upper end.

Errors: as in intersection_attack.

Notes: the measures are the targets; the share located in all releases that they are in, and in none; the
share of rows with labels that nobody understands, in the release that has most of them (unread_labels tells
which; releases of centroids have none); the average size of their classes; average prior and posterior
anonymity and drop; the vulnerable population (drop > 0); PVP per level: the share of targets whose value is
known with that confidence or more; contradictions; with several releases how many values the two share that
share fewest (0: nothing can be intersected, and a PVP of 0 says nothing; see unshared_values); with
exact_cover, where there are any, the share of targets for whom not all was looked at. Then how often a guess
is right that is made from the marginal (the most frequent value of all rows), from the best single release
(the most frequent value of the class there), and from all of them weighted (the most probable candidate): as
the adversary expects it and, with truth, as it is, with the gain of the weighted guess over the others. Ties
count as drawn by lot; where no class or candidate is left, the guess is from one release, or from the
marginal. With truth also how often no release has the true value, it is among the candidates, and a single
candidate is the true one. With a unit all of this is about people: somebody is as exposed as the most exposed
of their rows.

Source: Ganta, Kasiviswanathan and Smith 2008, sec. 2.1.

Example:
from sqlanon.breaches(['east', 'west'], targets := 'voters', id := 'name', qi := ['age', 'zip'],
                      sensitive := 'disease', truth := 'disease');
$$;
