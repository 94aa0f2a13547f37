"""`python -m sqlanon`, and the command `sqlanon`: the command line."""

INTERRUPTED = 130
GARBAGE = 100_000  # new objects after which Python looks for garbage; by default it is 700


def main() -> None:
    """Run the command that the process was started for. Ctrl-C never prints a traceback."""
    try:
        import atexit
        import gc
        import os
        import signal

        # What a command makes lives until it ends, as a rule: to look through it for cycles, as it grows and
        # at its end, takes up to a tenth of the time.
        gc.set_threshold(GARBAGE)
        atexit.register(gc.freeze)
        # Until a command begins there is nothing to clean up. An exception would not do: imports may swallow
        # it.
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, lambda number, frame: os._exit(INTERRUPTED))
        from sqlanon.cli.app import app

        app(prog_name="sqlanon")
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None


if __name__ == "__main__":  # and not in the processes that this one starts
    main()
