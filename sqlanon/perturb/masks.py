"""Masks for columns that name somebody: a keyed hash of the value, or a part of it.

A hash is HMAC-SHA256 (RFC 2104) of the value's text, in 64 hexadecimal characters: the same value and key
give the same hash, so that masked tables can still be joined, and without the key nobody can try values out.
Whoever has the key can. It comes from a file or from the environment, and is in no statement. Masked columns
are pseudonyms, not anonymous.
"""

from __future__ import annotations

import codecs
import hmac
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb
from sqlglot import exp

from sqlanon.core import statements
from sqlanon.core.answer import Names
from sqlanon.core.connection import connection_first
from sqlanon.core.errors import InputError, UseError, translating
from sqlanon.core.source import Source, cleanly, fresh_name, names
from sqlanon.core.statements import aliased, call, execute, scalar, value_of
from sqlanon.core.tables import WorkTables, with_all_rows

Masks = Mapping[str, Mapping[str, Any]]  # column -> {"method": "partial", "last": 4}, as in a policy

ENVIRONMENT = "SQLANON_KEY"
# Whoever knows a single value and its hash can try all keys that are shorter.
SHORTEST = 16
LONGEST = 4096  # of what is a key, and not a file that was meant to be something else
FEWEST = 5  # different bytes: a secret has more


