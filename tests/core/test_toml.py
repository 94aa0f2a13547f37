"""Documents that are edited: a value is another one, and all else is as it was written."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sqlanon.core.toml import bare, edited, shown
from tests.budget import examples

DOCUMENT = """# a policy
confirmed = "Ada # Muster"
[roles]
qi = [
    "age",  # a # comment
    "zip",
]
[requirements]  # as agreed
k = 5  # k-anonymity
l = 2
[input]
rename = [
    ["PLZ"],
    ["plz", "plz_2"],
]
trim = ["ward"]
"""


@pytest.mark.parametrize(
    ("changes", "before", "after"),
    [
        ({"requirements.k": "10"}, "k = 5  # k", "k = 10  # k"),
        ({"requirements.l": "3"}, "l = 2\n", "l = 3\n"),
        ({"requirements.alpha": "0.5"}, "# as agreed\n", "# as agreed\nalpha = 0.5\n"),
        ({"roles.qi": '["age"]'}, 'qi = [\n    "age",  # a # comment\n    "zip",\n]\n', 'qi = ["age"]\n'),
        ({"input.trim": '["zip"]'}, 'trim = ["ward"]', 'trim = ["zip"]'),
        ({"input.rename": "[]"}, 'rename = [\n    ["PLZ"],\n    ["plz", "plz_2"],\n]\n', "rename = []\n"),
        ({"input.more.level": "[1]"}, '["ward"]\n', '["ward"]\n\n[input.more]\nlevel = [1]\n'),
        ({"method.based_on": '"register"'}, '["ward"]\n', '["ward"]\n\n[method]\nbased_on = "register"\n'),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_all_else_is_as_it_was(changes: dict[str, str], before: str, after: str, end: str) -> None:
    document, before, after = (text.replace("\n", end) for text in (DOCUMENT, before, after))
    assert edited(document, changes) == document.replace(before, after)


@pytest.mark.parametrize(
    "document", ["requirements.k = 5\n", "requirements = {k = 5}\n", "[requirements.k]\na = 1\n"]
)
def test_what_is_not_found_is_an_error(document: str) -> None:
    with pytest.raises(ValueError, match="requirements"):
        edited(document, {"requirements.k": "10"})


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
VALUES = st.one_of(st.integers(-9, 9), st.booleans(), TEXTS, st.lists(TEXTS, max_size=3))


@given(
    st.dictionaries(
        st.sampled_from("ab"), st.dictionaries(st.sampled_from(["x", "y", "z z"]), VALUES), min_size=1
    ),
    st.sampled_from("abc"), st.sampled_from(["x", "y", "z z"]), VALUES,
)  # fmt: skip
@examples(80)
def test_any_document(document: dict[str, dict[str, object]], section: str, key: str, value: object) -> None:
    text = "".join(
        f"[{name}]\n" + "".join(f"{bare(each)} = {shown(of)} # {name}\n" for each, of in values.items())
        for name, values in document.items()
    )
    assert tomllib.loads(edited(text, {f"{section}.{key}": shown(value)})) == {
        **document, section: {**document.get(section, {}), key: value}
    }  # fmt: skip
