"""Text from bytes whose encoding is declared somewhere, as web pages and mail do: believed only when it fits.

Gets bytes and a name of an encoding, gives text with LF line ends. A fixed list of encodings, because a name out of a
file must not reach codecs that do anything else than read text.
"""

import codecs
import re

from kebab.core.text import Decoded, decode, unify_newlines

_SCANNED = 4096
_DECLARED = re.compile(
    rb"""<meta[^>]{0,500}?charset\s*=\s*["']?\s*([A-Za-z0-9_:.\-]{1,40})|<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9_:.\-]{1,40})""",
    re.IGNORECASE,
)

# What names mean in practice: the superset that programs write under the name of the standard.
_KOREAN = ("euckr", "ksc56011987", "ksc5601", "ksx1001", "cp949", "windows949", "ms949", "uhc", "korean")
_LATIN = ("iso88591", "latin1", "windows1252", "cp1252")
# Any bytes at all read as this one, and programs declare it without looking.
_ANYTHING = "cp1252"
_CODECS: dict[str, str] = {
    **dict.fromkeys(_KOREAN, "cp949"),
    **dict.fromkeys(_LATIN, _ANYTHING),
    **dict.fromkeys(("utf8", "unicode11utf8"), "utf-8"),
    **dict.fromkeys(("utf16", "utf16le"), "utf-16-le"),
    "utf16be": "utf-16-be",
    "iso2022kr": "iso2022_kr",
    "iso2022jp": "iso2022_jp",
    "johab": "johab",
    **dict.fromkeys(("shiftjis", "sjis", "windows31j", "cp932"), "cp932"),
    "eucjp": "euc_jp",
    **dict.fromkeys(("gb2312", "gbk", "gb18030", "cp936"), "gb18030"),
    **dict.fromkeys(("big5", "cp950"), "cp950"),
    **{f"windows{page}": f"cp{page}" for page in range(1250, 1259)},
    **{f"iso8859{part}": f"iso8859_{part}" for part in (2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 14, 15, 16)},
    "koi8r": "koi8_r",
    "koi8u": "koi8_u",
}


def codec(name: str) -> str | None:
    """The codec for a declared name; None for what is unknown or no encoding of text."""
    return _CODECS.get(re.sub(r"[^a-z0-9]", "", name[:40].lower()))


def declared(raw: bytes) -> str | None:
    """The encoding a page names near its start."""
    match = _DECLARED.search(raw[:_SCANNED])
    return (match[1] or match[2]).decode("ascii") if match else None


def read(raw: bytes, name: str | None) -> Decoded:
    """Bytes as text: a byte order mark decides, else the declared name if the bytes fit it, else the bytes alone."""
    known = codec(name) if name else None
    if known is None or known == "utf-8" or raw.startswith((codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return decode(raw)
    guessed = decode(raw) if known == _ANYTHING else None
    if guessed is not None and guessed.encoding == "utf-8" and not guessed.lossy:
        return guessed
    try:
        return Decoded(unify_newlines(raw.decode(known)), known, lossy=False)
    except UnicodeDecodeError:
        guessed = guessed or decode(raw)
    # A few broken bytes in a page are no reason to doubt what it declares.
    return guessed if not guessed.lossy else Decoded(unify_newlines(raw.decode(known, "replace")), known, lossy=True)
