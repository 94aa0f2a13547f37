-- The register of releases, version 5: who had which quasi-identifiers when a release went out, by keyed
-- hashes, so that it is seen who has others today. Of releases that were entered before it is not known.

alter table releases add column identity text[];
comment on column releases.identity is
'The columns that tell who somebody is, by which people and asked have them: the unit, or the identifiers;
NULL: there are none, or it was not kept.';

create table people (
    release_id integer not null,
    who text not null,
    cells text not null,
    sensitive_cells text not null
);
comment on table people is
'Who was asked about when a release went out, a row for each of theirs, as hashes with the key of this
register: of values that are read alike (a blank, case, 25 and 25.0) they are the same.';
comment on column people.release_id is 'The release.';
comment on column people.who is 'Who it is.';
comment on column people.cells is 'Who it is, and the quasi-identifiers of the release.';
comment on column people.sensitive_cells is 'Who it is, and the sensitive values of the release.';

alter table asked add column hashed text;
comment on column asked.hashed is 'As cells of people has it; NULL: who is hashed as before version 5.';

-- A view of all columns is of those that there were when it was made.
create or replace view releases_out as
from releases where status <> 'abandoned';
comment on view releases_out is 'The releases that count as out.';
