-- Mu-Argus: local suppression (Hundepool and Willenborg 1996; Sweeney 2002; localSuppression of sdcMicro).
--
-- A combination of up to `size` attributes is safe if at least k rows have it. A mask (a bit per attribute)
-- says which cells of a row are suppressed. Every distinct combination of all attributes gets the cheapest
-- mask that leaves only safe combinations: masks are tried from the cheapest to the dearest, on the
-- combinations that have no mask yet. (A row without values is safe.) That is optimal if frequencies are
-- counted in the table. In a release, suppressed cells count as wildcards, and fewer suppressions are enough:
-- of the rows that would show the same after suppression, the rarest are suppressed until they are so many
-- that they make the others safe, which stay whole.
--
-- Smaller combinations may have to be more frequent: mu-Argus has a threshold for each of its tables. What is
-- needed of so many attributes is also needed of fewer, whose combinations are as frequent or more so.

-- What a cell of each attribute costs: 1 if nothing is said.
create or replace macro sqlanon._mu_argus_weights(weights, qi) as
    coalesce(weights::double[], list_transform(sqlanon._list(qi), lambda name: 1::double));

-- An empty text, or an error that names the parameter that makes no sense. (Masks are enumerated: hence at
-- most 16 attributes.)
create or replace macro sqlanon._mu_argus_checked(
    qi, k, size, thresholds, weights, wildcards, unit, strata) as
    case when unit is not null and coalesce(wildcards, true)
         then error('mu_argus with a unit needs wildcards := false: who has what a row shows is counted in '
                    || 'the table itself')
         when k is null
         then error('mu_argus needs k: in how many rows every combination must occur, e.g. k := 5')
         when sqlanon._whole_number(k, 'k') is null then ''
         when len(sqlanon._list(qi)) > 16
         then error('mu_argus takes up to 16 quasi-identifiers, not ' || len(sqlanon._list(qi))
                    || ': give fewer in qi, or use mondrian')
         when sqlanon._whole_number(size, 'size') > len(sqlanon._not_among(qi, strata))
         then error('size must be at most ' || len(sqlanon._not_among(qi, strata))
                    || ', the number of columns in qi' || if(strata is null, '', ' but strata') || ', not '
                    || size)
         when len(thresholds::bigint[]) > sqlanon._largest_combination(qi, size, strata)
         then error('thresholds has ' || len(thresholds::bigint[]) || ' numbers, for combinations of 1, 2, '
                    || '... columns, and these have at most '
                    || sqlanon._largest_combination(qi, size, strata))
         when list_min(thresholds::bigint[]) < 1 or thresholds::bigint[]::double[] <> thresholds::double[]
         then error('thresholds must be whole numbers of at least 1, not ' || thresholds::varchar)
         when weights is not null and sqlanon._weights_above(weights, qi) is null then ''
         else ''
    end;

-- How many attributes the largest combinations have.
create or replace macro sqlanon._largest_combination(qi, size, strata) as
    coalesce(size::bigint, len(sqlanon._not_among(qi, strata)));

-- In how many rows the combinations of 1, 2, ... attributes must be: no fewer than those of more.
create or replace macro sqlanon._needed_rows(k, size, thresholds) as
    list_transform(range(1, size + 1), lambda attributes:
        greatest(k::bigint, list_max(coalesce(thresholds::bigint[], []::bigint[])[attributes:])));

-- The sizes of combinations to look at, of which more is needed than of larger ones.
create or replace macro sqlanon._sizes_of_combinations(needed) as
    list_filter(range(1, len(needed) + 1), lambda attributes:
        needed[attributes] > coalesce(needed[attributes + 1], 0));

-- The bits of attributes in a mask.
create or replace macro sqlanon._bits_of(positions) as
    coalesce(list_sum(list_transform(positions, lambda position: 1::bigint << (position - 1))), 0)::bigint;

-- The masks: mask, cells (how many bits are set) and level (from 1, cheaper masks first). weights: what a
-- cell of each attribute costs. shown: the bits of attributes that are never hidden.
create or replace macro sqlanon._mu_argus_masks(weights, shown) as table
    select mask, bit_count(mask) as cells, dense_rank() over (order by cost) as level
    from (
        select mask, list_sum(list_transform(weights, lambda weight, i:
                   if(mask & (1::bigint << (i - 1)) > 0, weight, 0))) as cost
        from range(1::bigint << len(weights)) as masks(mask)
        where mask & shown = 0
    );

