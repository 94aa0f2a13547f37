-- Nearest rows: which released rows are nearest to each target, whatever kind of release it is (Gower 1971).
--
-- Gower's distance adds up the columns. Numbers and dates are apart by their difference, as a share of the
-- range of all numbers in the column, of targets and release; any other values are 1 apart if they differ. A
-- label is as far away as the nearest value that it covers: a range has a distance of 0 from what is in it.
-- So synthetic rows, noise and centroids are compared in the same way as classes.
--
-- Distances are whole millionths, so that what is equally far away is so in any order of work. All rows at
-- the smallest distance count.
--
-- What differs as a category adds whole numbers, and a pattern of categories is shared by many rows. So
-- patterns are compared first, those with the fewest differences row by row, and others only as far as a
-- smaller distance is possible there.

-- The numbers that labels tell: d, value. readings: as of _readings. released_columns: as of locate.
create or replace macro sqlanon._numbers_told(readings, released_columns) as table
    select d, value
    from (
        select d, unnest(case form when 'interval' then [lo, hi] when 'set' then elements
                                   when 'value' then [label] else [] end) as value
        from query_table(readings) join query_table(released_columns) using (d) where kind in (1, 2, 4)
    )
    where sqlanon._number(value) is not null;

-- The numbers of a domain in millionths of their range: d, code, x.
create or replace macro sqlanon._gower_numbers(coded_domain, released_columns) as table
    with number as (
        select coded.d, code,
               case when isfinite(place) then place / 2
                    else error('column ' || name || ' has the value ' || value
                               || ', from which nothing has a distance: leave its rows out') end as place
        from query_table(coded_domain) as coded
        join (select d, name, kind from query_table(released_columns)) as compared using (d)
        where compared.kind in (1, 2, 4) and place is not null
    ),
    extent as (select d, min(place) as least, max(place) as most from number group by d)
    select d, code, case when most > least then round((place - least) / (most - least) * 1e6)::integer
                         else 0 end as x
    from number join extent using (d);

-- Cells of the targets: d, value, c (its category: of a number 1, of a missing one 0; of others their code),
-- x (NULL: no number).
create or replace macro sqlanon._target_cells(coded_domain, numbers, released_columns) as table
    select coded.d, value, x,
           case when coalesce(compared.kind in (1, 2, 4), false)
                then case when x is not null then 1 when value is null then 0 else 2 end
                else coded.code end as c
    from query_table(coded_domain) as coded
    join (select d, kind from query_table(released_columns)) as compared using (d)
    left join query_table(numbers) as number on number.d = coded.d and number.code = coded.code;

-- Labels: d, label, lo, hi and members (the categories that it covers; lo above hi: none), x_lo and x_hi (the
-- numbers between which it is, NULL: none).
create or replace macro sqlanon._label_cells(
    labels, covered, coded_domain, numbers, released_columns) as table
    with extent as (
        select d, min(code) as first_code, max(code) as last_code from query_table(numbers) group by d
    ),
    missing as (select d, code as null_code from query_table(coded_domain) where value is null),
    held as (
        select stated.d, stated.label, lo, hi, members, coalesce(kind in (1, 2, 4), false) as is_number,
               case when lo is null then null  -- greatest(NULL, 1) is 1
                    when members is null then greatest(lo, first_code)
                    else list_min(list_filter(members, lambda member: member >= first_code)) end as low_code,
               case when lo is null then null
                    when members is null then least(hi, last_code)
                    else list_max(list_filter(members, lambda member: member <= last_code)) end as high_code,
               coalesce(null_code between lo and hi
                        and (members is null or list_contains(members, null_code)), false) as has_null
        from query_table(labels) as stated
        join (select d, kind from query_table(released_columns)) as compared using (d)
        left join query_table(covered) as cover
          on cover.d = stated.d and cover.label is not distinct from stated.label
        left join extent on extent.d = stated.d
        left join missing on missing.d = stated.d
    )
    select held.d, label, lowest.x as x_lo, case when lowest.x is not null then highest.x end as x_hi,
           case when not is_number then coalesce(lo, 1) when has_null then 0 else 1 end as lo,
           case when not is_number then coalesce(hi, 0) when lowest.x is not null then 1 else 0 end as hi,
           case when not is_number then members end as members
    from held
    left join query_table(numbers) as lowest
      on lowest.d = held.d and lowest.code = low_code and low_code <= high_code
    left join query_table(numbers) as highest on highest.d = held.d and highest.code = high_code;

