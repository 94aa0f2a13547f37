-- The attacks: which there are, and what an answer of each sums up to.
--
-- All of them but the intersection attack, which has breaches, answer in one form. The first columns say whom
-- or what a row is about; then come
--   * learned: what the adversary concludes, as text; NULL: nothing;
--   * confidence: the probability that this is true, as the adversary can work it out;
--   * baseline: the probability of the best guess without the attack;
--   * is_right: is what is learned true? NULL where the truth is not given. It may also be false where
--     nothing is learned, if the truth is known;
--   * is_control: true for people who are known not to be in the release. What is learned of them is not
--     due to the release. So they show how much of the success is, as insects that die unsprayed show what a
--     spray does (Abbott 1925);
-- and then what only this attack has.

-- Attacks that others have written, as their comments say in a block of four lines at most:
--     Attack:
--     - subject: person
--     - targets: some
--     - releases: 1
--     - weight: rows
-- targets may be left out where it takes none, releases where it takes any number, weight where a row is one.
create or replace macro sqlanon._plugged_attacks(public_macros) as table
    with block as (
        select macro, home, regexp_extract(trim(comment, e'\n'), '(?s)\n\nAttack:\n(.*?)(\n\n|$)', 1) as text
        from query_table(public_macros) where home is not null and contains(comment, e'\n\nAttack:')
    ),
    said as (
        select macro, home, len(string_split(text, e'\n')) as lines,
               map_from_entries(list_transform(
                   regexp_extract_all(text, '(?m)^- \w+: \w+$'),
                   lambda line: {
                       'k': regexp_extract(line, '\w+'), 'v': regexp_extract(line, '\w+$')})) as told
        from block
    ),
    checked as (
        select *, case
            when lines <> len(map_keys(told))
                 or len(list_filter(map_keys(told), lambda key:
                        key not in ('subject', 'targets', 'releases', 'weight'))) > 0
            then 'has lines that are not of the form - subject: person (or targets, releases, weight)'
            when coalesce(told['subject'], '') not in ('person', 'class', 'value', 'cell', 'condition', 'row')
            then 'must say its subject: person, class, value, cell, condition or row'
            when coalesce(told['targets'], 'all') not in ('some', 'all')
            then 'must say targets: some, or all, not ' || told['targets']
            when coalesce(told['releases'], '1') not in ('1', '2')
            then 'must say releases: 1, or 2, not ' || told['releases']
            end as problem
        from said
    )
    select macro, told['subject'], told['weight'], told['releases']::integer, told['targets'],
           'attack_summary', null, null, home
    from checked
    where problem is null or error('the block Attack in the comment on ' || macro || ' ' || problem);

-- The attacks of this library by their macros. subject: what a row of the answer is about; weight: the column
-- of the answer that says for how many people it stands, NULL for one; releases: how many a run takes, NULL
-- for any number; targets: which of them it must have, NULL where it takes none; summary: the macro with its
-- measures; refusal: one that tells at once, with an error, of some releases that the attack refuses, NULL
-- where there is none; premise: one that says why what the attack supposes of releases is not so. home: the
-- database and the schema of an attack that others have written, NULL of ours.
create or replace macro sqlanon._our_attacks() as table
    select *, null::text[] as home
    from (values
        ('background_knowledge', 'class', 'size', 1, null, 'attack_summary', null, null),
        ('complementary_release', 'row', 'rows', 2, null, 'attack_summary', null, '_rows_of_others'),
        ('correspondence', 'class', null, 2, null, 'attack_summary', '_refuse_lost_values', null),
        ('de_finetti', 'person', null, 1, 'all', 'attack_summary', null, null),
        ('differencing', 'cell', null, 1, null, 'attack_summary', null, null),
        ('downcoding', 'class', 'size', 1, null, 'attack_summary', null, null),
        ('exact_cover', 'person', null, null, 'all', 'attack_summary', null, null),
        ('facts_attack', 'person', null, null, null, 'attack_summary', null, null),
        ('forecast', 'class', 'size', 1, null, 'attack_summary', null, null),
        ('homogeneity', 'class', 'size', 1, null, 'attack_summary', null, null),
        ('insert_only', 'class', null, 2, null, 'attack_summary', '_refuse_lost_values', null),
        ('intersection_attack', 'person', null, null, 'some', 'breaches', null, null),
        ('joined_releases', 'value', 'rows', 2, null, 'attack_summary', null, null),
        ('linking', 'person', null, 1, 'some', 'attack_summary', null, null),
        ('minimality', 'person', null, 1, 'all', 'attack_summary', null, null),
        ('nearest_inference', 'person', null, 1, 'some', 'attack_summary', null, null),
        ('nearest_linkage', 'person', null, 1, 'some', 'attack_summary', null, null),
        ('noisy_counts_attack', 'person', null, null, 'some', 'attack_summary', null, null),
        ('singling_out', 'person', null, 1, 'all', 'attack_summary', null, null),
        ('skyline', 'class', 'size', 1, null, 'attack_summary', null, null),
        ('sparse_linkage', 'person', null, 1, 'some', 'attack_summary', null, null),
        ('trails', 'person', null, 1, 'all', 'attack_summary', null, null),
        ('unsorted_matching', 'row', null, 2, null, 'attack_summary', '_refuse_other_lengths', null)
    ) as attack(attack, subject, weight, releases, targets, summary, refusal, premise);

