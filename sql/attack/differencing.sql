-- Differencing: counts that are suppressed because they are small come back from totals (Desfontaines 2020,
-- Lowering the cost of anonymization, sec. 3.2.3).
--
-- A table of counts has cells and, at several levels of grouping, their totals. Each total is the sum of what
-- is below it, so every count has a lower and an upper bound by the bounds of the others:
--   * a total is at least the sum of the lower bounds below it, at most that of the upper ones;
--   * a cell is at most its total less the lower bounds of the cells beside it, at least its total less their
--     upper bounds.
-- These bounds are worked out again and again until none changes. They are never wrong, but they are not
-- always the narrowest: linear and integer programming could exclude more.
--
-- They are the narrowest where the cells that are still open and the sums that they are in have no cycle. Each
-- sum alone can reach every number between the bounds of each of its cells, since whole numbers between bounds
-- add up to every whole number between the sums of these bounds. Without a cycle the rest follows (Freuder
-- 1982): fix one cell to any number within its bounds, choose the others of its sums, then those of the sums
-- of these, and so on outwards: no sum is met twice, so none is contradicted. With a cycle the last choice may
-- contradict the first, so whoever is connected with one is unfinished.

-- The cells: cell (a number), d1, d2, ... (as given), p (a list of booleans, is the dimension summed over),
-- keys (a list of texts, one per dimension), n, suppressed. total: the text that marks a total, or NULL.
create or replace macro sqlanon._count_cells(counts, dimensions, count_column, total, threshold) as table
    from query(sqlanon._fill($$
        select row_number() over () as cell, *,
               [{totals}] as p, [{keys}]::varchar[] as keys,
               n is null or coalesce(n < {threshold}, false) as suppressed
        from (
            select {dimensions}, src.{count}::bigint as n from {source} as src
        )
    $$, map {
        'totals': sqlanon._each(dimensions, case when total is null then 'd{i} is null'
            else 'coalesce(d{i}::varchar = ' || sqlanon._literal(total) || ', false)' end, ', '),
        'keys': sqlanon._each(dimensions, 'coalesce(''='' || d{i}::varchar, '''')', ', '),
        'threshold': coalesce(threshold::varchar, 'null') || '::bigint',
        'dimensions': sqlanon._each(dimensions, 'src.{c} as d{i}', ', '),
        'count': sqlanon._quote(count_column),
        'source': sqlanon._projected(counts, dimensions, count_column, null)}));

-- What sums up to what: total (a cell), part (how the cells below are grouped), cell (one of them). For every
-- two levels of grouping of which one sums over more dimensions. A level of totals that lacks some of them
-- does not sum up to anything.
create or replace macro sqlanon._sums_of_cells(cells) as table
    with level as (select distinct p from query_table(cells)),
    above as (
        select lower.p, upper.p as total_p
        from level as lower join level as upper on lower.p <> upper.p
        where len(list_filter(upper.p, lambda is_total, i: lower.p[i] and not is_total)) = 0
    ),
    placed as (
        select cell, p, total_p,
               list_transform(keys, lambda name, i: case when total_p[i] then '' else name end) as keys
        from query_table(cells) join above using (p)
    ),
    total as (
        select cell as total, p as total_p,
               list_transform(keys, lambda name, i: case when p[i] then '' else name end) as keys
        from query_table(cells)
    ),
    lacking as (select distinct total_p as p from placed anti join total using (total_p, keys))
    select total, hash(placed.p) as part, cell
    from (from placed anti join lacking using (p)) as placed join total using (total_p, keys);

-- The bounds at first: cell, lo, hi (NULL: unbounded), changed.
create or replace macro sqlanon._first_bounds(cells, threshold) as table
    select cell, case when suppressed then 0 else n end as lo,
           case when suppressed then threshold::bigint - 1 else n end as hi, true as changed, 1 as nth_round
    from query_table(cells);

-- The bounds of every cell by every sum that it is in, as a total or as a part: cell, lo, hi.
create or replace macro sqlanon._bounds_by_sums(bounds, sums) as table
    with part_sum as (
        select total, part, sum(lo) as lo, sum(hi) as hi, count(*) - count(hi) as unbounded
        from query_table(sums) join query_table(bounds) using (cell) group by total, part
    ),
    whole as (select cell as total, lo as total_lo, hi as total_hi from query_table(bounds))
    select total as cell, lo, case when unbounded = 0 then hi end as hi from part_sum
    union all
    select cell, case when part_sum.unbounded = 0 then total_lo - (part_sum.hi - bound.hi)
                      when part_sum.unbounded = 1 and bound.hi is null
                      then total_lo - coalesce(part_sum.hi, 0)
                 end,
           total_hi - (part_sum.lo - bound.lo)
    from query_table(sums)
    join query_table(bounds) as bound using (cell)
    join part_sum using (total, part)
    join whole using (total);

-- One round more, if the last one changed anything.
create or replace macro sqlanon._next_bounds(bounds, sums, rounds) as table
    with narrowed as (
        select cell, max(lo) as lo, min(hi) as hi from sqlanon._bounds_by_sums(bounds, sums) group by cell
    )
    select cell, greatest(bound.lo, narrowed.lo)::bigint as lo, least(bound.hi, narrowed.hi)::bigint as hi,
           coalesce(narrowed.lo > bound.lo, false) or coalesce(narrowed.hi < bound.hi, false)
               or (bound.hi is null and narrowed.hi is not null) as changed,
           nth_round + 1 as nth_round
    from query_table(bounds) as bound left join narrowed using (cell)
    where nth_round <= rounds and (select bool_or(changed) from query_table(bounds))
      and (select bool_and(hi is null or lo <= hi) from query_table(bounds));

create or replace macro sqlanon._narrowed_bounds(cells, sums, threshold, rounds) as table
    with recursive state as (
        from sqlanon._first_bounds(cells, threshold)
        union all
        from sqlanon._next_bounds('state', sums, rounds)
    )
    from state where nth_round = (select max(nth_round) from state);

-- The sums that do not follow from others: total, part. A sum over parts follows if there is a level between:
-- if the total has a sum over cells all of which are sums over these parts.
create or replace macro sqlanon._independent_sums(sums) as table
    with equation as (select distinct total, part from query_table(sums)),
    by_way_of as (
        select long.total, long.part, between_.part as level
        from equation as long
        join query_table(sums) as between_ on between_.total = long.total and between_.part <> long.part
        left join equation as short on short.total = between_.cell and short.part = long.part
        group by all having count(*) = count(short.total)
    )
    from equation anti join by_way_of using (total, part);

-- The open cells of the independent sums: equation (a number), cell. Of sums that have the same open cells one
-- is enough: the rest of them is known, so they say the same.
create or replace macro sqlanon._open_sums(bounds, sums) as table
    with numbered as (
        select total, part, row_number() over (order by total, part) as equation
        from sqlanon._independent_sums(sums)
    ),
    member as (
        select equation, cell, false as is_total from query_table(sums) join numbered using (total, part)
        union all
        select equation, total, true from numbered
    ),
    open_member as (
        select member.* from member join query_table(bounds) using (cell) where lo is distinct from hi
    ),
    listed as (
        select equation, list((cell, is_total) order by cell) as members from open_member group by equation
    ),
    different as (select min(equation) as equation from listed group by members)
    select equation, cell from open_member semi join different using (equation);

-- Totals that are not known to be the sum of all cells below them, and all cells if there is no level of cells
-- of which all others are totals: cell. (Cells that nobody has published may be in several totals.)
create or replace macro sqlanon._loose_cells(counted_cells, sums) as table
    with level as (select distinct p from query_table(counted_cells)),
    base as (
        select own.p from level as own join level as other
          on len(list_filter(own.p, lambda is_total, i: is_total and not other.p[i])) = 0
        group by own.p having count(*) = (select count(*) from level)
    )
    select cell from query_table(counted_cells)
    where p not in (select base.p from base)
      and cell not in (select total from query_table(sums) join base on part = hash(base.p));

-- The cells whose bounds may not be the narrowest: cell.
create or replace macro sqlanon._unfinished_cells(counted_cells, bounds, sums) as table
    with open_sum as (from sqlanon._open_sums(bounds, sums)),
    pair as (select equation as one, cell as other from open_sum),
    connected as (from sqlanon._components('pair')),
    loose as (from sqlanon._loose_cells(counted_cells, sums)),
    doubtful as (
        select component from connected left join loose on loose.cell = other group by component
        having count(*) >= count(distinct one) + count(distinct other) or count(loose.cell) > 0
    )
    select cell from query_table(bounds) where lo is distinct from hi and changed
    union
    select cell from loose join query_table(bounds) using (cell) where lo is distinct from hi
    union
    select other from connected join doubtful using (component);

-- A cell as people write it.
create or replace macro sqlanon._cell_text(keys, p) as
    list_aggregate(
        list_transform(keys, lambda name, i:
            case when p[i] then 'total' when name = '' then 'NULL' else name[2:] end),
        'string_agg', ', ');

-- No rows, or an error: a cell that is there twice, a count that is negative, or totals that contradict the
-- cells.
create or replace macro sqlanon._refuse_counts(cells, bounds, counts) as table
    from sqlanon._refuse_empty(cells, counts)
    union all
    select error('table ' || counts || ' has a negative count: ' || min(n)) as refused
    from query_table(cells) having min(n) < 0
    union all
    select error('table ' || counts || ' has the same cell ' || count(*) || ' times: '
                 || sqlanon._cell_text(any_value(keys), any_value(p)))
    from query_table(cells) group by p, keys having count(*) > 1
    union all
    select error('the totals of ' || counts || ' contradict its cells: ' || sqlanon._cell_text(keys, p)
                 || ' would be at least ' || lo || ' and at most ' || hi
                 || ' (a cell that is suppressed needs a row with NULL; one without a row counts 0)')
    from query_table(cells) join query_table(bounds) using (cell) where lo > hi;

create or replace macro sqlanon._differencing(
    counts, dimensions, count_column, total, threshold, rounds) as table
    with _sqlanon_cell as materialized (
        from sqlanon._count_cells(counts, dimensions, count_column, total, threshold)
    ),
    _sqlanon_sum as materialized (from sqlanon._sums_of_cells('_sqlanon_cell')),
    _sqlanon_bound as materialized (
        from sqlanon._narrowed_bounds('_sqlanon_cell', '_sqlanon_sum', threshold, rounds)
    ),
    _sqlanon_unfinished as materialized (
        from sqlanon._unfinished_cells('_sqlanon_cell', '_sqlanon_bound', '_sqlanon_sum')
    ),
    _sqlanon_refusal as (from sqlanon._refuse_counts('_sqlanon_cell', '_sqlanon_bound', counts))
    from query(sqlanon._fill($$
        select {dimensions}, case when lo = hi then lo::varchar end as learned,
               case when lo = hi then 1.0::double end as confidence,
               {baseline} as baseline,
               case when lo = hi and n is not null then lo = n end as is_right,
               null::boolean as is_control, lo as lower, hi as upper,
               cell in (select open_cell.cell from _sqlanon_unfinished as open_cell) as unfinished
        from _sqlanon_cell join _sqlanon_bound using (cell) where suppressed
        union all by name
        select refused::bigint as lower from _sqlanon_refusal
    $$, map {
        'dimensions': sqlanon._each(dimensions, 'd{i} as {c}', ', '),
        'baseline': coalesce('1 / ' || threshold, 'null::double')}));

create or replace macro sqlanon.differencing(
    counts, dimensions, count_column, total := null, threshold := null, rounds := 100) as table
    from query(
        case when len(sqlanon._list(dimensions)) = 0
             then error('dimensions names no column: give those by which the counts are grouped')
             else coalesce(
                 error('column "'
                       || sqlanon._claimed_twice(list_append(sqlanon._list(dimensions), count_column))
                       || '" is named twice in dimensions and count_column'), '')
        end
        || sqlanon._call('_differencing', [
            sqlanon._literal(counts), sqlanon._names(dimensions), sqlanon._literal(count_column),
            sqlanon._optional(total),
            coalesce(sqlanon._whole_number(threshold, 'threshold')::varchar, 'null'),
            coalesce(sqlanon._whole_number(rounds, 'rounds')::varchar,
                     error('rounds must be a whole number of at least 1, not NULL'))]));

comment on macro table sqlanon.differencing is $$
Works out suppressed counts from totals: one row per suppressed cell, with the bounds that the other counts
leave to it.

Parameters:
- counts (table): a row per cell, with the columns in dimensions and count_column; totals are cells, too.
- dimensions (columns): those by which the counts are grouped.
- count_column (column): the count; NULL: suppressed.
- total (text; default null): what a column of dimensions has in a cell that is summed over it, all for
  instance. If not given, NULL does, as after GROUP BY CUBE.
- threshold (integer, at least 1; default null): counts below it are suppressed, so a suppressed one is below
  it. Counts below it that are there are taken as suppressed, and as the truth about these cells.
- rounds (integer, at least 1; default 100): how often bounds are worked out at most.

Result:
- <dimensions> (unchanged): the cell.
- learned (text): the count, where lower is upper; NULL: it is not certain.
- confidence (number): 1 where the count is learned; NULL where it is not.
- baseline (number): one in the counts below the threshold; NULL without one.
- is_right (boolean): is it the true count? NULL where that is not in counts.
- is_control (boolean): NULL, because cells are not people.
- lower (integer): the least that the count can be.
- upper (integer): the most that it can be; NULL: unbounded.
- unfinished (boolean): false if lower and upper are the least and the largest count of all tables that fit
  what is published; true if that is not known, and linear programming, or more rounds, might find more.

Errors: unknown column, empty table, a column named twice, a cell that is there twice, a negative count,
totals that contradict the cells.

Notes: a cell without a row counts 0, a total without one is not known. Bounds are never wrong, and not always
the narrowest: unfinished is true unless lower is upper, or the open cells and the sums that connect them form
no cycle. Every cell is compared with its totals at all levels that there are: the time grows with the
cells and with the levels.

Source: Desfontaines 2020, Lowering the cost of anonymization, sec. 3.2.3.

Example:
with counts as (
    from (values ('north', 'flu', 12), ('north', 'cancer', null), ('north', null, 14))
        as row(place, disease, n)
)
from sqlanon.differencing('counts', dimensions := ['place', 'disease'], count_column := 'n', threshold := 5);
$$;
