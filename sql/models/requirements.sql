-- Requirements: what a caller requires of a release, and whether a class meets it. list_of_models.sql has
-- what can be required, and how it is judged. A hole for requirements or verdicts is filled once for
-- each of its rows that the hole names.
--
-- Public macros pack their parameters into one value, which is handed on whole.

-- One of some texts.
create or replace macro sqlanon._choice(given, parameter, choices, bounds) as
    case when list_contains(choices, given) then given
         else error(parameter || ' must be ' || bounds || ', not ' || coalesce(given, 'NULL')) end;

-- What is required, as one value: a field per parameter, NULL where it is not given. Errors name the
-- parameter, and say its bounds in words, or which other one it needs (unless that is given).
create or replace macro sqlanon._requirements({requirements: {id} := {fallback}}) as {
    {requirements of integer: '{id}': {unless}sqlanon._whole_number_within(
        {id}, '{id}', {least}, {most}, '{bounds}'){end}},
    {requirements of number: '{id}': {unless}sqlanon._real_number(
        {id}, '{id}', {least}, {closed}, {most}, '{bounds}'){end}},
    {requirements of choice: '{id}': sqlanon._choice({id}, '{id}', {among}, '{bounds}')},
    {requirements of columns: '{id}': sqlanon._list({id})},
    {requirements of boolean: '{id}': coalesce({id}::boolean, false)}
};

-- Is anything required of sensitive values? Of a population?
create or replace macro sqlanon._is_about_values(req) as
    coalesce({requirements of values, shares: req.{id}}) is not null;
create or replace macro sqlanon._is_about_population(req) as
    coalesce({requirements of population: req.{id}}) is not null;

-- The sensitive columns that requirements look at: all of them, or none where only size or the population is
-- spoken of. other: what else is required.
create or replace macro sqlanon._judged(sensitive, req, other := null) as
    case when coalesce({requirements of values, shares, known: req.{id}}) is not null
         then case when len(sqlanon._list(sensitive)) > 0 then sqlanon._list(sensitive)
                   else error('{requirements of values, shares, known listed with and: {id}} '
                              || 'need a sensitive column') end
         when coalesce({requirements of size, population: req.{id}}, other) is null
         then error('nothing is required: give {requirements of model listed with or: {id}}')
         else []::varchar[]
    end;

-- The population, where a requirement looks at one.
create or replace macro sqlanon._counted_population(population, req) as
    case when not sqlanon._is_about_population(req) then null
         when req.dmin > req.dmax
         then error('dmin must not be above dmax, but ' || req.dmin || ' is above ' || req.dmax)
         when population is null
         then error('{requirements of population listed with and: {id}} need a population: the name of a '
                    || 'table with the columns in qi')
         else population
    end;

-- The known releases, where a requirement looks at them.
create or replace macro sqlanon._composed_with(known, req) as
    case when req.composed_l is null and known is null then null
         when req.composed_l is null
         then error('known releases need a requirement about them: give composed_l')
         when known is null or len(known) = 0
         then error('composed_l needs known: a list of the releases that are out already')
         else known::varchar[]
    end;

-- The columns that say who is in which known release; none, if everybody may be in all.
create or replace macro sqlanon._presence_in(known, presence) as
    case when presence is null then []::varchar[]
         when known is null
         then error('presence needs known releases: its columns say who is in which of these')
         when len(sqlanon._list(presence)) <> len(known)
         then error('presence must name one column of the table per known release: there are ' || len(known)
                    || ' releases, and ' || len(sqlanon._list(presence)) || ' columns in presence')
         else sqlanon._list(presence)
    end;

-- The terms of a release, named once for all that is made of them: req, judged (sensitive columns),
-- population, known (releases; NULL: none), presence (columns).
create or replace macro sqlanon._terms(
    sensitive, population, requirements, known := null, presence := null, other := null) as
    sqlanon._let(requirements, lambda req: {
        'req': req, 'judged': sqlanon._judged(sensitive, req, other),
        'population': sqlanon._counted_population(population, req),
        'known': sqlanon._composed_with(known, req), 'presence': sqlanon._presence_in(known, presence)});

-- Are rows grouped and joined by codes? People of a population and of known releases are found by values.
-- by_value: not NULL where somebody has counted combinations of values already.
create or replace macro sqlanon._is_by_code(by_value, terms) as
    by_value is null and terms['population'] is null and terms['known'] is null;

-- An empty text, or an error where there are a unit and a population, or known releases of a method that
-- looks at their rows, not at people.
create or replace macro sqlanon._unit_checked(unit, population, known := null) as
    case when unit is not null and known is not null
         then error('unit does not go with known releases (composed_l) here: rows are located, not people. '
                    || 'mondrian and violations count people')
         when unit is not null and population is not null
         then error('unit does not go with a population (k_map, dmin, dmax): its rows are counted, '
                    || 'not people')
         else '' end;

