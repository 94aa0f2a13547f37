-- Texts as values: when a column of a text file is read as numbers, dates or times.
--
-- A file of text knows no types. 401.10 may be a number or a code, and whoever reads it as a number writes
-- 401.1, which is another code. So a column has a type only if every value survives it: the text becomes a
-- value, and the value's text is the same again.

-- Does a text survive? parsed: what it is read as, NULL where it cannot be.
create or replace macro sqlanon._survives(string, parsed) as parsed::varchar is not distinct from string;

-- As a number among whole ones and others: 2 and 1.5, which different texts then do not share. (DuckDB writes
-- 2.0.)
create or replace macro sqlanon._survives_as_number(string) as
    regexp_replace(try_cast(string as double)::varchar, '\.0$', '') is not distinct from string;

-- Behind a blank, which all values then have, as in a file with a blank after each comma.
create or replace macro sqlanon._survives_behind_a_blank(string, parsed) as
    (' ' || parsed::varchar) is not distinct from string;

-- Can it be read at all, be it with the loss of how it was written?
create or replace macro sqlanon._can_be_read(string, parsed) as string is null or parsed is not null;

-- Is it written as a code is, 02138?
create or replace macro sqlanon._is_code(string) as coalesce(regexp_matches(string, '^-?0[0-9]'), false);

-- Which tests pass all values of a column that has any? columns and tests: lists, pair by pair; a test is a
-- type that values survive, the same and ` behind a blank`, `number`, or `loosely ` and a type that they can
-- be read as. most: how many rows are looked at; NULL: all. One row: passed, a list in the order of the
-- tests.
create or replace macro sqlanon._tests_passed(tbl, columns, tests, most) as table
    from query('select [' || list_aggregate(
        list_transform(list_zip(columns, tests), lambda pair:
            sqlanon._fill('coalesce(count({c}) > 0 and bool_and(' || case
                when pair[2] = 'number' then 'sqlanon._survives_as_number({c})'
                when pair[2] like 'loosely %' then 'sqlanon._can_be_read({c}, try_cast({c} as {type}))'
                when pair[2] like '% behind a blank'
                then 'sqlanon._survives_behind_a_blank({c}, try_cast({c} as {type}))'
                else 'sqlanon._survives({c}, try_cast({c} as {type}))' end || '), false)', map {
                'c': sqlanon._quote(pair[1]),
                'type': regexp_replace(pair[2], '^loosely | behind a blank$', '')})),
        'string_agg', ', ')
        || '] as passed from (from ' || sqlanon._relation(tbl) || coalesce(' limit ' || most, '') || ')');
