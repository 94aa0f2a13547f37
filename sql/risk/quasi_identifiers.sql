-- Quasi-identifiers: which few columns tell records apart (Motwani and Xu 2008).
--
-- The distinction of a set of columns is its distinct combinations / rows, its separation the share of the
-- pairs of rows that differ in it. Sets grow column by column; those that contain a set by which all rows are
-- unique are not counted: they are unique, too. Everything is counted over the distinct combinations of all
-- columns.
--
-- In a sample of r of the N rows, distinction and separation are those of the table within ranges that hold,
-- all of them together, with a probability of 0.95:
-- * A pair is told apart in the sample as often as in the table, on average. Another row in place of one
--   changes the share by 2 / r at most, so that (McDiarmid 1989, for the rows of a sample one after the
--   other) it is off by e to one side with a probability of at most exp(-r e^2 / 2).
-- * A sample of r rows has at most as many combinations as the table, which is the lower bound: distinct / N.
--   Each further row of a sample is new less often than the one before, so that the distinction of a sample
--   is on average no less than that of the table; and another row in place of one changes it by 1 / r at
--   most: the table's is more than e above it with a probability of at most exp(-2 r e^2).

-- The probability that any of so many sets has a range that does not hold is 0.05: ln(1 / probability) of one
-- bound out of the three of each set.
create or replace macro sqlanon._confidence(sets) as ln(3 * sets / 0.05);

-- All columns but one (NULL: all), as what columns(...) takes.
create or replace macro sqlanon._all_but(name) as
    coalesce('lambda name: lower(name) <> lower(' || sqlanon._literal(name::varchar) || ')', '*');

-- The names of the columns, as a list; of all columns where none are named. One row: names.
create or replace macro sqlanon._column_names(rows_text, names, weight) as table
    from query(
        case when names is null
             then 'select list_value(*columns(*)) as names from (select alias(columns('
                  || sqlanon._all_but(weight) || ')) from ' || rows_text || ' limit 1)'
             else 'select ' || sqlanon._names(names) || ' as names'
        end);

-- A relation whose columns compare by their bytes.
create or replace macro sqlanon._compared_by_bytes(rows_text) as table
    from query(sqlanon._fill($$select {values} as '\0' from {rows}$$, map {
        'values': sqlanon._by_bytes('columns(*)'), 'rows': rows_text}));

-- The text of a relation with so many of the rows of a relation, or with all of them (sample is NULL).
create or replace macro sqlanon._sampled(relation, sample, seed) as
    case when sample is null then relation
         else sqlanon._fill($$(
             from (select *, row_number() over () as _sqlanon_row from {relation})
             order by hash(_sqlanon_row, {seed}), _sqlanon_row limit {sample})$$, map {
                 'seed': seed::varchar, 'sample': sample::varchar})
    end;

-- The distinct combinations of a relation, or of a sample of it: tuple_id, its columns as q_<name>, n.
create or replace macro sqlanon._sampled_combinations(relation, sample, seed, weight) as table
    select row_number() over () as tuple_id, *
    from query(sqlanon._fill($$
        select columns({looked_at}) as 'q_\0', {count} as n from {rows} as src group by all
        $$, map {
        'looked_at': sqlanon._all_but(coalesce(weight, '_sqlanon_row')),
        'count': sqlanon._count(weight),
        'rows': sqlanon._sampled(relation, sample, seed)}));

