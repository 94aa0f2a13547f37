-- The intersection attack (Ganta, Kasiviswanathan and Smith 2008, sec. 2.1, Algorithm 1): somebody who is in
-- several releases is located in each of them; the sensitive value is one that all these classes have.
--
-- In a release of centroids somebody is located at the nearest, in any other in all classes that cover them.
--
-- Targets are reduced first: to distinct quasi-identifiers, then to distinct covers (the classes that cover a
-- target in one release, mostly one), then to distinct fates (combinations of covers). Sets are intersected
-- once per fate; people come last.
--
-- Not all candidates are equally likely: sql/attack/weights.sql says how probable each is, and
-- sql/attack/probable_classes.sql in which class somebody is whom several cover.
--
-- Sensitive values of different releases, and the truth, compare as sql/core/values.sql says: if a release
-- (or the truth) has numbers or points in time in a column, the texts of all that read as such are these.
-- What they do not share cannot be intersected (unshared_values tells).

-- EVIDENCE

-- How often a class of a release has a sensitive value: class_id (as in _release_classes), attribute (which
-- of the sensitive columns), value (text), kind (of its column), n.
create or replace macro sqlanon._class_values(
    release, release_classes, qi, sensitive, weight := null) as table
    from query(sqlanon._fill($$
        select class_id, unnest(range(1, {end}))::integer as attribute,
               unnest([{values}]::varchar[]) as value, unnest([{kinds}]::integer[]) as kind, n
        from ({select} {columns}, {texts_and_kinds} {count} as n from {source} as src group by all) as cell
        join {classes} as class on row({cell}) is not distinct from row({class})
    $$, map {
        'end': (len(sqlanon._list(sensitive)) + 1)::varchar,
        'values': sqlanon._each(sensitive, 's{i}', ', '),
        'kinds': sqlanon._each(sensitive, 'k{i}', ', '),
        'select': sqlanon._select(qi, sensitive, weight),
        'count': sqlanon._count(weight),
        'columns': sqlanon._each(qi, 'src.{c} as q{i}', ', '),
        'texts_and_kinds': sqlanon._each(
            sensitive, 'src.{c}::varchar as s{i}, sqlanon._kind_of_type(typeof(src.{c})) as k{i}, ', ''),
        'source': sqlanon._projected(release, qi, sensitive, weight),
        'classes': release_classes,
        'cell': sqlanon._each(qi, 'cell.q{i}', ', '),
        'class': sqlanon._each(qi, 'class.q{i}', ', ')}));

-- The rows of a release by class: release (its number), class_id (as in classes), l1, l2, ... (what it
-- releases, as text), t1, t2, ... (the types of these columns), strings and kinds (lists: the sensitive
-- values as text, and the kinds of their columns), n, and with group_id, a column that divides rows with the
-- same labels into classes, its value: division. formats: a list with that of each column in qi, or NULL.
create or replace macro sqlanon._release_cells(
    release, number, qi, sensitive, weight, formats, group_id := null) as table
    from query(sqlanon._fill($$
        {select} {number} as release, dense_rank() over (order by {order}) as class_id, {labels}, {types},
                 [{strings}]::varchar[] as strings, [{kinds}]::integer[] as kinds, n{division}
        from (
            select *, {released} as released
            from (
                select {columns}, {strings_and_kinds} {count} as n{group} from ({source}) as src group by all
            )
        )
    $$, map {
        'released': sqlanon._released_texts(qi),
        'select': sqlanon._select(qi, sensitive, weight),
        'number': number::varchar,
        'order': sqlanon._each(qi, 'q{i} nulls first', ', ') || if(group_id is null, '', ', division'),
        'division': if(group_id is null, '', ', division'),
        'group': coalesce(', src.' || sqlanon._quote(group_id) || ' as division', ''),
        'labels': sqlanon._labels_text(qi, formats),
        'types': sqlanon._each(qi, 'typeof(q{i}) as t{i}', ', '),
        'strings': sqlanon._each(sensitive, 's{i}', ', '),
        'kinds': sqlanon._each(sensitive, 'k{i}', ', '),
        'columns': sqlanon._each(qi, 'src.{c} as q{i}', ', '),
        'strings_and_kinds': sqlanon._each(
            sensitive, 'src.{c}::varchar as s{i}, sqlanon._kind_of_cells(typeof(src.{c})) as k{i}, ', ''),
        'count': sqlanon._count(weight),
        'source': sqlanon._call('_formatted_source', [
            sqlanon._literal(release), sqlanon._names(qi),
            sqlanon._names(sqlanon._list(sensitive) || sqlanon._list(group_id)),
            sqlanon._formats_text(formats), sqlanon._optional(weight)])}));

