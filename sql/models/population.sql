-- The population: a table of everybody whom an adversary might take for somebody in the release, with raw
-- quasi-identifiers. k-map counts a class there (Sweeney 2002), delta-presence the share of it that is in the
-- release (Nergiz, Atzori and Clifton 2007). Delta-presence is about everybody in the population: people whom
-- no class covers are people of whom the release has no row.

-- Types whose values compare as what they are: the name of their family.
create or replace macro sqlanon._type_family(type_name) as
    case when regexp_matches(type_name, '^(DATE|TIMESTAMP.*)$') then 'DATE'
         when sqlanon._is_respelled(type_name) then 'a number'
         when regexp_matches(type_name, '^(VARCHAR|ENUM.*)$') then 'VARCHAR'
         else type_name
    end;

create or replace macro sqlanon._is_same_family(person, known) as
    sqlanon._type_family(typeof(person)) = sqlanon._type_family(typeof(known));

-- A value of the population, or an error where the table's column (known) has another type: compared with
-- text, numbers would be text, too. (Types are known when the query is bound; then it is decided which of
-- the two is there at all.)
create or replace macro sqlanon._of_known_type(person, known, name) as
    struct_extract(
        {'same': person, 'other': case when not sqlanon._is_same_family(person, known) then error(
             'column ' || name || ' is ' || typeof(person) || ' in the population and ' || typeof(known)
             || ' in the table: cast one of them') end},
        if(sqlanon._is_same_family(person, known), 'same', 'other'));

-- The population's distinct combinations: q1, q2, ..., n. combinations: the table's, for their types.
create or replace macro sqlanon._population_combinations(population, combinations, qi) as table
    from query(sqlanon._fill($$
        select {each qi: sqlanon._of_known_type(person.q{i}, known.q{i}, {s}) as q{i}}, person.n
        from (with _sqlanon_population as (from sqlanon._source({population}, {=qi}, []))
              from sqlanon._combinations('_sqlanon_population', {=qi}, [])) as person
        left join (from {combinations} limit 0) as known on true
    $$, map {'population': sqlanon._literal(population)}));

-- The people of a population, or no rows without one.
create or replace macro sqlanon._people_of_population(population, combinations, qi) as table
    from query(
        case when population is null then 'from ' || combinations || ' where false'
             else {call _population_combinations} end);

-- The table's combinations and the population's in one relation, so that one domain has the values of both:
-- as combinations, and people. The table's have no people. The population's have no rows (n = 0), negative
-- numbers, and sensitive values that do not matter: those of any one of the table's.
create or replace macro sqlanon._everybody(combinations, people, qi, sensitive) as table
    from query(sqlanon._fill($$
        select tuple_id, {columns}, n, 0::bigint as people from {combinations}
        union all
        select (-row_number() over ())::integer, {values}, 0, person.n
        from {people} as person,
             (select unnest(any_value(combination)) from {combinations} as combination) as anyone
    $$, map {
        'columns': sqlanon._each(qi, 'q{i}', ', ') || sqlanon._each(sensitive, ', s{i}', ''),
        'values': sqlanon._each(qi, 'person.q{i}', ', ') || sqlanon._each(sensitive, ', anyone.s{i}', '')}));

-- The population's distinct combinations, coded as the table's are: q1, q2, ..., s (1), weight (people). A
-- value that the table lacks has the code of its hierarchy, or -1 where its attribute has none. people: q1,
-- q2, ..., n; combinations and tuples: the table's.
create or replace macro sqlanon._residents(people, combinations, tuples, leaves, qi) as table
    from query(sqlanon._fill($$
        select {codes}, 1 as s, sum(n)::bigint as weight from {people} as person {domains} group by {codes}
    $$, map {
        'codes': sqlanon._each(qi, 'domain{i}.q{i}', ', '),
        'domains': sqlanon._each_filled(qi, $$
            join (
                select value.q{i} as value,
                       case when leaf.code is null and has_hierarchy
                            then sqlanon._lacks_values(
                                {s},
                                min(coalesce(value.q{i}::varchar, 'NULL'), 10)
                                    filter (where leaf.code is null and has_hierarchy) over (),
                                count(*) filter (where leaf.code is null and has_hierarchy) over (),
                                ' of the population')
                            else coalesce(leaf.code, known.code, -1)
                       end::integer as q{i}
                from (select distinct q{i} from {people}) as value
                cross join (select count(*) > 0 as has_hierarchy from {leaves} where attribute = lower({s}))
                left join {leaves} as leaf
                  on leaf.attribute = lower({s}) and leaf.value is not distinct from value.q{i}::varchar
                left join (
                    select distinct combination.q{i} as value, tuple.q{i} as code
                    from {combinations} as combination join {tuples} as tuple using (tuple_id)
                ) as known on known.value is not distinct from value.q{i}
            ) as domain{i} on person.q{i} is not distinct from domain{i}.value
        $$, '')}));

-- Residents of a population, or no rows without one.
create or replace macro sqlanon._residents_if_any(
    population, people, combinations, tuples, leaves, qi) as table
    from query(sqlanon._if_given(population, 'null', {call _residents}));

