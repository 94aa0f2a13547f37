-- Covers: which raw values a released value stands for.
--
-- An adversary reads a release as people do: `[20, 29]`, `[20, 30[`, `<30`, `>=40`, `20-29`, `130**`, `3*`, `{a, b}`, `*`, the label of a
-- hierarchy's node, or the value itself. A released text is parsed once into what it says; then one value is compared with it
-- (covers), or a whole domain of values at a time (_covered, for locate).

-- A released value of any type as text: STRUCT(lo, hi) as [lo, hi], a LIST as {a, b}.
create or replace macro sqlanon._released_text(released) as
    case when typeof(released) like 'STRUCT(lo %' or typeof(released) like 'STRUCT("lo" %'
         then regexp_replace(released::varchar, '^\{''?lo''?: ''?(.*?)''?, ''?hi''?: ''?(.*?)''?\}$', '[\1, \2]')
         when typeof(released) like '%[]' then list_transform([try_cast(released::varchar as varchar[])], lambda elements: sqlanon._set_text(elements))[1]
         else released::varchar
    end;

-- Texts compare as numbers where both are, else as points in time where both are, else as text. The kind (0 is NULL) and the
-- place within the kind of a value:
create or replace macro sqlanon._kind(string) as
    case when string is null then 0
         when try_cast(string as double) is not null then 1
         when try_cast(string as timestamp) is not null then 2
         else 3
    end;
create or replace macro sqlanon._place(string) as
    coalesce(try_cast(string as double), epoch_us(try_cast(string as timestamp))::double, 0);

-- 28 and 28.0 are one number in two spellings, and a date has several spellings too; but the texts 28 and 28.0 are two texts (codes of
-- diseases, say). Can a raw value of this type be spelled otherwise? If so, equal points are the same value. A point is a kind and
-- a place, where a DOUBLE is exact; else NULL.
create or replace macro sqlanon._is_respelled(type_name) as
    regexp_matches(type_name, '^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|DECIMAL.*|FLOAT|DOUBLE|BIGNUM|VARINT|DATE|TIMESTAMP.*)$');
create or replace macro sqlanon._point(string) as
    case when sqlanon._kind(string) in (1, 2) and abs(sqlanon._place(string)) < 9007199254740992
         then {'kind': sqlanon._kind(string), 'place': sqlanon._place(string)}
    end;

-- An element of a set: quoted ones without their quotes, NULL as NULL.
create or replace macro sqlanon._element_value(element) as
    case when element = 'NULL' then null
         when element like '"%"' then replace(element[2:-2], '""', '"')
         else element
    end;

