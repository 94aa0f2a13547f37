-- Forecast: what a release will give away once another table about the same people comes out, anonymized by
-- somebody else, of which nothing is known yet but how frequent the sensitive values are in it.
--
-- Somebody is in a class of this release, and will be in a class of n rows of the other one. There, one row
-- is their own, and the others are n - 1 draws from the shares q of the values. So, if v is their value,
--   * another value w of the class survives the intersection with probability 1 - (1 - q_w)^(n - 1);
--   * all values in a set of others, whose shares sum to Q, are excluded with probability (1 - Q)^(n - 1);
--   * v is certain if all others in the class are excluded.
-- Who is in the class has value v with probability n_v / size. The adversary guesses the most frequent value
-- of the class that survives, of equally frequent ones that which is rarest elsewhere. This guess is right
-- if v is the true value and all those before it are excluded.
--
-- What a real pair of releases gives away differs where the other class is like this one: people of the same
-- age and education have similar occupations, so that more values survive than draws from all would leave.
-- The forecast then says more is certain than will be (python -m benchmarks forecast compares). The size of
-- the other classes is an assumption, too, if it is not given. Smaller classes tell more, so the upper end of
-- a confidence is that with the smallest.
--
-- This model is our own, of the intersection attack of Ganta, Kasiviswanathan and Smith 2008. That enough
-- values should survive any other release is the aim of Sattar, Li, Liu, Heatherly and Malin 2014.

-- THE OTHER RELEASE

-- How frequent values will be, as a user says: value (text), kind (of its column), share (of all; NULL is an
-- error).
create or replace macro sqlanon._stated_marginal(marginal) as table
    with stated as (
        select src.value::varchar as value, sqlanon._kind_of_type(typeof(src.value)) as kind,
               src.share::double as share
        from sqlanon._source(marginal, ['value'], ['share']) as src
    ),
    total as (select list_sum(list_sort(list(share))) as total from stated)
    select value, kind,
           case when share >= 0 and isfinite(share) and total > 0 then share / total
                else error('the shares in ' || marginal || ' must be at least 0, and not all of them 0: '
                           || coalesce(value, 'NULL') || ' has ' || coalesce(share::varchar, 'NULL'))
           end as share
    from stated, total;

create or replace macro sqlanon._stated_marginal_if_any(marginal) as table
    from query(
        case when marginal is null then 'select null as value, null::integer as kind, null::double as share'
             else {call _stated_marginal} end);

-- The shares of the values of the release, in the other one: value (as the release has it), share. A value
-- that the marginal lacks has share 0.
create or replace macro sqlanon._shares_of_values(class_values, stated) as table
    with released as (select distinct value, kind from query_table(class_values)),
    common as (
        select sqlanon._common_kind(
                   (select any_value(kind) from released), (select any_value(kind) from query_table(stated))
               ) as common_kind
    ),
    keyed as (
        select sqlanon._comparable(value, common_kind) as key, sum(share) as share
        from query_table(stated), common group by key
    ),
    matched as (
        select released.value, keyed.share
        from released cross join common
        left join keyed on keyed.key is not distinct from sqlanon._comparable(released.value, common_kind)
    )
    select value, coalesce(share, 0) as share from matched;

-- Or, where nothing is known, those of this release: value, share.
create or replace macro sqlanon._shares_of_release(class_values) as table
    select value, sum(n) / (select sum(n) from query_table(class_values)) as share
    from query_table(class_values) group by value;

-- No rows, or an error where the marginal is of something else.
create or replace macro sqlanon._refuse_shares(shares, marginal) as table
    select error('no value of the release has a share above 0 in ' || marginal) as refused
    from query_table(shares) having count(*) > 0 and max(share) = 0;

