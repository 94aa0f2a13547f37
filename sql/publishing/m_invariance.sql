-- m-invariance (Xiao and Tao 2007): what several releases of a table that grows and shrinks tell together.
--
-- A release is m-unique if every class has m rows or more, and no sensitive value twice. The values of
-- somebody's class are their signature. If all releases are m-unique, and everybody has the same signature in
-- all releases that they are in, then the classes of nobody share fewer than m values, however many releases
-- there are.
--
-- With several sensitive columns a signature is of rows, and no column has a value twice in a class: then as
-- many values of each column are left as rows.
--
-- A checker does not know who is in which class, and locates people as the intersection attack does. If
-- several classes cover somebody, the signature may not be known, either; such people are reported.

-- The values of each class: release, class_id, signature (sorted), signature_id (the same number in all
-- releases), most (how many rows have the most frequent one).
create or replace macro sqlanon._signatures(class_values, compared_values) as table
    with class_value as (
        select stated.release, class_id, compared.value, sum(stated.n)::bigint as n
        from query_table(class_values) as stated
        join query_table(compared_values) as compared
          on compared.release = stated.release and compared.string is not distinct from stated.value
        where stated.attribute = 1
        group by stated.release, class_id, compared.value
    )
    select *, dense_rank() over (order by signature) as signature_id
    from (
        select release, class_id, list(value order by value nulls first) as signature, max(n) as most
        from class_value group by release, class_id
    );

-- Signatures with several columns: the signature is of rows, as texts, and most is that of the most frequent
-- value of any column.
create or replace macro sqlanon._row_signatures(cells, compared_values) as table
    with code_of as materialized (from sqlanon._sensitive_domain(compared_values)),
    class_row as materialized (from sqlanon._coded_rows(cells, compared_values, 'code_of')),
    class_value as (
        select release, class_id, code, sum(n)::bigint as n
        from (select release, class_id, n, unnest(codes) as code from class_row)
        group by release, class_id, code
    ),
    most as (select release, class_id, max(n) as most from class_value group by release, class_id),
    shown as (
        select codes, '(' || string_agg(coalesce(value, 'NULL'), ', ' order by attribute) || ')' as shown
        from (select distinct codes, unnest(codes) as code from class_row) join code_of using (code)
        group by codes
    ),
    signed as (
        select release, class_id, list(codes order by codes) as rows,
               list(shown order by codes) as signature
        from class_row join shown using (codes) group by release, class_id
    )
    select release, class_id, signature, most, dense_rank() over (order by rows) as signature_id
    from signed join most using (release, class_id);

-- Where people are, of those who are in the release: release, target, class_id, people.
create or replace macro sqlanon._located_present(located, combinations) as table
    select release, target, class_id, people
    from query_table(located) join query_table(combinations) using (target)
    where coalesce(present[release], true);

-- Classes with fewer than m rows, with a value twice, or with a label that nobody understands: violation,
-- release, class_id, people (those located there; where the label is not understood, anybody may be there).
create or replace macro sqlanon._classes_not_m_unique(
    located, located_present, combinations, release_classes, signatures, m) as table
    with inside as (
        select release, class_id, sum(people)::bigint as people
        from query_table(located_present) group by release, class_id
    ),
    violating as (
        select 'size' as violation, release, class_id from query_table(release_classes) where size < m
        union all
        select 'value', release, class_id from query_table(signatures) where most > 1
    )
    select violation, release, class_id, coalesce(people, 0) as people
    from violating left join inside using (release, class_id)
    union all
    select 'unread', unread.release, class_id,
           (sum(people) filter (coalesce(present[unread.release], true)))::bigint
    from query_table(located) as unread, query_table(combinations)
    where unread.target is null
    group by unread.release, class_id;

-- The signatures that somebody may have in a release that they are in, by where they are located: release,
-- target, people, choices (the numbers of signatures).
create or replace macro sqlanon._signature_choices(located_present, signatures) as table
    select release, target, any_value(people) as people,
           list_sort(list(distinct signature_id)) as choices
    from query_table(located_present) join query_table(signatures) using (release, class_id)
    group by release, target;

