-- Published cells: what a table as somebody published it says of each cell. A number is the value, or stands
-- for those that are rounded to it; <5 is anything below 5, and 1-4 one of these; *, c and the like hide the
-- value. A dash is none of these: it means nil in some offices, and a hidden value in others.

-- The text of a value as a number of at least 0, and a whole one if it has to be; NULL: it is none.
create or replace macro sqlanon._published_number(shown, whole) as
    sqlanon._let(
        case when regexp_matches(shown, '^[+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$')
             then try_cast(shown as double) end,
        lambda number: case when not whole or number = floor(number) then number end);

-- Is a text a mark of hidden cells? As a text, or as the same number: 0 marks 0.0, too.
create or replace macro sqlanon._is_mark(shown, marks) as
    list_contains(marks, shown)
    or coalesce(list_contains(list_transform(marks, lambda mark_text: try_cast(mark_text as double)),
                              try_cast(shown as double)), false);

-- The published number where it is no mark: marks come first, because 0 can be one.
create or replace macro sqlanon._number_unmarked(shown, marks, whole) as
    case when not coalesce(sqlanon._is_mark(shown, marks), false)
         then sqlanon._published_number(shown, whole) end;

-- A text without what stands between thousands: 1,204 or 1 204. (1.204 may be a fraction.)
create or replace macro sqlanon._without_thousands(shown) as
    case when regexp_full_match(shown, '\d{1,3}([,''’ \x{00A0}\x{202F}]\d{3})+(\.\d+)?')
         then regexp_replace(shown, '[,''’ \x{00A0}\x{202F}]', '', 'g') else shown end;

-- A number with something in brackets behind it, such as a percentage or the number of a footnote.
create or replace macro sqlanon._has_brackets(shown) as
    regexp_full_match(trim(shown), '[+]?\d[\d.,''’ \x{00A0}\x{202F}]*[(\[][^()\[\]]*[)\]]');

-- The text of a value as it is read: without blanks around it, what stands in brackets behind a number, and
-- what stands between thousands.
create or replace macro sqlanon._shown_text(given) as
    sqlanon._without_thousands(trim(
        case when sqlanon._has_brackets(given) then regexp_extract(given, '^[^(\[]+') else given end));

-- The ends of a text such as 1-4 or 10 to 19, as a list; NULL: it is none.
create or replace macro sqlanon._shown_range(shown) as
    sqlanon._let(
        list_transform(
            regexp_extract_all(nullif(regexp_extract(
                shown, '^\d+(\.\d+)?\s*(-|–|—|to)\s*\d+(\.\d+)?$'), ''), '\d+(\.\d+)?'),
            lambda end_text: try_cast(end_text as double)),
        lambda ends: case when len(ends) = 2 and ends[1] <= ends[2] then ends end);

-- The upper bound of a text such as <5, <= 4.5, ≤4 or 1-4; NULL: it is none. A whole number below 5 is at
-- most 4.
create or replace macro sqlanon._shown_below(shown, whole) as
    case when regexp_matches(shown, '^(<=?|≤)\s*\d+(\.\d+)?$')
         then try_cast(regexp_extract(shown, '[\d.]+') as double)
              - if(whole and regexp_matches(shown, '^<[^=]')
                   and regexp_extract(shown, '[\d.]+') not like '%.%', 1, 0)
         else sqlanon._shown_range(shown)[2]
    end;

-- A mark that means nil in some tables, and a hidden value in others.
create or replace macro sqlanon._is_dash(shown) as
    coalesce(list_contains(['-', '--', '–', '—', '−'], trim(shown)), false);

-- The cells as their table has them: keys, shown (text; NULL: nothing), prior_lo and prior_hi (what is known
-- of the cell beforehand, or NULL), known_alone.
create or replace macro sqlanon._cells_as_shown(
    cells, dimensions, value_column, total_mark, lower_column, upper_column, insiders) as table
    from query(sqlanon._fill($$
        select [{keys}] as keys, sqlanon._shown_text(src.{"value_column"}::varchar) as shown,
               {lower} as prior_lo,
               {upper} as prior_hi, {alone} as known_alone
        from {source} as src
    $$, map {
        'keys': sqlanon._each_filled(
            dimensions, 'sqlanon._marked_key(sqlanon._plain_text(src.{c}::varchar), {=total_mark})', ', '),
        'lower': coalesce('src.' || sqlanon._quote(lower_column) || '::double', 'null::double'),
        'upper': coalesce('src.' || sqlanon._quote(upper_column) || '::double', 'null::double'),
        'alone': coalesce('src.' || sqlanon._quote(insiders) || '::double', 'null::double'),
        'source': sqlanon._projected(
            cells, dimensions, value_column,
            sqlanon._list(lower_column) || sqlanon._list(upper_column) || sqlanon._list(insiders))}));

-- What a rounded number is at least and at most (base NULL: it is not rounded). Random and controlled
-- rounding move it by less than a base; a midpoint stands for what is above the multiple below it.
create or replace macro sqlanon._least_rounded(number, base, rounding, whole) as
    case when base is null or (rounding = 'midpoint' and number = 0) then number
         when rounding in ('random', 'controlled') then number - base + if(whole, 1, 0)
         when rounding = 'midpoint' and whole then floor(number - base / 2) + 1
         else number - base / 2 end;
