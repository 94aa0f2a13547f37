"""What the comments on the public macros say: their form, sqlanon.help(), and that they tell the truth."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any, NamedTuple

import duckdb
import pytest

import sqlanon
from sqlanon.core import reference, wrappers
from sqlanon.core.library import FILE, read_library, topics
from sqlanon.macros.requirements import Requirements
from sqlanon.policies import schema
from sqlanon.randomize.noise import register_noise

NAMES = r"[\w<>]+(?:, [\w<>]+)*"
ENTRY = re.compile(rf"- (?:{NAMES}: as in \w+|[\w<>]+ \(.*\): \S.*[.?])")
BOUND = r"-?[\d.]+"
RANGE = rf"(?:at least|above) {BOUND}|{BOUND} to {BOUND}|above {BOUND} and (?:at most|below) {BOUND}"
CHOICES = r"one of \w+(?:, \w+)+"
TYPE = re.compile(
    rf"table|table, or a list of tables|columns?|struct or map of texts|map of numbers"
    rf"|list of (?:tables(?: with names)?|columns|texts|lists of columns)"
    rf"|text or NULL|list of (?:numbers|integers) or NULL|map of lists of (?:texts|numbers or NULL)"
    rf"|boolean|value|file|text|text, one character|boolean, or a list of one per release"
    rf"|(?:list of )?{CHOICES}"
    rf"|(?:integer|number|list of (?:integers|numbers))(?:, (?:{RANGE}))?"
)
# What the types of results are called, and are in DuckDB. Of the others the example shows one.
RESULTS = {
    "text": {"VARCHAR"},
    "integer": {"INTEGER", "BIGINT"},
    "number": {"DOUBLE", "BIGINT"},
    "boolean": {"BOOLEAN"},
    "struct": {"STRUCT"},
    "list of integers": {"INTEGER[]"},
    "list of numbers": {"DOUBLE[]"},
    "list of texts": {"VARCHAR[]"},
    "list of structs": {"STRUCT[]"},
}

HEADERS = {
    name: parameters
    for text in topics().values()
    for name, parameters in re.findall(
        r"^create or replace macro sqlanon\.([a-z]\w*)\((.*?)\) as\b", text, re.MULTILINE | re.DOTALL
    )
}
PUBLIC = sorted(HEADERS)


class Line(NamedTuple):
    """A row of help."""

    kind: str
    name: str | None
    type: str | None
    default: str | None
    meaning: str


def defaults(macro: str) -> list[tuple[str, str | None]]:
    """The parameters of a macro with their defaults, from sql/: the catalog does not tell these."""
    parameter = r"(\w+)(?:\s*:=\s*(\[(?:'[^']*'|[^]'])*\]|'[^']*'|[^,\s]+))?(?:,\s*|$)"
    header = " ".join(HEADERS[macro].split())
    assert re.fullmatch(rf"(?:{parameter})*", header)
    return [(name, default or None) for name, default in re.findall(parameter, header)]


@pytest.fixture(scope="module")
def con(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection with the macros and the tables of the page, in a folder of its own."""
    with pytest.MonkeyPatch.context() as patch, duckdb.connect() as con:
        patch.chdir(tmp_path_factory.mktemp("examples"))
        con.execute(read_library()).fetchall()
        register_noise(con)
        con.execute(reference.TABLES.read_text("utf-8")).fetchall()
        # the catalog is read once, not for every macro
        con.execute("create table public_macros as from sqlanon._public_macros()").fetchall()
        con.execute(
            "create or replace macro sqlanon._public_macros() as table from memory.main.public_macros"
        ).fetchall()
        yield con


class Lines(dict[str, list[Line]]):
    """What help says of each macro, asked when it is needed."""

    def __init__(self, con: duckdb.DuckDBPyConnection) -> None:
        super().__init__()
        self.con = con

    def __missing__(self, macro: str) -> list[Line]:
        rows = self.con.execute(f"from sqlanon.help('{macro}')").fetchall()
        self[macro] = [Line(*row) for row in rows]
        return self[macro]


@pytest.fixture(scope="module")
def lines(con: duckdb.DuckDBPyConnection) -> Lines:
    return Lines(con)


