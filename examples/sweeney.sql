-- Three attacks on anonymous tables, from Sweeney, k-Anonymity: A Model for Protecting Privacy (2002).
--
-- Run it in the folder that has sqlanon.sql:  duckdb < examples/sweeney.sql

.read sqlanon.sql

-- LINKING (section 1). A list of voters, made up but for its counts: six share the governor's birth date,
-- three of them are men, and he is the only one in his ZIP code. The visits have no names.
create table voters (name varchar, birth date, sex varchar, zip varchar);
insert into voters values
    ('Weld',  '1945-07-31', 'male',   '02138'), ('Adams', '1945-07-31', 'male',   '02139'),
    ('Baker', '1945-07-31', 'male',   '02141'), ('Clark', '1945-07-31', 'female', '02138'),
    ('Davis', '1945-07-31', 'female', '02139'), ('Evans', '1945-07-31', 'female', '02142'),
    ('Frank', '1951-02-11', 'male',   '02138');
create table visits as
    select birth, sex, zip, case name when 'Weld' then 'asthma' else 'flu' end as diagnosis from voters;

select candidates from sqlanon.linking('visits', 'voters', 'name', ['birth']) where name = 'Weld';
select candidates from sqlanon.linking('visits', 'voters', 'name', ['birth', 'sex']) where name = 'Weld';
select name, learned, confidence, baseline, candidates
from sqlanon.linking('visits', 'voters', 'name', ['birth', 'sex', 'zip'], sensitive := 'diagnosis')
where name = 'Weld';

-- What the generalized values in the next tables stand for.
create table tree (attribute varchar, value varchar, level integer, label varchar);
insert into tree values
    ('race', 'asian', 0, 'asian'), ('race', 'asian', 1, 'person'),
    ('race', 'black', 0, 'black'), ('race', 'black', 1, 'person'),
    ('race', 'white', 0, 'white'), ('race', 'white', 1, 'person'),
    ('birth', '1964', 0, '1964'),  ('birth', '1964', 1, '1960-69'),
    ('birth', '1965', 0, '1965'),  ('birth', '1965', 1, '1960-69'),
    ('birth', '1967', 0, '1967'),  ('birth', '1967', 1, '1960-69'),
    ('sex', 'female', 0, 'female'), ('sex', 'female', 1, 'human'),
    ('sex', 'male', 0, 'male'),     ('sex', 'male', 1, 'human');

-- UNSORTED MATCHING (section 4.1, Figure 3). One table hides the race, the other the last digit of the ZIP
-- code; but the rows of both are in the order of the private table, and all twelve return.
create table hidden_race as
    select 'person' as race, unnest(['02138', '02139', '02141', '02142']) as zip from range(3);
create table hidden_digit as
    select race, unnest(['0213*', '0213*', '0214*', '0214*']) as zip
    from (select unnest(['asian', 'black', 'white']) as race);

select position, learned, confidence, score, expected_score
from sqlanon.unsorted_matching(['hidden_race', 'hidden_digit'], ['race', 'zip'], hierarchies := 'tree')
order by position;

-- COMPLEMENTARY RELEASES (section 4.2, Figures 4 and 5). Each table is 2-anonymous ...
create table gt1 (race varchar, birth varchar, sex varchar, zip varchar, problem varchar);
insert into gt1 values
    ('black',  '1965', 'male',   '02141', 'short of breath'),
    ('black',  '1965', 'male',   '02141', 'chest pain'),
    ('person', '1965', 'female', '0213*', 'painful eye'),
    ('person', '1965', 'female', '0213*', 'wheezing'),
    ('black',  '1964', 'female', '02138', 'obesity'),
    ('black',  '1964', 'female', '02138', 'chest pain'),
    ('white',  '1964', 'male',   '0213*', 'short of breath'),
    ('person', '1965', 'female', '0213*', 'hypertension'),
    ('white',  '1964', 'male',   '0213*', 'obesity'),
    ('white',  '1964', 'male',   '0213*', 'fever'),
    ('white',  '1967', 'male',   '02138', 'vomiting'),
    ('white',  '1967', 'male',   '02138', 'back pain');
create table gt3 (race varchar, birth varchar, sex varchar, zip varchar, problem varchar);
insert into gt3 values
    ('black', '1965',    'male',   '02141', 'short of breath'),
    ('black', '1965',    'male',   '02141', 'chest pain'),
    ('black', '1965',    'female', '02138', 'painful eye'),
    ('black', '1965',    'female', '02138', 'wheezing'),
    ('black', '1964',    'female', '02138', 'obesity'),
    ('black', '1964',    'female', '02138', 'chest pain'),
    ('white', '1960-69', 'male',   '02138', 'short of breath'),
    ('white', '1960-69', 'human',  '02139', 'hypertension'),
    ('white', '1960-69', 'human',  '02139', 'obesity'),
    ('white', '1960-69', 'human',  '02139', 'fever'),
    ('white', '1960-69', 'male',   '02138', 'vomiting'),
    ('white', '1960-69', 'male',   '02138', 'back pain');

from sqlanon.violations('gt1', qi := ['race', 'birth', 'sex', 'zip'], k := 2);
from sqlanon.violations('gt3', qi := ['race', 'birth', 'sex', 'zip'], k := 2);

-- ... but linked by the problem, which both tell, 12 of 18 pairs are compatible, and two people stand alone.
create table linked as
    from sqlanon.complementary_release(
        ['gt1', 'gt3'], qi := ['race', 'birth', 'sex', 'zip'], join_columns := 'problem',
        hierarchies := 'tree');
select sum(rows * pairs) as pairs, sum(rows * compatible) as compatible from linked;
select learned, confidence, baseline from linked where linked_size = 1 order by learned;
