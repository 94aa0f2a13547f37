-- Mondrian: multidimensional partitioning (LeFevre, DeWitt and Ramakrishnan 2006, sec. 4). This file has
-- the strict form; what else a cut can be is in relaxed.sql, infogain.sql and composed_cuts.sql beside it.
--
-- All rows start in one part. A part is cut on the attribute on which it is widest, relative to the whole
-- domain: at the median where the attribute is ordered, into the children of its lowest common node where
-- it has a hierarchy. A cut that would leave a piece which violates a requirement is not made, and the
-- part's next widest attribute is tried; a part with no attribute left is a class. So no class that could
-- be cut is left whole.
--
-- With a population (k-map, delta-presence) its people are there as tuples without rows, of weight 0: parts
-- cover them, and shrink with them. A piece that nobody of the table is in is no class, and goes; so a part
-- may also be cut to cover fewer people, unless everybody must be in a class (dmin above 0). A cut is
-- balanced by rows first, then by people.
--
-- The state of the algorithm has a row per tuple (a distinct combination of codes, never a record): step,
-- part (a name that is never used twice: the step that made it, times 2^32, plus a number), done,
-- tried_width and tried (the last attribute whose cut failed here; infinity and 0 at first), tuple_id, q1,
-- q2, ..., s, weight and, with a population, people. One step takes a state to the next; the same step
-- serves the single statement (a recursive CTE) and a loop over tables.

-- The state before the first cut, once there is nothing to refuse. refusals: refused, an error raised when
-- it is read; read first, also where there are no tuples.
create or replace macro sqlanon._mondrian_start(tuples, refusals) as table
    select 0 as step, refused::bigint as part, false as done, 'infinity'::double as tried_width, 0 as tried,
           tuple.*
    from (select count(refused) as refused from query_table(refusals))
    left join query_table(tuples) as tuple on true;

-- Where each part would be cut: part, number (from 1), d, width, level (of its common node), cut (the last
-- code of the lower half, or what relaxed.sql has instead; NULL with a hierarchy), first_piece (the pieces
-- of all parts are numbered: a half is first_piece plus 0 or 1, a node first_piece plus node), possible (no
-- piece has fewer than k rows). Numbers come in any order: they are names, and no class depends on them.
-- outcomes: as in infogain.sql, which then chooses attribute and cut; or NULL. composition: as in
-- composed_cuts.sql, which then also cuts beside medians; or NULL.
create or replace macro sqlanon._mondrian_cuts(
    state, attributes, tree, k, with_people, outcomes, relaxed, composition, requirement) as table
    with extent as (from sqlanon._mondrian_extents(state, if(with_people, 0, 2 * k))),
    free_attribute as (
        from query('from ' || attributes || coalesce(' where d not in (select d from ' || tree || ')', ''))
    ),
    widest as (
        from query(sqlanon._call_of_next_attributes(
            'extent', attributes, tree, if(composition is null, 0, 2)))
    ),
    next as (
        from query(
            case when outcomes is not null
                 then sqlanon._call('_next_by_gain', [
                     sqlanon._literal(state), $$'extent'$$, $$'widest'$$, sqlanon._optional(tree),
                     sqlanon._literal(outcomes), k::varchar])
                 when composition is not null
                 then 'from widest union all '
                      || sqlanon._call_of_next_attributes('extent', 'free_attribute', tree, 0)
                      || ' anti join widest using (part)'
                 else 'from widest' end)
    ),
    choice as materialized (
        select *, row_number() over () as number,
               (sum(size) over (rows unbounded preceding) - size)::bigint as base
        from next
    ),
    histogram as (
        select number, list_extract(list_value(*columns('^q\d+$')), d) as code,
               sum(columns('^(weight|people)$'))::bigint as '\0'
        from query_table(state) join choice using (part) where not done group by all
    ),
    piece as (
        from query(
            case when with_people
                 then sqlanon._call('_halves_with_people', [$$'choice'$$, $$'histogram'$$, k::varchar])
                 when relaxed then sqlanon._call('_even_halves', [$$'choice'$$])
                 when outcomes is not null
                 then sqlanon._call('_halves_by_gain', [$$'choice'$$, $$'histogram'$$, k::varchar])
                 when composition is not null
                 then sqlanon._call('_halves_for_known', [
                     $$'choice'$$, $$'histogram'$$, k::varchar, sqlanon._literal(state),
                     sqlanon._literal(composition), sqlanon._literal(requirement)])
                 else sqlanon._call('_halves', [$$'choice'$$, $$'histogram'$$]) end
            || case when tree is null then ''
                    else ' union all ' || sqlanon._call('_children', [
                        $$'choice'$$, $$'histogram'$$, sqlanon._literal(tree)]) end)
    )
    select part, number, d, width, level, cut,
           (sum(pieces) over (rows unbounded preceding) - pieces - first_node)::bigint as first_piece,
           smallest >= k as possible
    from choice join piece using (number);

