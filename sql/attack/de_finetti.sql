-- The de Finetti attack: buckets and classes hide which of their sensitive values is whose, but all of them
-- together tell how values depend on quasi-identifiers, and that tells which is whose (Kifer 2009).
--
-- Each assignment within a bucket is equally likely only to an adversary who thinks that rows have nothing to
-- do with each other. One who takes rows to be exchangeable learns from all buckets: weights of who has which
-- value give P(value) and P(quasi-identifier | value), for naive Bayes, which gives new weights. (Kifer draws
-- assignments one after the other; here their expectation is worked out, round by round, as by expectation
-- maximization. Within a bucket weights are scaled once by columns and once by rows, as by Sinkhorn 1967:
-- each value is there as often as the bucket says, and everybody has one.)

-- Rows of a release with buckets: class_id (their quasi-identifiers), group_id (the bucket), m (rows),
-- strings (the values of the bucket), kind.
create or replace macro sqlanon._bucket_rows(released, release_classes, qi, sensitive, bucket) as table
    from query(sqlanon._fill($$
        select class_id, dense_rank() over (order by bucket)::bigint as group_id, m,
               case when type not like '%]'
                    then error({no_list} || type)
                    when lists > 1 then error({several} || bucket::varchar || ' has several lists of values')
                    else strings end as strings,
               sqlanon._kind_of_released(type) as kind
        from (
            select {each qi: src.{c} as q{i}}, src.{"bucket"} as bucket, count(*) as m,
                   any_value(typeof(src.{"sensitive"})) as type,
                   count(distinct src.{"sensitive"}) as lists,
                   try_cast(any_value(src.{"sensitive"}) as varchar[]) as strings
            from {released} as src group by all
        ) as cell
        join {classes} as class on row({each qi: cell.q{i}}) is not distinct from row({each qi: class.q{i}})
    $$, map {
        'classes': release_classes, 'several': sqlanon._literal('bucket '),
        'no_list': sqlanon._literal(
            'with bucket, column ' || sensitive || ' must have lists, the values of the bucket, not ')}));

-- Whose values are sought: member, group_id, m (how many people each is), class_id, target (NULL: of rows
-- with buckets, which several targets may match).
create or replace macro sqlanon._members_of_classes(located, target_combinations) as table
    select row_number() over () as member, class_id as group_id,
           people / count(*) over (partition by target) as m, class_id, target
    from query_table(located) join query_table(target_combinations) using (target);
create or replace macro sqlanon._members_of_buckets(bucket_rows) as table
    select row_number() over () as member, group_id, m::double as m, class_id, null::integer as target
    from query_table(bucket_rows);

-- Their quasi-identifiers: member, d, v. prefix: v of combinations, l of classes; id: what joins them.
create or replace macro sqlanon._member_features(members, relation, id, prefix, qi) as table
    from query(sqlanon._fill($$
        select member, unnest(range(1, {end}))::integer as d, unnest([{values}]::varchar[]) as v
        from {members} join {relation} using ({id})
    $$, map {
        'end': (len(sqlanon._list(qi)) + 1)::varchar, 'values': sqlanon._each(qi, prefix || '{i}', ', ')}));

-- The values of buckets, as in classes (_values_of_cells): release, class_id (the bucket), attribute, value,
-- kind, n.
create or replace macro sqlanon._values_of_buckets(bucket_rows) as table
    select 1 as release, group_id as class_id, 1 as attribute, value, kind, count(*) as n
    from (
        select group_id, kind, unnest(strings) as value
        from (select distinct on (group_id) group_id, strings, kind from query_table(bucket_rows))
    )
    group by all;

