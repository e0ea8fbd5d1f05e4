"""What a second ingest does: as little as possible, and never less than that."""

import os
import time
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from app_bench import results

from kebab.app import process
from kebab.core.errors import IoFailure
from kebab.core.ids import asset_id, content_hash, doc_id
from kebab.core.query import Freshness
from kebab.parse import PARSERS
from kebab.store.store import Store

if TYPE_CHECKING:
    from app_bench import Desk

LATER = 1_700_000_100


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that are read from now on."""
    names: list[str] = []
    real = process.read_stable

    def counted(path: Path, *rest: Any) -> Any:
        names.append(path.name)
        return real(path, *rest)

    monkeypatch.setattr(process, "read_stable", counted)
    return names


def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The workspace paths that are parsed from now on."""
    paths: list[str] = []
    real = PARSERS["markdown"]

    class Counted:
        version = real.version

        def parse(self, raw: bytes, context: Any) -> Any:
            paths.append(context.workspace_path)
            return real.parse(raw, context)

    monkeypatch.setitem(PARSERS, "markdown", Counted())
    return paths


# -- the first time


def test_new_files_are_indexed(desk: "Desk") -> None:
    desk.write("a.md", "# Alpha\n\nfirst words\n\n## Part\n\nmore\n")
    desk.write("notes/b.markdown", "beta\n")
    desk.write("bundle.zip", "x")
    report = desk.ingest()
    assert results(report) == {"a.md": "new", "notes/b.markdown": "new"}
    counts = report.counts
    assert (counts.scanned, counts.new, counts.skipped, counts.errors, counts.chunks_indexed) == (3, 2, 1, 0, 3)
    assert report.skipped_by_extension == {".zip": 1}
    assert desk.found("words") == ["a.md"]


def test_an_item_says_what_became_of_its_file(desk: "Desk") -> None:
    raw = b"# Alpha\n\nwords\n"
    desk.write("a.md", raw)
    (item,) = desk.ingest().items or ()
    asset = asset_id(content_hash(raw))
    assert (item.doc_id, item.asset_id) == (doc_id("a.md", asset, PARSERS["markdown"].version), asset)
    assert (item.byte_len, item.block_count, item.chunk_count) == (len(raw), 2, 1)
    assert (item.parser_version, item.chunker_version) == (PARSERS["markdown"].version, desk.config.chunker_version)
    assert (item.warnings, item.error) == ((), None)


def test_an_empty_workspace_makes_an_empty_index(desk: "Desk") -> None:
    report = desk.ingest()
    assert (results(report), report.counts.scanned) == ({}, 0)
    assert desk.paths() == []


# -- the second time


def test_an_unchanged_file_is_not_even_read(desk: "Desk", read: list[str]) -> None:
    desk.write("a.md")
    desk.ingest()
    read.clear()
    before = desk.rows(), desk.revision()
    report = desk.ingest()
    assert results(report) == {"a.md": "unchanged"}
    assert (report.counts.unchanged, report.counts.chunks_indexed) == (1, 0)
    assert read == []
    assert (desk.rows(), desk.revision()) == before


def test_a_changed_file_is_indexed_anew(desk: "Desk", read: list[str]) -> None:
    desk.write("a.md", "alpha\n")
    desk.write("b.md", "beta\n")
    desk.ingest()
    read.clear()
    before = desk.rows()
    desk.write("a.md", "omega\n", at=LATER)
    assert results(desk.ingest()) == {"a.md": "updated", "b.md": "unchanged"}
    assert read == ["a.md"]
    assert (desk.found("alpha"), desk.found("omega")) == ([], ["a.md"])
    after = desk.rows()
    assert after["b.md"] == before["b.md"]
    assert after["a.md"].doc_id != before["a.md"].doc_id
    assert desk.revision() == 3


