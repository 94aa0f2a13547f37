-- Mondrian for a table that is larger than one machine: Spark counts, and the cuts are those of steps.sql. A
-- part depends on no other part, only on the spans and distributions of the whole table. So the first cuts
-- need no tuples here, only the span of each part and how often it has each code. Parts that are small enough
-- are finished by the same steps, wherever their tuples are.

-- Where parts are cut next: as _next_attributes, numbered. extents: part, size, tried_width, tried, los, his.
create or replace macro sqlanon._next_cuts(extents, attributes, tree) as table
    with tried as (from query(sqlanon._call_of_next_attributes(extents, attributes, tree, 0)))
    from sqlanon._numbered_parts('tried');

-- Their cuts. histogram: number, code (on the attribute d), weight.
create or replace macro sqlanon._cuts_of_parts(choice, histogram, tree, k) as table
    with halved as (from query({call _halves} || sqlanon._and_children(choice, histogram, tree)))
    from sqlanon._cuts_of_pieces(choice, 'halved', k);

-- The node that each code of a cut along a hierarchy goes to: part, code, node.
create or replace macro sqlanon._nodes_of_cuts(cuts, tree) as table
    select part, below.code, below.node
    from query_table(cuts) as cut
    join query_table(tree) as below on below.d = cut.d and below.level = cut.level - 1;

-- Cuts, and whether they are made. histogram: of the pieces of possible cuts, by people where there is a
-- unit, or NULL where no requirement needs one.
create or replace macro sqlanon._legal_cuts(
    cuts, histogram, marginal, sensitive_tree, requirement, by_unit) as table
    from query(
        'select *, possible'
        || case when histogram is null then ''
                else ' and number not in (' || {call _cuts_violating} || ')' end
        || ' as legal from ' || cuts);

-- The parts after that: part, tuples, size, los, his, tried_width, tried, done. looked_at: the parts that
-- were to be cut; pieces: part, tuples, size, los, his, of those that were.
create or replace macro sqlanon._parts_after(parts, looked_at, cuts, pieces, k) as table
    with tried as (
        select part, coalesce(cut.width, 0) as width, coalesce(cut.d, 0) as d, cut.d is null as is_done, legal
        from query_table(looked_at) left join query_table(cuts) as cut using (part)
    )
    select part, tuples, size, los, his, coalesce(tried.width, tried_width) as tried_width,
           coalesce(tried.d, parts.tried)::integer as tried, coalesce(is_done, done) as done
    from query_table(parts) as parts left join tried using (part)
    where not coalesce(legal, false)
    union all
    select part, tuples, size, los, his, 'infinity'::double, 0, size < 2 * k from query_table(pieces);

-- The tasks in which parts are finished, of about so many tuples: part, number (from 0), task, tried_width,
-- tried, done. parts: part, tuples, tried_width, tried, done.
create or replace macro sqlanon._tasks(parts, tuples_per_task) as table
    select part, row_number() over (order by part) - 1 as number,
           ((sum(tuples) over (order by part) - tuples) // tuples_per_task)::bigint as task,
           tried_width, tried, done
    from query_table(parts);

-- Parts, finished: what each combination of codes releases (as columns q1, q2, ...), and the codes c1, c2,
-- ... parts: part (from 0, below 2^32), done, tried_width, tried, q1, q2, ..., s, weight. The values of codes
-- are in tables domain_1, domain_2, ...: value, code. positions: q1, q2, ..., as a list of names; the others
-- are as in _mondrian. by_unit: person is one more column of the parts, whose a tuple is; s does not tell it.
create or replace macro sqlanon._finished_parts(
    parts, positions, attributes, tree, k, about_values, sensitive_values, marginal, sensitive_tree,
    requirement, recoding, by_unit) as table
    with recursive _sqlanon_owned as materialized (
        select *, (row_number() over ())::integer as tuple_id
        from query(sqlanon._fill('select *, {owned}::integer as owned, {owner} as owner from {parts}', map {
            'owned': if(by_unit, 'dense_rank() over (order by s, person)', 's'),
            'owner': if(by_unit, 'dense_rank() over (order by person)', 'null::bigint')}))
    ),
    _sqlanon_member as (select * replace (owned as s) from _sqlanon_owned),
    _sqlanon_owned_value as materialized (
        select owned as s, owner as person, said.attribute, said.code, said.value
        from (select distinct s, owned, owner from _sqlanon_owned) as whose
        join query_table(sensitive_values) as said on said.s = whose.s
    ),
    _sqlanon_tuple as (select columns('^(tuple_id|q\d+|s|weight)$') from _sqlanon_member),
    _sqlanon_state as (
        select 0 as step, part::bigint as part, done, tried_width::double as tried_width,
               tried::integer as tried, columns('^(tuple_id|q\d+|s|weight)$')
        from _sqlanon_member
        union all
        from {sqlanon._mondrian_step:
            state := '_sqlanon_state',
            cuts := {call _cuts_at_medians: state := '_sqlanon_state'},
            refusals := {sqlanon._calls_of_refusals:
                state := '_sqlanon_state',
                sensitive_values := if(by_unit, '_sqlanon_owned_value', sensitive_values),
                with_people := false, relaxed := false, composition := null, floors := null}}
    ),
    _sqlanon_assignment as materialized (select tuple_id, part as class_id from _sqlanon_state where done),
    _sqlanon_combination as materialized (
        from query(sqlanon._fill($$
            select tuple_id, {each positions: domain_{i}.value as q{i}}, {each positions: tuple.q{i} as c{i}}
            from (select min(tuple_id) as tuple_id, columns('^q\d+$') from _sqlanon_tuple group by all)
                 as tuple {domains}
        $$, map {
            'domains': sqlanon._each(
                positions, ' left join domain_{i} on domain_{i}.code = tuple.q{i}', '')}))
    ),
    _sqlanon_domain_text as materialized (
        from sqlanon._domain_texts(
            positions, 'domain_{i}', 'select ' || sqlanon._each(
                positions, '(select value from domain_{i} limit 1) as example{i}', ', '), map {})
    ),
    _sqlanon_label as materialized (
        from sqlanon._recoded_labels(
            recoding, '_sqlanon_tuple', '_sqlanon_assignment', attributes, tree, '_sqlanon_domain_text',
            '_sqlanon_combination', positions)
    )
    from sqlanon._release(
        '_sqlanon_combination', positions, []::varchar[],
        list_transform(positions, lambda name: 'c' || name[2:]), '_sqlanon_combination', []::varchar[],
        '_sqlanon_assignment', '_sqlanon_label', 0);
