"""Whatever lies in a folder ends as a document or as one counted, explained skip, in bounded time and memory."""

import os
import subprocess
import sys
import time
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import pytest
from kebab_process import Done, Json, answer, environment, kebab, objects, plant, search, well, write_config

MEMORY = 2 << 30
SECONDS = 60
LIMITED = f"""
import resource, runpy, sys
resource.setrlimit(resource.RLIMIT_AS, ({MEMORY}, {MEMORY}))
sys.argv[0] = "kebab"
runpy.run_module("kebab", run_name="__main__", alter_sys=True)
"""


def nested_list(depth: int) -> bytes:
    return b"".join(b" " * (2 * level) + b"- item\n" for level in range(depth))


def alias_bomb() -> bytes:
    lines = [b"a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n"]
    lines += [b"a%d: &a%d [%s]\n" % (n, n, b", ".join([b"*a%d" % (n - 1)] * 9)) for n in range(1, 10)]
    return b"---\n" + b"".join(lines) + b"---\n"


# What stands before the word by which the file has to be found again: "needle" and the name without its end.
CONTENT = {
    "brackets": b"[" * 100_000 + b"\n\n",
    "pairs": b"[" * 50_000 + b"]" * 50_000 + b"\n\n",
    "openlinks": b"[a](" * 50_000 + b"\n\n",
    "images": b"![" * 50_000 + b"\n\n",
    "quotes": b">" * 100_000 + b" deep\n\n",
    "spacedquotes": b"> " * 50_000 + b"deep\n\n",
    "lists": nested_list(1_500) + b"\n\n",
    "inlinelists": b"- " * 50_000 + b"deep\n\n",
    "numbers": b"1. " * 30_000 + b"deep\n\n",
    "emphasis": b"*a **a _b __b " * 10_000 + b"\n\n",
    "backticks": b" ".join(b"`" * n for n in range(1, 800)) + b"\n\n",
    "comments": b"<!-- " * 30_000 + b"\n\n",
    "tags": b"<a " * 30_000 + b"\n\n",
    "entities": b"&#x1F959;&amp;&nosuch; " * 10_000 + b"\n\n",
    "table": b"|" * 50_000 + b"\n" + b"|-" * 25_000 + b"|\n\n",
    "references": b"".join(b"[r%d]: /x\n" % n for n in range(20_000)) + b"\n\n",
    "footnotes": b"".join(b"[^%d]: see [^%d]\n\n" % (n, n + 1) for n in range(3_000)),
    "fence": b"```\n" * 20_001 + b"\n",
    "headings": b"".join(b"#" * (n % 6 + 1) + b" h%d\n" % n for n in range(3_000)) + b"\n",
    "carriages": b"a\r" * 30_000 + b"\n\n",
    "nul": b"# nul\x00title\n\ntext \x00\x00 after\n\n",
    "invalid": b"# bad \xff\xfe\xfa\n\ntext \x80\x81 caf\xe9\n\n",
    "surrogates": b"# lone \xed\xa0\x80 \xf4\x90\x80\x80 \xc0\xaf\n\n",
    "bom": b"\xef\xbb\xbf# with a mark\n\n",
    "controls": bytes(range(1, 32)) * 50 + b"\n\n",
    "frontmatter": b"---\ntitle: large\ndata: " + b"a" * 1_000_000 + b"\n---\n\n",
    "manykeys": b"---\n" + b"".join(b"k%d: v\n" % n for n in range(20_000)) + b"---\n\n",
    "aliases": alias_bomb() + b"\n",
    "yamldepth": b"---\na: " + b"[" * 24_000 + b"]" * 24_000 + b"\n---\n\n",
    "yamlflow": b"---\na: " + b"{a: " * 24_000 + b"1" + b"}" * 24_000 + b"\n---\n\n",
    "yamlblock": b"---\n" + b"- " * 24_000 + b"x\n---\n\n",
    "tomldepth": b"+++\na = " + b"[" * 24_000 + b"]" * 24_000 + b"\n+++\n\n",
    "yamltag": b"---\n!!python/object/apply:os.system ['true']\n---\n\n",
    "yamltypes": b"---\ntitle: [no]\ntags: 3\ncreated: 2026-99-99\ntrust: {a: b}\nlang: 12:30:45\n---\n\n",
    "unclosed": b"---\ntitle: never closed\n\n",
}
ENCODED = {
    "utf16": "\ufeff# 제목\n\n본문 needleutf16\n".encode("utf-16-le"),
    "utf16be": "\ufeff# 제목\n\n본문 needleutf16be\n".encode("utf-16-be"),
    "utf32": "\ufeff# 제목\n\n본문 needleutf32\n".encode("utf-32-le"),
    "cp949": "# 제목\n\n옛 노트 needlecp949\n".encode("cp949"),
    "halfutf16": "\ufeff# Half\n\nneedlehalfutf16\n".encode("utf-16-le") + b"\x00",
}
EMPTY = {"empty": b"", "spaces": b" \n\t\n   \n", "onlymark": b"\xef\xbb\xbf", "onlyrule": b"---\n---\n"}
# Names that are text stay reachable under that name; the others are skipped, with the reason.
NAMES = {
    "a b  c.md": "needlespaces",
    "#hash.md": "needlehash",
    "100%25.md": "needlepercent",
    "quote\"'`.md": "needleapostrophe",
    "emoji 🥙.md": "needleemoji",
    "-rf.md": "needledash",
    "semi;colon&$(x).md": "needlesemi",
    "*[glob]?.md": "needleglob",
    unicodedata.normalize("NFD", "한글 이름.md"): "needlenfd",
    "x" * 250 + ".md": "needlelong",
    "/".join(["deep"] * 60) + "/down.md": "needledown",
}
BAD_NAMES = (b"new\nline.md", b"stray\xff\xfebytes.md", b"esc\x1b[31m.md", b"back\\slash.md")


