-- Bounds of cells: what a published table tells of the cells that it hides. The feasibility interval of a
-- cell is from the least to the largest that it is in any table that agrees with all that is published
-- (Hundepool et al. 2012, Statistical Disclosure Control, ch. 4; Dobra and Fienberg 2000).
--
-- First bounds are carried from sum to sum, until none changes:
--   * a total is at least the sum of the lower bounds below it, at most that of the upper ones;
--   * a part is at most its total less the lower bounds of the parts beside it, at least its total less their
--     upper bounds.
-- Where people can be in several parts, a total is at least its largest part, and at most the sum of its
-- parts. These bounds are never wrong, but not always the narrowest. They are the narrowest if open cells
-- and the sums that they are in have no cycle. Each sum alone can reach every number between the bounds
-- of each of its cells, since whole numbers between bounds add up to every whole number between the sums of
-- these bounds. Without a cycle the rest follows (Freuder 1982): fix one cell to any number within its
-- bounds, choose the others of its sums, then those of the sums of these, and so on outwards: no sum is met
-- twice, so none is contradicted. With a cycle the last choice may contradict the first.
--
-- Where there are cycles, a solver finds the bounds by linear programs, one for each end of an interval,
-- component by component (sqlanon/tables/linear_bounds.py). It is a function that DuckDB knows once Python
-- has registered it. Without it, and for what it does not prove in time, the first bounds stand, and are
-- called unfinished.

-- The interval of every cell of a component, and which constraints contradict each other. cells: a list of
-- lo, hi (NULL: unbounded), is_asked (its interval is asked for), known_alone (what the only contributor of
-- the cell knows; NULL: there is none); constraints: a list of least, most, cells (positions from 1), signs;
-- rule: 0, or how many values are enough for a cell: of one that has them is_wide is told, and no narrowest
-- interval.
-- This stands here until the function is registered.
create macro if not exists sqlanon._component_bounds(cells, constraints, whole, programs, seconds, rule) as
    null::struct(intervals struct(lower_bound double, upper_bound double, is_proven boolean, is_wide boolean,
                                  insider_lower double, insider_upper double)[], conflict bigint[]);

-- The scale of published cells (_scale_of): counts are whole numbers already.
create or replace macro sqlanon._scale_of_cells(published, whole) as table
    with number_of as (
        select unnest([lo, hi, known_alone]) as number from query_table(published) where not whole
    )
    from sqlanon._scale_of('number_of');

-- The cells with what is known of each at first, in units: cell, keys, is_asked, known_alone, lo, hi. A total
-- that is not published is at least 0. scale: of _scale_of.
create or replace macro sqlanon._first_bounds(whole_table, published, nothing, scale) as table
    select own.cell, own.keys, coalesce(is_asked, false) as is_asked,
           sqlanon._in_units(known_alone, unit, is_exact) as known_alone,
           sqlanon._in_units(coalesce(shown.lo, 0), unit, is_exact)::double as lo,
           if(empty.cell is not null and (shown.hi is null or shown.hi > 0), 0,
              sqlanon._in_units(shown.hi, unit, is_exact))::double as hi
    from query_table(whole_table) as own
    cross join query_table(scale) as scale
    left join query_table(published) as shown on shown.keys = own.keys
    left join query_table(nothing) as empty on empty.cell = own.cell;

-- The bounds of every cell by every sum that it is in, as a total or as a part: cell, lo, hi. sums: total, d
-- (which of the sums of this total), cell. Not those by sums of which no cell has changed in the last round:
-- these are known.
create or replace macro sqlanon._bounds_by_sums(bounds, sums, additive) as table
    with part_sum as (
        select total, d, sum(lo) as lo, max(lo) as largest_lo, sum(hi) as hi,
               count(*) - count(hi) as unbounded, bool_or(changed) as has_changed
        from query_table(sums) join query_table(bounds) using (cell) group by total, d
    ),
    changed_sum as materialized (
        select part_sum.*, whole.lo as total_lo, whole.hi as total_hi
        from part_sum join query_table(bounds) as whole on whole.cell = total
        where has_changed or whole.changed
    )
    select total as cell, if(additive, lo, largest_lo) as lo, case when unbounded = 0 then hi end as hi
    from changed_sum
    union all
    select cell, case when own.unbounded = 0 then total_lo - (own.hi - bound.hi)
                      when own.unbounded = 1 and bound.hi is null then total_lo - coalesce(own.hi, 0)
                 end,
           if(additive, total_hi - (own.lo - bound.lo), total_hi)
    from query_table(sums) join changed_sum as own using (total, d)
    join query_table(bounds) as bound using (cell);

