-- Breaches: the intersection attack over all targets (Ganta, Kasiviswanathan and Smith 2008, sec. 2.1), next
-- to what guessing reaches.
--
-- An attack succeeds as far as it is right more often than a guess: the most frequent value of all rows, or
-- of the target's class in one release. Shares of targets come with an interval, so that a difference that
-- may be chance is seen as one.

-- The 95 % interval of a share of n people (Wilson 1927), as a struct of low and high. z: that of _z_95.
create or replace macro sqlanon._wilson_interval(p, n, z) as
    sqlanon._let(
        {'center': (p + z ** 2 / (2 * n)) / (1 + z ** 2 / n),
         'reach': z * sqrt(p * (1 - p) / n + z ** 2 / (4 * n ** 2)) / (1 + z ** 2 / n)},
        lambda around: {'low': case when p = 0 then 0 else around.center - around.reach end,
                        'high': case when p = 1 then 1 else around.center + around.reach end});
create or replace macro sqlanon._interval(share, n) as
    sqlanon._let({'p': share, 'n': n, 'z': sqlanon._z_95()}, lambda given:
        sqlanon._wilson_interval(given.p, given.n, given.z));

-- How likely it is that one of some equally likely values, drawn by lot, is the true one; NULL without
-- values.
create or replace macro sqlanon._right(guess, true_value) as
    len(list_filter(guess.guesses, lambda value: value is not distinct from true_value))
    / nullif(len(guess.guesses), 0);

-- How exposed each target is: attribute, person, and what the measures are made of. (Who is in no release
-- that has a column is located in all of those that they are in.) attacked: as in _attacked.
create or replace macro sqlanon._exposure(attacked) as table
    select attribute, person, prior, posterior, drop, confidence, hit, unfinished, is_told, shared, unread,
           blank,
           sqlanon._right(guess, meant) as weighted, guess.guess_share as weighted_share, upper,
           unsuppressed,
           sqlanon._right(marginal, meant) as unseen, marginal.guess_share as unseen_share,
           list_transform(located, lambda evidence:
               coalesce(sqlanon._right(evidence, meant), sqlanon._right(marginal, meant))) as single,
           list_transform(located, lambda evidence:
               coalesce(nullif(evidence.guess_share, 0), marginal.guess_share)) as single_share,
           contradictory, posterior = 0 as emptied,
           coalesce(list_min(list_transform(located, lambda evidence: evidence.size)) > 0, true)
               as everywhere,
           coalesce(list_max(list_transform(located, lambda evidence: evidence.size)), 0) = 0 as nowhere,
           list_avg(list_transform(located, lambda evidence: evidence.size)) as size,
           case when posterior = 1 then hit end as single_hit, posterior = 1 as is_single,
           sqlanon._right(guess, meant) as surest_right, certain is not null as is_certain,
           (sqlanon._is_among(certain, meant))::integer as certain_hit
    from query_table(attacked);

-- Per person the best guesses from each release: attribute, person, single, single_share (lists).
create or replace macro sqlanon._release_guesses(exposure) as table
    with release_guess as (
        select attribute, person, number, max(single[number]) as single,
               max(single_share[number]) as single_share
        from (select *, unnest(range(1, len(single) + 1)) as number from query_table(exposure))
        group by attribute, person, number
    )
    select attribute, person, list(single order by number) as single,
           list(single_share order by number) as single_share
    from release_guess group by attribute, person;

