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
-- Then people are counted over all classes: see COUNTS below.

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

-- The kinds of people in the classes of some of them, by their candidates: release, class_id, attribute, kind
-- (a number), fate, codes, people. changed: fate, attribute (of these people); state: fate, attribute, codes
-- (sorted). Who has no candidate left was not located rightly, and takes no row.
create or replace macro sqlanon._kinds(changed, state, members) as table
    with looked_at as materialized (
        select distinct release, class_id, attribute
        from (select fate, attribute from query_table(changed) where len(codes) > 0)
        join (select fate, release, class_id from query_table(members)) using (fate)
    ),
    wanted as materialized (
        select release, class_id, attribute, fate, people
        from query_table(members) join looked_at using (release, class_id)
    )
    select release, class_id, attribute, fate, codes, people,
           dense_rank() over (order by release, class_id, attribute, codes) as kind
    from wanted join (select fate, attribute, codes from query_table(state) where len(codes) > 0)
    using (fate, attribute);

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

-- One round: who has fewer codes now: fate, attribute, codes. changed: the same of the last round.
create or replace macro sqlanon._exact_cover_round(changed, state, members, histogram) as table
    with person_kind as materialized (from sqlanon._kinds(changed, state, members)),
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
    select fate, attribute, list_filter(codes, lambda code: not list_contains(taken, code)) as codes
    from query_table(state) join fewer using (fate, attribute);

-- COUNTS
--
-- What is said of a class counts elsewhere: if two of Monday's class have flu and gout between them, the rest
-- of Tuesday's class has one flu less to share. And if all of Monday's class are in one of Tuesday's, its
-- others have what is left. So there are bounds on how many have a value of each set of people who share a
-- class, or the classes of two releases, and of those of one fate. These sets add up to each other, and the
-- values of a set to its people: bounds narrow each other as those of cells and totals do. (Buzzigoli and
-- Giusti 1999, the shuttle algorithm; sql/attack/differencing.sql.) Bounds that would cross are left as they
-- are: somebody is not where they were located.
--
-- What this rules out is impossible. In random worlds of five to nine people it leaves more than what some
-- assignment of rows to people has in one of ten, where classes cross or overlap, or releases are three. To
-- find all is as hard as tables of three dimensions are: programs do, of parts that are small enough
-- (connected_people.sql).

-- Who is in each class of a release, and who of them in which class of another: release, class_id, other (the
-- second release; NULL: none), other_class (NULL: in none), fate. Two classes are there once.
create or replace macro sqlanon._fates_together(members) as table
    with place as materialized (select fate, release, class_id from query_table(members)),
    second as (select distinct release as other from place),
    wanted as materialized (
        select place.*, other from place join second on other <> place.release
    ),
    crossed as materialized (
        select wanted.*, there.class_id as other_class
        from wanted left join place as there on there.fate = wanted.fate and there.release = other
    )
    select release, class_id, null as other, null as other_class, fate from place
    union all
    select release, class_id, other, other_class, fate
    from crossed where other_class is null or release < other;

-- What tells sets of fates apart, but for a coincidence of hashes: place (a number), release, class_id,
-- other, other_class, first (fate), size, fingerprint. (A list of the fates would, too, and takes much
-- memory.)
create or replace macro sqlanon._places_together(together) as table
    select row_number() over () as place, release, class_id, other, other_class, min(fate) as first,
           count(*) as size, bit_xor(hash(fate)) as fingerprint
    from query_table(together) group by release, class_id, other, other_class;

-- Sets of fates, each once, and each fate alone: set_id, first, size, fingerprint, place (one where it is).
create or replace macro sqlanon._sets_of_fates(places_together, state) as table
    select row_number() over () as set_id, first, size, fingerprint, min(place) as place
    from (
        select first, size, fingerprint, place from query_table(places_together)
        union all
        select fate, 1, hash(fate), null from query_table(state)
    )
    group by first, size, fingerprint;

-- The fates of each set: set_id, size, fate.
create or replace macro sqlanon._fates_of_sets(sets, places_together, together) as table
    with chosen as materialized (
        select several.*, release, class_id, other, other_class
        from (select set_id, size, place from query_table(sets) where size > 1) as several
        join (select * exclude (size) from query_table(places_together)) using (place)
    )
    select set_id, size, fate
    from query_table(together) as together join chosen
      on chosen.release = together.release and chosen.class_id = together.class_id
     and chosen.other is not distinct from together.other
     and chosen.other_class is not distinct from together.other_class
    union all
    select set_id, size, first from query_table(sets) where size = 1;

