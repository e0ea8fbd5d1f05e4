import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kebab.app.scope import Scope
from kebab.app.sweep import Sweep, find_gone, is_gone
from kebab.core.asset import FileStamp, FoundFile, Source
from kebab.source import ScanResult
from kebab.store.shelf import KnownFile

if TYPE_CHECKING:
    from app_bench import Desk

STAMP = FileStamp(1, 2, 3)


def known(*paths: str, root: Path = Path("/nowhere"), standalone: bool = False) -> dict[str, KnownFile]:
    return {path: KnownFile(path, "d", "a", "f", STAMP, str(root / path), standalone, 1) for path in paths}


def scanned(*paths: str, **account: tuple[object, ...]) -> ScanResult:
    files = tuple(FoundFile("default", Path("/kb") / path, path, "markdown", STAMP) for path in paths)
    return ScanResult(files=files, **account)  # type: ignore[arg-type]


@pytest.fixture
def source(tmp_path: Path) -> Source:
    return Source("default", tmp_path)


def gone(source: Source, result: ScanResult, files: dict[str, KnownFile], **scope: object) -> list[str]:
    found = find_gone(source, Scope((source,), **scope), result, files)  # type: ignore[arg-type]
    assert found.warning is None
    return list(found.paths)


# -- rules


def test_what_the_scan_did_not_meet_is_gone(source: Source) -> None:
    assert gone(source, scanned("a.md"), known("c.md", "a.md", "b.md")) == ["b.md", "c.md"]


def test_nothing_known_is_nothing_gone(source: Source) -> None:
    assert gone(source, scanned("a.md"), {}) == []


def test_what_was_put_in_on_its_own_is_spared(source: Source) -> None:
    files = {**known("a.md"), **known("_external/b.md", standalone=True)}
    assert gone(source, scanned(), files) == ["a.md"]


def test_what_lies_in_a_folder_that_could_not_be_listed_is_spared(source: Source) -> None:
    files = known("private/a.md", "private/deep/b.md", "privateer.md", "c.md")
    assert gone(source, scanned("c.md", unlisted=("private/",)), files) == ["privateer.md"]


def test_what_the_file_system_refused_is_spared(source: Source) -> None:
    result = scanned("c.md", errors=(("a.md", "Permission denied"),))
    assert gone(source, result, known("a.md", "b.md", "c.md")) == ["b.md"]


def test_only_the_scanned_part_is_swept(source: Source) -> None:
    (source.root / "notes").mkdir()
    files = known("notes/a.md", "notes/b.md", "notes.md", "notes-old/c.md", "other/d.md")
    assert gone(source, scanned("notes/a.md"), files, subtree=source.root / "notes") == ["notes/b.md"]


def test_a_single_file_that_was_scanned_sweeps_nothing_else(source: Source) -> None:
    (source.root / "a.md").touch()
    files = known("a.md", "a.md.md", "a.mdown.md", "b.md")
    assert gone(source, scanned("a.md"), files, subtree=source.root / "a.md") == []


def test_a_narrowed_scan_drops_only_what_is_really_gone(source: Source) -> None:
    (source.root / "there.md").touch()
    files = known("there.md", "gone.md", root=source.root)
    assert gone(source, scanned(), files, narrowed=True) == ["gone.md"]
    assert gone(source, scanned(), files) == ["gone.md", "there.md"]


@pytest.mark.parametrize("name", ["default", "papers"])
def test_a_folder_that_suddenly_holds_nothing_is_suspicious(tmp_path: Path, name: str) -> None:
    source = Source(name, tmp_path)
    files = known(*(source.workspace_path(f"{number}.md") for number in range(11)))
    found = find_gone(source, Scope((source,)), scanned(), files)
    assert found.paths == ()
    assert "11" in (found.warning or "")
    assert str(tmp_path) in (found.warning or "")


def test_a_part_that_was_emptied_is_taken_at_its_word(source: Source) -> None:
    (source.root / "notes").mkdir()
    files = known(*(f"notes/{number}.md" for number in range(20)), "other.md")
    assert len(gone(source, scanned(), files, subtree=source.root / "notes")) == 20


def test_a_few_files_may_all_go(source: Source) -> None:
    assert len(gone(source, scanned(), known(*(f"{number}.md" for number in range(10))))) == 10


def test_many_files_may_go_when_others_stay(source: Source) -> None:
    assert len(gone(source, scanned("a.md"), known("a.md", *(f"{number}.md" for number in range(50))))) == 50


def test_documents_of_a_named_source_are_swept_by_their_full_path(tmp_path: Path) -> None:
    source = Source("papers", tmp_path)
    (tmp_path / "2024").mkdir()
    files = known("@papers/2024/a.md", "@papers/b.md")
    assert gone(source, scanned(), files, subtree=tmp_path / "2024") == ["@papers/2024/a.md"]


def test_a_sweep_names_paths_in_order(source: Source) -> None:
    found = find_gone(source, Scope((source,)), scanned("x.md"), known("b.md", "a.md", "노트.md"))
    assert found == Sweep(("a.md", "b.md", "노트.md"))


