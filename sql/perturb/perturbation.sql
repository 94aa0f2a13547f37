-- Perturbation: values leave changed, by chance or to a coarser scale (Hundepool et al. 2012, Statistical
-- Disclosure Control, ch. 3; the methods of sdcMicro: Templ, Kowarik and Meindl 2015).
--
-- None of this guarantees anything about privacy: sql/risk/disclosure.sql measures what a result still
-- discloses.
--
-- Chance comes from the random keys of sql/core/random_order.sql. Rows are numbered in the order of the keys
-- of all that is read of them; what is drawn for a row and a column comes from the key of these two numbers.
-- So the same seed gives the same release, however the table is stored, on any machine and DuckDB. Whoever
-- knows the seed can undo the changes.

-- An empty text, once the roles of the columns make sense; an error that names the column otherwise.
create or replace macro sqlanon._perturbed_checked(columns, keep) as
    case when len(sqlanon._list(columns)) = 0
         then error('columns names no column: give at least one that is to be changed, e.g.'
                    || ' columns := [''income'']')
         else sqlanon._let(sqlanon._list(columns) || sqlanon._list(keep), lambda names:
             case when len(list_filter(names, lambda name: name is null)) > 0
                  then error('a column name is NULL in columns or keep')
                  else coalesce(error('column "' || sqlanon._claimed_twice(names)  -- error(NULL) is none
                                      || '" is named twice: a column is either changed or left as it is,'
                                      || ' and once'), '')
             end)
    end;

-- The text of a call of the private macro of a method: with the arguments that all methods share, and further
-- ones (a list of their texts).
create or replace macro sqlanon._perturbing(method, tbl, columns, keep, seed, further) as
    sqlanon._perturbed_checked(columns, keep)
    || sqlanon._call('_' || method, [
        sqlanon._literal(tbl), sqlanon._names(columns), sqlanon._names(keep),
        coalesce(seed::bigint::varchar, 'null')] || further);

-- The rows: x1, x2, ... (what is to be changed), kept1, ..., h1, ... (the strata).
create or replace macro sqlanon._perturbed_rows(tbl, columns, keep, strata) as table
    from query(sqlanon._fill($$
        select {each columns: src.{c} as x{i}}{kept}{each strata: , src.{c} as h{i}}
               from sqlanon._source({=tbl}, {=columns}, {others}) as src
        $$, map {
            'kept': sqlanon._each(keep, ', src.{c} as kept{i}', ''),
            'others': sqlanon._names(sqlanon._list(keep) || sqlanon._not_among(strata, keep))}));

-- Rows to perturb with their number, from 1 (rows of a stratum have numbers in a row), and draw1, ..., a
-- random key for each column.
create or replace macro sqlanon._numbered_rows(tbl, columns, keep, strata, seed) as table
    with _sqlanon_unnumbered as (from sqlanon._perturbed_rows(tbl, columns, keep, strata))
    from query(sqlanon._fill($$
        select *, {draws}
        from (
            select row_number() over (order by {strata} place) as number, * exclude (place)
            from (select *, {place} as place from _sqlanon_unnumbered)
        )$$, map {
        'draws': sqlanon._each(
            columns, sqlanon._random_key($$'draw', number, {i}$$, seed) || ' as draw{i}', ', '),
        'strata': sqlanon._each(strata, 'h{i},', ' '),
        'place': sqlanon._random_key(
            sqlanon._each(columns, 'x{i}', ', ') || sqlanon._each(keep, ', kept{i}', ''), seed)}));

-- A number between 0 and 1, never one of them, from a random key: of its first 52 bits (part 1) or the next
-- 52 (part 2).
create or replace macro sqlanon._uniform(random_key, part) as
    (('0x' || substring(random_key, 13 * part - 12, 13))::bigint::double + 0.5) / 4503599627370496;  -- 2^52

-- One of a standard normal distribution (Box and Muller 1958), of two that are uniform.
create or replace macro sqlanon._normal(first_uniform, second_uniform) as
    sqrt(-2 * ln(first_uniform)) * cos(2 * pi() * second_uniform);

create or replace macro sqlanon._is_number(type_name) as
    regexp_matches(type_name, '^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|DECIMAL.*|FLOAT|DOUBLE|BIGNUM|VARINT)$');

-- A value of a column as a DOUBLE, or an error that names the column.
create or replace macro sqlanon._as_number(given, name, method) as
    case when sqlanon._is_number(typeof(given)) then try_cast(given as double)
         else error('column ' || name || ' is ' || typeof(given) || ': ' || method || ' takes numbers')
    end;

