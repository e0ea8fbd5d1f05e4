import sys
from collections.abc import Iterator

import pytest
from code_samples.reading import read_code

from kebab.core.text import split_lines
from kebab.parse.code import fetching, grammar, parser, units
from kebab.parse.code.units import MAX_DEPTH
from kebab.parse.worker import Worker

DEEP = 100_000
NESTED = grammar.MAX_NESTING - 10


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    made = Worker(fetching.LIMITS, fetching.NAME)
    yield made
    made.close()


@pytest.mark.parametrize(
    ("language", "source"),
    [
        ("python", "(" * DEEP),
        ("python", "x = " * DEEP),
        ("python", "@a\n" * 20_000 + "def f(): pass"),
        ("rust", "mod a {\n" * DEEP),
        ("rust", "/*" * DEEP),
        ("javascript", "function f() {" * DEEP),
        ("javascript", "a=>" * DEEP),
        ("javascript", "var a = 1;" * 30_000),
        ("typescript", "class A {" * 40_000),
        ("go", "type A struct {" * 20_000),
        ("java", "class A {\n" * DEEP),
        ("kotlin", "class A {" * 50_000),
        ("c", "#if A\n" * 20_000 + "int x;\n" + "#endif\n" * 20_000),
        ("c", "int " + "*" * DEEP + "x;"),
        ("cpp", "namespace a {\n" * DEEP + "}\n" * DEEP),
        ("cpp", "int " + "a::" * 20_000 + "f() {}"),
        ("cpp", "/*" * DEEP),
        ("rust", "mod a {\n" * NESTED),
        ("typescript", "class A {" * NESTED),
        ("java", "class A {\n" * NESTED + "}\n" * NESTED),
        ("java", "a<" * NESTED),
        ("java", "a<" * DEEP),
        ("cpp", "namespace a {\n" * NESTED + "}\n" * NESTED),
        ("cpp", "(a)*" * 150_000),
    ],
    ids=lambda value: ascii(value[:16]),
)
def test_hostile_text_is_kept_whole_and_the_worker_lives_on(worker: Worker, language: str, source: str) -> None:
    before = worker.pid
    document = read_code(source, language, worker=worker)
    assert before in (None, worker.pid)
    held = sum(block.span.end - block.span.start + 1 for block in document.blocks)
    assert held == len(split_lines(source))
    assert all(len(block.heading_path) <= MAX_DEPTH + 1 for block in document.blocks)
    assert all(len(symbol.qualified) <= 130 * (MAX_DEPTH + 2) for symbol in document.symbols)


def test_a_tree_that_costs_too_much_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grammar, "_SECONDS", 0.05)
    document = read_code("'a " * 40_000 + "\nfn f() {}\n", "rust")
    assert document.parser_version == "none-v1"
    assert document.warnings == ("structure not read: it would cost too much",)
    assert [(block.span.start, block.span.end) for block in document.blocks] == [(1, 2)]


def test_a_tree_that_takes_too_much_memory_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = iter(range(0, 1 << 40, 1 << 26))
    monkeypatch.setattr(grammar, "memory_in_use", lambda: next(taken))
    assert read_code("int f();\n" * 10_000, "cpp").parser_version == "none-v1"


@pytest.mark.skipif(sys.platform != "linux", reason="other systems tell only the most a process ever held")
def test_memory_that_was_given_back_is_not_counted() -> None:
    size = 64 << 20
    before = grammar.memory_in_use()
    held = bytearray(b"x") * size
    assert grammar.memory_in_use() > before + size * 3 // 4
    del held
    assert grammar.memory_in_use() < before + size // 4


def test_many_lines_and_long_lines_are_read() -> None:
    document = read_code("def f():\n    return 1\n\n\n" * 10_000, "python")
    assert len(document.blocks) == len(document.symbols) == 10_000
    bundle = read_code("function f(a){return a+1}" * 20_000, "javascript")
    assert len(bundle.blocks) == 1
    assert len(bundle.symbols) == 20_000


def test_a_binary_file_is_a_document_too() -> None:
    raw = bytes((number * number * 31 + number // 7) % 256 for number in range(50_000))
    document = read_code(raw, "cpp")
    assert document.blocks
    assert any(warning.startswith("encoding: ") for warning in document.warnings)


def test_the_structure_of_a_huge_file_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parser, "MAX_BYTES", 1000)
    document = read_code("int a;\n" * 200, "c")
    assert document.warnings == ("structure not read: the file is too large",)
    assert document.parser_version == "none-v1"


def test_a_file_of_countless_definitions_is_text_beyond_the_first_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (units, fetching, parser):
        monkeypatch.setattr(module, "MAX_UNITS", 50)
    document = read_code("int a;\n" * 200, "c")
    assert len(document.symbols) == 50
    assert [(block.span.start, block.span.end) for block in document.blocks[-2:]] == [(50, 50), (51, 200)]
    assert document.warnings == ("structure read up to line 50: too many definitions",)


def test_brackets_are_counted_as_far_as_they_stand_open() -> None:
    assert grammar.nests_deeper(b"f(" * 30, 20)
    assert grammar.nests_deeper(b"a<b" * 30, 20)
    assert not grammar.nests_deeper(b"f() [] {} >" * 30, 20)
    assert not grammar.nests_deeper(b"a < b;" * 30, 20)


def test_what_fails_on_a_deep_stack_fails_where_it_was_asked_for() -> None:
    assert grammar.on_deep_stack(lambda: 7, 1 << 20) == 7
    with pytest.raises(ZeroDivisionError):
        grammar.on_deep_stack(lambda: 1 // 0, 1 << 20)
