-- Quantiles by the exponential mechanism (McSherry and Talwar 2007; Smith 2011), in its form of
-- permute-and-flip (McKenna and Sheldon 2020).
--
-- The range between public bounds is cut into cells. The score of a cell says by how many rows it is off:
-- -|(1 - q) less - q more|, where `less` rows are in lower cells and `more` in higher ones; somebody's row
-- changes it by max(q, 1 - q) at most. A cell is then drawn by its score with noise. Scores are whole
-- numbers: quantiles are given in thousandths.

-- The cells, from 1, of somebody's rows in a group: of more than max_rows, so many that are evenly apart in
-- their order.
create or replace macro sqlanon._evenly(cells, max_rows) as
    if(len(cells) <= max_rows, cells,
       list_transform(range(max_rows), lambda i:
           cells[floor((i + 0.5) * len(cells) / max_rows)::bigint + 1]));

create or replace macro sqlanon._contributed_cells(
    tbl, columns, measure, unit, max_rows, lo, hi, cells) as table
    from {sqlanon._contributions:
        others := measure, aggregates := sqlanon._each_filled(measure, $$
            count(*) as row_count,
            list_sort(list(least(floor((least(greatest(try_cast(src.{c} as double), {=lo}), {=hi}) - {=lo})
                                       / ({=hi} - {=lo}) * {cells})::bigint + 1, {cells}))
                      filter (where not isnan(try_cast(src.{c} as double)))) as value_cells
        $$, map {'cells': cells::varchar}, ''),
        measures := if(unit is null, ', value_cells as row_cells',
           ', sqlanon._evenly(value_cells, ' || max_rows || ') as row_cells')};

-- The scores of the cells of each group, in thousandths of rows: group_id, thousandths, scores.
create or replace macro sqlanon._quantile_scores(selected, thousandths_list, cells) as table
    with filled as (
        select group_id, cell, count(*) as n
        from (select group_id, unnest(row_cells) as cell from query_table(selected)) group by all
    ),
    cumulated as (
        select group_id, cell, coalesce(n, 0) as n,
               sum(coalesce(n, 0)) over (partition by group_id order by cell) as up_to,
               sum(coalesce(n, 0)) over (partition by group_id) as total
        from (select group_id, unnest(range(1, cells + 1)) as cell from query_table(selected))
        left join filled using (group_id, cell)
    )
    select group_id, thousandths,
           list((-abs((1000 - thousandths) * (up_to - n) - thousandths * (total - up_to)))::bigint
                order by cell) as scores
    from cumulated, (select unnest(thousandths_list) as thousandths) group by group_id, thousandths;

-- The rows that leave. The quantiles of a group are put in order.
create or replace macro sqlanon._quantiles_release(noisy_groups, columns, lo, hi, cells) as table
    from query(sqlanon._fill($$
        select {groups}, quantile, {=lo} + (place - 0.5) * ({=hi} - {=lo}) / {cells} as "value", rank_error
        from (
            select {positions}, unnest(list(thousandths / 1000 order by thousandths)) as quantile,
                   unnest(list(margin order by thousandths)) as rank_error,
                   unnest(list_sort(list(place))) as place
            from {noisy_groups} group by group_id
        ) as released order by {each columns: released.g{i}}, quantile
    $$, map {
        'groups': sqlanon._each(columns, 'g{i} as {c}', ', '),
        'positions': sqlanon._each(columns, 'any_value(g{i}) as g{i}', ', '), 'cells': cells::varchar}));

create or replace macro sqlanon._dp_quantiles(
    tbl, columns, measure, unit, max_groups, max_rows, keys, lo, hi, cells, thousandths_list,
    scale, group_epsilon, group_delta, budget) as table
    with _sqlanon_contribution as materialized (
        from sqlanon._contributed_cells(tbl, columns, measure, unit, max_rows, lo, hi, cells)
    ),
    _sqlanon_key as materialized (from sqlanon._public_keys(keys, columns)),
    _sqlanon_refusal as materialized (
        from sqlanon._refuse_groups(
            '_sqlanon_contribution', sqlanon._if_any(keys, '_sqlanon_key'), columns, keys)
        union all from sqlanon._refuse_measure(tbl, measure)
        union all
        select refused from (
            select sqlanon._paid(budget, 'exponential', unit, 'dp_quantiles', tbl, columns) as refused)
        where refused is not null
    ),
    _sqlanon_bounded as (
        from sqlanon._bounded(
            '_sqlanon_contribution', sqlanon._if_any(keys, '_sqlanon_key'), columns, unit, max_groups)
    ),
    _sqlanon_group as materialized (
        from sqlanon._groups(
            '_sqlanon_bounded', sqlanon._if_any(keys, '_sqlanon_key'), columns, unit,
            ', coalesce(flatten(list(row_cells) filter (where row_cells is not null)), []) as row_cells')
    ),
    _sqlanon_calibration as materialized (
        select 'value' as part, scale::double as scale, scale * ln(20 * cells) / 1000 as margin
    ),
    _sqlanon_selected as materialized (
        select *, row_number() over () as group_id,
               case when keys is null
                    then sqlanon._event(sqlanon._selection_probability(people, group_epsilon, group_delta))
                    else true end as is_selected
        from _sqlanon_group where (select count(refused) = 0 from _sqlanon_refusal)
    ),
    _sqlanon_shown as materialized (from _sqlanon_selected where is_selected),
    _sqlanon_scored as materialized (
        from sqlanon._quantile_scores('_sqlanon_shown', thousandths_list, cells)
    ),
    _sqlanon_noisy as materialized (
        select shown.*, thousandths, margin,
               sqlanon._noisy_largest(scores, 1, calibration.scale)[1] as place
        from _sqlanon_shown as shown join _sqlanon_scored using (group_id),
             _sqlanon_calibration as calibration
    )
    from sqlanon._quantiles_release('_sqlanon_noisy', columns, lo, hi, cells);

