import io
import zipfile

import pytest

from kebab.core.errors import InvalidInput
from kebab.parse import archive as module
from kebab.parse.archive import Archive
from office_samples import archive


def refusal(raw: bytes, name: str = "a") -> InvalidInput:
    with pytest.raises(InvalidInput) as refused:
        Archive(raw, "docx").read(name)
    return refused.value


def test_members_are_read_by_name() -> None:
    raw = archive({"a": "text", "../../b": b"\x00\x01", "/etc/c": ""})
    found = Archive(raw, "docx")
    assert (found.read("a"), found.read("../../b"), found.read("/etc/c")) == (b"text", b"\x00\x01", b"")
    assert "a" in found
    assert "b" not in found


def test_separators_of_windows_are_read_as_any() -> None:
    found = Archive(archive({"word\\document.xml": "text"}), "docx")
    assert found.read("word/document.xml") == b"text"


def test_the_beginning_of_a_long_member_may_be_enough() -> None:
    found = Archive(archive({"a": b"abcdefgh" * 100_000}), "docx")
    assert len(found.read("a", 300_000)) in range(300_000, 300_000 + module.STEP)
    assert len(found.read("a")) == 800_000


def test_a_bomb_is_refused_while_it_inflates() -> None:
    raw = archive({"a": b"\x00" * (50 * 1024 * 1024)})
    assert len(raw) < 100_000
    assert refusal(raw).message == "not a readable docx: it unpacks to far more than a document would hold"


def test_a_header_that_lies_about_the_size_changes_nothing() -> None:
    raw = bytearray(archive({"a": b"\x00" * (20 * 1024 * 1024)}))
    at = raw.rindex(b"PK\x01\x02")
    raw[at + 24 : at + 28] = (10).to_bytes(4, "little")
    assert "not a readable docx" in refusal(bytes(raw)).message


def test_many_members_count_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_TOTAL", 1000)
    found = Archive(archive({"a": b"x" * 600, "b": b"y" * 600}), "docx")
    assert found.read("a")
    with pytest.raises(InvalidInput, match="unpacks to far more"):
        found.read("b")


def test_too_many_members_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_MEMBERS", 10)
    assert "more than 10 members" in refusal(archive({str(n): "" for n in range(11)})).message


def test_an_archive_in_an_archive_is_only_bytes() -> None:
    inner = archive({"b": "text"})
    assert Archive(archive({"a.zip": inner}), "docx").read("a.zip") == inner


def test_a_missing_member_is_named() -> None:
    assert (
        refusal(archive({"b": ""}), "word/document.xml").message == "not a readable docx: it has no word/document.xml"
    )


def test_an_encrypted_office_file_is_explained() -> None:
    raw = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600) + "EncryptedPackage".encode("utf-16-le")
    found = refusal(raw)
    assert (found.message, found.hint) == ("not a readable docx: it is encrypted", "save a copy without a password")


def test_an_encrypted_member_is_explained() -> None:
    raw = bytearray(archive({"a": "text"}))
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        raw[raw.index(mark) + offset] |= 1
    assert refusal(bytes(raw)).message == "not a readable docx: it is encrypted"


def test_an_older_format_under_a_new_name_is_explained() -> None:
    found = refusal(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))
    assert found.message == "not a readable docx: it is a file of an older format under a new name"
    assert found.hint == "open it in its own program and save it as .docx"


@pytest.mark.parametrize(
    ("raw", "why"), [(b"", "the file is empty"), (b"<html>", "it is not a zip archive"), (b"PK\x03\x04", "damaged")]
)
def test_what_is_no_archive_is_refused(raw: bytes, why: str) -> None:
    assert why in refusal(raw).message


def test_an_unusual_compression_is_refused() -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_BZIP2) as file:
        file.writestr("a", "text")
    assert "compressed in an unusual way" in refusal(made.getvalue()).message
