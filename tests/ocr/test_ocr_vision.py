"""Vision models of Ollama: what is asked of them, and what is made of their words."""

import base64
import json
from collections.abc import Iterator

import pytest

from kebab.core.errors import ConfigInvalid, InvalidInput, ModelInvalid, ModelNotPulled, ModelUnreachable, TimedOut
from kebab.core.reading import OcrLine
from kebab.core.reading_settings import CaptionSettings, OcrSettings
from kebab.ocr import CAPTIONERS, OCR_ENGINES
from kebab.ocr.vision import NO_TEXT, OllamaCaptioner, VisionEngine, reachable
from stand_ins.model_faults import says, stall, status
from stand_ins.model_server import MODEL, StandInServer
from stand_ins.pictures import blank_png
from stand_ins.vision import sees

IMAGE = blank_png(40, 30)


@pytest.fixture
def server() -> Iterator[StandInServer]:
    with StandInServer() as server:
        yield server


def engine(server: StandInServer, **changes: object) -> VisionEngine:
    settings = OcrSettings("ollama-vision", model=MODEL, endpoint=server.url, timeout_s=10)
    return VisionEngine(settings._replace(**changes))  # type: ignore[arg-type]


def captioner(server: StandInServer, language: str = "en") -> OllamaCaptioner:
    return OllamaCaptioner(CaptionSettings("ollama", MODEL, language, server.url, timeout_s=10))


def test_the_image_is_sent_and_its_lines_come_back(server: StandInServer) -> None:
    sees(server, "현미밥\r\n 물을  붓는다.\n\n\nForty minutes.\n")
    found = engine(server).read(IMAGE)
    assert (found.width, found.height) == (40, 30)
    assert found.lines == (
        OcrLine("현미밥", 0, 0, 40, 30),
        OcrLine("물을 붓는다.", 0, 0, 40, 30),
        OcrLine("Forty minutes.", 0, 0, 40, 30, opens=True),
    )
    (asked,) = server.requests
    assert (asked.method, asked.path) == ("POST", "/api/generate")
    assert asked.body["images"] == [base64.b64encode(IMAGE).decode()]
    assert (asked.body["model"], asked.body["stream"]) == (MODEL, False)
    assert asked.body["options"] == {"temperature": 0, "seed": 0, "num_predict": 4096}


@pytest.mark.parametrize("reply", [NO_TEXT, f" {NO_TEXT.upper()}.\n", "", "\n \n", "<think>nothing there"])
def test_an_image_without_text_has_no_lines(reply: str, server: StandInServer) -> None:
    sees(server, reply)
    assert engine(server).read(IMAGE).lines == ()


@pytest.mark.parametrize(
    ("reply", "lines"),
    [
        ("```\nrice\nbowl\n```", ["rice", "bowl"]),
        ("```text\nrice\n```\n", ["rice"]),
        ("<think>what is it?\n</think>\n\nrice", ["rice"]),
        ("rice <think> bowl", ["rice <think> bowl"]),
        ("e\u0301 \ud83d", ["é \ufffd"]),
    ],
)
def test_fences_and_thoughts_are_no_text(reply: str, lines: list[str], server: StandInServer) -> None:
    server.script(says(b'{"done": true, "response": ' + json.dumps(reply).encode() + b"}"))
    assert [line.text for line in engine(server).read(IMAGE).lines] == lines


def test_a_caption_is_one_line_in_the_language_asked_for(server: StandInServer) -> None:
    sees(server, "A bowl\nof  rice.\n")
    assert captioner(server).caption(IMAGE) == "A bowl of rice."
    captioner(server, "ko").caption(IMAGE)
    assert ["in English" in server.requests[0].body["prompt"], "in Korean" in server.requests[1].body["prompt"]] == [
        True
    ] * 2
    assert captioner(server).model == MODEL
    assert captioner(server).identity != captioner(server, "ko").identity


@pytest.mark.parametrize("reply", [{}, {"response": None}, {"response": ["x"]}, ["x"], {"message": {"content": "x"}}])
def test_a_reply_that_is_none_is_invalid(reply: object, server: StandInServer) -> None:
    server.always(says(reply))
    with pytest.raises(ModelInvalid, match="without `response`"):
        engine(server).read(IMAGE)


def test_what_goes_wrong_is_told_with_the_setting_that_mends_it(server: StandInServer) -> None:
    sees(server, "rice")
    with pytest.raises(ModelNotPulled) as missing:
        engine(server, model="llava").read(IMAGE)
    assert missing.value.hint == "ollama pull llava"
    server.script(says({"error": "model requires more memory"}))
    with pytest.raises(ModelInvalid, match="more memory"):
        engine(server).read(IMAGE)
    server.script(*[status(503, "busy")] * 3)
    with pytest.raises(ModelUnreachable) as busy:
        engine(server).read(IMAGE)
    assert "ingest.image.ocr.endpoint" in str(busy.value.hint)
    server.script(stall(30))
    with pytest.raises(TimedOut) as late:
        VisionEngine(OcrSettings("ollama-vision", model=MODEL, endpoint=server.url, timeout_s=1)).read(IMAGE)
    assert "ingest.image.ocr.timeout_s" in str(late.value.hint)


def test_a_model_that_is_not_named_is_asked_for(server: StandInServer) -> None:
    with pytest.raises(ConfigInvalid, match=r"^ingest\.image\.ocr\.model names no model$"):
        engine(server, model="").read(IMAGE)
    with pytest.raises(ConfigInvalid, match=r"^ingest\.image\.caption\.model names no model$"):
        reachable(CaptionSettings("ollama"))
    assert server.requests == []


def test_only_a_png_is_sent(server: StandInServer) -> None:
    for image in (b"", b"\xff\xd8\xff", IMAGE[:20], IMAGE.replace(b"IHDR", b"XXXX")):
        with pytest.raises(InvalidInput):
            engine(server).read(image)
    assert server.requests == []


def test_the_registries_name_them() -> None:
    assert OCR_ENGINES["ollama-vision"] is VisionEngine
    assert CAPTIONERS["ollama"] is OllamaCaptioner
