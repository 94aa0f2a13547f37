-- The steps of Mondrian: from the whole table as one part to parts that nothing can cut.
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
                 then {call _next_by_gain: extents := 'extent', widest := 'widest'}
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
                 then {call _halves_with_people: choice := 'choice', histogram := 'histogram'}
                 when relaxed then {call _even_halves: choice := 'choice'}
                 when outcomes is not null
                 then {call _halves_by_gain: choice := 'choice', histogram := 'histogram'}
                 when composition is not null
                 then {call _halves_for_known: choice := 'choice', histogram := 'histogram'}
                 else {call _halves: choice := 'choice', histogram := 'histogram'} end
            || case when tree is null then ''
                    else ' union all ' || {call _children: choice := 'choice', histogram := 'histogram'} end)
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

-- The numbers of the cuts with a piece that violates a requirement on sensitive values, or by_unit one on its
-- people. histogram: of the pieces. requirement: one row, req.
create or replace macro sqlanon._cuts_violating(
    histogram, marginal, sensitive_tree, requirement, by_unit) as table
    select distinct class_id // 4294967296 as number
    from sqlanon._violating(histogram, marginal, sensitive_tree, requirement, by_unit);

-- The same from the cells of pieces.
create or replace macro sqlanon._cuts_with_violations(
    cells, sensitive_values, marginal, sensitive_tree, requirement, by_unit) as table
    with histogram as materialized (
        from sqlanon._histograms(cells, sensitive_values, by_unit) where attribute > 0 or by_unit
    )
    from sqlanon._cuts_violating('histogram', marginal, sensitive_tree, requirement, by_unit);

-- The same of the possible cuts of a state.
create or replace macro sqlanon._mondrian_refused(
    state, cuts, tree, sensitive_values, marginal, sensitive_tree, requirement, relaxed, by_unit) as table
    with cell as (from sqlanon._mondrian_cells(state, cuts, tree, relaxed))
    from {sqlanon._cuts_with_violations: cells := 'cell'};

-- The same with a piece in which somebody would lose too much together with known releases.
create or replace macro sqlanon._mondrian_refused_for_known(
    state, cuts, tree, composition, requirement, relaxed, by_unit) as table
    with cell as (from sqlanon._mondrian_cells(state, cuts, tree, relaxed))
    select distinct class_id // 4294967296 as number
    from sqlanon._losing('cell', composition, requirement, by_unit);

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

-- The state after a step. branches: tuples as above, and whether the cut of their part is legal.
create or replace macro sqlanon._mondrian_after(branches) as table
    select step + 1 as step,
           if(legal, (step + 1) * 4294967296 + first_piece + branch, part) as part,
           d is null as done,
           if(legal, 'infinity', coalesce(width, 0)) as tried_width,
           if(legal, 0, coalesce(d, 0))::integer as tried,
           columns('^(tuple_id|q\d+|s|weight|people|blame)$')
    from query_table(branches);

-- The same with a piece that has fewer rows than one of its tuples asks for. floors: tuple_id, floor.
create or replace macro sqlanon._mondrian_refused_for_floors(state, cuts, tree, floors, relaxed) as table
    select distinct number
    from (
        select number
        from sqlanon._mondrian_branches(state, cuts, tree, relaxed)
        left join query_table(floors) using (tuple_id)
        where possible group by number, branch having sum(weight) < max(floor)
    );

-- One step, to the state after it (step, part, done, tried_width, tried, tuple_id, q1, q2, ..., s, weight):
-- every part that is not done is cut in pieces, or marked as tried on one more attribute, or done.
-- about_sensitive: do requirements on sensitive values have a say (then, and only then, histograms of
-- these are made); with_people: those on the people of a population; by_unit: histograms count people (then
-- they are made in any case). composition: what known releases leave, or NULL without any. floors: how large
-- the class of a tuple must be, or NULL.
create or replace macro sqlanon._mondrian_step(
    state, attributes, tree, k, about_sensitive, sensitive_values, marginal, sensitive_tree, requirement,
    with_people := false, outcomes := null, relaxed := false, by_unit := false,
    composition := null, floors := null) as table
    with cut as materialized (
        from {sqlanon._mondrian_cuts:
            composition := if(with_people or relaxed or by_unit or outcomes is not null, null, composition)}
    ),
    plan as (
        from query(
            'select *, possible'
            || case when not with_people then ''
                    else ' and number not in ('
                         || {call _mondrian_refused_for_people: cuts := 'cut'} || ')' end
            || case when not about_sensitive and not by_unit then ''
                    else ' and number not in (' || {call _mondrian_refused: cuts := 'cut'} || ')' end
            || case when composition is null then ''
                    else ' and number not in ('
                         || {call _mondrian_refused_for_known: cuts := 'cut'} || ')' end
            || case when floors is null then ''
                    else ' and number not in ('
                         || {call _mondrian_refused_for_floors: cuts := 'cut'} || ')' end
            || ' as legal from cut')
    ),
    made as (select * replace (if(legal, cut, null) as cut) from plan),
    branched as (from sqlanon._mondrian_branches(state, 'made', tree, relaxed)),
    after as (from sqlanon._mondrian_after('branched'))
    from query(if(with_people,
                  'from after where part in (select part from after group by part having sum(weight) > 0)',
                  'from after'));

-- From tuples to classes: tuple_id, class_id, share (rows). A chain, as are all that cut. named: as of
-- _mondrian; tuples: those that are put in classes; tree: NULL without hierarchies; the others: as of
-- _mondrian_step; outcome: as of _outcomes.
create or replace macro sqlanon._cut_parts(
    named, tuples, tree, with_people, by_unit, composition, k, about_values, floors, relaxed,
    outcome) as table
    with recursive
    _sqlanon_outcome as materialized (from sqlanon._outcomes(named || 'sensitive_combination', outcome)),
    _sqlanon_state as (
        from sqlanon._mondrian_start(tuples, named || 'refusal')
        union all
        from sqlanon._mondrian_step(
            '_sqlanon_state', named || 'attribute', tree, k, about_values, named || 'sensitive_value',
            named || 'marginal', named || 'sensitive_tree', named || 'requirement', with_people,
            sqlanon._if_any(outcome, '_sqlanon_outcome'), relaxed, by_unit, composition, floors)
    )
    select tuple_id, part as class_id, weight as share from _sqlanon_state where done;
