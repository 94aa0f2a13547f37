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
