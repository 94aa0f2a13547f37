"""The four questions about releases of any kind, each with a sentence, a number beside its control, and a
picture: a section of a report, or a page of its own where nobody says which columns are quasi-identifiers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import duckdb

from sqlanon.attack.four_questions import rows_of_questions
from sqlanon.core.comments import parameters
from sqlanon.core.errors import UseError
from sqlanon.core.files import column_names
from sqlanon.core.source import lower
from sqlanon.core.statements import call, execute, render
from sqlanon.pages.page import Table

DEFAULTS = {
    name: int(each.default)
    for name, each in parameters("four_questions").items()
    if each.default is not None and each.default.isdigit()
}
INFERENCE = "Can something be inferred?"
COLUMNS = (
    "question", "attribute", "people", "success", "control", "baseline", "risk", "low", "high", "unfinished",
)  # fmt: skip
# What is counted, of whom, and of people who were held out.
SAYS = {
    "Can somebody be singled out?": (
        "{success} of the people are singled out by a condition that one released row alone meets",
        "{control} of the people held out",
    ),
    "Can records be linked?": (
        "for {success} of the people both halves of what is known lead to the same released row",
        "for {control} of the people held out",
    ),
    INFERENCE: (
        "of {success} of the people the nearest released rows tell the right {attribute}",
        "of {control} of the people held out",
    ),
    "Can one tell who was in?": (
        "{success} of the people in the original are found by their distance to the release",
        "{control} of the people held out may be taken for them",
    ),
}


@dataclass(frozen=True)
class Questions:
    """What the four questions are about: columns that all tables have. Tables are names. left_out: released
    columns that another table lacks."""

    original: str
    columns: Sequence[str]
    held_out: str | None
    sensitive: Sequence[str]
    hierarchies: str | None = None
    left_out: Sequence[str] = ()

    def answers(
        self,
        con: duckdb.DuckDBPyConnection,
        release: str,
        names: Mapping[str, str],
        progress: Callable[[float, str], None],
    ) -> Table:
        """The rows of four_questions. names: what tables are called in the statement that is shown."""
        columns = list(self.columns)
        rows = rows_of_questions(
            con, release, self.original, self.held_out, columns, self.sensitive, self.hierarchies,
            progress=progress, **DEFAULTS,
        )  # fmt: skip
        shown = {name: names.get(name, name) for name in (release, self.original, self.held_out) if name}
        statement = call(
            "four_questions", shown[release], shown[self.original], columns,
            held_out=shown.get(self.held_out or ""), sensitive=list(self.sensitive) or None,
            hierarchies=self.hierarchies,
        )  # fmt: skip
        return Table(COLUMNS, rows, render(statement, pretty=True) + ";")

    def unread(self, con: duckdb.DuckDBPyConnection, release: str) -> list[tuple[str, int, int, str]]:
        """The columns with values that nobody understands: column, values, cells, an example."""
        labels: dict[str, list[tuple[str, int]]] = {}
        found = call(
            "unread_labels", release, self.original, qi=list(self.columns), hierarchies=self.hierarchies,
            of_any_kind=True,
        )  # fmt: skip
        for _, column, label, cells, *_ in execute(con, found):
            labels.setdefault(column, []).append((label, cells))
        return [
            (column, len(values), sum(cells for _, cells in values), values[0][0])
            for column, values in labels.items()
        ]


def columns_of_all(con: duckdb.DuckDBPyConnection, tables: Mapping[str, str]) -> list[str]:
    """The columns that all tables have. tables: what each is called, and its name. Errors: UseError."""
    known = {called: column_names(con, name) for called, name in tables.items()}
    first, *others = known.values()
    common = [column for column in first if all(column.lower() in lower(other) for other in others)]
    if not common:
        listed = "; ".join(f"{called} has {', '.join(columns)}" for called, columns in known.items())
        raise UseError(f"the tables have no column in common: {listed}")
    return common


def columns_left_out(
    con: duckdb.DuckDBPyConnection, releases: Mapping[str, str], common: Sequence[str]
) -> list[str]:
    """The released columns that are not among those that all tables have."""
    known = [column for name in releases.values() for column in column_names(con, name)]
    return [column for column in dict.fromkeys(known) if column.lower() not in lower(common)]


def summarized(table: Table) -> list[dict[str, Any]]:
    """A summary of each question. For inference it is about the column that the release gives away most."""
    from sqlanon.pages.templates import percent

    of_questions: dict[str, list[dict[str, Any]]] = {}
    for row in table:
        of_questions.setdefault(row["question"], []).append(row)
    found = []
    for question, rows in of_questions.items():
        beyond = [row for row in rows if row["low"] is not None]
        row = max(beyond or rows, key=lambda each: each["low"] if beyond else each["success"])
        shown = {
            "success": percent(row["success"]), "control": percent(row["control"] or 0),
            "attribute": row["attribute"],
        }  # fmt: skip
        of_people, of_controls = (part.format(**shown) for part in SAYS[question])
        sentence = of_people[0].upper() + of_people[1:]
        joined = " if " if question.startswith("Can one tell") else ", and "
        found.append({
            **row,
            "sentence": sentence + ("" if row["control"] is None else joined + of_controls) + ".",
            "judgement": _judgement(row),
            "is_risky": row["low"] is not None and row["low"] > 0,
            "others": len(rows) - 1,
        })  # fmt: skip
    return found


def _judgement(row: Mapping[str, Any]) -> str:
    from sqlanon.pages.templates import number, percent

    unfinished = (
        f" {percent(row['unfinished'])} were not compared with all rows: it may be more."
        if row["unfinished"]
        else ""
    )
    if row["low"] is None:
        return f"How much of this is due to the release only people who were held out could tell.{unfinished}"
    within = f"{number(row['risk'])} % beyond them, from {number(row['low'])} to {number(row['high'])}"
    if row["low"] > 0:
        return f"{within}: the release gives this away.{unfinished}"
    return f"{within}: no more than about people held out, as far as this attack tells.{unfinished}"


def picture(row: Mapping[str, Any]) -> dict[str, Any]:
    """The success on people of the original, and on people held out, as bars."""
    import altair as alt

    from sqlanon.pages.vega import ACCENT, QUIET, chart, specified

    whose = ["of the original", "held out"]
    shares = [
        {"whose": name, "share": value, "description": f"{name}: {value:.1f} %"}
        for name, value in zip(whose, (row["success"], row["control"]), strict=True)
        if value is not None
    ]
    drawn = chart(shares).mark_bar().encode(
        alt.X("share:Q", title="%", scale=alt.Scale(domain=[0, 100])),
        alt.Y("whose:N", title=None, sort=None, axis=alt.Axis(labelLimit=140)),
        alt.Color("whose:N", legend=None, scale=alt.Scale(domain=whose, range=[ACCENT, QUIET])),
        description="description:N",
    )  # fmt: skip
    said = ", ".join(each["description"] for each in shares)
    return specified(drawn, 300, 26 * len(shares) + 8, f"{row['question']} {said}.")


def pictures(table: Table, nth: int) -> dict[str, dict[str, Any]]:
    """`question 1 2` (of the first release the second question), ..."""
    return {f"question {nth} {place}": picture(row) for place, row in enumerate(summarized(table), 1)}


def page(
    con: duckdb.DuckDBPyConnection,
    releases: Mapping[str, str],
    questions: Questions,
    names: Mapping[str, str],
    progress: Callable[[float, str], None],
) -> tuple[dict[str, Table], dict[str, dict[str, Any]], str]:
    """The answers, charts and text of the page. releases: what each is called, and the name of its table;
    names: what tables are called in statements."""
    from sqlanon.pages.templates import rendered

    answers, unread = {}, {}
    for place, (called, release) in enumerate(releases.items()):

        def part(done: float, message: str, at: int = place) -> None:
            progress((at + done) / len(releases), message)

        answers[called] = questions.answers(con, release, names, part)
        unread[called] = questions.unread(con, release)
    specs: dict[str, dict[str, Any]] = {}
    for nth, table in enumerate(answers.values(), 1):
        specs |= pictures(table, nth)
    html = rendered(
        "questions.html", specs, answers=answers, columns=questions.columns, summaries={
            called: summarized(table) for called, table in answers.items()
        }, is_controlled=questions.held_out is not None, left_out=questions.left_out, unread=unread,
    )  # fmt: skip
    return answers, specs, html
