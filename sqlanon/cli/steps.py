"""What several commands do: read the tables that a policy is about, call a macro, print the statement."""

import inspect
import shlex
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import duckdb
from sqlglot import exp

import sqlanon
from sqlanon.cli.options import Given
from sqlanon.core.errors import UseError
from sqlanon.core.files import Place, Session, check_inputs, check_output, column_names, with_relations
from sqlanon.core.interrupts import check_interrupted
from sqlanon.core.printing import Format, show
from sqlanon.core.remarks import remark
from sqlanon.core.requirements import complete
from sqlanon.core.source import lower
from sqlanon.core.statements import call, create, execute, literal, relation, render, scalar, select, table
from sqlanon.core.steps import statement_of, statements
from sqlanon.core.suggestions import missing_column, nearest
from sqlanon.core.tables import WorkTables
from sqlanon.core.text_files import Roles
from sqlanon.core.toml import shown
from sqlanon.measure.leaving import Leaving
from sqlanon.measure.sets import columns_of_sets, sets_in_words
from sqlanon.policies.first_policy import BY_LEVELS, units, weights
from sqlanon.policies.parsing import Options, parameters_of
from sqlanon.policies.policy import Policy
from sqlanon.policies.schema import REGISTER, SPARED, bare


def print_sql(session: Session, statements: Sequence[exp.Expression]) -> None:
    """Print statements, after those that bring the files in. Errors: UseError for a file that DuckDB alone
    would read otherwise."""
    for file in session.rewritten:
        raise UseError(
            f"--sql: {file} has more than a table in it, or blanks that align it: save the table as CSV"
        )
    for statement in [*session.prelude, *statements]:
        print(render(statement, pretty=True) + ";")


def print_answer(
    session: Session, query: exp.Expression, format: Format | None, sql: bool, words: str | None = None
) -> None:
    """Print the rows of a query, or the query. words: the macro that says them in words."""
    if sql:
        print_sql(session, [query])
    else:
        answer = session.answer(query)
        show(session.con, answer, format, words=None if words is None else call(words, answer.name))


class Outputs:
    """Where the answer of a command goes: files that can be written; without any, it is printed.

    notes: what files of some formats say of themselves. Errors: UseError for what cannot be written.
    """

    def __init__(self, given: Given, *places: Place | None, notes: Mapping[str, str] | None = None) -> None:
        self.places = [each for each in places if each is not None]
        self.force, self.format, self.notes = given.force, given.format, notes or {}
        for each in self.places:
            check_output(each, self.force)

    @contextmanager
    def announced(self, session: Session) -> Iterator[None]:
        """While tables are read, and before something is made."""
        for each in self.places:
            session.will_write(each)
        yield
        for each in self.places:
            session.refuse_existing(each, self.force)

    def print_sql(self, session: Session, query: exp.Expression) -> None:
        """Print the statement that writes the rows of a query, or gives them."""
        outputs = [(session.as_text(query), each) for each in self.places]
        print_sql(session, session.writing(outputs, self.force, self.notes) or [query])

    def deliver(self, session: Session, answer: exp.Table) -> None:
        """Write or print a table."""
        check_interrupted()
        if self.places:
            outputs = [(select(answer), each) for each in self.places]
            session.write(outputs, self.force, self.notes)
        else:
            show(session.con, answer, self.format)


def print_about(
    given: Given,
    macro: str,
    inputs: Sequence[tuple[str, Roles]],
    columns: str = "",
    others: str = "",
    beside: str | None = None,
) -> None:
    """Print what a macro says of tables, each a file and how that is read. columns: what is given of columns
    that all of them have; others: what else is given that the macro takes. beside: the file with which the
    release, one of the others, is compared."""
    check_inputs(*(input for input, _ in inputs))
    with Session() as session:
        tables = [session.read(*each) for each in inputs]
        for (input, roles), table in zip(inputs, tables, strict=True):
            check_columns(session, table, input, {**given.named(columns), "--types": list(roles.types)})
        query = call(macro, *tables, **given.of(columns), **given.of(others))
        print_answer(session, query, given.format, given.sql)
        by_input = dict(zip((input for input, _ in inputs), tables, strict=True))
        if "controls" in others.split() and not given.sql:
            tell_of_controls(session, by_input[str(given.targets)], str(given.targets), str(given.controls))
        if beside is not None and not given.sql:
            compared = [name for named in given.named(columns).values() for name in named]
            tell_unread_of_any_kind(
                session, by_input[given.release], given.release, by_input[beside], compared
            )


