-- Frontier: which of several releases to choose, by what each gives away and what it has lost.
--
-- A choice is dominated if another one is at least as good in all measures and better in one. What nothing
-- dominates is the frontier, the risk-utility map of Duncan, Keller-McNulty and Stokes (2001, Disclosure risk
-- vs. data utility: the R-U confidentiality map). A measure that is NULL was not measured: nothing is said of
-- such a choice, least of all that nothing dominates it.

-- DOMINANCE

-- Which choices are dominated: choice, dominated (NULL if one of its measures is not known), dominated_by: of
-- those that do and that are on the frontier, the one with the least measures, the first one first. choices:
-- choice, measures (a list, of which less is better).
create or replace macro sqlanon._dominance(choices) as table
    with judged as materialized (
        select choice, measures,
               list_bool_and(list_transform(measures, lambda measure:
                   measure is not null and not isnan(measure))) as is_known
        from query_table(choices)
    ),
    known as materialized (select choice, measures from judged where is_known),
    better as materialized (
        select worse.choice, other.choice as other, other.measures
        from known as worse cross join known as other
        where other.measures <> worse.measures
          and len(list_filter(list_zip(other.measures, worse.measures), lambda pair:
                  pair[1] > pair[2])) = 0
    ),
    dominating as (
        select choice, list(other order by measures, other) as others
        from better where other not in (select choice from better) group by choice
    )
    select judged.choice, if(is_known, others is not null, null) as dominated, others[1] as dominated_by
    from judged left join dominating on dominating.choice = judged.choice;

-- No rows, or an error: a choice without a name, or with that of another one.
create or replace macro sqlanon._refuse_choices(choices, called, id) as table
    from sqlanon._refuse_empty(choices, called)
    union all
    select error('choice ' || coalesce(choice::varchar, 'NULL') || ' is ' || count(*) || ' times in column '
                 || id || ' of ' || called) as refused
    from query_table(choices) group by choice having count(*) > 1 or choice is null;

-- An empty text, or an error for a column that is called as one of the answer.
create or replace macro sqlanon._id_of_choices_checked(id) as
    case when lower(sqlanon._list(id)[1]) in ('dominated', 'dominated_by')
         then error('the column in id is named ' || sqlanon._list(id)[1]
                    || ', as one of the answer: rename it')
         else '' end;

create or replace macro sqlanon.dominated(choices, id, columns) as table
    from query(sqlanon._checked(columns, null, id) || sqlanon._id_of_choices_checked(id) || sqlanon._fill($$
        with _sqlanon_choice as materialized (
            select {id} as choice, [{each columns: {c}::double}] as measures from {choices}
        ),
        _sqlanon_refusal as (from sqlanon._refuse_choices('_sqlanon_choice', {=choices}, {named})),
        _sqlanon_verdict as (from sqlanon._dominance('_sqlanon_choice'))
        select choice as {id}, dominated, dominated_by from _sqlanon_verdict
        where (select count(refused) from _sqlanon_refusal) = 0 order by choice
    $$, map {
        'id': sqlanon._quote(sqlanon._list(id)[1]), 'named': sqlanon._literal(sqlanon._list(id)[1]),
        'choices': sqlanon._relation(choices)}));

comment on macro table sqlanon.dominated is $$
Finds which of several choices are dominated: another choice is at least as good in all measures and better in
at least one.

Parameters:
- choices (table): one row per choice.
- id (column): the name of the choice; each must be there once.
- columns (columns): its measures, such as a risk and a loss: numbers, of which smaller ones are better.

Result:
- <id> (unchanged): the choice.
- dominated (boolean): true if another choice is at least as good in all columns and better in at least one.
  NULL if one of the choice's own measures is NULL or not a number.
- dominated_by (value): the choice that dominates it; of several that are not dominated themselves, the one
  with the smallest measures, compared in the order of columns. NULL if there is none.

Errors: unknown column, no choices, a choice twice, an id with the name of a column of the result.

Notes: two choices with the same measures do not dominate each other. A choice with a missing measure
dominates no other. In Python, sqlanon.frontier makes the choices and measures them, too.

Source: Duncan, Keller-McNulty and Stokes 2001 (the R-U confidentiality map).

Example:
with choice(k, risk, loss) as (values (2, 0.5, 0.1), (5, 0.2, 0.3), (10, 0.2, 0.4))
from sqlanon.dominated('choice', id := 'k', columns := ['risk', 'loss']);
$$;

-- MEASURES OF A CHOICE

-- A release in which a row has several values of a sensitive column, a list of them, as an adversary reads it
-- who takes each to be as likely: a row for each value, all rows as often.
create or replace macro sqlanon._rows_of_lists(release, sensitive) as table
    from query(sqlanon._fill($$
        with every as (select product(distinct len({s})) as times from {release})
        select row_of.* replace (unnest(flatten(list_transform(range((times / len({s}))::bigint),
                                                               lambda nth: {s}))) as {s})
        from {release} as row_of, every
        $$, map {'s': sqlanon._quote(sensitive), 'release': sqlanon._relation(release)}));

