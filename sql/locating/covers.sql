-- Covers: which raw values a released value stands for.
--
-- An adversary reads a release as people do: `[20, 29]`, `[20, 30[`, `<30`, `>=40`, `20-29`, `130**`, `3*`,
-- `{a, b}`, `*`, the label of a hierarchy's node, or the value itself. A released text is parsed once into
-- what it says; then one value is compared with it (covers), or a whole domain of values at a time (_covered,
-- for locate).

-- A released value of any type as text: STRUCT(lo, hi) as [lo, hi], a LIST as {a, b}.
create or replace macro sqlanon._range_text(range) as
    '[' || coalesce(range.lo, 'NULL') || ', ' || coalesce(range.hi, 'NULL') || ']';
create or replace macro sqlanon._text_of_type(type_name, string) as
    case when type_name like 'STRUCT(lo %' or type_name like 'STRUCT("lo" %'
         then sqlanon._let(try_cast(string as struct(lo varchar, hi varchar)),
                           lambda range: sqlanon._range_text(range))
         when type_name like '%[]'
         then sqlanon._let(try_cast(string as varchar[]), lambda elements: sqlanon._set_text(elements))
         else string
    end;
create or replace macro sqlanon._released_text(released) as
    sqlanon._text_of_type(typeof(released), released::varchar);

-- The released texts of q1, q2, ..., a list: the text of an expression that is bound once, not for every
-- column.
create or replace macro sqlanon._released_texts(qi) as
    'list_transform(['
    || sqlanon._each(qi, 'struct_pack(type := typeof(q{i}), string := q{i}::varchar)', ', ')
    || '], lambda cell: sqlanon._text_of_type(cell.type, cell.string))';

-- A raw value as such a text, which says this value and nothing else.
create or replace macro sqlanon._raw_text(raw) as '{' || sqlanon._quote(raw::varchar) || '}';

-- What a released text says, by its form: any, interval, set, mask or value. Of an interval lo and hi are the
-- bounds as texts (NULL: unbounded, or NULL itself if with_null), and lo_open and hi_open tell whether these
-- are outside. A set has elements. The prefix of a mask is what is before its first star.
create or replace macro sqlanon._said(
    form, lo := null, hi := null, lo_open := false, hi_open := false, with_null := false, elements := null,
    prefix := null) as
    {'form': form, 'lo': lo::varchar, 'hi': hi::varchar, 'lo_open': lo_open, 'hi_open': hi_open,
     'with_null': with_null, 'elements': elements::varchar[], 'prefix': prefix::varchar};

-- {'lo': 20, 'hi': 29}
create or replace macro sqlanon._parsed_range(string) as
    sqlanon._let(try_cast(string as struct(lo varchar, hi varchar)), lambda range:
        sqlanon._said('interval', lo := range.lo, hi := range.hi, with_null := range.lo is null));

-- [20, 29], [20, 30[, ]20, 30], (20, 30]
create or replace macro sqlanon._parsed_interval(string) as
    sqlanon._said(
        'interval',
        lo := nullif(regexp_extract(string, '^[\[\](]\s*([^,]+?)\s*,', 1), 'NULL'),
        hi := nullif(regexp_extract(string, ',\s*([^,]+?)\s*[\[\])]$', 1), 'NULL'),
        lo_open := string[1] <> '[',
        hi_open := string[-1] <> ']',
        with_null := regexp_matches(string, '^\[\s*NULL\s*,'));

-- <30, >=40
create or replace macro sqlanon._parsed_comparison(string) as
    sqlanon._let(regexp_extract(string, '^[<>≤≥]=?\s*(.*)$', 1), lambda bound:
        case when string[1] in ('<', '≤')
             then sqlanon._said('interval', hi := bound, hi_open := not regexp_matches(string, '^(<=|≤)'))
             else sqlanon._said('interval', lo := bound, lo_open := not regexp_matches(string, '^(>=|≥)'))
        end);

-- 20-29
create or replace macro sqlanon._parsed_span(string) as
    sqlanon._said(
        'interval',
        lo := regexp_extract(string, '^(-?\d+(\.\d+)?)', 1),
        hi := regexp_extract(string, '^-?\d+(?:\.\d+)?\s*[-–]\s*(-?\d+(\.\d+)?)$', 1));

