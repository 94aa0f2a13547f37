-- The risk of the classes of a sample, by sampling weights and households (sql/models/sample_risk.sql), as
-- violations and privacy show it: of a class the highest of its rows.

-- Classes with their risk: q1, q2, ..., n (rows), people (for whom its rows stand, rounded down), reached.
-- relation: the rows; sampled: their classes, as in _sampled_classes.
create or replace macro sqlanon._reached_risks(relation, sampled, qi, household) as table
    from query(sqlanon._fill(if(household is null, $$
        select {codes}, n, floor(population_estimate)::bigint as people, individual_risk as reached
        from {sampled}
    $$, $$
        select {each qi: class.q{i}}, any_value(class.n) as n,
               floor(any_value(class.population_estimate))::bigint as people,
               max(home.household_risk) as reached
        from {relation} as src
        join {sampled} as class on true {each qi: and src.{c} is not distinct from class.q{i}}
        join ({households}) as home on home.whose = {whose}
        group by {each qi: class.q{i}}
    $$), map {
        'codes': sqlanon._each(qi, 'q{i}', ', '),
        'households': if(household is null, '', {call _households}),
        'whose': sqlanon._person(coalesce(household, ''), [])}));

-- As _violating_classes and _worst_classes have them: model, sensitive, required, reached, size, people,
-- class, id. relation: the rows of tbl; most: what is allowed, or NULL: then it is the worst class.
create or replace macro sqlanon._risk_of_classes(
    relation, tbl, qi, sampling_weight, household, risk_formula, most) as table
    with _sqlanon_group as materialized (
        from sqlanon._combinations_of_sample(relation, qi, sampling_weight)
    ),
    _sqlanon_sampled as materialized (from sqlanon._sampled_classes('_sqlanon_group', qi, risk_formula)),
    _sqlanon_reached as (from sqlanon._reached_risks(relation, '_sqlanon_sampled', qi, household)),
    _sqlanon_told as (
        from query(sqlanon._fill($$
            select '{title}' as model, null::varchar as sensitive, {most}::double as required,
                   reached, n as size, people, struct_pack({each qi: {c} := q{i}}) as class,
                   'individual_risk' as id
            from _sqlanon_reached
        $$, map {'title': if(household is null, 'individual risk', 'household risk'),
                 'most': sqlanon._written(most)}))
    ),
    _sqlanon_refused as (
        from sqlanon._refuse_samples('_sqlanon_group', relation, tbl, sampling_weight, household)
    )
    from query(
        'from _sqlanon_told where (select count(refused) = 0 from _sqlanon_refused)'
        || if(most is null, ' order by reached desc, class limit 1',
              ' and not sqlanon._at_most(reached, required) order by size, class'));