create or replace macro sqlanon._most_rounded(number, base, rounding, whole) as
    case when base is null or (rounding = 'midpoint' and number = 0) then number
         when rounding in ('random', 'controlled') then number + base - if(whole, 1, 0)
         else number + base / 2 end;

-- What is known of each cell: keys, lo, hi (NULL: unbounded), is_asked (it is not exactly known),
-- known_alone. base: numbers are rounded to its multiples, in a way as in round_cells, or NULL. least, most:
-- what hidden cells are at least and at most; of least NULL: 1 if some cell is shown to be 0 (not rounded to
-- it), and 0 otherwise.
create or replace macro sqlanon._published_cells(
    shown_cells, marks, base, rounding, least, most, whole) as table
    with hidden_least as (
        select coalesce(least, if(whole and base is null
                                  and bool_or(sqlanon._number_unmarked(shown, marks, false) = 0), 1, 0))
                   as hidden_lo
        from query_table(shown_cells)
    ),
    read as (
        select keys, known_alone, number, number is null as is_hidden,
               sqlanon._shown_range(shown)[1] as above, sqlanon._shown_below(shown, whole) as below,
               prior_lo, prior_hi, hidden_lo
        from (select *, sqlanon._number_unmarked(shown, marks, whole and base is null) as number
              from query_table(shown_cells)), hidden_least
    ),
    bounded as (
        select keys, known_alone, is_hidden,
               if(is_hidden, coalesce(above, hidden_lo),
                  sqlanon._least_rounded(number, base, rounding, whole)) as first_lo,
               case when is_hidden then coalesce(below, most)
                    else sqlanon._most_rounded(number, base, rounding, whole) end as first_hi,
               if(is_hidden, prior_lo, null) as prior_lo, if(is_hidden, prior_hi, null) as prior_hi
        from read
    ),
    narrowed as (
        select keys, known_alone, is_hidden, greatest(0, first_lo, coalesce(prior_lo, 0)) as lo,
               case when first_hi is null then prior_hi else least(first_hi, coalesce(prior_hi, first_hi)) end
                   as hi
        from bounded
    )
    select keys, if(is_hidden, known_alone, null) as known_alone, if(whole, ceil(lo), lo) as lo,
           if(whole, floor(hi), hi) as hi, is_hidden or base is not null as is_asked
    from narrowed;

-- What else to do about values that nobody can read.
create or replace macro sqlanon._hints_of_unread(has_dashes, has_points) as
    if(has_dashes, '; a dash means nil in some tables, and a hidden value in others: write 0 for it, or name '
                   || 'it as a mark', '')
    || if(has_points, '; where a point stands between thousands, leave it out', '');

-- No rows, or an error: cells whose values nobody can read.
create or replace macro sqlanon._refuse_unread_cells(shown_cells, tbl, value_column, marks, whole) as table
    select error('column "' || value_column || '" of table ' || tbl || ' has '
                 || if(count(*) = 1, 'a value that is', count(*) || ' values that are')
                 || ' no number of at least 0'
                 || if(whole, ' (a whole one; whole := false, if it is a sum)', '')
                 || ', no <5 or 1-4 and no mark of a hidden cell: ' || any_value(shown) || ' in '
                 || sqlanon._cell_name(any_value(keys)) || ' (marks := [...] names the marks'
                 || sqlanon._hints_of_unread(bool_or(sqlanon._is_dash(shown)),
                        bool_or(regexp_full_match(shown, '\d{1,3}(\.\d{3})+'))) || ')') as refused
    from query_table(shown_cells)
    where shown is not null and not sqlanon._is_mark(shown, marks)
      and sqlanon._shown_below(shown, whole) is null and sqlanon._published_number(shown, whole) is null
    having count(*) > 0;

-- No rows, or an error: tables whose totals seem to be marked otherwise, by NULL as ROLLUP writes them: what
-- has no label counts as much as all else. Read as a label of its own it would hide what totals give back.
create or replace macro sqlanon._refuse_totals_unmarked(cells, titles, dimensions) as table
    with of_label as (
        select nth, i, label_key, sum(sqlanon._published_number(shown, false)) as number
        from (select nth, shown, unnest(keys) as label_key, generate_subscripts(keys, 1) as i
              from query_table(cells) where nth <= len(sqlanon._list(titles)))
        group by all
    )
    select error('column ' || sqlanon._list(dimensions)[i] || ' of table ' || sqlanon._list(titles)[nth]
                 || ' seems to have totals without a label, as ROLLUP writes them: say so (total := NULL), '
                 || 'or write a word for what is missing') as refused
    from of_label group by nth, i
    having not bool_or(label_key = sqlanon._total_key())
       and any_value(number) filter (label_key = '-')
           >= coalesce(sum(number) filter (label_key <> '-'), 0);  -- all of them may be hidden

-- No rows, or an error: a table of several cells, none of which is a total. Nothing would follow from it,
-- also where its totals have another mark; but of rounded cells each tells something by itself.
create or replace macro sqlanon._refuse_no_total(shown_cells, tbl, total_mark, hierarchies, base) as table
    select error('no cell of table ' || tbl || ' is marked as a total (' || coalesce(total_mark, 'NULL')
                 || ') in any dimension, so that nothing can follow: say how totals are marked (total := '
                 || '''all of them'')') as refused
    from query_table(shown_cells)
    where hierarchies is null and base is null
    having count(*) > 1 and not bool_or(list_contains(keys, sqlanon._total_key()));
