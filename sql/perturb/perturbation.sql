-- Perturbation: values leave changed, by chance or to a coarser scale (Hundepool et al. 2012, Statistical Disclosure Control, ch. 3; the
-- methods of sdcMicro: Templ, Kowarik and Meindl 2015).
--
-- None of this guarantees anything about privacy: sql/risk/disclosure.sql measures what a result still discloses.
--
-- Chance is drawn from the hash of a row's number, the number of the draw, and a salt. Rows are numbered in the order of a salted hash of
-- all that is read of them. So the same seed gives the same release, however the table is stored, on any machine and DuckDB; whoever knows
-- the seed can take back what it did.

-- An empty text, once the roles of the columns make sense; an error that names the column otherwise.
create or replace macro sqlanon._perturbed_checked(columns, keep) as
    case when len(sqlanon._list(columns)) = 0
         then error('columns names no column: give at least one that is to be changed, e.g. columns := [''income'']')
         else list_transform([sqlanon._list(columns) || sqlanon._list(keep)], lambda names:
             case when len(list_filter(names, lambda name: name is null)) > 0
                  then error('a column name is NULL in columns or keep')
                  else coalesce(error('column "' || sqlanon._claimed_twice(names)  -- error(NULL) is none
                                      || '" is named twice: a column is either changed or left as it is, and once'), '')
             end)[1]
    end;

-- The names of the first list that are not in the second (names compare without case).
create or replace macro sqlanon._not_among(names, others) as
    list_filter(sqlanon._list(names), lambda name:
        not list_contains(sqlanon._lower(sqlanon._list(others)), lower(name)));

-- The arguments that all methods share, and further ones, as the text of a call of the private macro that does it.
create or replace macro sqlanon._perturbing(method, tbl, columns, keep, seed, further) as
    sqlanon._perturbed_checked(columns, keep)
    || 'from sqlanon._' || method || '(' || sqlanon._literal(tbl) || ', ' || sqlanon._names(columns) || ', ' || sqlanon._names(keep) || ', '
    || coalesce(seed::bigint::varchar, 'null') || ', ' || further || ')';

-- The rows: number (from 1), salt, x1, x2, ... (what is to be changed), kept1, ..., h1, ... (the strata). Rows of a stratum have numbers in a row.
create or replace macro sqlanon._numbered_rows(tbl, columns, keep, strata, seed) as table
    from query(
        'with _sqlanon_salt as materialized (select hash(' || coalesce(seed::bigint::varchar || '::bigint', 'uuid()') || ') as salt),'
        || ' _sqlanon_source as (select ' || sqlanon._each(columns, 'src.{c} as x{i}', ', ') || sqlanon._each(keep, ', src.{c} as kept{i}', '')
        || sqlanon._each(strata, ', src.{c} as h{i}', '')
        || '   from sqlanon._source(' || sqlanon._literal(tbl) || ', ' || sqlanon._names(columns) || ', '
        || sqlanon._names(sqlanon._list(keep) || sqlanon._not_among(strata, keep)) || ') as src)'
        || ' select row_number() over (order by ' || sqlanon._each(strata, 'h{i}, ', '')
        || '   hash(hash(row(' || sqlanon._each(columns, 'x{i}', ', ') || sqlanon._each(keep, ', kept{i}', '') || '), salt))) as number, *'
        || ' from _sqlanon_source, _sqlanon_salt');

-- A number between 0 and 1, never one of them. draw: which one of a row.
create or replace macro sqlanon._uniform(number, draw, salt) as
    ((hash(hash(number, draw, salt)) >> 12)::double + 0.5) / 4503599627370496;  -- 2^52

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
create or replace macro sqlanon._numeric_rows(rows_of, columns, method) as table
    from query(
        'select * replace (' || sqlanon._each(columns, 'sqlanon._as_number(x{i}, {s}, ' || sqlanon._literal(method) || ') as x{i}', ', ') || ') from ' || rows_of);

