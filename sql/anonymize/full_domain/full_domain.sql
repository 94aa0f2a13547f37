-- Full-domain generalization, from a table to a release: generalize (levels that are given), optimal,
-- samarati and datafly (levels that are found).
--
-- They differ only in which points of the lattice they look at and how they choose one. All rows of classes
-- that violate a requirement are suppressed: they are not in the release.

create or replace macro sqlanon._is_weight(weight) as
    coalesce(weight >= 0 and isfinite(weight::double), false);

-- Weights of attributes, checked: all 1 if none are given.
create or replace macro sqlanon._weights(weights, qi) as
    case when weights is null then list_transform(sqlanon._list(qi), lambda name: 1::double)
         when len(weights) <> len(sqlanon._list(qi))
         then error('weights needs a number for each column in qi: ' || len(sqlanon._list(qi)) || ', not '
                    || len(weights))
         when list_max(weights) = 0
              or not list_bool_and(list_transform(weights, lambda weight: sqlanon._is_weight(weight)))
         then error('weights must be numbers of at least 0, and one of them above, not ' || weights::varchar)
         else weights::double[]
    end;

create or replace macro sqlanon._lattice_measures() as
    ['loss', 'entropy', 'discernibility', 'average_class_size', 'precision', 'height'];

-- How points are compared (_by), checked.
create or replace macro sqlanon._how(measure, aggregate, monotonic, weights, qi) as
    case when coalesce(not list_contains(sqlanon._lattice_measures(), measure), true)
         then error('measure must be loss, entropy, discernibility, average_class_size, precision or height, '
                    || 'not ' || coalesce(measure, 'NULL'))
         when coalesce(aggregate not in ('geometric_mean', 'arithmetic_mean', 'rank'), true)
         then error('aggregate must be geometric_mean, arithmetic_mean or rank, not '
                    || coalesce(aggregate, 'NULL'))
         else sqlanon._by(measure, aggregate, coalesce(monotonic, false), sqlanon._weights(weights, qi))
    end;

-- A list of levels, checked, or NULL; what is beyond a hierarchy is found later (_refuse_levels).
create or replace macro sqlanon._level_list(levels, qi, parameter) as
    case when levels is null
         then if(parameter = 'levels', error('levels needs a level for each column in qi'), null::integer[])
         when len(levels) <> len(sqlanon._list(qi))
         then error(parameter || ' needs a level for each column in qi: ' || len(sqlanon._list(qi))
                    || ', not ' || len(levels))
         when parameter = 'levels' and list_count(levels) < len(levels)
         then error('levels has a NULL: every column in qi needs a level')
         else levels::integer[]
    end;

-- The highest levels: 0 of strata, which are not generalized, and of the others what is given.
create or replace macro sqlanon._levels_in_strata(strata, qi, max_levels) as
    if(len(sqlanon._list(strata)) = 0, max_levels,
       list_transform(sqlanon._list(qi), lambda name, i:
           if(list_contains(sqlanon._lower(sqlanon._list(strata)), lower(name)), 0,
              sqlanon._level_list(max_levels, qi, 'max_levels')[i])));

-- What a point (one row: l1, l2, ...) does to codes: d, code, ancestor.
create or replace macro sqlanon._steps(point, ladder) as table
    with chosen as (
        select unnest(range(1, len(chosen) + 1))::integer as d, unnest(chosen) as level
        from (select list_value(*columns('^l\d+$')) as chosen from query_table(point))
    )
    select d, code, ancestor from chosen join query_table(ladder) using (d, level);

-- Tuples, generalized: tuple_id, q1, q2, ... (ancestors), s, weight.
create or replace macro sqlanon._generalized(steps, tuples, qi) as table
    from query(sqlanon._fill($$
        select tuple_id, {ancestors}, s, weight from {tuples} as tuple {steps}
    $$, map {
        'ancestors': sqlanon._each_of(qi, 'step{i}.ancestor as q{i}', ', '),
        'steps': sqlanon._each_filled(qi, $$
            join (select code, ancestor from {steps} where d = {i}) as step{i} on step{i}.code = tuple.q{i}
        $$, '')}));

