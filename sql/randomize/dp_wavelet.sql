-- A histogram for ranges: Haar wavelets with noise (Xiao, Wang and Gehrke 2010, "Privelet").
--
-- A range of numbers is cut into 2^h cells, the leaves of a binary tree. What gets noise are the number of
-- all rows and, for each node, by how many more rows its left half has than its right: whole numbers.
-- Somebody's row changes the first by 1, and one difference on each of the h levels by 1. From these the
-- count of a cell is found by halving on the way down, and the noise of a range of cells is that of the few
-- nodes at its ends: its variance grows with h^3, not with the number of cells.

-- The differences: level (of the node: 1 above the cells, h at the root, h + 1 for all rows), node,
-- difference.
create or replace macro sqlanon._wavelet(bounded, height) as table
    with node as (
        select level, unnest(range(1 << (height - level))) as node from range(1, height + 1) as r(level)
        union all select height + 1, 0
    ),
    cell as (select g1 as cell, sum(n) as n from query_table(bounded) where g1 is not null group by g1),
    counted as (
        select level, cell >> level as node, sum(if((cell >> (level - 1)) % 2 = 0, n, -n)) as difference
        from cell, range(1, height + 1) as r(level) group by all
        union all select height + 1, 0, sum(n) from cell
    )
    select level, node, sqlanon._saturated(coalesce(difference, 0)) as difference
    from node left join counted using (level, node);

-- Rows with their cell, from 0, and whose they are. Rows without a number are left out.
create or replace macro sqlanon._cell_rows(tbl, measure, unit, lo, hi, height) as table
    from query(sqlanon._fill($$
        select * from (
            select case when not isnan(try_cast(src.{"measure"} as double))
                        then least(floor(
                            (least(greatest(try_cast(src.{"measure"} as double), {=lo}), {=hi}) - {=lo})
                            / ({=hi} - {=lo}) * {cells}), {cells} - 1)::bigint end as cell {unit}
            from sqlanon._source({=tbl}, {names}, {unit_names}) as src
        ) where cell is not null
    $$, map {
        'cells': (1::bigint << height)::varchar, 'unit': sqlanon._each(unit, ', src.{c} as unit', ''),
        'names': sqlanon._names(measure), 'unit_names': sqlanon._names(unit)}));

-- The cells with their counts: cell, estimate, share (of the variance of the noise).
create or replace macro sqlanon._wavelet_cells(noisy_differences, height) as table
    with path as (
        select unnest(range(1 << height)) as cell, level
        from range(1, height + 2) as r(level)
    ),
    part as (
        select cell, level, noisy::double / (1 << least(level, height)) as half,
               1 / power(4, least(level, height)) as share
        from (select *, cell >> level as node from path)
        join query_table(noisy_differences) using (level, node)
    )
    select cell, sum(if(level <= height and (cell >> (level - 1)) % 2 = 1, -half, half)) as estimate,
           sum(share) as share
    from part group by cell;

create or replace macro sqlanon._wavelet_release(cells, calibration, lo, hi, height, factor) as table
    select lo + cell * (hi - lo) / (1 << height) as lower,
           lo + (cell + 1) * (hi - lo) / (1 << height) as upper,
           estimate as n, deviation * sqrt(share) as standard_deviation,
           estimate - factor * deviation * sqrt(share) as low,
           estimate + factor * deviation * sqrt(share) as high
    from query_table(cells), query_table(calibration) order by cell;

