"""PDFs made for tests and for the benchmark: what they say is known, page by page, and no file is kept.

Korean is set in a font that PDF readers bring along, so that no font is needed to make it.
"""

import io
import random
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

PAGE = (595.0, 842.0)
KOREAN = "HYSMyeongJo-Medium"
ENGLISH = "Helvetica"

_EN = (
    "the of evidence index citation paragraph storage vector engine lexical measure language column rice water "
    "harbour lantern meadow granite whistle orchard copper violet saddle thunder compass ribbon marble candle"
).split()
_KO = (
    "한국어 문서 검색 색인 근거 인용 문단 저장소 벡터 언어 모델 페이지 단락 측정 결과 시스템 항구 등불 목장 화강암 "
    "과수원 구리 안장 천둥 나침반 대리석 양초 현미 바다"
).split()


class Sample(NamedTuple):
    """A file, and for each page a phrase that only it holds; None for a page that holds no text."""

    name: str
    raw: bytes
    phrases: Sequence[str | None]


def canvas(size: tuple[float, float] = PAGE, **options: Any) -> tuple[io.BytesIO, Any]:
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.cidfonts import UnicodeCIDFont
    from reportlab.pdfgen.canvas import Canvas

    if KOREAN not in pdfmetrics.getRegisteredFontNames():
        pdfmetrics.registerFont(UnicodeCIDFont(KOREAN))
    buffer = io.BytesIO()
    return buffer, Canvas(buffer, pagesize=size, invariant=1, **options)


def finish(buffer: io.BytesIO, sheet: Any) -> bytes:
    sheet.save()
    return buffer.getvalue()


def pages(*texts: str, font: str = ENGLISH, size: float = 10.0) -> bytes:
    """One page for each text, its lines as they are; an empty line is a gap."""
    buffer, sheet = canvas()
    for text in texts:
        sheet.setFont(font, size)
        y = 790.0
        for line in text.split("\n"):
            if line:
                sheet.drawString(60, y, line)
            y -= size * (1.3 if line else 0.9)
        sheet.showPage()
    return finish(buffer, sheet)


def nameless(*lines: str) -> bytes:
    """A page in a font that does not say what its letters are: those beyond ASCII are mere numbers."""
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont

    pdfmetrics.registerFont(TTFont("Vera", "Vera.ttf"))
    buffer, sheet = canvas(pageCompression=0)
    sheet.setFont("Vera", 12)
    for at, line in enumerate(lines):
        sheet.drawString(60, 790 - 20 * at, line)
    return finish(buffer, sheet).replace(b"/ToUnicode", b"/XoUnicode")


def words(seed: random.Random, count: int, *, korean: bool = False) -> str:
    return " ".join(seed.choice(_KO if korean else _EN) for _ in range(count))


def phrase(name: str, page: int, *, korean: bool = False) -> str:
    return f"표식 {name} 쪽{page}번 표시" if korean else f"marker {name} sheet{page} stands"


def prose(name: str, count: int, *, korean: bool = False, margins: bool = False, outline: bool = False) -> Sample:
    """Pages of paragraphs."""
    buffer, sheet = canvas()
    seed, found = random.Random(name), []
    font = KOREAN if korean else ENGLISH
    for number in range(1, count + 1):
        found.append(phrase(name, number, korean=korean))
        sheet.setFont(font, 10)
        if margins:
            sheet.drawString(60, 815, f"Annual report of {name}")
            sheet.drawString(280, 30, f"- {number} -")
        if outline:
            sheet.bookmarkHorizontal(f"k{number}", 0, 780)
            sheet.addOutlineEntry(f"Chapter {number}", f"k{number}", level=0)
            sheet.drawString(60, 780, f"Chapter {number}")
        y = 750.0
        for paragraph in range(6):
            for line in range(6):
                text = words(seed, 12 if korean else 13, korean=korean)
                sheet.drawString(60, y, found[-1] if paragraph == 2 and line == 3 else text)
                y -= 13
            y -= 12
        sheet.showPage()
    return Sample(name, finish(buffer, sheet), found)


def columns(name: str, count: int, *, interleaved: bool = False, korean: bool = False) -> Sample:
    """Two columns below a heading over the full width; drawn column after column, or line by line across both."""
    buffer, sheet = canvas()
    seed, found = random.Random(name), []
    for number in range(1, count + 1):
        found.append(phrase(name, number, korean=korean))
        sheet.setFont(KOREAN if korean else ENGLISH, 16)
        sheet.drawString(60, 790, f"A heading over both columns of {name} {number}")
        sheet.setFont(KOREAN if korean else ENGLISH, 9)
        cells = [
            (side, row, found[-1] if (side, row) == (1, 7) else words(seed, 7 if korean else 6, korean=korean))
            for side in range(2)
            for row in range(45)
        ]
        for side, row, text in sorted(cells, key=lambda cell: cell[1]) if interleaved else cells:
            sheet.drawString(60 + 260 * side, 760 - 12 * row, text)
        sheet.showPage()
    return Sample(name, finish(buffer, sheet), found)


