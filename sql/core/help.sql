-- Help: the public macros and what their comments say, from the catalog itself.
--
-- All comments have one form, which these macros take apart. The first paragraph says what the macro does.
-- Blocks follow, with an empty line between: Parameters and Result with a line for each, then Errors, Notes,
-- Source and Example; and, in macros that users have written, Attack, Anonymizer or Measure. A line is one of
--     - name (type; default X): meaning
--     - name, name: as in another_macro
-- where no default means that the parameter must be given, and <qi> is every column that qi names. A further
-- line of the same entry is indented by two spaces.

-- The public macros: macro, topic, comment; home (database and schema), of those that others have written,
-- whose comments have a block Attack, Anonymizer or Measure. One of a name that is taken is not theirs to
-- take.
create or replace macro sqlanon._public_macros() as table
    select distinct on (function_name) function_name as macro, coalesce(topic, 'plug-in') as topic, comment,
           if(topic is null, [database_name, schema_name], null) as home
    from duckdb_functions() left join sqlanon._topics() on function_name = public_macro
    where function_type in ('macro', 'table_macro')
      and case when database_name = 'sqlanon' then topic is not null
               else topic is null and regexp_matches(comment, '\n\n(Attack|Anonymizer|Measure):\n') end
    order by database_name <> 'temp', database_name, schema_name;

-- The comments of macros in blocks: topic, macro, home, place (from 1), kind, text. public_macros: those of
-- _public_macros, or some of them. To list them takes longer than all else, so it is done once.
create or replace macro sqlanon._blocks_of_comments(public_macros) as table
    with block as (
        select topic, macro, home, unnest(string_split(trim(comment, e'\n'), e'\n\n')) as block,
               generate_subscripts(string_split(trim(comment, e'\n'), e'\n\n'), 1) as place
        from query_table(public_macros)
    )
    select topic, macro, home, place,
           case when place = 1 then 'about'
                else lower(regexp_extract(block, '^([A-Z][a-z]+):', 1))
           end as kind,
           case when place = 1 then block else regexp_replace(block, '^[A-Z][a-z]+:\s', '') end as text
    from block;

create or replace macro sqlanon._help_blocks() as table
    with _sqlanon_public as (from sqlanon._public_macros())
    from sqlanon._blocks_of_comments('_sqlanon_public');

-- The lines of parameters and results, a row per name: macro, place, line, position (of the name in the
-- line), kind, name, type, fallback (its default), meaning; and referred, the macro that has the last three
-- if this one has not. blocks: of _help_blocks, or some of them.
create or replace macro sqlanon._lines_of_blocks(blocks) as table
    with entry as (
        select macro, place, if(kind = 'result', 'result', 'parameter') as kind,
               unnest(string_split(replace(text, e'\n  ', ' '), e'\n')) as entry,
               generate_subscripts(string_split(replace(text, e'\n  ', ' '), e'\n'), 1) as line
        from query_table(blocks) where kind in ('parameters', 'result')
    ),
    parsed as (
        select macro, place, line, kind,
               regexp_extract(entry, '^- ([\w<>, ]+): as in (\w+)$', ['names', 'referred']) as shared,
               regexp_extract(entry, '^- ([\w<>]+) \((.*?)(?:; default (.*?))?\): (.*)$',
                              ['name', 'type', 'fallback', 'meaning']) as own
        from entry
    ),
    named as (
        select *, string_split(coalesce(nullif(shared.names, ''), own.name), ', ') as names from parsed
    )
    select macro, place, line, generate_subscripts(names, 1) as position, kind, unnest(names) as name,
           own.type as type, nullif(own.fallback, '') as fallback, own.meaning as meaning,
           nullif(shared.referred, '') as referred
    from named;

create or replace macro sqlanon._help_lines() as table
    with _sqlanon_block as (from sqlanon._help_blocks())
    from sqlanon._lines_of_blocks('_sqlanon_block');

-- The first sentence of a text.
create or replace macro sqlanon._first_sentence(text) as
    regexp_extract(replace(text, e'\n', ' '), '^(.*?[.?])( [A-Z]|$)', 1);

-- Every public macro, with the first sentence of its comment: topic, macro, description.
create or replace macro sqlanon._macros_by_topic() as table
    select topic, macro, sqlanon._first_sentence(text) as description
    from sqlanon._help_blocks()
    where place = 1
    order by topic, macro;

-- What a macro takes and gives: kind, name, type, default, meaning. Errors: an unknown macro.
create or replace macro sqlanon._explained(wanted) as table
    with refusal as (
        select error('there is no macro "' || wanted || '"; did you mean '
                     || arg_max(macro, (jaro_winkler_similarity(macro, lower(wanted)), macro))
                     || '? (FROM sqlanon.help() lists all.)') as refused
        from sqlanon._public_macros() having not bool_or(macro = lower(wanted))
    ),
    line as materialized (from sqlanon._help_lines()),
    row_of_help as (
        select used.place, used.line, used.position, used.kind, used.name,
               told.type, told.fallback, told.meaning
        from line as used join line as told
          on told.macro = coalesce(used.referred, used.macro)
             and told.kind = used.kind and told.name = used.name
        where used.macro = lower(wanted)
        union all
        select place, 0, 0, kind, null, null, null, if(kind = 'example', text, replace(text, e'\n', ' '))
        from sqlanon._help_blocks()
        where macro = lower(wanted) and kind not in ('parameters', 'result')
    )
    select kind, name, type, fallback as "default", meaning
    from row_of_help
    where (select count(refused) = 0 from refusal)
    order by place, line, position;

create or replace macro sqlanon.help(macro := null) as table
    from query(case when macro is null then 'from sqlanon._macros_by_topic()'
                    else 'from sqlanon._explained(' || sqlanon._literal(macro) || ')' end);

comment on macro table sqlanon.help is $$
Lists the public macros by topic, one row each with what it does; or explains one of them, by what it takes
and what it gives.

Parameters:
- macro (text; default null): the name of a macro. If not given, all are listed.

Result:
- topic (text): without macro: the folder of sql/ that has the macro.
- macro (text): without macro: its name.
- description (text): without macro: the first sentence of its comment.
- kind (text): with macro: about, parameter, result, errors, notes, source or example.
- name (text): with macro: of a parameter or a column of the result; <qi> stands for the columns that qi
  names.
- type (text): with macro: its type, with the values that it takes or its unit.
- default (text): with macro: what a parameter is if it is not given; NULL if it must be.
- meaning (text): with macro: what it stands for; or the text of another kind.

Errors: unknown macro.

Notes: a table is the name of a table, a view, a file or a CTE of the calling query, as a text; a column is a
name; columns are a name or a list of names.

Example:
from sqlanon.help('mondrian');
$$;
