-- In words: the first sentences that a person would say about an answer, one a row, which speak of people and
-- of the columns by their names. The command line prints them before the table. The parameter answer takes
-- the rows of the macro that a macro here is named after: _breaches_in_words those of breaches.

-- A share in percent, as short as it can be read.
create or replace macro sqlanon._percent_text(share) as
    case when share > 0 and share < 0.1 then 'less than 0.1'
         else sqlanon._number_text(if(abs(share) < 10, round(share, 1), round(share))) end || ' %';

-- So many of what was counted (people, rows, classes, cells, ...). Nothing is called people but what was
-- counted as such: every sentence about several takes the noun from here.
create or replace macro sqlanon._number_of(n, counted) as
    case when n = 1 then 'one ' || case counted when 'people' then 'person' when 'classes' then 'class'
                                                else regexp_replace(counted, 's$', '') end
         else format('{:,} {}', n::bigint, counted) end;
create or replace macro sqlanon._capitalized(words) as upper(words[:1]) || words[2:];

-- What breaches says: sentence. Of all measures five in words, and of how many these say too little: who was
-- not located, or is contradicted.
create or replace macro sqlanon._breaches_in_words(answer) as table
    with told as (
        select sensitive, any_value(value) filter (id = 'targets') as n,
               any_value(unit) filter (id = 'targets') as people,
               any_value(value) filter (id = 'located_in_all') as located,
               any_value(value) filter (id = 'contradictions') as contradictory,
               any_value(value) filter (id = 'pvp_100') as single,
               any_value(value) filter (id = 'sure_90') as sure,
               any_value(value) filter (id = 'sure_90_marginal') as sure_before,
               any_value(value) filter (id = 'rows_covering_all') as covering,
               any_value(value) filter (id = 'sure_90_unsuppressed') as sure_besides,
               any_value(value) filter (id = 'weighted_guess_right') as guess,
               any_value(value) filter (id = 'weighted_guess_expected') as guess_expected,
               any_value(value) filter (id = 'marginal_guess_right') as before,
               any_value(value) filter (id = 'marginal_guess_expected') as before_expected
        from query_table(answer) group by sensitive
    )
    select unnest(list_filter([
        case when located < 100
             then format('Only {:,} of {:,} {} were found in every release that they are in: of the others '
                         'this says too little.', (n * located / 100)::bigint, n::bigint, people) end,
        case when contradictory > 0
             then format('For {:,} of {:,} {} the releases contradict each other: these people are not in '
                         'all of them, or values have changed or are spelled in other ways.',
                         (n * contradictory / 100)::bigint, n::bigint, people) end,
        case when single = 0
             then format('None of {:,} {} is left with one possible {}.', n::bigint, people, sensitive)
             when single > 0
             then format('{:,} of {:,} {} are left with one possible {}.',
                         (n * single / 100)::bigint, n::bigint, people, sensitive) end,
        case when sure = 0 then 'Of nobody is an adversary 90 % sure.'
             when sure > 0
             then format('Of {:,} of them an adversary is 90 % sure (without the releases: of {:,}).',
                         (n * sure / 100)::bigint, (n * coalesce(sure_before, 0) / 100)::bigint) end,
        case when covering > 0
             then sqlanon._percent_text(covering)
                  || ' of the rows of a release have * in every column, so that they may be anybody''s.'
                  || coalesce(format(' An adversary who knows that a person has another row is 90 % sure of '
                                     '{:,} of them.', (n * sure_besides / 100)::bigint), '') end,
        case when guess is not null and before is not null
             then 'The best guess of ' || sensitive || ' is right for ' || sqlanon._percent_text(guess)
                  || ' of them; guessing without the releases, for ' || sqlanon._percent_text(before) || '.'
             when guess_expected is not null and before_expected is not null
             then 'The best guess of ' || sensitive || ' should be right for '
                  || sqlanon._percent_text(guess_expected) || ' of them; guessing without the releases, for '
                  || sqlanon._percent_text(before_expected) || '.' end
    ], lambda sentence: sentence is not null)) as sentence
    from told order by sensitive;

-- What intersection_attack says: sentence. counted: people or rows. A row of somebody whose rows together are
-- certain (certain, with a unit) counts as left with one value; a target who was not found is no all-clear.
create or replace macro sqlanon._targets_in_words(answer, counted) as table
    with target as (
        select sensitive, posterior = 1 or len(coalesce(certain, [])) > 0 as is_single,
               posterior = 0 or len(list_filter(located, lambda found: found.size = 0)) > 0 as is_lost
        from (from query_table(answer) union all by name select null::varchar[] as certain where false)
    ),
    counts as (
        select sensitive, count(*) as n, count(*) filter (is_single) as single,
               count(*) filter (is_lost) as lost
        from target group by sensitive
    )
    select unnest(list_filter([
        case when lost > 0
             then format('{:,} of {:,} {} were not found in every release that they are in: of these this '
                         'says too little.', lost, n, counted) end,
        format('{} of {:,} {} {} left with one possible {}.',
               if(single = 0, 'None', format('{:,}', single)), n, counted, if(single = 0, 'is', 'are'),
               sensitive)
    ], lambda sentence: sentence is not null)) as sentence
    from counts order by sensitive;

