-- Refusals that several macros share: errors that name what is wrong with what a caller gave.

-- A hierarchy without values that the table has. shown: some of them, for who may see them; lacking: how many
-- there are. whose: a further word on them, or an empty text.
create or replace macro sqlanon._lacks_values(name, shown, lacking, whose) as
    error('the hierarchy of column ' || name || ' lacks '
          || if(lacking = 1, 'a value', lacking || ' values') || whose
          || if(sqlanon._shows_values(),
                ': ' || array_to_string(shown, ', ')
                || if(lacking > len(shown), ' and ' || (lacking - len(shown)) || ' others', ''),
                '; sqlanon.lacking_values lists what a table has and a hierarchy lacks'));

-- Rows that are there twice, by a column that should tell them apart: no row, or an error. repeated: a
-- relation of value and n, how often it is there, for the values that are there more than once. what: they
-- are called.
create or replace macro sqlanon._refuse_repeated(repeated, what, tbl, id) as table
    select error('column ' || id || ' of ' || tbl || ' names ' || count(*) || ' of the ' || what
                 || ' several times, in ' || sum(n) || ' rows' || sqlanon._such_as(min(value::varchar))
                 || '. Whoever has several rows: number the rows as the id, and give ' || id
                 || ' as unit, where there is one') as refused
    from query_table(repeated) having count(*) > 0;

-- How an attack says that it is not about such releases, so that nothing is to be found by it: text.
create or replace macro sqlanon._moot(why) as 'is not about such releases: ' || why;
