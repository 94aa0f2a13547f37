-- Counts below 5 are suppressed, and totals give them back.
--
-- Desfontaines, Lowering the Cost of Anonymization (2020), sec. 3.2.3. Run it in the folder that has
-- sqlanon.sql:  duckdb < examples/differencing.sql

.read sqlanon.sql

-- What is published: NULL is suppressed, and 'all' marks a total.
create table counts as
    from (values
        ('north', 'flu', 12), ('north', 'cancer', null), ('north', 'asthma', null), ('north', 'all', 19),
        ('south', 'flu', 9), ('south', 'cancer', 8), ('south', 'asthma', 6), ('south', 'all', 23),
        ('all', 'flu', 21), ('all', 'cancer', 12), ('all', 'asthma', null), ('all', 'all', 42)
    ) as row(place, disease, n);

-- 4 people of the north have cancer and 3 have asthma; 9 people have asthma altogether.
select place, disease, learned, lower, upper
from sqlanon.differencing(
    'counts', dimensions := ['place', 'disease'], count_column := 'n', total := 'all')
order by place, disease;

-- With fewer totals there are bounds only: 7 people of the north have one or the other, at most 4 each.
create table fewer as from counts where place <> 'all';
select place, disease, learned, lower, upper
from sqlanon.differencing(
    'fewer', dimensions := ['place', 'disease'], count_column := 'n', total := 'all', threshold := 5)
order by place, disease;
