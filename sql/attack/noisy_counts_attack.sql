-- The attack on noisy counts: what releases with differential privacy tell of somebody's value, by Bayes with
-- the noise as it is known (the comparison that Ganta, Kasiviswanathan and Smith 2008, sec. 4, call for).
-- [own derivation]
--
-- A release has a noisy count for every group of people, and every value that they may have. The attack has
-- two parts.
--   * What everybody's data says: how many people of the target's group have each value. Cells are small, and
--     the noise is not. So every count is drawn towards what larger groups let expect of it, the more the
--     noisier it is (empirical Bayes): first for all people, then by one quasi-identifier after the other,
--     where the values of the next one are taken for independent of those before, given the sensitive value.
--   * What the target's own row says: a release with the target has one more in a cell. If the others in it
--     are Poisson, that makes the noisy count so many times as probable as without (_likelihood_ratio).
--     Differential privacy keeps this quotient between exp(-epsilon) and exp(epsilon).
-- The weight of a value is its expected count, times its quotient from every release.

-- THE COUNTS

-- The rows of all releases together: the columns in qi and sensitive, and beside them, under names that none
-- of these may have, _sqlanon_release (its number), _sqlanon_noisy and _sqlanon_deviation.
create or replace macro sqlanon._noisy_rows(releases, qi, sensitive, count_column, deviation_column) as table
    from query(sqlanon._over_releases(list_transform(sqlanon._list(releases), lambda name, number:
        sqlanon._fill($$
            select {=number} as _sqlanon_release, {columns}, src.{"count_column"}::double as _sqlanon_noisy,
                   src.{"deviation_column"}::double as _sqlanon_deviation
            from {source} as src
        $$, map {
            'columns': sqlanon._each(
                sqlanon._list(qi) || sqlanon._list(sensitive), 'src.{c} as {c}', ', '),
            'source': sqlanon._projected(name, qi, [sensitive, count_column, deviation_column], null)}))));

-- Noisy counts by class: release, class_id (as in _release_classes), string (the sensitive value), noisy,
-- deviation.
create or replace macro sqlanon._noisy_cells(noisy_rows, release_classes, qi, sensitive) as table
    from query(sqlanon._fill($$
        select src._sqlanon_release as release, class_id, src.{"sensitive"}::varchar as string,
               src._sqlanon_noisy as noisy, src._sqlanon_deviation as deviation
        from {rows} as src
        join {classes} as class on row({each qi: src.{c}}) is not distinct from row({each qi: class.q{i}})
    $$, map {'rows': noisy_rows, 'classes': release_classes}));

-- Every class and value, also those without a count: class_id, code, n (the mean of the noisy counts),
-- variance (of its noise). What is not released counts as 0, with the noise of the noisiest count.
create or replace macro sqlanon._noisy_means(coded_cells, release_classes, domain) as table
    with counted as (
        select class_id, code, avg(noisy) as n, sum(deviation ** 2) / count(*) ** 2 as variance
        from query_table(coded_cells) group by class_id, code
    )
    select class.class_id, domain.code, coalesce(n, 0) as n,
           coalesce(variance, (select max(variance) from counted)) as variance
    from query_table(release_classes) as class
    cross join query_table(domain) as domain
    left join counted on counted.class_id = class.class_id and counted.code = domain.code;

-- WHAT EVERYBODY'S DATA SAYS

-- The labels of each class as numbers, those of the quasi-identifier with most labels first: class_id, path
-- (a list).
create or replace macro sqlanon._label_paths(release_classes, qi) as table
    with labelled as (
        from query(sqlanon._fill($$
            select class_id, unnest(range(1, {end})) as attribute, unnest([{labels}]::varchar[]) as label
            from {classes}
        $$, map {
            'end': (len(sqlanon._list(qi)) + 1)::varchar, 'labels': sqlanon._each(qi, 'l{i}', ', '),
            'classes': release_classes}))
    ),
    numbered as (
        select class_id, attribute,
               dense_rank() over (partition by attribute order by label nulls first) as label
        from labelled
    ),
    width as (select attribute, max(label) as labels from numbered group by attribute)
    select class_id, list(label order by labels desc, attribute) as path
    from numbered join width using (attribute) group by class_id;

