"""The bytes of a recording to a `Document`: a line for each stretch of speech, with its time and its speaker if known.

What a transcriber said of a recording is kept in a cache by content: an hour of speech takes long to listen to.
"""

from collections.abc import Sequence
from typing import Any

from kebab.core.document import BlockKind, Document, UserValue
from kebab.core.errors import KebabError, LeftAside, MissingExtra, ModelNotPulled
from kebab.core.phases import Phase, PhaseKind, Steps, finish
from kebab.core.ports import ParseContext
from kebab.core.reading import Cache, Json, Segment, Transcriber, derivation_key, keep, recall
from kebab.core.span import TimePlace
from kebab.core.text import nfc
from kebab.parse.audio.tags import title
from kebab.parse.building import Content, Piece, build

VERSION = "audio-transcript-v1"
AGENT = "kebab.parse.audio"
KINDS = ("m4a", "mp3", "wav", "flac", "ogg", "mp4")
_KIND = "transcript"

NO_TRANSCRIBER_HINT = (
    "`pip install 'kebab[speech]'` and `kebab models pull faster-whisper-small`, "
    "or set ingest.speech.model to the folder of a model"
)


class AudioParser:
    """`kind` is one of KINDS. One instance serves every file; without a transcriber it leaves all aside."""

    version = VERSION

    def __init__(self, kind: str, transcriber: Transcriber | None, cache: Cache | None = None) -> None:
        self.kind = kind
        self._transcriber = transcriber
        self._cache = cache

    @property
    def variant(self) -> str:
        """What besides the version shapes a document, for whoever decides whether a file is to be read again."""
        if self._transcriber is None:
            return ""
        try:
            return f"speech={self._transcriber.identity.key}"
        except KebabError:
            return "speech=missing"

    @property
    def unavailable(self) -> LeftAside | None:
        """Why no recording can be read, so that none has to be opened to find out."""
        if self._transcriber is None:
            message = "speech in recordings needs a transcriber, and there is none"
            return LeftAside("no_transcriber", message, hint=NO_TRANSCRIBER_HINT)
        try:
            self._transcriber.identity  # noqa: B018 - asked for what it raises
        except (MissingExtra, ModelNotPulled) as missing:
            return LeftAside("no_transcriber", missing.message, hint=missing.hint)
        return None

    def parse(self, raw: bytes, context: ParseContext) -> Document:
        return finish(self.steps(raw, context))

    def steps(self, raw: bytes, context: ParseContext) -> Steps[Document]:
        """A parse that says what it is about to do."""
        if not raw:
            raise LeftAside("empty", "the file is empty")
        if self._transcriber is None:
            assert self.unavailable is not None
            raise self.unavailable
        try:
            language, segments = yield from self._listen(raw, context.asset.checksum, self._transcriber)
        except (MissingExtra, ModelNotPulled) as missing:
            raise LeftAside("no_transcriber", missing.message, hint=missing.hint) from missing
        if not segments:
            raise LeftAside("no_speech", "nobody speaks in the recording")
        return build(_content(segments, language, title(raw), self.kind), context, VERSION, AGENT)

    def _listen(self, raw: bytes, checksum: str, transcriber: Transcriber) -> Steps[tuple[str | None, list[Segment]]]:
        key = derivation_key(_KIND, checksum, transcriber.identity, VERSION)
        if (known := _kept(recall(self._cache, key))) is not None:
            return known
        yield Phase(PhaseKind.TRANSCRIBE, transcriber.identity.key)
        transcript = transcriber.transcribe(raw)
        segments = [each for segment in transcript.segments if (each := _clean(segment)).text]
        heard: list[Json] = [list(each) for each in segments]
        keep(self._cache, key, {"language": transcript.language, "segments": heard}, _KIND)
        return transcript.language, segments


def _kept(value: dict[str, Any] | None) -> tuple[str | None, list[Segment]] | None:
    """What was kept, if it still has the shape of it."""
    if value is None:
        return None
    try:
        return value["language"], [Segment(*each) for each in value["segments"]]
    except (TypeError, KeyError):
        return None


def _clean(segment: Segment) -> Segment:
    """One line of words, and times that go forward, whatever a transcriber says."""
    start = max(0, segment.start_ms)
    text = nfc(" ".join(segment.text.replace("\x00", " ").split()))
    return segment._replace(start_ms=start, end_ms=max(start, segment.end_ms), text=text)


def _content(segments: Sequence[Segment], language: str | None, name: str, kind: str) -> Content:
    told: dict[str, UserValue] = {"format": kind, "speech_ends_ms": max(segment.end_ms for segment in segments)}
    if speakers := sorted({segment.speaker for segment in segments if segment.speaker}):
        told["speakers"] = list(speakers)
    pieces = [
        Piece(
            BlockKind.PARAGRAPH,
            number,
            number,
            place=TimePlace(segment.start_ms, segment.end_ms, segment.speaker),
        )
        for number, segment in enumerate(segments, 1)
    ]
    text = "".join(f"{segment.text}\n" for segment in segments)
    return Content(text, pieces, title=name, lang=language, user={"audio": told})
