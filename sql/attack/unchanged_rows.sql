-- Rows of unchanged columns: what releases tell together of several columns. [own derivation]
--
-- Somebody has one row. If a release says {(flu, a), (gout, b)} of a class and another one {(flu, a),
-- (gout, c), (angina, b)}, only (flu, a) is in both, though of each column on its own two values are. So what
-- is intersected are rows of all columns that stay what they are from release to release; the candidates for
-- a column are what the rows that are left have in it, and weigh as much as these rows together.
--
-- A release that lacks a column says nothing about it. So this is a natural join: rows of two releases are of
-- one person if they agree in the columns that both releases have.
--
-- A row is a list of codes (as in _sensitive_domain), sorted, so that they are in the order of the columns. A
-- column set is handled as if it were one attribute whose values are such lists, by the macros for sensitive
-- columns. Column set 1 has no columns and is of all rows.
--
-- Where a column has changed after all, a target may be left with no row: a contradiction. Then fewer columns
-- judge (an attempt with each column left out, and with the sensitive ones alone), and each sensitive column
-- on its own; whichever leaves the fewest candidates decides.
--
-- A column whose values may change is neither joined nor intersected. In each release it is known from the
-- rows of the target's class that are left, and the release that tells most decides.

-- ROWS

-- What of a row is in some of its columns. row_columns: those of its codes.
create or replace macro sqlanon._projected_row(codes, row_columns, chosen) as
    list_filter(codes, lambda code, nth_code: list_contains(chosen, row_columns[nth_code]));

-- The rows of all classes: release, class_id, columns (which the release has), codes, n.
create or replace macro sqlanon._coded_rows(cells, compared_values, sensitive_domain) as table
    with cell as materialized (
        select row_number() over () as cell, *
        from (
            select release, class_id, strings, kinds, sum(n)::bigint as n
            from query_table(cells) group by release, class_id, strings, kinds
        )
    ),
    element as (
        select cell, release, unnest(range(1, len(strings) + 1))::integer as attribute,
               unnest(strings) as string, unnest(kinds) as kind
        from cell
    ),
    coded as (
        select release, compared.attribute, string, code
        from query_table(compared_values) as compared
        join query_table(sensitive_domain) as domain
          on domain.attribute = compared.attribute and domain.value is not distinct from compared.value
    ),
    of_cell as (
        select cell, list(element.attribute order by element.attribute) as columns,
               list(code order by element.attribute) as codes
        from element
        join coded on coded.release = element.release and coded.attribute = element.attribute
                  and coded.string is not distinct from element.string
        where kind is distinct from sqlanon._kind_of_lacking() group by cell
    )
    select release, class_id, columns, codes, sum(n)::bigint as n
    from of_cell join cell using (cell) group by release, class_id, columns, codes;

-- ATTEMPTS
--
-- An attempt is to join the classes of a fate by some of the columns. Its number is that of the fate where
-- all columns judge.

-- The classes that each fate is in, release by release, equal releases once: fate, people, cover, release,
-- columns.
create or replace macro sqlanon._covers_to_join(all_fates, all_covers, coded_rows, distinct_releases)
    as table
    with has as (select distinct release, columns from query_table(coded_rows)),
    once as (
        select fate, any_value(people) as people, min(cover) as cover
        from (select fate, people, unnest(covers) as cover from query_table(all_fates))
        join query_table(all_covers) using (cover)
        join query_table(distinct_releases) using (release)
        where classes is not null group by fate, first
    )
    select fate, people, cover, release, columns
    from once join query_table(all_covers) using (cover) join has using (release);

