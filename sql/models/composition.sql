-- Composition: what a release gives away together with releases that are out already (Ganta, Kasiviswanathan
-- and Smith 2008). Whoever is in several releases has a value that all their classes share.
--
-- Composed l-diversity [own definition]: the known releases leave somebody some of the table's values. With
-- the new release at least composed_l of these must be left. What is published cannot be taken back: people
-- to whom the known releases alone leave fewer values must keep all of them, and are counted.
--
-- ROWS OF SEVERAL COLUMNS. Releases are joined by all columns that they leave unchanged: the sensitive
-- columns, and those kept columns that they have. What is intersected are rows of these; the values of a
-- sensitive column are those of the rows that are left. (Classes {(flu, a), (gout, b)} and {(flu, a),
-- (gout, c), (angina, b)} share two values in each column, and one row.) A release that lacks a kept column
-- is joined by those that it has. Somebody to whom the known releases leave no row, because a column has
-- changed, say, must keep enough by fewer columns, as the attack judges then: with each column left out, by
-- the sensitive ones, and by each of these alone. These sets of columns are spaces; the first is of all.
--
-- The rows of the table are located in the known releases as the attack locates them, once, before anything
-- is cut. Rows to which all known releases together leave the same share a number, known. It is counted as
-- one more sensitive column, the last one, as the unit is: so a combination of sensitive values (s) tells it,
-- however rows are put together later. A class may be any of its rows' class: it holds if it has, for each
-- known in it, enough of the values that are left. It is monotone: a larger class has more values, and what
-- the whole table as one class leaves is all that can be left.
--
-- A row that no class of a known release covers is exempt: it was not in there. So is a row of which presence
-- says that, and a row to which no value is left at all, because it cannot be in all of these releases.
-- Suppressed rows are exempt, too, because they are in no class of the release. But an adversary who does not
-- know that they are suppressed may find them in classes of others: people who would be left too few values
-- there are counted.
--
-- SEVERAL ROWS OF A PERSON (unit) [own definition]. No two of somebody's rows are the same row of a release.
-- So a value is certain not only if it is all that is left of one of their rows: of r rows in a class of n it
-- is certain, too, if more than n - r of the class have it. (What is possible of all their rows together is
-- no bound: rows in the classes {HIV, HIV} and {flu, gout} have three values in the union, and HIV is
-- certain.) Each row therefore keeps composed_l values whichever rows the others are: whatever composed_l - 1
-- values are ruled out, there are rows enough for all of them. In a class of one release alone this says that
-- r rows or more do not have its composed_l - 1 most frequent values.
--   With several releases rivals of a row are those rows of the same person that share a class with it in one
-- of them, and itself. Rivals can close a value to a row only in a release where they, without the row, are
-- as many as its class has rows with it that the row could be; so many rivals have the value then: cap, the
-- fewest of such releases. Each row keeps composed_l values if the caps of its values, without the composed_l
-- - 1 largest, add up to its rivals or more; a value that nothing closes is enough. (Rivals count in the new
-- release and in those that close something.) Then there is no set of composed_l - 1 values of which the
-- person certainly has one.
--   Proof: give the rows values outside the set, one after the other, each one that is not closed to it. All
-- are closed only to a row that has as many rivals, without itself, as caps add up to.
--   Whom the known releases, or the whole table as one class, leave fewer keep as many, and are counted.

-- WHAT KNOWN RELEASES LEAVE

-- The columns that are counted with the quasi-identifiers, and the number known as one more of them, where
-- there are known releases: of that only the position counts.
create or replace macro sqlanon._with_known(counted, known) as
    counted || if(known is null, []::varchar[], ['known']);

-- The distinct quasi-identifiers of the table (apart where presence says so), or no rows without known
-- releases. weight: of a table of counts.
create or replace macro sqlanon._known_targets(known, source, qi, presence, weight := null) as table
    from query(
        sqlanon._if_given(known, 'null::integer as target', {call _target_combinations:
            targets := source,
            presence := text(if(len(presence) = 0, 'null', sqlanon._names_of(presence)))}));

-- Where they are in the releases, as the attack finds them: release, class_id, target (NULL in a row of each
-- class with a label that could not be read).
create or replace macro sqlanon._known_located(releases, targets, hierarchy, qi, judged) as table
    from query(
        sqlanon._if_given(
            releases, 'null::integer as release, null::bigint as class_id, null::integer as target',
            {call _located_in_releases}));

create or replace macro sqlanon._located_in_releases(releases, targets, hierarchy, qi, judged) as table
    with _sqlanon_cell as materialized (
        from sqlanon._cells_of_releases(releases, qi, judged, null, null)
    ),
    _sqlanon_class as materialized (from sqlanon._classes_of_cells('_sqlanon_cell', qi))
    select release, class_id, target from sqlanon._locate_or_tell('_sqlanon_class', targets, hierarchy, qi);

-- The column that joins releases beside the sensitive ones: what a row has in the kept columns that a known
-- release has, as a list of texts (NULL in those that none has). Without any there is no such column.
create or replace macro sqlanon._kept_column() as '_sqlanon_kept';
create or replace macro sqlanon._joining_columns(known, kept) as
    case when known is null or len(kept) = 0 then []::varchar[] else [sqlanon._kept_column()] end;

