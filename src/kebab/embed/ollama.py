"""Embedding by an Ollama server: its `/api/embed`."""

from collections.abc import Sequence

from kebab.core.embedding import EmbeddingSettings
from kebab.embed.remote import Api, RemoteEmbedder, service_of
from kebab.remote.failures import Unusable
from kebab.remote.greeting import greet_ollama


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
    return greet_ollama(service_of(API, settings))
