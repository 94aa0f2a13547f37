-- Histograms over a hierarchy: every node is counted with noise, and the counts are then made to agree (Hay,
-- Rastogi, Miklau and Suciu 2010, section 4; here for any tree).
--
-- On the way up each node takes the mean of its own noisy count and the sum of its children, weighted by
-- their variances; on the way down the children share what is left between their sum and their parent. That
-- is the best linear estimate of all counts, and it costs nothing: it is made from what is noisy already.

-- The nodes of the hierarchy of a column: level, label, parent.
create or replace macro sqlanon._hierarchy_nodes(hierarchies, columns) as table
    select distinct own.level, own.label, above.label as parent
    from sqlanon._hierarchy(hierarchies) as own
    left join sqlanon._hierarchy(hierarchies) as above
      on above.attribute = own.attribute and above.value is not distinct from own.value
         and above.level = own.level + 1
    where own.attribute = lower(sqlanon._list(columns)[1]);

-- No rows, or an error where the column has no hierarchy, or one that is none, or cannot be grouped.
create or replace macro sqlanon._refuse_histogram(contributions, nodes, hierarchies, columns) as table
    from sqlanon._refuse_hierarchies(hierarchies, columns, null)
    union all from sqlanon._refuse_keys(contributions, columns)
    union all
    select error('hierarchies has none for column ' || sqlanon._list(columns)[1]) as refused
    from query_table(nodes) having count(*) = 0;

-- The nodes with their counts.
create or replace macro sqlanon._counted_nodes(bounded, hierarchies, columns) as table
    select own.level, own.label, any_value(parent) as parent, coalesce(sum(n), 0)::bigint as n
    from sqlanon._hierarchy_nodes(hierarchies, columns) as own
    join sqlanon._hierarchy(hierarchies) as entry
      on entry.level = own.level and entry.label is not distinct from own.label
         and entry.attribute = lower(sqlanon._list(columns)[1])
    left join query_table(bounded) as counted on counted.g1::varchar is not distinct from entry.value
    group by own.level, own.label;

-- The way up: level, label, parent, estimate, variance (in that of the noise), and below and below_variance
-- of the sum of the children.
create or replace macro sqlanon._tree_up(noisy_nodes) as table
    with recursive up as (
        select level, label, parent, noisy::double as estimate, 1::double as variance,
               null::double as below, null::double as below_variance
        from query_table(noisy_nodes) where level = 0
        union all
        select own.level, own.label, own.parent,
               (noisy + children.below / children.below_variance) / (1 + 1 / children.below_variance),
               1 / (1 + 1 / children.below_variance), children.below, children.below_variance
        from query_table(noisy_nodes) as own
        join (select level + 1 as level, parent, sum(estimate) as below, sum(variance) as below_variance
              from up group by all) as children
          on children.level = own.level and children.parent is not distinct from own.label
    )
    from up;

-- The way down: level, label, parent, estimate and variance, given all counts.
create or replace macro sqlanon._tree_down(tree) as table
    with recursive down as (
        select level, label, parent, estimate, variance, below, below_variance
        from query_table(tree) where parent is null and level = (select max(level) from query_table(tree))
        union all
        select own.level, own.label, own.parent,
               own.estimate + (above.estimate - above.below) * own.variance / above.below_variance,
               own.variance - power(own.variance / above.below_variance, 2)
                              * (above.below_variance - above.variance),
               own.below, own.below_variance
        from query_table(tree) as own
        join down as above on above.level = own.level + 1 and above.label is not distinct from own.parent
    )
    select level, label, parent, estimate, variance from down;

-- The estimates as whole numbers of at least 0 that agree: the children divide what their parent has in
-- proportion to their estimates, and what rounding leaves goes to the largest remainders.
create or replace macro sqlanon._tree_rounded(estimates) as table
    with recursive whole as (
        select level, label, parent, estimate, variance, round(greatest(estimate, 0)) as n
        from query_table(estimates)
        where level = (select max(level) from query_table(estimates))
        union all
        select level, label, parent, estimate, variance,
               floor(part) + (row_number() over (partition by parent order by floor(part) - part, label)
                              <= whole_n - sum(floor(part)) over (partition by parent))::double
        from (
            select own.*, above.n as whole_n,
                   above.n * coalesce(
                       greatest(own.estimate, 0)
                           / nullif(sum(greatest(own.estimate, 0)) over (partition by own.parent), 0),
                       1 / count(*) over (partition by own.parent)) as part
            from query_table(estimates) as own
            join whole as above on above.level = own.level + 1 and above.label is not distinct from own.parent
        )
    )
    from whole;

-- The rows that leave, from the root down. factor: how many standard deviations the interval has on each
-- side: of Laplace noise 95 % are within 2.12, of Gaussian noise within 1.96.
create or replace macro sqlanon._histogram_release(estimates, calibration, factor, non_negative) as table
    select level, label, n, deviation * sqrt(variance) as standard_deviation,
           if(non_negative, greatest(estimate - factor * deviation * sqrt(variance), 0),
              estimate - factor * deviation * sqrt(variance)) as low,
           if(non_negative, greatest(estimate + factor * deviation * sqrt(variance), 0),
              estimate + factor * deviation * sqrt(variance)) as high
    from query_table(estimates), query_table(calibration) order by level desc, label nulls first;