def with_numbered_rows(
    session: Session, people: str, title: str, id: str, unit: str | None
) -> tuple[str, str, str | None]:
    """The targets, what says who each row is, and whose it is: where a person has several rows, these are
    numbered. title: the user's name for the targets."""
    if unit is not None and unit.lower() != id.lower():
        return people, id, unit
    column = exp.column(id, quoted=True)
    distinct = exp.Count(this=exp.Distinct(expressions=[column]))
    numbers = select(relation(people), exp.Count(this=column.copy()), distinct)
    [(filled, persons)] = execute(session.con, numbers)
    if persons == filled:
        return people, id, None
    number = free_column("row", column_names(session.con, people))
    nth = exp.Alias(this=exp.Window(this=exp.RowNumber()), alias=exp.to_identifier(number, quoted=True))
    numbered = session.make(f"{title}, rows numbered", select(relation(people), nth, "*"))
    remark(
        f"{title}: {id} repeats ({persons:,} people in {filled:,} rows), so rows are numbered in a column "
        f"{number}, and {id} says whose a row is, as --unit {id} does"
    )
    return numbered, number, id


def free_column(name: str, columns: Sequence[str]) -> str:
    """The name, or one like it if a column has it."""
    while name.lower() in lower(columns):
        name += "_"
    return name


def check_columns(session: Session, table_name: str, name: str, named: Mapping[str, Sequence[str]]) -> None:
    """Are the columns that options name in a table? name: the user's. Errors: UseError."""
    columns = column_names(session.con, table_name)
    for option, required in named.items():
        if problem := missing_column(required, columns, name):
            raise UseError(f"{option}{problem}")


def read_releases(session: Session, given: Given, policy: Policy | None) -> list[str]:
    """The tables of the releases. Nothing of them leaves: what is a number is read as one, but for labels."""
    types, sensitive = {} if policy is None else policy.types, lower(given.attacked or ())
    secret = Roles(types={name: type_ for name, type_ in types.items() if name.lower() in sensitive})
    return [session.read(release, secret) for release in given.releases]


def read_knowledge(session: Session, given: Given, sensitive: Sequence[str] | None = None) -> dict[str, str]:
    """The tables of what is known of targets. Errors: for one that lacks a column."""
    keys = {"negations": [given.id], "priors": [*(given.priors_by or ()), "share"]}
    about = ["value"] if len(sensitive or given.attacked or ()) == 1 else ["sensitive", "value"]
    tables = {}
    for name, file in given.of("negations priors").items():
        if file is None:
            continue
        tables[name] = session.read(file, Roles(keep=[*keys[name], *about]))
        check_columns(session, tables[name], file, {f"--{name}": [*keys[name], *about]})
    return tables


def read(session: Session, policy: Policy, input: str, roles: Roles | None = None) -> tuple[str, str | None]:
    """The names of the table, which has all columns of the policy, and of the population."""
    roles = roles or policy.columns()
    source = session.read(input, roles)
    columns = column_names(session.con, source)
    policy.check_columns(columns, input)
    used = policy.named_columns()
    for name in (name for name in policy.types if name.lower() not in lower(policy.gone)):
        problem = missing_column([name], columns, input)
        is_meant = {name.lower(), (nearest(name, columns) or "").lower()} & used
        if problem and (is_meant or policy.spelling.is_option("input.types")):
            raise policy.spelling.wrong("input.types", problem)
        if problem:
            remark(f"{input}: there is no column {name}, which input.types names; it is in no role")
    return source, None if policy.population is None else session.read(
        policy.population, roles.of_another_file()
    )


