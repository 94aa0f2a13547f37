-- The labels of a table of counts or sums: what its cells are about, and what adds up to what.
--
-- A cell has a label in every dimension: a value (level 0), a label of the dimension's hierarchy, or the mark
-- of a total. They form a tree: the total is the sum of the labels below it, each of these the sum of those
-- below it, down to the values. A label that several levels have for the same values is one label.
--
-- NULL as a value is not NULL as the mark of a total. So labels have keys, texts whose first character says
-- what they are: '=' a label, '-' NULL as a value, '+' the total.
create or replace macro sqlanon._total_key() as '+';
create or replace macro sqlanon._label_key(string) as coalesce('=' || string, '-');

-- A key of a label, which may be the mark of a total (NULL: then NULL marks it).
create or replace macro sqlanon._marked_key(string, total_mark) as
    case when string is not distinct from total_mark then '+' when string is null then '-'
         else '=' || string end;

-- The label of a key, as people write it in the table.
create or replace macro sqlanon._label_of(label_key, total_mark) as
    case label_key[1] when '=' then label_key[2:] when '+' then total_mark end;

-- The label of a key, and the name of a cell, for messages.
create or replace macro sqlanon._label_text(label_key) as
    case label_key[1] when '=' then label_key[2:] when '+' then 'total' else 'NULL' end;
create or replace macro sqlanon._cell_name(label_keys) as
    list_aggregate(list_transform(label_keys, lambda label_key: sqlanon._label_text(label_key)),
                   'string_agg', ', ');

-- The labels that each value has, from itself upwards, as keys: d (the position of the dimension), value,
-- level, label. The root of a hierarchy is the total, and not among them. found: d, label, the labels that a
-- table has, which are values where a dimension has no hierarchy; hierarchies as in _hierarchies.
create or replace macro sqlanon._table_paths(found, hierarchies, dimensions) as table
    with entry as (
        select list_position(sqlanon._lower(sqlanon._list(dimensions)), attribute) as d,
               sqlanon._label_key(value) as value, level, sqlanon._label_key(label) as label
        from sqlanon._hierarchy(hierarchies)
        where list_contains(sqlanon._lower(sqlanon._list(dimensions)), attribute)
    ),
    tree as (select d, max(level) as height from entry group by d)
    select d, value, level, label from entry join tree using (d) where level < height
    union all
    select d, label, 0, label
    from (select distinct d, label from query_table(found) where label <> sqlanon._total_key()) as found_label
    anti join tree using (d);

-- The tree of labels, as keys: d, label, parent. The total has no parent, and no row.
create or replace macro sqlanon._table_tree(paths) as table
    with step as (
        select d, label,
               coalesce(lead(label) over (partition by d, value order by level), sqlanon._total_key())
                   as parent
        from query_table(paths)
    )
    select distinct d, label, parent from step where label <> parent;

-- Labels as numbers, so that a cell is one number, the sum of its labels' (n labels of the first dimension
-- have 0 to n - 1, those of the second the multiples of n, ...): d, label, number. The total is a label.
create or replace macro sqlanon._numbered_labels(paths, dimensions) as table
    with distinct_label as (
        select distinct d, label from query_table(paths)
        union all
        select d, sqlanon._total_key() from range(1, len(sqlanon._list(dimensions)) + 1) as dimension(d)
    ),
    size as (select d, count(*) as labels from distinct_label group by d),
    stride as (select d, product(labels) over (order by d) / labels as stride from size)
    select d, label,
           if(stride > 1e15, error('there are too many combinations of labels in dimensions: name fewer'),
              (row_number() over (partition by d order by label) - 1) * stride::bigint) as number
    from distinct_label join stride using (d);

-- What each value counts in, itself and the total among it: d, value (a key), number (of the label).
create or replace macro sqlanon._numbers_above(paths, numbers) as table
    with above as (
        select distinct d, value, label from query_table(paths)
        union all
        select distinct d, value, sqlanon._total_key() from query_table(paths)
    )
    select d, value, number from above join query_table(numbers) using (d, label);

-- No rows, or an error: a label that stands for different values at different levels, so that nobody can tell
-- which of them a cell is about.
create or replace macro sqlanon._refuse_ambiguous_labels(paths, dimensions) as table
    with covered as (
        select d, level, label, count(*) as covered_values from query_table(paths) group by d, level, label
    )
    select error('the hierarchy of column ' || sqlanon._list(dimensions)[d] || ' has the label '
                 || sqlanon._label_text(label) || ' at several levels for different values: a cell of a table'
                 || ' could be about either (rename one of them)') as refused
    from covered group by d, label having min(covered_values) < max(covered_values);

-- An empty text once the dimensions and other columns of a table make sense; an error that names the column
-- otherwise.
create or replace macro sqlanon._checked_dimensions(dimensions, others, named) as
    case when len(sqlanon._list(dimensions)) = 0
         then error('dimensions names no column: give those by which the cells are grouped')
         when list_contains(list_transform(sqlanon._list(dimensions), lambda name: name is null), true)
         then error('a column name is NULL in dimensions')
         else coalesce(
             error('column "' || sqlanon._claimed_twice(sqlanon._list(dimensions) || sqlanon._list(others))
                   || '" is named twice in dimensions' || named), '')
    end;
