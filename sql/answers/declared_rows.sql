-- A table as a policy declares its columns, for answers that are made from it.
--
-- Each column is read as its declared type, and what is none of its declared values is missing. So groups,
-- and whether a condition can be true, are known without the rows, and no row can make an error.

-- A number; NULL for what is none.
create or replace macro sqlanon._number_of_measure(x) as
    if(isfinite(try_cast(x as double)), try_cast(x as double), null);

-- The rows as places, numbers or texts: d1, d2, ..., m1, m2, ... (measures, as numbers), unit.
create or replace macro sqlanon._rows_as_declared(tbl, dimensions, kinds, measures, unit) as table
    from query(sqlanon._fill($$
        select {places}{each measures: , sqlanon._number_of_measure({c}) as m{i}}{unit} from {rows}
    $$, map {
        'rows': sqlanon._relation(tbl),
        'unit': coalesce(', ' || sqlanon._quote(unit) || ' as unit', ''),
        'places': list_aggregate(
            list_transform(dimensions, lambda name, i: format(
                case kinds[i] when 'text' then 'sqlanon._released_text({0}) as d{2}'
                              when 'boolean' then 'lower(sqlanon._released_text({0})) as d{2}'
                              else 'sqlanon._place_of_text(sqlanon._released_text({0}), {1}) as d{2}' end,
                sqlanon._quote(name), sqlanon._literal(kinds[i]), i)),
            'string_agg', ', ')}));

-- The groups of each person once, or of each row where there is no unit: v1, v2, ... Ordered by hashes of
-- these with a secret, a table: so their places are the same every time, and tell no values.
create or replace macro sqlanon._groups_of_people(rows, groups, unit, secret) as table
    from query(sqlanon._fill($$
        select {values}
        from (select {distinct} {person} as person{each groups: , src.{c} as v{i}} from {rows} as src {with})
        cross join {secret}
        order by sqlanon._keyed_hash(secret, 'place of a person', [{texts}])
    $$, map {
        'rows': sqlanon._relation(rows), 'distinct': if(unit is null, '', 'distinct'),
        'values': sqlanon._each(groups, 'v{i}', ', '), 'texts': sqlanon._each(groups, 'v{i}::varchar', ', '),
        'person': if(unit is null, 'null', sqlanon._person(unit, null)),
        'with': coalesce('where src.' || sqlanon._quote(unit) || ' is not null', ''),
        'secret': sqlanon._relation(secret)}));

-- All combinations of the groups of some columns, by how many each has.
create or replace macro sqlanon._all_groups(names, sizes) as table
    from query(
        'select ' || list_aggregate(list_transform(names, lambda name, i: format(
            'n{}.range::integer as {}', i, sqlanon._quote(name))), 'string_agg', ', ')
        || ' from ' || list_aggregate(list_transform(sizes, lambda size, i: format(
            'range({}) as n{}', size, i)), 'string_agg', ', '));

-- Shares of noisy counts: the groups, share, low and high. A share is between the quotients of the ends.
create or replace macro sqlanon._shares_of_counts(counts, groups) as table
    from query(sqlanon._fill($$
        with noisy as (
            select in_part = 1 as is_part, greatest(n, 0) as n, greatest(low, 0) as low,
                   greatest(high, 0) as high{each groups: , {c}}
            from {counts}
        )
        select part.n / greatest(part.n + others.n, 1) as share,
               part.low / greatest(part.low + others.high, 1) as low,
               part.high / greatest(part.high + others.low, 1) as high{each groups: , part.{c}}
        from (from noisy where is_part) as part
        join (from noisy where not is_part) as others using ({each groups: {c}})
    $$));

-- Does a value read as a label of several values, such as 20-29?
create or replace macro sqlanon._is_a_label(string) as sqlanon._parsed(string).form <> 'value';

-- Answers with what each has cost, in the order in which they were told. answers, spending: tables of a
-- register.
create or replace macro sqlanon._listed_answers(answers, spending) as table
    select told.id, answered_at, answered_by, audience, way, told.source, period, question, epsilon, delta,
           told.release_id
    from query_table(answers) as told left join query_table(spending) as paid on paid.id = spending_id
    order by told.id;
