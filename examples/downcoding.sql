-- A release that is no coarser than it must be tells what its coarse rows are not.
--
-- This is the idea of Cohen, Attacks on Deidentification's Defenses (USENIX Security 2022), on a table of
-- twelve people. Run it in the folder that has sqlanon.sql:  duckdb < examples/downcoding.sql

.read sqlanon.sql

create table hierarchy as
    select 'country' as attribute, value, level, label
    from (
        select value, unnest([0, 1, 2]) as level, unnest([value, continent, '*']) as label
        from (values ('de', 'Europe'), ('fr', 'Europe'), ('it', 'Europe'), ('jp', 'Asia'), ('kr', 'Asia'))
            as place(value, continent)
    );

-- Who is among four of a country is released with the country; the others as little coarser as can be.
create table release (country varchar, disease varchar);
insert into release values
    ('fr', 'flu'), ('fr', 'gout'), ('fr', 'flu'), ('fr', 'acne'),
    ('Europe', 'HIV'), ('Europe', 'flu'), ('Europe', 'acne'), ('Europe', 'gout'), ('Europe', 'flu'),
    ('Asia', 'flu'), ('Asia', 'gout'), ('Asia', 'acne'), ('Asia', 'flu');
from sqlanon.violations('release', qi := 'country', k := 4);

-- Could one of the five from Europe be French? That row would be in fr, and four would stay: it is certain
-- that all are from de or it. Who only counts rows would take them for French above all (baseline: fr or de).
select country, size, learned, confidence, round(baseline, 3) as baseline, attribute
from sqlanon.downcoding('release', qi := 'country', hierarchies := 'hierarchy', k := 4)
order by country;
