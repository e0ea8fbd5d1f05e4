"""Definitions in source code on the wire: the list `kebab symbols` gives."""

from collections.abc import Iterable

from kebab.core.citation import CodeCitation
from kebab.core.inspection import SymbolRow
from kebab.wire.value import Json, optional


def encode_symbols(symbols: Iterable[SymbolRow]) -> Json:
    return {"schema_version": "symbol_list.v1", "symbols": [_encode_symbol(symbol) for symbol in symbols]}


def _encode_symbol(symbol: SymbolRow) -> Json:
    return {
        "name": symbol.name,
        "symbol": symbol.qualified,
        "kind": symbol.kind,
        "doc_path": symbol.doc_path,
        "line_start": symbol.line,
        "line_end": symbol.line_end,
        "uri": CodeCitation(symbol.doc_path, symbol.line, symbol.line_end).to_uri(),
        **optional(code_lang=symbol.code_lang, repo=symbol.repo),
    }
