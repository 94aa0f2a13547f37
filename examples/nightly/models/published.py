"""Attack, and publish: this model fails if something does not hold, and nothing is out then.

Its table says what the attacks have measured. `dbt build` runs it after the tests of patients.
"""

from typing import Any

import duckdb

import sqlanon.dbt


def model(dbt: Any, session: Any) -> duckdb.DuckDBPyRelation:
    con = sqlanon.dbt.connection(session)
    published = sqlanon.publish(
        con, dbt.ref("patients"), "policy.toml", register="releases.duckdb",
        output=f"out/{dbt.config.get('night')}.parquet", wait=3600,
    )  # fmt: skip
    return published.relation(con)
