-- The minimality attack (Wong, Fu, Wang and Pei 2007): a method that generalizes no more than it must tells,
-- where it did generalize, that something less would have violated the model.
--
-- Strict Mondrian tries to cut every class on every attribute. An adversary who knows the quasi-identifiers
-- of everybody in the release repeats its cuts. Where a class still has one with at least k rows in both
-- halves, the sensitive values must have been against it. So of all ways to split the values of the class
-- between the halves only those count in which a half violates the model; all of these are equally likely.
-- The credibility of a value, for somebody in a half, is its expected share of that half among them. A
-- release is m-confidential if none is above 1 / m.
--
-- A method that decides by the quasi-identifiers alone (k-anonymity) is immune to this attack. But its
-- release tells something else: in a class of n >= 2k rows every attribute has a raw value that at least n -
-- 2 (k - 1) rows share. For before and after the value in the middle there are fewer than k rows each, or the
-- class would have been cut there. Where other requirements have prevented a cut, or hierarchies, less holds:
--   * Under l or alpha it holds with K for k, the least rows that are enough for both whatever values they
--     have: more than the l - 1 most frequent values of the class together, and the count of the most
--     frequent one divided by alpha. Halves of K rows or more would have been made. With k itself it fails:
--     16 rows, half of which have 1 of 2 values, half the other, may be left whole under l = 2.
--   * A part is cut into all children of its node at once. So in an attribute with a hierarchy, where the
--     class has more than one child of its node, it has one with fewer than K of its rows. The others may
--     have as many rows each as they like, so that no value needs to be that of n - 2 (k - 1).
--
-- Splits are counted value by value, for everything that depends on how often each value occurs alone:
-- classes with the same counts and halves are one problem. Attributes are looked at one by one; that several
-- cuts failed together would tell more.

-- SPLITS

-- How likely m of c rows are in the first half, if every row is there with probability p. With p the share of
-- that half, sums over the splits of n_1 and n_2 rows are in proportion to the numbers of these splits, and
-- no number is too large.
create or replace macro sqlanon._split_weight(c, m, p) as
    exp(lgamma(c + 1) - lgamma(m + 1) - lgamma(c - m + 1) + m * ln(p) + (c - m) * ln(1 - p));

-- Problems with one of their values marked, which is split last: number, problem, n_1, n_2, marked (its
-- rows), rest (a list, the rows of the other values). problems: problem, counts (a list, the rows of each
-- value), n_1, n_2 (the rows of the halves).
create or replace macro sqlanon._marked_problems(problems) as table
    with marked as (
        select *, unnest(list_distinct(counts)) as marked from query_table(problems)
    )
    select (row_number() over ())::integer as number, problem, n_1::bigint as n_1, n_2::bigint as n_2,
           marked::bigint as marked,
           list_concat(counts[:list_position(counts, marked) - 1],
                       counts[list_position(counts, marked) + 1:]) as rest
    from marked;

-- The next value is split in all ways that leave room for the others. State: number, step, taken_1, taken_2
-- (rows so far in each half), values_1, values_2 (their distinct values, at most l), is_above (is a share of
-- one above alpha), weight.
create or replace macro sqlanon._split_next(state, marked_problems, l, alpha) as table
    with way as (
        select number, step, taken_1, taken_2, values_1, values_2, is_above, weight, n_1, n_2,
               rest[step + 1] as c,
               unnest(range(greatest(0, rest[step + 1] - n_2 + taken_2),
                            least(rest[step + 1], n_1 - taken_1) + 1)) as m
        from query_table(state) join query_table(marked_problems) using (number) where step < len(rest)
    ),
    split as (
        select number, step + 1 as step, (taken_1 + m)::bigint as taken_1,
               (taken_2 + c - m)::bigint as taken_2,
               least(values_1 + (m > 0)::integer, l)::integer as values_1,
               least(values_2 + (m < c)::integer, l)::integer as values_2,
               is_above or not (sqlanon._at_most(m / n_1, alpha) and sqlanon._at_most((c - m) / n_2, alpha))
                   as is_above,
               weight * sqlanon._split_weight(c, m, n_1 / (n_1 + n_2)) as weight
        from way
    )
    select number, step, taken_1, taken_2, values_1, values_2, is_above,
           list_sum(list_sort(list(weight))) as weight
    from split group by all;

