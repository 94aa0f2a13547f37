-- The m-invariant release of a table that grows and shrinks (Xiao and Tao 2007).
--
-- In every release somebody's class has the same sensitive values, their signature. Whoever was in an earlier
-- release has one already, which the publisher keeps in a table of their own, the state. The work is done
-- signature by signature, in the four phases of the paper:
--
--   * division: people with the same signature belong together.
--   * balancing: each value of a signature must be there as often as the others. Where people are missing,
--     new ones with that value take their places, and counterfeits, rows of nobody, take those that are left.
--   * assignment: the other new people are dealt into buckets of m values or more, as in Anatomy; the values
--     of their bucket are their signature from now on.
--   * split: the people of a signature become classes with one row of each value, near ones together.
--
-- So a class releases each value of its signature once, and how many of its rows are counterfeits.

-- An empty text, or an error that names what does not fit.
create or replace macro sqlanon._m_invariant_checked(id, qi, sensitive, m) as
    case when m is null or sqlanon._whole_number(m, 'm') is null
         then error('m_invariant needs m: how many sensitive values a class must have, e.g. m := 3')
         when sensitive is null or len(sqlanon._list(sensitive)) <> 1
         then error('m_invariant needs one sensitive column, not ' || len(sqlanon._list(sensitive)))
         when id is null then error('m_invariant needs id: the column that says who is who')
         when len(sqlanon._list(qi)) > 60
         then error('m_invariant takes up to 60 columns in qi, not ' || len(sqlanon._list(qi)))
         when len(list_intersect(sqlanon._lower(sqlanon._list(qi) || sqlanon._list(sensitive)),
                                 ['group_id', 'counterfeits'])) > 0
         then error('a column is named group_id or counterfeits, as those of the release: rename it')
         when lower(id::varchar) = 'signature'
         then error('id is named signature, as the column of the state: rename it')
         else ''
    end;

-- The state after the last release: person (as the source spells them), signature (a list of values). No rows
-- before the first release.
create or replace macro sqlanon._m_invariant_previous(previous, source, id, sensitive) as table
    from query(sqlanon._fill(
        case when previous is null
             then 'select {id} as person, [{sensitive}] as signature from {source} where false'
             else $$
                 select coalesce(here.person, src.{id}) as person, src.signature
                 from {relation} as src
                 left join (select {id} as person, {here} as reading from {source}) as here
                     on here.reading = {there} $$ end,
        map {
            'id': sqlanon._quote(id), 'sensitive': sqlanon._each(sensitive, '{c}', ''), 'source': source,
            'here': sqlanon._reading(sqlanon._quote(id), 'true'),
            'there': sqlanon._reading('src.' || sqlanon._quote(id), 'true'),
            'relation': coalesce(sqlanon._relation(previous), '')}));

-- The sensitive values, of the table and of signatures: code, value.
create or replace macro sqlanon._m_invariant_values(source, previous, sensitive) as table
    from query(sqlanon._fill($$
        select (row_number() over (order by value nulls first))::integer as code, value
        from (
            select {sensitive} as value from {source}
            union all
            select unnest(signature) from (select distinct signature from {previous})
        )
        group by value
    $$, map {'sensitive': sqlanon._each(sensitive, '{c}', '')}));

-- The signatures of the state in codes: signature (as the state has it), codes (sorted).
create or replace macro sqlanon._coded_signatures(previous, known_values) as table
    with element as (
        select signature, unnest(signature) as element
        from (select distinct signature from query_table(previous))
    )
    select signature, list_sort(list(distinct code)) as codes
    from element join query_table(known_values) as known on known.value is not distinct from element
    group by signature;

