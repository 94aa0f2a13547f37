-- Generalization schemes: how a release has recoded its table, as a table, so that another table can be
-- recoded in the same way (LeFevre, DeWitt and Ramakrishnan 2005, sec. 2, and 2006, sec. 2: global recoding
-- of one column at a time, and of all together).
--
-- A scheme has a row per class and column:
--   * class_id: the class; NULL: this column is recoded by itself.
--   * attribute: the column.
--   * covers: the values that belong there, as covers reads them.
--   * label: what is released in place of them; NULL: the value itself.
--   * within, beyond: a class may have a narrow label, which is true of some of its values only. within says
--     of which; beyond is the label of a row with another value.
-- A scheme is made of what a release says, so it tells nothing that the release does not.

-- LEVELS

-- The labels of a release, in this library's notation: d, attribute (in lower case), label.
create or replace macro sqlanon._labels_of_release(release, qi) as table
    with class as (from sqlanon._release_classes(release, qi))
    select d, lower(sqlanon._list(qi)[d]) as attribute, string as label
    from sqlanon._long('class', qi, 'l{i}');

-- What hierarchies release of each value at each level: attribute, level, value, label.
create or replace macro sqlanon._released_levels(hierarchies) as table
    with hierarchy as (from sqlanon._hierarchy(hierarchies))
    select attribute, level, value, if(level = 0, sqlanon._value_text(value), label) as label from hierarchy;

-- The lowest level of its hierarchy on which all labels of a column are, of those that it knows: attribute,
-- level (NULL: there is none).
create or replace macro sqlanon._levels_of_labels(labels, released_levels) as table
    with named as (select distinct attribute, level, label from query_table(released_levels)),
    known as (
        select attribute, level, released.label
        from query_table(labels) as released join named using (attribute)
        where named.label is not distinct from released.label
    ),
    wanted as (
        select released.attribute, count(distinct coalesce('=' || known.label, '')) as labels
        from query_table(labels) as released
        left join known on known.attribute = released.attribute
        group by released.attribute
    ),
    found as (select attribute, level, count(*) as labels from known group by attribute, level)
    select wanted.attribute, min(found.level) as level
    from wanted left join found on found.attribute = wanted.attribute and found.labels = wanted.labels
    where wanted.attribute in (select attribute from named)
    group by wanted.attribute;

create or replace macro sqlanon._scheme_of_levels(release, qi, hierarchies) as table
    with _sqlanon_given as materialized (from sqlanon._hierarchies(hierarchies)),
    _sqlanon_released_level as materialized (from sqlanon._released_levels('_sqlanon_given')),
    _sqlanon_label as materialized (from sqlanon._labels_of_release(release, qi)),
    _sqlanon_level as materialized (
        from sqlanon._levels_of_labels('_sqlanon_label', '_sqlanon_released_level')
    ),
    _sqlanon_plain as (
        select attribute, bool_and(label is not distinct from '*') as is_hidden,
               any_value(label) filter (
                   label <> '*' and sqlanon._form(label) <> 'value' and label not like '{"%"}') as strange
        from _sqlanon_label anti join _sqlanon_level using (attribute) group by attribute
    )
    select null::bigint as class_id, name as attribute, sqlanon._raw_text(value) as covers,
           if(level is null,
              error('column ' || name || ' of ' || release || ' is not on one level of its hierarchy'),
              label) as label
    from (select unnest(sqlanon._list(qi)) as name)
    join _sqlanon_level on _sqlanon_level.attribute = lower(name)
    left join _sqlanon_released_level using (attribute, level)
    union all
    select null, name, '*',
           case when strange is not null
                then error('column ' || name || ' of ' || release || ' has ' || strange
                           || ', which is of no hierarchy: scheme_of_cuts reads classes')
                when is_hidden then '*' end
    from (select unnest(sqlanon._list(qi)) as name)
    join _sqlanon_plain on _sqlanon_plain.attribute = lower(name)
    order by attribute, covers;

create or replace macro sqlanon.scheme_of_levels(release, qi, hierarchies := null) as table
    from query(sqlanon._checked(qi, null, null) || {call _scheme_of_levels});

comment on macro table sqlanon.scheme_of_levels is $$
Reads from a full-domain release the level of each column, as a scheme to recode another table in the same way
with recode: one row per value of a hierarchy, and one for a column without a hierarchy.

Parameters:
- release (table): a release by generalize, optimal, samarati or datafly.
- qi (columns): the quasi-identifiers.
- hierarchies (table; default null): rows of attribute, value, level and label: the hierarchies of the
  release. They may have new values.

Result:
- class_id (integer): NULL: each column is recoded by itself.
- attribute (text): the column.
- covers (text): the values, in the notation that covers reads: a set of one value, or *.
- label (text): the label that is released for them; NULL: the value itself.

Errors: unknown column, a column whose labels are not on one level of its hierarchy.

Source: LeFevre, DeWitt and Ramakrishnan 2005 (Incognito), sec. 2.

Example:
with release as (from sqlanon.generalize('people', qi := ['age', 'zip'], levels := [1, 1],
                                         hierarchies := 'hierarchies', k := 1))
from sqlanon.scheme_of_levels('release', qi := ['age', 'zip'], hierarchies := 'hierarchies');
$$;