-- The exposure of people who have several rows among the targets: by each measure somebody is as exposed as
-- the most exposed of their rows. (One of them that was not located, or of which nothing is left, is told: it
-- may be the exposed one.) What one of their rows certainly has, whichever, they certainly have.
create or replace macro sqlanon._exposure_of_people(exposure) as table
    with most as (
        select attribute, person, max(unseen) as unseen, max(unseen_share) as unseen_share,
               max(if(is_certain, certain_hit, weighted)) as weighted,
               max(if(is_certain, 1, weighted_share)) as weighted_share,
               max(if(is_certain, 1, upper)) as upper,
               max(if(is_certain, 1, unsuppressed)) as unsuppressed, min(prior) as prior,
               coalesce(min(if(is_certain, 1, posterior)) filter (is_certain or posterior > 0), 0)
                   as posterior,
               max(drop) as drop, max(if(is_certain, 1, confidence)) as confidence,
               bool_or(contradictory) as contradictory, bool_or(emptied) as emptied,
               bool_and(everywhere) as everywhere, bool_or(nowhere) as nowhere, any_value(unread) as unread,
               min(size) as size, bool_or(hit) as hit,
               bool_or(coalesce(single_hit, if(is_certain, certain_hit = 1, null))) as single_hit,
               bool_or(is_single or is_certain) as is_single,
               bool_or(unfinished) as unfinished, bool_and(is_told) as is_told, any_value(shared) as shared,
               if(bool_or(is_certain), max(certain_hit),
                  arg_max(weighted, {'share': weighted_share, 'right': weighted})) as surest_right
        from query_table(exposure) group by attribute, person
    )
    select most.*, single, single_share
    from most join sqlanon._release_guesses(exposure) as guess
      on guess.attribute = most.attribute and guess.person is not distinct from most.person;

-- Percentages that a caller gives, each once: level.
create or replace macro sqlanon._percentages(given, parameter) as table
    select distinct case when percentage > 0 and percentage <= 100 then percentage::double
                         else error(parameter || ' must be percentages above 0 and at most 100, not '
                                    || coalesce(percentage::varchar, 'NULL'))
                    end as level
    from (select unnest(given) as percentage);

-- The id of a measure at a level: pvp_100, sure_99_9.
create or replace macro sqlanon._level_id(measure, level) as
    measure || '_' || regexp_replace(sqlanon._number_text(level), '\W', '_', 'g');

-- TALLIES
--
-- All measures are means over the targets. What they are made of adds up: tallies of parts of the targets are
-- those of all of them, once they are added.

-- One of them, an aggregate: subject (its name), n (how many values), total (of them), squares (of them).
create or replace macro sqlanon._tally(subject, x) as
    {'subject': subject, 'n': count(x), 'total': sum(x::double), 'squares': sum(x::double ** 2)};

-- Those of targets: attribute, and as in _tally.
create or replace macro sqlanon._tallies_of_targets(exposure) as table
    select attribute, unnest(tallies, max_depth := 2)
    from (
        select attribute, [
            sqlanon._tally('targets', 1), sqlanon._tally('prior', prior),
            sqlanon._tally('posterior', posterior), sqlanon._tally('drop', drop),
            sqlanon._tally('vulnerable', (drop > 0)::integer),
            sqlanon._tally('contradictory', contradictory::integer),
            sqlanon._tally('emptied', emptied::integer),
            sqlanon._tally('unfinished', unfinished::integer),
            sqlanon._tally('untold', (not is_told)::integer),
            sqlanon._tally('everywhere', everywhere::integer), sqlanon._tally('nowhere', nowhere::integer),
            sqlanon._tally('size', size), sqlanon._tally('hit', hit::integer),
            sqlanon._tally('single_hit', single_hit::integer),
            sqlanon._tally('is_single', is_single::integer), sqlanon._tally('weighted', weighted),
            sqlanon._tally('weighted_share', weighted_share), sqlanon._tally('upper', upper),
            sqlanon._tally('unseen', unseen),
            sqlanon._tally('unseen_share', unseen_share), sqlanon._tally('over_unseen', weighted - unseen)
        ] as tallies
        from query_table(exposure) group by attribute
    );

-- Those of what each release alone tells: attribute, number (of the release), and as in _tally.
create or replace macro sqlanon._tallies_of_releases(exposure) as table
    select attribute, number, unnest(tallies, max_depth := 2)
    from (
        select attribute, number, [
            sqlanon._tally('single', single), sqlanon._tally('single_share', single_share),
            sqlanon._tally('over_single', weighted - single)
        ] as tallies
        from (
            select attribute, weighted, unnest(range(1, len(single) + 1)) as number,
                   unnest(single) as single, unnest(single_share) as single_share
            from query_table(exposure)
        )
        group by attribute, number
    );

