"""Lists, definitions, the schema report and fetched texts, read back from the wire to encode to the same."""

from kebab.core.asset import SourceType, TrustLevel
from kebab.core.chunk import Chunk
from kebab.core.fetching import FetchKind, FetchResult
from kebab.core.inspection import DocPage, DocSummary, IndexStats, ModelVersions, SchemaReport, SymbolRow
from kebab.core.query import Freshness
from kebab.core.span import LineSpan, Place, place_from_json
from kebab.wire.decode_search import Given, decode_citation


def decode_doc_list(value: Given) -> DocPage:
    docs = tuple(_summary(each) for each in value["docs"])
    return DocPage(docs, value.get("total", len(docs)), value.get("next_cursor"))


def _summary(value: Given) -> DocSummary:
    plain = {name: each for name, each in value.items() if name in DocSummary.__slots__}
    return DocSummary(
        **{
            **plain,
            "tags": tuple(value["tags"]),
            "trust_level": TrustLevel(value["trust_level"]),
            "source_type": SourceType(value["source_type"]),
            "freshness": Freshness(value["freshness"]),
        }
    )


def decode_symbols(value: Given) -> list[SymbolRow]:
    return [
        SymbolRow(
            each["name"],
            each["symbol"],
            each["kind"],
            each["line_start"],
            each["line_end"],
            each["doc_path"],
            each.get("code_lang"),
            each.get("repo"),
        )
        for each in value["symbols"]
    ]


def decode_schema(value: Given) -> SchemaReport:
    models, stats = value["models"], value["stats"]
    versions = {name: each for name, each in models.items() if name in ModelVersions.__slots__}
    active = {name: tuple(models[name]) for name in ("active_parsers", "active_chunkers")}
    return SchemaReport(
        kebab_version=value["kebab_version"],
        schemas=tuple(value["wire"]["schemas"]),
        capabilities=value["capabilities"],
        models=ModelVersions(**{**versions, **active}),
        stats=IndexStats(**{name: each for name, each in stats.items() if name in IndexStats.__slots__}),
    )


def decode_fetch(value: Given) -> FetchResult:
    cited, chunk = value.get("citation"), value.get("chunk")
    return FetchResult(
        kind=FetchKind(value["kind"]),
        doc_id=value["doc_id"],
        doc_path=value["doc_path"],
        trust_level=value["trust_level"],
        indexed_at=value["indexed_at"],
        stale=value["stale"],
        freshness=Freshness(value["freshness"]),
        truncated=value["truncated"],
        citation=None if cited is None else decode_citation(cited),
        chunk=None if chunk is None else _chunk(chunk),
        context_before=tuple(_chunk(each) for each in value.get("context_before", ())),
        context_after=tuple(_chunk(each) for each in value.get("context_after", ())),
        text=value.get("text"),
        line_start=value.get("line_start"),
        line_end=value.get("line_end"),
        effective_end=value.get("effective_end"),
        page=value.get("page"),
    )


def _chunk(value: Given) -> Chunk:
    spans = [each for each in value["source_spans"] if each["kind"] == "line"]
    places = [each for each in value["source_spans"] if each["kind"] != "line"]
    return Chunk(
        chunk_id=value["chunk_id"],
        doc_id=value["doc_id"],
        ordinal=value["ordinal"],
        text=value["text"],
        heading_path=tuple(value["heading_path"]),
        section_label=value.get("section_label"),
        spans=tuple(LineSpan(each["start"], each["end"]) for each in spans),
        block_ids=tuple(value["block_ids"]),
        token_estimate=value["token_estimate"],
        chunker_version=value["chunker_version"],
        # The settings it was cut under are not sent.
        policy_hash="",
        place=_place(places[0]) if places else None,
    )


def _place(value: Given) -> Place:
    unsaid: Given = {"symbol": None, "lang": None} if value["kind"] == "code" else {}
    return place_from_json({**unsaid, **value})
