-- A table grows, each state of it is released with k = 5, and together the releases tell more than each.
--
-- Fung, Wang, Fu and Pei, Anonymity for Continuous Data Publishing (EDBT 2008). Run it in the folder that has
-- sqlanon.sql:  duckdb < examples/growing_table.sql

.read sqlanon.sql

-- What the labels stand for.
create table hierarchies as
    from (values
        ('country', 'UK', 0, 'UK'), ('country', 'UK', 1, 'Europe'),
        ('country', 'France', 0, 'France'), ('country', 'France', 1, 'Europe'),
        ('job', 'Lawyer', 0, 'Lawyer'), ('job', 'Lawyer', 1, 'Professional')
    ) as row(attribute, value, level, label);

-- The first release is of five people, the second of these and five more.
create table first_release as
    select 'Europe' as country, 'Lawyer' as job,
           unnest(['flu', 'flu', 'flu', 'diabetes', 'diabetes']) as disease;
create table second_release as
    select 'UK' as country, 'Professional' as job,
           unnest(['flu', 'flu', 'flu', 'diabetes', 'diabetes']) as disease
    union all
    select 'France', 'Professional', unnest(['flu', 'flu', 'diabetes', 'diabetes', 'diabetes']);

-- Each is 5-anonymous: no rows.
from sqlanon.violations('first_release', qi := ['country', 'job'], k := 5);
from sqlanon.violations('second_release', qi := ['country', 'job'], k := 5);

-- But every row of the first is one of the second, too. A lawyer in France who is in both can be in four
-- rows of the first class only: one with flu has no room in France.
select later_class_id, learned, f_anonymity, c_anonymity, b_anonymity, anonymity
from sqlanon.correspondence(
    ['first_release', 'second_release'], qi := ['country', 'job'], sensitive := 'disease',
    hierarchies := 'hierarchies')
order by later_class_id;

-- Another sequence: jobs are released first, diseases by job later. Whoever is in both joins them.
-- This is (X, Y)-privacy: Wang and Fung, Anonymizing Sequential Releases (KDD 2006).
create table jobs as
    from (values ('ann', 'banker'), ('bea', 'banker'), ('bob', 'clerk'), ('cat', 'driver'), ('dan', 'driver'))
        as row(name, job);
create table diseases as
    from (values ('banker', 'cancer'), ('banker', 'cancer'), ('clerk', 'hiv'), ('driver', 'cancer'),
                 ('driver', 'hiv')) as row(job, disease);
select max(confidence) as linkability, min(anonymity) as anonymity
from sqlanon.joined_releases(['jobs', 'diseases'], join_on := 'job', x := 'name', y := 'disease');

-- With a job that is more general, nobody is certain any more.
create table general_jobs as select name, if(job = 'driver', job, 'finance') as job from jobs;
create table general_diseases as select if(job = 'driver', job, 'finance') as job, disease from diseases;
select round(max(confidence), 3) as linkability, min(anonymity) as anonymity
from sqlanon.joined_releases(
    ['general_jobs', 'general_diseases'], join_on := 'job', x := 'name', y := 'disease');

-- A table that only grows: two people in their twenties, then a third. Who came has cancer, and the second
-- release alone is 3-diverse. Byun, Sohn, Bertino and Li, Secure Anonymization for Incremental Datasets
-- (2006).
create table two_people as from (values ('[20, 29]', 'flu'), ('[20, 29]', 'asthma')) as row(age, disease);
create table three_people as
    from (values ('[20, 39]', 'flu'), ('[20, 39]', 'asthma'), ('[20, 39]', 'cancer')) as row(age, disease);
select learned, confidence, rows, is_new
from sqlanon.insert_only(['two_people', 'three_people'], qi := 'age', sensitive := 'disease')
where class_id is null;
