-- Candidates: the sensitive values that are left to the targets of each fate (sql/locating/fates.sql), and
-- how probable each value is. Sets are intersected once per fate.

-- The covers: cover (a number), release, knowledge, in_part, classes, factors (as in _factors_of_either;
-- NULL for those of one class).
create or replace macro sqlanon._covers_with_factors(covers_of_targets, factors_of_classes) as table
    select row_number() over ()::integer as cover, covered.*, factors
    from (select distinct release, knowledge, in_part, classes from query_table(covers_of_targets)) as covered
    left join query_table(factors_of_classes) as factor
      on factor.release = covered.release and factor.classes = covered.classes
     and factor.in_part is not distinct from covered.in_part;

-- The values of each cover: cover, attribute, code, n (rows; of several classes as many as are expected in
-- the one that the target is in, in multiples of 2^-30, whose sums are exact), n_rows (all of them).
create or replace macro sqlanon._cover_values(covers, histogram) as table
    select cover, attribute, code, n::double as n, n as n_rows
    from (select cover, release, classes[1] as class_id from query_table(covers) where factors is null)
    join query_table(histogram) using (release, class_id)
    union all
    select cover, attribute, code,
           greatest(1, round(list_sum(list(n * factor order by class_id)) * 1073741824)) / 1073741824 as n,
           sum(n)::bigint as n_rows
    from (
        select cover, release, unnest(classes) as class_id, unnest(factors) as factor
        from query_table(covers) where factors is not null
    )
    join query_table(histogram) using (release, class_id)
    group by cover, attribute, code;

-- What each cover tells: cover, knowledge, attribute, release, codes, evidence (classes, size (their rows),
-- anonymity (distinct values), guesses (the most likely values), guess_share (their share)). codes and
-- evidence are NULL where the target is not in the release, or the release lacks the column. likely_values:
-- cover, attribute, code, n, n_rows, likely (n, or what it is by what is known of the target; NULL for what
-- is ruled out). compared_values: of all releases.
create or replace macro sqlanon._cover_evidence(
    covers, likely_values, marginals, sensitive_domain, compared_values) as table
    with had as (select distinct release, attribute, true as has from query_table(compared_values)),
    total as (
        select cover, attribute, sum(n_rows)::bigint as size, max(round(likely, 9)) as largest,
               list_sum(list(likely order by code)) as total
        from query_table(likely_values) group by cover, attribute
    )
    select cover, any_value(knowledge) as knowledge, attribute, any_value(release) as release,
           case when any_value(classes) is not null
                then coalesce(list(code) filter (where n is not null), []) end as codes,
           case when any_value(classes) is not null
                then {'classes': any_value(classes), 'size': coalesce(any_value(size), 0),
                      'anonymity': count(likely),
                      'guesses': coalesce(
                          list(value order by code) filter (where round(likely, 9) = largest), []),
                      'guess_share': coalesce(max(likely) / any_value(total), 0)} end as evidence
    from (
        select cover, knowledge, release, if(has, classes, null) as classes, attribute
        from query_table(covers) join query_table(marginals) using (knowledge)
        left join had using (release, attribute)
    )
    left join total using (cover, attribute)
    left join query_table(likely_values) using (cover, attribute)
    left join query_table(sensitive_domain) using (attribute, code)
    group by cover, attribute;

-- The values that all covers of a fate have, all there are for whoever is in no release: fate, knowledge,
-- attribute, codes, impossible (those of them that are ruled out, and not in codes), located (the evidence of
-- each release), marginal. parts: fate, people, attribute, cover, release.
create or replace macro sqlanon._intersected(parts, cover_evidence, marginals) as table
    select fate, knowledge, attribute,
           list_filter(held, lambda code: not list_contains(impossible, code)) as codes,
           list_filter(held, lambda code: list_contains(impossible, code)) as impossible, located, marginal
    from (
        select fate, knowledge, attribute, impossible, located, marginal,
               coalesce(list_reduce(sets, lambda common, codes: list_intersect(common, codes)),
                        marginal.codes) as held
        from (
            select fate, any_value(knowledge) as knowledge, attribute,
                   list(codes) filter (where codes is not null) as sets,
                   list_transform(list_sort(list({'release': part.release, 'evidence': evidence})),
                                  lambda told: told.evidence) as located
            from query_table(parts) as part join query_table(cover_evidence) using (cover, attribute)
            group by fate, attribute
        )
        join query_table(marginals) as marginal using (knowledge, attribute)
    );