-- An empty text, or an error where parameters of Mondrian do not go with a unit and known releases.
create or replace macro sqlanon._unit_with_known_checked(unit, known, based_on, suppression_limit, target) as
    case when unit is null or known is null then ''
         when based_on is not null
         then error('unit does not go with based_on: name that release as known, with composed_l')
         when sqlanon._share(suppression_limit, 'suppression_limit') > 0
         then error('unit does not go with suppression_limit')
         when target is not null
         then error('unit with known releases does not go with target')
         else '' end;

-- An empty text, or an error where a population's weight makes no sense.
create or replace macro sqlanon._population_checked(qi, population, population_weight) as
    case when population_weight is null then ''
         when population is null
         then error('population_weight is a column of the population: name that table, too')
         when list_contains(sqlanon._lower(sqlanon._list(qi)), lower(population_weight))
         then error('column "' || population_weight || '" is named twice: in qi and population_weight')
         else '' end;

-- Real-valued measures are compared with a relative tolerance of 1e-12: a class at the bound is within it.
create or replace macro sqlanon._at_least(reached, required) as reached >= required * 0.999999999999e0;
create or replace macro sqlanon._at_most(reached, required) as reached <= required * 1.000000000001e0 + 1e-15;

create or replace macro sqlanon._below(reached, required) as reached < required * 0.999999999999e0;

-- The verdict of a model on a class: its id and title, what is required (NULL: nothing), what is reached,
-- whether that holds, and whether more is better.
create or replace macro sqlanon._verdict(id, title, required, reached, holds, more_is_better) as {
    'id': id, 'model': title, 'required': required::double, 'reached': reached::double, 'holds': holds,
    'more_is_better': more_is_better};
create or replace macro sqlanon._verdict_at_least(id, title, required, reached) as
    sqlanon._verdict(id, title, required, reached, sqlanon._at_least(reached, required), true);
create or replace macro sqlanon._verdict_at_most(id, title, required, reached) as
    sqlanon._verdict(id, title, required, reached, sqlanon._at_most(reached, required), false);
create or replace macro sqlanon._verdict_below(id, title, required, reached) as
    sqlanon._verdict(id, title, required, reached, sqlanon._below(reached, required), false);

-- The verdicts on one sensitive attribute of a class: a list.
create or replace macro sqlanon._verdicts(measured, req) as [
    {verdicts of values, shares: sqlanon._verdict_{direction}('{id}', '{title}', {required}, measured.{id})}
];

-- The verdicts on a class as a whole: k-anonymity (Sweeney 2002, Def. 3) by the rows that match it (its own,
-- and more where a suppressed cell matches everything), and by the people of a population who are in it
-- k-map (Sweeney 2002, sec. 3) and delta-presence (Nergiz, Atzori and Clifton 2007, Def. 2), the share of
-- them who are in the release. It is the probability that any of them is. Whoever is in no class has
-- probability 0: delta-presence asks it of everybody in the population, thus with dmin above 0 everybody
-- must be in a class.
create or replace macro sqlanon._class_verdicts(matching, size, people, req) as [
    {verdicts of size, population: sqlanon._verdict_{direction}('{id}', '{title}', {required}, {reached})}
];

-- Does its size meet what is required?
create or replace macro sqlanon._meets_size(matching, req) as
    {verdicts of size joined by and: coalesce(sqlanon._{direction}({reached}, {required}), true)};

-- The verdicts by what the worst of its rows keeps of what known releases leave (NULL: nobody loses
-- anything).
create or replace macro sqlanon._verdicts_of_known(kept, req) as [
    {verdicts of known: sqlanon._verdict_{direction}('{id}', '{title}', {required}, {reached})}
];

-- Must everybody in the population be in a class?
create or replace macro sqlanon._needs_everybody(req) as coalesce(req.dmin, 0) > 0;

-- Is a verdict one of a requirement that is not met?
create or replace macro sqlanon._is_violated(required, holds) as
    required is not null and not coalesce(holds, false);

-- Does what is reached hold, where something is required?
create or replace macro sqlanon._holds(verdict, required) as coalesce(verdict, required is null);

-- Do all verdicts of _class_verdicts hold?
create or replace macro sqlanon._class_satisfies(matching, size, people, req) as
    {verdicts of size, population joined by and:
        sqlanon._holds(sqlanon._{direction}({reached}, {required}), {required})};

-- Does a class as a whole (attribute 0), or one of its sensitive attributes, satisfy what is required?
create or replace macro sqlanon._satisfies(measured, req) as
    case when measured.attribute = 0 then sqlanon._meets_size(measured.size, req)
         else {verdicts of values, shares joined by and:
                   sqlanon._holds(sqlanon._{direction}(measured.{id}, {required}), {required})} end;

