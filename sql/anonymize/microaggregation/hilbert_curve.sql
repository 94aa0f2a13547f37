-- A curve through the space of the quasi-identifiers: rows that are near each other on it are near each
-- other in space.
--
-- Hilbert's curve (Hilbert 1891), by the transformation of Skilling (Programming the Hilbert Curve, 2004):
-- every coordinate becomes a cell, a whole number of few bits; from the highest bit to the lowest, each
-- attribute either inverts the lower bits of the first one or exchanges its own with them. That is a chain
-- of small projections here, one per bit and attribute, which are written by a fold over text.

-- Bits per attribute: as many as a key of 60 bits has room for, 10 at most.
create or replace macro sqlanon._curve_bits(qi) as greatest(1, least(10, 60 // len(qi)));

-- Points as cells: point_id, a1, a2, ... A number has its place between 2.5 standard deviations below and
-- above the mean, a category that of its rank.
create or replace macro sqlanon._curve_cells(points, qi) as table
    from query(sqlanon._fill($$
        select point_id, {cells} from {points}, (select {ranges} from {points})
    $$, map {
        'cells': sqlanon._each_filled(qi, $$
            least(greatest(floor(
                (if(has_x{i}, x{i} / 2.5e5, 2 * c{i} / greatest(last_c{i}, 1) - 1) + 1) / 2 * {cells}
            ), 0), {cells} - 1)::bigint as a{i}
        $$, map {'cells': (1 << sqlanon._curve_bits(qi))::varchar}, ', '),
        'ranges': sqlanon._each_of(qi, 'min(x{i}) < max(x{i}) as has_x{i}, max(c{i}) as last_c{i}', ', ')}));

-- One step of the transformation, on the bits below a high bit, for attribute d: the text of a SELECT from
-- the relation before.
create or replace macro sqlanon._curve_step(relation, d, high) as
    sqlanon._fill(
        if(d = 1, $$(
            select * replace (if(a1 & {high} <> 0, xor(a1, {low_bits}), a1) as a1) from {relation})$$, $$(
            select * replace (
                if(a{d} & {high} <> 0, xor(a1, {low_bits}), xor(a1, xor(a1, a{d}) & {low_bits})) as a1,
                if(a{d} & {high} <> 0, a{d}, xor(a{d}, xor(a1, a{d}) & {low_bits})) as a{d})
            from {relation})$$),
        map {'d': d::varchar, 'high': high::varchar, 'low_bits': (high - 1)::varchar});

-- All steps: from the highest bit down to the second, all attributes in turn.
create or replace macro sqlanon._curve_steps(cells, qi) as
    list_reduce(
        list_prepend(cells, list_transform(
            range(len(qi) * (sqlanon._curve_bits(qi) - 1)), lambda step: step::varchar)),
        lambda relation, step: sqlanon._curve_step(
            relation, step::integer % len(qi) + 1,
            1 << (sqlanon._curve_bits(qi) - 1 - step::integer // len(qi))));

-- The exclusive or of several terms (a list of texts), as a text.
create or replace macro sqlanon._xor_text(terms) as
    list_reduce(terms, lambda left_terms, term: 'xor(' || left_terms || ', ' || term || ')');

-- The code of Gray, g1, g2, ...: every attribute is xored with all before it ...
create or replace macro sqlanon._curve_gray(qi) as
    list_aggregate(list_transform(range(1, len(qi) + 1), lambda d:
        sqlanon._xor_text(list_transform(range(1, d + 1), lambda before: 'a' || before)) || ' as g' || d),
        'string_agg', ', ');

-- ... and then with the exclusive or of what is above each bit of the last one.
create or replace macro sqlanon._curve_turn(qi) as
    sqlanon._xor_text(list_transform(range(sqlanon._curve_bits(qi)), lambda bit:
        '(g' || len(qi) || ' >> ' || (bit + 1) || ')'));

-- A place on the curve: the bits of all attributes take turns, from the highest on.
create or replace macro sqlanon._curve_key(qi) as
    list_aggregate(list_transform(range(sqlanon._curve_bits(qi)), lambda bit:
        sqlanon._each_of(qi, '((xor(g{i}, turn) >> ' || bit || ' & 1) << ('
                          || (bit + 1) * len(qi) || ' - {i}))', ' + ')), 'string_agg', ' + ');

-- Where points lie on the curve: point_id, place.
create or replace macro sqlanon._curve_places(cells, qi) as table
    from query(sqlanon._fill($$
        select point_id, {key} as place
        from (select *, {turn} as turn from (select point_id, {gray} from {transformed}))
    $$, map {
        'key': sqlanon._curve_key(qi), 'turn': sqlanon._curve_turn(qi), 'gray': sqlanon._curve_gray(qi),
        'transformed': sqlanon._curve_steps(cells, qi)}));
