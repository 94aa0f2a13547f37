-- Exact cover: candidates that other people's values rule out.
--
-- Each target has a row of its own in its class, and a value stands in as many rows as the histogram says. So
-- if some values can only be had by as many targets as the class has rows with them, nobody else in the class
-- can have them. A class of n rows with n known targets is a puzzle as on the Sudoku page. (Hall 1935: for a
-- class on its own, what this rule leaves of all sets of values is what some assignment of rows to targets
-- has. Over several releases it is repeated until nothing changes.)
--
-- The rule only removes what is impossible, if everybody is where they were located. Sets of values to look
-- at are unions of the candidates of targets in the class. Of 12 sets there are up to 4095 unions: where more
-- than 12 sets overlap with others, only unions of the 12 with fewest rows are looked at, and `unfinished`
-- says so.
--
-- Sets that share no value need no union: it is tight if both are. A class is looked at again only if the
-- candidates of somebody in it have changed. So the work grows with the number of classes, and not with how
-- many values there are.
--
-- Then people are counted over all classes, as told under COUNTS below.

-- Who is in which class for sure: release, class_id, fate, people. Where several classes cover a target, its
-- row may be in any of them. In a class of fewer rows than people some of these are not, and nobody knows
-- who.
create or replace macro sqlanon._members(all_fates, all_covers, histogram) as table
    with member as (
        select release, classes[1] as class_id, fate, people
        from (select fate, people, unnest(covers) as cover from query_table(all_fates))
        join query_table(all_covers) using (cover)
        where len(classes) = 1
    ),
    class_rows as (
        select release, class_id, max(n) as n
        from (select release, class_id, sum(n) as n from query_table(histogram)
              group by release, class_id, attribute)
        group by release, class_id
    ),
    crowded as (
        select release, class_id from member join class_rows using (release, class_id)
        group by release, class_id having sum(people) > any_value(n)
    )
    from member anti join crowded using (release, class_id);

-- The kinds of people in each class, by their candidates: release, class_id, attribute, kind (a number),
-- fate, codes, people. state: fate, attribute, codes (sorted), changed. Who has no candidate left was not
-- located rightly, and takes no row.
create or replace macro sqlanon._kinds(state, members) as table
    with person as (
        select release, class_id, attribute, fate, codes, people, changed
        from query_table(state) join query_table(members) using (fate) where len(codes) > 0
    ),
    looked_at as (select distinct release, class_id, attribute from person where changed)
    select release, class_id, attribute, fate, codes, people,
           dense_rank() over (order by release, class_id, attribute, codes) as kind
    from person semi join looked_at using (release, class_id, attribute);

-- The values of each kind: release, class_id, attribute, kind, people (of this kind), code, n (rows that have
-- it).
create or replace macro sqlanon._kind_codes(kinds, histogram) as table
    select release, class_id, attribute, kind, people, code, n
    from (
        select release, class_id, attribute, kind, sum(people)::bigint as people,
               unnest(any_value(codes)) as code
        from query_table(kinds) group by release, class_id, attribute, kind
    )
    join query_table(histogram) using (release, class_id, attribute, code);

-- Kinds whose values others have as well, and which could be as many as the rows with them: release,
-- class_id, attribute, chosen (those with fewest rows, twelve at most), left_out (how many more there are).
create or replace macro sqlanon._overlapping_kinds(kind_codes) as table
    with person as (
        select release, class_id, attribute, sum(people) as known
        from (select distinct release, class_id, attribute, kind, people from query_table(kind_codes))
        group by release, class_id, attribute
    ),
    wanted as (
        select release, class_id, attribute, code, count(*) > 1 as others_too
        from query_table(kind_codes) group by release, class_id, attribute, code
    ),
    kind_rows as (
        select release, class_id, attribute, kind, sum(n) as set_rows
        from query_table(kind_codes) join wanted using (release, class_id, attribute, code)
        group by release, class_id, attribute, kind having bool_or(others_too)
    )
    select release, class_id, attribute, list(kind order by set_rows, kind)[:12] as chosen,
           greatest(count(*) - 12, 0) as left_out
    from kind_rows join person using (release, class_id, attribute) where set_rows <= known
    group by release, class_id, attribute;

