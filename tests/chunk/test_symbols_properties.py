from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from kebab.chunk.parts import MAX_LINES, parts
from kebab.chunk.symbols import SymbolChunker
from kebab.core.chunk import ChunkPolicy
from kebab.core.document import Document
from kebab.core.text import LineMap, split_lines, token_estimate
from parse.code_samples.reading import LANGUAGES, read_code, sample

TEXTS = {name: sample(name) for name in LANGUAGES}


@st.composite
def documents(draw: st.DrawFn) -> tuple[str, Document]:
    """Samples, whole and broken, one after another, and with lines joined."""
    name = draw(st.sampled_from(sorted(TEXTS)))
    text = TEXTS[name] * draw(st.integers(1, 2))
    start = draw(st.integers(0, len(text)))
    text = text[:start] + text[start + draw(st.integers(0, 200)) :]
    for old, new in draw(st.lists(st.sampled_from([("}\n", "} "), ("\n\n", "\n"), ("{\n", "{ "), ("(", "(((")]))):
        text = text.replace(old, new, draw(st.integers(1, 20)))
    # Files in which nothing is defined are cut by another chunker.
    text += "\n\n" + {"python": "def last(): ...", "go": "func last() {}"}.get(LANGUAGES[name], "")
    return LANGUAGES[name], read_code(text, LANGUAGES[name])


@st.composite
def policies(draw: st.DrawFn) -> ChunkPolicy:
    target = draw(st.integers(2, 20) | st.integers(20, 200) | st.just(500))
    return ChunkPolicy(target, 0, target + draw(st.just(0) | st.integers(0, 500)))


@settings(max_examples=150, deadline=None)
@given(documents(), policies())
def test_chunks_are_the_source_at_their_lines_and_hold_every_word_once(
    case: tuple[str, Document], policy: ChunkPolicy
) -> None:
    language, document = case
    if not document.symbols:
        return
    chunks = SymbolChunker(language).chunk(document, policy)
    lines, text = LineMap(document.source_text), document.source_text
    at = 0
    for chunk in chunks:
        start, end = lines.start_of(chunk.spans[0].start), lines.start_of(chunk.spans[0].end + 1)
        found = text.find(chunk.text, max(at, start), end)
        assert found >= 0, "not at its lines, or a text twice"
        assert not text[at:found].strip(), "a word is lost"
        at = found + len(chunk.text)
    assert not text[at:].strip()


@settings(max_examples=150, deadline=None)
@given(documents(), policies())
def test_chunks_obey_the_maximum_and_have_ids_of_their_own(case: tuple[str, Document], policy: ChunkPolicy) -> None:
    language, document = case
    if not document.symbols:
        return
    chunks = SymbolChunker(language).chunk(document, policy)
    assert chunks == SymbolChunker(language).chunk(document, policy)
    assert len({chunk.chunk_id for chunk in chunks}) == len(chunks)
    assert [chunk.ordinal for chunk in chunks] == list(range(len(chunks)))
    for chunk in chunks:
        assert chunk.token_estimate == token_estimate(chunk.text)
        assert chunk.token_estimate <= policy.max_chunk_tokens or len(chunk.text.strip()) == 1
        assert chunk.text.count("\n") < MAX_LINES
        assert chunk.section_label
    for before, after in pairwise(chunks):
        assert before.spans[0].end <= after.spans[0].start


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.sampled_from(["a\n", "\n", "bb bb\n", "  \n", "c" * 50 + "\n", "가나다\n", "x"]), max_size=500),
    st.integers(8, 400),
)
def test_parts_cover_the_text_within_their_bounds(pieces: list[str], limit: int) -> None:
    text = "".join(pieces)
    found = parts(text, 0, len(text), limit)
    at = 0
    for start, end in found:
        assert not text[at:start].strip()
        assert len(text[start:end].encode()) <= limit
        assert len(split_lines(text[start:end])) <= MAX_LINES
        at = end
    assert not text[at:].strip()
