-- The state of each cell of a published table: shown, hidden well enough, or known although it is hidden. A
-- publisher looks at it before the table leaves, together with the rules that each cell breaks. For a table
-- of others, it shows which cells the totals give back.

-- The publisher's cells, as in _cells_with_contributors; none where they are not given.
create or replace macro sqlanon._cells_of_publisher(cells, dimensions, total_mark) as table
    from query(if(cells is null, $$
        select []::varchar[] as keys, null::bigint as n, null::double as amount, null::double as first,
               null::double as second
        where false
    $$, {call _cells_with_contributors}));

-- The intervals of a table as in cell_bounds: keys, lo, hi, unfinished.
create or replace macro sqlanon._intervals_as_given(bounds, dimensions, total_mark) as table
    from query(sqlanon._fill($$
        select [{keys}] as keys, src.lower::double as lo, src.upper::double as hi,
               src.unfinished::boolean as unfinished
        from {source} as src
    $$, map {
        'keys': sqlanon._each_filled(
            dimensions, 'sqlanon._marked_key(sqlanon._plain_text(src.{c}::varchar), {=total_mark})', ', '),
        'source': sqlanon._projected(bounds, dimensions, ['lower', 'upper', 'unfinished'], null)}));

-- Each published cell: keys, n, amount, shown, lo, hi, unfinished, rules, state.
create or replace macro sqlanon._states_of_cells(
    shown_cells, intervals, hideable, broken_rules, threshold, whole, marks) as table
    with broken as (
        select keys, list_sort(list(rule)) as rules from query_table(broken_rules) group by keys
    ),
    joined as (
        select keys, n, amount, shown, intervals.lo, intervals.hi, intervals.unfinished, rules,
               sqlanon._number_unmarked(shown, marks, false) as number, intervals.keys is null as is_exact,
               coalesce(is_unsafe, false) as is_unsafe, up, down
        from query_table(shown_cells)
        left join query_table(intervals) as intervals using (keys)
        left join query_table(hideable) as own using (keys)
        left join broken using (keys)
    )
    select keys, n, amount, shown, lo, hi, unfinished, coalesce(rules, []) as rules,
           case when is_exact and number is null then 'unfinished'  -- hidden, and nobody gave its bounds
                when is_exact then if(is_unsafe, 'unsafe', 'shown')
                when is_unsafe and sqlanon._is_known_too_closely(
                    lo, hi, amount, n, up, down, threshold, whole, number is null) then 'known'
                when sqlanon._is_one_number(lo, hi)
                then if(number is not null
                            and sqlanon._is_one_number(least(number, lo), greatest(number, hi)),
                        'shown', 'known')
                when unfinished then 'unfinished'
                else 'protected' end as state
    from joined;

-- No rows, or an error: cells that one table has, and the other one does not.
create or replace macro sqlanon._refuse_other_cells(shown_cells, rule_cells, published, cells) as table
    select error('table ' || published || ' lacks ' || count(*) || ' cells of ' || cells || ', such as '
                 || sqlanon._cell_name(min(keys))) as refused
    from query_table(rule_cells) anti join query_table(shown_cells) using (keys) having count(*) > 0
    union all
    select error('table ' || cells || ' lacks ' || count(*) || ' cells of ' || published || ', such as '
                 || sqlanon._cell_name(min(keys)))
    from query_table(shown_cells) anti join query_table(rule_cells) using (keys)
    where cells is not null having count(*) > 0
    union all
    select error('table ' || published || ' has the same cell ' || count(*) || ' times: '
                 || sqlanon._cell_name(keys))
    from query_table(shown_cells) group by keys having count(*) > 1;

