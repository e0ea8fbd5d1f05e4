"""Synthetic notes for the scale benchmark: as many sections as wanted, always the same ones for the same seed.

Words come with the frequencies of real text (a folder of Markdown or JSON lines) and a long tail made from syllables.
Every document has a topic whose words recur in it, because in real text words come in bursts. Documents have a
language, tags, a folder and a kind of file, so that every filter leaves a part of them.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np  # noqa: TID253

SECTIONS = 40
KOREAN_SHARE, CODE_SHARE = 0.3, 0.1
AREAS, SHELVES, TAGS, TOPICS, TOPIC_WORDS, TOPIC_SHARE = 20, 25, 40, 2000, 300, 0.35
# Of a section, in words; about 100 are as long as a short page of documentation.
MEDIAN_WORDS, SPREAD, LEAST, MOST = 75, 0.6, 8, 420
TAIL, SENTENCE, PARAGRAPH = 120_000, 14, 60
_WORD = re.compile(r"[A-Za-z][A-Za-z'-]{0,24}|[가-힣]{1,12}")

Numbers = np.ndarray[Any, np.dtype[Any]]


class Lexicon(NamedTuple):
    """Words of one language with their running share of all text, and the words of every topic."""

    words: list[str]
    upto: Numbers
    topics: Numbers

    def drawn(self, random: np.random.Generator, count: int, topic: int) -> list[str]:
        places = np.minimum(np.searchsorted(self.upto, random.random(count)), len(self.words) - 1)
        own = random.random(count) < TOPIC_SHARE
        # The first words of a topic are its commonest.
        ranks = (TOPIC_WORDS ** random.random(count)).astype(np.int64) - 1
        places[own] = self.topics[topic, ranks[own]]
        return [self.words[place] for place in places.tolist()]


def lexicons(folder: Path, seed: int) -> dict[str, Lexicon]:
    """The words of the folder's text by language, English and Korean."""
    counted: dict[str, Counter[str]] = {"en": Counter(), "ko": Counter()}
    for path in sorted(each for each in folder.rglob("*") if each.suffix in (".md", ".jsonl")):
        text = path.read_text("utf-8", "replace").replace("\\n", " ")
        for word in _WORD.findall(text):
            counted["ko" if word[0] >= "가" else "en"][word] += 1
    random = np.random.default_rng(seed)
    return {lang: _lexicon(words, lang, random) for lang, words in counted.items()}


def _lexicon(counted: Counter[str], lang: str, random: np.random.Generator) -> Lexicon:
    words = [word for word, _ in counted.most_common()]
    if len(words) < 1000:
        raise SystemExit(f"too little text to learn words from: {len(words)} words of {lang!r}")
    counts = [counted[word] for word in words]
    # Rare words go on: a text ten times as long has new ones, each about as rare as the rarest here.
    tail = [word for word in _made(lang, random) if word not in counted]
    shares = np.array([*counts, *np.linspace(1, 0.05, len(tail))], np.float64)
    upto = np.cumsum(shares) / shares.sum()
    topics = np.searchsorted(upto, random.uniform(0.3, 1, (TOPICS, TOPIC_WORDS)))
    return Lexicon(words + tail, upto, np.minimum(topics, len(shares) - 1))


def _made(lang: str, random: np.random.Generator) -> list[str]:
    """Words nobody has written: consonants and vowels in turn, or Hangul syllables."""
    if lang == "ko":
        parts = [
            chr(0xAC00 + 588 * first + 28 * vowel + last)
            for first in range(19)
            for vowel in (0, 4, 8, 13, 18, 20)
            for last in (0, 4, 8)
        ]
    else:
        parts = [first + vowel for first in "bcdfghklmnprstvz" for vowel in ("a", "e", "i", "o", "u", "an", "er", "ol")]
    lengths = random.integers(3, 5, TAIL)
    places = random.integers(0, len(parts), (TAIL, 4))
    made = (
        "".join(parts[place] for place in row[:length])
        for row, length in zip(places.tolist(), lengths.tolist(), strict=True)
    )
    return list(dict.fromkeys(made))


def write(target: Path, chunks: int, words: dict[str, Lexicon], seed: int) -> int:
    """Files with about so many sections; those that are there stay. Gives the number of files."""
    count = -(-chunks // SECTIONS)
    for number in range(count):
        random = np.random.default_rng((seed, number))
        path, text = _document(number, random, words)
        full = target / path
        if not full.exists():
            full.parent.mkdir(parents=True, exist_ok=True)
            full.write_text(text, "utf-8")
    return count


def _document(number: int, random: np.random.Generator, words: dict[str, Lexicon]) -> tuple[str, str]:
    lang = "ko" if random.random() < KOREAN_SHARE else "en"
    drawn = iter(_Draw(words[lang], random, int(random.integers(TOPICS))))
    area, shelf = int(AREAS * random.random() ** 2), int(random.integers(SHELVES))
    is_code = random.random() < CODE_SHARE
    path = f"area{area:02d}/shelf{shelf:02d}/note{number:06d}{'.sh' if is_code else '.md'}"
    lengths = np.clip(random.lognormal(np.log(MEDIAN_WORDS), SPREAD, SECTIONS), LEAST, MOST).astype(int).tolist()
    if is_code:
        return path, "\n\n".join(_script(drawn, length) for length in lengths) + "\n"
    tags = sorted({f"topic{int(TAGS * random.random() ** 3):02d}" for _ in range(int(random.integers(4)))})
    head = f"---\ntags: [{', '.join(tags)}]\nlang: {lang}\n---\n# {_title(drawn, 4)}\n\n"
    return path, head + "\n".join(
        f"{'##' if place % 4 == 0 else '###'} {_title(drawn, 3)} {place}\n\n{_prose(drawn, length)}\n"
        for place, length in enumerate(lengths)
    )


class _Draw:
    """Words without end, drawn in portions."""

    def __init__(self, lexicon: Lexicon, random: np.random.Generator, topic: int) -> None:
        self._lexicon, self._random, self._topic = lexicon, random, topic

    def __iter__(self) -> Iterator[str]:
        while True:
            yield from self._lexicon.drawn(self._random, 4096, self._topic)


def _take(drawn: Iterator[str], count: int) -> list[str]:
    return [next(drawn) for _ in range(count)]


def _title(drawn: Iterator[str], count: int) -> str:
    return " ".join(_take(drawn, count)).capitalize()


def _prose(drawn: Iterator[str], count: int) -> str:
    words = _take(drawn, count)
    sentences = [" ".join(words[at : at + SENTENCE]) + "." for at in range(0, count, SENTENCE)]
    step = PARAGRAPH // SENTENCE
    return "\n\n".join(" ".join(sentences[at : at + step]) for at in range(0, len(sentences), step))


def _script(drawn: Iterator[str], count: int) -> str:
    """A paragraph of a shell script, most of it comment."""
    words = _take(drawn, count)
    return "\n".join(
        f"# {' '.join(words[at : at + 10])}" if at % 30 else f"run --{words[at]}" for at in range(0, count, 10)
    )


def questions(folder: Path, count: int, seed: int) -> list[str]:
    """One to six words that stand together in a document, common ones included."""
    random = np.random.default_rng(seed)
    paths: Sequence[Path] = sorted(path for path in folder.rglob("*") if path.is_file())
    found = []
    while len(found) < count:
        words = _WORD.findall(paths[int(random.integers(len(paths)))].read_text("utf-8"))
        start, length = int(random.integers(len(words) - 6)), 1 + len(found) % 6
        found.append(" ".join(words[start : start + length]))
    return found
