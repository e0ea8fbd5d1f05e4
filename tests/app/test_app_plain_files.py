"""Files of the index that became pipes between a look at them and their opening: nobody waits, and all is told."""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import pytest
from answer_bench import keep, passage, reply

from kebab.app.freshness import freshness
from kebab.app.plain_files import read_plain
from kebab.core.archive import CitationStatus
from kebab.core.query import Freshness

if TYPE_CHECKING:
    from app_bench import Desk

Found = TypeVar("Found")
WORDS = "zebra sleeps"
PATIENCE = 20.0
pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")


@pytest.fixture
def pipe(desk: "Desk", monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """In the place of a note that was indexed, and a file to whoever looked before."""
    desk.write("zoo.md", f"The {WORDS} at noon.\n")
    desk.write("empty.md", "")
    desk.ingest()
    keep(desk, reply(passage(desk, "zebra"), quotes={1: (WORDS,)}))
    for name in ("zoo.md", "empty.md"):
        (desk.root / name).unlink()
        os.mkfifo(desk.root / name)
    monkeypatch.setattr(Path, "is_file", lambda _path: True)
    yield desk.root / "zoo.md"
    for name in ("zoo.md", "empty.md"):
        with suppress(OSError):  # lets go of whoever waits in spite of all
            os.close(os.open(desk.root / name, os.O_WRONLY | os.O_NONBLOCK))


def in_time(work: Callable[[], Found]) -> Found:
    found: list[Found] = []
    thread = threading.Thread(target=lambda: found.append(work()), daemon=True)
    thread.start()
    thread.join(PATIENCE)
    assert not thread.is_alive(), "it waits for somebody to write into the pipe"
    return found[0]


def test_a_pipe_is_no_plain_file_and_is_not_waited_for(pipe: Path) -> None:
    def read() -> str:
        with pytest.raises(OSError, match="no file any more") as raised:
            read_plain(pipe, 10)
        return str(raised.value)

    assert in_time(read)


def test_a_folder_is_no_plain_file_and_a_link_leads_to_one(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"alpha")
    (tmp_path / "b").symlink_to("a")
    assert read_plain(tmp_path / "b", 3) == b"alp"
    with pytest.raises(OSError, match="no file any more"):
        read_plain(tmp_path, 3)


@pytest.mark.usefixtures("pipe")
def test_freshness_waits_for_no_pipe(desk: "Desk") -> None:
    row = desk.rows()["empty.md"]
    assert in_time(lambda: freshness(row)) is Freshness.UNKNOWN


@pytest.mark.usefixtures("pipe")
def test_checking_an_answer_waits_for_no_pipe(desk: "Desk") -> None:
    def check() -> list[tuple[CitationStatus, str]]:
        return [(each.status, each.detail) for each in desk.app().verify("ret_4a8b2c1e").checks]

    assert in_time(check) == [(CitationStatus.MISSING, "the file cannot be read: it is no file any more")]
