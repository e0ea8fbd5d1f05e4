"""From a citation to a file and a command: every editor is told the line in its own way, and no shell is needed."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import pytest
from fetch_bench import LATER, chunks, write_notes

from kebab.app.opening import Surroundings, editing, find_opening, viewing
from kebab.core.errors import ChunkNotFound, DocNotFound, InvalidInput, IoFailure
from kebab.core.fetching import Opening
from kebab.core.query import Freshness
from kebab.store.store import Store
from office_samples import docx, para
from pdf_samples import pages

if TYPE_CHECKING:
    from app_bench import Desk

FILE = "/n/a b.md"
SCREEN = {"DISPLAY": ":0"}


def around(variables: Mapping[str, str] | None = None, *programs: str, platform: str = "linux") -> Surroundings:
    """A machine with these variables and no other program than these."""
    return Surroundings(variables or {}, platform, lambda name: f"/usr/bin/{name}" if name in programs else None)


@pytest.mark.parametrize(
    ("editor", "words"),
    [
        ("vim", ["vim", "+7", FILE]),
        ("/usr/bin/nvim", ["/usr/bin/nvim", "+7", FILE]),
        ("nano", ["nano", "+7", FILE]),
        ("emacsclient -t", ["emacsclient", "-t", "+7", FILE]),
        ("kak", ["kak", "+7", FILE]),
        ("code --wait", ["code", "--wait", "--goto", f"{FILE}:7"]),
        ("cursor", ["cursor", "--goto", f"{FILE}:7"]),
        ("subl -w", ["subl", "-w", f"{FILE}:7"]),
        ("zed", ["zed", f"{FILE}:7"]),
        ("hx", ["hx", f"{FILE}:7"]),
        ("idea", ["idea", "--line", "7", FILE]),
        ("'/opt/my editor/ed' -x", ["/opt/my editor/ed", "-x", FILE]),
    ],
)
def test_each_editor_is_told_the_line_in_its_own_way(editor: str, words: list[str]) -> None:
    command = editing(FILE, 7, around({"EDITOR": editor}))
    assert (list(command.words), command.waits) == (words, True)


def test_without_a_line_an_editor_gets_the_file_alone() -> None:
    assert editing(FILE, 0, around({"EDITOR": "code --wait"})).words == ("code", "--wait", FILE)


def test_visual_is_asked_before_editor_and_an_empty_one_not_at_all() -> None:
    assert editing(FILE, 1, around({"VISUAL": "hx", "EDITOR": "vim"})).words[0] == "hx"
    assert editing(FILE, 1, around({"VISUAL": " ", "EDITOR": "vim"})).words[0] == "vim"


def test_an_editor_that_is_badly_quoted_is_refused_by_the_name_of_its_variable() -> None:
    with pytest.raises(InvalidInput, match=r"\$EDITOR cannot be read"):
        editing(FILE, 1, around({"EDITOR": "vim 'unclosed"}))


def test_nothing_in_a_name_or_an_editor_is_expanded() -> None:
    file = "/n/$(touch x); {line} `y`.md"
    assert editing(file, 2, around({"EDITOR": "vim; rm -rf $HOME"})).words == ("vim;", "rm", "-rf", "$HOME", file)
    assert editing(file, 2, around({"EDITOR": "hx"})).words == ("hx", f"{file}:2")


def test_without_an_editor_text_is_shown_by_what_the_system_has() -> None:
    assert editing(FILE, 7, around(SCREEN, "vi")).words == ("xdg-open", FILE)
    assert editing(FILE, 7, around({}, "vi", "vim")).words == ("vim", "+7", FILE)
    assert editing(FILE, 7, around({})).words == ("xdg-open", FILE)
    assert editing(FILE, 7, around({}, "vi", platform="darwin")).words == ("open", "-t", FILE)


def test_on_windows_a_script_is_never_given_to_the_program_that_runs_it() -> None:
    windows = around({}, platform="win32")
    assert editing("C:\\n\\a.bat", 7, windows).words == ("notepad", "C:\\n\\a.bat")
    chosen = around({"EDITOR": '"C:\\Program Files\\Code.exe" -n'}, platform="win32")
    assert editing("C:\\a.md", 7, chosen).words == ("C:\\Program Files\\Code.exe", "-n", "--goto", "C:\\a.md:7")


def test_a_viewer_that_knows_pages_is_preferred_when_there_is_a_page() -> None:
    assert viewing(FILE, 3, around(SCREEN, "okular", "zathura")).words == ("okular", "-p", "3", FILE)
    assert viewing(FILE, 3, around(SCREEN, "evince")).words == ("evince", "--page-index=3", FILE)
    assert viewing(FILE, 3, around(SCREEN, "zathura")).words == ("zathura", "-P", "3", FILE)
    assert viewing(FILE, 3, around(SCREEN)).words == ("xdg-open", FILE)
    assert viewing(FILE, 0, around(SCREEN, "evince")).words == ("xdg-open", FILE)
    assert viewing(FILE, 3, around({}, "evince", platform="darwin")).words == ("open", FILE)
    assert not viewing(FILE, 3, around(SCREEN)).waits


@pytest.fixture
def notes(desk: "Desk") -> "Desk":
    desk.write("-rf.md", "# Dash\n")
    desk.write("book.pdf", pages("One.", "Two."))
    desk.write("report.docx", docx(para("A paragraph.")))
    return write_notes(desk)


def opening(desk: "Desk", reference: str, *programs: str) -> Opening:
    with Store.reader(desk.index) as store:
        return find_opening(store, reference, desk.config.sources(), around({"EDITOR": "vim", **SCREEN}, *programs))


def test_a_citation_a_chunk_and_a_document_lead_to_the_file(notes: "Desk") -> None:
    file = str(notes.root / "parts.md")
    assert opening(notes, "parts.md#L5-L9").command == ("vim", "+5", file)
    found = opening(notes, chunks(notes)[5][:12])
    assert (found.command, found.freshness) == (("vim", "+21", file), Freshness.FRESH)
    assert found.citation is not None
    assert found.citation.to_uri() == "parts.md#L21-L23"
    assert opening(notes, "parts.md").command == ("vim", file)
    assert opening(notes, "쌀/현미%20밥.md#L3").command == ("vim", "+3", str(notes.root / "쌀/현미 밥.md"))
    assert opening(notes, chunks(notes, "app/main.py")[0]).command == ("vim", "+1", str(notes.root / "app/main.py"))


def test_a_page_opens_in_a_viewer_and_lines_of_extracted_text_are_no_lines_of_the_file(notes: "Desk") -> None:
    book, report = str(notes.root / "book.pdf"), str(notes.root / "report.docx")
    assert opening(notes, "book.pdf#p=2", "evince").command == ("evince", "--page-index=2", book)
    found = opening(notes, chunks(notes, "report.docx")[0], "evince")
    assert (found.command, found.waits) == (("xdg-open", report), False)
    assert opening(notes, "report.docx#L1").command == ("xdg-open", report)


def test_a_name_that_looks_like_an_option_is_given_as_a_path(notes: "Desk") -> None:
    assert opening(notes, "-rf.md#L1").command[-1].endswith("/-rf.md")


def test_a_changed_file_is_told_and_a_missing_one_is_an_error_with_a_way_out(notes: "Desk") -> None:
    file = notes.write("parts.md", "# Other\n", at=LATER)
    assert opening(notes, "parts.md#L5").freshness is Freshness.CHANGED
    file.unlink()
    with pytest.raises(IoFailure, match="is gone") as caught:
        opening(notes, "parts.md#L5")
    assert caught.value.hint == "`kebab fetch doc parts.md` gives the text that was indexed"


def test_a_file_is_found_where_its_folder_went(notes: "Desk") -> None:
    notes.root = notes.root.rename(notes.home / "moved")
    found = opening(notes, "쌀/현미%20밥.md#L3")
    assert (found.file, found.freshness) == (str(notes.home / "moved/쌀/현미 밥.md"), Freshness.FRESH)
    assert notes.app().find_opening("parts.md").file == str(notes.home / "moved/parts.md")


def test_what_is_not_in_the_index_is_not_opened(notes: "Desk") -> None:
    for name in ("../../etc/passwd#L1", "/etc/passwd", "??????", "MISSING.md", ""):
        with pytest.raises(DocNotFound, match="no document has the path"):
            opening(notes, name)
    with pytest.raises(ChunkNotFound):
        opening(notes, "ffffff")


def test_a_path_that_is_none_is_told_where_a_file_of_that_name_is(notes: "Desk") -> None:
    with pytest.raises(DocNotFound) as caught:
        opening(notes, "src/main.py#L1")
    assert caught.value.hint == "did you mean app/main.py?"
    with pytest.raises(DocNotFound) as caught:
        opening(notes, "MISSING.md")
    assert caught.value.hint == "`kebab list docs` shows the paths"


def test_the_app_looks_around_by_itself(notes: "Desk", monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", "nano")
    assert notes.app(readonly=True).find_opening("parts.md#L5").command[:2] == ("nano", "+5")
