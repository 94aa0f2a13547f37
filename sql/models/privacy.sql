-- What a table would disclose: its equivalence classes, the value that every privacy model reaches on them,
-- and the classes that violate a requirement.
--
-- The measures of a class depend on its histogram of sensitive values alone, and most classes share theirs
-- with others: they are computed once per distinct histogram, and joined back.

create or replace macro sqlanon.classes(
    tbl, qi, unit := null, weight := null, distinct_spellings := null) as table
    with _sqlanon_source as materialized (
        from sqlanon._source(tbl, qi, sqlanon._list(unit), weight)
    ),
    _sqlanon_row as (
        from sqlanon._with_one_spelling(
            '_sqlanon_source', sqlanon._list(unit), sqlanon._list(distinct_spellings))
    )
    from query(sqlanon._checked(qi, null, null, unit, weight) || sqlanon._fill($$
        select row_number() over (order by {each qi: {c} nulls first}) as class_id, *
        from (
            select {columns}, {count} as size {each unit: , sqlanon._people_of(src.{c}) as people}
            from _sqlanon_row as src group by {columns}
        )
    $$, map {'count': sqlanon._count(weight), 'columns': sqlanon._each(qi, 'src.{c}', ', ')}));

comment on macro table sqlanon.classes is $$
Lists the equivalence classes of a table: one row per distinct combination of quasi-identifiers. NULL is a
value of its own, as in GROUP BY.

Parameters:
- tbl (table): a raw table or a release.
- qi (columns): quasi-identifiers: columns that others may know about a person, such as age, postcode and sex.
- unit (column; default null): identifies the person of a row, if people can have several rows.
- weight (column; default null): for a table of counts: how many people each row stands for, a whole number of
  at least 0. The result is the same as if each row were repeated that often. Rows with 0 are left out. Not
  together with unit.
- distinct_spellings (columns; default null): if it has the unit, spellings are different people: p1 and P1.

Result:
- class_id (integer): a number from 1.
- <qi> (unchanged): the combination.
- size (integer, rows): of the class.
- people (integer, people): with unit: the people of the class; rows where the unit is NULL count as one
  person.

Errors: unknown column, a weight that is NULL, negative or not a whole number.

Source: Ganta, Kasiviswanathan and Smith 2008, Def. 2.

Example:
from sqlanon.classes('east', qi := ['age', 'zip']);
$$;

-- One row per class: q1, q2, ..., size, and its histogram as a sorted list of s * 2^32 + n, which names it
-- among all others. by_unit: the last of the columns (sensitive) is the unit; then also members, the people
-- of the class.
create or replace macro sqlanon._classes(
    combinations, sensitive_combinations, qi, sensitive, by_unit := false) as table
    from query(sqlanon._fill(if(len(sqlanon._list(sensitive)) = 0, $$
        select {codes}, n::bigint as size, [s * 4294967296 + n] as histogram
        from {combinations}, {sensitive_combinations}  -- combinations are classes, and s is 1
    $$, $$
        select {codes}, sum(n)::bigint as size, {members} list_sort(list(s * 4294967296 + n)) as histogram
        from {combinations} as combination join {sensitive_combinations} as sensitive on true {equal_values}
        group by {codes}
    $$), map {
        'codes': sqlanon._each(qi, 'q{i}', ', '),
        'members': if(by_unit, 'count(distinct f' || len(sensitive) || ') as members,', ''),
        'equal_values': sqlanon._each(
            sensitive, ' and combination.s{i} is not distinct from sensitive.s{i}', '')}));

-- The nodes above each sensitive value that has a hierarchy: attribute (its position), code, level, node. A
-- value that the hierarchy of its column lacks is an error.
create or replace macro sqlanon._sensitive_tree(sensitive_values, sensitive, hierarchies) as table
    with name as (
        select unnest(sqlanon._lower(sqlanon._list(sensitive))) as name,
               unnest(range(1, len(sqlanon._list(sensitive)) + 1)) as attribute
    ),
    leaf as (from sqlanon._leaves(hierarchies)),
    found as (
        select distinct sensitive_value.attribute, name.name, sensitive_value.code, sensitive_value.value,
               leaf.code as leaf_code
        from query_table(sensitive_values) as sensitive_value
        join name on name.attribute = sqlanon._position_of(sensitive_value.attribute)
             and name.name in (select attribute from leaf)
        left join leaf on leaf.attribute = name.name and leaf.value is not distinct from sensitive_value.value
    ),
    placed as (
        select attribute, name, code,
               if(leaf_code is null,
                  sqlanon._lacks_values(
                      name,
                      min(coalesce(value, 'NULL'), 10) filter (where leaf_code is null) over of_column,
                      count(*) filter (where leaf_code is null) over of_column, ''),
                  leaf_code) as leaf_code
        from found window of_column as (partition by attribute)
    )
    -- of spellings in different places the first counts
    select placed.attribute, placed.code, nodes.level, nodes.node
    from (select attribute, name, code, min(leaf_code) as leaf_code from placed group by all) as placed
    join sqlanon._nodes(hierarchies) as nodes
      on nodes.attribute = placed.name and nodes.code = placed.leaf_code;

