"""Looking at documents over HTTP: what the page is given of them, pictures, and pieces of recordings."""

import io
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from PIL import Image
from web_bench import Host, hosting, indexed

from kebab.app.facade import App
from kebab.app.scope import ScopeRequest
from kebab.config import Config
from kebab.ocr import OCR_ENGINES
from kebab.speech import TRANSCRIBERS
from pdf_samples import pages
from stand_ins.pictures import corner, file_of
from stand_ins.readers import ScriptedOcr, ScriptedTranscriber
from wire_schemas import check

MP3 = bytes(range(256)) * 8192
HOSTILE = "# <img src=x onerror=alert(1)>\n\n[a](javascript:alert(1)) ![b](http://evil.example/x) <script>x</script>\n"
LOCKED = ("default-src 'none'", "sandbox", "frame-ancestors 'none'")


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Config]:
    with pytest.MonkeyPatch.context() as patch:
        from kebab.core.reading import OcrLine, Segment

        sees = ScriptedOcr((OcrLine("sign", 10, 10, 30, 9, 0.9),))
        patch.setitem(OCR_ENGINES, "tesseract", lambda _settings: sees)
        hears = ScriptedTranscriber((Segment(0, 1500, "well then", None),))
        patch.setitem(TRANSCRIBERS, "faster-whisper", lambda _settings, _models: hears)
        home = tmp_path_factory.mktemp("views")
        files = {
            "book.pdf": pages("Alpha begins here."),
            "sign.png": file_of(corner((400, 300))),
            "talk.mp3": MP3,
            "hostile.md": HOSTILE.encode(),
            "<b>밥&.md": b"# name\n\nwords\n",
        }
        for name, raw in files.items():
            (home / "kb").mkdir(exist_ok=True)
            (home / "kb" / name).write_bytes(raw)
        yield indexed(home, {"ingest.speech.provider": "faster-whisper"})


@pytest.fixture(scope="module")
def shown(shelf: Config) -> Iterator[Host]:
    with hosting(shelf) as found:
        yield found


def test_what_the_page_asks_for_is_what_the_schemas_say(shown: Host) -> None:
    for name in ("rice.md", "dev/kettle.py", "book.pdf", "sign.png", "talk.mp3", "hostile.md", "<b>밥&.md"):
        reply = shown.get(f"/v1/view?doc={quote(name)}")
        assert reply.status == 200, reply.body
        assert reply.headers["content-type"] == "application/json"
        check(reply.json)
        assert reply.json["doc"]["doc_path"] == name
    for path in (
        "/v1/facets",
        "/v1/failures",
        "/v1/answers",
        "/v1/sessions",
        "/v1/page_boxes?doc=book.pdf&page=1&quote=alpha",
    ):
        reply = shown.get(path)
        assert reply.status == 200, reply.body
        check(reply.json)


def test_a_document_is_called_as_everywhere_else(shown: Host) -> None:
    whole = shown.get("/v1/view?doc=rice.md").json
    for reference in (whole["doc"]["doc_id"], whole["doc"]["doc_id"][:12], "rice.md#L4"):
        assert shown.get(f"/v1/view?doc={quote(reference)}").json == whole
    part = shown.get("/v1/view?doc=rice.md&from_line=4&lines=1").json
    assert part["lines"]["items"] == ["# Rice"]


@pytest.mark.parametrize(
    "path",
    [
        "/v1/view",
        "/v1/view?doc=",
        "/v1/view?doc=rice.md&lines=0",
        "/v1/view?doc=rice.md&lines=9999",
        "/v1/view?doc=rice.md&from_line=x",
        "/v1/view?doc=rice.md&other=1",
        "/v1/page_image?doc=book.pdf",
        "/v1/page_image?doc=book.pdf&page=0",
        "/v1/page_image?doc=book.pdf&page=1&width=99999",
        "/v1/page_image?doc=book.pdf&page=99",
        "/v1/session?id=nobody",
        "/v1/answers?limit=0",
    ],
)
def test_what_cannot_be_asked_is_refused(shown: Host, path: str) -> None:
    reply = shown.get(path)
    assert reply.status in (400, 404), reply
    check(reply.json)


