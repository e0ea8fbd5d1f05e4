"""`kebab vectors status|rebuild`."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from kebab.ui.cli.pull_progress import in_bytes
from kebab.ui.cli.session import current, example, shared_options
from kebab.ui.terminal import printable

if TYPE_CHECKING:
    from kebab.core.inspection import VectorStatus


@click.group(
    "vectors",
    short_help="Show and rebuild the vectors that searches by meaning use.",
    epilog=example("kebab vectors status", "kebab vectors rebuild"),
)
@shared_options
def vectors_group() -> None:
    """Show and rebuild the vectors that searches by meaning use."""


@vectors_group.command("status", epilog=example("kebab vectors status", "kebab vectors status --json"))
@shared_options
def status() -> int:
    """Say what vectors there are, of which model, and whether the files derived from them are sound."""
    session = current()
    with session.app() as app:
        found = app.vector_status()
    if session.json:
        from kebab.wire.models import encode_vector_status

        session.emit(encode_vector_status(found))
        return 0
    for name, value in _facts(found).items():
        click.echo(f"{name:<15}{printable(value)}")
    for hint in _hints(found):
        session.talk(f"hint: {hint}")
    return 0


@vectors_group.command("rebuild", epilog=example("kebab vectors rebuild"))
@shared_options
def rebuild() -> int:
    """Make the files derived from the vectors anew. Nothing is embedded again: the index itself holds the vectors."""
    session = current()
    with session.app() as app:
        found = app.rebuild_vectors()
    if session.json:
        from kebab.wire.models import encode_vector_status

        session.emit(encode_vector_status(found))
        return 0
    click.echo(f"rebuilt {found.rebuilt or 0:,} vectors, {in_bytes(found.file_bytes)}")
    for hint in _hints(found):
        session.talk(f"hint: {hint}")
    return 0


def _facts(found: "VectorStatus") -> dict[str, str]:
    configured, missing = str(found.configured or "none"), found.chunks_without_vectors
    others = [f"{model.identity}: {model.vectors:,} vectors" for model in found.models if not model.active]
    facts = {
        "engine": f"{found.engine}, {in_bytes(found.file_bytes)} of files",
        "searched with": str(found.active or "none yet"),
        "configured": "the same" if found.configured == found.active and found.active else configured,
        "vectors": f"{found.vectors:,}",
        "missing": f"those of {missing:,} chunks" if missing else "none",
        "unused": f"{found.unused_vectors:,} of texts that no chunk holds any more",
        "problem": found.problem or "none",
    }
    return facts | {f"also {number}": text for number, text in enumerate(others, 1)}


def _hints(found: "VectorStatus") -> Iterator[str]:
    if found.problem:
        yield "`kebab vectors rebuild` makes the files anew"
    if found.configured and found.chunks_without_vectors:
        yield "`kebab ingest` makes the vectors that are missing"
    elif found.configured and found.configured != found.active:
        yield "`kebab ingest` switches searches to the configured model"
