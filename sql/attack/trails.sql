-- Trails (Malin and Sweeney 2004): people leave names in some tables of many places, and records without a
-- name in others. Where somebody was, and where a record was left, are two sets of places, their trails. A
-- trail that few share says who it is.
--
--   * REIDIT-C (complete): a name and a record with the same trail, which no other name or record has.
--   * REIDIT-I (incomplete): not every place has released a record. A record belongs to somebody whose trail
--     contains its own; if that is one name only, they match, and both are taken away; repeat.
--   * What REIDIT-I leaves: every record has an owner of its own, so a link is certain if it is in every way
--     to place all records. Of people {c}, {a, b, c}, {a, b, c} and records {c}, {a, b}, {a, b} the last two
--     people must have the last two records, which leaves the first record to the first person. One way to
--     place all records tells of all others: they differ by chains in which a record takes a place that
--     another record gives up (Berge 1957; Regin 1994 for such constraints).
--
-- Names and records with one trail share their fate, so pairs are of distinct trails. A record's trail is
-- compared only with those that have its two rarest places: at worst with all of them. To find these, every
-- two places of a name are paired. Each round looks at the pairs that are left; there are as many rounds as
-- matches hang on each other. Then all records are placed at once, by preflows (Goldberg and Tarjan 1988).

-- Who was where, from a table of a user: who, place (text), kind (of the column); truth and is_control where
-- such columns are given.
create or replace macro sqlanon._visits(tbl, who, place, truth := null, controls := null) as table
    from query(sqlanon._fill($$
        select src.{"who"} as who, src.{place}::varchar as place,
               sqlanon._kind_of_type(typeof(src.{place})) as kind {each truth: , src.{c} as truth} {controls}
        from sqlanon._source({=tbl}, [{=place}], {others}) as src
    $$, map {
        'place': sqlanon._quote(place),
        'others': sqlanon._names([who] || sqlanon._list(truth) || sqlanon._list(controls)),
        'controls': sqlanon._each(controls, ', src.{c} as is_control', '')}));

-- Places as numbers, those of both tables that are equal the same: place, code.
create or replace macro sqlanon._place_codes(one, other) as table
    with spelled as (
        select place, kind from query_table(one) union select place, kind from query_table(other)
    ),
    common as (
        select list_reduce(list_sort(list(distinct kind)), lambda one_kind, other_kind:
                   sqlanon._common_kind(one_kind, other_kind)) as kind
        from spelled where kind is not null
    ),
    keyed as (
        select distinct place, sqlanon._comparable(place, common.kind) as key from spelled, common
    )
    select place, dense_rank() over (order by key nulls first)::integer as code from keyed;

-- The trail of each name or record: who, trail (sorted codes).
create or replace macro sqlanon._trails_of(visits, place_codes) as table
    select who, list_sort(list(distinct code)) as trail
    from query_table(visits) as visit
    join query_table(place_codes) as place on place.place is not distinct from visit.place
    group by who;

-- The distinct trails: trail_id, trail, n (names or records that have it).
create or replace macro sqlanon._distinct_trails(trails) as table
    select row_number() over (order by trail) as trail_id, trail, count(*) as n
    from query_table(trails) group by trail;

-- Pairs of trails that can be one person's: record_trail, name_trail, records, people. Of complete trails
-- these are equal; of incomplete ones that of the record is contained in the other.
create or replace macro sqlanon._equal_trails(record_trails, name_trails) as table
    select record.trail_id as record_trail, name.trail_id as name_trail, record.n as records, name.n as people
    from query_table(record_trails) as record join query_table(name_trails) as name using (trail);

create or replace macro sqlanon._contained_trails(record_trails, name_trails) as table
    with name_place as (select trail_id, unnest(trail) as code from query_table(name_trails)),
    frequency as (select code, count(*) as frequency from name_place group by code),
    record_place as (select *, unnest(trail) as code from query_table(record_trails)),
    rarest as (
        select trail_id, any_value(trail) as trail, any_value(n) as n,
               list(code order by coalesce(frequency, 0), code)[:2] as codes
        from record_place left join frequency using (code) group by trail_id
    ),
    record as (select trail_id, trail, n, list_min(codes) as low, list_max(codes) as high from rarest),
    candidate as (
        select one.trail_id, one.code as low, other.code as high
        from name_place as one join name_place as other using (trail_id)
        where one.code <= other.code
    )
    select record.trail_id as record_trail, name.trail_id as name_trail, record.n as records, name.n as people
    from record
    join (from candidate semi join record using (low, high)) as candidate using (low, high)
    join query_table(name_trails) as name on name.trail_id = candidate.trail_id
    where list_has_all(name.trail, record.trail);

