"""What can go wrong: everything that sqlanon raises is a SqlanonError."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Protocol
from weakref import WeakValueDictionary


class Titled(Protocol):
    """What prints as a title."""

    @property
    def title(self) -> str: ...


class SqlanonError(Exception):
    """Anything that sqlanon raises."""


class _ToldInNotebooks:
    """An error whose message says all there is to say."""

    def _render_traceback_(self) -> list[str]:
        """What IPython shows in place of a traceback, which would be of our code, not of the caller's."""
        return [f"{type(self).__name__}: {self}", *getattr(self, "__notes__", [])]


class InputError(_ToldInNotebooks, SqlanonError, ValueError):
    """What the caller gave cannot be right; the message says what, and what would be."""


class CallError(_ToldInNotebooks, TypeError):
    """A function was called with parameters that it does not take."""


class UseError(InputError):
    """Wrong use: a file or a column that is not there, a key that a policy does not have."""


class UnmetError(InputError):
    """No release can be made that meets what is required of it: by another policy there may be one."""


class SqlError(SqlanonError):
    """DuckDB refused a statement for another reason: `statement` (its text) and `message` (DuckDB's)."""

    def __init__(self, message: str, statement: str) -> None:
        super().__init__(f"{message}\n\nin the statement\n{statement}")
        self.message = message
        self.statement = statement


class UnreadWarning(UserWarning):
    """Part of a release was read by nobody, or nobody was located: an attack on it tells too little."""


class LeavingWarning(UserWarning):
    """A column of a finished release names people, or nobody knows whether it does."""


class SetsWarning(UserWarning):
    """A quasi-identifier of many texts has no hierarchy, so that it leaves as sets of them."""


class VerificationError(SqlanonError):
    """A finished release did not stand up to the check, and was thrown away."""


class LimitError(_ToldInNotebooks, SqlanonError):
    """A statement needs more memory or disk than it may take; the message says how to allow more."""


# What reasons advise in the words of the command line: where policies and Python have it.
_IN_PYTHON = {
    "--accept ": '--accept evidence.leavers="why" is [accepted.evidence] leavers = "why" in the policy',
    "--values-may-change ": "--values-may-change is values_may_change under [judge] in the policy",
    "--fold ": "--fold is fold under [input] in the policy",
    "--words ": "--words is sqlanon.map_release, with values={COLUMN: {THEN: TODAY}} and adds=True",
    "--earlier ": '--earlier NAME=FILE is the parameter earlier={"NAME": "FILE"}',
    "--formats ": "--formats is the parameter formats, here of sqlanon.map_release",
    "--gone ": "--gone is gone under [input] in the policy",
    "register proposals ": "register proposals is sqlanon.propose_mappings",
    "register map ": "register map is sqlanon.map_release; without a register, write the words alike",
}