-- Whose the rows of combinations are: tuple_id, person (the unit).
create or replace macro sqlanon._tuple_people(tbl, qi, unit, combinations) as table
    with _sqlanon_of_people as materialized (
        from sqlanon._with_one_spelling(tbl, sqlanon._list(unit))
    )
    from query(sqlanon._fill($$
        select tuple_id, s1 as person
        from sqlanon._combinations('_sqlanon_of_people', {=qi}, {unit}) as cell
        join {combinations} as combination on true
            {each qi: and cell.q{i} is not distinct from combination.q{i}}
    $$, map {'unit': sqlanon._names(unit)}));

-- No rows, or an error where no release is possible: there are fewer rows than k (or people, where people is
-- the relation of whose the rows are, and not NULL), or a value would look like a suppressed cell. k: the
-- most that is needed.
create or replace macro sqlanon._mu_argus_refusals(
    combinations, qi, k, recoding, strata, people := null) as table
    from query(sqlanon._fill($$
        select error('k is {=k}, but ' || {whose} || ' only ' || min(found) || ' {rows}') as refused
        from (select {count} as found from {combinations} {with_people} {by_strata})
        having min(found) < {=k}
        {lookalikes}
    $$, map {
        'whose': if(len(strata) = 0, sqlanon._literal('the table has'),
                    'count(*) filter (found < ' || k || $$) || ' of ' || count(*) || ' strata have fewer, $$
                    || $$the smallest has'$$) || if(people is null, '', $$ || ' the rows of'$$),
        'count': if(people is null, 'sum(n)', 'sqlanon._people_of(person)'),
        'with_people': coalesce('join ' || people || ' using (tuple_id)', ''),
        'by_strata': if(len(strata) = 0, '',
                        'group by ' || array_to_string(sqlanon._strata_codes(strata, qi), ', ')),
        'rows': if(people is null, 'rows', 'people'),
        'lookalikes': sqlanon._each_filled(qi, $$
            union all
            select error('column ' || {s} || ' has {values}') as refused
            from {combinations} where q{i}::varchar is not distinct from {suppressed} having count(*) > 0
        $$, map {
            'suppressed': if(recoding = 'range', 'null', $$'*'$$),
            'values': if(recoding = 'range',
                'missing values, as which suppressed cells are released: replace them, or use recoding text',
                'the value *, as which suppressed cells are released: replace it, or use recoding range')
            }, '')}));

-- The state before the first level, once there is nothing to refuse: step, tuple_id, mask (NULL: none yet).
create or replace macro sqlanon._mu_argus_start(tuples, refusals) as table
    select 0 as step, tuple_id, null::bigint as mask
    from (select count(refused) as refused from query_table(refusals)) left join query_table(tuples) on true;

-- One step: the combinations that had no mask yet, with one of the next level where one makes them safe; of
-- several the one that serves most rows, so that few attributes are suppressed. people: the relation of
-- whose the rows are, or NULL where rows are counted.
create or replace macro sqlanon._mu_argus_step(state, tuples, masks, qi, needed, people := null) as table
    with open as materialized (select step, tuple_id from query_table(state) where mask is null),
    choice as materialized (
        select mask, cells from query_table(masks) where level = (select max(step) + 1 from open)
    ),
    -- A mask is safe if every combination of attributes that it shows is. To look at one, all other
    -- attributes are hidden.
    view as materialized (
        select distinct choice.mask, hiding.mask as hidden, needed[greatest(most - hiding.cells, 1)] as needed
        from choice
        cross join (select max(cells) as most from query_table(masks))
        cross join (select unnest(sqlanon._sizes_of_combinations(needed)) as size)
        join query_table(masks) as hiding
          on hiding.cells = greatest(choice.cells, most - size) and hiding.mask & choice.mask = choice.mask
    ),
    rare as (
        select hidden, unnest(tuple_ids) as tuple_id
        from query(sqlanon._fill($$
            select hidden, list({distinct} tuple_id) as tuple_ids
            from (
                select tuple_id, n, hidden, needed, {person} {visible_codes}
                from {tuples} {with_people} cross join (select distinct hidden, needed from view)
            )
            group by hidden, {each qi: q{i}} having {count} < any_value(needed)
        $$, map {
            'distinct': if(people is null, '', 'distinct'), 'person': if(people is null, '', 'person,'),
            'visible_codes': sqlanon._hide(qi, 'hidden'),
            'with_people': coalesce('join ' || people || ' using (tuple_id)', ''),
            'count': if(people is null, 'sum(n)', 'sqlanon._people_of(person)')}))
    ),
    unsafe as materialized (select distinct tuple_id, mask from rare join view using (hidden)),
    safe as materialized (
        select tuple_id, mask, n
        from (from open cross join choice) anti join unsafe using (tuple_id, mask)
        join query_table(tuples) using (tuple_id)
    ),
    served as (select mask, sum(n) as n from safe group by mask),
    chosen as (
        select tuple_id, arg_max(safe.mask, {'served': served.n, 'rank': -safe.mask}) as mask
        from safe join served using (mask) group by tuple_id
    )
    select step + 1 as step, tuple_id, chosen.mask from open left join chosen using (tuple_id);

