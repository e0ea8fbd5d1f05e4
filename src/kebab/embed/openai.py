"""Embedding by any server with OpenAI's `/v1/embeddings`: llama.cpp, vLLM, LM Studio, or a hosted one that is named."""

from collections.abc import Sequence

from kebab.core.embedding import EmbeddingSettings
from kebab.embed.remote import Api, RemoteEmbedder, service_of
from kebab.remote.failures import Unusable
from kebab.remote.greeting import greet_openai


def _question(model: str, texts: Sequence[str]) -> dict[str, object]:
    return {"model": model, "input": list(texts), "encoding_format": "float"}


def _rows(reply: object) -> list[object]:
    """In the order of the texts, which is not always the order of the reply."""
    data = reply.get("data") if isinstance(reply, dict) else None
    if not isinstance(data, list) or not all(isinstance(item, dict) for item in data):
        raise Unusable("gave a reply without `data`; it may not speak OpenAI's API")
    by_index = {item.get("index"): item.get("embedding") for item in data if type(item.get("index")) is int}
    if by_index.keys() != set(range(len(data))):
        raise Unusable("gave vectors whose `index` does not say which text they belong to")
    return [by_index[index] for index in range(len(data))]


API = Api(
    endpoint="http://127.0.0.1:8080",
    path="/v1/embeddings",
    start="start the server",
    pull="load {model} in the server, or check models.embedding.model",
    question=_question,
    rows=_rows,
)


class OpenAiEmbedder(RemoteEmbedder):
    """`models.embedding.provider = "openai"`."""

    api = API


def reachable(settings: EmbeddingSettings) -> str:
    """One line about the server, for `kebab doctor`."""
    return greet_openai(service_of(API, settings))
