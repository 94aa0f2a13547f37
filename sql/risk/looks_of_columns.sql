-- What columns look like: by the form of their values, and by their names.
--
-- All distinct values of a column are looked at, never a sample: what looks like an e-mail address, an IBAN
-- or the number of a card is one, whatever the column is called. A vague form (addresses, free text, names of
-- people) is also what some diagnoses look like, which however repeat.

create or replace macro sqlanon._mostly() as 0.9;
create or replace macro sqlanon._enough_rows() as 20;

-- Words in the names of columns by what these columns hold, as in sql/core/columns.sql. The first mean little
-- else.
create or replace macro sqlanon._telling_words() as map {
    'e-mail address': 'email mail emailaddress mailaddress mailadresse courriel adressemail '
        || 'adresseelectronique correo correoelectronico postaelettronica correioeletronico epost '
        || 'epostadress',
    'phone number': 'phone telephone mobile cellphone fax telefon handy phonenumber msisdn mobil '
        || 'mobilnummer handynummer telefonnummer telefax tel telefono cellulare movil celular telefoon '
        || 'telefoonnummer gsm telefone telemovel komorka mobiltelefon telefonnr telnr telnummer '
        || 'rufnummer handynr mobilnr portable',
    'social security number': 'ssn socialsecurity socialsecuritynumber nino ahv ahvnummer svnr '
        || 'sozialversicherungsnummer rentenversicherungsnummer nir securitesociale codicefiscale aadhaar '
        || 'pesel bsn burgerservicenummer rijksregisternummer seguridadsocial segurancasocial niss cpf '
        || 'curp personnummer samordningsnummer svnummer rvnr rvnummer sozialversnr rentenversnr nosecu '
        || 'nsecu numsecu numerosecu noss nss numss numeross avs navs noinsee ninsee numinsee numeroinsee',
    'IBAN': 'iban',
    'card number': 'cardnumber creditcard kreditkarte kartennummer pan cartebancaire cartecredito '
        || 'cartacredito tarjeta kortnummer numerkarty',
    'coordinate': 'latitude longitude lat lon lng breitengrad laengengrad latitud longitud latitudine '
        || 'longitudine breedtegraad lengtegraad',
    'number': 'passport passportnumber mrn licenceplate licenseplate kennzeichen imei vin fallnummer '
        || 'aktenzeichen patientennummer patientenid kundennummer mitgliedsnummer kontonummer '
        || 'personalnummer versichertennummer versicherungsnummer steuernummer ausweis ausweisnummer '
        || 'reisepass matricule passeport numerodossier immatriculation passaporto cartellaclinica targa '
        || 'pasaporte matricula historiaclinica paspoort patientnummer klantnummer dossiernummer '
        || 'rekeningnummer kenteken passaporte paszport numerpacjenta numerkonta kundnummer journalnummer '
        || 'registreringsnummer versichertennr krankenversichertennummer versnr versnummer kvnr kvnummer '
        || 'vnnr policenr policennr policenummer policennummer vertragsnr vertragsnummer mitgliedsnr '
        || 'mitglnr patnr patid patientennr kundennr personalnr persnr steuerid steuernr idnr fallnr '
        || 'rechnungsnr rechnungsnummer rgnr ndossier nodossier numdossier nassure noassure numassure '
        || 'numeroassure nadherent noadherent numadherent numeroadherent ncontrat nocontrat numcontrat '
        || 'numerocontrat nfacture nofacture numfacture numerofacture ipp',
    'address': 'address street anschrift adresse strasse hausnummer homeaddress streetaddress rue '
        || 'domicile indirizzo domicilio direccion calle adres straat huisnummer endereco morada rua '
        || 'ulica adress gata gatuadress hausnr strnr strassenr',
    'name': 'surname lastname firstname forename fullname givenname familyname middlename maidenname '
        || 'username login nachname vorname familienname rufname geburtsname benutzername prenom prenoms '
        || 'nomfamille patronyme cognome apellido apellidos nombrecompleto voornaam achternaam '
        || 'familienaam roepnaam sobrenome apelido nomecompleto nazwisko imie imiona foernamn efternamn '
        || 'tilltalsnamn zuname nachn vorn maedchenname gebname versicherter versicherungsnehmer '
        || 'nomnaissance nompatronymique',
    'free text': 'remark remarks comment comments note notes freetext memo bemerkung bemerkungen '
        || 'anmerkung anmerkungen kommentar kommentare notiz notizen freitext remarque remarques '
        || 'commentaire commentaires observations osservazione osservazioni nota annotazioni commento '
        || 'commenti observacion observaciones notas comentario comentarios opmerking opmerkingen notitie '
        || 'notities toelichting observacao observacoes anotacoes uwaga uwagi komentarz komentarze '
        || 'notatki anmaerkning anmaerkningar kommentarer anteckning anteckningar'};
