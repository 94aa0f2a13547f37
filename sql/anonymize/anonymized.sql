-- The way from a table to tuples of codes, which all anonymizers that make classes have in common. A method
-- then puts the tuples in classes.
--
-- A method is a chain, and the last step of _anonymized. The first parameters of every method are
--   * named: how the names of relations begin, '_sqlanon_', so that named || 'tuple' is _sqlanon_tuple. (The
--     whole name would be looked up when the macro is made, before there is such a relation.)
--   * release: the text of a query that makes the release from _sqlanon_assignment and _sqlanon_label, two
--     relations of the method.
--   * qi, judged, hierarchies, population, known, unit: as in _anonymized.
-- Further parameters are the method's own, and are given by name.

-- From a table to its release.
--   * method: the name of a chain.
--   * options: the method's own arguments, as texts, with their names.
--   * judged: the sensitive columns that requirements are about.
--   * counted: the columns whose values are counted with the quasi-identifiers; the unit is the last.
--   * known: releases that are published already.
--   * joined: the columns in keep by which known releases are joined.
--   * with_people: the people of a population become tuples without rows.
--   * by_code: rows are grouped and joined by codes, because no requirement needs the values themselves.
--   * divided: as in _release.
--   * household: the column that says which rows belong together, or NULL. It is read with the others.
-- Where there are no hierarchies, population, known releases or judged columns, no text reads the CTEs that
-- only these need, and DuckDB does not plan them. (CTEs in whose scope a user's table is read have names that
-- no user's table has.)
create or replace macro sqlanon._anonymized(
    method, options, tbl, qi, sensitive, keep, judged, counted, hierarchies, population, known, joined,
    presence, req, unit, with_people, by_code, divided, household, seed) as table
    with _sqlanon_requirement as materialized (select req as req),
    _sqlanon_known_row as materialized (from sqlanon._known_rows(known, qi, judged, joined)),
    _sqlanon_source as materialized (
        from sqlanon._source_for_known(
            tbl, qi, sensitive || keep || sqlanon._list(unit) || sqlanon._list(household) || presence, known,
            '_sqlanon_known_row', joined)
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
            divided::varchar,
            sqlanon._names_of(sqlanon._list(unit) || sqlanon._not_among(household, keep))])),
        sqlanon._names_of(qi), sqlanon._names_of(judged), sqlanon._optional(hierarchies),
        sqlanon._optional(population), sqlanon._names_if_any(known), sqlanon._optional(unit)] || options));

-- The text of a call of it. options: by name, their texts; terms: of _terms; also: columns that are counted
-- beside those that are judged; joined, with_people, divided: as above; by_value: as in _is_by_code, or
-- true where the method cannot take codes.
create or replace macro sqlanon._call_of_anonymized(
    method, options, tbl, qi, sensitive, keep, hierarchies, terms, unit, seed, also := []::varchar[],
    joined := []::varchar[], with_people := false, by_value := null, divided := false, household := null) as
    {call _anonymized:
        options := sqlanon._by_name(options), judged := terms['judged'], population := terms['population'],
        counted := terms['judged'] || also || sqlanon._joining_columns(terms['known'], joined)
                   || terms['presence'] || sqlanon._list(unit),
        known := terms['known'], presence := terms['presence'], req := terms['req'],
        by_code := sqlanon._is_by_code(by_value, terms)};
