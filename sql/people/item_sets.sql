-- k^m-anonymity of sets of items: whoever knows up to m items of a person finds none or at least k people who
-- have all of them (Terrovitis, Mamoulis and Kalnis 2008). Items are generalized alike for everybody, to a
-- cut through their hierarchy: below it nothing is told. Where some sets of nodes are rare, a node of the cut
-- is replaced by its parent, with all that is below this (Apriori anonymization: small sets first, as a set
-- is not frequent unless its subsets are).
--
-- Where somebody knows the class of a person, too, k people of the class must have all of them (Poulis et
-- al. 2013: relational and set-valued data). One cut serves all classes, and small classes have rare sets
-- wherever it is. So a node is replaced only where that loses less than what it saves, and otherwise a class
-- loses the rows of a node: of its people nobody can be told then who has that.

-- The first cut, at the items themselves: value, level, label. items: class_id, person, value; hierarchy:
-- value, level, label.
create or replace macro sqlanon._cut_at_items(hierarchy) as table
    select value, level, label from query_table(hierarchy) where level = 0;

-- The cut with more nodes, which take the place of all that is below them. raised: level, label.
create or replace macro sqlanon._raised_cut(cut, hierarchy, raised) as table
    select value, coalesce(above.level, below.level) as level,
           if(above.level is null, below.label, above.label) as label
    from query_table(cut) as below
    left join (
        select rung.value as of_value, max(rung.level) as level, arg_max_null(rung.label, rung.level) as label
        from query_table(hierarchy) as rung join query_table(raised) as node
          on node.level = rung.level and node.label is not distinct from rung.label
        group by rung.value
    ) as above on above.of_value is not distinct from below.value;

-- Who has which nodes of a cut: class_id, person, node (the text of level and label).
create or replace macro sqlanon._nodes_of_people(items, cut) as table
    select distinct class_id, person, level || coalesce(':' || label, '') as node
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

-- Sets of so many nodes, or items, of people: class_id, person, nodes. held: class_id, person, node.
create or replace macro sqlanon._sets_of_nodes(held, size) as table
    from query(sqlanon._fill($$
        select held1.class_id, held1.person, [{nodes}] as nodes from {held} as held1 {joined}
    $$, map {
        'held': sqlanon._relation(held),
        'nodes': sqlanon._text_of_each(list_transform(range(1, size + 1), lambda nth_node:
            'held' || nth_node || '.node'), ', '),
        'joined': sqlanon._text_of_each(list_transform(range(2, size + 1), lambda nth_node: sqlanon._fill($$
            join {held} as held{i} on held{i}.person = held1.person and held{i}.node > held{before}.node
        $$, map {
            'held': sqlanon._relation(held), 'i': nth_node::varchar,
            'before': (nth_node - 1)::varchar})), '')}));

-- Those that fewer than k people of the class have: set_id, class_id, nodes, people.
create or replace macro sqlanon._rare_sets(held, size, k) as table
    select row_number() over () as set_id, class_id, nodes, count(*) as people
    from sqlanon._sets_of_nodes(held, size) group by class_id, nodes having count(*) < k;

-- What becomes of rare sets if a node is raised: set_id, above (the node), people who then have all of it.
-- next_only: only nodes one level up.
create or replace macro sqlanon._sets_once_raised(held, rare, above_the_cut, next_only) as table
    with member as materialized (select set_id, class_id, unnest(nodes) as node from query_table(rare)),
    option as materialized (
        select distinct set_id, above
        from member join query_table(above_the_cut) as higher using (node) where is_next or not next_only
    ),
    wanted as materialized (  -- the nodes of each set once this one is raised
        select distinct set_id, class_id, option.above, coalesce(covered.above, node) as node
        from option join member using (set_id)
        left join query_table(above_the_cut) as covered using (node, above)
    ),
    holder as materialized (
        select class_id, person, node from query_table(held)
        union all
        select distinct class_id, person, above
        from query_table(held) join query_table(above_the_cut) using (node)
    ),
    having_all as (
        select set_id, above, person
        from wanted join holder using (class_id, node)
        join (select set_id, above, count(*) as nodes from wanted group by all) using (set_id, above)
        group by set_id, above, person having count(*) = any_value(nodes)
    )
    select set_id, above, count(*) as people from having_all group by all;