-- The counts of larger groups, those with the same first labels: depth (how many labels), prefix (these),
-- code, n, variance. And those with one label: place (in the path), label, code, n, variance.
create or replace macro sqlanon._prefix_counts(noisy_means, label_paths) as table
    select depth, path[:depth] as prefix, code, sum(n) as n, sum(variance) as variance
    from (select *, unnest(range(len(path) + 1)) as depth from query_table(label_paths))
    join query_table(noisy_means) using (class_id)
    group by depth, prefix, code;
create or replace macro sqlanon._label_counts(noisy_means, label_paths) as table
    select place, path[place] as label, code, sum(n) as n, sum(variance) as variance
    from (select *, unnest(range(1, len(path) + 1)) as place from query_table(label_paths))
    join query_table(noisy_means) using (class_id)
    group by place, label, code;

-- By how much counts differ from what is expected of them, more than noise and chance do: as a share of the
-- square of the expected one. By moments, of one count.
create or replace macro sqlanon._surplus(n, expected, variance) as
    ((n - expected) ** 2 - variance - expected);
-- A noisy count, drawn towards the expected one: the more the noise is larger than what counts differ by. One
-- that noise has made negative is small, and not impossible.
create or replace macro sqlanon._shrunk(n, expected, variance, spread) as
    greatest(expected / 50, expected + (n - expected) * (expected + spread * expected ** 2)
                                       / (expected + spread * expected ** 2 + variance));

-- How many people there are with each value: code, n (at least a half).
create or replace macro sqlanon._value_counts(prefix_counts) as table
    select code, greatest(0.5, n) as n from query_table(prefix_counts) where depth = 0;

-- Noisy counts by one label: place, label, code, n. Expected is that the value does not depend on it.
create or replace macro sqlanon._shrunk_label_counts(label_counts, value_counts) as table
    with whole as (
        select code, n / sum(n) over () as share from query_table(value_counts)
    ),
    expected as (
        select place, label, code, counted.n, variance,
               share * greatest(0.5, sum(counted.n) over (partition by place, label)) as expected
        from query_table(label_counts) as counted join whole using (code)
    ),
    spread as (
        select *, greatest(0, sum(sqlanon._surplus(n, expected, variance)) over (partition by place)
                              / sum(expected ** 2) over (partition by place)) as spread
        from expected
    )
    select place, label, code, sqlanon._shrunk(n, expected, variance, spread) as n from spread;

-- The counts of prefixes that are longer by one label: depth, prefix, shorter (the labels but for the last),
-- code, n, variance, and share: how many of the people with the value have the last label.
create or replace macro sqlanon._prefix_steps(prefix_counts, shrunk_label_counts, value_counts) as table
    select depth, prefix, prefix[:depth - 1] as shorter, counted.code, counted.n, variance,
           by_label.n / whole.n as share
    from query_table(prefix_counts) as counted
    join query_table(shrunk_label_counts) as by_label
      on by_label.place = depth and by_label.label = prefix[depth] and by_label.code = counted.code
    join query_table(value_counts) as whole on whole.code = counted.code;

-- One step: depth, prefix, code, n. Expected is that the last label depends on those before by the value
-- alone.
create or replace macro sqlanon._next_shrunk_counts(shorter_counts, prefix_steps) as table
    with expected as (
        select step.*, greatest(0.001, before.n * share) as expected
        from query_table(shorter_counts) as before
        join query_table(prefix_steps) as step
          on step.depth = before.depth + 1 and step.shorter = before.prefix and step.code = before.code
    ),
    spread as (
        select *, greatest(0, sum(sqlanon._surplus(n, expected, variance)) over ()
                              / sum(expected ** 2) over ()) as spread
        from expected
    )
    select depth, prefix, code, sqlanon._shrunk(n, expected, variance, spread) as n from spread;

-- The expected counts of all prefixes, until every class is by itself: depth, prefix, code, n.
create or replace macro sqlanon._expected_counts(value_counts, prefix_steps) as table
    with recursive estimate as (
        select 0::bigint as depth, []::bigint[] as prefix, code, n from query_table(value_counts)
        union all
        from sqlanon._next_shrunk_counts('estimate', prefix_steps)
    )
    from estimate;

-- WHAT THE TARGET'S OWN ROW SAYS