create or replace macro sqlanon._dp_quantiles_budget(epsilon, delta, keys) as
    sqlanon._budget(epsilon, delta, null, 'laplace', if(keys is null, 'partition', null));

-- Quantiles in thousandths, each once, or an error. (Of equal ones there would be one list of scores, and it
-- would have every cell several times.)
create or replace macro sqlanon._thousandths(quantiles) as
    sqlanon._let(list_transform(sqlanon._list(quantiles), lambda quantile: sqlanon._number_given(quantile)),
        lambda numbers:
            case when len(numbers) = 0
                      or len(list_filter(numbers, lambda q: not coalesce(q between 0 and 1, false))) > 0
                 then error('quantiles must be numbers between 0 and 1, not ' || quantiles::varchar)
                 else list_sort(list_distinct(
                     list_transform(numbers, lambda q: round(1000 * q)::bigint))) end);

create or replace macro sqlanon._quantiles_call(
    tbl, columns, measure, unit, keys, groups, most_rows, budget, ends, thousandths, cells) as
    {call _dp_quantiles:
        max_groups := groups, max_rows := most_rows, lo := ends['lo'], hi := ends['hi'],
        cells := text(cells::varchar), thousandths_list := thousandths,
        scale := sqlanon._scale(
            budget, 'laplace', groups * len(thousandths),
            -- twice the change, since a row may raise one score and lower another
            2 * most_rows * list_max(list_transform(thousandths, lambda q: greatest(q, 1000 - q)))),
        group_epsilon := budget['key_epsilon'] / groups, group_delta := budget['key_delta'] / groups};

create or replace macro sqlanon.dp_quantiles(
    tbl, columns, measure, bounds, quantiles := [0.5], epsilon := null, delta := null, unit := null,
    max_groups := null, max_rows := null, keys := null, cells := 100) as table
    from query({statement:
        sqlanon._release_checked(columns, unit, measure, ['quantile', 'value', 'rank_error'])
        || sqlanon._let(
            {'groups': sqlanon._most(max_groups, 'max_groups', unit, null),
             'rows': sqlanon._most(max_rows, 'max_rows', unit, 1),
             'budget': sqlanon._dp_quantiles_budget(epsilon, delta, keys),
             'ends': sqlanon._bounds_given(bounds, 1), 'thousandths': sqlanon._thousandths(quantiles),
             'cells': sqlanon._whole_number(cells, 'cells')},
            lambda given: sqlanon._quantiles_call(
                tbl, columns, measure, unit, keys, given['groups'], given['rows'], given['budget'],
                given['ends'], given['thousandths'], given['cells']))});

comment on macro table sqlanon.dp_quantiles is $$
Estimates quantiles, such as the median, of a column in each group by the exponential mechanism: differential
privacy, as in dp_counts.

Parameters:
- tbl, columns: as in dp_counts
- measure, bounds: as in dp_sums
- quantiles (list of numbers, 0 to 1; default [0.5]): the quantiles; 0.5 is the median. They share the budget.
  They are rounded to thousandths, and equal ones are computed once.
- epsilon, delta, unit, max_groups: as in dp_counts
- max_rows (integer, at least 1; default null): the largest number of rows of a unit that are counted in a
  group; 1 if not given. Of more rows, this many are chosen at even distances in their order.
- keys: as in dp_counts
- cells (integer, at least 1; default 100): the number of cells of the same width into which the range is
  divided.

Result:
- <columns> (unchanged): the group; NULL is a group of its own.
- quantile (number): one of the given quantiles.
- value (number): the estimate: the middle of a cell.
- rank_error (number): with a probability of 95 %, the cell is at most this many counted rows farther from the
  quantile than the best cell. Rows beyond max_groups and max_rows are not counted.

Errors: those of dp_sums; quantiles that are not valid.

Notes: each quantile of each group that a unit may be in has an equal part of the budget. There is no interval
of values, because it would reveal something about the rows. rank_error is about ranks, and depends only on
the budget.

Source: McSherry and Talwar 2007; Smith 2011; McKenna and Sheldon 2020.

Example:
with known as (select unnest(['asthma', 'cancer', 'diabetes', 'flu']) as disease)
from sqlanon.dp_quantiles(
    'people', columns := 'disease', measure := 'age', bounds := [0, 100], quantiles := [0.25, 0.75],
    epsilon := 1, keys := 'known');
$$;
