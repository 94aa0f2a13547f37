-- Names: from the column names that a user gives to the text of a query.
--
-- An algorithm never knows a user's column names or types. One generated SELECT brings a table under
-- positional names (q1, q2, ... for quasi-identifiers, s1, s2, ... for sensitive columns), and everything
-- after it is plain SQL over those. The macros here are all that generates text; every name that enters a
-- text passes through _quote, _literal or _each.

-- An identifier, quoted: no name can end it early.
create or replace macro sqlanon._quote(name) as '"' || replace(name, '"', '""') || '"';

-- A string literal.
create or replace macro sqlanon._literal(string) as '''' || replace(string, '''', '''''') || '''';

-- A template with its holes filled: every {name} in it by the text that holes, a map, has for that name. It
-- is one pass, so that a brace in what is filled in stays what it is. Braces are holes and nothing else;
-- where a query needs a struct, struct_pack and row make one.
create or replace macro sqlanon._fill(template, holes) as
    list_aggregate(
        list_transform(string_split_regex(template, '[{}]'), lambda piece, nth_piece:
            case when nth_piece % 2 = 1 then piece
                 else coalesce(holes[piece],
                               error('nothing fills the hole {' || piece || '} of a template')) end),
        'string_agg', '');

-- A value under a name: in body, a lambda. A macro's arguments are written out, and worked out, wherever its
-- body has them; what is long, or looked at several times, gets a name first. (Within query(...) a field of a
-- struct is name['field']: DuckDB takes name.field for a text there.)
create or replace macro sqlanon._let(value, body) as list_transform([value], body)[1];

-- A call of a table macro of this library; arguments: their texts, none of them NULL.
create or replace macro sqlanon._call(macro, arguments) as
    'from sqlanon.' || macro || '(' || list_aggregate(arguments, 'string_agg', ', ') || ')';

-- Arguments with their names, from a map of names and texts.
create or replace macro sqlanon._by_name(arguments) as
    list_transform(map_entries(arguments), lambda entry: entry['key'] || ' := ' || entry['value']);

-- A value as text that a query reads as the same value: of a number, a truth value, a text or a struct of
-- these.
create or replace macro sqlanon._constant(value) as
    coalesce(sqlanon._literal(value::varchar), 'null') || '::' || typeof(value);

-- An empty text, or an error under a setting with which this library would go wrong. Under a default
-- collation some of DuckDB's comparisons follow it and others do not, so that a class could be one thing
-- where it is counted and another where it is released. A default order of desc turns every order around,
-- medians and ranks among them; Mondrian would never end.
create or replace macro sqlanon._settings_checked() as
    case when lower(current_setting('default_collation')) not in ('', 'binary', 'c', 'posix')
         then error('default_collation is ' || current_setting('default_collation')
                    || ', under which texts that differ can be equal and are released as they are:'
                    || ' reset default_collation (columns may have collations of their own)')
         when upper(current_setting('default_order')) like 'DESC%'
         then error('SET default_order = ''desc'' turns the orders in these macros around:'
                    || ' RESET default_order first')
         else ''
    end;

-- The relation that a user named: a table, a view, a file, a DataFrame or a CTE of the calling query.
create or replace macro sqlanon._relation(tbl) as
    sqlanon._settings_checked() || 'query_table(' || sqlanon._literal(tbl) || ')';

-- A text without the collation of its column: it is equal to what has the same bytes. So are released values
-- to whoever reads them. (The cast of a struct takes the collation away and copies no text. decode(encode(x))
-- would read every text, and DuckDB would no longer know that a column has few different ones.)
create or replace macro sqlanon._plain_text(string) as
    struct_extract(row(string)::struct(plain varchar), 'plain');

-- A value of any type so that it compares by its bytes: the text of an expression, from that of another.
-- Only VARCHAR has a collation, so the type decides, when the query is bound, which field of the struct is
-- read. (It is the type of a list, because that of a column of NULLs alone is not known by then.)
create or replace macro sqlanon._by_bytes(expression) as
    replace($$
        struct_extract(
            struct_pack(text := sqlanon._plain_text(case when typeof({x}) = 'VARCHAR' then {x}::varchar end),
                        other := {x}),
            case when typeof([{x}]) = 'VARCHAR[]' then 'text' else 'other' end)
    $$, '{x}', expression);

