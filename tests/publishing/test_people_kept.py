"""What a register keeps about people from night to night, and what it leaves where nothing has gone out."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import duckdb
import pytest

import sqlanon
from sqlanon.core.errors import UseError
from sqlanon.publishing import gate
from sqlanon.publishing import register as registers
from sqlanon.publishing.acceptances import acceptance
from tests.judge.nights import ATTACK, CERTAIN, FAILS, HOLDS, NOT_KNOWN, Nights, Row

# Ann and Bob swap homes: {flu, gout} and {flu, hiv} leave them flu.
MONDAY: list[Row] = [
    {"name": name, "zip": zip, "disease": disease}
    for name, zip, disease in (("Ann", 1, "flu"), ("Cid", 1, "gout"), ("Bob", 2, "flu"), ("Dan", 2, "hiv"))
]
MOVED = {"Ann": 2, "Bob": 1}
TUESDAY: list[Row] = [{**row, "zip": MOVED.get(str(row["name"]), row["zip"])} for row in MONDAY]
ACCEPTED = {"evidence.moved": "they know", "evidence.leavers": "they know"}


@pytest.fixture
def nights(con: duckdb.DuckDBPyConnection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Nights:
    """A register that keeps people, and is in the clear: to encrypt it takes an extension of DuckDB."""
    monkeypatch.setenv("SQLANON_KEY", "0123456789abcdef")
    monkeypatch.setattr(gate, "REGISTER_KEY", "SQLANON_KEY")
    return Nights(con, tmp_path, attacks=[ATTACK])


def rules(who: str = 'identifier = ["name"]', *, keep: bool = False, most: float = 0) -> str:
    """Zip and disease leave as they are."""
    kept = "[judge]\nkeep_people = true\n" if keep else ""
    return (
        f'[roles]\n{who}\nqi = ["zip"]\nsensitive = ["disease"]\n[method]\nname = "generalize"\n'
        f"levels = {{zip = 0}}\n[requirements]\nk = 2\n{kept}[tolerated]\n{CERTAIN} = {most}\n"
    )


def people_of(made: Sequence[Row], id: str) -> list[int | None]:
    """Of how many people something is not known."""
    return [row["people"] for row in made if (row["attack"], row["id"]) == ("evidence", id)]


@pytest.mark.slow("5 s")
def test_movers_are_counted_and_accepted(nights: Nights) -> None:
    """Of whom it was not kept where they were; audit says the same by either table."""
    assert nights.publish("monday", MONDAY, rules()).verdict == HOLDS
    made = nights.publish("tuesday", TUESDAY, rules())
    assert (made.verdict, people_of(made.rows, "moved")) == (NOT_KNOWN, [2])
    assert nights.publish("tuesday", TUESDAY, rules(), accept=ACCEPTED).verdict == HOLDS
    nights.con.execute(f"attach '{nights.register}' as r").fetchall()
    nights.con.execute("delete from r.acceptances").fetchall()
    nights.con.execute("detach r").fetchall()
    for rows in (MONDAY, TUESDAY):
        made = nights.audit(rows)
        assert (made.verdict, people_of(made.rows, "moved")) == (NOT_KNOWN, [2])


def test_an_acceptance_ends(nights: Nights, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has a name and a last day; from then on an audit asks anew."""
    assert nights.publish("monday", MONDAY, rules()).verdict == HOLDS
    last = registers.now().date()
    whose: dict[str, Any] = {"accepted_by": "Ada Muster", "accepted_until": last}
    assert nights.publish("tuesday", TUESDAY, rules(), accept=ACCEPTED, **whose).verdict == HOLDS
    made = nights.audit(TUESDAY)
    assert made.verdict == HOLDS
    whose_word = f" is accepted by Ada Muster on {last} until {last}: "
    assert any(each.startswith("evidence.moved (monday)" + whose_word) for each in made.remarks), made.remarks
    tomorrow = registers.now() + timedelta(days=1)
    monkeypatch.setattr(registers, "now", lambda: tomorrow)
    made = nights.audit(TUESDAY)
    assert (made.verdict, people_of(made.rows, "moved")) == (NOT_KNOWN, [2])
    over = f"evidence.moved was accepted by Ada Muster until {last}: that is over"
    assert made.remarks.count(over) == 1


@pytest.mark.parametrize(
    ("by", "until", "reasons", "says"),
    [
        (None, "30.6.2027", ACCEPTED, "must be a day such as 2027-06-30"),
        (None, "2020-01-01", ACCEPTED, "is over already"),
        (" ", None, ACCEPTED, "accepted_by is empty"),
        ("Ada", None, {}, "nothing is accepted that accepted_by"),
        (None, None, {"evidence.moved": " "}, "say why evidence.moved is accepted"),
    ],
)
def test_what_is_no_acceptance(by: str | None, until: str | None, reasons: dict[str, str], says: str) -> None:
    with pytest.raises(UseError, match=says):
        acceptance(by, until, reasons)


