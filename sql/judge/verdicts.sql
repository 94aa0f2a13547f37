-- Verdicts: is what attacks find tolerated? There are three answers: holds, fails, not known.
--
-- What was found to be above its bound fails, however little was looked at. What is within its bound holds
-- only if everybody was looked at, everything was read, and the interval of a sample and the upper ends of
-- probabilities are within the bound, too. Everything else is not known. Where nothing is stated of a
-- measure there is no verdict (NULL).
--
-- An attack that is certain of somebody, and of which nothing is stated, makes it not known, too: silence is
-- no consent (_unstated_danger).

-- The verdict on a measure. value: what was measured (NULL: nothing was); worst: the end of its interval, of
-- a sample, or of errors of probabilities; most: what is tolerated; blind: why less may have been found than
-- there is, or NULL.
create or replace macro sqlanon._verdict_on_bound(value, worst, most, blind) as
    case when most is null then null
         when value > most + 1e-9 then 'fails'
         when value is null or worst > most + 1e-9 or blind is not null then 'not known'
         else 'holds' end;

-- The measure with the upper end of another one, by its id; NULL: it has none.
create or replace macro sqlanon._upper_of_measure(id) as
    case when id = 'weighted_guess_expected' then 'weighted_guess_upper'
         when id = 'expected_right' then 'expected_right_upper'
         when regexp_full_match(id, 'certain|sure_\d+(_\d+)?') then id || '_upper' end;

-- Why a measure is not known to hold, though its value does: probabilities may be as much as their upper
-- ends; or nobody has asked which values are left to some people.
create or replace macro sqlanon._what_errors_leave_open(id, value, upper, unit, most) as
    case when value <= most + 1e-9 and upper > most + 1e-9
         then if(id = 'certain',
                 'more people may be certain: of some who share classes with many others it is not known '
                 || 'whether a second value is possible; with these it is ',
                 'probabilities may be higher, as nobody knows how many people releases share: by their '
                 || 'upper ends it is ') || round(upper, 3) || ' ' || unit end;

-- What runs have measured, without a row: what _judged_attacks reads. sampled: not all targets were attacked.
-- moot: there is nothing that the attack could be made on (one release where it takes two). supposing: why
-- what the attack supposes of the releases is not so, or NULL: what it finds then is not known to be true.
create or replace macro sqlanon._no_measures() as table
    select null::integer as run, null::text as attack, null::text as subject, null::text as status,
           null::text as reason, null::boolean as moot, null::text as supposing, null::text[] as releases,
           null::text as sensitive, null::boolean as sampled, null::integer as place, null::text as id,
           null::text as measure,
           null::double as value, null::text as unit, null::double as low, null::double as high
    where false;

-- Why less is found in a run than there is: run, blind.
create or replace macro sqlanon._half_blind(measured) as table
    select run, string_agg(blind, '; ' order by blind) as blind
    from (
        select run,
               case when id = 'located_in_all' and value < 100
                    then round(100 - value, 4) || ' % of the people are in no class of a release that they '
                         || 'should be in'
                    when id = 'unread_rows' and value > 0
                    then round(value, 4) || ' % of the rows have labels that could not be read'
                    when id = 'contradictions' and coalesce(emptied, value) > 0
                    then round(coalesce(emptied, value), 4) || ' % of the people are left without a value'
                    when id = 'fewest_shared_values' and value = 0
                    then 'two releases share no value: if their words differ, '
                         || 'publish --words COLUMN:THEN=TODAY says which are the same'
                    when id = 'unfinished' and value > 0
                    then 'not all was looked at for ' || round(value, 4) || ' %' end as blind
        from query_table(measured)
        left join (select run, any_value(value) as emptied from query_table(measured)
                   where id = 'emptied' group by run) using (run)
    )
    where blind is not null group by run;

-- Why a measure of a sample is not known to hold, though its value does: the interval of all targets goes
-- further. That of a share never ends at 0, however many are drawn.
create or replace macro sqlanon._what_a_sample_leaves_open(value, high, unit, most) as
    case when value <= most + 1e-9 and high > most + 1e-9
         then 'of all targets it may be up to ' || round(high, 3) || ' ' || unit
              || ', by a sample (max_targets): '
              || if(most = 0, 'that it is 0, only all targets can show', 'more targets can show less') end;

