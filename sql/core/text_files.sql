-- Texts as values: when a column of a text file is read as numbers, dates or times.
--
-- A file of text knows no types. 401.10 may be a number or a code, and whoever reads it as a number writes
-- 401.1, which is another code. So a column has a type only if every value survives it: the text becomes a
-- value, and the value's text is the same again.

-- The bytes of a file in Windows-1252 as text: DuckDB reads no such file, and the text of bytes has \x80 for
-- the euro sign. Bytes 80 to 9F are signs of Windows; the five that have none stay what they are.
create or replace macro sqlanon._signs_of_windows() as
    '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž '
    || ' ‘’“”•–—˜™š›œ žŸ';
create or replace macro sqlanon._of_windows_1252(content) as
    list_aggregate(
        list_transform(string_split('00' || content::varchar, '\x'), lambda piece, nth:
            case when nth = 1 then piece[3:]
                 else coalesce(
                     nullif(trim(sqlanon._signs_of_windows()[('0x' || piece[:2])::integer - 127]), ''),
                     chr(('0x' || piece[:2])::integer)) || piece[3:] end),
        'string_agg', '');

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

-- `date %d.%m.%y from 1927` says of which hundred years those with two digits are: of 1927 to 2026. Without
-- it they are of 1969 to 2068, as strptime has it, which is wrong for dates of birth.

-- A point in time in the hundred years from this one on; NULL: there is no such day (29 February 1900).
create or replace macro sqlanon._moved_to_years_from(moment, first_year) as
    moment + to_years((first_year::integer + (year(moment) - first_year::integer + 10000) % 100
                       - year(moment))::integer);
create or replace macro sqlanon._in_hundred_years(moment, first_year) as
    case when first_year is null then moment
         when day(sqlanon._moved_to_years_from(moment, first_year)) = day(moment)
         then sqlanon._moved_to_years_from(moment, first_year) end;

-- `date %d.%m.%Y or %Y-%m-%d` has several formats: exports have two where a cell was typed in another way.

-- What a format of strptime matches, as a regular expression. (By %Y alone DuckDB reads 11.03.70 as of the
-- year 70.)
create or replace macro sqlanon._pattern_of_format(format) as
    replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(
        regexp_replace(format, '([^%A-Za-z0-9 ])', '\\\1', 'g'),
        '%Y', '[0-9]{4}', 'g'), '%y', '[0-9]{2}', 'g'), '%[dmHMS]', '[0-9]{1,2}', 'g'),
        '%[A-Za-z]', '.+', 'g'), ' or ', '|');

-- The formats one by one, first those with years of two digits: %Y would take these, too.
create or replace macro sqlanon._formats_in(format) as
    list_filter(string_split(format, ' or '), lambda each: contains(each, '%y'))
    || list_filter(string_split(format, ' or '), lambda each: not contains(each, '%y'));

-- The point in time of a text in this format; NULL: it is not written so. first_year: of the hundred years of
-- which years of two digits are, if that is said.
create or replace macro sqlanon._formatted_time(string, format, first_year := null) as
    case when regexp_full_match(trim(string), sqlanon._pattern_of_format(format))
         then sqlanon._in_hundred_years(
             try_strptime(trim(string), sqlanon._formats_in(format)),
             if(contains(format, '%Y') and regexp_matches(string, '[0-9]{4}'), null, first_year)) end;

-- What parts the thousands of a number, and what stands before its decimals, if it is written as 1.234,5 is;
-- empty: nothing does.
create or replace macro sqlanon._thousands_mark(example) as regexp_extract(example, '1([^0-9])234', 1);
create or replace macro sqlanon._decimals_mark(example) as
    regexp_extract(example, '[0-9]([^0-9])5+[^0-9]*$', 1);

-- A text with blanks in place of those at which no line breaks.
create or replace macro sqlanon._with_plain_blanks(string) as
    translate(string, chr(160) || chr(8239), '  ');

