-- Disclosure: what a perturbed table still tells of the original, with the true values beside the released
-- ones.
--
-- Both tables have a column that tells which rows are the same record; a release is measured before that
-- column is dropped. What comes out is how much these two ways of looking find, not how much there is to
-- find.

-- One table: record, people (whom it stands for), x1, x2, ...
create or replace macro sqlanon._identified_records(tbl, columns, record_id, weight) as table
    from query(sqlanon._fill($$
        select src.{"record_id"} as record, {people} as people, {each columns: src.{c} as x{i}}
        from sqlanon._source({=tbl}, {=columns}, [{=record_id}], {=weight}) as src
        $$, map {'people': coalesce('src.' || sqlanon._quote(weight), '1::bigint')}));

-- No rows, or an error: a record that is there twice.
create or replace macro sqlanon._refuse_repeated_records(records, tbl, record_id) as table
    with _sqlanon_repeated as (
        select record as value, count(*) as n from query_table(records) group by record having count(*) > 1
    )
    from sqlanon._refuse_repeated('_sqlanon_repeated', 'records', tbl, record_id);

-- No rows, or an error: a table without rows, a record that is there twice, or is not among the originals (or
-- not all whom it stands for).
create or replace macro sqlanon._refuse_records(originals, released, original, release, record_id) as table
    from sqlanon._refuse_empty(released, release)
    union all
    from sqlanon._refuse_repeated_records(originals, original, record_id)
    union all
    from sqlanon._refuse_repeated_records(released, release, record_id)
    union all
    select error(count(*) || ' records of ' || release || problem || original
                 || sqlanon._such_as(min(record::varchar)))
    from (
        select record, case when was.people is null then ' are not in '
                            when now.people > was.people then ' stand for more people than in ' end as problem
        from query_table(released) as now left join query_table(originals) as was using (record)
    )
    where problem is not null group by problem;

-- Columns of numbers as DOUBLE, the others NULL: people, x1, x2, ...
create or replace macro sqlanon._only_numbers(originals, columns) as table
    from query(sqlanon._fill($$select people, {numbers} from {originals}$$, map {
        'numbers': sqlanon._each(
            columns,
            'case when sqlanon._is_number(typeof(x{i})) then try_cast(x{i} as double) end as x{i}', ', ')}));

-- What a distance in each column is measured by, one row: s1, s2, ..., the standard deviation of the
-- original's numbers; NULL where nothing differs.
create or replace macro sqlanon._record_scales(numbers, columns, weighted) as table
    with _sqlanon_deviation as (from sqlanon._deviations(numbers, columns, weighted))
    from query(sqlanon._fill($$select {scales} from _sqlanon_deviation$$, map {
        'scales': sqlanon._each(
            columns, 'case when s{i} > 0 and isfinite(s{i}) then s{i} end as s{i}', ', ')}));

-- A value of a column whose original values are like another: as text, or, of numbers, whether there is none;
-- and, of numbers, in standard deviations.
create or replace macro sqlanon._text_unless_number(given, original) as
    case when sqlanon._is_number(typeof(original)) then (given is null)::varchar else given::varchar end;
create or replace macro sqlanon._in_deviations(given, original, deviation) as
    case when sqlanon._is_number(typeof(original))
         then try_cast(given as double) / coalesce(deviation, 1)
    end;

-- True and released value of every original record: is_released, people (whom it stands for in the original),
-- released_people; a1, ... and b1, ... in standard deviations,
-- where the original has numbers; t1, ... and v1, ... as text, or, of numbers, whether there is none; r1, ...
-- as they are released.
create or replace macro sqlanon._record_pairs(originals, released, scales, refusals, columns) as table
    from query(sqlanon._fill($$
        select released.record is not null as is_released, original.people,
               released.people as released_people,
                   {each columns: sqlanon._text_unless_number(original.x{i}, original.x{i}) as t{i},
             sqlanon._text_unless_number(released.x{i}, original.x{i}) as v{i},
             released.x{i} as r{i},
             sqlanon._in_deviations(original.x{i}, original.x{i}, s{i}) as a{i},
             sqlanon._in_deviations(released.x{i}, original.x{i}, s{i}) as b{i}}
        from {originals} as original
        left join {released} as released on released.record = original.record,
        {scales}
        where (select count(refused) from {refusals}) = 0
        $$));