-- One round more, if the last one changed anything.
create or replace macro sqlanon._next_bounds(bounds, sums, additive, rounds) as table
    with narrowed as (
        select cell, max(lo) as lo, min(hi) as hi
        from sqlanon._bounds_by_sums(bounds, sums, additive) group by cell
    )
    select cell, if(sqlanon._is_above(narrowed.lo, bound.lo), narrowed.lo, bound.lo) as lo,
           if(sqlanon._is_above(bound.hi, narrowed.hi) or bound.hi is null, narrowed.hi, bound.hi) as hi,
           coalesce(sqlanon._is_above(narrowed.lo, bound.lo), false)
               or coalesce(sqlanon._is_above(bound.hi, narrowed.hi), false)
               or (bound.hi is null and narrowed.hi is not null) as changed,
           nth_round + 1 as nth_round
    from query_table(bounds) as bound left join narrowed using (cell)
    where nth_round <= rounds and (select bool_or(changed) from query_table(bounds))
      and (select bool_and(hi is null or not sqlanon._is_above(lo, hi)) from query_table(bounds));

-- Bounds as far as sums alone tell: cell, lo, hi, changed (in the last round).
create or replace macro sqlanon._bounds_of_sums(first_bounds, sums, additive, rounds) as table
    with recursive state as (
        select cell, lo, hi, true as changed, 1 as nth_round from query_table(first_bounds)
        union all
        from sqlanon._next_bounds('state', sums, additive, rounds)
    )
    select cell, lo, hi, changed from state where nth_round = (select max(nth_round) from state);

-- The open cells of the sums: equation (a number), cell, sign, total, d, least and most of what the signed
-- open cells add up to. Of sums that have the same open cells one is enough: the rest of them is known, so
-- they say the same. Where people can be in several parts a sum is several inequalities: the total is at
-- least each part, and at most the sum of them.
create or replace macro sqlanon._open_sums(bounds, sums, additive) as table
    with member as (
        select total, d, 0 as nth, cell, 1 as sign from query_table(sums)
        union all
        select distinct total, d, 0, total, -1 from query_table(sums)
        union all
        select total, d, cell, cell, 1 from query_table(sums) where not additive
        union all
        select total, d, cell, total, -1 from query_table(sums) where not additive
    ),
    valued as (
        select member.*, sqlanon._is_open(lo, hi) as is_open, if(sign > 0, lo, -hi) as least,
               if(sign > 0, hi, -lo) as most
        from member join query_table(bounds) using (cell)
    ),
    listed as (
        select total, d, nth, list((cell, sign) order by cell) filter (is_open) as members,
               -coalesce(sum(most) filter (not is_open), 0) as least_rest,
               -coalesce(sum(least) filter (not is_open), 0) as most_rest
        from valued group by all having count(*) filter (is_open) > 0
    ),
    different as (
        select members, nth > 0 as is_part, min(struct_pack(total := total, d := d)) as of_sum,
               max(least_rest) as least, min(most_rest) as most
        from listed group by members, is_part
    )
    select row_number() over (order by of_sum, is_part, members) as equation, of_sum.total as total,
           of_sum.d as d, members,
           case when additive or not is_part then least end as least,
           case when additive or is_part then most end as most
    from different;

-- Is a cell not known exactly?
create or replace macro sqlanon._is_open(lo, hi) as hi is null or sqlanon._is_above(hi, lo);

-- Which open cells and sums hang on each other: one (an equation), other (a cell), component.
create or replace macro sqlanon._connected_sums(open_sums) as table
    with pair as (select equation as one, unnest(members)[1] as other from query_table(open_sums))
    from sqlanon._components('pair');