-- Every histogram that classes have, once: class_id (its number), histogram, class_count (the classes that
-- have it). People of a population whom no class covers have none.
create or replace macro sqlanon._distinct_histograms(classes) as table
    select row_number() over () as class_id, histogram, count(*) as class_count
    from query_table(classes) where histogram is not null group by histogram;

-- What histograms hold: class_id, s, n; and as the models see it: class_id, attribute, code, n.
create or replace macro sqlanon._unpacked(distinct_histograms) as table
    with packed as (select class_id, unnest(histogram) as packed from query_table(distinct_histograms))
    select class_id, packed // 4294967296 as s, packed % 4294967296 as n from packed;
create or replace macro sqlanon._cells(distinct_histograms, sensitive_values, by_unit := false) as table
    with cell as (from sqlanon._unpacked(distinct_histograms))
    from sqlanon._histograms('cell', sensitive_values, by_unit);

-- The sensitive values whose distribution counts: s1, s2, ..., n; those of the reference (and, with none,
-- those that only the table has), or of the table.
create or replace macro sqlanon._reference_counts(
    combinations, reference, sensitive, weight := null) as table
    from query(
        case when reference is null or len(sqlanon._list(sensitive)) = 0
             then $$select columns('^(s\d+|n)$') from $$ || combinations
             else sqlanon._fill($$
                 select {codes} 0 as n from {combinations}
                 union all
                 select {values} {count} from {reference} as src group by {each sensitive: src.{c}}
             $$, map {
                 'count': sqlanon._count(weight), 'codes': sqlanon._each(sensitive, 's{i}, ', ''),
                 'values': sqlanon._each(sensitive, 'src.{c}, ', ''),
                 'reference': sqlanon._rows_of(
                     reference, sqlanon._each_of(sqlanon._counted_with(sensitive, weight), '{c}', ', '),
                     weight)})
        end);

-- The distribution of a reference table, as _marginal reads it: attribute, code, n.
create or replace macro sqlanon._reference_rows(
    reference_counts, sensitive_combinations, sensitive_values, sensitive, by_unit := false) as table
    with cell as (
        from query(sqlanon._fill($$
            select 0 as class_id, s, sum(n) as n
            from {counts} as counted join {combinations} as sensitive on true
                {each sensitive: and counted.s{i} is not distinct from sensitive.s{i}}
            group by s
        $$, map {'counts': reference_counts, 'combinations': sensitive_combinations}))
    )
    select attribute, code, n from sqlanon._histograms('cell', sensitive_values, by_unit);

-- One row per model, sensitive attribute and distinct histogram: its verdict (required, reached, holds,
-- ...), and classes, how many have this histogram. requirement: one row, req.
create or replace macro sqlanon._sensitive_assessment(
    classes, sensitive_combinations, sensitive_values, reference_counts, sensitive, counted, hierarchies,
    requirement, distances, at_l, at_k, by_unit) as table
    with distinct_histogram as materialized (from sqlanon._distinct_histograms(classes)),
    histogram as materialized (
        select * from sqlanon._cells('distinct_histogram', sensitive_values, by_unit)
        where attribute > 0 or by_unit
    ),
    reference_row as (from {sqlanon._reference_rows: sensitive := counted}),
    marginal as materialized (from sqlanon._marginal('reference_row', by_unit)),
    tree as materialized (from sqlanon._sensitive_tree(sensitive_values, sensitive, hierarchies)),
    measured as (
        from query(
            case when at_k is null then ''
                 else 'select measured.* replace (joint.safety_c as safety_c) ' end
            || {call _measures:
                histogram := 'histogram', marginal := 'marginal', tree := 'tree', at_k := null}
            || case when at_k is null then ''
                    else sqlanon._fill($$
                        as measured
                        left join sqlanon._joint_safety(
                            'histogram', 'marginal', 'distinct_histogram', {pieces}, {=by_unit}) as joint
                          using (class_id, attribute)
                    $$, map {'pieces': at_k::varchar}) end)
    ),
    judged as (
        select class_id, attribute, sqlanon._verdicts(measured, required.req) as verdicts
        from measured, query_table(requirement) as required
        where attribute > 0
    ),
    verdict as (
        select class_id, attribute, unnest(range(len(verdicts))) as rank, unnest(verdicts, max_depth := 2)
        from judged
    )
    select attribute, sqlanon._list(sensitive)[attribute] as sensitive_column, histogram, class_count,
           verdict.* exclude (class_id, attribute)
    from verdict join distinct_histogram using (class_id);