-- The tuples that are not done, with the cut of their part and the branch that they would take: below or
-- above the cut (0 or 1), or the node. NULLs where there is no cut. relaxed: a tuple may be there twice,
-- with a part of its rows below and a part above.
create or replace macro sqlanon._mondrian_branches(state, cuts, tree, relaxed) as table
    with chosen as (
        select *, list_extract(list_value(*columns('^q\d+$')), d) as code
        from query_table(state) left join query_table(cuts) using (part) where not done
    ),
    branched as (
        from query(
            case when tree is null then 'select *, (code > cut)::integer as branch from chosen'
                 else sqlanon._fill($$
                     select chosen.*, coalesce(below.node, (chosen.code > cut)::integer) as branch
                     from chosen
                     left join {tree} as below
                       on below.d = chosen.d and below.level = chosen.level - 1 and below.code = chosen.code
                 $$, map {'tree': sqlanon._relation(tree)}) end)
    )
    from query(if(relaxed, $$from sqlanon._divided('branched')$$, 'from branched'));

-- The rows of the pieces of possible cuts: class_id, s, n.
create or replace macro sqlanon._mondrian_cells(state, cuts, tree, relaxed) as table
    select number * 4294967296 + branch as class_id, s, sum(weight) as n
    from sqlanon._mondrian_branches(state, cuts, tree, relaxed) where possible and weight > 0 group by all;

-- The numbers of the possible cuts with a piece that violates a requirement on sensitive values, or by_unit
-- one on its people. requirement: one row, req.
create or replace macro sqlanon._mondrian_refused(
    state, cuts, tree, sensitive_values, marginal, sensitive_tree, requirement, relaxed, by_unit) as table
    with cell as (from sqlanon._mondrian_cells(state, cuts, tree, relaxed)),
    histogram as materialized (
        from sqlanon._histograms('cell', sensitive_values, by_unit) where attribute > 0 or by_unit
    )
    select distinct class_id // 4294967296 as number
    from sqlanon._violating('histogram', marginal, sensitive_tree, requirement, by_unit);

-- The same with a piece in which somebody would lose too much together with known releases.
create or replace macro sqlanon._mondrian_refused_for_known(
    state, cuts, tree, composition, requirement, relaxed) as table
    with cell as (from sqlanon._mondrian_cells(state, cuts, tree, relaxed))
    select distinct class_id // 4294967296 as number
    from sqlanon._losing('cell', composition, requirement);

-- The same with a piece that violates one on people, or has people whom no class may leave out.
create or replace macro sqlanon._mondrian_refused_for_people(state, cuts, tree, requirement) as table
    with piece as (
        select number, branch, sum(weight) as size, sum(people) as people
        from sqlanon._mondrian_branches(state, cuts, tree, false) where possible group by all
    )
    select distinct number
    from piece, query_table(requirement) as required
    where case when size > 0
               then not sqlanon._all_hold(sqlanon._class_verdicts(size, size, people, required.req))
               else sqlanon._needs_everybody(required.req) end;

