"""What a report says, as small tables, each with the statement that gives it.

A statement here is what a user can paste into any DuckDB client that has read `sqlanon.sql`. What is run
gives the same rows, but makes the attack once, in a temporary table, for everything that the page shows of
it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

import duckdb
from sqlglot import exp, parse_one

from sqlanon.attack.all_attacks import (
    LEVELS,
    SUMMARY,
    SURE,
    Outcome,
    Run,
    Unread,
    check_tolerated,
    free_name,
    judged,
    located_once,
    outcomes_of,
    people_attacked,
    runs,
    with_all_there_is,
    with_levels,
)
from sqlanon.attack.known import INTERSECTION, Known, attack_query
from sqlanon.attack.possible_values import register_possible_values
from sqlanon.core.errors import InputError, UseError
from sqlanon.core.files import after, column_names
from sqlanon.core.models import about_known, having, verdict_of
from sqlanon.core.plugins import ensure_plugged, plug_ins
from sqlanon.core.requirements import complete
from sqlanon.core.source import lower, names
from sqlanon.core.statements import call, execute, literal, relation, render, select
from sqlanon.core.suggestions import missing_column
from sqlanon.core.tables import WorkTables
from sqlanon.judge.evidence import Doubt, Evidence, Released, Subjects
from sqlanon.judge.verdicts import said_of
from sqlanon.measure.plugged import with_others
from sqlanon.measure.practice import Rules
from sqlanon.pages.page import Table
from sqlanon.pages.questions import Questions
from sqlanon.policies.profiles import Profile

# In percent, how sure somebody is of a value: for the curve.
CURVED = (1, *range(5, 100, 5), 99, 100)

# What `utility` says of a released value that it cannot read.
STRANGE = "stands for no value of the original"

# What each parameter is of no use without.
NEEDS = (
    ("held_out", "originals"),
    ("targets", "id"),
    ("targets", "sensitive"),
    ("id", "targets"),
    ("truth", "targets"),
    ("nearest", "targets"),
    ("presence", "targets"),
    ("exact_cover", "targets"),
    ("tolerated", "targets"),
    ("controls", "targets"),
    ("unit", "targets"),
    ("unknown", "targets"),
    ("negations", "targets"),
    ("priors", "targets"),
    ("priors_by", "priors"),
    ("unchanged", "targets"),
    ("values_may_change", "targets"),
    ("count_column", "deviation_column"),
    ("deviation_column", "count_column"),
)

# Requirements that one release alone neither keeps nor breaks: they are about releases that are out already.
UNJUDGED = (*about_known(), "bcf_k")
# What is said of other requirements.
QUALIFIERS = [setting.id for setting in having("setting")]
# As people call requirements that are no models.
TITLES = {"composed_confidence": "composed confidence", "bcf_k": "BCF-anonymity"}

# What is about rows, and of no use for counts with noise.
OF_ROWS = (
    "weight", "sampling_weight", "household", "population", "unit", "nearest", "presence", "exact_cover",
    "tolerated",
    "unknown", "formats", "negations", "priors",
)  # fmt: skip


def level_id(level: float) -> str:
    """The id of the measure that tells of how many people somebody is so sure, in percent."""
    return "sure_" + f"{level:.15g}".replace(".", "_")


@dataclass(frozen=True)
class Request(Known):
    """What a report is about, beside what an adversary knows. Tables are names for query_table.

    originals: none, one for all releases, or one per release. held_out: people who are in none. people: how
    many of the most exposed are listed. tolerated: of how many people, in percent, an adversary may be so
    sure: probability, in percent -> share. requirements: those that are not None. weight is a column of
    originals, too; sampling_weight, household: of releases that are samples. attacks: which of the other
    attacks are made; None: all but those on pairs of releases. tolerated_measures: as in run_attacks.
    count_column, deviation_column: of releases that are counts with noise, as in count_errors. masked,
    direct: columns of releases, as in leaving_columns. absent: how many of the targets are in no release.
    rules: what is required of each release as a whole, by this profile, if any; of_people: may people have
    several rows, and the releases do not say whose a row is? people_by: the column of the originals that
    does; kept: columns that left unchanged, beside the sensitive ones.
    """

    originals: Sequence[str] = ()
    held_out: str | None = None
    exact_cover: bool = False
    population: str | None = None
    people: int = 20
    tolerated: Mapping[float, float] = field(default_factory=dict)
    requirements: Mapping[str, Any] = field(default_factory=dict)
    population_weight: str | None = None
    sampling_weight: str | None = None
    household: str | None = None
    attacks: Sequence[str] | None = None
    tolerated_measures: Mapping[str, float] = field(default_factory=dict)
    count_column: str | None = None
    deviation_column: str | None = None
    masked: Sequence[str] = ()
    direct: Sequence[str] = ()
    absent: int = 0
    rules: Rules = field(default_factory=Rules)
    profile: Profile | None = None
    of_people: bool = False
    people_by: str | None = None
    kept: Sequence[str] = ()

    @property
    def groups(self) -> list[str]:
        """What counts are by."""
        return [*self.qi, *self.sensitive]

    @property
    def bounds(self) -> dict[str, float]:
        """What is tolerated, by attack.measure."""
        sure = {f"{INTERSECTION}.{level_id(level)}": most for level, most in self.tolerated.items()}
        return {**(sure if self.sensitive and self.targets else {}), **self.tolerated_measures}

    @property
    def counted(self) -> dict[str, str]:
        """The columns of counts with noise, as parameters."""
        columns = {"count_column": self.count_column, "deviation_column": self.deviation_column}
        return {name: column for name, column in columns.items() if column}

    def check(self, spelled: Callable[[str], str]) -> None:
        """Does all fit together, whatever the tables hold? spelled: as in Shown. Errors: UseError."""
        if not self.releases:
            raise UseError("releases names no release")
        for parameter, needed in NEEDS:
            value = getattr(self, parameter)
            if (any(value) if parameter == "nearest" else value) and not getattr(self, needed):
                raise UseError(f"{spelled(parameter)} needs {spelled(needed)}")
        for parameter, wanted, of in (
            ("nearest", len(self.releases), "release"),
            ("presence", len(self.releases), "release"),
            ("truth", len(self.sensitive), "sensitive column"),
        ):
            values = getattr(self, parameter)
            if values and len(values) != wanted:
                raise UseError(
                    f"{spelled(parameter)} must say one for each {of}: {wanted}, not {len(values)}"
                )
        if len(self.originals) not in (0, 1, len(self.releases)):
            counts = f"{len(self.releases)} releases, and {len(self.originals)} originals"
            raise UseError(
                f"{spelled('original')} is one for all releases, or one for each: there are {counts}"
            )
        said = {**vars(self), "nearest": any(self.nearest)}
        required = [name for name in self.requirements if name not in QUALIFIERS]
        about_rows = [*required, *(name for name in OF_ROWS if said[name])]
        if self.count_column and (of_rows := next(iter(about_rows), None)):
            raise UseError(f"{spelled(of_rows)} does not go with {spelled('count_column')}: it is about rows")
        if self.people < 0:
            raise UseError(f"{spelled('people')} must be at least 0, not {self.people}")
        for level, share in self.tolerated.items():
            if not (0 < level <= 100 and 0 <= share <= 100):
                raise UseError(
                    f"{spelled('tolerated')} has percentages, a probability above 0 and a share of people, "
                    f"such as 90 and 5: not {level:g} and {share:g}"
                )


@dataclass(frozen=True)
class Shown:
    """How statements read elsewhere. names: what a name here is called there; relations: what they need as
    common table expressions, by name; prelude: what has to be run before them. spelled: how the user writes a
    parameter."""

    names: Mapping[str, str] = field(default_factory=dict)
    relations: Mapping[str, exp.Query] = field(default_factory=dict)
    prelude: Sequence[str] = ()
    spelled: Callable[[str], str] = str


@dataclass(frozen=True)
class ReleaseTables:
    """The tables about one release: `reached` has a row per model, `sizes` one per range of class
    sizes. `utility` may be the reason why there is none. Counts with noise have `counts` in place of the
    first three, and no `leaving`: neither has a table whose rows stand for several people. people: how many
    people the classes are, by the original, one row; is_by_people: `reached` and `risk` count them."""

    reached: Table | None
    sizes: Table | None
    risk: Table | None
    utility: Table | str | None
    unread: Table | None
    leaving: Table | None = None
    counts: Table | None = None
    questions: Table | None = None
    harbor: Table | None = None
    people: Table | None = None
    is_by_people: bool = False


@dataclass(frozen=True)
class AttackTables:
    """What the releases tell together about a sensitive column."""

    measures: Table
    curve: Table
    anonymity: Table
    drops: Table
    exposed: Table
    located: Table


@dataclass(frozen=True)
class OtherAttack:
    """Another attack, with its line of `attacks`: what has come of its runs, each with its measures if it was
    made. settings: the numbers that it was given, or takes by default."""

    attack: str
    description: str
    needs: Sequence[str]
    source: str
    settings: Mapping[str, Any]
    outcomes: Sequence[Outcome]
    measures: Sequence[Table | None]


@dataclass(frozen=True)
class Data:
    """All of it: about each release by what it is called, about each sensitive column by its name, about each
    of the other attacks. verdicts: the measures of attacks of which something is tolerated, and whether that
    holds."""

    request: Request
    releases: Mapping[str, ReleaseTables]
    attacks: Mapping[str, AttackTables]
    others: Sequence[OtherAttack]
    verdicts: Sequence[Mapping[str, Any]]
    prelude: Sequence[str]


# holds: NULL where nothing is required, or what is required is not for one release to keep (UNJUDGED).
REACHED = """
with reached as (select row_number() over () as place, * from measured),
violation as (
    select id, any_value(model) as model, sensitive, count(*) as classes, sum(size) as "rows"
    from violating group by id, sensitive
)
select coalesce(reached.id, violation.id, required.id) as id,
       coalesce(reached.model, violation.model, required.title) as model,
       coalesce(reached.sensitive, violation.sensitive) as sensitive,
       required.required, reached.reached, reached.size,
       coalesce(violation.classes, 0) as violating_classes,
       coalesce(violation."rows", 0) as violating_rows,
       case when required.is_judged then violation.classes is null end as holds
