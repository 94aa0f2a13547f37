-- People in classes: how many people the rows of a class belong to, if people have several rows and the
-- release does not say whose they are. It is worked out from the original: whose rows could be there?
--
-- A row of the original can be in a class that covers it and has a row with the same unchanged values. Each
-- row of a class is one of these, and none is two of them. [own definition] So a class has
--   * at most as many people as have rows that can be there;
--   * at least as many as it takes to fill it. One person fills at most as many of its rows with certain
--     values as they have rows with these values that can be there. (The people with most rows come first: of
--     all values together, and of each. No fewer people have enough rows.)
-- If no more rows can be there than the class has, all of them are there, and both numbers are exact. A row
-- of a class that no row of the original can be belongs to somebody else, or has a label that cannot be read:
-- then neither number is known.

-- The rows of the original in the classes where they can be: class_id, l1, l2, ... (the labels of the class),
-- v (which unchanged values), n (rows of the class that have them), row_id, person, is_elsewhere (it can be
-- in another class as well). A row without row_id and person where nobody's can be. rows: of the original,
-- with a column row_id.
create or replace macro sqlanon._located_rows(release, rows, qi, unit, unchanged, hierarchies) as table
    with _sqlanon_hierarchy as materialized (from sqlanon._hierarchies(hierarchies)),
    _sqlanon_combination as materialized (from sqlanon._target_combinations(rows, qi, null)),
    _sqlanon_person as materialized (
        from sqlanon._people(rows, 'row_id', unchanged, qi, null, '_sqlanon_combination', unit)
    ),
    _sqlanon_cell as materialized (from sqlanon._cells_of_releases([release], qi, unchanged, null, null)),
    _sqlanon_class as materialized (from sqlanon._classes_of_cells('_sqlanon_cell', qi)),
    _sqlanon_located as materialized (
        from sqlanon._locate_or_tell(
            '_sqlanon_class', '_sqlanon_combination',
            sqlanon._if_any(hierarchies, '_sqlanon_hierarchy'), qi)
    ),
    _sqlanon_stated_kind as (
        select distinct null::integer as target, unnest(range(1, len(kinds) + 1))::integer as attribute,
               unnest(kinds) as kind
        from _sqlanon_cell
    ),
    _sqlanon_true_kind as (
        from sqlanon._truth_kinds(rows, case when len(sqlanon._list(unchanged)) > 0 then unchanged end)
    ),
    _sqlanon_kind as (from sqlanon._sensitive_kinds('_sqlanon_stated_kind', '_sqlanon_true_kind')),
    _sqlanon_said as materialized (
        select strings from _sqlanon_cell union select actuals from _sqlanon_person
    ),
    _sqlanon_string as (
        select strings, unnest(range(1, len(strings) + 1))::integer as attribute, unnest(strings) as string
        from _sqlanon_said
    ),
    _sqlanon_key as (
        select attribute, string, sqlanon._comparable(string, kind) as key
        from (select distinct attribute, string from _sqlanon_string)
        left join _sqlanon_kind using (attribute)
    ),
    _sqlanon_keyed as (
        select strings, list(key order by text.attribute) as keys
        from _sqlanon_string as text
        join _sqlanon_key as key
          on key.attribute = text.attribute and key.string is not distinct from text.string
        group by strings
    ),
    _sqlanon_value as materialized (
        select said.strings, dense_rank() over (order by keys) as v
        from _sqlanon_said as said
        left join _sqlanon_keyed as keyed on keyed.strings is not distinct from said.strings
    ),
    _sqlanon_demand as materialized (
        select class_id, v, sum(n)::bigint as n
        from _sqlanon_cell as cell
        join _sqlanon_value as said on said.strings is not distinct from cell.strings
        group by class_id, v
    ),
    _sqlanon_supply as materialized (
        select class_id, said.v, who as row_id, person
        from _sqlanon_person as person
        join _sqlanon_value as said on said.strings is not distinct from person.actuals
        join _sqlanon_located as located on located.target = person.target
        semi join _sqlanon_demand as demand on demand.class_id = located.class_id and demand.v = said.v
    ),
    _sqlanon_elsewhere as (
        select row_id, count(*) > 1 as is_elsewhere from _sqlanon_supply group by row_id
    )
    select class.* exclude (release, size), v, n, row_id, person, is_elsewhere
    from _sqlanon_demand join _sqlanon_class as class using (class_id)
    left join _sqlanon_supply using (class_id, v)
    left join _sqlanon_elsewhere using (row_id);

