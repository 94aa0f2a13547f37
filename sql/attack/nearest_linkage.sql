-- Nearest linkage: do two halves of what can be known about a person lead to the same released row? Then the
-- release links what somebody knows here with what somebody else knows there (linkability, Article 29 Working
-- Party, opinion 05/2014, sec. 2.2.2). It needs no classes, so that synthetic rows, noise and centroids are
-- attacked like anything else.
--
-- Each half has its nearest rows in the release (sql/locating/nearest_rows.sql), all those at the smallest
-- distance. A link is made where the two sets share exactly one row.

-- One half of columns by number, those after the first: id, and the distinct fields of it, numbered from 1.
-- fields: prefixes, such as l and t of l1, t1, ...
create or replace macro sqlanon._half(relation, id, fields, before, width) as table
    from query(sqlanon._fill($$
        select row_number() over () as {id}, 1 as release, *
        from (select distinct {columns} from {relation})
    $$, map {
        'columns': list_aggregate(
            list_transform(range(1, width + 1), lambda i:
                list_aggregate(
                    list_transform(fields, lambda field:
                        field || (before + i)::varchar || ' as ' || field || i::varchar),
                    'string_agg', ', ')),
            'string_agg', ', ')}));

-- To which of a half each of these belongs: those, and the half's id. field: its prefix.
create or replace macro sqlanon._half_of(relation, half, id, field, before, width) as table
    from query(sqlanon._fill($$
        select src.{own} as joint, half.{id} as half, src.{n} as n
        from {relation} as src join {half} as half on {same}
    $$, map {
        'own': id, 'n': if(field = 'l', 'size', 'people'),
        'same': list_aggregate(
            list_transform(range(1, width + 1), lambda i:
                'src.' || field || (before + i)::varchar || ' is not distinct from half.' || field
                || i::varchar),
            'string_agg', ' and ')}));

-- The rows that both halves of a target share: target, rows, class_there (one of theirs). pairs: target,
-- one and other (its halves), by_one (is the first the one to begin with); nearest_here, nearest_there:
-- target, class_id; linked: class_here, class_there, size.
create or replace macro sqlanon._shared_rows(pairs, nearest_here, nearest_there, linked) as table
    with found as (
        select pair.target, link.class_there, link.size
        from (from query_table(pairs) where by_one) as pair
        join query_table(nearest_here) as near on near.target = pair.one
        join query_table(linked) as link on link.class_here = near.class_id
        semi join query_table(nearest_there) as far
          on far.target = pair.other and far.class_id = link.class_there
        union all
        select pair.target, link.class_there, link.size
        from (from query_table(pairs) where not by_one) as pair
        join query_table(nearest_there) as near on near.target = pair.other
        join query_table(linked) as link on link.class_there = near.class_id
        semi join query_table(nearest_here) as far
          on far.target = pair.one and far.class_id = link.class_here
    )
    select target, sum(size)::bigint as rows, max(class_there) as class_there from found group by target;

-- How near, and what it costs to look: target, rows (at the smallest distance), distance, classes (distinct
-- rows among them), is_open (not found out).
create or replace macro sqlanon._nearest_sizes(nearest, linked) as table
    select near.target, sum(n)::bigint as rows, any_value(distance) / 1e6 as distance,
           count(n) as classes, bool_or(class_id is null) as is_open
    from query_table(nearest) as near left join query_table(linked) as link on link.half = near.class_id
    group by near.target;

create or replace macro sqlanon._nearest_linkage(
    release, targets, id, here, there, hierarchies, controls, comparisons) as table
    with {steps _release_and_targets: columns := here || there, others := sqlanon._list(controls)},
    _sqlanon_class_here as materialized (
        from sqlanon._half('_sqlanon_class', 'class_id', ['l', 't'], 0, len(here))
    ),
    _sqlanon_class_there as materialized (
        from sqlanon._half('_sqlanon_class', 'class_id', ['l', 't'], len(here), len(there))
    ),
    _sqlanon_target_here as materialized (
        from sqlanon._half('_sqlanon_combination', 'target', ['v', 'r'], 0, len(here))
    ),
    _sqlanon_target_there as materialized (
        from sqlanon._half('_sqlanon_combination', 'target', ['v', 'r'], len(here), len(there))
    ),
    _sqlanon_in_here as materialized (
        from sqlanon._half_of('_sqlanon_class', '_sqlanon_class_here', 'class_id', 'l', 0, len(here))
    ),
    _sqlanon_in_there as materialized (
        from sqlanon._half_of(
            '_sqlanon_class', '_sqlanon_class_there', 'class_id', 'l', len(here), len(there))
    ),
    _sqlanon_known_here as materialized (
        from sqlanon._half_of('_sqlanon_combination', '_sqlanon_target_here', 'target', 'v', 0, len(here))
    ),
    _sqlanon_known_there as materialized (
        from sqlanon._half_of(
            '_sqlanon_combination', '_sqlanon_target_there', 'target', 'v', len(here), len(there))
    ),
    _sqlanon_nearest_here as materialized (
        from sqlanon._nearest_classes(
            '_sqlanon_class_here', '_sqlanon_target_here', '_sqlanon_hierarchy', comparisons, here)
    ),
    _sqlanon_nearest_there as materialized (
        from sqlanon._nearest_classes(
            '_sqlanon_class_there', '_sqlanon_target_there', '_sqlanon_hierarchy', comparisons, there)
    ),
    _sqlanon_link as materialized (
        select one.half as class_here, other.half as class_there, one.n as size
        from _sqlanon_in_here as one join _sqlanon_in_there as other using (joint)
    ),
    _sqlanon_size_here as materialized (
        from sqlanon._nearest_sizes('_sqlanon_nearest_here', '_sqlanon_in_here')
    ),
    _sqlanon_size_there as materialized (
        from sqlanon._nearest_sizes('_sqlanon_nearest_there', '_sqlanon_in_there')
    ),
    _sqlanon_pair as materialized (
        select joint as target, one.half as one, other.half as other,
               near.classes <= far.classes as by_one, near.rows as rows_here, far.rows as rows_there,
               near.distance as distance_here, far.distance as distance_there,
               near.is_open or far.is_open as unfinished
        from _sqlanon_known_here as one
        join _sqlanon_known_there as other using (joint)
        join _sqlanon_size_here as near on near.target = one.half
        join _sqlanon_size_there as far on far.target = other.half
    ),
    _sqlanon_asked as (from _sqlanon_pair where not unfinished),
    _sqlanon_shared as materialized (
        from sqlanon._shared_rows(
            '_sqlanon_asked', '_sqlanon_nearest_here', '_sqlanon_nearest_there', '_sqlanon_link')
    ),
    -- Of how many targets the other half leads to a row.
    _sqlanon_claim as (
        select class_id as class_there, sum(n) as people
        from _sqlanon_nearest_there as near
        join (select half, sum(n) as n from _sqlanon_known_there group by half) as known
          on known.half = near.target
        where class_id is not null group by class_id
    )
    select who, case when shared.rows = 1 then 'linked' end as learned,
           case when shared.rows = 1 then 1 / claim.people end as confidence,
           1 / (select count(*) from _sqlanon_person) as baseline,
           case when not unfinished then coalesce(shared.rows = 1, false) end as is_right,
           sqlanon._says(actuals[1], 'controls') as is_control, rows_here, rows_there,
           case when not unfinished then coalesce(shared.rows, 0) end as shared, distance_here,
           distance_there, unfinished
    from _sqlanon_person as person
    join _sqlanon_pair as pair using (target)
    left join _sqlanon_shared as shared using (target)
    left join _sqlanon_claim as claim using (class_there)
    union all by name
    select refused::bigint as shared from _sqlanon_bad_input;

