-- Numbers that a caller gives: the value, NULL where none is given, or an error that names the parameter. The
-- text of a number is read as that number. True and false, lists, other text and NaN are no numbers.

create or replace macro sqlanon._number_given(given) as try_cast(given::varchar as double);

-- A whole number of at least least, and at most most. bounds: the same in words, for the error.
create or replace macro sqlanon._whole_number_within(given, parameter, least, most, bounds) as
    case when given is null then null
         else sqlanon._let(sqlanon._number_given(given), lambda number:
             case when number >= least and number <= most and number = floor(number) then number::bigint
                  when number >= 9e15 and not isnan(number)
                  then error(parameter || ' must be a whole number below 9e15, not ' || given::varchar)
                  else error(parameter || ' must be ' || bounds || ', not ' || given::varchar)
             end)
    end;
create or replace macro sqlanon._whole_number(given, parameter) as
    sqlanon._whole_number_within(
        given, parameter, 1, 8999999999999999, 'a whole number of at least 1');

-- Parameters that cannot be left out: a whole number, a seed, a truth value.
create or replace macro sqlanon._whole_given(given, parameter) as
    coalesce(sqlanon._whole_number(given, parameter),
             error(parameter || ' must be a whole number of at least 1, not NULL'));
create or replace macro sqlanon._seed_given(seed) as
    coalesce(seed::bigint, error('seed must be a whole number, not NULL'));
create or replace macro sqlanon._truth_given(given, parameter) as
    coalesce(given, error(parameter || ' must be true or false, not NULL'))::boolean;

-- A number above lo, or at it if closed, and at most hi. bounds: the same in words, for the error.
create or replace macro sqlanon._real_number(given, parameter, lo, closed, hi, bounds) as
    case when given is null then null
         else sqlanon._let(sqlanon._number_given(given), lambda number:
             case when not isnan(number) and number <= hi and (number > lo or (closed and number = lo))
                  then number
                  else error(parameter || ' must be ' || bounds || ', not ' || given::varchar) end)
    end;

-- A share, 0 to 1, as a parameter that cannot be left out.
create or replace macro sqlanon._share(given, parameter) as
    coalesce(sqlanon._real_number(given, parameter, 0, true, 1, 'between 0 and 1'),
             error(parameter || ' must be between 0 and 1, not NULL'));

-- A seed as the text of a number, or null.
create or replace macro sqlanon._seed(seed) as coalesce(seed::bigint::varchar, 'null');

-- A number or a truth value as a query has it, NULL among them.
create or replace macro sqlanon._written(value) as coalesce(value::varchar, 'null');

-- A number as people write it: 5, not 5.0.
create or replace macro sqlanon._number_text(number) as
    case when abs(number) < 1e15 and number = floor(number) then number::bigint::varchar
         else number::varchar end;

-- A whole number from 0 to most, that cannot be left out.
create or replace macro sqlanon._whole_number_up_to(given, parameter, most) as
    coalesce(sqlanon._whole_number_within(given, parameter, 0, most, 'a whole number from 0 to ' || most),
             error(parameter || ' must be a whole number from 0 to ' || most || ', not NULL'));

-- How many standard deviations of a normal distribution are 95 % of it, to either side.
create or replace macro sqlanon._z_95() as 1.959963984540054;
