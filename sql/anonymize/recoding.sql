-- Recoding: what a class releases in place of the quasi-identifiers of its rows.
--
-- A value alone stays itself. Otherwise an ordered type (numbers, dates, times) releases the interval [lo,
-- hi] of the class's values, an attribute with a hierarchy the label of the lowest node above them, any
-- other type the set {a, b}. A text that could be misread as one of these is released as a set of one:
-- {"*"}, {"1-9"}. NULL sorts below every value: [NULL, 29].

-- The form of released values: text or range.
create or replace macro sqlanon._recoding(recoding) as
    case when coalesce(recoding::varchar in ('text', 'range'), false) then recoding::varchar
         else error('recoding must be text or range, not ' || coalesce(recoding::varchar, 'NULL'))
    end;

-- The tuples of classes: class_id, q1, q2, ... (codes).
create or replace macro sqlanon._class_members(tuples, assignment) as table
    select class_id, columns('^q\d+$')
    from query_table(tuples) join query_table(assignment) using (tuple_id);

-- What classes span: class_id, and of each attribute the lowest and the highest code: lo_q1, hi_q1, ...
create or replace macro sqlanon._class_extents(members) as table
    select class_id, min(columns('^q\d+$')) as 'lo_\0', max(columns('^q\d+$')) as 'hi_\0'
    from query_table(members) group by class_id;

-- The labels of classes on attributes with a hierarchy: class_id, d, label; '*' for the root.
create or replace macro sqlanon._node_labels(extents, attributes, tree) as table
    with side as (
        select class_id, unnest(range(1, len(los) + 1)) as d, unnest(los) as lo, unnest(his) as hi
        from (
            select class_id, list_value(*columns('^lo_')) as los, list_value(*columns('^hi_')) as his
            from query_table(extents)
        )
    )
    select class_id, d,
           arg_min_null(
               case when tree.hi - tree.lo = span then '*'
                    when level = 0 then sqlanon._value_text(label)
                    else label end, level) as label
    from side
    join query_table(tree) as tree using (d)
    join query_table(attributes) using (d)
    where tree.code = side.lo and side.hi <= tree.hi
    group by class_id, d;

-- Labels of nodes, a column per attribute, as releases take them: class_id, v1, v2, ..., and is_node1, ...:
-- does the class have a label there? (It can be NULL.)
create or replace macro sqlanon._labels_of_nodes(node_labels, qi) as table
    from query(sqlanon._fill($$ select class_id, {labels} from {node_labels} group by class_id $$, map {
        'labels': sqlanon._each_of(
            qi, 'max(label) filter (where d = {i}) as v{i}, bool_or(d = {i}) as is_node{i}', ', ')}));

-- What the values of attributes that are coded by rank are released as, one row: texts1, a struct of texts in
-- the order of codes, of values that are alone and of elements of sets, and example1, a value, which tells
-- the type; texts2, ... domain: a template of _each_filled, of a relation of value and code; examples: the
-- text of a query of example1, example2, ..., one row. (One expression makes the texts of all attributes: it
-- takes long to bind. Aggregates put them in columns: of a subquery DuckDB checks that it has one row.)
create or replace macro sqlanon._domain_texts(qi, domain, examples, holes) as table
    from query(sqlanon._fill($$
        with value as ({values}),
        attribute as (
            select d, struct_pack(
                       alone := list(if(is_ordered, string, sqlanon._value_text(string)) order by code),
                       elements := list(sqlanon._element_text(string) order by code)) as texts
            from value group by d
        )
        from (select {each_of qi: any_value(texts) filter (d = {i}) as texts{i}} from attribute)
        left join ({examples}) on true
    $$, map {
        'values': sqlanon._each_filled(
            qi, 'select {i} as d, code, value::varchar as string, '
                || 'sqlanon._is_ordered(typeof(value)) as is_ordered from ' || domain,
            holes, ' union all ')}));

