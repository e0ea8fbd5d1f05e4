"""Exports that were cut, bent or forged: refused with a word, and nothing is left of them."""

import json
import random
import stat
import struct
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import pytest
from app_bench import Desk
from transfer_bench import (
    DATABASE,
    MANIFEST,
    bring_in,
    drafts,
    elsewhere,
    export,
    filled,
    members,
    packed,
    retold,
    with_database,
)

from kebab.core.errors import InvalidInput, IoFailure, KebabError, SchemaTooNew

Forge = Callable[[apsw.Connection], object]


@pytest.fixture
def file(desk: Desk) -> Path:
    return export(filled(desk))


@pytest.fixture
def other(desk: Desk, file: Path) -> Desk:
    return elsewhere(desk)


def refused(other: Desk, file: Path, kind: type[KebabError] = InvalidInput) -> str:
    with pytest.raises(kind) as found:
        bring_in(other, file)
    assert not other.index.exists()
    assert drafts(other.home) == []
    assert not other.config.storage.asset_dir.exists()
    return found.value.message


def test_an_export_cut_anywhere_is_refused(other: Desk, file: Path) -> None:
    raw = file.read_bytes()
    cuts = [0, 1, 3, 4, 21, 22, 100, len(raw) - 1, *range(0, len(raw), len(raw) // 25)]
    for cut in cuts:
        part = file.with_name("part.kebab")
        part.write_bytes(raw[:cut])
        refused(other, part)


def test_a_flipped_bit_is_noticed_or_changes_nothing(other: Desk, file: Path) -> None:
    raw, dice = bytearray(file.read_bytes()), random.Random(7)
    directory = raw.rindex(b"PK\x01\x02", 0, raw.rindex(b"PK\x01\x02"))
    places = [dice.randrange(len(raw)) for _ in range(60)] + list(range(directory, len(raw), 7))
    taken = 0
    for place in places:
        bent = bytearray(raw)
        bent[place] ^= 1 << dice.randrange(8)
        spoilt = file.with_name("spoilt.kebab")
        spoilt.write_bytes(bent)
        try:
            report = bring_in(other, spoilt, force=True)
        except KebabError:
            assert drafts(other.home) == []
            continue
        taken += 1
        assert (report.facts.documents, report.facts.chunks) == (3, 3)
        assert other.found("brown rice") == ["rice.md"]
    assert taken < len(places) / 2, "only bits that nobody reads pass: times, and what made the zip"


def test_a_member_that_stands_twice_is_refused(other: Desk, file: Path) -> None:
    parts = members(file)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        twice = packed(file.with_name("twice.kebab"), [*parts.items(), (DATABASE, parts[DATABASE])])
    assert "twice" in refused(other, twice)


@pytest.mark.parametrize(
    "name", ["extra.txt", "../escaped.sqlite", "/absolute", "originals/../../x", "kebab.sqlite-wal", "originals/aa/"]
)
def test_a_member_that_nobody_vouches_for_is_refused(name: str, other: Desk, file: Path) -> None:
    extra = packed(file.with_name("extra.kebab"), [*members(file).items(), (name, b"x")])
    refused(other, extra)
    assert not (other.home / "escaped.sqlite").exists()


@pytest.mark.parametrize("name", ["../escaped.sqlite", "/etc/x", "originals/aa/../../x", "other.sqlite", ""])
def test_a_manifest_cannot_vouch_for_a_name_of_its_own(name: str, other: Desk, file: Path) -> None:
    def vouch(manifest: dict[str, Any]) -> None:
        manifest["members"][name] = manifest["members"][DATABASE]

    assert "no place here" in refused(other, retold(file, vouch))


def test_an_original_is_named_after_its_content(desk: Desk) -> None:
    desk.flags["storage.copy_threshold_mb"] = 1
    filled(desk)
    copies = sorted(path for path in desk.config.storage.asset_dir.rglob("*") if path.is_file())
    copies[0].write_bytes(copies[1].read_bytes())
    assert "not named after" in refused(elsewhere(desk), export(desk))


def test_a_link_is_refused(other: Desk, file: Path) -> None:
    parts = members(file)
    link = zipfile.ZipInfo(DATABASE)
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    linked = packed(file.with_name("linked.kebab"), [(link, parts[DATABASE]), (MANIFEST, parts[MANIFEST])])
    assert "no plain file" in refused(other, linked)


def test_a_member_under_another_name_is_refused(other: Desk, file: Path) -> None:
    parts = members(file)
    renamed = packed(file.with_name("renamed.kebab"), [("kebab.db", parts[DATABASE]), (MANIFEST, parts[MANIFEST])])
    refused(other, renamed)
    alone = packed(file.with_name("alone.kebab"), [(MANIFEST, parts[MANIFEST])])
    assert "lacks" in refused(other, alone)
    bare = packed(file.with_name("bare.kebab"), [(DATABASE, parts[DATABASE])])
    assert "no manifest" in refused(other, bare)


LIES: list[tuple[str, Callable[[dict[str, Any]], object]]] = [
    ("documents", lambda told: told["counts"].update(documents=4)),
    ("revision", lambda told: told.update(corpus_revision=told["corpus_revision"] + 1)),
    ("id", lambda told: told.update(index_id="0" * 16)),
    ("size", lambda told: told["members"][DATABASE].update(bytes=5)),
    ("negative", lambda told: told["members"][DATABASE].update(bytes=-1)),
    ("huge", lambda told: told["members"][DATABASE].update(bytes=1 << 60)),
    ("truth", lambda told: told["members"][DATABASE].update(bytes=True)),
    ("hash", lambda told: told["members"][DATABASE].update(blake3="0" * 64)),
    ("no hash", lambda told: told["members"][DATABASE].pop("blake3")),
    ("no members", lambda told: told.pop("members")),
    ("a list", lambda told: told.update(members=[])),
    ("no database", lambda told: told["members"].clear()),
    ("model", lambda told: told.update(embedding_model={"provider": "openai"})),
    ("format", lambda told: told.update(format="zip")),
    ("parsers", lambda told: told.update(parsers="md")),
    ("counts", lambda told: told.update(counts=None)),
    ("schema", lambda told: told.update(schema_version=1)),
]


@pytest.mark.parametrize("lie", [lie for _, lie in LIES], ids=[name for name, _ in LIES])
def test_a_manifest_that_lies_is_refused(lie: Callable[[dict[str, Any]], object], other: Desk, file: Path) -> None:
    refused(other, retold(file, lie))


@pytest.mark.parametrize(
    "raw", [b"", b"[]", b"null", b"{", b"\xff", b"[" * 100_000, b'{"format": "kebab-export"}', b"1" * 10_000]
)
def test_what_is_no_manifest_is_refused(raw: bytes, other: Desk, file: Path) -> None:
    parts = members(file) | {MANIFEST: raw}
    refused(other, packed(file.with_name("odd.kebab"), parts.items()))


def test_a_later_format_asks_for_a_newer_kebab(other: Desk, file: Path) -> None:
    later = retold(file, lambda told: told.update(format_version=2, members="in a way of its own"))
    assert "newer kebab" in refused(other, later, SchemaTooNew)


def test_a_manifest_without_end_is_not_read_to_the_end(
    other: Desk, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kebab.app.bundle._MANIFEST_LIMIT", 1000)
    parts = members(file) | {MANIFEST: b" " * 5000}
    assert "too large" in refused(other, packed(file.with_name("long.kebab"), parts.items()))


def test_what_would_fill_the_disk_is_refused_before_it_is_unpacked(
    other: Desk, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kebab.app.bundle._GROWTH_FLOOR", 1 << 20)
    monkeypatch.setattr("kebab.app.bundle.Bundle.unpack", lambda *_: pytest.fail("unpacked"))
    blank = file.with_name("blank.sqlite")
    blank.write_bytes(b"\0" * (8 << 20))
    assert "no real one" in refused(other, with_database(file, blank))
    monkeypatch.setattr("kebab.app.landing._SPARE", 1 << 60)
    assert "no room" in refused(other, file, IoFailure)


def test_a_size_that_the_zip_lies_about_is_noticed(other: Desk, file: Path) -> None:
    """The manifest and the directory say less than the stream holds."""
    raw, size = bytearray(file.read_bytes()), len(members(file)[DATABASE])
    lied = retold(file, lambda told: told["members"][DATABASE].update(bytes=size - 1))
    raw = bytearray(lied.read_bytes())
    for mark, offset in ((b"PK\x01\x02", 24), (b"PK\x03\x04", 22)):
        at = raw.index(mark)
        assert struct.unpack_from("<I", raw, at + offset)[0] == size
        struct.pack_into("<I", raw, at + offset, size - 1)
    lied.write_bytes(raw)
    refused(other, lied)


@pytest.mark.parametrize("raw", [b"", b"notes", b"PK\x03\x04", b"SQLite format 3\0", b"PK\x05\x06" + b"\0" * 18])
def test_what_is_no_export_is_refused(raw: bytes, other: Desk, file: Path) -> None:
    odd = file.with_name("odd")
    odd.write_bytes(raw)
    refused(other, odd)


def test_a_folder_or_nothing_is_refused(other: Desk, file: Path) -> None:
    assert "not a file" in refused(other, file.parent)
    assert "not a file" in refused(other, file.with_name("nothing"))


FORGED: list[tuple[str, str]] = [
    ("a trigger", "CREATE TRIGGER t AFTER INSERT ON answers BEGIN DELETE FROM documents; END"),
    ("a table", "CREATE TABLE extra (a)"),
    ("a view", "CREATE VIEW extra AS SELECT load_extension('x')"),
    ("an index", "CREATE INDEX extra ON documents(title)"),
    ("a column", "ALTER TABLE documents ADD COLUMN extra TEXT"),
    ("another trigger", "DROP TRIGGER chunks_ad"),
    ("a bent trigger", "DROP TRIGGER chunks_ad; CREATE TRIGGER chunks_ad AFTER DELETE ON chunks BEGIN SELECT 1; END"),
    ("a bent view", "DROP VIEW blocks; CREATE VIEW blocks AS SELECT 1"),
    ("an option for a path", "UPDATE documents SET file_path = '-c:!touch x'"),
    ("a command for a path", "UPDATE documents SET file_path = '+!touch x'"),
    ("no JSON", "UPDATE chunks SET heading_path_json = 'x'"),
    ("another shape of JSON", "UPDATE chunks SET heading_path_json = '7'"),
    ("bytes for a title", "UPDATE documents SET title = x'00ff'"),
    ("words for a number", "UPDATE documents SET chunk_count = 'many'"),
    ("a model without length", "INSERT INTO embedding_models VALUES (9, 'a', 'b', 'c', 0, 'd', '{}', 'e')"),
    ("an orphan", "PRAGMA foreign_keys=OFF; DELETE FROM assets"),
    ("no version", "PRAGMA user_version=0"),
    ("an older version", "PRAGMA user_version=1"),
]


@pytest.mark.parametrize("sql", [sql for _, sql in FORGED], ids=[name for name, _ in FORGED])
def test_a_database_that_kebab_did_not_make_so_is_refused(sql: str, other: Desk, file: Path) -> None:
    forged = file.with_name("forged.sqlite")
    forged.write_bytes(members(file)[DATABASE])
    database = apsw.Connection(str(forged))
    database.execute(sql).fetchall()
    database.close()
    refused(other, forged)
    refused(other, with_database(file, forged))


def test_a_damaged_database_with_the_right_hash_is_refused(other: Desk, file: Path) -> None:
    raw = bytearray(members(file)[DATABASE])
    for place in range(8192 * 3, len(raw), 4096):
        raw[place : place + 64] = b"\xff" * 64
    damaged = file.with_name("damaged.sqlite")
    damaged.write_bytes(raw)
    refused(other, damaged)
    refused(other, with_database(file, damaged))


def test_a_refused_import_leaves_the_index_that_is_there(desk: Desk, file: Path) -> None:
    before = json.dumps(sorted(desk.paths()))
    part = file.with_name("part.kebab")
    part.write_bytes(file.read_bytes()[:-40])
    with pytest.raises(InvalidInput):
        bring_in(desk, part, force=True)
    assert json.dumps(sorted(desk.paths())) == before
    assert desk.found("brown rice") == ["rice.md"]
