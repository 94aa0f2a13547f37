-- How many rows of a release meet a condition, in SQL alone: as `sqlanon ask`, without a question to read.
--
-- The condition is on numbers, each between two ends, and on texts, each one of a list. Little is declared: a
-- number may be fractional, a missing value may be a suppressed cell, and a text that is neither listed nor
-- known to be a value stands for anything. So bounds are true, and at times wider than those of a policy that
-- says more.

-- The columns of a condition: d (their number: numbers first), kind, is_generalized, lo, hi.
create or replace macro sqlanon._columns_of_condition(names, numeric_columns, unchanged) as table
    select d::integer as d, if(d <= numeric_columns, 'number', 'text') as kind,
           not list_contains(sqlanon._lower(unchanged), lower(sqlanon._list(names)[d])) as is_generalized,
           null::double as lo, null::double as hi
    from range(1, len(sqlanon._list(names)) + 1) as numbers(d);

-- The texts that there are: those of the condition (names, and a list for each), of hierarchies, and in sets.
create or replace macro sqlanon._texts_of_condition(labels, said, names, texts) as table
    select list_position(sqlanon._list(names), name)::integer as d, unnest(listed) as value
    from (select unnest(map_entries(texts), recursive := true)) as entry(name, listed)
    union
    select d, value from query_table(said)
    union
    select d, unnest(said.elements) from query_table(labels)
    where kind = 'text' and said.form = 'set';

-- Masks, which no list of texts exhausts: as in _texts_of_labels. under: what hierarchies say of labels.
create or replace macro sqlanon._masks_of_other_texts(labels, under) as table
    select d, code, null::varchar as value, false as is_null, true as is_other, 0 as weight
    from query_table(labels) anti join query_table(under) using (d, label)
    where kind = 'text' and said.form = 'mask';

-- The pieces of a range, NULL as an end for none: 1 within, 0 below and 2 above it. (What is below a missing
-- end has NULL as its own ends, which no label touches: NULL - inf is NULL, a number - inf is -inf.)
create or replace macro sqlanon._pieces_of_range(lo, hi) as
    format('[0, 1, 2, null], ''{}''::double[], ''{}''::double[]',
        [lo - 'inf'::double, coalesce(lo, '-inf'), nextafter(hi, 'inf'::double), 'nan'],
        [nextafter(lo, '-inf'::double), coalesce(hi, 'inf'), hi + 'inf'::double, 'nan']);

-- An error, or an empty text.
create or replace macro sqlanon._condition_checked(names, ranges, texts, group_by, suppressed_rows) as
    case when len(names) = 0
         then error('a condition has ranges or texts: ranges := map {''age'': [30, 49]}')
         when len(list_distinct(sqlanon._lower(names))) < len(names)
         then error('a column of the condition is named twice')
         when coalesce(suppressed_rows, -1) < 0
         then error('suppressed_rows must be the number of rows that the release has left out, at least 0')
         when len(list_filter(map_values(ranges), lambda ends:
                  len(ends) = 2 and coalesce(ends[1] <= ends[2], true))) < len(map_keys(ranges))
         then error('a range is [least, most], such as map {''age'': [30, 49]}; NULL for no end')
         when len(list_filter(map_values(texts), lambda listed:
                  len(listed) > 0 and len(list_distinct(listed)) = len(listed))) < len(map_keys(texts))
         then error('texts are a list for each column, each text once: map {''ward'': [''North'']}')
         when len(list_filter(group_by, lambda name: not list_contains(map_keys(texts), name))) > 0
         then error('column "'
                    || list_filter(group_by, lambda name: not list_contains(map_keys(texts), name))[1]
                    || '" in group_by is none of texts, which list the groups')
         else '' end;

create or replace macro sqlanon._answer(
    release, suppressed_rows, unchanged, names, numeric_columns, texts, hierarchies, pieces, decided, met,
    groups) as table
    with _sqlanon_hierarchy as materialized (from sqlanon._hierarchies(hierarchies)),
    _sqlanon_said as materialized (
        select list_position(sqlanon._list(names), attribute)::integer as d, label, value
        from _sqlanon_hierarchy where list_contains(sqlanon._list(names), attribute)
    ),
    _sqlanon_declared as materialized (from sqlanon._columns_of_condition(names, numeric_columns, unchanged)),
    _sqlanon_label as materialized (
        from sqlanon._labels_for_questions(release, names, '_sqlanon_declared', '*')
    ),
    _sqlanon_under as materialized (from sqlanon._labels_of_some_values('_sqlanon_said')),
    _sqlanon_value as (
        from sqlanon._texts_of_condition('_sqlanon_label', '_sqlanon_said', names, texts)
    ),
    _sqlanon_range as materialized (
        from sqlanon._ranges_of_labels('_sqlanon_label', '_sqlanon_under', '_sqlanon_declared')
    ),
    _sqlanon_text as materialized (
        from sqlanon._texts_of_labels('_sqlanon_label', '_sqlanon_value', '_sqlanon_under')
        union all
        from sqlanon._masks_of_other_texts('_sqlanon_label', '_sqlanon_under')
    ),
    _sqlanon_row as materialized (
        from sqlanon._rows_for_questions(
            release, '_sqlanon_label', names, []::varchar[], null, null, []::varchar[], suppressed_rows)
    ),
    _sqlanon_met as (
        from sqlanon._boxes_met(
            '_sqlanon_row', range(1, len(sqlanon._list(names)) + 1), pieces, decided, met, groups,
            'sum(n) as n')
    )
    from sqlanon._answers_of_counts(
        '_sqlanon_met',
        (select coalesce(sum(n) / nullif(sum(n) filter (not is_suppressed), 0), 1)::double from _sqlanon_row),
        false);

