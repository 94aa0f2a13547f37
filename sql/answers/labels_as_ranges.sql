-- What the labels of a release may stand for, as questions are answered by it: read once, before the first
-- question.
--
-- Nothing but the release is read, and what is declared of its columns. A label that nobody can read stands
-- for anything. So does that of suppressed rows, which is * and code 0 in every dimension.
--
-- Numbers, dates (days) and times (microseconds) are places on a line, and parts of labels are ranges from lo
-- to hi, which both belong to it: after an open bound comes the next whole number, or the next number of type
-- DOUBLE. Texts are listed, a row for each value.

-- Rows of a release for questions, equal ones once: c1, c2, ... (codes of labels), m1, m2, ... (measures), n,
-- is_suppressed. labels: of the dimensions, as below. With person (whose a row is) or people (how many its
-- class, by qi, has) also unit (a number of the person or the class), people (of it), unit_rows.
create or replace macro sqlanon._rows_for_questions(
    release, labels, dimensions, measures, person, people, qi, suppressed_rows) as table
    from query(sqlanon._fill($$
        with labelled as (select {texts}{numbers}{units} from {rows})
        select {codes}{each measures: , m{i}}{unit}, count(*) as n, false as is_suppressed
        from labelled {joins} group by all
        union all
        select {each dimensions: 0}{each measures: , null}{no_unit}, {suppressed_rows}, true
    $$, map {
        'units': if(coalesce(person, people) is null, '', sqlanon._fill($$
            , dense_rank() over (order by {keys}) as unit, {number} as people,
            count(*) over (partition by {keys}) as unit_rows
        $$, map {
            'keys': coalesce(sqlanon._quote(person), sqlanon._each(qi, '{c}', ', ')),
            'number': coalesce('(' || sqlanon._quote(person) || ' is not null)::bigint',
                               'try_cast(' || sqlanon._quote(people) || ' as bigint)', '')})),
        'unit': if(coalesce(person, people) is null, '', ', unit, people, unit_rows'),
        'no_unit': if(coalesce(person, people) is null, '', ', null, null, null'),
        'rows': sqlanon._relation(release),
        'suppressed_rows': suppressed_rows::varchar,
        'texts': sqlanon._each(dimensions, 'sqlanon._released_text({c}) as t{i}', ', '),
        'numbers': sqlanon._each(measures, ', try_cast({c} as double) as m{i}', ''),
        'codes': sqlanon._each(dimensions, 'd{i}.code as c{i}', ', '),
        'joins': sqlanon._each_filled(
            dimensions, $$join {labels} as d{i}
              on d{i}.d = {i} and d{i}.code > 0 and d{i}.released is not distinct from t{i}$$,
            map {'labels': labels}, ' ')}));

-- Classes (by qi) that do not say how many people they have: one number, from 1 to that of their rows.
create or replace macro sqlanon._classes_with_other_people(release, qi, people) as table
    from query(sqlanon._fill($$
        select 1 as wrong from {rows} group by {each qi: {c}}
        having not coalesce(min(try_cast({people} as bigint)) >= 1 and max({people}) <= count(*)
                            and min({people}) = max({people}) and count({people}) = count(*), false)
        limit 1
    $$, map {'rows': sqlanon._relation(release), 'people': sqlanon._quote(people)}));

-- The labels of the dimensions of a release, with what is declared of these (d, kind, is_generalized): d,
-- code (from 1), released, label, said (what a label of several values says). missing: as what a missing
-- value is read in a column that is generalized.
create or replace macro sqlanon._labels_for_questions(release, dimensions, declared, missing) as table
    with released as (
        select distinct d, released
        from query(sqlanon._fill($$
            select unnest([{each dimensions: {i}}]) as d,
                   unnest([{each dimensions: sqlanon._released_text({c})}]) as released
            from {rows}
        $$, map {'rows': sqlanon._relation(release)}))
    ),
    label as (
        select d, (row_number() over (partition by d order by released nulls first))::integer as code,
               released, if(is_generalized, coalesce(released, missing), released) as label, kind,
               is_generalized
        from released join query_table(declared) using (d)
        union all
        select d, 0, null, '*', kind, true from query_table(declared)
    )
    select *, if(is_generalized and label is not null, sqlanon._parsed(label), null) as said from label;

-- A number of a text, if DOUBLE has it (as no text of 18 digits); whatever is no number is after all others.
create or replace macro sqlanon._exact_number(string) as
    if(length(regexp_replace(string, '\D', '', 'g')) <= 17,
       if(isnan(try_cast(string as double)), 'inf'::double, try_cast(string as double)), null);

