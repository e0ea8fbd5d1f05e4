import os
import socket
import sys
import threading
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from kebab.core.asset import Source
from kebab.core.errors import InvalidInput, IoFailure
from kebab.source import ScanRequest, scan

if TYPE_CHECKING:
    from conftest import Tree


def refuse_listing(monkeypatch: pytest.MonkeyPatch, folder: Path, error: OSError) -> None:
    """chmod says nothing to a superuser, so the refusal is made up."""
    real = os.scandir

    def scandir(path: Any) -> Any:
        if Path(path) == folder:
            raise error
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)


def test_files_come_in_order_of_their_workspace_path(tree: "Tree") -> None:
    tree.plant("b.md", "a/z.md", "a.md", "a-b.md", "a/b/c.markdown", "노트/하나.md")
    found = tree.scan()
    assert [file.workspace_path for file in found.files] == sorted(
        ["b.md", "a/z.md", "a.md", "a-b.md", "a/b/c.markdown", "노트/하나.md"]
    )
    assert found.scanned == 6
    assert not found.skips
    assert not found.canceled


def test_a_found_file_carries_its_stamp_and_place(tree: "Tree") -> None:
    tree.plant("a/b.md", text="four")
    (file,) = tree.scan().files
    status = (tree.root / "a/b.md").stat()
    assert (file.source_id, file.media_type, file.path) == ("default", "markdown", tree.root / "a/b.md")
    assert (file.stamp.size, file.stamp.mtime_ns, file.stamp.inode) == (4, status.st_mtime_ns, status.st_ino)


def test_a_named_source_prefixes_files_and_examples(tree: "Tree") -> None:
    tree.plant("a.md", "x.zip")
    found = scan(Source("work", tree.root), ScanRequest())
    assert [file.workspace_path for file in found.files] == ["@work/a.md"]
    assert found.skips["unsupported"].examples == ("@work/x.zip",)


def test_unsupported_files_are_counted_by_extension(tree: "Tree") -> None:
    tree.plant("a.zip", "b.ZIP", "c/d.zip", "LICENSE", "e.tar.gz", "n.md")
    found = tree.scan()
    assert found.by_extension == {"": 1, ".gz": 1, ".zip": 3}
    assert found.skips["unsupported"].count == 5
    assert found.scanned == 6


def test_no_more_than_five_examples_and_always_the_same(tree: "Tree") -> None:
    tree.plant(*(f"{number}.zip" for number in range(9)))
    skips = tree.scan().skips["unsupported"]
    assert (skips.count, skips.examples) == (9, ("0.zip", "1.zip", "2.zip", "3.zip", "4.zip"))


def test_a_file_over_the_limit_is_left_aside(tree: "Tree") -> None:
    tree.plant("small.md", text="x" * 10)
    tree.plant("large.md", text="x" * 11)
    found = tree.scan(max_file_bytes=10)
    assert [file.workspace_path for file in found.files] == ["small.md"]
    assert found.skips["size_exceeded"].examples == ("large.md",)


def test_names_that_are_not_plain_text_are_counted_and_shown_escaped(tree: "Tree") -> None:
    tree.plant("a.md", "b\nc.md", "t\tb/x.md", "back\\slash.md")
    (tree.root / os.fsdecode(b"caf\xe9.md")).touch()
    found = tree.scan()
    assert [file.workspace_path for file in found.files] == ["a.md"]
    assert found.skips["name"].count == 4
    assert set(found.skips["name"].examples) == {"b\\x0ac.md", "t\\x09b", "back\\slash.md", "caf\\xe9.md"}


def test_unicode_twins_are_one_path_and_the_composed_name_keeps_it(tree: "Tree") -> None:
    composed, split = (unicodedata.normalize(form, "한글é") for form in ("NFC", "NFD"))
    tree.plant(f"{composed}.md", f"{composed}/a.md", text="composed")
    tree.plant(f"{split}.md", f"{split}/a.md", f"{split}/b.md", text="split")
    found = tree.scan()
    assert [file.workspace_path for file in found.files] == [f"{composed}.md", f"{composed}/a.md", f"{composed}/b.md"]
    assert [file.path.read_text() for file in found.files] == ["composed", "composed", "split"]
    assert found.skips["duplicate_path"].count == 2
    assert found.scanned == 5


def test_a_name_only_in_split_form_is_taken_under_its_composed_path(tree: "Tree") -> None:
    tree.plant(unicodedata.normalize("NFD", "카페.md"))
    (file,) = tree.scan().files
    assert file.workspace_path == "카페.md"
    assert file.path.exists()


def test_pipes_and_sockets_are_not_opened(tree: "Tree", monkeypatch: pytest.MonkeyPatch) -> None:
    tree.plant("a.md")
    os.mkfifo(tree.root / "pipe.md")
    os.mkfifo(tree.root / ".gitignore")
    monkeypatch.chdir(tree.root)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("sock.md")
        found = tree.scan()
    assert [file.workspace_path for file in found.files] == ["a.md"]
    assert found.skips["special"].examples == ("pipe.md", "sock.md")
    assert found.scanned == 1