-- An element of a set: quoted ones without their quotes, NULL as NULL.
create or replace macro sqlanon._element_value(element) as
    case when element = 'NULL' then null
         when element like '"%"' then replace(element[2:-2], '""', '"')
         else element
    end;

-- {a, "b, c"}
create or replace macro sqlanon._parsed_elements(string) as
    list_transform(regexp_extract_all(string[2:-2], '\s*("(?:[^"]|"")*"|[^,]*[^,\s])', 1),
                   lambda element: sqlanon._element_value(element));

create or replace macro sqlanon._parsed(string) as
    sqlanon._let(sqlanon._form(string), lambda form:
        case form
            when 'any' then sqlanon._said('any', with_null := true)
            when 'range' then sqlanon._parsed_range(string)
            when 'interval' then sqlanon._parsed_interval(string)
            when 'comparison' then sqlanon._parsed_comparison(string)
            when 'span' then sqlanon._parsed_span(string)
            when 'set' then sqlanon._said('set', elements := sqlanon._parsed_elements(string))
            when 'list' then sqlanon._said('set', elements := try_cast(string as varchar[]))
            when 'mask' then sqlanon._said('mask', prefix := split_part(string, '*', 1))
            else sqlanon._said('value')
        end);

-- Each star of a mask stands for exactly one character.
create or replace macro sqlanon._fits(raw, mask) as
    length(raw) = length(mask)
    and raw like replace(regexp_replace(mask, '([\\%_])', '\\\1', 'g'), '*', '_') escape '\';

-- Has an interval bounds, or is it ]NULL, NULL], any value but NULL?
create or replace macro sqlanon._has_bounds(lo, hi, lo_open) as lo is not null or hi is not null or lo_open;

-- Is a key between the bounds of an interval, of which lo and hi are the keys?
create or replace macro sqlanon._is_within(said, key, lo, hi) as
    sqlanon._has_bounds(said.lo, said.hi, said.lo_open)
    and (said.lo is null or coalesce(lo < key or (lo = key and not said.lo_open), false))
    and (said.hi is null or coalesce(key < hi or (key = hi and not said.hi_open), false));

-- The keys of what is compared (sql/core/values.sql): raw, lo and hi by the kind as which the columns
-- compare, own_raw, own_lo and own_hi by the kind that raw itself has, and elements, or the text as the only
-- one, by the first kind. given: string (what is released) and raw, both texts; said (the parsed string);
-- kind; raw_kind.
create or replace macro sqlanon._keys_of_covers(given) as
    sqlanon._let(
        list_transform(
            list_transform(
                [given.raw, given.said.lo, given.said.hi], lambda text: {'text': text, 'kind': given.kind})
            || list_transform(
                [given.raw, given.said.lo, given.said.hi],
                lambda text: {'text': text, 'kind': given.raw_kind})
            || list_transform(
                coalesce(given.said.elements, [given.string]),
                lambda text: {'text': text, 'kind': given.kind}),
            lambda compared: sqlanon._bound_key(compared.text, compared.kind)),
        lambda keys: {
            'raw': keys[1], 'lo': keys[2], 'hi': keys[3],
            'own_raw': keys[4], 'own_lo': keys[5], 'own_hi': keys[6], 'elements': keys[7:]});

-- Does what is said cover the raw value? read: string, raw and said as above, and these keys.
create or replace macro sqlanon._covers(read) as
    (read.said.form <> 'set' and read.string is not distinct from read.raw)
    or case read.said.form
           when 'any' then true
           when 'interval'
           then case when read.raw is null then read.said.with_null
                     when read.keys.raw is not null
                     then sqlanon._is_within(read.said, read.keys.raw, read.keys.lo, read.keys.hi)
                     else sqlanon._is_within(read.said, read.keys.own_raw, read.keys.own_lo, read.keys.own_hi)
                end
           when 'set'
           then len(list_filter(
                    read.said.elements, lambda element: element is not distinct from read.raw)) > 0
                or coalesce(list_contains(read.keys.elements, read.keys.raw), false)
           when 'mask' then coalesce(sqlanon._fits(read.raw, read.string), false)
           else coalesce(read.keys.elements[1] = read.keys.raw, false)
       end;

