"""`kebab search`."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from kebab.core.errors import InvalidInput
from kebab.core.query import Filters, Query, SearchMode, SearchResult, SearchSettings
from kebab.core.versions import INDEX_VERSION
from kebab.ui.cli.session import Session, current, example, many, read_stdin, say, shared_options
from kebab.ui.options import FILTERS, LIMITS, SEARCH, SNIPPET_CHARS, Kind, Option, filters_of

if TYPE_CHECKING:
    from kebab.app.facade import App

Command = TypeVar("Command", bound=Callable[..., Any])
_BULK_LIMIT = 8 * 1024 * 1024
FORMATS = ("text", "json", "jsonl", "csv", "md", "paths")

_TYPES = {Kind.WHOLE: int, Kind.NUMBER: float}


def table_option(row: Option) -> Callable[[Command], Command]:
    """A row of the table as an option of the command line."""
    flag = f"--{row.name.replace('_', '-')}"
    if row.kind is Kind.FLAG:
        return click.option(flag, is_flag=True, help=row.help)
    return click.option(
        flag,
        type=click.Choice(row.choices) if row.choices else _TYPES.get(row.kind),
        multiple=row.kind is Kind.TEXTS,
        metavar=row.metavar,
        default=row.default,
        show_default=bool(row.default),
        help=row.help,
    )


def table_options(rows: Iterable[Option]) -> Callable[[Command], Command]:
    """The rows as options, in their order."""

    def decorate(command: Command) -> Command:
        for row in reversed(tuple(rows)):
            command = table_option(row)(command)
        return command

    return decorate


def filter_options(command: Command) -> Command:
    """The filters, the same for every command that has them: any value within one, all of them together."""
    return table_options(FILTERS)(command)


def filters_from(options: dict[str, Any]) -> Filters:
    values = {row.name: options[row.name] for row in FILTERS}
    split = {row.name: many(values[row.name]) for row in FILTERS if row.kind is Kind.TEXTS and row.commas}
    return filters_of(values | split, label="--")


def limit_options(command: Command) -> Command:
    """How much is returned, and from where on."""
    return table_options(LIMITS)(command)


_ROW = {row.name: row for row in SEARCH}


@click.command(
    short_help="Find passages, best first, each with a citation.",
    epilog=example(
        'kebab search "압력밥솥 현미밥 물 비율"',
        'kebab search "restore the backup" --tag postgres,ops --k 3',
        "kebab search '\"write-ahead log\" replay' --json",
        "kebab search --symbol Store.open",
        "kebab search --bulk < queries.jsonl",
    ),
)
@click.argument("query", nargs=-1)
@table_options((_ROW["k"], _ROW["mode"]))
@click.option(
    "--format", "form", type=click.Choice(FORMATS), default="text", show_default=True, help="How to print hits."
)
@limit_options
@click.option("--bulk", is_flag=True, help="Read up to 100 queries from stdin, one JSON object a line.")
@click.option("--explain", is_flag=True, help="Show below each hit how it was found.")
@table_option(_ROW["trace"])
@filter_options
@shared_options
def search(
    *,
    query: tuple[str, ...],
    k: int | None,
    mode: str,
    form: str,
    bulk: bool,
    explain: bool,
    **options: Any,  # noqa: ANN401 - the filters, see filters_from, and the limits
) -> int:
    """Find passages, best first, each with a citation that opens at the line.

    Words are matched in any form and any order; "a phrase in quotes" must stand as it is. Unless --mode says otherwise,
    what means the same is found too, in Korean and English.
    """
    session = current()
    if not query and not bulk and options["symbol"]:
        query = (options["symbol"][0].replace("*", ""),)
    if not query and not bulk:
        raise click.UsageError("Missing argument 'QUERY...'.", click.get_current_context())
    with session.app() as app:
        asked = _asked(" ".join(query), SearchMode(mode), k, options, app.config.search)
        if bulk:
            return _bulk(session, app, asked)
        result = app.search(asked)
    _print(session, result, "json" if session.json else form, explain=explain)
    if not result.hits and "index is empty" not in (result.hint or ""):
        session.talk("no hits" + (" with these filters" if asked.filters else "") + "; try fewer or other words")
    return 0 if result.hits else 1


def _asked(text: str, mode: SearchMode, k: int | None, options: dict[str, Any], settings: SearchSettings) -> Query:
    return Query(
        text=text,
        mode=mode,
        k=settings.default_k if k is None else k,
        filters=filters_from(options),
        snippet_chars=_snippet_chars(options["snippet_chars"], settings.snippet_chars),
        max_per_doc=options["max_per_doc"],
        max_tokens=options["max_tokens"],
        cursor=options["cursor"],
        trace=options["trace"],
    )


def _bulk(session: Session, app: "App", asked: Query) -> int:
    """Each item as a line when it is ready; under --json all of them as one object."""
    if asked.text or asked.cursor:
        raise InvalidInput("--bulk reads its queries from stdin", hint="leave QUERY and --cursor out")
    lines = read_stdin(_BULK_LIMIT).encode("utf-8", "replace").split(b"\n")
    items = app.bulk_search(lines, asked)
    if not session.json:
        answered = 0
        for item in items:
            session.emit(item)
            answered += item["error"] is None
        return 0 if answered else 2
    from kebab.wire.bulk import encode_bulk_response

    every = list(items)
    session.emit(encode_bulk_response(every))
    return 0 if any(item["error"] is None for item in every) else 2


def _snippet_chars(given: int | None, default: int) -> int:
    value = default if given is None else given
    least, most = SNIPPET_CHARS
    if not least <= value <= most:
        raise InvalidInput(f"--snippet-chars must be from {least} to {most}, not {value}")
    return value


def _print(session: Session, result: SearchResult, form: str, *, explain: bool) -> None:
    if form == "json":
        from kebab.wire.search import encode_response

        session.emit(encode_response(result, INDEX_VERSION))
        return
    from kebab.ui.cli.render import RENDERERS, dense, traced

    if result.degraded and (session.verbose or "no embedding model" not in result.degraded):
        session.talk(f"note: {result.degraded}")
    if result.hint and (session.verbose or "--mode lexical" not in result.hint):
        session.talk(f"note: {result.hint}")
    if form != "text":
        for line in RENDERERS[form](result):
            say(line)
        return
    from kebab.ui.cli.pager import paged

    with paged():
        # The scene for people has escapes of its own and is made of printable parts.
        for line in dense(result, explain=explain):
            click.echo(line)
        for line in traced(result.trace) if result.trace is not None else ():
            click.echo(line)
