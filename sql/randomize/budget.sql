-- The budget of a release: which part of epsilon, delta and rho goes into noise, and which into the choice of
-- groups.

-- The formulas below lose their digits near 0.
create or replace macro sqlanon._positive(given, parameter) as
    sqlanon._real_number(given, parameter, 1e-6, true, 100, 'between 1e-6 and 100');

-- The parameters that all releases share, as they are understood, or an error. selects: does the data say
-- which groups there are?
create or replace macro sqlanon._budget_given(epsilon, delta, rho, mechanism, selects) as
    sqlanon._let(
        {'epsilon': sqlanon._positive(epsilon, 'epsilon'), 'rho': sqlanon._positive(rho, 'rho'),
         'delta': sqlanon._real_number(delta, 'delta', 1e-20, true, 0.5, 'between 1e-20 and 0.5')},
        lambda given:
            case when mechanism is null or mechanism not in ('laplace', 'gaussian')
                 then error('mechanism must be laplace or gaussian, not ' || coalesce(mechanism, 'NULL'))
                 when mechanism = 'laplace' and given['rho'] is not null
                 then error('rho goes with mechanism gaussian: laplace takes epsilon')
                 when (given['epsilon'] is null) = (given['rho'] is null)
                 then error('give epsilon' || if(mechanism = 'laplace', '', ' or rho')
                            || ', the budget of this release')
                 when given['delta'] is null and (selects or mechanism = 'gaussian')
                 then error('delta must be given ' || if(mechanism = 'gaussian', 'for gaussian noise',
                            'without keys, since the data says which groups there are') || ', e.g. 1e-6')
                 when given['delta'] is not null and not selects and mechanism = 'laplace'
                 then error('delta is for gaussian noise, or for groups without keys: leave it out')
                 else given end);

-- epsilon, delta and rho (of the whole release), noise_epsilon, noise_rho, key_epsilon and key_delta (of its
-- parts). Half of delta goes into the choice of groups where there is another use for it. Groups that are
-- chosen by themselves get a half of the rest as well. What is epsilon-private is rho-zCDP with rho =
-- epsilon^2 / 2 (Bun and Steinke 2016).
create or replace macro sqlanon._budget(epsilon, delta, rho, mechanism, selection) as
    sqlanon._let(
        sqlanon._budget_given(epsilon, delta, rho, mechanism, selection is not null), lambda given:
            case when mechanism = 'laplace'
                 then sqlanon._laplace_budget(given['epsilon'], given['delta'], selection)
                 else sqlanon._gaussian_budget(
                          given['epsilon'], given['delta'], given['rho'],
                          if(selection is null, given['delta'], given['delta'] / 2), selection) end);
create or replace macro sqlanon._laplace_budget(epsilon, delta, selection) as
    sqlanon._let(if(selection = 'partition', epsilon / 2, 0), lambda key_epsilon: {
        'epsilon': epsilon, 'delta': coalesce(delta, 0),
        'rho': power(epsilon - key_epsilon, 2) / 2 + power(key_epsilon, 2) / 2,
        'noise_epsilon': epsilon - key_epsilon, 'noise_rho': null::double,
        'key_epsilon': key_epsilon, 'key_delta': coalesce(delta, 0)});
create or replace macro sqlanon._gaussian_budget(epsilon, delta, rho, converted, selection) as
    sqlanon._let(coalesce(rho, sqlanon._zcdp_rho(epsilon, converted)), lambda total: {
        'epsilon': coalesce(epsilon, sqlanon._zcdp_epsilon(total, converted)), 'delta': delta, 'rho': total,
        'noise_epsilon': null::double, 'noise_rho': if(selection = 'partition', total / 2, total),
        'key_epsilon': if(selection = 'partition', sqrt(total), 0),
        'key_delta': if(selection is null, 0, delta / 2)});

-- The scale of the noise, where a unit changes at most so many groups (integers), each by at most change.
-- share: of the budget, if there is other noise.
create or replace macro sqlanon._scale(budget, mechanism, max_groups, change, share := 1) as
    if(mechanism = 'laplace', max_groups::double * change / (share * budget['noise_epsilon']),
       change::double * sqrt(max_groups / (2 * share * budget['noise_rho'])));

-- How far the noise of a part of a release reaches: part, scale, deviation, margin (the noise is above it
-- with a probability of `beyond` at most, and as often below), and tau (what somebody's rows in a group, and
-- noise, reach with a probability of group_delta at most; NULL where nothing depends on it). No scale, no
-- row.
create or replace macro sqlanon._calibration(
    part, mechanism, scale, beyond := 0.025, group_delta := null, most_rows := null) as table
    select part as part, scale::double as scale, sqlanon._noise_deviation(mechanism, scale) as deviation,
           max(reach) filter (where chance = beyond) - 1 as margin,
           most_rows + max(reach) filter (where chance = group_delta) as tau
    from sqlanon._reaches(
        mechanism, scale::double, [beyond::double, if(most_rows is null, beyond, group_delta)])
    having scale is not null;

-- The probability that a group of so many units is shown, if each of its units may be in max_groups: the
-- largest that differential privacy allows (Desfontaines, Voss, Gipson and Mandayam 2022, Theorem 1). That is
-- least(exp(e) p + d, 1 - exp(-e) (1 - d - p), 1) of the probability p for one unit fewer, from 0 on; the
-- first rules up to `turn`. e and d: of one group.
create or replace macro sqlanon._selection_probability(people, e, d) as
    sqlanon._let(
        {'turn': 1 + floor(ln((exp(e) + 2 * d - 1) / ((exp(e) + 1) * d)) / e), 'd': d, 'e': e,
         'fixed': 1 + d / (exp(e) - 1)},
        lambda rule:
            case when people <= rule['turn']
                 then least((exp(least(people, rule['turn']) * rule['e']) - 1) / (exp(rule['e']) - 1)
                            * rule['d'], 1)
                 else least(rule['fixed'] - exp(-(people - rule['turn']) * rule['e'])
                            * (rule['fixed'] - (exp(rule['turn'] * rule['e']) - 1) / (exp(rule['e']) - 1)
                               * rule['d']), 1) end);

-- What a ledger calls a release.
create or replace macro sqlanon._title(macro, tbl, columns) as
    macro || ' of ' || tbl || ' by ' || array_to_string(sqlanon._list(columns), ', ');