create or replace macro sqlanon._cell_states(
    published, bounds, dimensions, cells, threshold, with_zeros, one_percent, two_percent, p, q, response,
    with_shares, structural, total_mark, value_column, safety_range, whole, marks) as table
    with _sqlanon_shown as materialized (
        from sqlanon._cells_as_shown(published, dimensions, value_column, total_mark, null, null, null)
    ),
    _sqlanon_interval as materialized (from sqlanon._intervals_as_given(bounds, dimensions, total_mark)),
    _sqlanon_rule_cell as materialized (from sqlanon._cells_of_publisher(cells, dimensions, total_mark)),
    _sqlanon_row as materialized (from sqlanon._cells_of_rows('_sqlanon_rule_cell', response)),
    _sqlanon_structural as materialized (
        from sqlanon._structural_zeros(structural, dimensions, total_mark)
    ),
    _sqlanon_must_show as (from sqlanon._structural_zeros(null, dimensions, total_mark)),
    _sqlanon_broken as materialized (
        from sqlanon._broken_rules(
            '_sqlanon_rule_cell', '_sqlanon_row', '_sqlanon_structural', threshold, with_zeros, one_percent,
            two_percent, p, q, with_shares)
    ),
    _sqlanon_primary as (from sqlanon._primary_cells('_sqlanon_broken')),
    _sqlanon_hideable as materialized (
        from sqlanon._hideable_cells(
            '_sqlanon_rule_cell', '_sqlanon_primary', '_sqlanon_must_show', threshold, with_zeros, whole,
            safety_range, response, 'cells')
    ),
    _sqlanon_state as (
        from sqlanon._states_of_cells(
            '_sqlanon_shown', '_sqlanon_interval', '_sqlanon_hideable', '_sqlanon_broken', threshold, whole,
            marks)
    ),
    _sqlanon_refusal as (
        from sqlanon._refuse_other_cells('_sqlanon_shown', '_sqlanon_rule_cell', published, cells)
    )
    from query(sqlanon._fill($$
        select {labels}, n as contributors, amount as value, shown, lo as lower, hi as upper, unfinished,
               rules, state
        from _sqlanon_state
        union all by name
        select refused::bigint as contributors from _sqlanon_refusal
    $$, map {
        'labels': sqlanon._each_filled(
            dimensions, 'sqlanon._label_of(keys[{i}], {=total_mark}) as {c}', ', ')}));

create or replace macro sqlanon.cell_states(
    published, bounds, dimensions, cells := null, threshold := null, zeros := false, dominance := null,
    p := null, q := 100, response := null, shares := false, structural := null, total := 'total',
    value_column := 'value', safety_range := 10, whole := true,
    marks := ['', '*', '.', '..', '...', ':', 'c', 'C', 'x', 'X', '[c]', '[x]', 'Suppressed', 'suppressed']
) as table
    from query(
        case when cells is not null
             then sqlanon._checked_rules(dimensions, threshold, zeros, dominance, p, q, response, shares)
             when coalesce(threshold::varchar, dominance::varchar, p::varchar, response, structural) is null
                  and not zeros
             then sqlanon._checked_dimensions(dimensions, [value_column], ' and value_column')
             else error('rules are about cells, a table with the contributors of each: give it') end
        || sqlanon._call('_cell_states', [
            sqlanon._literal(published), sqlanon._literal(bounds), sqlanon._names(dimensions),
            sqlanon._optional(cells)]
            || {sqlanon._rule_arguments: total_mark := total}
            || [
            sqlanon._literal(value_column),
            coalesce(sqlanon._real_number(safety_range, 'safety_range', 0, false, 1e9, 'above 0')::varchar,
                     error('safety_range must be above 0, not NULL')) || '::double',
            coalesce(whole, error('whole must be true or false, not NULL'))::boolean::varchar,
            sqlanon._names(marks)]));

comment on macro table sqlanon.cell_states is $$
Lists the state of every cell of a published table: shown, hidden and protected, or hidden but known all the
same: one row per cell.

Parameters:
- published (table): the published cells, including totals: the columns in dimensions and value_column.
- bounds (table): the bounds of the hidden or rounded cells, as cell_bounds returns them for published.
- dimensions (columns): the columns by which the cells are grouped.
- cells (table; default null): the publisher's own cells, as table_cells returns them. Without them no rule is
  checked.
