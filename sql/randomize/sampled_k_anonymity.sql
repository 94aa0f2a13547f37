-- k-anonymity that is differentially private: a sample of the people, a generalization that was fixed before
-- anybody's data was seen, and groups of fewer than k left out (Li, Qardaji and Su 2012).
--
-- Everything that leaves is part of the group: with one rare value that leaves as it is, k-anonymity of the
-- rest hides nothing. Somebody in a group with n others changes how many of it are drawn, from Bin(n, share)
-- to Bin(n + 1, share); of fewer than k nothing is seen. The larger number is more probable by more than
-- exp(epsilon) from c > (n + 1) g on, with g = 1 - (1 - share) exp(-epsilon). So delta is
--     max over n of Pr(Bin(n + 1, share) >= m) - exp(epsilon) Pr(Bin(n, share) >= m)
-- with m the larger of k and the first such c. (Exact, our own derivation; the paper has a bound.) Up to
-- n + 1 = k / g it grows with n, beyond it falls exponentially.

create or replace macro sqlanon._turning_share(share, epsilon) as 1 - (1 - share) * exp(-epsilon);

-- The sizes n + 1 of groups for which delta may be largest.
create or replace macro sqlanon._sizes(k, g) as
    range(greatest(floor((k - 3) / g)::bigint - 2, k), ceil((k + 30) / g)::bigint + 30);

-- Pr(Bin(n, share) >= least), but for what is too rare to count.
create or replace macro sqlanon._binomial_tail(n, least, share) as
    coalesce(list_sum(list_transform(
        range(least, least(n, least + 200 + (20 * sqrt(n))::bigint) + 1), lambda drawn:
            sqlanon._binomial(n, drawn, share))), 0);

create or replace macro sqlanon._delta_of_sample(k, share, epsilon) as
    sqlanon._let(sqlanon._turning_share(share, epsilon), lambda g:
        list_max(list_transform(sqlanon._sizes(k, g), lambda size:
            sqlanon._let(greatest(k, floor(size * g + 1e-9)::bigint + 1), lambda least_drawn:
                sqlanon._binomial_tail(size, least_drawn, share)
                - exp(epsilon) * sqlanon._binomial_tail(size - 1, least_drawn, share)))));

-- The paper's: max over n >= k / g - 1 of Pr(Bin(n, share) > g n).
create or replace macro sqlanon._bound_of_sample(k, share, epsilon) as
    sqlanon._let(sqlanon._turning_share(share, epsilon), lambda g:
        list_max(list_transform(list_filter(sqlanon._sizes(k, g), lambda n: n >= k / g - 1), lambda n:
            sqlanon._binomial_tail(n, floor(n * g + 1e-9)::bigint + 1, share))));

-- The parameters, or an error.
create or replace macro sqlanon._sample_given(k, share, epsilon) as
    sqlanon._let(
        {'k': coalesce(sqlanon._whole_number_up_to(k, 'k', 10000), 0),
         'share': coalesce(sqlanon._real_number(share, 'share', 0.001, true, 0.999,
                                                'between 0.001 and 0.999'),
                           error('share must be given: of the people who are drawn, e.g. 0.2')),
         'epsilon': coalesce(sqlanon._positive(epsilon, 'epsilon'), error('epsilon must be given'))},
        lambda given:
            case when given['k'] < 2 then error('k must be 2 at least, not ' || given['k'])
                 when given['epsilon'] < -ln(1 - given['share'])
                 then error('epsilon must be at least ' || -ln(1 - given['share']) || ' with this share: a'
                            || ' sample of this size cannot protect better')
                 else given end);

-- PRIVACY

create or replace macro sqlanon.sampled_k_anonymity_privacy(k, share, epsilons := [1]) as table
    select epsilon, sqlanon._delta_of_sample(k, share::double, epsilon) as delta,
           sqlanon._bound_of_sample(k, share::double, epsilon) as bound
    from (
        select unnest(list_transform(sqlanon._epsilons(epsilons), lambda each:
            sqlanon._sample_given(k, share, each)['epsilon'])) as epsilon
    )
    order by epsilon;

comment on macro table sqlanon.sampled_k_anonymity_privacy is $$
Computes the privacy of sampled_k_anonymity: a delta of differential privacy for each epsilon.

Parameters:
- k (integer, 2 to 10000): the k of sampled_k_anonymity.
- share (number, 0.001 to 0.999): the share of sampled_k_anonymity.
- epsilons (list of numbers, at least 0; default [1]): the epsilons for which delta is computed, each at least
  -ln(1 - share).