-- Rows whose columns to be changed are DOUBLE, or an error.
create or replace macro sqlanon._numeric_rows(source_rows, columns, method) as table
    from query(sqlanon._fill($$select * replace ({numbers}) from {source_rows}$$, map {
        'numbers': sqlanon._each(
            columns, 'sqlanon._as_number(x{i}, {s}, ' || sqlanon._literal(method) || ') as x{i}', ', ')}));

-- The mean and the standard deviation of numbers, from all of them in their order: sums in any other order
-- differ in the last digits.
create or replace macro sqlanon._mean(sorted_numbers) as list_sum(sorted_numbers) / len(sorted_numbers);
create or replace macro sqlanon._deviation(sorted_numbers) as
    sqlanon._let({'numbers': sorted_numbers, 'mean': sqlanon._mean(sorted_numbers)}, lambda sample:
        sqrt(list_sum(list_transform(sample.numbers, lambda x: (x - sample.mean) * (x - sample.mean)))
             / (len(sample.numbers) - 1)));

-- The deviation of numbers x that are there n times each.
create or replace macro sqlanon._weighted_deviation(sorted_pairs) as
    sqlanon._let(
        {'pairs': sorted_pairs,
         'people': list_sum(list_transform(sorted_pairs, lambda pair: pair.n)),
         'total': list_sum(list_transform(sorted_pairs, lambda pair: pair.n * pair.x))},
        lambda sample:
            sqrt(list_sum(list_transform(sample.pairs, lambda pair:
                     pair.n * power(pair.x - sample.total / sample.people, 2)))
                 / (sample.people - 1)));

-- A row per column: name, value (what the template, as in _each, is in the relation, which gives one row).
create or replace macro sqlanon._by_column(relation, columns, template) as table
    from query(sqlanon._fill($$
        select unnest({=columns}) as name, unnest([{values}]) as value from {relation}
        $$, map {'values': sqlanon._each(columns, template, ', ')}));

-- No rows, or an error: a table without rows, or a column in which nothing differs. nulls: NULL is a value.
create or replace macro sqlanon._refuse_constants(source_rows, tbl, columns, nulls) as table
    from sqlanon._refuse_empty(source_rows, tbl)
    union all
    select error('column ' || name || ' has fewer than two values that differ, so that nothing can be'
                 || ' changed: keep it, or leave it out')
    from sqlanon._by_column(
        source_rows, columns,
        'count(*) > 0 and min(x{i}) is not distinct from max(x{i})'
        || case when nulls then ' and count(x{i}) in (0, count(*))' else '' end)
    where value;

-- No rows, or an error: a column with numbers that have no distance from others.
create or replace macro sqlanon._refuse_infinities(source_rows, columns, method) as table
    select error('column ' || name || ' has NaN or infinite values: ' || method
                 || ' takes finite numbers') as refused
    from sqlanon._by_column(source_rows, columns, 'bool_or(not isfinite(x{i}))')
    where value;

-- The release: the changed and the kept columns of every row, and no other, in a random order. changed: v1,
-- v2, ..., kept1, ...
create or replace macro sqlanon._perturbed_release(changed, refusals, columns, keep, seed) as table
    from query(sqlanon._fill($$
        select {values}{kept} from {changed} as changed
        where (select count(refused) from {refusals}) = 0
        order by {place}
        $$, map {
            'values': sqlanon._each(columns, sqlanon._without_enum('changed.v{i}') || ' as {c}', ', '),
            'kept': sqlanon._each(keep, ', ' || sqlanon._without_enum('changed.kept{i}') || ' as {c}', ''),
            'place': sqlanon._random_key(
            sqlanon._each(columns, 'changed.v{i}', ', ') || sqlanon._each(keep, ', changed.kept{i}', ''),
            seed)}));

-- Post-randomization (PRAM). With the probability `retain` a value stays; otherwise it is erased, and one is
-- drawn from the distribution p of all values: r_ij = retain [i = j] + (1 - retain) p_j. That is the
-- two-stage matrix of Gouweleeuw, Kooiman, Willenborg and de Wolf (1998, sec. 4): the second stage undoes the
-- first by Bayes. It is invariant: sum_i p_i r_ij = retain p_j + (1 - retain) p_j = p_j. What is drawn is the
-- value of any row of the stratum, which has the distribution p.

-- The strata: h1, ..., start (the first of their numbers), size (rows).
create or replace macro sqlanon._strata(numbered_rows, strata) as table
    from query(sqlanon._fill($$
        select {strata} min(number) as start, count(*) as size from {numbered_rows} group by all
        $$, map {'strata': sqlanon._each(strata, 'h{i},', ' ')}));

