-- First policies: what the columns of a table look like, and what they probably are.
--
-- All of it is guessed from names, types and counts, and a person has to confirm it: a column called disease
-- is sensitive, one in which nearly every value is another one identifies, and what takes few values can be
-- known of somebody.

-- Words in the names of columns that tell what these are.
create or replace macro sqlanon._words() as {
    'sensitive': 'disease diagnosis diagnoses diag dx condition illness icd symptom treatment medication '
        || 'drug therapy salary income inctot wage wages earnings pay debt credit balance occupation occ '
        || 'religion orientation party vote hiv crime offense',
    'identifier': 'id uuid guid ssn name surname forename firstname lastname fullname username login email '
        || 'mail phone telephone mobile fax passport license licence iban account address street url ip '
        || 'patient mrn',
    'qi': 'age sex gender zip zipcode postcode postal plz city town county district state region province '
        || 'country nationality race ethnicity marital education degree birth birthday birthdate birthyear '
        || 'dob date year language workclass',
    'unit': 'id uuid guid ssn patient mrn person customer client member user username login email passport',
    'amount': 'cost costs amount amounts price prices fee fees charge charges total kosten betrag preis',
    'weight': 'count counts frequency freq n people persons individuals',
    'code': 'zip zipcode postcode postal plz'};

-- The words of a name, in lower case: postalCode and postal_code have postal and code, Straße has strasse.
create or replace macro sqlanon._words_of(name) as
    regexp_extract_all(
        strip_accents(replace(lower(regexp_replace(name, '([a-z])([A-Z])', '\1 \2', 'g')), 'ß', 'ss')),
        '[a-z]+');

-- Is one of these words in a name, alone or as all of its words together (postalcode)?
create or replace macro sqlanon._has_word(name, words) as
    sqlanon._let(sqlanon._words_of(name), lambda parts:
        list_has_any(
            string_split(words, ' '),
            list_append(parts, coalesce(list_aggregate(parts, 'string_agg', ''), ''))));

-- Is a word of this kind in a name?
create or replace macro sqlanon._is_called(name, kind) as
    sqlanon._has_word(name, struct_extract(sqlanon._words(), kind));

-- What a type is, without its parameters: DECIMAL, LIST.
create or replace macro sqlanon._plain_type(type) as
    if(type like '%]', 'LIST', regexp_replace(type, '(?s)[^A-Z_ ].*', ''));
create or replace macro sqlanon._is_integer_type(type) as
    type in ('TINYINT', 'SMALLINT', 'INTEGER', 'BIGINT', 'HUGEINT',
             'UTINYINT', 'USMALLINT', 'UINTEGER', 'UBIGINT', 'UHUGEINT');
create or replace macro sqlanon._is_fraction_type(type) as type in ('FLOAT', 'DOUBLE', 'DECIMAL');
create or replace macro sqlanon._is_number_type(type) as
    sqlanon._is_integer_type(type) or sqlanon._is_fraction_type(type);
create or replace macro sqlanon._is_date_type(type) as
    type in ('DATE', 'TIMESTAMP', 'TIMESTAMP_S', 'TIMESTAMP_MS', 'TIMESTAMP_NS', 'TIMESTAMP WITH TIME ZONE');
create or replace macro sqlanon._is_text_type(type) as type in ('VARCHAR', 'ENUM');

-- How many distinct values are few, as of categories, and how many are moderate.
create or replace macro sqlanon._few() as 20;
create or replace macro sqlanon._moderate() as 200;

-- What a column probably is; NULL: nothing that has to be released.
create or replace macro sqlanon._guessed_role(name, type, filled, distinct_values) as
    case when sqlanon._is_called(name, 'sensitive') then 'sensitive'
         when sqlanon._is_called(name, 'identifier') then 'identifier'
         when sqlanon._is_called(name, 'amount') then null
         when sqlanon._is_called(name, 'qi') or sqlanon._is_date_type(type) then 'qi'
         when not sqlanon._is_fraction_type(type) and 0 < filled and filled * 0.9 <= distinct_values
         then 'identifier'
         when distinct_values between 2 and sqlanon._moderate()
             and (sqlanon._is_number_type(type) or sqlanon._is_text_type(type) or type in ('BOOLEAN', 'TIME'))
         then 'qi' end;

