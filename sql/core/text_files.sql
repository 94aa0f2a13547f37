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

-- WHAT IS WRITTEN IN ANOTHER WAY
--
-- A type may come with the way in which its values are written: `date %d.%m.%Y` by a format of strptime,
-- `double 1.234,5` by an example. Whoever reads 11.03.1970 as a text releases sets of single days.

-- What a format of strptime matches, as a regular expression. (By %Y alone DuckDB reads 11.03.70 as of the
-- year 70.)
create or replace macro sqlanon._pattern_of_format(format) as
    regexp_replace(regexp_replace(regexp_replace(regexp_replace(
        regexp_replace(format, '([^%A-Za-z0-9 ])', '\\\1', 'g'),
        '%Y', '[0-9]{4}', 'g'), '%y', '[0-9]{2}', 'g'), '%[dmHMS]', '[0-9]{1,2}', 'g'),
        '%[A-Za-z]', '.+', 'g');

-- The point in time of a text in this format; NULL: it is not written so.
create or replace macro sqlanon._formatted_time(string, format) as
    case when regexp_full_match(trim(string), sqlanon._pattern_of_format(format))
         then try_strptime(trim(string), format) end;

-- What parts the thousands of a number, and what stands before its decimals, if it is written as 1.234,5 is;
-- empty: nothing does.
create or replace macro sqlanon._thousands_mark(example) as regexp_extract(example, '^1([^0-9])234', 1);
create or replace macro sqlanon._decimals_mark(example) as regexp_extract(example, '([^0-9])5+$', 1);

-- What is written as an example is, as a regular expression.
create or replace macro sqlanon._pattern_of_example(example) as
    '[-+]?([0-9]+'
    || case when sqlanon._thousands_mark(example) = '' then ''
            else '|[0-9]{1,3}([' || sqlanon._thousands_mark(example) || '][0-9]{3})+' end || ')'
    || case when sqlanon._decimals_mark(example) = '' then ''
            else '([' || sqlanon._decimals_mark(example) || '][0-9]+)?' end;

-- A number that is written as an example is, as SQL writes it (text); NULL: it is not written so.
create or replace macro sqlanon._formatted_number(string, example) as
    case when regexp_full_match(trim(string), sqlanon._pattern_of_example(example))
         then replace(replace(trim(string), sqlanon._thousands_mark(example), ''),
                      sqlanon._decimals_mark(example), '.') end;

-- The types with a format that are tried where a column has nothing but digits and marks.
create or replace macro sqlanon._formats_tried() as [
    'date %d.%m.%Y', 'date %d/%m/%Y', 'date %m/%d/%Y', 'date %d-%m-%Y', 'date %m-%d-%Y', 'date %Y/%m/%d',
    'date %Y.%m.%d', 'date %d.%m.%y', 'date %d/%m/%y', 'date %m/%d/%y',
    'timestamp %d.%m.%Y %H:%M', 'timestamp %d.%m.%Y %H:%M:%S', 'timestamp %d/%m/%Y %H:%M',
    'timestamp %d/%m/%Y %H:%M:%S', 'timestamp %m/%d/%Y %H:%M', 'timestamp %m/%d/%Y %H:%M:%S',
    'double 1,5', 'double 1.234,5', 'double 1,234.5', 'double 1 234,5', 'double 1''234.5'];

-- The function that reads texts of such a type, and its format.
create or replace macro sqlanon._reader_of(formatted_type) as
    if(formatted_type similar to '(date|time|timestamp) .*', '_formatted_time', '_formatted_number');
create or replace macro sqlanon._format_of(formatted_type) as regexp_replace(formatted_type, '^\S+ ', '');

-- Does it surely say that there is no value?
create or replace macro sqlanon._stands_for_missing(string) as
    lower(trim(string)) in ('?', 'na', 'n/a', 'null');

-- Is it written as a code is, 02138?
create or replace macro sqlanon._is_code(string) as coalesce(regexp_matches(string, '^-?0[0-9]'), false);

-- Words without a digit among values that are numbers or dates: an aggregate, a list of at most five. It is
-- empty if there are more, if fewer than nine in ten values have digits, if some of these have letters or are
-- codes, and if there is * or another mark: that is a label.
create or replace macro sqlanon._words_among_numbers(string) as
    case when count(*) filter (regexp_matches(string, '[0-9]')) >= 0.9 * count(string)
          and coalesce(bool_and(regexp_full_match(trim(string), '[-+]?[0-9][-0-9 .,:/'']*')
                                and not regexp_full_match(trim(string), '0[0-9]+'))
                       filter (regexp_matches(string, '[0-9]')), false)
          and coalesce(bool_and(regexp_matches(string, '\p{L}'))
                       filter (not regexp_matches(string, '[0-9]')), false)
          and count(distinct trim(string)) filter (not regexp_matches(string, '[0-9]')) <= 5
         then coalesce(list(distinct trim(string)) filter (
             not regexp_matches(string, '[0-9]') and not sqlanon._stands_for_missing(string)), [])
         else [] end;

-- Is a text a day, written as its midnight?
create or replace macro sqlanon._is_midnight(string) as
    string is null or ends_with(string, ' 00:00:00') and try_cast(string as timestamp) is not null;

-- Is there nothing in texts but digits and what stands between those of numbers and dates, and such a mark in
-- one of them? (An aggregate. 08031 is a code.)
create or replace macro sqlanon._are_digits_and_marks(string) as
    bool_and(regexp_full_match(trim(string), '[-+0-9.,:/'' ]*[0-9][-+0-9.,:/'' ]*'))
    and bool_or(regexp_matches(string, '[0-9][^0-9][0-9]'));

-- Which tests pass all values of a column that has any? columns and tests: lists, pair by pair; a test is a
-- type that values survive, the same and ` behind a blank`, `number`, `loosely ` and a type that they can be
-- read as, `midnight`, `digits` (and marks, nothing else), or `formatted ` and a type with its format. most:
-- how many rows are looked at; NULL: all. One row: passed, a list in the order of the tests.
create or replace macro sqlanon._tests_passed(tbl, columns, tests, most) as table
    from query('select [' || list_aggregate(
        list_transform(list_zip(columns, tests), lambda pair:
            sqlanon._fill('coalesce(count({c}) > 0 and ' || case
                when pair[2] = 'digits' then 'sqlanon._are_digits_and_marks({c})'
                else 'bool_and(' || case
                when pair[2] = 'number' then 'sqlanon._survives_as_number({c})'
                when pair[2] = 'midnight' then 'sqlanon._is_midnight({c})'
                when pair[2] like 'formatted %'
                then 'sqlanon._can_be_read({c}, sqlanon.{reader}({c}, {format}))'
                when pair[2] like 'loosely %' then 'sqlanon._can_be_read({c}, try_cast({c} as {type}))'
                when pair[2] like '% behind a blank'
                then 'sqlanon._survives_behind_a_blank({c}, try_cast({c} as {type}))'
                else 'sqlanon._survives({c}, try_cast({c} as {type}))' end || ')' end || ', false)', map {
                'c': sqlanon._quote(pair[1]),
                'type': regexp_replace(pair[2], '^loosely | behind a blank$', ''),
                'reader': sqlanon._reader_of(pair[2][11:]),
                'format': sqlanon._literal(sqlanon._format_of(pair[2][11:]))})),
        'string_agg', ', ')
        || '] as passed from (from ' || sqlanon._relation(tbl) || coalesce(' limit ' || most, '') || ')');
