-- What a table would disclose: its equivalence classes, the value that every privacy model reaches on them, and the
-- classes that violate a requirement.
--
-- The measures of a class depend on its histogram of sensitive values alone, and most classes share theirs with others:
-- they are computed once per distinct histogram, and joined back.

create or replace macro sqlanon.classes(tbl, qi, unit := null) as table
    from query(
        sqlanon._checked(qi, null, null, unit) || 'select '
        || 'row_number() over (order by ' || sqlanon._each(qi, '{c} nulls first', ', ') || ') as class_id, * from ('
        || 'select ' || sqlanon._each(qi, 'src.{c}', ', ') || ', count(*) as size' || sqlanon._each(unit, ', sqlanon._people_of(src.{c}) as people', '')
        || ' from sqlanon._source(' || sqlanon._literal(tbl) || ', ' || sqlanon._names(qi) || ', ' || sqlanon._names(unit) || ') as src group by '
        || sqlanon._each(qi, 'src.{c}', ', ') || ')');

comment on macro table sqlanon.classes is $$
Lists the equivalence classes of a table: one row per distinct combination of quasi-identifiers. NULL is a
value of its own, as in GROUP BY.

Parameters:
- tbl (table): a raw table or a release.
- qi (columns): quasi-identifiers, by which somebody could be recognized.
- unit (column; default null): says whose a row is, where people have several.

Result:
- class_id (integer): a number from 1.
- <qi> (unchanged): the combination.
- size (integer, rows): of the class.
- people (integer, people): with unit: of the class; rows without a unit are one person's. With a population
  that is asked for: of it, in the class. With dmin above 0 people whom no class covers violate it: one row
  per combination of their values, with reached 0, size 0, and the values as class.

Errors: unknown column.

Source: Ganta, Kasiviswanathan and Smith 2008, Def. 2.

Example:
from sqlanon.classes('east', qi := ['age', 'zip']);
$$;

-- One row per class: q1, q2, ..., size, and its histogram as a sorted list of s * 2^32 + n, which names it
-- among all others. by_unit: the last of the columns (sensitive) is the unit; then also members, the people
-- of the class.
create or replace macro sqlanon._classes(
    combinations, sensitive_combinations, qi, sensitive, by_unit := false) as table
    from query(
        'select ' || sqlanon._each(qi, 'q{i}', ', ') || ', sum(n)::bigint as size, '
        || case when by_unit then 'count(distinct c' || len(sensitive) || ') as members, ' else '' end || 'list_sort(list(s * 4294967296 + n)) as histogram'
        || ' from ' || combinations || ' as combination join ' || sensitive_combinations || ' as sensitive on true'
        || sqlanon._each(sensitive, ' and combination.s{i} is not distinct from sensitive.s{i}', '')
        || ' group by ' || sqlanon._each(qi, 'q{i}', ', '));

-- The nodes above each sensitive value that has a hierarchy: attribute (its position), code, level, node. A value that the hierarchy of its
-- column lacks is an error.
create or replace macro sqlanon._sensitive_tree(sensitive_values, sensitive, hierarchies) as table
    with name as (
        select unnest(list_transform(sqlanon._list(sensitive), lambda x: lower(x))) as name,
               unnest(range(1, len(sqlanon._list(sensitive)) + 1)) as attribute
    ),
    leaf as (from sqlanon._leaves(hierarchies)),
    placed as (
        select distinct v.attribute, name.name, v.code,
               case when leaf.code is null
                    then error('the hierarchy of column ' || name.name || ' lacks the value ' || coalesce(v.value, 'NULL'))
                    else leaf.code
               end as leaf_code
        from query_table(sensitive_values) as v
        join name on name.attribute = v.attribute and name.name in (select attribute from leaf)
        left join leaf on leaf.attribute = name.name and leaf.value is not distinct from v.value
    )
    select placed.attribute, placed.code, nodes.level, nodes.node
    from placed join sqlanon._nodes(hierarchies) as nodes on nodes.attribute = placed.name and nodes.code = placed.leaf_code;

-- Every histogram that classes have, once: class_id (its number), histogram.
create or replace macro sqlanon._distinct_histograms(classes) as table
    select row_number() over () as class_id, histogram from query_table(classes) group by histogram;