@pytest.fixture(scope="module")
def comments(con: duckdb.DuckDBPyConnection) -> dict[str, str]:
    result = con.execute(
        """select function_name, comment from duckdb_functions()
        where database_name = 'sqlanon' and comment is not null"""
    ).fetchall()
    assert sorted(name for name, _ in result) == PUBLIC
    return dict(result)


@pytest.fixture(scope="module")
def catalog(con: duckdb.DuckDBPyConnection) -> dict[str, list[str]]:
    """The parameters of each macro, as DuckDB knows them."""
    macros = con.execute(
        "select distinct function_name, parameters from duckdb_functions() where database_name = 'sqlanon'"
    ).fetchall()
    assert len(macros) == len(dict(macros))
    return dict(macros)


def of_kind(lines: list[Line], kind: str) -> list[Line]:
    return [line for line in lines if line.kind == kind]


class TestForm:
    @pytest.mark.parametrize("macro", PUBLIC)
    def test_blocks(self, comments: dict[str, str], catalog: dict[str, list[str]], macro: str) -> None:
        about, *blocks = comments[macro].strip("\n").split("\n\n")
        assert re.fullmatch(r"[A-Z].*[.?]", about, re.DOTALL)
        heads = [block.split(":")[0] for block in blocks]
        order = ["Parameters", "Result", "Errors", "Notes", "Source", "Example"]
        assert heads == [head for head in order if head in heads]
        assert {"Result", "Example"} <= set(heads)
        assert ("Parameters" in heads) == bool(catalog[macro])
        assert [line for line in comments[macro].split("\n") if len(line) > 110] == []

    @pytest.mark.parametrize("macro", PUBLIC)
    def test_lines(self, comments: dict[str, str], macro: str) -> None:
        for block in comments[macro].strip("\n").split("\n\n"):
            head, _, text = block.partition(":\n")
            if head in ("Parameters", "Result"):
                entries = text.replace("\n  ", " ").split("\n")
                assert [entry for entry in entries if not ENTRY.fullmatch(entry)] == []

    @pytest.mark.parametrize("macro", PUBLIC)
    def test_types(self, lines: Lines, macro: str) -> None:
        answer = of_kind(lines[macro], "parameter")
        assert [line for line in answer if not TYPE.fullmatch(line.type or "")] == []


class TestHelp:
    @pytest.mark.both_lines
    def test_all(self, con: duckdb.DuckDBPyConnection) -> None:
        result = con.execute("from sqlanon.help()")
        assert [name for name, *_ in result.description or []] == ["topic", "macro", "description"]
        rows = result.fetchall()
        assert rows == sorted(rows)
        assert sorted(macro for _, macro, _ in rows) == PUBLIC
        assert {topic for topic, *_ in rows} == {
            topic.split("/")[0] for topic, text in topics().items() if "comment on macro" in text
        }
        assert ("risk", "suda") in [row[:2] for row in rows]
        assert [text for *_, text in rows if not re.fullmatch(r"[A-Z].*[.?]", text) or "  " in text] == []

    def test_one(self, con: duckdb.DuckDBPyConnection) -> None:
        result = con.execute("from sqlanon.help('Datafly')")
        names = [name for name, *_ in result.description or []]
        assert names == ["kind", "name", "type", "default", "meaning"]
        rows = {row[1]: row for row in result.fetchall() if row[0] == "parameter"}
        assert rows["tbl"] == ("parameter", "tbl", "table", None, "the raw rows.")
        # what mondrian says
        assert rows["t"][2:4] == ("number, 0 to 1", "null")
        assert rows["t_distance"][2:4] == ("one of equal, ordered, hierarchical", "'equal'")

    @pytest.mark.parametrize(
        ("name", "nearest"), [("mondrain", "mondrian"), ("anatomy", "anatomize"), ("it's", "\\w+")]
    )
    def test_an_unknown_one(self, con: duckdb.DuckDBPyConnection, name: str, nearest: str) -> None:
        con.execute("set variable name = ?", [name])
        with pytest.raises(duckdb.Error, match=f'no macro "{name}"; did you mean {nearest}'):
            con.execute("from sqlanon.help(getvariable('name'))").fetchall()

    def test_from_the_file(self, lines: Lines) -> None:
        with duckdb.connect() as con:
            con.execute(f"attach '{FILE}' as sqlanon (read_only)").fetchall()
            assert con.execute("select macro from sqlanon.help() order by macro").fetchall() == [
                (name,) for name in PUBLIC
            ]
            assert con.execute("from sqlanon.help('mondrian')").fetchall() == lines["mondrian"]


