-- Frequencies in a release with suppressed cells: how many of its rows could be the same person's.
--
-- A suppressed cell is a wildcard: two rows match where they agree on every attribute that neither lacks (freqCalc of sdcMicro;
-- Templ, Kowarik and Meindl 2015). Rows are not compared one by one. What a row lacks is its mask, an integer with a bit per
-- attribute, and there are few masks: rows of two masks match where they are equal once what either lacks is hidden in both.

-- The codes q1, q2, ... with 0 for the attributes whose bit is set in hidden (the text of an expression).
create or replace macro sqlanon._hide(qi, hidden) as
    sqlanon._each(qi, 'case when ' || hidden || ' & (1::bigint << ({i} - 1)) = 0 then q{i} else 0 end as q{i}', ', ');

-- Combinations of raw values (tuple_id, q1, q2, ..., n) coded: tuple_id, n, mask and q1, q2, ..., numbers from 1 in the order of the
-- values, 0 for a suppressed cell. Suppressed are cells that hold the text in suppressed, and, if null_matches, those with NULL.
create or replace macro sqlanon._masked(combinations, qi, suppressed, null_matches) as table
    from query(
        'select tuple_id, n, ' || sqlanon._each(qi, 'domain{i}.code as q{i}', ', ') || ', '
        || sqlanon._each(qi, 'case when domain{i}.code = 0 then 1::bigint << ({i} - 1) else 0 end', ' + ') || ' as mask'
        || ' from ' || combinations || ' as combination'
        || sqlanon._each(qi, '
            join (
                select value,
                       case when coalesce(value::varchar = ' || sqlanon._optional(suppressed) || ', '
                            || case when null_matches then 'value is null' else 'false' end || ') then 0
                            else row_number() over (order by value nulls first)
                       end::integer as code
                from (select distinct q{i} as value from ' || combinations || ')
            ) as domain{i} on combination.q{i} is not distinct from domain{i}.value', ''));

-- For every coded combination its frequency: tuple_id, frequency.
create or replace macro sqlanon._frequencies(masked, qi) as table
    with pattern as (select distinct mask from query_table(masked)),
    pair as materialized (
        select one.mask, other.mask as other, one.mask | other.mask as hidden from pattern as one cross join pattern as other
    ),
    -- Where one mask lacks all that the other lacks, a combination of the one has one match or none.
    nested as materialized (
        from query('
            with shown as (
                select tuple_id, n, hidden, ' || sqlanon._hide(qi, 'hidden') || '
                from ' || masked || ' join (select mask, hidden from pair where hidden = other and mask <> other) using (mask)
            )
            select shown.tuple_id, shown.n, whole.tuple_id as other_id, whole.n as other_n
            from shown join ' || masked || ' as whole on whole.mask = shown.hidden' || sqlanon._each(qi, ' and whole.q{i} = shown.q{i}', ''))
    ),
    -- Where both lack something that the other shows, it may have many: they are grouped by what both show.
    crossing as materialized (
        from query('
            select mask, hidden, ' || sqlanon._each(qi, 'q{i}', ', ') || ', list(tuple_id) as tuple_ids, sum(n) as n
            from (select tuple_id, n, mask, hidden, ' || sqlanon._hide(qi, 'hidden') || '
                  from ' || masked || ' join (select distinct mask, hidden from pair where hidden not in (mask, other)) using (mask))
            group by mask, hidden, ' || sqlanon._each(qi, 'q{i}', ', '))
    ),
    -- Equal ones, of which there are several where both * and NULL are suppressed cells.
    equal as (
        from query('
            select unnest(tuple_ids) as tuple_id, n
            from (select list(tuple_id) as tuple_ids, sum(n) as n
                  from ' || masked || ' group by mask, ' || sqlanon._each(qi, 'q{i}', ', ') || ')')
    ),
    match as (
        from equal
        union all select tuple_id, other_n from nested
        union all select other_id, n from nested
        union all from query('
            select unnest(one.tuple_ids), other.n
            from crossing as one join crossing as other using (hidden, ' || sqlanon._each(qi, 'q{i}', ', ') || ')
            where one.mask | other.mask = hidden')
    )
    select tuple_id, sum(n)::bigint as frequency from match group by tuple_id;

-- Combinations of raw values (q1, q2, ..., n) with their frequency.
create or replace macro sqlanon._wildcard_frequencies(combinations, qi, suppressed := '*', null_matches := true) as table
    with numbered as materialized (select row_number() over () as tuple_id, * from query_table(combinations)),
    masked as materialized (from sqlanon._masked('numbered', qi, suppressed, null_matches)),
    counted as (from sqlanon._frequencies('masked', qi))
    select numbered.* exclude (tuple_id), frequency from numbered join counted using (tuple_id);

-- How many people have what combinations show, where a suppressed cell shows nothing: tuple_id, people.
-- cells: q1, q2, ..., n, person; the combinations in question have n = 0, the others rows.
create or replace macro sqlanon._people_shown(cells, qi, suppressed, null_matches) as table
    with numbered as materialized (select row_number() over () as tuple_id, * from query_table(cells)),
    masked as materialized (from sqlanon._masked('numbered', qi, suppressed, null_matches)),
    hidden as (select distinct mask as hidden from masked where n = 0),
    seen as materialized (
        from query(
            'select hidden, ' || sqlanon._each(qi, 'q{i}', ', ') || ', sqlanon._people_of(person) as people'
            || ' from (select person, hidden, ' || sqlanon._hide(qi, 'hidden')
            || '       from masked join (select tuple_id, person from numbered) using (tuple_id) cross join hidden where n > 0)'
            || ' group by hidden, ' || sqlanon._each(qi, 'q{i}', ', '))
    )
    from query(
        'select asked.tuple_id, coalesce(people, 0) as people from masked as asked left join seen on seen.hidden = asked.mask'
        || sqlanon._each(qi, ' and seen.q{i} = asked.q{i}', '') || ' where asked.n = 0');

create or replace macro sqlanon.wildcard_frequencies(tbl, qi, suppressed := '*') as table
    from query(
        sqlanon._checked(qi, null, null)
        || 'with _sqlanon_source as (from sqlanon._source(' || sqlanon._literal(tbl) || ', ' || sqlanon._names(qi) || ', [])),'
        || ' _sqlanon_combination as materialized (from sqlanon._combinations(''_sqlanon_source'', ' || sqlanon._names(qi) || ', null))'
        || ' select ' || sqlanon._each(qi, 'q{i} as {c}', ', ') || ', n as size, frequency'
        || ' from sqlanon._wildcard_frequencies(''_sqlanon_combination'', ' || sqlanon._names(qi) || ', ' || sqlanon._optional(suppressed) || ')');

comment on macro table sqlanon.wildcard_frequencies is $$
Tells how often every combination occurs if hidden cells match everything: one row per distinct combination.

Parameters:
- tbl (table): a release with hidden cells.
- qi (columns): quasi-identifiers.
- suppressed (text; default '*'): what a hidden cell holds; NULL is one, too.

Result:
- <qi> (unchanged): the combination.
- size (integer, rows): those that are equal to it.
- frequency (integer, rows): those that agree with it on every column that neither lacks.

Errors: unknown column.

Source: freqCalc of sdcMicro; Templ, Kowarik and Meindl 2015.

Example:
with hidden as (from sqlanon.mu_argus('people', qi := ['zip', 'disease'], k := 2))
from sqlanon.wildcard_frequencies('hidden', qi := ['zip', 'disease']);
$$;
