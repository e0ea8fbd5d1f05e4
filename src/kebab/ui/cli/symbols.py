"""`kebab symbols`."""

from typing import Any

import click

from kebab.core.citation import CodeCitation
from kebab.core.errors import InvalidInput
from kebab.ui.cli.search import filter_options, filters_from
from kebab.ui.cli.session import current, example, shared_options
from kebab.ui.cli.terminal import printable

MOST = 1000


@click.command(
    short_help="Find definitions in source code by name.",
    epilog=example("kebab symbols parse_config", "kebab symbols Store.open --code-lang python", "kebab symbols --json"),
)
@click.argument("query", required=False, default="")
@click.option("--limit", type=int, default=20, show_default=True, help="How many at the most.")
@filter_options
@shared_options
def symbols(*, query: str, limit: int, **options: Any) -> int:  # noqa: ANN401 - the filters, see filters_from
    """Find definitions in source code by name: functions, classes, types, resources.

    The name may be a part, a few of its letters in order, or misspelt. Without one, all are listed by file.
    """
    session = current()
    if not 1 <= limit <= MOST:
        raise InvalidInput(f"--limit must be from 1 to {MOST}, not {limit}")
    with session.app() as app:
        found = app.find_symbols(query, filters_from(options), limit)
    if session.json:
        from kebab.wire.symbols import encode_symbols

        session.emit(encode_symbols(found))
        return 0 if found else 1
    for each in found:
        place = CodeCitation(each.doc_path, each.line, each.line_end).to_uri()
        click.echo(f"{printable(each.qualified)}  {each.kind}  {printable(place)}")
    if not found:
        session.talk("no such definition" if query else "there is no source code in the index")
    return 0 if found else 1
