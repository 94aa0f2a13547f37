-- The cuts behind a release of classes (LeFevre, DeWitt and Ramakrishnan 2006: multidimensional recoding). A
-- class says only what its own rows had. What lies between classes belongs to one of them, too, if the table
-- is cut again and again in two by one column, as Mondrian does. So cuts are looked for that divide the
-- classes until each is alone: wherever some classes can be divided by any cuts, every cut that divides them
-- can be the first. Of several it is the one that divides them most evenly.
--
-- The place of a class is what lies between its cuts. The places of all classes are everything there is, and
-- no two of them overlap. A class keeps its label of the release as long as the label is true of all its
-- rows. Otherwise its place becomes the label.

-- What labels say in codes, without a hierarchy: d, label, lo, hi, upper (the highest value, as text).
create or replace macro sqlanon._extents_of_labels(labels, column_kinds, hierarchy, names) as table
    with reading as materialized (from sqlanon._readings(labels)),
    covered as materialized (from sqlanon._covered_points(labels, column_kinds, hierarchy, names))
    select covered.d, covered.label, covered.lo, covered.hi,
           case reading.form when 'interval' then reading.hi when 'set' then list_max(elements)
                             when 'value' then covered.label end as upper
    from covered join reading on reading.d = covered.d and reading.label is not distinct from covered.label;

-- What labels say of columns with a hierarchy, in codes of its leaves. labels: d, attribute, label.
create or replace macro sqlanon._extents_in_hierarchy(labels, hierarchies) as table
    with leaf as (from sqlanon._leaves(hierarchies)),
    released as (from sqlanon._released_levels(hierarchies))
    select d, asked.label, min(code) as lo, max(code) as hi, null::varchar as upper
    from query_table(labels) as asked
    join leaf on leaf.attribute = asked.attribute
    join released on released.attribute = asked.attribute and released.value is not distinct from leaf.value
    where asked.label = '*' or released.label is not distinct from asked.label
    group by d, asked.label;

-- What each class says in each column: class_id, d, label.
create or replace macro sqlanon._class_texts(release_classes, qi) as table
    from query(sqlanon._fill($$
        select class_id, unnest(range(1, {end}))::integer as d, unnest([{each qi: l{i}}]::varchar[]) as label
        from {classes}
    $$, map {'end': (len(sqlanon._list(qi)) + 1)::varchar, 'classes': release_classes}));

-- The classes before any cut: node, class_id, is_alone, los, his and uppers (lists), cut_codes and cut_texts
-- (lists of the cut below and the one above in each column, NULL: there is none). class_labels: as in
-- _class_texts. extents: of both kinds.
create or replace macro sqlanon._uncut_classes(class_labels, extents, release, qi) as table
    with placed as (
        select class_id, cell.d, upper, hi,
               coalesce(lo, error('column ' || sqlanon._list(qi)[cell.d] || ' of ' || release
                                  || ' has the value ' || coalesce(cell.label, 'NULL')
                                  || ', which could not be read')) as lo
        from query_table(class_labels) as cell
        left join query_table(extents) as extent
          on extent.d = cell.d and extent.label is not distinct from cell.label
    )
    select '' as node, class_id, false as is_alone, list(lo order by d) as los, list(hi order by d) as his,
           list(upper order by d) as uppers,
           list([null, null]::integer[] order by d) as cut_codes,
           list([null, null]::varchar[] order by d) as cut_texts
    from placed group by class_id;

-- Where each node is cut: node, d, cut (a code: what is above it is above), text (the same as a value).
create or replace macro sqlanon._dividing_cuts(cut_classes) as table
    with side as (
        select node, unnest(range(1, len(los) + 1))::integer as d, unnest(los) as lo, unnest(his) as hi,
               unnest(uppers) as upper
        from query_table(cut_classes) where not is_alone
    ),
    ordered as (
        select node, d, lo,
               max(hi) over (partition by node, d order by lo, hi rows between unbounded preceding
                             and 1 preceding) as before,
               row_number() over (partition by node, d order by lo, hi) - 1 as below,
               count(*) over (partition by node, d) as classes
        from side
    ),
    chosen as (
        select node, arg_min({'d': d, 'cut': before}, {'uneven': abs(2 * below - classes), 'd': d}) as chosen
        from ordered where before < lo group by node
    )
    select chosen.node, chosen.chosen.d as d, chosen.chosen.cut as cut, arg_max(side.upper, side.hi) as text
    from chosen join side on side.node = chosen.node and side.d = chosen.chosen.d
    where side.hi <= chosen.chosen.cut
    group by all;

-- A list of pairs (the cut below, the cut above) with a cut in the place of one of them.
create or replace macro sqlanon._with_cut(pairs, d, is_below, cut) as
    list_transform(pairs, lambda pair, i:
        case when i <> d then pair when is_below then [pair[1], cut] else [cut, pair[2]] end);