-- How large the class is in which somebody will be: one row, sizes, a list of draws (its other rows) and
-- share (how likely). other_size: all classes have that many rows; NULL: they are as those of this release,
-- each as likely as it has rows.
create or replace macro sqlanon._sizes_elsewhere(release_classes, other_size) as table
    with class as (
        select coalesce(other_size, size) - 1 as draws, sum(size)::bigint as n
        from query_table(release_classes) group by draws
    )
    select list({'draws': draws, 'share': n / (select sum(n) from class)} order by draws) as sizes from class;

-- WHAT SURVIVES

-- How likely it is that nobody else in the other class has one of some values; these have a share of others.
create or replace macro sqlanon._is_excluded(others, sizes) as
    list_sum(list_transform(sizes, lambda elsewhere:
        elsewhere.share * greatest(1 - others, 0) ** elsewhere.draws));

-- The values of each class in the order in which they are guessed: class_id, value, n, size, place (from
-- 1), survival (how likely others have it), others (the share of all other values of the class), before (that
-- of the values before it).
create or replace macro sqlanon._guessing_order(
    release_classes, class_values, shares, sizes_elsewhere) as table
    with marginal as (
        select value, share, 1 - sqlanon._is_excluded(share, sizes) as survival
        from query_table(shares), query_table(sizes_elsewhere)
    ),
    present as (
        select class_id, class_value.value, n, share, survival
        from query_table(class_values) as class_value
        join marginal on marginal.value is not distinct from class_value.value
    ),
    ordered as (
        select *, row_number() over guessed as place,
               sum(share) over (guessed rows unbounded preceding) - share as before
        from present window guessed as (partition by class_id order by n desc, share, value nulls first)
    ),
    total as (select class_id, list_sum(list_sort(list(share))) as total from present group by class_id)
    select class_id, value, n, size, place, survival, greatest(total - share, 0) as others,
           greatest(before, 0) as before
    from ordered join total using (class_id) join query_table(release_classes) using (class_id);

-- What is expected of each class: class_id, size, learned, confidence, baseline, prior, posterior, certain,
-- upper_end.
create or replace macro sqlanon._expected_of_classes(guessing_order, sizes_elsewhere) as table
    with judged as (
        select ordered.*, sqlanon._is_excluded(others, sizes) as alone,
               sqlanon._is_excluded(before, sizes) as first_left,
               sqlanon._is_excluded(before, [{'draws': sizes[1].draws, 'share': 1}]) as smallest_leaves
        from query_table(guessing_order) as ordered, query_table(sizes_elsewhere)
    )
    select class_id, any_value(size) as size,
           coalesce(any_value(value) filter (place = 1), 'NULL') as learned,
           list_sum(list(n * first_left order by n, first_left)) / any_value(size) as confidence,
           max(n) / any_value(size) as baseline,
           count(*) as prior,
           1 + list_sum(list(survival * (size - n) order by n, survival)) / any_value(size) as posterior,
           list_sum(list(n * alone order by n, alone)) / any_value(size) as certain,
           list_sum(list(n * smallest_leaves order by n, smallest_leaves)) / any_value(size) as upper_end
    from judged group by class_id;

-- The forecast from the release of a user.
create or replace macro sqlanon._forecast(
    release, qi, sensitive, other_size, marginal, weight, distinct_spellings) as table
    with _sqlanon_released as materialized (from sqlanon._source(release, qi, [sensitive], weight)),
    _sqlanon_release_class as materialized (from sqlanon._release_classes('_sqlanon_released', qi, weight)),
    _sqlanon_stated_value as materialized (
        from sqlanon._class_values('_sqlanon_released', '_sqlanon_release_class', qi, [sensitive], weight)
    ),
    _sqlanon_class_value as materialized (
        from sqlanon._read_class_values(
            '_sqlanon_stated_value', sqlanon._is_one_of(sensitive, distinct_spellings))
    ),
    _sqlanon_stated as materialized (from sqlanon._stated_marginal_if_any(marginal)),
    _sqlanon_share as materialized (
        from query(if(marginal is null, $$from sqlanon._shares_of_release('_sqlanon_class_value')$$,
                      $$from sqlanon._shares_of_values('_sqlanon_class_value', '_sqlanon_stated')$$))
    ),
    _sqlanon_refusal as (
        from sqlanon._refuse_empty('_sqlanon_release_class', release)
        union all from sqlanon._refuse_shares('_sqlanon_share', marginal)
    ),
    _sqlanon_elsewhere as materialized (from sqlanon._sizes_elsewhere('_sqlanon_release_class', other_size)),
    _sqlanon_guess as (
        from sqlanon._guessing_order(
            '_sqlanon_release_class', '_sqlanon_class_value', '_sqlanon_share', '_sqlanon_elsewhere')
    )
    from sqlanon._expected_of_classes('_sqlanon_guess', '_sqlanon_elsewhere')
    where (select count(refused) from _sqlanon_refusal) = 0;

