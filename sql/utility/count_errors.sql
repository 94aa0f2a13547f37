-- What noise does to a table of counts: how well counts with noise answer random range counts (sql/utility/
-- range_queries.sql), and how much of the error is to be expected of the noise alone.
--
-- A query adds up shares of the counts of groups. The noise of groups is independent, so the variance of an
-- answer is the sum of their variances, each times the square of its share. A group that the release does not
-- have counts as none.

-- The groups with what they say: the columns, counted and deviation. A count or a deviation that is no number
-- is an error. released: a relation with the rows of the table release.
create or replace macro sqlanon._counted_groups(
    released, columns, count_column, deviation_column, release) as table
    from query(sqlanon._fill($$
        with _sqlanon_told as materialized (
            select {each columns: src.{c} as k{i}}, try_cast({counts} as double) as counted,
                   try_cast({deviations} as double) as deviation
            from {released} as src
        )
        select told.*
        from _sqlanon_told as told,
             (select count(*) filter (where not coalesce(isfinite(counted), false)) as no_count,
                     count(*) filter (where not coalesce(isfinite(deviation) and deviation >= 0, false))
                         as no_deviation
              from _sqlanon_told) as wrong
        where case when no_count > 0 then error(no_count || {wrong_counts})
                   when no_deviation > 0 then error(no_deviation || {wrong_deviations}) else true end
    $$, map {
        'counts': 'src.' || sqlanon._quote(count_column),
        'deviations': 'src.' || sqlanon._quote(deviation_column),
        'wrong_counts': sqlanon._literal(
            ' rows of table ' || release || ' have no number in column "' || count_column
            || '" (count_column)'),
        'wrong_deviations': sqlanon._literal(
            ' rows of table ' || release || ' have no number of at least 0 in column "' || deviation_column
            || '" (deviation_column)')}));

-- The boxes of the groups (sqlanon._utility_boxes), with counted and variance.
create or replace macro sqlanon._counted_boxes(boxes, release_classes, counted_groups, columns) as table
    from query(sqlanon._fill($$
        select box.*, counted, deviation * deviation as variance
        from {boxes} as box
        join {release_classes} as class using (class_id)
        join {counted_groups} as own on {each columns and: class.q{i} is not distinct from own.k{i}}
    $$));

-- The relative errors of the answers, and what is expected of the noise: query, error, noise.
create or replace macro sqlanon._count_query_errors(
    points, boxes, labels, attributes, columns, how_many, seed) as table
    with _sqlanon_grid as materialized (from sqlanon._grid(attributes)),
    _sqlanon_workload as materialized (from sqlanon._workload('_sqlanon_grid', how_many, seed)),
    _sqlanon_range as materialized (from sqlanon._ranges('_sqlanon_workload', '_sqlanon_grid')),
    _sqlanon_set as materialized (from sqlanon._sets_in_cells(labels, '_sqlanon_grid')),
    _sqlanon_point_profile as (from sqlanon._profiled_points(points, '_sqlanon_grid', columns)),
    _sqlanon_count_profile as (
        from sqlanon._profiled_boxes(boxes, '_sqlanon_grid', columns, 'counted')
    ),
    _sqlanon_variance_profile as (
        from sqlanon._profiled_boxes(boxes, '_sqlanon_grid', columns, 'variance')
    ),
    answered as (
        select coalesce(true_answer.answer, 0) as true_answer, coalesce(new_answer.answer, 0) as new_answer,
               sqrt(coalesce(variance.answer, 0)) as deviation,
               greatest(coalesce(true_answer.answer, 0), people / 1000) as divisor
        from range(how_many) as queries(query)
        left join sqlanon._answers('_sqlanon_point_profile', '_sqlanon_set', '_sqlanon_range')
            as true_answer using (query)
        left join sqlanon._answers('_sqlanon_count_profile', '_sqlanon_set', '_sqlanon_range')
            as new_answer using (query)
        left join sqlanon._answers(
            '_sqlanon_variance_profile', '_sqlanon_set', '_sqlanon_range', exponent := 2) as variance
            using (query),
        (select sum(people) as people from query_table(points))
    )
    select abs(true_answer - new_answer) / divisor as error, deviation / divisor as noise from answered;

-- The measures: place, measure, value, unit, id. (Lists are sorted so that sums are the same each time.)
create or replace macro sqlanon._count_measures(counted_groups, boxes, query_errors) as table
    select 1 as place, 'groups with a value that the original lacks' as measure,
           100 * (1 - found / count(*)) as value, '%' as unit, 'groups_not_in_original' as id
    from query_table(counted_groups), (select count(*) as found from query_table(boxes)) group by found
    union all
    select 2, 'noise of a group', 100 * fsum(deviation) / fsum(counted), '%', 'group_noise'
    from query_table(counted_groups) having fsum(counted) > 0
    union all
    select 3, 'query error, median', 100 * median(error), '%', 'query_error_median'
    from query_table(query_errors)
    union all
    select 4, 'query error, mean', 100 * list_sum(list_sort(list(error))) / count(*), '%', 'query_error_mean'
    from query_table(query_errors)
    union all
    select 5, 'noise of a query, median', 100 * median(noise), '%', 'query_noise_median'
    from query_table(query_errors)
    union all
    select 6, 'noise of a query, mean', 100 * list_sum(list_sort(list(noise))) / count(*), '%',
           'query_noise_mean'
    from query_table(query_errors);

