-- Compositions: how much releases that several publishers make independently give away together, tried on a
-- table: its rows are dealt to publishers who share some of them, each makes a release of its own rows, and
-- those whom all share are attacked with all releases (Ganta, Kasiviswanathan and Smith 2008, sec. 3).

-- Rows with their publisher: part, 0 of rows that all have, 1, 2, ... of those of one alone, NULL of rows
-- that are left over. overlap (above 0, at most 1): the share of a publisher's rows that all have;
-- publishers: how many. numbered: rows with a column row_id, by which, and the seed, they are dealt.
create or replace macro sqlanon._dealt_to_publishers(numbered, row_id, publishers, overlap, seed) as table
    from query(sqlanon._fill($$
        with sized as (
            select count(*) as n,
                   round(count(*) / (1 + {publishers} * (1 - {overlap}) / {overlap}))::bigint as shared
            from {numbered}
        ),
        placed as (
            select *, row_number() over (order by sha256('{seed} ' || {row_id}), {row_id}) as place
            from {numbered}
        )
        select placed.* exclude (place),
               case when place <= shared then 0
                    when place <= shared + (n - shared) // {publishers} * {publishers}
                    then 1 + (place - shared - 1) % {publishers} end as part
        from placed, sized
    $$, map {'publishers': publishers::varchar, 'overlap': overlap::double::varchar || '::double',
             'seed': seed::varchar, 'row_id': sqlanon._quote(row_id)}));

-- The rank of the value at the lower end of an interval (from the least one, as at the upper end from the
-- greatest) that has the median of the distribution of n values with a probability of 95 % or more: each is
-- below it with probability 1/2. Of less than 6 it is 1, though the probability is 1 - 2^(1 - n) then.
create or replace macro sqlanon._rank_of_interval(n) as
    greatest(1, len(list_filter(range(0, n), lambda j: 2 * list_sum(list_transform(range(0, j + 1), lambda i:
        exp(lgamma(n + 1) - lgamma(i + 1) - lgamma(n - i + 1) - n * ln(2)))) <= 0.05)));

-- What was measured, over all seeds: method, k, releases, sensitive, measure, unit, seeds (that measured it),
-- mean, median, low, high, reason (why a release could not be made: then there is no measure). measured:
-- place, method, k, seed, releases, sensitive, measure, unit, value, reason.
create or replace macro sqlanon._compositions_of_seeds(measured) as table
    with summed as (
        select place, method, k, releases, sensitive, measure, unit, count(value) as seeds,
               fsum(value) / count(value) as mean, median(value) as median,
               list_sort(list(value) filter (value is not null)) as sorted, min(reason) as reason
        from query_table(measured) group by all
    )
    select * exclude (place, sorted, reason),
           sorted[sqlanon._rank_of_interval(seeds)] as low,
           sorted[seeds + 1 - sqlanon._rank_of_interval(seeds)] as high, reason
    from summed order by place, releases, sensitive, measure;
