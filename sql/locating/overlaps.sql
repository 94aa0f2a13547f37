-- Overlaps: which classes of two releases can hold the same people, and what both say of them together
-- (Sweeney 2002, sec. 4.2).
--
-- Two labels overlap where some value is covered by both. The raw values are not at hand, only labels; so
-- these are compared on points: the values that labels and hierarchies name, the bounds of intervals, and one
-- in every gap between bounds. No two labels overlap only elsewhere. covers (sql/locating/covers.sql) says
-- which points a label covers.
--
-- Every class is a box over the codes of these points. Two boxes are compared only where they share a cell of
-- a grid, which divides the attributes in which boxes are narrow.

-- POINTS

-- The labels of both: d, label.
create or replace macro sqlanon._labels_of_both(first_classes, second_classes, qi) as table
    select d, string as label from sqlanon._long_of_releases(first_classes, qi, 'l{i}')
    union
    select d, string from sqlanon._long_of_releases(second_classes, qi, 'l{i}');

-- As what the columns of two releases compare: d, kind (NULL: as text).
create or replace macro sqlanon._kinds_of_both(first_classes, second_classes, qi) as table
    select d, sqlanon._common_kind(one.string, other.string) as kind
    from sqlanon._long(first_classes, qi, 'sqlanon._kind_of_released(typeof(q{i}))') as one
    join sqlanon._long(second_classes, qi, 'sqlanon._kind_of_released(typeof(q{i}))') as other using (d);

-- Points between neighbouring bounds, below the lowest and above the highest, of numbers and points in time:
-- d, value. coded: bounds, as in _coded_domain.
create or replace macro sqlanon._gaps_of_numbers(coded) as table
    with placed as (
        select distinct d, kind, place, case when kind = 1 then 1 else 86400000000 end as step
        from query_table(coded) where abs(place) < 9.2e18
    ),
    gap as (
        select d, kind,
               unnest(list_filter(
                   [case when is_first then place - step end, coalesce((place + next) / 2, place + step)],
                   lambda point: point is not null)) as place
        from (select *, lead(place) over by_place as next, lag(place) over by_place is null as is_first
              from placed window by_place as (partition by d, kind order by place))
    )
    select d, case when kind = 1 then place::varchar else make_timestamp(place::bigint)::varchar end as value
    from gap;

-- The gaps between bounds of any kind: d, value. bounds: d, value. column_kinds: d, kind. In the gap above a
-- text is the next longer one, and below all is the empty one.
create or replace macro sqlanon._gaps(bounds, column_kinds) as table
    with coded as materialized (from sqlanon._coded_domain(bounds, column_kinds))
    from sqlanon._gaps_of_numbers('coded')
    union all
    select d, value || chr(1) from coded where kind = 3
    union all
    select distinct d, '' from coded where kind = 3;

-- The values that two masks of the same length share, if one of them hides a character before one that it
-- shows; of the others one is within the other: d, value.
create or replace macro sqlanon._values_of_two_masks(readings) as table
    with mask as (select d, label, length(label) as characters from query_table(readings) where form = 'mask')
    select one.d, list_aggregate(
               list_transform(range(1, one.characters + 1), lambda i:
                   case when one.label[i] = '*' then other.label[i] else one.label[i] end),
               'string_agg', '') as value
    from mask as one join mask as other using (d, characters)
    where regexp_matches(one.label, '\*[^*]');

-- All points: d, value. names: d, name. (Where a mask hides digits, it stands for numbers from 0s to 9s.)
create or replace macro sqlanon._label_points(readings, values_under, column_kinds, names) as table
    with bound as materialized (
        select distinct d, unnest(list_filter([lo, hi], lambda bound: bound is not null)) as value
        from query_table(readings) where form = 'interval'
    )
    select d, label as value from query_table(readings) where form in ('value', 'mask')
    union
    select d, unnest(elements) from query_table(readings) where form = 'set'
    union
    select d, value from query_table(values_under)
    union
    select d, null from query_table(names)
    union
    select d, value from bound
    union
    select d, value from sqlanon._gaps('bound', column_kinds)
    union
    select d, replace(label, '*', unnest(['0', '9'])) from query_table(readings) where form = 'mask'
    union
    select d, value from sqlanon._values_of_two_masks(readings);

