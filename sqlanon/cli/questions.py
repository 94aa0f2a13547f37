"""Questions that a person answers."""

import typer

from sqlanon.core.errors import UseError


def says_yes(question: str, option: str) -> bool:
    """Does somebody answer a question with yes? Errors: UseError, if nobody answers."""
    try:
        return typer.confirm(question, err=True)
    except typer.Abort:
        raise UseError(f"{option}: nobody has answered; --yes does in a script") from None


def answer(question: str, option: str) -> str:
    """What somebody answers; nothing is an answer, too. Errors: UseError, if nobody answers."""
    try:
        return str(typer.prompt(question, default="", show_default=False, err=True)).strip()
    except typer.Abort:
        raise UseError(f"{option}: nobody has answered") from None
