-- Dates that leave shifted: all dates of a person by one offset, which a keyed hash of the person says. So
-- tables that are released one after the other agree, and nothing has to be kept but the key. The offset is
-- from one range for all, whatever somebody's own dates are, and backwards, so that no date is in the future.

-- A date, or a point in time, so many days before. As in _by_bytes the type decides when the query is bound.
create or replace macro sqlanon._days_before(value, days) as
    struct_extract(
        struct_pack(
            day := try_cast(value as date) - days,
            moment := try_cast(value as timestamp) - to_days(days),
            zoned := try_cast(value as timestamp with time zone) - to_days(days),
            other := if(value is null or typeof(value) = 'DATE' or typeof(value) like 'TIMESTAMP%', null,
                        error('shift_dates takes a date or a timestamp, not ' || typeof(value)
                              || ': cast it'))),
        case when typeof([value]) = 'DATE[]' then 'day'
             when typeof([value]) = 'TIMESTAMP WITH TIME ZONE[]' then 'zoned'
             when typeof([value]) in ('TIMESTAMP[]', 'TIMESTAMP_S[]', 'TIMESTAMP_MS[]', 'TIMESTAMP_NS[]')
             then 'moment' else 'other' end);

-- The offset of a person in days, from 52 bits of the hash.
create or replace macro sqlanon._offset_of_person(person, release, key, whole_weeks) as
    sqlanon._let(
        ('0x' || sqlanon.hmac_sha256(
                     sqlanon._key_for('shift_dates', release, key), sqlanon._key_text(person))[:13])::bigint,
        lambda drawn_bits: if(whole_weeks, 7 * (1 + drawn_bits % 52), 7 + drawn_bits % 358)::integer);

create or replace macro sqlanon.shift_dates(
    value, person, release, key := 'sqlanon_key', whole_weeks := false) as
    sqlanon._let(sqlanon._offset_of_person(person, release, key, whole_weeks), lambda days_of_person:
        sqlanon._days_before(value, days_of_person));

comment on macro sqlanon.shift_dates is $$
Shifts a date back by 7 to 364 days. All dates of a person, in all tables of a release, are shifted by the
same offset, which is drawn for each person by a secret key. So intervals between them stay what they are.
This alone is no guarantee: intervals can identify people.

Parameters:
- value (value): a date or a timestamp. NULL stays NULL.
- person (value): the key of the person, of which p1 and "P1 " are spellings. Without one the date is NULL.
- release (text): the name of the release. In another release offsets are others.
- key (text; default 'sqlanon_key'): the name of a variable of the session that has the secret key, as in
  pseudonym.
- whole_weeks (boolean; default false): shift by whole weeks, 1 to 52, so that weekdays stay what they are.

Result:
- shifted (unchanged): the date, or the point in time to the microsecond.

Errors: the session has no such variable, or a key of less than 16 bytes; release is empty or NULL; a value
that is neither a date nor a timestamp.

Notes: intervals, the order of a person's dates, times of day and, with whole_weeks, weekdays stay. Give the
columns as dates to person_classes, which tells how many people they identify. Who knows one date of a person
knows all. If it is known when the data were collected, a person whose dates are near its ends has fewer
offsets that are possible (possible_offsets). Do not shift dates of birth, but generalize them. Do not release
a column that gives the offset away, such as an age in days or the year beside the date.

Example:
select sqlanon.shift_dates(
    date '2026-03-02', person := 'p1', release := 'spring', key := 'sqlanon_key') as shifted;
$$;
