-- Help: the public macros of this library, from the catalog itself.

create or replace macro sqlanon.help() as table
    select function_name as macro, parameters, comment as description
    from duckdb_functions()
    where database_name = 'sqlanon' and function_type in ('macro', 'table_macro') and not starts_with(function_name, '_')
    order by macro;

comment on macro table sqlanon.help is 'The public macros: one row each, with macro, parameters and description.';
