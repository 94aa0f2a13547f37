"""sqlanon report"""

from dataclasses import replace

from sqlanon.cli import options as given
from sqlanon.cli.all_attacks import parameters_in
from sqlanon.cli.app import EXIT_CODES, Topic
from sqlanon.cli.formats import check_formats
from sqlanon.cli.options import check_nearest, formats_in, takes
from sqlanon.cli.page_of_table import write_page
from sqlanon.cli.steps import read_knowledge, tell_of_counts, with_numbered_rows
from sqlanon.cli.values import names_in, tolerated_in
from sqlanon.core.errors import UseError
from sqlanon.core.files import Place, Session, check_inputs, check_output, column_names
from sqlanon.core.interrupts import check_interrupted
from sqlanon.core.printing import progress_bar
from sqlanon.core.remarks import remark
from sqlanon.core.source import lower
from sqlanon.core.statements import render
from sqlanon.core.tables import WorkTables
from sqlanon.pages.disclosure_report import make
from sqlanon.pages.disclosure_report.data import Request, Shown, chosen
from sqlanon.pages.vega import require_extra
from sqlanon.policies.parsing import Options
from sqlanon.policies.policy import read as read_policy
from sqlanon.policies.tables import read_table

app = Topic()


@app.command(epilog=EXIT_CODES)
@takes("input", "roles.qi", "roles.sensitive", "roles.weight", "roles.unit", "hierarchies", "requirements")
def report(
    options: Options,
    releases: given.Releases,
    original: given.Originals = None,
    targets: given.Targets[str | None] = None,
    id: given.TargetId[str | None] = None,
    truth: given.Truth = None,
    nearest: given.Nearest = None,
    presence: given.Presence = None,
    exact_cover: given.ExactCover = False,
    people: given.People = 20,
    tolerated: given.Tolerated = None,
    attacks: given.OtherAttacks = None,
    settings: given.Settings = None,
    controls: given.Controls = None,
    formats: given.Formats = None,
    unknown: given.Unknown = None,
    negations: given.Negations = None,
    priors: given.Priors = None,
    priors_by: given.PriorsBy = None,
    unchanged: given.Unchanged = None,
    values_may_change: given.ValuesMayChange = None,
    count_column: given.CountColumn[str | None] = None,
    deviation_column: given.DeviationColumn[str | None] = None,
    policy_file: given.PolicyFile = None,
    key_file: given.KeyFile = None,
    output: given.PageFile = None,
    force: given.Force = False,
) -> None:
    """Write a page on what releases disclose, each and together, for those whose data it is.

    It begins with a verdict: does all hold that is required? Then it tells what is reached, class sizes,
    risk; with --original, what is lost; with --targets and --id, of how many of these people an adversary is
    at least 90 and 99 % sure with all releases together, and who is most exposed; and what the other attacks
    find that apply. Releases that are counts with noise, as 'sqlanon dp counts' writes them, need
    --count-column and --deviation-column. Nothing is called good but what a requirement or --tolerated asks
    for. Every number comes with its statement. The page is one file that loads nothing. Keep it as secret as
    the targets. (pip install 'sqlanon[report]')

    With [table] in the policy the page is of the table that the policy makes of the rows: which cells are
    hidden, which of these are known all the same, and how, and other ways to protect it.
    """
    require_extra()
    if output is None:
        raise UseError("give -o, the file that the page goes to, such as -o report.html")
    if policy_file is not None and (of_cells := read_table(policy_file)) is not None:
        write_page(of_cells, releases, policy_file, key_file, output, force)
        return
    for each_of, what in ((releases, "RELEASE"), (nearest or [], "--nearest")):
        if twice := next((each for i, each in enumerate(each_of) if each in each_of[:i]), None):
            raise UseError(f"{what} {twice} is given twice")
    check_nearest(nearest, releases)
    policy = read_policy(policy_file, options, "report")
    if policy.unit is not None:
        told = "the page counts rows of them, not people" + ("" if targets is None else ", but for attacks")
        remark(f"the releases do not say whose a row is: {told}")

    def spelled(parameter: str) -> str:
        role = f"roles.{parameter}" if parameter in ("qi", "sensitive", "weight", "unit") else None
        return policy.spelling(role) if role else f"--{parameter.replace('_', '-')}"

    originals = original or []
    of_probabilities, of_measures = tolerated_in("--tolerated", tolerated)
    request = Request(  # with the names of files, which become those of tables below
        releases={release: release for release in releases},
        qi=policy.roles["qi"],
        sensitive=policy.roles.get("sensitive", []),
        originals=originals,
        targets=targets,
        id=id,
        truth=names_in("--truth", truth),
        nearest=[release in nearest for release in releases] if nearest else [],
        presence=names_in("--presence", presence),
        exact_cover=exact_cover,
        people=people,
        tolerated=of_probabilities,
        tolerated_measures={**policy.tolerated, **of_measures},
        attacks=chosen(None if attacks is None else names_in("--attacks", attacks)),
        requirements=policy.requirements,
        weight=policy.weight,
        population_weight=policy.population_weight,
        unit=policy.unit if targets is not None else None,
        controls=controls,
        formats=formats_in(formats, releases, policy.roles["qi"]),
        unknown=unknown or [],
        negations=negations,
        priors=priors,
        priors_by=names_in("--priors-by", priors_by),
        unchanged=names_in("--unchanged", unchanged),
        values_may_change=names_in("--values-may-change", values_may_change),
        count_column=count_column,
        deviation_column=deviation_column,
        masked=list(policy.masks),
        direct=list(policy.direct),
    )
    request.check(spelled)
    others = (targets, negations, priors)
    check_inputs(*releases, *originals, *(file for file in others if file is not None))
    check_output(Place(output), force)
    with Session() as session:
        check_formats(session.con, request.formats)
        raw_columns = policy.columns()
        tables = {release: session.read(release, raw_columns.of_release()) for release in releases}
        if count_column is None:
            for release, table in tables.items():
                tell_of_counts(session, table, release, [*request.groups, request.weight or ""])
        raw_tables = [session.read(each, raw_columns) for each in originals]
        own = (id, request.unit, controls, *request.truth, *request.presence, *request.priors_by)
        named = [name for name in own if name]
        of_people = replace(raw_columns, sensitive=(), keep=named)
        people_known = None if targets is None else session.read(targets, of_people)
        if people_known and not options.get("roles", {}).get("unit"):  # that of a policy is of the original
            has_unit = not lower([request.unit or ""]).isdisjoint(
                lower(column_names(session.con, people_known))
            )
            request = request if has_unit else replace(request, unit=None)
        if people_known and id is not None and targets is not None and not (negations or priors):
            people_known, id, unit = with_numbered_rows(session, people_known, targets, id, request.unit)
            request = replace(request, id=id, unit=unit)
        of_knowledge = {"sensitive": request.sensitive, "priors_by": request.priors_by}
        files = {"negations": negations, "priors": priors}
        knowledge = {} if id is None else read_knowledge(session, files, id, of_knowledge)
        everybody = policy.population
        population = None if everybody is None else session.read(everybody, raw_columns)
        # What hierarchies are built from, where a policy says how: raw values, if there are any.
        of_raw = list(dict.fromkeys(raw_tables)) or ([people_known] if people_known else [])
        built_from, is_raw = of_raw or list(tables.values()), bool(of_raw)
        with WorkTables(session.con) as work:
            hierarchies = policy.make_hierarchies(session.con, built_from, population, work, is_raw=is_raw)
            with progress_bar() as progress:
                made = make(
                    session.con,
                    replace(
                        request,
                        releases=tables,
                        originals=raw_tables,
                        targets=people_known,
                        hierarchies=hierarchies,
                        population=population,
                        parameters=parameters_in(session, settings),
                        negations=knowledge.get("negations"),
                        priors=knowledge.get("priors"),
                    ),
                    Shown(
                        names={hierarchies: "hierarchies"} if hierarchies else {},
                        relations=policy.relations(built_from, population, is_raw=is_raw, to_be_read=True),
                        prelude=[f"{render(statement)};" for statement in session.prelude],
                        spelled=spelled,
                    ),
                    progress,
                )
        check_interrupted()
        made.write(output, force=force)
    secret = "; keep it as secret as the targets" if targets is not None else ""
    remark(f"{output}: {len(releases)} release{'s' if len(releases) > 1 else ''}{secret}")
