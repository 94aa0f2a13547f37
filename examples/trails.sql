-- Hospitals publish who was a patient, and, apart from that, DNA without names. Where a person was, and where
-- a DNA record was left, are trails, and trails tell whose DNA it is.
--
-- Malin and Sweeney, How (Not) to Protect Genomic Data Privacy in a Distributed Network (2004). Run it in the
-- folder that has sqlanon.sql:  duckdb < examples/trails.sql

.read sqlanon.sql

create table patients as
    from (values ('ann', 'north'), ('bob', 'north'), ('bob', 'south'), ('cat', 'south'), ('cat', 'west'))
        as row(name, hospital);
create table dna as
    from (values ('d1', 'north'), ('d2', 'north'), ('d2', 'south'), ('d3', 'south')) as row(dna, hospital);

-- REIDIT-C: the west has kept cat's DNA to itself, so nobody has the places of d3.
select name, learned, candidates
from sqlanon.trails('dna', 'patients', id := 'name', record := 'dna', place := 'hospital') order by name;

-- REIDIT-I knows that hospitals may keep DNA: d2 can only be bob's, then d1 only ann's, and d3 cat's.
select name, learned, candidates
from sqlanon.trails(
    'dna', 'patients', id := 'name', record := 'dna', place := 'hospital', incomplete := true) order by name;
