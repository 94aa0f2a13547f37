-- What a column probably is: by words in its name, and by its type.

-- Words in the names of columns that tell what these are, in English, German, French, Italian, Spanish,
-- Dutch, Portuguese, Polish and Swedish: without accents, and with ae, oe and ue for umlauts.
create or replace macro sqlanon._words() as {
    'sensitive': 'disease diagnosis diagnoses diag dx condition illness icd symptom symptoms treatment '
        || 'complaint complaints ailment injury '
        || 'medication drug therapy salary income inctot wage wages earnings pay debt credit balance '
        || 'occupation occ religion orientation party vote hiv crime offense diagnose krankheit '
        || 'erkrankung befund therapie medikament gehalt lohn einkommen schulden konfession partei beruf '
        || 'straftat maladie pathologie diagnostic traitement medicament salaire revenu revenus dette '
        || 'profession metier cim malattia patologia diagnosi terapia farmaco stipendio reddito salario '
        || 'debito professione mestiere religione enfermedad diagnostico tratamiento medicamento sueldo '
        || 'ingresos deuda profesion ocupacion delito ziekte aandoening behandeling medicatie salaris '
        || 'inkomen schuld beroep godsdienst doenca tratamento rendimento divida profissao ocupacao '
        || 'religiao choroba rozpoznanie diagnoza leczenie wynagrodzenie dochod dochody dlug zawod '
        || 'wyznanie sjukdom diagnos behandling laekemedel inkomst inkomster skuld yrke diagn hauptdiag '
        || 'hauptdiagnose nebendiag nebendiagnose nebendiagnosen aufnahmediagnose entlassdiagnose '
        || 'todesursache medikamente arzneimittel wirkstoff pzn pflegegrad pflegestufe behinderung '
        || 'berufsgruppe taetigkeit konf maladies medicaments diagnostics codeacte ccam ald handicap '
        || 'causedeces csp motif motifs motivo motivos affection affections pathologies antecedents',
    'identifier': 'id ids uuid guid patient patientin licence license account ip url name names nom noms '
        || 'nombre nombres nome naam namn namen ausweis identifiant identificativo identificador kennung '
        || 'identyfikator paciente paziente pacjent',
    'qi': 'age sex gender zip zipcode postcode postal plz city town cities county district state region '
        || 'province country nationality race ethnicity marital education degree birth birthday birthdate '
        || 'birthyear dob date year language workclass geschlecht geburtsdatum geburtstag geburtsjahr '
        || 'geburtsort geboren alter postleitzahl ort wohnort stadt gemeinde landkreis bundesland land '
        || 'nationalitaet staatsangehoerigkeit familienstand bildung bildungsabschluss schulabschluss '
        || 'sprache datum jahr sexe genre codepostal ville commune departement canton pays nationalite '
        || 'ethnie etatcivil situationfamiliale diplome scolarite naissance annee langue eta sesso genere '
        || 'cap citta comune provincia regione paese nazione nazionalita cittadinanza etnia statocivile '
        || 'istruzione nascita anno lingua edad sexo genero codigopostal ciudad municipio pais '
        || 'nacionalidad estadocivil estudios nacimiento fecha idioma leeftijd geslacht woonplaats '
        || 'provincie nationaliteit etniciteit burgerlijkestaat opleiding geboortedatum geboortejaar '
        || 'geboorteplaats geboorte jaar taal idade cidade concelho distrito nacionalidade escolaridade '
        || 'nascimento ano wiek plec kodpocztowy miasto miejscowosc gmina powiat wojewodztwo kraj '
        || 'obywatelstwo narodowosc stancywilny wyksztalcenie urodzenia urodzony rok jezyk aalder koen '
        || 'postnummer stad laen nationalitet medborgarskap civilstaand utbildning foedelsedatum '
        || 'foedelseaar foedd spraak gebdat gebdatum gebtag gebjahr gebam gebd geburtsdat geburtsd '
        || 'jahrgang jg nele neele ddn naiss datenaiss datenais datnaiss dtnaiss datenaissance geschl mwd '
        || 'anrede civilite postleitz cp npa codepost cpostal localite codeinsee communeinsee codecommune '
        || 'dept dpt kreis kanton ags gemeindeschluessel gemeindenummer familienst famstand sitfam '
        || 'situationfam staatsang deces gestorben verstorben sterbedatum todesdatum',
    'unit': 'id uuid guid ssn patient mrn person customer client member user username login email '
        || 'passport patientennummer patientenid kunde kundin kundennummer mitglied mitgliedsnummer '
        || 'personalnummer versichertennummer identifiant personne membre cliente paziente paciente '
        || 'persona identificativo identificador socio klant persoon patientnummer klient pacjent osoba '
        || 'kund kundnummer versichertennr versnr kvnr mitgliedsnr patnr patientennr kundennr ipp assure '
        || 'assuree adherent adherente nir employee empleado empleada trabajador trabajadora mitarbeiter '
        || 'salarie dipendente werknemer pracownik pid subject subjid usubjid participant participantid',
    'amount': 'cost costs amount amounts price prices fee fees charge charges total kosten betrag preis '
        || 'summe entgelt rechnungsbetrag montant prix cout couts frais importo prezzo costo costi spesa '
        || 'importe precio coste costes gasto bedrag prijs valor preco custo kwota cena koszt belopp pris '
        || 'kostnad summa rechnungssumme remboursement rembourse',
    'weight': 'count counts frequency freq n people persons individuals',
    'birth': 'birth birthday birthdate birthyear dob yob born geburt geburtsdatum geburtstag geburtsjahr '
        || 'geboren naissance nascita nacimiento geboorte geboortedatum geboortejaar nascimento urodzenia '
        || 'urodzony foedelsedatum foedelseaar foedd gebdat gebdatum gebtag gebjahr gebam gebd geburtsdat '
        || 'geburtsd jahrgang jg nele neele ddn naiss datenaiss datenais datnaiss dtnaiss datenaissance '
        || 'fechanac fechanacimiento fnac datanascita dnascita',
    'sex': 'sex gender geschlecht sexe genre sesso genere sexo genero geslacht plec koen geschl mwd '
        || 'anrede civilite',
    'code': 'zip zipcode postcode postal plz postleitzahl codepostal cap codigopostal kodpocztowy '
        || 'postnummer postleitz cp npa codepost cpostal'};

-- Words as they compare: Größe, Groesse and Grosse are one, as Ålder and Alder are.
create or replace macro sqlanon._plain_words(words) as
    sqlanon._with_plain_vowels(sqlanon._without_accents(lower(nfc_normalize(words))));

-- The words of a name: postalCode and postal_code have postal and code.
create or replace macro sqlanon._words_of(name) as
    regexp_extract_all(
        sqlanon._plain_words(regexp_replace(name, '(\p{Ll})(\p{Lu})', '\1 \2', 'g')), '[a-z]+');

-- Is one of these words in a name: alone, as two of its words, or as all of them together (postalcode)?
create or replace macro sqlanon._has_word(name, words) as
    sqlanon._let(sqlanon._words_of(name), lambda parts:
        list_has_any(
            string_split(sqlanon._plain_words(words), ' '),
            parts || list_transform(parts, lambda part, i: part || coalesce(parts[i + 1], ''))
                || [coalesce(list_aggregate(parts, 'string_agg', ''), '')]));

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
