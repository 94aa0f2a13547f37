"""The words of the decision page: texts.toml has them all, by language."""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlanon.core.toml import shown

_MARKS = {"en": (",", "."), "de": (".", ","), "fr": ("\N{NARROW NO-BREAK SPACE}", ",")}  # thousands, decimals
_LEVEL = re.compile(r"(sure|pvp)_(\d[\d_]*)")


@functools.cache
def texts() -> Mapping[str, Mapping[str, str]]:
    """The texts, by their keys and languages."""
    return tomllib.loads(Path(__file__).with_name("texts.toml").read_text("utf-8"))


@dataclass(frozen=True)
class Words:
    """Sentences in a language. Holes are filled with texts, which the page escapes."""

    language: str

    def __call__(self, key: str, /, **holes: Any) -> str:
        """No line begins with a mark that belongs to what is before it."""
        text = texts()[key][self.language].format(**holes)
        return re.sub(" (?=[%?!:;»])" if self.language == "fr" else " (?=%)", "\N{NO-BREAK SPACE}", text)

    def or_as_it_is(self, key: str, text: str) -> str:
        """The text of a key, or another one where there is none."""
        return self(key) if key in texts() else text

    def reason(self, text: str) -> str:
        """What a macro or the judge says in English, in the language of the page where texts has it."""
        for key in texts():
            if key.startswith("reason_"):
                pattern = re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.*?)", re.escape(texts()[key]["en"]))
                if found := re.fullmatch(pattern, text):
                    return self("why_judge_says_so", reason=self(key, **found.groupdict()))
        return self("why_judge_says", reason=text)

    def key(self, key: str) -> str:
        """What a key of the policy is about; the key where there is no text."""
        if (named := f"policy_{key.replace('.', '_')}") in texts():
            return self(named)
        section, *attack, measure = key.split(".")
        if section == "tolerated" and attack:
            return self("policy_tolerated", attack=attack[0], measure=measure)
        return key

    def value(self, value: Any) -> str:
        """A value of the policy."""
        if value is None:
            return self("unset")
        if isinstance(value, int | float) and not isinstance(value, bool):
            return self.number(value)
        is_of_names = isinstance(value, list) and all(isinstance(each, str) for each in value)
        return self.names(value) if is_of_names else shown(value)

    def counted(self, key: str, n: int, /, **holes: Any) -> str:
        """The text of a key, or of KEY_one."""
        key = f"{key}_one" if n == 1 and f"{key}_one" in texts() else key
        return self(key, n=self.number(n), **holes)

    def number(self, value: float) -> str:
        """As it is written in the language: 1,234.5."""
        thousands, decimal = _MARKS[self.language]
        written = f"{value:,.0f}" if float(value).is_integer() else f"{value:,.4g}"
        return "".join({",": thousands, ".": decimal}.get(letter, letter) for letter in written)

    def percent(self, value: float) -> str:
        """Neither 0 nor 100 is said of what is not."""
        if 0 < value < 0.1:
            return f"< {self.number(0.1)} %"
        if 99.9 < value < 100:
            return f"> {self.number(99.9)} %"
        return f"{self.number(round(float(value), 1))} %"

    def names(self, names: Iterable[str]) -> str:
        """a, b and c."""
        *first, last = [*names] or ["–"]
        return f"{', '.join(first)} {self('and')} {last}" if first else last

    def found(self, bound: Mapping[str, Any]) -> str:
        """What was found: so many people, or a share of them."""
        value, people, of_share = bound["value"], bound["people"], bound["unit"] == "%"
        if value is None and people is None:
            return self("found_unknown")
        share = "" if value is None else self._amount(value, bound["unit"])
        if people is None:
            text = share
        elif people == 0:
            text = self(f"nobody_{bound['counted']}")
        else:
            text = self.counted(bound["counted"], people) + (f" ({share})" if of_share else "")
        return f"{text} (≤ {self._amount(bound['at_most'], bound['unit'])})" if bound["at_most"] else text

    def answer(self, bound: Mapping[str, Any]) -> str:
        """What an attack found, what is allowed, and what was so before."""
        id, holes = bound["id"], {"found": self.found(bound), "sensitive": bound["sensitive"] or "–"}
        level = _LEVEL.fullmatch(id)
        if (of_cells := f"found_{bound['attack']}_{id}") in texts() and bound["value"] is not None:
            n = int(bound["value"])
            return self.counted(of_cells, n) if n else self(f"{of_cells}_none")
        if bound["sensitive"] and (id == "certain" or (level and level[2] == "100")):
            told = [self("found_single", **holes)]
        elif level and level[1] == "sure":
            written = self.number(float(level[2].replace("_", ".")))
            told = [self("found_sure", level=written, **holes)]
        elif id == "certain":
            told = [self("found_certain", **holes)]
        else:
            told = [self("found_other", id=id, **holes)]
        if (most := bound["tolerated"]) is not None:
            told.append(
                self("allowed", most=self._amount(most, bound["unit"])) if most else self("allowed_none")
            )
        if bound["before"]:
            told.append(self("was", before=self._amount(bound["before"], bound["unit"])))
        return " ".join(told)

    def _amount(self, value: float, unit: str | None) -> str:
        return self.percent(value) if unit == "%" else f"{self.number(value)} {unit or ''}".rstrip()

    def question(self, bound: Mapping[str, Any], qi: Iterable[str]) -> str:
        """What an attack asks, as a person would."""
        key = f"ask_{bound['attack']}"
        return self(
            key if key in texts() else "ask_other", qi=self.names(qi), attack=bound["attack"],
            releases=self.names(bound["releases"]), sensitive=bound["sensitive"] or "–",
        )  # fmt: skip

    def open(self, id: str) -> str:
        """What is not known, by its name."""
        key = f"open_{id}"
        return self(key if key in texts() else "open_other", id=id)
