-- Semantic privacy: how much an adversary's beliefs depend on whether somebody's data was used (Ganta,
-- Kasiviswanathan and Smith 2008, section 4.1). In one world the output comes from a database D, in the other
-- from D without the person i. What the adversary believes of D after the output differs in the two worlds by
-- the statistical difference: half the sum of the differences of probabilities.
--
-- The worst of all priors has two databases: one for which the output is relatively most probable with the
-- person's data, one for which it is least. With ratio, the quotient of these two quotients of probabilities,
-- the difference is at most (sqrt(ratio) - 1) / (sqrt(ratio) + 1), and some prior on the two reaches it.
-- (That is our own derivation. The paper bounds it by exp(epsilon) - 1.)

-- How probable an output is with and without a person, for each database: person, output, database, used,
-- unused. removals: database, person, neighbor (the database without the person).
create or replace macro sqlanon._likelihoods(removals, outputs) as table
    select person, output, database, sum(used) as used, sum(unused) as unused
    from (
        select person, mine.output, removal.database, probability as used, 0 as unused
        from query_table(removals) as removal
        join query_table(outputs) as mine on mine.database = removal.database
        union all
        select person, theirs.output, removal.database, 0, probability
        from query_table(removals) as removal
        join query_table(outputs) as theirs on theirs.database = removal.neighbor
    )
    group by all having sum(used) + sum(unused) > 0;

-- The logarithm of the quotient of two probabilities, not both 0.
create or replace macro sqlanon._log_quotient(used, unused) as
    case when unused = 0 then 'infinity'::double when used = 0 then '-infinity'::double
         else ln(used) - ln(unused) end;

-- The shift of beliefs by each output: person, output, shift, probability, likelier, unlikelier. The first:
-- with the worst prior. Where the output cannot be without the person, it is 1.
create or replace macro sqlanon._worst_shifts(likelihoods) as table
    with compared as (
        select *, sqlanon._log_quotient(used, unused) as quotient from query_table(likelihoods)
    )
    select person, output,
           if(isinf(max(quotient)) or isinf(min(quotient)), 1, tanh((max(quotient) - min(quotient)) / 4))
               as shift,
           null::double as probability,
           arg_max(database, (quotient, database)) as likelier,
           arg_min(database, (quotient, database)) as unlikelier
    from compared group by person, output having max(used) > 0;

-- The second: with one prior (database, probability).
create or replace macro sqlanon._shifts_of_prior(likelihoods, believed) as table
    with joint as (
        select person, output, database, used * probability as used, unused * probability as unused,
               sqlanon._log_quotient(used, unused) as quotient
        from query_table(likelihoods) join query_table(believed) using (database) where probability > 0
    ),
    total as (
        select *, sum(used) over each as all_used, sum(unused) over each as all_unused
        from joint window each as (partition by person, output)
    )
    select person, output,
           if(any_value(all_unused) = 0, 1, sum(abs(used / all_used - unused / all_unused)) / 2) as shift,
           any_value(all_used) as probability,
           arg_max(database, (quotient, database)) as likelier,
           arg_min(database, (quotient, database)) as unlikelier
    from total where all_used > 0 group by person, output;

-- No rows, or an error: a database without a neighbour for one of the people, or with several.
create or replace macro sqlanon._refuse_removals(removals, outputs) as table
    select error('neighbors must name one database without person ' || coalesce(person, 'NULL')
                 || ' for database ' || database || ', not ' || count(neighbor)) as refused
    from (select distinct database from query_table(outputs))
    cross join (select distinct person from query_table(removals)) as everybody
    left join query_table(removals) as removal using (database, person)
    group by database, person having count(neighbor) <> 1;

create or replace macro sqlanon.semantic_privacy(mechanism, neighbors, prior := null) as table
    with _sqlanon_output as materialized (from sqlanon._mechanism(mechanism)),
    _sqlanon_removal as materialized (
        select distinct database::varchar as database, person::varchar as person,
               neighbor::varchar as neighbor
        from query_table(neighbors)
    ),
    _sqlanon_prior as materialized (
        from query(
            case when prior is null then 'select null::varchar as database, 1::double as probability'
                 else 'select database::varchar as database, probability::double as probability from '
                      || sqlanon._relation(prior) end)
    ),
    _sqlanon_likelihood as materialized (from sqlanon._likelihoods('_sqlanon_removal', '_sqlanon_output')),
    _sqlanon_named as (
        select database from _sqlanon_removal union select neighbor from _sqlanon_removal
    ),
    _sqlanon_believed as (select database from _sqlanon_prior where prior is not null),
    _sqlanon_refusal as (
        from sqlanon._refuse_mechanism('_sqlanon_output', mechanism)
        union all from sqlanon._refuse_empty('_sqlanon_removal', neighbors)
        union all from sqlanon._refuse_other_databases('_sqlanon_named', '_sqlanon_output', neighbors)
        union all from sqlanon._refuse_removals('_sqlanon_removal', '_sqlanon_output')
        union all from sqlanon._refuse_improper('_sqlanon_prior', 'the prior')
        union all from sqlanon._refuse_other_databases('_sqlanon_believed', '_sqlanon_output', prior)
    ),
    _sqlanon_shift as (
        from query(
            if(prior is null, $$from sqlanon._worst_shifts('_sqlanon_likelihood')$$,
               $$from sqlanon._shifts_of_prior('_sqlanon_likelihood', '_sqlanon_prior')$$))
    )
    from _sqlanon_shift
    where (select count(refused) = 0 from _sqlanon_refusal)
    order by shift desc, person, output;