-- The texts of the values of combinations.
create or replace macro sqlanon._ranked_texts(combinations, qi) as table
    from sqlanon._domain_texts(
        qi, '(' || sqlanon._ranked_domain() || ')',
        'select ' || sqlanon._each_of(qi, 'q{i} as example{i}', ', ')
            || ' from ' || combinations || ' limit 1',
        map {'combinations': combinations});

-- The texts of values that are listed with their codes (_listed_domains).
create or replace macro sqlanon._listed_texts(domains, qi) as table
    from sqlanon._domain_texts(
        qi, sqlanon._listed_domain(),
        'select ' || sqlanon._each_of(qi, 'domain{i}[1].value as example{i}', ', ') || ' from ' || domains,
        map {'domains': domains});

-- The texts of values that are listed with their codes (by_code), or of the values of combinations: texts1,
-- example1, texts2, ...
create or replace macro sqlanon._texts_of_values(by_code, domains, combinations, qi) as table
    from query(if(by_code, {call _listed_texts}, {call _ranked_texts}));

-- Does a class release the set of its values? (Whether values are ordered is known from their type when the
-- query is bound.)
create or replace macro sqlanon._has_set(lo, hi, example) as
    lo < hi and not sqlanon._is_ordered(typeof(example));

-- The codes of the classes that have some set to release, attribute by attribute: class_id, set1, set2, ...
create or replace macro sqlanon._class_sets(members, extents, domains, qi) as table
    from query(sqlanon._fill($$
        select class_id, {sets}
        from {members} join {extents} using (class_id) cross join (select {examples} from {domains})
        where {any} group by class_id
    $$, map {
        'examples': sqlanon._each_of(qi, 'example{i}', ', '),
        'sets': sqlanon._each_of(
            qi, 'list(distinct q{i}) filter (sqlanon._has_set(lo_q{i}, hi_q{i}, example{i})) as set{i}',
            ', '),
        'any': sqlanon._each_of(qi, 'sqlanon._has_set(lo_q{i}, hi_q{i}, example{i})', ' or ')}));

-- What a class releases of an attribute that is coded by rank; codes: its set, where it has one. (NULL has
-- the lowest code.)
create or replace macro sqlanon._rank_label(lo, hi, codes, texts, example) as
    case when lo = hi then texts.alone[lo + 1]
         when sqlanon._is_ordered(typeof(example))
         then '[' || coalesce(texts.alone[lo + 1], 'NULL') || ', ' || texts.alone[hi + 1] || ']'
         else '{' || array_to_string(list_select(
             texts.elements, list_transform(list_sort(codes), lambda code: code + 1)), ', ') || '}'
    end;

-- What classes release as text: class_id, v1, v2, ... class_sets: NULL where no class has one; node_labels:
-- of the attributes that have a hierarchy, or NULL; domains: of the others.
create or replace macro sqlanon._text_labels(extents, class_sets, domains, node_labels, qi) as table
    from query(sqlanon._fill($$
        -- Joined first, because DuckDB may copy the texts of all values to every class otherwise.
        with _sqlanon_spanned as materialized (from {extents} {sets} {nodes})
        select class_id, {labels} from _sqlanon_spanned cross join {domains}
    $$, map {
        'sets': coalesce('left join ' || class_sets || ' using (class_id)', ''),
        'nodes': coalesce(
            'left join (from sqlanon._labels_of_nodes(' || sqlanon._literal(node_labels) || ', '
                || sqlanon._names_of(qi) || ')) using (class_id)', ''),
        'labels': sqlanon._each_of(
            qi, if(node_labels is null, '', 'if(is_node{i}, v{i}, ')
                || 'sqlanon._rank_label(lo_q{i}, hi_q{i}, '
                || if(class_sets is null, 'null::integer[]', 'set{i}') || ', texts{i}, example{i})'
                || if(node_labels is null, '', ')') || ' as v{i}', ', ')}));

