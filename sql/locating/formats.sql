-- Formats: how other tools write released labels, rewritten in the notation of this library.
--
-- pandas, R and people have spellings of their own for ranges, sets and masks. The caller says which of them
-- a column has, because 3/4 may be a set, a ratio or a day. A label is rewritten only if it fits the format;
-- any other stays what it is.

create or replace macro sqlanon._known_formats() as
    'range, list, set SEPARATOR (such as set /), mask CHARACTER (such as mask x), '
    || 'between COLUMN and COLUMN, one-hot PREFIX (such as one-hot sex_)';

create or replace macro sqlanon._is_format(format) as
    coalesce(regexp_full_match(format, '(?s)range|list|set .+|mask .|between .+ and .+|one-hot .+'), false);

create or replace macro sqlanon._no_format(format, of_column) as
    'format ' || coalesce(format, 'NULL') || of_column || ' is none of ' || sqlanon._known_formats();

-- Formats of several columns: they are read while the release is projected.
create or replace macro sqlanon._is_of_columns(format) as
    coalesce(regexp_matches(format, '^(between|one-hot) '), false);

-- RANGES

-- A number, a date, with or without a time, or infinity.
create or replace macro sqlanon._bound_pattern() as
    '\d{4}[-/]\d\d?[-/]\d\d?(?:[ T]\d\d?:\d\d(?::\d\d(?:\.\d+)?)?)?'
    || '|[-+]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][-+]?\d+)?|[-+]?inf(?:inity)?';

-- (25-30], 25-30, 25..30, 25 to 30 (bis, à). Without brackets both ends are in it.
create or replace macro sqlanon._range_of_ends(string) as
    sqlanon._let(
        regexp_extract(
            string,
            '(?i)^([\[\](])?\s*(' || sqlanon._bound_pattern() || ')'
                || '\s*(?:-|–|—|\.\.+|…|to|bis|à|,|;)\s*'
                || '(' || sqlanon._bound_pattern() || ')\s*([\[\])])?$',
            ['opening', 'lo', 'hi', 'closing']),
        lambda ends:
            case when ends['lo'] <> '' and (ends['opening'] = '') = (ends['closing'] = '')
                 then coalesce(nullif(ends['opening'], ''), '[') || ends['lo'] || ', ' || ends['hi']
                      || coalesce(nullif(ends['closing'], ''), ']') end);

-- 50+, 65 and over, under 20; unter 20, 65 und älter; moins de 20, 65 et plus
create or replace macro sqlanon._range_of_words(string) as
    sqlanon._let(
        regexp_extract(
            string,
            '(?i)^(under|below|less than|unter|moins de|over|above|more than|über|plus de)?\s*('
                || sqlanon._bound_pattern() || ')\s*(\+|(?:and|or) (?:over|above|older|more)|(?:und|oder) '
                || '(?:älter|mehr)|et plus|(?:and|or) (?:under|below|younger|less))?$',
            ['before', 'bound', 'after']),
        lambda said:
            case when (said['before'] = '') = (said['after'] = '') then null
                 when regexp_matches(said['before'], '(?i)^(under|below|less|unter|moins)')
                 then '<' || said['bound']
                 when said['before'] <> '' then '>' || said['bound']
                 when regexp_matches(said['after'], '(?i)(under|below|younger|less)$')
                 then '<=' || said['bound']
                 else '>=' || said['bound']
            end);

-- SETS AND MASKS

-- a/b, with spaces around it or without. The text may also be one value, which has this character.
create or replace macro sqlanon._split_set(string, separator) as
    case when contains(string, separator)
         then sqlanon._set_text(
             list_transform(string_split(string, separator), lambda element: trim(element)) || [string])
    end;

-- ['a', 'b'], {a, b}, ("a", "b")
create or replace macro sqlanon._bracketed_set(string) as
    case when regexp_matches(string, '(?s)^(\[.*\]|\{.*\}|\(.*\))$')
         then sqlanon._let(try_cast('[' || string[2:-2] || ']' as varchar[]), lambda elements:
             case when len(elements) > 0 then sqlanon._set_text(elements) end)
    end;

-- A label as this library writes what it says, or as it is if it does not fit the format.
create or replace macro sqlanon._in_notation(string, format) as
    coalesce(
        case when format = 'range'
             then sqlanon._let(replace(trim(string), '∞', 'inf'), lambda spelled:
                 coalesce(sqlanon._range_of_ends(spelled), sqlanon._range_of_words(spelled)))
             when format = 'list' then sqlanon._bracketed_set(trim(string))
             when format like 'set %' then sqlanon._split_set(string, format[5:])
             when format like 'mask %' then replace(string, format[6:], '*')
        end,
        string);