-- The components of open cells and sums that sums alone may not finish: component, cells and constraints (as
-- of _component_bounds), members (the cells, in this order), equations (in the order of constraints). All of
-- them where the last round still changed something; those that have a cycle; those about which somebody
-- knows more than others do. connected: of _connected_sums.
create or replace macro sqlanon._open_components(first_bounds, bounds, open_sums, connected) as table
    with chosen as (
        select component
        from query_table(connected) join query_table(first_bounds) as own on own.cell = other
        group by component
        having count(*) >= count(distinct one) + count(distinct other) or count(own.known_alone) > 0
            or (select bool_or(changed) from query_table(bounds))
    ),
    cell_of as (
        select component, other as cell, row_number() over (partition by component order by other) as place
        from (select distinct component, other from query_table(connected) semi join chosen using (component))
    ),
    member as (
        select component, list(cell order by place) as members,
               list(struct_pack(lo := bound.lo, hi := bound.hi, is_asked := own.is_asked,
                                known_alone := own.known_alone) order by place) as cells
        from cell_of
        join query_table(bounds) as bound using (cell)
        join query_table(first_bounds) as own using (cell)
        group by component
    ),
    term as (
        select equation, least, most, unnest(members)[1] as cell, unnest(members)[2] as sign
        from query_table(open_sums)
    ),
    equation_of as (
        select component, equation, any_value(least) as least, any_value(most) as most,
               list(place order by place) as cells, list(sign order by place) as signs
        from term join cell_of using (cell) group by component, equation
    ),
    constrained as (
        select component, list(equation order by equation) as equations,
               list(struct_pack(least := least, most := most, cells := cells, signs := signs)
                    order by equation) as constraints
        from equation_of group by component
    )
    select component, members, cells, equations, constraints from member join constrained using (component);

-- What the solver says of them, each with its part of the time: members, equations, answer (NULL without it).
create or replace macro sqlanon._solved_components(components, whole, programs, seconds, rule) as table
    select members, equations,
           sqlanon._component_bounds(
               cells, constraints, whole, programs, seconds * len(members) / all_members, rule) as answer
    from query_table(components),
         (select sum(len(members)) as all_members from query_table(components)) where programs <> 'none';

-- The intervals of the cells that are asked for: keys, lo, hi, insider_lo, insider_hi, unfinished, is_wide
-- (linear programs leave as many values as a rule asks for).
create or replace macro sqlanon._intervals(first_bounds, bounds, components, solved) as table
    with doubtful as (select unnest(members) as cell from query_table(components)),
    told as (
        select unnest(members) as cell, unnest(answer.intervals) as told from query_table(solved)
        where len(answer.intervals) = len(members)
    )
    select keys, greatest(lo, told.lower_bound) as lo,
           case when hi is null then told.upper_bound else least(hi, told.upper_bound) end as hi,
           told.insider_lower as insider_lo, told.insider_upper as insider_hi,
           doubtful.cell is not null and not coalesce(told.is_proven, false) as unfinished,
           coalesce(told.is_wide, false) as is_wide
    from (select cell, keys, is_asked from query_table(first_bounds)) as own
    join (select cell, lo, hi from query_table(bounds)) as bound using (cell)
    left join doubtful using (cell)
    left join told using (cell)
    where is_asked;

-- The same as values: of what is one number both ends are.
create or replace macro sqlanon._intervals_as_values(intervals, scale, whole) as table
    with own as (
        select * replace (
            if(is_known, lo, hi) as hi, if(insider_is_known, insider_lo, insider_hi) as insider_hi)
        from (
            select *, sqlanon._is_known_sum(lo, hi, is_exact, whole) as is_known,
                   sqlanon._is_known_sum(insider_lo, insider_hi, is_exact, whole) as insider_is_known
            from query_table(intervals), query_table(scale)
        )
    )
    select keys, lo / unit as lo, hi / unit as hi, insider_lo / unit as insider_lo,
           insider_hi / unit as insider_hi, unfinished and not is_known as unfinished
    from own;
create or replace macro sqlanon._is_known_sum(lo, hi, is_exact, whole) as
    coalesce(case when whole then lo = hi when is_exact then hi - lo < 1e-3
                  else hi - lo <= 1e-9 * (abs(hi) + 2) end, false);

-- An interval for people: 12, 3 to 7, at least 3.
create or replace macro sqlanon._bounds_text(lo, hi) as
    case when hi is null then 'at least ' || sqlanon._number_text(lo)
         when lo = hi then sqlanon._number_text(lo)
         else sqlanon._number_text(lo) || ' to ' || sqlanon._number_text(hi) end;