-- The numbered rows, with other1, ...: the rows that values are taken from; the row itself, where its value
-- stays.
create or replace macro sqlanon._drawn_rows(numbered_rows, stratum, columns, strata, retain) as table
    from query(sqlanon._fill($$
        select own.*, {others}
        from {numbered_rows} as own
        join {stratum} as stratum on true{each strata: and own.h{i} is not distinct from stratum.h{i}},
        (select {retain} as retain)
        $$, map {
            'others': sqlanon._each(
            columns,
            'case when sqlanon._uniform(draw{i}, 1) < retain then number'
            || ' else start + floor(sqlanon._uniform(draw{i}, 2) * size)::bigint end as other{i}', ', '),
            'retain': retain::varchar}));

-- The rows with their drawn values: v1, ..., kept1, ...
create or replace macro sqlanon._drawn_values(numbered_rows, drawn, columns, keep) as table
    from query(sqlanon._fill($$
        select {values}{each keep: , drawn.kept{i}} from {drawn} as drawn {others}
    $$, map {
        'values': sqlanon._each(columns, 'row{i}.x{i} as v{i}', ', '),
        'others': sqlanon._each(
            columns, 'join ' || numbered_rows || ' as row{i} on row{i}.number = drawn.other{i}', ' ')}));

create or replace macro sqlanon._pram(tbl, columns, keep, seed, retain, strata) as table
    with _sqlanon_row as materialized (from sqlanon._numbered_rows(tbl, columns, keep, strata, seed)),
    _sqlanon_refusal as materialized (from sqlanon._refuse_constants('_sqlanon_row', tbl, columns, true)),
    _sqlanon_stratum as materialized (from sqlanon._strata('_sqlanon_row', strata)),
    _sqlanon_drawn as materialized (
        from sqlanon._drawn_rows('_sqlanon_row', '_sqlanon_stratum', columns, strata, retain)
    ),
    _sqlanon_changed as (from sqlanon._drawn_values('_sqlanon_row', '_sqlanon_drawn', columns, keep))
    from sqlanon._perturbed_release('_sqlanon_changed', '_sqlanon_refusal', columns, keep, seed);

create or replace macro sqlanon.pram(
    tbl, columns, keep := null, retain := 0.8, strata := null, seed := null) as table
    from query(
        sqlanon._perturbed_checked(columns, strata)
        || sqlanon._perturbing('pram', tbl, columns, keep, seed, [
            coalesce(sqlanon._real_number(retain, 'retain', 0, true, 1, 'between 0 and 1')::varchar,
                     error('retain must be between 0 and 1, not NULL')),
            sqlanon._names(strata)]));

comment on macro table sqlanon.pram is $$
Releases every row of a table with randomly changed values, by invariant post-randomization: the expected
frequencies are those of the table. No privacy is guaranteed: measure it with disclosure.

Parameters:
- tbl (table): the raw rows.
- columns (columns): the columns to change, each independently.
- keep (columns; default null): further columns that are released unchanged. Columns that no parameter names
  are not released.
- retain (number, 0 to 1; default 0.8): the probability that a value is kept; otherwise a value is drawn from
  the distribution of the column: r_ij = retain [i = j] + (1 - retain) p_j.
- strata (columns; default null): values are drawn from the rows with the same values in these columns.
- seed (integer; default null): fixes the random draws, and the order of rows. Keep it secret.

Result:
- <columns> (unchanged): the changed values; NULL is a value of its own.
- <keep> (unchanged): as in tbl.

Errors: unknown column, empty table, a column with one value.

Source: Gouweleeuw, Kooiman, Willenborg and de Wolf 1998, sec. 4; Templ, Kowarik and Meindl 2015.

Example:
from sqlanon.pram('people', columns := 'disease', keep := 'name', retain := 0.7);
$$;

-- Rank swapping. Moore lets a value swap with one of the next w = p N in the order of the column that have
-- not swapped yet, one value after the other. Here all swap at once: the order is cut into blocks of w or w +
-- 1 values (an even number), from a random place on, and the values of a block swap in random pairs. Only the
-- last block can be odd: one value may stay.

