-- The register of releases: what is out, and what attacks have found. It is a database of its own, which the
-- scripts of this folder make.
--
-- No row of a source is in it. The released rows are, which are out anyway. But verdicts tell how exposed
-- people are, and which releases to put together to see it; and a pending release may not be out yet. So keep
-- it as secret as the source.

create table register (
    version integer not null,
    made_at timestamp not null,
    sqlanon_version text not null
);
comment on table register is 'What this register is: one row.';
comment on column register.version is 'Of its tables: which version of these scripts has made them.';
comment on column register.made_at is 'When, in UTC.';
comment on column register.sqlanon_version is 'What has made it.';

create table releases (
    id integer primary key,
    name text not null,
    status text not null check (status in ('pending', 'out', 'withdrawn', 'abandoned')),
    is_foreign boolean not null,
    made_at timestamp not null,
    made_by text not null,
    changed_at timestamp not null,
    path text,
    content_sha256 text,
    unfinished_path text,
    qi text[] not null,
    sensitive text[] not null,
    nearest boolean not null,
    formats map(text, text) not null,
    row_count bigint not null,
    suppressed_rows bigint,
    classes bigint,
    reached map(text, double),
    required map(text, double),
    method text,
    parameters json,
    policy text,
    policy_path text,
    policy_sha256 text,
    source_fingerprint text,
    sqlanon_version text not null,
    unit text,
    names map(text, text),
    has_hierarchies boolean not null,
    people map(text, text),
    filter text,
    period text,
    identity text[]
);
comment on table releases is
'The releases, ours and those of others. All but the abandoned ones count as out. Their rows are in the
schema released, in a table release_<id> for each, in the order in which they were released.';
comment on column releases.id is 'Counted from 1; never used again.';
comment on column releases.name is 'What people call it; no two that are out have the same.';
comment on column releases.status is
'pending: about to go out, or out already; out; withdrawn: it was out, so it still counts; abandoned: it never
went out.';
comment on column releases.is_foreign is 'Has somebody else published it?';
comment on column releases.made_at is 'When it was entered, in UTC.';
comment on column releases.made_by is 'Who has entered it: user and machine.';
comment on column releases.changed_at is 'When it got its status, in UTC.';
comment on column releases.path is 'The file that it went to, or was read from.';
comment on column releases.content_sha256 is 'SHA-256 of the content of this file.';
comment on column releases.unfinished_path is
'The file before it got its name, which a crash may leave behind.';
comment on column releases.qi is 'The quasi-identifiers that it has.';
comment on column releases.sensitive is 'The sensitive columns that it has.';
comment on column releases.nearest is 'Is it of centroids, so that people are found at the nearest?';
comment on column releases.formats is 'How its columns are written, where that has to be said.';
comment on column releases.row_count is 'Rows.';
comment on column releases.suppressed_rows is
'Rows of the source that are not in it; NULL for one of others.';
comment on column releases.classes is 'Equivalence classes; NULL for one of others.';
comment on column releases.reached is 'What it reaches, by privacy model; NULL for one of others.';
comment on column releases.required is 'What was required.';
comment on column releases.method is 'How it was made.';
comment on column releases.parameters is 'All that it was made with.';
comment on column releases.policy is 'The text of its policy.';
comment on column releases.policy_path is 'The file of its policy: what that names is looked for beside it.';
comment on column releases.policy_sha256 is 'SHA-256 of the policy.';
comment on column releases.source_fingerprint is
'HMAC-SHA256 of the rows of the source in any order, with a key that is not in here; NULL without a key. A
hash without a key would tell who knows all rows but one when they have guessed that.';
comment on column releases.sqlanon_version is 'What has made the entry.';
comment on column releases.unit is
'The column that says whose a row was, where people had several; NULL: none, or not known.';
comment on column releases.names is 'What columns of others are called by us, by their own names.';
comment on column releases.has_hierarchies is
'Is there a table released.hierarchies_<id> with the hierarchies that its labels are from? It has values of
the source, of suppressed rows, too.';
comment on column releases.people is
'Digests, with the key of this register, of who was asked about, by the columns that tell who somebody is
(JSON): are the same people asked about now? NULL: not known.';
comment on column releases.filter is
'Whom it counts: conditions of SQL with AND between them; NULL or empty: everybody. What else a table of
counts is about (how totals are marked, what hidden cells are at least, ...) is in parameters.';
comment on column releases.period is 'As of when it counts people, such as 2026-04; NULL: nobody has said.';
comment on column releases.identity is
'The columns that tell who somebody is, by which people and asked have them: the unit, or the identifiers;
NULL: there are none, or it was not kept.';

create schema released;

create table spellings (
    release_id integer not null,
    column_name text not null,
    theirs text not null,
    ours text not null,
    said_by text not null,
    said_at timestamp not null
);
comment on table spellings is 'How releases of others spell values, and how we do.';
comment on column spellings.release_id is 'The release.';
comment on column spellings.column_name is 'The column, by the name that it has with us.';
comment on column spellings.theirs is 'A value as the release has it.';
comment on column spellings.ours is 'The same value as we have it.';
comment on column spellings.said_by is 'Who has said so.';
comment on column spellings.said_at is 'When, in UTC.';

create view releases_out as
from releases where status <> 'abandoned';
comment on view releases_out is 'The releases that count as out.';

create view overview as
select id, name, status, if(is_foreign, 'others', 'us') as published_by, made_at, made_by, method, row_count,
       suppressed_rows, classes, reached, path
from releases order by id;
comment on view overview is 'What sqlanon releases lists.';
