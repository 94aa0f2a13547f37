-- The register of releases, version 4: what tables of counts are about, so that they can be compared with
-- each other and with releases of rows. Of releases that were entered before, what is new here is not known.

alter table releases add column filter text;
comment on column releases.filter is
'Whom it counts: conditions of SQL with AND between them; NULL or empty: everybody. What else a table of
counts is about (how totals are marked, what hidden cells are at least, ...) is in parameters.';
alter table releases add column period text;
comment on column releases.period is 'As of when it counts people, such as 2026-04; NULL: nobody has said.';

-- A view of all columns is of those that there were when it was made.
create or replace view releases_out as
from releases where status <> 'abandoned';
comment on view releases_out is 'The releases that count as out.';
