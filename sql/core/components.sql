-- Connected components of a bipartite graph: its nodes by what they are connected to, directly or through
-- others.

-- One round of passing on the least number: the nodes whose component becomes lower: other, component.
-- fallen: the nodes of the last round; components: of all nodes; both: other, component. A node takes the
-- lowest component of its neighbours, and then the one that this node has found, so that long chains take few
-- rounds.
create or replace macro sqlanon._next_components(fallen, components, pairs) as table
    with met as materialized (
        select distinct one from query_table(pairs) semi join query_table(fallen) using (other)
    ),
    near as materialized (select one, other from query_table(pairs) semi join met using (one)),
    of_one as materialized (
        select one, min(component) as lowest from near join query_table(components) using (other) group by one
    ),
    reached as (
        select other, lowest from near join of_one using (one)
        union all
        select own.other, latest.component
        from query_table(components) as own join query_table(fallen) as latest on latest.other = own.component
    ),
    lower as materialized (select other, min(lowest) as lowest from reached group by other),
    further as materialized (
        select lower.other, other_end.component
        from lower join query_table(components) as other_end on other_end.other = lower.lowest
    )
    select other, further.component
    from query_table(components) as own join further using (other) where further.component < own.component;

-- The component of every pair of one and other (numbers): one, other, component (the least other in it).
create or replace macro sqlanon._components(pairs) as table
    with recursive known as materialized (select distinct one, other from query_table(pairs)),
    found using key (other) as (
        select distinct other, other as component from known
        union all
        from sqlanon._next_components('found', 'recurring.found', 'known')
    )
    select one, other, component from known join found using (other);
