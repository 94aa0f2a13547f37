-- Generalization hierarchies: 13053 -> 1305* -> 130** -> ... -> *, at every level less is said about a value.
--
-- Samarati (Protecting Respondents' Identities in Microdata Release, TKDE 2001, section 3) and Sweeney
-- (Achieving k-Anonymity Privacy Protection Using Generalization and Suppression, 2002, section 2) call it a
-- domain generalization hierarchy. Here it is a plain table, so it can be built, read from a file, written by
-- hand or queried from anywhere:
--
--   attribute  the column it generalizes (upper and lower case are the same)
--   value      a value of that column, as text; NULL is a value too
--   level      0, 1, 2, ..., h: every value has every level
--   label      what is released at that level: at level 0 the value itself, at level h one root for all,
--              mostly '*'
--
-- It is a tree: what one label covers, one label of the next level covers too (_hierarchy_problems says where
-- not). In the inner levels of everything that is built here, NULL is a branch of its own, with the label
-- 'NULL'.

-- The distinct values of a column as text, with the column's type. (Distinct as text: 0.0 and -0.0 are equal,
-- but two texts.) "problem" is NULL, or what is wrong with other arguments of the caller: raised here, before
-- any row is read.
create or replace macro sqlanon._values(tbl, attribute, problem) as table
    from query(sqlanon._fill($$
        {problem}
        select sqlanon._plain_text({"attribute"}::varchar) as value, any_value(typeof({"attribute"})) as type
        from {relation} as _source group by all
    $$, map {
        'problem': coalesce(error(problem), ''),
        'relation': sqlanon._relation(tbl)}));

-- FLAT: a value is told, or it is not.
create or replace macro sqlanon.flat_hierarchy(tbl, attribute) as table
    select attribute::varchar as attribute, value,
        unnest([0, 1])::integer as level, unnest([value, '*']) as label
    from sqlanon._values(tbl, attribute, null);

comment on macro table sqlanon.flat_hierarchy is $$
Makes the hierarchy of two levels: the value, and * for all values.

Parameters:
- tbl, attribute: as in interval_hierarchy

Result:
- attribute, value, level, label: as in interval_hierarchy

Errors: unknown column.

Source: Samarati 2001; Sweeney 2002.

Example:
from sqlanon.flat_hierarchy('people', 'disease');
$$;

-- MASK: postal codes and the like, the rightmost character is hidden first. There are as many levels as the
-- longest value has characters; a shorter value that is all stars stays so until the root.
create or replace macro sqlanon.mask_hierarchy(tbl, attribute) as table
    with entry as materialized (
        select value, length(value) as characters from sqlanon._values(tbl, attribute, null)
    ),
    longest as (
        select coalesce(max(characters), 0) as longest_characters from entry
    ),
    labelled as (
        select value, list_concat(
            [value],
            list_transform(range(1, longest_characters), lambda hidden: coalesce(
                left(value, greatest(characters - hidden, 0)) || repeat('*', least(hidden, characters)),
                'NULL')),
            ['*']) as labels
        from entry, longest
    )
    select attribute::varchar as attribute, value,
        unnest(range(len(labels)))::integer as level, unnest(labels) as label
    from labelled;

comment on macro table sqlanon.mask_hierarchy is $$
Makes a hierarchy that hides characters from the right, one more at each level: 13053, 1305*, 130**, 13***,
1****, *.

Parameters:
- tbl, attribute: as in interval_hierarchy

Result:
- attribute, value, level, label: as in interval_hierarchy

Errors: unknown column.

Notes: a star in a label below the top stands for exactly one character (a Unicode code point). There are as
many levels above 0 as the longest value has characters. All characters of a shorter value are hidden on a
lower level: ab among values of five characters is ab, a*, **, **, **, *. NULL is labelled NULL, then 'NULL',
then '*'.

Source: Samarati 2001; Sweeney 2002 (ZIP codes).

Example:
from sqlanon.mask_hierarchy('people', 'zip');
$$;

-- ICD-10: J45.0 -> J45 -> J00-J99 -> *. A chapter has one letter or several; D and H have two chapters each.
-- National editions end some chapters with other codes (D48 or D49), but begin all of them alike.

-- The chapter of a category in upper case, such as J45, as its first and last code.
create or replace macro sqlanon._icd10_chapter(category) as
    case when category[1] in ('A', 'B') then 'A00-B99'
         when category < 'D50' then 'C00-D49'
         when category[1] = 'D' then 'D50-D89'
         when category[1] = 'E' then 'E00-E90'
         when category < 'H60' and category[1] = 'H' then 'H00-H59'
         when category[1] = 'H' then 'H60-H95'
         when category[1] = 'K' then 'K00-K95'
         when category[1] = 'P' then 'P00-P96'
         when category[1] in ('S', 'T') then 'S00-T98'
         when category[1] in ('V', 'W', 'X', 'Y') then 'V00-Y99'
         else category[1] || '00-' || category[1] || '99'
    end;