def test_a_touched_file_gets_its_stamp_and_nothing_else(desk: "Desk", monkeypatch: pytest.MonkeyPatch) -> None:
    file = desk.write("a.md")
    desk.ingest()
    before, revision = desk.rows()["a.md"], desk.revision()
    os.utime(file, (LATER, LATER))
    paths = parsed(monkeypatch)
    assert results(desk.ingest()) == {"a.md": "unchanged"}
    after = desk.rows()["a.md"]
    assert after.stamp.mtime_ns == LATER * 1_000_000_000
    assert after == before._replace(stamp=after.stamp)
    assert desk.revision() == revision
    assert paths == []


def test_a_file_changed_within_one_tick_of_the_clock_is_noticed(desk: "Desk") -> None:
    soon = int(time.time()) + 3600
    desk.write("a.md", "alpha\n", at=soon)
    desk.ingest()
    desk.write("a.md", "omega\n", at=soon)
    assert results(desk.ingest()) == {"a.md": "updated"}


def test_a_file_replaced_by_another_with_the_same_size_and_time_is_noticed(desk: "Desk") -> None:
    file = desk.write("a.md", "alpha\n")
    desk.ingest()
    other = desk.write("b.tmp", "omega\n")
    other.replace(file)
    assert results(desk.ingest()) == {"a.md": "updated"}


def test_checksum_reads_what_looks_unchanged(desk: "Desk", read: list[str]) -> None:
    file = desk.write("a.md", "alpha\n")
    desk.ingest()
    file.write_text("omega\n")
    desk.write("a.md", "omega\n")
    assert results(desk.ingest()) == {"a.md": "unchanged"}
    read.clear()
    assert results(desk.ingest(checksum=True)) == {"a.md": "updated"}
    assert results(desk.ingest(checksum=True)) == {"a.md": "unchanged"}
    assert read == ["a.md", "a.md"]


def test_force_does_everything_again(desk: "Desk") -> None:
    desk.write("a.md")
    desk.write("b.md", "beta\n")
    desk.ingest()
    before = desk.rows()
    report = desk.ingest(force=True)
    assert results(report) == {"a.md": "updated", "b.md": "updated"}
    after = desk.rows()
    assert [row.doc_id for row in after.values()] == [row.doc_id for row in before.values()]
    assert desk.revision() == 4


@pytest.mark.parametrize(
    "flags",
    [
        {"chunking.target_tokens": 100},
        {"chunking.overlap_tokens": 10},
        {"chunking.max_chunk_tokens": 1000},
        {"chunking.respect_markdown_headings": False},
    ],
    ids=lambda flags: next(iter(flags)),
)
def test_a_changed_chunking_setting_cuts_everything_anew(desk: "Desk", flags: dict[str, object]) -> None:
    desk.write("a.md")
    desk.ingest()
    before = desk.rows()["a.md"]
    desk.flags |= flags
    assert results(desk.ingest()) == {"a.md": "updated"}
    assert results(desk.ingest()) == {"a.md": "unchanged"}
    assert desk.rows()["a.md"].doc_id == before.doc_id


def test_a_setting_that_shapes_nothing_changes_nothing(desk: "Desk") -> None:
    desk.write("a.md")
    desk.ingest()
    desk.flags |= {"search.default_k": 3, "logging.level": "error", "workspace.max_file_mb": 7}
    assert results(desk.ingest()) == {"a.md": "unchanged"}


def test_a_new_parser_version_parses_everything_anew(desk: "Desk", monkeypatch: pytest.MonkeyPatch) -> None:
    desk.write("a.md")
    desk.ingest()
    real = PARSERS["markdown"]

    class Newer:
        version = "md-blocks-next"

        def parse(self, raw: bytes, context: Any) -> Any:
            return real.parse(raw, context)

    monkeypatch.setitem(PARSERS, "markdown", Newer())
    assert results(desk.ingest()) == {"a.md": "updated"}
    assert results(desk.ingest()) == {"a.md": "unchanged"}


# -- moving about