-- Histograms as the models see them: class_id, attribute, code, n.
create or replace macro sqlanon._cells(distinct_histograms, sensitive_values, by_unit := false) as table
    with packed as (select class_id, unnest(histogram) as packed from query_table(distinct_histograms)),
    cell as (select class_id, packed // 4294967296 as s, packed % 4294967296 as n from packed)
    from sqlanon._histograms('cell', sensitive_values, by_unit);

-- The sensitive values whose distribution counts: s1, s2, ..., n; those of the reference (and, with none, those that only the table has), or of the table.
create or replace macro sqlanon._reference_counts(combinations, reference, sensitive) as table
    from query(
        case when reference is null or len(sqlanon._list(sensitive)) = 0 then 'select columns(''^(s\d+|n)$'') from ' || combinations
             else 'select ' || sqlanon._each(sensitive, 's{i}, ', '') || '0 as n from ' || combinations || ' union all '
                  || 'select ' || sqlanon._each(sensitive, 'src.{c}, ', '') || 'count(*) from ' || sqlanon._projected(reference, null, sensitive, null)
                  || ' as src group by ' || sqlanon._each(sensitive, 'src.{c}', ', ')
        end);

-- Their distribution, as _marginal reads it: attribute, code, n.
create or replace macro sqlanon._reference_rows(
    reference_counts, sensitive_combinations, sensitive_values, sensitive, by_unit := false) as table
    with cell as (
        from query('select 0 as class_id, s, sum(n) as n from ' || reference_counts || ' as counted join ' || sensitive_combinations || ' as sensitive on true'
                   || sqlanon._each(sensitive, ' and counted.s{i} is not distinct from sensitive.s{i}', '') || ' group by s')
    )
    select attribute, code, n from sqlanon._histograms('cell', sensitive_values, by_unit);

-- One row per model, sensitive attribute and distinct histogram: what is required, reached, and whether it holds.
-- requirement: one row, req.
create or replace macro sqlanon._sensitive_assessment(
    classes, sensitive_combinations, sensitive_values, reference_counts, sensitive, counted, hierarchies, requirement, distances, at_l,
    by_unit) as table
    with distinct_histogram as materialized (from sqlanon._distinct_histograms(classes)),
    histogram as materialized (select * from sqlanon._cells('distinct_histogram', sensitive_values, by_unit) where attribute > 0 or by_unit),
    reference_row as (from sqlanon._reference_rows(reference_counts, sensitive_combinations, sensitive_values, counted, by_unit)),
    marginal as materialized (from sqlanon._marginal('reference_row', by_unit)),
    tree as materialized (from sqlanon._sensitive_tree(sensitive_values, sensitive, hierarchies)),
    judged as (
        select class_id, attribute, sqlanon._verdicts(measured, required.req) as verdicts
        from sqlanon._measures('histogram', 'marginal', 'tree', distances, at_l, by_unit) as measured, query_table(requirement) as required
        where attribute > 0
    ),
    verdict as (
        select class_id, attribute, unnest(range(len(verdicts))) as rank, unnest(verdicts, max_depth := 2) from judged
    )
    select histogram, attribute, rank, sqlanon._list(sensitive)[attribute] as sensitive_column, model, required, reached, holds, more_is_better
    from verdict join distinct_histogram using (class_id);

-- The same, or no rows where no sensitive attribute is looked at (which DuckDB then knows when it plans).
create or replace macro sqlanon._assessment(
    classes, sensitive_combinations, sensitive_values, reference_counts, sensitive, counted, hierarchies, requirement, distances, at_l,
    by_unit) as table
    from query(
        case when len(sqlanon._list(sensitive)) = 0
             then 'select null::bigint[] as histogram, 0 as attribute, 0 as rank, null::varchar as sensitive_column, null::varchar as model,'
                  || ' null::double as required, null::double as reached, true as holds, true as more_is_better where false'
             else 'from sqlanon._sensitive_assessment(' || sqlanon._literal(classes) || ', ' || sqlanon._literal(sensitive_combinations) || ', '
                  || sqlanon._literal(sensitive_values) || ', ' || sqlanon._literal(reference_counts) || ', ' || sqlanon._names(sensitive) || ', '
                  || sqlanon._names(counted) || ', ' || sqlanon._literal(hierarchies) || ', ' || sqlanon._literal(requirement) || ', ' || sqlanon._names(distances) || ', '
                  || coalesce(at_l::varchar, 'null') || ', ' || by_unit || ')'
        end);

-- Classes with what the models on a class as a whole look at: everything of classes, and people (of the
-- population; NULL without one) and matching (rows: its own, or where suppressed cells are wildcards those
-- that it matches; by_unit: its people). People of the population whom no class covers are there, too, with
-- their own values and no rows: size is 0.
create or replace macro sqlanon._counted_classes(
    classes, tbl, qi, population, hierarchy, suppressed, released, by_unit) as table
    from query(
        case when population is null then ''
             else 'with resident as materialized (from sqlanon._class_people(' || sqlanon._literal(tbl) || ', '
                  || sqlanon._names(qi) || ', '
                  || sqlanon._literal(population) || ', ' || sqlanon._literal(hierarchy) || ', '
                  || sqlanon._boolean_text(released) || ')) '
        end
        || 'select class.*, '
        || case when population is null then 'null::bigint' else 'coalesce(people, 0)' end
        || ' as people, '
        || case suppressed when 'value' then case when by_unit then 'members' else 'size' end
                           when 'wildcard' then case when by_unit then error('suppressed := ''wildcard'' does not go with unit: who matches a row is counted in rows')
                                                     else 'frequency' end
                           else error('suppressed must be value or wildcard, not ' || coalesce(suppressed, 'NULL')) end || ' as matching'
        || ' from ' || classes || ' as class'
        || case when population is null then ''
                else ' left join resident on not absent'
                     || sqlanon._each(qi, ' and class.q{i} is not distinct from resident.q{i}', '')
           end
        || case when suppressed = 'wildcard'
                then ' join (with _sqlanon_sized as (select columns(''^q\d+$''), size as n from ' || classes || ')'
                     || ' from sqlanon._wildcard_frequencies(''_sqlanon_sized'', ' || sqlanon._names(qi) || ')) as counted on true'
                     || sqlanon._each(qi, ' and class.q{i} is not distinct from counted.q{i}', '')
                else ''
           end
        || case when population is null then ''
                else ' union all by name select '
                     || sqlanon._each(qi, 'sqlanon._among_released(p{i}, q{i}) as q{i}', ', ')
                     || ', 0 as size, people, 0 as matching from resident where absent'
           end);

-- The verdicts on classes as a whole, one row per model and distinct matching, size and people; they rank
-- before those of _assessment. population: without one, k-anonymity is the only model. People without rows
-- are no class, and have a share of 0 in the release.
create or replace macro sqlanon._class_assessment(counted_classes, population, requirement) as table
    with counted as (select distinct matching, size, people from query_table(counted_classes)),
    judged as (
        select matching, size, people, sqlanon._class_verdicts(matching, size, people, required.req) as verdicts
        from counted, query_table(requirement) as required
    ),
    verdict as (
        select matching, size, people, unnest(range(-len(verdicts), 0)) as rank, unnest(verdicts, max_depth := 2)
        from judged
    )
    from verdict
    where case when population is null then model = 'k-anonymity'
               when size = 0 then model = 'delta-presence (least)'
               else true end;

-- The classes under the user's names: histogram, matching, size, people, class (a struct of the quasi-identifiers' values).
create or replace macro sqlanon._named_classes(counted_classes, qi) as table
    from query('select histogram, matching, size, people, {' || sqlanon._each(qi, '{s}: q{i}', ', ') || '} as class from ' || counted_classes);

