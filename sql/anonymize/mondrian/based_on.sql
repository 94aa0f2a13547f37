-- A release whose classes are unions of classes of an earlier one (Sweeney 2002, sec. 5.2, on complementary
-- releases). If both are of the same rows, they tell together no more than the earlier one alone: a class has
-- all values of every earlier class that is part of it.
--
-- All rows of a class of the earlier release get the same codes, the lowest ones of the class, so that no cut
-- can separate them. Once rows have come or gone this is no defence: the earlier class {flu, hiv} may lie in
-- a wider one, {flu, cold}, because the person with hiv has left. So the rows must be the same, class by
-- class, as far as the earlier release shows; where they are not, composed_l is the requirement to use.
--
-- If rows have only come, correspondence attacks tell how many rows remain possible for somebody (Fung, Wang,
-- Fu and Pei 2008), and insert-only inference tells what a class has besides its earlier rows (Byun, Sohn,
-- Bertino and Li 2006). BCF-anonymity is a matter of all classes together. So a release is made and attacked,
-- and made again with larger classes where it tells too much. By these attacks, a larger class never tells
-- more: the whole table as one class has all earlier rows and all new ones.

-- What based_on means for composed_l: nobody loses anything.
create or replace macro sqlanon._composed_bound(composed_l, known, based_on) as
    case when based_on is null then composed_l
         when composed_l is not null or known is not null
         then error('based_on does not go with known and composed_l: it already keeps all values possible '
                    || 'that the earlier release leaves possible')
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

-- In which classes of the earlier release combinations can be: tuple_id, class_id.
create or replace macro sqlanon._classes_in_base(based_on, combinations, located_targets) as table
    from query(
        sqlanon._if_given(based_on, 'null::integer as tuple_id, null::bigint as class_id',
            sqlanon._fill($$
                select distinct tuple_id, class_id
                from {combinations} join (from {located_targets} where target is not null) using (target)
            $$)));

-- Tuples with the lowest codes of their class, the first where there are several; new ones keep theirs.
create or replace macro sqlanon._merged_tuples(tuples, base_classes, qi) as table
    from query(sqlanon._fill($$
        with base as (select tuple_id, min(class_id) as class_id from {classes} group by tuple_id),
        class as (
            select class_id, {lowest} from {tuples} join base using (tuple_id) group by class_id
        )
        select tuple.* replace ({each_of qi: coalesce(class.q{i}, tuple.q{i}) as q{i}})
        from {tuples} as tuple left join base using (tuple_id) left join class using (class_id)
    $$, map {'classes': base_classes, 'lowest': sqlanon._each_of(qi, 'min(q{i}) as q{i}', ', ')}));

-- Cutting them: a chain as _cut_parts.
create or replace macro sqlanon._cut_merged(
    named, tuples, attributes, tree, with_people, by_unit, composition, k, about_values, floors, relaxed,
    outcome, strata, qi) as table
    with _sqlanon_merged_tuple as materialized (
        from sqlanon._merged_tuples(tuples, named || 'base_class', qi)
    )
    from {sqlanon._cut_parts: tuples := '_sqlanon_merged_tuple'};

-- How often the classes have sensitive values, by the rows of the table: class_id, attribute, value, n.
create or replace macro sqlanon._values_in_base(combinations, base_classes, judged) as table
    from query(sqlanon._each_of(judged, $$
        select class_id, {i}::integer as attribute, sqlanon._plain_text(s{i}::varchar) as value,
               sum(n)::bigint as n
        from $$ || combinations || ' join ' || base_classes || ' using (tuple_id) group by all',
        ' union all '));

-- No rows, or an error where the earlier release is of other rows, or where nobody can tell in which of its
-- classes a row is. grows: rows may have come, and whoever is in several classes is counted in all of them.
create or replace macro sqlanon._refuse_other_rows(
    based_on, combinations, base_classes, located_targets, rows, source, judged, grows) as table
    with truth_kind as (from sqlanon._truth_kinds(source, judged)),
    class_value as materialized (
        from sqlanon._values_of_cells(rows) where attribute <= len(judged)
    ),
    kind as (from sqlanon._sensitive_kinds('class_value', 'truth_kind')),
    counted as (
        select class_id, attribute, value, n
        from sqlanon._values_in_base(combinations, base_classes, judged)
        union all
        select class_id, attribute, value, -n from class_value
    ),
    other as (
        select class_id
        from counted left join kind using (attribute)
        group by class_id, attribute, sqlanon._comparable(value, kind)
        having if(grows, sum(n) < 0, sum(n) <> 0)
    ),
    total as (
        select (select coalesce(sum(n), 0) from query_table(combinations) anti join query_table(base_classes)
                using (tuple_id)) as new_rows,
               (select count(distinct class_id) from other) as other_classes,
               (select count(*) from (
                    select target from query_table(located_targets) where target is not null
                    group by target having count(*) > 1)) as ambiguous
    )
    select error(
        'based_on := ' || sqlanon._literal(based_on) || case
            when grows
            then ' with bcf_k needs all rows of it: ' || other_classes || ' of its classes have sensitive '
                 || 'values of which the table has fewer rows there. Rows went, and BCF-anonymity is about '
                 || 'tables that grow'
            else ' needs the same rows: ' end || case
            when grows then ''
            when ambiguous > 0
            then ambiguous || ' combinations of values are in several of its classes, which overlap'
            else new_rows || ' rows of the table are in none of its classes, and ' || other_classes
                 || ' of these have other sensitive values: rows came or went, and the two releases together '
                 || 'would tell more. Give known := [' || sqlanon._literal(based_on) || '] and composed_l'
        end) as refused
    from total where if(grows, other_classes > 0, new_rows + other_classes + ambiguous > 0);

-- GROWING TABLES

-- The classes of a new release that tell too much together with the earlier one: class_id. correspondence,
-- insert_only: what these attacks say of both; kept: of _kept_in_classes; l: NULL if it is not required.
create or replace macro sqlanon._telling_classes(correspondence, insert_only, kept, bcf_k, l) as table
    select later_class_id as class_id from query_table(correspondence) where anonymity < bcf_k
    union select later_class_id from query_table(insert_only) where diversity between 1 and l - 1
    union select class_id from query_table(kept);

-- Whom they cover: target. located_targets: of the earlier release and, as the second, of the new one.
create or replace macro sqlanon._covered_by_telling(telling_classes, located_targets) as table
    select distinct target
    from query_table(located_targets) semi join query_table(telling_classes) using (class_id)
    where release = 2 and target is not null;

-- What is reached: anonymity (the least after an F, C or B attack), diversity (the fewest values that are
-- left of a class without earlier rows; NULL if none ever are).
create or replace macro sqlanon._growth_reached(correspondence, insert_only) as table
    select (select min(anonymity) from query_table(correspondence)) as anonymity,
           (select min(diversity) from query_table(insert_only) where diversity > 0) as diversity;
