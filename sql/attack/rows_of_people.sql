-- Rows of people: what several rows of somebody tell together.
--
-- No two of somebody's rows are the same row of a release. So of r rows in a class of n, one certainly has a
-- value that more than n - r of the class have: the others are too few. Rows of the class that none of the r
-- can be, because other releases rule their values out, do not count.
--
-- What is possible of all their rows together is no bound: rows in the classes {HIV, HIV} and {flu, gout}
-- have three values in the union, and HIV is certain.

-- The rows of people who have several, alike ones together: person, attribute, release, classes (that cover
-- them), held (their candidates, as texts of a list, or NULL where values may change), n. outcome: as in
-- _attack; changing: positions of columns whose values may change.
create or replace macro sqlanon._rows_of_people(people, outcome, changing) as table
    with of_several as (
        select person from query_table(people) group by person having count(*) > 1
    ),
    candidate_row as (
        select person, attribute, unnest(range(1, len(located) + 1)) as release,
               unnest(list_transform(located, lambda evidence: evidence.classes)) as classes,
               if(list_contains(changing, attribute), null,
                  list_sort(list_transform(candidates, lambda one: coalesce('=' || one, '')))) as held
        from query_table(people) as of_somebody join query_table(outcome) using (target, knowledge)
        where exists (from of_several where of_several.person is not distinct from of_somebody.person)
    )
    select person, attribute, release, classes, held, count(*) as n
    from candidate_row where len(classes) > 0 and (held is null or len(held) > 0) group by all;

-- Groups of somebody's rows that lie in the same classes and can have the same values: person, attribute,
-- release, classes, held, n (rows), grouping (a number). Each kind of row with those that can be less, and
-- all in the classes together.
create or replace macro sqlanon._groups_of_rows(rows_of_people) as table
    with wanted as (
        select person, attribute, release, classes, held from query_table(rows_of_people)
        union
        select one.person, attribute, release, one.classes,
               list_sort(list_distinct(flatten(list(other.held))))
        from query_table(rows_of_people) as one join query_table(rows_of_people) as other
          using (attribute, release)
        where other.person is not distinct from one.person and other.held is not null
          and list_has_all(one.classes, other.classes)
        group by all
    )
    select wanted.*, sum(part.n)::bigint as n, row_number() over () as grouping
    from wanted join query_table(rows_of_people) as part using (attribute, release)
    where part.person is not distinct from wanted.person and list_has_all(wanted.classes, part.classes)
      and (wanted.held is null or list_has_all(wanted.held, part.held))
    group by all having sum(part.n) > 1;

-- The values that somebody certainly has in one of several rows: person, attribute, certain (a list of
-- texts). Where more rows of somebody should be in a class than it has, some are not, and nobody knows which:
-- nothing is certain by their number. compared_values: as in _compared_values.
create or replace macro sqlanon._certain_of_people(
    people, outcome, class_values, compared_values, changing) as table
    with row_of_somebody as materialized (from sqlanon._rows_of_people(people, outcome, changing)),
    in_group as materialized (from sqlanon._groups_of_rows('row_of_somebody')),
    class_value as (
        select stated.release, class_id, stated.attribute, compared.value,
               sum(stated.n)::bigint as rows_with_it
        from query_table(class_values) as stated join query_table(compared_values) as compared
          on compared.release = stated.release and compared.attribute = stated.attribute
         and compared.string is not distinct from stated.value
        group by all
    ),
    possible as materialized (
        select grouping, value, sum(rows_with_it) as rows_with_it
        from (select grouping, attribute, release, held, unnest(classes) as class_id from in_group)
        join class_value using (release, class_id, attribute)
        where held is null or list_contains(held, coalesce('=' || value, ''))
        group by grouping, value
    ),
    group_rows as (
        select grouping, sum(rows_with_it) as n_possible from possible group by grouping
    )
    select person, attribute, list(distinct value order by value) as certain
    from possible join group_rows using (grouping) join in_group using (grouping)
    where n_possible >= n and n_possible - rows_with_it < n
    group by person, attribute;

-- What is certain of people by their rows, or no rows where nobody has several. unit: NULL, or its name.
create or replace macro sqlanon._certain_of_units(
    unit, people, outcome, class_values, compared_values, changing) as table
    from query(
        sqlanon._if_given(unit, 'null as person, null::integer as attribute, null::varchar[] as certain',
            {call _certain_of_people}));
