"""The `fastembed` provider against real ONNX models that are tiny: pooling, prefixes, order, and every way to fail."""

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np  # noqa: TID253
import pytest
import tiny_transformer as tiny
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray  # noqa: TID253

from contracts.embedder_contract import EmbedderContract
from kebab.core.embedding import EmbeddingKind, EmbeddingSettings, ModelFolders
from kebab.core.errors import KebabError, MissingExtra, ModelInvalid, ModelNotPulled
from kebab.core.ports import Embedder
from kebab.embed import catalogue
from kebab.embed.onnx.embedder import OnnxEmbedder
from kebab.embed.onnx.runtime import open_session

QUERY, DOCUMENT = EmbeddingKind.QUERY, EmbeddingKind.DOCUMENT
TEXTS = ["hi", "현미밥을 짓는 법", "a much longer text, which makes its neighbours carry padding " * 3, "", "rice"]


def embedder(folder: Path | str, **changes: object) -> OnnxEmbedder:
    chosen = {"provider": "fastembed", "model": str(folder), "dimensions": tiny.WIDTH, "batch_size": 8, **changes}
    return OnnxEmbedder(EmbeddingSettings(**chosen), ModelFolders(Path("/nowhere"), None))  # type: ignore[arg-type]


def vectors(made: OnnxEmbedder, texts: list[str], kind: EmbeddingKind = QUERY) -> NDArray[np.float32]:
    return np.array([np.frombuffer(vector, "<f4") for vector in made.embed(texts, kind)])


