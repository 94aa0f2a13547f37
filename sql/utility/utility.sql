-- Utility: what a release has lost against its original, from these two tables alone, whoever made it.
--
-- A released value is read as covers reads it (a label of a given hierarchy only as this label): as the set
-- of the original's values (or of its hierarchy's) that it stands for. A row of the release is then a box
-- over codes, a row of the original a point, and every measure compares boxes with points, a distinct
-- combination at a time. A suppressed row (the original has it, the release lacks it) stands for everything,
-- as a row of stars would. N rows of the original, s of them suppressed.
--
-- Some masking releases other values instead (centroids, noise). A number that stands for no value of the
-- original makes its column one of these: measures that need covered values leave such a column out, range
-- counts read it as the nearest value, and moments (sql/utility/moments.sql) tell what there is. Any other
-- value that stands for nothing is an error.

-- The columns: d, name, is_qi. They are the quasi-identifiers, and behind them the sensitive columns.
create or replace macro sqlanon._utility_columns(columns, quasi_identifiers) as table
    select d, columns[d] as name, d <= quasi_identifiers as is_qi
    from (select unnest(range(1, len(columns) + 1))::integer as d);

-- The values of columns: d, value (text), known (does the original have it). In a column with a hierarchy
-- they are those of the hierarchy.
create or replace macro sqlanon._utility_values(original_combinations, hierarchy, named, columns) as table
    select d, value, bool_or(known) as known
    from (
        select d, string as value, true as known from sqlanon._long(original_combinations, columns, 'v{i}')
        union all
        select d, entry.value, false
        from sqlanon._hierarchy(hierarchy) as entry join query_table(named) on lower(name) = entry.attribute
    )
    group by d, value;

-- The values of columns with their codes, as sqlanon._coded_domain has them.
create or replace macro sqlanon._utility_domain(
    domain_values, release_classes, original_combinations, columns) as table
    with _sqlanon_column_kind as materialized (
        from sqlanon._released_columns(release_classes, original_combinations, columns)
    )
    from sqlanon._coded_domain(domain_values, '_sqlanon_column_kind');

-- No rows, or an error where a hierarchy lacks values of the original.
create or replace macro sqlanon._refuse_lacking(domain_values, hierarchy, named) as table
    select sqlanon._lacks_values(name, min(coalesce(value, 'NULL'), 10), count(*), '') as refused
    from query_table(domain_values) join query_table(named) using (d)
    where lower(name) in (select attribute from sqlanon._hierarchy(hierarchy))
      and (lower(name), coalesce(value, ''), value is null)
          not in (select (entry.attribute, coalesce(entry.value, ''), entry.value is null)
                  from sqlanon._hierarchy(hierarchy) as entry)
    group by name;

-- What there is to know of the columns: d, name, is_qi, values (of the domain), height (of the hierarchy; 1
-- without one), has_hierarchy, is_number (of a type of numbers, all of them finite), is_measured (numbers or
-- points in time without a hierarchy), first (the lowest code that is not NULL), span (largest minus smallest
-- value), center (the middle).
create or replace macro sqlanon._utility_attributes(coded_domain, hierarchy, named) as table
    with tree as (
        select attribute, max(level) as height from sqlanon._hierarchy(hierarchy) group by attribute
    ),
    domain as (
        select d, any_value(column_kind) as column_kind, count(*) as values,
               min(kind) filter (where kind > 0) as least_kind, max(kind) as most_kind,
               bool_and(isfinite(place)) as finite, min(code) filter (where kind > 0) as first,
               min(place) filter (where kind > 0) as lowest, max(place) filter (where kind > 0) as highest
        from query_table(coded_domain) group by d
    )
    select d, name, is_qi, values, coalesce(height, 1) as height, height is not null as has_hierarchy, first,
           highest - lowest as span, lowest / 2 + highest / 2 as center,
           coalesce(column_kind = 1 and least_kind = 1 and most_kind = 1 and finite, false) as is_number,
           coalesce(column_kind in (1, 2, 4) and least_kind = column_kind and most_kind = column_kind
                    and finite, false) and height is null as is_measured
    from query_table(named) join domain using (d) left join tree on attribute = lower(name);

-- What released values cover, as sqlanon._covered has it.
create or replace macro sqlanon._utility_covered(
    release_classes, coded_domain, hierarchy, named, columns) as table
    with _sqlanon_text as materialized (
        select d, string as label from sqlanon._long(release_classes, columns, 'l{i}')
    )
    from sqlanon._covered('_sqlanon_text', coded_domain, hierarchy, named);

-- Columns of a relation as rows, as often as they are there: d, value, n. template: a column, as in _each;
-- rows_of: the column that says how many rows have it.
create or replace macro sqlanon._weighted_values(relation, columns, template, rows_of) as table
    select d, value, sum(weight)::bigint as n
    from query(sqlanon._fill($$
        select {rows_of} as weight, unnest(range(1, {columns} + 1))::integer as d, unnest([{values}]) as value
        from {relation}
        $$, map {'columns': len(columns)::varchar, 'values': sqlanon._each(columns, template, ', ')}))
    group by d, value;

