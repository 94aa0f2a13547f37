"""Masks: what they show, that hashes are HMAC-SHA256, and that the key is seen nowhere."""

from __future__ import annotations

import csv
import hashlib
import hmac
import io
import logging
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import sqlanon
import sqlanon.policies
from sqlanon.perturb.masks import Key
from tests.cli import test_cli as cli
from tests.cli.test_cli import folder as folder  # a fixture
from tests.core.test_bad_input import NAMES
from tests.data import ROOT
from tests.tables import identifier

SECRET = "correct horse battery staple ñ"


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        sqlanon.register(connection)
        connection.execute(
            """create table people as from (values
                ('Ann', 'ann@example.org', '+1 555 0100', 31, 1.50, date '2020-01-01'),
                ('Bob', null, '07', 42, null, null),
                ('Zoë "Z" 😀', 'z@x.de', null, 53, -3.25, date '1999-12-31')
            ) as t(name, email, phone, age, amount, seen)"""
        ).fetchall()
        connection.execute("create table empty as from people where false").fetchall()
        yield connection


@pytest.fixture
def key(tmp_path: Path) -> Path:
    """A file with the key."""
    file = tmp_path / "secret.key"
    file.write_text(SECRET + "\n", "utf-8")
    return file


@pytest.fixture(autouse=True)
def no_key_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SQLANON_KEY", raising=False)


def hashed(text: str | None, secret: str = SECRET) -> str | None:
    return None if text is None else hmac.new(secret.encode(), text.encode(), hashlib.sha256).hexdigest()


def functions(con: duckdb.DuckDBPyConnection) -> list[Any]:
    """What we have left among the functions."""
    return con.execute(
        "select function_name from duckdb_functions() where function_name ^@ '_sqlanon_'"
    ).fetchall()


def temporary(con: duckdb.DuckDBPyConnection) -> list[str]:
    """The temporary tables, in the order of their making."""
    result = con.execute(
        "select table_name from duckdb_tables() where temporary order by table_oid"
    ).fetchall()
    return [name for (name,) in result]


class TestParts:
    @pytest.mark.both_lines
    @given(
        st.lists(st.none() | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"),
                                     max_size=8)),
        st.integers(0, 4), st.integers(0, 4), st.sampled_from(["****", "", "'"]),
    )  # fmt: skip
    @example(["", "a", "ab", "abc"], 1, 1, "*")
    def test_text(
        self, con: duckdb.DuckDBPyConnection, values: list[str | None], first: int, last: int, mark: str
    ) -> None:
        result = con.execute(
            "select sqlanon.mask_text(unnest($values::varchar[]), first := $first::int, "
            "last := $last::int, mark := $mark)",
            {"values": values, "first": first, "last": last, "mark": mark},
        ).fetchall()
        for value, (shown,) in zip(values, result, strict=True):
            if value is None:
                assert shown is None
            elif len(value) <= first + last:
                assert shown == mark
            else:
                assert shown == value[:first] + mark + value[len(value) - last :]

    @pytest.mark.both_lines
    @pytest.mark.parametrize(
        ("address", "shown"),
        [
            ("john@example.org", "j***@example.org"),
            ("j@x.de", "***@x.de"),
            ("@x.de", "***@x.de"),
            ('"a@b"@c.de', '"***@c.de'),
            ("a\nb@c.de", "a***@c.de"),
            ("nobody", "***"),
            ("", "***"),
            (None, None),
        ],
    )
    def test_addresses(self, con: duckdb.DuckDBPyConnection, address: str | None, shown: str | None) -> None:
        assert con.execute("select sqlanon.mask_email($1::varchar)", [address]).fetchall() == [(shown,)]

    def test_numbers_and_dates_are_texts(self, con: duckdb.DuckDBPyConnection) -> None:
        result = con.execute(
            "select sqlanon.mask_text(4000123412341234, last := 4), "
            "sqlanon.mask_text(date '2020-02-29', first := 4, mark := '-?')"
        )
        assert result.fetchall() == [("****1234", "2020-?")]

    @pytest.mark.parametrize("parameter", ["first", "last"])
    @pytest.mark.parametrize("number", ["-1", "1.5", "'nan'::double", "null"])
    def test_refused(self, con: duckdb.DuckDBPyConnection, parameter: str, number: str) -> None:
        with pytest.raises(duckdb.Error, match=f"{parameter} must be a whole number of at least 0, not "):
            con.execute(f"select sqlanon.mask_text(name, {parameter} := {number}) from people").fetchall()


