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

-- The range of what so many people have in all. (Nobody has 0, whatever a value can be.)
create or replace macro sqlanon._least_sum(n_lo, n_hi, measure_least) as
    if(n_hi = 0, 0, if(measure_least < 0, n_hi, n_lo) * measure_least);
create or replace macro sqlanon._most_sum(n_lo, n_hi, measure_most) as
    if(n_hi = 0, 0, if(measure_most < 0, n_lo, n_hi) * measure_most);

-- The boxes whose sum is hidden, in a table that has sums: box.
create or replace macro sqlanon._hidden_sums(cells, cell_boxes, box_sums) as table
    with measured as (
        select nth from query_table(cells) group by nth having count(total_shown) + count(mean) > 0
    )
    select distinct box
    from query_table(cells) semi join measured using (nth)
    join (select cell, box from query_table(cell_boxes)) using (cell)
    anti join query_table(box_sums) using (box);

-- May they be somebody, and fewer people than a threshold?
create or replace macro sqlanon._may_be_few(n_lo, n_hi, threshold) as
    n_lo < threshold and coalesce(n_hi, 1) >= 1;

-- Is a sum known within so many percent, on each side? So it is if no value of the interval has so many
-- percent of it below and above that are possible, too (as what suppress_cells leaves must have).
create or replace macro sqlanon._is_sum_known(lo, hi, percent) as
    coalesce(case when lo > 0 then hi * (1 - percent / 100) < lo * (1 + percent / 100)
                  when hi < 0 then lo * (1 - percent / 100) > hi * (1 + percent / 100) else false end
             or hi - lo <= 1e-9 * greatest(1, abs(lo), abs(hi)), false);

-- The sums of differences of people who may be few: large, small, n_lo, n_hi, lo, hi, parts. few_parts: of
-- _parts_of_differences; sum_bounds: cell, lo, hi (parts first, then boxes).
create or replace macro sqlanon._sums_of_differences(
    few_parts, box_parts, sum_bounds, threshold, measure_least, measure_most) as table
    with number as (select coalesce(max(part), 0) as parts from query_table(box_parts)),
    box_sum as (
        select cell - number.parts as box, lo, hi from query_table(sum_bounds), number
        where cell > number.parts
    ),
    few as (from query_table(few_parts) where sqlanon._may_be_few(lo, hi, threshold)),
    by_parts as (
        select large, small, sum(bound.lo) as lo,
               case when count(bound.hi) = count(*) then sum(bound.hi) end as hi
        from (select large, small, unnest(parts) as part from few)
        join query_table(sum_bounds) as bound on bound.cell = part group by large, small
    )
    select few.large, few.small, few.lo as n_lo, few.hi as n_hi, few.parts,
           greatest(one.lo - other.hi, sqlanon._least_sum(few.lo, few.hi, measure_least), by_parts.lo) as lo,
           least(one.hi - other.lo, sqlanon._most_sum(few.lo, few.hi, measure_most), by_parts.hi) as hi
    from few join by_parts on by_parts.large = few.large and by_parts.small = few.small
    left join box_sum as one on one.box = few.large left join box_sum as other on other.box = few.small;

-- Differences whose sum is known by two numbers, in words. sum_bounds: cell, lo, hi (parts first, then
-- boxes).
create or replace macro sqlanon._sums_in_words(
    differences, all_boxes, box_parts, sum_bounds, box_names, titles) as table
    with number as (select coalesce(max(part), 0) as parts from query_table(box_parts)),
    box_sum as (select cell - number.parts as box, lo, hi from query_table(sum_bounds), number)
    select one_name.name || ' - ' || other_name.name as cell, own.lo as lower, own.hi as upper,
           list_transform(list_concat([one.tables[1]], list_filter([other.tables[1]], lambda own_table:
                                                                       own_table <> one.tables[1])),
                          lambda own_table: sqlanon._list(titles)[own_table]) as tables,
           coalesce(one_name.name || ' (' || sqlanon._sum_text(one_sum.lo, one_sum.hi) || ' in all) - '
                    || other_name.name || ' (' || sqlanon._sum_text(other_sum.lo, other_sum.hi) || ') = ', '')
               || sqlanon._sum_text(own.lo, own.hi) || ', of ' || sqlanon._count_text(n_lo, n_hi)
               || if(n_hi = 1, ' person', ' people') as because,
           'sum' as found_by, false as unfinished
    from query_table(differences) as own
    join query_table(all_boxes) as one on one.box = large
    join query_table(all_boxes) as other on other.box = small
    left join box_sum as one_sum on one_sum.box = large
    left join box_sum as other_sum on other_sum.box = small
    join query_table(box_names) as one_name on one_name.box = large
    join query_table(box_names) as other_name on other_name.box = small;
