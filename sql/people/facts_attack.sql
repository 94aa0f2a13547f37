-- Facts: who knows a few values in the rows of a person, of whatever table, looks for the people who have all
-- of them (Terrovitis, Mamoulis and Kalnis 2008, whose k^m-anonymity bounds this for items).
--
-- A fact is a value in one row: somebody of whom two rows with the flu are known has at least two. So what is
-- known is a multiset of values, and a candidate is whoever has it among their own. What is known of several
-- people alike is looked up once, from the rarest value on, as in unicity.

-- What facts are about, of one table: expression, about (its name).
create or replace macro sqlanon._facts_of_table(branch, roles) as
    list_transform(sqlanon._columns_of(roles['qi'], branch['nth']), lambda name, nth_name: {
        'expression': 'q' || nth_name, 'about': branch['name'] || '.' || name})
    || list_transform(sqlanon._columns_of(roles['dates'], branch['nth']), lambda name, nth_name: {
        'expression': '(d' || nth_name || ' - start)',
        'about': branch['name'] || '.' || name || ' after the first day'});

-- Queries of person, about, value, n (rows), of one table.
create or replace macro sqlanon._facts_queries(branch, roles) as
    list_transform(sqlanon._facts_of_table(branch, roles), lambda fact: sqlanon._fill($$
        select person, {about} as about, {expression}::varchar as value, sum(n)::bigint as n
        from _sqlanon_linked{i} {with_start} group by all
    $$, map {
        'i': branch['nth']::varchar, 'about': sqlanon._literal(fact['about']),
        'expression': fact['expression'],
        'with_start': if(len(roles['dates']) = 0, '', 'left join _sqlanon_start using (person)')}))
    || if(branch['parent'] is null and len(roles['dates']) > 0,
          [$$
              select person, 'weekday of the first day' as about, dayname(start) as value, 1::bigint as n
              from _sqlanon_start
          $$], []);

-- How the facts of a person are ordered, of which the first are known. The rarest are rows of the values that
-- the fewest people have in as many rows as can be known.
create or replace macro sqlanon._order_of_facts(draw, seed) as
    case draw when 'rarest'
              then 'fewest, hash(unit_key, about, value is null, value, ' || seed || '), place'
              when 'random'
              then 'hash(unit_key, about, value is null, value, place, ' || seed || '), place'
              else error('draw must be rarest or random, not ' || coalesce(draw, 'NULL')) end;

create or replace macro sqlanon.facts_attack(
    tables, unit, joins, facts, p := 2, dates := null, draw := 'rarest', sample := 1000,
    seed := 1) as table
    from query(sqlanon._settings_checked() || sqlanon._let(
        sqlanon._said_of_tables(tables, unit, joins, 'facts', facts, dates, null), lambda said:
            sqlanon._rows_of_everybody(said['tree'], said['roles']) || sqlanon._fill($$,
        _sqlanon_told as materialized ({facts}),
        _sqlanon_value as materialized (
            select row_number() over () as value_id, about, value
            from (select distinct about, value from _sqlanon_told)
        ),
        _sqlanon_held as materialized (  -- by whom
            select person, value_id, n
            from _sqlanon_told as told join _sqlanon_value as known
              on known.about = told.about and known.value is not distinct from told.value
        ),
        _sqlanon_holders as materialized (  -- how many have so many rows
            select value_id, place, count(*) as holders
            from (select value_id, unnest(range(1, n + 1)) as place from _sqlanon_held) group by all
        ),
        _sqlanon_target as materialized (
            select row_id as person, own as unit, {unit_key} as unit_key
            from _sqlanon_read{root} order by hash(unit_key, {seed}), unit_key limit {sample}
        ),
        _sqlanon_own as materialized (
            select person, unit_key, value_id, unnest(range(1, n + 1)) as place
            from _sqlanon_held join _sqlanon_target using (person)
        ),
        _sqlanon_drawn as materialized (
            select person, value_id, count(*) as n
            from (
                select person, value_id, row_number() over (partition by person order by {order}) as rank
                from (
                    select *, min(holders) filter (where place <= {p}) over (partition by person, value_id)
                                  as fewest
                    from _sqlanon_own join _sqlanon_holders using (value_id, place)
                    join _sqlanon_value using (value_id)
                )
            )
            where rank <= {p} group by all
        ),
        _sqlanon_known as materialized (  -- by each adversary
            select person, list_sort(list(value_id * 4294967296 + n)) as known
            from _sqlanon_drawn group by person
        ),
        _sqlanon_set as materialized (
            select row_number() over () as set_id, known from (select distinct known from _sqlanon_known)
        ),
        _sqlanon_part as materialized (
            select set_id, packed // 4294967296 as value_id, packed % 4294967296 as n
            from (select set_id, unnest(known) as packed from _sqlanon_set)
        ),
        _sqlanon_rarest as materialized (
            select set_id, count(*) as parts,
                   unnest(arg_min(struct_pack(value_id := value_id, n := n), row(holders, value_id)))
            from _sqlanon_part join _sqlanon_holders as holding using (value_id)
            where holding.place = n group by set_id
        ),
        _sqlanon_suspect as materialized (
            select set_id, parts, person
            from _sqlanon_rarest as rarest join _sqlanon_held as held using (value_id)
            where held.n >= rarest.n
        ),
        _sqlanon_asked as materialized (
            select set_id, parts, person, value_id, n from _sqlanon_suspect join _sqlanon_part using (set_id)
        ),
        _sqlanon_candidates as materialized (
            select set_id, count(*) as candidates
            from (
                select set_id, person
                from _sqlanon_asked as asked join _sqlanon_held as held using (person, value_id)
                where held.n >= asked.n
                group by set_id, person having count(*) = any_value(parts)
            )
            group by set_id
        ),
        _sqlanon_words as (
            select set_id, sum(n)::bigint as facts,
                   list(about || ': ' || coalesce(value, 'NULL') || if(n > 1, ' (' || n || ' rows)', '')
                        order by about, value nulls first) as known
            from _sqlanon_part join _sqlanon_value using (value_id) group by set_id
        )
        select unit as person, if(facts > 0, 're-identified', null) as learned,
               if(facts > 0, 1 / candidates, null) as confidence, 1 / people as baseline,
               null::boolean as is_right, false as is_control, coalesce(candidates, people) as candidates,
               coalesce(facts, 0) as facts, coalesce(words.known, []) as known,
               people > {sample} as is_sample
        from _sqlanon_target as target
        left join _sqlanon_known as known using (person)
        left join _sqlanon_set using (known)
        left join _sqlanon_candidates using (set_id)
        left join _sqlanon_words as words using (set_id),
        (select count(*) as people from _sqlanon_read{root})
        where (select count(refused) = 0 from _sqlanon_refusal)
        order by candidates, unit_key
    $$, map {
        'facts': sqlanon._text_of_each(
            flatten(list_transform(said['tree'], lambda branch:
                sqlanon._facts_queries(branch, said['roles']))), ' union all '),
        'root': said['tree'][1]['nth']::varchar, 'unit_key': sqlanon._reading('own', 'true'),
        'sample': sqlanon._whole_given(sample, 'sample')::varchar,
        'p': sqlanon._whole_given(p, 'p')::varchar, 'seed': sqlanon._seed_given(seed)::varchar,
        'order': sqlanon._order_of_facts(draw, sqlanon._seed_given(seed)::varchar)})));

