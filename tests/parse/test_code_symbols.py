import pytest
from code_samples.reading import read_code

from kebab.core.document import Document
from kebab.core.span import CodePlace


def qualified(document: Document) -> list[str]:
    return [symbol.qualified for symbol in document.symbols]


@pytest.mark.parametrize(
    ("language", "path", "root", "source", "expected"),
    [
        ("python", "src/pkg/mod.py", None, "def f(): pass", "pkg.mod.f"),
        ("python", "src/pkg/__init__.py", None, "def f(): pass", "pkg.f"),
        ("python", "__init__.py", None, "def f(): pass", "f"),
        ("python", "src.py", None, "def f(): pass", "src.f"),
        ("python", "@notes/pkg/mod.py", None, "def f(): pass", "pkg.mod.f"),
        ("python", "@notes/repo/src/mod.py", "@notes/repo", "def f(): pass", "mod.f"),
        ("python", "repo/lib/mod.py", "repo", "def f(): pass", "lib.mod.f"),
        ("python", "repository/mod.py", "repo", "def f(): pass", "repository.mod.f"),
        ("typescript", "src/Foo.ts", None, "class Foo { search() {} }", "src/Foo.Foo"),
        ("typescript", "types/a.d.ts", "", "export function f(): void;", "types/a.f"),
        ("typescript", "@types/a.ts", None, "export function f(): void;", "a.f"),
        ("javascript", "lib/a.b.mjs", None, "function f() {}", "lib/a.b.f"),
        ("go", "x/y.go", None, "package y\nfunc F() {}", "y.F"),
        ("go", "x/y.go", None, "func F() {}", "F"),
        ("java", "A.java", None, "package a . b ; class A {}", "a.b.A"),
        ("java", "A.java", None, "class A {}", "A"),
        ("kotlin", "A.kt", None, "package a.b // note\n\nclass A", "a.b.A"),
        ("rust", "src/lib.rs", None, "fn f() {}", "crate::f"),
        ("rust", "src/a/mod.rs", None, "fn f() {}", "crate::a::f"),
        ("rust", "crates/x/src/a/b.rs", None, "fn f() {}", "crate::a::b::f"),
        ("rust", "tests/it.rs", None, "fn f() {}", "crate::it::f"),
        ("c", "src/a.c", None, "int f(void) { return 0; }", "f"),
        ("cpp", "src/a.cc", None, "namespace n { void f() {} }", "n"),
    ],
)
def test_names_are_qualified_by_path_or_package(
    language: str, path: str, root: str | None, source: str, expected: str
) -> None:
    assert qualified(read_code(source, language, path, root))[0] == expected


def test_a_header_with_classes_is_read_as_cpp() -> None:
    document = read_code("#pragma once\nnamespace n {\nclass A : public B {\n  int f() const;\n};\n}\n", "c", "a.h")
    assert qualified(document) == ["n", "n::A", "n::A::f"]
    assert document.metadata.code_lang == "cpp"
    assert document.parser_version == "code-c-v1"


def test_a_header_of_c_stays_one() -> None:
    document = read_code("#ifndef A_H\n#define A_H\nint f(int class);\n#endif\n", "c", "a.h")
    assert qualified(document) == ["A_H", "f"]
    assert document.metadata.code_lang == "c"


@pytest.mark.parametrize("source", ["import os\n\nprint(os)\n", "not code, but words\n", "))))\n", "# only a comment"])
def test_a_file_without_units_is_one_block_for_paragraphs(source: str) -> None:
    document = read_code(source, "python")
    assert document.parser_version == "none-v1"
    assert [block.place for block in document.blocks] == [CodePlace(None, "python")]
    assert document.symbols == ()
    assert document.metadata.code_lang == "python"


@pytest.mark.parametrize("source", ["", "\n", " \n\t\n"])
def test_an_empty_file_has_no_blocks(source: str) -> None:
    assert read_code(source, "go").blocks == ()


def test_the_language_is_that_of_the_comments() -> None:
    korean = "# 이 함수는 두 수를 더한다.\ndef add(a, b):\n    '''더한 값을 돌려준다.'''\n    return a + b\n"
    assert read_code(korean, "python").lang == "ko"
    assert read_code("/* This is how the shelf is opened. */ void f() {}", "c").lang == "en"
    assert read_code("void the_of_and_to(int is) { for (;;) ; }", "c").lang == "und"


def test_a_broken_member_leaves_the_others() -> None:
    document = read_code(
        "class A:\n    def f(self): pass\n    def (((\n    def g(self): pass\n\nclass B: pass\n", "python"
    )
    assert {"lib.shelf.A.f", "lib.shelf.B"} <= set(qualified(document))


def test_units_on_one_line_share_a_block() -> None:
    document = read_code("int f() { return 1; } int g() {\n  return 2;\n}\nint h();\n", "c")
    assert [(block.span.start, block.span.end) for block in document.blocks] == [(1, 3), (4, 4)]
    assert qualified(document) == ["f", "g", "h"]


def test_the_title_is_the_files_name() -> None:
    assert read_code("x = 1", "python", "a/b.py").title == "b.py"


def test_what_a_function_keeps_to_itself_is_no_symbol() -> None:
    python = "def f():\n    LIMIT = 1\n    x: int = 2\n\n    class A:\n        y: int = 3\n\n        def g(self): ...\n"
    assert qualified(read_code(python, "python", "m.py")) == ["m.f", "m.f.A", "m.f.A.y", "m.f.A.g"]
    script = "function f() {\n  const a = 1;\n  this.b = () => 2;\n  function g() {}\n}\n"
    assert qualified(read_code(script, "javascript", "m.js")) == ["m.f", "m.f.g"]
