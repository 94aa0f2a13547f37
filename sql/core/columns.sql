-- What a column probably is: by words in its name, and by its type.

-- Words in the names of columns that tell what these are, in English and German (without accents).
create or replace macro sqlanon._words() as {
    'sensitive': 'disease diagnosis diagnoses diag dx condition illness icd symptom treatment medication '
        || 'drug therapy salary income inctot wage wages earnings pay debt credit balance occupation occ '
        || 'religion orientation party vote hiv crime offense diagnose krankheit erkrankung befund therapie '
        || 'medikament gehalt lohn einkommen schulden konfession partei beruf straftat',
    'identifier': 'id uuid guid ssn name surname forename firstname lastname fullname username login email '
        || 'mail phone telephone mobile fax passport license licence iban account address street url ip '
        || 'patient mrn nachname vorname familienname anschrift adresse strasse telefon handy ausweis '
        || 'fallnummer aktenzeichen patientennummer patientenid kundennummer mitgliedsnummer personalnummer '
        || 'kontonummer versichertennummer sozialversicherungsnummer steuernummer ausweisnummer',
    'qi': 'age sex gender zip zipcode postcode postal plz city town county district state region province '
        || 'country nationality race ethnicity marital education degree birth birthday birthdate birthyear '
        || 'dob date year language workclass geschlecht geburtsdatum geburtstag geburtsjahr geburtsort '
        || 'geboren alter postleitzahl ort wohnort stadt gemeinde landkreis bundesland land nationalitat '
        || 'staatsangehorigkeit familienstand bildung bildungsabschluss schulabschluss sprache',
    'unit': 'id uuid guid ssn patient mrn person customer client member user username login email passport '
        || 'patientennummer patientenid kunde kundin kundennummer mitglied mitgliedsnummer personalnummer '
        || 'versichertennummer',
    'amount': 'cost costs amount amounts price prices fee fees charge charges total kosten betrag preis '
        || 'summe entgelt rechnungsbetrag',
    'weight': 'count counts frequency freq n people persons individuals',
    'code': 'zip zipcode postcode postal plz postleitzahl'};

-- The words of a name, in lower case: postalCode and postal_code have postal and code, Straße has strasse.
create or replace macro sqlanon._words_of(name) as
    regexp_extract_all(
        strip_accents(replace(lower(regexp_replace(name, '([a-z])([A-Z])', '\1 \2', 'g')), 'ß', 'ss')),
        '[a-z]+');

-- Is one of these words in a name, alone or as all of its words together (postalcode)?
create or replace macro sqlanon._has_word(name, words) as
    sqlanon._let(sqlanon._words_of(name), lambda parts:
        list_has_any(
            string_split(words, ' '),
            list_append(parts, coalesce(list_aggregate(parts, 'string_agg', ''), ''))));

-- Is a word of this kind in a name?
create or replace macro sqlanon._is_called(name, kind) as
    sqlanon._has_word(name, struct_extract(sqlanon._words(), kind));

-- What a type is, without its parameters: DECIMAL, LIST.
create or replace macro sqlanon._plain_type(type) as
    if(type like '%]', 'LIST', regexp_replace(type, '(?s)[^A-Z_ ].*', ''));
create or replace macro sqlanon._is_integer_type(type) as
    type in ('TINYINT', 'SMALLINT', 'INTEGER', 'BIGINT', 'HUGEINT',
             'UTINYINT', 'USMALLINT', 'UINTEGER', 'UBIGINT', 'UHUGEINT');
create or replace macro sqlanon._is_fraction_type(type) as type in ('FLOAT', 'DOUBLE', 'DECIMAL');
create or replace macro sqlanon._is_number_type(type) as
    sqlanon._is_integer_type(type) or sqlanon._is_fraction_type(type);
create or replace macro sqlanon._is_date_type(type) as
    type in ('DATE', 'TIMESTAMP', 'TIMESTAMP_S', 'TIMESTAMP_MS', 'TIMESTAMP_NS', 'TIMESTAMP WITH TIME ZONE');
create or replace macro sqlanon._is_text_type(type) as type in ('VARCHAR', 'ENUM');
