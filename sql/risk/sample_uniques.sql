-- Minimal sample uniques (Elliot, Manning and Ford 2002; Manning, Haglin and Keane 2008, SUDA2): the smallest
-- sets of columns by which a record is alone in its table.
--
-- A record that is unique by some columns is unique by these and any other. So its unique sets are told by
-- the minimal ones, and a set is minimal if the record is unique by none of the sets that lack one of its
-- columns. Sets are rows, lists of the positions of columns: all of them are counted at once, over distinct
-- combinations with numbers in place of values. NULL is a value, as any other.

-- An empty text, or an error: columns (a list, with the id and the weight, if there are any) name none, or
-- one twice.
create or replace macro sqlanon._checked_columns(columns, id, weight := null) as
    case when len(sqlanon._list(columns)) = 0
         then error('columns names no column: give at least one, e.g. columns := [''age'', ''zip'']')
         when list_contains(list_transform(sqlanon._list(columns), lambda name: name is null), true)
         then error('a column name is NULL in columns')
         else coalesce(
             error('column "'
                   || sqlanon._claimed_twice(
                       sqlanon._list(columns) || sqlanon._list(id) || sqlanon._list(weight))
                   || '" is named twice'), '')
    end;

-- The largest set to look at, as a text: at most all columns.
create or replace macro sqlanon._largest_set(max_size, columns) as
    least(coalesce(sqlanon._whole_number(max_size, 'max_size'), 3), len(sqlanon._list(columns)))::varchar;

-- Distinct combinations with numbers in place of values: tuple_id, n, codes (a list, one per column: the rank
-- of its value, NULL first). combinations: tuple_id, n, and the columns, whose names all begin with q.
create or replace macro sqlanon._coded(combinations) as table
    select tuple_id, n, list_value(*columns('^q')) as codes
    from (
        select tuple_id, n,
               dense_rank() over (order by columns(lambda name: name[1] = 'q') nulls first) as '\0'
        from query_table(combinations)
    );

-- Sets of columns: wider by one column than those in sets (members: positions in ascending order, of so many
-- columns in all), each once.
create or replace macro sqlanon._wider_sets(sets, number_of_columns) as table
    select list_append(members, position) as members
    from query_table(sets), range(1, number_of_columns + 1) as candidates(position)
    where position > coalesce(members[-1], 0);

-- What sets come from by the loss of one column: members, inner_members.
create or replace macro sqlanon._inner_sets(sets) as table
    select members, list_filter(members, lambda member: member <> lost) as inner_members
    from (select members, unnest(members) as lost from query_table(sets));

-- The combinations by each set: number (of the set), n (rows of one), tuple_id (any one of its combinations).
-- coded: as above; sets: number, members, at most max_size.
create or replace macro sqlanon._set_counts(coded, sets, max_size) as table
    from query(sqlanon._let(
        list_transform(range(1, max_size + 1), lambda place: place::varchar),
        lambda places: sqlanon._fill($$
            select number, sum(n) as n, any_value(tuple_id) as tuple_id
            from (select number, n, tuple_id{keys} from {coded} cross join {sets})
            group by number{each_of places: , key{i}}
            $$, map {'keys': sqlanon._each_of(places, ', codes[members[{i}]] as key{i}', '')})));

-- All sets of up to max_size columns: number, members, size.
create or replace macro sqlanon._column_sets(number_of_columns, max_size) as table
    with recursive growing as (
        select []::bigint[] as members
        union all
        select members from sqlanon._wider_sets('growing', number_of_columns) where len(members) <= max_size
    )
    select row_number() over (order by len(members), members) as number, members, len(members) as size
    from growing where len(members) > 0;

-- The minimal unique sets of each combination that has any: tuple_id, number. column_sets: as above.
create or replace macro sqlanon._minimal_sets(coded, column_sets, max_size) as table
    with by_set as materialized (
        select number, tuple_id from sqlanon._set_counts(coded, column_sets, max_size) where n = 1
    ),
    inner_set as (
        select wider.number, narrower.number as inner_number
        from sqlanon._inner_sets(column_sets) as lacking
        join query_table(column_sets) as wider using (members)
        join query_table(column_sets) as narrower on narrower.members = lacking.inner_members
    ),
    -- Unique already by a set that lacks a column.
    needless as (
        select inner_set.number, by_set.tuple_id
        from by_set join inner_set on inner_set.inner_number = by_set.number
    )
    select tuple_id, number from by_set anti join needless using (number, tuple_id);

