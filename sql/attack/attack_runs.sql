-- Which attacks can be made with what is at hand, and whether what they find is tolerated.
--
-- What an attack needs is what its macro has no default for. What somebody has said of the releases (how many
-- people a row stands for, how labels are written) and an attack does not take, it would get wrong without a
-- word: it does not apply then.

-- The attacks by what they take: attack, takes (parameters), single (those of them that name one column),
-- attacked (the parameter that has the releases: the first table that is needed besides the targets), needs
-- (but for that), releases_together (it is a list).
create or replace macro sqlanon._attack_roles() as table
    with role as (
        select attack, list(parameter order by place) as takes,
               coalesce(list(parameter) filter (type = 'column'), []) as single,
               list(parameter order by place) filter (fallback is null) as needed,
               arg_min({'name': parameter, 'type': type}, place)
                   filter (fallback is null and type in ('table', 'list of tables')
                           and parameter <> 'targets') as released
        from sqlanon._attack_parameters() group by attack
    )
    select attack, takes, single, released['name'] as attacked,
           list_filter(needed, lambda parameter: parameter <> released['name']) as needs,
           released['type'] = 'list of tables' as releases_together
    from role;

-- The releases that runs of an attack are on, by number: taken (how many a run takes, NULL for all together).
create or replace macro sqlanon._release_groups(number_of_releases) as table
    with numbered as (select unnest(range(1, number_of_releases + 1))::integer as number)
    select 1 as taken, [number] as numbers from numbered
    union all
    select 2, [earlier.number, later.number]
    from numbered as earlier join numbered as later on earlier.number < later.number
    union all
    select null, list(number order by number) from numbered;

-- What an attack needs and is not given: texts. Given is a parameter by its name, or for one attack alone by
-- the attack's, a dot and its own.
create or replace macro sqlanon._lacking(attack, needs, given) as
    list_filter(needs, lambda parameter:
        not list_has_any(given, [parameter, attack || '.' || parameter]));

-- What is said of releases or people that an attack does not take, though it reads them: texts. Labels are
-- read by those that know hierarchies, or look people up. Of one release, presence says who is attacked.
-- Rows with counts are no people: weight and count_column say so, and each attack reads one of them at most.
create or replace macro sqlanon._not_taken(takes, numbers, given, centroids, formatted) as
    list_filter([
            'weight', 'count_column', 'unit', 'presence', 'hierarchies', 'formats', 'nearest', 'unknown'],
        lambda said: not list_contains(takes, said)
        and case said when 'formats' then list_has_any(numbers, formatted)
                      when 'nearest' then list_has_any(numbers, centroids)
                      else list_contains(given, said) end
        and case said when 'weight' then true
                      when 'count_column' then true
                      when 'unit' then list_contains(takes, 'targets')
                      when 'presence' then list_contains(takes, 'targets') and len(numbers) > 1
                      when 'unknown' then list_has_all(takes, ['targets', 'qi'])
                      else list_contains(takes, 'hierarchies') or list_has_all(takes, ['targets', 'qi']) end);

-- Every attack, a row per run of it: attack, subject, weight, releases, targets and summary as in attacks,
-- refusal, attacked, releases_together, takes, single and needs as in _attack_roles, numbers (of the
-- releases), sensitive (the column to be learned, NULL: none), reason (why it does not apply, NULL: it
-- does). Several sensitive columns are a run each. Where an attack can do without one, that is another
-- question (whose row is it?), and another run. centroids, formatted: the releases, by number, that are of
-- centroids, and that have formats.
create or replace macro sqlanon._attack_runs(
    given_parameters, number_of_releases, sensitive_columns, centroids, formatted) as table
    with role as (
        select *, sqlanon._lacking(attack, needs, given_parameters::text[]) as lacking
        from sqlanon._attacks() join sqlanon._attack_roles() using (attack)
    ),
    run as (
        select role.*, numbers
        from role left join sqlanon._release_groups(number_of_releases) as grouped
          on grouped.taken is not distinct from role.releases and len(lacking) = 0
    ),
    learning as (
        select *, unnest(
            case when len(lacking) > 0 or not list_contains(takes, 'sensitive')
                      or list_contains(given_parameters::text[], attack || '.sensitive') then [null]
                 when list_contains(needs, 'sensitive') then sensitive_columns::text[]
                 else list_prepend(null, sensitive_columns::text[]) end) as sensitive
        from run
    ),
    refusing as (
        select *, sqlanon._not_taken(
                      takes, numbers, given_parameters::text[], centroids::integer[],
                      formatted::integer[]) as not_taken
        from learning
    )
    select attack, subject, weight, releases, targets, summary, refusal, attacked, releases_together, takes,
           single, needs, coalesce(numbers, []) as numbers, sensitive,
           case when len(lacking) > 0 then 'needs ' || array_to_string(lacking, ', ')
                when numbers is null then 'needs ' || releases || ' releases'
                when len(not_taken) > 0 then 'does not take ' || array_to_string(not_taken, ', ')
           end as reason
    from refusing
    order by attack, numbers, list_position(sensitive_columns::text[], sensitive) nulls first;

