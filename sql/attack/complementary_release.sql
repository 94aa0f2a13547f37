-- The complementary release attack (Sweeney 2002, sec. 4.2), and the temporal one (sec. 4.3), where the later
-- release has rows that were added since: two releases of the same rows are joined on what both tell
-- unchanged, outside the quasi-identifiers. Of the rows so joined those can be the same whose generalized
-- values overlap, and the finer values of both are then true of the row.
--
-- A row of the answer is a row of the first release, not a pair: a row with many partners would otherwise
-- count as many successes. Equal rows share their fate, so both releases are reduced to distinct combinations
-- first; classes are compared (sql/locating/overlaps.sql), not rows.

create or replace macro sqlanon._two_releases(releases) as
    case when len(sqlanon._list(releases)) = 2 then sqlanon._list(releases)
         else error('releases must name two releases, not ' || len(sqlanon._list(releases))) end;

-- Names by position, as columns have them in the macros: q1, q2, ...
create or replace macro sqlanon._positional_names(qi) as
    list_transform(range(1, len(sqlanon._list(qi)) + 1), lambda i: 'q' || i);

-- The distinct rows of a release: subject (a number), q1, ..., j1, ... (the join columns), record (which one
-- it is, or NULL), rows.
create or replace macro sqlanon._joined_rows(release, qi, join_columns, truth) as table
    from query(sqlanon._fill($$
        select row_number() over () as subject, *
        from (
            select {qi}, {joined}, {record} as record, count(*) as rows
            from sqlanon._source({release}, {qi_names}, {others}) as src group by all
        )
    $$, map {
        'qi': sqlanon._each(qi, 'src.{c} as q{i}', ', '),
        'joined': sqlanon._each(join_columns, 'src.{c} as j{i}', ', '),
        'record': coalesce(nullif(sqlanon._each(truth, 'src.{c}', ''), ''), 'null'),
        'release': sqlanon._literal(release),
        'qi_names': sqlanon._names(qi),
        'others': sqlanon._names(sqlanon._list(join_columns) || sqlanon._list(truth))}));

-- The values of the join columns: d (which column), string, code (the same for what compares as equal).
create or replace macro sqlanon._join_codes(first_rows, second_rows, join_columns) as table
    with column_kind as (
        select d, sqlanon._common_kind(one.string, other.string) as kind
        from sqlanon._long(first_rows, join_columns, 'sqlanon._kind_of_type(typeof(j{i}))') as one
        join sqlanon._long(second_rows, join_columns, 'sqlanon._kind_of_type(typeof(j{i}))') as other
          using (d)
    ),
    spelled as (
        from sqlanon._long(first_rows, join_columns, 'j{i}::varchar')
        union
        from sqlanon._long(second_rows, join_columns, 'j{i}::varchar')
    )
    select d, string, dense_rank() over (partition by d order by sqlanon._comparable(string, kind)) as code
    from spelled left join column_kind using (d);