comment on macro table sqlanon.semantic_privacy is $$
Computes how much the beliefs of an adversary depend on whether a person's data was used: one row per person
and output of a randomized algorithm, for the worst of all priors (beliefs before the output) or for a given
one.

Parameters:
- mechanism: as in indistinguishability
- neighbors (table): rows of database, person and neighbor: neighbor is the database without the person, or
  with a default value in their place.
- prior (table; default null): rows of database and probability: the adversary's beliefs before the output. If
  not given, the worst of all priors is used.

Result:
- person (text): the person whose data was used, or not.
- output (text): the output that the adversary sees.
- shift (number, 0 to 1): the statistical difference of the adversary's two posterior distributions, with and
  without the person's data; 1 if the output is impossible without the person.
- probability (number, 0 to 1): the probability of the output, under prior; NULL without a prior.
- likelier (text): the database for which the person's data makes the output relatively most probable.
- unlikelier (text): the database for which it makes the output relatively least probable.

Errors: as in indistinguishability; a database without a neighbour for one of the people, or with several, and
a prior that does not add up to 1.

Notes: the largest shift is the epsilon of semantic privacy. With a prior, the probability of outputs with a
larger shift for anybody is the delta of its relaxed form. semantic_bounds lists the bounds that differential
privacy guarantees for both. The shift is about what one person's data adds; the data of all people may reveal
more about people like them.

Source: Ganta, Kasiviswanathan and Smith 2008, Definitions 12 and 13; the worst prior is our own derivation.

Example:
with response as (
    from (values ('yes', 'yes', 0.75), ('yes', 'no', 0.25), ('no', 'yes', 0.25), ('no', 'no', 0.75))
        as row(database, output, probability)
),
without as (
    from (values ('yes', 'Alice', 'no'), ('no', 'Alice', 'no')) as row(database, person, neighbor)
)
from sqlanon.semantic_privacy('response', 'without');
$$;

-- BOUNDS

-- The mass of outputs of which Lemma 18 says nothing.
create or replace macro sqlanon._unbounded_mass(eps, del) as
    sqrt(del) + if(del > 0, 2 * del / (eps * exp(eps)), 0);

create or replace macro sqlanon.semantic_bounds(epsilon, delta := 0, people := 1) as table
    with given as (
        select sqlanon._real_number(epsilon, 'epsilon', 0, true, 100, 'between 0 and 100') as eps,
               sqlanon._share(delta, 'delta') as del, sqlanon._whole_number(people, 'people') as n
    ),
    checked as (
        select coalesce(eps, error('epsilon must be given: a number between 0 and 100')) as eps, del,
               coalesce(n, error('people must be given: a whole number of at least 1')) as n
        from given
    )
    select id, bound, meaning
    from checked, lateral (
        values
            (1, 'proposition_14', if(del = 0, exp(eps) - 1, null),
             'the largest shift of beliefs, whatever the prior'),
            (2, 'worst_prior', if(del = 0, tanh(eps / 2), null),
             'the same, as it can be reached at most'),
            (3, 'theorem_15_shift', exp(3 * eps) - 1 + 2 * sqrt(del),
             'the shift that is exceeded for anybody with at most the next probability'),
            (4, 'theorem_15_probability', least(n * sqlanon._unbounded_mass(eps, del), 1),
             'that probability, by Lemma 18 and a sum over people'),
            (5, 'truth', if(del = 0, exp(eps) / (1 + exp(eps)), null),
             'the probability that the most revealing answer about one person is true')
    ) as row(place, id, bound, meaning)
    order by place;

comment on macro table sqlanon.semantic_bounds is $$
Lists the bounds that differential privacy guarantees for the beliefs of any adversary: one row per bound.

Parameters:
- epsilon (number, 0 to 100): the epsilon of differential privacy.
- delta (number, 0 to 1; default 0): the delta of differential privacy.
- people (integer, at least 1; default 1): the number of people in the data.

Result:
- id (text): proposition_14, worst_prior, theorem_15_shift, theorem_15_probability, truth.
- bound (number): the bound; NULL if there is none with this delta. A bound of 1 or more on a shift means
  nothing.
- meaning (text): what is bounded.

Errors: a number out of its range.

Source: Ganta, Kasiviswanathan and Smith 2008, section 4 (the worst prior is our own derivation);
Machanavajjhala and Kifer 2015 (truth).

Example:
from sqlanon.semantic_bounds(0.1, delta := 0.0001, people := 3);
$$;