-- The five measures of breaches that these sentences are about.
create or replace macro sqlanon._breaches_in_short(answer) as table
    select sensitive, measure, round(value, 2) as value, unit, round(low, 2) as low, round(high, 2) as high
    from query_table(answer) as row_of
    where id in ('located_in_all', 'pvp_100', 'sure_90')
       or id in ('weighted_guess_right', 'marginal_guess_right') and value is not null
       or id in ('weighted_guess_expected', 'marginal_guess_expected')
          and not exists (
              select 1 from query_table(answer) as other
              where other.sensitive = row_of.sensitive and other.id = replace(row_of.id, 'expected', 'right')
                and other.value is not null);

-- What privacy says: sentence. counted: rows or people.
create or replace macro sqlanon._privacy_in_words(answer, counted) as table
    select case when k = 1
                then 'Somebody is alone in their class: who knows the quasi-identifiers finds them.'
                when counted = 'people' then format('Everybody is one of at least {:,} people.', k::bigint)
                else format('Every class has at least {}.', sqlanon._number_of(k, counted)) end as sentence
    from (select any_value(reached) filter (id = 'k') as k from query_table(answer)) where k is not null
    union all
    (select format('Every class has at least {:,} {} of {}.', reached::bigint,
                   if(reached = 1, 'value', 'different values'), sensitive)
            || if(reached = 1, ' Where it is one, who finds the class knows the value.', '')
     from query_table(answer) where id = 'l' and reached is not null order by sensitive)
    union all
    (select model || ' is not measured: ' || remark || '.'
     from query_table(answer) where remark is not null order by sensitive);

-- What risk says: sentence.
create or replace macro sqlanon._risk_in_words(answer) as table
    with told as (
        select coalesce(any_value(value) filter (id = 'people'),
                        any_value(value) filter (id = 'records')) as n,
               any_value(unit) filter (id = 'sample_uniques') as counted,
               any_value(value) filter (id = 'sample_uniques') as alone,
               any_value(value) filter (id = 'smallest_class') as smallest,
               any_value(value) filter (id = 'marketer_risk') as marketer
        from query_table(answer)
    )
    select unnest(list_filter([
        case when alone > 0
             then format('{:,} of {:,} {} are the only ones with their quasi-identifiers: who knows these '
                         'finds them.', alone::bigint, n::bigint, counted)
             when alone = 0
             then format('Nobody of {:,} {} is alone: the smallest class has {:,}.', n::bigint, counted,
                         smallest::bigint) end,
        'Who looks for everybody and guesses within the class is right for '
        || sqlanon._percent_text(100 * marketer) || ' of them.'
    ], lambda sentence: sentence is not null)) as sentence
    from told
    union all
    from sqlanon._sample_in_words(answer);

-- What risk says of a sample, a row or none: sentence.
create or replace macro sqlanon._sample_in_words(answer) as table
    with told as (
        select any_value(value) filter (id = 'records') as n,
               any_value(value) filter (id = 'expected_reidentifications') as expected,
               any_value(value) filter (id = 'global_risk') as shared,
               any_value(value) filter (id = 'households') as households
        from query_table(answer)
    )
    select 'The global risk is ' || sqlanon._exact_percent_text(shared) || ': of '
           || format('{:,}', n::bigint) || ' records ' || sqlanon._number_text(round(expected, 1))
           || ' are expected to be found in the population'
           || if(households is null, '.', ', with all of a household once one of its members is found.')
           as sentence
    from told where shared is not null;
create or replace macro sqlanon._exact_percent_text(shared) as
    if(shared > 0 and shared < 0.0001, 'less than 0.01', sqlanon._number_text(round(100 * shared, 2)))
    || ' %';

