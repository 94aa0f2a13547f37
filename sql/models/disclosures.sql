-- Background knowledge: how sure of somebody's sensitive value an adversary can be who finds their class and
-- knows k more things, whichever these are. With none it is the homogeneity attack.
--
-- In a class of n rows every way of handing its sensitive values out to its people is equally likely. What is
-- known comes in pieces, of which the worst k are taken:
--   * negations: somebody does not have a certain value. The worst are all about the target, whom they
--     leave the most frequent value.
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

-- More pieces than 10 are not looked at: the ways to divide them grow fast.
create or replace macro sqlanon._pieces(given, parameter) as
    sqlanon._whole_number_up_to(given, parameter, 10);

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

-- How sure of the most frequent value somebody can be who knows 0, 1, ... pieces more, lists: negations,
-- own_implications (all about people of that class), implications. A row per shape of a class: its columns
-- and these. shapes: shape_id, attribute, size, counts (the largest first, pieces + 1 of them), class_count
-- (the classes that have it).
create or replace macro sqlanon._disclosures(shapes, pieces) as table
    with minimum as materialized (from sqlanon._shape_minima(shapes, pieces + 1)),
    helpful as materialized (from sqlanon._helpful_classes(shapes, 'minimum', pieces)),
    others as materialized (from sqlanon._minima_of_others(shapes, 'helpful', pieces)),
    minima as (
        select shape.*, minimum.least[2:] as own, coalesce(without_it.others, whatever.others) as others
        from query_table(shapes) as shape
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

-- The worst disclosure about somebody of each class by so many implications about anybody, as the last of the
-- checks of a table reads it: class_id, attribute, safety_c. histogram, marginal: as in models.sql;
-- distinct_histograms: class_id, class_count (the classes that have this histogram).
create or replace macro sqlanon._joint_safety(
    histogram, marginal, distinct_histograms, pieces, by_unit) as table
    with value as (from query(sqlanon._values_call(histogram, marginal, by_unit))),
    class as materialized (
        select class_id, attribute, any_value(size)::bigint as size,
               sqlanon._largest_first(n::bigint)[:pieces + 1] as counts, any_value(class_count) as class_count
        from value join query_table(distinct_histograms) using (class_id)
        where attribute > 0 and not sqlanon._is_as_written(attribute) group by class_id, attribute
    ),
    shape as materialized (
        select row_number() over (order by attribute, size, counts) as shape_id, attribute, size, counts,
               sum(class_count)::bigint as class_count
        from class group by attribute, size, counts
    )
    select class_id, attribute, implications[-1] as safety_c
    from class join sqlanon._disclosures('shape', pieces) using (attribute, size, counts);
