-- A release whose classes are unions of those of an earlier one (Sweeney 2002, sec. 5.2, on complementary
-- releases). Of the same rows the two together tell no more than the earlier one alone: a class has all
-- values of the one that is part of it.
--
-- All rows of a class of the earlier release get the same codes, the lowest ones of the class, so that no cut
-- can separate them. Where rows came or went this is no defence: a class {flu, hiv} is in a wider one of
-- {flu, cold} once whoever had hiv is gone. So the rows have to be the same, class by class, as far as the
-- earlier release shows them; composed_l is there for the others.

-- What based_on means for composed_l: nobody loses anything.
create or replace macro sqlanon._composed_bound(composed_l, known, based_on) as
    case when based_on is null then composed_l
         when composed_l is not null or known is not null
         then error('based_on does not go with known and composed_l: it asks that nobody loses any of the '
                    || 'values that the earlier release leaves')
         else 2147483647 end;

-- An empty text, or an error where parameters do not go with it.
create or replace macro sqlanon._based_on_checked(based_on, relaxed, population, presence) as
    case when based_on is not null and relaxed
         then error('based_on does not go with relaxed := true, which divides classes')
         when based_on is not null and presence is not null
         then error('based_on does not go with presence: all rows are those of the earlier release')
         when based_on is not null and population is not null
         then error('based_on does not go with k_map, dmin and dmax: nobody of the population is in a class')
         else '' end;

-- In which class of the earlier release combinations are: tuple_id, class_id (the first, where there are
-- several).
create or replace macro sqlanon._classes_in_base(based_on, combinations, evidence) as table
    from query(
        case when based_on is null
             then 'select null::integer as tuple_id, null::bigint as class_id where false'
             else sqlanon._fill($$
                 select tuple_id, min(class_id) as class_id
                 from {combinations} join (from {evidence} where target is not null) using (target)
                 group by tuple_id
             $$, map {'combinations': combinations, 'evidence': evidence}) end);

-- Tuples with the lowest codes of their class.
create or replace macro sqlanon._merged_tuples(based_on, tuples, base_classes, qi) as table
    from query(
        case when based_on is null then 'from ' || tuples || ' where false'
             else sqlanon._fill($$
                 select tuple.* replace ({codes})
                 from {tuples} as tuple
                 join {classes} using (tuple_id)
                 join (
                     select class_id, {lowest} from {tuples} join {classes} using (tuple_id) group by class_id
                 ) as class using (class_id)
             $$, map {
                 'tuples': tuples, 'classes': base_classes,
                 'codes': sqlanon._each(qi, 'class.q{i} as q{i}', ', '),
                 'lowest': sqlanon._each(qi, 'min(q{i}) as q{i}', ', ')}) end);

-- How often the classes have sensitive values, by the rows of the table: class_id, attribute, value, n.
create or replace macro sqlanon._values_in_base(combinations, base_classes, judged) as table
    from query(sqlanon._each(judged, $$
        select class_id, {i}::integer as attribute, sqlanon._plain_text(s{i}::varchar) as value,
               sum(n)::bigint as n
        from $$ || combinations || ' join ' || base_classes || ' using (tuple_id) group by all',
        ' union all '));

-- No rows, or an error where the earlier release is of other rows, or where nobody can tell in which of its
-- classes a row is.
create or replace macro sqlanon._refuse_other_rows(
    based_on, combinations, base_classes, evidence, source, judged) as table
    with truth_kind as (from sqlanon._truth_kinds(source, judged)),
    kind as (from sqlanon._sensitive_kinds(evidence, 'truth_kind')),
    counted as (
        select class_id, attribute, value, n
        from sqlanon._values_in_base(combinations, base_classes, judged)
        union all
        select class_id, attribute, value, -n
        from query_table(evidence) where target is null and attribute is not null
    ),
    other as (
        select class_id
        from counted left join kind using (attribute)
        group by class_id, attribute, sqlanon._comparable(value, kind) having sum(n) <> 0
    ),
    total as (
        select (select coalesce(sum(n), 0) from query_table(combinations) anti join query_table(base_classes)
                using (tuple_id)) as new_rows,
               (select count(distinct class_id) from other) as other_classes,
               (select count(*) from (
                    select target from query_table(evidence) where target is not null
                    group by target having count(*) > 1)) as ambiguous
    )
    select error(
        'based_on := ' || sqlanon._literal(based_on) || ' needs the same rows: ' || case
            when ambiguous > 0
            then ambiguous || ' combinations of values are in several of its classes, which overlap'
            else new_rows || ' rows of the table are in none of its classes, and ' || other_classes
                 || ' of these have other sensitive values: rows came or went, and the two releases together '
                 || 'would tell more. Give known := [' || sqlanon._literal(based_on) || '] and composed_l'
        end) as refused
    from total where new_rows + other_classes + ambiguous > 0;
