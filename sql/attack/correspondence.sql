-- Correspondence attacks (Fung, Wang, Fu and Pei 2008): a table grows, and each state of it is released.
-- Every row of the earlier release is one of the later release, too: one with the same sensitive value, in a
-- compatible class. Rows of a victim's class that no such correspondence leaves to the victim are cracked.
--
--   * F (forward): the victim is in both; rows of their earlier class cannot all be in their later one.
--   * C (cross): the victim is in both; rows of their later class cannot all come from their earlier one.
--   * B (backward): the victim is in the later release only; some rows of their class must be older.
--
-- BCF-anonymity asks for k rows left in every pair of compatible classes.

-- How many rows of each later class must be older: later_class_id, older. Of the earlier rows with a value
-- that could be in the class, those that have no room elsewhere. Elsewhere are the classes with which one of
-- these rows is compatible; they are put together only where those of a single row do not have room already.
create or replace macro sqlanon._older_rows(pairs, corresponding, histograms) as table
    with crowded as (
        select later_class_id, code, sum(n)::bigint as earlier_n, any_value(later_n) as later_n
        from query_table(corresponding) join sqlanon._room(corresponding) using (class_id, code)
        group by later_class_id, code having sum(n) > max(room) - any_value(later_n)
    ),
    reached as (
        select distinct crowded.later_class_id, crowded.code, pair.later_class_id as class_id
        from crowded
        join query_table(corresponding) as correspondence using (later_class_id, code)
        join query_table(pairs) as pair on pair.class_id = correspondence.class_id
    ),
    elsewhere as (
        select later_class_id, code, sum(n)::bigint as reached_n
        from reached join (from query_table(histograms) where release = 2) using (class_id, code)
        group by later_class_id, code
    )
    select later_class_id,
           sum(greatest(earlier_n - (coalesce(reached_n, 0) - later_n), 0))::bigint as older
    from crowded left join elsewhere using (later_class_id, code)
    group by later_class_id;

-- What is left in each pair of compatible classes: class_id (NULL: the later class has new rows only),
-- later_class_id, size, later_size, shared (rows that can be the same people's, which are left by F and by
-- C), recent (those left by B); NULL where nobody can be in that place.
create or replace macro sqlanon._anonymity_of_pairs(
    pairs, corresponding, older_rows, earlier_classes, later_classes) as table
    with shared as (
        select class_id, later_class_id, sum(least(n, later_n))::bigint as shared
        from query_table(corresponding) group by class_id, later_class_id
    )
    select pair.class_id, later.class_id as later_class_id, earlier.size, later.size as later_size,
           nullif(shared, 0) as shared, nullif(later.size - coalesce(older, 0), 0) as recent
    from query_table(later_classes) as later
    left join query_table(older_rows) as older_row on older_row.later_class_id = later.class_id
    left join query_table(pairs) as pair on pair.later_class_id = later.class_id
    left join query_table(earlier_classes) as earlier on earlier.class_id = pair.class_id
    left join shared on shared.class_id = pair.class_id and shared.later_class_id = pair.later_class_id;

-- The strongest attack on each pair: its name, rows of the class that it is about, and those it leaves.
create or replace macro sqlanon._strongest_attack(pair) as
    case when coalesce(pair.recent < pair.shared, pair.shared is null)
         then {'attack': 'B', 'rows': pair.later_size, 'left_over': pair.recent}
         when pair.size >= pair.later_size
         then {'attack': 'F', 'rows': pair.size, 'left_over': pair.shared}
         else {'attack': 'C', 'rows': pair.later_size, 'left_over': pair.shared}
    end;

