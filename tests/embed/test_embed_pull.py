"""Pulling models from a stand-in hub: whole or not at all, going on where it stopped, and clear about what is wrong."""

import gzip
import json
import os
import socket
import stat
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from stand_in_hub import Hub, Offer, closed_port, stand_in_hub

from kebab.core.embedding import ModelFolders
from kebab.core.errors import (
    Canceled,
    InvalidInput,
    IoFailure,
    KebabError,
    ModelInvalid,
    ModelNotPulled,
    ModelUnreachable,
    TimedOut,
)
from kebab.embed import catalogue
from kebab.embed import hub as hub_module
from kebab.embed.catalogue import HubFile, KnownModel
from kebab.embed.pull import Progress, pull
from kebab.speech.folder import folder_of

WEIGHTS = bytes(range(256)) * 4096  # 1 MiB, and no two neighbours alike
TOKENS = b'{"model": "tiny"}'
ROOT = "/someone/tiny/resolve/main/"
MODEL = KnownModel(
    "tiny",
    catalogue.LOCAL,
    16,
    "MIT",
    "someone/tiny",
    (HubFile("tokenizer.json", 20), HubFile("onnx/model.onnx", len(WEIGHTS))),
)


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    for name in [name for name in os.environ if name.lower().endswith("_proxy")]:
        monkeypatch.delenv(name)
    with stand_in_hub() as opened:
        opened.offers[ROOT + "tokenizer.json"] = Offer(TOKENS)
        opened.offers[ROOT + "onnx/model.onnx"] = Offer(WEIGHTS)
        yield opened


@pytest.fixture
def folders(tmp_path: Path) -> ModelFolders:
    return ModelFolders(tmp_path / "data" / "models", None)


def weights(hub: Hub) -> Offer:
    return hub.offers[ROOT + "onnx/model.onnx"]


def pulled(hub: Hub, folders: ModelFolders, cancel: threading.Event | None = None) -> list[Progress]:
    return list(pull(MODEL, folders, hub.url, cancel))


def failure(hub: Hub, folders: ModelFolders, kind: type[KebabError]) -> KebabError:
    with pytest.raises(kind) as caught:
        pulled(hub, folders)
    assert "\n" not in caught.value.message
    assert not catalogue.state_of(MODEL, folders).pulled
    return caught.value


def assert_whole(folders: ModelFolders) -> None:
    folder = folders.pulled / "tiny"
    assert (folder / "onnx/model.onnx").read_bytes() == WEIGHTS
    assert (folder / "tokenizer.json").read_bytes() == TOKENS
    assert catalogue.state_of(MODEL, folders).pulled
    names = {path.relative_to(folder).as_posix() for path in folder.rglob("*")}
    assert names == {"onnx", "onnx/model.onnx", "tokenizer.json", "pulled.json"}


def test_a_model_is_pulled_file_by_file_and_told_as_it_goes(hub: Hub, folders: ModelFolders) -> None:
    steps = pulled(hub, folders)
    assert_whole(folders)
    assert list(dict.fromkeys(step.file for step in steps)) == ["tokenizer.json", "onnx/model.onnx"]
    assert [step.done for step in steps if step.file == "onnx/model.onnx"] == sorted(
        step.done for step in steps if step.file == "onnx/model.onnx"
    )
    assert {step.total for step in steps if step.file == "onnx/model.onnx"} == {len(WEIGHTS)}
    assert steps[-1] == Progress("onnx/model.onnx", len(WEIGHTS), len(WEIGHTS))
    assert len(steps) > 4


def test_files_and_folders_are_the_user_s_alone(hub: Hub, folders: ModelFolders) -> None:
    before = os.umask(0o022)
    try:
        pulled(hub, folders)
    finally:
        os.umask(before)
    made = [folders.pulled.parent, folders.pulled, *folders.pulled.rglob("*")]
    modes = {path.is_dir(): stat.S_IMODE(path.stat().st_mode) for path in made}
    assert {stat.S_IMODE(path.stat().st_mode) for path in made if path.is_dir()} == {0o700}, modes
    assert {stat.S_IMODE(path.stat().st_mode) for path in made if path.is_file()} == {0o600}, modes