-- What classes release as ranges and lists of raw values (aggregates, whose form is known from the column's
-- type when the query is bound).
create or replace macro sqlanon._range_recoding(x) as
    struct_extract(
        {'ordered': {'lo': case when count(*) = count(x) then min(x) end, 'hi': max(x)},
         'other': list_sort(list(distinct x), 'ASC', 'NULLS FIRST')},
        if(sqlanon._is_ordered(typeof(min(x))), 'ordered', 'other'));
create or replace macro sqlanon._range_labels(combinations, assignment, qi) as table
    from query(sqlanon._fill($$
        select class_id, {labels} from {combinations} join {assignment} using (tuple_id) group by class_id
    $$, map {'labels': sqlanon._each_of(qi, 'sqlanon._range_recoding(q{i}) as v{i}', ', ')}));

-- One or the other. combinations: everybody whom classes cover, with raw values.
create or replace macro sqlanon._labels(
    recoding, extents, class_sets, domains, node_labels, combinations, assignment, qi) as table
    from query(if(recoding = 'range', {call _range_labels}, {call _text_labels}));

-- The labels of classes, from who is in them: class_id, v1, v2, ... It is a chain, and a step of others.
-- texts: of the values of attributes; tree: NULL where no attribute has a hierarchy; combinations: as in
-- _labels.
create or replace macro sqlanon._recoded_labels(
    recoding, tuples, assignment, attributes, tree, texts, combinations, qi) as table
    with _sqlanon_class_member as materialized (from sqlanon._class_members(tuples, assignment)),
    _sqlanon_extent as materialized (from sqlanon._class_extents('_sqlanon_class_member')),
    _sqlanon_node_label as materialized (
        from query(if(tree is null, 'select null::bigint as class_id, 0 as d, null::varchar as label',
                      {call _node_labels: extents := '_sqlanon_extent'}))
    ),
    _sqlanon_class_set as materialized (
        from sqlanon._class_sets('_sqlanon_class_member', '_sqlanon_extent', texts, qi)
    )
    from sqlanon._labels(
        recoding, '_sqlanon_extent', '_sqlanon_class_set', texts,
        sqlanon._if_any(tree, '_sqlanon_node_label'), combinations, assignment, qi);

-- Columns of src under positional names: q1, q2, ...; s1, s2, ... of those that are counted; kept1, kept2,
-- ... of those that leave as they are; hidden1, ... of those that do not. (Here and below qi and counted are
-- lists.)
create or replace macro sqlanon._positional(qi, counted, sensitive, keep, hidden := null) as
    sqlanon._each_of(qi, 'src.{c} as q{i}', ', ') || sqlanon._each_of(counted, ', src.{c} as s{i}', '')
    || sqlanon._each_of(sqlanon._list(sensitive) || sqlanon._list(keep), ', src.{c} as kept{i}', '')
    || sqlanon._each(hidden, ', src.{c} as hidden{i}', '');

-- The columns that leave as they are, after others in a list.
create or replace macro sqlanon._kept_columns(sensitive, keep) as
    sqlanon._each_of(sqlanon._list(sensitive) || sqlanon._list(keep), ', kept{i}', '');

-- The rows of a table under positional names, with place: their number from 1, at random, among those that
-- agree on qi and the counted columns.
create or replace macro sqlanon._dealt(tbl, qi, counted, sensitive, keep, seed, hidden) as
    sqlanon._fill($$(
        select *, row_number() over (partition by {combination} order by chance) as place
        from (
            select *, {random_key} as chance
            from (
                select *, row_number() over (partition by {combination} {kept}) as twin
                from (select {columns} from {source} as src)
            )
        )
    )$$, map {
        'combination': sqlanon._each_of(qi, 'q{i}', ', ') || sqlanon._each_of(counted, ', s{i}', ''),
        'kept': sqlanon._kept_columns(sensitive, keep),
        'random_key': sqlanon._random_key('twin' || sqlanon._kept_columns(sensitive, keep), seed),
        'columns': sqlanon._positional(qi, counted, sensitive, keep, hidden),
        'source': sqlanon._relation(tbl)});