-- The assessment of classes, or no rows where no sensitive attribute is looked at (which DuckDB then knows
-- when it plans).
create or replace macro sqlanon._assessment(
    classes, sensitive_combinations, sensitive_values, reference_counts, sensitive, counted, hierarchies,
    requirement, distances, at_l, at_k, by_unit) as table
    from query(
        case when len(sqlanon._list(sensitive)) = 0
             then $$
                 select 0 as attribute, null::varchar as sensitive_column, null::bigint[] as histogram,
                        0::bigint as class_count, 0::bigint as rank,
                        unnest(sqlanon._verdict(null::varchar, null::varchar, null, null, true, true))
                 where false
             $$
             else {call _sensitive_assessment}
        end);

-- What k-anonymity counts of a class, as the text of an expression.
create or replace macro sqlanon._matching(suppressed, by_unit) as
    case when suppressed = 'value' then if(by_unit, 'members', 'size')
         when suppressed = 'wildcard' and by_unit
         then error('suppressed := ''wildcard'' does not go with unit: it counts matching rows, not people')
         when suppressed = 'wildcard' then 'frequency'
         else error('suppressed must be value or wildcard, not ' || coalesce(suppressed, 'NULL'))
    end;

-- Classes with what the models on a class as a whole look at: everything of classes, and matching (rows:
-- its own, or where suppressed cells are wildcards those that it matches; by_unit: its people), people (of
-- the population; NULL without one) and kept (as in sql/models/composition.sql; NULL where nobody loses).
create or replace macro sqlanon._classes_with_matching(classes, qi, suppressed, by_unit, kept) as table
    from query(sqlanon._fill($$
        select class.*, null::bigint as people, {matching} as matching, {kept} as kept
        from {classes} as class {frequencies}
    $$, map {
        'kept': if(kept is null, 'null::bigint', 'least.kept'),
        'matching': sqlanon._matching(suppressed, by_unit),
        'classes': if(kept is null, classes, sqlanon._fill($$
            (select *, row_number() over (order by {each qi: q{i} nulls first}) as class_id from {classes})
        $$)),
        'frequencies': coalesce('left join ' || kept || ' as least using (class_id)', '')
                       || if(suppressed = 'wildcard', sqlanon._fill($$
            join (
                with _sqlanon_sized as (select columns('^q\d+$'), size as n from {classes})
                from sqlanon._wildcard_frequencies('_sqlanon_sized', {=qi})
            ) as counted on true {each qi: and class.q{i} is not distinct from counted.q{i}}
        $$), '')}));

-- Classes with the people of a population in each. Those whom no class covers are there, too, with their own
-- values and no rows: size is 0.
create or replace macro sqlanon._classes_with_people(
    classes, tbl, qi, population, hierarchy, suppressed, released, by_unit, population_weight, kept) as table
    with matched as (from sqlanon._classes_with_matching(classes, qi, suppressed, by_unit, kept)),
    resident as materialized (
        from sqlanon._class_people(tbl, qi, population, hierarchy, released, population_weight)
    )
    from query(sqlanon._fill($$
        select class.* replace (coalesce(resident.people, 0) as people)
        from matched as class left join resident on not absent
            {each qi: and class.q{i} is not distinct from resident.q{i}}
        union all by name
        select {absent_values}, 0 as size, people, 0 as matching from resident where absent
    $$, map {'absent_values': sqlanon._each(qi, 'sqlanon._among_released(p{i}, q{i}) as q{i}', ', ')}));

-- Classes with the people of a population, or without one the classes as they are.
create or replace macro sqlanon._counted_classes(
    classes, tbl, qi, population, hierarchy, suppressed, released, by_unit, population_weight, kept) as table
    from query(
        case when population is null
             then {call _classes_with_matching}
             else {call _classes_with_people}
        end);