def test_files_are_asked_for_as_they_are(hub: Hub, folders: ModelFolders) -> None:
    pulled(hub, folders)
    assert hub.encodings == {"identity"}, "a compressed reply has another length than the file"


def test_what_is_there_is_not_asked_for_again(hub: Hub, folders: ModelFolders) -> None:
    pulled(hub, folders)
    hub.asked.clear()
    assert pulled(hub, folders) == []
    assert hub.asked == []


def test_a_cut_connection_leaves_the_model_unpulled_and_the_next_pull_goes_on(hub: Hub, folders: ModelFolders) -> None:
    weights(hub).cut_once_at = 700_000
    error = failure(hub, folders, ModelUnreachable)
    assert error.hint == "kebab models pull tiny goes on where it stopped"
    hub.asked.clear()
    pulled(hub, folders)
    assert_whole(folders)
    assert hub.asked == [(ROOT + "onnx/model.onnx", "bytes=700000-")]


def test_a_file_that_changed_meanwhile_is_fetched_from_its_beginning(hub: Hub, folders: ModelFolders) -> None:
    weights(hub).cut_once_at = 700_000
    weights(hub).body = WEIGHTS[::-1]
    failure(hub, folders, ModelUnreachable)
    hub.offers[ROOT + "onnx/model.onnx"] = Offer(WEIGHTS, etag='"v2"')
    pulled(hub, folders)
    assert_whole(folders)


@pytest.mark.parametrize("change", [{"knows_ranges": False}, {"etag": ""}, {"etag": 'W/"v1"'}])
def test_a_hub_that_cannot_go_on_starts_over(hub: Hub, folders: ModelFolders, change: dict[str, object]) -> None:
    hub.offers[ROOT + "onnx/model.onnx"] = Offer(WEIGHTS[::-1], cut_once_at=700_000, **change)  # type: ignore[arg-type]
    failure(hub, folders, ModelUnreachable)
    weights(hub).body = WEIGHTS
    pulled(hub, folders)
    assert_whole(folders)


def test_a_part_that_is_longer_than_the_file_is_thrown_away(hub: Hub, folders: ModelFolders) -> None:
    weights(hub).cut_once_at = 700_000
    failure(hub, folders, ModelUnreachable)
    (part,) = (folders.pulled / "tiny/onnx").glob(".*.part")
    part.write_bytes(WEIGHTS * 2)
    pulled(hub, folders)
    assert_whole(folders)


def test_a_redirect_is_followed(hub: Hub, folders: ModelFolders) -> None:
    hub.offers["/elsewhere?key=1"] = weights(hub)
    hub.offers[ROOT + "onnx/model.onnx"] = Offer(status=302, location=f"{hub.url}/elsewhere?key=1")
    pulled(hub, folders)
    assert_whole(folders)


def test_a_redirect_that_goes_in_circles_is_an_unusable_answer(hub: Hub, folders: ModelFolders) -> None:
    hub.offers[ROOT + "tokenizer.json"] = Offer(status=302, location=ROOT + "tokenizer.json")
    failure(hub, folders, ModelInvalid)


def test_a_hub_that_does_not_say_the_length_is_believed_at_the_end(hub: Hub, folders: ModelFolders) -> None:
    weights(hub).says_length = False
    steps = pulled(hub, folders)
    assert_whole(folders)
    assert steps[-2].total is None


def test_a_missing_file_is_an_invalid_model(hub: Hub, folders: ModelFolders) -> None:
    del hub.offers[ROOT + "onnx/model.onnx"]
    error = failure(hub, folders, ModelInvalid)
    assert error.message == "127.0.0.1 has no model.onnx"
    assert error.details["status"] == 404


