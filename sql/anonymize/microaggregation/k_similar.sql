-- k-Similar: rows that are most alike are put in groups of k to 2k - 1, and each group is generalized just enough to make its rows equal (Sweeney 2001,
-- Computational Disclosure Control, and 2002, sec. 5).
--
-- Sweeney describes what comes out, and no code of it is published: groups of the closest tuples, distances over the generalization hierarchies, values
-- generalized cell by cell within a group. Later work calls this k-member clustering (Byun, Kamra, Bertino and Li 2007). Here the groups are those of
-- microaggregation, which are of that shape: coordinates in which text with a hierarchy is at the place of its leaf, and MDAV or another of its
-- algorithms. They are released as Mondrian releases its classes: the lowest node, interval or set that covers the values of the group. That is our reading.
--
-- Unlike the classes of Mondrian, groups are not cut apart by planes: as boxes they may overlap. Two groups with the same labels are one class.

-- What it runs, as a text, once what can be checked without the data is.
create or replace macro sqlanon._k_similar_statement(
    tbl, qi, sensitive, keep, hierarchies, k, l, entropy_l, recursive_c, alpha, t, t_distance, beta,
    enhanced_beta, delta_disclosure, algorithm, gamma, recoding, seed, unit) as
    sqlanon._microaggregating(
        'k_similar', tbl, qi, sensitive, keep, hierarchies, k, l, entropy_l, recursive_c, alpha, t, t_distance, beta, enhanced_beta, delta_disclosure,
        algorithm, gamma, null, sqlanon._recoding(recoding), seed, unit);

create or replace macro sqlanon.k_similar(
    tbl, qi, sensitive := null, keep := null, hierarchies := null,
    k := null, l := null, entropy_l := null, recursive_c := null, alpha := null, t := null, t_distance := 'equal',
    beta := null, enhanced_beta := null, delta_disclosure := null, algorithm := 'mdav', gamma := 0.2, recoding := 'text', seed := null, unit := null) as table
    from query(sqlanon._k_similar_statement(
        tbl, qi, sensitive, keep, hierarchies, k, l, entropy_l, recursive_c, alpha, t, t_distance, beta,
        enhanced_beta, delta_disclosure, algorithm, gamma, recoding, seed, unit));

comment on macro table sqlanon.k_similar is
    'A release of a table (tbl) by k-Similar: every row, with the columns in qi generalized to what covers all values of its group, and the columns in sensitive and keep; no other column leaves, and rows come in an order that depends on nothing but the released values. Groups are those of microaggregate (k to 2k - 1 near rows for mdav), with the same algorithm, gamma and distances: text with hierarchies, the name of a table (attribute, value, level, label), is at the place of its leaf. What a group releases is recoded as in mondrian (recoding: text or range), so that locate and intersection_attack find people by what covers them; groups may overlap. Further requirements as in mondrian: l, entropy_l, recursive_c, alpha, t, t_distance, beta, enhanced_beta, delta_disclosure; groups that violate them are merged with their nearest. unit: as in mondrian, with k alone; groups with fewer than k people are merged. seed fixes the order of rows, and which of equal rows is in which group. All algorithms but curve are loops in Python, which a connection knows after sqlanon.register_functions(con) there. Errors: as of microaggregate. Sources: Sweeney 2001 and 2002 (our reading: groups of microaggregation); Byun, Kamra, Bertino and Li 2007; Domingo-Ferrer and Torra 2005.';