-- What runs have measured, without a row: what _judged_attacks reads. sampled: not all targets were attacked.
create or replace macro sqlanon._no_measures() as table
    select null::integer as run, null::text as attack, null::text as subject, null::text as status,
           null::text as reason, null::text[] as releases, null::text as sensitive, null::boolean as sampled,
           null::integer as place, null::text as id, null::text as measure, null::double as value,
           null::text as unit, null::double as low, null::double as high
    where false;

-- Runs of which less is found than there is: people who are not located, or of whom nothing is possible.
create or replace macro sqlanon._half_blind(measured) as table
    select run, 'not everybody is located, looked at or left with a value: too little is found' as blind
    from query_table(measured)
    group by run
    having bool_or(case when id = 'located_in_all' then value < 100
                        when id in ('unread_rows', 'contradictions', 'unfinished') then value > 0 end);

-- Why a measure of a sample does not hold, though its value does: the interval of all targets goes further.
-- That of a share never ends at 0, however many are drawn.
create or replace macro sqlanon._what_a_sample_leaves_open(value, high, unit, most) as
    case when value <= most + 1e-9 and high > most + 1e-9
         then 'of all targets it may be up to ' || round(high, 3) || ' ' || unit
              || ', by a sample (max_targets): '
              || if(most = 0, 'that it is 0, only all targets can show', 'more targets can show less') end;

-- The measures with what is tolerated of them: tolerated (the most, NULL where nothing is stated), holds. Of
-- what a sample says, the upper end of its interval has to hold. It does not hold of an attack that failed,
-- does not apply, has no such measure, or has found less than there is. limits: a map from an attack, a dot
-- and the id of a measure to the most.
create or replace macro sqlanon._judged_attacks(measured, limits) as table
    with row_of_run as (from query_table(measured)),
    stated as (
        select split_part(entry.key, '.', 1) as attack, split_part(entry.key, '.', 2) as id,
               entry.value as most
        from (select unnest(map_entries(limits::map(text, double))) as entry)
    ),
    run_of_attack as (
        select run, any_value(columns(['attack', 'subject', 'status', 'reason', 'sensitive', 'sampled'])),
               any_value(releases) as releases, max(place) as places
        from row_of_run group by run
    ),
    unmeasured as (
        select run_of_attack.* exclude (places), places + 1 as place, stated.id
        from run_of_attack join stated using (attack)
        where not exists (
            from row_of_run where row_of_run.run = run_of_attack.run and row_of_run.id = stated.id)
    ),
    told as (
        from row_of_run where id is not null or not exists (
            from unmeasured where unmeasured.run = row_of_run.run)
        union all by name
        from unmeasured
    )
    select attack, subject, status,
           coalesce(reason, blind, case when id is null then null
                                        when measure is null then 'there is no such measure'
                                        when value is null and most is not null then 'it is one of nobody'
                                        when sampled
                                        then sqlanon._what_a_sample_leaves_open(value, high, unit, most)
                                   end) as reason,
           releases, sensitive, sampled, id, measure, value, unit, low, high, most as tolerated,
           case when most is not null
                then coalesce(status = 'done' and reason is null and blind is null
                              and if(sampled, coalesce(high, value), value) <= most + 1e-9, false)
           end as holds
    from told
    left join sqlanon._half_blind(measured) as limited using (run)
    left join stated using (attack, id)
    order by run, place;

-- The same, a row per run, with the measures that most attacks have. Those of the intersection attack have
-- names of their own; somebody is certain there who has one candidate. holds: all that is stated. judged:
-- rows of _judged_attacks.
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
           bool_and(holds) as holds, string_agg(distinct reason, '; ') as reason
    from named
    group by attack, releases, sensitive, status
    order by attack, releases, sensitive nulls first;