-- The released values: number (1, 2, ...), d, label (text), n (rows), hidden (a suppressed cell: * or NULL,
-- which the original does not have there), lo, hi, members (what it covers; NULL: nothing), covered (how many
-- values).
create or replace macro sqlanon._utility_labels(
    release_classes, covers, domain_values, attributes, columns) as table
    with counted as (
        select d, value as label, n from sqlanon._weighted_values(release_classes, columns, 'l{i}', 'size')
    ),
    told as (
        select counted.*, coalesce(label = '*', true) and (d, label is null) not in (
                   select (d, value is null) from query_table(domain_values)
                   where known and coalesce(value = '*', true)) as hidden
        from counted
    ),
    meant as (
        select told.d, told.label, n, hidden,
               case when hidden then 0 else lo end as lo,
               case when hidden then (values - 1)::integer else hi end as hi,
               case when not hidden then members end as members
        from told join query_table(attributes) using (d)
        left join query_table(covers) as cover
            on cover.d = told.d and cover.label is not distinct from told.label
    )
    select row_number() over (order by d, label nulls first)::integer as number, *,
           coalesce(len(members), hi - lo + 1) as covered
    from meant;

-- No rows, or an error where a released value stands for nothing and is no number of a column of numbers.
create or replace macro sqlanon._refuse_strange(labels, attributes) as table
    select error('column ' || name || ': the released value ' || coalesce(label, 'NULL')
                 || ' stands for no value of the original'
                 || case when has_hierarchy then ' or of the column''s hierarchy' else '' end) as refused
    from query_table(labels) join query_table(attributes) using (d)
    where lo is null and not (is_number and sqlanon._finite(label) is not null);

-- The labels, and a number that stands for no value as the nearest value of the original (of two the lower).
create or replace macro sqlanon._nearest_labels(labels, coded_domain) as table
    with number as (
        select label.number, d, sqlanon._finite(label) as place
        from query_table(labels) as label where lo is null
    ),
    known as (select d, code, place from query_table(coded_domain) where kind = 1),
    around as (
        select number.number, number.place, known.place as near, code
        from number asof join known on known.d = number.d and number.place >= known.place
        union all
        select number.number, number.place, known.place, code
        from number asof join known on known.d = number.d and number.place <= known.place
    ),
    nearest as (select number, arg_min(code, (abs(place - near), near)) as code from around group by number)
    select label.* replace (coalesce(lo, code) as lo, coalesce(hi, code) as hi,
                            coalesce(covered, 1) as covered)
    from query_table(labels) as label left join nearest using (number);

-- The classes: release, class_id, size, a1, a2, ... (numbers of labels), lo1, hi1, members1, ..., volume (how
-- many combinations of values it covers).
create or replace macro sqlanon._utility_boxes(release_classes, labels, columns) as table
    from query(sqlanon._fill($$
        select release, class_id, size, {covers}, {volume} as volume
        from {release_classes} as class
        {labels}
        $$, map {
            'covers': sqlanon._each(
            columns,
            'label{i}.number as a{i}, label{i}.lo as lo{i}, label{i}.hi as hi{i},'
            || ' label{i}.members as members{i}', ', '),
            'volume': sqlanon._each(columns, 'label{i}.covered::double', ' * '),
            'labels': sqlanon._each(
            columns,
            'join (select * from ' || labels || ' where d = {i} and lo is not null) as label{i}'
            || ' on class.l{i} is not distinct from label{i}.label', ' ')}));

-- How many rows of the original have each code: d, code, n, and sums over the codes up to this one: below (of
-- n), inner_below (of n * log2(n)).
create or replace macro sqlanon._utility_marginal(coded_domain, points, columns) as table
    with counted as (
        select d, value as code, n from sqlanon._weighted_values(points, columns, 'c{i}', 'people')
    )
    select d, code, coalesce(n, 0) as n,
           sum(coalesce(n, 0)) over (partition by d order by code) as below,
           sum(coalesce(n * log2(n), 0)) over (partition by d order by code) as inner_below
    from query_table(coded_domain) left join counted using (d, code);

