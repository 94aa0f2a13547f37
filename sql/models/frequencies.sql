-- Frequencies in a release with suppressed cells: how many of its rows could be the same person's.
--
-- A suppressed cell is a wildcard: two rows match where they agree on every attribute that neither lacks
-- (freqCalc of sdcMicro; Templ, Kowarik and Meindl 2015). Rows are not compared one by one. What a row
-- lacks is its mask, an integer with a bit per attribute, and there are few masks: rows of two masks match
-- where they are equal once what either lacks is hidden in both.

-- The codes q1, q2, ... with 0 for the attributes whose bit is set in hidden (the text of an expression).
create or replace macro sqlanon._hide(qi, hidden) as
    sqlanon._each(qi, 'if(' || hidden || ' & (1::bigint << ({i} - 1)) = 0, q{i}, 0) as q{i}', ', ');

-- Is a raw value what a suppressed cell holds: the text in suppressed, or NULL if null_matches?
create or replace macro sqlanon._is_suppressed(value, suppressed, null_matches) as
    coalesce(value::varchar = suppressed or (null_matches and value is null), false);

-- Combinations of raw values (tuple_id, q1, q2, ..., n, and more) coded: q1, q2, ... are numbers from 1 in
-- the order of the values, 0 for a suppressed cell; all else, and mask.
create or replace macro sqlanon._masked(combinations, qi, suppressed, null_matches) as table
    from query(sqlanon._fill($$
        select combination.* exclude ({each qi: q{i}}), {codes}, {mask} as mask
        from {combinations} as combination {domains}
    $$, map {
        'codes': sqlanon._each(qi, 'domain{i}.code as q{i}', ', '),
        'mask': sqlanon._each(qi, 'if(domain{i}.code = 0, 1::bigint << ({i} - 1), 0)', ' + '),
        'domains': sqlanon._each_filled(qi, $$
            left join (
                select value,
                       if(sqlanon._is_suppressed(value, {=suppressed}, {null_matches}), 0,
                          row_number() over (order by value nulls first))::integer as code
                from (select distinct q{i} as value from {combinations})
            ) as domain{i} on combination.q{i} is not distinct from domain{i}.value
        $$, map {'null_matches': null_matches::varchar}, '')}));

-- Below, masked has n (rows) and stands_for (people of the population, for whom these rows stand).

-- Where one mask lacks all that the other lacks, a combination of the one has one match or none: tuple_id, n,
-- stands_for, and other_id, other_n, other_stands_for of the one that matches. pair: mask, other and hidden,
-- what either lacks.
create or replace macro sqlanon._nested_matches(masked, pair, qi) as table
    from query(sqlanon._fill($$
        with shown as (
            select tuple_id, n, stands_for, hidden, {hidden_codes}
            from {masked}
            join (select mask, hidden from {pair} where hidden = other and mask <> other) using (mask)
        )
        select shown.tuple_id, shown.n, shown.stands_for,
               whole.tuple_id as other_id, whole.n as other_n, whole.stands_for as other_stands_for
        from shown join {masked} as whole on whole.mask = shown.hidden {each qi: and whole.q{i} = shown.q{i}}
    $$, map {'hidden_codes': sqlanon._hide(qi, 'hidden')}));

-- Where both lack something that the other shows, it may have many, which are grouped by what both show:
-- mask, hidden, q1, q2, ..., tuple_ids, n, stands_for.
create or replace macro sqlanon._crossing_groups(masked, pair, qi) as table
    from query(sqlanon._fill($$
        select * exclude (tuple_id, n, stands_for),
               list(tuple_id) as tuple_ids, sum(n) as n, sum(stands_for) as stands_for
        from (select tuple_id, n, stands_for, mask, hidden, {hidden_codes}
              from {masked}
              join (select distinct mask, hidden from {pair} where hidden not in (mask, other)) using (mask))
        group by all
    $$, map {'hidden_codes': sqlanon._hide(qi, 'hidden')}));

-- Combinations that are equal, with the sums over all of them: tuple_id, n, stands_for. There are several
-- where both * and NULL are suppressed cells.
create or replace macro sqlanon._equal_combinations(masked) as table
    select unnest(tuple_ids) as tuple_id, n, stands_for
    from (select columns('^(mask|q\d+)$'),
                 list(tuple_id) as tuple_ids, sum(n) as n, sum(stands_for) as stands_for
          from query_table(masked) group by all);

-- All pairs of masks: mask, other and hidden, what either lacks.
create or replace macro sqlanon._pairs_of_masks(masked) as table
    with pattern as (select distinct mask from query_table(masked))
    select pattern.mask, other.mask as other, pattern.mask | other.mask as hidden
    from pattern cross join pattern as other;

