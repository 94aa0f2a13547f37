-- The order of sensitive values, which the ordered distance of t-closeness needs.
--
-- Numbers, points in time and truth values have an order, and an ENUM has the one that it was made with. Text
-- has one where all of it says numbers, dates or times as SQL writes them (sql/core/values.sql), or months,
-- 2026-11. Any other text has none: by their bytes "10,000" comes before "3,000", and a class with a narrow
-- range of salaries looks like the whole table. What is missing comes first. (Of two values it does not
-- matter which is the first.)

-- Have the values of such a type an order of their own?
create or replace macro sqlanon._has_given_order(type) as
    sqlanon._is_ordered(type) or type = 'BOOLEAN' or type like 'ENUM(%)';

-- As what texts have an order: a kind (sql/core/values.sql); -1: months; NULL: as nothing; 0: one that says
-- nothing, be it empty.
create or replace macro sqlanon._kind_in_order(string) as
    case when string is null or trim(string) = '' then 0
         when regexp_full_match(string, '[0-9]{4}-(0[1-9]|1[0-2])') then -1
         else nullif(sqlanon._kind(string), 3) end;

-- The types of the sensitive columns: attribute, name, type.
create or replace macro sqlanon._sensitive_types(sensitive_combinations, sensitive) as table
    from query(sqlanon._fill($$
        select unnest(range(1, {end})) as attribute, unnest([{each sensitive: {s}}]) as name,
               unnest([{each sensitive: typeof(s{i})}]) as type
        from (from {sensitive_combinations} limit 1)
    $$, map {'end': (len(sqlanon._list(sensitive)) + 1)::varchar}));

-- Sensitive values whose codes are their places in order, and has_order: false where there is none, or an
-- error where no other distance is measured: then this one is required. Values are read once, not for each
-- of the people who have them.
create or replace macro sqlanon._values_in_order(
    sensitive_values, sensitive_combinations, sensitive, distances) as table
    with value as (
        select distinct sensitive_value.attribute, code, value, type, name,
               if(code < 0 or sqlanon._has_given_order(type), 0, sqlanon._kind_in_order(value)) as kind
        from query_table(sensitive_values) as sensitive_value
        left join sqlanon._sensitive_types(sensitive_combinations, sensitive) as of_type
          on of_type.attribute = sqlanon._position_of(sensitive_value.attribute)
    ),
    judged as (
        select attribute,
               count(*) = count(kind) and count(distinct nullif(kind, 0)) <= 1 or count(distinct code) <= 2
                   as has_order,
               case when len(distances) = 1 and not has_order
                    then error('column ' || any_value(name) || ' is text that has no order: '
                               || 't_distance := ''ordered'' needs numbers, dates or an ENUM in its order. '
                               || 'Cast the column; --types says how the texts of a file are written'
                          ) end as refused
        from value group by attribute
    ),
    place as (
        select attribute, code,
               if(code < 0, -1, dense_rank() over (
                   partition by attribute, code < 0
                   order by min(case when kind > 0 and has_order then sqlanon._key(value, kind) end)
                            nulls first, code) - 1) as place
        from value join judged using (attribute)
        where refused is null
        group by attribute, code
    )
    select sensitive_value.* replace (place as code), has_order
    from query_table(sensitive_values) as sensitive_value
    join place on place.attribute = sensitive_value.attribute and place.code = sensitive_value.code
    join judged on judged.attribute = sensitive_value.attribute;

-- Sensitive values (_sensitive_values) and has_order, in order where that is measured. distances: as in
-- _measures.
create or replace macro sqlanon._sensitive_values_for(
    sensitive_combinations, sensitive, counted, distances) as table
    with told as (from sqlanon._sensitive_values(sensitive_combinations, sensitive, counted))
    from query(
        if(list_contains(distances, 'ordered') and len(sqlanon._list(sensitive)) > 0,
           {call _values_in_order: sensitive_values := 'told'},
           'select *, true as has_order from told'));

-- What is measured of classes (_worst_classes), ordered by models and sensitive columns, without the ordered
-- distance of values that have no order: its columns, and remark, which says why reached is NULL.
create or replace macro sqlanon._measured_in_order(of_classes, sensitive_values, judged) as table
    with without_order as (
        select distinct judged[sqlanon._position_of(attribute)] as name
        from query_table(sensitive_values) where not has_order and attribute > 0
    )
    select answer.* replace (
               if(name is null, reached, null) as reached, if(name is null, size, null) as size,
               if(name is null, people, null) as people, if(name is null, class, null) as class),
           if(name is null, null, name || ' is text that has no order') as remark
    from query_table(of_classes) as answer
    left join without_order on id = 't_ordered' and answer.sensitive = name
    order by rank, attribute;  -- a join keeps no order
