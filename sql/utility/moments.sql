-- Moments: what a release with numbers (microaggregation, noise, swapping) keeps of means, variances and
-- correlations, and how far its values are from the original ones (Domingo-Ferrer and Mateo-Sanz 2002, sec.
-- 2; Domingo-Ferrer and Torra 2001).

-- The plain and finite number that a text is, or NULL.
create or replace macro sqlanon._finite(string) as
    case when isfinite(try_cast(string as double)) then try_cast(string as double) end;

-- Rows as lists of numbers, the same ones once: xs (in the order of columns; NULL where something is no
-- number), weight. Texts are in the columns that template names. No rows where there are no numeric columns.
create or replace macro sqlanon._numbers(relation, columns, template, weight, numeric_columns) as table
    from query(sqlanon._fill($$
        select [{numbers}]::double[] as xs, {weight} as weight
        from {relation}
        where (select count(*) from {numeric_columns}) > 0
        $$, map {'numbers': sqlanon._each(columns, 'sqlanon._finite(' || template || ')', ', ')}));

-- Moments of every pair of numeric columns (i <= j; i = j is the column itself), over the rows that have
-- both: i, j, mean (of i), variance (of i), correlation (NULL where a column has one value). numeric_columns:
-- d, center (a number near its values: sums stay exact longer).
create or replace macro sqlanon._moments(numbers, numeric_columns) as table
    with pair as (
        select one.d as i, other.d as j, one.center as x_center, other.center as y_center
        from query_table(numeric_columns) as one
        join query_table(numeric_columns) as other on one.d <= other.d
    ),
    joint as (
        select i, j, x_center, xs[i] - x_center as x, xs[j] - y_center as y, weight
        from query_table(numbers), pair
    ),
    summed as (
        select i, j, any_value(x_center) as x_center,
               fsum(weight * x) / sum(weight) as x,
               fsum(weight * y) / sum(weight) as y,
               fsum(weight * x * x) / sum(weight) as xx,
               fsum(weight * y * y) / sum(weight) as yy,
               fsum(weight * x * y) / sum(weight) as xy
        from joint where x is not null and y is not null group by i, j
    ),
    -- A variance that is nothing but rounding is none.
    varied as (
        select *,
               case when xx - x * x > 1e-12 * xx then xx - x * x else 0 end as x_variance,
               case when yy - y * y > 1e-12 * yy then yy - y * y else 0 end as y_variance
        from summed
    )
    select i, j, x_center + x as mean, x_variance as variance,
           case when x_variance > 0 and y_variance > 0
                then greatest(-1, least(1, (xy - x * y) / sqrt(x_variance) / sqrt(y_variance)))
           end as correlation
    from varied;

-- What has become of them, a row per measure and column: rank, measure, d, value, unit, id. original_moments,
-- released_moments: as above.
create or replace macro sqlanon._moment_changes(original_moments, released_moments) as table
    with change as (
        select i, j, was.mean, was.variance, now.mean as new_mean, now.variance as new_variance,
               abs(now.correlation - was.correlation) as correlation_change
        from query_table(original_moments) as was join query_table(released_moments) as now using (i, j)
    )
    select 1 as rank, 'mean change' as measure, i as d, (new_mean - mean) / sqrt(variance) as value,
           'standard deviations' as unit, 'mean_change' as id
    from change where i = j and variance > 0
    union all
    select 2, 'variance change', i, 100 * (new_variance / variance - 1), '%', 'variance_change'
    from change where i = j and variance > 0
    union all
    select 3, 'correlation change, mean', null, list_sum(list_sort(list(correlation_change))) / count(*),
           'correlation', 'correlation_change_mean'
    from change where i < j and correlation_change is not null having count(*) > 0
    union all
    select 4, 'correlation change, largest', null, max(correlation_change), 'correlation',
           'correlation_change_largest'
    from change where i < j and correlation_change is not null having count(*) > 0;

-- The rows of a table by their id: who (the id, as text), copies (rows with this id), numbers (a list, NULL
-- where something is no number; template: a value as text, as in _each).
create or replace macro sqlanon._rows_by_id(tbl, id, columns, template) as table
    from query(sqlanon._fill($$
        select src.{"id"}::varchar as who, count(*) as copies, any_value([{numbers}]::double[]) as numbers
        from {source} as src group by src.{"id"}::varchar
        $$, map {
            'numbers': sqlanon._each(columns, 'sqlanon._finite(' || template || ')', ', '),
            'source': sqlanon._projected(tbl, columns, [id], null)}));

-- Every row of the original with its row in the release: who (the column id, as text), copies (rows of the
-- original with this id), xs, ys (lists of numbers; NULL where the row is suppressed), new_copies (rows of
-- the release with this id).
create or replace macro sqlanon._linked_rows(original, release, id, columns) as table
    select coalesce(was.who, now.who) as who, was.numbers as xs, now.numbers as ys,
           coalesce(was.copies, 0) as copies, coalesce(now.copies, 0) as new_copies
    from sqlanon._rows_by_id(original, id, columns, 'src.{c}::varchar') as was
    full join sqlanon._rows_by_id(release, id, columns, 'sqlanon._released_text(src.{c})') as now
        on was.who is not distinct from now.who;

-- The linked rows of original and release, or no rows without an id.
create or replace macro sqlanon._linked(original, release, id, columns) as table
    from query(
        sqlanon._if_given(
            id, 'null::varchar as who, null::double[] as xs, null::double[] as ys, 0 as copies,'
            || ' 0 as new_copies',
            {call _linked_rows}));

-- No rows, or an error where an id does not say which row a released one was.
create or replace macro sqlanon._refuse_linked(linked, id) as table
    select error(n || ' rows, by column ' || id || ', ' || problem || sqlanon._such_as(first_who)) as refused
    from (
        select problem, count(*) as n, min(who) as first_who
        from (
            select who, case when copies = 0 then 'are in the release, but not in the original'
                             when copies > 1 then 'are several times in the original'
                             when new_copies > 1 then 'are several times in the release' end as problem
            from query_table(linked)
        )
        where problem is not null group by problem order by problem desc limit 1
    );

-- The sum of squared errors as a share of the total sum of squares: a row per numeric column and one for all
-- (standardized, so that each weighs the same). A suppressed row or cell is released as the column's mean.
-- original_moments: for the means.
create or replace macro sqlanon._squared_errors(linked, original_moments) as table
    with cell as (
        select i as d, mean, xs[i] as x, ys[i] as y
        from query_table(linked), query_table(original_moments)
        where i = j and xs[i] is not null
    ),
    summed as (
        select d, fsum(power(x - coalesce(y, mean), 2)) as squared_errors, fsum(power(x - mean, 2)) as squares
        from cell group by d
    ),
    ratio as (select d, squared_errors / squares as ratio from summed where squares > 0)
    select 5 as rank, 'SSE / SST' as measure, d, 100 * ratio as value, '%' as unit, 'sse_sst' as id from ratio
    union all
    select 5, 'SSE / SST', null, 100 * list_sum(list_sort(list(ratio))) / count(*), '%', 'sse_sst'
    from ratio having count(*) > 0;
