-- Readings: each release is read by its own words.
--
-- A label means what it meant when the release was made. If "young" was {20, 21} on Monday and is {60, 61} on
-- Tuesday, Tuesday's hierarchy would find the wrong people in Monday's release. So labels that mean something
-- else by now are written out as sets of values, which mean the same whoever reads them.

-- The distinct labels of some columns of a release: attribute (in lower case), label.
create or replace macro sqlanon._labels_of(release, columns) as table
    from query(sqlanon._each_filled(
        columns, 'select distinct lower({s}) as attribute, src.{c}::varchar as label from {rows} as src',
        map {'rows': sqlanon._relation(release)}, ' union all '));

-- The distinct values that people have in some columns: attribute (in lower case), value.
create or replace macro sqlanon._values_asked_about(people, columns) as table
    select attribute, label as value from sqlanon._labels_of(people, columns);

-- What labels stand for by hierarchies: attribute, label, meaning (a sorted list of values). A label that no
-- hierarchy has is not there.
create or replace macro sqlanon._label_meanings(labels, hierarchies) as table
    select lower(hierarchy.attribute) as attribute, hierarchy.label,
           list_sort(list(distinct hierarchy.value::varchar)) as meaning
    from sqlanon._hierarchies(hierarchies) as hierarchy
    semi join query_table(labels) as label
      on label.attribute = lower(hierarchy.attribute) and label.label = hierarchy.label::varchar
    group by all;

-- The labels that mean something else by the hierarchies of their time (own) than by those of today (common),
-- written out: attribute, label, written. What a label says by itself ([20, 29]) it says in either case.
-- values_of_people: attribute, value.
create or replace macro sqlanon._labels_written_out(labels, own, common, values_of_people) as table
    with own_meaning as materialized (from sqlanon._label_meanings(labels, own)),
    common_meaning as materialized (from sqlanon._label_meanings(labels, common)),
    in_doubt as materialized (
        select attribute, label, coalesce(own_meaning.meaning, []) as meaning,
               coalesce(common_meaning.meaning, []) as common_meaning
        from query_table(labels)
        left join own_meaning using (attribute, label)
        left join common_meaning using (attribute, label)
        where own_meaning.meaning is distinct from common_meaning.meaning
    ),
    told_apart as materialized (
        select distinct attribute, label from (
            select attribute, label, unnest(
                list_filter(meaning, lambda value: not list_contains(common_meaning, value))
                || list_filter(common_meaning, lambda value: not list_contains(meaning, value))) as value
            from in_doubt
        )
        where not coalesce(sqlanon.covers(label, value), false)
    ),
    covered as (
        select attribute, label, unnest(meaning) as value
        from in_doubt semi join told_apart using (attribute, label)
        union
        select attribute, label, value
        from told_apart join query_table(values_of_people) using (attribute)
        where sqlanon.covers(label, value)
    )
    select attribute, label,
           '{' || string_agg(sqlanon._element_text(value), ', ' order by value nulls first) || '}' as written
    from covered group by attribute, label;

-- Hierarchies with values of then, which nobody has today: today's (common), and for other values the entries
-- of earlier releases (own, a list of tables), of columns that are recoded as today (columns, a list for each
-- of these). So a value has the same labels in all of them.
create or replace macro sqlanon._hierarchies_with_earlier(common, own, columns) as table
    from query(
        'with today as (from query_table(' || sqlanon._literal(common) || ')),'
        || ' known as (select distinct lower(attribute) as attribute, value::varchar as value from today)'
        || ' select attribute, value, level, label from today'
        || list_aggregate(list_transform(own, lambda made, i: format($$
            union
            select earlier.attribute, earlier.value, level, label from query_table({}) as earlier
            anti join known on known.attribute = lower(earlier.attribute)
                           and known.value is not distinct from earlier.value::varchar
            where list_contains({}, lower(earlier.attribute))
            $$, sqlanon._literal(made), sqlanon._names_of(columns[i]))), 'string_agg', ''));

-- The labels of a release whose meaning nobody has told, and which today's hierarchies would explain:
-- attribute, label. They may have meant something else.
create or replace macro sqlanon._labels_of_today(labels, common) as table
    with explained as (
        select attribute, label, unnest(meaning) as value
        from sqlanon._label_meanings(labels, common) where label <> '*' and meaning <> [label]
    )
    select distinct attribute, label
    from explained where not coalesce(sqlanon.covers(label, value), false)
    order by attribute, label;

-- Values that look like one another's spellings, of tables that each have one of them only: attribute, name
-- and value of the one, other_name and other_value. stated_values: name (of a table), attribute, value.
create or replace macro sqlanon._respelled_values(stated_values) as table
    with spelling as materialized (
        select distinct name, attribute, value::varchar as value,
               sqlanon._spelled_alike(value::varchar) as alike
        from query_table(stated_values) where value is not null
    )
    select distinct one.attribute, one.name, one.value, other.name as other_name, other.value as other_value
    from spelling as one
    join spelling as other
      on other.attribute = one.attribute and other.alike = one.alike and other.name > one.name
     and other.value <> one.value
    where not exists (from spelling as same where same.name = other.name and same.attribute = one.attribute
                                              and same.value = one.value)
       or not exists (from spelling as same where same.name = one.name and same.attribute = one.attribute
                                              and same.value = other.value)
    order by all;

-- What columns and values of a release of others may be called by us: kind (column or value), "column"
-- (theirs; of a value: ours), theirs, ours, why. A column that has no name of ours looks like one that is
-- spelled alike, or that has half of its values at least. stated: is_theirs, attribute, value (NULL where a
-- column has none).
create or replace macro sqlanon._proposed_mappings(stated) as table
    with spelling as materialized (
        select distinct is_theirs, attribute, value::varchar as value,
               sqlanon._spelled_alike(value::varchar) as alike
        from query_table(stated)
    ),
    column_of_theirs as (
        select attribute, count(distinct alike) as number from spelling
        where is_theirs
          and lower(attribute) not in (select lower(attribute) from spelling where not is_theirs)
        group by attribute
    ),
    shared as (
        select theirs.attribute as theirs, ours.attribute as ours, count(distinct theirs.alike) as shared
        from spelling as theirs join spelling as ours on ours.alike = theirs.alike
        where theirs.is_theirs and not ours.is_theirs group by all
    ),
    called as (
        select theirs.attribute as theirs, ours.attribute as ours, number, coalesce(shared, 0) as shared,
               sqlanon._spelled_alike(theirs.attribute) = sqlanon._spelled_alike(ours.attribute) as is_alike
        from column_of_theirs as theirs
        cross join (select distinct attribute from spelling where not is_theirs) as ours
        left join shared on shared.theirs = theirs.attribute and shared.ours = ours.attribute
        where is_alike or 2 * coalesce(shared, 0) >= greatest(number, 1)
    )
    select 'column' as kind, theirs as "column", theirs, ours,
           if(is_alike, 'spelled alike', shared || ' of ' || number || ' values are values of it') as why
    from called
    union all
    select distinct 'value', ours.attribute, theirs.value, ours.value, 'spelled alike'
    from spelling as theirs
    join spelling as ours on ours.alike = theirs.alike and ours.value <> theirs.value and not ours.is_theirs
    join (
        select attribute as theirs, attribute as ours from spelling where is_theirs
        union select theirs, ours from called
    ) as pair on lower(pair.theirs) = lower(theirs.attribute) and lower(pair.ours) = lower(ours.attribute)
    where theirs.is_theirs
      and not exists (from spelling as same where not same.is_theirs and same.value = theirs.value
                                              and same.attribute = ours.attribute)
    order by all;