comment on macro table sqlanon.facts_attack is $$
Looks for the people of several tables who have p facts that an adversary knows of a person, values in rows of
any of these tables: one row per person.

Parameters:
- tables, unit, joins: as in person_classes
- facts (list of texts): the columns of all tables that the adversary may know something of, as table.column,
  also sensitive and kept ones.
- p (integer, at least 1; default 2): the number of facts that the adversary knows of the person.
- dates (list of texts; default null): dates that leave shifted by an offset per person, as table.column. A
  fact is then how long after the first day of the person one is, or the weekday of this day.
- draw (one of rarest, random; default 'rarest'): which facts of the person these are: those that the fewest
  people have, or any.
- sample (integer, at least 1; default 1000): how many people are attacked; all if there are fewer.
- seed (integer; default 1): fixes which people are drawn, and which of equally rare facts.

Result:
- person (unchanged): the unit, as the person table has it.
- learned (text): the word re-identified; NULL if the person has no row with a fact.
- confidence (number): 1 / candidates.
- baseline (number): 1 / the number of people.
- is_right (boolean): NULL.
- is_control (boolean): false.
- candidates (integer, people): who have all facts that are known; 1: re-identified for certain.
- facts (integer): how many facts are known; fewer than p if the person has no more.
- known (list of texts): these facts.
- is_sample (boolean): are there people who were not attacked? Otherwise attack_summary has no intervals.

Errors: as in person_classes; p or sample below 1.

Notes: a fact is a value in one row. So of two rows with the same value two facts are known, and candidates
have at least two such rows. NULL is a value of its own. The rarest facts are a bad case, not always the worst
one: other combinations of p facts may leave fewer people. Which facts are in rows that belong together does
not count here, but does in person_classes.

Source: Terrovitis, Mamoulis and Kalnis 2008 (k^m-anonymity); de Montjoye, Hidalgo, Verleysen and Blondel 2013
(random points).

Example:
with person as (
    from (values (1, '20-39'), (2, '20-39'), (3, '20-39'), (4, '40-59')) as person(patient, age)
),
stay as (
    from (values (1, 'A', 'flu'), (1, 'A', 'gout'), (2, 'A', 'flu'), (3, 'B', 'flu'), (4, 'B', 'flu'))
        as stay(patient, ward, disease)
)
from sqlanon.facts_attack(
    ['person', 'stay'], unit := 'person.patient', joins := ['stay.patient=person.patient'],
    facts := ['stay.ward', 'stay.disease'], p := 2);
$$;
