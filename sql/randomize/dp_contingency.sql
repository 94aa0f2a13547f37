-- Contingency tables that agree (Barak, Chaudhuri, Dwork, Kale, McSherry and Talwar 2007).
--
-- Of d columns that are true or false, the marginals that are wanted are made of Fourier coefficients: for a
-- set b of columns, F(b) is the sum over all rows of 1 or -1, by whether an even or an odd number of them are
-- true. A row changes each by 1. So noise is added to the coefficients that the marginals need, and to no
-- others: those of the subsets of the wanted sets. A marginal over a set a has
--     n(y) = 2^-|a| times the sum over b in a of (-1)^(b . y) F(b)
-- rows with the values y. Marginals that share columns agree, because they share coefficients.

-- A set of columns as bits: of names, the first column being 1.
create or replace macro sqlanon._column_bits(columns, chosen) as
    coalesce(list_sum(list_transform(columns, lambda name, i:
        if(list_contains(sqlanon._lower(chosen), lower(name)), 1 << (i - 1), 0))), 0)::bigint;

-- The wanted sets, as lists of names, or an error. (Of a list of names nobody knows whether it is one set.)
create or replace macro sqlanon._wanted(marginals) as
    case when marginals is null or typeof(marginals) like '%[][]' then marginals::varchar[][]
         else error('marginals must be a list of sets of columns, e.g. [[''smokes'', ''coughs''], [''old'']],'
                    || ' not ' || marginals::varchar) end;

-- No rows, or an error: a column that is not true or false.
create or replace macro sqlanon._refuse_not_boolean(contributions, columns) as table
    from query(sqlanon._each_filled(columns, $$
        select error('column ' || {s} || ' is ' || type_name || ', not true or false: make a condition of it')
            as refused
        from (select typeof(g{i}) as type_name
              from (select true) left join (from {contributions} where false) on true)
        where type_name <> 'BOOLEAN'
    $$, ' union all '));

-- Cells: values (as bits), n. Rows with a NULL are in none.
create or replace macro sqlanon._binary_cells(bounded, columns) as table
    from query(sqlanon._fill(
        'select {bits} as values_, sum(n) as n from {bounded} where {known} group by all', map {
            'bits': sqlanon._each(columns, '(g{i}::bigint << ({i} - 1))', ' + '),
            'known': sqlanon._each(columns, 'g{i} is not null', ' and ')}));

-- -1 or 1: the sign of a coefficient in a cell.
create or replace macro sqlanon._sign(bits, values_) as 1 - 2 * (bit_count(bits & values_) % 2)::bigint;

-- The coefficients that the wanted sets need: bits, coefficient.
create or replace macro sqlanon._coefficients(cells, wanted_bits) as table
    select bits, sqlanon._saturated(coalesce(sum(sqlanon._sign(bits, values_) * n), 0)) as coefficient
    from (select distinct bits from (select unnest(wanted_bits) as set_bits),
                 lateral (select unnest(range(set_bits + 1)) as bits)
          where bits & set_bits = bits)
    left join query_table(cells) on true
    group by bits;

