-- Cell keys: every count of a table leaves with a little noise, which is the same whenever the same people
-- are counted (Fraser and Wooton 2005, A proposed method for confidentialising tabular output to protect
-- against differencing; the method of the Australian and the British census).
--
-- Everybody has a random number that never changes, the record key. The key of a cell is the sum of the
-- record keys in it, modulo the number of keys. A perturbation table says which noise a count with such a
-- key gets. So to ask twice, or in another table or month, gives the same noise for the same people, and no
-- mean of several answers takes it away. Totals get noise of their own: they do not add up.
--
-- The perturbation table is drawn up so that noise is 0 on average, has a given variance and is never
-- beyond a given size, nor makes a count less than 0. Of all such distributions it has the one of the
-- greatest entropy, which says no more than this (Giessing 2016, Computational issues in the design of
-- transition probabilities and disclosure risk estimation for additive noise). It is p(v) = exp(a v + b
-- v^2) / Z, and a and b are found by Newton's method, whose step is shortened so that it cannot go too far.

-- The noise that each count can have: pcv (the count), v. Larger counts are as the last. Targets from 1 to
-- blocked do not occur.
create or replace macro sqlanon._possible_noise(largest, blocked) as table
    select pcv, v
    from range(1, largest + blocked + if(blocked > 0, 2, 1)) as counted(pcv),
         range(-largest, largest + 1) as noise(v)
    where pcv + v >= 0 and pcv + v not between 1 and blocked;

-- No rows, or an error: a count that no noise of this size and variance fits. With mean 0 the variance is at
-- most the product of the furthest noise below and above, and at least that of the nearest.
create or replace macro sqlanon._refuse_noise(possible_noise, variance) as table
    with reach as (
        select pcv, coalesce(-min(v) * max(v), 0) as most,
               if(bool_or(v = 0), 0, -max(v) filter (v < 0) * min(v) filter (v > 0)) as least,
               count(*) as distinct_noise
        from query_table(possible_noise) group by pcv
    )
    select error('no noise has the mean 0 and the variance ' || sqlanon._number_text(variance)
                 || ' for a count of ' || min(pcv) || ': the variance must be above '
                 || sqlanon._number_text(min_by(coalesce(least, most), pcv)) || ' and below '
                 || sqlanon._number_text(min_by(most, pcv)) || ' (by largest and blocked)') as refused
    from reach
    where distinct_noise < 3 or not coalesce(variance > least and variance < most, false) having count(*) > 0;

-- Probabilities, up to a factor, by a and b of each count: pcv, a, b, v, w. state: pcv, a, b.
create or replace macro sqlanon._weighted_noise(state, possible_noise) as table
    select pcv, a, b, v, exp(a * v + b * v * v - max(a * v + b * v * v) over (partition by pcv)) as w
    from query_table(state) join query_table(possible_noise) using (pcv);

-- A step of Newton's method: pcv, a, b, off (by how much the mean and the variance were off), nth.
create or replace macro sqlanon._next_noise(state, possible_noise, variance) as table
    with weighted as (from sqlanon._weighted_noise(state, possible_noise)),
    moment as (
        select pcv, a, b, sum(w * v) / sum(w) as m1, sum(w * v ** 2) / sum(w) as m2,
               sum(w * v ** 3) / sum(w) as m3, sum(w * v ** 4) / sum(w) as m4
        from weighted group by pcv, a, b
    ),
    gradient as (
        select pcv, a, b, m1 as g1, m2 - variance as g2, m2 - m1 ** 2 as h11, m3 - m1 * m2 as h12,
               m4 - m2 ** 2 as h22
        from moment
    ),
    direction as (
        select *, (h22 * g1 - h12 * g2) / (h11 * h22 - h12 ** 2) as d1,
               (h11 * g2 - h12 * g1) / (h11 * h22 - h12 ** 2) as d2
        from gradient
    )
    select pcv, a - d1 / (1 + sqrt(greatest(0, g1 * d1 + g2 * d2))) as a,
           b - d2 / (1 + sqrt(greatest(0, g1 * d1 + g2 * d2))) as b, greatest(abs(g1), abs(g2)) as off
    from direction;

-- a and b of each count: pcv, a, b.
create or replace macro sqlanon._fitted_noise(possible_noise, variance) as table
    with recursive state as (
        select distinct pcv, 0::double as a, 0::double as b, 'infinity'::double as off, 1 as nth
        from query_table(possible_noise)
        union all
        select next.*, nth + 1
        from sqlanon._next_noise('state', possible_noise, variance) as next,
             (select max(nth) as nth from state)
        where nth < 500 and (select max(off) from state) > 1e-10
    )
    select pcv, a, b from state where nth = (select max(nth) from state);

