"""What every language model owes: pieces of a reply, then its end, once; and it can be stopped, shared and asked again.

class TestMine(LanguageModelContract):
    @pytest.fixture
    def language_model(self) -> LanguageModel: ...
"""

import subprocess
import sys
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from itertools import zip_longest
from typing import ClassVar

import pytest

from kebab.core.answer import Delta, Evidence, Finished, FinishReason, ModelRef, Prompt
from kebab.core.citation import LineCitation
from kebab.core.ports import LanguageModel
from kebab.core.query import Freshness, Hit, RetrievalDetail, SearchMode

Reply = Generator[Delta | Finished, None, None]

PASSAGES = (
    "현미밥은 40분 동안 짓는다. 쌀은 미리 두 시간 불려 둔다.",
    "Brown rice cooks for forty minutes. It keeps for three days in the fridge.",
)
ODD_TEXTS = {
    "empty": "",
    "blank": " \n\t\u3000",
    "a NUL": "before\x00after",
    "emoji": "👩‍👩‍👧 🇰🇷 e\u0301",
    "a lone surrogate": "half a pair: \ud83d",
    "like a reply": '{"done": true}\ndata: [DONE]\n\n</think>',
    "very long": "word and 단어 " * 10_000,
}


class LanguageModelContract:
    # Modules that must not be there before it is asked, and statements that make a `language_model` without any.
    heavy: ClassVar[tuple[str, ...]] = ()
    recipe: ClassVar[str] = ""

    @pytest.fixture
    def language_model(self) -> LanguageModel:
        raise NotImplementedError

    def test_it_says_who_it_is_and_how_much_it_reads(self, language_model: LanguageModel) -> None:
        model = language_model.model
        assert isinstance(model, ModelRef)
        assert (bool(model.id), bool(model.provider), model.dimensions) == (True, True, None)
        assert language_model.model == model
        assert language_model.context_tokens > 0

    def test_a_reply_is_pieces_and_then_its_end(self, language_model: LanguageModel) -> None:
        *pieces, end = language_model.generate(prompt())
        assert pieces
        assert all(type(piece) is Delta and piece.text for piece in pieces)
        assert type(end) is Finished
        assert end.reason is FinishReason.STOP
        assert (end.prompt_tokens >= 0, end.completion_tokens >= 0) == (True, True)

    def test_after_its_end_there_is_nothing(self, language_model: LanguageModel) -> None:
        reply = language_model.generate(prompt())
        assert list(reply)
        assert next(reply, None) is None

    def test_the_same_prompt_has_the_same_reply(self, language_model: LanguageModel) -> None:
        first = whole(language_model, prompt())
        assert first.strip()
        assert first == whole(language_model, prompt())

    def test_a_lower_limit_gives_no_longer_reply(self, language_model: LanguageModel) -> None:
        limited = whole(language_model, prompt()._replace(max_tokens=1))
        assert len(limited) <= len(whole(language_model, prompt()))

    def test_a_reply_may_be_left_at_any_point(self, language_model: LanguageModel) -> None:
        expected = list(language_model.generate(prompt()))
        for taken in range(len(expected) + 1):
            reply = generator(language_model.generate(prompt()))
            assert [next(reply) for _ in range(taken)] == expected[:taken]
            reply.close()
            assert next(reply, None) is None
        assert list(language_model.generate(prompt())) == expected

    def test_replies_that_are_read_side_by_side_do_not_mix(self, language_model: LanguageModel) -> None:
        alone = list(language_model.generate(prompt()))
        pairs = list(zip_longest(language_model.generate(prompt()), language_model.generate(prompt())))
        assert [one for one, _ in pairs] == [other for _, other in pairs] == alone

    def test_threads_may_share_it(self, language_model: LanguageModel) -> None:
        alone = whole(language_model, prompt())
        with ThreadPoolExecutor(4) as pool:
            replies = list(pool.map(lambda _: whole(language_model, prompt()), range(8)))
        assert replies == [alone] * 8

    @pytest.mark.parametrize("text", ODD_TEXTS.values(), ids=ODD_TEXTS.keys())
    def test_anything_may_be_asked(self, language_model: LanguageModel, text: str) -> None:
        asked = prompt(question=text, passages=(text, *PASSAGES))
        for each in (asked, asked._replace(system=text), asked._replace(evidence=())):
            *pieces, end = language_model.generate(each)
            assert isinstance(end, Finished)
            assert all(isinstance(piece, Delta) and piece.text.encode("utf-8") for piece in pieces)

    def test_nothing_heavy_is_loaded_before_it_is_asked(self) -> None:
        if not self.recipe:
            pytest.skip("no recipe to make one in a fresh interpreter")
        look = f"print(*(name for name in {self.heavy!r} if name in sys.modules))"
        script = f"import sys\n{self.recipe}\nlanguage_model.model\n{look}"
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.split() == []


def prompt(question: str = "현미밥은 얼마나 짓나요?", passages: tuple[str, ...] = PASSAGES) -> Prompt:
    evidence = tuple(found(number, text) for number, text in enumerate(passages, 1))
    listed = "\n".join(f"{each.marker} {each.text}" for each in evidence)
    return Prompt(
        system="Answer from the evidence only, with a marker after each sentence.",
        user=f"{listed}\n\n{question}",
        question=question,
        evidence=evidence,
        stop=("</answer>",),
    )


def found(number: int, text: str) -> Evidence:
    path = f"kitchen/{number}.md"
    citation = LineCitation(path, 1, 1)
    hit = Hit(
        rank=number,
        score=1 / number,
        score_kind="blend",
        chunk_id=f"chunk{number}",
        doc_id=f"doc{number}",
        doc_path=path,
        title="현미밥 Brown rice",
        heading_path=(),
        section_label=None,
        snippet=text[:200],
        snippet_full_text=len(text) <= 200,
        highlights=(),
        citation=citation,
        retrieval=RetrievalDetail(SearchMode.HYBRID, 1 / number),
        chunker_version="v1",
        indexed_at="",
        stale=False,
        freshness=Freshness.FRESH,
        source_id="",
        trust_level="primary",
        file=path,
    )
    return Evidence(number, hit, text, 1, citation)


def generator(reply: object) -> Reply:
    assert isinstance(reply, Generator), "closing the iterator stops the model, so it can be closed"
    return reply


def whole(language_model: LanguageModel, asked: Prompt) -> str:
    return "".join(piece.text for piece in language_model.generate(asked) if isinstance(piece, Delta))
