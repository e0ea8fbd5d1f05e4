"""The commands as `kebab --help` shows them: in the order in which somebody meets them, and no summary cut short."""

from collections.abc import Iterator, Mapping

import click

SECTIONS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Begin", ("init", "ingest", "ingest-file", "ingest-stdin", "watch")),
    ("Find and ask", ("search", "ask", "verify", "answers", "session", "symbols")),
    ("Read", ("list", "inspect", "fetch", "open")),
    ("Other ways in", ("tui", "web", "serve", "mcp")),
    ("Look after it", ("doctor", "config", "models", "vectors", "cache", "jobs", "reset")),
    ("Measure it, move it", ("eval", "export", "import", "backup")),
    ("About kebab", ("schema", "completion")),
)
_OTHERS = "More"


def sections(summaries: Mapping[str, str]) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Each with its commands and what they do; what has no place yet comes last."""
    placed = {name for _, names in SECTIONS for name in names}
    others = tuple(name for name in summaries if name not in placed)
    for title, names in (*SECTIONS, (_OTHERS, others)):
        if rows := [(name, summaries[name]) for name in names if name in summaries]:
            yield title, rows


def with_whole_summaries(command: click.Command) -> click.Command:
    """Click cuts the first sentence of a subcommand to what fits a row; one that is set it leaves alone and wraps."""
    if isinstance(command, click.Group):
        for inner in command.commands.values():
            inner.short_help = inner.get_short_help_str(limit=1000)
    return command
