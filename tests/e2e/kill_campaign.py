"""A campaign of kills: an ingest is started and killed over and over, while the folder goes on changing."""

import json
import random
import signal
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import apsw
from kebab_process import TIMEOUT, answer, kebab, start, well, write_config

from kebab.core.ids import content_hash

FILES = 200
KILLS = 30
LONGEST_WAIT = 0.9
QUERIES = (
    "river harbour",
    "강물 항구",
    "lantern",
    "등불을 켜다",
    "note 17",
    "granite window",
    "창문과 화강암",
    "chapter two",
    "pelican -harbour",
    '"copper kettle"',
)
ENGLISH = "river harbour lantern granite window copper kettle orchard velvet thunder pelican saddle".split()
KOREAN = "강물 항구 등불 화강암 창문 구리 주전자 과수원 벨벳 천둥 사다새 안장을 켰다".split()


def write_note(path: Path, dice: random.Random) -> None:
    """A small note: some with front matter, some with none, some empty, mostly a few sections in either language."""
    words = dice.choice((ENGLISH, KOREAN, ENGLISH + KOREAN))
    head = f"---\ntags: [t{dice.randrange(5)}, all]\n---\n" if dice.random() < 0.5 else ""
    sections = (
        f"## Chapter {number}\n\n{' '.join(dice.choices(words, k=dice.randrange(3, 30)))}.\n\n"
        for number in range(dice.choice((0, 1, 1, 2, 4)))
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{head}# Note {path.stem}\n\n{''.join(sections)}", encoding="utf-8")


def disturb(notes: Path, dice: random.Random) -> None:
    """Some notes are changed, some removed, some moved, some new."""
    present = sorted(notes.rglob("*.md"))
    for path in dice.sample(present, 24):
        write_note(path, dice)
    for path in dice.sample(present, 4):
        path.unlink()
    for path in dice.sample(sorted(notes.rglob("*.md")), 2):
        path.rename(path.with_name(f"moved-{dice.randrange(10**6)}.md"))
    for _ in range(5):
        write_note(notes / f"d{dice.randrange(8)}" / f"{dice.randrange(10**6)}.md", dice)


def check_database(path: Path) -> dict[str, str]:
    """The database opens clean; gives the content hash of every document in it."""
    if not path.exists():
        return {}
    database = apsw.Connection(str(path))
    try:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert database.execute("PRAGMA foreign_key_check").fetchall() == []
        if not database.pragma("user_version"):
            return {}
        # A document is stored whole or not at all.
        wrong = """SELECT workspace_path FROM documents d WHERE chunk_count <>
            (SELECT count(*) FROM chunks c WHERE c.doc_key = d.doc_key)
            OR NOT EXISTS (SELECT 1 FROM document_texts t WHERE t.doc_key = d.doc_key)"""
        assert database.execute(wrong).fetchall() == []
        loose = "SELECT count(*) FROM assets WHERE asset_id NOT IN (SELECT asset_id FROM documents)"
        assert database.execute(loose).fetchall() == [(0,)]
        unsearchable = "SELECT count(*) FROM chunks WHERE chunk_key NOT IN (SELECT id FROM chunks_fts_docsize)"
        assert database.execute(unsearchable).fetchall() == [(0,)]
        return dict(database.execute("SELECT d.workspace_path, checksum FROM documents d JOIN assets USING (asset_id)"))
    finally:
        database.close()


def on_disk(notes: Path) -> dict[str, str]:
    return {str(path.relative_to(notes)): content_hash(path.read_bytes()) for path in notes.rglob("*.md")}


def logical_state(path: Path) -> dict[str, list[str]]:
    """What the index says, without the numbers and times that no reader sees."""
    tables = {
        # Without front matter the times are the file's as it was last processed; being written anew is no change.
        "documents": """SELECT workspace_path, doc_id, asset_id, chunk_count, title, lang, source_id, standalone,
            parser_version, chunker_version, policy_hash, warnings_json,
            json_remove(metadata_json, '$.created_at', '$.updated_at') FROM documents""",
        "texts": "SELECT workspace_path, deflated FROM document_texts JOIN documents USING (doc_key)",
        "chunks": """SELECT chunk_id, workspace_path, ordinal, text, heading_path_json, section_label,
            source_spans_json, token_estimate, block_first, block_last FROM chunks JOIN documents USING (doc_key)""",
        "blocks": """SELECT workspace_path, position, kind, heading_path_json, ordinal, source_span_json, payload_json
            FROM blocks JOIN documents USING (doc_key)""",
        "tags": "SELECT workspace_path, tag FROM document_tags JOIN documents USING (doc_key)",
        "assets": "SELECT asset_id, media_type, byte_len, checksum, storage_kind FROM assets",
        "words": "SELECT term, doc, cnt FROM temp.words",
        "pairs": "SELECT term, doc, cnt FROM temp.pairs",
    }
    database = apsw.Connection(str(path))
    try:
        database.execute("CREATE VIRTUAL TABLE temp.words USING fts5vocab(main, chunks_fts, row)")
        database.execute("CREATE VIRTUAL TABLE temp.pairs USING fts5vocab(main, chunks_grams, row)")
        return {name: sorted(map(repr, database.execute(sql))) for name, sql in tables.items()}
    finally:
        database.close()


def found(home: Path, config: Path, queries: Sequence[str]) -> dict[str, list[tuple[float, str, str]]]:
    """All that each query finds in the index of a config, by score; equal scores in an order of our own."""

    def run(query: str) -> list[tuple[float, str, str]]:
        response = json.loads(kebab(home, "search", "--json", "--k", "1000", "--config", config, "--", query).out)
        hits = [(-round(hit["score"], 6), hit["chunk_id"], hit["citation"]["uri"]) for hit in response["hits"]]
        assert [score for score, _, _ in hits] == sorted(score for score, _, _ in hits)
        return sorted(hits)

    return {query: run(query) for query in queries}


def kill_once(home: Path, length: float, dice: random.Random) -> int:
    """Starts an ingest and kills it at some moment; gives how it ended."""
    whole = dice.random() < 0.5
    if not whole:
        disturb(home / "notes", dice)
    force = ("--force-reingest",) if whole else ()
    process = start(home, "ingest", "--quiet", "--config", home / "kebab.toml", *force)
    # A run that finds most notes unchanged is over sooner.
    time.sleep(dice.uniform(0, length * (0.9 if whole else 0.6)))
    process.send_signal(signal.SIGKILL)
    said = b"".join(process.communicate(timeout=TIMEOUT))
    assert said == b""
    return int(process.returncode)


class Kills(NamedTuple):
    all: int
    in_the_middle: int


def campaign(home: Path, seed: int, stop: threading.Event) -> Kills:
    """Kills until enough of them met a running ingest; then a whole run, and a look at what it made."""
    dice = random.Random(seed)
    config = write_config(home / "kebab.toml")
    for number in range(FILES):
        write_note(home / f"notes/d{number % 8}/{number}.md", dice)
    rehearsal = write_config(home / "rehearsal/kebab.toml", home / "notes")
    began = time.monotonic()
    well(kebab(home, "ingest", "--quiet", "--config", rehearsal))
    # On a busy machine more kills come early, which is as good a moment as any.
    length = min(time.monotonic() - began, LONGEST_WAIT)
    killed = in_the_middle = 0
    while killed < KILLS and not stop.is_set():
        status = kill_once(home, length, dice)
        stored = check_database(home / "data/kebab.sqlite")
        if status == -signal.SIGKILL:
            killed += 1
            in_the_middle += bool(stored) and stored != on_disk(home / "notes")
            if killed % 15 == 5:
                assert answer(home, "doctor", "--config", config)["ok"] is True
        else:
            assert status == 0
    if not stop.is_set():
        finish(home, QUERIES[seed % 2 :: 2])
    return Kills(killed, in_the_middle)


def finish(home: Path, queries: Sequence[str]) -> None:
    """One whole run, and the index is what an unkilled ingest of the same folder makes."""
    config, fresh = home / "kebab.toml", write_config(home / "fresh/kebab.toml", home / "notes")
    report = answer(home, "ingest", "--config", config)
    assert (report["errors"], report["aborted"]) == (0, False)
    assert report["scanned"] == len(on_disk(home / "notes"))
    well(kebab(home, "ingest", "--quiet", "--config", fresh))
    assert logical_state(home / "data/kebab.sqlite") == logical_state(home / "fresh/data/kebab.sqlite")
    assert answer(home, "doctor", "--config", config)["ok"] is True
    results = found(home, config, queries)
    assert results == found(home, fresh, queries)
    assert all(results.values())
