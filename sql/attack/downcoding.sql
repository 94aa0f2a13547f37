-- Downcoding (Cohen 2022): to undo a part of a generalization, by knowing that no more was generalized than
-- had to be. What makes it possible are classes that a finer class lies in: France in Europe. Whoever was
-- left in Europe is not French, or they would be in France.
--
-- That holds under one of two conditions:
--   * Minimal generalization, of each row by itself, for k-anonymity: no cell of any row could be finer. A
--     row that fits in a finer class can move there as long as k rows stay. So it holds of classes of more
--     than k rows, and of no others: one of k rows may have some that fit, unless all of them do.
--   * Rounds of full-domain generalization, as ARX makes them for local recoding: a round takes out whole
--     classes, and the next one generalizes the rows that are left. Of two classes, one in the other, the
--     finer one was taken out first, with all rows that fit.
-- Mondrian, if not relaxed, full-domain generalization in one round, and the rounds of optimal, which hold
-- back classes that overlap with others (sql/anonymize/full_domain/rounds.sql), make no class within another:
-- nothing is learned.
--
-- More than sets of values cannot be learned for certain. Rows of a class look alike, so whatever is certain
-- of one is certain of all; and if all were in one node below theirs, all could have been released as that. A
-- release of which this follows met neither condition, and is refused. Only classes that differ in one
-- attribute are compared, so that more may follow from a release than is told.

-- What labels stand for, a row per attribute and label: lo, hi (codes). A label of two nodes with different
-- values is left out: which one is meant, nobody knows.
create or replace macro sqlanon._certain_nodes(nodes) as table
    select attribute, label, any_value(lo) as lo, any_value(hi) as hi
    from query_table(nodes) group by attribute, label having min(lo) = max(lo) and min(hi) = max(hi);

-- The cells of classes, as the labels are read: class_id, size, d, attribute, label, others (the labels of
-- the other attributes, a list). Not of classes with a label that may be two nodes.
create or replace macro sqlanon._cells_of_classes(release_classes, nodes, certain_nodes, qi) as table
    with labelled as (
        from query(sqlanon._fill($$
            select class_id, size, [{each qi: l{i}}] as labels from {classes}
        $$, map {
            'classes': release_classes}))
    ),
    cell as (
        select class_id, size, d, lower(sqlanon._list(qi)[d]) as attribute, labels[d] as label,
               list_concat(labels[:d - 1], labels[d + 1:]) as others
        from labelled, (select unnest(range(1, len(sqlanon._list(qi)) + 1)) as d)
    ),
    doubtful as (
        select distinct class_id
        from cell
        join (select distinct attribute, label from query_table(nodes)) using (attribute, label)
        where (attribute, label) not in (select (attribute, label) from query_table(certain_nodes))
    )
    from cell where class_id not in (select class_id from doubtful);

-- Which codes the rows of a class do not have, as a finer class has them: class_id, d, code. least: of
-- classes with more rows than that.
create or replace macro sqlanon._ruled_out(cells, nodes, certain_nodes, least) as table
    with above as (
        select distinct fine.attribute, fine.label as label, coarse.label as coarser, inner_node.lo,
               inner_node.hi
        from query_table(nodes) as fine
        join query_table(nodes) as coarse using (attribute, code)
        join query_table(certain_nodes) as inner_node
          on inner_node.attribute = fine.attribute and inner_node.label = fine.label
        join query_table(certain_nodes) as outer_node
          on outer_node.attribute = fine.attribute and outer_node.label = coarse.label
        where outer_node.hi - outer_node.lo > inner_node.hi - inner_node.lo
    )
    select distinct class.class_id, class.d, unnest(range(above.lo, above.hi + 1))::integer as code
    from query_table(cells) as finer
    join above using (attribute, label)
    join query_table(cells) as class
      on class.d = finer.d and class.label = above.coarser and class.others = finer.others
    where class.size > least;

-- How frequent values are, as far as the release tells: attribute, code, frequency. Each row counts in equal
-- parts for all values that its label stands for.
create or replace macro sqlanon._frequencies_of_cells(cells, certain_nodes) as table
    select attribute, code, sum(frequency) as frequency
    from (
        select attribute, unnest(range(lo, hi + 1))::integer as code, rows / (hi - lo + 1) as frequency
        from (select attribute, label, sum(size) as rows from query_table(cells) group by attribute, label)
        join query_table(certain_nodes) using (attribute, label)
    )
    group by attribute, code;

