"""The README: its first example runs as somebody would paste it."""

from __future__ import annotations

import duckdb
import pytest

from sqlanon.core.library import FILE
from tests.documents import ATTACH, ROOT, Session, blocks, is_shown

pytestmark = pytest.mark.both_lines


def test_the_first_block() -> None:
    """With the file attached."""
    page = (ROOT / "README.md").read_text("utf-8")
    attach, session = (block for block in blocks(page) if block.language == "sql")
    assert attach.text.strip() == ATTACH
    assert session.shown
    with duckdb.connect() as con:
        con.execute(ATTACH.replace("sqlanon.duckdb", str(FILE))).fetchall()
        assert is_shown(page[slice(*session.shown)], Session(con).run(session))


def test_it_is_one_page() -> None:
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) <= 130
