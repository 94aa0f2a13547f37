-- What leaves: every column of a release, in which form it leaves, and whether it names somebody by itself.
--
-- Requirements are about quasi-identifiers and sensitive values. A column that leaves as it is can undo all
-- of them at once: names, numbers of cases, e-mail addresses and remarks say whose row it is, whatever class
-- that row is in. So each column is looked at: at all of its distinct values, never at a sample, and at its
-- name.
--
-- A column that leaves unchanged fails if one of these holds, unless somebody has accepted it by its name:
-- * It is the id of the people whom the judge looks for: by its name; or each of its values is an id, and
--   nine in ten are held by one person each.
-- * It has a form that nothing else has (sqlanon._form_of): at least half of the distinct values are e-mail
--   addresses, IBANs, numbers of cards whose check digit is right, ... Half, because what people type is
--   never all of one form, and because there is no harmless column half of which are e-mail addresses.
-- * It has a form that other things may have, too: addresses, free text and names of people are also what
--   some diagnoses look like, which however repeat. Here half of the distinct values must have the form, and
--   half of these (of free text nine in ten) must be held by one person each.
-- * Three of its values are the most frequent names of people (sql/risk/personal_names.sql), and these are a
--   third of its values, or a third of the rows have one. They may repeat.
-- * Its name says so. A word that means nothing else (surname, e-mail, passport) is enough for a column of
--   more than a few values; a word that may be about something else (the number of a ward, the name of a
--   street) needs half of the rows to have a value of their own. A name with a word for something sensitive,
--   or a number "of" something, says nothing here.
-- * It numbers its rows: whole numbers without a repetition and nearly without a gap.
-- * Nine in ten rows have a value that no other row has. Sensitive numbers are only reported: salaries are
--   all different, and are what the release is about.
-- A quasi-identifier, whose labels a class shares, fails where these still show values of such a form:
-- {Ann, Bob} names people, and a set of remarks says what the remarks do.
--
-- In a few rows every value is unique. Where a column is sensitive, what only says that values do not repeat
-- therefore needs at least 20 rows: four patients with four diseases show nothing. A column that is kept has
-- no such excuse: nobody has said that it is worth a risk, and an all-clear over four passport numbers would
-- be false. A masked column fails only where nine in ten of at least 20 rows have a mask of their own: then
-- the mask hides little. A keyed hash is a pseudonym by intention, and is reported as one.

-- What the labels of quasi-identifiers show that have values in them, alone or in sets: column_name, form.
-- Ranges and masks show none. People share labels, so that no value is anybody's alone: a form must be one
-- that nothing else has, or names of people, or free text (where rows hardly share texts: a list of trades
-- has long texts, too); or the column is called so.
create or replace macro sqlanon._looks_of_labels(released_values, roles, sums) as table
    with label as (
        select column_name, value
        from query_table(released_values) join query_table(roles) using (column_name)
        where role = 'qi'
              and (sqlanon._is_text_type(sqlanon._plain_type(type)) or type = 'VARCHAR[]')
              and not regexp_matches(value, '^[\[(<>≤≥]|\*')
    ),
    shown as (
        select distinct column_name,
               unnest(if(value like '{%}', sqlanon._parsed_elements(value), [value])) as value
        from label
    ),
    formed as (select column_name, sqlanon._form_of(value) as form from shown where value is not null),
    counted as (
        select column_name, form, count(*) as of_form,
               sum(count(*)) over (partition by column_name) as values_shown
        from formed group by column_name, form
    )
    select column_name,
           coalesce(
               arg_max(form, of_form) filter (
                   case form
                       when 'personal name' then of_form >= 3 and of_form * 3 >= values_shown
                       when 'free text' then of_form * 3 >= values_shown and values_shown * 2 >= held
                       else of_form * 2 >= values_shown and not sqlanon._is_vague(form) end),
               any_value(called) filter (
                   values_shown >= 10 and called not in ('number', 'address', 'coordinate'))) as form
    from (
        select *, coalesce(sqlanon._told_by_name(column_name, sqlanon._telling_words(), false),
                           sqlanon._told_by_name(column_name, sqlanon._hinting_words(), true)) as called
        from counted join query_table(sums) using (column_name)
    )
    group by column_name;