-- What utility says: sentence.
create or replace macro sqlanon._utility_in_words(answer) as table
    with told as (
        select any_value(value) filter (id = 'suppressed_rows') as suppressed,
               any_value(value) filter (id = 'gcp' and attribute is null) as gcp,
               any_value(value) filter (id = 'query_error_median') as error,
               any_value(attribute) filter (id = 'sensitive_in_sets') as linked,
               arg_min(attribute, value) filter (id = 'accuracy') as predicted,
               min(value) filter (id = 'accuracy') as accuracy
        from query_table(answer)
    )
    select unnest(list_filter([
        case when suppressed = 0 then 'No row was left out.'
             else sqlanon._percent_text(suppressed) || ' of the rows were left out.' end,
        'The quasi-identifiers have lost ' || sqlanon._percent_text(100 * gcp)
        || ' of their detail (GCP; 100 % is all of it).',
        'Which ' || linked || ' belongs to which row was cut: a row has several, and GCP does not count'
        || ' that.',
        'Half of the counts over random ranges are off by ' || sqlanon._percent_text(error) || ' or less.',
        'A classifier that learns from the release predicts ' || predicted || ' right for '
        || sqlanon._percent_text(accuracy) || ' of the people held out.'
    ], lambda sentence: sentence is not null)) as sentence
    from told;

-- What a frontier says: sentence. loss: by what choices are compared.
create or replace macro sqlanon._frontier_in_words(choices, loss) as table
    with made as (from query_table(choices) where seconds is not null),
    best as (from made where dominated is false)
    select format('Of {:,} releases that could be made, {:,} {} beaten by no other in both risk and loss:',
                  (select count(*) from made), count(*), if(count(*) = 1, 'is', 'are')) as sentence
    from best
    union all
    (select method || coalesce(', k = ' || k, '')
            || coalesce(': the best guess is right for ' || sqlanon._percent_text(guess_right)
                        || ' (without it ' || sqlanon._percent_text(guess_baseline) || ')', '')
            || coalesce(if(loss = 'query_error',
                           ', random counts are off by ' || sqlanon._percent_text(query_error),
                           ', ' || sqlanon._percent_text(100 * gcp) || ' of the detail is lost'), '')
            || coalesce(', a classifier that learns from it is wrong for '
                        || sqlanon._percent_text(prediction_error), '')
            || coalesce(', a model that learns from it loses ' || sqlanon._percent_text(100 * model_loss)
                        || ' of its score', '')
     from best order by if(loss = 'query_error', query_error, gcp), method, k);

-- What a judge says (rows of _said_by_judge) of bounds, and of columns that may not leave as they do.
create or replace macro sqlanon._bounds_judged(said) as table
    from query_table(said) where verdict is not null and not (attack = 'columns' and verdict = 'holds');

-- What a judge says, in words: sentence. How many bounds hold; of those that do not, how many people, or rows
-- where rows were counted.
create or replace macro sqlanon._verdicts_in_words(said) as table
    with counts as (
        select count(*) as n, count(*) filter (verdict = 'holds') as held,
               count(*) filter (verdict = 'fails' and accepted is null) as failing,
               count(*) filter (verdict = 'not known' and accepted is null) as unknown,
               count(*) filter (accepted is not null) as accepted
        from sqlanon._bounds_judged(said)
    ),
    failing as (
        select *,
               case when id = 'certain' and sensitive is null
                    then 'found out for certain (' || attack || ')'
                    when id in ('certain', 'pvp_100')
                    then 'left with one possible ' || coalesce(sensitive, 'value')
                    when regexp_matches(id, '^(sure|pvp)_[0-9_]+$')
                    then format('such that an adversary is {} % sure of their {}',
                                replace(regexp_extract(id, '[0-9][0-9_]*$'), '_', '.'),
                                coalesce(sensitive, 'value')) end as state
        from sqlanon._bounds_judged(said)
        where verdict = 'fails' and accepted is null and people is not null
    )
    select if(held = n and n > 1, format('All {:,} bounds hold', n),
              format('Of {:,} {} {} {}', n, if(n = 1, 'bound', 'bounds'),
                     if(held = 0, 'none', format('{:,}', held)), if(held <= 1, 'holds', 'hold')))
           || if(failing > 0, format(', {:,} {}', failing, if(failing = 1, 'fails', 'fail')), '')
           || if(unknown > 0, format(', {:,} {} not known', unknown, if(unknown = 1, 'is', 'are')), '')
           || if(accepted > 0, format(', {:,} {} accepted', accepted, if(accepted = 1, 'is', 'are')), '')
           || '.' as sentence
    from counts
    union all
    (select distinct
            format('{} ({}) {} {}, by {}: you allow {}{}.',
                   sqlanon._capitalized(sqlanon._number_of(people, coalesce(counted, 'rows'))),
                   sqlanon._percent_text(value), if(people = 1, 'is', 'are'), state,
                   coalesce(nullif(array_to_string(releases, ' and '), ''), 'them'),
                   if(tolerated = 0, 'none', sqlanon._percent_text(tolerated)),
                   coalesce('; before, it was ' || sqlanon._percent_text(before), ''))
            as sentence
     from failing where state is not null order by sentence);