-- The category that a text begins with, in upper case; NULL: it does not begin with a code. J450 is J45.0.
create or replace macro sqlanon._icd10_category(string) as
    nullif(regexp_extract(upper(string), '^\s*([A-Z][0-9][0-9A-Z])([.0-9A-Z]{0,5}[*+!#†-]*)(\W|$)', 1), '');

create or replace macro sqlanon.icd10_hierarchy(tbl, attribute) as table
    with coded as (
        select value, sqlanon._icd10_category(value) as category from sqlanon._values(tbl, attribute, null)
    )
    select attribute::varchar as attribute, value, unnest([0, 1, 2, 3])::integer as level,
        unnest([
            value,
            coalesce(category, if(value is null, 'NULL', 'other')),
            coalesce(sqlanon._icd10_chapter(category), if(value is null, 'NULL', 'other')),
            '*']) as label
    from coded;

comment on macro table sqlanon.icd10_hierarchy is $$
Makes the hierarchy of ICD-10 codes: J45.0, the category J45, the chapter J00-J99, *.

Parameters:
- tbl: as in interval_hierarchy
- attribute (column): a column of texts that begin with a code: J45.0, J450, or J45.0 Asthma.

Result:
- attribute, value, level, label: as in interval_hierarchy

Errors: unknown column.

Notes: a value that does not begin with a code is labelled other at levels 1 and 2, NULL is labelled 'NULL'. A
chapter is named by the first and the last code that any edition has in it: neoplasms end with D48 in that of
the World Health Organization, and with D49 in ICD-10-CM. A category may be rare: k says whether it is.

Source: World Health Organization, ICD-10, volume 1 (tabular list), 2016.

Example:
with stay as (from (values ('J45.0 asthma'), ('E11.9'), ('unknown')) as entry(diagnosis))
from sqlanon.icd10_hierarchy('stay', 'diagnosis');
$$;

