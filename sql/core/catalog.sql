-- The catalog: every macro lives in an attached in-memory database of its own, so that nothing is left in
-- the user's file, a read-only database works, and every cursor of the connection sees the macros.

-- All of the library or nothing: the end of the script commits. A client that goes on after an error makes
-- no macro either, because the transaction has ended.
begin transaction;

-- A database sqlanon of the user's own would get the macros, and a schema would hide them. The library may be
-- attached as a file already.
set variable sqlanon_refused = (
    select error(problem || '; nothing was changed (rollback ends the transaction)')
    from (
        select case when exists (from duckdb_functions()
                                 where database_name = 'sqlanon' and function_name = '_fingerprint')
                    then 'the library is attached already, from the file ' || path
                         || ': this script is not needed (DETACH sqlanon first, to run it all the same)'
                    else 'a database file has the name "sqlanon", which the macros need: '
                         || 'attach it under another name (attach ''file'' as other)' end as problem
        from duckdb_databases()
        where lower(database_name) = 'sqlanon' and path is not null and path <> ':memory:'
        union all
        select 'a schema has the name "sqlanon", which the macros need: rename it'
        from duckdb_schemas()
        where lower(schema_name) = 'sqlanon' and database_name = current_database()
    )
    limit 1
);
reset variable sqlanon_refused;

attach if not exists ':memory:' as sqlanon (read_write);
