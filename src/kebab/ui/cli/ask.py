"""`kebab ask`."""

import re
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from kebab.core.answer import Answer, AnswerEvent, AnswerReady, Question, RefusalReason, TokenArrived
from kebab.core.errors import InvalidInput
from kebab.core.query import SearchMode
from kebab.core.versions import INDEX_VERSION
from kebab.ui.cli.interrupt import INTERRUPTED, cancel_on_interrupt
from kebab.ui.cli.search import filter_options, filters_from
from kebab.ui.cli.session import Session, colour_wanted, current, example, shared_options

if TYPE_CHECKING:
    from kebab.config import Config
    from kebab.ui.cli.answer_render import Look

_SESSION_ID = r"[\w.-]{1,64}"


@click.command(
    short_help="Answer a question from your documents, with citations.",
    epilog=example(
        'kebab ask "압력밥솥 현미밥 물 비율은?"',
        'kebab ask "how do we restore a backup?" --tag postgres --explain',
        'kebab ask "and on a new machine?" --session backups',
        'kebab ask "현미밥은 몇 분?" --json',
    ),
)
@click.argument("question", nargs=-1, required=True)
@click.option("--k", type=int, help="How many passages to look for at the most (search.default_k).")
@click.option(
    "--mode",
    type=click.Choice([str(mode) for mode in SearchMode]),
    default=str(SearchMode.HYBRID),
    show_default=True,
    help="Look for passages by words, by meaning, or both.",
)
@click.option("--temperature", type=float, help="How freely the model may choose words (models.llm.temperature).")
@click.option("--seed", type=int, help="The same seed, the same choice (models.llm.seed).")
@click.option("--multi-hop", is_flag=True, help="Take the question apart and search for each part.")
@click.option("--session", "session_id", metavar="ID", help="Go on with this conversation, or begin it.")
@click.option("--hide-citations", is_flag=True, help="Leave the list below the answer out.")
@click.option("--explain", is_flag=True, help="Show sentence by sentence what bears it out, and the search behind it.")
@click.option("--stream", is_flag=True, help="Print every step as a line of JSON, tokens as they arrive.")
@filter_options
@shared_options
def ask(
    *,
    question: tuple[str, ...],
    hide_citations: bool,
    explain: bool,
    stream: bool,
    **options: Any,  # noqa: ANN401 - what the question is made of, see _question, and the filters
) -> int:
    """Answer a question from your documents, each statement with a citation that opens at the line.

    Where the documents do not hold the answer, it says so and exits 1. Every answer is kept: `kebab answers` shows it
    again, `kebab verify` checks its citations against today's files.
    """
    session = current()
    with session.app() as app, cancel_on_interrupt() as cancel:
        events = app.ask(_question(" ".join(question), options, app.config), cancel)
        if stream:
            answer = _stream(session, events)
        elif session.json:
            answer = _last(events)
            _emit(session, answer)
        elif explain:
            answer = _last(events)
            show_explained(answer, app.config.search.rrf_k)
        else:
            answer = _tell(events, hide_citations=hide_citations)
    if answer.hint and not stream:
        session.talk(f"hint: {answer.hint}")
    return _status(answer)


def _question(text: str, options: dict[str, Any], config: "Config") -> Question:
    session_id, temperature = options["session_id"], options["temperature"]
    if not text.strip():
        raise InvalidInput("the question is empty", hint='try `kebab ask "what you want to know"`')
    if session_id is not None and re.fullmatch(_SESSION_ID, session_id) is None:
        raise InvalidInput(
            f"--session: {session_id!r} is not a name", hint="use up to 64 letters, digits, dots, dashes or underscores"
        )
    if temperature is not None and not 0 <= temperature <= 2:
        raise InvalidInput(f"--temperature must be from 0 to 2, not {temperature}")
    return Question(
        text=text,
        mode=SearchMode(options["mode"]),
        k=config.search.default_k if options["k"] is None else options["k"],
        filters=filters_from(options),
        temperature=temperature,
        seed=options["seed"],
        multi_hop=options["multi_hop"],
        session_id=session_id,
    )


def _status(answer: Answer) -> int:
    if answer.refusal_reason is RefusalReason.LLM_STREAM_ABORTED:
        return INTERRUPTED
    return 0 if answer.grounded else 1


def _emit(session: Session, answer: Answer) -> None:
    from kebab.wire.answer import encode_answer

    session.emit(encode_answer(answer))


def _last(events: Iterator[AnswerEvent]) -> Answer:
    last = None
    for last in events:  # noqa: B007 - only the last one is wanted
        pass
    assert isinstance(last, AnswerReady), "the last event of a question carries the answer"
    return last.answer


def _stream(session: Session, events: Iterator[AnswerEvent]) -> Answer:
    from kebab.wire.answer import encode_answer_events

    ready: list[Answer] = []

    def noted() -> Iterator[AnswerEvent]:
        for event in events:
            if isinstance(event, AnswerReady):
                ready.append(event.answer)
            yield event

    for value in encode_answer_events(noted(), INDEX_VERSION):
        session.emit(value)
    return ready[-1]


def _tell(events: Iterator[AnswerEvent], *, hide_citations: bool) -> Answer:
    """Token by token on a terminal, all at once elsewhere."""
    from kebab.ui.cli.answer_flow import Teller
    from kebab.ui.cli.answer_render import scene

    look, last = look_of_stdout(), None
    teller = Teller(look.columns)
    try:
        for last in events:
            if look.width and isinstance(last, TokenArrived):
                click.echo(teller.token(last.delta), nl=False)
    finally:
        # Also when a model fails half-way: the error then begins on a line of its own.
        click.echo(teller.end(), nl=False)
    assert isinstance(last, AnswerReady), "the last event of a question carries the answer"
    answer, told = last.answer, teller.told(last.answer.answer)
    if not told and look.width and teller.spoke:
        click.echo()
    for line in scene(answer, look, told=told, hide_citations=hide_citations):
        click.echo(line)
    return answer


def look_of_stdout() -> "Look":
    from kebab.ui.cli.answer_render import Look
    from kebab.ui.terminal import Style, terminal_width

    return Look(Style(on=colour_wanted()), terminal_width() if sys.stdout.isatty() else 0)


def show_explained(answer: Answer, rrf_k: int) -> None:
    from kebab.ui.cli.answer_explain import explained

    for line in explained(answer, look_of_stdout(), rrf_k):
        click.echo(line)