-- The verdicts on classes as a whole, one row per model and distinct matching, size, people and kept, with
-- classes, how many have these; they rank before those of _assessment. Without a population there are no
-- models about it. People without rows are no class, and have a share of 0 in the release.
create or replace macro sqlanon._class_assessment(counted_classes, population, requirement) as table
    with counted as (
        select matching, size, people, kept, count(*) as class_count
        from query_table(counted_classes) group by matching, size, people, kept
    ),
    judged as (
        select counted.*, sqlanon._class_verdicts(matching, size, people, required.req)
                          || sqlanon._verdicts_of_known(kept, required.req) as verdicts
        from counted, query_table(requirement) as required
    ),
    verdict as (
        select judged.* exclude (verdicts),
               unnest(range(-len(verdicts), 0)) as rank, unnest(verdicts, max_depth := 2)
        from judged
    )
    from verdict
    where case when id in ({verdicts of known: '{id}'}) then required is not null and size > 0
               when population is null and id in ({verdicts of population: '{id}'})
               then case when required is null then false
                         else error(id || ' is required, and there is no population') end
               when size = 0 then id = 'dmin'
               else true end;

-- The classes under the user's names: histogram, matching, size, people, kept, class (a struct of the
-- quasi-identifiers' values).
create or replace macro sqlanon._named_classes(
    classes, tbl, qi, population, hierarchy, suppressed, released, by_unit, population_weight, kept) as table
    with counted as (from {sqlanon._counted_classes})
    from query(sqlanon._fill($$
        select histogram, matching, size, people, kept, struct_pack({columns}) as class from counted
    $$, map {'columns': sqlanon._each(qi, '{c} := q{i}', ', ')}));

-- How bad a verdict is: more of it is worse.
create or replace macro sqlanon._badness(reached, more_is_better) as if(more_is_better, reached, -reached);

-- How many classes of a group of verdicts violate what is required (an aggregate).
create or replace macro sqlanon._violations_among(class_count, required, holds) as
    coalesce(sum(class_count) filter (sqlanon._is_violated(required, holds)), 0)::bigint;

-- What the worst class reaches, a row per model and sensitive column, and how many classes there are and
-- violate what is required: rank, attribute, id, model, sensitive, required, classes, violations, reached,
-- size, people, class. Of several such classes (their histograms or sizes differ) it is the first.
create or replace macro sqlanon._worst_classes(assessment, class_assessment, named_classes) as table
    with worst_histogram as (
        select rank, attribute, id, model, sensitive_column, any_value(required) as required,
               sum(class_count)::bigint as classes,
               sqlanon._violations_among(class_count, required, holds) as violations,
               min({'badness': sqlanon._badness(reached, more_is_better), 'histogram': histogram,
                    'reached': reached}) filter (reached is not null) as worst
        from query_table(assessment) group by rank, attribute, id, model, sensitive_column
    ),
    worst_size as (
        select rank, id, model, any_value(required) as required, sum(class_count)::bigint as classes,
               sqlanon._violations_among(class_count, required, holds) as violations,
               min({'badness': sqlanon._badness(reached, more_is_better), 'matching': matching, 'size': size,
                    'people': people, 'kept': kept, 'reached': reached})
                   filter (reached is not null) as worst
        from query_table(class_assessment) group by rank, id, model
    ),
    -- Several models have the same worst histogram, and its first class is looked for once.
    first_with_histogram as (
        select histogram,
               min({'class': class, 'size': size, 'people': coalesce(people, matching)}) as first
        from query_table(named_classes)
        where histogram in (select worst.histogram from worst_histogram) group by histogram
    ),
    first_with_size as (
        select rank, min({'class': class, 'size': named.size,
                          'people': coalesce(named.people, named.matching)}) as first
        from worst_size join query_table(named_classes) as named
          on named.matching = worst.matching and named.size = worst.size
             and named.people is not distinct from worst.people
             and named.kept is not distinct from worst.kept
        group by rank
    ),
    example as (
        select rank, 0 as attribute, id, model, null as sensitive, required, classes, violations,
               worst.reached as reached, first
        from worst_size left join first_with_size using (rank)
        union all
        select rank, attribute, id, model, sensitive_column, required, classes, violations, worst.reached,
               first
        from worst_histogram left join first_with_histogram as example
          on example.histogram = worst_histogram.worst.histogram
    )
    select rank, attribute, id, model, sensitive, required, classes, violations, reached,
           first.size as size, first.people as people, first.class as class
    from example where reached is not null or violations > 0;

