"""Two examples of each command, which its help ends with. tests/cli/test_examples.py runs them all."""

LINES = """
sqlanon init people.csv -o policy.toml
sqlanon init people.csv --sensitive disease --method optimal
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
sqlanon frontier people.csv --qi age,zip --sensitive disease --k 2,3 --all-rows
sqlanon frontier people.csv --qi age,zip --sensitive disease --k 2 --all-rows -o choice.html
sqlanon utility people.csv release.csv --qi age,zip
sqlanon utility people.csv release.csv --policy confirmed.toml
sqlanon perturb people.csv --method pram --columns sex --keep age,name -o changed.csv
sqlanon perturb people.csv --method round_values --columns age --base 5
sqlanon mask people.csv --partial name=1 --keep age
sqlanon mask people.csv --hash name --key-file key.txt --keep age -o masked.csv
sqlanon suppress people.csv --qi age,zip --keep disease --max-risk 0.5 -o safe.csv
sqlanon suppress people.csv --qi age,zip --max-risk 0.5 --risk-formula exact
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
sqlanon ask "select disease, count(*) from people where age > 25 group by disease" --policy answers.toml
sqlanon ask "select count(*) from people where not age < 30" --policy answers.toml --register register.duckdb
sqlanon answers register.duckdb
sqlanon answers register.duckdb --format json
sqlanon releases register.duckdb
sqlanon releases register.duckdb --format json
sqlanon register add register.duckdb april.csv --qi age,zip --sensitive disease
sqlanon register add register.duckdb theirs.csv --qi alter=age,plz=zip --sensitive illness
sqlanon register add-table register.duckdb by_sex.csv --dimensions sex --value n
sqlanon register add-table register.duckdb by_zip.csv --dimensions zip --value n --period 2026-01
sqlanon register proposals register.duckdb theirs
sqlanon register proposals register.duckdb theirs --format csv
sqlanon register map register.duckdb theirs --names illness=disease
sqlanon register map register.duckdb theirs --values spellings.csv --formats age=range
sqlanon register locate register.duckdb --targets people.csv --id name
sqlanon register locate register.duckdb --targets people.csv --id name --format json
sqlanon register forget register.duckdb who.csv --policy keeping.toml
sqlanon register forget register.duckdb who.csv --policy keeping.toml --wait 60
sqlanon register withdraw register.duckdb april
sqlanon register withdraw register.duckdb 1
sqlanon audit register.duckdb --targets people.csv --policy confirmed.toml
sqlanon audit register.duckdb --targets people.csv --policy confirmed.toml -o audit.html --language de
sqlanon m-invariant people.csv --id name --qi age,zip --sensitive sex --m 2 --state state.parquet -o first.csv
sqlanon m-invariant people.csv --id name --qi age,zip --sensitive sex --m 2 --previous state.parquet \
--state next.parquet -o second.csv
sqlanon m-invariance first.csv --targets people.csv --id name --qi age,zip --sensitive sex
sqlanon m-invariance first.csv second.csv --targets people.csv --id name --qi age,zip --sensitive sex
sqlanon table cells people.csv --dimensions zip,sex -o cells.csv
sqlanon table cells people.csv --dimensions zip,sex --measure age
sqlanon table unsafe people.csv --dimensions zip,sex --threshold 2
sqlanon table unsafe people.csv --dimensions sex --measure age --dominance 75,85
sqlanon table suppress people.csv --dimensions zip,sex --threshold 2 -o hidden.csv
sqlanon table suppress people.csv --dimensions sex --measure age --p 10
sqlanon table bounds hidden.csv --dimensions zip,sex
sqlanon table bounds rounded.csv --dimensions zip,sex --base 5 --page rounded.html --language fr
sqlanon table round people.csv --dimensions zip,sex --base 5
sqlanon table round people.csv --dimensions sex --base 3 --rounding controlled
sqlanon table keys people.csv --dimensions zip,sex --unit name --key-file key.txt --largest 2 --variance 1
sqlanon table keys people.csv --dimensions sex --unit name --key-file key.txt --largest 5 --variance 3 \
-o noisy.csv
sqlanon table together by_sex.csv by_zip.csv --dimensions sex,zip --value n --threshold 3
sqlanon table together by_zip.csv of_women.csv --dimensions zip --value n --filter "of_women=sex = 'f'" \
--threshold 3
sqlanon table reconstruct by_sex.csv by_zip.csv --dimensions sex,zip --value n --domain values.csv
sqlanon table reconstruct by_sex.csv --dimensions sex --value n --domain values_of_sex.csv --format json
sqlanon budget set budget.duckdb --source people --unit name --epsilon 3 --delta 1e-6
sqlanon budget set budget.duckdb --source people --unit name --epsilon 100 --delta 1e-3
sqlanon budget show budget.duckdb
sqlanon budget show budget.duckdb --format json
sqlanon dp counts people.csv --register budget.duckdb --source people --unit name --by sex \
--keys sexes.csv --max-groups 1 --epsilon 1 -o counts.csv
sqlanon dp counts people.csv --register budget.duckdb --source people --unit name --by sex,zip \
--max-groups 1 --epsilon 1 --delta 1e-6 -o by_both.csv
sqlanon dp sums people.csv --register budget.duckdb --source people --unit name --by sex \
--keys sexes.csv --max-groups 1 --epsilon 1 --measure age --bounds 0,100 -o sums.csv
sqlanon dp sums people.csv --register budget.duckdb --source people --unit name --by sex --max-groups 1 \
--epsilon 1 --delta 1e-6 --measure age --bounds 0,100 -o more_sums.csv
sqlanon dp means people.csv --register budget.duckdb --source people --unit name --by sex \
--keys sexes.csv --max-groups 1 --epsilon 1 --measure age --bounds 0,100 -o means.csv
sqlanon dp means people.csv --register budget.duckdb --source people --unit name --max-rows 1 --by sex \
--keys sexes.csv --max-groups 1 --epsilon 2 --measure age --bounds 0,100 -o more_means.csv
sqlanon dp quantiles people.csv --register budget.duckdb --source people --unit name --by sex \
--keys sexes.csv --max-groups 1 --epsilon 1 --measure age --bounds 0,100 -o medians.csv
sqlanon dp quantiles people.csv --register budget.duckdb --source people --unit name --by sex \
--keys sexes.csv --max-groups 1 --epsilon 1 --measure age --bounds 0,100 \
--quantiles 0.25,0.75 -o quartiles.csv
sqlanon dp histogram people.csv --register budget.duckdb --source people --unit name --by zip \
--hierarchies zips.csv --max-groups 1 --epsilon 1 -o histogram.csv
sqlanon dp histogram people.csv --register budget.duckdb --source people --unit name --by zip \
--hierarchies zips.csv --max-groups 1 --epsilon 1 --non-negative -o not_below_0.csv
sqlanon dp top people.csv --register budget.duckdb --source people --unit name --by sex \
--keys sexes.csv --k 1 --epsilon 1 -o top.csv
sqlanon dp top people.csv --register budget.duckdb --source people --unit name --by sex \
--keys sexes.csv --k 2 --epsilon 1 --dry-run -o top_two.csv
sqlanon dp microaggregate people.csv --register budget.duckdb --source people --by age --bounds 0,100 \
--k 3 --epsilon 1 -o groups.csv
sqlanon dp microaggregate people.csv --register budget.duckdb --source people --by age --bounds 0,100 \
--k 4 --epsilon 1 --dry-run -o larger.csv
sqlanon dp response people.csv --register budget.duckdb --source people --by sex --keys sexes.csv \
--epsilon 1 -o answers.csv
sqlanon dp response people.csv --register budget.duckdb --source people --by sex --keys sexes.csv \
--epsilon 2 --dry-run -o truer.csv
sqlanon dp sample people.csv --register budget.duckdb --source people --unit name --by sex --k 2 \
--share 0.5 --epsilon 2 -o sample.csv
sqlanon dp sample people.csv --register budget.duckdb --source people --unit name --by sex,disease \
--k 2 --share 0.2 --epsilon 2 -o small.csv
sqlanon dp contingency yes_or_no.csv --register budget.duckdb --source people --unit name --by old,rich \
--marginals old,rich --max-groups 1 --epsilon 1 -o marginals.csv
sqlanon dp contingency yes_or_no.csv --register budget.duckdb --source people --unit name --by old,rich \
--marginals old --marginals rich --max-groups 1 --epsilon 1 -o two.csv
sqlanon dp wavelet people.csv --register budget.duckdb --source people --unit name --measure age \
--bounds 0,100 --cells 16 --max-groups 1 --epsilon 1 -o wavelet.csv
sqlanon dp wavelet people.csv --register budget.duckdb --source people --unit name --measure age \
--bounds 0,100 --cells 64 --max-groups 1 --epsilon 1 -o finer.csv
sqlanon dp bounds people.csv --register budget.duckdb --source people --unit name --measure age \
--max-groups 1 --epsilon 1 -o bounds.csv
sqlanon dp bounds people.csv --register budget.duckdb --source people --unit name --measure age \
--max-groups 1 --max-rows 1 --epsilon 1 -o bounds_of_rows.csv
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
# Commands that only have commands, which have the examples.
TOPICS = ("register", "table", "budget", "dp")
EXAMPLES: dict[str, list[str]] = {}
for _line in LINES.split("\n")[1:-1]:
    _words = _line.split()[1:3]
    EXAMPLES.setdefault(" ".join(_words[: 1 + (_words[0] in TOPICS)]), []).append(_line)


def examples_of(path: str) -> list[str]:
    """The examples of a command, such as "table round"; of a topic the first one of two of its commands."""
    if path in TOPICS:
        return [lines[0] for name, lines in EXAMPLES.items() if name.startswith(f"{path} ")][:2]
    return EXAMPLES.get(path, [])