-- The steps of attempts: attempt, fate, people, place (of the step), places (how many there are), cover,
-- columns (by which it is joined), met (those of them that steps before it have), drawn (how many of these
-- have all of met), before (the columns of all steps before it), every (of all steps), core (columns that all
-- steps have). judging: a list of positions; number: which of the lists it is, from 0.
create or replace macro sqlanon._steps_of_attempts(covers_to_join, fates, judging, number) as table
    with joined as (
        select fate, any_value(people) as people,
               list({'cover': cover, 'columns': list_filter(columns, lambda one: list_contains(judging, one))}
                    order by release) as steps
        from query_table(covers_to_join) where list_has_any(columns, judging) group by fate
    ),
    step as (
        select fate, people, unnest(range(1, len(steps) + 1)) as place, len(steps) as places,
               steps, list_transform(steps, lambda step: step['columns']) as by_step
        from joined
    ),
    placed as (
        select *, by_step[place] as columns,
               list_sort(list_distinct(flatten(by_step[:place - 1]))) as before,
               list_sort(list_distinct(flatten(by_step))) as every
        from step
    )
    select number * (select count(*) from query_table(fates)) + fate as attempt, fate, people, place, places,
           steps[place]['cover'] as cover, columns, before, every,
           list_filter(columns, lambda one: list_contains(before, one)) as met,
           len(list_filter(by_step[:place - 1], lambda earlier:
               list_has_all(earlier, list_filter(columns, lambda one: list_contains(before, one))))) as drawn,
           list_filter(every, lambda one:
               len(list_filter(by_step, lambda each: list_contains(each, one))) = places) as core
    from placed;

-- The steps where all columns together have left no possible row: the same. judging: all lists.
create or replace macro sqlanon._further_steps(covers_to_join, first_steps, likely_rows, fates, judging)
    as table
    with contradicted as (
        from query_table(covers_to_join)
        where fate in (select fate from query_table(first_steps))
          and fate not in (select fate from query_table(likely_rows) where odds > 0)
    )
    from query(
        coalesce(
            list_aggregate(
                list_transform(judging, lambda columns, nth_columns: sqlanon._call('_steps_of_attempts', [
                    sqlanon._literal('contradicted'), sqlanon._literal(fates), columns::varchar,
                    nth_columns::varchar])),
                'string_agg', ' union all '),
            'from ' || first_steps || ' where false'));

-- What a row of a cover is joined by: cover, columns, met, codes, key (its codes in met), n. steps: as above.
create or replace macro sqlanon._rows_to_join(all_steps, covers, coded_rows) as table
    with wanted as (select distinct cover, columns, met from query_table(all_steps)),
    in_cover as (
        select wanted.cover, wanted.columns, met,
               sqlanon._projected_row(codes, class_row.columns, wanted.columns) as codes, n
        from wanted
        join (select cover, release, unnest(classes) as class_id from query_table(covers)) as located
          on located.cover = wanted.cover
        join query_table(coded_rows) as class_row
          on class_row.release = located.release and class_row.class_id = located.class_id
    )
    select cover, columns, met, codes, sqlanon._projected_row(codes, columns, met) as key,
           sum(n)::bigint as n
    from in_cover group by cover, columns, met, codes;

-- The rows that are left by attempts: attempt, fate, codes.
create or replace macro sqlanon._joined_rows(all_steps, rows_to_join) as table
    with recursive joined as (
        select attempt, fate, 1::bigint as place, codes
        from query_table(all_steps) as step
        join query_table(rows_to_join) as class_row
          on class_row.cover = step.cover and class_row.columns = step.columns and class_row.met = step.met
        where place = 1
        union all
        select joined.attempt, joined.fate, step.place,
               list_sort(list_distinct(joined.codes || class_row.codes)) as codes
        from joined
        join query_table(all_steps) as step
          on step.attempt = joined.attempt and step.place = joined.place + 1
        join query_table(rows_to_join) as class_row
          on class_row.cover = step.cover and class_row.columns = step.columns and class_row.met = step.met
         and class_row.key = sqlanon._projected_row(joined.codes, step.before, step.met)
    )
    select attempt, joined.fate, codes
    from joined join (select distinct attempt, places from query_table(all_steps)) as last using (attempt)
    where place = places;

-- COLUMN SETS

-- The sets of columns that releases share: those of each release, and what two of these have in common, and
-- so on: columns.
create or replace macro sqlanon._shared_sets(all_steps) as table
    with recursive own as (select distinct columns from query_table(all_steps)),
    shared as (
        from own
        union
        select list_sort(list_intersect(shared.columns, own.columns)) as columns from shared, own
    )
    from shared where len(columns) > 0;