-- A text as a place on the line of a kind: integer, number, date or timestamp; NULL if it is none.
create or replace macro sqlanon._place_of_text(string, kind) as
    case kind
        when 'number' then sqlanon._exact_number(string)
        when 'integer' then
            case when abs(try_cast(string as double)) <= 9007199254740992
                  and try_cast(string as double) = try_cast(string as bigint)
                 then try_cast(string as double) end
        when 'date' then
            case when isfinite(try_cast(string as date))
                 then datediff('day', date '1970-01-01', try_cast(string as date))::double end
        else case when isfinite(try_cast(string as timestamp))
                  then epoch_us(try_cast(string as timestamp))::double end
    end;

-- The labels of unchanged columns that are not of the type that is said. Codes with zeros before them are no
-- numbers. labels: as below.
create or replace macro sqlanon._labels_of_another_type(labels) as table
    select d, label from query_table(labels)
    where kind <> 'text' and not is_generalized and label is not null
      and (sqlanon._place_of_text(label, kind) is null
           or (kind in ('integer', 'number') and regexp_matches(label, '^-?0\d')));

-- What hierarchies say of labels (d, label, value), without the labels of all values that they have: such a
-- label stands for values that a hierarchy lacks as well.
create or replace macro sqlanon._labels_of_some_values(said) as table
    select distinct d, label, value from query_table(said)
    qualify count(distinct value) over (partition by d, label) < count(distinct value) over (partition by d);

-- The ends of a range, which both belong to it.
create or replace macro sqlanon._first_within(place, is_open, kind) as
    case when not is_open then if(kind = 'number', place, ceil(place))
         when kind = 'number' then nextafter(place, 'inf'::double)
         else floor(place) + 1 end;
create or replace macro sqlanon._last_within(place, is_open, kind) as
    case when not is_open then if(kind = 'number', place, floor(place))
         when kind = 'number' then nextafter(place, '-inf'::double)
         else ceil(place) - 1 end;

-- The place of a bound: of integers it may lie between two of them.
create or replace macro sqlanon._place_of_bound(string, kind) as
    case when kind <> 'integer' then sqlanon._place_of_text(string, kind)
         when abs(try_cast(string as double)) <= 9007199254740992 then sqlanon._exact_number(string) end;

-- The days that a label of calendar units stands for, as date_hierarchy writes them (2024-03, 2024-Q1, 2024,
-- 2020s): first, and next, the first day after them; NULL if it is none.
create or replace macro sqlanon._calendar_period(label) as
    sqlanon._let(
        case when regexp_full_match(label, '\d{3,}0s')
             then {'first': label[:-2] || '-01-01', 'months': 120}
             when regexp_full_match(label, '\d{4,}')
             then {'first': label || '-01-01', 'months': 12}
             when regexp_full_match(label, '\d{4,}-Q[1-4]')
             then {'first': label[:-4] || '-' || (3 * label[-1]::integer - 2) || '-01', 'months': 3}
             when regexp_full_match(label, '\d{4,}-\d\d')
             then {'first': label || '-01', 'months': 1} end,
        lambda period: {
            'first': try_cast(period['first'] as date),
            'next': (try_cast(period['first'] as date) + to_months(period['months']))::date});

-- The values that labels state one by one: d, code, kind, value. labels: as above. under: what hierarchies
-- say: d, label, value.
create or replace macro sqlanon._values_one_by_one(labels, under) as table
    select d, code, kind, unnest(said.elements) as value from query_table(labels) where said.form = 'set'
    union all
    select d, code, kind, value from query_table(labels) join query_table(under) using (d, label)
    where is_generalized and label <> '*'
    union all
    select d, code, kind, label from query_table(labels)
    where not is_generalized or label is null or sqlanon._place_of_text(label, kind) is not null;

-- What labels on a line say, a row for each part: d, code, kind, is_null (is it NULL?), lo, hi (texts; NULL:
-- no end), lo_open, hi_open.
create or replace macro sqlanon._stated_parts(labels, under) as table
    select d, code, kind, value is null as is_null, value as lo, value as hi, false as lo_open,
           false as hi_open
    from sqlanon._values_one_by_one(labels, under) where kind <> 'text'
    union all
    select d, code, kind, unnest(if(said.with_null, [false, true], [false])), said.lo, said.hi, said.lo_open,
           said.hi_open
    from query_table(labels) where kind <> 'text' and said.form = 'interval'
    union all
    select d, code, kind, false, replace(label, '*', '0'), replace(label, '*', '9'), false, false
    from query_table(labels)
    where is_generalized and kind = 'integer' and regexp_full_match(label, '[1-9]\d{0,14}\*{1,14}')
    union all
    select d, code, kind, false, period['first']::varchar, period['next']::varchar, false, true
    from (select *, sqlanon._calendar_period(label) as period from query_table(labels))
    where is_generalized and kind in ('date', 'timestamp') and period['next'] is not null;

