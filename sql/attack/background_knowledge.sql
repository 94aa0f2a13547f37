-- Background knowledge: how sure of somebody's sensitive value an adversary can be who finds their class and
-- knows k more things, whichever these are. With none it is the homogeneity attack.
--
-- In a class of n rows every way of handing its sensitive values out to its people is equally likely. What is
-- known comes in pieces, of which the worst k are taken:
--   * negations: somebody has not a certain value. The worst are all about the target, whom they leave the
--     most frequent value.
--   * basic implications: if one has one value, then another has another (Martin, Kifer, Machanavajjhala,
--     Gehrke and Halpern 2007). A negation is one, so they are worse. The worst k are A1 -> A, ..., Ak -> A
--     with A the target's value, whoever the others are about, in whatever classes. A is false only if all of
--     A1, ..., Ak are, too, so that its probability is 1 / (1 + r) with r = Pr(none of them) / Pr(A).
--
-- r is least where A is the most frequent value of its class, and the k + 1 atoms are divided among classes
-- so that the product of the probabilities that those of a class are all false is least (MINIMIZE2). Within
-- a class they are divided among its people, p1 >= p2 >= ... for each. All are false if the first of these
-- has none of the p1 most frequent values, the second of what is left none of the p2 most frequent, and so
-- on (MINIMIZE1). So a class is its size and its largest counts, and few classes differ in these.

