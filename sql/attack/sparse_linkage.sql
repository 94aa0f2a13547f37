-- Sparse linkage: a few things that somebody is known to have bought, rated or visited tell which record of a
-- release is theirs, although some of them are wrong (Narayanan and Shmatikov 2008, sec. 4 and 5).
--
-- A record's score is the sum over the known items that it has, and the rarer an item, the more it counts:
-- 1 / ln(1 + records that have it). [own derivation: the paper's 1 / ln(records) is unbounded for one
-- record.] The best record is taken if it stands out: its score is ahead of the next one's by so many
-- standard deviations of all scores (eccentricity). Items that are wrong agree with nothing, and cost nothing
-- else.

-- Who has which item, each once: owner, texts (of the item, a list), types. whose: the column that names the
-- owner.
create or replace macro sqlanon._items_of(tbl, whose, columns) as table
    from query(sqlanon._fill($$
        select distinct src.{"whose"}::varchar as owner, [{each columns: src.{c}::varchar}] as texts,
               [{each columns: typeof(src.{c})}] as types
        from {source} as src
    $$, map {'source': sqlanon._projected(tbl, columns, null, [whose])}));

-- Items in texts that are equal where their values are: owner, item (a list). items: as in _items_of; kinds:
-- a relation with one row, compared_as, as in _kinds_if_different.
create or replace macro sqlanon._compared_items(items, kinds) as table
    select distinct owner, sqlanon._compared_texts(texts, compared_as) as item
    from query_table(items), query_table(kinds);

-- The targets, each once: who, owner (its text), true_record, is_control. truth, controls: lists, of none or
-- one.
create or replace macro sqlanon._owners_of_items(tbl, id, truth, controls) as table
    from query(sqlanon._fill($$
        select src.{"id"} as who, src.{"id"}::varchar as owner, {truths} as true_record,
               bool_or({is_control}) as is_control
        from {source} as src group by src.{"id"}
    $$, map {
        'truths': case when len(truth) = 0 then 'null::varchar'
                       else sqlanon._fill($$
            if(count(distinct src.{truth}) > 1,
               error({several} || min(src.{truth}::varchar) || ' and ' || max(src.{truth}::varchar)),
               any_value(src.{truth}::varchar))
            $$, map {
                'truth': sqlanon._quote(truth[1]),
                'several': sqlanon._literal('a person has several values in truth: ')}) end,
        'is_control': case when len(controls) = 0 then 'false'
                           else 'sqlanon._says(src.' || sqlanon._quote(controls[1]) || ', ''controls'')' end,
        'source': sqlanon._projected(
            tbl, sqlanon._each_once([id] || truth || controls), null, null)}));

-- The best record of each target: owner, linked (the record), best and next (scores), agreeing (items),
-- scores (of all records that have a known item, a list). known, held: as in _compared_items.
create or replace macro sqlanon._best_records(known, held) as table
    with weight as (
        select item, 1 / ln(1 + count(*)) as weight from query_table(held) group by item
    ),
    scored as (
        select told.owner, own.owner as linked, list_sum(list_sort(list(weight))) as score,
               count(*) as agreeing
        from query_table(known) as told
        join query_table(held) as own using (item)
        join weight using (item)
        group by told.owner, own.owner
    ),
    ranked as (
        select *, row_number() over (partition by owner order by score desc, linked nulls last) as place
        from scored
    )
    select owner, any_value(linked) filter (place = 1) as linked,
           max(score) as best, coalesce(any_value(score) filter (place = 2), 0) as next,
           any_value(agreeing) filter (place = 1) as agreeing, list_sort(list(score)) as scores
    from ranked group by owner;