-- The nodes one of which can take the place of those below it, the best one first: level, label. The best one
-- makes most rare sets frequent for each of its values; if none makes any, it is in most of them.
create or replace macro sqlanon._nodes_to_raise(held, rare, above_the_cut, k) as table
    with score as (
        select above, count(*) as touched, count(*) filter (where people >= k) as mended
        from sqlanon._sets_once_raised(held, rare, above_the_cut, true) group by above
    )
    select level, label
    from score
    join (select distinct above, level, label, leaves from query_table(above_the_cut)) using (above)
    order by mended / leaves desc, touched / leaves desc, level, label;

-- IN CLASSES
-- The node of each rare set that loses least if the class loses its rows: set_id, class_id, node, saved (what
-- it tells, in items). lost: node, loss.
create or replace macro sqlanon._nodes_to_hide(held, rare, lost) as table
    with member as (select set_id, class_id, unnest(nodes) as node from query_table(rare)),
    told as (
        select class_id, node, count(*) * (1 - any_value(loss)) as saved
        from query_table(held) join query_table(lost) using (node) group by class_id, node
    )
    select set_id, class_id,
           unnest(arg_min(struct_pack(node := node, saved := saved), row(saved, node)))
    from member join told using (class_id, node) group by set_id, class_id;

-- The nodes that save more than they lose if they take the place of those below them, the best one first:
-- level, label. hidden: as _nodes_to_hide.
create or replace macro sqlanon._nodes_worth_raising(held, rare, above_the_cut, k, lost, hidden) as table
    with mended as (
        select above, sum(saved) as saved
        from (
            select distinct above, class_id, node, saved
            from sqlanon._sets_once_raised(held, rare, above_the_cut, false)
            join query_table(hidden) using (set_id)
            where people >= k
        )
        group by above
    ),
    price as (
        select above, level, label, sum(n * (loss_above.loss - loss_below.loss)) as price
        from query_table(above_the_cut) as higher
        join (select node, count(*) as n from query_table(held) group by node) using (node)
        join query_table(lost) as loss_below using (node)
        join query_table(lost) as loss_above on loss_above.node = higher.above
        group by above, level, label
    )
    select level, label from mended join price using (above)
    where saved > price order by saved - price desc, level, label;

-- The items that are left once classes lose the rows of nodes. hidden: class_id, node.
create or replace macro sqlanon._items_without(items, cut, hidden) as table
    select item.*
    from query_table(items) as item join query_table(cut) as cut on cut.value is not distinct from item.value
    where row(class_id, level || coalesce(':' || label, '')) not in (
        select row(class_id, node) from query_table(hidden));

-- What a node loses: node, loss (the share of the other items that it leaves possible). ladder: of items of
-- several tables, value, level, label, as _numbered_item has them.
create or replace macro sqlanon._losses_of_nodes(ladder) as table
    with item as (select split_part(value, ':', 1) as number, level, label from query_table(ladder)),
    size as (select number, count(*) as n from item where level = 0 group by number)
    select level || coalesce(':' || label, '') as node,
           coalesce((count(*) - 1) / nullif(any_value(n) - 1, 0), 0) as loss
    from item join size using (number) group by level, label;

-- An item, or its label, of one of several tables of items. rows: person, q1. A row without an item is none.
create or replace macro sqlanon._numbered_item(number, item) as
    number || coalesce(':' || sqlanon._plain_text(item::varchar), '');
