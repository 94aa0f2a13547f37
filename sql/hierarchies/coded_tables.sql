-- Codes: a table as integer codes under positional names, so that an algorithm never sees a user's names or
-- types.
--
-- Group first: everything works on distinct combinations with counts, never on rows. An attribute is coded by
-- the dense rank of its values (NULL first, as a value of its own); with a hierarchy by the depth-first order
-- of the hierarchy's leaves, so that every node of the hierarchy is an interval of codes (nested sets).

-- One row per distinct combination of quasi-identifiers and sensitive values: q1, q2, ..., s1, s2, ..., n
-- rows (with a weight, the people they stand for).
create or replace macro sqlanon._combinations(tbl, qi, sensitive, weight := null) as table
    from query(sqlanon._fill($$
        select {each qi: src.{c} as q{i}}{sensitive}, {count} as n from {source} as src group by {columns}
    $$, map {
        'count': sqlanon._count(weight), 'sensitive': sqlanon._each(sensitive, ', src.{c} as s{i}', ''),
        'source': sqlanon._projected(tbl, qi, sensitive, weight),
        'columns': sqlanon._each_of(sqlanon._list(qi) || sqlanon._list(sensitive), 'src.{c}', ', ')}));

create or replace macro sqlanon._numbered_combinations(tbl, qi, sensitive, weight := null) as table
    select (row_number() over ())::integer as tuple_id, *
    from sqlanon._combinations(tbl, qi, sensitive, weight);

-- No rows, or an error where a table has none.
create or replace macro sqlanon._refuse_empty(combinations, tbl) as table
    select error('table ' || tbl || ' is empty: it has ' || count(*) || ' rows') as refused
    from query_table(combinations) having count(*) = 0;

-- No rows, or an error where the hierarchy of one of the columns is not a tree over its values.
create or replace macro sqlanon._refuse_hierarchies(hierarchies, qi, sensitive) as table
    with own_hierarchy as materialized (  -- once, not in each of the checks
        from sqlanon._hierarchy(hierarchies)
        where list_contains(sqlanon._lower(sqlanon._list(qi) || sqlanon._list(sensitive)), attribute)
    )
    select error('the hierarchy of column ' || attribute || ': ' || problem) as refused
    from sqlanon._hierarchy_problems('own_hierarchy');

-- No rows, or an error where a hierarchy that a user gives is not a tree (its name, or NULL: there is
-- nothing to plan then).
create or replace macro sqlanon._refuse_given_hierarchies(given, hierarchies, qi) as table
    with none as (select null as refused where false),
    refusal as (from sqlanon._refuse_hierarchies(hierarchies, qi, null))
    from query_table(if(given is null, 'none', 'refusal'));

-- One row per distinct combination of sensitive values: its number s, the values s1, s2, ..., and two codes
-- of each: as they are written, c1, c2, ..., and as people read them, f1, f2, ..., one for all spellings.
-- Both are in the order of the values. Missing ones have -1 (if missing_counts, 0, as a value).
-- distinct_spellings: columns in which spellings are different values.
create or replace macro sqlanon._sensitive_combinations(
    combinations, sensitive, distinct_spellings := []::varchar[], missing_counts := false) as table
    from query(sqlanon._fill($$
        select row_number() over (order by {order} 1) as s
               {each sensitive: , s{i}, value{i}.written as c{i}, value{i}.folded as f{i}}
        from (select distinct {values} from {combinations}) as combination {coded}
    $$, map {
        'order': sqlanon._each(sensitive, 's{i}, ', ''),
        'values': coalesce(nullif(sqlanon._each(sensitive, 's{i}', ', '), ''), '1'),
        'coded': sqlanon._each_filled(sensitive, $$
            left join (
                select unnest(coded, max_depth := 2),
                       if(reading is null, {missing},
                          row_number() over (partition by reading is null order by first_place) + {missing})
                           as folded
                from (
                    select reading, min(place) as first_place,
                           list(struct_pack(
                               value, written := if(reading is null, {missing}, place + {missing}))) as coded
                    from (
                        select value, reading,
                               row_number() over (partition by reading is null order by value) as place
                        from (
                            select value, {reading} as reading
                            from (
                                select s{i} as value, not list_contains({distinct}, lower({s})) as is_folded
                                from {combinations} group by s{i}
                            )
                        )
                    )
                    group by reading
                )
            ) as value{i} on combination.s{i} is not distinct from value{i}.value
        $$, map {
            'combinations': combinations, 'missing': if(missing_counts, '0', '-1'),
            'distinct': sqlanon._names_of(sqlanon._lower(distinct_spellings)),
            'reading': sqlanon._reading('value', 'is_folded')}, '')}));

