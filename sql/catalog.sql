-- The catalog: every macro lives in an attached in-memory database of its own, so that nothing is left in the user's
-- file, a read-only database works, and every cursor of the connection sees the macros.

attach if not exists ':memory:' as sqlanon (read_write);
