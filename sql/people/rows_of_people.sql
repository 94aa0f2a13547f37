-- Rows of several tables one by one, with the person whose they are: what is judged of one table alone, and
-- what is written of it.

-- The rows of one table, as far as columns of it tell them apart: person (the unit), q1, q2, ... columns: of
-- that table, as table.column.
create or replace macro sqlanon._columns_with_person(tables, unit, joins, columns) as table
    from query(sqlanon._settings_checked() || sqlanon._let(
        sqlanon._said_of_tables(tables, unit, joins, 'columns', columns, null, null), lambda said:
            sqlanon._rows_of_everybody(said['tree'], said['roles']) || sqlanon._fill($$
        select root.own as person, {columns}
        from _sqlanon_linked{i} as linked join _sqlanon_read{root} as root on root.row_id = linked.person
        where (select count(refused) = 0 from _sqlanon_refusal)
    $$, map {
        'i': said['roles']['qi'][1]['tbl']::varchar, 'root': said['tree'][1]['nth']::varchar,
        'columns': sqlanon._each_of(
            sqlanon._columns_of(said['roles']['qi'], said['roles']['qi'][1]['tbl']), 'linked.q{i}', ', ')})));

-- How many values of q1 fewer than least people have, how many people have one of them, and how many people
-- share the most frequent value: rare, people, shared. rows: as _columns_with_person.
create or replace macro sqlanon._rare_values(rows, least) as table
    with value as (
        select q1, count(distinct person) as n from query_table(rows) where q1 is not null group by q1
    )
    select (select count(*) from value where n < least) as rare,
           (select count(distinct person) from query_table(rows) join value using (q1) where n < least)
               as people,
           (select coalesce(max(n), 0) from value) as shared;

-- What classes violate, and how many people are in such classes: id, attribute, people, reached (the worst).
-- failing: class_id, id, attribute, reached; classes: class_id, person, where a person may be in several.
create or replace macro sqlanon._people_in_failing(failing, classes) as table
    select id, attribute, count(distinct person) as people, max(reached) as reached
    from query_table(failing) join query_table(classes) as of_class using (class_id) group by id, attribute;

-- Has a text a date in it, however it is written? 2026-01-05, 05.01.26, 20260105, Jan 5, 2026, a week, such
-- as 2026-W02, or seconds since 1970; also in a list.
create or replace macro sqlanon._has_a_date(string) as
    sqlanon._moment(string) is not null
    or regexp_matches(string,
        '(^|\D)((19|20)\d\d-?(W\d\d|[01]\d-?[0-3]\d)|[0-3]?\d[./-][0-3]?\d[./-](\d\d)?\d\d)(\D|$)'
        || '|[[:alpha:]]{3}\.? [0-3]?\d,? \d{4}|[0-3]?\d\.? [^ ]{3,9} \d{4}|^1\d{9}(\d{3})?$');

-- The share of the values of a column that have dates: share, NULL of none. Where dates are shifted, one that
-- leaves unchanged tells by how much.
create or replace macro sqlanon._share_of_dates(tbl, dated) as table
    from query(sqlanon._fill($$
        select avg(sqlanon._has_a_date(value)::integer) as share
        from (select distinct {c}::varchar as value from {rows}) where sqlanon._is_there(value)
    $$, map {'c': sqlanon._quote(dated), 'rows': sqlanon._relation(tbl)}));

-- The rows of a table that belong to a row of the table above, by keys that are read alike; of the person
-- table (above is itself) those with a key.
create or replace macro sqlanon._rows_that_belong(tbl, own, above, key) as table
    select * exclude (_sqlanon_reading) from sqlanon._rows_with_reading(tbl, own)
    where _sqlanon_reading in (select _sqlanon_reading from sqlanon._rows_with_reading(above, key));

-- Rows that refer to a row that is not there, by the very keys that are written: none, or integrity is lost.
create or replace macro sqlanon._rows_without_partner(tbl, own, above, key) as table
    from query(sqlanon._fill($$
        select src.* from {rows} as src left join {partners} as above on above.{"key"} = src.{"own"}
        where above.{"key"} is null
    $$, map {'rows': sqlanon._relation(tbl), 'partners': sqlanon._relation(above)}));

