"""A server of the page, for this machine alone."""

from __future__ import annotations

import functools
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from sqlanon.app.folder import POLICY
from sqlanon.core.errors import UseError

HERE = "127.0.0.1"


class Handler(SimpleHTTPRequestHandler):
    """Files of a folder, with the headers that a browser gets."""

    extensions_map = {  # noqa: RUF012 - as SimpleHTTPRequestHandler has it
        **SimpleHTTPRequestHandler.extensions_map,
        ".js": "text/javascript",
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
        ".duckdb": "application/octet-stream",
    }

    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", f"{POLICY}; frame-ancestors 'none'")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_message(self, format: str, *arguments: Any) -> None:
        pass


def serving(folder: Path, port: int) -> ThreadingHTTPServer:
    """A server of a folder, not yet running. port: 0 takes one that is free. Errors: UseError."""
    try:
        return ThreadingHTTPServer((HERE, port), functools.partial(Handler, directory=str(folder)))
    except OSError as error:
        raise UseError(f"--port {port}: {error.strerror or error}") from error


def address(server: ThreadingHTTPServer) -> str:
    return f"http://{HERE}:{server.server_address[1]}/"
