-- Suppression: hide the cells that break a rule, and so many others that totals do not give them back
-- (Hundepool et al. 2012, Statistical Disclosure Control, ch. 4).
--
-- A cell that is hidden since it is unsafe must not be known too closely: an estimate of it has to reach far
-- enough. So for each there has to be a table that fits all that is shown, in which it is so much larger, and
-- one in which it is so much smaller. Such tables are found by linear programs, which hide other cells at the
-- least cost (sqlanon/tables/suppression.py, a function that DuckDB knows once Python has registered it).
-- What leaves is then attacked by cell_bounds.

-- Which cells are hidden, as a list, or why that cannot be done. cells: a list of amount, n, first, second,
-- least, cost (NULL: it must be shown), is_unsafe, up, down, name; sums: a list of total and parts (positions
-- from 1); rules: those that the hidden cells of a sum must meet together. This stands here until the
-- function is registered.
create macro if not exists sqlanon._suppression(cells, sums, rules, whole, additive, seconds) as
    error('cells are suppressed by linear programs, which run in Python: there, install sqlanon[tables], and '
          || 'call sqlanon.register_functions(con) once')::struct(is_hidden boolean[], problem varchar);

-- The cells that break a rule: keys, protection (by rules about the largest contributions), has_few (they
-- break one about contributors).
create or replace macro sqlanon._primary_cells(broken_rules) as table
    select keys, max(protection) as protection, bool_or(protection is null) as has_few
    from query_table(broken_rules) group by keys;

-- The cells with what hiding them takes: keys, n, amount, first, second, is_unsafe, least (of a hidden cell,
-- as everybody knows), up and down (how far estimates have to reach), cost (NULL: the cell must be shown).
-- Empty cells are not hidden, unless they are unsafe: then nobody can tell a hidden zero, among the cells for
-- which this is a rule (response: the position of a dimension, or 0). Of people who contribute nothing an
-- estimate has to reach as far as it would if they contributed as others do on average.
create or replace macro sqlanon._hideable_cells(
    rule_cells, primary_cells, must_show, threshold, with_zeros, whole, safety_range, response, cost) as table
    with average as (
        select max_by(amount, amount) / greatest(max_by(n, amount), 1) as mean from query_table(rule_cells)
    ),
    own as (
        select keys, n, amount, first, second, unsafe.keys is not null as is_unsafe,
               greatest(coalesce(protection, 0),
                        if(has_few, safety_range / 100 * if(amount = 0, greatest(n, 1) * mean, amount), 0))
                   as reach,
               if(whole and not with_zeros and coalesce(keys[nullif(response, 0)], sqlanon._total_key())
                      = sqlanon._total_key(), 1, 0)::double as least,
               greatest(coalesce(threshold, 2), 2) as width, must.keys is not null as is_published
        from query_table(rule_cells)
        left join query_table(primary_cells) as unsafe using (keys)
        left join query_table(must_show) as must using (keys)
        cross join average
    ),
    below as (
        select *, case when not is_unsafe then 0
                       when whole then least(greatest(amount - least, 0), width - 1)
                       else least(amount, reach) end as down
        from own
    )
    select keys, n, amount, first, second, is_unsafe, least, down,
           case when not is_unsafe then 0
                when whole then greatest(width - 1 - down, if(n < width, width - amount, 0))
                else reach end as up,
           case when is_published or (n = 0 and not with_zeros) then null
                when cost = 'cells' then 1
                when cost = 'contributors' then greatest(n, 1)
                else greatest(amount, 1e-6) end::double as cost
    from below;

-- The question for the function, one row: cells, sums, members (the keys of the cells, in their order).
create or replace macro sqlanon._suppression_question(whole_table, all_sums, hideable) as table
    with placed as (
        select cell, row_number() over (order by cell) as place, own.*
        from query_table(whole_table) as every join query_table(hideable) as own using (keys)
    ),
    equation as (
        select total, d, list(part.place order by part.place) as parts, any_value(above.place) as total_place
        from query_table(all_sums) as own
        join placed as part on part.cell = own.cell
        join placed as above on above.cell = own.total
        group by total, d
    )
    select (select list(struct_pack(
                amount := amount, n := n, first := first, second := second, least := least, cost := cost,
                is_unsafe := is_unsafe, up := up, down := down, name := sqlanon._cell_name(keys))
                order by place) from placed) as cells,
           coalesce((select list(struct_pack(total := total_place, parts := parts) order by total, d)
                     from equation), []) as sums,
           (select list(keys order by place) from placed) as members;