-- The same sets by where they are: release, class_id, other, set_id.
create or replace macro sqlanon._places_of_sets(sets, places_together) as table
    with found as materialized (
        select release, class_id, other, other_class, set_id
        from query_table(places_together) join query_table(sets) using (first, size, fingerprint)
    )
    select release, class_id, other, set_id from found
    union all
    select other, other_class, release, set_id from found where other_class is not null;

-- How many of a set have a value, at first: cell (a number), set_id, attribute, code (NULL: any), lo, hi.
-- fates_of_sets, places: as in _fates_of_sets and _places_of_sets; state: fate, attribute, codes. Each join
-- is a step of its own: DuckDB expects one row of each relation, and would begin with the key that they all
-- share, the attribute.
create or replace macro sqlanon._counts_of_sets(fates_of_sets, places, state, all_fates, histogram) as table
    with person as materialized (
        select fate, attribute, codes, people
        from query_table(state) join (select fate, people from query_table(all_fates)) using (fate)
        where len(codes) > 0
    ),
    person_in_set as materialized (
        select set_id, attribute, codes, people
        from (select set_id, fate from query_table(fates_of_sets)) join person using (fate)
    ),
    whole as materialized (
        select set_id, attribute, sum(people)::bigint as people from person_in_set group by set_id, attribute
    ),
    possible as materialized (
        select set_id, attribute, code, sum(people)::bigint as people
        from (select * exclude (codes), unnest(codes) as code from person_in_set)
        group by set_id, attribute, code
    ),
    class_value as materialized (
        select set_id, release, class_id, attribute, code, n
        from (select set_id, release, class_id from query_table(places) where other is null)
        join query_table(histogram) using (release, class_id)
    ),
    class_rows as (
        select set_id, release, class_id, attribute, sum(n) as class_rows
        from class_value group by set_id, release, class_id, attribute
    ),
    -- rows of nobody who is known may have any value
    of_nobody as materialized (
        select set_id, release, class_id, attribute, class_rows - people as of_nobody
        from class_rows join whole using (set_id, attribute)
    ),
    of_class as materialized (
        select set_id, attribute, code, max(n - of_nobody)::bigint as lo, min(n)::bigint as hi
        from class_value join of_nobody using (set_id, release, class_id, attribute)
        group by set_id, attribute, code
    )
    select row_number() over () as cell, *
    from (
        select set_id, attribute, code, if(lo > least(people, hi), 0, greatest(coalesce(lo, 0), 0)) as lo,
               if(lo > least(people, hi), people, least(people, hi)) as hi
        from possible left join of_class using (set_id, attribute, code)
        union all
        select set_id, attribute, null, people, people from whole
    );

-- What adds up to what, as _bounds_by_sums takes it: total, d (which way), cell. A class is what it shares
-- with the classes of another release; any set its fates; and its people are those with any value.
create or replace macro sqlanon._sums_of_sets(counts, fates_of_sets, places) as table
    with whole_class as materialized (
        select release, class_id, set_id as total from query_table(places) where other is null
    ),
    in_set as materialized (select set_id, fate from query_table(fates_of_sets) where size > 1),
    alone as materialized (select fate, set_id as single from query_table(fates_of_sets) where size = 1),
    piece as materialized (
        select total, other as d, set_id
        from whole_class join query_table(places) using (release, class_id)
        where other is not null and set_id <> total
        union
        select set_id, 0, single from in_set join alone using (fate)
    ),
    part as materialized (
        select total, d, cell, attribute, code from piece join query_table(counts) using (set_id)
    ),
    whole as (select cell as total_cell, set_id as total, attribute, code from query_table(counts))
    select total_cell as total, d, cell from part join whole using (total, attribute, code)
    union all
    select total_cell, -1, cell
    from (select total_cell, total as set_id, attribute from whole where code is null)
    join (select cell, set_id, attribute from query_table(counts) where code is not null)
    using (set_id, attribute);

-- After how many rounds bounds are left as they are.
create or replace macro sqlanon._most_rounds_of_counts() as 50;