-- Whose value is known is counted in two ways. The paper counts values: who has n candidates is known with a
-- confidence of 1 / n, however likely one of them is (PVP, the share of people whose value is known so). Here
-- they are weighed: an adversary is sure of what is probable, also where something else stays possible.

-- Is the adversary so sure of a guess? share: its probability; level: in percent. (Rounded, because 0.9 may
-- be a sum.)
create or replace macro sqlanon._is_sure(share, level) as round(100 * share, 9) >= level;

-- Those of how many are known with a confidence: attribute, level, and as in _tally.
create or replace macro sqlanon._tallies_of_confidence(exposure, levels) as table
    select attribute, level, unnest(tallies, max_depth := 2)
    from (
        select attribute, level, [
            sqlanon._tally('pvp', coalesce(100 * confidence >= level, false)::integer)
        ] as tallies
        from query_table(exposure), sqlanon._percentages(levels, 'levels') group by attribute, level
    );

-- Those of how many an adversary is sure about, and may be by the upper ends of probabilities; and of how
-- often the guesses about these are right: on average by their probabilities (expected), and in truth
-- (correct).
create or replace macro sqlanon._tallies_of_certainty(exposure, certainties) as table
    select attribute, level, unnest(tallies, max_depth := 2)
    from (
        select attribute, level, [
            sqlanon._tally('sure', sqlanon._is_sure(weighted_share, level)::integer),
            sqlanon._tally('sure_upper', sqlanon._is_sure(upper, level)::integer),
            sqlanon._tally('sure_unsuppressed', sqlanon._is_sure(unsuppressed, level)::integer),
            sqlanon._tally('sure_unseen', sqlanon._is_sure(unseen_share, level)::integer),
            sqlanon._tally(
                'sure_expected', case when sqlanon._is_sure(weighted_share, level) then weighted_share end),
            sqlanon._tally(
                'sure_correct', case when sqlanon._is_sure(weighted_share, level) then surest_right end)
        ] as tallies
        from query_table(exposure), sqlanon._percentages(certainties, 'sure') group by attribute, level
    );

-- The tallies of certainty of each release alone: attribute, number, level, and as in _tally.
create or replace macro sqlanon._tallies_of_certainty_by_release(exposure, certainties) as table
    with guess as (
        select attribute, unnest(range(1, len(single_share) + 1)) as number, unnest(single_share) as share
        from query_table(exposure)
    )
    select attribute, number, level, unnest(tallies, max_depth := 2)
    from (
        select attribute, number, level,
               [sqlanon._tally('sure_single', sqlanon._is_sure(share, level)::integer)] as tallies
        from guess, sqlanon._percentages(certainties, 'sure') group by attribute, number, level
    );

-- All of them: attribute, number, level, subject, n, total, squares. attacked: as in _attacked; by_unit: of
-- people who may have several rows.
create or replace macro sqlanon._tallies(attacked, levels, certainties, by_unit := false) as table
    with exposed_row as (from sqlanon._exposure(attacked)),
    exposed as materialized (
        from query(if(by_unit, 'from sqlanon._exposure_of_people(''exposed_row'')', 'from exposed_row'))
    )
    select attribute, null::bigint as number, null::double as level, subject, n, total, squares
    from sqlanon._tallies_of_targets('exposed')
    union all by name from sqlanon._tallies_of_releases('exposed')
    union all by name from sqlanon._tallies_of_confidence('exposed', levels)
    union all by name from sqlanon._tallies_of_certainty('exposed', certainties)
    union all by name from sqlanon._tallies_of_certainty_by_release('exposed', certainties);

