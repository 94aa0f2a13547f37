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
-- People who are in some of the classes, but not in all, make this too cautious with many releases: the
-- weight gets a power, which was found by trying (_sharpness).
--
-- p is from the rows of all classes of the target, which say more where people of one class are alike
-- (_correlations). m is a share k of how many people could be in all classes, the sum of min n_j(s) over all
-- s. k stands for all that classes have in common, also of people who are in some of them: it is chosen so
-- that all releases together expect the targets to have values as frequent as each release alone does. That
-- must be so on average, whatever the releases share: what one release tells is, by the law of total
-- expectation, the mean of what it tells together with others. A k that is too large makes frequent values
-- too probable, and one that is too small rare ones. (Few targets say little of k; then it is near a first
-- guess from how often rows of several classes agree.) Sums are of integers or decimals, or in a fixed order,
-- or decide between few k alone: the same digits in every run.

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
create or replace macro sqlanon._correlations(histogram, distinct_releases, sensitive_domain) as table
    with counted as (
        select release, class_id, attribute, code, n
        from query_table(histogram) join query_table(distinct_releases) using (release)
        where release = first
    ),
    class as (
        select release, class_id, sum(n)::bigint as size
        from counted where attribute = 1 group by release, class_id having size > 1
    ),
    companions as (
        select code, sum(n)::bigint as n, sum((n * (n - 1) / (size - 1))::decimal(38, 9)) as alike
        from counted join class using (release, class_id) group by code
    ),
    surplus as (
        select attribute, code, value, share, coalesce(n, 0) as n,
               coalesce(alike::double - share * n, 0) as more, (1 - share) * coalesce(n, 0) as most
        from query_table(sensitive_domain) left join companions using (code)
    ),
    average as (
        select attribute,
               coalesce(list_sum(list(more order by code)) / nullif(list_sum(list(most order by code)), 0), 0)
                   as correlation
        from surplus group by attribute
    )
    select attribute, code, value, share,
           greatest(0, least(1, (coalesce(more / nullif(1 - share, 0), 0) + average.correlation) / (n + 1)))
               as correlation
    from surplus join average using (attribute);

