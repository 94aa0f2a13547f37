-- Counts with consistent noise: the same people have the same noise, in whatever words they are asked for.
--
-- Everybody has a record key, a hash with a secret. The key of a cell is the hash of the sum of its record
-- keys: so the noise of two cells is independent unless they have the same people. (Where the sum itself is
-- the key, as in tables by cell_keys, the key of a whole says something of those of its parts.)

-- Rows as people: those of src who are one have one text. Without a unit rows are people, and rows that are
-- alike are numbered: those who ask get all of them or none.
create or replace macro sqlanon._consistent_person(dimensions, unit) as
    coalesce(
        sqlanon._person(unit, null) || '::varchar',
        'concat(' || sqlanon._each(dimensions, $$length({c}::varchar), ':', {c}::varchar, ';', $$, '')
        || 'row_number() over (partition by ' || sqlanon._each(dimensions, '{c}', ', ') || '))');

-- The counts of groups that have people: told, groups. noise: a perturbation table; secret: a table with the
-- secret.
create or replace macro sqlanon._counts_with_consistent_noise(
    asked, groups, dimensions, unit, secret, noise) as table
    from query(sqlanon._fill($$
        with own as (
            select distinct {person} as person{each groups: , {c}} from {asked} as src
        ),
        person as (
            select person, secret,
                   ('0x' || left(sqlanon._keyed_hash(secret, 'record key', [person]), 15))::bigint as own_key
            from (select distinct person from own where person is not null) cross join {secret}
        ),
        cell as (
            select secret, count(*) as n, sum(own_key) as key_sum{each groups: , {c}}
            from own join person using (person) group by all
        ),
        keyed as (
            select *, ('0x' || left(sqlanon._keyed_hash(secret, 'cell key', [key_sum::varchar]), 15))::bigint
                      as cell_key
            from cell
        ),
        size as (select max(pcv) as last, max(ckey) + 1 as all_keys from {noise})
        select n + pvalue as told{each groups: , {c}}
        from keyed cross join size
        join {noise} on pcv = least(n, last) and ckey = cell_key % all_keys
    $$, map {
        'person': sqlanon._consistent_person(dimensions, unit), 'secret': sqlanon._relation(secret)}));