-- The candidates of each fate by probability: fate, attribute, ranked (a list of rank, code, value,
-- probability, upper (how probable it may be at most)). Equal ones to twelve decimals have the same rank.
create or replace macro sqlanon._ranked_candidates(candidate_weights) as table
    with held as (
        select fate, attribute,
               list_sort(list({'code': code, 'value': value, 'weight': weight, 'scaled': scaled})) as held,
               list_sum(list_transform(held, lambda candidate: candidate.weight)) as total,
               sqlanon._added_up_by_k(list_transform(held, lambda candidate: candidate.scaled)) as totals
        from query_table(candidate_weights) group by fate, attribute
    )
    select fate, attribute,
           list_sort(list_transform(held, lambda candidate: {
               'rank': -round(candidate.weight / total, 12),
               'code': candidate.code,
               'value': candidate.value,
               'probability': candidate.weight / total,
               'upper': greatest(candidate.weight / total, sqlanon._most_probable(candidate.scaled, totals))
           })) as ranked
    from held;

-- The best guess from ranked candidates: those of the first rank, NULL without any.
create or replace macro sqlanon._guess_of_candidates(ranked) as
    case when len(ranked) > 0
         then {'guess_share': ranked[1].probability,
               'guesses': list_transform(
                   list_filter(ranked, lambda candidate: candidate.rank = ranked[1].rank),
                   lambda candidate: candidate.value)}
    end;

-- That from one release, the one with the most frequent value; NULL where nobody was found.
create or replace macro sqlanon._guess_of_one_release(located) as
    list_sort(list_filter(
        list_transform(located, lambda evidence, i: {
            'rank': -evidence.guess_share, 'release': i,
            'guess': {'guess_share': evidence.guess_share, 'guesses': evidence.guesses}}),
        lambda guess: guess.rank < 0))[1].guess;

-- What decides where releases are judged column by column: fate, attribute, codes, best and best_upper (as
-- of _decisive_options: NULL), contradictory, unfinished. The text of a SELECT.
create or replace macro sqlanon._decided_by_columns(refined) as
    'select fate, attribute, codes, null::struct(guess_share double, guesses varchar[]) as best,
            null::double as best_upper, len(codes) = 0 as contradictory, unfinished,
            not_asked
     from ' || refined;

-- What is guessed of each fate: fate, attribute, codes, unfinished, contradictory, located, marginal, ranked,
-- guess, upper (how probable a value may be at most; 1 for whom it was not asked whether only one is
-- possible, and who is not in two_worlds). Where no value is left, the best guess is that from one release;
-- where nobody was found, that from all rows. decided: as in _decided_by_rows.
create or replace macro sqlanon._guesses(intersected, decided, ranked_candidates, two_worlds) as table
    with guessed as (
        select fate, attribute, left_over.codes, unfinished, not_asked, contradictory, located, marginal,
               coalesce(ranked, []) as ranked,
               if(not_asked and in_two.fate is null, 1, best_upper) as best_upper,
               coalesce(best, sqlanon._guess_of_candidates(ranked), sqlanon._guess_of_one_release(located),
                        marginal) as guess
        from query_table(intersected)
        join query_table(decided) as left_over using (fate, attribute)
        left join query_table(ranked_candidates) using (fate, attribute)
        left join query_table(two_worlds) as in_two using (fate, attribute)
    )
    select * exclude (best_upper),
           list_max([guess.guess_share, best_upper]
                    || list_transform(ranked, lambda candidate: candidate.upper)) as upper
    from guessed;

