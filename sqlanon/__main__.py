"""`python -m sqlanon`, and the command `sqlanon`: the command line."""

import signal


def main() -> None:
    """Run the command that the process was started for."""
    # Until the command line can say so itself, Ctrl-C ends the process at once, and without a traceback.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from sqlanon.cli.app import app

    app(prog_name="sqlanon")


if __name__ == "__main__":  # and not in the processes that this one starts
    main()
