"""Two examples of each command, which its help ends with. tests/cli/test_examples.py runs them all."""

EXAMPLES = {
    "init": (
        "sqlanon init people.csv -o policy.toml",
        "sqlanon init people.csv --method optimal",
    ),
    "identifiers": ("sqlanon identifiers people.csv", "sqlanon identifiers people.csv --format json"),
    "quasi-identifiers": (
        "sqlanon quasi-identifiers people.csv --columns age,zip,sex",
        "sqlanon quasi-identifiers people.csv --max-size 2",
    ),
    "uniques": (
        "sqlanon uniques people.csv --columns age,zip,sex",
        "sqlanon uniques people.csv --columns age,zip,sex --id name --scores",
    ),
    "risk": (
        "sqlanon risk people.csv --qi age,zip",
        "sqlanon risk people.csv --qi age,zip --keep name --per-record",
    ),
    "check": (
        "sqlanon check people.csv --qi age,zip --sensitive disease",
        "sqlanon check people.csv --qi sex --sensitive disease --k 2 --l 2",
    ),
    "anonymize": (
        "sqlanon anonymize people.csv --qi age,zip --sensitive disease --k 2 -o release.csv",
        "sqlanon anonymize people.csv --policy confirmed.toml -o release.parquet",
    ),
    "scheme": (
        "sqlanon scheme release.csv --qi age,zip -o scheme.parquet",
        "sqlanon scheme release.csv --qi age,zip",
    ),
    "lattice": (
        "sqlanon lattice people.csv --qi age --hierarchy age=ages.csv --k 2",
        "sqlanon lattice people.csv --qi age,sex --hierarchy age=ages.csv --k 3 --format json",
    ),
    "frontier": (
        "sqlanon frontier people.csv --qi age,zip --sensitive disease --k 2,3",
        "sqlanon frontier people.csv --qi age,zip --sensitive disease --k 2 -o choice.html",
    ),
    "utility": (
        "sqlanon utility people.csv release.csv --qi age,zip",
        "sqlanon utility people.csv release.csv --policy confirmed.toml",
    ),
    "perturb": (
        "sqlanon perturb people.csv --method pram --columns sex --keep age,name -o changed.csv",
        "sqlanon perturb people.csv --method round_values --columns age --base 5",
    ),
    "mask": (
        "sqlanon mask people.csv --partial name=1 --keep age",
        "sqlanon mask people.csv --hash name --key-file key.txt --keep age -o masked.csv",
    ),
    "disclosure": (
        "sqlanon disclosure people.csv changed.csv --columns sex --id name",
        "sqlanon disclosure people.csv changed.csv --columns sex,age --id name",
    ),
    "record-linkage": (
        "sqlanon record-linkage people.csv changed.csv --columns age --id name",
        "sqlanon record-linkage people.csv changed.csv --columns age,sex --id name",
    ),
    "attack": (
        "sqlanon attack release.csv april.csv --targets people.csv --id name --qi age,zip "
        "--sensitive disease",
        "sqlanon attack release.csv april.csv --targets people.csv --id name --qi age,zip "
        "--sensitive disease --kind all",
    ),
    "attacks": ("sqlanon attacks", "sqlanon attacks linking"),
    "report": (
        "sqlanon report release.csv april.csv --qi age,zip --sensitive disease --k 2 -o report.html",
        "sqlanon report release.csv --policy confirmed.toml --original people.csv -o one.html",
    ),
    "publish": (
        "sqlanon publish people.csv --policy confirmed.toml --register register.duckdb --name may -o may.csv",
        "sqlanon publish people.csv --policy confirmed.toml --register register.duckdb -o june.csv --dry-run",
    ),
    "releases": ("sqlanon releases register.duckdb", "sqlanon releases register.duckdb --format json"),
    "register": (
        "sqlanon register add register.duckdb april.csv --qi age,zip --sensitive disease",
        "sqlanon register locate register.duckdb --targets people.csv --id name",
    ),
    "audit": (
        "sqlanon audit register.duckdb --targets people.csv --policy confirmed.toml",
        "sqlanon audit register.duckdb --targets people.csv --policy confirmed.toml --format json",
    ),
    "m-invariant": (
        "sqlanon m-invariant people.csv --id name --qi age,zip --sensitive sex --m 2 --state state.parquet "
        "-o first.csv",
        "sqlanon m-invariant people.csv --id name --qi age,zip --sensitive sex --m 2 "
        "--previous state.parquet --state next.parquet -o second.csv",
    ),
    "m-invariance": (
        "sqlanon m-invariance first.csv --targets people.csv --id name --qi age,zip --sensitive sex",
        "sqlanon m-invariance first.csv second.csv --targets people.csv --id name --qi age,zip "
        "--sensitive sex",
    ),
    "table": (
        "sqlanon table suppress people.csv --dimensions zip,sex --threshold 2 -o counts_by_zip.csv",
        "sqlanon table bounds counts_by_zip.csv --dimensions zip,sex",
    ),
    "budget": (
        "sqlanon budget set budget.duckdb --source people --unit name --epsilon 3 --delta 1e-6",
        "sqlanon budget show budget.duckdb",
    ),
    "dp": (
        "sqlanon dp counts people.csv --register budget.duckdb --source people --unit name --by sex "
        "--keys sexes.csv --max-groups 1 --epsilon 1 -o counts.csv",
        "sqlanon dp sums people.csv --register budget.duckdb --source people --unit name --by sex "
        "--keys sexes.csv --max-groups 1 --epsilon 1 --measure age --bounds 0,100 -o sums.csv",
    ),
    "count-errors": (
        "sqlanon count-errors people.csv counts.csv --qi sex",
        "sqlanon count-errors people.csv counts.csv --qi sex --queries 50",
    ),
    "sql": ("sqlanon sql -o sqlanon.sql", "sqlanon sql mondrian people.csv --qi age,zip --k 2"),
    "app": ("sqlanon app", "sqlanon app --port 8001"),
    "demo": ("sqlanon demo", "sqlanon demo --help"),
    "reproduce": (
        "sqlanon reproduce ganta2008 --adult adult.data -o results",
        "sqlanon reproduce ganta2008 --adult adult.data -o results --quick",
    ),
}
