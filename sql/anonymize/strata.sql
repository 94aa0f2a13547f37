-- Strata: regions, say, within which rows are anonymized (strataVar of sdcMicro: Templ, Kowarik and Meindl
-- 2015).
--
-- A stratum is a combination of quasi-identifiers that no method recodes. So everybody who looks for a person
-- by all quasi-identifiers looks in the person's stratum alone, and what is required of classes is required
-- there: the columns stay in qi for every check and every attack. Strata are the first cut of a table, made
-- once for all of its rows; from there on a method works on parts, as it does anyway.

-- An empty text, or an error where strata are no quasi-identifiers, or all of them.
create or replace macro sqlanon._strata_checked(strata, qi, population := null, known := null) as
    case when len(sqlanon._list(strata)) = 0 then ''
         when len(sqlanon._not_among(strata, qi)) > 0
         then error('strata names "' || coalesce(sqlanon._not_among(strata, qi)[1], 'NULL')
                    || '", which is not in qi. Others may know it of a person: name it there, too')
         when len(sqlanon._not_among(qi, strata)) = 0
         then error('strata names all columns in qi: at least one must be left to be recoded')
         when population is not null
         then error('strata does not go with a population (k_map, dmin, dmax)')
         when known is not null
         then error('strata does not go with known releases (composed_l, based_on)')
         else '' end;

-- The positions of strata in qi, and the columns of tuples that have their codes: q1, ...
create or replace macro sqlanon._strata_positions(strata, qi) as
    list_transform(sqlanon._list(strata), lambda name:
        list_position(sqlanon._lower(sqlanon._list(qi)), lower(name)));
create or replace macro sqlanon._strata_codes(strata, qi) as
    list_transform(sqlanon._strata_positions(strata, qi), lambda position: 'q' || position);

-- Tuples with the number of their stratum, from 0. codes: the columns that tell it.
create or replace macro sqlanon._tuples_in_strata(tuples, codes) as table
    from query(sqlanon._fill('select *, {stratum}::bigint as stratum from {tuples}', map {
        'stratum': coalesce(
            'dense_rank() over (order by ' || list_aggregate(codes, 'string_agg', ', ') || ') - 1', '0')}));

-- No rows, or an error where a stratum as one class violates a requirement, thus every release would.
create or replace macro sqlanon._refuse_strata(
    tuples, strata, qi, sensitive_values, marginal, sensitive_tree, requirement, by_unit) as table
    with placed as materialized (
        from sqlanon._tuples_in_strata(tuples, sqlanon._strata_codes(strata, qi))
    ),
    cell as materialized (
        select stratum as class_id, s, sum(weight)::bigint as n from placed group by all
    ),
    violating as materialized (
        from sqlanon._violating_places(
            'cell', sensitive_values, marginal, sensitive_tree, requirement, by_unit)
    )
    select error(
        count(*) || ' of ' || (select count(distinct class_id) from cell) || ' strata ('
        || array_to_string(sqlanon._list(strata), ', ') || ') violate a requirement as one class each, the '
        || 'smallest of them with ' || min(size) || ' rows: no release can meet it within strata. Coarsen '
        || 'these columns first, or leave the rows of these strata out; violations with qi := '
        || sqlanon._names(strata) || ' lists them') as refused
    from violating join (select class_id, sum(n) as size from cell group by class_id) using (class_id)
    having count(*) > 0;

-- How many values of the columns of strata in a finished release are no single values of its source.
-- recoding: of the release; NULL where it has values, not labels. (Both are compared as texts: a text that
-- could be misread as a label is in braces.)
create or replace macro sqlanon._recoded_strata(release, source, strata, recoding) as table
    from query('select sum(recoded)::bigint as recoded from (' || sqlanon._each_filled(strata, replace($$
        select count(*) as recoded
        from (select distinct {c}::varchar as shown from {release}
              except select unnest([[alone]]) from {source} group by {c})
    $$, '[alone]', if(recoding = 'range', 'sqlanon._range_recoding({c})::varchar',
                      '{c}::varchar, sqlanon._value_text({c}::varchar)')), map {
        'release': sqlanon._relation(release), 'source': sqlanon._relation(source)}, ' union all ') || ')');
