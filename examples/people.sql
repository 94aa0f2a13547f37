-- The tables of the examples in REFERENCE.md, which also shows this file.

create table people as
    from (values
        ('Ada',   21, '13053', 'flu',     31000), ('Bob',   24, '13068', 'asthma',  28000),
        ('Cleo',  27, '13068', 'flu',     39000), ('Dan',   29, '13053', 'cancer',  42000),
        ('Eve',   33, '13068', 'asthma',  35000), ('Fred',  36, '13053', 'flu',     47000),
        ('Gina',  38, '14850', 'cancer',  52000), ('Hal',   41, '14850', 'flu',     44000),
        ('Iris',  45, '14853', 'asthma',  61000), ('Jack',  47, '14853', 'cancer',  58000),
        ('Kate',  52, '14850', 'flu',     66000), ('Liam',  58, '14853', 'cancer',  73000)
    ) as person(name, age, zip, disease, income);

-- What labels stand for: intervals of ages, and ZIP codes with fewer and fewer digits.
create table hierarchies as
    from sqlanon.interval_hierarchy('people', 'age', widths := [10, 20])
    union all from sqlanon.mask_hierarchy('people', 'zip');

-- Two releases, of people under 42 and of those over 30; and whom somebody looks for in both.
create table east as
    with part as (from people where age < 42)
    from sqlanon.mondrian('part', qi := ['age', 'zip'], sensitive := 'disease', k := 3);
create table west as
    with part as (from people where age > 30)
    from sqlanon.mondrian('part', qi := ['age', 'zip'], sensitive := 'disease', k := 3);
create table voters as from people where age between 31 and 41;

-- A release that changes incomes by chance.
create table noisy as from sqlanon.add_noise('people', columns := 'income', keep := 'name', seed := 42);

-- A hierarchy as ARX has it, in a file.
copy (from (values ('flu', 'infection', '*'), ('asthma', 'chronic', '*'), ('cancer', 'chronic', '*')))
    to 'disease.csv' (header false, delimiter ';');

-- A secret key, for trying out. A real one comes from a file, and stands in no statement.
set variable sqlanon_key = 'a key for trying things out';
