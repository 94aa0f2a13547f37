-- Several tables about the same people: a person table, and tables whose rows belong to a row of it, or to a
-- row of another table that does.
--
-- Whose a row is, is said once: unit names the column that identifies a person (person.patient), and each
-- join two columns that are equal (stay.patient = person.patient, drug.stay = stay.id). So the tables are a
-- tree, whose root is the person table. In the names of relations, i is the position of a table in the list
-- that is given.

-- Tables as they are given, 'stay' or 'data/stay.csv as stay': name, source.
create or replace macro sqlanon._named_tables(tables) as
    list_transform(sqlanon._list(tables), lambda written:
        sqlanon._let(
            regexp_extract(written, '(?is)^(.*\S)\s+as\s+(\w+)\s*$', ['source', 'name']),
            lambda said: {
                'name': if(said['name'] = '', written, said['name']),
                'source': if(said['name'] = '', written, said['source'])}));

-- What table.column names: tbl (a position), name. Names of tables may have dots: the longest counts.
create or replace macro sqlanon._column_of_tables(given, parameter, names) as
    sqlanon._let(
        list_sort(list_transform(
            list_filter(names, lambda known_name:
                starts_with(lower(given), lower(known_name) || '.')
                and length(given) > length(known_name) + 1),
            lambda known_name: {'length': length(known_name), 'name': known_name}))[-1],
        lambda longest:
            case when longest is not null
                 then {'tbl': list_position(names, longest['name'])::integer,
                       'name': given[longest['length'] + 2:]}
                 when given is null or not contains(given, '.')
                 then error(parameter || ' has ' || coalesce(given, 'NULL')
                            || ': write table.column, such as ' || names[1] || '.' || coalesce(given, 'age'))
                 else error(parameter || ' has ' || given || ', but tables has no '
                            || regexp_replace(given, '\.[^.]*$', '') || '. Is it '
                            || list_sort(list_transform(names, lambda known_name:
                                   {'far': levenshtein(lower(known_name),
                                                       lower(regexp_replace(given, '\.[^.]*$', ''))),
                                    'name': known_name}))[1]['name'] || '?')
            end);
create or replace macro sqlanon._columns_of_tables(given, parameter, names) as
    list_transform(sqlanon._list(given), lambda given_column:
        sqlanon._column_of_tables(given_column, parameter, names));

-- The names of those of one table.
create or replace macro sqlanon._columns_of(columns_of_tables, nth) as
    list_transform(list_filter(columns_of_tables, lambda column_of_table: column_of_table['tbl'] = nth),
                   lambda column_of_table: column_of_table['name']);

-- What joins say: left and right, which are columns of tables.
create or replace macro sqlanon._read_joins(joins, names) as
    list_transform(sqlanon._list(joins), lambda written:
        sqlanon._let(string_split(written, '='), lambda sides:
            if(len(sides) = 2,
               {'left': sqlanon._column_of_tables(trim(sides[1]), 'joins', names),
                'right': sqlanon._column_of_tables(trim(sides[2]), 'joins', names)},
               error('joins has ' || coalesce(written, 'NULL')
                     || ': write two columns that are equal, such as stay.patient = person.patient'))));

-- The joins of a table: the other one, its column, and that of the table itself.
create or replace macro sqlanon._links_of_table(links, nth) as
    list_transform(list_filter(links, lambda link: link['left']['tbl'] = nth), lambda link:
        {'other': link['right']['tbl'], 'key': link['right']['name'], 'own': link['left']['name']})
    || list_transform(list_filter(links, lambda link: link['right']['tbl'] = nth), lambda link:
        {'other': link['left']['tbl'], 'key': link['left']['name'], 'own': link['right']['name']});

-- How many joins each table is away from the root: NULL where none leads there. Each step finds the tables
-- next to those that are found.
create or replace macro sqlanon._depths_of_tables(links_of_tables, root) as
    list_reduce(
        list_transform(links_of_tables, lambda links: []::integer[]),
        lambda depths, each_step:
            list_transform(depths, lambda depth, nth_depth: coalesce(
                depth,
                list_min(list_transform(links_of_tables[nth_depth], lambda link: depths[link['other']]))
                + 1)),
        list_transform(links_of_tables, lambda links, nth_table: if(nth_table = root, 0, null)::integer));

