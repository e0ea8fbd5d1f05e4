"""Text in images: the share of characters that tesseract reads wrongly, by page mode, enlargement and way of reading.

Usage: python benchmarks/ocr.py [--quick]

Renders Korean, English and mixed lines in fonts of this machine and reads them back. The error is the edit distance
over the length of the text, spaces and line ends included. `words` joins what tesseract's table calls words by spaces;
`text` takes the spaces of its plain text; `twice` also reads again with the Korean model alone, as kebab does.
"""

import argparse
import io
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import NamedTuple

from measure import machine, table
from PIL import Image, ImageDraw, ImageFont

from kebab.core.reading_settings import OcrSettings
from kebab.ocr import layout, scripts, tesseract

KOREAN = """현미밥은 씻은 쌀을 여섯 시간 동안 불린 뒤에 짓는다.
물의 양은 쌀의 1.3배가 알맞고, 약한 불에서 20분쯤 뜸을 들인다.
쿠버네티스 클러스터에서 파드를 삭제하려면 관리자 권한이 필요하다.
도서관은 평일 오전 9시에 열고 오후 10시에 닫으며, 공휴일에는 쉰다.
회의록은 회의가 끝난 다음 날까지 공유 폴더에 올려 주세요."""
ENGLISH = """Brown rice is soaked for six hours before it is cooked.
The water should weigh 1.3 times as much as the rice, then rest 20 minutes.
Deleting a pod from the cluster needs the rights of an administrator.
The library opens at 9 in the morning and closes at 10, except on holidays.
Please upload the minutes to the shared folder by the following day."""
MIXED = """Kubernetes 클러스터에서 pod를 삭제하려면 kubectl delete 명령을 쓴다.
AI가 만든 요약은 README 파일의 9시 회의 내용과 다르다.
Brown rice는 40분, white rice는 20분 동안 익힌다.
서버의 IP 주소는 10.0.0.1이고 포트는 TCP 8080이다."""
FONTS = Path("/usr/share/fonts/truetype")
TEXTS = {
    "Korean": (KOREAN, FONTS / "nanum/NanumGothic.ttf"),
    "English": (ENGLISH, FONTS / "dejavu/DejaVuSans.ttf"),
    "mixed": (MIXED, FONTS / "nanum/NanumGothic.ttf"),
}
# Heights of the font in pixels: small print on a screen, and twice that; the x of either is about half as high.
SIZES = (12, 24)
MODES = (3, 4, 6, 11)
SCALES = (1, 2, 3)
WAYS = ("words", "text", "twice")
BAR = 0.05


class Setting(NamedTuple):
    mode: int
    scale: int
    binary: bool


CHOSEN = Setting(tesseract.PAGE_MODE, tesseract.FORM.scale, binary=False)


def rendered(text: str, font: Path, size: int) -> Image.Image:
    face, lines = ImageFont.truetype(str(font), size), text.split("\n")
    pitch = round(size * 1.6)
    width = round(max(face.getlength(line) for line in lines)) + 4 * size
    image = Image.new("L", (width, pitch * len(lines) + 2 * size), 255)
    draw = ImageDraw.Draw(image)
    for index, line in enumerate(lines):
        draw.text((2 * size, size + index * pitch), line, font=face, fill=0)
    return image


def prepared(image: Image.Image, setting: Setting) -> bytes:
    size = (image.width * setting.scale, image.height * setting.scale)
    large = image.resize(size, Image.Resampling.LANCZOS) if setting.scale > 1 else image
    if setting.binary:
        large = large.point(lambda shade: 255 if shade > 160 else 0)
    out = io.BytesIO()
    large.save(out, "PNG")
    return out.getvalue()


def readings(png: bytes, mode: int) -> dict[str, str]:
    """What each way of reading makes of an image."""
    tesseract.PAGE_MODE = mode
    engine = tesseract.TesseractEngine(OcrSettings())
    both = engine._seen(png, ("kor", "eng"))
    alone = {line.box: line for line in engine._seen(png, ("kor",)).lines}
    merged = [scripts.merged(line, alone.get(line.box, line)) for line in both.lines]
    real, layout._LOOK_AHEAD = layout._LOOK_AHEAD, 0
    apart = engine._seen(png, ("kor", "eng"))
    layout._LOOK_AHEAD = real
    found = {"words": apart.lines, "text": both.lines, "twice": merged}
    return {way: "\n".join(line.text for line in lines) for way, lines in found.items()}


def distance(one: str, other: str) -> int:
    row = list(range(len(other) + 1))
    for index, char in enumerate(one, 1):
        before, row[0] = row[0], index
        for place, each in enumerate(other, 1):
            before, row[place] = row[place], min(row[place] + 1, row[place - 1] + 1, before + (char != each))
    return row[-1]


def settings(*, quick: bool) -> Iterator[Setting]:
    if quick:
        yield CHOSEN
        return
    for mode, scale in product(MODES, SCALES):
        yield Setting(mode, scale, binary=False)
    yield from (Setting(CHOSEN.mode, scale, binary=True) for scale in SCALES)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="only the settings that kebab uses")
    options = parser.parse_args()
    print(machine(), tesseract.installed(), sep="; ")
    texts = {name: pair for name, pair in TEXTS.items() if pair[1].exists()}
    for name in TEXTS.keys() - texts.keys():
        print(f"{name} is left out: there is no {TEXTS[name][1]}")
    columns = [(name, size) for name in texts for size in SIZES]
    rows, worst = [], 0.0
    for setting in settings(quick=options.quick):
        cells: dict[str, list[str]] = {way: [] for way in WAYS}
        for name, size in columns:
            text, font = texts[name]
            for way, got in readings(prepared(rendered(text, font, size), setting), setting.mode).items():
                wrong = distance(text, got) / len(text)
                cells[way].append(f"{wrong:.3f}")
                if setting == CHOSEN and way == "twice" and name != "mixed":
                    worst = max(worst, wrong)
        label = [str(setting.mode), str(setting.scale), "yes" if setting.binary else "no"]
        rows += [[*label, way, *cells[way]] for way in WAYS]
    print(table(["psm", "scale", "binary", "way", *(f"{name} {size} px" for name, size in columns)], rows))
    print(f"kebab's own: psm {CHOSEN.mode}, scale {CHOSEN.scale}, twice; worst of Korean and English {worst:.3f}")
    print(f"bar {BAR}: {'kept' if worst <= BAR else 'MISSED'}")


if __name__ == "__main__":
    main()
