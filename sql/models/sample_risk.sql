-- Risk in a sample of a population, by sampling weights (Benedetti and Franconi 1998; mu-Argus; sdcMicro:
-- Templ, Kowarik and Meindl 2015).
--
-- f rows of the sample have the same quasi-identifiers. They stand for F people of the population, who are
-- not all known: F is estimated by the sum of the rows' weights. Given f, F has a negative binomial
-- distribution with success probability p = f / (sum of weights), and whoever looks for one of the f among
-- those F people is right with probability 1 / F. The individual risk of these rows is its mean,
--     r = E(1 / F | f) = integral from 0 to 1 of y^(f - 1) / (1 + y (1 - p) / p) dy
--       = p / f 2F1(1, 1; f + 1; 1 - p),
-- with 2F1 = sum over j of j! / ((f + 1) ... (f + j)) (1 - p)^j. The exact formula is this one. The
-- approximate formula is the same for f = 1 and 2, and p / (f - 1 + p) for larger f.
--
-- Who finds one member of a household finds all: the household risk is 1 - product of (1 - r) over its
-- members, for each of them. Expected re-identifications are the sum over all rows of r (with households: of
-- the household risk), and the global risk is this sum / rows.
--
-- Rows are alike where no value that both have differs: a missing one (* or NULL) is equal to every value
-- (sql/models/frequencies.sql), in f and in the sum of weights.

-- What a value of the weight's column is as a number, or NULL.
create or replace macro sqlanon._number_of_weight(given) as try_cast(given as double);

-- r by the exact formula. From the integral follows r(f + 1) = a (1 / f - r(f)), with a = p / (1 - p) and
-- r(1) = a ln(1 / p), thus
--     r(f) = a / (f - 1) - a^2 / (f - 2) + a^3 / (f - 3) - ... +- a^f ln(1 / p).
-- These terms do not grow where p is below 1/2, so that their differences have all digits but one or two.
-- Where p is above 1/2, or f at least 20, 60 terms of the series have all digits, as each is less than half
-- of the one before, or 1 / (f + j choose j) at most.
create or replace macro sqlanon._risk_by_recurrence(f, p, a) as
    list_sum(list_transform(range(1, f::bigint), lambda i: -power(-a, i) / (f - i)))
    + power(-a, f) * ln(p);
create or replace macro sqlanon._risk_by_series(f, p) as
    p / f * (1 + list_sum(list_transform(range(1, 61), lambda j:
        exp(lgamma(j + 1) + lgamma(f + 1) - lgamma(f + j + 1)) * power(1 - p, j))));
create or replace macro sqlanon._exact_risk(f, p) as
    case when p >= 1 then 1 / f
         when f = 1 then -p / (1 - p) * ln(p)  -- 1 / p would be rounded
         when p < 0.5 and f = 2 then p / (1 - p) + power(p / (1 - p), 2) * ln(p)
         when p < 0.5 and f < 20 then sqlanon._risk_by_recurrence(f, p, p / (1 - p))
         else sqlanon._risk_by_series(f, p)
    end;
create or replace macro sqlanon._approximate_risk(f, p) as
    case when p >= 1 then 1 / f
         when f = 1 then -p / (1 - p) * ln(p)
         when f > 2 then p / (f - 1 + p)
         when p < 0.5 then p / (1 - p) + power(p / (1 - p), 2) * ln(p)
         else sqlanon._risk_by_series(2, p)
    end;

-- The weight of a row (src) as a number, as the text of an expression; without weights it is 1.
create or replace macro sqlanon._number_of_row(sampling_weight) as
    coalesce('sqlanon._number_of_weight(src.' || sqlanon._quote(sampling_weight) || ')', '1::double');

-- Can such a number be a sampling weight?
create or replace macro sqlanon._is_weight_of_sample(number) as
    coalesce(number between 1 and 1.7976931348623157e308, false);  -- the largest number