-- The links between records of a user's tables; method: the macro that is called, for messages.
create or replace macro sqlanon._linked_records(
    original, release, record_id, columns, method, weight) as table
    with _sqlanon_original as materialized (
        from sqlanon._identified_records(original, columns, record_id, weight)
    ),
    _sqlanon_released as materialized (from sqlanon._identified_records(release, columns, record_id, weight)),
    _sqlanon_number as materialized (from sqlanon._only_numbers('_sqlanon_original', columns)),
    _sqlanon_scale as materialized (
        from sqlanon._record_scales('_sqlanon_number', columns, weight is not null)
    ),
    _sqlanon_refusal as materialized (
        from sqlanon._refuse_records('_sqlanon_original', '_sqlanon_released', original, release, record_id)
        union all
        from sqlanon._refuse_infinities('_sqlanon_number', columns, method)
    )
    from sqlanon._record_pairs(
        '_sqlanon_original', '_sqlanon_released', '_sqlanon_scale', '_sqlanon_refusal', columns);

-- The lowest and the highest released values, one row: lo1, hi1, ...
create or replace macro sqlanon._released_extremes(pairs, columns) as table
    from query(sqlanon._fill($$select {each columns: min(r{i}) as lo{i}, max(r{i}) as hi{i}} from {pairs}$$));

