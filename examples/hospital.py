"""The export of a German hospital, as such files come: semicolons, Windows-1252, dates as 11.03.1970, costs
as 1.204,50, several stays per patient, and ? or nothing where something is missing. All of it is made up, the
same for one seed: python examples/hospital.py hospital.csv [PATIENTS] [SEED]
"""

import csv
import datetime
import random
import sys
from pathlib import Path

# Postcodes with a weight, and diagnoses (ICD-10) with the age at which they are most frequent and a weight.
POSTCODES = {
    "80331": 5,
    "80469": 4,
    "80799": 6,
    "80939": 3,
    "81369": 5,
    "81541": 4,
    "81739": 3,
    "82031": 2,
    "82152": 1,
    "82319": 1,
}
DIAGNOSES = {
    "J45.0 Asthma": (25, 5),
    "K35.8 Appendizitis": (22, 4),
    "F32.1 Depression": (38, 5),
    "O80 Spontangeburt": (30, 3),
    "E11.9 Typ-2-Diabetes": (62, 7),
    "I21.9 Herzinfarkt": (70, 4),
    "S72.0 Schenkelhalsfraktur": (80, 4),
    "C50.9 Brustkrebs": (58, 2),
    "B24 HIV-Krankheit": (42, 1),
    "G30.9 Alzheimer-Krankheit": (81, 2),
}
WARDS = ["Innere", "Chirurgie", "Gynäkologie", "Neurologie"]
FIRST = {
    "m": ["Jürgen", "Peter", "Mehmet", "Björn", "Jan"],
    "w": ["Käthe", "Sabine", "Aylin", "Jörgina", "Uta"],
}
LAST = ["Müller", "Schäfer", "Groß", "Yilmaz", "Huber", "Nowak", "Weiß", "Kölbl"]
HEADER = [
    "Fallnummer",
    "Patient",
    "Name",
    "Geburtsdatum",
    "Geschlecht",
    "PLZ",
    "Aufnahme",
    "Fachabteilung",
    "Diagnose",
    "Kosten",
]


def day(date: datetime.date) -> str:
    return date.strftime("%d.%m.%Y")


def amount(euros: float) -> str:
    return f"{euros:,.2f}".translate(str.maketrans(",.", ".,"))


def stays(patients: int, seed: int) -> list[list[str]]:
    """A row per stay: one to four for every patient, in the order of admission."""
    rng = random.Random(seed)
    rows: list[tuple[datetime.date, list[str]]] = []
    for patient in range(1, patients + 1):
        born = datetime.date(1930, 1, 1) + datetime.timedelta(days=rng.randrange(31_000))
        sex = rng.choices(["m", "w", "d", "?"], [48, 50, 1, 1])[0]
        (postcode,) = rng.choices(list(POSTCODES), list(POSTCODES.values()))
        name = f"{rng.choice(LAST)}, {rng.choice(FIRST.get(sex, FIRST['w']))}"
        for _ in range(rng.choices([1, 2, 3, 4], [70, 20, 7, 3])[0]):
            admitted = datetime.date(2025, 1, 1) + datetime.timedelta(days=rng.randrange(365))
            age = (admitted - born).days / 365.25
            weights = [
                0 if sex == "m" and code[0] == "O" else weight * 0.5 ** (abs(age - peak) / 12)
                for code, (peak, weight) in DIAGNOSES.items()
            ]
            (diagnosis,) = rng.choices(list(DIAGNOSES), weights)
            costs = amount(rng.lognormvariate(8, 0.7)) if rng.random() > 0.02 else ""
            row = [
                f"P{patient:05}",
                name,
                day(born),
                sex,
                postcode,
                day(admitted),
                rng.choice(WARDS),
                diagnosis,
                costs,
            ]
            rows.append((admitted, row))
    rows.sort(key=lambda stay: stay[0])
    return [[f"2025-{number:06}", *row] for number, (_, row) in enumerate(rows, start=1)]


def main(path: str, patients: str = "2000", seed: str = "1") -> None:
    with Path(path).open("w", encoding="cp1252", newline="") as file:
        writer = csv.writer(file, delimiter=";")
        writer.writerow(HEADER)
        writer.writerows(stays(int(patients), int(seed)))


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 4 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    main(*sys.argv[1:])
