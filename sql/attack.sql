-- The intersection attack (Ganta, Kasiviswanathan and Smith 2008, sec. 2.1, Algorithm 1): somebody who is in several releases is
-- located in each of them; the sensitive value is one that all these classes have.
--
-- In a release of centroids somebody is located at the nearest, in any other in all classes that cover them.
--
-- Targets are reduced first: to distinct quasi-identifiers, then to distinct covers (the classes that cover a target in one release,
-- mostly one), then to distinct combinations of covers. Sets are intersected once per such combination; people come last.

-- Relations over several releases, one after the other: the text template once per release, {s} its name, {i} its number.
create or replace macro sqlanon._per_release(releases, template) as table
    from query(case when len(sqlanon._list(releases)) = 0 then error('releases names no release')
                    else sqlanon._each(releases, template, ' union all ') end);

-- How often a class of a release has a sensitive value: class_id (as in _release_classes), value (text), n.
create or replace macro sqlanon._class_values(release, release_classes, qi, sensitive) as table
    from query(
        'select class_id, value, n from ('
        || sqlanon._select(qi, sensitive, null) || sqlanon._each(qi, 'src.{c} as q{i}', ', ')
        || sqlanon._each(sensitive, ', src.{c}::varchar as value', '') || ', count(*) as n'
        || ' from ' || sqlanon._projected(release, qi, sensitive, null) || ' as src group by all) as cell join ' || release_classes || ' as class'
        || ' on row(' || sqlanon._each(qi, 'cell.q{i}', ', ') || ') is not distinct from row(' || sqlanon._each(qi, 'class.q{i}', ', ') || ')');

-- One release: every class with its histogram, and which targets it covers. target is NULL in rows of the histogram, value in the others.
create or replace macro sqlanon._evidence(release, target_combinations, hierarchy, qi, sensitive, by_distance) as table
    with _sqlanon_release_class as materialized (from sqlanon._release_classes(release, qi))
    select class_id, null::integer as target, value, n from sqlanon._class_values(release, '_sqlanon_release_class', qi, sensitive)
    union all
    select class_id, target, null as value, null as n
    from sqlanon._locate_either('_sqlanon_release_class', target_combinations, hierarchy, qi, by_distance);

-- Which releases are of centroids: a list of booleans, one per release. Given may be one for all.
create or replace macro sqlanon._by_distance(given, releases) as
    case when typeof(given) not like '%]' then list_transform(sqlanon._list(releases), lambda release: coalesce(given::varchar::boolean, false))
         when len(try_cast(given::varchar as varchar[])) = len(sqlanon._list(releases))
         then list_transform(try_cast(given::varchar as varchar[]), lambda one: coalesce(one::boolean, false))
         else error('nearest must be true or false, or a list with one of these per release: there are ' || len(sqlanon._list(releases))
                    || ' releases, and ' || len(try_cast(given::varchar as varchar[])) || ' in nearest')
    end;

-- The same of all releases: release (its number), class_id, target, value, n.
create or replace macro sqlanon._all_evidence(releases, target_combinations, hierarchy, qi, sensitive, by_distance) as table
    from sqlanon._per_release(
        releases,
        'select {i} as release, * from sqlanon._evidence({s}, ' || sqlanon._literal(target_combinations) || ', ' || sqlanon._literal(hierarchy)
        || ', ' || sqlanon._names(qi) || ', ' || sqlanon._names(sensitive) || ', ' || by_distance::varchar || '[{i}])');

