-- Exact cover: candidates that other people's values rule out.
--
-- Each target has a row of its own in its class, and a value stands in as many rows as the histogram says. So if some values can only
-- be had by as many targets as the class has rows with them, nobody else in the class can have them. A class of n rows with n known
-- targets is a puzzle as on the Sudoku page. (Hall 1935: for a class on its own, what this rule leaves of all sets of values is what
-- some assignment of rows to targets has. Over several releases it is repeated until nothing changes.)
--
-- The rule only removes what is impossible, if everybody is where they were located. Sets of values to look at are unions of the
-- candidates of targets in the class; with more than 12 different ones in a class, of the 12 with fewest rows.

-- Who is in which class for sure: release, class_id, fate, people. Where several classes cover a target, its row may be in any of them.
create or replace macro sqlanon._members(all_fates, all_covers) as table
    select release, classes[1] as class_id, fate, people
    from (select fate, people, unnest(covers) as cover from query_table(all_fates)) join query_table(all_covers) using (cover)
    where len(classes) = 1;

-- The kinds of people in a class, by their candidates: release, class_id, attribute, codes, people, and known (all of them in the class).
-- state: fate, attribute, codes (sorted), round. Who has no candidate left was not located rightly, and takes no row.
create or replace macro sqlanon._kinds(state, members) as table
    with kind as (
        select release, class_id, attribute, codes, sum(people) as people
        from query_table(state) join query_table(members) using (fate) where len(codes) > 0
        group by release, class_id, attribute, codes
    )
    from kind join (select release, class_id, attribute, sum(people) as known from kind group by release, class_id, attribute)
              using (release, class_id, attribute);

-- Sets of values as in `codes`, with the rows that have them: histogram is release, class_id, attribute, code, n.
create or replace macro sqlanon._set_rows(sets, histogram) as table
    select release, class_id, attribute, codes, known, sum(n) as set_rows
    from (select *, unnest(codes) as code from query_table(sets)) join query_table(histogram) using (release, class_id, attribute, code)
    group by release, class_id, attribute, codes, known having sum(n) <= known;

-- Sets that are tight: people want only values of the set, and these are as many as the rows with them. Nobody of another kind has one of
-- these rows. A class with more such people than rows is none that everybody is in: it tells nothing.
create or replace macro sqlanon._tight_sets(kinds, histogram) as table
    with kind_rows as (from sqlanon._set_rows(kinds, histogram)),
    united as (
        select release, class_id, attribute, known,
               unnest(list_reduce(list_transform(list(codes order by set_rows, codes)[:12], lambda one: [one]),
                                  lambda sets, one: list_distinct(sets || one || list_transform(sets, lambda codes: list_sort(list_distinct(codes || one[1])))))) as codes
        from kind_rows group by release, class_id, attribute, known
    ),
    wanted as (
        select release, class_id, attribute, u.codes, set_rows, sum(people) as people
        from sqlanon._set_rows('united', histogram) as u join query_table(kinds) as k using (release, class_id, attribute)
        where list_has_all(u.codes, k.codes) group by release, class_id, attribute, u.codes, set_rows
    )
    select release, class_id, attribute, codes from wanted
    where people = set_rows
      and row(release, class_id, attribute) not in (select row(release, class_id, attribute) from wanted where people > set_rows);

-- One round: the state with fewer codes, and a round more; no rows if nothing changes.
create or replace macro sqlanon._exact_cover_round(state, members, histogram) as table
    with kind as materialized (from sqlanon._kinds(state, members)),
    taken as (
        select distinct fate, attribute, unnest(tight.codes) as code
        from sqlanon._tight_sets('kind', histogram) as tight join query_table(members) using (release, class_id) join query_table(state) as s using (fate, attribute)
        where list_has_any(tight.codes, s.codes) and not list_has_all(tight.codes, s.codes)
    ),
    fewer as materialized (select fate, attribute, list(code) as taken from taken group by fate, attribute)
    select fate, attribute, case when taken is null then codes else list_filter(codes, lambda code: not list_contains(taken, code)) end as codes, round + 1 as round
    from query_table(state) left join fewer using (fate, attribute) where exists (from fewer);

-- The candidates that are left: fate, attribute, codes. Parameters are relations of _attack.
create or replace macro sqlanon._exact_cover(all_shared, all_fates, all_covers, histogram) as table
    with recursive member as materialized (from sqlanon._members(all_fates, all_covers)),
    state as (
        select fate, attribute, list_sort(codes) as codes, 0 as round from query_table(all_shared)
        union all
        from sqlanon._exact_cover_round('state', 'member', histogram)
    )
    select fate, attribute, codes from state where round = (select max(round) from state);