-- The same, and those that others have written. public_macros: those of _public_macros.
create or replace macro sqlanon._attacks_among(public_macros) as table
    from sqlanon._our_attacks() union all from sqlanon._plugged_attacks(public_macros);

create or replace macro sqlanon._attacks() as table
    with _sqlanon_public as (from sqlanon._public_macros())
    from sqlanon._attacks_among('_sqlanon_public');

-- What the macro takes that is called for an attack's measures, a row per parameter: attack, place (a number
-- to order them by), parameter, type, fallback (its default, NULL: it is needed). Where attack_summary sums
-- the attack up, that is its own macro. attacks: as in _attacks; lines: as in _help_lines, of parameters.
create or replace macro sqlanon._parameters_in_lines(attacks, lines) as table
    select attack, 100 * used.line + used.position as place, used.name as parameter, meant.type,
           meant.fallback
    from query_table(attacks)
    join query_table(lines) as used
      on used.macro = case when summary = 'attack_summary' then attack else summary end
    join query_table(lines) as meant
      on meant.macro = coalesce(used.referred, used.macro) and meant.name = used.name;

-- The attacks and their parameters, as the comments of macros say them: the first relations of what lists
-- attacks.
create or replace steps sqlanon._attacks_and_lines() as
    _sqlanon_public as materialized (from sqlanon._public_macros()),
    _sqlanon_block as materialized (from sqlanon._blocks_of_comments('_sqlanon_public')),
    _sqlanon_parameter_block as (from _sqlanon_block where kind = 'parameters'),
    _sqlanon_line as materialized (from sqlanon._lines_of_blocks('_sqlanon_parameter_block')),
    _sqlanon_attack as materialized (from sqlanon._attacks_among('_sqlanon_public')),
    _sqlanon_parameter as materialized (
        from sqlanon._parameters_in_lines('_sqlanon_attack', '_sqlanon_line'));

create or replace macro sqlanon._attack_parameters() as table
    with {steps _attacks_and_lines}
    from _sqlanon_parameter;

create or replace macro sqlanon.attacks() as table
    with {steps _attacks_and_lines},
    needed as (
        select attack, list(parameter order by place) as needs
        from _sqlanon_parameter where fallback is null group by attack
    ),
    described as (
        select macro as attack, sqlanon._first_sentence(text) as description
        from _sqlanon_block where place = 1
    ),
    source as (
        select macro as attack, replace(text, e'\n', ' ') as source from _sqlanon_block where kind = 'source'
    )
    select attack, subject, description, needs, source, weight, releases, targets, summary
    from _sqlanon_attack
    join described using (attack)
    left join needed using (attack)
    left join source using (attack)
    order by attack;

comment on macro table sqlanon.attacks is $$
Lists the attacks, one row each: what the attack does, which parameters it needs, and its paper.

Result:
- attack (text): the name of the macro.
- subject (text): what a row of its result is about: person, class, value, cell or row.
- description (text): what the attack does.
- needs (list of texts): the parameters that must be given.
- source (text): the paper.
- weight (text): the column of its result that says how many people a row stands for; NULL: one.
- releases (integer): the number of releases; NULL: any number, attacked together.
- targets (text): some: each target is attacked alone, so a sample of targets is enough; all: targets must be
  attacked together; NULL: no targets.
