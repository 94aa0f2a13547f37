-- Sums of cells: the equations that a published table says. A total is the sum of the cells below it, along
-- every dimension and every label of a hierarchy (Hundepool et al. 2012, Statistical Disclosure Control, ch.
-- 4).
--
-- An equation is about one step in one dimension: the cell of a label is the sum of the cells of the labels
-- below it. Sums over several steps or dimensions follow from these. For this there are cells that nobody has
-- published, too: a total without a row is not known. A finest cell without a row counts 0, as after GROUP
-- BY, unless none of them has one: then a table of totals alone is published, and no finest cell is known.
--
-- A relation of published cells has keys (a list, one per dimension), lo and hi (what is known of the cell;
-- NULL: unbounded) and is_asked (its interval is asked for).

-- The labels that published cells have: d, label.
create or replace macro sqlanon._labels_of_cells(published) as table
    select distinct d, label
    from (select unnest(keys) as label, generate_subscripts(keys, 1) as d from query_table(published));

-- The paths of labels without those that the table does not have: levels that are not published.
create or replace macro sqlanon._published_paths(found, hierarchies, dimensions) as table
    select paths.* from sqlanon._table_paths(found, hierarchies, dimensions) as paths
    semi join query_table(found) as own on own.d = paths.d and own.label = paths.label;

-- What is a step up: d, label, parent, step (from the number of the one to that of the other).
create or replace macro sqlanon._label_steps(tree, numbers) as table
    select own.d, own.label, own.parent, above.number - below.number as step
    from query_table(tree) as own
    join query_table(numbers) as below on below.d = own.d and below.label = own.label
    join query_table(numbers) as above on above.d = own.d and above.label = own.parent;

-- The labels above each label, itself among them: d, label, own_number, above, number (of the one above).
create or replace macro sqlanon._labels_and_above(paths, numbers) as table
    with pair as (
        select distinct own.d, own.label, upper.label as above
        from query_table(paths) as own
        join query_table(paths) as upper
          on upper.d = own.d and upper.value = own.value and upper.level >= own.level
        union
        select d, label, sqlanon._total_key() from query_table(numbers)
    )
    select pair.d, pair.label, own.number as own_number, above, upper.number
    from pair
    join query_table(numbers) as own on own.d = pair.d and own.label = pair.label
    join query_table(numbers) as upper on upper.d = pair.d and upper.label = pair.above;

-- The finest labels, which are above no other: d, label.
create or replace macro sqlanon._finest_labels(tree, numbers) as table
    select d, label from query_table(numbers)
    anti join (select d, parent as label from query_table(tree)) as upper using (d, label);

-- The cells from which all others follow: keys. The published ones, and all finest cells if none of them is
-- published.
create or replace macro sqlanon._seed_cells(published, finest_labels, dimensions) as table
    from query(sqlanon._fill($$
        with finest as (select list((d, label)) as labels from {finest_labels}),
        has_finest as (
            select coalesce(bool_or(len(list_filter(
                       keys, lambda label_key, i: not list_contains(labels, (i, label_key)))) = 0), false)
                       as has
            from {published}, finest
        )
        select keys from {published}
        union
        select [{each dimensions: label{i}.label}] from {product} where not (select has from has_finest)
    $$, map {
        'product': sqlanon._each_filled(
            dimensions, '(select label from {finest_labels} where d = {i}) as label{i}', ' cross join ')}));

-- What some cells count in, themselves among it: cell (a number), keys, by_way_of (the number of the one
-- below).
create or replace macro sqlanon._cells_above(cells_below, labels_and_above, dimensions) as table
    from query(sqlanon._fill($$
        select {cell} as cell, [{keys}] as keys, {below} as by_way_of from {cells} as own {above}
    $$, map {
        'cell': sqlanon._each(dimensions, 'above{i}.number', ' + '),
        'keys': sqlanon._each(dimensions, 'above{i}.above', ', '),
        'below': sqlanon._each(dimensions, 'above{i}.own_number', ' + '), 'cells': cells_below,
        'above': sqlanon._each_filled(
            dimensions, 'join {above} as above{i} on above{i}.d = {i} and above{i}.label = own.keys[{i}]',
            map {'above': labels_and_above}, ' ')}));

