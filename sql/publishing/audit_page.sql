-- What the auditor's page shows: the verdicts of a register that were made at one time.

-- How the releases add up, a row per sensitive column and release, in the order of their entry, with those
-- before: sensitive, number, release, together, alone (by the release that tells most), without (any release)
-- (the people, in percent, of whom an adversary is at least 90 % sure), certain (of whom one value is left),
-- right (guesses expected to be), candidates (on average), located (the people, in percent), targets (how
-- many).
create or replace macro sqlanon._growth(verdicts, judged) as table
    select sensitive, len(releases) as number, releases[-1] as release,
           max(value) filter (id = 'sure_90') as together,
           max(value) filter (id = 'sure_90_release') as alone,
           max(value) filter (id = 'sure_90_marginal') as without,
           max(value) filter (id = 'pvp_100') as certain,
           max(value) filter (id = 'weighted_guess_expected') as "right",
           max(value) filter (id = 'average_posterior') as candidates,
           max(value) filter (id = 'located_in_all') as located,
           max(value) filter (id = 'targets')::bigint as targets
    from query_table(verdicts)
    where attack = 'intersection_attack' and status = 'done' and judged_at = judged::timestamp
    group by sensitive, releases
    order by sensitive, number;

-- What was stated, the worst first: attack, id, measure, releases, sensitive, value, unit, high (where not
-- all targets were attacked), tolerated, verdict, reason, accepted (why), accepted_by, accepted_at and
-- accepted_until (the last time; NULL if only the policy or this audit accepts it), people, before, remedy.
create or replace macro sqlanon._stated_verdicts(verdicts, acceptances, judged) as table
    with acceptance as (
        select attack, id, sensitive, reason, max(accepted_at) as accepted_at,
               max_by({'name': accepted_by, 'until': accepted_until}, accepted_at) as by_whom
        from query_table(acceptances) group by all
    )
    select verdict.attack, verdict.id, measure, releases, verdict.sensitive, value, unit,
           if(sampled, high, null) as high, tolerated, verdict, verdict.reason, accepted,
           by_whom.name as accepted_by, accepted_at, by_whom."until" as accepted_until, people, before, remedy
    from query_table(verdicts) as verdict
    left join acceptance
      on acceptance.attack = verdict.attack and acceptance.id = verdict.id
     and acceptance.sensitive is not distinct from verdict.sensitive
     and acceptance.reason = verdict.accepted  -- of another reason somebody else may be the author
    where verdict is not null and judged_at = judged::timestamp
    order by case when accepted is not null then 2 when verdict = 'fails' then 0
                  when verdict = 'not known' then 1 else 3 end,
             verdict.attack, verdict.id, len(releases) desc, releases, verdict.sensitive;

-- Who has accepted something, and when; NULL if nobody knows.
create or replace macro sqlanon._by_whom(who, accepted_on, last_day) as
    ' by ' || who || ' on ' || strftime(accepted_on, '%Y-%m-%d') || coalesce(' until ' || last_day, '');

-- What was accepted, of all releases once: sentence.
create or replace macro sqlanon._accepted_in_words(stated) as table
    select attack || '.' || id || coalesce(' of ' || sensitive, '')
           || coalesce(' ('
                       || nullif(array_to_string(list_sort(list_distinct(flatten(list(releases)))), ', '), '')
                       || ')', '')
           || ' is accepted' || coalesce(sqlanon._by_whom(accepted_by, accepted_at, accepted_until), '')
           || ': ' || accepted as sentence
    from query_table(stated) where accepted is not null
    group by attack, id, sensitive, accepted, accepted_by, accepted_at, accepted_until
    order by sentence;