-- The rows of the known releases, by class: release, class_id, strings (what they have in the sensitive and
-- in the kept columns), kinds (of these columns), has (does the release have them?), n; or no rows.
create or replace macro sqlanon._known_rows(known, qi, judged, kept := []::varchar[]) as table
    from query(
        sqlanon._if_given(
            known, 'null::bigint as release, null::bigint as class_id, null::varchar[] as strings, '
            || 'null::integer[] as kinds, null::boolean[] as has, null::bigint as n',
            sqlanon._fill($$
                select release, class_id, strings, kinds,
                       list_transform(kinds, lambda kind:
                           kind is distinct from sqlanon._kind_of_lacking()) as has, n
                from sqlanon._cells_of_releases({known}, {=qi}, {=judged}, null, null, unchanged := {kept})
            $$, map {
                'known': sqlanon._names_of(known),
                'kept': if(len(kept) > 0, sqlanon._names_of(kept), 'null')})));

-- Columns of a table, and that which joins. known_rows: as above.
create or replace macro sqlanon._source_for_known(tbl, qi, others, known, known_rows, kept) as table
    from query(
        case when len(sqlanon._joining_columns(known, kept)) = 0
             then sqlanon._call('_source', [
                 sqlanon._literal(tbl), sqlanon._names_of(qi), sqlanon._names_of(others)])
             else sqlanon._fill($$
                 select src.*, [{values}]::varchar[] as {joined}
                 from sqlanon._source({tbl}, {qi}, {others}) as src, (select {has} from {known_rows}) as known
             $$, map {
                 'values': sqlanon._each_of(
                     kept, 'case when known.has{i} then sqlanon._plain_text(src.{c}::varchar) end', ', '),
                 'has': sqlanon._each_filled(
                     kept, 'coalesce(bool_or(has[len(has) - {kept} + {i}]), false) as has{i}',
                     map {'kept': len(kept)::varchar}, ', '),
                 'joined': sqlanon._quote(sqlanon._kept_column()), 'tbl': sqlanon._literal(tbl),
                 'qi': sqlanon._names_of(qi), 'others': sqlanon._names_of(others)}) end);

-- The sets of columns by which releases are joined, as by intersection_attack: lists of positions, the first
-- are all. sensitive, kept: how many columns there are.
create or replace macro sqlanon._spaces(sensitive, kept) as
    sqlanon._let(range(1, sensitive + kept + 1), lambda every:
        [every] || sqlanon._judging_columns(every, sensitive)
        || list_filter(list_transform(range(1, sensitive + 1), lambda nth: [nth]), lambda one: one <> every));

-- What a row has in these columns, as the text of an expression. sensitive_column: the template of a
-- sensitive column; joined_column: the other one, or NULL.
create or replace macro sqlanon._texts_of_row(judged, sensitive_column, joined_column) as
    '[' || sqlanon._each_of(judged, 'sqlanon._plain_text(' || sensitive_column || '::varchar)', ', ')
    || ']::varchar[]' || coalesce(' || ' || joined_column, '');

-- The rows of the table as they compare with those of releases. In each space rows have a number, u. Facts:
--     'row'    strings, space, u
--     'value'  space, u, attribute, code (the value that it has there)
--     'class'  release, class_id, space, u, n (how many rows of the class it could be)
--     'total'  space, u, n (rows of the table)
create or replace macro sqlanon._rows_in_spaces(known_rows, source, judged, kept) as table
    with own_text as materialized (
        from query(sqlanon._fill($$
            select {strings} as strings, count(*) as n from {source} as src group by all
        $$, map {
            'strings': sqlanon._texts_of_row(
                judged, 'src.{c}',
                case when len(kept) > 0 then 'src.' || sqlanon._quote(sqlanon._kept_column()) end)}))
    ),
    truth_kind as (from sqlanon._truth_kinds(source, judged || kept)),
    stated_kind as (
        select distinct attribute, kind
        from (
            select unnest(range(1, len(kinds) + 1))::integer as attribute, unnest(kinds) as kind,
                   unnest(has) as is_there
            from (select distinct kinds, has from query_table(known_rows))
        )
        where is_there
    ),
    kind as (from sqlanon._sensitive_kinds('stated_kind', 'truth_kind')),
    said as materialized (
        select strings from own_text union select strings from query_table(known_rows)
    ),
    string as (
        select strings, unnest(range(1, len(strings) + 1))::integer as attribute, unnest(strings) as string
        from said
    ),
    key as (
        select attribute, string, coalesce(sqlanon._comparable(string, kind), '') as key
        from (select distinct attribute, string from string) left join kind using (attribute)
    ),
    keyed as materialized (
        select strings, list(key order by text.attribute) as keys
        from string as text
        join key on key.attribute = text.attribute and key.string is not distinct from text.string
        group by strings
    ),
    space as materialized (
        select unnest(range(1, len(sets) + 1)) as space, unnest(sets) as members
        from (select sqlanon._spaces(len(judged), len(kept)) as sets)
    ),
    own as materialized (
        select strings, n, keys, space, members,
               dense_rank() over (partition by space order by list_transform(members, lambda i: keys[i])) - 1
                   as u
        from (
            select own_text.strings, n, keys
            from own_text join keyed on keyed.strings is not distinct from own_text.strings
        ), space
    ),
    own_value as materialized (
        select attribute, key, dense_rank() over (partition by attribute order by key) - 1 as code
        from (
            select distinct attribute, keys[attribute] as key
            from own, (select unnest(range(1, len(judged) + 1))::integer as attribute)
        )
    ),
    -- by which columns each release is joined in each space
    joined as materialized (
        select space, release, list_filter(members, lambda i: has[i]) as members
        from space, (select distinct release, has from query_table(known_rows))
    ),
    known_row as (
        select release, class_id, space, list_transform(members, lambda i: keys[i]) as pattern,
               sum(n)::bigint as n
        from (
            select release, class_id, n, keys
            from query_table(known_rows) as known_row
            join keyed on keyed.strings is not distinct from known_row.strings
        )
        join joined using (release)
        group by all
    ),
    own_pattern as (
        select distinct release, space, u, list_transform(joined.members, lambda i: keys[i]) as pattern
        from own join joined using (space)
    )
    select 'row' as fact, strings, space, u from own
    union all by name
    select distinct 'value' as fact, space, u, attribute, code
    from own join own_value on list_contains(members, attribute) and key = keys[attribute]
    union all by name
    select 'class' as fact, release, class_id, space, u, n
    from known_row join own_pattern using (release, space, pattern)
    union all by name
    select 'total' as fact, space, u, sum(n)::bigint as n from own group by space, u;

