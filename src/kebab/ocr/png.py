"""The size of a PNG from its first bytes. Decodes nothing."""

import struct

from kebab.core.errors import InvalidInput

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_SIZE = struct.Struct(">4sII")
_SIZE_AT = 12


def size_of(image: bytes) -> tuple[int, int]:
    """Width and height. Raises InvalidInput for anything that does not begin as a PNG does."""
    if not image.startswith(_SIGNATURE) or len(image) < _SIZE_AT + _SIZE.size:
        raise InvalidInput("an engine was given something that is not a PNG")
    kind, width, height = _SIZE.unpack_from(image, _SIZE_AT)
    if kind != b"IHDR":
        raise InvalidInput("an engine was given something that is not a PNG")
    return width, height
