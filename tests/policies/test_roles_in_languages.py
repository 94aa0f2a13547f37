"""Roles of columns in nine languages: a name, a telephone number or a remark is no quasi-identifier, whatever
its column is called, and however that is written."""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Callable, Iterator

import duckdb
import pytest

import sqlanon
from tests.budget import some
from tests.tables import Column, load

# What is in a column -> its name by language, and the roles that it may get. (None: it does not leave.)
HIDDEN: set[str | None] = {"identifier", None}
KNOWN: set[str | None] = {"qi"}
SECRET: set[str | None] = {"sensitive"}
COLUMNS: dict[str, tuple[set[str | None], list[str]]] = {
    "surname": (HIDDEN, ["Surname", "Nachname", "Nom", "Cognome", "Apellidos", "Achternaam", "Apelido",
                         "Nazwisko", "Efternamn"]),
    "first name": (HIDDEN, ["First name", "Vorname", "Prénom", "Nome", "Nombre", "Voornaam", "Nome próprio",
                            "Imię", "Förnamn"]),
    "remark": (HIDDEN, ["Remarks", "Bemerkungen", "Remarques", "Osservazioni", "Observaciones",
                        "Opmerkingen", "Observações", "Uwagi", "Anmärkningar"]),
    "phone": (HIDDEN, ["Phone", "Handynummer", "Téléphone", "Cellulare", "Teléfono móvil", "Telefoonnummer",
                       "Telemóvel", "Telefon komórkowy", "Mobilnummer"]),
    "address": (HIDDEN, ["Street", "Straße", "Rue", "Indirizzo", "Dirección", "Straat", "Endereço", "Ulica",
                         "Gatuadress"]),
    "number": (HIDDEN, ["Patient ID", "Patientennummer", "Identifiant", "Codice fiscale",
                        "Historia clínica", "Burgerservicenummer", "Segurança social", "PESEL",
                        "Personnummer"]),
    "age": (KNOWN, ["Age", "Alter", "Âge", "Età", "Edad", "Leeftijd", "Idade", "Wiek", "Ålder"]),
    "sex": (KNOWN, ["Sex", "Geschlecht", "Sexe", "Sesso", "Género", "Geslacht", "Sexo", "Płeć", "Kön"]),
    "town": (KNOWN, ["Town", "Wohnort", "Ville", "Città", "Ciudad", "Woonplaats", "Concelho", "Miejscowość",
                     "Stad"]),
    "nationality": (KNOWN, ["Nationality", "Nationalität", "Nationalité", "Cittadinanza", "Nacionalidad",
                            "Nationaliteit", "Nacionalidade", "Narodowość", "Medborgarskap"]),
    "illness": (SECRET, ["Illness", "Krankheit", "Maladie", "Malattia", "Enfermedad", "Aandoening", "Doença",
                         "Choroba", "Sjukdom"]),
    "income": (SECRET, ["Income", "Gehalt", "Salaire", "Stipendio", "Sueldo", "Inkomen", "Rendimento",
                        "Wynagrodzenie", "Inkomst"]),
}  # fmt: skip
# Values of few kinds: that there are few of them excuses no name. {n}: a number.
VALUES = {
    "surname": ["Zwiebel", "Qvist", "Ybarra", "Okonjo", "Tüz"], "first name": ["Jo", "Ann", "Kim", "Lee"],
    "remark": ["voir dossier", "see file", "ring back", "-"], "phone": ["0170 1", "0170 2", "none"],
    "address": ["Hauptstr", "Rue X", "Via Y"], "number": ["A{n}", "B{n}"], "age": ["{n}"],
    "sex": ["m", "f"], "town": ["Ulm", "Lyon", "Pisa"], "nationality": ["DE", "FR", "IT"],
    "illness": ["flu", "gout", "acne"], "income": ["{n}000"],
}  # fmt: skip


def spellings(name: str) -> Iterator[str]:
    """With and without accents, with umlauts as two letters, in other case, form and composition."""
    german = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})
    bare = unicodedata.normalize("NFD", name.translate(str.maketrans("łŁ", "lL")))
    plain = "".join(letter for letter in bare if not unicodedata.combining(letter))
    yield from (name, name.upper(), name.lower().replace(" ", "_"), unicodedata.normalize("NFD", name))
    yield from (plain, plain.title().replace(" ", ""), name.translate(german))


def roles(con: duckdb.DuckDBPyConnection, columns: dict[str, list[str | None]]) -> dict[str, str | None]:
    load(con, "t", [Column(name, "VARCHAR", values) for name, values in columns.items()])
    con.execute("create or replace table named as select * exclude (id) from t").fetchall()
    return dict(con.execute("select column_name, role from sqlanon._first_look('named')").fetchall())


@pytest.mark.parametrize("language", some(range(9), 3))
def test_by_the_name_of_the_column(con: duckdb.DuckDBPyConnection, language: int) -> None:
    draw = random.Random(language)
    columns: dict[str, list[str | None]] = {}
    wanted: dict[str, set[str | None]] = {}
    for kind, (allowed, names) in COLUMNS.items():
        for name in spellings(names[language]):
            if name.lower() not in (each.lower() for each in columns):
                columns[name] = [
                    draw.choice(VALUES[kind]).format(n=draw.randrange(18, 60)) for _ in range(90)
                ]
                wanted[name] = allowed
    found = roles(con, columns)
    assert not {name: found[name] for name in wanted if found[name] not in wanted[name]}