-- People whose signatures differ between two releases, the one and the next that they are in, or may differ:
-- violation, earlier, release, signature_id, earlier_signature_id (NULL where there is a choice), people.
-- What is equal from each release to the next is equal in all of them.
create or replace macro sqlanon._changed_signatures(signature_choices) as table
    with following as (
        select release, choices, people, lag(release) over in_time as earlier,
               lag(choices) over in_time as earlier_choices
        from query_table(signature_choices)
        window in_time as (partition by target order by release)
    )
    select if(list_has_any(choices, earlier_choices), 'several', 'signature') as violation, earlier, release,
           if(len(choices) = 1, choices[1], null) as signature_id,
           if(len(earlier_choices) = 1, earlier_choices[1], null) as earlier_signature_id,
           sum(people)::bigint as people
    from following
    where earlier is not null and len(list_distinct(choices || earlier_choices)) > 1
    group by all;

-- People who are in no class: violation, release (NULL: in no release, where presence does not say who is in
-- which), people.
create or replace macro sqlanon._not_located(located_present, combinations, releases) as table
    select 'unlocated' as violation, release, sum(people)::bigint as people
    from (
        select target, people, unnest(
            case when present is null then [null]
                 else list_filter(range(1, len(releases) + 1), lambda number: present[number]) end) as release
        from query_table(combinations)
    ) as expected
    where not exists (
        from query_table(located_present) as found
        where found.target = expected.target and found.release = coalesce(expected.release, found.release)
    )
    group by release;

-- The classes as they are released: release, class_id, class.
create or replace macro sqlanon._labels_of_classes(cells, qi, group_id) as table
    from query(sqlanon._fill($$
        select release, class_id, struct_pack({each qi: {c} := any_value(l{i})}{group}) as class
        from {cells} group by release, class_id
    $$, map {'group': sqlanon._each(group_id, ', {c} := any_value(division)::varchar', '')}));

create or replace macro sqlanon._m_invariance(
    releases, targets, id, qi, sensitive, m, hierarchies, presence, group_id, weight, formats) as table
    with _sqlanon_hierarchy as materialized (from sqlanon._hierarchies(hierarchies)),
    _sqlanon_target as materialized (
        from sqlanon._source(targets, qi, [id] || sqlanon._list(presence))
    ),
    _sqlanon_combination as materialized (from sqlanon._target_combinations('_sqlanon_target', qi, presence)),
    _sqlanon_person as materialized (
        from sqlanon._people('_sqlanon_target', id, null, qi, presence, '_sqlanon_combination')
    ),
    _sqlanon_cell as materialized (
        from sqlanon._cells_of_releases(releases, qi, sensitive, weight, formats, group_id)
    ),
    _sqlanon_class as materialized (from sqlanon._classes_of_cells('_sqlanon_cell', qi)),
    _sqlanon_located as materialized (
        from query(sqlanon._call_of_locating(
            '_sqlanon_class', '_sqlanon_combination',
            sqlanon._if_any(hierarchies, '_sqlanon_hierarchy'), qi,
            sqlanon._by_distance(false, releases), '_locate_or_tell', formats, null))
    ),
    _sqlanon_class_value as materialized (from sqlanon._values_of_cells('_sqlanon_cell')),
    _sqlanon_no_truth as (from sqlanon._truth_kinds('_sqlanon_target', null)),
    _sqlanon_kind as materialized (
        from sqlanon._sensitive_kinds('_sqlanon_class_value', '_sqlanon_no_truth')
    ),
    _sqlanon_compared as materialized (
        from sqlanon._compared_values('_sqlanon_class_value', '_sqlanon_kind')
    ),
    _sqlanon_signature as materialized (
        from query(
            if(len(sqlanon._list(sensitive)) > 1,
               {call _row_signatures: cells := '_sqlanon_cell', compared_values := '_sqlanon_compared'},
               sqlanon._call('_signatures', ['''_sqlanon_class_value''', '''_sqlanon_compared'''])))
    ),
    _sqlanon_present as materialized (
        from sqlanon._located_present('_sqlanon_located', '_sqlanon_combination')
    ),
    _sqlanon_choice as (from sqlanon._signature_choices('_sqlanon_present', '_sqlanon_signature')),
    _sqlanon_refusal as (
        from sqlanon._refuse_people('_sqlanon_person', targets, id)
        union all from sqlanon._refuse_lists(releases, sensitive, null, presence)
        union all from sqlanon._refuse_given_hierarchies(hierarchies, '_sqlanon_hierarchy', qi)
        union all from sqlanon._refuse_empty_releases('_sqlanon_class', releases)
    ),
    _sqlanon_violation as (
        from sqlanon._classes_not_m_unique(
            '_sqlanon_located', '_sqlanon_present', '_sqlanon_combination', '_sqlanon_class',
            '_sqlanon_signature', m)
        union all by name
        from sqlanon._changed_signatures('_sqlanon_choice')
        union all by name
        from sqlanon._not_located('_sqlanon_present', '_sqlanon_combination', releases)
    ),
    _sqlanon_label as (from sqlanon._labels_of_classes('_sqlanon_cell', qi, group_id)),
    _sqlanon_distinct_signature as (select distinct signature_id, signature from _sqlanon_signature)
    select violation, releases[release] as release, class, size, people,
           coalesce(in_class.signature, changed.signature) as signature,
           releases[earlier] as earlier_release, before.signature as earlier_signature
    from _sqlanon_violation
    left join _sqlanon_label using (release, class_id)
    left join _sqlanon_class using (release, class_id)
    left join _sqlanon_signature as in_class using (release, class_id)
    left join _sqlanon_distinct_signature as changed on changed.signature_id = _sqlanon_violation.signature_id
    left join _sqlanon_distinct_signature as before on before.signature_id = earlier_signature_id
    union all by name
    select refused::bigint as size from _sqlanon_refusal;