-- The sets of columns whose values are counted: attribute (their number, 1 is that of no columns), columns.
-- changing: the positions of sensitive columns that may change.
create or replace macro sqlanon._sets_of_columns(all_steps, changing) as table
    with used as (
        select []::bigint[] as columns
        union from sqlanon._shared_sets(all_steps)
        union select met from query_table(all_steps)
        union select core from query_table(all_steps)
        union select list_sort(list_distinct(list_append(columns, one)))
              from query_table(all_steps), (select unnest(changing) as one)
    )
    select row_number() over (order by len(columns), columns) as attribute, columns from used;

-- How often a class has which of their values: release, class_id, attribute, value, n.
create or replace macro sqlanon._set_values(coded_rows, column_sets) as table
    select release, class_id, attribute, value, sum(n)::bigint as n
    from (
        select release, class_id, attribute, n,
               sqlanon._projected_row(codes, class_row.columns, chosen.columns) as value
        from query_table(coded_rows) as class_row
        join query_table(column_sets) as chosen on list_has_all(class_row.columns, chosen.columns)
    )
    group by release, class_id, attribute, value;

-- The covers of attempts by column set: fate (the attempt), people, attribute, cover, release.
create or replace macro sqlanon._parts_of_attempts(all_steps, column_sets, covers) as table
    select distinct attempt as fate, people, attribute, step.cover, release
    from query_table(all_steps) as step
    join query_table(covers) as cover on cover.cover = step.cover
    join query_table(column_sets) as chosen on list_has_all(step.columns, chosen.columns);

-- CANDIDATES

-- The rows that are left, with what is known of the target: attempt, fate, codes, odds (by how much more
-- probable the row is for the target than for anybody; 0: ruled out). Odds of several columns multiply.
create or replace macro sqlanon._odds_of_rows(joined_rows, fates_known, statements, beliefs) as table
    from query(
        if(statements is null, 'select attempt, fate, codes, 1 as odds from ' || joined_rows,
           sqlanon._call('_believed_rows', [
               sqlanon._literal(joined_rows), sqlanon._literal(fates_known), sqlanon._literal(beliefs)])));
create or replace macro sqlanon._believed_rows(joined_rows, fates_known, beliefs) as table
    select attempt, fate, codes, list_product(list(coalesce(odds, 1) order by code)) as odds
    from (select attempt, fate, codes, unnest(codes) as code from query_table(joined_rows))
    join (select distinct fate, knowledge from query_table(fates_known)) using (fate)
    left join query_table(beliefs) using (knowledge, code)
    group by attempt, fate, codes;

-- With exact_cover without rows that others must have: as in _odds_of_rows, unfinished and not_asked. Each
-- class of a release is filled by what the rows have in each set of columns that releases share, and by the
-- values of each column on its own (before: intersected, after: refined). all_fates, all_covers, histogram:
-- as in _attack, the last one of column sets.
create or replace macro sqlanon._covered_rows(
    likely_rows, all_steps, column_sets, set_domain, intersected, refined, all_fates, all_covers, histogram,
    exact_cover) as table
    from query(
        if(exact_cover,
           sqlanon._call('_exactly_covered_rows', [
               sqlanon._literal(likely_rows), sqlanon._literal(all_steps), sqlanon._literal(column_sets),
               sqlanon._literal(set_domain), sqlanon._literal(intersected), sqlanon._literal(refined),
               sqlanon._literal(all_fates), sqlanon._literal(all_covers), sqlanon._literal(histogram)]),
           'select *, false as unfinished, false as not_asked from ' || likely_rows));
