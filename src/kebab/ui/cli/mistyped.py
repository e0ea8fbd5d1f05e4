"""What was typed and not understood, as an error with a hint: the command that was meant, or where its help is."""

import re

import click

from kebab.core.errors import InvalidInput, IoFailure, KebabError
from kebab.ui.terminal import printable

# What newcomers type because another tool has it.
ELSEWHERE = {
    "add": "ingest FOLDER",
    "answer": "ask",
    "chat": "ask",
    "check": "doctor",
    "delete": "reset",
    "docs": "list docs",
    "find": "search",
    "get": "fetch",
    "grep": "search",
    "help": "--help",
    "index": "ingest FOLDER",
    "ls": "list docs",
    "query": "search",
    "read": "fetch",
    "remove": "reset",
    "restore": "import",
    "setup": "init",
    "show": "inspect",
    "status": "doctor",
    "sync": "ingest",
    "update": "ingest",
    "version": "--version",
}


def as_error(error: click.ClickException) -> KebabError:
    message = printable(" ".join(error.format_message().split()))
    if isinstance(error, click.FileError):
        return IoFailure(message, path=error.filename, op="open")
    context = getattr(error, "ctx", None)
    if context is None:
        return InvalidInput(message, hint="see `kebab --help`")
    unknown = re.match(r"(No such command '([^']+)')", message)
    if unknown is not None and (near := meant(unknown[2], context)) is not None:
        return InvalidInput(f"{unknown[1]}.", hint=f"did you mean `{near}`?")
    return InvalidInput(message, hint=f"see `{context.command_path} --help`")


def meant(word: str, context: click.Context) -> str | None:
    """The whole command line up to the word that was meant, of the group in which it was typed."""
    from difflib import get_close_matches

    group = context.command
    if not isinstance(group, click.Group):
        return None
    word = word.lower()
    if context.parent is None and word in ELSEWHERE:
        return f"{context.command_path} {ELSEWHERE[word]}"
    near = get_close_matches(word, group.list_commands(context), n=1)
    return f"{context.command_path} {near[0]}" if near else None
