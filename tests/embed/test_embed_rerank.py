"""The ONNX cross-encoder: the reranker's contract, its scores against numpy, and every way to fail."""

import sys
from pathlib import Path

import numpy as np  # noqa: TID253
import pytest
import tiny_transformer as tiny

from contracts.reranker_contract import RerankerContract
from kebab.core.errors import KebabError, MissingExtra, ModelInvalid, ModelNotPulled
from kebab.core.ports import Reranker
from kebab.embed.rerank import OnnxReranker

PAIRS = ["forty minutes", "사십 분", "nine o'clock " * 20]


@pytest.fixture(scope="module", params=[1, 2], ids=["one score", "two classes"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("cross")
    tiny.write_cross_encoder(made, classes=request.param)
    return made


class TestOnnxReranker(RerankerContract):
    @pytest.fixture
    def reranker(self, folder: Path) -> Reranker:
        return OnnxReranker(folder, threads=1)


def sigmoid(value: float) -> float:
    return float(1 / (1 + np.exp(-value)))


def test_a_single_score_is_squeezed_between_zero_and_one(tmp_path: Path) -> None:
    weights = tiny.write_cross_encoder(tmp_path)
    tokenizer = tiny.write_tokenizer(tmp_path)
    first = [weights.hidden(tokenizer.encode("how long?", passage).ids)[0] for passage in PAIRS]
    expected = [sigmoid((row @ weights.head)[0]) for row in first]
    assert OnnxReranker(tmp_path, threads=0).rerank("how long?", PAIRS) == pytest.approx(expected, abs=1e-5)


def test_of_two_classes_the_last_is_the_one_that_counts(tmp_path: Path) -> None:
    weights = tiny.write_cross_encoder(tmp_path, classes=2)
    tokenizer = tiny.write_tokenizer(tmp_path)
    logits = [weights.hidden(tokenizer.encode("how long?", passage).ids)[0] @ weights.head for passage in PAIRS]
    expected = [float(np.exp(row[1]) / np.exp(row).sum()) for row in logits]
    assert OnnxReranker(tmp_path, threads=0).rerank("how long?", PAIRS) == pytest.approx(expected, abs=1e-5)


def test_the_model_learns_which_tokens_are_the_passage(tmp_path: Path) -> None:
    weights = tiny.write_cross_encoder(tmp_path, types=True)
    pair = tiny.write_tokenizer(tmp_path).encode("how long?", PAIRS[0])
    second = weights.hidden(pair.ids)[np.array(pair.type_ids) == 1]
    expected = sigmoid((second.sum(axis=0) @ weights.head)[0])
    assert OnnxReranker(tmp_path, threads=0).rerank("how long?", PAIRS)[0] == pytest.approx(expected, abs=1e-4)


def test_a_long_passage_is_cut_and_the_query_is_kept(tmp_path: Path) -> None:
    tiny.write_cross_encoder(tmp_path)
    tiny.set_facts(tmp_path, "tokenizer_config.json", model_max_length=20)
    made = OnnxReranker(tmp_path, threads=0)
    short, cut, shorter = made.rerank("how long", ["12345678", "12345678 and more", "1234567"])
    assert short == pytest.approx(cut, abs=1e-6)
    assert short != pytest.approx(shorter, abs=1e-6)


def test_a_long_query_leaves_room_for_the_passage(tmp_path: Path) -> None:
    tiny.write_cross_encoder(tmp_path)
    tiny.set_facts(tmp_path, "tokenizer_config.json", model_max_length=20)
    made = OnnxReranker(tmp_path, threads=0)
    assert made.rerank("12345678 and more", ["passages"]) == pytest.approx(made.rerank("12345678", ["passages"]))
    assert made.rerank("1234567890123 and more", ["abc"]) == pytest.approx(made.rerank("1234567890123", ["abc"]))


def failure(folder: Path, kind: type[KebabError]) -> KebabError:
    with pytest.raises(kind) as caught:
        OnnxReranker(folder, threads=1).rerank("how long?", PAIRS)
    assert "\n" not in caught.value.message
    assert caught.value.hint
    return caught.value


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_a_folder_without_one_of_the_files_is_told_which(tmp_path: Path, name: str) -> None:
    tiny.write_cross_encoder(tmp_path)
    (tmp_path / name).unlink()
    assert failure(tmp_path, ModelNotPulled).message == f"no {name} in {tmp_path}"


def test_three_classes_are_no_relevance(tmp_path: Path) -> None:
    tiny.write_cross_encoder(tmp_path, classes=3)
    assert "not one score per passage" in failure(tmp_path, ModelInvalid).message


def test_an_embedding_model_is_no_reranker(tmp_path: Path) -> None:
    tiny.write_embedder(tmp_path)
    assert "not one score per passage" in failure(tmp_path, ModelInvalid).message


def test_scores_that_are_not_numbers_are_refused(tmp_path: Path) -> None:
    tiny.write_cross_encoder(tmp_path)
    tiny.spoil(tmp_path / "model.onnx")
    assert "not numbers" in failure(tmp_path, ModelInvalid).message


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_a_cut_file_is_an_invalid_model(tmp_path: Path, name: str) -> None:
    tiny.write_cross_encoder(tmp_path)
    whole = (tmp_path / name).read_bytes()
    (tmp_path / name).write_bytes(whole[: len(whole) // 2])
    assert str(tmp_path) in failure(tmp_path, ModelInvalid).message


def test_a_missing_package_names_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    assert failure(tmp_path, MissingExtra).hint == "pip install 'kebab[onnx]'"
