"""What in a sentence can be checked word for word: numbers, names, quotations and whether it denies something."""

import re
from collections.abc import Iterator

from kebab.core.text import nfc

_NUMBER = re.compile(
    r"(?<![A-Za-z0-9_.])[vV]?(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)*)"
    r"(천|만|억|조| ?(?:thousand|million|billion)\b|[kKMG]\b)?(\s?[%％])?"
)
_INNER_NUMBER = re.compile(r"\d+")
_SCALES = {"천": 3, "만": 4, "억": 8, "조": 12, "thousand": 3, "k": 3, "million": 6, "m": 6, "billion": 9, "g": 9}
_MONTHS = {
    name: str(number)
    for number, names in enumerate(
        "jan january|feb february|mar march|apr april|may|jun june|jul july|aug august|sep sept september|oct october"
        "|nov november|dec december".split("|"),
        start=1,
    )
    for name in names.split()
}
_WORDS = {
    name: str(number)
    for number, name in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
        " seventeen eighteen nineteen twenty".split()
    )
} | {"thirty": "30", "forty": "40", "fifty": "50", "hundred": "100", "thousand": "1000", "once": "1", "twice": "2"}
_NATIVE = dict(zip("한 두 세 네 다섯 여섯 일곱 여덟 아홉 열".split(), map(str, range(1, 11)), strict=True))
_COUNTED = re.compile(
    rf"(?<![가-힣])({'|'.join(_NATIVE)}) ?(?:개|번|가지|명|시간?|살|배|달|곳|장|권|대|줄|단계|차례|사람|종류|쪽|글자)"
)
_WORD = re.compile(r"[A-Za-z]+")

_QUOTED = re.compile(
    r"\"([^\"\n]{2,300})\"|“([^”\n]{2,300})”|「([^」\n]{2,300})」|『([^』\n]{2,300})』|`([^`\n]{2,300})`"
)

_NAME = re.compile(r"(?<![\w.])[A-Za-z][A-Za-z0-9]*(?:[._/-][A-Za-z0-9]+)*")
_CODE_NAME = re.compile(r"[a-z][A-Z]|[A-Za-z][._/][A-Za-z]|[A-Z]{2}|[A-Za-z]\d|\d[A-Za-z]")
# Capitalised for their place or by custom, and no name of anything.
_NOT_NAMES = frozenset(
    """a an the this that these those it its he she they we you i in on at by for from to of and or but if when while as
    with without no not yes so then there here all any each every some most both however also only according since after
    before because although therefore thus first second third finally next see use note example step""".split()
)

_REACH = 8

_DENIAL_EN = re.compile(
    r"\b(?:not|never|no|none|nor|neither|cannot|without|nothing|nobody|unable|fails?|impossible|forbidden|prohibited"
    r"|disallowed|unsupported|disabled)\b|n['’]t\b",
    re.IGNORECASE,
)
_DENIAL_KO = re.compile(
    r"않|못(?=[가-힣 ])|(?<![짝림임관])없|(?<!뿐만 )(?<!뿐 )아니(?!라도|메)|아닌|아닙|지 ?마[라세십]|말아야|말라"
    r"|말 것|금지|불가|부족|거부|제외|미(?=지원|사용|설정|포함)|비활성"
    r"|(?<![가-힣])안 ?(?=[되돼된됩됐하한할합해했본봐먹좋추])"
)
# "Nothing but" is no denial.
_ONLY = re.compile(r"밖에[^.]{0,20}?[않없]|\bnot only\b|\bno more than\b", re.IGNORECASE)


def numbers(text: str) -> list[frozenset[str]]:
    """Every number in digits as the forms it may take elsewhere: `1,184` as 1184, `3만` as 30000, `April` as 4."""
    found = [frozenset(_forms(match)) for match in _NUMBER.finditer(text)]
    months = (_MONTHS[word] for word in map(str.lower, _WORD.findall(text)) if word in _MONTHS and word != "may")
    return [*found, *(frozenset((month,)) for month in months)]


def numbers_said(text: str) -> set[str]:
    """All that a number may be based on: numbers in digits or words, and those inside names and dates."""
    said = {value for word in map(str.lower, _WORD.findall(text)) for value in _in_words(word)}
    counted = {_NATIVE[match[1]] for match in _COUNTED.finditer(text)}
    inner = {number.lstrip("0") or "0" for number in _INNER_NUMBER.findall(text)}
    return said | counted | inner | {form for forms in numbers(text) for form in forms}


def _in_words(word: str) -> Iterator[str]:
    if word in _WORDS:
        yield _WORDS[word]
    if word in _MONTHS:
        yield _MONTHS[word]


def _forms(match: re.Match[str]) -> Iterator[str]:
    digits, scale, percent = match[1].replace(",", ""), (match[2] or "").strip(), match[3]
    whole, _, fraction = digits.partition(".")
    whole = whole.lstrip("0") or "0"
    power = _SCALES.get(scale.lower(), 0)
    if scale and "." not in fraction and len(fraction) <= power:
        yield (whole + fraction.ljust(power, "0")).lstrip("0") or "0"
    # A fraction of one or of a hundred is a quantity; elsewhere 1.20 may be a version and is not 1.2.
    if "." not in fraction and (whole == "0" or percent):
        fraction = fraction.rstrip("0")
    yield f"{whole}.{fraction}" if fraction else whole


def quotations(text: str) -> list[str]:
    """What stands in quotation marks or as code."""
    return [next(filter(None, match.groups())).strip() for match in _QUOTED.finditer(text)]


def names(text: str) -> set[str]:
    """Latin words that name something: in Korean text all of them, in English those that are spelled like names."""
    korean = is_korean(text)
    found = set()
    for match in _NAME.finditer(text):
        word = match[0]
        lower = word.lower()
        capital = word[0].isupper() and _is_inside(text, match.start())
        if lower not in _NOT_NAMES and len(word) > 1 and (korean or capital or _CODE_NAME.search(word)):
            found.add(lower)
    return found


def _is_inside(text: str, at: int) -> bool:
    """Not the first word of its sentence, which is capitalised anyway."""
    before = text[max(0, at - _REACH) : at].rstrip(" \t\n\"'“‘(*_`[")
    return bool(before) and before[-1] not in ".!?:"


def denials(text: str) -> int:
    """How often it says that something is not so; twice is not at all."""
    text = _ONLY.sub(" ", text)
    return len(_DENIAL_EN.findall(text)) + len(_DENIAL_KO.findall(text))


def hangul_share(text: str) -> float:
    """Of the letters."""
    text = nfc(text)
    letters = sum(map(str.isalpha, text))
    return sum("가" <= char <= "힣" for char in text) / letters if letters else 0.0


def is_korean(text: str) -> bool:
    """Mostly: technical Korean is full of Latin words, so a small share decides."""
    return hangul_share(text) >= 0.2
