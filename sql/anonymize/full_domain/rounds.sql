-- Local recoding in rounds: the rows that a point suppresses are generalized again, by the best one for them.
--
-- Whoever knows the method knows that the rows of a later round fitted in no class of an earlier one. Where
-- two classes can hold the same values, this rules values out (Chhillar et al. 2025, who solve a linear
-- program over the order in which classes must have been made; Cohen 2022). So a class of a later round is
-- released only if it overlaps with none that is released already. Then every combination of values has one
-- class, as in a single round, and the order of rounds says nothing: tests enumerate all tables of a few rows
-- with the same release, and every value that a class covers is possible in one of them
-- (tests/anonymize/test_rounds.py).

-- Classes as boxes: class_id, levels and ancestors (lists, an attribute each). point: its levels.
create or replace macro sqlanon._class_boxes(point, classes, qi) as table
    from query(sqlanon._fill($$
        select class_id, [{each_of qi: l{i}}] as levels, [{each_of qi: q{i}}] as ancestors
        from {classes}, (select columns('^l\d+$') from {point})
    $$));

-- The ancestors of boxes at levels that are as high or higher: class_id, levels, other_levels (which name a
-- pair of rounds), key (ancestors). joint: levels, other_levels, both_levels (the higher one of each).
-- climb: d, level, ancestor, higher, above.
create or replace macro sqlanon._raised_boxes(boxes, joint, climb) as table
    with cell as (
        select class_id, levels, other_levels, d, levels[d] as level, ancestors[d] as ancestor,
               both_levels[d] as higher
        from query_table(boxes) join query_table(joint) using (levels),
             (select unnest(range(1, len(levels) + 1)) as d)
    )
    select class_id, levels, other_levels, list(above order by d) as key
    from cell join query_table(climb) using (d, level, ancestor, higher)
    group by all;

-- Which classes can hold values that others can hold, too: class_id. boxes and others: as in _class_boxes.
create or replace macro sqlanon._classes_within_reach(boxes, others, ladder) as table
    with joint as (
        select one.levels, other.levels as other_levels,
               list_transform(one.levels, lambda own_level, place:
                   greatest(own_level, other.levels[place])) as both_levels
        from (select distinct levels from query_table(boxes)) as one,
             (select distinct levels from query_table(others)) as other
    ),
    turned as (select other_levels as levels, levels as other_levels, both_levels from joint),
    climb as materialized (
        select distinct low.d, low.level, low.ancestor, high.level as higher, high.ancestor as above
        from query_table(ladder) as low join query_table(ladder) as high using (d, code)
        where high.level >= low.level
    )
    select distinct own.class_id
    from sqlanon._raised_boxes(boxes, 'joint', 'climb') as own
    join sqlanon._raised_boxes(others, 'turned', 'climb') as other
      on other.levels = own.other_levels and other.other_levels = own.levels and other.key = own.key;
