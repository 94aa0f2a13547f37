-- How many rows there are in each group, with noise (Dwork, McSherry, Nissim and Smith 2006).
--
-- Where the data itself says which groups there are, a group appears only if its noisy count reaches a
-- threshold tau that somebody's own groups reach with a probability of at most delta: tau = max_rows + the
-- excess of the noise (Korolova et al. 2009; ours is exact for integers). Or each group is selected
-- separately, by its number of units, with the greatest probability that differential privacy allows
-- (Desfontaines et al. 2022).

-- The rows that leave, in the order of the groups.
create or replace macro sqlanon._counts_release(noisy_groups, columns, non_negative) as table
    from query(sqlanon._fill($$
        select {each columns: g{i} as {c}}, greatest(noisy, least_n) as n, deviation as standard_deviation,
               greatest(noisy - margin, least_n) as low, greatest(noisy + margin, least_n) as high
        from {noisy_groups} as released, (select {least_n} as least_n)
        where released.tau is null or noisy >= released.tau order by {each columns: released.g{i}}
    $$, map {'least_n': if(non_negative, '0::bigint', '-9223372036854775808')}));

-- From the rows to the release, in one statement.
create or replace macro sqlanon._dp_counts(
    tbl, columns, unit, max_groups, max_rows, mechanism, keys, selection, non_negative,
    scale, group_epsilon, group_delta, budget) as table
    with _sqlanon_contribution as materialized (
        from sqlanon._contributions(tbl, columns, unit, null, max_rows, 'count(*) as row_count', '')
    ),
    _sqlanon_key as materialized (from sqlanon._public_keys(keys, columns)),
    _sqlanon_refusal as materialized (
        from sqlanon._refuse_groups(
            '_sqlanon_contribution', sqlanon._if_any(keys, '_sqlanon_key'), columns, keys)
        union all
        select refused from (
            select sqlanon._paid(budget, mechanism, unit, 'dp_counts', tbl, columns) as refused)
        where refused is not null
    ),
    _sqlanon_bounded as (
        from sqlanon._bounded(
            '_sqlanon_contribution', sqlanon._if_any(keys, '_sqlanon_key'), columns, unit, max_groups)
    ),
    _sqlanon_group as materialized (
        from sqlanon._groups('_sqlanon_bounded', sqlanon._if_any(keys, '_sqlanon_key'), columns, unit, '')
    ),
    _sqlanon_calibration as materialized (
        from {sqlanon._calibration: part := 'n', most_rows := if(selection = 'threshold', max_rows, null)}
    ),
    _sqlanon_selected as materialized (
        select *, case when selection = 'partition'
                       then sqlanon._event(
                           sqlanon._selection_probability(people, group_epsilon, group_delta))
                       else true end as is_selected
        from _sqlanon_group where (select count(refused) = 0 from _sqlanon_refusal)
    ),
    _sqlanon_noisy as materialized (
        select measured.*, calibration.*, sqlanon._with_noise(n, calibration.scale, mechanism) as noisy
        from _sqlanon_selected as measured, _sqlanon_calibration as calibration where is_selected
    )
    from sqlanon._counts_release('_sqlanon_noisy', columns, non_negative);

-- An empty text, or an error.
create or replace macro sqlanon._release_checked(columns, unit, others, results) as
    case when len(sqlanon._list(columns)) = 0
         then error('columns names no column: give at least one to group by, e.g. columns := [''zip'']')
         when len(sqlanon._list(unit)) > 1
         then error('unit names one column, the one that says whose a row is, not '
                    || len(sqlanon._list(unit)))
         else sqlanon._let(
             sqlanon._list(columns) || sqlanon._list(unit) || sqlanon._list(others), lambda names:
             case when len(list_filter(names, lambda name: name is null)) > 0
                  then error('a column name is NULL')
                  else coalesce(
                      error('column "' || sqlanon._claimed_twice(names || results)  -- error(NULL) is none
                            || '" is named twice, or as a column of the release: rename it'), '') end)
    end;

-- How many groups, or rows in each, may be somebody's: 1 without a unit.
create or replace macro sqlanon._most(given, parameter, unit, unsaid) as
    case when unit is null and coalesce(sqlanon._whole_number(given, parameter), 1) > 1
         then error(parameter || ' needs unit, the column that says whose a row is: without it each row is a'
                    || ' person of its own')
         when unit is null then 1
         else coalesce(sqlanon._whole_number(given, parameter), unsaid,
                       error(parameter || ' must be given with unit: in how many groups somebody may count'))
    end;

-- How groups are selected: NULL where they are public.
create or replace macro sqlanon._selection(keys, selection) as
    case when selection is null or selection not in ('threshold', 'partition')
         then error('selection must be threshold or partition, not ' || coalesce(selection, 'NULL'))
         when keys is null then selection end;

create or replace macro sqlanon._dp_counts_budget(epsilon, delta, rho, mechanism, keys, selection) as
    sqlanon._budget(epsilon, delta, rho, mechanism, sqlanon._selection(keys, selection));

