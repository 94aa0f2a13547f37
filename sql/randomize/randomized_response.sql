-- Randomized response (Warner 1965), with any number of answers (Kairouz, Bonawitz and Ramage 2016): a value
-- stays with probability p = exp(epsilon) / (exp(epsilon) + K - 1), or becomes one of the K - 1 others, each
-- as probable. Every row leaves by itself, so that nobody has to be trusted with all of them.

-- The probability that a value stays, of K.
create or replace macro sqlanon._probability_to_stay(epsilon, categories) as
    1 / (1 + (categories - 1) * exp(-epsilon));

-- The values of a column: g1.
create or replace macro sqlanon._value_rows(tbl, columns) as table
    from query(sqlanon._fill($$
        select src.{column} as g1 from sqlanon._source({=tbl}, {=columns}, null) as src
    $$, map {'column': sqlanon._quote(sqlanon._list(columns)[1])}));

-- No rows, or an error: categories that are too few, or of another type than the column.
create or replace macro sqlanon._refuse_categories(categories, value_rows, columns, keys) as table
    from sqlanon._refuse_other_types(categories, value_rows, columns)
    union all
    select error('keys must have two values at least, not ' || count(*)) as refused
    from query_table(categories) having count(*) < 2;

create or replace macro sqlanon._randomized_release(chosen, categories, columns) as table
    from query(sqlanon._fill($$
        select g1 as {column} from {chosen} join {categories} using (place) order by place
    $$, map {'column': sqlanon._quote(sqlanon._list(columns)[1])}));

create or replace macro sqlanon._randomized_response(tbl, columns, keys, epsilon, budget) as table
    with _sqlanon_value as materialized (from sqlanon._value_rows(tbl, columns)),
    _sqlanon_key as materialized (from sqlanon._public_keys(keys, columns)),
    _sqlanon_refusal as materialized (
        from sqlanon._refuse_categories('_sqlanon_key', '_sqlanon_value', columns, keys)
        union all
        select refused from (
            select sqlanon._paid(budget, 'exponential', null, 'randomized_response', tbl, columns) as refused)
        where refused is not null
    ),
    _sqlanon_category as materialized (from sqlanon._placed_groups('_sqlanon_key', columns)),
    _sqlanon_calibration as materialized (
        select columns[1] as part, sqlanon._probability_to_stay(epsilon::double, count(*)) as probability,
               count(*) as categories
        from _sqlanon_category
    ),
    -- What is no category has no place, and becomes any.
    _sqlanon_group as materialized (
        select category.place
        from _sqlanon_value as own
        left join _sqlanon_category as category on category.g1::varchar is not distinct from own.g1::varchar
        where (select count(refused) = 0 from _sqlanon_refusal)
    ),
    _sqlanon_noisy as materialized (
        select own.place, sqlanon._event(probability) as stays,
               sqlanon._uniform_below(categories - (own.place is not null)::bigint) + 1 as drawn
        from _sqlanon_group as own, _sqlanon_calibration
    ),
    _sqlanon_chosen as (
        select if(stays and place is not null, place, drawn + coalesce(drawn >= place, false)::bigint)
                   as place
        from _sqlanon_noisy
    )
    from sqlanon._randomized_release('_sqlanon_chosen', '_sqlanon_category', columns);

create or replace macro sqlanon._randomized_response_budget(epsilon) as
    sqlanon._budget(epsilon, null, null, 'laplace', null);

create or replace macro sqlanon.randomized_response(tbl, columns, keys, epsilon := null) as table
    from query({statement:
        case when len(sqlanon._list(columns)) <> 1
             then error('columns names one column, whose values become random, not '
                        || len(sqlanon._list(columns)))
             else {call _randomized_response:
                 epsilon := sqlanon._randomized_response_budget(epsilon)['epsilon'],
                 budget := sqlanon._randomized_response_budget(epsilon)} end});

comment on macro table sqlanon.randomized_response is $$
Releases the values of a column row by row, each randomly changed so that it hardly reveals the true value:
local differential privacy. debiased_counts estimates from the result how many rows have each value.

Parameters:
- tbl (table): the raw rows.
- columns (column): the only column that is released.
- keys (table): all possible values, at least two, in a column of the same name and type: public knowledge. A
  value that is not in keys becomes a random one.
