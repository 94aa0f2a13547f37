-- The most frequent of public groups, by noisy max (Dwork and Roth 2014, section 3.3), as permute-and-flip
-- (McKenna and Sheldon 2020).
--
-- Only the groups are released, not their numbers of rows. So somebody may be in all of them: what counts is
-- by how much one score can change. All scores change in one direction, so the change counts once, not twice.

create or replace macro sqlanon._top_release(chosen, columns) as table
    from query(sqlanon._fill($$
        select {each columns: g{i} as {c}}, rank, count_error from {chosen} order by rank
    $$));

-- The groups in their order, with place: from 1.
create or replace macro sqlanon._placed_groups(groups, columns) as table
    from query(sqlanon._fill('select *, row_number() over (order by {order}) as place from {groups}', map {
        'order': sqlanon._each(columns, 'g{i}', ', ')}));

create or replace macro sqlanon._dp_top(tbl, columns, keys, k, unit, max_rows, scale, budget) as table
    with _sqlanon_contribution as materialized (
        from sqlanon._contributions(tbl, columns, unit, null, max_rows, 'count(*) as row_count', '')
    ),
    _sqlanon_key as materialized (from sqlanon._public_keys(keys, columns)),
    _sqlanon_refusal as materialized (
        from sqlanon._refuse_groups('_sqlanon_contribution', '_sqlanon_key', columns, keys)
        union all
        select refused from (
            select sqlanon._paid(budget, 'exponential', unit, 'dp_top', tbl, columns) as refused)
        where refused is not null
    ),
    _sqlanon_counted as (
        from sqlanon._groups('_sqlanon_contribution', '_sqlanon_key', columns, unit, '')
        where (select count(refused) = 0 from _sqlanon_refusal)
    ),
    _sqlanon_group as materialized (from sqlanon._placed_groups('_sqlanon_counted', columns)),
    _sqlanon_calibration as materialized (
        select 'rank' as part, scale::double as scale, scale * ln(20 * k * count(*)) as margin
        from _sqlanon_group
    ),
    _sqlanon_score as (select list(n order by place) as scores from _sqlanon_group),
    _sqlanon_noisy as materialized (
        select sqlanon._noisy_largest(scores, k, calibration.scale) as places
        from _sqlanon_score, _sqlanon_calibration as calibration
    ),
    _sqlanon_chosen as (
        select measured.*, rank, margin as count_error
        from (select unnest(places) as place, generate_subscripts(places, 1) as rank from _sqlanon_noisy)
        join _sqlanon_group as measured using (place), _sqlanon_calibration
    )
    from sqlanon._top_release('_sqlanon_chosen', columns);

create or replace macro sqlanon._dp_top_budget(epsilon) as
    sqlanon._budget(epsilon, null, null, 'laplace', null);

create or replace macro sqlanon.dp_top(
    tbl, columns, keys, k := 1, epsilon := null, unit := null, max_rows := null) as table
    from query({statement:
        sqlanon._release_checked(columns, unit, null, ['rank', 'count_error'])
        || sqlanon._let(
            {'k': coalesce(sqlanon._whole_number(k, 'k'),
                           error('k must be given: how many groups, e.g. k := 3')),
             'rows': sqlanon._most(max_rows, 'max_rows', unit, 1), 'budget': sqlanon._dp_top_budget(epsilon)},
            lambda given: {call _dp_top:
                k := given['k'], max_rows := given['rows'],
                scale := sqlanon._scale(given['budget'], 'laplace', given['k'], given['rows']),
                budget := given['budget']})});

comment on macro table sqlanon.dp_top is $$
Finds the k groups with most rows, by noisy max: differential privacy, as in dp_counts.

Parameters:
- tbl, columns: as in dp_counts
- keys (table): all possible groups, in columns of the same names and types: public knowledge, which must not
  come from the rows.
- k (integer, at least 1; default 1): the number of groups.
- epsilon (number, 0.000001 to 100; default null): the epsilon of differential privacy. Must be given.
- unit (column; default null): as in dp_counts; a unit may be in any number of groups.
- max_rows: as in dp_counts

Result:
- <columns> (unchanged): the group.
- rank (integer): from 1 for the group with most rows, apart from noise.
- count_error (number): with a probability of 95 %, no group outside the result has more rows than one in the
  result plus this number. Rows beyond max_rows are not counted.

Errors: those of dp_counts.

Notes: the result does not have the numbers of rows; dp_counts with these groups as keys counts them, for
another epsilon. Each of the k groups costs an equal part of epsilon.

Source: Dwork and Roth 2014, section 3.3; McKenna and Sheldon 2020.

Example:
with known as (select unnest(['asthma', 'cancer', 'diabetes', 'flu']) as disease)
from sqlanon.dp_top('people', columns := 'disease', keys := 'known', k := 2, epsilon := 1);
$$;