create or replace macro sqlanon._privacy(
    tbl, qi, sensitive, counted, hierarchies, l, population, reference, suppressed, released, unit) as table
    with _sqlanon_source as materialized (from sqlanon._source(tbl, qi, counted)),
    _sqlanon_population as materialized (from sqlanon._source_if_any(population, qi)),
    _sqlanon_combination as materialized (from sqlanon._combinations('_sqlanon_source', qi, counted)),
    _sqlanon_hierarchy as materialized (from sqlanon._hierarchies(hierarchies)),
    _sqlanon_reference as materialized (
        from sqlanon._reference_counts('_sqlanon_combination', case when len(sensitive) > 0 then reference end, counted)
    ),
    _sqlanon_sensitive_combination as materialized (from sqlanon._sensitive_combinations('_sqlanon_reference', counted)),
    _sqlanon_sensitive_value as materialized (from sqlanon._sensitive_values('_sqlanon_sensitive_combination', sensitive, sqlanon._if_any(unit, counted))),
    _sqlanon_class as materialized (
        from sqlanon._classes('_sqlanon_combination', '_sqlanon_sensitive_combination', qi, counted, unit is not null)
    ),
    _sqlanon_counted as materialized (
        from sqlanon._counted_classes('_sqlanon_class', '_sqlanon_source', qi, sqlanon._if_any(population, '_sqlanon_population'),
                                      '_sqlanon_hierarchy', suppressed, released, unit is not null)
    ),
    _sqlanon_requirement as materialized (
        select sqlanon._requirements(null, l, null, null, null, null, 'equal', null, null, null) as req
    ),
    _sqlanon_assessment as (
        from sqlanon._assessment('_sqlanon_class', '_sqlanon_sensitive_combination', '_sqlanon_sensitive_value', '_sqlanon_reference', sensitive,
                                 counted, '_sqlanon_hierarchy', '_sqlanon_requirement', ['ordered', 'hierarchical'], l, unit is not null)
    ),
    _sqlanon_class_assessment as (from sqlanon._class_assessment('_sqlanon_counted', population, '_sqlanon_requirement')),
    _sqlanon_named as materialized (from sqlanon._named_classes('_sqlanon_counted', qi)),
    -- What the worst class reaches; of several such classes (their histograms or sizes differ) the first.
    _sqlanon_worst as (
        select rank, model, attribute, sensitive_column,
               arg_min({'reached': reached, 'histogram': histogram},
                       {'badness': case when more_is_better then reached else -reached end, 'histogram': histogram}) as found
        from _sqlanon_assessment where reached is not null group by all
    ),
    _sqlanon_worst_class as (
        select rank, model,
               arg_min({'reached': reached, 'matching': matching, 'size': size, 'people': people},
                       {'badness': case when more_is_better then reached else -reached end, 'matching': matching, 'size': size, 'people': people}) as found
        from _sqlanon_class_assessment where reached is not null group by all
    ),
    _sqlanon_example as (
        select rank, 0 as attribute, model, null as sensitive_column, any_value(found.reached) as reached, arg_min(named.size, class) as size,
               arg_min(coalesce(named.people, named.matching), class) as people, min(class) as class
        from _sqlanon_worst_class
        join _sqlanon_named as named
          on named.matching = found.matching and named.size = found.size and named.people is not distinct from found.people
        group by rank, model
        union all
        select rank, attribute, model, sensitive_column, any_value(found.reached), arg_min(size, class),
               arg_min(coalesce(people, matching), class), min(class)
        from _sqlanon_worst join _sqlanon_named as named on named.histogram = found.histogram
        group by rank, model, attribute, sensitive_column
        order by rank, attribute
    )
    select model, sensitive_column as sensitive, reached, size,
           columns(lambda c: c = 'class' or (c = 'people' and coalesce(unit, population) is not null))
    from _sqlanon_example
    union all by name
    select refused as model
    from (from sqlanon._refuse_empty('_sqlanon_combination', tbl)
          union all from sqlanon._refuse_no_population(population, '_sqlanon_population')
          union all from sqlanon._refuse_hierarchies('_sqlanon_hierarchy', qi, sensitive));