-- A table is raw or a release. A raw text * is a value, a released one stands for all. Who looks at a table
-- may say which it is (released); else it is a release if it has something that no raw value is: what
-- stands for values (an interval, a set, a mask, *, the label of a hierarchy) and is not a value of the
-- population, which is raw. So a * or 1-9 that the population has, too, is a raw value: it covers those who
-- have it, and not everybody.
create or replace macro sqlanon._is_release(labels, people, hierarchy, qi) as table
    with name as (
        select unnest(range(1, len(sqlanon._list(qi)) + 1))::integer as d, unnest(sqlanon._list(qi)) as name
    ),
    inner_label as (
        select distinct d, label
        from query_table(hierarchy) as entry join name on lower(name.name) = lower(entry.attribute)
        where entry.level > 0
    ),
    generalized as (
        select d, label from query_table(labels)
        where sqlanon._form(label) <> 'value' or (d, label) in (select (d, label) from inner_label)
    ),
    raw as (select d, string as label from sqlanon._long(people, qi, 'v{i}'))
    select count(*) > 0 as is_release from generalized anti join raw using (d, label);

-- The people of the population whom each class of a table covers (as covers says, or of a raw table those
-- with its values): q1, q2, ..., people; and of those whom none covers each combination of values: p1, p2,
-- ..., people. absent says which of the two a row is. hierarchy: relation; released: is the table a release
-- (NULL: see above)?
create or replace macro sqlanon._class_people(
    tbl, qi, population, hierarchy, released, population_weight := null) as table
    with _sqlanon_class as materialized (from sqlanon._release_classes(tbl, qi)),
    _sqlanon_target as materialized (
        from sqlanon._target_combinations(population, qi, null, population_weight)
    ),
    _sqlanon_label as materialized (
        select d, string as label from sqlanon._long('_sqlanon_class', qi, 'l{i}')
    ),
    _sqlanon_reading as materialized (
        from query(
            case when released is null
                 then {call _is_release: labels := '_sqlanon_label', people := '_sqlanon_target'}
                 else 'select ' || released::boolean || ' as is_release' end)
    ),
    _sqlanon_release_class as materialized (
        from query(
            sqlanon._fill($$
                select release, class_id, size, {labels} from _sqlanon_class, _sqlanon_reading
            $$, map {
                'labels': sqlanon._each(
                    qi, 'q{i}, t{i}, if(is_release, l{i}, sqlanon._raw_text(q{i})) as l{i}', ', ')}))
    ),
    _sqlanon_located as (
        from sqlanon._locate('_sqlanon_release_class', '_sqlanon_target', hierarchy, qi)
    ),
    _sqlanon_counted as (
        select class_id, sum(people)::bigint as people
        from _sqlanon_located join _sqlanon_target using (target) group by class_id
    ),
    _sqlanon_absent as (from _sqlanon_target where target not in (select target from _sqlanon_located)),
    _sqlanon_person as (select columns('^q(\d+)$') as 'p\1' from sqlanon._combinations(population, qi, []))
    select false as absent, columns('^q\d+$'), people
    from _sqlanon_release_class join _sqlanon_counted using (class_id)
    union all by name
    from query(sqlanon._fill($$
        select true as absent, {each qi: p{i}}, people
        from _sqlanon_absent as combination left join _sqlanon_person as person on true
            {each qi: and person.p{i}::varchar is not distinct from combination.v{i}}
    $$));

-- A raw value (person) where a column of classes (known) has what is released of it: itself, [value, value],
-- {value}, or its text.
create or replace macro sqlanon._among_released(person, known) as
    struct_extract(
        {'value': person, 'interval': {'lo': person, 'hi': person}, 'set': [person], 'text': person::varchar},
        case when sqlanon._is_same_family(person, known) then 'value'
             when typeof(known) like 'STRUCT(%' then 'interval'
             when typeof(known) like '%[]' then 'set'
             else 'text' end);

-- No rows, or an error where a population (NULL: there is none) has no rows. people: its rows.
create or replace macro sqlanon._refuse_no_population(population, people) as table
    select error('population ' || population || ' is empty: it has no rows') as refused
    from query_table(people) having count(*) = 0 and population is not null;

-- No rows, or an error where the whole table as one class has too few people, or is too small or too large a
-- share of them, thus a part of every release would. (Too large a share can become smaller by suppression.)
-- residents: the population's tuples; may_suppress: as in _refuse_infeasible.
create or replace macro sqlanon._refuse_people_of_all(tuples, residents, requirement, may_suppress) as table
    with whole as (
        select (select sum(weight) from query_table(tuples)) as size,
               (select sum(weight) from query_table(residents)) as people
    ),
    verdict as (
        select unnest(sqlanon._class_verdicts(size, size, people, required.req), max_depth := 2)
        from whole, query_table(requirement) as required
    )
    select error('no release can meet the requirements'
                 || sqlanon._whole_reaches(reached, model, required)) as refused
    from verdict
    where required is not null and not holds
      and id in ({verdicts of population: '{id}'})
      and (id in ({verdicts of population but at_most, below: '{id}'}) or not may_suppress);

-- How many people of the population must be in a class that is released, one row: everybody. residents: the
-- population's tuples, or NULL without one.
create or replace macro sqlanon._needed_people(residents, requirement) as table
    from query(
        case when residents is null then 'select 0::bigint as everybody'
             else sqlanon._fill($$
                 select if(sqlanon._needs_everybody(any_value(req)), sum(weight), 0)::bigint as everybody
                 from {residents}, {requirement}
             $$)
        end);