-- How many people classes are: class_id, size, rows_there (rows of the original that can be there), least,
-- most (people; NULL where not known), is_counted (no more rows can be there than are). located_rows: as
-- above.
create or replace macro sqlanon._counted_people(located_rows) as table
    with value as materialized (
        select class_id, v, any_value(n) as n, count(row_id) as rows_there,
               bool_or(coalesce(is_elsewhere, false)) as is_elsewhere
        from query_table(located_rows) group by class_id, v
    ),
    class as (
        select class_id, sum(n)::bigint as size, sum(rows_there)::bigint as rows_there,
               bool_and(rows_there >= n) as is_explained,
               bool_and(rows_there = n) and not bool_or(is_elsewhere) as is_counted
        from value group by class_id
    ),
    -- v is 0: of all values together
    filled as (
        select class_id, v, person, least(any_value(n), count(*)) as filled
        from query_table(located_rows) where row_id is not null group by class_id, v, person
    ),
    share as (
        from filled
        union all
        select class_id, 0, person, sum(filled)::bigint from filled group by class_id, person
    ),
    needed as (select class_id, v, n from value union all select class_id, 0, size from class),
    running as materialized (
        select class_id, v, filled, sum(filled) over most_first as up_to, row_number() over most_first as nth
        from share
        window most_first as (order by class_id, v, filled desc rows unbounded preceding)
    ),
    base as (
        select class_id, v, min(up_to - filled) as base, min(nth) - 1 as before, count(*) as people
        from running group by class_id, v
    ),
    enough as (
        select class_id, v, any_value(people) as people,
               min(nth - before) filter (up_to - base >= n) as fewest
        from running join base using (class_id, v) join needed using (class_id, v) group by class_id, v
    ),
    bound as (
        select class_id, max(fewest) as least, max(people) filter (v = 0) as most
        from enough group by class_id
    )
    select class_id, size, rows_there, if(is_explained, bound.least, null)::bigint as least,
           if(is_explained, least(most, size), null)::bigint as most,
           is_explained and is_counted as is_counted
    from class left join bound using (class_id);

-- The rows of the original, numbered.
create or replace macro sqlanon._numbered_original(original, qi, unit, unchanged) as table
    select row_number() over () as row_id, *
    from sqlanon._source(original, qi, sqlanon._list(unchanged) || [unit]);

create or replace macro sqlanon._people_in_classes(
    release, original, qi, unit, unchanged, hierarchies) as table
    with _sqlanon_numbered as materialized (
        from sqlanon._numbered_original(original, qi, unit, unchanged)
    ),
    _sqlanon_located_row as materialized (
        from sqlanon._located_rows(release, '_sqlanon_numbered', qi, unit, unchanged, hierarchies)
    ),
    _sqlanon_refusal as (
        from sqlanon._refuse_empty('_sqlanon_numbered', original)
        union all from sqlanon._refuse_empty('_sqlanon_located_row', release)
    )
    from query(sqlanon._fill($$
        select class, size, rows_there, least, most, is_counted
        from (select distinct class_id, struct_pack({columns}) as class from _sqlanon_located_row)
        join sqlanon._counted_people('_sqlanon_located_row') using (class_id)
        where (select count(refused) = 0 from _sqlanon_refusal)
        order by least nulls first, most, class
    $$, map {'columns': sqlanon._each(qi, '{c} := l{i}', ', ')}));

-- The rows of a release whose classes are all counted, with the unit in a further column: the labels of their
-- classes, as texts, and what they have in the original.
create or replace macro sqlanon._released_with_unit(
    release, original, qi, unit, unchanged, hierarchies) as table
    with _sqlanon_numbered as materialized (
        from sqlanon._numbered_original(original, qi, unit, unchanged)
    ),
    _sqlanon_located_row as materialized (
        from sqlanon._located_rows(release, '_sqlanon_numbered', qi, unit, unchanged, hierarchies)
    )
    from query(sqlanon._fill($$
        select {each qi: located.l{i} as {c}}, numbered.* exclude ({each qi: {c}}, row_id)
        from _sqlanon_located_row as located join _sqlanon_numbered as numbered using (row_id)
    $$));

create or replace macro sqlanon.people_in_classes(
    release, original, qi, unit, unchanged := null, hierarchies := null) as table
    from query(sqlanon._checked(qi, unchanged, null, unit) || {call _people_in_classes});

comment on macro table sqlanon.people_in_classes is $$
Counts the people of each class in a release that does not have the unit (the column that identifies people):
one row per class. The rows of the original are looked for in the release, as by locate.

Parameters:
- release (table): the release, with the columns in qi and unchanged.
- original (table): the raw rows of which the release was made, or more, with the same columns and unit.
- qi (columns): quasi-identifiers, which the release has recoded.
- unit (column): of the original, identifies the person of a row, if people can have several rows.
- unchanged (columns; default null): sensitive and further columns that were released unchanged. A person can
  only be in a class that has these values of one of their rows.
- hierarchies (table; default null): rows of attribute, value, level and label: the values that released
  labels stand for.

Result:
- class (struct): the labels of the class.
- size (integer, rows): the size of the class.
- rows_there (integer, rows): rows of the original that the class covers, and whose unchanged values it has.
- least (integer, people): the class has at least this many people: fewer do not have enough of these rows.
- most (integer, people): the class has at most this many people, the number of people with these rows. least
  and most are NULL if the class has a row that fits no row of the original, or a label that could not be
  read.
- is_counted (boolean): true if the rows of the original are exactly those of the class, so that least and
  most are its number of people. If false, classes overlap, or rows of the original were suppressed.

Errors: unknown column, an empty table.

Notes: every class certainly has k people if all least are at least k, and certainly does not if a most is
below k. Rows where the unit is NULL count as one person.

Source: own definition.

Example:
from sqlanon.people_in_classes('east', 'people', qi := ['age', 'zip'], unit := 'name',
                               unchanged := 'disease');
$$;