-- The number of a text in which a unit stands before or behind it, as in the example: `double 1.234,5 €`,
-- `integer 1234 ans`; empty, if the unit is not there.
create or replace macro sqlanon._without_unit(string, example) as
    trim(regexp_extract(
        sqlanon._with_plain_blanks(trim(string)),
        '^' || regexp_escape(sqlanon._with_plain_blanks(regexp_extract(example, '^[^0-9]*'))) || '(.*)'
        || regexp_escape(sqlanon._with_plain_blanks(regexp_extract(example, '[^0-9]*$'))) || '$', 1));

-- A text with # in place of its first number: '€ #', '# ans'.
create or replace macro sqlanon._around_number(string) as
    regexp_replace(sqlanon._with_plain_blanks(trim(string)), '[-+]?[0-9]([0-9.,'' ]*[0-9])?', '#');

-- The unit that all numbers of a column have, with # in place of the number; NULL: none, or several units.
-- An aggregate.
create or replace macro sqlanon._unit_of_numbers(string) as
    case when count(distinct sqlanon._around_number(string)) filter (trim(string) <> '') = 1
          and regexp_full_match(
              max(sqlanon._around_number(string)),
              '([€$£¥] ?|[A-Z]{3} )#|# ?[€$£¥%°]|# [\pL%€./²³]{1,8}')
         then max(sqlanon._around_number(string)) end;

-- The marks that are one with this one: a blank, and those at which no line breaks (U+00A0, U+202F).
create or replace macro sqlanon._marks_like(mark) as
    if(regexp_full_match(mark, '[ \x{A0}\x{202F}]'), ' ' || chr(160) || chr(8239), mark);

-- What is written as an example is, as a regular expression.
create or replace macro sqlanon._pattern_of_example(example) as
    '[-+]?([0-9]+'
    || case when sqlanon._thousands_mark(example) = '' then ''
            else '|[0-9]{1,3}([' || sqlanon._marks_like(sqlanon._thousands_mark(example)) || '][0-9]{3})+' end
    || ')'
    || case when sqlanon._decimals_mark(example) = '' then ''
            else '([' || sqlanon._decimals_mark(example) || '][0-9]+)?' end;

-- A number that is written as an example is, as SQL writes it (text); NULL: it is not written so.
create or replace macro sqlanon._formatted_number(string, example) as
    case when regexp_full_match(sqlanon._without_unit(string, example), sqlanon._pattern_of_example(example))
         then replace(translate(sqlanon._without_unit(string, example),
                                sqlanon._marks_like(sqlanon._thousands_mark(example)), ''),
                      sqlanon._decimals_mark(example), '.') end;

-- The first of the hundred years up to this one. (By the clock in Greenwich: current_date needs an extension,
-- which there is not in the browser.)
create or replace macro sqlanon._first_birth_year() as year(make_timestamp(epoch_us(now()))) - 99;

-- The types with a format that are tried where a column has nothing but digits and marks. Years of two digits
-- are taken for those up to this one: hardly anybody is born in another.
create or replace macro sqlanon._formats_tried() as [
    'date %d.%m.%Y', 'date %d/%m/%Y', 'date %m/%d/%Y', 'date %d-%m-%Y', 'date %m-%d-%Y', 'date %Y/%m/%d',
    'date %Y.%m.%d', 'date %d.%m.%y from ' || sqlanon._first_birth_year(),
    'date %d/%m/%y from ' || sqlanon._first_birth_year(),
    'date %m/%d/%y from ' || sqlanon._first_birth_year(),
    'date %d.%m.%Y or %Y-%m-%d', 'date %d/%m/%Y or %Y-%m-%d', 'date %m/%d/%Y or %Y-%m-%d',
    'date %d.%m.%Y or %d.%m.%y from ' || sqlanon._first_birth_year(),
    'date %d/%m/%Y or %d/%m/%y from ' || sqlanon._first_birth_year(),
    'date %m/%d/%Y or %m/%d/%y from ' || sqlanon._first_birth_year(),
    'timestamp %d.%m.%Y %H:%M', 'timestamp %d.%m.%Y %H:%M:%S', 'timestamp %d/%m/%Y %H:%M',
    'timestamp %d/%m/%Y %H:%M:%S', 'timestamp %m/%d/%Y %H:%M', 'timestamp %m/%d/%Y %H:%M:%S',
    'double 1,5', 'double 1.234,5', 'double 1,234.5', 'double 1 234,5', 'double 1''234.5'];

