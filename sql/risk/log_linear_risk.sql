-- Risk by a log-linear model (Elamir and Skinner 2006; Skinner and Shlomo 2008): how many of those who are
-- unique in a sample are unique in its population, too.
--
-- A combination of values has F people in the population, Poisson distributed with mean lambda. A sample
-- takes each with probability pi and has f of them, Poisson distributed with mean u = pi lambda. Where
-- somebody is unique in the sample (f = 1), the F - 1 others are those whom it did not take: Poisson
-- distributed, too, with mean m = lambda (1 - pi) = u / pi (1 - pi). So
--     P(F = 1 | f = 1) = exp(-m)              and over all sample uniques  tau 1 = sum of exp(-m)
--     E(1 / F | f = 1) = (1 - exp(-m)) / m    (1 at m = 0)                 tau 2 = sum of (1 - exp(-m)) / m.
-- (modRisk of sdcMicro puts the mean of the sample, u, where these have that of the population, u / pi: a
-- population that is no larger than the sample.)
--
-- u is smoothed: a log-linear model has it from marginals, the counts by some of the columns, those of each
-- column among them. Sets of columns that share none, directly or by other sets, are independent: each such
-- component has a share of the rows in each of its cells, and u is rows times the product of these shares.
-- Within a component the fit is by iterative proportional fitting (Deming and Stephan 1940): all cells begin
-- alike, and are scaled to one marginal after the other until they agree with all.
--
-- With sampling weights, pi is rows / sum of weights: the share of the population that is in the sample.
-- Where weights differ, that is an average. Who stands for more people than most is then taken for rarer in
-- the population than they are (the risk is overstated), and who stands for fewer for less rare
-- (understated).

-- The sets of columns of the model, as positions in qi: those that are given, and every other column by
-- itself.
create or replace macro sqlanon._sets_of_model(qi, marginals) as
    sqlanon._let(coalesce(sqlanon._wanted(marginals), []), lambda wanted:
        case when list_contains(list_transform(wanted, lambda each: coalesce(len(each), 0)), 0)
             then error('marginals must have sets of columns, e.g. [[''age'', ''sex''], [''age'', ''zip'']]')
             when list_contains(list_transform(flatten(wanted), lambda name: name is null), true)
             then error('a column name is NULL in marginals')
             when len(sqlanon._not_among(flatten(wanted), qi)) > 0
             then error('marginals names "' || sqlanon._not_among(flatten(wanted), qi)[1]
                        || '", which is not in qi')
             else list_transform(
                 wanted || list_transform(sqlanon._not_among(qi, flatten(wanted)), lambda name: [name]),
                 lambda each: list_sort(list_distinct(list_transform(each, lambda name:
                     list_position(sqlanon._lower(qi), lower(name))::bigint))))
        end);

-- They are marginals: marginal (a number), members, component, nth (in its component), marginals (how many
-- the component has), shared (members that an earlier one of the component has, too).
create or replace macro sqlanon._marginals_of_model(sets) as table
    with given_set as materialized (
        select unnest(sets) as members, unnest(range(1, len(sets) + 1)) as marginal
    ),
    pair as materialized (select marginal as one, unnest(members) as other from given_set),
    placed as (
        select marginal, members, component,
               row_number() over (partition by component order by marginal) as nth,
               count(*) over (partition by component) as marginals
        from given_set join (select distinct one as marginal, component from sqlanon._components('pair'))
          using (marginal)
    )
    select *, list_filter(members, lambda member: list_contains(seen, member)) as shared
    from (select *, flatten(list(members) over (
                        partition by component order by nth
                        rows between unbounded preceding and 1 preceding)) as seen
          from placed);

-- Codes with 0 in place of those that are not among members.
create or replace macro sqlanon._codes_of(codes, members) as
    list_transform(codes, lambda code, place: if(list_contains(members, place), code, 0));

-- The cells of the marginals: part (a number), marginal, nth, codes (0 in other columns), n (rows). coded:
-- as _coded makes it.
create or replace macro sqlanon._parts_of_marginals(coded, model) as table
    select row_number() over () as part, marginal, nth, codes, n
    from (
        select marginal, nth, sqlanon._codes_of(codes, members) as codes, sum(n)::double as n
        from query_table(coded) cross join query_table(model)
        group by all
    );

