-- Background knowledge: what an adversary knows of a target beside the quasi-identifiers.
--
-- Negations rule values out (Machanavajjhala et al. 2007, sec. 2: a Japanese is unlikely to have a heart
-- disease). A prior says how probable each value is for a target before any release is seen.
--
-- [own derivation] Let q(s) be the share of a value s among all rows: so probable it is for somebody of whom
-- nothing is known. The weight w(s) of a candidate (sql/attack/weights.sql) is what q becomes once the
-- target's classes are seen. So, by Bayes, these classes are in proportion to w(s)/q(s) as likely if the
-- target has s; and with a prior p in place of q, s weighs p(s) w(s)/q(s). For one class of n people it can
-- be seen directly: if the target has s, the others have s n(s) - 1 times, and the chance of that is
-- (n-1)!/(n(s)-1)! q(s)^(n(s)-1) for s, times what does not depend on it: in proportion to n(s)/q(s). A
-- negation is a prior of 0 for its value, and leaves the others as they are beside each other.
--
-- So p is about the target, and q about the others. If everybody in a class is like the target (p is that of
-- an age, and the class of the same age), the class shows p already, and s is weighed by it twice: such
-- priors make guesses worse and too sure (python -m benchmarks priors has the numbers).
--
-- People of whom the same is known have the same number, knowledge; 0 is nothing.

-- WHAT IS GIVEN

-- The number of a sensitive column that a row is about, as the text of an expression: there is one, or the
-- row names it in a column sensitive. parameter: whose rows these are.
create or replace macro sqlanon._attribute_of_row(sensitive, parameter) as
    case when len(sqlanon._list(sensitive)) = 1 then '1'
         else sqlanon._fill($$
             coalesce(list_position({names}, lower(src.sensitive::varchar)),
                      error({=parameter} || ' has ' || coalesce(src.sensitive::varchar, 'NULL')
                            || ' in column sensitive, which is none of ' || {shown}))::integer
         $$, map {
             'names': sqlanon._names(sqlanon._lower(sqlanon._list(sensitive))),
             'shown': sqlanon._literal(list_aggregate(sqlanon._list(sensitive), 'string_agg', ', '))})
    end;
create or replace macro sqlanon._columns_of_knowledge(sensitive, others) as
    others || if(len(sqlanon._list(sensitive)) = 1, []::varchar[], ['sensitive']);

-- Values that are ruled out: who, attribute, string, kind (of its column).
create or replace macro sqlanon._negations(negations, id, sensitive) as table
    from query(
        if(negations is null,
           'select null as who, null::integer as attribute, null::varchar as string, null::integer as kind
            where false',
           {call _given_negations}));
create or replace macro sqlanon._given_negations(negations, id, sensitive) as table
    from query(sqlanon._fill($$
        select src.{"id"} as who, {attribute} as attribute, src.value::varchar as string,
               sqlanon._kind_of_type(typeof(src.value)) as kind
        from {source} as src
    $$, map {
        'attribute': sqlanon._attribute_of_row(sensitive, 'negations'),
        'source': sqlanon._projected(
            negations, sqlanon._columns_of_knowledge(sensitive, [id, 'value']), null, null)}));

-- Priors: prior (a number of those that are told apart by columns), b1, b2, ... (these), attribute, string,
-- kind, share.
create or replace macro sqlanon._priors(priors, priors_by, sensitive) as table
    from query(
        if(priors is null,
           'select null::bigint as prior, null::integer as attribute, null::varchar as string,
                   null::integer as kind, null::double as share where false',
           {call _given_priors}));
create or replace macro sqlanon._given_priors(priors, priors_by, sensitive) as table
    from query(sqlanon._fill($$
        select dense_rank() over (order by true{each priors_by: , b{i} nulls first}) as prior, *
        from (
            select {by}{attribute} as attribute, src.value::varchar as string,
                   sqlanon._kind_of_type(typeof(src.value)) as kind,
                   case when try_cast(src.share::varchar as double) between 0 and 1.7e308
                        then try_cast(src.share::varchar as double)
                        else error('priors has a share of ' || coalesce(src.share::varchar, 'NULL')
                                   || ': a share is a number from 0 on' || sqlanon._such_as(src.value))
                        end as share
            from {source} as src
        )
    $$, map {
        'by': sqlanon._each(priors_by, 'src.{c} as b{i}, ', ''),
        'attribute': sqlanon._attribute_of_row(sensitive, 'priors'),
        'source': sqlanon._projected(
            priors, sqlanon._columns_of_knowledge(sensitive, sqlanon._list(priors_by) || ['value', 'share']),
            null, null)}));

-- WHO IS KNOWN HOW