def statement(
    session: Session,
    policy: Policy,
    source: str,
    population: str | None,
    *,
    is_raw: bool = True,
    **further: Any,
) -> exp.Select:
    """One statement that makes the release without any other."""
    relations = policy.relations(source, population, is_raw=is_raw)
    hierarchies = "hierarchies" if "hierarchies" in relations else None
    arguments = {**policy.macro_arguments(), "hierarchies": hierarchies, "population": population}
    return with_relations(call(policy.method, source, **arguments, **further), relations)


def read_known(session: Session, policy: Policy, known: Sequence[str] | None) -> list[str] | None:
    """The names of the releases that are out already. UseError for a method that does not look at any."""
    if not known:
        return None
    if "known" not in parameters_of(policy.method):
        raise UseError(f"--known is not for {policy.method}")
    return [_read_release(session, policy, release) for release in known]


def read_based_on(session: Session, policy: Policy) -> str | None:
    """The name of the earlier release, if there is one."""
    named = None if policy.based_on == REGISTER else policy.based_on
    return None if named is None else _read_release(session, policy, named)


def _read_release(session: Session, policy: Policy, release: str) -> str:
    sensitive = lower(policy.roles.get("sensitive", []))
    types = {name: type_ for name, type_ in policy.types.items() if name.lower() in sensitive}
    return session.read(release, Roles(types=types))


def print_steps(
    session: Session, policy: Policy, source: str, population: str | None, **of_known: Any
) -> None:
    """Print the statement as steps, one statement after the other; the last gives the rows."""
    relations = policy.relations(source, population)
    made = [create(table(name), select(rows.subquery()), temporary=True) for name, rows in relations.items()]
    parameters = inspect.signature(getattr(sqlanon, policy.method)).parameters.values()
    unsaid = {each.name: each.default for each in parameters if each.default is not each.empty}
    arguments = {
        **complete({}), **unsaid, **policy.macro_arguments(), "tbl": source,
        "population": population, **of_known,
        "hierarchies": "hierarchies" if "hierarchies" in relations else None,
    }  # fmt: skip
    if (earlier := of_known.get("based_on")) is not None:
        bound = scalar("_composed_bound", arguments.get("composed_l"), arguments.get("known"), earlier)
        [(composed_l,)] = execute(session.con, bound)
        arguments |= {"composed_l": composed_l, "known": [earlier]}
    print_sql(session, [*made, *statements(session.con, statement_of(session.con, policy.method, arguments))])


def answer(
    session: Session, policy: Policy, input: str, sql: bool, *, is_raw: bool = True, **further: Any
) -> exp.Table | None:
    """A table with what a macro says of a table; none if only the statement is printed.

    is_raw: as in Policy.make_hierarchies.
    """
    source, population = read(session, policy, input)
    if sql:
        print_sql(session, [statement(session, policy, source, population, is_raw=is_raw, **further)])
        return None
    hierarchies = policy.make_hierarchies(
        session.con, source, population, WorkTables(session.con), is_raw=is_raw
    )
    return answer_of(session, policy, source, hierarchies=hierarchies, population=population, **further)


def answer_of(session: Session, policy: Policy, source: str, **further: Any) -> exp.Table:
    """A table with what a macro says of a table, whose name is that in the session."""
    return session.answer(call(policy.method, source, **policy.macro_arguments(), **further))


def tell_of_columns(columns: Iterable[Leaving]) -> None:
    """Say which columns name people, or may."""
    for column in columns:
        if not column.holds:
            remark(str(column))


def with_spared(options: Options, columns: Iterable[str] | None) -> Options:
    """Options for keys of a policy, with the weights of columns that are to be spared."""
    if not columns:
        return options
    method = options.get("method", {})
    weights = {**dict.fromkeys(columns, SPARED), **method.get("weights", {})}
    return {**options, "method": {**method, "weights": weights}}


