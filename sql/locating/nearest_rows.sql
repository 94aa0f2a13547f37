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
-- patterns are compared first. The rows of a pattern are cut into blocks of numbers that are near each other:
-- what two blocks span says how far apart their rows are at least, so blocks that are farther away than the
-- nearest row that is known are never compared row by row.

-- The numbers that labels tell: d, value. readings: as in _readings. released_columns: as in locate.
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

-- Rows in blocks: the relation's columns, pattern and block (a number). The rows of a pattern are cut along
-- their numbers, a column at a time, into blocks of some rows_in_block (sort, tile, recurse: Leutenegger,
-- Lopez and Edgington 1997), the columns with the fewest numbers first. Equal numbers stay together. place:
-- the number of a column.
create or replace macro sqlanon._in_blocks(relation, patterns, id, place, rows_in_block, qi) as table
    from query(sqlanon._fill($$
        with recursive ordered as (
            select coalesce(list(d order by numbers, d) filter (numbers > 1), []) as by_numbers
            from ({distinct})
        ),
        cut as (
            select {id}, pattern, pattern::ubigint as block, 0 as done,
                   list_transform(by_numbers, lambda nth: [{places}][nth]) as places
            from {relation} join (select unnest(ids) as {id}, pattern from {patterns}) using ({id}), ordered
            union all
            select {id}, pattern, hash(block, (place - 1) * slices // size), done + 1, places
            from (
                select *, ceil(power(size / {rows_in_block}, 1 / (len(places) - done)))::bigint as slices
                from (
                    select *, rank() over (partition by block order by places[done + 1]) as place,
                           count(*) over (partition by block) as size
                    from cut where done < len(places)
                )
            )
        ),
        finished as (select {id}, pattern, block from cut where done = len(places)),
        numbered as (
            select pattern, block, row_number() over (order by pattern, block)::integer as number
            from (select distinct pattern, block from finished)
        )
        select src.*, pattern, number as block
        from {relation} as src join finished using ({id}) join numbered using (pattern, block)
    $$, map {
        'relation': relation, 'patterns': patterns, 'id': id, 'rows_in_block': rows_in_block,
        'places': sqlanon._each(qi, place, ', '),
        'distinct': sqlanon._each(
            qi, 'select {i} as d, approx_count_distinct(' || place || ') as numbers from ' || relation,
            ' union all ')}));

-- What blocks span: block, pattern, rows, and the least and the greatest numbers. fields: the latter.
create or replace macro sqlanon._spans(relation, fields, qi) as table
    from query(sqlanon._fill($$
        select block, any_value(pattern) as pattern, count(*) as rows, {fields} from {relation} group by block
    $$, map {'fields': sqlanon._each(qi, fields, ', ')}));

-- How far apart the rows of two blocks are at least: point_block, box_block, mismatches, least_apart. pairs:
-- point_pattern, box_pattern, mismatches.
create or replace macro sqlanon._blocks_apart(pairs, point_blocks, box_blocks, qi) as table
    from query(sqlanon._fill($$
        select point.block as point_block, box.block as box_block, mismatches,
               1000000 * mismatches + {gaps} as least_apart
        from {pairs} as pair
        join {points} as point on point.pattern = point_pattern
        join {boxes} as box on box.pattern = box_pattern
    $$, map {
        'pairs': pairs, 'points': point_blocks, 'boxes': box_blocks,
        'gaps': sqlanon._each(qi, 'greatest(x_lo{i} - most_x{i}, least_x{i} - x_hi{i}, 0)', ' + ')}));

-- Which blocks of boxes a point has to be compared with: target, reach, block (of the point), box_block,
-- mismatches, released (rows). pairs: point_block, box_block, mismatches; points: with reach.
create or replace macro sqlanon._blocks_in_reach(pairs, points, box_blocks, qi) as table
    from query(sqlanon._fill($$
        select target, reach, point.block, box_block, mismatches, box.rows as released
        from {pairs} as pair
        join {points} as point on point.block = point_block
        join {boxes} as box on box.block = box_block
        where 1000000 * mismatches + {gaps} <= reach
    $$, map {
        'pairs': pairs, 'points': points, 'boxes': box_blocks,
        'gaps': sqlanon._each(qi, 'greatest(x_lo{i} - x{i}, x{i} - x_hi{i}, 0)', ' + ')}));

-- Points and the boxes of these blocks: target, reach, box_block, mismatches, class_id, distance. pairs:
-- target, reach, box_block, mismatches.
create or replace macro sqlanon._gower_distances(pairs, points, boxes, qi) as table
    from query(sqlanon._fill($$
        select target, reach, box_block, mismatches, class_id, 1000000 * mismatches + {gaps} as distance
        from {pairs} as pair
        join {points} as point using (target)
        join {boxes} as box on box.block = box_block
    $$, map {
        'pairs': pairs, 'points': points, 'boxes': boxes,
        'gaps': sqlanon._each(qi, 'greatest(x_lo{i} - x{i}, x{i} - x_hi{i}, 0)', ' + ')}));

-- The parts of the targets that so many comparisons suffice for, drawn by lot: part. costs: part, cost.
create or replace macro sqlanon._affordable(costs, comparisons) as table
    select part
    from (
        select part, sum(cost) over (order by hash(part), part rows unbounded preceding) as spent
        from query_table(costs)
    )
    where spent <= comparisons;

-- The nearest released rows of targets: target, class_id, distance (NULL, both: with so many comparisons it
-- was not found out). points, boxes: as above. comparisons: the most pairs, of patterns, of blocks or of
-- rows, that are compared in each step. rows_in_block: as in _in_blocks, a text.
create or replace macro sqlanon._nearest_boxes(points, boxes, comparisons, rows_in_block, qi) as table
    with _sqlanon_point_pattern as materialized (from sqlanon._patterns(points, 'target', 'c{i}', qi)),
    _sqlanon_box_pattern as materialized (
        from sqlanon._patterns(boxes, 'class_id', 'lo{i}, hi{i}, members{i}', qi)
    ),
    _sqlanon_placed_point as materialized (
        from sqlanon._in_blocks(points, '_sqlanon_point_pattern', 'target', 'x{i}', rows_in_block, qi)
    ),
    _sqlanon_placed_box as materialized (
        from sqlanon._in_blocks(
            boxes, '_sqlanon_box_pattern', 'class_id', 'x_lo{i} + x_hi{i}', rows_in_block, qi)
    ),
    _sqlanon_point_block as materialized (
        from sqlanon._spans('_sqlanon_placed_point', 'min(x{i}) as least_x{i}, max(x{i}) as most_x{i}', qi)
    ),
    _sqlanon_box_block as materialized (
        from sqlanon._spans('_sqlanon_placed_box', 'min(x_lo{i}) as x_lo{i}, max(x_hi{i}) as x_hi{i}', qi)
    ),
    _sqlanon_blocks as materialized (
        select pattern as box_pattern, count(*) as blocks from _sqlanon_box_block group by pattern
    ),
    -- Step 1: the fewest categories that differ.
    _sqlanon_scan_cost as (
        select pattern as part, (select count(*) from _sqlanon_box_pattern) as cost
        from _sqlanon_point_pattern
    ),
    _sqlanon_scanned as materialized (
        select * from _sqlanon_point_pattern
        semi join sqlanon._affordable('_sqlanon_scan_cost', comparisons) as affordable on part = pattern
    ),
    _sqlanon_fewest as materialized (
        select point_pattern, min(mismatches) as fewest
        from sqlanon._compared_patterns('_sqlanon_scanned', '_sqlanon_box_pattern', qi)
        group by point_pattern
    ),
    _sqlanon_first_pattern as materialized (
        select compared.*
        from sqlanon._compared_patterns('_sqlanon_scanned', '_sqlanon_box_pattern', qi) as compared
        join _sqlanon_fewest using (point_pattern) where mismatches = fewest
    ),
    -- Step 2: of these patterns, the nearest block as far as blocks tell.
    _sqlanon_first_width as (
        select point_pattern, sum(blocks) as cost
        from _sqlanon_first_pattern join _sqlanon_blocks using (box_pattern) group by point_pattern
    ),
    _sqlanon_first_cost as (
        select block as part, cost
        from _sqlanon_point_block join _sqlanon_first_width on point_pattern = pattern
    ),
    _sqlanon_first_point_block as materialized (
        select * from _sqlanon_point_block
        semi join sqlanon._affordable('_sqlanon_first_cost', comparisons) as affordable on part = block
    ),
    _sqlanon_first_pair as (
        -- One number is compared faster than two, and a block's is below 2 ** 31.
        select point_block, (nearest & 2147483647)::integer as box_block, mismatches
        from (
            select point_block, min((least_apart::bigint << 31) + box_block) as nearest,
                   any_value(mismatches) as mismatches
            from sqlanon._blocks_apart(
                '_sqlanon_first_pattern', '_sqlanon_first_point_block', '_sqlanon_box_block', qi)
            group by point_block
        )
    ),
    -- Step 3: its rows. As far as the nearest of them, other blocks have to be looked at.
    _sqlanon_first_point as (
        select target, null::integer as reach, box_block, mismatches
        from _sqlanon_placed_point join _sqlanon_first_pair on point_block = block
    ),
    _sqlanon_reaching_point as materialized (
        select point.*, least_there as reach
        from _sqlanon_placed_point as point
        join (
            select target, min(distance) as least_there
            from sqlanon._gower_distances(
                '_sqlanon_first_point', '_sqlanon_placed_point', '_sqlanon_placed_box', qi)
            group by target
        ) as first using (target)
    ),
    _sqlanon_block_reach as materialized (
        select block as point_block, any_value(pattern) as point_pattern, max(reach) as block_reach
        from _sqlanon_reaching_point group by block
    ),
    -- Step 4: blocks, of all patterns, that can be as near.
    _sqlanon_pattern_reach as (
        select point_pattern, max(block_reach) as pattern_reach
        from _sqlanon_block_reach group by point_pattern
    ),
    _sqlanon_doubtful as materialized (
        select src.*, pattern_reach, fewest
        from _sqlanon_point_pattern as src
        join _sqlanon_pattern_reach as reached on reached.point_pattern = pattern
        join _sqlanon_fewest as few on few.point_pattern = pattern
        where pattern_reach >= 1000000 * (fewest + 1)
    ),
    _sqlanon_pattern_pair as materialized (
        from _sqlanon_first_pattern
        union all
        select compared.*
        from sqlanon._compared_patterns('_sqlanon_doubtful', '_sqlanon_box_pattern', qi) as compared
        join _sqlanon_doubtful on pattern = point_pattern
        where mismatches > fewest and 1000000 * mismatches <= pattern_reach
    ),
    _sqlanon_width as (
        select point_pattern, sum(blocks) as cost
        from _sqlanon_pattern_pair join _sqlanon_blocks using (box_pattern) group by point_pattern
    ),
    _sqlanon_block_cost as (
        select point_block as part, cost from _sqlanon_block_reach join _sqlanon_width using (point_pattern)
    ),
    _sqlanon_kept as (
        select * from _sqlanon_point_block
        semi join sqlanon._affordable('_sqlanon_block_cost', comparisons) as affordable on part = block
    ),
    _sqlanon_block_pair as materialized (
        select point_block, box_block, mismatches
        from sqlanon._blocks_apart('_sqlanon_pattern_pair', '_sqlanon_kept', '_sqlanon_box_block', qi)
        join _sqlanon_block_reach using (point_block)
        where least_apart <= block_reach
    ),
    -- Step 5: their rows.
    _sqlanon_row_cost as (
        select block as part, sum(released) as cost
        from sqlanon._blocks_in_reach(
            '_sqlanon_block_pair', '_sqlanon_reaching_point', '_sqlanon_box_block', qi)
        group by block
    ),
    _sqlanon_finished_pair as (
        select * from _sqlanon_block_pair
        semi join sqlanon._affordable('_sqlanon_row_cost', comparisons) as affordable on part = point_block
    ),
    _sqlanon_compared as (
        from sqlanon._blocks_in_reach(
            '_sqlanon_finished_pair', '_sqlanon_reaching_point', '_sqlanon_box_block', qi)
    ),
    _sqlanon_least_in_block as materialized (
        select target, box_block, mismatches, min(distance) as least_there
        from sqlanon._gower_distances(
            '_sqlanon_compared', '_sqlanon_placed_point', '_sqlanon_placed_box', qi)
        where distance <= reach
        group by target, box_block, mismatches
    ),
    _sqlanon_least as materialized (
        select target, min(least_there) as reach from _sqlanon_least_in_block group by target
    ),
    _sqlanon_nearest as (
        select target, reach, box_block, mismatches
        from _sqlanon_least_in_block join _sqlanon_least using (target) where least_there = reach
    )
    select target, class_id, distance
    from sqlanon._gower_distances('_sqlanon_nearest', '_sqlanon_placed_point', '_sqlanon_placed_box', qi)
    where distance = reach
    union all
    select target, null, null
    from query_table(points) anti join _sqlanon_least using (target);

-- All of it, from classes and combinations as in locate: target, class_id, distance, as above.
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
        select d, value
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
    from sqlanon._nearest_boxes(
        '_sqlanon_point', '_sqlanon_box', comparisons,
        'greatest(32, (select count(*) from _sqlanon_box) // 10000)', qi);
