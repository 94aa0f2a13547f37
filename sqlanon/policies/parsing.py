"""Reading a policy: from a file, from options of the command line in place of its keys, or from both.

Whatever can be found wrong without the table is found here.
"""

from __future__ import annotations

import inspect
import re
import tomllib
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from sqlanon.anonymize.methods import method_of_name, of_others
from sqlanon.core import comments, limits, plugins
from sqlanon.core.errors import InputError, UseError
from sqlanon.core.files import as_pattern, place
from sqlanon.core.models import added, having, models
from sqlanon.core.remarks import remark
from sqlanon.core.source import lower
from sqlanon.core.suggestions import nearest, no_measure, suggestion
from sqlanon.measure.practice import OF_SAMPLES, RISKS, Rules
from sqlanon.policies import answers, levels, randomized, schema
from sqlanon.policies.profiles import Profile, profiles
from sqlanon.policies.schema import Key, bare, shown

Options: TypeAlias = Mapping[str, Mapping[str, Any]]  # in sections, as the keys that they stand for

OF_QI = ("strata", "household_qi")
COLUMN_SETS = ("same_columns", "different_columns")
SETTINGS = {setting.id for setting in having("setting")}
ROLES_OF_SAMPLES = ("sampling_weight", "household")  # of columns that may be kept as well


# An argument of a macro in a message: k := 5, recoding := 'text', known := ['a'].
_ARGUMENT = re.compile(r"\b(\w+) := ('[^']*'|\[[^\]]*\]|true|false|\d[\d.]*\b)")


@dataclass(frozen=True)
class Spelling:
    """How a user has written a key: in the file, or as one of the options that stand in place of keys."""

    path: Path | None
    options: frozenset[str]

    def is_option(self, key: str) -> bool:
        return self.path is None or any(f"{key}.".startswith(f"{option}.") for option in self.options)

    def __call__(self, key: str) -> str:
        """A dotted key as it was, or would be, written."""
        section, _, name = key.partition(".")
        if not self.is_option(key):
            return key
        if section == "hierarchies":
            return f"--hierarchy {name.removesuffix('.file')}"
        return "--method" if key == "method.name" else f"--{name.replace('_', '-')}"

    def wrong(self, key: str, message: str) -> UseError:
        """What is wrong with a key: the file that it is in, its spelling, and the message."""
        return UseError(("" if self.is_option(key) else f"{self.path}: ") + self(key) + message)

    @contextmanager
    def spelled(self) -> Iterator[None]:
        """Errors of macros call parameters as they are written here: relaxed := true is relaxed = true in a
        file, and --relaxed on the command line."""
        try:
            yield
        except InputError as error:
            if (said := _ARGUMENT.sub(self._argument, str(error))) == str(error):
                raise
            raise type(error)(said) from error

    def _argument(self, found: re.Match[str]) -> str:
        name, value = found.groups()
        section = next((each for each, keys in schema.sections().items() if name in keys), None)
        if section is None:
            return found[0]
        if self.is_option(key := f"{section}.{name}"):
            return self(key) + ("" if value == "true" else " " + value.strip("[]'"))
        of_register = name in ("known", "based_on", "scheme")
        return f"{name} = " + (f'"{schema.REGISTER}"' if of_register else value.replace("'", '"'))

    def folder(self, key: str) -> Path:
        """Where the file that a key names is looked for."""
        return Path() if self.path is None or self.is_option(key) else self.path.parent


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError as error:
        raise UseError(f"there is no file {path}") from error
    except OSError as error:
        raise UseError(f"{path} cannot be read: {error.strerror}") from error


