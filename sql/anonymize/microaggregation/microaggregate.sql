-- Microaggregation: rows near each other are put in small groups, and every row releases the middle of its
-- group (Defays and Nanopoulos 1993; Domingo-Ferrer and Mateo-Sanz 2002).
--
-- A group has at least k rows, and mostly fewer than 2k. There are several ways to make groups. The one in
-- this file takes every k rows along Hilbert's curve. Those that look for the farthest row, group by group,
-- are loops over vectors (sql/anonymize/microaggregation/mdav.sql).
--
-- Where more is required than k, a group that violates it is merged with the nearest group, until none
-- violates it. In a round every violating group picks its nearest, and several may join the same.
--
-- Points are the distinct quasi-identifiers, in the order of their codes; rows are numbered in the order of
-- points. If rows of one point come into different groups, a hash decides which row comes into which: of the
-- other values that the row releases, and of its number among the rows that release the same values. (Without
-- that number, rows with the same sensitive value would come into the same group, which would then tell more
-- than it has to.)

-- The number of a value that has one, or an error where nothing has a distance from it.
create or replace macro sqlanon._finite_number(name, string, is_ordered, has_hierarchy, code) as
    case when is_ordered and (string is null or isfinite(sqlanon._number(string)))
         then sqlanon._number(string)
         when is_ordered
         then error('column ' || name || ' has the value ' || string
                    || ', from which nothing has a distance: replace it, or leave its rows out')
         when has_hierarchy then code::double
    end;

-- Every distinct value of the quasi-identifiers: d, code, number (NULL: it has none), category, counts
-- (does it matter for distances which of the categories it is?), value (as text), n rows. Numbers and dates
-- have a number; other values have one where they have a hierarchy, their place among its leaves.
create or replace macro sqlanon._microaggregation_domain(combinations, tuples, leaves, qi) as table
    from query(sqlanon._each_filled(qi, $$
        select {i} as d, code, sqlanon._finite_number({s}, string, is_ordered, has_hierarchy, code) as number,
               if(is_ordered, (string is null)::integer, code) as category,
               is_ordered or not has_hierarchy as counts, n
        from (
            select tuple.q{i} as code, min(combination.q{i}::varchar) as string,
                   sqlanon._is_respelled(any_value(typeof(combination.q{i}))) as is_ordered,
                   sum(weight)::bigint as n
            from {tuples} as tuple join {combinations} as combination using (tuple_id) group by tuple.q{i}
        ), (select count(*) > 0 as has_hierarchy from {leaves} where attribute = lower({s}))
    $$, ' union all '));

-- The values with coordinates: d, code, number, x, category, step (0 where categories do not count). A number
-- has coordinates of 1/100,000 of the standard deviation. strata: positions of attributes on which nothing
-- differs within a group: all of their values are one place.
create or replace macro sqlanon._microaggregation_coordinates(domain, strata := []::integer[]) as table
    select d, code, number,
           case when list_contains(strata, d) then 0
                else sqlanon._coordinate(number, largest, mean, deviation) end::bigint as x,
           case when list_contains(strata, d) then 0 else category end as category,
           case when counts and not list_contains(strata, d) then step else 0 end::bigint as step
    from query_table(domain) join sqlanon._scales(domain) using (d);

-- The points: point_id (from 1), n, stratum (from 0), and per attribute its raw value q1, ..., code k1, ...,
-- number v1, ..., coordinate x1, ..., category c1, ..., step1, ...
create or replace macro sqlanon._microaggregation_points(
    combinations, tuples, coordinates, qi, strata := []::integer[]) as table
    from query(sqlanon._fill($$
        with distinct_codes as (
            select {values}, sum(weight)::bigint as n
            from {tuples} as tuple join {combinations} as combination using (tuple_id) group by {codes}
        )
        select row_number() over (order by {keys}) as point_id, n, stratum, {columns}
        from sqlanon._tuples_in_strata('distinct_codes', {strata_keys}) {coordinates}
    $$, map {
        'values': sqlanon._each_of(qi, 'tuple.q{i} as k{i}, any_value(combination.q{i}) as q{i}', ', '),
        'codes': sqlanon._each_of(qi, 'tuple.q{i}', ', '), 'keys': sqlanon._each_of(qi, 'k{i}', ', '),
        'strata_keys': sqlanon._names_of(list_transform(strata, lambda position: 'k' || position)),
        'columns': sqlanon._each_of(qi, 'q{i}, k{i}, number{i} as v{i}, x{i}, c{i}, step{i}', ', '),
        'coordinates': sqlanon._each_filled(qi, $$
            join (
                select code as k{i}, number as number{i}, x as x{i}, category as c{i}, step as step{i}
                from {coordinates} where d = {i}
            ) using (k{i})
        $$, '')}));