- summary (text): the macro that summarizes the attack: attack_summary, which reads its result, or another
  macro, which has the parameters of the attack.

Example:
from sqlanon.attacks();
$$;

-- A relation's columns as attack_summary reads them: learned, confidence, baseline, is_right, is_control, n
-- (subjects that a row stands for), is_unfinished (not all was looked at, as unfinished and is_complete say
-- in the answers that have them), not_asked (programs were not asked, as exact_cover says), upper_end (how
-- probable what is learned may be at most, in answers that have it), is_sample (of others, which are not
-- attacked; so unless the answer says it), person (the unit; NULL without one).
create or replace macro sqlanon._attacked_rows(answer, weight, unit) as table
    from query(sqlanon._fill($$
        select (learned is not null) as is_learned, confidence::double as confidence,
               baseline::double as baseline, is_right::boolean as is_right,
               coalesce(is_control::boolean, false) as is_control, {n} as n, {person} as person,
               coalesce(try_cast(unfinished as boolean), false)
                   or not coalesce(try_cast(is_complete as boolean), true) as is_unfinished,
               coalesce(try_cast(not_asked as boolean), false) as not_asked,
               try_cast(upper_end as double) as upper_end,
               coalesce(try_cast(is_sample as boolean), true) as is_sample
        from (
            from {answer}
            union all by name
            select null::boolean as unfinished, null::boolean as is_complete, null::double as upper_end,
                   null::boolean as not_asked, null::boolean as is_sample
            where false
        )
    $$, map {
        'n': coalesce(sqlanon._quote(weight) || '::bigint', '1'),
        'person': coalesce(sqlanon._quote(unit), 'null'),
        'answer': sqlanon._relation(answer)}));

-- The subjects of an attack: the columns of _attacked_rows without person. With a unit a subject is a person,
-- with what the surest of their rows says: one of which something is learned, then by confidence, then one of
-- which that is right. The upper end is the highest of all their rows.
create or replace macro sqlanon._attacked_subjects(answer, weight, unit) as table
    from query(
        {call _attacked_rows}
        || case when unit is null then ' select * exclude (person)'
                when weight is not null then sqlanon._error_of_unit_and_weight()
                else $$
            select unnest(arg_max(
                       {'is_learned': is_learned, 'confidence': confidence, 'baseline': baseline,
                        'is_right': is_right},
                       {'learned': is_learned, 'confidence': coalesce(confidence, 0),
                        'right': coalesce(is_right::integer, -1), 'rank': -coalesce(baseline, 0)})),
                   is_control, 1 as n, bool_or(is_unfinished) as is_unfinished,
                   bool_or(not_asked) as not_asked, bool_or(is_sample) as is_sample,
                   max(upper_end) filter (is_learned) as upper_end
            group by person, is_control
        $$ end);

-- What the attack reaches on those in the release, and on the controls: run (NULL), is_control, people,
-- learned (people of whom something is), sure_90, sure_95, sure_99, certain (people; all of them also by
-- upper ends), expected, expected_upper, baseline (averages over those of whom something is learned), bounded
-- (those of them who have an upper end), judged (those of whom the truth is known), correct, has_truth,
-- unfinished, not_asked, drawn (people: as a sample).
create or replace macro sqlanon._attack_rates(subjects) as table
    with subject as (
        select *, if(is_learned, confidence, null) + 1e-12 as sure,
               if(is_learned, greatest(confidence, upper_end), null) + 1e-12 as sure_upper
        from query_table(subjects) where n > 0
    )
    select null::integer as run, is_control, sum(n)::bigint as people,
           coalesce(sum(n) filter (is_learned), 0)::bigint as learned,
           coalesce(sum(n) filter (sure >= 0.9), 0)::bigint as sure_90,
           coalesce(sum(n) filter (sure >= 0.95), 0)::bigint as sure_95,
           coalesce(sum(n) filter (sure >= 0.99), 0)::bigint as sure_99,
           coalesce(sum(n) filter (sure >= 1), 0)::bigint as certain,
           coalesce(sum(n) filter (sure_upper >= 1), 0)::bigint as certain_upper,
           coalesce(sum(n) filter (sure_upper >= 0.9), 0)::bigint as sure_90_upper,
           coalesce(sum(n) filter (sure_upper >= 0.95), 0)::bigint as sure_95_upper,
           coalesce(sum(n) filter (sure_upper >= 0.99), 0)::bigint as sure_99_upper,
           sum(n * confidence) filter (is_learned) / sum(n) filter (is_learned) as expected,
           sum(n * greatest(confidence, upper_end)) filter (is_learned) / sum(n) filter (is_learned)
               as expected_upper,
           sum(n * baseline) filter (is_learned) / sum(n) filter (is_learned) as baseline,
           coalesce(sum(n) filter (is_learned and upper_end is not null), 0)::bigint as bounded,
           coalesce(sum(n) filter (is_learned and is_right is not null), 0)::bigint as judged,
           coalesce(sum(n) filter (is_learned and is_right), 0)::bigint as correct,
           count(is_right) > 0 as has_truth,
           coalesce(sum(n) filter (is_unfinished), 0)::bigint as unfinished,
           coalesce(sum(n) filter (not_asked), 0)::bigint as not_asked,
           coalesce(sum(n) filter (is_sample), 0)::bigint as drawn
    from subject group by is_control;