-- Those of all releases. unchanged: further columns, of which a release may lack some; they come after the
-- sensitive ones.
create or replace macro sqlanon._cells_of_releases(
    releases, qi, sensitive, weight, formats, group_id := null, unchanged := null) as table
    from query(sqlanon._let(sqlanon._formats_of_releases(formats, releases, qi), lambda formats_of:
        sqlanon._over_releases(
            list_transform(sqlanon._list(releases), lambda release, number:
                sqlanon._after_completing(release, unchanged, lambda completed: sqlanon._call(
                    '_release_cells', [
                        sqlanon._literal(completed), number::varchar, sqlanon._names(qi),
                        sqlanon._names(sqlanon._list(sensitive) || sqlanon._list(unchanged)),
                        sqlanon._optional(weight), sqlanon._formats_text(formats_of[number]),
                        sqlanon._optional(group_id)]))))));

-- Their classes, as _release_classes has them but for q1, q2, ...
create or replace macro sqlanon._classes_of_cells(cells, qi) as table
    from query(sqlanon._fill($$
        select release, class_id, {labels}, sum(n)::bigint as size from {cells} group by release, class_id
    $$, map {
        'labels': sqlanon._each(qi, 'any_value(l{i}) as l{i}, any_value(t{i}) as t{i}', ', '),
        'cells': cells}));

-- What releases say, every class with its histograms, and which targets it covers: release, class_id, target,
-- attribute (which of the sensitive columns), value (text), kind (of its column), n. target is NULL in rows
-- of a histogram, and the last four in the others. All five are NULL in a further row of each class that has
-- a label which nobody understands, where located tells these.
create or replace macro sqlanon._evidence(cells, located) as table
    select release, class_id, null::integer as target, attribute, value, kind, sum(n)::bigint as n
    from (
        select release, class_id, unnest(range(1, len(strings) + 1))::integer as attribute,
               unnest(strings) as value, unnest(kinds) as kind, n
        from query_table(cells)
    )
    where kind is distinct from sqlanon._kind_of_lacking() group by all
    union all
    select release, class_id, target, null, null, null, null from query_table(located);

-- Which releases are of centroids: a list of booleans, one per release. Given may be one for all.
create or replace macro sqlanon._by_distance(given, releases) as
    case when typeof(given) not like '%]'
         then list_transform(sqlanon._list(releases),
                             lambda release: coalesce(given::varchar::boolean, false))
         when len(try_cast(given::varchar as varchar[])) = len(sqlanon._list(releases))
         then list_transform(try_cast(given::varchar as varchar[]),
                             lambda by_distance: coalesce(by_distance::boolean, false))
         else error('nearest must be true or false, or a list with one of these per release: there are '
                    || len(sqlanon._list(releases)) || ' releases, and '
                    || len(try_cast(given::varchar as varchar[])) || ' in nearest')
    end;

-- The share of rows that have a label which nobody understands, in the release that has most of them: unread.
create or replace macro sqlanon._unread_share(all_evidence) as table
    with unread as (
        select release, class_id from query_table(all_evidence) where target is null and attribute is null
    ),
    release_share as (
        select coalesce(sum(n) filter ((release, class_id) in (select (release, class_id) from unread)), 0)
               / sum(n) as share
        from query_table(all_evidence) where attribute = 1 group by release
    )
    select max(share) as unread from release_share;

-- SENSITIVE VALUES

-- As what each sensitive column compares: attribute, kind (NULL: as text). The truth is compared with what
-- releases have: truth_kinds is of the same form.
create or replace macro sqlanon._sensitive_kinds(all_evidence, truth_kinds) as table
    select attribute,
           list_reduce(list_sort(list(kind)), lambda one, other: sqlanon._common_kind(one, other)) as kind
    from (
        select distinct attribute, kind from query_table(all_evidence) where target is null
        union
        select attribute, kind from query_table(truth_kinds)
    )
    where attribute is not null group by attribute;

-- The kinds of the columns in truth: attribute, kind.
create or replace macro sqlanon._truth_kinds(targets, truth) as table
    from query(
        case when truth is null then 'select null::integer as attribute, null::integer as kind'
             else sqlanon._fill($$
                 select unnest(range(1, {end}))::integer as attribute, unnest([{kinds}]::integer[]) as kind
                 from {source} as src
             $$, map {
                 'end': (len(sqlanon._list(truth)) + 1)::varchar,
                 'kinds': sqlanon._each(truth, 'sqlanon._kind_of_type(any_value(typeof(src.{c})))', ', '),
                 'source': sqlanon._projected(
                     targets, sqlanon._each_once(sqlanon._list(truth)), null, null)})
        end);

-- The sensitive values of each release as they compare: release, attribute, string (as it has it), key, value
-- (one text for all that are equal: the shortest), n.
create or replace macro sqlanon._compared_values(all_evidence, sensitive_kinds) as table
    with told as (
        select release, attribute, value as string, sum(n)::bigint as n
        from query_table(all_evidence) where target is null group by all
    ),
    keyed as (
        select attribute, string, sqlanon._comparable(string, kind) as key
        from (select distinct attribute, string from told)
        left join query_table(sensitive_kinds) using (attribute)
    ),
    named as (
        select attribute, string, key,
               first_value(string) over (partition by attribute, key order by length(string), string) as value
        from keyed
    )
    select release, told.attribute, told.string, key, value, n
    from told
    join named on named.attribute = told.attribute and named.string is not distinct from told.string;