-- TO BE RECODED
-- The rows of a table, linked and ready to be recoded: _sqlanon_row (a number), _sqlanon_person (the unit as
-- it is read), the table's own columns, and for each of some columns _sqlanon_labels{i}: the labels of its
-- value at all levels. ladder: attribute (a number), value, level, label; attributes: that of each column.
-- above: the linked rows that these belong to, NULL of the person table.
create or replace macro sqlanon._rows_with_labels(tbl, own, above, key, columns, attributes, ladder) as table
    from query(sqlanon._fill($$
        select row_number() over () as _sqlanon_row, {person} as _sqlanon_person, src.* {labels}
        from {rows} as src {linked} {ladders}
    $$, map {
        'rows': sqlanon._relation(tbl),
        'person': if(above is null, sqlanon._reading('src.' || sqlanon._quote(own), 'true'),
                     'above._sqlanon_person'),
        'linked': coalesce(
            'join ' || sqlanon._relation(above) || ' as above on '
            || sqlanon._reading('src.' || sqlanon._quote(own), 'true') || ' = '
            || sqlanon._reading('above.' || sqlanon._quote(key), 'true'), ''),
        'labels': sqlanon._each(columns, ', ladder{i}.labels as _sqlanon_labels{i}', ''),
        'ladders': sqlanon._text_of_each(
            list_transform(columns, lambda recoded, nth_recoded: sqlanon._fill($$
                left join (
                    select value, list(label order by level) as labels from {ladder}
                    where attribute = {attribute} group by value
                ) as ladder{i}
                  on ladder{i}.value is not distinct from sqlanon._plain_text(src.{column}::varchar)
            $$, map {
                'ladder': sqlanon._relation(ladder), 'attribute': attributes[nth_recoded]::varchar,
                'i': nth_recoded::varchar, 'column': sqlanon._quote(recoded)})), '')}));

-- Of these rows at most so many of each person. They are drawn at random; by the secret of a register, if it
-- is given, so that somebody whose rows are the same has the same ones in all of its releases. columns: those
-- that rows have in their file.
create or replace macro sqlanon._at_most_rows(linked, columns, most, secret) as table
    from query(sqlanon._fill($$
        select * exclude (_sqlanon_lot, _sqlanon_place)
        from (
            select *, row_number() over (
                       partition by _sqlanon_person order by _sqlanon_lot, _sqlanon_row) as _sqlanon_place
            from (select src.*, {lot} as _sqlanon_lot from {rows} as src)
        )
        where _sqlanon_place <= {most}
    $$, map {
        'rows': sqlanon._relation(linked), 'most': most::varchar,
        'lot': coalesce(
            'sqlanon._keyed_hash((select secret from ' || sqlanon._relation(secret)
            || '), ''row of several tables'', ['
            || sqlanon._each(columns, 'coalesce(src.{c}::varchar, '''')', ', ') || '])',
            sqlanon._random_key('src._sqlanon_row', null))}));

-- How much is lost at each level of one attribute: the share of the other values that a label leaves
-- possible, as the mean over rows (Xu et al. 2006: normalized certainty penalty). ladder: value, level,
-- label; of_rows: a table with the column of its values.
create or replace macro sqlanon._loss_of_levels(ladder, of_rows, of_column) as table
    with counted as (
        select value, count(*) as n
        from query('select ' || sqlanon._quote(of_column) || '::varchar as value from '
                   || sqlanon._relation(of_rows))
        group by value
    ),
    entry as (
        select level, label, coalesce(n, 0) as n
        from query_table(ladder) as rung
        left join counted on counted.value is not distinct from rung.value
    ),
    node as (
        select level, label, count(*) as leaves, sum(n) as n from entry group by all
    )
    select level, coalesce(sum((leaves - 1) * n) / nullif((sum(leaves) - 1) * sum(n), 0), 0) as loss
    from node group by level;