-- Certainty penalty (NCP: Xu et al. 2006, sec. 2.2; Ghinita et al. 2007, sec. 2): the width of an interval of
-- numbers or dates by that of the column; of anything else the values covered by all values, 0 for one value;
-- a suppressed row costs 1. And loss, as sql/anonymize/full_domain/lattice.sql has it. d, ncp, loss.
create or replace macro sqlanon._utility_losses(labels, coded_domain, attributes, totals) as table
    with bounded as (
        -- the lowest code but for NULL; of a set with NULL the next one
        select d, n, covered, hi, values, is_measured, first, span,
               case when members is null then greatest(lo, first)
                    else list_filter(members, lambda code: code >= first)[1]
               end as lo
        from query_table(labels) join query_table(attributes) using (d)
    ),
    penalty as (
        select bounded.d, n, covered,
               case when not is_measured then case when covered = 1 then 0 else covered / values end
                    when hi <= first or span = 0 then 0
                    else (upper_value.place - lower_value.place) / span
               end as penalty
        from bounded
        left join query_table(coded_domain) as lower_value
            on lower_value.d = bounded.d and lower_value.code = lo
        left join query_table(coded_domain) as upper_value
            on upper_value.d = bounded.d and upper_value.code = hi
    ),
    summed as (
        select d, list_sum(list_sort(list(n * penalty))) as penalties, sum(n::hugeint * covered) as covered
        from penalty group by d
    )
    select d, (penalties + suppressed) / rows as ncp,
           sqlanon._attribute_loss(rows, summed.covered, values, suppressed, 0, 0.5) as loss
    from summed join query_table(attributes) using (d), query_table(totals);

-- The levels of released values in their hierarchies: number, level (each at which it is a label). Without a
-- hierarchy a value is at level 0, and * at level 1.
create or replace macro sqlanon._label_levels(labels, hierarchy, attributes) as table
    select distinct number, entry.level
    from query_table(labels) as released join query_table(attributes) using (d)
    join (select distinct attribute, level, label from sqlanon._hierarchy(hierarchy)) as entry
        on entry.attribute = lower(name) and entry.label is not distinct from released.label
    union
    select number, case when hidden or label = '*' then height else 0 end
    from query_table(labels) join query_table(attributes) using (d)
    where covered = 1 or hidden or label = '*';

-- The lowest level that all released values of a column have, where there is one: d, level.
create or replace macro sqlanon._common_levels(labels, label_levels) as table
    select d, min(level) as level
    from (
        select d, level, count(*) as labels_of_level
        from query_table(labels) join query_table(label_levels) using (number) group by d, level
    )
    join (select d, count(*) as all_labels from query_table(labels) group by d) using (d)
    where labels_of_level = all_labels group by d;

-- Precision (Sweeney 2002, sec. 4.2; ARX: 0 is the original, 1 nothing): the average of level / height, 1 for
-- a suppressed row. d, precision; columns with a released value of no level have no row.
create or replace macro sqlanon._utility_precisions(
    labels, label_levels, common_levels, attributes, totals) as table
    with leveled as (
        select released.d, released.n, coalesce(any_value(common.level), min(own.level)) as level
        from query_table(labels) as released
        left join query_table(label_levels) as own using (number)
        left join query_table(common_levels) as common using (d)
        group by number, released.d, released.n
    )
    select d,
           (sum(n * level)::double / greatest(any_value(height), 1) + any_value(suppressed))
               / any_value(rows) as precision
    from leveled join query_table(attributes) using (d), query_table(totals)
    group by d having count(level) = count(*);

-- Non-uniform entropy (Gionis and Tassa 2009; as ARX): how many bits are lost, the sum over rows of -log2 of
-- the probability of the original value given the released one, by the distribution in the original's column.
-- Where the released values of a column do not overlap (global recoding), it is known which values the
-- suppressed rows have; each costs also -log2 of the share of what would have been released for it among the
-- suppressed rows. (A value that nothing covers would have been released as its label at the level of the
-- others, or as itself.) Otherwise a suppressed row is a released *.

-- The values of the original by what is released for them, in columns where released values do not overlap:
-- d, number (of the label; NULL where nothing covers them), label or own (what would have been released
-- then), n (rows), inner_sum (of n * log2(n)).
create or replace macro sqlanon._released_parts(
    labels, marginals, hierarchy, coded_domain, common_levels, attributes) as table
    with candidate as (
        select d from query_table(labels) join query_table(attributes) using (d)
        group by d having sum(covered) <= any_value(values)
    ),
    claimed as materialized (
        select d, number, unnest(coalesce(members, range(lo, hi + 1)::integer[])) as code
        from query_table(labels) where d in (from candidate)
    ),
    separate as (select d from claimed group by d having count(*) = count(distinct code)),
    above as (
        select domain.d, domain.code, entry.label
        from query_table(coded_domain) as domain
        join query_table(attributes) using (d)
        join query_table(common_levels) as common using (d)
        join sqlanon._hierarchy(hierarchy) as entry
            on entry.attribute = lower(name) and entry.level = common.level
            and entry.value is not distinct from domain.value
    )
    select d, number, label, own, sum(n)::bigint as n, coalesce(sum(n * log2(nullif(n, 0))), 0) as inner_sum
    from (
        select d, n, number, case when number is null then above.label end as label,
               case when number is null and above.code is null then marginal.code end as own
        from query_table(marginals) as marginal
        left join claimed using (d, code)
        left join above using (d, code)
        where d in (from separate)
    )
    group by all;