-- The records of each combination: tuple_id, who (the column id; without one a record of each).
create or replace macro sqlanon._records(tbl, names, id, combinations) as table
    from query(
        case when id is null then 'select tuple_id, null as who from ' || combinations
             else sqlanon._fill($$
                 select combination.tuple_id, src.{"id"} as who
                 from {source} as src join {combinations} as combination on true{same_values}
                 $$, map {
                     'source': sqlanon._projected(tbl, names, id, null),
                     'same_values': sqlanon._each(
                     names, ' and src.{c} is not distinct from combination.q{i}', '')})
        end);

-- What is told of minimal uniques: who, columns, size, unique_values. minimal: tuple_id, number; the other
-- relations: as above.
create or replace macro sqlanon._named_sets(minimal, column_sets, combinations, records, names) as table
    from query(sqlanon._fill($$
        select who, list_transform(members, lambda member: ({names})[member]) as columns, size,
               list_transform(members, lambda member: [{each names: q{i}::varchar}][member]) as unique_values
        from {minimal} join {column_sets} using (number) join {combinations} using (tuple_id)
        join {records} using (tuple_id)
        $$, map {'names': sqlanon._names(names)}));

-- A relation whose column who has the name of the id, or is not there without one; in an order of its columns
-- (a text). The id may have the name of another column.
create or replace macro sqlanon._told_by_id(relation, id, ordering) as table
    from query(sqlanon._fill($$
        select {who} * exclude (who) from {relation} as told order by {ordering}
        $$, map {'who': coalesce('told.who as ' || sqlanon._quote(id) || ',', '')}));

create or replace macro sqlanon._minimal_uniques(tbl, names, id, max_size, weight) as table
    with _sqlanon_source as materialized (from sqlanon._source(tbl, names, id, weight)),
    _sqlanon_combination as materialized (
        from sqlanon._numbered_combinations('_sqlanon_source', names, [], weight)
    ),
    _sqlanon_coded as materialized (from sqlanon._coded('_sqlanon_combination')),
    _sqlanon_set as materialized (from sqlanon._column_sets(len(names), max_size)),
    _sqlanon_minimal as (from sqlanon._minimal_sets('_sqlanon_coded', '_sqlanon_set', max_size)),
    _sqlanon_record as (from sqlanon._records('_sqlanon_source', names, id, '_sqlanon_combination')),
    _sqlanon_unique as (
        from sqlanon._named_sets(
            '_sqlanon_minimal', '_sqlanon_set', '_sqlanon_combination', '_sqlanon_record', names)
        union all by name
        select refused::bigint as size from sqlanon._refuse_empty('_sqlanon_combination', tbl)
    )
    from sqlanon._told_by_id('_sqlanon_unique', id, 'told.size, told.columns, told.unique_values, told.who');

create or replace macro sqlanon.minimal_uniques(
    tbl, columns, id := null, max_size := 3, weight := null) as table
    from query(
        sqlanon._checked_columns(columns, id, weight)
        || {call _minimal_uniques:
            names := columns, max_size := text(sqlanon._largest_set(max_size, columns))});

comment on macro table sqlanon.minimal_uniques is $$
Finds the smallest sets of columns in which a record differs from all others (minimal sample uniques): one row
per record and set. A record that is not unique in any set of up to max_size columns has no row.

Parameters:
- tbl (table): the raw rows.
- columns (columns): the columns to check.
- id (column; default null): identifies the record, for the result.
- max_size (integer, at least 1; default 3): the largest number of columns in a set.
- weight: as in classes

Result:
- <id> (unchanged): the record.
- columns (list of texts): the set: no other record has the same values in these columns, but in each smaller
  subset some other record does. NULL is a value of its own.
- size (integer, columns): the number of columns in the set.
- unique_values (list of texts): the values of the record in these columns.

Errors: unknown column, empty table, max_size below 1, a weight as in classes.

Notes: with weight, only rows that stand for one person can be unique.

Source: Elliot, Manning and Ford 2002; Manning, Haglin and Keane 2008.

Example:
from sqlanon.minimal_uniques('people', columns := ['zip', 'disease'], id := 'name');
$$;

-- SUDA (Elliot et al. 2005): a minimal unique of s of m columns, found with sets of up to M columns, counts
-- (m - s)(m - s - 1) ... (m - M), without factors of 0: few columns count most. The score of a record is the
-- sum of its minimal uniques.
create or replace macro sqlanon._suda_weight(size, number_of_columns, max_size) as
    list_aggregate(
        list_transform(
            range(size, least(max_size, number_of_columns - 1) + 1),
            lambda i: (number_of_columns - i)::double)
        || [1.0::double], 'product');

