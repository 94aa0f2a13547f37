-- Weights: how probable each candidate of the intersection attack is. [own derivation]
--
-- Suppose that besides the target m people are in all of its r classes, and everybody else is in only one of
-- them. Then the value s weighs
--
--     1 / (m/min n_j(s) + prod (N_j - m)/n_j(s) * p(s)^(r - 1))
--
-- N_j are the rows of the classes, n_j(s) those with s, and p(s) is the share of s among people like the
-- target. If m is 0 that is Bayes' rule for independent samples, and if the releases are of the same people
-- min n_j(s); between, it is what the first terms of the exact sum come to (docs/concepts/probabilities.md).
-- People who are in some of the classes, but not in all, make this too sure or too cautious: with three
-- releases and more the weight gets a power.
--
-- p is from the rows of all classes of the target, which say more where people of one class are alike
-- (_correlations). m is a share of how many people could be in all classes, the sum of min n_j(s) over all s:
-- the less, the more of them have a value that is frequent in all rows, in which different people agree, too
-- (_others_in_all). Other targets in the same classes are in all of them: m is no less than their number. The
-- share k stands for all that classes have in common, also of people who are in some of them. k, and then the
-- power, are chosen so that all releases together expect what each release alone does: that the targets'
-- values are as frequent in all rows, and as frequent in each class (both as logarithms). That must be so on
-- average, whatever the releases share: what one release tells is, by the law of total expectation, the mean
-- of what it tells together with others. A k that is too large makes frequent values too probable, and one
-- that is too small rare ones; if the power is too small, values are expected that too few of a class have.
-- (Few targets say little of both. Then k is near a first guess from how often rows of several classes agree,
-- and the power near 1.) Sums are of integers or decimals, or in a fixed order, or decide between few k and
-- powers alone: the same digits in every run.

-- Releases that say the same of everybody are one that was given twice: release, first (of the same).
-- told: relations of what they say (a column release in each, the others as it comes).
create or replace macro sqlanon._distinct_releases(told) as table
    with summary as (
        select release, count(*) as size, bit_xor(hash(*columns(* exclude release))) as fingerprint
        from query_table(told, true) group by release
    )
    select release, min(release) over (partition by size, fingerprint) as first from summary;

-- How alike two people of a class are in having a value: attribute, code, value, share, correlation (within
-- classes; 0: as if drawn from all rows, 1: all or none of a class have it). It is that of the rows with the
-- value and of one row more of average correlation: few rows say little of themselves.
create or replace macro sqlanon._correlations(
    histogram, class_sizes, distinct_releases, sensitive_domain) as table
    with companions as (
        select code, sum(n)::bigint as n, sum((n * (n - 1) / (size - 1))::decimal(38, 9)) as alike
        from query_table(histogram) join query_table(class_sizes) using (release, class_id)
        where size > 1 and release in (select first from query_table(distinct_releases)) group by code
    ),
    surplus as (
        select attribute, code, value, share, coalesce(n, 0) as n,
               coalesce(alike::double - share * n, 0) as more, (1 - share) * coalesce(n, 0) as most
        from query_table(sensitive_domain) left join companions using (code)
    ),
    averaged as (
        select attribute, code, value, share, n, coalesce(more / nullif(1 - share, 0), 0) as own,
               coalesce((sum(more::decimal(38, 12)) over of_attribute)::double
                        / nullif((sum(most::decimal(38, 12)) over of_attribute)::double, 0), 0) as average
        from surplus window of_attribute as (partition by attribute)
    )
    select attribute, code, value, share, greatest(0, least(1, (own + average) / (n + 1))) as correlation
    from averaged;

