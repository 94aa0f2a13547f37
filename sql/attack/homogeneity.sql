-- Homogeneity: where all rows of a class have one sensitive value, everybody's value is known, however large
-- the class is (Machanavajjhala et al. 2007). What all attacks on the classes of one release have in common
-- is also in this file: the adversary knows which class the target is in.

-- An empty text, or an error where the columns make no sense.
create or replace macro sqlanon._class_attack_checked(qi, sensitive, weight) as
    sqlanon._checked(qi, sensitive, null, null, weight)
    || if(len(sqlanon._list(sensitive)) = 0,
          error('sensitive names no column: give at least one sensitive column of the release'), '');

-- Histograms as an attack reads them, a row per class_id and attribute: size, distinct_values, counts (the
-- largest ones first, so many of them), learned (the most frequent value, or the one in question, as text;
-- NULL if no row has it), learned_rows (that have it), baseline (its share of the whole table).
create or replace macro sqlanon._class_counts(
    cells, distinct_histograms, sensitive_values, largest, value_in_question) as table
    with spelled as (
        select attribute, code, coalesce(min(sqlanon._unless_missing(value)), 'NULL') as spelling,
               coalesce(bool_or(coalesce(value, 'NULL') = value_in_question), value_in_question is null)
                   as in_question
        from query_table(sensitive_values) group by attribute, code
    ),
    missing as (
        select class_id, attribute, coalesce(sum(n) filter (code < 0), 0) as missing,
               max(sqlanon._rank_of_count(n, code)) filter (code >= 0) as highest
        from query_table(cells) group by class_id, attribute
    ),
    -- missing ones count with the most frequent value
    cell as (
        select class_id, attribute, code,
               (n + if(sqlanon._rank_of_count(n, code) = highest, missing, 0))::bigint as n,
               spelling, in_question
        from query_table(cells)
        join missing using (class_id, attribute)
        join spelled using (attribute, code)
        where code >= 0 or highest is null
    ),
    share as (
        select attribute, code, sum(n * class_count) as held,
               sum(held) over (partition by attribute) as everybody
        from query_table(cells) join query_table(distinct_histograms) using (class_id)
        group by attribute, code
    ),
    class as (
        select class_id, attribute, sum(n)::bigint as size, count(*) as distinct_values,
               list_reverse_sort(list(n))[:largest] as counts,
               min({'fewer': -n, 'code': code, 'spelling': spelling})
                   filter (in_question) as guess
        from cell group by class_id, attribute
    )
    select class_id, class.attribute, size, distinct_values, counts, guess.spelling as learned,
           -guess.fewer as learned_rows, held / everybody as baseline
    from class left join share on share.attribute = class.attribute and share.code = guess.code;

-- No rows, or an error where nobody has the value in question.
create or replace macro sqlanon._refuse_absent_value(sensitive_values, value_in_question) as table
    select error('no row of the release has the value ' || value_in_question) as refused
    from query_table(sensitive_values)
    where attribute > 0 and value_in_question is not null
    having count(*) > 0 and not bool_or(coalesce(value, 'NULL') = value_in_question);

-- The classes of a release, a row per class and sensitive column: q1, q2, ..., attribute, and the columns of
-- _class_counts but for class_id.
create or replace macro sqlanon._attacked_classes(
    release, qi, sensitive, weight, largest, value_in_question := null, distinct_spellings := null,
    missing_counts := false) as table
    with _sqlanon_source as materialized (from sqlanon._source(release, qi, sensitive, weight)),
    _sqlanon_combination as materialized (
        from sqlanon._combinations('_sqlanon_source', qi, sensitive, weight)
    ),
    _sqlanon_sensitive_combination as materialized (
        from sqlanon._sensitive_combinations(
            '_sqlanon_combination', sensitive, sqlanon._list(distinct_spellings),
            coalesce(missing_counts::boolean, false))
    ),
    _sqlanon_sensitive_value as materialized (
        from sqlanon._sensitive_values('_sqlanon_sensitive_combination', sensitive)
    ),
    _sqlanon_class as materialized (
        from sqlanon._classes('_sqlanon_combination', '_sqlanon_sensitive_combination', qi, sensitive)
    ),
    _sqlanon_distinct as materialized (from sqlanon._distinct_histograms('_sqlanon_class')),
    _sqlanon_cell as (
        select * from sqlanon._cells('_sqlanon_distinct', '_sqlanon_sensitive_value')
        where attribute > 0 and not sqlanon._is_as_written(attribute)
    ),
    _sqlanon_count as (
        from sqlanon._class_counts(
            '_sqlanon_cell', '_sqlanon_distinct', '_sqlanon_sensitive_value', largest, value_in_question)
    ),
    _sqlanon_refusal as (
        from sqlanon._refuse_empty('_sqlanon_combination', release)
        union all from sqlanon._refuse_absent_value('_sqlanon_sensitive_value', value_in_question)
    )
    select class.* exclude (size, histogram), counted.* exclude (class_id)
    from _sqlanon_class as class
    join _sqlanon_distinct using (histogram)
    join _sqlanon_count as counted using (class_id)
    union all by name
    select refused::bigint as size from _sqlanon_refusal;

