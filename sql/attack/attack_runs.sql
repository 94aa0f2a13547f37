-- Which attacks can be made with what the caller has given. Whether their findings are tolerated is a matter
-- of sql/judge.
--
-- An attack needs every parameter that has no default. And if the caller has said something about the
-- releases (how many people a row stands for, how labels are written) that the attack has no parameter for,
-- it does not apply: it would get that wrong without a word.

-- The attacks by what they take: attack, takes (parameters), single (those of them that name one column),
-- attacked (the parameter that has the releases: the first table that is needed besides the targets), needs
-- (but for that), releases_together (it is a list).
-- parameters: as in _attack_parameters.
create or replace macro sqlanon._roles_of_parameters(parameters) as table
    with role as (
        select attack, list(parameter order by place) as takes,
               coalesce(list(parameter) filter (type = 'column'), []) as single,
               list(parameter order by place) filter (fallback is null) as needed,
               arg_min({'name': parameter, 'type': type}, place)
                   filter (fallback is null and (type = 'table' or type like 'list of tables%')
                           and parameter <> 'targets') as released
        from query_table(parameters) group by attack
    )
    select attack, takes, single, released['name'] as attacked,
           list_filter(needed, lambda parameter: parameter <> released['name']) as needs,
           released['type'] like 'list of tables%' as releases_together
    from role;

create or replace macro sqlanon._attack_roles() as table
    with _sqlanon_parameter as (from sqlanon._attack_parameters())
    from sqlanon._roles_of_parameters('_sqlanon_parameter');

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
-- refusal, premise and home as in _attacks, attacked, releases_together, takes, single and needs as in
-- _attack_roles, numbers (of the releases), sensitive (the column to be learned, NULL: none), reason (why it
-- does not apply, NULL: it does). Several sensitive columns are a run each. Where an attack can do without
-- one, that is another question (whose row is it?), and another run. is_moot: there are fewer releases than
-- it takes. centroids, formatted: the releases, by number, that are of centroids, and that have formats.
create or replace macro sqlanon._attack_runs(
    given_parameters, number_of_releases, sensitive_columns, centroids, formatted) as table
    with {steps _attacks_and_lines},
    role as (
        select *, sqlanon._lacking(attack, needs, given_parameters::text[]) as lacking
        from _sqlanon_attack join sqlanon._roles_of_parameters('_sqlanon_parameter') using (attack)
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
    select attack, subject, weight, releases, targets, summary, refusal, premise, home, attacked,
           releases_together, takes, single, needs, coalesce(numbers, []) as numbers, sensitive,
           case when len(lacking) > 0 then 'needs ' || array_to_string(lacking, ', ')
                when numbers is null then 'needs ' || releases || ' releases'
                when len(not_taken) > 0 then 'does not take ' || array_to_string(not_taken, ', ')
           end as reason,
           coalesce(releases > number_of_releases, false) as is_moot
    from refusing
    order by attack, numbers, list_position(sensitive_columns::text[], sensitive) nulls first;