-- The same attribute as its values are written. (Attributes are positions.)
create or replace macro sqlanon._as_written(attribute) as attribute + 1000000;
create or replace macro sqlanon._is_as_written(attribute) as attribute > 1000000;
create or replace macro sqlanon._position_of(attribute) as attribute % 1000000;

-- What each of them says, a row per sensitive attribute: s, attribute (its position), code, value (as text).
-- Attribute 0 is the class as a whole, with one value for all: where a model needs no sensitive attribute, it
-- is measured there. An attribute with spellings is there twice: as people read it and _as_written. counted,
-- with a unit: the columns of the combinations, of which the last one is the unit. Then person is a column,
-- too, the unit's code; and attributes below 0 have those who have a value: -1 is about attribute 1.
create or replace macro sqlanon._sensitive_values(sensitive_combinations, sensitive, counted := null) as table
    from query(sqlanon._fill($$
        select s {person}, unnest(range(0, {after_last})) as attribute, unnest([0 {codes}]) as code,
               unnest([null {each sensitive: , sqlanon._plain_text(s{i}::varchar)}]::varchar[]) as value
        from {combinations} {as_written} {with_value}
    $$, map {
        'person': coalesce(', f' || len(counted) || ' as person', ''),
        'after_last': (len(sqlanon._list(sensitive)) + 1)::varchar,
        'codes': sqlanon._each(sensitive, ', f{i}', ''), 'combinations': sensitive_combinations,
        'as_written': sqlanon._each_filled(sensitive, $$
            union all
            select s {person}, sqlanon._as_written({i}), c{i}, sqlanon._plain_text(s{i}::varchar)
            from {combinations}
            where (select count(distinct c{i}) > count(distinct f{i}) from {combinations})
        $$, map {
            'person': coalesce(', f' || len(counted), ''), 'combinations': sensitive_combinations}, ''),
        'with_value': if(counted is null, '', sqlanon._each_filled(sensitive, $$
            union all select s, f{unit}, -{i}, 0, null from {combinations} where f{i} >= 0
        $$, map {'unit': len(counted)::varchar, 'combinations': sensitive_combinations}, ''))}));

