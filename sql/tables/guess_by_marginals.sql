-- What a guess reaches without any reconstruction: rows as they would be if columns had nothing to do with
-- each other. A reconstruction tells something where it is right more often than this baseline.

-- The share of each value of a column, by the table that counts most people by it: i (of the column), label
-- (a key), share. Only the finest cells of a table are added up; hidden ones count 0.
create or replace macro sqlanon._shares_by_tables(cells) as table
    with own as (
        select nth, keys, coalesce(sqlanon._published_number(shown, false), 0) as n,
               list_filter(range(1, len(keys) + 1), lambda i: keys[i] <> sqlanon._total_key()) as places
        from query_table(cells)
    ),
    finest as (
        select nth, keys, n, unnest(places) as i
        from own semi join (select nth, max(len(places)) as most from own group by nth) as table_of
          on table_of.nth = own.nth and most = len(places)
    ),
    of_value as (select i, nth, keys[i] as label, sum(n) as n from finest group by all),
    of_table as (select i, nth, sum(n) as people from of_value group by i, nth),
    chosen as (select i, min((-people, nth)) as best from of_table group by i)
    select of_value.i, label, n / of_table.people as share
    from of_value join chosen on chosen.i = of_value.i and best[2] = of_value.nth
    join of_table on of_table.i = of_value.i and of_table.nth = of_value.nth where n > 0;

-- How many people all tables count at most.
create or replace macro sqlanon._people_counted(cells) as table
    with own as (
        select nth, coalesce(sqlanon._published_number(shown, false), 0) as n,
               len(list_filter(keys, lambda label_key: label_key <> sqlanon._total_key())) as labels
        from query_table(cells)
    ),
    finest as (
        select nth, sum(n) as people
        from own semi join (select nth, max(labels) as labels from own group by nth) as table_of
          using (nth, labels) group by nth
    )
    select coalesce(round(max(people)), 0) as people from finest;

-- How many people are expected in each combination of values: keys, expected. An error where there are more
-- combinations than max_atoms.
create or replace macro sqlanon._expected_rows(shares, counted, dimensions, max_atoms) as table
    with recursive size as (
        select product(labels) as combinations
        from (select count(*) as labels from query_table(shares) group by i)
    ),
    reached as (
        select 0 as i, []::varchar[] as keys, people::double as expected
        from query_table(counted), size
        where if(combinations > max_atoms,
                 error('there are ' || sqlanon._number_text(combinations) || ' combinations of values, more '
                       || 'than max_atoms := ' || max_atoms || ': name fewer dimensions'), true)
        union all
        select reached.i + 1, list_append(keys, label), expected * share
        from reached join query_table(shares) as own on own.i = reached.i + 1
    )
    select keys, expected from reached where i = len(sqlanon._list(dimensions));

create or replace macro sqlanon._guess_by_marginals(
    of_tables, dimensions, value_column, titles, total_mark, marks, max_atoms) as table
    with _sqlanon_row as materialized (
        from {sqlanon._rows_of_tables: tables := of_tables, lower_column := null, upper_column := null,
            mean_column := null, median_column := null, sum_column := null}
    ),
    _sqlanon_cell as materialized (from sqlanon._cells_of_tables('_sqlanon_row', []::varchar[], null)),
    _sqlanon_share as materialized (from sqlanon._shares_by_tables('_sqlanon_cell')),
    _sqlanon_people as (from sqlanon._people_counted('_sqlanon_cell')),
    _sqlanon_expected as materialized (
        from sqlanon._expected_rows('_sqlanon_share', '_sqlanon_people', dimensions, max_atoms)
    ),
    _sqlanon_ranked as (
        select keys, floor(expected) as sure,
               row_number() over (order by round(expected - floor(expected), 9) desc, keys) as place,
               people - sum(floor(expected)) over () as others
        from _sqlanon_expected, _sqlanon_people
    ),
    _sqlanon_refusal as (
        from sqlanon._refuse_rows_of_tables(
            '_sqlanon_row', '_sqlanon_cell', of_tables, titles, dimensions, value_column)
        union all
        from sqlanon._refuse_unread_counts('_sqlanon_cell', titles, value_column, marks)
        union all
        from sqlanon._refuse_spellings('_sqlanon_cell', titles, dimensions)
    )
    from query(sqlanon._fill($$
        select {labels}, (sure + if(place <= others, 1, 0))::bigint as guess
        from _sqlanon_ranked where sure > 0 or place <= others
        union all by name
        select refused::bigint as guess from _sqlanon_refusal
    $$, map {'labels': sqlanon._each_filled(
        dimensions, 'sqlanon._label_of(keys[{i}], {=total_mark}) as {c}', ', ')}));

create or replace macro sqlanon.guess_by_marginals(
    tables, dimensions, value_column := 'value', titles := null, total := 'total',
    marks := ['', '*', '.', '..', '...', ':', 'c', 'C', 'x', 'X', '[c]', '[x]', 'Suppressed', 'suppressed'],
    max_atoms := 100000) as table
    from query(
        sqlanon._checked_dimensions(dimensions, sqlanon._list(value_column), ' and the other columns')
        || sqlanon._checked_tables(tables, null, null, titles)
        || {call _guess_by_marginals: of_tables := sqlanon._list(tables),
            dimensions := sqlanon._list(dimensions), titles := sqlanon._list(coalesce(titles, tables)),
            total_mark := total, max_atoms := sqlanon._whole_given(max_atoms, 'max_atoms')});

comment on macro table sqlanon.guess_by_marginals is $$
Guesses the rows of people from published counts as if their columns were independent: the baseline of
reconstruct.

Parameters:
- tables (list of tables): the published tables of the same people, all without a filter: some of the columns
  in dimensions, and value_column.
- dimensions: as in reconstruct
- value_column (column; default 'value'): as in tables_together: the published count. Hidden ones count 0.
- titles, total, marks: as in tables_together
- max_atoms (integer, at least 1; default 100000): the largest number of combinations of values that are
  looked at.

Result:
- <dimensions> (text): the values.
- guess (integer): how many people are guessed to have them, at least 1. All together are as many as the
  tables count.

Errors: unknown column, a table without rows, a cell that is there twice, a value that cannot be read, more
than max_atoms combinations.

Notes: shares of values are those of the table that counts most people by a column. A combination is guessed
as often as is expected, rounded by the largest remainders; of equal ones the first by their labels.

Source: Garfinkel, Abowd and Martindale 2019, Understanding Database Reconstruction Attacks on Public Data.

Example:
with by_sex as (from (values ('F', 3), ('M', 1)) as row(sex, value)),
by_ward as (from (values ('A', 2), ('B', 2)) as row(ward, value))
from sqlanon.guess_by_marginals(['by_sex', 'by_ward'], dimensions := ['sex', 'ward']);
$$;