-- All of it, from relations of _growing_releases.
create or replace macro sqlanon._correspondence(
    pairs, corresponding, histograms, earlier_classes, later_classes) as table
    with _sqlanon_older as materialized (from sqlanon._older_rows(pairs, corresponding, histograms)),
    _sqlanon_left as (from {sqlanon._anonymity_of_pairs: older_rows := '_sqlanon_older'})
    select class_id, later_class_id,
           case when left_over < rows
                then attack || '-attack: ' || (rows - left_over) || ' of ' || rows || ' rows excluded'
           end as learned,
           1 / left_over as confidence, 1 / rows as baseline,
           null::boolean as is_right, null::boolean as is_control,
           size, later_size, shared as f_anonymity, shared as c_anonymity, recent as b_anonymity,
           left_over as anonymity
    from (select *, unnest(sqlanon._strongest_attack(pair)) from _sqlanon_left as pair);

create or replace macro sqlanon._correspondence_of_compared(
    releases, qi, sensitive, compared_before, hierarchies := null, weight := null, formats := null) as table
    from query({sqlanon._growing_releases_call: attack := '_correspondence'});

create or replace macro sqlanon.correspondence(
    releases, qi, sensitive, hierarchies := null, weight := null, formats := null) as table
    from {sqlanon._correspondence_of_compared: compared_before := null};

comment on macro table sqlanon.correspondence is $$
Attacks two releases of a growing table by finding rows that can be of the same person: one row per pair of
compatible classes, with the number of rows that remain possible for a victim (BCF-anonymity).

Parameters:
- releases (list of tables): two, the earlier one first; the later one has all rows of the earlier one and
  more. Both have the columns in qi and sensitive.
- qi (columns): the quasi-identifiers.
- sensitive (column): rows of the two releases can be of the same person if they have the same value here;
  values must not change.
- hierarchies (table; default null): rows of attribute, value, level and label: the values that released
  labels stand for.
- weight (column; default null): of both releases, says how many people each row stands for, as in classes.
- formats: as in locate

Result:
- class_id (integer): the number of the class in the earlier release, as in classes; NULL if no earlier class
  is compatible with the later one, so that all its rows are new.
- later_class_id (integer): the number of the class in the later release.
- learned (text): the strongest attack, and how many rows of the class it excludes; NULL: none.
- confidence (number): 1 / the rows that remain possible; NULL if nobody can be in this pair.
- baseline (number): 1 / the rows of the class.
- is_right (boolean): NULL, because it is not known.
- is_control (boolean): NULL, because it is not known.
- size (integer, rows): the size of the earlier class.
- later_size (integer, rows): the size of the later class.
- f_anonymity (integer, rows): rows of the earlier class that remain possible for a victim who is in both
  classes (F-attack); NULL: nobody can be in both.
- c_anonymity (integer, rows): rows of the later class that remain possible for a victim who is in both
  (C-attack).
- b_anonymity (integer, rows): rows of the later class that remain possible for a victim who is only in the
  later release (B-attack); NULL: all rows are older.
- anonymity (integer, rows): the least of these three.

Errors: unknown column, empty table, a hierarchy that is not a tree, not two releases, a label that covers
nothing, a class of the earlier release whose rows cannot all be in the later one, a weight as in classes, an
unknown format.

Notes: BCF-anonymity holds if no anonymity is below k. Labels are read as covers reads them; two are
compatible if a raw value belongs to both. The F-attack and the C-attack leave the same number of rows, those
that can correspond. The numbers are computed pair by pair, as in the paper: an adversary who looks at all
classes together may exclude more rows.

Source: Fung, Wang, Fu and Pei 2008, Anonymity for continuous data publishing.

Example:
with earlier as (
    from (values ('[20, 39]', 'flu'), ('[20, 39]', 'flu'), ('[20, 39]', 'asthma')) as row(age, disease)
),
later as (
    from (values ('[20, 29]', 'flu'), ('[20, 29]', 'asthma'), ('[30, 39]', 'flu'), ('[30, 39]', 'cancer'))
        as row(age, disease)
)
from sqlanon.correspondence(['earlier', 'later'], qi := 'age', sensitive := 'disease');
$$;