-- Those of parts of the targets, added up.
create or replace macro sqlanon._added_tallies(tallies) as table
    select attribute, number, level, subject, sum(n)::bigint as n, sum(total) as total,
           sum(squares) as squares
    from query_table(tallies) group by attribute, number, level, subject;

-- What they say: attribute, number, level, subject, n, total, mean, reach (half the width of the 95 %
-- interval of the mean).
create or replace macro sqlanon._means(tallies) as table
    select attribute, number, level, subject, n, total, total / nullif(n, 0) as mean,
           sqlanon._z_95()
           * sqrt(greatest(squares - total ** 2 / nullif(n, 0), 0) / nullif(n - 1, 0) / nullif(n, 0))
               as reach
    from query_table(tallies);

-- Of all releases alone, the one with which most are guessed: attribute, number, expected.
create or replace macro sqlanon._best_release(means) as table
    select attribute, arg_max(number, {'correct': round(mean, 12), 'first': -number})
                          filter (where subject = 'single') as number,
           max(mean) filter (where subject = 'single_share') as expected
    from query_table(means) where number is not null and level is null group by attribute;

-- The measures: place (in the answer), part (of those of one level), subject (of the means), measure (its
-- name), unit, whose (the subject that counts the people of whom the value is a share, or NULL), needs_truth
-- and id. Those with {level} in their name are there once for each level.
create or replace macro sqlanon._measures_of_breaches() as table
    from (values
        (1, 0, 'targets', 'targets', 'people', null, false, 'targets'),
        (2, 0, 'everywhere', 'located in all releases', '%', 'targets', false, 'located_in_all'),
        (2.3, 0, 'nowhere', 'located in no release', '%', 'targets', false, 'located_in_none'),
        (2.6, 0, 'unread', 'rows with unread labels', '%', null, false, 'unread_rows'),
        (2.8, 0, 'blank', 'rows that cover everybody', '%', null, false, 'rows_covering_all'),
        (3, 0, 'size', 'average class size', 'rows', null, false, 'average_class_size'),
        (3.5, 1, 'sure', 'at least {level} % sure', '%', 'targets', false, 'sure_{level}'),
        (3.5, 1.5, 'sure_upper', 'at least {level} % sure, upper end', '%', 'targets', false,
         'sure_{level}_upper'),
        (3.5, 1.7, 'sure_unsuppressed', 'at least {level} % sure, upper end, if not suppressed', '%',
         'targets', false, 'sure_{level}_unsuppressed'),
        (3.5, 2, 'sure_single', 'at least {level} % sure, from one release', '%', 'targets', false,
         'sure_{level}_release'),
        (3.5, 3, 'sure_unseen', 'at least {level} % sure, from the marginal', '%', null, false,
         'sure_{level}_marginal'),
        (3.5, 4, 'sure_expected', 'at least {level} % sure, expected right', '%', null, false,
         'sure_{level}_expected'),
        (3.5, 5, 'sure_correct', 'at least {level} % sure, right', '%', 'sure', true, 'sure_{level}_right'),
        (4, 0, 'prior', 'average prior anonymity', 'values', null, false, 'average_prior'),
        (5, 0, 'posterior', 'average posterior anonymity', 'values', null, false, 'average_posterior'),
        (6, 0, 'drop', 'average drop', 'values', null, false, 'average_drop'),
        (7, 0, 'vulnerable', 'vulnerable population', '%', 'targets', false, 'vulnerable'),
        (8, 0, 'pvp', 'PVP_{level}', '%', 'targets', false, 'pvp_{level}'),
        (9, 0, 'contradictory', 'contradictions', '%', 'targets', false, 'contradictions'),
        (9.1, 0, 'emptied', 'without a candidate', '%', 'targets', false, 'emptied'),
        (9.2, 0, 'unfinished', 'exact cover unfinished', '%', 'targets', false, 'unfinished'),
        (9.5, 0, 'shared', 'fewest values that two releases share', 'values', null, false,
         'fewest_shared_values'),
        (9.7, 0, 'untold', 'true value in no release', '%', 'targets', true, 'truth_in_no_release'),
        (10, 0, 'hit', 'true value among the candidates', '%', 'targets', true, 'truth_is_candidate'),
        (11, 0, 'single_hit', 'single candidates that are right', '%', 'is_single', true,
         'singleton_is_right'),
        (12, 0, 'unseen_share', 'guess from the marginal, expected right', '%', null, false,
         'marginal_guess_expected'),
        (13, 0, 'unseen', 'guess from the marginal, right', '%', 'targets', true, 'marginal_guess_right'),
        (14, 0, 'single_share', 'guess from one release, expected right', '%', null, false,
         'release_guess_expected'),
        (15, 0, 'single', 'guess from one release, right', '%', 'targets', true, 'release_guess_right'),
        (16, 0, 'weighted_share', 'weighted guess, expected right', '%', null, false,
         'weighted_guess_expected'),
        (16.5, 0, 'upper', 'weighted guess, upper end', '%', null, false, 'weighted_guess_upper'),
        (17, 0, 'weighted', 'weighted guess, right', '%', 'targets', true, 'weighted_guess_right'),
        (18, 0, 'over_unseen', 'gain over the guess from the marginal', 'percentage points', null, true,
         'gain_over_marginal'),
        (19, 0, 'over_single', 'gain over the guess from one release', 'percentage points', null, true,
         'gain_over_release')
    ) as measure(place, part, subject, measure, unit, whose, needs_truth, id);