-- The marginals: marginal (a number), set_bits, values_, estimate, share (of the noise's variance).
create or replace macro sqlanon._noisy_marginals(noisy_coefficients, wanted_bits) as table
    with wanted as (
        select unnest(wanted_bits) as set_bits, unnest(range(1, len(wanted_bits) + 1)) as marginal
    ),
    cell as (
        select marginal, set_bits, values_
        from wanted, lateral (select unnest(range(set_bits + 1)) as values_)
        where values_ & set_bits = values_
    )
    select marginal, set_bits, values_,
           sum(sqlanon._sign(bits, values_) * noisy::double) / power(2, bit_count(set_bits)) as estimate,
           1 / power(2, bit_count(set_bits)) as share
    from cell join query_table(noisy_coefficients) on bits & set_bits = bits
    group by marginal, set_bits, values_;

create or replace macro sqlanon._contingency_release(marginals, calibration, columns, factor) as table
    from query(sqlanon._fill($$
        select marginal, {values}, estimate as n, deviation * sqrt(share) as standard_deviation,
               estimate - {factor} * deviation * sqrt(share) as low,
               estimate + {factor} * deviation * sqrt(share) as high
        from {marginals} as released, {calibration} order by marginal, released.values_
    $$, map {
        'values': sqlanon._each(
            columns,
            'case when released.set_bits & (1 << ({i} - 1)) > 0'
            || ' then released.values_ & (1 << ({i} - 1)) > 0 end as {c}', ', '),
        'factor': factor::varchar}));

create or replace macro sqlanon._dp_contingency(
    tbl, columns, unit, max_groups, max_rows, mechanism, wanted_bits, scale, budget) as table
    with _sqlanon_contribution as materialized (
        from sqlanon._contributions(tbl, columns, unit, null, max_rows, 'count(*) as row_count', '')
    ),
    _sqlanon_refusal as materialized (
        from sqlanon._refuse_not_boolean('_sqlanon_contribution', columns)
        union all
        select refused from (
            select sqlanon._paid(budget, mechanism, unit, 'dp_contingency', tbl, columns) as refused)
        where refused is not null
    ),
    _sqlanon_bounded as (
        from sqlanon._bounded('_sqlanon_contribution', null, columns, unit, max_groups)
        where (select count(refused) = 0 from _sqlanon_refusal)
    ),
    _sqlanon_cell as materialized (from sqlanon._binary_cells('_sqlanon_bounded', columns)),
    _sqlanon_group as materialized (from sqlanon._coefficients('_sqlanon_cell', wanted_bits)),
    _sqlanon_calibration as materialized (
        select 'coefficient' as part, scale::double as scale,
               sqlanon._noise_deviation(mechanism, scale) as deviation
    ),
    _sqlanon_noisy as materialized (
        select bits, sqlanon._with_noise(coefficient, scale::double, mechanism) as noisy from _sqlanon_group
    ),
    _sqlanon_marginal as materialized (from sqlanon._noisy_marginals('_sqlanon_noisy', wanted_bits))
    from sqlanon._contingency_release(
        '_sqlanon_marginal', '_sqlanon_calibration', columns, if(mechanism = 'laplace', 2.12, 1.96));

create or replace macro sqlanon._dp_contingency_budget(epsilon, delta, rho, mechanism) as
    sqlanon._budget(epsilon, delta, rho, mechanism, null);

-- The bits of the wanted sets, or an error.
create or replace macro sqlanon._wanted_bits(columns, marginals) as
    sqlanon._let(coalesce(sqlanon._wanted(marginals), error('marginals must be given')), lambda wanted:
        case when len(columns) > 16
             then error('columns of a contingency table can be 16 at most, not ' || len(columns))
             when len(sqlanon._not_among(flatten(wanted), columns)) > 0
             then error('marginals names "' || sqlanon._not_among(flatten(wanted), columns)[1]
                        || '", which is not in columns')
             when len(wanted) = 0 or list_min(list_transform(wanted, lambda each: len(each))) = 0
             then error('marginals must have sets of columns, e.g. [[''smokes'', ''coughs''], [''old'']]')
             else list_transform(wanted, lambda each: sqlanon._column_bits(columns, each)) end);

-- How many coefficients these sets need.
create or replace macro sqlanon._coefficients_needed(wanted_bits) as
    len(list_filter(range(list_max(wanted_bits) + 1), lambda bits:
        len(list_filter(wanted_bits, lambda set_bits: bits & set_bits = bits)) > 0));

create or replace macro sqlanon.dp_contingency(
    tbl, columns, marginals, epsilon := null, delta := null, rho := null, unit := null, max_groups := null,
    max_rows := null, mechanism := 'laplace') as table
    from query({statement:
        sqlanon._release_checked(columns, unit, null, ['marginal', 'n', 'standard_deviation', 'low', 'high'])
        || sqlanon._let(
            {'groups': sqlanon._most(max_groups, 'max_groups', unit, null),
             'rows': sqlanon._most(max_rows, 'max_rows', unit, 1),
             'budget': sqlanon._dp_contingency_budget(epsilon, delta, rho, mechanism),
             'wanted': sqlanon._wanted_bits(sqlanon._list(columns), marginals)},
            lambda given: {call _dp_contingency:
                max_groups := given['groups'], max_rows := given['rows'],
                wanted_bits := given['wanted']::bigint[],
                scale := sqlanon._scale(
                    given['budget'], mechanism, sqlanon._coefficients_needed(given['wanted']),
                    given['groups'] * given['rows']), budget := given['budget']})});

comment on macro table sqlanon.dp_contingency is $$
Counts the rows in several marginals (tables of counts by some of the columns) of columns that are true or
false, with noise, so that marginals with common columns agree: differential privacy, as in dp_counts.

Parameters:
- tbl (table): the raw rows.
- columns (columns): columns of true and false, 16 at most. Rows with a NULL in one of them are not counted.
- marginals (list of lists of columns): sets of these columns: [['smokes', 'coughs'], ['smokes', 'old']]. The
  rows of each set are counted by its values.
- epsilon (number, 0.000001 to 100; default null): the epsilon of differential privacy. epsilon or rho must be
  given.
- delta (number, 0 to 0.5; default null): the delta of differential privacy, for gaussian noise.
- rho, unit: as in dp_counts
- max_groups (integer, at least 1; default null): the largest number of combinations of values in which a unit
  is counted. Must be given with unit.
- max_rows, mechanism: as in dp_counts

Result:
- marginal (integer): the number of the set, from 1.
- <columns> (boolean): the values; NULL in columns that the set does not have.
- n (number): the number of rows with these values: an estimate with fractions, which may be below 0.
- standard_deviation (number): the standard deviation of the noise.
- low (number): the lower end of an interval of about 95 % for the number of counted rows. It is about noise
  only: rows beyond max_groups and max_rows are not counted.
- high (number): the upper end.

Errors: those of dp_counts; a column that is not true or false, a marginal of other columns.

Notes: noise is added to one coefficient for each subset of the sets; its scale is their number times
max_groups max_rows / epsilon. The paper makes counts whole and non-negative with a linear program; this macro
does not.

Source: Barak, Chaudhuri, Dwork, Kale, McSherry and Talwar 2007.

Example:
with answers as (select age > 35 as old, disease = 'flu' as flu, income > 40000 as rich from people)
from sqlanon.dp_contingency(
    'answers', columns := ['old', 'flu', 'rich'], marginals := [['old', 'flu'], ['rich']], epsilon := 1);
$$;