-- The ways to divide up to so many atoms among people, the one with most first: atoms, parts (each person's).
create or replace macro sqlanon._divided_atoms(most) as table
    with recursive division as (
        select 0 as atoms, []::integer[] as parts
        union all
        select atoms + part, list_append(parts, part)
        from division, (select unnest(range(1, most + 1))::integer as part)
        where atoms + part <= most and part <= coalesce(parts[len(parts)], most)
    )
    from division;

-- The probability that atoms that are so divided are all false, in a class of this size and these counts, the
-- largest first.
create or replace macro sqlanon._all_false(size, counts, parts) as
    coalesce(
        list_product(list_transform(parts, lambda part, person:
            greatest(size - person + 1 - list_sum(counts[1:part]), 0)::double
            / greatest(size - person + 1, 1))),
        1);

-- MINIMIZE1, a row per shape of a class (shape_id, attribute, size, counts): least, a list of the least
-- probabilities that 0, 1, ... atoms are all false.
create or replace macro sqlanon._shape_minima(shapes, most) as table
    with minimum as (
        select shape_id, atoms, min(sqlanon._all_false(size, counts, parts)) as least
        from query_table(shapes), sqlanon._divided_atoms(most)
        group by shape_id, atoms
    )
    select shape_id, list(least order by atoms) as least from minimum group by shape_id;

-- The least product of an element of each list where the atoms add up, for 0, 1, ... of them together.
create or replace macro sqlanon._least_together(one, other) as
    list_transform(one, lambda first_least, place:
        list_min(list_transform(range(1, place + 1), lambda own: one[own] * other[place + 1 - own])));

-- The classes that may get atoms: for each number of these the k + 1 classes in which they are the least
-- likely to be all false. Atoms of others may as well go to one of these, since not all are taken. attribute,
-- shape_id, copy (the number of a class among those of its shape, from 0), least.
create or replace macro sqlanon._helpful_classes(shapes, minima, pieces) as table
    with class as (
        select attribute, shape_id, unnest(range(least(class_count, pieces + 1))) as copy,
               minimum.least[:pieces + 1] as least
        from query_table(shapes) join query_table(minima) as minimum using (shape_id)
    ),
    helpful as (
        select class.*
        from class, (select unnest(range(1, pieces + 1)) as atoms)
        qualify row_number() over (
            partition by attribute, atoms order by class.least[atoms + 1], shape_id, copy) <= pieces + 1
    )
    select distinct * from helpful;

-- MINIMIZE2 but for the class of A, a row per attribute and shape of that class (NULL: any that is not among
-- the helpful ones): attribute, shape_id, others, the least probability that 0, 1, ... atoms of other classes
-- are all false.
create or replace macro sqlanon._minima_of_others(shapes, helpful_classes, pieces) as table
    with target as (
        select distinct attribute, shape_id from query_table(helpful_classes)
        union all
        select distinct attribute, null from query_table(shapes)
    )
    select target.attribute, target.shape_id,
           list_reduce(
               [list_transform(range(pieces + 1), lambda atoms: 1::double)]
               || coalesce(list(least) filter (least is not null), []),
               lambda one, other: sqlanon._least_together(one, other)) as others
    from target
    left join query_table(helpful_classes) as helpful
      on helpful.attribute = target.attribute
     and (helpful.copy > 0 or helpful.shape_id is distinct from target.shape_id)
    group by target.attribute, target.shape_id;

-- The shapes of classes: shape_id, attribute, size, counts, class_count (the classes that have it).
create or replace macro sqlanon._class_shapes(attacked_classes) as table
    select row_number() over (order by attribute, size, counts) as shape_id, attribute, size, counts,
           count(*) as class_count
    from query_table(attacked_classes) group by attribute, size, counts;

-- How sure of the most frequent value somebody can be who knows 0, 1, ... pieces more, lists: negations,
-- own_implications (all about people of that class), implications. A row per shape of a class: shape_id,
-- attribute, size, counts, class_count and these.
create or replace macro sqlanon._disclosures(attacked_classes, pieces) as table
    with shape as materialized (from sqlanon._class_shapes(attacked_classes)),
    minimum as materialized (from sqlanon._shape_minima('shape', pieces + 1)),
    helpful as materialized (from sqlanon._helpful_classes('shape', 'minimum', pieces)),
    others as materialized (from sqlanon._minima_of_others('shape', 'helpful', pieces)),
    minima as (
        select shape.*, minimum.least[2:] as own, coalesce(without_it.others, whatever.others) as others
        from shape
        join minimum using (shape_id)
        join others as whatever on whatever.attribute = shape.attribute and whatever.shape_id is null
        left join others as without_it
          on without_it.attribute = shape.attribute and without_it.shape_id = shape.shape_id
    )
    select shape_id, attribute, size, counts, class_count,
           list_transform(range(pieces + 1), lambda denied:
               counts[1] / (size - coalesce(list_sum(counts[2:denied + 1]), 0))) as negations,
           list_transform(own, lambda least: 1 / (1 + least * size / counts[1])) as own_implications,
           list_transform(sqlanon._least_together(own, others), lambda least:
               1 / (1 + least * size / counts[1])) as implications
    from minima;

-- More pieces than 10 are not looked at: the ways to divide them grow fast.
create or replace macro sqlanon._pieces(given) as sqlanon._whole_number_up_to(given, 'k', 10);

-- Which knowledge is meant, as the name of a column of _disclosures.
create or replace macro sqlanon._kind_of_knowledge(knowledge) as
    case when knowledge in ('negations', 'implications') then knowledge
         else error('knowledge must be negations or implications, not ' || coalesce(knowledge, 'NULL')) end;

create or replace macro sqlanon.background_knowledge(
    release, qi, sensitive, k := 1, knowledge := 'implications', weight := null) as table
    with _sqlanon_attacked as materialized (
        from sqlanon._attacked_classes(release, qi, sensitive, weight, sqlanon._pieces(k) + 1)
    ),
    _sqlanon_disclosure as (from sqlanon._disclosures('_sqlanon_attacked', sqlanon._pieces(k))),
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
Tells how sure of a sensitive value somebody can be who finds the target in a class and knows k more things,
the worst there are: one row per class and sensitive column. maximum_disclosure has the worst class for each
number of them.

Parameters:
- release, qi, sensitive: as in homogeneity
- k (integer, 0 to 10; default 1): how many pieces of background knowledge there are.
- knowledge (one of negations, implications; default 'implications'): what a piece is: somebody has not a
  certain value; or, which includes that: if one has one value, then another has another.
- weight: as in homogeneity

Result:
- <qi>, size, sensitive, learned: as in homogeneity
- confidence (number, 0 to 1): the most that somebody can be sure of what is learned. Implications are about
  people of this class and of others, whatever is worst.
- baseline, is_right, is_control: as in homogeneity
- alone (number, 0 to 1): the same, if all pieces are about people of this class.

Errors: unknown column, empty table, a column in qi with the name of one that attack_summary reads, a weight
as in classes.

Notes: rows are taken for people, as in homogeneity. A release is (c, k)-safe if all confidences, with
implications, are below c. One class in which a value is certain makes every value certain, with k = 1: Bob
must have cancer, and if Bob has cancer, then Ann has the flu. alone tells what a class gives away by itself.
With negations they are below c if the release is recursively (c / (1 - c), k + 2)-diverse, and only then:
recursive_c and l require that of anonymizers.

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

create or replace macro sqlanon.maximum_disclosure(release, qi, sensitive, k := 5, weight := null) as table
    with _sqlanon_attacked as materialized (
        from sqlanon._attacked_classes(release, qi, sensitive, weight, sqlanon._pieces(k) + 1)
    ),
    _sqlanon_disclosure as materialized (
        from sqlanon._disclosures('_sqlanon_attacked', sqlanon._pieces(k))
    ),
    _sqlanon_curve as materialized (from sqlanon._disclosure_curve('_sqlanon_disclosure'))
    from query(sqlanon._class_attack_checked(qi, sensitive, weight) || sqlanon._fill($$
        select ({names})[attribute] as sensitive, knowledge, pieces as k, disclosure, certain, size,
               min(struct_pack({class})) as class
        from _sqlanon_curve
        join _sqlanon_disclosure using (attribute, shape_id)
        join _sqlanon_attacked using (attribute, size, counts)
        group by attribute, knowledge, pieces, disclosure, certain, size
        order by attribute, knowledge desc, pieces
    $$, map {
        'names': sqlanon._names(sensitive), 'class': sqlanon._each(qi, '{c} := q{i}', ', ')}));

comment on macro table sqlanon.maximum_disclosure is $$
Tells how sure of a sensitive value somebody can be who knows up to k things more than the release, the worst
there are: one row per sensitive column, kind of knowledge and number of pieces.

Parameters:
- release, qi, sensitive: as in homogeneity
- k (integer, 0 to 10; default 5): the most pieces of background knowledge.
- weight: as in homogeneity

Result:
- sensitive (text): the name of the sensitive column.
- knowledge (text): negations or implications, as in background_knowledge.
- k (integer): how many pieces there are.
- disclosure (number, 0 to 1): the most that somebody can be sure of a value, of all classes.
- certain (number, 0 to 1): the share of the rows that are in classes where it is certain.
- size (integer, rows): of the class with the most.
- class (struct): its quasi-identifiers.

Errors: unknown column, empty table, a weight as in classes.

Notes: rows are taken for people, as in homogeneity. The release is (c, k)-safe for all c above the disclosure
by k implications.

Source: Martin, Kifer, Machanavajjhala, Gehrke and Halpern 2007 (maximum disclosure, (c, k)-safety).

Example:
from sqlanon.maximum_disclosure('east', qi := ['age', 'zip'], sensitive := 'disease', k := 2);
$$;