-- Of whom something is known: who, ruled_out (a list of attribute and string), prior, knowledge. targets: as
-- of _source; negated, prior_shares: as in _negations and _priors.
create or replace macro sqlanon._knowledge(
    targets, id, negated, prior_shares, negations, priors, priors_by) as table
    from query(
        if(negations is null and priors is null, 'select null as who where false',
           {call _given_knowledge:
               has_negations := negations is not null, has_priors := priors is not null}));
create or replace macro sqlanon._given_knowledge(
    targets, id, negated, prior_shares, has_negations, has_priors, priors_by) as table
    from query(sqlanon._fill($$
        with negation as (
            select who,
                   list_sort(list(distinct struct_pack(attribute := attribute, string := string)))
                       as ruled_out
            from {negated} group by who
        )
        select src.{"id"} as who, {ruled_out} as ruled_out, {prior} as prior,
               dense_rank() over (order by {prior} nulls first, {ruled_out} nulls first) as knowledge
        from {targets} as src
        {negation_of_target} {prior_of_target}
        where {ruled_out} is not null or {prior} is not null
    $$, map {
        'ruled_out': if(has_negations, 'ruled_out', 'null::struct(attribute integer, string varchar)[]'),
        'prior': if(has_priors, 'prior', 'null::bigint'),
        'negation_of_target':
            if(has_negations,
               'left join negation on negation.who is not distinct from src.' || sqlanon._quote(id), ''),
        'prior_of_target':
            if(has_priors,
               'left join (select distinct prior' || sqlanon._each(priors_by, ', b{i}', '')
                   || ' from ' || prior_shares || ') as given on true'
                   || sqlanon._each(priors_by, ' and given.b{i} is not distinct from src.{c}', ''),
               '')}));

-- People with what is known of them: as in _people, and knowledge. (Here and below, what is_anything is not
-- for is a call, so that nobody has to plan it.)
create or replace macro sqlanon._informed_people(people, knowledge_of, is_anything) as table
    from query(if(is_anything, {call _people_by_knowledge}, 'select *, 0 as knowledge from ' || people));
create or replace macro sqlanon._people_by_knowledge(people, knowledge_of) as table
    select person.*, coalesce(known.knowledge, 0) as knowledge
    from query_table(people) as person
    left join query_table(knowledge_of) as known on known.who is not distinct from person.who;

-- Combinations of quasi-identifiers, once for each knowledge that people have who have them: target,
-- knowledge, present, people, in_part (the positions of the columns that are known in part only; NULL: there
-- are none).
create or replace macro sqlanon._informed_combinations(
    informed_people, target_combinations, is_anything, qi, formats, unknown) as table
    from query(sqlanon._fill($$ {select} from ({combinations}) {in_part} $$, map {
        'combinations': if(is_anything,
                           {call _combinations_by_knowledge},
                           'select target, 0 as knowledge, present, people from ' || target_combinations),
        'select': if(sqlanon._are_cells_partly_known(formats, unknown), '',
                     'select *, null::integer[] as in_part'),
        'in_part': if(sqlanon._are_cells_partly_known(formats, unknown),
                      'join (select target, in_part ' || {call _known_combinations} || ') using (target)',
                      '')}));
create or replace macro sqlanon._combinations_by_knowledge(informed_people, target_combinations) as table
    select target, knowledge, any_value(present) as present, count(*) as people
    from query_table(informed_people) join query_table(target_combinations) using (target)
    group by target, knowledge;

-- The kinds of the columns of the truth, and of what else is said: attribute, kind.
create or replace macro sqlanon._stated_kinds(targets, truth, negated, prior_shares, is_anything) as table
    from query(
        {call _truth_kinds: truth := text(sqlanon._names_if_any(truth))}
        || if(is_anything, ' union all select attribute, kind from ' || negated
                           || ' union all select attribute, kind from ' || prior_shares, ''));

-- What is said of each value: knowledge, attribute, key (as the column compares), string, share (its prior,
-- of a sum of 1, or NULL), is_ruled_out. sensitive_kinds: as in _sensitive_kinds.
create or replace macro sqlanon._statements(
    knowledge_of, prior_shares, sensitive_kinds, is_anything) as table
    from query(if(is_anything, {call _given_statements}, 'select null as knowledge where false'));
