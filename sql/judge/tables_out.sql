-- What the judge looks for in published tables of counts, and in releases of rows beside them: does a new
-- one, together with all the others (sql/tables/tables_together.sql), tell more than its rule allows and more
-- than was known before?

-- The counts of a table as everybody reads them, with one mark of totals for all tables: its dimensions,
-- _sqlanon_value (text; NULL: hidden, rounded or noisy), _sqlanon_least and _sqlanon_most (of each cell).
-- noise: how far a count may be from the true one, or NULL; hidden_least: what a hidden cell is at least
-- (NULL: as a table of others tells).
create or replace macro sqlanon._counts_to_compare(
    tbl, dimensions, value_column, total_mark, base, rounding, noise, hidden_least, common_total) as table
    with _sqlanon_shown as materialized (
        from sqlanon._cells_as_shown(tbl, dimensions, value_column, total_mark, null, null, null)
    ),
    _sqlanon_read as materialized (
        select keys, if(noise is null, shown, null) as shown, greatest(number - noise, 0) as prior_lo,
               number + noise as prior_hi, null::double as known_alone
        from (select *, if(noise is null, null, sqlanon._published_number(shown, false)) as number
              from _sqlanon_shown)
    ),
    _sqlanon_bound as materialized (
        from sqlanon._published_cells('_sqlanon_read', [], base, rounding, hidden_least, null, true)
    )
    from query(sqlanon._fill($$
        select {labels}, if(is_asked, null, lo::bigint::varchar) as _sqlanon_value,
               lo as _sqlanon_least, hi as _sqlanon_most
        from _sqlanon_bound
    $$, map {'labels': sqlanon._each_filled(
        dimensions, 'sqlanon._label_of(keys[{i}], {total}) as {c}',
        map {'total': sqlanon._literal(common_total)}, ', ')}));

-- The sums, or means, of a table as everybody reads them: its dimensions, the columns above (there is
-- somebody where a sum is not 0), _sqlanon_sum and _sqlanon_mean (texts; NULL: hidden).
-- are_exact: not as they are printed, but to the last digit. sum_column, mean_column: NULL: there are none.
create or replace macro sqlanon._sums_to_compare(
    tbl, dimensions, sum_column, mean_column, total_mark, common_total, are_exact) as table
    with _sqlanon_shown as materialized (
        from query(sqlanon._fill($$
            select [{keys}] as keys, sqlanon._number_shown({summed}, {exact}) as summed,
                   sqlanon._number_shown({average}, {exact}) as average
            from query_table({=tbl}) as src
        $$, map {
            'keys': sqlanon._each_filled(
                dimensions, 'sqlanon._marked_key(sqlanon._plain_text(src.{c}::varchar), {=total_mark})',
                ', '),
            'summed': coalesce('src.' || sqlanon._quote(sum_column) || '::varchar', 'null::varchar'),
            'average': coalesce('src.' || sqlanon._quote(mean_column) || '::varchar', 'null::varchar'),
            'exact': are_exact::varchar}))
    )
    from query(sqlanon._fill($$
        select {labels}, null::varchar as _sqlanon_value,
               if(coalesce(summed::double, 0) <> 0 or average is not null, 1, 0)::double as _sqlanon_least,
               null::double as _sqlanon_most, summed as _sqlanon_sum, average as _sqlanon_mean
        from _sqlanon_shown
    $$, map {'labels': sqlanon._each_filled(
        dimensions, 'sqlanon._label_of(keys[{i}], {total}) as {c}',
        map {'total': sqlanon._literal(common_total)}, ', ')}));
-- A number as a text with its decimals, or NULL for a text that is none, such as the mark of a hidden cell.
create or replace macro sqlanon._number_shown(shown, is_exact) as
    case when try_cast(sqlanon._without_thousands(trim(shown)) as double) is null then null
         when is_exact then printf('%.6f', try_cast(shown as double))
         else sqlanon._without_thousands(trim(shown)) end;

-- Only the labels of a table, each alone, with counts that may be anything: with it, the others are told in
-- the same words as beside the table, and tell what they told before. (No cell has a label of every
-- dimension, so that nothing says where nobody is.)
create or replace macro sqlanon._labels_alone(tbl, dimensions, common_total) as table
    from query(sqlanon._fill($$
        select {labels}, null::varchar as _sqlanon_value, 0::double as _sqlanon_least,
               null::double as _sqlanon_most
        from ({rows})
    $$, map {
        'labels': sqlanon._each_filled(
            dimensions, $$sqlanon._label_of(coalesce({c}, '+'), {total}) as {c}$$,
            map {'total': sqlanon._literal(common_total)}, ', '),
        'rows': sqlanon._each_filled(
            dimensions,
            $$select distinct sqlanon._label_key({c}::varchar) as {c} from query_table({tbl})
              where {c}::varchar is distinct from {total}$$,
            map {'total': sqlanon._literal(common_total), 'tbl': sqlanon._literal(tbl)},
            ' union all by name ')}));

-- What is told too closely now, and was not told so closely before, nor is by the new table alone: the
-- columns of tables_together. after, before: its rows with the new table and without; alone: those of the
-- new table.
create or replace macro sqlanon._newly_known(after, before, alone) as table
    with known as (
        select cell, lower, upper from query_table(before) where not found_by = 'unfinished'
        union all
        select cell, lower, upper from query_table(alone) where not found_by = 'unfinished'
    )
    from query_table(after) as own
    where found_by <> 'unfinished'
      and not exists (from known where known.cell = own.cell and known.lower >= own.lower
                                   and known.upper <= own.upper)
    order by found_by = 'difference' desc, upper, cell;

