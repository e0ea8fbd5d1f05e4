from hypothesis import given, settings
from hypothesis import strategies as st

from kebab.chunk.resources import ResourceChunker
from kebab.core.chunk import Chunk, ChunkPolicy
from kebab.core.span import CodePlace
from kebab.parse.resources import RESOURCE_KINDS, ResourceParser
from sample_files import assert_sound, read

LINES = st.sampled_from(
    [
        *("apiVersion: v1", "kind: Pod", "metadata:", "  name: a", "---", "FROM a AS b", "RUN x", "all: x"),
        *("\trun", "A = 1", "[a]", "[[b]]", "{", "}", '"k": {', '"k": 1,', "# c", "-- c", "<a>", "</a>", "<b/>"),
        *('resource "a" "b" {', ");", "CREATE TABLE t (", "$$", "require (", ")", "", "", "  ", "한글 낱말 여럿"),
        *("long long line here"),
    ]
)


def cut(source: str, kind: str, path: str, **policy: int) -> list[Chunk]:
    return ResourceChunker(kind).chunk(read(ResourceParser(kind), source, path), ChunkPolicy(**policy))


def symbols(chunks: list[Chunk]) -> list[str | None]:
    places = [chunk.place for chunk in chunks]
    assert all(isinstance(place, CodePlace) for place in places)
    return [place.symbol for place in places if isinstance(place, CodePlace)]


def resource(name: str, lines: int = 1) -> str:
    data = "".join(f"  key{number}: value\n" for number in range(lines))
    return f"apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {name}\ndata:\n{data}"


def test_each_resource_is_a_chunk_of_its_own() -> None:
    chunks = cut("---\n".join(resource(name) for name in "abc"), "yaml", "k8s/a.yaml")
    assert symbols(chunks) == ["ConfigMap/a", "ConfigMap/b", "ConfigMap/c"]
    assert {chunk.chunker_version for chunk in chunks} == {"k8s-manifest-resource-v1"}
    assert {chunk.place.lang for chunk in chunks if isinstance(chunk.place, CodePlace)} == {"yaml"}


def test_a_resource_beyond_the_maximum_is_cut_at_its_keys() -> None:
    chunks = cut(resource("big", 50), "yaml", "a.yaml", max_chunk_tokens=100, target_tokens=50)
    assert set(symbols(chunks)) == {"ConfigMap/big"}
    assert chunks[0].text.endswith("  name: big")
    assert chunks[1].text.startswith("data:\n  key0")
    assert all(len(chunk.text) <= 300 for chunk in chunks)


def test_a_small_file_is_one_chunk_with_the_name_of_the_file() -> None:
    (chunk,) = cut("ARG A\nFROM x AS one\nRUN y\n\nFROM z\n", "dockerfile", "app/Dockerfile")
    assert (chunk.place, chunk.chunker_version) == (CodePlace("Dockerfile", "dockerfile"), "dockerfile-file-v1")
    (chunk,) = cut("[a]\nx = 1\n[b]\ny = 1\n", "toml", "Cargo.toml")
    assert (chunk.place, chunk.chunker_version) == (CodePlace("Cargo.toml", "toml"), "manifest-file-v1")


def test_a_long_file_is_cut_by_part_and_small_neighbours_stay_together() -> None:
    tables = (
        "[package]\nname = 'a'\n[lib]\nx = 1\n[dependencies]\n"
        + "".join(f"d{n} = '1'\n" for n in range(60))
        + "[end]\nx = 1\n"
    )
    chunks = cut(tables, "toml", "Cargo.toml", target_tokens=60)
    assert symbols(chunks) == ["Cargo.toml", "[dependencies]", "[end]"]
    stages = "FROM a AS one\n" + "RUN x\n" * 60 + "FROM b AS two\n" + "RUN y\n" * 60
    assert symbols(cut(stages, "dockerfile", "Dockerfile", target_tokens=60)) == ["one", "two"]


def test_statements_without_a_name_fill_chunks() -> None:
    source = "CREATE TABLE t (a int);\n" + "INSERT INTO t VALUES (1);\n" * 100 + "CREATE TABLE u (a int);\n"
    chunks = cut(source, "sql", "a.sql", target_tokens=100)
    assert symbols(chunks) == ["table t", *[None] * (len(chunks) - 2), "table u"]
    assert 8 < len(chunks) < 16
    assert {chunk.chunker_version for chunk in chunks} == {"sql-statement-v1"}


def test_targets_blocks_and_jobs_have_versions_of_their_own() -> None:
    assert cut("a:\n\tb\n", "makefile", "Makefile")[0].chunker_version == "makefile-target-v1"
    assert cut("locals {}\n", "terraform", "a.tf")[0].chunker_version == "terraform-block-v1"
    workflow = cut("on: x\njobs:\n  a:\n    b: c\n", "yaml", ".github/workflows/a.yml")
    assert (workflow[1].chunker_version, symbols(workflow)) == ("workflow-job-v1", [None, "jobs.a"])


def test_what_has_no_unit_is_cut_by_paragraph() -> None:
    chunks = cut("a: 1\n\nb: 2\n", "yaml", "values.yaml")
    assert {chunk.chunker_version for chunk in chunks} == {"code-text-paragraph-v1"}
    assert [chunk.place for chunk in chunks] == [CodePlace(None, "yaml")] * 2
    assert cut("\n\n", "yaml", "values.yaml") == []


@settings(max_examples=200, deadline=None)
@given(st.lists(LINES, max_size=60), st.sampled_from(RESOURCE_KINDS), st.integers(3, 80), st.integers(0, 60))
def test_chunks_hold_every_word_of_the_file(lines: list[str], kind: str, target: int, more: int) -> None:
    document = read(ResourceParser(kind), "\n".join(lines), "a.file")
    policy = ChunkPolicy(target, 0, target + more)
    assert_sound(document, ResourceChunker(kind).chunk(document, policy), policy.max_chunk_tokens * 3)
