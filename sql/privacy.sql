-- What a table would disclose: its equivalence classes, the value that every privacy model reaches on them, and the
-- classes that violate a requirement.
--
-- The measures of a class depend on its histogram of sensitive values alone, and most classes share theirs with others:
-- they are computed once per distinct histogram, and joined back.

create or replace macro sqlanon.classes(tbl, qi) as table
    from query(
        sqlanon._select(qi, null, null)
        || 'row_number() over (order by ' || sqlanon._each(qi, '{c} nulls first', ', ') || ') as class_id, * from ('
        || 'select ' || sqlanon._each(qi, 'src.{c}', ', ') || ', count(*) as size'
        || ' from ' || sqlanon._projected(tbl, qi, null, null) || ' as src group by ' || sqlanon._each(qi, 'src.{c}', ', ') || ')');

comment on macro table sqlanon.classes is
    'The equivalence classes of a table: one row per distinct combination of the columns in qi, with class_id, those columns and size (rows). NULL is a value of its own, as in GROUP BY. Source: Ganta, Kasiviswanathan and Smith 2008, Def. 2.';

-- One row per class: q1, q2, ..., size, and its histogram as a sorted list of s * 2^32 + n, which names it among all others.
create or replace macro sqlanon._classes(combinations, sensitive_combinations, qi, sensitive) as table
    from query(
        'select ' || sqlanon._each(qi, 'q{i}', ', ') || ', sum(n)::bigint as size, list_sort(list(s * 4294967296 + n)) as histogram'
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

-- One row per model, sensitive attribute and distinct histogram: what is required, reached, and whether it holds.
-- requirement: one row, req.
create or replace macro sqlanon._assessment(classes, sensitive_values, sensitive, hierarchies, requirement, distances, at_l) as table
    with distinct_histogram as materialized (
        select row_number() over () as class_id, histogram, count(*) as copies from query_table(classes) group by histogram
    ),
    cell as (select class_id, copies, unnest(histogram) as packed from distinct_histogram),
    histogram as materialized (
        select class_id, attribute, code, sum(packed % 4294967296) as n, any_value(copies) as copies
        from cell join query_table(sensitive_values) as v on v.s = packed // 4294967296
        group by class_id, attribute, code
    ),
    all_rows as (select attribute, code, sum(n * copies) as n from histogram group by all),
    marginal as materialized (from sqlanon._marginal('all_rows')),
    tree as materialized (from sqlanon._sensitive_tree(sensitive_values, sensitive, hierarchies)),
    measured as (from sqlanon._measures('histogram', 'marginal', 'tree', distances, at_l)),
    judged as (
        select class_id, attribute, sqlanon._verdicts(measured, required.req) as verdicts
        from measured, query_table(requirement) as required
    ),
    verdict as (
        select class_id, attribute, unnest(range(len(verdicts))) as rank, unnest(verdicts, max_depth := 2) from judged
    )
    select histogram, attribute, rank, sqlanon._list(sensitive)[attribute] as sensitive_column, model, required, reached, holds, more_is_better
    from verdict join distinct_histogram using (class_id)
    where (attribute = 0) = (model = 'k-anonymity');

-- A relation of hierarchies, or none: hierarchies is the name of a table, or NULL.
create or replace macro sqlanon._hierarchies(hierarchies) as table
    from query(case when hierarchies is null
                    then 'select null::varchar as attribute, null::varchar as value, null::integer as level, null::varchar as label where false'
                    else 'from ' || sqlanon._relation(hierarchies) end);

-- The classes under the user's names: histogram, size, class (a struct of the quasi-identifiers' values).
create or replace macro sqlanon._named_classes(classes, qi) as table
    from query('select histogram, size, {' || sqlanon._each(qi, '{s}: q{i}', ', ') || '} as class from ' || classes);

create or replace macro sqlanon._privacy(tbl, qi, sensitive, hierarchies, l) as table
    with _sqlanon_combination as materialized (from sqlanon._combinations(tbl, qi, sensitive)),
    _sqlanon_hierarchy as materialized (from sqlanon._hierarchies(hierarchies)),
    _sqlanon_sensitive_combination as materialized (from sqlanon._sensitive_combinations('_sqlanon_combination', sensitive)),
    _sqlanon_sensitive_value as materialized (from sqlanon._sensitive_values('_sqlanon_sensitive_combination', sensitive)),
    _sqlanon_class as materialized (from sqlanon._classes('_sqlanon_combination', '_sqlanon_sensitive_combination', qi, sensitive)),
    _sqlanon_requirement as materialized (
        select sqlanon._requirements(null, l, null, null, null, null, 'equal', null, null, null) as req
    ),
    _sqlanon_assessment as (
        from sqlanon._assessment('_sqlanon_class', '_sqlanon_sensitive_value', sensitive, '_sqlanon_hierarchy', '_sqlanon_requirement',
                                 ['ordered', 'hierarchical'], l)
    ),
    _sqlanon_worst as (
        select rank, model, attribute, sensitive_column,
               arg_min({'reached': reached, 'histogram': histogram},
                       {'badness': case when more_is_better then reached else -reached end, 'histogram': histogram}) as found
        from _sqlanon_assessment where reached is not null group by all
    ),
    _sqlanon_example as (
        select rank, model, attribute, sensitive_column, any_value(found.reached) as reached,
               arg_min(size, class) as size, min(class) as class
        from _sqlanon_worst join sqlanon._named_classes('_sqlanon_class', qi) as named on named.histogram = found.histogram
        group by rank, model, attribute, sensitive_column
        order by rank, attribute
    )
    select model, sensitive_column as sensitive, reached, size, class from _sqlanon_example
    union all
    select refused, null, null, null, null
    from (from sqlanon._refuse_empty('_sqlanon_combination', tbl)
          union all from sqlanon._refuse_hierarchies('_sqlanon_hierarchy', null, sensitive));

