"""The text of a reply as it comes in: without the thoughts before it, and never half a character. Knows no server."""

from kebab.remote.failures import Unusable

_OPEN, _CLOSE = "<think>", "</think>"
_FIRST_HALF, _LAST_HALF = "\ud800", "\udbff"


class ReplyText:
    """Gets a reply piece by piece and gives what of it is for the reader.

    A reasoning model thinks aloud before it answers. Later in a reply the same tags are words of the answer, which may
    well be about such models.
    """

    def __init__(self) -> None:
        self._half = ""
        # What is not decided yet: blanks and the beginning of a tag, or the last characters of a thought.
        self._held = ""
        self._thinks = False
        self._has_thought = False
        self._answers = False

    def add(self, piece: str) -> str:
        text = self._half + piece
        self._half = ""
        if text and _FIRST_HALF <= text[-1] <= _LAST_HALF:
            text, self._half = text[:-1], text[-1]
        return self._told(_whole(text))

    def end(self) -> str:
        """What was held back and turned out to be text. A thought that has no end was no answer."""
        rest = self._told(_whole(self._half))
        held = "" if self._thinks else self._held
        return rest + (held.lstrip() if self._has_thought else held)

    def _told(self, text: str) -> str:
        if self._answers:
            return text
        self._held += text
        while True:
            if self._thinks and not self._stopped_thinking():
                return ""
            begun = self._held.lstrip()
            if not begun.startswith(_OPEN):
                return self._answer(begun)
            self._thinks, self._held = True, begun.removeprefix(_OPEN)

    def _stopped_thinking(self) -> bool:
        _, end, after = self._held.partition(_CLOSE)
        if not end:
            self._held = self._held[-len(_CLOSE) :]
            return False
        self._thinks, self._has_thought, self._held = False, True, after
        return True

    def _answer(self, begun: str) -> str:
        if _OPEN.startswith(begun):
            return ""
        text = begun if self._has_thought else self._held
        self._answers, self._held = True, ""
        return text


def content_of(message: object) -> str:
    """The text of one message; empty when it holds none. Raises Unusable."""
    content = message.get("content") if isinstance(message, dict) else message
    if content is None:
        return ""
    if not isinstance(content, str) or not isinstance(message, dict):
        raise Unusable("gave a reply whose `content` is not text")
    return content


def count(value: object) -> int:
    """A number of tokens; 0 where a server gives none."""
    return value if type(value) is int and value > 0 else 0


def _whole(text: str) -> str:
    """JSON can say half a character, which nothing can write down; two halves that meet are one."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