-- Sums that contradict what is published of their own cells: told.
create or replace macro sqlanon._clashing_sums(first_bounds, sums, dimensions, additive, scale) as table
    with part_sum as (
        select total, d, if(additive, sum(lo), max(lo)) as lo,
               case when count(hi) = count(*) then sum(hi) end as hi
        from query_table(sums) join query_table(first_bounds) using (cell) group by total, d
    )
    select sqlanon._cell_name(keys) || ' is ' || sqlanon._bounds_text(own.lo / unit, own.hi / unit)
           || ', its parts over ' || sqlanon._list(dimensions)[d] || ' are together '
           || sqlanon._bounds_text(part_sum.lo / unit, part_sum.hi / unit) as told
    from part_sum join query_table(first_bounds) as own on own.cell = total
    cross join query_table(scale)
    where sqlanon._is_above(own.lo, part_sum.hi) or sqlanon._is_above(part_sum.lo, own.hi);

-- The equations that cannot hold together: equation. solved: with the conflicts that programs have shown.
create or replace macro sqlanon._clashing_equations(open_sums, solved) as table
    select unnest(list_transform(answer.conflict, lambda place: equations[place])) as equation
    from query_table(solved)
    union
    select equation from query_table(open_sums) where sqlanon._is_above(least, most);

-- No rows, or an error: cells that are there twice; labels that the hierarchy lacks; sums that contradict
-- their cells, or each other, by one cell or by several equations together.
create or replace macro sqlanon._refuse_contradictions(
    published, first_bounds, sums, bounds, open_sums, solved, tbl, dimensions, additive, scale,
    advice) as table
    with clashing_sum as materialized (
        from sqlanon._clashing_sums(first_bounds, sums, dimensions, additive, scale)
    ),
    clashing as (from sqlanon._clashing_equations(open_sums, solved)),
    named as (
        select distinct sqlanon._cell_name(keys) || ' (over ' || sqlanon._list(dimensions)[d] || ')' as name
        from clashing join query_table(open_sums) using (equation)
        join query_table(first_bounds) as own on own.cell = total
    )
    from sqlanon._refuse_empty(published, tbl)
    union all
    select error('table ' || tbl || ' has the same cell ' || count(*) || ' times: '
                 || sqlanon._cell_name(keys)) as refused
    from query_table(published) group by keys having count(*) > 1
    union all
    select error('the totals of ' || tbl || ' contradict its cells: ' || min(told)
                 || if(count(*) = 1, '', '; and ' || (count(*) - 1) || ' more') || advice)
    from clashing_sum having count(*) > 0
    union all
    select error('the totals of ' || tbl || ' contradict its cells: ' || sqlanon._cell_name(any_value(keys))
                 || ' would be at least ' || sqlanon._number_text(max(bound.lo / unit)) || ' and at most '
                 || sqlanon._number_text(min(bound.hi / unit)) || advice)
    from query_table(bounds) as bound join query_table(first_bounds) as own using (cell)
    cross join query_table(scale)
    where sqlanon._is_above(bound.lo, bound.hi) and (select count(*) = 0 from clashing_sum) group by cell
    union all
    select error('the totals of ' || tbl || ' contradict its cells: ' || count(*)
                 || ' sums cannot hold together, those of ' || string_agg(name, '; ' order by name) || advice)
    from named having count(*) > 0;