-- Combinations with the people for whom their rows stand: q1, q2, ..., n (rows), stands_for, and unweighted:
-- 1 if one of its rows has no weight that can be used, else 0. (Such a row makes the sum no number: to count
-- these rows beside it would take a third longer.) relation: rows with all of these columns; without a weight
-- each stands for itself.
create or replace macro sqlanon._combinations_of_sample(relation, qi, sampling_weight) as table
    from query(sqlanon._fill($$
        select *, isnan(stands_for)::integer as unweighted
        from (
            select {each qi: src.{c} as q{i}}, count(*) as n,
                   sum(if(sqlanon._is_weight_of_sample({weight}), {weight}, 'nan'::double)) as stands_for
            from {relation} as src group by {each qi: src.{c}}
        )
    $$, map {'weight': sqlanon._number_of_row(sampling_weight)}));

-- Is a cell of a combination a missing value? (Only texts are compared: to write all numbers as texts takes
-- longer than to group them.)
create or replace macro sqlanon._is_missing_cell(cell) as
    cell is null or case when typeof(cell) = 'VARCHAR' or typeof(cell) like 'ENUM%' then cell::varchar = '*'
                         else false end;

-- Classes (q1, q2, ..., n, stands_for, and more) with all that they have and sample_count (f),
-- population_estimate (the sum of weights) and individual_risk (r).
create or replace macro sqlanon._sampled_classes(classes, qi, risk_formula) as table
    -- Where nothing is missing, which is found out here, each combination is alone.
    with lacking as materialized (
        from query(sqlanon._fill($$
            select row_number() over () as tuple_id, * from {classes}
            where (select coalesce(bool_or({missing}), false) from {classes})
        $$, map {'missing': sqlanon._each(qi, 'sqlanon._is_missing_cell(q{i})', ' or ')}))
    ),
    masked as materialized (from sqlanon._masked('lacking', qi, '*', true)),
    estimated as (
        select *, n as sample_count, stands_for as population_estimate
        from query_table(classes) where not exists (from lacking)
        union all
        select lacking.* exclude (tuple_id), matches.n, matches.stands_for
        from lacking join sqlanon._sums_of_matches('masked', qi) as matches using (tuple_id)
    ),
    shared as (  -- of weights that are refused, too, a share for which there are logarithms
        select *, if(population_estimate > sample_count and isfinite(population_estimate),
                     sample_count / population_estimate, 1) as sampled_share
        from estimated
    )
    from query('select * exclude (sampled_share), sqlanon._' || risk_formula
               || '_risk(sample_count, sampled_share) as individual_risk from shared');

-- The same where there is a sample; else the classes as they are.
create or replace macro sqlanon._sampled_classes_if_any(
    classes, qi, sampling_weight, household, risk_formula) as table
    with sampled as (from sqlanon._sampled_classes(classes, qi, risk_formula))
    from query_table(if(coalesce(sampling_weight, household) is null, classes, 'sampled'));

-- Households: whose, members (rows), household_risk. relation: the rows. Spellings of a household are one:
-- apart, they would look safer than they are.
create or replace macro sqlanon._households(relation, sampled, qi, household) as table
    from query(sqlanon._fill($$
        select {whose} as whose, count(*) as members,
               1 - list_aggregate(list_sort(list(1 - class.individual_risk)), 'product') as household_risk
        from {relation} as src join {sampled} as class
            on true {each qi: and src.{c} is not distinct from class.q{i}}
        group by {whose}
    $$, map {'whose': sqlanon._person(household, [])}));

-- Whose risk adds up: risk, n (rows), of classes, or of households where there are any.
create or replace macro sqlanon._risks_that_add_up(relation, sampled, qi, household) as table
    with of_classes as (select individual_risk as risk, n from query_table(sampled)),
    of_homes as (
        select household_risk as risk, members as n
        from sqlanon._households(relation, sampled, qi, household)
    )
    from query_table(if(household is null, 'of_classes', 'of_homes'));

-- One row: expected (the sum of the risks that add up), highest, households, risky_households. Without
-- households the first two are those of individual.
create or replace macro sqlanon._added_risks(individual, risks, household, threshold) as table
    with of_classes as (
        select expected, highest, null as households, null as risky_households from query_table(individual)
    ),
    of_homes as (
        select fsum(n * risk) as expected, max(risk) as highest, count(*) as households,
               count(*) filter (where risk > threshold) as risky_households
        from query_table(risks)
    )
    from query_table(if(household is null, 'of_classes', 'of_homes'));

