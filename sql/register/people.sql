-- Who was asked about when releases went out, by keyed hashes: so that it is seen who has other
-- quasi-identifiers today.

create table hash_key (secret text not null);
comment on table hash_key is 'The key of the hashes here: random, made with the register.';
comment on column hash_key.secret is 'In hexadecimal digits.';

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

create table asked (
    release_id integer not null,
    who text not null,
    columns text[] not null,
    cells text[] not null,
    hashed text not null
);
comment on table asked is
'Who was asked about when a release went out, if its policy says keep_people: so that those who have left
since are still asked about. Only in an encrypted register.';
comment on column asked.release_id is 'The release.';
comment on column asked.who is 'A keyed hash of who it is, with the key of this register.';
comment on column asked.columns is 'The quasi-identifiers.';
comment on column asked.cells is 'Their values, as text.';
comment on column asked.hashed is 'As cells of people has it.';

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
