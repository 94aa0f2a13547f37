-- Refusals that several macros share: errors that name what is wrong with what a caller gave.

-- A hierarchy without values that the table has. shown: some of them; lacking: how many there are. whose: a
-- further word on them, or an empty text.
create or replace macro sqlanon._lacks_values(name, shown, lacking, whose) as
    error('the hierarchy of column ' || name || ' lacks '
          || if(lacking = 1, 'the value ', lacking || ' values: ') || array_to_string(shown, ', ')
          || if(lacking > len(shown), ' and ' || (lacking - len(shown)) || ' others', '') || whose);

-- How an attack says that it is not about such releases, so that nothing is to be found by it: text.
create or replace macro sqlanon._moot(why) as 'is not about such releases: ' || why;
