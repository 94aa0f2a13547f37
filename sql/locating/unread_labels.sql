-- Unread labels: what a release says that nobody can make sense of. An attack finds nobody at such a label,
-- and tells too little, without a complaint; so does a measure of what a release is good for. Who publishes a
-- hierarchy's labels without the hierarchy has them, and who spells values in another way than the targets
-- do.
--
-- A label is understood if it covers a value of the targets (see sql/locating/covers.sql), or at least says
-- what it would cover: an interval of what the targets have (numbers, dates or text), a set, a mask, *, a
-- label or value of the column's hierarchy, or a number among numbers.

-- The labels of each column with their rows: d, label, n. release_classes: as in locate.
create or replace macro sqlanon._label_rows(release_classes, qi) as table
    from query(sqlanon._fill($$
        select d, label, sum(size)::bigint as n from ({labels}) where label is not null group by d, label
    $$, map {
        'labels': sqlanon._each(
            qi, 'select {i}::integer as d, l{i} as label, size from ' || release_classes, ' union all ')}));

-- What labels that cover nothing are made of, bounds, elements or the label itself: d, label, form, string,
-- column_kind, kind (of string).
create or replace macro sqlanon._label_parts(labels, covered, column_kinds) as table
    with part as (
        select d, label, parsed.form, column_kind,
               unnest(case parsed.form
                          when 'interval'
                          then list_filter([parsed.lo, parsed.hi], lambda bound: bound is not null)
                          when 'set' then parsed.elements
                          else [label]
                      end) as string
        from (select d, label, sqlanon._parsed(label) as parsed
              from query_table(labels) anti join query_table(covered) using (d, label))
        left join (
            select d, any_value(kind) as column_kind from query_table(column_kinds) group by d
        ) using (d)
    )
    select d, label, form, string, column_kind, sqlanon._kind_in(string, column_kind) as kind from part;

-- Those labels by what of them the targets have: d, label, form, is_comparable, is_respelled, is_text. A
-- bound, an element or the label itself is as good as nothing where the targets have nothing of its kind. (A
-- bound may be infinity.)
create or replace macro sqlanon._judged_labels(label_parts, target_kinds) as table
    select d, label, any_value(form) as form,
           bool_and((d, kind) in (select (d, kind) from query_table(target_kinds))
                    or (form = 'interval' and sqlanon._spells_infinity(string))) as is_comparable,
           bool_or(column_kind is null and kind not in (0, 3)
                   and (d, sqlanon._key(string, kind)) in (
                       select (d, key) from query_table(target_kinds) where key is not null)) as is_respelled,
           bool_or(kind = 3) as is_text
    from query_table(label_parts) group by d, label;

-- What nobody understands: d, label, form, is_respelled, has_hierarchy, is_number (so are the targets'
-- values). explained: d, label (all that the hierarchy has).
create or replace macro sqlanon._not_understood(judged_labels, explained, target_kinds) as table
    select d, label, form, is_respelled and form in ('value', 'set') as is_respelled,
           d in (select d from query_table(explained)) as has_hierarchy,
           d not in (select d from query_table(target_kinds) where kind = 3)
               and d in (select d from query_table(target_kinds) where kind not in (0, 3)) as is_number
    from query_table(judged_labels) anti join query_table(explained) using (d, label)
    where form = 'interval' and not is_comparable
       or form in ('value', 'set') and (not is_comparable or is_respelled)
       or form = 'value' and is_text;

-- All of it: d, label, n, why.
create or replace macro sqlanon._unread(
    label_rows, release_classes, target_combinations, hierarchy, qi) as table
    with name as (from sqlanon._numbered_names(qi)),
    value as (select d, string as value from sqlanon._long(target_combinations, qi, 'v{i}')),
    column_kind as (from sqlanon._column_kinds(release_classes, target_combinations, qi)),
    domain as materialized (from sqlanon._coded_domain('value', 'column_kind')),
    label as materialized (select d, label from query_table(label_rows)),
    covered as materialized (from sqlanon._covered('label', 'domain', hierarchy, 'name')),
    part as (from sqlanon._label_parts('label', 'covered', 'column_kind')),
    -- Where both have text, what is a number may be spelled otherwise there: then the keys are compared.
    target_kind as materialized (
        select distinct d, kind, case when column_kind is null and kind not in (0, 3) then key end as key
        from domain
    ),
    explained as (
        select d, unnest([hierarchy_row.label, hierarchy_row.value]) as label
        from query_table(hierarchy) as hierarchy_row
        join name on lower(name.name) = lower(hierarchy_row.attribute)
    ),
    judged as (from sqlanon._judged_labels('part', 'target_kind')),
    unread as (from sqlanon._not_understood('judged', 'explained', 'target_kind'))
    select d, label, n,
           case when form = 'interval'
                then 'its bounds are nothing that the values of the targets compare with'
                when is_respelled
                then 'the targets spell this number or date otherwise, and both columns are text: '
                     || 'cast one of them'
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
    _sqlanon_unread as materialized (
        from sqlanon._unread(
            '_sqlanon_label', '_sqlanon_release_class', '_sqlanon_combination', '_sqlanon_hierarchy', qi)
    ),
    _sqlanon_refusal as (
        from sqlanon._refuse_empty('_sqlanon_combination', targets)
        union all from sqlanon._refuse_empty('_sqlanon_release_class', release)
        union all from sqlanon._refuse_hierarchies('_sqlanon_hierarchy', qi, null)
    )
    select qi[d] as attribute, label, n as rows, why
    from (
        select d, label, n, why from _sqlanon_unread
        union all by name
        select refused::integer as d from _sqlanon_refusal
    )
    order by d, n desc, label;

create or replace macro sqlanon.unread_labels(release, targets, qi, hierarchies := null) as table
    from query(
        sqlanon._checked(qi, null, null)
        || sqlanon._call('_unread_labels', [
            sqlanon._literal(release), sqlanon._literal(targets), sqlanon._names(qi),
            sqlanon._optional(hierarchies)]));

comment on macro table sqlanon.unread_labels is $$
Tells which released values nobody understands: one row per column and such a label. No rows: all is
understood.

Parameters:
- release: as in locate
- targets (table): people with raw values in qi.
- qi, hierarchies: as in locate

Result:
- attribute (text): the column.
- label (text): the released value.
- rows (integer, rows): of the release.
- why (text): why it is not understood.

Errors: unknown column, empty table, a hierarchy that is not a tree.

Notes: a label is understood if it covers a value of the targets (as covers reads it), or at least tells what
it would cover: an interval of what the targets have, a set, a mask, *, a label of hierarchies, or a number
where the targets have numbers. NULL is a value. The attacks find nobody at a label that is not understood.
Not for releases of centroids.

Example:
with release as (from (values ('twenties'), ('[30, 39]')) as row(age))
from sqlanon.unread_labels('release', 'people', qi := 'age');
$$;
