-- Answers to questions that are asked of a table itself. An answer is entered, with what it cost, before
-- anybody gets it, and is never changed: whoever asks again gets it again.

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
    sqlanon_version text not null,
    moves blob
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
comment on column answers.moves is
'Of exact answers, which people may change places, get values of each other, come or leave, without that any
told number changes: numbers in an order by hashes with the key of this register, no values. NULL: none.';