-- The cells with what is hidden: keys, is_hidden. Nothing is, if no cell is unsafe.
create or replace macro sqlanon._hidden_cells(
    question, one_percent, two_percent, p, q, threshold, whole, additive, seconds) as table
    with asked as (
        select *, list_bool_or(list_transform(cells, lambda cell: cell['is_unsafe'])) as has_unsafe
        from query_table(question)
    ),
    answered as materialized (
        select members, sqlanon._suppression(
                   cells, sums, struct_pack(threshold := threshold, one_percent := one_percent,
                                            two_percent := two_percent, p := p, q := q),
                   whole, additive, seconds) as answer
        from asked where has_unsafe
    )
    select unnest(members) as keys,
           unnest(case when answer.problem is null then answer.is_hidden else error(answer.problem) end)
               as is_hidden
    from answered
    union all
    select unnest(members), false from asked where not has_unsafe;

-- What leaves, as published cells (sums_of_cells.sql). Asked for are the unsafe ones.
create or replace macro sqlanon._cells_that_leave(hideable, hidden_cells) as table
    select keys, if(is_hidden, least, amount) as lo, if(is_hidden, null, amount) as hi, is_unsafe as is_asked,
           null::double as known_alone
    from query_table(hideable) join query_table(hidden_cells) using (keys);

-- No rows, or an error: a cell that is unsafe and must be shown, or is not there; counts that are sums.
create or replace macro sqlanon._refuse_suppression(hideable, must_show, cells, whole) as table
    select error('the cell ' || sqlanon._cell_name(min(keys))
                 || ' is unsafe, and publish names it: it cannot be shown') as refused
    from query_table(hideable) semi join query_table(must_show) using (keys)
    where is_unsafe having count(*) > 0
    union all
    select error('publish names ' || count(*) || ' cells that table ' || cells || ' does not have, such as '
                 || sqlanon._cell_name(min(keys)))
    from query_table(must_show) anti join query_table(hideable) using (keys) having count(*) > 0
    union all
    select error('table ' || cells || ' has sums, with the largest contributions: say whole := false')
    from query_table(hideable) where whole and first is not null having count(*) > 0;

-- Is an unsafe cell known too closely by its interval? Of counts as many numbers must be possible as the rule
-- asks for; a hidden one must not be known to be small. Estimates of sums have to reach far enough.
create or replace macro sqlanon._is_known_too_closely(
    lo, hi, amount, n, up, down, threshold, whole, is_hidden) as
    case when sqlanon._is_one_number(lo, hi) then true
         when whole then coalesce(hi - lo < if(is_hidden, down + up, coalesce(threshold, 2) - 1)
                                  or (is_hidden and n < threshold and hi < threshold), false)
         else lo > amount - down + 1e-5 * greatest(1, amount)
              or coalesce(hi < amount + up - 1e-5 * greatest(1, amount), false) end;

-- No rows, or an error: an unsafe cell that is known too closely by what leaves.
create or replace macro sqlanon._refuse_unprotected(intervals, hideable, threshold, whole) as table
    with own as (
        select sqlanon._cell_name(keys) as name, unfinished,
               sqlanon._is_known_too_closely(lo, hi, amount, n, up, down, threshold, whole, true) as is_known
        from query_table(intervals) join query_table(hideable) using (keys)
    )
    select error('the result is not safe: ' || min(name) || ' would be known too closely; nothing is '
                 || 'released') as refused
    from own where is_known having count(*) > 0
    union all
    select error('the result is not proven to be safe: the bounds of ' || count(*) || ' cells, such as '
                 || min(name) || ', are unfinished; give solver_seconds := 600') as refused
    from own where unfinished having count(*) > 0;

