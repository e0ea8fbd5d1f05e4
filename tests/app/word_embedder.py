"""A stand-in for an embedding model: texts are near each other for the words they share, some under two names."""

import random
import re
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from zlib import crc32

from kebab.core.embedding import EmbeddingKind, EmbeddingModel, EmbeddingSettings, ModelFolders, Vector
from kebab.core.errors import KebabError

# What means the same without sharing a letter.
SAME = {"automobile": "car", "자동차": "car", "feline": "cat", "고양이": "cat"}


@dataclass
class WordModel:
    """Makes the embedders of a test and remembers what they were asked. `failure` is raised after `good` texts more."""

    passages: list[str] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)
    failure: KebabError | None = None
    good: int = 0
    refusal: KebabError | None = None
    calls: int = 0
    releases: int = 0

    def __call__(self, settings: EmbeddingSettings, folders: ModelFolders) -> "WordEmbedder":
        if self.refusal is not None:
            raise self.refusal
        return WordEmbedder(settings, self)

    def take(self) -> list[str]:
        """The passages since the last time."""
        taken, self.passages = self.passages, []
        return taken


class WordEmbedder:
    def __init__(self, settings: EmbeddingSettings, told: WordModel) -> None:
        self._settings = settings
        self._told = told

    @property
    def model(self) -> EmbeddingModel:
        return self._settings.identity()

    def embed(self, texts: Sequence[str], kind: EmbeddingKind) -> list[Vector]:
        self._told.calls += 1
        if self._told.failure is not None and self._told.good < len(texts):
            raise self._told.failure
        self._told.good -= len(texts)
        (self._told.passages if kind is EmbeddingKind.DOCUMENT else self._told.questions).extend(texts)
        return [self._vector(text) for text in texts]

    def release(self) -> None:
        self._told.releases += 1

    def _vector(self, text: str) -> Vector:
        total = array("f", bytes(4 * self._settings.dimensions))
        for word in re.findall(r"\w+", text.lower()):
            chance = random.Random(f"{self._settings.version} {crc32(SAME.get(word, word).encode())}")
            for axis in range(len(total)):
                total[axis] += chance.gauss(0, 1)
        length = sum(value * value for value in total) ** 0.5 or 1.0
        return array("f", (value / length for value in total)).tobytes()