-- Both sides of a comparison, as _keys_of_covers takes them.
create or replace macro sqlanon._compared_by_covers(released, raw, format) as
    sqlanon._let(sqlanon._as_given(sqlanon._released_text(released), format), lambda string: {
        'string': string,
        'said': sqlanon._parsed(string),
        'raw': raw::varchar,
        'raw_kind': sqlanon._kind(raw::varchar),
        'kind': sqlanon._common_kind(
            sqlanon._kind_of_type(typeof(raw)), sqlanon._kind_of_released(typeof(released)))});

create or replace macro sqlanon.covers(released, raw, labels := [], format := null) as
    sqlanon._let(
        sqlanon._let(sqlanon._compared_by_covers(released, raw, format), lambda given: {
            'string': given.string, 'said': given.said, 'raw': given.raw,
            'keys': sqlanon._keys_of_covers(given)}),
        lambda read:
            coalesce(list_contains(labels::varchar[], read.string), false) or sqlanon._covers(read));

comment on macro sqlanon.covers is $$
Does a released label cover a raw value, that is, does the label stand for a set that contains the value?
covers reads the labels of this library and common labels of other tools.

Parameters:
- released (value): a released label: a text, a number, a STRUCT(lo, hi) or a list.
- raw (value): a raw value.
- labels (list of texts; default []): the labels above raw in its hierarchy. A label that looks like an
  interval is read both as a label and as an interval; locate, which knows the whole hierarchy, lets the
  hierarchy decide.
- format (text; default null): how released is written: one of the formats of locate for one column.

Result:
- covers (boolean): true if released covers raw.

Notes: covers reads [20, 29], [20, 30[, ]20, 30], <30, >=40, 20-29, 130** and 3* (each star one character),
{a, b}, * and labels; also {'lo': 20, 'hi': 29} (a STRUCT that was written to a CSV file and read again), and
['a', 'b']. [NULL, 5] covers NULL, too, and ]NULL, NULL] any value but NULL. raw is never read as a label; a
raw value that looks like one of these is released as a set of one, {"*"}. Numbers and times are compared as
such if one of the two sides has such a type, everything else as text: the number 28 equals 28.0, the text 28
does not. Bounds are compared as numbers or times if they are such.

Example:
select sqlanon.covers('[20, 29]', 23) as covers;
$$;

-- A DOMAIN AT A TIME
--
-- The values of a domain are numbered in the order in which they compare. A label covers an interval of these
-- codes, a list of them, or what both have together.

-- A domain in codes: d (attribute), value (text), column_kind (as what the column compares, or NULL), kind
-- and key (see sql/core/values.sql), place (a number, of numbers and points in time), code. column_values: d,
-- value, column_kind.
create or replace macro sqlanon._values_in_codes(column_values) as table
    with kept as (
        select d, value, column_kind, coalesce(column_kind, sqlanon._kind(value)) as kind
        from query_table(column_values)
    ),
    keyed as (select *, sqlanon._key(value, kind) as own_key from kept),
    placed as (
        select d, value, column_kind,
               case when value is null then 0 when own_key is null then 3 else kind end as kind,
               coalesce(own_key, '3' || value) as key
        from keyed
    )
    select d, value, column_kind, kind, key,
           case when kind = 1 then try_cast(value as double)
                when kind in (2, 4) then epoch_us(try_cast(value as timestamp))::double end as place,
           (row_number() over (partition by d order by key nulls first, value) - 1)::integer as code
    from placed;

-- The same of a domain (d, value) and what is known of its columns (d, kind).
create or replace macro sqlanon._coded_domain(domain, column_kinds) as table
    with column_value as (
        select d, value, column_kind
        from query_table(domain)
        left join (select d, kind as column_kind from query_table(column_kinds)) using (d)
    )
    from sqlanon._values_in_codes('column_value');

-- What there is in each column: d, column_kind, values (how many), has_text (NULL where all is NULL), kinds
-- (a list of the kinds that there are, each with first_code and values; NULL is of none. The last is
-- column_kind once more, without these).
create or replace macro sqlanon._columns_of_domain(coded_domain) as table
    select d, any_value(column_kind) as column_kind, sum(values)::bigint as values,
           bool_or(kind = 3) filter (kind > 0) as has_text,
           coalesce(
               list({'kind': kind, 'first_code': first_code, 'values': values}) filter (kind > 0), [])
               || [{'kind': any_value(column_kind), 'first_code': null, 'values': null}] as kinds
    from (
        select d, kind, any_value(column_kind) as column_kind, min(code) as first_code, count(*) as values
        from query_table(coded_domain) group by d, kind
    )
    group by d;