def table(name: str, *, by_column: bool = False) -> Sample:
    buffer, sheet = canvas()
    sheet.setFont(ENGLISH, 10)
    cells = [(row, column) for row in range(6) for column in range(4)]
    sheet.drawString(60, 780, phrase(name, 1))
    for row, column in sorted(cells, key=lambda cell: cell[1]) if by_column else cells:
        sheet.drawString(60 + 120 * column, 740 - 18 * row, f"r{row}c{column}")
    sheet.showPage()
    return Sample(name, finish(buffer, sheet), [phrase(name, 1)])


def turned(name: str, angle: int) -> Sample:
    """A page that is shown turned, with text that is upright when it is."""
    buffer, sheet = canvas()
    sheet.setPageRotation(angle)
    sheet.setFont(ENGLISH, 10)
    corner = {90: (500, 60), 180: (530, 780), 270: (60, 780)}[angle]
    sheet.translate(*corner)
    sheet.rotate(angle)
    for row, text in enumerate([phrase(name, 1), "and below it a second line", "and a third line"]):
        sheet.drawString(0, -14 * row, text)
    sheet.showPage()
    return Sample(name, finish(buffer, sheet), [phrase(name, 1)])


def form(name: str) -> Sample:
    buffer, sheet = canvas()
    sheet.setFont(ENGLISH, 10)
    sheet.drawString(60, 780, "A form to fill in by hand or by machine")
    sheet.acroForm.textfield(name="customer", tooltip="Customer", value=phrase(name, 1), x=60, y=700, width=200)
    sheet.acroForm.textfield(name="city", value="", x=60, y=650, width=200)
    sheet.acroForm.checkbox(name="agreed", checked=True, x=60, y=600)
    sheet.showPage()
    return Sample(name, finish(buffer, sheet), [phrase(name, 1)])


def scanned(name: str, count: int, *, texts: dict[int, str] | None = None) -> Sample:
    """Pages that are pictures; those in `texts` are text instead."""
    from PIL import Image
    from reportlab.lib.utils import ImageReader

    buffer, sheet = canvas()
    noise = Image.frombytes("L", (100, 140), random.Random(name).randbytes(14_000))
    for number in range(1, count + 1):
        if texts and number in texts:
            sheet.drawString(60, 700, texts[number])
        else:
            sheet.drawImage(ImageReader(noise), 0, 0, *PAGE)
        sheet.showPage()
    return Sample(name, finish(buffer, sheet), [(texts or {}).get(number) for number in range(1, count + 1)])


def encrypted(name: str) -> Sample:
    from reportlab.lib.pdfencrypt import StandardEncryption

    buffer, sheet = canvas(encrypt=StandardEncryption("open sesame", canPrint=0))
    sheet.drawString(60, 700, "a secret")
    sheet.showPage()
    return Sample(name, finish(buffer, sheet), [None])


def huge_page(name: str) -> Sample:
    buffer, sheet = canvas((14_400, 14_400))
    sheet.setFont(ENGLISH, 200)
    sheet.drawString(500, 13_000, phrase(name, 1))
    sheet.showPage()
    return Sample(name, finish(buffer, sheet), [phrase(name, 1)])


def truncated(raw: bytes, times: int, seed: int = 1) -> list[bytes]:
    chance = random.Random(seed)
    return [raw[: chance.randrange(1, len(raw))] for _ in range(times)]


def flipped(raw: bytes, times: int, seed: int = 1) -> list[bytes]:
    """Each with a few bits turned over, anywhere."""
    chance = random.Random(seed)
    found = []
    for _ in range(times):
        damaged = bytearray(raw)
        for _ in range(chance.choice((1, 4, 32, 256))):
            damaged[chance.randrange(len(damaged))] ^= 1 << chance.randrange(8)
        found.append(bytes(damaged))
    return found


def corpus(rounds: int = 10) -> list[Sample]:
    """Sound files of every kind, `rounds` of each that can vary."""
    makers: list[Callable[[int], Sample]] = [
        lambda at: prose(f"english{at}", 4 + at),
        lambda at: prose(f"korean{at}", 4 + at, korean=True),
        lambda at: prose(f"margins{at}", 6 + at, margins=True),
        lambda at: prose(f"outline{at}", 3 + at, outline=True),
        lambda at: columns(f"columns{at}", 3 + at),
        lambda at: columns(f"across{at}", 3 + at, interleaved=True),
        lambda at: columns(f"koreancolumns{at}", 3 + at, interleaved=True, korean=True),
        lambda at: table(f"table{at}", by_column=at % 2 == 1),
        lambda at: turned(f"turned{at}", (90, 180, 270)[at % 3]),
        lambda at: form(f"form{at}"),
        lambda at: huge_page(f"huge{at}"),
        lambda at: scanned(f"scanned{at}", 5, texts={2: phrase(f"scanned{at}", 2)}),
    ]
    return [make(at) for make in makers for at in range(rounds)]
