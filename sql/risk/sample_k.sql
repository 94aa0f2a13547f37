-- k-map estimated from a sample (Pannekoek 1999; El Emam and Dankar 2008): how many rows of a sample a class
-- needs, for at least k people of the population to be in it.
--
-- Were there k people in a class, a sample that takes each with probability pi would have about a Poisson
-- distributed number of them, with mean pi k. A class is seen at all only if it has a row, so that the
-- distribution is truncated at zero. The class is taken to have more people than that once it has so many
-- rows that they, or more, would be seen with a probability of alpha at most. With fewer people than k that
-- probability is smaller still.
-- (ARX asks for one row more by the plain Poisson distribution.)

-- The probabilities of 0, 1, ..., most of a Poisson distribution.
create or replace macro sqlanon._poisson(mean, most) as
    list_transform(range(0, most + 1), lambda i: exp(i * ln(mean) - mean - lgamma(i + 1)));

-- The least number of rows, at most k. never_zero: is the distribution truncated at zero?
create or replace macro sqlanon._rows_beyond_chance(k, fraction, alpha, never_zero) as
    sqlanon._let(sqlanon._poisson(fraction * k, k), lambda probabilities:
        coalesce(list_filter(range(1, k), lambda n:
                     1 - list_sum(probabilities[:n]) <= alpha * if(never_zero, 1 - probabilities[1], 1))[1],
                 k));

create or replace macro sqlanon.sample_k(k, fraction, alpha := 0.05, distribution := 'zero_truncated') as
    sqlanon._let(
        struct_pack(k := coalesce(
                        sqlanon._whole_number_within(k, 'k', 1, 10000, 'a whole number from 1 to 10000'),
                        error('k must be a whole number from 1 to 10000, not NULL')),
                    fraction := coalesce(
                        sqlanon._real_number(fraction, 'fraction', 0, false, 1, 'above 0 and at most 1'),
                        error('fraction must be above 0 and at most 1, not NULL')),
                    alpha := coalesce(
                        sqlanon._real_number(alpha, 'alpha', 0, false, 1, 'above 0 and at most 1'),
                        error('alpha must be above 0 and at most 1, not NULL')),
                    never_zero := sqlanon._choice(distribution, 'distribution', ['zero_truncated', 'poisson'],
                                                  'zero_truncated or poisson') = 'zero_truncated'),
        lambda given: sqlanon._rows_beyond_chance(
            given['k'], given['fraction'], given['alpha'], given['never_zero']));

comment on macro sqlanon.sample_k is $$
The k that a sample needs for k-map: with so many rows in every class of the sample, each class has at least
k people in the population, as far as chance allows. Give it as k to an anonymizer or to violations. Everybody
must have been taken with the same probability, and nobody be known to be in the sample.

Parameters:
- k (integer, 1 to 10000): how many people of the population must be in every class.
- fraction (number, above 0 and at most 1): the share of the population that is in the sample.
- alpha (number, above 0 and at most 1; default 0.05): how probable it may be for a class of k people to have
  so many rows by chance.
- distribution (one of zero_truncated, poisson; default 'zero_truncated'): of the rows of a class of k people.
  A class is seen only if it has a row, so that the first one is right; the second one asks for less.

Result:
- sample_k (integer): rows, from 1 to k.

Errors: a number out of its range; another distribution.

Source: Pannekoek 1999 (poisson); El Emam and Dankar 2008 (zero_truncated).

Example:
select sqlanon.sample_k(20, 0.1) as sample_k;
$$;