- epsilon (number, 0.000001 to 100; default null): the epsilon of differential privacy. Must be given.

Result:
- <columns> (unchanged): a value for each row, sorted.

Errors: unknown column, no noise function, fewer than two values in keys, or of another type.

Notes: neighbouring tables differ in the value of one row: the release hides which value a row has, not the
number of rows. For a person with several rows, epsilon is multiplied by their number. A value is kept with
the probability p = exp(epsilon) / (exp(epsilon) + K - 1), of K values.

Source: Warner 1965; Kairouz, Bonawitz and Ramage 2016.

Example:
with known as (select unnest(['asthma', 'cancer', 'diabetes', 'flu']) as disease)
from sqlanon.randomized_response('people', columns := 'disease', keys := 'known', epsilon := 1);
$$;

-- ESTIMATES

-- The counts of each category that is released: g1, n, total, stay and change (the probabilities that a value
-- stays, and that it becomes a certain other).
create or replace macro sqlanon._observed(value_rows, categories, epsilon) as table
    from query(sqlanon._fill($$
        with _sqlanon_told as (
            select category.g1, count(told) as n
            from {categories} as category
            left join (select g1::varchar as label, true as told from {value_rows}) as own
              on label is not distinct from category.g1::varchar
            group by category.g1
        )
        select g1, n, total, stay, (1 - stay) / (size - 1) as change
        from _sqlanon_told, (select count(*) as total from {value_rows}),
             (select count(*) as size, sqlanon._probability_to_stay({=epsilon}, size) as stay
              from {categories})
    $$));

create or replace macro sqlanon._debiased_release(observed, columns) as table
    from query(sqlanon._fill($$
        with _sqlanon_estimate as (
            select g1, (n - total * change) / (stay - change) as estimate,
                   least(greatest(estimate, 0), total) as likely,
                   sqrt(likely * stay * (1 - stay) + (total - likely) * change * (1 - change))
                       / (stay - change) as deviation
            from {observed}
        )
        select g1 as {column}, estimate as n, deviation as standard_deviation,
               estimate - 1.96 * deviation as low, estimate + 1.96 * deviation as high
        from _sqlanon_estimate order by g1
    $$, map {'column': sqlanon._quote(sqlanon._list(columns)[1])}));

create or replace macro sqlanon._debiased_counts(tbl, columns, keys, epsilon) as table
    with _sqlanon_value as materialized (from sqlanon._value_rows(tbl, columns)),
    _sqlanon_key as materialized (from sqlanon._public_keys(keys, columns)),
    _sqlanon_observed as (from sqlanon._observed('_sqlanon_value', '_sqlanon_key', epsilon))
    from sqlanon._debiased_release('_sqlanon_observed', columns);

create or replace macro sqlanon.debiased_counts(tbl, columns, keys, epsilon) as table
    from query(
        case when len(sqlanon._list(columns)) <> 1
             then error('columns names the one column that is random, not ' || len(sqlanon._list(columns)))
             else {call _debiased_counts:
                 epsilon := coalesce(sqlanon._positive(epsilon, 'epsilon'),
                                            error('epsilon must be given, that of the release'))} end);

comment on macro table sqlanon.debiased_counts is $$
Estimates how many rows had each value, from what randomized_response has released.

Parameters:
- tbl (table): a release of randomized_response.
- columns (column): its column.
- keys (table): the possible values, as given to randomized_response.
- epsilon (number, 0.000001 to 100): the epsilon, as given to randomized_response.

Result:
- <columns> (unchanged): the value.
- n (number): an unbiased estimate of the number of rows with this value; it may be below 0.
- standard_deviation (number): the standard deviation of the estimate.
- low (number): the lower end of an interval of about 95 % for the number of rows.
- high (number): the upper end.

Errors: unknown column, an epsilon out of its range.

Notes: if c of N released rows have a value, n is (c - N q) / (p - q), where p and q are the probabilities
that a value is kept, and that it becomes a certain other value. The estimate costs no epsilon, because it
only uses the release.

Source: Kairouz, Bonawitz and Ramage 2016.

Example:
with known as (select unnest(['asthma', 'cancer', 'diabetes', 'flu']) as disease)
from sqlanon.debiased_counts('people', columns := 'disease', keys := 'known', epsilon := 1);
$$;