-- The answer as a statement: a row for each combination of the groups, in the order of their lists.
create or replace macro sqlanon._answer_statement(
    tbl, suppressed_rows, unchanged, names, ranges, texts, hierarchies, group_by) as
    sqlanon._fill($$
        select {shown}coalesce(lower, 0) as lower, coalesce(upper, 0) as upper,
               coalesce(estimate, 0) as estimate
        from (select count(*) from (select {every} from {rows} limit 0)){groups}
        left join sqlanon._answer(
            {tbl}, {suppressed}, {unchanged}, {names}, {numeric}, {texts}::map(varchar, varchar[]),
            {hierarchies}, {pieces}, {decided}, {met}, {numbers}) as told on told.g = [{nth}]::integer[]
        order by [{nth}]::integer[]
    $$, map {
        'every': sqlanon._each(names || unchanged, '{c}', ', '), 'rows': sqlanon._relation(tbl),
        'shown': sqlanon._each(group_by, 'group{i}.value as {c}, ', ''),
        'groups': coalesce(list_aggregate(list_transform(group_by, lambda name, i: format(
            ' cross join (select unnest({}) as value, unnest(range(1, {})) as nth) as group{}',
            sqlanon._names_of(texts[name]), len(texts[name]) + 1, i)), 'string_agg', ''), ''),
        'nth': sqlanon._each(group_by, 'group{i}.nth', ', '),
        'tbl': sqlanon._literal(tbl), 'hierarchies': sqlanon._optional(hierarchies),
        'suppressed': suppressed_rows::varchar, 'unchanged': sqlanon._names_of(unchanged),
        'names': sqlanon._names_of(names), 'numeric': len(map_keys(ranges))::varchar,
        'texts': 'map {' || coalesce(list_aggregate(list_transform(map_entries(texts), lambda entry:
                     sqlanon._literal(entry['key']) || ': ' || sqlanon._names_of(entry['value'])),
                     'string_agg', ', '), '') || '}',
        'pieces': sqlanon._names_of(
            list_transform(map_entries(ranges), lambda entry, i: format(
                'from sqlanon._values_of_numbers(''_sqlanon_range'', {}, {})', i,
                sqlanon._pieces_of_range(entry['value'][1]::double, entry['value'][2]::double)))
            || list_transform(map_keys(texts), lambda name, i: format(
                'from sqlanon._values_of_texts(''_sqlanon_text'', {}, [null])',
                len(map_keys(ranges)) + i))),
        'decided': sqlanon._names_of(
            list_transform(map_keys(ranges), lambda name, i: format('d{0} = 1 as a{0}', i))
            || list_transform(map_entries(texts), lambda entry, i: format(
                'list_contains({1}, d{0}) as a{0}' || if(list_contains(group_by, entry['key']),
                ', list_position({1}, d{0}) as g{0}', ''),
                len(map_keys(ranges)) + i, sqlanon._names_of(entry['value'])))),
        'met': sqlanon._literal(list_aggregate(
            list_transform(names, lambda name, i: 'a' || i), 'string_agg', ' and ')),
        'numbers': sqlanon._names_of(
            list_transform(group_by, lambda name: 'g' || list_position(names, name)))});

create or replace macro sqlanon.answer(
    tbl, suppressed_rows, unchanged := null, ranges := null, texts := null, hierarchies := null,
    group_by := null) as table
    from query(
        sqlanon._let(
            {'ranges': coalesce(ranges, map([]::varchar[], []::double[][])),
             'texts': coalesce(texts, map([]::varchar[], []::varchar[][])),
             'groups': sqlanon._list_of_any(group_by), 'unchanged': sqlanon._list_of_any(unchanged)},
            lambda told: sqlanon._let(
                map_keys(told['ranges']) || map_keys(told['texts']),
                lambda own_columns:
                    sqlanon._condition_checked(
                        own_columns, told['ranges'], told['texts'], told['groups'], suppressed_rows)
                    || sqlanon._answer_statement(
                        tbl, coalesce(suppressed_rows, 0), told['unchanged'], own_columns, told['ranges'],
                        told['texts'], hierarchies, told['groups']))));

comment on macro table sqlanon.answer is $$
Counts the rows behind a release that meet a condition, between bounds that are true, without the source.

Parameters:
- tbl (table): the release, a row for each row of the source that it has not left out.
- suppressed_rows (integer): how many rows it has left out. They may meet any condition.
- unchanged (columns; default null): its columns that have the values of the source. The values of all others
  are read as labels.
- ranges (map of lists of numbers or NULL; default null): column -> [least, most], which both belong to it:
  map {'age': [30, 49]}; NULL for no end. Rows without a value do not meet it.
- texts (map of lists of texts; default null): column -> the texts of which a row has one.
- hierarchies (table; default null): rows of attribute, value, level and label, by which labels are
  read. A label that is neither known nor a range, set or mask may stand for anything.
- group_by (columns; default null): columns of texts: each listed text is a group of its own.

Result:
- <group_by> (text): the texts of the group.
- lower (integer): the number of rows that surely meet the condition.
- upper (integer): the number of rows that may meet it.
- estimate (number): what there would be if values were spread evenly within labels.

Errors: unknown column, no condition, a range whose least is more than its most, a column in group_by that
texts do not list, suppressed_rows below 0.

Notes: a function of the release alone, so that any number of answers tells no more than it does. Bounds hold
for releases in classes (mondrian, datafly, generalize and others), not for centroids or noise. `sqlanon ask`
reads questions in SQL, and answers sums, means, shares and numbers of people, too.

Example:
from sqlanon.answer('east', 0, unchanged := 'disease', ranges := map {'age': [20, 33]},
    texts := map {'disease': ['flu', 'asthma', 'cancer']}, group_by := 'disease');
$$;
