-- Anonymizing a table whose rows stay elsewhere (in Spark): only its distinct combinations come here, each
-- with its number of rows.

-- The rows of a table of counts, each as often as its column n says: for what looks at rows.
create or replace macro sqlanon._counted_rows(counts, n) as table
    from query(sqlanon._fill($$
        select counted.* exclude ({"n"}) from {counts} as counted, range(counted.{"n"})
    $$, map {'counts': sqlanon._relation(counts)}));

-- What is released in place of each combination: v1, v2, ..., raw1, raw2, ... (the combination), is_kept
-- (false where it is suppressed). released: a release of the counts, which keeps copies of the columns in qi:
-- raws, their names.
create or replace macro sqlanon._recoded_combinations(counts, released, qi, raws) as table
    from query(sqlanon._fill($$
        select {each qi: released.{c} as v{i}},
               {each raws: counted.{c} as raw{i}}, is_kept is not null as is_kept
        from (select distinct {raws} from {counts}) as counted
        left join (select distinct {each qi: {c}}, {raws}, true as is_kept from {released}) as released
          on {each raws and: counted.{c} is not distinct from released.{c}}
    $$, map {'raws': sqlanon._each(raws, '{c}', ', ')}));

-- What is released in place of combinations that are divided among classes: v1, v2, ..., raw1, raw2, ... (the
-- combination: the columns in qi and counted), and which of its rows, from 1, that is of: those after one up
-- to another. labels and assignment: as in _release.
create or replace macro sqlanon._dealt_combinations(
    combinations, assignment, labels, qi, counted) as table
    from query(sqlanon._fill($$
        select {each qi: v{i}}, {values}, up_to - share as after, up_to, true as is_kept
        from (
            select *, sum(share) over upwards::bigint as up_to
            from {combinations} join {assignment} using (tuple_id)
            window upwards as (partition by tuple_id order by class_id rows unbounded preceding)
        )
        join {labels} using (class_id)
    $$, map {
        'values': sqlanon._each_of(qi, 'q{i} as raw{i}', ', ')
                  || sqlanon._each_of(
                      list_transform(counted, lambda name, nth: 'raw' || (len(qi) + nth)), ', s{i} as {c}',
                      '')}));
