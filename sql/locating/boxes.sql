-- Boxes: targets of whom a quasi-identifier is not known exactly (see sql/locating/known_cells.sql).
--
-- Such a target may be in every class that overlaps what is known (see sql/locating/overlaps.sql), and the
-- rows of all these are its evidence. Whoever is known exactly is a point, and located as ever.

-- The boxes as if they were classes: release (1), class_id (the target), l1, l2, ..., r1, r2, ...
create or replace macro sqlanon._target_boxes(known_combinations, qi) as table
    from query(sqlanon._fill($$
        select 1 as release, target as class_id, {labels} from {combinations} where is_box
    $$, map {
        'labels': sqlanon._each(qi, 'coalesce(b{i}, sqlanon._raw_text(v{i})) as l{i}, r{i}', ', '),
        'combinations': known_combinations}));

-- The points that the labels of boxes and of a release cover, as of _covered_points.
create or replace macro sqlanon._covered_by_boxes(target_boxes, release_classes, hierarchy, qi) as table
    with released_column as materialized (
        from sqlanon._released_columns(release_classes, target_boxes, qi)
    ),
    label as materialized (from sqlanon._labels_of_both(target_boxes, release_classes, qi))
    from sqlanon._covered_points('label', 'released_column', hierarchy, 'released_column');

-- The classes of a release, of number 1, that overlap each box: target, class_id. A box that nothing can be
-- in is an error.
create or replace macro sqlanon._locate_boxes(release_classes, target_boxes, hierarchy, qi) as table
    with covered as materialized (
        from sqlanon._covered_by_boxes(target_boxes, release_classes, hierarchy, qi)
    )
    select one::integer as target, other as class_id
    from sqlanon._overlaps_of_classes(target_boxes, release_classes, 'covered', qi)
    union all
    select error('column ' || sqlanon._list(qi)[empty.d] || ' of the targets has the value ' || empty.string
                 || ', which covers nothing')::integer, null
    from sqlanon._long(target_boxes, qi, 'l{i}') as empty
    left join covered on covered.d = empty.d and covered.label = empty.string
    where empty.string is not null and covered.d is null;

-- Where points and boxes are: release, target, class_id, as of _locate_either. Nobody knows which centroid is
-- nearest to a box.
create or replace macro sqlanon._locate_known(
    release_classes, target_combinations, hierarchy, qi, by_distance, covering, formats,
    unknown) as table
    with known as materialized (
        from sqlanon._known_combinations(target_combinations, formats, unknown, qi)
    ),
    point as materialized (from sqlanon._target_points('known', qi)),
    box as materialized (from sqlanon._target_boxes('known', qi))
    select release, target, class_id
    from sqlanon._locate_either(release_classes, 'point', hierarchy, qi, by_distance, covering)
    where target is null or target not in (select class_id from box)
    union all
    from query(list_aggregate(
        list_transform(by_distance, lambda nearest, number:
            if(nearest,
               'select ' || number || ', error(''nearest is for targets that are known exactly, and some '
               || 'have an unknown cell or one that is a range, a set or a mask'')::integer, null from box',
               'select ' || number || ' as release, * ' || sqlanon._call('_locate_boxes', [
                   sqlanon._literal(
                       '(select * replace (1 as release) from ' || release_classes || ' where release = '
                       || number || ')'),
                   sqlanon._literal('box'), sqlanon._literal(hierarchy), sqlanon._names(qi)]))),
        'string_agg', ' union all '));
