-- k^m-anonymity of sets of items: whoever knows up to m items of a person finds none or at least k people who
-- have all of them (Terrovitis, Mamoulis and Kalnis 2008). Items are generalized alike for everybody, to a
-- cut through their hierarchy: below it nothing is told. Where some sets of nodes are rare, a node of the cut
-- is replaced by its parent, with all that is below this (Apriori anonymization: small sets first, as a set
-- is not frequent unless its subsets are).

-- The first cut, at the items themselves: value, level, label. items: person, value; hierarchy: value, level,
-- label.
create or replace macro sqlanon._cut_at_items(hierarchy) as table
    select value, level, label from query_table(hierarchy) where level = 0;

-- The cut with one node more, which takes the place of all that is below it.
create or replace macro sqlanon._raised_cut(cut, hierarchy, raised_level, raised_label) as table
    select value, coalesce(above.level, below.level) as level,
           if(above.level is null, below.label, above.label) as label
    from query_table(cut) as below
    left join (
        select value as of_value, level, label from query_table(hierarchy)
        where level = raised_level and label is not distinct from raised_label
    ) as above on above.of_value is not distinct from below.value;

-- Who has which nodes of a cut: person, node (the text of level and label).
create or replace macro sqlanon._nodes_of_people(items, cut) as table
    select distinct person, level || coalesce(':' || label, '') as node
    from query_table(items) as item join query_table(cut) as cut on cut.value is not distinct from item.value;

-- What is above the nodes of a cut, one level or more: node, above (as nodes), level and label of this,
-- is_next (one level), leaves (how many values it has).
create or replace macro sqlanon._above_the_cut(cut, hierarchy) as table
    with higher as (
        select below.level || coalesce(':' || below.label, '') as node, above.level, above.label,
               above.level = below.level + 1 as is_next
        from query_table(cut) as below
        join query_table(hierarchy) as above
          on above.value is not distinct from below.value and above.level > below.level
        group by all
    ),
    size as (select level, label, count(*) as leaves from query_table(hierarchy) group by all)
    select node, higher.level || coalesce(':' || higher.label, '') as above, higher.level, higher.label,
           is_next, leaves
    from higher join size on size.level = higher.level and size.label is not distinct from higher.label;

-- Sets of so many nodes that somebody has, and fewer than k people: set_id, nodes, people.
create or replace macro sqlanon._rare_sets(held, size, k) as table
    from query(sqlanon._let(range(2, size + 1), lambda others: sqlanon._fill($$
        select row_number() over () as set_id, nodes, people
        from (
            select list_value({nodes}) as nodes, count(*) as people
            from {held} as held1 {joined}
            group by all having count(*) < {k}
        )
    $$, map {
        'held': sqlanon._relation(held), 'k': k::varchar,
        'nodes': 'held1.node' || sqlanon._text_of_each(
            list_transform(others, lambda nth_node: ', held' || nth_node || '.node'), ''),
        'joined': sqlanon._text_of_each(
            list_transform(others, lambda nth_node: sqlanon._fill($$
                join {held} as held{i} on held{i}.person = held1.person and held{i}.node > held{before}.node
            $$, map {
                'held': sqlanon._relation(held), 'i': nth_node::varchar,
                'before': (nth_node - 1)::varchar})), '')})));

-- The nodes one of which can take the place of those below it, the best one first: level, label. The best one
-- makes most rare sets frequent for each of its values; if none makes any, it is in most of them.
create or replace macro sqlanon._nodes_to_raise(held, rare, above_the_cut, k) as table
    with member as materialized (select set_id, unnest(nodes) as node from query_table(rare)),
    option as materialized (
        select distinct set_id, above
        from member join query_table(above_the_cut) as higher using (node) where is_next
    ),
    wanted as materialized (  -- the nodes of each set once this one is raised
        select distinct set_id, option.above, coalesce(covered.above, node) as node
        from option join member using (set_id)
        left join query_table(above_the_cut) as covered using (node, above)
    ),
    holder as materialized (
        select person, node from query_table(held)
        union all
        select distinct person, above from query_table(held) join query_table(above_the_cut) using (node)
    ),
    having_all as (
        select set_id, above, person
        from wanted join holder using (node)
        join (select set_id, above, count(*) as nodes from wanted group by all) using (set_id, above)
        group by set_id, above, person having count(*) = any_value(nodes)
    ),
    support as (select set_id, above, count(*) as people from having_all group by all),
    score as (
        select above, count(*) as touched, count(*) filter (where people >= k) as mended
        from support group by above
    )
    select level, label
    from score
    join (select distinct above, level, label, leaves from query_table(above_the_cut)) using (above)
    order by mended / leaves desc, touched / leaves desc, level, label;

-- READ AND CHECKED
-- Who has which items: person (as it is read), value (the text of the item).
create or replace macro sqlanon._items_of_people(tbl, unit, item) as table
    from query(sqlanon._fill($$
        select distinct {person} as person, sqlanon._plain_text({"item"}::varchar) as value
        from {rows} as src
    $$, map {
        'rows': sqlanon._relation(tbl),
        'person': sqlanon._reading('src.' || sqlanon._quote(unit), 'true')}));

-- The hierarchy of the items: value, level, label. item: the attribute, NULL where the hierarchy names none.
create or replace macro sqlanon._ladder_of_items(of_items, item) as table
    from query(sqlanon._fill($$
        select distinct sqlanon._plain_text(value::varchar) as value, level::integer as level,
               sqlanon._plain_text(label::varchar) as label
        from {rows} as given {of_item}
    $$, map {'rows': sqlanon._relation(of_items),
             'of_item': coalesce('where lower(attribute) = ' || sqlanon._literal(lower(item)), '')}));

-- How many items have no label at one of the levels, or several.
create or replace macro sqlanon._items_without_labels(items, ladder) as table
    with labelled as (
        select value, count(*) as labels, count(distinct level) as levels
        from query_table(ladder) group by value
    )
    select count(*) as lacking
    from (select distinct value from query_table(items)) as item
    left join labelled on labelled.value is not distinct from item.value
    where coalesce(
        labels <> levels or levels <> (select count(distinct level) from query_table(ladder)), true);

-- The share of the other items that a label leaves possible, as the mean over people's items.
create or replace macro sqlanon._loss_of_cut(items, cut, ladder) as table
    with leaf as (select count(distinct value) as n from query_table(ladder)),
    node as (select level, label, count(*) as leaves from query_table(cut) group by all)
    select coalesce(avg((leaves - 1) / nullif(leaf.n - 1, 0)), 0) as loss
    from query_table(items) as item
    join query_table(cut) as cut on cut.value is not distinct from item.value
    join node on node.level = cut.level and node.label is not distinct from cut.label, leaf;
