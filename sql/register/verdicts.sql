-- What attacks have found, and what was accepted.

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
    sqlanon_version text not null,
    people bigint,
    before double,
    verdict text,
    accepted text,
    remedy text
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
comment on column verdicts.people is 'How many people the value is, of a share of people.';
comment on column verdicts.before is
'The value without the release that was to go out, where that was looked at.';
comment on column verdicts.verdict is 'holds, fails or not known; NULL: nothing was stated.';
comment on column verdicts.accepted is 'Why it was accepted that this is not known, or was so before.';
comment on column verdicts.remedy is 'What would help.';

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
    sqlanon_version text not null,
    accepted_until date
);
comment on table acceptances is
'What was accepted, once and by name: that people were above a bound with the releases that were out already,
or that something was not known. It counts for nobody else, and for nothing that came later.';
comment on column acceptances.accepted_at is 'When, in UTC.';
comment on column acceptances.accepted_by is 'By whom: who was named, or user and machine.';
comment on column acceptances.release_id is 'The release that went out then.';
comment on column acceptances.reason is 'Why.';
comment on column acceptances.attack is 'The attack, or evidence: what was not known.';
comment on column acceptances.id is 'Its measure, or what was not known.';
comment on column acceptances.sensitive is 'The column that is learned; NULL: none.';
comment on column acceptances.releases is 'The names of the releases that were out.';
comment on column acceptances.people is 'Keyed hashes of who they are, with the key of this register.';
comment on column acceptances.sqlanon_version is 'What has made the entry.';
comment on column acceptances.accepted_until is 'The last day on which it counts; NULL: it has no end.';

create view latest_verdicts as
from verdicts where judged_at = (select max(judged_at) from verdicts);
comment on view latest_verdicts is 'What the attacks have found when they were last made.';