-- Words in names of columns that hint at an identifier, but are about many other things as well.
create or replace macro sqlanon._hinting_words() as map {
    'number': 'id ids nr no num insee number nummer numero numer nro uuid guid key ref reference licence '
        || 'license patient patientin dni nif identifiant identificativo identificador kennung '
        || 'identyfikator paziente paciente pacjent',
    'name': 'name names nom noms nome nombre nombres naam namen namn'};

-- Can a column of this type hold that? Names of people and remarks are texts: Nombre d'enfants is a number.
-- (NULL: none of these.)
create or replace macro sqlanon._may_hold(type, look) as
    case when look in ('name', 'free text') then sqlanon._is_text_type(sqlanon._plain_type(type))
         when look is not null then true end;

-- What the name of a column says that it holds (NULL: nothing), by one of these lists. whole: only where the
-- word is all of the name.
create or replace macro sqlanon._told_by_name(column_name, words, whole) as
    sqlanon._let(if(whole and len(sqlanon._words_of(column_name)) > 1, '', column_name), lambda looked_at:
        list_filter(map_entries(words), lambda entry:
            sqlanon._has_word(looked_at, entry['value']))[1]['key']);

-- Is a text of digits the number of a card (Luhn, US patent 2,950,048)? From the right every second digit is
-- doubled, and the digits of all of them add up to a multiple of 10.
create or replace macro sqlanon._has_check_digit(digits) as
    list_sum(list_transform(string_split(reverse(digits), ''), lambda digit, place:
        if(place % 2 = 1, digit::integer, digit::integer * 2 - if(digit::integer > 4, 9, 0)))) % 10 = 0;

-- Is a text that begins with a country and two digits the number of an account (ISO 13616)? With these four
-- characters at its end and letters as numbers (A is 10, Z is 35), it leaves 1 if it is divided by 97.
create or replace macro sqlanon._has_check_digits(account) as
    list_reduce(
        list_transform(
            regexp_extract_all(
                list_aggregate(
                    list_transform(string_split(account[5:] || account[:4], ''), lambda letter:
                        if(letter between 'A' and 'Z', (ascii(letter) - 55)::varchar, letter)),
                    'string_agg', ''),
                '\d'),
            lambda digit: digit::integer),
        lambda rest, digit: (10 * rest + digit) % 97) = 1;