-- What a value with so many rows is worth in each half, if one of them violates the model: problem, marked
-- (rows of the value), credibility_1, credibility_2; NULL where no split does. l: distinct values that a half
-- must have; alpha: the largest share that a value may have.
create or replace macro sqlanon._credibilities(problems, l, alpha) as table
    with recursive _sqlanon_marked as materialized (from sqlanon._marked_problems(problems)),
    _sqlanon_split as (
        select number, 0 as step, 0::bigint as taken_1, 0::bigint as taken_2, 0 as values_1, 0 as values_2,
               false as is_above, 1::double as weight
        from _sqlanon_marked
        union all
        from sqlanon._split_next('_sqlanon_split', '_sqlanon_marked', l, alpha)
    ),
    whole as (
        select problem, marked, n_1, n_2, n_1 - taken_1 as m,
               weight * sqlanon._split_weight(marked, n_1 - taken_1, n_1 / (n_1 + n_2)) as weight,
               is_above or values_1 + (taken_1 < n_1)::integer < l or values_2 + (taken_2 < n_2)::integer < l
               or not (sqlanon._at_most((n_1 - taken_1) / n_1, alpha)
                       and sqlanon._at_most((n_2 - taken_2) / n_2, alpha)) as is_violated
        from _sqlanon_split join _sqlanon_marked using (number) where step = len(rest)
    ),
    expected as (
        select problem, marked, n_1, n_2,
               list_sum(list(m * weight order by m, weight) filter (is_violated))
               / list_sum(list(weight order by m, weight) filter (is_violated)) as m
        from whole group by problem, marked, n_1, n_2
    )
    select problem, marked, m / n_1 as credibility_1, (marked - m) / n_2 as credibility_2 from expected;

-- CUTS THAT FAILED

-- The order of the raw values, by which Mondrian cuts: d, string (the value as text), code.
create or replace macro sqlanon._value_order(targets, qi) as table
    from query(sqlanon._each_filled(qi, $$
        select {i} as d, value::varchar as string, row_number() over (order by value nulls first) as code
        from (select distinct {c} as value from {targets})
    $$, ' union all '));

-- Where targets are: target, class_id, people, d, code (of their value). Only of classes in which exactly as
-- many people were found as they have rows, and nobody who was found in another, too.
create or replace macro sqlanon._people_of_classes(
    release_classes, target_combinations, located, value_order, qi) as table
    with placed as (
        select *, count(*) over (partition by target) as classes
        from query_table(located) join (select target, people from query_table(target_combinations))
            using (target)
    ),
    complete as (
        select class_id
        from (select class_id, sum(people) as people, max(classes) as classes from placed group by class_id)
        join query_table(release_classes) using (class_id)
        where people = size and classes = 1
    ),
    cell as (
        from query(sqlanon._each_filled(
            qi, 'select target, {i} as d, v{i} as string from {targets}',
            map {'targets': target_combinations}, ' union all '))
    )
    select target, class_id, people, cell.d, code
    from placed
    join complete using (class_id)
    join cell using (target)
    join query_table(value_order) as value_order
      on value_order.d = cell.d and value_order.string is not distinct from cell.string;

-- The cuts that classes still have, with at least k rows in both halves: class_id, d, cut (the last code of
-- the first half), n_1, n_2.
create or replace macro sqlanon._cuts_left(people_of_classes, k) as table
    with _sqlanon_choice as materialized (
        select *, row_number() over (order by class_id, d) as number, null::integer as level,
               (sum(size) over (order by class_id, d rows unbounded preceding) - size)::bigint as base
        from (
            select class_id, d, sum(people)::bigint as size
            from query_table(people_of_classes) group by class_id, d having sum(people) >= 2 * k
        )
    ),
    _sqlanon_count as materialized (
        select number, code, sum(people)::bigint as weight
        from query_table(people_of_classes) join _sqlanon_choice using (class_id, d) group by number, code
    ),
    half as (from sqlanon._halves('_sqlanon_choice', '_sqlanon_count') where smallest >= k)
    select class_id, d, cut, sum(weight) filter (code <= cut)::bigint as n_1,
           sum(weight) filter (code > cut)::bigint as n_2
    from half join _sqlanon_choice using (number) join _sqlanon_count using (number)
    group by class_id, d, cut;