-- Weights after so many rounds: member, code, w, n, group_id. features: member, d, v (a code). weights:
-- member, code, group_id, m, n (how many rows of the group have the value), share (of people of the group who
-- are members), w (at first).
create or replace macro sqlanon._learned_weights(features, weights, rounds) as table
    with recursive
    spread as (select d, count(distinct v) as values from query_table(features) group by d),
    state as (
        select 0 as round, member, code, group_id, m, n, share, w from query_table(weights)
        union all
        (
            with prior as materialized (select code, sum(m * w) as held from state group by code),
            pair as materialized (
                select member, code, d, v, m * w as held
                from state join query_table(features) using (member)
            ),
            -- Joined to all pairs in one step, by all three keys.
            term as materialized (
                select likely.code, likely.d, v,
                       ln((likely.held + 1) / (prior.held + values))
                       + if(likely.d = 1, ln(prior.held + 1e-9), 0) as term
                from (select code, d, v, sum(held) as held from pair group by code, d, v) as likely
                join prior using (code) join spread using (d)
            ),
            fitted as materialized (
                select member, code, sum(term) as fit
                from pair join term using (code, d, v) group by member, code
            ),
            best as (select member, max(fit) as best from fitted group by member),
            weighed as materialized (
                select state.*, n * exp(greatest(fit - best, -700)) as u
                from state join fitted using (member, code) join best using (member)
            ),
            filled as (select group_id, code, sum(m * u) as held from weighed group by group_id, code),
            scaled as materialized (
                select weighed.* replace (u * n * share / held as u)
                from weighed join filled using (group_id, code)
            ),
            total as (select member, sum(u) as total from scaled group by member)
            select round + 1, member, code, group_id, m, n, share, u / total as w
            from scaled join total using (member) where round < rounds
        )
    )
    select member, code, w, n, group_id from state where round = rounds;

create or replace macro sqlanon._de_finetti(
    release, targets, id, qi, sensitive, bucket, hierarchies, truth, controls, rounds) as table
    with {steps _release_and_targets:
        columns := qi, sensitive := sqlanon._list(sensitive) || sqlanon._list(bucket),
        others := sqlanon._list(truth) || sqlanon._list(controls)},
    _sqlanon_located as materialized (
        from sqlanon._locate(
            '_sqlanon_class', '_sqlanon_combination',
            sqlanon._if_any(hierarchies, '_sqlanon_hierarchy'), qi)
    ),
    _sqlanon_bucket_row as materialized (
        from query(
            if(bucket is null,
               'select null::bigint as class_id, null::bigint as group_id, null::bigint as m,
                       null::varchar[] as strings, null::integer as kind where false',
               sqlanon._call('_bucket_rows', [
                   sqlanon._literal('_sqlanon_released'), sqlanon._literal('_sqlanon_class'),
                   sqlanon._names(qi), sqlanon._literal(sensitive), sqlanon._optional(bucket)])))
    ),
    _sqlanon_member as materialized (
        from query(
            if(bucket is null,
               'from sqlanon._members_of_classes(''_sqlanon_located'', ''_sqlanon_combination'')',
               'from sqlanon._members_of_buckets(''_sqlanon_bucket_row'')'))
    ),
    _sqlanon_feature as (
        from query({call _member_features:
            members := '_sqlanon_member',
            relation := if(bucket is null, '_sqlanon_combination', '_sqlanon_class'),
            id := if(bucket is null, 'target', 'class_id'), prefix := if(bucket is null, 'v', 'l')})
    ),
    _sqlanon_coded_feature as materialized (
        select member, d, dense_rank() over (partition by d order by v) as v from _sqlanon_feature
    ),
    _sqlanon_class_value as materialized (
        from query(
            if(bucket is null,
               {call _values_of_classes:
                   release := '_sqlanon_released', release_classes := '_sqlanon_class', weight := null},
               'from sqlanon._values_of_buckets(''_sqlanon_bucket_row'')'))
    ),
    {steps _values_and_truth: distinct_spellings := []},
    _sqlanon_histogram as materialized (
        from sqlanon._class_histograms('_sqlanon_class_value', '_sqlanon_compared', '_sqlanon_domain')
    ),
    _sqlanon_group as materialized (
        select class_id as group_id, sum(n) as size from _sqlanon_histogram group by class_id
    ),
    _sqlanon_known as (select group_id, sum(m) as known from _sqlanon_member group by group_id),
    _sqlanon_first_weight as materialized (
        select member, code, member.group_id, m, n, known / size as share, n / size as w
        from _sqlanon_member as member
        join _sqlanon_histogram as held on held.class_id = member.group_id
        join _sqlanon_group as total on total.group_id = member.group_id
        join _sqlanon_known as knowing on knowing.group_id = member.group_id
    ),
    _sqlanon_weight as materialized (
        from sqlanon._learned_weights('_sqlanon_coded_feature', '_sqlanon_first_weight', rounds)
    ),
    _sqlanon_candidate as materialized (
        select located.target, member, if(member.target is null, m, 1) as m
        from _sqlanon_located as located
        join _sqlanon_member as member
          on member.class_id = located.class_id and coalesce(member.target, located.target) = located.target
    ),
    _sqlanon_posterior as materialized (
        select target, code, sum(m * w) as w, sum(m * n / size) as uniform
        from _sqlanon_candidate join _sqlanon_weight using (member) join _sqlanon_group using (group_id)
        group by target, code
    ),
    _sqlanon_outcome as (
        -- What a model says is never certain while another value is possible.
        select target, arg_max(code, row(w, -code)) as code,
               if(count(*) = 1, 1, least(max(w) / sum(w), 1 - 1e-9)) as confidence,
               max(uniform) / sum(uniform) as baseline, count(*) as values
        from _sqlanon_posterior group by target
    )
    select who, case when outcome.target is not null then coalesce(value, 'NULL') end as learned, confidence,
           coalesce(baseline, (select max(share) from _sqlanon_domain)) as baseline,
           case when outcome.target is not null and len(sqlanon._list(truth)) > 0
                then value is not distinct from meant end as is_right,
           sqlanon._says(actuals[len(sqlanon._list(truth)) + 1], 'controls') as is_control,
           coalesce(values, 0) as possible
    from _sqlanon_person as person
    left join _sqlanon_outcome as outcome using (target)
    left join _sqlanon_domain as domain using (code)
    left join _sqlanon_meant as meaning on meaning.actual is not distinct from actuals[1]
    union all by name
    select refused::bigint as possible from _sqlanon_bad_input;