class RefusedError(_ToldInNotebooks, SqlanonError):
    """A release does not go out: `reasons`; `verdict`, fails or not known; `verdicts`, the name of a
    temporary table of what the judge says, empty if nothing was judged; `remarks`, what else there was to
    say; `words`, by release and column, words of then with those of today that may mean the same, as
    map_release takes them once somebody has confirmed them."""

    def __init__(
        self, reasons: Sequence[str], verdicts: str = "", remarks: Sequence[str] = (), verdict: str = "fails",
        words: Mapping[str, Mapping[str, Mapping[str, str]]] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(";\n".join(reasons))
        for option, said in _IN_PYTHON.items():
            if option in str(self):
                self.add_note(said)
        self.remarks = remarks
        self.reasons = reasons
        self.verdict = verdict
        self.verdicts = verdicts
        self.words = words or {}


SHOW_VALUES = "sqlanon_show_values"  # a variable of DuckDB; sql/core/secrets.sql has it in these words
_NOT_SHOWN = f"(values are not shown: SET VARIABLE {SHOW_VALUES} = true)"
_shown = False  # are values shown that DuckDB quotes in its own errors?
# Of an error in a CSV file: what is said beside the line, which is quoted, and the values in it.
_OF_A_LINE = re.compile(
    r"CSV Error on Line: \d+|Expected Number of Columns: \d+ Found: \d+|Value with unterminated quote found|"
    r'Error when converting column "[^"\n]*"|Invalid unicode|Maximum line size'
)
_QUOTED = re.compile(r"""(["\']).*\1|\bvalue -?[\d.]+(e[+-]?\d+)?|\(-?[\d.]+ [-+*/%] -?[\d.]+\)""", re.S)
_CONVERTING = ("Could not ", "Failed to ")  # how DuckDB begins, and no macro of ours


def show_values_of_duckdb(shown: bool) -> None:
    """Have messages show the values that DuckDB quotes in its own errors, or not, in this process."""
    global _shown  # noqa: PLW0603
    _shown = shown


def values_are_shown() -> bool:
    """Are they?"""
    return _shown


def without_values(error: Exception) -> str:
    """DuckDB's message without the values that it quotes, which are somebody's, unless they are shown."""
    import duckdb

    message = str(error).partition("\n\nLINE ")[0]
    if _shown or not isinstance(error, duckdb.Error):
        return message
    kind, colon, text = message.partition("Error: ")
    if "Original Line:" in message or text.startswith("CSV Error"):
        return f"{kind}{colon}{'. '.join(dict.fromkeys(_OF_A_LINE.findall(text)))}"
    quoting = (duckdb.ConversionException, duckdb.OutOfRangeException, duckdb.ConstraintException)
    if isinstance(error, quoting) or text.startswith(_CONVERTING):
        return f"{kind}{colon}{_QUOTED.sub('…', text)}".partition("\n")[0]  # then comes the value again
    return message


# What allows more, as a setting of a connection, and as an option.
_MORE_MEMORY, _MORE_DISK = "SET memory_limit = 'SIZE'", "SET max_temp_directory_size = 'SIZE'"
_OF_THE_COMMAND_LINE = {
    _NOT_SHOWN: "(values are not shown: sqlanon --show-values ...)",
    _MORE_MEMORY: "--memory SIZE",
    _MORE_DISK: "--spill SIZE",
}
_IN_USE = re.compile(r"/((\d[\d.]*) (\w+)) used\)")
_UNITS = ("bytes", "KiB", "MiB", "GiB", "TiB")
_FIRST_ADVICE, _MORE = 8, 1.5  # GB; times what was not enough
_DISK_IS_FULL = "No space left on device"


def for_the_command_line(message: str) -> str:
    """A message with the options of commands in place of settings of DuckDB."""
    for setting, option in _OF_THE_COMMAND_LINE.items():
        message = message.replace(setting, option)
    return message


def _limit_reached(error: Exception) -> LimitError | None:
    """What ran out, how much there was of it, and what allows more; None if nothing did."""
    import duckdb

    message = str(error)
    found = _IN_USE.search(message)
    limit = f", {found[1]}" if found else ""
    enough = _FIRST_ADVICE
    while found and enough * 1e9 < _MORE * float(found[2]) * 1024.0 ** _UNITS.index(found[3]):
        enough *= 2
    more = f"allow more memory ({_MORE_MEMORY}) or more disk ({_MORE_DISK}), such as {enough}GB"
    if _DISK_IS_FULL in message:
        what = without_values(error).partition("\n")[0]
        return LimitError(
            f"a disk is full: {what}. With more memory ({_MORE_MEMORY}) temporary files take less; the "
            "environment variable TMPDIR says where they are"
        )
    if "max_temp_directory_size" in message:
        return LimitError(f"temporary files have reached their limit{limit}: {more}")
    if isinstance(error, duckdb.OutOfMemoryException):
        return LimitError(f"memory has reached its limit{limit}: {more}")
    return None


_INTERRUPTED = re.compile(r"^(Query interrupted$|KeyboardInterrupt\b)", re.M)
_COLUMN = re.compile(
    r'Referenced column "(.*)" not found in FROM clause!(?:\nCandidate bindings: (.*))?', re.S
)
_TABLE = re.compile(r'Table with name (.*?) does not exist!?(?: because .*?|\nDid you mean "(.*)"\?)?', re.S)
_BUSY = "connection is busy with another call"
# What a connection can be in that is not about the statement.
_STATES = {
    "Current transaction is aborted": "an error has ended the transaction of this connection: ROLLBACK it "
    "first",
    "Connection already closed": "the connection is closed",
    "Connection has already been closed": "the connection is closed",
    "code running inside a query": "a query cannot read what a function of sqlanon has made by the name of a "
    "Python variable: write the name of its table, as in con.sql(f'from {release.table}'), or make it a "
    "relation first, rows = release.relation()",
    _BUSY: "this connection is at work in another thread: give each thread one of its own, con.cursor() (it "
    "sees neither temporary tables of the other nor what that has not committed)",
}
# What SQL says where no release meets what is required (sql/models/requirements.sql, and the methods of
# sql/anonymize).
_UNMET = re.compile(
    r"the whole table as one class reaches |no generalization meets the requirements|no buckets can |"
    r"a (class|group) of \d+ rows .*violates |k is \d+, but | would be suppressed: "
)
_FUNCTION = re.compile(r"Function with name (\w+) does not exist")


@contextmanager
def translating(statement: str) -> Iterator[None]:
    """Errors of DuckDB as those of sqlanon."""
    import duckdb  # which is slow to import, and what help of the command line does without

    try:
        yield
    except (duckdb.Error, RuntimeError) as error:
        meant = translated(error, statement)
        # a traceback shows the cause, too, with the values that it has; that of Ctrl-C tells nothing
        has_values = without_values(error) != str(error).partition("\n\nLINE ")[0]
        raise meant from None if has_values or isinstance(meant, KeyboardInterrupt) else error


def is_busy(error: Exception) -> bool:
    """Is another thread at work in the connection?"""
    return _BUSY in str(error)


# Releases that nobody has named, by their tables, as long as somebody has them.
UNNAMED: WeakValueDictionary[str, Titled] = WeakValueDictionary()
_RELEASE = re.compile(r"_sqlanon_[0-9a-f]+_release\b")


def with_titles(message: str, titles: Mapping[str, str] | None = None) -> str:
    """A message that calls tables by their titles, and releases what they print as."""
    for name, title in (titles or {}).items():
        message = message.replace(name, title)
    return _RELEASE.sub(lambda table: f"the release ({_title(table[0])})", message)


def _title(table: str) -> str:
    release = UNNAMED.get(table)
    return table if release is None else release.title


@contextmanager
def titled(titles: Mapping[str, str]) -> Iterator[None]:
    """Errors call what was no table before by its title."""
    try:
        yield
    except InputError as error:
        raise type(error)(with_titles(str(error), titles)) from error


def translated(error: Exception, statement: str) -> SqlanonError | KeyboardInterrupt:
    """What an exception from DuckDB means to the caller of a macro."""
    import duckdb

    # Ctrl-C, while DuckDB was planning or at work, or was reading a DataFrame
    if isinstance(error, duckdb.InterruptException) or _INTERRUPTED.search(str(error)):
        return KeyboardInterrupt()
    if limit := _limit_reached(error):
        return limit
    message = with_titles(without_values(error))
    reason = message.partition("Error: ")[2] or message
    for state, meant in _STATES.items():
        if state in reason:
            return InputError(meant)
    if isinstance(error, duckdb.InvalidInputException):
        return (UnmetError if _UNMET.search(reason) else InputError)(reason)
    if isinstance(error, duckdb.BinderException) and (column := _COLUMN.fullmatch(reason)):
        # of those that DuckDB suggests, which may be all that there are
        names = {name.lower(): name for name in re.findall('"([^"]*)"', column[2] or "")}
        alike = get_close_matches(column[1].lower(), names, 1)
        if "," in column[1]:
            return InputError(
                f'unknown column "{column[1]}": several columns are a list, {column[1].split(",")}'
            )
        return InputError(
            f'unknown column "{column[1]}"' + "".join(f'; did you mean "{names[each]}"?' for each in alike)
        )
    if isinstance(error, duckdb.CatalogException) and (table := _TABLE.fullmatch(reason)):
        # DuckDB also suggests tables of its own that are far off
        near = get_close_matches(table[1], [table[2] or "", (table[2] or "").rpartition(".")[2]], 1)
        return InputError(
            f'unknown table "{table[1]}"' + "".join(f'; did you mean "{name}"?' for name in near)
        )
    if (
        isinstance(error, duckdb.CatalogException)
        and (function := _FUNCTION.search(reason))
        and f"sqlanon.{function[1]}(" in statement
    ):
        return InputError(
            "the macros of sqlanon are gone, has sqlanon.unregister been called? Call sqlanon.register again"
        )
    return SqlError(message, statement)
