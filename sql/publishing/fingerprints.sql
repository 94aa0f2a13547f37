-- Fingerprints: do two tables have the same rows?
--
-- The digest of a table is SHA-256 over the sorted digests of its rows, so that their order does not count.
-- Somebody who knows all rows but one can find that one by trying values, and can find a small table
-- altogether. So it is never stored as it is: Python makes an HMAC of it, with a key that is kept elsewhere.

-- The digest of the rows of a table, in the columns that are named: digest.
create or replace macro sqlanon._digest_of_rows(tbl, columns) as table
    from query(sqlanon._fill($$
        select sha256(coalesce(string_agg(row_digest, '' order by row_digest), '')) as digest
        from (select sha256(concat({cells})) as row_digest from {relation})
    $$, map {
        'cells': sqlanon._each(
            columns, $${s}, '=', coalesce(sqlanon._literal({c}::varchar), 'null'), ';'$$, ', '),
        'relation': sqlanon._relation(tbl)}));
