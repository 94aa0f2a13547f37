"""Files of SPSS and Stata: labels become values, what is declared as missing is NULL, and nothing is cut."""

# As texts: Hypothesis keeps evaluated annotations, and DuckDB 2.0 reports its types there as leaks.
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, time
from itertools import count
from pathlib import Path
from typing import Any

import pandas as pd
import pyreadstat
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sqlanon.core import survey_files
from sqlanon.core.errors import InputError, SqlanonError, UseError
from sqlanon.core.files import Session, place
from sqlanon.core.statements import execute, named_table, relation, select
from sqlanon.core.text_files import Roles
from tests.budget import examples
from tests.cli.test_cli import ok, refused, run

KINDS = ("sav", "dta")
NUMBERS = count()


def survey(path: Path, frame: pd.DataFrame, **given: Any) -> Path:
    """Make a file as somebody else would."""
    if path.suffix == ".sav":
        pyreadstat.write_sav(frame, path, **given)
    else:
        pyreadstat.write_dta(frame, path, version=14, **given)
    return path


def texts(values: Sequence[str]) -> pd.Series:
    return pd.Series(values, dtype="string")


def read(session: Session, path: Path, **roles: Any) -> list[tuple[Any, ...]]:
    return list(execute(session.con, select(relation(session.read(str(path), Roles(**roles))))))


def types(session: Session, path: Path, **roles: Any) -> dict[str, str]:
    name = session.read(str(path), Roles(**roles))
    return {column: type_ for column, type_, *_ in session.con.execute(f"describe {name}").fetchall()}


def write(session: Session, columns: Mapping[str, str], rows: Sequence[Sequence[Any]], path: Path) -> None:
    """Write rows as a release is written."""
    made = ", ".join(f'"{name}" {type_}' for name, type_ in columns.items())
    session.con.execute(f"create or replace temp table released ({made})")
    if rows:
        session.con.executemany(
            f"insert into released values ({', '.join('?' for _ in columns)})", [list(row) for row in rows]
        )
    session.write([(select(named_table("released")), place(str(path)))], False, {})


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with Session() as opened:
        yield opened


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("surveys")


def new(files: Path, kind: str) -> Path:
    return files / f"{next(NUMBERS)}.{kind}"