def tell_of_units(session: Session, policy: Policy, input: str) -> None:
    """Where rows are counted, and somebody may have several: say so."""
    if policy.unit is not None or policy.weight is not None:
        return
    others = [*policy.roles["qi"], *policy.roles.get("sensitive", []), policy.household or ""]
    source = session.read(input, policy.columns())  # which has been read already
    for column, distinct, values in units(session.con, source, lower(others)):
        remark(
            f"{input}: rows are counted, but {column} has {distinct:,} distinct values in {values:,} rows. "
            f"If it says whose a row is, --unit {column} counts people"
        )


def tell_of_hidden_rows(session: Session, policy: Policy, input: str) -> None:
    """Where suppressed cells are values of their own: say which rows have nothing else."""
    if policy.unit is not None:
        return
    hidden = [
        exp.Dot(
            this=exp.to_identifier("sqlanon"),
            expression=exp.Anonymous(
                this="_is_suppressed",
                expressions=[exp.column(name, quoted=True), literal("*"), literal(True)],
            ),
        )
        for name in policy.roles["qi"]
    ]
    source = relation(session.read(input, policy.columns()))  # which has been read already
    [(rows,)] = execute(session.con, select(source, "count(*)").where(*hidden))
    if rows:
        remark(
            f"{input}: rows that show none of the quasi-identifiers (* in all of them): {rows:,}. They count "
            "as a class of their own; --suppressed wildcard lets them be anybody's"
        )


def tell_of_sets(
    session: Session, policy: Policy, source: str, input: str, methods: Collection[str] = ()
) -> None:
    """Say which quasi-identifiers of many texts have no hierarchy, so that they are recoded to long sets.

    methods: those that recode, if not that of the policy.
    """
    if not any(
        "hierarchies" in parameters_of(method) and method not in BY_LEVELS
        for method in methods or [policy.method]
    ):
        return
    explained = lower(policy.hierarchies) | lower(policy.masks)
    for name, values, looks in columns_of_sets(session.con, source, policy.roles["qi"], explained):
        option = shlex.quote(f"{name}=FILE")
        by_mask = f'[hierarchies.{bare(name)}] builder = "mask" in a policy; else --hierarchy {option}'

        def by_date(said: str, name: str = name) -> str:
            option = shlex.quote(f"{name}={said}")
            return f"[input] types.{bare(name)} = {shown(said)} in a policy; else --types {option}"

        remark(f"{input}: {sets_in_words(name, values, looks, by_mask, by_date)}")


def tell_of_weights(session: Session, policy: Policy, input: str) -> None:
    """Where rows are counted, and each may stand for several people: say so."""
    if policy.unit is not None or policy.weight is not None:
        return
    others = [*policy.roles["qi"], *policy.roles.get("sensitive", [])]
    for column in weights(session.con, session.read(input, policy.columns()), lower(others)):
        remark(
            f"{input}: rows are counted. If {column} says how many people each of them stands for, "
            f"--weight {column} counts these"
        )


def tell_of_counts(session: Session, table: str, called: str, roles: Collection[str]) -> None:
    """Say that rows may be counts with noise: they look like what 'sqlanon dp' writes."""
    if lower(column_names(session.con, table)) - lower(roles) >= {"n", "standard_deviation"}:
        remark(
            f"{called} looks like counts with noise, and is read as rows: count-errors, attack --kind "
            "noisy_counts_attack, and report with --count-column n --deviation-column standard_deviation, "
            "read counts"
        )


AS_ROLES = "sensitive values and units count as one, quasi-identifiers as they are written"
DISTINCT = "--distinct-spellings {} says that they are different values"
MADE_ONE = "--fold {} makes them one"


