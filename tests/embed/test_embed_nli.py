"""The ONNX verifier: the contract of entailment, its scores against numpy, long passages, and every way to fail."""

import sys
from pathlib import Path

import numpy as np  # noqa: TID253
import pytest
import tiny_transformer as tiny

from contracts.entailment_contract import EntailmentContract
from kebab.core.errors import KebabError, MissingExtra, ModelInvalid, ModelNotPulled
from kebab.core.ports import Entailment
from kebab.embed import model_folder
from kebab.embed.nli import OnnxEntailment
from kebab.embed.onnx.transformer import Transformer

HUB = {"0": "entailment", "1": "neutral", "2": "contradiction"}
PAIRS = [("Rice cooks for forty minutes.", "forty minutes"), ("쌀은 사십 분", "forty"), ("nine " * 30, "ten")]
LENGTH, FRAME = 24, 4


@pytest.fixture(scope="module", params=[3, 2], ids=["three classes", "two classes"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("nli")
    tiny.write_cross_encoder(made, classes=request.param)
    return made


class TestOnnxEntailment(EntailmentContract):
    @pytest.fixture
    def entailment(self, folder: Path) -> Entailment:
        return OnnxEntailment(folder, threads=1)


def shares(folder: Path, weights: tiny.TinyWeights) -> list[list[float]]:
    """How likely each class of each pair is, computed in numpy."""
    tokenizer = tiny.write_tokenizer(folder)
    logits = [weights.hidden(tokenizer.encode(*pair).ids)[0] @ weights.head for pair in PAIRS]
    return [[float(share) for share in np.exp(row) / np.exp(row).sum()] for row in logits]


@pytest.mark.parametrize(
    ("labels", "place"),
    [
        (HUB, 0),
        ({"0": "CONTRADICTION", "1": "NEUTRAL", "2": "ENTAILMENT"}, 2),
        ({"2": "contradiction", "1": "entailment", "0": "neutral"}, 1),
        ({"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"}, 0),
        (None, 0),
    ],
)
def test_the_class_that_is_called_entailment_counts(tmp_path: Path, labels: object, place: int) -> None:
    weights = tiny.write_cross_encoder(tmp_path, classes=3)
    tiny.set_facts(tmp_path, "config.json", id2label=labels)
    expected = [row[place] for row in shares(tmp_path, weights)]
    assert OnnxEntailment(tmp_path, threads=0).entails(PAIRS) == pytest.approx(expected, abs=1e-5)


def test_of_two_classes_what_is_not_entailment_is_not_taken_for_it(tmp_path: Path) -> None:
    weights = tiny.write_cross_encoder(tmp_path, classes=2)
    tiny.set_facts(tmp_path, "config.json", id2label={"0": "not_entailment", "1": "entailment"})
    expected = [row[1] for row in shares(tmp_path, weights)]
    assert OnnxEntailment(tmp_path, threads=0).entails(PAIRS) == pytest.approx(expected, abs=1e-5)


def test_a_long_passage_is_read_in_parts_and_the_best_part_counts(tmp_path: Path) -> None:
    tiny.write_cross_encoder(tmp_path, classes=3)
    tiny.set_facts(tmp_path, "tokenizer_config.json", model_max_length=LENGTH)
    made = OnnxEntailment(tmp_path, threads=0)
    passage, sentence = "Rice cooks for forty minutes, and barley for fifty of them.", "four"
    size = LENGTH - FRAME - len(sentence)
    starts = [*range(0, len(passage) - size, size * 3 // 4), len(passage) - size]
    parts = made.entails([(passage[start : start + size], sentence) for start in starts])
    best = parts.index(max(parts))
    assert best not in (0, len(parts) - 1), "or this test proves nothing"
    assert made.entails([(passage, sentence)]) == pytest.approx([parts[best]], abs=1e-5)
    assert made.entails([("short", sentence), (passage, sentence), ("tiny", "a")])[1] == pytest.approx(parts[best])


def test_a_long_sentence_loses_its_end_and_leaves_half_the_room(tmp_path: Path) -> None:
    tiny.write_cross_encoder(tmp_path, classes=3)
    tiny.set_facts(tmp_path, "tokenizer_config.json", model_max_length=LENGTH)
    made = OnnxEntailment(tmp_path, threads=0)
    half = (LENGTH - FRAME) // 2
    cut, whole, shorter = made.entails(
        [("passages!!", "1234567890 and more"), ("passages!!", "1234567890"), ("passages!!", "123456789")]
    )
    assert len("1234567890") == half
    assert cut == pytest.approx(whole, abs=1e-6)
    assert cut != pytest.approx(shorter, abs=1e-6)


def test_the_parts_of_a_passage_hold_all_of_it_and_share_their_edges(tmp_path: Path) -> None:
    tiny.write_cross_encoder(tmp_path)
    tiny.set_facts(tmp_path, "tokenizer_config.json", model_max_length=LENGTH)
    files = model_folder.find(tmp_path)
    assert files is not None
    model = Transformer(tmp_path, files, 1, "logits")
    passage = "".join(chr(0x3131 + place) if place % 5 == 0 else chr(97 + place % 26) for place in range(200))
    ((first, *rest),) = model.windows([(passage, "four")])
    told = first[0]
    for part, sentence in rest:
        shared = max(size for size in range(len(part) + 1) if told.endswith(part[:size]))
        assert (shared > 0, sentence) == (True, "four")
        told += part[shared:]
    assert told == passage


def failure(folder: Path, kind: type[KebabError]) -> KebabError:
    with pytest.raises(kind) as caught:
        OnnxEntailment(folder, threads=1).entails(PAIRS)
    assert "\n" not in caught.value.message
    assert caught.value.hint
    return caught.value


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_a_folder_without_one_of_the_files_is_told_which(tmp_path: Path, name: str) -> None:
    tiny.write_cross_encoder(tmp_path, classes=3)
    (tmp_path / name).unlink()
    assert failure(tmp_path, ModelNotPulled).message == f"no {name} in {tmp_path}"


@pytest.mark.parametrize("classes", [1, 4])
def test_another_number_of_classes_is_no_verdict(tmp_path: Path, classes: int) -> None:
    tiny.write_cross_encoder(tmp_path, classes=classes)
    assert "not a score for entailment" in failure(tmp_path, ModelInvalid).message


def test_an_embedding_model_is_no_verifier(tmp_path: Path) -> None:
    tiny.write_embedder(tmp_path)
    assert "not a score for entailment" in failure(tmp_path, ModelInvalid).message


@pytest.mark.parametrize(
    "labels",
    [
        {"0": "negative", "1": "neutral", "2": "positive"},
        {"0": "entailment", "1": "entailment", "2": "neutral"},
        {"3": "entailment", "0": "neutral"},
    ],
)
def test_classes_that_do_not_tell_entailment_are_refused(tmp_path: Path, labels: dict[str, str]) -> None:
    tiny.write_cross_encoder(tmp_path, classes=3)
    tiny.set_facts(tmp_path, "config.json", id2label=labels)
    assert "cannot tell which is entailment" in failure(tmp_path, ModelInvalid).message


def test_scores_that_are_not_numbers_are_refused(tmp_path: Path) -> None:
    tiny.write_cross_encoder(tmp_path, classes=3)
    tiny.spoil(tmp_path / "model.onnx")
    assert "not numbers" in failure(tmp_path, ModelInvalid).message


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "config.json"])
def test_a_cut_file_is_an_invalid_model(tmp_path: Path, name: str) -> None:
    tiny.write_cross_encoder(tmp_path, classes=3)
    tiny.set_facts(tmp_path, "config.json", id2label=HUB)
    whole = (tmp_path / name).read_bytes()
    (tmp_path / name).write_bytes(whole[: len(whole) // 2])
    assert str(tmp_path) in failure(tmp_path, ModelInvalid).message


def test_a_missing_package_names_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    assert failure(tmp_path, MissingExtra).hint == "pip install 'kebab[onnx]'"


def test_nothing_is_loaded_before_the_first_pair(tmp_path: Path) -> None:
    made = OnnxEntailment(tmp_path / "not there", threads=1)
    assert made.entails([]) == []
