-- Recode: a table recoded by the scheme of another release (see sql/anonymize/schemes.sql), so that its
-- categories stay the same. A row without a place in the scheme is suppressed, and so are classes that do not
-- meet the requirements with today's rows. If these are more rows than allowed, nothing is released.

-- A scheme: class_id, d (which of qi), covers, label, within and beyond (NULL where it has no such columns).
create or replace macro sqlanon._scheme(scheme, qi) as table
    with complete as (
        from query_table(scheme)
        union all by name
        select null::varchar as within, null::varchar as beyond where false
    )
    select class_id::bigint as class_id,
           list_position(sqlanon._lower(sqlanon._list(qi)), lower(attribute)) as d,
           covers::varchar as covers, label::varchar as label, within::varchar as within,
           beyond::varchar as beyond
    from complete where d is not null;

-- As what the columns of the table compare with its labels: d, kind. target_combinations: as in
-- _target_combinations.
create or replace macro sqlanon._kinds_of_targets(target_combinations, qi) as table
    select d, sqlanon._common_kind(string, sqlanon._kind_of_released('VARCHAR')) as kind
    from sqlanon._long(target_combinations, qi, 'r{i}');

-- What the parts of a scheme cover, and within what: d, covers.
create or replace macro sqlanon._covers_of_scheme(scheme_rows) as table
    select d, covers from query_table(scheme_rows)
    union
    select d, within from query_table(scheme_rows) where within is not null;

-- Which values each of these covers: d, covers, value. scheme_covers: as in _covers_of_scheme.
create or replace macro sqlanon._values_of_scheme(scheme_covers, target_combinations, hierarchy, qi) as table
    with kind as materialized (from sqlanon._kinds_of_targets(target_combinations, qi)),
    value as (select d, string as value from sqlanon._long(target_combinations, qi, 'v{i}')),
    domain as materialized (from sqlanon._coded_domain('value', 'kind')),
    label as (select d, covers as label from query_table(scheme_covers)),
    name as (select d, sqlanon._list(qi)[d] as name from kind),
    covered as materialized (from sqlanon._covered('label', 'domain', hierarchy, 'name'))
    select covered.d, covered.label as covers, domain.value
    from covered join domain
      on domain.d = covered.d and domain.code between covered.lo and covered.hi
     and (members is null or list_contains(members, domain.code));

-- Values without any place: attribute, value.
create or replace macro sqlanon._values_without_place(
    scheme_rows, scheme_values, target_combinations, qi) as table
    select sqlanon._list(qi)[asked.d] as attribute, asked.string as value
    from sqlanon._long(target_combinations, qi, 'v{i}') as asked
    where not exists (
        from query_table(scheme_rows) join query_table(scheme_values) as placed using (d, covers)
        where d = asked.d and placed.value is not distinct from asked.string)
    order by asked.d, value;

-- The classes of a scheme as those of a release, as _locate reads them.
create or replace macro sqlanon._classes_of_scheme(scheme_rows, qi) as table
    from query(sqlanon._fill($$
        select 1 as release, class_id, {labels}, 1 as size
        from {scheme} where class_id is not null group by class_id
    $$, map {
        'labels': sqlanon._each(
            qi, $$max(covers) filter (d = {i}) as l{i}, 'VARCHAR' as t{i}$$, ', '),
        'scheme': scheme_rows}));

-- Where combinations are by the parts of the scheme that recode a column by itself: target, keys (what tells
-- classes apart), labels.
create or replace macro sqlanon._places_by_column(
    scheme_rows, scheme_values, target_combinations, qi) as table
    with part as (
        select scheme.d, value, label
        from query_table(scheme_rows) as scheme
        join query_table(scheme_values) as placed on placed.d = scheme.d and placed.covers = scheme.covers
        where class_id is null
    ),
    cell as (
        from query(sqlanon._fill($$
            select target, unnest(range(1, {end}))::integer as d, unnest([{each qi: v{i}}]) as value
            from {combinations}
        $$, map {'end': (len(sqlanon._list(qi)) + 1)::varchar, 'combinations': target_combinations}))
    )
    select target,
           list(coalesce(label, '=' || cell.value) order by cell.d) as keys,
           list(label order by cell.d) as labels, count(*) as parts
    from cell join part on part.d = cell.d and part.value is not distinct from cell.value
    group by target having count(distinct cell.d) = len(sqlanon._list(qi));

