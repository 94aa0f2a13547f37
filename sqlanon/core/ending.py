"""What ends with the process, where that runs one command and nothing else."""

with_the_process: list[object] | None = None  # what is left as it is until then; None: nothing may be
