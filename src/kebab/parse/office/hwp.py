"""Hancom's older files (`.hwp`, version 5) to a `Document`: paragraphs, outline headings, tables, text boxes and notes.

Headers and footers are left out. Files with a password or made for distribution hold their text encrypted, and are
refused with a word about it. Lines are those of the extracted text.
"""

import re
import struct
import zlib

from kebab.core.document import Document
from kebab.core.errors import InvalidInput
from kebab.core.ports import ParseContext
from kebab.parse.building import build
from kebab.parse.facts import Facts, content
from kebab.parse.flow import Flow
from kebab.parse.office.body import Body
from kebab.parse.office.compound import SIGNATURE, Broken, Compound
from kebab.parse.office.hancom import outline_level
from kebab.parse.office.hwp_body import HwpBody
from kebab.parse.office.hwp_records import MAX_INFLATED, inflate, records, style_names

VERSION = "hwp-v1"
AGENT = "kebab.parse.office.hwp"

HINT = "open it in its own program and save it as .hwpx"
MAX_SECTIONS = 1000
_COMPRESSED, _PASSWORD, _DISTRIBUTED, _PROTECTED = 0x1, 0x2, 0x4, 0x10
_SECTION = re.compile(r"Section([0-9]{1,6})")


class HwpParser:
    """One instance serves every file; it holds no state."""

    version = VERSION

    def parse(self, raw: bytes, context: ParseContext) -> Document:
        if not raw.startswith(SIGNATURE):
            raise InvalidInput("not a readable hwp: it is of another format, or of a version before 5", hint=HINT)
        warnings: list[str] = []
        try:
            flow = _read(Compound(raw), warnings)
        except (Broken, struct.error) as error:
            raise InvalidInput("not a readable hwp: the file is damaged", hint=HINT) from error
        return build(content(flow, Facts(), warnings), context, VERSION, AGENT)


def _read(file: Compound, warnings: list[str]) -> Flow:
    compressed = _flags(file.read("FileHeader"))
    levels: list[int] = []
    if "DocInfo" in file.names:
        names = style_names(_stream(file, "DocInfo", compressed, warnings))
        levels = [outline_level(local) or outline_level(english) for local, english in names]
    flow = Flow()
    body = Body(flow)
    reader = HwpBody(body, levels)
    room = MAX_INFLATED
    for name in _sections(file):
        data = _stream(file, name, compressed, warnings)[:room]
        room -= len(data)
        for record in records(data):
            reader.take(record)
            if flow.full:
                return flow
        reader.finish()
    body.write_notes()
    return flow


def _flags(header: bytes) -> bool:
    """Whether streams are compressed. Raises InvalidInput for what cannot be read without a key."""
    if not header.startswith(b"HWP Document File") or len(header) < 40:
        raise InvalidInput("not a readable hwp: it is an Office file of another kind", hint=HINT)
    (flags,) = struct.unpack_from("<I", header, 36)
    if flags & _PASSWORD:
        raise InvalidInput("not a readable hwp: it is encrypted", hint="save a copy without a password")
    if flags & (_DISTRIBUTED | _PROTECTED):
        raise InvalidInput(
            "not a readable hwp: it is protected for distribution", hint="ask its author for the original"
        )
    return bool(flags & _COMPRESSED)


def _sections(file: Compound) -> list[str]:
    found = sorted((int(match[1]), name) for name in file.names if (match := _SECTION.fullmatch(name)))
    if not found:
        raise InvalidInput("not a readable hwp: it holds no sections", hint=HINT)
    return [name for _, name in found[:MAX_SECTIONS]]


def _stream(file: Compound, name: str, compressed: bool, warnings: list[str]) -> bytes:  # noqa: FBT001 - a plain fact
    data = file.read(name)
    if not compressed:
        return data
    try:
        return inflate(data)
    except zlib.error:
        warnings.append(f"{name} left out: it is damaged")
        return b""
