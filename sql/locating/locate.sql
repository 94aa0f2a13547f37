-- Locate: which classes of a release cover each target (Ganta, Kasiviswanathan and Smith 2008, sec. 2,
-- Get_equivalence_class).
--
-- Classes are boxes over codes of the targets' values, targets are points. Point in box by inequalities alone
-- would compare everything with everything. So the narrow attributes of the boxes are written out code by
-- code, joined by equality, and what is left is filtered. Distinct combinations on both sides; people come
-- last.
--
-- A microaggregated class covers nobody: it is a centroid, and a target is looked for at the nearest one
-- (about 70 % are found so, says sec. 2).

-- Several releases are located in at once, so that everything is said, planned and read once. Each column of
-- each release is one by itself, with a number of its own: d. A release alone is number 1.

-- The classes of a release: release (its number), class_id (as in classes), q1, q2, ..., t1, t2, ... (their
-- types), released (these as texts, a list), l1, l2, ... (the same in this library's notation), size (rows,
-- or with a weight the people they stand for).
-- formats: a list with that of each column in qi, or NULL (see sql/locating/formats.sql).
create or replace macro sqlanon._release_classes(
    release, qi, weight := null, formats := null, number := 1) as table
    from query(sqlanon._fill($$
        {select} {=number} as release, row_number() over (order by {order}) as class_id, *, {types}, {labels}
        from (select *, {released} as released
              from (select {each qi: src.{c} as q{i}}, {count} as size from {source} as src group by all))
    $$, map {
        'released': sqlanon._released_texts(qi), 'count': sqlanon._count(weight),
        'select': sqlanon._select(qi, null, weight), 'order': sqlanon._each(qi, 'q{i} nulls first', ', '),
        'types': sqlanon._each(qi, 'typeof(q{i}) as t{i}', ', '), 'labels': sqlanon._labels_text(qi, formats),
        'source': sqlanon._projected(release, qi, null, weight)}));

-- The text of a union over releases. calls: a SELECT per release.
create or replace macro sqlanon._over_releases(calls) as
    coalesce(list_aggregate(calls, 'string_agg', ' union all '), error('releases names no release'));

-- No rows, or an error where a release has none. of_releases: a relation with the numbers of those that have.
create or replace macro sqlanon._refuse_empty_releases(of_releases, releases) as table
    select error('table ' || name || ' is empty: it has 0 rows') as refused
    from (
        select unnest(sqlanon._list(releases)) as name,
               unnest(range(1, len(sqlanon._list(releases)) + 1)) as release
    )
    where release not in (select release from query_table(of_releases));

-- In which releases somebody is: the text of a list, a boolean per release, or of NULL (in all). presence: a
-- column of the targets per release, or NULL.
create or replace macro sqlanon._present(presence) as
    case when presence is null then 'null::boolean[]'
         else '[' || sqlanon._each(presence, 'sqlanon._says(src.{c}, ''presence'')', ', ') || ']' end;

-- The distinct quasi-identifiers of the targets: target, v1, v2, ... (as text), present (as above), people
-- (how many have them), r1, r2, ... (the kind of the column, see sql/core/values.sql).
create or replace macro sqlanon._target_combinations(targets, qi, presence, weight := null) as table
    from query(sqlanon._fill($$
        select (row_number() over ())::integer as target, *
        from ({select} {texts}, {present} as present, {count} as people,
                  {each qi: any_value(sqlanon._kind_of_type(typeof(src.{c}))) as r{i}}
              from {source} as src group by all)
    $$, map {
        'count': sqlanon._count(weight), 'select': sqlanon._select(qi, null, null),
        'texts': sqlanon._each(qi, 'src.{c}::varchar as v{i}', ', '), 'present': sqlanon._present(presence),
        'source': sqlanon._projected(
            targets, sqlanon._each_once(sqlanon._list(qi) || sqlanon._list(presence)), null, weight)}));