class TestTruth:
    @pytest.mark.both_lines
    @pytest.mark.parametrize("macro", PUBLIC)
    def test_parameters(self, catalog: dict[str, list[str]], lines: Lines, macro: str) -> None:
        parameters = [(line.name, line.default) for line in of_kind(lines[macro], "parameter")]
        assert parameters == defaults(macro)
        assert catalog[macro] == [name for name, _ in parameters]

    @pytest.mark.parametrize("macro", PUBLIC)
    def test_example_and_result(self, con: duckdb.DuckDBPyConnection, lines: Lines, macro: str) -> None:
        """What the answer is, and the line before: tests/test_extension.py."""
        [example] = of_kind(lines[macro], "example")
        assert f"sqlanon.{macro}(" in example.meaning
        result = con.execute(example.meaning)
        described = result.description or []
        assert result.fetchall()
        shown = {name: re.sub(r"\(.*\)", "", str(type_)) for name, type_, *_ in described}
        answer = []
        for line in of_kind(lines[macro], "result"):
            assert line.name
            for name in named(example.meaning, line.name):
                if name not in shown and re.match("with(out)? ", line.meaning):
                    continue
                answer.append(name)
                fitting = RESULTS.get((line.type or "").split(",")[0])
                assert fitting is None or shown[name] in fitting, line
        assert answer == list(shown)

    @pytest.mark.parametrize("macro", PUBLIC)
    def test_what_is_out_of_range_is_refused(
        self, con: duckdb.DuckDBPyConnection, comments: dict[str, str], lines: Lines, macro: str
    ) -> None:
        """What a macro says itself; where it refers to another one, that one is tried."""
        [example] = of_kind(lines[macro], "example")
        own = set(re.findall(r"^- (\w+) \(", comments[macro], re.MULTILINE))
        for line in of_kind(lines[macro], "parameter"):
            for value in out_of_range(line.type or "") if line.name in own else []:
                call = with_parameter(example.meaning, macro, str(line.name), value)
                with pytest.raises(duckdb.Error, match=str(line.name)):
                    con.execute(call).fetchall()


def named(example: str, name: str) -> list[str]:
    """The columns that a name of a result stands for: in an example, <qi> is what it gives for qi."""
    if not name.startswith("<"):
        return [name]
    given = re.search(rf"\b{name.strip('<>')} := (\[.*?\]|'.*?')", example)
    return re.findall(r"'(.*?)'", given[1]) if given else []


def out_of_range(told: str) -> list[str]:
    """Values just outside of what a type allows, in SQL."""
    if match := re.search(CHOICES, told):
        return ["['nonsense']" if told.startswith("list") else "'nonsense'"]
    values = []
    match = re.search(rf"(at least|above) ({BOUND})|({BOUND}) to ", told)
    if match:
        bound = float(match[2] or match[3])
        values.append(bound if match[1] == "above" else bound - (0.5 if match[3] else 1))
    match = re.search(rf"(at most|below|to) ({BOUND})$", told)
    if match:
        values.append(float(match[2]) + (0 if match[1] == "below" else 0.5))
    texts = [f"{value:.9g}" for value in values]
    return [f"[{text}, {text}]" for text in texts] if told.startswith("list") else texts


def with_parameter(example: str, macro: str, name: str, value: str) -> str:
    """The call of an example with another value of a parameter."""
    if re.search(rf"\b{name} := ", example):
        return re.sub(rf"\b{name} := (\[.*?\]|'.*?'|[^,)]+)", f"{name} := {value}", example)
    start = example.index(f"sqlanon.{macro}(") + len(f"sqlanon.{macro}(")
    depth, end = 1, start
    while depth:
        depth += {"(": 1, ")": -1}.get(example[end], 0)
        end += 1
    return f"{example[: end - 1]}, {name} := {value}{example[end - 1 :]}"


# What only Python has: releases are checked, written and told of while they are made; some can be made
# better.
ALONE = {
    "con", "into", "sensitive_into", "state_into", "replace", "progress", "local_recoding", "time_limit",
    "composed_confidence", "bcf_k", "ledger", "key_file",
}  # fmt: skip
# null in SQL, where a parameter after one with a default needs one, too. Left out, it is an error there.
GIVEN = {("anatomize", "sensitive"), ("anatomize", "l"), ("mu_argus", "k")}