-- These as _rolled_up has them: id (of their point), pair1, pair2, ..., s, weight.
create or replace macro sqlanon._rolled_tuples(point, generalized, qi) as table
    from query(sqlanon._fill($$
        select id, {pairs}, s, sum(weight)::bigint as weight from {generalized}, (select id from {point})
        group by all
    $$, map {'pairs': sqlanon._packed_codes(qi)}));

-- The classes of a point that are released, numbered: class_id, q1, q2, ... turn: of the search, where
-- several make one release.
create or replace macro sqlanon._kept_classes(classes, qi, turn) as table
    from query(sqlanon._fill($$
        select {turn} * 4294967296 + row_number() over () as class_id, {codes} from {classes} where kept
    $$, map {'turn': turn::varchar, 'codes': sqlanon._unpacked_codes(qi)}));

-- Their tuples: tuple_id, class_id.
create or replace macro sqlanon._kept_tuples(classes, generalized, qi) as table
    from query(sqlanon._fill($$
        select tuple_id, class_id from {generalized} join {classes} using ({each_of qi: q{i}})
    $$));

-- The tuples that are not among them: as tuples.
create or replace macro sqlanon._rest(tuples, assignment) as table
    from query_table(tuples) where tuple_id not in (select tuple_id from query_table(assignment));

-- The labels of classes: class_id, d, label. A value of an attribute without a hierarchy has none: it is
-- released as it is.
create or replace macro sqlanon._class_labels(point, classes, ladder, tree) as table
    with ancestor as (
        select class_id, unnest(range(1, len(ancestors) + 1)) as d, unnest(ancestors) as ancestor
        from (select class_id, list_value(*columns('^q\d+$')) as ancestors from query_table(classes))
    ),
    chosen as (
        select unnest(range(1, len(chosen) + 1))::integer as d, unnest(chosen) as level
        from (select list_value(*columns('^l\d+$')) as chosen from query_table(point))
    ),
    node as (
        select d, level, ancestor, any_value(if(level = 0, sqlanon._value_text(label), label)) as label
        from query_table(ladder) group by all
    )
    select class_id, d, label
    from ancestor join chosen using (d) join node using (d, level, ancestor)
    where level > 0 or d in (select d from query_table(tree));

-- The tuples whose classes are judged by size alone, or by their values.
create or replace macro sqlanon._searched_tuples(named, household, judged, unit) as
    named || if(household is null or len(judged) > 0 or unit is not null, 'tuple', 'searched');