@dataclass(frozen=True)
class Key:
    """A secret key, which does not show itself."""

    secret: bytes = field(repr=False)

    @classmethod
    def read(cls, file: str | os.PathLike[str] | None) -> Key:
        """The key in a file, or in the environment, without the line's end. Errors: InputError.

        What an editor may have added unseen is refused: it would make another key, with other hashes.
        """
        require_key(file)
        if file is not None:
            where, secret = f"the key in {os.fspath(file)}", _content(Path(file))
        else:
            where, secret = f"the key in {ENVIRONMENT}", os.fsencode(os.environ[ENVIRONMENT])
        secret = secret.rstrip(b"\r\n")
        if len(secret) < SHORTEST:
            raise _wrong(f"{where} has less than {SHORTEST} bytes: make one with `openssl rand -hex 32`")
        if len(secret) > LONGEST:
            raise _wrong(f"{where} has more than {LONGEST:,} bytes: is this the right file?")
        if secret.startswith((codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            raise _wrong(f"{where} begins with a byte order mark: write it without, as plain text")
        if secret != secret.strip():
            raise _wrong(f"{where} begins or ends with blanks, which are easily lost: write it without")
        if len(set(secret)) < FEWEST:
            raise _wrong(f"{where} is easily guessed: make one with `openssl rand -hex 32`")
        return cls(secret)

    def hash(self, value: str) -> str:
        """HMAC-SHA256, as hexadecimal text."""
        return hmac.digest(self.secret, value.encode(), "sha256").hex()


def require_key(file: str | os.PathLike[str] | None) -> None:
    """Is there a key, which is not read yet? A pipe can be read once. Errors: InputError."""
    if file is None and not os.environ.get(ENVIRONMENT):
        raise _wrong(f"a hash needs a key: name a file with one, or set {ENVIRONMENT}")
    if file is not None and not Path(file).exists():
        raise _wrong(f"there is no key file {file}")


def _content(file: Path) -> bytes:
    try:
        with file.open("rb") as opened:  # a pipe, too; a device has no end
            return opened.read(LONGEST + 3)
    except OSError as error:
        raise _wrong(f"the key file {file} cannot be read: {error.strerror}") from None


def _wrong(message: str) -> InputError:
    return UseError(message)


def hashes(masks: Masks) -> bool:
    """Is one of the masks a hash?"""
    return any(mask["method"] == "hash" for mask in masks.values())


@contextmanager
def hashing(con: duckdb.DuckDBPyConnection, key: Key | None) -> Iterator[str]:
    """The name of a function of SQL that hashes.

    It is there until the end, for all connections to the database.
    """
    name = fresh_name("hash")
    if key is None:
        yield name
        return
    with translating("create_function"):
        con.create_function(name, key.hash, ["VARCHAR"], "VARCHAR")
    try:
        yield name
    finally:
        cleanly(lambda: con.remove_function(name))


def _masked(column: exp.Expression, mask: Mapping[str, Any], hash_function: str) -> exp.Expression:
    """A column, as it is released."""
    if mask["method"] == "hash":
        return exp.Anonymous(this=hash_function, expressions=[exp.cast(column, "text")])
    macro = {"partial": "mask_text", "email": "mask_email"}[mask["method"]]
    return value_of(macro, column, **{name: value for name, value in mask.items() if name != "method"})


def with_masks(
    con: duckdb.DuckDBPyConnection,
    work: Any,
    tbl: str,
    masks: Masks,
    columns: Iterable[str],
    key_file: str | os.PathLike[str] | None,
) -> str:
    """The name of a work table with the masked columns of a table, and others as they are."""
    with hashing(con, Key.read(key_file) if hashes(masks) else None) as function:
        chosen: list[exp.Expression] = [
            aliased(_masked(exp.column(name, quoted=True), mask, function), name)
            for name, mask in masks.items()
        ]
        chosen += [exp.column(name, quoted=True) for name in columns]
        work.make("masked", statements.select(statements.relation(tbl), *chosen))
    return str(work.name("masked"))


@connection_first
def mask(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    *,
    hash: Names = (),
    partial: Mapping[str, Mapping[str, Any]] | None = None,
    email: Names = (),
    keep: Names = (),
    key_file: str | os.PathLike[str] | None = None,
    seed: int | None = None,
    into: str | None = None,
    replace: bool = False,
) -> duckdb.DuckDBPyRelation:
    """Release a table with columns masked: a relation over the table `into`, or over a temporary one.

    source: the name of a table, view or file, a DataFrame, an Arrow table or a relation of this connection.
    hash: columns that leave as HMAC-SHA256 of their text, 64 hexadecimal characters. partial: column -> what
    is shown of it, as in the macro `sqlanon.mask_text`, such as {"phone": {"last": 4}}. email: columns that
    leave as by `sqlanon.mask_email`. keep leaves as it is, and no other column leaves. NULL stays NULL.

    key_file: a file with the key of the hashes, of at least 16 bytes; without it, the environment variable
    SQLANON_KEY has the key. seed fixes the order of rows. into, replace: as in `mondrian`; after an error or
    interrupt nothing is left behind. Errors: InputError (unknown column, a column named twice, no or a short
    key, into exists), SqlError.
    """
    hashed, mailed, kept = names(hash, "hash") or [], names(email, "email") or [], names(keep, "keep") or []
    shown_parts = partial or {}
    for column, shown in shown_parts.items():
        if not isinstance(shown, Mapping):
            raise InputError(f'partial of {column} says what is shown, such as {{"first": 1}}, not {shown!r}')
    changed = [*hashed, *shown_parts, *mailed]
    masks: Masks = {
        **{column: {"method": "hash"} for column in hashed},
        **{column: {"method": "partial", **shown} for column, shown in shown_parts.items()},
        **{column: {"method": "email"} for column in mailed},
    }
    for column, shown in shown_parts.items():
        if wrong := shown.keys() - {"first", "last", "mark"}:
            raise InputError(f"partial of {column} has first, last and mark, not {min(wrong)}")
    if not changed:
        raise InputError("no column is masked: name columns in hash, partial or email")

    def released(tbl: str, work: WorkTables) -> Any:
        execute(con, scalar("_perturbed_checked", changed, kept))
        execute(
            con, exp.Describe(this=call("_shuffled", tbl, [*changed, *kept], seed))
        )  # its columns are there
        masked = with_masks(con, work, tbl, masks, kept, key_file)
        return call("_shuffled", masked, [*changed, *kept], seed)

    return with_all_rows(con, source, into, replace, released)