create or replace macro sqlanon._suppress_cells(
    cells, dimensions, threshold, with_zeros, one_percent, two_percent, p, q, response, with_shares,
    structural, total_mark, hierarchies, cost, publish, safety_range, additive, whole, seconds) as table
    with _sqlanon_hierarchy as materialized (from sqlanon._hierarchies(hierarchies)),
    _sqlanon_rule_cell as materialized (
        from sqlanon._cells_with_contributors(cells, dimensions, total_mark)
    ),
    _sqlanon_row as materialized (from sqlanon._cells_of_rows('_sqlanon_rule_cell', response)),
    _sqlanon_structural as materialized (
        from sqlanon._structural_zeros(structural, dimensions, total_mark)
    ),
    _sqlanon_must_show as materialized (from sqlanon._structural_zeros(publish, dimensions, total_mark)),
    _sqlanon_broken as (
        from sqlanon._broken_rules(
            '_sqlanon_rule_cell', '_sqlanon_row', '_sqlanon_structural', threshold, with_zeros, one_percent,
            two_percent, p, q, with_shares)
    ),
    _sqlanon_primary as materialized (from sqlanon._primary_cells('_sqlanon_broken')),
    _sqlanon_hideable as materialized (
        from sqlanon._hideable_cells(
            '_sqlanon_rule_cell', '_sqlanon_primary', '_sqlanon_must_show', threshold, with_zeros, whole,
            safety_range, response, cost)
    ),
    _sqlanon_label as materialized (from sqlanon._labels_of_cells('_sqlanon_hideable')),
    _sqlanon_line as materialized (
        from sqlanon._published_paths('_sqlanon_label', '_sqlanon_hierarchy', dimensions)
    ),
    _sqlanon_branch as materialized (from sqlanon._table_tree('_sqlanon_line')),
    _sqlanon_place as materialized (from sqlanon._numbered_labels('_sqlanon_line', dimensions)),
    _sqlanon_stair as materialized (from sqlanon._label_steps('_sqlanon_branch', '_sqlanon_place')),
    _sqlanon_upper as materialized (from sqlanon._labels_and_above('_sqlanon_line', '_sqlanon_place')),
    _sqlanon_whole_table as materialized (
        from sqlanon._cells_and_totals(
            '_sqlanon_hideable', '_sqlanon_hideable', '_sqlanon_upper', dimensions)
    ),
    _sqlanon_equation as materialized (from sqlanon._all_sums('_sqlanon_whole_table', '_sqlanon_stair')),
    _sqlanon_refusal as materialized (
        from sqlanon._refuse_rule_cells(
            '_sqlanon_rule_cell', '_sqlanon_row', cells, dimensions,
            coalesce(one_percent, two_percent, p) is not null, with_zeros or response > 0)
        union all from sqlanon._refuse_hierarchies('_sqlanon_hierarchy', dimensions, null)
        union all from sqlanon._refuse_unknown_labels('_sqlanon_label', '_sqlanon_line', dimensions)
        union all
        from sqlanon._refuse_sums(
            '_sqlanon_whole_table', '_sqlanon_equation', '_sqlanon_hideable', cells, dimensions, additive,
            ' (of people who can be in several parts say additive := false)')
        union all
        from sqlanon._refuse_suppression('_sqlanon_hideable', '_sqlanon_must_show', cells, whole)
    ),
    _sqlanon_question as materialized (
        from sqlanon._suppression_question('_sqlanon_whole_table', '_sqlanon_equation', '_sqlanon_hideable')
        where (select count(refused) = 0 from _sqlanon_refusal)
    ),
    _sqlanon_hidden as materialized (from {sqlanon._hidden_cells: question := '_sqlanon_question'}),
    _sqlanon_leaving as materialized (
        from sqlanon._cells_that_leave('_sqlanon_hideable', '_sqlanon_hidden')
    ),
    _sqlanon_interval as materialized (
        from sqlanon._bounds_of_cells(
            '_sqlanon_leaving', '_sqlanon_hierarchy', cells, dimensions, additive, whole, 'integer', seconds,
            100, '')
    ),
    _sqlanon_audit as (
        from sqlanon._refuse_unprotected('_sqlanon_interval', '_sqlanon_hideable', threshold, whole)
    )
    from query(sqlanon._fill($$
        select {labels}, case when not is_hidden then amount::{type} end as value,
               case when is_hidden and is_unsafe then 'primary' when is_hidden then 'secondary' end as hidden
        from _sqlanon_hideable join _sqlanon_hidden using (keys)
        union all by name
        select refused::{type} as value from (from _sqlanon_refusal union all from _sqlanon_audit)
    $$, map {
        'type': if(whole, 'bigint', 'double'),
        'labels': sqlanon._each_filled(
            dimensions, 'sqlanon._label_of(keys[{i}], {=total_mark}) as {c}', ', ')}));

