"""What a label says in a format, character by character: the labels of this library that say the same."""

import re

BOUND = r"\d{4}-\d\d-\d\d|[+-]?(?:\d+(?:\.\d+)?|inf)"
ENDS = re.compile(rf"([\[(\]])?({BOUND})(?:-|\.\.| to | - |, )({BOUND})([\])\[])?")


def in_notation(label: str, format: str) -> str:
    """The label as this library would write it, or as it is."""
    kind, _, given = format.partition(" ")
    if kind == "range":
        if match := ENDS.fullmatch(label):
            opening, low, high, closing = match.groups()
            if (opening is None) == (closing is None):
                return f"{opening or '['}{low}, {high}{closing or ']'}"
        if label.endswith("+") and re.fullmatch(BOUND, label[:-1]):
            return f">={label[:-1]}"
    if kind == "set" and given in label:
        return written([element.strip() for element in label.split(given)] + [label])
    if kind == "list" and label[:1] + label[-1:] in ("[]", "{}", "()") and len(label) > 2:
        return written([element.strip().strip("'\"") for element in label[1:-1].split(",")])
    if kind == "mask":
        return "".join("*" if character == given else character for character in label)
    return label


def written(elements: list[str]) -> str:
    return "{" + ", ".join('"' + element.replace('"', '""') + '"' for element in elements) + "}"
