-- What a new release adds, person by person: whoever is above a bound now and was not before, or was and is
-- now surer by more than a step. Two people who were above it before and two others who are after are the
-- same share, but two people were added.

-- The measures to be looked at person by person, of attacks that tell of each how sure somebody is: attack,
-- id, releases, sensitive, most (what is tolerated; NULL: nothing is stated, though somebody is certain),
-- verdict (fails, or not known for the upper ends of probabilities alone). judged: rows of _judged_attacks.
create or replace macro sqlanon._measures_by_person(judged) as table
    select * exclude (sampled)
    from (
        select attack, id, releases, sensitive, sampled, tolerated as most, verdict
        from query_table(judged)
        where verdict = 'fails'
           or verdict = 'not known'
              and reason = sqlanon._what_errors_leave_open(id, value, upper, unit, tolerated)
        union all
        select attack, id, releases, sensitive, sampled, null, 'fails' from sqlanon._unstated_danger(judged)
    )
    where attack in ('intersection_attack', 'exact_cover') and not sampled
      and regexp_full_match(id, 'certain|(sure|pvp)_[0-9_]+|sure_[0-9_]+_unsuppressed');

-- How sure an adversary is of each person, by what a measure counts: person (the unit where there is one),
-- sensitive, sure (0 to 1), is_open (it is certain only if a single value is left, which is not known).
-- attacked: as in _attacked. id: sure_90 (upper ends of probabilities), pvp_50 or certain (one over the
-- values that are left; 1 for whom a single one may be left, by their upper end).
create or replace macro sqlanon._sureties(attacked, id) as table
    select coalesce(person::varchar, who::varchar) as person, sensitive,
           max(case when certain is not null then 1 when ends_with(id, '_unsuppressed') then unsuppressed
                    when starts_with(id, 'sure_') or id = 'certain' and upper >= 1 - 1e-12 then upper
                    else 1 / nullif(posterior, 0) end) as sure,
           coalesce(id = 'certain' and bool_and(certain is null and posterior > 1), false) as is_open
    from query_table(attacked) where posterior > 0 or certain is not null group by all;

-- What is found of a column that no release has: nothing of anybody, in those columns of _attacked that are
-- looked at here.
create or replace macro sqlanon._nothing_attacked() as table
    select null::bigint as who, null::varchar as person, null::varchar as sensitive,
           null::bigint as posterior, null::double as upper, null::double as unsuppressed,
           null::varchar[] as certain
    where false;

-- The bound of such a measure, from 0 to 1.
create or replace macro sqlanon._level_of_measure(id) as
    if(id = 'certain', 1,
       replace(regexp_extract(id, '^(?:sure|pvp)_(\d+(?:_\d+)?)(?:_unsuppressed)?$', 1), '_', '.')::double
       / 100);

-- People above the bound: person, sensitive, was_above (without the new release), is_added, is_open (as in
-- _sureties). step: how much surer counts as added.
create or replace macro sqlanon._above_bound(now, before, id, step) as table
    with level as (select sqlanon._level_of_measure(id) - 1e-12 as least),
    above as (from sqlanon._sureties(now, id), level where sure >= least),
    earlier as (from sqlanon._sureties(before, id))
    select above.person, above.sensitive, coalesce(earlier.sure >= least, false) as was_above,
           coalesce(earlier.sure < least or above.sure > earlier.sure + step, true) as is_added,
           above.is_open
    from above left join earlier using (person, sensitive);

-- How many people are above the bound: people.
create or replace macro sqlanon._people_above(attacked, id, sensitive_column) as table
    select count(*) as people from sqlanon._sureties(attacked, id)
    where sensitive = sensitive_column and sure >= sqlanon._level_of_measure(id) - 1e-12;