-- The cells of each component that no marginal counts 0 rows in, as all others are fitted 0: cell (a number),
-- component, codes. They grow by one marginal after the other, joined by the columns that are there already.
create or replace macro sqlanon._cells_of_model(model, parts, max_cells) as table
    with recursive further as materialized (
        select component, part.nth, part.codes,
               [marginal] || sqlanon._codes_of(part.codes, shared) as known
        from query_table(parts) as part join query_table(model) using (marginal)
    ),
    growing as (
        select component, nth, codes from further where nth = 1
        union all
        (
            with awaiting as materialized (
                select codes, [model.marginal] || sqlanon._codes_of(growing.codes, shared) as known
                from growing join query_table(model) as model
                  on model.component = growing.component and model.nth = growing.nth + 1
            )
            select further.component, further.nth,
                   list_transform(awaiting.codes, lambda code, place: greatest(code, further.codes[place]))
            from awaiting join further using (known)
            limit max_cells + 1
        )
    ),
    largest as (select max(cells) as cells from (select count(*) as cells from growing group by nth))
    select row_number() over () as cell, component, codes
    from growing join (select component, max(nth) as nth from query_table(model) group by component) as whole
      using (component, nth), largest
    where if(cells > max_cells,
             error('the marginals have more than ' || max_cells || ' combinations of values (max_cells): '
                   || 'give fewer or smaller sets of columns, coarsen columns, or raise it'), true);

-- Which cell of a marginal each cell is in, in each turn of a round: turn (from 0), cell, part. A component
-- with fewer marginals than another begins again within the round.
create or replace macro sqlanon._parts_of_cells(model, parts, cells) as table
    with turn as (
        select unnest(range(max(marginals)))::bigint as turn from query_table(model)
    ),
    keyed as (
        select turn, cell, [marginal] || sqlanon._codes_of(codes, members) as place
        from query_table(cells) join (
            from query_table(model), turn where nth = 1 + turn % marginals
        ) using (component)
    )
    select turn, cell, part
    from keyed join (select part, [marginal] || codes as place from query_table(parts)) using (place);

-- One step of the fit: cell, fit, step, turns (of a round), difference (how far a cell of a marginal was from
-- its rows, as a share of these, in this round so far). No rows once a round has changed nothing. state: the
-- same.
create or replace macro sqlanon._fitting_step(state, parts, parts_of_cells) as table
    with now as materialized (
        select any_value(step % turns) as turn
        from query_table(state)
        where step % turns > 0 or step = 0 or (difference > 1e-10 and step < 200 * turns)
    ),
    own as materialized (
        select state.*, part
        from query_table(state) as state
        join (select cell, part from query_table(parts_of_cells) join now using (turn)) using (cell)
    ),
    scaled as materialized (
        select part, n / fitted as factor
        from (select part, sum(fit) as fitted from own group by part) join query_table(parts) using (part)
    ),
    furthest as (select max(abs(1 / factor - 1)) as difference from scaled)
    select cell, fit * factor as fit, step + 1 as step, turns,
           greatest(if(step % turns = 0, 0, own.difference), furthest.difference) as difference
    from own join scaled using (part), furthest;

-- The fitted rows of each cell: cell, fit, difference.
create or replace macro sqlanon._fitted_cells(model, parts, cells, parts_of_cells) as table
    with recursive round as (select max(marginals)::bigint as turns from query_table(model)),
    state using key (cell) as (
        select cell, 1::double as fit, 0::bigint as step, turns, 0::double as difference
        from query_table(cells), round
        union all
        from sqlanon._fitting_step('state', parts, parts_of_cells)
    )
    select cell, fit, difference from state;

-- The sample uniques: tuple_id, u (fitted rows of the combination). sampled: records, pi.
create or replace macro sqlanon._fitted_uniques(coded, model, cells, fitted, sampled) as table
    with component_of as (
        select component, list_distinct(flatten(list(members))) as members
        from query_table(model) group by component
    ),
    place as materialized (
        select tuple_id, sqlanon._codes_of(codes, members) as codes
        from query_table(coded) cross join component_of
        where n = 1
    )
    select tuple_id, any_value(records) * product(fit / records) as u
    from place join query_table(cells) using (codes) join query_table(fitted) using (cell),
         query_table(sampled)
    group by tuple_id;

