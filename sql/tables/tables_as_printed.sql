-- Tables as offices print them, made into cells: a column per category becomes a row per cell, texts that
-- mean nil become 0, and all marks of totals one. The counts of a table of one's own are its contributors.

-- A table with a column for each category of a dimension as one with a row per cell. columns: the categories,
-- whose names are the labels of the dimension.
create or replace macro sqlanon._long_table(tbl, categories, dimension, value_column) as table
    from query(sqlanon._fill($$
        select * from (
            select * replace ({each categories: {c}::varchar as {c}}) from {relation}
        ) as wide
        unpivot include nulls ({"value_column"} for {"dimension"} in ({each categories: {c}}))
    $$, map {'relation': sqlanon._relation(tbl)}));

-- Is a table one of cells? totals (how many of its rows are some), likely (a label that may mark totals,
-- although nobody has said so, or NULL), are_distinct (no two rows have the same labels, as those of people
-- have). total_marks: an empty one is that of an empty label; likely_marks: in lower case.
create or replace macro sqlanon._totals_in(tbl, dimensions, total_marks, likely_marks) as table
    from query(sqlanon._fill($$
        with row as (
            select [{each dimensions: trim(coalesce(src.{c}::varchar, ''))}] as labels from {relation} as src
        ),
        label as (select unnest(labels) as label from row)
        select count(*) filter (list_has_any(labels, {total_marks})) as totals,
               (select min(label) from label where list_contains({likely_marks}, lower(label))) as likely,
               count(*) = count(distinct labels) as are_distinct
        from row
    $$, map {
        'relation': sqlanon._relation(tbl), 'total_marks': sqlanon._names_of(total_marks),
        'likely_marks': sqlanon._names_of(likely_marks)}));

-- What a user has to say of published values, or to know of them: dashes (values that may be nil or hidden,
-- and are not among said), dash (one of them), bracketed (numbers with something in brackets behind them).
create or replace macro sqlanon._values_in_question(tbl, value_column, said) as table
    from query(sqlanon._fill($$
        select count(*) filter (is_open) as dashes, min(shown) filter (is_open) as dash,
               count(*) filter (sqlanon._has_brackets(shown)) as bracketed
        from (
            select shown, sqlanon._is_dash(shown) and not list_contains({said}, shown) as is_open
            from (select trim({"value_column"}::varchar) as shown from {relation})
        )
    $$, map {'relation': sqlanon._relation(tbl), 'said': sqlanon._names_of(said)}));

-- A table with 0 for the texts that mean nil, and one mark for all that mark totals. total_marks: these; an
-- empty one is that of an empty label. NULL: totals stay as they are.
create or replace macro sqlanon._with_nil_and_totals(
    tbl, dimensions, value_column, nil, total_marks, total_mark) as table
    from query(sqlanon._fill('select src.* replace ({value}{labels}) from {relation} as src', map {
        'value': sqlanon._fill(
            $$if(list_contains({nil}, trim(src.{"value_column"}::varchar)), '0',
                 src.{"value_column"}::varchar) as {"value_column"}$$, map {'nil': sqlanon._names_of(nil)}),
        'labels': if(total_marks is null, '', sqlanon._each_filled(dimensions, $$,
            if(list_contains({total_marks}, trim(coalesce(src.{c}::varchar, ''))), {=total_mark},
               src.{c}::varchar) as {c}$$, map {'total_marks': sqlanon._names_of(total_marks)}, '')),
        'relation': sqlanon._relation(tbl)}));

-- The cells of a table of counts of one's own, as in table_cells. Errors: counts that are no whole numbers.
create or replace macro sqlanon._cells_of_counts(tbl, dimensions, value_column) as table
    from query(sqlanon._fill($$
        with own as (
            select {each dimensions: src.{c}}, src.{"value_column"}::varchar as printed,
                   sqlanon._published_number(
                       sqlanon._shown_text(src.{"value_column"}::varchar), true)::bigint as n
            from {relation} as src
        )
        select {each dimensions: {c}}, n as contributors, n as value, null::double as largest,
               null::double as second, false as is_empty
        from own
        union all by name
        select error('column ' || {=value_column} || ' has ' || count(*) || ' values that are no whole '
                     || 'number of at least 0, such as ' || coalesce(min(printed), 'NULL') || ': the rules '
                     || 'are about the counts of all cells')::bigint as contributors
        from own where n is null having count(*) > 0
    $$, map {'relation': sqlanon._relation(tbl)}));