-- The scale of noise by its standard deviation. That of the discrete Laplace distribution has the variance
-- 2a / (1 - a)^2 with a = exp(-1 / scale); the discrete Gaussian's standard deviation is hardly below scale.
create or replace macro sqlanon._scale_of_noise(mechanism, deviation) as
    if(mechanism = 'laplace',
       -1 / ln((deviation ** 2 + 1 - sqrt(2 * deviation ** 2 + 1)) / deviation ** 2), deviation);

-- The logarithm of how probable noise is, up to a constant.
create or replace macro sqlanon._log_noise(mechanism, z, scale) as
    if(mechanism = 'laplace', -abs(z) / scale, -power(z / scale, 2) / 2);

-- How far what is seen can draw a Poisson count, as a factor: noise changes its logarithm by this much from a
-- count to the next, at most.
create or replace macro sqlanon._pull(mechanism, z, scale) as
    exp(least(if(mechanism = 'laplace', 1, abs(z) / scale) / scale, 100));

-- How many times as probable a noisy count is with one person more. The others are Poisson; looked at are the
-- counts from what is expected to what is seen, as far as that can draw them, give or take twelve standard
-- deviations.
create or replace macro sqlanon._sum_of_powers(logs, largest) as
    list_sum(list_transform(logs, lambda log: exp(log - largest)));
create or replace macro sqlanon._quotient_of_sums(above, below) as
    sqlanon._let(list_max(below), lambda largest:
        greatest(1e-300, sqlanon._sum_of_powers(above, largest) / sqlanon._sum_of_powers(below, largest)));
create or replace macro sqlanon._counts_around(expected, lowest, highest) as
    range(greatest(0, floor(lowest - 12 * sqrt(greatest(expected, lowest)) - 30))::bigint,
          ceil(highest + 12 * sqrt(greatest(expected, highest)) + 30)::bigint);
create or replace macro sqlanon._likelihood_ratio(noisy, expected, scale, mechanism) as
    sqlanon._let(
        list_transform(
            sqlanon._counts_around(
                expected, greatest(least(noisy, expected),
                                   expected / sqlanon._pull(mechanism, noisy - expected, scale)),
                least(greatest(noisy, expected),
                      expected * sqlanon._pull(mechanism, noisy - expected, scale))),
            lambda others: {'others': others, 'log': others * ln(expected) - lgamma(others + 1)}),
        lambda cases: sqlanon._quotient_of_sums(
            list_transform(cases, lambda possible:
                possible.log + sqlanon._log_noise(mechanism, noisy - possible.others - 1, scale)),
            list_transform(cases, lambda possible:
                possible.log + sqlanon._log_noise(mechanism, noisy - possible.others, scale))));

-- BOTH

-- What all releases say of the classes in which targets are: class_id, code, weight.
create or replace macro sqlanon._noisy_weights(
    coded_cells, located, label_paths, shrunk_prefix_counts, mechanism) as table
    with expected as materialized (
        select class_id, code, n
        from (select distinct class_id from query_table(located))
        join query_table(label_paths) using (class_id)
        join query_table(shrunk_prefix_counts) on prefix = path
    ),
    told as (
        select class_id, code,
               product(sqlanon._likelihood_ratio(
                   noisy, n, sqlanon._scale_of_noise(mechanism, deviation), mechanism)) as ratio
        from query_table(coded_cells) join expected using (class_id, code) group by class_id, code
    )
    select class_id, code, n * coalesce(ratio, 1) as weight
    from expected left join told using (class_id, code);

-- What is learned of each target: target, candidates (the most probable first), probabilities.
create or replace macro sqlanon._noisy_guesses(located, noisy_weights, domain) as table
    with weighed as (
        select target, code, sum(weight) as weight
        from query_table(located) join query_table(noisy_weights) using (class_id) group by target, code
    )
    select target, list(value order by weight desc, code) as candidates,
           list(weight order by weight desc, code) as weights,
           list_transform(weights, lambda weight: weight / list_sum(weights)) as probabilities
    from weighed join query_table(domain) using (code) group by target;