-- The perturbation table: pcv, ckey, pvalue. Each noise has as many of the keys as its probability says, to
-- the nearest whole number, the smallest noise the first.
create or replace macro sqlanon._perturbation_table(largest, variance, blocked, keys) as table
    with _sqlanon_noise as materialized (from sqlanon._possible_noise(largest, blocked)),
    _sqlanon_refused_noise as materialized (from sqlanon._refuse_noise('_sqlanon_noise', variance)),
    _sqlanon_fitted as materialized (
        from sqlanon._fitted_noise('_sqlanon_noise', variance)
        where (select count(refused) = 0 from _sqlanon_refused_noise)
    ),
    weighted as (from sqlanon._weighted_noise('_sqlanon_fitted', '_sqlanon_noise')),
    cumulated as (
        select pcv, v, sum(w) over (partition by pcv order by v) / sum(w) over (partition by pcv) as upto
        from weighted
    ),
    bounded as (
        select pcv, v, round(upto * keys)::bigint as above,
               coalesce(lag(round(upto * keys)::bigint) over (partition by pcv order by v), 0) as least
        from cumulated
    )
    select pcv::bigint as pcv, unnest(range(least, above)) as ckey, v::bigint as pvalue from bounded
    union all by name
    select refused::bigint as pcv from _sqlanon_refused_noise;

create or replace macro sqlanon.perturbation_table(largest, variance, blocked := 0, keys := 4096) as table
    from sqlanon._perturbation_table(
        coalesce(sqlanon._whole_number_within(
                     largest, 'largest', 1, 100, 'a whole number from 1 to 100'),
                 error('largest must be a whole number from 1 to 100, not NULL')),
        coalesce(sqlanon._real_number(variance, 'variance', 0, false, 10000, 'above 0'),
                 error('variance must be above 0, not NULL')),
        sqlanon._whole_number_up_to(blocked, 'blocked', 100),
        coalesce(sqlanon._whole_number_within(keys, 'keys', 16, 1000000, 'a whole number from 16 to 1000000'),
                 error('keys must be a whole number from 16 to 1000000, not NULL')));

comment on macro table sqlanon.perturbation_table is $$
Makes a table of noise for cell_keys, with a given largest noise and variance: one row per count and cell key.

Parameters:
- largest (integer, 1 to 100): the largest change of a count.
- variance (number, above 0): the variance of the noise, the same for all counts.
- blocked (integer, 0 to 100; default 0): counts from 1 to this number are never published: they become 0 or a
  larger count.
- keys (integer, 16 to 1000000; default 4096): the number of cell keys. Probabilities are multiples of 1/keys.

Result:
- pcv (integer): the count, from 1. Larger counts than the last have its noise.
- ckey (integer): the cell key, from 0.
- pvalue (integer): the noise that is added to the count.

Errors: a variance that is impossible for noise with mean 0 that makes no count negative; for a count of 1 it
must be below largest, and with blocked above it.

Notes: of all distributions with this mean, variance and largest noise, it is the one with the greatest
entropy. A count of 0 stays 0. Somebody who has the table and knows a cell key knows the noise: publish
largest and variance, but not the table and the keys.

Source: Giessing 2016, Computational issues in the design of transition probabilities and disclosure risk
estimation for additive noise, section 2; Fraser and Wooton 2005.

Example:
from sqlanon.perturbation_table(largest := 2, variance := 1.1, keys := 16) where pcv = 1;
$$;

-- The perturbation table, read: pcv, ckey, pvalue (of what is no whole number NULL).
create or replace macro sqlanon._read_perturbations(ptable) as table
    from query(sqlanon._fill($$
        select sqlanon._whole_or_null(src.pcv) as pcv, sqlanon._whole_or_null(src.ckey) as ckey,
               sqlanon._whole_or_null(src.pvalue) as pvalue
        from {source} as src
    $$, map {'source': sqlanon._projected(ptable, ['pcv', 'ckey', 'pvalue'], null, null)}));
create or replace macro sqlanon._whole_or_null(given) as
    sqlanon._let(try_cast(given::varchar as double), lambda number:
                 case when number = floor(number) and abs(number) < 9e15 then number::bigint end);

