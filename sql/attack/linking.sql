-- Linking: a register of people, with their names, against a release (Sweeney 2002, sec. 1, example 1).
--
-- Whoever is in the release is in a class that covers them. If these classes have one row, it is theirs;
-- otherwise every row is as likely as the others, and what they have in a sensitive column as probable as it
-- is frequent among them. That is the intersection attack on one release.
--
-- People are reduced to distinct combinations of quasi-identifiers first, and located as by locate.

-- The values of the classes of one release, as in _values_of_cells.
create or replace macro sqlanon._values_of_classes(release, release_classes, qi, sensitive, weight) as table
    select 1 as release, class_id, attribute, value, kind, n
    from sqlanon._class_values(release, release_classes, qi, sensitive, weight);

-- The rows that each located target may have: target, classes (how many), candidates (their rows), exclusive
-- (those of these rows that nobody else matches). located: target, class_id.
create or replace macro sqlanon._candidate_rows(located, release_classes, target_combinations) as table
    with match as (
        select class_id, sum(people)::bigint as people
        from query_table(located) join query_table(target_combinations) using (target) group by class_id
    )
    select target, count(*) as classes, sum(size)::bigint as candidates,
           coalesce(sum(size) filter (people = 1), 0)::bigint as exclusive
    from query_table(located)
    join query_table(release_classes) using (class_id)
    join match using (class_id)
    group by target;

-- The most frequent value among these rows, of equally frequent ones the first: target, attribute, code, n
-- (how many have it).
create or replace macro sqlanon._linked_values(located, histogram) as table
    with counted as (
        select target, attribute, code, sum(n)::bigint as n
        from query_table(located) join query_table(histogram) using (class_id)
        group by target, attribute, code
    )
    select target, attribute, -max(row(n, -code))[2] as code, max(n) as n
    from counted group by target, attribute;

-- The outcome for people, a row for each of the sensitive columns, or one without any: who, attribute,
-- actuals, target, classes, candidates, exclusive, value, n, baseline.
create or replace macro sqlanon._linked_people(
    people, linked_rows, linked_values, sensitive_domain, release_classes, attributes) as table
    with baseline as (
        select attribute, max(share) as baseline from query_table(sensitive_domain) group by attribute
        union all
        select 0, 1 / sum(size) from query_table(release_classes)
    )
    select who, baseline.attribute, actuals, linked.target, coalesce(classes, 0) as classes,
           coalesce(candidates, 0) as candidates, coalesce(exclusive, 0) as exclusive, value,
           coalesce(n, 1) as n, baseline
    from query_table(people) as person
    cross join (from baseline where list_contains(attributes, attribute)) as baseline
    left join query_table(linked_rows) as linked on linked.target = person.target
    left join query_table(linked_values) as likely
      on likely.target = person.target and likely.attribute = baseline.attribute
    left join query_table(sensitive_domain) as domain on domain.code = likely.code;

-- All of it: who, sensitive (the column), learned, confidence, baseline, is_right, is_control, candidates,
-- classes, exclusive. (The texts of the truth and, after them, of controls come with the people.)
-- located_before: where everybody is, if that is known (two relations, as in _located_again), or NULL.
-- with_rows: whose row it is, too, where there are sensitive columns.
create or replace macro sqlanon._linking(
    release, targets, id, qi, sensitive, hierarchies, truth, controls, nearest, weight, formats,
    given_formats, unknown, located_before, with_rows, distinct_spellings) as table
    with {steps _release_and_targets:
        columns := qi, others := sqlanon._list(truth) || sqlanon._list(controls)},
    _sqlanon_located as materialized (
        from query(
            if(located_before is null,
               sqlanon._call_of_locating(
                   '_sqlanon_class', '_sqlanon_combination',
                   sqlanon._if_any(hierarchies, '_sqlanon_hierarchy'), qi, [nearest], '_locate',
                   given_formats, unknown),
               sqlanon._call_of_locating_again(located_before, '_sqlanon_combination', qi)))
    ),
    _sqlanon_class_value as materialized (
        from sqlanon._values_of_classes('_sqlanon_released', '_sqlanon_class', qi, sensitive, weight)
    ),
    {steps _values_and_truth},
    _sqlanon_histogram as materialized (
        from sqlanon._class_histograms('_sqlanon_class_value', '_sqlanon_compared', '_sqlanon_domain')
    ),
    _sqlanon_row as materialized (
        from sqlanon._candidate_rows('_sqlanon_located', '_sqlanon_class', '_sqlanon_combination')
    ),
    _sqlanon_value as materialized (from sqlanon._linked_values('_sqlanon_located', '_sqlanon_histogram')),
    _sqlanon_linked as (
        from sqlanon._linked_people(
            '_sqlanon_person', '_sqlanon_row', '_sqlanon_value', '_sqlanon_domain', '_sqlanon_class',
            range(if(with_rows or len(sensitive) = 0, 0, 1), len(sensitive) + 1))
    ),
    _sqlanon_refusal as (
        from _sqlanon_bad_input
        union all from sqlanon._refuse_truth(sensitive, truth)
    )
    select who, sensitive[linked.attribute] as sensitive,
           case when target is null then null
                when linked.attribute = 0 then 're-identified'
                else coalesce(value, 'NULL') end as learned,
           n / nullif(candidates, 0) as confidence, baseline,
           case when target is not null and len(truth) > 0 and linked.attribute > 0
                then value is not distinct from meant end as is_right,
           sqlanon._says(actuals[len(sqlanon._list(truth)) + 1], 'controls') as is_control, candidates,
           classes, exclusive
    from _sqlanon_linked as linked
    left join _sqlanon_meant as meaning
      on meaning.attribute = linked.attribute
     and meaning.actual is not distinct from actuals[linked.attribute]
    union all by name
    select refused::bigint as candidates from _sqlanon_refusal;