-- The points that labels cover: d, label, lo, hi, members, as in _covered. labels: d, label; column_kinds: d,
-- kind; names: d, name.
create or replace macro sqlanon._covered_points(labels, column_kinds, hierarchy, names) as table
    with reading as materialized (from sqlanon._readings(labels)),
    under as (from sqlanon._values_under(hierarchy, names)),
    point as (from sqlanon._label_points('reading', 'under', column_kinds, names)),
    domain as materialized (from sqlanon._coded_domain('point', column_kinds))
    from sqlanon._covered(labels, 'domain', hierarchy, names);

-- The points that the labels of two releases cover.
create or replace macro sqlanon._covered_by_both(first_classes, second_classes, hierarchy, qi) as table
    with name as (
        select d, sqlanon._list(qi)[d] as name from range(1, len(sqlanon._list(qi)) + 1) as numbers(d)
    ),
    label as materialized (from sqlanon._labels_of_both(first_classes, second_classes, qi)),
    column_kind as materialized (from sqlanon._kinds_of_both(first_classes, second_classes, qi))
    from sqlanon._covered_points('label', 'column_kind', hierarchy, 'name');

-- No rows, or an error: a label that covers nothing, in a release of that name.
create or replace macro sqlanon._refuse_unreadable(release_classes, covered, release, qi) as table
    select error('column ' || sqlanon._list(qi)[d] || ' of ' || release || ' has the value ' || label
                 || ', which covers nothing') as refused
    from sqlanon._label_rows(release_classes, qi) anti join query_table(covered) using (d, label);

-- CLASSES
--
-- Boxes are compared with those of the same release alone: release is a number that says which pairs of
-- relations are looked at, if there are several.

-- The intervals of boxes: release, side (which relation), d, lo, hi, n (boxes that have it).
create or replace macro sqlanon._box_intervals(boxes, side, qi) as table
    from query(sqlanon._fill($$
        select release, {side} as side, d, lo, hi, count(*) as n
        from (
            select release, unnest(range(1, {end})) as d, unnest([{lows}]) as lo, unnest([{highs}]) as hi
            from {boxes}
        )
        group by all
    $$, map {
        'side': side::varchar, 'end': (len(sqlanon._list(qi)) + 1)::varchar,
        'lows': sqlanon._each(qi, 'lo{i}', ', '), 'highs': sqlanon._each(qi, 'hi{i}', ', ')}));

