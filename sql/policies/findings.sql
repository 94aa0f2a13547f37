-- Findings: what in an export would be read as something else than people mean by it, before there is a
-- policy: "k.A." among dates, a blank behind a town, a postcode without its zero. All distinct values are
-- looked at.

-- Words that say that there is no value, wherever they stand; and those that say so among numbers, but
-- may be a value elsewhere, such as an unknown cause. As they are folded.
create or replace macro sqlanon._marks_of_missing() as list_transform([
    '?', 'na', 'n/a', 'n.a.', 'n. a.', '#n/a', 'null', 'k.a.', 'k. a.', 'k.a', 'keine angabe',
    'keine angaben', 'ohne angabe', 'nicht angegeben', 'n.c.', 'n. c.', 'n.r.', 'n.d.', 'non communiqué',
    'non communiquée', 'non renseigné', 'non renseignée', 'non précisé', 'not available', 'not stated',
    'missing', 'fehlt'], lambda word: sqlanon._folded(word));
create or replace macro sqlanon._marks_among_numbers() as list_transform([
    '-', '--', '.', 'none', 'keine', 'unknown', 'unbekannt', 'inconnu', 'inconnue', 'desconocido', 'leer'],
    lambda word: sqlanon._folded(word));

-- Has a text blanks around it, or several in one place? In a number, also in an amount of money, those within
-- part its thousands.
create or replace macro sqlanon._has_blanks(string, is_number) as
    string <> sqlanon._trimmed(string)
    and (not (is_number
              or regexp_full_match(sqlanon._around_number(string), '([€$£¥] ?)?#( ?[€$£¥%])?'))
         or regexp_matches(string, '^[\s\x{A0}\x{202F}]|[\s\x{A0}\x{202F}]$'));

-- Values of columns that need a repair: place, column_name, kind, values (as they are written, the most
-- frequent first, 20 at most), rows, of_rows (that have a value). kind: blanks; missing (a mark of a missing
-- value, wherever it stands), missing here (among numbers), perhaps missing (among other texts), words
-- (other texts among numbers or dates, at most five); zeros (postcodes of four digits where the others have
-- five, and none begins with 0, or most of those of four are there with a 0, too). Words of fewer than three
-- rows, which may be one person's, are not among the values, but for bounds such as <5.
create or replace macro sqlanon._values_to_repair(relation) as table
    with _sqlanon_column as materialized (from sqlanon._columns_in_order(relation)),
    _sqlanon_value as materialized (
        select place, column_name, type = 'VARCHAR' as is_text, value, rows, sqlanon._folded(value) as folded,
               sqlanon._has_digits_alone(sqlanon._trimmed(value)) as is_number
        from sqlanon._values_of_columns(relation, []) join _sqlanon_column using (column_name)
        where value is not null and (type = 'VARCHAR' or sqlanon._is_integer_type(type))
    ),
    marked as (
        select *, is_text and list_contains(sqlanon._marks_of_missing(), folded) as is_mark,
               is_text and list_contains(sqlanon._marks_among_numbers(), folded) as is_mark_here
        from _sqlanon_value
    ),
    of_column as (
        select column_name, sum(rows)::bigint as of_rows,
               coalesce(sum(rows) filter (is_number)
                   >= 0.9 * sum(rows) filter (not is_mark and not is_mark_here), false) as are_numbers,
               coalesce(sqlanon._is_called(column_name, 'code')
                   and bool_and(regexp_full_match(value, '0[0-9]{4}|[1-9][0-9]{3,4}')) filter (not is_mark)
                   and min(length(value)) filter (not is_mark) = 4 and max(length(value)) = 5
                   and (not bool_or(value[1] = '0')
                        or 2 * len(list_intersect(list('0' || value) filter (length(value) = 4), list(value)))
                           >= count(*) filter (length(value) = 4)), false) as lacks_zeros,
               count(*) filter (not is_number and not is_mark and not is_mark_here and folded is not null)
                   as words
        from marked group by column_name
    ),
    of_value as (
        select *, unnest(list_filter([
            if(is_text and not is_mark and sqlanon._has_blanks(value, is_number), 'blanks', null),
            case when is_mark then 'missing'
                 when is_mark_here then if(are_numbers, 'missing here', 'perhaps missing')
                 when are_numbers and words <= 5 and not is_number and folded is not null
                      and not regexp_matches(value, '[*\[({]') then 'words' end,
            if(lacks_zeros and is_number and length(value) = 4, 'zeros', null)],
            lambda kind: kind is not null)) as kind
        from marked join of_column using (column_name)
    )
    select place, column_name, kind,
           coalesce(list(value order by rows desc, value) filter (
               kind <> 'words' or rows >= 3 or regexp_matches(value, '^\s*[<>≤≥]')), [])[:20] as values,
           sum(rows)::bigint as rows, any_value(of_rows) as of_rows
    from of_value group by all order by place, kind;

