-- A curve through the space of the quasi-identifiers: rows that are near each other on it are near each
-- other in space.
--
-- Hilbert's curve (Hilbert 1891), by the transformation of Skilling (Programming the Hilbert Curve, 2004):
-- every coordinate becomes a cell, a whole number of few bits; from the highest bit to the lowest, each
-- attribute either inverts the lower bits of the first one or exchanges its own with them. That is a chain
-- of small projections here, one per bit and attribute, which are written by a fold over text.

-- Bits per attribute: as many as a key of 60 bits has room for, 10 at most.
create or replace macro sqlanon._curve_bits(qi) as greatest(1, least(10, 60 // len(sqlanon._list(qi))));

-- Points as cells: point_id, a1, a2, ... A number has its place between 2.5 standard deviations below and
-- above the mean, a category that of its rank.
create or replace macro sqlanon._curve_cells(points, qi) as table
    from query(
        'select point_id, ' || sqlanon._each(qi,
            'least(greatest(floor(((case when has_x{i} then x{i} / 2.5e5 else 2 * c{i} / greatest(last_c{i}, 1) - 1 end) + 1) / 2 * '
            || (1 << sqlanon._curve_bits(qi)) || '), 0), ' || ((1 << sqlanon._curve_bits(qi)) - 1) || ')::bigint as a{i}', ', ')
        || ' from ' || points || ', (select ' || sqlanon._each(qi, 'min(x{i}) < max(x{i}) as has_x{i}, max(c{i}) as last_c{i}', ', ') || ' from ' || points || ')');

-- One step of the transformation, for a bit q and the nth attribute: the text of a SELECT from the relation
-- before.
create or replace macro sqlanon._curve_step(qi, relation, nth, q) as
    '(select * replace (' || case when nth = 1
        then 'case when a1 & ' || q || ' <> 0 then xor(a1, ' || (q - 1) || ') else a1 end as a1'
        else replace(
            'case when a{p} & ' || q || ' <> 0 then xor(a1, ' || (q - 1) || ') else xor(a1, xor(a1, a{p}) & ' || (q - 1) || ') end as a1, '
            || 'case when a{p} & ' || q || ' <> 0 then a{p} else xor(a{p}, xor(a1, a{p}) & ' || (q - 1) || ') end as a{p}', '{p}', nth::varchar)
        end || ') from ' || relation || ')';

-- All steps: from the highest bit down to the second, all attributes in turn.
create or replace macro sqlanon._curve_steps(cells, qi) as
    list_reduce(
        list_prepend(cells, list_transform(range(len(sqlanon._list(qi)) * (sqlanon._curve_bits(qi) - 1)), lambda at_step: at_step::varchar)),
        lambda relation, at_step: sqlanon._curve_step(
            qi, relation, at_step::integer % len(sqlanon._list(qi)) + 1,
            1 << (sqlanon._curve_bits(qi) - 1 - at_step::integer // len(sqlanon._list(qi)))));

-- The code of Gray: every attribute is xored with all before it, and then with what the bits of the last
-- one above each bit add up to.
create or replace macro sqlanon._curve_gray(qi) as
    list_aggregate(list_transform(range(1, len(sqlanon._list(qi)) + 1), lambda nth: list_reduce(
        list_transform(range(1, nth + 1), lambda before: 'a' || before),
        lambda one, other: 'xor(' || one || ', ' || other || ')') || ' as g' || nth), 'string_agg', ', ');
create or replace macro sqlanon._curve_turn(qi) as
    list_reduce(list_transform(range(sqlanon._curve_bits(qi)), lambda bit: '(g' || len(sqlanon._list(qi)) || ' >> ' || (bit + 1) || ')'),
                lambda one, other: 'xor(' || one || ', ' || other || ')');

-- Where points lie on the curve: point_id, place. The bits of all attributes take turns, from the highest on.
create or replace macro sqlanon._curve_places(cells, qi) as table
    from query(
        'select point_id, ' || list_aggregate(list_transform(range(sqlanon._curve_bits(qi)), lambda bit: sqlanon._each(qi,
            '((xor(g{i}, turn) >> ' || bit || ' & 1) << (' || ((bit + 1) * len(sqlanon._list(qi))) || ' - {i}))', ' + ')), 'string_agg', ' + ') || ' as place'
        || ' from (select *, ' || sqlanon._curve_turn(qi) || ' as turn'
        || '       from (select point_id, ' || sqlanon._curve_gray(qi) || ' from ' || sqlanon._curve_steps(cells, qi) || '))');
