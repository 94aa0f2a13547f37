-- Two nights in the same categories: the cuts of the first release are applied to the table of the second.
--
-- Run it in the folder that has sqlanon.sql:  duckdb < examples/two_nights.sql

.read sqlanon.sql

create table monday as
select 20 + (hash(i, 1) % 50)::integer as age, 13000 + (hash(i, 2) % 30)::integer as zip,
       ['flu', 'asthma', 'gout', 'cancer'][1 + (hash(i, 3) % 4)::integer] as disease
from range(300) as people(i);

-- On Tuesday some have left, others have come, and one is older than anybody was.
create table tuesday as
from monday where hash(age, zip) % 10 > 0
union all
select 20 + (hash(i, 4) % 50)::integer, 13000 + (hash(i, 5) % 35)::integer, 'flu' from range(30) as new(i)
union all
values (97, 13034, 'gout');

create table monday_released as
from sqlanon.mondrian('monday', qi := ['age', 'zip'], sensitive := 'disease', k := 10, l := 3, seed := 1);

-- The strategy is a table: look at it, keep it, write it down (copy scheme to 'scheme.parquet').
create table scheme as
from sqlanon.scheme_of_cuts('monday_released', qi := ['age', 'zip']);

select class_id, attribute, label, beyond from scheme order by all limit 8;

-- Both nights by it. Classes that have become too small are left out, up to a tenth of the rows.
create table first_night as
from sqlanon.recode('monday', 'scheme', qi := ['age', 'zip'], sensitive := 'disease', k := 5, l := 3,
                    suppression_limit := 0.1, seed := 1);
create table second_night as
from sqlanon.recode('tuesday', 'scheme', qi := ['age', 'zip'], sensitive := 'disease', k := 5, l := 3,
                    suppression_limit := 0.1, seed := 1);

-- The categories of Tuesday are those of Monday. Where a row has a value that its class did not have on
-- Monday, the label is the wider one, beyond. (That two releases tell more than one is true of these as well:
-- publish attacks them together.)
select count(*) as rows, count(distinct (age, zip)) as classes,
       count(distinct (age, zip)) filter ((age, zip) not in (select (age, zip) from first_night)) as new_ones
from second_night;
