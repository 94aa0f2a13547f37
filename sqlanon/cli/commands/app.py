"""sqlanon app"""

import tempfile
import webbrowser
from pathlib import Path

from sqlanon.app import folder, server
from sqlanon.cli.app import Topic
from sqlanon.cli.options import Given
from sqlanon.core.errors import UseError
from sqlanon.core.outputs import private_folder
from sqlanon.core.remarks import remark

app = Topic()


@app.declare("page_folder port browser packages force -limits.memory -limits.spill", name="app")
def page(given: Given) -> None:
    """Anonymize a table in the browser, on a page that needs no server: nothing leaves the machine.

    It is served to this machine alone until you press Ctrl-C, or written to a folder. Before that DuckDB for
    browsers is fetched from the npm registry, once (38 MB), and kept in your cache.
    """
    if given.packages is not None and not given.packages.is_dir():
        raise UseError(f"there is no folder {given.packages}")
    if given.page_folder is not None:
        folder.publish(given.page_folder, given.packages, given.force)
        remark(f"{given.page_folder}: host these files anywhere, or look at them by 'sqlanon app'")
        return
    remark("the page is being made; its address follows")
    with private_folder(Path(tempfile.gettempdir())) as files:
        folder.write(files, given.packages)
        with server.serving(files, given.port) as running:
            print(server.address(running), flush=True)
            remark("the page is there until you press Ctrl-C")
            if given.browser:
                webbrowser.open(server.address(running))
            running.serve_forever()