-- The text of a call of it, for one question, or for all of them (with_rows).
create or replace macro sqlanon._linking_call(
    release, targets, id, qi, located_before, sensitive, hierarchies, truth, controls, nearest, weight,
    formats, unknown, with_rows, distinct_spellings) as
    sqlanon._checked(qi, sensitive, null, null, weight) || {call _linking:
        truth := text(case when truth is null then 'null' else sqlanon._names(truth) end),
        controls := text(sqlanon._names(controls)), sensitive := text(sqlanon._names(sensitive)),
        nearest := text(sqlanon._boolean_text(coalesce(nearest::boolean, false))),
        formats := text(sqlanon._formats_text(sqlanon._formats_of_releases(formats, release, qi)[1])),
        given_formats := formats, located_before := text(sqlanon._names_if_any(located_before)),
        with_rows := text(with_rows::varchar)};

-- The answer to all questions of a release at once: as in _linking.
create or replace macro sqlanon._linked_by_all(
    release, targets, id, qi, sensitive, located_before := null, hierarchies := null, truth := null,
    controls := null, nearest := false, weight := null, formats := null, unknown := null,
    distinct_spellings := null) as table
    from query({sqlanon._linking_call: with_rows := true});

-- The answer to one of them. linked_before: a relation as in _linked_by_all; sensitive: a column, or NULL.
create or replace macro sqlanon._linking_of_linked(linked_before, id, sensitive := null) as table
    from query(sqlanon._fill($$
        select who as {"id"}, learned, confidence, baseline, is_right, is_control, candidates, classes,
               exclusive
        from {linked_before} where sensitive is not distinct from {column}
    $$, map {'column': sqlanon._optional(sensitive)}));

create or replace macro sqlanon._linking_of_located(
    release, targets, id, qi, located_before, sensitive := null, hierarchies := null, truth := null,
    controls := null, nearest := false, weight := null, formats := null, unknown := null,
    distinct_spellings := null) as table
    from query(sqlanon._fill($$
        select who as {"id"}{sensitive}, learned, confidence, baseline, is_right, is_control, candidates,
               classes, exclusive
        from ({linking})
    $$, map {
        'sensitive': case when len(sqlanon._list(sensitive)) > 0 then ', sensitive' else '' end,
        'linking': {sqlanon._linking_call: with_rows := false}}));

create or replace macro sqlanon.linking(
    release, targets, id, qi, sensitive := null, hierarchies := null, truth := null, controls := null,
    nearest := false, weight := null, formats := null, unknown := null,
    distinct_spellings := null) as table
    from {sqlanon._linking_of_located: located_before := null};

comment on macro table sqlanon.linking is $$
Links people to the rows of a release: one row per target, and per sensitive column if there are several. Each
row of the classes that cover a target, as locate finds them, may be the target's.

Parameters:
- release: as in locate
- targets (table): people with raw values in qi, and the column id.
- id, qi: as in locate
- sensitive (columns; default null): of release, the columns to be learned; if not given, the attack
  re-identifies rows.
- hierarchies: as in locate
- truth (columns; default null): of targets, their true values, one per column in sensitive.
- controls (column; default null): of targets, true for people who are known not to be in the release.
- nearest, weight, formats, unknown: as in locate
- distinct_spellings: as in mondrian

Result:
- <id> (unchanged): the target.
- sensitive (text): with sensitive, the column that is learned.
- learned (text): the most frequent value among the candidate rows, of equally frequent ones the first;
  without sensitive, the word re-identified; NULL: there are no candidates.
- confidence (number): the share of the candidates that have this value; without sensitive, 1 / candidates.
- baseline (number): the share of the most frequent value in the release; without sensitive, 1 / its rows.
- is_right (boolean): is learned the true value? NULL without truth, or if nothing is learned.
- is_control (boolean): is the target one of controls?
- candidates (integer, rows): rows of the release that may be the target's; 1: re-identified for certain, if
  the target is in the release.
- classes (integer): the number of classes with these rows.
- exclusive (integer, rows): candidates that no other target matches. The sum over all targets is the number
  of rows that match exactly one person.

Errors: unknown column, empty table, a target twice, a hierarchy that is not a tree, truth without sensitive,
a weight as in classes, an unknown format, a cell of the targets that does not fit its format.

Notes: labels are read as covers reads them; unread_labels lists those that could not be read. To measure how
many re-identifications are right, give a column of record numbers as sensitive, and the same column of
targets as truth. Controls match rows like other targets.

Source: Sweeney 2002, sec. 1.

Example:
from sqlanon.linking('east', 'voters', id := 'name', qi := ['age', 'zip'], sensitive := 'disease');
$$;
