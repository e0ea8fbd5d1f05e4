from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from app_bench import results
from hypothesis import given
from hypothesis import strategies as st

from kebab.app.external import as_note, bring_in
from kebab.core.asset import Source
from kebab.core.errors import InvalidInput, IoFailure
from kebab.core.ids import content_hash
from kebab.core.query import Freshness

if TYPE_CHECKING:
    from app_bench import Desk


@pytest.fixture
def source(tmp_path: Path) -> Source:
    return Source("default", tmp_path / "kb")


# -- bringing in


def test_a_file_is_named_by_its_content(source: Source) -> None:
    path = bring_in(source, b"hello", ".md")
    assert path == source.root / "_external" / f"{content_hash(b'hello')[:12]}.md"
    assert path.read_bytes() == b"hello"


def test_the_same_content_is_brought_in_once(source: Source) -> None:
    first = bring_in(source, b"hello", ".md")
    stamp = first.stat().st_mtime_ns
    assert bring_in(source, b"hello", ".md") == first
    assert first.stat().st_mtime_ns == stamp
    assert [file.name for file in first.parent.iterdir()] == [first.name]
    assert bring_in(source, b"other", ".md") != first


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, "_external/\n"),
        ("", "_external/\n"),
        ("drafts/\n", "drafts/\n_external/\n"),
        ("drafts/", "drafts/\n_external/\n"),
        ("# mine\r\ndrafts/\r\n", "# mine\r\ndrafts/\r\n_external/\n"),
        ("_external/\n", "_external/\n"),
        ("_external/", "_external/"),
        ("a\n_external/\nb", "a\n_external/\nb"),
        ("x_external/\n", "x_external/\n_external/\n"),
    ],
)
def test_the_folder_is_ignored_once(source: Source, before: str | None, after: str) -> None:
    source.root.mkdir()
    ignore = source.root / ".kebabignore"
    if before is not None:
        ignore.write_bytes(before.encode())
    for content in (b"one", b"two", b"one"):
        bring_in(source, content, ".md")
    assert ignore.read_bytes() == after.encode()


def test_an_ignore_file_that_is_not_text_is_only_added_to(source: Source) -> None:
    source.root.mkdir()
    ignore = source.root / ".kebabignore"
    ignore.write_bytes(b"\xff\xfe\n")
    bring_in(source, b"one", ".md")
    assert ignore.read_bytes() == b"\xff\xfe\n_external/\n"