create or replace macro sqlanon.privacy(
    tbl, qi, sensitive := null, hierarchies := null, l := 2, population := null, reference := null, suppressed := 'value',
    released := null, unit := null) as table
    from query(
        sqlanon._checked(qi, sensitive, null, unit) || sqlanon._unit_checked(unit, population)
        || 'from sqlanon._privacy(' || sqlanon._literal(tbl) || ', ' || sqlanon._names(qi) || ', '
        || sqlanon._names(sensitive) || ', ' || sqlanon._names(sqlanon._counted_with(sensitive, unit)) || ', '
        || sqlanon._optional(hierarchies) || ', ' || coalesce(l::varchar, 'null') || ', '
        || sqlanon._optional(population) || ', ' || sqlanon._optional(reference) || ', '
        || sqlanon._optional(suppressed) || ', ' || sqlanon._boolean_text(released) || ', ' || sqlanon._optional(unit) || ')');

comment on macro table sqlanon.privacy is $$
Measures what a table reaches, raw or released, whoever made it: one row per privacy model and sensitive
column, with its worst class.

Parameters:
- tbl, qi: as in classes
- sensitive (columns; default null): columns that must not be tied to a person.
- hierarchies (table; default null): rows of attribute, value, level and label: what released labels stand
  for, and how far sensitive values are apart.
