-- Columns that a new file calls otherwise ("date of birth", which was "birth" last month): by their values.
--
-- A column of the file is compared with a column of last month, be that the table or what was released of it.
-- Nothing is assumed by it: a person is asked.

-- Are two columns called a birth date, a sex or a postcode, both of them?
create or replace macro sqlanon._are_called_alike(name, other) as
    sqlanon._is_called(name, 'birth') and sqlanon._is_called(other, 'birth')
    or sqlanon._is_called(name, 'sex') and sqlanon._is_called(other, 'sex')
    or sqlanon._is_called(name, 'code') and sqlanon._is_called(other, 'code')
    -- age, and Age (years)
    or lower(regexp_replace(name, ' *[([].*$', '')) = lower(regexp_replace(other, ' *[([].*$', ''));

-- The share of the rows of a column whose values last month's has, too: share, NULL where there is none.
-- Compared are 200 values at most. earlier: last month's table or release. hierarchies: attribute, value,
-- level and label; the label above a value, and one that covers it ([20, 29]), is the value of a release.
create or replace macro sqlanon._share_in_common(today, earlier, name, hierarchies) as table
    with value as materialized (
        select cell, cell::varchar as text, n
        from (
            select cell, count(*) as n
            from (select columns(lambda called: lower(called) = lower(name)) as cell from query_table(today))
            where cell is not null group by cell
        )
        order by n desc, hash(text) limit 200
    ),
    label as materialized (
        select distinct label::varchar as label
        from (select columns(lambda called: lower(called) = lower(name)) as label from query_table(earlier))
        where label is not null
    ),
    above as (
        select value as text, list(label) as labels
        from sqlanon._hierarchies(hierarchies) where lower(attribute) = lower(name) group by value
    ),
    found as (
        select any_value(n) as n, bool_or(
                   label = text or label <> '*'
                   and sqlanon.covers(label, cell, labels := coalesce(labels, []))) as in_common
        from value left join above using (text) cross join label group by text
    )
    select sum(n) filter (in_common) / sum(n) as share from found;

-- Has a column of postcodes lost the zeros in front, which last month's had: is_so. earlier: last month's
-- table or release, where a code may be masked (01***).
create or replace macro sqlanon._has_lost_zeros(today, earlier, name) as table
    with value as (
        select cell::varchar as text
        from (select columns(lambda called: lower(called) = lower(name)) as cell from query_table(today))
    ),
    label as (
        select label::varchar as label
        from (select columns(lambda called: lower(called) = lower(name)) as label from query_table(earlier))
    )
    select bool_and(regexp_full_match(text, '[1-9][0-9]{3,4}')) and min(length(text)) = 4 and exists (
               from label where regexp_matches(label, '(^|[^0-9*])0[0-9*]{4}([^0-9*]|$)')) as is_so
    from value;
