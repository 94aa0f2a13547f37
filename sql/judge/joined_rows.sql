-- Rows of a release that a column joins: a pseudonym, or a number, which is one person's and is in several of
-- their rows.
--
-- Requirements are about classes of rows: in each class of wards are k people. Where the rows of a person can
-- be joined, others see all of them at once, and look for the person who was in just these wards. So people
-- are alike if their rows are alike as a whole: the same combinations of quasi-identifiers, each in as many
-- rows.

-- What columns join rows by, as one value that is NULL where one of them is. Values are read as people read
-- them: P1 and "p1 " are one.
create or replace macro sqlanon._joined_value(columns) as
    sqlanon._let(list_transform(columns, lambda c: sqlanon._person(c, [])), lambda readings:
        'if(' || list_aggregate(readings, 'string_agg', ' is null or ') || ' is null, null, hash('
        || list_aggregate(readings, 'string_agg', ', ') || '))');

-- How many values of columns are in several rows, and how many of these are held by one person: repeated,
-- alone. (If most are, whoever sees a value twice takes it for the same person's.) unit: the column of the
-- relation that says whose a row is; NULL: each row is a person.
create or replace macro sqlanon._values_in_several_rows(relation, columns, unit) as table
    from query(sqlanon._fill($$
        select count(*) filter (n > 1) as repeated, count(*) filter (n > 1 and people = 1) as alone
        from (
            select {value} as value, count(*) as n, {people} as people
            from {rows} as src group by all having value is not null
        )
    $$, map {'rows': sqlanon._relation(relation), 'value': sqlanon._joined_value(columns),
             'people': if(unit is null, 'count(*)', 'count(distinct ' || sqlanon._person(unit, []) || ')')}));

-- Can others infer a column that leaves unchanged from a quasi-identifier (or several) that they know, as the
-- year of birth from the age? Nearly half of the doubt which of its values somebody has is gone: two people
-- who are alike in what is known have the same value so much more often than any two, and by four standard
-- deviations more often than by chance.
create or replace macro sqlanon._is_inferred_from(relation, column_name, known, unit) as table
    from query(sqlanon._fill($$
        with held as (select {distinct} {value} as value, {known} as known, {person} as person
                      from {rows} as src where {value} is not null),
        counted as (select count(*) as n, value, known from held group by value, known),
        pairs as (
            select (select sum(n * (n - 1)) from counted) as alike,
                   (select sum(n * (n - 1)) from (select sum(n) as n from counted group by known)) as known,
                   (select sum(n * (n - 1)) from (select sum(n) as n from counted group by value)) as one,
                   (select sum(n) * (sum(n) - 1) from counted) as every
        ),
        shares as (
            select alike / known as alike, one / every as one, known / 2 as couples from pairs
        )
        select coalesce(couples >= 10 and one < 1 and alike - one >= 0.45 * (1 - one)
                        and couples * power(alike - one, 2) >= 16 * one * (1 - one), false) as is_inferred
        from shares
    $$, map {
        'rows': sqlanon._relation(relation), 'value': sqlanon._joined_value([column_name]),
        'known': sqlanon._joined_value(known), 'distinct': if(unit is null, '', 'distinct'),
        'person': if(unit is null, 'null', sqlanon._person(unit, []))}));

-- The rows that columns join, with the classes of people by all of their rows: person (a value of the
-- columns), class_id, and the sensitive columns.
create or replace macro sqlanon._rows_of_joined_people(relation, columns, qi, sensitive) as table
    from query(sqlanon._fill($$
        with held as materialized (
            select {value} as person, {each qi: src.{c} as q{i}} {of_row}
            from {rows} as src where {value} is not null
        ),
        combination as materialized (
            select *, row_number() over () as code from (select distinct {each qi: q{i}} from held)
        ),
        coded as (
            select person, code, count(*) as n
            from held join combination on true {each qi: and held.q{i} is not distinct from combination.q{i}}
            group by person, code
        ),
        packed as materialized (
            select person, list_sort(list(code * 4294967296 + n)) as codes from coded group by person
        ),
        class as materialized (
            select codes, row_number() over () as class_id from (select distinct codes from packed)
        )
        select person, class_id {sensitive_columns}
        from held join packed using (person) join class using (codes)
    $$, map {
        'rows': sqlanon._relation(relation), 'value': sqlanon._joined_value(columns),
        'of_row': sqlanon._each(sensitive, ', src.{c}', ''),
        'sensitive_columns': sqlanon._each(sensitive, ', {c}', '')}));

-- How many people are in classes that violate something, how many there are, and how many are alone: failing,
-- people, alone. rows: as in _rows_of_joined_people; violated: the answer of violations on them.
create or replace macro sqlanon._joined_people_who_fail(rows, violated) as table
    with of_class as (
        select class_id, count(distinct person) as people from query_table(rows) group by class_id
    )
    select coalesce(sum(people) filter (where class_id in (
               select "class".class_id from query_table(violated))), 0)::bigint as failing,
           sum(people)::bigint as people, count(*) filter (where people = 1) as alone
    from of_class;