-- Is a measure, by its id, a share of those who are attacked, so that it says how many these are?
create or replace macro sqlanon._is_share_of_people(id) as
    regexp_full_match(
        id, 'certain|learned|vulnerable|contradictions|located_in_(all|none)'
            || '|(sure|pvp)_[0-9_]+|certain_upper|sure_[0-9_]+_(upper|unsuppressed)');

-- The measures with verdicts: attack, subject, status, reason, releases, sensitive, sampled, id, measure,
-- value, unit, low, high, people (how many subjects the value is a share of makes it), counted (what these
-- are: people, only where people were counted, or rows, classes, cells), tolerated (the most,
-- NULL where nothing is stated), verdict, upper (the value by the upper ends of probabilities, or NULL). An
-- attack that failed or cannot be made, or that has no such measure, leaves not known what is stated of it;
-- one that is moot has no verdict. limits: a map from an attack, a dot and the id of a measure to the most.
create or replace macro sqlanon._judged_attacks(measured, limits) as table
    with row_of_run as (from query_table(measured)),
    stated as (
        select split_part(entry.key, '.', 1) as attack, split_part(entry.key, '.', 2) as id,
               entry.value as most
        from (select unnest(map_entries(limits::map(text, double))) as entry)
    ),
    run_of_attack as (
        select run,
               any_value(columns(['attack', 'subject', 'status', 'reason', 'moot', 'supposing', 'sensitive',
                                  'sampled'])),
               any_value(releases) as releases, max(place) as places,
               max(value) filter (id in ('subjects', 'targets')) as subjects,
               any_value(unit) filter (id in ('subjects', 'targets')) as counted
        from row_of_run group by run
    ),
    unmeasured as (
        select run_of_attack.* exclude (places, subjects, counted), places + 1 as place, stated.id
        from run_of_attack join stated using (attack)
        where not exists (
            from row_of_run where row_of_run.run = run_of_attack.run and row_of_run.id = stated.id)
    ),
    told as (
        from row_of_run where id is not null or not exists (
            from unmeasured where unmeasured.run = row_of_run.run)
        union all by name
        from unmeasured
    ),
    judged as (
        select told.* replace (  -- of nobody who is attacked nothing is found
                   if(told.measure is null and status = 'done' and subjects = 0, 0, told.value) as value),
               most, subjects, counted, if(sampled, coalesce(upper_high, upper_value), upper_value) as upper,
               coalesce(told.reason, blind, case when id is null then null
                                            when measure is null and status = 'done'
                                                 and coalesce(subjects, 1) > 0
                                            then 'there is no such measure'
                                            when value is null and most is not null
                                                 and coalesce(subjects, 1) > 0 then 'it is one of nobody'
                                       end) as blind
        from told
        join (select run, subjects, counted from run_of_attack) using (run)
        left join sqlanon._half_blind(measured) as limited using (run)
        left join stated using (attack, id)
        left join (
            select run, id as upper_id, value as upper_value, high as upper_high from row_of_run
        ) as above
          on above.run = told.run and above.upper_id = sqlanon._upper_of_measure(told.id)
    )
    select attack, subject, status,
           nullif(concat_ws('; ',
               coalesce(blind, if(sampled, sqlanon._what_a_sample_leaves_open(value, high, unit, most), null),
                        sqlanon._what_errors_leave_open(id, value, upper, unit, most)),
               if(unit = '%' and value > coalesce(most, 0) + 1e-9, supposing, null)), '') as reason,
           releases, sensitive, sampled, id, measure, value, unit, low, high,
           case when unit = '%' and sqlanon._is_share_of_people(id)
                then round(value * subjects / 100)::bigint end as people,
           if(people is not null, counted, null) as counted, most as tolerated,
           case when supposing is not null and value > most + 1e-9 then 'not known'
                when not moot
                then sqlanon._verdict_on_bound(
                    value, greatest(if(sampled, coalesce(high, value), value), upper), most, blind)
           end as verdict, upper
    from judged
    order by run, place;