-- The covers that say something of each fate, those of equal releases once: fate, people, attribute, cover,
-- size (rows), alike (in how many others' value a row of the class agrees, added up over its rows), frequency
-- (the share among all rows of the value that a row of the class has, on average).
create or replace macro sqlanon._telling_covers(
    parts, cover_values, distinct_releases, sensitive_domain) as table
    with total as (
        select cover, attribute, sum(n) as size,
               coalesce(sum((n * greatest(n - 1, 0))::decimal(38, 9))::double / nullif(sum(n) - 1, 0), 0)
                   as alike,
               sum(n * share) / sum(n) as frequency
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
    select fate, people, attribute, cover, size, alike, frequency
    from once join total using (cover, attribute);

-- The rows of all covers of a fate together: fate, people, attribute, told_by (by how many releases), sizes
-- (of the covers), size, alike, frequency (on average over them); and by value: fate, attribute, code,
-- counts (per cover), n.
create or replace macro sqlanon._fate_sizes(telling_covers) as table
    select fate, any_value(people) as people, attribute, count(*)::integer as told_by,
           list(size order by size) as sizes, sum(size) as size,
           list_sum(list(alike order by alike)) as alike, avg(frequency) as frequency
    from query_table(telling_covers) group by fate, attribute;
create or replace macro sqlanon._fate_values(telling_covers, cover_values) as table
    select fate, attribute, code, list(n) as counts, sum(n) as n, min(n) as least
    from query_table(telling_covers) join query_table(cover_values) using (cover, attribute)
    group by fate, attribute, code;

-- THE COMMON SHARE

-- The k that are tried: those of the steps 0, 1, ..., the last.
create or replace macro sqlanon._last_step() as 12;
create or replace macro sqlanon._share_of_step(step) as (step / sqlanon._last_step()) ** 2;
create or replace macro sqlanon._common_shares_tried() as
    list_transform(range(sqlanon._last_step() + 1), lambda tried: sqlanon._share_of_step(tried));

-- The k that is so many steps from one of them; beyond the last it is 1, below the first 0.
create or replace macro sqlanon._share_at_steps(common_share, steps) as
    sqlanon._share_of_step(greatest(0, least(
        sqlanon._last_step(), round(sqlanon._last_step() * sqrt(common_share)) + steps)));

-- In how many pairs rows of several classes of a target agree beyond what these classes explain, and in how
-- many they do if its smallest class is in all of them: attribute, told_by, trial (0), one (the former),
-- other. Two rows of one class are of different people. If rows of several classes agree more often than they
-- do, then because some are of the same person, which always agree: the surplus is as many pairs as there are
-- people in two classes.
create or replace macro sqlanon._agreeing_pairs(fate_sizes, fate_values) as table
    with pairs as (
        select fate, attribute, sum((n * greatest(n - 1, 0))::decimal(38, 9)) as agreeing
        from query_table(fate_values) group by fate, attribute
    )
    select attribute, told_by, 0 as trial,
           sum((people * (agreeing - (size - 1) * alike))::decimal(38, 12)) as one,
           sum((people * (told_by * (told_by - 1) * sizes[1] * (1 - alike / size)))::decimal(38, 12))
               as other
    from query_table(fate_sizes) join pairs using (fate, attribute)
    where told_by > 1 group by attribute, told_by;

-- The text of a list of columns, one for each k: {k}, and {i} its number.
create or replace macro sqlanon._each_share(template) as
    array_to_string(
        list_transform(sqlanon._common_shares_tried(), lambda k, i:
            replace(replace(template, '{k}', k::varchar), '{i}', i::varchar)),
        ', ');

-- How much more frequent values the releases together expect than each alone, for each k, added up over the
-- targets: attribute, told_by, trial (the number of k), one (the sum), other (that of the squares).
create or replace macro sqlanon._expected_frequencies(fate_sizes, fate_values, correlations) as table
    from query(sqlanon._fill($$
        with possible as (
            select fate, attribute, share, least,
                   list_product(list_transform(range(1, told_by), lambda drawn:
                       sqlanon._expected_agreement(counted.n, size, share, correlation, drawn)))
                   / list_product(list_sort(counts)) as inverse
            from {values} as counted
            join {sizes} using (fate, attribute) join {correlations} using (attribute, code)
            where told_by > 1 and len(counts) = told_by
        ),
        total as (select fate, attribute, sum(least) as total from possible group by fate, attribute),
        room as (
            select fate, attribute, total, {rooms}
            from total join {sizes} using (fate, attribute)
        ),
        expected as (
            select fate, attribute, {sums}
            from (select fate, attribute, share, {weights} from possible join room using (fate, attribute))
            group by fate, attribute
        ),
        differing as (
            select attribute, told_by, people, unnest(range(1, {end}))::integer as trial,
                   unnest([{frequencies}]) - frequency as difference
            from expected join {sizes} using (fate, attribute)
        )
        select attribute, told_by, trial, sum((people * difference)::decimal(38, 12)) as one,
               sum((people * difference ** 2)::decimal(38, 12)) as other
        from differing group by attribute, told_by, trial
    $$, map {
        'values': fate_values, 'sizes': fate_sizes, 'correlations': correlations,
        'end': (len(sqlanon._common_shares_tried()) + 1)::varchar,
        'rooms': sqlanon._each_share(
            'list_product(list_transform(sizes, lambda each: each - {k} * total)) as room{i}'),
        'weights': sqlanon._each_share(
            '1 / greatest({k} * total / least + room{i} * inverse, 1e-300) as w{i}'),
        'sums': sqlanon._each_share('sum(w{i} * share) / sum(w{i}) as frequency{i}'),
        'frequencies': sqlanon._each_share('frequency{i}')}));

-- What the common share is inferred from, sums of all targets: attribute, told_by, trial, one, other. Those
-- of parts of the targets add up to it.
create or replace macro sqlanon._agreement(fate_sizes, fate_values, correlations) as table
    from sqlanon._agreeing_pairs(fate_sizes, fate_values) union all
    from sqlanon._expected_frequencies(fate_sizes, fate_values, correlations);

-- The common share of targets who are in so many releases: attribute, told_by, common_share (k), least_share
-- (the least one that these targets do not rule out: the lower end of a 95 % interval). The first guess is
-- the share of people whom two classes share, by how many further releases there are; what is four steps off
-- it counts as much as frequencies that are off by two standard errors. (A few targets say little of k, and
-- without a guess it would often be 0, with which the surest guesses are much too sure.)
create or replace macro sqlanon._common_shares(agreement) as table
    with guess as (
        select attribute, told_by,
               greatest(0, least(1, coalesce(one::double / nullif(other::double, 0), 1))) / (told_by - 1)
                   as guess
        from query_table(agreement) where trial = 0
    ),
    tried as (
        select attribute, told_by, trial, sqlanon._common_shares_tried()[trial] as share,
               coalesce(one::double ** 2 / nullif(other::double, 0), 0) as frequencies_off
        from query_table(agreement) where trial > 0
    ),
    judged as (
        select attribute, told_by, trial, share,
               round(frequencies_off + ((trial - 1 - sqlanon._last_step() * sqrt(guess)) / 2) ** 2, 9) as off
        from tried join guess using (attribute, told_by)
    ),
    least as (select attribute, told_by, min(off) as least_off from judged group by attribute, told_by)
    select attribute, told_by, arg_min(share, {'off': off, 'trial': trial}) as common_share,
           min(share) filter (off <= least_off + sqlanon._z_95() ** 2) as least_share
    from judged join least using (attribute, told_by) group by attribute, told_by;

-- WEIGHTS

-- By how many releases tell of a target, the power with which weights were right on overlaps of Adult and
-- IPUMS: 1 of up to three, 1.03 of four, 1.12 of seven. More were not tried, and have that of seven.
create or replace macro sqlanon._sharpness(told_by) as
    1 + 0.03::double * (greatest(3, least(told_by, 7)) - 3);

-- What a value weighs. least: min n_j; sizes (of the classes) and counts (rows with the value in each class);
-- common: how many others are in all of them; agreements: the r - 1 factors p.
create or replace macro sqlanon._weight_among(least, sizes, counts, common, agreements) as
    1 / greatest(
        (common / least
         + list_product(list_transform(sizes, lambda size: size - common)) / list_product(list_sort(counts))
           * coalesce(list_product(agreements), 1)) ** sqlanon._sharpness(len(sizes)), 1e-300);

-- A factor p: the share of a value among the rows of all classes that are left when some were drawn, and its
-- share among all rows where these say nothing. n, size: rows with the value, and all rows.
create or replace macro sqlanon._expected_agreement(n, size, share, correlation, drawn) as
    (correlation * greatest(n - drawn, 0) + (1 - correlation) * share)
    / (correlation * (size - drawn) + (1 - correlation));

-- What may be the common share of a target, whose classes share more or fewer people than those of others: a
-- list of k and how probable it is. Two steps below the one of all targets, two above, or all of them: then
-- further releases tell nothing. (With one k for everybody the surest guesses are too sure:
-- docs/concepts/probabilities.md.) The last k, two steps below the least that targets do not rule out, is of
-- upper ends alone. NULL, of a single release: one k, whichever.
create or replace macro sqlanon._supposed_shares(common_share, least_share) as
    if(common_share is null, [{'k': 0.0::double, 'chance': 1.0::double}],
       [{'k': sqlanon._share_at_steps(common_share, -2), 'chance': 0.45::double},
        {'k': sqlanon._share_at_steps(common_share, 2), 'chance': 0.45::double},
        {'k': 1.0::double, 'chance': 0.1::double},
        {'k': sqlanon._share_at_steps(least_share, -2), 'chance': 0.0::double}]);

-- What values weigh with each of them, added up: a list (an aggregate; weights: lists of as many).
create or replace macro sqlanon._weights_added_up(weights, place) as
    sqlanon._let(list(weights order by place), lambda all_weights:
        list_transform(range(1, len(all_weights[1]) + 1), lambda i:
            list_sum(list_transform(all_weights, lambda of_value: of_value[i]))));

-- What a value weighs with each of them: its probability, or of a single release its weight.
create or replace macro sqlanon._weights_of_supposed(weights, totals) as
    if(len(weights) = 1, weights,
       list_transform(weights, lambda weight, i: coalesce(weight / nullif(totals[i], 0), 0)));

-- With all of them together. scaled: as above; supposed: as of _supposed_shares, or NULL.
create or replace macro sqlanon._weight_of_supposed(scaled, supposed) as
    if(len(scaled) = 1, scaled[1],
       list_sum(list_transform(scaled, lambda weight, i: supposed[i].chance * weight)));

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
        select fate, attribute, sum(least) as people
        from (select fate, attribute, unnest(codes || impossible) as code from query_table(refined))
        join query_table(fate_values) using (fate, attribute, code)
        group by fate, attribute
    ),
    common as (
        select fate, attribute, sizes, size, possible.people,
               sqlanon._supposed_shares(common_share, least_share) as supposed
        from possible join query_table(fate_sizes) using (fate, attribute)
        left join query_table(common_shares) using (attribute, told_by)
    ),
    told as (
        select fate, knowledge, attribute, code, value, supposed, share, people, least, sizes, counts,
               list_transform(range(1, len(sizes)), lambda drawn:
                   sqlanon._expected_agreement(counted.n, size, share, correlation, drawn)) as agreements
        from candidate
        join query_table(correlations) using (attribute, code)
        left join query_table(fate_values) as counted using (fate, attribute, code)
        left join common using (fate, attribute)
    ),
    weighed as materialized (
        select fate, knowledge, attribute, code, value, supposed,
               case when supposed is null then [share]
                    else list_transform(supposed, lambda one:
                        sqlanon._weight_among(least, sizes, counts, one.k * people, agreements))
               end as weights
        from told
    ),
    total as (
        select fate, attribute, sqlanon._weights_added_up(weights, code) as totals
        from weighed where len(weights) > 1 group by fate, attribute
    ),
    scaled_weight as (
        select fate, knowledge, attribute, code, value, supposed,
               sqlanon._weights_of_supposed(weights, totals) as scaled
        from weighed left join total using (fate, attribute)
    )
    select fate, knowledge, attribute, code, value, sqlanon._weight_of_supposed(scaled, supposed) as weight,
           scaled
    from scaled_weight;
