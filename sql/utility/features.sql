-- Features: what a released value says, as numbers from which a model can learn. An interval is its midpoint,
-- a column of categories is a column per category (one-hot), and a set of them is spread over its elements in
-- equal shares.

-- A number, or a point in time as days since 1970, and NULL for other texts.
create or replace macro sqlanon._as_feature(string) as
    coalesce(try_cast(string as double), epoch_us(try_cast(string as timestamp)) / 86400e6);

-- What the labels of hierarchies stand for: attribute, label, elements, lo, hi (where all of these are
-- numbers or dates).
create or replace macro sqlanon._elements_of_labels(hierarchy) as table
    select attribute, label, list(distinct value) as elements,
           if(count(sqlanon._as_feature(value)) = count(value), min(sqlanon._as_feature(value)), null) as lo,
           if(count(sqlanon._as_feature(value)) = count(value), max(sqlanon._as_feature(value)), null) as hi
    from sqlanon._hierarchy(hierarchy) where level > 0 and label <> '*' group by attribute, label;

-- What the labels of each column say: d, label, and the fields of _said; lo and hi of values, too. A label of
-- a hierarchy is the set of its values.
create or replace macro sqlanon._bounds_of_labels(tbl, columns, hierarchies) as table
    with class as (from sqlanon._release_classes(tbl, columns)),
    label as (select d, string as label from sqlanon._long('class', columns, 'l{i}')),
    _sqlanon_hierarchy as materialized (from sqlanon._hierarchies(hierarchies)),
    of_hierarchy as (from sqlanon._elements_of_labels('_sqlanon_hierarchy'))
    select d, read.label, if(known.label is null, form, 'set') as form,
           coalesce(known.elements, read.elements) as elements,
           coalesce(known.lo, sqlanon._as_feature(
               case form when 'interval' then read.lo when 'value' then read.label end)) as lo,
           coalesce(known.hi, sqlanon._as_feature(
               case form when 'interval' then read.hi when 'value' then read.label end)) as hi
    from sqlanon._readings('label') as read
    left join of_hierarchy as known
        on known.attribute = lower(sqlanon._list(columns)[d]) and known.label = read.label;

create or replace macro sqlanon._features(tbl, columns, categorical, hierarchies) as table
    with said as materialized (from sqlanon._bounds_of_labels(tbl, columns, hierarchies)),
    extent as materialized (
        select d, min(coalesce(lo, hi)) as lowest, max(coalesce(hi, lo)) as highest,
               not list_contains(sqlanon._lower(sqlanon._list(categorical)), lower(sqlanon._list(columns)[d]))
               and bool_and(lo is not null or hi is not null) filter (label <> '*') as is_number
        from said group by d
    ),
    element as (
        select distinct d, label,
               unnest(case form when 'set' then elements when 'any' then null else [label] end) as category
        from said join extent using (d) where not coalesce(is_number, false) and label is not null
    ),
    -- everything that is named somewhere in the column
    anything as (
        select distinct said.d, said.label, category
        from said join element using (d) where said.form = 'any'
    ),
    spread as (from element union all from anything)
    select sqlanon._list(columns)[d] as attribute, label, sqlanon._list(columns)[d] as feature,
           if(label = '*', (lowest + highest) / 2, (coalesce(lo, hi) + coalesce(hi, lo)) / 2) as value
    from said join extent using (d) where is_number and label is not null
    union all
    select sqlanon._list(columns)[d], label, sqlanon._list(columns)[d] || '=' || category as feature,
           1 / count(*) over (partition by d, label) as value
    from spread qualify category is not null
    order by attribute, label, feature;

create or replace macro sqlanon.features(tbl, columns, categorical := null, hierarchies := null) as table
    from query(sqlanon._checked(columns, null, null) || {call _features});

comment on macro table sqlanon.features is $$
Converts the values of a release, or of its original, to numbers (features) for machine learning: one row per
column, value and feature.

Parameters:
- tbl (table): a release of classes, or any table.
- columns (columns): the columns to convert.
- categorical (columns; default null): those that are categories although they look like numbers.
- hierarchies (table; default null): rows of attribute, value, level and label: the values that released
  labels stand for.

Result:
- attribute (text): the column.
- label (text): the value, as text.
- feature (text): the name of the column, if all its values are numbers, dates or intervals of these;
  otherwise column=category.
- value (number): for a number itself; for an interval its midpoint, for an open one its bound; for dates the
  days since 1970; for * the middle of the whole column. For a category 1; for a set of n categories 1 / n
  each. * is spread over all categories. NULL has no features, also within a set.

Errors: unknown column, empty table.

Source: own derivation (the values that an interval or a set stands for are taken to be equally likely).

Example:
with release as (from sqlanon.mondrian('people', qi := ['age', 'zip'], k := 3))
from sqlanon.features('release', ['age', 'zip'], categorical := 'zip');
$$;
