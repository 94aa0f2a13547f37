-- The register of releases, version 7: releases of several tables about the same people, which are folders.

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