-- What a released text says: form, lo and hi (texts; NULL: unbounded, or NULL itself if with_null) and whether these are open, elements,
-- prefix (of a mask, up to its first star).
create or replace macro sqlanon._parsed(string) as
    case
        when string = '*' then {'form': 'any', 'lo': null, 'hi': null, 'lo_open': false, 'hi_open': false, 'with_null': true, 'elements': null::varchar[], 'prefix': null}
        when regexp_matches(string, '^[\[\](]\s*[^,]+?\s*,\s*[^,]+?\s*[\[\])]$')
        then {'form': 'interval',
              'lo': nullif(regexp_extract(string, '^[\[\](]\s*([^,]+?)\s*,', 1), 'NULL'),
              'hi': nullif(regexp_extract(string, ',\s*([^,]+?)\s*[\[\])]$', 1), 'NULL'),
              'lo_open': string[1] <> '[', 'hi_open': string[-1] <> ']',
              'with_null': regexp_matches(string, '^\[\s*NULL\s*,'), 'elements': null, 'prefix': null}
        when regexp_matches(string, '^(<=|<|≤)\s*\S') and sqlanon._kind(regexp_extract(string, '^[<≤=]+\s*(.*)$', 1)) in (1, 2)
        then {'form': 'interval', 'lo': null, 'hi': regexp_extract(string, '^[<≤=]+\s*(.*)$', 1), 'lo_open': false,
              'hi_open': not regexp_matches(string, '^(<=|≤)'), 'with_null': false, 'elements': null, 'prefix': null}
        when regexp_matches(string, '^(>=|>|≥)\s*\S') and sqlanon._kind(regexp_extract(string, '^[>≥=]+\s*(.*)$', 1)) in (1, 2)
        then {'form': 'interval', 'lo': regexp_extract(string, '^[>≥=]+\s*(.*)$', 1), 'hi': null,
              'lo_open': not regexp_matches(string, '^(>=|≥)'), 'hi_open': false, 'with_null': false, 'elements': null, 'prefix': null}
        when regexp_matches(string, '^-?\d+(\.\d+)?\s*[-–]\s*-?\d+(\.\d+)?$')
        then {'form': 'interval', 'lo': regexp_extract(string, '^(-?\d+(\.\d+)?)', 1),
              'hi': regexp_extract(string, '^-?\d+(?:\.\d+)?\s*[-–]\s*(-?\d+(\.\d+)?)$', 1),
              'lo_open': false, 'hi_open': false, 'with_null': false, 'elements': null, 'prefix': null}
        when string[1] = '{' and string[-1] = '}'
        then {'form': 'set', 'lo': null, 'hi': null, 'lo_open': false, 'hi_open': false, 'with_null': false,
              'elements': list_transform(regexp_extract_all(string[2:-2], '\s*("(?:[^"]|"")*"|[^,]*[^,\s])', 1),
                                         lambda element: sqlanon._element_value(element)), 'prefix': null}
        when contains(string, '*')
        then {'form': 'mask', 'lo': null, 'hi': null, 'lo_open': false, 'hi_open': false, 'with_null': false, 'elements': null,
              'prefix': split_part(string, '*', 1)}
        else {'form': 'value', 'lo': null, 'hi': null, 'lo_open': false, 'hi_open': false, 'with_null': false, 'elements': null, 'prefix': null}
    end;

-- Is text a below text b (or no higher, if or_equal)?
create or replace macro sqlanon._below(a, b, or_equal) as
    case when sqlanon._kind(a) <> sqlanon._kind(b) then false
         when sqlanon._kind(a) = 3 then a < b or (or_equal and a = b)
         else sqlanon._place(a) < sqlanon._place(b) or (or_equal and sqlanon._place(a) = sqlanon._place(b))
    end;

-- Each star of a mask stands for exactly one character.
create or replace macro sqlanon._fits(raw, mask) as
    length(raw) = length(mask) and raw like replace(regexp_replace(mask, '([\\%_])', '\\\1', 'g'), '*', '_') escape '\';

create or replace macro sqlanon._covers(string, parsed, raw, point) as
    string is not distinct from raw
    or case parsed.form
           when 'any' then true
           when 'interval' then
               case when raw is null then parsed.with_null
                    else (parsed.lo is not null or parsed.hi is not null)
                         and (parsed.lo is null or coalesce(sqlanon._below(parsed.lo, raw, not parsed.lo_open), false))
                         and (parsed.hi is null or coalesce(sqlanon._below(raw, parsed.hi, not parsed.hi_open), false))
               end
           when 'set' then len(list_filter(parsed.elements, lambda element:
                               element is not distinct from raw or coalesce(sqlanon._point(element) = point, false))) > 0
           when 'mask' then coalesce(sqlanon._fits(raw, string), false)
           else coalesce(sqlanon._point(string) = point, false)
       end;

-- (A list of one and a lambda give a name to what would otherwise be written out, and worked out, wherever it is used.)
create or replace macro sqlanon.covers(released, raw, labels := []) as
    case when typeof(released) = 'VARCHAR' and released::varchar is not distinct from raw::varchar then true
         else list_transform([sqlanon._released_text(released)], lambda string:
             coalesce(list_contains(labels::varchar[], string), false)
             or list_transform([sqlanon._parsed(string)], lambda parsed:
                 sqlanon._covers(string, parsed, raw::varchar,
                                 case when sqlanon._is_respelled(typeof(raw)) then sqlanon._point(raw::varchar) end))[1])[1]
    end;