-- Shares of all people of whom it is known whether something true is learned of them: correct of tried.
-- Nothing learned is nothing true. One row, or none if there are no controls, or no truth.
create or replace macro sqlanon._tried_people(rates) as table
    with tried as (
        select is_control, correct, people - learned + judged as tried, has_truth from query_table(rates)
    )
    select attacked.correct, attacked.tried, control.correct as control_correct,
           control.tried as control_tried
    from (from tried where not is_control and tried > 0) as attacked,
         (from tried where is_control and tried > 0) as control
    where attacked.has_truth or control.has_truth;

-- How much of the success is the release's doing, as a share of what controls leave to be learned (Abbott
-- 1925): value, low, high. a and c are the shares of failures of those attacked and of controls, with their
-- Wilson intervals. The interval has every risk r that Newcombe's interval of a - (1 - r) * c (1998, method
-- 10) does not rule out: its ends are roots of two quadratic equations (Newcombe 2016, MOVER-R). So 0 is in
-- it just if it is in Newcombe's interval of the difference.
create or replace macro sqlanon._release_risk(tried_people) as table
    with failed as (
        select (tried - correct) / tried as a, tried,
               (control_tried - control_correct) / control_tried as c, control_tried
        from query_table(tried_people) where control_correct < control_tried
    ),
    around as (
        select a, c, sqlanon._interval(a, tried) as a_ends, sqlanon._interval(c, control_tried) as c_ends
        from failed
    ),
    terms as (
        select a, c, a * c as product,
               a_ends.low * (2 * a - a_ends.low) as a_low, a_ends.high * (2 * a - a_ends.high) as a_high,
               c_ends.low * (2 * c - c_ends.low) as c_low, c_ends.high * (2 * c - c_ends.high) as c_high
        from around
    )
    select 1 - a / c as value,
           1 - (product + sqrt(product * product - a_high * c_low)) / c_low as low,
           1 - coalesce(
               a_low / nullif(product + sqrt(greatest(product * product - a_low * c_high, 0)), 0), 0) as high
    from terms;

