"""Images as documents: a line for every line seen, with its place in the image, and a caption where one is wanted."""

from collections.abc import Iterator

import pytest
from PIL import Image

from kebab.core.document import Block, Document
from kebab.core.errors import IoFailure, KebabError, LeftAside, MissingExtra, TimedOut
from kebab.core.reading import Identity, ImageForm, OcrLine
from kebab.core.span import CaptionPlace, PagePlace, RegionPlace
from kebab.core.text import split_lines
from kebab.parse.image import KINDS, ImageParser
from kebab.parse.image.parser import VERSION
from kebab.parse.worker import Worker
from sample_files import MOMENT, read
from stand_ins.pictures import blank_png, corner, file_of
from stand_ins.readers import InProcess, MemoryCache, ScriptedCaptioner, ScriptedOcr

LINES = (
    OcrLine("현미밥", 10, 10, 60, 20, 0.9),
    OcrLine("물을   붓는다.", 10, 36, 100, 20, 0.8),
    OcrLine("Forty minutes.", 12, 120, 90, 18, 0.95),
)
IMAGE = Image.new("L", (200, 160), 255)


def parser(ocr: ScriptedOcr | None, captioner: ScriptedCaptioner | None = None, **more: MemoryCache) -> ImageParser:
    return ImageParser("png", ocr, captioner, worker=InProcess(), **more)


def document(raw: bytes, ocr: ScriptedOcr | None, captioner: ScriptedCaptioner | None = None) -> Document:
    return read(parser(ocr, captioner), raw, "photos/밥.png", "image/png")


def aside(raw: bytes, ocr: ScriptedOcr | None) -> LeftAside:
    with pytest.raises(LeftAside) as raised:
        document(raw, ocr)
    return raised.value


def test_every_line_of_the_image_is_a_line_and_a_gap_parts_paragraphs() -> None:
    found = document(file_of(IMAGE), ScriptedOcr(LINES))
    assert found.source_text == "현미밥\n물을 붓는다.\n\nForty minutes.\n"
    assert [block.text for block in found.blocks] == ["현미밥\n물을 붓는다.", "Forty minutes."]
    assert [block.place for block in found.blocks] == [RegionPlace(10, 10, 100, 46), RegionPlace(12, 120, 90, 18)]
    assert found.blocks[0].payload == {"lines": [[10, 10, 60, 20], [10, 36, 100, 20]]}
    assert (found.title, found.lang, found.parser_version, found.warnings) == ("밥.png", "ko", VERSION, ())
    read = {"engine": "scripted:1:kor:", "pages": 1, "regions": 2, "lines": 3, "confidence": 0.883}
    assert found.metadata.user == {"image": {"width": 200, "height": 160, "format": "png", "ocr": read}}


def test_places_are_those_of_the_image_whatever_size_the_engine_saw() -> None:
    ocr = ScriptedOcr([OcrLine("rice", 21, 31, 40, 21)], ImageForm(scale=2))
    (block,) = document(file_of(IMAGE), ocr).blocks
    assert block.place == RegionPlace(10, 15, 21, 11)
    small = ScriptedOcr([OcrLine("rice", 1, 1, 3, 2)], ImageForm(max_side=20))
    (block,) = document(file_of(IMAGE), small).blocks
    assert block.place == RegionPlace(10, 10, 30, 20)


def test_no_place_leaves_the_image_whatever_an_engine_says() -> None:
    wild = [OcrLine("a", -50, -50, 9999, 9999), OcrLine("b", 5000, 5000, 1, 1), OcrLine("c", 3, 3, 0, 0)]
    for block in document(file_of(IMAGE), ScriptedOcr(wild)).blocks:
        boxes = block.payload["lines"]
        assert isinstance(boxes, list)
        for x, y, w, h in boxes:  # type: ignore[misc]
            assert 0 <= x < x + w <= 200  # type: ignore[has-type, operator]
            assert 0 <= y < y + h <= 160  # type: ignore[has-type, operator]


