"""Two agencies anonymize what they have of one census, and an adversary joins the two releases.

The experiment of Ganta, Kasiviswanathan and Smith (KDD 2008, section 3) on a generated census. Run it where
sqlanon is installed: python examples/census.py
"""

import warnings

import duckdb

import sqlanon
from sqlanon.experiments import census

QI = ["age", "workclass", "education", "marital_status", "race", "sex", "native_country"]


def main() -> None:
    con = duckdb.connect()
    sqlanon.register(con)
    warnings.simplefilter("ignore", sqlanon.SetsWarning)  # native_country is meant to leave as sets of texts

    # 20,000 generated people. Each agency has the first 4000, and every other one of the rest.
    census.load(con, seed=1, people=20_000)
    con.execute("create table agency_1 as from people where id <= 4000 or id % 2 = 1").fetchall()
    con.execute("create table agency_2 as from people where id <= 4000 or id % 2 = 0").fetchall()
    con.execute("create table targets as from people where id <= 4000").fetchall()

    # Each publishes a release of its own: 10-anonymous, with four occupations or more in every class.
    for agency in (1, 2):
        release = sqlanon.mondrian(
            con, f"agency_{agency}", qi=QI, sensitive="occupation", k=10, l=4, into=f"release_{agency}"
        )
        print(f"{release}\n")

    # An anonymizer verifies its release itself; anybody else can do the same. No rows: it holds.
    print(
        "violations:",
        sqlanon.violations(con, "release_1", qi=QI, sensitive="occupation", k=10, l=4).fetchall(),
    )

    # Who knows the 4000 people by their quasi-identifiers joins the releases.
    releases = ["release_1", "release_2"]
    found = sqlanon.breaches(
        con, releases, targets="targets", id="id", qi=QI, sensitive="occupation", truth="occupation"
    )
    for measure, value, unit in found.select("measure", "value", "unit").fetchall():
        print(f"{measure:<40}", "unknown" if value is None else f"{value:.2f} {unit}")

    # What is known about one of them? Results are relations: they go on in SQL.
    attacked = sqlanon.intersection_attack(
        con, releases, targets="targets", id="id", qi=QI, sensitive="occupation"
    )
    print(
        attacked.filter("drop > 0")
        .order("posterior, id")
        .project("id, prior, posterior, candidates")
        .limit(5)
    )

    con.close()


if __name__ == "__main__":
    main()
