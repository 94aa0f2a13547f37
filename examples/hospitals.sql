-- Two hospitals publish anonymous tables, and Alice's employer learns what she has.
--
-- This is Table 1 of Ganta, Kasiviswanathan and Smith, Composition Attacks and Auxiliary Information in
-- Data Privacy (KDD 2008). Run it in the folder that has sqlanon.sql:  duckdb < examples/hospitals.sql

.read sqlanon.sql

-- The first hospital's table is 4-anonymous, ...
create table hospital_1 (zip varchar, age varchar, nationality varchar, condition varchar);
insert into hospital_1 values
    ('130**', '<30',  '*', 'AIDS'),
    ('130**', '<30',  '*', 'Heart Disease'),
    ('130**', '<30',  '*', 'Viral Infection'),
    ('130**', '<30',  '*', 'Viral Infection'),
    ('130**', '>=40', '*', 'Cancer'),
    ('130**', '>=40', '*', 'Heart Disease'),
    ('130**', '>=40', '*', 'Viral Infection'),
    ('130**', '>=40', '*', 'Viral Infection'),
    ('130**', '3*',   '*', 'Cancer'),
    ('130**', '3*',   '*', 'Cancer'),
    ('130**', '3*',   '*', 'Cancer'),
    ('130**', '3*',   '*', 'Cancer');

-- ... the second's 6-anonymous.
create table hospital_2 (zip varchar, age varchar, nationality varchar, condition varchar);
insert into hospital_2 values
    ('130**', '<35',  '*', 'AIDS'),
    ('130**', '<35',  '*', 'Tuberculosis'),
    ('130**', '<35',  '*', 'Flu'),
    ('130**', '<35',  '*', 'Tuberculosis'),
    ('130**', '<35',  '*', 'Cancer'),
    ('130**', '<35',  '*', 'Cancer'),
    ('130**', '>=35', '*', 'Cancer'),
    ('130**', '>=35', '*', 'Cancer'),
    ('130**', '>=35', '*', 'Cancer'),
    ('130**', '>=35', '*', 'Tuberculosis'),
    ('130**', '>=35', '*', 'Viral Infection'),
    ('130**', '>=35', '*', 'Viral Infection');

-- Is that so? A check is a query; no rows mean that it holds.
from sqlanon.violations('hospital_1', qi := ['zip', 'age', 'nationality'], k := 4);
from sqlanon.violations('hospital_2', qi := ['zip', 'age', 'nationality'], k := 6);

-- What each table alone tells: in the worst class of the first, everybody has the same condition.
select model, reached, class
from sqlanon.privacy('hospital_1', qi := ['zip', 'age', 'nationality'], sensitive := 'condition')
where model in ('k-anonymity', 'distinct l-diversity');

-- Alice is 28, lives in 13012 and was in both hospitals. Her employer does not know her nationality: he
-- leaves that column out.
create table employees (name varchar, zip varchar, age integer);
insert into employees values ('Alice', '13012', 28);

-- In each table several people could be Alice ...
from sqlanon.locate('hospital_1', 'employees', id := 'name', qi := ['zip', 'age']);
from sqlanon.locate('hospital_2', 'employees', id := 'name', qi := ['zip', 'age']);

-- ... but of the 3 conditions that one class leaves open and the 4 of the other, only one is in both.
select name, prior, posterior, candidates
from sqlanon.intersection_attack(
    ['hospital_1', 'hospital_2'], targets := 'employees', id := 'name', qi := ['zip', 'age'],
    sensitive := 'condition');