class TestMask:
    def test_every_mask(self, con: duckdb.DuckDBPyConnection, key: Path) -> None:
        result = sqlanon.mask(
            con, "people", hash=["name", "amount", "seen"], partial={"phone": {"last": 4}}, email="email",
            keep="age", key_file=key,
        )  # fmt: skip
        assert result.columns == ["name", "amount", "seen", "phone", "email", "age"]
        assert sorted(result.fetchall(), key=lambda row: row[-1]) == [
            (hashed("Ann"), hashed("1.50"), hashed("2020-01-01"), "****0100", "a***@example.org", 31),
            (hashed("Bob"), None, None, "****", None, 42),
            (hashed('Zoë "Z" 😀'), hashed("-3.25"), hashed("1999-12-31"), None, "***@x.de", 53),
        ]
        assert functions(con) == []

    def test_the_key_may_be_in_the_environment(
        self, con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch, key: Path
    ) -> None:
        monkeypatch.setenv("SQLANON_KEY", "sixteen bytes...")
        wanted = {(hashed(name, "sixteen bytes..."),) for name in ("Ann", "Bob", 'Zoë "Z" 😀')}
        assert set(sqlanon.mask(con, "people", hash="name").fetchall()) == wanted
        # a file comes first
        assert (hashed("Ann"),) in sqlanon.mask(con, "people", hash="name", key_file=key).fetchall()

    @pytest.mark.parametrize("ending", ["", "\n", "\r\n"])
    def test_the_end_of_the_line_is_not_of_the_key(self, tmp_path: Path, ending: str) -> None:
        (tmp_path / "key").write_bytes(SECRET.encode() + ending.encode())
        assert Key.read(tmp_path / "key") == Key(SECRET.encode())

    def test_masked_tables_can_be_joined(self, con: duckdb.DuckDBPyConnection, key: Path) -> None:
        frame = pd.DataFrame({"NAME": ["Bob", "Ann", "Eve"]})
        one = sqlanon.mask(con, "people", hash="name", keep="age", key_file=key, into="one", replace=True)
        two = sqlanon.mask(con, frame, hash="NAME", key_file=str(key), into="two", replace=True)
        assert con.execute("select age from one join two using (name) order by age").fetchall() == [
            (31,),
            (42,),
        ]
        assert (len(one), len(two)) == (3, 3)
        con.execute("drop table one; drop table two").fetchall()

    def test_a_mask_without_hashes_needs_no_key(self, con: duckdb.DuckDBPyConnection) -> None:
        assert Counter(
            sqlanon.mask(con, "people", partial={"name": {"first": 1, "mark": "-"}}).fetchall()
        ) == Counter([("A-",), ("B-",), ("Z-",)])

    def test_the_order_of_rows(self, con: duckdb.DuckDBPyConnection, key: Path) -> None:
        con.execute("create or replace table hundred as select i from range(100) as t(i)").fetchall()
        con.execute("create or replace table backwards as from hundred order by i desc").fetchall()

        def masked(table: str, seed: int | None) -> list[Any]:
            return sqlanon.mask(con, table, hash="i", key_file=key, seed=seed).fetchall()

        assert masked("hundred", 1) == masked("backwards", 1) != masked("hundred", 2)
        assert masked("hundred", None) != masked("hundred", None)

    def test_any_name(self, con: duckdb.DuckDBPyConnection, key: Path) -> None:
        names = [*NAMES, "value", "first", "last", "mark"]
        chosen = ", ".join(f"'name {i}' as {identifier(name)}" for i, name in enumerate(names))
        con.execute(f"create or replace table named as select {chosen}").fetchall()
        parts = {name: {"last": 2} for name in names[::3]}
        result = sqlanon.mask(con, "named", partial=parts, hash=names[1::3], keep=names[2::3], key_file=key)
        order = [*names[1::3], *names[::3], *names[2::3]]
        assert result.columns == order
        [row] = result.fetchall()
        for name, value in zip(order, row, strict=True):
            i = names.index(name)
            assert value == [f"****{f'name {i}'[-2:]}", hashed(f"name {i}"), f"name {i}"][i % 3]

    def test_in_a_transaction_and_in_a_read_only_database(self, key: Path, tmp_path: Path) -> None:
        file = tmp_path / "people.duckdb"
        with duckdb.connect(file) as con:
            con.begin()
            con.execute("create table people as select 'Ann' as name").fetchall()
            sqlanon.mask(con, "people", hash="name", key_file=key, into="masked")
            con.commit()
            assert con.execute("from masked").fetchall() == [(hashed("Ann"),)]
        with duckdb.connect(file, read_only=True) as con:
            assert sqlanon.mask(con, "people", hash="name", key_file=key).fetchall() == [(hashed("Ann"),)]
            assert functions(con) == []

    @pytest.mark.slow("0.6 s")
    def test_nothing_is_printed_when_the_connection_is_left_open(self, key: Path) -> None:
        script = f"""if True:
            import duckdb, sqlanon
            con = duckdb.connect()
            con.execute("set enable_progress_bar = false").fetchall()  # DuckDB's own
            con.execute("create table people as select 'Ann' as name").fetchall()
            print(sqlanon.mask(con, "people", hash="name", key_file={str(key)!r}).fetchall())
        """
        done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout == f"[('{hashed('Ann')}',)]\n"

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ({}, "no column is masked: name columns in hash, partial or email"),
            ({"hash": "nmae"}, 'unknown column "nmae"; did you mean "name"'),
            ({"hash": "name", "keep": "aeg"}, 'unknown column "aeg"; did you mean "age"'),
            ({"hash": "name", "keep": "NAME"}, 'column "NAME" is named twice'),
            ({"hash": "name", "email": "name"}, 'column "name" is named twice'),
            ({"hash": [None]}, "hash takes names of columns, not None"),
            ({"partial": {"name": 4}}, "partial of name says what is shown, such as {\"first\": 1}, not 4"),
            ({"partial": {"name": {"lst": 4}}}, "partial of name has first, last and mark, not lst"),
            ({"partial": {"name": {"last": -1}}}, "last must be a whole number of at least 0, not -1"),
            ({"hash": "name", "into": "people"}, "people exists"),
        ],
    )  # fmt: skip
    def test_refused(
        self, con: duckdb.DuckDBPyConnection, key: Path, arguments: dict[str, Any], message: str
    ) -> None:
        tables = con.execute("select table_name from duckdb_tables() order by all").fetchall()
        with pytest.raises(sqlanon.InputError) as caught:
            sqlanon.mask(con, "people", **{"into": "made", "key_file": key, **arguments})
        assert message in str(caught.value)
        assert con.execute("select table_name from duckdb_tables() order by all").fetchall() == tables
        assert functions(con) == []