-- Does a bound on a measure, by its id, say how many people an attack may be certain of? A bound on another
-- one leaves certain people a danger of which nothing is stated.
create or replace macro sqlanon._bounds_certainty(id) as
    regexp_full_match(id, 'certain|learned|(sure|pvp)_[0-9_]+');

-- The attacks of which anything is tolerated, so that no verdict depends on what they find: attack.
-- tolerated: a map from attack.measure to the most.
create or replace macro sqlanon._attacks_that_decide_nothing(tolerated) as table
    select split_part(entry['key'], '.', 1) as attack
    from (select unnest(map_entries(tolerated::map(text, double))) as entry)
    group by attack
    having bool_and(entry['value'] >= 100 and sqlanon._is_share_of_people(split_part(entry['key'], '.', 2)))
       and bool_or(sqlanon._bounds_certainty(split_part(entry['key'], '.', 2)));

-- Attacks that are certain of somebody, and of which nothing is stated that would bound that: those rows of
-- _judged_attacks. What forecasts and attacks with knowledge of others suppose counts, too.
create or replace macro sqlanon._unstated_danger(judged) as table
    from query_table(judged) as found
    where status = 'done' and id in ('certain', 'pvp_100') and value > 0
      and not exists (
          from query_table(judged) as stated
          where stated.attack = found.attack and stated.tolerated is not null
            and sqlanon._bounds_certainty(stated.id));

-- What attacks find that suppose more, and not without: attack, id, sensitive, releases, value, unit. Such a
-- measure does not hold, and is worse than any of the same attack on this column without. supposed, judged:
-- rows of _judged_attacks.
create or replace macro sqlanon._found_by_supposing(supposed, judged) as table
    with danger as (from sqlanon._unstated_danger(supposed)),
    found as (
        select attack, id, sensitive, releases, value, upper, unit
        from query_table(supposed) where verdict in ('fails', 'not known') and value is not null
        union
        select attack, id, sensitive, releases, value, upper, unit from danger
    )
    select attack, id, sensitive, releases, value, unit
    from found
    where not exists (
        from query_table(judged) as without
        where without.attack = found.attack and without.id = found.id
          and without.sensitive is not distinct from found.sensitive
          and without.value >= found.value - 1e-9
          and coalesce(without.upper, without.value) >= coalesce(found.upper, found.value) - 1e-9)
    order by value desc, attack, id, sensitive;

-- The worst of verdicts: fails before not known before holds. verdicts: a list. NULL without any.
create or replace macro sqlanon._worst_verdict(verdicts) as
    case when list_contains(verdicts, 'fails') then 'fails'
         when list_contains(verdicts, 'not known') then 'not known'
         when list_contains(verdicts, 'holds') then 'holds' end;

-- Measures, a row per run, with those that most attacks have. Those of the intersection attack have names of
-- their own; somebody is certain there who has one candidate. verdict: the worst. judged: rows of
-- _judged_attacks.
create or replace macro sqlanon._attack_overview(judged) as table
    with named as (
        select *, case id when 'targets' then 'subjects' when 'pvp_100' then 'certain'
                          when 'marginal_guess_expected' then 'baseline'
                          when 'weighted_guess_expected' then 'expected_right'
                          when 'weighted_guess_right' then 'right' else id end as common
        from query_table(judged)
    )
    select attack, releases, sensitive, status, max(value) filter (common = 'subjects')::bigint as subjects,
           max(value) filter (common = 'certain') as certain,
           max(value) filter (common = 'sure_90') as sure_90,
           max(value) filter (common = 'expected_right') as expected_right,
           max(value) filter (common = 'right') as "right",
           max(value) filter (common = 'baseline') as baseline,
           sqlanon._worst_verdict(list(verdict)) as verdict, string_agg(distinct reason, '; ') as reason
    from named
    group by attack, releases, sensitive, status
    order by attack, releases, sensitive nulls first;

-- WHAT A JUDGE SAYS

-- What an attack was made on, in one text.
create or replace macro sqlanon._about_what(releases, sensitive) as
    releases::text || coalesce(' ' || sensitive, '');

-- Exact cover supposes that whoever may be in a release is in it. What it finds does not fail where others
-- may be there instead: it is not known. The runs of which this is to be asked: about (as in _about_what),
-- releases, sensitive. judged: rows of _judged_attacks.
create or replace macro sqlanon._supposing_who_is_there(judged) as table
    select distinct sqlanon._about_what(releases, sensitive) as about, releases, sensitive
    from query_table(judged)
    where attack = 'exact_cover' and verdict = 'fails';

