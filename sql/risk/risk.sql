-- Risk: how likely it is that records of a table or a release are re-identified.
--
-- A prosecutor knows that somebody is in the table: a record of class C is that person with probability 1 /
-- |C|. A journalist only knows a population that the table is from, and takes one of the people whom the
-- class covers there; a marketer tries all records, and counts how many are right (El Emam and Dankar 2008;
-- El Emam 2013). All of these depend on how many classes have which size, and on nothing else. So do the
-- estimates of population uniques from a sample (Dankar, El Emam, Neisa and Roffey 2012).

-- A sample's share of its population, as a text: NULL if nothing is said, or an error.
create or replace macro sqlanon._fraction_text(fraction) as
    case when fraction is null then 'null::double'
         when fraction > 0 and fraction < 1 then fraction::double::varchar || '::double'
         else error('fraction must be above 0 and below 1, not ' || fraction)
    end;

-- The classes of a table: q1, q2, ..., n (rows), people (of the population; NULL without one, 0 if nobody
-- matches); of a sample also stands_for (sql/models/sample_risk.sql).
create or replace macro sqlanon._peopled_classes(
    tbl, qi, population, hierarchy, released, weight, population_weight, sampling_weight, household) as table
    with combination as (from sqlanon._combinations(tbl, qi, null, weight)),
    of_sample as (from sqlanon._combinations_of_sample(tbl, qi, sampling_weight)),
    counted as (
        from query_table(if(coalesce(sampling_weight, household) is null, 'combination', 'of_sample'))
    ),
    alone as (select *, null::bigint as people from counted),
    peopled as (
        from sqlanon._with_residents(
            'counted', tbl, qi, population, hierarchy, released, population_weight)
    )
    from query_table(if(population is null, 'alone', 'peopled'));
create or replace macro sqlanon._with_residents(
    classes, tbl, qi, population, hierarchy, released, population_weight) as table
    with resident as (
        from sqlanon._class_people(tbl, qi, population, hierarchy, released, population_weight)
    )
    from query(sqlanon._fill($$
        select class.*, coalesce(resident.people, 0) as people
        from {classes} as class
        left join resident on not absent{each qi: and class.q{i} is not distinct from resident.q{i}}
    $$));

-- The same with matching: the rows among which one of the class is looked for. These are its own, or where
-- suppressed cells (*, NULL) are wildcards all that show what it shows: a row of nothing but * may be any.
-- Rows that lack what it shows are not among them, though each may be the one (k-anonymity by wildcards
-- counts them): whoever knows that it is not is no less sure than this.
create or replace macro sqlanon._matched_classes(classes, qi, suppressed) as table
    with own as (select *, n as matching from query_table(classes)),
    shown as (
        select * exclude (agreeing), agreeing as matching from sqlanon._with_agreeing_rows(classes, qi)
    )
    from query_table(if(suppressed = 'wildcard', 'shown', 'own'));

-- An empty text, or an error where suppressed cells are wildcards, and something does not know these.
create or replace macro sqlanon._suppressed_checked(suppressed, unit, fraction) as
    case when sqlanon._matching(suppressed, unit is not null) = 'frequency' and fraction is not null
         then error('suppressed := ''wildcard'' does not go with fraction: population uniques are estimated '
                    || 'for rows that show all of their values')
         else '' end;

-- Digamma and trigamma, the derivatives of ln gamma: x is moved up by 10, where the asymptotic series has 13
-- digits.
create or replace macro sqlanon._digamma_series(z) as
    ln(z) - 1 / (2 * z)
    - (1 / 12 - (1 / 120 - (1 / 252 - (1 / 240 - 1 / (132 * z * z)) / (z * z)) / (z * z)) / (z * z))
      / (z * z);
create or replace macro sqlanon._trigamma_series(z) as
    (1 + 1 / (2 * z)
     + (1 / 6 - (1 / 30 - (1 / 42 - (1 / 30 - 5 / (66 * z * z)) / (z * z)) / (z * z)) / (z * z))
       / (z * z)) / z;
create or replace macro sqlanon._digamma(x) as
    sqlanon._let(x::double, lambda y:
        sqlanon._let(y + 10, lambda z: sqlanon._digamma_series(z))
        - list_sum(list_transform(range(0, 10), lambda i: 1 / (y + i))));
create or replace macro sqlanon._trigamma(x) as
    sqlanon._let(x::double, lambda y:
        sqlanon._let(y + 10, lambda z: sqlanon._trigamma_series(z))
        + list_sum(list_transform(range(0, 10), lambda i: 1 / ((y + i) * (y + i)))));

-- The sample as the estimates see it, one row: sizes and classes (lists, by size), n (rows), u (classes), c1
-- and c2 (classes of one and of two rows), people (of the population). frequency: size, classes.
create or replace macro sqlanon._sample(frequency, fraction) as table
    select list(size::double order by size) as sizes,
           list(classes::double order by size) as classes,
           sum(size * classes)::double as n,
           sum(classes)::double as u,
           coalesce(sum(classes) filter (where size = 1), 0)::double as c1,
           coalesce(sum(classes) filter (where size = 2), 0)::double as c2,
           round(sum(size * classes) / fraction)::double as people
    from query_table(frequency);

