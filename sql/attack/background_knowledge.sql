-- The worst that background knowledge discloses, per class and as a curve. sql/models/disclosures.sql says
-- what background knowledge is here, and how the worst is worked out.

-- The shapes of classes: shape_id, attribute, size, counts, class_count (the classes that have it).
create or replace macro sqlanon._class_shapes(attacked_classes) as table
    select row_number() over (order by attribute, size, counts) as shape_id, attribute, size, counts,
           count(*) as class_count
    from query_table(attacked_classes) group by attribute, size, counts;

-- Which knowledge is meant, as the name of a column of _disclosures.
create or replace macro sqlanon._kind_of_knowledge(knowledge) as
    case when knowledge in ('negations', 'implications') then knowledge
         else error('knowledge must be negations or implications, not ' || coalesce(knowledge, 'NULL')) end;

create or replace macro sqlanon.background_knowledge(
    release, qi, sensitive, k := 1, knowledge := 'implications', weight := null,
    distinct_spellings := null, missing_counts := false) as table
    with _sqlanon_attacked as materialized (
        from sqlanon._attacked_classes(
            release, qi, sensitive, weight, sqlanon._pieces(k, 'k') + 1, null, distinct_spellings,
            missing_counts)
    ),
    _sqlanon_shape as materialized (from sqlanon._class_shapes('_sqlanon_attacked')),
    _sqlanon_disclosure as (from sqlanon._disclosures('_sqlanon_shape', sqlanon._pieces(k, 'k'))),
    _sqlanon_disclosed as (
        select attacked.*, disclosure.* exclude (attribute, size, counts)
        from _sqlanon_attacked as attacked
        join _sqlanon_disclosure as disclosure using (attribute, size, counts)
    )
    from query(
        sqlanon._let(sqlanon._kind_of_knowledge(knowledge), lambda kind:
            sqlanon._answer_about_classes(
                '_sqlanon_disclosed', qi, sensitive, weight, kind || '[-1]',
                if(kind = 'implications', 'own_implications', 'negations') || '[-1] as alone')));

comment on macro table sqlanon.background_knowledge is $$
Computes how sure of a sensitive value an adversary can be who finds the target in a class and knows k more
facts, the worst there are: one row per class and sensitive column. maximum_disclosure returns the worst class
for each number of facts.

Parameters:
- release, qi, sensitive: as in homogeneity
- k (integer, 0 to 10; default 1): the number of facts (pieces of background knowledge).
- knowledge (one of negations, implications; default 'implications'): the kind of facts. negations: somebody
  does not have a certain value. implications, which include negations: if Bob has cancer, then Ann has the
  flu.
- weight: as in homogeneity
- distinct_spellings, missing_counts: as in mondrian

Result:
- <qi>, size, sensitive, learned: as in homogeneity
- confidence (number, 0 to 1): the highest possible probability of learned. Implications may be about people
  of this class and of others, whatever is worst.
- baseline, is_right, is_control: as in homogeneity
- alone (number, 0 to 1): the same, if all facts are about people of this class.

Errors: unknown column, empty table, a column in qi with the name of one that attack_summary reads, a weight
as in classes.

Notes: each row counts as one person, as in homogeneity. A release is (c, k)-safe if all confidences, with
implications, are below c. If a value is certain in one class, then with k = 1 every value is certain: Bob
must have cancer, and if Bob has cancer, then Ann has the flu. alone shows what a class reveals by itself.
With negations, all confidences are below c if and only if the release is recursively (c / (1 - c), k +
2)-diverse: require this of anonymizers with recursive_c and l.

Source: Martin, Kifer, Machanavajjhala, Gehrke and Halpern 2007 (worst-case background knowledge).

Example:
from sqlanon.background_knowledge('east', qi := ['age', 'zip'], sensitive := 'disease', k := 1);
$$;

-- The worst of all shapes for each number of pieces: attribute, knowledge, pieces, disclosure, certain (share
-- of the rows), shape_id (of several the first).
create or replace macro sqlanon._disclosure_curve(disclosures) as table
    with curve as (
        select attribute, shape_id, size * class_count as held,
               unnest(['negations', 'implications']) as knowledge,
               unnest([negations, implications]) as confidences
        from query_table(disclosures)
    ),
    point as (
        select * exclude (confidences), unnest(range(len(confidences))) as pieces,
               unnest(confidences) as confidence
        from curve
    )
    select attribute, knowledge, pieces, max(confidence) as disclosure,
           coalesce(sum(held) filter (confidence >= 1 - 1e-12), 0) / sum(held) as certain,
           arg_max(shape_id, (confidence, -shape_id)) as shape_id
    from point group by attribute, knowledge, pieces;

create or replace macro sqlanon.maximum_disclosure(
    release, qi, sensitive, k := 5, weight := null, distinct_spellings := null,
    missing_counts := false) as table
    with _sqlanon_attacked as materialized (
        from sqlanon._attacked_classes(
            release, qi, sensitive, weight, sqlanon._pieces(k, 'k') + 1, null, distinct_spellings,
            missing_counts)
    ),
    _sqlanon_shape as materialized (from sqlanon._class_shapes('_sqlanon_attacked')),
    _sqlanon_disclosure as materialized (
        from sqlanon._disclosures('_sqlanon_shape', sqlanon._pieces(k, 'k'))
    ),
    _sqlanon_curve as materialized (from sqlanon._disclosure_curve('_sqlanon_disclosure'))
    from query(sqlanon._class_attack_checked(qi, sensitive, weight) || sqlanon._fill($$
        select ({=sensitive})[attribute] as sensitive, knowledge, pieces as k, disclosure, certain, size,
               min(struct_pack({each qi: {c} := q{i}})) as class
        from _sqlanon_curve
        join _sqlanon_disclosure using (attribute, shape_id)
        join _sqlanon_attacked using (attribute, size, counts)
        group by attribute, knowledge, pieces, disclosure, certain, size
        order by attribute, knowledge desc, pieces
    $$));

comment on macro table sqlanon.maximum_disclosure is $$
Computes how sure of a sensitive value an adversary can be who knows up to k facts besides the release, the
worst there are: one row per sensitive column, kind of facts and number of facts.

Parameters:
- release, qi, sensitive: as in homogeneity
- k (integer, 0 to 10; default 5): the largest number of facts.
- weight: as in homogeneity
- distinct_spellings, missing_counts: as in mondrian

Result:
- sensitive (text): the name of the sensitive column.
- knowledge (text): negations or implications, as in background_knowledge.
- k (integer): the number of facts.
- disclosure (number, 0 to 1): the highest possible probability of a value, over all classes.
- certain (number, 0 to 1): the share of the rows that are in classes where a value is certain.
- size (integer, rows): the size of the class with the highest probability.
- class (struct): the quasi-identifiers of this class.

Errors: unknown column, empty table, a weight as in classes.

Notes: each row counts as one person, as in homogeneity. The release is (c, k)-safe for all c above the
disclosure by k implications.

Source: Martin, Kifer, Machanavajjhala, Gehrke and Halpern 2007 (maximum disclosure, (c, k)-safety).

Example:
from sqlanon.maximum_disclosure('east', qi := ['age', 'zip'], sensitive := 'disease', k := 2);
$$;
