-- Primary rules: which cells of a table say too much by themselves (Hundepool et al. 2012, Statistical
-- Disclosure Control, ch. 4; the rules of tau-Argus).
--
-- A cell with few contributors is about these few. A sum of which one contributor has nearly all tells what
-- that one has; and the second largest, who knows their own part, learns the largest more exactly than others
-- do. So dominance bounds the share of the largest one or two, and the p % rule what is left once both are
-- taken off, in proportion to the largest. A cell that has all people of its row, or none, tells something of
-- everybody in it.

-- The cells of a table: k1, k2, ... (keys), keys (their list), n, amount, first, second (contributions).
create or replace macro sqlanon._cells_with_contributors(cells, dimensions, total_mark) as table
    from query(sqlanon._fill($$
        with own as (
            select {keys}, src.contributors::bigint as n, src.value::double as amount,
                   src.largest::double as first, src.second::double as second
            from {source} as src
        )
        select *, [{each dimensions: k{i}}] as keys from own
    $$, map {
        'keys': sqlanon._each_filled(
            dimensions, 'sqlanon._marked_key(sqlanon._plain_text(src.{c}::varchar), {=total_mark}) as k{i}',
            ', '),
        'source': sqlanon._projected(
            cells, dimensions, ['contributors', 'value', 'largest', 'second'], null)}));

-- Cells that everybody knows to be empty: keys. No rows where none are given.
create or replace macro sqlanon._structural_zeros(structural, dimensions, total_mark) as table
    from query(
        case when structural is null then 'select []::varchar[] as keys where false'
             else sqlanon._fill('select distinct [{keys}] as keys from {source} as src', map {
                 'keys': sqlanon._each_filled(
                     dimensions, 'sqlanon._marked_key(sqlanon._plain_text(src.{c}::varchar), {=total_mark})',
                     ', '),
                 'source': sqlanon._projected(structural, dimensions, null, null)}) end);

-- Each cell with the total of its row, over the response (the position of a dimension, 0: none): keys, n,
-- row_n.
create or replace macro sqlanon._cells_of_rows(rule_cells, response) as table
    with part as (
        select keys, n, list_transform(keys, lambda label_key, i:
                   case when i = response then sqlanon._total_key() else label_key end) as row_keys
        from query_table(rule_cells) where keys[nullif(response, 0)] <> sqlanon._total_key()
    ),
    whole as (select keys as row_keys, n as row_n from query_table(rule_cells))
    select keys, n, row_n from part left join whole using (row_keys);

-- The rules that are broken: keys, rule, reached, required, protection. row_cells: those of _cells_of_rows. A
-- rule is not asked for where its parameter is NULL.
create or replace macro sqlanon._broken_rules(
    rule_cells, row_cells, structural_zeros, threshold, with_zeros, one_percent, two_percent, p, q,
    with_shares) as table
    select keys, 'minimum' as rule, n::double as reached, threshold::double as required,
           null::double as protection
    from query_table(rule_cells) where n > 0 and n < threshold
    union all
    select keys, 'zero', 0, case when threshold is null then 1 else threshold end, null
    from query_table(rule_cells) anti join query_table(structural_zeros) using (keys)
    where with_zeros and amount = 0
    union all
    select keys, 'dominance_1', 100 * first / amount, one_percent, 100 / one_percent * first - amount
    from query_table(rule_cells) where first > one_percent / 100 * amount and amount > 0
    union all
    select keys, 'dominance_2', 100 * (first + coalesce(second, 0)) / amount, two_percent,
           100 / two_percent * (first + coalesce(second, 0)) - amount
    from query_table(rule_cells) where first + coalesce(second, 0) > two_percent / 100 * amount and amount > 0
    union all
    select keys, 'p', amount - first - coalesce(second, 0), p / q * first,
           p / q * first - (amount - first - coalesce(second, 0))
    from query_table(rule_cells)
    where amount - first - coalesce(second, 0) < p / q * first
    union all
    select keys, 'all', n, row_n, null from query_table(row_cells) where n = row_n and n > 0
    union all
    select keys, 'none', 0, row_n, null
    from query_table(row_cells) anti join query_table(structural_zeros) using (keys)
    where n = 0 and row_n > 0
    union all
    select keys, 'denominator', row_n, threshold, null
    from query_table(row_cells) where with_shares and row_n > 0 and row_n < threshold
    union all
    select keys, 'difference', row_n - n, threshold, null
    from query_table(row_cells) where with_shares and row_n > n and row_n - n < threshold;

