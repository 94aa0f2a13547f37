-- Membership by counts: do published counts tell who was in? Whoever was counted has values that are more
-- frequent among the counts than among everybody, by a little in each table, and all tables add up (Homer et
-- al. 2008). The sum of the logarithms of likelihood ratios is the most powerful test where values are
-- independent (Sankararaman, Obozinski, Jordan and Halperin 2009).
--
-- A cell in which l people are expected has the count c with probability e^-l l^c / c!. If somebody is known
-- to be in it, the others are c - 1: c / l times as probable [own derivation]. With noise both are normal,
-- with the means l + 1 and l, and the variance l + deviation^2. A cell is a class of locate, so that its
-- labels may be ranges, sets or totals: what a total says is the same for everybody.

-- The count of each cell: class_id, n (NULL: hidden, as one of its rows is), variance (of the noise).
-- deviation: of its noise, the column's name or NULL.
create or replace macro sqlanon._counts_of_published_cells(
    cells, release_classes, counted, count_column, deviation)
as table
    from query(sqlanon._fill($$
        select class_id, if(count(noise) = count(*) and count(src.{"count_column"}) = count(*),
                            sum(src.{"count_column"}::double), null) as n,
               sum(noise ** 2) as variance
        from (select *, {noise} as noise from {cells}) as src
        join {release_classes} as class
          on row({each counted: src.{c}}) is not distinct from row({each counted: class.q{i}})
        group by class_id
    $$, map {'noise': coalesce(sqlanon._quote(deviation) || '::double', '0::double')}));

-- What a table of counts says of each person: who, is_member, term (the logarithm of the ratio; NULL:
-- hidden). counted: the columns by which it counts.
create or replace macro sqlanon._terms_of_counts(
    release, counted, count_column, deviation, people, hierarchy, controls) as table
    with _sqlanon_cell as materialized (
        from sqlanon._source(release, counted, [count_column] || sqlanon._list(deviation))
    ),
    _sqlanon_class as materialized (from sqlanon._release_classes('_sqlanon_cell', counted)),
    _sqlanon_count as (
        from sqlanon._counts_of_published_cells(
            '_sqlanon_cell', '_sqlanon_class', counted, count_column, deviation)
    ),
    _sqlanon_known as materialized (from sqlanon._target_combinations(people, counted, null)),
    _sqlanon_one as materialized (
        from sqlanon._people(
            people, '_sqlanon_who', ['_sqlanon_is_asked', controls], counted, null, '_sqlanon_known')
    ),
    _sqlanon_group as (
        select target, count(*) filter (not actuals[1]::boolean) as others from _sqlanon_one group by target
    ),
    _sqlanon_place as materialized (
        from sqlanon._locate('_sqlanon_class', '_sqlanon_known', hierarchy, counted)
    ),
    _sqlanon_share as materialized (
        select class_id, any_value(n) as n, any_value(variance) as variance, sum(others) as others
        from _sqlanon_place join _sqlanon_group using (target) join _sqlanon_count using (class_id)
        group by class_id
    ),
    -- so many are counted for each of the others
    _sqlanon_scale as (
        select greatest(sum(n) / greatest(sum(others) filter (n is not null), 1), 1e-9) as scale
        from _sqlanon_share
    ),
    _sqlanon_ratio as (
        select class_id, scale * (others + 0.5) as expected,
               if(deviation is null, ln(if(n <= 0, 1e-300, n) / expected),
                  (n - expected - 0.5) / (expected + variance)) as ratio
        from _sqlanon_share, _sqlanon_scale
    ),
    _sqlanon_term as materialized (
        select target, list_sum(list_sort(list(ratio))) as term, bool_or(ratio is null) as is_hidden
        from _sqlanon_place join _sqlanon_ratio using (class_id) group by target
    )
    -- Who is in no cell has values that nobody counted has, or with noise, that are not shown.
    select who, not sqlanon._says(actuals[2], 'controls') as is_member,
           case when own.target is null
                then if(deviation is null, ln(1e-300 / (scale * (others + 0.5))), null)
                when not is_hidden then term end as term
    from _sqlanon_one as one
    join _sqlanon_group using (target)
    cross join _sqlanon_scale
    left join _sqlanon_term as own on own.target = one.target
    where actuals[1]::boolean
    union all by name
    select refused::double as term from sqlanon._refuse_empty('_sqlanon_class', release);

-- The terms of all tables. marginals: by which columns each counts.
create or replace macro sqlanon._terms_of_tables(
    releases, marginals, count_column, deviation, people, hierarchy, controls) as table
    from query(sqlanon._over_releases(list_transform(sqlanon._list(releases), lambda release, number:
        {call _terms_of_counts:
            counted := text(sqlanon._names(marginals[number])),
            deviation := text(sqlanon._optional(deviation))})));

-- Whom it is about, and people of the same kind: the columns known, controls, _sqlanon_who (the id) and
-- _sqlanon_is_asked.
create or replace macro sqlanon._asked_and_others(asked, others, id, known, controls) as table
    from query(sqlanon._fill($$
        select {each known: src.{c}}, src.{"controls"}, src.{"id"} as _sqlanon_who, true as _sqlanon_is_asked
        from {asked} as src
        union all by name
        select {each known: src.{c}}, false as _sqlanon_is_asked from {others} as src
    $$));

create or replace macro sqlanon._membership_by_counts(
    releases, marginals, targets, id_column, known, count_column, deviation, controls, reference, hierarchies)
