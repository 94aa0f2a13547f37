-- First policies: what the columns of a table look like, and what they probably are.
--
-- All of it is guessed from names, types and counts, and a person has to confirm it: a column called disease
-- is sensitive, one in which nearly every value is another one identifies, and what takes few values can be
-- known of somebody.

-- How many distinct values are few, as categories have, and how many are moderate.
create or replace macro sqlanon._few() as 20;
create or replace macro sqlanon._moderate() as 200;

-- Does the name of a column say that it identifies people?
create or replace macro sqlanon._is_called_identifier(name, type) as
    coalesce(sqlanon._may_hold(type, sqlanon._told_by_name(name, sqlanon._telling_words(), false)), false)
    or sqlanon._is_called(name, 'identifier')
       and coalesce(
           sqlanon._may_hold(type, sqlanon._told_by_name(name, sqlanon._hinting_words(), false)), true);

-- What a column probably is; NULL: nothing that has to be released. Values say it first, then its name.
-- looks_like: as in identifiers, where it identifies by its values or its numbering, or NULL; is_free_text:
-- are half of its values sentences? Somebody's remarks are no quasi-identifier, even if few of them differ.
create or replace macro sqlanon._guessed_role(
    name, type, filled, distinct_values, looks_like, is_free_text) as
    case when not sqlanon._is_vague(looks_like) and looks_like <> 'number' then 'identifier'
         when sqlanon._is_called(name, 'sensitive') then 'sensitive'
         when sqlanon._is_called_identifier(name, type) then 'identifier'
         when sqlanon._is_called(name, 'amount') then null
         when sqlanon._is_called(name, 'qi') or sqlanon._is_date_type(type) then 'qi'
         when looks_like is not null
              or not sqlanon._is_fraction_type(type) and 0 < filled and filled * 0.9 <= distinct_values
         then 'identifier'
         when is_free_text then null
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
create or replace macro sqlanon._fitting_builder(
    name, type, is_code, is_icd10, distinct_values, widths, by_levels) as
    case when sqlanon._is_date_type(type) then 'date'
         when sqlanon._is_called(name, 'code') or is_code then 'mask'
         when is_icd10 then 'icd10'
         when sqlanon._is_number_type(type) and len(widths) > 0
             and (by_levels or distinct_values > sqlanon._few())
         then 'interval'
         when by_levels and distinct_values <= sqlanon._moderate() then 'flat' end;

-- Words for a sex: m or f; NULL for another.
create or replace macro sqlanon._sex_of(string) as
    sqlanon._let(sqlanon._plain_words(if(length(string) < 12, string, null)), lambda word:
        case when list_contains(['m', 'h', 'male', 'man', 'mann', 'maennlich', 'herr', 'homme', 'masculin',
                                 'hombre', 'masculino', 'uomo', 'maschio'], word) then 'm'
             when list_contains(['f', 'w', 'female', 'woman', 'frau', 'weiblich', 'femme', 'feminin',
                                 'mujer', 'femenino', 'feminino', 'donna', 'femmina', 'vrouw'], word)
             then 'f' end);

-- What a column says that people have once (NULL: nothing): age, birth and sex, by its name, or sex by nine
-- of ten values; years from 1900 to now (of birth, perhaps), two values (a sex in codes, perhaps).
create or replace macro sqlanon._had_once(name, distinct_values, are_sexes, are_years) as
    case when sqlanon._has_word(name, sqlanon._harbor_words()['age']) then 'age'
         when sqlanon._is_called(name, 'birth') then 'birth'
         when sqlanon._is_called(name, 'sex') or are_sexes then 'sex'
         when distinct_values = 2 then 'two values'
         when are_years then 'years' end;

-- May a column number something, as far as its name says no other thing? has_digits: do its values?
create or replace macro sqlanon._may_number(name, type, has_digits) as
    (sqlanon._is_integer_type(type) or type = 'UUID' or has_digits)
    and not (sqlanon._is_called(name, 'qi') or sqlanon._is_called(name, 'code')
             or sqlanon._is_called(name, 'amount') or sqlanon._is_called(name, 'sensitive')
             or sqlanon._is_called(name, 'weight'));