comment on macro sqlanon.covers is
    'Does a released value cover a raw value? Reads both recodings of this library and what others publish: [20, 29], [20, 30[, ]20, 30], <30, >=40, 20-29, 130** and 3* (each star one character), {a, b}, *, and the labels above raw in its hierarchy, given as a list (a label that looks like an interval is read as both; locate, which knows the whole hierarchy, lets that decide). Numbers and dates compare as such, everything else as text; a raw 28 that is a number is 28.0 too, a text is not.';

-- Which values of a domain each released text covers. labels: d (attribute), label; domain: d, value (text); hierarchies: as everywhere,
-- with names: d, name. One row per label that covers anything: d, label, lo and hi (codes), members (the codes in between that are
-- covered, NULL where all are). Codes number the domain in the order in which values compare. respelled: the d of attributes whose
-- values can be spelled otherwise.
create or replace macro sqlanon._coded_domain(domain, respelled) as table
    select d, value, sqlanon._kind(value) as kind, sqlanon._place(value) as place,
           case when d in (select d from query_table(respelled)) then sqlanon._point(value) end as point,
           (row_number() over (partition by d order by sqlanon._kind(value), sqlanon._place(value), value) - 1)::integer as code
    from query_table(domain);

create or replace macro sqlanon._covered(labels, coded_domain, hierarchy, names) as table
    with reading as materialized (
        select d, label, parsed.form, parsed.lo, parsed.hi, parsed.lo_open, parsed.hi_open, parsed.with_null, parsed.elements, parsed.prefix
        from (select d, label, sqlanon._parsed(label) as parsed from query_table(labels))
    ),
    domain as (select * from query_table(coded_domain)),

    -- An interval is an interval of codes: each bound is placed among the values of its kind, and the values below it are counted.
    bound as (
        select d, label, is_upper, string, is_open, greatest(sqlanon._kind(lo), sqlanon._kind(hi)) as kind
        from (select d, label, lo, hi, unnest([false, true]) as is_upper, unnest([lo, hi]) as string,
                     unnest([lo_open, hi_open]) as is_open
              from reading where form = 'interval' and (sqlanon._kind(lo) = sqlanon._kind(hi) or lo is null or hi is null))
    ),
    placed as (
        select d, label, is_upper, string is null as unbounded, kind,
               count(value) over (partition by d, kind order by place, case when kind = 3 then string end, side
                                  rows unbounded preceding) as below
        from (
            select d, null as label, null as is_upper, value as string, kind, place, 1 as side, value from domain where kind > 0
            union all
            select d, label, is_upper, string, kind, sqlanon._place(string) as place,
                   case when is_upper = is_open then 0 else 2 end as side, null as value
            from bound
        )
    ),
    first_code as (select d, kind, min(code) as first_code, count(*) as values from domain group by d, kind),
    interval_cover as (
        select placed.d, label,
               min(case when not is_upper then first_code + case when unbounded then 0 else below end end)::integer as lo,
               max(case when is_upper then first_code + case when unbounded then values else below end - 1 end)::integer as hi
        from placed join first_code using (d, kind) where label is not null group by placed.d, label
    ),

    -- What the hierarchy says of a label: the values under it. (A value covers itself, whatever a hierarchy says.)
    above as (
        select distinct names.d, hierarchy_row.label, hierarchy_row.value
        from query_table(hierarchy) as hierarchy_row join query_table(names) as names on lower(names.name) = lower(hierarchy_row.attribute)
    ),
    element as (
        select d, label, label as value, true as by_hierarchy from reading
        union
        select d, label, unnest(elements) as value, false as by_hierarchy from reading where form = 'set'
        union
        select d, label, null as value, false as by_hierarchy from reading where with_null and form = 'interval'
        union
        select d, label, value, true as by_hierarchy from above
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
        from (select d, label, by_hierarchy, sqlanon._point(value) as point from element) join domain using (d, point)
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