-- A row per column with all that is known of it.
create or replace macro sqlanon._column_findings(
    roles, sums, wholes, value_looks, name_looks, label_looks, id, direct) as table
    with sum_of_column as (  -- a list is looked into, but may be the only one of its elements
        select sums.* replace (coalesce(whole.held, sums.held) as held,
                               coalesce(whole.alone, sums.alone) as alone)
        from query_table(sums) as sums left join query_table(wholes) as whole using (column_name)
    ),
    known as (
        select role.*, coalesce(distinct_values, 0) as distinct_values, coalesce(held, 0) as held,
               coalesce(alone, 0) as alone, alone / held as unique_share,
               coalesce(are_numbers, false) as are_numbers,
               -- the type of a DuckDB column names its values, also those that are in no row
               len(regexp_extract_all(type, '(?s)''(?:[^'']|'''')*''')) as named_values,
               case when role = 'qi' then label_look.form
                    when held is null then null
                    when lower(column_name) = lower(id)
                         or are_ids and alone >= sqlanon._mostly() * held then 'id of the targets'
                    else coalesce(value_look.form, name_look.look, if(count_up, 'number', null))
               end as looks_like,
               list_contains(sqlanon._lower(direct), lower(column_name)) as is_accepted
        from query_table(roles) as role
        left join sum_of_column using (column_name)
        left join query_table(value_looks) as value_look using (column_name)
        left join query_table(name_looks) as name_look using (column_name)
        left join query_table(label_looks) as label_look using (column_name)
    )
    select *, role in ('sensitive', 'keep') as is_unchanged,
           coalesce(unique_share >= sqlanon._mostly(), false) and case role
               when 'keep' then true
               when 'sensitive' then not are_numbers and held >= sqlanon._enough_rows()
               when 'masked' then looks_like is distinct from 'hash' and held >= sqlanon._enough_rows()
               else false end as is_unique,
           type like 'ENUM(%)' and named_values > distinct_values as names_more,
           case when role in ('sensitive', 'keep') and not sqlanon._is_looked_into(type)
                then 'nobody has looked into values of type '
                     || if(type like '%]', 'list', regexp_extract(type, '^[A-Z]*'))
                when contains(type, 'ENUM(') and type not like 'ENUM(%)'
                then 'its type has an ENUM in it, which may name values that no row has: release it as text'
           end as doubt
    from known;

