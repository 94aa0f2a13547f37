-- Budgets of the register of releases (sql/register/version_2.sql), and how they stand.

-- Sums of costs that are meant to fill a budget may miss it by a rounding error.
create or replace macro sqlanon._is_affordable(spent, budget) as spent <= budget * (1 + 1e-9);

-- How budgets stand, a row each, from budgets_now of a register: source, unit, epsilon, delta, composition,
-- entries, last_spent_at, spent_epsilon and spent_delta (by the rule of composition with the smaller epsilon,
-- of those that the budget allows), left_epsilon (what a further query without a delta may cost), holds (are
-- they within the budget?).
create or replace macro sqlanon._budgets_standing(budgets) as table
    with converted as (
        select *, composition = 'smaller' and spent_rho_delta <= delta as has_zcdp,
               greatest(delta - spent_rho_delta, 0) as left_rho_delta
        from query_table(budgets)
    ),
    composed as (
        select *, if(has_zcdp, sqlanon._zcdp_epsilon(spent_rho, left_rho_delta), 'infinity'::double)
                   as zcdp_epsilon,
               if(sqlanon._is_affordable(spent_delta, delta), spent_epsilon, 'infinity'::double)
                   as basic_epsilon
        from converted
    )
    select source, unit, epsilon, delta, composition, entries, last_spent_at,
           least(basic_epsilon, zcdp_epsilon) as spent_epsilon,
           if(zcdp_epsilon < basic_epsilon, delta, spent_delta) as spent_delta,
           if(sqlanon._is_affordable(epsilon, least(basic_epsilon, zcdp_epsilon)), 0, greatest(
               epsilon - basic_epsilon,
               if(has_zcdp,
                  sqrt(2 * greatest(sqlanon._zcdp_rho(epsilon, left_rho_delta) - spent_rho, 0)), 0)))
               as left_epsilon,
           sqlanon._is_affordable(least(basic_epsilon, zcdp_epsilon), epsilon) as holds
    from composed;

-- The part of the units that one is in, from 1 to parts, by a hash of its value and of nothing else: the same
-- every night, whether a file has 7 or 7.0.
create or replace macro sqlanon._part_of_unit(unit, parts) as
    1 + md5_number_lower(sqlanon._let(sqlanon._plain_text(unit::varchar), lambda string:
            coalesce(sqlanon._key(string, sqlanon._kind(string)), ''))) % parts;