- l (integer, at least 1; default 2): of recursive (c, l)-diversity.
- population (table; default null): everybody who might be in the table, with raw columns in qi: for k-map and
  delta-presence. A class counts the people whom its released values cover, as covers reads them.
- reference (table; default null): what the classes' sensitive values are compared with; tbl itself, if not
  given. For a release with suppressed rows: its source. With a unit it has that column, too.
- suppressed (one of value, wildcard; default 'value'): what a suppressed cell (* or NULL) is to k-anonymity:
  a value of its own, or a match of every value (not with a unit).
- released (boolean; default null): true: tbl is a release, in which * stands for everybody; false: it is raw,
  and * a value as any other. If not given, it is a release if it has what no raw value of the population is:
  an interval, a set, a mask, *, a label of hierarchies.
- unit (column; default null): says whose a row is, where people have several; all models then count people.

Result:
- model (text): k-anonymity; distinct, entropy and recursive (c, l)-diversity; (alpha, k)-anonymity;
  t-closeness by each distance (hierarchical: for columns in hierarchies); basic and enhanced beta-likeness;
  delta-disclosure; with a population k-map and delta-presence.
- sensitive (text): the sensitive column; NULL where the model has none.
- reached (number): the value of the worst class: for recursive diversity the c at which it fails.
- size (integer, rows): of this class.
- people (integer, people): with unit: of this class; rows without a unit are one person's. With population:
  of it, in this class. Delta-presence (least) is about everybody: people whom no class covers reach 0, with
  size 0 and their own values as class.
- class (struct): its quasi-identifiers.

Errors: unknown column, empty table.

Notes: somebody with several rows may be in several classes: what is reached holds within each. How people are
counted is told in sql/models/models.sql.

Source: named in sql/models/models.sql, model by model.

Example:
from sqlanon.privacy('east', qi := ['age', 'zip'], sensitive := 'disease');
$$;

create or replace macro sqlanon._violations(
    tbl, qi, sensitive, counted, hierarchies, req, t_distance, l, population, reference, suppressed, released, unit) as table
    with _sqlanon_source as materialized (from sqlanon._source(tbl, qi, counted)),
    _sqlanon_population as materialized (from sqlanon._source_if_any(population, qi)),
    _sqlanon_combination as materialized (from sqlanon._combinations('_sqlanon_source', qi, counted)),
    _sqlanon_hierarchy as materialized (from sqlanon._hierarchies(hierarchies)),
    _sqlanon_reference as materialized (
        from sqlanon._reference_counts('_sqlanon_combination', case when len(sensitive) > 0 then reference end, counted)
    ),
    _sqlanon_sensitive_combination as materialized (from sqlanon._sensitive_combinations('_sqlanon_reference', counted)),
    _sqlanon_sensitive_value as materialized (from sqlanon._sensitive_values('_sqlanon_sensitive_combination', sensitive, sqlanon._if_any(unit, counted))),
    _sqlanon_class as materialized (
        from sqlanon._classes('_sqlanon_combination', '_sqlanon_sensitive_combination', qi, counted, unit is not null)
    ),
    _sqlanon_counted as materialized (
        from sqlanon._counted_classes('_sqlanon_class', '_sqlanon_source', qi, sqlanon._if_any(population, '_sqlanon_population'),
                                      '_sqlanon_hierarchy', suppressed, released, unit is not null)
    ),
    _sqlanon_requirement as materialized (select req as req),
    _sqlanon_named as (from sqlanon._named_classes('_sqlanon_counted', qi)),
    _sqlanon_assessment as (
        from sqlanon._assessment('_sqlanon_class', '_sqlanon_sensitive_combination', '_sqlanon_sensitive_value', '_sqlanon_reference', sensitive,
                                 counted, '_sqlanon_hierarchy', '_sqlanon_requirement', [t_distance], l, unit is not null)
    )
    select columns(lambda c: c <> 'people' or coalesce(unit, population) is not null)
    from (
        select model, null as sensitive, required, reached, size, coalesce(people, matching) as people, class
        from sqlanon._class_assessment('_sqlanon_counted', population, '_sqlanon_requirement') as assessed
        join (select matching, size, people as members, class from _sqlanon_named) as named using (matching, size)
        where required is not null and not coalesce(holds, false) and members is not distinct from people
        union all
        select model, sensitive_column, required, reached, size, coalesce(people, matching), class
        from _sqlanon_assessment join _sqlanon_named using (histogram)
        where required is not null and not coalesce(holds, false)
        union all
        select refused, null, null, null, null, null, null
        from (from sqlanon._refuse_empty('_sqlanon_combination', tbl)
              union all from sqlanon._refuse_no_population(population, '_sqlanon_population')
              union all from sqlanon._refuse_hierarchies('_sqlanon_hierarchy', qi, sensitive))
        order by 1, 2, 5, 7
    );