-- One step: every part that is not done is cut in pieces, or marked as tried on one more attribute, or
-- done. about_sensitive: do requirements on sensitive values have a say (then, and only then, histograms of
-- these are made); with_people: those on the people of a population; by_unit: histograms count people (then
-- they are made in any case). composition: what known releases leave, or NULL without any.
create or replace macro sqlanon._mondrian_step(
    state, attributes, tree, k, about_sensitive, sensitive_values, marginal, sensitive_tree, requirement,
    with_people := false, outcomes := null, relaxed := false, by_unit := false,
    composition := null) as table
    with cut as materialized (
        from sqlanon._mondrian_cuts(
            state, attributes, tree, k, with_people, outcomes, relaxed,
            if(with_people or relaxed or outcomes is not null, null, composition), requirement)
    ),
    plan as (
        from query(
            'select *, possible'
            || case when not with_people then ''
                    else ' and number not in (' || sqlanon._call('_mondrian_refused_for_people', [
                        sqlanon._literal(state), $$'cut'$$, sqlanon._optional(tree),
                        sqlanon._literal(requirement)]) || ')' end
            || case when not about_sensitive and not by_unit then ''
                    else ' and number not in (' || sqlanon._call('_mondrian_refused', [
                        sqlanon._literal(state), $$'cut'$$, sqlanon._optional(tree),
                        sqlanon._literal(sensitive_values), sqlanon._literal(marginal),
                        sqlanon._literal(sensitive_tree), sqlanon._literal(requirement), relaxed::varchar,
                        by_unit::varchar]) || ')' end
            || case when composition is null then ''
                    else ' and number not in (' || sqlanon._call('_mondrian_refused_for_known', [
                        sqlanon._literal(state), $$'cut'$$, sqlanon._optional(tree),
                        sqlanon._literal(composition), sqlanon._literal(requirement),
                        relaxed::varchar]) || ')' end
            || ' as legal from cut')
    ),
    made as (select * replace (if(legal, cut, null) as cut) from plan),
    after as (
        select step + 1 as step,
               if(legal, (step + 1) * 4294967296 + first_piece + branch, part) as part,
               d is null as done,
               if(legal, 'infinity', coalesce(width, 0)) as tried_width,
               if(legal, 0, coalesce(d, 0))::integer as tried,
               columns('^(tuple_id|q\d+|s|weight|people)$')
        from sqlanon._mondrian_branches(state, 'made', tree, relaxed)
    )
    from query(if(with_people,
                  'from after where part in (select part from after group by part having sum(weight) > 0)',
                  'from after'));

-- No rows, or an error where the table as one class has too few rows or, with people, does not have the
-- people that are required.
create or replace macro sqlanon._refuse_whole(tuples, requirement, with_people) as table
    with whole as (
        from query(sqlanon._fill($$ select sum(weight) as size, {people} as people from {tuples} $$, map {
            'people': if(with_people, 'sum(people)', 'null::bigint'), 'tuples': tuples}))
    ),
    verdict as (
        select unnest(sqlanon._class_verdicts(size, size, people, required.req), max_depth := 2)
        from whole, query_table(requirement) as required
        where size > 0 and people is distinct from 0  -- an empty relation is refused as such
    )
    select error('no release can meet the requirements'
                 || sqlanon._whole_reaches(reached, model, required)) as refused
    from verdict where required is not null and not holds;

-- No rows, or an error where ranges of values may cover people of other classes: from the lowest value of a
-- node to its highest there may be others.
create or replace macro sqlanon._refuse_ranges(attributes, tree, requirement, recoding) as table
    select error('dmin with the hierarchy of column ' || name
                 || ' needs recoding := ''text'': a range may cover people of other classes') as refused
    from query_table(attributes), query_table(requirement)
    where recoding = 'range' and req.dmin is not null and d in (select d from query_table(tree));