from reached
full join violation
    on reached.id = violation.id and reached.sensitive is not distinct from violation.sensitive
full join required on required.id = coalesce(reached.id, violation.id)
order by required.required is null, reached.place, model, sensitive
"""

# How many people classes are, by the original: least and most of the smallest of them.
PEOPLE = """
select min(coalesce(least, 0)) as least, min(coalesce(most, size)) as most,
       bool_and(is_counted) as is_counted
from counted
"""

# Ranges of equal width from the smallest class on; the last one has all that are larger.
SIZES = """
with bounds as (
    select min(size) as smallest,
           greatest(1, ceil((quantile_disc(size, 0.99) - min(size) + 1) / 24))::bigint as width
    from class
),
placed as (select size, least((size - smallest) // width, 24) as place, smallest, width from class, bounds)
select smallest + place * width as least, max(size) as largest, count(*) as classes, sum(size) as "rows"
from placed
group by smallest, width, place
order by least
"""

# The share of people of whose value somebody is so sure: a row per adversary and probability.
CURVE = """
select case split_part(id, '_', 3)
           when 'release' then 'the best single release'
           when 'marginal' then 'a guess without them'
           else 'all releases together'
       end as adversary,
       split_part(id, '_', 2)::integer as probability, value as share
from measured
where starts_with(id, 'sure_') and split_part(id, '_', 3) in ('', 'release', 'marginal')
order by adversary, probability
"""

# Values that are possible before and after: at most 24 ranges of each.
ANONYMITY = """
with bounds as (select greatest(1, ceil((max(prior) + 1) / 24))::bigint as width from attacked)
select prior // width * width as prior, posterior // width * width as posterior, width, count(*) as people
from attacked, bounds group by all order by all
"""

DROPS = """
with bounds as (select greatest(1, ceil((max("drop") + 1) / 24))::bigint as width from attacked)
select "drop" // width * width as "drop", width, count(*) as people
from attacked, bounds
group by all
order by all
"""

# Those about whom an adversary is most sure, the first :most of them: a row for all who are in the same
# classes and of whom the same is learned. people: how many these are; who: those of them who are among the
# first.
EXPOSED = """
with person as (
    select *, list_transform(located, lambda found: found.classes) as classes,
           list_transform(probabilities, lambda probability: round(probability, 9)) as chances,
           row_number() over (order by round(probabilities[1], 9) desc, posterior, prior desc, who) as place
    from attacked
    where posterior > 0
),
listed as (select distinct prior, posterior, candidates from person where place <= :most)
select min(place) as place, count(*) as people, list(who order by place) filter (place <= :most) as who,
       prior, posterior, candidates, chances as probabilities
from person
semi join listed using (prior, posterior, candidates)
group by prior, posterior, candidates, chances, classes
having min(place) <= :most
order by place
"""

TRUTHS = "list(truth order by place) filter (place <= :most) as truths"

# The classes that cover them: a row per release and class, of many classes the first three. shown: the
# labels, as short as people can read them.
LOCATED = """
with known as (
    select place, unnest(range(1, len(classes) + 1)) as number, unnest(classes) as classes from exposed
),
covering as (
    select place, number, len(classes) as classes, unnest(classes[1:3]) as class_id from known
)
select covering.place, covering.number as release, covering.classes, class.class_id, class.size,
       class.class as labels,
       list_transform(class.class, lambda label: sqlanon._shortened(label)) as shown
from covering
join class on class.number = covering.number and class.class_id = covering.class_id
order by covering.place, covering.number, class.class_id
"""


def chosen(attacks: str | Iterable[str] | None) -> list[str] | None:
    """The other attacks that are to be made, by name; None: what is made unasked.

    attacks: all, none, names, or None.
    """
    if attacks is None:
        return None
    named = names(attacks, "attacks") or []
    return [] if named == ["none"] else named


def known_to(request: Request) -> Known:
    """What the other attacks get."""
    return replace(request, parameters={**request.counted, **request.parameters})


def runs_of(con: duckdb.DuckDBPyConnection, request: Request) -> list[Run]:
    """The runs of the other attacks. The intersection attack is among them where it cannot be made. Errors:
    InputError.
    """
    every = request.attacks is None or list(request.attacks) == ["all"]
    chosen = None if every else {INTERSECTION, *(request.attacks or ())}
    planned = with_all_there_is(runs(con, known_to(request), chosen))
    check_tolerated(request.tolerated_measures, {run.attack for run in planned})
    return [run for run in planned if run.attack != INTERSECTION or run.reason is not None]


def before(request: Request) -> dict[str, Any]:
    """Where the targets are in all releases, for a query that takes it, if it is known."""
    if request.located is None:
        return {}
    return {"located_before": request.located.before(list(request.releases))}


def judged_request(
    con: duckdb.DuckDBPyConnection, request: Request, shown: Shown, work: WorkTables
) -> tuple[Request, Shown]:
    """The request as the judge looks at it: whoever may be in a release by their own values is in it. As it
    is where that is said, or the targets do not tell their values."""
    columns = [] if request.targets is None else lower(column_names(con, request.targets))
    is_said = request.presence or request.weight or request.controls or request.unknown or request.counted
    if not request.sensitive or not lower(request.sensitive) <= set(columns) or is_said:
        return request, shown
    about = [
        list(request.releases.values()), request.targets, request.id, list(request.qi),
        list(request.sensitive), request.hierarchies,
        list(request.nearest) if any(request.nearest) else False,
        known_to(request).formats_together(range(1, len(request.releases) + 1)) or None,
    ]  # fmt: skip
    query = call("_targets_possibly_present", *about)
    made = work.make("targets_who_may_be_there", call("_targets_possibly_present", *about, **before(request)))
    [(found,)] = execute(con, select(made, "count(*)"))
    [(targets,)] = execute(con, select(relation(request.targets or ""), "count(*)"))
    if not found:
        return request, shown
    called = "possibly_present"
    return (
        replace(
            request, targets=made.name, presence=[f"in_{i}" for i in range(1, len(request.releases) + 1)],
            truth=request.truth or request.sensitive,
            absent=targets - found,
        ),
        replace(
            shown, names={**shown.names, made.name: called},
            relations={**shown.relations, called: query},
        ),
    )  # fmt: skip


def collect(
    con: duckdb.DuckDBPyConnection,
    request: Request,
    shown: Shown,
    work: WorkTables,
    progress: Callable[[float, str], None],
) -> Data:
    """All tables of a report. Errors: InputError, SqlError."""
    request.check(shown.spelled)
    _Gathering(con, request, shown, work).check_columns()
    request = replace(request, located=None if request.count_column else located_once(con, work, request))
    request, shown = judged_request(con, request, shown, work)
    gathering = _Gathering(con, request, shown, work)
    planned = runs_of(con, request)
    steps = len(request.releases) * (4 if request.originals else 1) + (6 if request.targets else 0)
    steps += len(planned)
    done = 0
    releases = {}

    def step(cost: int, message: str) -> None:
        nonlocal done
        progress(done / steps, message)
        done += cost

    attacks = {}
    if request.targets and not request.count_column:
        step(6, "attack")
        attacks = dict(gathering.attacks())
    if request.originals:
        step(3 * len(request.releases), "utility")
    for i, (called, utility) in enumerate(zip(request.releases, gathering.utilities(), strict=True)):
        step(1, called)
        releases[called] = gathering.release(i, utility)

    def further(share: float, message: str) -> None:
        progress((done + share * len(planned)) / steps, message)

    others = gathering.others(planned, further)
    verdicts = gathering.verdicts(others, attacks)
    progress(1, "page")
    return Data(request, releases, attacks, others, verdicts, shown.prelude)


class _Gathering:
    """Runs the statements of a report."""

    def __init__(
        self, con: duckdb.DuckDBPyConnection, request: Request, shown: Shown, work: WorkTables
    ) -> None:
        self.con, self.request, self.shown, self.work = con, request, shown, work
        self.names = list(request.releases.values())
        self.known = known_to(request)
        # The targets of the attack, where some are controls: a relation, by a name that no table has.
        people = people_attacked(self.known, ("presence",), 1)
        self.attacked = {} if people is None else {free_name("attacked_targets", self.known): people}

    def check_columns(self) -> None:
        """Columns that are not there. The macros say the rest."""
        request, spelled = self.request, self.shown.spelled
        known = {called: column_names(self.con, name) for called, name in request.releases.items()}
        have = [lower(columns) for columns in known.values()]
        if request.qi and not any(
            all(column.lower() in columns for columns in have) for column in request.qi
        ):
            listed = "; ".join(f"{called} has {', '.join(columns)}" for called, columns in known.items())
            raise UseError(f"{spelled('qi')}: the releases have none of these columns in common: {listed}")
        weights = [] if request.weight is None else [request.weight]
        both = {"qi": request.qi, "sensitive": request.sensitive, "weight": weights}
        counts = {name: [column] for name, column in request.counted.items()}
        tables: list[tuple[str, list[str], Mapping[str, Sequence[str]]]] = [
            (called, columns, {**both, **counts}) for called, columns in known.items()
        ]
        tables += [(self._called(name), column_names(self.con, name), both) for name in request.originals]
        if request.targets is not None:
            own = {
                "qi": request.qi,
                "id": [request.id] if request.id else [],
                "truth": request.truth,
                "presence": request.presence,
                "priors_by": request.priors_by,
                **{
                    role: [] if column is None else [column]
                    for role, column in (("unit", request.unit), ("controls", request.controls))
                },
            }
            tables.append((self._called(request.targets), column_names(self.con, request.targets), own))
        for called, columns, roles in tables:
            for role, named in roles.items():
                if problem := missing_column(named, columns, called):
                    raise UseError(f"{spelled(role)}{problem}")

    def _called(self, name: str) -> str:
        bare = name[1:-1] if name[:1] == name[-1:] == '"' and name.count('"') == 2 else name
        return self.shown.names.get(name, bare)

    def table(self, query: exp.Select, run: exp.Select | None = None) -> Table:
        """The rows of a query. run: what gives the same rows from what is there by now."""
        rows = execute(self.con, query if run is None else run)
        return Table(tuple(rows.columns), list(rows), self._statement(query))

    def _statement(self, query: exp.Select) -> str:
        """A query as it reads elsewhere."""
        read = render(query)
        needs_hierarchies = self.request.hierarchies is not None and self.request.hierarchies in read
        relations = dict(self.shown.relations) if needs_hierarchies else {}
        if self.request.targets is not None and self.request.targets in read:
            relations |= self.shown.relations
        relations |= {name: people for name, people in self.attacked.items() if name in read}
        text = render(after(query, relations), pretty=True)
        for name, called in self.shown.names.items():
            text = text.replace(name, called)
        return text + ";"

    # About a release

    def release(self, number: int, utility: Table | str | None) -> ReleaseTables:
        request, name = self.request, self.names[number]
        qi, hierarchies = list(request.qi), request.hierarchies
        if request.count_column:
            about = (name, request.groups, request.count_column, request.deviation_column)
            counts = self.table(call("_count_precision", *about))
            return ReleaseTables(None, None, None, utility, self._unread(number), None, counts)
        people, with_unit = self._people(number)
        is_at_risk = "records_at_risk" in request.rules.risks
        threshold = {"threshold": request.rules.risk_threshold} if is_at_risk else {}
        about_risk = self.of_sample(name) if with_unit is None else {"unit": request.people_by}
        return ReleaseTables(
            reached=self._reached(name, self._original(number), with_unit),
            people=people,
            is_by_people=with_unit is not None,
            sizes=self.table(after(_query(SIZES), {"class": self._classes(name)})),
            risk=self._by_people(
                lambda table: call(
                    "risk",
                    table,
                    qi=qi,
                    population=request.population,
                    hierarchies=hierarchies,
                    weight=request.weight,
                    population_weight=request.population_weight,
                    **about_risk,
                    **threshold,
                ),
                name,
                with_unit,
            ),
            utility=utility,
            unread=self._unread(number),
            leaving=None if request.weight else self._leaving(name),
            questions=self._questions(number),
            harbor=self.table(call("safe_harbor", name, populations=request.rules.populations))
            if request.rules.safe_harbor
            else None,
        )

    def of_sample(self, name: str) -> dict[str, str | None]:
        """The columns of a sample that a release has: all that are named, or none."""
        request, have = self.request, lower(column_names(self.con, name))
        columns = {"sampling_weight": request.sampling_weight, "household": request.household}
        named = lower([column for column in columns.values() if column])
        return columns if named and named <= have else {}

    def _people(self, number: int) -> tuple[Table | None, tuple[exp.Select, str] | None]:
        """How many people the classes of a release are, and its rows and whose they are, if all are
        counted: a query, and a table of its rows. None and None, if that is not to be found out."""
        request, original, name = self.request, self._original(number), self.names[number]
        unit = request.people_by
        if unit is None or original is None or request.weight or request.population:
            return None, None
        have = lower(column_names(self.con, original))
        if unit.lower() not in have:
            return None, None
        have &= lower(column_names(self.con, name))
        unchanged = [each for each in (*request.sensitive, *request.kept) if each.lower() in have]
        about = (name, original, list(request.qi), unit, unchanged or None, request.hierarchies)
        people = self.table(after(_query(PEOPLE), {"counted": call("people_in_classes", *about)}))
        is_counted = people.rows[0][people.columns.index("is_counted")]
        if not is_counted:
            return people, None
        rows = call("_released_with_unit", *about)
        return people, (rows, self.work.make(f"released_with_unit_{number}", rows).name)

    def _by_people(
        self, query: Callable[[str], exp.Select], name: str, with_unit: tuple[exp.Select, str] | None
    ) -> Table:
        """The rows of a query on a release, or on its rows with the unit."""
        if with_unit is None:
            return self.table(query(name))
        rows, made = with_unit
        called = free_name("released_with_unit", self.known)
        return self.table(after(query(called), {called: rows}), query(made))

    def _questions(self, number: int) -> Table | None:
        """The four questions, where people were held out."""
        request, original = self.request, self._original(number)
        if request.held_out is None or original is None:
            return None
        columns = [*request.qi, *request.sensitive]
        questions = Questions(original, columns, request.held_out, request.sensitive, request.hierarchies)
        table = questions.answers(self.con, self.names[number], {}, lambda done, message: None)
        return replace(table, statement=self._statement(_query(table.statement.removesuffix(";"))))

    def _leaving(self, name: str) -> Table:
        """The columns of a release."""
        request, have = self.request, lower(column_names(self.con, name))
        masked, direct = (
            [column for column in columns if column.lower() in have] or None
            for columns in (request.masked, request.direct)
        )
        return self.table(
            call(
                "leaving_columns", name, qi=list(request.qi), sensitive=list(request.sensitive) or None,
                masked=masked, id=request.id, direct=direct,
            )
        )  # fmt: skip

    def _unread(self, number: int) -> Table | None:
        """What nobody understands of it: neither the targets nor, without any, who has its original."""
        request, raw = self.request, self.request.targets or self._original(number)
        if raw is None or (request.nearest and request.nearest[number]):
            return None
        if request.targets and not request.count_column:
            unread, rows = self.unread, self.unread.of(number + 1)
        else:
            known = replace(self.known, targets=raw, located=None)
            unread, rows = Unread(self.con, known, [number + 1]), None
        place = unread.numbers.index(number + 1) + 1
        columns = ("attribute", "label", "rows", "why", "format")
        query = unread.query().select(*columns, append=False).where(f"release = {place}")
        return self.table(query) if rows is None else Table(columns, rows, self._statement(query))

    @functools.cached_property
    def unread(self) -> Unread:
        """The labels of all releases that nobody understands, if the attack has come upon any."""
        [(is_any,)] = execute(self.con, select(self.attack, "coalesce(max(unread), 0) > 0"))
        every = range(1, len(self.names) + 1)
        return Unread(self.con, replace(self.known, located=None), every, is_any)

    def _original(self, number: int) -> str | None:
        originals = self.request.originals
        return originals[number % len(originals)] if originals else None

    def utilities(self) -> Sequence[Table | str | None]:
        """What each release has lost, or why that is not known.

        DuckDB works at several parts of one statement at a time, so that all are in one.
        """
        request = self.request
        if not request.originals:
            return [None] * len(self.names)
        measures = "utility"
        arguments: dict[str, Any] = {
            "qi": list(request.qi), "sensitive": list(request.sensitive) or None,
            "hierarchies": request.hierarchies,
            "k": request.requirements.get("k"), "weight": request.weight,
        }  # fmt: skip
        if request.count_column:
            measures = "count_errors"
            arguments = {"qi": request.groups, "hierarchies": request.hierarchies, **request.counted}
        queries = [self._measured(measures, i, name, arguments) for i, name in enumerate(self.names)]
        of_each = [query.select(f"{i} as release") for i, query in enumerate(queries)]
        try:
            rows = execute(self.con, of_each[0] if len(of_each) == 1 else exp.union(*of_each, distinct=False))
        except InputError as error:
            if STRANGE not in str(error):
                raise
            return [self._utility(query) for query in queries]
        return [
            Table(
                tuple(rows.columns[:-1]), [row[:-1] for row in rows if row[-1] == i], self._statement(query)
            )
            for i, query in enumerate(queries)
        ]

    def _measured(self, macro: str, i: int, name: str, arguments: Mapping[str, Any]) -> exp.Select:
        """What a release has lost; by measures of others, too."""
        original = self._original(i) or ""
        if macro != "utility":
            return call(macro, original, name, **arguments)
        formats = self.known.formats_of(i + 1)
        of_release = {column: each for column, each in formats.items() if not column.startswith("targets.")}
        arguments = {**arguments, "formats": of_release or None}
        query = call(macro, original, name, **arguments)
        if not plug_ins("measure"):
            return query
        ensure_plugged(self.con)
        return with_others(query, original, name, arguments)

    def _utility(self, query: exp.Select) -> Table | str:
        """What is lost is not known where nobody knows what a released value stands for."""
        try:
            return self.table(query)
        except InputError as error:
            if STRANGE not in str(error):
                raise
            return str(error)

    def _reached(self, name: str, original: str | None, with_unit: tuple[exp.Select, str] | None) -> Table:
        return self._by_people(
            lambda table: self._models(table, original, with_unit is not None), name, with_unit
        )

    def _models(self, name: str, original: str | None, is_by_people: bool) -> exp.Select:
        request = self.request
        required = {key: value for key, value in request.requirements.items() if key not in QUALIFIERS}
        judged = {key: value for key, value in request.requirements.items() if key not in UNJUDGED}
        arguments = {
            "qi": list(request.qi), "sensitive": list(request.sensitive) or None,
            "hierarchies": request.hierarchies,
            "population": request.population, "reference": original if request.sensitive else None,
            "weight": request.weight, "population_weight": request.population_weight,
        }  # fmt: skip
        if is_by_people:
            arguments["unit"] = request.people_by
        settings = {
            "l": request.requirements.get("l"),
            "distinct_spellings": list(request.distinct_spellings) or None,
            "missing_counts": request.missing_counts or None,
        }  # fmt: skip
        measured = call("privacy", name, **arguments, **settings)
        if not required:
            return measured.select("id", "model", "sensitive", "reached", "size", append=False)
        titles = {model.id: model.title for model in having("model")} | TITLES
        models = [
            (verdict_of(key, request.requirements), titles[key], float(value), key in judged)
            for key, value in required.items()
        ]
        relations: dict[str, exp.Query] = {
            "measured": measured,
            "violating": call(
                # everything meets k = 1: a statement needs some requirement
                "violations",
                name,
                **arguments,
                **complete(judged or {"k": 1}),
            ),
            "required": select(
                exp.values(models, alias="entry", columns=["id", "title", "required", "is_judged"])
            ),
        }
        return after(_query(REACHED), relations)

    def _classes(self, name: str) -> exp.Query:
        """The classes under names of ours: class_id, size, class (what they release, as texts)."""
        columns = [f"q{i}" for i in range(1, len(self.request.qi) + 1)]
        labels = exp.array(*(exp.cast(exp.column(column), "text") for column in columns))
        inner = _renamed(
            call("classes", name, qi=list(self.request.qi), weight=self.request.weight), "class", "class_id",
            *columns, "size",
        )  # fmt: skip
        return select(inner, "class_id", "size", exp.Alias(this=labels, alias=exp.to_identifier("class")))

    # About all of them together

    @functools.cached_property
    def about_targets(self) -> dict[str, Any]:
        """What the attack gets besides the releases."""
        formats = self.known.formats_together(range(1, len(self.names) + 1))
        targets = next(iter(self.attacked), self.request.targets)
        return self.request.arguments() | {"targets": targets, "formats": formats or None}

    @functools.cached_property
    def attack(self) -> exp.Table:
        """Its rows, for all sensitive columns."""
        if self.request.exact_cover:
            register_possible_values(self.con)
        how = {"exact_cover": self.request.exact_cover, "with_unread": True, **before(self.request)}
        query = attack_query(self.names, self.about_targets, **how)
        return self.work.make("attacked", after(query, self.attacked))

    def attacks(self) -> Iterator[tuple[str, AttackTables]]:
        """The tables about the attack on each sensitive column."""
        for sensitive in self.request.sensitive:
            yield sensitive, self._about(sensitive)

    def _about(self, sensitive: str) -> AttackTables:
        request, truth_known, arguments = self.request, bool(self.request.truth), self.about_targets
        attacked = select(self.attack, "*", "actual as truth")
        this = exp.EQ(this=exp.column("sensitive"), expression=literal(sensitive))
        # Without a name of its own, the column id could have that of another.
        named = _renamed(call("intersection_attack", self.names, **arguments), "attacked", "who")

        def table(query: exp.Select, **relations: exp.Query) -> Table:
            run = {"attacked": attacked.where(this), **relations}
            return self.table(
                after(query, {"attacked": select(named).where(this), **relations}), after(query, run)
            )

        def measured(levels: Sequence[float], sure: Sequence[float]) -> list[exp.Select]:
            """The measures, as they are shown and as they are run."""
            breaches = call("breaches", self.names, **arguments, levels=list(levels), sure=list(sure))
            made = call(
                "_breaches",
                self.work.name("attacked"),
                list(levels),
                list(sure),
                truth_known,
                request.unit is not None,
            )
            return [query.where(this) for query in (breaches, made)]

        columns = ("measure", "value", "unit", "low", "high", "id")
        parameters = with_levels({}, request.bounds)
        sure = parameters.get(f"{INTERSECTION}.sure", list(SURE))
        levels = parameters.get(f"{INTERSECTION}.levels", list(LEVELS))
        measures = [query.select(*columns, append=False) for query in measured(levels, sure)]
        curve = [after(_query(CURVE), {"measured": query}) for query in measured(LEVELS[:1], CURVED)]
        people = _query(EXPOSED).select(*([TRUTHS] if truth_known else []))

        def exposed(*columns: str) -> exp.Select:
            return cast(exp.Select, exp.replace_placeholders(people.select(*columns), most=request.people))

        return AttackTables(
            measures=self.table(*measures),
            curve=self.table(*curve),
            anonymity=table(_query(ANONYMITY)),
            drops=table(_query(DROPS)),
            exposed=table(exposed()),
            located=table(_query(LOCATED), **{"exposed": exposed("classes"), "class": self._all_classes()}),
        )

    def _all_classes(self) -> exp.Query:
        of_each = [self._classes(name).select(f"{i} as number") for i, name in enumerate(self.names, 1)]
        return of_each[0] if len(of_each) == 1 else exp.union(*of_each, distinct=False)

    # The other attacks

    def others(self, planned: Sequence[Run], progress: Callable[[float, str], None]) -> list[OtherAttack]:
        """The attacks besides the intersection attack, in the order of `attacks`."""
        is_located = self.request.targets and not self.request.count_column
        unread = self.unread if is_located else None
        outcomes = outcomes_of(self.con, self.known, planned, progress, self.work, unread)
        if not outcomes:
            return []
        listed = execute(
            self.con, call("attacks").select("attack", "description", "needs", "source", append=False)
        )
        settings = self._settings()
        others = []
        for attack, description, needs, source in listed:
            of_attack = [outcome for outcome in outcomes if outcome.run.attack == attack]
            if of_attack:
                measures = [*map(self._measures, of_attack)]
                of = settings.get(attack, {})
                others.append(OtherAttack(attack, description, needs, source, of, of_attack, measures))
        return others

    def _settings(self) -> dict[str, dict[str, Any]]:
        """By attack: the numbers that it was given, or takes by default."""
        numbers = execute(
            self.con,
            select(call("_attack_parameters").subquery(), "attack", "parameter", "fallback")
            .where("regexp_matches(type, '^(integer|number)')")
            .order_by("attack", "place"),
        )
        given = self.request.parameters
        settings: dict[str, dict[str, Any]] = {}
        for attack, name, unsaid in numbers:
            value = given.get(f"{attack}.{name}", given.get(name) if unsaid is None else unsaid)
            if value not in (None, "null"):
                settings.setdefault(attack, {})[name] = value
        return settings

    def _measures(self, outcome: Outcome) -> Table | None:
        if outcome.run.query is None or outcome.status != "done":
            return None
        return Table(SUMMARY, list(outcome.rows), self._statement(outcome.run.query))

    def verdicts(
        self, others: Sequence[OtherAttack], attacks: Mapping[str, AttackTables]
    ) -> list[dict[str, Any]]:
        """What the judge says of measures, the intersection attack's among them; nothing, if nothing is
        tolerated."""
        request, called = self.request, list(self.request.releases)
        if not request.bounds:
            return []
        outcomes = [outcome for other in others for outcome in other.outcomes]
        for sensitive, tables in attacks.items():
            run = Run(INTERSECTION, "person", [], called, sensitive, None, None, True, False, False)
            rows = [tuple(row[name] for name in SUMMARY) for row in tables.measures]
            outcomes.append(Outcome(run, "done", None, rows))
        measured = self.work.make("judged", judged(self.con, outcomes, request.bounds, self.work))
        said = said_of(self.con, self.work, measured, self._doubts(), (), {})
        rows_said = execute(self.con, select(said).where("verdict is not null"))
        return [dict(zip(rows_said.columns, row, strict=True)) for row in rows_said]

    def _doubts(self) -> list[Doubt]:
        """What is not known of the releases, where people are looked for in them."""
        request = self.request
        if request.targets is None or request.count_column:
            return []
        subjects = Subjects(request.targets, request.qi, request.sensitive, None, request.hierarchies)
        nearest = list(request.nearest) or [False] * len(self.names)
        releases = [
            Released(called, name, request.qi, request.sensitive, is_near, is_as_today=request.qi)
            for (called, name), is_near in zip(request.releases.items(), nearest, strict=True)
        ]
        doubts = Evidence(self.con, self.work, subjects, releases).doubts
        if request.absent:
            reason = f"{request.absent:,} of the targets are in no class of any release with their values"
            doubts.append(Doubt("located", reason, people=request.absent))
        return doubts


def _renamed(query: exp.Select, alias: str, *columns: str) -> exp.Subquery:
    """A query as a relation, its first columns under other names."""
    names = exp.TableAlias(
        this=exp.to_identifier(alias), columns=[exp.to_identifier(column) for column in columns]
    )
    return exp.Subquery(this=query, alias=names)


def _query(text: str) -> exp.Select:
    query = parse_one(text, dialect="duckdb")
    assert isinstance(query, exp.Select)
    return query