@pytest.mark.parametrize(("status", "kind"), [(403, ModelInvalid), (429, ModelUnreachable), (503, ModelUnreachable)])
def test_a_refusal_says_whether_to_come_back(
    hub: Hub, folders: ModelFolders, status: int, kind: type[KebabError]
) -> None:
    weights(hub).status = status
    assert str(status) in failure(hub, folders, kind).message


def test_a_refusal_keeps_what_was_fetched_before(hub: Hub, folders: ModelFolders) -> None:
    weights(hub).cut_once_at = 700_000
    failure(hub, folders, ModelUnreachable)
    weights(hub).status = 503
    failure(hub, folders, ModelUnreachable)
    weights(hub).status = 200
    pulled(hub, folders)
    assert_whole(folders)
    assert hub.asked[-1] == (ROOT + "onnx/model.onnx", "bytes=700000-")


@pytest.mark.parametrize("says_length", [True, False])
def test_a_page_in_place_of_a_model_is_refused(hub: Hub, folders: ModelFolders, says_length: bool) -> None:
    hub.offers[ROOT + "onnx/model.onnx"] = Offer(b"<html>Please log in</html>", says_length=says_length)
    assert "about 1048576 are expected" in failure(hub, folders, ModelInvalid).message


def test_another_length_than_announced_is_refused(hub: Hub, folders: ModelFolders) -> None:
    packed = gzip.compress(TOKENS)
    hub.offers[ROOT + "tokenizer.json"] = Offer(packed, encoding="gzip")
    message = failure(hub, folders, ModelInvalid).message
    assert message == f"tokenizer.json came as {len(TOKENS)} bytes, and {len(packed)} were announced"


def test_fewer_bytes_than_announced_are_a_broken_connection(hub: Hub, folders: ModelFolders) -> None:
    hub.offers[ROOT + "tokenizer.json"] = Offer(TOKENS, announced=100, cut_once_at=len(TOKENS))
    failure(hub, folders, ModelUnreachable)


def test_a_silent_hub_is_left_after_a_while(hub: Hub, folders: ModelFolders, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub_module, "_SILENCE_S", 0.2)
    weights(hub).stall_at = 1000
    failure(hub, folders, TimedOut)


def test_an_unreachable_hub_says_what_to_do_offline_and_leaves_no_folder(hub: Hub, folders: ModelFolders) -> None:
    hub.url = f"http://127.0.0.1:{closed_port()}"
    error = failure(hub, folders, ModelUnreachable)
    assert f"put model.onnx and tokenizer.json into {folders.pulled / 'tiny'}" in (error.hint or "")
    assert not folders.pulled.exists()


def test_the_hint_for_a_machine_without_network_names_every_file(folders: ModelFolders) -> None:
    with pytest.raises(ModelUnreachable) as caught:
        list(pull(catalogue.named("multilingual-e5-large"), folders, f"http://127.0.0.1:{closed_port()}"))
    assert "put model.onnx, model.onnx_data and tokenizer.json into" in (caught.value.hint or "")


def test_a_name_that_is_looked_up_for_ever_is_unreachable(
    hub: Hub, folders: ModelFolders, monkeypatch: pytest.MonkeyPatch
) -> None:
    over = threading.Event()
    monkeypatch.setattr(hub_module, "_REACH_S", 0.05)

    def looking(*_: object, **__: object) -> None:
        over.wait()
        raise OSError("too late")

    monkeypatch.setattr(socket, "create_connection", looking)
    try:
        assert "no connection within" in failure(hub, folders, ModelUnreachable).message
    finally:
        over.set()


def test_a_pull_can_be_stopped_and_goes_on_later(hub: Hub, folders: ModelFolders) -> None:
    cancel = threading.Event()
    steps = pull(MODEL, folders, hub.url, cancel)
    while next(steps).done < 300_000:
        pass
    cancel.set()
    with pytest.raises(Canceled):
        list(steps)
    assert not catalogue.state_of(MODEL, folders).pulled
    hub.asked.clear()
    pulled(hub, folders)
    assert_whole(folders)
    assert hub.asked[0][1].startswith("bytes=")