-- The rows of the table: person, point_id, code (of their sensitive value), signature (in codes; NULL: new),
-- chance (a key that puts them in a random order).
create or replace macro sqlanon._m_invariant_rows(
    source, points, known_values, previous, signatures, id, qi, sensitive, seed) as table
    from query(sqlanon._fill($$
        select src.{"id"} as person, point_id, sensitive_value.code, coded.codes as signature,
               {random_key} as chance
        from {source} as src
        join {points} as point on true {each qi: and src.{c} is not distinct from point.q{i}}
        join {values} as sensitive_value on sensitive_value.value is not distinct from src.{sensitive}
        left join {previous} as previous on previous.person = src.{"id"}
        left join {signatures} as coded on coded.signature = previous.signature
    $$, map {
        'random_key': sqlanon._random_key('src.' || sqlanon._quote(id), seed), 'values': known_values,
        'sensitive': sqlanon._each(sensitive, '{c}', '')}));

-- No rows, or an error: people who are not one each, values in several spellings (of which a class would
-- have fewer than m), or a state that does not fit.
create or replace macro sqlanon._refuse_state(
    rows, previous, signatures, known_values, tbl, id, sensitive, m) as table
    with _sqlanon_repeated as (
        select min(person) as value, count(*) as n
        from query_table(rows) where person is not null
        group by sqlanon._read(person::varchar, true) having count(*) > 1
    ),
    _sqlanon_spelled as (
        select list(value::varchar order by value)[1:2] as spellings from query_table(known_values)
        where value is not null group by sqlanon._read(value::varchar, true) having count(*) > 1
    ),
    _sqlanon_repeated_in_state as (
        select person as value, count(*) as n from query_table(previous) group by person having count(*) > 1
    )
    select error('column ' || id || ' of ' || tbl || ' is NULL in ' || count(*) || ' rows') as refused
    from query_table(rows) where person is null having count(*) > 0
    union all
    from sqlanon._refuse_repeated('_sqlanon_repeated', 'people', tbl, id)
    union all
    select error('column ' || sensitive || ' has ' || count(*) || ' values in several spellings, such as "'
                 || array_to_string(min(spellings), '" and "')
                 || '": of these a class would have fewer than ' || m || ' (m). Write each in one way')
    from _sqlanon_spelled having count(*) > 0
    union all
    from sqlanon._refuse_repeated('_sqlanon_repeated_in_state', 'people', 'the state', id)
    union all
    select error('the state has signatures of fewer than ' || m || ' values (m), of ' || count(*)
                 || ' people')
    from query_table(previous) as previous left join query_table(signatures) as coded using (signature)
    where coalesce(len(codes), 0) < m having count(*) > 0
    union all
    select error('the sensitive value of ' || count(*) || ' people is not in their signature: it has '
                 || 'changed, and m-invariance holds only while values do not; leave their rows out')
    from query_table(rows) where not list_contains(signature, code) having count(*) > 0;

-- BALANCING

-- How many people a signature lacks of each of its values: signature, code, lack (above 0).
create or replace macro sqlanon._lacks(rows) as table
    with there as (
        select signature, code, count(*) as n
        from query_table(rows) where signature is not null group by signature, code
    ),
    needed as (
        select signature, unnest(signature) as code, height
        from (select signature, max(n) as height from there group by signature)
    )
    select signature, code, height - coalesce(n, 0) as lack
    from needed left join there using (signature, code)
    where height > coalesce(n, 0);

-- The new people by value: code, n, most (how many of them can take places of others).
create or replace macro sqlanon._newcomers(rows, lacks) as table
    select code, n, least(n, coalesce(lack, 0)) as most
    from (select code, count(*) as n from query_table(rows) where signature is null group by code)
    left join (select code, sum(lack)::bigint as lack from query_table(lacks) group by code) using (code);