-- Widths of about 32, 16, 8, 4 and 2 intervals over a range; the first is 1, 2 or 5 times a power of ten.
create or replace macro sqlanon._fitting_widths(lowest, highest, type) as
    case when isfinite(highest - lowest) and highest > lowest
         then sqlanon._let((highest - lowest) / 32, lambda least:
              sqlanon._let(floor(log10(least)), lambda power:
              sqlanon._let(
                  list_filter(list_transform([1, 2, 5, 10], lambda digit:
                      if(power < 0, digit / 10.0 ** -power, digit * 10.0 ** power)::double),
                      lambda step: step >= least or step >= 10 ** power * 10)[1],
                  lambda step:
              sqlanon._let(if(sqlanon._is_integer_type(type), greatest(step, 2), step), lambda width:
                  case when power > -12 and power < 20
                       then list_filter(list_transform(range(0, 5), lambda i: width * 2 ** i),
                                        lambda each, i: i = 1 or each < highest - lowest)
                       else []::double[] end))))
         else []::double[] end;

-- The hierarchy that fits a column, by the name of its builder. by_levels: is it for a method that recodes
-- by hierarchies alone? For the others ranges and sets lose less than a hierarchy of a few categories.
create or replace macro sqlanon._fitting_builder(name, type, is_code, distinct_values, widths, by_levels) as
    case when sqlanon._is_date_type(type) then 'date'
         when sqlanon._is_called(name, 'code') or is_code then 'mask'
         when sqlanon._is_number_type(type) and len(widths) > 0
             and (by_levels or distinct_values > sqlanon._few())
         then 'interval'
         when by_levels and distinct_values <= sqlanon._moderate() then 'flat' end;

-- The columns of a table, in one look at it: column_name, type, row_count, filled (values that are not NULL),
-- distinct_values, lowest and highest (of finite numbers, and of texts of these), is_code (digits, as many
-- in each), missing (how often values are there that often mean that there is none; a map).
create or replace macro sqlanon._columns_seen(tbl, columns) as table
    select unnest(sqlanon._list(columns)) as column_name, unnest(seen, recursive := false) as seen
    from query('select [' || sqlanon._each(columns, $$ struct_pack(
            type := sqlanon._plain_type(typeof(any_value({c}))),
            row_count := count(*),
            filled := count({c}),
            distinct_values := count(distinct {c}),
            lowest := min(try_cast({c}::varchar as double))
                filter (isfinite(try_cast({c}::varchar as double))),
            highest := max(try_cast({c}::varchar as double))
                filter (isfinite(try_cast({c}::varchar as double))),
            is_code := typeof(any_value({c})) = 'VARCHAR'
                and coalesce(bool_and(regexp_full_match({c}::varchar, '[0-9]{3,10}')), false)
                and min(length({c}::varchar)) = max(length({c}::varchar)),
            missing := histogram({c}::varchar) filter (lower(trim({c}::varchar)) in (
                '?', '', '-', 'na', 'n/a', 'null', 'none', 'unknown', '-9', '-99', '-999'))) $$, ', ')
        || '] as seen from ' || sqlanon._relation(tbl));

-- The columns of a table, and what they probably are: column_name, type, row_count, filled, distinct_values,
-- missing, role, may_be_unit (does it say whose a row is, where people have several?), can_be_grouped (its
-- values one by one), builder (of a hierarchy), builder_by_levels, widths (of intervals), surely_missing.
create or replace macro sqlanon._first_look(tbl, columns) as table
    with seen as (select column_name, unnest(seen) from sqlanon._columns_seen(tbl, columns)),
    -- of numbers the lowest alone: -9 is one of a thermometer, too
    fitting as (
        select *, sqlanon._fitting_widths(lowest, highest, type) as widths,
               list_filter(map_entries(missing), lambda entry:
                   not sqlanon._is_number_type(type) or try_cast(entry['key'] as double) = lowest) as suspects
        from seen
    )
    select column_name, type, row_count, filled, distinct_values,
           map_from_entries(coalesce(suspects, [])) as missing,
           sqlanon._guessed_role(column_name, type, filled, distinct_values) as role,
           sqlanon._is_called(column_name, 'unit') and distinct_values < filled as may_be_unit,
           sqlanon._is_text_type(type) and distinct_values between 3 and sqlanon._moderate()
               as can_be_grouped,
           sqlanon._fitting_builder(column_name, type, is_code, distinct_values, widths, false) as builder,
           sqlanon._fitting_builder(column_name, type, is_code, distinct_values, widths, true)
               as builder_by_levels,
           widths,
           list_filter(
               list_transform(if(type = 'VARCHAR', coalesce(suspects, []), []),
                              lambda entry: trim(entry['key'])),
               lambda word: sqlanon._stands_for_missing(word)) as surely_missing
    from fitting;