-- The mean and the standard deviation of numbers, from all of them in their order: sums in any other order differ in the last digits.
create or replace macro sqlanon._mean_and_deviation(sorted_numbers) as
    list_transform([{'numbers': sorted_numbers, 'mean': list_sum(sorted_numbers) / len(sorted_numbers)}], lambda of:
        {'mean': of.mean, 'deviation': sqrt(list_sum(list_transform(of.numbers, lambda x: (x - of.mean) * (x - of.mean))) / (len(of.numbers) - 1))})[1];

-- No rows, or an error: a table without rows, or a column in which nothing differs. nulls: NULL is a value.
create or replace macro sqlanon._refuse_constants(rows_of, tbl, columns, nulls) as table
    from query(
        'from sqlanon._refuse_empty(' || sqlanon._literal(rows_of) || ', ' || sqlanon._literal(tbl) || ')'
        || sqlanon._each(columns, '
            union all
            select error(''column '' || {s} || '' has fewer than two values that differ, so that nothing can be changed: keep it, or leave it out'')
            from ' || rows_of || ' having count(*) > 0 and min(x{i}) is not distinct from max(x{i})'
            || case when nulls then ' and (count(x{i}) = 0 or count(x{i}) = count(*))' else '' end, ''));

-- No rows, or an error: a column with numbers that have no distance from others.
create or replace macro sqlanon._refuse_infinities(rows_of, columns, method) as table
    from query(sqlanon._each(columns,
        'select error(''column '' || {s} || '' has NaN or infinite values: ' || method || ' takes finite numbers'') as refused'
        || ' from ' || rows_of || ' where not isfinite(x{i}) having count(*) > 0', ' union all '));

-- The release: the changed and the kept columns of every row, and no other, in the order of a salted hash of what is released, as in
-- sql/anonymize/recoding.sql. changed: salt, v1, v2, ..., kept1, ...
create or replace macro sqlanon._perturbed_release(changed, refusals, columns, keep) as table
    from query(
        'select ' || sqlanon._each(columns, 'changed.v{i} as {c}', ', ') || sqlanon._each(keep, ', changed.kept{i} as {c}', '')
        || ' from ' || changed || ' as changed where (select count(refused) from ' || refusals || ') = 0'
        || ' order by hash(hash(row(' || sqlanon._each(columns, 'changed.v{i}', ', ') || sqlanon._each(keep, ', changed.kept{i}', '') || '), changed.salt))');

