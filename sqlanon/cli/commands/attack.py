"""sqlanon attack"""

from collections.abc import Mapping
from typing import Any

from sqlanon.attack.known import INTERSECTION
from sqlanon.cli.all_attacks import ALL, run_all
from sqlanon.cli.app import Topic
from sqlanon.cli.attack_kinds import find, run
from sqlanon.cli.options import Given
from sqlanon.core.errors import UseError
from sqlanon.core.files import Session, check_inputs, column_names
from sqlanon.core.plugins import ensure_plugged
from sqlanon.core.printing import show
from sqlanon.core.source import lower
from sqlanon.core.statements import call
from sqlanon.policies import schema
from sqlanon.policies.parsing import Options
from sqlanon.policies.policy import Policy
from sqlanon.policies.policy import read as read_policy

app = Topic()


@app.declare(
    "[input] roles.qi roles.unit roles.weight [hierarchies]",
    "releases kind targets? id? attacked truth controls settings presence nearest exact_cover formats",
    "tolerated_measures max_targets unknown negations priors priors_by unchanged values_may_change",
    "distinct_spellings missing_counts",
    "summary policy_file format sql",
)
def attack(given: Given) -> None:
    """Attack releases: what they tell, alone and together, about the people who are in them.

    Without --kind by intersection (Ganta, Kasiviswanathan and Smith, KDD 2008). Prints a row per target and
    sensitive column: prior and posterior (the values that are possible after the best single release, and
    after all of them) and the candidates themselves with their probabilities. With --summary, prints a row
    per measure over all targets instead: of how many an adversary is at least 90, 95 and 99 % sure, next to
    what guessing would reach, and the paper's measures. (A table has five of them, behind the answer in
    words.)

    'sqlanon attacks' lists the other kinds. They print a row per person, class or row of a release: what is
    learned, how sure that is, and how sure a guess is without the attack. With --kind all, every attack that
    applies is made: a row for each and its releases, with the shares in percent that are certain, at least
    90 % sure and expected to be right, or the reason why it does not apply or has failed; with --summary, a
    row per measure.

    With several releases, name in --qi the quasi-identifiers of all: one that a release lacks is read as *
    there, which may be anything. Values of people are assumed not to change between releases; name columns
    whose values may change in --values-may-change. If nobody is located in the releases, or one of all
    attacks fails, the exit code is 3: that is not an all-clear.

    --policy says what the columns are, what labels stand for and which values may change, and, with --kind
    all, what is tolerated. Its unit is --id, if the targets have it.
    """
    if given.priors_by and given.priors is None:
        raise UseError("--priors-by is for --priors: give both")
    check_inputs(*given.releases, given.targets, given.negations, given.priors)
    kind = given.kind.replace("-", "_").lower()
    by_policy: Options = {}
    if given.policy_file is not None:
        policy = read_policy(given.policy_file, given.options, INTERSECTION)
        by_policy = _of_policy(policy, given)
        if kind in (INTERSECTION, ALL):
            changing = [name for name in policy.values_may_change if name.lower() not in lower(policy.gone)]
            given = given.but(values_may_change=given.values_may_change or changing or None)
            given = given.but(id=given.id or by_policy["roles"].get("unit"))
        if kind == ALL:
            fields = {"attacked": policy.roles.get("sensitive"), **by_policy.get("requirements", {})}
            by_policy = {name: keys for name, keys in by_policy.items() if name != "requirements"}
            fields |= {name: each for name, each in given.of("attacked").items() if each}
            given = given.but(options={**given.options, **by_policy}, **fields)
            own = [line.partition("=")[0] for line in given.tolerated_measures or ()]
            said = [f"{name}={most!r}" for name, most in policy.tolerated.items() if name not in own]
            given = given.but(tolerated_measures=[*said, *(given.tolerated_measures or ())])
    if kind == ALL:
        run_all(given)
        return
    _refuse("is for --kind all", given.of("tolerated_measures max_targets"))
    if kind == INTERSECTION:
        _refuse(f"is not for {INTERSECTION}", given.of("settings"))
    run(given, by_policy)


def _of_policy(policy: Policy, given: Given) -> Options:
    """What a policy and options say of columns and labels, as options would. The unit of a policy is a column
    of the original: it is one of the targets only if they have it."""
    roles: dict[str, Any] = {"qi": policy.roles["qi"], "sensitive": policy.roles.get("sensitive", [])}
    roles |= {} if policy.weight is None else {"weight": policy.weight}
    unit = policy.unit
    if unit is not None and not given.roles.get("unit"):
        with Session() as session:
            has_unit = given.targets and unit.lower() in lower(
                column_names(session.con, session.read(given.targets, policy.raw()))
            )
        unit = unit if has_unit else None
    roles |= {} if unit is None else {"unit": unit}
    form = {name: getattr(policy, name) for name in schema.INPUT}
    of_input = {name: each for name, each in form.items() if each}
    requirements = {"distinct_spellings": policy.distinct_spellings, "missing_counts": policy.missing_counts}
    sections = {
        "roles": roles, "hierarchies": policy.hierarchies, "input": of_input,
        "requirements": {name: each for name, each in requirements.items() if each},
    }  # fmt: skip
    return {section: keys for section, keys in sections.items() if keys}


def _refuse(why: str, options: Mapping[str, Any]) -> None:
    """Errors: UseError for an option that is given and of no use."""
    for name, value in options.items():
        if value:
            raise UseError(f"--{name.replace('_', '-')} {why}")


@app.declare("explained format -limits.memory -limits.spill")
def attacks(given: Given) -> None:
    """List the attacks, a row each, or explain one of them: what it takes, and what it tells.

    'sqlanon attack --kind NAME' runs one. Its parameters that have no option of their own are given as
    --set NAME=VALUE.
    """
    with Session() as session:
        ensure_plugged(session.con)
        if given.explained is None:
            query = call("attacks")
        else:
            query = call("help", find(session, given.explained).name)
        show(session.con, session.answer(query), given.format)