def test_a_photo_on_its_side_has_places_as_people_see_it() -> None:
    exif = Image.Exif()
    exif[274] = 6
    exif[306] = "2024:05:03 10:20:30"
    raw = file_of(corner().transpose(Image.Transpose.ROTATE_90).convert("RGB"), "JPEG", exif=exif)
    found = document(raw, ScriptedOcr([OcrLine("rice", 30, 5, 10, 10)]))
    assert found.blocks[0].place == RegionPlace(30, 5, 10, 10)
    assert found.metadata.created_at == "2024-05-03T10:20:30Z"
    assert found.metadata.updated_at == MOMENT


def test_words_of_an_engine_stay_on_their_line() -> None:
    odd = [
        OcrLine("two\nlines\u2028and\x00more\r", 0, 0, 9, 9),
        OcrLine(" \t", 0, 10, 9, 9),
        OcrLine("e\u0301", 0, 20, 9, 9),
    ]
    found = document(file_of(IMAGE), ScriptedOcr(odd))
    assert found.source_text.split("\n") == ["two lines and more", "é", ""]


def test_a_caption_stands_below_the_text_and_says_who_wrote_it() -> None:
    found = document(file_of(IMAGE), ScriptedOcr(LINES[:1]), ScriptedCaptioner("A bowl\n of rice."))
    assert found.source_text == "현미밥\n\nA bowl of rice.\n"
    assert found.blocks[-1].place == CaptionPlace("scripted-vl:7b")


def test_a_caption_alone_makes_a_document() -> None:
    found = document(file_of(IMAGE), None, ScriptedCaptioner())
    assert [(block.text, block.place) for block in found.blocks] == [
        ("A bowl of rice.", CaptionPlace("scripted-vl:7b"))
    ]
    assert found.metadata.user["image"] == {"width": 200, "height": 160, "format": "png"}


def test_the_pages_of_a_tiff_are_places_of_their_own() -> None:
    raw = file_of(IMAGE, "TIFF", save_all=True, append_images=[IMAGE, IMAGE])
    found = document(raw, ScriptedOcr(LINES))
    places = [block.place for block in found.blocks]
    assert places == [PagePlace(page, start, end) for page in (1, 2, 3) for start, end in ((0, 11), (13, 27))]
    for block in found.blocks:
        assert isinstance(block.place, PagePlace)
        assert page_text(found, block.place.page)[block.place.char_start : block.place.char_end] == block.text
    told = {"width": 200, "height": 160, "format": "tiff", "pages": 3}
    read = {"engine": "scripted:1:kor:", "pages": 3, "regions": 6, "lines": 9, "confidence": 0.883}
    assert found.metadata.user["image"] == {**told, "ocr": read}


def page_text(found: Document, page: int) -> str:
    blocks: list[Block] = [b for b in found.blocks if isinstance(b.place, PagePlace) and b.place.page == page]
    lines = split_lines(found.source_text)
    return "\n".join(lines[blocks[0].span.start - 1 : blocks[-1].span.end])


def test_more_pages_than_are_read_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = file_of(IMAGE, "TIFF", save_all=True, append_images=[IMAGE] * 50)
    found = document(raw, ScriptedOcr(LINES[:1]))
    assert found.warnings == ("only the first 50 pages were read",)


def test_images_that_say_nothing_are_left_aside_with_a_reason() -> None:
    raw = file_of(IMAGE)
    assert aside(raw, ScriptedOcr()).reason == "no_text"
    assert aside(b"", ScriptedOcr()).reason == "empty"
    assert aside(blank_png(20_000, 6_000), ScriptedOcr()).reason == "too_large"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("kebab.parse.image.reading.find_spec", lambda name: None)
        bare = aside(raw, ScriptedOcr())
    assert (bare.reason, bare.hint) == ("no_package", "pip install 'kebab[image]'")
    nobody = aside(raw, None)
    assert nobody.reason == "no_ocr"
    assert "tesseract-ocr-kor" in str(nobody.hint)
    missing = ScriptedOcr(fails=MissingExtra("text in images needs the program tesseract", hint="apt install it"))
    assert (aside(raw, missing).reason, aside(raw, missing).hint) == ("no_ocr", "apt install it")


