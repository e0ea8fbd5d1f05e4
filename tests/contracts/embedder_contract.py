"""What every embedder owes: a unit vector per text, in order, the same whatever else is in the batch.

class TestMine(EmbedderContract):
    @pytest.fixture
    def settings(self) -> EmbeddingSettings: ...

    @pytest.fixture
    def embedder(self, settings: EmbeddingSettings) -> Embedder: ...
"""

import math
import random
import struct
import subprocess
import sys
from collections.abc import Sequence
from typing import ClassVar

import pytest

from kebab.core.embedding import EmbeddingKind, EmbeddingSettings, Vector
from kebab.core.ports import Embedder

KINDS = tuple(EmbeddingKind)
TEXTS = (
    "Brown rice cooks for forty minutes.",
    "현미밥은 사십 분 동안 짓는다.",
    "kubectl delete pod web-0 --grace-period=30",
    "The library closes at nine. " * 40,
    "도서관은 아홉 시에 닫는다. " * 40,
    "",
    "하나",
)
ODD_TEXTS = {
    "empty": "",
    "blank": " \n\t\u3000",
    "a NUL": "\x00",
    "a NUL inside": "before\x00after",
    "emoji": "👩‍👩‍👧 🇰🇷 e\u0301",
    "a lone surrogate": "half a pair: \ud83d",
    "nothing but surrogates": "\udfff\ud800",
    "very long": "word and 단어 " * 10_000,
    "very long without a space": "가" * 100_000,
}
CLOSE = 1e-5


class EmbedderContract:
    # A tiny random model understands nothing.
    understands: ClassVar[bool] = True
    # Modules that must not be there before the first `embed`, and statements that make an `embedder` without any.
    heavy: ClassVar[tuple[str, ...]] = ()
    recipe: ClassVar[str] = ""

    @pytest.fixture
    def settings(self) -> EmbeddingSettings:
        raise NotImplementedError

    @pytest.fixture
    def embedder(self, settings: EmbeddingSettings) -> Embedder:
        raise NotImplementedError

    def test_it_is_the_model_of_its_settings(self, embedder: Embedder, settings: EmbeddingSettings) -> None:
        assert embedder.model == settings.identity()

    @pytest.mark.parametrize("kind", KINDS)
    def test_every_text_has_a_unit_vector_of_the_models_dimensions(
        self, embedder: Embedder, kind: EmbeddingKind
    ) -> None:
        found = embedder.embed(TEXTS, kind)
        assert len(found) == len(TEXTS)
        for vector in found:
            assert_sound(vector, embedder)

    @pytest.mark.parametrize("kind", KINDS)
    def test_no_texts_are_no_vectors(self, embedder: Embedder, kind: EmbeddingKind) -> None:
        assert embedder.embed([], kind) == []

    @pytest.mark.parametrize("kind", KINDS)
    def test_a_text_alone_is_as_in_company(self, embedder: Embedder, kind: EmbeddingKind) -> None:
        alone = [embedder.embed([text], kind)[0] for text in TEXTS]
        assert_close(alone, embedder.embed(TEXTS, kind))

    def test_the_vectors_are_in_the_order_of_the_texts(self, embedder: Embedder) -> None:
        known = dict(zip(TEXTS, embedder.embed(TEXTS, EmbeddingKind.DOCUMENT), strict=True))
        assert len(set(known.values())) == len(TEXTS)
        for seed in range(3):
            order = random.Random(seed).sample(TEXTS, len(TEXTS))
            assert_close(embedder.embed(order, EmbeddingKind.DOCUMENT), [known[text] for text in order])

    def test_many_texts_are_no_different_from_few(self, embedder: Embedder) -> None:
        few = embedder.embed(TEXTS, EmbeddingKind.DOCUMENT)
        assert_close(embedder.embed(TEXTS * 20, EmbeddingKind.DOCUMENT), few * 20)

    def test_a_longer_neighbour_changes_nothing(self, embedder: Embedder) -> None:
        alone = embedder.embed(["밥"], EmbeddingKind.DOCUMENT)
        beside = embedder.embed(["rice " * 400, "밥", "쌀 " * 400], EmbeddingKind.DOCUMENT)
        assert_close(alone, beside[1:2])

    def test_equal_texts_have_equal_vectors(self, embedder: Embedder) -> None:
        found = embedder.embed([TEXTS[0], TEXTS[1], TEXTS[0]], EmbeddingKind.QUERY)
        assert_close(found[:1], found[2:])

    def test_different_texts_have_different_vectors(self, embedder: Embedder) -> None:
        one, other = embedder.embed(TEXTS[:2], EmbeddingKind.QUERY)
        assert cosine(one, other) < 1 - 1e-4

    @pytest.mark.parametrize("text", ODD_TEXTS.values(), ids=ODD_TEXTS.keys())
    def test_any_text_has_a_vector(self, embedder: Embedder, text: str) -> None:
        for kind in KINDS:
            found = embedder.embed([text, TEXTS[0]], kind)
            assert len(found) == 2
            assert_sound(found[0], embedder)
            assert_close(found[1:], embedder.embed([TEXTS[0]], kind))

    @pytest.mark.parametrize(
        ("text", "paraphrase", "unrelated"),
        [
            ("How do I delete a file?", "What is the way to remove a document?", "The soup needs more salt."),
            ("파일을 어떻게 지우나요?", "파일을 삭제하는 방법이 무엇인가요?", "국에 소금이 더 필요하다."),
        ],
    )
    def test_a_paraphrase_is_nearer_than_something_else(
        self, embedder: Embedder, text: str, paraphrase: str, unrelated: str
    ) -> None:
        if not self.understands:
            pytest.skip("this model understands nothing")
        query = embedder.embed([text], EmbeddingKind.QUERY)[0]
        near, far = embedder.embed([paraphrase, unrelated], EmbeddingKind.DOCUMENT)
        assert cosine(query, near) > cosine(query, far) + 0.1

    def test_nothing_heavy_is_loaded_before_the_first_text(self) -> None:
        if not self.recipe:
            pytest.skip("no recipe to make one in a fresh interpreter")
        look = f"print(*(name for name in {self.heavy!r} if name in sys.modules))"
        script = f"import sys\n{self.recipe}\nembedder.model\n{look}"
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.split() == []


def floats(vector: Vector) -> tuple[float, ...]:
    return struct.unpack(f"<{len(vector) // 4}f", vector)


def cosine(one: Vector, other: Vector) -> float:
    return sum(left * right for left, right in zip(floats(one), floats(other), strict=True))


def assert_sound(vector: Vector, embedder: Embedder) -> None:
    assert type(vector) is bytes
    assert len(vector) == embedder.model.dimensions * 4
    assert all(map(math.isfinite, floats(vector)))
    assert math.sqrt(cosine(vector, vector)) == pytest.approx(1, abs=1e-3)


def assert_close(found: Sequence[Vector], expected: Sequence[Vector]) -> None:
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        furthest = max(abs(left - right) for left, right in zip(floats(one), floats(other), strict=True))
        assert furthest <= CLOSE
