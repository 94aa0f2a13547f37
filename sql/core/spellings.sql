-- Spellings: how values are read where they are counted.
--
-- Texts that are folded alike (sql/core/folded.sql) are spellings of one value, unless their column is one of
-- distinct_spellings, in which a and A are two codes. NULL, an empty text and blanks alone are one thing,
-- missing, in every column. Numbers, dates and truth values have no spellings.

-- What a value is read as, a text, NULL where it is missing: the text of an expression, from those of the
-- value and of whether it is folded. Texts of a list are read each. As in _by_bytes the type decides when the
-- query is bound.
create or replace macro sqlanon._reading(expression, is_folded) as
    replace(replace($$
        struct_extract(
            struct_pack(
                text := case when sqlanon._has_texts(typeof([{x}])) then sqlanon._read({x}::varchar, {folded}) end,
                texts := case when sqlanon._has_lists_of_texts(typeof([{x}]))
                              then list_transform(
                                  try_cast({x}::varchar as varchar[]),
                                  lambda sqlanon_part: sqlanon._read(sqlanon_part, {folded}))::varchar end,
                other := {x}::varchar),
            case when sqlanon._has_texts(typeof([{x}])) then 'text'
                 when sqlanon._has_lists_of_texts(typeof([{x}])) then 'texts' else 'other' end)
    $$, '{x}', expression), '{folded}', is_folded);
create or replace macro sqlanon._unless_missing(string) as
    case when sqlanon._trimmed(string) <> '' then string end;
create or replace macro sqlanon._read(string, is_folded) as
    case when is_folded then sqlanon._folded(string) else sqlanon._unless_missing(string) end;

-- Is it the type of a list of texts, or of a list of such lists? (Of a column of NULLs alone the type is not
-- known before it is in a list.)
create or replace macro sqlanon._has_texts(list_type) as
    list_type in ('VARCHAR[]', 'JSON[]') or list_type like 'ENUM(%)[]' and list_type not like '%[][]';
create or replace macro sqlanon._has_lists_of_texts(list_type) as
    list_type = 'VARCHAR[][]' or list_type like 'ENUM(%)[][]' and list_type not like '%[][][]';

-- A relation in which each of some columns has one spelling of a value, the most frequent one (of equally
-- frequent ones the first), and NULL where it is missing. Values are read once each.
create or replace macro sqlanon._with_one_spelling(relation, columns, distinct_spellings := []::varchar[]) as table
    from query(
        if(len(columns) = 0, 'from ' || relation, sqlanon._fill($$
            select src.* replace ({each_of columns: chosen{i}.spelling as {c}}) from {relation} as src {chosen}
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