-- All cells that are in an equation: cell, keys. A total that is not published is one of them if something
-- published is above it, because otherwise it says nothing.
create or replace macro sqlanon._cells_and_totals(seeds, published, labels_and_above, dimensions) as table
    with reached as (
        select cell, any_value(keys) as keys
        from sqlanon._cells_above(seeds, labels_and_above, dimensions) group by cell
    ),
    unpublished as (
        select cell, keys
        from reached as own anti join query_table(published) as shown on shown.keys = own.keys
    ),
    idle as (
        select by_way_of as cell
        from sqlanon._cells_above('unpublished', labels_and_above, dimensions) as upper
        left join query_table(published) as shown on shown.keys = upper.keys
        group by by_way_of having count(shown.keys) = 0
    )
    from reached anti join idle using (cell);

-- What sums up to what: total (a cell), d (the dimension of the step), cell (one of the parts).
create or replace macro sqlanon._all_sums(whole_table, steps) as table
    select cell + step as total, own.d, own.cell
    from (
        select cell, unnest(keys) as label, generate_subscripts(keys, 1) as d from query_table(whole_table)
    ) as own
    join query_table(steps) as up on up.d = own.d and up.label = own.label
    semi join query_table(whole_table) as whole on whole.cell = own.cell + step;

-- Those of all sums that follow from no others: without those with parts that nobody has published, if the
-- same total is also a sum over another dimension, of published parts, each of which is the sum of published
-- parts over this one. (Such a sum would close a cycle, and say nothing.) What is not published and in no
-- total any more is no total either.
create or replace macro sqlanon._sums_of_cells(all_sums, whole_table, published) as table
    with unpublished as (
        select cell from query_table(whole_table) as own
        anti join query_table(published) as shown on shown.keys = own.keys
    ),
    full_sum as (
        select total, d from query_table(all_sums) left join unpublished as lacking using (cell)
        group by total, d having count(lacking.cell) = 0
    ),
    other_way as (
        select long.total, long.d
        from (select distinct total, d from query_table(all_sums) anti join full_sum using (total, d)) as long
        join full_sum as short on short.total = long.total and short.d <> long.d
        join query_table(all_sums) as part on part.total = short.total and part.d = short.d
        left join full_sum as of_part on of_part.total = part.cell and of_part.d = long.d
        group by long.total, long.d, short.d having count(*) = count(of_part.total)
    ),
    needed as (from query_table(all_sums) anti join other_way using (total, d)),
    idle as (
        select cell as total from unpublished
        anti join needed as upper on upper.cell = unpublished.cell
    )
    from needed anti join idle using (total);

-- Totals of nothing: cell. None of their parts has a row, so they are 0.
create or replace macro sqlanon._totals_of_nothing(whole_table, sums, tree) as table
    select distinct own.cell
    from (
        select cell, unnest(keys) as label, generate_subscripts(keys, 1) as d from query_table(whole_table)
    ) as own
    semi join query_table(tree) as upper on upper.d = own.d and upper.parent = own.label
    anti join query_table(sums) as equation on equation.total = own.cell and equation.d = own.d;

-- Is one number above another, by more than sums of such numbers are off? Of whole ones each difference is.
create or replace macro sqlanon._is_above(one, other) as
    one > other + least(0.5, 1e-9 * (1 + abs(other)));

-- How many decimals a number has, as it is written shortest: 62976.55 has 2, 1.5e-07 has 8.
create or replace macro sqlanon._decimals_of(number) as
    sqlanon._let(number::varchar, lambda number_text: greatest(0,
        len(regexp_extract(number_text, '\.(\d*[1-9])', 1))
        - coalesce(try_cast(regexp_extract(number_text, 'e(.*)$', 1) as bigint), 0)));

-- Has a number more digits than a decimal keeps as a DOUBLE? Sums of DOUBLEs have: 163485.6600000001.
create or replace macro sqlanon._has_noise(number) as
    len(ltrim(regexp_replace(regexp_extract(number::varchar, '^[^e]*'), '\D', '', 'g'), '0')) > 15;

