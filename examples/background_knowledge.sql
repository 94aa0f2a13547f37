-- A hospital publishes a table in classes of five, and somebody who knows a little more learns what Ed has.
--
-- The table is that of Martin, Kifer, Machanavajjhala, Gehrke and Halpern, Worst-Case Background Knowledge
-- for Privacy-Preserving Data Publishing (ICDE 2007). Run it in the folder that has sqlanon.sql:
--     duckdb < examples/background_knowledge.sql

.read sqlanon.sql

create table hospital (zip varchar, sex varchar, disease varchar);
insert into hospital values
    ('1485*', 'M', 'flu'),
    ('1485*', 'M', 'flu'),
    ('1485*', 'M', 'lung cancer'),
    ('1485*', 'M', 'lung cancer'),
    ('1485*', 'M', 'mumps'),
    ('1485*', 'F', 'flu'),
    ('1485*', 'F', 'flu'),
    ('1485*', 'F', 'breast cancer'),
    ('1485*', 'F', 'ovarian cancer'),
    ('1485*', 'F', 'heart disease');

-- No class has one value only: the homogeneity attack is sure of nothing. Without more knowledge nobody is
-- surer of anybody's disease than by 2 in 5.
from sqlanon.homogeneity('hospital', qi := ['zip', 'sex'], sensitive := 'disease') order by sex;

-- Who knows that Ed has not had mumps is sure by 1 in 2, and who knows that he has no flu by 2 in 3. Who
-- knows both is certain that he has lung cancer. This is the worst that one or two such facts can do:
from sqlanon.background_knowledge(
    'hospital', qi := ['zip', 'sex'], sensitive := 'disease', k := 1, knowledge := 'negations')
order by sex;
from sqlanon.background_knowledge(
    'hospital', qi := ['zip', 'sex'], sensitive := 'disease', k := 2, knowledge := 'negations')
order by sex;

-- How fast it gets worse with each fact more, of the worst class. An implication can be more than a fact
-- about one person: if Hannah has the flu, then her sister has it, too.
select knowledge, k, round(disclosure, 3) as disclosure, round(certain, 3) as certain, class
from sqlanon.maximum_disclosure('hospital', qi := ['zip', 'sex'], sensitive := 'disease', k := 3);

-- Other knowledge: a disease that the target has not, what another patient has, and a relative who would not
-- have it without the target. Of the flu, and each by itself:
select 'a value' as known, sex, confidence from sqlanon.skyline(
    'hospital', qi := ['zip', 'sex'], sensitive := 'disease', l := 1, k := 0, m := 0, value := 'flu')
union all
select 'a person', sex, confidence from sqlanon.skyline(
    'hospital', qi := ['zip', 'sex'], sensitive := 'disease', l := 0, k := 1, m := 0, value := 'flu')
union all
select 'a relative', sex, confidence from sqlanon.skyline(
    'hospital', qi := ['zip', 'sex'], sensitive := 'disease', l := 0, k := 0, m := 1, value := 'flu')
order by known, sex;

-- What the attack sums up to, people counted.
with answer as (
    from sqlanon.background_knowledge('hospital', qi := ['zip', 'sex'], sensitive := 'disease', k := 2)
)
select measure, round(value, 1) as value, unit from sqlanon.attack_summary('answer', weight := 'size');
