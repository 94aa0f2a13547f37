"""sqlanon app"""

import tempfile
import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from sqlanon.app import folder, server
from sqlanon.cli import options as given
from sqlanon.cli.app import EXIT_CODES, Topic
from sqlanon.core.errors import UseError
from sqlanon.core.outputs import private_folder
from sqlanon.core.remarks import remark

app = Topic()


@app.command("app", epilog=EXIT_CODES)
def page(
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FOLDER", help="Write the page there, to be hosted as files."),
    ] = None,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Where it is served; 0: at any that is free.")
    ] = 0,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open it in a browser.")] = True,
    packages: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="FOLDER",
            help="Where the packages from npm are, as 'npm pack' makes them; else they are fetched, once.",
        ),
    ] = None,
    force: given.Force = False,
) -> None:
    """Anonymize a table in the browser, on a page that needs no server: nothing leaves the machine.

    It is served to this machine alone until you press Ctrl-C, or written to a folder. Before that DuckDB for
    browsers is fetched from the npm registry, once (38 MB), and kept in your cache.
    """
    if packages is not None and not packages.is_dir():
        raise UseError(f"there is no folder {packages}")
    if output is not None:
        folder.publish(output, packages, force)
        remark(f"{output}: host these files anywhere, or look at them by 'sqlanon app'")
        return
    with private_folder(Path(tempfile.gettempdir())) as files:
        folder.write(files, packages)
        with server.serving(files, port) as running:
            print(server.address(running), flush=True)
            remark("the page is there until you press Ctrl-C")
            if browser:
                webbrowser.open(server.address(running))
            running.serve_forever()
