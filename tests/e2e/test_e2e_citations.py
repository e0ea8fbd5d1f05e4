"""A citation can be followed: the cited lines of the file hold the chunk, and the hit says when the file moved on."""

import re
import unicodedata
from pathlib import Path

import apsw
import pytest
from kebab_process import Json, answer, kebab, plant, search, settle, side_by_side, well, write_config

from kebab.core.citation import LineCitation, parse_citation
from kebab.core.text import decode, nfc, split_lines

QUERIES = (
    "압력밥솥 현미밥 물 비율",
    "김치찌개 두부 보관",
    "커피머신 석회 제거",
    "제주 여행 일정",
    "수면 기록 실험 결과",
    "restore the postgres backup",
    "router snapshot NAS",
    "running plan eight weeks",
    "sourdough starter flour",
    "packing list jacket",
)

MARKS = re.compile(r"\]\([^)\n]*\)|\[\[[^\]|\n]*\||[\[\]`*~]")


def cited_lines(root: Path, citation: Json) -> str:
    """What stands in the file at the place a citation names, lines counted as an editor counts them."""
    place = parse_citation(citation["uri"])
    assert isinstance(place, LineCitation)
    assert (place.path, place.start, place.end) == (citation["path"], citation["start"], citation["end"])
    files = {nfc(str(path.relative_to(root))): path for path in root.rglob("*.md")}
    lines = split_lines(decode(files[place.path].read_bytes()).text)
    assert 1 <= place.start <= place.end <= len(lines)
    return "".join(f"{line}\n" for line in lines[place.start - 1 : place.end])


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text)


@pytest.fixture(scope="module")
def hits(library: Path) -> list[Json]:
    found = side_by_side(lambda query: search(library, query, "--source", "default", "--k", "5"), QUERIES)
    return list({hit["chunk_id"]: hit for each in found.values() for hit in each}.values())


@pytest.fixture(scope="module")
def chunks(library: Path, hits: list[Json]) -> dict[str, Json]:
    """Every fourth chunk as `inspect` shows it."""
    return side_by_side(
        lambda chunk: answer(library, "inspect", "chunk", chunk), [hit["chunk_id"] for hit in hits[::4]]
    )


