-- Movers: people who have other quasi-identifiers than on an earlier night.
--
-- Whoever knows where somebody lived on both nights locates them by the address of each. For each release and
-- person whom the judge looked for, a register keeps keyed hashes: of the identity, of the identity with the
-- quasi-identifiers, and of the identity with the sensitive values. They show that somebody has moved, but
-- not from where to where. The quasi-identifiers themselves are kept only if a policy says keep_people.

-- What a text means, so that a blank, another case, 25 for 25.0, or a date for its midnight is nobody's move.
-- What is missing is one thing.
create or replace macro sqlanon._meant(string) as
    sqlanon._let(sqlanon._folded(string), lambda folded_text:
        case when folded_text is null then ''
             else sqlanon._comparable(folded_text, sqlanon._kind(folded_text)) end);

-- The people of a table as the register keeps them, a row each: id (as in the table), who, cells,
-- sensitive_cells. identity, qi, sensitive: columns; secret: a table with the secret.
create or replace macro sqlanon._hashed_people(tbl, secret, id, identity, qi, sensitive) as table
    from query(sqlanon._fill($$
        with person as (from {source}),
        value as materialized (select *, sqlanon._meant(value) as meant from ({values})),
        told as (
            select person.{"id"} as id, [{meant}] as meant from person {joins}
        ),
        named as (
            select id, meant, secret, sqlanon._keyed_hash(secret, 'who', meant[1:{identified}]) as who
            from told cross join {secret}
        )
        select id, who,
               sqlanon._keyed_hash(secret, 'cells', [who] || meant[{identified} + 1:{known}]) as cells,
               sqlanon._keyed_hash(secret, 'values', [who] || meant[{known} + 1:]) as sensitive_cells
        from named
    $$, map {
        'source': sqlanon._relation(tbl), 'secret': sqlanon._relation(secret),
        'identified': len(identity)::varchar, 'known': (len(identity) + len(qi))::varchar,
        'values': sqlanon._each(
            identity || qi || sensitive, '
                select distinct {i} as place, sqlanon._plain_text({c}::varchar) as value from person',
            ' union all '),
        'meant': sqlanon._each(identity || qi || sensitive, 'value{i}.meant', ', '),
        'joins': sqlanon._each(identity || qi || sensitive, '
            join value as value{i} on value{i}.place = {i}
              and value{i}.value is not distinct from sqlanon._plain_text(person.{c}::varchar)', '')}));

-- What somebody had more often then, and what they have more often now, of those who are in both tables: who,
-- mark, gone, fresh (rows), n (rows of it today). then, today: who, mark, a row each.
create or replace macro sqlanon._marks_that_changed(marks_then, marks_today) as table
    with before as (select who, mark, count(*) as n from query_table(marks_then) group by all),
    now_there as (select who, mark, count(*) as n from query_table(marks_today) group by all)
    select who, mark, greatest(coalesce(before.n, 0) - coalesce(now_there.n, 0), 0) as gone,
           greatest(coalesce(now_there.n, 0) - coalesce(before.n, 0), 0) as fresh,
           coalesce(now_there.n, 0) as n
    from before full join now_there using (who, mark)
    where coalesce(before.n, 0) <> coalesce(now_there.n, 0)
      and who in (select who from before) and who in (select who from now_there);

-- Who has something else now: who. Rows that somebody only lost, or only got, are no change of theirs.
create or replace macro sqlanon._who_changed(changed) as table
    select who from query_table(changed) group by who having sum(gone) > 0 and sum(fresh) > 0;

-- Of the rows of then of people who are still there, how many there are (every), and how many are as they
-- were (kept). then, today: who, mark, a row each.
create or replace macro sqlanon._rows_as_they_were(marks_then, marks_today) as table
    with before as (select who, mark, count(*) as n from query_table(marks_then) group by all),
    today as (select who, mark, count(*) as n from query_table(marks_today) group by all)
    select coalesce(sum(before.n), 0)::bigint as every,
           coalesce(sum(least(before.n, coalesce(today.n, 0))), 0)::bigint as kept
    from before left join today using (who, mark)
    where who in (select who from today);

-- The rows of today that were there, as far as anybody can tell: id. Of somebody who has a row no more, any
-- row that is not among those of then may be what became of it. then: who, mark, a row each; today: with id.
create or replace macro sqlanon._rows_that_were_there(marks_then, marks_today) as table
    with before as (select who, mark, count(*) as n from query_table(marks_then) group by all),
    today as (
        select id, who, mark, row_number() over (partition by who, mark order by id) as nth
        from query_table(marks_today)
    ),
    found as (
        select id, who, coalesce(nth <= n, false) as is_known from today left join before using (who, mark)
    ),
    missing as (
        select who from before
        left join (select who, count(*) filter (is_known) as known from found group by who) using (who)
        group by who, known having sum(n) > coalesce(known, 0)
    )
    select id from found where is_known or who in (select who from missing);

-- Of a table to which rows are only added: in which night a row of today was added, of those of a register
-- (night; NULL: since then): id, night. then: night, who, mark: the rows that the table had in each night.
create or replace macro sqlanon._nights_of_rows(marks_then, marks_today) as table
    with before as (select night, who, mark, count(*) as n from query_table(marks_then) group by all),
    today as (
        select id, who, mark, row_number() over (partition by who, mark order by id) as nth
        from query_table(marks_today)
    )
    select id, min(night) filter (where nth <= n) as night from today left join before using (who, mark)
    group by id;

-- Of people with several rows, how many there are (every), and how many have the same in all of them (kept).
create or replace macro sqlanon._people_who_stay(marks_today) as table
    select count(*) as every, count(*) filter (where marks = 1) as kept
    from (
        select count(distinct mark) as marks from query_table(marks_today) group by who having count(*) > 1
    );

-- Whose change is one of a row for another: who, gone_mark, fresh_mark, and left_over (rows that are gone
-- besides).
create or replace macro sqlanon._paired_changes(changed) as table
    select who, any_value(mark) filter (where gone > 0) as gone_mark,
           any_value(mark) filter (where fresh > 0) as fresh_mark, sum(gone) - sum(fresh) as left_over
    from query_table(changed)
    group by who
    having count(*) filter (where gone > 0) = 1
       and count(*) filter (where fresh > 0 and fresh = n) = 1
       and count(*) filter (where fresh > 0) = 1;

-- The people of today who had other cells then: id, columns, cells. kept: who, mark, columns, cells; today:
-- id, who, mark.
create or replace macro sqlanon._cells_of_movers(paired, kept, today) as table
    with cells_of as (
        select who, mark, any_value(columns) as columns, any_value(cells) as cells
        from query_table(kept) group by who, mark
    )
    select id, columns, cells
    from query_table(paired) as pair
    join cells_of on cells_of.who = pair.who and cells_of.mark = pair.gone_mark
    join query_table(today) as person on person.who = pair.who and person.mark = pair.fresh_mark;

-- Rows of then that nobody has today: who, columns, cells, person (whose rows they are, if they are still
-- here: the id of one of their rows today), nth (of those of one person that are alike). Those of movers are
-- theirs.
create or replace macro sqlanon._rows_of_leavers(changed, paired, kept, today) as table
    with here as (select who, min(id) as person from query_table(today) group by who),
    lost as (
        select change.who, change.mark, if(pair.who is null, gone, greatest(left_over, 0)) as rows_lost
        from query_table(changed) as change
        left join query_table(paired) as pair on pair.who = change.who and pair.gone_mark = change.mark
        where gone > 0
    ),
    alike as (
        select who, mark, list({'columns': columns, 'cells': cells}) as rows_then
        from query_table(kept) group by who, mark
    ),
    rest as (
        select who, person, if(person is null, rows_then, rows_then[:coalesce(rows_lost, 0)]) as rows_gone
        from alike left join here using (who) left join lost using (who, mark)
    )
    select who, row_then.columns, row_then.cells, person, nth
    from (select who, person, unnest(rows_gone) as row_then, unnest(range(1, len(rows_gone) + 1)) as nth
          from rest);

-- Where people are, of those who were elsewhere on other nights by their cells of each night: as in
-- _located_in_all, which has their cells of all nights. nights: release (its number), and the columns of qi,
-- of which the last one is the history; elsewhere: places of nights that nobody has today, which are gone
-- then.
create or replace macro sqlanon._located_by_nights(
    located_targets, target_combinations, nights, elsewhere, qi) as table
    with place as (
        from query(sqlanon._fill($$
            select target from {target_combinations} as combination
            join {elsewhere} as elsewhere
              on true {each qi: and combination.v{i} is not distinct from elsewhere.{c}::varchar}
        $$))
    ),
    moved as materialized (
        from query(sqlanon._fill($$
            select distinct night.release, mover.target, past.target as past
            from {nights} as night
            join {target_combinations} as mover on mover.v{last} = night.{history}
            join {target_combinations} as past
              on true {each qi: and past.v{i} is not distinct from night.{c}::varchar}
        $$, map {'last': len(qi)::varchar, 'history': sqlanon._quote(qi[-1])}))
    )
    select located.release, located.target, class_id
    from query_table(located_targets) as located
    anti join moved on moved.release = located.release and moved.target = located.target
    anti join place on place.target = located.target
    union all
    select located.release, moved.target, class_id
    from query_table(located_targets) as located
    join moved on moved.release = located.release and moved.past = located.target
    anti join place on place.target = moved.target;

-- As above by columns that today's table has of a release, as texts. hashed: id, who; kept: as asked of the
-- register has it.
create or replace macro sqlanon._people_by_cells(people, hashed, id, qi) as table
    from query(sqlanon._fill($$
        select person.{"id"} as id, who, [{each qi: person.{c}::varchar}]::varchar as mark
        from {people} as person join {hashed} as hashed on hashed.id = person.{"id"}
    $$));
create or replace macro sqlanon._kept_by_cells(kept, release, qi) as table
    select who, columns, cells,
           list_transform(qi, lambda name:
               cells[list_position(sqlanon._lower(columns), lower(name))])::varchar as mark
    from query_table(kept) where release_id = release;

-- Is a table the one that a release was made of? One row: missing (rows of the release that it lacks), others
-- (its rows that are none of the release), known (rows of the release). hashed: as in _hashed_people; people:
-- those whom the register keeps, of all releases.
create or replace macro sqlanon._compared_with_kept(hashed, people, release) as table
    with kept as (
        select who, cells, sensitive_cells, count(*) as n
        from query_table(people) where release_id = release group by all
    ),
    given as (select who, cells, sensitive_cells, count(*) as n from query_table(hashed) group by all)
    select coalesce(sum(greatest(coalesce(kept.n, 0) - coalesce(given.n, 0), 0)), 0)::bigint as missing,
           coalesce(sum(greatest(coalesce(given.n, 0) - coalesce(kept.n, 0), 0)), 0)::bigint as others,
           coalesce(sum(kept.n), 0)::bigint as known
    from kept full join given using (who, cells, sensitive_cells);

-- The rows of a table that a release was made of, as a register keeps who was asked about: release_id, who,
-- columns, cells, hashed. rows: its rows, with a number in the column id; columns: the quasi-identifiers;
-- hashed, people: as in _compared_with_kept.
create or replace macro sqlanon._asked_as_kept(rows, hashed, people, release, id, columns) as table
    from query(sqlanon._fill($$
        select {release} as release_id, hashed.who, {names} as columns,
               [{each columns: person.{c}::varchar}] as cells, hashed.cells as hashed
        from {rows} as person join {hashed} as hashed on hashed.id = person.{"id"}
        where hashed.cells in (select cells from {people} where release_id = {release})
    $$, map {
        'release': release::varchar, 'names': sqlanon._names(columns), 'rows': sqlanon._relation(rows),
        'hashed': sqlanon._relation(hashed), 'people': sqlanon._relation(people)}));

-- A label of a release with its values as they are called today, within a set, too. ours: a map.
create or replace macro sqlanon._label_as_called_today(label, ours) as
    coalesce(
        ours[label],
        case when sqlanon._form(label) = 'set'
             then sqlanon._set_text(list_transform(
                 sqlanon._parsed_elements(label),
                 lambda element_of_label: coalesce(ours[element_of_label], element_of_label))) end,
        label);

-- Those who were asked about, with their values as these are called today. asked: release_id, who, columns,
-- cells, hashed; spellings: release_id, column_name, theirs, ours.
create or replace macro sqlanon._asked_as_spelled_today(asked, spellings) as table
    with person as (select row_number() over () as nth, * from query_table(asked)),
    cell as (
        select nth, release_id, unnest(columns) as name, unnest(cells) as value,
               generate_subscripts(cells, 1) as place
        from person
    ),
    spelled as (
        select nth, list(coalesce(ours, value) order by place) as cells
        from cell left join query_table(spellings) as spelling
            on spelling.release_id = cell.release_id and lower(column_name) = lower(name)
               and theirs = value
        group by nth
    )
    select release_id, who, columns, coalesce(spelled.cells, person.cells) as cells, hashed
    from person left join spelled using (nth);

-- How many people of a table a release was about, too (stayed), how many it was not (came), and how many
-- others it was about (left_since). identity: the columns that tell who somebody is; people: those whom the
-- register keeps, of all releases.
create or replace macro sqlanon._came_and_went(tbl, secret, identity, people, release) as table
    with today as (
        select distinct who, true as is_here
        from sqlanon._hashed_people(tbl, secret, identity[1], identity, []::varchar[], []::varchar[])
    ),
    before as (
        select distinct who, true as was_there from query_table(people) where release_id = release
    )
    select count(*) filter (is_here and was_there) as stayed,
           count(*) filter (was_there is null) as came, count(*) filter (is_here is null) as left_since
    from today full join before using (who);
