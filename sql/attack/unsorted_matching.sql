-- The unsorted matching attack (Sweeney 2002, sec. 4.1): two releases of the same rows, generalized in
-- different ways, are still in the order of the private table. Rows are matched by their position, and the
-- finer labels of both are true of the row. The defence is a random order.
--
-- Whether the order tells anything shows in the share of positions at which labels overlap. In random order
-- every row of one release is as likely to meet every row of the other, so that this share is expected to be
-- that among all pairs of rows, which the sizes of overlapping classes give exactly. (This test, and the
-- confidence that follows from it, are ours; the paper has none.) If a share p of all positions is matched
-- and the others are random, then score = p + (1 - p) * expected_score.

-- The rows of a release (as in _rows_of_release, in_order) with their classes: position, class_id, record.
create or replace macro sqlanon._classes_in_order(rows_in_order, release_classes, qi) as table
    from query(sqlanon._fill($$
        select subject as position, class_id, record
        from {rows} as ordered join {classes} as class on row({ordered}) is not distinct from row({class})
    $$, map {
        'rows': rows_in_order,
        'classes': release_classes,
        'ordered': sqlanon._each(qi, 'ordered.q{i}', ', '),
        'class': sqlanon._each(qi, 'class.q{i}', ', ')}));

-- What the order tells, one row: score, expected_score, matched (of the positions with labels that overlap,
-- the share that is estimated to be matched).
create or replace macro sqlanon._order_score(
    matched_rows, overlapping, first_classes, second_classes) as table
    select score, expected_score,
           coalesce(greatest(score - expected_score, 0) / nullif(1 - expected_score, 0) / nullif(score, 0), 0)
               as matched
    from (select count(common) / count(*) as score, count(*)::double as rows from query_table(matched_rows)),
         (select coalesce(sum(one.size::double * other.size), 0) as pairs
          from query_table(overlapping) as pair
          join query_table(first_classes) as one on one.class_id = pair.one
          join query_table(second_classes) as other on other.class_id = pair.other),
         lateral (select pairs / rows ** 2 as expected_score);

-- The rows at the same position: position, one and other (their classes), record, common (NULL where their
-- labels do not overlap).
create or replace macro sqlanon._matched_rows(first_rows, second_rows, overlapping) as table
    select one.position, one.class_id as one, other.class_id as other, one.record, common
    from query_table(first_rows) as one
    join query_table(second_rows) as other using (position)
    left join query_table(overlapping) as pair on pair.one = one.class_id and pair.other = other.class_id;

-- What the true partners say: position, common.
create or replace macro sqlanon._true_matches(first_rows, second_rows, overlapping) as table
    select distinct ordered.position, common
    from query_table(first_rows) as ordered
    join query_table(second_rows) as partner on partner.record = ordered.record
    join query_table(overlapping) as pair on pair.one = ordered.class_id and pair.other = partner.class_id;

-- All of it, from relations of _releases_of_rows: position, record, finer, is_finer, confidence, baseline,
-- is_right, score, expected_score.
create or replace macro sqlanon._unsorted_matching(
    first_rows, second_rows, first_classes, second_classes, covered, overlapping, qi, join_columns) as table
    with _sqlanon_first_row as materialized (from sqlanon._classes_in_order(first_rows, first_classes, qi)),
    _sqlanon_second_row as materialized (from sqlanon._classes_in_order(second_rows, second_classes, qi)),
    _sqlanon_match as materialized (
        from sqlanon._matched_rows('_sqlanon_first_row', '_sqlanon_second_row', overlapping)
    ),
    _sqlanon_score as materialized (
        from sqlanon._order_score('_sqlanon_match', overlapping, first_classes, second_classes)
    ),
    _sqlanon_share as materialized (from sqlanon._shares_of_overlap(overlapping, second_classes)),
    _sqlanon_baseline as (select distinct one, baseline from _sqlanon_share),
    _sqlanon_true as materialized (
        from sqlanon._true_matches('_sqlanon_first_row', '_sqlanon_second_row', overlapping)
    ),
    _sqlanon_chosen as materialized (select distinct one, other from _sqlanon_match where common is not null),
    _sqlanon_finer as (
        from sqlanon._finer_classes('_sqlanon_chosen', first_classes, second_classes, covered, qi)
    )
    select matched.position, record, finer, is_finer,
           score.matched + (1 - score.matched) * share as confidence, guess.baseline,
           case when record is not null and finer is not null
                then (matched.position, common) in (select (position, common) from _sqlanon_true) end
               as is_right,
           score, expected_score
    from _sqlanon_match as matched
    left join _sqlanon_share as shared using (one, common)
    left join _sqlanon_baseline as guess on guess.one = matched.one
    left join _sqlanon_finer as finer on finer.one = matched.one and finer.other = matched.other,
         _sqlanon_score as score;

