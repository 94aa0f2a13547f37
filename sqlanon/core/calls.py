"""Holes in the scripts of sql/ that are filled when the scripts are read: calls that hand parameters on, and
the statement of a public macro.

    {call _mu_argus: size := coalesce(size, len(qi))}

is `sqlanon._call('_mu_argus', [...])` with an argument for every parameter of `_mu_argus`, in its order: the
value that is given, or that of the parameter with the same name here. No argument can take another one's
place. How a value becomes a text depends on the parameter's name: KINDS. `text(...)` is a text already. A
parameter that has a default may be left out. `{sqlanon._inner: k := 5}` is a call itself, by the same rules.

    create or replace macro sqlanon.mu_argus(tbl, qi, ...) as table
        from query(sqlanon._released({statement: ...}));

is also the macro `_mu_argus_statement` of what stands in the hole, with the same parameters (what is
required is one of them, `requirements`), for Python to ask for that text. `{statement with by_value: ...}`
gives it one more, which is NULL where the public macro runs it.

    sqlanon._fill($$ select {columns} from {source} $$, map {'columns': ...})

is written with `'source': source` in its map, if that is a parameter here. So a map has only what is made.
Nor does it need entries for these in a template:

    {each qi: src.{c} as q{i}}     sqlanon._each(qi, 'src.{c} as q{i}', ', ')
    {each qi and: a.{c} = b.{c}}   the same with ' and ' between
    {each qi: , src.{c}}           nothing is between what begins with a comma, or with `and`
    {each_of qi: ...}              sqlanon._each_of(qi, ...)
    {=tbl}                         the value, written as in a call
    {"id"}                         sqlanon._quote(id)

    create or replace steps sqlanon._released_and_targets(release, targets, ...) as
        _sqlanon_target as (...), ...;

is no macro, but relations with which several chains begin: `with {steps _released_and_targets: qi := known}`
has them, with what is given in place of parameters. Those that have the same name here are handed on.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterable, Mapping
from functools import partial
from itertools import takewhile
from textwrap import dedent, indent

from sqlanon.core.models import WIDTH

# How values become texts, by the names of parameters. Any other parameter is the name of a relation, a
# column, or another text.
KINDS = {
    "sqlanon._names({})": """
        categorical columns counted dimensions direct distances distinct_spellings household_qi
        join_on joined judged keep left_out marks masked may_change of_tables options others
        presence priors_by qi releases sensitive strata tables unchanged whose x y""",
    "sqlanon._optional({})": """
        based_on composition controls domain group_id held_out hierarchies hierarchy household id insiders
        kept keys lower_column mean_column measure measured median_column node_labels original
        original_relation population population_weight previous public_keys reference row_id
        sampling_weight selection sum_column suppressed total_mark tree truth unit upper_column weight""",
    "{}::varchar": """
        additive all_cells by_code by_unit changing divided gamma grows gs_factor has_negations
        has_priors height how_many is_release k m max_atoms max_cells max_groups max_rows max_size
        may_suppress more nearest number numbers only_violating quasi_identifiers relaxed repeating rounds
        size suppression_limit thousandths_list whole with_people with_zeros zeros_shown""",
    "sqlanon._written({})": """
        at_k at_l decimals growing l max_sets other_size pieces sample threshold""",
    "sqlanon._boolean_text({})": "incomplete missing_counts non_negative released wildcards with_empty",
    "sqlanon._constant({})": """
        alpha at_most base bits budget budget_epsilon budget_rho by_distance ends epsilon fraction grid
        group_delta group_epsilon hi how least lo max_levels measure_least measure_most measure_step
        min_levels most n_scale needed percent req scale seconds sets share shared wanted_bits weights
        wished within""",
    "sqlanon._names_if_any({})": "filters known names periods titles varying",
    "sqlanon._seed({})": "seed",
    "sqlanon._given_formats_text({})": "formats given_formats",
    "sqlanon._unknown_text({})": "unknown",
}
LITERAL, OPTIONAL = "sqlanon._literal({})", "sqlanon._optional({})"
ROOM = 4  # characters

_WRITTEN = {name: kind for kind, names in KINDS.items() for name in names.split()}
_MAY_BE_NULL = re.compile(r"\b(?:null|case|if|_if_any)\b")
_PLAIN = re.compile(r"null|true|false|\d+|'[^']*'")  # constants
_MACRO = re.compile(r"^create or replace macro sqlanon\.(\w+)\(((?:[^()]|\([^()]*\))*)\)", re.M)
_HOLE = re.compile(
    r"\{(?:(?P<call>call |sqlanon\.)(?P<called>_\w+)|statement(?: with (?P<more>\w+))?)(?P<colon>[:}])"
)
_PIECE = re.compile(r"'(?:[^']|'')*'|\$\$(?s:.*?)\$\$|--[^\n]*|[][(){},]|[^][(){},'$-]+|.", re.S)
_FILL = re.compile(r"\bsqlanon\._(fill|each_filled)\(")
_CALLED = re.compile(r"\bsqlanon\.\w+$")
_NAME = re.compile(r"\{(\w+)\}")
_LOOP = re.compile(r"\{(?P<each>each|each_of) (?P<list>\w+)(?P<and_> and)?: (?P<text>(?:[^{}]|\{[csi]\})+)\}")
_VALUE = re.compile(r"""\{(?:=(?P<value>\w+)|"(?P<name>\w+)")\}""")
_LAMBDA = re.compile(r"\blambda ([\w, ]+):")
_STEPS = re.compile(
    r"^create or replace steps sqlanon\.(\w+)\(((?:[^()]|\([^()]*\))*)\) as\n((?s:.*?));\n", re.M
)
_STEPS_HOLE = re.compile(r"\{steps (?P<called>_\w+)(?P<colon>[:}])")
_REQUIREMENTS = re.compile(r"\{requirements([^:]*): \{id\} := \{fallback\}\}")


def with_statements(script: str) -> str:
    """A script in which each public macro with a hole for its statement comes after a macro of that."""
    holes = [hole for hole in _HOLE.finditer(script) if not hole["called"]]
    macros = [*_MACRO.finditer(script)] if holes else []
    for hole in reversed(holes):
        script = _with_statement(script, hole, _around(macros, hole))
    return script


def steps_of(scripts: Iterable[str]) -> dict[str, tuple[dict[str, str], str]]:
    """Parameters, with the defaults of those that have one, and text of the steps that chains share."""
    return {
        name: (_named(listed), dedent(text).strip())
        for script in scripts
        for name, listed, text in _STEPS.findall(script)
    }


def with_steps(script: str, steps: Mapping[str, tuple[Mapping[str, str], str]]) -> str:
    """A script in which chains have the steps that they share. ValueError for steps that are not there, and
    as in with_calls."""
    script = _STEPS.sub("", script)
    while hole := _STEPS_HOLE.search(script):
        end, called = end_of(script, hole.start()), hole["called"]
        if called not in steps:
            raise ValueError(f"there are no steps sqlanon.{called}")
        parameters, text = steps[called]
        given = dict(map(_argument, pieces_of(script[hole.end() : end]))) if hole["colon"] == ":" else {}
        macro = _around([*_MACRO.finditer(script)], hole)
        there = {name: name for name in _named(macro[2])}
        values = {name: value for name, value in parameters.items() if value} | there | given
        if strange := given.keys() - parameters.keys():
            raise ValueError(f"sqlanon.{called} has no parameter {', '.join(sorted(strange))}")
        if lacking := parameters.keys() - values.keys():
            raise ValueError(f"sqlanon.{macro[1]} gives sqlanon.{called} no {', '.join(sorted(lacking))}")
        named = "|".join(parameters) or "(?!)"
        filled = re.sub(rf"(?<!['\w])(?:{named})\b(?! :=)", partial(_value, values), text)
        script = script[: hole.start()] + indent(filled, "    ").strip() + script[end + 1 :]
    return script


def _value(values: Mapping[str, str], name: re.Match[str]) -> str:
    return values[name[0]]


def _around(macros: list[re.Match[str]], hole: re.Match[str]) -> re.Match[str]:
    """The macro that a hole is in."""
    return macros[bisect(macros, hole.start(), key=re.Match.start) - 1]


def _with_statement(script: str, hole: re.Match[str], macro: re.Match[str]) -> str:
    end = end_of(script, hole.start())
    name, parameters = f"sqlanon._{macro[1]}_statement", [*pieces_of(macro[2])]
    given = [_REQUIREMENTS.sub("requirements", each).partition(" :=")[0] for each in parameters]
    if hole["more"]:
        given.append(f"{hole['more']} := null")
    handed_on = [
        _REQUIREMENTS.sub(r"sqlanon._requirements({requirements\1: {id} := {id}})", each)
        if "{" in each
        else each.partition(" :=")[0]
        for each in parameters
    ]
    body = indent(dedent(script[hole.end() : end].strip("\n")).strip(), "    ")
    statement = f"create or replace macro {_listed(name + '(', given, ')', '')} as\n{body};\n\n"
    call = _listed(f"{name}(", handed_on, ")", " " * 4)
    return (
        f"{script[: macro.start()]}{statement}{script[macro.start() : hole.start()]}{call}{script[end + 1 :]}"
    )


def parameters_of(scripts: Iterable[str]) -> dict[str, dict[str, str]]:
    """The parameters of all macros, with the defaults of those that have one."""
    return {macro: _named(listed) for script in scripts for macro, listed in _MACRO.findall(script)}


def _named(listed: str) -> dict[str, str]:
    """Parameters by name, with their defaults."""
    return {name: default for each in pieces_of(listed) for name, _, default in [each.partition(" := ")]}


def with_maps(script: str, parameters: Mapping[str, Mapping[str, str]]) -> str:
    """A script in which the maps of templates have an entry for every hole. ValueError for a hole that
    nothing fills, and for an entry that is for no hole."""
    macros = [*_MACRO.finditer(script)]
    for call in reversed([*_FILL.finditer(script)]):
        end = end_of(script, call.end() - 1)
        pieces = [*pieces_of(script[call.end() : end])]
        place = 0 if call[1] == "fill" else 1
        template, *others = pieces[place:]
        has_map = len(others) > place
        if has_map and not others[0].startswith("map {"):
            continue  # it has a name
        plain, added = _plain(template)
        holes = _holes(plain) - {*added} - ({*"csi"} if place else set())
        if not holes and not added:
            continue
        entries = others[0][len("map {") : -1] if has_map else ""
        given = {each.partition(":")[0].strip("'") for each in pieces_of(entries)}
        macro = _around(macros, call)
        there = {*parameters[macro[1]], *_lambdas(script[macro.end() : call.start()])}
        if strange := (given - holes) | (holes - given - there):
            raise ValueError(
                f"sqlanon.{macro[1]}: nothing fills {{{min(strange)}}}, or there is no such hole"
            )
        added |= {each: each for each in sorted(holes - given)}
        start = script.index(template, call.end())
        before, rest = script[:start] + plain, script[start + len(template) :]
        if added:
            items = [f"'{name}': {value}" for name, value in added.items()]
            if has_map:
                opening = rest.index("map {")
                closing = end_of(rest, opening + len("map "))
                items += pieces_of(entries)
                before, rest = before + rest[:opening], rest[closing + 1 :]
            else:
                before += ", "
            line = before[before.rfind("\n") + 1 :]
            margin = " " * (len(line) - len(line.lstrip()))
            before += _listed("map {", items, "}", margin, len(line) - len(margin))
        script = before + rest
    return script


def _plain(template: str) -> tuple[str, dict[str, str]]:
    """A template with plain holes in place of loops and of values, and what fills these."""
    fills: dict[str, str] = {}

    def named(loop: re.Match[str]) -> str:
        name = f"{loop['list']}_{len(fills) + 1}"
        text, between = loop["text"], " and " if loop["and_"] else ", "
        if text.startswith((", ", "and ")):
            text, between = (text if text[0] == "," else f" {text}"), ""
        quoted = text.replace("'", "''")
        fills[name] = f"sqlanon._{loop['each']}({loop['list']}, '{quoted}', '{between}')"
        return f"{{{name}}}"

    def written(value: re.Match[str]) -> str:
        name = value["value"] or value["name"]
        if value["value"]:
            fills[f"{name}_value"] = _text_of(name, name)
            return f"{{{name}_value}}"
        fills[f"{name}_quoted"] = f"sqlanon._quote({name})"
        return f"{{{name}_quoted}}"

    return _VALUE.sub(written, _LOOP.sub(named, template)), fills


def _holes(template: str) -> set[str]:
    """The names of the holes in the literals of an expression, but for those in calls of other macros."""
    names: set[str] = set()
    inside = 0  # how many brackets are open since the one of a call
    before = ""
    for piece in _PIECE.findall(template):
        if inside or (piece == "(" and _CALLED.search(before)):
            inside += (piece in "([{") - (piece in ")]}")
        elif piece[0] in "'$":
            names.update(_NAME.findall(piece))
        before = piece
    return names


def with_calls(script: str, parameters: Mapping[str, Mapping[str, str]]) -> str:
    """A script with its calls written out. parameters: of all macros. ValueError for an argument that is for
    no parameter, and for a parameter without one."""
    macros = [*_MACRO.finditer(script)]
    for hole in reversed([*_HOLE.finditer(script)]):
        end = end_of(script, hole.start())
        macro, called = _around(macros, hole), hole["called"]
        given = dict(map(_argument, pieces_of(script[hole.end() : end]))) if hole["colon"] == ":" else {}
        if strange := given.keys() - parameters[called].keys():
            raise ValueError(f"sqlanon.{called} has no parameter {', '.join(sorted(strange))}")
        there = {*parameters[macro[1]], *_lambdas(script[macro.end() : hole.start()])}
        values = {name: given.get(name, name) for name in parameters[called] if name in given.keys() | there}
        if lacking := [
            name for name, default in parameters[called].items() if not (default or name in values)
        ]:
            raise ValueError(f"sqlanon.{macro[1]} gives sqlanon.{called} no {', '.join(lacking)}")
        line = script[script.rfind("\n", 0, hole.start()) + 1 : hole.start()]
        margin = " " * (len(line) - len(line.lstrip()))
        if hole["call"] == "call ":
            opening, closing = f"sqlanon._call('{called}', [", "])"
            values = {name: _text_of(name, value) for name, value in values.items()}
        else:
            opening, closing = f"sqlanon.{called}(", ")"
        # Where one is left out, those after it have their names.
        placed = len([*takewhile(values.__contains__, parameters[called])])
        named = "'{0} := ' || {1}" if hole["call"] == "call " else "{0} := {1}"
        arguments = [
            value if place < placed else named.format(name, value)
            for place, (name, value) in enumerate(values.items())
        ]
        call = _listed(opening, arguments, closing, margin, len(line) - len(margin))
        script = script[: hole.start()] + call + script[end + 1 :]
    return script


def _lambdas(text: str) -> list[str]:
    """The names of the parameters of lambdas."""
    return [name for names in _LAMBDA.findall(text) for name in names.split(", ")]


def _argument(text: str) -> tuple[str, str]:
    name, _, value = text.partition(" := ")
    return name, value


def _text_of(parameter: str, value: str) -> str:
    """The text of an argument, as an expression."""
    if value.startswith("text("):
        return value.removeprefix("text(").removesuffix(")")
    if _PLAIN.fullmatch(value):
        return f"'{value}'" if value[0] != "'" else f"$${value}$$"
    kind = _WRITTEN.get(parameter, OPTIONAL if _MAY_BE_NULL.search(value) else LITERAL)
    return kind.format(f"({value})" if kind[0] == "{" and _is_compound(value) else value)


def _is_compound(value: str) -> bool:
    """Does an expression have several parts that no bracket holds together?"""
    depth = 0
    for piece in _PIECE.finditer(value):
        depth += (piece[0] in "([{") - (piece[0] in ")]}")
        if not depth and " " in piece[0] and piece[0][0] not in "'$":
            return True
    return False


def end_of(text: str, start: int) -> int:
    """Where the bracket ends that begins there."""
    depth = 0
    for piece in _PIECE.finditer(text, start):
        depth += (piece[0] in "([{") - (piece[0] in ")]}")
        if not depth:
            return piece.start()
    raise ValueError(f"a hole that does not end: {text[start : start + 60]}")


def pieces_of(text: str) -> Iterable[str]:
    """What commas separate outside of brackets."""
    depth, start = 0, 0
    for piece in _PIECE.finditer(text):
        depth += (piece[0] in "([{") - (piece[0] in ")]}")
        if piece[0] == "," and not depth:
            yield text[start : piece.start()].strip()
            start = piece.end()
    if last := text[start:].strip():
        yield last


def _listed(opening: str, items: list[str], closing: str, margin: str, before: int = 0) -> str:
    """Items with commas between, in one line or, if that is too long, in lines of their own below. What comes
    after them has room for a few characters."""
    plain = opening + ", ".join(items) + closing
    if "\n" not in plain and len(margin) + before + len(plain) + ROOM <= WIDTH:
        return plain
    text, column = f"{opening}\n{margin}    {items[0]}", len(margin) + 4 + len(items[0])
    for item in items[1:]:
        first, *others = item.split("\n")
        last = closing if item is items[-1] else ""
        if column + 2 + len(first + last) + ROOM > WIDTH:
            text, column = f"{text},\n{margin}    {item}", len(margin) + 4 + len(first)
        else:
            text, column = f"{text}, {item}", column + 2 + len(first)
        column = len(others[-1]) if others else column
    return text + closing
