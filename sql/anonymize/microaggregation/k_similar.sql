-- k-Similar: rows that are most alike are put in groups of k to 2k - 1, and each group is generalized just
-- enough to make its rows equal (Sweeney 2001, Computational Disclosure Control, and 2002, sec. 5).
--
-- Sweeney describes what comes out, and no code of it is published: groups of the closest tuples, distances
-- over the generalization hierarchies, values generalized cell by cell within a group. Later work calls this
-- k-member clustering (Byun, Kamra, Bertino and Li 2007). Here the groups are those of microaggregation, by
-- MDAV or another of its algorithms, which have that size. On the axis of a text with a hierarchy, a value
-- has the place of its leaf. They are released as Mondrian releases its classes: the lowest node, interval or
-- set that covers the values of the group. That is our reading.
--
-- Unlike the classes of Mondrian, groups are not cut apart by planes: as boxes they may overlap. Two groups
-- with the same labels are one class.

create or replace macro sqlanon.k_similar(
    tbl, qi, sensitive := null, keep := null, hierarchies := null,
    {requirements but population: {id} := {fallback}}, algorithm := 'mdav', gamma := 0.2,
    recoding := 'text', seed := null, unit := null, known := null, presence := null,
    strata := null) as table
    from query(sqlanon._released({statement:
        {sqlanon._microaggregating:
            method := 'k_similar', center := null, recoding := sqlanon._recoding(recoding)}}));

comment on macro table sqlanon.k_similar is $$
Releases every row of a table by k-Similar: the groups of similar rows that microaggregate makes, each
generalized just enough to contain the values of its rows. Groups may overlap; locate and intersection_attack
find people in all classes that cover them. The order of rows depends only on the released values.

Parameters:
- tbl, qi, sensitive, keep: as in mondrian
- hierarchies: as in microaggregate
- {requirements but population: {id}}: as in mondrian
- algorithm, gamma: as in microaggregate
- recoding: as in mondrian
- seed (integer; default null): fixes the order of rows, and which group each of several equal rows is in.
- unit: as in mondrian
- known, presence: as in mondrian
- strata: as in mondrian

Result:
- <qi>, <sensitive>, <keep>: as in mondrian

Errors: as in microaggregate.

Notes: see microaggregate for algorithms, distances, other requirements and unit.

Source: Sweeney 2001 and 2002 (our reading: groups of microaggregation); Byun, Kamra, Bertino and Li 2007;
Domingo-Ferrer and Torra 2005.

Example:
from sqlanon.k_similar('people', qi := ['age', 'income'], sensitive := 'disease', k := 3,
                       algorithm := 'curve');
$$;