-- What classes say of the rows of the table, by fates: targets that are in the same classes share theirs.
-- Facts:
--     'target'  target, fate
--     'class'   fate, release, class_id (one of its classes)
--     'left'    fate, release, space, u, n (rows of these classes that it could be)
--     'value'   space, u, attribute, code
create or replace macro sqlanon._rows_of_fates(located_targets, joined_rows, targets, releases) as table
    with -- nothing more is known of anybody
    combination as (select *, 0 as knowledge, null::integer[] as in_part from query_table(targets)),
    covered as materialized (from sqlanon._covers_of_targets(located_targets, 'combination', releases)),
    cover as materialized (
        select row_number() over ()::integer as cover, *
        from (select distinct release, knowledge, in_part, classes from covered)
    ),
    combined as materialized (from sqlanon._combined_covers('covered', 'cover')),
    fate as materialized (
        select row_number() over () as fate, covers from (select distinct covers from combined)
    ),
    part as materialized (
        select fate, release, cover, classes
        from (select fate, unnest(covers) as cover from fate) join cover using (cover) where len(classes) > 0
    ),
    cover_row as (
        select cover, space, u, sum(n)::bigint as n
        from (select cover, release, unnest(classes) as class_id from cover)
        join (select release, class_id, space, u, n from query_table(joined_rows) where fact = 'class')
          using (release, class_id)
        group by cover, space, u
    )
    select 'target' as fact, target, fate from combined join fate using (covers)
    union all by name
    select 'class' as fact, fate, release, unnest(classes) as class_id from part
    union all by name
    select 'left' as fact, fate, release, space, u, n from part join cover_row using (cover)
    union all by name
    select fact, space, u, attribute, code from query_table(joined_rows) where fact = 'value';

-- What several releases leave together: fate, space, u, cap (the fewest rows of a release that it could be).
-- last: the number of the last of these releases.
create or replace macro sqlanon._left_together(rows_of_fates, last) as table
    with located as (
        select fate, count(distinct release) as releases
        from query_table(rows_of_fates) where fact = 'class' and release <= last group by fate
    )
    select fate, space, u, min(n) as cap
    from query_table(rows_of_fates) join located using (fate)
    where fact = 'left' and release <= last
    group by fate, space, u, releases having count(*) = releases;

-- What is left by sensitive column: fate, attribute, space, u, code, cap; in the first space, or where
-- nothing is left there in all others. left_over: as above.
create or replace macro sqlanon._left_by_column(rows_of_fates, left_over) as table
    with row_left as (select *, space = 1 as is_of_all from query_table(left_over)),
    decisive as (
        select fate, bool_or(is_of_all) as is_of_all from row_left group by fate
    )
    select fate, attribute, space, u, code, cap
    from row_left semi join decisive using (fate, is_of_all)
    join (select space, u, attribute, code from query_table(rows_of_fates) where fact = 'value')
      using (space, u);

-- What known releases leave each target. Facts:
--     'target'  target, known (0: no class covers it)
--     'value'   known, attribute, space, u, code, cap (rows that are left, and the values that they have)
--     'row'     strings, space, u (rows of the table)
--     'total'   space, u, n (how many there are)
-- and by_unit, where known is the fate:
--     'left'    known, release, space, u, n (rows of its classes that it could be)
--     'class'   known, release, class_id (one of its classes)
create or replace macro sqlanon._known_values(
    known, known_rows, located_targets, targets, source, judged, kept := []::varchar[],
    by_unit := false) as table
    from query(
        sqlanon._if_given(
            known, 'null::varchar as fact, null::integer as target, null::bigint as known, '
            || 'null::integer as attribute, null::bigint as space, null::bigint as u, null::bigint as code, '
            || 'null::bigint as cap, null::varchar[] as strings, null::bigint as release, '
            || 'null::bigint as class_id, null::bigint as n',
            {call _values_known: releases := known, kept := text(sqlanon._names_of(kept))}));

