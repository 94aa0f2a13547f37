-- Contributions: what somebody's rows can change of a release, which noise then hides.
--
-- Two neighbouring databases differ by all rows of one unit, a person mostly. So that noise can be in
-- proportion to that, a unit counts in at most max_groups groups, and for at most max_rows rows in each
-- (Wilson et al. 2020, section 3). In which groups is drawn by lot, not by the order of rows. The lot needs
-- no secret, hash() and uuid() will do: privacy rests on the bounds alone, whatever is chosen within them.
--
-- What was left out is itself about people, and no release says it; `_left_out` is for whoever has the rows.
-- Nothing here may be refused because of what the rows are: an error that one of two neighbours has tells
-- them apart. Columns are refused by type.

-- No rows, or an error: a column whose values can be equal and look different (0.0 and -0.0, 1 month and 30
-- days). Somebody's row could then decide how all of a group look, and whether they match a public key.
create or replace macro sqlanon._refuse_keys(contributions, columns) as table
    from query(sqlanon._each_filled(columns, $$
        select error('column ' || {s} || ' is ' || type_name || ', of which equal values can look different:'
                     || ' cast it to text, or to a whole or decimal number') as refused
        from (select typeof(g{i}) as type_name
              from (select true) left join (from {contributions} where false) on true)
        where regexp_matches(type_name, 'FLOAT|DOUBLE|INTERVAL|WITH TIME ZONE|VARIANT')
    $$, ' union all '));

-- What each unit has in each group: g1, g2, ..., person, lot, row_count, n (rows, at most max_rows), and
-- measures. Without a unit every row is one of its own; there is no person, lot or row_count then, and n are
-- all rows of a group. aggregates: their text, over the rows (src) of a unit in a group, with row_count among
-- them; measures: a text made of these that begins with a comma.
create or replace macro sqlanon._contributions(
    tbl, columns, unit, others, max_rows, aggregates, measures) as table
    from query(sqlanon._fill($$
        select {groups} {person} {n} as n {measures}
        from (
            select {each columns: src.{c} as g{i}} {person_read}, {aggregates}
            from sqlanon._source({=tbl}, {=columns}, {others}) as src group by all
        ) {salt}
    $$, map {
        'groups': sqlanon._each(columns, 'g{i},', ' '),
        'person_read': coalesce(
            ', ' || sqlanon._person(sqlanon._list(unit)[1], null) || ' as person', ''),
        'person': if(unit is null, '',
                     'person, hash(person, ' || sqlanon._each(columns, 'g{i}, ', '')
                     || 'salt) as lot, row_count,'),
        'n': if(unit is null, 'row_count', 'least(row_count, ' || max_rows || ')'),
        'salt': if(unit is null, '', ', (select concat(uuid(), uuid()) as salt) as secret'),
        'others': sqlanon._names(sqlanon._list(unit) || sqlanon._list(others))}));

-- Public keys: g1, g2, ..., of the type they have in their table. No keys, no rows.
create or replace macro sqlanon._public_keys(keys, columns) as table
    from query(
        sqlanon._if_given(keys, 'null',
            sqlanon._fill($$
                select distinct
                       {each columns: src.{c} as g{i}} from sqlanon._source({keys}, {=columns}, null) as src
            $$, map {'keys': sqlanon._literal(keys)})));

-- A type, but for what does not show in a text.
create or replace macro sqlanon._type_of_texts(type_name) as
    case when regexp_matches(type_name, '^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$') then 'INTEGER'
         when starts_with(type_name, 'ENUM') then 'VARCHAR' else type_name end;

