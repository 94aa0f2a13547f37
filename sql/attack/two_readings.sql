-- Two readings: values of different releases that differ by spelling alone ("flu " and "Flu") may be one
-- value, or two (the alleles a and A). To read them as one errs towards danger within a release, but may err
-- the other way where releases are intersected. So both readings are attacked, and whoever has other
-- candidates is counted.

-- The spellings of values that stand in several ways in some tables: attribute, value, read_as (one of them,
-- the same for all that are alike: one that is preferred, or the most frequent). stated: attribute, value, n,
-- preferred (a truth value).
create or replace macro sqlanon._spelled_in_several_ways(stated) as table
    with told as (
        select attribute, value, sum(n) as n, bool_or(preferred) as preferred
        from query_table(stated) where value is not null group by all
    ),
    alike as (select *, sqlanon._folded(value) as folded from told)
    select attribute, value,
           first_value(value) over (
               partition by attribute, folded order by preferred desc, n desc, value) as read_as
    from alike where folded is not null
    qualify count(*) over (partition by attribute, folded) > 1
    order by all;

-- The people who have other candidates where spellings are one value, or fewer: who, person, sensitive.
-- written, read: as in _attacked, of both readings; spellings: attribute (a name), value, read_as.
create or replace macro sqlanon._candidates_that_differ(written, read, spellings) as table
    with spelling as materialized (
        select attribute, map_from_entries(list({'k': value, 'v': read_as})) as meaning
        from query_table(spellings) group by attribute
    ),
    one as (select distinct who, person, sensitive, candidates from query_table(written)),
    other as (select distinct who, sensitive, candidates from query_table(read)),
    meant as (
        select sensitive, candidates,
               list_sort(list_distinct(list_transform(candidates, lambda candidate:
                   coalesce(meaning[candidate], candidate)))) as read_as
        from (select distinct sensitive, candidates from one)
        left join spelling on lower(attribute) = lower(sensitive)
    )
    select distinct who, person, sensitive
    from one
    join other using (who, sensitive)
    join meant on meant.sensitive = one.sensitive and meant.candidates is not distinct from one.candidates
    where len(one.candidates) <> len(other.candidates) or list_sort(other.candidates) <> meant.read_as;