-- No rows, or an error: cells that are there twice, or are no cells; rules about contributions without them;
-- rules about zeros or rows where such a cell, or the total of a row, is not there.
create or replace macro sqlanon._refuse_rule_cells(
    rule_cells, row_cells, cells, dimensions, about_sums, about_zeros) as table
    from sqlanon._refuse_empty(rule_cells, cells)
    union all
    select error('table ' || cells || ' has the same cell ' || count(*) || ' times: '
                 || sqlanon._cell_name(keys)) as refused
    from query_table(rule_cells) group by keys having count(*) > 1
    union all
    select error('table ' || cells || ' has no contributors or no finite value of at least 0 in '
                 || count(*) || ' cells, such as ' || sqlanon._cell_name(min(keys)))
    from query_table(rule_cells)
    where n is null or n < 0 or amount is null or not (amount >= 0 and amount < 'infinity'::double)
    having count(*) > 0
    union all
    select error('the largest contributions are lacking in ' || count(*) || ' cells of table ' || cells
                 || ', such as ' || sqlanon._cell_name(min(keys))
                 || ': dominance and p are about the cells of a measure')
    from query_table(rule_cells)
    where about_sums and n > 0 and (first is null or (n > 1 and second is null)) having count(*) > 0
    union all
    select error('table ' || cells || ' has no total over the response for ' || count(*) || ' cells, such as '
                 || sqlanon._cell_name(min(keys)))
    from query_table(row_cells) where row_n is null having count(*) > 0
    union all
    select error('table ' || cells || ' has ' || count(*) || ' of ' || combinations
                 || ' combinations of labels: those without contributors are asked about, too '
                 || '(table_cells with empty_cells := true)')
    from query_table(rule_cells),
         (from query(sqlanon._fill('select ({product})::bigint as combinations from {cells}', map {
             'product': sqlanon._each(dimensions, 'count(distinct k{i})', ' * '), 'cells': rule_cells})))
    where about_zeros group by combinations having count(*) < combinations;

create or replace macro sqlanon._unsafe_cells(
    cells, dimensions, threshold, with_zeros, one_percent, two_percent, p, q, response, with_shares,
    structural, total_mark) as table
    with _sqlanon_cell as materialized (
        from sqlanon._cells_with_contributors(cells, dimensions, total_mark)
    ),
    _sqlanon_row as materialized (from sqlanon._cells_of_rows('_sqlanon_cell', response)),
    _sqlanon_structural as materialized (
        from sqlanon._structural_zeros(structural, dimensions, total_mark)
    ),
    _sqlanon_broken as (
        from sqlanon._broken_rules(
            '_sqlanon_cell', '_sqlanon_row', '_sqlanon_structural', threshold, with_zeros, one_percent,
            two_percent, p, q, with_shares)
    ),
    _sqlanon_refusal as (
        from sqlanon._refuse_rule_cells(
            '_sqlanon_cell', '_sqlanon_row', cells, dimensions,
            coalesce(one_percent, two_percent, p) is not null, with_zeros or response > 0)
    )
    from query(sqlanon._fill($$
        select {labels}, rule, reached, required, protection from _sqlanon_broken
        union all by name
        select refused::bigint as reached from _sqlanon_refusal
        order by all
    $$, map {
        'labels': sqlanon._each_filled(
            dimensions, 'sqlanon._label_of(keys[{i}], {=total_mark}) as {c}', ', ')}));

-- A percentage of dominance, by its place in the list.
create or replace macro sqlanon._percentage(dominance, place) as
    sqlanon._real_number(dominance[place], 'dominance', 0, false, 100, 'above 0 and at most 100');

-- An empty text once the rules that are asked for make sense; an error otherwise.
create or replace macro sqlanon._checked_rules(
    dimensions, threshold, zeros, dominance, p, q, response, shares) as
    case when threshold is null and dominance is null and p is null and response is null and not zeros
         then error('no rule is given: give threshold, zeros, dominance, p or response')
         when len(dominance) <> 2
         then error('dominance is a list of two percentages, for the largest contribution and for the '
                    || 'largest two (either may be NULL), not of ' || len(dominance))
         when sqlanon._number_given(p) >= sqlanon._number_given(q)
         then error('p must be below q (of the p % rule q is 100)')
         when shares and (response is null or threshold is null)
         then error('shares needs response, the dimension that cells are shares of, and threshold')
         when response is not null
              and not list_contains(sqlanon._lower(sqlanon._list(dimensions)), lower(response))
         then error('response must be one of dimensions, not ' || response)
         else sqlanon._checked_dimensions(
             dimensions, ['contributors', 'value', 'largest', 'second'],
             ': contributors, value, largest and second are columns of the cells')
    end;