-- Their values: attribute, subject, level, value, reach. Of what each release alone tells it is the one with
-- which most are guessed right, and of certainty the most. about: attribute, shared, unread, blank.
create or replace macro sqlanon._values_of_breaches(means, best_release, about) as table
    select attribute, subject, level, if(subject = 'targets', n, mean) as value, reach
    from query_table(means) where number is null
    union all
    select attribute, subject, null, mean, reach
    from (select attribute, number, unnest(['single', 'over_single']) as subject
          from query_table(best_release))
    left join query_table(means) using (attribute, number, subject)
    where level is null
    union all
    select attribute, 'single_share', null, expected, null from query_table(best_release)
    union all
    select attribute, 'sure_single', level, max(mean), null
    from query_table(means) where subject = 'sure_single' group by attribute, level
    union all
    select attribute, unnest(['unread', 'blank', 'shared']), null, unnest([unread, blank, shared]), null
    from query_table(about);

-- The measures of an attack: attribute, place, part, level, measure, value, unit, people (of whom the value
-- is a share, or NULL), reach (half the width of an interval of its own, or NULL), needs_truth, id. Those
-- that say nothing here are left out.
create or replace macro sqlanon._measured_breaches(means, best_release, about) as table
    with said as materialized (from sqlanon._values_of_breaches(means, best_release, about)),
    crowd as (
        select attribute, subject as whose, level as crowd_level,
               if(subject = 'targets', n, coalesce(total, 0)::bigint) as people
        from query_table(means)
        where number is null and subject in ('targets', 'is_single', 'sure')
    ),
    contradiction as (select attribute, value as contradictory from said where subject = 'contradictory')
    select said.attribute, place, part, level, needs_truth, value, unit, people,
           if(unit = 'percentage points', reach, null) as reach,
           replace(measure, '{level}', coalesce(sqlanon._number_text(level), '')) as measure,
           replace(id, '_{level}', coalesce(sqlanon._level_id('', level), '')) as id
    from said join sqlanon._measures_of_breaches() as listed using (subject)
    left join crowd
      on crowd.attribute = said.attribute and crowd.whose = listed.whose
     and coalesce(crowd_level = level, crowd_level is null)
    left join contradiction on contradiction.attribute = said.attribute
    where case subject when 'emptied' then value <> contradictory
                       when 'unfinished' then value > 0
                       when 'blank' then value > 0
                       when 'shared' then value is not null
                       else true end;

