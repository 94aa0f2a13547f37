-- Evidence: the classes of releases, how often each has which sensitive value, and which targets it covers.

-- How often a class of a release has a sensitive value: class_id (as in _release_classes), attribute (which
-- of the sensitive columns), value (text), kind (of its column), n.
create or replace macro sqlanon._class_values(
    release, release_classes, qi, sensitive, weight := null) as table
    from query(sqlanon._fill($$
        select class_id, unnest(range(1, {end}))::integer as attribute,
               unnest([{each sensitive: s{i}}]::varchar[]) as value, unnest([{kinds}]::integer[]) as kind, n
        from ({select} {columns}, {texts_and_kinds} {count} as n from {source} as src group by all) as cell
        join {classes} as class on row({each qi: cell.q{i}}) is not distinct from row({each qi: class.q{i}})
    $$, map {
        'end': (len(sqlanon._list(sensitive)) + 1)::varchar, 'kinds': sqlanon._each(sensitive, 'k{i}', ', '),
        'select': sqlanon._select(qi, sensitive, weight), 'count': sqlanon._count(weight),
        'columns': sqlanon._each(qi, 'src.{c} as q{i}', ', '),
        'texts_and_kinds': sqlanon._each(
            sensitive, 'src.{c}::varchar as s{i}, sqlanon._kind_of_type(typeof(src.{c})) as k{i}, ', ''),
        'source': sqlanon._projected(release, qi, sensitive, weight), 'classes': release_classes}));

-- The rows of a release by class: release (its number), class_id (as in classes), l1, l2, ... (what it
-- releases, as text), t1, t2, ... (the types of these columns), strings and kinds (lists: the sensitive
-- values as text, and the kinds of their columns), n, and with group_id, a column that divides rows with the
-- same labels into classes, its value: division. formats: a list with that of each column in qi, or NULL.
create or replace macro sqlanon._release_cells(
    release, number, qi, sensitive, weight, formats, group_id := null) as table
    from query(sqlanon._fill($$
        {select} {=number} as release, dense_rank() over (order by {order}) as class_id, {labels}, {types},
                 [{each sensitive: s{i}}]::varchar[] as strings, [{kinds}]::integer[] as kinds, n{division}
        from (
            select *, {released} as released
            from (
                select {columns}, {strings_and_kinds} {count} as n{group} from ({source}) as src group by all
            )
        )
    $$, map {
        'released': sqlanon._released_texts(qi), 'select': sqlanon._select(qi, sensitive, weight),
        'order': sqlanon._each(qi, 'q{i} nulls first', ', ') || if(group_id is null, '', ', division'),
        'division': if(group_id is null, '', ', division'),
        'group': coalesce(', src.' || sqlanon._quote(group_id) || ' as division', ''),
        'labels': sqlanon._labels_text(qi, formats), 'types': sqlanon._each(qi, 'typeof(q{i}) as t{i}', ', '),
        'kinds': sqlanon._each(sensitive, 'k{i}', ', '),
        'columns': sqlanon._each(qi, 'src.{c} as q{i}', ', '),
        'strings_and_kinds': sqlanon._each(
            sensitive, 'src.{c}::varchar as s{i}, sqlanon._kind_of_cells(typeof(src.{c})) as k{i}, ', ''),
        'count': sqlanon._count(weight),
        'source': {call _formatted_source:
            tbl := release, others := sqlanon._list(sensitive) || sqlanon._list(group_id),
            formats := text(sqlanon._formats_text(formats))}}));

-- The cells of all releases (_release_cells). unchanged: further columns, after the sensitive ones.
-- may_lack: those of all these that a release need not have (NULL: these further ones).
create or replace macro sqlanon._cells_of_releases(
    releases, qi, sensitive, weight, formats, group_id := null, unchanged := null, may_lack := null) as table
    from query(sqlanon._let(sqlanon._formats_of_releases(formats, releases, qi), lambda formats_of:
        sqlanon._over_releases(
            list_transform(sqlanon._list(releases), lambda release, number:
                sqlanon._after_completing(
                    release, coalesce(may_lack, unchanged), lambda completed: {call _release_cells:
                        release := completed,
                        sensitive := sqlanon._list(sensitive) || sqlanon._list(unchanged),
                        formats := text(sqlanon._formats_text(formats_of[number]))})))));

-- The classes of cells, as _release_classes has them but for q1, q2, ...
create or replace macro sqlanon._classes_of_cells(cells, qi) as table
    from query(sqlanon._fill($$
        select release, class_id, {labels}, sum(n)::bigint as size from {cells} group by release, class_id
    $$, map {'labels': sqlanon._each(qi, 'any_value(l{i}) as l{i}, any_value(t{i}) as t{i}', ', ')}));

-- The values of the classes of all releases: release, class_id, attribute (which of the sensitive columns;
-- none that the release lacks), value (text), kind (of its column), n.
create or replace macro sqlanon._values_of_cells(cells) as table
    select release, class_id, attribute, value, kind, sum(n)::bigint as n
    from (
        select release, class_id, unnest(range(1, len(strings) + 1))::integer as attribute,
               unnest(strings) as value, unnest(kinds) as kind, n
        from query_table(cells)
    )
    where kind is distinct from sqlanon._kind_of_lacking() group by all;

-- The share of rows that have a label which nobody understands, in the release that has most of them: unread.
-- classes: release, class_id, size; located_targets: with a row without a target for each class with such a
-- label.
create or replace macro sqlanon._unread_share(classes, located_targets) as table
    with unread as (select release, class_id from query_table(located_targets) where target is null),
    release_share as (
        select coalesce(sum(size) filter ((release, class_id) in (select (release, class_id) from unread)), 0)
               / sum(size) as share
        from query_table(classes) group by release
    )
    select max(share) as unread from release_share;
