-- Unread labels: released labels that cannot be read. An attack finds nobody at such a label, and tells too
-- little, without an error; so does a measure of utility. There are such labels if a release has the labels
-- of a hierarchy that is not given, or spells values in another way than the targets do.
--
-- A label is understood if it covers a value of the targets (see sql/locating/covers.sql), or at least says
-- what it would cover: an interval of what the targets have (numbers, dates or text), a mask, *, a label or
-- value of the column's hierarchy, or a number or a set of them among numbers.

-- The labels of each column with their rows: d, label, string (what the release has), n. release_classes: of
-- one release or several, as in locate. is_rewritten: are formats given, so that the label is not the string?
create or replace macro sqlanon._label_rows(release_classes, qi, is_rewritten := false) as table
    from query(sqlanon._fill($$
        select d, label, string, sum(size)::bigint as n
        from ({labels}) where label is not null group by d, label, string
    $$, map {
        'labels': sqlanon._each_filled(
            qi, 'select ({before} + {i})::integer as d, l{i} as label, '
                || if(is_rewritten, 'released[{i}]', 'l{i}') || ' as string, size from {classes}',
            map {'before': sqlanon._d_before(qi), 'classes': release_classes}, ' union all ')}));

-- Intervals by their bounds: d, label, is_readable (as a kind of value that the targets have), is_ordered (so
-- that the lower bound is not above the upper one). Parameters are relations of _covered_or_unread.
create or replace macro sqlanon._judged_intervals(label_parts) as table
    with bounded as (
        select d, label, kind, count(string) = count(key) as is_readable,
               coalesce(min(key) filter (not is_upper) <= min(key) filter (is_upper), true) as is_ordered
        from query_table(label_parts) where is_upper is not null group by d, label, kind
    )
    select d, label, bool_or(is_readable) as is_readable, bool_or(is_readable and is_ordered) as is_ordered
    from bounded group by d, label;

-- Values and sets by their parts: d, label, has_text (do the targets have text), is_comparable (the targets
-- have something of the kind of each part), is_text (all parts are), is_respelled (the targets have a part of
-- it in another spelling, where both have text).
create or replace macro sqlanon._judged_values(readings, coded_domain) as table
    with part as (
        select d, label, column_kind, has_text, string, kind,
               case when first_code is not null then sqlanon._bound_key(string, kind) end as key
        from (
            select d, label, column_kind, has_text, string,
                   unnest(coalesce(kinds, [{'kind': null, 'first_code': null, 'values': null}]),
                          max_depth := 2)
            from (
                select d, label, column_kind, has_text, kinds,
                       unnest(if(form = 'set', elements, [label])) as string
                from query_table(readings) where form in ('value', 'set') and label is not null
            )
        )
    ),
    judged_part as (
        select d, label, has_text, string, coalesce(bool_or(key is not null), false) as is_comparable,
               coalesce(bool_or(kind = 3 and key is not null), false) or string is null as is_text,
               coalesce(bool_or(kind <> 3 and column_kind is null
                                and (d, key) in (select (d, key) from query_table(coded_domain))),
                        false) as is_respelled
        from part group by d, label, has_text, string
    )
    select d, label, has_text, bool_and(is_comparable) as is_comparable, bool_and(is_text) as is_text,
           bool_or(is_respelled) as is_respelled
    from judged_part group by d, label, has_text;

-- How what is said of a text that none of the targets has begins.
create or replace macro sqlanon._nobodys_value() as 'no value of the targets';

-- What nobody understands: d, label, why. values_under: as in _values_under, or NULL.
create or replace macro sqlanon._unread(readings, label_parts, coded_domain, values_under) as table
    with judged_interval as (from sqlanon._judged_intervals(label_parts)),
    judged_value as (from sqlanon._judged_values(readings, coded_domain))
    from query(sqlanon._fill($$
        select d, label,
               case when is_readable then 'its lower bound is above its upper one'
                    else 'its bounds are nothing that the values of the targets compare with' end as why
        from judged_interval {unexplained} where not is_ordered
        union all
        select d, label,
               case when is_respelled
                    then 'the targets spell this number or date otherwise, and both columns are text: '
                         || 'cast one of them'
                    when {has_hierarchy}
                    then sqlanon._nobodys_value() || ', and not in the hierarchy of the column'
                    when not has_text then 'not a number or date, as the values of the targets are'
                    else sqlanon._nobodys_value() || '; a hierarchy could tell what it stands for'
               end
        from judged_value {unexplained} where not is_comparable or is_text or is_respelled
    $$, map {
        'unexplained': if(values_under is null, '',
            'anti join (select d, label from ' || values_under
            || ' union select d, value from ' || values_under || ') using (d, label)'),
        'has_hierarchy': if(values_under is null, 'false',
            'has_text is not null and d in (select d from ' || values_under || ')')}));

