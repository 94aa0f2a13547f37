-- Columns that releases leave unchanged, and of which a release may lack some (what they are for:
-- sql/attack/unchanged_rows.sql).

-- The type of a column that a release lacks, in its cells, and the kind of its values.
create or replace macro sqlanon._type_of_lacking() as typeof(struct_pack(sqlanon_lacks := true));
create or replace macro sqlanon._kind_of_lacking() as -1;

create or replace macro sqlanon._kind_of_cells(type_name) as
    case when type_name = sqlanon._type_of_lacking() then sqlanon._kind_of_lacking()
         else sqlanon._kind_of_type(type_name) end;

-- A query on a release that may lack some columns, as a text: there these have the type above, since such a
-- name is that of a column of lacking. query_text: a lambda from the name of a relation.
create or replace macro sqlanon._completed(release) as
    regexp_replace(release, '[".]', '_', 'g') || ' with columns that it lacks';
create or replace macro sqlanon._after_completing(release, columns, query_text) as
    if(columns is null, list_transform([release], query_text)[1],
       sqlanon._fill($$
           (with {completed} as (
                select given.*
                from (select {lacks}) as lacking, lateral (select *, {columns} from {relation}) as given
            )
            {query})
       $$, map {
           'completed': sqlanon._quote(sqlanon._completed(release)),
           'lacks': sqlanon._each(columns, 'struct_pack(sqlanon_lacks := true) as {c}', ', '),
           'columns': sqlanon._each(columns, '{c}', ', '),
           'relation': sqlanon._relation(release),
           'query': list_transform([sqlanon._completed(release)], query_text)[1]}));

-- Positions of columns among all, the sensitive ones first: of those that stay, or of the sensitive ones that
-- may change.
create or replace macro sqlanon._positions(sensitive, unchanged, may_change, of_stable) as
    list_filter(
        range(1, len(sqlanon._list(sensitive)) + 1 + if(of_stable, len(sqlanon._list(unchanged)), 0)),
        lambda one:
            list_contains(sqlanon._lower(sqlanon._list(may_change)),
                          lower((sqlanon._list(sensitive) || sqlanon._list(unchanged))[one])) <> of_stable);

-- Are releases judged by rows? Not where one column is all there is, and stays.
create or replace macro sqlanon._is_by_rows(sensitive, unchanged, may_change) as
    len(sqlanon._positions(sensitive, unchanged, may_change, true)) > 1
    or len(sqlanon._positions(sensitive, unchanged, may_change, false)) > 0;

-- Are releases judged by rows, and do rows tell more than columns? They do not with one release of whose
-- people nothing else is known.
create or replace macro sqlanon._rows_tell_more(
    releases, sensitive, unchanged, may_change, negations, priors) as
    sqlanon._is_by_rows(sensitive, unchanged, may_change)
    and (len(sqlanon._list(releases)) > 1 or negations is not null or priors is not null);

-- Which columns judge together, as lists of positions; the first are all that stay (stable), the others those
-- that judge where the first leave no row. learned: how many columns are sensitive, which come first.
create or replace macro sqlanon._judging_columns(stable, learned) as
    sqlanon._let(stable, lambda stays:
        list_filter(
            list_sort(list_distinct(
                [list_filter(stays, lambda one: one <= learned)]
                || list_transform(stays, lambda left_out:
                       list_filter(stays, lambda one: one <> left_out)))),
            lambda judging: len(judging) > 1 and len(judging) < len(stays)));

-- No rows, or an error where a column that is named is none of those that it has to be one of.
create or replace macro sqlanon._refuse_given_columns(sensitive, unchanged, may_change, cells) as table
    from query(
        if(unchanged is null and may_change is null, 'select null as refused where false',
           {call _refuse_columns: names := sqlanon._list(sensitive) || sqlanon._list(unchanged)}));
create or replace macro sqlanon._refuse_columns(names, may_change, cells) as table
    select error('values_may_change names ' || name || ', which is in neither sensitive nor unchanged')
               as refused
    from (select unnest(may_change) as name)
    where not list_contains(sqlanon._lower(names), lower(name))
    union all
    select error('no release has column "' || names[attribute] || '" (unchanged)')
    from (
        select unnest(range(1, len(kinds) + 1)) as attribute, unnest(kinds) as kind
        from (select distinct kinds from query_table(cells))
    )
    group by attribute having min((kind is not distinct from sqlanon._kind_of_lacking())::integer) = 1;