-- The values of classes with such cuts, unless they have more than 300 rows or a missing value, of which a
-- requirement asks otherwise than of others: class_id, d, counts (a sorted list), n_1, n_2, problem (a
-- number, the same for the same counts and halves).
create or replace macro sqlanon._problems_of_cuts(cuts_left, class_values) as table
    with counted as (
        select class_id, list_sort(list(n)) as counts, bool_or(value is null) as has_missing
        from query_table(class_values) group by class_id
    )
    select class_id, d, cut, counts, n_1, n_2,
           dense_rank() over (order by counts, n_1, n_2)::integer as problem
    from query_table(cuts_left) join counted using (class_id) where n_1 + n_2 <= 300 and not has_missing;

-- The most credible value in each half of each such cut: class_id, d, cut, half (1 or 2), rows, best (rank,
-- value, is_null, credibility).
create or replace macro sqlanon._most_credible(problems_of_cuts, class_values, credibilities) as table
    with credible as (
        select class_id, d, cut, unnest([1, 2]) as half, unnest([n_1, n_2]) as rows, value, n,
               unnest([credibility_1, credibility_2]) as credibility
        from query_table(problems_of_cuts) as cut_left
        join query_table(class_values) using (class_id)
        join query_table(credibilities) as known
          on known.problem = cut_left.problem and known.marked = n
    )
    select class_id, d, cut, half, rows,
           min({'rank': -round(credibility, 12), 'value': coalesce(value, 'NULL'), 'is_null': value is null,
                'credibility': credibility}) as best
    from credible group by class_id, d, cut, half, rows;

-- PEOPLE

-- What is most credible of each target, over all attributes: target, best (value, credibility, d, half_size).
create or replace macro sqlanon._credible_of_targets(people_of_classes, most_credible) as table
    select target,
           min({'rank': best.rank, 'd': people.d, 'value': best.value, 'is_null': best.is_null,
                'credibility': best.credibility, 'half_size': half.rows}) as best
    from query_table(people_of_classes) as people
    join query_table(most_credible) as half
      on half.class_id = people.class_id and half.d = people.d and half.half = 1 + (code > cut)::integer
    group by target;

-- The class of each target: target, class_id, size, baseline, is_complete (was everybody in it found),
-- unfinished (were its splits too many).
create or replace macro sqlanon._classes_of_targets(
    located, release_classes, class_values, people_of_classes, cuts_left) as table
    with guess as (
        select class_id, max(n) / sum(n) as baseline from query_table(class_values) group by class_id
    ),
    complete as (select distinct class_id from query_table(people_of_classes)),
    large as (
        select distinct class_id from query_table(cuts_left)
        where n_1 + n_2 > 300
           or class_id in (select class_id from query_table(class_values) where value is null)
    )
    select target, any_value(class_id) as class_id, any_value(size) as size, any_value(baseline) as baseline,
           any_value(class_id in (select class_id from complete)) as is_complete,
           any_value(class_id in (select class_id from large)) as unfinished
    from query_table(located)
    join query_table(release_classes) using (class_id)
    join guess using (class_id)
    group by target having count(*) = 1;

-- No rows, or an error: nobody's class is known, or a class was left whole although nothing was against a
-- cut.
create or replace macro sqlanon._refuse_cuts(
    people_of_classes, problems_of_cuts, credibilities, targets, requirements, qi) as table
    select error('no class has exactly the people of ' || targets
                 || ' that it covers: the targets must be everybody in the release') as refused
    from query_table(people_of_classes) having count(*) = 0
    union all
    select error(sqlanon._moot(
               'the release is not one of strict Mondrian under ' || requirements || ': class ' || class_id
               || ' could be cut on ' || sqlanon._list(qi)[d] || ' into ' || n_1 || ' and ' || n_2
               || ' rows, whatever values are in which half')) as refused
    from query_table(problems_of_cuts) join query_table(credibilities) using (problem)
    where credibility_1 is null;

-- Whether what is learned is true: the value of a release and a true one, compared as values of a kind.
create or replace macro sqlanon._is_true(value, is_null, actual, common_kind) as
    case when is_null then sqlanon._comparable(actual, common_kind) is null
         else sqlanon._comparable(value, common_kind)
              is not distinct from sqlanon._comparable(actual, common_kind)
    end;