-- Everything that Mondrian refuses once it knows the data: no rows, or an error. Relations are NULL where
-- there is no hierarchy, no population, nothing judged and no unit, no known release, or no earlier one.
create or replace macro sqlanon._mondrian_refusals(
    tbl, qi, judged, population, recoding, by_unit, requirement, combinations, tuples, hierarchies, people,
    attributes, tree, whole, marginal, sensitive_tree, known, known_evidence, based_on, base_classes,
    source) as table
    from query(
        sqlanon._call('_refuse_empty', [sqlanon._literal(combinations), sqlanon._literal(tbl)])
        || case when hierarchies is null then ''
                else ' union all ' || sqlanon._call('_refuse_hierarchies', [
                    sqlanon._literal(hierarchies), sqlanon._names(qi), sqlanon._names(judged)]) end
        || case when known is null then ''
                else ' union all ' || sqlanon._call('_refuse_known', [
                    sqlanon._literal(known_evidence), sqlanon._names(known)]) end
        || case when based_on is null then ''
                else ' union all ' || sqlanon._call('_refuse_other_rows', [
                    sqlanon._literal(based_on), sqlanon._literal(combinations),
                    sqlanon._literal(base_classes), sqlanon._literal(known_evidence),
                    sqlanon._literal(source), sqlanon._names(judged)]) end
        || case when population is null then ''
                else ' union all ' || sqlanon._call('_refuse_empty', [
                         sqlanon._literal(people), sqlanon._literal(population)])
                     || ' union all ' || sqlanon._call('_refuse_ranges', [
                         sqlanon._literal(attributes), sqlanon._literal(tree), sqlanon._literal(requirement),
                         sqlanon._literal(recoding)]) end
        || case when whole is null then ''
                else ' union all ' || sqlanon._call('_refuse_infeasible', [
                    sqlanon._literal(whole), sqlanon._literal(marginal), sqlanon._literal(sensitive_tree),
                    sqlanon._literal(requirement), sqlanon._names(judged), 'false', by_unit::varchar,
                    'true']) end
        || case when whole is not null and population is null then ''
                else ' union all ' || sqlanon._call('_refuse_whole', [
                    sqlanon._literal(tuples), sqlanon._literal(requirement),
                    (population is not null)::varchar]) end);

-- An empty text, or an error where parameters do not go together.
create or replace macro sqlanon._mondrian_checked(relaxed, target, unit, terms) as
    case when unit is not null and relaxed and len(terms.judged) > 0
         then error('relaxed := true with a unit takes no requirement but k: two classes with the same '
                    || 'released values are one, in which whoever is in both counts once')
         when target is not null and relaxed
         then error('target does not go with relaxed := true: a cut is where it tells most of the target, or '
                    || 'in the middle')
         when terms.population is not null and (relaxed or target is not null)
         then error('k_map, dmin and dmax do not go with ' || if(relaxed, 'relaxed := true', 'target')
                    || ': cut at medians, without division')
         else ''
    end;

-- The columns whose values are counted with the quasi-identifiers: those that the requirements look at, and
-- the target.
create or replace macro sqlanon._counted(judged, sensitive, keep, target) as
    case when target is null or list_contains(sqlanon._lower(judged), lower(target)) then judged
         when list_contains(sqlanon._lower(sqlanon._list(sensitive) || sqlanon._list(keep)), lower(target))
         then judged || [target]
         else error('target must be one of the columns in sensitive and keep, which leave unchanged, not "'
                    || target || '"')
    end;