create or replace macro sqlanon._values_known(
    known_rows, located_targets, targets, source, releases, judged, kept, by_unit) as table
    with joined_row as materialized (from sqlanon._rows_in_spaces(known_rows, source, judged, kept)),
    of_fate as materialized (from sqlanon._rows_of_fates(located_targets, 'joined_row', targets, releases)),
    left_over as (from sqlanon._left_together('of_fate', len(releases))),
    left_of_column as materialized (from sqlanon._left_by_column('of_fate', 'left_over')),
    fate_set as (
        select fate, list_sort(list(row(attribute, space, u))) as members
        from left_of_column where not by_unit group by fate
    ),
    distinct_set as (select min(fate) as known, list(fate) as fates from fate_set group by members),
    numbered as materialized (
        select known, unnest(fates) as fate from distinct_set
        union all
        select distinct fate as known, fate from left_of_column where by_unit
    )
    select fact, target, coalesce(known, if(by_unit, fate, 0)) as known
    from of_fate left join numbered using (fate) where fact = 'target'
    union all by name
    select 'value' as fact, known, attribute, space, u, code, cap
    from left_of_column join numbered using (fate) where known = fate
    union all by name
    select fact, strings, space, u, n from joined_row where fact in ('row', 'total')
    union all by name
    select fact, fate as known, release, class_id, space, u, n
    from of_fate where by_unit and fact in ('left', 'class');

-- The distinct combinations of a table: q1, q2, ..., s1, s2, ..., n, tuple_id; with known releases the number
-- known is a last sensitive column, and target is there. presence: columns in counted; weight: of a table of
-- counts.
create or replace macro sqlanon._combinations_with_known(
    tbl, qi, counted, known, presence, targets, known_values, weight := null) as table
    from query(
        case when known is null
             then {call _numbered_combinations: sensitive := counted}
             else sqlanon._fill($$
                 select combination.* exclude (n), location.known as s{position}, target, n
                 from sqlanon._numbered_combinations({=tbl}, {=qi}, {=counted}, {=weight}) as combination
                 join (
                     from {targets}
                     join (select target, known from {known_values} where fact = 'target') using (target)
                 ) as location on true {equal_values} {equal_presence}
             $$, map {
                 'position': (len(counted) + 1)::varchar,
                 'equal_values': sqlanon._each_of(
                     qi, ' and combination.q{i}::varchar is not distinct from location.v{i}', ''),
                 'equal_presence': coalesce(list_aggregate(
                     list_transform(presence, lambda name, nth:
                         ' and coalesce(combination.s'
                         || list_position(sqlanon._lower(counted), lower(name))
                         || '::boolean, false) = location.present[' || nth || ']'),
                     'string_agg', ''), '')}) end);

-- No rows, or an error where a release is empty or covers nobody: all would pass for people whom it does not
-- have.
create or replace macro sqlanon._refuse_known(located_targets, rows, releases) as table
    from sqlanon._refuse_empty_releases(rows, releases)
    union all
    select error('release ' || releases[release] || ' has no class that covers a row of the '
                 || 'table: is a column written otherwise there (unread_labels tells which), is it of other '
                 || 'people, are its labels those of hierarchies, or is it of centroids, which composed_l '
                 || 'does not know?') as refused
    from (select distinct release from query_table(rows))
    where release not in (select release from query_table(located_targets) where target is not null);

-- For methods that look at sensitive columns alone: no rows, or an error where a known release has a column
-- that is kept, too. Rows are joined by it.
create or replace macro sqlanon._refuse_kept_with_known(known, qi, judged, keep) as table
    select error('column ' || keep[place] || ' is kept, and known releases have it, too: rows are joined by '
                 || 'it, and only mondrian looks at that. Leave it out, mask it, or use mondrian') as refused
    from (
        select unnest(range(1, len(keep) + 1)) as place, unnest(has[len(judged) + 1:]) as is_there
        from sqlanon._known_rows(known, qi, judged, keep)
    )
    where is_there;

-- Both, as the text of what is added to other refusals; empty without known releases.
create or replace macro sqlanon._known_and_kept_refused(located_targets, rows, known, qi, judged, keep) as
    case when known is null then ''
         else ' union all ' || {call _refuse_known: releases := known}
              || if(len(keep) = 0, '', ' union all ' || {call _refuse_kept_with_known}) end;

-- THE MODEL

-- What combinations of sensitive values say, in words of 60 rows, as bits. Facts:
--     'held'      s, known, space, word, held (its own row)
--     'possible'  known, attribute, space, part, word, possible (the rows that are left; of each value in a
--                 part of its own where several rows may have it), size (how many values are left)
-- by_unit: as _composition_of_people has it. combinations: of the table, with the number known; counted: the
-- columns in them, without that.
create or replace macro sqlanon._composition(
    known, known_values, combinations, sensitive_combinations, counted, judged, requirement,
    by_unit := false) as table
    from query(
        sqlanon._if_given(known, 'null::bigint as s',
            sqlanon._fill($$
                with member as (
                    select s, s{position} as known, {person} as person, {strings} as strings
                    from {sensitive_combinations}
                ),
                people_row as (
                    select {person} as person, sensitive.s{position} as known, n
                    from {combinations} as combination
                    join {sensitive_combinations} as sensitive on true {equal_values}
                )
                {model}
            $$, map {
                'position': (len(counted) + 1)::varchar,
                'person': if(by_unit, 'f' || len(counted), 'null::bigint'),
                'equal_values': sqlanon._each_of(
                    counted || ['known'],
                    ' and combination.s{i} is not distinct from sensitive.s{i}', ''),
                'strings': sqlanon._texts_of_row(
                    judged, 's{i}', 's' || list_position(counted, sqlanon._kept_column())),
                'model': if(by_unit,
                    {call _composition_of_people: members := 'member', people_rows := 'people_row'},
                    {call _composition_of: members := 'member'})})));