@pytest.mark.parametrize("reference", ["../../etc/passwd", "/etc/passwd", "%2e%2e/x", "a%00b", "kb/../rice.md"])
@pytest.mark.parametrize("path", ["/v1/view?doc=", "/v1/media?doc=", "/v1/page_image?page=1&doc="])
def test_only_documents_of_the_index_can_be_looked_at(shown: Host, path: str, reference: str) -> None:
    reply = shown.get(path + reference)
    assert reply.status == 404
    assert b"root:" not in reply.body


def test_an_answer_that_was_given_can_be_seen_again(shown: Host) -> None:
    given = shown.post("/v1/ask", {"question": "How much water does brown rice need?", "session": "s"}).json
    trace = given["retrieval"]["trace_id"]
    again = shown.get(f"/v1/answer?trace_id={trace}").json
    check(again)
    assert again["answer"] == given["answer"]
    assert trace in {each["trace_id"] for each in shown.get("/v1/answers?limit=5").json["answers"]}
    assert shown.get("/v1/answers?grounded=false").json["answers"] == []
    assert [each["session_id"] for each in shown.get("/v1/sessions").json["sessions"]] == ["s"]
    session = shown.get("/v1/session?id=s").json
    check(session)
    assert len(session["turns"]) == 1


def test_facets_say_what_this_server_allows(shelf: Config) -> None:
    with hosting(shelf, allow_ingest=True) as host:
        told = host.get("/v1/facets").json
    assert (told["allow_ingest"], told["watching"]) == (True, False)


def test_a_page_and_an_image_are_pngs_that_can_do_nothing(shown: Host) -> None:
    for path in ("/v1/page_image?doc=book.pdf&page=1&width=300", "/v1/media?doc=sign.png"):
        reply = shown.get(path)
        assert reply.status == 200, reply.body
        assert reply.headers["content-type"] == "image/png"
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert reply.headers["content-disposition"] == "inline"
        assert reply.headers["cross-origin-resource-policy"] == "same-origin"
        assert reply.headers["x-kebab-freshness"] == "fresh"
        assert all(part in reply.headers["content-security-policy"] for part in LOCKED)
        assert Image.open(io.BytesIO(reply.body)).format == "PNG"


@pytest.mark.parametrize("name", ["rice.md", "dev/kettle.py", "book.pdf", "hostile.md"])
def test_nothing_else_is_ever_sent_as_it_is(shown: Host, name: str) -> None:
    reply = shown.get(f"/v1/media?doc={name}")
    assert reply.status == 415
    check(reply.json)
    assert shown.get("/v1/page_image?doc=sign.png&page=1").status == 415


@pytest.mark.parametrize("content", [b"<svg onload=alert(1)></svg>", b"<html><script>alert(1)</script>", b""])
def test_what_took_the_place_of_an_image_is_refused(own: Config, content: bytes) -> None:
    folder = Path(own.workspace.root)
    (folder / "sign.png").write_bytes(file_of(corner((40, 30))))
    with pytest.MonkeyPatch.context() as patch:
        from kebab.core.reading import OcrLine

        sees = ScriptedOcr((OcrLine("sign", 1, 1, 9, 9, 0.9),))
        patch.setitem(OCR_ENGINES, "tesseract", lambda _settings: sees)
        app = App(own)
        list(app.ingest(ScopeRequest()))
        app.close()
    (folder / "sign.png").write_bytes(content)
    with hosting(own) as host:
        reply = host.get("/v1/media?doc=sign.png")
    assert reply.status == 415
    assert reply.headers["content-type"] == "application/json"
    assert "sign.png cannot be shown" in reply.json["message"]


def test_a_recording_is_given_piece_by_piece(shown: Host) -> None:
    whole = shown.get("/v1/media?doc=talk.mp3")
    assert (whole.status, whole.body) == (200, MP3)
    assert whole.headers["content-type"] == "audio/mpeg"
    assert whole.headers["accept-ranges"] == "bytes"
    assert all(part in whole.headers["content-security-policy"] for part in LOCKED)
    size = len(MP3)
    for asked, first, last in (
        ("bytes=0-99", 0, 99),
        ("bytes=100-", 100, 100 + 1024 * 1024 - 1),
        ("bytes=-10", size - 10, size - 1),
        (f"bytes={size - 5}-{size + 99}", size - 5, size - 1),
    ):
        reply = shown.get("/v1/media?doc=talk.mp3", range=asked)
        assert reply.status == 206
        assert reply.headers["content-range"] == f"bytes {first}-{last}/{size}"
        assert reply.body == MP3[first : last + 1]