# Calls that have all measures of a macro between them, but the rare ones.
MEASURED = {
    "count_errors": [
        """with counts as (select age, 5 as n, 1 as standard_deviation from people)
        from sqlanon.count_errors('people', 'counts', qi := 'age')"""
    ],
    "breaches": [
        """from sqlanon.breaches(['east', 'west'], targets := 'voters', id := 'name', qi := ['age', 'zip'],
        sensitive := 'disease', truth := 'disease', levels := [100, 33.3], sure := [99.9, 90])"""
    ],
    "risk": [
        "from sqlanon.risk('east', qi := ['age', 'zip'], population := 'people', fraction := 0.5)",
        "from sqlanon.risk('people', qi := 'zip', unit := 'name')",
        """from sqlanon.risk('people', qi := 'zip', sampling_weight := 'age', household := 'name',
            wished_global_risk := 0.1)""",
    ],
    "utility": [
        """with more as (select name, age, income + 1 as income from people)
        from sqlanon.utility('people', 'more', qi := ['age', 'income'], id := 'name')""",
        "from sqlanon.utility('people', 'people', qi := 'age', k := 2)",
        """with dealt as (select age, (select list(distinct income) from people) as income from people)
        from sqlanon.utility('people', 'dealt', qi := 'age', sensitive := 'income')""",
        "from sqlanon.utility('people', 'people', qi := 'age', sensitive := 'income', held_out := 'people')",
    ],
}
RARE = {"unfinished", "emptied", "rows_covering_all"}


class TestMeasures:
    """The ids of measures, by which programs find them."""

    @pytest.mark.slow("half a second a case", but=(0, 1, 2))
    @pytest.mark.parametrize("macro", MEASURED)
    def test_ids(self, con: duckdb.DuckDBPyConnection, comments: dict[str, str], macro: str) -> None:
        """Each is there once per column, and the comment says what it measures."""
        ids = set()
        for call in MEASURED[macro]:
            result = con.execute(call)
            names = [name for name, *_ in result.description or []]
            assert names[-1] == "id"
            rows = [dict(zip(names, row, strict=True)) for row in result.fetchall()]
            keys = [(row["id"], row.get("sensitive"), row.get("attribute")) for row in rows]
            assert len(set(keys)) == len(keys)
            ids |= {row["id"] for row in rows}
        assert [id for id in ids if not re.fullmatch(r"[a-z]+(_[a-z0-9]+)*", id)] == []
        [notes] = [block for block in comments[macro].split("\n\n") if block.startswith("Notes:")]
        lines = re.findall(r"^- ([\w<>, \n]+?): ", notes, re.MULTILINE)
        told = [name for line in lines for name in re.split(r",\s+", line)]
        assert len(told) == len(set(told))
        of_level = r"^(pvp|sure)_\d+(_\d+)?"
        assert {re.sub(of_level, r"\1_<level>", id) for id in ids} == set(told) - RARE


class TestPython:
    """A function has the parameters of the macro with its name, and `con`."""

    @pytest.mark.parametrize("macro", [name for name in PUBLIC if hasattr(sqlanon, name)])
    def test_parameters(self, con: duckdb.DuckDBPyConnection, macro: str) -> None:
        function = getattr(sqlanon, macro)
        result = [each for name, each in inspect.signature(function).parameters.items() if name not in ALONE]
        written = inspect.signature(inspect.unwrap(function)).parameters.values()
        wanted = defaults(macro)
        if any(
            each.kind is inspect.Parameter.VAR_KEYWORD for each in written
        ):  # Requirements, which are last
            wanted = sorted(wanted, key=lambda each: each[0] in Requirements.__annotations__)
        assert [{"source": "tbl"}.get(each.name, each.name) for each in result] == [
            name for name, _ in wanted
        ]
        for each, (name, default) in zip(result, wanted, strict=True):
            if default is None or (macro, name) in GIVEN:
                assert each.default is each.empty, name
            else:
                [(value,)] = con.execute(f"select {default}").fetchall()
                assert plain(each.default) == plain(value), name

    @pytest.mark.parametrize(
        "macro", [name for name, home in sqlanon._HOMES.items() if home.startswith(wrappers.MODULE)]
    )
    def test_example(self, macro: str) -> None:
        """What the docstring shows is a call that the function takes."""
        function = getattr(sqlanon, macro)
        [example] = re.findall(
            r"^Example: (.*?)(?:\n\n|\Z)", inspect.getdoc(function) or "", re.DOTALL | re.M
        )
        call = ast.parse(example, mode="eval").body
        assert isinstance(call, ast.Call)
        assert ast.unparse(call.func) == f"sqlanon.{macro}"
        given = {str(each.arg): ast.literal_eval(each.value) for each in call.keywords}
        connection, *others = call.args
        assert ast.unparse(connection) == "con"
        inspect.signature(function).bind(None, *map(ast.literal_eval, others), **given)

    def test_there_are_such_functions(self) -> None:
        assert len([name for name in PUBLIC if hasattr(sqlanon, name)]) > 20


