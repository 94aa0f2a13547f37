-- Before the first of two hospitals publishes its table, it asks what that will give away once another
-- hospital publishes one about the same people.
--
-- The table is the first one of Table 1 of Ganta, Kasiviswanathan and Smith, Composition Attacks and
-- Auxiliary Information in Data Privacy (KDD 2008); examples/hospitals.sql makes the attack. Run it in the
-- folder that has sqlanon.sql:  duckdb < examples/forecast.sql

.read sqlanon.sql

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

-- Of the other hospital it knows that its classes have 6 rows, and how many patients have what.
create table elsewhere (value varchar, share integer);
insert into elsewhere values
    ('AIDS', 1), ('Cancer', 5), ('Flu', 1), ('Tuberculosis', 3), ('Viral Infection', 2);

-- Per class: how many of its conditions will survive, whether only the true one, and how good a guess will be
-- (confidence), compared with one from this table alone (baseline).
select class_id, size, learned, round(baseline, 3) as baseline, round(confidence, 3) as confidence, prior,
       round(posterior, 3) as posterior, round(certain, 3) as certain
from sqlanon.forecast('hospital_1', qi := ['zip', 'age', 'nationality'], sensitive := 'condition', size := 6,
                      marginal := 'elsewhere');

-- The same over all patients, in the words of sqlanon.breaches.
select measure, round(value, 1) as value, unit
from sqlanon.expected_breaches('hospital_1', qi := ['zip', 'age', 'nationality'], sensitive := 'condition',
                               size := 6, marginal := 'elsewhere');