create or replace macro sqlanon._dp_wavelet(
    tbl, measure, unit, max_groups, max_rows, mechanism, lo, hi, height, scale, budget) as table
    with _sqlanon_refusal as materialized (
        from sqlanon._refuse_measure(tbl, measure)
        union all
        select refused from (
            select sqlanon._paid(budget, mechanism, unit, 'dp_wavelet', tbl, measure) as refused)
        where refused is not null
    ),
    _sqlanon_row as (
        from sqlanon._cell_rows(tbl, measure, unit, lo, hi, height)
        where (select count(refused) = 0 from _sqlanon_refusal)
    ),
    _sqlanon_contribution as materialized (
        from sqlanon._contributions(
            '_sqlanon_row', 'cell', if(unit is null, null, 'unit'), null, max_rows, 'count(*) as row_count',
            '')
    ),
    _sqlanon_bounded as (from sqlanon._bounded('_sqlanon_contribution', null, 'cell', unit, max_groups)),
    _sqlanon_group as materialized (from sqlanon._wavelet('_sqlanon_bounded', height)),
    _sqlanon_calibration as materialized (
        select 'difference' as part, scale::double as scale,
               sqlanon._noise_deviation(mechanism, scale) as deviation
    ),
    _sqlanon_noisy as materialized (
        select level, node, sqlanon._with_noise(difference, scale::double, mechanism) as noisy
        from _sqlanon_group
    ),
    _sqlanon_cell as materialized (from sqlanon._wavelet_cells('_sqlanon_noisy', height))
    from sqlanon._wavelet_release(
        '_sqlanon_cell', '_sqlanon_calibration', lo, hi, height, if(mechanism = 'laplace', 2.12, 1.96));

create or replace macro sqlanon._dp_wavelet_budget(epsilon, delta, rho, mechanism) as
    sqlanon._budget(epsilon, delta, rho, mechanism, null);

create or replace macro sqlanon._wavelet_call(
    tbl, measure, unit, mechanism, budget, ends, height, groups, most_rows) as
    {call _dp_wavelet:
        max_groups := groups, max_rows := most_rows, lo := ends['lo'], hi := ends['hi'],
        scale := sqlanon._scale(budget, mechanism, height + 1, groups * most_rows)};

create or replace macro sqlanon.dp_wavelet(
    tbl, measure, bounds, cells := 64, epsilon := null, delta := null, rho := null, unit := null,
    max_groups := null, max_rows := null, mechanism := 'laplace') as table
    from query({statement:
        sqlanon._release_checked(measure, unit, null, [])
        || sqlanon._let(
            {'budget': sqlanon._dp_wavelet_budget(epsilon, delta, rho, mechanism),
             'ends': sqlanon._bounds_given(bounds, 1),
             'cells': sqlanon._whole_number_up_to(cells, 'cells', 1048576),
             'groups': sqlanon._most(max_groups, 'max_groups', unit, null),
             'rows': sqlanon._most(max_rows, 'max_rows', unit, 1)},
            lambda given:
                case when given['cells'] < 2 then error('cells must be 2 at least, not ' || given['cells'])
                     else sqlanon._wavelet_call(
                         tbl, measure, unit, mechanism, given['budget'], given['ends'],
                         ceil(log2(given['cells']) - 1e-9)::integer, given['groups'], given['rows']) end)});

comment on macro table sqlanon.dp_wavelet is $$
Counts the rows in cells of a range of numbers by wavelets with noise, so that sums over ranges of cells have
little noise: differential privacy, as in dp_counts.

Parameters:
- tbl (table): the raw rows.
- measure, bounds: as in dp_sums
- cells (integer, 2 to 1048576; default 64): the number of cells of the same width; it is rounded up to a
  power of two.
- epsilon (number, 0.000001 to 100; default null): the epsilon of differential privacy. epsilon or rho must be
  given.
- delta (number, 0 to 0.5; default null): the delta of differential privacy, for gaussian noise.
- rho, unit: as in dp_counts
- max_groups (integer, at least 1; default null): the largest number of cells in which a unit is counted. Must
  be given with unit.
- max_rows, mechanism: as in dp_counts

Result:
- lower (number): the lower end of the cell. Numbers below the first cell are counted in it.
- upper (number): the upper end: this number is in the next cell, or, for the last cell, in the last.
- n (number): the number of rows in the cell: an estimate with fractions, which may be below 0.
- standard_deviation (number): the standard deviation of the noise of a cell. The noise of cells is
  correlated: that of a sum over a range of cells is usually smaller than if it were independent.
- low (number): the lower end of an interval of about 95 % for the number of counted rows. It is about noise
  only: rows beyond max_groups and max_rows are not counted.
- high (number): the upper end.

Errors: those of dp_sums.

Notes: for 2^h cells the scale of the noise is (1 + h) max_groups max_rows / epsilon. Rows without a number
are not counted.

Source: Xiao, Wang and Gehrke 2010.

Example:
from sqlanon.dp_wavelet('people', measure := 'age', bounds := [0, 80], cells := 8, epsilon := 1);
$$;