@pytest.mark.slow("7 nights a case; with a unit: judge/test_movers.py")
@pytest.mark.parametrize("who", ['identifier = ["name"]', 'unit = "name"'])
def test_movers_are_found(nights: Nights, who: str) -> None:
    """Where a policy keeps people, on both nights; also those who left after they had moved."""
    assert nights.publish("monday", MONDAY, rules(who, keep=True)).verdict == HOLDS
    made = nights.publish("tuesday", TUESDAY, rules(who, keep=True))
    assert (made.verdict, made.people()) == (FAILS, 2)
    tolerant = rules(who, keep=True, most=100)
    assert nights.publish("tuesday", TUESDAY, tolerant).verdict == HOLDS
    without_ann = [row for row in TUESDAY if row["name"] != "Ann"]
    for rows in (MONDAY, TUESDAY, without_ann):
        made = nights.audit(rows, rules(who, keep=True))
        assert (made.verdict, made.people()) == (FAILS, 2)


def test_a_table_that_lacks_a_column_of_then(nights: Nights) -> None:
    """Whom the register keeps is found by who they are, and by what they had then, also in that column."""
    both = (
        rules(keep=True, most=100).replace('["zip"]', '["zip", "sex"]').replace("zip = 0", "zip = 0, sex = 0")
    )
    assert nights.publish("monday", [{**row, "sex": "f"} for row in MONDAY], both).verdict == HOLDS
    made = nights.publish("tuesday", TUESDAY, rules(keep=True))
    assert (made.verdict, made.people()) == (FAILS, 2)
    assert [*people_of(made.rows, "moved"), *people_of(made.rows, "quasi_identifiers")] == []


@pytest.mark.slow("4 s")
def test_who_cannot_be_told_from_others_is_not_seen(nights: Nights) -> None:
    """Without unit and identifier that is said; and so is who has another disease, with one."""
    other = {"Ann": "gout", "Cid": "flu"}
    changed = [{**row, "disease": other.get(str(row["name"]), row["disease"])} for row in MONDAY]
    assert nights.publish("monday", MONDAY, rules()).verdict == HOLDS
    made = nights.publish("tuesday", changed, rules(""))
    assert (made.verdict, "not seen: the policy has no unit and no identifier" in made.text) == (HOLDS, True)
    made = nights.publish("wednesday", changed, rules(), accept=ACCEPTED)
    assert "2 people have another value of disease today than when monday went out" in made.text


@pytest.mark.slow("4 s")
def test_a_sensitive_column_that_is_gone_hides_no_mover(nights: Nights) -> None:
    """Tuesday's table does not have it, and needs it not to tell who has moved."""
    monday = [{**row, "ward": "w"} for row in MONDAY]
    both = rules(most=100).replace('["disease"]', '["disease", "ward"]')
    assert nights.publish("monday", monday, both).verdict == HOLDS
    for rows, moved in ((MONDAY, []), (TUESDAY, [2])):
        assert people_of(nights.publish("tuesday", rows, rules(), dry_run=True).rows, "moved") == moved


def test_forgotten_people_are_kept_nowhere(nights: Nights) -> None:
    assert nights.publish("monday", MONDAY, rules(keep=True)).verdict == HOLDS
    nights.load("gone", [{"name": "ann "}, {"name": "Nobody"}])
    assert sqlanon.forget_people(nights.con, "gone", register=nights.register) == 1
    with duckdb.connect(nights.register) as register:
        for kept in ("asked", "people"):
            assert register.execute(f"select count(*) from {kept}").fetchall() == [(3,)]


@pytest.mark.slow("4 s")
def test_nothing_is_left_of_a_register_in_which_nothing_was_entered(nights: Nights) -> None:
    certain = [{**row, "disease": "flu"} for row in MONDAY]
    assert nights.publish("monday", certain, rules()).verdict == FAILS
    assert sorted(file.name for file in nights.folder.iterdir()) == ["monday.toml"]
    assert nights.publish("monday", MONDAY, rules()).verdict == HOLDS
    assert nights.publish("tuesday", certain, rules()).verdict != HOLDS
    assert nights.out() == ["monday"]


@pytest.mark.slow("7 s")
def test_an_older_copy_of_a_register_is_told_of_what_lies_beside_it(
    nights: Nights, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert nights.publish("monday", MONDAY, rules()).verdict == HOLDS
    shutil.copy(nights.register, nights.folder / "copy.duckdb")
    assert nights.publish("tuesday", MONDAY, rules()).verdict == HOLDS
    shutil.copy(nights.folder / "copy.duckdb", nights.register)
    (nights.folder / "notes.csv").write_text("a,b\n1,2\n", "utf-8")
    shutil.copy(nights.file("monday"), nights.file("monday_again"))
    for made in (nights.publish("wednesday", MONDAY, rules()), nights.audit(MONDAY)):
        [told] = [remark for remark in made.remarks if "beside the releases" in remark]
        assert told.startswith(f"{nights.file('tuesday')}: beside")
    monkeypatch.chdir(nights.folder)  # a path within it is shown from there
    assert any(
        remark.startswith(f"{nights.file('tuesday').name}: ") for remark in nights.audit(MONDAY).remarks
    )