def _parsed(path: Path, text: bytes) -> dict[str, Any]:
    try:
        return tomllib.loads(text.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise UseError(f"{path} is not UTF-8 text") from error
    except tomllib.TOMLDecodeError as error:
        raise UseError(f"{path} is not TOML: {error}") from error


def _signature(method: str) -> Mapping[str, inspect.Parameter]:
    return inspect.signature(method_of_name(method)).parameters


def parameters_of(function: str) -> set[str]:
    """The names of what a function of sqlanon takes, a method or one that looks at what is there."""
    # a report, which is of no macro, takes what a check does
    taken = comments.parameters(function if comments.is_macro(function) else "violations")
    if function not in (*schema.METHODS, *of_others()):
        return {*taken}
    return {*_signature(function), *({model.id for model in added()} & taken.keys())}


class Reading:
    """A policy: sections (name -> key -> value), masks, hierarchies, population, tolerated, method, checked.

    function: what is called with it, if not its method. text: that of the file, read here if not given.
    """

    def __init__(
        self, path: Path | None, options: Options, function: str | None, text: bytes | None = None
    ) -> None:
        keys_of = (f"{section}.{bare(name)}" for section, names in options.items() for name in names)
        self.spelling = Spelling(path, frozenset(keys_of))
        self.text = text or (b"" if path is None else _content(path))
        document = {} if path is None else _parsed(path, self.text)
        if "table" in document and function != "table_cells":
            raise self._wrong("table", " makes a table of counts or sums: sqlanon publish and report read it")
        if "tables" in document and function != "person_classes":
            raise self._wrong(
                "tables", " is about several tables: sqlanon check, anonymize and publish read it"
            )
        self.sections = self._sections(document)
        if document.get("confirmed") is False:
            raise self._wrong(
                "confirmed",
                " = false: look at the role of every column, then write confirmed = true, or give --confirm "
                "NAME to sqlanon publish",
            )
        if options.get("method", {}).get("name", self.method) != self.method:
            self.sections["method"] = {}  # the parameters in the file are those of another method
        for section, replacing in options.items():
            replaced = lower(replacing)
            left = {
                name: value for name, value in self.sections[section].items() if name.lower() not in replaced
            }
            self.sections[section] = {**left, **replacing}
        for section, known in schema.sections().items():
            self._check_keys(self.sections[section], known, section)
        self._leave_out(lower(self.sections["input"].get("gone", [])))
        limits.add(self.sections["limits"])
        self._check_roles()
        self.profile = self._profile()
        self._check_requirements()
        self._check_columns_of_parameters()
        self.population_weight = self.sections["requirements"].pop("population_weight", None)
        self.rules = self._rules()
        if function is None:
            self._check_method()
            self._check_sample_leaves()
        self._find_scheme()
        self.masks = self._masks()
        self.direct = self._direct()
        self.hierarchies = self._hierarchies()
        self.population = self._table_in_file("requirements", "population")
        is_last = self.sections["method"].get("based_on") == schema.REGISTER
        self.based_on = (
            self.sections["method"].pop("based_on") if is_last else self._table_in_file("method", "based_on")
        )
        self.known: str | None = self.sections["requirements"].pop("known", None)
        self.tolerated = self._tolerated()
        self.accepted = self._accepted()
        self._check_judge()

    @property
    def method(self) -> Any:
        """The method's name."""
        return self.sections["method"].get("name", schema.METHODS[0])

    def _wrong(self, key: str, message: str) -> UseError:
        return self.spelling.wrong(key, message)

    def _sections(self, document: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
        """The tables of the document, all of them."""
        names = ("masks", "direct", "hierarchies", "tolerated", "accepted", *schema.sections())
        others = ("dp", "table", "tables", "dates", "items", "series", "answers")
        self._check_names(document, ("confirmed", *names, *others), "")
        if "dp" in document and self.spelling.path is not None:
            randomized.check(document["dp"], self.spelling.path)
        if "answers" in document and self.spelling.path is not None:
            answers.check(document["answers"], self.spelling.path)
        confirmed = document.get("confirmed", True)
        if not isinstance(confirmed, bool) and not (isinstance(confirmed, str) and confirmed.strip()):
            said = f" must be true, false, or who has confirmed the roles, not {shown(confirmed)}"
            raise self._wrong("confirmed", said)
        for name, table in document.items():
            if name in names and not isinstance(table, dict):
                raise self._wrong(name, f" must be a table, [{name}], not {shown(table)}")
        return {name: dict(document.get(name, {})) for name in names}

    def _check_names(self, table: Mapping[str, Any], known: Collection[str], at: str) -> None:
        """Is every key of a table known? `at`: the table's own key and a dot, or nothing."""
        sections = {} if at.startswith(("hierarchies.", "masks.")) else schema.sections()
        elsewhere = {name: f"{section}.{name}" for section, names in sections.items() for name in names}
        here = {name: at + name for name in known}
        for name in table:
            if name not in known:
                near = nearest(name, here) if name not in elsewhere else None
                meant = here.get(near or "") or elsewhere.get(nearest(name, elsewhere) or "")
                hint = f"did you mean {meant}?" if meant else f"known are {', '.join(known)}"
                raise self._wrong(at + bare(name), f" is not known; {hint}")

    def _check_keys(self, table: Mapping[str, Any], known: Mapping[str, Key], at: str) -> None:
        """Is every key of a table known, and of the right type?"""
        self._check_names(table, known, f"{at}.")
        for name, value in table.items():
            if problem := schema.trouble(value, known[name]):
                raise self._wrong(f"{at}.{name}", f" {problem}")

    def _leave_out(self, gone: Collection[str]) -> None:
        """Columns that files have no more: no key is about them, but for how values are read, as files of
        before have them. A unit has to be there."""
        if not gone:
            return
        if (unit := self.sections["roles"].get("unit", "")).lower() in gone:
            raise self._wrong("input.gone", f" names {unit}, which says whose a row is (roles.unit)")

        def left(value: Any) -> Any:
            if isinstance(value, dict):
                return {name: each for name, each in value.items() if name.lower() not in gone}
            if isinstance(value, list):
                return [each for each in value if not (isinstance(each, str) and each.lower() in gone)]
            return value

        for section in ("masks", "direct", "hierarchies"):
            self.sections[section] = left(self.sections[section])
        for section in ("roles", "method", "judge", "input"):
            # what is said of their values is about releases of before
            of_columns = self.sections[section].keys() - {*OF_FILES, "gone", "values_may_change"}
            self.sections[section] |= {name: left(self.sections[section][name]) for name in of_columns}

    def _check_roles(self) -> None:
        """There are quasi-identifiers, and a column has one role."""
        if not self.sections["roles"].get("qi"):
            if self.spelling.path is None:
                raise UseError("Missing option '--qi'.")
            raise self._wrong(
                "roles.qi", ' names no column: name the quasi-identifiers, such as ["age", "zip"]'
            )
        role_of: dict[str, str] = {}
        for role, columns in self._columns_of_roles().items():
            for column in columns:
                other = role_of.get(column.lower())
                if other and not (other == "keep" and role in ROLES_OF_SAMPLES):
                    already = self.spelling(f"roles.{other}")
                    raise self._wrong(
                        f"roles.{role}", f": column {column} is in {already} already, and has one role"
                    )
                role_of[column.lower()] = role

    def _columns_of_roles(self) -> dict[str, list[str]]:
        """Role -> its columns; a unit or a weight is one."""
        named = sorted(self.sections["roles"].items(), key=lambda role: role[0] in ROLES_OF_SAMPLES)
        return {role: [columns] if isinstance(columns, str) else columns for role, columns in named}

    def _profile(self) -> Profile | None:
        """The profile, by which k is required if the policy does not say more."""
        requirements = self.sections["requirements"]
        profile = profiles().get(requirements.pop("profile", ""))
        if profile is None:
            return None
        if profile.global_risk is not None:
            most = requirements.setdefault("global_risk", profile.global_risk)
            if most > profile.global_risk:
                at_most = f" = {most:g}: profile {profile.profile} allows at most {profile.global_risk:g}"
                raise self._wrong("requirements.global_risk", at_most)
        instead = requirements.get("average_risk") if profile.average_risk is not None else None
        if instead is not None:
            if profile.average_risk is not None and instead > profile.average_risk:
                at_most = f" = {instead:g}: profile {profile.profile} allows at most {profile.average_risk:g}"
                raise self._wrong("requirements.average_risk", at_most)
        elif "k" not in requirements:
            # Safe Harbor has rules of its own, and every class has a row
            requirements["k"] = profile.k or 1
        elif profile.k is not None and requirements["k"] < profile.k:
            or_average = (
                f", or average_risk = {profile.average_risk:g}" if profile.average_risk is not None else ""
            )
            least = f" = {requirements['k']}: profile {profile.profile} requires at least {profile.k}"
            raise self._wrong("requirements.k", least + or_average)
        return profile

    def _rules(self) -> Rules:
        """What is required of the release as a whole."""
        requirements = self.sections["requirements"]
        is_harbor = self.profile is not None and self.profile.safe_harbor
        if "zip_populations" in requirements and not is_harbor:
            raise self._wrong("requirements.zip_populations", " needs profile hipaa-safe-harbor")
        populations = requirements.pop("zip_populations", None)
        if populations is not None:
            populations = as_pattern(Path(self._file(populations, "requirements.zip_populations")))
        risks = {name: requirements.pop(name) for name in RISKS if name in requirements}
        if "risk_threshold" in requirements and "records_at_risk" not in risks:
            raise self._wrong(
                "requirements.risk_threshold", f" needs {self.spelling('requirements.records_at_risk')}"
            )
        threshold = requirements.pop("risk_threshold", Rules.risk_threshold)
        average_risk = requirements.pop("average_risk", None)
        return Rules(average_risk, is_harbor, populations, risks, threshold, self._sample_of(risks))

    def _sample_of(self, risks: Mapping[str, float]) -> dict[str, str]:
        """The columns of a sample by which these risks are measured: none, if it is none."""
        roles = self.sections["roles"]
        if "sampling_weight" not in roles:
            for name in risks:
                if name in OF_SAMPLES:
                    needed = self.spelling("roles.sampling_weight")
                    raise self._wrong(f"requirements.{name}", f" needs {needed}: it is about a sample")
            return {}
        if risks and "unit" in roles:
            name = next(iter(risks))
            other = self.spelling("roles.sampling_weight")
            raise self._wrong(
                f"requirements.{name}", f": {self.spelling('roles.unit')} does not go with {other}"
            )
        return {role: roles[role] for role in ROLES_OF_SAMPLES if role in roles}

    def _check_sample_leaves(self) -> None:
        """The risk of a release is measured by its own columns."""
        keep = lower(self.sections["roles"].get("keep", []))
        for role, column in self.rules.sample.items():
            if self.rules.risks and column.lower() not in keep:
                name = next(iter(self.rules.risks))
                needed = f"{column} ({self.spelling(f'roles.{role}')}) in {self.spelling('roles.keep')}"
                raise self._wrong(f"requirements.{name}", f" needs {needed}: it is measured on the release")

    def _check_requirements(self) -> None:
        """A requirement has what it is about."""
        requirements = self.sections["requirements"]
        for names, needed in (
            ([model.id for model in having("values", "shares", "known")], "roles.sensitive"),
            ([model.id for model in having("population")], "requirements.population"),
            *(([model.id], f"requirements.{model.needs}") for model in models() if model.needs),
            (["population_weight"], "requirements.population"),
            (["bcf_k"], "method.based_on"),
        ):
            section, _, key = needed.partition(".")
            for name in requirements:
                if name in names and self.sections[section].get(key) in (None, []):
                    raise self._wrong(f"requirements.{name}", f" needs {self.spelling(needed)}")

    def _check_columns_of_parameters(self) -> None:
        """Levels, weights and strata are those of quasi-identifiers; a target leaves unchanged; what has
        distinct spellings has a role."""
        roles = self.sections["roles"]
        every = [each for named in roles.values() for each in ([named] if isinstance(named, str) else named)]
        for column in self.sections["requirements"].get("distinct_spellings", []):
            if column.lower() not in lower(every):
                hint = suggestion(column, every)
                raise self._wrong("requirements.distinct_spellings", f": {column} has no role{hint}")
        qi, unchanged = roles["qi"], [*roles.get("sensitive", []), *roles.get("keep", [])]
        target = self.sections["method"].get("target")
        if target is not None and target.lower() not in lower(unchanged):
            neither = f"in neither {self.spelling('roles.sensitive')} nor {self.spelling('roles.keep')}"
            raise self._wrong("method.target", f": {target} is {neither}{suggestion(target, unchanged)}")
        if "household_qi" in self.sections["method"] and "household" not in roles:
            needed = self.spelling("roles.household")
            raise self._wrong("method.household_qi", f" needs {needed}: the column that names the household")
        for name, value in self.sections["method"].items():
            for column in value if isinstance(value, dict) or name in OF_QI else ():
                if column.lower() not in lower(qi):
                    hint = suggestion(column, qi)
                    raise self._wrong(
                        f"method.{name}", f": {column} is not in {self.spelling('roles.qi')}{hint}"
                    )

    def _check_method(self) -> None:
        """The method takes the keys of the policy, and has those that it needs."""
        sections = ("requirements", "method", "output")
        keys = {
            name: f"{section}.{name}"
            for section in sections
            for name in self.sections[section]
            if name != "name"
        }
        for column in self.sections["hierarchies"]:
            keys["hierarchies"] = f"hierarchies.{bare(column)}"
        for name, at in keys.items():
            if name not in parameters_of(self.method):
                others = ", ".join(method for method in schema.METHODS if name in parameters_of(method))
                raise self._wrong(at, f" is for {others}, not for {self.method}")
        if not self.sections["requirements"].keys() - {*SETTINGS, "population", "known"}:
            if self.spelling.path is None:
                raise UseError("give a requirement, such as --k 5")
            raise self._wrong("requirements", " is empty: give a requirement, such as k = 5")
        for name, parameter in _signature(self.method).items():
            for section in sections:
                if (
                    name in schema.sections()[section]
                    and parameter.default is parameter.empty
                    and name not in keys
                ):
                    raise self._wrong(
                        "method.name", f" {self.method} needs {self.spelling(f'{section}.{name}')}"
                    )

    def _each(self, section: str, what: str) -> Iterator[tuple[str, Any, str]]:
        """What a section says of each column, and its dotted key. Errors: UseError for one that is twice."""
        named: set[str] = set()
        for column, said in self.sections[section].items():
            at = f"{section}.{bare(column)}"
            if column.lower() in named:
                raise self._wrong(at, f": {column} has a {what} already")
            named.add(column.lower())
            yield column, said, at

    def _masks(self) -> dict[str, dict[str, Any]]:
        """What each mask is: a method and its keys, for a column that has no role."""
        role_of = {
            column.lower(): role for role, names in self._columns_of_roles().items() for column in names
        }
        masks: dict[str, dict[str, Any]] = {}
        for column, mask, at in self._each("masks", "mask"):
            if role := role_of.get(column.lower()):
                already = self.spelling(f"roles.{role}")
                raise self._wrong(at, f": column {column} is in {already} already, and has one role")
            if not isinstance(mask, dict):
                raise self._wrong(at, f" must be a table, not {shown(mask)}")
            if "method" not in mask:
                raise self._wrong(at, f" needs method, one of {', '.join(schema.MASKS)}")
            if problem := schema.trouble(mask["method"], Key(str, "", choices=tuple(schema.MASKS))):
                raise self._wrong(f"{at}.method", f" {problem}")
            self._check_keys(mask, {"method": Key(str, ""), **schema.MASKS[mask["method"]]}, at)
            masks[column] = dict(mask)
        return masks

    def _direct(self) -> dict[str, str]:
        """Why columns may leave that name people: each is one that leaves unchanged, or as a mask."""
        roles = self.sections["roles"]
        leaving = [*roles.get("sensitive", []), *roles.get("keep", []), *self.sections["masks"]]
        roles_are_options = any(self.spelling.is_option(f"roles.{role}") for role in ("sensitive", "keep"))
        direct: dict[str, str] = {}
        for column, why, at in self._each("direct", "reason"):
            if problem := schema.trouble(why, Key(str, "")):
                raise self._wrong(at, f" {problem}")
            if not why.strip():
                raise self._wrong(at, " is empty: say why the column may leave although it names people")
            if column.lower() not in lower(leaving):
                if roles_are_options:
                    continue  # it may have been for a column that the options leave out
                sensitive, keep = self.spelling("roles.sensitive"), self.spelling("roles.keep")
                hint = suggestion(column, leaving)
                raise self._wrong(at, f": {column} is in none of {sensitive}, {keep} and masks{hint}")
            direct[column] = why
        return direct

    def _hierarchies(self) -> dict[str, dict[str, Any]]:
        """What each hierarchy is made of: keys that go together, and a file that is there."""
        may_have = lower([*self.sections["roles"]["qi"], *self.sections["roles"].get("sensitive", [])])
        roles_are_options = any(self.spelling.is_option(f"roles.{role}") for role in ("qi", "sensitive"))
        hierarchies: dict[str, dict[str, Any]] = {}
        for column, made_of, at in self._each("hierarchies", "hierarchy"):
            if column.lower() not in may_have:
                if roles_are_options and not self.spelling.is_option(at):
                    continue  # it may have been for a column that the options leave out
                qi, sensitive = self.spelling("roles.qi"), self.spelling("roles.sensitive")
                neither = f"{column} is in neither {qi} nor {sensitive}"
                near = nearest(column, {*may_have} - lower(self.sections["hierarchies"]))
                if near is not None or self.spelling.is_option(at):
                    raise self._wrong(at, f": {neither}" + (f"; did you mean {near}?" if near else ""))
                remark(f"{self.spelling.path}: {at} is not used, as {neither}")
                continue
            if not isinstance(made_of, dict):
                raise self._wrong(at, f" must be a table, not {shown(made_of)}")
            every = {**schema.HIERARCHIES, **schema.BUILDERS}
            self._check_names(made_of, [name for known in every.values() for name in known], f"{at}.")
            kinds = [kind for kind in schema.HIERARCHIES if kind in made_of]
            if len(kinds) != 1:
                has = " and ".join(kinds) or "none of them"
                raise self._wrong(at, f" must have one of {', '.join(schema.HIERARCHIES)}; it has {has}")
            known = schema.HIERARCHIES[kinds[0]]
            self._check_keys({kinds[0]: made_of[kinds[0]]}, known, at)
            self._check_keys(made_of, {**known, **schema.BUILDERS.get(str(made_of.get("builder")), {})}, at)
            if made_of.get("builder") == "interval" and not made_of.keys() & {"widths", "breaks"}:
                raise self._wrong(at, " needs widths, such as widths = [5, 10, 20], or breaks")
            if made_of.get("values") == {}:
                raise self._wrong(f"{at}.values", " is empty")
            hierarchies[column] = dict(made_of)
            if "file" in made_of:
                hierarchies[column]["file"] = self._file(made_of["file"], f"{at}.file")
        return hierarchies

    def _file(self, path: str | Path, at: str) -> str:
        """The path of a file that is there."""
        file = self.spelling.folder(at) / path
        if not file.is_file():
            raise self._wrong(at, f": there is no file {file}")
        return str(file)

    def _find_scheme(self) -> None:
        """The scheme is a file that is there, with types of its own, or that of the last release."""
        scheme = self.sections["method"].get("scheme")
        if scheme not in (None, schema.REGISTER):
            if not scheme.lower().endswith(".parquet"):
                raise self._wrong("method.scheme", f" must be a .parquet file, not {scheme}")
            self.sections["method"]["scheme"] = self._file(scheme, "method.scheme")

    def _tolerated(self) -> dict[str, float]:
        """The most that is tolerated of measures of attacks, by attack.measure."""
        tolerated: dict[str, float] = {}
        # which reads all of sql/
        known = [*comments.attacks(), *plugins.plug_ins("attack")] if self.sections["tolerated"] else []
        stated = dict(self.sections["tolerated"])
        level = stated.pop("level", None)
        if level is not None:
            if problem := schema.trouble(level, Key(str, "", choices=tuple(levels.LEVELS))):
                raise self._wrong("tolerated.level", f" {problem}")
            tolerated |= levels.bounds_of(level, self.sections["roles"].get("unit"))
        for attack, measures in stated.items():
            at = f"tolerated.{bare(attack)}"
            if not isinstance(measures, dict):
                raise self._wrong(at, f" must be a table of measure = number, not {shown(measures)}")
            if attack not in known:
                raise self._wrong(at, f" is no attack{suggestion(attack, known)}")
            for id, most in measures.items():
                if not (of_attack := comments.measures(attack)).fullmatch(id):
                    raise self._wrong(at, f" {no_measure(id, of_attack.pattern)}")
                if problem := schema.trouble(most, Key(float, "", 0)):
                    raise self._wrong(f"{at}.{bare(id)}", f" {problem}")
                tolerated[f"{attack}.{id}"] = most
        return tolerated

    def _accepted(self) -> dict[str, str]:
        """Why it is accepted that something is not known, by its name: attack.id."""
        accepted: dict[str, str] = {}
        for attack, reasons in self.sections["accepted"].items():
            at = f"accepted.{bare(attack)}"
            if not isinstance(reasons, dict):
                raise self._wrong(at, f' must be a table of name = "reason", not {shown(reasons)}')
            for id, reason in reasons.items():
                if not isinstance(reason, str) or not reason.strip():
                    raise self._wrong(f"{at}.{bare(id)}", " must say why, in a text")
                accepted[f"{attack}.{id}"] = reason
        return accepted

    def _check_judge(self) -> None:
        """Columns of [judge] leave unchanged, sets of columns have two, none both the same and different, and
        the register can distinguish people whom it keeps."""
        roles, judge = self.sections["roles"], self.sections["judge"]
        gone = self.sections["input"].get("gone", [])
        leaving = lower([*roles.get("sensitive", []), *roles.get("keep", []), *self.masks, *gone])
        for name in judge.get("values_may_change", []):
            if name.lower() not in leaving:
                raise self._wrong("judge.values_may_change", f" names {name}, which does not leave unchanged")
        same, different = ([lower(names) for names in judge.get(key, [])] for key in COLUMN_SETS)
        for key, sets in zip(COLUMN_SETS, (same, different), strict=True):
            if any(len(names) < 2 for names in sets):
                raise self._wrong(f"judge.{key}", ' must have sets of columns, such as [["ssn", "nr"]]')
        for both in (one & other for one in same for other in different):
            if len(both) > 1:
                named = ", ".join(sorted(both))
                raise self._wrong("judge.different_columns", f" names {named}, which are in same_columns")
        if (new := judge.get("new_rows")) is not None:
            others = [each for name in roles.values() for each in ([name] if isinstance(name, str) else name)]
            if new.lower() in lower([*others, *self.masks]):
                raise self._wrong("judge.new_rows", f": {new} has a role, or a mask, and would leave")
            if self.based_on is not None:
                raise self._wrong("judge.new_rows", ": rows that are new are in no class of earlier releases")
        if judge.get("keep_people") and not (roles.get("unit") or roles.get("identifier")):
            wanted = " needs roles.identifier or roles.unit, which tell who somebody is"
            raise self._wrong("judge.keep_people", wanted)

    def _table_in_file(self, section: str, key: str) -> str | None:
        """A file that is there, or file.duckdb::table: what the key says, which is taken out."""
        text = self.sections[section].pop(key, None)
        if text is None:
            return None
        source = place(text)
        path = self._file(source.path, f"{section}.{key}")
        return f"{path}::{source.table}" if source.table else path


def document_of(path: Path, text: bytes | None = None) -> tuple[dict[str, Any], bytes]:
    """What a policy says, unchecked, and its text. text: as of the file, if it is not to be read from there.
    Errors: UseError, if it is not TOML."""
    text = _content(path) if text is None else text
    return _parsed(path, text), text


def read_randomized(path: Path) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """[dp] of a policy, and its [input]; nothing else of it is looked at. Errors: UseError."""
    document, _ = document_of(path)
    if "dp" not in document:
        raise UseError(f"{path} has no [dp]: say epsilon, source and unit there, or give them as options")
    if document.get("confirmed") is False:
        raise UseError(f"{path}: confirmed = false: look at everything, then write confirmed = true")
    of_files = _checked(document, "input", {name: schema.INPUT[name] for name in OF_FILES}, f"{path}: input.")
    limits.add(check_limits(document, f"{path}: limits."))
    return randomized.check(document["dp"], path), of_files


def read_answers(path: Path) -> answers.Answers:
    """[answers] of a policy; nothing of how the release is made is looked at. Errors: UseError."""
    document, _ = document_of(path)
    return answers.read(document, path)


# The keys of [input] that say how files are read.
OF_FILES = (
    "types", "names", "encoding", "missing", "trim", "fold", "missing_in", "digits", "rename", "called",
    "only_table",
)  # fmt: skip


def check_input(options: Options) -> dict[str, Any]:
    """How text files are read, for a command that has nothing else of a policy. Errors: UseError."""
    return _checked(options, "input", {name: schema.INPUT[name] for name in OF_FILES}, "--")


def check_limits(document: Mapping[str, Any], spelled: str = "--") -> dict[str, Any]:
    """[limits] of options, or of a policy of which little else is looked at. Errors: UseError."""
    return _checked(document, "limits", schema.LIMITS, spelled)


def _checked(
    document: Mapping[str, Any], section: str, known: Mapping[str, Key], spelled: str
) -> dict[str, Any]:
    """Of a section, the keys that are known."""
    given = {name: each for name, each in document.get(section, {}).items() if name in known}
    for name, value in given.items():
        if problem := schema.trouble(value, known[name]):
            raise UseError(f"{spelled}{name} {problem}")
    return given
