"""A question, its evidence and what was said before to the two texts a model gets: versioned templates, filled safely.

Evidence is data. Each passage stands between delimiters named by a hash of everything in the prompt, so no text in it
can hold them, and whatever in it looks like our own structure is made harmless (`neutralise`).
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from kebab.core.answer import Evidence, Turn
from kebab.core.errors import ConfigInvalid
from kebab.core.ids import content_hash
from kebab.rag.neutralise import neutral, neutral_field

DEFAULT = "rag-v3"
MULTI_HOP = "rag-multi-hop-v1"
DECOMPOSE = "rag-decompose-v1"
DECIDE = "rag-decide-v1"
# What `rag.prompt_template_version` may name.
ANSWERING = ("rag-v1", "rag-v2", "rag-v3", MULTI_HOP)
# A model that goes on to ask itself is stopped.
STOP = ("\n\n[질문]",)

_FOLDER = Path(__file__).resolve().parent / "prompts"
_USER = "\n%% user\n"
_SLOT = re.compile(r"\{(question|evidence|history|searched)\}")
_KEY_DIGITS = 12
# Longer paths and headings tell a model nothing more.
_PATH_CHARS = 300
_HEADING_CHARS = 200


def render(version: str, question: str, evidence: Sequence[Evidence], history: Sequence[Turn] = ()) -> tuple[str, str]:
    """The system and the user text for an answer. Raises ConfigInvalid for a template there is not."""
    if version not in ANSWERING:
        raise ConfigInvalid(
            f"there is no prompt template {version!r} (rag.prompt_template_version)",
            hint=f"kebab config set rag.prompt_template_version {DEFAULT}; known: {', '.join(ANSWERING)}",
            key="rag.prompt_template_version",
            value=version,
        )
    key = delimiter_key([question, *_texts(evidence), *(part for turn in history for part in turn)])
    slots = {"question": neutral(question), "evidence": _listed(evidence, key), "history": _history(history, key)}
    return _filled(version, slots)


def render_decompose(question: str, history: Sequence[Turn] = ()) -> tuple[str, str]:
    """Asks for `{"sub_queries": [...]}`."""
    key = delimiter_key([question, *(part for turn in history for part in turn)])
    return _filled(DECOMPOSE, {"question": neutral(question), "history": _history(history, key)})


def render_decide(question: str, searched: Sequence[str], evidence: Sequence[Evidence]) -> tuple[str, str]:
    """Asks for `{"kind": "stop" | "search", "sub_queries": [...]}`."""
    key = delimiter_key([question, *searched, *_texts(evidence)])
    asked = "\n".join(f"- {neutral_field(each, _PATH_CHARS)}" for each in searched)
    return _filled(
        DECIDE, {"question": neutral(question), "searched": asked or "-", "evidence": _listed(evidence, key)}
    )


def block(evidence: Evidence, key: str = "0" * _KEY_DIGITS) -> str:
    """A passage as the model sees it: its header, and its text between delimiters."""
    return f"{header(evidence)}\n<data-{key}>\n{neutral(evidence.text)}\n</data-{key}>"


def header(evidence: Evidence) -> str:
    hit, place = evidence.hit, evidence.citation.to_uri().rpartition("#")[2]
    heading = neutral_field(" > ".join(hit.heading_path) or hit.title, _HEADING_CHARS)
    fields = {
        "doc": neutral_field(hit.doc_path, _PATH_CHARS),
        "heading": heading,
        "span": neutral_field(place, _PATH_CHARS),
        "source": neutral_field(hit.source_id, _HEADING_CHARS),
        "trust": neutral_field(hit.trust_level, _HEADING_CHARS),
    }
    return f"[#{evidence.number} {' '.join(f'{name}={value}' for name, value in fields.items())}]"


def delimiter_key(texts: Sequence[str]) -> str:
    """Digits that none of the texts holds, the same for the same texts."""
    whole = "\n".join(texts)
    # As the model sees it too: dropping what is not visible may join digits.
    seen = neutral(whole)
    key = whole
    while True:
        key = content_hash(key.encode("utf-8", "surrogatepass"))[:_KEY_DIGITS]
        if key not in whole and key not in seen:
            return key


def _texts(evidence: Sequence[Evidence]) -> list[str]:
    return [text for each in evidence for text in (each.text, each.hit.doc_path, *each.hit.heading_path)]


def _listed(evidence: Sequence[Evidence], key: str) -> str:
    return "\n\n".join(block(each, key) for each in evidence)


def _history(history: Sequence[Turn], key: str) -> str:
    """Earlier turns. What was answered came from documents, and its markers name passages that are not here."""
    if not history:
        return ""
    turns = (f"<data-{key}>\nQ: {neutral(turn.question)}\nA: {neutral(turn.answer)}\n</data-{key}>" for turn in history)
    return "[이전 대화]\n" + "\n".join(turns) + "\n\n"


def _filled(version: str, slots: Mapping[str, str]) -> tuple[str, str]:
    system, user = _template(version)
    # In one pass, so that what is filled in is never read as a slot.
    return system, _SLOT.sub(lambda slot: slots[slot[1]], user)


@lru_cache(maxsize=8)
def _template(version: str) -> tuple[str, str]:
    text = (_FOLDER / f"{version}.txt").read_text(encoding="utf-8")
    system, _, user = text.partition(_USER)
    return system, user.removesuffix("\n")
