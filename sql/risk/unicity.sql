-- Unicity: of how many people do a few random rows of their own tell who they are (de Montjoye, Hidalgo,
-- Verleysen and Blondel 2013)? For tables with several rows per person: places, purchases, visits.
--
-- A point is what a row says in some columns. People are drawn, and of each some points; those are unique
-- whose points nobody else has, all of them. Whoever has all of some points has the rarest of them: only its
-- holders are compared.

-- Who has which point, each once: person, point (numbers), person_key, point_key (hashes of the values, the
-- same in every run).
create or replace macro sqlanon._points_of_people(tbl, unit, columns) as table
    from query(sqlanon._fill($$
        with holding as materialized (
            select distinct {owner} as owner, {each columns: src.{c} as q{i}} from {source} as src
        ),
        person as (
            select owner, hash(owner::varchar, 0) as person_key,
                   row_number() over (order by owner::varchar nulls first) as person
            from (select distinct owner from holding)
        ),
        point as (
            select *, hash({texts}) as point_key, row_number() over (order by {order}) as point
            from (select distinct {each columns: q{i}} from holding)
        )
        select person, point, person_key, point_key
        from holding
        join person on person.owner is not distinct from holding.owner
        join point on {each columns and: point.q{i} is not distinct from holding.q{i}}
    $$, map {
        'order': sqlanon._each(columns, 'q{i}::varchar nulls first', ', '),
        'texts': sqlanon._each(columns, 'q{i}::varchar', ', '),
        'owner': sqlanon._person(unit, null),
        'source': sqlanon._projected(tbl, columns, null, [unit])}));

-- The points that are drawn of people who are drawn, a row per number of points: known (how many), person,
-- point, n (how many people have it).
create or replace macro sqlanon._drawn_points(holdings, numbers, sample, seed) as table
    with drawn as (
        select person from (select distinct person, person_key from query_table(holdings))
        order by hash(person_key, seed), person limit sample
    ),
    holder as (select point, count(*) as n from query_table(holdings) group by point),
    ranked as (
        select person, point, n,
               row_number() over (
                   partition by person order by hash(person_key, point_key, seed), point) as rank
        from query_table(holdings) join drawn using (person) join holder using (point)
    )
    select known, person, point, n from ranked, (select unnest(numbers) as known) where rank <= known;

-- Whom their points tell apart: known, person, points (how many were drawn), others (people who have them
-- all, too).
create or replace macro sqlanon._others_with_points(drawn_points, holdings) as table
    with rarest as (
        select known, person, count(*) as points, arg_min(point, row(n, point)) as point
        from query_table(drawn_points) group by known, person
    ),
    suspect as (
        select known, rarest.person, points, holding.person as other
        from rarest join query_table(holdings) as holding using (point) where holding.person <> rarest.person
    ),
    shared as (
        select known, suspect.person, other
        from suspect
        join query_table(drawn_points) as drawn using (known, person)
        join query_table(holdings) as holding on holding.person = other and holding.point = drawn.point
        group by known, suspect.person, other, points having count(*) = points
    )
    select known, rarest.person, any_value(points) as points, count(other) as others
    from rarest left join shared using (known, person) group by known, rarest.person;

create or replace macro sqlanon._unicity(tbl, unit, columns, numbers, sample, seed) as table
    with _sqlanon_holding as materialized (from sqlanon._points_of_people(tbl, unit, columns)),
    _sqlanon_drawn as materialized (
        from sqlanon._drawn_points('_sqlanon_holding', numbers, sample, seed)
    ),
    told as (
        select known, count(*) as people, count(*) filter (points < known) as fewer,
               count(*) filter (others = 0) / count(*) as share
        from sqlanon._others_with_points('_sqlanon_drawn', '_sqlanon_holding') group by known
    ),
    _sqlanon_refusal as (from sqlanon._refuse_empty('_sqlanon_holding', tbl))
    select known as points, people, fewer, share as is_unique, sqlanon._interval(share, people).low as low,
           sqlanon._interval(share, people).high as high
    from told where (select count(refused) = 0 from _sqlanon_refusal)
    union all
    select refused::bigint, null, null, null, null, null from _sqlanon_refusal
    order by points;

create or replace macro sqlanon.unicity(
    tbl, unit, columns, points := [1, 2, 3, 4], sample := 10000, seed := 1) as table
    from query(
        case when len(sqlanon._list(columns)) = 0
             then error('columns names no column: give at least one that an adversary may know')
             when len(points) = 0 then error('points is empty: give at least one number of points')
             else sqlanon._checked(columns, null, unit) end
        || {call _unicity:
            numbers := list_transform(points, lambda given:
                coalesce(sqlanon._whole_number(given, 'points'),
                         error('points must be whole numbers of at least 1, not NULL'))),
            sample := sqlanon._whole_given(sample, 'sample'), seed := sqlanon._seed_given(seed)});

comment on macro table sqlanon.unicity is $$
Measures how many people are identified by a few random points (rows) of their own, such as places and times,
in a table with several rows per person: one row per number of points.

Parameters:
- tbl (table): the rows, such as visits or purchases.
- unit (column): identifies the person of a row, of whom p1 and "P1 " are spellings.
- columns (columns): the columns that the adversary knows of a row, such as its place and its hour; a point is
  a combination of their values.
- points (list of integers; default [1, 2, 3, 4]): the numbers of points that the adversary knows of a person,
  each at least 1.
- sample (integer, at least 1; default 10000): how many people are drawn; all if there are fewer.
- seed (integer; default 1): fixes which people and which of their points are drawn.

Result:
- points (integer): the number of known points.
- people (integer): the number of people who were drawn.
- fewer (integer): those of them who have fewer points; all their points are known.
- is_unique (number, 0 to 1): the share of the drawn people such that nobody else has all of their known
  points.
- low (number, 0 to 1): the lower end of a 95 % interval, Wilson's.
- high (number, 0 to 1): the upper end.

Errors: unknown column, empty table, a column in two roles, a number below 1.

Notes: each drawn person is compared with all people in the table, not with a sample. A larger number of
points includes the points of the smaller ones, so the share never falls. Repeated rows of a person are one
point.

Source: de Montjoye, Hidalgo, Verleysen and Blondel 2013, methods (unicity).

Example:
with visits as (
    from (values ('ann', 'inn'), ('ann', 'zoo'), ('bob', 'inn'), ('bob', 'zoo'), ('cat', 'spa'))
        as visit(name, place)
)
from sqlanon.unicity('visits', unit := 'name', columns := 'place', points := [1, 2]);
$$;