class Run(NamedTuple):
    home: Path
    config: Path
    report: Json
    seconds: float


def limited(home: Path, config: Path) -> Run:
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, "ingest", "--json", "--config", str(config)],
        env=environment(home),
        capture_output=True,
        timeout=120,
        check=False,
    )
    report = objects(well(Done(done.returncode, done.stdout.decode(), done.stderr.decode())))[-1]
    assert done.stderr == b""
    return Run(home, config, report, time.monotonic() - began)


def plant_hostile(root: Path) -> None:
    plant(root, {"good.md": "# Good\n\nneedlegood\n"})
    for name, content in {**CONTENT, **ENCODED, **EMPTY}.items():
        ending = f"needle{name}\n".encode() if name in CONTENT else b""
        (root / f"{name}.md").write_bytes(content + ending)
    for path, needle in NAMES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(f"# Name\n\n{needle}\n", encoding="utf-8")
    for raw in BAD_NAMES:
        with open(os.fsencode(root) + b"/" + raw, "wb") as out:  # noqa: PTH123 - no text, so no Path
            out.write(b"# never read\n")
    os.mkfifo(root / "pipe.md")
    (root / "loop").symlink_to(root)
    (root / "self.md").symlink_to("self.md")
    (root / "gone.md").symlink_to("nowhere.md")
    (root / "device.md").symlink_to("/dev/zero")
    (root / "x.md").mkdir()
    if os.geteuid() != 0:
        (root / "unreadable.md").write_text("# closed\n", encoding="utf-8")
        (root / "unreadable.md").chmod(0)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Run, Run]:
    """The hostile folder, and a single line of 50 MB by itself; at the same time, as both take a while."""
    homes = [tmp_path_factory.mktemp(name) for name in ("hostile", "line")]
    configs = [write_config(home / "kebab.toml") for home in homes]
    plant_hostile(homes[0] / "notes")
    plant(homes[1] / "notes", {"line.md": "x" * (50 * 1024 * 1024 - 12) + " needleline\n"})
    with ThreadPoolExecutor(2) as pool:
        hostile, line = pool.map(limited, homes, configs)
    return hostile, line


@pytest.fixture(scope="module")
def hostile(runs: tuple[Run, Run]) -> Run:
    return runs[0]


@pytest.fixture(scope="module")
def items(hostile: Run) -> dict[str, Json]:
    return {item["doc_path"]: item for item in hostile.report["items"]}


@pytest.mark.parametrize("name", [*CONTENT, *ENCODED, *EMPTY])
def test_hostile_content_is_stored_or_its_failure_explained(name: str, items: dict[str, Json]) -> None:
    item = items[f"{name}.md"]
    assert item["kind"] in ("new", "error")
    assert (item["kind"] == "error") is bool(item["error"])
    assert "Error" not in (item["error"] or ""), "a reason for people, not the name of an exception"


def test_every_file_is_counted_once_and_the_run_succeeds(hostile: Run, items: dict[str, Json]) -> None:
    report = hostile.report
    assert report["new"] + report["errors"] == len(items)
    stored = len(CONTENT) + len(ENCODED) + len(EMPTY) + len(NAMES) + 1
    assert len(items) == stored + (os.geteuid() != 0)
    assert hostile.seconds < SECONDS


