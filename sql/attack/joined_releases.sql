-- Joined releases: (X, Y)-privacy (Wang and Fung 2006). Two releases of the same people are joined on the
-- columns that both have, where their released values are equal. Each may be harmless: together they tell of
-- some x, a value of the columns X, how likely each y is, a value of the columns Y.
--
--   * (X, Y)-anonymity: the least number of values y with one x.
--   * (X, Y)-linkability: the largest share of one y among the joined rows of one x.
--
-- The join itself is never made: two groups of rows that match make as many joined rows as the product of
-- their sizes.

-- Of some columns those that a relation has.
create or replace macro sqlanon._columns_there(columns) as
    'columns(lambda name: list_contains(' || sqlanon._names(sqlanon._lower(columns)) || ', lower(name)))';

-- The groups of a release by those of the columns that it has: these, and _sqlanon_rows.
create or replace macro sqlanon._joinable_groups(release, columns, weight) as table
    from query(sqlanon._fill($$
        select {columns}, {count} as _sqlanon_rows from {rows} as src group by all
    $$, map {
        'columns': sqlanon._columns_there(columns),
        'count': sqlanon._count(weight),
        'rows': sqlanon._rows_of(
            release, sqlanon._columns_there(columns) || coalesce(', ' || sqlanon._quote(weight), ''), weight)
    }));

-- Columns of the join; those that it is made on are in both releases.
create or replace macro sqlanon._joined_columns(columns, join_on) as
    list_transform(columns, lambda name:
        case when list_contains(sqlanon._lower(join_on), lower(name)) then 'one.' else '' end
        || sqlanon._quote(name));

-- The value of a column of one side of the join, as it is joined. Columns of one type need no keys, where its
-- equal values are spelled alike.
create or replace macro sqlanon._joined_key(value, other) as
    case when typeof([value]) = typeof([other])
              and typeof([value]) not in ('FLOAT[]', 'DOUBLE[]', 'INTERVAL[]')
         then '3' || value::varchar
         else sqlanon._comparable(value::varchar, sqlanon._kind_of_type(typeof(value))) end;

-- The joined rows by x and y: x1, x2, ..., learned (y as text), n. Numbers are joined as numbers.
create or replace macro sqlanon._joined_groups(one, other, join_on, x, y) as table
    from query(sqlanon._fill($$
        select {x}, {y_text} as learned, sum(n)::bigint as n
        from (
            select {x_values}, {y_values}, one._sqlanon_rows::hugeint * other._sqlanon_rows as n
            from {one} as one join {other} as other on
                {each_of join_on and: sqlanon._joined_key(one.{c}, other.{c}) is not distinct from
             sqlanon._joined_key(other.{c}, one.{c})}
        )
        group by {x}, {each_of y: y{i}}
    $$, map {
        'x': sqlanon._each_of(x, 'x{i}', ', '),
        'y_text': sqlanon._each_of(y, 'coalesce(y{i}::varchar, ''NULL'')', ' || '', '' || '),
        'x_values': list_aggregate(
            list_transform(sqlanon._joined_columns(x, join_on), lambda name, i: name || ' as x' || i),
            'string_agg', ', '),
        'y_values': list_aggregate(
            list_transform(sqlanon._joined_columns(y, join_on), lambda name, i: name || ' as y' || i),
            'string_agg', ', ')}));

-- No rows, or an error: columns that are numbers in one release and text in the other, or releases of which
-- no row joins another. (The types are those of all rows. DuckDB 2.0 can wait for ever where one reader of a
-- relation stops early, and another one reads all of it.)
create or replace macro sqlanon._refuse_join(joined_groups, one, other, releases, join_on) as table
    from query(sqlanon._fill($$
        select error('column ' || name || ' is ' || type || ' in ' || {release} || ' and ' || other_type
                     || ' in ' || {other_release} || ', which do not join: cast one of them') as refused
        from (
            select unnest({=join_on}) as name, unnest(types) as type, unnest(other_types) as other_type
            from (select [{types}] as types from {one}), (select [{types}] as other_types from {other})
        )
        where type is not null and other_type is not null
          and sqlanon._kind_of_type(type) is distinct from sqlanon._kind_of_type(other_type)
        union all
        select error('no row of ' || {release} || ' joins one of ' || {other_release} || ' on ' || {listed})
        from {groups} having count(*) = 0
    $$, map {
        'release': sqlanon._literal(releases[1]), 'other_release': sqlanon._literal(releases[2]),
        'types': sqlanon._each_of(join_on, 'any_value(typeof({c}))', ', '),
        'listed': sqlanon._literal(list_aggregate(join_on, 'string_agg', ', ')), 'groups': joined_groups}));

