-- Columns that join releases: by their values, whatever two releases call them, type them or use them for.
--
-- An adversary who sees the same pseudonym in two releases knows two rows of one person. Of columns of one
-- name a single shared value is enough. Columns of two names (ssn on Monday, nr on Tuesday) are a guess, a
-- pair, if chance does not explain what they share: a hash or a UUID, or 20 values that are 90 % of the
-- smaller column's. Chance explains numbers and days that fill their range, such as ages and row numbers, and
-- code lists with many rows for each value, unless both columns have the values about equally often.

-- The values of columns of releases: release (its number), name (of the column), type, value (text), n
-- (rows). columns: of each release, the names.
create or replace macro sqlanon._values_in_columns(releases, columns) as table
    from query(coalesce(
        list_aggregate(flatten(list_transform(sqlanon._list(releases), lambda release, number:
            list_transform(columns[number], lambda name: sqlanon._fill($$
                select {number}::integer as release, {name} as name, typeof(cell) as type,
                       cell::varchar as value, count(*)::bigint as n
                from (select src.{column} as cell from {relation} as src) group by all
            $$, map {
                'number': number::varchar, 'name': sqlanon._literal(name), 'column': sqlanon._quote(name),
                'relation': sqlanon._relation(release)})))), 'string_agg', ' union all '),
        'select null::integer as release, null::varchar as name, null::varchar as type,
                null::varchar as value, null::bigint as n where false'));

-- As what kinds columns are to be compared with those of other releases: release, name, kind (of its type),
-- as_kind (3: as texts). Columns that have nothing in common, such as numbers and dates, do not compare.
create or replace macro sqlanon._kinds_to_compare(column_values) as table
    with of_column as (
        select distinct release, name, sqlanon._kind_of_type(type) as kind
        from query_table(column_values) where type <> '"NULL"'
    )
    select distinct one.release, one.name, one.kind,
           coalesce(sqlanon._common_kind(one.kind, other.kind), 3) as as_kind
    from of_column as one join of_column as other on other.release <> one.release
    where sqlanon._common_kind(one.kind, other.kind)
          is not distinct from sqlanon._common_kind(other.kind, one.kind);

-- The keys of values, equal where two columns mean the same: as_kind, value, key. Texts are folded. Without
-- key: what does not read as the kind, or is missing.
create or replace macro sqlanon._keys_of_columns(column_values, kinds_to_compare) as table
    select as_kind, value,
           case when as_kind = 3 then '3' || sqlanon._folded(value)
                else sqlanon._key(value, as_kind) end as key
    from (
        select distinct as_kind, value
        from query_table(column_values) join query_table(kinds_to_compare) using (release, name)
    );

-- A value by which rows are joined where two columns are one: texts are folded. (The type decides when the
-- query is bound.)
create or replace macro sqlanon._joining_value(cell) as
    struct_extract(
        struct_pack(text := sqlanon._folded(cell::varchar), other := cell),
        case when typeof([cell]) = 'VARCHAR[]' then 'text' else 'other' end);

-- Is a text a hash or a UUID, or another secret of many random characters?
create or replace macro sqlanon._is_random_text(string) as
    regexp_matches(string, '^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$')
    or (regexp_matches(string, '^[0-9a-f]{16,}$') or regexp_matches(string, '^[0-9A-F]{16,}$'))
       and regexp_matches(string, '[0-9]') and regexp_matches(string, '[a-fA-F]')
    or regexp_matches(string, '^[0-9A-Za-z+/_=-]{20,}$') and regexp_matches(string, '[0-9].*[0-9]')
       and regexp_matches(string, '[a-z].*[a-z]') and regexp_matches(string, '[A-Z].*[A-Z]');

-- The columns that have values, of which few are random texts: release (its number), name. releases, columns:
-- as in _values_in_columns.
create or replace macro sqlanon._columns_without_random_texts(releases, columns) as table
    select release, name
    from sqlanon._values_in_columns(releases, columns) where value is not null
    group by release, name having count(*) filter (sqlanon._is_random_text(value)) < 0.9 * count(*);

-- What counts in a value: the number of an integer or of a day, and that in a text which has one (P-0017).
-- shape: what is around it; NULL where nothing counts.
create or replace macro sqlanon._counting_part(value, type) as
    case when sqlanon._kind_of_type(type) in (2, 4) or regexp_matches(value, '^\d{4}-\d\d-\d\d( 00:00:00)?$')
         then sqlanon._let(try_cast(value as timestamp), lambda moment: {
             'shape': 'time',
             'number': if(moment = date_trunc('day', moment), epoch_ms(moment) // 86400000, null)::hugeint})
         when type in ('FLOAT', 'DOUBLE') or type like 'DECIMAL%' or regexp_matches(value, '^-?\d+\.\d+$')
         then {'shape': 'fraction', 'number': try_cast(try_cast(value as double) * 100 as hugeint)}
         when regexp_matches(value, '^\D*\d{1,18}\D*$')
         then {'shape': trim(regexp_replace(value, '\d+', '#'), '-'),
               'number': try_cast(regexp_extract(value, '-?\d+$|\d+') as hugeint)}
    end;

-- How much of their range the values of a column fill, in the middle half of them: release, name, filled.
-- Numbers that are all multiples of one (salaries in thousands) count in these steps.
create or replace macro sqlanon._filled_ranges(column_values) as table
    with part as (
        select release, name, sqlanon._counting_part(value, type) as counting
        from query_table(column_values) where value is not null
    ),
    counted as (
        select release, name, list_sort(list(distinct counting.number)) as numbers, count(*) as every,
               count(counting.number) as numbered, count(distinct counting.shape) as shapes
        from part group by release, name
    ),
    stepped as (
        select release, name,
               numbers[len(numbers) // 4 + 1:(3 * len(numbers)) // 4 + 1] as middle,
               list_reduce(
                   list_transform(numbers, lambda number: number - numbers[1]),
                   lambda one, other: gcd(one, other)) as step
        from counted where shapes = 1 and numbered >= 0.9 * every and len(numbers) > 1
    )
    select release, name, len(middle) / (1 + (middle[-1] - middle[1]) / greatest(step, 1)) as filled
    from stepped;

-- How many shared values make a pair of columns of other names, and what share of the smaller one's.
create or replace macro sqlanon._least_shared() as {'values': 20, 'share': 0.9};

-- Columns of two releases that have a value in common: release, name, other_release, other_name, shared,
-- smaller (values of the column that has fewer), is_pair (chance does not explain that). Columns of two names
-- that share little are left out, unless said has their names (in lower case).
create or replace macro sqlanon._columns_sharing_values(releases, columns, said) as table
    with column_value as materialized (from sqlanon._values_in_columns(releases, columns)),
    compared_as as materialized (from sqlanon._kinds_to_compare('column_value')),
    key_of as materialized (from sqlanon._keys_of_columns('column_value', 'compared_as')),
    filled_range as (from sqlanon._filled_ranges('column_value')),
    keyed as materialized (
        select release, name, kind, as_kind, key, sum(n)::bigint as n, bool_or(random) as random
        from (
            select column_value.*, kind, compared_as.as_kind, sqlanon._is_random_text(value) as random
            from column_value join compared_as using (release, name)
        )
        join key_of using (as_kind, value)
        where key is not null group by release, name, kind, as_kind, key
    ),
    sized as materialized (
        select release, name, as_kind, count(*) as every, sum(n) as total, bool_or(random) as has_random
        from keyed group by release, name, as_kind
    ),
    -- of other names only what could be a pair is compared
    candidate as (
        select keyed.*, every, total,
               every >= sqlanon._least_shared().values or has_random
                   or list_contains(said::varchar[], lower(name)) as is_telling
        from keyed join sized using (release, name, as_kind)
    ),
    shared as (
        select one.release, one.name, other.release as other_release, other.name as other_name,
               count(*) as shared, least(any_value(one.every), any_value(other.every)) as smaller,
               count(*) filter (one.random and other.random) as random,
               least(any_value(one.total / one.every), any_value(other.total / other.every)) as repeated,
               sum(least(one.n / one.total, other.n / other.total)) as alike
        from candidate as one join candidate as other
          on other.as_kind = one.as_kind and other.key = one.key and other.release > one.release
        where one.as_kind = coalesce(sqlanon._common_kind(one.kind, other.kind), 3)
          and (lower(one.name) = lower(other.name) or one.is_telling and other.is_telling)
        group by one.release, one.name, other.release, other.name
    )
    select shared.release, shared.name, other_release, other_name, shared, smaller,
           random > 0
           or shared >= sqlanon._least_shared().values and shared >= sqlanon._least_shared().share * smaller
              and greatest(coalesce(one.filled, 0), coalesce(other.filled, 0)) < 0.5
              and (repeated < 10 or alike > 0.9) as is_pair
    from shared
    left join filled_range as one on one.release = shared.release and one.name = shared.name
    left join filled_range as other on other.release = other_release and other.name = other_name
    order by shared.release, other_release, shared.name, other_name;
