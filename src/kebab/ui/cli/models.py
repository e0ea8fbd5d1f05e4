"""`kebab models list|pull|path`."""

from collections.abc import Sequence

import click

from kebab.core.embedding import NO_PROVIDER, EmbeddingSettings
from kebab.core.inspection import ModelFacts
from kebab.ui.cli.pull_progress import follow, in_bytes
from kebab.ui.cli.session import Session, current, example, say, shared_options
from kebab.ui.terminal import display_width, pad, runs_over


@click.group(
    "models",
    short_help="List, pull and find models.",
    epilog=example("kebab models list", "kebab models pull multilingual-e5-small"),
)
@shared_options
def models_group() -> None:
    """List, pull and find models: those that search by meaning, check answers, or write down recordings."""


@models_group.command("list", epilog=example("kebab models list", "kebab models list --json"))
@shared_options
def list_() -> int:
    """List the models kebab knows by name, and which of them are on this machine."""
    session = current()
    with session.app() as app:
        models, wanted = app.list_models(), app.config.embedding
    if session.json:
        from kebab.wire.models import encode_model_list

        session.emit(encode_model_list(models))
        return 0
    for line in _table(models):
        click.echo(line)
    _print_choice(session, [facts for facts in models if facts.configured], wanted)
    return 0


def _print_choice(session: Session, chosen: list[ModelFacts], wanted: EmbeddingSettings) -> None:
    for facts in chosen:
        # Recordings are read where someone wants it; nobody is asked to pull half a gigabyte for it.
        if not facts.pulled and facts.kind != "speech":
            session.talk(f"hint: kebab models pull {facts.name}")
    if any(map(_embeds, chosen)):
        return
    if wanted.provider == NO_PROVIDER:
        session.talk("no embedding model is configured; searches go by words only")
    else:
        session.talk(f"configured is {wanted.provider}/{wanted.model}, which has no place in this list")


def _table(models: list[ModelFacts]) -> list[str]:
    rows = [("NAME", "KIND", "PROVIDER", "DIMENSIONS", "LICENCE", "SIZE", "STATE")]
    for facts in models:
        length = str(facts.dimensions) if _embeds(facts) else "-"
        rows.append((facts.name, facts.kind, facts.provider, length, facts.licence, _size(facts), _state(facts)))
    lines = _aligned(rows)
    return _narrow_table(models) if runs_over(lines) else lines


def _narrow_table(models: list[ModelFacts]) -> list[str]:
    """The same on two lines for each model."""
    rows = [(facts.name, facts.kind, _size(facts), _state(facts)) for facts in models]
    head, *lines = _aligned([("NAME", "KIND", "SIZE", "STATE"), *rows])
    more = [
        f"  {facts.provider}, {f'{facts.dimensions} dimensions, ' if _embeds(facts) else ''}{facts.licence}"
        for facts in models
    ]
    return [head, *(line for pair in zip(lines, more, strict=True) for line in pair)]


def _aligned(rows: Sequence[tuple[str, ...]]) -> list[str]:
    widths = [max(map(display_width, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(map(pad, row, widths)).rstrip() for row in rows]


def _size(facts: ModelFacts) -> str:
    return in_bytes(facts.size_bytes) if facts.size_bytes else "-"


def _state(facts: ModelFacts) -> str:
    here = "part of kebab" if _comes_with_kebab(facts) else "pulled" if facts.pulled else "not pulled"
    return f"{here}, configured" if facts.configured else here


def _embeds(facts: ModelFacts) -> bool:
    return facts.kind == "embedding"


def _comes_with_kebab(facts: ModelFacts) -> bool:
    return facts.size_bytes == 0


@models_group.command("path", epilog=example("kebab models path multilingual-e5-small"))
@click.argument("name")
@shared_options
def path(name: str) -> int:
    """Print the folder of a model. Exits 1 if the model is not there yet."""
    session = current()
    with session.app() as app:
        facts = app.find_model(name)
    if session.json:
        from kebab.wire.models import encode_model

        session.emit(encode_model(facts))
    else:
        say(facts.path)
        if not facts.pulled:
            session.talk(f"{facts.name} is not on this machine; `kebab models pull {facts.name}` brings it there")
    return 0 if facts.pulled else 1


@models_group.command("pull", epilog=example("kebab models pull multilingual-e5-small"))
@click.argument("name")
@shared_options
def pull(name: str) -> int:
    """Fetch a model, once, from huggingface.co or from where HF_ENDPOINT says. All else works offline.

    A pull that was stopped goes on where it was the next time.
    """
    session = current()
    with session.app() as app:
        steps, before = app.pull_model(name), app.find_model(name)
        if not before.pulled:
            session.talk(f"pulling {before.name}, about {in_bytes(before.size_bytes)}, into {before.path}")
            follow(session, before.name, steps)
        after = app.find_model(name)
    if session.json:
        from kebab.wire.models import encode_model

        session.emit(encode_model(after))
    else:
        _print_pulled(session, after, anew=not before.pulled)
    return 0


def _print_pulled(session: Session, facts: ModelFacts, *, anew: bool) -> None:
    if _comes_with_kebab(facts):
        click.echo(f"{facts.name} is part of kebab; there is nothing to pull")
    else:
        say(f"{facts.name} {'is now' if anew else 'was already'} in {facts.path}")
    if _embeds(facts):
        _print_how_to_search(session, facts)
    elif facts.kind == "speech":
        _print_how_to_listen(session, facts)
    elif facts.configured:
        session.talk("it is the configured model; `kebab ask` checks its answers with it")
    else:
        session.talk("to check answers with it:")
        session.talk(f"  kebab config set rag.nli_model {facts.name}")
        session.talk("  kebab config set rag.nli_threshold 0.5")


def _print_how_to_listen(session: Session, facts: ModelFacts) -> None:
    if facts.configured:
        session.talk("it is the configured model; `kebab ingest` writes down recordings with it")
        return
    session.talk("to write down recordings with it:")
    session.talk(f"  kebab config set ingest.speech.model {facts.name}")
    session.talk("  kebab ingest")


def _print_how_to_search(session: Session, facts: ModelFacts) -> None:
    if facts.configured:
        session.talk("it is the configured model; `kebab ingest` makes its vectors")
        return
    session.talk("to search with it:")
    settings = {"provider": facts.provider, "model": facts.name, "dimensions": facts.dimensions}
    for key, value in settings.items():
        session.talk(f"  kebab config set models.embedding.{key} {value}")
    session.talk("  kebab ingest")
