-- Stage and test: a table of tonight's patients. An error ends the script, and nothing is published.
create or replace table patients as
select age, zip, diagnosis from read_csv('patients.csv', types = {'zip': 'text'});

select error(problem)
from (select case when count(*) < 100 then 'fewer than 100 patients'
                  when count(*) > count(age) then 'a patient without an age'
                  when bool_or(age not between 0 and 120) then 'an age that is none' end as problem
      from patients)
where problem is not null;
