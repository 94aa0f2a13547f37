-- Composition: what several releases of the same data cost together. Basic composition adds up epsilon and
-- delta. Zero-concentrated differential privacy adds up rho (Bun and Steinke 2016), and becomes an epsilon
-- at a delta once, at the end, which is less for many small costs.
--
-- That conversion is the tight one of Canonne, Kamath and Steinke (2020): the least over
-- orders a above 1 of a rho + ln(1 / (a delta)) / (a - 1) + ln(1 - 1 / a). Its derivative is 0 where
-- rho (a - 1)^2 = ln(1 / delta) - ln(a), which has one solution. Any other order gives a larger epsilon, so a
-- small error of the solution is on the safe side.

-- The solution for rho, as u = ln(a - 1), by Newton's method. The function is convex and growing in u, and is
-- begun to the right of the solution, so that no step goes beyond it.
create or replace macro sqlanon._least_order(rho, delta) as
    list_reduce(
        list_resize([ln(least(sqrt(-ln(delta) / rho), 1 / delta - 1))], 16, 0::double),
        lambda u, step:
            u - (exp(2 * u + ln(rho)) + ln(1 + exp(u)) + ln(delta))
                / (2 * exp(2 * u + ln(rho)) + 1 / (1 + exp(-u))));

-- The epsilon at that order, at least 0.
create or replace macro sqlanon._epsilon_of_order(rho, delta, u) as
    greatest(0, (1 + exp(u)) * rho - (ln(delta) + ln(1 + exp(u))) / exp(u) - ln(1 + exp(-u)));

-- The epsilon of zCDP, whatever the ranges of the numbers.
create or replace macro sqlanon._zcdp_epsilon(rho, delta) as
    case when rho is null or delta is null then null
         when rho <= 0 or delta >= 1 then 0
         when delta <= 0 or isinf(rho) then 'infinity'::double
         else sqlanon._let(sqlanon._least_order(rho, delta), lambda u:
             sqlanon._epsilon_of_order(rho, delta, u))
    end;

create or replace macro sqlanon._number_from_0(given, parameter) as
    sqlanon._real_number(given, parameter, 0, true, 'infinity'::double, 'at least 0');

create or replace macro sqlanon.zcdp_epsilon(rho, delta) as
    sqlanon._let(
        struct_pack(r := sqlanon._number_from_0(rho, 'rho'),
                    d := sqlanon._real_number(delta, 'delta', 0, true, 1, 'between 0 and 1')),
        lambda given: sqlanon._zcdp_epsilon(given['r'], given['d']));

comment on macro sqlanon.zcdp_epsilon is $$
Converts the rho of zero-concentrated differential privacy to the epsilon of differential privacy at a delta:
the smallest epsilon that is known to hold.

Parameters:
- rho (number, at least 0): the rho of zero-concentrated differential privacy. NULL gives NULL.
- delta (number, 0 to 1): the delta of differential privacy. At 0, epsilon is infinity.

Result:
- epsilon (number): the epsilon of (epsilon, delta)-differential privacy.

Errors: a number out of its range.

Source: Bun and Steinke 2016; Canonne, Kamath and Steinke 2020 (the conversion).

Example:
select sqlanon.zcdp_epsilon(0.5, 0.000001) as epsilon;
$$;

-- At the best order a for rho, epsilon is (ln(1 / delta) - ln(a)) (2 a - 1) / (a - 1)^2 + ln(1 - 1 / a),
-- which falls as a grows. So the order of an epsilon is found by halving an interval of u = ln(a - 1): a step
-- to the right where epsilon is too large still.
create or replace macro sqlanon._order_of_epsilon(epsilon, delta) as
    list_reduce(
        [(ln(1 / delta - 1) - 60) / 2]
        || list_transform(range(2, 60), lambda i: (ln(1 / delta - 1) + 60) / pow(2, i)),
        lambda u, step:
            u + step * sign(-(ln(delta) + ln(1 + exp(u))) * (2 * exp(-u) + exp(-2 * u))
                            - ln(1 + exp(-u)) - epsilon));

-- The rho with which that order gives that epsilon; a little less, where it is not quite the best one.
create or replace macro sqlanon._zcdp_rho(epsilon, delta) as
    case when epsilon is null or delta is null then null
         when isinf(epsilon) or delta >= 1 then 'infinity'::double
         when delta <= 0 then 0
         else sqlanon._let(sqlanon._order_of_epsilon(epsilon, delta), lambda u:
             greatest(0, (epsilon + (ln(delta) + ln(1 + exp(u))) / exp(u) + ln(1 + exp(-u))) / (1 + exp(u))))
    end;

