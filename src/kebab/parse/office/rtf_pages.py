"""Code pages and font character sets of RTF by their numbers, as the codecs that read them. A table and a lookup."""

_PAGES = (437, 850, 852, 855, 857, 858, 860, 861, 862, 863, 864, 865, 866, 869, 874, 932, 949, 950)
_OTHERS = {936: "gb18030", 1361: "johab", 10000: "mac-roman", 20866: "koi8-r", 28591: "latin-1", 51949: "cp949"}
_UNICODE = {65001: "utf-8"}

_CODECS: dict[int, str] = {
    **{page: f"cp{page}" for page in _PAGES},
    **{page: f"cp{page}" for page in range(1250, 1259)},
    **_OTHERS,
    **_UNICODE,
}

# `\fcharset` of a font: the script its bytes are written in. 0 is the file's own code page, 2 are symbols.
CHARSETS: dict[int, str] = {
    77: "mac-roman",
    128: "cp932",
    129: "cp949",
    130: "johab",
    134: "gb18030",
    136: "cp950",
    161: "cp1253",
    162: "cp1254",
    163: "cp1258",
    177: "cp1255",
    178: "cp1256",
    186: "cp1257",
    204: "cp1251",
    222: "cp874",
    238: "cp1250",
}


def codec(page: int) -> str | None:
    """The codec of a code page; None for one that is unknown, so that what held before goes on to hold."""
    return _CODECS.get(page)
