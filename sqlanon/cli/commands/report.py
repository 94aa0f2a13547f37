"""sqlanon report"""

from dataclasses import replace
from pathlib import Path
from typing import Any

from sqlanon.attack.intersection import check_formats
from sqlanon.cli.app import Topic
from sqlanon.cli.decision import check_page_language
from sqlanon.cli.formats import check_nearest, formats_in
from sqlanon.cli.knowledge import parameters_in
from sqlanon.cli.options import Given
from sqlanon.cli.page_of_table import write_page
from sqlanon.cli.steps import read_knowledge, tell_of_counts, tell_of_spellings, with_numbered_rows
from sqlanon.cli.values import tolerated_in
from sqlanon.core.errors import UseError
from sqlanon.core.files import Place, Session, check_inputs, check_output, column_names
from sqlanon.core.interrupts import check_interrupted
from sqlanon.core.printing import progress_bar
from sqlanon.core.remarks import remark
from sqlanon.core.source import lower
from sqlanon.core.statements import render
from sqlanon.core.tables import WorkTables
from sqlanon.core.text_files import Roles
from sqlanon.pages.disclosure_report import make, questions
from sqlanon.pages.disclosure_report.data import Request, Shown, chosen
from sqlanon.pages.vega import require_extra
from sqlanon.policies.parsing import check_input
from sqlanon.policies.policy import read as read_policy
from sqlanon.policies.tables import read_table

app = Topic()