-- What is left, of classes of which something is ruled out: class_id, size, d, attribute, values_covered (how
-- many the label stands for), codes (that are left), frequencies (of all that the label stands for, the
-- highest first), most_frequent (code and frequency, of those that are left), total (their frequencies).
create or replace macro sqlanon._values_not_ruled_out(cells, certain_nodes, ruled_out, frequencies) as table
    with touched as (
        select distinct class_id, size, d, attribute, lo, hi
        from query_table(cells) as cell
        join query_table(certain_nodes) using (attribute, label)
        where (class_id, d) in (select (class_id, d) from query_table(ruled_out))
    ),
    covered as (select *, unnest(range(lo, hi + 1))::integer as code from touched)
    select class_id, size, d, attribute, count(*) as values_covered,
           list(covered.code order by covered.code) filter (ruled.code is null) as codes,
           list(frequency order by frequency desc) as frequencies,
           max_by({'code': covered.code, 'frequency': frequency}, (round(frequency, 9), -covered.code))
               filter (ruled.code is null) as most_frequent,
           list_sum(list(frequency order by covered.code) filter (ruled.code is null)) as total
    from covered
    join query_table(frequencies) using (attribute, code)
    left join query_table(ruled_out) as ruled using (class_id, d, code)
    group by class_id, size, d, attribute;

-- No rows, or an error: the rows of a class must have been in finer ones, or could be in a node below theirs,
-- or of so few values that k of them have the same and k others stay. k: NULL for rounds.
create or replace macro sqlanon._refuse_needless(remaining_values, nodes, qi, k) as table
    with needless as (
        select class_id, d, size
        from query_table(remaining_values) as remaining
        where codes is null or size >= 2 * k and size > len(codes) * (k - 1)
           or exists (from query_table(nodes) as node
                      where node.attribute = remaining.attribute and node.code = codes[1]
                        and node.hi >= codes[-1] and node.lo <= codes[1]
                        and node.hi - node.lo + 1 < values_covered)
    )
    select error(sqlanon._moot(
               'more was generalized than had to be: rows of class ' || class_id || ' could be finer in '
               || sqlanon._list(qi)[d] || ', whatever their values are')) as refused
    from needless;

-- The classes and what is learned of them: q1, q2, ..., size, and the columns of the answer.
create or replace macro sqlanon._downcoded(release_classes, remaining_values, leaves, qi) as table
    with spelled as (
        select class_id, d, values_covered, len(codes) as values_left,
               '{' || string_agg(coalesce(value, 'NULL'), ', ' order by code) || '}' as learned,
               list_sum(frequencies[:len(codes)]) / list_sum(frequencies) as baseline,
               any_value(value) filter (code = most_frequent.code) as most_frequent,
               most_frequent.frequency / total as share_left,
               frequencies[1] / list_sum(frequencies) as share_covered
        from (select *, unnest(codes) as code from query_table(remaining_values))
        join query_table(leaves) using (attribute, code)
        group by class_id, d, values_covered, codes, frequencies, most_frequent, total
    ),
    most as (
        from spelled qualify row_number() over (partition by class_id order by round(baseline, 9), d) = 1
    )
    select class.*, learned, if(learned is not null, 1, null)::double as confidence, baseline,
           sqlanon._list(qi)[d] as attribute, values_left, values_covered, most_frequent, share_left,
           share_covered
    from query_table(release_classes) as class left join most using (class_id);