-- The values of chosen kinds as bits: release, class_id, attribute, code, n, bit. Values that the same of
-- these kinds have share one. With more than 62 of them the class is left alone, and has no rows.
create or replace macro sqlanon._code_bits(kind_codes, overlapping) as table
    with choice as (
        select release, class_id, attribute, unnest(chosen) as kind, unnest(range(len(chosen))) as place
        from query_table(overlapping)
    ),
    shared_by as (
        select release, class_id, attribute, code, any_value(n) as n, bit_or(1 << place) as kinds_with_it
        from query_table(kind_codes) join choice using (release, class_id, attribute, kind)
        group by release, class_id, attribute, code
    ),
    numbered as (
        select release, class_id, attribute, list_sort(list(distinct kinds_with_it)) as found
        from shared_by group by release, class_id, attribute having count(distinct kinds_with_it) <= 62
    )
    select release, class_id, attribute, code, n,
           1::bigint << (list_position(found, kinds_with_it) - 1) as bit
    from shared_by join numbered using (release, class_id, attribute);

-- Each kind's values as bits: release, class_id, attribute, kind, people, mask, whole (it has no other
-- values).
create or replace macro sqlanon._kind_masks(kind_codes, code_bits) as table
    select release, class_id, attribute, kind, any_value(people) as people, bit_or(bit) as mask,
           count(*) = count(bit) as whole
    from query_table(kind_codes) left join query_table(code_bits) using (release, class_id, attribute, code)
    group by release, class_id, attribute, kind;

-- All unions of overlapping sets, as bits: release, class_id, attribute, united.
create or replace macro sqlanon._unions(kind_masks, overlapping) as table
    with choice as (
        select release, class_id, attribute, unnest(chosen) as kind from query_table(overlapping)
    ),
    masks as (
        select release, class_id, attribute, list(distinct mask) as masks
        from choice join query_table(kind_masks) using (release, class_id, attribute, kind)
        where mask is not null group by release, class_id, attribute
    ),
    -- Sets that hang together: each further one joins those that it shares a bit with.
    together as (
        select release, class_id, attribute, masks,
               unnest(list_reduce(list_transform(masks, lambda mask: [mask]), lambda groups, mask:
                   list_filter(groups, lambda other: other & mask[1] = 0)
                   || [list_bit_or(list_filter(groups, lambda other: other & mask[1] <> 0) || mask)]
               )) as grouped
        from masks
    )
    select release, class_id, attribute,
           unnest(list_reduce(
               list_transform(list_filter(masks, lambda mask: mask & grouped <> 0), lambda mask: [mask]),
               lambda united, mask:
                   list_distinct(united || mask || list_transform(united, lambda other: other | mask[1]))
           )) as united
    from together;

-- Sets that are tight: people want only values of the set, and these are as many as the rows with them.
-- Nobody of another kind has one of these rows. A class with more such people than rows is none that
-- everybody is in: it tells nothing.
create or replace macro sqlanon._tight_sets(kind_codes, code_bits, kind_masks, unions) as table
    with bit_rows as materialized (
        select release, class_id, attribute, bit, sum(n) as n
        from query_table(code_bits) group by release, class_id, attribute, bit
    ),
    set_rows as (
        select release, class_id, attribute, united, sum(n) as set_rows
        from query_table(unions) join bit_rows using (release, class_id, attribute) where bit & united <> 0
        group by release, class_id, attribute, united
    ),
    wanted as (
        select release, class_id, attribute, united, sum(people) as people
        from query_table(unions) join query_table(kind_masks) using (release, class_id, attribute)
        where whole and mask & united = mask
        group by release, class_id, attribute, united
    ),
    compared as materialized (
        select release, class_id, attribute, united, people, set_rows
        from set_rows join wanted using (release, class_id, attribute, united) where people >= set_rows
    ),
    impossible as (
        select release, class_id, attribute from compared where people > set_rows
        union
        select release, class_id, attribute from query_table(kind_codes)
        group by release, class_id, attribute, kind having any_value(people) > sum(n)
    )
    select release, class_id, attribute, united
    from compared anti join impossible using (release, class_id, attribute);

