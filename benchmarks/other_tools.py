"""What other tools say of the same tables. `python -m benchmarks any_release --python=PATH` runs this with
another Python, which has them and not sqlanon:

    python3 -m venv ../other && ../other/bin/pip install sdmetrics
    python -m benchmarks any_release --python=../other/bin/python

    python other_tools.py synthetic original.csv synthetic.csv seed
        rows of a Gaussian copula (the package copulas, which sdmetrics brings along), as many as the original
    python other_tools.py scores FOLDER sensitive known,...
        of original.csv and of each release NAME.csv beside it, as JSON: CategoricalCAP of sdmetrics, and the
        seconds that it and the nearest neighbors of scikit-learn take
    python other_tools.py recognized values.json
        which of the values, by kind, a recognizer of Presidio takes as a whole, as JSON (of
        benchmarks/identifiers.py, which says how to get it)
"""

from __future__ import annotations

import importlib
import json
import sys
import time
import warnings
from pathlib import Path
from typing import Any

DRAWN = 1000


def tool(name: str) -> Any:
    return importlib.import_module(name)


def texts(file: Path) -> Any:
    return tool("pandas").read_csv(file, dtype=str, keep_default_na=False)


def synthetic(original: Path, made: Path, seed: int) -> None:
    """Values are numbered, those of numbers in their order; the copula's numbers are rounded to these. Each
    column's density is estimated from a draw: from all rows, time would grow with their square."""
    rows = texts(original)
    values = {
        name: sorted(
            column.unique(),
            key=lambda value: (not value.isdigit(), int(value) if value.isdigit() else 0, value),
        )
        for name, column in rows.items()
    }
    codes = tool("pandas").DataFrame({
        name: column.map({value: float(code) for code, value in enumerate(values[name])})
        for name, column in rows.items()
    })  # fmt: skip
    multivariate = tool("copulas.multivariate").GaussianMultivariate
    density = tool("copulas.univariate").GaussianKDE(sample_size=DRAWN, random_state=seed)
    model = multivariate(distribution=density, random_state=seed)
    model.fit(codes)
    drawn = model.sample(len(rows))
    for name, known in values.items():
        numbers = drawn[name].round().clip(0, len(known) - 1).astype(int)
        drawn[name] = [known[code] for code in numbers]
    drawn[list(rows.columns)].to_csv(made, index=False)


def scores(folder: Path, sensitive: str, known: list[str]) -> dict[str, dict[str, float]]:
    original = texts(folder / "original.csv")
    categorical_cap = tool("sdmetrics.single_table").CategoricalCAP
    encoder = tool("sklearn.preprocessing").OneHotEncoder(handle_unknown="ignore")
    found = {}
    for file in sorted(folder.glob("*.csv")):
        release = texts(file)
        start = time.process_time()
        cap = categorical_cap.compute(original, release, key_fields=known, sensitive_fields=[sensitive])
        middle = time.process_time()
        features = encoder.fit(release[known]).transform(release[known])
        neighbors = tool("sklearn.neighbors").NearestNeighbors(n_neighbors=1, algorithm="brute")
        neighbors.fit(features).kneighbors(encoder.transform(original[known]))
        found[file.stem] = {
            "cap": float(cap), "cap_seconds": middle - start,
            "neighbor_seconds": time.process_time() - middle,
        }  # fmt: skip
    return found


# Of Presidio, those that are patterns with checks, and know no language.
RECOGNIZERS = (
    "CreditCardRecognizer", "IbanRecognizer", "EmailRecognizer", "IpRecognizer", "MacAddressRecognizer",
    "UrlRecognizer", "UsSsnRecognizer", "PhoneRecognizer",
)  # fmt: skip


def recognized(file: Path) -> dict[str, list[bool]]:
    known = tool("presidio_analyzer.predefined_recognizers")
    recognizers = [getattr(known, name)() for name in RECOGNIZERS]

    def is_one(value: str) -> bool:
        found = (
            each for one in recognizers for each in one.analyze(value, one.supported_entities, None) or []
        )
        return any((each.start, each.end) == (0, len(value)) for each in found)

    return {
        kind: [is_one(value) for value in values] for kind, values in json.loads(file.read_text()).items()
    }


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    what, first, *others = sys.argv[1:]
    if what == "synthetic":
        synthetic(Path(first), Path(others[0]), int(others[1]))
    elif what == "recognized":
        sys.stdout.write(json.dumps(recognized(Path(first))))
    else:
        sys.stdout.write(json.dumps(scores(Path(first), others[0], others[1].split(","))))