Result:
- epsilon (number): one of the given epsilons.
- delta (number, 0 to 1): the smallest delta for this epsilon.
- bound (number, 0 to 1): the bound of the paper, which is larger.

Errors: a number out of its range, an epsilon that no delta goes with.

Source: Li, Qardaji and Su 2012 (the bound); delta is our own derivation.

Example:
from sqlanon.sampled_k_anonymity_privacy(20, 0.2, epsilons := [0.5, 1]);
$$;

-- RELEASE

-- The people who are drawn from each group of at least k of them.
create or replace macro sqlanon._sample_release(noisy_rows, columns, k, share) as table
    from query(sqlanon._fill($$
        select {each columns: g{i} as {c}}, count(*) as n, count(*) / {=share} as estimate,
               sqrt(count(*) * (1 - {=share})) / {=share} as standard_deviation
        from {noisy_rows} as released where released.is_drawn
        group by {positions} having count(*) >= {=k} order by {positions}
    $$, map {'positions': sqlanon._each(columns, 'released.g{i}', ', ')}));

create or replace macro sqlanon._sampled_k_anonymity(tbl, columns, k, share, unit, budget) as table
    with _sqlanon_contribution as materialized (
        from sqlanon._contributions(tbl, columns, unit, null, 1, 'count(*) as row_count', '')
    ),
    _sqlanon_refusal as materialized (
        from sqlanon._refuse_keys('_sqlanon_contribution', columns)
        union all
        select refused from (
            select sqlanon._paid(budget, 'sampling', unit, 'sampled_k_anonymity', tbl, columns) as refused)
        where refused is not null
    ),
    _sqlanon_bounded as (from sqlanon._bounded('_sqlanon_contribution', null, columns, unit, 1)),
    _sqlanon_group as materialized (
        select *, unnest(range(n)) as member
        from _sqlanon_bounded where (select count(refused) = 0 from _sqlanon_refusal)
    ),
    _sqlanon_calibration as materialized (select 'sample' as part, share::double as share, k as k),
    _sqlanon_noisy as materialized (select *, sqlanon._event(share::double) as is_drawn from _sqlanon_group)
    from sqlanon._sample_release('_sqlanon_noisy', columns, k, share);

create or replace macro sqlanon._sampled_k_anonymity_budget(k, share, epsilon) as
    sqlanon._let(sqlanon._sample_given(k, share, epsilon), lambda given:
        sqlanon._let(sqlanon._delta_of_sample(given['k'], given['share'], given['epsilon']), lambda del: {
            'epsilon': given['epsilon'], 'delta': del, 'rho': null::double, 'key_delta': del}));

create or replace macro sqlanon.sampled_k_anonymity(
    tbl, columns, k, share, epsilon := null, unit := null) as table
    from query({statement:
        sqlanon._release_checked(columns, unit, null, ['n', 'estimate', 'standard_deviation'])
        || sqlanon._let(sqlanon._sample_given(k, share, epsilon), lambda given:
            {call _sampled_k_anonymity:
                k := given['k'], share := given['share'],
                budget := sqlanon._sampled_k_anonymity_budget(k, share, epsilon)})});

comment on macro table sqlanon.sampled_k_anonymity is $$
Draws a sample of the people and releases the groups of at least k of them: k-anonymity that is differentially
private, if values were generalized in a way that was fixed before.

Parameters:
- tbl (table): the rows, generalized row by row, for example a view that turns ages into decades. The way to
  generalize must not depend on the rows.
- columns (columns): all columns to release, including sensitive ones.
- k (integer, 2 to 10000): groups with fewer than k drawn people are left out.
- share (number, 0.001 to 0.999): the probability with which each person is drawn.
- epsilon (number, 0.000001 to 100; default null): the epsilon of differential privacy, at least -ln(1 -
  share). Must be given. It does not change the release, only the delta that belongs to it.
- unit (column; default null): identifies the person of a row; one of the different rows of each person is
  used. If not given, each row counts as a person.

Result:
- <columns> (unchanged): the group.
- n (integer): the exact number of drawn people in the group.
- estimate (number): an estimate of the number of people in the group: n / share.
- standard_deviation (number): the approximate standard deviation of the estimate, from sampling alone; it
  does not account for the groups that are left out.

Errors: unknown column, no sampling function, a number out of its range, a column of floating-point numbers.

Notes: sampled_k_anonymity_privacy computes the delta. Keep secret who was drawn: an adversary who knows that
somebody was drawn can count the others.

Source: Li, Qardaji and Su 2012.

Example:
with decades as (select age // 10 * 10 as decade from people)
from sqlanon.sampled_k_anonymity('decades', columns := 'decade', k := 2, share := 0.9, epsilon := 3);
$$;