-- How many values two releases share: attribute, release, other, shared.
create or replace macro sqlanon._shared_values(compared_values) as table
    with had as materialized (select distinct attribute, release, key from query_table(compared_values)),
    pair as (
        select one.attribute, one.release, other.release as other
        from (select distinct attribute, release from had) as one
        join (select distinct attribute, release from had) as other
          on other.attribute = one.attribute and other.release > one.release
    ),
    counted as (
        select one.attribute, one.release, other.release as other, count(*) as shared
        from had as one join had as other
          on other.attribute = one.attribute and other.key is not distinct from one.key
         and other.release > one.release
        group by all
    )
    select attribute, release, other, coalesce(shared, 0) as shared
    from pair left join counted using (attribute, release, other);

-- All sensitive values there are: attribute, value, code, share (of all rows).
create or replace macro sqlanon._sensitive_domain(compared_values) as table
    select attribute, value, row_number() over (order by attribute, value nulls first) as code,
           n / sum(n) over (partition by attribute) as share
    from (select attribute, value, sum(n) as n from query_table(compared_values) group by attribute, value);

-- The histogram of each class: release, class_id, attribute, code, n.
create or replace macro sqlanon._class_histograms(all_evidence, compared_values, sensitive_domain) as table
    with coded as (
        select release, attribute, string, code
        from query_table(compared_values) as compared
        join query_table(sensitive_domain) as domain using (attribute)
        where domain.value is not distinct from compared.value
    )
    select evidence.release, class_id, evidence.attribute, code, sum(evidence.n)::bigint as n
    from query_table(all_evidence) as evidence
    join coded on coded.release = evidence.release and coded.attribute = evidence.attribute
              and coded.string is not distinct from evidence.value
    where target is null group by evidence.release, class_id, evidence.attribute, code;

-- COVERS AND FATES

-- The classes that cover each target: release, target, knowledge, classes (sorted; empty where no class does,
-- NULL where the target is not in the release).
create or replace macro sqlanon._covers_of_targets(all_evidence, combinations, releases) as table
    with found as (
        select release, target, list_sort(list(class_id)) as classes
        from query_table(all_evidence) where target is not null group by release, target
    ),
    wanted as (
        select release, target, knowledge, coalesce(present[release], true) as present
        from range(1, len(sqlanon._list(releases)) + 1) as numbers(release), query_table(combinations)
    )
    select release, target, knowledge, case when present then coalesce(classes, []) end as classes
    from wanted left join found using (release, target);

-- The covers: cover (a number), release, knowledge, classes, factors (as of _factors_of_classes; NULL for
-- those of one class).
create or replace macro sqlanon._covers_with_factors(covers_of_targets, factors_of_classes) as table
    select row_number() over ()::integer as cover, release, knowledge, covered.classes, factors
    from (select distinct release, knowledge, classes from query_table(covers_of_targets)) as covered
    left join query_table(factors_of_classes) using (release, classes);

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
-- evidence are NULL where the target is not in the release. likely_values: cover, attribute, code, n, n_rows,
-- likely (n, or what it is by what is known of the target; NULL for what is ruled out).
create or replace macro sqlanon._cover_evidence(
    covers, likely_values, marginals, sensitive_domain) as table
    with total as (
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
        select cover, knowledge, release, classes, attribute
        from query_table(covers) join query_table(marginals) using (knowledge)
    )
    left join total using (cover, attribute)
    left join query_table(likely_values) using (cover, attribute)
    left join query_table(sensitive_domain) using (attribute, code)
    group by cover, attribute;

-- The covers of each target, one per release: target, knowledge, covers. covers: cover, release, knowledge,
-- classes.
create or replace macro sqlanon._combined_covers(covers_of_targets, covers) as table
    select target, covered.knowledge, list(cover order by cover.release) as covers
    from query_table(covers_of_targets) as covered
    join query_table(covers) as cover
      on cover.release = covered.release and cover.knowledge = covered.knowledge
     and cover.classes is not distinct from covered.classes
    group by target, covered.knowledge;

-- Targets with the same covers in all releases share their fate, if the same is known of them: fate (a
-- number), covers, people.
create or replace macro sqlanon._fates(combined_covers, combinations) as table
    select row_number() over () as fate, covers, people
    from (
        select covers, sum(people)::bigint as people
        from query_table(combined_covers) join query_table(combinations) using (target, knowledge)
        group by covers
    );

-- CANDIDATES

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
                   list(evidence order by part.release) as located
            from query_table(parts) as part join query_table(cover_evidence) using (cover, attribute)
            group by fate, attribute
        )
        join query_table(marginals) as marginal using (knowledge, attribute)
    );

