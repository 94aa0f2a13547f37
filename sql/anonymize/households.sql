-- Households: rows of people who live together. Who finds one of them has found all, and what is known of a
-- household (its size, its tenure) is known of each of its members.
--
-- So variables of a household leave alike for all of its members, where they would be told apart otherwise by
-- the classes that members are in; and rows of a household leave together or not at all, because a household
-- that lacks a member is another one. What is required counts people: nothing is promised of a household as a
-- whole, whose size and members' joint values may be there once only.

-- An empty text, or an error where parameters do not go together.
create or replace macro sqlanon._households_checked(
    household, household_qi, qi, sensitive, relaxed := false, population := null, known := null) as
    case when household is null and len(sqlanon._list(household_qi)) > 0
         then error('household_qi needs household: the column that names the household of each row')
         when household is null then ''
         when len(sqlanon._not_among(household, sqlanon._list(qi) || sqlanon._list(sensitive))) = 0
         then error('household names "' || household || '", which is in qi or sensitive: it says who belongs '
                    || 'together, and is no quasi-identifier')
         when len(sqlanon._not_among(household_qi, qi)) > 0
         then error('household_qi names "' || coalesce(sqlanon._not_among(household_qi, qi)[1], 'NULL')
                    || '", which is not in qi')
         when coalesce(relaxed::boolean, false)
         then error('household does not go with relaxed := true, which divides rows with the same values')
         when population is not null
         then error('household does not go with a population (k_map, dmin, dmax)')
         when known is not null
         then error('household does not go with known releases (composed_l, based_on)')
         else '' end;

-- No rows, or an error where a row has no household, or members of one have different values.
create or replace macro sqlanon._refuse_unlike_members(source, household, household_qi) as table
    from query(sqlanon._fill($$
        with member as (
            select {key} as household {each household_qi: , src.{c} as x{i}} from {source} as src
        ),
        household as (select household {apart} from member where household is not null group by household)
        select error(count(*) || {without}) as refused
        from member where household is null having count(*) > 0
        {differing}
    $$, map {
        'key': sqlanon._person(household, []),
        'without': sqlanon._literal(
            ' rows have no household: column "' || household || '" is missing there. Leave them out, or give '
            || 'each a household of its own'),
        'apart': sqlanon._each(
            household_qi, ', count(distinct x{i}) + bool_or(x{i} is null)::integer > 1 as differs{i}', ''),
        'differing': sqlanon._each_filled(household_qi, $$
            union all
            select error(count(*) || ' of ' || (select count(*) from household)
                         || ' households have members with different values of column ' || {s}
                         || ': it is none of the household, or the values are to be made equal first '
                         || '(spellings, too: a policy''s fold and trim do that)')
            from household where differs{i} having count(*) > 0
        $$, map {'_': ''}, '')}));

-- How many households of a finished release are not as they should be: households, differing (members have
-- different values of a column in household_qi), partial (some members are missing); and unique_ones: no
-- other household has its members' released values, taken together.
create or replace macro sqlanon._checked_households(release, source, qi, household, household_qi) as table
    from query(sqlanon._fill($$
        with released as (
            select {key} as household, count(*) as n,
                   count(distinct hash(row({shared}))) > 1 as differs,
                   list_sort(list(hash(row({each qi: src.{c}})))) as members
            from {release} as src group by all
        ),
        raw as (select {key} as household, count(*) as n from {source} as src group by all),
        alike as (select count(*) as households from released group by members)
        select (select count(*) from released) as households,
               (select count(*) from released where differs) as differing,
               (select count(*) from released left join raw using (household)
                where released.n is distinct from raw.n) as partial,
               (select count(*) from alike where households = 1) as unique_ones
    $$, map {
        'key': sqlanon._person(household, []), 'release': sqlanon._relation(release),
        'source': sqlanon._relation(source),
        'shared': coalesce(nullif(sqlanon._each(household_qi, 'src.{c}', ', '), ''), '0')}));