-- The entropies of these columns: d, entropy. parts: as above.
create or replace macro sqlanon._global_entropies(parts, labels, totals) as table
    with part as (
        select part.d, part.n, inner_sum, coalesce(label.n, 0) as shown,
               greatest(part.n - coalesce(label.n, 0), 0) as hidden
        from query_table(parts) as part left join query_table(labels) as label using (number)
    )
    select d, case when sum(n) > 0 then
               list_sum(list_sort(list(n * log2(nullif(n, 0)) - inner_sum)))
               + coalesce(list_sum(list_sort(list(
                     (n - shown) * log2(nullif(suppressed, 0) / nullif(hidden, 0))))), 0)
           end as entropy
    from part, query_table(totals)
    group by d having bool_and(n >= shown);

-- For any other column: the entropy of the values that a label covers. d, entropy.
create or replace macro sqlanon._local_entropies(labels, marginals, totals) as table
    with interval_part as (
        select released.d, released.n, released.covered = 1 as alone,
               upto.below - coalesce(before.below, 0) as inside,
               upto.inner_below - coalesce(before.inner_below, 0) as inner_sum
        from query_table(labels) as released
        join query_table(marginals) as upto on upto.d = released.d and upto.code = released.hi
        left join query_table(marginals) as before on before.d = released.d and before.code = released.lo - 1
        where released.members is null
    ),
    member as (
        select number, d, n, unnest(members) as code from query_table(labels) where members is not null
    ),
    part as (
        from interval_part
        union all
        select d, any_value(member.n), false, sum(marginal.n),
               coalesce(sum(marginal.n * log2(nullif(marginal.n, 0))), 0)
        from member join query_table(marginals) as marginal using (d, code)
        group by number, d
        union all
        select d, suppressed, false, max(below), max_by(inner_below, code)
        from query_table(marginals), query_table(totals) group by d, suppressed
    )
    select d, list_sum(list_sort(list(
               case when inside > 0 and not alone
                    then n * greatest(log2(nullif(inside, 0)) - inner_sum / inside, 0)
                    else 0
               end))) as entropy
    from part group by d;

-- The entropies of all columns: d, entropy.
create or replace macro sqlanon._utility_entropies(
    labels, marginals, hierarchy, coded_domain, common_levels, attributes, totals) as table
    with _sqlanon_part as (
        from sqlanon._released_parts(labels, marginals, hierarchy, coded_domain, common_levels, attributes)
    )
    select d, coalesce(global_entropy.entropy, local_entropy.entropy) as entropy
    from sqlanon._local_entropies(labels, marginals, totals) as local_entropy
    left join sqlanon._global_entropies('_sqlanon_part', labels, totals) as global_entropy using (d);

-- How the release distributes the original's rows (Kifer and Gehrke 2006, sec. 5): the rows of a class lie
-- evenly on the combinations of values that it covers, suppressed rows on all that there are. P is the
-- original's distribution, Q the release's, both over all combinations of the columns' values. One row:
-- divergence (KL of Q from P, in bits: the sum of P log2(P / Q), for which only combinations of the original
-- matter; infinite where Q has none of one) and distance (city block: the sum of |P - Q|; Li et al. 2015,
-- Def. 8.1 and 8.2).
create or replace macro sqlanon._distribution(points, located, boxes, attributes, totals) as table
    with share as (
        select target, list_sum(list_sort(list(size / volume))) as density
        from query_table(located) join query_table(boxes) using (class_id) group by target
    ),
    everything as (select product(values::double) as volume from query_table(attributes)),
    compared as (
        select people / rows as p, (coalesce(density, 0) + suppressed / volume) / rows as q
        from query_table(points) left join share using (target), everything, query_table(totals)
    )
    select case when min(q) = 0 then 'infinity'::double
                else greatest(list_sum(list_sort(list(p * log2(p / nullif(q, 0))))), 0)
           end as divergence,
           list_sum(list_sort(list(abs(p - q)))) + greatest(1 - list_sum(list_sort(list(q))), 0) as distance
    from compared;

-- Rows and classes: rows (of the original), released, suppressed, classes, squares (the sum of squared class
-- sizes).
create or replace macro sqlanon._utility_totals(
    original_combinations, release_classes, quasi_identifiers) as table
    from query(sqlanon._fill($$
        select rows, released, (rows - released)::bigint as suppressed, classes, squares
        from (select sum(people)::bigint as rows from {original_combinations}),
             (select sum(size)::bigint as released, count(*) as classes,
                     sum(size::hugeint * size)::double as squares
              from (select sum(size) as size from {release_classes} group by {qi}))
        $$, map {
            'qi': sqlanon._each_of(
            list_transform(range(quasi_identifiers), lambda i: i::varchar), 'q{i}', ', ')}));

-- No rows, or an error where the release cannot be one of the original.
create or replace macro sqlanon._refuse_more(totals, original, release) as table
    select error('table ' || release || ' has ' || released || ' rows, more than ' || original
                 || ', which has ' || rows) as refused
    from query_table(totals) where released > rows;

