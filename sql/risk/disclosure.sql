-- Disclosure: what a perturbed table still tells of the original, with the true values beside the released ones.
--
-- Both tables have a column that tells which rows are the same record; a release is measured before that column is dropped. What comes out is
-- how much these two ways of looking find, not how much there is to find.

-- One table: record, x1, x2, ...
create or replace macro sqlanon._identified_records(tbl, columns, record_id) as table
    from query('select src.' || sqlanon._quote(record_id) || ' as record' || sqlanon._each(columns, ', src.{c} as x{i}', '')
               || ' from sqlanon._source(' || sqlanon._literal(tbl) || ', ' || sqlanon._names(columns) || ', ' || sqlanon._names(record_id) || ') as src');

-- No rows, or an error: a table without rows, a record that is there twice, or is not among the originals.
create or replace macro sqlanon._refuse_records(originals, released, original, release, record_id) as table
    from sqlanon._refuse_empty(released, release)
    union all
    select error('record ' || coalesce(record::varchar, 'NULL') || ' is ' || count(*) || ' times in column ' || record_id || ' of ' || original)
    from query_table(originals) group by record having count(*) > 1
    union all
    select error('record ' || coalesce(record::varchar, 'NULL') || ' is ' || count(*) || ' times in column ' || record_id || ' of ' || release)
    from query_table(released) group by record having count(*) > 1
    union all
    select error('record ' || coalesce(record::varchar, 'NULL') || ' of ' || release || ' is not in ' || original)
    from query_table(released) anti join query_table(originals) using (record);

-- Columns of numbers as DOUBLE, the others NULL: x1, x2, ...
create or replace macro sqlanon._only_numbers(originals, columns) as table
    from query('select ' || sqlanon._each(columns, 'case when sqlanon._is_number(typeof(x{i})) then try_cast(x{i} as double) end as x{i}', ', ') || ' from ' || originals);

-- What a distance in each column is measured by: s1, s2, ..., the standard deviation of the original's numbers; NULL where nothing differs.
create or replace macro sqlanon._record_scales(numbers, columns) as table
    from query('select ' || sqlanon._each(columns, 'case when s{i} > 0 and isfinite(s{i}) then s{i} end as s{i}', ', ')
               || ' from sqlanon._deviations(' || sqlanon._literal(numbers) || ', ' || sqlanon._names(columns) || ')');

