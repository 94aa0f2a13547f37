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
-- cover them, and shrink with them. A piece without rows is no class, and is dropped. So a cut may also leave
-- a part that covers fewer people, unless everybody must be in a class (dmin above 0). A cut is balanced by
-- rows first, then by people.

-- No rows, or an error where the table as one class has too few rows or, with people, does not have the
-- people that are required.
create or replace macro sqlanon._refuse_whole(tuples, requirement, with_people) as table
    with whole as (
        from query(sqlanon._fill($$ select sum(weight) as size, {people} as people from {tuples} $$, map {
            'people': if(with_people, 'sum(people)', 'null::bigint')}))
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

-- An empty text, or an error where parameters do not go together.
create or replace macro sqlanon._mondrian_checked(relaxed, target, unit, terms) as
    case when unit is not null and relaxed and len(terms.judged) > 0
         then error('relaxed := true with a unit allows only the requirement k: two classes with the same '
                    || 'released values are one, in which a person of both counts once')
         when target is not null and relaxed
         then error('target does not go with relaxed := true: a cut is either where it explains most of the '
                    || 'target, or at the median')
         when terms.population is not null and (relaxed or target is not null)
         then error('k_map, dmin and dmax do not go with ' || if(relaxed, 'relaxed := true', 'target')
                    || ': cut at medians, without division')
         else ''
    end;

-- The target as a column that is counted, if it is none that is judged.
create or replace macro sqlanon._counted_target(target, judged, sensitive, keep) as
    case when target is null or list_contains(sqlanon._lower(judged), lower(target)) then []::varchar[]
         when list_contains(sqlanon._lower(sqlanon._list(sensitive) || sqlanon._list(keep)), lower(target))
         then [target]
         else error('target must be one of the columns in sensitive and keep, which are released unchanged, '
                    || 'not "' || target || '"')
    end;

-- Attributes whose spans make widths count by their weights, the heaviest as they are. Widths stay at most 1.
create or replace macro sqlanon._weighed_attributes(attributes, weights) as table
    select * replace (span / (list_extract(weights::double[], d) / list_max(weights::double[])) as span)
    from query_table(attributes);

-- Weights of attributes that are all above 0, checked, or NULL.
create or replace macro sqlanon._weights_above(weights, qi) as
    case when weights is null then null
         when len(weights) <> len(sqlanon._list(qi))
         then error('weights must be as many as the columns in qi, ' || len(sqlanon._list(qi)) || ', not '
                    || len(weights))
         when not list_bool_and(list_transform(weights::double[], lambda weight:
             coalesce(weight > 0 and weight < 'infinity'::double, false)))
         then error('weights must be numbers above 0, not ' || weights::varchar)
         else weights::double[]
    end;

-- How it cuts: the chain, and its own arguments. common: by name, those that all chains that cut have.
create or replace macro sqlanon._cut(common, qi, based_on, suppression_limit) as
    case when based_on is not null then ['_cut_merged', 'qi := ' || sqlanon._names(qi)]
         when suppression_limit > 0
         then ['_cut_without_blamed', 'suppression_limit := ' || suppression_limit::varchar]
         else ['_cut_parts'] end
    || sqlanon._by_name(common);

-- Mondrian, a method of _anonymized. cut: the name of the chain that cuts, and texts of arguments of its own;
-- based_on: the only known release, where classes are to be unions of its classes, or NULL; grows: as in
-- _refuse_other_rows; weights: of attributes, or NULL.
create or replace macro sqlanon._mondrian(
    named, release, qi, judged, hierarchies, population, known, unit, recoding, cut, based_on, grows,
    strata, household, household_qi, k, least, about_values, weights) as table
    with _sqlanon_base_class as materialized (
        from sqlanon._classes_in_base(based_on, named || 'combination', named || 'known_located')
    ),
    -- Everything that is refused once the data are known.
    _sqlanon_refusal as (
        from query(
            'from ' || named || 'emptiness'
            || case when household is null then ''
                    else ' union all ' || {call _refuse_unlike_members: source := named || 'source'} end
            || case when hierarchies is null then ''
                    else ' union all ' || {call _refuse_hierarchies:
                        hierarchies := named || 'hierarchy', sensitive := judged} end
            || case when known is null then ''
                    else ' union all ' || {call _refuse_known:
                        located_targets := named || 'known_located', rows := named || 'known_row',
                        releases := known} end
            || case when based_on is null then ''
                    else ' union all ' || {call _refuse_other_rows:
                        combinations := named || 'combination', base_classes := '_sqlanon_base_class',
                        located_targets := named || 'known_located', rows := named || 'known_row',
                        source := named || 'source'} end
            || case when population is null then ''
                    else ' union all ' || {call _refuse_empty:
                        combinations := named || 'people', tbl := population}
                         || ' union all ' || {call _refuse_ranges:
                             attributes := named || 'attribute', tree := named || 'tree',
                             requirement := named || 'requirement'} end
            || case when len(strata) > 0
                    then ' union all ' || {call _refuse_strata:
                        tuples := named || 'tuple', sensitive_values := named || 'sensitive_value',
                        marginal := named || 'marginal', sensitive_tree := named || 'sensitive_tree',
                        requirement := named || 'requirement', by_unit := unit is not null}
                    when len(judged) = 0 and unit is null then ''
                    else ' union all ' || {call _refuse_infeasible:
                        histogram := named || 'whole', marginal := named || 'marginal',
                        sensitive_tree := named || 'sensitive_tree', requirement := named || 'requirement',
                        sensitive := judged, may_suppress := false, by_unit := unit is not null,
                        from_whole := true} end
            || case when len(strata) + len(judged) + len(sqlanon._list(unit)) > 0 and population is null
                    then ''
                    else ' union all ' || {call _refuse_whole:
                        tuples := named || 'tuple', requirement := named || 'requirement',
                        with_people := population is not null} end)
    ),
    _sqlanon_weighed_attribute as materialized (
        from sqlanon._weighed_attributes(named || 'attribute', weights)
    ),
    _sqlanon_home as materialized (
        from query(if(
            len(household_qi) = 0, 'select null::integer as tuple_id, null::bigint as class_id',
            {call _homes:
                attributes := if(weights is null, named || 'attribute', '_sqlanon_weighed_attribute'),
                tree := sqlanon._if_any(hierarchies, named || 'tree'), by_unit := unit is not null,
                about_values := text(about_values::varchar)}))
    ),
    _sqlanon_home_tuple as materialized (
        from sqlanon._tuples_of_homes(
            named || 'tuple', '_sqlanon_home', sqlanon._strata_codes(household_qi, qi))
    ),
    _sqlanon_cut as materialized (
        from query(sqlanon._call(cut[1], [
            sqlanon._literal(named),
            sqlanon._literal(if(len(household_qi) = 0, named || 'tuple', '_sqlanon_home_tuple')),
            sqlanon._literal(if(weights is null, named || 'attribute', '_sqlanon_weighed_attribute')),
            sqlanon._optional(sqlanon._if_any(hierarchies, named || 'tree')),
            (population is not null)::varchar, (unit is not null)::varchar,
            sqlanon._optional(if(known is null or based_on is not null, null, named || 'composition'))]
            || cut[2:]))
    ),
    _sqlanon_assignment as materialized (
        select tuple_id, class_id, share from _sqlanon_cut
        where {verdicts of size but k joined by and: (
            select coalesce(bool_and(
                case when unit is not null or {required} is null then true
                     when sqlanon._{direction}({reached}, {required}) then true
                     else error('a class of ' || matching || ' rows cannot be cut, and violates {title}: '
                                || {required} || ' is required') end), true)
            from (select sum(share) as matching from _sqlanon_cut group by class_id),
                 query_table(named || 'requirement'))}
    ),
    _sqlanon_label as materialized (
        from query(if(
            len(household_qi) = 0,
            {call _recoded_labels:
                tuples := named || 'tuple', assignment := '_sqlanon_assignment',
                attributes := named || 'attribute', tree := sqlanon._if_any(hierarchies, named || 'tree'),
                texts := named || 'domain_text',
                combinations := text(
                    sqlanon._literal(named || if(population is null, 'combination', 'everybody')))},
            {call _labels_within_homes:
                tuples := named || 'tuple', assignment := '_sqlanon_assignment', homes := '_sqlanon_home',
                attributes := named || 'attribute', tree := sqlanon._if_any(hierarchies, named || 'tree'),
                texts := named || 'domain_text', combinations := named || 'combination'}))
    )
    from query(release);

-- What it runs, as a text, once what can be checked without the data is. floors and bcf_k: of whoever makes
-- releases again (see based_on.sql and confidence.sql); by_value: as in _is_by_code.
create or replace macro sqlanon._mondrian_statement(
    tbl, qi, sensitive, keep, hierarchies, requirements, population, known, presence, based_on,
    suppression_limit, relaxed, target, recoding, seed, unit, strata := null, household := null,
    household_qi := null, weights := null, floors := null, bcf_k := null, by_value := null) as
    sqlanon._checked(qi, sensitive, keep, unit)
    || sqlanon._let(sqlanon._terms(sensitive, population, requirements, known, presence), lambda terms:
        sqlanon._unit_checked(
            unit, terms['population'], if(by_value is null, null, terms['known']))
        || {sqlanon._unit_with_known_checked: known := terms['known']}
        || sqlanon._mondrian_checked(coalesce(relaxed, false), target, unit, terms)
        || sqlanon._based_on_checked(based_on, relaxed, terms['population'], presence)
        || sqlanon._suppression_checked(suppression_limit, based_on, relaxed, terms)
        || sqlanon._strata_checked(strata, qi, terms['population'], terms['known'])
        || sqlanon._households_checked(
            household, household_qi, qi, sensitive, relaxed, terms['population'], terms['known'])
        || sqlanon._let(sqlanon._counted_target(target, terms['judged'], sensitive, keep), lambda also:
            {sqlanon._call_of_anonymized:
                method := '_mondrian', options := map {
                    'recoding': sqlanon._literal(sqlanon._recoding(recoding)),
                    'cut': sqlanon._names_of(sqlanon._cut(
                        map {
                            'k': coalesce(terms['req']['k'], 1)::varchar,
                            'about_values': sqlanon._is_about_values(terms['req'])::varchar,
                            'floors': sqlanon._optional(floors),
                            'relaxed': coalesce(relaxed::boolean, false)::varchar,
                            'strata': sqlanon._names_of(sqlanon._strata_codes(
                                sqlanon._list(strata) || sqlanon._list(household_qi), qi)),
                            'outcome': sqlanon._optional(
                                'c' || list_position(
                                    sqlanon._lower(terms['judged'] || also), lower(target)))},
                        qi, based_on, sqlanon._share(suppression_limit, 'suppression_limit'))),
                    'based_on': sqlanon._optional(based_on), 'grows': (bcf_k is not null)::varchar,
                    'strata': sqlanon._names(strata), 'household': sqlanon._optional(household),
                    'household_qi': sqlanon._names(household_qi),
                    'k': coalesce(terms['req']['k'], 1)::varchar,
                    'least': greatest(terms['req']['k'], terms['req']['l'], 1)::varchar,
                    'about_values': sqlanon._is_about_values(terms['req'])::varchar,
                    'weights': sqlanon._constant(
                        sqlanon._weights_above(weights, qi)::double[])},
                joined := if(by_value is null, sqlanon._list(keep), []::varchar[]),
                with_people := terms['population'] is not null,
                by_value := if(recoding = 'text', by_value, true),
                divided := coalesce(relaxed::boolean, false)}));

create or replace macro sqlanon.mondrian(
    tbl, qi, sensitive := null, keep := null, hierarchies := null,
    {requirements: {id} := {fallback}}, population := null, relaxed := false, target := null,
    recoding := 'text', seed := null, unit := null, known := null, presence := null, based_on := null,
    suppression_limit := 0, strata := null, household := null, household_qi := null,
    weights := null) as table
    from query(sqlanon._released({sqlanon._mondrian_statement:
        requirements := sqlanon._requirements(
            {requirements but composed_l: {id} := {id}},
            composed_l := sqlanon._composed_bound(composed_l, known, based_on)),
        known := if(based_on is null, known, [based_on])}));

comment on macro table sqlanon.mondrian is $$
Releases every row of a table with coarser quasi-identifiers, by multidimensional Mondrian. A class is cut at
the median of the attribute on which it is widest, as long as both halves meet the requirements; rows with the
same values stay together. The order of rows depends only on the released values.

Parameters:
- tbl (table): the raw rows.
- qi (columns): quasi-identifiers: columns that others may know about a person, such as age, postcode and sex;
  they are recoded, that is made coarser.
- sensitive (columns; default null): columns whose values nobody should learn about a person, such as a
  disease; they are released unchanged.
- keep (columns; default null): further columns that are released unchanged. Columns that no parameter names
  are not released.
- hierarchies (table; default null): rows of attribute, value, level and label (the coarser labels of each
  value), as returned by interval_hierarchy, for those columns in qi that have a hierarchy.
{requirements a line each: - {id} ({given}; default {fallback}): {meaning}}
- population (table; default null): everybody who might be in the table, with raw values in qi: for k_map,
  dmin and dmax.
- relaxed (boolean; default false): true: rows with the same values may be divided between two classes, if
  this makes the halves more even. This gives more and smaller classes, which may overlap. With k alone and
  without hierarchies every class has fewer than 2k rows, except where classes with the same released values
  look like one.
- target (column; default null): one of the columns in sensitive and keep. Cuts are made where they explain
  most of it (information gain), so that a classifier for it can be trained on the release.
- recoding (one of text, range; default 'text'): text: [20, 29], {a, b} and labels; range: STRUCT(lo, hi) and
  lists.
- seed (integer; default null): fixes the order of rows and, if relaxed, which class each of several equal
  rows is in. Keep it secret: somebody who knows it may be able to undo the release.
- unit (column; default null): identifies the person of a row, if people can have several rows; all
  requirements then count people. The column is not released.
- known (list of tables; default null): releases that are already published, with the columns in qi and
  sensitive: for composed_l. People are looked for in the classes that cover them, as by locate. A row that no
  class of a known release covers is exempt, also if a label could not be read. unread_labels lists such
  labels; Python and the command line report the number of exempt rows and of unread rows.
- presence (list of columns; default null): boolean columns of tbl, one per known release: true if the row is,
  or may be, in that release. For a release that a row is not in, the row is exempt, even if a class there
  covers it. Without presence, everybody may be in all known releases. The columns are not released.
- based_on (table; default null): an earlier release of the same rows. Every class is a union of classes of
  that release, so both together reveal no more about anybody than the earlier one alone. If rows were added
  or removed since, the call fails.
- suppression_limit (number, 0 to 1; default 0): with composed_l, the share of rows that may be suppressed,
  that is left out: those that prevent most cuts, because the known releases leave only rare values possible
  for them. They are in no class, and composed_l does not apply to them. But classes of others may cover them;
  Python and the command line report for how many of them fewer than composed_l values then seem possible.
- strata (columns; default null): those of the columns in qi within which rows are anonymized, such as a
  region: they are not recoded, and every class is of one stratum, in which it meets the requirements.
- household (column; default null): names the household of each row. Rows of a household leave together or not
  at all. The column is released only if it is in keep.
- household_qi (columns; default null): those of the columns in qi that are about the household, such as its
  size: they are released alike for all members. Requirements count people, and say nothing of a household as
  a whole, which may be the only one with its members' released values: Python and the command line report how
  many are.
- weights (list of numbers, above 0; default null): how much each column in qi is to be spared, in that order;
  if not given, 1 each. A class is cut where its width times the weight is largest, so that columns of more
  weight stay finer, and the others become coarser.

Result:
- <qi> (text or range): a label that contains the values of all rows in the class.
- <sensitive> (unchanged): as in tbl.
- <keep> (unchanged): as in tbl.

Errors: unknown column, empty table, no requirement, a requirement that even the whole table, or a stratum, as
one class does not meet, a value missing in its hierarchy, a hierarchy that is not a tree, a column of another
type in the population.

Notes: relaxed, target and population cannot be combined, nor can unit and population, nor strata or household
with population, known and based_on. unit and relaxed can be combined only if k is the only requirement. With
a unit the requirements hold within each class; there is no guarantee about all classes of a person together.

Source: LeFevre, DeWitt and Ramakrishnan 2006 (Mondrian; Workload-aware anonymization).

Example:
from sqlanon.mondrian('people', qi := ['age', 'zip'], sensitive := 'disease', k := 3, l := 2);
$$;