def test_a_pull_whose_reader_goes_away_can_go_on_later(hub: Hub, folders: ModelFolders) -> None:
    steps = pull(MODEL, folders, hub.url)
    while next(steps).done < 300_000:
        pass
    steps.close()  # type: ignore[attr-defined]
    pulled(hub, folders)
    assert_whole(folders)


def test_a_damaged_file_is_fetched_again_and_the_others_are_kept(hub: Hub, folders: ModelFolders) -> None:
    pulled(hub, folders)
    (folders.pulled / "tiny/onnx/model.onnx").write_bytes(b"half")
    assert not catalogue.state_of(MODEL, folders).pulled
    hub.asked.clear()
    pulled(hub, folders)
    assert_whole(folders)
    assert hub.asked == [(ROOT + "onnx/model.onnx", "")]


def test_a_folder_that_cannot_be_written_is_an_io_failure(hub: Hub, folders: ModelFolders) -> None:
    folders.pulled.parent.mkdir(parents=True)
    folders.pulled.write_text("in the way")
    assert str(folders.pulled) in failure(hub, folders, IoFailure).message


def test_a_model_that_needs_no_pull_makes_no_progress(folders: ModelFolders) -> None:
    assert list(pull(catalogue.named("use-multilingual-v3"), folders, "http://127.0.0.1:1")) == []


def test_the_environment_may_name_a_mirror() -> None:
    assert hub_module.hub_of({}) == "https://huggingface.co"
    assert hub_module.hub_of({"HF_ENDPOINT": " https://mirror.test/hf/ "}) == "https://mirror.test/hf"


@pytest.mark.parametrize("given", ["mirror.test", "ftp://mirror.test", "https://", "http://a:b", "http://[::1"])
def test_a_mirror_that_is_no_address_is_refused(given: str) -> None:
    with pytest.raises(InvalidInput, match="HF_ENDPOINT"):
        hub_module.hub_of({"HF_ENDPOINT": given})


def test_the_catalogue_lists_every_model_and_whether_it_is_there(folders: ModelFolders) -> None:
    states = {state.model.name: state for state in catalogue.states(folders)}
    assert states["use-multilingual-v3"].pulled
    assert (states["use-multilingual-v3"].path / "__init__.py").is_file()
    assert not states["multilingual-e5-large"].pulled
    assert states["multilingual-e5-large"].path == folders.pulled / "multilingual-e5-large"
    assert {name: state.model.dimensions for name, state in states.items()} == {
        "use-multilingual-v3": 512,
        "multilingual-e5-small": 384,
        "multilingual-e5-base": 768,
        "multilingual-e5-large": 1024,
        "mdeberta-v3-xnli": 768,
        "faster-whisper-tiny": 384,
        "faster-whisper-base": 512,
        "faster-whisper-small": 768,
        "faster-whisper-medium": 1024,
        "faster-whisper-large-v3": 1280,
    }
    assert [name for name, state in states.items() if state.model.kind == catalogue.NLI] == [catalogue.VERIFIER]
    assert all(state.model.licence for state in states.values())


def test_every_model_to_pull_lists_what_a_model_needs(tmp_path: Path) -> None:
    for model in catalogue.MODELS[1:]:
        for file in model.files:
            (tmp_path / model.name / file.path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / model.name / file.path).touch()
        assert catalogue.is_complete(tmp_path / model.name, model.kind)
        assert model.size > 70_000_000
        *_, weights = sorted(model.files, key=lambda file: file.size)
        (tmp_path / model.name / weights.path).unlink()
        assert not catalogue.is_complete(tmp_path / model.name, model.kind) or weights.path.endswith("_data")