-- For every coded combination the sums over all that match it, its own among them: tuple_id, n, stands_for.
create or replace macro sqlanon._sums_of_matches(masked, qi) as table
    with pair as materialized (from sqlanon._pairs_of_masks(masked)),
    nested as materialized (from sqlanon._nested_matches(masked, 'pair', qi)),
    crossing as materialized (from sqlanon._crossing_groups(masked, 'pair', qi)),
    crossed as (
        from query(sqlanon._fill($$
            select unnest(crossing.tuple_ids) as tuple_id, other.n, other.stands_for
            from crossing join crossing as other using (hidden, {each qi: q{i}})
            where crossing.mask | other.mask = hidden
        $$))
    ),
    match as (
        from sqlanon._equal_combinations(masked)
        union all select tuple_id, other_n, other_stands_for from nested
        union all select other_id, n, stands_for from nested
        union all from crossed
    )
    select tuple_id, sum(n)::bigint as n, sum(stands_for) as stands_for from match group by tuple_id;

-- Combinations of raw values (q1, q2, ..., n) with their frequency.
create or replace macro sqlanon._wildcard_frequencies(
    combinations, qi, suppressed := '*', null_matches := true) as table
    with numbered as materialized (select row_number() over () as tuple_id, * from query_table(combinations)),
    counting as (select tuple_id, columns('^q\d+$'), n, n as stands_for from numbered),
    masked as materialized (from sqlanon._masked('counting', qi, suppressed, null_matches)),
    counted as (select tuple_id, n as frequency from sqlanon._sums_of_matches('masked', qi))
    select numbered.* exclude (tuple_id), frequency from numbered join counted using (tuple_id);

-- Combinations of raw values (q1, q2, ..., n) with the rows that show all that they show, and have the same
-- there: agreeing. They are no more than its frequency, which also counts rows that lack something of it.
create or replace macro sqlanon._with_agreeing_rows(combinations, qi) as table
    with numbered as materialized (select row_number() over () as tuple_id, * from query_table(combinations)),
    counting as (select tuple_id, columns('^q\d+$'), n, n as stands_for from numbered),
    masked as materialized (from sqlanon._masked('counting', qi, '*', true)),
    pair as materialized (from sqlanon._pairs_of_masks('masked')),
    match as (
        select tuple_id, n from sqlanon._equal_combinations('masked')
        union all select other_id, n from sqlanon._nested_matches('masked', 'pair', qi)
    ),
    counted as (select tuple_id, sum(n)::bigint as agreeing from match group by tuple_id)
    select numbered.* exclude (tuple_id), agreeing from numbered join counted using (tuple_id);

-- How many people have what combinations show, where a suppressed cell shows nothing: tuple_id, people.
-- cells: q1, q2, ..., n, person; the combinations in question have n = 0, the others rows.
create or replace macro sqlanon._people_shown(cells, qi, suppressed, null_matches) as table
    with numbered as materialized (select row_number() over () as tuple_id, * from query_table(cells)),
    masked as materialized (from sqlanon._masked('numbered', qi, suppressed, null_matches)),
    hidden as (select distinct mask as hidden from masked where n = 0),
    seen as materialized (
        from query(sqlanon._fill($$
            select hidden, {codes}, sqlanon._people_of(person) as people
            from (select person, hidden, {hidden_codes} from masked cross join hidden where n > 0)
            group by hidden, {codes}
        $$, map {
            'codes': sqlanon._each(qi, 'q{i}', ', '), 'hidden_codes': sqlanon._hide(qi, 'hidden')}))
    )
    from query(sqlanon._fill($$
        select masked.tuple_id, coalesce(people, 0) as people
        from masked left join seen on seen.hidden = masked.mask {each qi: and seen.q{i} = masked.q{i}}
        where masked.n = 0
    $$));

create or replace macro sqlanon.wildcard_frequencies(
    tbl, qi, suppressed := '*', weight := null) as table
    from query(sqlanon._checked(qi, null, null, null, weight) || sqlanon._fill($$
        with _sqlanon_source as (from sqlanon._source({=tbl}, {=qi}, [], {=weight})),
        _sqlanon_combination as materialized (
            from sqlanon._combinations('_sqlanon_source', {=qi}, null, {=weight})
        )
        select {each qi: q{i} as {c}}, n as size, frequency
        from sqlanon._wildcard_frequencies('_sqlanon_combination', {=qi}, {=suppressed})
    $$));

comment on macro table sqlanon.wildcard_frequencies is $$
Counts how often each combination of quasi-identifiers occurs if a hidden cell matches every value: one row
per distinct combination.

Parameters:
- tbl (table): a release with hidden cells.
- qi (columns): quasi-identifiers.
- suppressed (text; default '*'): the value of a hidden cell; NULL is a hidden cell, too.
- weight: as in classes

Result:
- <qi> (unchanged): the combination.
- size (integer, rows): rows with exactly this combination.
- frequency (integer, rows): rows that have the same values in every column in which neither is hidden.

Errors: unknown column, a weight as in classes.

Source: freqCalc of sdcMicro; Templ, Kowarik and Meindl 2015.

Example:
with hidden as (from sqlanon.mu_argus('people', qi := ['zip', 'disease'], k := 2))
from sqlanon.wildcard_frequencies('hidden', qi := ['zip', 'disease']);
$$;
