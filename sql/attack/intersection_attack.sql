-- The intersection attack (Ganta, Kasiviswanathan and Smith 2008, sec. 2.1, Algorithm 1): somebody who is in
-- several releases is located in each of them; the sensitive value is one that all these classes have.
--
-- In a release of centroids somebody is located at the nearest, in any other in all classes that cover them.
--
-- Targets are reduced first: to distinct quasi-identifiers, then to distinct covers, then to distinct fates
-- (sql/locating/fates.sql). Sets are intersected once per fate (candidates.sql); people come last, here.
--
-- Not all candidates are equally likely: weights.sql says how probable each is, and probable_classes.sql in
-- which class somebody is whom several cover.
--
-- Sensitive values of different releases, and the truth, compare as sql/core/values.sql says: if one release
-- (or the truth) has numbers or points in time in a column, texts of the others that read as such are such
-- values. Releases that share no value cannot be intersected (unshared_values lists them).

-- Which releases are of centroids: a list of booleans, one per release. Given may be one for all.
create or replace macro sqlanon._by_distance(given, releases) as
    case when len(sqlanon._list(releases)) = 0 then error('releases names no release')
         when typeof(given) not like '%]'
         then list_transform(sqlanon._list(releases),
                             lambda release: coalesce(given::varchar::boolean, false))
         when len(try_cast(given::varchar as varchar[])) = len(sqlanon._list(releases))
         then list_transform(try_cast(given::varchar as varchar[]),
                             lambda by_distance: coalesce(by_distance::boolean, false))
         else error('nearest must be true or false, or a list with one of these per release: there are '
                    || len(sqlanon._list(releases)) || ' releases, and '
                    || len(try_cast(given::varchar as varchar[])) || ' in nearest')
    end;

-- No rows, or an error where truth has not one column per sensitive column.
create or replace macro sqlanon._refuse_truth(sensitive, truth) as table
    select error('truth must name one column of the targets per sensitive column: there are '
                 || len(sqlanon._list(sensitive)) || ' sensitive columns, and '
                 || len(sqlanon._list(truth)) || ' columns in truth') as refused
    where truth is not null and len(sqlanon._list(truth)) <> len(sqlanon._list(sensitive));

-- No rows, or an error where a list has not one column per release, or per sensitive column.
create or replace macro sqlanon._refuse_lists(releases, sensitive, truth, presence) as table
    select error('sensitive names no column: give at least one sensitive column of the releases') as refused
    where len(sqlanon._list(sensitive)) = 0
    union all
    select error('presence must name one column of the targets per release: there are '
                 || len(sqlanon._list(releases)) || ' releases, and '
                 || len(sqlanon._list(presence)) || ' columns in presence')
    where presence is not null and len(sqlanon._list(presence)) <> len(sqlanon._list(releases))
    union all from sqlanon._refuse_truth(sensitive, truth);