-- Targets as points: target, c1, x1, ...; released rows as boxes: class_id, lo1, hi1, members1, x_lo1, x_hi1,
-- ...
create or replace macro sqlanon._gower_points(target_combinations, cells, qi) as table
    from query(sqlanon._fill($$select target, {fields} from {targets} as src {joins}$$, map {
        'targets': target_combinations,
        'fields': sqlanon._each(qi, 'cell{i}.c as c{i}, cell{i}.x as x{i}', ', '),
        'joins': sqlanon._each_filled(qi, '
            join (select * from {cells} where d = {i}) as cell{i}
              on src.v{i} is not distinct from cell{i}.value', '')}));
create or replace macro sqlanon._gower_boxes(release_classes, cells, qi) as table
    from query(sqlanon._fill($$select class_id, {fields} from {classes} as src {joins}$$, map {
        'classes': release_classes,
        'fields': sqlanon._each(
            qi, 'cell{i}.lo as lo{i}, cell{i}.hi as hi{i}, cell{i}.members as members{i},
                 cell{i}.x_lo as x_lo{i}, cell{i}.x_hi as x_hi{i}', ', '),
        'joins': sqlanon._each_filled(qi, '
            join (select * from {cells} where d = {i}) as cell{i}
              on src.l{i} is not distinct from cell{i}.label', '')}));

-- The patterns of categories: pattern, ids (who have it) and the categories.
create or replace macro sqlanon._patterns(relation, id, fields, qi) as table
    from query(sqlanon._fill($$
        select row_number() over () as pattern, *
        from (select list({id}) as ids, {fields} from {relation} group by all)
    $$, map {'fields': sqlanon._each(qi, fields, ', ')}));

-- How many categories a target's and a released pattern differ in: point_pattern, box_pattern, mismatches.
create or replace macro sqlanon._compared_patterns(point_patterns, box_patterns, qi) as table
    from query(sqlanon._fill($$
        select point.pattern as point_pattern, box.pattern as box_pattern, {mismatches} as mismatches
        from {points} as point, {boxes} as box
    $$, map {
        'points': point_patterns, 'boxes': box_patterns,
        'mismatches': sqlanon._each(
            qi, '(not (c{i} between lo{i} and hi{i}
                       and (members{i} is null or list_contains(members{i}, c{i}))))::integer', ' + ')}));

-- Every target and released row of these pairs of patterns: target, class_id, distance. patterns:
-- point_pattern, box_pattern, mismatches.
create or replace macro sqlanon._gower_distances(patterns, points, boxes, qi) as table
    from query(sqlanon._fill($$
        select point.target, box.class_id, 1000000 * mismatches::bigint + {gaps} as distance
        from {patterns} as pair
        join {points} as point on point.pattern = pair.point_pattern
        join {boxes} as box on box.pattern = pair.box_pattern
    $$, map {'gaps': sqlanon._each(qi, 'greatest(x_lo{i} - x{i}, x{i} - x_hi{i}, 0)', ' + ')}));

-- The patterns of targets that so many comparisons suffice for, drawn by lot: point_pattern. costs:
-- point_pattern, cost.
create or replace macro sqlanon._affordable(costs, comparisons) as table
    select point_pattern
    from (
        select point_pattern,
               sum(cost) over (order by hash(point_pattern), point_pattern rows unbounded preceding) as spent
        from query_table(costs)
    )
    where spent <= comparisons;

-- The nearest released rows of targets: target, class_id, distance (NULL, both: with so many comparisons it
-- was not found out). points, boxes: as above. comparisons: the most pairs of patterns, and of rows, that are
-- compared in each of three steps.
create or replace macro sqlanon._nearest_boxes(points, boxes, comparisons, qi) as table
    with _sqlanon_point_pattern as materialized (from sqlanon._patterns(points, 'target', 'c{i}', qi)),
    _sqlanon_box_pattern as materialized (
        from sqlanon._patterns(boxes, 'class_id', 'lo{i}, hi{i}, members{i}', qi)
    ),
    _sqlanon_placed_point as materialized (
        select src.*, pattern
        from query_table(points) as src
        join (select pattern, unnest(ids) as target from _sqlanon_point_pattern) using (target)
    ),
    _sqlanon_placed_box as materialized (
        select src.*, pattern
        from query_table(boxes) as src
        join (select pattern, unnest(ids) as class_id from _sqlanon_box_pattern) using (class_id)
    ),
    -- Step 1: the fewest categories that differ.
    _sqlanon_scan_cost as (
        select pattern as point_pattern, (select count(*) from _sqlanon_box_pattern) as cost
        from _sqlanon_point_pattern
    ),
    _sqlanon_scanned as materialized (
        select * from _sqlanon_point_pattern
        semi join sqlanon._affordable('_sqlanon_scan_cost', comparisons) as affordable
          on point_pattern = pattern
    ),
    _sqlanon_fewest as materialized (
        select point_pattern, min(mismatches) as fewest
        from sqlanon._compared_patterns('_sqlanon_scanned', '_sqlanon_box_pattern', qi)
        group by point_pattern
    ),
    -- Step 2: the rows of patterns that differ in so few.
    _sqlanon_first_pattern as materialized (
        select compared.*
        from sqlanon._compared_patterns('_sqlanon_scanned', '_sqlanon_box_pattern', qi) as compared
        join _sqlanon_fewest using (point_pattern) where mismatches = fewest
    ),
    _sqlanon_first_cost as (
        select point_pattern, any_value(len(point.ids)) * sum(len(box.ids)) as cost
        from _sqlanon_first_pattern
        join _sqlanon_point_pattern as point on point.pattern = point_pattern
        join _sqlanon_box_pattern as box on box.pattern = box_pattern
        group by point_pattern
    ),
    _sqlanon_first_pair as materialized (
        from _sqlanon_first_pattern semi join sqlanon._affordable('_sqlanon_first_cost', comparisons)
             using (point_pattern)
    ),
    _sqlanon_first_least as materialized (
        select target, min(distance) as least
        from sqlanon._gower_distances(
            '_sqlanon_first_pair', '_sqlanon_placed_point', '_sqlanon_placed_box', qi)
        group by target
    ),
    -- Step 3: rows of patterns that differ in more, where a distance as small is possible.
    _sqlanon_reach as materialized (
        select point.pattern, max(least) as reach, list(target) as targets
        from _sqlanon_first_least join _sqlanon_placed_point as point using (target)
        join _sqlanon_fewest on point_pattern = point.pattern
        where least >= 1000000 * (fewest + 1)
        group by point.pattern
    ),
    _sqlanon_doubtful as (
        select src.* replace (targets as ids), reach from _sqlanon_point_pattern as src
        join _sqlanon_reach using (pattern)
    ),
    _sqlanon_second_pattern as materialized (
        select compared.*
        from sqlanon._compared_patterns('_sqlanon_doubtful', '_sqlanon_box_pattern', qi) as compared
        join _sqlanon_fewest using (point_pattern)
        join _sqlanon_reach as reached on reached.pattern = point_pattern
        where mismatches > fewest and 1000000 * mismatches::bigint <= reach
    ),
    _sqlanon_second_cost as (
        select point_pattern, any_value(len(point.ids)) * sum(len(box.ids)) as cost
        from _sqlanon_second_pattern
        join _sqlanon_doubtful as point on point.pattern = point_pattern
        join _sqlanon_box_pattern as box on box.pattern = box_pattern
        group by point_pattern
    ),
    _sqlanon_second_affordable as materialized (
        from sqlanon._affordable('_sqlanon_second_cost', comparisons)
    ),
    _sqlanon_open_target as materialized (
        select unnest(ids) as target
        from _sqlanon_doubtful semi join _sqlanon_second_cost on point_pattern = pattern
        anti join _sqlanon_second_affordable as affordable on affordable.point_pattern = pattern
    ),
    _sqlanon_doubtful_point as materialized (
        select point.* from _sqlanon_placed_point as point
        semi join (select unnest(targets) as target from _sqlanon_reach) as doubtful using (target)
    ),
    _sqlanon_second_pair as materialized (
        from _sqlanon_second_pattern semi join _sqlanon_second_affordable using (point_pattern)
    ),
    _sqlanon_second_least as (
        select target, min(distance) as least
        from sqlanon._gower_distances(
            '_sqlanon_second_pair', '_sqlanon_doubtful_point', '_sqlanon_placed_box', qi)
        group by target
    ),
    _sqlanon_least as materialized (
        select target, least(first.least, second.least) as least
        from _sqlanon_first_least as first left join _sqlanon_second_least as second using (target)
        anti join _sqlanon_open_target using (target)
    ),
    _sqlanon_pair_distance as (
        from sqlanon._gower_distances(
            '_sqlanon_first_pair', '_sqlanon_placed_point', '_sqlanon_placed_box', qi)
        union all
        from sqlanon._gower_distances(
            '_sqlanon_second_pair', '_sqlanon_doubtful_point', '_sqlanon_placed_box', qi)
    )
    select target, class_id, distance
    from _sqlanon_pair_distance join _sqlanon_least using (target) where distance = least
    union all
    select target, null, null
    from query_table(points) anti join _sqlanon_least using (target);

-- All of it, from classes and combinations as of locate: target, class_id, distance, as above.
create or replace macro sqlanon._nearest_classes(
    release_classes, target_combinations, hierarchy, comparisons, qi) as table
    with _sqlanon_released_column as materialized (
        from sqlanon._released_columns(release_classes, target_combinations, qi)
    ),
    _sqlanon_label as materialized (
        select d, string as label from sqlanon._long_of_releases(release_classes, qi, 'l{i}')
    ),
    _sqlanon_reading as materialized (from sqlanon._readings('_sqlanon_label')),
    _sqlanon_value as (
        from sqlanon._compared_with_columns('_sqlanon_released_column', target_combinations, qi)
        union
        from sqlanon._numbers_told('_sqlanon_reading', '_sqlanon_released_column')
    ),
    _sqlanon_domain as materialized (
        from sqlanon._coded_domain('_sqlanon_value', '_sqlanon_released_column')
    ),
    _sqlanon_covered as materialized (
        from sqlanon._covered('_sqlanon_label', '_sqlanon_domain', hierarchy, '_sqlanon_released_column')
    ),
    _sqlanon_number as materialized (
        from sqlanon._gower_numbers('_sqlanon_domain', '_sqlanon_released_column')
    ),
    _sqlanon_target_cell as materialized (
        from sqlanon._target_cells('_sqlanon_domain', '_sqlanon_number', '_sqlanon_released_column')
    ),
    _sqlanon_label_cell as materialized (
        from sqlanon._label_cells(
            '_sqlanon_label', '_sqlanon_covered', '_sqlanon_domain', '_sqlanon_number',
            '_sqlanon_released_column')
    ),
    _sqlanon_point as materialized (
        from sqlanon._gower_points(target_combinations, '_sqlanon_target_cell', qi)
    ),
    _sqlanon_box as materialized (from sqlanon._gower_boxes(release_classes, '_sqlanon_label_cell', qi))
    from sqlanon._nearest_boxes('_sqlanon_point', '_sqlanon_box', comparisons, qi);
