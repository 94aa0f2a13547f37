-- Composed confidence [own definition]: an upper bound on the probability of anybody's most probable value,
-- by the intersection attack on the known releases and the new one together (the upper ends of
-- sql/attack/weights.sql). A value that the known releases alone make more probable may stay as probable.
--
-- A larger class may well make a value more probable, and weights depend on the finished release: on how many
-- people releases share, and how alike the people of a class are. So no cut can be judged by itself. A
-- release is made and attacked. Everybody with a value that is too probable must be in a class twice as large
-- (the floor of their tuples), and the release is made again. In the whole table as one class, nothing is
-- learned of those who were in a known release, except through what the adversary infers of how many people
-- releases share.

-- How probable the most probable value of targets may be: target, attribute, probability, is_located (does a
-- class cover them?). located_targets: in the releases; rows: of theirs, as in _known_rows, with
-- which they are judged where there are several columns: judged of them are sensitive, joined are not.
create or replace macro sqlanon._surest(located_targets, rows, targets, releases, judged, joined) as table
    with class_value as materialized (from sqlanon._values_of_cells(rows)),
    no_truth as (select null::integer as attribute, null::integer as kind where false),
    kind as materialized (from sqlanon._sensitive_kinds('class_value', 'no_truth')),
    compared as materialized (from sqlanon._compared_values('class_value', 'kind')),
    -- nothing more is known of anybody
    combination as materialized (
        select *, 0 as knowledge, null::integer[] as in_part from query_table(targets)
    )
    select target, attribute, upper as probability,
           len(list_filter(located, lambda found: len(found.classes) > 0)) > 0 as is_located
    from sqlanon._attack(
        'class_value', located_targets, 'compared', 'combination', null, releases, false,
        cells := case when judged + joined > 1 then rows end,
        stable := range(1, judged + joined + 1), changing := []::bigint[], learned := judged)
    where posterior > 0;

-- Whose most probable value may be more probable than allowed: target, attribute, probability, allowed.
-- before and after: of _surest, without and with the new release.
create or replace macro sqlanon._too_sure(before, after, composed_confidence) as table
    select target, attribute, after.probability,
           greatest(composed_confidence, coalesce(before.probability, 0)) as allowed
    from query_table(after) as after
    left join (from query_table(before) where is_located) as before using (target, attribute)
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
create or replace macro sqlanon._confidence_reached(before, after, targets, composed_confidence) as table
    with sure as (
        select target, max(before.probability) as probability
        from query_table(before) as before
        where is_located and not sqlanon._at_most(before.probability, composed_confidence) group by target
    )
    select (select max(probability) from query_table(after) anti join sure using (target)) as reached,
           (select coalesce(sum(people), 0)::bigint from query_table(targets) semi join sure using (target))
               as surer;