-- One step: every node is cut, until its class is alone.
create or replace macro sqlanon._cut_once(cut_classes, release) as table
    with size as (
        select node, count(*) as classes from query_table(cut_classes) where not is_alone group by node
    ),
    chosen as materialized (from sqlanon._dividing_cuts(cut_classes))
    select if(classes = 1, cut_class.node, cut_class.node || if(his[chosen.d] <= cut, '0', '1')) as node,
           class_id,
           case when classes > 1 and cut is null
                then error('the classes of ' || release || ' cannot be told apart by cuts: they overlap')
                else classes = 1 end as is_alone,
           los, his, uppers,
           if(classes = 1, cut_codes, sqlanon._with_cut(cut_codes, chosen.d, his[chosen.d] <= cut, cut)),
           if(classes = 1, cut_texts, sqlanon._with_cut(cut_texts, chosen.d, his[chosen.d] <= cut, text))
    from query_table(cut_classes) as cut_class join size using (node) left join chosen using (node)
    where not is_alone;

-- What lies between two cuts, as a label. is_null_there: is NULL below the lowest cut?
create or replace macro sqlanon._between_cuts(below, above, is_null_there) as
    case when below is null and above is null then '*'
         when contains(coalesce(below, '') || coalesce(above, ''), ',')
         then error('a cut is at ' || coalesce(below, above)
                    || ', and no interval can be written with a comma')
         when below is not null and above is not null then ']' || below || ', ' || above || ']'
         when below is null and is_null_there then '[NULL, ' || above || ']'
         when below is null then if(sqlanon._kind(above) = 3, ']NULL, ' || above || ']', '<=' || above)
         else if(sqlanon._kind(below) = 3, ']' || below || ', NULL]', '>' || below)
    end;

-- Some values, such as leaves of a hierarchy, as a set, also where it is only one.
create or replace macro sqlanon._leaves_text(leaves) as
    '{' || array_to_string(list_transform(leaves, lambda leaf: sqlanon._element_text(leaf)), ', ') || '}';

-- The labels of places of columns without a hierarchy, a row per class and column: class_id, d, covers.
create or replace macro sqlanon._places_between_cuts(cut_classes, extents, qi) as table
    with side as (
        select class_id, unnest(range(1, len(cut_codes) + 1))::integer as d, unnest(cut_codes) as codes,
               unnest(cut_texts) as texts
        from query_table(cut_classes) where is_alone
    ),
    with_null as (select d, bool_or(lo = 0) as is_null_there from query_table(extents) group by d)
    select class_id, d,
           case when codes[1] > 0 and texts[1] is null or codes[2] > 0 and texts[2] is null
                then error('column ' || sqlanon._list(qi)[d] || ': a label does not say where it ends. Give '
                           || 'the hierarchies of the release')
                -- NULL, which is the first of the codes, is in classes of its own, and those of others begin
                -- above it
                when codes[2] = 0 and texts[2] is null then sqlanon._leaves_text([null])
                when codes[1] = 0 and texts[1] is null and codes[2] is null then ']NULL, NULL]'
                else sqlanon._between_cuts(texts[1], texts[2], is_null_there and codes[1] is null)
                end as covers
    from side join with_null using (d);

-- What labels cover, as covers reads it: d, label, within. plain_labels: of columns without a hierarchy.
-- extents: of the others.
create or replace macro sqlanon._values_of_labels(plain_labels, extents, hierarchies, qi) as table
    select d, label, coalesce(label, sqlanon._leaves_text([null])) as within from query_table(plain_labels)
    union all
    select d, label, sqlanon._leaves_text(list(value order by code))
    from query_table(extents) as extent
    join sqlanon._leaves(hierarchies) as leaf
      on leaf.attribute = lower(sqlanon._list(qi)[d]) and code between extent.lo and extent.hi
    group by d, label;

-- The labels of places of columns with a hierarchy: class_id, d, covers (a set of leaves), beyond (the lowest
-- label above all of them).
create or replace macro sqlanon._places_in_hierarchy(cut_classes, hierarchies, qi) as table
    with side as (
        select class_id, unnest(range(1, len(cut_codes) + 1))::integer as d, unnest(cut_codes) as codes
        from query_table(cut_classes) where is_alone
    ),
    place as materialized (
        select class_id, d, list(value order by code) as leaves, min(code) as lo, max(code) as hi,
               leaf.attribute
        from side join sqlanon._leaves(hierarchies) as leaf
          on leaf.attribute = lower(sqlanon._list(qi)[d])
         and leaf.code > coalesce(codes[1], -1) and leaf.code <= coalesce(codes[2], leaf.code)
        group by class_id, d, leaf.attribute
    ),
    node as (
        select distinct attribute, level, lo, hi, label, max(hi) over (partition by attribute) as last
        from sqlanon._nodes(hierarchies)
    )
    select class_id, d, sqlanon._leaves_text(leaves) as covers,
           arg_min(case when node.lo = 0 and node.hi = node.last then '*'
                        when node.level = 0 then sqlanon._value_text(node.label) else node.label end,
                   node.level) as beyond
    from place join node
      on node.attribute = place.attribute and node.lo <= place.lo and node.hi >= place.hi
    group by class_id, d, leaves;