create or replace macro sqlanon._composition_of(members, known_values) as table
    with size as (
        select known, attribute, space, count(distinct code) as size,
               count(distinct code) < count(*) as is_shared
        from query_table(known_values) where fact = 'value' group by known, attribute, space
    ),
    left_over as (
        select left_over.*, size, if(is_shared, code + 1, 0) as part
        from (select known, attribute, space, u, code from query_table(known_values) where fact = 'value')
             as left_over
        join size using (known, attribute, space)
    )
    select 'held' as fact, s, known, own.space, own.u // 60 as word,
           1::bigint << (own.u % 60)::integer as held
    from query_table(members) as member
    join (select strings, space, u from query_table(known_values) where fact = 'row') as own
      on own.strings is not distinct from member.strings
    union all by name
    select 'possible' as fact, known, attribute, space, part, u // 60 as word,
           bit_or(1::bigint << (u % 60)::integer) as possible, any_value(size) as size
    from left_over group by known, attribute, space, part, u // 60;

-- The classes in which somebody of each known is: class_id, known; and which rows classes have: class_id,
-- space, word, held. cells: class_id, s.
create or replace macro sqlanon._held_rows(cells, composition) as table
    select class_id, known, space, word, bit_or(held) as held
    from query_table(cells) join query_table(composition) using (s) group by class_id, known, space, word;

-- Who keeps fewer values than composed_l, of those that are left: class_id, known.
create or replace macro sqlanon._losers_by_rows(cells, composition, requirement) as table
    with holding as materialized (from sqlanon._held_rows(cells, composition)),
    class as (
        select class_id, space, word, bit_or(held) as held from holding group by class_id, space, word
    ),
    of_part as (
        select class_id, known, attribute, space, part, any_value(size) as size,
               coalesce(sum(bit_count(class.held & possible)), 0) as kept
        from (select distinct class_id, known from holding)
        join (select known, attribute, space, part, word, possible, size
              from query_table(composition) where fact = 'possible') using (known)
        left join class using (class_id, space, word)
        group by class_id, known, attribute, space, part
    ),
    kept as (
        select class_id, known, sum(if(part = 0, kept, least(kept, 1))) as kept, any_value(size) as size
        from of_part group by class_id, known, attribute, space
    )
    select distinct class_id, known
    from kept, query_table(requirement) as required where kept < least(size, required.req.composed_l);

-- How many values a row keeps whichever rows its rivals are, or most. caps: of its values, the largest first.
create or replace macro sqlanon._kept_among(caps, rivals, most) as
    len(list_filter(range(1, least(len(caps), most)::bigint + 1), lambda nth:
        list_sum(caps[nth:]) >= rivals));

-- How many of a person's rows it takes to close a class to one of them: n, or NULL where there are too few.
create or replace macro sqlanon._closing(n, mates) as case when n < mates then n end;

-- Whose rows share classes: person, fate, release, mate (the fate of the others, or the same), rows (of
-- these). of_person: person, fate, rows; places: fate, release, class_id.
create or replace macro sqlanon._mates(of_person, places) as table
    with located as materialized (
        select person, fate, rows, release, class_id
        from query_table(of_person) join query_table(places) using (fate)
    )
    select distinct one.person, one.fate, one.release, other.fate as mate, other.rows
    from located as one join located as other using (person, release, class_id);

-- Where these close something: person, fate, release, space, u, cap. left_rows: fate, space, u; counted:
-- fate, release, space, u, n (rows of its classes that it could be; no row: none).
create or replace macro sqlanon._closed_rows(mates, left_rows, counted) as table
    with number_of_mates as (
        select person, fate, release, sum(rows)::bigint as number
        from query_table(mates) group by person, fate, release
    )
    select person, fate, release, space, u, sqlanon._closing(coalesce(n, 0), number) as cap
    from number_of_mates join query_table(left_rows) using (fate)
    left join query_table(counted) using (fate, release, space, u)
    where sqlanon._closing(coalesce(n, 0), number) is not null;

-- How many values the whole table as one class leaves: person, fate, attribute, space, needed. left_over:
-- fate, attribute, space, u, code; closed: person, fate, space, u, cap (by known releases); totals: space, u,
-- total.
create or replace macro sqlanon._needed_values(of_person, left_over, closed, totals, most) as table
    with person as (select person, sum(rows)::bigint as rows from query_table(of_person) group by person),
    cap as (
        select person, fate, attribute, space, code, any_value(person.rows) as rivals,
               max(least(coalesce(cap, person.rows),
                         coalesce(sqlanon._closing(total, person.rows), person.rows))) as cap
        from (select person, fate from query_table(of_person))
        join person using (person)
        join query_table(left_over) using (fate)
        join query_table(totals) using (space, u)
        left join (
            select person, fate, space, u, min(cap) as cap from query_table(closed) group by all
        ) using (person, fate, space, u)
        group by person, fate, attribute, space, code
    )
    select person, fate, attribute, space,
           sqlanon._kept_among(list_reverse_sort(list(cap)), any_value(rivals), most) as needed
    from cap group by person, fate, attribute, space;

