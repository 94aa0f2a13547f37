-- Safe Harbor: what in a table the Privacy Rule of HIPAA does not let leave as de-identified health data, 45
-- CFR 164.514(b)(2)(i), (A) to (R).
--
-- Whose ZIP codes are sparsely populated is not said here: the rule is about "current publicly available data
-- from the Bureau of the Census", and any list that is written down gets old.

-- Words in names of columns, besides those in sql/core/columns.sql.
create or replace macro sqlanon._harbor_words() as {
    'age': 'age ages alter lebensalter',
    'birth': 'birth birthday birthdate birthyear dob yob born geburtsdatum geburtstag geburtsjahr geboren',
    'place': 'city town village county district precinct municipality parish borough neighborhood tract '
        || 'geocode fips ort wohnort geburtsort stadt gemeinde landkreis'};

-- The letter of the rule that names what a column looks like.
create or replace macro sqlanon._harbor_rule(looks_like) as
    case looks_like
        when 'name' then '(A) names'
        when 'personal name' then '(A) names'
        when 'address' then '(B) places smaller than a state'
        when 'coordinate' then '(B) places smaller than a state'
        when 'phone number' then '(D), (E) telephone and fax numbers'
        when 'e-mail address' then '(F) e-mail addresses'
        when 'social security number' then '(G) social security numbers'
        when 'card number' then '(J) account numbers'
        when 'IBAN' then '(J) account numbers'
        when 'URL' then '(N) web addresses'
        when 'IP address' then '(O) IP addresses'
        when 'free text' then '(R) free text, which may have any of them'
        else '(H) to (M), (R) numbers and codes that are unique' end;

-- Does a value say more of a date than its year? A month, a quarter or a day, also in a range or a list. (An
-- IP address has such pieces, too.)
create or replace macro sqlanon._is_within_a_year(string) as
    (sqlanon._form_of(string) is null or sqlanon._is_vague(sqlanon._form_of(string))) and regexp_matches(
        string,
        '\b\d{4}[-/.]\d{1,2}\b|\b\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}\b|\b\d{4}[- ]?Q[1-4]\b|\bQ[1-4][- ]?\d{4}\b'
            || '|\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? (\d{1,2},? )?\d{4}\b',
        'i');

