"""Definitions by name: exactly for a search, by pattern for a filter, and roughly for who half remembers one."""

import random
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from store_bench import Index

from kebab.core.ports import Repository
from kebab.core.query import Filters
from kebab.store.filters import last_part

DB = """class Store:
    def open(self):
        return 1

    def close(self):
        return 2


class BigStore:
    def open(self):
        return 3


def open_all():
    return Store().open()


def zähle_größe():
    return 4


def 셈하기():
    return 5
"""
CPP = """namespace ns {
struct Vec {
  Vec operator*(float by) const { return *this; }
  Vec operator /(float by) const { return *this; }
  float operator[](int at) const { return 0; }
  float operator()(int at) const { return 0; }
  Vec();
};
}
ns::Vec::Vec() { }
"""
GO = """package zoo

type Cage struct { size int }

func (c *Cage) Open() int { return c.size }

func (c Cage) Size() int { return c.size }
"""
YAML = """apiVersion: v1
kind: ConfigMap
metadata:
  name: app.config.v2
  namespace: prod
data:
  open: "yes"
"""


@pytest.fixture
def filled(index: Index) -> Index:
    index.put("app/db.py", DB, media="code/python", repository=Repository("shop", "main", None, ""))
    index.put("ns/vec.cpp", CPP, media="code/cpp")
    index.put("zoo/cage.go", GO, media="code/go")
    index.put("k8s/app.yaml", YAML, media="code/yaml")
    index.put("notes/open.md", "# Open\n\nWords about open and close.\n")
    return index


def named(index: Index, *names: str, **filters: tuple[str, ...]) -> list[tuple[str, int]]:
    """The chunks a filter on symbols leaves, by path and first line."""
    keys = index.store.symbols.chunks(Filters(symbols=names, **filters))  # type: ignore[arg-type]
    found = index.store.shelf.passages(keys)
    paths = index.store.shelf.names(keys)
    return sorted((paths[key][1], found[key].spans[0].start) for key in keys)


def defined(index: Index, text: str, **filters: tuple[str, ...]) -> list[str]:
    keys = index.store.symbols.definitions(text, Filters(**filters))  # type: ignore[arg-type]
    places = index.store.shelf.passages(keys)
    return [places[key].text.strip().split("\n")[0] for key in keys]


def symbols(index: Index, query: str, limit: int = 20, **filters: tuple[str, ...]) -> list[str]:
    rows = index.store.symbols.find(query, Filters(**filters), limit)  # type: ignore[arg-type]
    return [row.qualified for row in rows]


# -- filters


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("open_all", {"app/db.py"}),
        ("OPEN_ALL", {"app/db.py"}),
        ("app.db.open_all", {"app/db.py"}),
        ("db.open_all", {"app/db.py"}),
        ("b.open_all", set()),
        ("BigStore.open", {"app/db.py"}),
        ("zoo.(*Cage).Open", {"zoo/cage.go"}),
        ("(*Cage).Open", {"zoo/cage.go"}),
        ("zoo.Cage.Size", {"zoo/cage.go"}),
        ("ns::Vec::operator*", {"ns/vec.cpp"}),
        ("app.config.v2", {"k8s/app.yaml"}),
        ("prod/app.config.v2", {"k8s/app.yaml"}),
        ("ConfigMap/prod/app.config.v2", {"k8s/app.yaml"}),
        ("셈하기", {"app/db.py"}),
        (unicodedata.normalize("NFD", "셈하기"), {"app/db.py"}),
        ("zähle_größe", {"app/db.py"}),
        ("open", {"app/db.py", "zoo/cage.go"}),
        ("nothing", set()),
        ("", set()),
        (".", set()),
        ("x" * 60_000, set()),
    ],
)
def test_a_filter_takes_a_name_its_full_path_or_the_end_of_it(filled: Index, name: str, texts: set[str]) -> None:
    assert {path for path, _ in named(filled, name)} == texts


@pytest.mark.parametrize(
    ("pattern", "texts"),
    [
        ("open*", {"app/db.py", "zoo/cage.go"}),
        ("*_all", {"app/db.py"}),
        ("Store.*", {"app/db.py"}),
        ("db.*.open", {"app/db.py"}),
        ("app.*", {"app/db.py", "k8s/app.yaml"}),
        ("tore.*", set()),
        ("open%", set()),
        ("o_en*", set()),
        ("ns::*", {"ns/vec.cpp"}),
        ("*" + "x*" * 30_000, set()),
    ],
)
def test_a_star_stands_for_any_letters_and_nothing_else_does(filled: Index, pattern: str, texts: set[str]) -> None:
    assert {path for path, _ in named(filled, pattern)} == texts