-- The chain: intervals of the cells of a relation of published cells (sums_of_cells.sql), with known_alone.
-- hierarchies: as in _hierarchies. programs: none, linear or integer.
create or replace macro sqlanon._bounds_of_cells(
    published, hierarchies, tbl, dimensions, additive, whole, programs, seconds, rounds, advice) as table
    with _sqlanon_found as materialized (from sqlanon._labels_of_cells(published)),
    _sqlanon_path as materialized (
        from sqlanon._published_paths('_sqlanon_found', hierarchies, dimensions)
    ),
    _sqlanon_tree as materialized (from sqlanon._table_tree('_sqlanon_path')),
    _sqlanon_number as materialized (from sqlanon._numbered_labels('_sqlanon_path', dimensions)),
    _sqlanon_step as materialized (from sqlanon._label_steps('_sqlanon_tree', '_sqlanon_number')),
    _sqlanon_above as materialized (from sqlanon._labels_and_above('_sqlanon_path', '_sqlanon_number')),
    _sqlanon_finest as materialized (from sqlanon._finest_labels('_sqlanon_tree', '_sqlanon_number')),
    _sqlanon_seed as materialized (from sqlanon._seed_cells(published, '_sqlanon_finest', dimensions)),
    _sqlanon_cell as materialized (
        from sqlanon._cells_and_totals('_sqlanon_seed', published, '_sqlanon_above', dimensions)
    ),
    _sqlanon_all_sums as materialized (from sqlanon._all_sums('_sqlanon_cell', '_sqlanon_step')),
    _sqlanon_sum as materialized (
        from sqlanon._sums_of_cells('_sqlanon_all_sums', '_sqlanon_cell', published)
    ),
    _sqlanon_nothing as (
        from sqlanon._totals_of_nothing('_sqlanon_cell', '_sqlanon_all_sums', '_sqlanon_tree')
    ),
    _sqlanon_scale as materialized (from sqlanon._scale_of_cells(published, whole)),
    _sqlanon_first as materialized (
        from sqlanon._first_bounds('_sqlanon_cell', published, '_sqlanon_nothing', '_sqlanon_scale')
    ),
    _sqlanon_bound as materialized (
        from sqlanon._bounds_of_sums('_sqlanon_first', '_sqlanon_sum', additive, rounds)
    ),
    _sqlanon_open as materialized (from sqlanon._open_sums('_sqlanon_bound', '_sqlanon_sum', additive)),
    _sqlanon_connected as materialized (from sqlanon._connected_sums('_sqlanon_open')),
    _sqlanon_component as materialized (
        from sqlanon._open_components(
            '_sqlanon_first', '_sqlanon_bound', '_sqlanon_open', '_sqlanon_connected')
    ),
    _sqlanon_solved as materialized (
        from sqlanon._solved_components('_sqlanon_component', whole, programs, seconds, 0)
    ),
    _sqlanon_refusal as (
        from sqlanon._refuse_unknown_labels('_sqlanon_found', '_sqlanon_path', dimensions)
        union all
        from sqlanon._refuse_contradictions(
            published, '_sqlanon_first', '_sqlanon_sum', '_sqlanon_bound', '_sqlanon_open',
            '_sqlanon_solved', tbl, dimensions, additive, '_sqlanon_scale', advice)
    ),
    _sqlanon_in_units as (
        from sqlanon._intervals('_sqlanon_first', '_sqlanon_bound', '_sqlanon_component', '_sqlanon_solved')
    )
    from sqlanon._intervals_as_values('_sqlanon_in_units', '_sqlanon_scale', whole)
    union all by name
    select refused::double as lo from _sqlanon_refusal;

-- No rows, or an error: labels that the hierarchy of their dimension lacks.
create or replace macro sqlanon._refuse_unknown_labels(found, paths, dimensions) as table
    select error('the hierarchy of column ' || sqlanon._list(dimensions)[d] || ' lacks '
                 || if(count(*) = 1, 'a label', count(*) || ' labels') || ' of the table: '
                 || array_to_string(min(sqlanon._label_text(found_label.label), 10), ', ')) as refused
    from query_table(found) as found_label
    anti join query_table(paths) as known on known.d = found_label.d and known.label = found_label.label
    where found_label.label <> sqlanon._total_key() group by d;

create or replace macro sqlanon._cell_bounds(
    cells, dimensions, value_column, total_mark, hierarchies, marks, base, rounding, least, most,
    lower_column, upper_column, insiders, additive, whole, programs, seconds, rounds) as table
    with _sqlanon_hierarchy as materialized (from sqlanon._hierarchies(hierarchies)),
    _sqlanon_shown as materialized (from {sqlanon._cells_as_shown}),
    _sqlanon_published as materialized (
        from sqlanon._published_cells('_sqlanon_shown', marks, base, rounding, least, most, whole)
    ),
    _sqlanon_interval as (
        from sqlanon._bounds_of_cells(
            '_sqlanon_published', '_sqlanon_hierarchy', cells, dimensions, additive, whole, programs, seconds,
            rounds, ' (a finest cell without a row counts 0; of people who can be in several parts say '
                    || 'additive := false, of rounded numbers base := 5)')
    ),
    _sqlanon_refusal as (
        from sqlanon._refuse_unread_cells(
            '_sqlanon_shown', cells, value_column, marks, whole and base is null)
        union all from sqlanon._refuse_hierarchies('_sqlanon_hierarchy', dimensions, null)
        union all from sqlanon._refuse_no_total('_sqlanon_shown', cells, total_mark, hierarchies, base)
    )
    from query(sqlanon._fill($$
        select {labels}, lo as lower, hi as upper, {insiders} unfinished from _sqlanon_interval
        union all by name
        select refused::double as lower from _sqlanon_refusal
    $$, map {
        'labels': sqlanon._each_filled(
            dimensions, 'sqlanon._label_of(keys[{i}], {=total_mark}) as {c}', ', '),
        'insiders': if(insiders is null, '',
            $$insider_lo as insider_lower, insider_hi as insider_upper,$$)}));