-- The rows of the table: row_id (from 1), point_id, s (their combination of counted values), kept1, kept2,
-- ... (what they release as it is) and, with a unit, person. (Rows of different people may release the same;
-- these are numbered in the order of s, which is the same in every run.) known_combinations: those of the
-- table, with the number known, or NULL.
create or replace macro sqlanon._microaggregation_rows(
    tbl, qi, sensitive, keep, counted, points, sensitive_combinations, unit := null,
    known_combinations := null) as table
    from query(sqlanon._fill($$
        with _sqlanon_placed as (
            select point.point_id, counted.s {columns}
            from {source} as src
            join {points} as point on true {each_of qi: and src.{c} is not distinct from point.q{i}}
            {known}
            join {sensitive_combinations} as counted on true {equal_values}
        ),
        _sqlanon_numbered as (
            select *, row_number() over (partition by {twins}) - 1 as twin from _sqlanon_placed
        )
        select row_number() over (order by point_id, hash(row(twin::integer {kept}))) as row_id,
               * exclude (twin)
        from _sqlanon_numbered
    $$, map {
        'columns': sqlanon._each(unit, ', src.{c} as person', '')
                   || sqlanon._each_of(
                       sensitive || keep, ', src.{c} as kept{i}', ''),
        'source': sqlanon._relation(tbl),
        'known': coalesce(
            'join (select distinct ' || sqlanon._each_of(qi, 'q{i}, ', '')
            || sqlanon._each_of(counted, 's{i}, ', '') || 's' || (len(counted) + 1)
            || ' as known from ' || known_combinations || ') as located on true'
            || sqlanon._each_of(qi, ' and src.{c} is not distinct from located.q{i}', '')
            || sqlanon._each_of(counted, ' and src.{c} is not distinct from located.s{i}', ''), ''),
        'equal_values': sqlanon._each_of(counted, ' and src.{c} is not distinct from counted.s{i}', '')
                        || if(known_combinations is null, '',
                              ' and located.known = counted.s' || (len(counted) + 1)),
        'twins': 'point_id' || if(unit is null, ', s', '') || sqlanon._kept_columns(sensitive, keep)
                 || if(unit is null, '', ' order by s'),
        'kept': sqlanon._kept_columns(sensitive, keep)}));

