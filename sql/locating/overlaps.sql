-- Overlaps: which classes of two releases somebody could be in both of.
--
-- Classes are compatible if in every attribute one raw value is under both labels. Labels are read as covers
-- reads them, over a domain that has a value wherever two labels can meet: what hierarchies have, what labels
-- name, and what lies between two bounds. Then each label of one release covers a list of labels of the
-- other, so that a class of the other is a point among boxes, as a target is for locate.

-- What labels name: d, value. names: d, name.
create or replace macro sqlanon._named_values(labels, hierarchy, names) as table
    with reading as (from sqlanon._readings(labels)),
    mask as (select d, label, length(label) as characters, prefix from reading where form = 'mask'),
    inner_mask as (from mask where rtrim(label, '*') <> prefix)
    select d, null::varchar as value from query_table(labels)
    union select d, label from reading where form in ('value', 'mask')
    union select d, unnest(elements) from reading where form = 'set'
    union select d, unnest([lo, hi]) from reading where form = 'interval'
    union select d, replace(label, '*', '0') from mask
    -- Masks of which neither is within the other, 1*0 and 10*, meet where each has a character.
    union
    select d, list_aggregate(
                  list_transform(range(1, characters + 1), lambda i:
                      case when one.label[i] = '*' then other.label[i] else one.label[i] end),
                  'string_agg', '')
    from inner_mask as one join mask as other using (d, characters)
    union
    select d, value
    from query_table(hierarchy) as hierarchy_row
    join query_table(names) as names on lower(names.name) = lower(hierarchy_row.attribute);

-- A number, and a point in time, between any two that are next to each other, and on either side of all; and
-- the text that follows each text: d, value. named: as above.
create or replace macro sqlanon._values_between(named) as table
    with spelled as (
        select d, value, case when sqlanon._spells_number(value) then try_cast(value as double) end as number,
               epoch_us(try_cast(value as timestamp)) as moment
        from query_table(named)
    ),
    finite as (
        select distinct d, moment is not null as is_moment, coalesce(moment, number) as place
        from spelled where isfinite(coalesce(moment, number))
    ),
    neighbor as (
        select d, is_moment, place,
               lag(place) over (partition by d, is_moment order by place) as below,
               lead(place) over (partition by d, is_moment order by place) as above
        from finite
    ),
    between_two as (
        select d, is_moment, (place + coalesce(above, place + 2)) / 2 as place from neighbor
        union all
        select d, is_moment, place - 1 from neighbor where below is null
    )
    select d, case when is_moment then make_timestamp(place::bigint)::varchar else place::varchar end as value
    from between_two
    union all
    select d, value || chr(1) from spelled where number is null and moment is null and value is not null
    union all
    select distinct d, '' from spelled;

-- The labels of a release that labels of an earlier one meet: d, label (of the earlier one), lo, hi, members
-- (codes of labels, as boxes have them). covered: as of _covered, of the labels of both. later_codes: d,
-- value, code. Pairs of labels are compared, attribute by attribute.
create or replace macro sqlanon._label_overlaps(earlier_labels, later_codes, covered, qi) as table
    with met as (
        from query(sqlanon._each(qi, replace(replace(replace($$
            select {i}::integer as d, one.label, other.code
            from (select cover.label, lo, hi, members
                  from {covered} as cover join {earlier} as earlier
                    on earlier.d = cover.d and earlier.label is not distinct from cover.label
                  where cover.d = {i}) as one
            join (select code, lo, hi, members
                  from {covered} as cover join {later} as later
                    on later.d = cover.d and later.value is not distinct from cover.label
                  where cover.d = {i}) as other
              on one.lo <= other.hi and other.lo <= one.hi
            where one.members is null and other.members is null
               or list_has_any(coalesce(one.members, range(one.lo, one.hi + 1)::integer[]),
                               coalesce(other.members, range(other.lo, other.hi + 1)::integer[]))
        $$, '{covered}', covered), '{earlier}', earlier_labels), '{later}', later_codes), ' union all '))
    )
    select d, label, min(code)::integer as lo, max(code)::integer as hi,
           case when count(*) <= max(code) - min(code) then list_sort(list(code)) end as members
    from met group by d, label;

-- Classes of a release as targets are for locate: target, v1, ..., r1, ... (kinds of the columns).
create or replace macro sqlanon._classes_as_targets(release_classes, qi) as table
    from query(sqlanon._fill($$select class_id::integer as target, {columns} from {classes}$$, map {
        'columns': sqlanon._each(
            qi, 'l{i} as v{i}, sqlanon._kind_of_released(typeof(q{i})) as r{i}', ', '),
        'classes': release_classes}));

-- Every pair of compatible classes: class_id, later_class_id. Both relations: as of _release_classes.
create or replace macro sqlanon._compatible_classes(
    release_classes, later_classes, hierarchy, qi) as table
    with name as (from sqlanon._numbered_names(qi)),
    later_target as materialized (from sqlanon._classes_as_targets(later_classes, qi)),
    earlier_label as materialized (
        select d, string as label from sqlanon._long(release_classes, qi, 'l{i}')
    ),
    later_code as materialized (
        select d, string as value,
               (row_number() over (partition by d order by string nulls first) - 1)::integer as code
        from sqlanon._long('later_target', qi, 'v{i}')
    ),
    label as materialized (from earlier_label union select d, value from later_code),
    column_kind as (from sqlanon._column_kinds(release_classes, 'later_target', qi)),
    named as materialized (from sqlanon._named_values('label', hierarchy, 'name')),
    value as (from named union from sqlanon._values_between('named')),
    domain as materialized (from sqlanon._coded_domain('value', 'column_kind')),
    covered as materialized (from sqlanon._covered('label', 'domain', hierarchy, 'name')),
    overlap as materialized (from sqlanon._label_overlaps('earlier_label', 'later_code', 'covered', qi)),
    box as materialized (from sqlanon._boxes(release_classes, 'overlap', qi)),
    point as materialized (from sqlanon._target_codes('later_target', 'later_code', qi)),
    keys as materialized (from sqlanon._keys('box', 'point', qi)),
    written as materialized (from sqlanon._written_boxes('box', 'keys', qi))
    select class_id, target as later_class_id from sqlanon._located('written', 'point', 'keys', qi);