# As an insurer's software and a register call them: kind -> role and values; the names.
HEADERS: dict[str, tuple[set[str | None], list[str]]] = {
    "birth": (KNOWN, ["Né(e) le", "Née le", "Date de naissance", "Date naiss.", "DDN", "DATENAISS",
                      "geboren am", "geb. am", "Geb.-Dat.", "GebDat", "GEBDATUM", "Geb.-Jahr", "Jahrgang"]),
    "sex": (KNOWN, ["Geschl.", "m/w/d", "Anrede", "Civilité", "Sexe (H/F)"]),
    "code": (KNOWN, ["CP", "C.P.", "NPA", "Postleitz.", "Code postal", "PLZ Wohnort", "Code INSEE"]),
    "place": (KNOWN, ["Localité", "Code commune", "Dpt", "Kanton", "Gemeindeschlüssel"]),
    "status": (KNOWN, ["Familienst.", "Fam.stand", "Sit. fam.", "Staatsang.", "Sterbedatum", "Décès"]),
    "name": (HIDDEN, ["Vers.-Name", "Zuname", "Vorn.", "Geb.-Name", "Nom de naissance", "Nom d'usage",
                      "Nom et prénom", "Versicherter", "Nom marital"]),
    "number": (HIDDEN, ["NIR", "N° sécu", "N° de sécurité sociale", "N° SS", "N° AVS", "SV-Nr.", "RVNR",
                        "KVNR", "Versichertennr", "Policennr", "Pat.-Nr.", "N° assuré", "N° adhérent",
                        "N° dossier", "N° INSEE", "IPP"]),
    "illness": (SECRET, ["Hauptdiagnose", "Diagn.", "ICD-10", "CIM10", "Code CIM", "Diagnostic principal",
                         "ALD", "Motif", "Motif d'admission", "Affection", "Wirkstoff", "PZN", "Pflegegrad",
                         "CSP"]),
}  # fmt: skip


def test_headers_of_exports(con: duckdb.DuckDBPyConnection) -> None:
    wanted = {name: allowed for allowed, names in HEADERS.values() for name in names}
    found = roles(con, {name: [f"A{i % 23}" for i in range(90)] for name in wanted})
    assert {name: found[name] for name in wanted if found[name] not in wanted[name]} == {}


@pytest.mark.parametrize("kind", ["birth", "sex", "code"])
def test_what_people_have_once(con: duckdb.DuckDBPyConnection, kind: str) -> None:
    asked = "select name from (select unnest($1) as name) where not sqlanon._is_called(name, $2)"
    names = [name for name in HEADERS[kind][1] if name != "Code INSEE"]
    assert con.execute(asked, [names, kind]).fetchall() == []
    assert len(con.execute(asked, [["Neuf", "Nom", "Dossier", "Betrag", "Note"], kind]).fetchall()) == 5


# By their values alone: columns that are called k1, k2, ...
SHOWN: dict[str, Callable[[random.Random], str]] = {
    "first names": lambda draw: draw.choice(
        ["Anna", "Jürgen", "MARIE", "Małgorzata", "João", "Björn", "Zvi"]
    ),
    "whole names": lambda draw: draw.choice(["Jan Kowalski", "Meyer, Anna", "José María Ruiz", "Xu Y. Li"]),
    "remarks": lambda draw: f"voir dossier de M. {draw.choice('ABC')} du service",
    "addresses": lambda draw: f"{draw.choice(['Rue de Lyon', 'Calle Mayor'])} {draw.randrange(9999)}",
    "mails": lambda draw: f"{draw.choice('abc')}@mail.org",
    "phones": lambda draw: f"+49 170 123{draw.randrange(10)}",
    "accounts": lambda draw: "DE89370400440532013000",
}
HARMLESS: dict[str, Callable[[random.Random], str]] = {
    "months": lambda draw: draw.choice(["January", "April", "May", "June", "July", "August", "March"]),
    "towns": lambda draw: draw.choice(
        ["Florence", "Paris", "Charlotte", "Ulm", "San Jose", "Leipzig", "Bonn"]
    ),
    "wards": lambda draw: f"ward {draw.randrange(9)}",
    "grades": lambda draw: draw.choice(["sehr gut", "gut", "befriedigend"]),
}


def test_by_the_values(con: duckdb.DuckDBPyConnection) -> None:
    draw = random.Random(7)
    shown = SHOWN | HARMLESS
    found = roles(con, {f"k{i}": [make(draw) for _ in range(90)] for i, make in enumerate(shown.values())})
    told = {name: found[f"k{i}"] for i, name in enumerate(shown)}
    assert not {name for name in SHOWN if told[name] not in HIDDEN}
    assert {told[name] for name in HARMLESS} == KNOWN


def test_a_kept_column_of_names_fails(con: duckdb.DuckDBPyConnection) -> None:
    """Whatever it is called, and although values repeat."""
    draw = random.Random(3)
    columns: dict[str, list[str | None]] = {
        name: [SHOWN["first names"](draw) for _ in range(90)] for name in ("k1", "Prénom", "code")
    }
    load(con, "t", [Column(name, "VARCHAR", values) for name, values in columns.items()])
    con.execute("create or replace table named as select 1 as age, * exclude (id) from t").fetchall()
    found = sqlanon.leaving_columns(con, "named", qi="age").fetchall()
    assert {(row[0], row[6], row[7]) for row in found if row[0] != "age"} == {
        (name, "personal name", "fails") for name in columns
    }


def test_numbers_are_no_names(con: duckdb.DuckDBPyConnection) -> None:
    """Nombre d'enfants: in French a number. German Noten are grades."""
    con.execute(
        'create or replace table named as select range % 4 as "Nombre d\'enfants", range % 6 as "Note" '
        "from range(90)"
    ).fetchall()
    look = "select column_name, role from sqlanon._first_look('named')"
    assert dict(con.execute(look).fetchall()) == {"Nombre d'enfants": "qi", "Note": "qi"}