-- The candidates of each fate by probability: fate, attribute, ranked (a list of rank, code, value,
-- probability). Equal ones to twelve decimals have the same rank.
create or replace macro sqlanon._ranked_candidates(candidate_weights) as table
    with held as (
        select fate, attribute, list({'code': code, 'value': value, 'weight': weight} order by code) as held,
               list_sum(list(weight order by code)) as total
        from query_table(candidate_weights) group by fate, attribute
    )
    select fate, attribute,
           list_sort(list_transform(held, lambda candidate: {
               'rank': -round(candidate.weight / total, 12),
               'code': candidate.code,
               'value': candidate.value,
               'probability': candidate.weight / total})) as ranked
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

-- What decides where releases are judged column by column: fate, attribute, codes, best (as of
-- _decisive_options: NULL), contradictory, unfinished. The text of a SELECT.
create or replace macro sqlanon._decided_by_columns(refined) as
    'select fate, attribute, codes, null::struct(guess_share double, guesses varchar[]) as best,
            len(codes) = 0 as contradictory, unfinished
     from ' || refined;

-- What is guessed of each fate: fate, attribute, codes, unfinished, contradictory, located, marginal, ranked,
-- guess. Where no value is left, the best guess is that from one release; where nobody was found, that from
-- all rows. decided: as of _decided_by_rows.
create or replace macro sqlanon._guesses(intersected, decided, ranked_candidates) as table
    select fate, attribute, left_over.codes, unfinished, contradictory, located, marginal,
           coalesce(ranked, []) as ranked,
           coalesce(best, sqlanon._guess_of_candidates(ranked), sqlanon._guess_of_one_release(located),
                    marginal) as guess
    from query_table(intersected)
    join query_table(decided) as left_over using (fate, attribute)
    left join query_table(ranked_candidates) using (fate, attribute);

-- The candidates that are left, with exact_cover after it: fate, knowledge, attribute, codes, impossible,
-- unfinished. Parameters are relations of _attack.
create or replace macro sqlanon._refined(intersected, fates, covers, histogram, exact_cover) as table
    from query(
        case when exact_cover
             then 'select fate, knowledge, attribute, left_over.codes, impossible, unfinished from ('
                  || sqlanon._call('_exact_cover', [
                      sqlanon._literal(intersected), sqlanon._literal(fates), sqlanon._literal(covers),
                      sqlanon._literal(histogram)])
                  || ') as left_over join ' || intersected || ' using (fate, attribute)'
             else 'select fate, knowledge, attribute, codes, impossible, false as unfinished from '
                  || intersected
        end);

