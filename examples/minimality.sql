-- A method that generalizes no more than it must tells, where it did generalize, that something less would
-- not have been allowed.
--
-- This is the attack of Wong, Fu, Wang and Pei, Minimality Attack in Privacy Preserving Data Publishing (VLDB
-- 2007), on groups of 2 and 5 people. Run it in the folder that has sqlanon.sql:
-- duckdb < examples/minimality.sql

.read sqlanon.sql

-- The two young ones have HIV; nobody shares the other diseases.
create table patients (name varchar, age integer, disease varchar);
insert into patients values
    ('Ann', 20, 'HIV'), ('Bob', 20, 'HIV'),
    ('Cleo', 30, 'flu'), ('Dan', 30, 'gout'), ('Eve', 30, 'asthma'), ('Fred', 30, 'acne'),
    ('Gina', 30, 'angina');

-- At most half of the people in a class may have the same. So the seven are one class, though there could be
-- two of at least 2 people. From the release alone, Ann has HIV with a probability of 2/7.
create table release as
    from sqlanon.mondrian('patients', qi := 'age', sensitive := 'disease', k := 2, alpha := 0.5);
from sqlanon.violations('release', qi := 'age', sensitive := 'disease', k := 2, alpha := 0.5);

-- But who knows the ages knows that the class would have been cut between 20 and 30, were it not for the two
-- cases; and they are against it only if both are 20.
select name, learned, round(confidence, 3) as confidence, round(baseline, 3) as baseline, is_right
from sqlanon.minimality('release', targets := 'patients', id := 'name', qi := 'age', sensitive := 'disease',
                        k := 2, alpha := 0.5, truth := 'disease')
order by confidence, name desc;

-- So a second algorithm can undo what the first one did, with the ages alone: it takes the half of whom the
-- disease is certain out of the class.
create table undone as
    select name, age, learned as disease
    from sqlanon.minimality('release', targets := 'patients', id := 'name', qi := 'age',
                            sensitive := 'disease', k := 2, alpha := 0.5)
    join patients using (name)
    where confidence > 0.99;

-- What comes out does not meet the requirements of what went in: these are not closed under post-processing
-- (Machanavajjhala and Kifer 2015).
select model, required, reached, class.age as age
from sqlanon.violations('undone', qi := 'age', sensitive := 'disease', k := 2, alpha := 0.5);
