"""The models that have a name: what is told of them, and a pull through the app from a stand-in hub."""

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from embed.stand_in_hub import Hub, Offer, stand_in_hub
from kebab.core.errors import InvalidInput, ReadonlyMode
from kebab.core.inspection import ModelFacts, PullProgress
from kebab.embed import catalogue
from kebab.embed.catalogue import HubFile, KnownModel

if TYPE_CHECKING:
    from app_bench import Desk

TINY = KnownModel(
    "tiny", "fastembed", 16, "MIT", "someone/tiny", (HubFile("tokenizer.json", 20), HubFile("onnx/model.onnx", 40))
)


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """A hub with one small model, which is in the catalogue too."""
    for name in [name for name in os.environ if name.lower().endswith("_proxy")]:
        monkeypatch.delenv(name)
    monkeypatch.setattr(catalogue, "MODELS", (*catalogue.MODELS, TINY))
    with stand_in_hub() as opened:
        monkeypatch.setenv("HF_ENDPOINT", opened.url)
        for file in TINY.files:
            opened.offers[f"/someone/tiny/resolve/main/{file.path}"] = Offer(b"x" * file.size)
        yield opened


def by_name(desk: "Desk") -> dict[str, ModelFacts]:
    return {facts.name: facts for facts in desk.app().list_models()}


def configured(desk: "Desk", kinds: tuple[str, ...] = ("embedding", "nli")) -> list[str]:
    return [name for name, facts in by_name(desk).items() if facts.configured and facts.kind in kinds]


def test_every_model_of_the_catalogue_is_told_with_its_place(desk: "Desk") -> None:
    found = by_name(desk)
    assert list(found) == [model.name for model in catalogue.MODELS]
    small = found["multilingual-e5-small"]
    assert (small.provider, small.dimensions, small.licence, small.pulled) == ("fastembed", 384, "MIT", False)
    assert small.path == str(desk.config.storage.model_dir / "multilingual-e5-small")
    assert 400e6 < small.size_bytes < 600e6
    ours = found["use-multilingual-v3"]
    assert (ours.provider, ours.pulled, ours.size_bytes) == ("builtin", True, 0)


def test_the_configured_model_is_known_by_its_name_and_its_repository(desk: "Desk") -> None:
    assert configured(desk) == []
    desk.flags["models.embedding.provider"] = "builtin"
    assert configured(desk) == ["use-multilingual-v3"]
    desk.flags["models.embedding.provider"] = "fastembed"
    assert configured(desk) == [], "a name of another provider's model"
    for name in ("multilingual-e5-base", "intfloat/multilingual-e5-base"):
        desk.flags["models.embedding.model"] = name
        assert configured(desk) == ["multilingual-e5-base"]
    desk.flags["models.embedding.model"] = str(desk.home)
    assert configured(desk) == []


def test_the_verifier_is_configured_when_answers_are_checked_with_it(desk: "Desk") -> None:
    assert by_name(desk)["mdeberta-v3-xnli"].kind == "nli"
    desk.flags["rag.nli_threshold"] = 0.5
    assert configured(desk) == ["mdeberta-v3-xnli"]
    desk.flags["rag.nli_model"] = "MoritzLaurer/mDeBERTa-v3-base-xnli-multilingual-nli-2mil7"
    assert configured(desk) == ["mdeberta-v3-xnli"]
    desk.flags["rag.nli_model"] = str(desk.home)
    assert configured(desk) == []


def test_the_speech_model_is_configured_by_its_name_unless_nobody_listens(desk: "Desk") -> None:
    assert configured(desk, ("speech",)) == ["faster-whisper-small"]
    desk.flags["ingest.speech.model"] = "Systran/faster-whisper-tiny"
    assert configured(desk, ("speech",)) == ["faster-whisper-tiny"]
    desk.flags["ingest.speech.provider"] = "none"
    assert configured(desk, ("speech",)) == []


def test_a_pull_is_told_step_by_step_and_then_the_model_is_there(desk: "Desk", hub: Hub) -> None:
    app = desk.app()
    assert not app.find_model("tiny").pulled
    steps = list(app.pull_model("tiny"))
    assert steps[-1] == PullProgress("onnx/model.onnx", 40, 40)
    assert list(dict.fromkeys(step.file for step in steps)) == ["tokenizer.json", "onnx/model.onnx"]
    facts = app.find_model("someone/tiny")
    assert (facts.name, facts.pulled) == ("tiny", True)
    asked = len(hub.asked)
    assert list(app.pull_model("tiny")) == []
    assert len(hub.asked) == asked


def test_a_readonly_app_tells_of_models_and_pulls_none(desk: "Desk", hub: Hub) -> None:
    app = desk.app(readonly=True)
    with pytest.raises(ReadonlyMode):
        app.pull_model("tiny")
    assert not app.find_model("tiny").pulled
    assert hub.asked == []
    assert not (desk.home / "data").exists()


def test_a_name_that_no_model_has_is_invalid(desk: "Desk") -> None:
    for ask in (desk.app().find_model, lambda name: list(desk.app().pull_model(name))):
        with pytest.raises(InvalidInput) as caught:
            ask("no-such-model")
        assert caught.value.hint == "kebab models list"


def test_models_are_told_without_an_index_and_leave_no_trace(desk: "Desk") -> None:
    assert by_name(desk)
    assert not (desk.home / "data").exists()