def test_only_a_clear_answer_means_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = Source("default", tmp_path)

    def gone_at(name: str) -> bool:
        return is_gone(source, name, str(tmp_path / name))

    (tmp_path / "file").touch()
    assert gone_at("nothing")
    assert gone_at("file/below")
    assert not gone_at("file")
    assert not is_gone(source, "file", "/moved/away/file"), "its folder was moved as a whole"
    (tmp_path / "dangling").symlink_to(tmp_path / "nothing")
    assert not gone_at("dangling")

    def refuse(_path: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "lstat", refuse)
    assert not gone_at("nothing")


# -- through an ingest


def test_deleted_files_leave_the_index(desk: "Desk") -> None:
    desk.write("a.md", "alpha\n")
    desk.write("b.md", "beta\n")
    desk.ingest()
    (desk.root / "b.md").unlink()
    report = desk.ingest()
    assert (report.purged_deleted_files, report.purged_paths) == (1, ("b.md",))
    assert desk.paths() == ["a.md"]
    assert desk.found("beta") == []


def test_a_folder_that_cannot_be_listed_keeps_its_documents(desk: "Desk", monkeypatch: pytest.MonkeyPatch) -> None:
    desk.write("a.md")
    desk.write("private/b.md")
    desk.ingest()
    real = os.scandir

    def scandir(path: object) -> object:
        if str(path).endswith("private"):
            raise PermissionError(13, "Permission denied")
        return real(path)  # type: ignore[call-overload]

    monkeypatch.setattr(os, "scandir", scandir)
    report = desk.ingest()
    assert report.purged_paths == ()
    assert report.counts.errors == 1
    assert desk.paths() == ["a.md", "private/b.md"]


def test_a_file_the_file_system_refuses_keeps_its_document(desk: "Desk", monkeypatch: pytest.MonkeyPatch) -> None:
    desk.write("a.md")
    desk.write("b.md")
    desk.ingest()
    real = Path.lstat

    def lstat(path: Path) -> os.stat_result:
        if path.name == "b.md":
            raise OSError(5, "Input/output error")
        return real(path)

    monkeypatch.setattr(Path, "lstat", lstat)
    report = desk.ingest()
    assert [(item.doc_path, item.kind) for item in report.items or ()] == [("b.md", "error"), ("a.md", "unchanged")]
    assert report.purged_paths == ()
    assert desk.paths() == ["a.md", "b.md"]


def test_an_unmounted_disk_empties_nothing(desk: "Desk") -> None:
    papers = desk.home / "papers"
    desk.configure(f'[[workspace.sources]]\nid = "papers"\nroot = "{papers}"\n')
    desk.write("note.md")
    for number in range(12):
        desk.write(f"{number}.md", f"paper {number}\n", root=papers)
    desk.ingest()
    for file in papers.iterdir():
        file.unlink()
    report = desk.ingest()
    assert report.purged_paths == ()
    assert len(report.warnings) == 1
    assert len(desk.paths()) == 13


def test_a_folder_that_is_gone_stops_no_other_and_keeps_its_documents(desk: "Desk") -> None:
    """A folder named once is remembered; that its disk is not there today is no reason to index nothing at all."""
    other = desk.home / "other"
    desk.write("o.md", "other\n", root=other)
    desk.ingest(other)
    (other / "o.md").unlink()
    other.rmdir()
    desk.write("a.md", "alpha\n")
    report = desk.ingest()
    assert report.purged_paths == ()
    assert any(str(other) in warning for warning in report.warnings)
    assert desk.paths() == ["@other/o.md", "a.md"]


def test_ingesting_one_file_leaves_its_neighbours_alone(desk: "Desk") -> None:
    desk.write("todo.md", "one\n")
    desk.write("todo.md.md", "two\n")
    desk.write("todo.markdown", "three\n")
    desk.ingest()
    assert desk.ingest(desk.root / "todo.md").purged_paths == ()
    assert desk.paths() == ["todo.markdown", "todo.md", "todo.md.md"]


def test_other_sources_are_not_swept(desk: "Desk") -> None:
    other = desk.home / "other"
    desk.write("o.md", "other\n", root=other)
    desk.write("a.md")
    desk.ingest(other)
    desk.ingest()
    (other / "o.md").unlink()
    assert desk.ingest(desk.root).purged_paths == ()
    assert desk.paths() == ["@other/o.md", "a.md"]
    assert desk.ingest(other).purged_paths == ("@other/o.md",)


def test_include_on_the_command_line_does_not_drop_what_it_passes_over(desk: "Desk") -> None:
    desk.write("a.md")
    desk.write("notes/b.md")
    desk.ingest()
    assert desk.ingest(include=("notes/**",)).purged_paths == ()
    assert desk.ingest(exclude=("notes/**",)).purged_paths == ()
    (desk.root / "a.md").unlink()
    assert desk.ingest(include=("notes/**",)).purged_paths == ("a.md",)


def test_a_file_that_is_ignored_now_leaves(desk: "Desk") -> None:
    desk.write("a.md")
    desk.write("drafts/b.md")
    desk.ingest()
    desk.write(".kebabignore", "drafts/\n")
    assert desk.ingest().purged_paths == ("drafts/b.md",)
