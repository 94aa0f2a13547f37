-- Four questions about a release of any kind: can somebody be singled out, can records be linked, can
-- something be inferred (Article 29 Working Party, opinion 05/2014, sec. 2.2), and can one tell who was in?
-- Each is an attack on people of the original and on people who were held out, who show how much of its
-- success is due to the release.

-- The people who are asked about: the columns, _sqlanon_person (a number), _sqlanon_out (true: held out). Of
-- each table so many at most, drawn by lot, the same in every run.
create or replace macro sqlanon._people_of_both(original, held_out, columns, sample) as table
    from query(sqlanon._fill($$
        select row_number() over () as _sqlanon_person, *
        from (
            (select {each columns: src.{c}}, false as _sqlanon_out from {own} as src
             order by hash({texts}), {order} limit {sample})
            union all by name
            (select {each columns: src.{c}}, true as _sqlanon_out from {others} as src
             where {there_are_others} order by hash({texts}), {order} limit {sample})
            union all by name
            (select error('table ' || {original} || ' is empty: it has 0 rows')::boolean as _sqlanon_out
             where not exists (from {own}))
            union all by name
            (select error('table ' || {held_out} || ' is empty: it has 0 rows')::boolean as _sqlanon_out
             where not exists (from {others}))
        )
    $$, map {
        'own': sqlanon._projected(original, columns, null, null), 'sample': sample::varchar,
        'others': sqlanon._projected(coalesce(held_out, original), columns, null, null),
        'there_are_others': (held_out is not null)::varchar,
        'original': sqlanon._literal(original), 'held_out': sqlanon._literal(coalesce(held_out, original)),
        'texts': sqlanon._each(columns, 'src.{c}::varchar', ', '),
        'order': sqlanon._each(columns, 'src.{c}::varchar', ', ')}));

-- The answer of an attack as one row: question, attribute, people, success, control, risk, low, high (of the
-- risk), unfinished (shares). answer: as in an attack; controls: a list, of none or one.
create or replace macro sqlanon._answer_to_question(question, attribute, answer, with_controls) as table
    with measure as materialized (from sqlanon.attack_summary(answer)),
    measured as (
        select any_value(value) filter (id = 'subjects') as people,
               any_value(value) filter (id = 'right_of_all') as success,
               any_value(value) filter (id = 'learned') / 100
                   * any_value(value) filter (id = 'right') as alone,
               any_value(value) filter (id = 'right_of_all_controls') as control,
               any_value(value) filter (id = 'baseline') as baseline,
               any_value(value) filter (id = 'beyond_controls') as risk,
               any_value(low) filter (id = 'beyond_controls') as low,
               any_value(high) filter (id = 'beyond_controls') as high,
               any_value(value) filter (id = 'unfinished') as unfinished
        from measure
    )
    select question as asks, attribute as about, people::bigint as people,
           if(with_controls, success, coalesce(alone, 0)) as success, control, baseline, risk, low, high,
           coalesce(unfinished, 0) as unfinished
    from measured;

-- What is asked, one text per attack: each is a SELECT of the columns of _answer_to_question.
create or replace macro sqlanon._question_about(question, attribute, answer, with_controls) as
    'from (with answered as materialized (' || answer || ') '
    || 'from sqlanon._answer_to_question(' || sqlanon._literal(question) || ', '
    || sqlanon._optional(attribute) || ', ''answered'', ' || with_controls::varchar || '))';

