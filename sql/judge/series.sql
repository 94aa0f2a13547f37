-- Nights of a series: releases of several tables to which rows are only added, with one key for pseudonyms
-- and offsets. So whoever has them all joins their rows, and sees since which night each is there: all nights
-- are one release that has grown, in which this is one more quasi-identifier of each row.
--
-- A register keeps of each row of a night a keyed hash of all that leaves of it (a mark), with its raw keys.

-- Rows by their marks: _sqlanon_row, reading (whose they are), mark. columns: keys and all that leaves.
create or replace macro sqlanon._marks_of_rows(tbl, name_of_table, columns, secret) as table
    from query(sqlanon._fill($$
        select _sqlanon_row, _sqlanon_person as reading,
               sqlanon._keyed_hash(secret, 'row of a series', [{name_of_table}, {values}]) as mark
        from {rows} as src cross join {secret}
    $$, map {
        'rows': sqlanon._relation(tbl), 'secret': sqlanon._relation(secret),
        'name_of_table': sqlanon._literal(name_of_table),
        'values': sqlanon._each(
            columns, 'if(src.{c} is null, ''n'', ''v'' || src.{c}::varchar)', ', ')}));

-- Rows with the first night that has them: _sqlanon_since, NULL of those that are new. Of rows that are alike
-- so many were there as had left. marks: as _marks_of_rows; kept: release_id, mark, n (rows).
create or replace macro sqlanon._rows_since(linked, marks, kept, numbers) as table
    with there as (
        select mark, place, min(release_id) as since
        from (
            select mark, release_id, unnest(range(1, n + 1)) as place
            from query_table(kept) where list_contains(numbers, release_id)
        )
        group by mark, place
    ),
    placed as (
        select _sqlanon_row, mark, row_number() over (partition by mark order by _sqlanon_row) as place
        from query_table(marks)
    )
    select src.*, since as _sqlanon_since
    from query_table(linked) as src
    join placed using (_sqlanon_row)
    left join there using (mark, place);

-- How many people of today have fewer rows than a night had: people. hashed: reading, who.
create or replace macro sqlanon._people_with_gone_rows(kept, marks, hashed, numbers) as table
    with before as (
        select who, mark, max(n) as n
        from query_table(kept) where list_contains(numbers, release_id) group by who, mark
    ),
    now_there as (select mark, count(*) as n from query_table(marks) group by mark)
    select count(distinct who) as people
    from before left join now_there using (mark)
    where who in (select who from query_table(hashed)) and coalesce(now_there.n, 0) < before.n;

-- What a register keeps of the rows of a night: who, mark, n.
create or replace macro sqlanon._marks_to_keep(marks, hashed) as table
    select who, mark, count(*) as n
    from query_table(marks) join query_table(hashed) using (reading) group by who, mark;

-- Who has a new row with a date: reading. tbl: rows with _sqlanon_since.
create or replace macro sqlanon._people_with_new_dates(tbl, dates) as table
    from query(sqlanon._fill($$
        select distinct _sqlanon_person as reading from {rows} as src
        where _sqlanon_since is null and ({dated})
    $$, map {
        'rows': sqlanon._relation(tbl),
        'dated': sqlanon._each(dates, 'src.{c} is not null', ' or ')}));
