-- Boxes: targets of whom a quasi-identifier is not known exactly (see sql/locating/known_cells.sql).
--
-- Such a target may be in every class that overlaps what is known (see sql/locating/overlaps.sql), and the
-- rows of all these are its evidence. If one target of a call is known in this way, all its targets are
-- boxes: an exact value is a set of one.

-- The boxes as if they were classes of each release: release, class_id (the target), l1, l2, ..., r1, r2, ...
create or replace macro sqlanon._target_boxes(known_combinations, release_classes, qi) as table
    from query(sqlanon._fill($$
        select release, target as class_id, {each qi: labels[{i}] as l{i}, r{i}}
        from (select distinct release from {classes}) cross join {combinations}
    $$, map {'classes': release_classes, 'combinations': known_combinations}));

-- The points that the labels of boxes and of releases cover, as in _covered_points.
create or replace macro sqlanon._covered_by_boxes(target_boxes, release_classes, hierarchy, qi) as table
    with released_column as materialized (
        from sqlanon._released_columns(release_classes, target_boxes, qi)
    ),
    label as materialized (from sqlanon._labels_of_both(target_boxes, release_classes, qi))
    from sqlanon._covered_points('label', 'released_column', hierarchy, 'released_column');

-- The classes of each release that overlap each box: release, target, class_id. A box that nothing can be in
-- is an error.
create or replace macro sqlanon._locate_boxes(release_classes, target_boxes, hierarchy, qi) as table
    with covered as materialized (
        from sqlanon._covered_by_boxes(target_boxes, release_classes, hierarchy, qi)
    )
    select release, one::integer as target, other as class_id
    from sqlanon._overlaps_of_classes(target_boxes, release_classes, 'covered', qi)
    union all
    select null,
           error('column ' || sqlanon._list(qi)[(empty.d - 1) % len(sqlanon._list(qi)) + 1]
                 || ' of the targets has a value that covers nothing'
                 || sqlanon._such_as(empty.string))::integer, null
    from sqlanon._long_of_releases(target_boxes, qi, 'l{i}') as empty
    left join covered on covered.d = empty.d and covered.label = empty.string
    where empty.string is not null and covered.d is null;

-- Where the targets of such a call are: release, target, class_id, as in _locate_either. Nobody knows which
-- centroid is nearest to a box.
create or replace macro sqlanon._locate_known(
    release_classes, target_combinations, hierarchy, qi, by_distance, covering, formats,
    unknown) as table
    with known as materialized (
        from sqlanon._known_combinations(target_combinations, formats, unknown, qi)
    ),
    point as materialized (from sqlanon._target_points('known', qi)),
    box as materialized (from sqlanon._target_boxes('known', release_classes, qi))
    from query(
        if(list_contains(by_distance, true),
           {call _locate_either: target_combinations := 'point'}
           || ' union all select null, error(''nearest is for targets that are known exactly, and some '
           || 'have an unknown cell or one that is a range, a set or a mask'')::integer, null '
           || 'from known where in_part is not null',
           {call _locate_boxes: target_boxes := 'box'}
           || if(covering <> '_locate_or_tell', '',
                 ' union all ' || {call _unread_classes: target_combinations := 'point'})));
