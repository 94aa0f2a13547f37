-- Classifier: how well a release trains one. Naive Bayes learns from the release to predict a sensitive
-- column from the quasi-identifiers, and predicts that of people who are not in the original; beside it, what
-- the original itself teaches, and the most frequent value (Fung, Wang and Yu 2005, sec. 6: accuracy as
-- utility).
--
-- Numbers and dates without a hierarchy are cut into ten groups, with about as many rows of the original
-- each; any other value is a group by itself. A released label counts in equal parts for the values that it
-- covers, a number between values as the largest below it. Relations are those of sql/utility/utility.sql.

-- Groups: d, code, value, column_kind, place (of numbers and dates), part (the number of the group).
create or replace macro sqlanon._groups_of_codes(coded_domain, points, attributes, columns) as table
    with placed as (
        select d, code, domain.value, column_kind, place, is_measured, kind > 0 as is_placed,
               coalesce(sum(n) over of_lower, 0) / nullif(sum(n) over (partition by d, kind > 0), 0) as below
        from query_table(coded_domain) as domain
        join query_table(attributes) using (d)
        left join (select d, value as code, n
                   from sqlanon._weighted_values(points, columns, 'c{i}', 'people')) using (d, code)
        window of_lower as (partition by d, kind > 0 order by place
                            range between unbounded preceding and current row exclude group)
    )
    select d, code, value, column_kind, place,
           case when not is_measured then code
                when is_placed then least(floor(10 * below), 9)::integer else -1 end as part
    from placed;

-- The groups of other values, of numbers and dates that the original lacks: d, value, part. others: d, value.
create or replace macro sqlanon._parts_of_others(others, groups_of_codes) as table
    with measured as (
        from query_table(groups_of_codes) where place is not null and column_kind in (1, 2, 4)
    ),
    of_column as (
        select d, any_value(column_kind) as column_kind, arg_min(part, place) as lowest
        from measured group by d
    ),
    wanted as (
        select d, value, lowest,
               if(column_kind = 1, try_cast(value as double),
                  epoch_us(try_cast(value as timestamp))::double) as place
        from query_table(others) join of_column using (d)
    )
    select wanted.d, wanted.value, coalesce(measured.part, lowest) as part
    from wanted
    asof left join measured on measured.d = wanted.d and wanted.place >= measured.place
    where wanted.place is not null;

-- In which parts labels count for which groups: d, label, part, share.
create or replace macro sqlanon._label_parts(labels, groups_of_codes) as table
    with covers as (
        select d, label, covered, unnest(coalesce(members, range(lo, hi + 1)::integer[])) as code
        from query_table(labels) where lo is not null
    ),
    stranger as (select d, label as value from query_table(labels) where lo is null)
    select d, label, part, count(*) / any_value(covered) as share
    from covers join query_table(groups_of_codes) using (d, code) group by d, label, part
    union all
    select d, value, part, 1 from sqlanon._parts_of_others('stranger', groups_of_codes);

-- In which parts the original's own values count.
create or replace macro sqlanon._value_parts(groups_of_codes) as table
    select d, value as label, part, 1::double as share from query_table(groups_of_codes);

-- The cells of rows: row, n, d, label. template: of a column; id, rows_of: the columns that number rows, and
-- say how many they are.
create or replace macro sqlanon._labels_of_rows(relation, columns, template, id, rows_of) as table
    from query(sqlanon._fill($$
        select {id} as row, {rows_of} as n, unnest(range(1, {end}))::integer as d, unnest([{labels}]) as label
        from {relation}
    $$, map {
        'end': (len(columns) + 1)::varchar, 'labels': sqlanon._each(columns, template, ', ')}));

-- What is learned from rows, with one row more for each group and value (Laplace): predicted (the column),
-- class (its group), d, part, prior (rows of the class), term (the logarithm of the probability of the part).
create or replace macro sqlanon._learned_terms(labels_of_rows, label_parts, groups_of_codes, attributes)
as table
    with pair as (
        select truth.d as predicted, truth.label as true_label, known.d, known.label, sum(known.n) as n
        from query_table(labels_of_rows) as truth
        join query_table(labels_of_rows) as known using (row)
        where truth.d in (select d from query_table(attributes) where not is_qi)
          and known.d in (select d from query_table(attributes) where is_qi)
        group by all
    ),
    counted as materialized (
        select predicted, true_part.part as class, pair.d, known_part.part,
               list_sum(list_sort(list(n * true_part.share * known_part.share))) as held
        from pair
        join query_table(label_parts) as true_part
          on true_part.d = predicted and true_part.label is not distinct from true_label
        join query_table(label_parts) as known_part
          on known_part.d = pair.d and known_part.label is not distinct from pair.label
        group by all
    ),
    frequency as (
        select predicted, class, list_sum(list_sort(list(held))) as prior
        from counted where d = 1 group by predicted, class
    ),
    possible as (
        select distinct d, part, count(distinct part) over (partition by d) as parts
        from query_table(groups_of_codes) join query_table(attributes) using (d) where is_qi
    )
    select predicted, class, d, part, prior, ln((coalesce(held, 0) + 1) / (prior + parts)) as term
    from frequency cross join possible left join counted using (predicted, class, d, part);

