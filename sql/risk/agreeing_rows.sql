-- Agreeing rows: what a release without classes, such as synthetic rows, tells of the original by rows that
-- agree with it in what is known (Taub et al. 2018; Raab, Nowok and Dibben 2024).
--
-- Everything is counted per combination of known values (q) and sensitive value (t), in the original and in
-- the release. Values are equal if their texts are, or by their types, where those differ.

-- How often a table has each combination: texts (of the known values, and of the sensitive one), types, n.
create or replace macro sqlanon._agreement_cells(tbl, known, sensitive) as table
    from query(sqlanon._fill($$
        select [{each known: src.{c}::varchar}, src.{sensitive}::varchar]::varchar[] as texts,
               any_value([{each known: typeof(src.{c})}, typeof(src.{sensitive})]) as types, count(*) as n
        from {source} as src group by all
    $$, map {
        'sensitive': sqlanon._quote(sensitive), 'source': sqlanon._projected(tbl, known, sensitive, null)}));

-- Combinations in texts that are equal where their values are: q (a list, of the known values), t (of the
-- sensitive one), n. kinds: a relation with one row, compared_as, as in _kinds_if_different.
create or replace macro sqlanon._compared_cells(cells, kinds) as table
    select compared[:-2] as q, compared[-1] as t, sum(n) as n
    from (
        select sqlanon._compared_texts(texts, compared_as) as compared, n
        from query_table(cells), query_table(kinds)
    )
    group by all;

-- The measures, as shares of the rows of the original: place, id, measure, value. original and released are
-- relations as above.
create or replace macro sqlanon._agreement_measures(original, released) as table
    with original_key as (
        select q, sum(n) as n, count(*) as values from query_table(original) group by q
    ),
    released_key as (
        select q, sum(n) as n, count(*) as values from query_table(released) group by q
    ),
    cell as (
        select own.n, coalesce(told.n, 0) as same, own_key.n as own_n, own_key.values as own_values,
               released_key.n as told_n, released_key.values as told_values
        from query_table(original) as own
        join original_key as own_key using (q)
        left join released_key using (q)
        left join query_table(released) as told on told.q = own.q and told.t is not distinct from own.t
    ),
    total as (
        select sum(n) as everybody,
               coalesce(sum(n) filter (own_n = 1), 0) as uniques,
               coalesce(sum(n) filter (own_n = 1 and told_n = 1), 0) as replicated,
               coalesce(sum(n) filter (told_n is not null), 0) as matched,
               coalesce(sum(n) filter (told_values = 1), 0) as one_value,
               coalesce(sum(n) filter (told_values = 1 and same > 0), 0) as right_value,
               coalesce(sum(n) filter (own_values = 1), 0) as known_in_original,
               sum(n * same / told_n) as attributed
        from cell
    )
    select 1 as place, 'rows' as id, 'rows of the original' as measure, everybody::double as value from total
    union all select 2, 'uniques', 'unique in what is known', uniques / everybody from total
    union all select 3, 'replicated_uniques', 'of them unique in the release, too', replicated / everybody
              from total
    union all select 4, 'matched', 'with rows in the release that agree', matched / everybody from total
    union all select 5, 'known_in_original', 'the original has one value for what is known',
                     known_in_original / everybody from total
    union all select 6, 'disclosive', 'the release has one value for what is known', one_value / everybody
              from total
    union all select 7, 'disclosive_correct', 'and it is the true one', right_value / everybody from total
    union all select 8, 'attribution', 'right by an agreeing row drawn by lot',
                     attributed / nullif(matched, 0) from total
    union all select 9, 'targeted_attribution', 'right where all agreeing rows have one value',
                     right_value / nullif(one_value, 0) from total;

create or replace macro sqlanon._agreeing_rows(original, release, known, sensitive) as table
    with _sqlanon_original as materialized (from sqlanon._agreement_cells(original, known, sensitive)),
    _sqlanon_released as materialized (from sqlanon._agreement_cells(release, known, sensitive)),
    _sqlanon_kinds as materialized (
        select sqlanon._kinds_if_different(own, other) as compared_as
        from (select any_value(types) as own from _sqlanon_original),
             (select any_value(types) as other from _sqlanon_released)
    ),
    _sqlanon_own_cell as materialized (from sqlanon._compared_cells('_sqlanon_original', '_sqlanon_kinds')),
    _sqlanon_told_cell as materialized (from sqlanon._compared_cells('_sqlanon_released', '_sqlanon_kinds')),
    _sqlanon_refusal as (
        from sqlanon._refuse_empty('_sqlanon_original', original)
        union all from sqlanon._refuse_empty('_sqlanon_released', release)
        union all from sqlanon._refuse_label_texts(
            '_sqlanon_released', '_sqlanon_original', release, known || [sensitive], 'agreeing_rows')
    ),
    told as (
        select place, id, measure, if(id = 'rows', 1, 100) * value as value,
               if(id = 'rows', 'rows', '%') as unit
        from sqlanon._agreement_measures('_sqlanon_own_cell', '_sqlanon_told_cell')
        union all
        select null, null, null, refused::double, null from _sqlanon_refusal
    )
    select measure, value, unit, id from told order by place;

create or replace macro sqlanon.agreeing_rows(original, release, columns, sensitive) as table
    from query(
        case when len(sqlanon._list(columns)) = 0
             then error('columns names no column: give at least one that the adversary knows')
             when len(sqlanon._list(sensitive)) <> 1 then error('sensitive names one column')
             else sqlanon._checked(columns, sensitive, null) end
        || {call _agreeing_rows:
            known := columns, sensitive := text(sqlanon._literal(sqlanon._list(sensitive)[1]))});

comment on macro table sqlanon.agreeing_rows is $$
Measures what an adversary learns from released rows with the same known values as a row of the original;
these measures are common for synthetic data: one row per measure.

Parameters:
- original (table): the raw rows.
- release (table): the released rows, with values of the same form.
- columns (columns): of both tables, the columns that the adversary knows.
- sensitive (column): of both tables, the column to be learned.

Result:
- measure (text): the title of the measure.
- value (number): its value, in the unit.
- unit (text): the unit: rows, or % of the rows of the original.
- id (text): the measure: rows, uniques, replicated_uniques, matched, known_in_original, disclosive,
  disclosive_correct, attribution, targeted_attribution.

Errors: unknown column, a column in two roles, empty table, released labels such as [20, 29].

Notes: replicated_uniques is RepU and disclosive_correct is DiSCO of synthpop; known_in_original is DiSCO
computed for the original itself. attribution is the mean CAP of rows for which there is a released row with
the same known values. targeted_attribution is TCAP: how often the value is true, if all such released rows
have the same one. The measures also count what an adversary can guess because values depend on each other:
nearest_inference with agreeing compares this with people who are not in the original.

Source: Raab, Nowok and Dibben 2024, sec. 2 (RepU, DiSCO); Taub, Elliot, Pampaka and Smith 2018 (CAP, TCAP).

Example:
from sqlanon.agreeing_rows('people', 'voters', columns := 'zip', sensitive := 'disease');
$$;