-- Full-domain generalization, a method of _anonymized: to a release, or to the rows of lattice. least and
-- most: bounds on levels, or NULL, from the parameters in names; strategy: see _batch, or datafly; how: see
-- _by; weights: those of lattice, or NULL.
create or replace macro sqlanon._full_domain(
    named, release, qi, judged, hierarchies, population, known, unit, keep, least, most, names, strategy,
    suppression_limit, how, gs_factor, weights, household, household_qi, nth) as table
    with recursive
    _sqlanon_resident as materialized (
        from sqlanon._residents_if_any(
            population, named || 'people', named || 'combination', named || 'tuple', named || 'leaf', qi)
    ),
    _sqlanon_ladder as materialized (from sqlanon._ladder(named || 'tree', named || 'tuple')),
    _sqlanon_level as materialized (from sqlanon._levels('_sqlanon_ladder', named || 'tuple', gs_factor)),
    _sqlanon_point as materialized (
        from query(
            case when strategy = 'datafly'
                 then {call _datafly_points: levels := '_sqlanon_level'}
                 else {call _points: levels := '_sqlanon_level', min_levels := least, max_levels := most,
                                     at_most := null} end)
    ),
    -- Everything that is refused once the data are known.
    _sqlanon_refusal as (
        from query_table(named || 'emptiness')
        union all from sqlanon._refuse_hierarchies(named || 'hierarchy', qi, judged)
        union all from query(
            sqlanon._if_given(
                household, 'null as refused', {call _refuse_unlike_members: source := named || 'source'}))
        union all from query(
            if(least is null and most is null, 'select null as refused where false',
               {call _refuse_levels: levels := '_sqlanon_level'}))
        union all from query(
            case when len(judged) = 0 and unit is null
                 then {call _refuse_whole: tuples := named || 'tuple', requirement := named || 'requirement',
                                           with_people := false}
                 else {call _refuse_infeasible:
                     histogram := named || 'whole', marginal := named || 'marginal',
                     sensitive_tree := named || 'sensitive_tree', requirement := named || 'requirement',
                     sensitive := judged, may_suppress := suppression_limit > 0, by_unit := unit is not null,
                     from_whole := false} end)
        union all from query(
            case when population is null then 'select null as refused where false'
                 else {call _refuse_empty: combinations := named || 'people', tbl := population}
                      || ' union all ' || {call _refuse_people_of_all:
                          tuples := named || 'tuple', residents := '_sqlanon_resident',
                          requirement := named || 'requirement', may_suppress := suppression_limit > 0} end
            || sqlanon._known_and_kept_refused(
                named || 'known_located', named || 'known_row', known, qi, judged, keep))
    ),
    _sqlanon_searched as materialized (select * replace (1 as s) from query_table(named || 'tuple')),
    _sqlanon_start as (from sqlanon._search_start('_sqlanon_point', '_sqlanon_refusal')),
    _sqlanon_state as (
        from _sqlanon_start
        union all
        from sqlanon._search_step(
            '_sqlanon_state', sqlanon._searched_tuples(named, household, judged, unit),
            sqlanon._if_any(population, '_sqlanon_resident'),
            '_sqlanon_ladder', '_sqlanon_level', qi, len(judged) > 0, named || 'sensitive_value',
            named || 'marginal', named || 'sensitive_tree', named || 'requirement', suppression_limit, how,
            gs_factor, strategy, unit is not null, sqlanon._if_any(known, named || 'composition'))
    ),
    _sqlanon_chosen as materialized (
        from sqlanon._chosen('_sqlanon_state', named || 'requirement', suppression_limit)
    ),
    _sqlanon_step as materialized (from sqlanon._steps('_sqlanon_chosen', '_sqlanon_ladder')),
    -- (Materialized, because otherwise DuckDB may pair classes with codes before tuples.)
    _sqlanon_generalized as materialized (
        from sqlanon._generalized(
            '_sqlanon_step', sqlanon._searched_tuples(named, household, judged, unit), qi)
    ),
    _sqlanon_rolled as (from sqlanon._rolled_tuples('_sqlanon_chosen', '_sqlanon_generalized', qi)),
    _sqlanon_class as materialized (
        from sqlanon._judged_rollup(
            '_sqlanon_rolled', '_sqlanon_chosen', sqlanon._if_any(population, '_sqlanon_resident'),
            '_sqlanon_ladder', '_sqlanon_level', qi, len(judged) > 0, named || 'sensitive_value',
            named || 'marginal', named || 'sensitive_tree', named || 'requirement', unit is not null,
            sqlanon._if_any(known, named || 'composition'))
    ),
    _sqlanon_kept as materialized (from sqlanon._kept_classes('_sqlanon_class', qi, 1)),
    _sqlanon_kept_tuple as materialized (
        from sqlanon._kept_tuples('_sqlanon_kept', '_sqlanon_generalized', qi)
    ),
    _sqlanon_assignment as materialized (
        from query(if(household is null, 'from _sqlanon_kept_tuple', {call _kept_households:
            kept_tuples := '_sqlanon_kept_tuple', by_unit := unit is not null,
            nth := text(nth::varchar)}))
    ),
    _sqlanon_node_label as materialized (
        from sqlanon._class_labels('_sqlanon_chosen', '_sqlanon_kept', '_sqlanon_ladder', named || 'tree')
    ),
    _sqlanon_class_member as materialized (
        from sqlanon._class_members(named || 'tuple', '_sqlanon_assignment')
    ),
    _sqlanon_extent as materialized (from sqlanon._class_extents('_sqlanon_class_member')),
    _sqlanon_label as materialized (
        from sqlanon._text_labels(
            '_sqlanon_extent', null, named || 'domain_text', '_sqlanon_node_label', qi)
    ),
    -- Only lattice looks at the classes of all points.
    _sqlanon_all as materialized (select columns('^(id|l\d+|height)$') from _sqlanon_start),
    _sqlanon_all_classes as materialized (
        from sqlanon._judged_classes(
            '_sqlanon_all', named || 'tuple', sqlanon._if_any(population, '_sqlanon_resident'),
            '_sqlanon_ladder', '_sqlanon_level', qi, len(judged) > 0, named || 'sensitive_value',
            named || 'marginal', named || 'sensitive_tree', named || 'requirement', unit is not null)
    )
    from query(
        case when weights is null then release
             else {call _lattice_rows:
                 points := '_sqlanon_all', classes := '_sqlanon_all_classes', ladder := '_sqlanon_ladder',
                 attribute_levels := '_sqlanon_level',
                 residents := sqlanon._if_any(population, '_sqlanon_resident')} end);