-- How bounds are worked out where sums alone do not finish.
create or replace macro sqlanon._programs(given) as
    case when given in ('none', 'linear', 'integer') then given
         else error('programs must be none, linear or integer, not ' || coalesce(given, 'NULL')) end;
create or replace macro sqlanon._seconds(given, parameter) as
    coalesce(sqlanon._real_number(given, parameter, 0, true, 1e9, 'a number of seconds of at least 0'),
             error(parameter || ' must be a number of seconds of at least 0, not NULL'));

create or replace macro sqlanon.cell_bounds(
    cells, dimensions, value_column := 'value', total := 'total', hierarchies := null,
    marks := ['', '*', '.', '..', '...', ':', 'c', 'C', 'x', 'X', '[c]', '[x]', 'Suppressed', 'suppressed'],
    base := null, rounding := 'nearest',
    least := null, most := null, lower_column := null, upper_column := null, insiders := null,
    additive := true, whole := true, programs := 'linear', solver_seconds := 60, rounds := 100) as table
    from query(
        case when additive is null then error('additive must be true or false, not NULL')
             when whole is null then error('whole must be true or false, not NULL')
             when not list_contains(['nearest', 'random', 'midpoint', 'controlled'], rounding)
                  or rounding is null
             then error('rounding must be nearest, random, midpoint or controlled, not '
                        || coalesce(rounding, 'NULL'))
             else sqlanon._checked_dimensions(
                 dimensions, [value_column], ' and value_column')
        end
        || {call _cell_bounds:
            total_mark := total, base := sqlanon._real_number(base, 'base', 0, false, 1e15, 'above 0'),
            least := sqlanon._real_number(least, 'least', 0, true, 1e15, 'at least 0'),
            most := sqlanon._real_number(most, 'most', 0, true, 1e15, 'at least 0'),
            additive := additive::boolean, whole := whole::boolean,
            programs := sqlanon._programs(programs),
            seconds := sqlanon._seconds(solver_seconds, 'solver_seconds'),
            rounds := sqlanon._whole_given(rounds, 'rounds')});

comment on macro table sqlanon.cell_bounds is $$
Computes bounds for the cells that a published table hides or rounds, from its totals: one row per such cell,
with the smallest and the largest possible value.

Parameters:
- cells (table): the published cells, including totals: the columns in dimensions and value_column.
- dimensions (columns): the columns by which the cells are grouped.
- value_column (column; default 'value'): the published value, a number or a text: a number, <5, or a mark of
  a hidden cell. NULL: hidden.
- total (text or NULL; default 'total'): the mark of a total in the columns of dimensions; NULL if totals are
  marked by NULL.
- hierarchies (table; default null): rows of attribute, value, level and label. The labels of a dimension are
  then values and labels of its hierarchy, each the sum of those below it.
- marks (list of texts; default ['', '*', '.', '..', '...', ':', 'c', 'C', 'x', 'X', '[c]', '[x]',
  'Suppressed', 'suppressed']): the marks of hidden cells; a number among them, such as 0, is a mark, too, and
  no value.
- base (number, above 0; default null): if given, the published numbers are rounded to multiples of it.
- rounding (one of nearest, random, midpoint, controlled; default 'nearest'): the rounding, as in round_cells.
  For controlled, it is assumed that no cell was rounded further.
- least (number, at least 0; default null): the smallest value of a hidden cell. If not given: 1 if some cell
  is shown to be 0, so that zeros are not hidden, and 0 otherwise; for sums and rounded counts 0.
- most (number, at least 0; default null): the largest value of a hidden cell, such as 4 if exactly the counts
  below 5 are hidden. If not given, there is no limit.
- lower_column (column; default null): prior knowledge about hidden cells: the smallest value that each can
  have; NULL: nothing is known.
- upper_column (column; default null): the same for the largest value.
- insiders (column; default null): the true values of hidden cells that have only one contributor, who knows
  them; NULL for all other cells. If given, the result also has the intervals that these contributors know.
