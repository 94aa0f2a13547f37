"""Two examples of each command, which its help ends with. tests/cli/test_examples.py runs them all."""

LINES = """
sqlanon init people.csv -o policy.toml
sqlanon init people.csv --method optimal
sqlanon identifiers people.csv
sqlanon identifiers people.csv --format json
sqlanon safe-harbor people.csv
sqlanon safe-harbor people.csv --populations zip3.csv
sqlanon quasi-identifiers people.csv --columns age,zip,sex
sqlanon quasi-identifiers people.csv --max-size 2
sqlanon uniques people.csv --columns age,zip,sex
sqlanon uniques people.csv --columns age,zip,sex --id name --scores
sqlanon risk people.csv --qi age,zip
sqlanon risk people.csv --qi age,zip --keep name --per-record
sqlanon check people.csv --qi age,zip --sensitive disease
sqlanon check people.csv --qi sex --sensitive disease --k 2 --l 2
sqlanon anonymize people.csv --qi age,zip --sensitive disease --k 2 -o release.csv
sqlanon anonymize people.csv --policy confirmed.toml -o release.parquet
sqlanon scheme release.csv --qi age,zip -o scheme.parquet
sqlanon scheme release.csv --qi age,zip
sqlanon lattice people.csv --qi age --hierarchy age=ages.csv --k 2
sqlanon lattice people.csv --qi age,sex --hierarchy age=ages.csv --k 3 --format json
sqlanon frontier people.csv --qi age,zip --sensitive disease --k 2,3
sqlanon frontier people.csv --qi age,zip --sensitive disease --k 2 -o choice.html
sqlanon utility people.csv release.csv --qi age,zip
sqlanon utility people.csv release.csv --policy confirmed.toml
sqlanon perturb people.csv --method pram --columns sex --keep age,name -o changed.csv
sqlanon perturb people.csv --method round_values --columns age --base 5
sqlanon mask people.csv --partial name=1 --keep age
sqlanon mask people.csv --hash name --key-file key.txt --keep age -o masked.csv
sqlanon disclosure people.csv changed.csv --columns sex --id name
sqlanon disclosure people.csv changed.csv --columns sex,age --id name
sqlanon record-linkage people.csv changed.csv --columns age --id name
sqlanon record-linkage people.csv changed.csv --columns age,sex --id name
sqlanon closest-records people.csv synthetic.csv --held-out others.csv --columns age,zip,disease
sqlanon closest-records people.csv synthetic.csv --held-out others.csv --columns age --format json
sqlanon agreeing-rows people.csv synthetic.csv --columns zip,sex --sensitive disease
sqlanon agreeing-rows people.csv synthetic.csv --columns age --sensitive disease --format json
sqlanon utility-of-synthetic people.csv synthetic.csv --columns age,zip,disease
sqlanon utility-of-synthetic people.csv synthetic.csv --columns sex --format json
sqlanon unicity visits.csv --unit name --columns place
sqlanon unicity visits.csv --unit name --columns place,hour
sqlanon attack release.csv april.csv --targets people.csv --id name --qi age,zip --sensitive disease
sqlanon attack release.csv april.csv --targets people.csv --id name --qi age,zip --sensitive disease \
--kind all
sqlanon attacks
sqlanon attacks linking
sqlanon membership synthetic.csv --targets everybody.csv --id name --columns age,zip --controls held_out
sqlanon membership release.csv --targets everybody.csv --id name --columns age,zip --controls held_out
sqlanon membership-by-counts by_sex.csv --targets everybody.csv --id name --marginal sex --count-column n \
--controls held_out --reference others.csv
sqlanon membership-by-counts by_sex.csv by_zip.csv --targets everybody.csv --id name --marginal sex \
--marginal zip --count-column n --controls held_out --reference others.csv
sqlanon report release.csv april.csv --qi age,zip --sensitive disease --k 2 -o report.html
sqlanon report release.csv --policy confirmed.toml --original people.csv -o one.html
sqlanon publish people.csv --policy confirmed.toml --register register.duckdb --name may -o may.csv
sqlanon publish people.csv --policy confirmed.toml --register register.duckdb -o june.csv --dry-run
sqlanon releases register.duckdb
sqlanon releases register.duckdb --format json
sqlanon register add register.duckdb april.csv --qi age,zip --sensitive disease
sqlanon register locate register.duckdb --targets people.csv --id name
sqlanon audit register.duckdb --targets people.csv --policy confirmed.toml
sqlanon audit register.duckdb --targets people.csv --policy confirmed.toml --format json
sqlanon m-invariant people.csv --id name --qi age,zip --sensitive sex --m 2 --state state.parquet -o first.csv
sqlanon m-invariant people.csv --id name --qi age,zip --sensitive sex --m 2 --previous state.parquet \
--state next.parquet -o second.csv
sqlanon m-invariance first.csv --targets people.csv --id name --qi age,zip --sensitive sex
sqlanon m-invariance first.csv second.csv --targets people.csv --id name --qi age,zip --sensitive sex
sqlanon table suppress people.csv --dimensions zip,sex --threshold 2 -o counts_by_zip.csv
sqlanon table bounds counts_by_zip.csv --dimensions zip,sex
sqlanon budget set budget.duckdb --source people --unit name --epsilon 3 --delta 1e-6
sqlanon budget show budget.duckdb
sqlanon dp counts people.csv --register budget.duckdb --source people --unit name --by sex \
--keys sexes.csv --max-groups 1 --epsilon 1 -o counts.csv
sqlanon dp sums people.csv --register budget.duckdb --source people --unit name --by sex --keys sexes.csv \
--max-groups 1 --epsilon 1 --measure age --bounds 0,100 -o sums.csv
sqlanon count-errors people.csv counts.csv --qi sex
sqlanon count-errors people.csv counts.csv --qi sex --queries 50
sqlanon sql -o sqlanon.sql
sqlanon sql mondrian people.csv --qi age,zip --k 2
sqlanon app
sqlanon app --port 8001
sqlanon demo
sqlanon demo --help
sqlanon reproduce ganta2008 --adult adult.data -o results
sqlanon reproduce ganta2008 --adult adult.data -o results --quick
"""
EXAMPLES: dict[str, list[str]] = {}
for _line in LINES.split("\n")[1:-1]:
    EXAMPLES.setdefault(_line.split()[1], []).append(_line)