-- Post-randomization (PRAM). With the probability `retain` a value stays; otherwise it is erased, and one is drawn from the distribution p of
-- all values: r_ij = retain [i = j] + (1 - retain) p_j. That is the two-stage matrix of Gouweleeuw, Kooiman, Willenborg and de Wolf (1998, sec. 4):
-- the second stage undoes the first by Bayes. It is invariant: sum_i p_i r_ij = retain p_j + (1 - retain) p_j = p_j.
-- What is drawn is the value of any row of the stratum, which has the distribution p.
create or replace macro sqlanon._pram(tbl, columns, keep, seed, retain, strata) as table
    with _sqlanon_row as materialized (from sqlanon._numbered_rows(tbl, columns, keep, strata, seed)),
    _sqlanon_refusal as materialized (from sqlanon._refuse_constants('_sqlanon_row', tbl, columns, true)),
    _sqlanon_stratum as materialized (
        from query('select ' || sqlanon._each(strata, 'h{i}, ', '') || 'min(number) as start, count(*) as size from _sqlanon_row'
                   || case when len(strata) = 0 then '' else ' group by ' || sqlanon._each(strata, 'h{i}', ', ') end)
    ),
    -- other1, ...: the rows that values are taken from; the row itself, where its value stays.
    _sqlanon_drawn as materialized (
        from query(
            'select own.*, ' || sqlanon._each(columns,
                'case when sqlanon._uniform(number, 2 * {i} - 1, salt) < ' || retain || ' then number
                      else start + floor(sqlanon._uniform(number, 2 * {i}, salt) * size)::bigint end as other{i}', ', ')
            || ' from _sqlanon_row as own join _sqlanon_stratum as stratum on true' || sqlanon._each(strata, ' and own.h{i} is not distinct from stratum.h{i}', ''))
    ),
    _sqlanon_changed as (
        from query(
            'select drawn.salt, ' || sqlanon._each(columns, 'row{i}.x{i} as v{i}', ', ') || sqlanon._each(keep, ', drawn.kept{i}', '') || ' from _sqlanon_drawn as drawn'
            || sqlanon._each(columns, ' join _sqlanon_row as row{i} on row{i}.number = drawn.other{i}', ''))
    )
    from sqlanon._perturbed_release('_sqlanon_changed', '_sqlanon_refusal', columns, keep);

create or replace macro sqlanon.pram(tbl, columns, keep := null, retain := 0.8, strata := null, seed := null) as table
    from query(
        sqlanon._perturbed_checked(columns, strata)
        || sqlanon._perturbing('pram', tbl, columns, keep, seed,
               coalesce(sqlanon._real_number(retain, 'retain', 0, true, 1, 'between 0 and 1')::varchar, error('retain must be between 0 and 1, not NULL'))
               || ', ' || sqlanon._names(strata)));

comment on macro table sqlanon.pram is $$
Releases every row of a table with values changed by chance, by invariant post-randomization: expected
frequencies are those of the table. No privacy is guaranteed: measure it with disclosure.

Parameters:
- tbl (table): the raw rows.
- columns (columns): to be changed, each for itself.
- keep (columns; default null): further columns that leave unchanged; what nobody names does not leave.
- retain (number, 0 to 1; default 0.8): the probability that a value stays; otherwise one is drawn from the
  distribution of the column: r_ij = retain [i = j] + (1 - retain) p_j.
- strata (columns; default null): values are drawn among rows with the same values of these columns.
- seed (integer; default null): fixes what is drawn, and the order of rows; it must stay secret.

Result:
- <columns> (unchanged): the changed values; NULL is a value of its own.
- <keep> (unchanged): as it was.

Errors: unknown column, empty table, a column with one value.

Source: Gouweleeuw, Kooiman, Willenborg and de Wolf 1998, sec. 4; Templ, Kowarik and Meindl 2015.

Example:
from sqlanon.pram('people', columns := 'disease', keep := 'name', retain := 0.7);
$$;

-- Rank swapping. Moore lets a value swap with one of the next w = p N in the order of the column that have not swapped yet, one value after the
-- other. Here all swap at once: the order is cut into blocks of w or w + 1 values (an even number), from a random place on, and the values of a
-- block swap in random pairs. Only the last block can be odd: one value may stay.

-- Per column: n1, ... (values that are not NULL) and block1, ... (how many make a block).
create or replace macro sqlanon._swapped_blocks(rows_of, columns, p) as table
    from query('select ' || sqlanon._each(columns, 'count(x{i}) as n{i}, (floor(' || p || ' * count(x{i}) + 1e-9)::bigint + 1) // 2 * 2 as block{i}', ', ') || ' from ' || rows_of);

create or replace macro sqlanon._refuse_narrow(blocks, columns, p) as table
    from query(sqlanon._each(columns,
        'select error(''p of '' || ' || p || ' || '' allows no swap in column '' || {s} || '', which has '' || n{i} || '' values: give at least '' || 1 / n{i}) as refused'
        || ' from ' || blocks || ' where block{i} = 0', ' union all '));

-- The values of a column, swapped: number, v.
create or replace macro sqlanon._swapped(rows_of, blocks, i) as table
    from query(replace(
        'select number, case when row_number() over shuffled % 2 = 1 then coalesce(lead(x) over shuffled, x) else lag(x) over shuffled end as v
         from (
             select number, x, (rank - 1 + 2 * floor(sqlanon._uniform(0, {i}, salt) * block // 2)::bigint) // block as part, sqlanon._uniform(number, {i}, salt) as place
             from (select number, salt, x{i} as x, block{i} as block, row_number() over (order by x{i}, number) as rank
                   from ' || rows_of || ', ' || blocks || ' where x{i} is not null)
         )
         window shuffled as (order by part, place, number)', '{i}', i::varchar));

create or replace macro sqlanon._rank_swap(tbl, columns, keep, seed, p) as table
    with _sqlanon_row as materialized (from sqlanon._numbered_rows(tbl, columns, keep, null, seed)),
    _sqlanon_block as materialized (from sqlanon._swapped_blocks('_sqlanon_row', columns, p)),
    _sqlanon_refusal as materialized (
        from sqlanon._refuse_constants('_sqlanon_row', tbl, columns, false)
        union all from sqlanon._refuse_narrow('_sqlanon_block', columns, p)
    ),
    _sqlanon_changed as (
        from query(
            'select own.salt, ' || sqlanon._each(columns, 'swapped{i}.v as v{i}', ', ') || sqlanon._each(keep, ', own.kept{i}', '') || ' from _sqlanon_row as own'
            || sqlanon._each(columns, ' left join sqlanon._swapped(''_sqlanon_row'', ''_sqlanon_block'', {i}) as swapped{i} on swapped{i}.number = own.number', ''))
    )
    from sqlanon._perturbed_release('_sqlanon_changed', '_sqlanon_refusal', columns, keep);

create or replace macro sqlanon.rank_swap(tbl, columns, keep := null, p := 0.05, seed := null) as table
    from query(
        sqlanon._perturbing('rank_swap', tbl, columns, keep, seed,
            coalesce(sqlanon._real_number(p, 'p', 0, false, 1, 'above 0 and at most 1')::varchar, error('p must be above 0 and at most 1, not NULL'))));

comment on macro table sqlanon.rank_swap is $$
Releases every row of a table with values swapped in pairs of near ranks, so that a column has the same values
afterwards. No privacy is guaranteed: measure it with disclosure and record_linkage.

Parameters:
- tbl, columns, keep: as in pram
- p (number, above 0 and at most 1; default 0.05): how far apart the ranks of a pair are at most, as a share
  of the values that are not NULL, which alone are swapped.
- seed: as in pram

Result:
- <columns> (unchanged): the swapped values, of any type with an order; if their number is odd, one stays.
- <keep> (unchanged): as it was.

Errors: unknown column, empty table, a column with one value, a p that allows no swap.

Source: Moore 1996 (all pairs at once, within blocks of ranks).

Example:
from sqlanon.rank_swap('people', columns := 'income', keep := 'name', p := 0.2);
$$;

-- Additive noise: x + scale s e, where s is the column's standard deviation and e is drawn from the standard normal distribution.
create or replace macro sqlanon._deviations(numeric_rows, columns) as table
    from query('select ' || sqlanon._each(columns, 'sqlanon._mean_and_deviation(list_sort(list(x{i}) filter (where x{i} is not null))).deviation as s{i}', ', ') || ' from ' || numeric_rows);

create or replace macro sqlanon._refuse_wide(deviations, columns) as table
    from query(sqlanon._each(columns,
        'select error(''column '' || {s} || '' has numbers so large that their standard deviation is none'') as refused from ' || deviations || ' where not isfinite(s{i})', ' union all '));

create or replace macro sqlanon._add_noise(tbl, columns, keep, seed, scale) as table
    with _sqlanon_row as materialized (from sqlanon._numbered_rows(tbl, columns, keep, null, seed)),
    _sqlanon_numeric as materialized (from sqlanon._numeric_rows('_sqlanon_row', columns, 'add_noise')),
    _sqlanon_deviation as materialized (from sqlanon._deviations('_sqlanon_numeric', columns)),
    _sqlanon_refusal as materialized (
        from sqlanon._refuse_constants('_sqlanon_numeric', tbl, columns, false)
        union all from sqlanon._refuse_infinities('_sqlanon_numeric', columns, 'add_noise')
        union all from sqlanon._refuse_wide('_sqlanon_deviation', columns)
    ),
    _sqlanon_changed as (
        from query(
            'select salt, '
            || sqlanon._each(columns, 'x{i} + ' || scale || ' * s{i} * sqlanon._normal(sqlanon._uniform(number, 2 * {i} - 1, salt), sqlanon._uniform(number, 2 * {i}, salt)) as v{i}', ', ')
            || sqlanon._each(keep, ', kept{i}', '') || ' from _sqlanon_numeric, _sqlanon_deviation')
    )
    from sqlanon._perturbed_release('_sqlanon_changed', '_sqlanon_refusal', columns, keep);

create or replace macro sqlanon.add_noise(tbl, columns, keep := null, scale := 0.1, seed := null) as table
    from query(
        sqlanon._perturbing('add_noise', tbl, columns, keep, seed,
            coalesce(sqlanon._real_number(scale, 'scale', 0, false, 1e6, 'above 0 and at most 1000000')::varchar, error('scale must be above 0, not NULL')) || '::double'));

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
- <keep> (unchanged): as it was.

Errors: unknown column, empty table, a column that has no numbers, one value only, NaN or infinity.

Source: Hundepool et al. 2012, sec. 3.4.1; Box and Muller 1958.

Example:
from sqlanon.add_noise('people', columns := 'income', keep := 'name', scale := 0.1);
$$;

-- Rounding, half away from zero. base: a number above 0; parts: how many make 1 if it is a decimal fraction, so that 3 * 0.1 is 0.3: the quotient
-- of two whole numbers is rounded once. Whole numbers stay whole.
create or replace macro sqlanon._parts(base) as
    10.0::double ** coalesce(list_filter(range(0, 16), lambda digits: abs(base * 10.0::double ** digits - round(base * 10.0::double ** digits)) < 1e-9)[1], 0);

create or replace macro sqlanon._rounded_number(given, name, base, parts) as
    round(sqlanon._as_number(given, name, 'round_values') / base) * (case when round(base * parts) > 0 then round(base * parts) else base end) / parts;

create or replace macro sqlanon._rounded_integer(given, base) as
    try_cast(sign(given) * ((abs(given::hugeint) * 2 + base::hugeint) // (2 * base::hugeint)) * base::hugeint as bigint);

-- The form of the column's type. (DuckDB may work out both.)
create or replace macro sqlanon._rounded(given, name, base, parts) as
    coalesce(
        struct_extract({'integer': sqlanon._rounded_integer(try_cast(given as bigint), base), 'number': sqlanon._rounded_number(given, name, base, parts)},
                       case when regexp_matches(typeof(given), '^(U?(TINY|SMALL)INT|U?INTEGER|BIGINT)$') then 'integer' else 'number' end),
        case when given is not null then error('column ' || name || ': ' || given || ' cannot be rounded to a BIGINT') end);

create or replace macro sqlanon._round_values(tbl, columns, keep, seed, base, parts) as table
    with _sqlanon_row as materialized (from sqlanon._numbered_rows(tbl, columns, keep, null, seed)),
    _sqlanon_refusal as materialized (from sqlanon._refuse_empty('_sqlanon_row', tbl)),
    _sqlanon_changed as (
        from query('select salt, ' || sqlanon._each(columns, 'sqlanon._rounded' || case when base = floor(base) and base < 9e15 then '' else '_number' end || '(x{i}, {s}, ' || base || ', ' || parts || ') as v{i}', ', ') || sqlanon._each(keep, ', kept{i}', '')
                   || ' from _sqlanon_row')
    )
    from sqlanon._perturbed_release('_sqlanon_changed', '_sqlanon_refusal', columns, keep);

create or replace macro sqlanon.round_values(tbl, columns, base, keep := null, seed := null) as table
    from query(
        sqlanon._perturbing('round_values', tbl, columns, keep, seed,
            list_transform([coalesce(sqlanon._real_number(base, 'base', 0, false, 1e300, 'above 0'), error('base must be above 0, not NULL'))], lambda width:
                '''' || width || '''::double, ''' || sqlanon._parts(width) || '''::double')[1]));

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
- <keep> (unchanged): as it was.

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

-- An empty text, or an error that tells why a column of this type cannot be coded.
create or replace macro sqlanon._coded_column_checked(name, type_name, method, given, given_type) as
    case when not sqlanon._is_ordered(type_name) then error('column ' || name || ' is ' || type_name || ': ' || method || ' takes numbers, dates and times')
         when not sqlanon._is_threshold(given, given_type, type_name)
         then error('threshold must be ' || sqlanon._threshold_kind(type_name) || ', as column ' || name || ' is ' || type_name || ', not ' || given)
         else ''
    end;

-- Top and bottom coding. side: > or <. threshold: the text of an expression, or of a quantile; given and given_type: as above. A column that cannot be
-- coded has the type of the threshold, so that the statement is bound and the error is the one above.
create or replace macro sqlanon._beyond_columns(tbl, columns, keep, seed, method, side, threshold, given, given_type, replacement) as table
    with _sqlanon_row as materialized (from sqlanon._numbered_rows(tbl, columns, keep, null, seed)),
    _sqlanon_typed as materialized (
        from query(
            'select * replace (' || sqlanon._each(columns,
                case when replacement = 'mean'
                     then 'case when typeof(of_kind{i}) = typeof(x{i}) then sqlanon._as_number(of_kind{i}, {s}, ' || sqlanon._literal(method || ' with a mean')
                          || ') else try_cast(of_kind{i} as double) end'
                     else 'of_kind{i}' end || ' as x{i}', ', ')
            || ') from (select *, ' || sqlanon._each(columns,
                -- Both parts raise the error: DuckDB 1.4 works out both, 2.0 the chosen one.
                replace(replace(
                    'struct_extract({''coded'': case when {problem} = '''' then x{i} end, ''other'': case when {problem} = '''' then null::' || given_type || ' end},'
                    || ' case when sqlanon._is_ordered(typeof(x{i})) and sqlanon._is_threshold({given}, typeof(x{i})) then ''coded'' else ''other'' end)',
                    '{problem}', 'sqlanon._coded_column_checked({s}, typeof(x{i}), ' || sqlanon._literal(method) || ', {given})'),
                    '{given}', sqlanon._optional(given) || ', ' || sqlanon._literal(given_type))
                || ' as of_kind{i}', ', ') || ' from _sqlanon_row)')
    ),
    _sqlanon_limit as materialized (from query('select ' || sqlanon._each(columns, replace(threshold, '{x}', 'x{i}') || ' as limit{i}', ', ') || ' from _sqlanon_typed')),
    _sqlanon_substitute as materialized (
        from query('select ' || sqlanon._each(columns,
            case when replacement = 'mean' then 'sqlanon._mean_and_deviation(list_sort(list(x{i}) filter (where x{i} ' || side || ' limit{i}))).mean as v{i}'
                 else 'any_value(limit{i}) as v{i}' end, ', ')
            || ' from _sqlanon_typed, _sqlanon_limit')
    ),
    _sqlanon_refusal as materialized (
        from query('from sqlanon._refuse_empty(''_sqlanon_row'', ' || sqlanon._literal(tbl) || ')'
            || case when replacement = 'mean' then ' union all from sqlanon._refuse_infinities(''_sqlanon_typed'', ' || sqlanon._names(columns) || ', ' || sqlanon._literal(method || ' with a mean') || ')'
                    else '' end)
    ),
    _sqlanon_changed as (
        from query('select salt, ' || sqlanon._each(columns, 'case when x{i} ' || side || ' limit{i} then v{i} else x{i} end as v{i}', ', ') || sqlanon._each(keep, ', kept{i}', '')
                   || ' from _sqlanon_typed, _sqlanon_limit, _sqlanon_substitute')
    )
    from sqlanon._perturbed_release('_sqlanon_changed', '_sqlanon_refusal', columns, keep);

-- A threshold as text, without what a template would take for a place of its own: no number, date or time has that.
create or replace macro sqlanon._threshold_text(threshold) as replace(threshold::varchar, '{', '(');

-- The text of the threshold, of which {x} is a column: a quantile of it, or a value, in a type that column and value have in common.
create or replace macro sqlanon._threshold(threshold, share, replacement, is_top) as
    case when (threshold is null) = (share is null) then error('give either threshold, a value, or share, the share of rows that may lie beyond it')
         when replacement = 'mean' and threshold is not null and typeof(threshold) <> 'VARCHAR' and not sqlanon._is_number(typeof(threshold))
         then error('threshold must be a number where replacement is mean, not ' || threshold::varchar)
         when share is not null
         then list_transform([sqlanon._real_number(share, 'share', 0, false, 1, 'above 0 and at most 1')], lambda part:
             'quantile_disc({x}, ' || (case when is_top then 1 - part else part end) || ')')[1]
         else 'coalesce(' || sqlanon._literal(sqlanon._threshold_text(threshold)) || case when typeof(threshold) = 'VARCHAR' then '' else '::' || typeof(threshold) end || ', min({x}))'
    end;

create or replace macro sqlanon._beyond(method, side, tbl, columns, keep, threshold, share, replacement, seed) as
    sqlanon._perturbing('beyond_columns', tbl, columns, keep, seed,
        sqlanon._literal(method) || ', ' || sqlanon._literal(side) || ', ' || sqlanon._literal(sqlanon._threshold(threshold, share, replacement, side = '>')) || ', '
        || sqlanon._optional(sqlanon._threshold_text(threshold)) || ', ' || sqlanon._literal(case when threshold is null then 'VARCHAR' else typeof(threshold) end) || ', '
        || case when coalesce(replacement in ('threshold', 'mean'), false) then sqlanon._literal(replacement)
                else error('replacement must be threshold or mean, not ' || coalesce(replacement, 'NULL')) end);

create or replace macro sqlanon.top_code(tbl, columns, keep := null, threshold := null, share := null, replacement := 'threshold', seed := null) as table
    from query(sqlanon._beyond('top_code', '>', tbl, columns, keep, threshold, share, replacement, seed));

create or replace macro sqlanon.bottom_code(tbl, columns, keep := null, threshold := null, share := null, replacement := 'threshold', seed := null) as table
    from query(sqlanon._beyond('bottom_code', '<', tbl, columns, keep, threshold, share, replacement, seed));

comment on macro table sqlanon.top_code is $$
Releases every row of a table with all values above a threshold replaced. No privacy is guaranteed: disclosure
counts the rows at the top.

Parameters:
- tbl, columns, keep: as in pram
- threshold (value; default null): the threshold of all the columns, which are numbers, dates or times. Either
  this or share.
- share (number, above 0 and at most 1; default null): the largest share of values that is replaced: the
  threshold of each column is its quantile at 1 - share.
- replacement (one of threshold, mean; default 'threshold'): values become the threshold; or, of numbers, the
  mean of those above it, and the column, then DOUBLE, keeps its total.
- seed: as in generalize

Result:
- <columns> (unchanged or number): the values; NULL stays NULL, NaN is above all others.
- <keep> (unchanged): as it was.

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
- replacement (one of threshold, mean; default 'threshold'): values become the threshold; or, of numbers, the
  mean of those below it, and the column, then DOUBLE, keeps its total.
- seed: as in generalize

Result:
- <columns> (unchanged or number): the values; NULL stays NULL.
- <keep> (unchanged): as it was.

Errors: as in top_code.

Source: Hundepool et al. 2012, sec. 3.3.3.

Example:
from sqlanon.bottom_code('people', columns := 'income', keep := 'name', share := 0.2, replacement := 'mean');
$$;