-- DIS (Skinner and Elliot 2002): how likely somebody who matches a unique record is that person. A sample of
-- this fraction has uniques, and pairs of records that are alike: uniques * fraction / (uniques * fraction +
-- records in pairs * (1 - fraction)). DIS-SUDA spreads the odds against that over the unique records, by
-- score ^ (1 + (8 - m) / 20), as sdcMicro does (suda2).
create or replace macro sqlanon._dis(uniques, paired, fraction) as
    uniques * fraction / (uniques * fraction + paired * (1 - fraction));

-- The scores of combinations: tuple_id, n (rows), uniques (minimal ones), score, dis_score.
create or replace macro sqlanon._suda_scores(
    coded, column_sets, number_of_columns, max_size, fraction) as table
    with per_combination as (
        select tuple_id, count(*) as uniques,
               sum(sqlanon._suda_weight(size, number_of_columns, max_size)) as score
        from sqlanon._minimal_sets(coded, column_sets, max_size) join query_table(column_sets) using (number)
        group by tuple_id
    ),
    scored as materialized (
        select tuple_id, n, coalesce(uniques, 0) as uniques, coalesce(score, 0) as score,
               power(score, 1 + (8 - number_of_columns) / 20) as strength
        from query_table(coded) left join per_combination using (tuple_id)
    ),
    whole as (
        select count(*) filter (where n = 1) as alone, 2 * count(*) filter (where n = 2) as paired,
               list_sum(list_sort(list(1 / strength) filter (where score > 0))) as spread
        from scored
    )
    select tuple_id, n, uniques, score,
           case when fraction is null then null
                when score = 0 then 0
                else 1 / (1 + alone * (1 / sqlanon._dis(alone, paired, fraction) - 1) / (strength * spread))
           end as dis_score
    from scored, whole;

create or replace macro sqlanon._suda(tbl, names, id, max_size, fraction, weight) as table
    with _sqlanon_source as materialized (from sqlanon._source(tbl, names, id, weight)),
    _sqlanon_combination as materialized (
        from sqlanon._numbered_combinations('_sqlanon_source', names, [], weight)
    ),
    _sqlanon_coded as materialized (from sqlanon._coded('_sqlanon_combination')),
    _sqlanon_set as materialized (from sqlanon._column_sets(len(names), max_size)),
    _sqlanon_scored as materialized (
        from sqlanon._suda_scores('_sqlanon_coded', '_sqlanon_set', len(names), max_size, fraction)
    ),
    _sqlanon_record as (from sqlanon._records('_sqlanon_source', names, id, '_sqlanon_combination')),
    _sqlanon_score as (
        select who, n as size, uniques, score, dis_score
        from _sqlanon_scored join _sqlanon_record using (tuple_id)
        union all by name
        select refused::bigint as size from sqlanon._refuse_empty('_sqlanon_combination', tbl)
    )
    from sqlanon._told_by_id('_sqlanon_score', id, 'told.score desc, told.who');

create or replace macro sqlanon.suda(
    tbl, columns, id, max_size := 3, fraction := null, weight := null) as table
    from query(
        sqlanon._checked_columns(columns, id, weight)
        || case when len(sqlanon._list(columns)) > 27
                then error('suda takes up to 27 columns, not ' || len(sqlanon._list(columns))
                           || ': name fewer')
                else ''
           end
        || {call _suda:
            names := columns, max_size := text(sqlanon._largest_set(max_size, columns)),
            fraction := text(sqlanon._fraction_text(fraction))});

comment on macro table sqlanon.suda is $$
Computes the SUDA score of every record of a table, which is higher if fewer columns single the record out
(minimal_uniques): one row per record (with weight, per row of the table), the highest score first.

Parameters:
- tbl, columns: as in minimal_uniques
- id (column): identifies the record.
- max_size: as in minimal_uniques
- fraction (number, above 0 and below 1; default null): if the table is a sample, its share of the population:
  for dis_score.
- weight: as in classes

Result:
- <id> (unchanged): the record.
- size (integer, rows): records with the same values in columns, including this one.
- uniques (integer): the number of its minimal sample uniques, as in minimal_uniques.
- score (number): the sum over these: a set of s of the m columns adds (m - s)(m - s - 1)...(m - max_size).
- dis_score (number, probability): the probability that somebody who matches the record is its person
  (DIS-SUDA); NULL without a fraction.

Errors: unknown column, empty table, max_size below 1, more than 27 columns, a weight as in classes.

Notes: NULL in the table is a value of its own.

Source: Elliot et al. 2005; Skinner and Elliot 2002; suda2 of sdcMicro.

Example:
from sqlanon.suda('people', columns := ['zip', 'disease', 'age'], id := 'name', fraction := 0.1);
$$;
