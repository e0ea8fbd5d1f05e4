"""Embedding by an Ollama server: its `/api/embed`."""

from collections.abc import Sequence

from kebab.core.embedding import EmbeddingSettings
from kebab.embed import failures
from kebab.embed.remote import Api, RemoteEmbedder, probe
from kebab.embed.reply import Unusable


def _question(model: str, texts: Sequence[str]) -> dict[str, object]:
    return {"model": model, "input": list(texts), "truncate": True}


def _rows(reply: object) -> list[object]:
    rows = reply.get("embeddings") if isinstance(reply, dict) else None
    if not isinstance(rows, list):
        raise Unusable("gave a reply without `embeddings`; it may not be Ollama, or older than 0.3")
    return rows


API = Api(
    endpoint="http://127.0.0.1:11434",
    path="/api/embed",
    start="run `ollama serve`",
    pull="ollama pull {model}",
    question=_question,
    rows=_rows,
)


class OllamaEmbedder(RemoteEmbedder):
    """`models.embedding.provider = "ollama"`."""

    api = API


def reachable(settings: EmbeddingSettings) -> str:
    """One line about the server, for `kebab doctor`."""
    service, reply = probe(API, settings, "/api/version")
    version = reply.get("version") if isinstance(reply, dict) else None
    if not isinstance(version, str):
        raise failures.invalid(service, "answers, but not as Ollama does")
    return f"Ollama {failures.one_line(version)} at {service.endpoint}"