-- Is nearly every value of a column a list, or the text of one, such as [flu, gout]?
create or replace macro sqlanon._are_lists(released) as
    coalesce(count(*) filter (regexp_full_match(released::varchar, '[\[{].+, .+[\]}]'))
             >= 0.9 * nullif(count(released), 0), false);

-- What labels say: d, label, and the fields of _said.
create or replace macro sqlanon._readings(labels) as table
    select d, label, unnest(parsed)
    from (select d, label, sqlanon._parsed(label) as parsed from query_table(labels));

-- The same, with what there is in the column of each label (see _columns_of_domain).
create or replace macro sqlanon._read_labels(labels, coded_domain) as table
    from sqlanon._readings(labels) left join sqlanon._columns_of_domain(coded_domain) using (d);

-- What the hierarchy says of a label, the values under it: d, label, value. hierarchy: a relation, or NULL.
-- names: d, name.
create or replace macro sqlanon._values_under(hierarchy, names) as table
    from query(sqlanon._fill(
        if(hierarchy is null,
           'select null::integer as d, null::varchar as label, null::varchar as value where false',
           $$select distinct names.d, hierarchy_row.label, hierarchy_row.value
             from {hierarchy} as hierarchy_row
             join {names} as names on lower(names.name) = lower(hierarchy_row.attribute)$$),
        map {'hierarchy': coalesce(hierarchy, ''), 'names': names}));

-- The parts of labels, a row each: d, label, string, kind, key (NULL: it is nothing of this kind). A label
-- stands for values one by one, which have the kind of their column (NULL: text): an interval for itself, if
-- a value is spelled so. The bounds of an interval (NULL: unbounded) are read as every kind that there is in
-- the column; they have is_upper, is_open, and first_code and values of the kind. readings: as in
-- _read_labels. (Keys are made here alone, as it takes long to plan them.)
create or replace macro sqlanon._parts_of_labels(readings) as table
    select *, sqlanon._bound_key(string, kind) as key
    from (
        select d, label, kind, first_code, values,
               unnest(if(is_bound, [lo, hi],
                         case when form = 'set' then elements
                              when form = 'interval' and with_null then [label, null]
                              else [label] end)) as string,
               unnest(if(is_bound, [false, true], [])) as is_upper,
               unnest(if(is_bound, [lo_open, hi_open], [])) as is_open
        from (
            select *, first_code is not null as is_bound
            from (
                select d, label, form, lo, hi, lo_open, hi_open, with_null, elements,
                       unnest(kinds, max_depth := 2)
                from query_table(readings) where form <> 'any'
            )
            where first_code is null
               or form = 'interval' and sqlanon._has_bounds(lo, hi, lo_open)
        )
    );

-- The codes of such values: d, label, code. They compare as their column does. label_values: d, label,
-- string, kind, key.
create or replace macro sqlanon._codes_of_values(label_values, coded_domain) as table
    select stated.d, label, code
    from (
        select d, label, if(kind is null, string, coalesce(key, '3' || string)) as compared
        from query_table(label_values)
    ) as stated
    join query_table(coded_domain) as domain
      on domain.d = stated.d
     and if(domain.column_kind is null, domain.value, domain.key) is not distinct from stated.compared;

-- The codes of each interval: d, label, kind, lo, hi. Each bound is placed among the values of its kind, and
-- the values below it are counted. An interval with a bound that is nothing of a kind has none of this kind.
create or replace macro sqlanon._interval_codes(coded_domain, label_parts) as table
    select d, label, kind,
           min(case when not is_upper then first_code + if(string is null, 0, below) end)::integer as lo,
           max(case when is_upper then first_code + if(string is null, values, below) - 1 end)::integer as hi
    from (
        select *, count(value) over (
                      partition by d, kind order by key, side rows unbounded preceding) as below
        from (
            select d, null as label, null as is_upper, null as string, kind, key, null as first_code,
                   null as values, 1 as side, value
            from query_table(coded_domain) where kind > 0
            union all
            select d, label, is_upper, string, kind, key, first_code, values,
                   if(is_upper = is_open, 0, 2), null
            from query_table(label_parts) where is_upper is not null
        )
    )
    group by d, label, kind
    having lo <= hi and count(string) = count(key);  -- lo and hi of what is no label are NULL