-- The same as ranges: d, code, lo, hi (NULL: the part is NULL), is_any. A label that cannot be read as a
-- whole stands for anything, as * does.
create or replace macro sqlanon._stated_ranges(labels, under) as table
    with place as (
        select *, sqlanon._place_of_bound(lo, kind) as lo_place, sqlanon._place_of_bound(hi, kind) as hi_place
        from sqlanon._stated_parts(labels, under)
    ),
    range as (
        select d, code, is_null,
               if(is_null, null, sqlanon._first_within(coalesce(lo_place, '-inf'), lo_open, kind)) as lo,
               if(is_null, null, sqlanon._last_within(coalesce(hi_place, 'inf'), hi_open, kind)) as hi,
               (lo is null or lo_place is not null) and (hi is null or hi_place is not null) as has_ends
        from place
    ),
    readable as materialized (
        select d, code from range group by d, code
        having bool_and(is_null or (has_ends and lo <= hi and (isfinite(lo) or isfinite(hi))))
    )
    select d, code, lo, hi, false as is_any from range semi join readable using (d, code)
    union all
    select d, code, unnest([null, '-inf'::double]), unnest([null, 'inf'::double]), true
    from query_table(labels) anti join readable using (d, code) where kind <> 'text';

-- The parts of labels on a line, from lo to hi (NaN: of NULL), with what estimates take them for: from
-- first_place to last_place, where lo or hi is infinite to the end of the domain: what is declared, or the
-- outermost bounds of all labels. own: how many values a part has, or its length; step: what a piece of it
-- has more than its length; total: of all parts of the label. NULL counts as one value, but not in a label
-- that stands for anything. declared: d, kind, lo, hi (NULL: not declared).
create or replace macro sqlanon._ranges_of_labels(labels, under, declared) as table
    with part as materialized (from sqlanon._stated_ranges(labels, under)),
    outermost as (
        select d, any_value(kind) <> 'number' as is_discrete,
               coalesce(any_value(domain.lo), min(part.lo) filter (isfinite(part.lo))) as least,
               coalesce(any_value(domain.hi), max(part.hi) filter (isfinite(part.hi))) as most
        from part join query_table(declared) as domain using (d) group by d
    ),
    ended as (
        select part.*, if(is_discrete or part.lo = part.hi, 1, 0) as step,
               if(isfinite(part.lo), part.lo, least(least, part.hi)) as first_place,
               if(isfinite(part.hi), part.hi, greatest(most, part.lo)) as last_place
        from part join outermost using (d)
    ),
    weighed as (
        select *, case when lo is null then if(is_any, 0, 1)
                       when isfinite(last_place - first_place) then last_place - first_place + step
                       else 0 end as own
        from ended
    )
    select d, code, coalesce(lo, 'nan') as lo, coalesce(hi, 'nan') as hi,
           if(own > 0, first_place, 1) as first_place, if(own > 0, last_place, -1) as last_place,
           if(own > 0, step, 0) as step, own,
           if(total > 0, total, 1) as total
    from weighed join (select d, code, sum(own) as total from weighed group by d, code) using (d, code);

-- The texts that labels stand for: d, code, value, is_null, is_other (any text that there is not), weight (in
-- estimates). Those that there are: of unchanged columns, and others that are declared (d, value). under: as
-- above.
create or replace macro sqlanon._texts_of_labels(labels, declared, under) as table
    with text as materialized (
        from query_table(declared)
        union
        select d, label from query_table(labels)
        where kind = 'text' and not is_generalized and label is not null
    ),
    stated as (
        select d, code, value from sqlanon._values_one_by_one(labels, under) where kind = 'text'
        union
        select d, code, value from query_table(labels) join text using (d)
        where kind = 'text' and (value = label or (said.form = 'mask' and sqlanon._fits(value, label)))
    ),
    readable as (
        select d, code
        from stated left join (select *, true as is_known from text) using (d, value)
        group by d, code having bool_and(value is null or coalesce(is_known, false))
    ),
    anything as (
        select d, code from query_table(labels) anti join readable using (d, code) where kind = 'text'
    )
    select d, code, value, value is null as is_null, false as is_other,
           1 / count(*) over (partition by d, code) as weight
    from stated semi join readable using (d, code)
    union all
    select d, code, value, false, false, 1 / count(*) over (partition by d, code)
    from anything join text using (d)
    union all
    select d, code, null, is_null, not is_null, 0
    from anything, (values (false), (true)) as missing(is_null);
