"""The functions of the package that call a macro, written from the macros' comments by `make reference`.

A function has the parameters of its macro, behind `con`, and says in its docstring what the comment says. One
call does the rest: of `answer`, or of the function that RUN names. Parameters of that function that it takes
by name only are those that Python has and the macro has not; its docstring explains them, and joins that of
the function. Which macros have a function, and in which module, `sqlanon/__init__.py` says.
"""

from __future__ import annotations

import inspect
import re
import textwrap
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from itertools import accumulate

from sqlanon import _HOMES as HOMES
from sqlanon.core.answer import TABLES
from sqlanon.core.comments import Parameter, blocks, parameters
from sqlanon.core.requirements import names

MODULE = "sqlanon.macros."  # and a folder of sql/
WIDTH = 110
INDENT = "    "
HEAD = '''# Written by `make reference` from the comments in sql/{topic}/.
"""The macros of sql/{topic}/ as functions: `sqlanon.core.answer` says what an answer is."""

from __future__ import annotations

'''

# What runs a macro, if it is not ANSWER.
ANSWER = "sqlanon.core.answer.answer"
RUN = {
    macro: runner
    for runner, macros in {
        "sqlanon.attack.intersection.warning": "locate linking minimality noisy_counts_attack",
        "sqlanon.attack.intersection.warning_by_release": "intersection_attack breaches",
        "sqlanon.attack.intersection.covered": "covers",
        "sqlanon.attack.differencing.with_programs": "differencing",
        "sqlanon.anonymize.hierarchies.completed": "complete_hierarchies",
        "sqlanon.perturb.perturbation.perturbed": (
            "add_noise bottom_code pram rank_swap round_values top_code"
        ),
        "sqlanon.randomize.releases.released": """
            dp_bounds dp_contingency dp_counts dp_histogram dp_means dp_microaggregate dp_quantiles dp_sums
            dp_top dp_wavelet randomized_response sampled_k_anonymity
        """,
    }.items()
    for macro in macros.split()
}
# From which parameter on they must be given by name; where Python has more parameters than the macro, that is
# the first one with a default.
BY_NAME = {
    "count_errors": "count_column",
    "differencing": "zeros_shown",
    "lattice": "population",
    "minimal_uniques": "max_size",
    "privacy": "population",
    "quasi_identifiers": "max_size",
    "record_risk": "released",
    "risk": "threshold",
    "suda": "max_size",
    "utility": "k",
    "violations": "population",
}

# Types of comments: what they are in Python, and what becomes of a value before the macro gets it.
TYPES = {
    "table": ("Source", "{0}"),
    "table, or a list of tables": ("Source | list[Source]", "{0}"),
    "list of tables": ("Iterable[Source]", 'listed({0}, "{0}")'),
    "columns|list of (columns|texts|one of .*)": ("Names", 'names({0}, "{0}")'),
    "column|text.*": ("str", "{0}"),
    "one of .*": ("Literal[{choices}]", "{0}"),
    "boolean": ("bool", "{0}"),
    "boolean, or a list of one per release": ("bool | Iterable[bool]", "by_release({0})"),
    "integer.*": ("int", "{0}"),
    "number.*": ("float", "{0}"),
    "file": ("str | PathLike[str]", "fspath({0})"),
    "list of lists of columns": ("Iterable[Iterable[str]]", "{0}"),
    "list of (numbers|integers).*": ("Iterable[float]", "list({0})"),
    "struct or map of texts": ("Formats", "formats_given({0})"),
    "value": ("Any", "{0}"),
}
# The same of single parameters.
OF_PARAMETERS = {
    "columns": ("Names", 'names({0}, "{0}")'),
    "unknown": ("Unknown", "unknown_texts({0})"),
    "weights": ("Weights", 'in_order({0}, qi, "{0}", 1.0)'),
    "min_levels": ("Levels", 'in_order({0}, qi, "{0}", 0)'),
    "max_levels": ("Levels", 'in_order({0}, qi, "{0}", None)'),
}
# Types that have None in them, and what None becomes None by.
WITH_NONE = ("Source", "Unknown", "Any")
KEEPS_NONE = ("{0}", "names(", "formats_given(", "unknown_texts(", "in_order(")
# Where the names are from that a module may use.
SOURCES = {
    "collections.abc": ["Iterable"],
    "os": ["PathLike", "fspath"],
    "typing": ["Any", "Literal", "Unpack"],
    "sqlanon.attack.intersection": ["Formats", "Unknown", "by_release", "formats_given", "unknown_texts"],
    "sqlanon.core.answer": ["Names"],
    "sqlanon.core.by_column": ["Levels", "Weights", "in_order"],
    "sqlanon.core.connection": ["connection_first"],
    "sqlanon.core.requirements": ["Requirements", "complete"],
    "sqlanon.core.source": ["Source", "listed", "names"],
    "sqlanon.randomize.cost": ["Ledger"],
    "sqlanon.randomize.releases": ["RandomizedRelease"],
}


def modules() -> dict[str, str]:
    """The modules by the folders of sql/ that they are about."""
    of_topic = defaultdict(list)
    for macro, home in sorted(HOMES.items()):
        if home.startswith(MODULE):
            of_topic[home.removeprefix(MODULE)].append(macro)
    return {topic: _module(topic, macros) for topic, macros in of_topic.items()}


