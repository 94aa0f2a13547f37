-- Located in all: people are located in all releases once, and all attacks read the result.
--
-- What a label covers does not depend on the other rows of its release, so labels are read once as well, and
-- rows may be left out before anybody is located.

-- Where the targets are in each release: release, target, class_id, and a row without a target for each class
-- that has a label which nobody understands. by_distance: which releases are of centroids, one per release.
create or replace macro sqlanon._located_in_all(
    releases, targets, qi, hierarchies, by_distance, formats) as table
    with _sqlanon_hierarchy as materialized (from sqlanon._hierarchies(hierarchies)),
    _sqlanon_combination as materialized (from sqlanon._target_combinations(targets, qi, null)),
    _sqlanon_cell as materialized (from sqlanon._cells_of_releases(releases, qi, [], null, formats)),
    _sqlanon_class as materialized (from sqlanon._classes_of_cells('_sqlanon_cell', qi)),
    _sqlanon_covering_class as materialized (from _sqlanon_class where not by_distance[release]),
    _sqlanon_column as materialized (
        from sqlanon._released_columns('_sqlanon_covering_class', '_sqlanon_combination', qi)
    ),
    _sqlanon_domain as materialized (
        from sqlanon._domain_of_releases('_sqlanon_column', '_sqlanon_combination', qi)
    ),
    _sqlanon_label as materialized (
        select d, string as label from sqlanon._long_of_releases('_sqlanon_covering_class', qi, 'l{i}')
    ),
    _sqlanon_label_read as materialized (
        from sqlanon._covered_or_unread(
            '_sqlanon_label', '_sqlanon_domain', sqlanon._if_any(hierarchies, '_sqlanon_hierarchy'),
            '_sqlanon_column')
    ),
    _sqlanon_covered as materialized (from _sqlanon_label_read where why is null),
    _sqlanon_unread as materialized (from _sqlanon_label_read where why is not null),
    _sqlanon_nearest as materialized (
        from sqlanon._located_at_nearest(
            '_sqlanon_class', '_sqlanon_combination',
            sqlanon._if_any(hierarchies, '_sqlanon_hierarchy'), qi, by_distance)
    ),
    _sqlanon_located as materialized (
        from sqlanon._locate_covered(
            '_sqlanon_covering_class', '_sqlanon_combination', '_sqlanon_domain', '_sqlanon_covered',
            '_sqlanon_column', qi)
        union all
        from sqlanon._classes_with('_sqlanon_covering_class', '_sqlanon_unread', qi)
        union all
        from _sqlanon_nearest
    )
    from _sqlanon_located;

-- Where they are in the releases of centroids, if there are any: release, target, class_id.
create or replace macro sqlanon._located_at_nearest(
    release_classes, target_combinations, hierarchy, qi, by_distance) as table
    from query(coalesce(
        list_aggregate(
            sqlanon._calls_of_nearest(
                release_classes,
                [sqlanon._literal(target_combinations), sqlanon._optional(hierarchy), sqlanon._names(qi)],
                by_distance),
            'string_agg', ' union all '),
        'select null::integer as release, null::integer as target, null::bigint as class_id where false'));

-- The labels that nobody understands: release, attribute, label, why. label_read: of the chain above.
create or replace macro sqlanon._unread_in_all(label_read, qi) as table
    select (d - 1) // len(sqlanon._list(qi)) + 1 as release,
           sqlanon._list(qi)[(d - 1) % len(sqlanon._list(qi)) + 1] as attribute, label, why
    from query_table(label_read) where why is not null;

-- Words that stand on one side only, of releases that should have the same ones. Of a column: words that
-- labels name and nobody has today (gone), the labels that name them, and words of today that no label covers
-- but those that cover all (fresh). They are other people's, or the same people's in another spelling. The
-- first three relations are of the chain above; people_of_today: a table. release, attribute, gone, labels,
-- fresh, respelled (pairs before and today that differ by case, blanks or accents alone).
create or replace macro sqlanon._one_sided_words(
    released_labels, label_read, coded_domain, people_of_today, qi) as table
    with reading as materialized (from sqlanon._readings(released_labels)),
    today_value as materialized (
        from query(sqlanon._each_filled(
            qi, 'select distinct {i} as place, {c}::varchar as value from {people}',
            map {'people': people_of_today},
            ' union all '))
    ),
    stated as (
        select d, label, form, unnest(if(form = 'set', elements, [label])) as value
        from reading where form in ('set', 'value')
    ),
    gone as materialized (
        select distinct d, (d - 1) % len(qi) + 1 as place, label, value
        from stated
        left join (select distinct d, label, why is not null as is_unread from query_table(label_read))
            using (d, label)
        where regexp_matches(value, '\p{L}')
          and (form = 'set' or is_unread or (d, value) in (select (d, value) from query_table(coded_domain)))
          and (place, value) not in (select (place, value) from today_value where value is not null)
    ),
    -- where there were words there are numbers: sex is 1 and 2, and was f and m
    unread as (
        select d from query_table(label_read) where label <> '*' group by d having bool_and(why is not null)
    ),
    word as materialized (
        select d, code, value
        from query_table(coded_domain)
        where d in (select d from gone) and (regexp_matches(value, '\p{L}') or d in (from unread))
          and ((d - 1) % len(qi) + 1, value) in (select (place, value) from today_value)
    ),
    extent as (select d, max(code) as last from query_table(coded_domain) group by d),
    covered as (
        select distinct word.d, code
        from word
        join query_table(label_read) as cover using (d)
        join reading on reading.d = cover.d and reading.label = cover.label
        join extent on extent.d = word.d
        where cover.why is null and code between cover.lo and cover.hi
          and (members is null or list_contains(members, code))
          and (cover.lo > 0 or cover.hi < last or members is not null or form = 'set' or value = cover.label)
    ),
    fresh as materialized (select d, value from word anti join covered using (d, code)),
    pair as (
        select distinct d, gone.value as before, fresh.value as after
        from gone join fresh using (d)
        where sqlanon._spelled_alike(gone.value) = sqlanon._spelled_alike(fresh.value)
    )
    select (d - 1) // len(qi) + 1 as release, qi[(d - 1) % len(qi) + 1] as attribute, gone, labels, fresh,
           coalesce(respelled, []) as respelled
    from (
        select d, list(distinct value order by value) as gone, list(distinct label order by label) as labels
        from gone group by d
    )
    join (select d, list(value order by value) as fresh from fresh group by d) using (d)
    left join (
        select d, list({'before': before, 'today': after} order by before, after) as respelled
        from pair group by d
    ) using (d)
    order by d;

-- What was found in some of the releases, by their numbers, which are 1, 2, ... then.
create or replace macro sqlanon._located_in_some(located_targets, numbers) as table
    select list_position(numbers, release) as release, target, class_id
    from query_table(located_targets) where list_contains(numbers, release);

-- The people who are found at all: release (its number), person (their id, of the column id of targets).
create or replace macro sqlanon._located_people(
    located_targets, target_combinations, targets, id, qi) as table
    with people as materialized (from sqlanon._people(targets, id, null, qi, null, target_combinations))
    select distinct release, who as person from query_table(located_targets) join people using (target);
