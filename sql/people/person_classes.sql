-- Classes of people over several tables: people are alike if all that is released of them is, in all tables.
--
-- The key of a person is a nested multiset: the quasi-identifiers of their row in the person table; for each
-- table that belongs to it the multiset of their rows; and of each of these rows the multisets of the rows
-- that belong to it. So the number of rows is in the key (seven stays are Anna), and so is which drug goes
-- with which stay. It is found from the leaves up: rows of a table that are alike get one code, and a row to
-- which others belong is its own values and the sorted list of their codes, each with how often it is there.
--
-- Dates that leave shifted by an offset per person tell intervals, weekdays (if the offset is of whole weeks)
-- and times of day. So what counts of them is how long after the first day of the person they are, and the
-- weekday of that day.

-- Columns of tables by their roles. In the relations of a table they are q1, q2, ... (quasi-identifiers),
-- d1, d2, ... (dates) and s1, s2, ... (sensitive).
create or replace macro sqlanon._roles_in_tables(names, parameter, qi, dates, sensitive) as
    case when len(sqlanon._list(qi)) + len(sqlanon._list(dates)) = 0
         then error(parameter || ' names no column: give at least one, such as person.age')
         else coalesce(
             error('column ' || sqlanon._claimed_twice(
                       sqlanon._list(qi) || sqlanon._list(dates) || sqlanon._list(sensitive))
                   || ' is named twice: it has one role, in ' || parameter || ', dates or sensitive'),
             {'qi': sqlanon._columns_of_tables(qi, parameter, names),
              'dates': sqlanon._columns_of_tables(dates, 'dates', names),
              'sensitive': sqlanon._columns_of_tables(sensitive, 'sensitive', names)})
    end;

-- A date as a point in time, NULL where it is none; and whether there should be one. (For millions of rows:
-- no lambda, and only a text is read.)
create or replace macro sqlanon._moment(value) as
    case when isfinite(try_cast(value as timestamp)) then try_cast(value as timestamp) end;
create or replace macro sqlanon._is_there(value) as
    case when typeof(value) = 'VARCHAR' then sqlanon._trimmed(value::varchar) <> ''
         else value is not null end;

create or replace macro sqlanon._read_with_roles(tree, branch, roles) as
    sqlanon._read_table(
        tree, branch,
        sqlanon._columns_of(roles['qi'] || roles['dates'] || roles['sensitive'], branch['nth']),
        sqlanon._each_of(sqlanon._columns_of(roles['qi'], branch['nth']),
                         ', ' || sqlanon._by_bytes('{c}') || ' as q{i}', '')
        || sqlanon._each_of(sqlanon._columns_of(roles['dates'], branch['nth']), $$,
                sqlanon._moment({c}) as d{i}, sqlanon._is_there({c}) as is_dated{i}
            $$, '')
        || sqlanon._each_of(sqlanon._columns_of(roles['sensitive'], branch['nth']), ', {c} as s{i}', ''));

-- Troubles with the dates of a table: values that are none. A query per column.
create or replace macro sqlanon._troubles_with_dates(branch, roles) as
    list_transform(sqlanon._columns_of(roles['dates'], branch['nth']), lambda dated, nth_date:
        sqlanon._fill($$
            select 'rows of ' || {table} || ' with what is no date in ' || {dated} || ': ' || sum(n)
            from _sqlanon_read{i} where is_dated{d} and d{d} is null having count(*) > 0
        $$, map {
            'i': branch['nth']::varchar, 'd': nth_date::varchar, 'table': sqlanon._literal(branch['name']),
            'dated': sqlanon._literal(dated)}));

-- The dates of people in all tables, as the text of a query: person, moment. one: what the dates of a row are
-- made one by, such as least({dates}).
create or replace macro sqlanon._moments_of_people(roles, one) as
    sqlanon._text_of_each(
        list_transform(
            list_distinct(list_transform(roles['dates'], lambda dated: dated['tbl'])), lambda nth_table:
                'select person, ' || replace(one, '{dates}', sqlanon._each_of(
                    sqlanon._columns_of(roles['dates'], nth_table), 'd{i}', ', '))
                || ' as moment from _sqlanon_linked' || nth_table),
        ' union all ');