-- The attack on distinct targets: target, prior, posterior, candidates (values), located (a list with, per release: classes, size (their
-- rows), anonymity (distinct values), guesses (the most frequent values), guess_share (their share)).
create or replace macro sqlanon._attack(all_evidence, target_combinations, releases) as table
    with domain as materialized (
        select value, row_number() over (order by value nulls first) as code from (select distinct value from query_table(all_evidence) where target is null)
    ),
    histogram as (
        select release, class_id, code, n
        from query_table(all_evidence) as e join domain on domain.value is not distinct from e.value where target is null
    ),

    -- A cover is a distinct set of classes of a release. Where no class covers a target, it is empty.
    found as (
        select release, target, list_sort(list(class_id)) as classes from query_table(all_evidence) where target is not null group by release, target
    ),
    wanted as (
        select release, target from range(1, len(sqlanon._list(releases)) + 1) as r(release), query_table(target_combinations)
    ),
    covered as materialized (
        select release, target, coalesce(classes, []) as classes from wanted left join found using (release, target)
    ),
    cover as materialized (
        select row_number() over ()::integer as cover, * from (select distinct release, classes from covered)
    ),
    cover_value as (
        select cover, code, sum(n) as n
        from (select cover, release, unnest(classes) as class_id from cover) join histogram using (release, class_id)
        group by cover, code
    ),
    largest as (select cover, max(n) as largest from cover_value group by cover),
    known as materialized (
        select cover, any_value(release) as release, coalesce(list(code) filter (where n is not null), []) as codes,
               {'classes': any_value(classes), 'size': coalesce(sum(n), 0)::bigint, 'anonymity': count(n),
                'guesses': coalesce(list(value order by code) filter (where n = largest), []),
                'guess_share': coalesce(max(n) / sum(n), 0)} as evidence
        from cover left join cover_value using (cover) left join largest using (cover) left join domain using (code)
        group by cover
    ),

    -- Targets with the same covers in all releases share their fate.
    combined as materialized (
        select target, list(cover order by release) as covers
        from covered join cover using (release, classes) group by target
    ),
    fate as materialized (
        select row_number() over () as fate, covers, list_reduce(codes, lambda a, b: list_intersect(a, b)) as codes, located
        from (
            select covers, list(codes) as codes, list(evidence order by release) as located
            from (select covers, unnest(covers) as cover from (select distinct covers from combined)) join known using (cover)
            group by covers
        )
    ),
    candidate as (
        select fate, list(value order by code) as candidates
        from (select fate, unnest(codes) as code from fate) join domain using (code) group by fate
    )
    select target, list_min(list_transform(located, lambda one: one.anonymity)) as prior,
           len(codes) as posterior, coalesce(candidates, []) as candidates, located
    from combined join fate using (covers) left join candidate using (fate);

-- No rows, or an error where a release has none.
create or replace macro sqlanon._refuse_empty_releases(all_evidence, releases) as table
    select error('table ' || name || ' is empty: it has 0 rows') as refused
    from (select unnest(sqlanon._list(releases)) as name, unnest(range(1, len(sqlanon._list(releases)) + 1)) as release)
    where release not in (select release from query_table(all_evidence));

-- The attack on people: who, actual (their sensitive value, if known), prior, posterior, drop (of effective anonymity, Def. 8), confidence
-- (Def. 9), candidates, hit (is the actual value among them), located.
create or replace macro sqlanon._attacked(releases, targets, id, truth, qi, sensitive, hierarchies, nearest) as table
    with _sqlanon_hierarchy as materialized (from sqlanon._hierarchies(hierarchies)),
    _sqlanon_combination as materialized (from sqlanon._target_combinations(targets, qi)),
    _sqlanon_person as materialized (from sqlanon._people(targets, id, truth, qi, '_sqlanon_combination')),
    _sqlanon_evidence as materialized (
        from sqlanon._all_evidence(releases, '_sqlanon_combination', '_sqlanon_hierarchy', qi, sensitive, sqlanon._by_distance(nearest, releases))
    ),
    _sqlanon_outcome as materialized (from sqlanon._attack('_sqlanon_evidence', '_sqlanon_combination', releases)),
    _sqlanon_refusal as (
        from sqlanon._refuse_people('_sqlanon_person', targets, id)
        union all from sqlanon._refuse_hierarchies('_sqlanon_hierarchy', qi, null)
        union all from sqlanon._refuse_empty_releases('_sqlanon_evidence', releases)
    )
    select who, actual, prior, posterior, prior - posterior as drop, 1 / nullif(posterior, 0) as confidence, candidates,
           len(list_filter(candidates, lambda candidate: candidate is not distinct from actual)) > 0 as hit, located
    from _sqlanon_person join _sqlanon_outcome using (target)
    union all by name select refused::bigint as prior from _sqlanon_refusal;

create or replace macro sqlanon.intersection_attack(releases, targets, id, qi, sensitive, hierarchies := null, truth := null, nearest := false) as table
    with _sqlanon_attacked as (from sqlanon._attacked(releases, targets, id, truth, qi, sensitive, hierarchies, nearest))
    from query(
        'select who as ' || sqlanon._quote(id) || ', prior, posterior, drop, confidence, candidates, located'
        || case when truth is null then ''
                else ', actual as truth, hit as truth_is_candidate, case when posterior = 1 then hit end as singleton_is_right' end
        || ' from _sqlanon_attacked');