-- The one column that is to be learned, as the text of a literal.
create or replace macro sqlanon._learned_column(sensitive) as
    case when len(sqlanon._list(sensitive)) = 1 then sqlanon._literal(sqlanon._list(sensitive)[1])
         else error('sensitive names one column, the one that is to be learned, not '
                    || len(sqlanon._list(sensitive))) end;

-- The text of a call of it, once what can be checked without the data is.
create or replace macro sqlanon._forecast_call(
    release, qi, sensitive, size, marginal, weight, distinct_spellings) as
    sqlanon._checked(qi, sensitive, null, null, weight)
    || {call _forecast:
        sensitive := text(sqlanon._learned_column(sensitive)),
        other_size := sqlanon._whole_number(size, 'size'), marginal := text(sqlanon._optional(marginal))};

create or replace macro sqlanon.forecast(
    release, qi, sensitive, size := null, marginal := null, weight := null,
    distinct_spellings := null) as table
    from query($$
        select class_id, size, learned, confidence, baseline, null::boolean as is_right, false as is_control,
               prior, posterior, certain, upper_end
        from ($$ || sqlanon._forecast_call(release, qi, sensitive, size, marginal, weight, distinct_spellings)
        || ') order by class_id');

comment on macro table sqlanon.forecast is $$
Forecasts what a release will reveal once another table about the same people is published, anonymized
independently. Only the frequencies of the sensitive values in that table are known. One row per class.

Parameters:
- release (table): the release, with the columns in qi and sensitive.
- qi (columns): its quasi-identifiers.
- sensitive (column): the column to be learned.
- size (integer, at least 1; default null): the size of the classes of the other table. If not given, they
  have the sizes of the classes of this release, each weighted by its rows.
- marginal (table; default null): rows of value and share: the frequencies of sensitive values in the other
  table, as shares or as numbers of rows. If not given, those of this release.
- weight (column; default null): of the release, says how many people each row stands for, as in classes.
- distinct_spellings: as in mondrian

Result:
- class_id (integer): the number of the class, as in classes.
- size (integer, rows): of the class.
- learned (text): the value that the adversary guesses unless the other table excludes it: the most frequent
  value of the class; of equally frequent ones the one that is rarest elsewhere.
- confidence (number, 0 to 1): the expected probability that the best guess from both tables is right.
- baseline (number, 0 to 1): the same from the release alone: the share of the most frequent value.
- is_right (boolean): NULL: nothing is published yet.
- is_control (boolean): false.
- prior (integer, values): the number of values in the class.
- posterior (number, values): how many of them are expected to be possible with both tables.
- certain (number, share of rows): the expected share of people for whom only the true value remains possible.
- upper_end (number, 0 to 1): confidence if all classes of the other table are as small as the smallest of the
  release; with size the same as confidence.

Errors: unknown column, empty release, shares that are negative or NULL, or that no value of the release
has, a weight as in classes.

Notes: expected_breaches summarizes the forecast. The model: the class of a person in the other table is their
own row and random draws from the marginal. If classes of the two tables are similar, they have more values in
common, and less is certain than the forecast says. With the default marginal the result is an assumption, not
a bound. If the marginal lacks a value, the model assumes that nobody else in the other table has it. Values
of different types compare as in intersection_attack.

Source: model of our own for the intersection attack of Ganta, Kasiviswanathan and Smith 2008.

Example:
from sqlanon.forecast('east', qi := ['age', 'zip'], sensitive := 'disease', size := 5);
$$;

-- The measures of breaches, as they are expected: measure, value, unit, id. (Not the prior: breaches has that
-- of the better of all releases.) forecast: as in _forecast.
create or replace macro sqlanon._expected_breaches(forecast) as table
    with total as (
        select sum(size)::bigint as people, sum(size * size)::double as size,
               list_sum(list(size * posterior order by class_id)) as posterior,
               list_sum(list(size * certain order by class_id)) as certain,
               list_sum(list(size * baseline order by class_id)) as baseline,
               list_sum(list(size * confidence order by class_id)) as confidence,
               list_sum(list(size * upper_end order by class_id)) as upper_end
        from query_table(forecast)
    )
    select unnest([
               {'measure': 'targets', 'value': people, 'unit': 'people', 'id': 'targets'},
               {'measure': 'average class size', 'value': size / people, 'unit': 'rows',
                'id': 'average_class_size'},
               {'measure': 'average posterior anonymity', 'value': posterior / people, 'unit': 'values',
                'id': 'average_posterior'},
               {'measure': 'PVP_100', 'value': 100 * certain / people, 'unit': '%', 'id': 'pvp_100'},
               {'measure': 'guess from one release, expected right', 'value': 100 * baseline / people,
                'unit': '%', 'id': 'release_guess_expected'},
               {'measure': 'weighted guess, expected right', 'value': 100 * confidence / people,
                'unit': '%', 'id': 'weighted_guess_expected'},
               {'measure': 'weighted guess, upper end', 'value': 100 * upper_end / people,
                'unit': '%', 'id': 'weighted_guess_upper'}],
           max_depth := 2)
    from total;

create or replace macro sqlanon.expected_breaches(
    release, qi, sensitive, size := null, marginal := null, weight := null,
    distinct_spellings := null) as table
    from query('with _sqlanon_forecast as materialized ('
               || sqlanon._forecast_call(release, qi, sensitive, size, marginal, weight, distinct_spellings)
               || $$) from sqlanon._expected_breaches('_sqlanon_forecast')$$);

