-- People and classes that are connected, for exact cover: who shares rows with whom, directly or through
-- others, over all releases.
--
-- Of such a part more can be certain than of its classes, or of a class of each release. An example: Monday's
-- classes by sex are f {flu, gout} and m {gout, flu, flu}; Tuesday's classes by ZIP code, of all but one of
-- these people, are r {flu, gout} and q {flu, gout}. Monday less Tuesday is one flu, the value of that
-- person. So
--   * a part's people and values in a release are counted as those of a class, and so are the people of the
--     part who are in another release;
--   * programs, part by part, decide for each value whether somebody of a kind (in the same classes
--     everywhere) can have it: are there numbers of people per kind and value that add up to the kinds, and
--     need no more rows of a class than it has? (sqlanon/attack/part_programs.py; linear, then of whole
--     numbers.) Somebody whom several classes of a release cover has a row in one of them, as far as their
--     rows go.
-- Programs are a function that DuckDB knows once Python has registered it. Without it, for a part that is too
-- large, and for what is not answered in time, what counting leaves stands, and is reported as not asked.

-- What programs leave of the values of people. parts: a list of people (each with people (their number),
-- codes, and where they can have rows: coverings (numbers that tell apart in which release), places (from 1,
-- in rows), of_codes), and rows (of one class and value each, how many there are for these people; NULL: no
-- limit). A list of codes (per people a list; NULL: no answer) and is_finished, a part each.
-- This stands here until the function is registered.
create macro if not exists sqlanon._possible_values(parts, seconds) as
    null::struct(codes bigint[][], is_finished boolean)[];

-- How many seconds programs may take in one attack; how large a part may be (places of rows by values); and
-- how many of these there may be in all, to be taken apart.
create or replace macro sqlanon._seconds_of_programs() as 10;
create or replace macro sqlanon._most_places_of_a_part() as 4000;
create or replace macro sqlanon._most_places_of_parts() as 400000;

-- Where people may have their rows: fate, people, release, class_id, covering (a number: of this fate and
-- release), is_alone (no other class of the release covers them). Where classes that cover the same people
-- have fewer rows than people together, or one of them than people whom it covers alone, nobody knows who is
-- there: these people are left out in this release.
create or replace macro sqlanon._places_of_people(all_fates, all_covers, histogram) as table
    with sized as materialized (
        select release, class_id, max(n)::bigint as class_rows, row_number() over () as class
        from (select release, class_id, sum(n) as n from query_table(histogram)
              group by release, class_id, attribute)
        group by release, class_id
    ),
    covered as materialized (
        select row_number() over () as covering, fate, people, release, classes
        from (select fate, people, unnest(covers) as cover from query_table(all_fates) where people > 0)
        join query_table(all_covers) using (cover)
        where len(classes) > 0
    ),
    placed as materialized (
        select covering, fate, people, release, class_id, class, class_rows, is_alone
        from (select * exclude (classes), unnest(classes) as class_id, len(classes) = 1 as is_alone
              from covered)
        join sized using (release, class_id)
    ),
    pair as materialized (select covering as one, class as other from placed where not is_alone),
    joined as (
        select other as class, min(component) as group_of from sqlanon._components('pair') group by other
    ),
    grouped as materialized (
        select placed.*, coalesce(group_of, class) as group_of from placed left join joined using (class)
    ),
    group_people as (
        select group_of, sum(people) as people
        from (select distinct covering, people, group_of from grouped) group by group_of
    ),
    group_rows as (
        select group_of, sum(class_rows) as group_rows
        from (select distinct class, class_rows, group_of from grouped) group by group_of
    ),
    crowded as materialized (
        select group_of from group_people join group_rows using (group_of) where people > group_rows
    ),
    crowded_class as materialized (
        select class from grouped where is_alone group by class having sum(people) > any_value(class_rows)
    ),
    doubtful as materialized (
        select covering from grouped semi join crowded using (group_of)
        union
        select covering from grouped semi join crowded_class using (class)
    )
    select fate, people, release, class_id, covering, is_alone
    from grouped anti join doubtful using (covering);

-- The classes of a part, by what covers the same people: release, class_id, part (negative numbers). Where
-- there are too many to be taken apart, all are one part.
create or replace macro sqlanon._classes_in_parts(places) as table
    with class as materialized (
        select release, class_id, row_number() over () as class
        from (select distinct release, class_id from query_table(places))
    ),
    pair as materialized (
        select fate as one, class as other
        from query_table(places) join class using (release, class_id)
        where (select count(*) from query_table(places)) <= sqlanon._most_places_of_parts()
    ),
    found as (select other as class, min(component) as part from sqlanon._components('pair') group by other)
    select release, class_id, -1 - coalesce(part, 0) as part from class left join found using (class);

-- The rows of parts, as in _class_histograms: a part is a class of each release.
create or replace macro sqlanon._histogram_of_parts(histogram, classes_in_parts) as table
    select release, part as class_id, attribute, code, sum(n)::bigint as n
    from query_table(histogram) join query_table(classes_in_parts) using (release, class_id)
    group by release, part, attribute, code;

-- Who is in which of them: as in _members.
create or replace macro sqlanon._members_of_parts(places, classes_in_parts) as table
    select distinct release, part as class_id, fate, people
    from query_table(places) join query_table(classes_in_parts) using (release, class_id);

-- What is to be asked: fate, attribute, codes, people, number, is_open (more than one value, or several
-- classes of a release). state: fate, attribute, codes.
create or replace macro sqlanon._people_to_ask(state, places) as table
    select fate, attribute, codes, people, row_number() over () as number,
           len(codes) > 1 or in_several as is_open
    from query_table(state)
    join (select fate, any_value(people) as people, bool_or(not is_alone) as in_several
          from query_table(places) group by fate) using (fate)
    where len(codes) > 0;

