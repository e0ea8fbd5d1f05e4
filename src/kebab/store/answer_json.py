"""Answers to the JSON of their columns and back. Knows the values of `core` and no table."""

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any, get_args

from kebab.core.answer import AnswerCitation, Evidence, Hop, Quote, Statement, Support, Verification
from kebab.core.asset import TrustLevel
from kebab.core.citation import Citation
from kebab.core.query import Filters, Freshness, Hit, RetrievalDetail, SearchMode

_CITATIONS = get_args(Citation)
_BY_KIND = {kind.kind: kind for kind in _CITATIONS}


def clean(text: str) -> str:
    """`text` as UTF-8 can hold it: a reply may carry halves of surrogate pairs."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def to_json(value: object) -> str:
    return clean(json.dumps(_plain(value), ensure_ascii=False))


def _plain(value: object) -> object:
    """Tuples with names and dataclasses become objects of their fields, a citation with its kind."""
    if isinstance(value, Mapping):
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return {name: _plain(item) for name, item in value._asdict().items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if is_dataclass(value):
        known = {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
        return {"kind": value.kind, **known} if isinstance(value, _CITATIONS) else known
    return value


def passage(evidence: Evidence, *, cited: bool) -> dict[str, object]:
    """What is kept of a passage. The text only of one that a marker names: the others prove nothing."""
    hit = evidence.hit
    kept = {name.name: _plain(getattr(hit, name.name)) for name in fields(hit)}
    for left_out in ("citation", "snippet", "snippet_full_text", "highlights"):
        del kept[left_out]
    kept["first_line"] = evidence.first_line
    kept["text"] = evidence.text if cited else ""
    return {"number": evidence.number, "citation": _plain(evidence.citation), **kept}


def evidence_from(value: dict[str, Any]) -> Evidence:
    place = citation_from(value["citation"])
    hit = Hit(
        rank=value["rank"],
        score=value["score"],
        score_kind=value["score_kind"],
        chunk_id=value["chunk_id"],
        doc_id=value["doc_id"],
        doc_path=value["doc_path"],
        title=value["title"],
        heading_path=tuple(value["heading_path"]),
        section_label=value["section_label"],
        snippet="",
        snippet_full_text=False,
        highlights=(),
        citation=place,
        retrieval=RetrievalDetail(**{**value["retrieval"], "method": SearchMode(value["retrieval"]["method"])}),
        chunker_version=value["chunker_version"],
        indexed_at=value["indexed_at"],
        stale=value["stale"],
        freshness=Freshness(value["freshness"]),
        source_id=value["source_id"],
        trust_level=value["trust_level"],
        file=value["file"],
    )
    return Evidence(value["number"], hit, value["text"], value["first_line"], place)


def citation_from(value: dict[str, Any]) -> Citation:
    known = dict(value)
    place: Citation = _BY_KIND[known.pop("kind")](**known)
    return place


def _quote_from(value: dict[str, Any]) -> Quote:
    return Quote(**{**value, "citation": citation_from(value["citation"])})


def cited_from(value: dict[str, Any]) -> AnswerCitation:
    quote = value["quote"]
    changes = {
        "citation": citation_from(value["citation"]),
        "freshness": Freshness(value["freshness"]),
        "quote": None if quote is None else _quote_from(quote),
    }
    return AnswerCitation(**{**value, **changes})


def statement_from(value: dict[str, Any]) -> Statement:
    changes = {
        "markers": tuple(value["markers"]),
        "support": Support(value["support"]),
        "quotes": tuple(map(_quote_from, value["quotes"])),
    }
    return Statement(**{**value, **changes})


def hops_from(text: str | None) -> tuple[Hop, ...] | None:
    if text is None:
        return None
    return tuple(map(_hop_from, json.loads(text)))


def _hop_from(value: dict[str, Any]) -> Hop:
    changes = {
        "sub_queries": tuple(value["sub_queries"]),
        "chunk_ids": tuple(map(tuple, value.get("chunk_ids", ()))),
    }
    return Hop(**{**value, **changes})


def verification_from(text: str | None) -> Verification | None:
    return None if text is None else Verification(**json.loads(text))


def filters_from(text: str) -> Filters:
    known: dict[str, Any] = json.loads(text)
    for name, value in known.items():
        known[name] = tuple(value) if isinstance(value, list) else value
    trust = known["trust_min"]
    return Filters(**{**known, "trust_min": TrustLevel(trust) if trust else None})