-- True and released value of every original record: is_released; a1, ... and b1, ... in standard deviations, where the original has numbers; t1, ... and
-- v1, ... as text, or, of numbers, whether there is none; r1, ... as they are released.
create or replace macro sqlanon._record_pairs(originals, released, scales, refusals, columns) as table
    from query(
        'select released.record is not null as is_released, ' || sqlanon._each(columns,
            'case when sqlanon._is_number(typeof(original.x{i})) then (original.x{i} is null)::varchar else original.x{i}::varchar end as t{i},
             case when sqlanon._is_number(typeof(original.x{i})) then (released.x{i} is null)::varchar else released.x{i}::varchar end as v{i},
             released.x{i} as r{i},
             case when sqlanon._is_number(typeof(original.x{i})) then try_cast(original.x{i} as double) / coalesce(s{i}, 1) end as a{i},
             case when sqlanon._is_number(typeof(original.x{i})) then try_cast(released.x{i} as double) / coalesce(s{i}, 1) end as b{i}', ', ')
        || ' from ' || originals || ' as original left join ' || released || ' as released on released.record = original.record, ' || scales
        || ' where (select count(refused) from ' || refusals || ') = 0');

-- The same from the tables of a user; method: who asks, for messages.
create or replace macro sqlanon._linked_records(original, release, record_id, columns, method) as table
    with _sqlanon_original as materialized (from sqlanon._identified_records(original, columns, record_id)),
    _sqlanon_released as materialized (from sqlanon._identified_records(release, columns, record_id)),
    _sqlanon_number as materialized (from sqlanon._only_numbers('_sqlanon_original', columns)),
    _sqlanon_scale as materialized (from sqlanon._record_scales('_sqlanon_number', columns)),
    _sqlanon_refusal as materialized (
        from sqlanon._refuse_records('_sqlanon_original', '_sqlanon_released', original, release, record_id)
        union all from sqlanon._refuse_infinities('_sqlanon_number', columns, method)
    )
    from sqlanon._record_pairs('_sqlanon_original', '_sqlanon_released', '_sqlanon_scale', '_sqlanon_refusal', columns);

create or replace macro sqlanon._disclosure(original, release, record_id, columns, within) as table
    with _sqlanon_pair as materialized (
        select * from sqlanon._linked_records(original, release, record_id, columns, 'disclosure') where is_released
    ),
    _sqlanon_extreme as materialized (from query('select ' || sqlanon._each(columns, 'min(r{i}) as lo{i}, max(r{i}) as hi{i}', ', ') || ' from _sqlanon_pair')),
    _sqlanon_same as materialized (
        from query('select *, ' || sqlanon._each(columns,
            'case when a{i} is null or b{i} is null then t{i} is not distinct from v{i} else a{i} = b{i} end as same{i},
             case when sqlanon._is_ordered(typeof(r{i})) then r{i} = lo{i} end as lowest{i}, case when sqlanon._is_ordered(typeof(r{i})) then r{i} = hi{i} end as highest{i}', ', ')
            || ' from _sqlanon_pair, _sqlanon_extreme')
    ),
    _sqlanon_judged as materialized (
        from query('select *, ' || sqlanon._each(columns, 'same{i} or coalesce(abs(a{i} - b{i}) <= ' || within || ', false) as near{i}', ', ') || ' from _sqlanon_same')
    )
    from query(
        sqlanon._each(columns,
            'select {s} as attribute, count(*) as rows, avg(same{i}::integer) as unchanged, avg(near{i}::integer) as near,'
            || ' sum(lowest{i}::integer)::bigint as at_bottom, sum(highest{i}::integer)::bigint as at_top from _sqlanon_judged', ' union all ')
        || ' union all select null, count(*), avg((' || sqlanon._each(columns, 'same{i}', ' and ') || ')::integer), avg((' || sqlanon._each(columns, 'near{i}', ' and ')
        || ')::integer), null, null from _sqlanon_judged');

create or replace macro sqlanon.disclosure(original, release, id, columns, within := 0.05) as table
    from query(
        sqlanon._perturbed_checked(columns, id)
        || 'from sqlanon._disclosure(' || sqlanon._literal(original) || ', ' || sqlanon._literal(release) || ', ' || sqlanon._literal(id) || ', ' || sqlanon._names(columns) || ', '
        || coalesce(sqlanon._real_number(within, 'within', 0, true, 1e6, 'at least 0')::varchar, error('within must be at least 0, not NULL')) || '::double)');

comment on macro table sqlanon.disclosure is $$
Measures what a perturbed release still tells of the original: one row per column, and one for all of them
together. These are measures, not guarantees.

Parameters:
- original (table): the raw rows.
- release (table): the released rows.
- id (column): of both tables, says which rows are the same record.
- columns (columns): those to compare.
- within (number, at least 0; default 0.05): how far the interval around a released value reaches to both
  sides, in standard deviations of the original.

Result:
- attribute (text): the column; NULL for all together.
- rows (integer, rows): of the release.
- unchanged (number, share of rows): those that have their true value.
- near (number, share of rows): those whose true value lies within the interval; of what is no number,
  unchanged.
- at_bottom (integer, rows): those that share the lowest released value; NULL without an order.
- at_top (integer, rows): those that share the highest released value; NULL without an order.

Errors: unknown column, empty release, a record that is twice in a table or not in the original, NaN or
infinity.

Source: Mateo-Sanz, Sebé and Domingo-Ferrer 2004 (dRisk of sdcMicro).

Example:
from sqlanon.disclosure('people', 'noisy', id := 'name', columns := 'income');
$$;

-- How far apart an original (a1, t1, ...) and a released record (b1, v1, ...) are, squared: numbers in standard deviations; of what is no number, and
-- of NULL, 1 if it differs. Texts are compared by their hash. In whole billionths, so that a tie is one whatever the last digits of a double
-- are. (A product, because ** takes several times as long.)
create or replace macro sqlanon._apart(a, b, t, v) as round(coalesce((a - b) * (a - b), (t <> v)::integer) * 1e9);
create or replace macro sqlanon._record_distance(columns, candidate, record) as
    sqlanon._each(columns, 'sqlanon._apart(' || candidate || '.a{i}, ' || record || '.b{i}, ' || candidate || '.t{i}, ' || record || '.v{i})', ' + ');

-- Every released record is compared with every original; alike ones once.
create or replace macro sqlanon._record_linkage(original, release, record_id, columns) as table
    with _sqlanon_linked as materialized (from sqlanon._linked_records(original, release, record_id, columns, 'record_linkage')),
    -- Those who could be meant: the originals, also those that are not in the release.
    _sqlanon_candidate as materialized (
        from query('select ' || sqlanon._each(columns, 'hash(t{i}) as t{i}, a{i}, ', '') || 'count(*) as n'
            || ' from _sqlanon_linked group by all')
    ),
    _sqlanon_record as materialized (
        from query('select row_number() over () as pair, *, ' || sqlanon._record_distance(columns, 'alike', 'alike') || ' as own'
            || ' from (select ' || sqlanon._each(columns, 'hash(t{i}) as t{i}, hash(v{i}) as v{i}, a{i}, b{i}, ', '') || 'count(*) as n from _sqlanon_linked where is_released group by all) as alike')
    ),
    _sqlanon_rival as (
        from query('select pair, record.n, own, candidate.n as people, ' || sqlanon._record_distance(columns, 'candidate', 'record') || ' as distance'
            || ' from _sqlanon_record as record, _sqlanon_candidate as candidate')
    ),
    _sqlanon_nearest as (
        select any_value(n) as n, case when min(distance) < any_value(own) then 0 else 1 / sum(people) filter (where distance = own) end as chance
        from _sqlanon_rival where distance <= own group by pair
    )
    select sum(n)::bigint as rows, list_sum(list_sort(list(n * chance))) as linked, list_sum(list_sort(list(n * chance))) / sum(n) as share,
           1 / (select count(*) from _sqlanon_linked) as guess
    from _sqlanon_nearest;

create or replace macro sqlanon.record_linkage(original, release, id, columns) as table
    from query(
        sqlanon._perturbed_checked(columns, id)
        || 'from sqlanon._record_linkage(' || sqlanon._literal(original) || ', ' || sqlanon._literal(release) || ', ' || sqlanon._literal(id) || ', ' || sqlanon._names(columns) || ')');

comment on macro table sqlanon.record_linkage is $$
Measures how often an adversary who knows the original values finds the record of a released row, by distance.
This is a measure, not a guarantee.

Parameters:
- original, release, id: as in disclosure
- columns (columns): those that the adversary knows.

Result:
- rows (integer, rows): of the release.
- linked (number, rows): those whose nearest original is their own; a tie of several counts as guessing among
  them.
- share (number, share of rows): linked per row.
- guess (number, share of rows): what guessing among all originals reaches.

Errors: as in disclosure.

Notes: the distance is Euclidean: numbers are measured in standard deviations of the original; what is no
number, and NULL, is 1 apart if it differs. Every distinct released row is compared with every distinct
original: the time grows with the square of the rows.

Source: Domingo-Ferrer and Torra 2001.

Example:
from sqlanon.record_linkage('people', 'noisy', id := 'name', columns := 'income');
$$;