-- Columns prefix1, prefix2, ... as rows: d, string. template: the text of one of them, q{i}, say. The first
-- of the columns has the number after first_d.
create or replace macro sqlanon._long(relation, qi, template, first_d := '0') as table
    from query(sqlanon._fill($$
        select distinct {first_d} + unnest(range(1, {end}))::integer as d, unnest([{columns}]) as string
        from {relation}
    $$, map {'end': (len(sqlanon._list(qi)) + 1)::varchar, 'columns': sqlanon._each(qi, template, ', ')}));

-- The columns of classes of several releases, one below the other. The columns of the first release are 1,
-- 2, ..., those of the next one follow.
create or replace macro sqlanon._d_before(qi) as '(release - 1) * ' || len(sqlanon._list(qi));
create or replace macro sqlanon._long_of_releases(release_classes, qi, template) as table
    from sqlanon._long(release_classes, qi, template, sqlanon._d_before(qi));

-- The columns of all releases: d, release, attribute (which of qi), name, kind (as what it compares with that
-- of the targets; NULL: as text).
create or replace macro sqlanon._released_columns(release_classes, target_combinations, qi) as table
    with of_target as (
        from query(sqlanon._fill(
            'select [{each qi: any_value(r{i})}]::integer[] as kinds from {target_combinations}', map {}))
    ),
    of_release as (
        from query(sqlanon._fill(
            'select release, [{each qi: any_value(t{i})}]::varchar[] as types from {release_classes}
             group by release', map {}))
    )
    select ((release - 1) * len(sqlanon._list(qi)) + attribute)::integer as d, release, attribute,
           sqlanon._list(qi)[attribute] as name,
           sqlanon._common_kind(target_kind, kind) as kind
    from (
        select release, attribute, target_kind, sqlanon._kind_of_released(type) as kind
        from (
            select release::bigint as release, unnest(range(1, len(sqlanon._list(qi)) + 1)) as attribute,
                   unnest(types) as type, unnest(kinds) as target_kind
            from of_release cross join of_target
        )
    );

-- The values that are compared with each of them: d, value, column_kind.
create or replace macro sqlanon._compared_with_columns(released_columns, target_combinations, qi) as table
    select compared.d, string as value, kind as column_kind
    from query_table(released_columns) as compared
    join sqlanon._long(target_combinations, qi, 'v{i}') as target_value on target_value.d = attribute;

-- These values in codes, as in _coded_domain.
create or replace macro sqlanon._domain_of_releases(released_columns, target_combinations, qi) as table
    with compared as (from sqlanon._compared_with_columns(released_columns, target_combinations, qi))
    from sqlanon._values_in_codes('compared');

-- The codes of each target in each release: release, target, c1, c2, ... (A value is joined with its codes in
-- all releases at once: with a row per release DuckDB may pair those of all attributes first.)
create or replace macro sqlanon._target_codes(
    target_combinations, coded_domain, released_columns, qi) as table
    with coded as materialized (
        select (d - 1) % len(sqlanon._list(qi)) + 1 as attribute, value, list(code order by d) as codes
        from query_table(coded_domain) group by all
    )
    from query(sqlanon._fill($$
        select unnest(releases) as release, target, {each qi: unnest(domain{i}.codes) as c{i}}
        from {target_combinations} as combination {joins}
        cross join (select list(release order by release) as releases
                    from {released_columns} where attribute = 1)
    $$, map {
        'joins': sqlanon._each(qi, '
            join coded as domain{i}
              on domain{i}.attribute = {i} and combination.v{i} is not distinct from domain{i}.value', '')}));

-- The boxes: release, class_id, and per attribute lo1, hi1, members1, ... (NULL where all codes in between
-- belong to it).
create or replace macro sqlanon._boxes(release_classes, covered, qi) as table
    from query(sqlanon._fill($$
        select release, class_id{bounds} from {classes} as class {joins}
    $$, map {
        'bounds': sqlanon._each(
            qi, ', cover{i}.lo as lo{i}, cover{i}.hi as hi{i}, cover{i}.members as members{i}', ''),
        'classes': release_classes,
        'joins': sqlanon._each_filled(qi, '
            join (select * from {covered} where (d - {i}) % {attributes} = 0) as cover{i}
              on cover{i}.d = {before} + {i} and class.l{i} is not distinct from cover{i}.label',
            map {'attributes': len(sqlanon._list(qi))::varchar, 'before': sqlanon._d_before(qi)}, '')}));

-- How many codes a box has on average, the greatest code, and how many boxes there are: release, widths and
-- ends (lists), total.
create or replace macro sqlanon._box_widths(boxes, qi) as table
    from query(sqlanon._fill($$
        select release, count(*) as total, [{widths}] as widths, [{each qi: max(hi{i})}] as ends
        from {boxes} group by release
    $$, map {
        'boxes': boxes,
        'widths': sqlanon._each(
            qi, 'coalesce(avg(coalesce(len(members{i}), hi{i} - lo{i} + 1)), 1)', ', ')}));

-- One step for all codes.
create or replace macro sqlanon._one_step() as 2147483647;

-- Which attributes to write out, and how coarsely: from the narrowest on, code by code, as long as the boxes
-- do not become too many. W rows cost W, and leave about boxes * points / W pairs to filter: the sum is least
-- where W grows with the root of boxes * points (3 and 4e6 are measured). The next attribute is written in
-- steps of the average width, of which a box has two on average, if many pairs are left: a point is compared
-- with as many boxes as fit beside one another in this attribute. (To write a row costs as much as to filter
-- 16 pairs: measured.)
-- A row per release: release, steps (a list, with 1 for code by code, and _one_step for not at all).
create or replace macro sqlanon._keys(boxes, target_codes, qi) as table
    with width as (
        select release, total, unnest(range(1, len(widths) + 1)) as d, unnest(widths) as width,
               unnest(ends) as last
        from sqlanon._box_widths(boxes, qi)
    ),
    -- n: rows if this attribute is written, too; before: if only those before are
    rows_written as (
        select release, d, total, ceil(width)::integer as width, last,
               total * product(width) over narrow as n,
               total * coalesce(product(width) over (
                           narrow rows between unbounded preceding and 1 preceding), 1) as before,
               row_number() over narrow = 1 as is_first
        from width window narrow as (partition by release order by width, d)
    )
    select release,
           list(case when n <= most then 1
                     when (is_first or before <= most) and points * last / width > 16 * before then width
                     else sqlanon._one_step() end order by d) as steps
    from (
        select *, least(3 * sqrt(total * points), 4e6) as most
        from rows_written
        join (select release, count(*) as points from query_table(target_codes) group by release)
            using (release)
    )
    group by release;

-- The text of a relation of boxes with a row for each step of each attribute that they are in: key1, key2,
-- ... (Each is unnested on its own: two in one SELECT would go in pairs.)
create or replace macro sqlanon._with_keys(boxes, qi) as
    list_reduce(
        list_transform(range(1, len(sqlanon._list(qi)) + 1), lambda i: i::varchar),
        lambda relation, i:
            replace(replace($$(
                select *,
                       unnest(if(members{i} is null,
                                 range(lo{i} // steps[{i}], hi{i} // steps[{i}] + 1)::integer[],
                                 list_distinct(list_transform(members{i}, lambda code: code // steps[{i}]))))
                           as key{i}
                from {relation}
            )$$, '{i}', i), '{relation}', relation),
        boxes);

-- The boxes written out, one attribute after the other: release, class_id, lo1, hi1, key1, ..., and others:
-- which codes belong to them of attributes that are not written code by code, where that is not all from lo
-- to hi. A list of d and members, NULL for most boxes, which is quick to tell of each pair.
create or replace macro sqlanon._written_boxes(boxes, keys, qi) as table
    from query(sqlanon._fill($$
        select release, class_id, others{each qi: , lo{i}, hi{i}, key{i}} from {written}
    $$, map {
        'written': sqlanon._with_keys(sqlanon._fill($$(
            select *, nullif(list_filter([{of_each}], lambda one: one.members is not null), []) as others
            from {boxes} join {keys} using (release)
        )$$, map {
            'boxes': boxes, 'keys': keys,
            'of_each': sqlanon._each(
                qi, $${'d': {i}, 'members': case when steps[{i}] > 1 then members{i} end}$$, ', ')}), qi)}));

-- Every class that covers a target: release, target, class_id.
create or replace macro sqlanon._located(written_boxes, target_codes, keys, qi) as table
    from query(sqlanon._fill($$
        select box.release, target, class_id
        from {boxes} as box
        join (select codes.*, [{each qi: c{i}}] as all_codes{each qi: , c{i} // steps[{i}] as key{i}}
            from {codes} as codes join {keys} using (release)) as point
          on box.release = point.release {each qi: and box.key{i} = point.key{i}}
        where true {each qi: and c{i} between lo{i} and hi{i}}
          and (others is null
               or list_bool_and(list_transform(others, lambda one:
                      list_contains(one.members, all_codes[one.d]))))
    $$, map {'boxes': written_boxes, 'codes': target_codes, 'keys': keys}));

-- Every class that covers a target, from what its labels cover: release, target, class_id.
create or replace macro sqlanon._locate_covered(
    release_classes, target_combinations, coded_domain, covered, released_columns, qi) as table
    with box as materialized (from sqlanon._boxes(release_classes, covered, qi)),
    point as materialized (
        from sqlanon._target_codes(target_combinations, coded_domain, released_columns, qi)
    ),
    keys as materialized (from sqlanon._keys('box', 'point', qi)),
    written as materialized (from sqlanon._written_boxes('box', 'keys', qi))
    from sqlanon._located('written', 'point', 'keys', qi);

-- All of it: release, target (as numbered in target_combinations), class_id.
create or replace macro sqlanon._locate(release_classes, target_combinations, hierarchy, qi) as table
    with released_column as materialized (
        from sqlanon._released_columns(release_classes, target_combinations, qi)
    ),
    domain as materialized (
        from sqlanon._domain_of_releases('released_column', target_combinations, qi)
    ),
    label as materialized (
        select d, string as label from sqlanon._long_of_releases(release_classes, qi, 'l{i}')
    ),
    covered as materialized (from sqlanon._covered('label', 'domain', hierarchy, 'released_column'))
    from sqlanon._locate_covered(
        release_classes, target_combinations, 'domain', 'covered', 'released_column', qi);

-- CENTROIDS

-- The place of a value among those of its column, an aggregate in the query below. A column that the release
-- has as numbers or dates is read as such on both sides; text with a hierarchy is at the place of its leaf.
create or replace macro sqlanon._place_in_column(attribute, string, ordered, in_tree, code, respelled) as
    case when any_value(ordered)
         then case when coalesce(isfinite(sqlanon._number(string)), true) then sqlanon._number(string)
                   else error('column ' || attribute || ' has the value ' || string
                              || ', from which nothing has a distance: leave its rows out')
              end
         when any_value(in_tree) then any_value(code)
         when any_value(respelled)
         then error('column ' || attribute
                    || ' has numbers or dates in the targets and text in a release: nearest is for centroids')
    end::double;

create or replace macro sqlanon._over_relations(template, release_classes, target_combinations, leaves) as
    replace(replace(replace(template, '{classes}', release_classes), '{targets}', target_combinations),
        '{leaves}', leaves);

-- What an adversary can place, every distinct value of classes and targets: d, string, number, category, n
-- (rows of the release).
create or replace macro sqlanon._placed_values(release_classes, target_combinations, leaves, qi) as table
    with placed as (
        from query(sqlanon._each(qi, sqlanon._over_relations($$
            select {i} as d, string, sum(n)::bigint as n,
                   any_value(ordered) or any_value(in_tree) as has_number,
                   sqlanon._place_in_column({s}, string, ordered, in_tree, leaf.code, respelled) as number
            from (
                select l{i} as string, size as n from {classes} union all select v{i}, 0 from {targets}
            ) as cell
            left join {leaves} as leaf
              on leaf.attribute = lower({s}) and leaf.value is not distinct from cell.string,
                 (select sqlanon._is_respelled(any_value(t{i})) as ordered from {classes}),
                 (select any_value(r{i}) in (1, 2, 4) as respelled from {targets}),
                 (select count(*) > 0 as in_tree from {leaves} where attribute = lower({s}))
            group by string
        $$, release_classes, target_combinations, leaves), ' union all '))
    )
    select d, string, number, n,
           case when has_number then (number is null)::varchar
                else coalesce('=' || string, '') end as category
    from placed;

-- Points of classes or targets: id, x1, ..., c1, ..., step1, ... Coordinates are those of rows of the
-- release. id: the column with the number; template: the text of one with a value, l{i}, say.
create or replace macro sqlanon._placed_points(relation, template, id, placed, qi) as table
    from query(sqlanon._fill($$
        select {id} as id, {each qi: x{i}, c{i}, step{i}} from {relation} {joins}
    $$, map {
        'joins': sqlanon._each(qi, '
            join (select string as string{i}, x as x{i}, c as c{i}, step as step{i}
                  from ' || placed || ' where d = {i})
              on ' || template || ' is not distinct from string{i}', '')}));

-- All of it: target, class_id. Means and deviations are those of the centroids, each counted as often as it
-- has rows.
create or replace macro sqlanon._locate_nearest(release_classes, target_combinations, hierarchy, qi) as table
    with leaf as materialized (
        from query(if(hierarchy is null,
            'select null::varchar as attribute, null::varchar as value, null::integer as code where false',
            'from sqlanon._leaves(' || sqlanon._optional(hierarchy) || ')'))
    ),
    value as materialized (from sqlanon._placed_values(release_classes, target_combinations, 'leaf', qi)),
    released as (select * from value where n > 0),
    placed as materialized (
        select d, string, sqlanon._coordinate(number, largest, mean, deviation) as x, step::double as step,
               dense_rank() over (order by category) as c
        from value join sqlanon._scales('released') using (d)
    ),
    center as materialized (from sqlanon._placed_points(release_classes, 'l{i}', 'class_id', 'placed', qi)),
    point as materialized (from sqlanon._placed_points(target_combinations, 'v{i}', 'target', 'placed', qi))
    select id as target, nearest as class_id from sqlanon._nearest('point', 'center', qi, 'true');

-- The text of the classes of all releases that are not of centroids.
create or replace macro sqlanon._classes_that_cover(release_classes, by_distance) as
    if(list_contains(by_distance, true),
       '(select * from ' || release_classes || ' where not ' || by_distance::varchar || '[release])',
       release_classes);

-- The texts that find targets in the releases of centroids, by_distance: a list, one per such release.
-- others: the other arguments of _locate_nearest, as texts.
create or replace macro sqlanon._calls_of_nearest(release_classes, others, by_distance) as
    list_filter(
        list_transform(by_distance, lambda nearest, number: if(nearest,
            'select ' || number || ' as release, * '
                || sqlanon._call('_locate_nearest', [sqlanon._literal(
                       '(select * from ' || release_classes || ' where release = ' || number || ')')]
                       || others),
            null)),
        lambda call_of_release: call_of_release is not null);

-- Where targets are in each release, in classes that cover them or, by_distance (a list of a boolean per
-- release), in the nearest: release, target, class_id. covering: the macro that finds those that cover.
create or replace macro sqlanon._locate_either(
    release_classes, target_combinations, hierarchy, qi, by_distance, covering := '_locate') as table
    from query(sqlanon._let(
        [sqlanon._literal(target_combinations), sqlanon._optional(hierarchy), sqlanon._names(qi)],
        lambda others:
            list_aggregate(
                sqlanon._calls_of_nearest(release_classes, others, by_distance)
                || if(list_contains(by_distance, false),
                      [sqlanon._call(covering, [
                           sqlanon._literal(sqlanon._classes_that_cover(release_classes, by_distance))]
                           || others)],
                      []),
                'string_agg', ' union all ')));

-- The text of the call that finds targets who are all known exactly, or of whom the call says more than that
-- (see sql/locating/boxes.sql, which builds on this file). formats and unknown: as users give them.
create or replace macro sqlanon._call_of_locating(
    release_classes, target_combinations, hierarchy, qi, by_distance, covering, formats, unknown) as
    sqlanon._let(
        [sqlanon._literal(release_classes), sqlanon._literal(target_combinations),
         sqlanon._optional(hierarchy), sqlanon._names(qi), by_distance::varchar || '::boolean[]',
         sqlanon._literal(covering)],
        lambda located:
            if(sqlanon._are_cells_partly_known(formats, unknown),
               sqlanon._call('_locate_known', located || [
                   sqlanon._given_formats_text(formats), sqlanon._unknown_text(unknown)]),
               sqlanon._call('_locate_either', located)));

-- Where targets are, by where combinations are in which they all have their values: release, target,
-- class_id. Rows without a target stay.
create or replace macro sqlanon._located_again(
    located_targets, located_combinations, target_combinations, qi) as table
    from query(sqlanon._fill($$
        select release, other.target, class_id
        from {located} as found
        join {combinations} as combination using (target)
        join {others} as other on true {each qi: and other.v{i} is not distinct from combination.v{i}}
        union all
        select release, target, class_id from {located} where target is null
    $$, map {
        'located': located_targets, 'combinations': located_combinations, 'others': target_combinations}));

-- The text of a call of it. located_before: the names of what was located, and of the combinations.
create or replace macro sqlanon._call_of_locating_again(located_before, target_combinations, qi) as
    {call _located_again: located_targets := located_before[1], located_combinations := located_before[2]};

-- The people behind the combinations: person (the unit, or NULL), who (their id), actuals (their sensitive
-- values as text, one for each column in truth), target.
create or replace macro sqlanon._people(
    targets, id, truth, qi, presence, target_combinations, unit := null, distinct_spellings := null) as table
    with _sqlanon_of_people as (
        from sqlanon._with_one_spelling(
            targets, sqlanon._list(unit), sqlanon._list(distinct_spellings))
    )
    from query(sqlanon._fill($$
        select {unit} as person, src.{"id"} as who, [{actuals}]::varchar[] as actuals, combination.target
        from {source} as src
        join {combinations} as combination
          on row({values}{present}) is not distinct from row({combined}combination.present)
    $$, map {
        'unit': case when lower(unit) = lower(id)
                     then error('id and unit are both column "' || id
                                || '": id names a row of the targets, unit whose it is')
                     else coalesce(nullif(sqlanon._each(unit, 'src.{c}', ''), ''), 'null') end,
        'actuals': sqlanon._each(truth, 'src.{c}::varchar', ', '),
        'source': sqlanon._projected(
            if(unit is null, targets, '_sqlanon_of_people'),
            sqlanon._each_once(sqlanon._list(qi) || [id] || sqlanon._list(truth) || sqlanon._list(presence)
                               || sqlanon._list(unit)),
            null, null),
        'combinations': target_combinations, 'values': sqlanon._each(qi, 'src.{c}::varchar, ', ''),
        'present': sqlanon._present(presence), 'combined': sqlanon._each(qi, 'combination.v{i}, ', '')}));

-- No rows, or an error: a table without rows, or a target that is there twice.
create or replace macro sqlanon._refuse_people(people, targets, id) as table
    with _sqlanon_repeated as (
        select who as value, count(*) as n from query_table(people) group by who having count(*) > 1
    )
    from sqlanon._refuse_empty(people, targets)
    union all
    from sqlanon._refuse_repeated('_sqlanon_repeated', 'targets', targets, id);

-- What whatever compares people with a release begins with. others: further columns of the targets, whose
-- texts come with the people (actuals).
create or replace steps sqlanon._targets(targets, id, columns, others) as
    _sqlanon_target as materialized (from sqlanon._source(targets, columns, [id] || others)),
    _sqlanon_combination as materialized (
        from sqlanon._target_combinations('_sqlanon_target', columns, null)
    ),
    _sqlanon_person as materialized (
        from sqlanon._people('_sqlanon_target', id, others, columns, null, '_sqlanon_combination')
    );

-- Targets, the hierarchies, the classes of the release, and what is refused. sensitive: further columns of
-- the release. formats: a list with that of each column, or NULL.
create or replace steps sqlanon._release_and_targets(
    release, targets, id, columns, others, hierarchies, sensitive := [], weight := null, formats := null) as
    _sqlanon_hierarchy as materialized (from sqlanon._hierarchies(hierarchies)),
    _sqlanon_released as materialized (
        from sqlanon._formatted_source(release, columns, sensitive, formats, weight)
    ),
    _sqlanon_class as materialized (
        from sqlanon._release_classes('_sqlanon_released', columns, weight, formats)
    ),
    {steps _targets: targets := targets, id := id, columns := columns, others := others},
    _sqlanon_bad_input as (
        from sqlanon._refuse_people('_sqlanon_person', targets, id)
        union all from sqlanon._refuse_given_hierarchies(hierarchies, '_sqlanon_hierarchy', columns)
        union all from sqlanon._refuse_empty('_sqlanon_class', release)
    );

create or replace macro sqlanon._locate_people(
    release, targets, id, qi, hierarchies, nearest, weight, formats, given_formats, unknown) as table
    with {steps _release_and_targets: columns := qi, others := []},
    _sqlanon_located as materialized (
        from query(sqlanon._call_of_locating(
            '_sqlanon_class', '_sqlanon_combination',
            sqlanon._if_any(hierarchies, '_sqlanon_hierarchy'), qi, [nearest], '_locate',
            given_formats, unknown))
    )
    from query(replace($$
        select who as {id}, class_id, size
        from _sqlanon_person join _sqlanon_located using (target) join _sqlanon_class using (class_id)
        union all
        select null, refused::bigint, null from _sqlanon_bad_input
    $$, '{id}', sqlanon._quote(id)));

create or replace macro sqlanon.locate(
    release, targets, id, qi, hierarchies := null, nearest := false, weight := null, formats := null,
    unknown := null) as table
    from query(
        sqlanon._checked(qi, null, null)
        || {call _locate_people:
            nearest := coalesce(nearest::boolean, false),
            formats := text(sqlanon._formats_text(sqlanon._formats_of_releases(formats, release, qi)[1])),
            given_formats := formats});

comment on macro table sqlanon.locate is $$
Finds the classes of a release that cover each target: one row per target and class. A target that no class
covers has no row.

Parameters:
- release (table): a table with the columns in qi, as released.
- targets (table): people with raw values in qi, and the column id.
- id (column): of targets, identifies the person; each person must be there once.
- qi (columns): the quasi-identifiers that the adversary knows about the targets.
- hierarchies (table; default null): rows of attribute, value, level and label: the values that released
  labels stand for.
- nearest (boolean; default false): true for a release of centroids, such as one of microaggregate: a target
  is then found in the class that is nearest in standardized coordinates, of equally near ones in the first
  (see sql/core/coordinates.sql; means and deviations are those of the release).
- weight (column; default null): of the release, how many people each row stands for, as in classes.
- formats (struct or map of texts; default null): the formats of columns whose labels covers cannot read, such
  as {'age': 'range'}: from a column in qi to a format. range: 25-30, 25..30 and 25 to 30 (including both
  ends, without brackets), (25-30], 50+, 65 and over, under 20, for numbers or dates. list: in brackets, with
  or without quotes. set /: a/b, or with any other separator. mask x: 1305x, each x stands for one character.
  between age_min and age_max: two columns with both ends, which are included; NULL is no bound, and if both
  are NULL, the value is NULL. one-hot sex_: columns such as sex_male, of 0 and 1. A key such as release.age
  or 1.age (name or number of a release, dot, column) is for that release alone. A cell that does not fit its
  format is read as if there were none. A key such as targets.age is for a column of the targets that is only
  partly known: its cells are then ranges (or numbers or dates), lists, sets or masks, as the format says. A
  cell of targets that cannot be read is an error.
- unknown (list of texts; default null): the texts that mean an unknown cell in qi of the targets, or one such
  text; for NULL, write 'NULL'. If not given, no cell is unknown, and NULL is a value.

Result:
- <id> (unchanged): the target.
- class_id (integer): the number of the class, as in classes.
- size (integer, rows): the size of the class.

Errors: unknown column, empty table, a target twice, a hierarchy that is not a tree, a weight as in classes,
an unknown format, a cell of the targets that does not fit its format.

Notes: labels are read as covers reads them. A target with a cell that is unknown, a range, a set or a mask is
found in every class that may contain such a person; nearest does not work for such targets.

Source: Ganta, Kasiviswanathan and Smith 2008, sec. 2.

Example:
from sqlanon.locate('east', 'voters', id := 'name', qi := ['age', 'zip']);
$$;