-- _sqlanon_start: person, start, the first day of all dates in all tables; none without dates.
create or replace macro sqlanon._first_days(roles) as
    if(len(roles['dates']) = 0, '', sqlanon._fill($$
        _sqlanon_start as materialized (
            select person, date_trunc('day', min(moment))::timestamp as start from ({moments}) group by person
        ),
    $$, map {'moments': sqlanon._moments_of_people(roles, 'least({dates})')}));

-- What is released of the rows of a table, as texts of expressions.
create or replace macro sqlanon._released_of(branch, roles) as
    list_transform(sqlanon._columns_of(roles['qi'], branch['nth']), lambda name, nth_name: 'q' || nth_name)
    || list_transform(sqlanon._columns_of(roles['dates'], branch['nth']), lambda name, nth_name:
        'epoch_us(d' || nth_name || ') - epoch_us(start)')
    || if(branch['parent'] is null and len(roles['dates']) > 0, ['dayofweek(start)'], [])
    || if(branch['parent'] is null, ['true'], []);

-- _sqlanon_combination{i}: c1, c2, ..., own_code: the combinations that rows have; and _sqlanon_coded{i}:
-- row_id, parent, n, own_code.
create or replace macro sqlanon._code_table(branch, roles) as
    sqlanon._let(sqlanon._released_of(branch, roles), lambda released: sqlanon._fill(
        if(len(released) = 0, $$
            _sqlanon_coded{i} as (select row_id, parent, n, 1::bigint as own_code from _sqlanon_linked{i})
        $$, $$
            _sqlanon_released{i} as materialized (
                select row_id, parent, n, {released} from _sqlanon_linked{i} {with_start}
            ),
            _sqlanon_combination{i} as materialized (
                select *, row_number() over () as own_code
                from (select distinct {codes} from _sqlanon_released{i})
            ),
            _sqlanon_coded{i} as materialized (
                select row_id, parent, n, own_code
                from _sqlanon_released{i} as released join _sqlanon_combination{i} as combination on {equal}
            )
        $$), map {
            'i': branch['nth']::varchar,
            'released': sqlanon._text_of_each(
                list_transform(released, lambda expression, nth_expression:
                    expression || ' as c' || nth_expression), ', '),
            'codes': sqlanon._each_of(released, 'c{i}', ', '),
            'equal': sqlanon._each_of(
                released, 'released.c{i} is not distinct from combination.c{i}', ' and '),
            'with_start': if(len(roles['dates']) = 0, '', 'left join _sqlanon_start using (person)')}));

-- _sqlanon_kind{i}: row_id, parent, n, code: rows of one code are alike, with all that belongs to them.
-- _sqlanon_pack{c}: of each row the rows of a child that belong to it, as a list of code * 2^32 + n.
create or replace macro sqlanon._kinds_of_rows(tree, branch) as
    sqlanon._let(sqlanon._children_of(tree, branch), lambda children: sqlanon._fill(
        if(len(children) = 0, $$
            _sqlanon_kind{i} as (select row_id, parent, n, own_code as code from _sqlanon_coded{i})
        $$, $$
            {packs}
            _sqlanon_whole{i} as materialized (
                select row_id, coded.parent, n, own_code, {lists} from _sqlanon_coded{i} as coded {joined}
            ),
            _sqlanon_numbered{i} as materialized (
                select *, row_number() over () as code
                from (select distinct own_code, {names} from _sqlanon_whole{i})
            ),
            _sqlanon_kind{i} as materialized (
                select row_id, parent, n, code
                from _sqlanon_whole{i} join _sqlanon_numbered{i} using (own_code, {names})
            )
        $$), map {
            'i': branch['nth']::varchar,
            'packs': sqlanon._of_tables(children, $$
                _sqlanon_pack{i} as materialized (
                    select parent, list_sort(list(code * 4294967296 + n)) as packed{i}
                    from (select parent, code, sum(n)::bigint as n from _sqlanon_kind{i} group by all)
                    group by parent
                ),
            $$, ''),
            'lists': sqlanon._of_tables(children, 'coalesce(packed{i}, []) as packed{i}', ', '),
            'joined': sqlanon._of_tables(
                children, ' left join _sqlanon_pack{i} as pack{i} on pack{i}.parent = coded.row_id', ''),
            'names': sqlanon._of_tables(children, 'packed{i}', ', ')}));

