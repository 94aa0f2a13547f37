-- Composed confidence [own definition]: how probable the most probable value of anybody is, by the weights of
-- the intersection attack (sql/attack/weights.sql), over the known releases and a new one together. It may be
-- as much as is allowed, or as much as the known releases alone make it.
--
-- A larger class may well make somebody surer, and weights depend on the finished release as a whole: how
-- many people releases share, and how alike those of a class are. So no cut can be judged by itself. A
-- release is made and attacked; whoever is too sure must be in a class twice as large, the floor of their
-- tuples, and the release is made again. In the whole table as one class nothing is learned of those who were
-- in a known release, but for what the adversary infers of how many people releases share.

-- Several columns are judged by the rows that all releases share, as by the attack.
--
-- With a unit somebody is as exposed as all of their rows together: that one of them has a value is at most as
-- probable as the sum of what it is for each. (Rows of one person are not independent: the sum is a bound,
-- whatever they have to do with each other.)

-- Whose probabilities are added up: person (a number), target, times (their rows there), rows (for a count).
-- people: person, target, rows, of people with a unit; NULL: everybody at a target is somebody else.
create or replace macro sqlanon._judged_people(targets, people) as table
    from query(
        if(people is null,
           'select target::bigint as person, target, 1 as times, people as rows from ' || targets,
           'select dense_rank() over (order by person nulls first) as person, target, rows as times, rows '
           || 'from ' || people));

-- How probable the most probable value of people is: target, person, attribute, probability, is_located (does
-- a class cover them?). evidence and rows: of so many releases, as in composition.sql; people: as of
-- _judged_people; learned, kept: how many columns are sensitive, and how many join beside them.
create or replace macro sqlanon._surest(evidence, rows, targets, people, releases, learned, kept) as table
    with no_truth as (select null::integer as attribute, null::integer as kind where false),
    located as (select release, class_id, target from query_table(evidence) where target is not null),
    all_evidence as materialized (from sqlanon._evidence(rows, 'located')),
    kind as materialized (from sqlanon._sensitive_kinds('all_evidence', 'no_truth')),
    compared as materialized (from sqlanon._compared_values('all_evidence', 'kind')),
    -- nothing more is known of anybody
    combination as materialized (select *, 0 as knowledge from query_table(targets)),
    candidate as (
        select target, attribute, unnest(candidates) as value, unnest(probabilities) as probability,
               len(list_filter(located, lambda found: len(found.classes) > 0)) > 0 as is_located
        from sqlanon._attack(
            'all_evidence', 'compared', 'combination', null, releases, false,
            cells := case when learned + kept > 1 then rows end, stable := range(1, learned + kept + 1),
            changing := []::bigint[], learned := learned)
        where posterior > 0
    ),
    of_person as (
        select person, attribute, value, least(1, sum(times * probability)) as probability,
               bool_or(is_located) as is_located
        from candidate join query_table(people) using (target) group by person, attribute, value
    ),
    surest as (
        select person, attribute, max(probability) as probability, bool_or(is_located) as is_located
        from of_person group by person, attribute
    )
    select target, person, attribute, probability, is_located
    from surest join query_table(people) using (person);

-- Whose most probable value is more probable than allowed: target, person, attribute, probability, allowed.
-- before and after: of _surest, without and with the new release.
create or replace macro sqlanon._too_sure(before, after, composed_confidence) as table
    select target, person, attribute, after.probability,
           greatest(composed_confidence, coalesce(before.probability, 0)) as allowed
    from query_table(after) as after
    left join (from query_table(before) where is_located) as before using (target, person, attribute)
    where not sqlanon._at_most(after.probability, allowed);

-- The floors of tuples, raised to twice the class of those who are too sure: tuple_id, floor, is_whole (it is
-- the whole table already).
create or replace macro sqlanon._raised_floors(floors, too_sure, combinations, assignment) as table
    with class as (
        select class_id, sum(share)::bigint as size from query_table(assignment) group by class_id
    ),
    total as (select sum(size)::bigint as total from class)
    select tuple_id, max(floor) as floor, bool_or(is_whole) as is_whole
    from (
        select tuple_id, least(2 * size, total) as floor, size = total as is_whole
        from query_table(combinations)
        semi join query_table(too_sure) using (target)
        join query_table(assignment) using (tuple_id)
        join class using (class_id), total
        union all from query_table(floors)
    )
    group by tuple_id;

-- What is reached, and how many rows known releases alone make surer than is allowed (they may stay as sure):
-- reached (the most of the others; NULL if there are none), surer. too_sure needs to be empty.
create or replace macro sqlanon._confidence_reached(before, after, people, composed_confidence) as table
    with sure as (
        select distinct person
        from query_table(before) as before
        where is_located and not sqlanon._at_most(before.probability, composed_confidence)
    )
    select (select max(probability) from query_table(after) anti join sure using (person)) as reached,
           (select coalesce(sum(rows), 0)::bigint from query_table(people) semi join sure using (person))
               as surer;