-- Pitman's model (Hoshino 2001): the population is drawn from a Pitman (Ewens) distribution with 0 < alpha <
-- 1 and theta > -alpha, whose likelihood for the sizes s of the u classes of n rows is
--     ln L = sum_{i=1}^{u-1} ln(theta + i alpha) - sum_{i=1}^{n-1} ln(theta + i)
--            + sum_classes sum_{j=1}^{s-1} ln(j - alpha).
-- It is at its highest where both derivatives are 0: Newton's method, from Hoshino's estimate by moments,
-- with shorter steps where a step would leave the range of the parameters. Expected uniques among N people:
-- gamma(theta + 1) / gamma(theta + alpha) N^alpha.

-- The derivatives of ln L by theta (t) and alpha (a) where the iteration is: step, theta, alpha, by_t, by_a,
-- by_tt, by_ta, by_aa. No row once it has stopped.
create or replace macro sqlanon._pitman_derivatives(state, sample) as table
    -- The sums over i, with ratio = theta / alpha, are differences of digamma and trigamma.
    with summed as (
        select step, theta, alpha, theta / alpha as ratio, sizes, classes, n, u,
               sqlanon._digamma(theta / alpha + u) - sqlanon._digamma(theta / alpha + 1) as psi,
               sqlanon._trigamma(theta / alpha + 1) - sqlanon._trigamma(theta / alpha + u) as psi1
        from query_table(state), query_table(sample)
        where moved > 1e-11 and step < 100
    )
    select step, theta, alpha,
           psi / alpha - sqlanon._digamma(n + theta) + sqlanon._digamma(theta + 1) as by_t,
           (u - 1 - ratio * psi) / alpha
               - list_sum(list_transform(sizes, lambda size, i: classes[i] * sqlanon._digamma(size - alpha)))
               + u * sqlanon._digamma(1 - alpha) as by_a,
           -psi1 / (alpha * alpha) + sqlanon._trigamma(theta + 1) - sqlanon._trigamma(n + theta) as by_tt,
           -(psi - ratio * psi1) / (alpha * alpha) as by_ta,
           -(u - 1 - 2 * ratio * psi + ratio * ratio * psi1) / (alpha * alpha)
               + list_sum(list_transform(sizes, lambda size, i: classes[i] * sqlanon._trigamma(size - alpha)))
               - u * sqlanon._trigamma(1 - alpha) as by_aa
    from summed;

-- One step of the iteration: step, theta, alpha, moved (relatively; 1 if the step was shortened, or does not
-- go to a peak).
create or replace macro sqlanon._pitman_step(state, sample) as table
    with derived as (
        select *, by_tt * by_aa - by_ta * by_ta as determinant
        from sqlanon._pitman_derivatives(state, sample)
    ),
    -- Newton's step goes to a peak where ln L is concave. Elsewhere both parameters go uphill, each by
    -- itself.
    newton as (
        select step, theta, alpha, is_peak,
               case when is_peak then (by_aa * by_t - by_ta * by_a) / determinant
                    else -by_t / abs(by_tt)
               end as theta_step,
               case when is_peak then (by_tt * by_a - by_ta * by_t) / determinant
                    else -by_a / abs(by_aa)
               end as alpha_step
        from (select *, by_tt < 0 and determinant > 0 as is_peak from derived)
    ),
    -- The longest of the whole step, its half, its quarter and so on that stays in range.
    shortened as (
        select *,
               list_filter(list_transform(range(0, 40), lambda i: power(0.5, i)), lambda part:
                   alpha - part * alpha_step > 0 and alpha - part * alpha_step < 1
                   and theta - part * theta_step > part * alpha_step - alpha)[1] as share
        from newton
    )
    select step + 1 as step, theta - share * theta_step as theta, alpha - share * alpha_step as alpha,
           case when share = 1 and is_peak then greatest(abs(theta_step) / (1 + abs(theta)), abs(alpha_step))
                else 1
           end as moved
    from shortened
    where isfinite(share * theta_step) and isfinite(share * alpha_step);

-- Hoshino's estimate by moments, from where the iteration starts: step, theta, alpha, moved.
create or replace macro sqlanon._pitman_start(sample) as table
    with moments as (
        select n, u, c1, c1 * (c1 - 1) / greatest(c2, 1) as c from query_table(sample)
    ),
    of_theta as (
        select *, (n * u * c - c1 * (n - 1) * (2 * u + c)) / nullif(2 * c1 * u + c1 * c - n * c, 0) as theta
        from moments
    ),
    guess as (
        select theta, (theta * (c1 - n) + (n - 1) * c1) / (n * u) as alpha from of_theta
    ),
    checked as (
        select *, coalesce(alpha > 0 and alpha < 1 and theta > -alpha, false) as is_in_range from guess
    )
    select 0 as step,
           case when is_in_range then theta else 1 end::double as theta,
           case when is_in_range then alpha else 0.5 end::double as alpha,
           1::double as moved
    from checked;