-- Which pairs match: a record that only one name can have, if no other record is such a one of this name.
create or replace macro sqlanon._matched_trails(pairs, round) as table
    with fitting as (
        select record_trail, sum(people) as fitting from query_table(pairs) group by record_trail
    ),
    claimed as (
        select name_trail, sum(records) as claims
        from query_table(pairs) join fitting using (record_trail) where fitting = 1 group by name_trail
    )
    select record_trail, name_trail, records, people, round as nth_round,
           fitting = 1 and coalesce(claims, 0) = 1 as is_match
    from query_table(pairs) join fitting using (record_trail) left join claimed using (name_trail);

-- The pairs of a round that are left when its matches are taken away.
create or replace macro sqlanon._unmatched_trails(pairs) as table
    from query_table(pairs)
    anti join (select record_trail from query_table(pairs) where is_match) using (record_trail)
    anti join (select name_trail from query_table(pairs) where is_match) using (name_trail);

-- One round more, if the last one had a match.
create or replace macro sqlanon._next_round(pairs) as table
    with remaining as (
        from sqlanon._unmatched_trails(pairs) where (select bool_or(is_match) from query_table(pairs))
    )
    select record_trail, name_trail, records, people,
           (select max(nth_round) + 1 from query_table(pairs)) as nth_round, is_match
    from sqlanon._matched_trails('remaining', 0);

-- All rounds: as in _matched_trails.
create or replace macro sqlanon._reidentified_trails(pairs) as table
    with recursive state as (
        from sqlanon._matched_trails(pairs, 1)
        union all
        from sqlanon._next_round('state')
    )
    from state;

-- The pairs that are left when the rounds end: record_trail, name_trail, records, people.
create or replace macro sqlanon._remaining_trails(states) as table
    with last_round as (
        from query_table(states) where nth_round = (select max(nth_round) from query_table(states))
    )
    select record_trail, name_trail, records, people from sqlanon._unmatched_trails('last_round');

-- Names that are connected by the records that they share: name_trail, component, names (in it).
create or replace macro sqlanon._trail_components(pairs) as table
    with pair as (select record_trail as one, name_trail as other from query_table(pairs)),
    connected as (select distinct other as name_trail, component from sqlanon._components('pair')),
    counted as (select component, count(*) as names from connected group by component)
    from connected join counted using (component);

-- How often records are moved at most.
create or replace macro sqlanon._most_moves() as 1000;

-- Nobody has a record yet: record_trail, name_trail, records, people, component, moved (records of the first
-- trail that are placed with the second), name_label, record_label, highest_label, nth_move. A label is at
-- most the length of the way from here to a person without a record; above highest_label there is none.
create or replace macro sqlanon._unplaced_trails(pairs, components) as table
    select record_trail, name_trail, records, people, component, 0::bigint as moved, 0::bigint as name_label,
           1::bigint as record_label, (2 * names + 1)::bigint as highest_label, 0 as nth_move
    from query_table(pairs) join query_table(components) using (name_trail);

-- Records that have no place go to names with the lowest label. Names with too many records give back those
-- of the lowest label. Labels rise as far as those next to them let them: were they only to rise where a
-- record moves, the last records would go round in circles for long.
create or replace macro sqlanon._next_move(placed) as table
    with record as (
        select record_trail, any_value(component) as component, any_value(records) - sum(moved) as excess,
               min(name_label) + 1 as label,
               arg_min(name_trail, (name_label, hash(record_trail, name_trail), name_trail)) as chosen,
               excess > 0 and label <= any_value(highest_label) as is_moving
        from query_table(placed) group by record_trail
    ),
    pushed as (
        select own.* exclude (moved, record_label), greatest(record_label, label) as record_label,
               (moved + if(is_moving and name_trail = chosen, excess, 0))::bigint as moved
        from query_table(placed) as own join record using (record_trail)
        where nth_move < sqlanon._most_moves()
          and own.component in (select component from record where is_moving)
    ),
    crowd as (
        select *, sum(moved) over (partition by name_trail) - people as too_many,
               sum(moved) over (partition by name_trail order by record_label, record_trail) - moved as before
        from pushed
    ),
    returned as (
        select * exclude (moved), moved - greatest(least(too_many - before, moved), 0)::bigint as moved
        from crowd
    ),
    relabelled as (
        select name_trail, min(record_label) filter (where too_many >= 0 and moved > 0) + 1 as label
        from returned group by name_trail
    )
    select record_trail, name_trail, records, people, component, moved,
           greatest(name_label, coalesce(relabelled.label, 0)) as name_label, record_label, highest_label,
           nth_move + 1 as nth_move
    from returned join relabelled using (name_trail);

