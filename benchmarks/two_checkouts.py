"""`python -m benchmarks.two_checkouts FOLDER`: this checkout beside another one, by what a change may make
heavier: CPU of a first call and of a repeated one, of attaching, of two commands, and lines and sizes.

Each checkout runs in processes of its own, in turn, with this Python and these packages; files that `make
files` writes must be there in both. The least of several runs counts, in milliseconds.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.code_lines import code_lines

HERE = Path(__file__).resolve().parent.parent
PROCESSES, CALLS = 3, 5
CALLED = {
    "violations": "sqlanon.violations('released', ['age', 'zip'], 'disease', k := 3, l := 2)",
    "mondrian": "sqlanon.mondrian('people', ['age', 'zip'], 'disease', k := 3, l := 2)",
    "optimal": "sqlanon.optimal('people', ['age', 'zip'], 'disease', k := 3, hierarchies := 'labels')",
    "attack": "sqlanon.intersection_attack(['released'], 'people', 'id', ['age', 'zip'], 'disease')",
}
PROBE = """
import json, resource, subprocess, sys, time
from pathlib import Path
from tempfile import TemporaryDirectory
import duckdb, sqlanon
what, statement, calls = sys.argv[1], sys.argv[2], int(sys.argv[3])
con = duckdb.connect()

def cpu(work):
    begun = time.process_time()
    work()
    return 1000 * (time.process_time() - begun)

def attached():
    with duckdb.connect() as other:
        sqlanon.register(other)

rows = 20 if what == "publish" else 4 if what == "check" else 100
sqlanon.register(con)
con.execute(f'''create table people as
    select 'p' || i as id, 20 + i * 7 % 60 as age, 10000 + i * 37 % 50 as zip,
           ['flu', 'gout', 'angina', 'cancer'][1 + i * 13 % 4] as disease from range({rows}) as r(i)''')
if what == "attach":
    print(json.dumps([cpu(attached) for _ in range(calls)]))
elif what == "check":
    with TemporaryDirectory() as folder:
        file = Path(folder, "people.csv")
        con.sql("from people").to_csv(str(file))
        asked = [sys.executable, "-m", "sqlanon", "check", str(file), "--qi", "age,zip", "--k", "2"]
        times = [0.0]
        for _ in range(calls):
            assert subprocess.run(asked, capture_output=True).returncode in (0, 1)
            times.append(1000 * resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime)
        print(json.dumps([after - before for before, after in zip(times, times[1:])]))
elif what == "publish":
    with TemporaryDirectory() as folder:
        policy = Path(folder, "policy.toml")
        policy.write_text('[roles]\\nidentifier = ["id"]\\nqi = ["age", "zip"]\\nsensitive = ["disease"]\\n'
                          "[requirements]\\nk = 3\\nl = 2\\n" + "".join(
            f"[tolerated.{attack}]\\n{measure} = 100\\n" for attack, measure in (
                ("intersection_attack", "sure_90"), ("homogeneity", "certain"), ("linking", "certain"),
                ("exact_cover", "certain"), ("background_knowledge", "certain"), ("skyline", "certain"),
                ("complementary_release", "certain"), ("unsorted_matching", "certain"))))
        print(json.dumps([cpu(lambda: sqlanon.publish(
            con, "people", policy, register=Path(folder, "out.duckdb"), output=Path(folder, f"{n}.csv")))
            for n in range(3)]))
else:
    con.execute("create table released as from sqlanon.mondrian('people', ['age', 'zip'], 'disease', k := 3)")
    con.execute('''create table labels as
        select 'age' as attribute, age::text as value, 1 as level, age // 10 * 10 || 's' as label from people
        union select 'age', age::text, 2, '*' from people
        union select 'zip', zip::text, 1, '*' from people
        union select 'age', age::text, 0, age::text from people
        union select 'zip', zip::text, 0, zip::text from people''')
    print(json.dumps([cpu(lambda: con.execute("from " + statement).fetchall()) for _ in range(calls)]))
"""


def called(checkout: Path, what: str) -> list[float]:
    """Milliseconds of CPU of the calls of a process."""
    made = subprocess.run(
        [sys.executable, "-c", PROBE, what, CALLED.get(what, ""), str(CALLS)],
        cwd=checkout, env=os.environ | {"PYTHONPATH": str(checkout)}, capture_output=True, text=True,
    )  # fmt: skip
    if made.returncode:
        sys.exit(f"{what} in {checkout}: {made.stderr}")
    return [float(time) for time in json.loads(made.stdout.splitlines()[-1])]


def probed(other: Path, what: str) -> tuple[list[float], list[float]]:
    """The same of both, for each call the least of several processes, which take turns."""
    runs = [(called(other, what), called(HERE, what)) for _ in range(PROCESSES)]
    before, now = ([min(times) for times in zip(*each, strict=True)] for each in zip(*runs, strict=True))
    return before, now


def tracked_lines(checkout: Path) -> int:
    """Lines of the files that git has, but for documentation and examples."""
    listed = subprocess.run(["git", "ls-files"], cwd=checkout, capture_output=True, text=True, check=True)
    files = [file for file in listed.stdout.splitlines() if not file.startswith(("docs/", "examples/"))]
    return sum((checkout / file).read_bytes().count(b"\n") for file in files if (checkout / file).is_file())


def row(what: str, before: float, now: float) -> None:
    print(f"  {what:<34} {before:>12,.0f} {now:>12,.0f} {now / before:>8.2f}")


def side_by_side(other: Path) -> None:
    print(f"  {'':<34} {other.name:>12} {HERE.name:>12} {'ratio':>8}")
    for what in ("attach", *CALLED, "check"):
        before, now = probed(other, what)
        if what in CALLED:
            row(f"{what}, first call", before[0], now[0])
        row(f"{what}, repeated" if what in CALLED else what, min(before[1:]), min(now[1:]))
    published = zip(("alone", "beside one", "beside two"), *probed(other, "publish"), strict=True)
    for name, least_before, least_now in published:
        row(f"publish of 20 rows {name}", least_before, least_now)
    row("lines that git has", tracked_lines(other), tracked_lines(HERE))
    row("lines of code", sum(code_lines(other).values()), sum(code_lines(HERE).values()))
    library = Path("sqlanon", "sqlanon.duckdb")
    row("library, kB", (other / library).stat().st_size / 1000, (HERE / library).stat().st_size / 1000)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    side_by_side(Path(sys.argv[1]).resolve())