create or replace macro sqlanon._sum_text(lo, hi) as
    sqlanon._number_text(round(lo, 5))
    || case when hi is null then ' or more'
            when round(hi, 5) > round(lo, 5) then ' to ' || sqlanon._number_text(round(hi, 5)) else '' end;

-- How many people are in parts and boxes: kind (part or box), number, lo, hi.
create or replace macro sqlanon._people_of_parts_and_boxes(intervals, box_bounds) as table
    with narrowed as (
        select keys[1] as kind, keys[2]::bigint as number, lo, hi from query_table(intervals)
    )
    from narrowed where kind = 'part'
    union all
    select 'box', box, greatest(own.lo, narrowed.lo), least(own.hi, narrowed.hi)
    from query_table(box_bounds) as own left join narrowed on kind = 'box' and number = box;

-- The whole sets all of whose parts have sums, published or hidden: as in _boxes_of_whole_sets.
create or replace macro sqlanon._measured_whole_sets(whole_boxes, measured_boxes) as table
    select nth, d, box, any_value(sets) as sets, parts
    from (select *, unnest(parts) as part from query_table(whole_boxes))
    left join (select distinct box as part, true as is_measured from query_table(measured_boxes)) as own
        using (part)
    group by nth, d, box, parts having count(is_measured) = count(*);

-- Parts and boxes with what is known of their sums at first: cell (parts first, then boxes), keys, is_asked
-- (where they may be few), known_alone, lo, hi. Nothing where no sum is published.
create or replace macro sqlanon._first_sums_of_parts(
    people, box_parts, box_sums, hidden_sums, measured_whole_sets, threshold, measure_least,
    measure_most) as table
    with number as (select coalesce(max(part), 0) as parts from query_table(box_parts)),
    first as (
        select kind, people.number, lo < threshold as is_asked,
               coalesce(sqlanon._least_sum(lo, hi, measure_least), -1e15) as lo,
               sqlanon._most_sum(lo, hi, measure_most) as hi
        from query_table(people) as people
    ),
    unpublished as (
        select box, true as is_hidden from query_table(hidden_sums)
        union all
        select distinct box, false from query_table(measured_whole_sets)
        anti join query_table(box_sums) using (box) anti join query_table(hidden_sums) using (box)
    )
    select first.number as cell, ['part', first.number::varchar] as keys, is_asked,
           null::double as known_alone, lo, hi
    from first where kind = 'part' and exists (from query_table(box_sums))
    union all
    select number.parts + box, ['box', box::varchar], is_hidden and is_asked, null, lo, hi
    from number, unpublished join first on kind = 'box' and first.number = box
    union all
    select number.parts + box, ['box', box::varchar], false, null, lo, hi
    from number, query_table(box_sums);

-- The sums of boxes that have one: total, d, cell.
create or replace macro sqlanon._sums_of_measured_parts(sums, first_sums) as table
    from query_table(sums) as own semi join query_table(first_sums) as first on first.cell = own.total;

-- The parts, unions and boxes with a hidden sum that all tables together tell, where they may be few: part
-- (below 0: a union) or box, lo, hi, unfinished, n_lo, n_hi. Not those that are a box of a table with sums:
-- their sum is published, or it is a hidden one. people: of _people_of_parts_and_boxes.
create or replace macro sqlanon._known_sums_of_parts(
    sum_intervals, union_intervals, unions, people, part_boxes, measured_boxes, differences, threshold,
    percent) as table
    with own as (
        select keys[1] as kind, keys[2]::bigint as number, lo, hi, unfinished
        from query_table(sum_intervals) where keys[1] <> 'piece'
        union all
        select 'union', number, lo, hi, unfinished from query_table(union_intervals)
    ),
    people_of as (
        select kind, number, lo as n_lo, hi as n_hi from query_table(people)
        union all
        select 'union', own.number, sum(lo), case when count(hi) = count(*) then sum(hi) end
        from (select number, unnest(parts) as part from query_table(unions)) as own
        join query_table(people) as people on kind = 'part' and people.number = part group by own.number
    ),
    known as (
        from own join people_of using (kind, number)
        where sqlanon._is_sum_known(lo, hi, percent) and sqlanon._may_be_few(n_lo, n_hi, threshold)
    ),
    alone as (
        select any_value(part) as part from query_table(part_boxes)
        semi join query_table(measured_boxes) using (box) group by box having count(*) = 1
    )
    select if(kind = 'part', number, -number) as part, null::bigint as box, lo, hi, unfinished, n_lo, n_hi
    from known anti join alone on kind = 'part' and alone.part = number
    anti join (select parts[1] as part from query_table(differences) where len(parts) = 1) as told
        on kind = 'part' and told.part = number
    where kind <> 'box'
    union all
    select null, number, lo, hi, unfinished, n_lo, n_hi from known where kind = 'box';