create or replace macro sqlanon._exactly_covered_rows(
    likely_rows, all_steps, column_sets, set_domain, intersected, refined, all_fates, all_covers, histogram)
    as table
    with shared_set as materialized (
        select attribute, chosen.columns
        from query_table(column_sets) as chosen
        join sqlanon._shared_sets(all_steps) as shared on shared.columns = chosen.columns
    ),
    of_attempt as (select distinct attempt, every from query_table(all_steps)),
    in_set as materialized (
        select attempt, fate, codes, attribute, sqlanon._projected_row(codes, every, columns) as value
        from query_table(likely_rows) join of_attempt using (attempt)
        join shared_set on list_has_all(every, columns) where odds > 0
    ),
    of_release as materialized (
        select attempt, fate, codes, attribute, code
        from in_set join query_table(set_domain) as known using (attribute, value)
    ),
    in_class as materialized (
        select fate, attribute, list(distinct code) as codes
        from of_release where attempt = fate group by fate, attribute
    ),
    left_over as materialized (
        from sqlanon._exact_cover('in_class', all_fates, all_covers, histogram)
    ),
    taken as (
        select distinct attempt, of_release.codes
        from of_release join left_over using (fate, attribute)
        where attempt = fate and not list_contains(left_over.codes, code)
        union
        select distinct attempt, codes
        from (select attempt, fate, codes, unnest(codes) as code from query_table(likely_rows)) as element
        join (
            select fate,
                   unnest(list_filter(had.codes, lambda code: not list_contains(has.codes, code))) as code
            from query_table(intersected) as had join query_table(refined) as has using (fate, attribute)
        ) as impossible using (fate, code)
    ),
    open as (
        select fate, bool_or(unfinished) as unfinished, bool_or(not_asked) as not_asked
        from left_over group by fate
    )
    select likely.attempt, fate, likely.codes, odds, coalesce(unfinished, false) as unfinished,
           coalesce(not_asked, false) as not_asked
    from query_table(likely_rows) as likely
    left join taken on taken.attempt = likely.attempt and taken.codes = likely.codes
    left join open using (fate)
    where taken.attempt is null;

-- WEIGHTS
--
-- Rows weigh as sql/attack/weights.sql says of values. Where releases have different columns, n_j is how many
-- rows of a class are like the row in the columns that the release has. In the product a further release is
-- compared in the columns met: p is the share of what the row has in these. For min, rows
-- that are alike in a class share its n_j, in proportion to their numbers in releases that tell them apart.

-- The rows step by step: attempt, codes, place, size (rows of the cover), n (those that are like the row in
-- the columns of the release), own (their code), factor (p; NULL for the first step).
create or replace macro sqlanon._row_steps(
    candidate_rows, all_steps, column_sets, set_domain, set_cover_values, fate_sizes, fate_values,
    correlations) as table
    with numbered as (
        select step.*, own_set.attribute as own_attribute, met_set.attribute as met_attribute
        from query_table(all_steps) as step
        join query_table(column_sets) as own_set on own_set.columns = step.columns
        join query_table(column_sets) as met_set on met_set.columns = step.met
    ),
    row_step as (
        select row_of.attempt, row_of.codes, place, cover, drawn, own_attribute, met_attribute,
               sqlanon._projected_row(row_of.codes, every, columns) as own_value,
               sqlanon._projected_row(row_of.codes, every, met) as met_value
        from query_table(candidate_rows) as row_of join numbered using (attempt)
    ),
    cover_size as (
        select cover, sum(n) as cover_size
        from query_table(set_cover_values) where attribute = 1 group by cover
    )
    select row_step.attempt, row_step.codes, place, cover_size as size, own_count.n, own.code as own,
           case when place > 1
                then sqlanon._expected_agreement(
                    met_count.n, met_size.size, met_share.share, met_share.correlation, drawn) end as factor
    from row_step
    join cover_size using (cover)
    join query_table(set_domain) as own
      on own.attribute = row_step.own_attribute and own.value = row_step.own_value
    join query_table(set_cover_values) as own_count
      on own_count.cover = row_step.cover and own_count.attribute = row_step.own_attribute
     and own_count.code = own.code
    join query_table(correlations) as met_share
      on met_share.attribute = row_step.met_attribute and met_share.value = row_step.met_value
    join query_table(fate_values) as met_count
      on met_count.fate = row_step.attempt and met_count.attribute = row_step.met_attribute
     and met_count.code = met_share.code
    join query_table(fate_sizes) as met_size
      on met_size.fate = row_step.attempt and met_size.attribute = row_step.met_attribute;

