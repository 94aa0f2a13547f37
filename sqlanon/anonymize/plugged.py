"""Anonymizers that users have written: a macro makes the rows, which are checked like any release.

The macro is given a copy of the source with the columns that have a role, and nothing else, so that it can
release nothing else. What is required need not be among its parameters: the finished release is judged.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Unpack, cast

import duckdb
from sqlglot import exp

from sqlanon.anonymize.driver import CodedAnonymizer, Request, Task, Verified
from sqlanon.core import comments
from sqlanon.core.connection import connection_first
from sqlanon.core.errors import InputError, UseError, VerificationError
from sqlanon.core.models import having
from sqlanon.core.plugins import HOME, ensure_plugged, plug_ins
from sqlanon.core.release import Progress, Release
from sqlanon.core.requirements import complete
from sqlanon.core.requirements import names as requirements
from sqlanon.core.source import Source, lower, roles
from sqlanon.core.statements import at_home, call, count, execute, named_table, relation, render, select
from sqlanon.core.steps import Chain
from sqlanon.macros.requirements import Requirements

ROLES = ("qi", "sensitive", "keep")
# What a function of such a method takes by name, beside roles, requirements, and what its macro has.
OF_PYTHON = ("unit", "into", "replace", "progress")


class _Tables:
    """In place of the relations of a chain: those that a look at the release needs."""

    def __init__(self, work_name: Callable[[str], str]) -> None:
        self.table = work_name


class Plugged(CodedAnonymizer):
    """A run of somebody's macro."""

    phases: ClassVar = {}
    blind: ClassVar = {
        "population": "a macro of others has no population",
        "known": "its classes are made whatever is out; take mondrian",
    }

    @classmethod
    def request(cls, macro: str, given: Mapping[str, Any]) -> Request:
        columns = roles(given.get("qi"), given.get("sensitive"), given.get("keep"))
        left = {name: value for name, value in given.items() if name not in columns and value is not None}
        listed = comments.parameters(macro)
        required = {name: value for name, value in left.items() if name in requirements()}
        others = {name: value for name, value in left.items() if name in listed and name not in required}
        if strange := left.keys() - required.keys() - others.keys():
            raise InputError(f"{macro} takes no {min(strange)}")
        tables = {name: others.pop(name) for name in [*others] if listed[name].is_table}
        recorded = {**columns, **required, **others, "method": macro}
        recorded = {name: value for name, value in recorded.items() if value is not None}
        return Request(columns, complete(required, macro, **cls.blind), others, tables, {}, recorded)

    def chain_of(self, task: Task) -> Chain:
        return cast("Chain", _Tables(task.work.name))

    def run(self, progress: Progress) -> None:
        task, arguments = self.task, self.task.arguments
        self._progress = progress
        self.tell(self.shares.reading, "reading")
        columns = [name for role in ROLES for name in task.columns[role] or []]
        others = [*(task.columns["sensitive"] or []), *(task.columns["keep"] or [])]
        self.make("source", call("_source", arguments["tbl"], self.qi, self.with_unit(others)))
        self.make("hierarchy", call("_hierarchies", arguments.get("hierarchies")))
        self.tell(self.shares.main, task.macro)
        taken = {name: arguments.get(name) for name in comments.parameters(task.macro)}
        made = at_home(call(task.macro, **{**taken, "tbl": self.at("source")}), HOME)
        described = execute(self.con, exp.Describe(this=made.copy()))
        has, wanted = [str(name) for name, *_ in described], self.with_unit(columns)
        if lower(has) != lower(wanted) or len(has) != len(wanted):
            raise InputError(f"{task.macro} must return {', '.join(wanted)}, not {', '.join(has)}")
        # the order of its rows could be that of the source
        named = [exp.column(name, quoted=True) for name in wanted]
        self.make("answer", select(made.subquery(), *named))
        in_order = call("_in_random_order", self.at("answer"), wanted, arguments.get("seed"))
        self.make("made", in_order)

    def release(self) -> exp.Select:
        return select(named_table(self.at("made")))

    def suppressed(self) -> int:
        [(before,)] = execute(self.con, count(relation(self.at("source"))))
        [(after,)] = execute(self.con, count(relation(self.at("made"))))
        return int(before - after)

    def verified(self, release: exp.Table) -> Verified:
        """Also: a row of the release is one of the source, as far as columns tell that leave unchanged."""
        others = [*(self.task.columns["sensitive"] or []), *(self.task.columns["keep"] or [])]
        unchanged = [exp.column(name, quoted=True) for name in self.with_unit(others)]
        if self.suppressed() < 0 or (unchanged and self._added(release, unchanged)):
            raise VerificationError(f"{self.task.macro} returns rows that the source does not have")
        if plug_ins("anonymizer")[self.task.macro].says["releases"] == "classes":
            self._require_labels(release, self.with_unit(others))
        return super().verified(release)

    def _require_labels(self, release: exp.Table, unchanged: Sequence[str]) -> None:
        """Do labels cover the values of the rows? Errors: VerificationError."""
        unlike, example, nowhere = self._unlike(release, self.qi, unchanged)
        suppressed = self.suppressed()
        if not unlike and nowhere <= suppressed:
            return
        columns = [name for name in self.qi if self._unlike(release, [name], unchanged)[0]]
        of = f" of {', '.join(columns)}" if columns else ""
        problem = (
            f"the labels{of} of {unlike:,} rows do not cover the values of any row of the source, such as "
            f"those of the class {example}"
            if unlike
            else f"{nowhere:,} rows of the source have no place in a class whose labels cover their values, "
            f"and {suppressed:,} are suppressed"
        )
        raise VerificationError(
            f"{self.task.macro}: {problem}. Labels are read as covers reads them, and those of hierarchies"
        )

    def _unlike(
        self, release: exp.Table, qi: Sequence[str], unchanged: Sequence[str]
    ) -> tuple[int, Any, int]:
        hierarchies = self.at("hierarchy") if self.task.arguments.get("hierarchies") else None
        query = call("_unlike_rows", render(release), self.at("source"), [*qi], [*unchanged], hierarchies)
        [(unlike, example, nowhere)] = execute(self.con, query)
        return int(unlike), example, int(nowhere)

    def _added(self, release: exp.Table, unchanged: Sequence[exp.Expression]) -> bool:
        released, source = (select(table, *unchanged) for table in (release, relation(self.source)))
        added = exp.Except(this=released, expression=source, distinct=False)
        return execute(self.con, count(added.subquery())) != [(0,)]