-- What known releases leave people who have several rows. Facts:
--     'member'  s, person, known, space, u
--     'value'   known, attribute, space, u, code
--     'closed'  person, known, space, u, cap (what known releases close)
--     'needed'  person, known, attribute, space, needed (values that their rows must keep), rows (of these)
--     'mate'    person, known, mate, rows (the rivals in releases that close something)
-- people_rows: person, known, n.
create or replace macro sqlanon._composition_of_people(
    members, people_rows, known_values, requirement) as table
    with left_over as materialized (
        select known as fate, attribute, space, u, code
        from query_table(known_values) where fact = 'value'
    ),
    left_row as (select distinct fate, space, u from left_over),
    counted as (
        select known as fate, release, space, u, n from query_table(known_values) where fact = 'left'
    ),
    total as (select space, u, n as total from query_table(known_values) where fact = 'total'),
    place as (
        select known as fate, release, class_id from query_table(known_values) where fact = 'class'
    ),
    of_person as materialized (
        select person, known as fate, sum(n)::bigint as rows
        from query_table(people_rows) group by person, known
    ),
    mate as materialized (from sqlanon._mates('of_person', 'place')),
    closed as materialized (from sqlanon._closed_rows('mate', 'left_row', 'counted')),
    needed as (
        from sqlanon._needed_values(
            'of_person', 'left_over', 'closed', 'total',
            (select required.req.composed_l from query_table(requirement) as required))
    )
    select 'member' as fact, s, person, known, own.space, own.u
    from query_table(members) as member
    join (select strings, space, u from query_table(known_values) where fact = 'row') as own
      on own.strings is not distinct from member.strings
    union all by name
    select 'value' as fact, fate as known, attribute, space, u, code from left_over
    union all by name
    select 'closed' as fact, person, fate as known, space, u, min(cap) as cap
    from closed group by person, fate, space, u
    union all by name
    select 'needed' as fact, person, fate as known, attribute, space, needed, rows
    from needed join of_person using (person, fate)
    union all by name
    select distinct 'mate' as fact, person, fate as known, mate, rows
    from mate semi join closed using (person, fate, release);

-- Who of these keeps too few: class_id, known. cells: class_id, s, n.
create or replace macro sqlanon._losers_by_people(cells, composition, requirement) as table
    with cell as materialized (
        select class_id, s, sum(n)::bigint as n from query_table(cells) group by class_id, s
    ),
    member as materialized (
        select class_id, person, known, sum(n)::bigint as rows
        from cell join (select distinct s, person, known from query_table(composition) where fact = 'member')
          using (s)
        group by class_id, person, known
    ),
    here as materialized (
        select class_id, person, sum(rows)::bigint as mates from member group by class_id, person
    ),
    elsewhere as (
        select member.class_id, member.person, member.known,
               sum(mate.rows - coalesce(inside.rows, 0))::bigint as rows
        from member
        join (select person, known, mate, rows from query_table(composition) where fact = 'mate') as mate
          using (person, known)
        left join member as inside
          on inside.class_id = member.class_id and inside.person = member.person and inside.known = mate.mate
        group by member.class_id, member.person, member.known
    ),
    rivals as materialized (
        select class_id, person, known, mates, mates + coalesce(elsewhere.rows, 0) as rivals
        from member join here using (class_id, person) left join elsewhere using (class_id, person, known)
    ),
    class_row as materialized (
        select class_id, space, u, sum(n)::bigint as n
        from cell join (select s, space, u from query_table(composition) where fact = 'member') using (s)
        group by class_id, space, u
    ),
    -- what of a known is in a class: once for all people
    held as materialized (
        select class_id, known, attribute, space, u, code, n
        from (select distinct class_id, known from member)
        join (select known, attribute, space, u, code
              from query_table(composition) where fact = 'value') using (known)
        join class_row using (class_id, space, u)
    ),
    cap as (
        select class_id, person, known, attribute, space, code, any_value(rivals) as rivals,
               max(least(coalesce(closed.cap, rivals), coalesce(sqlanon._closing(n, mates), rivals))) as cap
        from rivals join held using (class_id, known)
        left join (select person, known, space, u, cap
                   from query_table(composition) where fact = 'closed') as closed
          using (person, known, space, u)
        group by class_id, person, known, attribute, space, code
    ),
    kept as (
        select class_id, person, known, attribute, space, any_value(rivals) as rivals,
               list_reverse_sort(list(cap)) as caps
        from cap group by class_id, person, known, attribute, space
    )
    select distinct class_id, known
    from member
    join (select person, known, attribute, space, needed
          from query_table(composition) where fact = 'needed') using (person, known)
    left join kept using (class_id, person, known, attribute, space)
    where coalesce(sqlanon._kept_among(caps, rivals, needed), 0) < needed;

-- Who loses by a class, counted by rows or by people.
create or replace macro sqlanon._losers(cells, composition, requirement, by_unit := false) as table
    from query(sqlanon._call(if(by_unit, '_losers_by_people', '_losers_by_rows'), [
        sqlanon._literal(cells), sqlanon._literal(composition), sqlanon._literal(requirement)]));

-- The classes in which somebody does: class_id.
create or replace macro sqlanon._losing(cells, composition, requirement, by_unit := false) as table
    select distinct class_id from sqlanon._losers(cells, composition, requirement, by_unit);

-- THE CHECK

