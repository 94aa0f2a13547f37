-- Masks: what is left to see of a value that names somebody, such as **** 1234 of a card or j***@example.org
-- of an address.
--
-- A masked value can still point at somebody, together with others; masks are for people who have to
-- recognize a record that they know already. What replaces the hidden part does not tell how long it was.
-- (Keyed hashes need a secret key, which no statement should hold: they are sqlanon.mask of the Python
-- package.)

-- How many characters are shown, or an error.
create or replace macro sqlanon._shown(given, parameter) as
    case when given >= 0 and given < 1e9 and given = floor(given) then given::bigint
         else error(parameter || ' must be a whole number of at least 0, not '
                    || coalesce(given::varchar, 'NULL'))
    end;

create or replace macro sqlanon.mask_text(value, first := 0, last := 0, mark := '****') as
    case when value is null then null
         when length(value::varchar) <= sqlanon._shown(first, 'first') + sqlanon._shown(last, 'last')
         then mark::varchar
         else substring(value::varchar, 1, sqlanon._shown(first, 'first')) || mark
              || substring(value::varchar, length(value::varchar) - sqlanon._shown(last, 'last') + 1)
    end;

comment on macro sqlanon.mask_text is $$
Shows only the first and the last characters of a text. If this would hide no character, the whole text is
hidden. NULL stays NULL.

Parameters:
- value (value): the value to mask, as text.
- first (integer, at least 0; default 0): how many characters are shown at the start.
- last (integer, at least 0; default 0): how many characters are shown at the end.
- mark (text; default '****'): the text that replaces the hidden characters, whatever their number.

Result:
- masked (text): the mask.

Errors: first or last below 0.

Notes: a mask does not make a table anonymous.

Example:
select sqlanon.mask_text('4000123412341234', last := 4) as masked;
$$;

create or replace macro sqlanon.mask_email(value, mark := '***') as
    case when value is null then null
         when contains(value::varchar, '@')
         then sqlanon.mask_text(regexp_replace(value::varchar, '@[^@]*$', ''), first := 1, mark := mark)
              || regexp_extract(value::varchar, '@[^@]*$')
         else mark::varchar
    end;

comment on macro sqlanon.mask_email is $$
Shows only the first character before the @ of an e-mail address, and the domain: j***@example.org. A text
without @ is hidden entirely. NULL stays NULL.

Parameters:
- value (value): the value to mask, as text.
- mark (text; default '***'): the text that replaces the hidden characters.

Result:
- masked (text): the mask.

Notes: a mask does not make a table anonymous.

Example:
select sqlanon.mask_email('jane@example.org') as masked;
$$;

-- The named columns of a table and no other, in a random order.
create or replace macro sqlanon._shuffled(tbl, columns, seed) as table
    from query(sqlanon._fill($$select {columns} from {source} as src order by {place}$$, map {
        'columns': sqlanon._each(columns, sqlanon._without_enum('src.{c}') || ' as {c}', ', '),
        'source': sqlanon._projected(tbl, columns, null, null),
        'place': sqlanon._random_key(sqlanon._each(columns, 'src.{c}', ', '), seed)}));
