"""The functions of the package that call a macro, written from the macros' comments by `make files`.

A function has the parameters of its macro, after `con`, and the macro's comment as its docstring. Its body is
one call: of `answer`, or of what RUN names for this macro (the runner), a function or a class with a method
`released` (sqlanon.anonymize.driver). Keyword-only parameters of the runner are those that only Python has:
they are added to the function, and their explanation in the runner's docstring to its docstring.
`sqlanon/__init__.py` says which macros have a function, and in which module. The source of a runner is read,
not imported, because it may import these functions, and packages that a build does not have.
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from pathlib import Path

from sqlanon import _HOMES as HOMES
from sqlanon.core.comments import Parameter, blocks, parameters, requirements_of
from sqlanon.core.freshness import PACKAGE

Definition = ast.FunctionDef | ast.ClassDef

MODULE = "sqlanon.macros."  # and a folder of sql/
WIDTH = 110
INDENT = "    "
HEAD = '''"""The macros of sql/{topic}/ as functions: `sqlanon.core.answer` says what an answer is."""

from __future__ import annotations

'''

HEAD_OF_SPARK = '''"""The functions of sqlanon.spark: their tables are DataFrames of Spark, or releases."""

from __future__ import annotations

'''
ABOUT_SPARK = "Rows, warnings and errors are those of `sqlanon.{macro}`, of tables of Spark."

# What runs a macro, if it is not ANSWER.
ANSWER = "sqlanon.core.answer.answer"
RUN = {
    macro: runner
    for runner, macros in {
        "sqlanon.attack.intersection.warning": """
            closest_records de_finetti linking locate membership minimality nearest_inference nearest_linkage
            noisy_counts_attack singling_out sparse_linkage
        """,
        "sqlanon.attack.four_questions.answered": "four_questions",
        "sqlanon.attack.intersection.warning_by_marginal": "membership_by_counts",
        "sqlanon.attack.intersection.warning_beside": "agreeing_rows utility_of_synthetic",
        "sqlanon.attack.several_releases.warning_by_release": "intersection_attack breaches",
        "sqlanon.attack.intersection.with_programs": "exact_cover",
        "sqlanon.attack.intersection.covered": "covers",
        "sqlanon.anonymize.anatomy.Anatomy": "anatomize",
        "sqlanon.anonymize.full_domain.FullDomain": "datafly generalize",
        "sqlanon.anonymize.full_domain.Samarati": "samarati",
        "sqlanon.anonymize.full_domain.Optimal": "optimal",
        "sqlanon.anonymize.hierarchies.completed": "complete_hierarchies",
        "sqlanon.anonymize.microaggregate.KSimilar": "k_similar",
        "sqlanon.anonymize.microaggregate.Microaggregation": "microaggregate",
        "sqlanon.anonymize.mondrian.Mondrian": "mondrian",
        "sqlanon.anonymize.mu_argus.MuArgus": "mu_argus",
        "sqlanon.anonymize.recode.Recoding": "recode",
        "sqlanon.publishing.m_invariant.MInvariant": "m_invariant",
        "sqlanon.perturb.perturbation.perturbed": (
            "add_noise bottom_code pram rank_swap round_values suppress_above_risk top_code"
        ),
        "sqlanon.randomize.releases.released": """
            dp_bounds dp_contingency dp_counts dp_histogram dp_means dp_microaggregate dp_quantiles dp_sums
            dp_top dp_wavelet randomized_response sampled_k_anonymity
        """,
        "sqlanon.tables.cell_keys.with_record_keys": "cell_keys",
        "sqlanon.tables.programs.solved": "cell_bounds round_cells suppress_cells",
        "sqlanon.tables.programs.solved_together": "guess_by_marginals reconstruct tables_together",
        "sqlanon.tables.programs.solved_if_possible": "differencing",
    }.items()
    for macro in macros.split()
}
# What runs it on tables of Spark, for functions in sqlanon.spark.
ON_SPARK = {
    macro: f"sqlanon.spark.{runner}"
    for runner, macros in {
        "attack.candidates_of_each": "intersection_attack",
        "attack.tallied": "breaches",
        "counted.released": "generalize optimal",
        "measures.judged": "classes privacy violations",
        "partitioning.released_by_parts": "mondrian",
    }.items()
    for macro in macros.split()
}
# Tables of DuckDB there; all others are Spark's.
WITHOUT_SPARK = ("hierarchies", "negations", "priors")
# From which parameter on they must be given by name; where Python has more parameters than the macro, that is
# the first one with a default.
BY_NAME = {
    macro: parameter
    for parameter, macros in {
        "count_column": "count_errors",
        "k": "utility",
        "marks": "cell_bounds",
        "max_size": "minimal_uniques quasi_identifiers suda",
        "population": "lattice privacy violations",
        "released": "record_risk",
        "response": "suppress_cells unsafe_cells",
        "threshold": "risk",
        "total": "cell_keys table_cells",
        "value_column": "guess_by_marginals round_cells tables_together",
        "zeros_shown": "differencing",
    }.items()
    for macro in macros.split()
}

# Types of comments: what they are in Python, and what becomes of a value before the macro gets it.
TYPES = {
    "table": ("Source", "{0}"),
    "table, or a list of tables": ("Source | list[Source]", "{0}"),
    "list of tables": ("Iterable[Source]", 'listed({0}, "{0}")'),
    "list of tables with names": ("Iterable[Source] | Mapping[str, Source]", 'listed_with_names({0}, "{0}")'),
    "columns|list of (columns|texts|one of .*)": ("Names", 'names({0}, "{0}")'),
    "column|text(?! or NULL).*": ("str", "{0}"),
    "text or NULL": ("str | None", "{0}"),
    "one of .*": ("Literal[{choices}]", "{0}"),
    "boolean": ("bool", "{0}"),
    "boolean, or a list of one per release": ("bool | Iterable[bool]", "by_release({0})"),
    "integer.*": ("int", "{0}"),
    "number.*": ("float", "{0}"),
    "file": ("str | PathLike[str]", "fspath({0})"),
    "list of lists of columns": ("Iterable[Iterable[str]]", "{0}"),
    "list of (numbers(?! or NULL).*|integers)": ("Iterable[float]", "list({0})"),
    "list of numbers or NULL": ("Iterable[float | None]", "list({0})"),
    "list of integers or NULL": ("Iterable[int | None]", "list({0})"),
    "list of integers, at least 0": ("Levels", 'in_order({0}, qi, "{0}", 0)'),
    "map of lists of numbers or NULL": ("Mapping[str, Sequence[float | None]]", "dict({0})"),
    "map of lists of texts": ("Mapping[str, Sequence[str]]", "dict({0})"),
    "struct or map of texts": ("Formats", "formats_given({0})"),
    "value": ("Any", "{0}"),
}
# The same of single parameters.
OF_PARAMETERS = {
    "columns": ("Names", 'names({0}, "{0}")'),
    "filters": ("Filters", 'filters_given({0}, "{0}")'),
    "unknown": ("Unknown", "unknown_texts({0})"),
    "weights": ("Weights", 'in_order({0}, qi, "{0}", 1.0)'),
    "max_levels": ("Levels", 'in_order({0}, qi, "{0}", None)'),
}
# Types that have None in them, and what None becomes None by.
WITH_NONE = ("Source", "Unknown", "Any")
KEEPS_NONE = ("{0}", "names(", "filters_given(", "formats_given(", "unknown_texts(", "in_order(")
# Where the names are from that a module may use.
SOURCES = {
    "collections.abc": ["Iterable", "Mapping", "Sequence"],
    "os": ["PathLike", "fspath"],
    "typing": ["Any", "Literal", "Unpack"],
    "sqlanon.attack.intersection": ["Formats", "Unknown", "by_release", "formats_given", "unknown_texts"],
    "sqlanon.core.answer": ["Filters", "Names"],
    "sqlanon.core.by_column": ["Levels", "Weights", "in_order"],
    "sqlanon.core.connection": ["connection_first"],
    "sqlanon.core.release": ["Progress", "Release"],
    "sqlanon.core.requirements": ["complete"],
    "sqlanon.core.source": ["Source", "filters_given", "listed", "listed_with_names", "names"],
    "sqlanon.macros.requirements": ["Requirements"],
    "sqlanon.randomize.cost": ["Ledger"],
    "sqlanon.randomize.releases": ["RandomizedRelease"],
}

SOURCES_OF_SPARK = {
    "pyspark.sql": ["DataFrame"],
    "sqlanon.core.release": [],
    "sqlanon.spark.driver": ["SparkSource"],
    "sqlanon.spark.release": ["Release"],
}


def modules() -> dict[Path, str]:
    """The modules, by their places in the package."""
    of_topic = defaultdict(list)
    for macro, home in sorted(HOMES.items()):
        if home.startswith(MODULE):
            of_topic[home.removeprefix(MODULE)].append(_runner(macro))
    written = {Path("macros", f"{topic}.py"): _module(topic, runners) for topic, runners in of_topic.items()}
    return written | {Path("macros", "spark.py"): _module("", [*map(_runner_on_spark, sorted(ON_SPARK))])}


def names_for_editors() -> str:
    """sqlanon/__init__.pyi."""
    lines = [
        f"from {module} import {name} as {name}\n"
        for name, module in sorted(HOMES.items(), key=lambda home: (home[1], *_rank(home[0])))
    ]
    others = "__version__: str\n__all__: list[str]\n_HOMES: dict[str, str]\n"
    return f"{''.join(lines)}\n{others}"


def _rank(name: str) -> tuple[bool, str]:
    """How ruff sorts what is imported: classes come before functions."""
    return name[0].islower(), name.lower()


def _module(topic: str, runners: Sequence[Runner]) -> str:
    body = "\n\n".join(map(_function, runners))
    code = re.sub(r'"""(?s:.*?)"""', "", body)
    head, third = (HEAD.format(topic=topic), "import duckdb\n") if topic else (HEAD_OF_SPARK, "")
    used = {
        module: {name for name in exported if re.search(rf"\b{name}\b", code)}
        for module, exported in (SOURCES if topic else {**SOURCES, **SOURCES_OF_SPARK}).items()
    }
    for run in runners:
        used.setdefault(run.module, set()).add(run.imported)
    parts = {"": "", "pyspark": "", "sqlanon": ""}
    for module, exported in sorted(used.items()):
        plain = sorted((name for name in exported if " as " not in name), key=_rank)
        for imported in [plain, *([name] for name in exported if " as " in name)]:
            if imported:
                start, group = f"from {module} import ", module.partition(".")[0]
                parts[group if group in parts else ""] += _fitted(start, "()", imported) + "\n"
    imports = "\n".join(filter(None, (parts[""], third + parts["pyspark"], parts["sqlanon"])))
    return f"{head}{imports}\n\n{body}"


def _fitted(start: str, brackets: str, parts: Sequence[str], end: str = "") -> str:
    """A list as ruff writes it: in one line, in a line of its own, or in one line each.

    brackets: those of an import, which are left out in one line.
    """
    indent = re.match(" *", start)[0]  # type: ignore[index]
    if len(line := f"{start}{', '.join(parts)}{end}") <= WIDTH:
        return line
    inside = f"{indent}{INDENT}{', '.join(parts)}"
    if not brackets and len(inside) <= WIDTH:
        return f"{start}\n{inside}\n{indent}{end}"
    each = "".join(f"{_in_lines(f'{indent}{INDENT}{part},')}\n" for part in parts)
    return f"{start}{brackets[:1]}\n{each}{indent}{brackets[1:]}{end}"


@dataclass(frozen=True)
class Runner:
    """What runs a macro: where it is, what of it is imported, and what it is called where it is used.

    own: parameters that only Python has. paragraphs: about them, and about the answer. is_raw: arguments
    reach it unchanged."""

    macro: str
    module: str
    imported: str
    called: str
    returns: str
    own: Mapping[str, str]
    paragraphs: Sequence[str]
    is_raw: bool = False
    on_spark: bool = False


def _runner(macro: str) -> Runner:
    module, _, name = RUN.get(macro, ANSWER).rpartition(".")
    run, *bases = _definitions(module, name)
    if isinstance(run, ast.ClassDef):
        own, paragraphs = _of_class([run, *bases], macro)
        return Runner(macro, module, name, f"{name}.released", "Release", own, paragraphs, is_raw=True)
    called = "answer_of" if name == "answer" else name  # attack_summary has a parameter `answer`
    imported = name if called == name else f"{name} as {called}"
    paragraphs = _further_paragraphs(ast.get_docstring(run))
    return Runner(macro, module, imported, called, _returned(run), _own(run, macro), paragraphs)


def _runner_on_spark(macro: str) -> Runner:
    """What runs a macro on Spark."""
    module, _, name = ON_SPARK[macro].rpartition(".")
    [run] = _definitions(module, name)
    of_module, _, there = RUN.get(macro, ANSWER).rpartition(".")
    anonymizer = _definitions(of_module, there)
    is_raw = isinstance(anonymizer[0], ast.ClassDef)
    own, paragraphs = _of_class(anonymizer, macro, with_released=False) if is_raw else ({}, [])
    own |= _own(run)  # type: ignore[arg-type]
    paragraphs = [ABOUT_SPARK.format(macro=macro), *paragraphs, *_further_paragraphs(ast.get_docstring(run))]
    return Runner(macro, module, name, name, _returned(run), own, paragraphs, is_raw, on_spark=True)


@cache
def _body(module: str) -> list[ast.stmt]:
    """What a module has, by its file."""
    place = PACKAGE.parent.joinpath(*module.split("."))
    file = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
    return ast.parse(file.read_text("utf-8")).body


def _definitions(module: str, name: str) -> list[Definition]:
    """A function; or a class and those that it is derived from, as far as they are of this package."""
    for each in _body(module):
        match each:
            case ast.FunctionDef(name=found) if found == name:
                return [each]
            case ast.ClassDef(name=found) if found == name:
                bases = [base.id for base in each.bases if isinstance(base, ast.Name)]
                return [each, *(further for base in bases for further in _definitions(module, base))]
            case ast.ImportFrom(module=str(home)) if home.startswith("sqlanon."):
                if name in (alias.name for alias in each.names):
                    return _definitions(home, name)
    return []


def _of_class(
    classes: Sequence[Definition], macro: str, with_released: bool = True
) -> tuple[dict[str, str], list[str]]:
    """What a class takes by name only, and what it tells; and the same of its method `released`."""
    methods: dict[str, ast.FunctionDef] = {}
    for each in classes:
        methods = {
            method.name: method for method in each.body if isinstance(method, ast.FunctionDef)
        } | methods
    paragraphs = _further_paragraphs(*map(ast.get_docstring, classes))
    if details := ast.get_docstring(methods["details"]):
        paragraphs.append(f"Its details: {details}")
    own = _own(methods["__init__"], macro)
    if with_released:
        own |= _own(methods["released"], macro)
        paragraphs += _further_paragraphs(ast.get_docstring(methods["released"]))
    return own, paragraphs


def _own(function: ast.FunctionDef, macro: str | None = None) -> dict[str, str]:
    """What a function takes by name only and the macro does not know, as it is in a signature."""
    given = function.args
    return {
        each.arg: f"{ast.unparse(each)} = {ast.unparse(default)}"
        for each, default in zip(given.kwonlyargs, given.kw_defaults, strict=True)
        if default and not (macro and each.arg in parameters(macro))
    }


def _returned(function: Definition) -> str:
    assert isinstance(function, ast.FunctionDef)
    assert function.returns
    return ast.unparse(function.returns)


def _further_paragraphs(*docstrings: str | None) -> list[str]:
    """Docstrings by their paragraphs, without the first ones."""
    return [paragraph for text in docstrings for paragraph in (text or "").split("\n\n")[1:]]


def _in_lines(part: str) -> str:
    """A part that has a line for itself: choices, or a list, that do not fit into it have another one."""
    if len(part) <= WIDTH:
        return part
    start, choices, end = re.split(r"(?<=[\[(])(.*)(?=[\])])", part)
    indent = re.match(" *", part)[0]  # type: ignore[index]
    return f"{start}\n{indent}{INDENT}{choices}\n{indent}{end}"


def _function(run: Runner) -> str:
    macro, given = run.macro, parameters(run.macro)
    # all that can be required of a release is one parameter in Python
    requirements = requirements_of(macro)
    single = [each for each in given.values() if each.name not in requirements]
    with_default = next((each.name for each in single if each.default), None)
    by_name = BY_NAME.get(macro, with_default if run.own else None)
    if run.is_raw:
        by_name = next(each.name for each in single if each.type != "table")
        arguments = ["source", *(f"{each.name}={each.name}" for each in single[1:])]
    else:
        arguments = [*_arguments(single)]
    taken = []
    for each in single:
        taken += ["*"] * (each.name == by_name) + [_parameter(each, run.on_spark)]
    taken += ["*"] * bool(run.own and not by_name) + [*run.own.values()]
    taken += ["**requirements: Unpack[Requirements]"] * bool(requirements)
    arguments = [f'"{macro}"', *arguments, *(f"{name}={name}" for name in run.own)]
    arguments += ["**requirements" if run.is_raw else "**complete(requirements)"] * bool(requirements)
    if not run.on_spark:
        taken, arguments = ["con: duckdb.DuckDBPyConnection", *taken], ["con", *arguments]
    return "\n".join(
        [
            *(() if run.on_spark else ("@connection_first",)),
            _fitted(f"def {macro}(", "", taken, f") -> {run.returns}:"),
            textwrap.indent(_docstring(run), INDENT),
            _fitted(f"{INDENT}return {run.called}(", "", arguments, ")"),
            "",
        ]
    )


def _parameter(each: Parameter, on_spark: bool) -> str:
    """A parameter in a signature."""
    annotation, _ = _type(each)
    if on_spark and each.name not in WITHOUT_SPARK:
        annotation = annotation.replace("Source", "SparkSource")
    if each.default is None or each.meaning.startswith("must be given: "):
        return f"{_name(each)}: {annotation}"
    if each.default == "null" and annotation not in WITH_NONE:
        annotation += " | None"
    return f"{_name(each)}: {annotation} = {_in_python(each.default)}"


def _name(each: Parameter) -> str:
    return "source" if each.name == "tbl" else each.name


def _type(each: Parameter) -> tuple[str, str]:
    """The type of a parameter in Python, and its conversion."""
    if each.name in OF_PARAMETERS:
        return OF_PARAMETERS[each.name]
    [(annotation, conversion)] = [to for type_, to in TYPES.items() if re.fullmatch(type_, each.type)]
    return annotation.format(choices=", ".join(f'"{choice}"' for choice in each.choices)), conversion


def _arguments(given: Iterable[Parameter]) -> Iterator[str]:
    """How the parameters of a function are handed on: first the tables that must be given."""
    first = True
    for each in given:
        name = _name(each)
        first = first and each.is_table and each.default is None
        _, conversion = _type(each)
        value = conversion.format(name)
        if each.default == "null" and not conversion.startswith(KEEPS_NONE):
            value = f"None if {name} is None else {value}"
        yield value if first else f"{each.name}={value}"


def _in_python(value: str) -> str:
    """A value of SQL in Python: null, a truth value, a number, a text, or a list, which is a tuple."""
    words = {"null": "None", "true": "True", "false": "False"}
    if value.startswith("["):
        parts = [_in_python(part.strip()) for part in value[1:-1].split(",") if part]
        return f"({', '.join(parts)}{',' * (len(parts) == 1)})"
    return f'"{value[1:-1]}"' if value.startswith("'") else words.get(value, value)


def _docstring(run: Runner) -> str:
    """What the comment says, and what runs the macro, as it is meant in Python."""
    macro = run.macro
    texts = {kind: re.sub(r"\btbl\b", "source", text) for kind, text in blocks(macro).items()}
    *_, call = texts.pop("Example").rpartition(f"sqlanon.{macro}(")
    if listed := list(parameters(macro).values()):
        texts["Parameters"] = "".join(f"\n- {_name(each)} ({each.type}): {each.meaning}" for each in listed)
    parts = [texts.pop("about"), *(f"{kind}:{text}" for kind, text in texts.items())]
    parts += run.paragraphs
    if not run.on_spark:
        parts.append(f"Example: sqlanon.{macro}({_call_in_python(call)}")
    raw = "r" if any("\\" in part for part in parts) else ""
    return "\n\n".join(map(_filled, [f'{raw}"""{parts[0]}', *parts[1:]])) + '\n"""'


def _filled(paragraph: str) -> str:
    """A paragraph, which may have a list, in lines."""
    entries = re.split(r"\n(?=- )", paragraph)
    return "\n".join(
        textwrap.fill(
            " ".join(entry.split()),
            WIDTH - len(INDENT),
            subsequent_indent="  " * entry.startswith("- "),
            break_long_words=False,
            break_on_hyphens=False,
        )
        for entry in entries
    )


def _call_in_python(call: str) -> str:
    """The arguments of an example, and what closes them."""
    text = " ".join(call.split())
    depths = accumulate((letter == "(") - (letter == ")") for letter in text)
    end = next(place for place, depth in enumerate(depths) if depth < 0)
    text = text[: end + 1].replace(" := ", "=").replace("'", '"')
    text = re.sub(r"\bmap \{", "{", text)
    text = re.sub(r"\b(true|false|null)\b", lambda word: _in_python(word[0]), text)
    return "con)" if text == ")" else f"con, {text}"