create or replace macro sqlanon.suppress_cells(
    cells, dimensions, threshold := null, zeros := false, dominance := null, p := null, q := 100,
    response := null, shares := false, structural := null, total := 'total', hierarchies := null,
    cost := 'cells', publish := null, safety_range := 10, additive := true, whole := true,
    solver_seconds := 60) as table
    from query(
        sqlanon._checked_rules(dimensions, threshold, zeros, dominance, p, q, response, shares)
        || case when cost in ('cells', 'contributors', 'value') then ''
                else error('cost must be cells, contributors or value, not ' || coalesce(cost, 'NULL')) end
        || sqlanon._call('_suppress_cells', [
            sqlanon._literal(cells), sqlanon._names(dimensions)]
            || {sqlanon._rule_arguments: total_mark := total}
            || [
            sqlanon._optional(hierarchies), sqlanon._literal(cost), sqlanon._optional(publish),
            coalesce(sqlanon._real_number(safety_range, 'safety_range', 0, false, 1e9, 'above 0')::varchar,
                     error('safety_range must be above 0, not NULL')) || '::double',
            sqlanon._truth_given(additive, 'additive')::varchar,
            sqlanon._truth_given(whole, 'whole')::varchar,
            sqlanon._seconds(solver_seconds, 'solver_seconds')::varchar || '::double']));

comment on macro table sqlanon.suppress_cells is $$
Hides the cells of a table that break a rule, and as many others as necessary so that nobody can compute the
unsafe ones from totals: one row per cell, with its value or NULL.

Parameters:
- cells, dimensions, threshold, zeros, dominance, p, q: as in unsafe_cells
- response, shares, structural, total: as in unsafe_cells
- hierarchies (table; default null): the hierarchies with which the cells were made.
- cost (one of cells, contributors, value; default 'cells'): what to minimize: the number of hidden cells,
  their contributors, or their sum.
- publish (table; default null): cells that must be shown, with the columns in dimensions.
- safety_range (number, above 0; default 10): for sums: how far estimates must reach above and below the value
  of a cell that breaks a rule about contributors, in percent of the value.
- additive, whole: as in cell_bounds
- solver_seconds (number, at least 0; default 60): the time limit of the programs, and then of the attack on
  the result.

Result:
- <dimensions> (text): the cell.
- value (number): the value to publish; NULL: hidden.
- hidden (text): why the cell is hidden: primary: it breaks a rule; secondary: it protects others; NULL: it is
  shown. Do not publish this column: publish the same mark for both.

Errors: as in unsafe_cells; totals that are missing, or are not the sums of their parts; an unsafe cell in
publish; a cell that cannot be protected; no result within solver_seconds; in SQL, functions that are not
registered. Then there are no rows.

Notes: for an unsafe count, at least threshold different numbers remain possible, one of them threshold or
more. Estimates of an unsafe sum reach as far as the rule requires (protection of unsafe_cells), or
safety_range. This holds for outsiders, and for the only contributor of another hidden cell, who knows its
value. The hidden cells of each sum meet threshold, dominance and p together. Zeros are shown, so everybody
knows that a hidden count is at least 1, unless zeros are unsafe, or with response (then read what leaves by
cell_bounds with least := 0). Of people who contribute nothing estimates reach as far as safety_range says of
what as many people contribute on average. The macro does not consider tables that were
published before, adversaries who know how cells were chosen, and people who are among the largest
contributors of several cells. To use it in SQL, call sqlanon.register_functions(con) in Python first, with
the extra tables installed.

Source: Hundepool et al. 2012, Statistical Disclosure Control, ch. 4.

Example:
with cells as (
    from (values ('north', 'flu', 12), ('north', 'cancer', 9), ('north', 'total', 21),
                 ('south', 'flu', 9), ('south', 'cancer', 7), ('south', 'total', 16),
                 ('total', 'flu', 21), ('total', 'cancer', 16), ('total', 'total', 37))
        as row(place, disease, n)
),
counted as (
    select place, disease, n as contributors, n as value, null as largest, null as second from cells
)
from sqlanon.suppress_cells('counted', dimensions := ['place', 'disease'], threshold := 3);
$$;
