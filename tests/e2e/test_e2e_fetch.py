"""`kebab fetch` and `kebab open` as people and programs use them: text on stdout, the talk about it on stderr."""

import os
import stat
from pathlib import Path

import pytest
from kebab_process import answer, kebab, on_terminal, plant, refusal, search, settle, well

from office_samples import pptx, shape, slide
from wire_schemas import check

RICE = "---\ntags: [cooking]\n---\n# Rice\n\nOne cup of brown rice needs two cups of water.\n"


@pytest.fixture
def kitchen(home: Path) -> Path:
    """The small home at its place of today, with a file that has Windows line ends and one of slides."""
    crlf = plant(home / "notes", {"long.txt": ""}) / "long.txt"
    crlf.write_bytes(b"".join(b"line %d\r\n" % number for number in range(1, 2001)))
    settle(crlf)
    (home / "notes/deck.pptx").write_bytes(pptx([slide(shape("title", "Kettles"))]))
    well(kebab(home, "ingest", "--quiet"))
    return home


def program(folder: Path, name: str, status: int = 0) -> Path:
    """A program that writes down how it was called, one word a line."""
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > "{folder}/called"\nexit {status}\n', encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def test_every_citation_of_a_search_leads_to_its_words(kitchen: Path) -> None:
    for hit in search(kitchen, "brown rice 현미"):
        uri = hit["citation"]["uri"]
        lines = well(kebab(kitchen, "fetch", "span", uri))
        chunk = well(kebab(kitchen, "fetch", "chunk", hit["chunk_id"]))
        assert lines.out == chunk.out
        assert lines.err == chunk.err == f"{uri}\n"


def test_stdout_is_exactly_the_text_and_stderr_says_where_it_stands(kitchen: Path) -> None:
    done = well(kebab(kitchen, "fetch", "doc", "rice.md"))
    assert (done.out, done.err) == (RICE, "rice.md#L1-L6\n")
    quiet = well(kebab(kitchen, "fetch", "span", "rice.md", "4", "5", "--quiet"))
    assert (quiet.out, quiet.err) == ("# Rice\n\n", "")
    beyond = well(kebab(kitchen, "fetch", "span", "long.txt", "1999", "9999"))
    assert beyond.out == "line 1999\nline 2000\n"


def test_a_cut_text_says_how_to_go_on(kitchen: Path) -> None:
    done = well(kebab(kitchen, "fetch", "doc", "long.txt", "--max-tokens", "10"))
    assert done.out == "line 1\nline 2\nline 3\nline 4\n"
    assert done.err.splitlines() == [
        "long.txt#L1-L4",
        "cut at --max-tokens after line 4; `kebab fetch span long.txt 5 2000` goes on",
    ]


def test_neighbours_stand_before_and_after_the_chunk(kitchen: Path) -> None:
    last = search(kitchen, "냉동")[0]["chunk_id"]
    done = well(kebab(kitchen, "fetch", "chunk", last[:8], "--context", "1", "--readonly"))
    assert done.out == "# 현미밥\n\n불린 현미 한 컵에 물 1.2컵을 붓는다.\n\n## 보관\n\n한 공기씩 냉동한다.\n"


def test_a_changed_file_is_said_to_have_changed_and_its_old_text_is_shown(kitchen: Path) -> None:
    (kitchen / "notes/rice.md").write_text("# Other\n", encoding="utf-8")
    done = well(kebab(kitchen, "fetch", "span", "rice.md#L4"))
    assert (done.out, done.err) == ("# Rice\n", "rice.md#L4; the file has changed since\n")
    assert answer(kitchen, "fetch", "doc", "rice.md")["freshness"] == "changed"


def test_slides_are_fetched_by_page_and_refused_by_line(kitchen: Path) -> None:
    assert well(kebab(kitchen, "fetch", "page", "deck.pptx", "1")).out.strip("# \n") == "Kettles"
    error = refusal(kebab(kitchen, "fetch", "span", "deck.pptx", "1", "2", "--json"), "span_not_supported")
    assert error["hint"] == "`kebab fetch page deck.pptx 1`"