-- All of it: a row per target.
create or replace macro sqlanon._minimality(
    release, targets, record_id, qi, sensitive, least, l, alpha, truth, weight, requirements,
    distinct_spellings) as table
    with _sqlanon_released as materialized (from sqlanon._source(release, qi, [sensitive], weight)),
    _sqlanon_release_class as materialized (from sqlanon._release_classes('_sqlanon_released', qi, weight)),
    _sqlanon_stated_value as materialized (
        from sqlanon._class_values('_sqlanon_released', '_sqlanon_release_class', qi, [sensitive], weight)
    ),
    _sqlanon_class_value as materialized (
        from sqlanon._read_class_values(
            '_sqlanon_stated_value', sqlanon._is_one_of(sensitive, distinct_spellings))
    ),
    _sqlanon_target as materialized (
        from sqlanon._source(targets, qi, [record_id] || sqlanon._list(truth))
    ),
    _sqlanon_combination as materialized (from sqlanon._target_combinations('_sqlanon_target', qi, null)),
    _sqlanon_person as materialized (
        from sqlanon._people('_sqlanon_target', record_id, truth, qi, null, '_sqlanon_combination')
    ),
    _sqlanon_located as materialized (
        from sqlanon._locate('_sqlanon_release_class', '_sqlanon_combination', null, qi)
    ),
    _sqlanon_order as materialized (from sqlanon._value_order('_sqlanon_target', qi)),
    _sqlanon_member as materialized (
        from sqlanon._people_of_classes(
            '_sqlanon_release_class', '_sqlanon_combination', '_sqlanon_located', '_sqlanon_order', qi)
    ),
    _sqlanon_cut as materialized (from sqlanon._cuts_left('_sqlanon_member', least)),
    _sqlanon_problem as materialized (
        from sqlanon._problems_of_cuts('_sqlanon_cut', '_sqlanon_class_value')
    ),
    _sqlanon_distinct_problem as materialized (
        select distinct problem, counts, n_1, n_2 from _sqlanon_problem
    ),
    _sqlanon_credibility as materialized (
        from sqlanon._credibilities('_sqlanon_distinct_problem', l, alpha)
    ),
    _sqlanon_most as materialized (
        from sqlanon._most_credible('_sqlanon_problem', '_sqlanon_class_value', '_sqlanon_credibility')
    ),
    _sqlanon_best as materialized (from sqlanon._credible_of_targets('_sqlanon_member', '_sqlanon_most')),
    _sqlanon_place as materialized (
        from sqlanon._classes_of_targets(
            '_sqlanon_located', '_sqlanon_release_class', '_sqlanon_class_value', '_sqlanon_member',
            '_sqlanon_cut')
    ),
    _sqlanon_refusal as materialized (
        from sqlanon._refuse_people('_sqlanon_person', targets, record_id)
        union all from sqlanon._refuse_empty('_sqlanon_release_class', release)
        union all from sqlanon._refuse_cuts(
            '_sqlanon_member', '_sqlanon_problem', '_sqlanon_credibility', targets, requirements, qi)
    ),
    _sqlanon_kind as (
        select coalesce(
                   sqlanon._common_kind(
                       (select any_value(kind) from _sqlanon_class_value),
                       (select any_value(kind) from sqlanon._truth_kinds('_sqlanon_target', truth))),
                   if(sqlanon._is_one_of(sensitive, distinct_spellings), 11, 10)) as common_kind
    )
    select who, best.value as learned, if(best.credibility > 1, 1, best.credibility) as confidence, baseline,
           case when truth is not null and best is not null
                then sqlanon._is_true(best.value, best.is_null, actuals[1], common_kind) end as is_right,
           class_id, size, sqlanon._list(qi)[best.d] as attribute, best.half_size,
           coalesce(is_complete, false) as is_complete, coalesce(unfinished, false) as unfinished
    from _sqlanon_person
    left join _sqlanon_best using (target)
    left join _sqlanon_place using (target)
    cross join _sqlanon_kind
    where (select count(refused) from _sqlanon_refusal) = 0;

