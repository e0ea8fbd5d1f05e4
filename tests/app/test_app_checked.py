"""Answers that a verifier checks, through the app: its settings, its absence, and what the doctor says of models."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from app_bench import Desk

from embed import tiny_transformer as tiny
from kebab.app import assemble
from kebab.config import Config
from kebab.core.answer import Answer, AnswerReady, Question, RefusalReason, Verification
from kebab.core.inspection import Check
from kebab.core.query import SearchMode
from stand_ins.model_server import MODEL, StandInServer

NOTE = "# Rice\n\nBrown rice cooks for forty minutes in plenty of water.\n"
REPLY = "Cooking brown rice takes forty minutes [#1]."


@dataclass
class ScriptedVerifier:
    score: float = 0.9
    made: list[Config] = field(default_factory=list)
    read: list[tuple[str, str]] = field(default_factory=list)

    def __call__(self, config: Config) -> "ScriptedVerifier":
        self.made.append(config)
        return self

    def entails(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        self.read += pairs
        return [self.score] * len(pairs)


@pytest.fixture
def server() -> Iterator[StandInServer]:
    with StandInServer() as server:
        server.tells = [REPLY]
        yield server


@pytest.fixture
def noted(desk: Desk) -> Desk:
    """One note that answers, and enough others for its words to be rare."""
    desk.write("rice.md", NOTE)
    for name in ("tram", "library", "garden", "bicycle", "piano"):
        desk.write(f"{name}.md", f"# {name}\n\nThe {name} stands where everybody can see it.\n")
    desk.ingest()
    return desk


@pytest.fixture
def told(noted: Desk, server: StandInServer) -> Desk:
    """A desk whose answers come from a server and are checked."""
    noted.flags |= {
        "models.llm.provider": "ollama",
        "models.llm.model": MODEL,
        "models.llm.endpoint": server.url,
        "rag.nli_threshold": 0.5,
    }
    return noted


def answers(desk: Desk, count: int = 1) -> list[Answer]:
    app, question = desk.app(), Question("How many minutes does brown rice cook?", SearchMode.LEXICAL)
    lasts = [list(app.ask(question))[-1] for _ in range(count)]
    return [last.answer for last in lasts if isinstance(last, AnswerReady)]


def check(desk: Desk, name: str) -> Check | None:
    return next((each for each in desk.app().doctor().checks if each.name == name), None)


@pytest.mark.parametrize(
    ("score", "reason"), [(0.9, None), (0.4, RefusalReason.NLI_VERIFICATION_FAILED)], ids=["believed", "doubted"]
)
def test_an_answer_of_a_server_is_checked(
    told: Desk, monkeypatch: pytest.MonkeyPatch, score: float, reason: RefusalReason | None
) -> None:
    verifier = ScriptedVerifier(score)
    monkeypatch.setattr(assemble, "entailment_for", verifier)
    first, second = answers(told, 2)
    assert first.refusal_reason == second.refusal_reason == reason
    assert first.verification == Verification(score, 0.5, nli_passed=reason is None)
    assert len(verifier.made) == 1, "the model stays open between questions"
    assert ("Brown rice cooks for forty minutes in plenty of water.", first.statements[0].text) in verifier.read


def test_a_verifier_that_is_not_pulled_refuses_and_says_how_to_get_it(told: Desk) -> None:
    (answer,) = answers(told)
    assert (answer.refusal_reason, answer.verification) == (RefusalReason.NLI_MODEL_UNAVAILABLE, None)
    assert answer.hint == "kebab models pull mdeberta-v3-xnli"


def test_a_threshold_of_zero_needs_no_verifier(told: Desk) -> None:
    told.flags["rag.nli_threshold"] = 0.0
    (answer,) = answers(told)
    assert (answer.grounded, answer.verification) == (True, None)


def test_the_built_in_answers_quote_and_need_no_model_to_be_checked(noted: Desk) -> None:
    noted.flags["rag.nli_threshold"] = 0.5
    (answer,) = answers(noted)
    assert answer.grounded
    assert answer.verification == Verification(1.0, 0.5, nli_passed=True)


def test_a_folder_may_be_named_instead(told: Desk) -> None:
    folder = told.home / "nli"
    tiny.write_cross_encoder(folder, classes=3)
    told.flags |= {"rag.nli_model": str(folder), "rag.nli_threshold": 0.001}
    (answer,) = answers(told)
    assert answer.verification is not None
    assert 0 < answer.verification.nli_score < 1


def test_the_doctor_greets_the_server_of_the_language_model(told: Desk, server: StandInServer) -> None:
    found = check(told, "language_model")
    assert found == Check("language_model", ok=True, detail=f"Ollama 0.99.1 at {server.url}; it has {MODEL}")
    server.models = ("another",)
    missing = check(told, "language_model")
    assert missing is not None
    assert (missing.ok, missing.hint) == (False, f"ollama pull {MODEL}")
    told.flags["models.llm.provider"] = "openai"
    other = check(told, "language_model")
    assert other is not None
    assert "it lists 1 models" in other.detail


def test_the_doctor_knows_that_the_built_in_model_is_there(desk: Desk) -> None:
    assert check(desk, "language_model") == Check("language_model", ok=True, detail="builtin/extractive-v1")
    assert check(desk, "nli_model") is None, "nobody asked for answers to be checked"


def test_the_doctor_has_the_verifier_read_a_sentence(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.flags["rag.nli_threshold"] = 0.5
    absent = check(desk, "nli_model")
    assert absent is not None
    assert (absent.ok, absent.hint) == (False, "kebab models pull mdeberta-v3-xnli")
    monkeypatch.setattr(assemble, "entailment_for", ScriptedVerifier(0.98))
    sound = check(desk, "nli_model")
    assert sound == Check("nli_model", ok=True, detail="mdeberta-v3-xnli; answers need 0.50")
    monkeypatch.setattr(assemble, "entailment_for", ScriptedVerifier(0.02))
    turned = check(desk, "nli_model")
    assert turned is not None
    assert not turned.ok
    assert "doubts that a sentence says itself (0.02)" in turned.detail


def test_a_broken_verifier_is_a_row_and_no_crash(desk: Desk, tmp_path: Path) -> None:
    folder = tmp_path / "broken"
    tiny.write_embedder(folder)
    desk.flags |= {"rag.nli_threshold": 0.5, "rag.nli_model": str(folder)}
    found = check(desk, "nli_model")
    assert found is not None
    assert (found.ok, "not a score for entailment" in found.detail) == (False, True)
