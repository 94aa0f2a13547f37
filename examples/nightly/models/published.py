"""Attack, and publish: this model fails if something does not hold, and nothing is out then.

Its table says what the attacks have measured. `dbt build` runs it after the tests of patients.
"""

from typing import Any

import duckdb

import sqlanon


def model(dbt: Any, session: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyRelation:
    published = sqlanon.publish(
        session, dbt.ref("patients"), "policy.toml", register="releases.duckdb",
        output=f"out/{dbt.config.get('night')}.parquet", wait=3600,
    )  # fmt: skip
    return published.relation(session)
