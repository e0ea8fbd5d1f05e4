"""Of two readings of a line, Hangul goes where Hangul stands, and English stays."""

import pytest

from kebab.ocr.layout import PrintedLine, Word
from kebab.ocr.scripts import has_hangul, merged


def line(*words: tuple[str, float]) -> PrintedLine:
    return PrintedLine((0, 0, 9, 9), tuple(Word(text, sure) for text, sure in words), 1)


@pytest.mark.parametrize(
    ("both", "korean", "right"),
    [
        # Hangul that the English model was only half sure of.
        ([("약한", 0.93), ("SOA]", 0.6)], [("약한", 0.93), ("불에서", 0.85)], "약한 불에서"),
        # Sure, but less so than the Korean model.
        ([("SAS", 0.88), ("쓴다.", 0.97)], [("명령을", 0.94), ("쓴다.", 0.97)], "명령을 쓴다."),
        # One word for two.
        ([("공유", 0.93), ("SAA", 0.5)], [("공유", 0.93), ("폴", 0.9), ("더에", 0.9)], "공유 폴 더에"),
        # English, of which the Korean model makes digits and brackets.
        ([("Kubernetes", 0.7), ("클러스터", 0.93)], [("<466100[65", 0.4), ("클러스터", 0.93)], "Kubernetes 클러스터"),
        # A short English word may look like a syllable, but it is read with confidence.
        ([("회의", 0.93), ("of", 0.96)], [("회의", 0.93), ("아", 0.85)], "회의 of"),
        # A syllable at the end of an English word makes it no Hangul word.
        ([("pod를", 0.7)], [("000를", 0.9)], "pod를"),
        # What only the Korean model saw is not taken over.
        ([("rice", 0.9)], [("「16@", 0.3), ("밥", 0.9)], "rice"),
        ([("현미밥", 0.9)], [("현마밥", 0.99)], "현미밥"),
    ],
)  # fmt: skip
def test_the_better_reading_is_kept(both: list[tuple[str, float]], korean: list[tuple[str, float]], right: str) -> None:
    found = merged(line(*both), line(*korean))
    assert found.text == right
    assert found.box == (0, 0, 9, 9)


def test_hangul_is_known_when_seen() -> None:
    assert has_hangul("rice 밥")
    assert not has_hangul("rice ㅋ 飯")