-- Groups of k rows each along the curve, the last one of a stratum of up to 2 k - 1: row_id, group_id (from
-- 0).
create or replace macro sqlanon._curve_groups(rows, points, qi, k) as table
    with cell as materialized (from sqlanon._curve_cells(points, qi)),
    place as (from sqlanon._curve_places('cell', qi)),
    placed as (
        select row_id, stratum, row_number() over (order by stratum, place, row_id) as number
        from query_table(rows) join (select point_id, stratum from query_table(points)) using (point_id)
        join place using (point_id)
    ),
    start as (
        select stratum, min(number) as first, count(*) as held,
               sum(count(*) // k) over (order by stratum)::bigint - count(*) // k as groups
        from placed group by stratum
    )
    select row_id, groups + least((number - first) // k, held // k - 1) as group_id
    from placed join start using (stratum);

-- What groups add up to, a row per group, attribute and category: group_id, d, c, step, n, and the sum x
-- and the sum of squares of their coordinates. grouped: row_id, group_id.
create or replace macro sqlanon._group_sums(rows, grouped, points, qi) as table
    with cell as (
        select group_id, point_id, count(*) as held
        from query_table(grouped) join query_table(rows) using (row_id) group by all
    ),
    member as materialized (
        from cell join (select columns(* exclude (n)) from query_table(points)) using (point_id)
    )
    from query(sqlanon._each_of(qi, $$
        select group_id, {i} as d, c{i} as c, any_value(step{i}) as step, sum(held)::bigint as n,
               sum(held * x{i})::bigint as x, sum((held * x{i})::hugeint * x{i}) as squares
        from member group by group_id, c{i}
    $$, ' union all '));

-- How often groups have sensitive values: group_id, s, n.
create or replace macro sqlanon._group_histograms(rows, grouped) as table
    select group_id, s, count(*) as n
    from query_table(grouped) join query_table(rows) using (row_id) group by group_id, s;

-- The strata of groups: group_id, stratum.
create or replace macro sqlanon._group_strata(rows, grouped, points) as table
    select group_id, any_value(stratum) as stratum
    from query_table(grouped) join query_table(rows) using (row_id)
    join (select point_id, stratum from query_table(points)) using (point_id) group by group_id;

-- The state before the first round: step, group_id, class_id (that of one of its groups).
create or replace macro sqlanon._merge_start(grouped) as table
    select distinct 0 as step, group_id, group_id as class_id from query_table(grouped);

-- What is in the middle of classes: class_id, d, x (the mean), c (the most frequent category, of equally
-- frequent ones the first), step.
create or replace macro sqlanon._class_centers(state, group_sums) as table
    with category as (
        select class_id, d, c, any_value(sums.step) as step, sum(n) as n, sum(x) as x
        from query_table(state) as state join query_table(group_sums) as sums using (group_id)
        group by class_id, d, c
    )
    select class_id, d, round(sum(x) / sum(n)) as x, arg_max(c, {'n': n, 'rank': -c}) as c,
           any_value(step)::double as step
    from category group by class_id, d;

-- Classes as points: id, violates, stratum and part (classes look at others of the same two alone), and per
-- attribute x1, c1, step1, ... Where there are so many pairs that looking at all of them would take minutes,
-- a stratum has several parts (about 2e8 pairs in all).
create or replace macro sqlanon._class_points(state, group_sums, group_strata, violating, qi) as table
    with center as (from sqlanon._class_centers(state, group_sums)),
    placed as (
        select class_id, any_value(stratum) as stratum
        from query_table(state) join query_table(group_strata) using (group_id) group by class_id
    ),
    total as (select count(*) as violators from query_table(violating))
    from query(sqlanon._fill($$
        select class_id as id, class_id in (from {violating}) as violates, stratum,
               (row_number() over (partition by stratum order by class_id) - 1)
                   * (1 + violators * count(*) over (partition by stratum) // 200000000)
                   // count(*) over (partition by stratum) as part,
               {each_of qi: x{i}, c{i}, step{i}}
        from total, (select class_id, {centers} from center group by class_id) join placed using (class_id)
    $$, map {
        'centers': sqlanon._each_of(qi, $$
            max(x) filter (where d = {i}) as x{i}, max(c) filter (where d = {i}) as c{i},
            max(step) filter (where d = {i}) as step{i}$$, ', ')}));

-- One round: every class that violates the requirements picks the nearest one. It joins a pick that
-- violates nothing, or that is one of two which have picked each other; otherwise it waits. (The way from
-- pick to pick always ends at one of these, so that somebody joins in every round.) No rows where no class
-- violates them: then the state before is the last.
create or replace macro sqlanon._merge_step(
    state, group_sums, group_histograms, group_strata, sensitive_values, marginal, sensitive_tree,
    requirement, qi, by_unit := false, composition := null) as table
    with cell as (
        select class_id, s, n from query_table(state) join query_table(group_histograms) using (group_id)
    ),
    histogram as materialized (
        from sqlanon._histograms('cell', sensitive_values, by_unit) where attribute > 0 or by_unit
    ),
    violating as materialized (
        from sqlanon._violating('histogram', marginal, sensitive_tree, requirement, by_unit)
        union
        from query(sqlanon._if_given(
            composition, 'null::bigint as class_id', {call _losing: cells := 'cell', by_unit := false}))
    ),
    -- Nothing is measured where nothing violates.
    wanted as (select * from query_table(state) where (select count(*) from violating) > 0),
    point as materialized (from sqlanon._class_points('wanted', group_sums, group_strata, 'violating', qi)),
    seeker as (select * from point where violates),
    pick as materialized (
        select id, nearest
        from sqlanon._nearest(
            'seeker', 'point', qi,
            'one.stratum = other.stratum and one.part = other.part and one.id <> other.id')
    ),
    -- A class, its pick, and the pick's pick. The third may be the first again; a class that violates nothing
    -- picks none.
    joined as materialized (
        select first.id as class_id,
               case when second.id is null then first.nearest
                    when third.nearest = second.id then least(second.id, third.id) end as joins
        from pick as first
        left join pick as second on second.id = first.nearest
        left join pick as third on third.id = second.nearest
    )
    select step + 1 as step, group_id, coalesce(joins, class_id) as class_id
    from query_table(state) left join joined using (class_id)
    where (select count(joins) from joined) > 0;

-- What is lost: the sum of squared distances of rows from the mean of their class (SSE), as a share of that
-- from the mean of all (SST). One row: information_loss (0 to 1; 0 where all rows are equal).
create or replace macro sqlanon._information_loss(state, group_sums) as table
    with side as (
        select unnest([0, 1]) as side, unnest([class_id, -1]) as class_id, d, c, sums.step, n, x, squares
        from query_table(state) join query_table(group_sums) as sums using (group_id)
    ),
    category as (
        select side, class_id, d, c, any_value(step)::double as step, sum(n)::double as n,
               sum(x)::double as x, sum(squares)::double as squares
        from side group by side, class_id, d, c
    ),
    spread as (
        select side, sum(squares) - sum(x) * sum(x) / sum(n)
                     + any_value(step) * any_value(step) * (sum(n) - sum(n * n) / sum(n)) as spread
        from category group by side, class_id, d
    )
    select coalesce(sum(spread) filter (side = 0) / nullif(sum(spread) filter (side = 1), 0), 0)
               as information_loss
    from spread;

-- Which rows of a combination are in which class: tuple_id, class_id, share (how many). The rows of equal
-- ones are exchangeable.
create or replace macro sqlanon._class_assignment(tuples, points, rows, grouped, state, qi) as table
    with cell as (
        select point_id, s, class_id, count(*) as share
        from query_table(rows)
        join query_table(grouped) using (row_id)
        join query_table(state) using (group_id)
        group by all
    )
    from query(sqlanon._fill($$
        select tuple_id, class_id, share
        from cell
        join {points} as point using (point_id)
        join {tuples} as tuple on tuple.s = cell.s {each_of qi: and tuple.q{i} = point.k{i}}
    $$));

-- What a class releases of a column. frequent is a value of its most frequent category (for numbers that
-- tells only whether most are NULL, which is released then); middle the mean of its numbers (for dates in
-- microseconds), or the value in the middle.
create or replace macro sqlanon._center_kind(type_name) as
    case when not sqlanon._is_respelled(type_name) then 'category'
         when type_name = 'DATE' then 'day'
         when starts_with(type_name, 'TIMESTAMP') then 'moment'
         else 'number'
    end;
create or replace macro sqlanon._mean_center(middle, frequent) as
    struct_extract({
        'number': case when frequent is not null then middle end,
        'day': case when frequent is not null
                    then make_timestamp((round(middle / 864e8) * 864e8)::bigint)::date end,
        'moment': case when frequent is not null then make_timestamp(round(middle)::bigint) end,
        'category': frequent}, sqlanon._center_kind(typeof(frequent)));
create or replace macro sqlanon._median_center(middle, frequent) as
    if(sqlanon._center_kind(typeof(frequent)) = 'category' or frequent is null, frequent, middle);

-- The text of an aggregate: the number in the middle of a column of numbers v or values q. (Numbers are added
-- in their order: the same sum in every run.)
create or replace macro sqlanon._middle(center) as
    if(center = 'mean', 'list_sum(list_sort(list(v{i}))) / count(v{i})',
       'list_sort(list(q{i}) filter (q{i} is not null))[(count(q{i}) + 1) // 2]');

-- What classes release: class_id, w1, w2, ... Strata, columns in qi, are released as they are.
create or replace macro sqlanon._released_centers(
    members, points, class_centers, qi, center, strata := null) as table
    from query(sqlanon._fill($$
        with middle as (
            select class_id, {middles} from {members} join {points} using (point_id) group by class_id
        ),
        frequent as (select class_id, {categories} from {class_centers} group by class_id)
        select class_id, {centers} from middle join frequent using (class_id) {frequent_values}
    $$, map {
        'middles': sqlanon._each_of(
            qi, 'any_value(q{i}) as one{i}, ' || sqlanon._middle(center) || ' as m{i}', ', '),
        'categories': sqlanon._each_of(qi, 'max(c) filter (where d = {i}) as c{i}', ', '),
        'centers': list_aggregate(list_transform(qi, lambda name, i:
            case when list_contains(sqlanon._lower(sqlanon._list(strata)), lower(name)) then 'one' || i
                 else 'sqlanon._' || center || '_center(m' || i || ', f' || i || ')' end
            || ' as w' || i), 'string_agg', ', '),
        'frequent_values': sqlanon._each_filled(qi, $$
            join (select c{i}, any_value(q{i}) as f{i} from {points} group by c{i}) using (c{i})
        $$, '')}));

-- The release: every row of the table with the centers of its class, its sensitive and its kept columns,
-- and no other; in a random order as in sql/anonymize/recoding.sql. state:
-- group_id, class_id. unit: a further column, for a look at the release before it leaves.
create or replace macro sqlanon._microaggregation_release(
    qi, sensitive, keep, points, rows, grouped, state, group_sums, center, strata, seed,
    unit := null) as table
    with class_center as materialized (from sqlanon._class_centers(state, group_sums)),
    member as materialized (
        select class_id, columns(* exclude (row_id, group_id, class_id))
        from query_table(rows)
        join query_table(grouped) using (row_id)
        join query_table(state) using (group_id)
    ),
    released as (from sqlanon._released_centers('member', points, 'class_center', qi, center, strata)),
    keyed as materialized (
        from query('select *, hash(' || sqlanon._random_key(sqlanon._each_of(qi, 'w{i}', ', '), seed)
                   || ') as class_key from released')
    )
    from query(sqlanon._fill($$
        select {columns} from member join keyed using (class_id) order by hash(row(class_key {kept}))
    $$, map {
        'columns': sqlanon._each_of(qi, 'w{i} as {c}', ', ')
                   || sqlanon._each_of(
                       sensitive || keep, ', kept{i} as {c}', '')
                   || sqlanon._each(unit, ', person as {c}', ''),
        'kept': sqlanon._kept_columns(sensitive, keep)}));

create or replace macro sqlanon._algorithms() as ['mdav', 'vmdav', 'univariate', 'curve'];

-- The algorithm that a misspelt one may mean.
create or replace macro sqlanon._nearest_algorithm(algorithm) as
    list_min(list_transform(sqlanon._algorithms(), lambda known:
        {'edits': levenshtein(known, lower(algorithm)), 'known': known})).known;

-- An empty text, or an error that names the parameter that makes no sense.
create or replace macro sqlanon._microaggregation_checked(method, qi, k, algorithm, gamma) as
    case when k is null then error(method || ' needs k: how many rows a group has at least, e.g. k := 5')
         when not coalesce(list_contains(sqlanon._algorithms(), algorithm), false)
         then error('algorithm must be one of ' || list_aggregate(sqlanon._algorithms(), 'string_agg', ', ')
                    || ', not ' || coalesce(algorithm, 'NULL')
                    || coalesce('; did you mean ' || sqlanon._nearest_algorithm(algorithm) || '?', ''))
         when sqlanon._real_number(gamma, 'gamma', 0, true, 1e300, 'at least 0') is null
         then error('gamma must be at least 0, not NULL')
         when algorithm = 'univariate' and len(sqlanon._list(qi)) > 1
         then error('univariate takes one column in qi, not ' || len(sqlanon._list(qi))
                    || ': give one, or take another algorithm')
         when algorithm = 'curve' and len(sqlanon._list(qi)) > 60
         then error('curve takes up to 60 columns in qi, not ' || len(sqlanon._list(qi))
                    || ': give fewer, or take another algorithm')
         else ''
    end;

-- An empty text, or an error where more than k is required of people: groups that release the same are one
-- class, whatever each of them has.
create or replace macro sqlanon._groups_checked(method, judged, unit) as
    case when unit is not null and len(judged) > 0
         then error(method || ' with a unit allows only the requirement k: two groups with the same '
                    || 'released values are one class, in which a person of both counts once')
         else ''
    end;

create or replace macro sqlanon._center(center) as
    case when center in ('mean', 'median') then center
         else error('center must be mean or median, not ' || coalesce(center, 'NULL'))
    end;

-- The groups of rows by one of the algorithms: row_id, group_id (from 0).
create or replace macro sqlanon._microaggregation_groups(
    rows, points, blocks, qi, k, algorithm, gamma) as table
    from query(case when algorithm = 'curve' then {call _curve_groups} else {call _loop_groups} end);

-- Microaggregation, a method of _anonymized. What is released is either centers or, as in
-- sql/anonymize/microaggregation/k_similar.sql, recoded values: center or recoding is NULL.
create or replace macro sqlanon._microaggregate(
    named, release, qi, judged, hierarchies, population, known, unit, sensitive, keep, counted, k, algorithm,
    gamma, center, strata, recoding, seed) as table
    with recursive
    _sqlanon_refusal as materialized (
        from query_table(named || 'emptiness')
        union all from sqlanon._refuse_hierarchies(named || 'hierarchy', qi, judged)
        union all from query(
            case when len(strata) > 0
                 then {call _refuse_strata:
                     tuples := named || 'tuple', sensitive_values := named || 'sensitive_value',
                     marginal := named || 'marginal', sensitive_tree := named || 'sensitive_tree',
                     requirement := named || 'requirement', by_unit := unit is not null}
                 when len(judged) = 0 and unit is null
                 then {call _refuse_whole: tuples := named || 'tuple', requirement := named || 'requirement',
                                           with_people := false}
                 else {call _refuse_infeasible:
                     histogram := named || 'whole', marginal := named || 'marginal',
                     sensitive_tree := named || 'sensitive_tree', requirement := named || 'requirement',
                     sensitive := judged, may_suppress := false, by_unit := unit is not null,
                     from_whole := true} end
            || sqlanon._known_and_kept_refused(
                named || 'known_located', named || 'known_row', known, qi, judged, keep))
    ),
    _sqlanon_measured as materialized (
        from sqlanon._microaggregation_domain(named || 'combination', named || 'tuple', named || 'leaf', qi)
    ),
    _sqlanon_coordinate as materialized (
        from sqlanon._microaggregation_coordinates(
            '_sqlanon_measured', sqlanon._strata_positions(strata, qi))
    ),
    _sqlanon_point as materialized (
        from sqlanon._microaggregation_points(
            named || 'combination', named || 'tuple', '_sqlanon_coordinate', qi,
            sqlanon._strata_positions(strata, qi))
    ),
    _sqlanon_record as materialized (
        from sqlanon._microaggregation_rows(
            named || 'source', qi, sensitive, keep, counted, '_sqlanon_point',
            named || 'sensitive_combination', unit, sqlanon._if_any(known, named || 'combination'))
    ),
    _sqlanon_off_line as materialized (from sqlanon._refuse_off_line('_sqlanon_point', qi, algorithm)),
    _sqlanon_block as materialized (
        from sqlanon._blocks('_sqlanon_point', '_sqlanon_refusal', qi, k, algorithm, len(strata) > 0)
    ),
    _sqlanon_grouped as materialized (
        from sqlanon._microaggregation_groups(
            '_sqlanon_record', '_sqlanon_point', if(algorithm = 'curve', null, '_sqlanon_block'), qi, k,
            algorithm, gamma)
    ),
    _sqlanon_group_sum as materialized (
        from sqlanon._group_sums('_sqlanon_record', '_sqlanon_grouped', '_sqlanon_point', qi)
    ),
    _sqlanon_group_histogram as materialized (
        from sqlanon._group_histograms('_sqlanon_record', '_sqlanon_grouped')
    ),
    _sqlanon_group_stratum as materialized (
        from sqlanon._group_strata('_sqlanon_record', '_sqlanon_grouped', '_sqlanon_point')
    ),
    _sqlanon_state as (
        from sqlanon._merge_start('_sqlanon_grouped')
        union all
        from query(
            case when len(judged) = 0 and unit is null then 'from _sqlanon_state where false'
                 else {call _merge_step:
                     state := '_sqlanon_state', group_sums := '_sqlanon_group_sum',
                     group_histograms := '_sqlanon_group_histogram',
                     group_strata := '_sqlanon_group_stratum',
                     sensitive_values := named || 'sensitive_value', marginal := named || 'marginal',
                     sensitive_tree := named || 'sensitive_tree', requirement := named || 'requirement',
                     by_unit := unit is not null,
                     composition := sqlanon._if_any(known, named || 'composition')} end)
    ),
    _sqlanon_last as materialized (
        select group_id, class_id from _sqlanon_state where step = (select max(step) from _sqlanon_state)
    ),
    _sqlanon_assignment as materialized (
        from sqlanon._class_assignment(
            named || 'tuple', '_sqlanon_point', '_sqlanon_record', '_sqlanon_grouped', '_sqlanon_last', qi)
    ),
    _sqlanon_label as materialized (
        from sqlanon._recoded_labels(
            coalesce(recoding, 'text'), named || 'tuple', '_sqlanon_assignment', named || 'attribute',
            sqlanon._if_any(hierarchies, named || 'tree'), named || 'domain_text', named || 'combination',
            qi)
    )
    from query(
        case when recoding is null
             then sqlanon._call('_microaggregation_release', [
                 sqlanon._names_of(qi), sqlanon._names_of(sensitive), sqlanon._names_of(keep),
                 $$'_sqlanon_point'$$, $$'_sqlanon_record'$$, $$'_sqlanon_grouped'$$, $$'_sqlanon_last'$$,
                 $$'_sqlanon_group_sum'$$, sqlanon._literal(center), sqlanon._names_of(strata),
                 sqlanon._seed(seed)])
             else release end
        || ' where (select count(refused) from _sqlanon_refusal) = 0'
        || ' and (select count(refused) from _sqlanon_off_line) = 0'
        || if(unit is not null, '', $$ and {verdicts of size but k joined by and: (
            select coalesce(bool_and(
                case when {required} is null or sqlanon._{direction}({reached}, {required}) then true
                     else error('a group of ' || matching || ' rows violates {title}: ' || {required}
                                || ' is required') end), true)
            from (select count(*) as matching
                  from _sqlanon_last join _sqlanon_grouped using (group_id) group by class_id),
                 _sqlanon_requirement)}$$));

-- The text of a call of it, by the public macros.
create or replace macro sqlanon._microaggregating(
    method, tbl, qi, sensitive, keep, hierarchies, requirements, known, presence, algorithm, gamma, center,
    recoding, seed, unit, strata) as
    sqlanon._checked(qi, sensitive, keep, unit)
    || sqlanon._let(requirements, lambda req:
        sqlanon._microaggregation_checked(method, sqlanon._not_among(qi, strata), req['k'], algorithm, gamma)
        || sqlanon._let(sqlanon._terms(sensitive, null, req, known, presence), lambda terms:
            sqlanon._groups_checked(method, terms['judged'], unit)
            || sqlanon._strata_checked(strata, qi, null, terms['known'])
            || {sqlanon._call_of_anonymized:
                method := '_microaggregate', options := map {
                    'sensitive': sqlanon._names(sensitive), 'keep': sqlanon._names(keep),
                    'counted': sqlanon._names_of(
                        terms['judged'] || terms['presence'] || sqlanon._list(unit)),
                    'k': req['k']::varchar, 'algorithm': sqlanon._optional(algorithm),
                    'gamma': gamma::double::varchar, 'center': sqlanon._optional(center),
                    'strata': sqlanon._names(strata), 'recoding': sqlanon._optional(recoding),
                    'seed': sqlanon._seed(seed)},
                by_value := true, divided := true}));

create or replace macro sqlanon.microaggregate(
    tbl, qi, sensitive := null, keep := null, hierarchies := null,
    {requirements but population, known: {id} := {fallback}}, algorithm := 'mdav', gamma := 0.2,
    center := 'mean', seed := null, unit := null, strata := null) as table
    from query(sqlanon._released({statement:
        sqlanon._microaggregating(
            'microaggregate', tbl, qi, sensitive, keep, hierarchies, requirements, null, null, algorithm,
            gamma, sqlanon._center(center), null, seed, unit, strata)}));

comment on macro table sqlanon.microaggregate is $$
Releases every row of a table by microaggregation: its quasi-identifiers are replaced by the center of a group
of at least k similar rows. The order of rows depends only on the released values.

Parameters:
- tbl, qi, sensitive, keep: as in mondrian
- hierarchies (table; default null): rows of attribute, value, level and label, as returned by
  interval_hierarchy. For distances, a text in a column with a hierarchy has the position of its leaf.
- {requirements but population, known: {id}}: as in mondrian
- algorithm (one of mdav, vmdav, univariate, curve; default 'mdav'): mdav: groups of k rows around the rows
  farthest from the mean; vmdav: the same with k to 2k - 1 rows; univariate: the optimal groups on one column
  of numbers or dates; curve: groups of k consecutive rows along a Hilbert curve.
- gamma (number, at least 0; default 0.2): for vmdav: the larger gamma is, the more readily a group takes more
  than k rows: 0.2 is for scattered rows, 1.1 for clustered rows.
- center (one of mean, median; default 'mean'): for numbers and dates: their mean (DOUBLE; dates are rounded),
  or their median, a value of the group. Columns of other types release the most frequent value of the group;
  of equally frequent values the first.
- seed: as in generalize
- unit: as in mondrian
- strata (columns; default null): as in mondrian: all rows of a group are of one stratum, and leave with its
  values unchanged.

Result:
- <qi> (number or unchanged): the center of the group.
- <sensitive>, <keep>: as in mondrian

Errors: unknown column, empty table, a number that is not finite, requirements that even the whole table as
one class does not meet, a value missing in its hierarchy.

Notes: all algorithms except curve are Python functions: call sqlanon.register_functions(con) in Python before
you use them in SQL. For mdav and vmdav, a table of more than 100,000 rows is first cut into blocks at
medians. The distance of rows is that of their standardized coordinates (see sql/core/coordinates.sql). NULL
is a category of its own; in a column of numbers it is released for a group in which NULLs are the majority. A
group that violates a requirement other than k is merged with the nearest group. With a unit, k is the only
requirement allowed; groups with fewer than k people are merged.

Source: Domingo-Ferrer and Mateo-Sanz 2002; Domingo-Ferrer and Torra 2005; Solanas and Martínez-Ballesté
2006; Hansen and Mukherjee 2003; Hilbert 1891; Skilling 2004.

Example:
from sqlanon.microaggregate('people', qi := ['age', 'income'], sensitive := 'disease', k := 3,
                            algorithm := 'curve');
$$;