-- A label as this library writes what it says, by a format that a user gives (NULL: as the label is); an
-- error if it is not one of a cell.
create or replace macro sqlanon._as_given(string, format) as
    case when format is null then string
         when not sqlanon._is_format(format) then error(sqlanon._no_format(format, ''))
         when sqlanon._is_of_columns(format)
         then error('format ' || format || ' is of several columns, and this is one value')
         else sqlanon._let(string, lambda label: sqlanon._in_notation(label, format))
    end;

-- SEVERAL COLUMNS

-- Formats of one release, a list with that of each column or NULL, as text.
create or replace macro sqlanon._formats_text(formats) as
    coalesce(
        '[' || list_aggregate(
            list_transform(formats, lambda format: sqlanon._optional(format)), 'string_agg', ', ')
        || ']::varchar[]', 'null');

-- What one-hot columns say, cells being a map from their names to 0 or 1: the values that have a 1. Cells
-- without any, or with something else, stay what they are.
create or replace macro sqlanon._hot_label(cells, prefix) as
    sqlanon._let(
        list_transform(
            list_filter(map_entries(cells), lambda cell: length(cell['key']) > length(prefix)),
            lambda cell: {
                'cell': cell['key'] || '=' || coalesce(cell['value'], 'NULL'),
                'value': cell['key'][length(prefix) + 1:],
                'hot': case when regexp_matches(cell['value'], '(?i)^(1(\.0*)?|true|t)$') then 1
                            when regexp_matches(cell['value'], '(?i)^(0(\.0*)?|false|f)$') then 0 end}),
        lambda hot_cells:
            case when len(hot_cells) = 0
                 then error('no column of the release starts with ' || prefix
                            || ', as the format one-hot ' || prefix || ' says')
                 when list_contains(list_transform(hot_cells, lambda cell: cell['hot']), 1)
                      and len(list_filter(hot_cells, lambda cell: cell['hot'] is null)) = 0
                 then sqlanon._set_text(
                     list_transform(list_filter(hot_cells, lambda cell: cell['hot'] = 1),
                                    lambda cell: cell['value']))
                 else list_aggregate(
                     list_transform(hot_cells, lambda cell: cell['cell']), 'string_agg', ', ')
            end);

-- The columns of a source, of which some are made of several, as texts: what is read, and what it becomes.
-- Both ends that age_min and age_max give belong to the range; one that is NULL is no bound.
create or replace macro sqlanon._column_read(name, format) as
    sqlanon._fill(
        case when format like 'between %' then 'struct_pack(lo := {lo}, hi := {hi}) as {column}'
             when format like 'one-hot %'
             then 'struct_pack(*columns(lambda each: starts_with(lower(each), lower({prefix}))))'
                  || '::map(varchar, varchar) as {column}'
             else '{column}' end,
        map {
            'column': sqlanon._quote(name),
            'lo': sqlanon._quote(regexp_extract(format, '^between (.+?) and (.+)$', 1)),
            'hi': sqlanon._quote(regexp_extract(format, '^between (.+?) and (.+)$', 2)),
            'prefix': sqlanon._literal(format[9:])});
create or replace macro sqlanon._column_made(name, format) as
    case when format like 'one-hot %'
         then 'sqlanon._hot_label(' || sqlanon._quote(name) || ', ' || sqlanon._literal(format[9:]) || ')'
         when format like 'between %' then sqlanon._quote(name)
         else sqlanon._by_bytes(sqlanon._quote(name)) end || ' as ' || sqlanon._quote(name);

-- A source as _source reads it, in these formats: a list with that of each column in qi, or NULL. (Each
-- prefix of one-hot columns is a column, too, so that there is one that starts with it.)
create or replace macro sqlanon._formatted_source(tbl, qi, others, formats, weight := null) as table
    from query(sqlanon._call(
        if(formats is null, '_source', '_source_in_formats'),
        [sqlanon._literal(tbl), sqlanon._names(qi), sqlanon._names(others), sqlanon._optional(weight)]
        || if(formats is null, [], [sqlanon._formats_text(formats)])));
create or replace macro sqlanon._source_in_formats(tbl, qi, others, weight, formats) as table
    from query(sqlanon._fill($$
        select * replace ({made}) from (select {read}{weight} from (select *{prefixes} from {rows}))
    $$, map {
        'made': list_aggregate(
            list_transform(formats, lambda format, i:
                sqlanon._column_made(sqlanon._list(qi)[i], format)), 'string_agg', ', '),
        'read': list_aggregate(
            list_transform(formats, lambda format, i:
                sqlanon._column_read(sqlanon._list(qi)[i], format))
            || list_transform(
                list_filter(sqlanon._each_once(sqlanon._list(others)), lambda name:
                    not list_contains(sqlanon._lower(sqlanon._list(qi)), lower(name))),
                lambda name: sqlanon._quote(name)),
            'string_agg', ', '),
        'prefixes': coalesce(
            list_aggregate(
                list_transform(
                    list_distinct(list_filter(formats, lambda format: format like 'one-hot %')),
                    lambda format: ', null as ' || sqlanon._quote(format[9:])),
                'string_agg', ''), ''),
        'weight': coalesce(', ' || sqlanon._quote(weight), ''),
        'rows': sqlanon._rows_of(tbl, '*', weight)}));