-- What a value looks like by its form alone; NULL: like nothing of these.
create or replace macro sqlanon._form_of(string) as
    case when contains(string, '@')
              and regexp_full_match(string, '\s*[^@\s]+@[^@\s]+\.[^@\s.]{2,}\s*')
         then 'e-mail address'
         when regexp_matches(string, '^\s*((https?|ftp)://|www\.)\S+\s*$', 'i') then 'URL'
         when regexp_full_match(string, '[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}') then 'UUID'
         when regexp_full_match(string, '[0-9A-Fa-f]{32}|[0-9A-Fa-f]{40}|[0-9A-Fa-f]{64}|[0-9A-Fa-f]{128}')
         then 'hash'
         when regexp_full_match(string, '((25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(25[0-5]|2[0-4]\d|1?\d?\d)')
              or regexp_full_match(string, '([0-9A-Fa-f]{1,4}:){7}[0-9A-Fa-f]{1,4}')
              or regexp_full_match(string, '[0-9A-Fa-f:]*::[0-9A-Fa-f:]*[0-9A-Fa-f]')
              or regexp_full_match(string, '([0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}')
         then 'IP address'
         when regexp_full_match(string, '-?\d{1,3}\.\d{3,}\s*[,; ]\s*-?\d{1,3}\.\d{3,}') then 'coordinate'
         when regexp_full_match(string, '\d{3}-\d{2}-\d{4}|756\.\d{4}\.\d{4}\.\d{2}')
         then 'social security number'
         when regexp_full_match(string, '[A-Z]{2}\d{2}( ?[A-Z0-9]{4}){2,7}( ?[A-Z0-9]{1,4})?')
              and sqlanon._has_check_digits(replace(string, ' ', ''))
         then 'IBAN'
         when regexp_full_match(string, '\d([ -]?\d){12,18}')
              and sqlanon._has_check_digit(regexp_replace(string, '[ -]', '', 'g'))
         then 'card number'
         when regexp_full_match(string, '(\+|00|\(\+?0?)\d[0-9 ()/.-]{5,}')
              or regexp_full_match(string, '0\d{1,5}[ /.-] ?\d[\d ./-]{3,}\d')
              or regexp_full_match(string, '(1[ .-])?(\(\d{3}\) ?|\d{3}[ .-])\d{3}[ .-]\d{4}')
         then case when try_cast(string as timestamp) is null
                        and not regexp_full_match(string, '\d{1,2}[./-]\d{1,2}[./-](\d{2}|\d{4})')
                   then 'phone number' end
         when regexp_matches(string, '\d')
              and regexp_matches(
                  string,
                  '(\b(street|st|avenue|ave|road|rd|lane|ln|drive|dr|boulevard|blvd|court|square|rue|via'
                      || '|calle|plaza|place|chemin)\b'
                      || '|(stra(ss|ß)e|str\.|weg|gasse|platz|allee|laan|straat)\b)',
                  'i')
         then 'address'
         when regexp_matches(string, '\S(\s+\S+){5}') then 'free text'
         when sqlanon._has_personal_name(string) then 'personal name'
         -- two to four words that begin with a capital letter. (In one pattern, which repeats all letters
         -- there are, that takes three times as long to compile.)
         when regexp_full_match(string, '\s*[^\s,]+(,? [^\s,]+){1,3}\s*')
              and regexp_full_match(string, '\s*(\p{Lu}[\p{L}''.-]*,?\s*)+')
         then 'name'
    end;

-- Forms that other things may have, too.
create or replace macro sqlanon._is_vague(form) as form in ('address', 'free text', 'name');

-- As it is told.
create or replace macro sqlanon._with_article(looks_like) as
    case when looks_like = 'free text' then looks_like
         when looks_like = 'id of the targets' then 'the ' || looks_like
         when regexp_matches(looks_like, '^([aeio]|I[BP])') then 'an ' || looks_like
         else 'a ' || looks_like end;

-- The columns of a relation, in order: place, column_name, type.
create or replace macro sqlanon._columns_in_order(relation) as table
    with form as (
        from query('select typeof(any_value(columns(*))) as ''\0'' from (from ' || relation || ' limit 0)')
    ),
    name as (select alias(columns(*)) as '\0' from form),
    listed as (
        select (select list_value(*columns(*)) from name) as names,
               (select list_value(*columns(*)) from form) as types
    )
    select unnest(range(1, len(names) + 1)) as place, unnest(names) as column_name, unnest(types) as type
    from listed;

-- Every distinct value of the quasi-identifiers, as text, but NULL: column_name, value, rows (that have it).
-- Quasi-identifiers have few values. So each is grouped by itself, all in one pass, and only the groups
-- become text.
create or replace macro sqlanon._values_of_qi(relation, qi) as table
    from query(sqlanon._fill($$
        select column_name, value, sum(_sqlanon_rows)::bigint as rows
        from (
            select sqlanon._plain_text(columns(* exclude (_sqlanon_rows))::varchar) as '\0', _sqlanon_rows
            from (
                select {each qi: {c}}, count(*) as _sqlanon_rows
                from (select {by_bytes} as '\0' from {relation}) group by grouping sets ({each qi: ({c})})
            )
        ) unpivot (value for column_name in (columns(* exclude (_sqlanon_rows))))
        group by all
    $$, map {'by_bytes': sqlanon._by_bytes('columns(*)')}));

