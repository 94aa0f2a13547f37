"""The package: its public names, imported when they are asked for, and which parts know each other."""

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import sqlanon

PACKAGE = Path(sqlanon.__file__).parent


def python(script: str) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def test_type_checkers_find_each_public_name_where_it_is() -> None:
    tree = ast.parse((PACKAGE / "__init__.pyi").read_text("utf-8"))
    typed = {
        name.asname: node.module
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for name in node.names
        if name.asname is not None
    }
    assert typed == sqlanon._HOMES


@pytest.mark.parametrize("name", sqlanon.__all__)
def test_a_public_name_is_what_its_module_has(name: str) -> None:
    assert getattr(sqlanon, name) is getattr(import_module(sqlanon._HOMES[name]), name)
    assert name in dir(sqlanon)


def test_no_public_name_is_that_of_a_part_of_the_package() -> None:
    """A part that is imported would take its place."""
    parts = {path.stem for path in PACKAGE.glob("*.py")}
    parts |= {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert {"core", "anonymize", "attack", "policies"} <= parts
    assert not parts & {*sqlanon.__all__}


def test_public_names_come_when_they_are_asked_for() -> None:
    """Ctrl-C in front of the command line's own handler finds next to nothing under way."""
    heavy = "[name for name in sys.modules if name in ('duckdb', 'typing') or name.startswith('sqlanon.')]"
    assert python(f"import sys; import sqlanon; print({heavy})") == "[]"
    assert python("from sqlanon import mondrian; print(mondrian.__module__)") == "sqlanon.anonymize.mondrian"
    assert python("from sqlanon import *; print(pram.__name__, InputError.__name__)") == "pram InputError"
    assert python("import sqlanon.policies; print(callable(sqlanon.policies.load))") == "True"


def test_a_name_that_is_not_there() -> None:
    with pytest.raises(AttributeError, match="module 'sqlanon' has no attribute 'mondriaan'"):
        _ = sqlanon.mondriaan  # type: ignore[attr-defined]


def imports(file: Path, package: str) -> bool:
    """Does a file import something of a package, anywhere in it?"""
    names = []
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names += [name.name for name in node.names]
        elif isinstance(node, ast.ImportFrom):
            names += [f"{node.module}.{name.name}" for name in node.names]
    return any(f"{name}.".startswith(f"{package}.") for name in names)


def test_nothing_but_the_command_knows_the_command_line() -> None:
    users = [file.relative_to(PACKAGE) for file in PACKAGE.rglob("*.py") if imports(file, "sqlanon.cli")]
    assert {file.parts[0] for file in users} == {"__main__.py", "cli"}