-- The call of a search, as a text, once what can be checked without the data is. names: of the parameters
-- least and most.
create or replace macro sqlanon._full_domain_statement(
    tbl, qi, sensitive, keep, hierarchies, requirements, population, known, presence, strategy,
    suppression_limit, how, unit, seed := null, least := null, most := null, names := ['', ''],
    gs_factor := 0.5, weights := null, household := null, household_qi := null, by_value := null) as
    sqlanon._checked(qi, sensitive, keep, unit)
    || sqlanon._let(sqlanon._terms(sensitive, population, requirements, known, presence), lambda terms:
        sqlanon._unit_checked(unit, terms['population'], terms['known'])
        || sqlanon._households_checked(
            household, household_qi, qi, sensitive, false, terms['population'], terms['known'])
        || {sqlanon._call_of_anonymized:
            method := '_full_domain', options := map {
                'keep': sqlanon._names(keep),
                'least': sqlanon._constant(sqlanon._level_list(least, qi, names[1])),
                'most': sqlanon._constant(sqlanon._level_list(most, qi, names[2])),
                'names': sqlanon._names(names), 'strategy': sqlanon._literal(strategy),
                'suppression_limit': sqlanon._share(suppression_limit, 'suppression_limit')::varchar,
                'how': sqlanon._constant(how), 'gs_factor': sqlanon._share(gs_factor, 'gs_factor')::varchar,
                'weights': sqlanon._constant(weights::double[]), 'household': sqlanon._optional(household),
                'household_qi': sqlanon._names(household_qi), 'nth': (len(terms['judged']) + 1)::varchar},
            also := sqlanon._list(household)});

-- How points are compared where nothing is measured: the least height.
create or replace macro sqlanon._by_height(qi) as sqlanon._how('height', 'rank', false, null, qi);

create or replace macro sqlanon.generalize(
    tbl, qi, levels, sensitive := null, keep := null, hierarchies := null,
    {requirements: {id} := {fallback}}, population := null, suppression_limit := 0, seed := null,
    unit := null, known := null, presence := null, household := null, household_qi := null) as table
    from query(sqlanon._released({statement with by_value:
        {sqlanon._full_domain_statement:
            least := levels, most := levels, names := ['levels', 'levels'], strategy := 'all',
            how := sqlanon._by_height(qi)}}));

comment on macro table sqlanon.generalize is $$
Releases a table by full-domain generalization: in each column, all values are replaced by the labels of one
level of its hierarchy, which you choose. All rows of classes that violate a requirement are suppressed, that
is left out. The order of rows depends only on the released values.

Parameters:
- tbl, qi: as in mondrian
- levels (list of integers, at least 0): the level of each column in qi, in that order; 0 is the value itself.
- sensitive, keep: as in mondrian
- hierarchies (table; default null): rows of attribute, value, level and label, as returned by
  interval_hierarchy. A column in qi without a hierarchy has two levels: 0 is the value, 1 is *.
- {requirements: {id}}: as in mondrian
- population: as in mondrian
- suppression_limit (number, 0 to 1; default 0): the share of rows that may be suppressed. With dmin above 0,
  the remaining classes must still cover everybody in the population.
- seed (integer; default null): fixes the order of rows.
- unit: as in mondrian
- known, presence: as in mondrian
- household (column; default null): names the household of each row. Whoever is suppressed takes the others
  of the household along, and suppression_limit is about all of them. The column is released only if it is in
  keep.
- household_qi (columns; default null): those of the columns in qi that are about the household, such as its
  size: members must have the same value, and then have the same label.

Result:
- <qi> (text): the labels of the chosen levels.
- <sensitive>, <keep>: as in mondrian

Errors: unknown column, empty table, no requirement, a level that a hierarchy does not have, more rows to
suppress than suppression_limit allows, a value missing in its hierarchy, a hierarchy that is not a tree, a
column of another type in the population.

Source: Samarati 2001, sec. 4.