-- One row: p, and per column n1, ... (values that are not NULL), block1, ... (how many make a block) and
-- shift1, ... (by how many of them the first block is shorter: an even number, too).
create or replace macro sqlanon._swapped_blocks(numbered_rows, columns, p) as table
    from query(sqlanon._fill($$
        select p, {blocks} from (select {counts} from {numbered_rows}), (select {p} as p)
        $$, map {
            'blocks': sqlanon._each(
            columns,
            'n{i}, (floor(p * n{i} + 1e-9)::bigint + 1) // 2 * 2 as block{i},'
            || ' 2 * floor(start{i} * block{i} // 2)::bigint as shift{i}', ', '),
            'counts': sqlanon._each(
            columns,
            'count(x{i}) as n{i},'
            || ' any_value(sqlanon._uniform(draw{i}, 2)) filter (where number = 1) as start{i}', ', '),
            'p': p::varchar}));

create or replace macro sqlanon._refuse_narrow(blocks, columns) as table
    select error('p of ' || value.p || ' allows no swap in column ' || name || ', which has ' || value.n
                 || ' values: give at least ' || 1 / value.n) as refused
    from sqlanon._by_column(blocks, columns, 'struct_pack(p := p, n := n{i}, block := block{i})')
    where value.block = 0;

-- The values of a column, swapped: number, v.
create or replace macro sqlanon._swapped(numbered_rows, blocks, i) as table
    from query(sqlanon._fill($$
        select number,
               case when row_number() over shuffled % 2 = 1 then coalesce(lead(x) over shuffled, x)
                    else lag(x) over shuffled
               end as v
        from (
            select number, x, draw, (rank - 1 + shift) // greatest(block, 1) as part
            from (
                select number, x{i} as x, draw{i} as draw, row_number() over (order by x{i}, number) as rank
                from {numbered_rows} where x{i} is not null
            ), (select block{i} as block, shift{i} as shift from {blocks})
        )
        window shuffled as (order by part, draw)
        $$, map {'i': i::varchar}));

-- The rows with their swapped values: v1, ..., kept1, ...
create or replace macro sqlanon._swapped_values(numbered_rows, blocks, columns, keep) as table
    from query(sqlanon._fill($$select {values}{kept} from {numbered_rows} as own {swapped}$$, map {
        'values': sqlanon._each(columns, 'swapped{i}.v as v{i}', ', '),
        'kept': sqlanon._each(keep, ', own.kept{i}', ''),
        'swapped': sqlanon._each(
            columns,
            'left join ('
            || {call _swapped: i := text('{i}')}
            || ') as swapped{i} on swapped{i}.number = own.number', ' ')}));

create or replace macro sqlanon._rank_swap(tbl, columns, keep, seed, p) as table
    with _sqlanon_row as materialized (from sqlanon._numbered_rows(tbl, columns, keep, null, seed)),
    _sqlanon_block as materialized (from sqlanon._swapped_blocks('_sqlanon_row', columns, p)),
    _sqlanon_refusal as materialized (
        from sqlanon._refuse_constants('_sqlanon_row', tbl, columns, false)
        union all
        from sqlanon._refuse_narrow('_sqlanon_block', columns)
    ),
    _sqlanon_changed as (from sqlanon._swapped_values('_sqlanon_row', '_sqlanon_block', columns, keep))
    from sqlanon._perturbed_release('_sqlanon_changed', '_sqlanon_refusal', columns, keep, seed);

create or replace macro sqlanon.rank_swap(tbl, columns, keep := null, p := 0.05, seed := null) as table
    from query(sqlanon._perturbing('rank_swap', tbl, columns, keep, seed, [
        coalesce(sqlanon._real_number(p, 'p', 0, false, 1, 'above 0 and at most 1')::varchar,
                 error('p must be above 0 and at most 1, not NULL'))]));

comment on macro table sqlanon.rank_swap is $$
Releases every row of a table with values swapped in pairs of near ranks, so that a column has the same values
afterwards. No privacy is guaranteed: measure it with disclosure and record_linkage.

Parameters:
- tbl, columns, keep: as in pram
- p (number, above 0 and at most 1; default 0.05): how far apart the ranks of a pair may be, as a share of the
  values that are not NULL; NULLs are not swapped.
- seed: as in pram

Result:
- <columns> (unchanged): the swapped values, of any type with an order; if their number is odd, one stays.
- <keep> (unchanged): as in tbl.

Errors: unknown column, empty table, a column with one value, a p that allows no swap.

Source: Moore 1996 (all pairs at once, within blocks of ranks).

Example:
from sqlanon.rank_swap('people', columns := 'income', keep := 'name', p := 0.2);
$$;

-- Additive noise: x + scale s e, where s is the column's standard deviation and e is drawn from the standard
-- normal distribution.

