"""A standalone cluster of two workers on this machine; and, as a program, a release that is made there.

`python -m tests.spark.cluster MASTER SOURCE RESULT` makes a release of a file by Mondrian, says line by line
what it does, and writes the rows to a file.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TOLD: dict[str, Any] = {"qi": ["a", "b", "c"], "sensitive": "disease", "keep": "id", "k": 5, "l": 2}
TASK_SIZE = 2000
PATIENCE = 120.0  # seconds until a worker is there


@dataclass
class Cluster:
    """master: its address. workers: each in a group of its own with its executors."""

    master: str
    workers: list[subprocess.Popen[bytes]]

    def kill_a_worker(self) -> None:
        """The worker and its executor, without any warning."""
        os.killpg(self.workers[0].pid, signal.SIGKILL)


@contextmanager
def cluster(folder: Path) -> Iterator[Cluster]:
    """Two workers with a core each, until the end."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    master, host = f"spark://127.0.0.1:{port}", ["--host", "127.0.0.1", "--webui-port", "0"]
    with ExitStack() as stack:
        _started(
            stack, folder, "master", [*host, "--port", str(port)], "org.apache.spark.deploy.master.Master"
        )
        work = [*host, "--cores", "1", "--memory", "700m", master]
        workers = [
            _started(stack, folder, name, work, "org.apache.spark.deploy.worker.Worker")
            for name in ("one", "two")
        ]
        for name in ("one", "two"):
            _wait_for(folder / f"{name}.log", "Successfully registered with master")
        yield Cluster(master, workers)


def _started(
    stack: ExitStack, folder: Path, name: str, options: list[str], main: str
) -> subprocess.Popen[bytes]:
    import pyspark

    home = Path(pyspark.__file__).parent
    settings = {
        "SPARK_HOME": str(home),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_WORKER_DIR": str(folder / name),
        "SPARK_LOCAL_DIRS": str(folder / name),
        "SPARK_DAEMON_MEMORY": "256m",
        "PYSPARK_PYTHON": sys.executable,
    }
    log = stack.enter_context((folder / f"{name}.log").open("wb"))
    command = [str(home / "bin" / "spark-class"), main, *options]
    process = subprocess.Popen(
        command, env={**os.environ, **settings}, stdout=log, stderr=log, start_new_session=True
    )
    stack.enter_context(ended(process))
    return process


@contextmanager
def ended(process: subprocess.Popen[Any]) -> Iterator[None]:
    """At the end a process that leads a group has ended, and so have the others of the group."""
    try:
        yield
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _wait_for(log: Path, text: str) -> None:
    end = time.monotonic() + PATIENCE
    while text not in log.read_text("utf-8", "replace"):
        if time.monotonic() > end:
            raise TimeoutError(
                f"{log.name} does not say {text!r}: {log.read_text('utf-8', 'replace')[-2000:]}"
            )
        time.sleep(0.2)


def main(master: str, source: str, result: str) -> None:
    warnings.simplefilter("ignore")  # pyspark warns of pandas 3
    import pyarrow.parquet as parquet
    from pyspark.sql import SparkSession

    import sqlanon.spark
    from sqlanon.spark.partitioning import Partitioning
    from tests.spark.conftest import SETTINGS

    settings = SETTINGS | {
        "spark.executor.memory": "480m",
        "spark.scheduler.minRegisteredResourcesRatio": "1.0",  # both workers take part from the beginning
        "spark.scheduler.maxRegisteredResourcesWaitingTime": "120s",
        "spark.shuffle.io.retryWait": "1s",  # of the files of a worker that is gone
        "spark.sql.files.maxPartitionBytes": "64k",  # several tasks, also for a small file
        "spark.sql.shuffle.partitions": "4",
    }
    os.environ["PYSPARK_PYTHON"] = sys.executable  # of the executors
    builder = SparkSession.builder.master(master)
    for name, value in settings.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    cut = Partitioning.legal

    def legal(run: Partitioning, tuples: Any) -> Any:
        print(f"round {run.rounds}", flush=True)
        return cut(run, tuples)

    Partitioning.legal = legal  # type: ignore[assignment,method-assign]
    made = sqlanon.spark.mondrian(spark.read.parquet(source), task_size=TASK_SIZE, **TOLD)
    parquet.write_table(made.df().toArrow(), result)
    print(f"done after {made.details['rounds']} rounds", flush=True)
    spark.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
