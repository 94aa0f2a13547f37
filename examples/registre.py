"""A French register of stays in hospital, two months, as people export it: Windows-1252, a title and a total,
words for missing values, several stays of a person. The second month has other people, and is written by
somebody else: sex as words, accents left out.

Run it: python examples/registre.py DOSSIER [GRAINE]. It writes sejours_1.csv and sejours_2.csv.
Nobody in them exists; the same seed gives the same people. Then, in that folder:

    sqlanon init sejours_1.csv -o sejours.toml
    sqlanon publish sejours_1.csv --policy sejours.toml --confirm "Anne Martin" --register registre.duckdb \
        -o janvier.csv --page janvier.html --language fr --values-may-change Motif
    sqlanon publish sejours_2.csv --policy sejours.toml --register registre.duckdb -o fevrier.csv \
        --earlier janvier=sejours_1.csv --map-words --page fevrier.html --language fr

Whoever comes again may come for another reason: hence --values-may-change. init prints repairs of Motif that
it leaves out; --apply with their numbers makes them.
"""

from __future__ import annotations

import csv
import random
import sys
from datetime import date, timedelta
from pathlib import Path

PEOPLE, STAY = 1200, 0.9  # STAY: of those of the first month are there in the second one
HEADER = ["N° patient", "Nom", "Né(e) le", "Sexe", "Code postal", "Service", "Entrée le", "Motif", "Coût (€)"]
SEXES = {"F": "Femme", "H": "Homme"}
PLACES = ["75011", "75012", "75013", "69001", "69003", "13001", "13005", "31000", "33000", "01000"]
WARDS = ["Cardiologie", "Pédiatrie", "Gériatrie", "Urgences", "Chirurgie"]
REASONS = ["Fièvre", "Angine", "Fracture", "Asthme", "Diabète", "Hypertension", "Épilepsie", "Anémie"]
FIRST = ["Zoé", "Léa", "Hugo", "Noé", "Inès", "Paul", "Chloé", "Jean"]
LAST = ["Lefèvre", "Martin", "Dupré", "Girard", "Noël", "Fabre"]
MISSING = ["n.c.", "inconnu", "N/R", ""]


def person(draw: random.Random, number: int) -> dict[str, str]:
    """What stays the same from stay to stay."""
    born = date(1930, 1, 1) + timedelta(days=int(draw.betavariate(1.8, 1.5) * 32000))
    return {
        "N° patient": f"P{200000 + 11 * number}",
        "Nom": f"{draw.choice(LAST).upper()} {draw.choice(FIRST)}",
        "Né(e) le": f"{born:%d/%m/%Y}" if draw.random() > 0.02 else draw.choice(MISSING[:2]),
        "Sexe": draw.choice([*SEXES]),
        "Code postal": draw.choice(PLACES),
        "Service": draw.choice(WARDS),
    }


def without_accents(word: str) -> str:
    return word.translate(str.maketrans("éèÉ", "eeE"))


def stays(draw: random.Random, people: list[dict[str, str]], month: int) -> list[list[str]]:
    """The rows of a month: one to three stays of each person, with what typists make of them."""
    rows: list[list[str]] = []
    for who in people:
        usual = draw.choice(REASONS)
        for _ in range(draw.choice([1, 1, 1, 2, 2, 3])):
            stay = {
                **who,
                "Service": who["Service"] if draw.random() > 0.05 else f"{who['Service']} ",
                "Entrée le": f"{date(2026, month, 1) + timedelta(days=draw.randrange(28)):%d/%m/%Y}",
                "Motif": usual if draw.random() < 0.5 else draw.choice(REASONS),
                "Coût (€)": f"{int(draw.lognormvariate(7, 1)):,}".replace(",", "\N{NO-BREAK SPACE}") + ",50",
            }
            if draw.random() < 0.02:
                stay["Motif"] = draw.choice(MISSING)
            if month == 2:
                stay["Sexe"] = SEXES[who["Sexe"]]
                stay["Service"] = without_accents(stay["Service"])
            rows.append([stay[name] for name in HEADER])
    draw.shuffle(rows)
    return rows


def main(folder: Path, seed: int) -> None:
    draw = random.Random(seed)
    people = [person(draw, number) for number in range(PEOPLE)]
    for month in (1, 2):
        rows = stays(draw, people, month)
        with (folder / f"sejours_{month}.csv").open("w", encoding="windows-1252", newline="") as file:
            writer = csv.writer(file, delimiter=";")
            writer.writerow([f"Registre des séjours {month:02}/2026"])
            writer.writerows([HEADER, *rows, [f"Total : {len(rows)} lignes"]])
        new = range(PEOPLE, PEOPLE + int(PEOPLE * (1 - STAY)))
        people = [who for who in people if draw.random() < STAY] + [person(draw, number) for number in new]


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1)
