-- The steps of Mondrian: from the whole table as one part to parts that nothing can cut.
--
-- The state of the algorithm has a row per tuple (a distinct combination of codes, never a record): step,
-- part (a name that is never used twice: the step that made it, times 2^32, plus a number), done,
-- tried_width and tried (the last attribute whose cut failed here; infinity and 0 at first), tuple_id, q1,
-- q2, ..., s, weight and, with a population, people. One step takes a state to the next; the same step
-- serves the single statement (a recursive CTE) and a loop over tables.

-- The state before the first cut, once there is nothing to refuse. refusals: refused, an error raised when
-- it is read; read first, also where there are no tuples. strata: columns of the tuples; those of a stratum
-- begin as one part.
create or replace macro sqlanon._mondrian_start(tuples, refusals, strata := []::varchar[]) as table
    select 0 as step, (refused + coalesce(stratum, 0))::bigint as part, false as done,
           'infinity'::double as tried_width, 0 as tried, placed.* exclude (stratum)
    from (select count(refused) as refused from query_table(refusals))
    left join sqlanon._tuples_in_strata(tuples, strata) as placed on true;

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

-- The numbers of the cuts with a piece that violates a requirement on sensitive values, or by_unit one on its
-- people. histogram: of the pieces. requirement: one row, req.
create or replace macro sqlanon._cuts_violating(
    histogram, marginal, sensitive_tree, requirement, by_unit) as table
    select distinct class_id // 4294967296 as number
    from sqlanon._violating(histogram, marginal, sensitive_tree, requirement, by_unit);

-- The numbers of such cuts, from the cells of pieces.
create or replace macro sqlanon._cuts_with_violations(
    cells, sensitive_values, marginal, sensitive_tree, requirement, by_unit) as table
    with histogram as materialized (
        from sqlanon._histograms(cells, sensitive_values, by_unit) where attribute > 0 or by_unit
    )
    from sqlanon._cuts_violating('histogram', marginal, sensitive_tree, requirement, by_unit);

-- The numbers of such cuts among the possible ones of a state.
create or replace macro sqlanon._mondrian_refused(
    state, cuts, tree, sensitive_values, marginal, sensitive_tree, requirement, relaxed, by_unit) as table
    with cell as (from sqlanon._mondrian_cells(state, cuts, tree, relaxed))
    from {sqlanon._cuts_with_violations: cells := 'cell'};

-- The numbers of cuts with a piece in which somebody would lose too much together with known releases.
create or replace macro sqlanon._mondrian_refused_for_known(
    state, cuts, tree, composition, requirement, relaxed, by_unit) as table
    with cell as (from sqlanon._mondrian_cells(state, cuts, tree, relaxed))
    select distinct class_id // 4294967296 as number
    from sqlanon._losing('cell', composition, requirement, by_unit);

-- The numbers of cuts with a piece that has fewer rows than one of its tuples needs. floors: tuple_id, floor.
create or replace macro sqlanon._mondrian_refused_for_floors(state, cuts, tree, floors, relaxed) as table
    select distinct number
    from (
        select number
        from sqlanon._mondrian_branches(state, cuts, tree, relaxed)
        left join query_table(floors) using (tuple_id)
        where possible group by number, branch having sum(weight) < max(floor)
    );

-- The state after a step. branches: tuples as above, and whether the cut of their part is legal.
create or replace macro sqlanon._mondrian_after(branches) as table
    select step + 1 as step,
           if(legal, (step + 1) * 4294967296 + first_piece + branch, part) as part,
           d is null as done,
           if(legal, 'infinity', coalesce(width, 0)) as tried_width,
           if(legal, 0, coalesce(d, 0))::integer as tried,
           columns('^(tuple_id|q\d+|s|weight|people|blame)$')
    from query_table(branches);

-- The query of where the parts of a state are cut, in the form that goes with what is required.
create or replace macro sqlanon._call_of_cuts(
    state, attributes, tree, k, with_people, by_unit, relaxed, outcomes, composition, requirement) as
    case when with_people then {call _cuts_with_people}
         when relaxed then {call _cuts_in_the_middle}
         when outcomes is not null then {call _cuts_by_gain}
         when composition is not null and not by_unit then {call _cuts_for_known}
         else {call _cuts_at_medians} end;

-- Queries of the numbers of cuts that are not made, of the relation cut: one per kind of requirement.
-- Histograms are made only about_values (requirements on sensitive values) and by_unit. composition: what
-- known releases leave, or NULL without any. floors: how large the class of a tuple must be, or NULL.
create or replace macro sqlanon._calls_of_refusals(
    state, tree, about_values, sensitive_values, marginal, sensitive_tree, requirement, with_people, by_unit,
    relaxed, composition, floors) as
    list_filter([
        case when with_people then {call _mondrian_refused_for_people: cuts := 'cut'} end,
        case when about_values or by_unit then {call _mondrian_refused: cuts := 'cut'} end,
        case when composition is not null then {call _mondrian_refused_for_known: cuts := 'cut'} end,
        case when floors is not null then {call _mondrian_refused_for_floors: cuts := 'cut'} end
    ], lambda query: query is not null);

-- One step, to the state after it (step, part, done, tried_width, tried, tuple_id, q1, q2, ..., s, weight):
-- every part that is not done is cut in pieces, or marked as tried on one more attribute, or done. cuts: a
-- query as in _call_of_cuts; refusals: as in _calls_of_refusals; relaxed: rows with the same values may be
-- divided; with_people: pieces without rows go.
create or replace macro sqlanon._mondrian_step(
    state, cuts, refusals := []::varchar[], tree := null, relaxed := false, with_people := false) as table
    with cut as materialized (from query(cuts)),
    plan as (
        from query(
            'select *, possible'
            || array_to_string(
                list_transform(refusals, lambda query: ' and number not in (' || query || ')'), '')
            || ' as legal from cut')
    ),
    made as (select * replace (if(legal, cut, null) as cut) from plan),
    branched as (from sqlanon._mondrian_branches(state, 'made', tree, relaxed)),
    after as (from sqlanon._mondrian_after('branched'))
    from query(if(with_people,
                  'from after where part in (select part from after group by part having sum(weight) > 0)',
                  'from after'));

-- From tuples to classes: tuple_id, class_id, share (rows). A chain, as are all that cut. named: as in
-- _mondrian; tuples: those that are put in classes; attributes: d, span, by which widths are compared; tree:
-- NULL without hierarchies; the others: as in _call_of_cuts and _calls_of_refusals; outcome: as in _outcomes;
-- strata: as in _mondrian_start.
create or replace macro sqlanon._cut_parts(
    named, tuples, attributes, tree, with_people, by_unit, composition, k, about_values, floors, relaxed,
    outcome, strata) as table
    with recursive
    _sqlanon_outcome as materialized (from sqlanon._outcomes(named || 'sensitive_combination', outcome)),
    _sqlanon_state as (
        from sqlanon._mondrian_start(tuples, named || 'refusal', strata)
        union all
        from {sqlanon._mondrian_step:
            state := '_sqlanon_state',
            cuts := {sqlanon._call_of_cuts:
                state := '_sqlanon_state',
                outcomes := sqlanon._if_any(outcome, '_sqlanon_outcome'),
                requirement := named || 'requirement'},
            refusals := {sqlanon._calls_of_refusals:
                state := '_sqlanon_state', sensitive_values := named || 'sensitive_value',
                marginal := named || 'marginal', sensitive_tree := named || 'sensitive_tree',
                requirement := named || 'requirement'}}
    )
    select tuple_id, part as class_id, weight as share from _sqlanon_state where done;