-- Why it is accepted that something is not known: of this column, or of any (NULL: it is not).
create or replace macro sqlanon._why_accepted(acceptances, what, of_column) as
    coalesce(
        list_filter(map_entries(acceptances), lambda accepted:
            lower(accepted['key']) = lower(what || ':' || of_column))[1]['value'],
        acceptances[what]);

-- All that is said, a row each, the most telling first: attack (or evidence, columns), subject, status,
-- reason, releases, sensitive, sampled, id, measure, value, unit, low, high, people, counted, before (the
-- value without the new release), tolerated, verdict, accepted (why it is accepted that it is not known),
-- remedy (what would help). judged: rows of _judged_attacks; past: run-independent answers of those that were
-- looked at person by person (attack, id, sensitive, verdict, before, reason, remedy); doubts: what was not
-- known besides (attack, id, releases, people, verdict, reason, remedy, of_column: the column that it is
-- about, if it is one); acceptances: a map from attack.id, or attack.id:column, to the reason; unclear: a
-- map from a run of exact cover (_about_what) to why nobody can tell who is in its releases.
create or replace macro sqlanon._said_by_judge(judged, past, doubts, acceptances, unclear) as table
    with danger as materialized (from sqlanon._unstated_danger(judged)),
    supposed as (
        select *, case when attack = 'exact_cover'
                       then (unclear::map(text, text))[sqlanon._about_what(releases, sensitive)] end
                   as supposing,
               coalesce(reason = sqlanon._what_errors_leave_open(id, value, upper, unit, tolerated), false)
                   as leaves_open
        from query_table(judged)
    ),
    measured as (
        select judged.* exclude (verdict, reason, supposing, upper, leaves_open), past.before,
               case when danger.attack is not null then 'not known'
                    when past.verdict = 'holds' and judged.reason is not null and not leaves_open
                    then 'not known'
                    when supposing is not null and coalesce(past.verdict, judged.verdict) = 'fails'
                    then 'not known'
                    else coalesce(past.verdict, judged.verdict) end as verdict,
               case when danger.attack is not null
                    then 'somebody is certain, and nothing is stated that would tolerate it'
                    else nullif(concat_ws('; ', past.reason,
                        if(past.verdict is not null and leaves_open, null, judged.reason),
                        if(coalesce(past.verdict, judged.verdict) = 'fails', supposing, null)), '')
               end as reason,
               case when danger.attack is not null
                    then 'state how many may be: [tolerated.' || judged.attack || '] ' || judged.id
                    else past.remedy end as remedy,
               danger.attack is not null as is_danger
        from supposed as judged
        left join query_table(past) as past
          on past.attack = judged.attack and past.id = judged.id and past.releases = judged.releases
         and past.sensitive is not distinct from judged.sensitive
        left join danger
          on danger.attack = judged.attack and danger.id = judged.id and danger.releases = judged.releases
         and danger.sensitive is not distinct from judged.sensitive
        union all by name
        select attack, if(attack = 'columns', 'column', 'evidence') as subject, 'done' as status, releases,
               false as sampled, id, people, verdict, reason, remedy, of_column, false as is_danger
        from query_table(doubts)
    ),
    accepted as (
        select *, case when verdict = 'not known'
                       then sqlanon._why_accepted(
                           acceptances::map(text, text), attack || '.' || id,
                           coalesce(sensitive, of_column)) end as accepted
        from measured
    )
    select attack, subject, status, reason, releases, sensitive, sampled, id, measure, value, unit, low, high,
           people, counted, before, tolerated, verdict, accepted, remedy
    from accepted
    order by case when accepted is not null then 3 when is_danger and verdict is not null then 0
                  when verdict = 'fails' then 1 when verdict = 'not known' then 2
                  when verdict = 'holds' then 4 else 5 end,
             attack, len(releases) desc, releases, sensitive, id;