-- What those who are attacked give away, as shares: run (as in rates), place, id, measure, value, unit,
-- people (a sample, of whom the value is a share, or NULL), bounds (an interval of its own, or NULL).
create or replace macro sqlanon._shares_reached(rates) as table
    with of_attacked as (
        select run, unnest([
            {'place': 2, 'id': 'learned', 'measure': 'something is learned', 'value': learned / people,
             'people': people, 'subjects': 1},
            {'place': 3, 'id': 'certain', 'measure': 'it is certain', 'value': certain / people,
             'people': people, 'subjects': 1},
            {'place': 3.5, 'id': 'certain_upper', 'measure': 'it is certain, upper end',
             'value': certain_upper / people, 'people': people, 'subjects': bounded},
            {'place': 4, 'id': 'sure_99', 'measure': 'at least 99 % sure', 'value': sure_99 / people,
             'people': people, 'subjects': 1},
            {'place': 4.5, 'id': 'sure_99_upper', 'measure': 'at least 99 % sure, upper end',
             'value': sure_99_upper / people, 'people': people, 'subjects': bounded},
            {'place': 5, 'id': 'sure_95', 'measure': 'at least 95 % sure', 'value': sure_95 / people,
             'people': people, 'subjects': 1},
            {'place': 5.5, 'id': 'sure_95_upper', 'measure': 'at least 95 % sure, upper end',
             'value': sure_95_upper / people, 'people': people, 'subjects': bounded},
            {'place': 6, 'id': 'sure_90', 'measure': 'at least 90 % sure', 'value': sure_90 / people,
             'people': people, 'subjects': 1},
            {'place': 6.5, 'id': 'sure_90_upper', 'measure': 'at least 90 % sure, upper end',
             'value': sure_90_upper / people, 'people': people, 'subjects': bounded},
            {'place': 7, 'id': 'baseline', 'measure': 'guess without the attack, expected right',
             'value': baseline, 'people': null, 'subjects': learned},
            {'place': 8, 'id': 'expected_right', 'measure': 'what is learned, expected right',
             'value': expected, 'people': null, 'subjects': learned},
            {'place': 8.5, 'id': 'expected_right_upper',
             'measure': 'what is learned, expected right, upper end', 'value': expected_upper,
             'people': null, 'subjects': bounded},
            {'place': 9, 'id': 'right', 'measure': 'what is learned, right', 'value': correct / judged,
             'people': judged, 'subjects': judged},
            {'place': 16, 'id': 'unfinished', 'measure': 'not all was looked at',
             'value': unfinished / people, 'people': people, 'subjects': unfinished},
            {'place': 17, 'id': 'not_asked', 'measure': 'what several classes tell together was not asked',
             'value': not_asked / people, 'people': people, 'subjects': not_asked}
        ], recursive := true), drawn
        from query_table(rates) where not is_control
    )
    select run, place, id, measure, value, '%' as unit, if(drawn > 0, people, null) as people,
           null::struct(low double, high double) as bounds
    from of_attacked where subjects > 0;

-- The measures of those who are attacked: the same columns.
create or replace macro sqlanon._attack_measures(rates) as table
    select null::integer as run, 1 as place, 'subjects' as id, 'attacked' as measure,
           coalesce(max(people) filter (not is_control), 0)::double as value, 'people' as unit,
           null::bigint as people, null::struct(low double, high double) as bounds
    from query_table(rates)
    union all
    from sqlanon._shares_reached(rates);

-- Those of controls, and of both.
create or replace macro sqlanon._measures_with_controls(rates) as table
    with control as (from query_table(rates) where is_control),
    _sqlanon_tried as (from sqlanon._tried_people(rates))
    from sqlanon._attack_measures(rates)
    union all select null, 10, 'controls', 'controls', people, 'people', null, null from control
    union all select null, 11, 'learned_of_controls', 'something is learned of controls', learned / people,
                     '%', people, null
              from control
    union all select null, 12, 'right_of_controls', 'what is learned of controls, right', correct / judged,
                     '%', judged, null
              from control where judged > 0
    union all
    select null, unnest([13, 14]), unnest(['right_of_all', 'right_of_all_controls']),
           unnest(['right, of all who are attacked', 'right, of all controls']),
           unnest([correct / tried, control_correct / control_tried]), '%',
           unnest([tried, control_tried]), null
    from _sqlanon_tried
    union all select null, 15, 'beyond_controls', 'right beyond the controls', value, '%', null,
                     {'low': low, 'high': high}
              from sqlanon._release_risk('_sqlanon_tried');

-- The measures in percent, with 95 % intervals: run, place, and the columns of attack_summary. measures: as
-- of _attack_measures. (A macro of its own, because attack_summary has a parameter with the name of a
-- column.)
create or replace macro sqlanon._measures_with_intervals(measures) as table
    with bounded as (
        select *, case when unit = 'people' then 1 else 100 end as scale,
               case when bounds is not null then bounds
                    when people > 0 then sqlanon._interval(value, people) end as ends
        from query_table(measures)
    )
    select run, place, measure, scale * value as value, unit, scale * ends.low as low,
           scale * ends.high as high, id
    from bounded;

