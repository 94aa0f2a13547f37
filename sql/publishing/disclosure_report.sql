-- What a report says of releases: how their labels are shown.

-- A released label as short as people can read it: of a set the first elements and how many there are
-- besides, of any other text its first characters.
create or replace macro sqlanon._shortened(label, elements := 3, characters := 60) as
    case when sqlanon._form(label) = 'set' and len(sqlanon._parsed_elements(label)) > elements + 1
         then sqlanon._let(sqlanon._parsed_elements(label), lambda every:
             array_to_string(list_transform(every[:elements], lambda element:
                 sqlanon._shortened_text(sqlanon._element_text(element), characters)), ', ')
             || ' and ' || (len(every) - elements) || ' more')
         else sqlanon._shortened_text(label, characters)
    end;

create or replace macro sqlanon._shortened_text(string, characters) as
    if(length(string) > characters, string[:characters] || '…', string);

-- What counts with noise say of themselves: measure, value, unit, low and high (where they leave the number
-- of people with a probability of about 95 %: 1.96 standard deviations, whatever the noise), id. A count is
-- lost in the noise if 0 is as near as that.
create or replace macro sqlanon._count_precision(release, columns, count_column, deviation_column) as table
    with _sqlanon_row as materialized (
        from sqlanon._source(release, columns, [count_column, deviation_column])
    ),
    _sqlanon_counted as materialized (
        from sqlanon._counted_groups('_sqlanon_row', columns, count_column, deviation_column, release)
    ),
    summed as (
        select count(*) as groups, fsum(counted) as people,
               1.96 * sqrt(fsum(deviation * deviation)) as margin,
               median(deviation) as typical, max(deviation) as largest,
               100 * count_if(abs(counted) <= 1.96 * deviation) / count(*) as lost
        from _sqlanon_counted
    )
    select 'groups' as measure, groups::double as value, null as unit, null::double as low,
           null::double as high, 'groups' as id
    from summed
    union all
    select 'people, by the counts', people, null, people - margin, people + margin, 'people_counted'
    from summed
    union all
    select 'standard deviation of the noise, median', typical, null, null, null, 'deviation_median'
    from summed
    union all
    select 'standard deviation of the noise, largest', largest, null, null, null, 'deviation_largest'
    from summed
    union all
    select 'counts lost in the noise', lost, '%', null, null, 'lost_in_noise' from summed;
