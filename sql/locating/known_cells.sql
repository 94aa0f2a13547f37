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
    error('column ' || attribute || ' of the targets has the value ' || string
          || ', which does not fit its format ' || format);

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

-- How unknown cells are written, as the text of a list, or of NULL.
create or replace macro sqlanon._unknown_text(unknown) as
    case when unknown is null then 'null' else sqlanon._names(unknown) end;

-- Combinations of quasi-identifiers, as of _target_combinations, and what is known of each: b1, b2, ... (a
-- label, or NULL where v1, v2, ... is the value), is_box.
create or replace macro sqlanon._known_combinations(target_combinations, formats, unknown, qi) as table
    from query(sqlanon._let(sqlanon._formats_of_targets(formats, qi), lambda target_formats: sqlanon._fill($$
        select *, {is_box} as is_box from (select *, {labels} from {combinations})
    $$, map {
        'is_box': sqlanon._each(qi, 'b{i} is not null', ' or '),
        'labels': list_aggregate(
            list_transform(sqlanon._list(qi), lambda name, i: sqlanon._fill(
                'sqlanon._known_label(v{i}, {format}, {unknown}, {name}) as b{i}', map {
                    'i': i::varchar,
                    'format': sqlanon._optional(target_formats[i]),
                    'unknown': sqlanon._unknown_text(unknown) || '::varchar[]',
                    'name': sqlanon._literal(name)})),
            'string_agg', ', '),
        'combinations': target_combinations})));

-- The same as points, of a box one that is in it, as of _target_combinations.
create or replace macro sqlanon._target_points(known_combinations, qi) as table
    from query(sqlanon._fill($$
        select * replace ({values}) from {combinations}
    $$, map {
        'values': sqlanon._each(
            qi, 'case when b{i} is null then v{i} else sqlanon._value_under(b{i}) end as v{i}', ', '),
        'combinations': known_combinations}));

-- The same of all targets, who are points if the call says nothing else.
create or replace macro sqlanon._points_of_targets(target_combinations, formats, unknown, qi) as table
    from query(
        if(formats is null and unknown is null, 'from ' || target_combinations,
           sqlanon._call('_points_of_boxes', [
               sqlanon._literal(target_combinations), sqlanon._given_formats_text(formats),
               sqlanon._unknown_text(unknown), sqlanon._names(qi)])));
create or replace macro sqlanon._points_of_boxes(target_combinations, formats, unknown, qi) as table
    with known as materialized (
        from sqlanon._known_combinations(target_combinations, formats, unknown, qi)
    )
    from sqlanon._target_points('known', qi);
