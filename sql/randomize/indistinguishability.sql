-- Indistinguishability: how far apart the outputs of a mechanism are for neighbouring databases (Ganta,
-- Kasiviswanathan and Smith 2008, Definition 16; for all neighbours at once that is differential privacy).

-- Pairs of neighbours in both orders, and all outputs of the first of them: database, neighbor, output, p, q
-- (the probabilities of the output for either).
create or replace macro sqlanon._outputs_of_neighbors(pairs, outputs) as table
    with ordered as (
        select database, neighbor from query_table(pairs)
        union
        select neighbor, database from query_table(pairs)
    )
    select pair.database, pair.neighbor, mine.output, mine.probability as p,
           coalesce(theirs.probability, 0) as q
    from ordered as pair
    join query_table(outputs) as mine on mine.database = pair.database
    left join query_table(outputs) as theirs
      on theirs.database = pair.neighbor and theirs.output = mine.output
    where mine.probability > 0;

-- For each of some epsilons the least delta: epsilon, delta, database, neighbor. And, first, the least
-- epsilon with which delta is 0.
create or replace macro sqlanon._indistinguishability_curve(compared, bounds) as table
    with exact as (
        select max(loss) as epsilon, 0::double as delta,
               arg_max({'database': database, 'neighbor': neighbor}, (loss, database, neighbor)) as pair
        from (select *, if(q > 0, ln(p) - ln(q), 'infinity'::double) as loss from query_table(compared))
    ),
    missed as (
        select bound as epsilon, database, neighbor, sum(greatest(p - exp(bound) * q, 0)) as delta
        from query_table(compared), (select distinct unnest(bounds) as bound)
        group by all
    ),
    least as (
        select epsilon, max(delta) as delta,
               arg_max({'database': database, 'neighbor': neighbor}, (delta, database, neighbor)) as pair
        from missed group by epsilon
    )
    select epsilon, delta, pair.database as database, pair.neighbor as neighbor
    from (select 0 as place, * from exact union all select 1, * from least)
    order by place, epsilon;

create or replace macro sqlanon.indistinguishability(
    mechanism, neighbors, epsilons := [0, 1, 2]) as table
    with _sqlanon_output as materialized (from sqlanon._mechanism(mechanism)),
    _sqlanon_pair as materialized (
        select distinct database::varchar as database, neighbor::varchar as neighbor
        from query_table(neighbors)
    ),
    _sqlanon_compared as materialized (
        from sqlanon._outputs_of_neighbors('_sqlanon_pair', '_sqlanon_output')
    ),
    _sqlanon_named as (
        select database from _sqlanon_pair union select neighbor from _sqlanon_pair
    ),
    _sqlanon_refusal as (
        from sqlanon._refuse_mechanism('_sqlanon_output', mechanism)
        union all from sqlanon._refuse_empty('_sqlanon_pair', neighbors)
        union all from sqlanon._refuse_other_databases('_sqlanon_named', '_sqlanon_output', neighbors)
    )
    from sqlanon._indistinguishability_curve('_sqlanon_compared', sqlanon._epsilons(epsilons))
    where (select count(refused) = 0 from _sqlanon_refusal);

comment on macro table sqlanon.indistinguishability is $$
Computes epsilon and delta of differential privacy for a randomized algorithm, given as a table of
probabilities: the smallest epsilon with delta 0, and the smallest delta for each given epsilon. The result is
exact, not an estimate.

Parameters:
- mechanism (table): rows of database, output and probability: the probability of each output of the algorithm
  for each possible database.
- neighbors (table): rows of database and neighbor: pairs of databases that differ in one person, in either
  order.
- epsilons (list of numbers, at least 0; default [0, 1, 2]): the epsilons for which delta is computed.

Result:
- epsilon (number): in the first row the smallest epsilon with delta 0; infinity if an output is possible for
  only one of two neighbours. In further rows the given epsilons, from the smallest.
- delta (number, 0 to 1): the smallest delta with which the mechanism is (epsilon, delta)-differentially
  private.
- database (text): the worst pair of neighbours: the database whose outputs are more probable.
- neighbor (text): the other database of this pair.

Errors: an empty table, probabilities that do not add up to 1 for a database, a neighbour that is not in
mechanism, an epsilon below 0.

Notes: epsilon and delta are properties of the algorithm, not of one output. Only the pairs in neighbors are
compared: if one is missing, the result may be too small.

Source: Ganta, Kasiviswanathan and Smith 2008, Definitions 10, 11 and 16.

Example:
with response as (
    from (values ('yes', 'yes', 0.75), ('yes', 'no', 0.25), ('no', 'yes', 0.25), ('no', 'no', 0.75))
        as row(database, output, probability)
),
pairs as (select 'yes' as database, 'no' as neighbor)
from sqlanon.indistinguishability('response', 'pairs');
$$;
