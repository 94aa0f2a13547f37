-- Workload: random range counts, and how well a release answers them (relative query error: Xiao and Tao
-- 2006, Anatomy, sec. 6; the sanity bound: Xiao, Wang and Gehrke 2011, Privelet, sec. 7; Li et al. 2015, Def.
-- 8.3).
--
-- A query counts the rows between two random values in each of up to three random columns. The release
-- answers it as if the rows of a class lay evenly on the values that the class covers: a row counts with the
-- product of the shares of these values that the query asks for. Whatever a table has, three things keep this
-- small. Ranges end at the borders of at most 64 cells of a column, each of consecutive values, so what lies
-- within one cell is the same to every query. A workload asks for at most 24 sets of columns, and the table
-- is rolled up once for each. And what a query leaves out of the first column is never looked at in the
-- second (materialized, because otherwise DuckDB may pair all shares first).

-- The cells of the columns: d, values, cells. attributes: d, values.
create or replace macro sqlanon._grid(attributes) as table
    select d, values, least(values, 64)::integer as cells from query_table(attributes);
create or replace macro sqlanon._cell(code, domain_size, parts) as
    (code::bigint * parts // domain_size)::integer;

-- A number that looks random, and is the same for the same seed everywhere. (Texts, because hashes of several
-- small numbers are alike.)
create or replace macro sqlanon._draw(seed, number, d, purpose) as
    hash(concat_ws(' ', seed, number, d, purpose));

-- The queries: query, chosen (the set of columns), place (1 to 3), d, lo, hi (the first and the last cell).
-- Nothing but the seed is random.
create or replace macro sqlanon._workload(grid, number_of_queries, seed) as table
    with drawn as (
        select draw, list_sort(list(d order by sqlanon._draw(seed, draw, d, 'column'), d)[:3]) as columns
        from (select unnest(range(24)) as draw), query_table(grid) group by draw
    ),
    numbered as (select draw, dense_rank() over (order by columns) as chosen, columns from drawn),
    predicate as (
        select query, chosen, unnest(range(1, len(columns) + 1)) as place, unnest(columns) as d
        from range(number_of_queries) as queries(query) join numbered on draw = query % 24
    )
    select query, chosen, place, d, least(one, other)::integer as lo, greatest(one, other)::integer as hi
    from (
        select query, chosen, place, d,
               sqlanon._draw(seed, query, d, 'one') % cells as one,
               sqlanon._draw(seed, query, d, 'other') % cells as other
        from predicate join query_table(grid) using (d)
    );

-- What a label is to queries, its profile: number (of the label), d, first_cell, last_cell, profile, below (a
-- list: how many of its values are below each cell), total (how many are there). A label within one cell has
-- that cell as its profile. labels: number, d, lo, hi, members.
create or replace macro sqlanon._profiles(labels, grid) as table
    with placed as (
        select number, d, lo, hi, members, values, cells,
               sqlanon._cell(lo, values, cells) as first_cell, sqlanon._cell(hi, values, cells) as last_cell
        from query_table(labels) join query_table(grid) using (d)
    )
    select number, d, first_cell, last_cell,
           case when first_cell = last_cell then first_cell else cells + number end::integer as profile,
           case when first_cell = last_cell then null
                when members is null
                then list_transform(range(cells + 1), lambda cell:
                    greatest(0, least(hi + 1, (cell * values + cells - 1) // cells) - lo))
                else list_transform(range(cells + 1), lambda cell:
                    len(list_filter(members, lambda code: sqlanon._cell(code, values, cells) < cell)))
           end as below,
           coalesce(len(members), hi - lo + 1) as total
    from placed;

-- The share of a profile that each query asks for, where there is one: query, place, profile, share. A query
-- without a second or third column asks for all of profile -1 there.
create or replace macro sqlanon._profile_shares(profiles, workload) as table
    with crossing as (
        select query, place, profile, (below[hi + 2] - below[lo + 1]) / total as share
        from query_table(profiles) join query_table(workload) using (d)
        where first_cell < last_cell and first_cell <= hi and last_cell >= lo
    )
    select query, place, profile, share from crossing where share > 0
    union all
    select query, place, unnest(range(lo, hi + 1))::integer as profile, 1.0 as share
    from query_table(workload)
    union all
    select query, place, -1 as profile, 1.0 as share
    from (select distinct query from query_table(workload)), (select unnest([1, 2, 3]) as place)
    where (query, place) not in (select (query, place) from query_table(workload));

-- The answers of a table: query, answer (only those above 0). profiled: profiles (a list in the order of d),
-- weight.
create or replace macro sqlanon._answers(profiled, workload, shares) as table
    with column_set as materialized (
        select chosen, list(d order by place) as columns
        from (select distinct chosen, place, d from query_table(workload))
        group by chosen
    ),
    rolled as materialized (
        select chosen,
               coalesce(profiles[columns[1]], -1) as one,
               coalesce(profiles[columns[2]], -1) as two,
               coalesce(profiles[columns[3]], -1) as three,
               sum(weight)::double as weight
        from query_table(profiled), column_set group by all
    ),
    share as (
        select query, chosen, place, profile, share
        from query_table(shares) join (select distinct query, chosen from query_table(workload)) using (query)
    ),
    narrowed as materialized (
        select query, two, three, weight * share as weight
        from rolled join share on share.chosen = rolled.chosen and place = 1 and profile = one
    ),
    narrower as materialized (
        select query, three, weight * share as weight
        from narrowed join share using (query) where place = 2 and profile = two
    )
    select query, list_sum(list_sort(list(weight * share))) as answer
    from narrower join share using (query) where place = 3 and profile = three group by query;