-- From tables to rows of people: relations _sqlanon_linked{i} and, with dates, _sqlanon_start.
create or replace macro sqlanon._rows_of_everybody(tree, roles) as
    sqlanon._fill($$ with {read}, {linked}, {starts} {refusal} $$, map {
        'read': sqlanon._text_of_each(
            list_transform(tree, lambda branch: sqlanon._read_with_roles(tree, branch, roles)), ', '),
        'linked': sqlanon._text_of_each(
            list_transform(tree, lambda branch: sqlanon._link_table(branch)), ', '),
        'starts': sqlanon._first_days(roles),
        'refusal': sqlanon._refusal_of_tables(
            tree,
            flatten(list_transform(tree, lambda branch: sqlanon._troubles_with_dates(branch, roles))))});

-- And to the class of every person: _sqlanon_person (person, unit, class_id, people). Classes are numbered by
-- the first key that they have.
create or replace macro sqlanon._classes_of_everybody(tree, roles) as
    sqlanon._fill($$,
        {coded}, {kinds},
        _sqlanon_class as materialized (
            select code, count(*) as people,
                   row_number() over (order by min(own::varchar) nulls first) as class_id
            from _sqlanon_kind{root} join _sqlanon_read{root} using (row_id)
            where (select count(refused) = 0 from _sqlanon_refusal)
            group by code
        ),
        _sqlanon_person as materialized (
            select row_id as person, own as unit, class_id, people
            from _sqlanon_kind{root} join _sqlanon_read{root} using (row_id) join _sqlanon_class using (code)
        )
    $$, map {
        'root': tree[1]['nth']::varchar,
        'coded': sqlanon._text_of_each(
            list_transform(tree, lambda branch: sqlanon._code_table(branch, roles)), ', '),
        'kinds': sqlanon._text_of_each(
            list_transform(list_reverse(tree), lambda branch: sqlanon._kinds_of_rows(tree, branch)), ', ')});

-- What a caller says of tables: tree and roles. parameter: what its quasi-identifiers are called.
create or replace macro sqlanon._said_of_tables(tables, unit, joins, parameter, qi, dates, sensitive) as
    sqlanon._let(sqlanon._named_tables(tables), lambda named: {
        'tree': sqlanon._tree_of_tables(named, unit, joins),
        'roles': sqlanon._roles_in_tables(
            list_transform(named, lambda named_table: named_table['name']),
            parameter, qi, dates, sensitive)});

-- The sensitive values of people in all tables, as the text of a query: person, value.
create or replace macro sqlanon._sensitive_of_people(roles) as
    sqlanon._text_of_each(list_transform(roles['sensitive'], lambda each_column:
        'select person, s'
        || list_position(sqlanon._columns_of(roles['sensitive'], each_column['tbl']), each_column['name'])
        || ' as value from _sqlanon_linked' || each_column['tbl']), ' union all ');

-- answer: the query at the end, with {values} in place of their values.
create or replace macro sqlanon._statement_over_people(tables, unit, joins, qi, dates, sensitive, answer) as
    sqlanon._settings_checked() || sqlanon._let(
        sqlanon._said_of_tables(tables, unit, joins, 'qi', qi, dates, sensitive), lambda said:
            sqlanon._rows_of_everybody(said['tree'], said['roles'])
            || sqlanon._classes_of_everybody(said['tree'], said['roles'])
            || replace(answer, '{values}', sqlanon._sensitive_of_people(said['roles'])));

create or replace macro sqlanon.person_classes(tables, unit, joins, qi, dates := null) as table
    from query(sqlanon._statement_over_people(tables, unit, joins, qi, dates, null, $$
        select unit as person, class_id, people from _sqlanon_person order by class_id, unit::varchar
    $$));

