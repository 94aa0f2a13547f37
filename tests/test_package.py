"""The package: its public names, imported when they are asked for, and which parts know each other."""

import ast
import functools
import subprocess
import sys
from graphlib import CycleError, TopologicalSorter
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
    assert python("from sqlanon import mondrian; print(mondrian.__module__)") == "sqlanon.macros.anonymize"
    assert python("from sqlanon import *; print(pram.__name__, InputError.__name__)") == "pram InputError"
    assert python("import sqlanon.policies; print(callable(sqlanon.policies.load))") == "True"


def test_ctrl_c_while_a_command_ends_stops_no_cleaning() -> None:
    ended = """if True:
        import atexit, os, signal, sys
        import sqlanon.cli.app
        from sqlanon.__main__ import main
        def app(prog_name):
            atexit.register(lambda: (os.kill(os.getpid(), signal.SIGINT), print("cleaned")))
            sys.exit(0)
        sqlanon.cli.app.app = app
        signal.signal(signal.SIGINT, signal.default_int_handler)  # also where the shell ignores it
        main()
    """
    assert python(ended) == "cleaned"


def test_a_name_that_is_not_there() -> None:
    with pytest.raises(AttributeError, match="module 'sqlanon' has no attribute 'mondriaan'"):
        _ = sqlanon.mondriaan  # type: ignore[attr-defined]


MODULES = {
    ".".join(file.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__"): file
    for file in PACKAGE.rglob("*.py")
}
# The package itself imports nothing until a name is asked for. So modules may take their version from it, and
# what no other module needs may use its names.
PUBLIC = {"sqlanon.dbt", "sqlanon.core.wrappers", "sqlanon.app", "sqlanon.cli", "sqlanon.experiments"}


def imports(module: str) -> set[str]:
    """The modules that a module knows: by imports, also inside functions and for types, and by their names in
    texts, from which they are imported when they are needed."""
    names = set()
    for node in ast.walk(ast.parse(MODULES[module].read_text("utf-8"))):
        match node:
            case ast.Import():
                names |= {name.name for name in node.names}
            case ast.ImportFrom(module="sqlanon", names=[ast.alias(name="__version__")]):
                pass
            case ast.ImportFrom():
                members = {f"{node.module}.{name.name}" for name in node.names}
                names |= {name if name in MODULES else str(node.module) for name in members}
            case ast.Constant(value=str(text)) if text in MODULES and "." in text:
                names.add(text)
    return names & MODULES.keys() - {module}


@functools.cache
def graph() -> dict[str, set[str]]:
    return {module: imports(module) for module in MODULES}


@pytest.mark.slow("0.3 s")
def test_nothing_but_the_command_knows_the_command_line() -> None:
    users = {
        module
        for module, known in graph().items()
        if any(f"{name}.".startswith("sqlanon.cli.") for name in known)
    }
    assert {module.split(".")[1] for module in users} == {"__main__", "cli"}


def test_modules_know_each_other_in_one_direction() -> None:
    try:
        TopologicalSorter(graph()).prepare()
    except CycleError as error:
        pytest.fail(" <- ".join(error.args[1]))


def test_modules_ask_each_other_and_not_the_package() -> None:
    users = {module for module, known in graph().items() if "sqlanon" in known}
    assert {module for module in users if ".".join(module.split(".")[:2]) not in PUBLIC} <= PUBLIC
