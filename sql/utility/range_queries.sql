-- Workload: random range counts, and how well a release answers them (relative query error: Xiao and Tao
-- 2006, Anatomy, sec. 6; the sanity bound: Xiao, Wang and Gehrke 2011, Privelet, sec. 7; Li et al. 2015, Def.
-- 8.3).
--
-- A query counts the rows between two random values in each of up to three random columns. The release
-- answers it as if the rows of a class lay evenly on the values that the class covers: a row counts with the
-- product of the shares of these values that the query asks for. Whatever a table has, two things keep this
-- small. Ranges end at the borders of at most 64 cells of a column, each of consecutive values, so what lies
-- within one cell is the same to every query. And a workload asks for at most 24 sets of columns: the table
-- is rolled up once for each, and what is rolled up is compared with the ranges of that set, by two numbers a
-- column. Shares are worked out only of what a query asks for, and stored nowhere.

-- The cells of the columns: d, values, cells. attributes: d, values.
create or replace macro sqlanon._grid(attributes) as table
    select d, values, least(values, 64)::integer as cells from query_table(attributes);
create or replace macro sqlanon._cell(code, domain_size, parts) as
    (code::bigint * parts // domain_size)::integer;
create or replace macro sqlanon._first_of_cell(cell, domain_size, parts) as
    ((cell::bigint * domain_size + parts - 1) // parts)::integer;

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

-- The codes from the lowest to before the one beyond them, a span, as one number, quicker to group by.
create or replace macro sqlanon._span_in_one(lowest, beyond) as (lowest::bigint << 31) + beyond;
create or replace macro sqlanon._span_of_cells(first_cell, last_cell, domain_size, parts) as
    sqlanon._span_in_one(
        sqlanon._first_of_cell(first_cell, domain_size, parts),
        sqlanon._first_of_cell(last_cell + 1, domain_size, parts));

-- What a label is to queries, one number: its span, or that of the cell that it is within. For a set that
-- reaches over several cells, whose values are not all from lo to hi, it is the label's number below 0.
create or replace macro sqlanon._profile(number, lo, hi, members, domain_size, parts) as
    case when sqlanon._cell(lo, domain_size, parts) = sqlanon._cell(hi, domain_size, parts)
         then sqlanon._span_of_cells(
             sqlanon._cell(lo, domain_size, parts), sqlanon._cell(lo, domain_size, parts), domain_size, parts)
         when members is null then sqlanon._span_in_one(lo, hi + 1)
         else -number end;

-- One row, with lists by the number of the label: lowest, beyond (codes), below (of sets, a list: how many of
-- their values are below each cell; the last one is all of them). labels: number, d, lo, hi, members.
create or replace macro sqlanon._sets_in_cells(labels, grid) as table
    select list(lo order by number) as lowest, list(hi + 1 order by number) as beyond,
           list(below order by number) as below
    from (
        select number, lo, hi,
               case when sqlanon._profile(number, lo, hi, members, values, cells) < 0
                    then list_transform(range(cells + 1), lambda cell:
                        len(list_filter(members, lambda code: sqlanon._cell(code, values, cells) < cell)))
               end as below
        from query_table(labels) join query_table(grid) using (d)
    );

-- The queries, a row each: query, chosen, columns (a list), and of each of three columns lo1, past1 (codes),
-- first1, last1 (cells), ... Without a second or third column it asks for all of a span of one code there.
-- (Out of a list in one row, DuckDB expects few of them: so joins build their tables of these.)
create or replace macro sqlanon._ranges(workload, grid) as table
    with listed as (
        select query, any_value(chosen)::utinyint as chosen, list(d order by place) as columns,
               list({
                   'lo': sqlanon._first_of_cell(lo, values, cells),
                   'past': sqlanon._first_of_cell(hi + 1, values, cells), 'first': lo, 'last': hi
               } order by place) as asked
        from query_table(workload) join query_table(grid) using (d) group by query
    ),
    single as (
        select list({
            'query': query, 'chosen': chosen, 'columns': columns,
            'lo1': asked[1].lo, 'past1': asked[1].past, 'first1': asked[1].first, 'last1': asked[1].last,
            'lo2': coalesce(asked[2].lo, 0), 'past2': coalesce(asked[2].past, 1),
            'first2': asked[2].first, 'last2': asked[2].last,
            'lo3': coalesce(asked[3].lo, 0), 'past3': coalesce(asked[3].past, 1),
            'first3': asked[3].first, 'last3': asked[3].last
        }) as queries
        from listed
    )
    select unnest(queries, max_depth := 2) from single;

-- The share of a label's values that a query asks for. below: of a set.
create or replace macro sqlanon._share_asked_for(lowest, beyond, below, lo, past, first_cell, last_cell) as
    case when below is null then (least(beyond, past) - greatest(lowest, lo)) / (beyond - lowest)
         else (below[last_cell + 2] - below[first_cell + 1]) / below[len(below)] end;

-- The answers of a table: query, answer. profiled: profiles (a list in the order of d), weight.
-- sets_in_cells, ranges: as above. exponent: 2 for a variance, in which shares are squared.
create or replace macro sqlanon._answers(profiled, sets_in_cells, ranges, exponent := 1) as table
    with column_set as (select distinct chosen, columns from query_table(ranges)),
    rolled as (
        select chosen,
               profiles[columns[1]] as profile1,
               coalesce(profiles[columns[2]], sqlanon._span_in_one(0, 1)) as profile2,
               coalesce(profiles[columns[3]], sqlanon._span_in_one(0, 1)) as profile3,
               sum(weight::double) as weight
        from query_table(profiled), column_set group by all
    ),
    placed as (
        select chosen, weight,
               below[set1] as below1, coalesce(lowest[set1], profile1 >> 31)::integer as lowest1,
               coalesce(beyond[set1], profile1 & 2147483647)::integer as beyond1,
               below[set2] as below2, coalesce(lowest[set2], profile2 >> 31)::integer as lowest2,
               coalesce(beyond[set2], profile2 & 2147483647)::integer as beyond2,
               below[set3] as below3, coalesce(lowest[set3], profile3 >> 31)::integer as lowest3,
               coalesce(beyond[set3], profile3 & 2147483647)::integer as beyond3
        from (
            -- of place 0 of a list there is nothing, of -1 the last one
            select *, greatest(-profile1, 0) as set1, greatest(-profile2, 0) as set2,
                   greatest(-profile3, 0) as set3
            from rolled
        ), query_table(sets_in_cells)
    ),
    shared as (
        select query, weight,
               sqlanon._share_asked_for(lowest1, beyond1, below1, lo1, past1, first1, last1) as share1,
               sqlanon._share_asked_for(lowest2, beyond2, below2, lo2, past2, first2, last2) as share2,
               sqlanon._share_asked_for(lowest3, beyond3, below3, lo3, past3, first3, last3) as share3
        from placed join query_table(ranges) using (chosen)
        where lowest1 < past1 and beyond1 > lo1 and lowest2 < past2 and beyond2 > lo2
          and lowest3 < past3 and beyond3 > lo3
    )
    select query, list_sum(list_sort(list(
               case exponent when 1 then weight * share1 * share2 * share3
                             else weight * (share1 * share1) * (share2 * share2) * (share3 * share3) end
           ))) as answer
    from shared group by query;
