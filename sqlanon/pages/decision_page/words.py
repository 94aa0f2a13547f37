"""The words of the decision page, by language: texts.toml has its own, judged.toml what the judge says."""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlanon.core.errors import values_are_shown
from sqlanon.core.toml import shown

_MARKS = {"en": (",", "."), "de": (".", ","), "fr": ("\N{NARROW NO-BREAK SPACE}", ",")}  # thousands, decimals
_NUMBER = re.compile(r"\d{1,3}(,\d{3})*(\.\d+)?|\d+(\.\d+)?")
_OR = r"; or (?:else )?|, or (?=accept it|say |if there )"
_JOINED = re.compile(rf"({_OR}|; )")
_LEVEL = re.compile(r"(sure|pvp)_(\d[\d_]*)")
_MISSING = re.compile(r"(?<=[\[{( ])–(?=[,\]})])")
_DAYS = {"en": "{}-{}-{}", "de": "{2}.{1}.{0}", "fr": "{2}/{1}/{0}"}
_DOTS = "\N{HORIZONTAL ELLIPSIS}"


@functools.cache
def texts() -> Mapping[str, Mapping[str, str]]:
    """The texts, by their keys and languages."""
    files = (Path(__file__).with_name(name).read_text("utf-8") for name in ("texts.toml", "judged.toml"))
    return {key: text for file in files for key, text in tomllib.loads(file).items()}


@functools.cache
def _patterns() -> Mapping[str, re.Pattern[str]]:
    """What the judge and macros say in English, by keys of the same text in other languages; what has others
    of them in it comes first, then what says more."""
    said = {key: text["en"] for key, text in texts().items() if key.startswith("reason_")}
    english = {
        key: re.escape(said[key])
        for key in sorted(
            said, key=lambda key: ("{say_" not in said[key], -len(re.sub(r"\{\w+\}", "", said[key])))
        )
    }
    holes = re.compile(r"\\\{(\w+)\\\}")
    filled = rf"(?P<\1>(?:(?!{_OR}).)+?)"
    return {key: re.compile(holes.sub(filled, text), re.DOTALL) for key, text in english.items()}


def without_values(text: str) -> str | None:
    """What the judge says, with dots for values of the table (holes that begin with value_); None where no
    text says it, so that nobody knows what of it is a value."""
    said = Words("en", hides_values=True)._said_in_parts(text)
    return None if said is None else "".join(said)


def as_shown(text: str) -> str | None:
    """What the judge says, without values unless they are to be shown."""
    return text if values_are_shown() else without_values(text)


@dataclass(frozen=True)
class Words:
    """Sentences in a language. Holes are filled with texts, which the page escapes."""

    language: str
    hides_values: bool = False

    def __call__(self, key: str, /, **holes: Any) -> str:
        """No line begins with a mark that belongs to what is before it."""
        text = texts()[key][self.language].format(**holes)
        return re.sub(" (?=[%?!:;»])" if self.language == "fr" else " (?=%)", "\N{NO-BREAK SPACE}", text)

    def or_as_it_is(self, key: str, text: str) -> str:
        """The text of a key, or another one where there is none."""
        return self(key) if key in texts() else text

    def reason(self, text: str) -> str:
        """Why there is no release, in the language of the page where texts has it."""
        said = self._said(text)
        return self("why_judge_says", reason=text) if said is None else self("why_judge_says_so", reason=said)

    def wording(self, text: str | None) -> str:
        """What the judge says, sentence by sentence; in English where one of them has no other language.
        None: it is not shown."""
        if text is None:
            return self("wording_hidden")
        said = [text] if self.language == "en" else self._said_in_parts(text)
        return self("details_english", text=text) if said is None else " ".join(said[::2])

    def ways(self, text: str) -> str:
        """What would help, by the judge: ways of which one is enough."""
        if self.language == "en":
            return self("details_ways", ways=text)
        if (said := self._said_in_parts(text)) is None:
            return self("details_english", text=text)
        return self("details_ways", ways=self("or").join(said[::2]))

    def _said(self, text: str) -> str | None:
        """A text of the judge in the language of the page; None where texts has none."""
        if self.language == "en" and not self.hides_values:
            return text
        for key, pattern in _patterns().items():
            if found := pattern.fullmatch(text):
                holes = {name: self._filled(name, value) for name, value in found.groupdict().items()}
                if None not in holes.values():
                    return self(key, **holes)
        return None

    def _filled(self, name: str, value: str) -> str | None:
        """What fills a hole: another text, a number, or the value as it is."""
        if name.startswith("say_"):
            return self._said(value)
        if self.hides_values:
            return _DOTS if name.startswith("value_") else value
        if name == "model":
            return self.or_as_it_is(f"model_{value}", value)
        if name == "parameters":
            return ", ".join(self.or_as_it_is(f"lacks_{each}", each) for each in value.split(", "))
        if name == "option":
            return value.replace('"why"', f'"{self("why_of_option")}"')
        return self.number(float(value.replace(",", ""))) if _NUMBER.fullmatch(value) else value

    def _said_in_parts(self, text: str) -> list[str] | None:
        """A text made of several, said in parts as long as possible, with what joins them in between."""
        parts = _JOINED.split(text)
        for end in range(len(parts), 0, -2):
            said, rest = self._said("".join(parts[:end])), parts[end + 1 :]
            if said is not None:
                others = self._said_in_parts("".join(rest)) if rest else []
                if others is not None:
                    return [said, *parts[end : end + 1], *others]
        return None

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
        return self.marked(f"{value:,.0f}" if float(value).is_integer() else f"{value:,.4g}")

    def marked(self, written: str) -> str:
        """A number in English with the marks of the language."""
        thousands, decimal = _MARKS[self.language]
        return written.translate({ord(","): thousands, ord("."): decimal})

    def day(self, at: str) -> str:
        """A day as it is written in the language, of a text that begins with it: 2026-01-31."""
        return _DAYS[self.language].format(*at[:10].split("-"))

    def percent(self, value: float) -> str:
        """Neither 0 nor 100 is said of what is not."""
        if 0 < value < 0.1:
            return f"< {self.number(0.1)} %"
        if 99.9 < value < 100:
            return f"> {self.number(99.9)} %"
        return f"{self.number(round(float(value), 1))} %"

    def label(self, label: str) -> str:
        """A label, with a word for a value that is missing in a range or a set: {missing, A}."""
        return _MISSING.sub(self("missing_value"), label)

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
            sentences = [self("found_single", **holes)]
        elif level and level[1] == "sure":
            written = self.number(float(level[2].replace("_", ".")))
            sentences = [self("found_sure", level=written, **holes)]
        elif id == "certain":
            sentences = [self("found_certain", **holes)]
        else:
            sentences = [self("found_other", id=id, **holes)]
        unit = "%" if bound["value"] is None else bound["unit"]  # what was not measured has none
        if (most := bound["tolerated"]) is not None and (unit != "%" or most < 100):
            sentences.append(self("allowed", most=self._amount(most, unit)) if most else self("allowed_none"))
        if bound["before"]:
            sentences.append(self("was", before=self._amount(bound["before"], bound["unit"])))
        return " ".join(sentences)

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
