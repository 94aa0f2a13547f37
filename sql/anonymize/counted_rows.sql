-- Rows that are elsewhere (in Spark): here are only their distinct combinations, each with the number of rows
-- that have it.

-- The rows of a table of counts, each as often as its column n says: for what looks at rows.
create or replace macro sqlanon._counted_rows(counts, n) as table
    from query(sqlanon._fill($$
        select counted.* exclude ({n}) from {counts} as counted, range(counted.{n})
    $$, map {'n': sqlanon._quote(n), 'counts': sqlanon._relation(counts)}));

-- What is released in place of each combination: v1, v2, ..., raw1, raw2, ... (the combination), is_kept
-- (false where it is suppressed). released: a release of the counts, which keeps copies of the columns in qi:
-- raws, their names.
create or replace macro sqlanon._recoded_combinations(counts, released, qi, raws) as table
    from query(sqlanon._fill($$
        select {labels}, {raw_values}, is_kept is not null as is_kept
        from (select distinct {raws} from {counts}) as counted
        left join (select distinct {qi}, {raws}, true as is_kept from {released}) as released
          on {equal_values}
    $$, map {
        'labels': sqlanon._each(qi, 'released.{c} as v{i}', ', '),
        'raw_values': sqlanon._each(raws, 'counted.{c} as raw{i}', ', '),
        'raws': sqlanon._each(raws, '{c}', ', '), 'qi': sqlanon._each(qi, '{c}', ', '),
        'counts': counts, 'released': released,
        'equal_values': sqlanon._each(raws, 'counted.{c} is not distinct from released.{c}', ' and ')}));