Example:
from sqlanon.generalize('people', qi := ['age', 'zip'], levels := [1, 2], hierarchies := 'hierarchies',
                        k := 2, suppression_limit := 0.2);
$$;

create or replace macro sqlanon.optimal(
    tbl, qi, sensitive := null, keep := null, hierarchies := null,
    {requirements: {id} := {fallback}}, population := null, suppression_limit := 0, measure := 'loss',
    aggregate := 'geometric_mean', monotonic := false, gs_factor := 0.5, weights := null,
    min_levels := null, max_levels := null, seed := null, unit := null, known := null,
    presence := null, strata := null, household := null, household_qi := null) as table
    from query(sqlanon._released({statement with by_value:
        sqlanon._strata_checked(strata, qi)
        || {sqlanon._full_domain_statement:
            least := min_levels, most := sqlanon._levels_in_strata(strata, qi, max_levels),
            names := ['min_levels', 'max_levels'], strategy := 'bounds',
            how := sqlanon._how(measure, aggregate, monotonic, weights, qi), weights := null}}));

comment on macro table sqlanon.optimal is $$
Releases a table by the best full-domain generalization: of all combinations of levels that meet the
requirements and suppress no more than allowed, the one with the least loss (measure). The search is exact:
combinations that it skips cannot be better. Of equally good ones it takes the one of least height, the sum of
levels.

Parameters:
- tbl, qi, sensitive, keep: as in mondrian
- hierarchies: as in generalize
- {requirements: {id}}: as in mondrian
- population: as in mondrian
- suppression_limit: as in generalize
- measure (one of loss, entropy, discernibility, average_class_size, precision, height; default 'loss'): the
  measure to minimize, as ARX computes it; entropy is non-uniform entropy.
- aggregate (one of geometric_mean, arithmetic_mean, rank; default 'geometric_mean'): how the losses of the
  columns are combined.
- monotonic (boolean; default false): true: measure as if suppressed rows were released.
- gs_factor (number, 0 to 1; default 0.5): for loss: below 0.5 suppressed rows weigh less, above 0.5
  generalized rows weigh less.
- weights (list of numbers, at least 0; default null): weights of the columns in qi, in that order; if not
  given, 1 each.
- min_levels (list of integers, at least 0; default null): the lowest level allowed for each column in qi, in
  that order.
- max_levels (list of integers, at least 0; default null): the highest level allowed for each column in qi, in
  that order.
- seed: as in generalize
- unit: as in mondrian
- known, presence: as in mondrian
- strata (columns; default null): as in mondrian: they stay at level 0, as with max_levels.
- household, household_qi: as in generalize

Result:
- <qi>: as in generalize
- <sensitive>, <keep>: as in mondrian

Errors: as in generalize, and if no combination of levels meets the requirements.

Notes: lattice lists all combinations.

Source: LeFevre, DeWitt and Ramakrishnan 2005; Kohlmayer et al. 2012.

Example:
from sqlanon.optimal('people', qi := ['age', 'zip'], sensitive := 'disease', hierarchies := 'hierarchies',
                     k := 3, suppression_limit := 0.1);
$$;

create or replace macro sqlanon.samarati(
    tbl, qi, sensitive := null, keep := null, hierarchies := null,
    {requirements: {id} := {fallback}}, population := null, suppression_limit := 0, seed := null,
    unit := null, known := null, presence := null, strata := null, household := null,
    household_qi := null) as table
    from query(sqlanon._released({statement with by_value:
        sqlanon._strata_checked(strata, qi)
        || {sqlanon._full_domain_statement:
            most := sqlanon._levels_in_strata(strata, qi, null), strategy := 'middle',
            how := sqlanon._by_height(qi)}}));

comment on macro table sqlanon.samarati is $$
Releases a table by a full-domain generalization of least height (sum of levels), found by binary search on
the height.

Parameters:
- tbl, qi, sensitive, keep: as in mondrian
- hierarchies: as in generalize
- {requirements: {id}}: as in mondrian
- population: as in mondrian
- suppression_limit, seed: as in generalize
- unit: as in mondrian
- known, presence: as in mondrian
- strata: as in optimal
- household, household_qi: as in generalize

Result:
- <qi>: as in generalize
- <sensitive>, <keep>: as in mondrian

Errors: as in optimal.