as table
    with _sqlanon_hierarchy as materialized (from sqlanon._hierarchies(hierarchies)),
    _sqlanon_target as materialized (from sqlanon._source(targets, known, [id_column, controls])),
    _sqlanon_reference as materialized (from sqlanon._source(reference, known, [])),
    _sqlanon_somebody as materialized (
        from sqlanon._asked_and_others(
            '_sqlanon_target', '_sqlanon_reference', id_column, known, controls)
    ),
    _sqlanon_person as (select _sqlanon_who as who from _sqlanon_somebody where _sqlanon_is_asked),
    _sqlanon_term as materialized (
        from sqlanon._terms_of_tables(
            releases, marginals, count_column, deviation, '_sqlanon_somebody',
            sqlanon._if_any(hierarchies, '_sqlanon_hierarchy'),
            controls)
    ),
    _sqlanon_score as (
        select any_value(is_member) as is_member,
               round(list_sum(list_sort(list(-term) filter (term is not null))), 9) as distance
        from _sqlanon_term group by who
    ),
    _sqlanon_distance as materialized (
        select distance, is_member, count(*) as n from _sqlanon_score group by distance, is_member
    ),
    _sqlanon_measure as (
        from sqlanon._member_measures('_sqlanon_distance', 'a member scores higher than a control')
        union all by name
        select 7 as place, 'hidden' as id, 'cells that are hidden' as measure,
               count(*) filter (term is null) / count(*) as value, '%' as unit
        from _sqlanon_term having count(*) filter (term is null) > 0
        union all by name
        select refused::integer as place from sqlanon._refuse_people('_sqlanon_person', targets, id_column)
        union all by name
        select refused::integer as place from sqlanon._refuse_empty('_sqlanon_reference', reference)
        union all by name
        select refused::integer as place
        from sqlanon._refuse_given_hierarchies(hierarchies, '_sqlanon_hierarchy', known)
        union all by name
        select refused::integer as place
        from sqlanon._refuse_one_group('_sqlanon_distance', controls, targets)
    )
    from sqlanon._member_measures_shown('_sqlanon_measure');

-- The columns of all marginals, each once.
create or replace macro sqlanon._columns_of_marginals(marginals) as
    sqlanon._each_once(flatten(list_transform(marginals, lambda counted: sqlanon._list(counted))));

create or replace macro sqlanon.membership_by_counts(
    releases, targets, id, marginals, count_column, controls, reference, deviation_column := null,
    hierarchies := null) as table
    from query(
        case when len(marginals) <> len(sqlanon._list(releases))
             then error('marginals must have the columns of each release: there are '
                        || len(sqlanon._list(releases)) || ' releases, and ' || len(marginals)
                        || ' in marginals')
             when len(sqlanon._list(controls)) <> 1
             then error('controls must name one column, true for people who are known not to be in')
             else sqlanon._checked(
                 sqlanon._columns_of_marginals(marginals), null,
                 [id] || sqlanon._list(controls)) end
        || {call _membership_by_counts:
            marginals := text('[' || array_to_string(
                list_transform(marginals, lambda counted: sqlanon._names(counted)), ', ') || ']'),
            id_column := id, known := text(sqlanon._names(sqlanon._columns_of_marginals(marginals))),
            controls := sqlanon._list(controls)[1],
            deviation := text(sqlanon._optional(deviation_column))});

comment on macro table sqlanon.membership_by_counts is $$
Measures how well an adversary can guess who was counted in published tables of counts, from how much more
frequent people's values are there than elsewhere: one row per measure.

Parameters:
- releases (list of tables): the tables of counts, such as marginals or allele frequencies, with or without
  noise.
- targets (table): people with raw values in the columns of marginals, and the column id.
- id (column): of targets, the name or number of a person.
- marginals (list of lists of columns): for each table the columns by which it counts.
- count_column (column): of every table, the count; NULL: the cell is hidden.
- controls (column): of targets, true for people of the same kind who are known not to be counted; all other
  targets are counted.
- reference (table): raw rows of other people of the same kind, whom the adversary knows; neither members nor
  controls should be among them.
- deviation_column (column; default null): of every table, the standard deviation of the noise in the count.
  If not given, counts are exact, and a count of 0 means that nobody is there.
- hierarchies: as in locate

Result:
- measure (text): the title of the measure.
- value (number): its value, in the unit.
- unit (text): the unit: people or %.
- low (number): the lower end of a 95 % interval: of area by the variance of DeLong, of shares Wilson's.
- high (number): the upper end.
- id (text): the measure: subjects, controls, area, found_1, found_0_1, unfinished, hidden.

Errors: unknown column, empty table, a target twice, nobody or everybody in controls, a hierarchy that is not
a tree, not as many marginals as tables.

Notes: a person's score is the sum, over all cells that cover the person, of the logarithm of the likelihood
ratio: count / expected count, and with noise that of two normal distributions. The expected count is
proportional to the people of the reference in the cell plus 0.5. Who is in no cell of a table has the count 0
there. Rounded counts are not exact: with a column of the rounding base / sqrt(12) as deviation_column they
are read as counts with noise. Hidden cells, and with noise those that are not shown, add nothing: hidden is
the share of lookups that met one, and unfinished the share of people who met nothing else. area, found_1 and
found_0_1 are those of membership. The score is the best one if a person's values do not depend on each other;
an adversary who knows how they do may find more.

Source: Homer et al. 2008 (who is in a mixture); Sankararaman, Obozinski, Jordan and Halperin 2009 (likelihood
ratio); Carlini et al. 2022, sec. 3 (true positives at few false positives).

Example:
with counts as (select zip, count(*) as n from people where age < 42 group by zip),
     known as (select *, age >= 42 as out from people)
from sqlanon.membership_by_counts(
    ['counts'], 'known', id := 'name', marginals := [['zip']], count_column := 'n', controls := 'out',
    reference := 'voters');
$$;
