-- How few offsets are possible for a person whose dates were shifted.
--
-- The offset is from one range for all. But who knows when the data were collected knows that no true date is
-- outside of these days: a person whose shifted dates are from s to t was shifted back by at least
-- collected_from - s days, and by at most collected_until - t. Somebody whose first event is on the first of
-- these days, and who was shifted by 364 days, is left with one offset, and all their true dates are known.

-- A day as a date; error: not a day.
create or replace macro sqlanon._day_given(given, parameter) as
    coalesce(try_cast(given::varchar as date),
             error(parameter || ' must be a day, such as 2026-01-01, not '
                   || coalesce(given::varchar, 'NULL')));

-- The offsets from at_least to at_most days that shift_dates draws.
create or replace macro sqlanon._offsets_between(at_least, at_most, whole_weeks) as
    greatest(if(whole_weeks,
                floor(least(at_most, 364) / 7) - ceil(greatest(at_least, 7) / 7),
                least(at_most, 364) - greatest(at_least, 7)) + 1, 0)::integer;

create or replace macro sqlanon.possible_offsets(
    tables, unit, joins, dates, collected_from, collected_until, whole_weeks := false) as table
    from query(
        case when len(sqlanon._list(dates)) = 0 then error('dates names no column, such as stay.admitted')
             when sqlanon._day_given(collected_from, 'collected_from')
                  > sqlanon._day_given(collected_until, 'collected_until')
             then error('collected_from is after collected_until')
             else sqlanon._settings_checked() end
        || sqlanon._let(
            sqlanon._said_of_tables(tables, unit, joins, 'dates', null, dates, null), lambda said:
                sqlanon._rows_of_everybody(said['tree'], said['roles'])
                || sqlanon._fill($$,
                    _sqlanon_span as materialized (  -- of all dates in all tables
                        select person, min(moment)::date as first_day, max(moment)::date as last_day
                        from ({moments}) group by person having count(moment) > 0
                    ),
                    _sqlanon_possible as materialized (
                        select own as person,
                               coalesce(sqlanon._offsets_between(
                                            {from} - first_day, {until} - last_day, {whole_weeks}),
                                        sqlanon._offsets_between(0, 364, {whole_weeks})) as offsets
                        from _sqlanon_read{root} left join _sqlanon_span on person = row_id
                        where (select count(refused) = 0 from _sqlanon_refusal)
                    ),
                    _sqlanon_impossible as (
                        select error('no offset is possible for ' || count(*) || ' people: their dates '
                                     || 'cannot be shifted dates of what was collected from ' || {from}
                                     || ' until ' || {until}) as refused
                        from _sqlanon_possible where offsets = 0 having count(*) > 0
                    )
                    from _sqlanon_possible where (select count(refused) = 0 from _sqlanon_impossible)
                    order by offsets, person::varchar
                $$, map {
                    'moments': sqlanon._moments_of_people(said['roles'], 'unnest([{dates}])'),
                    'root': said['tree'][1]['nth']::varchar,
                    'whole_weeks': coalesce(whole_weeks::boolean, false)::varchar,
                    'from': 'date ' || sqlanon._literal(
                        sqlanon._day_given(collected_from, 'collected_from')::varchar),
                    'until': 'date ' || sqlanon._literal(
                        sqlanon._day_given(collected_until, 'collected_until')::varchar)})));

comment on macro table sqlanon.possible_offsets is $$
Lists people with the number of offsets by which shift_dates may have shifted their dates, for somebody who
knows when the data were collected: no true date is outside of these days. Whoever has one offset left is not
protected by it: all their dates are known.

Parameters:
- tables (list of tables with names): the tables with shifted dates, one of which has a row per person, as in
  person_classes.
- unit, joins: as in person_classes
- dates (list of texts): all columns with shifted dates, as table.column.
- collected_from (text): the first day that a true date can have, such as 2026-01-01.
- collected_until (text): the last one.
- whole_weeks (boolean; default false): were dates shifted by whole weeks? As in shift_dates.

Result:
- person (unchanged): the unit, as the person table has it. Those with the fewest offsets come first.
- offsets (integer, offsets): how many are possible, of 358 days or 52 weeks; all of them for somebody without
  a date.

Errors: as in person_classes; a day that is none; people for whom no offset is possible, which says that the
days are wrong, or that the dates have not been shifted.

Notes: it asks of each person how many offsets there are, not how probable each is. Who knows that collections
began on a busy day knows more. Releasing only what was collected some weeks after the first day and before
the last gives everybody more of them.

Example:
with person as (from (values ('p1'), ('p2')) as person(patient)),
stay as (
    from (values ('p1', date '2025-02-01'), ('p1', date '2025-03-01'), ('p2', date '2025-11-20'))
    as stay(patient, admitted)
)
from sqlanon.possible_offsets(
    ['person', 'stay'], unit := 'person.patient', joins := ['stay.patient=person.patient'],
    dates := ['stay.admitted'], collected_from := '2026-01-01', collected_until := '2026-12-31');
$$;
