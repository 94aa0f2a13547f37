-- Sums and means with noise (Dwork, McSherry, Nissim and Smith 2006).
--
-- Noise on floating-point numbers tells of them by its last digits (Mironov 2012). So numbers are first
-- brought within public bounds and onto a grid; what is added up, and gets noise, are whole numbers of cells.
-- Where somebody has more rows in a group than they may, all of them count for less, by the same share.

-- No rows, or an error: a measure that is no number.
create or replace macro sqlanon._refuse_measure(tbl, measure) as table
    from query(sqlanon._each_filled(measure, $$
        select error('column ' || {s} || ' is ' || type_name || ', not a number: cast it') as refused
        from (select typeof({c}) as type_name
              from (select true) left join (select {c} from {relation} where false) on true)
        where not sqlanon._is_number(type_name)
    $$, map {'relation': sqlanon._relation(tbl)}, ' union all '));

-- The cell of a number, from the one in the center, as the text of an expression: NULL for NULL and NaN.
create or replace macro sqlanon._grid_cell(measure, lo, hi, grid, center) as
    sqlanon._each_filled(measure, $$
        case when not isnan(try_cast(src.{c} as double))
             then round(least(greatest(try_cast(src.{c} as double), {=lo}), {hi}) / {grid})::bigint - {center}
        end
    $$, map {'hi': sqlanon._constant(hi), 'grid': sqlanon._constant(grid), 'center': center::varchar}, '');

-- The contributions, with total: in cells, of at most `most` for each row.
create or replace macro sqlanon._contributed_totals(
    tbl, columns, measure, unit, max_rows, lo, hi, grid, center, most) as table
    from sqlanon._contributions(
        tbl, columns, unit, measure, max_rows,
        'count(' || sqlanon._grid_cell(measure, lo, hi, grid, center) || ') as row_count, coalesce(sum('
            || sqlanon._grid_cell(measure, lo, hi, grid, center) || '), 0) as value_total',
        if(unit is null, ', value_total as total', sqlanon._fill($$,
            if(row_count <= {=max_rows}, value_total,
               least(greatest(round(value_total::double * {=max_rows} / row_count), -{bound}), {bound})
                   ::hugeint) as total
        $$, map {'bound': (most::bigint * max_rows)::varchar})));

-- The rows that leave, in the order of the groups.
create or replace macro sqlanon._sums_release(noisy_groups, columns, grid) as table
    from query(sqlanon._fill($$
        select {each columns: g{i} as {c}}, noisy * grid as total, deviation * grid as standard_deviation,
               (noisy - margin::double) * grid as low, (noisy + margin::double) * grid as high
        from {noisy_groups} as released, (select {=grid} as grid) order by {each columns: released.g{i}}
    $$));

-- A number of cells from the center as one within the bounds: the text of an expression.
create or replace macro sqlanon._within(cells, lo, hi, grid, center) as
    sqlanon._fill('least(greatest(({center} + {cells}) * {=grid}, {=lo}), {=hi})', map {
        'center': center::varchar});

-- Noisy sums and counts as means. A mean is between the quotients of the ends of the two intervals.
create or replace macro sqlanon._means_release(noisy_groups, columns, lo, hi, grid, center) as table
    from query(sqlanon._fill($$
        with _sqlanon_divided as (
            select *, greatest(noisy_n, 1)::double as divisor,
                   greatest(noisy_n::double + n_margin, 1) as most,
                   greatest(noisy_n::double - n_margin, 1) as least
            from {noisy_groups}
        ),
        _sqlanon_centered as (
            select *, noisy / divisor as mean, noisy - margin::double as lowest,
                   noisy + margin::double as highest
            from _sqlanon_divided
        )
        select {each columns: g{i} as {c}}, {mean} as mean, noisy_n as n,
               sqrt(power(deviation, 2) + power(mean * n_deviation, 2)) / divisor * {=grid}
                   as standard_deviation,
               {low} as low, {high} as high
        from _sqlanon_centered as released order by {each columns: released.g{i}}
    $$, map {
        'mean': sqlanon._within('mean', lo, hi, grid, center),
        'low': sqlanon._within('lowest / if(lowest >= 0, most, least)', lo, hi, grid, center),
        'high': sqlanon._within('highest / if(highest >= 0, least, most)', lo, hi, grid, center)}));