-- One round: the state with fewer codes, and a round more; no rows if nothing changes.
create or replace macro sqlanon._exact_cover_round(state, members, histogram) as table
    with person_kind as materialized (from sqlanon._kinds(state, members)),
    kind_code as materialized (from sqlanon._kind_codes('person_kind', histogram)),
    overlapping as materialized (from sqlanon._overlapping_kinds('kind_code')),
    code_bit as materialized (from sqlanon._code_bits('kind_code', 'overlapping')),
    kind_mask as materialized (from sqlanon._kind_masks('kind_code', 'code_bit')),
    united as materialized (from sqlanon._unions('kind_mask', 'overlapping')),
    tight as materialized (from sqlanon._tight_sets('kind_code', 'code_bit', 'kind_mask', 'united')),
    kind_taken as (
        select release, class_id, attribute, kind, bit_or(united) as taken
        from tight join kind_mask using (release, class_id, attribute)
        where mask & united <> 0 and not (whole and mask & united = mask)
        group by release, class_id, attribute, kind
    ),
    taken_code as (
        select release, class_id, attribute, kind, list(code) as taken
        from kind_code join kind_taken using (release, class_id, attribute, kind)
             join code_bit using (release, class_id, attribute, code)
        where bit & taken <> 0 group by release, class_id, attribute, kind
    ),
    fewer as materialized (
        select fate, attribute, flatten(list(taken)) as taken
        from person_kind join taken_code using (release, class_id, attribute, kind) group by fate, attribute
    )
    select fate, attribute,
           case when taken is null then codes
                else list_filter(codes, lambda code: not list_contains(taken, code)) end as codes,
           taken is not null as changed, round + 1 as round
    from query_table(state) left join fewer using (fate, attribute) where exists (from fewer);

-- COUNTS
--
-- What is said of a class counts elsewhere: if two of Monday's class have flu and gout between them, the rest
-- of Tuesday's class has one flu less to share. So of each fate and value there are bounds on how many of its
-- people have it, which those of others narrow: the values of the people of a fate add up to them, and those
-- of the people in a class to its rows, but for rows of nobody who is known. (Buzzigoli and Giusti 1999, the
-- shuttle algorithm, for the tables of releases by values.) Bounds that would cross are left as they are:
-- somebody is not where they were located.

-- The rows of each class by value, for the people who have a row: release, class_id, attribute, code, n,
-- unknown (rows of nobody who is known). bounds: as below.
create or replace macro sqlanon._rows_by_class(bounds, members, histogram) as table
    with class_people as (
        select release, class_id, attribute, sum(people) as people
        from (select distinct fate, attribute, people from query_table(bounds))
        join (select release, class_id, fate from query_table(members)) using (fate)
        group by release, class_id, attribute
    ),
    class_rows as (
        select release, class_id, attribute, sum(n) as class_size
        from query_table(histogram) semi join class_people using (release, class_id, attribute)
        group by release, class_id, attribute
    )
    select release, class_id, attribute, code, n, class_size - people as unknown
    from query_table(histogram)
    join class_people using (release, class_id, attribute)
    join class_rows using (release, class_id, attribute);

-- After how many rounds bounds are left as they are.
create or replace macro sqlanon._most_rounds_of_counts() as 50;

-- What there is to begin with: fate, attribute, code, people, least, most, round. state: as in
-- _exact_cover_round.
create or replace macro sqlanon._first_counts(state, all_fates) as table
    select fate, attribute, unnest(codes) as code, people, 0::hugeint as least, people::hugeint as most,
           0 as round
    from query_table(state) join (select fate, people from query_table(all_fates)) using (fate)
    where exists (from query_table(state) where len(codes) > 1);

