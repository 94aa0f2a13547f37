-- Microaggregation: rows are put in small groups of near ones, and release what is in the middle of their group (Defays and Nanopoulos 1993;
-- Domingo-Ferrer and Mateo-Sanz 2002).
--
-- Groups have k rows at least, and mostly fewer than 2 k. How rows are grouped is exchangeable. Here they are taken from Hilbert's curve, every k of them.
-- The algorithms that look for the farthest row, group by group, are loops over vectors, and run in Python (sqlanon/kernels.py).
--
-- Where more is required than k, a group that violates it is merged with the nearest one, until none does. In a round every violating group picks its
-- nearest, and of the picks that have a group in common only the shortest is done.
--
-- Points are distinct quasi-identifiers, in the order of their codes; rows are numbered in the order of points. Equal rows may come in
-- different groups: then a hash of what else they release decides.

-- Every distinct value of the quasi-identifiers: d, code, number (NULL: it has none), category, counts (does it matter for distances which of the
-- categories it is?), value (as text), n rows. Numbers and dates have a number; other values have one where they have a hierarchy, their place among its leaves.
create or replace macro sqlanon._microaggregation_domain(combinations, tuples, leaves, qi) as table
    from query(sqlanon._each(qi, '
        select {i} as d, tuple.q{i} as code,
               case when sqlanon._is_respelled(any_value(typeof(combination.q{i})))
                    then case when isfinite(sqlanon._number(min(combination.q{i}::varchar))) or count(combination.q{i}) = 0
                              then sqlanon._number(min(combination.q{i}::varchar))
                              else error(''column '' || {s} || '' has the value '' || min(combination.q{i}::varchar)
                                         || '', from which nothing has a distance: replace it, or leave its rows out'')
                         end
                    when any_value(has_hierarchy) then tuple.q{i}
               end::double as number,
               case when sqlanon._is_respelled(any_value(typeof(combination.q{i}))) then (count(combination.q{i}) = 0)::integer else tuple.q{i} end as category,
               sqlanon._is_respelled(any_value(typeof(combination.q{i}))) or not any_value(has_hierarchy) as counts,
               sum(weight)::bigint as n
        from ' || tuples || ' as tuple join ' || combinations || ' as combination using (tuple_id),
             (select count(*) > 0 as has_hierarchy from ' || leaves || ' where attribute = lower({s}))
        group by tuple.q{i}', ' union all '));

-- The same with coordinates: x, category, step (0 where categories do not count). A number has coordinates of 1/100,000 of the standard deviation.
create or replace macro sqlanon._microaggregation_coordinates(domain) as table
    select d, code, number, sqlanon._coordinate(number, largest, mean, deviation)::bigint as x, category,
           case when counts then step else 0 end::bigint as step
    from query_table(domain) join sqlanon._scales(domain) using (d);

-- The points: point_id (from 1), n, and per attribute its raw value q1, ..., number v1, ..., coordinate x1, ..., category c1, ..., step1, ...
create or replace macro sqlanon._microaggregation_points(combinations, tuples, coordinates, qi) as table
    from query(
        'with distinct_codes as (select ' || sqlanon._each(qi, 'tuple.q{i} as k{i}, any_value(combination.q{i}) as q{i}', ', ') || ', sum(weight)::bigint as n'
        || ' from ' || tuples || ' as tuple join ' || combinations || ' as combination using (tuple_id) group by ' || sqlanon._each(qi, 'tuple.q{i}', ', ') || ')'
        || ' select row_number() over (order by ' || sqlanon._each(qi, 'k{i}', ', ') || ') as point_id, n, '
        || sqlanon._each(qi, 'q{i}, number{i} as v{i}, x{i}, c{i}, step{i}', ', ') || ' from distinct_codes'
        || sqlanon._each(qi, ' join (select code as k{i}, number as number{i}, x as x{i}, category as c{i}, step as step{i} from '
                             || coordinates || ' where d = {i}) using (k{i})', ''));

-- The rows of the table: row_id (from 1), point_id, s (their combination of judged sensitive values), kept1, kept2, ... (what they release as it is).
create or replace macro sqlanon._microaggregation_rows(tbl, qi, sensitive, keep, judged, points, sensitive_combinations) as table
    from query(
        'with _sqlanon_placed as (select point_id, s'
        || sqlanon._each_of(sqlanon._list(sensitive) || sqlanon._list(keep), ', src.{c} as kept{i}', '')
        || ' from ' || sqlanon._projected(tbl, qi, sensitive, keep) || ' as src join ' || points || ' as point on true'
        || sqlanon._each(qi, ' and src.{c} is not distinct from point.q{i}', '')
        || ' join ' || sensitive_combinations || ' as judged on true' || sqlanon._each(judged, ' and src.{c} is not distinct from judged.s{i}', '') || ')'
        || ' select row_number() over (order by point_id, hash(row(0' || sqlanon._each_of(sqlanon._list(sensitive) || sqlanon._list(keep), ', kept{i}', '')
        || '))) as row_id, * from _sqlanon_placed');

-- Groups of k rows each along the curve, the last one of up to 2 k - 1: row_id, group_id (from 0).
create or replace macro sqlanon._curve_groups(rows, points, qi, k) as table
    with cell as materialized (from sqlanon._curve_cells(points, qi)),
    place as (from sqlanon._curve_places('cell', qi))
    select row_id, least((row_number() over (order by place, row_id) - 1) // k, count(*) over () // k - 1) as group_id
    from query_table(rows) join place using (point_id);

-- Points as Mondrian has its tuples, for a table that is too large for one block: tuple_id, q1, ..., s, weight; and its attributes: d, name, span.
-- An attribute is as wide as its coordinates are apart. Categories stand on a line as long as they are apart, times 10, so that they are cut before numbers are:
-- rows of different categories stay far from each other however small a block is (measured: 3 % more is lost than without blocks, not 91 %).
create or replace macro sqlanon._block_tuples(points, qi) as table
    from query(
        'select point_id as tuple_id, ' || sqlanon._each(qi, '(case when ranges.ordered{i} then x{i} else c{i} end)::integer as q{i}', ', ')
        || ', 1 as s, n as weight from ' || points || ', (select ' || sqlanon._each(qi, 'min(x{i}) < max(x{i}) as ordered{i}', ', ') || ' from ' || points || ') as ranges');
create or replace macro sqlanon._block_attributes(points, qi) as table
    from query(sqlanon._each(qi,
        'select {i} as d, {s} as name, case when min(x{i}) < max(x{i}) or max(step{i}) = 0 then 1 else max(c{i}) / (sqrt(2) * max(step{i})) / 10 end as span'
        || ' from ' || points, ' union all '));

-- What groups add up to, a row per group, attribute and category: group_id, d, c, step, n, and the sum x and the sum of squares of their coordinates.
-- grouped: row_id, group_id.
create or replace macro sqlanon._group_sums(rows, grouped, points, qi) as table
    with cell as (select group_id, point_id, count(*) as held from query_table(grouped) join query_table(rows) using (row_id) group by all),
    member as materialized (from cell join (select columns(* exclude (n)) from query_table(points)) using (point_id))
    from query(
        sqlanon._each(qi, 'select group_id, {i} as d, c{i} as c, any_value(step{i}) as step, sum(held)::bigint as n, sum(held * x{i})::bigint as x,'
                          || ' sum((held * x{i})::hugeint * x{i}) as squares from member group by group_id, c{i}', ' union all '));

-- How often groups have sensitive values: group_id, s, n.
create or replace macro sqlanon._group_histograms(rows, grouped) as table
    select group_id, s, count(*) as n from query_table(grouped) join query_table(rows) using (row_id) group by group_id, s;

-- The state before the first round: step, group_id, class_id (that of the first of its groups).
create or replace macro sqlanon._merge_start(grouped) as table
    select distinct 0 as step, group_id, group_id as class_id from query_table(grouped);

-- What is in the middle of classes: class_id, d, x (the mean), c (the most frequent category, of equally frequent ones the first), step.
create or replace macro sqlanon._class_centers(state, group_sums) as table
    with category as (
        select class_id, d, c, any_value(sums.step) as step, sum(n) as n, sum(x) as x
        from query_table(state) as state join query_table(group_sums) as sums using (group_id) group by class_id, d, c
    )
    select class_id, d, round(sum(x) / sum(n)) as x, arg_max(c, {'n': n, 'rank': -c}) as c, any_value(step)::double as step
    from category group by class_id, d;

-- One round: every class that violates the requirements picks the nearest one; of two picks that have a class in common the shorter is done.
-- No rows where no class violates them: then the state before is the last.
-- Where there are so many pairs that looking at all of them would take minutes, a class looks at those in its part of the numbers (about 2e8 pairs in all).
create or replace macro sqlanon._merge_step(state, group_sums, group_histograms, sensitive_values, marginal, sensitive_tree, requirement, qi) as table
    with histogram as materialized (
        select class_id, attribute, code, sum(n) as n
        from query_table(state) join query_table(group_histograms) using (group_id) join query_table(sensitive_values) using (s)
        where attribute > 0 group by all
    ),
    violating as materialized (
        select distinct class_id
        from sqlanon._measures('histogram', marginal, sensitive_tree,
                               (select [req.t_distance] from query_table(requirement)),
                               (select req.l from query_table(requirement))) as measured,
             query_table(requirement) as required
        where not sqlanon._satisfies(measured, required.req)
    ),
    -- Nothing is measured where nothing violates.
    wanted as (select * from query_table(state) where (select count(*) from violating) > 0),
    center as materialized (from sqlanon._class_centers('wanted', group_sums)),
    total as (select (select count(*) from violating) as violators, count(distinct class_id) as classes from query_table(state)),
    point as materialized (
        from query(
            'select class_id as id, class_id in (from violating) as violates,'
            || ' (row_number() over (order by class_id) - 1) * (1 + violators * classes // 200000000) // classes as part, '
            || sqlanon._each(qi, 'x{i}, c{i}, step{i}', ', ') || ' from total, (select class_id, '
            || sqlanon._each(qi, 'max(x) filter (where d = {i}) as x{i}, max(c) filter (where d = {i}) as c{i}, max(step) filter (where d = {i}) as step{i}', ', ')
            || ' from center group by class_id)')
    ),
    seeker as (select * from point where violates),
    pick as (
        select distinct least(id, nearest) as low, greatest(id, nearest) as high, distance
        from sqlanon._nearest('seeker', 'point', qi, 'one.part = other.part and one.id <> other.id')
    ),
    shortest as (
        select class_id, arg_min({'low': low, 'high': high}, {'distance': distance, 'low': low, 'high': high}) as pair
        from (select *, unnest([low, high]) as class_id from pick) group by class_id
    ),
    merged as materialized (
        select pair.low as low, pair.high as class_id from shortest group by pair having count(*) = 2
    )
    select step + 1 as step, group_id, coalesce(low, class_id) as class_id
    from query_table(state) left join merged using (class_id)
    where (select count(*) from merged) > 0;

-- What is lost: the sum of squared distances of rows from the mean of their class (SSE), as a share of that from the mean of all (SST). One row:
-- information_loss (0 to 1; 0 where all rows are equal).
create or replace macro sqlanon._information_loss(state, group_sums) as table
    with side as (
        select unnest([0, 1]) as side, unnest([class_id, -1]) as class_id, d, c, sums.step, n, x, squares
        from query_table(state) join query_table(group_sums) as sums using (group_id)
    ),
    category as (
        select side, class_id, d, c, any_value(step)::double as step, sum(n)::double as n, sum(x)::double as x, sum(squares)::double as squares
        from side group by side, class_id, d, c
    ),
    spread as (
        select side, sum(squares) - sum(x) * sum(x) / sum(n) + any_value(step) * any_value(step) * (sum(n) - sum(n * n) / sum(n)) as spread
        from category group by side, class_id, d
    )
    select coalesce(sum(spread) filter (side = 0) / nullif(sum(spread) filter (side = 1), 0), 0) as information_loss from spread;

-- What a class releases of a column. frequent is a value of its most frequent category (for numbers that tells only whether most are NULL, which is
-- released then); middle the mean of its numbers (for dates in microseconds), or the value in the middle.
create or replace macro sqlanon._center_kind(type_name) as
    case when not sqlanon._is_respelled(type_name) then 'category'
         when type_name = 'DATE' then 'day'
         when starts_with(type_name, 'TIMESTAMP') then 'moment'
         else 'number'
    end;
create or replace macro sqlanon._mean_center(middle, frequent) as
    struct_extract({'number': case when frequent is not null then middle end,
                    'day': case when frequent is not null then make_timestamp((round(middle / 864e8) * 864e8)::bigint)::date end,
                    'moment': case when frequent is not null then make_timestamp(round(middle)::bigint) end,
                    'category': frequent},
                   sqlanon._center_kind(typeof(frequent)));
create or replace macro sqlanon._median_center(middle, frequent) as
    case when sqlanon._center_kind(typeof(frequent)) = 'category' or frequent is null then frequent else middle end;

-- The release: every row of the table with the centers of its class, its sensitive and its kept columns, and no other; in the order of a
-- salted hash of what is released, as in sql/recoding.sql. state: group_id, class_id.
create or replace macro sqlanon._microaggregation_release(qi, sensitive, keep, points, rows, grouped, state, group_sums, center, seed) as table
    with class_center as materialized (from sqlanon._class_centers(state, group_sums)),
    member as materialized (
        select class_id, columns(* exclude (row_id, group_id, class_id))
        from query_table(rows) join query_table(grouped) using (row_id) join query_table(state) using (group_id)
    )
    from query(
        'with middle as (select class_id, ' || sqlanon._each(qi, case center
            -- added in their order: the same sum in every run
            when 'mean' then 'list_sum(list_sort(list(v{i}))) / count(v{i}) as m{i}'
            else 'list_sort(list(q{i}) filter (q{i} is not null))[(count(q{i}) + 1) // 2] as m{i}' end, ', ')
        || '   from member join ' || points || ' using (point_id) group by class_id),'
        || ' frequent as (select class_id, ' || sqlanon._each(qi, 'max(c) filter (where d = {i}) as c{i}', ', ') || ' from class_center group by class_id),'
        || ' released as (select class_id, ' || sqlanon._each(qi, 'sqlanon._' || center || '_center(m{i}, f{i}) as w{i}', ', ')
        || '   from middle join frequent using (class_id)'
        || sqlanon._each(qi, ' join (select c{i}, any_value(q{i}) as f{i} from ' || points || ' group by c{i}) using (c{i})', '') || '),'
        || ' class as (select *, hash(row(' || sqlanon._each(qi, 'w{i}', ', ') || ')) as class_hash from released)'
        || ' select ' || sqlanon._each(qi, 'w{i} as {c}', ', ')
        || sqlanon._each_of(sqlanon._list(sensitive) || sqlanon._list(keep), ', kept{i} as {c}', '')
        || ' from member join class using (class_id)'
        || ' order by hash(row(class_hash' || sqlanon._each_of(sqlanon._list(sensitive) || sqlanon._list(keep), ', kept{i}', '') || '), '
        || case when seed is null then '(select random())' else seed::bigint::varchar end || ')');

-- An empty text, or an error that names the parameter that makes no sense.
create or replace macro sqlanon._algorithms() as ['mdav', 'vmdav', 'univariate', 'curve'];
create or replace macro sqlanon._microaggregation_checked(qi, k, algorithm, center) as
    case when k is null then error('microaggregate needs k: how many rows a group has at least, e.g. k := 5')
         when sqlanon._whole_number(k, 'k') is null then ''
         when not coalesce(list_contains(sqlanon._algorithms(), algorithm), false)
         then error('algorithm must be one of ' || list_aggregate(sqlanon._algorithms(), 'string_agg', ', ') || ', not ' || coalesce(algorithm, 'NULL')
                    || coalesce('; did you mean ' || list_min(list_transform(sqlanon._algorithms(), lambda known:
                           {'edits': levenshtein(known, lower(algorithm)), 'known': known})).known || '?', ''))
         when not coalesce(center in ('mean', 'median'), false) then error('center must be mean or median, not ' || coalesce(center, 'NULL'))
         when algorithm = 'univariate' and len(sqlanon._list(qi)) > 1
         then error('univariate takes one column in qi, not ' || len(sqlanon._list(qi)) || ': give one, or take another algorithm')
         when algorithm = 'curve' and len(sqlanon._list(qi)) > 60
         then error('curve takes up to 60 columns in qi, not ' || len(sqlanon._list(qi)) || ': give fewer, or take another algorithm')
         else ''
    end;

-- From the first relation to the release, in one statement.
create or replace macro sqlanon._microaggregate(tbl, qi, sensitive, judged, keep, hierarchies, k, req, center, seed) as table
    with recursive
    _sqlanon_requirement as materialized (select req as req),
    _sqlanon_combination as materialized (from sqlanon._numbered_combinations(tbl, qi, judged)),
    _sqlanon_hierarchy as materialized (from sqlanon._hierarchies(hierarchies)),
    _sqlanon_leaf as materialized (from sqlanon._leaves('_sqlanon_hierarchy')),
    _sqlanon_sensitive_combination as materialized (from sqlanon._sensitive_combinations('_sqlanon_combination', judged)),
    _sqlanon_sensitive_value as materialized (from sqlanon._sensitive_values('_sqlanon_sensitive_combination', judged)),
    _sqlanon_tuple as materialized (
        from sqlanon._tuples('_sqlanon_combination', '_sqlanon_sensitive_combination', sqlanon._if_any(hierarchies, '_sqlanon_leaf'), qi, judged)
    ),
    _sqlanon_sensitive_tree as materialized (from sqlanon._sensitive_tree('_sqlanon_sensitive_value', judged, '_sqlanon_hierarchy')),
    _sqlanon_whole as materialized (from sqlanon._whole('_sqlanon_tuple', '_sqlanon_sensitive_value')),
    _sqlanon_marginal as materialized (from sqlanon._marginal('_sqlanon_whole')),
    _sqlanon_refusal as materialized (
        from sqlanon._refuse_empty('_sqlanon_combination', tbl)
        union all from sqlanon._refuse_hierarchies('_sqlanon_hierarchy', qi, judged)
        union all from sqlanon._refuse_infeasible('_sqlanon_whole', '_sqlanon_marginal', '_sqlanon_sensitive_tree', '_sqlanon_requirement', judged)
    ),
    _sqlanon_domain as materialized (from sqlanon._microaggregation_domain('_sqlanon_combination', '_sqlanon_tuple', '_sqlanon_leaf', qi)),
    _sqlanon_coordinate as materialized (from sqlanon._microaggregation_coordinates('_sqlanon_domain')),
    _sqlanon_point as materialized (from sqlanon._microaggregation_points('_sqlanon_combination', '_sqlanon_tuple', '_sqlanon_coordinate', qi)),
    _sqlanon_row as materialized (
        from sqlanon._microaggregation_rows(tbl, qi, sensitive, keep, judged, '_sqlanon_point', '_sqlanon_sensitive_combination')
    ),
    _sqlanon_grouped as materialized (from sqlanon._curve_groups('_sqlanon_row', '_sqlanon_point', qi, k)),
    _sqlanon_group_sum as materialized (from sqlanon._group_sums('_sqlanon_row', '_sqlanon_grouped', '_sqlanon_point', qi)),
    _sqlanon_group_histogram as materialized (from sqlanon._group_histograms('_sqlanon_row', '_sqlanon_grouped')),
    _sqlanon_state as (
        from sqlanon._merge_start('_sqlanon_grouped')
        union all
        from query(case when len(judged) = 0 then 'from _sqlanon_state where false'
                        else 'from sqlanon._merge_step(''_sqlanon_state'', ''_sqlanon_group_sum'', ''_sqlanon_group_histogram'', ''_sqlanon_sensitive_value'','
                             || ' ''_sqlanon_marginal'', ''_sqlanon_sensitive_tree'', ''_sqlanon_requirement'', ' || sqlanon._names(qi) || ')' end)
    ),
    _sqlanon_last as materialized (select group_id, class_id from _sqlanon_state where step = (select max(step) from _sqlanon_state))
    from sqlanon._microaggregation_release(qi, sensitive, keep, '_sqlanon_point', '_sqlanon_row', '_sqlanon_grouped', '_sqlanon_last',
                                           '_sqlanon_group_sum', center, seed)
    where (select count(refused) from _sqlanon_refusal) = 0;

create or replace macro sqlanon.microaggregate(
    tbl, qi, sensitive := null, keep := null, hierarchies := null,
    k := null, l := null, entropy_l := null, recursive_c := null, alpha := null, t := null, t_distance := 'equal',
    beta := null, enhanced_beta := null, delta_disclosure := null, algorithm := 'mdav', center := 'mean', seed := null) as table
    from query(
        sqlanon._checked(qi, sensitive, keep) || sqlanon._microaggregation_checked(qi, k, algorithm, center)
        || case when algorithm = 'curve' then ''
                else error('the algorithm ' || algorithm || ' is a loop that runs in Python, as sqlanon.microaggregate(con, ...): in SQL there is algorithm := ''curve''') end
        || 'from sqlanon._microaggregate(' || sqlanon._literal(tbl) || ', ' || sqlanon._names(qi) || ', ' || sqlanon._names(sensitive) || ', '
        || sqlanon._names(sqlanon._judged(sensitive, k, l, entropy_l, recursive_c, alpha, t, beta, enhanced_beta, delta_disclosure)) || ', '
        || sqlanon._names(keep) || ', ' || sqlanon._optional(hierarchies) || ', ' || coalesce(k::varchar, '1') || ', '
        || sqlanon._requirements_text(k, l, entropy_l, recursive_c, alpha, t, t_distance, beta, enhanced_beta, delta_disclosure) || ', '
        || sqlanon._optional(center) || ', ' || coalesce(seed::bigint::varchar, 'null') || ')');

comment on macro table sqlanon.microaggregate is
    'A release of a table (tbl) by microaggregation: every row, with what is in the middle of its group in place of the columns in qi, and the columns in sensitive and keep; no other column leaves, and rows come in an order that depends on nothing but the released values. Groups have k rows at least. algorithm: curve takes every k rows along Hilbert''s curve; mdav, vmdav and univariate run in Python only, in the function of the same name. center: mean (numbers become DOUBLE, dates are rounded) or median (a value of the group); any other type, and text, releases its most frequent value, the first of several. NULL is a category of its own; of numbers it is released where it is more frequent than they are. Rows are near where their standardized coordinates are (see sql/coordinates.sql); text with hierarchies, the name of a table (attribute, value, level, label), is at the place of its leaf. Further requirements as in mondrian: l, entropy_l, recursive_c, alpha, t, t_distance, beta, enhanced_beta, delta_disclosure; groups that violate them are merged with their nearest. seed fixes the order of rows. Errors: unknown column, empty table, a number that is not finite, requirements that even the whole table as one class does not meet, a value missing in its hierarchy. Sources: Domingo-Ferrer and Mateo-Sanz 2002; Domingo-Ferrer and Torra 2005; Hilbert 1891; Skilling 2004.';