-- What is suppressed: tuple_id, mask. assignment: tuple_id, mask. With wildcards, of the rows that would
-- show the same under their mask fewer than k are suppressed, the rarest: the others match these and
-- themselves, which makes k.
create or replace macro sqlanon._mu_argus_suppression(assignment, tuples, qi, k, wildcards) as table
    from query(sqlanon._fill($$
        select tuple_id, if({wildcards} and sum(n) over (partition by mask, {codes} order by n, codes) >= {k},
                            0, mask) as mask
        from (
            select tuple_id, assigned.mask, n, [{codes}] as codes, {visible_codes}
            from {assignment} as assigned join {tuples} using (tuple_id)
        )
    $$, map {
        'wildcards': wildcards::varchar, 'codes': sqlanon._each(qi, 'q{i}', ', '), 'k': k::varchar,
        'visible_codes': sqlanon._hide(qi, 'assigned.mask')}));

-- How many cells are suppressed: attribute, cells.
create or replace macro sqlanon._suppressed_cells(suppression, tuples, qi) as table
    from query(sqlanon._each_filled(qi, $$
        select {s} as attribute, coalesce(sum(n), 0)::bigint as cells
        from {suppression} as suppressed join {tuples} using (tuple_id)
        where suppressed.mask & (1::bigint << ({i} - 1)) > 0
    $$, ' union all '));

-- What a row shows of an attribute q{i}.
create or replace macro sqlanon._mu_argus_cell(recoding) as
    if(recoding = 'range', 'if(mask & (1::bigint << ({i} - 1)) > 0, null, q{i})',
       $$if(mask & (1::bigint << ({i} - 1)) > 0, '*', sqlanon._value_text(q{i}::varchar))$$);

-- The release: every row, with its quasi-identifiers but for the suppressed cells, its sensitive and its
-- kept columns, and no other; in the order of a salted hash of what is released, as in
-- sql/anonymize/recoding.sql. unit: a further column, for a look at the release before it leaves.
create or replace macro sqlanon._mu_argus_release(
    tbl, qi, sensitive, keep, combinations, suppression, recoding, seed, unit := null) as table
    from query(sqlanon._fill($$
        with _sqlanon_recoded as (
            select {recodings} from {combinations} join {suppression} using (tuple_id)
        ),
        _sqlanon_located as (
            select {each qi: recoded.v{i}} {kept} {each unit: , src.{c} as person}
            from {source} as src join _sqlanon_recoded as recoded on true {equal_values}
        )
        select {columns} from _sqlanon_located order by {random_key}
    $$, map {
        'recodings': sqlanon._each(qi, 'q{i}, ' || sqlanon._mu_argus_cell(recoding) || ' as v{i}', ', '),
        'kept': sqlanon._each_of(sqlanon._list(sensitive) || sqlanon._list(keep), ', src.{c} as kept{i}', ''),
        'source': sqlanon._projected(tbl, qi, sensitive, sqlanon._counted_with(keep, unit)),
        'equal_values': sqlanon._each(qi, ' and src.{c} is not distinct from recoded.q{i}', ''),
        'columns': sqlanon._each(qi, 'v{i} as {c}', ', ')
                   || sqlanon._each_of(
                       sqlanon._list(sensitive) || sqlanon._list(keep), ', kept{i} as {c}', '')
                   || sqlanon._each(unit, ', person as {c}', ''),
        'random_key': sqlanon._random_key(
            sqlanon._each(qi, 'v{i}', ', ') || sqlanon._kept_columns(sensitive, keep), seed)}));