-- The points: release, target, people, c1, c2, ... (codes).
create or replace macro sqlanon._utility_points(original_combinations, coded_domain, columns) as table
    select codes.*, people
    from sqlanon._target_codes(
        original_combinations, coded_domain, '(select 1 as release, 1 as attribute)', columns) as codes
    join query_table(original_combinations) using (target);

-- Points and boxes as queries see them: profiles (a list in the order of d), weight (of boxes: a column).
create or replace macro sqlanon._profiled_points(points, grid, columns) as table
    from query(sqlanon._fill($$
        select [{profiles}] as profiles, people as weight
        from {points}, (select list(values order by d) as sizes, list(cells order by d) as counts from {grid})
    $$, map {
        'profiles': sqlanon._each(
            columns, 'sqlanon._profile(null, c{i}, c{i}, null, sizes[{i}], counts[{i}])', ', ')}));
create or replace macro sqlanon._profiled_boxes(boxes, grid, columns, weight := 'size') as table
    from query(sqlanon._fill($$
        select [{profiles}] as profiles, {weight} as weight
        from {boxes}, (select list(values order by d) as sizes, list(cells order by d) as counts from {grid})
    $$, map {
        'profiles': sqlanon._each(
            columns, 'sqlanon._profile(a{i}, lo{i}, hi{i}, members{i}, sizes[{i}], counts[{i}])', ', ')}));

-- The relative errors of the release's answers: query, error.
create or replace macro sqlanon._query_errors(
    points, boxes, labels, attributes, totals, columns, how_many, seed) as table
    with _sqlanon_grid as materialized (from sqlanon._grid(attributes)),
    _sqlanon_workload as materialized (from sqlanon._workload('_sqlanon_grid', how_many, seed)),
    _sqlanon_range as materialized (from sqlanon._ranges('_sqlanon_workload', '_sqlanon_grid')),
    _sqlanon_set as materialized (from sqlanon._sets_in_cells(labels, '_sqlanon_grid')),
    _sqlanon_point_profile as (from sqlanon._profiled_points(points, '_sqlanon_grid', columns)),
    _sqlanon_box_profile as (
        from sqlanon._profiled_boxes(boxes, '_sqlanon_grid', columns)
        union all
        -- a suppressed row covers everything
        select list(sqlanon._span_in_one(0, values) order by d), any_value(suppressed)
        from query_table(attributes), query_table(totals) where suppressed > 0 having count(*) > 0
    )
    select query,
           abs(coalesce(true_answer.answer, 0) - coalesce(new_answer.answer, 0))
               / greatest(coalesce(true_answer.answer, 0), rows / 1000) as error
    from range(how_many) as queries(query)
    left join sqlanon._answers('_sqlanon_point_profile', '_sqlanon_set', '_sqlanon_range')
        as true_answer using (query)
    left join sqlanon._answers('_sqlanon_box_profile', '_sqlanon_set', '_sqlanon_range')
        as new_answer using (query),
    query_table(totals);

-- The numeric columns: d, center. Numbers in the original, and nothing but numbers (and suppressed cells
-- without a star) in the release.
create or replace macro sqlanon._numeric_columns(labels, attributes) as table
    select d, any_value(center) as center from query_table(attributes) join query_table(labels) using (d)
    where is_number group by d having bool_and(label is null or sqlanon._finite(label) is not null);

-- The measures, a row per measure and column: place (in the order of measures), measure, d (the column; NULL:
-- over all in qi), value, unit, id.

-- What is suppressed, and what stands for nothing.
create or replace macro sqlanon._suppression_measures(labels, attributes, totals) as table
    with by_column as (
        select d, is_qi, released,
               coalesce(sum(n) filter (where hidden), 0) as hidden,
               coalesce(sum(n) filter (where lo is null), 0) as uncovered,
               coalesce(sum(n) filter (where not hidden and covered > 1), 0) as several
        from query_table(labels) join query_table(attributes) using (d), query_table(totals)
        group by d, is_qi, released
    )
    select 1 as place, 'suppressed rows' as measure, null::integer as d, 100 * suppressed / rows as value,
           '%' as unit, 'suppressed_rows' as id
    from query_table(totals)
    union all
    select 2, 'suppressed cells', d, 100 * hidden / released, '%', 'suppressed_cells'
    from by_column where is_qi
    union all
    select 2, 'suppressed cells', null, 100 * sum(hidden) / sum(released), '%', 'suppressed_cells'
    from by_column where is_qi
    union all
    select 3, 'values that the original lacks', d, 100 * uncovered / released, '%', 'values_not_in_original'
    from by_column where uncovered > 0
    union all
    select 3, 'sensitive values that are one of several', d, 100 * several / released, '%',
           'sensitive_in_sets'
    from by_column where several > 0 and not is_qi;

