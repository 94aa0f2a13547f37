-- Spellings: values that people read as one. Within a class they count once; what leaves is as it is written.

-- The spellings in columns that are named; relation: the text of one.
create or replace macro sqlanon._spellings_in(relation, columns) as table
    from query(
        'with _sqlanon_spelled as materialized (select '
        || sqlanon._each_of(columns, '{c}', ', ') || ' from ' || relation || ')'
        || sqlanon._each_filled(columns, $$
            select {i} as place, {s} as column_name, reading as folded,
                   list(value::varchar order by n desc, value) as spellings, sum(n)::bigint as rows
            from (
                select value, n, {reading} as reading
                from (select {c} as value, count(*) as n from _sqlanon_spelled group by {c})
            )
            group by reading having count(*) > 1
        $$, map {'reading': sqlanon._reading('value', 'true')}, ' union all '));

-- The same of all columns, but for values that are NULL.
create or replace macro sqlanon._spellings_in_all(relation) as table
    with _sqlanon_column as materialized (from sqlanon._columns_in_order(relation)),
    _sqlanon_value as materialized (from sqlanon._values_of_columns(relation, [])),
    read_value as (
        select column_name, value, rows, sqlanon._folded(value) as folded
        from _sqlanon_value where value is not null
    )
    select place, column_name, folded, list(value order by rows desc, value) as spellings,
           sum(rows)::bigint as rows
    from read_value join _sqlanon_column using (column_name)
    where regexp_matches(type, '^(VARCHAR|JSON|ENUM.*)(\[\])*$')
    group by place, column_name, folded having count(*) > 1;

create or replace macro sqlanon.spellings(tbl, columns := null) as table
    from query(
        'select column_name as "column", folded, spellings, rows from ('
        || if(len(sqlanon._list(columns)) = 0,
              sqlanon._call('_spellings_in_all', [sqlanon._literal(sqlanon._relation(tbl))]),
              sqlanon._call('_spellings_in', [
                  sqlanon._literal(sqlanon._relation(tbl)), sqlanon._names(columns)]))
        || ') order by place, rows desc, folded');

comment on macro table sqlanon.spellings is $$
Lists the values of a table that people read as one and that are written in several ways, such as flu, "flu "
and FLU: one row per column and value. Where diversity or people are counted they count as one.

Parameters:
- tbl (table): the table.
- columns (columns; default null): the columns to look at; if not given, all that have texts.

Result:
- column (text): the name of the column.
- folded (text): what the spellings have in common: trimmed, in lower case, without accents; NULL: the value
  is missing (NULL, empty, or blanks alone).
- spellings (list of texts): the values as they are written, the most frequent first.
- rows (integer, rows): rows with one of them.

Errors: unknown column.

Notes: folded values have no blanks at their ends and one for each run of blanks, are in lower case and
composed form (NFC), have one kind of dashes and of quotes, Latin letters without accents, and a, o, u and ss
for umlauts, ae, oe, ue and sharp s in words. Numbers, dates and truth values have no spellings. If all
columns are looked at, NULL is not listed beside an empty text.

Source: own.

Example:
with noted as (from people select * replace (if(age < 30, disease || ' ', disease) as disease))
from sqlanon.spellings('noted', columns := 'disease');
$$;

-- In one line what there is, NULL if nothing: found: as in spellings; example: how many are shown.
create or replace macro sqlanon._spellings_in_words(found) as table
    select count(*) as spelled, sum(len(spellings))::bigint as ways,
           list(distinct "column" order by "column") as columns,
           arg_max({'column': "column", 'spellings': spellings[:3]}, rows) as example
    from query_table(found);