-- The classes that violate what is required, a row per model and sensitive column: model, sensitive,
-- required, reached, size, people, class. Rows are ordered for those who read them. Nobody reads more than
-- 10,000 classes, so classes of the same size are in any order then: sorting by class takes as long as the
-- rest of the query.
create or replace macro sqlanon._violating_classes(assessment, class_assessment, named_classes) as table
    with named as (
        select histogram, matching, size, people as members, kept as left_over, class
        from query_table(named_classes)
    ),
    violating as (
        select model, null as sensitive, required, reached, size, coalesce(people, matching) as people, class,
               id
        from query_table(class_assessment) join named using (matching, size)
        where sqlanon._is_violated(required, holds) and members is not distinct from people
          and left_over is not distinct from kept
        union all
        select model, sensitive_column, required, reached, size, coalesce(members, matching), class, id
        from query_table(assessment) join named using (histogram)
        where sqlanon._is_violated(required, holds)
    )
    from violating
    order by model, sensitive, size,
             case when (select count(*) from query_table(named_classes)) <= 10000 then class end;

-- From a table to an answer about its classes. sensitive: the columns that models look at; counted: these
-- and the unit; distances: which of t's; l: of recursive (c, l)-diversity; pieces: the k of (c, k)-safety;
-- only_violating: the rows are those of _violating_classes, otherwise those of _worst_classes.
-- located_targets, rows and kept: those of sql/models/composition.sql where they are there already, or NULL.
-- is_release: tbl is a table of recoded values that nobody changes, which is read as it is. most: the
-- highest risk that rows of a sample may have.
create or replace macro sqlanon._assess(
    tbl, qi, sensitive, counted, hierarchies, req, distances, l, pieces, population, reference, suppressed,
    released, unit, only_violating, weight, population_weight, known, presence, located_targets, rows, kept,
    is_release, unchanged, sampling_weight, household, risk_formula, most
) as table
    with _sqlanon_source as materialized (
        from sqlanon._source(
            tbl, qi, counted || unchanged || sqlanon._counted_with(sampling_weight, household), weight)
    ),
    _sqlanon_population as materialized (from sqlanon._source_if_any(population, qi, population_weight)),
    _sqlanon_combination as materialized (
        from sqlanon._combinations(if(is_release, tbl, '_sqlanon_source'), qi, counted, weight)
    ),
    _sqlanon_hierarchy as materialized (from sqlanon._hierarchies(hierarchies)),
    _sqlanon_reference as materialized (
        from sqlanon._reference_counts(
            '_sqlanon_combination', if(len(sensitive) > 0, reference, null), counted, weight)
    ),
    _sqlanon_sensitive_combination as materialized (
        from sqlanon._sensitive_combinations(
            '_sqlanon_reference', counted, req['distinct_spellings'], req['missing_counts'])
    ),
    _sqlanon_sensitive_value as materialized (
        from sqlanon._sensitive_values_for(
            '_sqlanon_sensitive_combination', sensitive, sqlanon._if_any(unit, counted), distances)
    ),
    _sqlanon_class as (
        from sqlanon._classes('_sqlanon_combination', '_sqlanon_sensitive_combination', qi, counted,
                              unit is not null)
    ),
    _sqlanon_row_of_releases as materialized (
        from query(coalesce('from ' || rows, {call _known_rows:
            known := text(sqlanon._names_if_any(sqlanon._and_checked(known, '_sqlanon_source'))),
            judged := sensitive, kept := text(sqlanon._names(unchanged))}))
    ),
    _sqlanon_known_source as materialized (
        from sqlanon._known_source(
            known, reference, qi, sensitive, presence, '_sqlanon_row_of_releases', unchanged, unit)
    ),
    _sqlanon_known_target as materialized (
        from sqlanon._known_targets(known, '_sqlanon_known_source', qi, presence)
    ),
    _sqlanon_known_located as materialized (
        from query(coalesce('from ' || located_targets, {call _known_located:
            releases := text(sqlanon._names_if_any(sqlanon._and_checked(known, '_sqlanon_source'))),
            targets := '_sqlanon_known_target', hierarchy := '_sqlanon_hierarchy', judged := sensitive}))
    ),
    _sqlanon_kept as materialized (
        from query(coalesce('from ' || kept, {call _kept_in_classes:
            located_targets := '_sqlanon_known_located', rows := '_sqlanon_row_of_releases',
            targets := '_sqlanon_known_target', source := '_sqlanon_known_source', judged := sensitive,
            kept := text(sqlanon._names(unchanged))}))
    ),
    _sqlanon_named as materialized (
        from sqlanon._named_classes(
            '_sqlanon_class', '_sqlanon_source', qi, sqlanon._if_any(population, '_sqlanon_population'),
            '_sqlanon_hierarchy', suppressed, released, unit is not null, population_weight,
            sqlanon._if_any(known, '_sqlanon_kept'))
    ),
    _sqlanon_requirement as materialized (select req as req),
    _sqlanon_assessment as (
        from sqlanon._assessment(
            '_sqlanon_named', '_sqlanon_sensitive_combination', '_sqlanon_sensitive_value',
            '_sqlanon_reference', sensitive, counted, '_sqlanon_hierarchy', '_sqlanon_requirement', distances,
            l, pieces, unit is not null)
    ),
    _sqlanon_class_assessment as (
        from sqlanon._class_assessment('_sqlanon_named', population, '_sqlanon_requirement')
    ),
    _sqlanon_refusal as (
        from sqlanon._refuse_empty('_sqlanon_combination', tbl)
        union all from sqlanon._refuse_no_population(population, '_sqlanon_population')
        union all from sqlanon._refuse_hierarchies('_sqlanon_hierarchy', qi, sensitive)
        union all from query(
            sqlanon._if_given(known, 'null as refused',
                {call _refuse_checked:
                    located_targets := '_sqlanon_known_located', rows := '_sqlanon_row_of_releases',
                    releases := sqlanon._and_checked(known, tbl)}))
    ),
    _sqlanon_answer as (
        from query(sqlanon._call(if(only_violating, '_violating_classes', '_worst_classes'), [
            $$'_sqlanon_assessment'$$, $$'_sqlanon_class_assessment'$$, $$'_sqlanon_named'$$]))
    )
    select * replace (replace(model, '(c, l)', coalesce('(c, ' || l || ')', '(c, l)')) as model)
    from query(
        if(only_violating, 'from _sqlanon_answer', {call _measured_in_order:
            of_classes := '_sqlanon_answer', sensitive_values := '_sqlanon_sensitive_value',
            judged := sensitive}))
    union all by name
    from query(
        sqlanon._if_given(
            coalesce(sampling_weight, household), 'null::varchar as model',
            {call _risk_of_classes: relation := '_sqlanon_source'}))
    union all by name
    select refused as model from _sqlanon_refusal;