-- The text of a call of it, once what can be checked without the data is.
create or replace macro sqlanon._minimality_call(
    release, targets, id, qi, sensitive, k, l, alpha, truth, weight, distinct_spellings) as
    sqlanon._checked(qi, sensitive, null, null, weight)
    || {call _minimality:
        record_id := id, sensitive := text(sqlanon._learned_column(sensitive)),
        least := coalesce(sqlanon._whole_number(k, 'k'), error('k must be given: the rows of a class')),
        l := case when l is null and alpha is null
                  then error('minimality needs what kept Mondrian from cutting: give l or alpha. What k '
                             || 'alone decides depends on no sensitive value')
                  else coalesce(sqlanon._whole_number(l, 'l'), 1) end,
        alpha := coalesce(sqlanon._real_number(alpha, 'alpha', 0, false, 1, 'above 0 and at most 1'), 1),
        truth := case when len(sqlanon._list(truth)) > 1
                      then error('truth names one column, not ' || len(sqlanon._list(truth)))
                      else sqlanon._list(truth)[1] end,
        requirements := 'k = ' || k || coalesce(', l = ' || l, '') || coalesce(', alpha = ' || alpha, '')};

create or replace macro sqlanon.minimality(
    release, targets, id, qi, sensitive, k, l := null, alpha := null, truth := null,
    weight := null, distinct_spellings := null) as table
    from query(
        'select who as ' || sqlanon._quote(id)
        || ', learned, confidence, baseline, is_right, false as is_control, class_id, size, attribute, '
        || 'half_size, is_complete, unfinished from ('
        || sqlanon._minimality_call(
            release, targets, id, qi, sensitive, k, l, alpha, truth, weight, distinct_spellings) || ')');

comment on macro table sqlanon.minimality is $$
Attacks strict Mondrian by what it has not cut: if a class was not cut although it is large enough, the reason
must be its sensitive values. One row per target.

Parameters:
- release (table): a release of mondrian, with the columns in qi and sensitive; made without hierarchies, a
  population or a target.
- targets (table): everybody in the release, with raw values in qi, and the column id.
- id (column): of targets, identifies the person; each person must be there once.
- qi (columns): all quasi-identifiers of the release.
- sensitive (column): the column to be learned.
- k (integer, at least 1): the k of the release.
- l (integer, at least 1; default null): the l of the release, if it was required.
- alpha (number, above 0 and at most 1; default null): the alpha of the release, if it was required. One of l
  and alpha must be given.
- truth (column; default null): of targets, their true values.
- weight (column; default null): of the release, says how many people each row stands for, as in classes.
- distinct_spellings: as in mondrian

Result:
- <id> (unchanged): the target.
- learned (text): the most probable value; NULL: no cut of the class failed because of its sensitive values.
- confidence (number, 0 to 1): its probability (credibility in the paper).
- baseline (number, 0 to 1): the share of the most frequent value of the class.
- is_right (boolean): with truth: is it true? NULL otherwise.
- is_control (boolean): false: everybody is in the release.
- class_id (integer): the number of the class, as in classes; NULL: the target is in no class, or in several.
- size (integer, rows): the size of the class.
- attribute (text): the quasi-identifier of the failed cut that reveals most.
- half_size (integer, rows): the size of the half that the target would be in.
- is_complete (boolean): true if as many people were found in the class as it has rows. If not, nothing is
  learned.
- unfinished (boolean): true if cuts of the class failed, but were not evaluated because it has more than 300
  rows, or a missing value.

Errors: unknown column, no targets, a target twice, an empty release, targets that are not everybody in the
release, a release that strict Mondrian would not have made under these requirements, a weight as in classes.

Notes: a release is m-confidential if no confidence is above 1 / m. Every failed cut is evaluated alone. Raw
values must have the types that they had when the release was made: cuts depend on their order. If other
requirements than these prevented cuts, the result is wrong, or the call fails.

Source: Wong, Fu, Wang and Pei 2007 (credibility, m-confidentiality).

Example:
with released as (
    from sqlanon.mondrian('people', qi := 'age', sensitive := 'disease', k := 2, l := 3)
)
from sqlanon.minimality('released', targets := 'people', id := 'name', qi := 'age', sensitive := 'disease',
                        k := 2, l := 3, truth := 'disease');
$$;