-- What labels cover, as _covered tells, and the labels that nobody understands: these have why in place of
-- lo, hi and members. A label is read once for both.
create or replace macro sqlanon._covered_or_unread(labels, coded_domain, hierarchy, names) as table
    with reading as materialized (from sqlanon._read_labels(labels, coded_domain)),
    part as materialized (from sqlanon._parts_of_labels('reading')),
    piece as (from sqlanon._covered_pieces('reading', coded_domain, 'part')),
    under as materialized (from sqlanon._values_under(hierarchy, names)),
    covered as materialized (
        from sqlanon._covered_by_pieces('piece', coded_domain, sqlanon._if_any(hierarchy, 'under'))
    ),
    unread as (
        from sqlanon._unread('reading', 'part', coded_domain, sqlanon._if_any(hierarchy, 'under'))
    )
    select d, label, lo, hi, members, null as why from covered
    union all
    select d, label, null, null, null, why from unread anti join covered using (d, label);

-- The classes that have one of some labels: release, target (NULL), class_id. labels: d, label.
create or replace macro sqlanon._classes_with(release_classes, labels, qi) as table
    from query(sqlanon._fill($$
        select distinct release, null::integer as target, class_id
        from (select release, class_id, {first_d} + unnest(range(1, {end})) as d,
                     unnest([{each qi: l{i}}]) as label
              from {classes})
        semi join {labels} using (d, label)
    $$, map {
        'first_d': sqlanon._d_before(qi), 'end': (len(sqlanon._list(qi)) + 1)::varchar,
        'classes': release_classes}));

-- The classes of releases that have a label which nobody understands, as in _classes_with.
create or replace macro sqlanon._unread_classes(release_classes, target_combinations, hierarchy, qi) as table
    with released_column as materialized (
        from sqlanon._released_columns(release_classes, target_combinations, qi)
    ),
    domain as materialized (
        from sqlanon._domain_of_releases('released_column', target_combinations, qi)
    ),
    label as (select d, string as label from sqlanon._long_of_releases(release_classes, qi, 'l{i}')),
    unread as (
        select d, label
        from sqlanon._covered_or_unread('label', 'domain', hierarchy, 'released_column') where why is not null
    )
    from sqlanon._classes_with(release_classes, 'unread', qi);

-- Where targets are, as _locate finds them, and the classes that have a label which nobody understands: these
-- have a row without a target.
create or replace macro sqlanon._locate_or_tell(
    release_classes, target_combinations, hierarchy, qi) as table
    with released_column as materialized (
        from sqlanon._released_columns(release_classes, target_combinations, qi)
    ),
    domain as materialized (
        from sqlanon._domain_of_releases('released_column', target_combinations, qi)
    ),
    label as (select d, string as label from sqlanon._long_of_releases(release_classes, qi, 'l{i}')),
    label_read as materialized (
        from sqlanon._covered_or_unread('label', 'domain', hierarchy, 'released_column')
    ),
    covered as (select * from label_read where why is null),
    unread as (select * from label_read where why is not null)
    from sqlanon._locate_covered(
        release_classes, target_combinations, 'domain', 'covered', 'released_column', qi)
    union all
    from sqlanon._classes_with(release_classes, 'unread', qi);

-- FORMATS THAT WOULD DO

-- The formats that are tried, the likelier first: format, place.
create or replace macro sqlanon._tried_formats() as table
    select unnest(['range', 'list', 'set /', 'set ~', 'set |', 'set ;', 'set ,', 'set +', 'set &', 'set  or ',
                   'mask #', 'mask x', 'mask X', 'mask ?', 'mask _', 'mask .', 'mask -']) as format,
           unnest(range(17)) as place;

-- What labels would say in these formats: d, string, format, place, label. Intervals are read already.
-- label_rows: d, string.
create or replace macro sqlanon._tried_labels(label_rows) as table
    select d, string, format, place, label
    from (
        select d, string, format, place, sqlanon._in_notation(string, format) as label
        from (select distinct d, string from query_table(label_rows)), sqlanon._tried_formats()
        where sqlanon._form(string) not in ('any', 'range', 'interval', 'comparison')
    )
    -- ? alone is what is not known, and no mask
    where label <> string and not (format like 'mask %' and regexp_full_match(label, '\**'));

-- The unread labels of a release, and the format that would read them: d, string, n, why, format. A format
-- does if a value of the targets is covered then. of_any_kind: a text that no target has is told only if a
-- target has it in another spelling, or the column has nothing else; and no format is tried, as attacks on
-- such releases take none.
create or replace macro sqlanon._unread_rows(
    label_rows, release_classes, target_combinations, hierarchy, qi, of_any_kind) as table
    with released_column as materialized (
        from sqlanon._released_columns(release_classes, target_combinations, qi)
    ),
    domain as materialized (
        from sqlanon._domain_of_releases('released_column', target_combinations, qi)
    ),
    tried as materialized (from sqlanon._tried_labels(label_rows) where not of_any_kind),
    label as (select d, label from query_table(label_rows) union select d, label from tried),
    label_read as materialized (
        from sqlanon._covered_or_unread('label', 'domain', hierarchy, 'released_column')
    ),
    proposed as (
        select d, string, arg_min(format, place) as format
        from tried semi join (select * from label_read where why is null) using (d, label) group by d, string
    ),
    spelling as (
        select d, sqlanon._spelled_alike(value) as alike, min(value) as value from domain group by d, alike
    ),
    answered as (
        select label_row.d, string, n,
               case when why is not null and value is not null
                    then sqlanon._nobodys_value() || ', which have ' || value else why end as why,
               of_any_kind and value is null and starts_with(why, sqlanon._nobodys_value())
                   and not bool_and(why is not null) over (partition by label_row.d) as may_be_new
        from query_table(label_rows) as label_row left join label_read using (d, label)
        left join spelling
          on spelling.d = label_row.d and spelling.alike = sqlanon._spelled_alike(label_row.label)
         and regexp_matches(label_row.label, '\p{L}')
    )
    select d, string, n, why, format
    from answered left join proposed using (d, string) where why is not null and not may_be_new;

