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
create or replace macro sqlanon._lowest(span) as (span >> 31)::integer;
create or replace macro sqlanon._beyond(span) as (span & 2147483647)::integer;

-- What a label is to queries: its span, or that of the cell that it is within; and the number of a set that
-- reaches over several cells (NULL of others), whose values are not all between lo and hi.
create or replace macro sqlanon._span_of_label(lo, hi, domain_size, parts) as
    case when sqlanon._cell(lo, domain_size, parts) = sqlanon._cell(hi, domain_size, parts)
         then sqlanon._span_of_cells(
             sqlanon._cell(lo, domain_size, parts), sqlanon._cell(lo, domain_size, parts), domain_size, parts)
         else sqlanon._span_in_one(lo, hi + 1) end;
create or replace macro sqlanon._span_of_cells(first_cell, last_cell, domain_size, parts) as
    sqlanon._span_in_one(
        sqlanon._first_of_cell(first_cell, domain_size, parts),
        sqlanon._first_of_cell(last_cell + 1, domain_size, parts));
create or replace macro sqlanon._set_of_label(number, lo, hi, members, domain_size, parts) as
    case when members is not null
              and sqlanon._cell(lo, domain_size, parts) < sqlanon._cell(hi, domain_size, parts)
         then number end;

-- The sets: number (of the label), below (a list: how many of its values are below each cell; the last one
-- is all of them). labels: number, d, lo, hi, members.
create or replace macro sqlanon._sets_in_cells(labels, grid) as table
    select number,
           list_transform(range(cells + 1), lambda cell:
               len(list_filter(members, lambda code: sqlanon._cell(code, values, cells) < cell))) as below
    from query_table(labels) join query_table(grid) using (d)
    where sqlanon._set_of_label(number, lo, hi, members, values, cells) is not null;

-- The queries, a row each: query, chosen, columns (a list), and of each of three columns lo1, past1 (codes),
-- first1, last1 (cells), ... Without a second or third column it asks for all of a span of one code there.
create or replace macro sqlanon._ranges(workload, grid) as table
    with listed as (
        select query, any_value(chosen) as chosen, list(d order by place) as columns,
               list({
                   'lo': sqlanon._first_of_cell(lo, values, cells),
                   'past': sqlanon._first_of_cell(hi + 1, values, cells), 'first': lo, 'last': hi
               } order by place) as asked
        from query_table(workload) join query_table(grid) using (d) group by query
    )
    select query, chosen, columns, asked[1].lo as lo1, asked[1].past as past1, asked[1].first as first1,
           asked[1].last as last1, coalesce(asked[2].lo, 0) as lo2, coalesce(asked[2].past, 1) as past2,
           asked[2].first as first2, asked[2].last as last2, coalesce(asked[3].lo, 0) as lo3,
           coalesce(asked[3].past, 1) as past3, asked[3].first as first3, asked[3].last as last3
    from listed;

-- The share of a label's values that a query asks for. below: of a set.
create or replace macro sqlanon._share_asked_for(lowest, beyond, below, lo, past, first_cell, last_cell) as
    case when below is null then (least(beyond, past) - greatest(lowest, lo)) / (beyond - lowest)
         else (below[last_cell + 2] - below[first_cell + 1]) / below[len(below)] end;

-- The answers of a table: query, answer. spanned: spans, sets (lists in the order of d), weight.
-- sets_in_cells, ranges: as above. exponent: 2 for a variance, in which shares are squared. (Sets are joined
-- first: of what is in the ranges DuckDB expects few rows, and would build a table of them.)
create or replace macro sqlanon._answers(spanned, sets_in_cells, ranges, exponent := 1) as table
    with column_set as (select distinct chosen, columns from query_table(ranges)),
    rolled as (
        select chosen,
               spans[columns[1]] as span1, sets[columns[1]] as set1,
               coalesce(spans[columns[2]], sqlanon._span_in_one(0, 1)) as span2, sets[columns[2]] as set2,
               coalesce(spans[columns[3]], sqlanon._span_in_one(0, 1)) as span3, sets[columns[3]] as set3,
               sum(weight)::double as weight
        from query_table(spanned), column_set group by all
    ),
    placed as (
        select chosen, weight,
               one.below as below1, sqlanon._lowest(span1) as lowest1, sqlanon._beyond(span1) as beyond1,
               two.below as below2, sqlanon._lowest(span2) as lowest2, sqlanon._beyond(span2) as beyond2,
               three.below as below3, sqlanon._lowest(span3) as lowest3, sqlanon._beyond(span3) as beyond3
        from rolled
        left join query_table(sets_in_cells) as one on one.number = set1
        left join query_table(sets_in_cells) as two on two.number = set2
        left join query_table(sets_in_cells) as three on three.number = set3
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