- additive (boolean; default true): true: a total is the sum of its parts. false: people can be in several
  parts, so a total is at least the largest part, and at most the sum.
- whole (boolean; default true): the values are whole numbers, as counts are.
- programs (one of none, linear, integer; default 'linear'): how intervals are narrowed if the sums alone do
  not prove that they are exact: by linear programs, or then also by integer programs. They run in Python.
- solver_seconds (number, at least 0; default 60): the time limit of the programs.
- rounds (integer, at least 1; default 100): the largest number of rounds in which bounds are passed from sum
  to sum.

Result:
- <dimensions> (text): the cell.
- lower (number): the smallest possible value.
- upper (number): the largest possible value; NULL: unbounded.
- insider_lower (number): with insiders: the highest lower bound that the only contributor of another cell can
  compute; NULL: not computed.
- insider_upper (number): with insiders: the lowest upper bound of such a contributor; NULL: unbounded, or not
  computed.
- unfinished (boolean): false if these are the smallest and the largest value in all tables that agree with
  the published numbers; true if that is not proven.

Errors: unknown column, empty table, a column named twice, a cell that is there twice, a value that cannot be
read, several cells without a total among them, a label that the hierarchy lacks, a hierarchy that is not a
tree, totals that contradict the cells.

Notes: to use the programs in SQL, call sqlanon.register_functions(con) in Python first, with sqlanon[tables]
installed. Without them, and for cells for which they prove nothing in time, the bounds of the sums alone are
returned, and unfinished is true unless these are known to be the narrowest. Bounds are never wrong, and
unfinished is false only if they are the narrowest: because lower equals upper; or the open cells and their
sums form no cycle; or a table that agrees, checked in whole numbers, reaches each end; or, for sums of a
measure, the programs are solved. Sums of decimals are added up in whole units of the last decimal, and their
bounds are exact; of DOUBLEs that have no end, a cell whose bounds differ by no more than a billionth is
known: lower and upper are the same. A cell of the finest level without a row counts 0; if
no such cell has a row, their values are not known, and neither is a total without a row. Values that are not
published are at least 0.

Source: Hundepool et al. 2012, Statistical Disclosure Control, ch. 4; Dobra and Fienberg 2000; Freuder 1982.

Example:
with cells as (
    from (values ('north', 'flu', '12'), ('north', 'cancer', '*'), ('north', 'asthma', '*'),
                 ('north', 'total', '19'), ('south', 'flu', '9'), ('south', 'cancer', '0'),
                 ('south', 'asthma', '<5'), ('south', 'total', '11')) as row(place, disease, n)
)
from sqlanon.cell_bounds('cells', dimensions := ['place', 'disease'], value_column := 'n');
$$;

-- Bounds that contradict each other: told (a sentence that names cells), place (the simplest one first): some
-- people would have (or be, as verb says) at least more than at most, or several sums clash.
create or replace macro sqlanon._contradicted_bounds(
    bounds, open_sums, solved, box_parts, box_names, verb) as table
    with number as (select coalesce(max(part), 0) as parts from query_table(box_parts)),
    crossed as (select cell, lo, hi from query_table(bounds) where sqlanon._is_above(lo, hi)),
    around as (
        select crossed.cell, crossed.lo, crossed.hi, coalesce(
                   any_value(box_name.name),
                   'people who are in each of '
                       || array_to_string(list_sort(list(distinct of_part.name) filter (
                              of_part.name is not null)), ', ')) as name
        from crossed cross join number
        left join query_table(box_names) as box_name on box_name.box = crossed.cell - number.parts
        left join (select part, unnest(boxes) as box from query_table(box_parts)) as own
            on own.part = crossed.cell
        left join query_table(box_names) as of_part on of_part.box = own.box
        group by crossed.cell, crossed.lo, crossed.hi
    ),
    clashing as (from sqlanon._clashing_equations(open_sums, solved)),
    named as (
        select distinct name from clashing join query_table(open_sums) using (equation) cross join number
        join query_table(box_names) as box_name on box_name.box = total - number.parts
    )
    select name || ' would ' || verb || ' at least ' || sqlanon._number_text(lo) || ' and at most '
           || sqlanon._number_text(hi) as told, 3 as place
    from around
    union all
    select count(*) || ' cells cannot hold together, ' || string_agg(name, '; ' order by name), 4
    from named having count(*) > 0;