create or replace macro sqlanon._given_statements(knowledge_of, prior_shares, sensitive_kinds) as table
    with ruled as (
        select knowledge, statement.attribute, statement.string
        from (
            select knowledge, unnest(ruled_out) as statement
            from (select distinct knowledge, ruled_out from query_table(knowledge_of))
        )
    ),
    total as (
        select prior, attribute, list_sum(list(share order by string)) as total
        from query_table(prior_shares) group by prior, attribute
    ),
    scaled as (
        select prior, attribute, string,
               share / case when total > 0 then total
                            else error('the shares of priors add up to 0: one value has to be possible')
                       end as share
        from query_table(prior_shares) join total using (prior, attribute)
    ),
    stated as (
        select knowledge, attribute, string, null as share, true as is_ruled_out from ruled
        union all
        select knowledge, attribute, string, share, false
        from (select distinct knowledge, prior from query_table(knowledge_of)) join scaled using (prior)
    ),
    keyed as (
        select attribute, string, sqlanon._comparable(string, kind) as key
        from (select distinct attribute, string from stated)
        left join query_table(sensitive_kinds) using (attribute)
    )
    select knowledge, stated.attribute, key, min(stated.string) as string,
           case when count(share) > 1
                then error('priors has ' || count(share) || ' shares of the same value for the same people'
                           || sqlanon._such_as(min(stated.string)))
                else max(share) end as share,
           bool_or(is_ruled_out) as is_ruled_out
    from stated
    join keyed on keyed.attribute = stated.attribute and keyed.string is not distinct from stated.string
    group by knowledge, stated.attribute, key;

-- Priors of people by their id are about targets; any others are about all targets.
create or replace macro sqlanon._refusal_of_priors(priors_by, id, prior_shares, knowledge_of, people) as
    sqlanon._fill(
        case when list_contains(sqlanon._lower(sqlanon._list(priors_by)), lower(id))
             then $$
                 select error('priors names ' || count(distinct coalesce(given.{by}::varchar, ''))
                              || ' people who are not among the targets'
                              || sqlanon._such_as(min(given.{by}::varchar)))
                 from {shares} as given
                 left join {people} as person on person.who is not distinct from given.{by}
                 where person.target is null having count(*) > 0
             $$
             else $$
                 select error('priors has no rows for ' || count(*) || ' targets' || {why}
                              || sqlanon._such_as(min(person.who::varchar)))
                 from {people} as person
                 left join {known} as known on known.who is not distinct from person.who
                 where known.prior is null having count(*) > 0
             $$ end,
        map {
            'by': 'b' || coalesce(
                list_position(sqlanon._lower(sqlanon._list(priors_by)), lower(id)), 0)::varchar,
            'shares': prior_shares, 'known': knowledge_of,
            'why': sqlanon._literal(
                coalesce(': none is of the same '
                         || list_aggregate(sqlanon._list(priors_by), 'string_agg', ', '), ''))});

-- A value that is ruled out and that no release has is perhaps one that they spell otherwise.
create or replace macro sqlanon._refuse_unknown_values(statements, compared_values, sensitive) as table
    select error('negations rules out what no release has in column ' || sensitive[stated.attribute]
                 || sqlanon._such_as(stated.string)) as refused
    from query_table(statements) as stated
    left join (select distinct attribute, key, true as is_released from query_table(compared_values)) as known
      on known.attribute = stated.attribute and known.key is not distinct from stated.key
    where is_ruled_out and is_released is null;

-- No rows, or an error for a released value of which a prior says nothing.
create or replace macro sqlanon._refuse_unnamed_values(statements, compared_values, sensitive) as table
    select error('priors has no share for a value that releases have in column ' || sensitive[known.attribute]
                 || ': 0 says that it is impossible' || sqlanon._such_as(known.value)) as refused
    from (select distinct attribute, key, value from query_table(compared_values)) as known
    join (select distinct knowledge, attribute from query_table(statements) where share is not null) as prior
      on prior.attribute = known.attribute
    left join query_table(statements) as stated
      on stated.knowledge = prior.knowledge and stated.attribute = known.attribute
     and stated.key is not distinct from known.key and stated.share is not null
    where stated.attribute is null;

-- No rows, or an error where negations, or priors, are not as they have to be.
create or replace macro sqlanon._refuse_negations(
    negated, statements, people, compared_values, sensitive) as table
    select error('negations names ' || count(distinct coalesce(negation.who::varchar, ''))
                 || ' people who are not among the targets' || sqlanon._such_as(min(negation.who::varchar)))
               as refused
    from query_table(negated) as negation
    left join query_table(people) as person on person.who is not distinct from negation.who
    where person.target is null having count(*) > 0
    union all
    from sqlanon._refuse_unknown_values(statements, compared_values, sensitive);
create or replace macro sqlanon._refuse_priors(
    priors_by, id, prior_shares, knowledge_of, statements, people, compared_values, sensitive) as table
    from sqlanon._refuse_unnamed_values(statements, compared_values, sensitive)
    union all
    from query(sqlanon._refusal_of_priors(priors_by, id, prior_shares, knowledge_of, people));

-- No rows, or an error where what is given is about nobody, or about no value, or leaves something open that
-- it has to say. people: as in _informed_people.
create or replace macro sqlanon._refuse_knowledge(
    negations, priors, priors_by, id, sensitive, negated, prior_shares, knowledge_of, statements, people,
    compared_values) as table
    from query(
        if(negations is null and priors is null, 'select null as refused where false',
           if(negations is null, '', {call _refuse_negations})
           || if(negations is null or priors is null, '', ' union all ')
           || if(priors is null, '', {call _refuse_priors})));