-- No rows, or an error: what is no noisy count, or a group that has several.
create or replace macro sqlanon._refuse_noisy_cells(noisy_cells, releases) as table
    select error('release ' || sqlanon._list(releases)[release] || ' has a count that is '
                 || coalesce(noisy::varchar, 'NULL') || ', with the standard deviation '
                 || coalesce(deviation::varchar, 'NULL')
                 || ': needed are numbers, and a standard deviation above 0') as refused
    from query_table(noisy_cells)
    where not coalesce(isfinite(noisy) and isfinite(deviation) and deviation > 0, false)
    union all
    select error('release ' || sqlanon._list(releases)[any_value(release)] || ' has ' || count(*)
                 || ' counts of the same group: qi and sensitive must be all the columns that it counts by')
    from query_table(noisy_cells) group by release, class_id, string having count(*) > 1;
create or replace macro sqlanon._refuse_other_noise(mechanism) as table
    select error('mechanism must be laplace or gaussian, not ' || coalesce(mechanism, 'NULL')) as refused
    where mechanism is null or mechanism not in ('laplace', 'gaussian');

-- All of it: who, learned, confidence, baseline, is_right, is_control, candidates, probabilities. sensitive,
-- truth and controls are lists. (Their texts come with the people: those of the truth, then of controls.)
create or replace macro sqlanon._noisy_counts_attack(
    releases, targets, id, qi, sensitive, count_column, deviation_column, mechanism, hierarchies, truth,
    controls) as table
    with _sqlanon_hierarchy as materialized (from sqlanon._hierarchies(hierarchies)),
    {steps _targets: columns := qi, others := sqlanon._list(truth) || sqlanon._list(controls)},
    _sqlanon_row as materialized (
        from sqlanon._noisy_rows(releases, qi, sensitive[1], count_column, deviation_column)
    ),
    _sqlanon_class as materialized (from sqlanon._release_classes('_sqlanon_row', qi)),
    _sqlanon_located as materialized (
        from sqlanon._locate_either(
            '_sqlanon_class', '_sqlanon_combination',
            sqlanon._if_any(hierarchies, '_sqlanon_hierarchy'), qi, [false], '_locate')
    ),
    _sqlanon_class_value as materialized (
        from sqlanon._values_of_classes('_sqlanon_row', '_sqlanon_class', qi, sensitive, null)
    ),
    {steps _values_and_truth: distinct_spellings := []},
    _sqlanon_cell as materialized (
        from sqlanon._noisy_cells('_sqlanon_row', '_sqlanon_class', qi, sensitive[1])
    ),
    _sqlanon_coded as materialized (
        select cell.release, class_id, code, noisy, deviation
        from _sqlanon_cell as cell
        join _sqlanon_compared as compared on compared.string is not distinct from cell.string
        join _sqlanon_domain as domain on domain.value is not distinct from compared.value
    ),
    _sqlanon_mean as materialized (
        from sqlanon._noisy_means('_sqlanon_coded', '_sqlanon_class', '_sqlanon_domain')
    ),
    _sqlanon_path as materialized (from sqlanon._label_paths('_sqlanon_class', qi)),
    _sqlanon_prefix as materialized (from sqlanon._prefix_counts('_sqlanon_mean', '_sqlanon_path')),
    _sqlanon_label as materialized (from sqlanon._label_counts('_sqlanon_mean', '_sqlanon_path')),
    _sqlanon_total as materialized (from sqlanon._value_counts('_sqlanon_prefix')),
    _sqlanon_by_label as materialized (
        from sqlanon._shrunk_label_counts('_sqlanon_label', '_sqlanon_total')
    ),
    _sqlanon_step as materialized (
        from sqlanon._prefix_steps('_sqlanon_prefix', '_sqlanon_by_label', '_sqlanon_total')
    ),
    _sqlanon_expected as materialized (from sqlanon._expected_counts('_sqlanon_total', '_sqlanon_step')),
    _sqlanon_weight as materialized (
        from sqlanon._noisy_weights(
            '_sqlanon_coded', '_sqlanon_located', '_sqlanon_path', '_sqlanon_expected', mechanism)
    ),
    _sqlanon_guess as materialized (
        from sqlanon._noisy_guesses('_sqlanon_located', '_sqlanon_weight', '_sqlanon_domain')
    ),
    _sqlanon_refusal as (
        from sqlanon._refuse_people('_sqlanon_person', targets, id)
        union all from sqlanon._refuse_truth(sensitive, truth)
        union all from sqlanon._refuse_other_noise(mechanism)
        union all from sqlanon._refuse_given_hierarchies(hierarchies, '_sqlanon_hierarchy', qi)
        union all from sqlanon._refuse_empty_releases('_sqlanon_cell', releases)
        union all from sqlanon._refuse_noisy_cells('_sqlanon_cell', releases)
    )
    select who, coalesce(candidates[1], if(candidates is not null, 'NULL', null)) as learned,
           probabilities[1] as confidence, (select max(n) / sum(n) from _sqlanon_total) as baseline,
           case when candidates is not null and len(sqlanon._list(truth)) > 0
                then candidates[1] is not distinct from meant end as is_right,
           sqlanon._says(actuals[len(sqlanon._list(truth)) + 1], 'controls') as is_control,
           coalesce(candidates, []) as candidates, coalesce(probabilities, []) as probabilities
    from _sqlanon_person as person
    left join _sqlanon_guess as guess using (target)
    left join _sqlanon_meant as meaning
      on meaning.attribute = 1 and meaning.actual is not distinct from person.actuals[1]
    union all by name
    select refused::bigint as confidence from _sqlanon_refusal;