def test_a_qualified_name_is_not_the_end_of_another_word(filled: Index) -> None:
    assert symbols(filled, "Store.open")[0] == "app.db.Store.open"
    key = filled.database.scalar("SELECT symbol_key FROM symbols WHERE qualified = 'app.db.Store.open'")
    assert filled.store._db.rows(
        "SELECT symbol_key FROM symbols WHERE qualified IN ('app.db.Store.open', 'app.db.BigStore.open')"
    ) != [(key,)]
    assert defined(filled, "Store.open") == defined(filled, "app.db.Store.open")


def test_any_of_the_names_and_all_of_the_other_filters(filled: Index) -> None:
    assert {path for path, _ in named(filled, "open_all", "Size")} == {"app/db.py", "zoo/cage.go"}
    assert {path for path, _ in named(filled, "open", code_langs=("go",))} == {"zoo/cage.go"}
    assert {path for path, _ in named(filled, "open", repos=("shop",))} == {"app/db.py"}
    assert named(filled, "open", path_globs=("notes/*",)) == []


def test_words_are_searched_within_the_named_chunks_only(filled: Index) -> None:
    assert filled.search("return", filters=Filters(symbols=("Size",))) == ["zoo/cage.go"]
    assert filled.search("return", filters=Filters(symbols=("nothing",))) == []
    assert filled.search("words", filters=Filters(symbols=("open",))) == []


def test_a_class_that_was_cut_is_all_of_its_chunks(index: Index) -> None:
    methods = "".join(
        f"    def method_{n}(self):\n" + "        value = 'some words that take room'\n" * 30 for n in range(40)
    )
    text = f"def before():\n    return 0\n\n\nclass Large:\n{methods}\n\ndef after():\n    return 1\n"
    made = index.put("large.py", text, media="code/python")
    of_class = [chunk.spans[0].start for chunk in made.chunks if 5 <= chunk.spans[0].start <= text.count("\n") - 3]
    assert len(of_class) > 3
    assert [line for _, line in named(index, "Large")] == of_class
    assert len(named(index, "method_3")) == 1
    assert len(named(index, "*")) == len(made.chunks)


HOSTILE = ["' OR '1'='1", "'); DROP TABLE symbols; --", "!", "a!%b", "?", "\x00", "*'*", "[a-z]*"]


@pytest.mark.parametrize("name", HOSTILE)
def test_names_are_bound_never_read_as_sql(filled: Index, name: str) -> None:
    before = filled.store.symbols.count()
    assert named(filled, name) == []
    assert defined(filled, name) == []
    assert isinstance(symbols(filled, name), list)
    assert filled.store.symbols.count() == before


# -- what a query defines


def test_a_name_written_like_code_gives_all_of_its_definitions_best_spelt_first(index: Index) -> None:
    index.put("a.py", "def Load_it():\n    return 1\n", media="code/python")
    index.put("b.py", "def load_it():\n    return 2\n", media="code/python")
    assert defined(index, "load_it") == ["def load_it():", "def Load_it():"]
    assert defined(index, "Load_it()") == ["def Load_it():", "def load_it():"]


def test_a_plain_word_gives_one_definition(index: Index) -> None:
    for name in ("a", "b", "c"):
        index.put(f"{name}.py", "def reload():\n    return 1\n", media="code/python")
    assert len(defined(index, "reload")) == 1
    assert len(defined(index, "reload()")) == 3
    assert len(defined(index, "a.reload")) == 1


@pytest.mark.parametrize("text", ["", "   ", "two words", '"open"', "nothing_here", "open*", "*", "x" * 300])
def test_what_is_no_name_or_nobody_defines_gives_nothing(filled: Index, text: str) -> None:
    assert defined(filled, text) == []


@pytest.mark.parametrize("name", ["operator*", "Vec::operator*", "operator[]", "ns::Vec::operator()", "operator/"])
def test_operators_are_names_however_their_source_is_spaced(filled: Index, name: str) -> None:
    assert defined(filled, name) == ["namespace ns {"]
    assert symbols(filled, name)[0] == f"ns::Vec::{last_part(name)}"


def test_a_receiver_is_pasted_back_as_it_was_shown(filled: Index) -> None:
    (shown,) = symbols(filled, "zoo.(*Cage).Open")[:1]
    assert shown == "zoo.(*Cage).Open"
    assert defined(filled, shown) == ["func (c *Cage) Open() int { return c.size }"]


def test_a_type_comes_before_what_bears_its_name(index: Index) -> None:
    index.put("a.cpp", "Vec::Vec() { }\n", media="code/cpp")
    index.put("b.cpp", "class Vec {\n  int size;\n  Vec();\n};\n", media="code/cpp")
    assert defined(index, "Vec::Vec")[0] == "Vec::Vec() { }"
    assert defined(index, "Vec") == ["class Vec {"]
    assert index.store.symbols.find("Vec", Filters(), 1)[0].kind == "class"


def test_filters_narrow_definitions_down_to_chunks(filled: Index) -> None:
    assert defined(filled, "open()", code_langs=("go",)) == ["func (c *Cage) Open() int { return c.size }"]
    assert defined(filled, "open_all", symbols=("셈하기",)) == []
    assert defined(filled, "open_all", symbols=("open_all",)) == ["def open_all():"]