def test_a_moved_file_is_the_same_content_at_a_new_path(desk: "Desk") -> None:
    desk.write("a.md", "alpha\n")
    desk.ingest()
    before = desk.rows()["a.md"]
    (desk.root / "notes").mkdir()
    (desk.root / "a.md").rename(desk.root / "notes/b.md")
    report = desk.ingest()
    assert (results(report), report.purged_paths) == ({"notes/b.md": "new"}, ("a.md",))
    after = desk.rows()
    assert list(after) == ["notes/b.md"]
    assert after["notes/b.md"].asset_id == before.asset_id
    assert after["notes/b.md"].doc_id != before.doc_id
    assert desk.found("alpha") == ["notes/b.md"]


def test_two_files_may_swap_their_names(desk: "Desk") -> None:
    desk.write("a.md", "alpha\n")
    desk.write("b.md", "beta!\n")
    desk.ingest()
    (desk.root / "a.md").rename(desk.root / "x")
    (desk.root / "b.md").rename(desk.root / "a.md")
    (desk.root / "x").rename(desk.root / "b.md")
    assert results(desk.ingest()) == {"a.md": "updated", "b.md": "updated"}
    assert (desk.found("alpha"), desk.found("beta")) == (["b.md"], ["a.md"])


def test_a_rename_that_only_changes_case_is_followed(desk: "Desk") -> None:
    desk.write("Note.md", "alpha\n")
    desk.ingest()
    (desk.root / "Note.md").rename(desk.root / "note.md")
    desk.ingest()
    assert desk.paths() == ["note.md"]
    assert desk.found("alpha") == ["note.md"]
    assert desk.search("alpha").hits[0].freshness is Freshness.FRESH


def test_twins_are_two_documents_of_one_asset(desk: "Desk") -> None:
    desk.write("a.md", "same zebra\n")
    desk.write("b/a.md", "same zebra\n")
    desk.ingest()
    rows = desk.rows()
    assert rows["a.md"].asset_id == rows["b/a.md"].asset_id
    assert sorted(desk.found("zebra")) == ["a.md", "b/a.md"]
    (desk.root / "a.md").unlink()
    desk.ingest()
    assert desk.found("zebra") == ["b/a.md"]
    assert results(desk.ingest()) == {"b/a.md": "unchanged"}


def test_a_name_in_another_unicode_form_is_the_same_document(desk: "Desk", read: list[str]) -> None:
    nfc, nfd = "한글 노트.md", unicodedata.normalize("NFD", "한글 노트.md")
    desk.write(nfc, "alpha\n")
    desk.ingest()
    (desk.root / nfc).rename(desk.root / nfd)
    read.clear()
    assert results(desk.ingest()) == {nfc: "unchanged"}
    assert desk.paths() == [nfc]
    assert desk.search("alpha").hits[0].freshness is Freshness.FRESH


def test_a_workspace_that_was_moved_as_a_whole_is_known_at_its_new_place(desk: "Desk", read: list[str]) -> None:
    desk.write("a.md", "alpha\n")
    desk.write("b.md", "beta\n")
    desk.ingest()
    read.clear()
    desk.root = desk.root.rename(desk.home / "moved")
    assert results(desk.ingest()) == {"a.md": "unchanged", "b.md": "unchanged"}
    assert read == []
    assert [row.file_path for row in desk.rows().values()] == [str(desk.root / "a.md"), str(desk.root / "b.md")]
    assert desk.search("alpha").hits[0].freshness is Freshness.FRESH
    assert desk.ingest(exclude=("b.md",)).purged_paths == ()
    assert desk.app().reset("orphans_only").orphans_purged == 0


def test_two_files_with_one_workspace_path_are_one_document(desk: "Desk") -> None:
    nfc, nfd = "한글.md", unicodedata.normalize("NFD", "한글.md")
    desk.write(nfd, "decomposed\n")
    desk.write(nfc, "composed\n")
    assert len(list(desk.root.iterdir())) == 2
    report = desk.ingest()
    assert results(report) == {nfc: "new"}
    assert report.skips["duplicate_path"].count == 1
    assert (desk.found("composed"), desk.found("decomposed")) == ([nfc], [])
    assert results(desk.ingest()) == {nfc: "unchanged"}


