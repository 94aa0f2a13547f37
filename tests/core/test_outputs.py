"""Files that are written: nothing of what they replace is left, their modes,
and what killed processes leave behind.
"""

import fcntl
import os
import signal
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import duckdb
import pytest
from typer.testing import CliRunner, Result

import sqlanon
from sqlanon.cli import app
from sqlanon.core.outputs import PREFIX, private_folder, replacing
from sqlanon.perturb.masks import Key

NO_VARIABLES: dict[str, Any] = {"python_enable_replacements": False}
ANONYMIZE = ["anonymize", "people.csv", "--qi", "age", "--k", "5", "--seed", "1"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with people.csv."""
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"{20 + i % 5},secret-{i % 3}\n" for i in range(3000))
    (tmp_path / "people.csv").write_text("age,name\n" + rows)
    return tmp_path


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app.app, [str(argument) for argument in arguments])


def ok(*arguments: str | Path) -> None:
    result = run(*arguments)
    assert result.exit_code == 0, result.stderr


def mode(path: Path | str) -> int:
    return stat.S_IMODE(Path(path).stat().st_mode)


def test_nothing_of_a_replaced_table_is_left_in_its_file(folder: Path) -> None:
    with duckdb.connect("out.duckdb", config=NO_VARIABLES) as con:
        for statement in (
            "create schema s",
            "create sequence number start 5",
            "create table parent (id integer primary key default nextval('number'), t text not null)",
            "insert into parent (t) values ('a'), ('b')",
            "create index i on parent (t)",
            "comment on table parent is 'mine'",
            "comment on column parent.t is 'my text'",
            "create view v as from parent",
            "create macro twice(x) as x * 2",
        ):
            con.execute(statement).fetchall()
    ok(*ANONYMIZE, "--keep", "name", "-o", "out.duckdb::s.release")
    assert b"secret-" in Path("out.duckdb").read_bytes()
    assert run(*ANONYMIZE, "-o", "out.duckdb::s.release").exit_code == 2
    Path("out.duckdb").chmod(0o640)
    ok(*ANONYMIZE, "-o", "out.duckdb::s.release", "--force")
    assert b"secret-" not in Path("out.duckdb").read_bytes()
    assert sorted(path.name for path in folder.iterdir()) == ["out.duckdb", "people.csv"]
    assert mode("out.duckdb") == 0o640
    with duckdb.connect("out.duckdb", config=NO_VARIABLES) as con:
        assert con.execute("select count(*) from s.release").fetchall() == [(3000,)]
        assert con.execute("from v order by id").fetchall() == [(5, "a"), (6, "b")]
        assert con.execute("select nextval('number'), twice(2)").fetchall() == [(7, 4)]
        assert con.execute("select index_name from duckdb_indexes()").fetchall() == [("i",)]
        comments = "select comment from {} where comment is not null"
        assert con.execute(comments.format("duckdb_tables()")).fetchall() == [("mine",)]
        assert con.execute(comments.format("duckdb_columns()")).fetchall() == [("my text",)]
        with pytest.raises(duckdb.ConstraintException):
            con.execute("insert into parent values (5, 'x')")


@pytest.mark.slow("half a second")
def test_a_release_replaces_the_table_that_it_is_of(folder: Path) -> None:
    with duckdb.connect("in.duckdb", config=NO_VARIABLES) as con:
        con.execute("create table people as from 'people.csv'").fetchall()
    ok("anonymize", "in.duckdb::people", "--qi", "age", "--k", "5", "-o", "in.duckdb::people", "--force")
    assert b"secret-" not in Path("in.duckdb").read_bytes()
    assert run("check", "in.duckdb::people", "--qi", "age", "--k", "5").exit_code == 0


@pytest.mark.slow("1.0 s")
def test_a_duckdb_file_that_cannot_be_replaced_stays(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ok(*ANONYMIZE, "--keep", "name", "-o", "out.duckdb::release")
    before = Path("out.duckdb").read_bytes()

    def fails(*_: object) -> None:
        raise sqlanon.SqlanonError("no more room")

    monkeypatch.setattr("sqlanon.core.files.Session._make_tables", fails)
    assert run(*ANONYMIZE, "-o", "out.duckdb::release", "--force").exit_code == 3
    assert Path("out.duckdb").read_bytes() == before
    assert sorted(path.name for path in folder.iterdir()) == ["out.duckdb", "people.csv"]


def test_new_duckdb_files_are_for_every_supported_version(folder: Path) -> None:
    ok(*ANONYMIZE, "-o", "out.duckdb::release")
    for arguments in ([], ["--force"]):
        ok(*ANONYMIZE, "-o", "out.duckdb::release", *arguments) if arguments else None
        with duckdb.connect() as con:
            con.execute("attach 'out.duckdb' as f (read_only)").fetchall()
            [(tags,)] = con.execute(
                "select tags from duckdb_databases() where database_name = 'f'"
            ).fetchall()
            assert tags["storage_version"] == "v1.2.0+"


@pytest.mark.parametrize("content", [b"", b"hello", b"SQLite format 3\0" + b"\0" * 100])
def test_what_is_no_duckdb_file_is_refused_before_any_work(folder: Path, content: bytes) -> None:
    for name in ("z.csv", "z.duckdb"):
        Path(name).write_bytes(content)
        result = run(*ANONYMIZE, "-o", f"{name}::t")
        assert (result.exit_code, result.stderr) == (3, f"error: {name} is not a DuckDB file\n")
        assert Path(name).read_bytes() == content
    assert run(*ANONYMIZE, "-o", "new.csv::t").exit_code == 2
    os.mkfifo("pipe.csv")
    assert "is not a file that can be replaced" in run(*ANONYMIZE, "-o", "pipe.csv", "--force").stderr


@pytest.mark.slow("0.8 s a case", but=(3,))
@pytest.mark.parametrize("name", ["out.csv", "out.parquet", "out.json", "policy.toml"])
def test_a_file_that_is_replaced_keeps_its_mode(folder: Path, name: str) -> None:
    command = ["init", "people.csv", "--seconds", "0"] if name == "policy.toml" else ANONYMIZE
    ok(*command, "-o", name)
    assert mode(name) == 0o666 & ~_umask()
    for bits in (0o600, 0o444):
        Path(name).chmod(bits)
        ok(*command, "-o", name, "--force")
        assert mode(name) == bits
    Path("link").symlink_to(name)
    real = Path("real") / name
    real.parent.mkdir()
    Path(name).rename(real)
    Path(name).symlink_to(real)
    ok(*command, "-o", name, "--force")
    assert Path(name).is_symlink()
    assert mode(real) == 0o444


def _umask() -> int:
    umask = os.umask(0)
    os.umask(umask)
    return umask


def test_a_secret_file_is_for_its_owner_only(tmp_path: Path) -> None:
    for _ in range(2):
        with replacing(tmp_path / "report.html", True, secret=True) as temporary:
            assert mode(temporary.parent) == 0o700
            temporary.write_text("secret")
        assert mode(tmp_path / "report.html") == 0o600
        (tmp_path / "report.html").chmod(0o644)


def test_what_a_killed_process_leaves_is_gone_after_the_next_run(tmp_path: Path) -> None:
    program = (
        "import sys, time; from pathlib import Path; from sqlanon.core.outputs import replacing\n"
        "with replacing(Path(sys.argv[1]), True) as path:\n"
        "    path.write_text('half'); print('written', flush=True); time.sleep(60)"
    )
    killed, running = (
        subprocess.Popen([sys.executable, "-c", program, tmp_path / name], stdout=subprocess.PIPE)
        for name in ("out.csv", "other.csv")
    )
    try:
        for process in (killed, running):
            assert process.stdout is not None
            assert process.stdout.readline() == b"written\n"
        killed.kill()
        killed.wait()
        (tmp_path / f"{PREFIX}file").write_text("not a folder")
        assert len(list(tmp_path.glob(f"{PREFIX}*/*"))) == 2
        with private_folder(tmp_path):
            assert [path.name for path in tmp_path.glob(f"{PREFIX}*/*")] == ["other.csv"]
    finally:
        for process in (killed, running):
            process.kill()
            process.wait()
            assert process.stdout is not None
            process.stdout.close()
    assert (tmp_path / f"{PREFIX}file").is_file()


@pytest.mark.parametrize("is_removed", [True, False])
def test_a_folder_that_another_process_takes_for_abandoned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_removed: bool
) -> None:
    """Before it is locked: it is gone, or about to go."""
    make = tempfile.mkdtemp
    made: list[str] = []
    held: list[int] = []

    def mkdtemp(**arguments: Any) -> str:
        made.append(make(**arguments))
        if len(made) == 1 and is_removed:
            Path(made[0]).rmdir()
        elif len(made) == 1:
            held.append(os.open(made[0], os.O_RDONLY))
            fcntl.flock(held[0], fcntl.LOCK_EX)
        return made[-1]

    monkeypatch.setattr(tempfile, "mkdtemp", mkdtemp)
    try:
        with private_folder(tmp_path) as folder:
            assert [str(folder)] == made[1:]
    finally:
        for descriptor in held:
            os.close(descriptor)


def test_a_lost_terminal_ends_a_command_as_an_interrupt_does(tmp_path: Path) -> None:
    program = (
        "import signal, time; from sqlanon.core.interrupts import interruptible\n"
        "signal.signal(signal.SIGHUP, signal.SIG_DFL)  # nohup ignores it, and what it has started as well\n"
        "try:\n"
        "    with interruptible(): print('ready', flush=True); time.sleep(60)\n"
        "except KeyboardInterrupt: print('cleaned', flush=True)"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        process.send_signal(signal.SIGHUP)
        assert process.stdout.readline() == b"cleaned\n"


def test_ctrl_c_during_the_imports_prints_no_traceback(tmp_path: Path) -> None:
    (tmp_path / "typer.py").write_text("print('importing', flush=True)\nimport time\ntime.sleep(60)\n")
    root = Path(__file__).resolve().parents[2]
    process = subprocess.Popen(
        [sys.executable, "-m", "sqlanon", "--version"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": f"{tmp_path}:{root}"},
        # SIGINT is ignored where tests run in the background
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline() == b"importing\n"
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert (process.returncode, errors) == (130, b"")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\xef\xbb\xbf0123456789abcdef", "byte order mark"),
        ("0123456789abcdef".encode("utf-16"), "byte order mark"),
        (b"0123456789abcdef ", "begins or ends with blanks"),
        (b"0123456789abcdef \n", "begins or ends with blanks"),
        (b"\t0123456789abcdef", "begins or ends with blanks"),
        (b"\0" * 16, "is easily guessed"),
        (b"abababababababab", "is easily guessed"),
        (bytes(range(256)) * 17, "has more than 4,096 bytes"),
    ],
)
def test_a_key_that_is_not_what_it_seems_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes, message: str
) -> None:
    (tmp_path / "key").write_bytes(content)
    with pytest.raises(sqlanon.InputError, match=message) as caught:
        Key.read(tmp_path / "key")
    assert "0123456789" not in str(caught.value)
    if b"\0" not in content:
        monkeypatch.setenv("SQLANON_KEY", os.fsdecode(content))
        with pytest.raises(sqlanon.InputError, match=message):
            Key.read(None)


def test_keys_may_come_from_a_pipe_and_may_be_any_bytes(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.write(writing, b"0123456789abcdef\n")
    os.close(writing)
    assert Key.read(f"/dev/fd/{reading}").secret == b"0123456789abcdef"
    os.close(reading)
    (tmp_path / "key").write_bytes(bytes(range(128, 160)) + b"\r\n")
    assert Key.read(tmp_path / "key").secret == bytes(range(128, 160))


@pytest.mark.slow("1 s a case", but=(0,))
@pytest.mark.parametrize("recoding", ["text", "range"])
def test_types_name_no_values_that_are_not_released(folder: Path, recoding: str) -> None:
    """An ENUM has a list of all its values, of whomever."""
    with duckdb.connect("clinic.duckdb", config=NO_VARIABLES) as con:
        con.execute("create type ward as enum ('a', 'b', 'of one person')").fetchall()
        con.execute("create type disease as enum ('flu', 'cold', 'secret')").fetchall()
        con.execute(
            """create table people as
            select if(i % 2 = 0, 'a', 'b')::ward as ward, if(i % 3 = 0, 'flu', 'cold')::disease as disease
            from range(20) as person(i)"""
        ).fetchall()
    for target in ("out.duckdb::release", "out.parquet"):
        ok(
            "anonymize", "clinic.duckdb::people", "--qi", "ward", "--sensitive", "disease", "--k", "5",
            "--recoding", recoding, "-o", target,
        )  # fmt: skip
    with duckdb.connect("out.duckdb", config=NO_VARIABLES) as con:
        for table in ("release", "'out.parquet'"):
            types = [type_ for _, type_, *_ in con.execute(f"describe from {table}").fetchall()]
            assert types == ["VARCHAR[]" if recoding == "range" else "VARCHAR", "VARCHAR"]
    for file in ("out.duckdb", "out.parquet"):
        content = Path(file).read_bytes()
        assert b"flu" in content
        assert b"secret" not in content
        assert b"of one person" not in content


NASTY = ["a, b", "it's", '"q"', "NULL", "", " x ", "[z]", "{k}", "\\", "é"]


def test_no_type_of_a_release_names_other_values() -> None:
    """Every role, in SQL and in Python, and lists; the rows are the same."""
    with duckdb.connect(config=NO_VARIABLES) as con:
        sqlanon.register(con)
        values = ", ".join("'" + value.replace("'", "''") + "'" for value in [*NASTY, "of one person"])
        con.execute(f"create type word as enum ({values})").fetchall()
        con.execute(
            f"""create table people as
            select i // 4 as age, [{values}][1 + i % 2]::word as ward, [{values}][1 + i % 10]::word as word,
                   [[{values}][1 + i % 10]::word, null] as words, [{values}][1 + i % 3]::word as disease,
                   null::word as none
            from range(40) as person(i)"""
        ).fetchall()
        named = "qi := ['age', 'ward'], sensitive := 'disease', keep := ['word', 'words', 'none'], seed := 1"
        roles: dict[str, Any] = {
            "qi": ["age", "ward"],
            "sensitive": "disease",
            "keep": ["word", "words", "none"],
            "seed": 1,
        }
        for macro, asked, given in (
            ("mondrian", "k := 4", {"k": 4}),
            ("mondrian", "k := 4, recoding := 'range'", {"k": 4, "recoding": "range"}),
            ("anatomize", "l := 2", {"l": 2}),
            ("mu_argus", "k := 4, recoding := 'range'", {"k": 4, "recoding": "range"}),
        ):
            con.execute(f"create or replace table in_sql as from sqlanon.{macro}('people', {named}, {asked})")
            release = getattr(sqlanon, macro)(con, "people", **roles, **given, into="made", replace=True)
            in_python = {name: str(type_) for name, type_, *_ in con.execute("describe made").fetchall()}
            assert not any("ENUM" in type_ for _, type_, *_ in con.execute("describe in_sql").fetchall()), (
                macro
            )
            assert "of one person" not in " ".join(in_python.values()), macro
            assert (in_python["words"], in_python["none"]) == ("VARCHAR[]", "VARCHAR")
            assert in_python["word"].startswith("ENUM(")
            assert con.execute("from in_sql").fetchall() == con.execute("from made").fetchall()
            assert release.rows == 40
        swapped = sqlanon.rank_swap(con, "people", columns="age", keep=["word", "words"])
        assert [str(type_) for type_ in swapped.types[1:]] == ["VARCHAR", "VARCHAR[]"]


def test_the_order_of_a_type_counts_until_the_check() -> None:
    """Low and high together are far from neither low nor high. As text they have no order."""
    with duckdb.connect(config=NO_VARIABLES) as con:
        con.execute("create type level as enum ('low', 'middle', 'high', 'of nobody')").fetchall()
        con.execute(
            """create table people as
            select 2 * i + j as age,
                   unnest(if(j = 0, ['low', 'high'], ['low', 'middle', 'high']))::level as level
            from range(12) as ages(i), range(2) as kinds(j)"""
        ).fetchall()
        terms = "qi := 'age', sensitive := 'level', k := 2, t := 0.12, t_distance := 'ordered'"
        release = sqlanon.mondrian(
            con, "people", qi="age", sensitive="level", k=2, t=0.12, t_distance="ordered", into="made"
        )
        assert release.classes > 10
        assert con.execute(f"from sqlanon.violations('made', {terms})").fetchall() == []
        con.execute(f"create table in_sql as from sqlanon.mondrian('people', {terms})").fetchall()
        with pytest.raises(duckdb.Error, match="column level is text that has no order"):
            con.execute(f"from sqlanon.violations('in_sql', {terms})").fetchall()
        typed = "with typed as (select * replace (level::level as level) from in_sql)"
        assert con.execute(f"{typed} from sqlanon.violations('typed', {terms})").fetchall() == []