create or replace macro sqlanon.attack_summary(answer, weight := null, unit := null) as table
    with _sqlanon_subject as materialized (from sqlanon._attacked_subjects(answer, weight, unit)),
    _sqlanon_rate as materialized (from sqlanon._attack_rates('_sqlanon_subject')),
    _sqlanon_measure as (from sqlanon._measures_with_controls('_sqlanon_rate'))
    select * exclude (run, place) from sqlanon._measures_with_intervals('_sqlanon_measure') order by place;

-- The same in two steps, for many answers in which nobody is a control: to plan how one is counted, and then
-- how all of them are summed up, takes half of the time. What an answer comes to, as in _attack_rates:
create or replace macro sqlanon._rates_of_answer(answer, weight := null, unit := null) as table
    with _sqlanon_subject as (from sqlanon._attacked_subjects(answer, weight, unit))
    from sqlanon._attack_rates('_sqlanon_subject');

-- And their measures: run, id, measure, value, unit, low, high. rates: run (a number), and the other columns
-- of _rates_of_answer, NULL where an answer has no rows.
create or replace macro sqlanon._measures_of_runs(rates) as table
    with _sqlanon_rate as materialized (
        select run, is_control, expected::double as expected,
               expected_upper::double as expected_upper, baseline::double as baseline,
               columns(* exclude (run, is_control, has_truth, expected, expected_upper, baseline))::bigint
        from query_table(rates)
    ),
    _sqlanon_measure as (
        select run, 1 as place, 'subjects' as id, 'attacked' as measure, coalesce(people, 0)::double as value,
               'people' as unit, null::bigint as people, null::struct(low double, high double) as bounds
        from _sqlanon_rate
        union all
        from sqlanon._shares_reached('_sqlanon_rate')
    )
    select run, id, measure, value, unit, low, high
    from sqlanon._measures_with_intervals('_sqlanon_measure')
    order by run, place;

comment on macro table sqlanon.attack_summary is $$
Summarizes the result of an attack: one row per measure, including how often a guess without the attack is
right.

Parameters:
- answer (table): the result of an attack, with the columns learned, confidence, baseline, is_right and
  is_control, and perhaps upper_end.
- weight (column; default null): of answer, the number of people that a row is about; if not given, one.
- unit (column; default null): of answer, identifies the person of a row, if people can have several rows.
  Each person counts once, with the row of which the adversary is surest.

Result:
- measure (text): the title of the measure.
- value (number): its value, in the unit.
- unit (text): the unit: people or %.
- low (number): the lower end of a 95 % interval: Wilson's for shares, Newcombe's for beyond_controls. NULL
  where answer says that nobody else is left to be attacked (is_sample).
- high (number): the upper end.
- id (text): the measure: subjects, learned, certain, sure_99, sure_95, sure_90,
  baseline, expected_right, right, controls, learned_of_controls, right_of_controls, right_of_all,
  right_of_all_controls, beyond_controls, unfinished, not_asked, certain_upper, sure_99_upper, sure_95_upper,
  sure_90_upper, expected_right_upper.

Errors: unknown column; unit together with weight.

Notes: use breaches for the intersection attack. certain and sure_.. are shares of all people who are
attacked; baseline, expected_right and right are about those about whom something is learned. right needs the
truth. The measures that end in _upper are there if answer has upper_end: how probable the guess, or another
value, may be at most. Bounds must hold for them. right_of_all and right_of_all_controls (if there are
controls) are shares of all people whose truth is known; somebody about whom nothing is learned counts as not
right. beyond_controls is the risk that comes from the release: (right_of_all - right_of_all_controls) / (1 -
right_of_all_controls). It is about 100 % for a copy, and about 0 for a release of other people; below 0,
guesses about controls are better. If all guesses about controls are right, beyond_controls is missing.
unfinished, if there are any, is the share of those about whom more may be learned than the attack found (see
minimality and differencing), and not_asked of those of whom exact_cover did not ask what several classes
tell together.

Source: Abbott 1925 (risk beyond the controls); Wilson 1927; Newcombe 1998, method 10, and 2016 (intervals).

Example:
with answer as (
    from (values ('ann', 'flu', 1.0, 0.4, true, false), ('bob', null, null, 0.4, null, false))
        as row(name, learned, confidence, baseline, is_right, is_control)
)
from sqlanon.attack_summary('answer');
$$;