-- What there is to say beside tallies: attribute, sensitive (its name), shared, unread, blank. attacked: as
-- of _attacked.
create or replace macro sqlanon._about_attack(attacked) as table
    select attribute, any_value(sensitive) as sensitive, any_value(shared) as shared,
           any_value(unread) as unread, any_value(blank) as blank
    from query_table(attacked) group by attribute;

-- One row per sensitive column and measure: sensitive, measure, value, unit, low, high, id. about: as in
-- _about_attack.
create or replace macro sqlanon._measured_tallies(tallies, about, truth_known) as table
    with means as materialized (from sqlanon._means(tallies)),
    best as materialized (from sqlanon._best_release('means')),
    measured as (from sqlanon._measured_breaches('means', 'best', about)),
    bounded as (
        select *, case when unit in ('%', 'percentage points') then 100 else 1 end as scale,
               case when reach is not null then {'low': value - reach, 'high': value + reach}
                    when people > 0 then sqlanon._interval(value, people) end as bounds
        from measured where truth_known or not needs_truth
    )
    select sensitive, measure, scale * value as value, unit, scale * bounds.low as low,
           scale * bounds.high as high, id
    from bounded join (select attribute, sensitive from query_table(about)) using (attribute)
    order by attribute, place, level desc, part;

-- The measures of an attack. certainties: of how sure, in percent; by_unit: of people who may have several
-- rows.
create or replace macro sqlanon._breaches(
    attacked, levels, certainties, truth_known, by_unit := false) as table
    with tally as materialized (from sqlanon._tallies(attacked, levels, certainties, by_unit)),
    about as materialized (from sqlanon._about_attack(attacked))
    from sqlanon._measured_tallies('tally', 'about', truth_known);

-- The same measures. attacked_before: a relation as in _attacked.
create or replace macro sqlanon._breaches_of_attacked(
    attacked_before, truth := null, levels := [100, 50, 25, 10], unit := null,
    sure := [99, 95, 90]) as table
    from sqlanon._breaches(attacked_before, levels, sure, truth is not null, unit is not null);

-- The measures. located_before: where everybody is, if that is known, as in _attacked.
create or replace macro sqlanon._breaches_of_located(
    releases, targets, id, qi, sensitive, located_before, hierarchies := null, truth := null,
    levels := [100, 50, 25, 10], nearest := false, presence := null, exact_cover := false, unit := null,
    weight := null, formats := null, sure := [99, 95, 90], negations := null, priors := null,
    priors_by := null, unknown := null, unchanged := null, values_may_change := null,
    distinct_spellings := null) as table
    with _sqlanon_attacked as materialized (
        from {sqlanon._attacked: exact_cover := coalesce(exact_cover::boolean, false), with_unread := true}
    )
    from {sqlanon._breaches_of_attacked: attacked_before := '_sqlanon_attacked'};

create or replace macro sqlanon.breaches(
    releases, targets, id, qi, sensitive, hierarchies := null, truth := null, levels := [100, 50, 25, 10],
    nearest := false, presence := null, exact_cover := false, unit := null, weight := null,
    formats := null, sure := [99, 95, 90], negations := null, priors := null,
    priors_by := null, unknown := null, unchanged := null, values_may_change := null,
    distinct_spellings := null) as table
    from {sqlanon._breaches_of_located: located_before := null};

comment on macro table sqlanon.breaches is $$
Summarizes the intersection attack over all targets: one row per sensitive column and measure, including how
often guesses without the attack are right.

Parameters:
- releases, targets, id, qi, sensitive, hierarchies, truth: as in intersection_attack
- levels (list of numbers, above 0 and at most 100; default [100, 50, 25, 10]): confidences, in percent, for
  which PVP (the percentage of vulnerable people) is computed.
- nearest, presence, exact_cover, unit, weight: as in intersection_attack
- formats: as in locate
- sure (list of numbers, above 0 and at most 100; default [99, 95, 90]): probabilities, in percent: for each,
  the share of targets with a value that is at least so probable.
- negations, priors, priors_by: as in intersection_attack
- unknown: as in locate
- unchanged, values_may_change, distinct_spellings: as in intersection_attack

