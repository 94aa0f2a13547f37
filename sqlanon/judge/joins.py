"""By which columns rows of releases are joined: columns of one name that share a value, and columns of two
names that are one, by the policy or by their values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import duckdb

from sqlanon.core.errors import UseError
from sqlanon.core.source import lower
from sqlanon.core.statements import call, execute
from sqlanon.core.suggestions import suggestion
from sqlanon.core.toml import shown

Column: TypeAlias = tuple[int, str]  # of the release of that number
Edge: TypeAlias = tuple[Column, Column]


@dataclass(frozen=True)
class Pair:
    """Columns of two names that may be one, and what they share: values, of so many that one of them has.
    aliases: the columns by which the releases are joined if they are."""

    names: tuple[str, str]
    releases: tuple[str, str]
    shared: int
    values: int
    aliases: Sequence[str]

    def __str__(self) -> str:
        (one, other), (here, there) = self.names, self.releases
        return f"{other} of {there} has {self.shared:,} of the {self.values:,} values of {one} of {here}"


@dataclass
class Joins:
    """Releases as they are joined.

    called: of each release its name; columns: those by which it may be joined. together: names of columns
    that are one by what somebody has said; apart: of those that are not. own: columns of which names tell
    what they are, so that these are not compared: quasi-identifiers and sensitive ones.

    unchanged: the columns of one name by which rows are joined. renamed: of each release what columns are
    called that have a name of theirs, but no value. added: further columns, and what they are copies of.
    pairs: what is guessed. strangers: columns of one name that share few values or none, by which few rows
    are joined, though they may have the same in another form (a time and its day): the name, and releases
    that have it.
    """

    con: duckdb.DuckDBPyConnection
    tables: Sequence[str]
    called: Sequence[str]
    columns: Sequence[Sequence[str]]
    own: Iterable[str]
    together: Sequence[Sequence[str]] = ()
    apart: Sequence[Sequence[str]] = ()
    unchanged: list[str] = field(default_factory=list)
    renamed: Mapping[int, dict[str, str]] = field(default_factory=dict)
    added: Mapping[int, dict[str, str]] = field(default_factory=dict)
    pairs: list[Pair] = field(default_factory=list)
    strangers: list[tuple[str, list[str]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.renamed, self.added = ({i: {} for i in range(len(self.called))} for _ in range(2))
        said = sorted(lower([name for names in self.together for name in names]))
        found = execute(
            self.con,
            call("_columns_sharing_values", list(self.tables), [list(x) for x in self.columns], said),
        )
        self.sharing: dict[Edge, tuple[int, int, bool]] = {
            ((here - 1, one), (there - 1, other)): (shared, smaller, is_pair)
            for here, one, there, other, shared, smaller, is_pair in found
        }
        self._join_of_one_name()
        self._join_of_two_names()

    def _join_of_one_name(self) -> None:
        """Columns of one name are one where they share a value, be it by way of another release. Elsewhere
        the name is a coincidence, as of hashes with different keys."""
        own = lower(self.own)
        having: dict[str, list[Column]] = {}
        for i, columns in enumerate(self.columns):
            for name in columns:
                if name.lower() not in own:
                    having.setdefault(name.lower(), []).append((i, name))
        edges = [edge for edge in self.sharing if _is_of_one_name(edge)]
        alike = [edge for edge in edges if 2 * self.sharing[edge][0] >= self.sharing[edge][1]]
        self._tell_strangers([parts for nodes in having.values() if len(parts := _parts(nodes, alike)) > 1])
        for nodes in having.values():
            for number, part in enumerate(sorted(_parts(nodes, edges), key=len, reverse=True)):
                here, name = part[0]
                if number:
                    name = f"{name} of {self.called[here]}"
                    for i, column in part:
                        self.renamed[i][column] = name
                if len(part) > 1:
                    self.unchanged.append(name)

    def _tell_strangers(self, parts_of: Sequence[Sequence[Sequence[Column]]]) -> None:
        """Hashes with different keys share nothing; other values that share less than half may be written
        otherwise."""
        if not parts_of:
            return
        columns: list[list[str]] = [[] for _ in self.called]
        for i, name in (node for parts in parts_of for part in parts for node in part):
            columns[i].append(name)
        query = call("_columns_without_random_texts", list(self.tables), columns)
        plain = {(number - 1, name) for number, name in execute(self.con, query)}
        for parts in parts_of:
            readable = [kept for part in parts if (kept := [node for node in part if node in plain])]
            if len(readable) > 1:
                names = [self.called[i] for i in sorted(i for part in readable for i, _ in part)]
                self.strangers.append((readable[0][0][1], names))

    def _join_of_two_names(self) -> None:
        together, apart = _sets(self.together), _sets(self.apart)
        said, guessed = [], []
        for edge, (_, _, is_pair) in self.sharing.items():
            names = frozenset(name.lower() for _, name in edge)
            if len(names) == 1 or any(names <= each for each in apart):
                continue
            if any(names <= each for each in together):
                said.append(edge)
            elif is_pair and not self._is_explained(edge):
                guessed.append(edge)
        self.unchanged += [alias for alias, _ in self._aliases(said)]
        by_names: dict[frozenset[str], list[tuple[str, list[Edge]]]] = {}
        for alias, edges in self._aliases(guessed):
            names = frozenset(name.lower() for edge in edges for _, name in edge)
            by_names.setdefault(names, []).append((alias, edges))
        for aliases in by_names.values():
            (here, one), (there, other) = edge = aliases[0][1][0]
            shared, smaller, _ = self.sharing[edge]
            self.pairs.append(
                Pair(
                    (one, other), (self.called[here], self.called[there]), shared, smaller,
                    [alias for alias, _ in aliases],
                )
            )  # fmt: skip

    def _is_explained(self, edge: Edge) -> bool:
        """Has one of two columns a better partner, which has its name?"""
        (here, one), (there, other) = edge
        alike = [((here, one), (there, name)) for name in self.columns[there] if name.lower() == one.lower()]
        alike += [
            ((here, name), (there, other)) for name in self.columns[here] if name.lower() == other.lower()
        ]
        return any(each in self.sharing and self.sharing[each][2] for each in alike)

    def _aliases(self, edges: Sequence[Edge]) -> Iterator[tuple[str, list[Edge]]]:
        """Add a column to releases for what is one by these edges: its name, and the edges that it is for.
        Where that would be two columns of one release, there is one for each edge."""
        nodes = list(dict.fromkeys(node for edge in edges for node in edge))
        for part in _parts(nodes, edges):
            within = [edge for edge in edges if edge[0] in part]
            is_one = len({i for i, _ in part}) == len(part)
            for some in [within] if is_one else [[edge] for edge in within]:
                columns = list(dict.fromkeys(node for edge in some for node in edge))
                alias = " = ".join(dict.fromkeys(name for _, name in columns))
                while any(alias in of_each for of_each in self.added.values()):
                    alias += " "
                for i, name in columns:
                    self.added[i][alias] = name
                yield alias, some


def check_names(named: Mapping[str, Sequence[Sequence[str]]], known: Iterable[str]) -> None:
    """Errors: UseError for a column that is in no release, and not in the table. named: by key."""
    columns = list({name.lower(): name for name in known}.values())
    have = lower(columns)
    for key, sets in named.items():
        for name in (name for names in sets for name in names):
            if name.lower() not in have:
                raise UseError(
                    f"judge.{key} names {name}, which is a column of no release, and not of the table"
                    f"{suggestion(name, columns)}"
                )


def lines_of_policy(pairs: Iterable[Pair]) -> tuple[str, str]:
    """The two lines of a policy of which one is right: these columns are the same, or they are not."""
    sets = shown([list(pair.names) for pair in pairs])
    return f"same_columns = {sets}", f"different_columns = {sets}"


def _is_of_one_name(edge: Edge) -> bool:
    return edge[0][1].lower() == edge[1][1].lower()


def _sets(named: Sequence[Sequence[str]]) -> list[set[str]]:
    return [lower(names) for names in named]


def _parts(nodes: Sequence[Column], edges: Iterable[Edge]) -> list[list[Column]]:
    """The connected parts of a graph; edges of other nodes are left out."""
    part_of = {node: [node] for node in nodes}
    for one, other in edges:
        if one in part_of and other in part_of and part_of[one] is not part_of[other]:
            part_of[one] += part_of[other]
            for node in part_of[other]:
                part_of[node] = part_of[one]
    return list({id(part): part for part in part_of.values()}.values())