-- The measures of classes that a requirement (one row, req) asks for.
create or replace macro sqlanon._measures_for(
    histogram, marginal, sensitive_tree, requirement, by_unit) as table
    from sqlanon._measures(histogram, marginal, sensitive_tree,
                           (select [required.req.t_distance] from query_table(requirement) as required),
                           (select required.req.l from query_table(requirement) as required),
                           (select required.req.safety_k from query_table(requirement) as required), by_unit);

-- The classes of a histogram that violate a requirement, on sensitive values or by_unit on their people:
-- class_id.
create or replace macro sqlanon._violating(
    histogram, marginal, sensitive_tree, requirement, by_unit) as table
    select distinct class_id
    from sqlanon._measures_for(histogram, marginal, sensitive_tree, requirement, by_unit) as measured,
         query_table(requirement) as required
    where not sqlanon._satisfies(measured, required.req);

-- How many sensitive values a class needs at least to satisfy the requirements, one row: least_values. A
-- class never has more of them than one that it is part of: what this rules out stays ruled out however a
-- class is divided. (With v values the share of a class that is not too much of anything is at most that of
-- the v most frequent ones, which bounds t and beta; a hierarchical distance is at least the equal one,
-- divided by the height of the tree. With k + 1 values k negations leave one.)
create or replace macro sqlanon._least_values(marginal, sensitive_tree, requirement) as table
    with height as (
        select attribute, max(level) as height from query_table(sensitive_tree) group by attribute
    ),
    ranked as (
        select attribute, m, row_number() over frequent as v, sum(q) over frequent as share,
               sum(held) over frequent as held
        from query_table(marginal) where n > 0
        window frequent as (partition by attribute order by q desc, code rows unbounded preceding)
    ),
    bound as (
        select ranked.*, req,
               case req.t_distance when 'equal' then req.t when 'hierarchical' then req.t * height
                                   else 1 end as distance,
               least(coalesce(req.beta, 'infinity'), coalesce(req.enhanced_beta, 'infinity')) as gain
        from ranked left join height using (attribute), query_table(requirement)
        where attribute > 0
    ),
    needed as (
        select attribute, any_value(req) as req, any_value(m) as m,
               min(v) filter (where share >= 1 - 1e-9 - distance) as for_t,
               min(v) filter (where held * (1 + gain) >= 1 - 1e-9) as for_beta
        from bound group by attribute
    )
    select coalesce(max(greatest(1, req.l, ceil(req.entropy_l - 1e-9), ceil(1 / req.alpha - 1e-9),
                                 case when req.t is not null then for_t end, for_beta,
                                 case when req.delta_disclosure is not null then m end,
                                 req.safety_k + 2)), 1)::bigint
               as least_values
    from needed;

-- What is said where the whole table as one class reaches too little.
create or replace macro sqlanon._whole_reaches(reached, model, required) as
    ': the whole table as one class reaches ' || coalesce(sqlanon._number_text(reached), 'nothing')
    || ' in ' || model || ', ' || sqlanon._number_text(required) || ' is required';

-- No rows, or an error where the whole table as one class violates a requirement, thus every release would:
-- it says which, and by how much. may_suppress: rows may be left out, and then only what no class loses by
-- growing is a requirement that the whole table must meet. With a unit that is size alone: whoever is in
-- several classes may have other values in each. from_whole: classes come from cutting the whole table, or
-- from merging up to it, which then must meet all.
create or replace macro sqlanon._refuse_infeasible(
    histogram, marginal, sensitive_tree, requirement, sensitive, may_suppress := false, by_unit := false,
    from_whole := false) as table
    with verdict as (
        select attribute,
               unnest(case when attribute = 0
                           then sqlanon._class_verdicts(size, size, null::bigint, required.req)
                           else sqlanon._verdicts(measured, required.req) end, max_depth := 2)
        from sqlanon._measures_for(histogram, marginal, sensitive_tree, requirement, by_unit) as measured,
             query_table(requirement) as required
    )
    select error(case when by_unit and attribute > 0 or {verdicts of neither joined by or: id = '{id}'}
                      then 'there is nothing to start from'
                      when id = 'safety_c' then 'no classes are sure to meet the requirements together'
                      else 'no release can meet the requirements' end
                 || sqlanon._whole_reaches(
                        reached, model || coalesce(' of column ' || sqlanon._list(sensitive)[attribute], ''),
                        required)
                 || if(by_unit and attribute > 0 and id in ({verdicts of values: '{id}'}),
                       ' (people have several rows: what is reached is a lower bound)', '')) as refused
    from verdict
    where sqlanon._is_violated(required, holds) and {verdicts of population joined by and: id <> '{id}'}
      and case when by_unit then attribute = 0 or from_whole
               else not may_suppress or id in ({verdicts of one: '{id}'}) end
      and (by_unit and from_whole or {verdicts of neither joined by and: id <> '{id}'});
