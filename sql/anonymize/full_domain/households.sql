-- Full-domain generalization with households: a level of a hierarchy is one for all rows, so members of a
-- household have the same labels where they have the same values. But whoever is suppressed takes the others
-- of the household along. The classes that these were in get smaller, and may violate a requirement then, so
-- that more households go, until none does. The search for levels does not foresee that. [own]

-- The members of households: tuple_id, class_id (NULL: suppressed), s, weight, household. nth: of household
-- among the columns that are counted.
create or replace macro sqlanon._members_of_households(
    tuples, kept_tuples, sensitive_combinations, nth) as table
    from query(sqlanon._fill($$
        select tuple_id, class_id, s, weight, household
        from {tuples} left join {kept_tuples} using (tuple_id)
        join (select s, f{nth} as household from {sensitive_combinations}) using (s)
    $$, map {'nth': nth::varchar}));

-- The members of a state (step, and the columns above) whose whole household is still there.
create or replace macro sqlanon._whole_households(state) as table
    select * from query_table(state)
    where household not in (select household from query_table(state) where class_id is null);

-- One step: without the households of whom a member is suppressed, and with those suppressed whose class
-- violates a requirement then. No rows once nobody is suppressed.
create or replace macro sqlanon._suppress_households(
    state, sensitive_values, marginal, sensitive_tree, requirement, by_unit) as table
    with whole as materialized (from sqlanon._whole_households(state)),
    cell as materialized (select class_id, s, sum(weight)::bigint as n from whole group by all),
    violating as materialized (
        from sqlanon._violating_places(
            'cell', sensitive_values, marginal, sensitive_tree, requirement, by_unit)
    )
    select step + 1 as step,
           whole.* exclude (step)
               replace (if(class_id in (select class_id from violating), null, class_id) as class_id)
    from whole
    where (select count(*) > count(class_id) from query_table(state));

-- The tuples that are left: tuple_id, class_id. A chain; kept_tuples: those that a point of the lattice
-- keeps.
create or replace macro sqlanon._kept_households(
    named, kept_tuples, nth, by_unit, suppression_limit) as table
    with recursive
    _sqlanon_member as materialized (
        from sqlanon._members_of_households(
            named || 'tuple', kept_tuples, named || 'sensitive_combination', nth)
    ),
    _sqlanon_state as (
        select 0 as step, * from _sqlanon_member
        union all
        from sqlanon._suppress_households(
            '_sqlanon_state', named || 'sensitive_value', named || 'marginal', named || 'sensitive_tree',
            named || 'requirement', by_unit)
    ),
    _sqlanon_last as materialized (
        select * from _sqlanon_state where step = (select max(step) from _sqlanon_state)
    ),
    _sqlanon_left as materialized (from sqlanon._whole_households('_sqlanon_last'))
    select tuple_id, class_id from _sqlanon_left
    where (
        select if(kept >= (1 - suppression_limit) * every - 1e-9 and kept > 0, true, error(
            'with whole households ' || (every - kept) || ' of ' || every || ' rows would be suppressed, and '
            || 'suppression_limit is ' || suppression_limit || ': allow more, or require coarser levels'))
        from (select coalesce(sum(weight), 0) as kept from _sqlanon_left),
             (select sum(weight) as every from _sqlanon_member));
