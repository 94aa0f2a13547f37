-- Values of people in messages. Errors are sent around, logged and pasted into tickets, so they say how many
-- values are wrong, not which. Somebody who may see the values sets a variable: SET VARIABLE
-- sqlanon_show_values = true.

create or replace macro sqlanon._shows_values() as
    coalesce(try_cast(getvariable('sqlanon_show_values') as boolean), false);

-- What a message has in place of a value.
create or replace macro sqlanon._not_shown() as
    ' (values are not shown: SET VARIABLE sqlanon_show_values = true)';

-- The end of a message about a value of somebody, or of several people: an example, for who may see it.
create or replace macro sqlanon._such_as(value) as
    if(sqlanon._shows_values(), ', such as ' || coalesce(value::varchar, 'NULL'), sqlanon._not_shown());

-- What a cell of a column of true and false says of somebody, NULL being false. parameter: what names the
-- column, such as controls.
create or replace macro sqlanon._says(cell, parameter) as
    case when cell is null then false
         else coalesce(try_cast(cell::varchar as boolean),
                       error(parameter || ' must name a column of true and false' || sqlanon._such_as(cell)))
    end;

-- A hash that nobody makes without the secret. texts: a list, told apart by their lengths.
create or replace macro sqlanon._keyed_hash(secret, about, texts) as
    left(sha256(concat(secret, about, list_aggregate(
        list_transform(texts, lambda one_text: length(one_text) || ':' || one_text), 'string_agg', ''))), 32);
