"""Files shown as pictures and played as sound: only those of the index, and inside of their folder."""

import io
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PIL import Image
from reading_bench import PNG

from kebab.core.errors import DocNotFound, InvalidInput, SpanNotSupported
from kebab.core.query import Freshness
from kebab.core.viewing import ViewRequest
from pdf_samples import pages

if TYPE_CHECKING:
    from app_bench import Desk

    from stand_ins.readers import ScriptedOcr, ScriptedTranscriber

MP3 = b"ID3" + bytes(3000)


@pytest.fixture
def shelf(desk: "Desk", eyes: "ScriptedOcr", ears: "ScriptedTranscriber") -> "Desk":
    desk.flags |= {"ingest.speech.provider": "faster-whisper"}
    desk.write("book.pdf", pages("Alpha begins here.", "Beta"))
    desk.write("sign.png", PNG)
    desk.write("talk.mp3", MP3)
    desk.write("note.md")
    desk.ingest()
    return desk


def test_a_page_is_a_png(shelf: "Desk") -> None:
    found = shelf.app().page_image("book.pdf", 1, 200)
    assert (found.media, found.freshness) == ("image/png", Freshness.FRESH)
    assert Image.open(io.BytesIO(found.data)).format == "PNG"
    with pytest.raises(InvalidInput, match="no page 3"):
        shelf.app().page_image("book.pdf", 3, 200)
    for width in (0, 99, 2401, 10**9):
        with pytest.raises(InvalidInput, match="width"):
            shelf.app().page_image("book.pdf", 1, width)


def test_words_are_found_on_a_page(shelf: "Desk") -> None:
    app = shelf.app()
    assert len(app.page_boxes("book.pdf", 1, "alpha begins").boxes) == 1
    assert app.page_boxes("book.pdf", 2, "alpha begins").boxes == ()


def test_an_image_is_encoded_anew(shelf: "Desk") -> None:
    found = shelf.app().picture("sign.png")
    assert found.media == "image/png"
    assert found.data != PNG
    assert Image.open(io.BytesIO(found.data)).size == (400, 300)


def test_a_recording_is_its_file(shelf: "Desk") -> None:
    found = shelf.app().recording("talk.mp3")
    with found.file:
        assert found.file.read() == MP3
    assert (found.size, found.media) == (len(MP3), "audio/mpeg")


def test_every_other_document_is_refused(shelf: "Desk") -> None:
    app = shelf.app()
    for ask in (
        lambda: app.page_image("note.md", 1, 200),
        lambda: app.page_boxes("sign.png", 1, "a"),
        lambda: app.picture("note.md"),
        lambda: app.picture("book.pdf"),
        lambda: app.recording("note.md"),
        lambda: app.recording("sign.png"),
    ):
        with pytest.raises(SpanNotSupported):
            ask()


def test_a_file_that_changed_says_so(shelf: "Desk") -> None:
    shelf.write("book.pdf", pages("Something else altogether, and longer."))
    assert shelf.app().page_image("book.pdf", 1, 200).freshness is Freshness.CHANGED
    (shelf.root / "book.pdf").unlink()
    with pytest.raises(DocNotFound, match="cannot be opened"):
        shelf.app().page_image("book.pdf", 1, 200)


@pytest.mark.parametrize("content", [b"<svg onload=alert(1)></svg>", b"<html><script>", b"\x89PNG\r\n\x1a\nbad", b""])
def test_what_took_the_place_of_an_image_is_never_sent(shelf: "Desk", content: bytes) -> None:
    shelf.write("sign.png", content)
    with pytest.raises(SpanNotSupported, match="cannot be shown"):
        shelf.app().picture("sign.png")


def test_a_link_out_of_the_folder_is_not_followed(shelf: "Desk", tmp_path: Path) -> None:
    secret = tmp_path / "secret.mp3"
    secret.write_bytes(b"secret")
    (shelf.root / "talk.mp3").unlink()
    (shelf.root / "talk.mp3").symlink_to(secret)
    with pytest.raises(DocNotFound, match="outside of its folder"):
        shelf.app().recording("talk.mp3")


@pytest.mark.usefixtures("ears")
def test_a_folder_that_became_a_link_is_not_followed(desk: "Desk", tmp_path: Path) -> None:
    desk.flags |= {"ingest.speech.provider": "faster-whisper"}
    desk.write("in/talk.mp3", MP3)
    desk.ingest()
    (tmp_path / "elsewhere").mkdir()
    (desk.root / "in" / "talk.mp3").unlink()
    (tmp_path / "elsewhere" / "talk.mp3").write_bytes(b"secret")
    (desk.root / "in").rmdir()
    (desk.root / "in").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(DocNotFound, match="outside of its folder"):
        desk.app().recording("in/talk.mp3")


def test_a_pipe_or_a_folder_in_the_place_of_a_file_holds_nobody(shelf: "Desk") -> None:
    place = shelf.root / "talk.mp3"
    place.unlink()
    place.mkdir()
    with pytest.raises(DocNotFound, match="no file"):
        shelf.app().recording("talk.mp3")
    place.rmdir()
    if hasattr(os, "mkfifo"):
        os.mkfifo(place)
        with pytest.raises(DocNotFound, match="no file"):
            shelf.app().recording("talk.mp3")


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="there is no list of what is open")
def test_a_folder_in_the_place_of_a_file_is_not_left_open(shelf: "Desk") -> None:
    place, app = shelf.root / "talk.mp3", shelf.app()
    place.unlink()
    place.mkdir()
    for _ in range(2):
        with pytest.raises(DocNotFound, match="no file"):
            app.recording("talk.mp3")
    opened = [Path(each) for each in Path("/proc/self/fd").iterdir()]
    assert place not in [each.readlink() for each in opened if each.is_symlink()]


def test_a_link_to_itself_in_the_place_of_a_file_is_no_fault_and_the_text_stays(shelf: "Desk") -> None:
    place, app = shelf.root / "book.pdf", shelf.app()
    place.unlink()
    place.symlink_to(place.name)
    with pytest.raises(DocNotFound, match="cannot be opened"):
        app.page_image("book.pdf", 1, 200)
    assert app.view(ViewRequest("book.pdf")).page_count == 2


def test_a_file_that_has_grown_beyond_what_is_indexed_is_not_read(shelf: "Desk") -> None:
    with (shelf.root / "book.pdf").open("ab") as out:
        out.truncate(2 * 1024 * 1024 * 1024)
    with pytest.raises(SpanNotSupported, match="larger than"):
        shelf.app().page_image("book.pdf", 1, 200)