-- No rows, or an error where the release that is checked, the last one, has labels that nobody understands:
-- who is there would pass for suppressed.
create or replace macro sqlanon._refuse_checked(located_targets, rows, releases) as table
    from sqlanon._refuse_known(located_targets, rows, releases)
    union all
    select error('table ' || releases[-1] || ' has labels that could not be read, in ' || count(*)
                 || ' classes: unread_labels lists them, and hierarchies may explain them')
    from query_table(located_targets)
    where release = len(releases) and target is null having count(*) > 0;

-- The known releases and the one that is checked, or NULL.
create or replace macro sqlanon._and_checked(known, checked) as
    case when known is not null then known || [checked] end;

-- The rows of which a check asks what they keep, or no rows without known releases.
create or replace macro sqlanon._known_source(
    known, reference, qi, judged, presence, known_rows, kept, unit) as table
    from query(
        case when known is null then 'select null::integer as target where false'
             when reference is null
             then error('composed_l needs reference: the table with the raw rows, which are located in the '
                        || 'releases')
             else {call _source_for_known:
                 tbl := reference, others := judged || kept || presence || sqlanon._list(unit),
                 kept := text(sqlanon._names_of(kept))} end);

-- Where targets are in known releases, and in the one that is checked as the last of them; and their rows.
create or replace macro sqlanon._located_with_checked(
    known_located, known, checked, targets, hierarchy, qi, judged) as table
    from query_table(known_located)
    union all
    select * replace ((release + len(known))::bigint as release)
    from sqlanon._located_in_releases([checked], targets, hierarchy, qi, judged);
create or replace macro sqlanon._rows_with_checked(known_rows, known, checked, qi, judged, kept) as table
    -- a column that no known release has joins nothing
    with joining as (
        select list_transform(range(1, len(judged || kept) + 1), lambda i:
                   coalesce(list_bool_or(list_transform(every, lambda one: one[i])), false)) as joining
        from (select list(distinct has) as every from query_table(known_rows))
    )
    from query_table(known_rows)
    union all
    select * exclude (joining) replace ((release + len(known))::bigint as release, joining as has)
    from sqlanon._known_rows([checked], qi, judged, kept), joining;

-- What rows of the table are left in each release: the facts of _rows_of_fates, of the known releases and, as
-- the last one, of the one that is checked; and 'total', as in _rows_in_spaces.
create or replace macro sqlanon._rows_with_all(
    located_targets, rows, targets, source, known, judged, kept) as table
    with joined_row as materialized (from sqlanon._rows_in_spaces(rows, source, judged, kept))
    from sqlanon._rows_of_fates(
        located_targets, 'joined_row', targets, sqlanon._and_checked(known, 'checked'))
    union all by name
    select fact, space, u, n from joined_row where fact = 'total';

-- The fewest values that the releases, the checked one with them, leave each target who loses any: target,
-- kept. rows_with_all: as above.
create or replace macro sqlanon._least_of_targets(rows_with_all, known) as table
    with known_part as (from sqlanon._left_together(rows_with_all, len(known))),
    left_by_known as materialized (from sqlanon._left_by_column(rows_with_all, 'known_part')),
    whole as materialized (from sqlanon._left_together(rows_with_all, len(known) + 1)),
    in_release as (
        select distinct fate from query_table(rows_with_all) where fact = 'class' and release = len(known) + 1
    ),
    lost as (
        select fate, attribute, space, count(distinct code) filter (whole.cap is not null) as kept
        from left_by_known left join whole using (fate, space, u)
        where fate in (from in_release)
        group by fate, attribute, space
        having count(distinct code) filter (whole.cap is not null) < count(distinct code)
    ),
    least as (select fate, min(kept) as kept from lost group by fate)
    select target, kept
    from least join (select target, fate from query_table(rows_with_all) where fact = 'target')
      using (fate);

-- The fewest values that are left to people who have several rows. people: person, target, rows.
create or replace macro sqlanon._least_of_people(rows_with_all, known, people) as table
    with known_part as (from sqlanon._left_together(rows_with_all, len(known))),
    left_by_known as materialized (
        select fate, attribute, space, u, code
        from sqlanon._left_by_column(rows_with_all, 'known_part')
    ),
    left_row as (select distinct fate, space, u from left_by_known),
    counted as (
        select fate, release, space, u, n from query_table(rows_with_all) where fact = 'left'
    ),
    total as (
        select space, u, n as total from query_table(rows_with_all) where fact = 'total'
    ),
    place as (select fate, release, class_id from query_table(rows_with_all) where fact = 'class'),
    of_person as materialized (
        select person, fate, sum(rows)::bigint as rows
        from query_table(people)
        join (select target, fate from query_table(rows_with_all) where fact = 'target') using (target)
        group by person, fate
    ),
    mate as materialized (from sqlanon._mates('of_person', 'place')),
    closed as materialized (from sqlanon._closed_rows('mate', 'left_row', 'counted')),
    closed_by_known as (select * from closed where release <= len(known)),
    needed as (
        from sqlanon._needed_values('of_person', 'left_by_known', 'closed_by_known', 'total', 2147483647)
    ),
    rival as (
        select person, fate, sum(rows)::bigint as rivals
        from (
            select distinct person, fate, mate, rows
            from mate left join (select distinct person, fate, release, true as closes from closed)
              using (person, fate, release)
            where closes or release = len(known) + 1
        )
        group by person, fate
    ),
    cap as (
        select person, fate, attribute, space, code, any_value(rivals) as rivals,
               max(coalesce(cap, rivals)) as cap
        from rival join left_by_known using (fate)
        left join (select person, fate, space, u, min(cap) as cap from closed group by all)
          using (person, fate, space, u)
        where fate in (select fate from place where release = len(known) + 1)
        group by person, fate, attribute, space, code
    ),
    kept as (
        select person, fate, attribute, space,
               sqlanon._kept_among(list_reverse_sort(list(cap)), any_value(rivals), 2147483647) as kept
        from cap group by person, fate, attribute, space
    ),
    least as (
        select fate, min(kept) as kept
        from kept join needed using (person, fate, attribute, space) where kept < needed group by fate
    )
    select target, kept
    from least join (select target, fate from query_table(rows_with_all) where fact = 'target')
      using (fate);