def names_for_editors() -> str:
    """sqlanon/__init__.pyi."""
    lines = [
        f"from {module} import {name} as {name}\n"
        for name, module in sorted(HOMES.items(), key=lambda home: (home[1], *_rank(home[0])))
    ]
    others = "__version__: str\n__all__: list[str]\n_HOMES: dict[str, str]\n"
    return f"# Written by `make reference` from __init__.py.\n{''.join(lines)}\n{others}"


def _rank(name: str) -> tuple[bool, str]:
    """How ruff sorts what is imported: classes come before functions."""
    return name[0].islower(), name.lower()


def _module(topic: str, macros: Sequence[str]) -> str:
    body = "\n\n".join(map(_function, macros))
    code = re.sub(r'"""(?s:.*?)"""', "", body)
    used = {
        module: {name for name in exported if re.search(rf"\b{name}\b", code)}
        for module, exported in SOURCES.items()
    }
    for macro in macros:
        module, name, alias = _runner(macro)
        used.setdefault(module, set()).add(name if name == alias else f"{name} as {alias}")
    parts = {False: "", True: ""}
    for module, exported in sorted(used.items()):
        plain = sorted((name for name in exported if " as " not in name), key=_rank)
        for imported in [plain, *([name] for name in exported if " as " in name)]:
            if imported:
                start = f"from {module} import "
                parts[module.startswith("sqlanon.")] += _fitted(start, "()", imported) + "\n"
    imports = "\n".join(filter(None, (parts[False], "import duckdb\n", parts[True])))
    return f"{HEAD.format(topic=topic)}{imports}\n\n{body}"


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
    each = "".join(f"{indent}{INDENT}{part},\n" for part in parts)
    return f"{start}{brackets[:1]}\n{each}{indent}{brackets[1:]}{end}"


def _runner(macro: str) -> tuple[str, str, str]:
    """What runs a macro: its module, its name, and what it is called where it is used."""
    module, _, name = RUN.get(macro, ANSWER).rpartition(".")
    return module, name, "answer_of" if name == "answer" else name  # attack_summary has a parameter `answer`


def _function(macro: str) -> str:
    module, name, called = _runner(macro)
    run = getattr(import_module(module), name)
    given = parameters(macro)
    own = [
        each
        for each in inspect.signature(run).parameters.values()
        if each.kind is each.KEYWORD_ONLY and each.name not in given
    ]
    # all that can be required of a release is one parameter in Python
    requirements = given.keys() & names() if given.keys() >= {*names()} else set()
    told = [each for each in given.values() if each.name not in requirements]
    with_default = next((each.name for each in told if each.default), None)
    by_name = BY_NAME.get(macro, with_default if own else None)
    taken = ["con: duckdb.DuckDBPyConnection"]
    for each in told:
        taken += ["*"] * (each.name == by_name) + [_parameter(each)]
    taken += ["*"] * bool(own and not by_name)
    taken += [f"{each.name}: {each.annotation} = {each.default!r}" for each in own]
    taken += ["**requirements: Unpack[Requirements]"] * bool(requirements)
    arguments = ["con", f'"{macro}"', *_arguments(told), *(f"{each.name}={each.name}" for each in own)]
    arguments += ["**complete(requirements)"] * bool(requirements)
    return "\n".join(
        [
            "@connection_first",
            _fitted(f"def {macro}(", "", taken, f") -> {inspect.signature(run).return_annotation}:"),
            textwrap.indent(_docstring(macro, inspect.getdoc(run) or ""), INDENT),
            _fitted(f"{INDENT}return {called}(", "", arguments, ")"),
            "",
        ]
    )


def _parameter(each: Parameter) -> str:
    """A parameter in a signature."""
    annotation, _ = _type(each)
    if each.default is None:
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
        first = first and each.type.startswith(("table", "list of tables")) and each.default is None
        _, conversion = _type(each)
        value = conversion.format(name)
        if each.default == "null" and not conversion.startswith(KEEPS_NONE):
            value = f"None if {name} is None else {value}"
        if not first and "table" in each.type and each.name not in TABLES:
            raise ValueError(f"sqlanon.core.answer does not know that {each.name} is a table")
        yield value if first else f"{each.name}={value}"


def _in_python(value: str) -> str:
    """A value of SQL in Python: null, a truth value, a number, a text, or a list, which is a tuple."""
    words = {"null": "None", "true": "True", "false": "False"}
    if value.startswith("["):
        parts = [_in_python(part.strip()) for part in value[1:-1].split(",") if part]
        return f"({', '.join(parts)}{',' * (len(parts) == 1)})"
    return f'"{value[1:-1]}"' if value.startswith("'") else words.get(value, value)


def _docstring(macro: str, of_runner: str) -> str:
    """What the comment says, and what runs the macro, as it is meant in Python."""
    told = {kind: re.sub(r"\btbl\b", "source", text) for kind, text in blocks(macro).items()}
    *_, call = told.pop("Example").rpartition(f"sqlanon.{macro}(")
    if listed := list(parameters(macro).values()):
        told["Parameters"] = "".join(f"\n- {_name(each)} ({each.type}): {each.meaning}" for each in listed)
    parts = [told.pop("about"), *(f"{kind}:{text}" for kind, text in told.items())]
    _, *also = of_runner.split("\n\n")
    parts += [*also, f"Example: sqlanon.{macro}({_call_in_python(call)}"]
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
    text = re.sub(r"\b(true|false|null)\b", lambda word: _in_python(word[0]), text)
    return "con)" if text == ")" else f"con, {text}"