def function_of(method: str) -> Callable[..., Release]:
    """The function of an anonymizer of others: it takes roles, requirements, and what the macro takes."""

    def anonymize(con: duckdb.DuckDBPyConnection, source: Source, **given: Any) -> Release:
        ensure_plugged(con)
        return Plugged.released(con, method, source, **given)

    by_name = inspect.Parameter.KEYWORD_ONLY
    own = {name: each.default for name, each in comments.parameters(method).items() if name != "tbl"}
    taken = dict.fromkeys(("sensitive", "keep", *requirements(), *OF_PYTHON)) | {
        name: inspect.Parameter.empty if default is None else None
        for name, default in own.items()
        if name not in requirements()
    }
    if "unit" not in own:
        del taken["unit"]
    for model in having(*Plugged.blind):
        taken.pop(model.id, None)
    first = [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in ("con", "source")]
    named = [inspect.Parameter(name, by_name, default=default) for name, default in taken.items()]
    anonymize.__signature__ = inspect.Signature([*first, *named])  # type: ignore[attr-defined]
    return anonymize


@connection_first
def anonymize_by(
    con: duckdb.DuckDBPyConnection,
    /,
    method: str,
    source: Source,
    qi: str | Iterable[str],
    sensitive: str | Iterable[str] | None = None,
    keep: str | Iterable[str] | None = None,
    *,
    unit: str | None = None,
    parameters: Mapping[str, Any] | None = None,
    into: str | None = None,
    replace: bool = False,
    progress: Progress | bool | None = None,
    **requirements: Unpack[Requirements],
) -> Release:
    """Anonymize a table by a macro of yours, which `plug_in` has made known, and check what comes out.

    method: the name of the macro. parameters: what it takes besides. All else is as of the other functions
    that anonymize; what is required need not be a parameter of the macro. Errors: VerificationError, if the
    release does not have what is required, rows that the source does not have, or labels that do not cover
    the values of its rows; InputError for columns that are not those that have a role.
    """
    if method not in plug_ins("anonymizer"):
        raise UseError(f"there is no anonymizer {method} of others: plug_in makes one known")
    of_source = {"qi": qi, "sensitive": sensitive, "keep": keep, **({} if unit is None else {"unit": unit})}
    return function_of(method)(
        con, source, **of_source, **(parameters or {}), **requirements, into=into, replace=replace,
        progress=progress,
    )  # fmt: skip