-- The rules as the texts of arguments, in the order in which the inner macros take them.
create or replace macro sqlanon._rule_arguments(
    dimensions, threshold, zeros, dominance, p, q, response, shares, structural, total_mark) as [
    coalesce(sqlanon._whole_number(threshold, 'threshold')::varchar, 'null') || '::bigint',
    sqlanon._truth_given(zeros, 'zeros')::varchar,
    coalesce(sqlanon._percentage(dominance, 1)::varchar, 'null') || '::double',
    coalesce(sqlanon._percentage(dominance, 2)::varchar, 'null') || '::double',
    coalesce(sqlanon._real_number(p, 'p', 0, false, 'infinity'::double, 'above 0')::varchar, 'null')
        || '::double',
    coalesce(sqlanon._real_number(q, 'q', 0, false, 'infinity'::double, 'above 0')::varchar,
             error('q must be above 0, not NULL')) || '::double',
    coalesce(list_position(sqlanon._lower(sqlanon._list(dimensions)), lower(response))::varchar, '0'),
    sqlanon._truth_given(shares, 'shares')::varchar,
    sqlanon._optional(structural), sqlanon._optional(total_mark)];

create or replace macro sqlanon.unsafe_cells(
    cells, dimensions, threshold := null, zeros := false, dominance := null, p := null, q := 100,
    response := null, shares := false, structural := null, total := 'total') as table
    from query(
        sqlanon._checked_rules(dimensions, threshold, zeros, dominance, p, q, response, shares)
        || sqlanon._call('_unsafe_cells',
            [sqlanon._literal(cells), sqlanon._names(dimensions)]
            || {sqlanon._rule_arguments: total_mark := total}));

comment on macro table sqlanon.unsafe_cells is $$
Finds the cells of a table that are unsafe to publish: one row per cell and rule that it breaks. No rows:
every cell is safe by these rules.

Parameters:
- cells (table): the cells, as table_cells returns them: the columns in dimensions, contributors, value,
  largest and second.
- dimensions (columns): the columns by which the cells are grouped.
- threshold (integer, at least 1; default null): the least number of contributors of a cell that is not empty.
- zeros (boolean; default false): true: a cell with the value 0 is unsafe, too, because it reveals that nobody
  has this combination, or that nobody contributes anything.
- dominance (list of numbers or NULL; default null): two percentages, such as [75, 85]: the largest share of
  the value that the largest contribution may have, and that the two largest together may have; NULL: any.
- p (number, above 0; default null): the p % rule: the value without its two largest contributions must be at
  least p % of the largest contribution.
- q (number, above 0; default 100): for the p/q rule: the value without its two largest contributions must be
  at least p/q of the largest, if everybody already knows contributions up to an error of q %.
- response (column; default null): the dimension with the attribute of interest, such as an illness. A cell
  must not have all contributors of its row (its total over the response), nor none of them.
- shares (boolean; default false): true: cells are published as shares of their row, so threshold also applies
  to the contributors of the row, and to those of the row who are not in the cell.
- structural (table; default null): cells that everybody knows to be empty, with the columns in dimensions.
  Rules about zeros do not apply to them.
- total (text or NULL; default 'total'): the mark of a total in the columns of dimensions; NULL if totals are
  marked by NULL.

Result:
- <dimensions> (text): the cell.
- rule (text): the rule that it breaks: minimum, zero, dominance_1, dominance_2, p, all, none; with shares
  also denominator (its row has too few contributors) and difference (too few of its row are not in it).
- reached (number): the number of contributors; for dominance the percentage of the largest ones; for p the
  value without the two largest.
- required (number): the least value that reached must have, for dominance the largest; for all and none the
  contributors of the row.
- protection (number): for dominance and p: how far above the value estimates must reach, if the cell is
  hidden; NULL for other rules.

Errors: unknown column, empty table, a column named twice, no rule, a cell that is there twice, contributors
or a value that are no numbers of at least 0, dominance or p for cells without contributions, a response that
is no dimension; zeros or response for a table that lacks empty cells, or a total over the response.

Notes: a mean is safe if the cell with its contributors is safe by threshold. The rules check each cell by
itself. cell_bounds computes what totals reveal about hidden cells, and what one contributor can compute about
another.

Source: Hundepool et al. 2012, Statistical Disclosure Control, ch. 4; Willenborg and de Waal 2001.

Example:
with cells as (from sqlanon.table_cells('people', dimensions := 'disease', measure := 'income'))
from sqlanon.unsafe_cells('cells', dimensions := 'disease', threshold := 4, p := 60);
$$;