-- The rows that are left to them, without those of people whose value and class are known: place (a number),
-- release, class_id, attribute, code, n (NULL: more people are known to have the value than rows).
create or replace macro sqlanon._rows_to_ask(people_to_ask, places, histogram) as table
    with settled as materialized (
        select fate, attribute, codes[1] as code, people from query_table(people_to_ask) where not is_open
    ),
    taken as materialized (
        select release, class_id, attribute, code, sum(settled.people)::bigint as taken
        from settled join (select fate, release, class_id from query_table(places)) using (fate)
        group by release, class_id, attribute, code
    )
    select row_number() over () as place, release, class_id, attribute, code,
           case when n >= coalesce(taken, 0) then n - coalesce(taken, 0) end as n
    from query_table(histogram) left join taken using (release, class_id, attribute, code);

-- Which people can have which of these rows: number, covering, place, code, release, is_alone.
create or replace macro sqlanon._spots(people_to_ask, places, rows_to_ask) as table
    with wanted as materialized (
        select number, fate, attribute, unnest(codes) as code
        from query_table(people_to_ask) where is_open
    ),
    placed as materialized (
        select number, attribute, code, release, class_id, covering, is_alone
        from wanted join query_table(places) using (fate)
    )
    select number, covering, place, code, release, is_alone
    from placed join query_table(rows_to_ask) using (release, class_id, attribute, code);

-- The parts, with who of them is to be asked about: part, number, is_large. In one release, where nobody is
-- in several classes, unions of values have told all.
create or replace macro sqlanon._parts_to_ask(spots) as table
    with pair as materialized (
        select distinct number as one, place as other from query_table(spots)
        where (select count(*) from query_table(spots)) <= sqlanon._most_places_of_parts()
    ),
    connected as (
        select one as number, min(component) as part from sqlanon._components('pair') group by one
    ),
    spot as (
        select number, count(*) as n, min(release) as first, max(release) as last,
               bool_and(is_alone) as is_alone
        from query_table(spots) group by number
    ),
    person as materialized (select * from spot left join connected using (number)),
    chosen as materialized (
        select part, sum(n) > sqlanon._most_places_of_a_part() or part is null as is_large
        from person group by part
        having min(first) < max(last) or not bool_and(is_alone)
    )
    select person.part, number, is_large
    from person join chosen on chosen.part is not distinct from person.part;

-- The answers: number, codes, is_finished. All parts are one list, so that they share the time.
create or replace macro sqlanon._answers_of_programs(parts_to_ask, people_to_ask, spots, rows_to_ask) as table
    with asked as materialized (
        select part, number from query_table(parts_to_ask) where not is_large
    ),
    spot as materialized (
        select part, number, covering, place, code from query_table(spots) join asked using (number)
    ),
    numbered as materialized (
        select part, place, row_number() over (partition by part order by place) as nth
        from (select distinct part, place from spot)
    ),
    part_rows as materialized (
        select part, list(n order by nth) as rows
        from numbered join query_table(rows_to_ask) using (place) group by part
    ),
    in_part as materialized (select spot.*, nth from spot join numbered using (part, place)),
    spots_of as materialized (
        select number, list(covering order by covering, nth) as coverings,
               list(nth order by covering, nth) as places, list(code order by covering, nth) as of_codes
        from in_part group by number
    ),
    person as materialized (
        select number, people, codes, coverings, places, of_codes
        from (select number, people, codes from query_table(people_to_ask)) join spots_of using (number)
    ),
    part_people as materialized (
        select part, list(number order by number) as numbers,
               list({'people': people, 'codes': codes::bigint[], 'coverings': coverings, 'places': places,
                     'of_codes': of_codes::bigint[]} order by number) as people
        from asked join person using (number) group by part
    ),
    whole_part as materialized (
        select part, numbers, {'people': people, 'rows': rows} as said
        from part_people join part_rows using (part)
    ),
    listed as materialized (
        select list(numbers order by part) as numbers, list(said order by part) as parts from whole_part
    ),
    solved as materialized (
        select numbers, sqlanon._possible_values(parts, sqlanon._seconds_of_programs()) as answers
        from listed where parts is not null
    ),
    of_part as (
        select unnest(numbers) as numbers, unnest(answers) as answer from solved where answers is not null
    )
    select unnest(numbers) as number, unnest(answer.codes) as codes, answer.is_finished as is_finished
    from of_part;

-- The candidates that programs leave: fate, attribute, codes, is_finished (programs have told all of them),
-- not_asked (they could tell more). state: fate, attribute, codes.
create or replace macro sqlanon._asked_of_programs(state, places, histogram) as table
    with person_to_ask as materialized (from sqlanon._people_to_ask(state, places)),
    row_to_ask as materialized (from sqlanon._rows_to_ask('person_to_ask', places, histogram)),
    spot as materialized (from sqlanon._spots('person_to_ask', places, 'row_to_ask')),
    part as materialized (from sqlanon._parts_to_ask('spot')),
    told as materialized (
        from sqlanon._answers_of_programs('part', 'person_to_ask', 'spot', 'row_to_ask')
    )
    select fate, attribute, coalesce(told.codes::integer[], asked.codes) as codes,
           coalesce(is_finished, false) as is_finished,
           part.number is not null and not coalesce(is_finished, false) and len(asked.codes) > 1 as not_asked
    from person_to_ask as asked
    left join part using (number)
    left join told using (number);
