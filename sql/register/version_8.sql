-- The register of releases, version 8: who has said that two words mean the same.

alter table spellings add column said_by text;
alter table spellings add column said_at timestamp;
comment on column spellings.said_by is 'Who has said so; NULL: not known, by an older sqlanon.';
comment on column spellings.said_at is 'When, in UTC.';