-- The call of it, as a text: as _call, which begins with from.
create or replace macro sqlanon._assess_text(
    tbl, qi, sensitive, hierarchies, req, distances, l, population, reference, suppressed, released, unit,
    only_violating, weight := null, population_weight := null, known := null, presence := null,
    located_targets := null, rows := null, kept := null, is_release := false,
    unchanged := []::varchar[], sampling_weight := null, household := null,
    risk_formula := 'approximate', most := null) as
    {call _assess:
        counted := sqlanon._counted_with(sensitive, unit), pieces := req['safety_k'],
        located_targets := text(sqlanon._optional(located_targets)),
        rows := text(sqlanon._optional(rows))};

-- The columns of an answer that users see; people, where something (counting) counts them.
create or replace macro sqlanon._shown_columns(columns, counting) as
    'select ' || columns || ', size, ' || if(counting is null, 'class, id ', 'people, class, id ');

-- Checks of a sample's parameters, with those that do not go with it; and that what is required and of whom
-- are given together.
create or replace macro sqlanon._sample_of_classes_checked(
    qi, sampling_weight, household, unit, weight, population, risk_formula) as
    case when population is not null and coalesce(sampling_weight, household) is not null
         then error('population does not go with sampling_weight or household: it has everybody, whom '
                    || 'sampling weights estimate')
         else sqlanon._sample_checked(
                  qi, sampling_weight, household, unit, weight, null, risk_formula, null) end;
create or replace macro sqlanon._required_risk_checked(sampling_weight, household, individual_risk) as
    case when individual_risk is not null and coalesce(sampling_weight, household) is null
         then error('individual_risk needs sampling_weight: for how many people of the population each row '
                    || 'stands')
         when individual_risk is null and coalesce(sampling_weight, household) is not null
         then error('sampling_weight and household need individual_risk here: the highest risk that a row '
                    || 'may have')
         else '' end;

create or replace macro sqlanon.privacy(
    tbl, qi, sensitive := null, hierarchies := null, l := 2, population := null, reference := null,
    suppressed := 'value', released := null, unit := null, weight := null,
    population_weight := null, distinct_spellings := null, missing_counts := false,
    sampling_weight := null, household := null, risk_formula := 'approximate') as table
    from query(
        sqlanon._checked(qi, sensitive, null, unit, weight) || sqlanon._unit_checked(unit, population)
        || sqlanon._population_checked(qi, population, population_weight)
        || sqlanon._sample_of_classes_checked(
            qi, sampling_weight, household, unit, weight, population, risk_formula)
        || sqlanon._shown_columns(
            'model, sensitive, reached', coalesce(unit, population, sampling_weight)) || ', remark '
        || sqlanon._let(
            sqlanon._requirements(
                l := l, distinct_spellings := distinct_spellings, missing_counts := missing_counts),
            lambda req:
            sqlanon._assess_text(
                tbl, qi, sqlanon._list(sensitive), hierarchies, req, ['ordered', 'hierarchical'], l,
                population, reference, suppressed, released, unit, false, weight, population_weight,
                sampling_weight := sampling_weight, household := household, risk_formula := risk_formula)));

