"""What is derived from the vectors may be lost or damaged: searches find the same, the doctor says so and mends it."""

import importlib.util
import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest
from by_meaning import DATABASE, SCAN_FILES, everything, failing, scan_file
from kebab_process import Done, Json, answer, kebab, plant, refusal, side_by_side, well


def cut_at(place: Callable[[int], int]) -> Callable[[Path], None]:
    return lambda file: os.truncate(file, place(file.stat().st_size))


def flipped_at(place: Callable[[int], int]) -> Callable[[Path], None]:
    def flip(file: Path) -> None:
        raw = bytearray(file.read_bytes())
        raw[place(len(raw))] ^= 0x10
        file.write_bytes(raw)

    return flip


def noise(file: Path) -> None:
    file.write_bytes(random.Random(7).randbytes(file.stat().st_size))


DAMAGE = {
    "emptied": cut_at(lambda _: 0),
    "cut in the middle": cut_at(lambda size: size // 2),
    "cut before its last byte": cut_at(lambda size: size - 1),
    "a bit of a key flipped": flipped_at(lambda _: 136),
    "a bit of a vector flipped": flipped_at(lambda size: size * 3 // 4),
    "longer than it was": lambda file: file.write_bytes(file.read_bytes() + b"\0" * 300),
    "noise": noise,
    "deleted": Path.unlink,
}


@pytest.fixture(scope="module")
def expected(fluent_library: Path, builtin: dict[str, str]) -> list[Json]:
    return everything(fluent_library, builtin)


def same_home(library: Path, folder: Path) -> Path:
    return shutil.copytree(library, folder / "home")


class Outcome:
    """What became of one damaged file: seen by the doctor, met by searches, and seen and repaired by the doctor."""

    def __init__(self, home: Path, env: dict[str, str], damage: Callable[[Path], None]) -> None:
        file = scan_file(home)
        self.before = file.read_bytes()
        damage(file)
        self.damaged = file.read_bytes() if file.exists() else b""
        self.seen = answer(home, "doctor", status=3, env=env)
        self.found = everything(home, env)
        self.after_search = file.read_bytes()
        damage(file)
        self.repaired = answer(home, "doctor", "--repair", env=env)
        self.after_repair = file.read_bytes()


@pytest.fixture(scope="module")
def outcomes(
    fluent_library: Path, builtin: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Outcome]:
    def run(case: str) -> Outcome:
        return Outcome(same_home(fluent_library, tmp_path_factory.mktemp("damage")), builtin, DAMAGE[case])

    return side_by_side(run, DAMAGE)


@pytest.mark.parametrize("case", DAMAGE)
def test_a_damaged_scan_file_changes_no_hit_and_the_doctor_names_and_repairs_it(
    case: str, outcomes: dict[str, Outcome], expected: list[Json]
) -> None:
    outcome = outcomes[case]
    assert failing(outcome.seen).keys() == {"vector_engine"}
    assert failing(outcome.seen)["vector_engine"]["hint"] == "kebab doctor --repair"
    assert outcome.found == expected
    # Noise behind what is sound costs a search nothing; anything else it mends by the way.
    assert outcome.after_search == (outcome.damaged if case == "longer than it was" else outcome.before)
    assert (outcome.repaired["ok"], len(outcome.repaired["repaired"])) == (True, 1)
    assert outcome.after_repair == outcome.before


def test_a_scan_file_of_another_index_is_not_taken_for_this_ones(
    fluent: Path, builtin: dict[str, str], expected: list[Json]
) -> None:
    mine = scan_file(fluent)
    content = mine.read_bytes()
    database = apsw.Connection(str(fluent / DATABASE))
    database.execute("UPDATE schema_meta SET value = 'another' WHERE key = 'index_id'")
    database.close()
    mine.rename(mine.with_suffix(".kept"))
    well(kebab(fluent, "vectors", "rebuild", env=builtin))
    other = scan_file(fluent)
    assert other.name != mine.name
    other.write_bytes(content)
    row = failing(answer(fluent, "doctor", status=3, env=builtin))["vector_engine"]
    assert "another table" in row["detail"]
    assert everything(fluent, builtin) == expected
    assert other.read_bytes() != content


def unusable_ways() -> list[str]:
    """Root writes where it may not; a file in the place of the folder stops it too."""
    return ["a file in its place"] if os.geteuid() == 0 else ["a file in its place", "unwritable"]


@pytest.mark.parametrize("way", unusable_ways())
def test_a_folder_that_cannot_be_used_costs_no_result(
    way: str, fluent: Path, builtin: dict[str, str], expected: list[Json]
) -> None:
    folder = fluent / SCAN_FILES
    scan_file(fluent).unlink()
    if way == "unwritable":
        folder.chmod(0o500)
    else:
        folder.rmdir()
        folder.write_text("in the way", encoding="utf-8")
    assert everything(fluent, builtin) == expected
    assert failing(answer(fluent, "doctor", status=3, env=builtin)).keys() == {"vector_engine"}
    refusal(kebab(fluent, "doctor", "--repair", "--json", env=builtin), "io_error")
    plant(fluent / "notes", {"later.md": "# Bicycle repair\n\nPatch the tyre.\n"})
    report = answer(fluent, "ingest", env=builtin)
    assert (report["new"], report["errors"]) == (1, 0)
    assert answer(fluent, "search", "자전거 수리", "--k", "1", env=builtin)["hits"][0]["doc_path"] == "later.md"
    if way == "unwritable":
        folder.chmod(0o700)
    else:
        folder.unlink()
    assert answer(fluent, "doctor", "--repair", env=builtin)["ok"] is True


def test_a_search_that_may_not_write_leaves_the_damage_as_it_is(
    fluent: Path, builtin: dict[str, str], expected: list[Json]
) -> None:
    file = scan_file(fluent)
    noise(file)
    damaged = file.read_bytes()
    assert everything(fluent, builtin, "--readonly") == expected
    assert file.read_bytes() == damaged
    assert [each.name for each in file.parent.iterdir()] == [file.name]


@pytest.mark.skipif(importlib.util.find_spec("lancedb") is None, reason="the extra is not installed")
def test_the_lance_engine_finds_the_same_and_is_mended_when_its_files_are_gone(
    fluent: Path, builtin: dict[str, str]
) -> None:
    lance = {**builtin, "KEBAB_STORAGE_VECTOR_ENGINE": "lance"}
    plant(fluent / "notes", {"bread.md": "# Rye bread\n\nKeep the dough warm overnight.\n"})
    (fluent / "notes/running.md").unlink()
    well(kebab(fluent, "ingest", "--quiet", env=lance))
    (table,) = (fluent / SCAN_FILES).glob("*.lance")
    expected = everything(fluent, builtin)
    assert everything(fluent, lance) == expected
    shutil.rmtree(table)

    def run(command: str) -> Done | list[Json]:
        return kebab(fluent, "doctor", "--json", env=lance) if command == "doctor" else everything(fluent, lance)

    seen, found = side_by_side(run, ("doctor", "search")).values()
    assert found == expected
    assert isinstance(seen, Done)
    assert seen.status == 3
    assert "vector_engine" in seen.out
    assert not table.exists()
    repaired = answer(fluent, "doctor", "--repair", env=lance)
    assert (repaired["ok"], len(repaired["repaired"]), table.is_dir()) == (True, 1, True)
    assert everything(fluent, lance) == expected