-- True values as releases have them: attribute, actual, meant, is_told (NULL where no release has it).
-- people: as in _people; count: of sensitive columns whose truth is known.
create or replace macro sqlanon._meant_values(people, sensitive_kinds, compared_values, count) as table
    from query(if(count > 0,
        {call _told_values: count := text(count::varchar)},
        'select null::integer as attribute, null::varchar as actual, null::varchar as meant,
                null::boolean as is_told where false'));
create or replace macro sqlanon._told_values(people, sensitive_kinds, compared_values, count) as table
    with actual as (
        select distinct unnest(range(1, count + 1))::integer as attribute, unnest(actuals) as actual
        from query_table(people)
    ),
    keyed as (
        select attribute, actual, sqlanon._comparable(actual, kind) as key
        from actual left join query_table(sensitive_kinds) using (attribute)
    ),
    told as (select distinct attribute, key, value, true as is_told from query_table(compared_values))
    select keyed.attribute, actual, coalesce(told.value, actual) as meant, is_told
    from keyed left join told on told.attribute = keyed.attribute and told.key is not distinct from keyed.key;

-- As of _attack, and what measures of the whole attack need besides: shared, unread, unsuppressed and blank,
-- as in _attacked. outcome: with what is learned by whoever knows that the row was not suppressed.
-- shared_values: attribute, shared; about_releases: unread, blank.
create or replace macro sqlanon._measured_outcome(outcome, shared_values, about_releases) as table
    with hidden as (
        select -target as target, knowledge, attribute, upper as unsuppressed
        from query_table(outcome) where target < 0
    )
    select outcome.*, shared, unread, coalesce(unsuppressed, upper) as unsuppressed, blank
    from query_table(outcome) as outcome
    left join query_table(shared_values) using (attribute)
    left join hidden using (target, knowledge, attribute)
    cross join query_table(about_releases);

-- The true values of targets, by what is known of them: target, knowledge, attribute, value (as releases have
-- it), people. people: as in _informed_people; count: of sensitive columns.
create or replace macro sqlanon._true_values(people, meant_values, count) as table
    select target, knowledge, own.attribute, meant as value, count(*) as people
    from (select target, knowledge, unnest(range(1, count + 1))::integer as attribute,
                 unnest(actuals) as actual
          from query_table(people)) as own
    join query_table(meant_values) as meaning
      on meaning.attribute = own.attribute and meaning.actual is not distinct from own.actual
    group by target, knowledge, own.attribute, meant;

-- The sensitive values of a release by code, and what the truth of people means among them: follows from
-- _sqlanon_class_value, with the steps of _targets before.
create or replace steps sqlanon._values_and_truth(truth, sensitive, distinct_spellings) as
    _sqlanon_truth_kind as materialized (from sqlanon._truth_kinds('_sqlanon_target', truth)),
    _sqlanon_kind as materialized (
        from sqlanon._sensitive_kinds(
            '_sqlanon_class_value', '_sqlanon_truth_kind', sensitive, distinct_spellings)
    ),
    _sqlanon_compared as materialized (
        from sqlanon._compared_values('_sqlanon_class_value', '_sqlanon_kind')
    ),
    _sqlanon_domain as materialized (from sqlanon._sensitive_domain('_sqlanon_compared')),
    _sqlanon_meant as materialized (
        from sqlanon._meant_values(
            '_sqlanon_person', '_sqlanon_kind', '_sqlanon_compared', len(sqlanon._list(truth)))
    );

-- Is a value, which may be NULL, one of some?
create or replace macro sqlanon._is_among(candidates, true_value) as
    len(list_filter(candidates, lambda candidate: candidate is not distinct from true_value)) > 0;

-- The attack on people, a row per target and sensitive column: who, person (the unit, or NULL), sensitive
-- (its name), attribute (its number), actual (the true value, if known), meant (the same as releases have
-- it), is_told (has one of them it), shared (values of the two releases that share fewest), unread
-- (with_unread: the share of rows with labels that nobody understands, in the release with most), prior,
-- posterior, drop (of effective anonymity, Def. 8), confidence (Def. 9), candidates, probabilities and
-- upper_ends (lists), upper (how probable a value may be at most), unsuppressed (the same for somebody who
-- knows that the row was not suppressed), blank (the share of rows that cover everybody, in the release with
-- most), hit (is the actual value among them), guess, marginal, located, unfinished (by exact cover),
-- certain (with unit: what one of the rows of the person certainly has, by their number; NULL: nothing).
-- located_before: where everybody is, if that is known (two relations, as in _located_again; and 'in one' if
-- nobody is in several classes of a release), or NULL.
-- whole: as in _attack. unchanged: columns that join rows, and are not learned; values_may_change: those of
-- sensitive and unchanged that do not. measured: false leaves shared, unread, blank and unsuppressed out
-- (they are NULL, or as upper is), which only measures of the whole attack need. Of one release texts are
-- compared as people read them, but in distinct_spellings.
create or replace macro sqlanon._attacked(
    releases, targets, id, truth, qi, sensitive, hierarchies, nearest, presence, exact_cover,
    unit := null, weight := null, with_unread := false, formats := null, negations := null,
    priors := null, priors_by := null, unknown := null, located_before := null, whole := null,
    unchanged := null, values_may_change := null, measured := true, distinct_spellings := null) as table
    with _sqlanon_hierarchy as materialized (from sqlanon._hierarchies(hierarchies)),
    _sqlanon_target as materialized (
        from sqlanon._source(
            targets, qi,
            [id] || sqlanon._list(truth) || sqlanon._list(presence) || sqlanon._list(unit)
                || sqlanon._list(priors_by))
    ),
    _sqlanon_combination as materialized (
        from sqlanon._target_combinations('_sqlanon_target', qi, presence)
    ),
    _sqlanon_person as materialized (
        from sqlanon._people(
            '_sqlanon_target', id, truth, qi, presence, '_sqlanon_combination', unit, distinct_spellings)
    ),
    _sqlanon_cell as materialized (
        from sqlanon._cells_of_releases(
            releases, qi, sensitive, weight, formats, unchanged := unchanged,
            may_lack := if(unchanged is null, null, sqlanon._list(sensitive) || sqlanon._list(unchanged)))
    ),
    _sqlanon_class as materialized (from sqlanon._classes_of_cells('_sqlanon_cell', qi)),
    _sqlanon_shown as materialized (from sqlanon._shown_by_classes('_sqlanon_class', qi)),
    _sqlanon_located as materialized (
        from query(
            if(located_before is null,
               sqlanon._call_of_locating(
                   '_sqlanon_class', '_sqlanon_combination',
                   sqlanon._if_any(hierarchies, '_sqlanon_hierarchy'), qi,
                   sqlanon._by_distance(nearest, releases), if(with_unread, '_locate_or_tell', '_locate'),
                   formats, unknown),
               sqlanon._call_of_locating_again(located_before, '_sqlanon_combination', qi)))
    ),
    _sqlanon_class_value as materialized (from sqlanon._values_of_cells('_sqlanon_cell')),
    _sqlanon_negated as materialized (from sqlanon._negations(negations, id, sensitive)),
    _sqlanon_prior as materialized (from sqlanon._priors(priors, priors_by, sensitive)),
    _sqlanon_known as materialized (
        from sqlanon._knowledge(
            '_sqlanon_target', id, '_sqlanon_negated', '_sqlanon_prior', negations, priors, priors_by)
    ),
    _sqlanon_informed as (
        from sqlanon._informed_people(
            '_sqlanon_person', '_sqlanon_known', negations is not null or priors is not null)
    ),
    _sqlanon_attacked_combination as (
        from sqlanon._informed_combinations(
            '_sqlanon_informed', '_sqlanon_combination', negations is not null or priors is not null, qi,
            formats, unknown)
    ),
    _sqlanon_truth_kind as materialized (
        from sqlanon._stated_kinds(
            '_sqlanon_target', truth, '_sqlanon_negated', '_sqlanon_prior',
            negations is not null or priors is not null)
    ),
    _sqlanon_kind as materialized (
        from sqlanon._sensitive_kinds(
            '_sqlanon_class_value', '_sqlanon_truth_kind',
            if(len(sqlanon._list(releases)) = 1, sqlanon._list(sensitive), null), distinct_spellings)
    ),
    _sqlanon_compared as materialized (
        from sqlanon._compared_values('_sqlanon_class_value', '_sqlanon_kind')
    ),
    _sqlanon_statement as materialized (
        from sqlanon._statements(
            '_sqlanon_known', '_sqlanon_prior', '_sqlanon_kind', negations is not null or priors is not null)
    ),
    _sqlanon_about_releases as materialized (
        from sqlanon._unread_share('_sqlanon_class', '_sqlanon_located')
        cross join sqlanon._blank_share('_sqlanon_class', '_sqlanon_shown')
    ),
    _sqlanon_shared as materialized (
        select attribute, min(shared) as shared
        from sqlanon._shared_values('_sqlanon_compared') group by attribute
    ),
    _sqlanon_meant as (
        from sqlanon._meant_values(
            '_sqlanon_person', '_sqlanon_kind', '_sqlanon_compared',
            if(truth is null, 0, len(sqlanon._list(sensitive))))
    ),
    _sqlanon_true_value as (
        from sqlanon._true_values('_sqlanon_informed', '_sqlanon_meant', len(sqlanon._list(sensitive)))
    ),
    _sqlanon_outcome as materialized (
        from sqlanon._attack(
            '_sqlanon_class_value', '_sqlanon_located', '_sqlanon_compared', '_sqlanon_attacked_combination',
            case when negations is not null or priors is not null then '_sqlanon_statement' end,
            releases, exact_cover, whole,
            case when sqlanon._rows_tell_more(
                      releases, sensitive, unchanged, values_may_change, negations, priors)
                 then '_sqlanon_cell' end,
            sqlanon._positions(sensitive, unchanged, values_may_change, true),
            sqlanon._positions(sensitive, unchanged, values_may_change, false), len(sqlanon._list(sensitive)),
            '_sqlanon_shown', measured and not exact_cover, coalesce(located_before[3] = 'in one', false),
            sqlanon._are_cells_partly_known(formats, unknown),
            if(exact_cover and truth is not null, '_sqlanon_true_value', null))
    ),
    _sqlanon_measured as (
        from query(if(measured,
            {call _measured_outcome:
                outcome := '_sqlanon_outcome', shared_values := '_sqlanon_shared',
                about_releases := '_sqlanon_about_releases'},
            'select *, null::bigint as shared, null::double as unread, upper as unsuppressed,
                    null::double as blank
             from _sqlanon_outcome'))
    ),
    _sqlanon_certain as (
        from sqlanon._certain_of_units(
            unit, '_sqlanon_informed', '_sqlanon_outcome', '_sqlanon_class_value', '_sqlanon_compared',
            sqlanon._positions(sensitive, unchanged, values_may_change, false))
    ),
    _sqlanon_refusal as (
        from sqlanon._refuse_people('_sqlanon_person', targets, id)
        union all from sqlanon._refuse_lists(releases, sensitive, truth, presence)
        union all from sqlanon._refuse_given_columns(sensitive, unchanged, values_may_change, '_sqlanon_cell')
        union all from sqlanon._refuse_knowledge(
            negations, priors, priors_by, id, sensitive, '_sqlanon_negated', '_sqlanon_prior',
            '_sqlanon_known', '_sqlanon_statement', '_sqlanon_informed', '_sqlanon_compared')
        union all from sqlanon._refuse_given_hierarchies(hierarchies, '_sqlanon_hierarchy', qi)
        union all from sqlanon._refuse_empty_releases('_sqlanon_class', releases)
    )
    select who, person.person, sqlanon._list(sensitive)[outcome.attribute] as sensitive, outcome.attribute,
           actuals[outcome.attribute] as actual, meant, is_told is not null as is_told, shared, unread,
           prior, posterior, prior - posterior as drop, 1 / nullif(posterior, 0) as confidence,
           candidates, probabilities, upper_ends, upper, unsuppressed, blank,
           sqlanon._is_among(candidates, meant) as hit,
           guess, marginal, located, unfinished, not_asked, contradictory, certain
    from _sqlanon_informed as person
    join _sqlanon_measured as outcome using (target, knowledge)
    left join _sqlanon_meant as meaning
      on meaning.attribute = outcome.attribute
     and meaning.actual is not distinct from person.actuals[outcome.attribute]
    left join _sqlanon_certain as certainty
      on certainty.attribute = outcome.attribute and certainty.person is not distinct from person.person
    union all by name
    select refused::bigint as prior from _sqlanon_refusal;

-- What is told of the attack: columns as below.
create or replace macro sqlanon._told_of_attack(
    attacked, id, unit, exact_cover, truth, by_rows := false) as table
    from query(sqlanon._fill($$
        select who as {id}{unit}, sensitive, prior, posterior, drop, confidence, candidates, probabilities,
               upper_ends, located{certain}{contradiction}{unfinished}{truth}
        from {attacked}
    $$, map {
        'id': sqlanon._quote(id), 'attacked': attacked,
        'unit': sqlanon._each(unit, ', person as {c}', ''),
        'certain': sqlanon._each(unit, ', coalesce(certain, []) as certain', ''),
        'contradiction': case when by_rows then ', contradictory as contradiction' else '' end,
        'unfinished': case when exact_cover then ', unfinished' else '' end,
        'truth': case when truth is null then '' else $$,
               actual as truth, hit as truth_is_candidate,
               case when posterior = 1 then hit end as singleton_is_right$$ end}));

create or replace macro sqlanon.intersection_attack(
    releases, targets, id, qi, sensitive, hierarchies := null, truth := null, nearest := false,
    presence := null, exact_cover := false, unit := null, weight := null, formats := null,
    negations := null, priors := null, priors_by := null, unknown := null, unchanged := null,
    values_may_change := null, distinct_spellings := null) as table
    with _sqlanon_attacked as (
        from sqlanon._attacked(
            releases, targets, id, truth, qi, sensitive, hierarchies, nearest, presence,
            coalesce(exact_cover::boolean, false), unit, weight, formats := formats,
            negations := negations, priors := priors, priors_by := priors_by, unknown := unknown,
            unchanged := unchanged, values_may_change := values_may_change, measured := false,
            distinct_spellings := distinct_spellings)
    )
    from sqlanon._told_of_attack(
        '_sqlanon_attacked', id, unit, coalesce(exact_cover::boolean, false), truth,
        sqlanon._is_by_rows(sensitive, unchanged, values_may_change));

comment on macro table sqlanon.intersection_attack is $$
Attacks several releases together: for each target (a person whom the adversary looks for), which sensitive
values all releases leave possible. One row per target and sensitive column. The classes of a target are found
in each release as by locate; the values that all these classes have are the candidates. With several
sensitive columns, whole rows are intersected instead of single values.

Parameters:
- releases (list of tables): the releases, all with the columns in qi and (without unchanged) sensitive.
- targets (table): people with raw values in qi, and the column id.
- id (column): of targets, identifies the person; each person must be there once.
- qi (columns): the quasi-identifiers that the adversary knows about the targets.
- sensitive (columns): the columns to be learned.
- hierarchies (table; default null): rows of attribute, value, level and label: the values that released
  labels stand for.
- truth (columns; default null): of targets, their true values, one per column in sensitive.
- nearest (boolean, or a list of one per release; default false): true for releases of centroids, such as
  those of microaggregate: a target is then found in the nearest class, as in locate.
- presence (list of columns; default null): of targets, one per release: true: the person is in it; false or
  NULL: the person is not. If not given, everybody is in all releases.
- exact_cover (boolean; default false): true: remove candidates that other targets in the class must have.
  This is right if all targets are in the classes where they were found.
- unit (column; default null): of targets, identifies the person of a row, if people can have several rows.
- weight (column; default null): of all releases, how many people each row stands for, as in classes. Targets
  are always one person per row.
- formats: as in locate
- negations (table; default null): values that people are known not to have: rows of the column named by id,
  and value; with several columns in sensitive also sensitive, the name of the column.
- priors (table; default null): the probability of each value for a target before any release is seen: rows of
  value and share, and of sensitive as in negations. Shares need not add up to 1. A share of 0 rules a value
  out; every value of a release must have a share.
- priors_by (columns; default null): of priors and of targets: a row of priors applies to the targets with the
  same values here. If id is among these columns, people without rows have no prior; otherwise everybody must
  have one.
- unknown: as in locate
- unchanged (columns; default null): of the releases, further columns that are released unchanged, such as
  kept columns or hashes of identifiers. Rows are intersected by them, too, but they are not learned. A
  release may then lack some of them, and of the columns in sensitive.
- values_may_change (columns; default null): columns in sensitive and unchanged whose values may differ from
  release to release. Rows are not intersected by them; for each of them, only the one release that leaves
  fewest values is used.
- distinct_spellings (columns; default null): columns in sensitive in which spellings are different values,
  such as the codes a and A. Elsewhere spellings are one candidate if there is one release; values of several
  releases are intersected as they are written.

Result:
- <id> (unchanged): the target.
- <unit> (unchanged): with unit: the person of the row.
- sensitive (text): the name of the sensitive column.
- prior (integer, values): the number of values that are possible by the one release that leaves fewest
  (effective anonymity): the different values of the target's class that are not ruled out.
- posterior (integer, values): the number of values that are possible by all releases together; for a column
  whose values may change, by the one release that leaves fewest. 0 is a contradiction.
- drop (integer, values): prior minus posterior.
- confidence (number, 0 to 1): 1 / posterior; NULL if that is 0.
- candidates (list of texts): the possible values, the most probable first.
- probabilities (list of numbers): of the candidates, scaled to sum to 1: how probable each is for a person in
  all of the target's classes, summed over rows; for one release, its share in the class. With priors, this is
  multiplied by the prior of a value / its share among all rows (for a row: for all its values).
- upper_ends (list of numbers): of the candidates: the largest probability that each may have. Probabilities
  have an error, because the number of people whom the releases share is estimated. With one release: the
  probability.
- located (list of structs): one per release: classes, size (rows), anonymity (values that are not ruled out),
  guesses and guess_share (the most probable values and their probability, by this release and what is known
  about the target); NULL for a release that the target is not in.
- certain (list of texts): with unit: values that one of the person's rows must have, because the person has r
  rows in a class of n rows, and more than n - r of these have the value; empty: none.
- contradiction (boolean): with several columns or values_may_change: true if no row is possible. Then fewer
  columns are used: all except one, the sensitive ones, or each alone, whatever leaves fewest candidates.
- unfinished (boolean): with exact_cover: true if more candidates might be removed, because in a class of the
  target more than 12 sets of values overlap and not all were tried (see sql/attack/exact_cover.sql).
- truth (text): with truth: the true value.
- truth_is_candidate (boolean): with truth: is the true value a candidate?
- singleton_is_right (boolean): with truth: is the only candidate the true value? NULL if there is no
  candidate, or more than one.

Errors: unknown column (in unchanged: one that no release has), no targets, a target twice, an empty release,
a hierarchy that is not a tree, a weight as in classes, an unknown format; negations or priors of somebody who
is not among the targets, a negation of a value that no release has, a share below 0, a value or a target
without a share.

Notes: the attack assumes that a person's values do not change between the releases, except in columns of
values_may_change. A posterior of 0 means that the target is not in all releases, or was not found in the
right classes (unread_labels lists labels that could not be read), or that the releases have different values
(unshared_values). Values of different types are compared by their meaning: 250 equals 250.0, and a date
equals midnight of that day. If a release or the truth has numbers or times, texts that can be read as such
are compared with them; otherwise 250.0 and 250.00 are two different texts. A release that a target is not in
is ignored for this target; a target who is in no release has all values as candidates. The probabilities
depend on how many people the releases have in common. This number is estimated, over all targets, from the
frequencies of the values that each release and all together expect, and from how often their rows agree. With
few targets the estimate is rough. A release that is given twice counts once. If several classes cover a
target, for example because rows are suppressed, the probability of the narrowest class is its number of rows
/ the number of people whom it covers. This is exact if all people of the release are targets; otherwise the
rows of the wider classes are assumed to be spread evenly. A prior must be about the target alone: if it also
holds for the other people in the class, the class already shows it, and it counts twice. So with priors by a
column in qi, probabilities are too high, and the best guess is right less often than without priors. See
docs/concepts/probabilities.md.

Source: Ganta, Kasiviswanathan and Smith 2008, Algorithm 1, Def. 8 and 9; probabilities and rows: own
derivation.

Example:
from sqlanon.intersection_attack(['east', 'west'], targets := 'voters', id := 'name', qi := ['age', 'zip'],
                                 sensitive := 'disease', truth := 'disease');
$$;
