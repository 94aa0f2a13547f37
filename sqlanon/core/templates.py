"""Templates whose text stands in a script: cut at their holes when it is read.

    sqlanon._fill($$ select {columns} from {source} $$, map {'columns': a, 'source': b})
    sqlanon._each(qi, 'src.{c} as q{i}', ', ')

become calls of DuckDB's own `format`,

    format($$ select {0} from {1} $$, a, b)
    sqlanon._each_numbered(sqlanon._list(qi), 'src."{0}" as q{2}', ', ')

which make the same text and are bound several times as fast: half of the time of binding a macro goes to what
makes texts. A template that is known only when its macro runs stays as it is. So does one that comes after
list_transform in its macro: where a hole is filled with NULL, _fill is an error, but `format` is NULL, which
string_agg would leave out. (Elsewhere the whole text is NULL then, and DuckDB's `query` refuses it.)
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from sqlanon.core.calls import end_of, pieces_of

_BEGIN = "create or replace macro "
_CALL = re.compile(r"\bsqlanon\._(fill|each|each_of|each_filled)\(")
_CONSTANT = re.compile(r"'(?:[^']|'')*'|\$\$(?:(?!\$\$)(?s:.))*\$\$")
_BRACE = re.compile(r"\{(\w+)\}|[{}]")
_OF_NAME = {"c": '"{0}"', "s": "'{1}'", "i": "{2}"}  # as sqlanon._each_numbered fills them


def with_formats(script: str) -> str:
    """A script whose maps are written out already (calls.with_maps), with its constant templates cut."""
    for call in reversed([*_CALL.finditer(script)]):
        end = end_of(script, call.end() - 1)
        before = script[script.rfind(_BEGIN, 0, call.start()) + 1 : call.start()]
        if call[1] == "fill" and "list_transform(" in before:
            continue
        if cut := _cut(call[1], [*pieces_of(script[call.end() : end])]):
            script = script[: call.start()] + cut + script[end + 1 :]
    return script


def _cut(macro: str, pieces: list[str]) -> str | None:
    """A call with its template cut. None if that is no constant. pieces: the arguments."""
    names = [] if macro == "fill" else [pieces.pop(0)]
    template, *others = pieces
    if not _CONSTANT.fullmatch(template):
        return None
    if macro in ("each", "each_of"):
        template = _numbered(template, _OF_NAME)
    else:
        entries = pieces_of(others.pop(0).removeprefix("map {").removesuffix("}"))
        values = dict(re.split(r":\s+", entry, maxsplit=1) for entry in entries)
        holes = {name.strip("'"): f"{{{place}}}" for place, name in enumerate(values)}
        if macro == "fill":
            return f"format({', '.join([_numbered(template, holes), *values.values()])})"
        of_name = {name: hole.replace("{", "{{").replace("}", "}}") for name, hole in _OF_NAME.items()}
        escaped = (f"sqlanon._doubled_braces({value})" for value in values.values())
        template = f"format({', '.join([_numbered(template, of_name | holes), *escaped])})"
    listed = [each if macro == "each_of" else f"sqlanon._list({each})" for each in names]
    return f"sqlanon._each_numbered({', '.join([*listed, template, *others])})"


def _numbered(template: str, holes: Mapping[str, str]) -> str:
    """A literal as `format` takes it: each brace twice, but for holes."""

    def replaced(brace: re.Match[str]) -> str:
        hole = holes.get(brace[1]) if brace[1] else None
        if hole is None:
            return brace[0].replace("{", "{{").replace("}", "}}")
        return hole if template[0] == "$" else hole.replace("'", "''")

    return _BRACE.sub(replaced, template)
