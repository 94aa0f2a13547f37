-- Bounds of numbers, chosen privately (Wilson et al. 2020, section 5.1.1).
--
-- Numbers are counted in bins by their size, from one power of two to the next, with noise. The bounds are
-- the ends of the outermost bins with a noisy count that noise alone gives none of the empty bins, except
-- with a probability of 5 %.

-- Bins from -71 to 71; 0 has what is at most 2^-10 in size, and i what is above 2^(i - 11) and at most 2^(i -
-- 10), or larger than all others.
create or replace macro sqlanon._last_bin() as 71;
create or replace macro sqlanon._bin(number) as
    sign(number)::integer
        * least(greatest(ceil(log2(greatest(abs(number), 1e-9))) + 10, 0), sqlanon._last_bin())::integer;

-- Rows with their bin, and whose they are. Rows without a number are left out.
create or replace macro sqlanon._binned_rows(tbl, measure, unit) as table
    from query(sqlanon._fill($$
        select * from (
            select case when not isnan(try_cast(src.{"measure"} as double))
                        then sqlanon._bin(try_cast(src.{"measure"} as double)) end as bin {unit}
            from sqlanon._source({=tbl}, {names}, {unit_names}) as src
        ) where bin is not null
    $$, map {
        'unit': sqlanon._each(unit, ', src.{c} as unit', ''), 'names': sqlanon._names(measure),
        'unit_names': sqlanon._names(unit)}));

create or replace macro sqlanon._all_bins(bounded) as table
    select bin, coalesce(any_value(n), 0)::bigint as n
    from (select unnest(range(-sqlanon._last_bin(), sqlanon._last_bin() + 1)) as bin)
    left join (select g1 as bin, sum(n) as n from query_table(bounded) group by g1) using (bin)
    group by bin;

create or replace macro sqlanon._dp_bounds(tbl, measure, unit, max_groups, max_rows, scale, budget) as table
    with _sqlanon_refusal as materialized (
        from sqlanon._refuse_measure(tbl, measure)
        union all
        select refused from (
            select sqlanon._paid(budget, 'exponential', unit, 'dp_bounds', tbl, measure) as refused)
        where refused is not null
    ),
    _sqlanon_row as (
        from sqlanon._binned_rows(tbl, measure, unit)
        where (select count(refused) = 0 from _sqlanon_refusal)
    ),
    _sqlanon_contribution as materialized (
        from sqlanon._contributions(
            '_sqlanon_row', 'bin', if(unit is null, null, 'unit'), null, max_rows, 'count(*) as row_count',
            '')
    ),
    _sqlanon_bounded as (from sqlanon._bounded('_sqlanon_contribution', null, 'bin', unit, max_groups)),
    _sqlanon_group as materialized (from sqlanon._all_bins('_sqlanon_bounded')),
    _sqlanon_calibration as materialized (
        from sqlanon._calibration(
            'bin', 'laplace', scale::double, group_delta := 0.05 / (2 * sqlanon._last_bin() + 1),
            most_rows := 0)
    ),
    _sqlanon_noisy as materialized (
        select bin, tau, sqlanon._with_noise(n, calibration.scale, 'laplace') as noisy
        from _sqlanon_group, _sqlanon_calibration as calibration
    )
    select min(if(bin > 0, pow(2, bin - 11), -pow(2, -bin - 10))) as lo,
           max(if(bin < 0, -pow(2, -bin - 11), pow(2, bin - 10))) as hi
    from _sqlanon_noisy where noisy >= tau;

create or replace macro sqlanon._dp_bounds_budget(epsilon) as
    sqlanon._budget(epsilon, null, null, 'laplace', null);

create or replace macro sqlanon.dp_bounds(
    tbl, measure, epsilon := null, unit := null, max_groups := null, max_rows := null) as table
    from query({statement:
        sqlanon._release_checked(measure, unit, null, [])
        || sqlanon._let(
            {'groups': sqlanon._most(max_groups, 'max_groups', unit, null),
             'rows': sqlanon._most(max_rows, 'max_rows', unit, 1),
             'budget': sqlanon._dp_bounds_budget(epsilon)},
            lambda given: {call _dp_bounds:
                max_groups := given['groups'], max_rows := given['rows'],
                scale := sqlanon._scale(given['budget'], 'laplace', given['groups'], given['rows']),
                budget := given['budget']})});

comment on macro table sqlanon.dp_bounds is $$
Chooses bounds of a column of numbers privately, for dp_sums and the others that take them: differential
privacy, as in dp_counts.

Parameters:
- tbl (table): the raw rows.
- measure (column): the numbers. NULL and NaN are not counted.
- epsilon (number, 0.000001 to 100; default null): the epsilon of differential privacy. Must be given.
- unit: as in dp_counts
- max_groups (integer, at least 1; default null): the largest number of sizes (see Notes) in which a unit is
  counted. Must be given with unit.
- max_rows: as in dp_counts

Result:
- lo (number): the lower bound, a power of two or minus one. NULL if no size has enough rows.
- hi (number): the upper bound.

Errors: those of dp_sums.

Notes: numbers are grouped into 143 sizes, up to 2^-10, 2^-9, ..., 2^61 in absolute value, each with a sign. A
size with few rows is not detected; the numbers of these rows then count as the bound. With a probability of
at most 5 %, a bound belongs to a size that no row has.

Source: Wilson et al. 2020, section 5.1.1.

Example:
from sqlanon.dp_bounds('people', measure := 'income', epsilon := 10);
$$;
