-- Two tables with 130**, and what somebody has who is in both.
--
-- This is Figure 1 of Machanavajjhala and Kifer, Designing Statistical Privacy for Your Data (Communications
-- of the ACM 58(3), 2015). Run it in the folder that has sqlanon.sql:  duckdb < examples/two_tables.sql

.read sqlanon.sql

-- One table is 4-anonymous, ...
create table figure_1a (zip varchar, age varchar, disease varchar);
insert into figure_1a values
    ('130**', '[25, 30]', 'None'),
    ('130**', '[25, 30]', 'Stroke'),
    ('130**', '[25, 30]', 'Flu'),
    ('130**', '[25, 30]', 'Cancer'),
    ('902**', '[60, 70]', 'Flu'),
    ('902**', '[60, 70]', 'Stroke'),
    ('902**', '[60, 70]', 'Flu'),
    ('902**', '[60, 70]', 'Cancer');

-- ... the other 3-anonymous.
create table figure_1b (zip varchar, age varchar, disease varchar);
insert into figure_1b values
    ('130**', '<40',  'Cold'),
    ('130**', '<40',  'Stroke'),
    ('130**', '<40',  'Rash'),
    ('1485*', '>=40', 'Cancer'),
    ('1485*', '>=40', 'Flu'),
    ('1485*', '>=40', 'Cancer');

from sqlanon.violations('figure_1a', qi := ['zip', 'age'], k := 4);
from sqlanon.violations('figure_1b', qi := ['zip', 'age'], k := 3);

-- Bob is 27, lives in 13012 and is in both. Each table leaves him three diseases or more; both have a stroke
-- in common, and nothing else.
create table neighbours (name varchar, zip varchar, age integer);
insert into neighbours values ('Bob', '13012', 27);
select name, prior, posterior, candidates
from sqlanon.intersection_attack(
    ['figure_1a', 'figure_1b'], targets := 'neighbours', id := 'name', qi := ['zip', 'age'],
    sensitive := 'disease');
