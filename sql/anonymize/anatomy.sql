-- Anatomy: a row keeps its quasi-identifiers, and the link to its sensitive value is cut (Xiao and Tao 2006).
--
-- Rows are put in buckets of at least l rows whose sensitive values are all different. A row is released with
-- all values of its bucket in place of its own. So the chance to guess right is at most 1/l (the paper's
-- l-diversity), for an adversary who takes every assignment within a bucket to be equally likely. Nothing is
-- recoded: the release shows who is in the table, and hides only who in a bucket has which value.
--
-- The paper fills one bucket after the other with a row of each of the l most frequent values that are left,
-- and distributes the rest at random. Here rows are dealt like cards to m = n // l buckets: n rows in the
-- order of their sensitive values, rows of one value at random. A value that is in at most n/l rows is in at
-- most m, a whole number. These rows are next to each other, so they go to different buckets, and no bucket
-- has a value twice. Since n < (m + 1) l, a bucket gets from l to 2l - 1 rows: n // m, or one more. These are
-- the paper's properties, without its loop. Besides, the values of a bucket are spread over all values in
-- their order, one from each part of m rows.
--
-- With a unit, nobody may be in a bucket twice, either. After the deal, somebody with r rows is twice in
-- about r^2 / 2m buckets. There, a row changes places with a row of the same value in another bucket, so that
-- the values of buckets stay the same.

-- An empty text, or an error that names what is missing.
create or replace macro sqlanon._anatomy_checked(qi, sensitive, keep, l) as
    case when l is null
         then error('anatomize needs l: how many sensitive values a bucket must have, e.g. l := 3')
         when sqlanon._whole_number(l, 'l') is null then ''
         when len(sqlanon._list(sensitive)) <> 1
         then error('anatomize needs one sensitive column, not ' || len(sqlanon._list(sensitive))
                    || ': others can be in keep, if they may be known')
         when list_contains(
             sqlanon._lower(sqlanon._list(qi) || sqlanon._list(sensitive) || sqlanon._list(keep)), 'bucket')
         then error('a column is named bucket, as the column of the release with the number of the bucket: '
                    || 'rename it')
         else ''
    end;

-- The positional names of all that a row has but whose it is.
create or replace macro sqlanon._anatomy_columns(qi, keep) as
    sqlanon._each(qi, 'q{i}, ', '') || 's1' || sqlanon._each(keep, ', kept{i}', '');

-- The rows under positional names (q1, q2, ..., s1, kept1, kept2, ...; person, with a unit), with twin, a
-- number that tells rows apart that are alike, and chance: a key that puts them in a random order.
create or replace macro sqlanon._anatomy_rows(tbl, qi, sensitive, keep, seed, unit := null) as table
    from query(sqlanon._fill($$
        select *, {random_key} as chance
        from (
            select *, row_number() over (partition by {columns} {order}) as twin
            from (select {positional} {person} from sqlanon._source({=tbl}, {=qi}, {others}) as src)
        )
    $$, map {
        'random_key': sqlanon._random_key('twin, ' || sqlanon._anatomy_columns(qi, keep), seed),
        'columns': sqlanon._anatomy_columns(qi, keep), 'order': if(unit is null, '', 'order by person'),
        'positional': sqlanon._positional(qi, sensitive, null, keep),
        'person': sqlanon._each(unit, ', src.{c} as person', ''),
        'others': sqlanon._names(
            sqlanon._counted_with(sqlanon._list(sensitive) || sqlanon._list(keep), unit))}));

-- The rows of _anatomy_rows as people read them: meant is the sensitive value, by one of its spellings, and
-- so is person.
create or replace macro sqlanon._anatomy_read(rows, unit) as table
    with row_to_read as (select *, s1 as meant from query_table(rows))
    from sqlanon._with_one_spelling(
        'row_to_read', ['meant'] || if(unit is null, []::varchar[], ['person']));

-- No rows, or an error where a value is too frequent for any l-diverse buckets.
create or replace macro sqlanon._refuse_frequent(rows, l) as table
    select error('no buckets can have ' || l || ' different values each: of ' || total || ' rows ' || n
                 || ' have the value ' || coalesce(meant::varchar, 'NULL') || ', and ' || total // l || ' may'
                ) as refused
    from (
        select meant, count(*) as n, sum(count(*)) over () as total
        from query_table(rows) group by meant order by n desc, meant limit 1
    )
    where n > total // l;

