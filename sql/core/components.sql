-- Connected components of a bipartite graph: what hangs on each other.

-- One round of spreading the least number of pairs that have something in common.
create or replace macro sqlanon._next_components(pairs) as table
    with of_one as (select one, min(component) as lowest from query_table(pairs) group by one),
    of_other as (select other, min(component) as lowest from query_table(pairs) group by other)
    select one, other, least(of_one.lowest, of_other.lowest) as component,
           least(of_one.lowest, of_other.lowest) < component as is_new
    from query_table(pairs) join of_one using (one) join of_other using (other)
    where (select bool_or(is_new) from query_table(pairs));

-- The component of every pair of one and other (numbers): one, other, component (the least other in it).
create or replace macro sqlanon._components(pairs) as table
    with recursive spread as (
        select one, other, other as component, true as is_new from query_table(pairs)
        union all
        from sqlanon._next_components('spread')
    )
    select one, other, min(component) as component from spread group by one, other;
