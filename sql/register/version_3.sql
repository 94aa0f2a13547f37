-- The register of releases, version 3: what the judge needs to read each release by its own words, and what
-- was accepted. Of releases that were entered before, what is new here is not known.

alter table releases add column unit text;
comment on column releases.unit is
'The column that says whose a row was, where people had several; NULL: none, or not known.';
alter table releases add column names map(text, text);
comment on column releases.names is 'What columns of others are called by us, by their own names.';
alter table releases add column has_hierarchies boolean;
comment on column releases.has_hierarchies is
'Is there a table released.hierarchies_<id> with the hierarchies that its labels are from? It has values of
the source, of suppressed rows, too. NULL: not known.';

alter table releases add column people map(text, text);
comment on column releases.people is
'Digests, with the key of this register, of who was asked about, by the columns that tell who somebody is
(JSON): are the same people asked about now? NULL: not known.';

create table spellings (
    release_id integer not null,
    column_name text not null,
    theirs text not null,
    ours text not null
);
comment on table spellings is 'How releases of others spell values, and how we do.';
comment on column spellings.release_id is 'The release.';
comment on column spellings.column_name is 'The column, by the name that it has with us.';
comment on column spellings.theirs is 'A value as the release has it.';
comment on column spellings.ours is 'The same value as we have it.';

create table acceptances (
    accepted_at timestamp not null,
    accepted_by text not null,
    release_id integer,
    reason text not null check (reason <> ''),
    attack text not null,
    id text not null,
    sensitive text,
    releases text[] not null,
    people text[] not null,
    sqlanon_version text not null
);
comment on table acceptances is
'What was accepted, once and by name: that people were above a bound with the releases that were out already,
or that something was not known. It counts for nobody else, and for nothing that came later.';
comment on column acceptances.accepted_at is 'When, in UTC.';
comment on column acceptances.accepted_by is 'By whom: user and machine.';
comment on column acceptances.release_id is 'The release that went out then.';
comment on column acceptances.reason is 'Why.';
comment on column acceptances.attack is 'The attack, or evidence: what was not known.';
comment on column acceptances.id is 'Its measure, or what was not known.';
comment on column acceptances.sensitive is 'The column that is learned; NULL: none.';
comment on column acceptances.releases is 'The names of the releases that were out.';
comment on column acceptances.people is 'Keyed hashes of who they are, with the key of this register.';
comment on column acceptances.sqlanon_version is 'What has made the entry.';

create table asked (
    release_id integer not null,
    who text not null,
    columns text[] not null,
    cells text[] not null
);
comment on table asked is
'Who was asked about when a release went out, if its policy says keep_people: so that those who have left
since are still asked about. Only in an encrypted register.';
comment on column asked.release_id is 'The release.';
comment on column asked.who is 'A keyed hash of who it is, with the key of this register.';
comment on column asked.columns is 'The quasi-identifiers.';
comment on column asked.cells is 'Their values, as text.';

create table hash_key (secret text not null);
comment on column hash_key.secret is 'In hexadecimal digits.';
comment on table hash_key is 'The key of the hashes here: random, made with the register.';

alter table verdicts add column people bigint;
comment on column verdicts.people is 'How many people the value is, of a share of people.';
alter table verdicts add column before double;
comment on column verdicts.before is
'The value without the release that was to go out, where that was looked at.';
alter table verdicts add column verdict text;
comment on column verdicts.verdict is
'holds, fails or not known; NULL: nothing was stated, or before version 3.';
alter table verdicts add column accepted text;
comment on column verdicts.accepted is 'Why it was accepted that this is not known.';
alter table verdicts add column remedy text;
comment on column verdicts.remedy is 'What would help.';

-- A view of all columns is of those that there were when it was made.
create or replace view releases_out as
from releases where status <> 'abandoned';
comment on view releases_out is 'The releases that count as out.';
create or replace view latest_verdicts as
from verdicts where judged_at = (select max(judged_at) from verdicts);
comment on view latest_verdicts is 'What the attacks have found when they were last made.';