-- The rows (as in _anatomy_rows, and meant) with their place in the order in which they are dealt, and their
-- bucket, a number from 1, once there is nothing to refuse.
create or replace macro sqlanon._anatomy_dealt(rows, refusals, l) as table
    with total as (
        select greatest(count(*) // l, 1) + (select count(refused) from query_table(refusals)) as buckets
        from query_table(rows)
    ),
    card as (select *, row_number() over (order by meant nulls first, chance) as place from query_table(rows))
    select card.*, (place - 1) % buckets + 1 as bucket from card, total;

-- One exchange of two rows of the same value, after which somebody is in one bucket fewer twice; no rows,
-- if there is nothing to exchange. dealt: rows with their place, person and bucket, and step, how many
-- exchanges there were.
create or replace macro sqlanon._anatomy_exchange(dealt) as table
    with present as materialized (
        select bucket, person, count(*) as n from query_table(dealt) group by bucket, person
    ),
    -- The rows of people who are in their bucket more than once ...
    crowded as materialized (
        select place, card.bucket, card.person, meant
        from query_table(dealt) as card
        join present on present.bucket = card.bucket and present.person is not distinct from card.person
        where n > 1
    ),
    -- ... each with every row of the same value in another bucket.
    pair as (
        select crowded.place, partner.place as partner_place,
               crowded.bucket, partner.bucket as partner_bucket,
               crowded.person, partner.person as partner_person
        from crowded join query_table(dealt) as partner
          on partner.meant is not distinct from crowded.meant and partner.bucket <> crowded.bucket
    ),
    -- The first pair of which neither person is in the other's bucket yet.
    exchange as (
        select min({'place': place, 'partner_place': partner_place,
                    'bucket': pair.bucket, 'partner_bucket': partner_bucket}) as rows
        from pair
        left join present as here
          on here.bucket = pair.bucket and here.person is not distinct from partner_person
        left join present as there
          on there.bucket = partner_bucket and there.person is not distinct from pair.person
        where here.n is null and there.n is null
    )
    select card.* replace (
        step + 1 as step,
        case place when rows.place then rows.partner_bucket
                   when rows.partner_place then rows.bucket
                   else bucket end as bucket)
    from query_table(dealt) as card, exchange where rows is not null;

-- The rows in buckets in which nobody is twice, or an error.
create or replace macro sqlanon._anatomy_parted(dealt) as table
    with recursive
    state as (
        select 0 as step, * from query_table(dealt)
        union all
        from sqlanon._anatomy_exchange('state')
    ),
    parted as materialized (select * exclude (step) from state where step = (select max(step) from state)),
    crowded as (
        select person from parted group by person, bucket having count(*) > 1 order by count(*) desc limit 1
    ),
    refusal as (
        select error('no buckets can be of different people: somebody with ' || count(*)
                     || ' rows would be in one of them more than once') as refused
        from crowded join parted on parted.person is not distinct from crowded.person group by parted.person
    )
    select * from parted where (select count(refused) from refusal) = 0;

-- The release: every row with its quasi-identifiers, the columns in keep, bucket, and in the sensitive
-- column the list of the values in its bucket; in the order of a salted hash of what is released, as in
-- sql/anonymize/recoding.sql. unit: a further column, for a look at the release before it leaves.
create or replace macro sqlanon._anatomy_release(dealt, qi, sensitive, keep, seed, unit := null) as table
    from query(sqlanon._fill($$
        with _sqlanon_bucket as (
            select bucket, list(s1 order by s1 nulls first) as bucket_values from {dealt} group by bucket
        )
        select {qi} {kept} bucket {each sensitive: , bucket_values as {c}} {each unit: , person as {c}}
        from {dealt} join _sqlanon_bucket using (bucket)
        order by {random_key}
    $$, map {
        'qi': sqlanon._each(qi, sqlanon._unmistakable('q{i}') || ' as {c}, ', ''),
        'kept': sqlanon._each(keep, 'kept{i} as {c}, ', ''),
        'random_key': sqlanon._random_key(
            'bucket' || sqlanon._each(qi, ', q{i}', '') || sqlanon._each(keep, ', kept{i}', ''), seed)}));

-- What the release shows of the columns in qi and keep: for a look whether all of it is there.
create or replace macro sqlanon._anatomy_shown(tbl, qi, keep) as table
    from query(sqlanon._fill('select {qi} {kept} from {source} as src', map {
        'qi': sqlanon._each(qi, sqlanon._unmistakable('src.{c}') || ' as {c}', ', '),
        'kept': sqlanon._each(keep, ', src.{c}', ''), 'source': sqlanon._projected(tbl, qi, null, keep)}));

-- An anatomized release in two relations, as in the paper. One row per row of the table, without sensitive
-- values ...
create or replace macro sqlanon._anatomy_quasi_identifiers(release, qi, keep) as table
    from query(sqlanon._fill('select {qi} {kept} bucket from {release}', map {
        'qi': sqlanon._each(qi, '{c}, ', ''), 'kept': sqlanon._each(keep, '{c}, ', ''),
        'release': sqlanon._relation(release)}));

-- ... and one per bucket and value. (How often a bucket has a value needs no column: once.)
create or replace macro sqlanon._anatomy_values(release, sensitive) as table
    from query(sqlanon._fill($$
        select bucket {each sensitive: , unnest({c}) as {c}}
               from (select distinct bucket {each sensitive: , {c}} from {release}) order by all
    $$, map {'release': sqlanon._relation(release)}));

-- From the table to the release, in one statement.
create or replace macro sqlanon._anatomize(tbl, qi, sensitive, keep, l, seed, unit) as table
    with _sqlanon_source as materialized (
        from sqlanon._source(tbl, qi, sensitive || keep || sqlanon._list(unit))
    ),
    _sqlanon_written as materialized (
        from sqlanon._anatomy_rows('_sqlanon_source', qi, sensitive, keep, seed, unit)
    ),
    _sqlanon_row as materialized (from sqlanon._anatomy_read('_sqlanon_written', unit)),
    _sqlanon_refusal as (
        from sqlanon._refuse_empty('_sqlanon_row', tbl)
        union all from sqlanon._refuse_frequent('_sqlanon_row', l)
    ),
    _sqlanon_dealt as materialized (from sqlanon._anatomy_dealt('_sqlanon_row', '_sqlanon_refusal', l)),
    _sqlanon_parted as materialized (
        from query(if(unit is null, 'from _sqlanon_dealt',
                      {call _anatomy_parted: dealt := '_sqlanon_dealt'}))
    )
    from sqlanon._anatomy_release('_sqlanon_parted', qi, sensitive, keep, seed);

create or replace macro sqlanon.anatomize(
    tbl, qi, sensitive := null, keep := null, l := null, seed := null, unit := null) as table
    from query(sqlanon._released({statement:
        sqlanon._checked(qi, sensitive, keep, unit) || sqlanon._anatomy_checked(qi, sensitive, keep, l)
        || {call _anatomize}}));

comment on macro table sqlanon.anatomize is $$
Releases every row of a table by Anatomy: the quasi-identifiers unchanged, and instead of the sensitive value
the values of a bucket of l to 2l - 1 rows, one of which is the row's own. All values of a bucket are
different. So an adversary who finds a person's row, and does not know how values depend on quasi-identifiers,
guesses the value with a probability of at most 1/l.

Parameters:
- tbl, qi: as in mondrian
- sensitive (columns; default null): must be given: one column, whose values are released by bucket. Spellings
  of a value are one, and so is what is missing: a bucket has each once.
- keep: as in mondrian
- l (integer, at least 1; default null): must be given: the least number of rows, and of sensitive values, in
  a bucket.
- seed (integer; default null): fixes who is in which bucket, and the order of rows. Somebody who knows or
  guesses it can undo the release: leave it out, or use a long one and keep it secret.
- unit (column; default null): identifies the person of a row, if people can have several rows. The rows of a
  bucket are then of different people. The column is not released.

Result:
- <qi> (unchanged): as in tbl; but a text that looks like a released label, such as *, is written as a set of
  one: {"*"}.
- <keep> (unchanged): as in tbl.
- bucket (integer): a number from 1.
- <sensitive> (list): the values in the bucket, sorted.

Errors: unknown column, empty table, several sensitive columns, a column named bucket, a value that more than
1/l of the rows have, a person with so many rows that they would be in a bucket twice.

Notes: the release does not hide that somebody is in the table: it is not k-anonymous. Nor does it hide how
values depend on quasi-identifiers: all buckets together show that, and so de_finetti guesses better than 1/l.
From a release r with the sensitive column disease, the paper's two relations are: select * exclude (disease)
from r, and select distinct bucket, unnest(disease) as disease from r. The latter, as a table v, is checked by
violations('v', qi := 'bucket', sensitive := 'disease', l := 3). To attack a release as classes, make one row
for each possible value: select * exclude (disease), unnest(disease) as disease from r. With a unit, a person
with several rows is in as many buckets; there is no guarantee about what these reveal together.

Source: Xiao and Tao 2006.

Example:
from sqlanon.anatomize('people', qi := ['age', 'zip'], sensitive := 'disease', l := 2);
$$;
