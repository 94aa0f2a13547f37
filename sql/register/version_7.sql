-- The register of releases, version 7: answers to questions that are asked of a table itself, and releases of
-- several tables about the same people.

-- An answer is entered, with what it cost, before anybody gets it, and is never changed: whoever asks again
-- gets it again.

create table answers (
    id bigint primary key,
    answered_at timestamp not null,
    answered_by text not null,
    audience text not null,
    way text not null,
    source text not null,
    period text not null,
    question text not null,
    declared text not null,
    cells text not null,
    spending_id bigint,
    release_id integer,
    sqlanon_version text not null
);
comment on table answers is
'What was told to whom: a row for each column of numbers of a question and each of its grouping sets.';
comment on column answers.id is 'Counted from 1.';
comment on column answers.answered_at is 'When, in UTC.';
comment on column answers.answered_by is 'By whom: user and machine.';
comment on column answers.audience is 'Whom it was told to, as the policy calls them; empty: everybody.';
comment on column answers.way is 'How it was protected, as answers.way of the policy.';
comment on column answers.source is 'What the table is called here, as in budgets.';
comment on column answers.period is 'Which state of the table was asked.';
comment on column answers.question is 'What was asked: written in one way, however it was asked.';
comment on column answers.declared is 'A digest of what the policy declares.';
comment on column answers.cells is
'What was told, as JSON: of each cell the numbers of its groups, and what is told.';
comment on column answers.spending_id is 'What it cost, an entry of spending; NULL: nothing.';
comment on column answers.release_id is 'The table of counts that it is, an entry of releases; NULL: none.';
comment on column answers.sqlanon_version is 'What has made the entry.';

-- Releases of several tables about the same people, which are folders.

create table people_of_tables (
    release_id integer not null,
    who text not null,
    class_id bigint not null
);
comment on table people_of_tables is
'Who is in a release of several tables, and in which class of people who are alike in all of its tables, as
hashes with the key of this register.';
comment on column people_of_tables.release_id is 'The release.';
comment on column people_of_tables.who is 'Who it is.';
comment on column people_of_tables.class_id is 'The class: a number.';

create table values_of_tables (
    release_id integer not null,
    who text not null,
    attribute text not null,
    value text
);
comment on table values_of_tables is
'The sensitive values of people in such a release, as hashes with the key of this register.';
comment on column values_of_tables.release_id is 'The release.';
comment on column values_of_tables.who is 'Who has it.';
comment on column values_of_tables.attribute is 'The name of the sensitive column, in lower case.';
comment on column values_of_tables.value is 'The value; NULL: a missing one, or none.';

create table rows_of_tables (
    release_id integer not null,
    who text not null,
    mark text not null,
    n bigint not null
);
comment on table rows_of_tables is
'The rows of a night of a series, as hashes with the key of this register of all that leaves of one.';
comment on column rows_of_tables.release_id is 'The release.';
comment on column rows_of_tables.who is 'Whose it is.';
comment on column rows_of_tables.mark is 'The row.';
comment on column rows_of_tables.n is 'How many rows are so.';