-- expected_breaches of each sensitive column: sensitive, id, value.
create or replace macro sqlanon._expected_of_each(release, qi, sensitive) as table
    from query(sqlanon._each_filled(sensitive, $$
        select {s} as sensitive, id, value
        from sqlanon.expected_breaches({=release}, qi := {=qi}, sensitive := {s})
    $$, ' union all '));

-- What the attack on everybody tells, a row per sensitive column: sensitive, gain, guess, baseline, sure,
-- sure_baseline, unread, located. attacked: of breaches.
create or replace macro sqlanon._attack_of_columns(attacked) as table
    select sensitive,
           any_value(value) filter (where id = 'gain_over_marginal') as gain,
           any_value(value) filter (where id = 'weighted_guess_right') as guess,
           any_value(value) filter (where id = 'marginal_guess_right') as baseline,
           any_value(value) filter (where id = 'sure_90') as sure,
           any_value(value) filter (where id = 'sure_90_marginal') as sure_baseline,
           any_value(value) filter (where id = 'unread_rows') as unread,
           any_value(value) filter (where id = 'located_in_all') as located,
           any_value(value) filter (where id = 'truth_in_no_release') as lacking
    from query_table(attacked) group by sensitive;

-- One row, the worst over all sensitive columns: where one of them was not measured, it is not known. The
-- guesses are of the column of which the adversary gains most.
create or replace macro sqlanon._worst_attack(attacked) as table
    select if(count(gain) = count(*), max(gain), null) as guess_gain,
           arg_max(sensitive, gain) as sensitive, arg_max(guess, gain) as guess_right,
           arg_max(baseline, gain) as guess_baseline,
           if(count(sure) = count(*), max(sure), null) as sure_90,
           arg_max(sure_baseline, sure) as sure_90_baseline,
           max(unread) as unread, min(located) as located, max(lacking) as lacking
    from sqlanon._attack_of_columns(attacked);

-- Why an attack tells too little, if it does. suppressed: so many percent of the rows; of people who may have
-- several rows nobody knows how many these are.
create or replace macro sqlanon._why_unmeasured(unread, located, lacking, suppressed, by_unit) as
    case when unread > 0
         then 'the attack finds too little: values could not be read in ' || round(unread, 2)
              || ' % of the rows'
         when located < case when coalesce(suppressed, 0) = 0 then 100 when by_unit then 0
                             else 100 - suppressed end - 1e-6
         then 'the attack finds too little: it locates ' || round(located, 2) || ' % of the people'
         when lacking > coalesce(suppressed, 0) + 1e-6 and not by_unit
         then 'the attack finds too little: the true value of ' || round(lacking, 2)
              || ' % of the people is not in the release'
    end;

-- Measures of utility, in which gcp is the mean of ncp by the weights of the columns.
create or replace macro sqlanon._with_weighted_gcp(measures, qi, weights) as table
    with weighted as (
        select sum(value * weight) / sum(weight) as gcp
        from query_table(measures)
        join (select unnest(sqlanon._lower(qi)) as name, unnest(weights::double[]) as weight)
            on lower(attribute) = name
        where id = 'ncp'
    )
    select * replace (if(id = 'gcp' and attribute is null, gcp, value) as value)
    from query_table(measures), weighted;

-- The row of a choice. attacked: of breaches, expected: of _expected_of_each, lost: of utility; no rows where
-- there is nothing. least_people: of any class. judged: what the judge says of it, or NULL. stated: what
-- there is to say already. trained: what a model lost that learned from it, or NULL.
create or replace macro sqlanon._measured_choice(
    nth, anonymizer, at_k, attacked, expected, lost, least_people, took, by_unit, stated, judged := null,
    trained := null) as