create or replace macro sqlanon._downcoding(release, qi, hierarchies, k) as table
    with _sqlanon_source as materialized (from sqlanon._source(release, qi, null)),
    _sqlanon_class as materialized (from sqlanon._release_classes('_sqlanon_source', qi)),
    _sqlanon_hierarchy as materialized (from sqlanon._hierarchies(hierarchies)),
    _sqlanon_leaf as materialized (from sqlanon._leaves('_sqlanon_hierarchy')),
    _sqlanon_node as materialized (from sqlanon._nodes('_sqlanon_hierarchy')),
    _sqlanon_certain as materialized (from sqlanon._certain_nodes('_sqlanon_node')),
    _sqlanon_cell as materialized (
        from sqlanon._cells_of_classes('_sqlanon_class', '_sqlanon_node', '_sqlanon_certain', qi)
    ),
    _sqlanon_out as materialized (
        from sqlanon._ruled_out('_sqlanon_cell', '_sqlanon_node', '_sqlanon_certain', coalesce(k, 0))
    ),
    _sqlanon_frequency as (from sqlanon._frequencies_of_cells('_sqlanon_cell', '_sqlanon_certain')),
    _sqlanon_left as materialized (
        from sqlanon._values_not_ruled_out(
            '_sqlanon_cell', '_sqlanon_certain', '_sqlanon_out', '_sqlanon_frequency')
    ),
    _sqlanon_refusal as materialized (
        from sqlanon._refuse_empty('_sqlanon_class', release)
        union all from sqlanon._refuse_hierarchies('_sqlanon_hierarchy', qi, null)
        union all
        select error(sqlanon._moot('no column in qi has a hierarchy in ' || hierarchies))
        from _sqlanon_leaf where list_contains(sqlanon._lower(sqlanon._list(qi)), attribute)
        having count(*) = 0
        union all from sqlanon._refuse_needless('_sqlanon_left', '_sqlanon_node', qi, k)
    )
    from sqlanon._downcoded('_sqlanon_class', '_sqlanon_left', '_sqlanon_leaf', qi)
    where (select count(refused) from _sqlanon_refusal) = 0;

create or replace macro sqlanon.downcoding(release, qi, hierarchies, k := null) as table
    from query(
        sqlanon._checked(qi, null, null) || sqlanon._answer_names_checked(qi)
        || sqlanon._fill($$
            select {each qi: q{i} as {c}}, size, learned, confidence, baseline, null::boolean as is_right,
                   null::boolean as is_control, attribute, values_left, values_covered, most_frequent,
                   share_left, share_covered
            from ({call})
        $$, map {
            'call': {call _downcoding:
                k := text(coalesce(sqlanon._whole_number(k, 'k')::varchar, 'null::bigint'))}}));

comment on macro table sqlanon.downcoding is $$
Finds values that the rows of a class cannot have, because rows with these values would have been released in
a finer class of the same release: one row per class.

Parameters:
- release (table): a release with labels of hierarchies in which nothing is generalized more than necessary.
- qi (columns): all quasi-identifiers of the release.
- hierarchies (table): rows of attribute, value, level and label: the values that the labels stand for.
- k (integer, at least 1; default null): the k of the release, if each of its rows is generalized by itself,
  as little as k-anonymity allows. If not given, the release must be one of full-domain generalization in
  rounds, each of which generalizes the rows that the one before has suppressed.

Result:
- <qi> (unchanged): of the class.
- size (integer, rows): of the class.
- learned (text): the values that its rows can have in one of the columns in qi; NULL: all that the label
  stands for.
- confidence (number, 0 to 1): 1: it is certain.
- baseline (number, 0 to 1): the probability, without the attack, that the best guess of as many values
  contains the true one: the share of the most frequent values among those that the label stands for. Each row
  of the release counts in equal parts for the values that its label stands for.
- is_right (boolean): NULL: not known.
- is_control (boolean): NULL: not known.
- attribute (text): the column of learned, in which most values are excluded.
- values_left (integer): the number of values that its rows can have there.
- values_covered (integer): the number of values that the label stands for.
- most_frequent (text): the most frequent of the values that are left: the best guess.
- share_left (number, 0 to 1): the share of most_frequent among the values that are left: its probability.
- share_covered (number, 0 to 1): the share of the most frequent value among all that the label stands for:
  the probability of the best guess without the attack.

Errors: unknown column, empty table, a hierarchy that is not a tree, no hierarchy of a column in qi, a column
in qi with the name of one that attack_summary reads, a release in which something was certainly generalized
more than necessary.

Notes: for other releases, learned may be wrong. Mondrian, full-domain generalization in one round, and
optimal with local_recoding make no class within another: the attack learns nothing from them, which does not
mean that they are safe. A release may reveal more than this attack finds. It learns nothing from labels that
stand for two nodes of a hierarchy. attack_summary, with size as weight, has the share of rows.

Source: Cohen 2022 (downcoding; the two conditions are derived in sql/attack/downcoding.sql).

Example:
with hierarchy as (
    select 'country' as attribute, value, level, if(level = 0, value, 'Europe') as label
    from (values ('de'), ('fr'), ('it')) as place(value), range(2) as height(level)
),
released as (select unnest(['fr', 'fr', 'Europe', 'Europe', 'Europe']) as country)
from sqlanon.downcoding('released', qi := 'country', hierarchies := 'hierarchy', k := 2);
$$;
