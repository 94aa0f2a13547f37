-- Counts without noise: what they tell an adversary who is unsure of other people has an epsilon and a delta,
-- too (Desfontaines 2024, section 3.2; the formulas here are our own derivation).

-- The probability that so many of n people have what each of them has with this probability, independently.
create or replace macro sqlanon._binomial(n, held, probability) as
    case when probability = 0 then (held = 0)::integer
         when probability = 1 then (held = n)::integer
         else exp(lgamma(n + 1) - lgamma(held + 1) - lgamma(n - held + 1)
                  + held * ln(probability) + (n - held) * ln(1 - probability)) end;

-- A count of n people who each have the value with that probability: scenario, weight (of the scenario,
-- here the only one), counted, mass.
create or replace macro sqlanon._counts_of_alike(n, probability) as table
    select 0 as scenario, 1::double as weight, counted, sqlanon._binomial(n, counted, probability) as mass
    from range(n + 1) as row(counted);

-- A count of n people whose probabilities are known to be between least and 1 - least. Somebody's is as if,
-- with probability 2 least, it was 1/2, and otherwise known. The number of the former is the scenario, which
-- the adversary is told.
create or replace macro sqlanon._counts_of_various(n, least) as table
    select scenario, sqlanon._binomial(n, scenario, 2 * least) as weight, counted,
           sqlanon._binomial(scenario, counted, 0.5) as mass
    from range(n + 1) as row(scenario), lateral (select unnest(range(scenario + 1)) as counted);

-- The least delta for each epsilon where one more person is counted, or is not: epsilon, delta. outcomes:
-- scenario, weight, outcome, p and q (its probabilities without and with that person).
create or replace macro sqlanon._deltas_of_outcomes(outcomes, bounds) as table
    select epsilon, sum(weight * delta) as delta
    from (
        select epsilon, any_value(weight) as weight,
               greatest(sum(greatest(p - exp(epsilon) * q, 0)), sum(greatest(q - exp(epsilon) * p, 0)))
                   as delta
        from query_table(outcomes), (select distinct unnest(bounds) as epsilon)
        group by epsilon, scenario
    )
    group by epsilon;

-- A count with and without one more person: scenario, weight, outcome, p, q.
create or replace macro sqlanon._one_more_counted(counts) as table
    select scenario, any_value(weight) as weight, outcome, sum(p) as p, sum(q) as q
    from (
        select scenario, weight, counted as outcome, mass as p, 0 as q from query_table(counts)
        union all
        select scenario, weight, counted + 1, 0, mass from query_table(counts)
    )
    group by scenario, outcome;

-- A rare value, and counts from k up: epsilon, delta. The count without the person is below k, with them it
-- may reach k; else nothing is released either way.
create or replace macro sqlanon._rare_value(n, probability, k) as table
    select ln(sum(mass) filter (counted < k)) - ln(sum(mass) filter (counted < k - 1)) as epsilon,
           sum(mass) filter (counted >= k - 1) as delta
    from sqlanon._counts_of_alike(n, probability);

create or replace macro sqlanon.uncertain_counts(people, share, k := null, epsilons := [1]) as table
    with given as (
        select coalesce(sqlanon._whole_number(people, 'people'), error('people must be given')) as n,
               sqlanon._share(share, 'share') as p, sqlanon._whole_number(k, 'k') as least_count
    ),
    alike as (from sqlanon._counts_of_alike((select least(n, 100000) from given), (select p from given))),
    alike_outcome as (from sqlanon._one_more_counted('alike')),
    various as (
        from sqlanon._counts_of_various(
            (select least(n, 2000) from given), (select least(p, 1 - p) from given))
    ),
    various_outcome as (from sqlanon._one_more_counted('various')),
    answer as (
        select 1 as place, 'rare' as adversary, coalesce(epsilon, 'infinity') as epsilon,
               coalesce(delta, 0) as delta
        from sqlanon._rare_value((select least(n, 100000) from given), (select p from given),
                                 (select least_count from given))
        where (select least_count from given) is not null
        union all
        select 2, 'common', epsilon, delta from sqlanon._deltas_of_outcomes(
            'alike_outcome', sqlanon._epsilons(epsilons))
        union all
        select 3, 'various', epsilon, delta from sqlanon._deltas_of_outcomes(
            'various_outcome', sqlanon._epsilons(epsilons))
    )
    select adversary, epsilon, least(delta, 1) as delta from answer order by place, epsilon;

comment on macro table sqlanon.uncertain_counts is $$
Computes how much exact counts reveal about a person, if the adversary is uncertain about other people: an
epsilon and a delta as in differential privacy, one row per adversary and epsilon.

Parameters:
- people (integer, at least 1): the number of other people about whom the adversary is uncertain,
  independently of each other.
- share (number, 0 to 1): the probability, for the adversary, that each of them has the value that is counted.
- k (integer, at least 1; default null): counts below k are not released. If not given, all are.
- epsilons (list of numbers, at least 0; default [1]): the epsilons for which delta is computed.

Result:
- adversary (text): rare, with k: counts from k up are released, and nobody has the value with a higher
  probability than share. common: all counts are released, and everybody has it with this probability.
  various: the same, but the probabilities are anything between share and 1 - share, and the adversary knows
  them.
- epsilon (number): for rare its own epsilon, otherwise the given ones.
- delta (number, 0 to 1): the smallest delta for this epsilon, to nine digits after the point.

Errors: a number out of its range.

Notes: an adversary who knows everybody else's value learns a person's value from an exact count. Differential
privacy protects against such adversaries; this result does not. For various, delta is an upper bound. More
than 100000 people (for various more than 2000) are computed as this number; the true delta is then smaller.

Source: Desfontaines 2024, section 3.2 (the definitions; the formulas are our own derivation).

Example:
from sqlanon.uncertain_counts(1000, 0.01, k := 30);
$$;
