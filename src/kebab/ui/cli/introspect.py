"""`kebab schema` and `kebab completion`."""

import click

from kebab.core.inspection import SchemaReport
from kebab.ui.cli.session import current, example, on_this_machine, shared_options
from kebab.ui.terminal import wrap

SHELLS = ("bash", "zsh", "fish")
_WIDTH = 78


@click.command(
    short_help="Say what this kebab can do and what the index holds.",
    epilog=example("kebab schema", "kebab schema --json"),
)
@shared_options
def schema() -> int:
    """Say what this kebab can do and what the index holds: wire schemas, capabilities, versions, counts."""
    session = current()
    with session.app() as app:
        report = app.schema()
    if session.json:
        from kebab.wire.introspection import encode_schema

        session.emit(encode_schema(report))
    else:
        click.echo("\n".join(_describe(report)))
    return 0


def _describe(report: SchemaReport) -> list[str]:
    models, stats = report.models, report.stats
    lines = [f"kebab v{report.kebab_version}", "", "wire schemas"]
    lines += [f"  {line}" for line, _ in wrap(", ".join(report.schemas), (), _WIDTH)]
    lines += ["", "capabilities"]
    lines += [f"  {'✓' if able else '✗'} {name}" for name, able in report.capabilities.items()]
    lines += ["", "models"]
    versions = {
        "parser_version": models.parser_version,
        "chunker_version": models.chunker_version,
        "embedding_version": models.embedding_version,
        "prompt_template_version": models.prompt_template_version,
        "index_version": models.index_version,
        "corpus_revision": models.corpus_revision,
    }
    lines += [f"  {name:<24}{value}" for name, value in versions.items()]
    lines += ["", "stats"]
    counts = {
        "doc_count": stats.doc_count,
        "chunk_count": stats.chunk_count,
        "asset_count": stats.asset_count,
        "last_ingest_at": stats.last_ingest_at or "never",
    }
    return lines + [f"  {name:<24}{value}" for name, value in counts.items()]


@click.command(
    short_help="Print the completion script for bash, zsh or fish.",
    epilog=example('eval "$(kebab completion bash)"', "kebab completion fish > ~/.config/fish/completions/kebab.fish"),
)
@click.argument("shell", type=click.Choice(SHELLS))
@shared_options
def completion(shell: str) -> int:
    """Print the completion script for bash, zsh or fish."""
    from click.shell_completion import get_completion_class

    on_this_machine()
    kind = get_completion_class(shell)
    assert kind is not None, "the choices name shells click knows"
    click.echo(kind(click.get_current_context().find_root().command, {}, "kebab", "_KEBAB_COMPLETE").source())
    return 0