-- What is true of each released record: released_people, and column by column same1 (it has its true value),
-- near1 (or a number that is at most so many standard deviations away), lowest1 and highest1 (it shares that
-- value; NULL without an order), ...
create or replace macro sqlanon._compared_records(pairs, extremes, columns, within) as table
    from query(sqlanon._fill($$
        select released_people, {compared} from {pairs}, {extremes}, (select {within} as within)
        $$, map {
            'compared': sqlanon._each(
            columns,
            'case when a{i} is null or b{i} is null then t{i} is not distinct from v{i} else a{i} = b{i} end
                 as same{i},
             same{i} or coalesce(abs(a{i} - b{i}) <= within, false) as near{i},
             case when sqlanon._is_ordered(typeof(r{i})) then r{i} = lo{i} end as lowest{i},
             case when sqlanon._is_ordered(typeof(r{i})) then r{i} = hi{i} end as highest{i}', ', '),
            'within': within::varchar}));

-- The share of rows that stand for n people each, by people, of which something is true (an aggregate).
create or replace macro sqlanon._share_of_people(holds, n) as sum(holds::integer * n) / sum(n);

-- The shares of a column, and those of all columns together.
create or replace macro sqlanon._column_shares(compared, columns) as table
    select name as attribute, unnest(value)
    from sqlanon._by_column(
        compared, columns,
        'struct_pack(
             rows := sum(released_people)::bigint,
             unchanged := sqlanon._share_of_people(same{i}, released_people),
             near := sqlanon._share_of_people(near{i}, released_people),
             at_bottom := sum(lowest{i}::integer * released_people)::bigint,
             at_top := sum(highest{i}::integer * released_people)::bigint)');

create or replace macro sqlanon._record_shares(compared, columns) as table
    from query(sqlanon._fill($$
        select null as attribute, sum(released_people)::bigint as rows,
               sqlanon._share_of_people({each columns and: same{i}}, released_people) as unchanged,
               sqlanon._share_of_people({each columns and: near{i}}, released_people) as near,
               null as at_bottom, null as at_top
        from {compared}
        $$));

create or replace macro sqlanon._disclosure(original, release, record_id, columns, within, weight) as table
    with _sqlanon_pair as materialized (
        from sqlanon._linked_records(original, release, record_id, columns, 'disclosure', weight)
        where is_released
    ),
    _sqlanon_extreme as materialized (from sqlanon._released_extremes('_sqlanon_pair', columns)),
    _sqlanon_compared as materialized (
        from sqlanon._compared_records('_sqlanon_pair', '_sqlanon_extreme', columns, within)
    )
    from sqlanon._column_shares('_sqlanon_compared', columns)
    union all
    from sqlanon._record_shares('_sqlanon_compared', columns);

create or replace macro sqlanon.disclosure(
    original, release, id, columns, within := 0.05, weight := null) as table
    from query(
        sqlanon._perturbed_checked(columns, sqlanon._counted_with(id, weight))
        || {call _disclosure:
            record_id := id,
            within := coalesce(sqlanon._real_number(within, 'within', 0, true, 1e6, 'at least 0'),
                               error('within must be at least 0, not NULL'))});

comment on macro table sqlanon.disclosure is $$
Measures how many values of a perturbed release are still the true ones, or near them: one row per column, and
one for all together. These are measures, not guarantees.

Parameters:
- original (table): the raw rows.
- release (table): the released rows.
- id (column): of both tables, identifies the record.
- columns (columns): the columns to compare.
- within (number, at least 0; default 0.05): half the width of the interval around a released value, in
  standard deviations of the original.
- weight (column; default null): of both tables, how many people each record stands for, as in classes.

Result:
- attribute (text): the column; NULL for all together.
- rows (integer, rows): the rows of the release.
- unchanged (number, share of rows): rows with their true value.
- near (number, share of rows): rows whose true value is within the interval; if a column is not a number,
  rows with their true value.
- at_bottom (integer, rows): rows with the lowest released value; NULL if values have no order.
- at_top (integer, rows): rows with the highest released value; NULL if values have no order.

Errors: unknown column, empty release, a record that is twice in a table, or that is not in the original or
has a smaller weight there, NaN or infinity, a weight as in classes.

Source: Mateo-Sanz, Sebé and Domingo-Ferrer 2004 (dRisk of sdcMicro).

Example:
from sqlanon.disclosure('people', 'noisy', id := 'name', columns := 'income');
$$;

-- How far apart an original (a1, t1, ...) and a released record (b1, v1, ...) are, squared: numbers in
-- standard deviations; of what is no number, and of NULL, 1 if it differs. Texts are compared by their hash.
-- In whole billionths, so that a tie is one whatever the last digits of a double are. (A product, because **
-- takes several times as long.)
create or replace macro sqlanon._apart(a, b, t, v) as
    round(coalesce((a - b) * (a - b), (t <> v)::integer) * 1e9);

-- The distinct originals, those who could be meant (also those that are not in the release): t1, a1, ..., n
-- (rows).
create or replace macro sqlanon._link_candidates(linked, columns) as table
    from query(sqlanon._fill($$select {values}, sum(people)::bigint as n from {linked} group by all$$, map {
        'values': sqlanon._each(columns, 'hash(t{i}) as t{i}, a{i}', ', ')}));

-- The distinct pairs of an original and its released record: pair (a number), t1, v1, a1, b1, ..., n (rows),
-- own (how far apart the two are).
create or replace macro sqlanon._own_pairs(linked, columns) as table
    from query(sqlanon._fill($$
        select row_number() over () as pair, *, {distance} as own
        from (select {each columns: hash(t{i}) as t{i}, hash(v{i}) as v{i}, a{i}, b{i}},
            sum(released_people)::bigint as n
              from {linked} where is_released group by all)
        $$, map {'distance': sqlanon._each(columns, 'sqlanon._apart(a{i}, b{i}, t{i}, v{i})', ' + ')}));

-- Every released record with every original: pair, n, own, people (how many originals are these), distance.
create or replace macro sqlanon._rivals(own_pairs, candidates, columns) as table
    from query(sqlanon._fill($$
        select pair, record.n, own, candidate.n as people, {distance} as distance
        from {own_pairs} as record, {candidates} as candidate
        $$, map {
            'distance': sqlanon._each(
            columns, 'sqlanon._apart(candidate.a{i}, record.b{i}, candidate.t{i}, record.v{i})', ' + ')}));

create or replace macro sqlanon._record_linkage(original, release, record_id, columns, weight) as table
    with _sqlanon_linked as materialized (
        from sqlanon._linked_records(original, release, record_id, columns, 'record_linkage', weight)
    ),
    _sqlanon_candidate as materialized (from sqlanon._link_candidates('_sqlanon_linked', columns)),
    _sqlanon_own as materialized (from sqlanon._own_pairs('_sqlanon_linked', columns)),
    -- The chance that an adversary finds the right one: those as near as it share it.
    _sqlanon_chance as (
        select any_value(n) as n,
               case when min(distance) < any_value(own) then 0
                    else 1 / sum(people) filter (where distance = own)
               end as chance
        from sqlanon._rivals('_sqlanon_own', '_sqlanon_candidate', columns)
        where distance <= own
        group by pair
    )
    select sum(n)::bigint as rows, list_sum(list_sort(list(n * chance))) as linked,
           list_sum(list_sort(list(n * chance))) / sum(n) as share,
           1 / (select sum(people) from _sqlanon_linked) as guess
    from _sqlanon_chance;

create or replace macro sqlanon.record_linkage(original, release, id, columns, weight := null) as table
    from query(
        sqlanon._perturbed_checked(columns, sqlanon._counted_with(id, weight))
        || {call _record_linkage: record_id := id});

comment on macro table sqlanon.record_linkage is $$
Measures how often an adversary who knows the original values finds the record of a released row, by distance.
This is a measure, not a guarantee.

Parameters:
- original, release, id: as in disclosure
- columns (columns): the columns that the adversary knows.
- weight: as in disclosure

Result:
- rows (integer, rows): the rows of the release.
- linked (number, rows): rows whose nearest original row is their own; a tie counts as a guess among the tied
  rows.
- share (number, share of rows): linked / rows.
- guess (number, share of rows): the same for random guesses among all original rows.

Errors: as in disclosure.

Notes: the distance is Euclidean: numbers are measured in standard deviations of the original; other values,
and NULL, have a distance of 1 if they differ. Every distinct released row is compared with every distinct
original row: the time grows with the square of the number of rows.

Source: Domingo-Ferrer and Torra 2001.

Example:
from sqlanon.record_linkage('people', 'noisy', id := 'name', columns := 'income');
$$;