create or replace macro sqlanon.noisy_counts_attack(
    releases, targets, id, qi, sensitive, count_column, deviation_column,
    mechanism := 'laplace', hierarchies := null, truth := null, controls := null) as table
    from query(
        sqlanon._checked(qi, [sensitive, count_column, deviation_column], null) || sqlanon._fill($$
            select who as {id}, learned, confidence, baseline, is_right, is_control, candidates, probabilities
            from sqlanon._noisy_counts_attack({arguments})
        $$, map {
            'id': sqlanon._quote(id),
            'arguments': concat_ws(', ',
                sqlanon._names(releases), sqlanon._literal(targets), sqlanon._literal(id),
                sqlanon._names(qi), sqlanon._names(sensitive), sqlanon._literal(count_column),
                sqlanon._literal(deviation_column), sqlanon._optional(mechanism),
                sqlanon._optional(hierarchies),
                case when truth is null then 'null' else sqlanon._names(truth) end,
                sqlanon._names(controls))}));

comment on macro table sqlanon.noisy_counts_attack is $$
Attacks several releases of noisy counts together: one row per target, with the most probable sensitive value.
What the attack learns comes mostly from the data of all people who are like the target, not from the target's
own row.

Parameters:
- releases (list of tables): counts with differential privacy, such as those of dp_counts with keys: all with
  the columns in qi and sensitive, count_column and deviation_column. They should count the same groups.
- targets, id: as in intersection_attack
- qi (columns): the quasi-identifiers: all columns that the releases group by, except sensitive.
- sensitive (column): of releases, the column to be learned.
- count_column (column): of releases, the noisy counts. Do not replace counts below 0.
- deviation_column (column): of releases, the standard deviation of the noise.
- mechanism (one of laplace, gaussian; default 'laplace'): the distribution of the noise, as in dp_counts.
- hierarchies: as in intersection_attack
- truth (column; default null): of targets, their true values.
- controls: as in linking

Result:
- <id> (unchanged): the target.
- learned (text): the most probable value; NULL: no group covers the target.
- confidence (number): its probability.
- baseline (number): the share of the most frequent value among all people, estimated from the counts.
- is_right (boolean): is learned the true value? NULL without truth, or if nothing is learned.
- is_control (boolean): is the target one of controls?
- candidates (list of texts): all values, the most probable first.
- probabilities (list of numbers): the probabilities of these candidates.

Errors: unknown column, empty table, a target twice, a hierarchy that is not a tree, a count or a standard
deviation that is not a number, a group with several counts.

Notes: differential privacy bounds how much the result depends on the target's own row. To measure this, also
attack people whose rows were left out (controls). A group without a count in any release, for example because
groups are chosen by a threshold, counts as 0 with much noise.

Source: Ganta, Kasiviswanathan and Smith 2008, sec. 4. [own derivation]

Example:
with noisy as (
    select age, zip, disease, 3 * n - 1 as n, 1.2 as standard_deviation
    from (select age, zip, disease, count(*) as n from people group by all)
)
from sqlanon.noisy_counts_attack(
    ['noisy'], 'voters', id := 'name', qi := ['age', 'zip'], sensitive := 'disease',
    count_column := 'n', deviation_column := 'standard_deviation');
$$;
