-- Mondrian: multidimensional partitioning (LeFevre, DeWitt and Ramakrishnan 2006, sec. 4). This file has
-- the strict form; beside it steps.sql says how a part is cut, relaxed.sql, infogain.sql and
-- composed_cuts.sql what else a cut can be, and suppression.sql who is left out.
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
    from verdict
    where required is not null and not holds and {verdicts of neither joined by and: id <> '{id}'};

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
    source, grows) as table
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
                    sqlanon._literal(source), sqlanon._names(judged), grows::varchar]) end
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
-- looks at; counted: as above, the column that joins known releases, the columns in presence, and the unit;
-- coded: these and, with known releases, the number known; joined: the columns in keep by which known
-- releases are joined; based_on: the only known release, where classes are to be unions of its classes, or
-- NULL; suppression_limit: NULL where nothing may be suppressed; floors: of _mondrian_step, or NULL; by_code:
-- rows are grouped and joined by codes, as nothing that is asked for needs the values of combinations. What
-- only hierarchies, a population, known releases or judged columns need is not mentioned where there are
-- none: DuckDB does not plan a CTE that nobody reads. (Here and wherever a user's table is read in their
-- scope, CTEs have names that no such table has.)
create or replace macro sqlanon._mondrian(
    tbl, qi, sensitive, judged, counted, coded, keep, hierarchies, population, known, joined, presence,
    based_on, grows, suppression_limit, floors, k, req, relaxed, target, recoding, seed, unit, by_code
) as table
    with recursive
    _sqlanon_requirement as materialized (select req as req),
    _sqlanon_known_row as materialized (from sqlanon._known_rows(known, qi, judged, joined)),
    _sqlanon_source as materialized (
        from sqlanon._source_for_known(
            tbl, qi, sensitive || keep || sqlanon._list(unit) || presence, known, '_sqlanon_known_row',
            joined)
    ),
    _sqlanon_hierarchy as materialized (from sqlanon._hierarchies(hierarchies)),
    _sqlanon_known_target as materialized (
        from sqlanon._known_targets(known, '_sqlanon_source', qi, presence)
    ),
    _sqlanon_known_evidence as materialized (
        from sqlanon._known_evidence(known, '_sqlanon_known_target', '_sqlanon_hierarchy', qi, judged)
    ),
    _sqlanon_known_value as materialized (
        from sqlanon._known_values(
            known, '_sqlanon_known_row', '_sqlanon_known_evidence', '_sqlanon_known_target',
            '_sqlanon_source', judged, joined, unit is not null)
    ),
    _sqlanon_leaf as materialized (from sqlanon._leaves('_sqlanon_hierarchy')),
    _sqlanon_domain as materialized (
        from sqlanon._listed_domains('_sqlanon_source', sqlanon._if_any(hierarchies, '_sqlanon_leaf'), qi)
    ),
    _sqlanon_row as materialized (from sqlanon._rows_by_code('_sqlanon_source', '_sqlanon_domain', qi)),
    _sqlanon_combination as materialized (
        from sqlanon._combinations_with_known(
            if(by_code, '_sqlanon_row', '_sqlanon_source'), qi, counted, known, presence,
            '_sqlanon_known_target', '_sqlanon_known_value')
    ),
    _sqlanon_base_class as materialized (
        from sqlanon._classes_in_base(based_on, '_sqlanon_combination', '_sqlanon_known_evidence')
    ),
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
            known, '_sqlanon_known_value', '_sqlanon_combination', '_sqlanon_sensitive_combination', counted,
            judged, '_sqlanon_requirement', unit is not null)
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
            population is not null, by_code)
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
            sqlanon._if_any(based_on, '_sqlanon_source'), grows)
    ),
    _sqlanon_merged_tuple as materialized (
        from sqlanon._merged_tuples(based_on, '_sqlanon_tuple', '_sqlanon_base_class', qi)
    ),
    _sqlanon_trial as (
        from sqlanon._trial_start('_sqlanon_tuple', '_sqlanon_refusal')
        union all
        from sqlanon._trial(
            suppression_limit, '_sqlanon_trial', '_sqlanon_attribute',
            sqlanon._if_any(hierarchies, '_sqlanon_tree'), k, sqlanon._is_about_values(req),
            '_sqlanon_sensitive_value', '_sqlanon_marginal', '_sqlanon_sensitive_tree',
            '_sqlanon_composition', '_sqlanon_requirement', sqlanon._if_any(target, '_sqlanon_outcome'))
    ),
    _sqlanon_blamed as materialized (select tuple_id, blame from _sqlanon_trial where done),
    _sqlanon_unsuppressed_tuple as materialized (
        from sqlanon._unsuppressed_tuples(
            suppression_limit, '_sqlanon_tuple', '_sqlanon_blamed', '_sqlanon_composition',
            '_sqlanon_sensitive_value', '_sqlanon_marginal', '_sqlanon_sensitive_tree',
            '_sqlanon_requirement')
    ),
    _sqlanon_state as (
        from sqlanon._mondrian_start(
            coalesce(sqlanon._if_any(based_on, '_sqlanon_merged_tuple'),
                     sqlanon._if_any(suppression_limit, '_sqlanon_unsuppressed_tuple'), '_sqlanon_tuple'),
            '_sqlanon_refusal')
        union all
        from sqlanon._mondrian_step(
            '_sqlanon_state', '_sqlanon_attribute', sqlanon._if_any(hierarchies, '_sqlanon_tree'), k,
            sqlanon._is_about_values(req), '_sqlanon_sensitive_value', '_sqlanon_marginal',
            '_sqlanon_sensitive_tree', '_sqlanon_requirement', population is not null,
            sqlanon._if_any(target, '_sqlanon_outcome'), relaxed, unit is not null,
            case when based_on is null then sqlanon._if_any(known, '_sqlanon_composition') end, floors)
    ),
    _sqlanon_assignment as materialized (
        select tuple_id, part as class_id, weight as share from _sqlanon_state
        where done and {verdicts of size but k joined by and: (
            select coalesce(bool_and(
                case when unit is not null or {required} is null then true
                     when sqlanon._{direction}({reached}, {required}) then true
                     else error('a class of ' || matching || ' rows cannot be cut, and violates {title}: '
                                || {required} || ' is required') end), true)
            from (select sum(weight) as matching from _sqlanon_state where done group by part),
                 _sqlanon_requirement)}
    ),
    _sqlanon_domain_text as materialized (
        from sqlanon._texts_of_values(
            by_code, '_sqlanon_domain',
            coalesce(sqlanon._if_any(population, '_sqlanon_everybody'), '_sqlanon_combination'), qi)
    ),
    _sqlanon_label as materialized (
        from sqlanon._recoded_labels(
            recoding, '_sqlanon_tuple', '_sqlanon_assignment', '_sqlanon_attribute',
            sqlanon._if_any(hierarchies, '_sqlanon_tree'), '_sqlanon_domain_text',
            coalesce(sqlanon._if_any(population, '_sqlanon_everybody'), '_sqlanon_combination'), qi)
    )
    from sqlanon._release(
        if(by_code, '_sqlanon_row', '_sqlanon_source'), qi, sensitive, keep, '_sqlanon_combination', counted,
        '_sqlanon_assignment', '_sqlanon_label', seed, relaxed, unit);

