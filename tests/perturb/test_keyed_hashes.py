"""Keyed hashes in SQL: the cases of RFC 4231, and pseudonyms that join inside a release and not across."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sqlanon
from tests.budget import examples

SECRET = "correct horse battery staple ñ"
LONG = "This is a test using a larger than block-size key and a larger than block-size data. The key needs "
# RFC 4231, sec. 4.2 to 4.8: key, data, and HMAC-SHA-256 (of the fifth case its first 128 bits).
CASES = [
    (b"\x0b" * 20, b"Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
    (b"Jefe", b"what do ya want for nothing?",
     "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
    (b"\xaa" * 20, b"\xdd" * 50, "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"),
    (bytes(range(1, 26)), b"\xcd" * 50, "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"),
    (b"\x0c" * 20, b"Test With Truncation", "a3b6167473100ee06e0c796c2955552b"),
    (b"\xaa" * 131, b"Test Using Larger Than Block-Size Key - Hash Key First",
     "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"),
    (b"\xaa" * 131, LONG.encode() + b"to be hashed before being used by the HMAC algorithm.",
     "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"),
]  # fmt: skip


@pytest.fixture(scope="module")
def session() -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection whose secret key is a variable."""
    with duckdb.connect() as con:
        sqlanon.register(con)
        con.execute("set variable sqlanon_key = ?", [SECRET])
        yield con


def pseudonyms(con: duckdb.DuckDBPyConnection, values: str, release: str) -> list[str | None]:
    found = con.execute(
        f"select sqlanon.pseudonym(value, ?) from (values {values}) as given(value)", [release]
    ).fetchall()
    return [value for (value,) in found]


@pytest.mark.both_lines
@pytest.mark.parametrize(("key", "data", "mac"), CASES)
def test_cases_of_rfc_4231(session: duckdb.DuckDBPyConnection, key: bytes, data: bytes, mac: str) -> None:
    [(found,)] = session.execute("select sqlanon.hmac_sha256(?::blob, ?::blob)", [key, data]).fetchall()
    assert len(found) == 64
    assert found.startswith(mac)


@examples(40)
@given(key=st.binary(max_size=140), message=st.one_of(st.binary(max_size=140), st.text(), st.none()))
def test_as_pythons(session: duckdb.DuckDBPyConnection, key: bytes, message: bytes | str | None) -> None:
    [(found,)] = session.execute("select sqlanon.hmac_sha256($1::blob, $2)", [key, message]).fetchall()
    if message is None:
        assert found is None
    else:
        data = message if isinstance(message, bytes) else message.encode()
        assert found == hmac.new(key, data, hashlib.sha256).hexdigest()


@pytest.mark.both_lines
def test_pseudonyms_join_inside_a_release_and_not_across(session: duckdb.DuckDBPyConnection) -> None:
    spring = pseudonyms(session, "('p1'), ('P1 '), ('p2'), (null), (' ')", "spring")
    assert spring[0] == spring[1] != spring[2]
    assert spring[3:] == [None, None]
    autumn = pseudonyms(session, "('p1'), ('p2')", "autumn")
    assert not {*spring[:3]} & {*autumn}
    assert pseudonyms(session, "(1::bigint)", "spring") == pseudonyms(session, "(1::utinyint)", "spring")


def test_another_key_makes_others(session: duckdb.DuckDBPyConnection) -> None:
    session.execute("set variable other_key = 'another key of 25 bytes..'")
    [found] = session.execute(
        "select sqlanon.pseudonym('p1', 'spring'), sqlanon.pseudonym('p1', 'spring', key := 'other_key')"
    ).fetchall()
    assert found[0] != found[1]


@pytest.mark.both_lines
@pytest.mark.parametrize(
    ("variable", "release", "message"),
    [
        ("no_key", "spring", "needs a secret key in the variable no_key"),
        ("short_key", "spring", "less than 16 bytes"),
        ("sqlanon_key", " ", "release must be a name"),
        ("sqlanon_key", None, "release must be a name"),
    ],
)
def test_refused_without_showing_the_key(
    session: duckdb.DuckDBPyConnection, variable: str, release: str | None, message: str
) -> None:
    session.execute("set variable short_key = 'xyzzy'")
    with pytest.raises(duckdb.Error, match=message) as caught:
        session.execute("select sqlanon.pseudonym('p1', ?, key := ?)", [release, variable]).fetchall()
    assert "xyzzy" not in str(caught.value)
    assert SECRET not in str(caught.value)
