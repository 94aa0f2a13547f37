-- Rows that are not covered: does a release that somebody else has made stand for its source? Each of its
-- rows must be one of the source, with the same unchanged values and quasi-identifiers that the labels cover.
--
-- Rows of a release have no numbers, so that each combination of labels and unchanged values is counted: as
-- many rows of the source as have it must fit, and the other way round. That is Hall's condition (1935) for
-- single combinations, not for sets of them. It is exact if an unchanged column tells the rows apart.

-- The rows of a relation by where their quasi-identifiers are: place, u1, u2, ... (unchanged values), n.
-- places: a relation with a row per combination of columns of qi. key: its column that numbers them.
-- column_at, value_at: templates of a column of places, and of what it is compared with.
create or replace macro sqlanon._rows_by_place(
    rows_of, places, key, qi, unchanged, column_at, value_at) as table
    from query(sqlanon._fill($$
        select place.{key} as place, {each unchanged: src.{c} as u{i}}{comma} count(*) as n
        from {rows_of} as src
        join {places} as place on row({values}) is not distinct from row({columns})
        group by all
    $$, map {
        'comma': if(len(sqlanon._list(unchanged)) > 0, ',', ''),
        'values': sqlanon._each(qi, value_at, ', '), 'columns': sqlanon._each(qi, column_at, ', ')}));

-- What no row can stand for: released_rows that have too few rows of the source, label (of the first column,
-- an example), and source_rows that have too few of the release. hierarchy: as of _locate.
create or replace macro sqlanon._rows_not_covered(
    released_table, source_table, qi, unchanged, hierarchy) as table
    with _sqlanon_class as materialized (from sqlanon._release_classes(released_table, qi)),
    _sqlanon_combination as materialized (from sqlanon._target_combinations(source_table, qi, null)),
    _sqlanon_located as materialized (
        from sqlanon._locate('_sqlanon_class', '_sqlanon_combination', hierarchy, qi)
    ),
    _sqlanon_released as materialized (
        from sqlanon._rows_by_place(
            released_table, '_sqlanon_class', 'class_id', qi, unchanged, 'place.q{i}', 'src.{c}')
    ),
    _sqlanon_original as materialized (
        from sqlanon._rows_by_place(
            source_table, '_sqlanon_combination', 'target', qi, unchanged, 'place.v{i}', 'src.{c}::varchar')
    ),
    _sqlanon_numbered_release as materialized (select row_number() over () as cell, * from _sqlanon_released),
    _sqlanon_numbered_source as materialized (select row_number() over () as cell, * from _sqlanon_original),
    _sqlanon_pair as materialized (
        from query(sqlanon._fill($$
            select released.cell as released_cell, released.n as released_n,
                   original.cell as original_cell, original.n as original_n
            from _sqlanon_numbered_release as released
            join _sqlanon_located as located on located.class_id = released.place
            join _sqlanon_numbered_source as original
              on original.place = located.target {same}
        $$, map {'same': sqlanon._each(
            unchanged, 'and original.u{i} is not distinct from released.u{i}', ' ')}))
    ),
    _sqlanon_short_release as (
        select place, n - coalesce(fitting, 0) as missing
        from _sqlanon_numbered_release as each_cell
        left join (select released_cell, sum(original_n) as fitting from _sqlanon_pair group by all) as found
          on found.released_cell = each_cell.cell
        where n > coalesce(fitting, 0)
    ),
    _sqlanon_short_source as (
        select n - coalesce(fitting, 0) as missing
        from _sqlanon_numbered_source as each_cell
        left join (select original_cell, sum(released_n) as fitting from _sqlanon_pair group by all) as found
          on found.original_cell = each_cell.cell
        where n > coalesce(fitting, 0)
    )
    select coalesce((select sum(missing) from _sqlanon_short_release), 0)::bigint as released_rows,
           (select min(l1) from _sqlanon_class
            where class_id in (select place from _sqlanon_short_release)) as label,
           coalesce((select sum(missing) from _sqlanon_short_source), 0)::bigint as source_rows;