def texts(database: Path) -> dict[str, str]:
    """Every chunk's text as it is stored; a process for each of them would take too long."""
    connection = apsw.Connection(str(database), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        return dict(connection.execute("SELECT chunk_id, text FROM chunks").fetchall())
    finally:
        connection.close()


def test_the_chunk_is_exactly_in_the_cited_lines(library: Path, hits: list[Json]) -> None:
    stored = texts(library / ".local/share/kebab/kebab.sqlite")
    assert len(hits) >= 40
    assert {"ko", "en"} <= {doc["lang"] for doc in answer(library, "list", "docs")["docs"]}
    for hit in hits:
        text, lines = stored[hit["chunk_id"]], cited_lines(library / "notes", hit["citation"])
        assert text
        assert text in lines, hit["citation"]["uri"]


def test_no_cited_line_lies_outside_the_chunk(library: Path, hits: list[Json]) -> None:
    stored = texts(library / ".local/share/kebab/kebab.sqlite")
    for hit in hits:
        lines = cited_lines(library / "notes", hit["citation"]).splitlines()
        text = stored[hit["chunk_id"]]
        assert lines[0].strip()[:40] in text, hit["citation"]["uri"]
        assert lines[-1].strip()[-40:] in text, hit["citation"]["uri"]


def test_the_words_of_the_snippet_are_in_the_cited_lines(library: Path, hits: list[Json]) -> None:
    for hit in hits:
        lines = cited_lines(library / "notes", hit["citation"])
        # A snippet is free of Markdown's marks, and a Korean particle follows the mark without a space.
        readable = MARKS.sub("", lines)
        missing = [word for word in words(hit["snippet"]) if word not in lines and word not in readable]
        assert missing == [], hit["citation"]["uri"]


def test_the_hit_the_stored_and_the_inspected_chunk_agree(
    library: Path, hits: list[Json], chunks: dict[str, Json]
) -> None:
    stored = texts(library / ".local/share/kebab/kebab.sqlite")
    assert len(chunks) >= 10
    for hit in hits:
        assert hit["citation"]["freshness"] == "fresh"
        assert hit["citation"]["stale"] is hit["stale"] is False
        if hit["chunk_id"] not in chunks:
            continue
        chunk = chunks[hit["chunk_id"]]
        assert chunk["text"] == stored[hit["chunk_id"]]
        assert {name: chunk[name] for name in ("doc_id", "doc_path", "heading_path", "chunker_version")} == {
            name: hit[name] for name in ("doc_id", "doc_path", "heading_path", "chunker_version")
        }
        spans = chunk["source_spans"]
        assert (spans[0]["start"], spans[-1]["end"]) == (hit["citation"]["start"], hit["citation"]["end"])


ODD = {
    "crlf.md": "# Windows\r\n\r\nfirst wombat line\r\nsecond line\r\n\r\n## Next\r\n\r\nlast wombat line\r\n",
    "cr.md": "# Old Mac\r\rfirst wombat line\r\r## Next\r\rlast wombat line\r",
    "separators.md": "# Separators\n\na\u2028b\u2029c\u0085d\x0be\x0cf wombat\n\n## Next\n\nlast wombat line\n",
    "bom.md": "\ufeff# Mark\n\nfirst wombat line\n",
    "no-newline.md": "# End\n\nfirst wombat line",
    "front.md": "---\ntitle: Wombat\ntags: [a]\n---\n\n\n# Below\n\nfirst wombat line\n",
    unicodedata.normalize("NFD", "분해/가나.md"): unicodedata.normalize("NFD", "# 가나\n\nwombat 분해된 글자\n"),
    "name with space, #hash & 100%.md": "# Name\n\nfirst wombat line\n",
    "long.md": "# Long\n\n" + "".join(f"Wombat number {n} dug hole {n * 7}.\n\n" for n in range(400)),
    "code.md": "# Code\n\n```python\n" + "".join(f"wombat_{n} = {n}\n" for n in range(900)) + "```\n",
    "table.md": "# Table\n\n| a | b |\n|---|---|\n" + "".join(f"| wombat {n} | {n} |\n" for n in range(300)),
    "list.md": "# List\n\n" + "".join(f"- wombat {n}\n  - below {n}\n\n    more of {n}\n" for n in range(200)),
    "quote.md": "# Quote\n\n> a wombat\n> said\n>\n> > so\n\nand left\n",
    "setext.md": "Wombat\n======\n\ntext\n\nPart\n----\n\nwombat again\n",
}


def test_citations_are_true_for_odd_newlines_names_and_sizes(tmp_path: Path) -> None:
    config = write_config(tmp_path / "kebab.toml")
    root = tmp_path / "notes"
    for name, text in ODD.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    well(kebab(tmp_path, "ingest", "--quiet", "--config", config))
    found = search(tmp_path, "wombat", "--k", "1000", "--config", str(config))
    assert {hit["doc_path"] for hit in found} == {nfc(name) for name in ODD}
    stored = texts(tmp_path / "data/kebab.sqlite")
    assert len(found) > 2 * len(ODD)
    for hit in found:
        assert stored[hit["chunk_id"]] in cited_lines(root, hit["citation"]), hit["citation"]["uri"]


def test_freshness_follows_the_file_without_another_ingest(bare: Path) -> None:
    well(kebab(bare, "ingest", "--quiet"))
    note = bare / "notes/rice.md"

    def state() -> str:
        freshness: str = search(bare, "brown rice")[0]["citation"]["freshness"]
        return freshness

    assert state() == "fresh"
    text = note.read_text(encoding="utf-8")
    note.touch()
    assert state() == "fresh", "a new time alone changes nothing"
    note.write_text(text.replace("brown", "black"), encoding="utf-8")
    assert state() == "changed", "the same size, another word"
    note.unlink()
    assert state() == "missing"
    assert "(missing since indexed)" in well(kebab(bare, "search", "brown rice")).out
    listed = {doc["doc_path"]: doc["freshness"] for doc in answer(bare, "list", "docs")["docs"]}
    assert (listed["rice.md"], listed["dev/backup.md"]) == ("missing", "fresh")
    plant(bare / "notes", {"rice.md": text})
    settle(note)
    assert state() == "fresh", "it is back as it was"


def test_a_citation_stays_in_the_lines_after_the_note_is_edited_and_ingested_again(bare: Path) -> None:
    well(kebab(bare, "ingest", "--quiet"))
    note = bare / "notes/rice.md"
    note.write_text("\n\nA new beginning.\n\n" + note.read_text(encoding="utf-8"), encoding="utf-8")
    well(kebab(bare, "ingest", "--quiet"))
    hit = search(bare, "two cups of water")[0]
    assert "two cups of water" in cited_lines(bare / "notes", hit["citation"])
    assert answer(bare, "inspect", "chunk", hit["chunk_id"])["text"] in cited_lines(bare / "notes", hit["citation"])