-- The columns of a table, by their distinct values: place, column_name, type, row_count, filled (values that
-- are not NULL), distinct_values, lowest and highest (of finite numbers, and of texts of these), is_code
-- (digits, as many in each), is_icd10 (nine of ten begin with such a code), missing (how often values are
-- there that often mean that there is none; a map).
create or replace macro sqlanon._columns_seen(relation) as table
    with value_of_column as (
        select *, try_cast(value as double) as number
        from sqlanon._values_of_columns(relation, [])
    ),
    summed as (
        select column_name, sum(rows)::bigint as filled, count(*) as distinct_values,
               min(number) filter (isfinite(number)) as lowest,
               max(number) filter (isfinite(number)) as highest,
               bool_and(regexp_full_match(value, '[0-9]{3,10}')) and min(length(value)) = max(length(value))
                   as are_codes,
               sum(rows) filter (sqlanon._icd10_category(value) is not null) >= 0.9 * sum(rows) as are_icd10,
               sum(rows) filter (regexp_full_match(value, '\S*[0-9]\S*')) >= 0.9 * sum(rows) as have_digits,
               min(length(value)) = max(length(value)) as are_as_long,
               sum(rows) filter (sqlanon._sex_of(value) is not null) >= 0.9 * sum(rows)
                   and count(distinct sqlanon._sex_of(value)) = 2 as are_sexes,
               bool_and(regexp_full_match(value, '(19|20)[0-9]{2}(-[0-9]{2}-[0-9]{2})?'))
                   and max(try_cast(value[:4] as integer)) between min(try_cast(value[:4] as integer)) + 30
                       and year(make_timestamp(epoch_us(now()))) as are_years,
               map_from_entries(list({'key': value, 'value': rows} order by value) filter (
                   lower(trim(value)) in ('?', '', '-', 'na', 'n/a', 'null', 'none', 'unknown', '-9', '-99',
                                          '-999'))) as missing
        from value_of_column group by column_name
    ),
    counted as (select count(*) as row_count from query('from ' || relation))
    select place, column_name, sqlanon._plain_type(type) as type, row_count, coalesce(filled, 0) as filled,
           coalesce(distinct_values, 0) as distinct_values, lowest, highest,
           type = 'VARCHAR' and coalesce(are_codes, false) as is_code,
           type = 'VARCHAR' and coalesce(are_icd10, false) as is_icd10, missing,
           type = 'VARCHAR' and coalesce(have_digits, false) as has_digits,
           coalesce(case when type = 'VARCHAR' then have_digits and are_icd10 is not true
                         when sqlanon._is_integer_type(type)
                         then are_as_long or distinct_values >= 0.8 * (highest - lowest + 1)
                         else type = 'UUID' end, false) as is_numbered,
           sqlanon._had_once(column_name, distinct_values, coalesce(are_sexes, false),
                             coalesce(are_years, false)) as had_once
    from sqlanon._columns_in_order(relation) left join summed using (column_name), counted;

-- One of n parts of the people of a table, with all of their rows; of its rows, where no unit is given.
-- which: of the parts 0, 1, ... those that are meant; purpose: whatever tells two ways to part it apart.
create or replace macro sqlanon._every_nth(tbl, unit, n, which := [0], purpose := 'sample') as table
    from query(sqlanon._fill(
        if(unit is null,
           $$select * exclude (_sqlanon_row)
             from (select *, row_number() over () as _sqlanon_row from {relation})
             where list_contains({which}, hash({purpose} || _sqlanon_row) % {n})$$,
           $$from {relation}
             where list_contains({which}, hash({purpose} || coalesce({unit}::varchar, '')) % {n})$$),
        map {'relation': sqlanon._relation(tbl), 'unit': sqlanon._quote(coalesce(unit, '')),
             'n': n::varchar, 'which': which::varchar, 'purpose': sqlanon._literal(purpose || ' ')}));

-- The columns of a table, and what they probably are: column_name, type, row_count, filled, distinct_values,
-- missing, role, may_be_unit (does its name say that it says whose a row is, where people have several?),
-- may_number, repeats (one of these, and its values do), had_once, can_be_grouped (its values one by one),
-- builder (of a hierarchy), builder_by_levels, widths (of intervals), surely_missing, is_age.
create or replace macro sqlanon._first_look(tbl) as table
    with seen as (from sqlanon._columns_seen(sqlanon._relation(tbl))),
    looking as (
        select "column" as column_name,
               any_value(looks_like) filter (identifies and found_by <> 'name') as looks_like,
               coalesce(bool_or(looks_like = 'free text' and matching >= 0.5), false) as is_free_text
        from sqlanon.identifiers(tbl) group by all
    ),
    -- of numbers the lowest alone: -9 is one of a thermometer, too
    fitting as (
        select *, sqlanon._fitting_widths(lowest, highest, type) as widths,
               list_filter(map_entries(missing), lambda entry:
                   not sqlanon._is_number_type(type) or try_cast(entry['key'] as double) = lowest)
                   as suspects,
               sqlanon._guessed_role(
                   column_name, type, filled, distinct_values, looks_like, coalesce(is_free_text, false))
                   as of_role
        from seen left join looking using (column_name)
    )
    select column_name, type, row_count, filled, distinct_values,
           map_from_entries(coalesce(suspects, [])) as missing,
           of_role as role,
           sqlanon._is_called(column_name, 'unit') and distinct_values < filled as may_be_unit,
           sqlanon._may_number(column_name, type, has_digits) as may_number,
           may_be_unit or is_numbered and may_number
               and (of_role is distinct from 'qi' or type = 'VARCHAR' and filled <= 5 * distinct_values)
               and distinct_values between sqlanon._few() and filled - 1 as repeats,
           had_once,
           sqlanon._is_text_type(type) and distinct_values between 3 and sqlanon._moderate()
               as can_be_grouped,
           sqlanon._fitting_builder(column_name, type, is_code, is_icd10, distinct_values, widths, false)
               as builder,
           sqlanon._fitting_builder(column_name, type, is_code, is_icd10, distinct_values, widths, true)
               as builder_by_levels,
           widths,
           list_filter(
               list_transform(if(type = 'VARCHAR', coalesce(suspects, []), []),
                              lambda entry: trim(entry['key'])),
               lambda word: sqlanon._stands_for_missing(word)) as surely_missing,
           coalesce(had_once = 'age', false) as is_age
    from fitting order by place;