-- One row: s1, s2, ..., the standard deviations of columns of numbers. weighted: the column people says how
-- often each row counts.
create or replace macro sqlanon._deviations(numeric_rows, columns, weighted := false) as table
    from query(sqlanon._fill($$select {deviations} from {numeric_rows}$$, map {
        'deviations': sqlanon._each(
            columns,
            if(weighted, 'sqlanon._weighted_deviation(list_sort(list(struct_pack(x := x{i}, n := people))',
                         'sqlanon._deviation(list_sort(list(x{i})')
            || ' filter (where x{i} is not null))) as s{i}', ', ')}));

create or replace macro sqlanon._refuse_wide(deviations, columns) as table
    select error('column ' || name
                 || ' has numbers so large that their standard deviation cannot be computed')
               as refused
    from sqlanon._by_column(deviations, columns, 's{i}')
    where not isfinite(value);

-- The rows with noise: v1, ..., kept1, ...
create or replace macro sqlanon._noisy_values(numeric_rows, deviations, columns, keep, scale) as table
    from query(sqlanon._fill($$
        select {values}{each keep: , kept{i}} from {numeric_rows}, {deviations}, (select {scale} as scale)
        $$, map {
            'values': sqlanon._each(
            columns,
            'x{i} + scale * s{i}'
            || ' * sqlanon._normal(sqlanon._uniform(draw{i}, 1), sqlanon._uniform(draw{i}, 2)) as v{i}',
            ', '),
            'scale': scale::varchar}));

create or replace macro sqlanon._add_noise(tbl, columns, keep, seed, scale) as table
    with _sqlanon_row as materialized (from sqlanon._numbered_rows(tbl, columns, keep, null, seed)),
    _sqlanon_numeric as materialized (from sqlanon._numeric_rows('_sqlanon_row', columns, 'add_noise')),
    _sqlanon_deviation as materialized (from sqlanon._deviations('_sqlanon_numeric', columns)),
    _sqlanon_refusal as materialized (
        from sqlanon._refuse_constants('_sqlanon_numeric', tbl, columns, false)
        union all
        from sqlanon._refuse_infinities('_sqlanon_numeric', columns, 'add_noise')
        union all
        from sqlanon._refuse_wide('_sqlanon_deviation', columns)
    ),
    _sqlanon_changed as (
        from sqlanon._noisy_values('_sqlanon_numeric', '_sqlanon_deviation', columns, keep, scale)
    )
    from sqlanon._perturbed_release('_sqlanon_changed', '_sqlanon_refusal', columns, keep, seed);

create or replace macro sqlanon.add_noise(tbl, columns, keep := null, scale := 0.1, seed := null) as table
    from query(sqlanon._perturbing('add_noise', tbl, columns, keep, seed, [
        coalesce(sqlanon._real_number(scale, 'scale', 0, false, 1e6, 'above 0 and at most 1000000')::varchar,
                 error('scale must be above 0, not NULL')) || '::double']));

comment on macro table sqlanon.add_noise is $$
Releases every row of a table with normally distributed noise of mean 0 added to numbers. No privacy is
guaranteed (this is not differential privacy): measure it with disclosure and record_linkage.

Parameters:
- tbl, columns, keep: as in pram
- scale (number, above 0 and at most 1000000; default 0.1): the standard deviation of the noise, as a share of
  that of the column.
- seed: as in pram

Result:
- <columns> (number): the noisy values; NULL stays NULL.
- <keep> (unchanged): as in tbl.

Errors: unknown column, empty table, a column that has no numbers, one value only, NaN or infinity.

Source: Hundepool et al. 2012, sec. 3.4.1; Box and Muller 1958.

Example:
from sqlanon.add_noise('people', columns := 'income', keep := 'name', scale := 0.1);
$$;

-- Rounding, half away from zero. base: a number above 0; parts: how many make 1 if it is a decimal fraction,
-- so that 3 * 0.1 is 0.3: the quotient of two whole numbers is rounded once. Whole numbers stay whole.
create or replace macro sqlanon._parts(base) as
    10.0::double ** coalesce(list_filter(range(0, 16), lambda digits:
        abs(base * 10.0::double ** digits - round(base * 10.0::double ** digits)) < 1e-9)[1], 0);

create or replace macro sqlanon._rounded_number(given, name, base, parts) as
    round(sqlanon._as_number(given, name, 'round_values') / base)
    * (case when round(base * parts) > 0 then round(base * parts) else base end) / parts;

