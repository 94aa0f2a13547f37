"""Released as policy.toml says, and attacked together with what is out: if something does not hold, this
model fails, and the table of before stays."""

from typing import Any

import duckdb

import sqlanon.dbt


def model(dbt: Any, session: Any) -> duckdb.DuckDBPyRelation:
    return sqlanon.dbt.release(
        session,
        dbt.ref("patients"),
        "policy.toml",
        previous={"march": dbt.ref("march"), "april": dbt.ref("april")},
    )