-- The candidates that are left, with exact_cover after it: fate, knowledge, attribute, codes, impossible,
-- unfinished. Parameters are relations of _attack. (Of one release, without knowledge, it leaves all: whoever
-- is in a class has all values of the class as candidates, and each of these is somebody's there.)
create or replace macro sqlanon._refined(intersected, fates, covers, histogram, exact_cover) as table
    from query(
        case when exact_cover
             then 'select fate, knowledge, attribute, left_over.codes, impossible, unfinished,
                          not_asked from ('
                  || sqlanon._call('_exact_cover', [
                      sqlanon._literal(intersected), sqlanon._literal(fates), sqlanon._literal(covers),
                      sqlanon._literal(histogram)])
                  || ') as left_over join ' || intersected || ' using (fate, attribute)'
             else 'select fate, knowledge, attribute, codes, impossible, false as unfinished,
                          false as not_asked from '
                  || intersected
        end);

-- The attack on distinct targets, a row per target, what is known of them, and sensitive column: target (with
-- a minus: what somebody learns of it who knows that it was not suppressed, if that is more; where
-- unsuppressed is true), knowledge, attribute (which column), prior, posterior, candidates (values, the most
-- probable first), probabilities, upper_ends (how probable each may be at most), guess (the most
-- probable values, and how probable they are), upper (how probable a value may be at most), marginal (guess
-- for somebody of whom nothing else is known), located (a list with the evidence of each release, as in
-- _cover_evidence), unfinished (exact cover may have left impossible candidates), contradictory.
-- combinations: as in _informed_combinations; statements: as in _statements, or NULL. whole: where these are
-- not all targets, what only all of them tell: the names of relations as in _distinct_releases, _agreement,
-- _crowds and _people_together; NULL otherwise. cells: where rows judge, those of the releases (otherwise
-- NULL), and with them stable, changing and learned, as in _decided_by_rows; evidence and compared values
-- are of all columns then. shown_by_classes: as in _shown_by_classes, or NULL. in_one: is nobody in several
-- classes of a release? Then no class is more probable than another, and nothing is learned from not being
-- suppressed. with_boxes: are some of them known in part? What several releases have in common need not be
-- inferred where there is one. (What is not needed takes as long to bind as what is.) true_values: of exact
-- cover, what people have (target, knowledge, attribute, value, people), or NULL.
create or replace macro sqlanon._attack(
    class_values, located_targets, compared_values, combinations, statements, releases, exact_cover,
    whole := null, cells := null, stable := null, changing := null, learned := null,
    shown_by_classes := null, unsuppressed := false, in_one := false, with_boxes := false,
    true_values := null) as table
    with distinct_release as materialized (
        from query(
            case when whole is null
                 then {call _distinct_releases:
                     told := text(sqlanon._names_of([class_values, located_targets]))}
                 else 'from ' || whole[1] end)
    ),
    distinct_value as (
        from query_table(compared_values) where release in (select first from distinct_release)
    ),
    code_of as (from sqlanon._sensitive_domain('distinct_value')),
    domain as materialized (from code_of where learned is null or attribute <= learned),
    histogram as materialized (from sqlanon._class_histograms(class_values, compared_values, 'domain')),
    class_size as materialized (from sqlanon._class_sizes(class_values)),
    belief as materialized (from sqlanon._beliefs_if_any(statements, compared_values, 'domain')),
    marginal as materialized (from sqlanon._marginals_of(statements, 'belief', 'domain')),
    covered as materialized (from sqlanon._covers_of_targets(located_targets, combinations, releases)),
    label as (
        from query(if(shown_by_classes is null,
                      'select null::integer as release, null::bigint as class_id, null::varchar[] as labels
                       where false', 'from ' || shown_by_classes))
    ),
    crowd as materialized (
        from query(if(whole is null, sqlanon._call('_crowds', [
                          sqlanon._literal('covered'), sqlanon._literal(combinations)]), 'from ' || whole[3]))
    ),
    seen_factor as materialized (
        from sqlanon._factors_of_either('crowd', 'covered', 'class_size', 'label', in_one, with_boxes)
    ),
    factor as (
        from query(if(unsuppressed and not in_one,
            'from seen_factor union all
             from sqlanon._factors_of_unsuppressed(''seen_factor'', ''class_size'', ''label'')',
            'from seen_factor'))
    ),
    covered_either as materialized (
        from query(if(unsuppressed and not in_one,
            'from covered union all by name from sqlanon._covers_of_unsuppressed(''covered'', ''label'')',
            'from covered'))
    ),
    cover as materialized (from sqlanon._covers_with_factors('covered_either', 'factor')),
    cover_value as materialized (from sqlanon._cover_values('cover', 'histogram')),
    likely_value as (from sqlanon._likely_values_of(statements, 'cover_value', 'cover', 'belief')),
    known as materialized (
        from sqlanon._cover_evidence('cover', 'likely_value', 'marginal', 'domain', compared_values)
    ),
    combined as materialized (from sqlanon._combined_covers('covered_either', 'cover')),
    fate as materialized (from sqlanon._fates('combined', combinations)),
    part as materialized (
        select fate, people, attribute, cover, release
        from (select fate, people, unnest(covers) as cover from fate) join known using (cover)
    ),
    shared as materialized (from sqlanon._intersected('part', 'known', 'marginal')),
    -- a column that may change is of each release alone: where all of a class have the same candidates, what
    -- others have takes nothing away
    alone as (
        from shared
        where in_one and statements is null and list_contains(coalesce(changing, []::bigint[]), attribute)
    ),
    together as (
        from shared
        where not in_one or statements is not null
              or not list_contains(coalesce(changing, []::bigint[]), attribute)
    ),
    refined as materialized (
        from sqlanon._refined(
            'together', 'fate', 'cover', 'histogram',
            exact_cover
            and (len(sqlanon._list(releases)) > 1 or statements is not null or not in_one))
        union all
        from sqlanon._refined('alone', 'fate', 'cover', 'histogram', false)
    ),
    telling as materialized (
        from sqlanon._telling_covers('part', 'cover_value', 'distinct_release', 'domain')
    ),
    placed as materialized (from sqlanon._placed_fates('fate', 'cover', 'crowd', 'class_size')),
    known_in_all as (from sqlanon._known_in_all('placed', whole[4])),
    told_size as (from sqlanon._fate_sizes('telling')),
    fate_size as materialized (
        from query(if(len(sqlanon._list(releases)) = 1,
            'select *, 0::double as known from told_size',
            'from sqlanon._sizes_and_known(''told_size'', ''known_in_all'')'))
    ),
    fate_value as materialized (from sqlanon._fate_values('telling', 'cover_value')),
    correlation as materialized (
        from sqlanon._correlations('histogram', 'class_size', 'distinct_release', 'domain')
    ),
    agreement as (
        from query(if(whole is null,
                      'from sqlanon._agreement(''fate_size'', ''fate_value'', ''correlation'')',
                      'from ' || whole[2]))
    ),
    common_share as materialized (
        from query(if(len(sqlanon._list(releases)) = 1,
            'select null::integer as attribute, null::bigint as told_by, null::double as power,
                    null::double[] as supposed where false',
            'from sqlanon._common_shares(''agreement'')'))
    ),
    weighted as (
        from sqlanon._candidate_weights('refined', 'fate_size', 'fate_value', 'common_share', 'correlation')
    ),
    believed as (from sqlanon._weights_of(statements, 'weighted', 'belief')),
    decided as materialized (
        from query(
            if(cells is null, sqlanon._decided_by_columns('refined'),
               sqlanon._call('_decided_by_rows', [
                   sqlanon._literal(cells), sqlanon._literal(located_targets),
                   sqlanon._literal(compared_values), sqlanon._literal('code_of'),
                   coalesce(sqlanon._literal(statements), 'null'),
                   exact_cover::varchar, stable::varchar, changing::varchar, learned::varchar,
                   sqlanon._literal('belief'), sqlanon._literal('fate'), sqlanon._literal('cover'),
                   sqlanon._literal('shared'), sqlanon._literal('refined'),
                   sqlanon._literal('likely_value'), sqlanon._literal('believed')])))
    ),
    decided_weight as (
        from query(
            if(cells is null, 'from believed',
               'select fate, attribute, unnest(held, max_depth := 2) from decided'))
    ),
    ranked as (from sqlanon._ranked_candidates('decided_weight')),
    in_two_worlds as (
        from sqlanon._shown_by_exchanges(
            'decided', true_values, 'combined', 'fate', 'cover', 'histogram', 'domain',
            cells is not null or statements is not null)
    ),
    guessed as (from sqlanon._guesses('shared', 'decided', 'ranked', 'in_two_worlds'))
    select target, knowledge, attribute,
           coalesce(list_min(list_transform(located, lambda evidence: evidence.anonymity)),
                    len(codes)) as prior,
           len(codes) as posterior,
           list_transform(ranked, lambda candidate: candidate.value) as candidates,
           list_transform(ranked, lambda candidate: candidate.probability) as probabilities,
           list_transform(ranked, lambda candidate: candidate.upper) as upper_ends,
           guess, upper, marginal, located, unfinished, not_asked, contradictory
    from combined join fate using (covers) join guessed using (fate);