-- An expression without the type of an ENUM: as text, also in a list. The type of a column names all values
-- that it may have, those of suppressed rows and of people who are not there among them; so no release has
-- one. As in _by_bytes the type decides when the query is bound. (A text is read as a list there, because a
-- cast to a list is an error for what is none.)
create or replace macro sqlanon._without_enum(expression) as
    replace($$
        struct_extract(
            struct_pack(
                text := case when typeof([{x}]) like 'ENUM(%)[]' then {x}::varchar end,
                texts := case when typeof([{x}]) like 'ENUM(%)[][]'
                              then try_cast({x}::varchar as varchar[]) end,
                other := {x}),
            case when typeof([{x}]) like 'ENUM(%)[][]' then 'texts'
                 when typeof([{x}]) like 'ENUM(%)[]' then 'text' else 'other' end)
    $$, '{x}', expression);

-- The text of a query whose answer is released.
create or replace macro sqlanon._released(statement) as
    'select ' || sqlanon._without_enum('columns(*)') || ' as ''\0'' from (' || statement || ')';

-- A list of names from a list, from a single name, or from NULL (no names).
create or replace macro sqlanon._list_of_any(names) as
    case when names is null then []::varchar[]
         when typeof(names) like '%]' then names::varchar[]
         else [names::varchar]
    end;

-- A list of names, bound faster where it is a list of texts already. (Nothing is bound more often.)
create or replace macro sqlanon._list(names varchar[]) as coalesce(names, []),
    (names) as sqlanon._list_of_any(names);

create or replace macro sqlanon._lower(names) as list_transform(names, lambda name: lower(name));

-- The template as format takes it: with holes by number, and other braces doubled.
create or replace macro sqlanon._numbered_holes(template) as
    replace(replace(replace(replace(replace(template, '{', '{{'), '}', '}}'),
        '{{c}}', '"{0}"'), '{{s}}', '''{1}'''), '{{i}}', '{2}');