-- The covers that say something of each fate, those of equal releases once: fate, people, attribute, cover,
-- size (rows), alike (in how many others' value a row of the class agrees, added up over its rows), log_share
-- and log_count (of the value that a row of the class has, on average: its share among all rows, and how many
-- rows of the class have it).
create or replace macro sqlanon._telling_covers(
    parts, cover_values, distinct_releases, sensitive_domain) as table
    with total as (
        select cover, attribute, sum(n) as size,
               coalesce(sum((n * greatest(n - 1, 0))::decimal(38, 9))::double / nullif(sum(n) - 1, 0), 0)
                   as alike,
               list_sort(list({'code': code, 'n': n, 'share': share})) as held,
               list_sum(list_transform(held, lambda one: one.n * ln(one.share))) / sum(n) as log_share,
               list_sum(list_transform(held, lambda one: one.n * ln(one.n))) / sum(n) as log_count
        from query_table(cover_values) join query_table(sensitive_domain) using (attribute, code)
        group by cover, attribute
    ),
    once as (
        select fate, any_value(people) as people, attribute, min(cover) as cover
        from query_table(parts)
        join total using (cover, attribute)
        join query_table(distinct_releases) using (release)
        group by fate, attribute, first
    )
    select fate, people, attribute, cover, size, alike, log_share, log_count
    from once join total using (cover, attribute);

-- The rows of all covers of a fate together: fate, people, attribute, told_by (by how many releases), sizes
-- (of the covers), size, alike, log_share (on average over them), log_count (added up over them); and by
-- value: fate, attribute, code, counts (per cover), n, least.
create or replace macro sqlanon._fate_sizes(telling_covers) as table
    select fate, any_value(people) as people, attribute, count(*)::integer as told_by,
           list(size order by size) as sizes, sum(size) as size,
           list_sum(list(alike order by alike)) as alike,
           list_sum(list(log_share order by log_share)) / count(*) as log_share,
           list_sum(list(log_count order by log_count)) as log_count
    from query_table(telling_covers) group by fate, attribute;
create or replace macro sqlanon._fate_values(telling_covers, cover_values) as table
    select fate, attribute, code, list(n) as counts, sum(n) as n, min(n) as least
    from query_table(telling_covers) join query_table(cover_values) using (cover, attribute)
    group by fate, attribute, code;

-- OTHERS WHO ARE IN ALL CLASSES

-- A class of a release, as a part of a place; and where somebody is who is in one class of each of several
-- releases: NULL for others. The same place means, but for a coincidence of hashes, the same classes.
-- (DuckDB's hash of two values ends with an xor: a class of the same number in two releases would cancel out.
-- Hashed once more it does not.)
create or replace macro sqlanon._class_in_place(release, classes) as
    case when classes is not null then hash(hash(release::bigint, classes[1])) >> 1 end;
create or replace macro sqlanon._place_of_classes(hashed, classes) as
    case when min(len(classes)) = 1 and max(len(classes)) = 1 and count(classes) > 1
         then bit_xor(hashed)::bigint end;

-- How many targets are in the same classes: place, people. covers_of_targets: as in
-- _covers_of_targets.
create or replace macro sqlanon._people_together(covers_of_targets, combinations) as table
    with placed as (
        select target, knowledge,
               sqlanon._place_of_classes(sqlanon._class_in_place(release, classes), classes) as place
        from query_table(covers_of_targets) group by target, knowledge
    )
    select place, sum(people)::bigint as people
    from placed join query_table(combinations) using (target, knowledge) where place is not null
    group by place;

-- Releases in which a class has fewer rows than targets whom no other class covers: release.
create or replace macro sqlanon._unclear_releases(crowds, class_sizes) as table
    select crowd.release
    from query_table(crowds) as crowd join query_table(class_sizes) as of_class
      on of_class.release = crowd.release and of_class.class_id = classes[1]
    where len(classes) = 1 and people > size;

-- The places of fates: fate, place, people (targets of the fate). Those of targets in a class that has fewer
-- rows than targets are left out: not all of these are in the release, and nobody knows who.
create or replace macro sqlanon._placed_fates(all_fates, all_covers, crowds, class_sizes) as table
    with unclear as (from sqlanon._unclear_releases(crowds, class_sizes)),
    placed as (
        select cover, classes, sqlanon._class_in_place(release, classes) as hashed,
               classes is not null and release in (from unclear) as is_unclear
        from query_table(all_covers)
    )
    select fate, people, sqlanon._place_of_classes(hashed, classes) as place
    from (select fate, people, unnest(covers) as cover from query_table(all_fates)) join placed using (cover)
    group by fate, people having place is not null and not bool_or(is_unclear);

-- How many others are certainly in all classes of a fate, as they are targets: fate, known (of those with
-- some). people_together: as in _people_together, of all targets; NULL: those of the fates.
create or replace macro sqlanon._known_in_all(placed_fates, people_together) as table
    with together as (
        from query(coalesce('from ' || people_together,
                            'select place, sum(people)::bigint as people from ' || placed_fates
                            || ' group by place'))
    )
    select fate, together.people - 1 as known
    from query_table(placed_fates) join together using (place) where together.people > 1;

-- As of _fate_sizes, and known: 0 without any.
create or replace macro sqlanon._sizes_and_known(fate_sizes, known_in_all) as table
    select size_of.*, coalesce(known, 0)::double as known
    from query_table(fate_sizes) as size_of left join query_table(known_in_all) using (fate);

-- How many others are in all classes: m, by the share k. possible: the sum of min n_j(s); distinctive: the
-- same, each s times the share of rows with other values; known: those who certainly are, if they can be.
create or replace macro sqlanon._others_in_all(k, possible, distinctive, known) as
    greatest(possible * k / (k + (1 - k) * (possible / nullif(distinctive, 0))),
             if(known < possible, known, 0));

-- THE COMMON SHARE

-- The k that are tried: those of the steps 0, 1, ..., the last.
create or replace macro sqlanon._last_step() as 12;
create or replace macro sqlanon._share_of_step(step) as (step / sqlanon._last_step()) ** 2;

-- The numbers of the k two steps below and above one of them, or of the first and the last.
create or replace macro sqlanon._trial_below(trial) as greatest(1, trial - 2);
create or replace macro sqlanon._trial_above(trial) as least(sqlanon._last_step() + 1, trial + 2);

-- The mean over what the common share of a target may be: of what it is with the k below and with that above.
create or replace macro sqlanon._mean_of_supposed(below, above) as (below + above) / 2;

-- In how many pairs rows of several classes of a target agree beyond what these classes explain, and in how
-- many they do if its smallest class is in all of them: columns as in _agreement; trial and compared are 0,
-- one is the former, other the latter. Two rows of one class are different people. If rows of several classes
-- agree more often than they do, then because some are of the same person, which always agree: the surplus is
-- as many pairs as there are people in two classes.
create or replace macro sqlanon._agreeing_pairs(fate_sizes, fate_values) as table
    with pairs as (
        select fate, attribute, sum((n * greatest(n - 1, 0))::decimal(38, 9)) as agreeing
        from query_table(fate_values) group by fate, attribute
    )
    select attribute, told_by, 0 as trial, 0 as compared,
           sum((people * (agreeing - (size - 1) * alike))::decimal(38, 12)) as one,
           sum((people * (told_by * (told_by - 1) * sizes[1] * (1 - alike / size)))::decimal(38, 12))
               as other,
           null::decimal(38, 12) as mixed, null::decimal(38, 12) as mixed_squares,
           null::decimal(38, 12) as slope
    from query_table(fate_sizes) join pairs using (fate, attribute)
    where told_by > 1 group by attribute, told_by;

-- The mean of a list with an entry for each trial, where the chosen k is that of a trial.
create or replace macro sqlanon._mean_around(by_trial, trial) as
    sqlanon._mean_of_supposed(by_trial[sqlanon._trial_below(trial)], by_trial[sqlanon._trial_above(trial)]);

-- How much more the releases together expect than each alone, for each k, added up over the targets:
-- attribute, told_by, trial (the number of k), compared (1: how frequent the value is in all rows; 2: in each
-- class), one (the sum), other (that of the squares); mixed and mixed_squares (the same with the mean of
-- _mean_around), slope (by how much mixed grows with the power, at 1).
create or replace macro sqlanon._expected_frequencies(fate_sizes, fate_values, correlations) as table
    with possible as (
        select fate, attribute, sizes, known, code, least, share, ln(share) as log_share,
               list_sum(list_transform(list_sort(counts), lambda n: ln(n))) as log_count,
               list_product(list_transform(range(1, told_by), lambda drawn:
                   sqlanon._expected_agreement(counted.n, size, share, correlation, drawn)))
               / list_product(list_sort(counts)) as inverse
        from query_table(fate_values) as counted
        join query_table(fate_sizes) using (fate, attribute)
        join query_table(correlations) using (attribute, code)
        where told_by > 1 and len(counts) = told_by
    ),
    -- the values of a fate side by side, as there are many fates with few values each
    of_fate as (
        select fate, attribute, any_value(sizes) as sizes, any_value(known) as known, sum(least) as total,
               sum((least * (1 - share))::decimal(38, 12))::double as distinctive,
               list_sort(list({'code': code, 'least': least, 'inverse': inverse, 'log_share': log_share,
                               'log_count': log_count})) as held,
               list_transform(held, lambda value: value.log_share) as log_shares,
               list_transform(held, lambda value: value.log_count) as log_counts
        from possible group by fate, attribute
    ),
    -- from here on lists have an entry for each trial: ns are sums of weights, sures of weight * ln(weight)
    common as (
        select *, list_transform(range(0, sqlanon._last_step() + 1), lambda step: sqlanon._others_in_all(
                      sqlanon._share_of_step(step), total, distinctive, known)) as commons
        from of_fate
    ),
    room as (
        select *, list_transform(commons, lambda common:
                      list_product(list_transform(sizes, lambda each: each - common))) as rooms
        from common
    ),
    weighed as (
        select fate, attribute, log_shares, log_counts,
               list_transform(commons, lambda common, trial: list_transform(held, lambda value:
                   1 / least(1e300, greatest(1e-300, common / value.least + rooms[trial] * value.inverse))))
                   as weights
        from room
    ),
    surer as (
        select fate, attribute, log_shares, log_counts, weights,
               list_transform(weights, lambda each: list_sum(each)) as ns,
               list_transform(weights, lambda each: list_transform(each, lambda weight: weight * ln(weight)))
                   as sures
        from weighed
    ),
    added as (
        select attribute, fate, log_shares, log_counts, sures, ns,
               list_transform(sures, lambda each, trial: list_sum(each) / ns[trial]) as surenesses,
               list_transform(weights, lambda each, trial: list_dot_product(each, log_shares) / ns[trial])
                   as shares,
               list_transform(weights, lambda each, trial: list_dot_product(each, log_counts) / ns[trial])
                   as counts
        from surer
    ),
    by_fate as (
        select attribute, fate, shares, counts,
               list_transform(sures, lambda each, trial:
                   list_dot_product(each, log_shares) / ns[trial] - surenesses[trial] * shares[trial])
                   as share_slopes,
               list_transform(sures, lambda each, trial:
                   list_dot_product(each, log_counts) / ns[trial] - surenesses[trial] * counts[trial])
                   as count_slopes
        from added
    ),
    compared_by_fate as (
        select attribute, told_by, people, unnest([
                   {'compared': 1, 'alone': log_share, 'together': shares, 'slopes': share_slopes},
                   {'compared': 2, 'alone': log_count, 'together': counts, 'slopes': count_slopes}],
                   max_depth := 2)
        from by_fate join query_table(fate_sizes) using (fate, attribute)
    ),
    differing as (
        select attribute, told_by, people, compared, trial, together[trial] - alone as difference,
               sqlanon._mean_around(together, trial) - alone as mixed,
               sqlanon._mean_around(slopes, trial) as slope
        from (select *, unnest(range(1, sqlanon._last_step() + 2)) as trial from compared_by_fate)
    )
    select attribute, told_by, trial::integer as trial, compared,
           sum((people * difference)::decimal(38, 12)) as one,
           sum((people * difference ** 2)::decimal(38, 12)) as other,
           sum((people * mixed)::decimal(38, 12)) as mixed,
           sum((people * mixed ** 2)::decimal(38, 12)) as mixed_squares,
           sum((people * slope)::decimal(38, 12)) as slope
    from differing group by attribute, told_by, trial, compared;

-- What the common share and the power are inferred from, sums of all targets: attribute, told_by, trial,
-- compared, one, other, mixed, mixed_squares, slope. Those of parts of the targets add up to it.
create or replace macro sqlanon._agreement(fate_sizes, fate_values, correlations) as table
    from sqlanon._agreeing_pairs(fate_sizes, fate_values) union all
    from sqlanon._expected_frequencies(fate_sizes, fate_values, correlations);

-- The common share of targets who are in so many releases: attribute, told_by, supposed (the k that it may be
-- for one target: two steps below the one of all targets, and two above; and for upper ends alone two below
-- the least that these targets do not rule out, the lower end of a 95 % interval, and 1, with which further
-- releases tell nothing), power (of their weights). The classes of one target share more or fewer people than
-- those of others: with one k for everybody the surest guesses are too sure (docs/concepts/probabilities.md).
-- The first guess of k is the share of people whom two classes share, by how many further releases there are;
-- two steps off it count as one standard error, and so does a power that is .1 off 1. (A few targets say
-- little, and without a guess k would often be 0, with which the surest guesses are much too sure. For the
-- same reason one more target is supposed, with a difference of 1.) A mean over several k is less sure than
-- each of them, which the power makes good: it is 1 or more. Of two classes everybody is in one or in both,
-- so it is 1.
create or replace macro sqlanon._common_shares(agreement) as table
    with tried as (
        select attribute, told_by, trial,
               greatest(0, least(1, coalesce(any_value(one::double / nullif(other::double, 0)), 1)))
                   / (told_by - 1) as agreed,
               list_sum(list(one::double ** 2 / (1 + other::double) order by compared)) as frequencies_off,
               list_sum(list(mixed::double * slope::double / (1 + mixed_squares::double) order by compared))
                   as sureness_off,
               list_sum(list(slope::double ** 2 / (1 + mixed_squares::double) order by compared)) as telling
        from query_table(agreement) group by attribute, told_by, trial
    ),
    guessed as (
        select *, max(agreed) filter (trial = 0) over (partition by attribute, told_by) as guess from tried
    ),
    judged as (
        select attribute, told_by, trial,
               case when told_by = 2 then 1.0::double
                    else greatest(1, least(2, round(1 - sureness_off / (telling + 100), 2)))::double end
                   as power,
               round(frequencies_off + ((trial - 1 - sqlanon._last_step() * sqrt(guess)) / 2) ** 2, 9) as off
        from guessed where trial > 0
    ),
    ranked as (
        select *, min(off) over (partition by attribute, told_by) as least_off from judged
    ),
    chosen as (
        select attribute, told_by, arg_min(trial, {'off': off, 'trial': trial}) as trial,
               arg_min(power, {'off': off, 'trial': trial}) as power,
               min(trial) filter (off <= least_off + sqlanon._z_95() ** 2) as least_trial
        from ranked group by attribute, told_by
    )
    select attribute, told_by, power,
           list_transform([sqlanon._trial_below(trial), sqlanon._trial_above(trial),
                           sqlanon._trial_below(least_trial), sqlanon._last_step() + 1],
                          lambda number: sqlanon._share_of_step(number - 1)) as supposed
    from chosen;

-- WEIGHTS

-- What a value weighs. least: min n_j; sizes (of the classes) and counts (rows with the value in each class);
-- common: how many others are in all of them; agreements: the r - 1 factors p; with_power: the power.
create or replace macro sqlanon._weight_among(least, sizes, counts, common, agreements, with_power) as
    1 / greatest(
        (common / least
         + list_product(list_transform(sizes, lambda size: size - common)) / list_product(list_sort(counts))
           * coalesce(list_product(agreements), 1)) ** with_power, 1e-300);

-- A factor p: the share of a value among the rows of all classes that are left when some were drawn, and its
-- share among all rows where these say nothing. n, size: rows with the value, and all rows.
create or replace macro sqlanon._expected_agreement(n, size, share, correlation, drawn) as
    (correlation * greatest(n - drawn, 0) + (1 - correlation) * share)
    / (correlation * (size - drawn) + (1 - correlation));

-- What values weigh with each supposed k, added up: a list. weights: lists of as many, one of each value; or
-- an aggregate of these.
create or replace macro sqlanon._added_up_by_k(weights) as
    sqlanon._let(weights, lambda all_weights:
        list_transform(range(1, len(all_weights[1]) + 1), lambda i:
            list_sum(list_transform(all_weights, lambda of_value: of_value[i]))));
create or replace macro sqlanon._weights_added_up(weights, place) as
    sqlanon._added_up_by_k(list(weights order by place));

-- What a value weighs with each of them: its probability, or of a single release its weight.
create or replace macro sqlanon._weights_of_supposed(weights, totals) as
    if(len(weights) = 1, weights,
       list_transform(weights, lambda weight, i: coalesce(weight / nullif(totals[i], 0), 0)));

-- With all of them together: scaled as above.
create or replace macro sqlanon._weight_of_supposed(scaled) as
    if(len(scaled) = 1, scaled[1], sqlanon._mean_of_supposed(scaled[1], scaled[2]));

-- How probable a value may be at most: with the k for which it is most probable. scaled: what it weighs with
-- each k; totals: what all values weigh.
create or replace macro sqlanon._most_probable(scaled, totals) as
    list_max(list_transform(scaled, lambda weight, i: coalesce(weight / nullif(totals[i], 0), 0)));

-- What each candidate weighs: fate, knowledge, attribute, code, value, weight, scaled (its weights with each
-- supposed k). Of people who are in no release, that is the share of all rows. Who could be in all classes is
-- counted also by values that are ruled out for the target alone.
create or replace macro sqlanon._candidate_weights(
    refined, fate_sizes, fate_values, common_shares, correlations) as table
    with candidate as (select fate, knowledge, attribute, unnest(codes) as code from query_table(refined)),
    possible as (
        select fate, attribute, sum(least) as possible,
               sum((least * (1 - share))::decimal(38, 12))::double as distinctive
        from (select fate, attribute, unnest(codes || impossible) as code from query_table(refined))
        join query_table(fate_values) using (fate, attribute, code)
        join query_table(correlations) using (attribute, code)
        group by fate, attribute
    ),
    common as (
        select fate, attribute, sizes, size, coalesce(power, 1) as power,
               list_transform(coalesce(supposed, [0]), lambda k:
                   sqlanon._others_in_all(k, possible, distinctive, known)) as commons
        from possible join query_table(fate_sizes) using (fate, attribute)
        left join query_table(common_shares) using (attribute, told_by)
    ),
    told as (
        select fate, knowledge, attribute, code, value, commons, power, share, least, sizes, counts,
               list_transform(range(1, len(sizes)), lambda drawn:
                   sqlanon._expected_agreement(counted.n, size, share, correlation, drawn)) as agreements
        from candidate
        join query_table(correlations) using (attribute, code)
        left join query_table(fate_values) as counted using (fate, attribute, code)
        left join common using (fate, attribute)
    ),
    weighed as materialized (
        select fate, knowledge, attribute, code, value,
               case when commons is null then [share]
                    else list_transform(commons, lambda common:
                        sqlanon._weight_among(least, sizes, counts, common, agreements, power))
               end as weights
        from told
    ),
    total as (
        select fate, attribute, sqlanon._weights_added_up(weights, code) as totals
        from weighed where len(weights) > 1 group by fate, attribute
    ),
    scaled_weight as (
        select fate, knowledge, attribute, code, value,
               sqlanon._weights_of_supposed(weights, totals) as scaled
        from weighed left join total using (fate, attribute)
    )
    select fate, knowledge, attribute, code, value, sqlanon._weight_of_supposed(scaled) as weight, scaled
    from scaled_weight;