-- What classes are called today: class_id, labels (a list). A label that is not true of a row goes beyond.
-- located: target, class_id.
create or replace macro sqlanon._labels_of_places(
    scheme_rows, located, scheme_values, target_combinations, qi) as table
    with asked as (
        from query(sqlanon._fill($$
            select distinct class_id, unnest(range(1, {end}))::integer as d, unnest([{values}]) as value
            from {located} join {combinations} using (target)
        $$, map {
            'end': (len(sqlanon._list(qi)) + 1)::varchar, 'values': sqlanon._each(qi, 'v{i}', ', '),
            'combinations': target_combinations}))
    ),
    outside as (
        select distinct asked.class_id, asked.d
        from asked
        join query_table(scheme_rows) as scheme on scheme.class_id = asked.class_id and scheme.d = asked.d
        left join query_table(scheme_values) as narrow
          on narrow.d = asked.d and narrow.covers = within and narrow.value is not distinct from asked.value
        where within is not null and narrow.covers is null
    )
    select scheme.class_id,
           list(if(outside.d is null, label, beyond) order by scheme.d) as labels
    from query_table(scheme_rows) as scheme
    left join outside on outside.class_id = scheme.class_id and outside.d = scheme.d
    where scheme.class_id is not null group by scheme.class_id;

-- Where combinations are: target, class_id (numbered anew: places with the same labels are one class),
-- labels, is_clear (there is one place alone). class_labels: as in _labels_of_places.
create or replace macro sqlanon._places(
    scheme_rows, scheme_values, located, class_labels, target_combinations, qi) as table
    with place as (
        select target, keys, labels, parts = len(labels) and parts = len(sqlanon._list(qi)) as is_clear
        from sqlanon._places_by_column(scheme_rows, scheme_values, target_combinations, qi)
        union all
        select target, labels, labels, true
        from query_table(located) join query_table(class_labels) using (class_id)
    )
    select target, dense_rank() over (order by keys) as class_id, labels,
           is_clear and count(*) over (partition by target) = 1 as is_clear
    from place;

-- The combinations of the table that have a place: tuple_id, class_id.
create or replace macro sqlanon._placed_tuples(places, combinations, target_combinations, qi) as table
    from query(sqlanon._fill($$
        select tuple_id, place.class_id
        from {combinations} as combination
        join {targets} as asked on true
            {each qi: and combination.q{i}::varchar is not distinct from asked.v{i}}
        join {places} as place using (target)
    $$, map {'targets': target_combinations}));

-- The classes that do not meet the requirements: class_id. cells: class_id, s, n. by_unit: people are counted
-- (those of a class in attribute 0).
create or replace macro sqlanon._violating_places(
    cells, sensitive_values, marginal, sensitive_tree, requirement, by_unit) as table
    with histogram as materialized (
        from sqlanon._histograms(cells, sensitive_values, by_unit) where attribute > 0 or by_unit
    )
    select class_id
    from (select class_id, sum(n) as size from query_table(cells) group by class_id),
         query_table(requirement) as required
    where not by_unit and not sqlanon._meets_size(size, required.req)
    union
    from sqlanon._violating('histogram', marginal, sensitive_tree, requirement, by_unit);

-- How many rows have no place, and are in classes that violate a requirement: rows, unplaced, violating.
create or replace macro sqlanon._recoding_losses(tuples, placed_tuples, violating) as table
    select sum(weight)::bigint as rows,
           coalesce(sum(weight) filter (class_id is null), 0)::bigint as unplaced,
           coalesce(sum(weight) filter (class_id in (select class_id from query_table(violating))), 0)::bigint
               as violating
    from query_table(tuples) left join query_table(placed_tuples) using (tuple_id);