-- The bounds narrowed once: cell, lo, hi, is_crossed, round, of those that change. narrowed: the same of the
-- last round; bounds: of all cells. Only sums are looked at of which a cell or the total has changed. Bounds
-- that would cross stay as they are from then on: what the sums say of them only gets narrower.
create or replace macro sqlanon._narrowed_counts(narrowed, bounds, sums) as table
    with latest as materialized (select cell, round from query_table(narrowed) where not is_crossed),
    touched as materialized (
        select total, d from query_table(sums) semi join latest using (cell)
        union
        select total, d from query_table(sums) semi join latest on latest.cell = total
    ),
    touched_sum as materialized (select total, d, cell from query_table(sums) join touched using (total, d)),
    asked as (select cell from touched_sum union select total from touched),
    stated as materialized (
        select *, true as changed from query_table(bounds) semi join asked using (cell)
    ),
    by_sums as materialized (
        select cell, max(lo) as lo, min(hi) as hi
        from sqlanon._bounds_by_sums('stated', 'touched_sum', true) group by cell
    ),
    compared as (
        select bound.*, greatest(bound.lo, by_sums.lo)::bigint as new_lo,
               least(bound.hi, by_sums.hi)::bigint as new_hi, new_lo > new_hi as crosses
        from stated as bound join by_sums using (cell) where not bound.is_crossed
    )
    select cell, if(crosses, lo, new_lo) as lo, if(crosses, hi, new_hi) as hi, crosses as is_crossed,
           if(crosses, round, (select max(round) from latest) + 1) as round
    from compared
    where (new_lo, new_hi) <> (lo, hi)
      and (select max(round) from latest) < sqlanon._most_rounds_of_counts();

-- The candidates that counting leaves: fate, attribute, codes, unfinished (bounds would have narrowed
-- further). Where nothing is left somebody is not where they were located, and all candidates stay.
-- state: fate, attribute, codes; members: as in _members.
create or replace macro sqlanon._left_by_counts(state, members, all_fates, histogram) as table
    with recursive together as materialized (from sqlanon._fates_together(members)),
    place_together as materialized (from sqlanon._places_together('together')),
    fate_set as materialized (from sqlanon._sets_of_fates('place_together', state)),
    fate_in_set as materialized (from sqlanon._fates_of_sets('fate_set', 'place_together', 'together')),
    place as materialized (from sqlanon._places_of_sets('fate_set', 'place_together')),
    counted as materialized (
        from sqlanon._counts_of_sets('fate_in_set', 'place', state, all_fates, histogram)
    ),
    count_sum as materialized (from sqlanon._sums_of_sets('counted', 'fate_in_set', 'place')),
    bounds using key (cell) as (
        select cell, lo, hi, false as is_crossed, 0 as round from counted
        where exists (from query_table(state) where len(codes) > 1)
        union all
        from sqlanon._narrowed_counts('bounds', 'recurring.bounds', 'count_sum')
    ),
    possible as (
        select fate, attribute, list(code order by code) filter (hi > 0) as codes
        from (select cell, bounds.hi from bounds)
        join (select * exclude (hi) from counted where code is not null) using (cell)
        join (select set_id, fate from fate_in_set where size = 1) using (set_id)
        group by fate, attribute
    )
    select fate, attribute, coalesce(possible.codes, before.codes) as codes,
           possible.codes is not null
               and (select max(round) from bounds) >= sqlanon._most_rounds_of_counts() as unfinished
    from query_table(state) as before left join possible using (fate, attribute);

-- The candidates that are left: fate, attribute, codes, unfinished (in a class of theirs not all unions were
-- looked at, or bounds would have narrowed further), not_asked (programs could tell more, see
-- connected_people.sql). Parameters are relations of _attack.
create or replace macro sqlanon._exact_cover(all_shared, all_fates, all_covers, histogram) as table
    with recursive member as materialized (from sqlanon._members(all_fates, all_covers, histogram)),
    state using key (fate, attribute) as (
        select fate, attribute, list_sort(codes) as codes from query_table(all_shared)
        union all
        from sqlanon._exact_cover_round('state', 'recurring.state', 'member', histogram)
    ),
    finished as materialized (from state),
    person_kind as materialized (from sqlanon._kinds('finished', 'finished', 'member')),
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
    by_classes as materialized (
        from sqlanon._left_by_counts('finished', 'member', all_fates, histogram)
    ),
    -- parts are counted as classes are
    place_of as materialized (from sqlanon._places_of_people(all_fates, all_covers, histogram)),
    in_part as materialized (from sqlanon._classes_in_parts('place_of')),
    part_member as materialized (from sqlanon._members_of_parts('place_of', 'in_part')),
    part_row as materialized (from sqlanon._histogram_of_parts(histogram, 'in_part')),
    by_parts as materialized (
        from sqlanon._left_by_counts('by_classes', 'part_member', all_fates, 'part_row')
    ),
    asked as materialized (from sqlanon._asked_of_programs('by_parts', 'place_of', histogram))
    select fate, attribute, coalesce(asked.codes, counted.codes) as codes,
           not coalesce(is_finished, false)
               and (open.fate is not null or by_classes.unfinished or counted.unfinished) as unfinished,
           coalesce(not_asked, false) as not_asked
    from by_parts as counted join by_classes using (fate, attribute)
    left join asked using (fate, attribute)
    left join unfinished as open using (fate, attribute);
