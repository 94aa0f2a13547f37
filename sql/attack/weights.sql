-- Weights: how probable each candidate of the intersection attack is. [own derivation]
--
-- The target is one of the m people who are in all of its r classes, and as likely to have a value s as any
-- of them. So s weighs as many of them as are expected to have it. That is between two numbers: the fewest
-- rows with s in one class, min n_j(s), which it is if the releases are of the same people; and, if they
-- share few, x(s) = m * prod n_j(s)/(N_j - m) / p(s)^(r - 1), where N_j are the rows of the classes and p(s)
-- is the share of s among people like the target. 1/(1/min + 1/x) is near what Poisson counts give between.
--
-- The adversary infers m from how often rows agree (_common_shares), and p from the rows of all classes of
-- the target, which say more where people of one class are alike (_correlations). Sums are of integers or
-- decimals, or in a fixed order: the same digits in every run.

-- Releases that say the same of everybody are one that was given twice: release, first (of the same).
create or replace macro sqlanon._distinct_releases(all_evidence) as table
    with summary as (
        select release, count(*) as size,
               bit_xor(hash(class_id, target, attribute, value, kind, n)) as fingerprint
        from query_table(all_evidence) group by release
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
-- size (rows), alike (in how many others' value a row of the class agrees, added up over its rows).
create or replace macro sqlanon._telling_covers(parts, cover_values, distinct_releases) as table
    with total as (
        select cover, attribute, sum(n) as size,
               coalesce(sum((n * greatest(n - 1, 0))::decimal(38, 9))::double / nullif(sum(n) - 1, 0), 0)
                   as alike
        from query_table(cover_values) group by cover, attribute
    ),
    once as (
        select fate, any_value(people) as people, attribute, min(cover) as cover
        from query_table(parts)
        join total using (cover, attribute)
        join query_table(distinct_releases) using (release)
        group by fate, attribute, first
    )
    select fate, people, attribute, cover, size, alike from once join total using (cover, attribute);

-- Their rows together: fate, people, attribute, sizes (of the covers), size, alike; and by value: fate,
-- attribute, code, counts (per cover), n.
create or replace macro sqlanon._fate_sizes(telling_covers) as table
    select fate, any_value(people) as people, attribute, list(size order by size) as sizes,
           sum(size) as size, list_sum(list(alike order by alike)) as alike
    from query_table(telling_covers) group by fate, attribute;
create or replace macro sqlanon._fate_values(telling_covers, cover_values) as table
    select fate, attribute, code, list(n) as counts, sum(n) as n, min(n) as least
    from query_table(telling_covers) join query_table(cover_values) using (cover, attribute)
    group by fate, attribute, code;

-- In how many pairs rows of several classes of a target agree beyond what these classes explain, and in how
-- many they do if its smallest class is in all of them: attribute, surplus, most. Two rows of one class are
-- of different people. If rows of several classes agree more often than they do, then because some are of
-- the same person, which always agree: the surplus is as many pairs as there are people in two classes. Both
-- are decimals for each target, so that the sums of parts of the targets add up to those of all.
create or replace macro sqlanon._agreement(fate_sizes, fate_values) as table
    with pairs as (
        select fate, attribute, sum((n * greatest(n - 1, 0))::decimal(38, 9)) as agreeing
        from query_table(fate_values) group by fate, attribute
    )
    select attribute, sum(people * (agreeing - (size - 1) * alike)::decimal(38, 9)) as surplus,
           sum(people * (len(sizes) * (len(sizes) - 1) * sizes[1] * (1 - alike / size))::decimal(38, 9))
               as most
    from query_table(fate_sizes) join pairs using (fate, attribute) group by attribute;

-- How many people two classes of a target share, on average over the targets: attribute, common_share (of the
-- rows of the target's smallest class).
create or replace macro sqlanon._common_shares(agreement) as table
    select attribute,
           greatest(0, least(1, coalesce(sum(surplus)::double / nullif(sum(most)::double, 0), 1)))
               as common_share
    from query_table(agreement) group by attribute;

-- How many of the people in all classes are expected to have a value, 1/(1/min + 1/x). least: min; sizes (of
-- the classes) and counts (rows with the value in each class); common: how many people are in all of them;
-- agreements: the r - 1 factors p.
create or replace macro sqlanon._expected_among(least, sizes, counts, common, agreements) as
    1 / (1 / least
         + list_product(list_transform(sizes, lambda size: size - common))
           / list_product(list_sort(counts)) / common
           * coalesce(list_product(agreements), 1));

-- A factor p: the share of a value among the rows of all classes that are left when some were drawn, and its
-- share among all rows where these say nothing. n, size: rows with the value, and all rows.
create or replace macro sqlanon._expected_agreement(n, size, share, correlation, drawn) as
    (correlation * greatest(n - drawn, 0) + (1 - correlation) * share)
    / (correlation * (size - drawn) + (1 - correlation));

-- The same of a fate: a struct of counts, n (their sum), least (of them), sizes, size (their sum), common,
-- share and correlation (of the value).
create or replace macro sqlanon._expected_people(fate) as
    sqlanon._expected_among(
        fate.least, fate.sizes, fate.counts, fate.common,
        list_transform(range(1, len(fate.sizes)), lambda drawn:
            sqlanon._expected_agreement(fate.n, fate.size, fate.share, fate.correlation, drawn)));

-- What each candidate weighs: fate, knowledge, attribute, code, value, weight. Of people who are in no
-- release, that is the share of all rows. At least the target is in all classes, and at most as many as the
-- fewest rows with each value allow (also of those values that are ruled out for the target alone); of these
-- it is the share that is common to two classes.
create or replace macro sqlanon._candidate_weights(
    refined, fate_sizes, fate_values, common_shares, correlations) as table
    with candidate as (select fate, knowledge, attribute, unnest(codes) as code from query_table(refined)),
    common as (
        select fate, attribute, greatest(1, any_value(common_share) * sum(least)) as common
        from (select fate, attribute, unnest(codes || impossible) as code from query_table(refined))
        join query_table(fate_values) using (fate, attribute, code)
        join query_table(common_shares) using (attribute)
        group by fate, attribute
    )
    select fate, knowledge, attribute, code, value,
           case when common is null then share
                else sqlanon._expected_people({
                    'counts': counts, 'n': counted.n, 'least': least, 'sizes': sizes, 'size': size,
                    'common': common, 'share': share, 'correlation': correlation})
           end as weight
    from candidate
    join query_table(correlations) using (attribute, code)
    left join query_table(fate_values) as counted using (fate, attribute, code)
    left join query_table(fate_sizes) using (fate, attribute)
    left join common using (fate, attribute);
