-- Rows of a release that are no row of its source, as far as labels tell: what is asked of releases whose
-- method nobody knows.
--
-- A row of the source can be in a class whose labels cover its values, and which has a row with the same
-- unchanged values. A class that has more such rows than can be there has labels that are not those of its
-- rows, and so has a release with a row of the source that can be in no class, or with more rows that can be
-- in the same classes than these have room for. This is Hall's condition (1935) for single classes, and for
-- rows alike. Where classes overlap, a wrong label may go unnoticed: another row can be there in place of the
-- right one.

-- One row: unlike (rows of the release for which the source has too few), class (one that has such rows),
-- nowhere (rows of the source for which no class has room). release, source: relations with the columns in qi
-- and unchanged.
create or replace macro sqlanon._unlike_rows(release, source, qi, unchanged, hierarchies) as table
    with _sqlanon_numbered as materialized (
        select row_number() over () as row_id, * from query_table(source)
    ),
    _sqlanon_located_row as materialized (
        from sqlanon._located_rows(release, '_sqlanon_numbered', qi, null, unchanged, hierarchies)
    ),
    _sqlanon_lacking as (
        select class_id, greatest(any_value(n) - count(row_id), 0) as lacking
        from _sqlanon_located_row group by class_id, v
    ),
    _sqlanon_place as (
        select v, sum(n) as room, sum(hash(class_id)) as classes
        from _sqlanon_located_row where row_id is not null group by row_id, v
    ),
    _sqlanon_crowd as (
        select count(*) as placed, greatest(count(*) - any_value(room), 0) as crowded
        from _sqlanon_place group by v, classes
    )
    from query(sqlanon._fill($$
        select coalesce(sum(lacking), 0)::bigint as unlike,
               (select first(struct_pack({each qi: {c} := l{i}}) order by class_id)
                from _sqlanon_located_row
                where class_id in (select class_id from _sqlanon_lacking where lacking > 0)) as class,
               ((select count(*) from _sqlanon_numbered)
                - (select coalesce(sum(placed - crowded), 0) from _sqlanon_crowd))::bigint as nowhere
        from _sqlanon_lacking
    $$, map {}));