-- The bounds narrowed once; no rows if nothing changes, or after too many rounds. class_rows: as of
-- _rows_by_class.
create or replace macro sqlanon._narrowed_counts(bounds, members, class_rows) as table
    with in_class as (
        select release, class_id, attribute, code, fate, least, most, n, unknown
        from query_table(bounds)
        join (select release, class_id, fate from query_table(members)) using (fate)
        join query_table(class_rows) using (release, class_id, attribute, code)
    ),
    of_class as (
        select release, class_id, attribute, code, sum(least) as least, sum(most) as most
        from in_class group by release, class_id, attribute, code
    ),
    by_classes as (
        select fate, attribute, code, min(n - (of_class.least - in_class.least)) as most,
               max(n - unknown - (of_class.most - in_class.most)) as least
        from in_class join of_class using (release, class_id, attribute, code)
        group by fate, attribute, code
    ),
    of_fate as (
        select fate, attribute, sum(least) as least, sum(most) as most
        from query_table(bounds) group by fate, attribute
    ),
    narrowed as materialized (
        select bound.*,
               greatest(bound.least, people - (of_fate.most - bound.most), by_classes.least) as new_least,
               least(bound.most, people - (of_fate.least - bound.least), by_classes.most) as new_most
        from query_table(bounds) as bound join of_fate using (fate, attribute)
        left join by_classes using (fate, attribute, code)
    )
    select fate, attribute, code, people, if(new_least <= new_most, new_least, least) as least,
           if(new_least <= new_most, new_most, most) as most, round + 1 as round
    from narrowed
    where round < sqlanon._most_rounds_of_counts() and exists (
        from narrowed where new_least <= new_most and (new_least, new_most) <> (least, most));

-- The candidates that are left: fate, attribute, codes, unfinished (in a class of theirs not all unions were
-- looked at, or bounds would have narrowed further). Parameters are relations of _attack.
create or replace macro sqlanon._exact_cover(all_shared, all_fates, all_covers, histogram) as table
    with recursive member as materialized (from sqlanon._members(all_fates, all_covers, histogram)),
    state as (
        select fate, attribute, list_sort(codes) as codes, true as changed, 0 as round
        from query_table(all_shared)
        union all
        from sqlanon._exact_cover_round('state', 'member', histogram)
    ),
    finished as materialized (
        select fate, attribute, codes, true as changed from state where round = (select max(round) from state)
    ),
    person_kind as materialized (from sqlanon._kinds('finished', 'member')),
    kind_code as materialized (from sqlanon._kind_codes('person_kind', histogram)),
    overlapping as materialized (from sqlanon._overlapping_kinds('kind_code')),
    looked_through as (
        select distinct release, class_id, attribute from sqlanon._code_bits('kind_code', 'overlapping')
    ),
    unfinished as (
        select distinct fate, attribute
        from person_kind join overlapping using (release, class_id, attribute)
             left join looked_through as through using (release, class_id, attribute)
        where left_out > 0 or through.class_id is null
    ),
    first_count as materialized (from sqlanon._first_counts('finished', all_fates)),
    class_count as materialized (
        from sqlanon._rows_by_class('first_count', 'member', histogram)
    ),
    counts as (
        from first_count
        union all
        from sqlanon._narrowed_counts('counts', 'member', 'class_count')
    ),
    counted as (
        select fate, attribute, list(code order by code) filter (most > 0) as codes, any_value(round) as round
        from counts where round = (select max(round) from counts) group by fate, attribute
    )
    select fate, attribute, coalesce(counted.codes, finished.codes) as codes,
           open.fate is not null or coalesce(round, 0) >= sqlanon._most_rounds_of_counts() as unfinished
    from finished left join counted using (fate, attribute)
    left join unfinished as open using (fate, attribute);
