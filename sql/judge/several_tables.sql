-- Releases of several tables that are out, beside a new one of the same people.
--
-- Whoever has them all, and knows what somebody releases in each, looks for the people who are in the same
-- class in each of them: the class in an earlier release is one more quasi-identifier of the person table,
-- which does not leave (Ganta, Kasiviswanathan and Smith 2008: composition). A register keeps who was in
-- which class, by keyed hashes.

-- Who has which hash: reading (of the unit), who. own: the unit.
create or replace macro sqlanon._hashed_units(tbl, own, hash_key) as table
    select _sqlanon_reading as reading,
           sqlanon._keyed_hash(secret, 'person of several tables', [_sqlanon_reading]) as who
    from (select distinct _sqlanon_reading from sqlanon._rows_with_reading(tbl, own)),
         query_table(hash_key)
    where _sqlanon_reading is not null;

-- What a register keeps of the people of a release: who, class_id. classes: person, class_id.
create or replace macro sqlanon._classes_to_keep(classes, hash_key) as table
    select who, class_id
    from sqlanon._hashed_units(classes, 'person', hash_key) as hashed
    join sqlanon._rows_with_reading(classes, 'person') on _sqlanon_reading = reading;

-- And of their sensitive values, which are hashed, too: who, attribute, value (NULL: there is none).
-- held: person, sensitive.
create or replace macro sqlanon._values_to_keep(held, of_attribute, hash_key) as table
    select who, of_attribute as attribute,
           sqlanon._keyed_hash(secret, 'value of several tables', [value._sqlanon_reading]) as value
    from sqlanon._hashed_units(held, 'person', hash_key) as hashed
    join sqlanon._rows_with_reading(held, 'person') as of_person on of_person._sqlanon_reading = reading
    join (select distinct sensitive, _sqlanon_reading from sqlanon._rows_with_reading(held, 'sensitive'))
        as value on value.sensitive is not distinct from of_person.sensitive,
    query_table(hash_key);

-- The person table with the class of each person in releases that are out: _sqlanon_in{i}, NULL of those who
-- are not in one. kept: reading, release_id, class_id; numbers: the releases.
create or replace macro sqlanon._rows_with_classes(tbl, own, kept, numbers) as table
    from query(sqlanon._fill($$
        select src.* {columns} from {rows} as src {joins}
    $$, map {
        'rows': sqlanon._relation(tbl),
        'columns': sqlanon._each(numbers, ', before{i}.class_id as _sqlanon_in{i}', ''),
        'joins': sqlanon._each_filled(numbers, $$
            left join (select reading, class_id from {kept} where release_id = {s}::integer) as before{i}
              on before{i}.reading = {reading}
        $$, map {
            'kept': sqlanon._relation(kept),
            'reading': sqlanon._reading('src.' || sqlanon._quote(own), 'true')}, '')}));

-- The values that people had in an earlier release, by their classes of today: class_id, person, sensitive.
-- classes: person, class_id; kept: reading, value.
create or replace macro sqlanon._kept_values_by_class(classes, kept) as table
    select class_id, person, value as sensitive
    from sqlanon._rows_with_reading(classes, 'person') join query_table(kept) on reading = _sqlanon_reading;

-- People of releases that are out who are not in the new one: left_out (how many), and few (how many of these
-- are fewer than k who were alike, while others of their classes are in it). kept: who, release_id, class_id;
-- present: who.
create or replace macro sqlanon._people_who_left(kept, present, numbers, k) as table
    with history as (
        select who, list(release_id || ':' || class_id order by release_id) as classes
        from query_table(kept) where list_contains(numbers, release_id) group by who
    ),
    alike as (
        select classes, count(*) filter (who not in (select who from query_table(present))) as gone,
               count(*) as people
        from history group by classes
    )
    select coalesce(sum(gone), 0)::bigint as left_out,
           coalesce(sum(gone) filter (gone < k and gone < people), 0)::bigint as few
    from alike;