comment on macro table sqlanon.person_classes is $$
Lists people with their equivalence classes over several tables: two people are in one class if all tables
together say the same of them, by the quasi-identifiers of their rows, how many rows they have in each table,
and which rows belong to which. Each table alone can be k-anonymous while the join is not.

Parameters:
- tables (list of tables with names): the tables, one of which has a row per person. A file can get a name:
  data/stay.csv as stay.
- unit (text): the column that identifies a person, as table.column: person.patient. Its table is the person
  table.
- joins (list of texts): whose the rows of other tables are, by columns that are equal: stay.patient =
  person.patient, drug.stay = stay.id.
- qi (list of texts): quasi-identifiers of all tables, as table.column.
- dates (list of texts; default null): dates that leave shifted by an offset per person, as table.column. What
  counts is how long after the first day of the person they are, and the weekday of this day.

Result:
- person (unchanged): the unit, as the person table has it.
- class_id (integer): a number from 1.
- people (integer, people): of the class.

Errors: rows without a key, or with one that the table they belong to has not; people in several rows of the
person table; rows that could belong to several rows; keys of different types; tables that no join reaches, or
that several do; values that are no date in dates; unknown table or column. One error tells how many rows are
affected by each of these.

Notes: violations with qi := 'class_id' and unit := 'person' judges the answer. Keys are read as people read
them: P1, p1 and "P1 " are one. A key that several people share (a doctor, a household, a batch) is a
quasi-identifier, no key of theirs. Columns that are neither in qi nor in dates do not count, so they must not
leave, or are sensitive (see person_values). Whatever two people's quasi-identifiers differ in makes two
classes; NULL is a value of its own.

Example:
with person as (
    from (values (1, '20-39'), (2, '20-39'), (3, '20-39'), (4, '20-39')) as person(patient, age)
),
stay as (
    from (values (1, 'A'), (1, 'B'), (2, 'B'), (2, 'A'), (3, 'A'), (4, 'B')) as stay(patient, ward)
)
from sqlanon.person_classes(
    ['person', 'stay'], unit := 'person.patient', joins := ['stay.patient=person.patient'],
    qi := ['person.age', 'stay.ward']);
$$;

create or replace macro sqlanon.person_values(tables, unit, joins, qi, sensitive, dates := null) as table
    from query(
        if(len(sqlanon._list(sensitive)) = 0, error('sensitive names no column, such as stay.disease'), '')
        || sqlanon._statement_over_people(tables, unit, joins, qi, dates, sensitive, $$
            select distinct unit as person, class_id, value as sensitive
            from _sqlanon_person left join ({values}) using (person) order by class_id, unit::varchar
        $$));

comment on macro table sqlanon.person_values is $$
Lists the sensitive values of people over several tables, with the classes of person_classes: one row per
person and distinct value. privacy and violations read it, with qi := 'class_id', unit := 'person' and
sensitive := 'sensitive', and judge all tables together.

Parameters:
- tables, unit, joins, qi: as in person_classes
- sensitive (list of texts): the columns of one sensitive attribute, as table.column: all tables that have it.
- dates: as in person_classes

Result:
- person (unchanged): the unit, as the person table has it.
- class_id (integer): the person's class, as in person_classes.
- sensitive (unchanged): a value that the person has in a row of these tables; NULL for people without rows.

Errors: as in person_classes.

Notes: l and its relatives count each person once, with the worst choice of one of their values. So values of
one person, or of several rows, never make a class diverse. alpha is the largest share of the people of a
class who have a value in any row.

Example:
with person as (
    from (values (1, '20-39'), (2, '20-39'), (3, '20-39'), (4, '20-39')) as person(patient, age)
),
stay as (
    from (values (1, 'A', 'flu'), (2, 'A', 'flu'), (3, 'B', 'gout'), (3, 'B', 'flu'), (4, 'B', 'asthma'),
                 (4, 'B', 'asthma')) as stay(patient, ward, disease)
)
from sqlanon.person_values(
    ['person', 'stay'], unit := 'person.patient', joins := ['stay.patient=person.patient'],
    qi := ['person.age', 'stay.ward'], sensitive := 'stay.disease');
$$;