def test_a_model_is_found_by_its_name_only_for_what_it_is_for(folders: ModelFolders) -> None:
    folder = catalogue.path_of(catalogue.VERIFIER, folders)
    folder.mkdir(parents=True)
    for name in ("model.onnx", "tokenizer.json"):
        (folder / name).touch()
    assert catalogue.folder_of(catalogue.VERIFIER, folders, catalogue.NLI) == folder
    for name, kind in ((catalogue.VERIFIER, catalogue.EMBEDDING), ("use-multilingual-v3", catalogue.NLI)):
        with pytest.raises(ModelNotPulled, match=f"no model.onnx in {name}"):
            catalogue.folder_of(name, folders, kind)


def test_a_folder_filled_by_hand_counts_as_pulled_and_a_half_pulled_one_does_not(folders: ModelFolders) -> None:
    folder = catalogue.path_of("multilingual-e5-small", folders)
    folder.mkdir(parents=True)
    for name in ("model.onnx", "tokenizer.json"):
        (folder / name).touch()
    assert catalogue.folder_of("multilingual-e5-small", folders) == folder
    assert catalogue.folder_of("intfloat/multilingual-e5-small", folders) == folder
    (folder / "pulling").write_text(json.dumps({"files": {}}))
    for name in ("multilingual-e5-small", str(folder)):
        with pytest.raises(ModelNotPulled):
            catalogue.folder_of(name, folders)


@pytest.mark.parametrize("manifest", ["", "[]", "{}", '{"files": 3}', '{"files": {}}', '{"files": {"a": "b"}}'])
def test_a_manifest_that_says_nothing_makes_no_model(folders: ModelFolders, manifest: str) -> None:
    folder = folders.pulled / "tiny"
    folder.mkdir(parents=True)
    for name, text in {"model.onnx": "", "tokenizer.json": "", "pulled.json": manifest}.items():
        (folder / name).write_text(text)
    assert not catalogue.state_of(MODEL, folders).pulled


def test_a_name_nobody_knows_is_told_with_the_known_ones(folders: ModelFolders) -> None:
    with pytest.raises(InvalidInput) as caught:
        catalogue.path_of("gpt", folders)
    assert caught.value.hint == "kebab models list"
    assert "multilingual-e5-large" in (caught.value.details["known"] or [])  # type: ignore[operator]


def test_a_speech_model_is_pulled_into_the_folder_its_transcriber_looks_for(hub: Hub, folders: ModelFolders) -> None:
    """Its files are those of the repository, and the weights come last."""
    listed = catalogue.named("Systran/faster-whisper-large-v3")
    model = listed._replace(files=tuple(file._replace(size=20) for file in listed.files))
    root = f"/{model.repository}/resolve/main/"
    for file in model.files:
        hub.offers[root + file.path] = Offer(file.path.encode())
    steps = list(pull(model, folders, hub.url))
    assert steps[-1].file == "model.bin"
    assert catalogue.state_of(model, folders).pulled
    assert folder_of(model.name, folders.pulled) == folders.pulled / model.name
    asked = [path.removeprefix(root) for path, _ in hub.asked]
    assert {*asked} == {"config.json", "preprocessor_config.json", "tokenizer.json", "vocabulary.json", "model.bin"}
    (folders.pulled / model.name / "model.bin").write_bytes(b"cut")
    assert not catalogue.state_of(model, folders).pulled, "not the size that was pulled"


def test_a_speech_model_filled_by_hand_may_have_its_vocabulary_in_either_form(folders: ModelFolders) -> None:
    model = catalogue.named("faster-whisper-small")
    folder = folders.pulled / model.name
    folder.mkdir(parents=True)
    for name in ("model.bin", "config.json", "tokenizer.json"):
        (folder / name).touch()
    assert not catalogue.state_of(model, folders).pulled
    (folder / "vocabulary.json").touch()
    assert catalogue.state_of(model, folders).pulled
    assert not catalogue.is_complete(folder, catalogue.EMBEDDING), "it embeds nothing"
