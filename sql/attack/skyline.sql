-- The privacy skyline: how sure of a sensitive value somebody can be who has knowledge of three kinds (Chen,
-- LeFevre and Ramakrishnan 2007). About the target: l values that the target does not have. About others: the
-- values of k people. About both: m other people, none of these k, of whom it is known that if they have the
-- value, the target has it, too.
--
-- Here all are about one class of n rows, of which n_s have the value s. The worst l values are the most
-- frequent others, and the worst k people have others still. That leaves rest = n - n_s - (the l largest
-- counts of others) - k rows with which the target would not have s; and then none of the m has it, either.
-- So the odds against s are rest / n_s times the probability of that, a product over the m people. What
-- follows from knowledge of other classes is not worked out: background_knowledge does that for its kind.

-- The rows that the l values take which the target has not: the largest counts of other values.
create or replace macro sqlanon._lacked_rows(counts, value_rows, lacked) as
    coalesce(
        if(value_rows >= coalesce(counts[lacked + 1], 0),
           list_sum(counts[:lacked + 1]) - value_rows, list_sum(counts[:lacked])),
        0);

-- The probability that none of the m people has the value, if the target has not.
create or replace macro sqlanon._none_of_them(size, value_rows, known, implying) as
    coalesce(
        list_product(list_transform(range(1, least(implying, size) + 1), lambda person:
            greatest(size - known - value_rows - person, 0)::double / greatest(size - known - person, 1))),
        1);

create or replace macro sqlanon._skyline_confidence(size, counts, value_rows, lacked, known, implying) as
    1 / (1 + greatest(size - value_rows - sqlanon._lacked_rows(counts, value_rows, lacked) - known, 0)
             / value_rows * sqlanon._none_of_them(size, value_rows, known, implying));

create or replace macro sqlanon._skyline_number(given, parameter) as
    sqlanon._whole_number_up_to(given, parameter, 1000000);

create or replace macro sqlanon.skyline(
    release, qi, sensitive, l := 1, k := 1, m := 1, value := null, weight := null,
    distinct_spellings := null, missing_counts := false) as table
    with _sqlanon_attacked as (
        from sqlanon._attacked_classes(
            release, qi, sensitive, weight, sqlanon._skyline_number(l, 'l') + 1, value::varchar,
            distinct_spellings, missing_counts)
    )
    from query(
        sqlanon._answer_about_classes(
            '_sqlanon_attacked', qi, sensitive, weight,
            sqlanon._fill('sqlanon._skyline_confidence(size, counts, learned_rows, {l}, {k}, {m})', map {
                'l': sqlanon._skyline_number(l, 'l')::varchar,
                'k': sqlanon._skyline_number(k, 'k')::varchar,
                'm': sqlanon._skyline_number(m, 'm')::varchar}),
            'learned_rows as value_rows'));

comment on macro table sqlanon.skyline is $$
Computes how sure of a sensitive value an adversary can be who finds the target in a class and knows three
kinds of facts, the worst there are: l values that the target does not have, the values of k other people, and
m further people of whom "if they have the value, the target has it, too" is true. One row per class and
sensitive column, for the most frequent value of the class, which is the worst, or for the one in value.

Parameters:
- release, qi, sensitive: as in homogeneity
- l (integer, 0 to 1000000; default 1): the number of values that the target is known not to have.
- k (integer, 0 to 1000000; default 1): the number of other people in the class whose values are known.
- m (integer, 0 to 1000000; default 1): the number of people in the class, not among the k, of whom the
  adversary only knows: if they have the value, the target has it, too.
- value (text; default null): the value in question; if not given, the most frequent one of each class.
- weight: as in homogeneity
- distinct_spellings, missing_counts: as in mondrian

Result:
- <qi>, size, sensitive: as in homogeneity
- learned (text): the value; NULL if no row of the class has the one in question.
- confidence (number, 0 to 1): the most that somebody can be sure of it.
- baseline, is_right, is_control: as in homogeneity
- value_rows (integer, rows): rows of the class with this value.

Errors: unknown column, empty table, a column in qi with the name of one that attack_summary reads, a value
that no row has, a weight as in classes.

Notes: each row counts as one person, as in homogeneity. All facts are about people of the same class.

Source: Chen, LeFevre and Ramakrishnan 2007 (privacy skyline).

Example:
from sqlanon.skyline('east', qi := ['age', 'zip'], sensitive := 'disease', l := 1, k := 0, m := 1);
$$;