-- What only covered values have, of the columns in qi: losses, entropies, precisions: as above. Over all
-- columns only where all of them have it.
create or replace macro sqlanon._covered_measures(losses, entropies, precisions, labels, attributes) as table
    with qi as (select d from query_table(attributes) where is_qi),
    covered as (from qi where d not in (select d from query_table(labels) where lo is null)),
    loss as (from query_table(losses) semi join covered using (d)),
    entropy as (from query_table(entropies) semi join covered using (d)),
    precise as (from query_table(precisions) semi join covered using (d))
    select 4 as place, 'NCP' as measure, d, ncp as value, 'share' as unit, 'ncp' as id from loss
    union all
    select 5, 'GCP', null, list_sum(list_sort(list(ncp))) / count(*), 'share', 'gcp'
    from loss having count(*) = (select count(*) from qi)
    union all
    select 6, 'loss', d, loss, 'share', 'loss' from loss
    union all
    select 6, 'loss', null, sqlanon._aggregated(list(loss order by d), 'geometric_mean')[1], 'share', 'loss'
    from loss having count(*) = (select count(*) from qi)
    union all
    select 7, 'non-uniform entropy', d, entropy, 'bits', 'non_uniform_entropy' from entropy
    union all
    select 7, 'non-uniform entropy', null, list_sum(list_sort(list(entropy))), 'bits', 'non_uniform_entropy'
    from entropy having count(*) = (select count(*) from qi)
    union all
    select 8, 'precision', d, precision, 'share', 'precision' from precise
    union all
    select 8, 'precision', null, list_sum(list_sort(list(precision))) / count(*), 'share', 'precision'
    from precise having count(*) = (select count(*) from qi);

-- The loss of each label, with what it is made of.
create or replace macro sqlanon._covering_measures(
    labels, points, hierarchy, coded_domain, attributes, totals, columns) as table
    with _sqlanon_marginal as materialized (from sqlanon._utility_marginal(coded_domain, points, columns)),
    _sqlanon_loss as materialized (from sqlanon._utility_losses(labels, coded_domain, attributes, totals)),
    _sqlanon_level as materialized (from sqlanon._label_levels(labels, hierarchy, attributes)),
    _sqlanon_common_level as materialized (from sqlanon._common_levels(labels, '_sqlanon_level')),
    _sqlanon_precision as materialized (
        from sqlanon._utility_precisions(
            labels, '_sqlanon_level', '_sqlanon_common_level', attributes, totals)
    ),
    _sqlanon_entropy as materialized (
        from sqlanon._utility_entropies(
            labels, '_sqlanon_marginal', hierarchy, coded_domain, '_sqlanon_common_level', attributes, totals)
    )
    from sqlanon._covered_measures(
        '_sqlanon_loss', '_sqlanon_entropy', '_sqlanon_precision', labels, attributes);

-- The sizes of classes.
create or replace macro sqlanon._class_measures(totals, at_k) as table
    with total as (
        select *, rows / (classes + (suppressed > 0)::integer) as average from query_table(totals)
    )
    select 9 as place, 'discernibility' as measure, null::integer as d,
           squares + rows::double * suppressed as value, 'rows' as unit, 'discernibility' as id
    from total
    union all
    select 10, 'average class size', null, average, 'rows', 'average_class_size' from total
    union all
    select 11, 'C_avg', null, average / at_k, 'times k', 'c_avg' from total where at_k is not null;

-- What all columns have together: the distribution of rows, where every released value covers something, and
-- the answers to queries. near_labels: as in _nearest_labels, and boxes are those of these.
create or replace macro sqlanon._joint_measures(
    points, boxes, labels, near_labels, attributes, totals, columns, how_many, seed) as table
    with _sqlanon_key as materialized (from sqlanon._keys(boxes, points, columns)),
    _sqlanon_written as materialized (from sqlanon._written_boxes(boxes, '_sqlanon_key', columns)),
    _sqlanon_located as (from sqlanon._located('_sqlanon_written', points, '_sqlanon_key', columns)),
    distribution as materialized (
        from sqlanon._distribution(points, '_sqlanon_located', boxes, attributes, totals)
    ),
    query_error as materialized (
        from sqlanon._query_errors(points, boxes, near_labels, attributes, totals, columns, how_many, seed)
    ),
    measure as (
        select 12 as place, 'KL divergence' as measure, null::integer as d, divergence as value,
               'bits' as unit, 'kl_divergence' as id
        from distribution
        union all
        select 13, 'city block distance', null, distance, 'of 2', 'city_block_distance' from distribution
        union all
        select 14, 'query error, median', null, 100 * median(error), '%', 'query_error_median'
        from query_error having count(*) > 0
        union all
        select 15, 'query error, mean', null, 100 * list_sum(list_sort(list(error))) / count(*), '%',
               'query_error_mean'
        from query_error having count(*) > 0
    )
    from measure
    where starts_with(id, 'query_error') or (select count(*) from query_table(labels) where lo is null) = 0;