create or replace macro sqlanon._placed_trails(pairs, components) as table
    with recursive state as (
        from sqlanon._unplaced_trails(pairs, components)
        union all
        from sqlanon._next_move('state')
    ),
    -- a component whose records are placed moves no more
    last_move as (select component, max(nth_move) as nth_move from state group by component)
    select record_trail, name_trail, records, people, component, moved
    from state semi join last_move using (component, nth_move);

-- Are all records of a component placed: component, is_finished. They are not where they cannot be, or where
-- that takes too many moves.
create or replace macro sqlanon._finished_components(placed) as table
    with record as (
        select component, any_value(records) = sum(moved) as is_placed
        from query_table(placed) group by component, record_trail
    )
    select component, bool_and(is_placed) as is_finished from record group by component;

-- The names that a record with from_name could go to instead: from_name, to_name.
create or replace macro sqlanon._other_places(placed) as table
    select distinct one.name_trail as from_name, other.name_trail as to_name
    from query_table(placed) as one join query_table(placed) as other using (record_trail)
    where one.moved > 0 and other.name_trail <> one.name_trail;

-- Names that can give up a record, since it can go, over others, to somebody without one: name_trail.
create or replace macro sqlanon._yielding_names(placed, other_places) as table
    with recursive yielding as (
        select name_trail from query_table(placed) group by name_trail having sum(moved) < any_value(people)
        union
        select from_name from query_table(other_places) join yielding on to_name = name_trail
    )
    from yielding;

-- The certain links: record_trail, name_trail. A single record and a single person, who cannot give it up to
-- somebody without a record, nor to others who then take another one of theirs: on no cycle of places.
create or replace macro sqlanon._forced_trails(placed, finished, other_places, yielding) as table
    with recursive candidate as (
        select record_trail, name_trail
        from query_table(placed) join query_table(finished) using (component)
        anti join query_table(yielding) using (name_trail)
        where is_finished and records = 1 and people = 1 and moved = 1
    ),
    reached as (
        select from_name as start, to_name as name_trail from query_table(other_places)
        semi join candidate on candidate.name_trail = from_name
        union
        select start, to_name from reached join query_table(other_places) on from_name = reached.name_trail
    )
    from candidate
    anti join (from reached where start = name_trail) as cycle on cycle.start = candidate.name_trail;

-- What is known of each trail of names in the end: name_trail, record_trail (that matches, or NULL), records
-- (that can be of these people still), unfinished.
create or replace macro sqlanon._trail_outcomes(states, pairs, forced, components, finished) as table
    select name_trail, record_trail, 1 as records, false as unfinished
    from query_table(states) where is_match
    union all
    select name_trail, record_trail, 1, false from query_table(forced)
    union all
    select name_trail, null, sum(records), not any_value(is_finished)
    from query_table(pairs)
    anti join query_table(forced) as own using (name_trail)
    anti join query_table(forced) as other using (record_trail)
    join query_table(components) using (name_trail) join query_table(finished) using (component)
    group by name_trail;

-- Each person once: who, truth, truth_kind, is_control.
create or replace macro sqlanon._people_of_visits(visits, truth, controls) as table
    from query(sqlanon._fill($$
        select who, {truth} as truth, {is_control} as is_control from {visits} group by who
    $$, map {
        'truth': if(truth is null, 'null::varchar', 'any_value(truth)'),
        'is_control': if(controls is null, 'null::boolean',
                         'bool_or(sqlanon._says(is_control, ''controls''))')}));