create or replace macro sqlanon._count_errors(
    original, release, columns, hierarchies, count_column, deviation_column, how_many, seed) as table
    with _sqlanon_hierarchy as materialized (from sqlanon._hierarchies(hierarchies)),
    _sqlanon_column as materialized (from sqlanon._utility_columns(columns, len(columns))),
    _sqlanon_original as materialized (from sqlanon._source(original, columns, null)),
    _sqlanon_released as materialized (
        from sqlanon._source(release, columns, [count_column, deviation_column])
    ),
    _sqlanon_counted as materialized (
        from sqlanon._counted_groups('_sqlanon_released', columns, count_column, deviation_column, release)
    ),
    _sqlanon_combination as materialized (
        from sqlanon._target_combinations('_sqlanon_original', columns, null)
    ),
    _sqlanon_class as materialized (from sqlanon._release_classes('_sqlanon_released', columns)),
    _sqlanon_value as materialized (
        from sqlanon._utility_values('_sqlanon_combination', '_sqlanon_hierarchy', '_sqlanon_column', columns)
    ),
    _sqlanon_domain as materialized (
        from sqlanon._utility_domain('_sqlanon_value', '_sqlanon_class', '_sqlanon_combination', columns)
    ),
    _sqlanon_attribute as materialized (
        from sqlanon._utility_attributes('_sqlanon_domain', '_sqlanon_hierarchy', '_sqlanon_column')
    ),
    _sqlanon_covered as materialized (
        from sqlanon._utility_covered(
            '_sqlanon_class', '_sqlanon_domain', '_sqlanon_hierarchy', '_sqlanon_column', columns)
    ),
    _sqlanon_label as materialized (
        from sqlanon._utility_labels(
            '_sqlanon_class', '_sqlanon_covered', '_sqlanon_value', '_sqlanon_attribute', columns)
    ),
    _sqlanon_box as materialized (from sqlanon._utility_boxes('_sqlanon_class', '_sqlanon_label', columns)),
    _sqlanon_counted_box as materialized (
        from sqlanon._counted_boxes('_sqlanon_box', '_sqlanon_class', '_sqlanon_counted', columns)
    ),
    _sqlanon_point as materialized (
        from sqlanon._utility_points('_sqlanon_combination', '_sqlanon_domain', columns)
    ),
    _sqlanon_refusal as (
        from sqlanon._refuse_empty('_sqlanon_combination', original)
        union all from sqlanon._refuse_empty('_sqlanon_counted', release)
        union all from sqlanon._refuse_hierarchies('_sqlanon_hierarchy', columns, null)
        union all from sqlanon._refuse_lacking('_sqlanon_value', '_sqlanon_hierarchy', '_sqlanon_column')
    ),
    _sqlanon_query_error as materialized (
        from sqlanon._count_query_errors(
            '_sqlanon_point', '_sqlanon_counted_box', '_sqlanon_label', '_sqlanon_attribute', columns,
            how_many, seed)
    ),
    _sqlanon_measure as (
        from sqlanon._count_measures('_sqlanon_counted', '_sqlanon_counted_box', '_sqlanon_query_error')
        union all by name
        select refused::integer as place from _sqlanon_refusal
    )
    select measure, value::double as value, unit, id from _sqlanon_measure order by place;

create or replace macro sqlanon.count_errors(
    original, release, qi, hierarchies := null, count_column := 'n',
    deviation_column := 'standard_deviation', queries := 1000, seed := 1) as table
    from query(
        sqlanon._checked(qi, null, [count_column, deviation_column], null)
        || {call _count_errors:
            columns := qi, how_many := sqlanon._whole_given(queries, 'queries'),
            seed := sqlanon._seed_given(seed)});

comment on macro table sqlanon.count_errors is $$
Measures how well counts with noise, such as those of dp_counts, answer random range counts (how many people
are from 20 to 35?), and how much of the error is expected from the noise: one row per measure.

Parameters:
- original (table): the raw rows, with the columns in qi.
- release (table): one row per group, with the columns in qi and the noisy count.
- qi (columns): the columns that the counts are grouped by. They may be generalized: the count of a group is
  then distributed evenly over the values that its labels cover.
- hierarchies: as in utility
- count_column (column; default 'n'): of the release, the counts. They may be below 0.
- deviation_column (column; default 'standard_deviation'): of the release, the standard deviation of the noise
  in each count.
- queries, seed: as in utility

Result:
- measure (text): the title of the measure.
- value (number): its value in percent.
- unit (text): %.
- id (text): the name of the measure for programs; it does not change if the title does.

Errors: unknown column, empty table, a count or a deviation that is not a number, a hierarchy that lacks a
value or is not a tree.

Notes: if the query error is far above the noise, the groups are too coarse, or some are missing. The noise is
assumed to be independent from group to group, as that of dp_counts is. The measures are computed from the
original, and are not private. By id:
- groups_not_in_original: groups with a value that the original does not have (for example from public keys).
  No query asks for them.
- group_noise: mean standard deviation / mean count; no row if the sum of counts is not above 0.
- query_error_median, query_error_mean: the relative error of the range counts, as in utility.
- query_noise_median, query_noise_mean: the standard deviation of the noise in an answer, relative to the
  same.

Source: Xiao and Tao 2006; Xiao, Wang and Gehrke 2011.

Example:
with counts as (select disease, count(*) - 1 as n, 1.4 as standard_deviation from people group by disease)
from sqlanon.count_errors('people', 'counts', qi := 'disease');
$$;