-- One row, uniques: how many of the population are unique; none if the iteration does not end.
create or replace macro sqlanon._pitman_uniques(sample) as table
    with recursive state as (
        from sqlanon._pitman_start(sample)
        union all
        from sqlanon._pitman_step('state', sample)
    ),
    reached as (from state order by step desc limit 1)
    select exp(lgamma(theta + 1) - lgamma(theta + alpha) + alpha * ln(people)) as uniques
    from query_table(sample), reached
    where moved <= 1e-11;

-- Zayatz (1991): as many classes of the population have s people as classes of the sample have s rows. A
-- class of s people has one row in a sample of n of N with the hypergeometric probability s n (N - n)! (N -
-- s)! / ((N - n - s + 1)! N!), which gives the share of unique records that are unique in the population.
create or replace macro sqlanon._alone_in_sample(size, n, people) as
    case when size > people - n + 1 then 0
         else exp(ln(size) + ln(n) - ln(people) + lgamma(people - n + 1) - lgamma(people - n - size + 2)
                  - lgamma(people) + lgamma(people - size + 1))
    end;
create or replace macro sqlanon._zayatz_uniques(sample, fraction) as table
    select c1 * c1 * sqlanon._alone_in_sample(1, n, people) / fraction
           / list_sum(list_transform(sizes, lambda size, i:
                 classes[i] * sqlanon._alone_in_sample(size, n, people))) as uniques
    from query_table(sample)
    where c1 > 0;

