#!/bin/sh
# Every night at two, by cron:
#   0 2 * * *  cd /srv/clinic && ./publish.sh >> nightly.log 2>&1 || mail -s "Not published" you@example.org < nightly.log
# (one line). Nothing is written unless all holds: 1 is a refusal, 2 and 3 are errors.
set -eu
night=$(date +%F)

# Stage: what of today's table is fit to be looked at. Test: it is all there.
duckdb clinic.duckdb < stage.sql

# Attack, and publish: against all that is out by the register. A run that was stopped is cleared up by the next.
# SQLANON_REGISTER_KEY would encrypt the register, which is as secret as the table.
sqlanon publish clinic.duckdb::patients --policy policy.toml --register releases.duckdb \
    --wait 3600 -o "out/$night.parquet"