-- No rows, or an error: a person with two truths.
create or replace macro sqlanon._refuse_truths(visits, truth) as table
    from query(
        sqlanon._if_given(truth, 'null as refused',
            sqlanon._fill($$
                select error(count(*) || ' targets have several values in column ' || {truth}
                             || sqlanon._such_as(min(who::varchar))) as refused
                from (select who from {visits} group by who having count(distinct truth) > 1)
                having count(*) > 0
            $$, map {'truth': sqlanon._literal(truth)})));

-- The records that alone have their trail: record_trail, learned (the record as text), kind.
create or replace macro sqlanon._unique_records(records, record_trails) as table
    select trail_id as record_trail, any_value(who)::varchar as learned,
           any_value(sqlanon._kind_of_type(typeof(who))) as kind
    from query_table(records) join query_table(record_trails) using (trail) where n = 1 group by trail_id;

-- What is known of each person: who, learned, confidence, is_right, is_control, places, people, candidates,
-- unfinished.
create or replace macro sqlanon._trail_answer(persons, names, name_trails, outcomes, unique_records) as table
    with told as (
        select person.*, learned, len(name.trail) as places, name_trail.n as people,
               coalesce(outcome.records, 0)::bigint as candidates,
               coalesce(outcome.unfinished, false) as unfinished,
               sqlanon._common_kind(kind, sqlanon._kind_of_type(typeof(truth))) as common_kind
        from query_table(persons) as person
        join query_table(names) as name on name.who is not distinct from person.who
        join query_table(name_trails) as name_trail using (trail)
        left join query_table(outcomes) as outcome on outcome.name_trail = name_trail.trail_id
        left join query_table(unique_records) using (record_trail)
    )
    select who, learned, case when learned is not null then 1.0::double end as confidence,
           sqlanon._comparable(learned, common_kind) = sqlanon._comparable(truth::varchar, common_kind)
               as is_right,
           is_control, places, people, candidates, unfinished
    from told;

create or replace macro sqlanon._trail_attack(
    release, targets, id, record, place, incomplete, truth, controls) as table
    with _sqlanon_target as materialized (from sqlanon._visits(targets, id, place, truth, controls)),
    _sqlanon_named as materialized (from sqlanon._with_one_spelling('_sqlanon_target', ['who'])),
    _sqlanon_visit as materialized (from sqlanon._visits(release, record, place)),
    _sqlanon_recorded as materialized (from sqlanon._with_one_spelling('_sqlanon_visit', ['who'])),
    _sqlanon_place as materialized (from sqlanon._place_codes('_sqlanon_named', '_sqlanon_recorded')),
    _sqlanon_name as materialized (from sqlanon._trails_of('_sqlanon_named', '_sqlanon_place')),
    _sqlanon_record as materialized (from sqlanon._trails_of('_sqlanon_recorded', '_sqlanon_place')),
    _sqlanon_name_trail as materialized (from sqlanon._distinct_trails('_sqlanon_name')),
    _sqlanon_record_trail as materialized (from sqlanon._distinct_trails('_sqlanon_record')),
    _sqlanon_pair as materialized (
        from query(sqlanon._call(
            if(incomplete, '_contained_trails', '_equal_trails'),
            ['''_sqlanon_record_trail''', '''_sqlanon_name_trail''']))
    ),
    _sqlanon_state as materialized (from sqlanon._reidentified_trails('_sqlanon_pair')),
    _sqlanon_remaining as materialized (from sqlanon._remaining_trails('_sqlanon_state')),
    _sqlanon_component as materialized (from sqlanon._trail_components('_sqlanon_remaining')),
    _sqlanon_placed as materialized (
        from sqlanon._placed_trails('_sqlanon_remaining', '_sqlanon_component')
    ),
    _sqlanon_finished as materialized (from sqlanon._finished_components('_sqlanon_placed')),
    _sqlanon_elsewhere as materialized (from sqlanon._other_places('_sqlanon_placed')),
    _sqlanon_yielding as materialized (
        from sqlanon._yielding_names('_sqlanon_placed', '_sqlanon_elsewhere')
    ),
    _sqlanon_forced as materialized (
        from sqlanon._forced_trails(
            '_sqlanon_placed', '_sqlanon_finished', '_sqlanon_elsewhere', '_sqlanon_yielding')
    ),
    _sqlanon_outcome as materialized (
        from sqlanon._trail_outcomes(
            '_sqlanon_state', '_sqlanon_remaining', '_sqlanon_forced', '_sqlanon_component',
            '_sqlanon_finished')
    ),
    _sqlanon_unique as (from sqlanon._unique_records('_sqlanon_record', '_sqlanon_record_trail')),
    _sqlanon_person as (from sqlanon._people_of_visits('_sqlanon_named', truth, controls)),
    _sqlanon_refusal as (
        from sqlanon._refuse_empty('_sqlanon_named', targets)
        union all from sqlanon._refuse_empty('_sqlanon_recorded', release)
        union all from sqlanon._refuse_truths('_sqlanon_named', truth)
    ),
    _sqlanon_answer as (
        from sqlanon._trail_answer(
            '_sqlanon_person', '_sqlanon_name', '_sqlanon_name_trail', '_sqlanon_outcome', '_sqlanon_unique')
    )
    from query(replace($$
        select who as {id}, learned, confidence, 1 / (select count(*) from _sqlanon_record) as baseline,
               is_right, is_control, places, people, candidates, unfinished
        from _sqlanon_answer
        union all by name
        select refused::bigint as people from _sqlanon_refusal
    $$, '{id}', sqlanon._quote(id)));