create or replace macro sqlanon.zcdp_rho(epsilon, delta) as
    sqlanon._let(
        struct_pack(e := sqlanon._number_from_0(epsilon, 'epsilon'),
                    d := sqlanon._real_number(delta, 'delta', 0, true, 1, 'between 0 and 1')),
        lambda given: sqlanon._zcdp_rho(given['e'], given['d']));

comment on macro sqlanon.zcdp_rho is $$
Converts an epsilon and a delta of differential privacy to the rho of zero-concentrated differential privacy:
the inverse of zcdp_epsilon.

Parameters:
- epsilon (number, at least 0): the epsilon of (epsilon, delta)-differential privacy. NULL gives NULL.
- delta (number, 0 to 1): its delta. At 0, rho is 0.

Result:
- rho (number): the largest rho whose epsilon at this delta is not larger than the given one.

Errors: a number out of its range.

Source: as in zcdp_epsilon.

Example:
select sqlanon.zcdp_rho(1, 0.000001) as rho;
$$;

-- No rows, or an error: a cost that is none.
create or replace macro sqlanon._refuse_costs(priced, costs) as table
    select error('table ' || costs || ' has a cost that is none: epsilon and rho are numbers of at least 0'
                 || ' (rho may be NULL), delta is between 0 and 1, and not '
                 || coalesce(epsilon::varchar, 'NULL')
                 || ', ' || coalesce(rho::varchar, 'NULL') || ' and ' || coalesce(delta::varchar, 'NULL'))
           as refused
    from query_table(priced)
    where coalesce(epsilon < 0 or isnan(epsilon) or not delta between 0 and 1, true)
       or coalesce(rho < 0 or isnan(rho), false);

-- Costs as they compose by each rule, at a delta: place, composition, epsilon, delta, rho, possible (is delta
-- not above that one?). The probability with which rho does not hold comes off the delta of its conversion.
create or replace macro sqlanon._compositions(priced, target_delta) as table
    with total as (
        select coalesce(sum(epsilon), 0) as epsilon, coalesce(sum(delta), 0) as delta,
               coalesce(sum(coalesce(rho, epsilon * epsilon / 2)), 0) as rho,
               sqlanon._share(target_delta, 'target_delta') as most
        from query_table(priced)
    )
    select 1 as place, 'basic' as composition, epsilon, delta, null::double as rho, delta <= most as possible
    from total
    union all
    select 2, 'zcdp', sqlanon._zcdp_epsilon(rho, most - delta), greatest(delta, most), rho, delta <= most
    from total;

create or replace macro sqlanon.composed_privacy(costs, target_delta := 0.000001) as table
    with priced as (
        select epsilon::double as epsilon, delta::double as delta, rho::double as rho from query_table(costs)
    ),
    refusal as (from sqlanon._refuse_costs('priced', costs)),
    composed as (from sqlanon._compositions('priced', target_delta))
    select composition, epsilon, delta, rho,
           possible and place = arg_min(place, (epsilon, place)) over () as counts
    from composed
    where (select count(refused) = 0 from refusal)
    order by place;

comment on macro table sqlanon.composed_privacy is $$
Adds up the costs (epsilon and delta) of several randomized releases of the same data: one row per rule of
composition, with a mark at the rule with the smaller epsilon.

Parameters:
- costs (table): one row per release, with the columns epsilon, delta and rho. rho is that of
  zero-concentrated differential privacy, apart from delta; NULL: epsilon ^ 2 / 2, which follows from epsilon.
- target_delta (number, 0 to 1; default 0.000001): the delta at which zero-concentrated differential privacy
  is converted to an epsilon, and the upper limit of the sum of all deltas.

Result:
- composition (text): basic (sums of epsilon and delta) or zcdp (the sum of rho, converted by zcdp_epsilon).
- epsilon (number): the epsilon of all releases together.
- delta (number): the delta of all releases together.
- rho (number): for zcdp the sum; NULL for basic.
- counts (boolean): true for the rule with the smaller epsilon, if its delta is not above target_delta.

Errors: a cost that is not a valid number, target_delta out of its range.

Notes: the sums are right if every release may be about everybody. For releases about disjoint sets of people,
take the most expensive one instead. The smaller of the two epsilons holds if costs were not chosen depending
on earlier answers; basic composition always holds.

Source: Dwork and Roth 2014, section 3.5 (basic); Bun and Steinke 2016 (zcdp); as in zcdp_epsilon.

Example:
with spent as (select 0.1 as epsilon, 0 as delta, null as rho from range(100))
from sqlanon.composed_privacy('spent', target_delta := 0.000001);
$$;
