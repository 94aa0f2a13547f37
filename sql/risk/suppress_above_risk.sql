-- Suppression of what is at risk (localSupp of sdcMicro: Templ, Kowarik and Meindl 2015): in rows whose risk
-- is above a bound, all quasi-identifiers are suppressed, for all members of a household at once.
--
-- A suppressed cell is equal to every value, so that such a row is alike with all others: f and the sum of
-- weights grow for everybody, and no risk does. Whether all are below the bound then is looked at again.

-- Rows, with NULL in the quasi-identifiers of those whose risk is above most. relation: the rows; sampled:
-- their classes, as in _sampled_classes.
create or replace macro sqlanon._rows_suppressed_above(relation, sampled, qi, household, most) as table
    from query(sqlanon._fill($$
        select src.* replace ({suppressed})
        from {relation} as src
        join {sampled} as class on true {each qi: and src.{c} is not distinct from class.q{i}} {households}
    $$, map {
        'suppressed': sqlanon._each_of(
            qi, 'if(' || if(household is null, 'class.individual_risk', 'home.household_risk') || ' > '
                || sqlanon._constant(most) || ', null, src.{c}) as {c}', ', '),
        'households': coalesce(
            'join (' || {call _households} || ') as home on home.whose = ' || sqlanon._person(household, []),
            '')}));

create or replace macro sqlanon._suppress_above_risk(
    tbl, qi, keep, sampling_weight, household, risk_formula, most, seed) as table
    with _sqlanon_source as materialized (
        from sqlanon._source(
            tbl, qi, sqlanon._list(keep) || sqlanon._counted_with(sampling_weight, household))
    ),
    _sqlanon_class as materialized (
        from sqlanon._combinations_of_sample('_sqlanon_source', qi, sampling_weight)
    ),
    _sqlanon_sampled as materialized (
        from sqlanon._sampled_classes('_sqlanon_class', qi, risk_formula)
    ),
    _sqlanon_row as materialized (
        from sqlanon._rows_suppressed_above('_sqlanon_source', '_sqlanon_sampled', qi, household, most)
    ),
    _sqlanon_class_left as materialized (
        from sqlanon._combinations_of_sample('_sqlanon_row', qi, sampling_weight)
    ),
    _sqlanon_left as materialized (
        from sqlanon._sampled_classes('_sqlanon_class_left', qi, risk_formula)
    ),
    _sqlanon_refusal as (
        from sqlanon._refuse_empty('_sqlanon_class', tbl)
        union all
        from sqlanon._refuse_samples('_sqlanon_class', '_sqlanon_source', tbl, sampling_weight, household)
        union all
        select error('max_risk = ' || sqlanon._number_text(most) || ' is too low for table ' || tbl
                     || ': rows without any quasi-identifier still have a risk of '
                     || sqlanon._number_text(max(risk))) as refused
        from sqlanon._risks_that_add_up('_sqlanon_row', '_sqlanon_left', qi, household)
        having max(risk) > most
    )
    from query(sqlanon._fill($$
        select {columns} from _sqlanon_row where (select count(refused) = 0 from _sqlanon_refusal)
        order by {place}
    $$, map {
        'columns': sqlanon._each_of(qi || keep, '{c}', ', '),
        'place': sqlanon._random_key(sqlanon._each_of(qi || keep, '{c}', ', '), seed)}));

create or replace macro sqlanon.suppress_above_risk(
    tbl, qi, max_risk, keep := null, sampling_weight := null, household := null,
    risk_formula := 'approximate', seed := null) as table
    from query(sqlanon._released(
        sqlanon._sample_checked(qi, sampling_weight, household, null, null, null, risk_formula, null)
        || sqlanon._checked(qi, null, keep)
        || {call _suppress_above_risk:
            most := sqlanon._share(max_risk, 'max_risk')}));

comment on macro table sqlanon.suppress_above_risk is $$
Suppresses the quasi-identifiers of the rows of a sample whose risk of re-identification is above a bound: one
row per row of the table, in random order.

Parameters:
- tbl (table): a sample, or a release of one.
- qi (columns): quasi-identifiers: they are all NULL in rows above the bound.
- max_risk (number, 0 to 1): the highest risk that a row may have: its individual risk, or with household the
  risk of its household. risk_threshold of risk is the bound for a wished global risk.
- keep (columns; default null): further columns, which leave unchanged.
- sampling_weight, household, risk_formula: as in privacy
- seed (integer; default null): fixes the order of rows, which is random otherwise.

Result:
- <qi> (unchanged): as in tbl, or NULL.
- <keep> (unchanged): as in tbl.

Errors: as in risk; max_risk is so low that rows without any quasi-identifier are above it.

Notes: a missing value (* or NULL) is equal to every value. Who knows more, for example that somebody with
rare values must be in one of the rows that show nothing, is not considered.

Source: Templ, Kowarik and Meindl 2015.

Example:
from sqlanon.suppress_above_risk('people', qi := ['age', 'zip'], max_risk := 0.5);
$$;