-- How many of the new people remain for new buckets, the fewer the fewer counterfeits: n (all of them),
-- remaining (NULL: in no number are they m-eligible). If r remain, r // m of them may have the same value,
-- and the others with it must take places. So r is at least m times the most of a value who find no place,
-- and at least the number of all who find none. If even for this r more people must take places than are left
-- beside those who remain, so it is for any larger one: m more who remain spare fewer than m from taking one.
create or replace macro sqlanon._remaining_people(newcomers, m) as table
    with total as (
        select coalesce(sum(n), 0)::bigint as n,
               greatest(coalesce(max(n - most), 0) * m, coalesce(sum(n - most), 0))::bigint as r
        from query_table(newcomers)
    )
    select total.n,
           case when coalesce((select sum(greatest(newcomer.n - r // m, 0))
                               from query_table(newcomers) as newcomer), 0) <= total.n - r then r end
               as remaining
    from total;

-- No rows, or an error: a value that too many of the new people have.
create or replace macro sqlanon._refuse_ineligible(newcomers, remaining_people, known_values, m) as table
    -- the worst one is found before anything is refused: error() would not wait for an order
    with worst as (
        select arg_max({'n': newcomer.n, 'most': most, 'value': value},
                       {'beyond': newcomer.n - most, 'first': -code}) as found,
               any_value(people.n) as people
        from query_table(remaining_people) as people, query_table(newcomers) as newcomer
        join query_table(known_values) as known using (code)
        where remaining is null
    )
    select error('the new people are not m-eligible: of ' || people || ' of them ' || found['n']
                 || ' have the same sensitive value, of whom ' || found['most']
                 || ' can take places that others have left, and of the new people who remain one in ' || m
                 || ' may have it' || sqlanon._such_as(found['value'])) as refused
    from worst where found is not null;

-- How many new people with each value take places of others: code, taken. The most that have to, and then of
-- the most frequent values first.
create or replace macro sqlanon._taken_places(newcomers, remaining_people, m) as table
    with bound as (
        select code, newcomer.n, greatest(newcomer.n - remaining // m, 0) as least_taken, most,
               people.n - remaining as taken_in_all
        from query_table(newcomers) as newcomer, query_table(remaining_people) as people
    ),
    free as (
        select *, taken_in_all - sum(least_taken) over ()
                  - coalesce(sum(most - least_taken) over (
                      order by n desc, code rows between unbounded preceding and 1 preceding), 0) as left_over
        from bound
    )
    select code, (least_taken + greatest(least(most - least_taken, left_over), 0))::bigint as taken from free;

-- New people with the places that they take, and without (signature is NULL): person, point_id, code,
-- signature, chance.
create or replace macro sqlanon._placed_newcomers(rows, lacks, taken_places) as table
    with place as (
        select signature, code, lack, sum(lack) over (partition by code order by signature) as last_place
        from query_table(lacks)
    ),
    newcomer as (
        select *, row_number() over (partition by code order by chance, person) as number
        from query_table(rows) where signature is null
    )
    select person, point_id, newcomer.code, place.signature, chance
    from newcomer join query_table(taken_places) using (code)
    left join place on place.code = newcomer.code and number <= taken
                   and number > last_place - lack and number <= last_place;

-- ASSIGNMENT AND SPLIT

-- Everybody with their signature: person, point_id, code, signature, chance. dealt: of _anatomy_dealt;
-- refusals: a relation without rows, or with an error.
create or replace macro sqlanon._signed(rows, newcomers_placed, dealt, refusals) as table
    select person, point_id, code, signature, chance from query_table(rows) where signature is not null
    union all
    select person, point_id, code, signature, chance
    from query_table(newcomers_placed) where signature is not null
    union all
    select person, point_id, s1 as code, signature, chance
    from query_table(dealt)
    join (select bucket, list(s1 order by s1) as signature from query_table(dealt) group by bucket)
      using (bucket)
    union all
    select null, refused::bigint, null, null, null from query_table(refusals);

-- Everybody with a class of their signature: person, point_id, code, signature, slot (the number of the class
-- among those of the signature). People with a value are put along the curve. If they are fewer than the
-- classes, they are spread over these, and a counterfeit is where nobody is. There are as many classes as
-- people with the most frequent value, so each has somebody.
create or replace macro sqlanon._split(signed, places) as table
    with there as (
        select signature, code, count(*) as n from query_table(signed) group by signature, code
    ),
    height as (select signature, max(n) as classes from there group by signature),
    ranked as (
        select *, row_number() over (partition by signature, code order by place, chance, person) as number
        from query_table(signed) join query_table(places) using (point_id)
    )
    select person, point_id, code, signature, (number - 1) * classes // n + 1 as slot
    from ranked join there using (signature, code) join height using (signature);

-- The classes: class_id (from 1, in random order), signature, slot, people.
create or replace macro sqlanon._m_invariant_classes(split, seed) as table
    from query(sqlanon._fill($$
        select row_number() over (order by chance, signature, slot) as class_id, signature, slot, people
        from (
            select *, {random_key} as chance
            from (select signature, slot, count(*) as people from {split} group by signature, slot)
        )
    $$, map {'random_key': sqlanon._random_key('signature, slot', seed)}));

-- Which points are in which class: tuple_id, class_id.
create or replace macro sqlanon._m_invariant_assignment(split, classes, points, tuples, qi) as table
    from query(sqlanon._fill($$
        select distinct tuple_id, class_id
        from {split} join {classes} using (signature, slot)
        join {points} as point using (point_id)
        join {tuples} as tuple on true {each qi: and tuple.q{i} = point.k{i}}
    $$));

-- The release: of each class the recoded quasi-identifiers, with each value of its signature; in the order of
-- a salted hash of what is released, as in sql/anonymize/recoding.sql.
create or replace macro sqlanon._m_invariant_release(
    classes, labels, known_values, qi, sensitive, seed) as table
    from query(sqlanon._fill($$
        with _sqlanon_cell as (
            select class_id, people, len(signature) as rows, unnest(signature) as code from {classes}
        )
        select {each qi: v{i} as {c}}, sensitive_value.value as {sensitive}, class_id as group_id,
               rows - people as counterfeits
        from _sqlanon_cell join {labels} using (class_id)
        join {values} as sensitive_value using (code)
        order by {random_key}
    $$, map {
        'sensitive': sqlanon._each(sensitive, '{c}', ''), 'values': known_values,
        'random_key': sqlanon._random_key('_sqlanon_cell.class_id, _sqlanon_cell.code', seed)}));

-- The state after the release: the column id, signature. Whoever has left keeps their signature, for the case
-- that they come back.
create or replace macro sqlanon._m_invariant_state(signed, previous, known_values, id) as table
    from query(sqlanon._fill($$
        with _sqlanon_decoded as (
            select signature as codes, list(value order by value nulls first) as signature
            from (select distinct signature, unnest(signature) as code from {signed})
            join {values} using (code) group by codes
        )
        select person as {"id"}, decoded.signature
        from {signed} as signed join _sqlanon_decoded as decoded on decoded.codes = signed.signature
        union all
        select person, signature
        from {previous} as gone where not exists (from {signed} as signed where signed.person = gone.person)
    $$, map {'values': known_values}));

-- From the table to the release, or to the state after it, in one statement. (No method of _anonymized, which
-- it would share ten steps with: that takes twice as long to plan.)
create or replace macro sqlanon._m_invariant(
    tbl, id, qi, sensitive, m, previous, hierarchies, recoding, seed, state) as table
    with _sqlanon_source as materialized (from sqlanon._source(tbl, qi, sensitive || [id])),
    _sqlanon_hierarchy as materialized (from sqlanon._hierarchies(hierarchies)),
    _sqlanon_leaf as materialized (from sqlanon._leaves('_sqlanon_hierarchy')),
    _sqlanon_previous as materialized (
        from sqlanon._m_invariant_previous(previous, '_sqlanon_source', id, sensitive)
    ),
    _sqlanon_value as materialized (
        from sqlanon._m_invariant_values('_sqlanon_source', '_sqlanon_previous', sensitive)
    ),
    _sqlanon_known_signature as materialized (
        from sqlanon._coded_signatures('_sqlanon_previous', '_sqlanon_value')
    ),
    _sqlanon_combination as materialized (
        from sqlanon._numbered_combinations('_sqlanon_source', qi, []::varchar[])
    ),
    _sqlanon_tuple as materialized (
        from sqlanon._tuples(
            '_sqlanon_combination', null, sqlanon._if_any(hierarchies, '_sqlanon_leaf'), qi, []::varchar[])
    ),
    _sqlanon_domain as materialized (
        from sqlanon._microaggregation_domain('_sqlanon_combination', '_sqlanon_tuple', '_sqlanon_leaf', qi)
    ),
    _sqlanon_coordinate as materialized (from sqlanon._microaggregation_coordinates('_sqlanon_domain')),
    _sqlanon_point as materialized (
        from sqlanon._microaggregation_points(
            '_sqlanon_combination', '_sqlanon_tuple', '_sqlanon_coordinate', qi)
    ),
    _sqlanon_curve_cell as materialized (from sqlanon._curve_cells('_sqlanon_point', qi)),
    _sqlanon_place as materialized (from sqlanon._curve_places('_sqlanon_curve_cell', qi)),
    _sqlanon_row as materialized (
        from sqlanon._m_invariant_rows(
            '_sqlanon_source', '_sqlanon_point', '_sqlanon_value', '_sqlanon_previous',
            '_sqlanon_known_signature', id, qi, sensitive, seed)
    ),
    _sqlanon_lack as materialized (from sqlanon._lacks('_sqlanon_row')),
    _sqlanon_newcomer as materialized (from sqlanon._newcomers('_sqlanon_row', '_sqlanon_lack')),
    _sqlanon_remaining as materialized (from sqlanon._remaining_people('_sqlanon_newcomer', m)),
    _sqlanon_refusal as materialized (
        from sqlanon._refuse_empty('_sqlanon_source', tbl)
        union all from sqlanon._refuse_given_hierarchies(hierarchies, '_sqlanon_hierarchy', qi)
        union all from sqlanon._refuse_state(
            '_sqlanon_row', '_sqlanon_previous', '_sqlanon_known_signature', '_sqlanon_value', tbl, id,
            sensitive[1], m)
        union all from sqlanon._refuse_ineligible(
            '_sqlanon_newcomer', '_sqlanon_remaining', '_sqlanon_value', m)
    ),
    _sqlanon_taken as materialized (
        from sqlanon._taken_places('_sqlanon_newcomer', '_sqlanon_remaining', m)
    ),
    _sqlanon_placed as materialized (
        from sqlanon._placed_newcomers('_sqlanon_row', '_sqlanon_lack', '_sqlanon_taken')
    ),
    _sqlanon_new_row as materialized (
        select person, point_id, code as s1, code as meant, chance
        from _sqlanon_placed where signature is null
    ),
    _sqlanon_dealt as materialized (
        from sqlanon._anatomy_dealt('_sqlanon_new_row', '_sqlanon_refusal', m)
    ),
    _sqlanon_signed as materialized (
        from sqlanon._signed('_sqlanon_row', '_sqlanon_placed', '_sqlanon_dealt', '_sqlanon_refusal')
    ),
    _sqlanon_split as materialized (from sqlanon._split('_sqlanon_signed', '_sqlanon_place')),
    _sqlanon_class as materialized (from sqlanon._m_invariant_classes('_sqlanon_split', seed)),
    _sqlanon_assignment as materialized (
        from sqlanon._m_invariant_assignment(
            '_sqlanon_split', '_sqlanon_class', '_sqlanon_point', '_sqlanon_tuple', qi)
    ),
    _sqlanon_attribute as materialized (
        from sqlanon._attributes('_sqlanon_tuple', sqlanon._if_any(hierarchies, '_sqlanon_leaf'), qi)
    ),
    _sqlanon_tree as materialized (from sqlanon._attribute_tree('_sqlanon_hierarchy', '_sqlanon_attribute')),
    _sqlanon_domain_text as materialized (from sqlanon._ranked_texts('_sqlanon_combination', qi)),
    _sqlanon_label as materialized (
        from sqlanon._recoded_labels(
            recoding, '_sqlanon_tuple', '_sqlanon_assignment', '_sqlanon_attribute',
            sqlanon._if_any(hierarchies, '_sqlanon_tree'), '_sqlanon_domain_text', '_sqlanon_combination', qi)
    )
    from query(
        case when state
             then {call _m_invariant_state:
                 signed := '_sqlanon_signed', previous := '_sqlanon_previous',
                 known_values := '_sqlanon_value'}
             else {call _m_invariant_release:
                 classes := '_sqlanon_class', labels := '_sqlanon_label',
                 known_values := '_sqlanon_value'} end);

-- (state: the state in place of the release.)
create or replace macro sqlanon.m_invariant(
    tbl, id, qi, sensitive, m, previous := null, hierarchies := null, recoding := 'text',
    seed := null) as table
    from query(sqlanon._released({statement with state:
        sqlanon._checked(qi, sensitive, id, null)
        || sqlanon._m_invariant_checked(id, qi, sensitive, m)
        || {call _m_invariant:
            m := sqlanon._whole_number(m, 'm'), recoding := sqlanon._recoding(recoding),
            state := text(coalesce(state, false)::varchar)}}));

comment on macro table sqlanon.m_invariant is $$
Makes the next release of a table that people join and leave: m-invariant together with the releases before,
so that all of them together leave at least m sensitive values possible for everybody.

Parameters:
- tbl (table): the current raw rows, one per person.
- id (column): identifies the person, in the same way at each time; each person must be there once. The column
  is not released.
- qi (columns): the quasi-identifiers.
- sensitive (column): the sensitive column. Values of people must not change.
- m (integer, at least 1): the least number of rows, all with different values, in a class.
- previous (table; default null): the state after the last release, as returned by m_invariant_state, with the
  columns id and signature (a list of values); if not given, this is the first release.
- hierarchies: as in mondrian
- recoding: as in mondrian
- seed (integer; default null): fixes who is in which class, and the order of rows. Give the same to
  m_invariant_state, and keep it secret.

Result:
- <qi> (text, or as recoding says): a label that contains the values of all people in the class.
- <sensitive> (unchanged): a value of the class; each occurs once.
- group_id (integer): the number of the class, from 1, in random order.
- counterfeits (integer, rows): the number of rows in the class that were made up; the release does not say
  which.

Errors: unknown column, empty table, somebody twice (be it in two spellings) or without an id, a value in two
spellings, a hierarchy that is not a tree, a state with fewer than m values for somebody, a sensitive value
that has changed and is not in the signature, new people of whom too many have the same value, several
sensitive columns.

Notes: the signature of a person is the set of sensitive values in their class; it is the same in all
releases. For an adversary who knows who is in which class, or that signatures stay the same, nobody's value
is more probable than 1/m. An adversary who believes that signatures may change can be surer if classes
overlap, but is not right more often. The release does not hide that somebody is in the table; with
counterfeits, a person may be the only real one in a class, with their own quasi-identifiers. There is no
parameter keep, because any further column would distinguish counterfeits from people. The function of the
Python package makes release and state together, and checks both. m_invariance with group_id checks releases
without the state.

Source: Xiao and Tao 2007, m-invariance: towards privacy preserving re-publication of dynamic datasets.

Example:
from sqlanon.m_invariant('people', id := 'name', qi := ['age', 'zip'], sensitive := 'disease', m := 2);
$$;

create or replace macro sqlanon.m_invariant_state(
    tbl, id, qi, sensitive, m, seed, previous := null, hierarchies := null) as table
    from query(sqlanon._m_invariant_statement(
        tbl, id, qi, sensitive, m, previous, hierarchies, 'text',
        coalesce(seed, error('seed is NULL: give that of the release, whose state is wanted')), true));

comment on macro table sqlanon.m_invariant_state is $$
Returns the state after a release by m_invariant, which the next release needs as previous: everybody who is
or was in the table, with the values of their class. Keep it secret.

Parameters:
- tbl, id, qi, sensitive, m: as in m_invariant
- seed (integer): the seed of the release.
- previous: as in m_invariant
- hierarchies: as in mondrian

Result:
- <id> (unchanged): a person who is or was in the table.
- signature (list): the sensitive values of the person's classes, sorted.

Errors: as in m_invariant.

Notes: all parameters, and the table, must be the same as for the release. People who have left stay in the
state: if they come back, they get the same signature.

Source: Xiao and Tao 2007.

Example:
from sqlanon.m_invariant_state('people', id := 'name', qi := ['age', 'zip'], sensitive := 'disease', m := 2,
                               seed := 1);
$$;

-- What is wrong with a release and its state, by what both say: problem, n. source: the rows of the table;
-- previous: of _m_invariant_previous; state: with the column id.
create or replace macro sqlanon._m_invariant_problems(
    release, state, previous, source, id, sensitive, m) as table
    with known as (
        from query(sqlanon._fill('select {"id"} as person, signature from {state}'))
    ),
    person as (
        from query(sqlanon._fill('select {"id"} as person, {sensitive} as value from {source}', map {
            'sensitive': sqlanon._each(sensitive, '{c}', '')}))
    ),
    released as (
        from query(sqlanon._fill('select group_id, {sensitive} as value, counterfeits from {release}', map {
            'sensitive': sqlanon._each(sensitive, '{c}', '')}))
    ),
    class as (
        select list(value order by value nulls first) as signature, count(*) as size,
               count(distinct value) + (count(*) > count(value))::bigint as diversity,
               any_value(counterfeits) as counterfeits
        from released group by group_id
    ),
    published as (
        select signature, count(*) as classes, sum(size - counterfeits) as people
        from class group by signature
    ),
    signed as (select person, value, signature from person left join known using (person)),
    counted as (
        select signature, sum(n) as people, max(n) as most
        from (select signature, value, count(*) as n from signed group by signature, value)
        group by signature
    )
    select 'classes that have fewer than m values, or one twice' as problem, count(*) as n
    from class where size <> diversity or diversity < m
    union all
    select 'people whose value is not in their signature', count(*)
    from signed
    where coalesce(len(list_filter(signature, lambda held: held is not distinct from value)), 0) = 0
    union all
    select 'people with another signature than before', count(*)
    from query_table(previous) as before left join known using (person)
    where known.signature is distinct from list_sort(before.signature, 'ASC', 'NULLS FIRST')
    union all
    select 'signatures whose classes do not have room for their people, or counterfeits beyond these',
           count(*)
    from counted full join published on published.signature = counted.signature
    where counted.people is distinct from published.people or most > classes;

-- What there is to tell of a release: rows, classes, smallest (rows of the smallest class), counterfeits,
-- added, stayed and gone (people, against those of the state before).
create or replace macro sqlanon._m_invariant_counts(release, source, previous, id) as table
    with class as (
        select count(*) as size, any_value(counterfeits) as counterfeits
        from query_table(release) group by group_id
    ),
    person as (
        from query(sqlanon._fill('select {"id"} as person from {source}'))
    ),
    comparison as (
        select count(*) filter (before.signature is null) as added,
               count(*) filter (before.signature is not null) as stayed
        from person left join query_table(previous) as before using (person)
    )
    select sum(size)::bigint as rows, count(*) as classes, min(size) as smallest,
           sum(counterfeits)::bigint as counterfeits, any_value(added) as added, any_value(stayed) as stayed,
           (select count(*) from query_table(previous)) - any_value(stayed) as gone
    from class, comparison;
