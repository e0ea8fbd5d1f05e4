"""The main language of a text, from its letters and its commonest words.

Gets stretches of prose, gives an ISO 639-1 code, or `und` when nothing can be said. A guess for filters and display,
from the first few thousand characters; it never decides how a text is indexed.
"""

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache
from itertools import chain
from operator import itemgetter

from kebab.core.text import nfc

UNKNOWN = "und"
SAMPLE = 3000

# A syllable or an ideograph says about as much as a short word, and technical Korean is full of English terms.
_DENSE_SHARE = 0.15
_ALPHABET_SHARE = 0.3
_KANA_SHARE = 0.1
_WORD_SHARE = 0.02

_SCRIPTS = {
    "ko": ((0x1100, 0x11FF), (0x3130, 0x318F), (0xAC00, 0xD7A3)),
    "kana": ((0x3040, 0x30FF), (0xFF66, 0xFF9F)),
    "han": ((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x323AF)),
    "ru": ((0x0400, 0x052F),),
    "el": ((0x0370, 0x03FF), (0x1F00, 0x1FFF)),
    "he": ((0x0590, 0x05FF),),
    "ar": ((0x0600, 0x06FF), (0x0750, 0x077F)),
    "hi": ((0x0900, 0x097F),),
    "th": ((0x0E00, 0x0E7F),),
}
_NO_SCRIPT = ""
_ALPHABETS = ("ru", "el", "he", "ar", "hi", "th")

_COMMON = {
    "en": "the of and to is in that for it with as are this be on by you can not or from have was which when",
    "de": "der die das und ist nicht ein eine mit auf für von den dem sich auch wird werden oder wenn sind im zu",
    "fr": "le la les des et est une un dans pour que qui pas sur avec ce il sont vous être aux cette par nous",
    "es": "el la los las de y es un una en para que con por se del no como más su esta son al lo pero",
    "it": "il la le gli di e è un una in per che con non del della sono si come anche più nel dei questo",
    "pt": "o os as de e é um uma em para que com não por se do da dos das como mais ou são na no ao",
    "nl": "de het een en van is dat niet in op met voor zijn te aan ook als er maar wordt je kan deze om",
    "sv": "och att det som en är på för av inte med den till har om ett kan från eller vi när så",
    "pl": "i w na nie się jest to z do że jak po ale dla są przez co lub od tego które może oraz",
    "tr": "ve bir bu için ile da de olarak çok daha olan gibi ne var kadar sonra ama değil her veya",
    "id": "yang dan di untuk dengan ini dari pada adalah tidak dalam akan atau dapat ke itu juga oleh",
    "vi": "và của là các không được trong cho một có với này những để người khi đã từ như bạn",
}
_SPLIT = {code: words.split() for code, words in _COMMON.items()}
_VOTES = {
    word: [code for code, words in _SPLIT.items() if word in words] for word in frozenset(chain(*_SPLIT.values()))
}

# Link targets, tags, shortcodes and code spans are English in every language.
_MACHINE_TEXT = re.compile(r"\]\([^)\s]*\)|<[^<>]*>|\{\{[^{}]*\}\}|`[^`]*`|https?://\S+")
_BEYOND_LATIN = re.compile("[\u0370-\u1dff\u3040-\ud7a3\uf900-\ufaff\uff66-\uff9f\U00020000-\U000323af]")


def detect(prose: Iterable[str]) -> str:
    """The language of a document's prose."""
    sample = _sample(prose)
    if not sample.isascii() and _BEYOND_LATIN.search(sample) and (code := _by_script(sample)):
        return code
    return _by_words(sample)


def _sample(prose: Iterable[str]) -> str:
    parts: list[str] = []
    room = SAMPLE
    for text in prose:
        parts.append(text[:room])
        room -= len(text)
        if room <= 0:
            break
    return nfc(_MACHINE_TEXT.sub(" ", "\n".join(parts)))


def _by_script(sample: str) -> str | None:
    letters: Counter[str] = Counter()
    for char, count in Counter(sample).items():
        letters[_script(char)] += count
    total = letters.total() - letters[_NO_SCRIPT]
    if not total:
        return None
    east_asian = letters["kana"] + letters["han"]
    if letters["ko"] >= max(_DENSE_SHARE * total, east_asian):
        return "ko"
    if east_asian >= _DENSE_SHARE * total:
        return "ja" if letters["kana"] >= _KANA_SHARE * east_asian else "zh"
    code, count = max(((name, letters[name]) for name in _ALPHABETS), key=itemgetter(1))
    return code if count >= _ALPHABET_SHARE * total else None


@cache
def _script(char: str) -> str:
    if not char.isalpha():
        return _NO_SCRIPT
    point = ord(char)
    for name, ranges in _SCRIPTS.items():
        if any(low <= point <= high for low, high in ranges):
            return name
    return "latin"


def _by_words(sample: str) -> str:
    words = sample.lower().split()
    votes: Counter[str] = Counter()
    for word, count in Counter(filter(_VOTES.__contains__, words)).items():
        for code in _VOTES[word]:
            votes[code] += count
    most = max(votes.values(), default=0)
    if not most or most < _WORD_SHARE * len(words):
        return UNKNOWN
    best = [code for code, count in votes.items() if count == most]
    if len(best) == 1:
        return best[0]
    # A few words without accents that several languages share are most often English.
    return "en" if "en" in best and sample.isascii() else UNKNOWN