-- The pairs (a, b) of numbers up to n, as the text of a list of lists: null where a = b. pair: the text
-- of the value, with {a} and {b}.
create or replace macro sqlanon._each_pair(n, pair) as
    '[' || list_aggregate(list_transform(range(1, n + 1), lambda a:
        '[' || list_aggregate(list_transform(range(1, n + 1), lambda b:
            if(a <> b, replace(replace(pair, '{a}', a::varchar), '{b}', b::varchar), 'null')),
            'string_agg', ', ') || ']'), 'string_agg', ', ') || ']';

-- Columns that follow from one whose values repeat beside others: follows, from_column, both_ways
-- (then once, from the one that comes first). columns: those that are looked at. Where from_column is NULL,
-- nothing follows; NULL is a value of the other. A birth date that is one person's alone does not count, as
-- everything follows from it.
create or replace macro sqlanon._columns_that_follow(relation, columns) as table
    with _sqlanon_listed as (select unnest(columns) as name, unnest(range(1, len(columns) + 1)) as place),
    counted as (
        from query(
            'with _sqlanon_combination as materialized (select distinct '
            || sqlanon._each_of(columns, '{c} as c{i}', ', ') || ' from ' || relation || ') '
            || 'select count(*) as combinations, '
            || '[' || sqlanon._each_of(columns, 'count(distinct c{i})', ', ') || '] as singles, '
            || sqlanon._each_pair(
                len(columns), 'count(distinct (c{a}, c{b})) filter (c{a} is not null)') || ' as pairs '
            || 'from _sqlanon_combination')
    ),
    following as (
        select one.place as place, other.place as other_place, other.name as follows, one.name as from_column
        from _sqlanon_listed as one join _sqlanon_listed as other on one.place <> other.place, counted
        where pairs[one.place][other.place] = singles[one.place] and singles[other.place] > 1
          and combinations >= 3 * singles[one.place]
    )
    select following.follows, following.from_column, back.place is not null as both_ways
    from following
    left join following as back
      on back.place = following.other_place and back.other_place = following.place
    where back.place is null or following.place < following.other_place
    order by following.other_place, following.place;

-- How well a column says whose rows are, beside one that says it more finely (NULL: each row is by itself):
-- merged, how many of its values join several of the finer one; agreeing, those of them whose rows have
-- one value in each column of `once`, what people have once; says_whose, does it, as nearly all of them
-- agree, which chance explains in one of a thousand tables at most, and it does not only join rows that are
-- there twice?
create or replace macro sqlanon._merged_by(relation, candidate, finer, once) as table
    from query(sqlanon._fill($$
        with _sqlanon_source as not materialized (from {relation}),
        {shares},
        _sqlanon_joined as (
            select {several} as several, min(hash(src)) < max(hash(src)) as varies, {counts}
            from _sqlanon_source as src where {candidate} is not null group by {candidate}
        )
        select count(*) as merged, count(*) filter (not ({differing})) as agreeing,
               coalesce(merged >= 5 and sum(ln(greatest(chance, 1e-300))) < ln(0.001) and bool_or(varies)
                        and agreeing - sum(chance) >= 0.9 * (merged - sum(chance)), false) as says_whose
        from (select *, {chances} as chance from _sqlanon_joined, {names})
        where several > 1
    $$, map {
        'candidate': sqlanon._quote(candidate),
        'several': coalesce('count(distinct ' || sqlanon._quote(finer) || ')', 'count(*)'),
        'shares': sqlanon._each_of(once, $$
            _sqlanon_shares{i} as (
                select coalesce(sum(share ** 2), 1) as twice{i}, max(share) as most{i}
                from (select count(*) / sum(count(*)) over () as share
                      from _sqlanon_source where {c} is not null group by {c})
            )$$, ', '),
        'names': sqlanon._each_of(once, '_sqlanon_shares{i}', ', '),
        'counts': sqlanon._each_of(
            once, 'count({c}) as n{i}, coalesce(min({c}) < max({c}), false) as differs{i}', ', '),
        'differing': sqlanon._each_of(once, 'differs{i}', ' or '),
        'chances': sqlanon._each_of(
            once, 'if(least(several, n{i}) < 2, 1, twice{i} * most{i} ** (least(several, n{i}) - 2))',
            ' * ')}));

-- Columns of text in which values are spelled in several ways that are not due to blanks alone: column_name,
-- found (values), ways (how many spellings these have), rows, example (three spellings of one).
create or replace macro sqlanon._columns_to_fold(relation) as table
    with spelled as (
        select column_name, rows, spellings,
               list_distinct(list_transform(spellings, lambda spelling: sqlanon._trimmed(spelling))) as ways
        from sqlanon._spellings_in_all(relation)
    )
    select column_name, count(*) as found, sum(len(ways))::bigint as ways, sum(rows)::bigint as rows,
           arg_max(ways[:3], rows) as example
    from spelled where len(ways) > 1 group by column_name;