comment on macro table sqlanon.privacy is $$
Measures the value that a table reaches in each privacy model, such as k-anonymity: one row per model and
sensitive column, with the worst class. The table may be raw, or released by any tool.

Parameters:
- tbl, qi: as in classes
- sensitive (columns; default null): columns whose values nobody should learn about a person, such as a
  disease.
- hierarchies (table; default null): rows of attribute, value, level and label: the values that released
  labels stand for, and the distances of sensitive values.
- l (integer, at least 1; default 2): the l of recursive (c, l)-diversity.
- population (table; default null): everybody who might be in the table, with raw values in qi: for k-map and
  delta-presence. A class counts the people whose values its labels contain, as covers reads labels.
- reference (table; default null): the table whose distribution of sensitive values the classes are compared
  with; if not given, tbl itself. For a release with suppressed rows, give its source. With a unit or a
  weight, this table must have that column, too.
- suppressed (one of value, wildcard; default 'value'): how k-anonymity counts a suppressed cell (* or NULL):
  as a value of its own, or as equal to every value (not with a unit).
- released (boolean; default null): true: tbl is a release, in which * stands for everybody; false: it is raw,
  and * is a value like any other. If not given, tbl is a release if it has labels that are no raw values of
  the population: an interval, a set, a mask, *, a label of hierarchies.
- unit (column; default null): identifies the person of a row, if people can have several rows; all models
  then count people.
- weight: as in classes
- population_weight (column; default null): the weight of the population, if that is a table of counts.
- distinct_spellings, missing_counts: as in mondrian
- sampling_weight (column; default null): if the table is a sample: for how many people of the population the
  row stands, a number of at least 1 that may have a fraction. Not together with unit, weight or population.
- household (column; default null): identifies the household of a row: who finds one member finds all. Not
  together with unit or weight. Without sampling_weight the table is taken for the whole population.
- risk_formula (one of approximate, exact; default 'approximate'): how the individual risk is computed from
  sampling weights; both differ where a class has at least three rows.

Result:
- model (text): k-anonymity; distinct, entropy and recursive (c, l)-diversity; (alpha, k)-anonymity;
  t-closeness by each distance (hierarchical: for columns in hierarchies); basic and enhanced beta-likeness;
  delta-disclosure; with a population k-map and delta-presence; with sampling_weight individual risk, or with
  household household risk, as in risk.
- sensitive (text): the sensitive column; NULL where the model has none.
- reached (number): the value of the worst class. For recursive diversity, the c at which the class fails.
  With unit, distinct, entropy and recursive diversity are bounds: a class may be more diverse, never less.
- size (integer, rows): the size of this class.
- people (integer, people): with unit: the people of this class; rows where the unit is NULL count as one
  person. With population: the people of the population in this class. Delta-presence (least) is about
  everybody: people whom no class covers reach 0, with size 0 and their own values as class. With
  sampling_weight, of individual or household risk: the people for whom its rows stand, rounded down.
- class (struct): the quasi-identifiers of this class.
- id (text): the parameter that requires the model: k, l, entropy_l, ...; the distances of t-closeness are
  t_equal, t_ordered and t_hierarchical.
- remark (text): why reached is NULL: texts have no order, unless all of them are numbers, dates or times as
  SQL writes them; an ENUM has one. NULL otherwise.

Errors: unknown column, empty table, a weight as in classes, a sample as in risk or with a population.

Notes: a person with several rows may be in several classes; the values hold within each class.
sql/models/models.sql explains how people are counted.

Source: named in sql/models/models.sql, model by model.

Example:
from sqlanon.privacy('east', qi := ['age', 'zip'], sensitive := 'disease');
$$;

-- The distance of t-closeness that is measured: the one that is required, or none.
create or replace macro sqlanon._required_distances(req) as [if(req.t is null, 'none', req.t_distance)];

