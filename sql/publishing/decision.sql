-- What a decision page shows of a table: the forms of values, which tell how a column is written and nobody's
-- value, and the first rows that would leave.

-- A label as people read it: – for a missing value in a range or a set.
create or replace macro sqlanon._label_for_people(label) as
    regexp_replace(label, '([\[{(,] ?)NULL([,\]})])', '\1–\2', 'g');

-- A value's form: A for capital letters, a for other ones, 9 for each digit. K29.7 is A99.9, Müller is Aa. A
-- value that is nothing but its form, such as +, is three dots.
create or replace macro sqlanon._form_in_marks(string) as
    sqlanon._let(
        regexp_replace(
            regexp_replace(
                regexp_replace(
                    regexp_replace(sqlanon._label_for_people(string), '\p{Lu}+', 'A', 'g'),
                    '[\p{Ll}\p{Lt}\p{Lm}\p{Lo}]+', 'a', 'g'),
                '\p{N}', '9', 'g'),
            '\pM', '', 'g'),
        lambda form: if(form = string and form not in ('*', ''), '…', form));

-- How columns of a table are written: name, forms (the most frequent ones, at most two). The first hundred
-- thousand rows tell it.
create or replace macro sqlanon._forms_of_columns(tbl) as table
    with cell as (
        select name, value, count(*) as n
        from (unpivot (select columns(*)::varchar from (from query_table(tbl) limit 100000))
              on columns(*) into name name value value)
        group by name, value
    ),
    counted as (select name, sqlanon._form_in_marks(value) as form, sum(n) as n from cell group by all)
    select name, (list(form order by n desc, len(form), form))[:2] as forms from counted group by name;

-- The first rows of a release, a row per cell: place, name, value (missing: an empty text). Where hidden, a
-- cell is its form, in angle brackets, but for ranges and masks of the columns in qi that are no value of
-- the table that the release was made of, however it is spelled.
create or replace macro sqlanon._first_rows(release, source, qi, hidden) as table
    with cell as (
        select *, list_contains(qi, name)
                  and sqlanon._form(value) in ('range', 'interval', 'comparison', 'span', 'mask') as is_label
        from (unpivot (
            select row_number() over () as "_sqlanon_place", coalesce(columns(*)::varchar, '')
            from (from query_table(release) limit 5)
        ) on columns(* exclude "_sqlanon_place") into name name value value)
    ),
    label as (select distinct lower(name), sqlanon._spelled_alike(value) from cell where hidden and is_label),
    raw as (
        select distinct lower(name) as name, sqlanon._spelled_alike(value) as value
        from (unpivot (select columns(*)::varchar from query_table(source))
              on columns(*) into name name value value)
        where (lower(name), sqlanon._spelled_alike(value)) in (from label)
    )
    select "_sqlanon_place" as place, cell.name,
           case when not hidden or cell.value in ('', '*') or (is_label and raw.value is null)
                then sqlanon._label_for_people(cell.value)
                else '‹' || sqlanon._form_in_marks(cell.value) || '›' end as value
    from cell left join raw on raw.name = lower(cell.name) and raw.value = sqlanon._spelled_alike(cell.value)
    order by place;
