"""Embedding by a server, whichever API it speaks: texts prepared, sent in batches, and replies checked.

Nothing leaves this machine unless `models.embedding.endpoint` names another one. Servers are asked to cut what is too
long for their model; a passage is far below that.
"""

import re
from collections.abc import Callable, Sequence
from typing import ClassVar, NamedTuple

from kebab.core.embedding import EmbeddingKind, EmbeddingModel, EmbeddingSettings, ModelFolders, Vector
from kebab.embed.prefixes import prefix
from kebab.embed.reply import to_vectors
from kebab.remote.failures import Service, Unusable, invalid
from kebab.remote.server import ModelServer

_SURROGATE = re.compile(r"[\ud800-\udfff]")


class Api(NamedTuple):
    """What one kind of server expects and gives. `{model}` in `pull` stands for the model's name."""

    endpoint: str
    path: str
    start: str
    pull: str
    question: Callable[[str, Sequence[str]], dict[str, object]]
    rows: Callable[[object], list[object]]


class RemoteEmbedder:
    """An embedder that is made of settings and an `api`; it connects when it is first used."""

    api: ClassVar[Api]

    def __init__(self, settings: EmbeddingSettings, folders: ModelFolders) -> None:  # noqa: ARG002 - every embedder is made of the same two
        """The folders are for those whose model is on this machine."""
        self._settings = settings
        self._service = service_of(self.api, settings)
        self._server = ModelServer(self._service, settings.timeout_s)

    @property
    def model(self) -> EmbeddingModel:
        return self._settings.identity()

    def embed(self, texts: Sequence[str], kind: EmbeddingKind) -> list[Vector]:
        before = prefix(self._settings.model, kind)
        ready = [prepared(before + text) for text in texts]
        size = max(1, self._settings.batch_size)
        vectors: list[Vector] = []
        for start in range(0, len(ready), size):
            vectors += self._batch(ready[start : start + size])
        return vectors

    def release(self) -> None:
        """The model is in the server's memory."""

    def _batch(self, texts: Sequence[str]) -> list[Vector]:
        reply = self._server.ask(self.api.path, self.api.question(self._settings.model, texts))
        try:
            return to_vectors(self.api.rows(reply), len(texts), self._settings.dimensions)
        except Unusable as wrong:
            raise invalid(self._service, wrong.problem, wrong.hint) from wrong


def prepared(text: str) -> str:
    """UTF-8 cannot carry half a surrogate pair, and some servers refuse an empty text or give no vector for it."""
    return _SURROGATE.sub("\ufffd", text) or " "


def service_of(api: Api, settings: EmbeddingSettings) -> Service:
    return Service(
        section="models.embedding",
        endpoint=settings.endpoint.strip() or api.endpoint,
        model=settings.model,
        key_variable=settings.api_key_env,
        start=api.start,
        pull=api.pull.format(model=settings.model),
        lighter="lower models.embedding.batch_size",
    )