-- How much of it holds: sentence. What holds above its bound is accepted: these people were so before.
create or replace macro sqlanon._stated_in_words(stated) as table
    with counted as (
        select count(*) as n, count(*) filter (verdict = 'holds' and not is_accepted) as held,
               count(*) filter (is_accepted) as accepted,
               string_agg(distinct sqlanon._by_whom(accepted_by, accepted_at, accepted_until), ', ') as whom,
               count(*) filter (is_accepted and value > tolerated) as above,
               count(*) filter (verdict = 'fails' and not is_accepted) as failing,
               count(*) filter (verdict = 'not known' and not is_accepted) as unknown
        from (
            select *, accepted is not null or coalesce(verdict = 'holds' and value > tolerated, false)
                          as is_accepted
            from query_table(stated)
        )
    )
    select if(held = n, format('All {:,} that were stated hold', n), format('{:,} of {:,} hold', held, n))
           || if(failing > 0, format('; {:,} {}', failing, if(failing = 1, 'fails', 'fail')), '')
           || if(unknown > 0, format('; {:,} {} not known', unknown, if(unknown = 1, 'is', 'are')), '')
           || if(accepted > 0, format('; {:,} {} accepted', accepted, if(accepted = 1, 'was', 'were'))
                                 || coalesce(whom, ''), '')
           || if(above > 0,
                 format(', and {:,} of these {} above the bound', above, if(above = 1, 'is', 'are')), '')
           || '. Of what was not stated, nothing is said.' as sentence
    from counted;

-- What was measured of attacks of which nothing was stated, and of the intersection attack beside what was:
-- attack, sensitive, id (certain, pvp_100 or sure_90), runs; of the run that finds most value, unit, people
-- and releases; reason (why too little was found, in one of them).
create or replace macro sqlanon._unstated_measures(verdicts, judged) as table
    with verdict as (from query_table(verdicts) where judged_at = judged::timestamp),
    stated as (from verdict where verdict is not null)
    select attack, sensitive, id, count(distinct releases) as runs, max(value) as value,
           any_value(unit) as unit, max_by(people, value) as people,
           coalesce(max_by(releases, value), min(releases)) as releases, max(reason) as reason
    from verdict anti join stated using (attack, id, sensitive)
    where status = 'done' and id in ('certain', 'pvp_100', 'sure_90')
      and (attack = 'intersection_attack' or attack not in (select attack from stated))
    group by attack, sensitive, id
    order by attack, sensitive, id;

-- What was not found out: attack, status (does not apply, failed), runs, reason and releases (of one of
-- them).
create or replace macro sqlanon._not_attacked(verdicts, judged) as table
    select attack, status, count(*) as runs, min({'releases': releases, 'reason': reason}).reason as reason,
           min(releases) as releases
    from (
        select distinct attack, status, reason, releases, sensitive
        from query_table(verdicts) where status <> 'done' and judged_at = judged::timestamp
    )
    group by attack, status
    order by status desc, attack;

-- The people in each release: release (its number), located (people whom classes of it cover, or who have a
-- nearest center), classes (of these, of a person on average). located_targets, target_combinations: of
-- _located_in_all. A row of the people is a person, or with a unit who it says: targets, id, qi as there.
create or replace macro sqlanon._located_counts(
    located_targets, target_combinations, targets, id, qi, unit) as table
    from query(if(unit is null, {call _located_rows_counted}, {call _located_people_counted}));
create or replace macro sqlanon._located_people_counted(
    located_targets, target_combinations, targets, id, qi, unit) as table
    with people as materialized (
        from sqlanon._people(targets, id, null, qi, null, target_combinations, unit)
    ),
    place as materialized (
        select distinct release, person, class_id
        from query_table(located_targets) join people using (target) where target is not null
    )
    select release, count(distinct person) + (count(*) > count(person))::bigint as located,
           count(*) / (count(distinct person) + (count(*) > count(person))::bigint) as classes
    from place group by release;
create or replace macro sqlanon._located_rows_counted(located_targets, target_combinations) as table
    with found as (
        select release, target, count(*) as classes
        from query_table(located_targets) where target is not null group by release, target
    )
    select release, sum(people)::bigint as located, sum(people * classes) / sum(people) as classes
    from found join query_table(target_combinations) using (target)
    group by release;
