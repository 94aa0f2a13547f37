-- What the attacks on two releases have in common.

-- The names of two releases, or an error. how: what more is to be said of them in it, or an empty text.
create or replace macro sqlanon._two_releases(releases, how) as
    case when len(sqlanon._list(releases)) = 2 then sqlanon._list(releases)
         else error('releases must name two releases' || how || ', not ' || len(sqlanon._list(releases)))
    end;

-- The formats of both as the text of a list with that of each, or of NULL.
create or replace macro sqlanon._formats_of_two(formats, releases, qi) as
    coalesce(
        '[' || list_aggregate(
            list_transform(sqlanon._formats_of_releases(formats, releases, qi), lambda of_release:
                sqlanon._formats_text(of_release)), 'string_agg', ', ')
        || ']', 'null') || '::varchar[][]';

-- COMPARED ONCE
--
-- Every attack on two releases compares their classes. Somebody who makes several has them compared before
-- (sqlanon/attack/shared.py): compared_before names five relations, the classes of both, the hierarchies,
-- what labels cover, and which classes overlap. NULL: the attack compares them itself.

-- The classes of one of two releases, where rows have no weight.
create or replace macro sqlanon._classes_to_compare(releases, place, qi, formats) as table
    from query(sqlanon._fill($$
        with _sqlanon_row as (from sqlanon._formatted_source({release}, {=qi}, [], {format}))
        from sqlanon._release_classes('_sqlanon_row', {=qi}, null, {format})
    $$, map {
        'release': sqlanon._literal(releases[place]),
        'format': sqlanon._formats_text(sqlanon._formats_of_releases(formats, releases, qi)[place])}));

-- The text of a query: one of these relations, or what the attack makes itself.
create or replace macro sqlanon._compared(compared_before, place, made) as
    if(compared_before is null, made, 'from ' || compared_before[place]);

-- TWO RELEASES OF A GROWING TABLE

-- The values of the classes of two releases (1 and 2), as in _values_of_cells.
create or replace macro sqlanon._values_of_two(
    earlier, earlier_classes, later, later_classes, qi, sensitive, weight) as table
    select 1 as release, class_id, attribute, value, kind, n
    from sqlanon._class_values(earlier, earlier_classes, qi, sensitive, weight)
    union all
    select 2, class_id, attribute, value, kind, n
    from sqlanon._class_values(later, later_classes, qi, sensitive, weight);

-- The histograms of two releases in values that compare: release, class_id, code, value, n.
create or replace macro sqlanon._histograms_of_two(values_of_two) as table
    with no_truth as (select null::integer as attribute, null::integer as kind),
    sensitive_kind as (from sqlanon._sensitive_kinds(values_of_two, 'no_truth')),
    compared as materialized (from sqlanon._compared_values(values_of_two, 'sensitive_kind')),
    coded as materialized (
        select release, string, value, dense_rank() over (order by value nulls first) as code from compared
    )
    select class_value.release, class_id, code, any_value(coded.value) as value,
           sum(class_value.n)::bigint as n
    from query_table(values_of_two) as class_value
    join coded on coded.release = class_value.release
              and coded.string is not distinct from class_value.value
    group by class_value.release, class_id, code;

-- What compatible classes have of each value of the earlier one: class_id, later_class_id, code, n, later_n.
create or replace macro sqlanon._corresponding(pairs, histograms) as table
    with earlier as (select class_id, code, n from query_table(histograms) where release = 1),
    later as (
        select class_id as later_class_id, code, n as later_n from query_table(histograms) where release = 2
    )
    select class_id, later_class_id, code, n, coalesce(later_n, 0) as later_n
    from query_table(pairs) join earlier using (class_id) left join later using (later_class_id, code);

-- Where the rows of each earlier class with a value could be: class_id, code, room (rows).
create or replace macro sqlanon._room(corresponding) as table
    select class_id, code, sum(later_n)::bigint as room
    from query_table(corresponding) group by class_id, code;

-- No rows, or an error: rows of the earlier release that cannot all be in the later one.
create or replace macro sqlanon._refuse_lost_rows(corresponding, histograms, releases) as table
    select error(sqlanon._moot(
               'class ' || class_id || ' of ' || releases[1] || ' has ' || n || ' rows with '
               || coalesce(value, 'NULL') || ', and the classes of ' || releases[2]
               || ' that they could be in have ' || coalesce(room, 0)
               || ': the second release must have all rows of the first (labels may need hierarchies)'
           )) as refused
    from query_table(histograms) left join sqlanon._room(corresponding) using (class_id, code)
    where release = 1 and coalesce(room, 0) < n;