-- How many comparisons may be made, or an error.
create or replace macro sqlanon._comparisons(given) as
    sqlanon._whole_given(given, 'comparisons')::varchar;

create or replace macro sqlanon.nearest_linkage(
    release, targets, id, here, there, hierarchies := null, controls := null, comparisons := 2000000000
) as table
    from query(
        case when len(sqlanon._list(here)) = 0 or len(sqlanon._list(there)) = 0
             then error('here and there name the columns of the two halves: give at least one each')
             else sqlanon._checked(sqlanon._list(here) || sqlanon._list(there), null, null) end
        || sqlanon._fill($$
        select who as {"id"}, * exclude (who) from sqlanon._nearest_linkage({arguments})
    $$, map {
        'arguments': concat_ws(', ',
            sqlanon._literal(release), sqlanon._literal(targets), sqlanon._literal(id), sqlanon._names(here),
            sqlanon._names(there), sqlanon._optional(hierarchies), sqlanon._names(controls),
            sqlanon._comparisons(comparisons))}));

comment on macro table sqlanon.nearest_linkage is $$
Links two sets of columns about people through a release of any kind: one row per target. For each of the two
sets, the attack finds the nearest released rows; it makes a link if both are nearest to exactly one row, the
same one.

Parameters:
- release (table): a release of any kind, such as classes, centroids, noise or synthetic rows.
- targets (table): people with raw values in the columns here and there, and the column id.
- id (column): of targets, the name or number of a person.
- here (columns): the first set of columns, which one adversary knows.
- there (columns): the second set of columns, which another adversary knows.
- hierarchies: as in locate
- controls (column; default null): of targets, true for people who are known not to be in the original.
- comparisons (integer, at least 1; default 2000000000): the largest number of pairs, of distinct rows or of
  blocks of them, that are compared in each step. If more were needed, some targets, chosen at random, are
  unfinished.

Result:
- <id> (unchanged): the target.
- learned (text): the word linked; NULL: there is no link.
- confidence (number): 1 / the number of targets whose second set of values is nearest to that row.
- baseline (number): 1 / the number of targets.
- is_right (boolean): true if there is a link: it is between the values of one person; false if there is none.
  NULL: not all were compared.
- is_control (boolean): is the target one of controls?
- rows_here (integer, rows): rows of the release that are nearest to the first set of values.
- rows_there (integer, rows): rows that are nearest to the second set.
- shared (integer, rows): rows that are nearest to both; NULL: not all were compared.
- distance_here (number): Gower's distance from the first set of values to the nearest rows.
- distance_there (number): the same for the second set.
- unfinished (boolean): true if more comparisons were needed; then there is no result for this target.

Errors: unknown column, a column in both sets, empty table, a target twice, a hierarchy that is not a tree,
infinity or NaN.

Notes: Gower's distance is a sum over columns. For numbers and dates, it is the difference as a share of the
range of targets and release, in whole millionths. For other values it is 0 if they are equal and 1 if not.
The distance to a label is that to the nearest value that it covers (a set of numbers counts as the range from
its smallest to its largest); a label that covers nobody's value has the distance 1 to all. The attack assumes
that everybody is in the release. Only controls show how much of the success comes from the release: see
attack_summary.

Source: Gower 1971, sec. 2 and 3 (distance); Article 29 Working Party 2014, opinion 05/2014, sec. 2.2.2
(linkability).

Example:
from sqlanon.nearest_linkage('east', 'voters', id := 'name', here := 'age', there := 'zip');
$$;