-- What people read of it in a table: what does not hold comes first.
create or replace macro sqlanon._verdicts_in_short(said) as table
    select if(accepted is null, verdict, 'accepted') as verdict,
           attack || if(attack = 'evidence', ': ', '.') || id as bound,
           coalesce(sensitive, if(attack = 'evidence', array_to_string(releases, ', '), ''), '') as "of",
           case when unit = 'cells' and value is not null then sqlanon._number_of(value, 'cells')
                when people is null then coalesce(sqlanon._percent_text(value), '')
                else format('{:,}', people) || coalesce(' (' || sqlanon._percent_text(value) || ')', '')
           end as found,
           coalesce(if(unit = 'cells', sqlanon._number_of(tolerated, 'cells'),
                       sqlanon._percent_text(tolerated)), 'not said') as allowed
    from sqlanon._bounds_judged(said);

-- What is written of it to a file: all that has a verdict.
create or replace macro sqlanon._verdicts_in_full(said) as table
    select attack, id, releases, sensitive, value, unit, people, before, tolerated,
           if(accepted is null, verdict, 'accepted') as verdict,
           nullif(concat_ws('; ', reason, 'accepted: ' || accepted), '') as reason
    from query_table(said) where verdict is not null;

-- What several attacks find (rows of _judged_attacks): sentence. Of whom the surest of them is sure.
create or replace macro sqlanon._overview_in_words(judged) as table
    with run as (
        select attack, array_to_string(releases, ' and ') as releases, sensitive,
               max(value) filter (id in ('subjects', 'targets')) as n,
               any_value(unit) filter (id in ('subjects', 'targets')) as counted,
               max(value) filter (id in ('certain', 'pvp_100')) as certain,
               max(value) filter (id = 'sure_90') as sure, count(reason) > 0 as is_blind
        from query_table(judged) where status = 'done'
        group by all
    ),
    told as (
        select count(distinct attack) as attacks, bool_or(is_blind) as is_blind,
               max_by(run, row(coalesce(sure, certain, 0), coalesce(certain, 0), attack, releases)) as surest,
               max(coalesce(sure, certain, 0)) as most
        from run
    )
    select case when most = 0
                then format('None of {:,} {} is 90 % sure of anybody', attacks,
                            if(attacks = 1, 'attack that was made', 'attacks that were made'))
                else format('{:,} of {:,} {} ({})', round(surest.n * most / 100)::bigint, surest.n::bigint,
                            surest.counted, sqlanon._percent_text(most))
                     || if(surest.sure is null, ': of so many an adversary is certain',
                           ': of so many an adversary is at least 90 % sure')
                     || coalesce(' of the ' || surest.sensitive, '') || ', by ' || surest.attack || ' on '
                     || surest.releases
                     || coalesce(if(surest.sure is null, null, format('; certain of {:,}',
                                    round(surest.n * surest.certain / 100)::bigint)), '') end
           || if(is_blind, '. Less is found than there is: see below.', '.') as sentence
    from told where attacks > 0;

-- What attack_summary says: sentence.
create or replace macro sqlanon._attack_in_words(answer) as table
    with told as (
        select any_value(value) filter (id = 'subjects') as n,
               any_value(unit) filter (id = 'subjects') as counted,
               any_value(value) filter (id = 'learned') as learned,
               any_value(value) filter (id = 'certain') as certain,
               any_value(value) filter (id = 'right') as "right",
               any_value(value) filter (id = 'expected_right') as expected,
               any_value(value) filter (id = 'baseline') as baseline,
               any_value(value) filter (id = 'unfinished') as unfinished
        from query_table(answer)
    )
    select unnest(list_filter([
        case when unfinished > 0
             then sqlanon._percent_text(unfinished)
                  || ' of what there is was not looked at: this says too little.' end,
        case when n = 0 then 'Nobody is attacked: this is no all-clear.'
             when learned = 0 then format('Nothing is learned of {:,} {}.', n::bigint, counted)
             else format('The attack learns something of {:,} of {:,} {}',
                         round(n * learned / 100)::bigint, n::bigint, counted)
                  || coalesce(if(certain = 0, '; of none it is certain',
                                 format('; of {:,} it is certain', round(n * certain / 100)::bigint)), '')
                  || '.' end,
        case when learned > 0
             then 'What it learns ' || if("right" is null, 'should be', 'is') || ' right for '
                  || sqlanon._percent_text(coalesce("right", expected))
                  || coalesce('; a guess without it, for ' || sqlanon._percent_text(baseline), '')
                  || '.' end
    ], lambda sentence: sentence is not null)) as sentence
    from told;
