-- The notation of labels: what a release says in place of a value, as text.
--
-- A value alone is itself. An interval is [lo, hi], a set is {a, b}, * is any value; [NULL, 29]: NULL sorts
-- below every value. A text that could be misread as one of these is a set of one: {"*"}, {"1-9"}.

create or replace macro sqlanon._is_ordered(type_name) as
    regexp_matches(
        type_name,
        '^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|DECIMAL.*|FLOAT|DOUBLE|DATE|TIME.*|INTERVAL|BIGNUM|VARINT)$');

-- What a text says to whoever reads a release (sql/locating/covers.sql): a value, or something that stands
-- for values. Most texts are values by their first character.
create or replace macro sqlanon._form(string) as
    case when not regexp_matches(string, '^[\[\](){<>≤≥\d-]|\*') then 'value'
         when string = '*' then 'any'
         when regexp_matches(string, '^\{ *[''"]?lo[''"]?:')
              and try_cast(string as struct(lo varchar, hi varchar)) is not null then 'range'
         when regexp_matches(string, '^\[[''"].*\]$', 's')
              and try_cast(string as varchar[]) is not null then 'list'
         when regexp_matches(string, '^[\[\](]\s*[^,]+?\s*,\s*[^,]+?\s*[\[\])]$') then 'interval'
         when regexp_matches(string, '^[<>≤≥]=?\s*\S')
              and sqlanon._kind(regexp_extract(string, '^[<>≤≥]=?\s*(.*)$', 1)) <> 3 then 'comparison'
         when regexp_matches(string, '^-?\d+(\.\d+)?\s*[-–]\s*-?\d+(\.\d+)?$') then 'span'
         when string[1] = '{' and string[-1] = '}' then 'set'
         when string[1] = '[' and string[-1] = ']' and try_cast(string as varchar[]) is not null then 'list'
         when contains(string, '*') then 'mask'
         else 'value'
    end;

-- A raw value as a text that says this value and nothing else: as a set of one, {"*"}, where it could be
-- misread.
create or replace macro sqlanon._value_text(string) as
    case when sqlanon._form(string) = 'value' then string else '{' || sqlanon._quote(string) || '}' end;

-- A raw value of any type as a text that cannot be misread (the text of an expression goes in, and one comes
-- out): only text can be misread. As in _by_bytes it is decided when the query is bound.
create or replace macro sqlanon._unmistakable(expression) as
    replace($$
        struct_extract(
            struct_pack(
                text := sqlanon._value_text(if(typeof({x}) = 'VARCHAR', {x}::varchar, null)), other := {x}),
            if(typeof([{x}]) = 'VARCHAR[]', 'text', 'other'))
    $$, '{x}', expression);

-- An element of a set, in double quotes where it could be misread.
create or replace macro sqlanon._element_text(element) as
    case when element is null then 'NULL'
         when regexp_matches(element, '[,{}"]|^\s|\s$|^NULL$|^$') then sqlanon._quote(element)
         else element
    end;

create or replace macro sqlanon._set_text(elements) as
    case when len(elements) = 1 then sqlanon._value_text(elements[1]::varchar)
         else '{' || array_to_string(
             list_transform(elements, lambda element: sqlanon._element_text(element::varchar)), ', ') || '}'
    end;

-- No rows, or an error: a released text that stands for several values, and that the other table does not
-- have. It would agree with nothing, as if it told nothing. released, others: relations with texts (a list);
-- names: of their columns; measured: the macro that cannot read them.
create or replace macro sqlanon._refuse_label_texts(released, others, release, names, measured) as table
    select error('column ' || names[d] || ' of ' || release || ' has labels, such as ' || min(said) || ': '
                 || measured || ' compares raw values only') as refused
    from (
        select distinct unnest(range(1, len(texts) + 1)) as d, unnest(texts) as said
        from query_table(released)
    )
    anti join (
        select distinct unnest(range(1, len(texts) + 1)) as d, unnest(texts) as said
        from query_table(others)
    ) as raw using (d, said)
    where sqlanon._form(said) <> 'value' group by d;