- threshold, zeros, dominance, p, q: as in unsafe_cells
- response, shares, structural, total: as in unsafe_cells
- value_column (column; default 'value'): the published value.
- safety_range: as in suppress_cells
- whole, marks: as in cell_bounds

Result:
- <dimensions> (text): the cell.
- contributors (integer): the number of people or rows; NULL without cells.
- value (number): the true value; NULL without cells.
- shown (text): the published value.
- lower (number): the smallest possible value; NULL: the value is published.
- upper (number): the largest possible value; NULL: unbounded, or the value is published.
- unfinished (boolean): true if narrower bounds may exist; NULL: the value is published.
- rules (list of texts): the rules that it breaks by itself, as in unsafe_cells.
- state (text): shown; unsafe: it breaks a rule, and its value is published; protected: it is hidden or
  rounded, and not known; known: it is hidden or rounded and known all the same, exactly or, if it breaks a
  rule, too closely; unfinished: it may be known.

Errors: unknown column, rules without cells, cells that only one of the tables has, a cell that is there
twice; those of unsafe_cells.

Notes: suppress_cells explains when the interval of a cell that breaks a rule is too narrow. For a rounded
count, at least threshold numbers must be possible; that a small count is small may be known. This macro does
not consider what contributors know about other contributors; suppress_cells does.

Source: Hundepool et al. 2012, Statistical Disclosure Control, ch. 4.

Example:
with shown as (
    from (values ('north', 'flu', '*'), ('north', 'cancer', '5'), ('north', 'total', '7'))
        as row(place, disease, value)
),
bound as (from sqlanon.cell_bounds('shown', dimensions := ['place', 'disease']))
from sqlanon.cell_states('shown', 'bound', dimensions := ['place', 'disease']);
$$;

-- What shares of the cells are hidden or changed, and of those that break a rule are known, and may be known,
-- in percent: hidden, known, unfinished. states: rows of cell_states.
create or replace macro sqlanon._shares_of_states(states) as table
    select 100 * count(*) filter (state <> 'shown' and state <> 'unsafe') / count(*) as hidden,
           coalesce(100 * count(*) filter (len(rules) > 0 and (state = 'known' or state = 'unsafe'))
                    / nullif(count(*) filter (len(rules) > 0), 0), 0) as known,
           coalesce(100 * count(*) filter (len(rules) > 0 and state = 'unfinished')
                    / nullif(count(*) filter (len(rules) > 0), 0), 0) as unfinished
    from query_table(states);

-- The cells of a table without the values of those that break a rule, for comparison: others have to be
-- hidden, too. unsafe: rows of unsafe_cells.
create or replace macro sqlanon._without_unsafe_cells(cells, unsafe, dimensions) as table
    from query(sqlanon._fill($$
        with broken as (select distinct {each dimensions: {c}} from {unsafe})
        select {each dimensions: own.{c}}, case when broken.is_broken is null then own.value end as value
        from {cells} as own left join (select *, true as is_broken from broken) as broken on {same}
    $$, map {'same': sqlanon._each(dimensions, 'own.{c} is not distinct from broken.{c}', ' and ')}));

-- Published counts with the mean of each cell's people, so that it is hidden where their number is: the
-- dimensions, value, mean (texts; NULL: there is nobody). shown: of a table of counts; cell_totals: as in
-- table_cells with the measure; mark: of hidden cells; digits: after the point.
create or replace macro sqlanon._with_means(shown, cell_totals, dimensions, mark, digits) as table
    from query(sqlanon._fill($$
        select {each dimensions: own.{c}}, own.value,
               case when own.value = {mark} then own.value
                    when contributors > 0
                    then printf('%.{digits}f', round((total.value / contributors)::decimal(38, 12), {digits}))
               end as mean
        from {shown} as own join {cell_totals} as total on {same}
    $$, map {'mark': sqlanon._literal(mark), 'digits': digits::varchar,
             'same': sqlanon._each(dimensions, 'own.{c} is not distinct from total.{c}', ' and ')}));
