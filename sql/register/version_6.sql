-- The register of releases, version 6: acceptances may end.

alter table acceptances add column accepted_until date;
comment on column acceptances.accepted_until is 'The last day on which it counts; NULL: it has no end.';
comment on column acceptances.accepted_by is 'By whom: who was named, or user and machine.';