def tell_of_spellings(
    session: Session,
    table: str,
    called: str,
    columns: Collection[str] | None,
    distinct: Collection[str] = (),
    so: str = AS_ROLES,
    repairs: Sequence[str] = (DISTINCT,),
) -> None:
    """Say which values of a table are spelled in several ways, and what can be done. columns: that are looked
    at (None: all); distinct: those in which spellings are different values; so: what follows."""
    looked_at = None
    if columns is not None:
        have = {name.lower(): name for name in column_names(session.con, table)}
        present = dict.fromkeys(name for name in lower(columns) if name in have)
        looked_at = [have[name] for name in present if name not in lower(distinct)]
        if not looked_at:
            return
    query = call("_spellings_in_words", "_sqlanon_spelling")
    query = query.with_("_sqlanon_spelling", as_=call("spellings", table, columns=looked_at))
    [(spelled, ways, named, example)] = execute(session.con, query)
    if spelled:
        shown = ", ".join("NULL" if each is None else f'"{each}"' for each in example["spellings"])
        listed = shlex.quote(",".join(named))
        done = ", ".join(repair.format(listed) for repair in repairs)
        ways_in = f"{spelled:,} {'value has' if spelled == 1 else 'values have'} {ways:,} spellings in"
        remark(f"{called}: {ways_in} {', '.join(named)}, such as {shown}: {so}. {done}")


def tell_of_spellings_in(
    session: Session, policy: Policy, input: str, repairs: tuple[str, str] = (MADE_ONE, DISTINCT)
) -> None:
    """Say which values of a file that has been read already are spelled in several ways."""
    columns = [*policy.roles["qi"], *policy.roles.get("sensitive", []), *policy.units()]
    table = session.read(input, policy.columns())
    tell_of_spellings(session, table, input, columns, policy.distinct_spellings, repairs=repairs)


def tell_of_counts_in(session: Session, policy: Policy, input: str) -> None:
    """Say that the rows of a file that has been read already may be counts with noise."""
    roles = [*policy.named_columns(), policy.weight or ""]
    tell_of_counts(session, session.read(input, policy.columns()), input, roles)


def tell_of_controls(session: Session, people: str, title: str, controls: str) -> None:
    """Say that nobody knows of some people whether they are controls, or that nobody is one."""
    column = exp.column(controls, quoted=True)
    says = exp.Anonymous(this="_says", expressions=[column.copy(), literal("controls")])
    is_any = exp.LogicalOr(this=exp.Dot(this=exp.to_identifier("sqlanon"), expression=says))
    query = select(relation(people), exp.Count(this=exp.Star()), exp.Count(this=column), is_any)
    [(everybody, filled, found)] = execute(session.con, query)
    if filled < everybody:
        remark(
            f"{title}: {controls} is empty in {everybody - filled:,} rows, of people who count as being in"
        )
    if not found:
        remark(f"{title}: {controls} is true for nobody: there is nothing to compare with")


def unread_by_release(
    con: duckdb.DuckDBPyConnection, query: exp.Select, releases: Sequence[str]
) -> Iterator[tuple[str, list[tuple[Any, ...]]]]:
    """Each release with its rows of unread_labels. query: of these releases."""
    rows = execute(con, query)
    for number, release in enumerate(releases, 1):
        yield release, [row[1:] for row in rows if row[0] == number]


# What follows from labels that nobody understands.
IN_CLASSES = "the attack finds nobody there"
OF_ANY_KIND = "they are equal to nobody's, so that too little is found"


def tell_unread(release: str, unread: Sequence[tuple[Any, ...]], so: str = IN_CLASSES) -> None:
    """Say that nobody is found at some of what a release says. unread: as in unread_by_release."""
    if unread:
        column, label, _, why, _ = unread[0]
        cells = sum(rows for _, _, rows, _, _ in unread)
        remark(
            f"{release}: nobody understands {len(unread):,} of its values, in {cells:,} cells, "
            f"such as {label} in {column} ({why}): {so}"
        )


def tell_unread_of_any_kind(
    session: Session, release: str, title: str, others: str, columns: Sequence[str]
) -> None:
    """Say which values of a release of any kind nobody understands, beside those of other rows. title: the
    user's name for the release."""
    query = call("unread_labels", release, others, qi=list(columns), of_any_kind=True)
    tell_unread(title, [row[1:] for row in execute(session.con, query)], OF_ANY_KIND)