-- What becomes of numbers, see sql/utility/moments.sql.
create or replace macro sqlanon._number_measures(
    original_combinations, release_classes, linked, labels, attributes, columns) as table
    with _sqlanon_numeric as materialized (from sqlanon._numeric_columns(labels, attributes)),
    _sqlanon_original_number as (
        from sqlanon._numbers(original_combinations, columns, 'v{i}', 'people', '_sqlanon_numeric')
    ),
    _sqlanon_released_number as (
        from sqlanon._numbers(release_classes, columns, 'l{i}', 'size', '_sqlanon_numeric')
    ),
    _sqlanon_moment as materialized (from sqlanon._moments('_sqlanon_original_number', '_sqlanon_numeric')),
    _sqlanon_new_moment as materialized (
        from sqlanon._moments('_sqlanon_released_number', '_sqlanon_numeric')
    )
    select 20 + rank as place, measure, d, value, unit, id
    from (
        from sqlanon._moment_changes('_sqlanon_moment', '_sqlanon_new_moment')
        union all
        from sqlanon._squared_errors(linked, '_sqlanon_moment')
    );

create or replace macro sqlanon._utility(
    original, release, columns, quasi_identifiers, hierarchies, at_k, row_id, how_many, seed, weight,
    held_out, formats) as table
    with _sqlanon_hierarchy as materialized (from sqlanon._hierarchies(hierarchies)),
    _sqlanon_column as materialized (from sqlanon._utility_columns(columns, quasi_identifiers)),
    _sqlanon_original as materialized (from sqlanon._source(original, columns, row_id, weight)),
    _sqlanon_released as materialized (
        from sqlanon._formatted_source(release, columns, row_id, formats, weight)
    ),
    _sqlanon_combination as materialized (
        from sqlanon._target_combinations('_sqlanon_original', columns, null, weight)
    ),
    _sqlanon_class as materialized (
        from sqlanon._release_classes('_sqlanon_released', columns, weight, formats)
    ),
    _sqlanon_total as materialized (
        from sqlanon._utility_totals('_sqlanon_combination', '_sqlanon_class', quasi_identifiers)
    ),
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
    _sqlanon_near_label as materialized (
        from sqlanon._nearest_labels('_sqlanon_label', '_sqlanon_domain')
    ),
    _sqlanon_box as materialized (
        from sqlanon._utility_boxes('_sqlanon_class', '_sqlanon_near_label', columns)
    ),
    _sqlanon_point as materialized (
        from sqlanon._utility_points('_sqlanon_combination', '_sqlanon_domain', columns)
    ),
    _sqlanon_linked as materialized (
        from sqlanon._linked('_sqlanon_original', '_sqlanon_released', row_id, columns)
    ),
    _sqlanon_refusal as (
        from sqlanon._refuse_empty('_sqlanon_combination', original)
        union all from sqlanon._refuse_empty('_sqlanon_class', release)
        union all from sqlanon._refuse_hierarchies('_sqlanon_hierarchy', columns, null)
        union all from sqlanon._refuse_lacking('_sqlanon_value', '_sqlanon_hierarchy', '_sqlanon_column')
        union all from sqlanon._refuse_more('_sqlanon_total', original, release)
        union all from sqlanon._refuse_strange('_sqlanon_label', '_sqlanon_attribute')
        union all from sqlanon._refuse_linked('_sqlanon_linked', row_id)
    ),
    _sqlanon_measure as (
        from sqlanon._suppression_measures('_sqlanon_label', '_sqlanon_attribute', '_sqlanon_total')
        union all
        from sqlanon._covering_measures(
            '_sqlanon_label', '_sqlanon_point', '_sqlanon_hierarchy', '_sqlanon_domain', '_sqlanon_attribute',
            '_sqlanon_total', columns)
        union all
        from sqlanon._class_measures('_sqlanon_total', at_k)
        union all
        from sqlanon._joint_measures(
            '_sqlanon_point', '_sqlanon_box', '_sqlanon_label', '_sqlanon_near_label', '_sqlanon_attribute',
            '_sqlanon_total', columns, how_many, seed)
        union all
        from sqlanon._number_measures(
            '_sqlanon_combination', '_sqlanon_class', '_sqlanon_linked', '_sqlanon_label',
            '_sqlanon_attribute', columns)
        union all
        from query(
            sqlanon._if_given(
                held_out,
                'null::integer as place, null::varchar as measure, null::integer as d, null::double as value,
                 null::varchar as unit, null::varchar as id',
                {call _accuracy_measures:
                    original_combinations := '_sqlanon_combination', release_classes := '_sqlanon_class',
                    coded_domain := '_sqlanon_domain', points := '_sqlanon_point',
                    labels := '_sqlanon_label', attributes := '_sqlanon_attribute'}))
        union all by name
        select refused::integer as place from _sqlanon_refusal
    )
    select measure, columns[d] as attribute, value::double as value, unit, id
    from _sqlanon_measure
    order by place, d nulls last;

-- The formats of a release, a list with that of each column, of which the sensitive ones have none; or NULL.
create or replace macro sqlanon._formats_of_columns(formats, release, qi, sensitive) as
    if(formats is null, null,
       sqlanon._formats_of_releases(formats, release, qi)[1]
           || list_transform(sqlanon._list(sensitive), lambda name: null::varchar));

