"""Text to token ids: SentencePiece over the vocabulary of the package, with the ids the package itself would give.

Loading all 128,000 pieces costs 250 ms of CPU and 26 MB, several times what a question costs otherwise. With an index
of them a little text is tokenised by a model of the few pieces it can hold, see `pieces`.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from kebab.embed.use.pieces import LONGEST, Index, bare, partial
from kebab.embed.use.resources import broken

if TYPE_CHECKING:
    from sentencepiece import SentencePieceProcessor

# Longer texts are cut here; a passage has about a tenth of it.
MOST_TOKENS = 2048
UNKNOWN, BEGIN, END = 0, 1, 2
# Characters tokenised piecemeal, in all, before loading everything is the cheaper way: a thousand take 12 ms.
_FEW_CHARACTERS = 20_000


class Vocabulary:
    def __init__(self, path: Path, known: "Index | None", *, sparing: bool = False) -> None:
        """A `sparing` one does not load everything, unless it has to for want of an index or for a very long text."""
        self._path = path
        self._known = known
        self._sparing = sparing
        self._whole: SentencePieceProcessor | None = None
        self._characters = 0

    def encode(self, texts: Sequence[str], threads: int) -> list[list[int]]:
        """Per text the ids between BEGIN and END, MOST_TOKENS at most; a text without any piece is one unknown."""
        # Cut before, so that a text of any length costs the same. A lone surrogate has no UTF-8.
        cut = [text[: MOST_TOKENS * LONGEST].encode("utf-8", "replace").decode() for text in texts]
        now = sum(map(len, cut))
        self._characters = now if self._sparing else self._characters + now
        if self._whole is None and self._known is not None and self._characters <= _FEW_CHARACTERS:
            found = self._piecemeal(cut, self._known)
        else:
            self._whole = self._whole or _processor(self._path.read_bytes())
            # Threads are started anew with every call, and a text takes a tenth of a millisecond.
            found = _encode(self._whole, cut, min(threads, 1 + len(cut) // 16))
        return [[BEGIN, *(ids[: MOST_TOKENS - 2] or [UNKNOWN]), END] for ids in found]

    def _piecemeal(self, texts: list[str], known: Index) -> list[list[int]]:
        model = self._path.read_bytes()
        small = partial(model, known, _processor(bare(model, known)).normalize(texts))
        return [[small.ids[each] for each in ids] for ids in _encode(_processor(small.file), texts, 1)]


def _processor(model: bytes) -> "SentencePieceProcessor":
    from sentencepiece import SentencePieceProcessor

    try:
        return SentencePieceProcessor(model_proto=model)
    except (RuntimeError, ValueError, OSError) as error:
        raise broken(f"holds a vocabulary that cannot be used: {error}") from error


def _encode(processor: "SentencePieceProcessor", texts: list[str], threads: int) -> list[list[int]]:
    found: list[list[int]] = processor.encode(texts, out_type=int, num_threads=threads)
    for place, ids in enumerate(found):
        if UNKNOWN in ids:
            # SentencePiece makes one of unknown characters in a row; the model's package counts each.
            pieces: list[str] = processor.encode(texts[place], out_type=str)
            counts = [len(piece) if one == UNKNOWN else 1 for one, piece in zip(ids, pieces, strict=True)]
            found[place] = [one for one, count in zip(ids, counts, strict=True) for _ in range(count)]
    return found
