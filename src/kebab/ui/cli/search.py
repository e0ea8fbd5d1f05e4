"""`kebab search`."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from kebab.core.asset import SourceType, TrustLevel
from kebab.core.clock import parse_rfc3339, rfc3339
from kebab.core.errors import InvalidInput
from kebab.core.query import Filters, Query, SearchMode, SearchResult, SearchSettings
from kebab.core.versions import INDEX_VERSION
from kebab.ui.cli.session import Session, current, example, many, read_stdin, say, shared_options

if TYPE_CHECKING:
    from kebab.app.facade import App

Command = TypeVar("Command", bound=Callable[..., Any])
_BULK_LIMIT = 8 * 1024 * 1024
FORMATS = ("text", "json", "jsonl", "csv", "md", "paths")

_FILTERS = (
    click.option("--tag", multiple=True, help="Documents with any of these tags."),
    click.option("--lang", multiple=True, help="Documents in any of these languages, such as ko or en."),
    click.option("--path-glob", multiple=True, metavar="GLOB", help="Documents whose path matches; * also matches /."),
    click.option(
        "--trust-min", type=click.Choice([str(level) for level in TrustLevel]), help="At least this trust level."
    ),
    click.option("--media", multiple=True, help="Documents of any of these media types, such as markdown or code."),
    click.option("--ingested-after", metavar="TIME", help="Documents processed after this date or RFC 3339 time."),
    click.option("--doc-id", multiple=True, help="Only these documents."),
    click.option("--source", multiple=True, help="Documents of any of these sources."),
    click.option(
        "--source-type",
        multiple=True,
        help=f"Documents of any of these types: {', '.join(str(t) for t in SourceType)}.",
    ),
    click.option("--repo", multiple=True, help="Files of any of these git repositories."),
    click.option("--code-lang", multiple=True, help="Source code in any of these languages, such as python or rust."),
    click.option("--symbol", multiple=True, metavar="NAME", help="Definitions of this name; * stands for any letters."),
)


def filter_options(command: Command) -> Command:
    """The filters, the same for every command that has them: any value within one, all of them together."""
    for option in reversed(_FILTERS):
        command = option(command)
    return command


def filters_from(options: dict[str, Any]) -> Filters:
    trust = options["trust_min"]
    after = options["ingested_after"]
    return Filters(
        tags=many(options["tag"]),
        langs=many(options["lang"]),
        path_globs=many(options["path_glob"]),
        trust_min=TrustLevel(trust) if trust else None,
        media=many(options["media"]),
        ingested_after=_moment(after) if after else None,
        doc_ids=many(options["doc_id"]),
        sources=many(options["source"]),
        source_types=many(options["source_type"]),
        repos=many(options["repo"]),
        code_langs=tuple(lang.lower() for lang in many(options["code_lang"])),
        symbols=tuple(options["symbol"]),
    )


def _moment(text: str) -> str:
    try:
        return rfc3339(parse_rfc3339(text))
    except (ValueError, OverflowError) as error:
        raise InvalidInput(
            f"--ingested-after: {text!r} is not a date or time", hint="use 2026-03-01 or 2026-03-01T09:00:00Z"
        ) from error


_LIMITS = (
    click.option("--snippet-chars", type=int, help="Length of a snippet (search.snippet_chars)."),
    click.option("--max-per-doc", type=int, default=0, help="How many hits of one document at the most; 0: no limit."),
    click.option(
        "--max-tokens",
        type=int,
        default=0,
        help="Fit the JSON into so many tokens: shorter snippets, fewer hits, but one. 0: no limit.",
    ),
    click.option("--cursor", default="", metavar="CURSOR", help="The next page: `next_cursor` of the one before."),
)


def limit_options(command: Command) -> Command:
    """How much is returned, and from where on."""
    for option in reversed(_LIMITS):
        command = option(command)
    return command


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
@click.option("--k", type=int, help="How many hits at the most (search.default_k).")
@click.option(
    "--mode",
    type=click.Choice([str(mode) for mode in SearchMode]),
    default=str(SearchMode.HYBRID),
    show_default=True,
    help="By words, by meaning, or both.",
)
@click.option(
    "--format", "form", type=click.Choice(FORMATS), default="text", show_default=True, help="How to print hits."
)
@limit_options
@click.option("--bulk", is_flag=True, help="Read up to 100 queries from stdin, one JSON object a line.")
@click.option("--explain", is_flag=True, help="Show below each hit how it was found.")
@click.option("--trace", is_flag=True, help="Add every candidate of each channel, and the time each took.")
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
    if not result.hits:
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
    if not 20 <= value <= 20_000:
        raise InvalidInput(f"--snippet-chars must be from 20 to 20000, not {value}")
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
    for line in dense(result, explain=explain) if form == "text" else RENDERERS[form](result):
        # The scene for people has escapes of its own and is made of printable parts.
        (click.echo if form == "text" else say)(line)
    if result.trace is not None and form == "text":
        for line in traced(result.trace):
            click.echo(line)