-- No rows, or an error where values of releases as a whole are lost, which takes no classes: so much is
-- known before the attack is made.
create or replace macro sqlanon._refuse_lost_values(releases, sensitive, weight) as table
    with stated as materialized (
        from query(sqlanon._over_releases(
            list_transform(sqlanon._list(releases), lambda release, number:
                sqlanon._stated_values(release, number, sensitive, weight))))
    ),
    no_truth as (select null::integer as attribute, null::integer as kind),
    kind as (from sqlanon._sensitive_kinds('stated', 'no_truth')),
    total as (
        select value, coalesce(sum(n) filter (release = 1), 0) as earlier,
               coalesce(sum(n) filter (release = 2), 0) as later
        from sqlanon._compared_values('stated', 'kind') group by attribute, key, value
    )
    select error(sqlanon._moot(
               releases[1] || ' has ' || earlier || ' rows with ' || coalesce(value, 'NULL') || ', and '
               || releases[2] || ' has ' || later
               || ': the second release must have all rows of the first')) as refused
    from total where later < earlier;

-- No rows, or an error: what is refused of two releases whose classes are compared. given: as in
-- _refuse_given_hierarchies.
create or replace macro sqlanon._refuse_two_releases(
    first_classes, second_classes, covered, given, hierarchies, releases, qi) as table
    from sqlanon._refuse_empty(first_classes, releases[1])
    union all from sqlanon._refuse_empty(second_classes, releases[2])
    union all from sqlanon._refuse_given_hierarchies(given, hierarchies, qi)
    union all from sqlanon._refuse_unreadable(first_classes, covered, releases[1], qi)
    union all from sqlanon._refuse_unreadable(second_classes, covered, releases[2], qi);

-- An attack on two releases of a growing table. It is a macro that takes relations: pairs of compatible
-- classes (class_id, later_class_id), what corresponds in them, histograms, earlier and later classes.
create or replace macro sqlanon._growing_releases(
    attack, releases, qi, sensitive, hierarchies, weight, formats, compared_before) as table
    with _sqlanon_hierarchy as materialized (
        from query(sqlanon._compared(compared_before, 3, {call _hierarchies}))
    ),
    _sqlanon_earlier as materialized (
        from sqlanon._formatted_source(releases[1], qi, sensitive, formats[1], weight)
    ),
    _sqlanon_later as materialized (
        from sqlanon._formatted_source(releases[2], qi, sensitive, formats[2], weight)
    ),
    _sqlanon_earlier_class as materialized (
        from query(sqlanon._compared(compared_before, 1, {call _release_classes:
            release := '_sqlanon_earlier', formats := text(sqlanon._formats_text(formats[1])), number := 1}))
    ),
    _sqlanon_later_class as materialized (
        from query(sqlanon._compared(compared_before, 2, {call _release_classes:
            release := '_sqlanon_later', formats := text(sqlanon._formats_text(formats[2])), number := 1}))
    ),
    _sqlanon_covered as materialized (
        from query(sqlanon._compared(compared_before, 4, {call _covered_by_both:
            first_classes := '_sqlanon_earlier_class', second_classes := '_sqlanon_later_class',
            hierarchy := sqlanon._if_any(hierarchies, '_sqlanon_hierarchy')}))
    ),
    _sqlanon_pair as materialized (
        select one as class_id, other as later_class_id
        from query(sqlanon._compared(compared_before, 5, {call _overlaps_of_classes:
            first_classes := '_sqlanon_earlier_class', second_classes := '_sqlanon_later_class',
            covered := '_sqlanon_covered'}))
    ),
    _sqlanon_value as materialized (
        from sqlanon._values_of_two(
            '_sqlanon_earlier', '_sqlanon_earlier_class', '_sqlanon_later', '_sqlanon_later_class', qi,
            sensitive, weight)
    ),
    _sqlanon_histogram as materialized (from sqlanon._histograms_of_two('_sqlanon_value')),
    _sqlanon_corresponding as materialized (
        from sqlanon._corresponding('_sqlanon_pair', '_sqlanon_histogram')
    ),
    _sqlanon_refusal as (
        from sqlanon._refuse_two_releases(
            '_sqlanon_earlier_class', '_sqlanon_later_class', '_sqlanon_covered', hierarchies,
            '_sqlanon_hierarchy', releases, qi)
        union all
        from sqlanon._refuse_lost_rows('_sqlanon_corresponding', '_sqlanon_histogram', releases)
    )
    from query(sqlanon._call(attack, [
        '''_sqlanon_pair''', '''_sqlanon_corresponding''', '''_sqlanon_histogram''',
        '''_sqlanon_earlier_class''', '''_sqlanon_later_class''']))
    union all by name
    select refused::bigint as class_id from _sqlanon_refusal;

-- The text of a call of it, once there are two releases and a sensitive column; an error otherwise.
create or replace macro sqlanon._growing_releases_call(
    attack, releases, qi, sensitive, hierarchies, weight, formats, compared_before) as
    case when len(sqlanon._list(sensitive)) <> 1
         then error('sensitive must name one column of both releases, not ' || len(sqlanon._list(sensitive)))
         else sqlanon._checked(qi, sensitive, null, null, weight) end
    || {call _growing_releases:
        releases := sqlanon._two_releases(releases, ', the earlier one first'),
        formats := text(sqlanon._formats_of_two(formats, releases, qi)),
        compared_before := text(sqlanon._names_if_any(compared_before))};