comment on macro table sqlanon.intersection_attack is
    'What several releases together tell about each target: one row per target, with the id column, prior (effective anonymity in the best single release: distinct sensitive values of its class), posterior (values that all its classes share), drop, confidence (1 / posterior), candidates (these values, as text) and located (a list with, per release: classes, size, anonymity, guesses, guess_share). releases: a list of tables that have the columns in qi and sensitive. Targets are located as in locate, with the same hierarchies. nearest: true if all releases are of centroids, or a list that says it of each, e.g. [false, true]. truth: the column of targets with the true value, adds truth, truth_is_candidate and singleton_is_right. A posterior of 0 is a contradiction: the target is not in all releases, or was not located rightly. Errors: unknown column, no targets, a target twice, an empty release, a hierarchy that is not a tree. Source: Ganta, Kasiviswanathan and Smith 2008, Algorithm 1, Def. 8 and 9.';

-- The attack over all targets (attacked: as above), one row per measure: measure, value, unit.
create or replace macro sqlanon._breaches(attacked, levels, truth_known) as table
    with average as (
        select count(*) as people, avg(prior) as prior, avg(posterior) as posterior, avg(drop) as drop,
               avg((drop > 0)::integer) as vulnerable, avg((posterior = 0)::integer) as contradictory,
               avg((list_min(list_transform(located, lambda one: one.size)) > 0)::integer) as everywhere,
               avg(list_avg(list_transform(located, lambda one: one.size))) as size,
               avg(hit::integer) as hit, avg(hit::integer) filter (where posterior = 1) as single_hit
        from query_table(attacked)
    ),
    confident as (
        select level, 100 * avg(coalesce(100 * confidence >= level, false)::integer) as pvp
        from query_table(attacked), (select unnest(levels) as level) group by level
    ),
    -- The baseline: who has one release only guesses the most frequent value of the target's class there.
    single as (select actual, unnest(range(len(located))) as number, unnest(located, max_depth := 2) from query_table(attacked)),
    guess as (
        select number, avg(guess_share) as expected,
               avg(case when len(list_filter(guesses, lambda value: value is not distinct from actual)) > 0
                        then 1 / len(guesses) else 0 end) as correct
        from single group by number
    )
    select 'targets' as measure, people::double as value, 'people' as unit from average
    union all select 'located in all releases', 100 * everywhere, '%' from average
    union all select 'average class size', size, 'rows' from average
    union all select 'average prior anonymity', prior, 'values' from average
    union all select 'average posterior anonymity', posterior, 'values' from average
    union all select 'average drop', drop, 'values' from average
    union all select 'vulnerable population', 100 * vulnerable, '%' from average
    union all select * from (select 'PVP_' || level, pvp, '%' from confident order by level desc)
    union all select 'contradictions', 100 * contradictory, '%' from average
    union all select 'true value among the candidates', 100 * hit, '%' from average where truth_known
    union all select 'single candidates that are right', 100 * single_hit, '%' from average where truth_known
    union all select 'guess from one release, expected right', 100 * max(expected), '%' from guess
    union all select 'guess from one release, right', 100 * max(correct), '%' from guess having truth_known;

create or replace macro sqlanon.breaches(releases, targets, id, qi, sensitive, hierarchies := null, truth := null, levels := [100, 50, 25, 10], nearest := false) as table
    with _sqlanon_attacked as materialized (from sqlanon._attacked(releases, targets, id, truth, qi, sensitive, hierarchies, nearest))
    from sqlanon._breaches('_sqlanon_attacked', levels, truth is not null);

comment on macro table sqlanon.breaches is
    'The intersection attack over all targets: one row per measure, with measure, value and unit. Targets; share located in all releases; average size of their classes; average prior and posterior anonymity and drop; vulnerable population (drop > 0); PVP per confidence level (levels, in percent): the share of targets whose value is known with at least that confidence; contradictions; and the baseline: how often guessing the most frequent value of the class in one release (the best one) is right. With truth: how often the true value is among the candidates, and a single candidate is the true one. Parameters as in intersection_attack. Source: Ganta, Kasiviswanathan and Smith 2008, sec. 2.1.';