-- Mondrian from the first relation to the release, in one statement. judged: the sensitive columns that req
-- looks at; counted: as above; coded: these and, with known releases, the number known; based_on: the only
-- known release, where classes are to be unions of its classes, or NULL. What only
-- hierarchies, a population, known releases or judged columns need is not mentioned where there are none:
-- DuckDB does not plan a CTE that nobody reads. (Here and wherever a user's table is read in their scope,
-- CTEs have names that no such table has.)
create or replace macro sqlanon._mondrian(
    tbl, qi, sensitive, judged, counted, coded, keep, hierarchies, population, known, based_on, k, req,
    relaxed, target,
    recoding, seed, unit) as table
    with recursive
    _sqlanon_requirement as materialized (select req as req),
    _sqlanon_source as materialized (from sqlanon._source(tbl, qi, sensitive || keep || sqlanon._list(unit))),
    _sqlanon_hierarchy as materialized (from sqlanon._hierarchies(hierarchies)),
    _sqlanon_known_target as materialized (from sqlanon._known_targets(known, '_sqlanon_source', qi)),
    _sqlanon_known_evidence as materialized (
        from sqlanon._known_evidence(known, '_sqlanon_known_target', '_sqlanon_hierarchy', qi, judged)
    ),
    _sqlanon_known_value as materialized (
        from sqlanon._known_values(
            known, '_sqlanon_known_evidence', '_sqlanon_known_target', '_sqlanon_source', judged)
    ),
    _sqlanon_combination as materialized (
        from sqlanon._combinations_with_known(
            '_sqlanon_source', qi, counted, known, '_sqlanon_known_target', '_sqlanon_known_value')
    ),
    _sqlanon_base_class as materialized (
        from sqlanon._classes_in_base(
            based_on, '_sqlanon_combination', '_sqlanon_known_target', '_sqlanon_known_evidence', qi)
    ),
    _sqlanon_leaf as materialized (from sqlanon._leaves('_sqlanon_hierarchy')),
    _sqlanon_sensitive_combination as materialized (
        from sqlanon._sensitive_combinations('_sqlanon_combination', coded)
    ),
    _sqlanon_outcome as materialized (
        from sqlanon._outcomes('_sqlanon_sensitive_combination', counted, target)
    ),
    _sqlanon_sensitive_value as materialized (
        from sqlanon._sensitive_values(
            '_sqlanon_sensitive_combination', judged, sqlanon._if_any(unit, counted))
    ),
    _sqlanon_composition as materialized (
        from sqlanon._composition(
            known, '_sqlanon_known_value', '_sqlanon_sensitive_combination', '_sqlanon_sensitive_value',
            counted)
    ),
    _sqlanon_people as materialized (
        from sqlanon._people_of_population(population, '_sqlanon_combination', qi)
    ),
    _sqlanon_everybody as materialized (
        from sqlanon._everybody('_sqlanon_combination', '_sqlanon_people', qi, coded)
    ),
    _sqlanon_tuple as materialized (
        from sqlanon._tuples(
            coalesce(sqlanon._if_any(population, '_sqlanon_everybody'), '_sqlanon_combination'),
            '_sqlanon_sensitive_combination', sqlanon._if_any(hierarchies, '_sqlanon_leaf'), qi, coded,
            population is not null)
    ),
    _sqlanon_attribute as materialized (
        from sqlanon._attributes('_sqlanon_tuple', sqlanon._if_any(hierarchies, '_sqlanon_leaf'), qi)
    ),
    _sqlanon_tree as materialized (from sqlanon._attribute_tree('_sqlanon_hierarchy', '_sqlanon_attribute')),
    _sqlanon_sensitive_tree as materialized (
        from sqlanon._sensitive_tree('_sqlanon_sensitive_value', judged, '_sqlanon_hierarchy')
    ),
    _sqlanon_whole as materialized (
        from sqlanon._whole('_sqlanon_tuple', '_sqlanon_sensitive_value', unit is not null)
    ),
    _sqlanon_marginal as materialized (from sqlanon._marginal('_sqlanon_whole', unit is not null)),
    _sqlanon_refusal as (
        from sqlanon._mondrian_refusals(
            tbl, qi, judged, population, recoding, unit is not null, '_sqlanon_requirement',
            '_sqlanon_combination', '_sqlanon_tuple', sqlanon._if_any(hierarchies, '_sqlanon_hierarchy'),
            sqlanon._if_any(population, '_sqlanon_people'), sqlanon._if_any(population, '_sqlanon_attribute'),
            sqlanon._if_any(population, '_sqlanon_tree'),
            if(len(judged) > 0 or unit is not null, '_sqlanon_whole', null),
            if(len(judged) > 0 or unit is not null, '_sqlanon_marginal', null),
            if(len(judged) > 0 or unit is not null, '_sqlanon_sensitive_tree', null), known,
            '_sqlanon_known_evidence', based_on, sqlanon._if_any(based_on, '_sqlanon_base_class'),
            sqlanon._if_any(based_on, '_sqlanon_source'))
    ),
    _sqlanon_merged_tuple as materialized (
        from sqlanon._merged_tuples(based_on, '_sqlanon_tuple', '_sqlanon_base_class', qi)
    ),
    _sqlanon_state as (
        from sqlanon._mondrian_start(
            coalesce(sqlanon._if_any(based_on, '_sqlanon_merged_tuple'), '_sqlanon_tuple'),
            '_sqlanon_refusal')
        union all
        from sqlanon._mondrian_step(
            '_sqlanon_state', '_sqlanon_attribute', sqlanon._if_any(hierarchies, '_sqlanon_tree'), k,
            sqlanon._is_about_values(req), '_sqlanon_sensitive_value', '_sqlanon_marginal',
            '_sqlanon_sensitive_tree', '_sqlanon_requirement', population is not null,
            sqlanon._if_any(target, '_sqlanon_outcome'), relaxed, unit is not null,
            case when based_on is null then sqlanon._if_any(known, '_sqlanon_composition') end)
    ),
    _sqlanon_assignment as materialized (
        select tuple_id, part as class_id, weight as share from _sqlanon_state where done
    ),
    _sqlanon_node_label as materialized (
        from sqlanon._node_labels(
            '_sqlanon_tuple', '_sqlanon_assignment', '_sqlanon_attribute', '_sqlanon_tree')
    )
    from sqlanon._release(
        '_sqlanon_source', qi, sensitive, keep, '_sqlanon_combination', counted, '_sqlanon_assignment',
        sqlanon._if_any(hierarchies, '_sqlanon_node_label'), recoding, seed,
        sqlanon._if_any(population, '_sqlanon_everybody'), relaxed, unit);

