-- Unread labels: what a release says that nobody can make sense of. An attack finds nobody at such a label, and tells too little, without a complaint; so
-- does a measure of what a release is good for. Who publishes a hierarchy's labels without the hierarchy has them, and who spells values in another way than
-- the targets do.
--
-- A label is understood if it covers a value of the targets (see sql/covers.sql), or at least says what it would cover: an interval of what the targets have
-- (numbers, dates or text), a set, a mask, *, a label or value of the column's hierarchy, or a number among numbers.

-- The labels of each column with their rows: d, label, n. release_classes: as in locate.
create or replace macro sqlanon._label_rows(release_classes, qi) as table
    from query('select d, label, sum(size)::bigint as n from ('
               || sqlanon._each(qi, 'select {i}::integer as d, l{i} as label, size from ' || release_classes, ' union all ')
               || ') where label is not null group by d, label');

-- Those that nobody understands: d, label, n, why.
create or replace macro sqlanon._unread(label_rows, target_combinations, hierarchy, qi) as table
    with name as (select unnest(range(1, len(sqlanon._list(qi)) + 1))::integer as d, unnest(sqlanon._list(qi)) as name),
    value as (select d, string as value from sqlanon._long(target_combinations, qi, 'v{i}')),
    respelled as (select d from sqlanon._long(target_combinations, qi, 'r{i}') where string),
    domain as materialized (from sqlanon._coded_domain('value', 'respelled')),
    label as materialized (select d, label from query_table(label_rows)),
    covered as materialized (from sqlanon._covered('label', 'domain', hierarchy, 'name')),
    said as (
        select d, label, parsed.form, case parsed.form when 'interval' then sqlanon._kind(coalesce(parsed.lo, parsed.hi)) else sqlanon._kind(label) end as kind
        from (select d, label, sqlanon._parsed(label) as parsed from label anti join covered using (d, label))
    ),
    had as (select distinct d, kind from domain),
    explained as (
        select d, unnest([hierarchy_row.label, hierarchy_row.value]) as label
        from query_table(hierarchy) as hierarchy_row join name on lower(name.name) = lower(hierarchy_row.attribute)
    ),
    unread as (
        select d, label, form,
               d in (select d from explained) as has_hierarchy, d not in (select d from had where kind = 3) and d in (select d from had where kind in (1, 2)) as is_number
        from said anti join explained using (d, label)
        where form = 'interval' and (d, kind) not in (select (d, kind) from had)
           or form = 'value' and (kind = 3 or (d, kind) not in (select (d, kind) from had))
    )
    select d, label, n,
           case when form = 'interval' then 'its bounds are nothing that the values of the targets compare with'
                when has_hierarchy then 'no value of the targets, and not in the hierarchy of the column'
                when is_number then 'not a number or date, as the values of the targets are'
                else 'no value of the targets; a hierarchy could tell what it stands for'
           end as why
    from unread join query_table(label_rows) using (d, label);

create or replace macro sqlanon._unread_labels(release, targets, qi, hierarchies) as table
    with _sqlanon_hierarchy as materialized (from sqlanon._hierarchies(hierarchies)),
    _sqlanon_released as materialized (from sqlanon._source(release, qi, [])),
    _sqlanon_target as materialized (from sqlanon._source(targets, qi, [])),
    _sqlanon_release_class as materialized (from sqlanon._release_classes('_sqlanon_released', qi)),
    _sqlanon_combination as materialized (from sqlanon._target_combinations('_sqlanon_target', qi, null)),
    _sqlanon_label as materialized (from sqlanon._label_rows('_sqlanon_release_class', qi)),
    _sqlanon_unread as materialized (from sqlanon._unread('_sqlanon_label', '_sqlanon_combination', '_sqlanon_hierarchy', qi)),
    _sqlanon_refusal as (
        from sqlanon._refuse_empty('_sqlanon_combination', targets)
        union all from sqlanon._refuse_empty('_sqlanon_release_class', release)
        union all from sqlanon._refuse_hierarchies('_sqlanon_hierarchy', qi, null)
    )
    select qi[d] as attribute, label, n as rows, why
    from (select d, label, n, why from _sqlanon_unread union all by name select refused::integer as d from _sqlanon_refusal)
    order by d, n desc, label;

create or replace macro sqlanon.unread_labels(release, targets, qi, hierarchies := null) as table
    from query(
        sqlanon._checked(qi, null, null) || 'from sqlanon._unread_labels(' || sqlanon._literal(release) || ', ' || sqlanon._literal(targets) || ', '
        || sqlanon._names(qi) || ', ' || sqlanon._optional(hierarchies) || ')');

comment on macro table sqlanon.unread_labels is
    'What a release says that nobody understands: one row per column of qi and such a label, with attribute (the column), label, rows (of the release) and why. A label is understood if it covers a value of the targets (as covers reads it), or at least tells what it would cover: an interval of what the targets have, a set, a mask, *, a label of hierarchies (the name of a table: attribute, value, level, label), or a number where the targets have numbers. NULL is a value. No rows: all is understood. The attacks find nobody at a label that is not. targets: a table of people with raw values in the columns in qi. Not for releases of centroids. Errors: unknown column, empty table, a hierarchy that is not a tree.';