-- A sentence on a cell that is told.
create or replace macro sqlanon._told_of_cell(cell, lower, upper, because, found_by) as
    case when found_by = 'difference'
              or (found_by = 'sum' and starts_with(because, split_part(cell, ' - ', 1))) then because
         when found_by = 'sum' then cell || ': ' || because
         else cell || ': ' || sqlanon._count_text(lower, upper) || if(upper = 1, ' person', ' people')
              || coalesce(' (' || because || ')', '') end;

-- What is judged of a table together with all that is out, in the columns of _judged_attacks. found: rows of
-- _newly_known; known: how many cells are known in all; together: the names of what was looked at, the new
-- one last.
create or replace macro sqlanon._judged_together(found, known, together) as table
    with told as (
        select sqlanon._told_of_cell(cell, lower, upper, because, found_by) as sentence,
               row_number() over (order by found_by = 'difference' desc, upper, cell) as place
        from query_table(found)
    ),
    counted as (
        select count(*) as n, string_agg(sentence, '; ' order by place) filter (place <= 3) as sentences
        from told
    ),
    measured as (
        select unnest([
            struct_pack(id := 'known', measure := 'are known too closely, and were not before',
                        value := n, most := 0, verdict := if(n > 0, 'fails', 'holds'),
                        reason := sentences || if(n > 3, '; and ' || (n - 3) || ' more', '')),
            struct_pack(id := 'known_in_all', measure := 'are known too closely by all tables together',
                        value := known, most := null, verdict := null, reason := null)]) as told
        from counted
    )
    select 'tables_together' as attack, 'cells' as subject, 'done' as status, told.reason,
           together as releases, null::text as sensitive, false as sampled, told.id, told.measure,
           told.value::double as value, 'cells' as unit, null::double as low, null::double as high,
           null::bigint as people, told.most::double as tolerated, told.verdict, null::double as upper
    from measured;

-- The same of several tables as one of them all. judged: their rows; together: the names of all.
create or replace macro sqlanon._judged_as_one(judged, together) as table
    select attack, subject, status, string_agg(reason, '; ') as reason, together as releases, sensitive,
           sampled, id, measure, if(id = 'known', sum(value), max(value)) as value, unit, low, high, people,
           tolerated, min(verdict) as verdict, upper  -- fails, or holds
    from query_table(judged)
    group by attack, subject, status, sensitive, sampled, id, measure, unit, low, high, people, tolerated,
             upper;

-- Columns of two tables that have no name in common and look like one column: name, attribute, other_name,
-- other_attribute. stated: name (of a table), attribute, value. Half of the values of one are values of the
-- other, or the names are spelled alike. Nothing that differs in the name of a column is compared.
create or replace macro sqlanon._columns_alike(stated) as table
    with spelling as materialized (
        select distinct name, lower(attribute) as attribute, sqlanon._spelled_alike(value) as alike
        from query_table(stated) where value is not null
    ),
    size as (select name, attribute, count(*) as labels from spelling group by name, attribute),
    pair as (
        select one.name, one.attribute, other.name as other_name, other.attribute as other_attribute,
               one.labels, other.labels as other_labels
        from size as one join size as other
          on one.name < other.name and one.attribute <> other.attribute
        where not exists (from size as same where same.name = one.name and same.attribute = other.attribute)
          and not exists (from size as same where same.name = other.name and same.attribute = one.attribute)
    ),
    shared as (
        select pair.name, pair.attribute, other_name, other_attribute, count(*) as labels_of_both
        from pair join spelling as one on one.name = pair.name and one.attribute = pair.attribute
        join spelling as other
          on other.name = other_name and other.attribute = other_attribute and other.alike = one.alike
        group by all
    )
    select pair.name, pair.attribute, pair.other_name, pair.other_attribute
    from pair left join shared using (name, attribute, other_name, other_attribute)
    where sqlanon._spelled_alike(pair.attribute) = sqlanon._spelled_alike(pair.other_attribute)
       or 2 * coalesce(labels_of_both, 0) >= least(labels, other_labels)
    order by all;

-- Values that hierarchies of several tables have under different labels: attribute. hierarchies: all rows.
create or replace macro sqlanon._labels_in_conflict(hierarchies) as table
    select attribute from sqlanon._hierarchy(hierarchies)
    group by attribute, value, level having count(distinct label) > 1;

-- The marks of hidden cells in tables of others, as cell_bounds has them by default.
create or replace macro sqlanon._marks_of_others() as
    ['', '*', '.', '..', '...', ':', 'c', 'C', 'x', 'X', '[c]', '[x]', 'Suppressed', 'suppressed'];

-- No rows, or an error: a table of others whose counts cannot be read.
create or replace macro sqlanon._refuse_counts_of_others(
    tbl, dimensions, value_column, total_mark, title) as table
    with _sqlanon_shown as materialized (
        select 1 as nth, *
        from sqlanon._cells_as_shown(tbl, dimensions, value_column, total_mark, null, null, null)
    )
    from sqlanon._refuse_unread_cells(
        '_sqlanon_shown', title, value_column, sqlanon._marks_of_others(), true)
    union all
    from sqlanon._refuse_totals_unmarked('_sqlanon_shown', [title], dimensions);

-- No rows, or an error: sums or means of others that are neither numbers nor marks of hidden ones.
create or replace macro sqlanon._refuse_sums_of_others(tbl, measured_column, title) as table
    from query(sqlanon._fill($$
        select error('table ' || {=title} || ' has a sum or mean that is no number in column '
                     || {=measured_column} || ': ' || min(shown)) as refused
        from (select trim({"measured_column"}::varchar) as shown from query_table({=tbl}))
        where sqlanon._number_shown(shown, false) is null
          and not list_contains(sqlanon._marks_of_others(), shown)
        having count(*) > 0
    $$));
