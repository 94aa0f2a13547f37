-- Random order: rows leave in an order that tells nothing about the table (Sweeney 2002, sec. 5.1: the
-- unsorted matching attack reads the order of rows).

-- A key that puts rows in a random order, as the text of an expression; expressions: the texts of what tells
-- the rows apart. It is the SHA-256 of their values and a salt. Whoever does not know the salt cannot predict
-- the order. The salt is the seed, which then must stay secret; without one it is 128 bits of the SHA-256 of
-- two uuid()s and the microsecond, and each key in a query has its own. (No more of it, so that a row is a
-- single block for SHA-256. After setseed() uuid() returns what it returned before: then only the microsecond
-- is not known. Python draws seeds elsewhere for what is dealt by such keys.) Rows with the same values have
-- the same key. (The values are hashed, as not all versions of DuckDB print rows alike.)
create or replace macro sqlanon._random_key(expressions, seed) as
    sqlanon._fill($$sha256(concat_ws(' ', {salt}, hash(row({expressions}))))$$, map {
        'salt': coalesce(sqlanon._literal(seed::bigint::varchar),
                         '(select left(sha256(concat(uuid(), uuid(), epoch_us(now()))), 32))')});

-- The rows of a table in this order, by all of these columns.
create or replace macro sqlanon._in_random_order(tbl, columns, seed) as table
    from query(
        'from ' || sqlanon._relation(tbl) || ' order by '
        || sqlanon._random_key(sqlanon._each(columns, '{c}', ', '), seed));
