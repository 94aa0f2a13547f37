-- Mondrian with variables of households: cuts on these come first, so that all members of a household are on
-- the same side of each, and end up in the same part, its home. Then homes are cut on the other attributes,
-- like strata. A class releases of a variable of households what its home spans, and of another attribute
-- what itself does. [own]
--
-- A part is cut on a variable of households as long as that is wide: until its rows are so few that they are
-- needed to cut the other attributes as finely. Each halving of an attribute takes half of the rows.

-- Parts with rows enough: of an attribute that is wider than the widest variable of households, as many
-- halvings are still to come as make it as narrow. extents: as in _mondrian_extents; shared: positions of
-- variables of households; least: rows that a class needs.
create or replace macro sqlanon._extents_with_room(extents, attributes, shared, least) as table
    with measured as (
        select *,
               list_transform(list_zip(los, his, spans), lambda side: (side[2] - side[1]) / side[3]) as widths
        from query_table(extents), (select list(span order by d) as spans from query_table(attributes))
    ),
    compared as (
        select *, list_max(list_transform(shared, lambda position: widths[position])) as width from measured
    )
    select part, size, tried_width, tried, los, his
    from compared
    where width > 0
      and coalesce(list_sum(list_transform(
          list_filter(widths, lambda other, i: other > width and not list_contains(shared, i)),
          lambda other: log2(other / width))), 0) <= log2(size / (2 * least));

-- Cuts, as in _cuts. shared_attributes: attributes, with a span for variables of households alone.
create or replace macro sqlanon._household_cuts(
    state, attributes, shared_attributes, shared, tree, k, least) as table
    with extent as (from sqlanon._mondrian_extents(state, 2 * k)),
    roomy as (from sqlanon._extents_with_room('extent', attributes, shared, least))
    from sqlanon._cuts(
        state, sqlanon._call_of_next_attributes('roomy', shared_attributes, tree, 0),
        {call _halves: choice := 'choice', histogram := 'histogram'}, tree, k);

-- The homes of tuples: tuple_id, class_id. A chain; attributes: as in _cut_parts.
create or replace macro sqlanon._homes(
    named, attributes, qi, household_qi, tree, by_unit, k, least, about_values, strata) as table
    with recursive
    _sqlanon_shared_attribute as materialized (
        select d, name,
               if(list_contains(sqlanon._strata_positions(household_qi, qi), d), span, null) as span
        from query_table(attributes)
    ),
    _sqlanon_state as (
        from sqlanon._mondrian_start(named || 'tuple', named || 'refusal', sqlanon._strata_codes(strata, qi))
        union all
        from {sqlanon._mondrian_step:
            state := '_sqlanon_state',
            cuts := {call _household_cuts:
                state := '_sqlanon_state',
                shared_attributes := '_sqlanon_shared_attribute',
                shared := sqlanon._strata_positions(household_qi, qi)},
            refusals := {sqlanon._calls_of_refusals:
                state := '_sqlanon_state', sensitive_values := named || 'sensitive_value',
                marginal := named || 'marginal', sensitive_tree := named || 'sensitive_tree',
                requirement := named || 'requirement', with_people := false, relaxed := false,
                composition := null, floors := null},
            relaxed := false, with_people := false}
    )
    select tuple_id, part as class_id from _sqlanon_state where done;

-- Tuples that no cut on variables of households separates any more: they have the lowest codes of their home.
-- codes: the columns of these variables. (Homes are apart on one of them, so no two have the same lowest
-- codes.)
create or replace macro sqlanon._tuples_of_homes(tuples, homes, codes) as table
    from query(if(len(codes) = 0, 'from ' || tuples, sqlanon._fill($$
        select tuple.* replace ({replaced})
        from {tuples} as tuple join {homes} using (tuple_id)
        join (select class_id, {lowest} from {tuples} join {homes} using (tuple_id) group by class_id) as home
            using (class_id)
    $$, map {
        'replaced': sqlanon._each(codes, 'home.{c} as {c}', ', '),
        'lowest': sqlanon._each(codes, 'min({c}) as {c}', ', ')})));

-- The text of what replaces labels of a class: those of its home on variables of households.
create or replace macro sqlanon._labels_of_home(shared) as
    list_aggregate(
        list_transform(shared, lambda nth: 'home.v' || nth || ' as v' || nth), 'string_agg', ', ');

-- The labels of classes, with those of their homes on variables of households. A chain; homes: tuple_id,
-- class_id; the others: as in _recoded_labels.
create or replace macro sqlanon._labels_within_homes(
    recoding, tuples, assignment, attributes, tree, texts, combinations, qi, homes, household_qi) as table
    with _sqlanon_class_label as materialized (
        from sqlanon._recoded_labels(
            recoding, tuples, assignment, attributes, tree, texts, combinations, qi)
    ),
    _sqlanon_home_label as materialized (
        from sqlanon._recoded_labels(recoding, tuples, homes, attributes, tree, texts, combinations, qi)
    ),
    _sqlanon_home_of_class as materialized (
        select assigned.class_id, any_value(home.class_id) as home
        from query_table(assignment) as assigned join query_table(homes) as home using (tuple_id)
        group by assigned.class_id
    )
    from query(sqlanon._fill($$
        select label.* replace ({labels})
        from _sqlanon_class_label as label join _sqlanon_home_of_class as of_class using (class_id)
        join _sqlanon_home_label as home on home.class_id = of_class.home
    $$, map {
        'labels': sqlanon._labels_of_home(sqlanon._strata_positions(household_qi, qi))}));