@app.declare(
    "[input] roles.qi roles.sensitive roles.weight roles.unit roles.sampling_weight roles.household",
    "[hierarchies] [requirements]",
    "releases originals targets? id? truth nearest presence exact_cover people tolerated other_attacks",
    "settings controls formats unknown negations priors priors_by unchanged values_may_change",
    "count_column? deviation_column? held_out policy_file key_file page_file language force",
)
def report(given: Given) -> None:
    """Write a page for the holders of the data: what releases disclose, each and together.

    It begins with a verdict: does all hold that is required? Then it tells what is reached, class sizes,
    risk; with --original, what is lost; with --targets and --id, of how many of these people an adversary is
    at least 90 and 99 % sure with all releases together, and who is most exposed; and what the other attacks
    find that apply. With --original and --held-out, the four questions: can somebody be singled out, can
    records be linked, can something be inferred, can one tell who was in? Without --qi the page has only
    these, about the columns that all tables have. Releases that are counts with noise, as 'sqlanon dp counts'
    writes them, need --count-column and --deviation-column. Nothing is called good but what a requirement or
    --tolerated asks for. Every number comes with its statement. The page is one file that loads nothing. Keep
    it as secret as the targets. (pip install 'sqlanon[report]')

    With [table] in the policy the page is of the table that the policy makes of the rows: which cells are
    hidden, which of these are known all the same, and how, and other ways to protect it.
    """
    require_extra()
    if given.page_file is None:
        raise UseError("give -o, the file that the page goes to, such as -o report.html")
    check_page_language(given.language, given.page_file)
    if given.policy_file is not None and (of_cells := read_table(given.policy_file)) is not None:
        write_page(
            of_cells, given.releases, given.policy_file, given.key_file, given.page_file, given.force,
            given.language,
        )  # fmt: skip
        return
    for each_of, what in ((given.releases, "RELEASE"), (given.nearest or [], "--nearest")):
        if twice := next((each for i, each in enumerate(each_of) if each in each_of[:i]), None):
            raise UseError(f"{what} {twice} is given twice")
    if given.policy_file is None and given.originals and not (given.roles.get("qi") or given.targets):
        if given.language is not None:
            raise UseError("--language needs --qi: the page of the four questions is in English")
        _write_questions(given, given.page_file)
        return
    check_nearest(given.nearest, given.releases)
    policy = read_policy(given.policy_file, given.options, "report")
    if policy.unit is not None:
        attacked = "" if given.targets is None else ", but for attacks"
        counting = f"the page counts rows of them, not people{attacked}"
        if given.originals:
            counting = f"people are counted where the original tells it, by {policy.unit}; elsewhere rows"
        remark(f"the releases do not say whose a row is: {counting}")

    def spelled(parameter: str) -> str:
        of_roles = ("qi", "sensitive", "weight", "unit", "sampling_weight", "household")
        role = f"roles.{parameter}" if parameter in of_roles else None
        return policy.spelling(role) if role else f"--{parameter.replace('_', '-')}"

    originals = given.originals or []
    of_probabilities, of_measures = tolerated_in("--tolerated", given.tolerated)
    several = given.of("truth presence unknown priors_by unchanged values_may_change")
    known: dict[str, Any] = {name: named or [] for name, named in several.items()}
    known |= given.of(
        "held_out targets id exact_cover people controls negations priors count_column deviation_column"
    )
    request = Request(  # with the names of files, which become those of tables below
        releases={release: release for release in given.releases},
        qi=policy.roles["qi"],
        sensitive=policy.roles.get("sensitive", []),
        originals=originals,
        nearest=[release in given.nearest for release in given.releases] if given.nearest else [],
        tolerated=of_probabilities,
        tolerated_measures={**policy.tolerated, **of_measures},
        attacks=chosen(given.other_attacks),
        requirements=policy.requirements,
        weight=policy.weight,
        sampling_weight=policy.sampling_weight,
        household=policy.household,
        population_weight=policy.population_weight,
        unit=policy.unit if given.targets is not None else None,
        formats=formats_in(given.formats, given.releases, policy.roles["qi"]),
        distinct_spellings=policy.distinct_spellings,
        missing_counts=policy.missing_counts,
        masked=list(policy.masks),
        direct=list(policy.direct),
        rules=policy.rules,
        profile=policy.profile,
        of_people=policy.unit is not None,
        people_by=policy.unit,
        kept=policy.roles.get("keep", []),
        **known,
    )
    request.check(spelled)
    check_inputs(*given.releases, *originals, given.held_out, given.targets, given.negations, given.priors)
    check_output(Place(given.page_file), given.force)
    with Session() as session:
        check_formats(session.con, request.formats)
        raw_columns = policy.columns()
        tables = {release: session.read(release, raw_columns.of_release()) for release in given.releases}
        if given.count_column is None:
            for release, table in tables.items():
                tell_of_counts(session, table, release, [*request.groups, request.weight or ""])
                columns = [*request.qi, *request.sensitive]
                tell_of_spellings(session, table, release, columns, request.distinct_spellings)
        raw_tables = [session.read(each, raw_columns) for each in originals]
        own = (given.id, request.unit, given.controls, *request.truth, *request.presence, *request.priors_by)
        named = [name for name in own if name]
        of_people = replace(raw_columns, sensitive=(), keep=named)
        people_known = None if given.targets is None else session.read(given.targets, of_people)
        if people_known and not given.roles.get("unit"):  # that of a policy is of the original
            of_people_known = lower(column_names(session.con, people_known))
            request = replace(
                request, unit=request.unit if lower([request.unit or ""]) & of_people_known else None
            )
        id, knows = given.id, given.negations or given.priors
        if people_known and id is not None and not knows:
            people_known, id, unit = with_numbered_rows(
                session, people_known, given.targets, id, request.unit
            )
            request = replace(request, id=id, unit=unit)
        knowledge = {} if id is None else read_knowledge(session, given, request.sensitive)
        everybody = policy.population
        population = None if everybody is None else session.read(everybody, raw_columns)
        # What hierarchies are built from, where a policy says how: raw values, if there are any.
        of_raw = list(dict.fromkeys(raw_tables)) or ([people_known] if people_known else [])
        built_from, is_raw = of_raw or list(tables.values()), bool(of_raw)
        with WorkTables(session.con) as work:
            hierarchies = policy.make_hierarchies(session.con, built_from, population, work, is_raw=is_raw)
            with progress_bar() as progress:
                request = replace(
                    request, releases=tables, originals=raw_tables, targets=people_known,
                    held_out=None if given.held_out is None else session.read(given.held_out, raw_columns),
                    hierarchies=hierarchies, population=population, negations=knowledge.get("negations"),
                    parameters=parameters_in(session, given.settings), priors=knowledge.get("priors"),
                )  # fmt: skip
                shown = Shown(
                    names={hierarchies: "hierarchies"} if hierarchies else {},
                    relations=policy.relations(built_from, population, is_raw=is_raw, to_be_read=True),
                    prelude=[f"{render(statement)};" for statement in session.prelude],
                    spelled=spelled,
                )
                made = make(session.con, request, shown, progress, given.language or policy.language)
        check_interrupted()
        made.write(given.page_file, force=given.force)
    secret = "; keep it as secret as the targets" if given.targets is not None else ""
    remark(
        f"{given.page_file}: {len(given.releases)} release{'s' if len(given.releases) > 1 else ''}{secret}"
    )


def _write_questions(given: Given, page_file: Path) -> None:
    """The page of the four questions, about the columns that all tables have."""
    originals = given.originals or []
    if len(originals) != 1:
        raise UseError("without --qi, give one --original of all releases")
    unused = [name for name in ("weight", "unit") if given.roles.get(name)]
    unused += [section for section in ("hierarchies", "requirements") if given.options.get(section)]
    if unused:
        raise UseError(f"{unused[0]} needs --qi")
    check_inputs(*given.releases, *originals, given.held_out)
    check_output(Place(page_file), given.force)
    roles = Roles(**check_input({"input": given.options.get("input", {})}))
    with Session() as session:
        tables = {release: session.read(release, roles) for release in given.releases}
        original, held_out = (
            None if file is None else session.read(file, roles) for file in (originals[0], given.held_out)
        )
        sensitive = given.roles.get("sensitive") or []
        with progress_bar() as progress:
            made = questions(session.con, tables, original or "", held_out, sensitive, progress=progress)
        check_interrupted()
        made.write(page_file, force=given.force)
    remark(f"{page_file}: four questions about {', '.join(given.releases)}")