-- Sums of parts, unions and hidden cells, in words. around: of _boxes_around; part_names: those of unions,
-- too.
create or replace macro sqlanon._sums_of_parts_in_words(
    found, around, box_counts, part_names, cell_names, titles) as table
    with tables_around as (
        select part, list(distinct nth order by nth) as tables
        from (select part, unnest(own.tables) as nth
              from query_table(around) join query_table(box_counts) as own using (box))
        group by part
    ),
    named as (
        select own.*, part_name.name, tables_around.tables
        from query_table(found) as own join query_table(part_names) as part_name using (part)
        left join tables_around using (part)
        union all
        select own.*, cell_name.name, box.tables
        from query_table(found) as own join query_table(box_counts) as box using (box)
        join query_table(cell_names) as cell_name using (cell)
    )
    select name as cell, lo as lower, hi as upper,
           list_distinct(coalesce(list_transform(tables, lambda nth: sqlanon._list(titles)[nth]),
                                  sqlanon._list(titles))) as tables,
           sqlanon._count_text(n_lo, n_hi) || if(n_hi = 1, ' person has ', ' people have ')
               || sqlanon._sum_text(lo, hi) || ' in all, by all sums together' as because,
           'sum' as found_by, unfinished
    from named;

-- One row where the sums of some parts are not finished.
create or replace macro sqlanon._unfinished_sums_in_words(sum_intervals) as table
    select count(*) || if(count(*) = 1, ' sum', ' sums') as cell, null::double as lower,
           null::double as upper, []::varchar[] as tables,
           'not finished: more may be known of them (give more solver_seconds)' as because,
           'unfinished' as found_by, true as unfinished
    from query_table(sum_intervals) where unfinished having count(*) > 0;

-- No rows, or an error: sums and means that are no numbers.
create or replace macro sqlanon._refuse_sums_together(cells, titles) as table
    select error('table ' || sqlanon._list(titles)[nth] || ' has a sum or mean that is no number: '
                 || min(coalesce(total_shown, mean))) as refused
    from query_table(cells)
    where (total_shown is not null and try_cast(total_shown as double) is null)
       or (mean is not null and try_cast(mean as double) is null)
    group by nth;

-- A row where sums contradict each other, or the range.
create or replace macro sqlanon._contradicting_sums_in_words(
    bounds, open_sums, solved, box_parts, box_names, titles) as table
    with contradiction as (
        from sqlanon._contradicted_bounds(bounds, open_sums, solved, box_parts, box_names, 'have')
    )
    select len(sqlanon._list(titles)) || ' tables' as cell, null::double as lower, null::double as upper,
           sqlanon._list(titles) as tables,
           'the sums contradict each other: ' || arg_min(told, (place, told))
               || sqlanon._advice_about_sums() as because,
           'contradiction' as found_by, true as unfinished
    from contradiction having count(*) > 0;
create or replace macro sqlanon._advice_about_sums() as
    ' (measure_least := 0 and measure_most := 100 say what values are assumed to be at least and at most; of '
    || 'rounded sums give decimals := 2)';

-- The chain: what is known of sums, in the columns of tables_together; and none. people: of
-- _people_of_parts_and_boxes.
create or replace macro sqlanon._no_sums() as
    'select null::varchar as cell, null::double as lower, null::double as upper, null::varchar[] as tables, '
    || 'null::varchar as because, null::varchar as found_by, null::boolean as unfinished where false';
