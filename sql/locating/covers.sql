-- Covers: which raw values a released value stands for.
--
-- An adversary reads a release as people do: `[20, 29]`, `[20, 30[`, `<30`, `>=40`, `20-29`, `130**`, `3*`, `{a, b}`, `*`, the label of a
-- hierarchy's node, or the value itself. A released text is parsed once into what it says; then one value is compared with it
-- (covers), or a whole domain of values at a time (_covered, for locate).

-- A released value of any type as text: STRUCT(lo, hi) as [lo, hi], a LIST as {a, b}.
create or replace macro sqlanon._range_text(range) as '[' || coalesce(range.lo, 'NULL') || ', ' || coalesce(range.hi, 'NULL') || ']';
create or replace macro sqlanon._released_text(released) as
    case when typeof(released) like 'STRUCT(lo %' or typeof(released) like 'STRUCT("lo" %'
         then list_transform([try_cast(released::varchar as struct(lo varchar, hi varchar))], lambda range: sqlanon._range_text(range))[1]
         when typeof(released) like '%[]' then list_transform([try_cast(released::varchar as varchar[])], lambda elements: sqlanon._set_text(elements))[1]
         else released::varchar
    end;

-- A raw value as such a text, which says this value and nothing else.
create or replace macro sqlanon._raw_text(raw) as '{' || sqlanon._quote(raw::varchar) || '}';

-- An element of a set: quoted ones without their quotes, NULL as NULL.
create or replace macro sqlanon._element_value(element) as
    case when element = 'NULL' then null
         when element like '"%"' then replace(element[2:-2], '""', '"')
         else element
    end;

-- What a released text says: form (any, interval, set, mask or value), lo and hi (texts; NULL: unbounded, or NULL itself if with_null) and whether
-- these are open, elements, prefix (of a mask, up to its first star).
create or replace macro sqlanon._said(form, lo, hi, lo_open, hi_open, with_null, elements, prefix) as
    {'form': form, 'lo': lo::varchar, 'hi': hi::varchar, 'lo_open': lo_open, 'hi_open': hi_open, 'with_null': with_null,
     'elements': elements::varchar[], 'prefix': prefix::varchar};
create or replace macro sqlanon._parsed(string) as
    list_transform([sqlanon._form(string)], lambda form: case form
        when 'any' then sqlanon._said('any', null, null, false, false, true, null, null)
        when 'range'
        then list_transform([try_cast(string as struct(lo varchar, hi varchar))], lambda range:
                 sqlanon._said('interval', range.lo, range.hi, false, false, range.lo is null, null, null))[1]
        when 'interval'
        then sqlanon._said('interval', nullif(regexp_extract(string, '^[\[\](]\s*([^,]+?)\s*,', 1), 'NULL'),
                           nullif(regexp_extract(string, ',\s*([^,]+?)\s*[\[\])]$', 1), 'NULL'),
                           string[1] <> '[', string[-1] <> ']', regexp_matches(string, '^\[\s*NULL\s*,'), null, null)
        when 'comparison'
        then list_transform([regexp_extract(string, '^[<>≤≥]=?\s*(.*)$', 1)], lambda bound:
                 case when string[1] in ('<', '≤') then sqlanon._said('interval', null, bound, false, not regexp_matches(string, '^(<=|≤)'), false, null, null)
                      else sqlanon._said('interval', bound, null, not regexp_matches(string, '^(>=|≥)'), false, false, null, null)
                 end)[1]
        when 'span'
        then sqlanon._said('interval', regexp_extract(string, '^(-?\d+(\.\d+)?)', 1),
                           regexp_extract(string, '^-?\d+(?:\.\d+)?\s*[-–]\s*(-?\d+(\.\d+)?)$', 1), false, false, false, null, null)
        when 'set'
        then sqlanon._said('set', null, null, false, false, false,
                           list_transform(regexp_extract_all(string[2:-2], '\s*("(?:[^"]|"")*"|[^,]*[^,\s])', 1),
                                          lambda element: sqlanon._element_value(element)), null)
        when 'list' then sqlanon._said('set', null, null, false, false, false, try_cast(string as varchar[]), null)
        when 'mask' then sqlanon._said('mask', null, null, false, false, false, null, split_part(string, '*', 1))
        else sqlanon._said('value', null, null, false, false, false, null, null)
    end)[1];

-- Each star of a mask stands for exactly one character.
create or replace macro sqlanon._fits(raw, mask) as
    length(raw) = length(mask) and raw like replace(regexp_replace(mask, '([\\%_])', '\\\1', 'g'), '*', '_') escape '\';

-- The kind of a value in a column: the column's, where it is one of these; NULL is 0.
create or replace macro sqlanon._kind_in(string, kind) as
    case when kind is null or string is null then sqlanon._kind(string) when sqlanon._key_of(string, kind) is not null then kind else 3 end;