def plain(default: Any) -> Any:
    """A default of Python or SQL: no names are NULL, a tuple is a list, and a decimal number a number."""
    if isinstance(default, tuple | list):
        return list(default) or None
    return float(default) if isinstance(default, Decimal) else default


class TestPolicies:
    """The keys of a policy, which are the options of the command line, take what the macros take."""

    def keys(self) -> Iterator[tuple[str, str, schema.Key]]:
        """macro, parameter, key."""
        for name, key in {**schema.REQUIREMENTS, **schema.ROLES, **schema.OUTPUT}.items():
            yield "mondrian", name, key
        yield "privacy", "weight", schema.ROLES["weight"]
        yield "risk", "sampling_weight", schema.ROLES["sampling_weight"]
        yield "risk", "household", schema.ROLES["household"]
        yield "privacy", "population_weight", schema.REQUIREMENTS["population_weight"]
        for method in schema.METHODS:
            for name, key in schema.METHOD.items():
                yield method, name, key
        for builder, keys in schema.BUILDERS.items():
            for name, key in keys.items():
                yield f"{builder}_hierarchy", name, key
        for name, key in schema.MASKS["partial"].items():
            yield "mask_text", name, key
        for name, key in schema.MASKS["email"].items():
            yield "mask_email", name, key

    def test_ranges_and_choices(self, lines: Lines) -> None:
        compared = set()
        for macro, name, key in self.keys():
            for line in of_kind(lines[macro], "parameter"):
                if line.name == name and name != "known":  # which names a register there
                    compared.add(name)
                    assert key.choices == choices(line.type or ""), (macro, name)
                    # each number of a list is for the macro to look at
                    least_and_most = (None, None) if key.type == list[float] else bounds(line.type or "")
                    assert (key.least, key.most) == least_and_most, (macro, name)
        unknown = {name for _, name, _ in self.keys()} - compared
        # a name leaves the table to begin with, and the others are of Python alone
        assert unknown == {
            "identifier",
            "name",
            "local_recoding",
            "time_limit",
            "known",
            "composed_confidence",
            "bcf_k",
            "profile",
            "average_risk",
            "zip_populations",
            "records_at_risk",
            "risk_threshold",
            "sample_uniques",
            "population_uniques",
            "global_risk",
        }


def choices(told: str) -> tuple[str, ...]:
    match = re.fullmatch(CHOICES, told)
    return tuple(match[0].removeprefix("one of ").split(", ")) if match else ()


def bounds(told: str) -> tuple[float | None, float | None]:
    """The least and the most, whether these are in the range or not."""
    least = re.search(rf"(?:at least|above) ({BOUND})|({BOUND}) to ", told)
    most = re.search(rf"(?:at most|below|to) ({BOUND})$", told)
    return float(least[1] or least[2]) if least else None, float(most[1]) if most else None


def test_the_page_shows_all(lines: Lines) -> None:
    written = (reference.ROOT / "REFERENCE.md").read_text("utf-8")
    for file, text in reference.files().items():
        assert file.read_text("utf-8") == text, f"{file.name}: run make reference"
    sections = dict(re.findall(r"^### (\w+)\n(.*?)(?=^##|\Z)", written, re.MULTILINE | re.DOTALL))
    assert sorted(sections) == PUBLIC
    for macro, section in sections.items():
        shown = re.findall(r"`([\w<>]+)`(?=,| \|)", section)
        answer = [line.name for line in lines[macro] if line.kind in ("parameter", "result")]
        assert [name for name in shown if name in answer] == answer