-- The types with a format that are tried where a column has numbers with a unit. unit: as in
-- _unit_of_numbers.
create or replace macro sqlanon._formats_tried_of_unit(unit) as
    list_transform(
        ['integer 1234', 'integer 1.234', 'integer 1,234', 'integer 1 234', 'double 1.5']
        || list_filter(sqlanon._formats_tried(), lambda each: starts_with(each, 'double ')),
        lambda each: split_part(each, ' ', 1) || ' ' || replace(unit, '#', each[position(' ' in each) + 1:]));

-- The function that reads texts of such a type, and its format.
create or replace macro sqlanon._reader_of(formatted_type) as
    if(formatted_type similar to '(date|time|timestamp) .*', '_formatted_time', '_formatted_number');
create or replace macro sqlanon._format_of(formatted_type) as
    regexp_replace(formatted_type, '^\S+ | from [0-9]{4}$', '', 'g');

-- A text, but NULL for a time with an offset from Greenwich: read as one without, 02:30+02:00 and 02:30+01:00
-- would be the same.
create or replace macro sqlanon._without_offset(string) as
    case when not coalesce(sqlanon._has_zone(string), false) then string end;

-- The value of a text by a type, with its format or alone, as the text of an expression.
create or replace macro sqlanon._reading_of(column_name, said) as
    sqlanon._fill(
        case when contains(said, ' ') then 'try_cast(sqlanon.{reader}({c}, {format}{from}) as {type})'
             when said similar to 'date|time|timestamp'
             then 'try_cast(sqlanon._without_offset({c}) as {type})'
             else 'try_cast({c} as {type})' end,
        map {'c': sqlanon._quote(column_name), 'type': split_part(said, ' ', 1),
             'reader': sqlanon._reader_of(said), 'format': sqlanon._literal(sqlanon._format_of(said)),
             'from': regexp_replace(
                 regexp_extract(said, ' from [0-9]{4}$'), ' from (.*)', ', first_year := \1')});

-- What types make of the texts of a column, which all of them can read: said (a type, with its format if it
-- has one), shown (three of the texts, and as what each is read). Of several that read all texts alike only
-- the first; those first whose mark between thousands is there: 3,000 is rather 3000 than 3.
create or replace macro sqlanon._ways_to_read(tbl, column_name, types) as table
    with type_read as (
        select unnest(types) as said, unnest(range(len(types))) as place,
               unnest(found, max_depth := 2)
        from query('select [' || list_aggregate(
            list_transform(types, lambda said:
                sqlanon._fill($$ struct_pack(
                    as_read := bit_xor(hash({c}, {reading})),
                    is_parted := bool_or(sqlanon._is_parted({c}, {said})),
                    texts := [arg_min(trim({c}), {reading}), arg_max(trim({c}), {reading}), min(trim({c}))],
                    readings := [min({reading})::varchar, max({reading})::varchar,
                                 arg_min({reading}, trim({c}))::varchar]) $$, map {
                    'c': sqlanon._quote(column_name), 'said': sqlanon._literal(said),
                    'reading': sqlanon._reading_of(column_name, said)})),
            'string_agg', ', ')
            || '] as found from (select distinct ' || sqlanon._quote(column_name) || ' from '
            || sqlanon._relation(tbl) || ')')
    )
    select said,
           list_transform(
               list_filter(list_zip(texts, readings), lambda pair, i: list_position(texts, pair[1]) = i),
               lambda pair: pair[1] || ' as ' || regexp_replace(pair[2], '\.0$', '')) as shown
    from type_read
    qualify row_number() over (partition by as_read order by place) = 1
    order by is_parted desc, place;

