"""What dbt-duckdb needs of sqlanon: a plugin that makes the macros known, and releases by a policy.

In the profile, where the library is not attached:
  plugins:
    - module: sqlanon.dbt

A Python model that is a release by a policy:
  import sqlanon.dbt

  def model(dbt, session):
      return sqlanon.dbt.release(session, dbt.ref("patients"), "policy.toml")
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from typing import Any

import duckdb
from dbt.adapters.duckdb.plugins import BasePlugin

import sqlanon
from sqlanon.core.files import as_text
from sqlanon.core.remarks import remark
from sqlanon.core.source import Source
from sqlanon.core.statements import answer
from sqlanon.policies.policy import load
from sqlanon.publishing.gate import released_rows, tolerated_release


class Plugin(BasePlugin):  # type: ignore[misc]
    """Registers the macros, and the functions for microaggregation and, with opendp, for noise."""

    def configure_connection(self, conn: duckdb.DuckDBPyConnection) -> None:
        sqlanon.register_functions(conn, noise=find_spec("opendp") is not None)


def release(
    session: Any,
    source: Source,
    policy: str | os.PathLike[str],
    *,
    previous: Iterable[Source] | Mapping[str, Source] = (),
    policies: Mapping[str, str | os.PathLike[str]] | None = None,
    population: Source = None,
    key_file: str | os.PathLike[str] | None = None,
) -> duckdb.DuckDBPyRelation:
    """The rows that a Python model returns: those of `sqlanon anonymize --policy`.

    If the policy says what is tolerated, the release is attacked together with the previous ones, by their
    names ({"march": dbt.ref("march")}) or in a list, the last one last. They are also those that its
    composed_l, known and based_on = "register" are about. policies: of previous releases those that they
    were made by, if not this one: {"march": "march.toml"}. Otherwise a column of a previous release that has
    no role in this one leaves it not known what others can find. population: the table that the policy
    means, where it is not a file. key_file: as in `sqlanon.mask`. The policy's file is looked for where dbt
    is run.

    After an error dbt has replaced nothing. Errors: RefusedError, if an attack finds more than is tolerated,
    or nobody can tell; those of `Policy.run`.
    """
    con = connection(session)
    rules = load(policy)
    made, remarks = tolerated_release(
        con, source, rules, "the release", previous=previous, population=population, key_file=key_file,
        policies={called: load(path) for called, path in (policies or {}).items()},
    )  # fmt: skip
    for each in (*remarks, str(dataclasses.replace(made, table="the release")), as_text(rules.origin)):
        remark(each)
    return answer(con, released_rows(con, made))


def connection(session: Any) -> duckdb.DuckDBPyConnection:
    """The connection of a Python model: dbt-duckdb wraps it."""
    con: duckdb.DuckDBPyConnection = session.execute("select 1")
    con.fetchall()  # or DuckDB 2.0 registers nothing
    return con