-- What each row weighs: attempt, codes, weight (0: ruled out), scaled (with each supposed common share).
create or replace macro sqlanon._row_weights(
    candidate_rows, row_steps, all_steps, column_sets, set_domain, common_shares) as table
    with told_apart as (
        select one.attempt, one.place, other.place as by_place
        from query_table(all_steps) as one join query_table(all_steps) as other
          on other.attempt = one.attempt and not list_has_all(one.columns, other.columns)
    ),
    proportion as (
        select told_apart.attempt, codes, told_apart.place,
               list_product(list(other.n::double order by by_place)) as proportion
        from told_apart join query_table(row_steps) as other
          on other.attempt = told_apart.attempt and other.place = by_place
        group by told_apart.attempt, codes, told_apart.place
    ),
    split as (
        select attempt, codes, place, size, n, factor, own, coalesce(proportion, 1) as proportion
        from query_table(row_steps) left join proportion using (attempt, codes, place)
    ),
    among as (
        select attempt, place, own, list_sum(list(proportion order by codes)) as total
        from split group by attempt, place, own
    ),
    by_row as (
        select attempt, codes, min(n * (proportion / total)) as least,
               list(size order by size, place) as sizes, list(n order by place) as counts,
               list(factor order by place) filter (where factor is not null) as factors
        from split join among using (attempt, place, own) group by attempt, codes
    ),
    core as (
        select attempt, attribute, count(*)::integer as told_by, any_value(every) as every,
               any_value(core) as core
        from query_table(all_steps) as step
        join query_table(column_sets) as chosen on chosen.columns = step.core
        group by attempt, attribute
    ),
    common as (
        select attempt, list_sum(list(least order by codes)) as possible,
               sum((least * (1 - share))::decimal(38, 12))::double as distinctive,
               any_value(sizes[1]) as most, coalesce(any_value(power), 1) as power,
               coalesce(any_value(supposed), [0]) as supposed
        from by_row join core using (attempt)
        join query_table(set_domain) as core_value
          on core_value.attribute = core.attribute
         and core_value.value = sqlanon._projected_row(codes, every, core)
        left join query_table(common_shares) as chosen
          on chosen.attribute = core.attribute and chosen.told_by = core.told_by
        group by attempt
    ),
    weighed as materialized (
        select candidate.attempt, candidate.codes,
               list_transform(supposed, lambda k:
                   odds * sqlanon._weight_among(
                       least, sizes, counts,
                       least(sqlanon._others_in_all(k, possible, distinctive, 0), most),
                       coalesce(factors, []), power))
                   as weights
        from query_table(candidate_rows) as candidate
        join by_row on by_row.attempt = candidate.attempt and by_row.codes = candidate.codes
        join common on common.attempt = candidate.attempt
    ),
    total as (
        select attempt, sqlanon._weights_added_up(weights, codes) as totals
        from weighed group by attempt
    ),
    scaled_weight as (
        select attempt, codes, sqlanon._weights_of_supposed(weights, totals) as scaled
        from weighed join total using (attempt)
    )
    select attempt, codes, sqlanon._weight_of_supposed(scaled) as weight, scaled
    from scaled_weight;

-- OPTIONS
--
-- What decides for a fate and a column is one of some options. held: a list of code, value, weight and scaled
-- (the weights with each supposed common share).

-- What attempts tell of stable columns: fate, attribute, attempt, held.
create or replace macro sqlanon._options_of_rows(
    row_weights, candidate_rows, sensitive_domain, learned) as table
    with element as (
        select attempt, codes as row_codes, weight, scaled, unnest(codes) as code
        from query_table(row_weights) where weight > 0
    ),
    weighed as (
        select attempt, attribute, code, value, list_sum(list(weight order by row_codes)) as weight,
               sqlanon._weights_added_up(scaled, row_codes) as scaled
        from element join query_table(sensitive_domain) using (code)
        where attribute <= learned group by attempt, attribute, code, value
    )
    select fate, attribute, attempt,
           list({'code': code, 'value': value, 'weight': weight, 'scaled': scaled} order by code) as held
    from weighed join (select distinct attempt, fate from query_table(candidate_rows)) using (attempt)
    group by fate, attribute, attempt;

