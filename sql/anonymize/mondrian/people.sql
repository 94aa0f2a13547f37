-- Mondrian with a population (k-map, delta-presence): its people are tuples without rows, of weight 0, whom
-- parts cover. A cut is balanced by rows first, then by people, and a piece without rows is no class.

-- The halves of a part with people: columns as in _halves. A side is fit if it has none of the rows or at
-- least k. Of the cuts that leave two such sides the one is made that leaves them most equal in rows, among
-- these in people, and the first of those that are as good; cut is NULL if there is none.
create or replace macro sqlanon._halves_with_people(choice, histogram, k) as table
    with running as (
        select number, code, weight, people, sum(weight) over upwards::bigint as up_to,
               sum(people) over upwards::bigint as people_up_to
        from query_table(histogram) join query_table(choice) using (number) where level is null
        window upwards as (order by number, code)
    ),
    total as (
        select number, min(up_to - weight) as base, max(up_to) as up_to,
               min(people_up_to - people) as people_base, max(people_up_to) as people_up_to, max(code) as last
        from running group by number
    ),
    half as (
        select number, code, code < last as is_cut,
               running.up_to - base as lower, total.up_to - running.up_to as upper,
               running.people_up_to - people_base as lower_people,
               total.people_up_to - running.people_up_to as upper_people
        from running join total using (number)
    )
    select number,
           arg_min(code, {'rows': abs(upper - lower), 'people': abs(upper_people - lower_people),
                          'code': code})
               filter (is_cut and (lower = 0 or lower >= k) and (upper = 0 or upper >= k)) as cut,
           0 as first_node, 2 as pieces, if(cut is null, 0, k) as smallest
    from half group by number;

-- Cuts, as in _cuts. Also parts of few rows are cut: to cover fewer people.
create or replace macro sqlanon._cuts_with_people(state, attributes, tree, k) as table
    with extent as (from sqlanon._mondrian_extents(state, 0))
    from sqlanon._cuts(
        state, sqlanon._call_of_next_attributes('extent', attributes, tree, 0),
        {call _halves_with_people: choice := 'choice', histogram := 'histogram'}, tree, k);

-- The numbers of cuts with a piece that violates a requirement on people, or has people whom no class may
-- leave out.
create or replace macro sqlanon._mondrian_refused_for_people(state, cuts, tree, requirement) as table
    with piece as (
        select number, branch, sum(weight) as size, sum(people) as people
        from sqlanon._mondrian_branches(state, cuts, tree, false) where possible group by all
    )
    select distinct number
    from piece, query_table(requirement) as required
    where case when size > 0
               then not sqlanon._class_satisfies(size, size, people, required.req)
               else sqlanon._needs_everybody(required.req) end;
