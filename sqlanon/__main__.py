"""`python -m sqlanon`: the command line."""

from sqlanon.cli import app

app(prog_name="sqlanon")