Notes: the result is exact for requirements that further generalization never violates: k, l, k_map and dmin,
and all requirements if nothing may be suppressed; with a unit only k. For others use optimal with measure :=
'height'.

Source: Samarati 2001, sec. 5.

Example:
from sqlanon.samarati('people', qi := ['age', 'zip'], hierarchies := 'hierarchies', k := 3);
$$;

create or replace macro sqlanon.datafly(
    tbl, qi, sensitive := null, keep := null, hierarchies := null,
    {requirements: {id} := {fallback}}, population := null, suppression_limit := 0, seed := null,
    unit := null, known := null, presence := null, household := null, household_qi := null) as table
    from query(sqlanon._released({statement with by_value:
        {sqlanon._full_domain_statement: strategy := 'datafly', how := sqlanon._by_height(qi)}}));

comment on macro table sqlanon.datafly is $$
Releases a table by the Datafly heuristic. The column in qi with the most distinct values is generalized by
one level, again and again, until no more rows have to be suppressed than allowed.

Parameters:
- tbl, qi, sensitive, keep: as in mondrian
- hierarchies: as in generalize
- {requirements: {id}}: as in mondrian
- population: as in mondrian
- suppression_limit, seed: as in generalize
- unit: as in mondrian
- known, presence: as in mondrian
- household, household_qi: as in generalize

Result:
- <qi>: as in generalize
- <sensitive>, <keep>: as in mondrian

Errors: as in optimal.

Source: Sweeney 1997; Sweeney 2002 (Achieving k-Anonymity), sec. 5.

Example:
from sqlanon.datafly('people', qi := ['age', 'zip'], hierarchies := 'hierarchies', k := 3);
$$;

create or replace macro sqlanon.lattice(
    tbl, qi, sensitive := null, hierarchies := null,
    {requirements: {id} := {fallback}}, population := null, weights := null, min_levels := null,
    max_levels := null, gs_factor := 0.5, unit := null, known := null, presence := null) as table
    from query({statement:
        {sqlanon._full_domain_statement:
            keep := null, least := min_levels, most := max_levels, names := ['min_levels', 'max_levels'],
            strategy := 'all', suppression_limit := 1, how := sqlanon._by_height(qi),
            weights := sqlanon._weights(weights, qi)}});

comment on macro table sqlanon.lattice is $$
Measures every full-domain generalization of a table: one row per combination of levels, one for each column
in qi, with the rows that are suppressed and the losses.

Parameters:
- tbl, qi, sensitive: as in mondrian
- hierarchies: as in generalize
- {requirements: {id}}: as in mondrian
- population: as in mondrian
- weights, min_levels, max_levels, gs_factor: as in optimal
- unit: as in mondrian
- known, presence: as in mondrian

Result:
- levels (list of integers): the levels of the columns in qi, in that order.
- height (integer): the sum of the levels.
- classes (integer): the number of classes that meet the requirements.
- smallest (integer, rows): the size of the smallest of these classes, in rows also with a unit.
- suppressed (integer, rows): the rows of the other classes.
- absent (integer, people): with population: people of the population whom none of these classes covers; with
  dmin above 0 this must be 0 for a release.
- loss_geometric_mean (number): the geometric mean of 1 + the columns' losses, minus 1.
- loss_arithmetic_mean (number): the arithmetic mean of the columns' losses.
- loss_rank (list of numbers): the columns' losses, the largest first: compared in this order.
- entropy (number, bits): non-uniform entropy.
- entropy_monotonic (number, bits): the same, as if suppressed rows were released.
- discernibility (number, rows): the sum of the squares of class sizes; a suppressed row counts as all rows.
- discernibility_monotonic (number, rows): the same, as if suppressed rows were released.
- average_class_size (number, rows): all rows divided by the number of classes; the suppressed rows count as
  one class.
- precision (number, 0 to 1): the weighted mean of level / highest level; 0 is the original.
- precision_monotonic (number, 0 to 1): the same, as if suppressed rows were released.

Errors: unknown column, empty table, no requirement, a value missing in its hierarchy, a hierarchy that is not
a tree, a column of another type in the population.

Source: Samarati 2001; measures as in ARX.

Example:
from sqlanon.lattice('people', qi := ['age', 'zip'], hierarchies := 'hierarchies', k := 3)
order by suppressed, loss_geometric_mean;
$$;
