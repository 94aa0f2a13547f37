-- The complementary release attack (Sweeney 2002, sec. 4.2), and the temporal one (sec. 4.3), where the later
-- release has rows that were added since: two releases of the same rows are joined on the columns that both
-- release unchanged. Joined rows can be the same row if their generalized values overlap, and then the finer
-- values of both are true of it.
--
-- A row of the answer is a row of the first release, not a pair: a row with many partners would otherwise
-- count as many successes. Equal rows share their fate, so both releases are reduced to distinct combinations
-- first; classes are compared (sql/locating/overlaps.sql), not rows.

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
        select joined.*, class_id, [{each join_columns: value{i}.code}] as keys
        from {rows} as joined
        join {classes} as class on row({each qi: joined.q{i}}) is not distinct from row({each qi: class.q{i}})
        {joins}
    $$, map {
        'rows': joined_rows, 'classes': release_classes,
        'joins': sqlanon._each(join_columns, '
            join (from ' || join_codes || ' where d = {i}) as value{i}
              on value{i}.string is not distinct from joined.j{i}::varchar', '')}));

-- What rows of the second release say of each of the first: subject, common (as in _overlapping_classes),
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

-- The best guess without the join: one (a class of the first release), common, share (of the rows in classes
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

-- All of it, from relations of _releases_of_rows, a row per distinct row of the first release: q1, ..., j1,
-- ..., record, rows, and what complementary_release tells.
create or replace macro sqlanon._complementary_release(
    first_rows, second_rows, first_classes, second_classes, covered, overlapping, qi, join_columns) as table
    with _sqlanon_code as materialized (from sqlanon._join_codes(first_rows, second_rows, join_columns)),
    _sqlanon_subject as materialized (
        from sqlanon._keyed_rows(first_rows, first_classes, '_sqlanon_code', qi, join_columns)
    ),
    _sqlanon_partner as materialized (
        from sqlanon._keyed_rows(second_rows, second_classes, '_sqlanon_code', qi, join_columns)
    ),
    _sqlanon_link as materialized (
        from sqlanon._linked_pairs('_sqlanon_subject', '_sqlanon_partner', overlapping)
    ),
    _sqlanon_best as materialized (from sqlanon._best_links('_sqlanon_link', '_sqlanon_subject')),
    _sqlanon_baseline as (
        select distinct one, baseline from sqlanon._shares_of_overlap(overlapping, second_classes)
    ),
    _sqlanon_true as materialized (
        from sqlanon._true_links('_sqlanon_subject', '_sqlanon_partner', overlapping)
    ),
    _sqlanon_chosen as materialized (
        select distinct class_id as one, other from _sqlanon_best join _sqlanon_subject using (subject)
    ),
    _sqlanon_finer as (
        from sqlanon._finer_classes('_sqlanon_chosen', first_classes, second_classes, covered, qi)
    ),
    _sqlanon_matching as (select keys, sum(rows)::bigint as pairs from _sqlanon_partner group by keys)
    select subject.*, finer, is_finer, n / compatible as confidence, baseline,
           case when record is not null and finer is not null
                then (subject, common) in (select (subject, common) from _sqlanon_true) end as is_right,
           coalesce(pairs, 0) as pairs, coalesce(compatible, 0) as compatible, linked_size
    from _sqlanon_subject as subject
    left join _sqlanon_best as best using (subject)
    left join _sqlanon_matching using (keys)
    left join _sqlanon_baseline as baseline on baseline.one = subject.class_id
    left join _sqlanon_finer as finer on finer.one = subject.class_id and finer.other = best.other;

-- Why two releases cannot be of the same rows, whatever their classes: a text, or NULL. Rows with the same
-- values of the columns that both tell unchanged could be one; where the first has more of them than the
-- second, some are not in it. Both may lack rows of the other (one that has been added, or is suppressed): it
-- is a premise that fails where each has rows that the other has not.
create or replace macro sqlanon._rows_of_others(releases, join_columns, weight) as table
    with _sqlanon_first as materialized (
        from sqlanon._rows_of_release(releases[1], join_columns, join_columns, null, weight, null, false)
    ),
    _sqlanon_second as materialized (
        from sqlanon._rows_of_release(releases[2], join_columns, join_columns, null, weight, null, false)
    ),
    _sqlanon_code as materialized (
        from sqlanon._join_codes('_sqlanon_first', '_sqlanon_second', join_columns)
    ),
    keyed as (
        from query(sqlanon._over_releases(list_transform(
            ['_sqlanon_first', '_sqlanon_second'], lambda joined_release, number: sqlanon._fill($$
                select {number} as release, [{each join_columns: value{i}.code}] as keys, rows
                from {rows} as joined {joins}
            $$, map {
                'number': number::varchar, 'rows': joined_release,
                'joins': sqlanon._each(join_columns, '
                    join (from _sqlanon_code where d = {i}) as value{i}
                      on value{i}.string is not distinct from joined.j{i}::varchar', '')}))))
    ),
    total as (
        select coalesce(sum(rows) filter (release = 1), 0) as earlier,
               coalesce(sum(rows) filter (release = 2), 0) as later
        from keyed group by keys
    ),
    lacking as (
        select sum(earlier)::bigint as earlier, sum(later)::bigint as later,
               sum(greatest(earlier - later, 0))::bigint as lost,
               sum(greatest(later - earlier, 0))::bigint as added
        from total
    )
    select format('it is about two releases of the same rows, and {:,} of {:,} rows of {} and {:,} of {:,} '
                  'of {} cannot be in the other one, by their {}',
                  lost, earlier, releases[1], added, later, releases[2],
                  array_to_string(sqlanon._list(join_columns), ', ')) as premise
    from lacking where lost > 0 and added > 0;

create or replace macro sqlanon._complementary_release_of_compared(
    releases, qi, join_columns, compared_before, hierarchies := null, truth := null, weight := null,
    formats := null) as table
    from query(
        case when len(sqlanon._list(join_columns)) = 0
             then error('join_columns names no column: give at least one that both releases tell unchanged')
             else '' end
        || sqlanon._checked(qi, join_columns, truth, null, weight) || sqlanon._fill($$
        select {each qi: q{i} as {c}}, {each join_columns: j{i} as {c}}{each truth: , record as {c}}, rows,
               case when is_finer then sqlanon._shown_labels(finer) end as learned, confidence, baseline,
               is_right, null::boolean as is_control, finer, pairs, compatible, linked_size
        from sqlanon._releases_of_rows('_complementary_release', {arguments}, false, {compared})
    $$, map {
        'arguments': concat_ws(', ',
            sqlanon._names(sqlanon._two_releases(releases, '')), sqlanon._names(qi),
            sqlanon._names(join_columns), sqlanon._optional(hierarchies), sqlanon._names(truth),
            sqlanon._optional(weight), sqlanon._formats_of_two(formats, releases, qi)),
        'compared': sqlanon._names_if_any(compared_before)}));

create or replace macro sqlanon.complementary_release(
    releases, qi, join_columns, hierarchies := null, truth := null, weight := null, formats := null) as table
    from {sqlanon._complementary_release_of_compared: compared_before := null};

comment on macro table sqlanon.complementary_release is $$
Links two releases of the same rows on columns outside the quasi-identifiers: one row per distinct row of the
first release. Rows with the same values in these columns, and with labels that overlap, can be the same row.
The adversary then learns the finer labels of both.

Parameters:
- releases (list of tables): two releases, both with the columns in qi and join_columns.
- qi (columns): the quasi-identifiers, generalized in both.
- join_columns (columns): columns that both releases have unchanged.
- hierarchies (table; default null): rows of attribute, value, level and label: the values that released
  labels stand for.
- truth (column; default null): of both releases, an identifier of the record, to check whether linked rows
  are the same.
- weight (column; default null): of both releases, how many people each row stands for, as in classes.
- formats: as in locate

Result:
- <qi> (unchanged): the labels of the row in the first release.
- <join_columns> (unchanged): its values.
- <truth> (unchanged): with truth, its record.
- rows (integer, rows): the number of such rows in the first release.
- learned (text): the finer labels that most of the compatible rows give; NULL: the labels of the first
  release are already the finer ones, or no row is compatible.
- confidence (number): the share of the compatible rows that give these labels.
- baseline (number): the same without join_columns: of all rows with labels that overlap, the largest share
  that gives the same finer labels.
- is_right (boolean): does the true row of the second release give these labels? NULL without truth, or if
  there are none.
- is_control (boolean): NULL: rows have no controls.
- finer (list of texts): the finer labels, one for each column in qi.
- pairs (integer, rows): rows of the second release with the same values in join_columns.
- compatible (integer, rows): those of pairs whose labels overlap.
- linked_size (integer, rows): rows with these labels in the linked table (all compatible pairs); 1: the row
  is alone.

Errors: unknown column, empty table, other than two releases, a hierarchy that is not a tree, a label that
covers nothing, a weight as in classes, an unknown format.

Notes: two releases of other rows may be joined as well, and what is learned then is true of nobody. Where
each has rows that the other cannot have, because it has too few with the same join_columns, run_attacks and
the command line say so: what is found beyond a bound is not known then. Labels are read as covers reads them.
A text that is in no hierarchy counts as a value that overlaps only itself; rows with pairs but no compatible
row are a sign of a missing hierarchy. Labels overlap as if there were values between any two, such as 29.5
between 29 and 30. The time grows with the number of pairs of overlapping classes.

Source: Sweeney 2002, sec. 4.2 and 4.3.

Example:
from sqlanon.complementary_release(['east', 'west'], qi := ['age', 'zip'], join_columns := 'disease');
$$;
