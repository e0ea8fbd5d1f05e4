"""Engines that say what a test tells them to, a cache that remembers, and a worker that is no process of its own."""

import importlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kebab.core.errors import KebabError
from kebab.core.reading import Identity, ImageForm, OcrLine, Recognised, Segment, Transcript
from kebab.parse.worker import Reply, frames
from kebab.parse.worker.frames import Attached, Json
from stand_ins.pictures import image_of

AS_IT_IS = ImageForm()
IN_COLOUR = ImageForm(colour=True)
WHO = Identity("scripted", "1", ("kor",))


@dataclass
class ScriptedOcr:
    """Gives `lines` for every image, in the pixels of the image it is given; `given` keeps what it was asked."""

    lines: Sequence[OcrLine] = ()
    form: ImageForm = AS_IT_IS
    identity: Identity = WHO
    fails: KebabError | None = None
    given: list[bytes] = field(default_factory=list)

    def read(self, image: bytes) -> Recognised:
        self.given.append(image)
        if self.fails is not None:
            raise self.fails
        return Recognised(tuple(self.lines), *image_of(image).size)


@dataclass
class ScriptedCaptioner:
    says: str = "A bowl of rice."
    model: str = "scripted-vl:7b"
    form: ImageForm = IN_COLOUR
    given: list[bytes] = field(default_factory=list)

    @property
    def identity(self) -> Identity:
        return Identity("scripted", self.model)

    def caption(self, image: bytes) -> str:
        self.given.append(image)
        return self.says


@dataclass
class ScriptedTranscriber:
    segments: Sequence[Segment] = ()
    language: str | None = "ko"
    identity: Identity = WHO
    fails: KebabError | None = None
    given: list[bytes] = field(default_factory=list)

    def transcribe(self, recording: bytes) -> Transcript:
        self.given.append(recording)
        return Transcript(self.language, self._segments())

    def _segments(self) -> Iterator[Segment]:
        yield from self.segments
        if self.fails is not None:
            raise self.fails


class MemoryCache(dict[str, bytes]):
    def __init__(self) -> None:
        super().__init__()
        self.kinds: dict[str, str] = {}

    def put(self, key: str, value: bytes, kind: str = "") -> None:
        self[key] = value
        self.kinds[key] = kind


class InProcess:
    """Calls what a worker would call, here and now."""

    pid = None

    def call(self, target: str, raw: bytes, arguments: Mapping[str, Any]) -> Json:
        module, _, name = target.partition(":")
        # As JSON, since what comes from a worker comes so: a tuple is a list then.
        return frames.unpack(frames.pack(getattr(importlib.import_module(module), name)(raw, arguments)))

    def stream(
        self, target: str, raw: bytes, arguments: Mapping[str, Any], *, together: bool = True
    ) -> Iterator[Reply]:
        module, _, name = target.partition(":")
        for item in getattr(importlib.import_module(module), name)(raw, arguments):
            yield Reply(item.value, item.data) if isinstance(item, Attached) else Reply(item)

    def close(self) -> None:
        """There is nothing to end."""