Result:
- sensitive (text): the name of the sensitive column.
- measure (text): the title of the measure.
- value (number): its value, in the unit.
- unit (text): the unit: people, rows, values, % or percentage points.
- low (number): the lower end of a 95 % interval: Wilson's for shares of targets, that of paired differences
  for gains.
- high (number): the upper end.
- id (text): the name of the measure for programs; it does not change if the title does.

Errors: as in intersection_attack.

Notes: ties are counted as if drawn at random. If no class or candidate is left, the guess is from one
release, or from the marginal, the distribution of values in all rows. With a unit all measures are about
people: a person is as exposed as the most exposed of their rows, and a value is also certain if one of these
rows must have it because of their number. (The probability that a person has a value in any of their rows is
not computed; it is at most the sum over the rows.) intersection_attack explains the probabilities of
candidates. The measures, by id:
- targets: the number of targets.
- located_in_all: the share of targets who were found in all releases that they are in.
- located_in_none: the share of targets who were found in no release.
- unread_rows: the share of rows with labels that could not be read, in the release with the largest share
  (unread_labels lists the labels; releases of centroids have none).
- rows_covering_all: if there are any: the share of rows with * in every column of qi, in the release with the
  largest share. These rows cover everybody. They protect nobody whose row is known not to be suppressed.
- average_class_size: the average size of the targets' classes.
- sure_<level>: the share of targets whose most probable value has that probability or more, even if other
  values are possible.
- sure_<level>_upper: the share of targets for whom some value may have that probability, by upper_ends of
  intersection_attack. A bound on sure_<level> must hold for this share.
- sure_<level>_unsuppressed: the same for an adversary who knows that the target's row was not suppressed:
  without the rows that cover everybody, if other rows cover the target. With exact_cover it is
  sure_<level>_upper.
- sure_<level>_release, sure_<level>_marginal: the same from one release alone (the best one for this), and
  from the most frequent value of all rows, which is known without looking for anybody. (With negations or
  priors, guesses from the marginal use these, too.)
- sure_<level>_expected, sure_<level>_right: how often the guesses about the people of sure_<level> are right:
  as expected by their probabilities, and, with truth, in fact. NULL if there is nobody.
- average_prior, average_posterior, average_drop: the averages of prior, posterior and drop of
  intersection_attack (effective anonymity).
- vulnerable: the share of the vulnerable population (drop > 0).
- pvp_<level>: PVP, as the paper counts it: the share of targets with so few candidates that 1 / their number
  is that confidence or more, however probable each is.
- contradictions: the share of targets without a candidate, or, with several columns, without a row that is
  possible.
- emptied: with several columns: the share of targets without candidates, after fewer columns were used.
- unfinished: with exact_cover, if there are any: the share of targets for whom the search was not complete.
- fewest_shared_values: with several releases: the number of values that two releases have in common, for the
  two with the fewest. 0: nothing can be intersected, and a PVP of 0 means nothing (see unshared_values).
- truth_in_no_release, truth_is_candidate, singleton_is_right: with truth: how often no release has the true
  value, the true value is a candidate, and a single candidate is the true value.
- marginal_guess_expected, marginal_guess_right: how often the most frequent value of all rows is the true
  one: as the adversary expects, and, with truth, in fact.
- release_guess_expected, release_guess_right: the same for the most frequent value of the class in the best
  single release.
- weighted_guess_expected, weighted_guess_right: the same for the most probable candidate.
- weighted_guess_upper: the same by its upper end. A bound on weighted_guess_expected must hold for this.
- gain_over_marginal, gain_over_release: with truth: by how many percentage points the weighted guess is
  better than the others.

Source: Ganta, Kasiviswanathan and Smith 2008, sec. 2.1.

Example:
from sqlanon.breaches(['east', 'west'], targets := 'voters', id := 'name', qi := ['age', 'zip'],
                      sensitive := 'disease', truth := 'disease');
$$;
