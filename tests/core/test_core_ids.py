import json
import re
import unicodedata

import pytest
from blake3 import blake3
from hypothesis import given, settings
from hypothesis import strategies as st

from kebab.core.document import BlockKind
from kebab.core.ids import (
    AssetId,
    BlockId,
    DocumentId,
    asset_id,
    block_id,
    canonical_json,
    chunk_id,
    content_hash,
    doc_id,
    short_hash,
)
from kebab.core.span import LineSpan

ASSET = asset_id(content_hash(b"hello"))
DOC = doc_id("notes/a.md", ASSET, "md-blocks-v1")
BLOCK = block_id(DOC, BlockKind.PARAGRAPH, ("A", "B"), 0, LineSpan(3, 5))
CHUNK = chunk_id(DOC, "md-heading-v2", [BLOCK], "0" * 32)


def recipe(value: dict[str, object]) -> str:
    """Section 4 of the design, word by word and without our encoder."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return blake3(text.encode("utf-8")).hexdigest()[:32]


# -- canonical JSON


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"b": 1, "a": 2}, '{"a":2,"b":1}'),
        ({"a": [3, 1, 2], "B": {"z": None, "y": True}}, '{"B":{"y":true,"z":null},"a":[3,1,2]}'),
        ({"kind": "asset", "asset_blake3": "00"}, '{"asset_blake3":"00","kind":"asset"}'),
        ([], "[]"),
        ({}, "{}"),
        ("", '""'),
        (("tuples", "are", "lists"), '["tuples","are","lists"]'),
        (-1, "-1"),
        (False, "false"),
        ("한글 café \U0001f600", '"한글 café \U0001f600"'),
        ('quote " and \\ and /', '"quote \\" and \\\\ and /"'),
        ("\b\t\n\f\r", '"\\b\\t\\n\\f\\r"'),
        ("\x00\x01\x0b\x1f", '"\\u0000\\u0001\\u000b\\u001f"'),
        ("\x7f\x80\u2028\u2029\ufeff", '"\x7f\x80\u2028\u2029\ufeff"'),
        ({"<html>": "&amp;"}, '{"<html>":"&amp;"}'),
        # The string of RFC 8785, section 3.2.2.
        ('€$\u000f\nA\'B"\\\\"/', '"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"'),
        # The literals of RFC 8785, section 3.2.2.
        ({"literals": [None, True, False]}, '{"literals":[null,true,false]}'),
    ],
)
def test_canonical_json_is_that_of_rfc_8785(value: object, expected: str) -> None:
    assert canonical_json(value) == expected.encode("utf-8")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "value", [1.0, float("nan"), {"a": 0.5}, [1, [2.0]], {"a": {"b": [{"c": 1e300}]}}, ("x", (1.5,))]
)
def test_floats_are_refused_at_any_depth(value: object) -> None:
    with pytest.raises(TypeError, match="float"):
        canonical_json(value)  # type: ignore[arg-type]


simple = st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text()
keys = st.text(st.characters(max_codepoint=127), max_size=8)
values = st.recursive(
    simple, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4), max_leaves=12
)


@given(values)
def test_canonical_json_reads_back_and_holds_no_space_outside_strings(value: object) -> None:
    text = canonical_json(value).decode("utf-8")  # type: ignore[arg-type]
    assert json.loads(text) == value
    assert re.search(r"\s", re.sub(r'"(?:[^"\\]|\\.)*"', "", text)) is None
    assert re.search(r"\\u(?!00[01][0-9a-f])", text.replace("\\\\", "")) is None


@settings(max_examples=50)
@given(st.dictionaries(keys, values, min_size=1, max_size=6), st.randoms())
def test_the_order_of_keys_does_not_matter(value: dict[str, object], random: "st.Random") -> None:
    pairs = list(value.items())
    random.shuffle(pairs)
    assert canonical_json(dict(pairs)) == canonical_json(value)  # type: ignore[arg-type]
    assert short_hash(dict(pairs)) == short_hash(value)  # type: ignore[arg-type]


def test_the_order_of_a_list_matters() -> None:
    assert canonical_json(["a", "b"]) != canonical_json(["b", "a"])


# -- recipes


def test_the_asset_recipe() -> None:
    checksum = blake3(b"hello").hexdigest()
    assert content_hash(b"hello") == checksum
    assert len(checksum) == 64
    assert asset_id(checksum) == recipe({"kind": "asset", "asset_blake3": checksum})


def test_the_document_recipe() -> None:
    expected = {"kind": "doc", "workspace_path": "notes/a.md", "asset_id": ASSET, "parser_version": "md-blocks-v1"}
    assert doc_id("notes/a.md", ASSET, "md-blocks-v1") == recipe(expected)


def test_the_ids_of_a_known_file_never_change() -> None:
    """Literals: a change of any of these breaks every stored index and every saved link."""
    assert ASSET == "a09e6893a34d75f09b196f63b7ada0eb"
    assert DOC == "b6ebc9014d065c06676f762c1a9beee5"
    assert BLOCK == "39492d090ca577911f70a7b037896864"
    assert CHUNK == "fbe2dcd18d8770932f9839d7db16decd"


hostile = (
    st.text(st.sampled_from('"\\/\b\f\n\r\t\x00\x1f\x7f\u2028한é\U0001f600e\u0301\u1112\u1161\u11ab ')) | st.text()
)


@given(
    st.sampled_from(list(BlockKind)),
    st.lists(hostile, max_size=4),
    st.integers(0, 10**6),
    st.integers(1, 10**6),
    st.integers(0, 1000),
)
def test_the_block_recipe(kind: BlockKind, headings: list[str], ordinal: int, start: int, more: int) -> None:
    span = LineSpan(start, start + more)
    expected = {
        "kind": "block",
        "doc_id": DOC,
        "block_kind": kind.value,
        "heading_path": [unicodedata.normalize("NFC", heading) for heading in headings],
        "ordinal": ordinal,
        "source_span": {"kind": "line", "start": span.start, "end": span.end},
    }
    found = block_id(DOC, kind, tuple(headings), ordinal, span)
    assert found == recipe(expected)
    assert found == blake3(canonical_json(expected)).hexdigest()[:32]


@given(
    st.lists(st.text("0123456789abcdef", min_size=32, max_size=32), max_size=5), st.integers(0, 10**6), st.booleans()
)
def test_the_chunk_recipe(blocks: list[str], offset: int, cut: bool) -> None:
    policy = "0123456789abcdef" * 2 + (f"#c{offset}" if cut else "")
    expected = {
        "kind": "chunk",
        "doc_id": DOC,
        "chunker_version": "md-heading-v2",
        "block_ids": blocks,
        "policy_hash": policy,
    }
    ids = [BlockId(block) for block in blocks]
    assert chunk_id(DOC, "md-heading-v2", ids, policy) == recipe(expected)
    assert chunk_id(DOC, "md-heading-v2", tuple(ids), policy) == blake3(canonical_json(expected)).hexdigest()[:32]


@given(st.integers(1, 10**6), st.integers(0, 1000))
def test_a_span_writes_its_own_canonical_json(start: int, more: int) -> None:
    span = LineSpan(start, start + more)
    assert span.canonical().encode() == canonical_json(span.to_json())


# -- 4.4 of the design


def test_the_same_input_gives_the_same_id_a_thousand_times() -> None:
    found = {
        (
            asset_id(content_hash(b"hello")),
            doc_id("notes/a.md", ASSET, "md-blocks-v1"),
            block_id(DOC, "paragraph", ("A", "B"), 0, LineSpan(3, 5)),
            chunk_id(DOC, "md-heading-v2", [BLOCK], "0" * 32),
        )
        for _ in range(1000)
    }
    assert found == {(ASSET, DOC, BLOCK, CHUNK)}


@pytest.mark.parametrize("path", ["./a/b.md", "a//b.md", "a/./b.md", "a\\b.md", "/a/b.md"])
def test_every_spelling_of_a_path_gives_the_same_document(path: str) -> None:
    assert doc_id(path, ASSET, "v1") == doc_id("a/b.md", ASSET, "v1")


def test_unicode_forms_of_a_path_and_of_a_heading_give_the_same_ids() -> None:
    nfd = unicodedata.normalize("NFD", "한글 café")
    assert doc_id(f"{nfd}.md", ASSET, "v1") == doc_id("한글 café.md", ASSET, "v1")
    assert block_id(DOC, "heading", (nfd,), 0, LineSpan(1, 1)) == block_id(
        DOC, "heading", ("한글 café",), 0, LineSpan(1, 1)
    )


@given(st.text(min_size=1, max_size=10), st.text(min_size=1, max_size=10))
def test_headings_are_kept_apart(first: str, second: str) -> None:
    span = LineSpan(1, 1)
    together = block_id(DOC, "paragraph", (first + second,), 0, span)
    assert together != block_id(DOC, "paragraph", (first, second), 0, span)


# -- 4.3 of the design: what changes when something changes


def family(
    content: bytes = b"hello",
    path: str = "notes/a.md",
    parser: str = "md-blocks-v1",
    chunker: str = "md-heading-v2",
    policy: str = "0" * 32,
) -> tuple[AssetId, DocumentId, BlockId, str]:
    asset = asset_id(content_hash(content))
    doc = doc_id(path, asset, parser)
    block = block_id(doc, "paragraph", ("A", "B"), 0, LineSpan(3, 5))
    return asset, doc, block, chunk_id(doc, chunker, [block], policy)


@pytest.mark.parametrize(
    ("change", "changed"),
    [
        ({"content": b"hello!"}, (True, True, True, True)),
        ({"path": "notes/b.md"}, (False, True, True, True)),
        ({"parser": "md-blocks-v2"}, (False, True, True, True)),
        ({"chunker": "md-heading-v3"}, (False, False, False, True)),
        ({"policy": "1" * 32}, (False, False, False, True)),
        ({}, (False, False, False, False)),
    ],
)
def test_the_change_matrix(change: dict[str, str], changed: tuple[bool, ...]) -> None:
    moved = tuple(new != old for new, old in zip(family(**change), family(), strict=True))  # type: ignore[arg-type]
    assert moved == changed


@pytest.mark.parametrize("identity", [ASSET, DOC, BLOCK, CHUNK])
def test_an_id_is_32_hex_digits(identity: str) -> None:
    assert re.fullmatch("[0-9a-f]{32}", identity)
