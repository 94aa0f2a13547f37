-- Refusals that several macros share: errors that name what is wrong with what a caller gave.

-- A hierarchy without a value that the table has. whose: a further word on the value, or an empty text.
create or replace macro sqlanon._lacks_value(name, value, whose) as
    error('the hierarchy of column ' || name || ' lacks the value ' || coalesce(value, 'NULL') || whose);
