"""An insurer's claims as its software exports them, three months: in German, as Windows-1252 with semicolons,
with blanks, marks of missing values, two columns of one name, an empty last column, a title and a sum.

Run it: python examples/insurer.py FOLDER [SEED]. It writes claims_1.csv, claims_2.csv and claims_3.csv.
Nobody in them exists; the same seed gives the same people. Then, in that folder:

    sqlanon init claims_1.csv -o claims.toml
    sqlanon publish claims_1.csv --policy claims.toml --confirm "Anna Muster" --register register.duckdb \
        -o january.csv
"""

from __future__ import annotations

import csv
import random
import sys
from datetime import date, timedelta
from pathlib import Path

PEOPLE, STAY = 1500, 0.97  # STAY: of those of a month are there in the next one
HEADER = [
    "Versichertennr", "Vers.-Name", "Geburtsdatum", "Geschlecht", "PLZ", "Ort", "E-Mail", "Rechnungsnr",
    "Behandlung am", "Diagnose", "Betrag EUR", "plz", "",
]  # fmt: skip
TOWNS = {
    "01067": "Dresden", "01097": "Dresden", "04103": "Leipzig", "04109": "Leipzig", "10115": "Berlin",
    "10117": "Berlin", "50667": "Köln", "50668": "Köln", "80331": "München", "80333": "München",
}  # fmt: skip
DIAGNOSES = ["K29.7", "J45.0", "E11.9", "I10", "M54.5", "F32.1", "J06.9", "K21.0", "G43.0", "N39.0"]
FIRST = ["Anna", "Jörg", "Lena", "Paul", "Zoë", "Karl", "Mia", "Uwe", "Ida", "Max"]
LAST = ["Müller", "Schmidt", "Weiß", "Groß", "Lang", "Vogel", "Kühn", "Busch"]


def person(draw: random.Random, number: int) -> dict[str, str]:
    """What stays the same from claim to claim. Every tenth person has the mailbox of the one before."""
    born = date(1935, 1, 1) + timedelta(days=int(draw.betavariate(2, 1.5) * 28000))
    mailbox = number - 1 if number % 10 == 0 else number
    return {
        "Versichertennr": f"V{100000 + 7 * number}",
        "Vers.-Name": f"{draw.choice(LAST)}, {draw.choice(FIRST)}",
        "Geburtsdatum": f"{born:%d.%m.%Y}" if draw.random() > 0.03 else draw.choice(["k.A.", "unbekannt"]),
        "Geschlecht": draw.choice(["w", "m"]),
        "PLZ": draw.choice([*TOWNS]),
        "E-Mail": f"post{mailbox}@example.org",
    }


def amount(draw: random.Random) -> str:
    """As in 24 843,99, with a blank that does not break."""
    cents = int(draw.lognormvariate(9.5, 1.3))
    return f"{cents // 100:,}".replace(",", "\N{NO-BREAK SPACE}") + f",{cents % 100:02}"


def claims(draw: random.Random, people: list[dict[str, str]], month: int) -> list[list[str]]:
    """The rows of a month: one to four claims of each person, with what typists make of them."""
    rows: list[list[str]] = []
    for who in people:
        usual = draw.choice(DIAGNOSES)
        for _ in range(draw.choice([1, 1, 1, 2, 2, 3, 4])):
            claim = {
                **who,
                "Ort": draw.choice(["{}", "{}", "{}", "{}", "{} ", " {}"]).format(TOWNS[who["PLZ"]]),
                "Geschlecht": who["Geschlecht"] if draw.random() > 0.02 else who["Geschlecht"].upper(),
                "Rechnungsnr": f"R{month}{len(rows):05}",
                "Behandlung am": f"{date(2026, month, 1) + timedelta(days=draw.randrange(28)):%d.%m.%Y}",
                "Diagnose": usual if draw.random() < 0.6 else draw.choice(DIAGNOSES),
                "Betrag EUR": amount(draw),
                "plz": draw.choice([*TOWNS]),
            }
            if draw.random() < 0.03:
                claim["Diagnose"] = draw.choice(["n.c.", f"{usual} "])
            rows.append([claim.get(name, "") for name in HEADER])
    draw.shuffle(rows)
    return rows


def main(folder: Path, seed: int) -> None:
    draw = random.Random(seed)
    people = [person(draw, number) for number in range(PEOPLE)]
    for month in (1, 2, 3):
        rows = claims(draw, people, month)
        with (folder / f"claims_{month}.csv").open("w", encoding="windows-1252", newline="") as file:
            writer = csv.writer(file, delimiter=";")
            writer.writerow([f"Leistungsabrechnung {month:02}/2026"])
            writer.writerows([HEADER, *rows, [f"Summe: {len(rows)} Zeilen"]])
        new = range(PEOPLE * month, PEOPLE * month + int(PEOPLE * (1 - STAY)))
        people = [who for who in people if draw.random() < STAY] + [person(draw, number) for number in new]


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1)