class TestKey:
    def test_there_must_be_one(self, con: duckdb.DuckDBPyConnection) -> None:
        with pytest.raises(
            sqlanon.InputError, match="a hash needs a key: name a file with one, or set SQLANON_KEY"
        ):
            sqlanon.mask(con, "people", hash="name")

    @pytest.mark.parametrize("secret", ["", "\n", "fifteen bytes..", "fifteen bytes..\n\n"])
    def test_a_short_one_is_refused_and_not_shown(
        self, con: duckdb.DuckDBPyConnection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, secret: str
    ) -> None:
        (tmp_path / "key").write_text(secret)
        with pytest.raises(sqlanon.InputError, match=r"the key in .*key has less than 16 bytes") as caught:
            sqlanon.mask(con, "people", hash="name", key_file=tmp_path / "key")
        assert "fifteen" not in str(caught.value)
        monkeypatch.setenv("SQLANON_KEY", secret)
        with pytest.raises(sqlanon.InputError, match="SQLANON_KEY"):
            sqlanon.mask(con, "people", hash="name")

    def test_a_file_that_cannot_be_read(self, con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
        with pytest.raises(sqlanon.InputError, match=r"there is no key file .*nowhere"):
            sqlanon.mask(con, "people", hash="name", key_file=tmp_path / "nowhere")
        with pytest.raises(sqlanon.InputError, match=r"the key file .* cannot be read: "):
            sqlanon.mask(con, "people", hash="name", key_file=tmp_path)

    def test_it_does_not_show_itself(self) -> None:
        key = Key(SECRET.encode())
        assert SECRET not in f"{key} {key!r} {key.hash}"

    @pytest.mark.slow("3.1 s")
    def test_it_is_nowhere(
        self, con: duckdb.DuckDBPyConnection, key: Path, caplog: pytest.LogCaptureFixture, folder: Path
    ) -> None:
        """Not in files, comments, metadata, messages, logs, statements, functions,
        or what a release says of itself.
        """
        Path("policy.toml").write_text(POLICY)
        texts = []
        with caplog.at_level(logging.DEBUG):
            for output in ("out.csv", "out.parquet", "out.duckdb::released"):
                result = cli.run(
                    "anonymize", "people.csv", "--policy", "policy.toml", "--key-file", key, "-o", output
                )
                assert result.exit_code == 0, result.stderr
                texts.append(result.output)
                mask = cli.run("mask", "people.csv", "--hash", "name", "--key-file", key, "-o", f"m_{output}")
                assert mask.exit_code == 0, mask.stderr
                texts.append(mask.output)
            # A table that has a column which cannot be masked as it is asked for.
            texts.append(
                cli.run("mask", "people.csv", "--hash", "name", "--keep", "nmae", "--key-file", key).output
            )
            release = sqlanon.policies.load("policy.toml").run(con, "people.csv", key_file=key)
            texts += [repr(release), str(release), repr(sqlanon.policies.load("policy.toml"))]
            with pytest.raises(sqlanon.SqlanonError) as caught:
                sqlanon.mask(con, "people", hash="name", partial={"age": {"last": -1}}, key_file=key)
            texts.append(repr(caught.value) + repr(vars(caught.value)))
        texts += [repr(con.execute("from duckdb_functions()").fetchall()), caplog.text]
        content = b"".join(file.read_bytes() for file in folder.iterdir() if file.is_file() and file != key)
        assert str(hashed("Ann")) in content.decode("utf-8", "replace")
        for form in (SECRET.encode(), SECRET.encode().hex().encode(), repr(SECRET).encode()):
            assert form not in content + "\n".join(texts).encode()


POLICY = """
[roles]
qi = ["age"]
sensitive = ["disease"]

[masks]
name = {method = "hash"}
zip = {method = "partial", first = 2, mark = "..."}

[requirements]
k = 2
"""


class TestPolicy:
    @pytest.fixture(autouse=True)
    def policy(self, folder: Path) -> None:
        Path("policy.toml").write_text(POLICY)

    @pytest.mark.slow("1.0 s")
    def test_masked_columns_leave_beside_the_others(self, con: duckdb.DuckDBPyConnection, key: Path) -> None:
        command = ("anonymize", "people.csv", "--policy", "policy.toml", "--seed", "1")
        result = cli.run(*command, "--key-file", key)
        assert result.exit_code == 0, result.stderr
        [header, *rows] = csv.reader(io.StringIO(result.stdout))
        assert header == ["age", "disease", "name", "zip"]
        assert "not released" not in result.stderr
        names = {row[2]: row for row in rows}
        assert names.keys() == {
            hashed(name) for name in ("Ann", "Bob", "Cem", "Dot", "Eve", "Fay", "Gus", "Hal")
        }
        assert names[str(hashed("Cem"))][1:] == ["flu", hashed("Cem"), "02..."]
        assert "k-anonymity 2" in result.stderr

        before = temporary(con)
        release = sqlanon.policies.load("policy.toml").run(con, "people.csv", key_file=key)
        assert Counter(release.relation(con).fetchall()) == Counter(map(tuple, rows))
        assert release.parameters["masks"] == {
            "name": {"method": "hash"},
            "zip": {"method": "partial", "first": 2, "mark": "..."},
        }
        assert functions(con) == []
        assert temporary(con) == [*before, release.table]

    @pytest.mark.slow("0.6 s")
    def test_hierarchies_and_options_go_with_them(self, key: Path) -> None:
        text = POLICY.replace(
            "[requirements]", '[hierarchies.age]\nbuilder = "interval"\nwidths = [10, 20]\n[requirements]'
        )
        Path("policy.toml").write_text(text + '[method]\nname = "optimal"\nsuppression_limit = 0.0\n')
        result = cli.run("anonymize", "people.csv", "--policy", "policy.toml", "--k", "4", "--key-file", key)
        assert result.exit_code == 0, result.stderr
        assert {row["age"] for row in csv.DictReader(io.StringIO(result.stdout))} == {"[20, 29]", "[40, 49]"}

    @pytest.mark.slow("0.5 s")
    def test_the_key_is_needed_for_hashes_only(self) -> None:
        refusal = cli.refused(2, "anonymize", "people.csv", "--policy", "policy.toml")
        assert refusal == "a hash needs a key: name a file with one, or set SQLANON_KEY"
        Path("policy.toml").write_text(POLICY.replace('"hash"', '"email"'))
        assert cli.ok("anonymize", "people.csv", "--policy", "policy.toml")

    def test_there_is_no_statement_for_it(self, key: Path) -> None:
        refusal = cli.refused(
            2, "anonymize", "people.csv", "--policy", "policy.toml", "--key-file", key, "--sql"
        )
        assert refusal == "policy.toml: masks are for a run, not for a statement"

    @pytest.mark.parametrize(
        ("old", "new", "message"),
        [
            ("name =", "nmae =", "masks.nmae: there is no column nmae in people.csv; did you mean name?"),
            ("name =", "Age =", "masks.Age: column Age is in roles.qi already, and has one role"),
            ('{method = "hash"}', '"hash"', 'masks.name must be a table, not "hash"'),
            ('{method = "hash"}', "{last = 4}", "masks.name needs method, one of hash, partial, email"),
            ('"hash"', '"hahs"',
             'masks.name.method must be one of hash, partial, email, not "hahs"; did you mean hash?'),
            ('"hash"', "1", "masks.name.method must be a text, not 1"),
            ('"hash"', '"hash", last = 4', "masks.name.last is not known; known are method"),
            ("first = 2", "frist = 2", "masks.zip.frist is not known; did you mean masks.zip.first?"),
            ("first = 2", "first = -1", "masks.zip.first must be at least 0, not -1"),
            ("first = 2", 'first = "a"', 'masks.zip.first must be a whole number, not "a"'),
            ('name = {method = "hash"}', 'zip = {method = "hash"}\nZIP = {method = "hash"}', None),
            ("[masks]", "[mask]", "mask is not known; did you mean masks?"),
        ],
    )  # fmt: skip
    def test_what_is_wrong_with_those_that_are_wrong(
        self, key: Path, old: str, new: str, message: str | None
    ) -> None:
        assert old in POLICY
        Path("policy.toml").write_text(POLICY.replace(old, new, 1))
        refusal = cli.refused(2, "anonymize", "people.csv", "--policy", "policy.toml", "--key-file", key)
        assert refusal.startswith("policy.toml")
        if message:
            assert refusal == f"policy.toml: {message}"

    def test_a_column_has_one_mask(self, key: Path) -> None:
        Path("policy.toml").write_text(POLICY.replace("name =", "ZIP ="))
        refusal = cli.refused(2, "anonymize", "people.csv", "--policy", "policy.toml", "--key-file", key)
        assert refusal == "policy.toml: masks.zip: zip has a mask already"

    def test_an_option_cannot_give_a_masked_column_a_role(self, key: Path) -> None:
        refusal = cli.refused(
            2, "anonymize", "people.csv", "--policy", "policy.toml", "--key-file", key, "--keep", "zip"
        )
        assert refusal == "policy.toml: masks.zip: column zip is in --keep already, and has one role"

    @pytest.mark.slow("0.9 s")
    def test_init_suggests_them(self, key: Path) -> None:
        drafted = cli.ok("init", "--seconds", "0", "people.csv")
        assert '# [masks]\n# name = {method = "hash"}\n' in drafted
        text = (
            drafted.replace("confirmed = false", "confirmed = true")
            .replace("k = 5", "k = 2")
            .replace("l = 2", "# l = 2")
        )
        lines = [line for line in text.splitlines() if not line.startswith('    "name"')]
        text = "\n".join(lines).replace("# [masks]\n# name", "[masks]\nname")
        Path("drafted.toml").write_text(text)
        result = cli.ok("anonymize", "people.csv", "--policy", "drafted.toml", "--key-file", key)
        assert str(hashed("Ann")) in result


class TestCommandLine:
    def test_mask(self, folder: Path, key: Path) -> None:
        Path("mails.csv").write_text('name,"e, mail",phone,age\nAnn,ann@x.org,5550100,31\nBob,,07,42\n')
        result = cli.ok(
            "mask", "mails.csv", "--hash", "name", "--email", '"e, mail"', "--partial", "phone=4", "--keep",
            "age", "--key-file", key,
        )  # fmt: skip
        [header, *masked] = csv.reader(io.StringIO(result))
        assert header == ["name", "phone", "e, mail", "age"]
        assert sorted(masked, key=lambda row: row[-1]) == [
            [hashed("Ann"), "****0100", "a***@x.org", "31"],
            [hashed("Bob"), "****", "", "42"],
        ]

    @pytest.mark.slow("0.4 s")
    def test_into_a_file_that_is_not_there_yet(self, folder: Path, key: Path) -> None:
        command = ("mask", "people.csv", "--hash", "name", "--key-file", key, "-o", "out.parquet")
        cli.ok(*command)
        assert cli.query("select count(distinct name) from 'out.parquet'") == [(8,)]
        assert cli.refused(2, *command) == "out.parquet exists: give --force to replace it"
        cli.ok(*command, "--force")

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ("--keep age", "give columns to mask: --hash, --partial or --email"),
            (
                "--hash nmae --key-file KEY",
                "--hash: there is no column nmae in people.csv; did you mean name?",
            ),
            ("--partial nmae=1", "--partial: there is no column nmae in people.csv; did you mean name?"),
            ("--partial name=x", "--partial name=x: x is not a whole number"),
            ("--partial name", "--partial name: write COLUMN=NUMBER"),
            ("--hash name", "a hash needs a key: name a file with one, or set SQLANON_KEY"),
            ("--hash name --key-file nowhere", "there is no key file nowhere"),
        ],
    )
    def test_wrong_use(self, folder: Path, key: Path, options: str, message: str) -> None:
        given = [str(key) if option == "KEY" else option for option in options.split()]
        assert cli.refused(2, "mask", "people.csv", *given, "-o", "out.csv") == message
        assert [file.name for file in folder.iterdir() if file != key] == ["people.csv"]