create or replace macro sqlanon._sparse_linkage(
    release, targets, id, record, columns, stands_out, truth, controls) as table
    with _sqlanon_released_item as materialized (from sqlanon._items_of(release, record, columns)),
    _sqlanon_item as materialized (from sqlanon._items_of(targets, id, columns)),
    _sqlanon_kinds as materialized (
        select sqlanon._kinds_if_different(own, other) as compared_as
        from (select any_value(types) as own from _sqlanon_item),
             (select any_value(types) as other from _sqlanon_released_item)
    ),
    _sqlanon_held as materialized (
        from sqlanon._compared_items('_sqlanon_released_item', '_sqlanon_kinds')
    ),
    _sqlanon_known as materialized (from sqlanon._compared_items('_sqlanon_item', '_sqlanon_kinds')),
    _sqlanon_owner as materialized (from sqlanon._owners_of_items(targets, id, truth, controls)),
    _sqlanon_best as materialized (from sqlanon._best_records('_sqlanon_known', '_sqlanon_held')),
    total as (select count(distinct owner) + bool_or(owner is null)::bigint as records from _sqlanon_held),
    item as (select owner, count(*) as items from _sqlanon_known group by owner),
    spread as (
        -- records without a known item have the score 0
        select best.*, list_sum(scores) / records as mean,
               sqrt(greatest(list_sum(list_transform(scores, lambda score: score * score)) / records
                             - (list_sum(scores) / records) ** 2, 0)) as deviation, records
        from _sqlanon_best as best, total
    ),
    judged as (
        select owner, linked, agreeing, (best - next) / nullif(deviation, 0) as eccentricity,
               1 / (list_sum(list_transform(scores, lambda score:
                        exp((score - best) / nullif(deviation, 0))))
                    + (records - len(scores)) * exp(-best / nullif(deviation, 0))) as confidence
        from spread
    ),
    _sqlanon_refusal as (
        from sqlanon._refuse_empty('_sqlanon_held', release)
        union all from sqlanon._refuse_empty('_sqlanon_known', targets)
        union all from sqlanon._refuse_label_texts(
            '_sqlanon_released_item', '_sqlanon_item', release, columns, 'sparse_linkage')
    )
    select who, case when eccentricity >= stands_out then coalesce(linked, 'NULL') end as learned,
           case when eccentricity >= stands_out then confidence end as confidence,
           1 / (select records from total) as baseline,
           case when eccentricity >= stands_out and len(truth) > 0
                then linked is not distinct from true_record end as is_right,
           is_control, coalesce(eccentricity, 0) as eccentricity, coalesce(agreeing, 0) as agreeing, items
    from _sqlanon_owner
    left join judged on judged.owner is not distinct from _sqlanon_owner.owner
    left join item on item.owner is not distinct from _sqlanon_owner.owner
    union all by name
    select refused::bigint as agreeing from _sqlanon_refusal;

create or replace macro sqlanon.sparse_linkage(
    release, targets, id, record, columns, eccentricity := 1.5, truth := null, controls := null) as table
    from query(
        case when len(sqlanon._list(columns)) = 0
             then error('columns names no column: give at least one that says what an item is')
             else sqlanon._checked(columns, null, record) end
        || sqlanon._fill($$
        select who as {"id"}, * exclude (who) from sqlanon._sparse_linkage({arguments})
    $$, map {
        'arguments': concat_ws(', ',
            sqlanon._literal(release), sqlanon._literal(targets), sqlanon._literal(id),
            sqlanon._literal(record), sqlanon._names(columns),
            coalesce(
                sqlanon._real_number(eccentricity, 'eccentricity', 0, true, 1e300, 'at least 0')::varchar,
                error('eccentricity must be a number of at least 0, not NULL')),
            sqlanon._names(truth), sqlanon._names(controls))}));

comment on macro table sqlanon.sparse_linkage is $$
Links people to records of a release with several rows per record, such as purchases, ratings or visits, by a
few items that they are known to have, of which some may be wrong: one row per person.

Parameters:
- release (table): records without a name, one row per record and item, with the columns record and columns.
- targets (table): people, one row per person and known item, with the columns id and columns.
- id (column): of targets, identifies the person.
- record (column): of release, identifies the record.
- columns (columns): of both tables, the columns that make up an item, such as the product and the week.
- eccentricity (number, at least 0; default 1.5): a record is learned if its score is ahead of the next one's
  by so many standard deviations of all scores.
- truth (column; default null): of targets, the true record of the person.
- controls (column; default null): of targets, true for people known not to be in the release.

Result:
- <id> (unchanged): the person.
- learned (text): the record that stands out; NULL: none does.
- confidence (number): its probability, if probabilities are proportional to exp(score / standard deviation).
- baseline (number): 1 / the number of records.
- is_right (boolean): is it the true record? NULL without truth, or if nothing is learned.
- is_control (boolean): is the person one of controls?
- eccentricity (number): by how many standard deviations the best record is ahead of the next one.
- agreeing (integer): the number of known items that the best record has.
- items (integer): the number of known items of the person.

Errors: unknown column, a column named twice, empty table, a person with several values in truth, released
labels such as [20, 29].

Notes: the score of a record is the sum of 1 / ln(1 + n) over the known items that it has; n records have the
item. So rare items count most, and an item that is wrong only adds nothing. Several rows with the same item
count once. Values are equal if their texts are; give ranges of times or numbers (such as weeks) as columns to
allow for small errors. With one record there is nothing that it could stand out from. unicity measures how
many people a few items identify at all.

Source: Narayanan and Shmatikov 2008, sec. 4 and 5 (Scoreboard-RH, eccentricity).

Example:
with bought as (
    from (values ('r1', 'tea'), ('r1', 'kayak'), ('r2', 'tea'), ('r2', 'salt'), ('r3', 'salt'), ('r4', 'tea'))
        as row(record, product)
),
told as (from (values ('ann', 'kayak'), ('ann', 'tea'), ('ann', 'soap')) as row(name, product))
from sqlanon.sparse_linkage('bought', 'told', id := 'name', record := 'record', columns := 'product');
$$;