-- Parts of the text of a release: the rows of combinations that are divided among classes, with the class of
-- each ...
create or replace macro sqlanon._divided_rows(tbl, qi, counted, sensitive, keep, seed, hidden) as
    sqlanon._fill($$
        {dealt} as src join (
            select *, sum(share) over upwards::bigint as last_place
            from _sqlanon_member join _sqlanon_class using (class_id)
            window upwards as (partition by tuple_id order by class_key, class_id)
        ) as member on src.place > member.last_place - member.share and src.place <= member.last_place
    $$, map {'dealt': sqlanon._dealt(tbl, qi, counted, sensitive, keep, seed, hidden)});

-- ... and those of combinations that are in one class each.
create or replace macro sqlanon._whole_rows(tbl, qi, counted, sensitive, keep, hidden) as
    sqlanon._fill($$
        (select {columns} from {source} as src) as src join _sqlanon_member as member on true
    $$, map {
        'columns': sqlanon._positional(qi, counted, sensitive, keep, hidden),
        'source': sqlanon._relation(tbl)});

-- The release: every row of the table with the recoded quasi-identifiers of its class, its sensitive and
-- its kept columns, and no other. Rows come in a random order: that of a hash of the random key of their
-- class and of what they keep. It depends on the salt and on what is released, and on nothing else (Sweeney
-- 2002, sec. 5.1: the unsorted matching attack reads the order of rows); classes that release the same have
-- the same key.
-- combinations: tuple_id, q1, q2, ... and s1, s2, ... of the columns in counted (raw values); assignment:
-- tuple_id, class_id; labels: class_id, v1, v2, ... divided: the rows of a combination may be in several
-- classes, and assignment says how many are in each: share. They are dealt at random. unit: columns that
-- say whose rows they are (a person, a household). with_unit: these are there, too, for a look at the release
-- before it leaves; the order of rows does not depend on them.
create or replace macro sqlanon._release(
    tbl, qi, sensitive, keep, combinations, counted, assignment, labels, seed, divided := false,
    unit := null, with_unit := false) as table
    from query(sqlanon._fill($$
        with _sqlanon_member as (select * from {combinations} join {assignment} using (tuple_id)),
        -- Materialized, because otherwise DuckDB finds the key of a class for each of its rows.
        _sqlanon_class as materialized (select *, hash({class_key}) as class_key from {labels}),
        -- And this, because otherwise DuckDB may first pair every row with every class.
        _sqlanon_located as materialized (
            select member.class_id {kept} {person}
            from {rows} {equal_values}
        )
        select {columns}
        from _sqlanon_located join _sqlanon_class using (class_id)
        order by hash(row(class_key {kept}))
    $$, map {
        'class_key': sqlanon._random_key(sqlanon._each_of(qi, 'v{i}', ', '), seed),
        'kept': sqlanon._kept_columns(sensitive, keep),
        'person': if(with_unit, sqlanon._each(unit, ', src.hidden{i}', ''), ''),
        'rows': if(divided,
                   sqlanon._divided_rows(tbl, qi, counted, sensitive, keep, seed, if(with_unit, unit, null)),
                   sqlanon._whole_rows(tbl, qi, counted, sensitive, keep, if(with_unit, unit, null))),
        'equal_values': sqlanon._each_of(qi, ' and src.q{i} is not distinct from member.q{i}', '')
                        || sqlanon._each_of(counted, ' and src.s{i} is not distinct from member.s{i}', ''),
        'columns': sqlanon._each_of(qi, 'v{i} as {c}', ', ')
                   || sqlanon._each_of(
                       sensitive || keep, ', kept{i} as {c}', '')
                   || if(with_unit, sqlanon._each(unit, ', hidden{i} as {c}', ''), '')}));