-- WHAT FOLLOWS

-- Values of which something is said: knowledge, attribute, code and value (NULL and its text, where no
-- release has it), prior (NULL where there is none), odds (by how much more probable it is than among all
-- rows; 0: impossible).
create or replace macro sqlanon._beliefs(statements, compared_values, sensitive_domain) as table
    with coded as (
        select distinct named.attribute, key, code, domain.value, domain.share as marginal_share
        from query_table(compared_values) as named
        join query_table(sensitive_domain) as domain
          on domain.attribute = named.attribute and domain.value is not distinct from named.value
    )
    select knowledge, stated.attribute, code, if(code is null, stated.string, value) as value,
           case when is_ruled_out then 0 else share end as prior,
           case when is_ruled_out or share = 0 then 0 else share / marginal_share end as odds
    from query_table(statements) as stated
    left join coded on coded.attribute = stated.attribute and coded.key is not distinct from stated.key;

-- What is known of somebody who is in no release: knowledge (0), attribute, codes (all of them), impossible
-- (none), marginal (the most frequent values and their share: guesses, guess_share).
create or replace macro sqlanon._marginals(sensitive_domain) as table
    with most as (select attribute, max(share) as most from query_table(sensitive_domain) group by attribute)
    select 0 as knowledge, attribute, list(code order by code) as codes, []::bigint[] as impossible,
           {'guesses': list(value order by code) filter (where share = most),
            'guess_share': any_value(most)} as marginal
    from query_table(sensitive_domain) join most using (attribute) group by attribute;

-- The marginals where something is known of somebody: impossible has the codes that are not in codes.
create or replace macro sqlanon._believed_marginals(beliefs, sensitive_domain) as table
    with chance as (
        select knowledge, attribute, code, domain.value,
               case when odds = 0 then 0 else coalesce(prior, share) end as chance
        from query_table(sensitive_domain) as domain
        cross join (select 0 as knowledge union select knowledge from query_table(beliefs))
        left join query_table(beliefs) using (knowledge, attribute, code)
        union all
        select knowledge, attribute, code, value, prior from query_table(beliefs)
        where code is null and odds is distinct from 0
    ),
    most as (
        select knowledge, attribute, max(round(chance, 12)) as most,
               list_sum(list(chance order by code, value)) as total
        from chance group by knowledge, attribute
    )
    select knowledge, attribute,
           coalesce(list(code order by code) filter (where chance > 0 and code is not null), []) as codes,
           coalesce(list(code order by code) filter (where chance = 0 and code is not null), [])
               as impossible,
           {'guesses': list(value order by code, value) filter (where round(chance, 12) = most),
            'guess_share': max(chance) / any_value(total)} as marginal
    from chance join most using (knowledge, attribute)
    where total > 0 or error('negations and priors leave no value possible for somebody')
    group by knowledge, attribute;

-- The values of covers, as in _cover_values, and likely: how many times the target may be one of those with
-- the value, weighed by what is known of it (NULL: ruled out).
create or replace macro sqlanon._likely_values(cover_values, covers, beliefs) as table
    select cover, attribute, code, n, n_rows, nullif(n * coalesce(odds, 1), 0) as likely
    from query_table(cover_values)
    join query_table(covers) using (cover)
    left join query_table(beliefs) using (knowledge, attribute, code);

-- Candidates by what is known of the target: as in _candidate_weights.
create or replace macro sqlanon._believed_weights(candidate_weights, beliefs) as table
    select candidate.* replace (
               weight * coalesce(odds, 1) as weight,
               list_transform(scaled, lambda with_share: with_share * coalesce(odds, 1)) as scaled)
    from query_table(candidate_weights) as candidate
    left join query_table(beliefs) using (knowledge, attribute, code);

-- What is believed where something is known, that is, where there are statements (their name; NULL: none).
create or replace macro sqlanon._beliefs_if_any(statements, compared_values, sensitive_domain) as table
    from query(sqlanon._if_given(statements, 'null as knowledge', {call _beliefs}));
create or replace macro sqlanon._marginals_of(statements, beliefs, sensitive_domain) as table
    from query(case when statements is null then {call _marginals} else {call _believed_marginals} end);
create or replace macro sqlanon._likely_values_of(statements, cover_values, covers, beliefs) as table
    from query(
        case when statements is null then 'select *, n as likely from ' || cover_values
             else {call _likely_values}
        end);
create or replace macro sqlanon._weights_of(statements, candidate_weights, beliefs) as table
    from query(
        case when statements is null then 'from ' || candidate_weights
             else {call _believed_weights}
        end);