-- Does what is said cover the raw value? read: string and raw (texts), said (parsed), kind (as what the columns compare), keys (of raw, lo and hi: as of this
-- kind, then as of that which raw itself has; then as of this kind those of the elements, or of string).
create or replace macro sqlanon._covers(read) as
    (read.said.form <> 'set' and read.string is not distinct from read.raw)
    or case read.said.form
           when 'any' then true
           when 'interval' then
               case when read.raw is null then read.said.with_null
                    when read.keys[1] is not null then sqlanon._is_within(read.said, read.keys[1], read.keys[2], read.keys[3])
                    else sqlanon._is_within(read.said, read.keys[4], read.keys[5], read.keys[6])
               end
           when 'set' then len(list_filter(read.said.elements, lambda element: element is not distinct from read.raw)) > 0
                           or coalesce(list_contains(read.keys[7:], read.keys[1]), false)
           when 'mask' then coalesce(sqlanon._fits(read.raw, read.string), false)
           else coalesce(read.keys[7] = read.keys[1], false)
       end;
create or replace macro sqlanon._is_within(said, key, lo, hi) as
    (said.lo is not null or said.hi is not null)
    and (said.lo is null or coalesce(lo < key or (lo = key and not said.lo_open), false))
    and (said.hi is null or coalesce(key < hi or (key = hi and not said.hi_open), false));

-- (Lists of one and lambdas give names to what would otherwise be written out, and worked out, wherever it is used.)
create or replace macro sqlanon.covers(released, raw, labels := []) as
    list_transform([list_transform([list_transform([sqlanon._released_text(released)], lambda string: {
        'string': string, 'said': sqlanon._parsed(string), 'raw': raw::varchar, 'raw_kind': sqlanon._kind(raw::varchar),
        'kind': sqlanon._common_kind(sqlanon._kind_of_type(typeof(raw)), sqlanon._kind_of_released(typeof(released)))})[1]], lambda given: {
        'string': given.string, 'said': given.said, 'raw': given.raw,
        'keys': list_transform(
            list_transform([given.raw, given.said.lo, given.said.hi], lambda text: {'text': text, 'kind': given.kind})
            || list_transform([given.raw, given.said.lo, given.said.hi], lambda text: {'text': text, 'kind': given.raw_kind})
            || list_transform(coalesce(given.said.elements, [given.string]), lambda text: {'text': text, 'kind': given.kind}),
            lambda one: sqlanon._bound_key(one.text, one.kind))})[1]],
        lambda read: coalesce(list_contains(labels::varchar[], read.string), false) or sqlanon._covers(read))[1];

comment on macro sqlanon.covers is $$
Does a released value cover a raw value? It reads what this library releases, and what others publish.

Parameters:
- released (value): a released value, of a text, a number, a STRUCT(lo, hi) or a list.
- raw (value): a raw value.
- labels (list of texts; default []): the labels above raw in its hierarchy. A label that looks like an
  interval is read as both; locate, which knows the whole hierarchy, lets that decide.

Result:
- covers (boolean): does it?

Notes: it reads [20, 29], [20, 30[, ]20, 30], <30, >=40, 20-29, 130** and 3* (each star one character), {a,
b}, * and labels; also {'lo': 20, 'hi': 29}, as which a STRUCT comes back from a CSV file, and ['a', 'b'].
What looks like one of these and is a value is released as a set of one, {"*"}: raw is never read. Numbers and
points in time compare as such where one of both sides is of such a type, everything else as text: a raw 28
that is a number is 28.0 too, a text is not. Bounds compare as numbers or points in time where they are.

Example:
select sqlanon.covers('[20, 29]', 23) as covers;
$$;

-- Which values of a domain each released text covers. labels: d (attribute), label; domain: d, value (text); hierarchies: as everywhere,
-- with names: d, name. One row per label that covers anything: d, label, lo and hi (codes), members (the codes in between that are
-- covered, NULL where all are). Codes number the domain in the order in which values compare. column_kinds: d, kind (as what the column compares, or NULL).
create or replace macro sqlanon._coded_domain(domain, column_kinds) as table
    with kept as (
        select d, value, column_kind, coalesce(column_kind, sqlanon._kind(value)) as kind
        from query_table(domain) left join (select d, kind as column_kind from query_table(column_kinds)) using (d)
    ),
    keyed as (select *, sqlanon._key(value, kind) as own_key from kept),
    placed as (
        select d, value, column_kind, case when value is null then 0 when own_key is null then 3 else kind end as kind, coalesce(own_key, '3' || value) as key
        from keyed
    )
    select d, value, column_kind, kind, key,
           case when kind = 1 then try_cast(value as double) when kind in (2, 4) then epoch_us(try_cast(value as timestamp))::double end as place,
           (row_number() over (partition by d order by key nulls first, value) - 1)::integer as code
    from placed;

