-- Composition: what a release gives away together with releases that are out already (Ganta, Kasiviswanathan
-- and Smith 2008). Whoever is in several releases has a value that all their classes share.
--
-- Composed l-diversity [own definition]: the known releases leave somebody so many of the values that the
-- table has; with the new release as many are left, or at least composed_l. What the known releases have
-- given away cannot be taken back: whom they leave fewer values keeps all of these, and is counted.
--
-- The rows of the table are located in the known releases as the attack locates them, once, before anything
-- is cut. Rows to which all known releases together leave the same values share a number, known. It is
-- counted as one more sensitive column, the last one, as the unit is: so a combination of sensitive values
-- (s) tells it, however rows are put together later. A class may be any of its rows' class: it holds if it
-- has, for each known in it, enough of the values that are left. It is monotone: a larger class has more
-- values, and what the whole table as one class leaves is all that can be left.
--
-- Of a known release whose classes do not cover a row nothing is asked for that row: it was not in there. The
-- same holds where presence says so, and where no value is left at all, because the row cannot be in all of
-- these releases. Nothing is asked for suppressed rows, which are in no class of the release. But who does
-- not know that they are suppressed may find them in classes of others: those who would be left too few
-- values there are counted.

-- WHAT KNOWN RELEASES LEAVE

-- The columns that are counted with the quasi-identifiers, as the text of a list, and a second list with the
-- number known as one more of them, where there are known releases: of that only the positions count.
create or replace macro sqlanon._counted_and_coded(counted, known) as
    sqlanon._let(sqlanon._names(counted), lambda listed:
        listed || ', ' || listed || if(known is null, '', $$ || ['known']$$));

-- Names of releases as the text of a list, or of NULL.
create or replace macro sqlanon._names_if_any(names) as
    if(names is null, 'null::varchar[]', sqlanon._names(names));

-- The distinct quasi-identifiers of the table (apart where presence says so), or no rows without known
-- releases. (DuckDB 1.4 binds what nobody reads: here and below the columns are there in any case.) weight:
-- of a table of counts.
create or replace macro sqlanon._known_targets(known, source, qi, presence, weight := null) as table
    from query(
        case when known is null then 'select null::integer as target where false'
             else sqlanon._call('_target_combinations', [
                 sqlanon._literal(source), sqlanon._names(qi),
                 if(len(presence) = 0, 'null', sqlanon._names(presence)), sqlanon._optional(weight)]) end);

-- What the releases tell of them, as the attack reads it.
create or replace macro sqlanon._known_evidence(releases, targets, hierarchy, qi, judged) as table
    from query(
        case when releases is null
             then 'select null::integer as release, null::bigint as class_id, null::integer as target, '
                  || 'null::integer as attribute, null::varchar as value, null::integer as kind, '
                  || 'null::bigint as n where false'
             else sqlanon._call('_evidence_of_known', [
                 sqlanon._names(releases), sqlanon._literal(targets), sqlanon._literal(hierarchy),
                 sqlanon._names(qi), sqlanon._names(judged)]) end);

create or replace macro sqlanon._evidence_of_known(releases, targets, hierarchy, qi, judged) as table
    with _sqlanon_cell as materialized (
        from sqlanon._cells_of_releases(releases, qi, judged, null, null)
    ),
    _sqlanon_class as materialized (from sqlanon._classes_of_cells('_sqlanon_cell', qi)),
    _sqlanon_located as materialized (
        from sqlanon._locate_or_tell('_sqlanon_class', targets, hierarchy, qi)
    )
    from sqlanon._evidence('_sqlanon_cell', '_sqlanon_located');

-- The sensitive values of the table: attribute, value (text), key (as values of releases compare), code (of
-- the key, from 0).
create or replace macro sqlanon._own_values(source, judged, sensitive_kinds) as table
    with value as (
        from query(sqlanon._each(judged, $$
            select distinct {i}::integer as attribute, sqlanon._plain_text(src.{c}::varchar) as value
            from $$ || source || $$ as src
        $$, ' union all '))
    ),
    keyed as (
        select attribute, value, sqlanon._comparable(value, kind) as key
        from value left join query_table(sensitive_kinds) using (attribute)
    )
    select *, dense_rank() over (partition by attribute order by key nulls first) - 1 as code from keyed;