-- No rows, or an error.
create or replace macro sqlanon._recoding_refusals(
    tbl, scheme, qi, scheme_rows, places, losses, suppression_limit) as table
    select error(scheme || ' has no rows for column ' || name) as refused
    from (select unnest(sqlanon._list(qi)) as name, unnest(range(1, len(sqlanon._list(qi)) + 1)) as d)
    anti join query_table(scheme_rows) using (d)
    union all
    select error(scheme || ': column ' || sqlanon._list(qi)[d] || ' is ' || label || ' within ' || within
                 || if(class_id is null, ', which only a class can be', ', and there is no label beyond'))
    from query_table(scheme_rows) where within is not null and (class_id is null or beyond is null)
    union all
    select error(scheme || ' has several places for the same values: its parts overlap')
    from query_table(places) where not is_clear
    union all
    select error(
        case when unplaced + violating = rows
             then 'nothing is left of ' || tbl || ' by ' || scheme || ': '
             else 'suppression_limit is ' || sqlanon._number_text(suppression_limit) || ', and of ' || rows
                  || ' rows ' || (unplaced + violating) || ' would be suppressed: ' end
        || unplaced || ' that ' || scheme || ' has no place for, and ' || violating
        || ' in classes that violate a requirement')
    from query_table(losses)
    where unplaced + violating > suppression_limit * rows + 1e-9 or unplaced + violating = rows;

-- Recoding by a scheme, a method of _anonymized. The front has no hierarchies, as the scheme says all of qi;
-- value_hierarchies are those of sensitive columns.
create or replace macro sqlanon._recode(
    named, release, qi, judged, hierarchies, population, known, unit, tbl, scheme, value_hierarchies,
    suppression_limit) as table
    with _sqlanon_scheme as materialized (from sqlanon._scheme(scheme, qi)),
    _sqlanon_target as materialized (from sqlanon._target_combinations(named || 'source', qi, null)),
    _sqlanon_scheme_cover as materialized (from sqlanon._covers_of_scheme('_sqlanon_scheme')),
    _sqlanon_scheme_value as materialized (
        from sqlanon._values_of_scheme('_sqlanon_scheme_cover', '_sqlanon_target', named || 'hierarchy', qi)
    ),
    _sqlanon_scheme_class as materialized (from sqlanon._classes_of_scheme('_sqlanon_scheme', qi)),
    _sqlanon_located as materialized (
        from sqlanon._locate('_sqlanon_scheme_class', '_sqlanon_target', named || 'hierarchy', qi)
    ),
    _sqlanon_class_label as materialized (
        from sqlanon._labels_of_places(
            '_sqlanon_scheme', '_sqlanon_located', '_sqlanon_scheme_value', '_sqlanon_target', qi)
    ),
    _sqlanon_place as materialized (
        from sqlanon._places(
            '_sqlanon_scheme', '_sqlanon_scheme_value', '_sqlanon_located', '_sqlanon_class_label',
            '_sqlanon_target', qi)
    ),
    _sqlanon_placed_tuple as materialized (
        from sqlanon._placed_tuples('_sqlanon_place', named || 'combination', '_sqlanon_target', qi)
    ),
    _sqlanon_placed as materialized (
        select tuple_id, class_id, s, weight
        from _sqlanon_placed_tuple join query_table(named || 'tuple') using (tuple_id)
    ),
    _sqlanon_cell as materialized (
        select class_id, s, sum(weight)::bigint as n from _sqlanon_placed group by class_id, s
    ),
    _sqlanon_value_hierarchy as materialized (from sqlanon._hierarchies(value_hierarchies)),
    _sqlanon_value_tree as materialized (
        from sqlanon._sensitive_tree(named || 'sensitive_value', judged, '_sqlanon_value_hierarchy')
    ),
    _sqlanon_violating as materialized (
        from sqlanon._violating_places(
            '_sqlanon_cell', named || 'sensitive_value', named || 'marginal', '_sqlanon_value_tree',
            named || 'requirement', unit is not null)
    ),
    _sqlanon_loss as materialized (
        from sqlanon._recoding_losses(named || 'tuple', '_sqlanon_placed_tuple', '_sqlanon_violating')
    ),
    _sqlanon_refusal as materialized (
        from query_table(named || 'emptiness')
        union all from sqlanon._recoding_refusals(
            tbl, scheme, qi, '_sqlanon_scheme', '_sqlanon_place', '_sqlanon_loss', suppression_limit)
    ),
    _sqlanon_assignment as materialized (
        select tuple_id, class_id, weight as share from _sqlanon_placed
        where class_id not in (select class_id from _sqlanon_violating)
          and (select count(refused) from _sqlanon_refusal) = 0
    ),
    _sqlanon_node_label as materialized (
        select distinct class_id, unnest(range(1, len(labels) + 1)) as d, unnest(labels) as label
        from _sqlanon_place
    ),
    _sqlanon_label as materialized (from sqlanon._labels_of_nodes('_sqlanon_node_label', qi))
    from query(release);