-- From the first relation to the release, in one statement.
create or replace macro sqlanon._mu_argus(
    tbl, qi, sensitive, keep, needed, weights, wildcards, recoding, seed, unit, strata) as table
    with recursive
    _sqlanon_source as materialized (
        from sqlanon._source(tbl, qi, sensitive || keep || sqlanon._list(unit))
    ),
    _sqlanon_combination as materialized (from sqlanon._numbered_combinations('_sqlanon_source', qi, null)),
    _sqlanon_tuple as materialized (from sqlanon._masked('_sqlanon_combination', qi, null, false)),
    _sqlanon_people as materialized (
        from query(sqlanon._if_given(unit, 'null', {call _tuple_people:
            tbl := '_sqlanon_source', combinations := '_sqlanon_combination'}))
    ),
    _sqlanon_mask as materialized (
        from sqlanon._mu_argus_masks(weights, sqlanon._bits_of(sqlanon._strata_positions(strata, qi)))
    ),
    _sqlanon_refusal as (
        from sqlanon._refuse_empty('_sqlanon_combination', tbl)
        union all from sqlanon._mu_argus_refusals(
            '_sqlanon_combination', qi, needed[1], recoding, strata,
            sqlanon._if_any(unit, '_sqlanon_people'))
    ),
    _sqlanon_state as (
        from sqlanon._mu_argus_start('_sqlanon_tuple', '_sqlanon_refusal')
        union all
        from sqlanon._mu_argus_step('_sqlanon_state', '_sqlanon_tuple', '_sqlanon_mask', qi, needed,
                                    sqlanon._if_any(unit, '_sqlanon_people'))
    ),
    _sqlanon_assignment as materialized (select tuple_id, mask from _sqlanon_state where mask is not null),
    _sqlanon_suppression as materialized (
        from sqlanon._mu_argus_suppression(
            '_sqlanon_assignment', '_sqlanon_tuple', qi, needed[1], wildcards)
    )
    from sqlanon._mu_argus_release(
        '_sqlanon_source', qi, sensitive, keep, '_sqlanon_combination', '_sqlanon_suppression', recoding,
        seed);

create or replace macro sqlanon.mu_argus(
    tbl, qi, sensitive := null, keep := null, k := null, size := null, weights := null, wildcards := true,
    recoding := 'text', seed := null, unit := null, thresholds := null, strata := null) as table
    from query(sqlanon._released({statement:
        sqlanon._checked(qi, sensitive, keep, unit)
        || sqlanon._strata_checked(strata, qi)
        || sqlanon._mu_argus_checked(qi, k, size, thresholds, weights, wildcards, unit, strata)
        || {call _mu_argus:
            needed := sqlanon._needed_rows(
                k, sqlanon._largest_combination(qi, size, strata), thresholds)::bigint[],
            weights := sqlanon._mu_argus_weights(weights, qi)::double[],
            wildcards := coalesce(wildcards::boolean, true),
            recoding := sqlanon._recoding(recoding)}}));

comment on macro table sqlanon.mu_argus is $$
Releases every row of a table by local suppression, as mu-Argus does: as few cells as possible are hidden, so
that every combination of up to size quasi-identifiers occurs in at least k rows. The order of rows depends
only on the released values.

Parameters:
- tbl, qi, sensitive, keep: as in mondrian
- k (integer, at least 1; default null): must be given: the least number of rows with each combination.
- size (integer, at least 1; default null): the largest number of columns in a combination; if not given, all
  in qi.
- weights (list of numbers, above 0; default null): the cost of a hidden cell in each column in qi, in that
  order; if not given, 1 each. A column that costs more is hidden less often.
- wildcards (boolean; default true): true: a hidden cell counts as equal to every value, as in sdcMicro. Fewer
  cells are hidden, but a row without hidden cells may be the only one with its combination. false: the values
  that a row shows occur together in at least k rows of the table.
- recoding (one of text, range; default 'text'): text: a hidden cell is *, and all columns in qi are text;
  range: a hidden cell is NULL, and columns keep their types.
- seed: as in generalize
- unit (column; default null): identifies the person of a row, if people can have several rows; every shown
  combination must then be that of at least k people. It needs wildcards := false. The column is not released.
- thresholds (list of integers or NULL; default null): how many rows a combination of 1, 2, ... columns
  must have, if that is more than k: with k := 5, size := 3 and thresholds := [100, 10] every value occurs
  100 times, and every combination of two 10 times. NULL: k.
- strata (columns; default null): as in mondrian: their cells are never hidden, and every combination occurs
  often enough within its stratum.

Result:
- <qi> (text or unchanged): as in tbl, or hidden.
- <sensitive>, <keep>: as in mondrian

Errors: unknown column, empty table, k above the number of rows (of a stratum), more than 16 columns in qi, a
value that looks like a hidden cell.

Source: Hundepool and Willenborg 1996; Sweeney 2002; Templ, Kowarik and Meindl 2015.

Example:
from sqlanon.mu_argus('people', qi := ['zip', 'disease'], keep := 'income', k := 2);
$$;
