"""What a policy may tolerate, for those who have not said it: three levels by who gets the release.

A level bounds every attack that applies. The numbers are a beginning: those of a policy take their place.
"""

from __future__ import annotations

from sqlanon.core.comments import parameters

# Each with the reason of its numbers.
LEVELS = {
    "public": "anybody may have it, for ever: next to nobody may be found",
    "contract": "known recipients, who have signed not to look for people, and can be held to it",
    "inside": "your own staff, bound to secrecy, in your own rooms: against what they come across",
}

# By attack: the measure, the bound at each level (in percent of the people or of the rows), and what it says.
# 100 is of attacks that suppose what hardly anybody knows: such a bound is stated, as silence is no consent.
BOUNDS = {
    "intersection_attack": (
        "sure_90",
        (1, 5, 10),
        "of so many percent of the people at most somebody may be 90 % sure what they have",
    ),
    "exact_cover": ("certain", (1, 5, 10), "... be certain, by somebody who knows everybody in the releases"),
    "homogeneity": (
        "certain",
        (0, 1, 5),
        "so many percent of the rows at most may be in a class that has one sensitive value",
    ),
    "linking": ("certain", (0, 1, 5), "so many percent of the people at most may be told to be one row"),
    "complementary_release": (
        "certain",
        (5, 10, 20),
        "so many percent of the rows at most may be joined with a row of another release",
    ),
    "correspondence": ("certain", (1, 5, 10), "... may be told apart by what has come since"),
    "insert_only": ("certain", (1, 5, 10), "... may be known because only they have come since"),
    "unsorted_matching": (
        "certain",
        (1, 5, 10),
        "... may be matched with a row of another release by their place",
    ),
    "background_knowledge": ("certain", (100,) * 3, "knowing what others do not have"),
    "skyline": ("certain", (100,) * 3, "knowing others of the class"),
    "downcoding": ("certain", (100,) * 3, "values finer than they were released"),
    "forecast": ("certain", (100,) * 3, "one more release, which is still to come"),
}


def _applying(unit: str | None) -> list[str]:
    """The attacks that apply; where people may have several rows (unit), without those that look people up
    and do not take it."""
    return [
        attack for attack in BOUNDS
        if unit is None or "targets" not in parameters(attack) or "unit" in parameters(attack)
    ]  # fmt: skip


def bounds_of(level: str, unit: str | None) -> dict[str, float]:
    """What a level tolerates, by attack.measure. unit: the column that says whose a row is."""
    at = [*LEVELS].index(level)
    return {f"{attack}.{BOUNDS[attack][0]}": BOUNDS[attack][1][at] for attack in _applying(unit)}


def proposal(unit: str | None, level: str = "public") -> str:
    """The lines of a policy that say what attacks may find, by a level, and what that means."""
    at = [*LEVELS].index(level)
    others = "; ".join(f'"{name}": {why}' for name, why in LEVELS.items() if name != level)
    text = ["[tolerated]", f'level = "{level}"  # {LEVELS[level]}', f"# or {others}.",
            "# It bounds these; a line without its # takes the place of one:"]  # fmt: skip
    unbounded = []
    for attack in _applying(unit):
        measure, numbers, about = BOUNDS[attack]
        if numbers[at] < 100:
            text.append(f"# {f'{attack}.{measure} = {numbers[at]}':<36} # {about}")
        else:
            unbounded.append(f"{attack} ({about})")
    return "\n".join([*text, f"# No bound has: {', '.join(unbounded)}."])
