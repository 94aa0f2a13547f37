-- Identifiers: columns that say by themselves who somebody is.

-- They are looked at as if all of them were kept: what is told is not about their roles.
create or replace macro sqlanon._identifiers(relation) as table
    with _sqlanon_column as materialized (from sqlanon._columns_in_order(relation)),
    _sqlanon_whole_value as materialized (from sqlanon._values_of_columns(relation, [])),
    _sqlanon_value as materialized (
        from sqlanon._elements_of_columns('_sqlanon_whole_value', '_sqlanon_column')
    ),
    _sqlanon_role as materialized (from sqlanon._roles_of_columns('_sqlanon_column', [], [], [])),
    _sqlanon_held_value as materialized (
        from sqlanon._held_values('_sqlanon_value', '_sqlanon_role', null, null, null, [])
    ),
    _sqlanon_sum as materialized (from sqlanon._sums_of_columns('_sqlanon_held_value')),
    looks_of_values as (
        from sqlanon._looks_of_values('_sqlanon_held_value', '_sqlanon_sum', '_sqlanon_role')
    ),
    looks_of_names as (from sqlanon._looks_of_names('_sqlanon_sum', '_sqlanon_role')),
    found as (
        select column_name, form as looks_like, 'values' as found_by, count(*) as matching
        from _sqlanon_held_value where form is not null group by all
        union all
        select column_name, look, 'name', null from looks_of_names where look is not null
        union all
        select column_name, 'number', 'count', distinct_values from _sqlanon_sum where count_up
    )
    select column_name as "column", looks_like, found_by, matching / distinct_values as matching,
           distinct_values, alone / held as unique_share,
           found_by <> 'values' or coalesce(looks_like = form, false) as identifies
    from found
    join _sqlanon_column using (column_name)
    join _sqlanon_sum using (column_name)
    left join looks_of_values using (column_name)
    order by place, identifies desc, found_by = 'values' desc, matching desc, looks_like;

create or replace macro sqlanon.identifiers(tbl) as table
    from sqlanon._identifiers(sqlanon._relation(tbl));

comment on macro table sqlanon.identifiers is $$
Finds columns that identify people by themselves, such as names and e-mail addresses, from the form of their
values and from their names: one row per column and kind of identifier. No rows: no column looks like one.

Parameters:
- tbl (table): the table.

Result:
- column (text): the name of the column.
- looks_like (text): name, personal name (a frequent first name or surname is in it), number, e-mail address,
  phone number, address, card number, IBAN, social security number, IP address, coordinate, URL, UUID, hash or
  free text.
- found_by (one of values, name, count): how it was found: by the form of its values, by its name, or because
  it numbers the rows.
- matching (number, 0 to 1): the share of its distinct values that have this form; NULL if found by its name.
- distinct_values (integer): the number of different values, without NULL.
- unique_share (number, 0 to 1): of the rows with a value, the share whose value no other row has.
- identifies (boolean): true if the column was found by its name, or because it numbers the rows. If found by
  its values: true if at least half of them have the form; for addresses and names, at least half of the
  values (for free texts, at least 90 %) must also occur in only one row. Of personal names three are enough,
  if they are a third of the values, or a third of the rows have one.

Errors: unknown table.

Notes: this is a guess from values and names. A column that is not found may still identify people:
quasi_identifiers and leaving_columns find columns in which nearly every value is unique.

Source: own; the check digit of cards is Luhn's (US patent 2,950,048), those of IBANs are of ISO 13616.

Example:
from sqlanon.identifiers('people');
$$;