-- One row, reached: the largest risk t for which the sum of min(r, t) over all rows is at most wished * rows,
-- 1 if the sum of r is. Rows above t have to be changed so that their risk is t at most; then the global risk
-- is at most what is wished (mu-Argus, user's manual, "threshold of the re-identification rate").
create or replace macro sqlanon._threshold_of_risk(risks, wished) as table
    with level as (
        select risk, sum(n)::double as n from query_table(risks) group by risk
        union all
        select 0, 0
    ),
    running as (
        select risk, sum(risk * n) over up_to as expected, sum(n) over () - sum(n) over up_to as above,
               sum(n) over () as n
        from level window up_to as (order by risk, n rows unbounded preceding)
    )
    select arg_max(if(above > 0, (wished * n - expected) / above, 1), risk) as reached
    from running where expected + risk * above <= wished * n;

-- No rows, or an error: sampling weights that are no finite numbers of at least 1. counted: unweighted, so
-- many of them (rows, or classes with such rows); of_them: who has no such weight.
create or replace macro sqlanon._refuse_weights_of_sample(counted, sampling_weight, of_them) as table
    with none as (select null as refused where false),
    refusal as (
        select error(sum(unweighted) || ' ' || of_them || ' no finite number of at least 1 in column "'
                     || sampling_weight || '" (sampling_weight: for how many people of the population a row '
                     || 'stands): NULL, below 1, not finite or no number') as refused
        from query_table(counted) having sum(unweighted) > 0
    )
    from query_table(if(sampling_weight is null, 'none', 'refusal'));

-- No rows, or an error: rows without a household, households whose rows have several weights.
create or replace macro sqlanon._refuse_households(relation, tbl, sampling_weight, household) as table
    with home as (
        from query(sqlanon._fill($$
            select {whose} as whose, count(*) as members, min({weight}) as least, max({weight}) as most
            from {relation} as src group by {whose}
        $$, map {
            'whose': sqlanon._person(household, []),
            'weight': coalesce('src.' || sqlanon._quote(sampling_weight), '1')}))
    ),
    wrong as (
        select coalesce(sum(members) filter (where whose is null), 0) as lacking,
               count(*) filter (where whose is not null and least <> most) as several
        from home
    ),
    refusal as (
        select error(if(
            lacking > 0,
            lacking || ' rows of table ' || tbl || ' have NULL in column "' || household
            || '" (household): nobody knows who would be found together with them',
            several || ' households of table ' || tbl || ' (column "' || household
            || '") have several values in column "' || coalesce(sampling_weight, '')
            || '" (sampling_weight): a household is drawn as a whole, so that its members have one weight'
        )) as refused
        from wrong where lacking + several > 0
    ),
    none as (select null as refused where false)
    from query_table(if(household is null, 'none', 'refusal'));

-- classes: as in _combinations_of_sample, or more; relation: the rows.
create or replace macro sqlanon._refuse_samples(classes, relation, tbl, sampling_weight, household) as table
    from sqlanon._refuse_weights_of_sample(
        classes, sampling_weight, 'classes of table ' || tbl || ' have rows with')
    union all
    from sqlanon._refuse_households(relation, tbl, sampling_weight, household);

-- The measures of a sample: measure, value, unit, id. sampled: the classes, as above; relation: the rows.
-- Whatever is asked for of them, bad weights are an error.
create or replace macro sqlanon._sample_measures(
    tbl, relation, sampled, qi, sampling_weight, household, threshold, wished) as table
    with individual as materialized (  -- without households nothing else reads the classes
        select sum(n)::double as n, fsum(stands_for) as people, sum(unweighted) as unweighted,
               max(individual_risk) as highest, fsum(n * individual_risk) as expected,
               coalesce(fsum(n / population_estimate) filter (where sample_count = 1), 0) as uniques,
               coalesce(sum(n) filter (where individual_risk > threshold), 0) as risky
        from query_table(sampled)
    ),
    refusal as materialized (
        from sqlanon._refuse_samples('individual', relation, tbl, sampling_weight, household)
    ),
    adding as (from sqlanon._risks_that_add_up(relation, sampled, qi, household)),
    added as (from sqlanon._added_risks('individual', 'adding', household, threshold)),
    unbound as (select null::double as reached),
    bounding as (from sqlanon._threshold_of_risk('adding', wished)),
    bound as (from query_table(if(wished is null, 'unbound', 'bounding'))),
    told as (
        select unnest([
            {'measure': 'population, estimated', 'value': people, 'unit': 'people',
             'id': 'population_estimate'},
            {'measure': 'individual risk, highest', 'value': individual.highest, 'unit': 'probability',
             'id': 'individual_risk_highest'},
            {'measure': 'individual risk, mean', 'value': individual.expected / n, 'unit': 'probability',
             'id': 'individual_risk_mean'},
            {'measure': 'individual risk above threshold', 'value': risky / n, 'unit': 'share of records',
             'id': 'individual_risk_above_threshold'},
            {'measure': 'population uniques, expected', 'value': uniques / n, 'unit': 'share of records',
             'id': 'population_uniques'},
            {'measure': 'households', 'value': households, 'unit': 'households', 'id': 'households'},
            {'measure': 'household risk, highest', 'value': added.highest, 'unit': 'probability',
             'id': 'household_risk_highest'},
            {'measure': 'household risk above threshold', 'value': risky_households / households,
             'unit': 'share of households', 'id': 'household_risk_above_threshold'},
            {'measure': 'expected re-identifications', 'value': added.expected, 'unit': 'rows',
             'id': 'expected_reidentifications'},
            {'measure': 'global risk', 'value': added.expected / n, 'unit': 'share of records',
             'id': 'global_risk'},
            {'measure': 'risk threshold for the wished global risk', 'value': reached, 'unit': 'probability',
             'id': 'risk_threshold'}
        ], max_depth := 2)
        from individual, added, bound
    )
    from told
    where (select count(refused) = 0 from refusal)
      and (household is not null or id not like 'household%')
      and (wished is not null or id <> 'risk_threshold');

-- The same where there is a sample; else no rows.
create or replace macro sqlanon._sample_measures_if_any(
    tbl, relation, sampled, qi, sampling_weight, household, threshold, wished) as table
    with none as (
        select null::varchar as measure, null::double as value, null::varchar as unit, null::varchar as id
        where false
    ),
    measured as (
        from sqlanon._sample_measures(
            tbl, relation, sampled, qi, sampling_weight, household, threshold, wished)
    )
    from query_table(if(coalesce(sampling_weight, household) is null, 'none', 'measured'));

-- What the two weights are for.
create or replace macro sqlanon._both_weights() as
    'sampling_weight is for a sample: for how many people of the population, most of whom are not in the '
    || 'table, a row stands (12.37); weight is for a table of counts: how many people of the table a row is '
    || '(12)';

-- An empty text, or an error where parameters do not go with those of a sample.
create or replace macro sqlanon._sample_checked(
    qi, sampling_weight, household, unit, weight, fraction, risk_formula, wished) as
    case when not coalesce(risk_formula in ('approximate', 'exact'), false)
         then error('risk_formula must be approximate or exact, not ' || coalesce(risk_formula, 'NULL'))
         when coalesce(sampling_weight, household) is null and wished is not null
         then error('wished_global_risk needs sampling_weight: for how many people of the population each '
                    || 'row stands')
         when coalesce(sampling_weight, household) is null then ''
         when weight is not null and sampling_weight is not null
         then error('weight does not go with sampling_weight: ' || sqlanon._both_weights())
         when weight is not null
         then error('weight does not go with household: a row that is several people has no one household')
         when unit is not null
         then error('unit does not go with sampling_weight or household: each row is a person of the '
                    || 'sample, and a household has several of them')
         when fraction is not null and sampling_weight is not null
         then error('sampling_weight does not go with fraction: both say what share of the population is in '
                    || 'the sample')
         else sqlanon._let(
             sqlanon._list(qi) || sqlanon._list(sampling_weight) || sqlanon._list(household), lambda names:
             coalesce(error('column "' || sqlanon._claimed_twice(names) || '" is named twice: a column has '
                            || 'one role, in qi, sampling_weight or household'), ''))
    end;
