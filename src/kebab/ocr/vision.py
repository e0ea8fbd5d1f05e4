"""Ollama's vision models: the text of an image as lines without places, and a caption of it. Keeps nothing.

Nothing leaves this machine unless the endpoint names another one. A model may invent words that are not in an image;
tesseract does not, which is why it is the default.
"""

import base64
import re

from kebab.core.errors import ConfigInvalid
from kebab.core.reading import Identity, ImageForm, OcrLine, Recognised
from kebab.core.reading_settings import CaptionSettings, OcrSettings
from kebab.core.text import nfc, unify_newlines
from kebab.ocr.png import size_of
from kebab.remote.failures import Service, invalid
from kebab.remote.greeting import greet_ollama, require_pulled
from kebab.remote.server import ModelServer

NAME = "ollama-vision"
ENDPOINT = "http://127.0.0.1:11434"
# What most vision models see at most; larger images would only take longer to send.
FORM = ImageForm(scale=1, max_pixels=4_000_000, max_side=2048, colour=True)
MOST_TOKENS = 4096
CAPTION_TOKENS = 200
NO_TEXT = "[no text]"
READ = (
    "Copy all text in this image exactly as it is written, in its own language and in reading order: one line of the "
    "image per line, an empty line between paragraphs. Translate, correct and explain nothing. "
    f"If there is no text, answer {NO_TEXT}"
)
CAPTION = (
    "Say in one or two sentences in {language} what this image shows, for someone who searches for it later. "
    "Name only what can be seen."
)
_LANGUAGES = {"en": "English", "ko": "Korean"}
_PROMPTS = 1
_THOUGHT = re.compile(r"\s*<think>.*?(?:</think>|\Z)", re.DOTALL)
_FENCE = re.compile(r"\s*```[^\n]*\n(.*?)\n?\s*```\s*", re.DOTALL)
_MOST_LINES = 2000


class VisionEngine:
    """`ingest.image.ocr.engine = "ollama-vision"`. Every line has the whole image as its box."""

    form = FORM

    def __init__(self, settings: OcrSettings) -> None:
        self._service = service_of(settings)
        self._server = ModelServer(self._service, settings.timeout_s)

    @property
    def identity(self) -> Identity:
        return Identity(NAME, self._service.model, (), str(_PROMPTS))

    def read(self, image: bytes) -> Recognised:
        width, height = size_of(image)
        text = _asked(self._server, self._service, READ, image, MOST_TOKENS)
        if text.strip().casefold().rstrip(".") == NO_TEXT:
            return Recognised((), width, height)
        lines: list[OcrLine] = []
        opens = False
        for line in text.split("\n")[:_MOST_LINES]:
            words = nfc(" ".join(line.split()))
            if words:
                lines.append(OcrLine(words, 0, 0, width, height, 1.0, opens and bool(lines)))
            opens = not words
        return Recognised(tuple(lines), width, height)


class OllamaCaptioner:
    """`ingest.image.caption.provider = "ollama"`."""

    form = FORM

    def __init__(self, settings: CaptionSettings) -> None:
        self._language = settings.language
        self._service = _service("ingest.image.caption", settings.model, settings.endpoint, settings.api_key_env)
        self._server = ModelServer(self._service, settings.timeout_s)

    @property
    def model(self) -> str:
        return self._service.model

    @property
    def identity(self) -> Identity:
        return Identity("ollama", self.model, (self._language,), str(_PROMPTS))

    def caption(self, image: bytes) -> str:
        prompt = CAPTION.format(language=_LANGUAGES.get(self._language, self._language))
        return nfc(" ".join(_asked(self._server, self._service, prompt, image, CAPTION_TOKENS).split()))


def reachable(settings: OcrSettings | CaptionSettings) -> str:
    """One line about the server, for `kebab doctor`. Raises ModelNotPulled when it has not got the model."""
    service = service_of(settings)
    _require_model(service)
    greeting = greet_ollama(service)
    require_pulled(service)
    return f"{greeting}; it has {service.model}"


def service_of(settings: OcrSettings | CaptionSettings) -> Service:
    section = "ingest.image.ocr" if isinstance(settings, OcrSettings) else "ingest.image.caption"
    return _service(section, settings.model, settings.endpoint, settings.api_key_env)


def _require_model(service: Service) -> None:
    if not service.model:
        setting = service.setting("model")
        hint = f"`kebab config set {setting} NAME`, of a model that sees: `ollama pull qwen2.5vl:3b`"
        raise ConfigInvalid(f"{setting} names no model", hint=hint, key=setting)


def _service(section: str, model: str, endpoint: str, key_variable: str) -> Service:
    return Service(
        section=section,
        endpoint=endpoint.strip() or ENDPOINT,
        model=model,
        key_variable=key_variable,
        start="run `ollama serve`",
        pull=f"ollama pull {model}",
        lighter="choose a smaller model",
    )


def _asked(server: ModelServer, service: Service, prompt: str, image: bytes, most: int) -> str:
    """The model's words without its thoughts and without a fence around them."""
    _require_model(service)
    reply = server.ask(
        "/api/generate",
        {
            "model": service.model,
            "prompt": prompt,
            "images": [base64.b64encode(image).decode("ascii")],
            "stream": False,
            "options": {"temperature": 0, "seed": 0, "num_predict": most},
        },
    )
    text = reply.get("response") if isinstance(reply, dict) else None
    if not isinstance(text, str):
        raise invalid(service, "gave a reply without `response`; it may not be Ollama")
    whole = unify_newlines(text).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    said = _THOUGHT.sub("", whole, count=1) if whole.lstrip().startswith("<think>") else whole
    fenced = _FENCE.fullmatch(said)
    return fenced[1] if fenced else said