-- The first of the columns in qi that has the name of one that attack_summary reads of an answer, or NULL.
create or replace macro sqlanon._named_as_answer(qi) as
    list_filter(sqlanon._list(qi), lambda name: list_contains(
        ['size', 'learned', 'confidence', 'baseline', 'is_right', 'is_control', 'upper_end'],
        lower(name)))[1];

-- An empty text, or an error where there is one.
create or replace macro sqlanon._answer_names_checked(qi) as
    coalesce(
        error('a column in qi is named ' || sqlanon._named_as_answer(qi)  -- error(NULL) is none
              || ', as one of the answer: rename it'), '');

-- The answer of an attack on classes, as the text of a SELECT over them. confidence: the text of an
-- expression; more: those of the columns that only this attack has.
create or replace macro sqlanon._answer_about_classes(
    classes, qi, sensitive, weight, confidence, more) as
    sqlanon._class_attack_checked(qi, sensitive, weight)
    || sqlanon._answer_names_checked(qi) || sqlanon._fill($$
        select {qi}, size, ({names})[attribute] as sensitive, learned, {confidence} as confidence, baseline,
               null::boolean as is_right, null::boolean as is_control, {more}
        from {classes}
    $$, map {'qi': sqlanon._each(qi, 'q{i} as {c}', ', '), 'names': sqlanon._names(sensitive)});

create or replace macro sqlanon.homogeneity(
    release, qi, sensitive, weight := null, distinct_spellings := null, missing_counts := false) as table
    with _sqlanon_attacked as (
        from sqlanon._attacked_classes(
            release, qi, sensitive, weight, 1, null, distinct_spellings, missing_counts)
    )
    from query(
        sqlanon._answer_about_classes(
            '_sqlanon_attacked', qi, sensitive, weight, 'learned_rows / size', 'distinct_values'));

comment on macro table sqlanon.homogeneity is $$
Finds what an adversary learns about everybody in a class of a release: one row per class and sensitive
column. If all rows of a class have the same value, it is certain.

Parameters:
- release (table): a release with one row per person.
- qi (columns): the quasi-identifiers of the release.
- sensitive (columns): the columns to be learned.
- weight (column; default null): how many people each row stands for, as in classes.
- distinct_spellings, missing_counts: as in mondrian

Result:
- <qi> (unchanged): the quasi-identifiers of the class.
- size (integer, rows): the size of the class.
- sensitive (text): the name of the sensitive column.
- learned (text): the most frequent value of the class, of equally frequent ones the first; NULL as a text
  where all are missing.
- confidence (number, 0 to 1): its share of the class, missing values included.
- baseline (number, 0 to 1): its share of the release.
- is_right (boolean): NULL: not known.
- is_control (boolean): NULL: not known.
- distinct_values (integer): the number of different values in the class: spellings are one, and a missing
  value is none unless all are missing.

Errors: unknown column, empty table, a column in qi with the name of one that attack_summary reads, a weight
as in classes.

Notes: each row counts as one person, or as many as weight says. If people have several rows, the true risk is
higher: use privacy and violations with unit, which count people. attack_summary, with size as weight,
summarizes the result.

Source: Machanavajjhala, Kifer, Gehrke and Venkitasubramaniam 2007 (homogeneity attack).

Example:
from sqlanon.homogeneity('east', qi := ['age', 'zip'], sensitive := 'disease');
$$;
