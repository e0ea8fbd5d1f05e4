"""The engine tesseract: what it asks the program, what it keeps of the answer, and how well the real one reads."""

import shutil
from pathlib import Path

import pytest
from fake_tesseract import NOT_ON_WINDOWS, install, printed
from PIL import ImageChops

from kebab.core.errors import MissingExtra
from kebab.core.reading import OcrLine
from kebab.core.reading_settings import OcrSettings
from kebab.ocr.tesseract import TesseractEngine
from stand_ins.pictures import LATIN_FONT, file_of, page

VERSION = "if sys.argv[1:] == ['--version']: print('tesseract 5.9.1\\n leptonica-1.82'); sys.exit()\n"
LANGUAGES = "if sys.argv[1:] == ['--list-langs']: print('List of ...:\\n' + '\\n'.join({languages})); sys.exit()\n"
SAY = "open(WORD, 'a').write(' '.join(sys.argv[1:]) + '\\n')\nsys.stdin.buffer.read()\n"

pytestmark = NOT_ON_WINDOWS


def fake(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    both: str,
    alone: str = "",
    languages: tuple[str, ...] = ("eng", "kor", "osd"),
) -> Path:
    """A program that prints `alone` when it is asked for Korean only."""
    answer = f"print({alone!r} if sys.argv[4] == 'kor' else {both!r})"
    return install(folder, monkeypatch, VERSION + LANGUAGES.format(languages=languages) + SAY + answer)


def test_english_is_read_in_one_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    word = fake(
        tmp_path, monkeypatch, printed((90, 40), ((1, 2, 60, 9), 1, [("Brown", 96), ("rice", 96)]), text="Brown rice")
    )
    engine = TesseractEngine(OcrSettings())
    found = engine.read(b"png")
    assert found == ((OcrLine("Brown rice", 1, 2, 60, 9, 0.96, opens=False),), 90, 40)
    (asked,) = word.read_text().splitlines()
    assert asked.startswith("stdin stdout -l kor+eng --psm 6 -c ")
    assert "preserve_interword_spaces=1" in asked
    assert engine.identity[:3] == ("tesseract", "5.9.1", ("kor", "eng"))


def test_korean_is_read_again_by_the_korean_model_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    box = (1, 2, 60, 9)
    both = printed((90, 40), (box, 1, [("약", 93), ("한", 93), ("SOA]", 60)]), text="약한 SOA]")
    alone = printed((90, 40), (box, 1, [("약", 93), ("한", 93), ("불", 93), ("에서", 93)]), text="약한 불에서")
    word = fake(tmp_path, monkeypatch, both, alone)
    (line,) = TesseractEngine(OcrSettings()).read(b"png").lines
    assert line.text == "약한 불에서"
    assert [asked.split()[3] for asked in word.read_text().splitlines()] == ["kor+eng", "kor"]


def test_what_is_more_likely_a_pattern_than_text_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [
        ((0, 0, 9, 9), 1, [("ae", 15), ("Roy", 20)]),
        ((0, 10, 9, 9), 1, [("제", 90), ("~", 90), ("로", 90), ("|", 90)]),
        ((0, 20, 9, 9), 1, [("rice", 95)]),
        ((0, 30, 9, 9), 2, [("bowl", 95)]),
    ]
    fake(tmp_path, monkeypatch, printed((9, 99), *lines, text=""))
    found = TesseractEngine(OcrSettings()).read(b"png").lines
    assert [(line.text, line.opens) for line in found] == [("rice", False), ("bowl", True)]


def test_an_image_without_text_is_not_looked_at_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    word = fake(tmp_path, monkeypatch, printed((9, 9), ((0, 0, 9, 9), 1, [("나", 3), ("x", 9)]), text=""))
    assert TesseractEngine(OcrSettings()).read(b"png").lines == ()
    assert len(word.read_text().splitlines()) == 1


def test_only_languages_that_are_installed_are_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    word = fake(tmp_path, monkeypatch, printed((9, 9), text=""), languages=("eng", "osd"))
    engine = TesseractEngine(OcrSettings())
    engine.read(b"png")
    assert " -l eng " in word.read_text()
    assert engine.identity.languages == ("eng",)
    none = TesseractEngine(OcrSettings(languages=("jpn", "kor")))
    with pytest.raises(MissingExtra, match=r"^tesseract has no data for jpn, kor$"):
        none.read(b"png")


def test_nothing_is_started_before_it_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    engine = TesseractEngine(OcrSettings())
    assert engine.form.scale == 2
    with pytest.raises(MissingExtra):
        _ = engine.identity


@pytest.mark.skipif(shutil.which("tesseract") is None, reason="tesseract is not installed")
def test_the_real_one_finds_lines_where_they_stand() -> None:
    image = page(["Brown rice is soaked for six hours", "before it is cooked"], 24, LATIN_FONT)
    found = TesseractEngine(OcrSettings(languages=("eng",))).read(file_of(image)).lines
    assert [line.text for line in found] == ["Brown rice is soaked for six hours", "before it is cooked"]
    for line in found:
        around = (line.x - 6, line.y - 6, line.x + line.w + 6, line.y + line.h + 6)
        ink = ImageChops.invert(image.crop(around)).getbbox()
        assert ink is not None
        assert all(abs(edge - 6) <= 3 for edge in (ink[0], ink[1], line.w + 12 - ink[2], line.h + 12 - ink[3]))