comment on macro table sqlanon.expected_breaches is $$
Summarizes a forecast over everybody in a release: one row per measure. The measures have the names that they
have in breaches, so that you can compare the two once the other table is published.

Parameters:
- release, qi, sensitive, size, marginal, weight: as in forecast
- distinct_spellings: as in mondrian

Result:
- measure (text): the title of the measure.
- value (number): its value, in the unit.
- unit (text): the unit: people, rows, values or %.
- id (text): the name of the measure, as in breaches.

Errors: as in forecast.

Notes: PVP_100 is the expected share of people for whom only the true value remains possible.

Source: as forecast.

Example:
from sqlanon.expected_breaches('east', qi := ['age', 'zip'], sensitive := 'disease', size := 5);
$$;

-- SIMULATION

-- A table in an order by lot, with the place of each row (from 1) in a column of that name.
create or replace macro sqlanon._in_order_by_lot(tbl, qi, sensitive, place, seed) as table
    from query(sqlanon._fill($$
        select * replace (row_number() over (order by {key}, {"place"}) as {"place"})
        from (select row_number() over () as {"place"}, * from sqlanon._source({=tbl}, {=qi}, {=sensitive}))
    $$, map {'key': sqlanon._random_key(sqlanon._quote(place), seed)}));

-- One of two parts of it: the first places are in both, every other one of the rest in each.
create or replace macro sqlanon._part_of_people(dealt, place, common, part) as table
    from query(sqlanon._fill($$
        from {dealt} where {"place"} <= {common} or {"place"} % 2 = {part} % 2
    $$, map {'dealt': sqlanon._relation(dealt), 'common': common::varchar, 'part': part::varchar}));
