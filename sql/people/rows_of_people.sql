-- Rows of several tables one by one, with the person whose they are: what is judged of one table alone, and
-- what is written of it.

-- The rows of one table, as far as columns of it tell them apart: person (the unit), q1, q2, ... columns: of
-- that table, as table.column.
create or replace macro sqlanon._columns_with_person(tables, unit, joins, columns) as table
    from query(sqlanon._settings_checked() || sqlanon._let(
        sqlanon._said_of_tables(tables, unit, joins, 'columns', columns, null, null), lambda said:
            sqlanon._rows_of_everybody(said['tree'], said['roles']) || sqlanon._fill($$
        select root.own as person, {columns}
        from _sqlanon_linked{i} as linked join _sqlanon_read{root} as root on root.row_id = linked.person
        where (select count(refused) = 0 from _sqlanon_refusal)
    $$, map {
        'i': said['roles']['qi'][1]['tbl']::varchar, 'root': said['tree'][1]['nth']::varchar,
        'columns': sqlanon._each_of(
            sqlanon._columns_of(said['roles']['qi'], said['roles']['qi'][1]['tbl']), 'linked.q{i}', ', ')})));

-- How many values of q1 fewer than least people have, how many people have one of them, and how many people
-- share the most frequent value: rare, people, shared. rows: as _columns_with_person.
create or replace macro sqlanon._rare_values(rows, least) as table
    with value as (
        select q1, count(distinct person) as n from query_table(rows) where q1 is not null group by q1
    )
    select (select count(*) from value where n < least) as rare,
           (select count(distinct person) from query_table(rows) join value using (q1) where n < least)
               as people,
           (select coalesce(max(n), 0) from value) as shared;

-- The rows of a table that belong to a row of the table above, by keys that are read alike; of the person
-- table (above is NULL) those with a key.
create or replace macro sqlanon._rows_that_belong(tbl, own, above, key) as table
    from query(sqlanon._fill($$
        select src.* from {rows} as src where {own} {belongs}
    $$, map {
        'rows': sqlanon._relation(tbl), 'own': sqlanon._reading('src.' || sqlanon._quote(own), 'true'),
        'belongs': coalesce(
            'in (select ' || sqlanon._reading('above.' || sqlanon._quote(key), 'true') || ' from '
            || sqlanon._relation(above) || ' as above)',
            'is not null')}));