-- People who were held out: target, people, d, part (NULL: a value that the original lacks).
create or replace macro sqlanon._parts_held_out(labels_held_out, groups_of_codes) as table
    with told as (select distinct d, label as value from query_table(labels_held_out)),
    known as (
        select told.d, told.value, part
        from told join query_table(groups_of_codes) as own
          on own.d = told.d and own.value is not distinct from told.value
    ),
    stranger as (
        from told where (d, coalesce(value, ''), value is null)
                        not in (select (d, coalesce(value, ''), value is null) from known)
    ),
    grouped as (from known union all from sqlanon._parts_of_others('stranger', groups_of_codes))
    select row as target, n as people, cell.d, part
    from query_table(labels_held_out) as cell
    left join grouped on grouped.d = cell.d and grouped.value is not distinct from cell.label;

-- How many of them are predicted right: predicted, accuracy (a share).
create or replace macro sqlanon._share_predicted(parts_held_out, learned_terms) as table
    with fitted as (
        select target, predicted, class, list_sum(list_sort(list(term))) as fit
        from query_table(parts_held_out) join query_table(learned_terms) using (d, part)
        group by target, predicted, class
    ),
    possible as (select distinct predicted, class, prior from query_table(learned_terms) where prior > 0),
    truth as (
        select target, people, d as predicted, part as truth from query_table(parts_held_out)
        where d in (select predicted from possible)
    ),
    guess as (
        select target, predicted, any_value(people) as people, any_value(truth) as truth,
               arg_max(class, row(round(ln(prior) + coalesce(fit, 0), 9), -class)) as guess
        from truth join possible using (predicted) left join fitted using (target, predicted, class)
        group by target, predicted
    )
    select predicted, coalesce(sum(people) filter (guess = truth), 0) / sum(people) as accuracy
    from guess group by predicted;

-- The share of the value that is most frequent in the original: predicted, accuracy.
create or replace macro sqlanon._share_most_frequent(parts_held_out, learned_terms) as table
    select predicted, coalesce(sum(people) filter (part = most), 0) / sum(people) as accuracy
    from query_table(parts_held_out)
    join (select predicted, arg_max(class, row(prior, -class)) as most
          from query_table(learned_terms) group by predicted) as frequent on predicted = d
    group by predicted;

-- Rows of _utility: place, measure, d, value, unit, id.
create or replace macro sqlanon._accuracy_measures(
    held_out, original_combinations, release_classes, coded_domain, points, labels, attributes, columns,
    weight) as table
    with _sqlanon_held_source as materialized (from sqlanon._source(held_out, columns, [], weight)),
    _sqlanon_held as materialized (
        from sqlanon._target_combinations('_sqlanon_held_source', columns, null, weight)
    ),
    _sqlanon_code_group as materialized (
        from sqlanon._groups_of_codes(coded_domain, points, attributes, columns)
    ),
    _sqlanon_released_part as materialized (from sqlanon._label_parts(labels, '_sqlanon_code_group')),
    _sqlanon_own_part as materialized (from sqlanon._value_parts('_sqlanon_code_group')),
    _sqlanon_released_cell as materialized (
        from sqlanon._labels_of_rows(release_classes, columns, 'l{i}', 'class_id', 'size')
    ),
    _sqlanon_own_cell as materialized (
        from sqlanon._labels_of_rows(original_combinations, columns, 'v{i}', 'target', 'people')
    ),
    _sqlanon_held_cell as materialized (
        from sqlanon._labels_of_rows('_sqlanon_held', columns, 'v{i}', 'target', 'people')
    ),
    _sqlanon_held_part as materialized (
        from sqlanon._parts_held_out('_sqlanon_held_cell', '_sqlanon_code_group')
    ),
    _sqlanon_learned as materialized (
        from sqlanon._learned_terms(
            '_sqlanon_released_cell', '_sqlanon_released_part', '_sqlanon_code_group', attributes)
    ),
    _sqlanon_learned_by_original as materialized (
        from sqlanon._learned_terms(
            '_sqlanon_own_cell', '_sqlanon_own_part', '_sqlanon_code_group', attributes)
    )
    select 16 as place, 'predicted right, by the release' as measure, predicted as d, 100 * accuracy as value,
           '%' as unit, 'accuracy' as id
    from sqlanon._share_predicted('_sqlanon_held_part', '_sqlanon_learned')
    union all
    select 17, 'predicted right, by the original', predicted, 100 * accuracy, '%', 'accuracy_of_original'
    from sqlanon._share_predicted('_sqlanon_held_part', '_sqlanon_learned_by_original')
    union all
    select 18, 'right by the most frequent value', predicted, 100 * accuracy, '%', 'accuracy_of_most_frequent'
    from sqlanon._share_most_frequent('_sqlanon_held_part', '_sqlanon_learned_by_original')
    union all by name
    select refused::integer as place from sqlanon._refuse_empty('_sqlanon_held', held_out);
