"""DuckDB on the driver: counts come in from Spark, and the answers of macros go out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, TypeAlias

import duckdb
import pyarrow as pa
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import StringType
from sqlglot import exp

from sqlanon.core.answer import naming_tables
from sqlanon.core.errors import InputError, titled
from sqlanon.core.frames import refuse_ambiguous
from sqlanon.core.library import register
from sqlanon.core.source import Source, fresh_name, lower, named
from sqlanon.core.statements import answer, call, create, execute, literal, named_table, select
from sqlanon.core.tables import WorkTables
from sqlanon.spark.release import Release

SparkSource: TypeAlias = DataFrame | Release  # and where it is small, whatever DuckDB takes


class Driver:
    """A connection of its own, with the macros, for the time of one call.

    con: of DuckDB. work: its temporary tables. spark: the session. n: the column of counts that tells how
    many rows have a combination.
    """

    def __init__(self, spark: SparkSession, stack: ExitStack) -> None:
        self.spark, self.n = spark, fresh_name("n")
        self.con = stack.enter_context(duckdb.connect())
        # points in time are spelled in the time zone of the session, here as there
        zone = spark.conf.get("spark.sql.session.timeZone")
        execute(self.con, exp.Set(expressions=[exp.SetItem(this=exp.EQ(
            this=exp.column("TimeZone"), expression=literal(zone)))]))  # fmt: skip
        register(self.con)
        self.work = stack.enter_context(WorkTables(self.con))
        self._stack = stack
        self._titles: dict[str, str] = {}
        stack.enter_context(titled(self._titles))

    def bring(self, frame: DataFrame | pa.Table, title: str) -> str:
        """The rows of a small DataFrame as a table of DuckDB: its name, which errors call by the title."""
        table = frame.toArrow() if isinstance(frame, DataFrame) else frame
        with named(self.con, table) as arrow:
            return self.made(select(named_table(arrow)), title)

    def other(self, source: Source, title: str) -> str | None:
        """The name of a further source: a DataFrame of Spark comes as it is."""
        if source is None:
            return None
        if isinstance(source, DataFrame | Release):
            return self.bring(of_spark(source, title), title)
        name = self._stack.enter_context(named(self.con, source))
        self._titles[name] = title
        return name

    def counted(self, frame: DataFrame, columns: Sequence[str], title: str) -> str:
        """The distinct combinations of columns, with the rows that have them in the column n."""
        counts = frame.groupBy(*self.columns(frame, columns, title)).agg(F.count("*").alias(self.n))
        return self.bring(counts, title)

    def repeated(self, frame: DataFrame, columns: Sequence[str], title: str) -> str:
        """A view of the combinations of columns, each as often as there are rows with it."""
        return self.rows_of(self.counted(frame, columns, title), title)

    def rows_of(self, counts: str, title: str) -> str:
        """A table of counts as a view with each combination as often as there are rows."""
        name = self.view(call("_counted_rows", counts, self.n))
        self._titles[name] = title
        return name

    def view(self, query: exp.Expression, name: str | None = None) -> str:
        """The name of a query, whose rows nobody keeps."""
        name = name or fresh_name("view")
        temporary = exp.Properties(expressions=[exp.TemporaryProperty()])
        view = exp.Create(this=named_table(name), kind="VIEW", expression=query, properties=temporary)
        execute(self.con, view)
        return name

    def made(self, query: exp.Expression, title: str) -> str:
        """The name of a table with the rows of a query, which errors call by the title."""
        purpose = fresh_name("made")
        self._titles[self.work.make(purpose, query).name] = title
        return self.work.name(purpose)

    def columns(self, frame: DataFrame, names: Iterable[str], title: str) -> list[Column]:
        """Columns of a DataFrame by the names of a user, under these names. Errors: InputError."""
        known = {name.lower(): name for name in frame.columns}
        wanted = list(dict.fromkeys(names))
        if lower(wanted) - known.keys():  # DuckDB says it as everywhere
            empty = pa.table({name: pa.array([], pa.int32()) for name in frame.columns})
            quoted = (exp.column(name, quoted=True) for name in wanted)
            bound = self.bring(empty, title)
            with naming_tables(self.con, {bound: title}):
                execute(self.con, select(named_table(bound), *quoted))
        return [column(known[name.lower()]).alias(name) for name in wanted]

    def frame(self, query: exp.Expression) -> DataFrame:
        """The rows of a query as a DataFrame of Spark."""
        return to_spark(self.spark, self.arrow(query))

    def arrow(self, query: exp.Expression) -> pa.Table:
        """The rows of a query. Errors: as in execute."""
        made = self.work.name("brought")
        execute(self.con, create(named_table(made), query, temporary=True, replace=True))
        self.work.discard_later(named_table(made))
        return answer(self.con, select(named_table(made))).to_arrow_table()


def to_spark(spark: SparkSession, table: pa.Table) -> DataFrame:
    """A table as a DataFrame of Spark, which takes none without chunks."""
    if not table.num_rows:
        table = pa.Table.from_batches([pa.RecordBatch.from_pylist([], schema=table.schema)])
    return spark.createDataFrame(table)


@contextmanager
def driver(frame: DataFrame) -> Iterator[Driver]:
    """DuckDB beside the session of a DataFrame, until the end of one call."""
    with ExitStack() as stack:
        yield Driver(frame.sparkSession, stack)


def refuse_households(others: Mapping[str, Any]) -> None:
    """Errors: InputError where rows are of households: combinations are counted, whoever has them."""
    if others.get("household") is not None:
        raise InputError(
            "household is for tables in DuckDB: on Spark combinations are counted, not households"
        )


def of_spark(source: Any, title: str = "source") -> DataFrame:
    """A source as a DataFrame of Spark. Errors: InputError for anything else."""
    frame = source.df() if isinstance(source, Release) else source
    if not isinstance(frame, DataFrame):
        raise InputError(
            f"{title} is a DataFrame of Spark, not this {type(source).__name__}: what is no larger than one "
            "machine goes to the function of this name in sqlanon"
        )
    if type(frame).__module__.startswith("pyspark.sql.connect."):
        raise InputError(
            "sqlanon.spark takes DataFrames of a session in this process, not of Spark Connect: submit the "
            "job to the cluster (spark-submit)"
        )
    refuse_ambiguous(frame)
    return frame


def column(name: str) -> Column:
    """A column by its exact name, whatever characters that has."""
    return F.col("`" + name.replace("`", "``") + "`")


def refuse_collations(frame: DataFrame, qi: Iterable[str]) -> None:
    """InputError where texts that differ are equal to Spark: they would be released as one of them."""
    names = lower(qi)
    for each in frame.schema.fields:
        if (
            each.name.lower() in names
            and isinstance(each.dataType, StringType)
            and getattr(each.dataType, "collation", "UTF8_BINARY") != "UTF8_BINARY"
        ):
            raise InputError(
                f'column "{each.name}" has the collation {each.dataType.collation}, by which texts that '
                "differ are equal: cast it, F.collate(column, 'UTF8_BINARY')"
            )