def test_a_root_that_cannot_be_written_is_an_io_failure(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(IoFailure) as caught:
        bring_in(Source("default", tmp_path / "file"), b"hello", ".md")
    assert caught.value.details["op"] == "write"


# -- notes from standard input


def test_a_note_remembers_its_title_and_where_it_came_from() -> None:
    raw = as_note("body\n", "A: title", "https://example.org/?a=b#c")
    assert raw.decode().endswith("---\n\nbody\n")
    assert raw.decode().splitlines()[:4] == [
        "---",
        'title: "A: title"',
        'source_uri: "https://example.org/?a=b#c"',
        "source_type: inbox",
    ]


@given(st.text(min_size=1).filter(lambda title: bool(title.strip())), st.text())
def test_any_title_and_text_make_a_note(title: str, text: str) -> None:
    raw = as_note(text, title, None).decode()
    front, _, body = raw.removeprefix("---\n").partition("\n---\n\n")
    assert body == text
    assert front.startswith("title: ")
    assert front.endswith("\nsource_type: inbox")
    assert front.count("\n") == 1


@pytest.mark.parametrize("title", ["", "  ", "\n"])
def test_a_note_needs_a_title(title: str) -> None:
    with pytest.raises(InvalidInput, match="title"):
        as_note("body", title, None)


# -- ingest_text


def test_text_becomes_a_document_that_no_walk_removes(desk: "Desk") -> None:
    desk.write("a.md")
    (path,) = results(desk.ingest_text("오늘의 clipping words\n", "Clip", "https://example.org"))
    assert path.startswith("_external/")
    row = desk.rows()[path]
    assert (row.title, row.source_type, row.source_id) == ("Clip", "inbox", "default")
    assert desk.found("clipping") == [path]
    for _ in range(2):
        assert desk.ingest().purged_paths == ()
        assert path in desk.paths()
    (desk.root / "a.md").unlink()
    assert desk.ingest().purged_paths == ("a.md",)
    assert desk.paths() == [path]


def test_the_same_text_is_taken_once(desk: "Desk") -> None:
    first = results(desk.ingest_text("clipping\n", "Clip"))
    again = results(desk.ingest_text("clipping\n", "Clip"))
    assert list(first.values()) == ["new"]
    assert again == dict.fromkeys(first, "unchanged")
    assert len(desk.paths()) == 1
    desk.ingest_text("clipping\n", "Another title")
    assert len(desk.paths()) == 2


def test_a_run_keeps_what_was_brought_in_up_to_date(desk: "Desk") -> None:
    (path,) = results(desk.ingest_text("clipping\n"))
    report = desk.ingest()
    assert results(report) == {path: "unchanged"}
    assert report.counts.new == 0
    assert results(desk.ingest(force=True)) == {path: "updated"}


def test_what_was_brought_in_survives_the_loss_of_the_index(desk: "Desk") -> None:
    (path,) = results(desk.ingest_text("clipping\n"))
    desk.app().reset("data_only")
    assert results(desk.ingest()) == {path: "new"}
    assert desk.found("clipping") == [path]


@pytest.mark.parametrize("text", ["", "  \n\t"])
def test_no_text_is_no_note(desk: "Desk", text: str) -> None:
    with pytest.raises(InvalidInput):
        desk.ingest_text(text)
    assert not (desk.root / "_external").exists()
    assert not desk.index.exists()


def test_a_note_without_a_title_leaves_nothing_behind(desk: "Desk") -> None:
    with pytest.raises(InvalidInput):
        desk.ingest_text("text", " ")
    assert not (desk.root / "_external").exists()


# -- ingest_file


def test_a_file_inside_stays_where_it_is(desk: "Desk") -> None:
    file = desk.write("notes/a.md", "alpha\n")
    assert results(desk.ingest_file(file)) == {"notes/a.md": "new"}
    assert not (desk.root / "_external").exists()
    assert results(desk.ingest_file(file)) == {"notes/a.md": "unchanged"}
    assert results(desk.ingest()) == {"notes/a.md": "unchanged"}
    assert desk.rows()["notes/a.md"].file_path == str(file)


def test_a_file_inside_is_swept_once_it_is_deleted(desk: "Desk") -> None:
    file = desk.write("notes/a.md", "alpha\n")
    desk.write("b.md")
    desk.ingest_file(file)
    file.unlink()
    assert desk.ingest().purged_paths == ("notes/a.md",)


def test_a_workspace_below_a_folder_called_external_is_a_workspace(desk: "Desk") -> None:
    desk.root = desk.home / "_external" / "kb"
    desk.write("b.md")
    file = desk.write("a.md", "alpha\n")
    desk.ingest_file(file)
    file.unlink()
    assert desk.ingest().purged_paths == ("a.md",)


def test_a_file_outside_is_copied_in(desk: "Desk") -> None:
    file = desk.write("Paper.MD", "# Paper\n\nzebra\n", root=desk.home / "downloads")
    (path,) = results(desk.ingest_file(file))
    assert path == f"_external/{content_hash(file.read_bytes())[:12]}.md"
    assert (desk.root / path).read_bytes() == file.read_bytes()
    file.unlink()
    assert desk.found("zebra") == [path]
    assert desk.search("zebra").hits[0].freshness is Freshness.FRESH
    assert desk.ingest().purged_paths == ()
    assert desk.paths() == [path]


def test_a_file_of_a_named_source_belongs_to_it(desk: "Desk") -> None:
    papers = desk.home / "papers"
    desk.configure(f'[[workspace.sources]]\nid = "papers"\nroot = "{papers}"\ntrust_level = "secondary"\n')
    file = desk.write("x.md", "paper\n", root=papers)
    assert results(desk.ingest_file(file)) == {"@papers/x.md": "new"}
    row = desk.rows()["@papers/x.md"]
    assert (row.source_id, row.trust_level) == ("papers", "secondary")
    assert results(desk.ingest()) == {"@papers/x.md": "unchanged"}


def test_a_file_of_a_source_inside_another_belongs_to_the_inner_one(desk: "Desk") -> None:
    inner = desk.root / "papers"
    desk.configure(f'[[workspace.sources]]\nid = "papers"\nroot = "{inner}"\n')
    desk.flags["workspace.exclude"] = ["papers/**"]
    file = desk.write("papers/x.md", "paper\n")
    assert results(desk.ingest_file(file)) == {"@papers/x.md": "new"}


def test_a_file_named_outright_is_taken_though_a_walk_ignores_it(desk: "Desk") -> None:
    desk.write(".kebabignore", "drafts/\n")
    desk.write("a.md")
    file = desk.write("drafts/b.md", "draft zebra\n")
    assert results(desk.ingest_file(file)) == {"drafts/b.md": "new"}
    assert desk.ingest().purged_paths == ()
    assert desk.found("zebra") == ["drafts/b.md"]


def test_naming_a_known_file_that_is_ignored_now_keeps_it(desk: "Desk") -> None:
    desk.write("a.md")
    file = desk.write("drafts/b.md", "draft zebra\n")
    desk.ingest()
    desk.write(".kebabignore", "drafts/\n")
    desk.ingest_file(file)
    assert desk.ingest().purged_paths == ()
    assert desk.found("zebra") == ["drafts/b.md"]


@pytest.mark.parametrize("name", ["a.zip", "noextension", ".env"])
def test_what_kebab_cannot_read_is_refused(desk: "Desk", name: str) -> None:
    file = desk.write(name, "x", root=desk.home / "downloads")
    with pytest.raises(InvalidInput):
        desk.ingest_file(file)


def test_a_folder_and_a_missing_file_are_refused(desk: "Desk") -> None:
    (desk.home / "folder.md").mkdir()
    for path in (desk.home / "folder.md", desk.home / "missing.md"):
        with pytest.raises(InvalidInput, match="not a file"):
            desk.ingest_file(path)


def test_a_file_that_is_too_large_is_refused(desk: "Desk") -> None:
    desk.flags["workspace.max_file_mb"] = 1
    inside = desk.write("big.md", "x" * (1024 * 1024 + 1))
    outside = desk.write("big.md", "x" * (1024 * 1024 + 1), root=desk.home / "downloads")
    for file in (inside, outside):
        with pytest.raises(InvalidInput):
            desk.ingest_file(file)
    assert desk.paths() == []