create or replace macro sqlanon.recode(
    tbl, scheme, qi, sensitive := null, keep := null, hierarchies := null,
    {requirements but population, known: {id} := {fallback}}, suppression_limit := 0, seed := null,
    unit := null) as table
    from query(sqlanon._released({statement:
        sqlanon._checked(qi, sensitive, keep, unit)
        || sqlanon._let(sqlanon._terms(sensitive, null, requirements), lambda terms:
            {sqlanon._call_of_anonymized:
                method := '_recode', options := map {
                    'tbl': sqlanon._literal(tbl), 'scheme': sqlanon._literal(scheme),
                    'value_hierarchies': sqlanon._optional(hierarchies),
                    'suppression_limit': sqlanon._share(suppression_limit, 'suppression_limit')::varchar},
                hierarchies := null, by_value := true})}));

comment on macro table sqlanon.recode is $$
Releases a table with the labels of an earlier release, by its scheme: the categories stay the same from day
to day. Rows with values that are not in the scheme, and all rows of classes that violate a requirement, are
suppressed, that is left out. The order of rows depends only on the released values.

Parameters:
- tbl: as in mondrian
- scheme (table): rows of class_id, attribute, covers and label, as returned by scheme_of_cuts and
  scheme_of_levels, or written by hand. Rows of a class may also have within and beyond.
- qi, sensitive, keep: as in mondrian
- hierarchies (table; default null): hierarchies of sensitive columns, for t_distance := 'hierarchical'. For
  the columns in qi, the scheme alone decides.
- {requirements but population, known: {id}}: as in mondrian
- suppression_limit, seed: as in generalize
- unit: as in mondrian

Result:
- <qi> (text): the label of the scheme; if the class has a value that is not in within, beyond instead. If
  label is NULL, the value itself.
- <sensitive> (unchanged): as in tbl.
- <keep> (unchanged): as in tbl.

Errors: unknown column, empty table, no requirement, a column in qi that is not in the scheme, a scheme in
which the same values belong to several classes or labels, a scheme with within but without beyond, more
suppressed rows than allowed, or all rows suppressed.

Notes: requirements are checked for the rows of tbl, so the rows for which the scheme was made do not matter.
But an adversary can combine two releases by one scheme like any other two: use intersection_attack, or
publish, to find out what both reveal.

Source: LeFevre, DeWitt and Ramakrishnan 2005 and 2006 (global recoding).

Example:
with yesterday as (from sqlanon.mondrian('people', qi := ['age', 'zip'], k := 3)),
scheme as (from sqlanon.scheme_of_cuts('yesterday', qi := ['age', 'zip']))
from sqlanon.recode('people', 'scheme', qi := ['age', 'zip'], sensitive := 'disease', k := 3);
$$;