# -- sources


def test_a_source_gives_its_documents_their_trust(desk: "Desk") -> None:
    papers = desk.home / "papers"
    source = f'[[workspace.sources]]\nid = "papers"\nroot = "{papers}"\n'
    desk.configure(source + 'trust_level = "secondary"\nsource_type = "paper"\n')
    desk.write("a.md")
    desk.write("x.md", "paper\n", root=papers)
    desk.write("own.md", "---\ntrust_level: generated\n---\nown\n", root=papers)
    desk.ingest()
    found = {path: (row.trust_level, row.source_type, row.source_id) for path, row in desk.rows().items()}
    assert found == {
        "a.md": ("primary", "markdown", "default"),
        "@papers/x.md": ("secondary", "paper", "papers"),
        "@papers/own.md": ("generated", "paper", "papers"),
    }
    desk.configure(source + 'trust_level = "primary"\nsource_type = "paper"\n')
    assert results(desk.ingest()) == {"a.md": "unchanged", "@papers/x.md": "updated", "@papers/own.md": "updated"}
    assert desk.rows()["@papers/x.md"].trust_level == "primary"


def test_a_folder_named_on_the_command_line_is_remembered(desk: "Desk") -> None:
    other = desk.home / "other"
    desk.write("o.md", "other\n", root=other)
    desk.write("a.md")
    assert results(desk.ingest(other)) == {"@other/o.md": "new"}
    desk.write("p.md", "new one\n", root=other)
    assert results(desk.ingest()) == {"a.md": "new", "@other/o.md": "unchanged", "@other/p.md": "new"}


def test_a_folder_that_is_configured_later_is_indexed_under_its_new_name_only(desk: "Desk") -> None:
    papers = desk.home / "papers"
    desk.write("x.md", "zebra\n", root=papers)
    desk.ingest(papers)
    assert desk.found("zebra") == ["@papers/x.md"]
    desk.configure(f'[[workspace.sources]]\nid = "work"\nroot = "{papers}"\n')
    assert results(desk.ingest()) == {"@work/x.md": "new"}
    assert desk.found("zebra") == ["@work/x.md"]
    assert results(desk.ingest(papers)) == {"@work/x.md": "unchanged"}


def test_a_workspace_that_is_not_there_is_an_error_when_there_is_no_other(desk: "Desk") -> None:
    desk.write("a.md").unlink()
    desk.root.rmdir()
    with pytest.raises(IoFailure, match="does not exist"):
        desk.ingest()


def test_a_folder_called_like_a_source_is_not_taken_for_it(desk: "Desk") -> None:
    papers = desk.home / "papers"
    desk.configure(f'[[workspace.sources]]\nid = "papers"\nroot = "{papers}"\n')
    desk.write("@papers/x.md", "from the workspace\n")
    desk.write("x.md", "from the papers\n", root=papers)
    desk.ingest()
    assert {row.source_id for row in desk.rows().values()} == {"default", "papers"}
    assert len(desk.found("workspace")) == len(desk.found("papers")) == 1
    assert [item.kind for item in desk.ingest().items or ()] == ["unchanged", "unchanged"]


# -- when files misbehave


def test_a_file_that_cannot_be_read_keeps_its_document(desk: "Desk", monkeypatch: pytest.MonkeyPatch) -> None:
    desk.write("a.md", "alpha\n")
    desk.write("b.md", "beta\n")
    desk.ingest()
    desk.write("a.md", "omega\n", at=LATER)

    def refuse(path: Path, *_rest: Any) -> Any:
        raise IoFailure(f"{path}: Permission denied", op="read", path=str(path))

    monkeypatch.setattr(process, "read_stable", refuse)
    report = desk.ingest()
    assert results(report) == {"a.md": "error", "b.md": "unchanged"}
    assert report.counts.errors == 1
    assert "Permission denied" in (report.notable()[0].error or "")
    assert desk.found("alpha") == ["a.md"]
    assert report.purged_paths == ()
    monkeypatch.undo()
    assert results(desk.ingest())["a.md"] == "updated"