-- Every distinct value of every column, in this form. (_sqlanon_other is there for releases that have nothing
-- but quasi-identifiers.)
create or replace macro sqlanon._values_of_columns(relation, qi) as table
    from query(
        if(len(qi) = 0, '', {call _values_of_qi} || ' union all ')
        || sqlanon._fill($$
            select column_name, value, count(*) as rows
            from (
                select sqlanon._plain_text(columns(lambda name:
                           not list_contains(sqlanon._lower({=qi}), lower(name)))::varchar) as '\0'
                from (select *, null::varchar as _sqlanon_other from {relation})
            ) unpivot (value for column_name in (columns(*)))
            group by all
        $$));

-- Types of texts, numbers and times, and lists of these; nobody looks into values of others.
create or replace macro sqlanon._is_looked_into(type) as
    not regexp_matches(type, '^(BLOB|BIT|GEOMETRY|JSON|VARIANT|STRUCT|MAP|UNION)|\]\[\d*\]$');

-- The values of columns, and what is in lists, element by element.
create or replace macro sqlanon._elements_of_columns(values_of_columns, columns_in_order) as table
    with element as (
        select column_name, rows,
               unnest(coalesce(
                   case when type like '%]' and sqlanon._is_looked_into(type)
                        then try_cast(value as varchar[]) end,
                   [value])) as value
        from query_table(values_of_columns) join query_table(columns_in_order) using (column_name)
    )
    select column_name, value, sum(rows) as rows from element where value is not null group by all;

-- The values of the columns of the table that a release was made of, with people: how many of them have the
-- value. left_out: columns that are not looked for.
create or replace macro sqlanon._people_of_values(original, id, left_out) as table
    select column_name, value, sqlanon._people_of(_sqlanon_person) as people
    from query(sqlanon._fill($$
        from (
            select {"id"}::varchar as _sqlanon_person,
                   sqlanon._plain_text(
                       columns(lambda name: not list_contains({=left_out}, lower(name)))::varchar) as '\0'
            from {relation}
        ) unpivot (value for column_name in (columns(* exclude (_sqlanon_person))))
    $$, map {'relation': sqlanon._relation(original)}))
    group by all;

-- What the columns of a release are for: place, column_name, type, role.
create or replace macro sqlanon._roles_of_columns(columns_in_order, qi, sensitive, masked) as table
    select *, case when list_contains(sqlanon._lower(qi), lower(column_name)) then 'qi'
                   when list_contains(sqlanon._lower(sensitive), lower(column_name)) then 'sensitive'
                   when list_contains(sqlanon._lower(masked), lower(column_name)) then 'masked'
                   else 'keep' end as role
    from query_table(columns_in_order);

-- Each of the values with holders: how many people of the original have it (rows of the release, where the
-- original does not tell), and is_id: is it one of the ids? Values compare by what they are, whatever the
-- types of the two tables (sql/core/values.sql).
create or replace macro sqlanon._values_with_people(released_values, roles, original, relation, id, left_out)
as table
    with original_column as (from sqlanon._columns_in_order(relation)),
    known as materialized (from sqlanon._people_of_values(original, id, left_out)),
    compared as materialized (
        select released.column_name, raw.column_name as raw_name,
               -- of one type: as texts, which is fast
               coalesce(if(released.type = raw.type, 3, sqlanon._common_kind(
                   sqlanon._kind_of_type(released.type), sqlanon._kind_of_type(raw.type))), 3) as kind
        from query_table(roles) as released, original_column as raw
        where lower(raw.column_name) in (lower(released.column_name), lower(id))
    ),
    keyed as (
        select column_name, raw_name, kind, value, sqlanon._comparable(value, kind) as key
        from query_table(released_values) join compared using (column_name)
    ),
    known_key as (
        select raw_name, kind, sqlanon._comparable(value, kind) as key, sum(people) as people
        from known join (select distinct raw_name, kind from compared) on column_name = raw_name
        group by all
    ),
    found as (
        select column_name, value,
               max(people) filter (lower(raw_name) = lower(column_name)) as people,
               coalesce(bool_or(lower(raw_name) = lower(id)), false) as is_id
        from keyed join known_key using (raw_name, kind, key)
        group by all
    )
    select released.column_name, value, coalesce(people, rows)::bigint as holders,
           coalesce(is_id, false) as is_id
    from query_table(released_values) as released left join found using (column_name, value);

