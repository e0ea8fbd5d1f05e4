"""The picture in the README says what kebab prints today, and is drawn the same way every time."""

import importlib.util
import re
import subprocess
import sys
from types import ModuleType
from xml.etree import ElementTree as ET

import pytest
from kebab_process import REPOSITORY

from kebab.ui.terminal import display_width

SCRIPTS = REPOSITORY / "scripts"
PICTURE = REPOSITORY / "docs/images/scene.svg"
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def scene() -> ModuleType:
    spec = importlib.util.spec_from_file_location("scene_svg", SCRIPTS / "scene_svg.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def drawn(scene: ModuleType, *outputs: str, command: str = "kebab x") -> str:
    drawing: str = scene.draw([scene.Step(command, output) for output in outputs], "a title")
    return drawing


def test_the_picture_says_what_kebab_prints_today() -> None:
    done = subprocess.run(
        [sys.executable, SCRIPTS / "make_scene.py", "--check"], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr


def test_the_scene_has_an_ingest_a_citation_and_a_refusal(scene: ModuleType) -> None:
    said = scene.text_of(PICTURE.read_text(encoding="utf-8"))
    assert re.search(r"^done: 20 new, ", said, re.MULTILINE)
    assert re.search(r"^\[1\] \S+\.md#L[0-9]+", said, re.MULTILINE)
    assert "Not enough evidence." in said
    assert all(display_width(line) <= scene.COLUMNS for line in said.split("\n"))


def test_one_transcript_has_one_drawing(scene: ModuleType) -> None:
    outputs = "plain \x1b[1mbold\x1b[0m\n현미밥 1.2컵\n", "\x1b[1;33m두 색\x1b[0m & <tag>\n"
    assert drawn(scene, *outputs) == drawn(scene, *outputs)
    assert scene.text_of(drawn(scene, *outputs)) == ("$ kebab x\nplain bold\n현미밥 1.2컵\n$ kebab x\n두 색 & <tag>")


def test_every_run_stands_in_its_column_and_takes_as_many_as_a_terminal_gives_it(scene: ModuleType) -> None:
    drawing = drawn(scene, "  물 비율 ab \x1b[2m끝\x1b[0m\n")
    cell = 8.4
    runs = [
        ((float(each.attrib["x"]) - 20) / cell, float(each.attrib["textLength"]) / cell, each.text)
        for each in ET.fromstring(drawing).iter(f"{SVG}text")
    ][2:]
    assert [(round(start), round(width), text) for start, width, text in runs] == [
        (2, 2, "물"),
        (5, 4, "비율"),
        (10, 2, "ab"),
        (13, 2, "끝"),
    ]


def test_a_row_too_long_for_the_terminal_is_cut_as_it_would_be_there(scene: ModuleType) -> None:
    said = scene.text_of(drawn(scene, f"{'가' * 45}\n")).split("\n")
    assert said == ["$ kebab x", "가" * 40, "가" * 5]


def test_links_are_gone_and_nothing_is_fetched_or_run() -> None:
    text = PICTURE.read_text(encoding="utf-8")
    assert "\x1b" not in text
    assert not re.search(r"<script|<image|<foreignObject|@import|url\(|href", text)
    root = ET.fromstring(text)
    assert root.attrib["role"] == "img"
    for name in root.attrib["aria-labelledby"].split():
        (said,) = (each for each in root if each.attrib.get("id") == name)
        assert said.text
    assert "prefers-color-scheme: dark" in text


def test_a_link_shows_its_text_alone(scene: ModuleType) -> None:
    linked = "\x1b]8;;file:///tmp/a.md#L1\x1b\\\x1b[1ma.md#L1\x1b[0m\x1b]8;;\x1b\\ end\n"
    assert scene.text_of(drawn(scene, linked)) == "$ kebab x\na.md#L1 end"