-- The attributes in the order in which they divide the grid, the first those that keep many boxes apart and
-- cut few: release, d, width (of a cell: that of a box on average), codes, place. meeting: the share of pairs
-- of boxes in one cell; touched: cells per box.
create or replace macro sqlanon._grid_order(box_intervals) as table
    with extent as (
        select release, d, max(hi) + 1 as codes, round(sum(n * (hi - lo + 1)) / sum(n))::bigint as width
        from query_table(box_intervals) group by release, d
    ),
    cell as (
        select release, d, cell, coalesce(sum(n) filter (side = 1), 0) as one,
               coalesce(sum(n) filter (side = 2), 0) as other
        from (select release, d, side, n, unnest(range(lo // width, hi // width + 1)) as cell
              from query_table(box_intervals) join extent using (release, d))
        group by release, d, cell
    ),
    total as (
        select release, d, sum(n) as boxes, sum(n) filter (side = 1) * sum(n) filter (side = 2) as pairs
        from query_table(box_intervals) group by release, d
    ),
    measured as (
        select release, d, sum(one::double * other) / any_value(pairs) as meeting,
               sum(one + other) / any_value(boxes) as touched
        from cell join total using (release, d) group by release, d
    )
    select release, d, width, codes,
           row_number() over (
               partition by release order by ln(greatest(meeting, 1e-9)) / ln(touched + 0.01), d) as place
    from extent join measured using (release, d);

-- How many cells boxes touch if the first so many attributes are divided: release, divided, touched, boxes.
create or replace macro sqlanon._cells_touched(boxes, extents, qi) as table
    with box as (
        from query(sqlanon._fill($$
            select release, places, [{each qi: hi{i} // widths[{i}] - lo{i} // widths[{i}] + 1}] as cells
            from {boxes}
            join (select release, list(width order by d) as widths, list(place order by d) as places
                  from {extents} group by release) using (release)
        $$))
    )
    select release, divided, count(*) as boxes,
           sum(list_product(list_transform(cells, lambda touched, i:
               case when places[i] <= divided then touched else 1 end))) as touched
    from box, (select unnest(range(len(sqlanon._list(qi)) + 1)) as divided) group by release, divided;

-- How wide the cells of the grid are, in codes: release, cells (a list); all codes of an attribute that is
-- not divided. As many are divided as leave 16 cells to a box, on average.
create or replace macro sqlanon._overlap_grid(first_boxes, second_boxes, qi) as table
    with interval as (
        from sqlanon._box_intervals(first_boxes, 1, qi) union all
        from sqlanon._box_intervals(second_boxes, 2, qi)
    ),
    extent as materialized (from sqlanon._grid_order('interval')),
    box as (from query_table(first_boxes) union all from query_table(second_boxes)),
    finest as (
        select release, max(divided) as finest
        from sqlanon._cells_touched('box', 'extent', qi) where touched <= 16 * boxes group by release
    )
    select release, list(case when place <= finest then width else codes end order by d) as cells
    from extent join finest using (release) group by release;

-- Boxes once in every cell that they touch: those of the boxes, and key1, key2, ...
create or replace macro sqlanon._boxes_in_cells(boxes, grid, qi) as table
    from query(
        'from ' || list_reduce(
            list_transform(range(1, len(sqlanon._list(qi)) + 1), lambda i: i::varchar),
            lambda relation, i:
                replace(replace($$(
                    select *, unnest(range(lo{i} // cells[{i}], hi{i} // cells[{i}] + 1)) as key{i}
                    from {relation}
                )$$, '{i}', i), '{relation}', relation),
            '(select * from ' || boxes || ' join ' || grid || ' using (release))'));

-- The codes that two boxes share in an attribute, one by one; NULL if these are all between the bounds.
create or replace macro sqlanon._shared_codes(one_members, other_members, lo, hi) as
    case when one_members is not null and other_members is not null
         then list_filter(one_members, lambda code: list_contains(other_members, code))
         when one_members is not null or other_members is not null
         then list_filter(coalesce(one_members, other_members), lambda code: code between lo and hi)
    end;

-- Classes that overlap: release, one and other (their numbers), common (a number of what both say together:
-- that of other pairs if it is the same). boxes: release, class_id, lo1, hi1, members1, ... A pair that
-- shares several cells is kept in the first of them.
create or replace macro sqlanon._overlapping_classes(first_boxes, second_boxes, qi) as table
    with grid as materialized (from sqlanon._overlap_grid(first_boxes, second_boxes, qi)),
    one_cell as materialized (from sqlanon._boxes_in_cells(first_boxes, 'grid', qi)),
    other_cell as materialized (from sqlanon._boxes_in_cells(second_boxes, 'grid', qi)),
    pair as (
        from query(sqlanon._fill($$
            select one.release, one.class_id as one, other.class_id as other, {each qi: 
                greatest(one.lo{i}, other.lo{i}) as lo{i}, least(one.hi{i}, other.hi{i}) as hi{i},
                sqlanon._shared_codes(
                    one.members{i}, other.members{i}, greatest(one.lo{i}, other.lo{i}),
                    least(one.hi{i}, other.hi{i})) as shared{i}}
            from one_cell as one
            join other_cell as other on one.release = other.release {same_cell}
                {each qi: and one.lo{i} <= other.hi{i} and other.lo{i} <= one.hi{i}}
        $$, map {
            'same_cell': sqlanon._each(qi, '
                and one.key{i} = other.key{i}
                and one.key{i} = greatest(one.lo{i}, other.lo{i}) // one.cells[{i}]', '')}))
    )
    from query(sqlanon._fill($$
        select release, one, other, hash({each qi: 
            case when shared{i} is null then [lo{i}, hi{i}]
                 when len(shared{i}) = shared{i}[-1] - shared{i}[1] + 1 then [shared{i}[1], shared{i}[-1]]
                 else shared{i} || [-1] end}) as common from pair where {none_is_empty}
    $$, map {'none_is_empty': sqlanon._each(qi, 'coalesce(len(shared{i}) > 0, true)', ' and ')}));

-- Which classes overlap, from the classes themselves and what their labels cover.
create or replace macro sqlanon._overlaps_of_classes(first_classes, second_classes, covered, qi) as table
    with first_box as materialized (from sqlanon._boxes(first_classes, covered, qi)),
    second_box as materialized (from sqlanon._boxes(second_classes, covered, qi))
    from sqlanon._overlapping_classes('first_box', 'second_box', qi);

-- THE FINER LABELS

-- What two labels say together: the one whose points the other has, too; of two intervals or sets otherwise
-- what they share; else the one that has fewer points. one, other: label, lo, hi, members, said (as in
-- _readings) and points (how many).
create or replace macro sqlanon._is_within_label(inner_label, outer_label) as
    inner_label.lo >= outer_label.lo and inner_label.hi <= outer_label.hi
    and (outer_label.members is null
         or list_has_all(
             outer_label.members,
             coalesce(inner_label.members, range(inner_label.lo, inner_label.hi + 1)::integer[])));
create or replace macro sqlanon._finer_label(one, other) as
    case when one.label is not distinct from other.label or sqlanon._is_within_label(one, other)
         then one.label
         when sqlanon._is_within_label(other, one) then other.label
         when one.form = 'interval' and other.form = 'interval'
         then case when one.lo > other.lo then sqlanon._lower_end(one) else sqlanon._lower_end(other) end
              || ', '
              || case when one.hi < other.hi then sqlanon._upper_end(one) else sqlanon._upper_end(other) end
         when one.form = 'set' and other.form = 'set'
         then sqlanon._set_text(list_filter(one.elements, lambda element:
                  len(list_filter(other.elements, lambda rival: rival is not distinct from element)) > 0))
         when other.points < one.points then other.label
         else one.label
    end;
create or replace macro sqlanon._lower_end(interval_label) as
    case when interval_label.lo_open then ']' else '[' end || interval_label.lower;
create or replace macro sqlanon._upper_end(interval_label) as
    interval_label.upper || case when interval_label.hi_open then '[' else ']' end;

-- Every label with what _finer_label takes: d, label, measured.
create or replace macro sqlanon._measured_labels(covered) as table
    select covered.d, covered.label, struct_pack(
               label := covered.label, lo := covered.lo, hi := covered.hi, members := members,
               points := coalesce(len(members), covered.hi - covered.lo + 1), form := form,
               lower := reading.lo, upper := reading.hi, lo_open := lo_open, hi_open := hi_open,
               elements := elements) as measured
    from query_table(covered) as covered
    join sqlanon._readings(covered) as reading
      on reading.d = covered.d and reading.label is not distinct from covered.label;

-- What pairs of classes say together: one, other, finer (a list of labels), is_finer (than those of one).
-- pairs: one, other.
create or replace macro sqlanon._finer_classes(pairs, first_classes, second_classes, covered, qi) as table
    with pair_label as (
        from query(sqlanon._fill($$
            select pair.one, pair.other, unnest(range(1, {end}))::integer as d,
                   unnest([{each qi: first_class.l{i}}]::varchar[]) as one_label,
                   unnest([{each qi: second_class.l{i}}]::varchar[]) as other_label
            from {pairs} as pair
            join {first} as first_class on first_class.class_id = pair.one
            join {second} as second_class on second_class.class_id = pair.other
        $$, map {
            'end': (len(sqlanon._list(qi)) + 1)::varchar, 'first': first_classes, 'second': second_classes}))
    ),
    measured as materialized (from sqlanon._measured_labels(covered)),
    finer_label as (
        select pair.d, one_label, other_label, sqlanon._finer_label(one.measured, other.measured) as finer
        from (select distinct d, one_label, other_label from pair_label) as pair
        join measured as one on row(one.d, one.label) is not distinct from row(pair.d, one_label)
        join measured as other on row(other.d, other.label) is not distinct from row(pair.d, other_label)
    )
    select pair.one, pair.other, list(finer order by pair.d) as finer,
           bool_or(finer is distinct from pair.one_label) as is_finer
    from pair_label as pair
    join finer_label as told
      on told.d = pair.d and told.one_label is not distinct from pair.one_label
     and told.other_label is not distinct from pair.other_label
    group by pair.one, pair.other;

-- The labels of a class as one text.
create or replace macro sqlanon._shown_labels(labels) as
    '[' || array_to_string(list_transform(labels, lambda label: coalesce(label, 'NULL')), ', ') || ']';