-- The template once per name: {c} is the quoted name, {s} the name as a string literal, {i} its position from
-- 1; other braces stay. DuckDB's format puts all of them in place in one pass, so that nothing is replaced
-- within a name: a column named "{i}" stays what it is.
--
-- Nearly every text is made here, so it has to be bound fast. Therefore there are few functions, no lambda
-- within a lambda, and no array_to_string, a macro that writes its argument out several times. _each_of takes
-- what is a list already.
create or replace macro sqlanon._each_numbered(names, numbered, separator) as
    coalesce(list_aggregate(
        list_transform(names, lambda name, nth_name:
            format(numbered, replace(name, '"', '""'), replace(name, '''', ''''''), nth_name)),
        'string_agg', separator), '');
create or replace macro sqlanon._each_of(names, template, separator) as
    sqlanon._each_numbered(names, sqlanon._numbered_holes(template), separator);
create or replace macro sqlanon._each(names, template, separator) as
    sqlanon._each_of(sqlanon._list_of_any(names), template, separator);

-- A text whose braces stay what they are where format fills a template that holds it.
create or replace macro sqlanon._doubled_braces(string) as replace(replace(string, '{', '{{'), '}', '}}');

-- A template once for each name, with further holes, as those of _fill; every brace is a hole then.
create or replace macro sqlanon._each_filled(names, template, holes, separator) as
    sqlanon._each_numbered(
        sqlanon._list_of_any(names),
        list_aggregate(
            list_transform(string_split_regex(template, '[{}]'), lambda piece, nth_piece:
                case when nth_piece % 2 = 1 then piece
                     when piece in ('c', 's', 'i') then sqlanon._numbered_holes('{' || piece || '}')
                     else coalesce(sqlanon._doubled_braces(holes[piece]),
                                   error('nothing fills the hole {' || piece || '} of a template')) end),
            'string_agg', ''),
        separator);

-- The first name that two roles claim (names compare without case, as identifiers do), or NULL.
create or replace macro sqlanon._claimed_twice(names) as
    list_filter(names, lambda name, i:
        list_position(list_transform(names, lambda other: lower(other)), lower(name)) < i)[1];

-- Names without those that are there already (without case).
create or replace macro sqlanon._each_once(names) as
    list_filter(names, lambda name, i: list_position(sqlanon._lower(names), lower(name)) = i);

-- The names of the first list that are not in the second (names compare without case).
create or replace macro sqlanon._not_among(names, others) as
    list_filter(sqlanon._list(names), lambda name:
        not coalesce(list_contains(sqlanon._lower(sqlanon._list(others)), lower(name)), false));

create or replace macro sqlanon._error_of_no_columns() as
    error('qi names no column: give at least one quasi-identifier, e.g. qi := [''age'', ''zip'']');

create or replace macro sqlanon._error_of_unit_and_weight() as
    error('unit does not go with weight: a person can have several rows, or a row can stand for several '
          || 'people, not both');

-- An empty text, once the roles of the columns make sense; an error that names the column otherwise.
create or replace macro sqlanon._checked(qi, sensitive, keep, unit := null, weight := null) as
    case when len(sqlanon._list(qi)) = 0 then sqlanon._error_of_no_columns()
         when len(sqlanon._list(unit)) > 1
         then error('unit names one column, the one that says whose a row is, not '
                    || len(sqlanon._list(unit)))
         when unit is not null and weight is not null then sqlanon._error_of_unit_and_weight()
         else sqlanon._let(
             sqlanon._list(qi) || sqlanon._list(sensitive) || sqlanon._list(keep)
                 || sqlanon._list(coalesce(unit, weight)),
             lambda names:
                 case when len(list_filter(names, lambda name: name is null)) > 0
                      then error('a column name is NULL in qi, sensitive or keep')
                      else coalesce(
                          error('column "' || sqlanon._claimed_twice(names)  -- error(NULL) is none
                                || '" is named twice: a column has one role, in qi, sensitive'
                                || case when weight is not null then ', keep or weight'
                                        when unit is not null then ', keep or unit'
                                        else ' or keep' end), '')
                 end)
    end;
create or replace macro sqlanon._select(qi, sensitive, keep) as
    sqlanon._checked(qi, sensitive, keep) || 'select ';

-- The named columns of a relation and no others. Unqualified on purpose: for a name that is not there DuckDB
-- suggests the nearest, and no alias stands beside them that the name could mean instead.
create or replace macro sqlanon._projected(tbl, qi, sensitive, keep) as
    '(select '
    || sqlanon._each_of(sqlanon._list(qi) || sqlanon._list(sensitive) || sqlanon._list(keep), '{c}', ', ')
    || ' from ' || sqlanon._relation(tbl) || ')';

-- Rows of a table of counts stand for several people each: a column, the weight, says for how many. Such rows
-- are never repeated; where rows are first grouped, their weights are added up. Here is how many people one
-- stands for, or NULL where its weight is no such number. (All of a table have to fit in 32 bits, as the
-- counts of a histogram do, see _classes.)
create or replace macro sqlanon._stands_for(given) as
    case when try_cast(given::varchar as double) between 0 and 4294967295
              and try_cast(given::varchar as double) = floor(try_cast(given::varchar as double))
         then try_cast(given::varchar as double)::bigint end;

-- How many people rows of src stand for, as the text of an aggregate. weight: a column that _source has read;
-- NULL: each row is one person.
create or replace macro sqlanon._count(weight) as
    coalesce('sum(src.' || sqlanon._quote(weight::varchar) || ')::bigint', 'count(*)');

-- Columns of a table (a text), the weight among them. A weight that is no such number is an error. (So is a
-- table without it: the name then means the column of lacking.)
create or replace macro sqlanon._weighted_rows(tbl, columns, weight) as table
    from query(sqlanon._fill($$
        with _sqlanon_weighted as materialized (
            select given.* replace (sqlanon._stands_for(given.{"weight"}) as {"weight"})
            from (select error({lacks}) as {"weight"}) as lacking,
                 lateral (select {columns} from {relation}) as given
        )
        select weighted.*
        from _sqlanon_weighted as weighted,
             (select count(*) - count({"weight"}) as wrong, sum({"weight"}) as people
              from _sqlanon_weighted) as total
        where case when total.wrong > 0 then error(total.wrong || {wrong})
                   when total.people > 4294967295 then error({too_many} || total.people)
                   else weighted.{"weight"} > 0 end
    $$, map {
        'relation': sqlanon._relation(tbl),
        'lacks': sqlanon._literal('table ' || tbl || ' has no column "' || weight || '" (weight)'),
        'wrong': sqlanon._literal(
            ' rows of table ' || tbl || ' have no whole number of at least 0 in column "' || weight
            || '" (weight): NULL, something below 0, a fraction or no number. The weights of a sample, such '
            || 'as 12.37, are for sampling_weight, which risk and record_risk have'),
        'too_many': sqlanon._literal(
            'the rows of table ' || tbl || ' may stand for 4294967295 people at most: column "' || weight
            || '" (weight) adds up to ')}));

-- The text of a relation with columns of a table, and with or without a weight.
create or replace macro sqlanon._rows_of(tbl, columns, weight) as
    sqlanon._let(columns, lambda chosen:
        case when weight is null then '(select ' || chosen || ' from ' || sqlanon._relation(tbl) || ')'
             else '(' || sqlanon._call('_weighted_rows', [
                      sqlanon._literal(tbl), sqlanon._literal(chosen), sqlanon._literal(weight::varchar)])
                  || ')'
        end);

-- Columns of a table as a relation, read once, from which everything is then counted and released: a view
-- with a sample, or a table that somebody writes to, has other rows the next time. The columns in qi compare
-- by their bytes, whatever their collation; the others have theirs still: two sensitive values that it calls
-- equal are one. With a weight, rows that stand for nobody are not there.
create or replace macro sqlanon._source(tbl, qi, others, weight := null) as table
    from query(
        case when len(sqlanon._list(qi)) = 0 then sqlanon._error_of_no_columns()
             else sqlanon._fill($$
                 select * replace ({by_bytes}) from {rows}
             $$, map {
                 'by_bytes': sqlanon._each_of(
                     sqlanon._each_once(sqlanon._list(qi)), sqlanon._by_bytes('{c}') || ' as {c}', ', '),
                 'rows': {sqlanon._rows_of:
                     columns := sqlanon._each_of(
                         sqlanon._each_once(sqlanon._list(qi) || sqlanon._list(others)), '{c}', ', ')
                         || coalesce(', ' || sqlanon._quote(weight), '')}})
        end);

-- Names as the text of a list, and a value as a literal, NULL among them. A macro's parameters are written
-- out wherever its body uses them; the public macros work theirs out once, and hand on constants. (DuckDB
-- writes a list so that it reads the same list, and reads it faster than its names one by one.)
create or replace macro sqlanon._names_of(names) as sqlanon._literal(names::varchar) || '::varchar[]';
create or replace macro sqlanon._names(names) as sqlanon._names_of(sqlanon._list(names));
create or replace macro sqlanon._names_if_any(names) as
    if(names is null, 'null::varchar[]', sqlanon._names(names));
create or replace macro sqlanon._optional(value) as coalesce(sqlanon._literal(value::varchar), 'null');
create or replace macro sqlanon._boolean_text(value) as coalesce(value::boolean::varchar, 'null');

-- The name of a relation that is made of what is given (hierarchies, a population, a unit), or NULL where it
-- is not.
create or replace macro sqlanon._if_any(given, relation) as case when given is not null then relation end;

-- A query where something is given, and no rows of such columns where it is NULL, as a text.
create or replace macro sqlanon._if_given(given, columns, query) as
    case when given is null then 'select ' || columns || ' where false' else query end;

-- The columns that a release is made of, for a look at whether they are there.
create or replace macro sqlanon._roles(tbl, qi, sensitive, keep, unit := null) as table
    from query(
        sqlanon._checked(qi, sensitive, keep, unit)
        || 'from ' || sqlanon._projected(tbl, qi, sensitive, sqlanon._list(keep) || sqlanon._list(unit)));

-- The source of a relation that may be given, or no rows.
create or replace macro sqlanon._source_if_any(given, qi, weight := null) as table
    with none as (select null where false),
    given_source as (from sqlanon._source(given, qi, [], weight))
    from query_table(if(given is null, 'none', 'given_source'));