-- INTERVALS: [origin + i * width, origin + (i + 1) * width[ for an integer i. In floating point 0.3 lies
-- below 3 * 0.1, so everything is counted in whole units of 10^-15. A value is where its text says: texts are
-- what is released.

-- A number without exponent: 1e-05 -> 0.00001..., 1.5e+20 -> 150000000000000000000, NULL if that is beyond 38
-- digits. A negative number stays below 0, however near it is.
create or replace macro sqlanon._plain_number(number) as
    case when contains(number, 'e+') then try_cast(number as hugeint)::varchar
         when number like '-%e-%'
         then least(try_cast(number as decimal(38, 37)),
                    ('-0.' || repeat('0', 36) || '1')::decimal(38, 37))::varchar
         when contains(number, 'e-') then try_cast(number as decimal(38, 37))::varchar
         else number
    end;

-- What a number has beyond 15 decimals.
create or replace macro sqlanon._beyond_units(plain_number) as
    rtrim(substr(split_part(plain_number, '.', 2), 16), '0');

-- floor(number * 10^15), exactly. NULL for NULL and for what has no place in a HUGEINT then: nan, inf, 1e+30.
create or replace macro sqlanon._units(plain_number) as
    case when length(ltrim(split_part(plain_number, '.', 1), '-')) <= 22
         then try_cast(split_part(plain_number, '.', 1) || rpad(split_part(plain_number, '.', 2), 15, '0')
                       as hugeint)
              - (starts_with(plain_number, '-') and sqlanon._beyond_units(plain_number) != '')::integer
    end;

create or replace macro sqlanon._is_whole(units) as units % 1000000000000000 = 0;

-- And back, as 20 or, if it is not to look like a whole number, as 20.0.
create or replace macro sqlanon._whole_text(units) as (units // 1000000000000000)::varchar;

create or replace macro sqlanon._decimal_text(units) as
    case when units < 0 then '-' else '' end || (abs(units) // 1000000000000000) || '.'
    || coalesce(nullif(rtrim(lpad((abs(units) % 1000000000000000)::varchar, 15, '0'), '0'), ''), '0');

-- The plain texts of a list of numbers, or of a single one.
create or replace macro sqlanon._plain_numbers(numbers) as
    list_transform(
        case when typeof(numbers) like '%]' then numbers::varchar::varchar[] else [numbers::varchar] end,
        lambda number: sqlanon._plain_number(number));

-- Numbers in units; NULL for what is not a number or has more than 15 decimals.
create or replace macro sqlanon._exact_units(numbers) as
    list_transform(sqlanon._plain_numbers(numbers), lambda plain:
        case when sqlanon._beyond_units(plain) = '' then sqlanon._units(plain) end);

-- What is wrong with breaks: not ascending numbers.
create or replace macro sqlanon._breaks_problem(breaks) as
    case when len(sqlanon._exact_units(breaks)) = 0
         then 'interval_hierarchy: breaks is empty: give ascending numbers, e.g. breaks := [18, 65, 90]'
         when len(list_filter(sqlanon._exact_units(breaks), lambda units: units is null)) > 0
         then 'interval_hierarchy: every break must be a number with at most 15 decimals, not as in '
              || breaks::varchar
         when sqlanon._exact_units(breaks) <> list_sort(list_distinct(sqlanon._exact_units(breaks)))
         then 'interval_hierarchy: breaks must ascend, not as in ' || breaks::varchar
    end;

-- What is wrong with the widths and breaks, or NULL. Only multiples nest: intervals of 10 are pairs of
-- intervals of 5.
create or replace macro sqlanon._interval_problem(widths, origin, breaks) as
    case when breaks is not null and (widths is not null or origin is distinct from 0)
         then 'interval_hierarchy: give either widths (with origin) or breaks'
         when breaks is not null then sqlanon._breaks_problem(breaks)
         when widths is null or len(sqlanon._exact_units(widths)) = 0
         then 'interval_hierarchy: widths is empty: give ascending widths, e.g. widths := [5, 10, 20]'
         when list_min(list_transform(sqlanon._exact_units(widths), lambda units: coalesce(units, 0))) <= 0
         then 'interval_hierarchy: every width must be a number above 0 with at most 15 decimals, not as in '
              || widths::varchar
         when sqlanon._exact_units(origin)[1] is null
         then 'interval_hierarchy: origin must be a number with at most 15 decimals, not '
              || coalesce(origin::varchar, 'NULL')
         else 'interval_hierarchy: every width must be a multiple of the one before and larger, but '
              || list_filter(
                     list_transform(
                         list_zip(sqlanon._exact_units(widths)[2:], sqlanon._exact_units(widths),
                                  sqlanon._plain_numbers(widths)[2:], sqlanon._plain_numbers(widths)),
                         lambda pair: case when pair[1] <= pair[2] or pair[1] % pair[2] != 0
                                           then pair[3] || ' follows ' || pair[4] end),
                     lambda message: message is not null)[1]
              || ' in widths ' || widths::varchar
    end;

-- The interval between breaks (all in units) that has a value; NULL: it has no end there.
create or replace macro sqlanon._between_breaks(units, break_units) as
    sqlanon._let(len(list_filter(break_units, lambda each: each <= units)), lambda below: {
        'lo': break_units[below], 'hi': break_units[below + 1]});

-- A bound as text.
create or replace macro sqlanon._bound_text(units, closed) as
    if(closed, sqlanon._whole_text(units), sqlanon._decimal_text(units));

-- An interval in units as text. closed: of whole numbers, of which the last one is named.
create or replace macro sqlanon._interval_text(part, closed) as
    case when part.lo is null then '<' || sqlanon._bound_text(part.hi, closed)
         when part.hi is null then '>=' || sqlanon._bound_text(part.lo, closed)
         when closed then '[' || sqlanon._whole_text(part.lo) || ', '
                          || sqlanon._whole_text(part.hi - 1000000000000000) || ']'
         else '[' || sqlanon._decimal_text(part.lo) || ', ' || sqlanon._decimal_text(part.hi) || '['
    end;

create or replace macro sqlanon.interval_hierarchy(
    tbl, attribute, widths := null, origin := 0, breaks := null) as table
    with scale as (
        select if(widths is null, null, sqlanon._exact_units(widths)) as width_units,
               sqlanon._exact_units(origin)[1] as origin_units,
               if(breaks is null, null, sqlanon._exact_units(breaks)) as break_units
    ),
    entry as (
        select value, sqlanon._plain_number(value) as plain,
            case when type in ('TINYINT', 'SMALLINT', 'INTEGER', 'BIGINT', 'HUGEINT', 'BIGNUM',
                               'UTINYINT', 'USMALLINT', 'UINTEGER', 'UBIGINT', 'UHUGEINT') then true
                 when type in ('FLOAT', 'DOUBLE') or type like 'DECIMAL(%' or value is null then false
                 else error('interval_hierarchy: column "' || attribute || '" is ' || type
                            || ', not a number: cast it'
                            || case when type like 'DATE%' or type like 'TIMESTAMP%'
                                    then ', or use date_hierarchy' else '' end)
            end as whole
        from sqlanon._values(tbl, attribute, sqlanon._interval_problem(widths, origin, breaks))
    ),
    counted as (
        select value, width_units, sqlanon._units(plain) as units, origin_units, break_units,
            whole and sqlanon._is_whole(coalesce(width_units[1], 0)) and sqlanon._is_whole(origin_units)
                and coalesce(list_bool_and(list_transform(break_units, lambda each: sqlanon._is_whole(each))),
                             true) as closed
        from entry, scale
    ),
    -- The remainder that is never negative makes it floor, not truncation: -7 lies in [-10, -6].
    bounded as (
        select value, units, closed, case when break_units is null
            then list_transform(
                list_transform(width_units, lambda width_in_units: {
                    'lo': units - (((units - origin_units) % width_in_units) + width_in_units)
                                  % width_in_units,
                    'width': width_in_units}),
                lambda part: {'lo': part.lo, 'hi': part.lo + part.width})
            else [sqlanon._between_breaks(units, break_units)] end as intervals
        from counted
    ),
    labelled as (
        select value, list_concat(
            [value],
            list_transform(intervals, lambda part:
                if(units is null, coalesce(value, 'NULL'), sqlanon._interval_text(part, closed))),
            ['*']) as labels
        from bounded
    )
    select attribute::varchar as attribute, value,
        unnest(range(len(labels)))::integer as level, unnest(labels) as label
    from labelled;

comment on macro table sqlanon.interval_hierarchy is $$
Makes a hierarchy of intervals that get wider: 23, [20, 24], [20, 29], *; or of intervals between breaks, the
first and the last of which are open: 23, [18, 64], *. It has one row per distinct value of the column and
level, and no rows for an empty table.

Parameters:
- tbl (table): a table with the values.
- attribute (column): the column with the values; they must be numbers.
- widths (list of numbers, above 0; default null): the widths of the intervals at levels 1, 2, ..., ascending,
  each a multiple of the one before.
- origin (number; default 0): a number at which an interval starts.
- breaks (list of numbers; default null): instead of widths: the numbers at which the intervals of level 1
  begin, ascending: [18, 65, 90] makes <18, [18, 64], [65, 89] and >=90.

Result:
- attribute (text): the name of the column.
- value (text): the value.
- level (integer): 0 is the value itself.
- label (text): the label of the value at this level.

Errors: unknown column, a column that is not a number, no widths or breaks, or both, a width of 0 or less or
with more than 15 decimals, widths that do not nest, breaks that do not ascend.

Notes: whole numbers are labelled [20, 24]; decimals and floating point numbers (and all numbers if a width or
the origin has decimals) half-open, [20.0, 25.0[, with exact decimal bounds: 0.3 lies in [0.3, 0.4[. -7 lies
in [-10, -6]. NULL (as 'NULL'), NaN, infinities and numbers with more than 22 digits before the point are each
a branch of their own up to the root '*'.

Source: Samarati 2001; Sweeney 2002.

Example:
from sqlanon.interval_hierarchy('people', 'age', widths := [5, 10, 20]);
$$;

-- DATES: calendar units that nest. (Weeks do not nest in months: there is no such unit.)

create or replace macro sqlanon._date_units() as ['day', 'month', 'quarter', 'year', 'decade'];

create or replace macro sqlanon._unknown_units(units) as
    list_filter(sqlanon._list(units), lambda unit: list_position(sqlanon._date_units(), lower(unit)) is null);

-- What is wrong with the units, or NULL.
create or replace macro sqlanon._date_problem(units) as
    case when len(sqlanon._list(units)) = 0
         then 'date_hierarchy: units is empty: give some of day, month, quarter, year, decade'
         when len(sqlanon._unknown_units(units)) > 0
         then 'date_hierarchy: unknown unit '
              || coalesce('''' || sqlanon._unknown_units(units)[1] || '''', 'NULL')
              || ': use day, month, quarter, year, decade'
         else 'date_hierarchy: units must nest in ascending order, but '
              || list_filter(
                     list_transform(sqlanon._list(units), lambda unit, i:
                         case when list_position(sqlanon._date_units(), lower(unit))
                                <= list_position(sqlanon._date_units(), lower(sqlanon._list(units)[i - 1]))
                              then unit || ' follows ' || sqlanon._list(units)[i - 1]
                         end),
                     lambda message: message is not null)[1]
              || ': the order is day, month, quarter, year, decade'
    end;

-- A label is made of the pieces of the date's own text, so years before 1 read as DuckDB writes them,
-- 0044-03-15 (BC), and decades count within their era: 0040s (BC) are the years 49 to 40 before Christ, 0000s
-- the years 1 to 9.
create or replace macro sqlanon.date_hierarchy(
    tbl, attribute, units := ['month', 'quarter', 'year', 'decade']) as table
    with dated as (
        select value,
            case when value is null then null
                 when try_cast(value as date) is null
                 then error('date_hierarchy: column "' || attribute || '" has a value that is not a date'
                            || sqlanon._such_as(value))
                 else try_cast(value as date)
            end as day
        from sqlanon._values(tbl, attribute, sqlanon._date_problem(units))
    ),
    pieces as (
        select value, day,
            split_part(day::varchar, '-', 1) as year_text,
            split_part(day::varchar, '-', 2) as month_text,
            case when day::varchar like '% (BC)' then ' (BC)' else '' end as era
        from dated
    ),
    labelled as (
        select value, list_concat(
            [value],
            list_transform(sqlanon._list(units), lambda unit: case
                when day is null then 'NULL'
                when isinf(day) then day::varchar
                when lower(unit) = 'day' then day::varchar
                when lower(unit) = 'month' then year_text || '-' || month_text || era
                when lower(unit) = 'quarter' then year_text || '-Q' || quarter(day) || era
                when lower(unit) = 'year' then year_text || era
                when lower(unit) = 'decade' then left(year_text, length(year_text) - 1) || '0s' || era
            end),
            ['*']) as labels
        from pieces
    )
    select attribute::varchar as attribute, value,
        unnest(range(len(labels)))::integer as level, unnest(labels) as label
    from labelled;

comment on macro table sqlanon.date_hierarchy is $$
Makes a hierarchy of calendar units: 2024-03-05, 2024-03, 2024-Q1, 2024, 2020s, *.

Parameters:
- tbl: as in interval_hierarchy
- attribute (column): a column of dates, timestamps (their date is used; with a time zone, the date in the
  time zone of the session) or text that can be cast to dates.
- units (list of one of day, month, quarter, year, decade; default ['month', 'quarter', 'year', 'decade']):
  the units of levels 1, 2, ..., in this order.

Result:
- attribute, value, level, label: as in interval_hierarchy

Errors: unknown column, no units, an unknown unit, units that do not nest, a value that is not a date.

Notes: a year before 1 is written as DuckDB does, 0044-03 (BC), 0044 (BC), and decades count within the era:
0040s (BC) are 49 to 40 BC, 0000s are the years 1 to 9. NULL (as 'NULL') and infinite dates are each a branch
of their own up to the root '*'.

Source: Samarati 2001; Sweeney 2002.

Example:
with person as (select date '2026-01-01' - age as birthday from people)
from sqlanon.date_hierarchy('person', 'birthday', units := ['month', 'year']);
$$;

-- ARX'S FILES: a line per value, the value first, each further field one level up, no header:
-- 13053;1305*;130**;* (arx.deidentifier.org, hierarchies as CSV). The number of fields is not known
-- beforehand, and a CSV reader that guesses it also guesses headers, types and lines to skip. So the file is
-- read as one text and taken apart here.

-- A field: in quotes (a quote within is doubled), or anything up to the separator; other quotes are just
-- characters.
create or replace macro sqlanon._field(separator) as
    '(?:"(?:[^"]|"")*"|[^' || regexp_escape(separator) || '\r\n]*)';

create or replace macro sqlanon._unquote(field) as
    case when field like '"%"' then replace(substr(field, 2, length(field) - 2), '""', '"') else field end;

-- The name of one file, where DuckDB takes a pattern.
create or replace macro sqlanon._as_pattern(path) as regexp_replace(path, '([*?\[])', '[\1]', 'g');

-- The text of a file, without byte order mark.
create or replace macro sqlanon._file_text(path) as table
    select case when count(*) = 0 then error('read_hierarchy: there is no file ' || path)
                else ltrim(any_value(content), chr(65279)) end as content
    from read_text(sqlanon._as_pattern(path));

-- The character between the fields of a file, if nobody says: what its first line has.
create or replace macro sqlanon._separator_in(content) as
    sqlanon._let(regexp_extract(content, '[^\r\n]+'), lambda first_line:
        coalesce(list_filter([';', chr(9), ','], lambda each: contains(first_line, each))[1], ';'));

-- A hierarchy of tau-Argus (.hrc): a code a line, with a character before it for each level below the first.
-- Its values are the codes that have none below them; where a branch is shorter than others, its value stands
-- at all levels that it lacks. The total of all, which has no line, is *.
create or replace macro sqlanon._hierarchy_of_codes(path, attribute, leader) as table
    with line as (
        select unnest(lines) as line_text, unnest(range(len(lines))) as nth
        from (select regexp_extract_all(content, '[^\r\n]+') as lines from sqlanon._file_text(path))
    ),
    code as (
        select nth, length(line_text) - length(ltrim(line_text, leader)) as depth,
               trim(ltrim(line_text, leader)) as label
        from (select nth, trim(line_text) as line_text from line where trim(line_text) <> '')
    ),
    leaf as (
        select nth, depth, label,
               coalesce(lead(depth) over (order by nth), 0) <= depth as is_leaf,
               depth - coalesce(lag(depth) over (order by nth), -1) > 1 as is_adrift
        from code
    ),
    above as (
        select leaf.nth, leaf.label as value, leaf.depth as lowest, code.depth, arg_max(code.label, code.nth)
                   as label
        from leaf join code on code.nth <= leaf.nth and code.depth <= leaf.depth
        where is_leaf group by all
    ),
    height as (select max(depth) as height from code)
    select attribute::varchar as attribute, value, unnest(
               if(depth = lowest, range(height - depth + 1), [height - depth]))::integer as level, label
    from above, height
    union all
    select attribute::varchar, value, (height + 1)::integer, '*' from above, height where depth = lowest
    union all
    select error('read_hierarchy: ' || path || ': code ''' || min(label) || ''' is more than a level below '
                 || 'the line before it'), null, null, null
    from leaf where is_adrift having count(*) > 0;

-- Is a file a hierarchy of tau-Argus?
create or replace macro sqlanon._has_codes(path) as ends_with(lower(path), '.hrc');

-- Spreadsheets have a header in the first line. If nobody says, it is one if its last field is not the root
-- in which all other lines end: a value with another root would be in no tree with them.
create or replace macro sqlanon.read_hierarchy(path, attribute, separator := null, header := null) as table
    with file as (
        select content,
            case when separator is null then sqlanon._separator_in(content)
                 when length(separator) = 1 and separator not in ('"', chr(10), chr(13)) then separator
                 else error('read_hierarchy: separator must be one character, no quote and no line end, not '
                            || '''' || separator || '''')
            end as mark
        from sqlanon._file_text(path) where not sqlanon._has_codes(path)
    ),
    line as (
        select mark, unnest(lines) as line_text, unnest(range(len(lines))) as nth
        from (select mark, regexp_extract_all(content || chr(10),
                  '(?:' || sqlanon._field(mark) || regexp_escape(mark) || ')*'
                  || sqlanon._field(mark) || '(?:\r\n|\r|\n)') as lines
              from file)
    ),
    labelled as (
        select nth, list_transform(
            regexp_extract_all(rtrim(line_text, chr(10) || chr(13)) || mark,
                '(' || sqlanon._field(mark) || ')' || regexp_escape(mark), 1),
            lambda field: sqlanon._unquote(field)) as labels
        from line
        where rtrim(line_text, chr(10) || chr(13)) != ''
    ),
    file_form as (
        select mode(len(labels)) as fields, min(nth) as first_nth, arg_min(labels, nth) as first_labels
        from labelled
    ),
    root as (
        select first(labels[-1]) as last_label, count(distinct labels[-1]) as last_labels
        from labelled, file_form where nth != first_nth
    ),
    entry as (
        select labels, fields
        from labelled cross join file_form cross join root
        where nth != first_nth
           or not coalesce(header::boolean, last_labels = 1 and first_labels[-1] != last_label
                                            and len(first_labels) = fields)
    ),
    even as (
        select case when len(labels) = fields then labels
                    else error('read_hierarchy: ' || path || ': value ''' || labels[1] || ''' has '
                               || len(labels) || ' fields, other lines have ' || fields)
               end as labels
        from entry
    )
    select attribute::varchar as attribute, labels[1] as value, unnest(range(len(labels)))::integer as level,
        unnest(labels) as label
    from even
    union all
    from sqlanon._hierarchy_of_codes(path, attribute, coalesce(separator, '@'))
    where sqlanon._has_codes(path);

comment on macro table sqlanon.read_hierarchy is $$
Reads a hierarchy from a file in the format of ARX, or a CSV file of a spreadsheet: one line per value, with
the value first, and then its labels from fine to coarse. Nothing is trimmed or converted; there is no NULL.
Or from a file of tau-Argus (.hrc): one line per code, with @ before it for each level below the first.

Parameters:
- path (file): the name of a UTF-8 text file; * and ? in it are characters, not patterns.
- attribute (column): the column that the hierarchy is for.
- separator (text, one character; default null): the separator of the fields in a line; if not given, the
  first of ; tab and comma that occurs in the first line. In a .hrc file, what stands for @.
- header (boolean; default null): true if the first line has the names of columns. If not given, it is true if
  the last field of the first line differs from the last field that all other lines have.

Result:
- attribute, value, level, label: as in interval_hierarchy

Errors: no such file, a line with more or fewer fields than the others (it names the value), a code that is
more than a level below the one before it.

Notes: fields may be in double quotes, doubled within, as in CSV. Empty lines, a byte order mark and a missing
last line end do not matter. An empty file gives no rows.

Source: the hierarchy files of ARX (arx.deidentifier.org); Hundepool et al., tau-Argus user's manual.

Example:
from sqlanon.read_hierarchy('disease.csv', 'disease');
$$;

-- CHECKS

-- A relation of hierarchies (attribute, value, level, label), or none: hierarchies is the name of a table, or
-- NULL. Its texts compare by their bytes, as the values of a source do.
create or replace macro sqlanon._hierarchies(hierarchies) as table
    from query(
        case when hierarchies is null
             then $$
                 select null::varchar as attribute, null::varchar as value, null::integer as level,
                        null::varchar as label
                 where false
             $$
             else sqlanon._fill($$select {columns} as '\0' from {relation}$$, map {
                 'columns': sqlanon._by_bytes('columns(*)'),
                 'relation': sqlanon._relation(hierarchies)})
        end);

-- A user's hierarchies in the types of the relation, attributes in lower case.
create or replace macro sqlanon._hierarchy(hierarchies) as table
    select lower(hierarchy.attribute::varchar) as attribute, hierarchy.value::varchar as value,
        hierarchy.level::integer as level, hierarchy.label::varchar as label
    from query_table(hierarchies) as hierarchy;

create or replace macro sqlanon._show(string) as coalesce('''' || string || '''', 'NULL');

-- What makes hierarchies useless, one row each; no rows: they are trees with all levels.
create or replace macro sqlanon._hierarchy_problems(hierarchies) as table
    with entry as (
        select attribute, value, level, count(*) as labels, min(label) as label, count(label) > 0 as labelled
        from sqlanon._hierarchy(hierarchies)
        group by all
    ),
    line as (
        select attribute, value, min(level) as lowest, max(level) as highest, count(*) as levels
        from entry
        group by all
    ),
    tree as (
        select attribute, max(highest) as height from line group by all
    ),
    -- A node and, under two names if they differ, what is above it for its values.
    node as (
        select lower_entry.attribute, lower_entry.level, lower_entry.label,
            min(upper_entry.label) as parent, max(upper_entry.label) as other_parent
        from entry as lower_entry
        join entry as upper_entry on upper_entry.attribute = lower_entry.attribute
            and upper_entry.value is not distinct from lower_entry.value
            and upper_entry.level = lower_entry.level + 1
        group by all
    ),
    root as (
        select attribute, level, count(distinct label) as labels,
            min(label) as label, max(label) as other_label
        from entry
        join tree using (attribute)
        where level = height
        group by all
    )
    select attribute, 'value ' || sqlanon._show(value) || ' has no level (or no attribute)' as problem
    from entry where level is null or attribute is null
    union all
    select attribute, 'value ' || sqlanon._show(value) || ' has ' || labels || ' labels at level ' || level
    from entry where labels > 1
    union all
    select attribute, 'value ' || sqlanon._show(value) || ' has no label at level ' || level
    from entry where level > 0 and not labelled
    union all
    select attribute, 'value ' || sqlanon._show(value) || ' has the label ' || sqlanon._show(label)
        || ' at level 0, where it should be itself'
    from entry where level = 0 and label is distinct from value
    union all
    select attribute, 'value ' || sqlanon._show(value) || ' lacks a level: it has ' || levels
        || ' levels from ' || lowest || ' to ' || highest || ', not all from 0'
    from line where lowest != 0 or levels != highest + 1
    union all
    select attribute, 'value ' || sqlanon._show(value) || ' ends at level ' || highest
        || ', others go up to ' || height
    from line join tree using (attribute) where highest < height
    union all
    select attribute, 'not a tree: label ' || sqlanon._show(label) || ' at level ' || level
        || ' lies below both ' || sqlanon._show(parent) || ' and ' || sqlanon._show(other_parent)
        || ' at level ' || (level + 1)
    from node where parent != other_parent
    union all
    select attribute, 'there is no single root: ' || labels || ' labels at the top level ' || level
        || ', such as ' || sqlanon._show(label) || ' and ' || sqlanon._show(other_label)
    from root where labels > 1
    order by all;

-- WIDE TABLES: a row per value, the value first, each further column a level up, as people keep hierarchies
-- in spreadsheets and seeds.

-- Why lists of labels, one per value, are no hierarchy, a row each: what its entries do not show any more,
-- and what these show.
create or replace macro sqlanon._wide_problems(wide, entries) as table
    with line as (
        select labels[1] as value, labels from query_table(wide)
    )
    select 1 as nth, count(*) || ' rows have no value in the first column' as problem
    from line where value is null having count(*) > 0
    union all
    select 2, 'there are no levels: the table has no column beside that of the values'
    from line where len(labels) = 1
    union all
    select 3, 'value ' || sqlanon._show(value) || ' is in ' || count(*) || ' rows'
    from line where value is not null group by value having count(*) > 1
    union all
    select 4, 'value ' || sqlanon._show(value) || ' has no label (NULL) in column '
        || list_position(list_transform(labels, lambda label: label is null), true)
    from line
    where value is not null and list_contains(list_transform(labels, lambda label: label is null), true)
    union all
    select 5, problem from sqlanon._hierarchy_problems(entries);

create or replace macro sqlanon.wide_hierarchy(tbl, attribute) as table
    from query(sqlanon._fill($$
        with _sqlanon_wide as materialized (
            select list_value(*columns(*)) as labels
            from (select sqlanon._plain_text(columns(*)::varchar) as '\0' from {relation})
        ),
        _sqlanon_entry as materialized (
            select {attribute} as attribute, labels[1] as value,
                unnest(range(len(labels)))::integer as level, unnest(labels) as label
            from _sqlanon_wide
        ),
        _sqlanon_problem as (
            select arg_min(problem, (nth, problem)) as first_problem
            from sqlanon._wide_problems('_sqlanon_wide', '_sqlanon_entry')
        )
        select entry.*
        from _sqlanon_problem as found cross join _sqlanon_entry as entry
        where case when found.first_problem is null then true
                   else error({title} || found.first_problem) end
    $$, map {
        'relation': sqlanon._relation(tbl), 'attribute': sqlanon._literal(attribute::varchar),
        'title': sqlanon._literal('wide_hierarchy: the hierarchy of column ' || attribute || ': ')}));

comment on macro table sqlanon.wide_hierarchy is $$
Makes a hierarchy from a table with one row per value: the value in the first column, its label at level 1 in
the second, and so on.

Parameters:
- tbl (table): the table, with its columns in this order; the last has the same label for all, usually *.
- attribute (column): the column that the hierarchy is for.

Result:
- attribute, value, level, label: as in interval_hierarchy

Errors: only one column, a value or a label that is NULL, a value in several rows, or not a tree: a label
below two different ones, or different labels in the last column.

Notes: if tbl is a file, DuckDB detects its types, and may read 01234 as the number 1234; read_hierarchy does
not convert values.

Source: Samarati 2001; Sweeney 2002.

Example:
with wide as (from (values ('flu', 'lungs', '*'), ('asthma', 'lungs', '*'), ('ulcer', 'stomach', '*'))
              as line(disease, organ, anything))
from sqlanon.wide_hierarchy('wide', 'disease');
$$;

-- VALUES THAT A HIERARCHY LACKS: those that came since it was written, say. Nobody knows what stands for them
-- at a level above their own, but the root.

create or replace macro sqlanon.lacking_values(tbl, columns, hierarchies) as table
    from query(sqlanon._fill($$
        with _sqlanon_source as materialized (select {each columns: {c}} from {relation}),
        _sqlanon_hierarchy as materialized (from sqlanon._hierarchy({hierarchies})),
        _sqlanon_value as ({values})
        select attribute, value, row_count as rows
        from _sqlanon_value as found
        where lower(attribute) in (select entry.attribute from _sqlanon_hierarchy as entry)
          and not exists (
              from _sqlanon_hierarchy as entry
              where entry.attribute = lower(found.attribute) and entry.value is not distinct from found.value)
        order by all
    $$, map {
        'relation': sqlanon._relation(tbl), 'hierarchies': sqlanon._literal(hierarchies),
        'values': sqlanon._each(columns, $$
            select {s} as attribute, sqlanon._plain_text({c}::varchar) as value, count(*) as row_count
            from _sqlanon_source group by value
        $$, ' union all ')}));

comment on macro table sqlanon.lacking_values is $$
Lists the values of a table that its hierarchies lack.

Parameters:
- tbl (table): the table.
- columns (list of columns): the columns whose values are checked, if they have a hierarchy.
- hierarchies (table): attribute, value, level, label.

Result:
- attribute (text): the column.
- value (text): a value that its hierarchy lacks.
- rows (integer): the number of rows with this value.

Errors: unknown column.

Source: Samarati 2001; Sweeney 2002.

Example:
with young as (from people where age < 30),
     of_young as (from sqlanon.mask_hierarchy('young', 'zip'))
from sqlanon.lacking_values('people', ['zip'], 'of_young');
$$;

-- What to add: the value at level 0, and above it the label at the top.
create or replace macro sqlanon._lacking_entries(lacking, hierarchies) as table
    with root as (
        select attribute, max(level) as height, arg_max(label, level) as root_label
        from sqlanon._hierarchy(hierarchies) group by attribute
    )
    select found.attribute, found.value, unnest(range(height + 1))::integer as level,
        unnest([found.value] || list_transform(range(height), lambda above: root_label)) as label
    from query_table(lacking) as found join root on root.attribute = lower(found.attribute);

create or replace macro sqlanon.complete_hierarchies(tbl, columns, hierarchies) as table
    with lacking as (from sqlanon.lacking_values(tbl, columns, hierarchies))
    select attribute::varchar as attribute, value::varchar as value, level::integer as level,
        label::varchar as label
    from query_table(hierarchies)
    union all
    from sqlanon._lacking_entries('lacking', hierarchies);

comment on macro table sqlanon.complete_hierarchies is $$
Adds to hierarchies the values of a table that they lack: at every level above 0, the label of such a value is
the label at the top, usually *.

Parameters:
- tbl, columns, hierarchies: as in lacking_values

Result:
- attribute, value, level, label: as in interval_hierarchy

Errors: unknown column.

Notes: lacking_values lists these values, with their numbers of rows; in Python a warning counts them. Use the
same hierarchies for checks, utility and attacks.

Source: Samarati 2001; Sweeney 2002.

Example:
with young as (from people where age < 30),
     of_young as (from sqlanon.mask_hierarchy('young', 'zip'))
from sqlanon.complete_hierarchies('people', ['zip'], 'of_young');
$$;

-- NESTED SETS (Celko, Trees and Hierarchies in SQL, 2004): number the leaves depth-first and every node is an
-- interval. "Does this label cover that value" and "the lowest label over all these values" are then
-- comparisons of integers. The hierarchies must be without problems.

-- One row per leaf: attribute, value, labels from the leaf up, and the code, 0-based. Leaves are sorted by
-- the label at the top level, then the next, and so on: siblings in the binary order of their texts, NULL
-- first ('' < '+...').
create or replace macro sqlanon._paths(hierarchies) as table
    with path as (
        select attribute, value, list(label order by level asc) as labels,
            list(coalesce('+' || label, '') order by level desc) as labels_downwards
        from sqlanon._hierarchy(hierarchies)
        group by all
    )
    select attribute, value, labels,
        (row_number() over (partition by attribute order by labels_downwards asc) - 1)::integer as code
    from path;

-- One row per attribute and value: its code.
create or replace macro sqlanon._leaves(hierarchies) as table
    select attribute, value, code from sqlanon._paths(hierarchies);

-- One row per attribute, level and code: the node above that leaf at that level, its number among the level's
-- nodes from the left (0-based), its interval of codes and its label.
create or replace macro sqlanon._nodes(hierarchies) as table
    with step as (
        select attribute, code, unnest(range(len(labels)))::integer as level, unnest(labels) as label
        from sqlanon._paths(hierarchies)
    ),
    node as (
        select attribute, level, label, min(code) as lo, max(code) as hi from step group by all
    ),
    numbered as (
        select *, (row_number() over (partition by attribute, level order by lo asc) - 1)::integer as node
        from node
    )
    select attribute, level, unnest(range(lo, hi + 1))::integer as code, node, lo, hi, label from numbered;
