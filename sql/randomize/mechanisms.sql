-- Mechanisms as tables: the probability of every output of a randomized algorithm, for every possible
-- database. From such a table all that the algorithm tells of anybody follows exactly, without a draw.

-- A mechanism: database, output (as texts), probability (NULL, if it is not known everywhere).
create or replace macro sqlanon._mechanism(mechanism) as table
    select database::varchar as database, output::varchar as output,
           if(count(*) = count(probability), sum(probability::double), null) as probability
    from query_table(mechanism) group by all;

-- No rows, or an error: weights of databases, or of the outputs of one, that are no probabilities. what: the
-- same in words.
create or replace macro sqlanon._refuse_improper(weights, what) as table
    select error('the probabilities of ' || of_what || ' are not numbers from 0 that add up to 1, but '
                 || coalesce(sqlanon._number_text(total), 'unknown')
                 || if(lowest < 0, ' with ' || sqlanon._number_text(lowest) || ' among them', '')) as refused
    from (
        select of_what, if(count(*) = count(probability), sum(probability), null) as total,
               min(probability) as lowest
        from (select coalesce(what, 'database ' || database) as of_what, probability
              from query_table(weights))
        group by of_what
    )
    where coalesce(lowest < 0 or not total between 1 - 1e-9 and 1 + 1e-9, true);

-- No rows, or an error: a mechanism that is none.
create or replace macro sqlanon._refuse_mechanism(outputs, mechanism) as table
    from sqlanon._refuse_empty(outputs, mechanism)
    union all from sqlanon._refuse_improper(outputs, null)
    union all
    select error('table ' || mechanism || ' has a NULL in column database or output') as refused
    from query_table(outputs) where database is null or output is null;

-- No rows, or an error: databases (the column database) of which the mechanism says nothing. tbl: where they
-- are named. An empty mechanism is refused as such, and refusals may be worked out in any order.
create or replace macro sqlanon._refuse_other_databases(databases, outputs, tbl) as table
    select error('table ' || tbl || ' names database ' || coalesce(database, 'NULL')
                 || ', of which the mechanism says nothing') as refused
    from query_table(databases)
    where (database is null or database not in (select database from query_table(outputs)))
      and exists (from query_table(outputs));

-- The epsilons for which a delta is asked, as a list, or an error.
create or replace macro sqlanon._epsilons(epsilons) as
    case when len(list_filter(epsilons::double[], lambda epsilon:
             coalesce(epsilon < 0 or isnan(epsilon), true))) = 0
         then epsilons::double[]
         else error('epsilons must be numbers of at least 0, not ' || epsilons::varchar) end;