-- TWO RELEASES OF THE SAME ROWS

-- Names by position, as columns have them in the macros: q1, q2, ...
create or replace macro sqlanon._positional_names(qi) as
    list_transform(range(1, len(sqlanon._list(qi)) + 1), lambda i: 'q' || i);

-- The rows of a release: subject (a number), q1, ..., j1, ... (the join columns), record (which one it is, or
-- NULL), rows. Distinct ones with how often they are there, or, in_order, every row with its position as
-- subject.
create or replace macro sqlanon._rows_of_release(
    release, qi, join_columns, truth, weight, formats, in_order) as table
    from query(
        case when in_order and not current_setting('preserve_insertion_order')::boolean
             then error('rows have no order: SET preserve_insertion_order = true first') else '' end
        || sqlanon._fill($$
            select row_number() over () as subject, *
            from (
                select {each qi: src.{c} as q{i}}{joined}, {record} as record, {count} as rows
                from sqlanon._formatted_source({=release}, {=qi}, {others}, {formats}, {=weight}) as src
                {grouped}
            )
        $$, map {
            'joined': sqlanon._each(join_columns, ', src.{c} as j{i}', ''),
            'record': coalesce(nullif(sqlanon._each(truth, 'src.{c}', ''), ''), 'null'),
            'count': if(in_order, '1::bigint', sqlanon._count(weight)),
            'grouped': if(in_order, '', 'group by all'),
            'others': sqlanon._names(sqlanon._list(join_columns) || sqlanon._list(truth)),
            'formats': sqlanon._formats_text(formats)}));

-- No rows, or an error where two releases cannot be matched by position.
create or replace macro sqlanon._refuse_lengths(first_rows, second_rows, releases) as table
    select error(sqlanon._moot(
               'rows are matched by position, but ' || releases[1] || ' has ' || one.rows || ' rows and '
               || releases[2] || ' has ' || other.rows)) as refused
    from (select count(*) as rows from query_table(first_rows)) as one,
         (select count(*) as rows from query_table(second_rows)) as other
    where one.rows <> other.rows and least(one.rows, other.rows) > 0;

-- Unequal lengths are refused before the rows are read as what they say.
create or replace macro sqlanon._refuse_other_lengths(releases, sensitive, weight) as table
    from sqlanon._refuse_lengths(releases[1], releases[2], releases);

-- An attack on two releases of the same rows. It is a macro that takes relations: the rows of both, their
-- classes, what labels cover, and which classes overlap; then qi and join_columns.
create or replace macro sqlanon._releases_of_rows(
    attack, releases, qi, join_columns, hierarchies, truth, weight, formats, in_order, compared_before)
as table
    with _sqlanon_hierarchy as materialized (
        from query(sqlanon._compared(compared_before, 3, {call _hierarchies}))
    ),
    _sqlanon_first as materialized (
        from sqlanon._rows_of_release(releases[1], qi, join_columns, truth, weight, formats[1], in_order)
    ),
    _sqlanon_second as materialized (
        from sqlanon._rows_of_release(releases[2], qi, join_columns, truth, weight, formats[2], in_order)
    ),
    _sqlanon_first_class as materialized (
        from query(sqlanon._compared(compared_before, 1, {call _release_classes:
            release := '_sqlanon_first', qi := sqlanon._positional_names(qi), weight := 'rows',
            formats := text(sqlanon._formats_text(formats[1])), number := 1}))
    ),
    _sqlanon_second_class as materialized (
        from query(sqlanon._compared(compared_before, 2, {call _release_classes:
            release := '_sqlanon_second', qi := sqlanon._positional_names(qi), weight := 'rows',
            formats := text(sqlanon._formats_text(formats[2])), number := 1}))
    ),
    _sqlanon_covered as materialized (
        from query(sqlanon._compared(compared_before, 4, {call _covered_by_both:
            first_classes := '_sqlanon_first_class', second_classes := '_sqlanon_second_class',
            hierarchy := sqlanon._if_any(hierarchies, '_sqlanon_hierarchy')}))
    ),
    _sqlanon_overlap as materialized (
        from query(sqlanon._compared(compared_before, 5, {call _overlaps_of_classes:
            first_classes := '_sqlanon_first_class', second_classes := '_sqlanon_second_class',
            covered := '_sqlanon_covered'}))
    ),
    _sqlanon_refusal as (
        from sqlanon._refuse_two_releases(
            '_sqlanon_first_class', '_sqlanon_second_class', '_sqlanon_covered', hierarchies,
            '_sqlanon_hierarchy', releases, qi)
        union all
        from sqlanon._refuse_lengths('_sqlanon_first', '_sqlanon_second', releases) where in_order
    )
    from query(sqlanon._call(attack, [
        '''_sqlanon_first''', '''_sqlanon_second''', '''_sqlanon_first_class''', '''_sqlanon_second_class''',
        '''_sqlanon_covered''', '''_sqlanon_overlap''', sqlanon._names(qi), sqlanon._names(join_columns)]))
    where (select count(refused) from _sqlanon_refusal) = 0;
