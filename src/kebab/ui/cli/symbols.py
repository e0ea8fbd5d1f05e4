"""`kebab symbols`."""

from typing import Any

import click

from kebab.core.citation import CodeCitation
from kebab.core.errors import InvalidInput
from kebab.ui.cli.search import filter_options, filters_from
from kebab.ui.cli.session import current, example, shared_options
from kebab.ui.terminal import display_width, pad, printable

MOST = 1000
_NAME_COLUMNS = 40


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
    filters = filters_from(options)
    with session.app() as app:
        found = app.find_symbols(query, filters, limit)
    if session.json:
        from kebab.wire.symbols import encode_symbols

        session.emit(encode_symbols(found))
        return 0 if found else 1
    names = [printable(each.qualified) for each in found]
    width = min(max(map(display_width, names), default=0), _NAME_COLUMNS)
    kinds = max((len(each.kind) for each in found), default=0)
    for each, name in zip(found, names, strict=True):
        place = CodeCitation(each.doc_path, each.line, each.line_end).to_uri()
        click.echo(f"{pad(name, width)}  {each.kind:<{kinds}}  {printable(place)}")
    if not found:
        within = " with these filters" if filters else ""
        session.talk(f"no such definition{within}" if query else f"there is no source code in the index{within}")
    return 0 if found else 1