-- What it runs, as a text, once what can be checked without the data is.
create or replace macro sqlanon._mondrian_statement(
    tbl, qi, sensitive, keep, hierarchies, requirements, population, known, based_on, relaxed, target,
    recoding, seed, unit) as
    sqlanon._checked(qi, sensitive, keep, unit)
    || sqlanon._let(sqlanon._terms(sensitive, population, requirements, known), lambda terms:
        sqlanon._unit_checked(unit, terms['population'], terms['known'])
        || sqlanon._mondrian_checked(coalesce(relaxed, false), target, unit, terms)
        || sqlanon._based_on_checked(based_on, relaxed, terms['population'])
        || sqlanon._call('_mondrian', [
            sqlanon._literal(tbl), sqlanon._names(qi), sqlanon._names(sensitive),
            sqlanon._names(terms['judged']),
            sqlanon._let(
                sqlanon._counted_with(sqlanon._counted(terms['judged'], sensitive, keep, target), unit),
                lambda counted: sqlanon._counted_and_coded(counted, terms['known'])),
            sqlanon._names(keep), sqlanon._optional(hierarchies), sqlanon._optional(terms['population']),
            sqlanon._names_if_any(terms['known']), sqlanon._optional(based_on),
            coalesce(terms['req']['k'], 1)::varchar, sqlanon._constant(terms['req']),
            coalesce(relaxed::boolean, false)::varchar, sqlanon._optional(target),
            sqlanon._literal(sqlanon._recoding(recoding)), sqlanon._seed(seed), sqlanon._optional(unit)]));

create or replace macro sqlanon.mondrian(
    tbl, qi, sensitive := null, keep := null, hierarchies := null,
    k := null, l := null, entropy_l := null, recursive_c := null, alpha := null, t := null,
    t_distance := 'equal', beta := null, enhanced_beta := null, delta_disclosure := null, k_map := null,
    dmin := null, dmax := null, safety_c := null, safety_k := null, population := null, relaxed := false,
    target := null, recoding := 'text', seed := null, unit := null, known := null,
    composed_l := null, based_on := null) as table
    from query(sqlanon._mondrian_statement(
        tbl, qi, sensitive, keep, hierarchies,
        sqlanon._requirements(k, l, entropy_l, recursive_c, alpha, t, t_distance, beta, enhanced_beta,
                              delta_disclosure, k_map, dmin, dmax, safety_c, safety_k,
                              sqlanon._composed_bound(composed_l, known, based_on)),
        population, if(based_on is null, known, [based_on]), based_on, relaxed, target, recoding, seed,
        unit));

comment on macro table sqlanon.mondrian is $$
Releases every row of a table with its quasi-identifiers recoded, by multidimensional Mondrian. A class is cut
at the median of the attribute on which it is widest, as long as both halves meet the requirements; rows with
the same values stay together. Rows come in an order that depends on nothing but the released values.

Parameters:
- tbl (table): the raw rows.
- qi (columns): quasi-identifiers, by which somebody could be recognized; they are recoded.
- sensitive (columns; default null): columns that must not be tied to a person; they leave unchanged.
- keep (columns; default null): further columns that leave unchanged; what nobody names does not leave.
- hierarchies (table; default null): rows of attribute, value, level and label, as interval_hierarchy gives
  them, for those columns in qi that have a hierarchy.