create or replace macro sqlanon._numbered_items(rows, number) as table
    select distinct person, sqlanon._numbered_item(number, q1) as value
    from query_table(rows) where q1 is not null;
create or replace macro sqlanon._numbered_ladder(entries, number) as table
    select distinct sqlanon._numbered_item(number, value) as value, level::integer as level,
           sqlanon._numbered_item(number, label) as label
    from query_table(entries);

-- Items of people with their classes: class_id, person, value.
create or replace macro sqlanon._items_in_classes(items, classes) as table
    select class_id, person, value from query_table(items) join query_table(classes) using (person);

-- The rows of a table with items: person (as it is read), q1 (the item).
create or replace macro sqlanon._rows_with_items(tbl, unit, item) as table
    from query('select _sqlanon_reading as person, ' || sqlanon._quote(item)
               || ' as q1 from sqlanon._rows_with_reading(' || sqlanon._literal(tbl) || ', '
               || sqlanon._literal(unit) || ')');

-- What each item becomes: value, level, label. number: of its table.
create or replace macro sqlanon._cut_of_table(cut, number) as table
    select substr(value, length(number) + 2) as value, level, substr(label, length(number) + 2) as label
    from query_table(cut) where split_part(value, ':', 1) = number;

-- What is lost of the items of each table: number, items, raised, hidden, loss. left_over: those that leave.
create or replace macro sqlanon._told_of_items(items, left_over, cut, lost) as table
    select split_part(value, ':', 1) as number, count(*) as items,
           count(*) filter (leaves and level > 0) as raised, count(*) filter (leaves is null) as hidden,
           avg(if(leaves, loss, 1)) as loss
    from query_table(items)
    left join (select class_id, person, value, true as leaves from query_table(left_over)) as left_over
        using (class_id, person, value)
    join query_table(cut) as cut using (value)
    join query_table(lost) as lost on node = level || coalesce(':' || label, '')
    group by number order by number;

-- The rows that leave of one of these tables, a row per person and label: own and item are the names of its
-- columns, and _sqlanon_person is the person as it is read.
create or replace macro sqlanon._rows_of_items(items, cut, number, own, item) as table
    from query(sqlanon._fill($$
        select distinct {person} as _sqlanon_person, person as {"own"},
               substr(cut.label, length({number}) + 2) as {"item"}
        from {items} as src join {cut} as cut using (value)
        where split_part(value, ':', 1) = {number} and cut.label <> {number}
    $$, map {
        'items': sqlanon._relation(items), 'cut': sqlanon._relation(cut),
        'number': sqlanon._literal(number), 'person': sqlanon._reading('src.person', 'true')}));

-- WHAT MAY BE KNOWN
-- Whom somebody finds who knows the class of a person and up to m of their items: person, class_id (of such a
-- set), people, of_class. A person is in as many sets as there are of their items. classes: person, class_id;
-- held: the same people with their items (node).
create or replace macro sqlanon._known_sets(classes, held, m) as table
    from query(sqlanon._fill($$
        with known as materialized (
            select person, class_id as of_class, []::varchar[] as nodes from {classes} {sets}
        )
        select person, class_id, people, of_class
        from known join (
            select of_class, nodes, count(*) as people, row_number() over () as class_id
            from known group by of_class, nodes
        ) using (of_class, nodes)
    $$, map {
        'classes': sqlanon._relation(classes),
        'sets': sqlanon._text_of_each(list_transform(range(1, m + 1), lambda nth_size:
            ' union all select person, class_id, nodes from sqlanon._sets_of_nodes(' || sqlanon._literal(held)
            || ', ' || nth_size || ')'), '')}));

-- Values of people by these sets: class_id, person, sensitive. held: person, sensitive; sets: as above.
create or replace macro sqlanon._values_of_sets(held, sets) as table
    select of_set.class_id, person, sensitive
    from query_table(held) join query_table(sets) as of_set using (person);

-- CHECKED
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
