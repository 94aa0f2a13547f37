-- Sensitive columns in which releases have no value in common: there is nothing to intersect.

-- How many values two releases share: attribute, release, other, shared.
create or replace macro sqlanon._shared_values(compared_values) as table
    with had as materialized (select distinct attribute, release, key from query_table(compared_values)),
    pair as (
        select one.attribute, one.release, other.release as other
        from (select distinct attribute, release from had) as one
        join (select distinct attribute, release from had) as other
          on other.attribute = one.attribute and other.release > one.release
    ),
    counted as (
        select one.attribute, one.release, other.release as other, count(*) as shared
        from had as one join had as other
          on other.attribute = one.attribute and other.key is not distinct from one.key
         and other.release > one.release
        group by all
    )
    select attribute, release, other, coalesce(shared, 0) as shared
    from pair left join counted using (attribute, release, other);

-- The sensitive values of a release, of all its classes together (otherwise as in _values_of_cells): release,
-- attribute, value, kind, type (of the column), n. The text of a SELECT.
create or replace macro sqlanon._stated_values(release, number, sensitive, weight := null) as
    sqlanon._fill($$
        select {=number} as release, unnest(range(1, {end}))::integer as attribute,
               unnest([{texts}]::varchar[]) as value, unnest([{kinds}]::integer[]) as kind,
               unnest([{each sensitive: typeof(src.{c})}]) as type, n
        from (select {each sensitive: src.{c}}, {count} as n from {source} as src group by all) as src
    $$, map {
        'end': (len(sqlanon._list(sensitive)) + 1)::varchar,
        'texts': sqlanon._each(sensitive, 'src.{c}::varchar', ', '),
        'kinds': sqlanon._each(sensitive, 'sqlanon._kind_of_type(typeof(src.{c}))', ', '),
        'count': sqlanon._count(weight), 'source': sqlanon._projected(release, sensitive, null, weight)});

-- What keeps the values of two columns apart. one, other: kind, type and example of a column.
create or replace macro sqlanon._why_unshared(one, other) as
    case when sqlanon._common_kind(one.kind, other.kind) <> sqlanon._common_kind(other.kind, one.kind)
         then 'one has ' || one.type || ' and the other ' || other.type
              || ', which do not compare: cast one of them'
         when coalesce(one.kind, 3) <> coalesce(other.kind, 3) and (one.kind is null or other.kind is null)
         then 'one has ' || one.type || ' and the other ' || other.type
              || ', in which nothing reads as such: ' || coalesce(one.example, 'NULL')
              || ', ' || coalesce(other.example, 'NULL')
         else 'no value is in both: the one has ' || coalesce(one.example, 'NULL')
              || ', the other ' || coalesce(other.example, 'NULL')
    end;

-- Which two releases share nothing: sensitive (the column), release, other, why.
create or replace macro sqlanon._unshared_values(releases, sensitive) as table
    with _sqlanon_stated as materialized (
        from query(sqlanon._over_releases(
            list_transform(sqlanon._list(releases), lambda release, number:
                sqlanon._stated_values(release, number, sensitive))))
    ),
    _sqlanon_no_truth as (select null::integer as attribute, null::integer as kind),
    _sqlanon_kind as materialized (from sqlanon._sensitive_kinds('_sqlanon_stated', '_sqlanon_no_truth')),
    _sqlanon_compared as materialized (from sqlanon._compared_values('_sqlanon_stated', '_sqlanon_kind')),
    _sqlanon_column as (
        select attribute, release, any_value(type) as type, any_value(kind) as kind, min(value) as example
        from _sqlanon_stated group by attribute, release
    )
    select sqlanon._list(sensitive)[attribute] as sensitive,
           sqlanon._list(releases)[shared.release] as release, sqlanon._list(releases)[other] as other,
           sqlanon._why_unshared(one, two) as why
    from sqlanon._shared_values('_sqlanon_compared') as shared
    join _sqlanon_column as one using (attribute)
    join _sqlanon_column as two using (attribute)
    where shared.shared = 0 and one.release = shared.release and two.release = shared.other
    order by attribute, shared.release, other;

create or replace macro sqlanon.unshared_values(releases, sensitive) as table
    from query(sqlanon._checked(sensitive, null, null) || {call _unshared_values});

comment on macro table sqlanon.unshared_values is $$
Finds pairs of releases that have no sensitive value in common, so that the intersection attack cannot work on
them: one row per sensitive column and pair of releases. No rows: all pairs have some in common.

Parameters:
- releases (list of tables): the releases, all with the columns in sensitive.
- sensitive (columns): the columns to be compared.

Result:
- sensitive (text): the name of the sensitive column.
- release (text): one release of the pair.
- other (text): the other one.
- why (text): the reason, such as different types.

Errors: unknown column.

Notes: values of different types are compared as in intersection_attack; numbers never equal dates. If there
are such rows, a PVP of 0 % in breaches does not mean that people are safe.

Example:
with elsewhere as (select * replace ('grippe' as disease) from west)
from sqlanon.unshared_values(['east', 'elsewhere'], sensitive := 'disease');
$$;
