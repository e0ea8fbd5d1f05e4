import time
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Parse

MANY = 20_000


@pytest.mark.parametrize(
    "source",
    [
        "[" * MANY,
        ">" * MANY,
        "*" * MANY,
        "* " * MANY + "a",
        "(" * MANY,
        "[](" * MANY,
        "![" * MANY,
        "[[" * MANY,
        "[[a|" * MANY,
        "[[" + "`a" * MANY,
        "*a_ " * MANY,
        "<!-- " * MANY,
        "<a " * MANY,
        "- a\n" * MANY,
        "> a\n>\n" * MANY,
        "".join("  " * depth + "- a\n" for depth in range(400)),
        "|a" * 2000 + "|\n" + "|-" * 2000 + "|\n" + "|b\n" * 2000,
        "| a | b |\n|--|\n" * MANY,
        "[a]: /x\n" * MANY,
        "- a" + "\n" * MANY + "b",
        "# " + "x" * 1_000_000 + "\n" + "y\n\n" * 1000,
        "![x](data:image/png;base64," + "A" * 1_000_000 + ")",
        "\x00" * MANY,
        "---\n" + "--\n" * 3000,
    ],
    ids=lambda source: ascii(source[:8]),
)
def test_hostile_text_costs_little(parse: "Parse", source: str) -> None:
    started = time.process_time()
    document = parse(source)
    assert time.process_time() - started < 5
    assert all(len(name) <= 300 for block in document.blocks for name in block.heading_path)
    assert sum(len(str(block.payload)) for block in document.blocks) <= 1000 + 5 * len(source)


def test_one_long_line_is_one_block(parse: "Parse") -> None:
    document = parse("word " * 2_000_000)
    assert [(block.kind.value, block.span.start, block.span.end) for block in document.blocks] == [("paragraph", 1, 1)]
    assert len(document.blocks[0].text) == 10_000_000


def test_a_binary_file_is_a_document_too(parse: "Parse") -> None:
    raw = bytes((number * number * 31 + number // 7) % 256 for number in range(200_000))
    document = parse(raw)
    assert document.blocks
    assert any(warning.startswith("encoding: ") for warning in document.warnings)
    document.source_text.encode()
    document.title.encode()