-- The verdict on everything: the worst of those that nobody has accepted, and not known where nothing was
-- stated at all. said: rows of the above; otherwise: the verdict where nothing has one.
create or replace macro sqlanon._verdict_on_all(said, otherwise := 'not known') as table
    select coalesce(sqlanon._worst_verdict(list(verdict) filter (accepted is null)), otherwise) as verdict
    from query_table(said);

-- Doubts and answers of people one by one, without a row.
create or replace macro sqlanon._no_doubts() as table
    select null::text as attack, null::text as id, null::text[] as releases, null::bigint as people,
           null::text as verdict, null::text as reason, null::text as remedy, null::text as of_column
    where false;
create or replace macro sqlanon._no_past() as table
    select null::text as attack, null::text as id, null::text[] as releases, null::text as sensitive,
           null::text as verdict, null::double as before, null::text as reason, null::text as remedy
    where false;

-- How many cells a table has, are hidden or changed, break a rule, break one as they are, and of how many
-- that break one too much is known, or it is not known whether: every, hidden, breaking, unsafe_shown,
-- known_unsafe, unfinished. states: rows of cell_states.
create or replace macro sqlanon._cells_counted(states) as table
    select count(*) as every, count(*) filter (state <> 'shown' and state <> 'unsafe') as hidden,
           count(*) filter (len(rules) > 0) as breaking,
           count(*) filter (state = 'unsafe') as unsafe_shown,
           count(*) filter (state = 'known' and len(rules) > 0) as known_unsafe,
           count(*) filter (state = 'unfinished' and len(rules) > 0) as unfinished
    from query_table(states);

-- What is judged of a table of counts or sums, in the columns of _judged_attacks. states: rows of
-- cell_states. No cell that breaks a rule may be published as it is, or be known although it is hidden; of
-- one whose bounds are unfinished it is not known. further: cells that went further than their bounds
-- suppose.
create or replace macro sqlanon._judged_cells(states, table_name, further) as table
    with measured as (
        select unnest([
            struct_pack(id := 'cells', measure := 'cells of the table', value := every, most := null,
                        verdict := null, reason := null),
            struct_pack(id := 'unsafe', measure := 'break a rule by themselves', value := breaking,
                        most := null, verdict := null, reason := null),
            struct_pack(id := 'hidden', measure := 'are hidden or changed', value := hidden, most := null,
                        verdict := null, reason := null),
            struct_pack(id := 'unsafe_shown', measure := 'break a rule, and are published as they are',
                        value := unsafe_shown, most := 0, verdict := if(unsafe_shown > 0, 'fails', 'holds'),
                        reason := if(unsafe_shown > 0, 'they break a rule, and are as they are', null)),
            struct_pack(id := 'known', measure := 'break a rule, and are known too closely',
                        value := known_unsafe, most := 0, verdict := if(known_unsafe > 0, 'fails', 'holds'),
                        reason := if(known_unsafe > 0, 'totals, or how they were changed, tell too much of '
                                                       || 'cells that break a rule', null)),
            struct_pack(id := 'unfinished', measure := 'break a rule, and may be known too closely',
                        value := unfinished + further, most := 0,
                        verdict := if(unfinished + further > 0, 'not known', 'holds'),
                        reason := case when further > 0 then 'cells were rounded further than to a '
                                                             || 'neighbouring multiple'
                                       when unfinished > 0 then 'there was no time to find out how closely '
                                                                || 'they are known' end)]) as told
        from sqlanon._cells_counted(states)
    )
    select 'cell_bounds' as attack, 'cells' as subject, 'done' as status, told.reason,
           [table_name] as releases, null::text as sensitive, false as sampled, told.id, told.measure,
           told.value::double as value, 'cells' as unit, null::double as low, null::double as high,
           null::bigint as people, null::text as counted, told.most::double as tolerated, told.verdict,
           null::double as upper
    from measured;

-- The columns of _judged_attacks, without a row.
create or replace macro sqlanon._no_cells_judged() as table
    select null::text as attack, null::text as subject, null::text as status, null::text as reason,
           null::text[] as releases, null::text as sensitive, false as sampled, null::text as id,
           null::text as measure, null::double as value, null::text as unit, null::double as low,
           null::double as high, null::bigint as people, null::text as counted, null::double as tolerated,
           null::text as verdict, null::double as upper
    where false;