-- From the rows to sums in cells with noise, and from there to the release, in one statement. n_scale: of the
-- noise of counts; NULL for sums.
create or replace macro sqlanon._dp_totals(
    tbl, columns, measure, unit, max_groups, max_rows, mechanism, keys, lo, hi, grid, center, most,
    scale, n_scale, group_epsilon, group_delta, budget) as table
    with _sqlanon_contribution as materialized (from {sqlanon._contributed_totals}),
    _sqlanon_key as materialized (from sqlanon._public_keys(keys, columns)),
    _sqlanon_refusal as materialized (
        from sqlanon._refuse_groups(
            '_sqlanon_contribution', sqlanon._if_any(keys, '_sqlanon_key'), columns, keys)
        union all from sqlanon._refuse_measure(tbl, measure)
        union all
        select refused from (
            select sqlanon._paid(
                budget, mechanism, unit, if(n_scale is null, 'dp_sums', 'dp_means'), tbl, columns) as refused)
        where refused is not null
    ),
    _sqlanon_bounded as (
        from sqlanon._bounded(
            '_sqlanon_contribution', sqlanon._if_any(keys, '_sqlanon_key'), columns, unit, max_groups)
    ),
    _sqlanon_group as materialized (
        from sqlanon._groups(
            '_sqlanon_bounded', sqlanon._if_any(keys, '_sqlanon_key'), columns, unit,
            ', sqlanon._saturated(coalesce(sum(total), 0)) as total')
    ),
    _sqlanon_calibration as materialized (
        from sqlanon._calibration('total', mechanism, scale, beyond := if(n_scale is null, 0.025, 0.0125))
        union all from sqlanon._calibration('n', mechanism, n_scale, beyond := 0.0125)
    ),
    _sqlanon_selected as materialized (
        select *, case when keys is null
                       then sqlanon._event(
                           sqlanon._selection_probability(people, group_epsilon, group_delta))
                       else true end as is_selected
        from _sqlanon_group where (select count(refused) = 0 from _sqlanon_refusal)
    ),
    _sqlanon_noisy as materialized (
        select measured.*, noise.deviation, noise.margin,
               sqlanon._with_noise(total, noise.scale, mechanism) as noisy,
               n_noise.deviation as n_deviation, n_noise.margin as n_margin,
               sqlanon._with_noise(if(n_noise.scale is null, null, n), n_noise.scale, mechanism) as noisy_n
        from _sqlanon_selected as measured
        join _sqlanon_calibration as noise on noise.part = 'total'
        left join _sqlanon_calibration as n_noise on n_noise.part = 'n'
        where is_selected
    )
    from query(
        if(n_scale is null, {call _sums_release: noisy_groups := '_sqlanon_noisy'},
           {call _means_release: noisy_groups := '_sqlanon_noisy', center := text(center::varchar)}));

-- Public bounds, as lo, hi and grid. The grid is a power of ten with about 10^9 cells, if none is given.
create or replace macro sqlanon._bounds_given(bounds, grid) as
    sqlanon._let(
        list_transform(sqlanon._list(bounds), lambda bound: sqlanon._number_given(bound)), lambda ends:
            case when len(ends) <> 2 or not coalesce(isfinite(ends[2] - ends[1])
                                                     and ends[1] < ends[2], false)
                 then error('bounds must be two numbers, the least and the largest that counts, e.g. [0, 100]'
                            || ', not ' || coalesce(bounds::varchar, 'NULL'))
                 else {'lo': ends[1], 'hi': ends[2],
                       'grid': coalesce(
                           sqlanon._real_number(grid, 'grid', 0, false, 1e300, 'above 0'),
                           pow(10, ceil(log10(greatest(abs(ends[1]), abs(ends[2])))) - 9))} end);

-- With center, the cell that numbers are counted from: 0, or for means the middle; and most, how many cells
-- one is from there at most.
create or replace macro sqlanon._range(bounds, grid, max_rows, is_mean) as
    sqlanon._let(sqlanon._bounds_given(bounds, grid), lambda ends:
        sqlanon._let(
            case when greatest(abs(ends['lo']), abs(ends['hi'])) / ends['grid'] * max_rows > 1e15
                 then error('the grid is too fine: there must be at most 1e15 cells of it between 0 and the'
                            || ' bounds times max_rows, not of ' || ends['grid'])
                 else {'ends': ends,
                       'center': if(is_mean, round((ends['lo'] + ends['hi']) / 2 / ends['grid']), 0)::bigint}
            end,
            lambda range_: {
                'lo': range_['ends']['lo'], 'hi': range_['ends']['hi'], 'grid': range_['ends']['grid'],
                'center': range_['center'],
                'most': greatest(
                    abs(round(range_['ends']['lo'] / range_['ends']['grid'])::bigint - range_['center']),
                    abs(round(range_['ends']['hi'] / range_['ends']['grid'])::bigint - range_['center']),
                    1)}));

-- The budget: a half of the noise is that of the counts, for means.
create or replace macro sqlanon._dp_sums_budget(epsilon, delta, rho, mechanism, keys) as
    sqlanon._budget(epsilon, delta, rho, mechanism, if(keys is null, 'partition', null));
create or replace macro sqlanon._dp_means_budget(epsilon, delta, rho, mechanism, keys) as
    sqlanon._dp_sums_budget(epsilon, delta, rho, mechanism, keys);

-- The call of the chain. share: of the noise's budget that goes into the sums.
create or replace macro sqlanon._totals_call(
    tbl, columns, measure, unit, mechanism, keys, groups, most_rows, budget, range_, share, is_mean) as
    {call _dp_totals:
        max_groups := groups, max_rows := most_rows, lo := range_['lo'], hi := range_['hi'],
        grid := range_['grid'], center := text(range_['center']::varchar), most := range_['most'],
        scale := sqlanon._scale(budget, mechanism, groups, most_rows * range_['most'], share),
        n_scale := if(is_mean, sqlanon._scale(budget, mechanism, groups, most_rows, share), null),
        group_epsilon := budget['key_epsilon'] / groups, group_delta := budget['key_delta'] / groups};