class TestReading:
    @pytest.mark.both_lines
    @pytest.mark.parametrize("kind", KINDS)
    @given(
        st.lists(st.none() | st.integers(-3, 6), max_size=7),
        st.dictionaries(st.integers(-3, 6), st.text("aü '\",\n1", max_size=3), max_size=4),
        st.lists(st.integers(-3, 6), max_size=3, unique=True),
    )
    @examples(40)
    def test_codes_are_what_they_are_called(
        self, session: Session, files: Path, kind: str, values: list[int | None], labels: dict[int, str],
        missing: list[int],
    ) -> None:  # fmt: skip
        """Declared ones are NULL (Stata has letters for them); codes without a label are their own text."""
        missing = missing if kind == "sav" else []
        labels = {code: label.rstrip() for code, label in labels.items()}
        told = {code: label for code, label in labels.items() if label.strip() and code not in missing}
        frame = pd.DataFrame({"a": pd.Series(values, dtype="float64"), "b": texts(["x"] * len(values))})
        given = {"missing_ranges": {"a": missing}} if missing else {}
        file = survey(new(files, kind), frame, variable_value_labels={"a": labels}, **given)
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(survey_files, "ROWS_AT_ONCE", 3)
            got = [None if a is None else str(a) for a, _ in read(session, file)]
            codes = [a for a, _ in read(session, file, types={"A": "integer"})]
        known = [None if a in missing else a for a in values]
        assert codes == known
        assert got == [None if a is None else told.get(a, str(a)) for a in known]

    def test_types_of_columns(self, session: Session, files: Path) -> None:
        """A label of what is missing makes no texts; a text of digits stays one, 0.1 is 0.1."""
        frame = pd.DataFrame({
            "sex": [1.0, 2.0], "age": [34.0, -9.0], "cost": [1.0, 2.5], "top": [98.0, 34.0],
            "zip": texts(["0101", "1"]), "born": [date(1970, 3, 11), date(1571, 12, 27)],
            "seen": [datetime(2024, 1, 1, 10, 0, 0, 250_000), None], "at": [time(7, 30), time(23, 59, 59)],
            "none": [None, float("nan")],
        })  # fmt: skip
        labels = {"sex": {1.0: "m", 2.0: "f"}, "age": {-9.0: "refused"}, "top": {98.0: "98 or more"}}
        file = survey(
            new(files, "sav"),
            frame,
            variable_value_labels=labels,
            missing_ranges={"age": [{"lo": -9, "hi": -1}]},
        )
        assert types(session, file) == {
            "sex": "VARCHAR", "age": "BIGINT", "cost": "DOUBLE", "top": "VARCHAR", "zip": "VARCHAR",
            "born": "DATE", "seen": "TIMESTAMP", "at": "TIME", "none": "VARCHAR",
        }  # fmt: skip
        first, second = read(session, file)
        assert first == ("m", 34, 1.0, "98 or more", "0101", date(1970, 3, 11),
                         datetime(2024, 1, 1, 10, 0, 0, 250_000), time(7, 30), None)  # fmt: skip
        assert second == ("f", None, 2.5, "34", "1", date(1571, 12, 27), None, time(23, 59, 59), None)
        single = new(files, "dta")
        pd.DataFrame({"x": pd.Series([0.1, 2.5], dtype="float32")}).to_stata(single, write_index=False)
        assert [x for (x,) in read(session, single)] == [0.1, 2.5]

    @pytest.mark.parametrize(
        ("kind", "format", "number", "read_as"),
        [
            ("sav", "EDATE10", 13_000_000_000, "1994-09-26"),
            ("sav", "MOYR8", 12_219_379_200, "1970-01-01"),
            ("sav", "TIME8", 90_061.5, "25:01:01.5"),
            ("sav", "DTIME12", -60.0, "-00:01:00"),
            ("sav", "YMDHMS20", 12_219_379_261, "1970-01-01 00:01:01"),
            ("sav", "WKDAY3", 2, "2"),
            ("dta", "%tdDD/NN/CCYY", 3653, "1970-01-01"),
            ("dta", "%-td", -1, "1959-12-31"),
            ("dta", "%tm", 123, "1970-04-01"),
            ("dta", "%tq", -1, "1959-10-01"),
            ("dta", "%tw", 53, "1961-01-08"),
            ("dta", "%tcHH:MM", 3_660_000, "01:01:00"),
            ("dta", "%tcHH:MM", 315_619_260_000, "1970-01-01 00:01:00"),
            ("dta", "%tC", 5, "5"),  # counts leap seconds
            ("dta", "%ty", 1984, "1984"),
        ],
    )  # fmt: skip
    def test_numbers_that_are_times(
        self, session: Session, files: Path, kind: str, format: str, number: float, read_as: str
    ) -> None:
        frame = pd.DataFrame({"a": [float(number), None]})
        file = survey(new(files, kind), frame, variable_format={"a": format})
        assert [str(a) for (a,) in read(session, file)] == [read_as, "None"]
        assert read(session, file, types={"a": "text"}) == [(read_as,), (None,)]

    def test_what_is_missing_is_counted_and_told(
        self, files: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        frame = pd.DataFrame({"a": [-9.0, None, 1.0, -9.0], "b": texts(["x", "no", "", "y"])})
        file = survey(new(files, "sav"), frame, missing_ranges={"a": [-9], "b": ["no"]})
        frame = pd.DataFrame({"a": ["c", None, 1.0]})
        stata = survey(new(files, "dta"), frame, missing_user_values={"a": ["c"]})
        with Session() as session:
            assert read(session, file) == [(None, "x"), (None, None), (1, None), (None, "y")]
            assert read(session, stata) == [(None,), (None,), (1,)]
        told = capsys.readouterr().err.splitlines()
        assert told == [
            f"{file} has missing values, which are read as NULL: 3 declared as missing (a 2, b 1), 2 empty",
            f"{stata} has missing values, which are read as NULL: 1 declared as missing (a 1), 1 empty",
        ]

    def test_codes_with_one_label_are_told(self, files: Path, capsys: pytest.CaptureFixture[str]) -> None:
        labels = {"a": {1.0: "other", 9.0: "other", 3.0: "other"}, "b": {1.0: "x", 2.0: "x"}}
        frame = pd.DataFrame({"a": [1.0, 9.0], "b": [1.0, 1.0]})
        file = survey(new(files, "sav"), frame, variable_value_labels=labels)
        with Session() as session:
            assert read(session, file) == [("other", "x"), ("other", "x")]
        told = f"{file}: 1 and 9 of a are one value, other: --types a=integer reads the codes"
        assert capsys.readouterr().err.splitlines() == [told]

    def test_encodings(self, session: Session, files: Path) -> None:
        """Files of old say which encoding they have, or somebody must."""
        file = survey(new(files, "sav"), pd.DataFrame({"a": texts(["Köln", "x"])}))
        content = file.read_bytes().replace("Köln".encode(), "Köln ".encode("cp1252"))
        old = new(files, "sav")
        old.write_bytes(content)
        assert read(session, file)[0] == ("Köln",)
        with pytest.raises(
            InputError, match=rf"{old.name} cannot be read as a file of SPSS.*--encoding NAME"
        ):
            session.read(str(old))
        old.write_bytes(content.replace(b"UTF-8", b"CP125"))
        assert read(session, old, encoding="CP1252")[0] == ("Köln",)

    @pytest.mark.parametrize("kind", KINDS)
    def test_what_is_no_such_file(self, session: Session, files: Path, kind: str) -> None:
        whole = survey(new(files, kind), pd.DataFrame({"a": [1.5] * 50})).read_bytes()
        for content in (b"", b"age\n1\n" * 100, whole[:200], whole[:-200]):
            file = new(files, kind)
            file.write_bytes(content)
            with pytest.raises(InputError, match=rf"{file.name} cannot be read as a file of"):
                session.read(str(file))

    def test_columns_that_differ_in_case_only(self, session: Session, files: Path) -> None:
        file = survey(new(files, "dta"), pd.DataFrame({"age": [1.0], "Age": [2.0]}))
        with pytest.raises(InputError, match="the columns age and Age, which are the same to SQL"):
            session.read(str(file))

    def test_a_table_without_rows(self, session: Session, files: Path) -> None:
        for kind in KINDS:
            file = survey(new(files, kind), pd.DataFrame({"a": texts([]), "b": pd.Series([], dtype=float)}))
            assert read(session, file) == []
            assert list(types(session, file)) == ["a", "b"]

    def test_without_the_library(
        self, session: Session, files: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        file = survey(new(files, "sav"), pd.DataFrame({"a": [1.0]}))
        monkeypatch.setattr(survey_files, "find_spec", lambda _: None)
        with pytest.raises(InputError, match=r"pip install 'sqlanon\[excel\]'"):
            session.read(str(file))


COLUMNS = {
    "BIGINT": st.integers(-(2**63), 2**63 - 1) | st.integers(-(2**54), 2**54) | st.integers(-9, 9),
    "DOUBLE": st.floats(allow_nan=False, allow_infinity=False) | st.integers(-9, 9).map(float),
    "FLOAT": st.sampled_from([0.1, 1.5, -3.25]),
    "DECIMAL(9, 2)": st.integers(-(10**8), 10**8).map(lambda n: n / 100),
    "BOOLEAN": st.booleans(),
    "DATE": st.dates(date(1000, 1, 1)),
    "TIMESTAMP": st.datetimes(datetime(1000, 1, 1)).map(
        lambda at: at.replace(microsecond=at.microsecond // 1000 * 1000)
    ),
    "TIME": st.times().map(lambda at: at.replace(microsecond=0)),
    "VARCHAR": st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=9)
    | st.sampled_from(["2024-01-01", "007", "NULL", "ß" * 300, "x" * 2045, '"', "a,b"]),
}  # fmt: skip


def same(value: Any) -> Any:
    """A value as both files have it: numbers are equal, texts without blanks behind, empty ones are NULL."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None if value is None else str(value).rstrip(" ") or None
    return float(value) if abs(value) <= 2**53 or isinstance(value, float) else str(value)


class TestWriting:
    @pytest.mark.both_lines
    @pytest.mark.parametrize("kind", KINDS)
    @given(st.data())
    @examples(60)
    def test_what_is_written_is_read_again(
        self, session: Session, files: Path, kind: str, data: st.DataObject
    ) -> None:
        given = data.draw(st.lists(st.sampled_from([*COLUMNS]), min_size=1, max_size=4))
        row = st.tuples(*(st.none() | COLUMNS[type_] for type_ in given))
        rows = data.draw(st.lists(row, max_size=5))
        file = new(files, kind)
        write(session, {f"c{i}": type_ for i, type_ in enumerate(given)}, rows, file)
        known = session.con.execute("from released").fetchall()
        for i, _ in enumerate(given):
            before = [row[i] for row in known]
            after = [row[i] for row in read(session, file)]
            if any(isinstance(value, str) for value in after):  # of numbers that are written as texts
                assert [same(str(v)) if v is not None else None for v in after] == [
                    same(str(v)) if v is not None else None for v in before
                ]
            else:
                assert list(map(same, map(float_of, after))) == list(map(same, map(float_of, before)))

    @pytest.mark.parametrize("kind", KINDS)
    @pytest.mark.parametrize(
        ("type_", "value", "told"),
        [
            ("VARCHAR[]", ["x"], "cannot hold the lists of a"),
            ("STRUCT(low INTEGER)", {"low": 1}, "cannot hold the lists of a"),
            ("VARCHAR", "x\0y", "a text of a has a NUL"),
            ("DATE", "infinity", "cannot hold the infinite time that a has"),
        ],
    )
    def test_what_cannot_be_held(
        self, session: Session, files: Path, kind: str, type_: str, value: Any, told: str
    ) -> None:
        """Nothing is left of the file."""
        file = new(files, kind)
        with pytest.raises(InputError, match=rf"{file.name}: .*{told}"):
            write(session, {"a": type_}, [[value]], file)
        assert not [each for each in files.iterdir() if each.name.startswith((file.name, "."))]

    def test_a_text_is_never_cut(self, session: Session, files: Path) -> None:
        for long in ("x" * 32_767, "ü" * 16_383):
            file = new(files, "sav")
            write(session, {"a": "VARCHAR"}, [[long]], file)
            assert read(session, file) == [(long,)]
            with pytest.raises(InputError, match="a text of a is longer than 32,767 bytes"):
                write(session, {"a": "VARCHAR"}, [[f"{long}xx"]], new(files, "sav"))

    @pytest.mark.parametrize("kind", KINDS)
    def test_numbers_that_are_none_there_are_texts(self, session: Session, files: Path, kind: str) -> None:
        file = new(files, kind)
        values: list[list[float | None]] = [[1.5], [float("inf")], [float("nan")], [None]]
        write(session, {"a": "DOUBLE"}, values, file)
        assert [a for (a,) in read(session, file)] == ["1.5", "inf", "nan", None]

    def test_names(self, session: Session, files: Path) -> None:
        for kind, names in {"sav": ["a b", "ALL", "x" * 65], "dta": ["a b", "byte", "x" * 33, "2nd"]}.items():
            for name in names:
                with pytest.raises(InputError, match=rf"no column of .* can be called {name}: rename it"):
                    write(session, {"age": "INTEGER", name: "INTEGER"}, [[1, 2]], new(files, kind))
            file = new(files, kind)
            write(session, {"größe": "INTEGER"}, [[1]], file)
            assert types(session, file) == {"größe": "BIGINT"}

    def test_sql_alone_writes_none(self, session: Session, files: Path) -> None:
        for kind in (*KINDS, "xlsx"):
            target = place(str(files / f"out.{kind}"))
            with pytest.raises(UseError, match=rf"DuckDB alone writes no \.{kind} file"):
                session.writing([(select(named_table("released")), target)], False, {})

    def test_compressed_ones_are_not_known(self) -> None:
        with pytest.raises(SqlanonError, match=r"\.sav or \.dta\) or file\.duckdb::table"):
            place("people.sav.gz")


def float_of(value: Any) -> Any:
    """A decimal as a number."""
    return float(value) if type(value).__name__ == "Decimal" else value


@pytest.mark.slow("2.0 s a case")
@pytest.mark.parametrize("kind", KINDS)
def test_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    """Columns that stay keep what they are called; what is there is not replaced unasked."""
    monkeypatch.chdir(tmp_path)
    frame = pd.DataFrame({
        "sex": [1.0, 2.0] * 4, "age": [30.0 + i // 2 for i in range(8)], "town": texts(["Köln", "Graz"] * 4),
    })  # fmt: skip
    called = {"sex": "Geschlecht", "age": "Alter", "town": "Wohnort"}
    survey(
        Path(f"people.{kind}"), frame, column_labels=called,
        variable_value_labels={"sex": {1.0: "männlich", 2.0: "weiblich"}},
    )  # fmt: skip
    found = run("check", f"people.{kind}", "--qi", "age,sex", "--k", "2")
    assert (found.exit_code, found.stdout.count("männlich")) == (1, 4)
    asked = ("anonymize", f"people.{kind}", "--qi", "sex,age", "--keep", "town", "--k", "2", "--seed", "1")
    ok(*asked, "-o", f"out.{kind}")
    released, known = getattr(pyreadstat, f"read_{kind}")(f"out.{kind}")
    assert known.column_names_to_labels == called
    assert sorted(set(released["sex"])) == ["männlich", "weiblich"]
    assert sorted(released["town"]) == sorted(frame["town"])
    assert "k = 2 holds" in run("check", f"out.{kind}", "--qi", "age,sex", "--k", "2").stderr
    assert f"out.{kind} exists" in refused(2, *asked, "-o", f"out.{kind}")
    assert "cannot hold ranges" in refused(2, *asked, "-o", f"new.{kind}", "--recoding", "range")
    ok(*asked[:2], "--qi", "sex,age", "--k", "2", "--seed", "1", "-o", "out.csv")
    assert "wei" in Path("out.csv").read_text("utf-8")
