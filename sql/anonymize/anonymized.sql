-- What anonymizers that make classes have in common: the way from a table to tuples of codes, which a
-- method then puts in classes.
--
-- A method is a chain, and the last step of the one here. Its first parameters are the same for all
-- methods: named, how the names of the relations here begin, so that named || 'tuple' is _sqlanon_tuple
-- (the name itself would be looked up when the macro is made, and there is no such relation then);
-- release, the text of the query that releases, which reads _sqlanon_assignment and _sqlanon_label of the
-- method; and qi, judged, hierarchies, population, known and unit, as below. The others are given by name.

-- From a table to its release. method: the name of a chain; options: texts of arguments of its own, with
-- their names; judged: the sensitive columns that req looks at; counted: the columns whose values are
-- counted with the quasi-identifiers, the unit the last of them; known: releases that are out already;
-- joined: the columns in keep by which these are joined; with_people: the people of a population are
-- tuples without rows; by_code: rows are grouped and joined by codes, as nothing that is required needs
-- the values of combinations; divided: as in _release. What only hierarchies, a population, known releases
-- or judged columns need is not mentioned where there are none: DuckDB does not plan a CTE that nobody
-- reads. (Here and wherever a user's table is read in their scope, CTEs have names that no such table
-- has.)
create or replace macro sqlanon._anonymized(
    method, options, tbl, qi, sensitive, keep, judged, counted, hierarchies, population, known, joined,
    presence, req, unit, with_people, by_code, divided, seed) as table
    with _sqlanon_requirement as materialized (select req as req),
    _sqlanon_known_row as materialized (from sqlanon._known_rows(known, qi, judged, joined)),
    _sqlanon_source as materialized (
        from sqlanon._source_for_known(
            tbl, qi, sensitive || keep || sqlanon._list(unit) || presence, known, '_sqlanon_known_row',
            joined)
    ),
    _sqlanon_hierarchy as materialized (from sqlanon._hierarchies(hierarchies)),
    _sqlanon_known_target as materialized (
        from sqlanon._known_targets(known, '_sqlanon_source', qi, presence)
    ),
    _sqlanon_known_located as materialized (
        from sqlanon._known_located(known, '_sqlanon_known_target', '_sqlanon_hierarchy', qi, judged)
    ),
    _sqlanon_known_value as materialized (
        from sqlanon._known_values(
            known, '_sqlanon_known_row', '_sqlanon_known_located', '_sqlanon_known_target',
            '_sqlanon_source', judged, joined, unit is not null)
    ),
    _sqlanon_leaf as materialized (from sqlanon._leaves('_sqlanon_hierarchy')),
    _sqlanon_domain as materialized (
        from sqlanon._listed_domains('_sqlanon_source', sqlanon._if_any(hierarchies, '_sqlanon_leaf'), qi)
    ),
    _sqlanon_row as materialized (from sqlanon._rows_by_code('_sqlanon_source', '_sqlanon_domain', qi)),
    _sqlanon_combination as materialized (
        from sqlanon._combinations_with_known(
            if(by_code, '_sqlanon_row', '_sqlanon_source'), qi, counted, known, presence,
            '_sqlanon_known_target', '_sqlanon_known_value')
    ),
    _sqlanon_emptiness as (from sqlanon._refuse_empty('_sqlanon_combination', tbl)),
    _sqlanon_sensitive_combination as materialized (
        from sqlanon._sensitive_combinations(
            '_sqlanon_combination', sqlanon._with_known(counted, known), req['distinct_spellings'],
            req['missing_counts'])
    ),
    _sqlanon_sensitive_value as materialized (
        from sqlanon._sensitive_values_for(
            '_sqlanon_sensitive_combination', judged, sqlanon._if_any(unit, counted),
            sqlanon._required_distances(req))
    ),
    _sqlanon_composition as materialized (
        from sqlanon._composition(
            known, '_sqlanon_known_value', '_sqlanon_combination', '_sqlanon_sensitive_combination', counted,
            judged, '_sqlanon_requirement', unit is not null)
    ),
    _sqlanon_people as materialized (
        from sqlanon._people_of_population(population, '_sqlanon_combination', qi)
    ),
    _sqlanon_everybody as materialized (
        from sqlanon._everybody(
            '_sqlanon_combination', '_sqlanon_people', qi, sqlanon._with_known(counted, known))
    ),
    _sqlanon_tuple as materialized (
        from sqlanon._tuples(
            if(with_people, '_sqlanon_everybody', '_sqlanon_combination'), '_sqlanon_sensitive_combination',
            sqlanon._if_any(hierarchies, '_sqlanon_leaf'), qi, sqlanon._with_known(counted, known),
            with_people, by_code)
    ),
    _sqlanon_attribute as materialized (
        from sqlanon._attributes('_sqlanon_tuple', sqlanon._if_any(hierarchies, '_sqlanon_leaf'), qi)
    ),
    _sqlanon_tree as materialized (from sqlanon._attribute_tree('_sqlanon_hierarchy', '_sqlanon_attribute')),
    _sqlanon_sensitive_tree as materialized (
        from sqlanon._sensitive_tree('_sqlanon_sensitive_value', judged, '_sqlanon_hierarchy')
    ),
    _sqlanon_whole as materialized (
        from sqlanon._whole('_sqlanon_tuple', '_sqlanon_sensitive_value', unit is not null)
    ),
    _sqlanon_marginal as materialized (from sqlanon._marginal('_sqlanon_whole', unit is not null)),
    _sqlanon_domain_text as materialized (
        from sqlanon._texts_of_values(
            by_code, '_sqlanon_domain', if(with_people, '_sqlanon_everybody', '_sqlanon_combination'), qi)
    )
    from query(sqlanon._call(method, [
        $$'_sqlanon_'$$,
        sqlanon._literal(sqlanon._call('_release', [
            if(by_code, $$'_sqlanon_row'$$, $$'_sqlanon_source'$$), sqlanon._names_of(qi),
            sqlanon._names_of(sensitive), sqlanon._names_of(keep), $$'_sqlanon_combination'$$,
            sqlanon._names_of(counted), $$'_sqlanon_assignment'$$, $$'_sqlanon_label'$$, sqlanon._seed(seed),
            divided::varchar, sqlanon._optional(unit)])),
        sqlanon._names_of(qi), sqlanon._names_of(judged), sqlanon._optional(hierarchies),
        sqlanon._optional(population), sqlanon._names_if_any(known), sqlanon._optional(unit)] || options));

-- The text of a call of it. options: by name, their texts; terms: of _terms; also: columns that are counted
-- beside those that are judged; joined, with_people, divided: as above; by_value: as in _is_by_code, or
-- true where the method cannot take codes.
create or replace macro sqlanon._call_of_anonymized(
    method, options, tbl, qi, sensitive, keep, hierarchies, terms, unit, seed, also := []::varchar[],
    joined := []::varchar[], with_people := false, by_value := null, divided := false) as
    {call _anonymized:
        options := sqlanon._by_name(options), judged := terms['judged'], population := terms['population'],
        counted := terms['judged'] || also || sqlanon._joining_columns(terms['known'], joined)
                   || terms['presence'] || sqlanon._list(unit),
        known := terms['known'], presence := terms['presence'], req := terms['req'],
        by_code := sqlanon._is_by_code(by_value, terms)};