-- The records: person (a number of the row without a unit), own_key (NULL: none).
create or replace macro sqlanon._keyed_records(tbl, record_key, unit) as table
    from query(sqlanon._fill($$
        select {person} as person, sqlanon._whole_or_null(src.{"record_key"}) as own_key from {source} as src
    $$, map {
        'person': coalesce(sqlanon._person(unit, null), 'row_number() over ()'),
        'source': sqlanon._projected(tbl, record_key, unit, null)}));

-- The rows with record keys: the columns in dimensions, unit, _sqlanon_record_key. hash_function: the name
-- of a function that gives a keyed hash of a text in hexadecimal, which Python registers. What is hashed is
-- not what masks hash, so pseudonyms that are published say nothing of record keys.
create or replace macro sqlanon._with_record_keys(tbl, dimensions, unit, hash_function) as table
    from query(sqlanon._fill($$
        with _sqlanon_row as (select src.*, {person} as _sqlanon_person from {source} as src),
        _sqlanon_person as (select distinct _sqlanon_person as person from _sqlanon_row),
        _sqlanon_keyed as (
            select person, case when person is null then error({message})
                                else '0x' || left({hash}('record key of ' || person::varchar), 6) end::bigint
                               as record_key
            from _sqlanon_person
        )
        select own.* exclude (_sqlanon_person), keyed.record_key as _sqlanon_record_key
        from _sqlanon_row as own
        join _sqlanon_keyed as keyed on keyed.person is not distinct from own._sqlanon_person
    $$, map {
        'source': sqlanon._projected(tbl, dimensions, unit, null),
        'person': sqlanon._person(unit, null),
        'message': sqlanon._literal(
            'column "' || unit || '" (unit) is missing in some rows: whose are they?'),
        'hash': sqlanon._quote(hash_function)}));

-- No rows, or an error: a perturbation table with a hole, or with noise that makes a count negative; records
-- without a key, or with several; keys of fewer values than the cell keys.
create or replace macro sqlanon._refuse_cell_keys(
    perturbations, records, ptable, tbl, record_key, repeating) as table
    with size as (
        select min(pcv) as first, max(pcv) as last, max(ckey) + 1 as keys, count(*) as entries,
               count(distinct (pcv, ckey)) as pairs, bool_and(pcv >= 0 and ckey >= 0) as is_positive,
               count(pcv) = count(*) and count(ckey) = count(*) and count(pvalue) = count(*) as is_whole,
               min(pcv + pvalue) as least
        from query_table(perturbations)
    ),
    largest_key as (
        select max(own_key) as largest_key, count(distinct person) as people,
               count(*) filter (own_key is null or own_key < 0 or own_key >= 16777216) as wrong
        from query_table(records)
    )
    select error('perturbation table ' || ptable || ' '
                 || case when entries = 0 then 'is empty'
                         when not is_whole then 'has values that are no whole numbers'
                         when not is_positive then 'has counts or cell keys below 0'
                         when pairs < entries then 'has a pair of pcv and ckey twice'
                         when pairs < (last - first + 1) * keys or first > 1
                         then 'lacks pairs of pcv and ckey: it needs every count from 1 to the largest, with '
                              || 'every key from 0'
                         when least < 0 then 'makes a count negative'
                         else 'has ' || last || ' counts: repeating must be at most so many' end) as refused
    from size
    where entries = 0 or not is_whole or not is_positive or pairs < entries
       or pairs < (last - first + 1) * keys or first > 1 or least < 0 or repeating > last
    union all
    select error('column "' || record_key || '" of table ' || tbl || ' has no record key in ' || wrong
                 || ' rows, a whole number from 0 to 16777215') from largest_key where wrong > 0
    union all
    select error('column "' || record_key || '" of table ' || tbl || ' has several keys for ' || count(*)
                 || ' people: the same person must have the same key')
    from (select person from query_table(records) group by person
          having min(own_key) < max(own_key)) having count(*) > 0
    union all
    select error('column "' || record_key || '" of table ' || tbl || ' has keys up to ' || largest_key
                 || ', table ' || ptable || ' up to ' || (keys - 1)
                 || ': record keys must be drawn from as many')
    from largest_key, size where people >= 20 and largest_key + 1 < keys / 2;

-- The count whose noise a count has. The last counts of the table stand for larger ones, in turn.
create or replace macro sqlanon._count_of_noise(n, last, repeating) as
    case when n <= last then n else last - repeating + 1 + (n - last - 1) % repeating end;

