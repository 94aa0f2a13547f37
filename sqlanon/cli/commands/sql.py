"""sqlanon sql"""

from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import cast

import duckdb
import typer

from sqlanon.cli.app import DONE, Commands, Topic
from sqlanon.cli.app import app as command_line
from sqlanon.cli.options import MACROS, Given
from sqlanon.core.errors import UseError
from sqlanon.core.files import Place, check_output
from sqlanon.core.library import read_library, register, write_file
from sqlanon.core.outputs import replacing
from sqlanon.core.plain import plain
from sqlanon.core.remarks import remark
from sqlanon.core.suggestions import suggestion

app = Topic()


@app.declare(
    "macro library_file force plain -limits.memory -limits.spill",
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True},
)
def sql(given: Given, context: typer.Context) -> None:
    """Print sqlanon as one SQL script for any DuckDB client, or the statement that calls one of its macros.

    With -o it goes to a file: a script to read (sqlanon.sql), or a database to attach (sqlanon.duckdb).
    'sqlanon sql mondrian people.csv --qi age,zip --k 5' prints what 'sqlanon anonymize' runs with these
    options; with --steps one statement after the other, with --plain one without macros. Script and statement
    need no Python: (sqlanon sql; sqlanon sql mondrian people.csv --qi age,zip --k 5) | duckdb
    """
    if given.macro is not None:
        output = [] if given.library_file is None else ["--output", str(given.library_file)]
        options = [*context.args, *output, *(["--force"] if given.force else [])]
        raise typer.Exit((_print_plain if given.plain else _print_statement)(given.macro, options))
    if given.plain:
        raise UseError("--plain is for the statement of a macro: sqlanon sql MACRO ... --plain")
    if given.library_file is None:
        print(read_library(), end="")
    else:
        _write_library(given.library_file, given.force)


def _print_statement(macro: str, options: list[str]) -> int:
    """Run the command of a macro with --sql; its exit code."""
    if macro not in MACROS:
        raise UseError(f"there is no macro {macro}{suggestion(macro, MACROS)}")
    command = cast(Commands, typer.main.get_command(command_line))
    how = [] if "--steps" in options else ["--sql"]
    code = command.main([*MACROS[macro], *options, *how], prog_name="sqlanon", standalone_mode=False)
    return code if isinstance(code, int) else DONE


def _print_plain(macro: str, options: list[str]) -> int:
    """Print the statement of a macro with every macro in it written out; its exit code."""
    if "--steps" in options:
        raise UseError("--plain is one statement, --steps are several: use one of them")
    with redirect_stdout(StringIO()) as printed:
        code = _print_statement(macro, options)
    with duckdb.connect() as con:
        register(con)
        for statement in duckdb.extract_statements(printed.getvalue()):
            is_query = statement.type is duckdb.StatementType.SELECT
            text = statement.query.strip().rstrip(";")
            print((plain(con, text) if is_query else text) + ";")
    return code


def _write_library(file: Path, force: bool) -> None:
    """Write the library: as a script, or as a DuckDB file."""
    if file.suffix not in (".sql", ".duckdb"):
        raise UseError(f"{file} is neither a script (.sql) nor a file to attach (.duckdb)")
    check_output(Place(file), force)
    with replacing(file, force) as temporary:
        if file.suffix == ".sql":
            temporary.write_text(read_library(), "utf-8", newline="\n")
            use = f"read it in any DuckDB client: .read {file}"
        else:
            write_file(temporary)
            use = f"ATTACH '{file}' AS sqlanon (READ_ONLY) in any client of DuckDB 1.5 or later"
    remark(f"{file}: {use}")
