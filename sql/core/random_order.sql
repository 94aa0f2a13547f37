-- Random order: in which rows are released, and by which they are dealt to classes.

-- A key that puts rows in a random order (texts of expressions go in, and one comes out): the SHA-256 of a salt and of
-- what expressions say of a row. Who knows the seed knows the order; without one the salt is two random UUIDs, which
-- nobody knows, and the order is unpredictable. Rows of which expressions say the same need a number to be told apart.
create or replace macro sqlanon._random_key(expressions, seed) as
    'sha256(concat(' || coalesce(sqlanon._literal(seed::bigint::varchar), '(select concat(uuid(), uuid()))')
    || ', row(' || expressions || ')::varchar))';