create or replace macro sqlanon.utility(
    original, release, qi, sensitive := null, hierarchies := null, k := null, id := null, queries := 1000,
    seed := 1, weight := null, held_out := null, formats := null) as table
    from query(
        sqlanon._checked(qi, sensitive, id, null, weight)
        || case when id is not null and weight is not null
                then error('id does not go with weight: a row that stands for several people is no record')
                when held_out is not null and len(sqlanon._list(sensitive)) = 0
                then error('held_out needs sensitive, the columns to be predicted')
                else '' end
        || {call _utility:
            columns := sqlanon._list(qi) || sqlanon._list(sensitive),
            quasi_identifiers := len(sqlanon._list(qi)), at_k := sqlanon._whole_number(k, 'k'),
            row_id := id, how_many := sqlanon._whole_given(queries, 'queries'),
            seed := sqlanon._seed_given(seed),
            formats := text(sqlanon._formats_text(
                sqlanon._formats_of_columns(formats, release, qi, sensitive)))});

comment on macro table sqlanon.utility is $$
Measures how much information a release has lost, compared with its original: one row per measure and column.
The release may be of any tool.

Parameters:
- original (table): the raw rows, with the columns in qi and sensitive.
- release (table): the released rows, with the same columns.
- qi (columns): quasi-identifiers.
- sensitive (columns; default null): sensitive columns, for the measures that also compare their relation to
  qi.
- hierarchies (table; default null): rows of attribute, value, level and label: the values that released
  labels stand for.
- k (integer, at least 1; default null): for C_avg.
- id (column; default null): of both tables, identifies the row: for SSE / SST.
- queries (integer, at least 1; default 1000): the number of random range counts (such as: how many people are
  from 20 to 35?) that are compared.
- seed (integer; default 1): fixes the random range counts.
- weight (column; default null): of both tables, how many people each row stands for, as in classes; not with
  id.
- held_out (table; default null): raw rows of people of the same kind who are not in the original, with the
  columns in qi and sensitive: for accuracy.
- formats: as in locate

Result:
- measure (text): the title of the measure.
- attribute (text): the column; NULL: over all columns in qi.
- value (number): its value, in the unit.
- unit (text): the unit: %, share, bits, rows, times k, of 2, correlation, or standard deviations.
- id (text): the name of the measure for programs; it does not change if the title does.

Errors: unknown column, empty table, a release with more rows than the original, a hierarchy that lacks a
value or is not a tree, an id that is not unique, a released label that covers no value of the original and is
not a number, a weight as in classes, held_out without sensitive, a format that is not known, or is of no
column in qi.

Notes: labels are read as covers reads them. Rows of the original that the release lacks are suppressed, and
count as if they had * everywhere. A released number that is no value of the original (such as a centroid) is
counted in values_not_in_original; measures that need covered values (ncp, gcp, loss, non_uniform_entropy,
precision), and the distances of distributions, then have no rows, and range counts take it as the nearest
value of the original. If a column has numbers in both tables, there are rows for the changes of its mean,
variance and correlations. For counts with noise, which may be below 0, use count_errors. The measures, by id:
- suppressed_rows: rows that the release lacks.
- suppressed_cells: cells that are * or NULL and are not in the original.
- values_not_in_original: released numbers that are no values of the original.
- sensitive_in_sets: values of a column in sensitive that stand for several, as those of anatomize do. ncp and
  gcp are about qi, and do not count this loss.
- ncp, gcp: NCP (0 to 1) and its mean over the columns.
- loss: 0 to 1, as ARX computes it; over all columns the geometric mean.
- non_uniform_entropy: bits, the sum over rows, as ARX computes it.
- precision: 0 to 1, and 0 is the original; only if the level of every released label is known.
- discernibility, average_class_size: measures of the class sizes.
- c_avg: with k: average class size / k.
- kl_divergence, city_block_distance: distances between the distributions of rows of the two tables over the
  columns in qi and sensitive; the rows of a class are distributed evenly over the values that it covers. The
  first is in bits, the second 0 to 2.
- query_error_median, query_error_mean: the relative error of the range counts.
- mean_change, variance_change: the changes of the mean and variance of a column of numbers.
- correlation_change_mean, correlation_change_largest: the change of correlations over the pairs of such
  columns.
- sse_sst: with id: SSE / SST.
- accuracy, accuracy_of_original, accuracy_of_most_frequent: with held_out: the percentage of people held out
  whose value in a sensitive column is predicted right by a naive Bayes classifier trained on the release, by
  one trained on the original, and by the most frequent value of the original. Numbers and dates without a
  hierarchy are cut into ten groups with about as many rows of the original each; right is the right group.

Source: named in sql/utility/utility.sql, sql/utility/range_queries.sql, sql/utility/moments.sql and
sql/utility/classifier.sql.

Example:
with original as (from people where age < 42)
from sqlanon.utility('original', 'east', qi := ['age', 'zip'], sensitive := 'disease');
$$;
