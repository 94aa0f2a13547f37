-- The algorithms of microaggregation that look for the farthest row, group by group, called from SQL. They
-- are loops in Python (sqlanon/anonymize/mdav.py): sqlanon.register_functions(con) makes them a function of
-- DuckDB.
--
-- The function takes the vectors of a block of points. SQL cuts a large table into blocks, collects the
-- points of each, calls the function once per block, and takes the groups apart again.

-- The group (a number from 0) of every row of a block, rows in the order of their points. numbers and
-- categories: a list of what the points have for each attribute; steps: of the attributes; weights: the
-- rows of each point. This stands here until the function is registered.
create macro if not exists sqlanon._block_groups(numbers, categories, steps, weights, algorithm, k, gamma) as
    error('the algorithm ' || algorithm || ' is a loop that runs in Python: there, call '
          || $$sqlanon.register_functions(con) once. All SQL is algorithm := 'curve'$$)::bigint[];

-- A table of up to so many rows is one block, of which every group may take any.
create or replace macro sqlanon._one_block_rows() as 100000;
-- A larger one is cut into blocks of so many rows at least, and mostly fewer than twice as many.
create or replace macro sqlanon._block_rows() as 5000;
-- Is a table of so many rows cut into blocks?
create or replace macro sqlanon._is_cut(rows, algorithm) as
    rows > sqlanon._one_block_rows() and algorithm <> 'univariate';

-- Points as Mondrian has its tuples, for a table that is not one block: tuple_id, q1, ..., s (the stratum),
-- weight.
create or replace macro sqlanon._block_tuples(points, qi) as table
    from query(sqlanon._fill($$
        select point_id as tuple_id, {codes}, stratum as s, n as weight
        from {points}, (select {each qi: min(x{i}) < max(x{i}) as ordered{i}} from {points}) as ranges
    $$, map {'codes': sqlanon._each(qi, 'if(ranges.ordered{i}, x{i}, c{i})::integer as q{i}', ', ')}));

-- Its attributes: d, name, span. An attribute is as wide as its coordinates are apart. Categories stand on a
-- line 10 times as long as they are apart, so that they are cut before numbers are: rows of different
-- categories stay far from each other however small a block is (measured: 3 % more is lost than without
-- blocks, not 91 %).
create or replace macro sqlanon._block_attributes(points, qi) as table
    from query(sqlanon._each_filled(qi, $$
        select {i} as d, {s} as name,
               if(min(x{i}) < max(x{i}) or max(step{i}) = 0, 1,
                  max(c{i}) / (sqrt(2) * max(step{i})) / 10) as span
        from {points}
    $$, ' union all '));

-- The state before the first cut: every stratum is a part, done unless it is too large for one block.
create or replace macro sqlanon._block_start(block_tuples, refusals, algorithm) as table
    select * replace (not sqlanon._is_cut(sum(weight) over (partition by part), algorithm) as done)
    from sqlanon._mondrian_start(block_tuples, refusals, ['s']);

-- The first cuts of Mondrian, at medians: tuple_id (a point), part. No rows where the table is one block.
create or replace macro sqlanon._blocks(points, refusals, qi, k, algorithm, by_strata := false) as table
    with recursive
    block_tuple as materialized (
        from sqlanon._block_tuples(points, qi)
        where by_strata or sqlanon._is_cut((select sum(n) from query_table(points)), algorithm)
    ),
    block_attribute as materialized (from sqlanon._block_attributes(points, qi)),
    block_state as (
        from sqlanon._block_start('block_tuple', refusals, algorithm)
        union all
        from sqlanon._mondrian_step(
            'block_state',
            {call _cuts_at_medians:
                state := 'block_state', attributes := 'block_attribute', tree := null,
                k := greatest(sqlanon._block_rows(), k)})
    )
    select tuple_id, part from block_state where done and tuple_id is not null;

-- The vectors of each block: part, first_point, numbers, categories, steps, weights.
create or replace macro sqlanon._block_vectors(points, blocks, qi) as table
    from query(sqlanon._fill($$
        select part, min(point_id) as first_point, [{numbers}] as numbers, [{categories}] as categories,
               [{each qi: any_value(step{i})}] as steps, list(n order by point_id) as weights
        from {points} left join {blocks} on tuple_id = point_id group by part
    $$, map {
        'numbers': sqlanon._each(qi, 'list(x{i} order by point_id)', ', '),
        'categories': sqlanon._each(qi, 'list(c{i}::bigint order by point_id)', ', ')}));

-- The groups of all rows: row_id, group_id (from 0). Groups are numbered block by block, in the order of
-- their first points.
create or replace macro sqlanon._loop_groups(rows, points, blocks, qi, k, algorithm, gamma) as table
    with grouped as materialized (
        select part, first_point,
               sqlanon._block_groups(numbers, categories, steps, weights, algorithm, k, gamma) as groups
        from sqlanon._block_vectors(points, blocks, qi)
    ),
    numbered as (
        select part, groups,
               sum(list_max(groups) + 1) over (order by first_point)::bigint - list_max(groups) - 1 as base
        from grouped
    ),
    member as (
        select part, list(row_id order by row_id) as row_ids
        from query_table(rows) left join query_table(blocks) on tuple_id = point_id group by part
    )
    select unnest(row_ids) as row_id, unnest(groups) + base as group_id
    from numbered join member on member.part is not distinct from numbered.part;

-- No rows, or an error where the rows of the one attribute are not on a line.
create or replace macro sqlanon._refuse_off_line(points, qi, algorithm) as table
    select error('univariate takes a column of numbers or dates without missing values, which '
                 || name || ' is not: take another algorithm') as refused
    from (
        from query(sqlanon._each(
            qi, 'select {s} as name, max(step{i}) as step from ' || points, ' union all '))
    )
    where algorithm = 'univariate' and step > 0;
