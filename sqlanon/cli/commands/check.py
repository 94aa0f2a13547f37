"""sqlanon check"""

from typing import Any

import typer
from sqlglot import exp

from sqlanon.cli import steps, whose_rows
from sqlanon.cli.app import FAILS, Topic
from sqlanon.cli.decision import check_decision, seen_of_check, write_check
from sqlanon.cli.options import Given, Suppressed
from sqlanon.core.errors import UseError
from sqlanon.core.files import Session, check_inputs, column_names
from sqlanon.core.printing import show
from sqlanon.core.remarks import remark
from sqlanon.core.statements import call, execute, select
from sqlanon.judge.leaving import Leaving, leaving
from sqlanon.measure.practice import (
    Finding,
    average_risk,
    of_average,
    of_harbor,
    of_risks,
    risks_of,
    sample_in_words,
)
from sqlanon.policies.parsing import SETTINGS
from sqlanon.policies.people import read_people
from sqlanon.policies.policy import Policy
from sqlanon.policies.policy import read as read_policy

app = Topic()


@app.declare(
    "[input] roles.qi roles.sensitive roles.unit roles.weight roles.sampling_weight roles.household",
    "[hierarchies] [requirements]",
    "checked reference known known_presence suppressed released policy_file decision_page language format "
    "sql",
)
def check(given: Given) -> None:
    """Check a table: which privacy it reaches, or which classes violate a requirement.

    Without requirements, prints a row per privacy model with the value of the worst class. With requirements,
    prints the classes that violate them, and exits with 1 if there are any.

    With --policy, the table is checked as a release by this policy. The exit code is also 1 if the table has
    a column that the policy does not release, or a column that names people and is not in [direct].

    If the policy requires composed_l, give the known releases by --known. Without them the verdict is "not
    known".

    A release that lacks the policy's unit does not say which rows belong to one person. With --reference (the
    source of the release), people are located in the release by their rows there, and counted. Without it, or
    if it leaves that open, the verdict is "not known", with exit code 1.

    With --policy and --page, also writes the decision page. check makes no attacks, so this page says no or
    not yet, and never yes. (pip install 'sqlanon[report]')

    For a sample (--sampling-weight, --household), also prints the global risk.

    If the policy has [tables], it is about several tables of the same people, which are judged together: the
    files that it names, or those with the names of its tables in the folder INPUT.
    """
    reference, policy_file = given.reference, given.policy_file
    check_decision(given)
    if given.decision_page is not None and policy_file is None:
        raise UseError("--page needs --policy FILE: it says what may be published")
    if policy_file is not None and (rules := read_people(policy_file, given.options)) is not None:
        if given.decision_page is not None:
            raise UseError("--page is for one table; this policy is about several ([tables])")
        from sqlanon.cli import several_tables  # which is slow to import

        several_tables.check(given, rules)
        return
    if (input := given.checked) is None:
        raise UseError("Missing argument 'INPUT'.")
    policy = read_policy(policy_file, given.options, "violations")
    required = policy.requirements.keys() - SETTINGS
    if not required:
        policy = read_policy(policy_file, given.options, "privacy")
    unasked = None
    if policy_file is not None and not given.known and "composed_l" in policy.requirements:
        unasked, policy = policy.requirements["composed_l"], whose_rows.without_known(policy)
    if given.sql:
        policy.check_for_statement()
    check_inputs(input, reference, *(given.known or []))
    not_released: list[str] = []
    naming: list[Leaving] = []
    located: whose_rows.Located | None = None
    holds: bool | None
    seen: dict[str, Any] = {}
    with Session(small=True) as session:
        of_original = policy
        if policy_file is not None:
            columns = column_names(session.con, session.read(input))
            not_released, policy = policy.not_released(columns), policy.of_release(columns)
        source = None if reference is None else session.read(reference, of_original.columns())
        further: dict[str, Any] = {"reference": source, "released": given.released}
        if given.known:
            further["known"] = steps.read_known(session, policy, given.known)
        if given.known_presence:
            further["presence"] = given.known_presence
        if given.suppressed is not Suppressed.value:
            further["suppressed"] = given.suppressed
        lacks_unit = of_original.unit is not None and policy.unit is None
        if lacks_unit and reference is not None:
            release, _ = steps.read(session, policy, input)
            located = whose_rows.locate(session, of_original, release, reference, given.sql)
            if located is None:
                return
        if located is not None and located.with_unit is not None:
            lacks_unit = False
            table: exp.Table | None = steps.answer_of(
                session, of_original, located.with_unit, hierarchies=located.hierarchies, **further
            )
        else:
            if lacks_unit and required:
                policy = whose_rows.by_rows(policy)
                further = {
                    name: value for name, value in further.items() if name not in ("known", "presence")
                }
            table = steps.answer(session, policy, input, given.sql, is_raw=policy_file is None, **further)
        if table is None:
            return
        classes = rows = 0
        if required:
            violating = select(table, "class", "size").distinct().subquery()
            [(classes, rows)] = execute(session.con, select(violating, "count(*)", "sum(size)"))
        open_to_people = lacks_unit and bool(required) and not classes
        if open_to_people:
            holds = whose_rows.judge_located(session, of_original, located, input, reference, given.format)
        else:
            holds = not classes
            counted = "people" if policy.unit is not None and not lacks_unit else "rows"
            words = None if required else call("_privacy_in_words", table.name, counted)
            show(session.con, table, given.format, words=words)
        if lacks_unit and not required:
            remark(f"{input}: rows are counted: {whose_rows.why_not_known(of_original, input, reference)}")
        if of_original.unit is None:
            steps.tell_of_units(session, policy, input)
            steps.tell_of_weights(session, policy, input)
        steps.tell_of_counts_in(session, policy, input)
        steps.tell_of_spellings_in(session, policy, input)
        if given.suppressed is Suppressed.value and of_original.unit is None:
            steps.tell_of_hidden_rows(session, policy, input)
        whose_of_rules: tuple[str, str | None] | None = (session.read(input, policy.columns()), policy.unit)
        if lacks_unit:
            whose_of_rules = None
        elif located is not None and located.with_unit is not None:
            whose_of_rules = (located.with_unit, of_original.unit)
        by_rules = _of_rules(session, policy, input, whose_of_rules)
        of_sample = sample_in_words(
            session.con, session.read(input, policy.columns()), qi=policy.roles["qi"],
            sampling_weight=policy.sampling_weight, household=policy.household,
        )  # fmt: skip
        if policy_file is not None:
            of_people = policy if source is None else of_original  # whose unit the original has
            found = leaving(session.con, session.read(input, policy.columns()), of_people, source)
            naming = [each for each in found if not each.holds and each.column not in not_released]
            if given.decision_page is not None:
                seen = seen_of_check(session, policy, input, found, source)
    if not_released:
        remark(f"{input}: {policy_file} does not release {', '.join(not_released)}")
    requirements = whose_rows.spelled(policy.requirements)
    whose = f" (people are those of {reference})" if located is not None and not lacks_unit else ""
    if classes:
        remark(
            f"{input}: {requirements} does not hold{whose}: {classes:,} classes with {rows:,} rows violate it"
        )
    steps.tell_of_columns(naming)
    if holds and required and not open_to_people and not not_released and not naming:
        remark(f"{input}: {requirements} holds{whose}")
    for each in by_rules:
        remark(f"{input}: {each.text}{' holds' if each.holds else ''}")
    if of_sample is not None:
        remark(f"{input}: {of_sample}")
    if policy.profile is not None:
        remark(policy.profile.reservation)
    if unasked is not None:
        missing = "--known and --reference say what is out, and of whom"
        remark(f"{input}: composed_l = {unasked} is not known: {missing}")
    broken = not all(each.holds for each in by_rules)
    if given.decision_page is not None:
        undone = [] if unasked is None else [f"composed_l = {unasked}"]
        write_check(
            given, seen, of_original, violating=(classes, rows or 0), holds=holds if required else True,
            not_released=not_released, naming=[each.column for each in naming],
            broken=[each.text for each in by_rules if each.holds is False],
            unknown=[*(each.text for each in by_rules if each.holds is None), *undone],
        )  # fmt: skip
    if not holds or not_released or naming or broken or unasked is not None:
        raise typer.Exit(FAILS)


def _of_rules(
    session: Session, policy: Policy, input: str, whose: tuple[str, str | None] | None
) -> list[Finding]:
    """What is required of the release as a whole. policy: as it is about the release. whose: a table of its
    rows and the column that names people there, if there is one; None: nobody knows whose rows are."""
    rules, findings = policy.rules, list[Finding]()
    if (most := rules.average_risk) is not None and whose is None:
        findings.append(Finding(None, f"average_risk = {most:g} is not known: people may have several rows"))
    elif most is not None and whose is not None:
        release, unit = whose
        reached = average_risk(session.con, release, policy.roles["qi"], unit)
        findings.append(of_average(most, reached, policy.requirements.get("k")))
    if rules.risks:
        qi = policy.roles["qi"]
        measured = {} if whose is None else risks_of(session.con, whose[0], qi, whose[1], rules)
        findings += of_risks(rules, measured, None if whose else "people may have several rows")
    if rules.safe_harbor:
        findings += of_harbor(session.con, session.read(input, policy.columns()), rules.populations)
    return findings