-- Whose rows are at which target: person, target, rows.
create or replace macro sqlanon._people_at_targets(source, unit, qi, presence, targets) as table
    select person, target, count(*) as rows
    from (
        select who as person, target
        from sqlanon._people(source, unit, null, qi, case when len(presence) > 0 then presence end, targets)
    )
    group by person, target;

-- What people keep who are in a class: class_id, kept (the fewest of those who keep less than the known
-- releases leave them; no row where nobody loses anything). located_targets, rows: of the known releases and,
-- as the last one, of the one that is checked.
create or replace macro sqlanon._kept_in_classes(
    located_targets, rows, targets, source, known, judged, kept := []::varchar[], unit := null,
    qi := []::varchar[], presence := []::varchar[]) as table
    from query(
        sqlanon._if_given(known, 'null::bigint as class_id, null::bigint as kept',
            sqlanon._fill($$
                with rows_with_all as materialized (
                    from sqlanon._rows_with_all(
                        {=located_targets}, {=rows}, {=targets}, {=source}, {known}, {=judged}, {kept})
                ){people}
                select class_id, min(kept) as kept
                from {least}
                join (select target, class_id from {located_targets}
                      where release = {last} and target is not null) using (target)
                group by class_id
            $$, map {
                'known': sqlanon._names_of(known), 'kept': sqlanon._names_of(kept),
                'last': (len(known) + 1)::varchar,
                'people': if(unit is null, '', ', people as materialized ('
                    || {call _people_at_targets} || ')'),
                'least': 'sqlanon.' || if(unit is null, '_least_of_targets', '_least_of_people')
                    || '(''rows_with_all'', ' || sqlanon._names_of(known)
                    || if(unit is null, '', ', ''people''') || ')'})));

-- SUPPRESSED ROWS

-- The targets none of whose rows is in a class, or all others. combinations: target, tuple_id; assignment:
-- tuple_id.
create or replace macro sqlanon._suppressed_targets(targets, combinations, assignment) as table
    with released as (
        select distinct target
        from query_table(combinations) semi join query_table(assignment) using (tuple_id)
    )
    from query_table(targets) anti join released using (target);
create or replace macro sqlanon._released_targets(targets, suppressed) as table
    from query_table(targets) anti join query_table(suppressed) using (target);

-- How many suppressed rows are in classes of others which, to whoever takes them for released, leave them
-- fewer values than composed_l, or none at all: exposed. suppressed: the targets of these.
create or replace macro sqlanon._exposed_by_others(
    located_targets, rows, suppressed, source, known, judged, kept_columns, requirement) as table
    with rows_with_all as materialized (
        from sqlanon._rows_with_all(
            located_targets, rows, suppressed, source, known, judged, kept_columns)
    )
    select coalesce(sum(people), 0)::bigint as exposed
    from query_table(suppressed)
    join sqlanon._least_of_targets('rows_with_all', known) using (target), query_table(requirement)
    where kept < req.composed_l;

-- What known releases have given away already, one row: exposed (rows of the table to which they leave fewer
-- values than composed_l of a sensitive column), unbound (rows of which nothing is asked) and unread (rows of
-- these releases with labels that nobody understands, so that people there pass for unbound; the values of
-- people who are gone are among them).
create or replace macro sqlanon._left_by_known(
    targets, known_values, located_targets, rows, requirement) as table
    with unread as (select release, class_id from query_table(located_targets) where target is null),
    size as (
        select known, attribute, space, count(distinct code) as size
        from query_table(known_values) where fact = 'value' group by known, attribute, space
    ),
    least as (select known, min(size) as size from size group by known)
    select coalesce(sum(people) filter (size < req.composed_l), 0)::bigint as exposed,
           coalesce(sum(people) filter (size is null), 0)::bigint as unbound,
           (select coalesce(sum(n), 0)::bigint
            from query_table(rows) semi join unread using (release, class_id)) as unread
    from query_table(targets)
    join (select target, known from query_table(known_values) where fact = 'target') using (target)
    left join least using (known), query_table(requirement);

-- The same of people who have several rows, to whom the whole table as one class may leave fewer, too: by the
-- rule that their rows are held to, which can say fewer than are left. composition: of
-- _composition_of_people.
create or replace macro sqlanon._exposed_people(composition, requirement) as table
    with exposed as (
        select distinct person, known, rows
        from query_table(composition), query_table(requirement) as required
        where fact = 'needed' and needed < required.req.composed_l
    )
    select coalesce(sum(rows), 0)::bigint as exposed from exposed;