def test_a_folder_that_cannot_be_listed_is_reported_and_spared(tree: "Tree", monkeypatch: pytest.MonkeyPatch) -> None:
    tree.plant("a.md", "shut/b.md", "open/c.md")
    refuse_listing(monkeypatch, tree.root / "shut", PermissionError(13, "Permission denied"))
    found = tree.scan()
    assert [file.workspace_path for file in found.files] == ["a.md", "open/c.md"]
    assert found.unlisted == ("shut/",)
    assert found.errors == (("shut/", "Permission denied"),)
    assert found.skips["unreadable"].count == 1


def test_a_folder_that_vanishes_is_just_not_there(tree: "Tree", monkeypatch: pytest.MonkeyPatch) -> None:
    tree.plant("a.md", "gone/b.md")
    refuse_listing(monkeypatch, tree.root / "gone", FileNotFoundError(2, "No such file"))
    found = tree.scan()
    assert ([file.workspace_path for file in found.files], found.unlisted, found.errors) == (["a.md"], (), ())


def test_a_file_the_system_refuses_is_an_error_and_one_that_vanished_is_not(
    tree: "Tree", monkeypatch: pytest.MonkeyPatch
) -> None:
    tree.plant("a.md", "refused.md", "vanished.md")
    real = Path.lstat

    def lstat(path: Path) -> os.stat_result:
        if path.name == "refused.md":
            raise PermissionError(13, "Permission denied")
        if path.name == "vanished.md":
            raise FileNotFoundError(2, "No such file")
        return real(path)

    monkeypatch.setattr(Path, "lstat", lstat)
    found = tree.scan()
    assert [file.workspace_path for file in found.files] == ["a.md"]
    assert found.errors == (("refused.md", "Permission denied"),)


def test_a_missing_root_says_what_to_check(tmp_path: Path) -> None:
    with pytest.raises(IoFailure) as caught:
        scan(Source("default", tmp_path / "nowhere"), ScanRequest())
    assert "mounted" in (caught.value.hint or "")


def test_a_root_that_cannot_be_listed_is_a_failure(tree: "Tree", monkeypatch: pytest.MonkeyPatch) -> None:
    refuse_listing(monkeypatch, tree.root, PermissionError(13, "Permission denied"))
    with pytest.raises(IoFailure, match="Permission denied"):
        tree.scan()


def test_a_file_is_no_root(tree: "Tree") -> None:
    tree.plant("a.md")
    with pytest.raises(InvalidInput):
        scan(Source("default", tree.root / "a.md"), ScanRequest())


def test_a_relative_root_gives_absolute_paths(tree: "Tree", monkeypatch: pytest.MonkeyPatch) -> None:
    tree.plant("a.md")
    monkeypatch.chdir(tree.root)
    for spelled in (".", f"../{tree.root.name}"):
        (file,) = scan(Source("default", Path(spelled)), ScanRequest()).files
        assert (file.workspace_path, file.path) == ("a.md", tree.root / "a.md")


def test_a_canceled_scan_says_so_and_gives_what_it_has(tree: "Tree", monkeypatch: pytest.MonkeyPatch) -> None:
    tree.plant("a.md", "b/c.md", "d/e.md")
    cancel = threading.Event()
    real = os.scandir

    def scandir(path: Any) -> Any:
        if Path(path).name == "b":
            cancel.set()
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    found = scan(Source("default", tree.root), ScanRequest(), cancel)
    assert found.canceled
    assert [file.workspace_path for file in found.files] == ["a.md"]


@pytest.fixture
def deep(tree: "Tree") -> Iterator[tuple["Tree", int]]:
    """A chain of folders deeper than any recursion, and taken down again since others would recurse into it."""
    folders = [tree.root]
    for _ in range(1000):
        folders.append(folders[-1] / "d")
        folders[-1].mkdir()
    (folders[-1] / "n.md").touch()
    yield tree, len(folders) - 1
    (folders[-1] / "n.md").unlink()
    for folder in reversed(folders[1:]):
        folder.rmdir()


def test_depth_is_no_limit(deep: tuple["Tree", int]) -> None:
    tree, depth = deep
    (file,) = tree.scan().files
    assert file.workspace_path == "d/" * depth + "n.md"
    assert depth >= sys.getrecursionlimit() - 100


def test_scanning_opens_no_content(tree: "Tree", monkeypatch: pytest.MonkeyPatch) -> None:
    tree.plant("a.md", ".env", "x.zip", "b/c.md", "b/id_rsa")
    monkeypatch.setattr(os, "open", lambda *_: pytest.fail("opened a file"))
    assert tree.paths() == ["a.md", "b/c.md"]