-- (1 - exp(-m)) / m without the difference of like numbers.
create or replace macro sqlanon._mean_share(m) as if(m = 0, 1, tanh(m / 2) * (1 + exp(-m)) / m);

-- The measures: measure, value, unit, id. sampled: records, pi; fitted_uniques: u; fitted: difference.
create or replace macro sqlanon._log_linear_measures(sampled, fitted_uniques, fitted) as table
    with other as (
        select u / pi * (1 - pi) as m from query_table(fitted_uniques), query_table(sampled)
    ),
    total as (
        select count(*) as uniques, coalesce(list_sum(list_sort(list(exp(-m)))), 0) as tau1,
               coalesce(list_sum(list_sort(list(sqlanon._mean_share(m)))), 0) as tau2
        from other
    ),
    fit as (select coalesce(max(difference), 0) as difference from query_table(fitted))
    select unnest([
        {'measure': 'records', 'value': records::double, 'unit': 'rows', 'id': 'records'},
        {'measure': 'sampling fraction', 'value': pi, 'unit': 'share of people', 'id': 'sampling_fraction'},
        {'measure': 'sample uniques', 'value': uniques, 'unit': 'rows', 'id': 'sample_uniques'},
        {'measure': 'sample uniques that are population uniques, expected (tau 1)', 'value': tau1,
         'unit': 'rows', 'id': 'tau1'},
        {'measure': 'correct matches of sample uniques, expected (tau 2)', 'value': tau2, 'unit': 'rows',
         'id': 'tau2'},
        {'measure': 'fitted marginals, largest difference', 'value': difference, 'unit': 'share of rows',
         'id': 'largest_difference'}
    ], max_depth := 2)
    from query_table(sampled), total, fit;

-- One row: records, pi, unweighted (rows without a weight that can be used). relation: the rows.
create or replace macro sqlanon._sampled_share(relation, sampling_weight, fraction) as table
    from query(sqlanon._fill($$
        select count(*) as records, {pi} as pi,
               count(*) filter (not sqlanon._is_weight_of_sample({number})) as unweighted
        from {relation} as src
    $$, map {
        'number': sqlanon._number_of_row(sampling_weight),
        'pi': if(sampling_weight is null, sqlanon._constant(fraction),
                 'count(*) / fsum(' || sqlanon._number_of_row(sampling_weight) || ')')}));

create or replace macro sqlanon._log_linear_risk(tbl, qi, sampling_weight, fraction, sets, max_cells)
as table
    with _sqlanon_source as materialized (
        from sqlanon._source(tbl, qi, sqlanon._list(sampling_weight))
    ),
    _sqlanon_sampled as materialized (
        from sqlanon._sampled_share('_sqlanon_source', sampling_weight, fraction)
    ),
    _sqlanon_combination as materialized (
        from sqlanon._numbered_combinations('_sqlanon_source', qi, [])
    ),
    _sqlanon_coded as materialized (from sqlanon._coded('_sqlanon_combination')),
    _sqlanon_marginal as materialized (from sqlanon._marginals_of_model(sets)),
    _sqlanon_part as materialized (
        from sqlanon._parts_of_marginals('_sqlanon_coded', '_sqlanon_marginal')
    ),
    _sqlanon_cell as materialized (
        from sqlanon._cells_of_model('_sqlanon_marginal', '_sqlanon_part', max_cells)
    ),
    _sqlanon_cell_part as materialized (
        from sqlanon._parts_of_cells('_sqlanon_marginal', '_sqlanon_part', '_sqlanon_cell')
    ),
    _sqlanon_fitted as materialized (
        from sqlanon._fitted_cells(
            '_sqlanon_marginal', '_sqlanon_part', '_sqlanon_cell', '_sqlanon_cell_part')
    ),
    _sqlanon_unique as (
        from sqlanon._fitted_uniques(
            '_sqlanon_coded', '_sqlanon_marginal', '_sqlanon_cell', '_sqlanon_fitted', '_sqlanon_sampled')
    ),
    _sqlanon_refusal as (
        from sqlanon._refuse_empty('_sqlanon_combination', tbl)
        union all
        from sqlanon._refuse_weights_of_sample(
            '_sqlanon_sampled', sampling_weight, 'rows of table ' || tbl || ' have')
    )
    from sqlanon._log_linear_measures('_sqlanon_sampled', '_sqlanon_unique', '_sqlanon_fitted')
    where (select count(refused) = 0 from _sqlanon_refusal);