-- The classes of one of several releases, as _release_classes has them but for q1, q2, ..., which may have
-- other types in another release. formats: a list with that of each column in qi, or NULL.
create or replace macro sqlanon._classes_of_release(release, number, qi, formats) as table
    with released as materialized (from sqlanon._formatted_source(release, qi, [], formats)),
    class as (from sqlanon._release_classes('released', qi, formats := formats, number := number))
    from query('select * exclude (' || sqlanon._each(qi, 'q{i}', ', ') || ') from class');

-- The classes of all releases.
create or replace macro sqlanon._classes_of_releases(releases, qi, formats) as table
    from query(sqlanon._let(sqlanon._formats_of_releases(formats, releases, qi), lambda formats_of:
        sqlanon._over_releases(
            list_transform(sqlanon._list(releases), lambda release, number:
                {call _classes_of_release: formats := text(sqlanon._formats_text(formats_of[number]))}))));

create or replace macro sqlanon._unread_labels(
    releases, targets, qi, hierarchies, formats, unknown, of_any_kind) as table
    with _sqlanon_hierarchy as materialized (from sqlanon._hierarchies(hierarchies)),
    _sqlanon_target as materialized (from sqlanon._source(targets, qi, [])),
    _sqlanon_release_class as materialized (from sqlanon._classes_of_releases(releases, qi, formats)),
    _sqlanon_combination as materialized (from sqlanon._target_combinations('_sqlanon_target', qi, null)),
    _sqlanon_point as (from sqlanon._points_of_targets('_sqlanon_combination', formats, unknown, qi)),
    _sqlanon_label as materialized (
        from sqlanon._label_rows('_sqlanon_release_class', qi, formats is not null)
    ),
    _sqlanon_unread as materialized (
        from sqlanon._unread_rows(
            '_sqlanon_label', '_sqlanon_release_class', '_sqlanon_point',
            sqlanon._if_any(hierarchies, '_sqlanon_hierarchy'), qi, of_any_kind)
    ),
    _sqlanon_refusal as (
        from sqlanon._refuse_empty('_sqlanon_combination', targets)
        union all from sqlanon._refuse_empty_releases('_sqlanon_release_class', releases)
        union all from sqlanon._refuse_given_hierarchies(hierarchies, '_sqlanon_hierarchy', qi)
    )
    select (d - 1) // len(qi) + 1 as release, qi[(d - 1) % len(qi) + 1] as attribute, string as label,
           n as rows, why, format
    from (
        from _sqlanon_unread
        union all by name
        select refused::integer as d from _sqlanon_refusal
    )
    order by d, n desc, label;

create or replace macro sqlanon.unread_labels(
    releases, targets, qi, hierarchies := null, formats := null, unknown := null,
    of_any_kind := false) as table
    from query(
        sqlanon._checked(qi, null, null)
        || {call _unread_labels:
            of_any_kind := text(sqlanon._truth_given(of_any_kind, 'of_any_kind')::varchar)});

comment on macro table sqlanon.unread_labels is $$
Lists the released labels that could not be read: one row per release, column and label. No rows: all labels
were read.

Parameters:
- releases (table, or a list of tables): the releases, all with the columns in qi; or one release.
- targets (table): people with raw values in qi.
- qi, hierarchies, formats, unknown: as in locate
- of_any_kind (boolean; default false): true for releases without classes, such as synthetic rows, whose
  values need not be somebody's: a text that no target has is listed only if it differs from a target's value
  by nothing but case, blanks or accents, or if the column has nothing that a target has.

Result:
- release (integer): which of the releases, counted from 1.
- attribute (text): the column.
- label (text): the released label.
- rows (integer, rows): the rows of the release with this label.
- why (text): why it could not be read.
- format (text): the format with which it would cover a value of the targets; NULL if there is none.

Errors: unknown column, empty table, a hierarchy that is not a tree, an unknown format.

Notes: a label counts as read if it covers a value of the targets (as covers reads it), or if it is clear
which values it would cover: an interval of numbers or dates if the targets have such, a mask, *, a label of
hierarchies, or a number if the targets have numbers. A text, or a set of texts, that no target has counts as
not read. NULL is a value. The attacks find nobody in rows with a label that could not be read. Do not use
this macro for releases of centroids.

Example:
with release as (from (values ('twenties'), ('[30, 39]')) as row(age))
from sqlanon.unread_labels('release', 'people', qi := 'age');
$$;