create or replace macro sqlanon._scheme_of_cuts(release, qi, hierarchies) as table
    with recursive
    _sqlanon_given as materialized (from sqlanon._hierarchies(hierarchies)),
    _sqlanon_none as materialized (from sqlanon._hierarchies(null)),
    _sqlanon_class as materialized (from sqlanon._release_classes(release, qi)),
    _sqlanon_label as materialized (from sqlanon._labels_of_release(release, qi)),
    _sqlanon_known as materialized (
        select distinct d from _sqlanon_label
        where attribute in (select attribute from sqlanon._hierarchy('_sqlanon_given'))
    ),
    _sqlanon_plain_label as materialized (
        select d, label from _sqlanon_label anti join _sqlanon_known using (d)
    ),
    _sqlanon_known_label as materialized (from _sqlanon_label semi join _sqlanon_known using (d)),
    _sqlanon_name as (select distinct d, attribute as name from _sqlanon_label),
    _sqlanon_kind as materialized (
        select d, sqlanon._kind_of_released(string) as kind from sqlanon._long('_sqlanon_class', qi, 't{i}')
    ),
    _sqlanon_plain_extent as materialized (
        from sqlanon._extents_of_labels(
            '_sqlanon_plain_label', '_sqlanon_kind', '_sqlanon_none', '_sqlanon_name')
    ),
    _sqlanon_known_extent as materialized (
        from sqlanon._extents_in_hierarchy('_sqlanon_known_label', '_sqlanon_given')
    ),
    _sqlanon_extent as materialized (from _sqlanon_plain_extent union all from _sqlanon_known_extent),
    _sqlanon_class_label as materialized (from sqlanon._class_texts('_sqlanon_class', qi)),
    _sqlanon_cut_class as (
        from sqlanon._uncut_classes('_sqlanon_class_label', '_sqlanon_extent', release, qi)
        union all
        from sqlanon._cut_once('_sqlanon_cut_class', release)
    ),
    _sqlanon_place as materialized (
        select class_id, d, covers, covers as beyond
        from sqlanon._places_between_cuts('_sqlanon_cut_class', '_sqlanon_plain_extent', qi)
        union all
        from sqlanon._places_in_hierarchy('_sqlanon_cut_class', '_sqlanon_given', qi)
    ),
    _sqlanon_within as materialized (
        from sqlanon._values_of_labels(
            '_sqlanon_plain_label', '_sqlanon_known_extent', '_sqlanon_given', qi)
    ),
    _sqlanon_labelled as materialized (
        select place.*, said.label
        from _sqlanon_place as place
        join _sqlanon_class_label as said on said.class_id = place.class_id and said.d = place.d
    )
    select place.class_id, sqlanon._list(qi)[place.d] as attribute, covers, place.label, within, beyond
    from _sqlanon_labelled as place
    join _sqlanon_within as extent on extent.d = place.d and extent.label is not distinct from place.label
    order by place.class_id, place.d;

create or replace macro sqlanon.scheme_of_cuts(release, qi, hierarchies := null) as table
    from query(sqlanon._checked(qi, null, null) || {call _scheme_of_cuts});

comment on macro table sqlanon.scheme_of_cuts is $$
Reads from a release the cuts that separate its classes, as a scheme to recode another table in the same way
with recode: one row per class and column. Every value belongs to a class, also a value between two classes;
in a column with a hierarchy, every value of the hierarchy.

Parameters:
- release (table): a release by mondrian, not relaxed, or any other whose classes do not overlap.
- qi (columns): the quasi-identifiers.
- hierarchies (table; default null): rows of attribute, value, level and label: the hierarchies of the
  release. They may have new values.

Result:
- class_id (integer): the class.
- attribute (text): the column.
- covers (text): all values that belong to the class by its cuts, in the notation that covers reads.
- label (text): the label of the class in the release.
- within (text): the values that label contains, in the notation that covers reads.
- beyond (text): the label to use if a row of the class has a value that is not in within: covers, or with a
  hierarchy the lowest label above all values of the class.

Errors: unknown column, classes that overlap, a label that cannot be read.

Notes: the cuts around a class may allow more values than its rows had in the release. A table with the same
values gets the same labels; new values make some labels wider.

Source: LeFevre, DeWitt and Ramakrishnan 2006, sec. 2 and 4; finding the cuts: own derivation.

Example:
with release as (from sqlanon.mondrian('people', qi := ['age', 'zip'], k := 3))
from sqlanon.scheme_of_cuts('release', qi := ['age', 'zip']);
$$;
