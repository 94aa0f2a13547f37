-- Spellings: how values are read where they are counted.
--
-- Texts that are folded alike (sql/core/folded.sql) are spellings of one value, unless their column is one of
-- distinct_spellings, in which a and A are two codes. NULL, an empty text and blanks alone are one thing,
-- missing, in every column. Numbers, dates and truth values have no spellings.

create or replace macro sqlanon._unless_missing(string) as
    case when sqlanon._trimmed(string) <> '' then string end;
create or replace macro sqlanon._read(string, is_folded) as
    case when is_folded then sqlanon._folded(string) else sqlanon._unless_missing(string) end;

-- What a value is read as, a text, NULL where it is missing: the text of an expression, from those of the
-- value and of whether it is folded. Of a list of texts each is read, as far as blanks and letters go. The
-- type decides when the query is bound. (Of a column of NULLs alone it is not known before it is in a list.)
create or replace macro sqlanon._reading(expression, is_folded) as
    replace(replace($$
        case when not regexp_matches(typeof([{x}]), '^(VARCHAR|JSON|ENUM.*)(\[\])+$') then {x}::varchar
             else sqlanon._let(sqlanon._read({x}::varchar, {folded}), lambda sqlanon_read:
                 case when typeof([{x}]) not like '%[][]' then sqlanon_read
                      else regexp_replace(sqlanon_read, '[ '']*([][,])[ '']*', '\1', 'g') end)
        end
    $$, '{x}', expression), '{folded}', is_folded);

-- Rows with a column as keys are read: _sqlanon_reading.
create or replace macro sqlanon._rows_with_reading(tbl, key) as table
    from query('select src.*, ' || sqlanon._reading('src.' || sqlanon._quote(key), 'true')
               || ' as _sqlanon_reading from ' || sqlanon._relation(tbl) || ' as src');

-- Whose a row is: the text of an expression about src. unit: the column that says it, or NULL.
create or replace macro sqlanon._person(unit, distinct_spellings) as
    sqlanon._reading(
        'src.' || sqlanon._quote(unit),
        (not list_contains(sqlanon._lower(sqlanon._list(distinct_spellings)), lower(unit)))::varchar);

-- A relation in which some columns, if they have texts, are trimmed: without blanks at their ends, and with
-- one for each run of blanks. Values are trimmed once each.
create or replace macro sqlanon._with_trimmed(relation, columns) as table
    from query(
        if(len(columns) = 0, 'from ' || relation, sqlanon._fill($$
            select src.* replace ({each_of columns: chosen{i}.trimmed as {c}}) from {relation} as src {chosen}
        $$, map {
            'chosen': sqlanon._each_filled(columns, $$
                left join (
                    select value,
                           struct_extract(
                               struct_pack(text := sqlanon._trimmed(value::varchar), other := value),
                               if(typeof([value]) = 'VARCHAR[]', 'text', 'other')) as trimmed
                    from (select {c} as value from {relation} group by {c})
                ) as chosen{i} on src.{c} is not distinct from chosen{i}.value
            $$, map {'relation': relation}, '')})));

-- How many people have these rows, where x is the unit (an aggregate).
create or replace macro sqlanon._people_of(x) as count(distinct x) + (count(*) > count(x))::bigint;

-- How many people have rows of a relation, by the column that says whose a row is: people.
create or replace macro sqlanon._number_of_people(relation, unit, distinct_spellings) as table
    from query(sqlanon._fill($$
        select sqlanon._people_of({person}) as people from {relation} as src
    $$, map {'person': sqlanon._person(unit, distinct_spellings)}));

-- How many people are in several combinations of values: people.
create or replace macro sqlanon._people_in_several(relation, unit, columns) as table
    from query(sqlanon._fill($$
        select count(*) as people
        from (
            select person from (select distinct {person} as person {each columns: , src.{c} as v{i}}
                                from {relation} as src)
            group by person having count(*) > 1
        )
    $$, map {'person': sqlanon._person(unit, null)}));

-- A relation in which each of some columns has one spelling of a value, the most frequent one (of equally
-- frequent ones the first), and NULL where it is missing. Values are read once each.
create or replace macro sqlanon._with_one_spelling(
    relation, columns, distinct_spellings := []::varchar[]) as table
    from query(
        if(len(columns) = 0, 'from ' || relation, sqlanon._fill($$
            select src.* replace ({each_of columns: chosen{i}.spelling as {c}})
            from {relation} as src {chosen}
        $$, map {
            'chosen': sqlanon._each_filled(columns, $$
                left join (
                    select unnest(written) as value, if(reading is null, null, most.value) as spelling
                    from (
                        select reading, list(value) as written,
                               min(struct_pack(fewer := -n, value := value)) as most
                        from (
                            select value, n, {reading} as reading
                            from (
                                select {c} as value, count(*) as n,
                                       not list_contains({distinct}, lower({s})) as is_folded
                                from {relation} group by {c}
                            )
                        )
                        group by reading
                    )
                ) as chosen{i} on src.{c} is not distinct from chosen{i}.value
            $$, map {
                'relation': relation,
                'distinct': sqlanon._names_of(sqlanon._lower(distinct_spellings)),
                'reading': sqlanon._reading('value', 'is_folded')}, '')})));
