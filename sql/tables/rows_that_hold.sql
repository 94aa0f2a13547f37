-- The rows that a table is about: those for which its filter holds. The conditions are read as labels, as
-- when tables are compared (sql/tables/common_atoms.sql), so that both mean the same people.

-- The conditions of a filter: column_name, label. Errors: one that cannot be read.
create or replace macro sqlanon._conditions_checked(filter) as table
    select name as column_name, label
    from sqlanon._conditions_of_filters([
        sqlanon._checked_tables(['a table'], [filter], null, null) || filter]);

create or replace macro sqlanon._rows_that_hold(tbl, filter) as table
    from query(sqlanon._checked_tables([tbl], [filter], null, null) || sqlanon._fill($$
        select src.* from {rows} as src{conditions}
    $$, map {
        'rows': sqlanon._relation(tbl),
        'conditions': coalesce(list_aggregate(list_transform(
            regexp_extract_all(filter, sqlanon._condition_pattern()), lambda condition, i: sqlanon._let(
                regexp_extract(condition, '^' || sqlanon._name_pattern(), 1), lambda quoted: sqlanon._fill(
                $$ semi join (
                    select value from (select unnest(list(distinct {column})) as value from {rows}) as own
                    where sqlanon.covers({label}, value)
                ) as {met} on {met}.value is not distinct from src.{column}$$, map {
                    'column': quoted, 'rows': sqlanon._relation(tbl), 'met': 'met_' || i,
                    'label': sqlanon._literal(sqlanon._let(
                        trim(condition[length(quoted) + 1:]), lambda comparison: sqlanon._label_of_condition(
                            comparison, list_transform(
                                regexp_extract_all(comparison, sqlanon._value_pattern()), lambda value:
                                sqlanon._without_quotes(value)))))}))), 'string_agg', ''), '')}));

-- A number or a day of a filter as it is written there, and the next one: NULL of what is neither whole nor a
-- day.
create or replace macro sqlanon._written_in_filter(value) as
    if(regexp_full_match(value, '-?\d+(\.\d+)?'), value, '''' || value || '''');
create or replace macro sqlanon._next_in_filter(value) as
    case when regexp_full_match(value, '-?\d{1,15}') then (value::bigint + 1)::varchar
         when try_cast(value as date)::varchar = value
         then sqlanon._written_in_filter((value::date + 1)::varchar) end;

-- A condition on whole numbers or days whose range ends where the next one begins; NULL if it has none.
create or replace macro sqlanon._condition_on_whole(quoted, comparison, texts) as
    case when comparison[1] = '>' and comparison[2] <> '='
         then quoted || ' >= ' || sqlanon._next_in_filter(texts[1])
         when comparison[:2] = '<=' then quoted || ' < ' || sqlanon._next_in_filter(texts[1])
         when regexp_matches(comparison, '(?i)^between')
         then quoted || ' >= ' || sqlanon._written_in_filter(texts[1]) || ' and ' || quoted || ' < '
              || sqlanon._next_in_filter(texts[2]) end;

-- A filter of some rows whose ranges end where the next ones begin: where a column has whole numbers or days
-- alone, age > 30 is age >= 31, and age between 20 and 29 is age >= 20 and age < 30. Otherwise somebody could
-- be between 30 and 31, for whoever compares tables. (One row: filter.)
create or replace macro sqlanon._filter_on_whole(tbl, filter) as table
    from query('select concat_ws('' and '', ' || list_aggregate(list_transform(
        regexp_extract_all(filter, sqlanon._condition_pattern()), lambda condition: sqlanon._let(
            regexp_extract(condition, '^' || sqlanon._name_pattern(), 1), lambda quoted: sqlanon._let(
                trim(condition[length(quoted) + 1:]), lambda comparison: sqlanon._fill($$
                if((select coalesce(bool_and(regexp_full_match(
                        {quoted}::varchar, '-?\d+(\.0+)?|\d\d\d\d-\d\d-\d\d')), true) from {rows}),
                   {on_whole}, {otherwise})$$, map {
                    'quoted': quoted, 'rows': sqlanon._relation(tbl),
                    'otherwise': sqlanon._literal(condition),
                    'on_whole': sqlanon._literal(coalesce(sqlanon._condition_on_whole(
                        quoted, comparison, list_transform(
                            regexp_extract_all(comparison, sqlanon._value_pattern()), lambda value:
                            sqlanon._without_quotes(value))), condition))})))), 'string_agg', ', ')
        || ') as filter');