def test_of_too_many_definitions_the_same_are_kept_however_the_index_grew(index: Index) -> None:
    names = [f"m{number:03d}.py" for number in range(230)]
    random.Random(3).shuffle(names)
    for name in names:
        index.put(name, f"# {name}\ndef run_it():\n    return 1\n", media="code/python")
    assert defined(index, "run_it") == [f"# m{number:03d}.py" for number in range(200)]


# -- roughly


def test_the_nearest_name_comes_first(index: Index) -> None:
    names = ["parse", "Parse", "parser", "reparse", "p_a_r_s_e", "sparse_parse"]
    index.put("a.py", "".join(f"def {name}():\n    pass\n\n\n" for name in names), media="code/python")
    found = symbols(index, "parse")
    assert found == ["a.parse", "a.Parse", "a.parser", "a.reparse", "a.sparse_parse", "a.p_a_r_s_e"]
    assert symbols(index, "parse", 2) == found[:2]
    assert symbols(index, "PARSE")[0] in ("a.parse", "a.Parse")


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("opn_al", "app.db.open_all"),
        ("opne_all", "app.db.open_all"),
        ("Stroe", "app.db.Store"),
        ("BgStore", "app.db.BigStore"),
        ("db.opne_all", "app.db.open_all"),
        ("BigStore.opn", "app.db.BigStore.open"),
        ("셈하", "app.db.셈하기"),
        ("(*Cage).Open", "zoo.(*Cage).Open"),
        ("config.v2", "ConfigMap/prod/app.config.v2"),
        ("BigStore open", "app.db.BigStore.open"),
        ("open_all()", "app.db.open_all"),
        ("BigStore.*", "app.db.BigStore.open"),
        ("*_all", "app.db.open_all"),
    ],
)
def test_parts_letters_in_order_and_misspelt_names_find_it(filled: Index, query: str, first: str) -> None:
    assert symbols(filled, query)[0] == first


@pytest.mark.parametrize("query", ["qqqq", "%", "_" * 30, "!", "'", "x" * 60_000, "zzz.open_all.zzz"])
def test_what_is_like_nothing_finds_nothing(filled: Index, query: str) -> None:
    assert symbols(filled, query) == []


def test_without_a_name_all_are_listed_by_file_and_line(filled: Index) -> None:
    rows = filled.store.symbols.find("", Filters(), 1000)
    assert [(row.doc_path, row.line) for row in rows] == sorted((row.doc_path, row.line) for row in rows)
    assert len(rows) == filled.store.symbols.count()
    assert {row.repo for row in rows if row.doc_path == "app/db.py"} == {"shop"}
    assert symbols(filled, "", code_langs=("go",)) == ["zoo.Cage", "zoo.(*Cage).Open", "zoo.Cage.Size"]


def test_a_filter_on_names_leaves_these_names(filled: Index) -> None:
    assert symbols(filled, "", symbols=("Store.*",)) == ["app.db.Store.open", "app.db.Store.close"]
    assert symbols(filled, "open", symbols=("BigStore.*",)) == ["app.db.BigStore.open"]
    assert symbols(filled, "open", symbols=("close",)) == []


def test_an_exact_name_is_not_lost_among_very_many_that_hold_its_letters(index: Index) -> None:
    long = "".join(f"int aaaa_{number}_filler;\n" for number in range(21_000))
    index.put("long.c", long, media="code/c")
    index.put("z.c", "int a(void) { return 1; }\n", media="code/c")
    assert symbols(index, "a")[0] == "a"


# -- the life of rows


def test_symbols_go_with_their_document_and_are_replaced_with_it(filled: Index) -> None:
    filled.put("app/db.py", "def only_one():\n    return 1\n", media="code/python")
    assert symbols(filled, "", path_globs=("app/*",)) == ["app.db.only_one"]
    filled.store.documents.drop("app/db.py")
    assert symbols(filled, "only_one") == []
    for path in ("ns/vec.cpp", "zoo/cage.go", "k8s/app.yaml"):
        filled.store.documents.drop(path)
    assert filled.count("symbols") == 0


def test_each_symbol_stands_in_its_chunk(filled: Index) -> None:
    rows = filled.database.rows(
        """SELECT s.name, s.line, c.source_spans_json ->> '$[0][0]', c.source_spans_json ->> '$[#-1][1]'
           FROM symbols s JOIN chunks c USING (chunk_key)"""
    )
    assert rows
    assert [name for name, line, first, last in rows if not first <= line <= last] == []


@settings(max_examples=200)
@given(st.text(max_size=40))
def test_the_last_part_of_a_name_ends_it(name: str) -> None:
    assert name.endswith(last_part(name))
    assert bool(last_part(name)) == bool(name)
    assert last_part(last_part(name)) == last_part(name)
