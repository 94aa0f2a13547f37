-- Sums of a measure in tables together: what the people of a cell that nobody has published have in all, such
-- as the income of the one who is in one table and not in another (Denning, Denning and Schwartz 1979, The
-- Tracker). A printed sum, or a mean of so many people, is an interval for the sum over the atoms of its cell
-- (sql/tables/common_atoms.sql); each atom's sum is between its people times the smallest value that
-- somebody can have and its people times the largest. Bounds follow as those of counts do, by differences of
-- two cells, from sum to sum, and by linear programs.

-- How many decimals a number is written with; those that are given, where they are.
create or replace macro sqlanon._half_of_last_digit(shown, decimals) as
    0.5 * power(10, -coalesce(decimals, length(regexp_extract(shown, '\.(\d*)$', 1))));

-- What is known of the sums of boxes: box, lo, hi. A sum that is printed as a whole number is exact, if
-- decimals is not given.
create or replace macro sqlanon._sums_of_boxes(cells, cell_boxes, box_counts, decimals) as table
    with shown_sum as (
        select box, try_cast(total_shown as double) as told,
               if(decimals is null and not contains(total_shown, '.'), 0,
                  sqlanon._half_of_last_digit(total_shown, decimals)) as off
        from query_table(cells) join (select cell, box from query_table(cell_boxes)) using (cell)
        where total_shown is not null
    ),
    shown_mean as (
        select box, try_cast(mean as double) as told, lo as n,
               sqlanon._half_of_last_digit(mean, decimals) as off
        from query_table(cells) join (select cell, box from query_table(cell_boxes)) using (cell)
        join query_table(box_counts) using (box)
        where mean is not null and lo = hi
    ),
    said as (
        select box, told - off as lo, told + off as hi from shown_sum where told is not null
        union all
        select box, n * (told - off), n * (told + off) from shown_mean where told is not null
    )
    select box, max(lo) as lo, min(hi) as hi from said group by box;

-- The range of what so many people have in all.
create or replace macro sqlanon._least_sum(n_lo, n_hi, measure_least) as
    if(measure_least < 0, n_hi, n_lo) * measure_least;
create or replace macro sqlanon._most_sum(n_lo, n_hi, measure_most) as
    if(measure_most < 0, n_lo, n_hi) * measure_most;

-- Is a sum of a few people known within so many percent?
create or replace macro sqlanon._is_sum_known(lo, hi, percent) as
    coalesce(hi - lo <= percent / 100 * greatest(abs(lo), abs(hi)) + 1e-9, false);

-- The differences of few people whose sum is known: large, small (boxes), n_lo, n_hi, lo, hi.
create or replace macro sqlanon._known_sums_of_differences(
    nested, box_counts, box_sums, threshold, measure_least, measure_most, percent) as table
    with pair as (
        select large, small, greatest(one.lo - other.hi, 0) as n_lo, one.hi - other.lo as n_hi
        from query_table(nested)
        join query_table(box_counts) as one on one.box = large
        join query_table(box_counts) as other on other.box = small
        where large <> small and not list_has_any(one.tables, other.tables)
          and one.hi - other.lo between 1 and threshold - 1
    ),
    bounded as (
        select large, small, n_lo, n_hi,
               greatest(one.lo - other.hi, sqlanon._least_sum(n_lo, n_hi, measure_least)) as lo,
               least(one.hi - other.lo, sqlanon._most_sum(n_lo, n_hi, measure_most)) as hi
        from pair
        join query_table(box_sums) as one on one.box = large
        join query_table(box_sums) as other on other.box = small
    )
    from bounded where sqlanon._is_sum_known(lo, hi, percent);

-- The same in words. box_sums: of _sums_of_boxes.
create or replace macro sqlanon._sums_in_words(differences, box_counts, box_sums, cell_names, titles) as table
    select one_name.name || ' - ' || other_name.name as cell, own.lo as lower, own.hi as upper,
           [sqlanon._list(titles)[one.tables[1]], sqlanon._list(titles)[other.tables[1]]] as tables,
           one_name.name || ' (' || sqlanon._sum_text(one_sum.lo, one_sum.hi) || ' in all) - '
               || other_name.name || ' (' || sqlanon._sum_text(other_sum.lo, other_sum.hi) || ') = '
               || sqlanon._sum_text(own.lo, own.hi) || ', of ' || sqlanon._count_text(n_lo, n_hi)
               || if(n_hi = 1, ' person', ' people') as because,
           'sum' as found_by, false as unfinished
    from query_table(differences) as own
    join query_table(box_counts) as one on one.box = large
    join query_table(box_counts) as other on other.box = small
    join query_table(box_sums) as one_sum on one_sum.box = large
    join query_table(box_sums) as other_sum on other_sum.box = small
    join query_table(cell_names) as one_name on one_name.cell = one.cell
    join query_table(cell_names) as other_name on other_name.cell = other.cell;
create or replace macro sqlanon._sum_text(lo, hi) as
    sqlanon._number_text(round(lo, 6))
    || if(round(hi, 6) > round(lo, 6), ' to ' || sqlanon._number_text(round(hi, 6)), '');