-- What attempts tell of columns that may change, release by release: the same, and cover. Rows of a class
-- that are alike in the stable columns are as likely, each, as these are.
create or replace macro sqlanon._options_of_changing(
    row_weights, row_steps, all_steps, column_sets, set_cover_values, set_domain, sensitive_domain, changing,
    all_covers, statements, beliefs) as table
    with own_weight as (
        select attempt, place, own, any_value(n) as n, list_sum(list(weight order by codes)) as weight,
               sqlanon._weights_added_up(scaled, codes) as scaled
        from query_table(row_weights) join query_table(row_steps) using (attempt, codes)
        where weight > 0 group by attempt, place, own
    ),
    own_row as (
        select attempt, n, weight, scaled, value as own_value, step.fate, step.cover, step.columns
        from own_weight
        join query_table(all_steps) as step using (attempt, place)
        join (select code, value from query_table(set_domain)) as known on known.code = own
    ),
    wider as (
        select one as changing_attribute, attribute, columns as wide_columns,
               list_filter(columns, lambda each: each <> one) as columns
        from query_table(column_sets), (select unnest(changing) as one) where list_contains(columns, one)
    ),
    class_row as (
        select cover, columns, changing_attribute, n as wide_n,
               sqlanon._projected_row(value, wide_columns, columns) as own_value,
               sqlanon._projected_row(value, wide_columns, [changing_attribute])[1] as code
        from wider
        join query_table(set_cover_values) using (attribute)
        join (select code, value from query_table(set_domain)) using (code)
    ),
    weighed as (
        select fate, attempt, cover, any_value(knowledge) as knowledge, changing_attribute as attribute,
               class_row.code, list_sum(list(weight * wide_n / n order by own_value)) as weight,
               sqlanon._weights_added_up(
                   list_transform(scaled, lambda with_share: with_share * wide_n / n), own_value) as scaled
        from own_row join class_row using (cover, columns, own_value)
        join (select cover, knowledge from query_table(all_covers)) using (cover)
        group by fate, attempt, cover, changing_attribute, class_row.code
    )
    select fate, attribute, attempt, cover,
           list({'code': code, 'value': value, 'weight': weight, 'scaled': scaled} order by code) as held
    from sqlanon._weights_of(statements, 'weighed', beliefs)
    join query_table(sensitive_domain) using (attribute, code)
    where weight > 0 group by fate, attribute, attempt, cover;

-- What each column tells on its own, those that may change release by release: fate, attribute, cover (NULL:
-- all releases together), held. covers_to_join: as above.
create or replace macro sqlanon._options_of_columns(
    covers_to_join, believed_weights, likely_values, sensitive_domain, changing) as table
    with weighed as (
        select fate, attribute, null as cover, code, value, weight, scaled
        from query_table(believed_weights)
        where not list_contains(changing, attribute)
              or fate not in (select fate from query_table(covers_to_join))
        union all
        select fate, attribute, cover, code, value, likely, [likely]
        from query_table(covers_to_join) join query_table(likely_values) using (cover)
        join query_table(sensitive_domain) using (attribute, code)
        where list_contains(changing, attribute) and likely > 0
    )
    select fate, attribute, cover,
           list({'code': code, 'value': value, 'weight': weight, 'scaled': scaled} order by code) as held
    from weighed group by fate, attribute, cover;

-- Of whom it is certain that releases contradict each other: fate. No row is left, or a release that the
-- target is in covers them by no class.
create or replace macro sqlanon._contradictory_fates(all_fates, all_covers, all_steps, row_weights) as table
    select distinct fate from query_table(all_steps)
    where attempt = fate and attempt not in (select attempt from query_table(row_weights) where weight > 0)
    union
    select fate
    from (select fate, unnest(covers) as cover from query_table(all_fates))
    join query_table(all_covers) using (cover)
    where len(classes) = 0;

