-- People of whom it is sure that nobody can be certain, although nobody has asked which values are possible
-- for them.
--
-- Exact cover decides by programs which values somebody can have, as long as the people and classes that hang
-- together are few (connected_people.sql). Of more people the holder of the data, who knows who has what, can
-- still show that a second world looks the same: people exchange their values so that each class of each
-- release keeps its rows. Somebody who has another value there cannot be certain, whatever is worked out.
--   * People in the same classes everywhere, with different values, exchange them (and with these all of
--     their rows, so that it is so where rows are joined, too).
--   * Of two values, flu and gout: Ann has flu, and shares her class of Monday with Bob, who has gout; he
--     shares his class of Tuesday with Cem, who has flu; and so on, until somebody shares a class of Tuesday
--     with Ann. All of them change from flu to gout, or back, and no class changes. As a graph: classes are
--     nodes; whoever has flu is an arrow from the class of Monday to that of Tuesday, whoever has gout one
--     back. Whose arrow is on a cycle, that is within a strongly connected component, exchanges. With two
--     values and two releases nobody else can. (Own derivation.)
-- Of more than two releases, one is Monday, and all others together are Tuesday, one after the other.
-- Whoever is in no class of a release changes nothing there: that is one node, without limits.
--
-- Components are found by a function that DuckDB knows once Python has registered it
-- (sqlanon/attack/exchanges.py). Whom several classes of a release cover stays as they are.

-- Whose arrows are on a cycle with those of another value: true or false for each arrow, NULL where there
-- was no time. lefts, rights: the classes, numbered; 0 is that without limits.
-- This stands here until the function is registered.
create macro if not exists sqlanon._on_cycles(lefts, rights, codes, seconds) as null::boolean[];

-- How many seconds that may take for all columns and releases; and how many arrows there may be in all.
create or replace macro sqlanon._seconds_of_exchanges() as 10;
create or replace macro sqlanon._most_exchanges() as 5000000;

-- What the people of each fate have in fact: fate, attribute, code (NULL: a value that no release has),
-- people. true_values: target, knowledge, attribute, value, people; combined, all_fates, domain: relations of
-- _attack.
create or replace macro sqlanon._true_codes(true_values, combined, all_fates, domain) as table
    select fate, own.attribute, code, sum(people)::bigint as people
    from query_table(true_values) as own
    left join (select attribute, code, value from query_table(domain)) as known
      on known.attribute = own.attribute and known.value is not distinct from own.value
    join query_table(combined) using (target, knowledge)
    join (select fate, covers from query_table(all_fates)) using (covers)
    group by fate, own.attribute, code;

-- Where people are, release by release: fate, release, class_id (NULL: in none). Without those whom several
-- classes of a release cover.
create or replace macro sqlanon._places_of_fates(all_fates, all_covers) as table
    with covered as (
        select fate, release, classes
        from (select fate, unnest(covers) as cover from query_table(all_fates) where people > 0)
        join query_table(all_covers) using (cover)
    )
    select fate, release, classes[1] as class_id from covered
    where fate not in (select fate from covered where len(classes) > 1);

-- Who can exchange a value: as in _true_codes. Not the people of a class of which more have a value than it
-- has rows with it: somebody there is not where they were located, or had another value then.
create or replace macro sqlanon._can_exchange(true_codes, places_of_fates, histogram) as table
    with crowded as materialized (
        select release, class_id, attribute
        from query_table(true_codes) join query_table(places_of_fates) using (fate)
        left join query_table(histogram) using (release, class_id, attribute, code)
        where class_id is not null group by release, class_id, attribute, code
        having sum(people) > coalesce(any_value(n), 0)
    ),
    doubtful as (
        select distinct fate, attribute
        from query_table(places_of_fates) join crowded using (release, class_id)
    )
    from query_table(true_codes)
    semi join query_table(places_of_fates) using (fate)
    anti join doubtful using (fate, attribute)
    where code is not null;

-- Arrows from the class of a release to those of all others: release, attribute, fate, code, left, right
-- (numbers; 0: in no class). Two releases have them once.
create or replace macro sqlanon._arrows(true_codes, places_of_fates) as table
    with placed as (
        select fate, list(release order by release) as releases, list(class_id order by release) as classes
        from query_table(places_of_fates) group by fate
    ),
    from_each as (
        select fate, releases[nth] as release, classes[nth] as own,
               list_filter(classes, lambda one, place: place <> nth) as others
        from (select *, unnest(range(1, len(classes) + if(len(classes) = 2, 0, 1))) as nth from placed)
    ),
    numbered as materialized (
        select fate, release,
               if(own is null, 0, 2 * dense_rank() over (partition by release order by own)) as "left",
               if(list_count(others) = 0, 0, 2 * dense_rank() over (partition by release order by others) + 1)
                   as "right"
        from from_each
    )
    select release, attribute, fate, code, "left", "right"
    from query_table(true_codes) join numbered using (fate)
    where (select count(*) from numbered) <= sqlanon._most_exchanges();

-- Who has another value in a world that looks the same: fate, attribute. alone: only people in the same
-- classes everywhere exchange values, as rows are joined, or something else is known of people.
create or replace macro sqlanon._in_two_worlds(
    true_values, combined, all_fates, all_covers, histogram, domain, alone) as table
    with true_code as materialized (from sqlanon._true_codes(true_values, combined, all_fates, domain)),
    place as materialized (from sqlanon._places_of_fates(all_fates, all_covers)),
    exchanged as materialized (from sqlanon._can_exchange('true_code', 'place', histogram)),
    arrow as materialized (from sqlanon._arrows('exchanged', 'place') where not alone),
    listed as materialized (
        select list(fate order by fate, code) as arrows, attribute, list("left" order by fate, code) as lefts,
               list("right" order by fate, code) as rights, list(code order by fate, code) as codes
        from arrow group by attribute, release
    ),
    found as (
        select attribute, unnest(arrows) as fate,
               unnest(sqlanon._on_cycles(
                   lefts, rights, codes, sqlanon._seconds_of_exchanges() / (select count(*) from listed)))
                   as on_cycle
        from listed
    )
    select fate, attribute from exchanged group by fate, attribute having count(*) > 1
    union
    select fate, attribute from found where on_cycle;

-- The same where there is somebody to ask about; nobody where the truth is not known, or exact cover is not
-- made. decided: a relation with fate, attribute, not_asked.
create or replace macro sqlanon._shown_by_exchanges(
    decided, true_values, combined, all_fates, all_covers, histogram, domain, alone) as table
    with nobody as (select null::bigint as fate, null::integer as attribute where false),
    open as (
        from sqlanon._in_two_worlds(
            true_values, combined, all_fates, all_covers, histogram, domain, alone)
        where (select bool_or(not_asked) from query_table(decided))
    )
    from query_table(if(true_values is null, 'nobody', 'open'));
