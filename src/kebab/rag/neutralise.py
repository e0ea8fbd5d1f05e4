"""Untrusted text as a model may see it: nothing in it can pass for a marker, a header, a label or a control token.

Only the copy in the prompt is changed, and a character at a time (`[#3]` becomes `(#3)`, `<s>` becomes `‹s>`), so that
it still reads the same. What is quoted and shown comes from the text itself, never from here.
"""

import re
import unicodedata

from kebab.core.text import nfc

_OPEN, _SHUT = r"[\[［【〔⟦]", r"[\]］】〕⟧]"
_MARKER = re.compile(rf"{_OPEN}(?=\s*+[#＃]\s*+\d)")
_CLOSED_MARKER = re.compile(rf"{_OPEN}(\s*+[#＃]\s*+\d{{1,9}}\s*+){_SHUT}")
_LABELS = (
    "질문|근거|이전 대화|검색한 질문|시스템|지시|답변|사용자|question|evidence|history|system|instructions?|answer"
    "|user|assistant|context"
)
_LABEL = re.compile(rf"{_OPEN}(\s*+(?:{_LABELS})\s*+){_SHUT}", re.IGNORECASE)
_SQUARE_TOKEN = re.compile(
    rf"{_OPEN}(?=\s*+/?\s*+(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|ARGS|IMG|PREFIX|SUFFIX"
    rf"|MIDDLE|gMASK|sMASK|CLS|SEP|MASK|PAD|UNK|BOS|EOS)\s*+{_SHUT})",
    re.IGNORECASE,
)
_ANGLES = "<＜"
# `<|name|>` in any spelling, the tokens that tokenizers reserve by name, and our own delimiters.
_ANGLE_TOKEN = re.compile(
    rf"[{_ANGLES}](?=\s*+[|｜]|[{_ANGLES}]\s*+/?\s*+SYS|\s*+/?\s*+(?:s|bos|eos|pad|unk|mask|cls|sep|sop|eop|eot|start|end"
    r"|begin_of_text|end_of_text|(?:start|end)_of_(?:turn|image|text|audio)|(?:start|end)_header_id|im_(?:start|end)"
    r"|unused\d+|extra_id_\d+|reserved_\w+|0x[0-9a-f]{2}|think(?:ing)?|reasoning|tool_?\w*|function_?\w*|system"
    r"|user|human|assistant|model|instructions?|data(?:-[0-9a-f]*)?)\s*+/?\s*+[>＞])",
    re.IGNORECASE,
)
_ROLE = re.compile(
    r"^(?=[ \t]*(?:#{1,6}[ \t]*)?(?:system|user|assistant|human|ai|instructions?|response|시스템|사용자)[ \t]*[:：])",
    re.IGNORECASE | re.MULTILINE,
)
_NAMES = re.compile(r"\b(doc|heading|span|source|trust)\s*[=＝]", re.IGNORECASE)
_SPACE = re.compile(r"\s+")
_KEPT_CONTROLS = "\n\t"
# Letters and marks in name only: fillers, joiners and variation selectors show nothing.
_UNSEEN = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufe00-\ufe0f\U000e0100-\U000e01ef]")


def neutral(text: str) -> str:
    """Text of a document, of an earlier answer or of a question, for a prompt."""
    text = nfc(_visible(text))
    text = _CLOSED_MARKER.sub(r"(\1)", text)
    text = _MARKER.sub("(", text)
    text = _LABEL.sub(r"(\1)", text)
    text = _SQUARE_TOKEN.sub("(", text)
    text = _ANGLE_TOKEN.sub("‹", text)
    return _ROLE.sub("› ", text)


def neutral_field(text: str, limit: int) -> str:
    """A path or a heading for the header of a passage: one line without brackets or anything like another field."""
    line = _SPACE.sub(" ", neutral(text[: limit * 2])).strip()
    for pattern, stand_in in ((_OPEN, "("), (_SHUT, ")")):
        line = re.sub(pattern, stand_in, line)
    line = _NAMES.sub(r"\1:", line)
    return line if len(line) <= limit else f"{line[: limit - 1]}…"


def _visible(text: str) -> str:
    """Without characters that are not seen: they hide instructions from people and patterns from us."""
    text = _UNSEEN.sub("", text)
    plain = text.replace("\n", "").replace("\t", "").isprintable()
    return text if plain else "".join(map(_shown, text))


def _shown(char: str) -> str:
    if char in _KEPT_CONTROLS or char.isprintable():
        return char
    kind = unicodedata.category(char)
    # Format characters join what they separate; other controls, odd spaces and lone surrogates are a gap.
    return "" if kind == "Cf" else " "