-- The sets of the next size: members, combinations, alike (pairs of rows that do not differ), from the same
-- of the sets before (state). coded: all combinations.
create or replace macro sqlanon._separating_step(state, coded, max_size) as table
    with wider as materialized (
        select row_number() over () as number, members
        from sqlanon._wider_sets(state, (select len(codes) from query_table(coded) limit 1))
        where len(members) <= max_size
    ),
    needless as materialized (
        select distinct lacking.members
        from sqlanon._inner_sets('wider') as lacking
        join query_table(state) as narrower on narrower.members = lacking.inner_members
        where narrower.alike = 0
    ),
    open as materialized (select number, members from wider anti join needless using (members)),
    counted as (
        select number, count(*) as combinations, sum(n::hugeint * (n - 1) // 2)::double as alike
        from sqlanon._set_counts(coded, 'open', max_size)
        group by number
    )
    select members, combinations, alike from open join counted using (number)
    union all
    select members, (select sum(n) from query_table(coded)), 0 from needless;

-- What is told of the sets: columns, size, combinations, distinction, separation, and of a sample the ranges.
-- sets: members, combinations, distinction, separation, doubt, rows; names: as above.
create or replace macro sqlanon._set_measures(sets, names, with_ranges) as table
    from query(sqlanon._fill($$
        select list_transform(members, lambda member: names[member]) as columns, len(members) as size,
               combinations, distinction, separation{ranges}
        from {sets}, {names}
        $$, map {
            'ranges': case when with_ranges then ',
               case when doubt = 0 then distinction else combinations / rows end as distinction_from,
               least(1, distinction + doubt / sqrt(2)) as distinction_to,
               greatest(0, separation - doubt * sqrt(2)) as separation_from,
               least(1, separation + doubt * sqrt(2)) as separation_to' else '' end}));

create or replace macro sqlanon._quasi_identifiers(
    tbl, rows_text, names, max_size, sample, seed, weight) as table
    with recursive
    _sqlanon_name as (from sqlanon._column_names(rows_text, names, weight)),
    _sqlanon_source as materialized (from sqlanon._compared_by_bytes(rows_text)),
    _sqlanon_whole as (select count(*) as rows from _sqlanon_source),
    _sqlanon_combination as materialized (
        from sqlanon._sampled_combinations('_sqlanon_source', sample, seed, weight)
    ),
    _sqlanon_coded as materialized (from sqlanon._coded('_sqlanon_combination')),
    _sqlanon_seen as (select sum(n)::double as r from _sqlanon_coded),
    _sqlanon_state as (
        select []::bigint[] as members, 1::bigint as combinations, r * (r - 1) / 2 as alike
        from _sqlanon_seen where r > 0
        union all
        from sqlanon._separating_step('_sqlanon_state', '_sqlanon_coded', max_size)
    ),
    _sqlanon_set as (
        select members, combinations, combinations / r as distinction,
               case when alike = 0 then 1 else 1 - alike / (r * (r - 1) / 2) end as separation,
               case when r >= rows then 0 else sqrt(sqlanon._confidence(count(*) over ()) / r) end as doubt,
               rows
        from _sqlanon_state, _sqlanon_seen, _sqlanon_whole
        where len(members) > 0
    )
    from sqlanon._set_measures('_sqlanon_set', '_sqlanon_name', sample is not null)
    union all by name
    select refused::bigint as size from sqlanon._refuse_empty('_sqlanon_coded', tbl)
    order by size, separation desc, distinction desc, columns;

create or replace macro sqlanon.quasi_identifiers(
    tbl, columns := null, max_size := 3, sample := null, seed := 1, weight := null) as table
    from query(
        case when columns is null then '' else sqlanon._checked_columns(columns, null, weight) end
        || case when sample is not null and weight is not null
                then error('sample does not go with weight: rows are drawn, not the people they stand for')
                else '' end
        || {call _quasi_identifiers:
            rows_text := {sqlanon._rows_of:
                columns := case when columns is null then '*'
                     else sqlanon._each_of(sqlanon._counted_with(columns, weight), '{c}', ', ') end},
            names := columns, max_size := coalesce(sqlanon._whole_number(max_size, 'max_size'), 3),
            sample := sqlanon._whole_number(sample, 'sample'), seed := coalesce(seed::bigint, 1)});

comment on macro table sqlanon.quasi_identifiers is $$
Measures how well each set of columns distinguishes the rows of a table: one row per set, small sets first,
and among sets of the same size the one that distinguishes best. NULL is a value of its own.

Parameters:
- tbl (table): the raw rows.
- columns (columns; default null): the columns to check; if not given, all.
- max_size (integer, at least 1; default 3): the largest number of columns in a set.
- sample (integer, at least 1; default null): the size of a random sample of rows to check instead of all; it
  depends on seed and the order of the table.
- seed (integer; default 1): fixes the sample.
- weight: as in classes

Result:
- columns (list of texts): the set of columns. If a smaller set makes all rows unique, sets that contain it
  have distinction and separation 1 without being counted.
- size (integer, columns): the number of columns in the set.
- combinations (integer): the number of distinct combinations of values (in the sample, if there is one).
- distinction (number, 0 to 1): combinations / rows.
- separation (number, 0 to 1): the share of pairs of rows that differ in these columns.
- distinction_from (number, 0 to 1): with sample: a lower bound of distinction in the whole table. All bounds
  together hold with a probability of 0.95.
- distinction_to (number, 0 to 1): with sample: an upper bound.
- separation_from (number, 0 to 1): with sample: a lower bound of separation in the whole table.
- separation_to (number, 0 to 1): with sample: an upper bound.

Errors: unknown column, empty table, max_size or sample below 1, a weight as in classes or with
sample.

Source: Motwani and Xu 2008; McDiarmid 1989.

Example:
from sqlanon.quasi_identifiers('people', columns := ['age', 'zip', 'disease'], max_size := 2);
$$;
