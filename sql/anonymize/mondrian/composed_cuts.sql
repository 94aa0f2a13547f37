-- Cuts that known releases allow. A median leaves the most even halves, but somebody may lose too many values
-- there (sql/models/composition.sql). Where all medians of a part are refused, its attributes without a
-- hierarchy are tried again, from the widest on: each at the code nearest to the median at which nobody loses
-- too much and both halves have k rows. Medians come first, because their widths are raised by 2.
--
-- These codes are found for each number known separately (the people to whom the known releases leave the
-- same). As a cut moves up, the lower half has one of these people from a first code on, and enough of the
-- values that are left to them from a second code on. Between the two there is no cut. The same holds for the
-- upper half, from above.

-- Where cuts beside the median are refused: number, code, change (of how many refuse, from this code on). Of
-- a value that several rows may have the first of them counts, and the last.
create or replace macro sqlanon._refusals_by_code(state, choice, composition, requirement) as table
    with cell as materialized (
        select distinct number, list_extract(list_value(*columns('^q\d+$')), d) as code, s
        from query_table(state) join query_table(choice) using (part) where not done
    ),
    member as materialized (from cell join query_table(composition) using (s)),
    held_row as (
        select number, space, word, held, min(code) as first, max(code) as last
        from member group by number, space, word, held
    ),
    person as materialized (
        select number, known, min(code) as lo, max(code) as hi from member group by number, known
    ),
    value as (
        select number, known, attribute, any_value(size) as size, min(first) as first, max(last) as last
        from (select distinct number, known from person)
        join (select known, attribute, space, part, word, possible, size
              from query_table(composition) where possible is not null) using (known)
        join held_row using (number, space, word)
        where (possible & held) > 0
        group by number, known, attribute, part, if(part = 0, word * 60, 0), if(part = 0, held, 0)
    ),
    kept as (
        select number, known, any_value(lo) as lo, any_value(hi) as hi,
               least(any_value(size), any_value(required.req.composed_l)) as needed,
               list_sort(list(first)) as firsts, list_reverse_sort(list(last)) as lasts
        from person join value using (number, known), query_table(requirement) as required
        group by number, known, attribute
    )
    select number, unnest([lo, greatest(lo, firsts[needed]), least(hi, lasts[needed]), hi]) as code,
           unnest([1, -1, 1, -1]) as change
    from kept;

-- Halves, columns as in _halves: beside the median where width is not that of one. state: what is cut; cut is
-- NULL where no code is allowed.
create or replace macro sqlanon._halves_for_known(
    choice, histogram, k, state, composition, requirement) as table
    with median as (select * from query_table(choice) where width > 1),
    other as materialized (select * from query_table(choice) where width <= 1),
    refusal as (from sqlanon._refusals_by_code(state, 'other', composition, requirement)),
    changed as (
        select number, code, sum(weight) as weight, sum(change) as change
        from (
            select number, code, weight, 0 as change
            from query_table(histogram) semi join other using (number)
            union all select number, code, 0, change from refusal
        )
        group by number, code
    ),
    running as (
        select number, code, weight, sum(weight) over upwards::bigint as up_to,
               sum(change) over upwards as refusals
        from changed window upwards as (order by number, code)
    ),
    total as (select number, min(up_to - weight) as base, max(up_to) as up_to from running group by number),
    half as (
        select number, code, running.up_to - base as lower, total.up_to - running.up_to as upper, refusals
        from running join total using (number)
    )
    from sqlanon._halves('median', histogram)
    union all
    select number,
           arg_min(code, {'rows': abs(upper - lower), 'code': code})
               filter (refusals = 0 and lower >= k and upper >= k) as cut,
           0 as first_node, 2 as pieces, if(cut is null, 0, k) as smallest
    from half group by number;

-- Cuts, as in _cuts: at medians, and where those of all attributes of a part were refused, beside them.
create or replace macro sqlanon._cuts_for_known(
    state, attributes, tree, k, composition, requirement) as table
    with extent as (from sqlanon._mondrian_extents(state, 2 * k)),
    free_attribute as (
        from query('from ' || attributes || coalesce(' where d not in (select d from ' || tree || ')', ''))
    ),
    widest as (from query(sqlanon._call_of_next_attributes('extent', attributes, tree, 2)))
    from sqlanon._cuts(
        state,
        'from widest union all '
        || sqlanon._call_of_next_attributes('extent', 'free_attribute', tree, 0)
        || ' anti join widest using (part)',
        {call _halves_for_known: choice := 'choice', histogram := 'histogram'}, tree, k);