@pytest.mark.parametrize(
    "asked", ["bytes=9999999999-", "bytes=5-2", "bytes=-", "bytes=a-b", "bytes=0-1,3-4", "lines=0-1", "bytes=-0", ""]
)
def test_a_piece_that_is_none_is_refused(shown: Host, asked: str) -> None:
    reply = shown.get("/v1/media?doc=talk.mp3", range=asked)
    assert (reply.status, reply.body) == (416, b"")
    assert reply.headers["content-range"] == f"bytes */{len(MP3)}"


def test_a_piece_of_another_version_is_never_given_as_one_of_this(shown: Host) -> None:
    reply = shown.get("/v1/media?doc=talk.mp3", range="bytes=0-9", if_range='"another"')
    assert (reply.status, reply.body) == (200, MP3)


def test_the_head_of_a_recording_is_told_without_reading_it(shown: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kebab.ui.web.media._blocks", lambda *_: pytest.fail("it was read"))
    for asked, status, length in ((None, 200, len(MP3)), ("BYTES=0-9", 206, 10)):
        reply = shown.request("HEAD", "/v1/media?doc=talk.mp3", **({"range": asked} if asked else {}))
        assert (reply.status, reply.headers["content-length"], reply.body) == (status, str(length), b"")


def test_a_file_that_changed_is_told_and_one_that_is_gone_is_not_found(own: Config) -> None:
    folder = Path(own.workspace.root)
    (folder / "book.pdf").write_bytes(pages("Alpha"))
    app = App(own)
    list(app.ingest(ScopeRequest()))
    app.close()
    (folder / "book.pdf").write_bytes(pages("Something else, and more of it."))
    with hosting(own) as host:
        reply = host.get("/v1/page_image?doc=book.pdf&page=1")
        assert (reply.status, reply.headers["x-kebab-freshness"]) == (200, "changed")
        (folder / "book.pdf").unlink()
        assert host.get("/v1/page_image?doc=book.pdf&page=1").status == 404


REPLACING: dict[str, Callable[[Path], None]] = {
    "folder": Path.mkdir,
    "pipe": getattr(os, "mkfifo", Path.touch),
    "link": lambda place: place.symlink_to("/etc/passwd"),
}


@pytest.mark.parametrize("what", [*REPLACING])
def test_what_took_the_place_of_a_file_is_a_file_that_is_gone(shelf: Config, tmp_path: Path, what: str) -> None:
    asked = ("/v1/page_image?page=1&doc=", "book.pdf"), ("/v1/media?doc=", "sign.png"), ("/v1/media?doc=", "talk.mp3")
    with hosting(shelf) as host:
        for path, name in asked:
            place = Path(shelf.workspace.root) / name
            place.rename(tmp_path / name)
            try:
                REPLACING[what](place)
                reply, view = host.get(path + name), host.get(f"/v1/view?doc={name}")
            finally:
                (place.rmdir if what == "folder" else place.unlink)()
                (tmp_path / name).rename(place)
            assert (reply.status, reply.json["code"], view.status) == (404, "doc_not_found", 200), reply.body
            check(reply.json)


def test_a_file_that_has_become_too_large_cannot_be_shown(own: Config) -> None:
    folder = Path(own.workspace.root)
    (folder / "book.pdf").write_bytes(pages("Alpha"))
    app = App(own)
    list(app.ingest(ScopeRequest()))
    app.close()
    with (folder / "book.pdf").open("ab") as out:
        out.truncate(2 * 1024 * 1024 * 1024)
    with hosting(own) as host:
        reply = host.get("/v1/page_image?doc=book.pdf&page=1")
    assert reply.status == 415
    assert "larger than" in reply.json["message"]
