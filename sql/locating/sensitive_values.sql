-- Sensitive values of several releases, as they compare: texts that are equal as numbers or points in time
-- are one value (sql/core/values.sql), with one code.

-- As what each sensitive column compares: attribute, kind (NULL: as text). The truth is compared with what
-- releases have: truth_kinds is of the same form. class_values: as in _values_of_cells, here and below.
-- read: names of sensitive columns, in their order, whose texts compare as people read them (within one
-- release), or NULL; distinct_spellings: those in which spellings are different values.
create or replace macro sqlanon._sensitive_kinds(
    class_values, truth_kinds, read := null, distinct_spellings := null) as table
    select attribute,
           coalesce(
               list_reduce(list_sort(list(kind)), lambda one, other: sqlanon._common_kind(one, other)),
               case when attribute > len(sqlanon._list(read)) then null
                    when list_contains(sqlanon._lower(sqlanon._list(distinct_spellings)),
                                       lower(sqlanon._list(read)[attribute])) then 11
                    else 10 end) as kind
    from (
        select distinct attribute, kind from query_table(class_values)
        union
        select attribute, kind from query_table(truth_kinds)
    )
    where attribute is not null group by attribute;

-- The kinds of the columns in truth: attribute, kind.
create or replace macro sqlanon._truth_kinds(targets, truth) as table
    from query(
        case when len(sqlanon._list(truth)) = 0
             then 'select null::integer as attribute, null::integer as kind'
             else sqlanon._fill($$
                 select unnest(range(1, {end}))::integer as attribute, unnest([{kinds}]::integer[]) as kind
                 from {source} as src
             $$, map {
                 'end': (len(sqlanon._list(truth)) + 1)::varchar,
                 'kinds': sqlanon._each(truth, 'sqlanon._kind_of_type(any_value(typeof(src.{c})))', ', '),
                 'source': sqlanon._projected(
                     targets, sqlanon._each_once(sqlanon._list(truth)), null, null)})
        end);

-- The sensitive values of each release as they compare: release, attribute, string (as it has it), key, value
-- (one text for all that are equal: the shortest; NULL where it is missing), n.
create or replace macro sqlanon._compared_values(class_values, sensitive_kinds) as table
    with told as (
        select release, attribute, value as string, sum(n)::bigint as n
        from query_table(class_values) group by all
    ),
    keyed as (
        select attribute, string, sqlanon._comparable(string, kind) as key
        from (select distinct attribute, string from told)
        left join query_table(sensitive_kinds) using (attribute)
    ),
    named as (
        select attribute, string, key,
               case when key is not null
                    then first_value(string) over (
                        partition by attribute, key order by length(string), string) end as value
        from keyed
    )
    select release, told.attribute, told.string, key, value, n
    from told
    join named on named.attribute = told.attribute and named.string is not distinct from told.string;

-- The values of the classes of one release as people read them: class_id, value (of spellings the most
-- frequent one, of equally frequent ones the first; NULL where it is missing), kind, n. class_values: of one
-- column, as in _class_values; is_distinct: spellings are different values.
create or replace macro sqlanon._read_class_values(class_values, is_distinct) as table
    with told as (
        select value, kind, sum(n) as n from query_table(class_values) group by value, kind
    ),
    keyed as (
        select value, n, kind, sqlanon._comparable(value, coalesce(kind, if(is_distinct, 11, 10))) as key
        from told
    ),
    named as (
        select value,
               case when key is not null
                    then first_value(value) over (partition by key order by n desc, value) end as read_as
        from keyed
    )
    select class_id, named.read_as as value, kind, sum(n)::bigint as n
    from query_table(class_values) as stated join named on named.value is not distinct from stated.value
    group by class_id, named.read_as, kind;

-- Is a column one of these (names compare without case)?
create or replace macro sqlanon._is_one_of(name, names) as
    list_contains(sqlanon._lower(sqlanon._list(names)), lower(name));

-- All sensitive values there are: attribute, value, code, share (of all rows).
create or replace macro sqlanon._sensitive_domain(compared_values) as table
    select attribute, value, row_number() over (order by attribute, value nulls first) as code,
           n / sum(n) over (partition by attribute) as share
    from (select attribute, value, sum(n) as n from query_table(compared_values) group by attribute, value);

-- The rows of each class: release, class_id, size. Each row has one value of any column that the release has.
create or replace macro sqlanon._class_sizes(class_values) as table
    with counted as (
        select release, min(attribute) as attribute from query_table(class_values) group by release
    )
    select release, class_id, sum(n)::bigint as size
    from query_table(class_values) join counted using (release, attribute) group by release, class_id;

-- The histogram of each class: release, class_id, attribute, code, n.
create or replace macro sqlanon._class_histograms(class_values, compared_values, sensitive_domain) as table
    with coded as (
        select release, attribute, string, code
        from query_table(compared_values) as compared
        join query_table(sensitive_domain) as domain using (attribute)
        where domain.value is not distinct from compared.value
    )
    select stated.release, class_id, stated.attribute, code, sum(stated.n)::bigint as n
    from query_table(class_values) as stated
    join coded on coded.release = stated.release and coded.attribute = stated.attribute
              and coded.string is not distinct from stated.value
    group by stated.release, class_id, stated.attribute, code;