-- An empty text, or an error where not exactly one says what share of the population is in the sample.
create or replace macro sqlanon._sampled_share_checked(qi, sampling_weight, fraction) as
    case when sampling_weight is null and fraction is null
         then error('sampling_weight or fraction must say what share of the population is in the sample: the '
                    || 'column that says for how many people a row stands, or a number')
         when sampling_weight is not null and fraction is not null
         then error('sampling_weight does not go with fraction: both say what share of the population is in '
                    || 'the sample')
         when list_contains(sqlanon._lower(sqlanon._list(qi)), lower(sampling_weight))
         then error('column "' || sampling_weight || '" is named twice: in qi and as sampling_weight')
         else '' end;

create or replace macro sqlanon.log_linear_risk(
    tbl, qi, sampling_weight := null, fraction := null, marginals := null, max_cells := 1000000) as table
    from query(
        sqlanon._checked(qi, null, null)
        || sqlanon._sampled_share_checked(qi, sampling_weight, fraction)
        || {call _log_linear_risk:
            fraction := sqlanon._real_number(fraction, 'fraction', 0, false, 1, 'above 0 and at most 1'),
            sets := sqlanon._sets_of_model(sqlanon._list(qi), marginals),
            max_cells := sqlanon._whole_given(max_cells, 'max_cells')});

comment on macro table sqlanon.log_linear_risk is $$
Estimates how many of those who are unique in a sample are unique in its population, and how many of them an
adversary matches correctly, by a log-linear model: one row per measure.

Parameters:
- tbl (table): the sample: a row per person.
- qi (columns): the quasi-identifiers.
- sampling_weight (column; default null): for how many people of the population the row stands, a number of at
  least 1 that may have a fraction. The sample is then the share rows / sum of weights of the population.
  sampling_weight or fraction must be given.
- fraction (number, above 0 and at most 1; default null): the share of the population that is in the sample.
- marginals (list of lists of columns; default null): sets of quasi-identifiers that depend on each other:
  [['age', 'job'], ['age', 'sex']]. The model fits the number of rows for each combination of values of each
  set. Columns in no set are independent of all others.
- max_cells (integer, at least 1; default 1000000): the largest number of combinations of values, in columns
  that depend on each other, for which rows are fitted.

Result:
- measure (text): the title of the measure.
- value (number): its value, in the unit.
- unit (text): the unit: rows, share of people or share of rows.
- id (text): the name of the measure for programs; it does not change if the title does.

Errors: unknown column, empty table, a sampling weight that is NULL, below 1, not finite or no number, neither
or both of sampling_weight and fraction, a set of other columns, more than max_cells combinations.

Notes: NULL is a value of its own. The measures, by id:
- records: the number of rows.
- sampling_fraction: pi, the share of the population that is in the sample. If weights differ it is an
  average: the risk of rows with smaller weights is understated, and that of rows with larger ones overstated.
- sample_uniques: rows that are alone in their class.
- tau1: the expected number of sample uniques that are population uniques: the sum of exp(-m), where m =
  u / pi (1 - pi) and u is the number of rows that the model expects in the class.
- tau2: the expected number of correct matches, if each sample unique is linked to somebody of the population
  with the same values: the sum of (1 - exp(-m)) / m.
- largest_difference: how far the fit is from a count of the marginals, as a share of this count. It is above
  1e-10 if 200 rounds of fitting did not suffice; then all values are approximate.
A model that is too simple (independence) mostly overstates the risk, and one with too many sets understates
it (Skinner and Shlomo 2008).

Source: Elamir and Skinner 2006; Skinner and Shlomo 2008.

Example:
from sqlanon.log_linear_risk('people', qi := ['age', 'zip'], fraction := 0.1);
$$;