-- What it runs, as a text, once what can be checked without the data is. floors and bcf_k: of whoever makes
-- releases again (see based_on.sql and sql/attack/composed_confidence.sql); by_value: as in _is_by_code.
create or replace macro sqlanon._mondrian_statement(
    tbl, qi, sensitive, keep, hierarchies, requirements, population, known, presence, based_on,
    suppression_limit, relaxed, target, recoding, seed, unit, floors := null, bcf_k := null,
    by_value := null) as
    sqlanon._checked(qi, sensitive, keep, unit)
    || sqlanon._let(sqlanon._terms(sensitive, population, requirements, known, presence), lambda terms:
        sqlanon._unit_checked(
            unit, terms['population'], if(by_value is null, null, terms['known']))
        || sqlanon._unit_with_known_checked(
            unit, terms['known'], based_on, suppression_limit, target)
        || sqlanon._mondrian_checked(coalesce(relaxed, false), target, unit, terms)
        || sqlanon._based_on_checked(based_on, relaxed, terms['population'], presence)
        || sqlanon._suppression_checked(suppression_limit, based_on, relaxed, terms)
        || sqlanon._call('_mondrian', [
            sqlanon._literal(tbl), sqlanon._names(qi), sqlanon._names(sensitive),
            sqlanon._names(terms['judged']),
            sqlanon._counted_and_coded(
                sqlanon._counted(terms['judged'], sensitive, keep, target)
                    || sqlanon._joining_columns(
                        terms['known'], if(by_value is null, sqlanon._list(keep), []::varchar[]))
                    || terms['presence'] || sqlanon._list(unit), terms['known']),
            sqlanon._names(keep), sqlanon._optional(hierarchies), sqlanon._optional(terms['population']),
            sqlanon._names_if_any(terms['known']),
            sqlanon._names(if(by_value is null, sqlanon._list(keep), []::varchar[])),
            sqlanon._names(terms['presence']),
            sqlanon._optional(based_on), (bcf_k is not null)::varchar,
            sqlanon._optional(nullif(sqlanon._share(suppression_limit, 'suppression_limit'), 0)),
            sqlanon._optional(floors),
            coalesce(terms['req']['k'], 1)::varchar, sqlanon._constant(terms['req']),
            coalesce(relaxed::boolean, false)::varchar, sqlanon._optional(target),
            sqlanon._literal(sqlanon._recoding(recoding)), sqlanon._seed(seed), sqlanon._optional(unit),
            (recoding = 'text' and sqlanon._is_by_code(by_value, terms))::varchar
        ]));

create or replace macro sqlanon.mondrian(
    tbl, qi, sensitive := null, keep := null, hierarchies := null,
    {requirements: {id} := {fallback}}, population := null, relaxed := false, target := null,
    recoding := 'text', seed := null, unit := null, known := null, presence := null, based_on := null,
    suppression_limit := 0) as table
    from query(sqlanon._released(sqlanon._mondrian_statement(
        tbl, qi, sensitive, keep, hierarchies,
        sqlanon._requirements(
            {requirements but composed_l: {id} := {id}},
            composed_l := sqlanon._composed_bound(composed_l, known, based_on)),
        population, if(based_on is null, known, [based_on]), presence, based_on, suppression_limit, relaxed,
        target, recoding, seed, unit)));

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
{requirements a line each: - {id} ({given}; default {fallback}): {meaning}}
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
- presence (list of columns; default null): of tbl, one per known release: true says that a row is, or may be,
  in it. Of a release that a row is not in nothing is asked for it, also where a class there covers it.
  Without presence everybody may be in all. It does not leave.
- based_on (table; default null): an earlier release of the same rows: every class is a union of its classes.
  So the two together tell no more of anybody than the earlier one alone. Refused where rows came or went.
- suppression_limit (number, 0 to 1; default 0): with composed_l, the share of rows that may be suppressed:
  those that refuse most cuts, because known releases leave them rare values alone. Nothing is asked for them,
  which are in no class; but classes of others may cover them, and Python and the command line count those to
  whom the releases then seem to leave fewer values than composed_l.

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