-- Slide negative binomial (Chen and Keller-McNulty 1998): a class of the population has one person, and more
-- with a negative binomial distribution of parameters alpha and beta. With K classes, K beta^alpha are
-- unique. K is estimated (Haas and Stokes 1998, their version of Shlosser's); alpha and beta are those with
-- which classes of one and of two rows are expected as often as the sample has them, where d = (1 - fraction)
-- (1 - beta):
--     c1 = K fraction (beta / (1 - d))^alpha (1 + alpha d / (1 - d))
--     c2 = K fraction^2 / 2 alpha (1 - beta) beta^alpha / (1 - d)^(alpha + 2) (2 - (1 - alpha) d)
-- Their ratio gives alpha for each beta (the root of a quadratic equation), and then c1 tells whether beta is
-- too small. It is found by halving an interval of logit(beta), whose upper bound is as good as infinity:
-- with beta at 1 the distribution is Poisson's.

-- K.
create or replace macro sqlanon._snb_classes(sizes, classes, u, c1, fraction) as
    u + c1 * list_sum(list_transform(sizes, lambda size, i:
                 classes[i] * size * fraction * fraction * power(1 - fraction * fraction, size - 1)))
           / list_sum(list_transform(sizes, lambda size, i:
                 classes[i] * (power(1 - fraction * fraction, size) - power(1 - fraction, size))))
           * power(list_sum(list_transform(sizes, lambda size, i: classes[i] * power(1 - fraction, size)))
                   / list_sum(list_transform(sizes, lambda size, i:
                         classes[i] * size * fraction * power(1 - fraction, size - 1))), 2);

-- counts: one row, k, c1, c2; for each of logits, a row: logit, uniques, too_many (are more classes of one
-- row expected than there are?).
create or replace macro sqlanon._snb_at(counts, logits, fraction) as table
    with at_beta as (
        select *, 1 / (1 + exp(-logit)) as beta, 1 / (1 + exp(logit)) as rest,
               (1 - fraction) / (1 + exp(logit)) as d, 2 * c2 / (fraction * c1) as ratio
        from query_table(logits), query_table(counts)
    ),
    quadratic as (
        select *, d * rest as a, (2 - d) * rest - ratio * (1 - d) * d as b, -ratio * (1 - d) * (1 - d) as c
        from at_beta
    ),
    -- Of the two forms of the root the one without a difference of like numbers.
    solved as (
        select *,
               case when b > 0 then -2 * c / (b + sqrt(b * b - 4 * a * c))
                    else (sqrt(b * b - 4 * a * c) - b) / (2 * a)
               end as alpha
        from quadratic
    )
    select logit, k * power(beta, alpha) as uniques,
           k * fraction * power(beta / (1 - d), alpha) * (1 + alpha * d / (1 - d)) > c1 as too_many
    from solved;
create or replace macro sqlanon._snb_uniques(sample, fraction) as table
    with recursive counts as materialized (
        select sqlanon._snb_classes(sizes, classes, u, c1, fraction) as k, c1, c2 from query_table(sample)
    ),
    bound as (select unnest([-40, 16])::double as logit),
    state as (
        select 0 as step, -40::double as lo, 16::double as hi, -12::double as logit
        where (select count(*) filter (where too_many = (logit > 0)) = 2
               from sqlanon._snb_at('counts', 'bound', fraction))
        union all
        select step + 1, case when too_many then lo else logit end, case when too_many then logit else hi end,
               case when too_many then lo + logit else logit + hi end / 2
        from state join sqlanon._snb_at('counts', 'state', fraction) as measured using (logit)
        where step < 60
    ),
    found as (select logit from state where step = 60)
    select uniques from sqlanon._snb_at('counts', 'found', fraction);

-- The estimates: model, id, uniques (how many of the population; NULL if a model does not fit the sample),
-- people. Without unique records there are none. Dankar's rule: Pitman's model for small samples, a tenth of
-- the population at most, and for larger ones the smaller of Zayatz and SNB; Zayatz if the others do not fit.
create or replace macro sqlanon._population_uniques(frequency, fraction) as table
    with _sqlanon_sample as materialized (from sqlanon._sample(frequency, fraction)),
    estimate as materialized (
        select case when c1 = 0 then 0
                    else (select uniques from sqlanon._pitman_uniques('_sqlanon_sample')
                          where uniques <= people)
               end as pitman,
               case when c1 = 0 then 0
                    else (select uniques from sqlanon._zayatz_uniques('_sqlanon_sample', fraction))
               end as zayatz,
               case when c1 = 0 then 0
                    else (select uniques from sqlanon._snb_uniques('_sqlanon_sample', fraction)
                          where uniques <= people)
               end as snb,
               people
        from _sqlanon_sample
    )
    select unnest(['Pitman', 'Zayatz', 'SNB', 'Dankar''s rule']) as model,
           unnest(['pitman', 'zayatz', 'snb', 'dankar']) as id,
           unnest([
               pitman, zayatz, snb,
               case when fraction <= 0.1 then coalesce(pitman, zayatz) else least(zayatz, snb) end
           ]) as uniques,
           people
    from estimate;

-- Sweeney's maps (2001): a record is null-mapped if nobody of the population has what it shows; a record that
-- exactly one person matches could be told to be that person. If there are several such records in a class,
-- all but one are somebody else's: wrong-mapped. Somebody whom a class does not cover cannot be found there:
-- no people, no risk.

-- What the measures are made of, one row. class_sizes: size, matching, people, classes (how many have all
-- three).
create or replace macro sqlanon._class_totals(class_sizes, threshold) as table
    select sum(size * classes) as n,
           sum(classes) as u,
           min(matching) as smallest,
           max(matching) as largest,
           coalesce(sum(classes) filter (where matching = 1), 0) as alone,
           coalesce(sum(size * classes) filter (where 1 / matching > threshold), 0) as risky,
           list_sum(list_sort(list(size * classes / matching))) as right_links,
           min(people) as k_map,
           min(people) filter (where people > 0) as fewest,
           coalesce(sum(size * classes) filter (where people > 0 and 1 / nullif(people, 0) > threshold), 0)
               as risky_people,
           list_sum(list_sort(list(size * classes / nullif(people, 0)))) as found,
           coalesce(sum(classes) filter (where people = 0), 0) as null_classes,
           coalesce(sum(size * classes) filter (where people = 0), 0) as null_rows,
           coalesce(sum(size * classes) filter (where people = 1), 0) as single_rows,
           coalesce(sum((size - 1) * classes) filter (where people = 1), 0) as wrong_rows
    from query_table(class_sizes);

-- The measures: measure, value, unit, id. totals: as above; estimates: of population uniques, as above, or no
-- rows.
create or replace macro sqlanon._prosecutor_measures(totals) as table
    select unnest([
        {'measure': 'records', 'value': n::double, 'unit': 'rows', 'id': 'records'},
        {'measure': 'classes', 'value': u, 'unit': 'classes', 'id': 'classes'},
        {'measure': 'smallest class', 'value': smallest, 'unit': 'rows', 'id': 'smallest_class'},
        {'measure': 'largest class', 'value': largest, 'unit': 'rows', 'id': 'largest_class'},
        {'measure': 'sample uniques', 'value': alone, 'unit': 'rows', 'id': 'sample_uniques'},
        {'measure': 'sample uniques, share', 'value': alone / n, 'unit': 'share of records',
         'id': 'sample_uniques_share'},
        {'measure': 'prosecutor risk, highest', 'value': 1 / smallest, 'unit': 'probability',
         'id': 'prosecutor_risk_highest'},
        {'measure': 'prosecutor risk, mean', 'value': right_links / n, 'unit': 'probability',
         'id': 'prosecutor_risk_mean'},
        {'measure': 'prosecutor risk above threshold', 'value': risky / n, 'unit': 'share of records',
         'id': 'prosecutor_risk_above_threshold'},
        {'measure': 'marketer risk', 'value': right_links / n, 'unit': 'share of records',
         'id': 'marketer_risk'}
    ], max_depth := 2)
    from query_table(totals);

create or replace macro sqlanon._journalist_measures(totals, population) as table
    select unnest([
        {'measure': 'journalist risk, highest', 'value': coalesce(1 / fewest, 0)::double,
         'unit': 'probability', 'id': 'journalist_risk_highest'},
        {'measure': 'journalist risk, mean', 'value': coalesce(found, 0) / n, 'unit': 'probability',
         'id': 'journalist_risk_mean'},
        {'measure': 'journalist risk above threshold', 'value': risky_people / n, 'unit': 'share of records',
         'id': 'journalist_risk_above_threshold'},
        {'measure': 'marketer risk in the population', 'value': coalesce(found, 0) / n,
         'unit': 'share of records', 'id': 'marketer_risk_population'},
        {'measure': 'k-map', 'value': k_map, 'unit': 'people', 'id': 'k_map'},
        {'measure': 'null-map, classes', 'value': null_classes, 'unit': 'classes', 'id': 'null_map_classes'},
        {'measure': 'null-map', 'value': null_rows / n, 'unit': 'share of records', 'id': 'null_map'},
        {'measure': 'matched by one person', 'value': single_rows / n, 'unit': 'share of records',
         'id': 'matched_by_one'},
        {'measure': 'wrong-map', 'value': wrong_rows / n, 'unit': 'share of records', 'id': 'wrong_map'}
    ], max_depth := 2)
    from query_table(totals)
    where population is not null;

create or replace macro sqlanon._estimate_measures(estimates) as table
    select unnest([
        {'measure': 'population uniques by ' || model, 'value': uniques / people, 'unit': 'share of people',
         'id': 'population_uniques_' || id},
        {'measure': 'population uniques by ' || model || ', number', 'value': uniques, 'unit': 'people',
         'id': 'population_uniques_' || id || '_number'}
    ], max_depth := 2)
    from query_table(estimates);

-- The estimates, or no rows where there is no fraction.
create or replace macro sqlanon._estimates_if_any(frequency, fraction) as table
    with none as (
        select null::varchar as model, null::varchar as id, null::double as uniques, null::double as people
        where false
    ),
    estimated as (from sqlanon._population_uniques(frequency, fraction))
    from query_table(if(fraction is null, 'none', 'estimated'));

create or replace macro sqlanon._risk_of_records(
    tbl, qi, population, hierarchies, threshold, fraction, suppressed, released, weight, population_weight,
    sampling_weight, household, risk_formula, wished
) as table
    with _sqlanon_hierarchy as materialized (from sqlanon._hierarchies(hierarchies)),
    _sqlanon_source as (
        from sqlanon._source(tbl, qi, sqlanon._counted_with(sampling_weight, household), weight)
    ),
    _sqlanon_population as materialized (from sqlanon._source_if_any(population, qi, population_weight)),
    _sqlanon_class as materialized (
        from sqlanon._peopled_classes(
            '_sqlanon_source', qi, sqlanon._if_any(population, '_sqlanon_population'), '_sqlanon_hierarchy',
            released, weight, population_weight, sampling_weight, household)
    ),
    _sqlanon_sampled as materialized (
        from sqlanon._sampled_classes_if_any(
            '_sqlanon_class', qi, sampling_weight, household, risk_formula)
    ),
    _sqlanon_class_size as materialized (
        select n as size, matching, people, count(*) as classes
        from sqlanon._matched_classes('_sqlanon_class', qi, suppressed)
        group by n, matching, people
    ),
    _sqlanon_frequency as (select size, sum(classes) as classes from _sqlanon_class_size group by size),
    _sqlanon_estimate as (from sqlanon._estimates_if_any('_sqlanon_frequency', fraction)),
    _sqlanon_total as (from sqlanon._class_totals('_sqlanon_class_size', threshold)),
    _sqlanon_refusal as (
        from sqlanon._refuse_empty('_sqlanon_class_size', tbl)
        union all
        from sqlanon._refuse_no_population(population, '_sqlanon_population')
        union all
        from sqlanon._refuse_given_hierarchies(hierarchies, '_sqlanon_hierarchy', qi)
    )
    from sqlanon._prosecutor_measures('_sqlanon_total')
    union all
    from sqlanon._journalist_measures('_sqlanon_total', population)
    union all
    from sqlanon._estimate_measures('_sqlanon_estimate')
    union all
    from sqlanon._sample_measures_if_any(
        tbl, '_sqlanon_source', '_sqlanon_sampled', qi, sampling_weight, household, threshold, wished)
    union all
    select refused, null, null, null from _sqlanon_refusal;

-- Where people have several rows. In a class of so many people one of its rows is somebody's with
-- probability 1 / people; a person is at the highest risk of all their classes.

-- The classes: members (a list), people, size (rows). cells: q1, q2, ..., s1 (the unit), n (rows).
create or replace macro sqlanon._classes_of_people(cells, qi) as table
    from query(sqlanon._fill($$
        select list(s1) as members, count(*) as people, sum(n) as size from {cells} group by {each qi: q{i}}
        $$));

create or replace macro sqlanon._measures_of_people(classes_of_people, threshold) as table
    with person as (
        select who, max(1 / people) as risk
        from (select unnest(members) as who, people from query_table(classes_of_people))
        group by who
    ),
    of_classes as (
        select sum(size) as n, count(*) as classes, min(people) as smallest, max(people) as largest,
               list_sum(list_sort(list(size / people))) as found
        from query_table(classes_of_people)
    ),
    of_people as (
        select count(*) as people, count(*) filter (risk = 1) as alone,
               list_sum(list_sort(list(risk))) as risks, count(*) filter (risk > threshold) as risky
        from person
    )
    select unnest([
        {'measure': 'records', 'value': n::double, 'unit': 'rows', 'id': 'records'},
        {'measure': 'people', 'value': people, 'unit': 'people', 'id': 'people'},
        {'measure': 'classes', 'value': classes, 'unit': 'classes', 'id': 'classes'},
        {'measure': 'smallest class', 'value': smallest, 'unit': 'people', 'id': 'smallest_class'},
        {'measure': 'largest class', 'value': largest, 'unit': 'people', 'id': 'largest_class'},
        {'measure': 'sample uniques', 'value': alone, 'unit': 'people', 'id': 'sample_uniques'},
        {'measure': 'sample uniques, share', 'value': alone / people, 'unit': 'share of people',
         'id': 'sample_uniques_share'},
        {'measure': 'prosecutor risk, highest', 'value': 1 / smallest, 'unit': 'probability',
         'id': 'prosecutor_risk_highest'},
        {'measure': 'prosecutor risk, mean', 'value': risks / people, 'unit': 'probability',
         'id': 'prosecutor_risk_mean'},
        {'measure': 'prosecutor risk above threshold', 'value': risky / people, 'unit': 'share of people',
         'id': 'prosecutor_risk_above_threshold'},
        {'measure': 'marketer risk', 'value': found / n, 'unit': 'share of records', 'id': 'marketer_risk'}
    ], max_depth := 2)
    from of_classes, of_people;

create or replace macro sqlanon._risk_of_people(tbl, qi, whose, threshold, distinct_spellings) as table
    with _sqlanon_written as materialized (from sqlanon._source(tbl, qi, whose)),
    _sqlanon_source as (from sqlanon._with_one_spelling('_sqlanon_written', whose, distinct_spellings)),
    _sqlanon_cell as (from sqlanon._combinations('_sqlanon_source', qi, whose)),
    _sqlanon_class as materialized (from sqlanon._classes_of_people('_sqlanon_cell', qi))
    from sqlanon._measures_of_people('_sqlanon_class', threshold)
    union all
    select refused, null, null, null from sqlanon._refuse_empty('_sqlanon_class', tbl);

create or replace macro sqlanon._risk(
    tbl, qi, population, hierarchies, threshold, fraction, suppressed, released, whose, weight,
    population_weight, distinct_spellings, sampling_weight, household, risk_formula, wished
) as table
    with of_records as (
        from sqlanon._risk_of_records(
            tbl, qi, population, hierarchies, threshold, fraction, suppressed, released, weight,
            population_weight, sampling_weight, household, risk_formula, wished)
    ),
    of_people as (from sqlanon._risk_of_people(tbl, qi, whose, threshold, distinct_spellings))
    from query_table(if(len(whose) = 0, 'of_records', 'of_people'));

-- An empty text, or an error where a sample's fraction is asked for as well as a unit.
create or replace macro sqlanon._fraction_checked(unit, fraction) as
    case when unit is not null and fraction is not null
         then error('fraction does not go with unit: population uniques are estimated for a table with a row'
                    || ' per person')
         else ''
    end;

-- The threshold as a text, or an error.
create or replace macro sqlanon._risk_threshold(threshold) as
    coalesce(sqlanon._real_number(threshold, 'threshold', 0, true, 1, 'between 0 and 1'), 0.2) || '::double';

create or replace macro sqlanon.risk(
    tbl, qi, population := null, hierarchies := null, threshold := 0.2, fraction := null,
    suppressed := 'value', released := null, unit := null, weight := null, population_weight := null,
    distinct_spellings := null, sampling_weight := null, household := null, risk_formula := 'approximate',
    wished_global_risk := null) as table
    from query(
        sqlanon._sample_checked(
            qi, sampling_weight, household, unit, weight, fraction, risk_formula, wished_global_risk)
        || sqlanon._checked(qi, null, null, unit, weight) || sqlanon._unit_checked(unit, population)
        || sqlanon._suppressed_checked(suppressed, unit, fraction)
        || sqlanon._population_checked(qi, population, population_weight)
        || sqlanon._fraction_checked(unit, fraction)
        || {call _risk:
            whose := unit,
            threshold := text(sqlanon._risk_threshold(threshold)),
            fraction := text(sqlanon._fraction_text(fraction)),
            wished := text(coalesce(
                sqlanon._real_number(wished_global_risk, 'wished_global_risk', 0, true, 1,
                                     'between 0 and 1')::varchar, 'null') || '::double')});

comment on macro table sqlanon.risk is $$
Estimates how probable it is that records of a table or release are re-identified: one row per measure.

Parameters:
- tbl, qi: as in classes
- population (table; default null): everybody who might be in the table, with raw values in qi: for journalist
  risk and Sweeney's maps.
- hierarchies: as in locate
- threshold (number, 0 to 1; default 0.2): the risk above which records are counted.
- fraction (number, above 0 and below 1; default null): if the table is a sample, its share of the population:
  to estimate population uniques.
- suppressed (one of value, wildcard; default 'value'): what a suppressed cell (* or NULL) is: a value of its
  own, or equal to every value (not with a unit or a fraction). Then a record is looked for among all that
  have the same in the cells that it shows.
- released, unit: as in privacy
- weight: as in classes
- population_weight: as in privacy
- distinct_spellings: as in classes
- sampling_weight, household, risk_formula: as in privacy
- wished_global_risk (number, 0 to 1; default null): which risk may rows have at most so that the global risk
  is this? Needs sampling_weight or household.

Result:
- measure (text): the title of the measure.
- value (number): its value, in the unit; NULL if a model of population uniques does not fit.
- unit (text): the unit: rows, classes, people, households, probability, share of records, share of people or
  share of households.
- id (text): the name of the measure for programs; it does not change if the title does.

Errors: unknown column, empty table or population, a unit with a population or a fraction, a weight as in
classes; a sampling weight that is NULL, below 1, not finite or no number, or with a fraction; rows without a
household, a household with several sampling weights.

Notes: the measures, by id:
- records, classes: their number; with a weight, each person whom a row stands for is a record.
- people: with a unit: the number of people.
- smallest_class, largest_class: their sizes, with a unit in people.
- sample_uniques, sample_uniques_share: records that are alone in their class.
- prosecutor_risk_highest, prosecutor_risk_mean: 1 / rows of the class, the highest and the mean over records.
  With a unit, the risk of a person is the highest over all their classes. If suppressed cells are wildcards,
  the class of a record is all that have the same in the cells that it shows: of a record of nothing but * the
  whole table. Records that lack one of these cells are not in it (they are in the k of privacy, as any of
  them may be the right one): the risk is never less than by k.
- prosecutor_risk_above_threshold: the share of records with a risk above the threshold.
- marketer_risk: the expected share of right links if an adversary links all records.
- journalist_risk_highest, journalist_risk_mean, journalist_risk_above_threshold: with a population: the same
  for 1 / people of the population whom the class covers (0 if nobody).
- marketer_risk_population: with a population: marketer risk for links to the population.
- k_map: with a population: the smallest number of people whom a class covers.
- null_map, null_map_classes: with a population: the share of records that match nobody, and their classes.
- matched_by_one: with a population: the share of records that match exactly one person.
- wrong_map: with a population: the share of records that match exactly one person but must be somebody
  else's, because several records match this person.
- population_uniques_pitman, population_uniques_zayatz, population_uniques_snb: with a fraction: the share of
  the population that is unique, by the model (snb: slide negative binomial).
- population_uniques_dankar: with a fraction: the same by the model that the rule of Dankar et al. chooses.
- population_uniques_pitman_number, population_uniques_zayatz_number, population_uniques_snb_number,
  population_uniques_dankar_number: with a fraction: the same as numbers of people.
- population_estimate: with sampling_weight: the people of the population, the sum of weights.
- individual_risk_highest, individual_risk_mean, individual_risk_above_threshold: with sampling_weight: the
  individual risk r = E(1 / F) of a row that is alike with f rows of the sample, itself among them. These
  stand for F people, of whom the sum of their weights is an estimate; with p = f / (sum of weights)
  r = p / f 2F1(1, 1; f + 1; 1 - p) (exact), or from f = 3 on p / (f - 1 + p) (approximate). Rows are alike if
  they have the same values wherever neither has a missing one (* or NULL), whatever suppressed says.
- population_uniques: with sampling_weight: the expected share of records that are alone in the sample and in
  the population: of a record with f = 1 the probability of F = 1 is p.
- households: with household: their number.
- household_risk_highest, household_risk_above_threshold: with household: 1 - product of (1 - r) over its
  members, the highest, and the share of households above the threshold.
- expected_reidentifications: with sampling_weight or household: the sum over all rows of r, with household of
  the household risk.
- global_risk: expected_reidentifications / records.
- risk_threshold: with wished_global_risk: the largest t for which the sum of min(r, t) over all rows (with
  household, of min(household risk, t)) is wished_global_risk times their number, or 1 if the global risk is
  below it. If the risk of all rows above t becomes t or less, the global risk is what is wished, or less.

Source: El Emam 2013; Sweeney 2001; Hoshino 2001; Zayatz 1991; Chen and Keller-McNulty 1998; Dankar et al.
2012; Benedetti and Franconi 1998; Templ, Kowarik and Meindl 2015.

Example:
from sqlanon.risk('east', qi := ['age', 'zip'], population := 'people');
$$;

-- The risk of every record.

-- The classes: q1, q2, ..., n (rows), people (of the population, as above; with a unit those of the class),
-- matching (as above).
create or replace macro sqlanon._record_classes(
    relation, qi, whose, population, hierarchy, suppressed, released, weight, population_weight,
    sampling_weight, household) as table
    with peopled as materialized (from {sqlanon._classes_of_records})
    from sqlanon._matched_classes('peopled', qi, suppressed);
create or replace macro sqlanon._classes_of_records(
    relation, qi, whose, population, hierarchy, released, weight, population_weight, sampling_weight,
    household) as table
    from query(
        case when len(whose) = 0
             then {call _peopled_classes: tbl := relation}
             else sqlanon._fill($$
                 select columns('^q\d+$'), sum(n)::bigint as n, count(*) as people
                 from sqlanon._combinations({=relation}, {=qi}, {=whose})
                 group by all
                 $$)
        end);

-- What is told of a record of a class, as the end of a SELECT: its risks.
create or replace macro sqlanon._record_risks(by_unit, by_population, is_sample, by_household) as
    case when by_unit then 'class.people, 1 / class.people as prosecutor_risk'
         when by_population
         then '1 / class.matching as prosecutor_risk, class.people,'
              || ' coalesce(1 / nullif(class.people, 0), 0) as journalist_risk'
         else '1 / class.matching as prosecutor_risk'
    end
    || if(is_sample, ', class.sample_count, class.population_estimate, class.individual_risk', '')
    || if(by_household, ', home.household_risk', '');

-- Every record of the source with the risks of its class.
create or replace macro sqlanon._records_at_risk(
    relation, classes, refusals, qi, keep, risks, household) as table
    from query(sqlanon._fill($$
        select {columns}, class.matching as size, {risks}
        from {relation} as src join {classes} as class on true{same_class}{households}
        where (select count(refused) = 0 from {refusals})
        $$, map {
            'columns': sqlanon._each_of(qi || keep, 'src.{c}', ', '),
            'households': coalesce(
                ' join (' || {call _households: sampled := classes} || ') as home on home.whose = '
                || sqlanon._person(household, []), ''),
            'same_class': sqlanon._each_of(qi, ' and src.{c} is not distinct from class.q{i}', '')}));

create or replace macro sqlanon._record_risk(
    tbl, qi, keep, population, hierarchies, suppressed, released, whose, weight, population_weight,
    distinct_spellings, sampling_weight, household, risk_formula) as table
    with _sqlanon_hierarchy as materialized (from sqlanon._hierarchies(hierarchies)),
    _sqlanon_written as materialized (
        from sqlanon._source(
            tbl, qi, sqlanon._list(keep) || whose || sqlanon._counted_with(sampling_weight, household),
            weight)
    ),
    _sqlanon_source as materialized (
        from sqlanon._with_one_spelling('_sqlanon_written', whose, distinct_spellings)
    ),
    _sqlanon_population as materialized (from sqlanon._source_if_any(population, qi, population_weight)),
    _sqlanon_class as materialized (
        from sqlanon._record_classes(
            '_sqlanon_source', qi, whose, sqlanon._if_any(population, '_sqlanon_population'),
            '_sqlanon_hierarchy', suppressed, released, weight, population_weight, sampling_weight,
            household)
    ),
    _sqlanon_sampled as materialized (
        from sqlanon._sampled_classes_if_any(
            '_sqlanon_class', qi, sampling_weight, household, risk_formula)
    ),
    _sqlanon_refusal as (
        from sqlanon._refuse_empty('_sqlanon_class', tbl)
        union all
        from sqlanon._refuse_no_population(population, '_sqlanon_population')
        union all
        from sqlanon._refuse_given_hierarchies(hierarchies, '_sqlanon_hierarchy', qi)
        union all
        from sqlanon._refuse_samples('_sqlanon_sampled', '_sqlanon_source', tbl, sampling_weight, household)
    )
    from sqlanon._records_at_risk(
        '_sqlanon_source', '_sqlanon_sampled', '_sqlanon_refusal', qi, sqlanon._counted_with(keep, weight),
        sqlanon._record_risks(
            len(whose) > 0, population is not null, coalesce(sampling_weight, household) is not null,
            household is not null), household);

create or replace macro sqlanon.record_risk(
    tbl, qi, keep := null, population := null, hierarchies := null, suppressed := 'value', released := null,
    unit := null, weight := null, population_weight := null, distinct_spellings := null,
    sampling_weight := null, household := null, risk_formula := 'approximate') as table
    from query(
        sqlanon._sample_checked(qi, sampling_weight, household, unit, weight, null, risk_formula, null)
        || sqlanon._checked(qi, null, keep, unit, weight) || sqlanon._unit_checked(unit, population)
        || sqlanon._suppressed_checked(suppressed, unit, null)
        || sqlanon._population_checked(qi, population, population_weight)
        || {call _record_risk: whose := unit});

comment on macro table sqlanon.record_risk is $$
Estimates the risk of every record of a table or release: one row per record; with weight, per row of the
table.

Parameters:
- tbl, qi: as in classes
- keep (columns; default null): further columns to return.
- population: as in risk
- hierarchies: as in locate
- suppressed: as in risk
- released, unit: as in privacy
- weight: as in classes
- population_weight: as in privacy
- distinct_spellings: as in classes
- sampling_weight, household, risk_formula: as in privacy

Result:
- <qi> (unchanged): the quasi-identifiers.
- <keep> (unchanged): as in tbl.
- <weight> (integer, people): with weight: how many people the row stands for.
- size (integer, rows): rows with the same quasi-identifiers; if suppressed cells are wildcards, with the same
  in those that the row shows.
- prosecutor_risk (number, probability): 1 / size; with unit 1 / people.
- people (integer, people): with population: the people of the population whom the labels of the row cover;
  with unit: the people of the class.
- journalist_risk (number, probability): with population: 1 / people, 0 if nobody.
- sample_count (integer, rows): with sampling_weight or household: rows that are alike, as in risk.
- population_estimate (number, people): with sampling_weight or household: for how many people of the
  population these stand, the sum of their weights.
- individual_risk (number, probability): with sampling_weight or household: as in risk.
- household_risk (number, probability): with household: 1 - product of (1 - individual_risk) over its members.

Errors: as in risk.

Source: El Emam 2013; Benedetti and Franconi 1998.

Example:
from sqlanon.record_risk('east', qi := ['age', 'zip'], population := 'people');
$$;
