-- The raw table. Here it is made up; in a project it would be a source.
select i as person, (20 + hash(i) % 60)::integer as age, (13000 + hash(i, 1) % 40)::integer as zip,
       ['flu', 'asthma', 'cancer', 'diabetes', 'gout'][1 + (hash(i, 2) % 5)::integer] as diagnosis
from range(400) as row(i)