create or replace macro sqlanon.privacy(tbl, qi, sensitive := null, hierarchies := null, l := 2) as table
    from query(
        sqlanon._checked(qi, sensitive, null) || 'from sqlanon._privacy(' || sqlanon._literal(tbl) || ', ' || sqlanon._names(qi) || ', '
        || sqlanon._names(sensitive) || ', ' || sqlanon._optional(hierarchies) || ', ' || coalesce(l::varchar, 'null') || ')');

comment on macro table sqlanon.privacy is
    'What a table reaches: one row per privacy model and sensitive column, with model, sensitive, reached (the value of the worst class), size (its rows) and class (its quasi-identifiers). Models: k-anonymity, distinct, entropy and recursive (c, l)-diversity (the c below which it fails, at the l given), (alpha, k)-anonymity, t-closeness with the equal, ordered and (for columns in hierarchies) hierarchical distance, basic and enhanced beta-likeness, delta-disclosure. hierarchies: the name of a table (attribute, value, level, label). Errors: unknown column, empty table. Sources: see sql/models.sql.';

create or replace macro sqlanon._violations(tbl, qi, sensitive, hierarchies, req, t_distance, l) as table
    with _sqlanon_combination as materialized (from sqlanon._combinations(tbl, qi, sensitive)),
    _sqlanon_hierarchy as materialized (from sqlanon._hierarchies(hierarchies)),
    _sqlanon_sensitive_combination as materialized (from sqlanon._sensitive_combinations('_sqlanon_combination', sensitive)),
    _sqlanon_sensitive_value as materialized (from sqlanon._sensitive_values('_sqlanon_sensitive_combination', sensitive)),
    _sqlanon_class as materialized (from sqlanon._classes('_sqlanon_combination', '_sqlanon_sensitive_combination', qi, sensitive)),
    _sqlanon_requirement as materialized (select req as req),
    _sqlanon_assessment as (
        from sqlanon._assessment('_sqlanon_class', '_sqlanon_sensitive_value', sensitive, '_sqlanon_hierarchy', '_sqlanon_requirement', [t_distance], l)
    )
    select model, sensitive_column as sensitive, required, reached, size, class
    from _sqlanon_assessment join sqlanon._named_classes('_sqlanon_class', qi) as named using (histogram)
    where required is not null and not coalesce(holds, false)
    union all
    select refused, null, null, null, null, null
    from (from sqlanon._refuse_empty('_sqlanon_combination', tbl)
          union all from sqlanon._refuse_hierarchies('_sqlanon_hierarchy', null, sensitive))
    order by 1, 2, 5, 6;

create or replace macro sqlanon.violations(
    tbl, qi, sensitive := null, hierarchies := null,
    k := null, l := null, entropy_l := null, recursive_c := null, alpha := null, t := null, t_distance := 'equal',
    beta := null, enhanced_beta := null, delta_disclosure := null) as table
    from query(
        sqlanon._checked(qi, sensitive, null) || 'from sqlanon._violations(' || sqlanon._literal(tbl) || ', ' || sqlanon._names(qi) || ', '
        || sqlanon._names(sqlanon._judged(sensitive, k, l, entropy_l, recursive_c, alpha, t, beta, enhanced_beta, delta_disclosure)) || ', '
        || sqlanon._optional(hierarchies) || ', '
        || sqlanon._requirements_text(k, l, entropy_l, recursive_c, alpha, t, t_distance, beta, enhanced_beta, delta_disclosure) || ', '
        || sqlanon._optional(case when t is null then 'none' else t_distance end) || ', ' || coalesce(l::varchar, 'null') || ')');

comment on macro table sqlanon.violations is
    'The classes of a table that violate a requirement: one row per class, model and sensitive column, with model, sensitive, required, reached, size and class. No rows: it holds. Parameters as in mondrian; at least one requirement. A t_distance of hierarchical for a column without a hierarchy is a violation with nothing reached.';
