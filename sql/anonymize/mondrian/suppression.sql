-- Suppression where releases are known. Nearly every cut is refused because of a row to which the known
-- releases leave only rare values: on its side of the cut there would have to be somebody with each of these
-- values. So all rows around it stay together, and a few such rows can cost more than everything else. [own]
--
-- A first run, at medians, finds these rows. A cut would halve the width of one attribute for all rows of a
-- part. If the cut is refused because some rows would keep too few values, each of these rows answers for its
-- share of that loss: its blame. (A row that is suppressed loses 1.) The rows with the most blame are
-- suppressed, up to the limit, as long as a row's blame is more than what the row itself loses. Then the
-- other rows are cut. Rows with the same quasi-identifiers are suppressed or kept together, and a row of each
-- sensitive value is kept, so that the whole table as one class loses nothing.
--
-- A suppressed row is in no class, so the release tells nothing of its own value. But classes of others may
-- cover it, and an adversary who does not know that it was suppressed looks for it there. The Python driver
-- counts the people who would be left too few values in this way.

-- An empty text, or an error where there is nothing to suppress for.
create or replace macro sqlanon._suppression_checked(suppression_limit, based_on, relaxed, terms) as
    case when sqlanon._share(suppression_limit, 'suppression_limit') = 0 then ''
         when based_on is not null
         then error('suppression_limit does not go with based_on, whose classes stay together')
         when terms.known is null
         then error('suppression_limit needs composed_l and known: Mondrian suppresses rows only where known '
                    || 'releases make them refuse cuts')
         when relaxed or terms.population is not null
         then error('suppression_limit does not go with '
                    || if(relaxed, 'relaxed := true', 'k_map, dmin and dmax'))
         else '' end;

-- The state before the first run: as _mondrian_start, and blame.
create or replace macro sqlanon._trial_start(tuples, refusals) as table
    select *, 0::double as blame from sqlanon._mondrian_start(tuples, refusals);

-- Of the pieces of cuts, who would keep too few values: number, branch, s, blame (what each of its rows
-- answers for, of one cut). cells: as _mondrian_cells has them.
create or replace macro sqlanon._blame(cells, cuts, attributes, composition, requirement) as table
    with refusing as materialized (
        select class_id // 4294967296 as number, class_id % 4294967296 as branch, s, n
        from sqlanon._losers(cells, composition, requirement)
        join (select distinct s, known from query_table(composition)) using (known)
        join query_table(cells) using (class_id, s)
    ),
    part as (select class_id // 4294967296 as number, sum(n) as size from query_table(cells) group by number),
    answering as (select number, sum(n) as answering from refusing group by number)
    select number, branch, s,
           size / answering * width / (2 * (select count(*) from query_table(attributes))) as blame
    from refusing
    join part using (number) join answering using (number)
    join (select number, width from query_table(cuts)) using (number);

-- One step of the first run, as _mondrian_step. What is refused for another reason is nobody's blame.
create or replace macro sqlanon._trial_step(
    state, attributes, tree, k, about_values, sensitive_values, marginal, sensitive_tree, composition,
    requirement, outcomes) as table
    with cut as materialized (
        from query(if(outcomes is null, {call _cuts_at_medians}, {call _cuts_by_gain}))
    ),
    refused as (
        from query(
            case when about_values
                 then {call _mondrian_refused: cuts := 'cut', relaxed := false, by_unit := false}
                 else 'select null::bigint as number where false' end)
    ),
    open as materialized (
        select * replace (possible and number not in (from refused) as possible) from cut
    ),
    cell as materialized (from sqlanon._mondrian_cells(state, 'open', tree, false)),
    blamed as materialized (
        from sqlanon._blame('cell', 'open', attributes, composition, requirement)
    ),
    branched as (
        select branches.* replace (branches.blame + coalesce(blamed.blame, 0) as blame),
               possible and number not in (select number from blamed) as legal
        from sqlanon._mondrian_branches(state, 'open', tree, false) as branches
        left join blamed using (number, branch, s)
    )
    from sqlanon._mondrian_after('branched');

-- The tuples that are not suppressed. All are kept where those that are left, as one class, would violate a
-- requirement. blamed: tuple_id, blame.
create or replace macro sqlanon._without_blamed(
    suppression_limit, tuples, blamed, composition, sensitive_values, marginal, sensitive_tree,
    requirement) as table
    with member as materialized (
        select tuple_id, s, weight, blame, codes, known
        from (select *, list_value(*columns('^q\d+$')) as codes from query_table(tuples))
        join query_table(blamed) using (tuple_id)
        join (select distinct s, known from query_table(composition)) using (s)
    ),
    -- known is a name in no order: min_s says which of those with the same codes is first
    person as materialized (
        select codes, known, max(blame) as blame, min(s) as min_s, sum(weight) as weight
        from member group by codes, known
    ),
    spared as (
        select unnest(arg_min({'codes': codes, 'known': known},
                              {'blame': person.blame, 'codes': codes, 'min_s': min_s}), max_depth := 2)
        from member join person using (codes, known) join query_table(sensitive_values) using (s)
        group by attribute, code
    ),
    ranked as (
        select codes, known, sum(weight) over (order by blame desc, codes, min_s) as up_to
        from person anti join spared using (codes, known) where blame > 1
    ),
    suppressed as (
        select tuple_id from member join ranked using (codes, known)
        where up_to <= suppression_limit * (select sum(weight) from member)
    ),
    kept as materialized (
        select * from query_table(tuples) where tuple_id not in (from suppressed)
    ),
    whole as materialized (from sqlanon._whole('kept', sensitive_values)),
    is_enough as (
        select count(*) = 0 as is_enough
        from sqlanon._violating('whole', marginal, sensitive_tree, requirement, false)
    )
    from kept where (from is_enough)
    union all
    from query_table(tuples) where not (from is_enough);

-- Both runs: a chain as _cut_parts.
create or replace macro sqlanon._cut_without_blamed(
    named, tuples, attributes, tree, with_people, by_unit, composition, k, about_values, floors, relaxed,
    outcome, strata, suppression_limit) as table
    with recursive
    _sqlanon_trial_outcome as materialized (
        from sqlanon._outcomes(named || 'sensitive_combination', outcome)
    ),
    _sqlanon_trial as (
        from sqlanon._trial_start(tuples, named || 'refusal')
        union all
        from sqlanon._trial_step(
            '_sqlanon_trial', attributes, tree, k, about_values, named || 'sensitive_value',
            named || 'marginal', named || 'sensitive_tree', composition, named || 'requirement',
            sqlanon._if_any(outcome, '_sqlanon_trial_outcome'))
    ),
    _sqlanon_blamed as materialized (select tuple_id, blame from _sqlanon_trial where done),
    _sqlanon_unsuppressed_tuple as materialized (
        from sqlanon._without_blamed(
            suppression_limit, tuples, '_sqlanon_blamed', composition, named || 'sensitive_value',
            named || 'marginal', named || 'sensitive_tree', named || 'requirement')
    )
    from {sqlanon._cut_parts: tuples := '_sqlanon_unsuppressed_tuple'};