create or replace macro sqlanon.de_finetti(
    release, targets, id, qi, sensitive, rounds, bucket := null, hierarchies := null, truth := null,
    controls := null) as table
    from query(
        case when len(sqlanon._list(sensitive)) <> 1 then error('sensitive names one column, to be learned')
             else sqlanon._checked(qi, sensitive, bucket) end
        || sqlanon._fill($$
        select who as {"id"}, * exclude (who) from sqlanon._de_finetti({arguments})
    $$, map {
        'arguments': concat_ws(', ',
            sqlanon._literal(release), sqlanon._literal(targets), sqlanon._literal(id), sqlanon._names(qi),
            sqlanon._literal(sqlanon._list(sensitive)[1]), sqlanon._optional(bucket),
            sqlanon._optional(hierarchies),
            case when truth is null then 'null' else sqlanon._names(truth) end, sqlanon._names(controls),
            coalesce(sqlanon._whole_number_up_to(rounds, 'rounds', 1000)::varchar,
                     error('rounds must be a whole number from 0 to 1000, not NULL')))}));

comment on macro table sqlanon.de_finetti is $$
Guesses who has which sensitive value of a bucket or class. The attack learns from all buckets together how
values depend on quasi-identifiers. One row per target.

Parameters:
- release (table): a release of anatomize, or a release with classes.
- targets: as in linking
- id, qi: as in locate
- sensitive (column): of release, the column to be learned.
- rounds (integer, 0 to 1000): the number of iterations, in which weights and frequencies are computed from
  each other; 20 are usually enough.
- bucket (column; default null): of release, the bucket of each row: its rows share the values in the lists of
  sensitive, as in a release of anatomize. If not given, rows with the same quasi-identifiers form a class,
  and targets must be all people in the release, or most of them.
- hierarchies: as in locate
- truth (column; default null): of targets, their true values.
- controls (column; default null): of targets, true for people who are known not to be in the release.

Result:
- <id> (unchanged): the target.
- learned (text): the most probable value; NULL: no row covers the target.
- confidence (number, 0 to 1): its probability, as the adversary computes it.
- baseline (number, 0 to 1): the probability of the best guess if each row of the bucket or class is equally
  likely to have each of its values: 1/l for a bucket of l.
- is_right (boolean): is learned the true value? NULL without truth, or if nothing is learned.
- is_control (boolean): is the target one of controls?
- possible (integer): the number of values that the target may have.

Errors: unknown column, empty table, a target twice, a hierarchy that is not a tree, with bucket a sensitive
column without lists.

Notes: the result is probable, not certain. So run_attacks and publish run this attack only if rounds is
given. The confidence is that of a model that assumes that quasi-identifiers are independent given the value.
The measure right of attack_summary, which needs truth, shows how reliable it is. If several rows match a
target, their probabilities are averaged.

Source: Kifer 2009, sec. 3 and 5 (de Finetti attack on Anatomy); Sinkhorn 1967 (scaling).

Example:
with bucketed as (from sqlanon.anatomize('people', qi := ['age', 'zip'], sensitive := 'disease', l := 2))
from sqlanon.de_finetti(
    'bucketed', 'voters', id := 'name', qi := ['age', 'zip'], sensitive := 'disease', rounds := 20,
    bucket := 'bucket');
$$;
