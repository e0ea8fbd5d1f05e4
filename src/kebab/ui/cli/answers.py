"""`kebab answers list|show`."""

import click

from kebab.ui.cli.pager import paged
from kebab.ui.cli.session import current, example, shared_options
from kebab.ui.terminal import fitted_to_screen, printable


@click.group(
    "answers",
    short_help="Show answers that were given before.",
    epilog=example("kebab answers list", "kebab answers show ret_4a8b2c1e"),
)
@shared_options
def answers_group() -> None:
    """Show answers that were given before.

    The newest 1000 are kept in the index, with what it takes to check their citations again (`kebab verify`).
    """


@answers_group.command("list", epilog=example("kebab answers list", "kebab answers list --refused --limit 100 --json"))
@click.option("--limit", type=int, default=20, show_default=True, help="How many at the most.")
@click.option("--grounded/--refused", default=None, help="Only answers from the evidence, or only refusals.")
@shared_options
def list_(*, limit: int, grounded: bool | None) -> int:
    """List answers, newest first."""
    session = current()
    with session.app() as app:
        answers = app.list_answers(limit, grounded=grounded)
    if session.json:
        from kebab.wire.archive import encode_answer_list

        session.emit(encode_answer_list(answers))
        return 0
    for each in answers:
        mark = "✓" if each.grounded else "✗"
        name = f"  [{printable(each.conversation_id)} {each.turn_index}]" if each.conversation_id else ""
        line = f"{each.trace_id}  {each.created_at}  {mark}  "
        click.echo(fitted_to_screen(line, f"{printable(each.question)}{name}"))
    if not answers:
        session.talk("no answers yet" if grounded is None else "no such answers")
    return 0


@answers_group.command("show", epilog=example("kebab answers show ret_4a8b2c1e", "kebab answers show 4a8b --explain"))
@click.argument("trace_id", metavar="TRACE_ID")
@click.option("--explain", is_flag=True, help="Show sentence by sentence what bears it out, and the search behind it.")
@shared_options
def show(*, trace_id: str, explain: bool) -> int:
    """Show an answer as it was given, by its trace id or the beginning of it."""
    session = current()
    with session.app() as app:
        answer = app.find_answer(trace_id).answer
        rrf_k = app.config.search.rrf_k
    if session.json:
        from kebab.wire.answer import encode_answer

        session.emit(encode_answer(answer))
        return 0
    from kebab.ui.cli.answer_render import scene
    from kebab.ui.cli.ask import look_of_stdout, show_explained

    with paged():
        click.echo(f"{answer.retrieval.trace_id}  {answer.created_at}  {printable(answer.question)}\n")
        if explain:
            show_explained(answer, rrf_k)
            return 0
        for line in scene(answer, look_of_stdout()):
            click.echo(line)
    return 0