-- Released values with their form, and who holds them: rows, where there is no original.
create or replace macro sqlanon._held_values(
    released_values, roles, original, relation, id, left_out) as table
    select held.*,
           -- no number of fewer digits has a form
           case when role <> 'qi' and (length(value) > 12 or sqlanon._kind_of_type(type) is null)
                then sqlanon._form_of(value) end as form
    from query(
        case when original is null
             then 'select column_name, value, rows as holders, false as is_id from ' || released_values
             else {call _values_with_people}
        end) as held
    join query_table(roles) using (column_name);

-- Is a text a number, as SQL writes it, or with a comma before its decimals (24 843,99; 24.843,99)? Without
-- decimals 24 843 99 may be the number of a telephone.
create or replace macro sqlanon._is_written_number(string) as
    regexp_full_match(
        string,
        '[-+]?((0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?|(\d+|\d{1,3}([ .''\x{A0}\x{202F}]\d{3})+),\d+)');

-- What the values of each column are together: column_name, distinct_values, held (rows, or values of
-- people), alone (those of them that nobody else has), are_ids, are_numbers, count_up.
create or replace macro sqlanon._sums_of_columns(held_values) as table
    with sums as (
        select column_name, count(*) as distinct_values, sum(holders)::bigint as held,
               coalesce(sum(holders) filter (holders = 1), 0)::bigint as alone,
               bool_and(is_id) as are_ids,
               bool_and(sqlanon._is_written_number(value)) as are_numbers,
               bool_and(regexp_full_match(value, '-?\d{1,15}')) as are_whole,
               max(try_cast(value as hugeint)) - min(try_cast(value as hugeint)) + 1 as span
        from query_table(held_values) group by column_name
    )
    select *, are_whole and alone = held and held >= sqlanon._enough_rows()
                  and span <= 1.2 * distinct_values as count_up
    from sums;

-- What the values of each column look like, where enough of them do: column_name, form. In a sensitive column
-- a vague form needs enough rows. Of names of people the lists here know the most frequent: three of them are
-- enough if they are a third of the values, or of those who have one.
create or replace macro sqlanon._looks_of_values(held_values, sums, roles) as table
    with counted as (
        select column_name, form, count(*) as of_form, count(*) filter (holders = 1) as alone,
               sum(holders) as of_holders
        from query_table(held_values) where form is not null group by all
    )
    select column_name, arg_max(form, (of_form, form)) as form
    from counted
    join query_table(sums) as sums using (column_name)
    join query_table(roles) as role using (column_name)
    where case when form = 'personal name'
               then of_form >= 3 and (of_form * 3 >= distinct_values or of_holders * 3 >= held)
                    or of_form * 2 >= distinct_values and counted.alone * 2 >= of_form
               else of_form * 2 >= distinct_values
                    and (not sqlanon._is_vague(form)
                         or counted.alone >= of_form * if(form = 'free text', sqlanon._mostly(), 0.5)
                            and (role.role <> 'sensitive' or held >= sqlanon._enough_rows())) end
    group by column_name;

-- What the name of each column says that it holds, where its values do not gainsay that.
create or replace macro sqlanon._looks_of_names(sums, roles) as table
    with told as (
        select column_name, role, type, distinct_values, held, alone,
               coalesce(sqlanon._told_by_name(column_name, sqlanon._telling_words(), false),
                        sqlanon._told_by_name(column_name, sqlanon._hinting_words(), true)) as surely,
               sqlanon._told_by_name(column_name, sqlanon._hinting_words(), false) as perhaps
        from query_table(sums) join query_table(roles) using (column_name)
        where not sqlanon._is_called(column_name, 'sensitive')
          and not list_contains(sqlanon._words_of(column_name), 'of')
          and type <> 'BOOLEAN' and not sqlanon._is_date_type(type)
    )
    select column_name,
           case when surely is not null and (distinct_values >= 10 or distinct_values * 2 >= held)
                     and sqlanon._may_hold(type, surely)
                then surely
                when sqlanon._may_hold(type, perhaps) and alone * 2 >= held
                     and (role <> 'sensitive' or held >= sqlanon._enough_rows())
                then perhaps end as look
    from told;