def test_no_text_becomes_unsearchable(hostile: Run, items: dict[str, Json]) -> None:
    needles = {f"{name}.md": f"needle{name}" for name in (*CONTENT, *ENCODED)}
    needles |= {unicodedata.normalize("NFC", path): needle for path, needle in NAMES.items()} | {
        "good.md": "needlegood"
    }
    wanted = {path: needle for path, needle in needles.items() if items[path]["kind"] == "new"}
    assert len(wanted) > 45
    with ThreadPoolExecutor(2) as pool:
        found = pool.map(
            lambda part: search(hostile.home, " ".join(part), "--k", "1000", "--config", str(hostile.config)),
            (list(wanted.values())[::2], list(wanted.values())[1::2]),
        )
    assert {hit["doc_path"] for hits in found for hit in hits} == set(wanted)


def test_what_was_odd_about_a_file_is_said(items: dict[str, Json]) -> None:
    for name in ("nul", "invalid", "frontmatter", "aliases", "yamldepth", "tomldepth", "yamltypes", "halfutf16"):
        assert items[f"{name}.md"]["warnings"], name
    assert all(len(warning) < 300 for item in items.values() for warning in item["warnings"])


def test_an_empty_file_is_a_document_without_chunks(items: dict[str, Json]) -> None:
    for name in ("empty", "spaces", "onlymark"):
        assert (items[f"{name}.md"]["kind"], items[f"{name}.md"]["chunk_count"]) == ("new", 0)


def test_no_chunk_is_larger_than_the_limit(hostile: Run) -> None:
    import apsw

    database = apsw.Connection(str(hostile.home / "data/kebab.sqlite"), flags=apsw.SQLITE_OPEN_READONLY)
    largest = database.execute("SELECT max(token_estimate), max(length(text)) FROM chunks").fetchall()
    database.close()
    assert largest[0][0] <= 4000
    assert largest[0][1] <= 12_000


def test_names_that_are_no_text_and_things_that_are_no_files_are_skipped_with_their_reason(hostile: Run) -> None:
    report = hostile.report
    assert report["skipped_other"]["name"] == len(BAD_NAMES)
    assert all(name.isprintable() for name in report["skip_examples"]["name"])
    assert report["skipped_other"]["special"] == 1
    assert report["skip_examples"]["special"] == ["pipe.md"]
    assert sorted(report["skip_examples"]["symlink"]) == ["device.md", "gone.md", "loop", "self.md"]
    if os.geteuid() != 0:
        assert report["errors"] >= 1


def test_a_name_with_marks_can_be_cited_and_inspected(hostile: Run) -> None:
    from kebab.core.citation import parse_citation

    hits = search(hostile.home, " ".join(NAMES.values()), "--config", str(hostile.config), "--k", "100")
    assert {hit["doc_path"] for hit in hits} == {unicodedata.normalize("NFC", path) for path in NAMES}
    for hit in hits:
        assert parse_citation(hit["citation"]["uri"]).path == hit["doc_path"]
        assert hit["citation"]["freshness"] == "fresh"
    view = well(kebab(hostile.home, "inspect", "doc", "--json", "--config", hostile.config, "--", "-rf.md"))
    assert objects(view)[0]["schema_version"] == "doc_inspection.v1"


def test_the_index_is_sound_afterwards_and_a_second_run_finds_nothing_to_do(hostile: Run) -> None:
    assert answer(hostile.home, "doctor", "--config", hostile.config)["ok"] is True
    again = limited(hostile.home, hostile.config)
    assert (again.report["new"], again.report["updated"]) == (0, 0)
    assert again.report["unchanged"] == hostile.report["new"]


def test_a_line_of_50_mb_is_stored_and_found_in_bounded_time_and_memory(runs: tuple[Run, Run]) -> None:
    line = runs[1]
    assert line.report["new"] == 1
    assert line.seconds < SECONDS
    hit = search(line.home, "needleline", "--config", str(line.config))[0]
    assert hit["citation"]["uri"] == "line.md#L1"
    assert len(hit["snippet"]) < 500


def test_a_file_over_the_limit_is_a_counted_skip(tmp_path: Path) -> None:
    config = write_config(tmp_path / "kebab.toml")
    plant(tmp_path / "notes", {"good.md": "# Good\n"})
    with (tmp_path / "notes/huge.md").open("wb") as out:
        out.truncate(50 * 1024 * 1024 + 1)
    report = answer(tmp_path, "ingest", "--config", config)
    assert (report["new"], report["skipped"], report["skipped_size_exceeded"]) == (1, 1, 1)
    assert report["skip_examples"]["size_exceeded"] == ["huge.md"]