create or replace macro sqlanon._totals_statement(
    tbl, columns, measure, bounds, epsilon, delta, rho, unit, max_groups, max_rows, mechanism, keys, grid,
    is_mean) as
    sqlanon._release_checked(
        columns, unit, measure,
        if(is_mean, ['mean', 'n'], ['total']) || ['standard_deviation', 'low', 'high'])
    || sqlanon._let(
        {'groups': sqlanon._most(max_groups, 'max_groups', unit, null),
         'rows': sqlanon._most(max_rows, 'max_rows', unit, 1),
         'budget': sqlanon._dp_sums_budget(epsilon, delta, rho, mechanism, keys)},
        lambda given:
            sqlanon._let(sqlanon._range(bounds, grid, given['rows'], is_mean), lambda range_:
                sqlanon._totals_call(
                    tbl, columns, measure, unit, mechanism, keys, given['groups'], given['rows'],
                    given['budget'], range_, if(is_mean, 0.5, 1), is_mean)));

create or replace macro sqlanon.dp_sums(
    tbl, columns, measure, bounds, epsilon := null, delta := null, rho := null, unit := null,
    max_groups := null, max_rows := null, mechanism := 'laplace', keys := null, grid := null) as table
    from query({statement: {sqlanon._totals_statement: is_mean := false}});

comment on macro table sqlanon.dp_sums is $$
Adds up a column in each group with noise: differential privacy, as in dp_counts.

Parameters:
- tbl, columns: as in dp_counts
- measure (column): the numbers to add up. NULL and NaN are not counted.
- bounds (list of numbers): the smallest and the largest number: public knowledge, which must not come from
  the rows. Numbers outside count as the bound.
- epsilon, delta, rho, unit, max_groups: as in dp_counts
- max_rows (integer, at least 1; default null): the largest number of rows of a unit that are counted in a
  group; 1 if not given. If a unit has more rows, their mean is counted this many times.
- mechanism, keys: as in dp_counts
- grid (number, above 0; default null): numbers are rounded to multiples of it. If not given, a power of ten
  with at most a billion cells between 0 and the bounds.

Result:
- <columns> (unchanged): the group; NULL is a group of its own.
- total (number): the sum, with noise.
- standard_deviation (number): the standard deviation of the noise.
- low (number): the lower end of a 95 % interval for the sum of the counted numbers. It is about noise only:
  it does not include the effects of max_groups, max_rows and bounds.
- high (number): the upper end.

Errors: those of dp_counts; a measure that is not a number, bounds that are not valid, a grid that is too
fine.

Notes: without keys, groups are chosen by their number of units (selection := 'partition' in dp_counts) with a
half of the budget. The scale of the noise is that of dp_counts, times the bound that is farther from 0.

Source: Dwork, McSherry, Nissim and Smith 2006; Mironov 2012 (why on a grid); Wilson et al. 2020.

Example:
with known as (select unnest(['asthma', 'cancer', 'diabetes', 'flu']) as disease)
from sqlanon.dp_sums(
    'people', columns := 'disease', measure := 'income', bounds := [0, 100000], epsilon := 1,
    keys := 'known');
$$;

create or replace macro sqlanon.dp_means(
    tbl, columns, measure, bounds, epsilon := null, delta := null, rho := null, unit := null,
    max_groups := null, max_rows := null, mechanism := 'laplace', keys := null, grid := null) as table
    from query({statement: {sqlanon._totals_statement: is_mean := true}});

comment on macro table sqlanon.dp_means is $$
Takes the mean of a column in each group with noise, as the quotient of a noisy sum and a noisy count:
differential privacy, as in dp_counts.

Parameters:
- tbl, columns: as in dp_counts
- measure, bounds: as in dp_sums
- epsilon, delta, rho, unit, max_groups: as in dp_counts
- max_rows: as in dp_sums
- mechanism, keys: as in dp_counts
- grid: as in dp_sums

Result:
- <columns> (unchanged): the group; NULL is one of its own.
- mean (number): the mean, with noise, between the bounds.
- n (integer): the number of rows with a number, with noise.
- standard_deviation (number): the approximate standard deviation of the mean, if n is much larger than its
  noise.
- low (number): the lower end of an interval of at least 95 % for the mean of the counted numbers. It is about
  noise only: it does not include the effects of max_groups, max_rows and bounds.
- high (number): the upper end.

Errors: those of dp_sums.

Notes: the sums are of differences from the middle of the bounds, which halves their noise. Sums and counts
each get half of the budget that is left after the choice of groups (without keys).

Source: Dwork, McSherry, Nissim and Smith 2006; Li, Lyu, Su and Yang 2016, section 2.4 (from the middle).

Example:
with known as (select unnest(['asthma', 'cancer', 'diabetes', 'flu']) as disease)
from sqlanon.dp_means(
    'people', columns := 'disease', measure := 'income', bounds := [0, 100000], epsilon := 1,
    keys := 'known');
$$;