create or replace macro sqlanon._dp_histogram(
    tbl, columns, hierarchies, unit, max_groups, max_rows, mechanism, non_negative,
    budget_epsilon, budget_rho, budget) as table
    with _sqlanon_contribution as materialized (
        from sqlanon._contributions(tbl, columns, unit, null, max_rows, 'count(*) as row_count', '')
    ),
    _sqlanon_node as materialized (from sqlanon._hierarchy_nodes(hierarchies, columns)),
    _sqlanon_key as materialized (select label as g1 from _sqlanon_node where level = 0),
    _sqlanon_refusal as materialized (
        from sqlanon._refuse_histogram('_sqlanon_contribution', '_sqlanon_node', hierarchies, columns)
        union all
        select refused from (
            select sqlanon._paid(budget, mechanism, unit, 'dp_histogram', tbl, columns) as refused)
        where refused is not null
    ),
    _sqlanon_bounded as (
        from sqlanon._bounded('_sqlanon_contribution', '_sqlanon_key', columns, unit, max_groups)
    ),
    _sqlanon_group as materialized (
        from sqlanon._counted_nodes('_sqlanon_bounded', hierarchies, columns)
        where (select count(refused) = 0 from _sqlanon_refusal)
    ),
    -- Somebody's groups may have one node above them all: it changes by all of their rows.
    _sqlanon_scale as materialized (
        select if(mechanism = 'laplace', (height + 1) * max_groups::double * max_rows / budget_epsilon,
                  max_rows * sqrt(max_groups * (1 + height * max_groups::double) / (2 * budget_rho))) as scale
        from (select max(level) as height from _sqlanon_node)
    ),
    _sqlanon_calibration as materialized (
        select 'n' as part, scale, sqlanon._noise_deviation(mechanism, scale) as deviation from _sqlanon_scale
    ),
    _sqlanon_noisy as materialized (
        select counted.*, sqlanon._with_noise(n, scale, mechanism) as noisy
        from _sqlanon_group as counted, _sqlanon_calibration
    ),
    _sqlanon_tree as materialized (from sqlanon._tree_up('_sqlanon_noisy')),
    _sqlanon_estimate as materialized (from sqlanon._tree_down('_sqlanon_tree')),
    _sqlanon_whole as materialized (
        from query(if(non_negative, $$from sqlanon._tree_rounded('_sqlanon_estimate')$$,
                      'select *, estimate as n from _sqlanon_estimate'))
    )
    from sqlanon._histogram_release(
        '_sqlanon_whole', '_sqlanon_calibration', if(mechanism = 'laplace', 2.12, 1.96), non_negative);

create or replace macro sqlanon._dp_histogram_budget(epsilon, delta, rho, mechanism) as
    sqlanon._budget(epsilon, delta, rho, mechanism, null);

create or replace macro sqlanon.dp_histogram(
    tbl, columns, hierarchies, epsilon := null, delta := null, rho := null, unit := null, max_groups := null,
    max_rows := null, mechanism := 'laplace', non_negative := true) as table
    from query({statement:
        sqlanon._release_checked(columns, unit, null, [])
        || case when len(sqlanon._list(columns)) > 1
                then error('columns names one column of a histogram, not ' || len(sqlanon._list(columns)))
                else '' end
        || sqlanon._let(sqlanon._dp_histogram_budget(epsilon, delta, rho, mechanism), lambda budget:
            {call _dp_histogram:
                max_groups := sqlanon._most(max_groups, 'max_groups', unit, null),
                max_rows := sqlanon._most(max_rows, 'max_rows', unit, 1),
                budget_epsilon := budget['noise_epsilon'], budget_rho := budget['noise_rho']})});

comment on macro table sqlanon.dp_histogram is $$
Counts the rows below every node of a hierarchy with noise, so that the counts of children add up to that of
their parent: differential privacy, as in dp_counts.

Parameters:
- tbl (table): the raw rows.
- columns (column): the column with a hierarchy.
- hierarchies (table): rows of attribute, value, level and label, as returned by interval_hierarchy: public
  knowledge, which must not come from the rows. Build it from a table of all possible values. Rows with other
  values are not counted.
- epsilon (number, 0.000001 to 100; default null): the epsilon of differential privacy. epsilon or rho must be
  given.
- delta (number, 0 to 0.5; default null): the delta of differential privacy, for gaussian noise.
- rho, unit: as in dp_counts
- max_groups (integer, at least 1; default null): the largest number of different values with which a unit is
  counted. Must be given with unit.
- max_rows, mechanism: as in dp_counts
- non_negative (boolean; default true): true: the counts are whole numbers of at least 0; false: the best
  estimates, which have fractions.

Result:
- level (integer): the level of the node; the root first, 0 for values.
- label (text): the label of the node.
- n (number): the number of rows below the node, with noise.
- standard_deviation (number): the standard deviation of the estimate, before it is made a whole number of at
  least 0.
- low (number): the lower end of an interval of about 95 % for the number of counted rows. It is about noise
  only: rows beyond max_groups and max_rows are not counted.
- high (number): the upper end.

Errors: those of dp_counts; no hierarchy for the column, or one that is not a tree.

Notes: each level has an equal part of the budget. Each count is estimated from all noisy counts, so its
standard deviation is smaller than that of the noise, most of all for the root.

Source: Hay, Rastogi, Miklau and Suciu 2010, section 4.

Example:
from sqlanon.dp_histogram('people', columns := 'zip', hierarchies := 'hierarchies', epsilon := 1);
$$;