create or replace macro sqlanon._covered(labels, coded_domain, hierarchy, names) as table
    with reading as materialized (
        select d, label, parsed.form, parsed.lo, parsed.hi, parsed.lo_open, parsed.hi_open, parsed.with_null, parsed.elements, parsed.prefix
        from (select d, label, sqlanon._parsed(label) as parsed from query_table(labels))
    ),
    domain as (select * from query_table(coded_domain)),

    -- What the hierarchy says of a label: the values under it. (A value covers itself, where no hierarchy says otherwise.)
    above as (
        select distinct names.d, hierarchy_row.label, hierarchy_row.value
        from query_table(hierarchy) as hierarchy_row join query_table(names) as names on lower(names.name) = lower(hierarchy_row.attribute)
    ),
    element as (
        select d, label, label as value, false as by_hierarchy from reading where form <> 'set'
        union
        select d, label, unnest(elements) as value, false as by_hierarchy from reading where form = 'set'
        union
        select d, label, null as value, false as by_hierarchy from reading where with_null and form = 'interval'
        union
        select d, label, value, true as by_hierarchy from above
    ),

    -- What bounds and elements are among the values of a column: bounds are read as each kind that there is.
    first_code as (select d, kind, min(code) as first_code, count(*) as values from domain where kind > 0 group by d, kind),
    limit_text as (
        select d, label, is_upper, string, is_open, kind
        from (select d, label, unnest([false, true]) as is_upper, unnest([lo, hi]) as string, unnest([lo_open, hi_open]) as is_open
              from reading where form = 'interval' and (lo is not null or hi is not null))
        join first_code using (d)
    ),
    typed as (select distinct d, column_kind as kind from domain where column_kind is not null),
    spelled as materialized (
        select string, kind, sqlanon._bound_key(string, kind) as key
        from (select string, kind from limit_text where string is not null union select value, kind from element join typed using (d) where value is not null)
    ),
    bound as (select limit_text.*, key from limit_text left join spelled using (string, kind)),

    -- An interval is an interval of codes: each bound is placed among the values of its kind, and the values below it are counted.
    placed as (
        select d, label, is_upper, unbounded, kind, count(value) over (partition by d, kind order by key, side rows unbounded preceding) as below
        from (
            select d, null as label, null as is_upper, null as unbounded, kind, key, 1 as side, value from domain where kind > 0
            union all
            select d, label, is_upper, string is null, kind, key, case when is_upper = is_open then 0 else 2 end, null
            from bound anti join (select d, label, kind from bound where string is not null and key is null) using (d, label, kind)
        )
    ),
    interval_cover as (
        select placed.d, label, kind,
               min(case when not is_upper then first_code + case when unbounded then 0 else below end end)::integer as lo,
               max(case when is_upper then first_code + case when unbounded then values else below end - 1 end)::integer as hi
        from placed join first_code using (d, kind) where label is not null group by placed.d, label, kind
    ),

    -- Anything else is a list of values, found by equality.
    mask as (
        select d, label, length(label) as characters, prefix, length(prefix) as told from reading where form = 'mask'
    ),
    beginning as (
        select d, code, value, characters, told, left(value, told) as prefix
        from (select *, length(value) as characters from domain) join (select distinct d, characters, told from mask) using (d, characters)
    ),
    found as (
        select element.d, label, code, by_hierarchy
        from element join domain on domain.d = element.d and domain.value is not distinct from element.value
        union
        select d, label, code, by_hierarchy
        from (select d, label, by_hierarchy, key from element join typed using (d) join spelled on string = value and spelled.kind = typed.kind)
        join domain using (d, key)
        union
        select d, label, code, false as by_hierarchy
        from mask join beginning using (d, characters, told, prefix) where rtrim(label, '*') = prefix or sqlanon._fits(value, label)
        union
        select d, label, unnest(range(lo, hi + 1))::integer as code, false as by_hierarchy
        from interval_cover semi join above using (d, label)
    ),

    -- Where the hierarchy knows both a label and a value, it alone decides: its 60-64 may stand for other numbers.
    listed as (
        select distinct d, label, code
        from found
        left join (select distinct d, label, true as known_label from above) as known using (d, label)
        left join (select distinct d, code, true as known_value from found semi join above using (d, label) where by_hierarchy) as known_code using (d, code)
        where by_hierarchy or known_label is null or known_value is null
    ),
    cover as (
        select d, label, lo, hi, null::integer[] as members from interval_cover anti join above using (d, label) where lo <= hi
        union all
        select d, label, min(code) as lo, max(code) as hi,
               case when count(*) <= max(code) - min(code) then list_sort(list(code)) end as members
        from listed where label is distinct from '*' group by d, label
        union all
        select d, label, 0 as lo, values - 1 as hi, null as members
        from reading join (select d, count(*) as values from domain group by d) using (d) where form = 'any'
    ),

    -- A text that can be read in two ways (as an interval, and as what it is) covers what either covers.
    merged as (
        select d, label, min(lo)::integer as lo, max(hi)::integer as hi,
               case when count(*) = 1 then any_value(members)
                    else list_sort(list_distinct(flatten(list(coalesce(members, range(lo, hi + 1)::integer[])))))
               end as members
        from cover group by d, label
    )
    select d, label, lo, hi, case when len(members) <= hi - lo then members end as members from merged;
