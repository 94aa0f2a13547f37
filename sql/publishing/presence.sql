-- Presence: in which releases may somebody be?
--
-- A register does not know who was in a release. Whoever was is in one of its classes, and their value is one
-- of that class's. So whoever has a class with their own values may have been in it; nobody else was, as long
-- as values do not change. To suppose that all of these were there errs towards danger: an adversary who puts
-- just these releases together never loses the true value.

-- Who may be in each release: release (its number), person (their id). People are in the column id of
-- targets; located_targets and target_combinations: of _located_in_all, of just these releases. Values
-- compare as in an attack on all of them.
create or replace macro sqlanon._possibly_present(
    releases, located_targets, target_combinations, targets, id, qi, sensitive, formats) as table
    with cell as materialized (from sqlanon._cells_of_releases(releases, qi, sensitive, null, formats)),
    people as materialized (from sqlanon._people(targets, id, sensitive, qi, null, target_combinations)),
    evidence as materialized (from sqlanon._evidence('cell', located_targets)),
    truth_kind as (from sqlanon._truth_kinds(targets, sensitive)),
    kind as materialized (from sqlanon._sensitive_kinds('evidence', 'truth_kind')),
    compared as materialized (from sqlanon._compared_values('evidence', 'kind')),
    meant as materialized (
        from sqlanon._meant_values('people', 'kind', 'compared', len(sqlanon._list(sensitive)))
    ),
    class_value as (
        select distinct evidence.release, class_id, evidence.attribute, compared.value
        from evidence join compared
          on compared.release = evidence.release and compared.attribute = evidence.attribute
         and compared.string is not distinct from evidence.value
        where target is null
    ),
    own_value as (
        select target, actuals, stated.attribute, meant
        from (
            select distinct target, actuals, unnest(range(1, len(actuals) + 1))::integer as attribute
            from people
        ) as stated
        join meant on meant.attribute = stated.attribute
                  and meant.actual is not distinct from stated.actuals[stated.attribute]
    ),
    held as (
        select found.release, own_value.target, actuals
        from query_table(located_targets) as found
        join own_value using (target)
        join class_value
          on class_value.release = found.release and class_value.class_id = found.class_id
         and class_value.attribute = own_value.attribute and class_value.value is not distinct from meant
        group by found.release, own_value.target, actuals
        having count(distinct own_value.attribute) = len(actuals)
    )
    select release, who as person
    from held join people on people.target = held.target and people.actuals is not distinct from held.actuals;
