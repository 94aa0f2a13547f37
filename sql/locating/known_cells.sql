-- Known cells: what is known of the quasi-identifiers of a target. A cell may be unknown, a range, a set or a
-- mask, if the call says how that is written; nothing else is read as such. NULL is a value like others, if
-- the call does not say that it is unknown.

-- What is known of a cell that is not simply its value, as a label in this library's notation; NULL of a
-- value. unknown: how unknown cells are written (a list, or NULL). What fits no format is an error.
create or replace macro sqlanon._known_label(string, format, unknown, attribute) as
    case when coalesce(list_contains(unknown, coalesce(string, 'NULL')), false) then '*'
         when string is null or format is null then null
         else sqlanon._let(
             {'string': string, 'label': sqlanon._in_notation(string, format), 'format': format},
             lambda cell:
                 case when cell.format = 'range'
                      then case when sqlanon._form(cell.label) in ('interval', 'range', 'comparison', 'span')
                                then cell.label
                                when sqlanon._kind(cell.string) in (1, 2, 4) then null
                                else sqlanon._misfit(cell.string, cell.format, attribute) end
                      when cell.format = 'list'
                      then case when sqlanon._form(cell.label) in ('set', 'list') then cell.label
                                when regexp_matches(cell.string, '^\s*[\[({]')
                                then sqlanon._misfit(cell.string, cell.format, attribute) end
                      when cell.label <> cell.string or sqlanon._form(cell.label) = 'mask' then cell.label
                 end)
    end;
create or replace macro sqlanon._misfit(string, format, attribute) as
    error('column ' || attribute || ' of the targets has a value that does not fit its format ' || format
          || sqlanon._such_as(string));

-- One of the values that such a label stands for, or NULL.
create or replace macro sqlanon._value_under(label) as
    sqlanon._let(sqlanon._parsed(label), lambda said:
        coalesce(said.lo, said.hi, said.elements[1],
                 case when said.form = 'mask' then replace(label, '*', '0') end));

-- The formats of the targets' columns: a list with that of each column in qi, or NULL.
create or replace macro sqlanon._formats_of_targets(formats, qi) as
    list_transform(sqlanon._list(qi), lambda name:
        list_filter(sqlanon._given_formats(formats), lambda given:
            given['column'] = lower('targets.' || name))[1]['format']);

-- The distinct cells of targets: d, string, label (what is known of the cell, or the value itself, as a
-- label), point (one of the values that it stands for), is_exact.
create or replace macro sqlanon._known_cells(target_combinations, formats, unknown, qi) as table
    with cell as (
        select d, string, sqlanon._formats_of_targets(formats, qi)[d] as format, sqlanon._list(qi)[d] as name
        from sqlanon._long(target_combinations, qi, 'v{i}')
    ),
    labelled as (
        select d, string, sqlanon._known_label(string, format, unknown::varchar[], name) as label from cell
    )
    select d, string, coalesce(label, sqlanon._raw_text(string)) as label,
           if(label is null, string, sqlanon._value_under(label)) as point, label is null as is_exact
    from labelled;

-- Combinations of quasi-identifiers, as in _target_combinations, and what is known of each: labels and points
-- (lists, as in _known_cells), in_part (the positions of the cells that are not exact; NULL: all are).
create or replace macro sqlanon._known_combinations(target_combinations, formats, unknown, qi) as table
    with known as (from sqlanon._known_cells(target_combinations, formats, unknown, qi)),
    cell as (
        from query(sqlanon._fill($$
            select target, unnest(range(1, {end}))::integer as d, unnest([{each qi: v{i}}]) as string
            from {combinations}
        $$, map {'end': (len(sqlanon._list(qi)) + 1)::varchar, 'combinations': target_combinations}))
    ),
    listed as (
        select target, list(label order by cell.d) as labels, list(point order by cell.d) as points,
               list(cell.d order by cell.d) filter (not is_exact) as in_part
        from cell join known on known.d = cell.d and known.string is not distinct from cell.string
        group by target
    )
    from query_table(target_combinations) join listed using (target);

-- Combinations of known cells as points (as in _target_combinations): of a box one point that is in it.
create or replace macro sqlanon._target_points(known_combinations, qi) as table
    from query(sqlanon._fill($$
        select * exclude (labels, points, in_part) replace ({values}) from {combinations}
    $$, map {
        'values': sqlanon._each(qi, 'points[{i}] as v{i}', ', '), 'combinations': known_combinations}));

-- All targets as points, which they are unless formats or unknown values make boxes of them.
create or replace macro sqlanon._points_of_targets(target_combinations, formats, unknown, qi) as table
    from query(
        if(sqlanon._are_cells_partly_known(formats, unknown),
           {call _points_of_boxes},
           'from ' || target_combinations));
create or replace macro sqlanon._points_of_boxes(target_combinations, formats, unknown, qi) as table
    with known as materialized (
        from sqlanon._known_combinations(target_combinations, formats, unknown, qi)
    )
    from sqlanon._target_points('known', qi);