def test_a_parser_that_fails_on_one_file_does_not_stop_the_others(
    desk: "Desk", monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a", "b", "c"):
        desk.write(f"{name}.md", f"word{name}\n")
    real = PARSERS["markdown"]

    class Moody:
        version = real.version

        def parse(self, raw: bytes, context: Any) -> Any:
            if context.workspace_path == "b.md":
                raise RecursionError("too deep")
            return real.parse(raw, context)

    monkeypatch.setitem(PARSERS, "markdown", Moody())
    report = desk.ingest()
    assert results(report) == {"a.md": "new", "b.md": "error", "c.md": "new"}
    (bad,) = report.notable()
    assert bad.error == "RecursionError: too deep"
    assert desk.paths() == ["a.md", "c.md"]
    monkeypatch.undo()
    assert results(desk.ingest()) == {"a.md": "unchanged", "b.md": "new", "c.md": "unchanged"}


def test_warnings_of_a_file_are_in_the_report(desk: "Desk") -> None:
    desk.write("a.md", b"---\ntags: [a\n---\nbody\n")
    report = desk.ingest()
    assert results(report) == {"a.md": "new"}
    (item,) = report.notable()
    assert item.warnings


def test_files_that_are_too_large_are_counted(desk: "Desk") -> None:
    desk.flags["workspace.max_file_mb"] = 1
    desk.write("big.md", "x" * (1024 * 1024 + 1))
    desk.write("a.md")
    report = desk.ingest()
    assert results(report) == {"a.md": "new"}
    assert report.skips["size_exceeded"].examples == ("big.md",)


@pytest.mark.parametrize(
    "raw", [b"", b"\n\n", b"\xff\xfe\x00", b"a \x00 stray NUL", b"---\n", b"\xef\xbb\xbf# A\n", b"# \n\n## \n"]
)
def test_any_text_can_be_a_note(desk: "Desk", raw: bytes) -> None:
    desk.write("a.md", raw)
    assert results(desk.ingest()) == {"a.md": "new"}
    assert results(desk.ingest()) == {"a.md": "unchanged"}


@pytest.mark.parametrize("raw", [b"\x00" * 100, b"%PDF-1.7\n" + bytes(range(256)) * 8])
def test_what_is_binary_is_no_note_whatever_its_name_says(desk: "Desk", raw: bytes) -> None:
    desk.write("a.md", raw)
    desk.write("b.md")
    report = desk.ingest()
    assert results(report) == {"a.md": "skipped", "b.md": "new"}
    assert report.skips["binary"].examples == ("a.md",)
    assert desk.paths() == ["b.md"]


def test_a_run_is_recorded(desk: "Desk") -> None:
    desk.write("a.md")
    desk.ingest()
    desk.ingest()
    with Store.reader(desk.index) as store:
        runs = store._db.rows(
            "SELECT scanned, new_count, unchanged_count, aborted FROM ingest_runs ORDER BY started_at"
        )
    assert runs == [(1, 1, 0, 0), (1, 0, 1, 0)]


def test_an_index_made_by_another_analyser_is_made_anew(desk: "Desk", monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as without:
        without.setattr("kebab.store.analyse.find_spec", lambda name: None)
        desk.write("a.md", "데이터베이스를 설계했다.\n")
        desk.ingest()
        assert desk.search("설계").hint is None
    assert "analyser" in (desk.search("데이터").hint or "")
    assert results(desk.ingest()) == {"a.md": "unchanged"}
    assert desk.search("데이터").hint is None
    assert desk.found("설계하다") == ["a.md"]
