"""`python -m sqlanon`, and the command `sqlanon`: the command line."""

INTERRUPTED = 130
GARBAGE = 100_000  # new objects after which Python looks for garbage; by default it is 700


def main() -> None:
    """Run the command that the process was started for. Ctrl-C never prints a traceback."""
    try:
        import atexit
        import contextlib
        import gc
        import os
        import signal
        import sys

        from sqlanon.core import ending

        code: list[int] = []  # of a command that has ended

        def end() -> None:
            """End at once, as the last thing of all, where a command has come to its end. What is in memory
            goes with the process: to take it apart takes up to a tenth of the time."""
            gc.freeze()
            with contextlib.suppress(OSError, ValueError):  # whoever reads has gone: Python tells that
                for stream in (sys.stdout, sys.stderr):
                    stream.flush()
                if code:
                    os._exit(code[0])

        # What a command makes lives until it ends, as a rule: to look through it for cycles, as it grows,
        # takes time, too.
        gc.set_threshold(GARBAGE)
        ending.with_the_process = []
        atexit.register(end)
        # Until a command begins there is nothing to clean up. An exception would not do: imports may swallow
        # it.
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, lambda number, frame: os._exit(INTERRUPTED))
        try:
            from sqlanon.cli.app import app

            app(prog_name="sqlanon")
        except ImportError as error:
            from sqlanon.core.freshness import StaleError

            if not isinstance(error, StaleError):
                raise
            raise SystemExit(f"error: {error}") from None
        except SystemExit as done:
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second Ctrl-C: what was begun is cleaned up
            if isinstance(done.code, int):
                code.append(done.code)
            raise
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None


if __name__ == "__main__":  # and not in the processes that this one starts
    main()
