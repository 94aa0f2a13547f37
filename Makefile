# On a fresh machine with Python 3.11 or later (with venv), git and make, two commands are enough:
#   make demo    install sqlanon in .venv and run its demonstration
#   make test    all checks, on the current DuckDB (.venv) and on the 1.5 line (.venv-1.5)
# Another interpreter: make test PYTHON=python3.12

PYTHON ?= python3
PYTEST_FLAGS ?= -n 2 --dist worksteal
OLDER_LINE = 'duckdb~=1.5.0' 'duckdb-cli~=1.5.0'

BIN = .venv/bin
OLDER = .venv-1.5/bin
INSTALL = -m pip install --quiet --disable-pip-version-check --no-compile  # Python compiles what it imports
# What is written from sql/, as far as it is not there yet.
FILES = $(BIN)/python -m sqlanon.core.make_files
# Folders with Python in them, as far as they exist.
TYPED = $(foreach folder,sqlanon tests examples benchmarks extension,$(if $(wildcard $(folder)/*.py $(folder)/*/*.py),$(folder)))

.PHONY: files help demo test test-all slow lint types format bundle extension reference dist dbt-package docs bench clean
.DEFAULT_GOAL = help
# where it is set, each process compiles everything that it imports
unexport PYTHONDONTWRITEBYTECODE

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

demo: files ## install sqlanon in .venv and run its demonstration
	@$(BIN)/sqlanon demo

test: ## all checks: style, types and tests on both DuckDB lines
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null \
		|| echo "No browser for the tests of pages: apt-get update && apt-get install -y chromium"
	@$(MAKE) --no-print-directory -j 2 lint .venv-1.5/.installed  # types are checked while the line before is installed
	@echo "Tests on DuckDB $$($(BIN)/python -c 'import duckdb; print(duckdb.__version__)')"
	@$(BIN)/python -m pytest $(PYTEST_FLAGS)
	@echo "Tests on DuckDB $$($(OLDER)/python -c 'import duckdb; print(duckdb.__version__)')"
	@$(OLDER)/python -m pytest $(PYTEST_FLAGS)

test-all: ## the same, with the tests that try every combination and take long
	@$(MAKE) test PYTEST_FLAGS='$(PYTEST_FLAGS) -m ""'

lint: .venv/.installed-dev types ## style and types
	@echo "Style: ruff"
	@$(BIN)/ruff check --quiet
	@$(BIN)/ruff format --check --quiet --diff

types: .venv/.installed-dev ## types alone
	@$(FILES)
	@echo "Types: mypy $(TYPED)"
	@$(BIN)/mypy --no-error-summary $(TYPED)

format: .venv/.installed-dev ## mend style where a tool can
	@$(BIN)/ruff check --fix --quiet
	@$(BIN)/ruff format

bundle: files ## write all of sql/ as one script, sqlanon.sql, and as a file to attach
	@$(BIN)/sqlanon sql -o sqlanon.sql --force

extension: .venv/.installed-dev .venv-1.5/.installed ## build the library as an extension that DuckDB loads, and test it
	@$(FILES)
	@$(BIN)/python extension/build.py prepare link
	@$(BIN)/python -m pytest $(PYTEST_FLAGS) tests/test_extension.py tests/test_clients.py
	@$(OLDER)/python -m pytest $(PYTEST_FLAGS) tests/test_extension.py tests/test_clients.py
	@echo "build/extension/sqlanon.duckdb_extension"

files: .venv/.installed ## write what is made from sql/ and not in git: functions, types, and the macros as a file
	@$(FILES)

reference: files ## write what is made from sql/ and in git: REFERENCE.md, and a table of what can be required
	@$(BIN)/python -m sqlanon.core.reference

dist: .venv/.installed-dev ## build the wheel and the sdist in dist/, and try the wheel in an empty environment
	@rm -rf dist
	@$(BIN)/python -m hatchling build -d dist
	@$(PYTHON) -m venv dist/empty
	@dist/empty/bin/python $(INSTALL) --only-binary :all: dist/*.whl
	@cd dist/empty && bin/sqlanon --version && bin/sqlanon demo > demo.txt && tail -n 3 demo.txt
	@rm -rf dist/empty

dbt-package: ## dbt/ with its history as a branch, dbt-package: what a repository for dbt's hub has
	@git subtree split --prefix=dbt --branch dbt-package

docs: .venv/.installed-docs ## build the site of docs/ in site/, and check its links
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict  # --quiet would keep warnings from being counted
	@echo "site/index.html"

bench: .venv/.installed-bench ## measure against other tools, and write what the README shows
	@$(FILES)
	@$(BIN)/python -m benchmarks

clean: ## remove everything that make and the tools have made
	rm -rf .venv .venv-1.5 build dist site sqlanon.sql .hypothesis .mypy_cache .pytest_cache .ruff_cache
	rm -f sqlanon/__init__.pyi sqlanon/sqlanon.duckdb sqlanon/macros/seen
	find sqlanon/macros -name '*.py' ! -name __init__.py -delete
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

include extension/community.mk

# The files below record what is installed, so that a second run installs nothing unless pyproject.toml has changed.

.venv/.created .venv-1.5/.created:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "sqlanon needs Python 3.11 or later, this is " \
		+ sys.version.split()[0] + "; name another one: make PYTHON=python3.12 ...")'
	@echo "Creating $(@D) with $$($(PYTHON) --version)"
	@$(PYTHON) -m venv $(@D)
	@$(@D)/bin/python $(INSTALL) 'pip>=25.1'  # older ones know no groups
	@touch $@

.venv/.installed: .venv/.created pyproject.toml
	@echo "Installing sqlanon in .venv"
	@$(BIN)/python $(INSTALL) --editable .
	@touch $@

.venv/.installed-dev: .venv/.created pyproject.toml
	@echo "Installing sqlanon and the tools for development in .venv (a minute or two, once)"
	@$(BIN)/python $(INSTALL) --editable '.[all,spark]' --group dev
	@touch .venv/.installed $@

.venv/.installed-docs: .venv/.created pyproject.toml
	@echo "Installing sqlanon and what builds its documentation in .venv"
	@$(BIN)/python $(INSTALL) --editable . --group docs
	@touch .venv/.installed $@

.venv/.installed-bench: .venv/.created pyproject.toml
	@echo "Installing sqlanon and the tools that it is measured against in .venv"
	@$(BIN)/python $(INSTALL) --editable '.[report,tables]' --group bench
	@touch .venv/.installed $@

.venv-1.5/.installed: .venv-1.5/.created pyproject.toml Makefile
	@echo "Installing sqlanon with DuckDB 1.5 in .venv-1.5 (a minute or two, once)"
	@$(OLDER)/python $(INSTALL) --editable '.[dp,excel,report,dbt]' --group test $(OLDER_LINE)
	@touch $@