-- What masks cover: d, label, code. A mask is first looked up by its length and its beginning.
create or replace macro sqlanon._codes_by_mask(readings, coded_domain) as table
    with mask as (
        select d, label, length(label) as characters, prefix, length(prefix) as told
        from query_table(readings) where form = 'mask'
    ),
    beginning as (
        select d, code, value, characters, told, left(value, told) as prefix
        from (select *, length(value) as characters from query_table(coded_domain))
        join (select distinct d, characters, told from mask) using (d, characters)
    )
    select d, label, code
    from mask join beginning using (d, characters, told, prefix)
    where rtrim(label, '*') = prefix or sqlanon._fits(value, label);

-- What labels cover, a row per reason: d, label, lo and hi (codes: all in between). Parameters are relations
-- of _covered.
create or replace macro sqlanon._covered_pieces(readings, coded_domain, label_parts) as table
    with label_value as (from query_table(label_parts) where is_upper is null)
    select d, label, 0 as lo, (values - 1)::integer as hi from query_table(readings)
    where form = 'any' and values > 0  -- a column may have none
    union all
    select d, label, lo, hi from sqlanon._interval_codes(coded_domain, label_parts)
    union all
    select d, label, code, code from sqlanon._codes_of_values('label_value', coded_domain)
    union all
    select d, label, code, code from sqlanon._codes_by_mask(readings, coded_domain);

-- The same with a hierarchy. Where it knows both a label and a value, it alone decides: its 60-64 may stand
-- for other numbers.
create or replace macro sqlanon._pieces_by_hierarchy(covered_pieces, coded_domain, values_under) as table
    with label_value as (
        select d, label, value as string, column_kind as kind, sqlanon._key(value, column_kind) as key
        from query_table(values_under) join sqlanon._columns_of_domain(coded_domain) using (d)
    ),
    told as materialized (
        select distinct d, label, code from sqlanon._codes_of_values('label_value', coded_domain)
    )
    select d, label, coalesce(code, lo) as lo, coalesce(code, hi) as hi
    from (
        select d, label, lo, hi, unnest(if(is_known, range(lo, hi + 1), [null]))::integer as code
        from query_table(covered_pieces)
        left join (
            select distinct d, label, true as is_known from query_table(values_under) where label <> '*'
        ) using (d, label)
    )
    anti join (select d, code from told where label is not null) using (d, code)
    union all
    select d, label, code, code from told where label is distinct from '*';

-- Such rows as one per label: d, label, lo, hi, members. A text that can be read in two ways (as an interval,
-- and as what it is) covers what either covers.
create or replace macro sqlanon._merged_covers(covered_pieces) as table
    select d, label, lo, hi, case when len(members) <= hi - lo then members end as members
    from (
        select d, label, min(lo)::integer as lo, max(hi)::integer as hi,
               case when count(*) > 1
                    then list_sort(list_distinct(
                        list(lo)
                        || coalesce(flatten(list(range(lo + 1, hi + 1)::integer[]) filter (lo < hi)), [])))
               end as members
        from query_table(covered_pieces) group by d, label
    );

-- The same from the rows as labels alone tell them. values_under: as in _values_under, or NULL.
create or replace macro sqlanon._covered_by_pieces(covered_pieces, coded_domain, values_under) as table
    with decided as (
        from query(if(values_under is null, 'from ' || covered_pieces, {call _pieces_by_hierarchy: }))
    )
    from sqlanon._merged_covers('decided');

-- Which values of a domain each label covers, a row per label that covers anything: d, label, lo and hi
-- (codes), members (the codes in between that are covered, NULL where all are). labels: d, label.
-- coded_domain: as in _coded_domain. hierarchy: as everywhere, or NULL. names: d, name.
create or replace macro sqlanon._covered(labels, coded_domain, hierarchy, names) as table
    with reading as materialized (from sqlanon._read_labels(labels, coded_domain)),
    part as materialized (from sqlanon._parts_of_labels('reading')),
    piece as (from sqlanon._covered_pieces('reading', coded_domain, 'part')),
    under as materialized (from sqlanon._values_under(hierarchy, names))
    from sqlanon._covered_by_pieces('piece', coded_domain, sqlanon._if_any(hierarchy, 'under'));
