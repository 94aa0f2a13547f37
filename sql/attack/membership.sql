-- Membership: can an adversary tell who was in? People whose rows were used are nearer to the released rows
-- than others of the same kind, who are held out. How much nearer are they, and how many of them are found
-- with few false alarms?
--
-- The score of a person is the distance to the nearest released row (sql/locating/nearest_rows.sql). Of those
-- who are equally far away those come first who have fewer rows so near: whoever was in is one of these, and
-- the fewer there are, the less are they due to others [own derivation]. That is so where rows are as they
-- come. Where no class has one row, its size says how classes were made, and does not count.
--
-- What matters is how many of those who are in are found at few false alarms: an average over everybody hides
-- that a few are found for certain (Carlini et al. 2022).

-- Who is how far away: is_member, distance (a rank; NULL: not found out), n (people).
create or replace macro sqlanon._member_distances(people, nearest, release_classes) as table
    with near as (
        select target, any_value(distance) as distance, sum(size)::bigint as rows
        from query_table(nearest)
        left join (select class_id, size from query_table(release_classes)) using (class_id)
        group by target
    ),
    least as (select min(size) as least from query_table(release_classes)),
    ranked as (
        select target,
               case when distance is not null
                    then dense_rank() over (order by distance, if(least = 1, rows, null)) end as distance
        from near, least
    )
    select distance, not sqlanon._says(actuals[1], 'controls') as is_member, count(*) as n
    from query_table(people) join ranked using (target)
    group by distance, is_member;

-- At each distance: members, others, and how many of both are at most as far away (members_to, others_to).
-- One row per distance.
create or replace macro sqlanon._distance_counts(distances) as table
    with counted as (
        select distance, coalesce(sum(n) filter (is_member), 0) as members,
               coalesce(sum(n) filter (not is_member), 0) as others
        from query_table(distances) where distance is not null group by distance
    )
    select *, sum(members) over (order by distance) as members_to,
           sum(others) over (order by distance) as others_to
    from counted;

-- The area under the curve, with its standard error (DeLong, DeLong and Clarke-Pearson 1988: the variances of
-- how many others a member is nearer than, and of how many members an other is farther than): area, error.
create or replace macro sqlanon._area_under_curve(counts) as table
    with total as (select sum(members) as m, sum(others) as n from query_table(counts)),
    placed as (
        select members, others, m, n, 1 - (others_to - others / 2) / n as nearer,
               (members_to - members / 2) / m as farther
        from query_table(counts), total
    ),
    area as (select sum(members * nearer) / any_value(m) as area from placed)
    select any_value(area) as area,
           sqrt(coalesce(sum(members * (nearer - area) ** 2)
                         / nullif((any_value(m) - 1) * any_value(m), 0), 0)
                + coalesce(sum(others * (farther - area) ** 2)
                           / nullif((any_value(n) - 1) * any_value(n), 0), 0)) as error
    from placed, area;

-- How many members are found at so few false alarms: found (a share). Of people at one distance, where all
-- would be too many, as many are taken by lot as may be: between two points the curve is straight.
create or replace macro sqlanon._found_at(counts, alarms) as table
    with total as (
        select sum(members) as m, sum(others) as n, alarms * sum(others) as allowed from query_table(counts)
    ),
    point as (
        select any_value(m) as m, any_value(allowed) as allowed,
               coalesce(max(members_to) filter (others_to <= allowed), 0) as found_to,
               coalesce(max(others_to) filter (others_to <= allowed), 0) as wrong_to,
               min(members_to) filter (others_to > allowed) as next_found,
               min(others_to) filter (others_to > allowed) as next_wrong
        from query_table(counts), total
    )
    select (found_to + coalesce((allowed - wrong_to) * (next_found - found_to) / (next_wrong - wrong_to), 0))
               / m as found
    from point;

-- What distances tell of who is in, a row per measure: place, id, measure, value, unit, people (of whom it is
-- a share), error. distances: as in _member_distances. compared: what is said of members and controls.
create or replace macro sqlanon._member_measures(distances, compared) as table
    with _sqlanon_counts as materialized (from sqlanon._distance_counts(distances)),
    total as (
        select sum(n) filter (is_member) as members, sum(n) filter (not is_member) as others,
               sum(n) filter (is_member and distance is not null) as found_out,
               sum(n) filter (distance is null) / sum(n) as unfinished, sum(n) as everybody
        from query_table(distances)
    )
    select 1 as place, 'subjects' as id, 'attacked' as measure, members as value, 'people' as unit,
           null::bigint as people, null::double as error
    from total
    union all select 2, 'controls', 'controls', others, 'people', null, null from total
    union all select 3, 'area', compared, area, '%', null, error
              from sqlanon._area_under_curve('_sqlanon_counts') where area is not null
    union all select 4, 'found_1', 'found at 1 % false alarms', found, '%', found_out, null
              from sqlanon._found_at('_sqlanon_counts', 0.01), total where found is not null
    union all select 5, 'found_0_1', 'found at 0.1 % false alarms', found, '%', found_out, null
              from sqlanon._found_at('_sqlanon_counts', 0.001), total where found is not null
    union all select 6, 'unfinished', 'not all was looked at', unfinished, '%', everybody, null
              from total where unfinished > 0;