-- No rows, or an error: keys of another type than the column. (Values are compared as texts, so that no cast
-- can fail on a row; they must be of one type, or 1 and 1.0 would be different keys.)
create or replace macro sqlanon._refuse_other_types(public_keys, contributions, columns) as table
    from query(sqlanon._each_filled(columns, $$
        select error('column ' || {s} || ' is ' || own || ' in the table and ' || others
                     || ' in keys: cast it') as refused
        from (select typeof(own.g{i}) as own, typeof(others.g{i}) as others
              from (select true) left join (from {contributions} where false) as own on true
              left join (from {public_keys} where false) as others on true)
        where sqlanon._type_of_texts(own) <> sqlanon._type_of_texts(others)
    $$, ' union all '));

-- No rows, or an error: groups that cannot be released, or public keys that are none.
create or replace macro sqlanon._refuse_groups(contributions, public_keys, columns, keys) as table
    from query(
        {call _refuse_keys}
        || case when public_keys is null then ''
                else ' union all '
                     || {call _refuse_other_types}
                     || ' union all '
                     || {call _refuse_empty: combinations := public_keys, tbl := keys}
           end);

-- Whether two relations have the same group, as the text of a condition.
create or replace macro sqlanon._same_group(columns, one, another) as
    sqlanon._each_filled(
        columns, '{one}.g{i}::varchar is not distinct from {another}.g{i}::varchar', ' and ');

-- The contributions in public groups, in at most max_groups of them for each unit: those whose lot is less
-- than the first that is too much. (Equal lots could otherwise make more.)
create or replace macro sqlanon._bounded(contributions, public_keys, columns, unit, max_groups) as table
    from query(
        case when unit is null then 'from ' || contributions
             else sqlanon._fill($$
                 with public_part as {materialized} (from {contributions} as own {public}),
                 bound as (
                     select person, list_sort(list(lot))[{=max_groups} + 1] as first_too_much
                     from public_part group by person having count(*) > {=max_groups}
                 )
                 select own.* exclude (person, lot, row_count)
                 from public_part as own
                 left join bound on bound.person is not distinct from own.person
                 where first_too_much is null or lot < first_too_much
             $$, map {
                 'materialized': if(public_keys is null, '', 'materialized'),
                 'public': coalesce('semi join ' || public_keys || ' as others on '
                                    || sqlanon._same_group(columns, 'own', 'others'), '')})
        end);

-- How many rows max_rows and max_groups (NULL: any number) leave out, of those in public groups: rows,
-- left_out. Not private.
create or replace macro sqlanon._left_out(contributions, public_keys, columns, max_groups) as table
    from query(sqlanon._fill($$
        with public_part as (from {contributions} as own {public})
        select coalesce(sum(row_count), 0)::bigint as rows,
               rows - coalesce((select sum(n) from ({counted})), 0)::bigint as left_out
        from public_part
    $$, map {
        'public': coalesce('semi join ' || public_keys || ' as others on '
                           || sqlanon._same_group(columns, 'own', 'others'), ''),
        'counted': if(max_groups is null, 'from public_part', {call _bounded: unit := 'person'})}));

-- A sum as a 64-bit integer: at the end of the range, where it is beyond. An error would tell of it.
create or replace macro sqlanon._saturated(total) as
    least(greatest(total::hugeint, -9223372036854775808), 9223372036854775807)::bigint;

-- One row per group: g1, ..., n, people (units; without a unit, rows) and measures (a text of aggregates over
-- the contributions that begins with a comma). Public groups are all there, and no other.
create or replace macro sqlanon._groups(bounded, public_keys, columns, unit, measures) as table
    from query(sqlanon._fill($$
        select {groups}, coalesce(sum(n), 0)::bigint as n, coalesce({people}, 0)::bigint as people {measures}
        from {relation} group by all
    $$, map {
        'groups': sqlanon._each(columns, if(public_keys is null, 'own.g{i}', 'others.g{i}'), ', '),
        'people': if(unit is null, 'sum(n)', 'count(n)'),
        'relation': if(public_keys is null, bounded || ' as own',
                       public_keys || ' as others left join ' || bounded || ' as own on '
                       || sqlanon._same_group(columns, 'own', 'others'))}));