def unit(row: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(row / np.linalg.norm(row), dtype=np.float32)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("plain")
    tiny.write_embedder(folder)
    return folder


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A model to change or break."""
    tiny.write_embedder(tmp_path)
    return tmp_path


class TestOnnxEmbedder(EmbedderContract):
    understands = False
    heavy = ("numpy", "onnxruntime", "tokenizers", "httpx2", "ssl")
    recipe = """
from pathlib import Path
from kebab.core.embedding import EmbeddingSettings, ModelFolders
from kebab.embed.onnx.embedder import OnnxEmbedder
embedder = OnnxEmbedder(EmbeddingSettings("fastembed", "/nowhere"), ModelFolders(Path("/nowhere"), None))
"""

    @pytest.fixture
    def settings(self, plain: Path) -> EmbeddingSettings:
        return EmbeddingSettings("fastembed", str(plain), dimensions=tiny.WIDTH, batch_size=4)

    @pytest.fixture
    def embedder(self, settings: EmbeddingSettings, plain: Path) -> Embedder:
        return OnnxEmbedder(settings, ModelFolders(plain, None))


def test_a_vector_is_the_mean_of_the_tokens_without_padding(plain: Path) -> None:
    tokenizer, weights = tiny.write_tokenizer(plain), tiny.weights()
    expected = [unit(weights.hidden(tokenizer.encode(text).ids).mean(axis=0)) for text in TEXTS]
    assert np.allclose(vectors(embedder(plain), TEXTS), expected, atol=1e-5)


def test_every_vector_has_length_one_and_four_bytes_a_dimension(plain: Path) -> None:
    found = embedder(plain).embed(TEXTS, DOCUMENT)
    assert {len(vector) for vector in found} == {4 * tiny.WIDTH}
    assert np.allclose([np.linalg.norm(np.frombuffer(vector, "<f4")) for vector in found], 1, atol=1e-6)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts=st.lists(st.text(max_size=60), min_size=1, max_size=12), size=st.integers(1, 12))
def test_neighbours_and_batch_size_do_not_change_a_vector(plain: Path, texts: list[str], size: int) -> None:
    alone = [vectors(ALONE.setdefault(plain, embedder(plain)), [text])[0] for text in texts]
    assert np.allclose(vectors(embedder_of(plain, size), texts), alone, atol=1e-5)


ALONE: dict[Path, OnnxEmbedder] = {}
BY_SIZE: dict[int, OnnxEmbedder] = {}


def embedder_of(folder: Path, size: int) -> OnnxEmbedder:
    return BY_SIZE.setdefault(size, embedder(folder, batch_size=size))


def test_no_texts_are_no_vectors_and_need_no_model() -> None:
    assert embedder("/nowhere/at/all").embed([], QUERY) == []


def test_half_a_surrogate_pair_is_embedded_as_some_text(plain: Path) -> None:
    assert vectors(embedder(plain), ["broken \ud83d here"]).shape == (1, tiny.WIDTH)


def test_a_text_is_cut_at_the_length_the_model_can_take(own: Path) -> None:
    tiny.set_facts(own, "tokenizer_config.json", model_max_length=10)
    made = embedder(own)
    kept, cut, other = vectors(made, ["12345678", "12345678 and more", "1234567"])
    assert np.array_equal(kept, cut)
    assert not np.allclose(kept, other, atol=1e-3)


@pytest.mark.parametrize("said", [10**30, 0, -1, "512", None, 2.5])
def test_a_length_that_makes_no_sense_is_512(own: Path, said: object) -> None:
    tiny.set_facts(own, "tokenizer_config.json", model_max_length=said)
    made = embedder(own)
    same = vectors(made, ["x" * 510, "x" * 600])
    assert np.allclose(same[0], same[1], atol=1e-6)
    assert not np.allclose(same[0], vectors(made, ["x" * 400])[0], atol=1e-6)


def model_called(name: str, folder: Path) -> Path:
    tiny.write_embedder(folder / name)
    return folder / name


def test_a_folder_called_e5_puts_its_prefixes_before_the_text(tmp_path: Path, plain: Path) -> None:
    made, bare = embedder(model_called("my-e5-small", tmp_path)), embedder(plain)
    assert np.allclose(vectors(made, ["rice"], QUERY), vectors(bare, ["query: rice"]), atol=1e-6)
    assert np.allclose(vectors(made, ["rice"], DOCUMENT), vectors(bare, ["passage: rice"]), atol=1e-6)


def test_a_model_that_calls_itself_e5_gets_the_prefixes_too(own: Path, plain: Path) -> None:
    tiny.set_facts(own, "config.json", _name_or_path="intfloat/multilingual-e5-small")
    assert np.allclose(vectors(embedder(own), ["rice"]), vectors(embedder(plain), ["query: rice"]), atol=1e-6)


@pytest.mark.parametrize("name", ["be5t", "plain"])
def test_other_folders_get_no_prefix(tmp_path: Path, plain: Path, name: str) -> None:
    made = embedder(model_called(name, tmp_path))
    for kind in (QUERY, DOCUMENT):
        assert np.allclose(vectors(made, ["rice"], kind), vectors(embedder(plain), ["rice"]), atol=1e-6)


def test_the_prompts_of_a_folder_win_over_its_name(tmp_path: Path, plain: Path) -> None:
    folder = model_called("my-e5", tmp_path)
    tiny.set_facts(folder, "config_sentence_transformers.json", prompts={"query": "find: ", "document": ""})
    made, bare = embedder(folder), embedder(plain)
    assert np.allclose(vectors(made, ["rice"], QUERY), vectors(bare, ["find: rice"]), atol=1e-6)
    assert np.allclose(vectors(made, ["rice"], DOCUMENT), vectors(bare, ["rice"]), atol=1e-6)


def test_a_known_model_is_found_by_name_and_gets_its_prefixes(
    tmp_path: Path, plain: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = catalogue.named("multilingual-e5-small")
    monkeypatch.setattr(catalogue, "MODELS", (small._replace(dimensions=tiny.WIDTH),))
    model_called("multilingual-e5-small", tmp_path)
    given = EmbeddingSettings("fastembed", "multilingual-e5-small", dimensions=tiny.WIDTH)
    made = OnnxEmbedder(given, ModelFolders(tmp_path, None))
    assert np.allclose(vectors(made, ["rice"], QUERY), vectors(embedder(plain), ["query: rice"]), atol=1e-6)
    assert str(made.model) == "fastembed/multilingual-e5-small@v1 (16)"


def test_a_sentence_embedding_of_the_model_is_used_as_it_is(tmp_path: Path) -> None:
    weights = tiny.write_embedder(tmp_path, gives="sentence")
    ids = tiny.write_tokenizer(tmp_path).encode("rice").ids
    assert np.allclose(vectors(embedder(tmp_path), ["rice"])[0], unit(weights.hidden(ids).max(axis=0)), atol=1e-5)


def test_the_output_of_a_pooler_is_left_alone(tmp_path: Path, plain: Path) -> None:
    tiny.write_embedder(tmp_path, gives="tokens and pooler")
    assert np.allclose(vectors(embedder(tmp_path), TEXTS), vectors(embedder(plain), TEXTS), atol=1e-6)


def test_a_model_may_stand_for_a_text_by_its_first_token(own: Path) -> None:
    tiny.set_facts(own, "1_Pooling/config.json", pooling_mode_cls_token=True, pooling_mode_mean_tokens=False)
    ids = tiny.write_tokenizer(own).encode("rice").ids
    found = vectors(embedder(own), ["rice", TEXTS[2]])[0]
    assert np.allclose(found, unit(tiny.weights().hidden(ids)[0]), atol=1e-5)


def test_token_types_and_small_integers_are_given_to_a_model_that_wants_them(tmp_path: Path, plain: Path) -> None:
    tiny.write_embedder(tmp_path, types=True, integers="int32")
    assert np.allclose(vectors(embedder(tmp_path), TEXTS), vectors(embedder(plain), TEXTS), atol=1e-6)


@pytest.mark.parametrize("name", ["onnx/model.onnx", "model_quantized.onnx", "onnx/model_int8.onnx"])
def test_the_model_may_have_another_name_or_lie_deeper(tmp_path: Path, name: str) -> None:
    tiny.write_embedder(tmp_path, name=name)
    assert len(embedder(tmp_path).embed(["rice"], QUERY)) == 1


def test_the_full_model_is_preferred_to_a_quantised_one(own: Path) -> None:
    (own / "model_quantized.onnx").write_bytes(b"broken")
    assert len(embedder(own).embed(["rice"], QUERY)) == 1


def test_a_quantised_model_gives_the_same_in_any_company(own: Path) -> None:
    from onnxruntime.quantization import quantize_dynamic

    quantize_dynamic(own / "model.onnx", own / "model_int8.onnx", extra_options={"MatMulConstBOnly": True})
    (own / "model.onnx").unlink()
    together, alone = vectors(embedder(own), TEXTS), [vectors(embedder(own), [text])[0] for text in TEXTS]
    assert np.allclose(together, alone, atol=1e-6)


@pytest.mark.parametrize("threads", [0, 1, 2])
def test_the_number_of_threads_reaches_the_session_and_no_provider_calls_out(plain: Path, threads: int) -> None:
    session = open_session(plain / "model.onnx", threads)
    assert session.get_session_options().intra_op_num_threads == threads  # type: ignore[attr-defined]
    assert session.get_providers() == ["CPUExecutionProvider"]  # type: ignore[attr-defined]
    assert len(embedder(plain, threads=threads).embed(TEXTS, QUERY)) == len(TEXTS)


def failure(folder: Path | str, kind: type[KebabError], **changes: object) -> KebabError:
    with pytest.raises(kind) as caught:
        embedder(folder, **changes).embed(["rice"], QUERY)
    assert "\n" not in caught.value.message
    assert caught.value.hint
    return caught.value


def test_other_dimensions_than_configured_name_both_and_the_key(plain: Path) -> None:
    error = failure(plain, ModelInvalid, dimensions=384)
    assert "gives 16 dimensions, models.embedding.dimensions says 384" in error.message
    assert error.hint == "kebab config set models.embedding.dimensions 16"


def test_the_dimensions_of_a_known_model_are_checked_before_it_is_loaded(tmp_path: Path) -> None:
    for name in ("model.onnx", "tokenizer.json"):
        (tmp_path / "multilingual-e5-large").mkdir(exist_ok=True)
        (tmp_path / "multilingual-e5-large" / name).write_bytes(b"never read")
    made = OnnxEmbedder(EmbeddingSettings("fastembed", "multilingual-e5-large"), ModelFolders(tmp_path, None))
    with pytest.raises(ModelInvalid, match=r"gives 1024 dimensions, models.embedding.dimensions says 512"):
        made.embed(["rice"], QUERY)


def test_vectors_that_are_not_numbers_are_refused(own: Path) -> None:
    tiny.spoil(own / "model.onnx")
    assert "not numbers" in failure(own, ModelInvalid).message


def test_a_model_without_vectors_is_refused(tmp_path: Path) -> None:
    tiny.write_embedder(tmp_path, gives="nothing")
    assert "no vector per token or text" in failure(tmp_path, ModelInvalid).message


def test_a_known_model_that_is_not_there_says_how_to_pull_it() -> None:
    error = failure("multilingual-e5-small", ModelNotPulled, dimensions=384)
    assert error.hint == "kebab models pull multilingual-e5-small"


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_a_folder_without_one_of_the_files_is_told_which(own: Path, name: str) -> None:
    (own / name).unlink()
    assert failure(own, ModelNotPulled).message == f"no {name} in {own}"


@pytest.mark.parametrize("name", ["", "~nobody-of-that-name/model", "use-multilingual-v3", "no-such-model"])
def test_a_name_that_is_neither_known_nor_a_folder_is_a_missing_model(name: str) -> None:
    assert "no model.onnx in" in failure(name, ModelNotPulled).message


BREAKS: dict[str, Callable[[Path], object]] = {
    "a cut model": lambda folder: cut_in_half(folder / "model.onnx"),
    "an empty model": lambda folder: (folder / "model.onnx").write_bytes(b""),
    "a page instead of a model": lambda folder: (folder / "model.onnx").write_text("<html>\nno"),
    "a cut tokenizer": lambda folder: cut_in_half(folder / "tokenizer.json"),
    "a tokenizer of another kind": lambda folder: (folder / "tokenizer.json").write_text("{}"),
    "a broken configuration": lambda folder: (folder / "tokenizer_config.json").write_text("{"),
    "another way of pooling": lambda folder: tiny.set_facts(
        folder, "1_Pooling/config.json", pooling_mode_lasttoken=True
    ),
}


def cut_in_half(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


@pytest.mark.parametrize("what", BREAKS)
def test_broken_files_are_an_invalid_model(own: Path, what: str) -> None:
    BREAKS[what](own)
    assert str(own) in failure(own, ModelInvalid).message


def test_a_tokenizer_that_knows_more_words_than_the_model_is_an_invalid_model(own: Path) -> None:
    tokenizer = tiny.write_tokenizer(own)
    tokenizer.add_tokens(["rice"])
    tokenizer.save(str(own / "tokenizer.json"))
    assert "cannot be run" in failure(own, ModelInvalid).message


def test_a_model_with_an_input_of_its_own_is_refused(own: Path) -> None:
    raw = (own / "model.onnx").read_bytes()
    (own / "model.onnx").write_bytes(raw.replace(b"attention_mask", b"attention_musk"))
    assert "wants the input attention_musk" in failure(own, ModelInvalid).message


@pytest.mark.parametrize("package", ["onnxruntime", "tokenizers"])
def test_a_missing_package_names_the_extra(plain: Path, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    error = failure(plain, MissingExtra)
    assert package in error.message
    assert error.hint == "pip install 'kebab[onnx]'"


def test_a_missing_package_is_told_before_a_missing_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    failure("multilingual-e5-small", MissingExtra, dimensions=384)


@pytest.mark.parametrize("package", ["onnxruntime", "tokenizers"])
def test_a_package_that_cannot_be_loaded_says_why(
    plain: Path, package: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / package).mkdir()
    (tmp_path / package / "__init__.py").write_text("raise ImportError('libgomp.so.1 is missing')")
    monkeypatch.syspath_prepend(tmp_path)
    for name in [name for name in sys.modules if name.partition(".")[0] == package]:
        monkeypatch.delitem(sys.modules, name)
    assert "libgomp.so.1 is missing" in failure(plain, MissingExtra).message