create or replace macro sqlanon._cell_keys(
    tbl, dimensions, ptable, record_key, unit, hierarchies, total_mark, with_empty, repeating) as table
    with _sqlanon_perturbation as materialized (from sqlanon._read_perturbations(ptable)),
    _sqlanon_record as materialized (from sqlanon._keyed_records(tbl, record_key, unit)),
    _sqlanon_key_refusal as materialized (
        from sqlanon._refuse_cell_keys(
            '_sqlanon_perturbation', '_sqlanon_record', ptable, tbl, record_key, repeating)
    ),
    _sqlanon_size as (
        select max(pcv) as last, max(ckey) + 1 as all_keys from _sqlanon_perturbation
        where (select count(refused) = 0 from _sqlanon_key_refusal)
    ),
    _sqlanon_keyed as (
        select cells.*, sqlanon._count_of_noise(contributors, last, repeating) as _sqlanon_pcv,
               value::bigint % all_keys as _sqlanon_ckey
        from {sqlanon._table_cells: measure := record_key, weight := null, of_person := 'max', kept := 'true'}
                 as cells, _sqlanon_size
    )
    from query(sqlanon._fill($$
        select {each dimensions: {c}}, contributors + coalesce(pvalue, 0) as value
        from _sqlanon_keyed left join _sqlanon_perturbation on pcv = _sqlanon_pcv and ckey = _sqlanon_ckey
        union all by name
        select refused::bigint as value from _sqlanon_key_refusal
    $$));

create or replace macro sqlanon.cell_keys(
    tbl, dimensions, ptable, record_key := null, unit := null, hierarchies := null, total := 'total',
    empty_cells := true, repeating := 1) as table
    from query(
        case when total is null then error('total must be the text that marks a total, not NULL: NULL is a '
                                           || 'value of a dimension')
             when empty_cells is null then error('empty_cells must be true or false, not NULL')
             when record_key is null
             then error('give record_key, the column with record keys (the function of Python can make '
                        || 'them from the unit and a secret key)')
             else sqlanon._checked_dimensions(
                 dimensions, sqlanon._list(record_key) || sqlanon._list(unit), ', record_key or unit')
        end
        || {call _cell_keys:
            total_mark := total::varchar, with_empty := empty_cells,
            repeating := sqlanon._whole_given(repeating, 'repeating')});

comment on macro table sqlanon.cell_keys is $$
Counts people in every cell of a table, with all totals, and adds noise by cell keys: the same people always
get the same noise. One row per cell.

Parameters:
- tbl (table): the raw rows.
- dimensions: as in table_cells
- ptable (table): the perturbation table, with columns pcv (a count), ckey (a cell key) and pvalue (the
  noise), as perturbation_table returns it.
- record_key (column; default null): a random whole number from 0 to 16777215 for each person, which never
  changes and is secret. It must be given; in Python it can be made from the unit and a secret key.
- unit (column; default null): identifies the person of a row. Then a person counts once in a cell, with one
  key, however many rows they have there; p1 and "P1 " are spellings of one person. If not given, every row
  counts as a person.
- hierarchies, total, empty_cells: as in table_cells
- repeating (integer, at least 1; default 1): counts above the largest one in ptable get the noise of its last
  counts in turn; this is the number of these counts: 250 for a table of the British Office for National
  Statistics.

Result:
- <dimensions> (text): the label of the cell; NULL: the value NULL.
- value (integer): the count with its noise.

Errors: unknown column, empty table, a column named twice, a record without a key, a person with several
keys, keys of a smaller range than those of ptable, a ptable that lacks a pair, has one twice or makes a
count negative; what table_cells says of hierarchies and labels.

Notes: totals are not the sums of their cells. Noise protects against comparing tables that differ in few
people, but does not give a guarantee as differential privacy does: an adversary who knows the largest noise
knows each count up to that error, and totals may reveal more (cell_bounds, with lower_column and
upper_column). An exact mean or sum of the same people can undo the noise: publish none beside it
(tables_together, mean_column). Keep record keys and ptable secret: with them, anybody can compute the noise
of a cell.

Source: Fraser and Wooton 2005, A proposed method for confidentialising tabular output to protect against
differencing; Giessing 2016.

Example:
with people as (
    select ['north', 'south'][i % 2 + 1] as place, hash(i) % 4096 as key from range(40) as person(i)
),
noise as (from sqlanon.perturbation_table(largest := 3, variance := 2))
from sqlanon.cell_keys('people', dimensions := 'place', ptable := 'noise', record_key := 'key') order by all;
$$;
