# What the CI of DuckDB's community calls in a checkout, outside of its containers (configure_ci, test_release)
# and inside (release). There are no headers and no source of DuckDB to be set to a version.

COMMUNITY = build/configure
BUILT = build/release/extension/sqlanon

.PHONY: configure_ci release test_release set_duckdb_version set_duckdb_tag

set_duckdb_version set_duckdb_tag:

ifeq ($(LINUX_CI_IN_DOCKER),1)
configure_ci test_release:
else
configure_ci:
	python3 -m venv $(COMMUNITY)
	$(COMMUNITY)/*/python $(INSTALL) duckdb
	$(COMMUNITY)/*/python -m sqlanon.core.make_files
	$(COMMUNITY)/*/python extension/build.py prepare

test_release:
	$(COMMUNITY)/*/python -m tests.sqllogic $(BUILT)/sqlanon.duckdb_extension
endif

release:
	python3 extension/build.py link
	mkdir -p $(BUILT)
	cp build/extension/sqlanon.duckdb_extension $(BUILT)/
