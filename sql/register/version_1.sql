-- The register of releases, version 1: what is out, and what attacks have found. It is a database of its own,
-- which this script makes. A change of its tables is another script, version_2.sql, that makes 2 of 1.
--
-- No row of a source is in it. The released rows are, which are out anyway. But verdicts tell how exposed
-- people are, and which releases to put together to see it; and a pending release may not be out yet. So keep
-- it as secret as the source.

create table register (
    version integer not null,
    migrated_at timestamp not null,
    sqlanon_version text not null
);
comment on table register is 'The versions that this register has had, the highest of which it has now.';
comment on column register.version is 'Of the tables here.';
comment on column register.migrated_at is 'When it got this version, in UTC.';
comment on column register.sqlanon_version is 'What has done it.';

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
    sqlanon_version text not null
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

create schema released;

create table verdicts (
    judged_at timestamp not null,
    occasion text not null check (occasion in ('publish', 'audit')),
    release_id integer,
    attack text not null,
    releases text[] not null,
    sensitive text,
    status text not null,
    reason text,
    sampled boolean not null,
    id text,
    measure text,
    value double,
    unit text,
    low double,
    high double,
    tolerated double,
    holds boolean,
    sqlanon_version text not null
);
comment on table verdicts is
'What attacks have measured: a row per attack, the releases that it was made on, and measure. It tells how
exposed people are.';
comment on column verdicts.judged_at is 'When, in UTC; the same for all that was made together.';
comment on column verdicts.occasion is 'publish: before a release went out; audit: of all that was out.';
comment on column verdicts.release_id is 'The release that was to go out; NULL for an audit.';
comment on column verdicts.attack is 'Its name.';
comment on column verdicts.releases is 'The names of the releases that it was made on.';
comment on column verdicts.sensitive is 'The column to be learned; NULL: none.';
comment on column verdicts.status is 'done, does not apply or failed.';
comment on column verdicts.reason is 'Why it was not made or failed, or why too little was found.';
comment on column verdicts.sampled is 'Were not all targets attacked?';
comment on column verdicts.id is 'The name of the measure, as in [tolerated] of a policy.';
comment on column verdicts.measure is 'The measure in words.';
comment on column verdicts.value is 'In its unit.';
comment on column verdicts.unit is 'Of the value.';
comment on column verdicts.low is 'The lower end of its 95 % interval.';
comment on column verdicts.high is 'The upper end.';
comment on column verdicts.tolerated is 'The most that was tolerated; NULL: nothing was stated.';
comment on column verdicts.holds is 'Does it hold? NULL: nothing was stated.';
comment on column verdicts.sqlanon_version is 'What has attacked.';

create view releases_out as
from releases where status <> 'abandoned';
comment on view releases_out is 'The releases that count as out.';

create view overview as
select id, name, status, if(is_foreign, 'others', 'us') as published_by, made_at, made_by, method, row_count,
       suppressed_rows, classes, reached, path
from releases order by id;
comment on view overview is 'What sqlanon releases lists.';

create view latest_verdicts as
from verdicts where judged_at = (select max(judged_at) from verdicts);
comment on view latest_verdicts is 'What the attacks have found when they were last made.';