-- The tables from the root down: depth, nth (a position), name, source, up (the joins that lead towards the
-- root, or around). Errors: a table that none reaches, or that is reached in two ways.
create or replace macro sqlanon._branches(named, links_of_tables, depths, person) as
    sqlanon._let(
        list_sort(list_transform(named, lambda named_table, nth_table: {
            'depth': depths[nth_table], 'nth': nth_table, 'name': named_table['name'],
            'source': named_table['source'],
            'up': list_filter(links_of_tables[nth_table], lambda link:
                depths[link['other']] <= depths[nth_table])})),
        lambda branches: coalesce(
            error('no join reaches table '
                  || list_filter(branches, lambda branch: branch['depth'] is null)[1]['name']
                  || ': say whose its rows are, such as joins := [''stay.patient = person.patient'']'),
            sqlanon._let(
                list_filter(branches, lambda branch: len(branch['up']) > least(branch['depth'], 1))[1],
                lambda twice:
                    error('joins reach table ' || twice['name'] || ' in two ways, over '
                          || named[twice['up'][1]['other']]['name'] || '.' || twice['up'][1]['key'] || ' and '
                          || coalesce(named[twice['up'][2]['other']]['name'] || '.' || twice['up'][2]['key'],
                                      twice['name'] || ' itself')
                          || ', so that they go in a circle: leave one out. Of a key of several columns make '
                          || 'one column')),
            branches));

-- The tree as a list, from the root down: _branches with parent (a position, NULL of the root),
-- above (its name), own (the column by which a row says to which row of the parent it belongs; of the root
-- the unit), key (the column of the parent that is equal), by_unit (is it the unit?).
create or replace macro sqlanon._tree_of_tables(named, unit, joins) as
    sqlanon._let(list_transform(named, lambda named_table: named_table['name']), lambda names:
        sqlanon._let(
            {'person': sqlanon._column_of_tables(
                 coalesce(unit, error('unit must name the column that identifies a person, such as '
                                      || 'person.patient')), 'unit', names),
             'links': sqlanon._let(sqlanon._read_joins(joins, names), lambda links:
                 list_transform(names, lambda known_name, nth_table:
                     sqlanon._links_of_table(links, nth_table)))},
            lambda said: list_transform(
                coalesce(
                    error('table ' || sqlanon._claimed_twice(names) || ' is named twice'),
                    sqlanon._branches(
                        named, said['links'],
                        sqlanon._depths_of_tables(said['links'], said['person']['tbl']), said['person'])),
                lambda branch: struct_insert(
                    branch,
                    parent := branch['up'][1]['other'], key := branch['up'][1]['key'],
                    above := named[branch['up'][1]['other']]['name'],
                    own := coalesce(branch['up'][1]['own'], said['person']['name']),
                    by_unit := branch['up'][1]['other'] = said['person']['tbl']
                               and lower(branch['up'][1]['key']) = lower(said['person']['name'])))));
create or replace macro sqlanon._children_of(tree, branch) as
    list_filter(tree, lambda other: other['parent'] = branch['nth']);

-- Texts of tables, one after the other.
create or replace macro sqlanon._text_of_each(texts, separator) as
    coalesce(list_aggregate(texts, 'string_agg', separator), '');

-- A text for each table, with its position in place of {i}.
create or replace macro sqlanon._of_tables(branches, template, separator) as
    sqlanon._text_of_each(list_transform(branches, lambda branch:
        replace(template, '{i}', branch['nth']::varchar)), separator);