def test_what_goes_wrong_with_one_image_is_one_line() -> None:
    with pytest.raises(IoFailure, match=r"^the image cannot be decoded: "):
        document(file_of(IMAGE)[:60], ScriptedOcr())
    with pytest.raises(TimedOut, match=r"^too slow$"):
        document(file_of(IMAGE), ScriptedOcr(fails=TimedOut("too slow")))


def test_an_image_is_read_once_however_often_it_is_parsed() -> None:
    cache, raw = MemoryCache(), file_of(IMAGE)
    ocr, captioner = ScriptedOcr(LINES), ScriptedCaptioner()
    first = read(parser(ocr, captioner, cache=cache), raw, "a.png", "image/png")
    again = ImageParser("png", ocr, captioner, cache, worker=Unused())
    assert read(again, raw, "a.png", "image/png") == first
    assert (len(ocr.given), len(captioner.given)) == (1, 1)
    changed = ScriptedOcr(LINES, identity=Identity("scripted", "2"))
    read(parser(changed, captioner, cache=cache), raw, "a.png", "image/png")
    assert (len(changed.given), len(captioner.given)) == (1, 1)


class Unused(InProcess):
    def stream(self, *arguments: object, **named: object) -> Iterator[object]:  # type: ignore[override]
        raise AssertionError("nothing is decoded")


@pytest.mark.parametrize("kept", [b"", b"null", b"[1]", b'{"pages": 3}', b'{"pages": [[1]], "facts": []}', b"\xff"])
def test_what_a_cache_lost_is_made_again(kept: bytes) -> None:
    class Damaged(MemoryCache):
        def get(self, key: str) -> bytes:  # type: ignore[override]
            return kept

    raw = file_of(IMAGE)
    found = read(parser(ScriptedOcr(LINES), ScriptedCaptioner(), cache=Damaged()), raw, "a.png", "image/png")
    assert len(found.blocks) == 3


def test_the_variant_changes_with_whoever_reads() -> None:
    variants = [
        parser(None).variant,
        parser(ScriptedOcr()).variant,
        parser(ScriptedOcr(identity=Identity("scripted", "2"))).variant,
        parser(ScriptedOcr(), ScriptedCaptioner()).variant,
        parser(ScriptedOcr(), ScriptedCaptioner(model="another")).variant,
    ]
    assert len(set(variants)) == len(variants)
    assert KINDS == ("png", "jpeg", "webp", "gif", "tiff", "heic")


def test_decoding_runs_in_a_worker_of_its_own() -> None:
    mine = ImageParser("png", ScriptedOcr(LINES))
    try:
        assert read(mine, file_of(IMAGE), "a.png", "image/png").blocks[0].place == RegionPlace(10, 10, 100, 46)
        with pytest.raises(KebabError):
            read(mine, b"\x89PNG\r\n\x1a\n" + bytes(500), "a.png", "image/png")
        assert isinstance(mine._worker, Worker)
        assert mine._worker.pid is not None
    finally:
        mine.close()


def test_an_engine_that_fails_does_not_keep_the_worker_from_the_next_image() -> None:
    ocr = ScriptedOcr(LINES, fails=TimedOut("too slow"))
    mine = ImageParser("tiff", ocr)
    raw = file_of(IMAGE, "TIFF", save_all=True, append_images=[IMAGE])
    try:
        with pytest.raises(TimedOut) as raised:
            read(mine, raw, "a.tiff", "image/tiff")
        ocr.fails = None
        assert len(read(mine, raw, "a.tiff", "image/tiff").blocks) == 4
        assert raised.value.__traceback__ is not None, "the error is still held, with all that it passed through"
    finally:
        mine.close()