-- WHICH COLUMN HAS WHICH

-- What a user gives, a struct or a map from column to format, with keys in lower case.
create or replace macro sqlanon._given_formats(formats) as
    list_transform(map_entries(formats::map(varchar, varchar)), lambda given: {
        'column': lower(given['key']), 'written': given['key'], 'format': given['value']});

-- The text of the same, or of NULL.
create or replace macro sqlanon._given_formats_text(formats) as
    if(formats is null, 'null',
       'map {' || list_aggregate(
           list_transform(map_entries(formats::map(varchar, varchar)), lambda given:
               sqlanon._literal(given['key']) || ': ' || sqlanon._literal(given['value'])),
           'string_agg', ', ') || '}');

-- The keys that mean a column in the release of a name and number, the more special ones first.
create or replace macro sqlanon._keys_of_column(name, release, number) as
    [lower(release || '.' || name), number || '.' || lower(name), lower(name)];

-- An empty text, or an error for a key that means no column, or a format that there is not. The keys with
-- targets before the dot are about the targets (see sql/locating/known_cells.sql).
create or replace macro sqlanon._formats_checked(formats, releases, qi) as
    sqlanon._let(
        {'given': sqlanon._given_formats(formats),
         'keys': flatten(list_transform(releases, lambda release, number:
             flatten(list_transform(qi, lambda name:
                 sqlanon._keys_of_column(name, release, number)))))
             || list_transform(qi, lambda name: lower('targets.' || name))},
        lambda checked:
            coalesce(
                error('formats names ' || list_filter(checked['given'], lambda given:
                          not list_contains(checked['keys'], given['column']))[1]['written']
                      || ', which is no column in qi: write one of '
                      || list_aggregate(qi, 'string_agg', ', ')
                      || ', with a release and a dot before it if it is for that one alone'),
                error(list_transform(
                    list_filter(checked['given'], lambda given: not sqlanon._is_format(given['format'])),
                    lambda given: sqlanon._no_format(given['format'], ' of ' || given['written']))[1]),
                error('format ' || list_filter(checked['given'], lambda given:
                          given['column'] like 'targets.%' and sqlanon._is_of_columns(given['format'])
                      )[1]['format'] || ' is of several columns; a cell of the targets is one'),
                ''));

-- How unknown cells are written, as the text of a list, or of NULL.
create or replace macro sqlanon._unknown_text(unknown) as
    case when unknown is null then 'null' else sqlanon._names(unknown) end;

-- Does a call say that targets may have cells which are not simply a value?
create or replace macro sqlanon._are_cells_partly_known(formats, unknown) as
    unknown is not null
    or coalesce(len(list_filter(sqlanon._given_formats(formats), lambda given:
           given['column'] like 'targets.%')) > 0, false);

-- The formats of all releases, checked: per release a list with that of each column in qi, or NULL for one
-- without. NULL if there are none.
create or replace macro sqlanon._formats_of_releases(formats, releases, qi) as
    case when formats is null then null
         when sqlanon._formats_checked(formats, sqlanon._list(releases), sqlanon._list(qi)) = ''
         then list_transform(sqlanon._list(releases), lambda release, number:
             list_transform(sqlanon._list(qi), lambda name:
                 list_filter(
                     list_transform(sqlanon._keys_of_column(name, release, number), lambda key:
                         list_filter(sqlanon._given_formats(formats), lambda given:
                             given['column'] = key)[1]['format']),
                     lambda format: format is not null)[1]))
    end;

-- What classes say in each column in qi, in this library's notation: l1, l2, ..., from released (a list, as
-- of _released_texts).
create or replace macro sqlanon._labels_text(qi, formats) as
    case when formats is null then sqlanon._each(qi, 'released[{i}] as l{i}', ', ')
         else list_aggregate(
             list_transform(formats, lambda format, i:
                 case when format is null or sqlanon._is_of_columns(format)
                      then format('released[{0}] as l{0}', i)
                      else format('sqlanon._in_notation(released[{0}], {1}) as l{0}',
                                  i, sqlanon._literal(format))
                 end),
             'string_agg', ', ')
    end;