-- Has a text the mark between thousands that a type's example has?
create or replace macro sqlanon._is_parted(string, said) as
    sqlanon._thousands_mark(sqlanon._format_of(said)) <> ''
    and string <> translate(
        string, sqlanon._marks_like(sqlanon._thousands_mark(sqlanon._format_of(said))), '');

-- Does it surely say that there is no value?
create or replace macro sqlanon._stands_for_missing(string) as
    lower(trim(string)) in ('?', 'na', 'n/a', 'null');

-- A code of digits with the zeros in front that a spreadsheet has taken away: 1067 is 01067, of five digits.
create or replace macro sqlanon._with_zeros(string, digits) as
    case when regexp_full_match(trim(string), '[0-9]+') and length(trim(string)) < digits
         then lpad(trim(string), digits, '0') else string end;

-- Is it written as a code is, 02138?
create or replace macro sqlanon._is_code(string) as coalesce(regexp_matches(string, '^-?0[0-9]'), false);

-- Has a text digits alone, with what stands between those of numbers, dates and codes?
create or replace macro sqlanon._has_digits_alone(string) as
    regexp_full_match(trim(string), '[-+]?[0-9][-0-9 \x{A0}\x{202F}.,:/'']*');

-- Is it a number or a date in this way, and not a code such as 02138?
create or replace macro sqlanon._is_of_digits(string) as
    sqlanon._has_digits_alone(string)
    and not regexp_full_match(trim(string), '0[0-9]+');

-- Other texts among values that are numbers or dates, such as unknown, 4e or >89: an aggregate, a list of at
-- most five. It is empty if there are more, if fewer than nine in ten values are of digits, if there are
-- codes, and if there is * or a bracket: that is a label.
create or replace macro sqlanon._words_among_numbers(string) as
    case when count(*) filter (sqlanon._is_of_digits(string)) >= 0.9 * count(string)
          and not coalesce(bool_or(regexp_full_match(trim(string), '0[0-9]+|[^0-9]*[*\[({].*')), false)
          and count(distinct trim(string)) filter (not sqlanon._is_of_digits(string)) <= 5
         then coalesce(list(distinct trim(string)) filter (
             not sqlanon._is_of_digits(string) and trim(string) <> ''
             and not sqlanon._stands_for_missing(string)), [])
         else [] end;

-- Are nearly all texts days as people write them, such as 05.12.1943?
create or replace macro sqlanon._are_written_days(string) as
    coalesce(count(*) filter (regexp_full_match(trim(string), '[0-9]{1,2}[./-][0-9]{1,2}[./-][0-9]{2,4}'))
             >= 0.9 * count(string), false);

-- Is a text a day, written as its midnight?
create or replace macro sqlanon._is_midnight(string) as
    string is null or ends_with(string, ' 00:00:00') and try_cast(string as timestamp) is not null;

-- Is there nothing in texts but digits and what stands between those of numbers and dates, and such a mark in
-- one of them? (An aggregate. 08031 is a code.)
create or replace macro sqlanon._are_digits_and_marks(string) as
    bool_and(regexp_full_match(
        trim(string), '[-+0-9.,:/'' \x{A0}\x{202F}]*[0-9][-+0-9.,:/'' \x{A0}\x{202F}]*'))
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
                when pair[2] similar to '(formatted|loosely) .*' then 'sqlanon._can_be_read({c}, {reading})'
                when pair[2] like '% behind a blank'
                then 'sqlanon._survives_behind_a_blank({c}, try_cast({c} as {type}))'
                else 'sqlanon._survives({c}, try_cast({c} as {type}))' end || ')' end || ', false)', map {
                'c': sqlanon._quote(pair[1]),
                'type': regexp_replace(pair[2], ' behind a blank$', ''),
                'reading': sqlanon._reading_of(
                    pair[1], regexp_replace(pair[2], '^(formatted|loosely) ', ''))})),
        'string_agg', ', ')
        || '] as passed from (from ' || sqlanon._relation(tbl) || coalesce(' limit ' || most, '') || ')');