-- Which values of the table each release leaves: rows of target, fate (targets that are in the same classes
-- share theirs); of fate, release (that has classes which cover it), attribute, code; of fate, release alone;
-- and of attribute, value, code, the values of the table.
create or replace macro sqlanon._values_of_fates(evidence, targets, source, releases, judged) as table
    with truth_kind as (from sqlanon._truth_kinds(source, judged)),
    kind as materialized (from sqlanon._sensitive_kinds(evidence, 'truth_kind')),
    own as materialized (from sqlanon._own_values(source, judged, 'kind')),
    domain as (select distinct attribute, key, code from own),
    compared as (
        select release, compared.attribute, string, code
        from sqlanon._compared_values(evidence, 'kind') as compared
        join domain on domain.attribute = compared.attribute and domain.key is not distinct from compared.key
    ),
    histogram as materialized (
        select evidence.release, class_id, evidence.attribute, code, n
        from query_table(evidence) as evidence
        join compared on compared.release = evidence.release and compared.attribute = evidence.attribute
            and compared.string is not distinct from evidence.value
        where target is null
    ),
    -- nothing more is known of anybody
    combination as (select *, 0 as knowledge from query_table(targets)),
    covered as materialized (from sqlanon._covers_of_targets(evidence, 'combination', releases)),
    cover as materialized (
        select row_number() over ()::integer as cover, *
        from (select distinct release, knowledge, classes from covered)
    ),
    combined as materialized (from sqlanon._combined_covers('covered', 'cover')),
    fate as materialized (
        select row_number() over () as fate, covers from (select distinct covers from combined)
    ),
    part as materialized (
        select fate, release, cover
        from (select fate, unnest(covers) as cover from fate) join cover using (cover) where len(classes) > 0
    )
    select target, fate, null::bigint as release, null::integer as attribute, null::varchar as value,
           null::bigint as code
    from combined join fate using (covers)
    union all
    select null, fate, release, attribute, null, code
    from part join sqlanon._cover_values('cover', 'histogram') using (cover)
    union all select null, fate, release, null, null, null from part
    union all select null, null, null, attribute, value, code from own;

-- What several releases leave together: fate, attribute, code. values_of_fates: as above; last: the number of
-- the last of these releases.
create or replace macro sqlanon._left_together(values_of_fates, last) as table
    with located as (
        select fate, count(*) as releases
        from query_table(values_of_fates) where release <= last and attribute is null group by fate
    )
    select fate, attribute, code
    from query_table(values_of_fates) join located using (fate)
    where release <= last and attribute is not null
    group by fate, attribute, code, releases having count(*) = releases;

-- The values that known releases leave each target: rows of target, known (0: no class covers it), of known,
-- attribute, code, and of attribute, value, code, the values of the table.
create or replace macro sqlanon._known_values(known, evidence, targets, source, judged) as table
    from query(
        case when known is null
             then 'select null::integer as target, null::bigint as known, null::integer as attribute, '
                  || 'null::varchar as value, null::bigint as code where false'
             else sqlanon._call('_values_known', [
                 sqlanon._literal(evidence), sqlanon._literal(targets), sqlanon._literal(source),
                 sqlanon._names(known), sqlanon._names(judged)]) end);

