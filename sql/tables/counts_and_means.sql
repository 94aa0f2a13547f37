-- Means beside counts that are known within bounds, such as counts with noise. The mean of 20 people can be
-- 9.25, that of 19 cannot, if what they have are whole numbers: then 19 x 9.25 would be one, too. So means
-- undo noise (Hundepool et al. 2024, Handbook on Statistical Disclosure Control, ch. 5): perturbed counts of
-- 9, 14 and 19, of a noise of at most 2, with the means 11.25, 7.9167 and 9.25 are 8, 12 and 20.

-- Can so many people have a mean? off: half of its last digit; step: what people have are its multiples.
create or replace macro sqlanon._fits_mean(n, told, off, step) as
    ceil(n * (told - off) / step - 1e-9) <= floor(n * (told + off) / step + 1e-9);

-- The boxes that have a mean, in the table of their counts or in another one, with the numbers of people that
-- fit it: box, lo, hi (before), mean, fitting (a list).
create or replace macro sqlanon._counts_that_fit(cells, cell_boxes, box_counts, decimals, step) as table
    with shown as (
        select box, mean, try_cast(mean as double) as told,
               sqlanon._half_of_last_digit(mean, decimals) as off
        from query_table(cells) join (select cell, box from query_table(cell_boxes)) using (cell)
        where mean is not null
    ),
    candidate as (
        select box, lo, hi, mean, told, off, unnest(range(greatest(lo, 1)::bigint, hi::bigint + 1)) as n
        from shown join query_table(box_counts) using (box)
        where told is not null and hi >= greatest(lo, 1) and hi - lo <= 1000
    ),
    fitted as (
        select box, lo, hi, any_value(mean) as mean, n,
               bool_and(sqlanon._fits_mean(n, told, off, step)) as fits
        from candidate group by box, lo, hi, n
    )
    select box, lo, hi, any_value(mean) as mean, coalesce(list_sort(list(n) filter (fits)), []) as fitting
    from fitted group by box, lo, hi;

-- The counts of boxes, narrowed by means where it is known what people have (step not NULL).
create or replace macro sqlanon._counts_by_means(cells, cell_boxes, box_counts, decimals, step) as table
    select own.* replace (
        coalesce(fitting[1], own.lo)::double as lo, coalesce(fitting[-1], own.hi)::double as hi)
    from query_table(box_counts) as own
    left join (select box, fitting
               from sqlanon._counts_that_fit(cells, cell_boxes, box_counts, decimals, step)
               where step is not null) using (box);

-- The counts that a mean tells exactly, in words. Where nobody has said what people have, these are whole
-- numbers if all means are of such, and that is not certain.
create or replace macro sqlanon._undone_noise_in_words(
    cells, cell_boxes, box_counts, decimals, step, cell_names, titles) as table
    with fitted as materialized (
        from sqlanon._counts_that_fit(cells, cell_boxes, box_counts, decimals, coalesce(step, 1))
    )
    select name.name as cell, fitting[1]::double as lower, fitting[1]::double as upper,
           list_transform(own.tables, lambda nth: sqlanon._list(titles)[nth]) as tables,
           if(step is null, 'if people have whole numbers, ', '') || 'of '
               || sqlanon._count_text(told.lo, told.hi) || ' people only ' || fitting[1]
               || ' can have the mean ' || mean as because,
           'mean' as found_by, step is null as unfinished
    from fitted as told join query_table(box_counts) as own using (box)
    join query_table(cell_names) as name using (cell)
    where len(fitting) = 1 and told.hi > told.lo
      and (step is not null or (select bool_and(len(fitting) > 0) from fitted));