-- The unit is one more column that is counted with the quasi-identifiers, the last one: so a combination
-- tells whose its rows are, however rows are put together later. (NULL is a value as any other: all rows
-- without a unit are one person's, which errs towards danger.)
create or replace macro sqlanon._counted_with(counted, unit) as sqlanon._list(counted) || sqlanon._list(unit);

-- Histograms of classes: class_id, attribute, code, n, the rows that have the value. by_unit: the people who
-- have it, and of attribute 0 the people of the class; and is_only, is it the only value of one of them?
-- cells: class_id, s, n (rows; 0 where only others have that value).
create or replace macro sqlanon._histograms(cells, sensitive_values, by_unit) as table
    from query(if(by_unit, {call _histograms_of_people}, sqlanon._fill($$
        select class_id, attribute, code, sum(n) as n
        from {cells} join {values} using (s) group by class_id, attribute, code
    $$, map {'values': sensitive_values})));

create or replace macro sqlanon._histograms_of_people(cells, sensitive_values) as table
    with held as materialized (
        select class_id, attribute, code, person, sum(n) > 0 as is_held
        from query_table(cells) join query_table(sensitive_values) using (s) group by all
    ),
    only_one as (
        select distinct class_id, attribute, code, true as is_only
        from (select class_id, attribute, any_value(code) as code from held where is_held and code >= 0
              group by class_id, attribute, person having count(*) = 1)
    )
    select class_id, attribute, code, n, coalesce(is_only, false) as is_only
    from (select class_id, attribute, code, count(*) filter (is_held) as n from held group by all)
    left join only_one using (class_id, attribute, code);

-- The codes of an attribute without a hierarchy, by rank: value, code. It is a template of _each_filled, as
-- the next.
create or replace macro sqlanon._ranked_domain() as $$
    select q{i} as value, (row_number() over (order by q{i} nulls first) - 1)::integer as code
    from (select distinct q{i} from {combinations})$$;

-- The values of an attribute and their places in its hierarchy: value, rank, whose, leaf_code, is_lacking (it
-- has a hierarchy, which lacks this value). whose: the text of an expression that says of a value whether
-- only the population has it.
create or replace macro sqlanon._values_in_hierarchy() as $$
    select value.q{i} as value, value.rank, value.whose, leaf.code as leaf_code,
        leaf.code is null and has_hierarchy as is_lacking
    from (
        select q{i}, {whose} as whose, row_number() over (order by q{i} nulls first) - 1 as rank
        from {combinations} group by q{i}
    ) as value
    cross join (select count(*) > 0 as has_hierarchy from {leaves} where attribute = lower({s}))
    left join {leaves} as leaf
      on leaf.attribute = lower({s}) and leaf.value is not distinct from value.q{i}::varchar$$;

-- The codes of an attribute by its hierarchy: value, code. An attribute that has none is coded by rank.
create or replace macro sqlanon._leaf_domain() as $$
    select value,
           case when is_lacking then sqlanon._lacks_values({s}, shown, lacking, whose)
                else coalesce(leaf_code, rank)
           end::integer as code
    from (
        select value, rank, whose, leaf_code, is_lacking,
            min(coalesce(value::varchar, 'NULL'), 10) filter (where is_lacking) over of_kind as shown,
            count(*) filter (where is_lacking) over of_kind as lacking
        from ($$ || sqlanon._values_in_hierarchy() || $$)
        window of_kind as (partition by whose)
    )$$;

-- The same as one list, of values that the table has: entries.
create or replace macro sqlanon._listed_leaf_domain() as $$
    select if(lacking > 0, sqlanon._lacks_values({s}, shown, lacking, ''), entries) as entries
    from (
        select list(struct_pack(value, code := coalesce(leaf_code, rank)::integer)) as entries,
            min(coalesce(value::varchar, 'NULL'), 10) filter (where is_lacking) as shown,
            count(*) filter (where is_lacking) as lacking
        from ($$ || sqlanon._values_in_hierarchy() || $$)
    )$$;

-- The codes of a table's values, one row: domain1, a list of value and code, domain2, ... leaves: those of
-- the hierarchies, or NULL. A value that its hierarchy lacks is an error.
create or replace macro sqlanon._listed_domains(tbl, leaves, qi) as table
    from query(
        'select ' || sqlanon._each_filled(
            qi, '(' || if(leaves is null,
                          'select list(entry) from (' || sqlanon._ranked_domain() || ') as entry',
                          sqlanon._listed_leaf_domain()) || ') as domain{i}', map {
                'combinations': '(select ' || sqlanon._each_of(qi, '{c} as q{i}', ', ')
                                || ' from ' || tbl || ')',
                'leaves': coalesce(leaves, ''), 'whose': $$''$$}, ', '));

-- A template of _each_filled, too: value and code, from these.
create or replace macro sqlanon._listed_domain() as
    '(select unnest(domain{i}, max_depth := 2) from {domains})';

-- A table with codes in the place of its quasi-identifiers. To group and join its rows takes a third of the
-- time that it takes by values.
create or replace macro sqlanon._rows_by_code(tbl, domains, qi) as table
    from query(sqlanon._fill($$
        select src.* replace ({each_of qi: domain{i}.code as {c}}) from {tbl} as src {domains}
    $$, map {
        'domains': sqlanon._each_filled(
            qi, ' left join ' || sqlanon._listed_domain()
                || ' as domain{i} on src.{c} is not distinct from domain{i}.value',
            map {'domains': domains}, '')}));

-- The distinct combinations numbered and coded: tuple_id, q1, q2, ... (codes), s, weight (rows). combinations
-- has a tuple_id; leaves are those of the hierarchies, or NULL. A value that its hierarchy lacks is an error.
-- with_people: combinations are those of _everybody, and people is a column here, too. by_code: combinations
-- are of codes already. (Every combination has a code. Left joins say in which order to join.)
create or replace macro sqlanon._tuples(
    combinations, sensitive_combinations, leaves, qi, sensitive, with_people := false, by_code := false
) as table
    from query(sqlanon._fill($$
        select tuple_id, {codes}, s::integer as s, n::integer as weight {people}
        from {combinations} as combination {domains} {sensitive}
    $$, map {
        'codes': sqlanon._each_of(qi, if(by_code, 'combination.q{i}', 'domain{i}.code as q{i}'), ', '),
        'people': if(with_people, ', people', ''),
        'domains': if(by_code, '', sqlanon._each_filled(
            qi, ' left join (' || if(leaves is null, sqlanon._ranked_domain(), sqlanon._leaf_domain())
                || ') as domain{i} on combination.q{i} is not distinct from domain{i}.value', map {
                'combinations': combinations, 'leaves': coalesce(leaves, ''),
                'whose': if(with_people, $$if(max(n) > 0, '', ' of the population')$$, $$''$$)}, '')),
        'sensitive': if(len(sensitive) = 0, 'cross join (select 1 as s)',
            'left join ' || sensitive_combinations || ' as sensitive on true'
            || sqlanon._each_of(
                sensitive, ' and combination.s{i} is not distinct from sensitive.s{i}', ''))}));

-- The quasi-identifiers: d (position), name, span (the largest code; the last leaf of a hierarchy).
create or replace macro sqlanon._attributes(tuples, leaves, qi) as table
    with largest as (
        select unnest(list_value(*columns('^q\d+$'))) as code, unnest(qi) as name
        from (select max(columns('^q\d+$')) as '\0' from query_table(tuples))
    ),
    last_leaf as (
        from query(if(leaves is null, 'select null::varchar as attribute, null::integer as code where false',
                      'select attribute, max(code) as code from ' || leaves || ' group by attribute'))
    )
    select list_position(qi, name) as d, name,
           greatest(coalesce(last_leaf.code, largest.code), 1) as span
    from largest left join last_leaf on last_leaf.attribute = lower(name);

-- The nodes of the quasi-identifiers' hierarchies: d, level, code, and the node above the code: node, lo, hi,
-- label.
create or replace macro sqlanon._attribute_tree(hierarchies, attributes) as table
    select d, level, code, node, lo, hi, label
    from sqlanon._nodes(hierarchies) as nodes
    join query_table(attributes) as a on nodes.attribute = lower(a.name);

-- The whole table as one class: class_id, attribute, code, n; by_unit: is_only, as in _histograms.
create or replace macro sqlanon._whole(tuples, sensitive_values, by_unit := false) as table
    with cell as (select 0 as class_id, s, sum(weight) as n from query_table(tuples) group by s)
    from sqlanon._histograms('cell', sensitive_values, by_unit);