create or replace macro sqlanon.m_invariance(
    releases, targets, id, qi, sensitive, m := 2, hierarchies := null, presence := null, group_id := null,
    weight := null, formats := null) as table
    from query({statement:
        sqlanon._checked(qi, sensitive, group_id, null, weight)
        || {call _m_invariance:
            m := sqlanon._whole_given(m, 'm'),
            presence := text(sqlanon._names_if_any(presence))}});

comment on macro table sqlanon.m_invariance is $$
Checks whether releases of a table that people join and leave are m-invariant together, so that at least m
sensitive values stay possible for everybody: one row per violation. No rows: they are.

Parameters:
- releases (list of tables): the releases in the order of time, all with the columns in qi and sensitive.
- targets (table): everybody who is or was in the table, with raw values in qi, and the column id.
- id (column): of targets, identifies the person; each person must be there once.
- qi (columns): the quasi-identifiers, by which people are found in the classes.
- sensitive (columns): the sensitive columns of the releases. With several, each combination of their values
  counts as one value, and in a class no column may have a value twice.
- m (integer, at least 1; default 2): the least number of rows, all with different values, in a class.
- hierarchies (table; default null): rows of attribute, value, level and label: the values that released
  labels stand for.
- presence (list of columns; default null): of targets, one per release: true: the person is in it; false or
  NULL: the person is not. If not given, people are in a release if a class covers them.
- group_id (column; default null): of all releases, the class of a row, if several classes may have the same
  labels, such as those of m_invariant.
- weight (column; default null): of all releases, how many people each row stands for, as in classes.
- formats: as in locate

Result:
- violation (text): size: a class with fewer than m rows. value: a class that has a value twice, in any
  column. signature: people whose classes have other values than in the release before. several: people in
  several classes, some with the same values as before and some with others, so that it is not known.
  unlocated: people in no class. unread: a class with a label that could not be read.
- release (text): the release; NULL: people who are in no class of any release.
- class (struct): for size, value and unread: the labels of the class, as text.
- size (integer, rows): the size of the class.
- people (integer): the number of targets concerned: those found in the class; for unread all targets in the
  release, who may be in the class.
- signature (list of texts): the values (with several columns: the combinations) in the class, or in the
  classes of these people, sorted; NULL if these differ.
- earlier_release (text): for signature and several: the last release before that these people are in.
- earlier_signature (list of texts): their values there; NULL if these differ.

Errors: unknown column, no targets, a target twice, an empty release, a hierarchy that is not a tree, a weight
as in classes, an unknown format.

Notes: a release is m-unique if it has no violations of size and value. If also nobody's signature (the values
of their class) changes, then all classes of a person have at least m values in common, in any number of
releases (with several columns, in each column). Give presence if it is known: a class may cover people who
are not in the release. A label of people who are no longer among the targets may be unread. If sensitive
values change, m-invariance guarantees nothing.

Source: Xiao and Tao 2007, m-invariance: towards privacy preserving re-publication of dynamic datasets.

Example:
from sqlanon.m_invariance(['east', 'west'], targets := 'voters', id := 'name', qi := ['age', 'zip'],
                          sensitive := 'disease');
$$;
