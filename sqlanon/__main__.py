"""`python -m sqlanon`: the command line."""

from sqlanon.cli import app

if __name__ == "__main__":  # and not in the processes that this one starts
    app(prog_name="sqlanon")