-- The scale of some numbers, one row: unit (so many of the smallest unit are 1: 100 for cents), is_exact
-- (each number is a whole number of units). Sums of such numbers are added up in units, since
-- 0.1 + 0.2 is not 0.3. Where DOUBLEs have been added up already, a number is off by a little, and cents are
-- found all the same. Where numbers have no end (1/3), is_exact is false, and the unit one in which the
-- largest is about 1000, so that what sums are off (_is_above) is little beside it. numbers: number.
create or replace macro sqlanon._scale_of(numbers) as table
    with own as (
        select distinct abs(number) as number from query_table(numbers)
        where abs(number) < 'infinity'::double
    ),
    written as (
        select coalesce(max(sqlanon._decimals_of(number)) filter (number <> floor(number)), 0) as decimals,
               coalesce(max(number), 0) as largest,
               coalesce(bool_or(sqlanon._has_noise(number)) filter (number <> floor(number)), false)
                   as has_noise
        from own
    ),
    tried as (
        select try.decimals
        from (select unnest(range(0, 13)) as decimals, largest from written where has_noise) as try, own
        where 10 ** try.decimals * 2e-11 * largest < 1
        group by try.decimals
        having bool_and(abs(number - round(number * 10 ** try.decimals) / 10 ** try.decimals)
                        <= 1e-12 * largest)
    ),
    chosen as (
        select largest, if(has_noise, (select min(tried.decimals) from tried), written.decimals) as decimals
        from written
    )
    select if(is_exact, 10 ** decimals, 2 ** (10 - ceil(log2(largest))))::double as unit, is_exact
    from (select *, coalesce(10 ** decimals * largest <= 4e15, false) as is_exact from chosen);

-- A number in units.
create or replace macro sqlanon._in_units(number, unit, is_exact) as
    if(is_exact, round(number * unit), number * unit);

-- Is an interval one number? Units are compared as they are; other numbers by what sums of them are off, and
-- in doubt they are one.
create or replace macro sqlanon._is_one_number(lo, hi) as
    coalesce(hi <= lo + 1e-9 * greatest(abs(lo), abs(hi)), false);

-- No rows, or an error: a total that is not there, or does not add up. amounts: keys, amount; advice: what
-- may help.
create or replace macro sqlanon._refuse_sums(
    whole_table, all_sums, amounts, tbl, dimensions, additive, advice) as table
    with own as (
        select cell, every.keys, amount, own.keys is not null as is_there
        from query_table(whole_table) as every left join query_table(amounts) as own using (keys)
    ),
    added as (
        select total, d, sum(amount) as amount, max(amount) as largest
        from query_table(all_sums) join own using (cell) group by total, d
    )
    select error('table ' || tbl || ' lacks ' || count(*) || ' totals, such as '
                 || sqlanon._cell_name(min(keys))) as refused
    from own where not is_there having count(*) > 0
    union all
    select error('the totals of ' || tbl || ' do not add up: ' || sqlanon._cell_name(min(keys)) || ' is '
                 || sqlanon._number_text(min_by(own.amount, keys)) || ', its parts over '
                 || sqlanon._list(dimensions)[min_by(d, keys)] || ' are '
                 || sqlanon._number_text(min_by(added.amount, keys)) || advice)
    from added join own on own.cell = total
    where sqlanon._is_above(own.amount, added.amount)
       or sqlanon._is_above(if(additive, added.amount, largest), own.amount)
    having count(*) > 0;

-- How many decimals the numbers of a column have; NULL: they are DOUBLEs that have no end.
create or replace macro sqlanon._decimals_of_column(tbl, value_column) as table
    with number_of as (
        from query(sqlanon._fill('select src.{"value_column"}::double as number from {source} as src', map {
            'source': sqlanon._projected(tbl, value_column, null, null)}))
    )
    select case when is_exact then round(log10(unit))::bigint end as decimals
    from sqlanon._scale_of('number_of');