def test_a_document_cannot_drive_the_terminal_it_is_shown_on(kitchen: Path) -> None:
    plant(kitchen / "notes", {"evil.md": "# Evil\n\n\x1b]0;owned\x07\x1b[2Jtext\n"})
    well(kebab(kitchen, "ingest", "--quiet"))
    shown = on_terminal(kitchen, "fetch", "doc", "evil.md").out
    assert "\x1b" not in shown
    assert "text" in shown
    piped = well(kebab(kitchen, "fetch", "doc", "evil.md")).out
    assert piped == "# Evil\n\n\x1b]0;owned\x07\x1b[2Jtext\n"


def test_open_runs_the_editor_at_the_line_without_a_shell(kitchen: Path, tmp_path: Path) -> None:
    plant(kitchen / "notes", {"$(touch owned) 노트.md": "# One\n\ntwo\n", "-rf.md": "# Dash\n"})
    well(kebab(kitchen, "ingest", "--quiet"))
    vim = program(tmp_path / "bin", "vim")
    env = {"EDITOR": str(vim)}
    done = well(kebab(kitchen, "open", "$(touch%20owned)%20노트.md#L3", env=env))
    assert (done.out, done.err) == ("", "")
    called = tmp_path / "bin/called"
    assert called.read_text().splitlines() == ["+3", str(kitchen / "notes/$(touch owned) 노트.md")]
    well(kebab(kitchen, "open", "--", "-rf.md#L1", env=env))
    assert called.read_text().splitlines() == ["+1", str(kitchen / "notes/-rf.md")]
    assert not (kitchen / "owned").exists()


def test_open_gives_what_is_no_text_to_the_viewer(kitchen: Path, tmp_path: Path) -> None:
    viewer = program(tmp_path / "bin", "xdg-open")
    well(kebab(kitchen, "open", "deck.pptx#p=1", env={"PATH": f"{viewer.parent}{os.pathsep}{os.environ['PATH']}"}))
    assert (tmp_path / "bin/called").read_text() == f"{kitchen}/notes/deck.pptx\n"


def test_open_prints_the_command_as_shell_words_or_as_json(kitchen: Path) -> None:
    done = well(kebab(kitchen, "open", "쌀/현미밥.md#L3", "--print", env={"EDITOR": "code --wait"}))
    assert done.out == f"code --wait --goto '{kitchen}/notes/쌀/현미밥.md:3'\n"
    report = answer(kitchen, "open", "쌀/현미밥.md#L3", "--print", env={"VISUAL": "nano"})
    check(report)
    assert report["command"] == ["nano", "+3", f"{kitchen}/notes/쌀/현미밥.md"]
    assert (report["uri"], report["freshness"]) == ("쌀/현미밥.md#L3", "fresh")


def test_open_says_what_is_wrong(kitchen: Path, tmp_path: Path) -> None:
    refusal(kebab(kitchen, "open", "rice.md", "--json"), "invalid_input")
    gone = kebab(kitchen, "open", "rice.md", env={"EDITOR": "no-such-editor"})
    assert (gone.status, gone.err.splitlines()[0]) == (
        2,
        "error: cannot run no-such-editor: No such file or directory",
    )
    failing = program(tmp_path / "bin", "failing", status=3)
    failed = kebab(kitchen, "open", "rice.md", env={"EDITOR": str(failing)})
    assert (failed.status, failed.err.splitlines()[0]) == (2, f"error: {failing} ended with status 3")
    (kitchen / "notes/rice.md").write_text("# Other\n", encoding="utf-8")
    changed = well(kebab(kitchen, "open", "rice.md#L4", "--print", env={"EDITOR": "vim"}))
    assert changed.err == "rice.md has changed since it was indexed; the place may have moved\n"
    (kitchen / "notes/rice.md").unlink()
    refusal(kebab(kitchen, "open", "rice.md#L4", "--print", "--json"), "io_error")