-- The largest whole part of a number in a text; the open end of a range, as in [85, 90[, is not in it.
create or replace macro sqlanon._largest_number(string) as
    list_max(list_transform(
        regexp_extract_all(regexp_replace(string, '90(\.0+)?\[$', '89'), '\d+'),
        lambda digits: try_cast(digits as double)));

-- Is an age of 90 or more told apart from another one?
create or replace macro sqlanon._is_age_above_89(string) as
    coalesce(sqlanon._largest_number(string) >= 90, false)
    and not regexp_full_match(string, '(>=|≥) ?90(\.0+)?|90 ?\+|90 (or|and) (older|over|above|more)', 'i');

-- Does a value say that somebody was born so long ago that they may be 90 or older? One label for all of
-- these, <1936, may leave.
create or replace macro sqlanon._is_birth_of_old(string, year_of_90) as
    not starts_with(string, '<')
    and coalesce(list_min(list_transform(
            regexp_extract_all(string, '\b(\d{4})\b', 1),
            lambda digits: digits::integer)) <= year_of_90, false);

-- What is wrong with a ZIP code: NULL where nothing is. people: in all ZIP codes with its first three digits;
-- is_known: are populations given?
create or replace macro sqlanon._zip_problem(string, people, is_known) as
    case when regexp_matches(string, '\d{4}') then 'more than the first three digits of a ZIP code'
         when regexp_matches(string, '\d{3}') and not regexp_full_match(string, '000\D*')
         then case when not is_known
                   then 'not known whether more than 20,000 people live there: populations says so'
                   when people is null then 'populations does not have its first three digits'
                   when people <= 20000 then 'at most 20,000 people live there: its first digits must be 000'
              end
    end;

create or replace macro sqlanon._safe_harbor(relation, populations, year_of_90) as table
    with listed as materialized (from sqlanon._columns_in_order(relation)),
    entry as materialized (
        select place, column_name, type, value, rows
        from sqlanon._values_of_columns(relation, []) join listed using (column_name)
        where value is not null
    ),
    named as (
        select place, column_name, type, sqlanon._is_called(column_name, 'code') as is_zip,
               sqlanon._has_word(column_name, sqlanon._harbor_words()['age']) as is_age,
               sqlanon._has_word(column_name, sqlanon._harbor_words()['birth']) as is_birth,
               sqlanon._has_word(column_name, sqlanon._harbor_words()['place']) as is_place
        from listed
    ),
    known as materialized (
        select zip3, max(people) as people
        from query(coalesce(
            'select lpad(zip3::varchar, 3, ''0'') as zip3, population::bigint as people from '
                || sqlanon._relation(populations),
            'select null::varchar as zip3, null::bigint as people where false'))
        group by all
    ),
    wrong as (
        select place, column_name, rows, '(B) places smaller than a state' as rule,
               sqlanon._zip_problem(value, people, populations is not null) as problem
        from entry join named using (place, column_name)
        left join known on zip3 = regexp_extract(value, '\d{3}')
        where is_zip
        union all
        select place, column_name, rows, '(B) places smaller than a state',
               if(value <> '*', 'its name is that of a place', null)
        from entry join named using (place, column_name) where is_place and not is_zip
        union all
        select place, column_name, rows, '(C) dates and ages',
               case when sqlanon._is_within_a_year(value) then 'more of a date than its year'
                    when is_age and sqlanon._is_age_above_89(value) then 'an age above 89'
                    when is_birth and sqlanon._is_birth_of_old(value, year_of_90)
                    then 'a year of birth of people of 90 or older' end
        from entry join named using (place, column_name)
        union all
        select place, column_name, rows, sqlanon._harbor_rule(looks_like),
               'looks like ' || sqlanon._with_article(looks_like)
        from entry join (
            select distinct "column", looks_like from sqlanon._identifiers(relation) where identifies
        ) as found on found."column" = column_name
        union all
        select place, column_name, rows, '(P), (Q), (R) what cannot be looked into',
               'is of the type ' || type || ', into which nobody looks'
        from entry where not sqlanon._is_looked_into(type) and type not like 'STRUCT(lo %'
    )
    select column_name as "column", rule, problem, sum(rows)::bigint as rows
    from wrong where problem is not null
    group by place, column_name, rule, problem
    order by place, rule, problem;

create or replace macro sqlanon.safe_harbor(tbl, populations := null, today := null) as table
    from sqlanon._safe_harbor(
        sqlanon._relation(tbl), populations, year(coalesce(today::date, current_date)) - 90);

comment on macro table sqlanon.safe_harbor is $$
Lists what in a table must not leave it by the Safe Harbor method of HIPAA (45 CFR 164.514(b)(2)(i)), as far
as names and values of columns tell: identifiers, ZIP codes and places, dates and ages. One row per column,
rule and problem; no rows: nothing was found.

Parameters:
- tbl (table): the release, or the table.
- populations (table; default null): how many people live in all ZIP codes with the same first three digits,
  in columns zip3 and population, from current data of the Bureau of the Census. If not given, three digits
  are a problem, as it is not known whether more than 20,000 people live there.
- today (text; default null): the day by which people are 90, such as 2026-01-31; if not given, the current
  one.

Result:
- column (text): the name of the column.
- rule (text): the letters of the rule, and what it is about.
- problem (text): what is wrong.
- rows (integer): the number of rows with such a value.

Errors: unknown table, populations without these columns.

Notes: it guesses as identifiers does: a column that is not listed may still identify people. The rule also
requires that nobody who releases the data actually knows that they identify somebody, which no table tells.
It does not limit what the other columns tell together: risk, check and attack do. Years, and one label for
everybody of 90 or older (>=90), may leave; so may the first three digits of a ZIP code where more than 20,000
people live, and 000 elsewhere.

Source: 45 CFR 164.514(b)(2), US Department of Health and Human Services.

Example:
from sqlanon.safe_harbor('people');
$$;