table
    with loss as (
        select any_value(value) filter (where id = 'suppressed_rows') as suppressed,
               any_value(value) filter (where id = 'gcp' and attribute is null) as gcp,
               any_value(value) filter (where id = 'query_error_mean') as query_error,
               100 - min(value) filter (where id = 'accuracy') as prediction_error,
               string_agg(attribute, ', ' order by attribute) filter (where id = 'sensitive_in_sets') as cut,
               string_agg(attribute, ', ' order by attribute)
                   filter (where id = 'values_not_in_original') as strange,
               count(*) > 0 as is_measured
        from query_table(lost)
    ),
    other_release as (
        select if(count(value) = count(*), max(value), null) as certain
        from query_table(expected) where id = 'pvp_100'
    ),
    attack as (
        select worst.*, loss.*, certain,
               sqlanon._why_unmeasured(unread, located, lacking, suppressed, by_unit) as why
        from sqlanon._worst_attack(attacked) as worst cross join loss cross join other_release
    )
    select nth as place, anonymizer || coalesce(', k = ' || at_k, '') as choice, anonymizer as method,
           at_k::bigint as k,
           if(why is null, sensitive, null) as sensitive,
           if(why is null, guess_gain, null) as guess_gain,
           if(why is null, guess_right, null) as guess_right,
           if(why is null, guess_baseline, null) as guess_baseline,
           if(why is null, sure_90, null) as sure_90,
           if(why is null, sure_90_baseline, null) as sure_90_baseline,
           certain * (1 - suppressed / 100) as forecast,
           1 / least_people::double as reidentification,
           if(cut is null, gcp, null) as gcp, query_error, suppressed, prediction_error,
           trained::double as model_loss, took::double as seconds, judged::varchar as verdict,
           null::double[] as risk_interval, null::double[] as loss_interval,
           nullif(concat_ws('; ', stated, why,
               case when cut is not null
                    then 'no gcp: it is of quasi-identifiers, and what is lost is which ' || cut
                         || ' a row has'
                    when strange is not null
                    then 'no gcp: released numbers of ' || strange || ' (such as means) are no values of the'
                         || ' table' end),
               '') as reason
    from attack;

-- A choice that was made of several samples, a row for each, as one row: the mean of each of columns, where
-- all samples have it, and intervals of risk and loss (names of columns). What a sample loses of detail or of
-- rows, and by how much its counts err, is too much for all rows: there the interval begins at 0.
create or replace macro sqlanon._choices_of_samples(choices, columns, risk, loss) as table
    from query(sqlanon._fill($$
        select place, any_value(choice) as choice, any_value(method) as method, any_value(k) as k,
               mode(sensitive) as sensitive, sum(seconds) as seconds, {means},
               if(count(verdict) = 0, null, 'not known') as verdict,
               string_agg(distinct reason, '; ' order by reason) as reason,
               if(count({risk}) = count(*), sqlanon._interval_of_three(list({risk})), null) as risk_interval,
               if(count({loss}) = count(*), sqlanon._interval_of_three(list({loss})), null) as with_less,
               if({errs_upwards}, [0, with_less[2]], with_less) as loss_interval
        from {choices} group by place
        $$, map {
            'choices': sqlanon._relation(choices), 'risk': sqlanon._quote(risk),
            'loss': sqlanon._quote(loss),
            'errs_upwards': (loss in ('gcp', 'query_error', 'suppressed'))::varchar,
            'means': sqlanon._each(columns, 'if(count({c}) = count(*), avg({c}), null) as {c}', ', ')}));

-- 95 %, by Student's t with two degrees of freedom, which three samples have.
create or replace macro sqlanon._interval_of_three(three) as
    list_transform([-4.303, 4.303], lambda t:
        list_avg(three) + t * list_aggregate(three, 'stddev_samp') / sqrt(len(three)));

-- The choices with what dominates them on two axes, as a user sees them.
create or replace macro sqlanon._judged_choices(choices, axes) as table
    with compared as (from sqlanon.dominated(choices, 'choice', axes))
    select method, k, sensitive, guess_gain, guess_right, guess_baseline, sure_90, sure_90_baseline, forecast,
           reidentification, gcp, query_error, suppressed, prediction_error, model_loss, seconds, verdict,
           dominated, dominated_by, risk_interval, loss_interval,
           coalesce(reason, case when dominated is null
                                 then 'not measured: ' || array_to_string(axes, ' or ') end) as reason
    from query_table(choices) join compared using (choice) order by place;

-- The choices as a terminal of 80 columns shows them, in percent. loss: by what they are compared; gcp stands
-- for measures that others have written.
create or replace macro sqlanon._choices_for_terminal(frontier, loss) as table
    select method, k, round(guess_right, 1) as "right %", round(guess_baseline, 1) as "without %",
           round(sure_90, 1) as "sure %",
           round(case loss when 'query_error' then query_error when 'suppressed' then suppressed
                           when 'prediction_error' then prediction_error
                           when 'model_loss' then 100 * model_loss
                           else 100 * gcp end, 1) as "loss %",
           concat_ws('; ', verdict, dominated_by, reason) as "beaten by"
    from query_table(frontier);

-- The choices rounded, and how they compare in words.
create or replace macro sqlanon._choices_in_short(frontier) as table
    select method, k, round(guess_right, 2) as guess_right, round(guess_baseline, 2) as guess_baseline,
           round(sure_90, 2) as sure_90, round(forecast, 2) as forecast,
           round(reidentification, 3) as reidentification, round(gcp, 4) as gcp,
           round(query_error, 2) as query_error, round(suppressed, 2) as suppressed,
           round(seconds, 1) as seconds, verdict,
           concat_ws('; ', case when dominated then 'dominated by ' || dominated_by
                                when not dominated then 'nothing dominates it'
                                else 'not known' end, reason) as comparison
    from query_table(frontier);