-- The rows with class_id, and in keys the codes of their join columns.
create or replace macro sqlanon._keyed_rows(joined_rows, release_classes, join_codes, qi, join_columns)
as table
    from query(sqlanon._fill($$
        select joined.*, class_id, [{codes}] as keys
        from {rows} as joined
        join {classes} as class on row({joined}) is not distinct from row({class})
        {joins}
    $$, map {
        'codes': sqlanon._each(join_columns, 'value{i}.code', ', '),
        'rows': joined_rows,
        'classes': release_classes,
        'joined': sqlanon._each(qi, 'joined.q{i}', ', '),
        'class': sqlanon._each(qi, 'class.q{i}', ', '),
        'joins': sqlanon._each(join_columns, '
            join (from ' || join_codes || ' where d = {i}) as value{i}
              on value{i}.string is not distinct from joined.j{i}::varchar', '')}));

-- What rows of the second release say of each of the first: subject, common (as of _overlapping_classes),
-- other (the first class that says it), n (rows that do). (A row has to equal a row, so that classes are
-- joined before values: these alone are shared by too many.)
create or replace macro sqlanon._linked_pairs(first_rows, second_rows, overlapping) as table
    with partner as materialized (
        select class_id, keys, sum(rows)::bigint as n from query_table(second_rows) group by class_id, keys
    )
    select subject, common, min(other) as other, sum(n)::bigint as n
    from query_table(first_rows) as joined
    join query_table(overlapping) as pair on pair.one = joined.class_id
    join partner on row(partner.class_id, partner.keys) = row(pair.other, joined.keys)
    group by subject, common;

-- The most probable of these: subject, compatible (rows that say anything), n, common, other; linked_size
-- (pairs of rows that say the same).
create or replace macro sqlanon._best_links(linked_pairs, first_rows) as table
    with best as (
        select subject, sum(n)::bigint as compatible,
               unnest(max(struct_pack(n := n, first_other := -other, common := common)))
        from query_table(linked_pairs) group by subject
    ),
    linked as (
        select common, sum(n * rows)::bigint as linked_size
        from query_table(linked_pairs) join query_table(first_rows) using (subject) group by common
    )
    select subject, compatible, n, common, -first_other as other, linked_size
    from best join linked using (common);

-- The same guess without the join: one (a class of the first release), common, share (of the rows in classes
-- that overlap it, those that say so), baseline (the largest share). sizes: class_id, size, of the second.
create or replace macro sqlanon._shares_of_overlap(overlapping, sizes) as table
    with said as (
        select one, common, sum(size) as n
        from query_table(overlapping) join query_table(sizes) on class_id = other group by one, common
    ),
    total as (select one, sum(n) as total, max(n) as most from said group by one)
    select one, common, n / total as share, most / total as baseline from said join total using (one);

-- What the true partners say: subject, common. Only those that are joined.
create or replace macro sqlanon._true_links(first_rows, second_rows, overlapping) as table
    select distinct joined.subject, common
    from query_table(first_rows) as joined
    join query_table(second_rows) as partner on partner.record = joined.record and partner.keys = joined.keys
    join query_table(overlapping) as pair on pair.one = joined.class_id and pair.other = partner.class_id;

-- All of it, a row per distinct row of the first release: q1, ..., j1, ..., record, rows, and what
-- complementary_release tells.
create or replace macro sqlanon._complementary_release(
    releases, qi, join_columns, hierarchies, truth) as table
    with _sqlanon_hierarchy as materialized (from sqlanon._hierarchies(hierarchies)),
    _sqlanon_first as materialized (from sqlanon._joined_rows(releases[1], qi, join_columns, truth)),
    _sqlanon_second as materialized (from sqlanon._joined_rows(releases[2], qi, join_columns, truth)),
    _sqlanon_first_class as materialized (
        from sqlanon._release_classes('_sqlanon_first', sqlanon._positional_names(qi))
    ),
    _sqlanon_second_class as materialized (
        from sqlanon._release_classes('_sqlanon_second', sqlanon._positional_names(qi))
    ),
    _sqlanon_covered as materialized (
        from sqlanon._covered_by_both(
            '_sqlanon_first_class', '_sqlanon_second_class', '_sqlanon_hierarchy', qi)
    ),
    _sqlanon_pair as materialized (
        from sqlanon._overlaps_of_classes(
            '_sqlanon_first_class', '_sqlanon_second_class', '_sqlanon_covered', qi)
    ),
    _sqlanon_code as materialized (
        from sqlanon._join_codes('_sqlanon_first', '_sqlanon_second', join_columns)
    ),
    _sqlanon_subject as materialized (
        from sqlanon._keyed_rows('_sqlanon_first', '_sqlanon_first_class', '_sqlanon_code', qi, join_columns)
    ),
    _sqlanon_partner as materialized (
        from sqlanon._keyed_rows(
            '_sqlanon_second', '_sqlanon_second_class', '_sqlanon_code', qi, join_columns)
    ),
    _sqlanon_link as materialized (
        from sqlanon._linked_pairs('_sqlanon_subject', '_sqlanon_partner', '_sqlanon_pair')
    ),
    _sqlanon_best as materialized (from sqlanon._best_links('_sqlanon_link', '_sqlanon_subject')),
    _sqlanon_size as (select class_id, sum(rows)::bigint as size from _sqlanon_partner group by class_id),
    _sqlanon_baseline as (
        select distinct one, baseline from sqlanon._shares_of_overlap('_sqlanon_pair', '_sqlanon_size')
    ),
    _sqlanon_true as materialized (
        from sqlanon._true_links('_sqlanon_subject', '_sqlanon_partner', '_sqlanon_pair')
    ),
    _sqlanon_chosen as materialized (
        select distinct class_id as one, other from _sqlanon_best join _sqlanon_subject using (subject)
    ),
    _sqlanon_finer as (
        from sqlanon._finer_classes(
            '_sqlanon_chosen', '_sqlanon_first_class', '_sqlanon_second_class', '_sqlanon_covered', qi)
    ),
    _sqlanon_matching as (select keys, sum(rows)::bigint as pairs from _sqlanon_partner group by keys),
    _sqlanon_refusal as (
        from sqlanon._refuse_empty('_sqlanon_first', releases[1])
        union all from sqlanon._refuse_empty('_sqlanon_second', releases[2])
        union all from sqlanon._refuse_hierarchies('_sqlanon_hierarchy', qi, null)
        union all from sqlanon._refuse_unreadable('_sqlanon_first_class', '_sqlanon_covered', releases[1], qi)
        union all
        from sqlanon._refuse_unreadable('_sqlanon_second_class', '_sqlanon_covered', releases[2], qi)
    )
    select subject.*, finer, is_finer, n / compatible as confidence, baseline,
           case when record is not null and finer is not null
                then (subject, common) in (select (subject, common) from _sqlanon_true) end as is_right,
           coalesce(pairs, 0) as pairs, coalesce(compatible, 0) as compatible, linked_size
    from _sqlanon_subject as subject
    left join _sqlanon_best as best using (subject)
    left join _sqlanon_matching using (keys)
    left join _sqlanon_baseline as baseline on baseline.one = subject.class_id
    left join _sqlanon_finer as finer on finer.one = subject.class_id and finer.other = best.other
    union all by name
    select refused::bigint as rows from _sqlanon_refusal;

create or replace macro sqlanon.complementary_release(
    releases, qi, join_columns, hierarchies := null, truth := null) as table
    from query(
        case when len(sqlanon._list(join_columns)) = 0
             then error('join_columns names no column: give at least one that both releases tell unchanged')
             else '' end
        || sqlanon._checked(qi, join_columns, truth) || sqlanon._fill($$
        select {qi}, {joined}{truth}, rows,
               case when is_finer then sqlanon._shown_labels(finer) end as learned, confidence, baseline,
               is_right, null::boolean as is_control, finer, pairs, compatible, linked_size
        from sqlanon._complementary_release({arguments})
    $$, map {
        'qi': sqlanon._each(qi, 'q{i} as {c}', ', '),
        'joined': sqlanon._each(join_columns, 'j{i} as {c}', ', '),
        'truth': sqlanon._each(truth, ', record as {c}', ''),
        'arguments': concat_ws(', ',
            sqlanon._names(sqlanon._two_releases(releases)), sqlanon._names(qi), sqlanon._names(join_columns),
            sqlanon._optional(hierarchies), sqlanon._names(truth))}));

comment on macro table sqlanon.complementary_release is $$
Links two releases of the same rows on columns outside the quasi-identifiers: one row per distinct row of the
first release. Rows with the same values in these columns, and labels that overlap, can be the same; the finer
labels of both are then learned of the row.

Parameters:
- releases (list of tables): two, both with the columns in qi and join_columns.
- qi (columns): the quasi-identifiers, generalized in both.
- join_columns (columns): what both releases tell unchanged.
- hierarchies (table; default null): rows of attribute, value, level and label: what released labels stand
  for.
- truth (column; default null): of both releases, says which rows are the same record.

Result:
- <qi> (unchanged): of the row, as the first release has it.
- <join_columns> (unchanged): of the row.
- <truth> (unchanged): with truth, of the row.
- rows (integer, rows): how many such rows the first release has.
- learned (text): the finer labels that most of the compatible rows give; NULL: the first release says as
  much, or there are none.
- confidence (number): the share of the compatible rows that give these labels.
- baseline (number): the same without join_columns: of all rows with labels that overlap, the largest share
  that gives the same finer labels.
- is_right (boolean): does the true row of the second release give these labels? NULL without truth, or if
  there are none.
- is_control (boolean): NULL: rows have no controls.
- finer (list of texts): these labels, one for each column in qi.
- pairs (integer, rows): of the second release, with the same values in join_columns.
- compatible (integer, rows): of these, those with labels that overlap.
- linked_size (integer, rows): of the linked table, all compatible pairs, those with these labels; 1: a
  singleton.

Errors: unknown column, empty table, other than two releases, a hierarchy that is not a tree, a label that
covers nothing.

Notes: labels are read as covers reads them, and a text that nobody explains is a value: without its hierarchy
it overlaps only itself. Rows with pairs but none compatible show that. Labels overlap as if values were
dense: between 29 and 30 there are more. The time grows with the pairs of overlapping classes.

Source: Sweeney 2002, sec. 4.2 and 4.3.

Example:
from sqlanon.complementary_release(['east', 'west'], qi := ['age', 'zip'], join_columns := 'disease');
$$;