-- What it runs, as a text, once what can be checked without the data is. Its last part has no rows, but is
-- an error where a column is not there that no requirement looks at.
-- The check of a finished release by whoever made it, as a text: what _worst_classes says of it. judged: the
-- sensitive columns that requirements look at; located_targets, rows and kept: as in _assess; weight: of tbl
-- and of reference; population_weight: of the population.
create or replace macro sqlanon._check_statement(
    tbl, qi, judged, hierarchies, requirements, population, reference, unit, known, located_targets, rows,
    kept, weight := null, population_weight := null) as
    sqlanon._let(requirements, lambda req:
        'select id, model, sensitive, required, classes, violations, reached, size, people, class as example '
        || {sqlanon._assess_text:
            sensitive := judged, distances := sqlanon._required_distances(req), l := req['l'],
            suppressed := 'value', released := true, only_violating := false,
            is_release := weight is null});

create or replace macro sqlanon.violations(
    tbl, qi, sensitive := null, hierarchies := null,
    {requirements: {id} := {fallback}}, population := null, reference := null,
    suppressed := 'value', released := null, unit := null, weight := null,
    population_weight := null, known := null, presence := null,
    unchanged := null, sampling_weight := null, household := null, risk_formula := 'approximate',
    individual_risk := null) as table
    from query({statement:
        sqlanon._checked(qi, sensitive, unchanged, unit, weight)
        || sqlanon._population_checked(qi, population, population_weight)
        || sqlanon._sample_of_classes_checked(
            qi, sampling_weight, household, unit, weight, population, risk_formula)
        || sqlanon._required_risk_checked(sampling_weight, household, individual_risk)
        || sqlanon._let(
            sqlanon._terms(sensitive, population, requirements, known, presence, individual_risk),
            lambda terms:
            sqlanon._unit_checked(unit, terms['population'])
            || sqlanon._shown_columns('model, sensitive, required, reached',
                                      coalesce(unit, terms['population'], sampling_weight))
            || sqlanon._assess_text(
                tbl, qi, terms['judged'], hierarchies, terms['req'],
                sqlanon._required_distances(terms['req']), terms['req']['l'], terms['population'], reference,
                suppressed, released, unit, true, weight, population_weight, terms['known'],
                terms['presence'],
                unchanged := if(terms['known'] is null, []::varchar[], sqlanon._list(unchanged)),
                sampling_weight := sampling_weight, household := household, risk_formula := risk_formula,
                most := sqlanon._real_number(
                    individual_risk, 'individual_risk', 0, true, 1, 'between 0 and 1'))
            || sqlanon._fill($$
                union all by name
                select null::varchar as model
                from sqlanon._roles({=tbl}, {=qi}, {=sensitive}, {=unchanged}) where false
            $$))});

comment on macro table sqlanon.violations is $$
Lists the classes of a table that violate a requirement: one row per class, model and sensitive column. If
there are no rows, the table meets the requirements.

Parameters:
- tbl, qi: as in classes
- sensitive, hierarchies: as in privacy
- {requirements: {id}}: as in mondrian
- population: as in mondrian
- reference, suppressed, released, unit: as in privacy
- weight: as in classes
- population_weight: as in privacy
- known: as in mondrian
- presence (list of columns; default null): columns of reference, with the meaning that they have for tbl in
  mondrian.
- unchanged (columns; default null): with composed_l, further columns of tbl and reference that were released
  unchanged. An adversary joins tbl by them with the known releases that have them.
- sampling_weight, household, risk_formula: as in privacy
- individual_risk (number, 0 to 1; default null): the highest individual risk, or with household the highest
  household risk, that a row may have. Needs sampling_weight or household.

Result:
- model, sensitive: as in privacy
- required (number): the value that is required.
- reached (number): the value of the class, with unit a bound as in privacy; NULL for a hierarchical
  t_distance without a hierarchy.
- size (integer, rows): of the class.
- people (integer, people): with unit: the people of the class; rows where the unit is NULL count as one
  person. With k_map, dmin or dmax: the people of the population in the class. People whom no class covers
  violate a dmin above 0: one row per combination of their values, with reached 0, size 0, and the values as
  class. With sampling_weight, of individual or household risk: as in privacy.
- class (struct): the quasi-identifiers of the class.
- id: as in privacy

Errors: unknown column, empty table, no requirement, a weight as in classes, a sample as in risk or with a
population.

Notes: rows are ordered by model, sensitive and size; if the table has at most 10,000 classes, also by class.
composed_l needs reference, the raw table. Its rows are looked for in the known releases and in tbl, as
by intersection_attack. Rows of reference that were suppressed in tbl count as well, if classes of others
cover them. To check only the rows that are in tbl, leave them out of reference.

Source: named in sql/models/models.sql, model by model.

Example:
from sqlanon.violations('east', qi := ['age', 'zip'], sensitive := 'disease', k := 3, l := 4);
$$;