-- An empty text, or an error: columns of the targets that are named twice.
create or replace macro sqlanon._trail_roles_checked(id, record, place, truth, controls) as
    case when lower(record) = lower(place)
         then error('record and place are both column "' || place || '"')
         else coalesce(
             error('column "' || sqlanon._claimed_twice(list_filter(
                                     [id, place, truth, controls], lambda name: name is not null))
                   || '" is named twice in id, place, truth and controls'), '')
    end;

create or replace macro sqlanon.trails(
    release, targets, id, record, place, incomplete := false, truth := null, controls := null) as table
    from query(
        sqlanon._trail_roles_checked(id, record, place, truth, controls)
        || {call _trail_attack: incomplete := coalesce(incomplete::boolean, false)});

comment on macro table sqlanon.trails is $$
Links people to records without names by the places (such as hospitals) where they were and where the records
are: one row per person, with the record that must be theirs (REIDIT-C and REIDIT-I).

Parameters:
- release (table): records without a name, one row per record and place, with the columns record and place.
- targets (table): people, one row per person and place where they were, with the columns id and place.
- id (column): of targets, identifies the person, of whom p1 and "P1 " are spellings.
- record (column): of release, identifies the record.
- place (column): of both tables, the place.
- incomplete (boolean; default false): true if a place may not have released the record of everybody who was
  there. Then a record can belong to a person whose places contain those of the record (REIDIT-I). Otherwise
  record and person have the same places (REIDIT-C).
- truth (column; default null): of targets, the true record of the person.
- controls (column; default null): of targets, true for people known not to be in the release.

Result:
- <id> (unchanged): the person.
- learned (text): the record of the person; NULL: not certain.
- confidence (number): 1 if a record is learned; NULL if not.
- baseline (number): 1 / the number of records.
- is_right (boolean): is it the true record? NULL without truth.
- is_control (boolean): is the person one of controls?
- places (integer): the number of places of the person.
- people (integer, people): the number of people with the same places.
- candidates (integer): the number of records that can be the person's after all rules were applied; 0: none.
- unfinished (boolean): true if the candidates of the person, and records that depend on them, could not all
  be assigned to people: it is impossible, or takes more than 1,000 steps. Then there may be certain links
  that are not learned. If false, all certain links are learned.

Errors: unknown column, empty table, a column named twice, a person with several values in truth.

Notes: the attack assumes that everybody has at most one record, and that every record belongs to one of the
targets. A learned link is the same in every possible assignment of all records to people. If two records can
only belong to one and the same person, there is no such assignment: then neither is learned, and the people
concerned are unfinished. NULL is a place like any other.

Source: Malin and Sweeney 2004, How (not) to protect genomic data privacy in a distributed network; Regin 1994
(links that all assignments have).

Example:
with names as (
    from (values ('ann', 'north'), ('bob', 'north'), ('bob', 'south'), ('cat', 'south'), ('cat', 'west'))
        as row(name, place)
),
records as (
    from (values ('d1', 'north'), ('d2', 'north'), ('d2', 'south'), ('d3', 'south')) as row(id, place)
)
from sqlanon.trails('records', 'names', id := 'name', record := 'id', place := 'place', incomplete := true);
$$;