-- Parts and boxes with what is known of their sums at first: cell (parts first, then boxes), keys, is_asked
-- (of parts with few people), known_alone, lo, hi. Nothing where no sum is published.
create or replace macro sqlanon._first_sums_of_parts(
    intervals, box_parts, box_sums, threshold, measure_least, measure_most) as table
    with number as (select coalesce(max(part), 0) as parts from query_table(box_parts))
    select keys[2]::bigint as cell, keys, coalesce(hi between 1 and threshold - 1, false) as is_asked,
           null::double as known_alone,
           coalesce(sqlanon._least_sum(lo, hi, measure_least), -1e15) as lo,
           sqlanon._most_sum(lo, hi, measure_most) as hi
    from query_table(intervals) where keys[1] = 'part' and exists (from query_table(box_sums))
    union all
    select number.parts + box, ['box', box::varchar], false, null, lo, hi
    from number, query_table(box_sums);

-- The sums of boxes that have one: total, d, cell.
create or replace macro sqlanon._sums_of_measured_parts(sums, first_sums) as table
    from query_table(sums) as own semi join query_table(first_sums) as first on first.cell = own.total;

-- The parts of few people whose sum all tables together tell, in words. sum_intervals, intervals: of sums and
-- counts.
create or replace macro sqlanon._known_sums_of_parts(
    sum_intervals, intervals, part_boxes, box_counts, differences, percent) as table
    with alone as (
        select any_value(part) as part from query_table(part_boxes)
        semi join query_table(box_counts) using (box) group by box having count(*) = 1
    )
    select own.keys[2]::bigint as part, own.lo, own.hi, own.unfinished, n.lo as n_lo, n.hi as n_hi
    from query_table(sum_intervals) as own join query_table(intervals) as n on n.keys = own.keys
    anti join alone on alone.part = own.keys[2]::bigint
    anti join sqlanon._parts_that_are_differences(differences, part_boxes) as told
        on told.part = own.keys[2]::bigint
    where sqlanon._is_sum_known(own.lo, own.hi, percent);
create or replace macro sqlanon._sums_of_parts_in_words(
    found, part_boxes, box_counts, part_names, titles) as table
    with around as (
        select part, list(distinct nth order by nth) as tables
        from (select part, unnest(own.tables) as nth
              from query_table(part_boxes) join query_table(box_counts) as own using (box))
        semi join query_table(found) using (part) group by part
    )
    select part_name.name as cell, own.lo as lower, own.hi as upper,
           list_transform(around.tables, lambda nth: sqlanon._list(titles)[nth]) as tables,
           sqlanon._count_text(n_lo, n_hi) || if(n_hi = 1, ' person has ', ' people have ')
               || sqlanon._sum_text(own.lo, own.hi) || ' in all, by all sums together' as because,
           'sum' as found_by, unfinished
    from query_table(found) as own
    join query_table(part_names) as part_name on part_name.part = own.part
    left join around on around.part = own.part;

-- One row where the sums of some parts are not finished.
create or replace macro sqlanon._unfinished_sums_in_words(sum_intervals) as table
    select count(*) || if(count(*) = 1, ' sum', ' sums') as cell, null::double as lower,
           null::double as upper, []::varchar[] as tables,
           'not finished: more may be known of them (give more solver_seconds)' as because,
           'unfinished' as found_by, true as unfinished
    from query_table(sum_intervals) where unfinished having count(*) > 0;

-- No rows, or an error: sums and means that are no numbers, or that contradict each other, or the range.
create or replace macro sqlanon._refuse_sums_together(
    cells, bounds, open_sums, solved, box_parts, box_counts, cell_names, titles) as table
    with box_name as (from sqlanon._names_of_boxes(box_parts, box_counts, cell_names)),
    clashing as (from sqlanon._clashing_equations(open_sums, solved)),
    named as (
        select distinct name from clashing join query_table(open_sums) using (equation)
        join box_name on box_name.cell = total
    )
    select error('table ' || sqlanon._list(titles)[nth] || ' has a sum or mean that is no number: '
                 || min(coalesce(total_shown, mean))) as refused
    from query_table(cells)
    where (total_shown is not null and try_cast(total_shown as double) is null)
       or (mean is not null and try_cast(mean as double) is null)
    group by nth
    union all
    select error('the sums contradict each other: ' || coalesce(any_value(name), 'some people')
                 || ' would have at least ' || sqlanon._number_text(max(lo)) || ' and at most '
                 || sqlanon._number_text(min(hi)) || sqlanon._advice_about_sums()) as refused
    from query_table(bounds) as bound left join box_name using (cell)
    where sqlanon._is_above(lo, hi) group by bound.cell
    union all
    select error('the sums contradict each other: ' || count(*) || ' cells cannot hold together, '
                 || string_agg(name, '; ' order by name) || sqlanon._advice_about_sums())
    from named having count(*) > 0;
create or replace macro sqlanon._advice_about_sums() as
    ' (values of at least measure_least are assumed, and at most measure_most; of rounded'
    || ' sums give decimals)';
