-- Presence: in which releases may somebody be?
--
-- A register does not know who was in a release. Whoever was is in one of its classes, and their values are
-- those of one of its rows. So whoever has a class with a row of their own values may have been in it; nobody
-- else was, as long as values do not change. To suppose that all of these were there errs towards danger: an
-- adversary who puts just these releases together never loses the true value.

-- Lists of texts in which NULL equals NULL.
create or replace macro sqlanon._told_apart(texts) as
    list_transform(texts, lambda text: coalesce('=' || text, ''));

-- The distinct rows of classes, and who may have them by their own values: release, class_id, row_id, n
-- (rows), person (their id; NULL: nobody). People are in the column id of targets; located_targets and
-- target_combinations: of _located_in_all, of just these releases. Values compare as in an attack on all of
-- them. Without sensitive columns all rows of a class are one.
create or replace macro sqlanon._people_by_row(
    releases, located_targets, target_combinations, targets, id, qi, sensitive, formats) as table
    with cell as materialized (from sqlanon._cells_of_releases(releases, qi, sensitive, null, formats)),
    people as materialized (from sqlanon._people(targets, id, sensitive, qi, null, target_combinations)),
    class_value as materialized (from sqlanon._values_of_cells('cell')),
    truth_kind as (from sqlanon._truth_kinds(targets, sensitive)),
    kind as materialized (from sqlanon._sensitive_kinds('class_value', 'truth_kind')),
    compared as materialized (from sqlanon._compared_values('class_value', 'kind')),
    meant as materialized (
        from sqlanon._meant_values('people', 'kind', 'compared', len(sqlanon._list(sensitive)))
    ),
    class_row as materialized (
        select row_number() over () as row_id, *
        from (select release, class_id, strings, sum(n)::bigint as n from cell group by all)
    ),
    row_value as (
        select row_id, list(compared.value order by stated.attribute) as told
        from (
            select row_id, release, unnest(range(1, len(strings) + 1))::integer as attribute,
                   unnest(strings) as string
            from class_row
        ) as stated
        join compared on compared.release = stated.release and compared.attribute = stated.attribute
                     and compared.string is not distinct from stated.string
        group by row_id
    ),
    own_value as (
        select actuals, list(meant order by stated.attribute) as told
        from (
            select actuals, unnest(range(1, len(actuals) + 1))::integer as attribute,
                   unnest(actuals) as actual
            from (select distinct actuals from people)
        ) as stated
        join meant on meant.attribute = stated.attribute and meant.actual is not distinct from stated.actual
        group by actuals
    ),
    told_row as (
        select class_row.*, sqlanon._told_apart(coalesce(told, [])) as told
        from class_row left join row_value using (row_id)
    ),
    told_person as (
        select target, who, sqlanon._told_apart(coalesce(told, [])) as told
        from people left join own_value on own_value.actuals is not distinct from people.actuals
    ),
    -- Materialized, so that people are in classes before values are compared: many people have each value.
    held as materialized (
        select found.release, found.class_id, told, who
        from query_table(located_targets) as found join told_person using (target)
    )
    select told_row.release, told_row.class_id, row_id, n, who as person
    from told_row left join held using (release, class_id, told);

-- How many rows of a release nobody accounts for who is asked about, because fewer people could have such a
-- row than there are rows: rows. Whoever these are about has left, or has other values by now. number: of the
-- release; people_by_row: as in _people_by_row.
create or replace macro sqlanon._rows_of_nobody(people_by_row, number) as table
    select coalesce(sum(greatest(n - people, 0)), 0)::bigint as "rows"
    from (
        select row_id, any_value(n) as n, count(person) as people
        from query_table(people_by_row) where release = number group by row_id
    );