- k (integer, at least 1; default null): k-anonymity: the least number of rows in a class.
- l (integer, at least 1; default null): distinct l-diversity: the least number of sensitive values in a
  class; also the l of recursive_c.
- entropy_l (number, at least 1; default null): entropy l-diversity: the least exp(entropy) of the sensitive
  values.
- recursive_c (number, above 0; default null): recursive (c, l)-diversity, with l: the most frequent sensitive
  value is rarer than c times the l-th and all rarer ones together.
- alpha (number, above 0 and at most 1; default null): (alpha, k)-anonymity: the largest share of a sensitive
  value.
- t (number, 0 to 1; default null): t-closeness: the largest distance of a class's sensitive values from all
  of them.
- t_distance (one of equal, ordered, hierarchical; default 'equal'): how far two sensitive values are apart
  for t.
- beta (number, above 0; default null): basic beta-likeness: the largest relative gain of a value's share.
- enhanced_beta (number, above 0; default null): enhanced beta-likeness: the same, also bounded by -ln of the
  share.
- delta_disclosure (number, above 0; default null): delta-disclosure: the bound of |ln(share in the class /
  share)|.
- k_map (integer, at least 1; default null): k-map: how many of the population a class's released values
  cover, at least.
- dmin (number, 0 to 1; default null): delta-presence: of the people whom a class's released values cover, the
  least share who are in the table. Above 0, everybody in the population is in a class.
- dmax (number, 0 to 1; default null): delta-presence: the largest such share.
- safety_c (number, above 0 and at most 1; default null): (c, k)-safety, with safety_k: how sure of a
  sensitive value anybody can be stays below this, whatever k implications they know (background_knowledge).
  That is about all classes together: each is made so that it holds whatever the others are.
- safety_k (integer, 0 to 10; default null): how many pieces of background knowledge that is.
- population (table; default null): everybody who might be in the table, with raw columns in qi: for k_map,
  dmin and dmax.
- relaxed (boolean; default false): true divides rows with the same values where that makes halves even: more
  and smaller classes, which may overlap. With k alone and without hierarchies every class has fewer than 2k
  rows, except where classes with the same released values look like one.
- target (column; default null): one of the columns in sensitive and keep; cuts are made where they tell most
  about it (information gain), so that a classifier of it can be learned from the release.
- recoding (one of text, range; default 'text'): [20, 29], {a, b} and labels; or STRUCT(lo, hi) and lists.
- seed (integer; default null): fixes the order of rows and, if relaxed, which of equal rows go where. Who
  knows it may undo the release: keep it to yourself.
- unit (column; default null): says whose a row is, where people have several; all requirements then count
  people. It does not leave.
- known (list of tables; default null): releases that are out already, with the columns in qi and sensitive:
  for composed_l. People are found in the classes that cover them, as by locate. Nothing is asked for a row
  that none covers, be it that nobody understands its label: unread_labels tells of these, and Python and the
  command line count both.
- composed_l (integer, at least 1; default null): composed l-diversity: how many sensitive values the known
  releases and this one together leave everybody at least, or as many as the known ones alone leave. A class
  none of whose medians it allows is cut elsewhere, where that can be (not if relaxed, or with a target).
- based_on (table; default null): an earlier release of the same rows: every class is a union of its classes.
  So the two together tell no more of anybody than the earlier one alone. Refused where rows came or went.

Result:
- <qi> (text or range): what covers all values of the class.
- <sensitive> (unchanged): as it was.
- <keep> (unchanged): as it was.

Errors: unknown column, empty table, no requirement, a requirement that even the whole table as one class does
not meet, a value missing in its hierarchy, a hierarchy that is not a tree, a column of another type in the
population.

Notes: relaxed, target and population do not go together, nor do unit and population; unit goes with relaxed
only if nothing but k is required. With a unit the requirements hold within each class; nothing is promised
about the union of a person's classes.

Source: LeFevre, DeWitt and Ramakrishnan 2006 (Mondrian; Workload-aware anonymization).

Example:
from sqlanon.mondrian('people', qi := ['age', 'zip'], sensitive := 'disease', k := 3, l := 2);
$$;