-- What the values of an option weigh with each supposed common share.
create or replace macro sqlanon._totals_of_held(held) as
    list_transform(held[1].scaled, lambda with_share, i:
        list_sum(list_transform(held, lambda one: one.scaled[i])));

-- How probable its most probable value may be at most.
create or replace macro sqlanon._most_probable_held(held) as
    sqlanon._let(sqlanon._totals_of_held(held), lambda held_totals:
        list_max(list_transform(held, lambda one: sqlanon._most_probable(one.scaled, held_totals))));

-- The surest values of an option: guesses, guess_share.
create or replace macro sqlanon._surest_values(held) as
    sqlanon._let(list_max(list_transform(held, lambda one: round(one.weight, 12))), lambda most: {
        'guess_share': list_max(list_transform(held, lambda one: one.weight))
                       / list_sum(list_transform(held, lambda one: one.weight)),
        'guesses': list_transform(list_filter(held, lambda one: round(one.weight, 12) = most),
                                  lambda one: one.value)});

-- The options that decide: fate, attribute, held, best (of a column that may change, the guess from the
-- release with the surest one; NULL of others), best_upper (how probable a value may be at most by any of
-- its options; NULL of others). Rows of all stable columns come first; otherwise the option with the fewest
-- candidates, and of these the surest.
create or replace macro sqlanon._decisive_options(
    row_options, changing_options, column_options, all_covers, all_steps, row_weights, changing) as table
    with whole as (
        select distinct attempt as fate
        from query_table(row_weights) join query_table(all_steps) using (attempt)
        where weight > 0 and attempt = fate
    ),
    option as (
        select fate, attribute, attempt, null as cover, held from query_table(row_options)
        union all
        select fate, attribute, attempt, cover, held from query_table(changing_options)
        union all
        select fate, attribute, null, one.cover, held
        from query_table(column_options) as one
        where not list_contains(changing, attribute)
              or (fate, cover) not in (
                  select (fate, cover) from query_table(all_steps) join whole using (fate)
                  where attempt = fate)
    ),
    rated as (
        select fate, attribute, held, sqlanon._surest_values(held) as surest,
               {'is_of_less': attempt is distinct from fate and not list_contains(changing, attribute),
                'candidates': len(held), 'surest': -round(sqlanon._surest_values(held).guess_share, 12),
                'release': coalesce(release, 0), 'attempt': coalesce(attempt, 0)} as key
        from option left join (select cover, release from query_table(all_covers)) using (cover)
    )
    select fate, attribute, arg_min(held, key) as held,
           case when list_contains(changing, attribute)
                then arg_min(surest, {'surest': key.surest, 'candidates': key.candidates,
                                      'release': key.release, 'attempt': key.attempt}) end as best,
           case when list_contains(changing, attribute)
                then max(sqlanon._most_probable_held(held)) end as best_upper
    from rated group by fate, attribute;

-- TOGETHER