-- People of the last of some releases, by the classes that they are in in all of these: people, least (the
-- fewest who are alike), few (how many are fewer than k). kept: who, release_id, class_id.
create or replace macro sqlanon._alike_in_releases(kept, numbers, k) as table
    with history as (
        select who, list(release_id || ':' || class_id order by release_id) as classes
        from query_table(kept) where list_contains(numbers, release_id) group by who
        having bool_or(release_id = numbers[-1])
    ),
    alike as (select count(*) as n from history group by classes)
    select sum(n)::bigint as people, min(n) as least, coalesce(sum(n) filter (n < k), 0)::bigint as few
    from alike;

-- What people are called once they are forgotten: who, called. The same in all releases, so that it is still
-- known how many were alike, and not who. kept: who; drawn: a text that no other call has had.
create or replace macro sqlanon._called_once_forgotten(kept, tbl, own, secret, drawn) as table
    select who, 'forgotten ' || drawn || '-' || row_number() over () as called
    from (
        select who from (select distinct who from query_table(kept))
        where who in (select who from sqlanon._hashed_units(tbl, own, secret)) order by random()
    );

-- How many people of some releases were forgotten: people.
create or replace macro sqlanon._people_forgotten(kept, numbers) as table
    select count(distinct who) as people from query_table(kept)
    where list_contains(numbers, release_id) and starts_with(who, 'forgotten ');

-- What a register keeps of the people of today: its columns and reading. hashed: reading, who.
create or replace macro sqlanon._kept_of_people(kept, hashed, numbers) as table
    select reading, kept.*
    from query_table(kept) as kept join query_table(hashed) as hashed using (who)
    where list_contains(numbers, release_id);

-- Values of one attribute in one release: reading, value. held: as _kept_of_people.
create or replace macro sqlanon._values_in_release(held, number, of_attribute) as table
    select reading, value from query_table(held) where release_id = number and attribute = of_attribute;

-- Verdicts on several tables, in the columns of _said_by_judge. judged: as in check_tables.
create or replace macro sqlanon._verdicts_on_tables(judged, names) as table
    select 'tables: ' || tables as attack, names as releases, sensitive, 'made' as status,
           null::text as reason, false as sampled, id, model as measure, reached as value,
           null::text as unit, null::double as low, null::double as high, required as tolerated, people,
           null::bigint as before, if(verdict = 'accepted', 'not known', verdict) as verdict,
           if(verdict = 'accepted', 'accepted', null) as accepted, null::text as remedy
    from query_table(judged);

-- People to be left out: person. Those who are, and others of their classes in releases that are out, where
-- fewer than k of these would be missing: a missing person must not be told by what the others have. The
-- smallest class is left out, too, which has k people. classes: person, class_id; failing: person; tbl: the
-- person table with the columns of classes in other releases.
create or replace macro sqlanon._failing_with_company(classes, failing, tbl, own, columns, k) as table
    from query(sqlanon._fill($$
        with person as (
            select of_class.person, class_id, [{columns}] as history,
                   of_class.person in (from {failing}) as fails
            from {classes} as of_class join {rows} as src on src.{"own"} = of_class.person
        ),
        incomplete as (
            select history from person where len(list_filter(history, lambda x: x is not null)) > 0
            group by history having count(*) filter (fails) between 1 and {k} - 1
        ),
        size as (
            select history, class_id, count(*) as n
            from person join incomplete using (history) where not fails group by all
        ),
        company as (select arg_min(class_id, row(n, class_id)) as class_id from size group by history)
        select person from person where fails or class_id in (from company)
    $$, map {
        'classes': sqlanon._relation(classes), 'failing': sqlanon._relation(failing),
        'rows': sqlanon._relation(tbl), 'k': k::varchar,
        'columns': sqlanon._each(columns, 'src.{c}::varchar', ', ')}));
