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