-- No rows, or an error where nobody is in, or nobody is a control.
create or replace macro sqlanon._refuse_one_group(distances, controls, targets) as table
    select error('controls: column ' || controls || ' of ' || targets || ' must be true for some people, '
                 || 'who are known not to be in, and not for others') as refused
    from query_table(distances) having count(*) > 0 and count(distinct is_member) < 2;

-- The measures with their intervals, as they are shown. measures: as in _member_measures.
create or replace macro sqlanon._member_measures_shown(measures) as table
    with bounded as (
        select *, if(unit = '%', 100, 1) as scale,
               case when error is not null
                    then {'low': greatest(value - sqlanon._z_95() * error, 0),
                          'high': least(value + sqlanon._z_95() * error, 1)}
                    when people > 0 then sqlanon._interval(value, people) end as ends
        from query_table(measures)
    )
    select measure, scale * value as value, unit, scale * ends.low as low, scale * ends.high as high, id
    from bounded order by place;

create or replace macro sqlanon._membership(
    release, targets, id_column, known, controls, hierarchies, comparisons) as table
    with {steps _release_and_targets: id := id_column, columns := known, others := [controls]},
    _sqlanon_nearest as materialized (
        from sqlanon._nearest_classes(
            '_sqlanon_class', '_sqlanon_combination', '_sqlanon_hierarchy', comparisons, known)
    ),
    _sqlanon_distance as materialized (
        from sqlanon._member_distances('_sqlanon_person', '_sqlanon_nearest', '_sqlanon_class')
    ),
    _sqlanon_measure as (
        from sqlanon._member_measures('_sqlanon_distance', 'a member is nearer than a control')
        union all by name
        select refused::integer as place from _sqlanon_bad_input
        union all by name
        select refused::integer as place
        from sqlanon._refuse_one_group('_sqlanon_distance', controls, targets)
    )
    from sqlanon._member_measures_shown('_sqlanon_measure');

create or replace macro sqlanon.membership(
    release, targets, id, columns, controls, hierarchies := null, comparisons := 2000000000) as table
    from query(
        case when len(sqlanon._list(columns)) = 0
             then error('columns names no column: give at least one that the adversary knows')
             when len(sqlanon._list(controls)) <> 1
             then error('controls must name one column, true for people who are known not to be in')
             else sqlanon._checked(columns, null, [id] || sqlanon._list(controls)) end
        || {call _membership:
            id_column := id, known := columns, controls := sqlanon._list(controls)[1],
            comparisons := text(sqlanon._comparisons(comparisons))});

comment on macro table sqlanon.membership is $$
Measures how well an adversary can guess who was in the source of a release of any kind, from the distance of
people to the nearest released rows, and from how many rows are so near: one row per measure.

Parameters:
- release, targets, id: as in nearest_linkage
- columns (columns): the columns that the adversary knows.
- controls (column): of targets, true for people of the same kind who are known not to be in the source; all
  other targets are in it.
- hierarchies: as in locate
- comparisons: as in nearest_linkage

Result:
- measure (text): the title of the measure.
- value (number): its value, in the unit.
- unit (text): the unit: people or %.
- low (number): the lower end of a 95 % interval: of area by the variance of DeLong, of shares Wilson's.
- high (number): the upper end.
- id (text): the measure: subjects, controls, area, found_1, found_0_1, unfinished.

Errors: unknown column, empty table, a target twice, nobody or everybody in controls, a hierarchy that is
not a tree, infinity or NaN.

Notes: nearer is who is at a smaller distance; of two at the same one, who has fewer rows there, if any
combination of columns has one released row alone. area is the area under the ROC curve: how often a member is
nearer to the release than a control (a tie counts as one half); with 50 %, the distance reveals nothing.
found_1 and found_0_1 are the shares of members that are found if at most 1 %, or 0.1 %, of the controls may
be taken for members; where too many people are equally near, some of them are drawn by lot. So without any
information they are 1 % and 0.1 %. An adversary who uses more than distances may find more: this is a
measure, not a guarantee.

Source: Carlini et al. 2022, sec. 3 (true positives at few false positives); DeLong, DeLong and Clarke-Pearson
1988 (area and its variance); Gower 1971 (distance).

Example:
with known as (select *, age >= 42 as out from people)
from sqlanon.membership('east', 'known', id := 'name', columns := 'age', controls := 'out');
$$;
