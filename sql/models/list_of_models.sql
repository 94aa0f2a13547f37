-- What can be required of a release, a row each. A model is defined here once: the parameters of macros and
-- functions, checks of arguments, verdicts, keys of policies, options, and the sentences of reports and
-- documents are made from these rows (sqlanon/core/models.py, when scripts are read).
--
-- A row without about is no model, but a setting of one.
--   * id, title: the parameter, and the name of the model.
--   * about: what a verdict looks at: size (of a class), values (its sensitive values), shares (of these
--     values, which a class may lose when it grows), population (its people there), known (what known
--     releases leave).
--   * reached: the value that a class reaches, an expression over columns: of size over matching (rows that
--     match it); of population over size and people; of known over kept; of values and shares an aggregate
--     over n, is_only, p, q, m and size, as in models.sql.
--   * direction: whether a class must reach at least, at most, or below what is required.
--   * merged_if: which of two classes must meet the model so that their union surely meets it: one of them,
--     both, or neither (the union never surely does).
--   * with_table: true if reached compares a class with the whole table. Then sensitive values count as
--     written and as folded (sql/core/spellings.sql), and the worse of the two decides.
--   * type: integer, number, choice, boolean or columns.
--   * least, above (true: least itself is not allowed), greatest, choices (each with what it adds to says),
--     fallback: the values that can be given, and the default.
--   * needs: the parameter that must be given with it.
--   * varies_by: the setting whose choices are models of their own.
--   * meaning: what the model requires, for help and documents.
--   * says: what the value that is reached means, for reports.
create or replace macro sqlanon._models() as table
    select 'k' as id, 'k-anonymity' as title, 'size' as about, 'matching' as reached,
           'at least' as direction, 'one' as merged_if, 'integer' as type, 1 as least,
           'k-anonymity: a class has at least k rows.' as meaning,
           'The rows of the smallest class: everybody has the same quasi-identifiers as all others in '
               || 'their class.' as says
    union all by name
    select 'l' as id, 'distinct l-diversity' as title, 'values' as about,
           'sqlanon._distinct_l(n, is_only)' as reached, 'at least' as direction, 'one' as merged_if,
           'integer' as type, 1 as least,
           'distinct l-diversity: a class has at least l different sensitive values; also the l of '
               || 'recursive_c.' as meaning,
           'The fewest different values in a class.' as says
    union all by name
    select 'entropy_l' as id, 'entropy l-diversity' as title, 'shares' as about,
           'sqlanon._entropy_l(n)' as reached, 'at least' as direction, 'both' as merged_if,
           'number' as type, 1 as least,
           'entropy l-diversity: the sensitive values of a class are distributed at least as evenly as l '
               || 'equally frequent values (exp of their entropy is at least l).' as meaning,
           'The fewest values in a class, where rare values hardly count.' as says
    union all by name
    select 'recursive_c' as id, 'recursive (c, l)-diversity' as title, 'shares' as about,
           'sqlanon._recursive_c(n, any_value(recursive_l))' as reached, 'below' as direction,
           'both' as merged_if, 'number' as type, 0 as least, true as above, 'l' as needs,
           'recursive (c, l)-diversity, with l: the most frequent sensitive value is less than c times as '
               || 'frequent as the l-th and all rarer ones together.' as meaning,
           'The most frequent value of a class is at most this many times as frequent as the l-th and all '
               || 'rarer ones together; the model holds for any c above this.' as says
    union all by name
    select 'alpha' as id, '(alpha, k)-anonymity' as title, 'shares' as about,
           'sqlanon._alpha(n / size)' as reached,
           'at most' as direction, 'both' as merged_if, 'number' as type, 0 as least, true as above,
           1 as greatest,
           '(alpha, k)-anonymity: no sensitive value has a share of more than alpha in a class.' as meaning,
           'The largest share of a class that has the same value.' as says
    union all by name
    select 't' as id, 't-closeness' as title, 'shares' as about, true as with_table, 'at most' as direction,
           'both' as merged_if, 'number' as type, 0 as least, 1 as greatest, 't_distance' as varies_by,
           't-closeness: the distribution of sensitive values in a class differs from that in the whole '
               || 'table by at most t.' as meaning,
           'How far the values of a class are from those of the whole table' as says
    union all by name
    select 't_distance' as id, 'choice' as type, '''equal''' as fallback,
           'equal: 0 is alike, 1 is all different.; '
               || 'ordered, where neighbouring values are nearer than others.; '
               || 'hierarchical, where values with a common label are nearer than others.' as choices,
           'the distance of two sensitive values, for t.' as meaning
    union all by name
    select 'beta' as id, 'beta-likeness (basic)' as title, 'shares' as about, true as with_table,
           'sqlanon._beta(p, q)' as reached, 'at most' as direction, 'both' as merged_if,
           'number' as type, 0 as least, true as above,
           'basic beta-likeness: no value is much more frequent in a class than in the table: its share '
               || 'in the class is at most (1 + beta) times its share in the table.' as meaning,
           'How much more frequent a value is in a class than in the whole table: 1 is twice as frequent.'
               as says
    union all by name
    select 'enhanced_beta' as id, 'beta-likeness (enhanced)' as title, 'shares' as about, true as with_table,
           'sqlanon._enhanced_beta(p, q)' as reached, 'at most' as direction, 'both' as merged_if,
           'number' as type, 0 as least, true as above,
           'enhanced beta-likeness: as beta, but the share of a value in a class is at most '
               || '(1 + min(beta, -ln(its share in the table))) times its share in the table.' as meaning,
           'The least beta that holds, if a frequent value may gain less than a rare one; unbounded if no '
               || 'beta holds.' as says
    union all by name
    select 'delta_disclosure' as id, 'delta-disclosure' as title, 'shares' as about, true as with_table,
           'sqlanon._delta_disclosure(p, q, m)' as reached, 'below' as direction, 'both' as merged_if,
           'number' as type, 0 as least, true as above,
           'delta-disclosure: no value is much more or much less frequent in a class than in the table: '
               || '|ln(share in the class / share in the table)| is below delta.' as meaning,
           'How far apart the frequencies of a value in a class and in the whole table are, as a logarithm; '
               || 'unbounded if a class lacks a value.' as says
    union all by name
    select 'k_map' as id, 'k-map' as title, 'population' as about, 'people' as reached,
           'at least' as direction, 'one' as merged_if, 'integer' as type, 1 as least,
           'k-map: the labels of a class contain the values of at least k_map people of the population.'
               as meaning,
           'The fewest people of the population who share a class.' as says
    union all by name
    select 'dmin' as id, 'delta-presence (least)' as title, 'population' as about, 'size / people' as reached,
           'at least' as direction, 'both' as merged_if, 'number' as type, 0 as least, 1 as greatest,
           'delta-presence, lower bound: of the people of the population whose values the labels of a class '
               || 'contain, at least this share is in the table. Above 0, everybody in the population must '
               || 'be covered by a class.' as meaning,
           'The smallest share of a class''s population that is in the table: near 1, almost everybody who '
               || 'could be in it is in it.' as says
    union all by name
    select 'dmax' as id, 'delta-presence (most)' as title, 'population' as about, 'size / people' as reached,
           'at most' as direction, 'both' as merged_if, 'number' as type, 0 as least, 1 as greatest,
           'delta-presence, upper bound: of the people of the population whose values the labels of a class '
               || 'contain, at most this share is in the table.' as meaning,
           'The largest share of a class''s population that is in the table: near 1, almost everybody who '
               || 'could be in it is in it.' as says
    union all by name
    select 'safety_c' as id, '(c, k)-safety' as title, 'shares' as about,
           'sqlanon._safety(n, size, safety_k)' as reached, 'below' as direction, 'both' as merged_if,
           'number' as type, 0 as least, true as above, 1 as greatest, 'safety_k' as needs,
           '(c, k)-safety: an adversary who also knows safety_k implications, such as "if Bob has the flu, '
               || 'Ann has it" (background_knowledge), is less than safety_c sure of any sensitive value. '
               || 'Such facts may be about all classes; each class is made so that this holds whatever the '
               || 'others are.' as meaning,
           'An adversary who also knows safety_k implications is at most this sure of a value.' as says
    union all by name
    select 'safety_k' as id, 'integer' as type, 0 as least, 10 as greatest, 'safety_c' as needs,
           'the number of implications that the adversary knows, for safety_c.' as meaning
    union all by name
    select 'composed_l' as id, 'composed l-diversity' as title, 'known' as about,
           'coalesce(kept, req.composed_l)' as reached, 'at least' as direction, 'one' as merged_if,
           'integer' as type, 1 as least,
           'composed l-diversity: the known releases and this one together leave at least l sensitive '
               || 'values possible for everybody, or as many as the known ones alone. If no median cut of a '
               || 'class meets this, other cuts are tried (not if relaxed, or with a target).'
               as meaning,
           'The fewest values that this release and the earlier ones together leave possible for somebody; '
               || 'publish checks this.' as says
    union all by name
    select 'distinct_spellings' as id, 'columns' as type,
           'columns in which spellings are different values, such as the codes a and A; elsewhere flu, '
               || '"flu " and FLU are one value (spellings lists them).' as meaning
    union all by name
    select 'missing_counts' as id, 'boolean' as type, 'false' as fallback,
           'true: a missing sensitive value (NULL, empty, blanks) is a value like any other. false: it adds '
               || 'no value, and its rows count with the most frequent value of their class.' as meaning;