create or replace macro sqlanon._values_known(evidence, targets, source, releases, judged) as table
    with values_of_fates as materialized (
        from sqlanon._values_of_fates(evidence, targets, source, releases, judged)
    ),
    fate_set as materialized (
        select fate, list_sort(list(attribute * 4294967296 + code)) as codes
        from sqlanon._left_together('values_of_fates', len(releases)) group by fate
    ),
    distinct_set as materialized (
        select row_number() over () as known, codes from (select distinct codes from fate_set)
    )
    select target, coalesce(known, 0) as known, null::integer as attribute, null::varchar as value,
           null::bigint as code
    from values_of_fates left join fate_set using (fate) left join distinct_set using (codes)
    where target is not null
    union all
    select null, known, (packed // 4294967296)::integer, null, packed % 4294967296
    from (select known, unnest(codes) as packed from distinct_set)
    union all
    select null, null, attribute, value, code from values_of_fates where fate is null;

-- The distinct combinations of a table, with the number known as a last sensitive column, and target.
-- presence: the last columns in counted; weight: of a table of counts.
create or replace macro sqlanon._combinations_with_known(
    tbl, qi, counted, known, presence, targets, known_values, weight := null) as table
    from query(
        case when known is null
             then sqlanon._call('_numbered_combinations', [
                 sqlanon._literal(tbl), sqlanon._names(qi), sqlanon._names(counted),
                 sqlanon._optional(weight)])
             else sqlanon._fill($$
                 select combination.* exclude (n), location.known as s{position}, target, n
                 from sqlanon._numbered_combinations({tbl}, {qi}, {counted}, {weight}) as combination
                 join (
                     from {targets} join (from {known_values} where target is not null) using (target)
                 ) as location on true {equal_values} {equal_presence}
             $$, map {
                 'position': (len(counted) + 1)::varchar, 'tbl': sqlanon._literal(tbl),
                 'qi': sqlanon._names(qi), 'counted': sqlanon._names(counted), 'targets': targets,
                 'known_values': known_values, 'weight': sqlanon._optional(weight),
                 'equal_values': sqlanon._each(
                     qi, ' and combination.q{i}::varchar is not distinct from location.v{i}', ''),
                 'equal_presence': coalesce(list_aggregate(
                     list_transform(presence, lambda name, nth:
                         ' and coalesce(combination.s' || (len(counted) - len(presence) + nth)
                         || '::boolean, false) = location.present[' || nth || ']'),
                     'string_agg', ''), '')}) end);

-- No rows, or an error where a release is empty or covers nobody: all would pass for people whom it does not
-- have.
create or replace macro sqlanon._refuse_known(evidence, releases) as table
    from sqlanon._refuse_empty_releases(evidence, releases)
    union all
    select error('release ' || sqlanon._list(releases)[release] || ' has no class that covers a row of the '
                 || 'table: is it of other people, are its labels those of hierarchies, or is it of '
                 || 'centroids, which composed_l does not know?') as refused
    from query_table(evidence) group by release having count(target) = 0;

-- THE MODEL

-- What combinations of sensitive values say, a row for each of them, each attribute and each word of 60
-- values, as bits: s, known, attribute, word, held (its own value), possible (what is left to its rows), size
-- (how many values are left in all words).
create or replace macro sqlanon._composition(
    known, known_values, sensitive_combinations, sensitive_values, counted) as table
    from query(
        case when known is null then 'select null::bigint as s where false'
             else sqlanon._call('_composition_of', [
                 sqlanon._literal(known_values), sqlanon._literal(sensitive_combinations),
                 sqlanon._literal(sensitive_values), sqlanon._literal('s' || (len(counted) + 1))]) end);

create or replace macro sqlanon._composition_of(
    known_values, sensitive_combinations, sensitive_values, known_column) as table
    with word as (
        select attribute, unnest(range(max(code) // 60 + 1)) as word
        from query_table(known_values) where target is null and known is null group by attribute
    ),
    possible as (
        select known, attribute, code // 60 as word, bit_or(1::bigint << (code % 60)::integer) as possible
        from query_table(known_values) where target is null and known is not null group by all
    ),
    total as (
        select known, attribute, sum(bit_count(possible))::bigint as size from possible group by all
    ),
    own as (
        select s, sensitive.attribute, own.code // 60 as word, 1::bigint << (own.code % 60)::integer as held
        from query_table(sensitive_values) as sensitive
        join (from query_table(known_values) where target is null and known is null) as own
          on own.attribute = sensitive.attribute and own.value is not distinct from sensitive.value
    ),
    member as (from query('select s, ' || known_column || ' as known from ' || sensitive_combinations))
    select s, known, attribute, word, coalesce(held, 0) as held, coalesce(possible, 0) as possible,
           coalesce(size, 0) as size
    from member cross join word
    left join possible using (known, attribute, word)
    left join total using (known, attribute)
    left join own using (s, attribute, word);

-- Who keeps fewer values than composed_l, of those that are left: class_id, known. cells: class_id, s.
create or replace macro sqlanon._losers(cells, composition, requirement) as table
    with member as materialized (
        select class_id, attribute, word, known, bit_or(held) as held, any_value(possible) as possible,
               any_value(size) as size
        from query_table(cells) join query_table(composition) using (s) group by all
    ),
    class as (
        select class_id, attribute, word, bit_or(held) as held from member group by class_id, attribute, word
    ),
    kept as (
        select class_id, known, sum(bit_count(class.held & possible)) as kept, any_value(size) as size
        from member join class using (class_id, attribute, word)
        where size > 0 group by class_id, attribute, known
    )
    select distinct class_id, known
    from kept, query_table(requirement) as required where kept < least(size, required.req.composed_l);

-- The classes in which somebody does: class_id.
create or replace macro sqlanon._losing(cells, composition, requirement) as table
    select distinct class_id from sqlanon._losers(cells, composition, requirement);

-- What is reached of it: that of whoever loses most, or what is required where nobody loses anything.
create or replace macro sqlanon._composed_verdict(kept, req) as
    sqlanon._verdict('composed_l', 'composed l-diversity', req.composed_l, coalesce(kept, req.composed_l),
                     coalesce(kept, req.composed_l) >= req.composed_l, true);

-- THE CHECK

-- No rows, or an error where the release that is checked, the last one, has labels that nobody understands:
-- who is there would pass for suppressed.
create or replace macro sqlanon._refuse_checked(evidence, releases) as table
    from sqlanon._refuse_known(evidence, releases)
    union all
    select error('table ' || releases[-1] || ' has labels that nobody understands, in ' || count(*)
                 || ' classes: unread_labels tells which, and hierarchies could say what they stand for')
    from query_table(evidence)
    where release = len(releases) and target is null and attribute is null having count(*) > 0;

-- The known releases and the one that is checked, or NULL.
create or replace macro sqlanon._and_checked(known, checked) as
    case when known is not null then known || [checked] end;

-- The rows of which a check asks what they keep, or no rows without known releases.
create or replace macro sqlanon._known_source(known, reference, qi, judged, presence) as table
    from query(
        case when known is null then 'select null::integer as target where false'
             when reference is null
             then error('composed_l needs reference: the table with the raw rows, which are located in the '
                        || 'releases')
             else sqlanon._call('_source', [
                 sqlanon._literal(reference), sqlanon._names(qi),
                 sqlanon._names(judged || presence)]) end);

-- Evidence of known releases, and of the one that is checked as the last of them.
create or replace macro sqlanon._evidence_with_checked(
    known_evidence, known, checked, targets, hierarchy, qi, judged) as table
    from query_table(known_evidence)
    union all
    select * replace ((release + len(known))::bigint as release)
    from sqlanon._evidence_of_known([checked], targets, hierarchy, qi, judged);

-- The fewest values that the releases, the checked one with them, leave each target who loses any: target,
-- kept.
create or replace macro sqlanon._least_of_targets(values_of_fates, known) as table
    with known_part as (from sqlanon._left_together(values_of_fates, len(known))),
    whole as (from sqlanon._left_together(values_of_fates, len(known) + 1)),
    in_release as (
        select distinct fate from query_table(values_of_fates) where release = len(known) + 1
    ),
    lost as (
        select fate, attribute, count(whole.code) as kept
        from known_part left join whole using (fate, attribute, code)
        where fate in (from in_release)
        group by fate, attribute having count(whole.code) < count(*)
    ),
    least as (select fate, min(kept) as kept from lost group by fate)
    select target, kept
    from least join (select target, fate from query_table(values_of_fates) where target is not null)
      using (fate);

-- What people keep who are in a class: class_id, kept (the fewest of those who keep less than the known
-- releases leave them; no row where nobody loses anything). evidence: of the known releases and, as the last
-- one, of the one that is checked.
create or replace macro sqlanon._kept_in_classes(evidence, targets, source, known, judged) as table
    from query(
        case when known is null then 'select null::bigint as class_id, null::bigint as kept where false'
             else sqlanon._call('_least_kept', [
                 sqlanon._literal(evidence), sqlanon._literal(targets), sqlanon._literal(source),
                 sqlanon._names(known), sqlanon._names(judged)]) end);

create or replace macro sqlanon._least_kept(evidence, targets, source, known, judged) as table
    with values_of_fates as materialized (
        from sqlanon._values_of_fates(
            evidence, targets, source, sqlanon._and_checked(known, 'checked'), judged)
    )
    select class_id, min(kept) as kept
    from sqlanon._least_of_targets('values_of_fates', known)
    join (select target, class_id from query_table(evidence)
          where release = len(known) + 1 and target is not null) using (target)
    group by class_id;

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
    evidence, suppressed, source, known, judged, requirement) as table
    with values_of_fates as materialized (
        from sqlanon._values_of_fates(
            evidence, suppressed, source, sqlanon._and_checked(known, 'checked'), judged)
    )
    select coalesce(sum(people), 0)::bigint as exposed
    from query_table(suppressed)
    join sqlanon._least_of_targets('values_of_fates', known) using (target), query_table(requirement)
    where kept < req.composed_l;

-- What known releases have given away already, one row: exposed (rows of the table to which they leave fewer
-- values than composed_l of a sensitive column), unbound (rows of which nothing is asked) and unread (rows of
-- these releases with labels that nobody understands, so that people there pass for unbound; the values of
-- people who are gone are among them).
create or replace macro sqlanon._left_by_known(targets, known_values, evidence, requirement) as table
    with unread as (
        select release, class_id from query_table(evidence) where target is null and attribute is null
    ),
    size as (
        select known, attribute, count(*) as size
        from query_table(known_values) where target is null and known is not null group by known, attribute
    ),
    least as (select known, min(size) as size from size group by known)
    select coalesce(sum(people) filter (size < req.composed_l), 0)::bigint as exposed,
           coalesce(sum(people) filter (size is null), 0)::bigint as unbound,
           (select coalesce(sum(n), 0)::bigint
            from query_table(evidence) semi join unread using (release, class_id)
            where attribute = 1) as unread
    from query_table(targets)
    join (select target, known from query_table(known_values) where target is not null) using (target)
    left join least using (known), query_table(requirement);