-- What is told of each x: x1, x2, ..., learned (the most frequent y), n (its rows), rows, anonymity (values
-- y).
create or replace macro sqlanon._linkability(joined_groups, x) as table
    from query(sqlanon._fill($$
        select {x}, first(learned order by n desc, learned) as learned, max(n) as n, sum(n)::bigint as rows,
               count(*) as anonymity
        from {groups} group by {x}
    $$, map {'x': sqlanon._each_of(x, 'x{i}', ', '), 'groups': joined_groups}));

create or replace macro sqlanon._joined_releases(releases, join_on, x, y, weight) as table
    with _sqlanon_one as materialized (
        from sqlanon._joinable_groups(releases[1], list_concat(join_on, list_concat(x, y)), weight)
    ),
    _sqlanon_other as materialized (
        from sqlanon._joinable_groups(releases[2], list_concat(join_on, list_concat(x, y)), weight)
    ),
    _sqlanon_joined as materialized (
        from sqlanon._joined_groups('_sqlanon_one', '_sqlanon_other', join_on, x, y)
    ),
    _sqlanon_linked as (from sqlanon._linkability('_sqlanon_joined', x)),
    _sqlanon_guess as (
        select max(n) / sum(n) as baseline
        from (select learned, sum(n) as n from _sqlanon_joined group by learned)
    ),
    _sqlanon_refusal as (
        from sqlanon._refuse_join('_sqlanon_joined', '_sqlanon_one', '_sqlanon_other', releases, join_on)
    )
    from query(sqlanon._fill($$
        select {each_of x: x{i} as {c}}, learned, n / rows as confidence, baseline, null::boolean as is_right,
               null::boolean as is_control, rows, anonymity
        from _sqlanon_linked, _sqlanon_guess
        union all by name
        select refused::bigint as rows from _sqlanon_refusal
    $$));

-- An empty text, or an error: not two releases, or a role without columns.
create or replace macro sqlanon._joined_checked(join_on, x, y, weight) as
    case when len(sqlanon._list(join_on)) = 0
         then error('join_on names no column: give at least one that both releases have')
         when len(sqlanon._list(x)) = 0 or len(sqlanon._list(y)) = 0
         then error('x and y must name at least one column each')
         else coalesce(
             error('column "' || sqlanon._claimed_twice(sqlanon._list(x) || sqlanon._list(y))
                   || '" is named twice in x and y'),
             error(case when list_contains(
                                 sqlanon._lower(
                                     sqlanon._list(join_on) || sqlanon._list(x) || sqlanon._list(y)),
                                 lower(weight))
                        then 'column "' || weight || '" is the weight, and in join_on, x or y' end),
             '')
    end;

create or replace macro sqlanon.joined_releases(releases, join_on, x, y, weight := null) as table
    from query(
        sqlanon._joined_checked(join_on, x, y, weight)
        || {call _joined_releases: releases := sqlanon._two_releases(releases, ' to be joined')});

comment on macro table sqlanon.joined_releases is $$
Joins two releases, and finds what the joined rows reveal: one row per value of x, with its most frequent y.

Parameters:
- releases (list of tables): two releases; each has the columns in join_on and some of x and y.
- join_on (columns): columns that both releases have, with the same values.
- x (columns): columns that the adversary knows; each is in one of the releases, or in join_on.
- y (columns): columns that the adversary wants to learn; each is in one of the releases, or in join_on.
- weight (column; default null): of both releases, how many people each row stands for, as in classes.

Result:
- <x> (unchanged): a value of x.
- learned (text): the most frequent y of its joined rows.
- confidence (number): the share of this y; the largest one is (X, Y)-linkability.
- baseline (number): the share of the most frequent y among all joined rows.
- is_right (boolean): NULL, because it is not known.
- is_control (boolean): NULL, because it is not known.
- rows (integer, rows): the number of joined rows.
- anonymity (integer): the number of values of y that occur with this x; the smallest is (X, Y)-anonymity.

Errors: unknown column, not two releases, a role without columns, a column in join_on that is a number in one
release only, no row that joins another, a weight as in classes.

Notes: a value of x none of whose rows can be joined is not in the result. NULL joins NULL. Rows are counted
in groups, so the time grows with the number of distinct pairs of x and y, not with the number of joined rows.

Source: Wang and Fung 2006, Anonymizing sequential releases.

Example:
with jobs as (from (values ('ann', 'banker'), ('bob', 'clerk'), ('bea', 'banker')) as row(name, job)),
diseases as (from (values ('banker', 'flu'), ('banker', 'flu'), ('clerk', 'flu'), ('clerk', 'asthma'))
    as row(job, disease))
from sqlanon.joined_releases(['jobs', 'diseases'], join_on := 'job', x := 'name', y := 'disease');
$$;