create or replace macro sqlanon._sums_together(
    cells, cell_boxes, box_counts, box_parts, part_boxes, all_boxes, all_part_boxes, whole_boxes, few,
    groups, empty_atoms, nodes, blocks, turns, sides, sizes, sums, people, dimension_points,
    numbered_dimensions, point_names, cell_names, box_names, titles, threshold, decimals, measure_least,
    measure_most, percent, programs, seconds, rounds) as table
    with _sqlanon_box_sum as materialized (
        from sqlanon._sums_of_boxes(cells, cell_boxes, box_counts, decimals)
    ),
    _sqlanon_hidden_sum as materialized (from sqlanon._hidden_sums(cells, cell_boxes, '_sqlanon_box_sum')),
    _sqlanon_measured_box as materialized (
        select box, false as is_hidden from _sqlanon_box_sum
        union all select box, true from _sqlanon_hidden_sum
    ),
    _sqlanon_measured_set as materialized (
        from sqlanon._measured_whole_sets(whole_boxes, '_sqlanon_measured_box')
    ),
    _sqlanon_first_sum as materialized (
        from sqlanon._first_sums_of_parts(
            people, box_parts, '_sqlanon_box_sum', '_sqlanon_hidden_sum', '_sqlanon_measured_set', threshold,
            measure_least, measure_most)
    ),
    _sqlanon_measured as materialized (from sqlanon._sums_of_measured_parts(sums, '_sqlanon_first_sum')),
    _sqlanon_every_measured as materialized (
        from _sqlanon_measured
        union all
        from sqlanon._sums_of_whole_sets('_sqlanon_measured_set', box_parts)
    ),
    _sqlanon_sum_bound as materialized (
        from sqlanon._bounds_of_sums('_sqlanon_first_sum', '_sqlanon_every_measured', true, rounds)
    ),
    _sqlanon_open_measure as materialized (
        from sqlanon._open_sums('_sqlanon_sum_bound', '_sqlanon_measured', true)
    ),
    _sqlanon_part_people as materialized (
        select number as cell, lo, hi from query_table(people) where kind = 'part'
    ),
    _sqlanon_box_people as materialized (
        select number as box, lo, hi from query_table(people) where kind = 'box'
    ),
    _sqlanon_measured_parts as materialized (
        from query_table(part_boxes) semi join _sqlanon_measured_box using (box)
    ),
    _sqlanon_few_measured as materialized (
        from sqlanon._parts_of_differences(
            few, '_sqlanon_measured_parts', all_part_boxes, '_sqlanon_part_people', threshold)
    ),
    _sqlanon_first_measured as materialized (
        from sqlanon._first_differences('_sqlanon_few_measured', all_boxes)
    ),
    _sqlanon_difference_sum as materialized (
        from sqlanon._sums_of_differences(
            '_sqlanon_first_measured', box_parts, '_sqlanon_sum_bound', threshold, measure_least,
            measure_most)
    ),
    _sqlanon_known_sum as materialized (
        from _sqlanon_difference_sum where sqlanon._is_sum_known(lo, hi, percent)
    ),
    _sqlanon_unknown_sum as materialized (
        from _sqlanon_difference_sum where not sqlanon._is_sum_known(lo, hi, percent)
    ),
    _sqlanon_sum_union as materialized (
        from sqlanon._unions_of_parts(
            groups, '_sqlanon_unknown_sum', '_sqlanon_known_sum', part_boxes, all_part_boxes,
            '_sqlanon_box_people', '_sqlanon_part_people', '_sqlanon_measured_box', threshold)
    ),
    {steps _intervals_and_unions: first_bounds := '_sqlanon_first_sum', bounds := '_sqlanon_sum_bound',
        open_sums := '_sqlanon_open_measure', unions := '_sqlanon_sum_union', whole := false, rule := 0},
    _sqlanon_found_sum as materialized (
        from sqlanon._known_sums_of_parts(
            '_sqlanon_interval', '_sqlanon_union_interval', '_sqlanon_sum_union', people, part_boxes,
            '_sqlanon_measured_box', '_sqlanon_known_sum', threshold, percent)
    ),
    _sqlanon_measured_part as (from query_table(box_parts) semi join _sqlanon_found_sum using (part)),
    _sqlanon_measured_union as materialized (
        from _sqlanon_sum_union as own semi join _sqlanon_found_sum as found on found.part = -own.number
    ),
    _sqlanon_around_sum as materialized (
        from sqlanon._boxes_around('_sqlanon_found_sum', '_sqlanon_measured_union', part_boxes)
    ),
    _sqlanon_sum_name as (
        from sqlanon._names_of_parts('_sqlanon_measured_part', sides, sizes, point_names)
        union all
        from sqlanon._names_of_unions(
            '_sqlanon_measured_union', box_parts, empty_atoms, nodes, blocks, turns, sides, sizes,
            dimension_points, numbered_dimensions, point_names)
        anti join (select -number as part from _sqlanon_measured_union where large is not null) as difference
            using (part)
        union all
        select -number, one_name.name || ' - ' || other_name.name
        from _sqlanon_measured_union join query_table(box_names) as one_name on one_name.box = large
        join query_table(box_names) as other_name on other_name.box = small
    ),
    _sqlanon_sum_contradiction as materialized (
        from sqlanon._contradicting_sums_in_words(
            '_sqlanon_sum_bound', '_sqlanon_open_measure', '_sqlanon_solved', box_parts, box_names, titles)
    ),
    _sqlanon_sum_told as (
        from sqlanon._sums_in_words(
            '_sqlanon_known_sum', all_boxes, box_parts, '_sqlanon_sum_bound', box_names, titles)
        union all
        from sqlanon._sums_of_parts_in_words(
            '_sqlanon_found_sum', '_sqlanon_around_sum', box_counts, '_sqlanon_sum_name', cell_names, titles)
        union all
        from sqlanon._unfinished_sums_in_words('_sqlanon_interval')
        union all
        from sqlanon._untried_unions_in_words('_sqlanon_sum_union')
    )
    from _sqlanon_sum_told where not exists (from _sqlanon_sum_contradiction)
    union all
    from _sqlanon_sum_contradiction
    union all by name
    select refused::double as lower from sqlanon._refuse_sums_together(cells, titles);