create or replace macro sqlanon._leaving_columns(
    release, relation, qi, sensitive, masked, original, original_relation, id, direct) as table
    with _sqlanon_column as materialized (from sqlanon._columns_in_order(relation)),
    _sqlanon_whole_value as materialized (from sqlanon._values_of_columns(relation, sqlanon._list(qi))),
    _sqlanon_released_value as materialized (
        from sqlanon._elements_of_columns('_sqlanon_whole_value', '_sqlanon_column')
    ),
    _sqlanon_role as materialized (
        from sqlanon._roles_of_columns('_sqlanon_column', qi, sensitive, masked)
    ),
    _sqlanon_held_value as materialized (
        from sqlanon._held_values(
            '_sqlanon_released_value', '_sqlanon_role', original, original_relation, id,
            sqlanon._lower(qi || masked))
    ),
    _sqlanon_sum as materialized (from sqlanon._sums_of_columns('_sqlanon_held_value')),
    _sqlanon_whole_list as (
        select column_name, sum(rows)::bigint as held,
               coalesce(sum(rows) filter (rows = 1), 0)::bigint as alone
        from _sqlanon_whole_value join _sqlanon_column using (column_name)
        where type like '%]' and value is not null group by column_name
    ),
    _sqlanon_value_look as materialized (
        from sqlanon._looks_of_values('_sqlanon_held_value', '_sqlanon_sum', '_sqlanon_role')
    ),
    _sqlanon_name_look as materialized (from sqlanon._looks_of_names('_sqlanon_sum', '_sqlanon_role')),
    _sqlanon_label_look as materialized (
        from sqlanon._looks_of_labels('_sqlanon_released_value', '_sqlanon_role', '_sqlanon_sum')
    ),
    _sqlanon_finding as materialized (
        from sqlanon._column_findings(
            '_sqlanon_role', '_sqlanon_sum', '_sqlanon_whole_list', '_sqlanon_value_look',
            '_sqlanon_name_look', '_sqlanon_label_look', id, direct)
    ),
    told as (
        select *, role <> 'masked' and looks_like is not null or is_unique as is_telling,
               format('{:,} of {:,} ', alone, held)
                   || if(original is not null and is_unchanged,
                         'values of people are held by one person each',
                         'rows have a value that no other row has') as uniqueness
        from _sqlanon_finding
    )
    select column_name as "column", role,
           case role when 'qi' then 'recoded' when 'masked' then 'masked' else 'unchanged' end as how,
           regexp_replace(type, '(?s)ENUM\((''(?:[^'']|'''')*''(, )?)*\)', 'ENUM', 'g') as type,
           distinct_values, unique_share, looks_like,
           case when names_more then 'fails'
                when is_accepted then 'holds'
                when is_telling then 'fails'
                when doubt is not null and held > 0 then 'not known'
                else 'holds' end as verdict,
           case when names_more
                then format('its type, ENUM, names {:,} values that no row has: release it as text',
                            named_values - distinct_values)
                when held = 0 then 'no row has a value'
                else if(is_accepted, 'accepted: ', '')
                    || case when role = 'qi'
                            then coalesce(
                                'what its labels show looks like ' || sqlanon._with_article(looks_like),
                                'recoded: its class shares the value')
                            when role = 'masked' and looks_like = 'hash'
                            then 'a pseudonym: the same person has the same value in every release; '
                                 || uniqueness
                            when not is_unchanged or looks_like is null then uniqueness
                            else uniqueness || '; it looks like ' || sqlanon._with_article(looks_like)
                       end
                    || if(is_telling or is_accepted, '', coalesce('; ' || doubt, ''))
           end as reason
    from told order by place;

create or replace macro sqlanon.leaving_columns(
    release, qi, sensitive := null, masked := null, original := null, id := null, direct := null) as table
    from query(
        case when original is not null and id is null
             then error('original needs id: the column of it that says who somebody is')
             else sqlanon._checked(qi, sensitive, masked) end
        || {call _leaving_columns:
            relation := sqlanon._relation(release),
            original_relation := case when original is not null then sqlanon._relation(original) end}
        -- No rows, but an error where a column is not there.
        || sqlanon._fill($$
            union all by name
            select null::varchar as "column" from sqlanon._roles({=release}, {=qi}, {=sensitive}, {=masked})
            where false {direct}
        $$, map {
            'direct': if(len(sqlanon._list(direct)) = 0, '', sqlanon._fill($$
                union all by name select null::varchar as "column"
                from (select {each direct: {c}} from {relation}) where false
            $$, map {'relation': sqlanon._relation(release)}))}));

comment on macro table sqlanon.leaving_columns is $$
Lists the columns of a release: one row per column, in their order, with how it is released, what it looks
like (a name, an e-mail address), and a verdict: does the column itself identify people, so that classes do
not protect them?

Parameters:
- release (table): the release. All its columns are checked; a column without a role has the role keep.
- qi: as in classes
- sensitive (columns; default null): sensitive columns, which are released unchanged.
- masked (columns; default null): columns that are released as masks of their values.
- original (table; default null): the table of which the release was made. If given, the people who have a
  value are counted, not rows, and values are compared with the ids.
- id (column; default null): of the original, identifies the person of a row. Without the original: a column
  of this name fails.
- direct (columns; default null): columns that may identify people, because somebody has decided so for a
  reason.

Result:
- column (text): the name of the column.
- role (one of qi, sensitive, keep, masked): its role.
- how (one of recoded, unchanged, masked): how it is released.
- type (text): its type.
- distinct_values (integer): the number of different values, without NULL.
- unique_share (number, 0 to 1): of the rows with a value, the share whose value no other row has; with the
  original, of the values of people, the share that only one person has. NULL if no row has a value.
- looks_like (text): id of the targets, name, personal name, number, e-mail address, phone number, address,
  card number, IBAN, social security number, IP address, coordinate, URL, UUID, hash, free text; or NULL.
- verdict (text): holds, fails or not known. A column fails if it is released unchanged, is not in direct, and
  looks like one of these, or nine in ten rows have a value that no other row has. A quasi-identifier fails if
  the values in its labels look like one of these ({Ann, Bob}). A column also fails if its type lists values
  that no row has. Not known: values of its type are not checked.
- reason (text): why.

Errors: unknown column, a column in two roles, original without id.

Notes: the verdict is a guess from all different values and from names: holds does not prove that a column is
harmless. sql/judge/leaving_columns.sql lists the thresholds. Sensitive numbers may all be different. If the
only reason is that values do not repeat, a sensitive column or a mask fails from 20 rows on, a kept column
always.

Example:
from sqlanon.leaving_columns('people', qi := ['age', 'zip'], sensitive := 'disease');
$$;
