-- A hospital publishes its patients every quarter. Alice has left, and what Bob has is known.
--
-- Xiao and Tao, m-Invariance: Towards Privacy Preserving Re-publication of Dynamic Datasets (SIGMOD 2007), in
-- small. Run it in the folder that has sqlanon.sql:  duckdb < examples/m_invariance.sql

.read sqlanon.sql

create table spring as from (values
    ('Bob', 21, 12000, 'dyspepsia'), ('Alice', 22, 14000, 'bronchitis')) as row(name, age, zip, disease);
create table summer as from (values
    ('Bob', 21, 12000, 'dyspepsia'), ('David', 23, 25000, 'gastritis'), ('Emma', 41, 20000, 'flu'),
    ('Jane', 37, 33000, 'dyspepsia')) as row(name, age, zip, disease);

-- Who is in which quarter is known to the neighbours.
create table neighbours as
    select *, name in (from (select name from spring)) as in_spring,
           name in (from (select name from summer)) as in_summer
    from (from spring union from summer);

-- Each release alone is 2-diverse ...
create table spring_release as
    from sqlanon.mondrian('spring', qi := ['age', 'zip'], sensitive := 'disease', k := 2, l := 2, seed := 1);
create table summer_release as
    from sqlanon.mondrian('summer', qi := ['age', 'zip'], sensitive := 'disease', k := 2, l := 2, seed := 1);

-- ... but both together tell what Bob has: of the two values of his first class one is in the second.
select name, posterior, candidates
from sqlanon.intersection_attack(
    ['spring_release', 'summer_release'], targets := 'neighbours', id := 'name', qi := ['age', 'zip'],
    sensitive := 'disease', presence := ['in_spring', 'in_summer'])
order by name;

-- The check says why: the values of his class have changed.
select violation, release, people, earlier_signature, signature
from sqlanon.m_invariance(
    ['spring_release', 'summer_release'], targets := 'neighbours', id := 'name', qi := ['age', 'zip'],
    sensitive := 'disease', presence := ['in_spring', 'in_summer']);

-- In m-invariant releases the values of everybody's class stay. The publisher keeps a state, who has which
-- signature, from one release to the next.
create table spring_invariant as
    from sqlanon.m_invariant('spring', id := 'name', qi := ['age', 'zip'], sensitive := 'disease', m := 2,
                             seed := 7041);
create table state as
    from sqlanon.m_invariant_state('spring', id := 'name', qi := ['age', 'zip'], sensitive := 'disease',
                                   m := 2, seed := 7041);
create table summer_invariant as
    from sqlanon.m_invariant('summer', id := 'name', qi := ['age', 'zip'], sensitive := 'disease', m := 2,
                             previous := 'state', seed := 5293);

-- Nobody who comes has bronchitis, so a counterfeit stands next to Bob. That is said of his class, but not of
-- which row.
from summer_invariant order by group_id, disease;

select name, posterior, candidates
from sqlanon.intersection_attack(
    ['spring_invariant', 'summer_invariant'], targets := 'neighbours', id := 'name', qi := ['age', 'zip'],
    sensitive := 'disease', presence := ['in_spring', 'in_summer'])
order by name;

-- No rows: it holds.
from sqlanon.m_invariance(
    ['spring_invariant', 'summer_invariant'], targets := 'neighbours', id := 'name', qi := ['age', 'zip'],
    sensitive := 'disease', presence := ['in_spring', 'in_summer'], group_id := 'group_id');
