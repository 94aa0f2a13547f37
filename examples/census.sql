-- Two agencies anonymize what they have of one census, each on its own, and an adversary who joins the two
-- releases learns what neither tells: the experiment of Ganta, Kasiviswanathan and Smith (KDD 2008, section
-- 3) in SQL alone.
--
-- Run it in the folder that has sqlanon.sql:  duckdb < examples/census.sql

.read sqlanon.sql

-- A census of 6000 generated people. hash gives everybody the same numbers everywhere; an occupation goes
-- with sex and schooling.
create table people as
with draw as (
    select id,
           hash(id, 'age') % 10000 / 1e4 as for_age,
           hash(id, 'sex') % 10000 / 1e4 as for_sex,
           hash(id, 'zip') % 60 as for_zip,
           hash(id, 'schooling') % 10000 / 1e4 as for_schooling,
           hash(id, 'occupation') % 10000 / 1e4 as for_occupation
    from range(1, 6001) as people(id)
),
person as (
    select id,
           (18 + 70 * for_age ** 1.6)::integer as age,
           case when for_sex < 0.55 then 'male' else 'female' end as sex,
           (13000 + for_zip)::varchar as zip,
           case when for_schooling < 0.3 then 'school' when for_schooling < 0.75 then 'college'
                else 'university' end as schooling,
           for_occupation
    from draw
)
select id, age, sex, zip, schooling,
       -- The lists say what is frequent: an entry for every tenth.
       case when schooling = 'university'
            then ['teacher', 'teacher', 'engineer', 'engineer', 'physician',
                  'lawyer', 'manager', 'manager', 'scientist', 'official']
            when schooling = 'college' and sex = 'female'
            then ['nurse', 'nurse', 'clerk', 'clerk', 'clerk',
                  'teacher', 'seller', 'seller', 'manager', 'technician']
            when schooling = 'college'
            then ['technician', 'technician', 'clerk', 'seller', 'seller',
                  'police', 'manager', 'mechanic', 'mechanic', 'builder']
            when sex = 'female'
            then ['cleaner', 'cleaner', 'cook', 'cook', 'seller',
                  'seller', 'machinist', 'machinist', 'clerk', 'farmer']
            else ['builder', 'builder', 'driver', 'driver', 'machinist',
                  'machinist', 'mechanic', 'farmer', 'cook', 'cleaner']
       end[1 + (for_occupation * 10)::integer % 10] as occupation
from person;

-- Each agency has the first 1000 people, and every other one of the rest.
create table agency_1 as from people where id <= 1000 or id % 2 = 1;
create table agency_2 as from people where id <= 1000 or id % 2 = 0;

-- Each publishes a 5-anonymous release with three occupations in every class, and checks it: no rows mean
-- that it holds.
create table release_1 as
from sqlanon.mondrian('agency_1', qi := ['age', 'sex', 'zip', 'schooling'],
                      sensitive := 'occupation', k := 5, l := 3);

create table release_2 as
from sqlanon.mondrian('agency_2', qi := ['age', 'sex', 'zip', 'schooling'],
                      sensitive := 'occupation', k := 5, l := 3);

from sqlanon.violations('release_1', qi := ['age', 'sex', 'zip', 'schooling'],
                        sensitive := 'occupation', k := 5, l := 3);
from sqlanon.violations('release_2', qi := ['age', 'sex', 'zip', 'schooling'],
                        sensitive := 'occupation', k := 5, l := 3);

from release_1 limit 5;

-- The adversary knows the 1000 people by age, sex, zip code and schooling, and that they are in both.
create table targets as from people where id <= 1000;

select measure, value, unit, low, high
from sqlanon.breaches(
    ['release_1', 'release_2'], targets := 'targets', id := 'id',
    qi := ['age', 'sex', 'zip', 'schooling'], sensitive := 'occupation', truth := 'occupation');

-- Who is exposed for certain, though every class of either release has three occupations or more?
select * exclude (located)
from sqlanon.intersection_attack(
    ['release_1', 'release_2'], targets := 'targets', id := 'id',
    qi := ['age', 'sex', 'zip', 'schooling'], sensitive := 'occupation', truth := 'occupation')
where posterior = 1
order by id
limit 5;