-- What is left to each fate where releases are judged by rows: fate, attribute, codes, held, best and
-- best_upper (as in _decisive_options), contradictory, unfinished, not_asked. stable, changing: positions of
-- the columns that stay, and of the sensitive ones that may change. Other parameters are relations of
-- _attack.
create or replace macro sqlanon._decided_by_rows(
    cells, located_targets, compared_values, code_of, statements, exact_cover, stable, changing, learned,
    beliefs, all_fates, all_covers, intersected, refined, likely_values, believed_weights) as table
    with coded as materialized (from sqlanon._coded_rows(cells, compared_values, code_of)),
    distinct_release as materialized (from sqlanon._distinct_releases(['coded', located_targets])),
    joinable as materialized (
        from sqlanon._covers_to_join(all_fates, all_covers, 'coded', 'distinct_release')
    ),
    first_step as materialized (from sqlanon._steps_of_attempts('joinable', all_fates, stable, 0)),
    first_class_row as materialized (from sqlanon._rows_to_join('first_step', all_covers, 'coded')),
    first_joined as materialized (from sqlanon._joined_rows('first_step', 'first_class_row')),
    first_likely as materialized (
        from sqlanon._odds_of_rows('first_joined', intersected, statements, beliefs)
    ),
    further_step as materialized (
        from sqlanon._further_steps(
            'joinable', 'first_step', 'first_likely', all_fates, sqlanon._judging_columns(stable, learned))
    ),
    further_class_row as materialized (from sqlanon._rows_to_join('further_step', all_covers, 'coded')),
    further_joined as materialized (from sqlanon._joined_rows('further_step', 'further_class_row')),
    step as materialized (from first_step union all from further_step),
    likely as materialized (
        from first_likely union all
        from sqlanon._odds_of_rows('further_joined', intersected, statements, beliefs)
    ),
    column_set as materialized (from sqlanon._sets_of_columns('step', changing)),
    set_value as materialized (from sqlanon._set_values('coded', 'column_set')),
    distinct_set_value as (
        from set_value where release in (select first from distinct_release)
    ),
    set_code as materialized (from sqlanon._sensitive_domain('distinct_set_value')),
    set_histogram as materialized (
        select release, class_id, attribute, code, n from set_value join set_code using (attribute, value)
    ),
    set_class_size as materialized (from sqlanon._class_sizes('set_histogram')),
    set_cover_value as materialized (from sqlanon._cover_values(all_covers, 'set_histogram')),
    set_part as materialized (from sqlanon._parts_of_attempts('step', 'column_set', all_covers)),
    set_telling as materialized (
        from sqlanon._telling_covers('set_part', 'set_cover_value', 'distinct_release', 'set_code')
    ),
    set_fate_size as materialized (
        select *, 0::double as known from sqlanon._fate_sizes('set_telling')
    ),
    set_fate_value as materialized (from sqlanon._fate_values('set_telling', 'set_cover_value')),
    set_correlation as materialized (
        from sqlanon._correlations('set_histogram', 'set_class_size', 'distinct_release', 'set_code')
    ),
    set_agreement as (
        from sqlanon._agreement('set_fate_size', 'set_fate_value', 'set_correlation')
    ),
    set_common_share as materialized (from sqlanon._common_shares('set_agreement')),
    candidate as materialized (
        from sqlanon._covered_rows(
            'likely', 'step', 'column_set', 'set_code', intersected, refined, all_fates, all_covers,
            'set_histogram', exact_cover)
    ),
    row_step as materialized (
        from sqlanon._row_steps(
            'candidate', 'step', 'column_set', 'set_code', 'set_cover_value', 'set_fate_size',
            'set_fate_value', 'set_correlation')
    ),
    row_weight as materialized (
        from sqlanon._row_weights(
            'candidate', 'row_step', 'step', 'column_set', 'set_code', 'set_common_share')
    ),
    row_option as (from sqlanon._options_of_rows('row_weight', 'candidate', code_of, learned)),
    changing_option as (
        from sqlanon._options_of_changing(
            'row_weight', 'row_step', 'step', 'column_set', 'set_cover_value', 'set_code', code_of, changing,
            all_covers, statements, beliefs)
    ),
    column_option as (
        from sqlanon._options_of_columns('joinable', believed_weights, likely_values, code_of, changing)
    ),
    decisive as materialized (
        from sqlanon._decisive_options(
            'row_option', 'changing_option', 'column_option', all_covers, 'step', 'row_weight', changing)
    ),
    contradictory as materialized (
        from sqlanon._contradictory_fates(all_fates, all_covers, 'step', 'row_weight')
    ),
    open as (
        select fate, bool_or(unfinished) as unfinished, bool_or(not_asked) as not_asked
        from candidate group by fate
    )
    select fate, alone.attribute,
           coalesce(list_transform(held, lambda one: one.code), []::bigint[]) as codes, held, best,
           best_upper, held is null or fate in (from contradictory) as contradictory,
           alone.unfinished or coalesce(open.unfinished, false) as unfinished,
           alone.not_asked or coalesce(open.not_asked, false) as not_asked
    from query_table(refined) as alone
    left join decisive using (fate, attribute)
    left join open using (fate);
