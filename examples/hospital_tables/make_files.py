"""Four exports of a German hospital, as such files come: patients, stays, diagnoses and drugs, with
semicolons, in Windows-1252, dates as 11.03.1970, and ? or nothing where something is missing. Some numbers of
patients are written otherwise (p00012 and a blank), and a few rows belong to nobody. All of it is made up,
the same for one seed: python examples/hospital_tables/make_files.py FOLDER [PATIENTS] [SEED]
"""

import csv
import datetime
import random
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

POSTCODES = ["80331", "80469", "80799", "81541"]
WARDS = ["Innere", "Chirurgie", "Gynäkologie", "Neurologie"]
DIAGNOSES = [
    "J45.0 Asthma",
    "K35.8 Appendizitis",
    "F32.1 Depression",
    "E11.9 Typ-2-Diabetes",
    "B24 HIV-Krankheit",
]
DRUGS = ["Ibuprofen", "Metformin", "Salbutamol", "Citalopram"]
FIRST = ["Jürgen", "Käthe", "Mehmet", "Björn", "Aylin"]
LAST = ["Müller", "Schäfer", "Groß", "Yilmaz", "Weiß"]

Rows = list[Sequence[str]]


def day(date: datetime.date) -> str:
    return date.strftime("%d.%m.%Y")


def tables(patients: int, seed: int) -> dict[str, tuple[Sequence[str], Rows]]:
    """By the names of their files: header and rows."""
    rng = random.Random(seed)
    people: Rows = []
    stays: Rows = []
    diagnoses: Rows = []
    drugs: Rows = []
    for number in range(1, patients + 1):
        patient = f"P{number:05}"
        born = datetime.date(1930, 1, 1) + datetime.timedelta(days=rng.randrange(31_000))
        sex = rng.choices(["m", "w", "?"], [49, 50, 1])[0]
        birth = day(born) if rng.random() > 0.005 else ""
        name = f"{rng.choice(LAST)}, {rng.choice(FIRST)}"
        people.append([patient, name, birth, sex, rng.choice(POSTCODES)])
        for _ in range(rng.choices([1, 2, 3, 4], [70, 20, 7, 3])[0]):
            stay = f"2025-{len(stays) + 1:06}"
            admitted = datetime.date(2025, 1, 1) + datetime.timedelta(days=rng.randrange(365))
            written = rng.choices([patient, patient.lower() + " ", ""], [980, 18, 2])[0]
            ward = rng.choice(WARDS) if rng.random() > 0.01 else ""
            stays.append([stay, written, day(admitted), ward, f"A{rng.randrange(1, 61):02}"])
            for _ in range(rng.choices([1, 2], [85, 15])[0]):
                diagnoses.append([stay, rng.choice(DIAGNOSES)])
            for _ in range(rng.choices([0, 1, 2], [60, 30, 10])[0]):
                drugs.append([stay, rng.choice(DRUGS), rng.choice(["100 mg", "200 mg", ""])])
    return {
        "patienten.csv": (["Patient", "Name", "Geburtsdatum", "Geschlecht", "PLZ"], people),
        "fälle.csv": (["Fall", "Patient", "Aufnahme", "Abteilung", "Arzt"], stays),
        "diagnosen.csv": (["Fall", "Diagnose"], diagnoses),
        "medikamente.csv": (["Fall", "Wirkstoff", "Dosis"], drugs),
    }


def write(path: Path, header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    with path.open("w", encoding="cp1252", newline="") as file:
        writer = csv.writer(file, delimiter=";")
        writer.writerow(header)
        writer.writerows(rows)


def main(folder: str, patients: str = "20000", seed: str = "1") -> None:
    Path(folder).mkdir(exist_ok=True)
    for name, (header, rows) in tables(int(patients), int(seed)).items():
        write(Path(folder) / name, header, rows)


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 4 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    main(*sys.argv[1:])
