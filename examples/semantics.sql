-- What a randomized answer tells of somebody, worked out (Ganta, Kasiviswanathan and Smith 2008, section 4).
--
-- Run it in the folder that has sqlanon.sql:  duckdb < examples/semantics.sql

.read sqlanon.sql

-- Randomized response: who is asked tells the truth with probability 3/4. A mechanism is a table.
create or replace temp table response as
from (values ('yes', 'yes', 0.75), ('yes', 'no', 0.25), ('no', 'yes', 0.25), ('no', 'no', 0.75))
    as row(database, output, probability);

-- What each database is without Alice: somebody who says no in her place.
create or replace temp table without_alice as
from (values ('yes', 'Alice', 'no'), ('no', 'Alice', 'no')) as row(database, person, neighbor);

-- It is differentially private with epsilon = ln 3, about 1.1; with a smaller epsilon a delta is missed.
from sqlanon.indistinguishability('response', 'without_alice', epsilons := [0.5, 1]);

-- The most that an adversary's belief can shift because Alice answered, whatever they believed before ...
from sqlanon.semantic_privacy('response', 'without_alice');

-- ... and the shift for somebody who thinks that one in ten would say yes.
create or replace temp table belief as
from (values ('yes', 0.1), ('no', 0.9)) as row(database, probability);
from sqlanon.semantic_privacy('response', 'without_alice', prior := 'belief');

-- What epsilon promises of any mechanism: a shift of 0.5 at most, which two people's answers combined can
-- reach. One answer alone, as above, shifts less.
select id, round(bound, 4) as bound, meaning from sqlanon.semantic_bounds(ln(3));

-- A threshold: a count is released if at least two people have the disease, and it is no noise at all. The
-- fourth database differs from the third in one person, and the outputs tell these two apart for certain.
create or replace temp table thresholded as
select n::varchar as database, if(n >= 2, n::varchar, 'suppressed') as output, 1 as probability
from range(4) as row(n);
create or replace temp table one_less as
select n::varchar as database, 'somebody' as person, greatest(n - 1, 0)::varchar as neighbor
from range(4) as row(n);
from sqlanon.indistinguishability('thresholded', 'one_less', epsilons := [1]);
from sqlanon.semantic_privacy('thresholded', 'one_less') where shift > 0;