-- RELATIONS OF A TABLE, as texts of CTEs
-- _sqlanon_read{i}: row_id, own (the key), offered{c} (what a child's rows are joined by), columns as they
-- are asked for, and n, the number of rows that have all of these.
create or replace macro sqlanon._read_table(tree, branch, columns, chosen) as
    sqlanon._let(sqlanon._children_of(tree, branch), lambda children: sqlanon._fill($$
        _sqlanon_read{i} as materialized (
            select row_number() over () as row_id, *
            from (select {own} as own {offered} {chosen}, count(*) as n from {rows} group by all)
        )
    $$, map {
        'i': branch['nth']::varchar, 'own': sqlanon._quote(branch['own']), 'chosen': chosen,
        'offered': sqlanon._text_of_each(list_transform(children, lambda child:
            ', ' || sqlanon._quote(child['key']) || ' as offered' || child['nth']), ''),
        'rows': sqlanon._projected(
            branch['source'],
            sqlanon._each_once(
                [branch['own']] || list_transform(children, lambda child: child['key']) || columns),
            null, null)}));

-- _sqlanon_linked{i}: the same, with parent (a row_id) and person (that of the root). Keys are read as they
-- are elsewhere (_person). A row that belongs to none, or to several, is refused below. _sqlanon_wanted{i}:
-- the keys that rows have: own, reading, n (rows), parent, person, and how many rows and people offer it.
create or replace macro sqlanon._link_table(branch) as
    sqlanon._fill(if(branch['parent'] is null, $$
        _sqlanon_linked{i} as (select *, null::bigint as parent, row_id as person from _sqlanon_read{i})
    $$, $$
        _sqlanon_offered{i} as materialized (
            select reading, any_value(row_id) as parent, any_value(person) as person,
                   sum(n)::bigint as offering_rows, count(distinct person) as offering_people
            from (select {offered} as reading, row_id, person, n from _sqlanon_linked{p})
            group by reading
        ),
        _sqlanon_wanted{i} as materialized (
            select wanted.*, offered.* exclude (reading)
            from (select own, {own} as reading, sum(n)::bigint as n from _sqlanon_read{i} group by own)
                as wanted
            left join _sqlanon_offered{i} as offered on offered.reading = wanted.reading
        ),
        _sqlanon_linked{i} as materialized (
            select own_row.*, wanted.parent, wanted.person
            from _sqlanon_read{i} as own_row
            join _sqlanon_wanted{i} as wanted on wanted.own is not distinct from own_row.own
        )
    $$), map {
        'i': branch['nth']::varchar, 'p': coalesce(branch['parent']::varchar, ''),
        'own': sqlanon._reading('own', 'true'),
        'offered': sqlanon._reading('offered' || branch['nth'], 'true')});

-- WHAT IS REFUSED
-- What types of keys compare: whole numbers with whole numbers, texts with texts, others with their like.
create or replace macro sqlanon._type_of_key(type) as
    case when sqlanon._is_integer_type(type) then 'whole number'
         when sqlanon._is_text_type(sqlanon._plain_type(type)) then 'text' else type end;

-- A query of troubles with the keys of a table, texts or NULL.
create or replace macro sqlanon._trouble_of_table(branch) as
    sqlanon._fill(if(branch['parent'] is null, $$
        select if(count(*) = 0, 'rows of ' || {table} || ': none', null) as trouble from _sqlanon_read{i}
        union all
        select 'rows of ' || {table} || ' without ' || {own} || ': ' || sum(n)
        from _sqlanon_read{i} where {reading} is null having count(*) > 0
        union all
        select 'people who are in several rows of ' || {table} || ': ' || count(*)
        from (select {reading} as reading, sum(n) as n from _sqlanon_read{i} group by all)
        where reading is not null and n > 1 having count(*) > 0
    $$, $$
        select 'rows of ' || {table} || ' without ' || {own} || ': ' || sum(n) as trouble
        from _sqlanon_wanted{i} where reading is null having count(*) > 0
        union all
        select 'rows of ' || {table} || ' whose ' || {own} || ' is no ' || {above} || '.' || {key} || ': '
               || sum(n)
        from _sqlanon_wanted{i} where reading is not null and parent is null having count(*) > 0
        union all
        select 'rows of ' || {table} || ' of which nobody can tell whose they are, because several rows of '
               || {above} || ' have the same ' || {key} || ': ' || sum(n)
               || if(bool_or(offering_people > 1),
                     ' (what several people share is no key of theirs, but can be a quasi-identifier)', '')
        from _sqlanon_wanted{i} where offering_rows > 1 and not {by_unit} having count(*) > 0  -- told above
        union all
        select 'rows of ' || {above} || ' without ' || {key} || ': ' || sum(n)
        from _sqlanon_linked{p} where {offered} is null having count(*) > 0
        union all
        select 'keys of different types, of which one must be cast: ' || {table} || '.' || {own} || ' ('
               || own_type || ') and ' || {above} || '.' || {key} || ' (' || key_type || ')'
        from (select any_value(typeof(own)) as own_type from _sqlanon_read{i}),
             (select any_value(typeof(offered{i})) as key_type from _sqlanon_read{p})
        where sqlanon._type_of_key(own_type) <> sqlanon._type_of_key(key_type)
    $$), map {
        'i': branch['nth']::varchar, 'p': coalesce(branch['parent']::varchar, ''),
        'table': sqlanon._literal(branch['name']), 'own': sqlanon._literal(branch['own']),
        'above': coalesce(sqlanon._literal(branch['above']), ''),
        'key': coalesce(sqlanon._literal(branch['key']), ''),
        'by_unit': coalesce(branch['by_unit']::varchar, ''),
        'reading': sqlanon._reading('own', 'true'),
        'offered': sqlanon._reading('offered' || branch['nth'], 'true')});

-- _sqlanon_refusal: no row, or an error with all that is wrong. more: further queries of troubles.
create or replace macro sqlanon._refusal_of_tables(tree, more) as
    sqlanon._fill($$
        _sqlanon_trouble as materialized (select distinct trouble from ({troubles})),
        _sqlanon_refusal as (
            select error('the tables cannot be read as rows of people. '
                         || string_agg(trouble, '; ' order by trouble)) as refused
            from _sqlanon_trouble where trouble is not null having count(*) > 0
        )
    $$, map {
        'troubles': sqlanon._text_of_each(
            list_transform(tree, lambda branch: sqlanon._trouble_of_table(branch)) || more, ' union all ')});