create or replace macro sqlanon._unsorted_matching_of_compared(
    releases, qi, compared_before, hierarchies := null, truth := null, formats := null) as table
    from query(sqlanon._checked(qi, null, truth) || sqlanon._fill($$
        select position{each truth: , record as {c}},
               case when is_finer then sqlanon._shown_labels(finer) end as learned, confidence, baseline,
               is_right, null::boolean as is_control, finer, score, expected_score
        from sqlanon._releases_of_rows('_unsorted_matching', {arguments}, true, {compared})
    $$, map {
        'arguments': concat_ws(', ',
            sqlanon._names(sqlanon._two_releases(releases, '')), sqlanon._names(qi), '[]::varchar[]',
            sqlanon._optional(hierarchies), sqlanon._names(truth), 'null',
            sqlanon._formats_of_two(formats, releases, qi)),
        'compared': sqlanon._names_if_any(compared_before)}));

create or replace macro sqlanon.unsorted_matching(
    releases, qi, hierarchies := null, truth := null, formats := null) as table
    from {sqlanon._unsorted_matching_of_compared: compared_before := null};

comment on macro table sqlanon.unsorted_matching is $$
Matches the rows of two releases by their position, in case both are in the same order: one row per position,
with the probability that the match is right.

Parameters:
- releases (list of tables): two releases of the same rows, both with the columns in qi and the same number of
  rows.
- qi (columns): columns that both releases have, generalized in different ways; also other columns that both
  have, whose values must then be equal.
- hierarchies: as in locate
- truth: as in complementary_release
- formats: as in locate

Result:
- position (integer): the position of the two rows, from 1.
- <truth> (unchanged): with truth, its value in the row of the first release.
- learned (text): for each column, the finer of the two labels; NULL: those of the first release are already
  the finer ones, or the labels do not overlap.
- confidence (number): the probability that these labels are true, if positions that do not match are random.
- baseline (number): of all rows of the second release with labels that overlap, the largest share that gives
  the same finer labels.
- is_right (boolean): does the true row of the second release give these labels? NULL without truth, or if
  there are none.
- is_control (boolean): NULL: rows have no controls.
- finer (list of texts): the finer labels, one for each column in qi.
- score (number, share of positions): positions with labels that overlap; the same in every row.
- expected_score (number, share of positions): the score that is expected in random order.

Errors: unknown column, empty table, other than two releases or different numbers of rows, no order of rows, a
hierarchy that is not a tree, a label that covers nothing, an unknown format.

Notes: the position of a row is the order in which DuckDB reads it: in a table the order in which rows were
inserted, in a file the order of its lines; a view without order by has no defined order. The setting
preserve_insertion_order must be true (the default). The confidence is computed as follows. If score = p + (1
- p) * expected_score, then a share of p / score of the positions with labels that overlap is matched; at the
others the partner is a random row with labels that overlap.

Source: Sweeney 2002, sec. 4.1; score and confidence are our own.

Example:
with first as (select age, '*' as zip from people),
second as (select '*' as age, zip from people)
from sqlanon.unsorted_matching(['first', 'second'], qi := ['age', 'zip']);
$$;
