import json
import re
from dataclasses import asdict
from itertools import pairwise
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from kebab.core.text import split_lines

if TYPE_CHECKING:
    from conftest import Parse

FRAGMENTS = """
# |## h {#a}|===|---|***|___|- |* |1. |2) |> |```|~~~py|    |\t|[r]: /u 'ti|[^1]: foot|[^1]|<!-- |-->|<div>|</div>
<script>|word|한글|[[w]]|[[x#y]]|![alt](s.png)|![[p.png]]|`code`|`|*em*|**|_|[|](|]|(|)|\\|&amp;|&#0;|  |- [ ] t|+++|...
<?|<![CDATA[|]]>|term|: def|http://x.y|<a@b.c>|~~|key: v|title: t|{|}|$|"|é|e\u0301|\U0001f600|\u2028|\u00a0|\u3000|\x0b
\x0c|\x1c|\x85|\x00|\ufeff|\r|\r\n|%|&x|*x|@
""".replace("\n|", "|").strip("\n")
PIECES = [piece for line in FRAGMENTS.split("\n") for piece in line.split("|") if piece]
PIECES += ["\n", "\n\n", "\n---\n", "|a|b|\n|-|-|\n", "| a | b |\n|--|\n", "|"]

# Weighted to newlines: what lies between blocks is where text gets lost.
documents = st.lists(st.sampled_from(PIECES) | st.sampled_from(["\n", "\n\n", "\n  ", "\n- ", "\n> "]), max_size=40)
RULE = re.compile(r"[\s*_-]+")


@settings(max_examples=600, deadline=None)
@given(documents.map("".join) | st.text(max_size=200))
def test_no_word_is_lost_and_every_line_has_one_place(parse: "Parse", source: str) -> None:
    document = parse(source)
    lines = split_lines(document.source_text)
    held = [number for block in document.blocks for number in range(block.span.start, block.span.end + 1)]
    assert all(before < after for before, after in pairwise(held))
    for block in document.blocks:
        assert block.text == "\n".join(lines[block.span.start - 1 : block.span.end])
        assert block.text.strip()
    outside = "\n".join(line for number, line in enumerate(lines, 1) if number not in set(held))
    assert RULE.sub("", outside) == ""
    assert not any("structure" in warning for warning in document.warnings)


@settings(max_examples=200, deadline=None)
@given(documents.map("".join))
def test_ids_are_unique_and_repeatable(parse: "Parse", source: str) -> None:
    first, again = parse(source), parse(source)
    assert first == again
    assert len({block.block_id for block in first.blocks}) == len(first.blocks)


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=200), st.sampled_from(["", "---\n", "+++\n"]))
def test_any_bytes_make_a_document_that_utf8_can_hold(parse: "Parse", raw: bytes, opening: str) -> None:
    document = parse(opening.encode() + raw + b"\n" + opening.encode())
    kept = json.dumps(asdict(document), ensure_ascii=False)
    kept.encode()
    assert "\\u0000" not in kept


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.sampled_from([*PIECES, "a: ", "- ", "\n", "\n", "b = ", "'", "[a]\n", "{x: 1}", "1", "no"]), max_size=25
    )
)
def test_any_front_matter_leaves_the_body(parse: "Parse", parts: list[str]) -> None:
    inner = "".join(parts)
    for fence in ("---", "+++"):
        document = parse(f"{fence}\n{inner}\n{fence}\n\nthe last paragraph\n")
        assert document.blocks[-1].text.endswith("the last paragraph")