create or replace macro sqlanon.dp_counts(
    tbl, columns, epsilon := null, delta := null, rho := null, unit := null, max_groups := null,
    max_rows := null, mechanism := 'laplace', keys := null, selection := 'threshold',
    non_negative := false) as table
    from query({statement:
        sqlanon._release_checked(columns, unit, null, ['n', 'standard_deviation', 'low', 'high'])
        || sqlanon._let(
            {'groups': sqlanon._most(max_groups, 'max_groups', unit, null),
             'rows': sqlanon._most(max_rows, 'max_rows', unit, 1),
             'budget': sqlanon._dp_counts_budget(epsilon, delta, rho, mechanism, keys, selection)},
            lambda bounds: {call _dp_counts:
                max_groups := bounds['groups'], max_rows := bounds['rows'],
                selection := sqlanon._selection(keys, selection),
                scale := sqlanon._scale(bounds['budget'], mechanism, bounds['groups'], bounds['rows']),
                group_epsilon := bounds['budget']['key_epsilon'] / bounds['groups'],
                group_delta := bounds['budget']['key_delta'] / bounds['groups'],
                budget := bounds['budget']})});

comment on macro table sqlanon.dp_counts is $$
Counts the rows of each group with noise, so that the counts hardly depend on the rows of any one person:
differential privacy.

Parameters:
- tbl (table): the raw rows.
- columns (columns): the columns to group by.
- epsilon (number, 0.000001 to 100; default null): the epsilon of differential privacy: the smaller, the more
  noise. epsilon or rho must be given.
- delta (number, 0 to 0.5; default null): the delta of differential privacy, at least 1e-20. Must be given
  without keys, and for gaussian noise.
- rho (number, 0.000001 to 100; default null): the rho of zero-concentrated differential privacy, instead of
  epsilon, for gaussian noise.
- unit (column; default null): identifies the person of a row. All rows of a unit are protected together:
  nobody learns whether they were in the table; p1 and "P1 " are spellings of one. If not given, each row
  counts as a person, and people with several rows are protected less.
- max_groups (integer, at least 1; default null): the largest number of groups in which a unit is counted.
  Must be given with unit.
- max_rows (integer, at least 1; default null): the largest number of rows of a unit that are counted in a
  group; 1 if not given.
- mechanism (one of laplace, gaussian; default 'laplace'): the distribution of the noise. Gaussian noise is
  smaller if a unit is in many groups.
- keys (table; default null): all possible groups, in columns of the same names and types: public knowledge,
  which must not come from the rows. The result has exactly these groups.
- selection (one of threshold, partition; default 'threshold'): how groups are chosen without keys. threshold:
  groups with a large noisy count; partition: each group is drawn with a probability that depends on its
  number of units, which shows smaller groups, but costs half of the budget.
- non_negative (boolean; default false): true: counts below 0 are replaced by 0. Sums of counts are then too
  large.

Result:
- <columns> (unchanged): the group; NULL is a group of its own.
- n (integer): the number of rows, with noise.
- standard_deviation (number): the standard deviation of the noise.
- low (integer): the lower end of a 95 % interval for the number of counted rows. It is about noise only: rows
  beyond max_groups and max_rows are not counted. If half of the rows are left out, n, low and high are half
  of what they should be.
- high (integer): the upper end.

Errors: unknown column, no noise function, a parameter that is missing or cannot be combined with the others,
a column of floating-point numbers, intervals or times with a zone among columns, keys of another type.

Notes: neighbouring tables differ by all rows of one unit, added or removed. If a unit's rows change, this
counts as both: the epsilon of a change is twice as large. NULL is a unit like any other. Rows beyond
max_groups and max_rows are not counted. Their number is not in the release, because it is not protected by
noise; Python and the command line print it on stderr, for the owner of the rows. Groups that passed a
threshold have larger noise than others. The scale of Laplace noise is max_groups max_rows / epsilon, that of
Gaussian noise max_rows sqrt(max_groups / 2 rho). Without keys, a group is shown if its noisy count is at
least tau = max_rows + t, where t is the smallest number that the noise reaches with a probability of at most
delta / max_groups (half of delta for Gaussian noise). How long a query takes may depend on the data. The
types of the columns of a CSV file also depend on the data: use a table with declared types. count_errors
measures how exact the counts are. Each call draws new noise and costs its epsilon and delta again; so does
each reading of a view over it.

Source: Dwork, McSherry, Nissim and Smith 2006; Ghosh, Roughgarden and Sundararajan 2009; Canonne, Kamath and
Steinke 2020; Wilson et al. 2020; Desfontaines, Voss, Gipson and Mandayam 2022.

Example:
with known as (select unnest(['asthma', 'cancer', 'diabetes', 'flu']) as disease)
from sqlanon.dp_counts('people', columns := 'disease', epsilon := 1, keys := 'known');
$$;
