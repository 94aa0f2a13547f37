-- Relaxed Mondrian: multidimensional partitioning whose classes may overlap (LeFevre, DeWitt and
-- Ramakrishnan 2006, sec. 3.2 and 4).
--
-- Strict partitioning keeps all rows with the same values together, so that a frequent value makes uneven
-- halves, or none. Here an ordered attribute is cut in the middle: the rows of a part are put in order, by
-- their codes on the attribute, then by all other codes, and the first half of them is the lower half. So
-- of all combinations one at most is divided, and halves stay as narrow on the other attributes as they
-- can. A combination is divided in the same proportion whatever its sensitive values are. An attribute with
-- a hierarchy is cut into the children of a node, as in the strict form.
--
-- Requirements hold in overlapping classes as in others, also where two classes have the same released
-- values, so that a reader sees them as one: no model here holds for two classes and not for their union.

-- Halves with equally many rows, columns as in _halves; cut is the last row of the lower half, counted over
-- the parts in the order of their numbers.
create or replace macro sqlanon._even_halves(choice) as table
    select number, base + size // 2 as cut, 0 as first_node, 2 as pieces, size // 2 as smallest
    from query_table(choice) where level is null;

-- Cuts in the middle of the rows, as in _cuts.
create or replace macro sqlanon._cuts_in_the_middle(state, attributes, tree, k) as table
    with extent as (from sqlanon._mondrian_extents(state, 2 * k))
    from sqlanon._cuts(
        state, sqlanon._call_of_next_attributes('extent', attributes, tree, 0),
        {call _even_halves: choice := 'choice'}, tree, k);

-- Tuples with their branches (as _mondrian_branches has them), but divided at the cut: branch and weight
-- (the rows that go there).
create or replace macro sqlanon._divided(branches) as table
    with coded as (
        select *, list_value(*columns('^q\d+$')) as codes from query_table(branches)
    ),
    -- Over all parts in the order of their numbers: the rows up to a tuple, before its combination and up
    -- to the end of that.
    placed as (
        select *,
               sum(weight) over (order by number, code, codes, s rows unbounded preceding)::bigint as up_to,
               (sum(weight) over () - sum(weight) over from_here)::bigint as start,
               sum(weight) over (order by number, code, codes range unbounded preceding)::bigint as finish
        from coded
        window from_here as (order by number, code, codes range between current row and unbounded following)
    ),
    -- Of a combination's rows so many are below the cut. Each of its tuples (one per sensitive value) has a
    -- share of these, rounded so that all shares add up.
    counted as (
        select *, greatest(least(cut, finish) - start, 0) as below, finish - start as size
        from placed
    ),
    share as (
        select *, (up_to - start) * below // size - (up_to - start - weight) * below // size as lower
        from counted
    ),
    divided as (
        select *, unnest(
            case when cut is null then [{'branch': branch, 'weight': weight::bigint}]
                 else [{'branch': 0, 'weight': lower}, {'branch': 1, 'weight': weight - lower}] end) as piece
        from share
    )
    select * exclude (codes, up_to, start, finish, below, size, lower, branch, weight, piece),
           piece.branch, piece.weight::integer as weight
    from divided
    where piece.weight > 0;
