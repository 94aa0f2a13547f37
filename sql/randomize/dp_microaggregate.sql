-- Microaggregation with noise (Soria-Comas, Domingo-Ferrer, Sanchez and Martinez 2014).
--
-- Records are put in an order that looks at nothing but each record itself, every k of them are a group, and
-- the sums of a group get noise. Then the change of one record, from x to y, changes little: of the groups
-- between the two places each gives one record to its neighbour and takes one from the other. So the sums of
-- a column change by |b1 - b0|, |b2 - b1|, ..., where x = b0, b1, ... = y are records in this order, as many
-- steps as there are groups at most (the paper's n / k times the width of the bounds).
--
-- The order is Hilbert's curve (sql/anonymize/microaggregation/hilbert_curve.sql) over cells within public
-- bounds, and along it such steps cannot all be long. Halve all columns l times: the curve goes through one
-- of these 2^(d l) cubes (of d columns) after the other. So less than 2^(d l) steps lead from one to another,
-- and a step within one changes a column by less than 1 / 2^l of the width of its bounds. Of a single column
-- the steps add up to the width.

-- Records as cells: point_id, a1, a2, ... of 0 to `last`. What is no number is in the middle.
create or replace macro sqlanon._record_cells(tbl, columns, ends, last) as table
    from query(sqlanon._fill($$
        select row_number() over () as point_id, {cells} from sqlanon._source({=tbl}, {=columns}, null) as src
    $$, map {
        'cells': list_aggregate(list_transform(columns, lambda name, i: sqlanon._fill($$
            case when not isnan(try_cast(src.{"name"} as double))
                 then least(greatest(round(
                     (try_cast(src.{"name"} as double) - {lo}) / ({hi} - {lo}) * {last}), 0), {last})
                 else {last} // 2 end::bigint as a{i}
        $$, map {
            'i': i::varchar, 'last': last::varchar, 'lo': sqlanon._constant(ends[2 * i - 1]),
            'hi': sqlanon._constant(ends[2 * i])})),
            'string_agg', ', ')}));

-- The groups, k records each and the last one of up to 2 k - 1: cluster (from 0), n, totals (a list, one per
-- column).
create or replace macro sqlanon._cluster_totals(records, places, columns, k) as table
    from query(sqlanon._fill($$
        with _sqlanon_numbered as (
            select record.*, row_number() over (order by {order}) - 1 as number
            from {records} as record join {places} as place using (point_id)
        )
        select least(number // {=k}, greatest(records // {=k}, 1) - 1) as cluster, count(*) as n,
               [{each columns: sum(a{i})}]::bigint[] as totals
        from _sqlanon_numbered, (select count(*) as records from {records})
        group by cluster
    $$, map {'order': if(len(columns) = 1, 'a1', 'place')}));

-- How much the sums of one column over all groups change at most, in cells: the sum of the changes, each to a
-- power (1 for Laplace noise, 2 for Gaussian noise).
create or replace macro sqlanon._cluster_change(clusters, dimensions, bits, power_) as
    case when dimensions = 1 then power((1 << bits) - 1, power_)
         else list_sum(list_transform(range(1, bits + 1), lambda level:
             least(greatest(clusters - ((1::bigint << (dimensions * (level - 1))) - 1), 0),
                   (1::bigint << (dimensions * level)) - (1::bigint << (dimensions * (level - 1))))
             * power((1 << (bits - level + 1)) - 1, power_))) end;

-- The scale of the noise, in cells.
create or replace macro sqlanon._cluster_scale(budget, mechanism, clusters, dimensions, bits) as
    sqlanon._scale(
        budget, mechanism, dimensions,
        if(mechanism = 'laplace', sqlanon._cluster_change(clusters, dimensions, bits, 1),
           sqrt(sqlanon._cluster_change(clusters, dimensions, bits, 2))));

-- The centroids, in the order of the curve.
create or replace macro sqlanon._clusters_release(noisy_totals, columns, ends, last) as table
    from query(sqlanon._fill($$
        select {centers}, released.n, released.deviation / released.n / {last} as standard_deviation
        from (select cluster, n, deviation, list(noisy order by d) as totals from {noisy_totals} group by all)
            as released
        order by released.cluster
    $$, map {
        'centers': list_aggregate(list_transform(columns, lambda name, i: sqlanon._fill($$
            {lo} + least(greatest(released.totals[{i}] / released.n / {last}, 0), 1) * ({hi} - {lo}) as {c}
        $$, map {
            'c': sqlanon._quote(name), 'i': i::varchar, 'last': last::varchar,
            'lo': sqlanon._constant(ends[2 * i - 1]), 'hi': sqlanon._constant(ends[2 * i])})),
            'string_agg', ', '),
        'last': last::varchar}));

create or replace macro sqlanon._dp_microaggregate(tbl, columns, k, mechanism, ends, bits, budget) as table
    with _sqlanon_refusal as materialized (
        from sqlanon._refuse_measure(tbl, columns)
        union all
        select refused from (
            select sqlanon._paid(budget, mechanism, null, 'dp_microaggregate', tbl, columns) as refused)
        where refused is not null
    ),
    _sqlanon_record as materialized (
        from sqlanon._record_cells(tbl, columns, ends, (1 << bits) - 1)
        where (select count(refused) = 0 from _sqlanon_refusal)
    ),
    _sqlanon_place as materialized (from sqlanon._curve_places('_sqlanon_record', columns)),
    _sqlanon_group as materialized (
        from sqlanon._cluster_totals('_sqlanon_record', '_sqlanon_place', columns, k)
    ),
    _sqlanon_calibration as materialized (
        select 'total' as part, scale, sqlanon._noise_deviation(mechanism, scale) as deviation
        from (select sqlanon._cluster_scale(budget, mechanism, count(*), len(columns), bits)::double as scale
              from _sqlanon_group)
    ),
    _sqlanon_noisy as materialized (
        select cluster, n, d, deviation, sqlanon._with_noise(total, scale, mechanism) as noisy
        from (select cluster, n, unnest(totals) as total, generate_subscripts(totals, 1) as d
              from _sqlanon_group), _sqlanon_calibration
    )
    from sqlanon._clusters_release('_sqlanon_noisy', columns, ends, (1 << bits) - 1);

create or replace macro sqlanon._dp_microaggregate_budget(epsilon, delta, rho, mechanism) as
    sqlanon._budget(epsilon, delta, rho, mechanism, null);

-- Public bounds of several columns, as a flat list of numbers, or an error.
create or replace macro sqlanon._ends_given(bounds, columns) as
    case when len(sqlanon._list(bounds)) is distinct from 2 * len(columns)
         then error('bounds must be two numbers for each column, the least and the largest that counts, e.g.'
                    || ' [0, 100] for one and [0, 100, 0, 5000] for two, not '
                    || coalesce(bounds::varchar, 'NULL'))
         else flatten(list_transform(range(1, len(columns) + 1), lambda i:
             sqlanon._let(
                 sqlanon._bounds_given(sqlanon._list(bounds)[2 * i - 1 : 2 * i], null),
                 lambda given: [given['lo'], given['hi']]))) end;

create or replace macro sqlanon.dp_microaggregate(
    tbl, columns, bounds, k, epsilon := null, delta := null, rho := null, mechanism := 'laplace') as table
    from query({statement:
        sqlanon._release_checked(columns, null, null, ['n', 'standard_deviation'])
        || case when len(sqlanon._list(columns)) > 12
                then error('columns can be 12 at most, not ' || len(sqlanon._list(columns)))
                else {call _dp_microaggregate:
                    k := coalesce(sqlanon._whole_number(k, 'k'), error('k must be given')),
                    ends := sqlanon._ends_given(bounds, sqlanon._list(columns)),
                    bits := sqlanon._curve_bits(columns),
                    budget := sqlanon._dp_microaggregate_budget(epsilon, delta, rho, mechanism)} end});

comment on macro table sqlanon.dp_microaggregate is $$
Releases the means of groups of k similar records with noise: differential privacy by microaggregation. It
hides the values of a record, but not the number of records.

Parameters:
- tbl (table): the raw rows, one per record.
- columns (columns): columns of numbers, 12 at most. NULL and NaN count as the middle of the bounds.
- bounds (list of numbers): for each column in turn its smallest and largest number: public knowledge, which
  must not come from the rows. Numbers outside count as the bound.
- k (integer, at least 1): the number of records in a group. The last group has up to 2 k - 1 records, or all
  records if there are fewer than k.
- epsilon (number, 0.000001 to 100; default null): the epsilon of differential privacy. epsilon or rho must be
  given.
- delta (number, 0 to 0.5; default null): the delta of differential privacy, for gaussian noise.
- rho: as in dp_counts
- mechanism (one of laplace, gaussian; default 'laplace'): the distribution of the noise. Gaussian noise is
  smaller if there are several columns and many groups.

Result:
- <columns> (number): the mean of the group, with noise, between the bounds.
- n (integer): the number of records in the group.
- standard_deviation (number): the standard deviation of the noise in each mean, as a share of the width of
  its bounds.

Errors: those of dp_counts; a column that is not a number, bounds that are not valid.

Notes: neighbouring tables differ in one *changed* record, and the number of rows is public, as in
randomized_response. In a ledger that also has releases whose neighbours differ by added or removed rows, a
change costs these twice. For a person with several records, epsilon is multiplied by their number. Numbers
are rounded to one of 1,024 steps between their bounds (2^(60 / d), if there are d > 6 columns). Records are
ordered along a Hilbert curve through the space within the bounds, so a change of one record moves at most one
record into each group, and one out. With more groups there is more noise, with larger groups the means are
coarser: the best k is near the square root of n / epsilon for one column, and up to ten times that for
several.

Source: Soria-Comas, Domingo-Ferrer, Sanchez and Martinez 2014; the bound of what a change can do along the
curve is our own.

Example:
from sqlanon.dp_microaggregate(
    'people', columns := ['age', 'income'], bounds := [0, 100, 0, 100000], k := 4, epsilon := 5);
$$;
