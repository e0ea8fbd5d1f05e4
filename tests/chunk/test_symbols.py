from typing import Any

import pytest

from kebab.chunk.parts import MAX_LINES
from kebab.chunk.symbols import SymbolChunker
from kebab.core.chunk import Chunk, ChunkPolicy
from kebab.core.span import CodePlace
from kebab.core.text import split_lines
from parse.code_samples.reading import LANGUAGES, read_code, sample


def cut(source: str, language: str = "python", path: str = "", **policy: Any) -> list[Chunk]:
    settings = {"overlap_tokens": 0, **policy}
    return SymbolChunker(language).chunk(read_code(source, language, path), ChunkPolicy(**settings))


def method(name: str, lines: int = 12) -> str:
    body = "".join(f"        self.value_{number} = {number}\n" for number in range(lines))
    return f"    def {name}(self):\n{body}\n"


def labels(chunks: list[Chunk]) -> list[str | None]:
    return [chunk.section_label for chunk in chunks]


def test_versions_bear_the_short_names_of_languages() -> None:
    versions = [SymbolChunker(name).version for name in ("rust", "python", "typescript", "javascript", "cpp")]
    assert versions == ["code-rust-ast-v1", "code-python-ast-v1", "code-ts-ast-v1", "code-js-ast-v1", "code-cpp-ast-v1"]


def test_a_class_that_fits_is_one_chunk() -> None:
    chunks = cut("import os\n\nclass A:\n    def f(self): ...\n    def g(self): ...\n\ndef h(): ...\n")
    assert labels(chunks) == ["<module>", "lib.shelf.A", "lib.shelf.h"]
    assert chunks[1].text == "class A:\n    def f(self): ...\n    def g(self): ..."
    assert chunks[1].place == CodePlace("lib.shelf.A", "python")


def test_a_class_that_does_not_fit_is_its_header_and_its_members() -> None:
    chunks = cut("class A(B):\n    '''Doc.'''\n" + method("f") + method("g"), target_tokens=100)
    assert labels(chunks) == ["lib.shelf.A", "lib.shelf.A.f", "lib.shelf.A.g"]
    assert [chunk.heading_path for chunk in chunks] == [("A",), ("class A(B)", "f"), ("class A(B)", "g")]


def test_a_nested_class_stays_whole_when_only_the_outer_one_is_too_long() -> None:
    source = "class A:\n    class B:\n        def x(self): ...\n        def y(self): ...\n" + method("f") + method("g")
    assert labels(cut(source, target_tokens=100)) == ["lib.shelf.A", "lib.shelf.A.B", "lib.shelf.A.f", "lib.shelf.A.g"]


def test_a_closing_brace_joins_what_is_before_it() -> None:
    members = "".join(f"    int f{number}() {{\n{'        go();' * 30}\n    }}\n" for number in range(3))
    chunks = cut(f"class A {{\n{members}}};\n", "cpp", target_tokens=100)
    assert labels(chunks) == ["A", "A::f0", "A::f1", "A::f2"]
    assert chunks[-1].text.endswith("    }\n};")


def test_short_neighbours_share_a_chunk() -> None:
    source = "#include <a.h>\n\n#define A 1\nint f(void);\nint g(void);\n\nint h(void) { return 1; }\n"
    chunks = cut(source, "c")
    assert labels(chunks) == ["<top-level>", "h"]
    assert chunks[0].place == CodePlace("<top-level>", "c")
    fields = "".join(f"    x{number}: int = {number}\n" for number in range(40))
    chunks = cut("class A:\n" + fields + method("f", 60), target_tokens=150)
    assert set(labels(chunks)) == {"lib.shelf.A", "lib.shelf.A.f"}
    assert len(chunks) < 8


def test_a_short_unit_alone_bears_its_own_name() -> None:
    assert labels(cut("LIMIT = 3\n\ndef f(): ...\n")) == ["lib.shelf.LIMIT", "lib.shelf.f"]


def test_a_long_function_is_cut_at_blank_lines() -> None:
    body = "".join(f"    step({number})\n" + ("\n" if number % 30 == 29 else "") for number in range(300))
    chunks = cut(f"def f():\n{body}")
    assert labels(chunks) == ["lib.shelf.f [part 1/2]", "lib.shelf.f [part 2/2]"]
    assert chunks[1].text.startswith("    step(180)\n")
    assert {chunk.place for chunk in chunks} == {CodePlace("lib.shelf.f", "python")}
    assert all(chunk.text.count("\n") < MAX_LINES for chunk in chunks)


def test_a_bundle_on_one_line_obeys_the_maximum() -> None:
    chunks = cut("function f(a){return a+1};" * 4000, "javascript", max_chunk_tokens=600)
    assert len(chunks) > 50
    assert all(chunk.token_estimate <= 600 for chunk in chunks)
    assert {chunk.spans[0] for chunk in chunks} == {(1, 1)}
    assert chunks[0].section_label == f"src/lib/shelf.f [part 1/{len(chunks)}]"


def test_a_file_without_units_is_cut_by_paragraphs() -> None:
    chunks = cut("import os\n\nprint(os)\n")
    assert {chunk.chunker_version for chunk in chunks} == {"code-text-paragraph-v1"}
    assert {chunk.place for chunk in chunks} == {CodePlace(None, "python")}


@pytest.mark.parametrize("name", LANGUAGES)
@pytest.mark.parametrize("target", [20, 120, 500])
def test_every_symbol_is_defined_in_the_chunk_that_holds_its_line(name: str, target: int) -> None:
    document = read_code(sample(name), LANGUAGES[name])
    lines = split_lines(document.source_text)
    chunks = SymbolChunker(LANGUAGES[name]).chunk(document, ChunkPolicy(target, 0, max(target, 400)))
    for symbol in document.symbols:
        (holder,) = [chunk for chunk in chunks if chunk.spans[0].start <= symbol.line <= chunk.spans[0].end]
        assert lines[symbol.line - 1].strip() in holder.text