-- The attack on distinct targets, a row per target, what is known of them, and sensitive column: target,
-- knowledge, attribute (which column), prior, posterior, candidates (values, the most probable first),
-- probabilities, guess (the most probable values, and how probable they are), marginal (the same for somebody
-- of whom nothing else is known), located (a list with the evidence of each release, as in _cover_evidence),
-- unfinished (exact cover may have left impossible candidates), contradictory. combinations: as of
-- _informed_combinations; statements: as of _statements, or NULL. whole: where these are not all targets,
-- what only all of them tell: the names of relations as of _distinct_releases, _agreement and _crowds;
-- NULL otherwise. cells: where rows judge, those of the releases (otherwise NULL), and with them stable,
-- changing and learned, as of _decided_by_rows; evidence and compared values are of all columns then.
-- shown_by_classes: as of _shown_by_classes, or NULL.
create or replace macro sqlanon._attack(
    all_evidence, compared_values, combinations, statements, releases, exact_cover,
    whole := null, cells := null, stable := null, changing := null, learned := null,
    shown_by_classes := null) as table
    with distinct_release as materialized (
        from query(
            if(whole is null,
               sqlanon._call('_distinct_releases', [sqlanon._literal(all_evidence)]), 'from ' || whole[1]))
    ),
    distinct_value as (
        from query_table(compared_values) where release in (select first from distinct_release)
    ),
    code_of as (from sqlanon._sensitive_domain('distinct_value')),
    domain as materialized (from code_of where learned is null or attribute <= learned),
    histogram as materialized (from sqlanon._class_histograms(all_evidence, compared_values, 'domain')),
    belief as materialized (from sqlanon._beliefs_if_any(statements, compared_values, 'domain')),
    marginal as materialized (from sqlanon._marginals_of(statements, 'belief', 'domain')),
    covered as materialized (from sqlanon._covers_of_targets(all_evidence, combinations, releases)),
    label as (
        from query(if(shown_by_classes is null,
                      'select null::integer as release, null::bigint as class_id, null::varchar[] as labels
                       where false', 'from ' || shown_by_classes))
    ),
    crowd as materialized (
        from query(if(whole is null, sqlanon._call('_crowds', [
                          sqlanon._literal('covered'), sqlanon._literal(combinations)]), 'from ' || whole[3]))
    ),
    factor as materialized (from sqlanon._factors_of_classes('crowd', 'histogram', 'label')),
    cover as materialized (from sqlanon._covers_with_factors('covered', 'factor')),
    cover_value as materialized (from sqlanon._cover_values('cover', 'histogram')),
    likely_value as (from sqlanon._likely_values_of(statements, 'cover_value', 'cover', 'belief')),
    known as materialized (from sqlanon._cover_evidence('cover', 'likely_value', 'marginal', 'domain')),
    combined as materialized (from sqlanon._combined_covers('covered', 'cover')),
    fate as materialized (from sqlanon._fates('combined', combinations)),
    part as materialized (
        select fate, people, attribute, cover, release
        from (select fate, people, unnest(covers) as cover from fate) join known using (cover)
    ),
    shared as materialized (from sqlanon._intersected('part', 'known', 'marginal')),
    refined as materialized (from sqlanon._refined('shared', 'fate', 'cover', 'histogram', exact_cover)),
    telling as materialized (
        from sqlanon._telling_covers('part', 'cover_value', 'distinct_release', 'domain')
    ),
    fate_size as materialized (from sqlanon._fate_sizes('telling')),
    fate_value as materialized (from sqlanon._fate_values('telling', 'cover_value')),
    correlation as materialized (from sqlanon._correlations('histogram', 'distinct_release', 'domain')),
    agreement as (
        from query(if(whole is null,
                      'from sqlanon._agreement(''fate_size'', ''fate_value'', ''correlation'')',
                      'from ' || whole[2]))
    ),
    common_share as materialized (from sqlanon._common_shares('agreement')),
    weighted as (
        from sqlanon._candidate_weights('refined', 'fate_size', 'fate_value', 'common_share', 'correlation')
    ),
    believed as (from sqlanon._weights_of(statements, 'weighted', 'belief')),
    decided as materialized (
        from query(
            if(cells is null, sqlanon._decided_by_columns('refined'),
               sqlanon._call('_decided_by_rows', [
                   sqlanon._literal(cells), sqlanon._literal(all_evidence), sqlanon._literal(compared_values),
                   sqlanon._literal('code_of'), coalesce(sqlanon._literal(statements), 'null'),
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
    guessed as (from sqlanon._guesses('shared', 'decided', 'ranked'))
    select target, knowledge, attribute,
           coalesce(list_min(list_transform(located, lambda evidence: evidence.anonymity)),
                    len(codes)) as prior,
           len(codes) as posterior,
           list_transform(ranked, lambda candidate: candidate.value) as candidates,
           list_transform(ranked, lambda candidate: candidate.probability) as probabilities,
           guess, marginal, located, unfinished, contradictory
    from combined join fate using (covers) join guessed using (fate);

-- PEOPLE

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
-- people: as of _people; count: of sensitive columns.
create or replace macro sqlanon._meant_values(people, sensitive_kinds, compared_values, count) as table
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

-- Is a value, which may be NULL, one of some?
create or replace macro sqlanon._is_among(candidates, true_value) as
    len(list_filter(candidates, lambda candidate: candidate is not distinct from true_value)) > 0;

-- The attack on people, a row per target and sensitive column: who, person (the unit, or NULL), sensitive
-- (its name), attribute (its number), actual (the true value, if known), meant (the same as releases have
-- it), is_told (has one of them it), shared (values of the two releases that share fewest), unread
-- (with_unread: the share of rows with labels that nobody understands, in the release with most), prior,
-- posterior, drop (of effective anonymity, Def. 8), confidence (Def. 9), candidates, probabilities, hit (is
-- the actual value among them), guess, marginal, located, unfinished (by exact cover), certain (with unit:
-- what one of the rows of the person certainly has, by their number; NULL: nothing). located_before: where
-- everybody is, if that is known (two relations, as of _located_again), or NULL. whole: as of
-- _attack. unchanged: columns that join rows, and are not learned; values_may_change: those of sensitive and
-- unchanged that do not.
create or replace macro sqlanon._attacked(
    releases, targets, id, truth, qi, sensitive, hierarchies, nearest, presence, exact_cover,
    unit := null, weight := null, with_unread := false, formats := null, negations := null,
    priors := null, priors_by := null, unknown := null, located_before := null, whole := null,
    unchanged := null, values_may_change := null) as table
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
        from sqlanon._people('_sqlanon_target', id, truth, qi, presence, '_sqlanon_combination', unit)
    ),
    _sqlanon_cell as materialized (
        from sqlanon._cells_of_releases(releases, qi, sensitive, weight, formats, unchanged := unchanged)
    ),
    _sqlanon_class as materialized (from sqlanon._classes_of_cells('_sqlanon_cell', qi)),
    _sqlanon_shown as materialized (from sqlanon._shown_by_classes('_sqlanon_class', qi)),
    _sqlanon_located as materialized (
        from query(
            if(located_before is null,
               sqlanon._call_of_locating(
                   '_sqlanon_class', '_sqlanon_combination', '_sqlanon_hierarchy', qi,
                   sqlanon._by_distance(nearest, releases), if(with_unread, '_locate_or_tell', '_locate'),
                   formats, unknown),
               sqlanon._call_of_locating_again(located_before, '_sqlanon_combination', qi)))
    ),
    _sqlanon_evidence as materialized (from sqlanon._evidence('_sqlanon_cell', '_sqlanon_located')),
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
            '_sqlanon_informed', '_sqlanon_combination', negations is not null or priors is not null)
    ),
    _sqlanon_truth_kind as materialized (
        from sqlanon._stated_kinds(
            '_sqlanon_target', truth, '_sqlanon_negated', '_sqlanon_prior',
            negations is not null or priors is not null)
    ),
    _sqlanon_kind as materialized (from sqlanon._sensitive_kinds('_sqlanon_evidence', '_sqlanon_truth_kind')),
    _sqlanon_compared as materialized (from sqlanon._compared_values('_sqlanon_evidence', '_sqlanon_kind')),
    _sqlanon_statement as materialized (
        from sqlanon._statements(
            '_sqlanon_known', '_sqlanon_prior', '_sqlanon_kind', negations is not null or priors is not null)
    ),
    _sqlanon_unread as materialized (from sqlanon._unread_share('_sqlanon_evidence')),
    _sqlanon_shared as (
        select attribute, min(shared) as shared
        from sqlanon._shared_values('_sqlanon_compared') group by attribute
    ),
    _sqlanon_outcome as materialized (
        from sqlanon._attack(
            '_sqlanon_evidence', '_sqlanon_compared', '_sqlanon_attacked_combination',
            case when negations is not null or priors is not null then '_sqlanon_statement' end,
            releases, exact_cover, whole,
            case when sqlanon._rows_tell_more(
                      releases, sensitive, unchanged, values_may_change, negations, priors)
                 then '_sqlanon_cell' end,
            sqlanon._positions(sensitive, unchanged, values_may_change, true),
            sqlanon._positions(sensitive, unchanged, values_may_change, false), len(sqlanon._list(sensitive)),
            '_sqlanon_shown')
    ),
    _sqlanon_certain as materialized (
        from sqlanon._certain_of_units(
            unit, '_sqlanon_informed', '_sqlanon_outcome', '_sqlanon_evidence', '_sqlanon_compared',
            sqlanon._positions(sensitive, unchanged, values_may_change, false))
    ),
    _sqlanon_meant as materialized (
        from sqlanon._meant_values(
            '_sqlanon_person', '_sqlanon_kind', '_sqlanon_compared', len(sqlanon._list(sensitive)))
    ),
    _sqlanon_refusal as (
        from sqlanon._refuse_people('_sqlanon_person', targets, id)
        union all from sqlanon._refuse_lists(releases, sensitive, truth, presence)
        union all from sqlanon._refuse_given_columns(sensitive, unchanged, values_may_change, '_sqlanon_cell')
        union all from sqlanon._refuse_knowledge(
            negations, priors, priors_by, id, sensitive, '_sqlanon_negated', '_sqlanon_prior',
            '_sqlanon_known', '_sqlanon_statement', '_sqlanon_informed', '_sqlanon_compared')
        union all from sqlanon._refuse_given_hierarchies(hierarchies, '_sqlanon_hierarchy', qi)
        union all from sqlanon._refuse_empty_releases('_sqlanon_evidence', releases)
    )
    select who, person.person, sqlanon._list(sensitive)[outcome.attribute] as sensitive, outcome.attribute,
           actuals[outcome.attribute] as actual, meant, is_told is not null as is_told, shared, unread,
           prior, posterior, prior - posterior as drop, 1 / nullif(posterior, 0) as confidence,
           candidates, probabilities,
           sqlanon._is_among(candidates, meant) as hit,
           guess, marginal, located, unfinished, contradictory, certain
    from _sqlanon_informed as person
    join _sqlanon_outcome as outcome using (target, knowledge)
    left join _sqlanon_shared as shared using (attribute)
    left join _sqlanon_meant as meaning
      on meaning.attribute = outcome.attribute
     and meaning.actual is not distinct from person.actuals[outcome.attribute]
    left join _sqlanon_certain as certainty
      on certainty.attribute = outcome.attribute and certainty.person is not distinct from person.person
    cross join _sqlanon_unread
    union all by name
    select refused::bigint as prior from _sqlanon_refusal;

-- What is told of the attack: columns as below.
create or replace macro sqlanon._told_of_attack(
    attacked, id, unit, exact_cover, truth, by_rows := false) as table
    from query(sqlanon._fill($$
        select who as {id}{unit}, sensitive, prior, posterior, drop, confidence, candidates, probabilities,
               located{certain}{contradiction}{unfinished}{truth}
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
    values_may_change := null) as table
    with _sqlanon_attacked as (
        from sqlanon._attacked(
            releases, targets, id, truth, qi, sensitive, hierarchies, nearest, presence,
            coalesce(exact_cover::boolean, false), unit, weight, formats := formats,
            negations := negations, priors := priors, priors_by := priors_by, unknown := unknown,
            unchanged := unchanged, values_may_change := values_may_change)
    )
    from sqlanon._told_of_attack(
        '_sqlanon_attacked', id, unit, coalesce(exact_cover::boolean, false), truth,
        sqlanon._is_by_rows(sensitive, unchanged, values_may_change));

comment on macro table sqlanon.intersection_attack is $$
Tells what several releases together give away about each target: one row per target and sensitive column.
Targets are found in the classes of each release as by locate; the values that all these classes share are the
candidates. Of several columns the rows are intersected: a candidate is what a shared row has in the column.

Parameters:
- releases (list of tables): the releases, all with the columns in qi and sensitive.
- targets (table): people with raw values in qi, and the column id.
- id (column): of targets, says who is who; nobody is twice.
- qi (columns): the quasi-identifiers that are known of the targets.
- sensitive (columns): the columns to be learned.
- hierarchies (table; default null): rows of attribute, value, level and label: what released labels stand
  for.
- truth (columns; default null): of targets, their true values, one per column in sensitive.
- nearest (boolean, or a list of one per release; default false): true for releases of centroids, as of
  microaggregate: who is nearest is found, as in locate.
- presence (list of columns; default null): of targets, one per release: true says that somebody is in it,
  false or NULL that they are not. If not given, everybody is in all releases.
- exact_cover (boolean; default false): true removes, from each target's candidates, values that other targets
  in a class of theirs must have. This holds if all targets are where they were located.
- unit (column; default null): of targets, says whose a row is, where people have several.
- weight (column; default null): of all releases, says how many people each row stands for, as in classes. The
  targets are one person a row.
- formats: as in locate
- negations (table; default null): what somebody is known not to have: rows of the column named by id, and
  value; with several columns in sensitive also sensitive, the name of the one that it is about.
- priors (table; default null): how probable each value is for a target before any release is seen: rows of
  value and share, and of sensitive as in negations. Shares need not add up to 1. A share of 0 rules a value
  out; every value that a release has needs one.
- priors_by (columns; default null): of priors and of targets: whose prior a row belongs to. If id is among
  them, people without rows have no prior; otherwise everybody needs one.
- unknown: as in locate
- unchanged (columns; default null): of the releases, further columns that they leave as they are, such as
  kept ones or masks by a hash. Rows are intersected by them, too, but they are not learned. A release may
  lack some of them.
- values_may_change (columns; default null): those in sensitive and unchanged whose values may be others in
  another release. Rows are not intersected by them, and of each the one release that tells most decides.

Result:
- <id> (unchanged): the target.
- <unit> (unchanged): with unit: whose the row is.
- sensitive (text): the name of the sensitive column.
- prior (integer, values): effective anonymity in the best single release: the distinct values of its class
  that are not ruled out.
- posterior (integer, values): the values of the rows that all classes share, without those that are ruled
  out; of a column that may change, the values in the best single release. 0 is a contradiction.
- drop (integer, values): prior less posterior.
- confidence (number, 0 to 1): 1 / posterior; NULL if that is 0.
- candidates (list of texts): these values, the most probable first.
- probabilities (list of numbers): of the candidates, scaled to sum to 1: how probable each is for somebody in
  all of the target's classes, summed over rows; for one release, its share in the class. With priors times
  the prior of a value over its share among all rows (of a row: of all its values).
- located (list of structs): per release classes, size (rows), anonymity (values that are not ruled out),
  guesses and guess_share (the most probable values, by what is known of the target, and of the class that
  they are in); NULL for one that the target is not in.
- certain (list of texts): with unit: what one of the unit's rows must have, because of r rows in a class of n
  more than n - r have it; empty: nothing.
- contradiction (boolean): with several columns or values_may_change: true if no row is left. Then fewer
  columns judge: all but one, the sensitive ones, or each on its own; what leaves fewest candidates decides.
- unfinished (boolean): with exact_cover: true if more candidates might be removed, because in a class of the
  target more than 12 sets of values overlap and not all were looked at (see sql/attack/exact_cover.sql).
- truth (text): with truth: the true value.
- truth_is_candidate (boolean): with truth: is it among the candidates?
- singleton_is_right (boolean): with truth: is the only candidate the true one? NULL if there is none, or more
  than one.

Errors: unknown column (of unchanged: one that no release has), no targets, a target twice, an empty release,
a hierarchy that is not a tree, a weight as in classes, an unknown format; negations or priors of somebody who
is not among the targets, a negation of a value that no release has, a share below 0, a value or a target
without one.

Notes: all of this assumes that the values of a person stay what they are, but for values_may_change. A
posterior of 0 says that the target is not in all releases, or was not located rightly (unread_labels
tells which released values nobody understands), or that the releases have different values (unshared_values).
Values of different types compare: 250 is 250.0, a date is its midnight; where a release or the truth has
numbers or points in time, texts that read as such are these, while elsewhere 250.0 and 250.00 are two texts.
A release that a target is not in tells nothing; who is in none has all values as candidates.
Probabilities are for releases of the same people, of different ones, and between: how many people releases
have in common is inferred, over all targets, from how frequent the values are that each release and all
together expect, and from how often their rows agree. With few targets that is a rough guess. A release that
is given twice counts once. Of several classes that cover a target, as where rows are suppressed, the
narrowest is as probable as it has rows for the people whom it covers: exactly so if all people of the release
are targets, otherwise those of the wider classes are spread evenly. A prior is about the target, while other
people are like all rows: give what sets the target apart. What holds for everybody in the class as well, the
class shows, and it would count twice: with priors by a column in qi probabilities are too high, and the best
guess is less often right than without.

Source: Ganta, Kasiviswanathan and Smith 2008, Algorithm 1, Def. 8 and 9; probabilities and rows: own
derivation.

Example:
from sqlanon.intersection_attack(['east', 'west'], targets := 'voters', id := 'name', qi := ['age', 'zip'],
                                 sensitive := 'disease', truth := 'disease');
$$;

-- The sensitive values of a release as evidence that covers nobody: release, target, attribute, value, kind,
-- type (of the column), n. The text of a SELECT.
create or replace macro sqlanon._stated_values(release, number, sensitive, weight := null) as
    sqlanon._fill($$
        select {number} as release, null::integer as target, unnest(range(1, {end}))::integer as attribute,
               unnest([{texts}]::varchar[]) as value, unnest([{kinds}]::integer[]) as kind,
               unnest([{types}]) as type, n
        from (select {columns}, {count} as n from {source} as src group by all) as src
    $$, map {
        'number': number::varchar,
        'end': (len(sqlanon._list(sensitive)) + 1)::varchar,
        'texts': sqlanon._each(sensitive, 'src.{c}::varchar', ', '),
        'kinds': sqlanon._each(sensitive, 'sqlanon._kind_of_type(typeof(src.{c}))', ', '),
        'types': sqlanon._each(sensitive, 'typeof(src.{c})', ', '),
        'columns': sqlanon._each(sensitive, 'src.{c}', ', '),
        'count': sqlanon._count(weight),
        'source': sqlanon._projected(release, sensitive, null, weight)});

-- What keeps the values of two columns apart. one, other: kind, type and example of a column.
create or replace macro sqlanon._why_unshared(one, other) as
    case when sqlanon._common_kind(one.kind, other.kind) <> sqlanon._common_kind(other.kind, one.kind)
         then 'one has ' || one.type || ' and the other ' || other.type
              || ', which do not compare: cast one of them'
         when coalesce(one.kind, 3) <> coalesce(other.kind, 3) and (one.kind is null or other.kind is null)
         then 'one has ' || one.type || ' and the other ' || other.type
              || ', in which nothing reads as such: ' || coalesce(one.example, 'NULL')
              || ', ' || coalesce(other.example, 'NULL')
         else 'no value is in both: the one has ' || coalesce(one.example, 'NULL')
              || ', the other ' || coalesce(other.example, 'NULL')
    end;

-- Which two releases share nothing: sensitive (the column), release, other, why.
create or replace macro sqlanon._unshared_values(releases, sensitive) as table
    with _sqlanon_stated as materialized (
        from query(sqlanon._over_releases(
            list_transform(sqlanon._list(releases), lambda release, number:
                sqlanon._stated_values(release, number, sensitive))))
    ),
    _sqlanon_no_truth as (select null::integer as attribute, null::integer as kind),
    _sqlanon_kind as materialized (from sqlanon._sensitive_kinds('_sqlanon_stated', '_sqlanon_no_truth')),
    _sqlanon_compared as materialized (from sqlanon._compared_values('_sqlanon_stated', '_sqlanon_kind')),
    _sqlanon_column as (
        select attribute, release, any_value(type) as type, any_value(kind) as kind, min(value) as example
        from _sqlanon_stated group by attribute, release
    )
    select sqlanon._list(sensitive)[attribute] as sensitive,
           sqlanon._list(releases)[shared.release] as release, sqlanon._list(releases)[other] as other,
           sqlanon._why_unshared(one, two) as why
    from sqlanon._shared_values('_sqlanon_compared') as shared
    join _sqlanon_column as one using (attribute)
    join _sqlanon_column as two using (attribute)
    where shared.shared = 0 and one.release = shared.release and two.release = shared.other
    order by attribute, shared.release, other;

create or replace macro sqlanon.unshared_values(releases, sensitive) as table
    from query(
        sqlanon._checked(sensitive, null, null)
        || sqlanon._call('_unshared_values', [sqlanon._names(releases), sqlanon._names(sensitive)]));

comment on macro table sqlanon.unshared_values is $$
Tells which releases share no sensitive value, so that an intersection of them leaves none for anybody: one
row per sensitive column and pair of releases. No rows: all share some.

Parameters:
- releases (list of tables): the releases, all with the columns in sensitive.
- sensitive (columns): the columns to be compared.

Result:
- sensitive (text): the name of the sensitive column.
- release (text): one release of the pair.
- other (text): the other one.
- why (text): what keeps their values apart.

Errors: unknown column.

Notes: values of different types compare as in intersection_attack; numbers and dates do not. A PVP of 0 % of
breaches beside such rows is no all-clear.

Example:
with elsewhere as (select * replace ('grippe' as disease) from west)
from sqlanon.unshared_values(['east', 'elsewhere'], sensitive := 'disease');
$$;