-- The texts of the first three, one per row of the answer. asked: a relation as in _people_of_both.
-- sensitive: the columns to be inferred. controls: a list, of none or one.
create or replace macro sqlanon._questions_asked(
    release, asked, columns, sensitive, hierarchies, comparisons, controls) as
    [sqlanon._question_about(
        'Can somebody be singled out?', null,
        {call _singling_out:
            targets := asked, id := '_sqlanon_person', known := columns, width := text(len(columns)::varchar),
            attempts := 100000, controls := text(sqlanon._names_of(controls))},
        len(controls) > 0)]
    || if(len(columns) < 2, [],
        [sqlanon._question_about(
            'Can records be linked?', null,
            {call _nearest_linkage:
                targets := asked, id := '_sqlanon_person',
                here := text(sqlanon._names_of(columns[:(len(columns) + 1) // 2])),
                there := text(sqlanon._names_of(columns[(len(columns) + 1) // 2 + 1:])),
                controls := text(sqlanon._names_of(controls)), comparisons := text(comparisons::varchar)},
            len(controls) > 0)]
        || list_transform(sensitive, lambda guessed:
            sqlanon._question_about(
                'Can something be inferred?', guessed,
                {call _nearest_inference:
                    targets := asked, id := '_sqlanon_person',
                    known := text(sqlanon._names_of(list_filter(columns, lambda other:
                        lower(other) <> lower(guessed)))),
                    sensitive := text(sqlanon._literal(guessed)),
                    truth := text(sqlanon._names_of([guessed])), within := text('null'),
                    agreeing := text('false'), controls := text(sqlanon._names_of(controls)),
                    comparisons := text(comparisons::varchar)},
                len(controls) > 0)));

-- Who was in it: found at 1 % false alarms, beside that 1 %.
create or replace macro sqlanon._question_of_membership(measures) as table
    select 'Can one tell who was in?' as asks, null::varchar as about,
           any_value(value) filter (id = 'subjects')::bigint as people,
           any_value(value) filter (id = 'found_1') as success, 1 as control, 1 as baseline,
           any_value(value) filter (id = 'found_1') - 1 as risk,
           any_value(low) filter (id = 'found_1') - 1 as low,
           any_value(high) filter (id = 'found_1') - 1 as high,
           coalesce(any_value(value) filter (id = 'unfinished'), 0) as unfinished
    from query_table(measures);

create or replace macro sqlanon._four_questions(
    release, original, held_out, columns, sensitive, hierarchies, sample, comparisons) as table
    with _sqlanon_asked as materialized (
        from sqlanon._people_of_both(original, held_out, columns, sample)
    ),
    _sqlanon_answer as (
        from query(array_to_string(
            sqlanon._questions_asked(
                release, '_sqlanon_asked', columns, sensitive, hierarchies, comparisons,
                if(held_out is null, [], ['_sqlanon_out'])), ' union all '))
    ),
    _sqlanon_membership as materialized (
        from query(
            sqlanon._if_given(
                held_out,
                'null::varchar as id, null::double as value, null::double as low, null::double as high',
                {call _membership:
                    targets := '_sqlanon_asked', id_column := '_sqlanon_person', known := columns,
                    controls := '_sqlanon_out', comparisons := text(comparisons::varchar)}))
    )
    select asks as question, about as attribute, people, success, control, baseline, risk, low, high,
           unfinished
    from (
        from _sqlanon_answer
        union all
        from sqlanon._question_of_membership('_sqlanon_membership') where people is not null
    );

-- An empty text, or an error for columns that cannot be asked about. (Python checks them so, and runs each
-- attack as a statement of its own: in one with all of them most of the time goes to planning.)
create or replace macro sqlanon._questions_checked(columns, sensitive) as
    case when len(sqlanon._list(columns)) = 0
         then error('columns names no column: give at least one that both tables have')
         when len(list_filter(sqlanon._list(sensitive), lambda guessed:
                      not list_contains(sqlanon._lower(sqlanon._list(columns)), lower(guessed)))) > 0
         then error('sensitive must be among columns: they are what an adversary may know or learn')
         else sqlanon._checked(columns, null, null) end;

-- The columns of the answer, and no row.
create or replace macro sqlanon._no_answers() as table
    select null::text as question, null::text as attribute, null::bigint as people,
           null::double as success, null::double as control, null::double as baseline, null::double as risk,
           null::double as low, null::double as high, null::double as unfinished
    where false;

create or replace macro sqlanon.four_questions(
    release, original, columns, held_out := null, sensitive := null, hierarchies := null, sample := 2000,
    comparisons := 2000000000) as table
    from query(
        sqlanon._questions_checked(columns, sensitive)
        || {call _four_questions:
            sensitive := if(len(sqlanon._list(sensitive)) = 0, sqlanon._list(columns),
                            sqlanon._list(sensitive)),
            sample := text(sqlanon._whole_given(sample, 'sample')::varchar),
            comparisons := text(sqlanon._comparisons(comparisons))});

comment on macro table sqlanon.four_questions is $$
Asks the four questions about a release of any kind: can somebody be singled out, can records be linked, can
something be inferred, can one tell who was in? One row per question, and per column for what is inferred.

Parameters:
- release (table): a release of any kind, such as classes, centroids, noise or synthetic rows.
- original (table): the raw rows of which the release was made, one per person.
- columns (columns): of all tables, the columns that an adversary may know or learn.
- held_out (table; default null): raw rows of people of the same kind who were not in the original. If not
  given, control, risk, low and high are NULL, and the last question is not asked.
- sensitive (columns; default null): those of columns that are inferred, each from all others. If not given,
  every column in turn.
- hierarchies: as in locate
- sample (integer, at least 1; default 2000): so many people of each table are attacked, drawn by lot, the
  same in every run; all if there are fewer.
- comparisons: as in nearest_linkage

Result:
- question (text): the question.
- attribute (text): the column that is inferred; NULL for other questions.
- people (integer): of so many people of the original.
- success (number, 0 to 100): for how many percent of them the attack is right. Who was in: how many percent
  are found at 1 % false alarms.
- control (number, 0 to 100): the same for people held out; who was in: 1 %.
- baseline (number, 0 to 100): a guess without the attack, expected right.
- risk (number, at most 100): the percentage beyond the control: beyond_controls of attack_summary; who was
  in: success - control.
- low (number): the lower end of a 95 % interval of the risk.
- high (number): the upper end.
- unfinished (number, 0 to 100): the percentage of people who were not compared with all rows.

Errors: unknown column, a column named twice, empty table, sensitive columns that are not in columns, a
hierarchy that is not a tree, infinity or NaN.

Notes: the attacks are singling_out (conditions on all columns), nearest_linkage (the first half of columns
known here, the others there), nearest_inference and membership. Run them by themselves for other columns and
settings. A risk whose interval includes 0 does not prove that there is none: other attacks may find more.

Source: Article 29 Working Party 2014, opinion 05/2014, sec. 2.2; Carlini et al. 2022, sec. 3 (true positives
at few false positives).

Example:
with original as (from people where age < 42), others as (from people where age >= 42)
from sqlanon.four_questions(
    'east', 'original', columns := ['age', 'zip', 'disease'], held_out := 'others', sensitive := 'disease');
$$;
