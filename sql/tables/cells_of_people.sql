-- In which cells people are together, where they can be in several: of each set of finest cells how many
-- people are in exactly these. What a table says of anybody is a sum over such sets.

-- The sets: cells (a list of lists of labels), people. Rows without a person are those of one more.
create or replace macro sqlanon._cells_of_people(relation, unit, dimensions) as table
    from query(sqlanon._fill($$
        select cells, count(*) as people
        from (
            select person, list(cell order by cell) as cells
            from (select distinct {person} as person,
                         [{each dimensions: sqlanon._plain_text(src.{c}::varchar)}] as cell
                  from {relation} as src)
            group by person
        )
        group by cells
    $$, map {'person': sqlanon._person(unit, null)}));
