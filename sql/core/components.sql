-- Connected components of a bipartite graph: what hangs on each other.

-- One round of spreading the least number of pairs that have something in common: each takes what its
-- neighbours have, and then what that one has found, so that long chains take few rounds.
create or replace macro sqlanon._next_components(pairs) as table
    with of_one as (select one, min(component) as lowest from query_table(pairs) group by one),
    of_other as (select other, min(component) as lowest from query_table(pairs) group by other),
    met as (
        select one, other, component, least(of_one.lowest, of_other.lowest) as lowest
        from query_table(pairs) join of_one using (one) join of_other using (other)
    )
    select met.one, met.other, further.lowest as component, further.lowest < component as is_new
    from met join of_other as further on further.other = met.lowest
    where (select bool_or(is_new) from query_table(pairs));

-- The component of every pair of one and other (numbers): one, other, component (the least other in it).
create or replace macro sqlanon._components(pairs) as table
    with recursive spread as (
        select one, other, other as component, true as is_new from query_table(pairs)
        union all
        from sqlanon._next_components('spread')
    )
    select one, other, min(component) as component from spread group by one, other;