create or replace macro sqlanon._rounded_integer(given, base) as
    try_cast(sign(given) * ((abs(given::hugeint) * 2 + base::hugeint) // (2 * base::hugeint)) * base::hugeint
             as bigint);

-- The form of the column's type. (DuckDB may work out both.)
create or replace macro sqlanon._rounded(given, name, base, parts) as
    coalesce(
        struct_extract(
            {'integer': sqlanon._rounded_integer(try_cast(given as bigint), base),
             'number': sqlanon._rounded_number(given, name, base, parts)},
            case when regexp_matches(typeof(given), '^(U?(TINY|SMALL)INT|U?INTEGER|BIGINT)$') then 'integer'
                 else 'number'
            end),
        case when given is not null
             then error('column ' || name || ' has a number that cannot be rounded to a BIGINT'
                        || sqlanon._such_as(given))
        end);

-- The rows with rounded values: v1, ..., kept1, ...
create or replace macro sqlanon._rounded_values(source_rows, columns, keep, base, parts) as table
    from query(sqlanon._fill($$
        select {values}{kept} from {source_rows}, (select {base}::double as base, {parts}::double as parts)
        $$, map {
            'values': sqlanon._each(
            columns,
            case when base = floor(base) and base < 9e15
                 then 'sqlanon._rounded(x{i}, {s}, base, parts) as v{i}'
                 else 'sqlanon._rounded_number(x{i}, {s}, base, parts) as v{i}'
            end, ', '),
            'kept': sqlanon._each(keep, ', kept{i}', ''), 'base': base::varchar, 'parts': parts::varchar}));

create or replace macro sqlanon._round_values(tbl, columns, keep, seed, base, parts) as table
    with _sqlanon_row as materialized (from sqlanon._perturbed_rows(tbl, columns, keep, null)),
    _sqlanon_refusal as materialized (from sqlanon._refuse_empty('_sqlanon_row', tbl)),
    _sqlanon_changed as (from sqlanon._rounded_values('_sqlanon_row', columns, keep, base, parts))
    from sqlanon._perturbed_release('_sqlanon_changed', '_sqlanon_refusal', columns, keep, seed);

create or replace macro sqlanon.round_values(tbl, columns, base, keep := null, seed := null) as table
    from query(sqlanon._perturbing('round_values', tbl, columns, keep, seed, sqlanon._let(
        coalesce(sqlanon._real_number(base, 'base', 0, false, 1e300, 'above 0'),
                 error('base must be above 0, not NULL')),
        lambda width: [sqlanon._constant(width::double), sqlanon._constant(sqlanon._parts(width))])));

comment on macro table sqlanon.round_values is $$
Releases every row of a table with numbers rounded to the nearest multiple of a base, halves away from zero.
No privacy is guaranteed: measure it with disclosure and record_linkage.

Parameters:
- tbl, columns: as in pram
- base (number, above 0): what the rounded values are multiples of.
- keep: as in pram
- seed: as in generalize

Result:
- <columns> (number): the rounded values: BIGINT where values and base are whole, otherwise DOUBLE. NULL, NaN
  and infinity stay.
- <keep> (unchanged): as in tbl.

Errors: unknown column, empty table, a column that has no numbers.

Source: Hundepool et al. 2012, sec. 3.4.

Example:
from sqlanon.round_values('people', columns := 'income', base := 5000, keep := 'name');
$$;

-- What a threshold must be for a column of this type.
create or replace macro sqlanon._threshold_kind(type_name) as
    case when sqlanon._is_number(type_name) then 'a number'
         when type_name = 'DATE' or starts_with(type_name, 'TIMESTAMP') then 'a date'
         when starts_with(type_name, 'TIME') then 'a time'
         when type_name = 'INTERVAL' then 'an interval'
         else type_name
    end;

-- Is it one? given: the threshold as text, given_type: its type; NULL where there is none but a share.
create or replace macro sqlanon._is_threshold(given, given_type, type_name) as
    given is null
    or (given_type <> 'VARCHAR' and sqlanon._threshold_kind(given_type) = sqlanon._threshold_kind(type_name))
    or (given_type = 'VARCHAR' and case sqlanon._threshold_kind(type_name)
            when 'a number' then try_cast(given as double) is not null
            when 'a date' then try_cast(given as timestamp) is not null
            when 'a time' then try_cast(given as time) is not null
            else try_cast(given as interval) is not null
        end);

-- Why a column of this type cannot be coded; NULL if it can.
create or replace macro sqlanon._coding_problem(name, type_name, method, given, given_type, replacement) as
    case when not sqlanon._is_ordered(type_name)
         then 'column ' || name || ' is ' || type_name || ': ' || method || ' takes numbers, dates and times'
         when not sqlanon._is_threshold(given, given_type, type_name)
         then 'threshold must be ' || sqlanon._threshold_kind(type_name) || ', as column ' || name || ' is '
              || type_name || ', not ' || given
         when replacement = 'mean' and not sqlanon._is_number(type_name)
         then 'column ' || name || ' is ' || type_name || ': ' || method || ' with a mean takes numbers'
    end;

-- A value of a column that can be coded, or an error. A column that cannot is a NULL of another type, so that
-- the statement is bound and the error is this one.
create or replace macro sqlanon._codable(x, problem, other) as
    struct_extract({'coded': x, 'other': case when problem is null then other else error(problem) end},
                   case when problem is null then 'coded' else 'other' end);

-- The template of such a value, as in _each; of numbers whose mean is needed as DOUBLE.
create or replace macro sqlanon._codable_template(method, given, given_type, replacement) as
    sqlanon._let(
        'sqlanon._codable(x{i}, sqlanon._coding_problem({s}, typeof(x{i}), '
        || sqlanon._literal(method) || ', ' || sqlanon._optional(given) || ', '
        || sqlanon._literal(given_type) || ', ' || sqlanon._literal(replacement)
        || '), null::' || given_type || ')',
        lambda codable:
            case when replacement = 'mean' then 'try_cast(' || codable || ' as double)' else codable end);

-- A threshold as text, without what a template would take for a place of its own: no number, date or time has
-- that.
create or replace macro sqlanon._threshold_text(threshold) as replace(threshold::varchar, '{', '(');

-- The template of the threshold of a column: a quantile of it, or a value, in a type that column and value
-- have in common.
create or replace macro sqlanon._threshold(threshold, share, replacement, is_top) as
    case when (threshold is null) = (share is null)
         then error('give either threshold, a value, or share, the share of rows that may lie beyond it')
         when replacement = 'mean' and threshold is not null and typeof(threshold) <> 'VARCHAR'
              and not sqlanon._is_number(typeof(threshold))
         then error('threshold must be a number where replacement is mean, not ' || threshold::varchar)
         when share is not null
         then sqlanon._let(
             sqlanon._real_number(share, 'share', 0, false, 1, 'above 0 and at most 1'),
             lambda part: 'quantile_disc(x{i}, ' || (case when is_top then 1 - part else part end) || ')')
         else 'coalesce(' || sqlanon._literal(sqlanon._threshold_text(threshold))
              || case when typeof(threshold) = 'VARCHAR' then '' else '::' || typeof(threshold) end
              || ', min(x{i}))'
    end;

-- Top and bottom coding. side: > or <; codable and threshold: templates, as above.

-- The rows with values that can be coded, as x1, ...
create or replace macro sqlanon._codable_rows(source_rows, columns, codable) as table
    from query(sqlanon._fill($$select * replace ({values}) from {source_rows}$$, map {
        'values': sqlanon._each(columns, codable || ' as x{i}', ', ')}));

-- The thresholds of the columns, one row: limit1, ...
create or replace macro sqlanon._coding_limits(codable_rows, columns, threshold) as table
    from query(sqlanon._fill($$select {limits} from {codable_rows}$$, map {
        'limits': sqlanon._each(columns, threshold || ' as limit{i}', ', ')}));

-- What replaces the values beyond them, one row: v1, ...
create or replace macro sqlanon._substitutes(codable_rows, limits, columns, side, replacement) as table
    from query(sqlanon._fill($$select {values} from {codable_rows}, {limits}$$, map {
        'values': sqlanon._each(
            columns,
            case when replacement = 'mean'
                 then 'sqlanon._mean(list_sort(list(x{i}) filter (where x{i} ' || side
                      || ' limit{i}))) as v{i}'
                 else 'any_value(limit{i}) as v{i}'
            end, ', ')}));

-- The rows with coded values: v1, ..., kept1, ...
create or replace macro sqlanon._coded_values(codable_rows, limits, substitutes, columns, keep, side) as table
    from query(sqlanon._fill($$select {values}{kept} from {codable_rows}, {limits}, {substitutes}$$, map {
        'values': sqlanon._each(
            columns, 'case when x{i} ' || side || ' limit{i} then v{i} else x{i} end as v{i}', ', '),
        'kept': sqlanon._each(keep, ', kept{i}', '')}));

-- No rows, or an error: a column has no mean.
create or replace macro sqlanon._refuse_no_mean(codable_rows, columns, method, replacement) as table
    from query(
        case when replacement = 'mean'
             then {call _refuse_infinities: source_rows := codable_rows, method := method || ' with a mean'}
             else 'select null as refused where false'
        end);

create or replace macro sqlanon._code_beyond(
    tbl, columns, keep, seed, method, side, codable, threshold, replacement) as table
    with _sqlanon_row as materialized (from sqlanon._perturbed_rows(tbl, columns, keep, null)),
    _sqlanon_codable as materialized (from sqlanon._codable_rows('_sqlanon_row', columns, codable)),
    _sqlanon_limit as materialized (from sqlanon._coding_limits('_sqlanon_codable', columns, threshold)),
    _sqlanon_substitute as materialized (
        from sqlanon._substitutes('_sqlanon_codable', '_sqlanon_limit', columns, side, replacement)
    ),
    _sqlanon_refusal as materialized (
        from sqlanon._refuse_empty('_sqlanon_row', tbl)
        union all
        from sqlanon._refuse_no_mean('_sqlanon_codable', columns, method, replacement)
    ),
    _sqlanon_changed as (
        from sqlanon._coded_values(
            '_sqlanon_codable', '_sqlanon_limit', '_sqlanon_substitute', columns, keep, side)
    )
    from sqlanon._perturbed_release('_sqlanon_changed', '_sqlanon_refusal', columns, keep, seed);

-- The text of a call of it.
create or replace macro sqlanon._coding_beyond(
    method, side, tbl, columns, keep, threshold, share, replacement, seed) as
    sqlanon._perturbing('code_beyond', tbl, columns, keep, seed, [
        sqlanon._literal(method),
        sqlanon._literal(side),
        sqlanon._literal(sqlanon._codable_template(
            method, sqlanon._threshold_text(threshold),
            case when threshold is null then 'VARCHAR' else typeof(threshold) end, replacement)),
        sqlanon._literal(sqlanon._threshold(threshold, share, replacement, side = '>')),
        case when coalesce(replacement in ('threshold', 'mean'), false) then sqlanon._literal(replacement)
             else error('replacement must be threshold or mean, not ' || coalesce(replacement, 'NULL'))
        end]);

create or replace macro sqlanon.top_code(
    tbl, columns, keep := null, threshold := null, share := null, replacement := 'threshold',
    seed := null) as table
    from query({sqlanon._coding_beyond: method := 'top_code', side := '>'});

create or replace macro sqlanon.bottom_code(
    tbl, columns, keep := null, threshold := null, share := null, replacement := 'threshold',
    seed := null) as table
    from query({sqlanon._coding_beyond: method := 'bottom_code', side := '<'});

comment on macro table sqlanon.top_code is $$
Releases every row of a table with all values above a threshold replaced. No privacy is guaranteed: disclosure
counts the rows at the top.

Parameters:
- tbl, columns, keep: as in pram
- threshold (value; default null): the threshold for all columns, which must be numbers, dates or times. Give
  either threshold or share.
- share (number, above 0 and at most 1; default null): the largest share of values that is replaced: the
  threshold of each column is its quantile at 1 - share.
- replacement (one of threshold, mean; default 'threshold'): threshold: values become the threshold; mean (for
  numbers): they become their mean, so the column, which is then DOUBLE, keeps its sum.
- seed: as in generalize

Result:
- <columns> (unchanged or number): the values; NULL stays NULL, NaN is above all others.
- <keep> (unchanged): as in tbl.

Errors: unknown column, empty table, a column without an order.

Source: Hundepool et al. 2012, sec. 3.3.3.

Example:
from sqlanon.top_code('people', columns := 'income', keep := 'name', threshold := 60000);
$$;

comment on macro table sqlanon.bottom_code is $$
Releases every row of a table with all values below a threshold replaced. No privacy is guaranteed: disclosure
counts the rows at the bottom.

Parameters:
- tbl, columns, keep: as in pram
- threshold: as in top_code
- share (number, above 0 and at most 1; default null): the largest share of values that is replaced: the
  threshold of each column is its quantile at share.
- replacement (one of threshold, mean; default 'threshold'): threshold: values become the threshold; mean (for
  numbers): they become their mean, so the column, which is then DOUBLE, keeps its sum.
- seed: as in generalize

Result:
- <columns> (unchanged or number): the values; NULL stays NULL.
- <keep> (unchanged): as in tbl.

Errors: as in top_code.

Source: Hundepool et al. 2012, sec. 3.3.3.

Example:
from sqlanon.bottom_code('people', columns := 'income', keep := 'name', share := 0.2, replacement := 'mean');
$$;
