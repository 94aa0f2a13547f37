-- Covers and fates. Targets are reduced to their distinct covers (the classes of one release that cover them,
-- mostly one), then to distinct fates (their covers in all releases).

-- The classes that cover each target: release, target, knowledge, in_part, classes (sorted; empty where no
-- class does, NULL where the target is not in the release). located_targets: release, class_id, target (NULL:
-- of nobody). combinations: target, knowledge, in_part (as in _informed_combinations), present.
create or replace macro sqlanon._covers_of_targets(located_targets, combinations, releases) as table
    with found as (
        select release, target, list_sort(list(class_id)) as classes
        from query_table(located_targets) where target is not null group by release, target
    ),
    wanted as (
        select release, target, knowledge, in_part, coalesce(present[release], true) as present
        from range(1, len(sqlanon._list(releases)) + 1) as numbers(release), query_table(combinations)
    )
    select release, target, knowledge, in_part, case when present then coalesce(classes, []) end as classes
    from wanted left join found using (release, target);

-- The covers of each target, one per release: target, knowledge, covers. covers: cover, release, knowledge,
-- in_part, classes.
create or replace macro sqlanon._combined_covers(covers_of_targets, covers) as table
    select target, covered.knowledge, list(cover order by cover.release) as covers
    from query_table(covers_of_targets) as covered
    join query_table(covers) as cover
      on cover.release = covered.release and cover.knowledge = covered.knowledge
     and cover.in_part is not distinct from covered.in_part
     and cover.classes is not distinct from covered.classes
    group by target, covered.knowledge;

-- Targets with the same covers in all releases share their fate, if the same is known of them: fate (a
-- number), covers, people (0: of targets whom combinations lack).
create or replace macro sqlanon._fates(combined_covers, combinations) as table
    select row_number() over () as fate, covers, people
    from (
        select covers, coalesce(sum(people), 0)::bigint as people
        from query_table(combined_covers) left join query_table(combinations) using (target, knowledge)
        group by covers
    );
