"""One session of Spark for all tests of this folder, in this process."""

from __future__ import annotations

import os
import shutil
import sys
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.budget import ON_OLDER

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SETTINGS = {
    "spark.driver.host": "127.0.0.1",
    "spark.driver.memory": "1g",
    "spark.log.level": "ERROR",
    "spark.sql.adaptive.enabled": "false",  # compiled plans, and changing them, pay off on large tables
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "100",  # several for small tables, too
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.shuffle.partitions": "2",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}


def missing() -> str | None:
    """Why there is no Spark here. (Where CI is set the tests run, and fail: on the current line, whose
    environment has it.)"""
    if not ON_OLDER and os.environ.get("CI", "").lower() not in ("", "0", "false"):
        return None
    try:
        import pyspark  # noqa: F401
    except ImportError:
        return "no pyspark: pip install 'sqlanon[spark]'"
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        return "no Java, which Spark runs on: apt-get install openjdk-17-jre-headless"
    return None


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    if reason := missing():
        pytest.skip(reason)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pyspark warns of pandas 3 when it is imported
        from pyspark.sql import SparkSession

        os.environ["PYSPARK_PYTHON"] = sys.executable
        builder = SparkSession.builder.master("local[2]")
        for name, value in SETTINGS.items():
            builder = builder.config(name, value)
        session = builder.getOrCreate()
    yield session
    session.stop()