create or replace macro sqlanon.violations(
    tbl, qi, sensitive := null, hierarchies := null,
    k := null, l := null, entropy_l := null, recursive_c := null, alpha := null, t := null, t_distance := 'equal',
    beta := null, enhanced_beta := null, delta_disclosure := null, k_map := null, dmin := null, dmax := null, population := null,
    reference := null, suppressed := 'value', released := null, unit := null) as table
    from query(
        sqlanon._checked(qi, sensitive, null, unit)
        || sqlanon._unit_checked(unit, sqlanon._counted_population(population, k_map, dmin, dmax))
        || list_transform(
            [sqlanon._judged(sensitive, k, l, entropy_l, recursive_c, alpha, t, beta, enhanced_beta, delta_disclosure, k_map, dmin, dmax)], lambda judged:
            'from sqlanon._violations(' || sqlanon._literal(tbl) || ', ' || sqlanon._names(qi) || ', '
            || sqlanon._names(judged) || ', ' || sqlanon._names(sqlanon._counted_with(judged, unit)))[1] || ', '
        || sqlanon._optional(hierarchies) || ', '
        || sqlanon._requirements_text(k, l, entropy_l, recursive_c, alpha, t, t_distance, beta, enhanced_beta, delta_disclosure, k_map, dmin, dmax) || ', '
        || sqlanon._optional(case when t is null then 'none' else t_distance end) || ', ' || coalesce(l::varchar, 'null') || ', '
        || sqlanon._optional(sqlanon._counted_population(population, k_map, dmin, dmax)) || ', ' || sqlanon._optional(reference) || ', '
        || sqlanon._optional(suppressed) || ', ' || sqlanon._boolean_text(released) || ', ' || sqlanon._optional(unit) || ')'
        -- no rows, but an error where a column is not there that no requirement looks at
        || ' union all select null, null, null, null, null, '
        || case when coalesce(unit, sqlanon._counted_population(population, k_map, dmin, dmax)) is null then ''
                else 'null, ' end
        || 'null from sqlanon._roles('
        || sqlanon._literal(tbl) || ', ' || sqlanon._names(qi) || ', ' || sqlanon._names(sensitive) || ', null) where false');

comment on macro table sqlanon.violations is $$
Lists the classes of a table that violate a requirement: one row per class, model and sensitive column. No
rows: it holds.

Parameters:
- tbl, qi: as in classes
- sensitive, hierarchies: as in privacy
- k, l, entropy_l, recursive_c, alpha, t, t_distance, beta, enhanced_beta, delta_disclosure: as in mondrian
- k_map, dmin, dmax, population: as in mondrian
- reference, suppressed, released, unit: as in privacy

Result:
- model, sensitive: as in privacy
- required (number): the value that is required.
- reached (number): that of the class; NULL for a hierarchical t_distance without a hierarchy.
- size (integer, rows): of the class.
- people (integer, people): with unit: of the class; rows without a unit are one person's.
- class (struct): its quasi-identifiers.

Errors: unknown column, empty table, no requirement.

Source: named in sql/models/models.sql, model by model.

Example:
from sqlanon.violations('east', qi := ['age', 'zip'], sensitive := 'disease', k := 3, l := 4);
$$;
