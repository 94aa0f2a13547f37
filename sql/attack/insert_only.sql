-- Insert-only inference (Byun, Sohn, Bertino and Li 2006): a table only grows, and each state of it is
-- released. Rows of an earlier class that can be in one later class only are all there. Take their sensitive
-- values away from those of the later class: what is left are the values of the others, and of the new
-- people alone where all earlier rows that can be there are taken away.
--
-- The paper looks for a box within a box. The inference holds because no other later class is compatible, so
-- this is the condition here.

-- The earlier classes that are in one later class only: class_id, later_class_id.
create or replace macro sqlanon._classes_within(pairs) as table
    select class_id, any_value(later_class_id) as later_class_id
    from query_table(pairs) group by class_id having count(*) = 1;

-- The values that are taken away from a later class, class by class, and of all its classes together
-- (class_id: NULL): class_id, later_class_id, code, taken (rows).
create or replace macro sqlanon._taken_values(within, histograms) as table
    with earlier as (
        select class_id, later_class_id, code, n
        from query_table(within)
        join (from query_table(histograms) where release = 1) using (class_id)
    )
    select class_id, later_class_id, code, sum(n)::bigint as taken
    from earlier group by grouping sets ((class_id, later_class_id, code), (later_class_id, code));

-- What is left of each value: class_id, later_class_id, value, later_n, n (rows left).
create or replace macro sqlanon._values_left(taken_values, histograms) as table
    with difference as (
        select distinct class_id, later_class_id from query_table(taken_values)
    ),
    later as (
        select class_id as later_class_id, code, value, n as later_n
        from query_table(histograms) where release = 2
    )
    select difference.class_id, difference.later_class_id, later.value, later_n,
           later_n - coalesce(taken, 0) as n
    from difference
    join later on later.later_class_id = difference.later_class_id
    left join query_table(taken_values) as taken_value
      on taken_value.class_id is not distinct from difference.class_id
     and taken_value.later_class_id = difference.later_class_id and taken_value.code = later.code;

-- The differences: class_id, later_class_id, later_size, left_over (rows), diversity (their values), learned
-- (the most frequent one), most (its rows), later_most (rows of the most frequent value of the later class),
-- remaining (value and rows of each).
create or replace macro sqlanon._differences(values_left) as table
    select class_id, later_class_id, sum(later_n)::bigint as later_size, sum(n)::bigint as left_over,
           count(*) filter (n > 0) as diversity,
           first(coalesce(value, 'NULL') order by n desc, value) filter (n > 0) as learned,
           max(n) as most, max(later_n) as later_most,
           coalesce(list({'value': value, 'rows': n} order by n desc, value) filter (n > 0), []) as remaining
    from query_table(values_left) group by class_id, later_class_id;

-- Later classes all of whose compatible earlier classes are within them, so that what is left is new people's
-- alone: later_class_id.
create or replace macro sqlanon._all_within(pairs, within) as table
    select later_class_id
    from query_table(pairs) left join (select class_id, true as is_within from query_table(within))
      using (class_id)
    group by later_class_id having bool_and(coalesce(is_within, false));

-- All of it, from relations of _growing_releases.
create or replace macro sqlanon._insert_only(
    pairs, corresponding, histograms, earlier_classes, later_classes) as table
    with _sqlanon_within as materialized (from sqlanon._classes_within(pairs)),
    _sqlanon_taken as materialized (from sqlanon._taken_values('_sqlanon_within', histograms)),
    _sqlanon_left as (from sqlanon._values_left('_sqlanon_taken', histograms)),
    _sqlanon_difference as (from sqlanon._differences('_sqlanon_left')),
    _sqlanon_new as (
        select later_class_id, true as is_new from sqlanon._all_within(pairs, '_sqlanon_within')
    )
    select class_id, later_class_id, learned,
           case when left_over > 0 then most / left_over end as confidence,
           later_most / later_size as baseline,
           null::boolean as is_right, null::boolean as is_control,
           later_size, left_over as rows, diversity, remaining,
           class_id is null and coalesce(is_new, false) as is_new
    from _sqlanon_difference left join _sqlanon_new using (later_class_id);

create or replace macro sqlanon._insert_only_of_compared(
    releases, qi, sensitive, compared_before, hierarchies := null, weight := null, formats := null) as table
    from query({sqlanon._growing_releases_call: attack := '_insert_only'});

create or replace macro sqlanon.insert_only(
    releases, qi, sensitive, hierarchies := null, weight := null, formats := null) as table
    from {sqlanon._insert_only_of_compared: compared_before := null};

comment on macro table sqlanon.insert_only is $$
Removes the rows of earlier classes from the later class that must contain them, and shows the rows that are
left: one row per earlier class that can be in only one later class, and one row for all of these together.

Parameters:
- releases, qi: as in correspondence
- sensitive (column): of both releases; values of people must not change.
- hierarchies, weight: as in correspondence
- formats: as in locate

Result:
- class_id (integer): the number of the class in the earlier release, as in classes; NULL: all classes that
  are within the later one, together.
- later_class_id (integer): the number of the class in the later release.
- learned (text): the most frequent value of the rows that are left; NULL: no row is left.
- confidence (number): the share of this value among the rows that are left.
- baseline (number): the share of the most frequent value in the later class.
- is_right (boolean): NULL, because it is not known.
- is_control (boolean): NULL, because it is not known.
- later_size (integer, rows): the size of the later class.
- rows (integer, rows): the rows that are left in the later class.
- diversity (integer): the number of their different values; with l-diverse inserts, it is 0 or at least l.
- remaining (list of structs): their values, each with its rows, the most frequent first.
- is_new (boolean): true if all rows that are left must be of new people, because all earlier classes that can
  be in the later one were removed.

Errors: as in correspondence.

Notes: labels are read as covers reads them. An earlier class is in a later one if no other class of the later
release is compatible with it, for example if its box is within one later box and later boxes do not overlap.

Source: Byun, Sohn, Bertino and Li 2006, Secure anonymization for incremental datasets.

Example:
with earlier as (
    from (values ('[20, 29]', 'flu'), ('[20, 29]', 'asthma')) as row(age, disease)
),
later as (
    from (values ('[20, 39]', 'flu'), ('[20, 39]', 'asthma'), ('[20, 39]', 'cancer')) as row(age, disease)
)
from sqlanon.insert_only(['earlier', 'later'], qi := 'age', sensitive := 'disease');
$$;