-- The targets who may be in any release by their own values, a row each, with in_1, in_2, ... (booleans): may
-- they be in the first release, in the second, ...? Attacks take these columns as presence. id: of targets;
-- sensitive: as the targets have it; located_before: as in _attacked.
create or replace macro sqlanon._targets_possibly_present(
    releases, targets, id, qi, sensitive := null, hierarchies := null, nearest := false,
    formats := null, located_before := null) as table
    with _sqlanon_hierarchy as materialized (from sqlanon._hierarchies(hierarchies)),
    _sqlanon_target as materialized (
        from sqlanon._source(targets, qi, [id] || coalesce(sqlanon._list(sensitive), []))
    ),
    _sqlanon_combination as materialized (from sqlanon._target_combinations('_sqlanon_target', qi, null)),
    _sqlanon_cell as materialized (from sqlanon._cells_of_releases(releases, qi, [], null, formats)),
    _sqlanon_class as materialized (from sqlanon._classes_of_cells('_sqlanon_cell', qi)),
    _sqlanon_located as materialized (
        from query(
            if(located_before is null,
               sqlanon._call_of_locating(
                   '_sqlanon_class', '_sqlanon_combination',
                   sqlanon._if_any(hierarchies, '_sqlanon_hierarchy'), qi,
                   sqlanon._by_distance(nearest, releases), '_locate', formats, null),
               sqlanon._call_of_locating_again(located_before, '_sqlanon_combination', qi)))
    ),
    _sqlanon_found as materialized (
        select person, list(distinct release) as found
        from sqlanon._people_by_row(
            releases, '_sqlanon_located', '_sqlanon_combination', '_sqlanon_target', id, qi,
            coalesce(sqlanon._list(sensitive), []), formats)
        where person is not null group by person
    ),
    _sqlanon_person as materialized (
        from sqlanon._people('_sqlanon_target', id, null, qi, null, '_sqlanon_combination')
    ),
    _sqlanon_refusal as (
        from sqlanon._refuse_people('_sqlanon_person', targets, id)
        union all from sqlanon._refuse_given_hierarchies(hierarchies, '_sqlanon_hierarchy', qi)
    )
    from query(sqlanon._fill($$
        select target.*, {marks}
        from {targets} as target join _sqlanon_found on person is not distinct from target.{"id"}
        where (select count(refused) from _sqlanon_refusal) = 0
    $$, map {
        'marks': list_aggregate(
            list_transform(sqlanon._list(releases), lambda release, number:
                'list_contains(found, ' || number || ') as in_' || number), 'string_agg', ', '),
        'targets': sqlanon._relation(targets)}));

-- Values of a column that stand on one side only: gone (those that today lacks, the most frequent first),
-- rows (of then that have them), fresh (those that then lacks, and at least so many rows have that they name
-- nobody: frequent), people (rows of today that have them), rows_then and rows_today (all rows with a value).
-- Values that mean the same count as one. least: rows that a value must have to count (2 leaves out what
-- names somebody); words: only values with a letter do.
create or replace macro sqlanon._values_of_one_side(
    then_table, today_table, column_then, column_today, least, frequent, words) as table
    with counted as (
        from query(sqlanon._fill($$
            select false as is_today, sqlanon._plain_text({then}::varchar) as value, count(*) as n
            from {source_then} as src group by all
            union all
            select true, sqlanon._plain_text({today}::varchar), count(*)
            from {source_today} as src group by all
        $$, map {
            'then': sqlanon._quote(column_then), 'source_then': sqlanon._relation(then_table),
            'today': sqlanon._quote(column_today), 'source_today': sqlanon._relation(today_table)}))
    ),
    meant as materialized (select *, sqlanon._meant(value) as meant from counted),
    compared as (
        select *, bool_and(is_today) over same as is_fresh, not bool_or(is_today) over same as is_gone,
               n >= least and meant <> '' and (not words or regexp_matches(value, '\p{L}')) as counts
        from meant window same as (partition by meant)
    )
    select list(value order by n desc, value) filter (where is_gone and counts) as gone,
           coalesce(sum(n) filter (where is_gone and counts), 0)::bigint as "rows",
           list(value order by n desc, value) filter (where is_fresh and counts and n >= frequent) as fresh,
           coalesce(sum(n) filter (where is_fresh and counts), 0)::bigint as people,
           coalesce(sum(n) filter (where not is_today and meant <> ''), 0)::bigint as rows_then,
           coalesce(sum(n) filter (where is_today and meant <> ''), 0)::bigint as rows_today
    from compared;
