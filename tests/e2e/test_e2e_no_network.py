"""Nothing leaves the machine: a process in which no connection can be made does all its work."""

import subprocess
import sys
from pathlib import Path

import pytest
from by_meaning import responses
from kebab_process import answer, environment, kebab, objects, well

# Python tells its audit hooks of every connection before it is made, whichever module asks for it.
GUARD = """
import ipaddress, os, sys

def is_local(address):
    if not isinstance(address, tuple):
        return True  # a path of this machine
    try:
        return ipaddress.ip_address(address[0]).is_loopback
    except ValueError:
        return address[0] == "localhost"

def guard(event, arguments):
    if event in ("socket.connect", "socket.sendto", "socket.sendmsg"):
        allowed = is_local(arguments[1])
    elif event in ("socket.getaddrinfo", "socket.gethostbyname"):
        allowed = is_local((arguments[0],))
    else:
        return
    if not allowed:
        with open(os.environ["RECORD"], "a") as out:
            out.write(f"{event} {arguments!r}\\n")
        raise OSError("no network in this test")

sys.addaudithook(guard)
"""


@pytest.fixture
def guarded(tmp_path: Path) -> dict[str, str]:
    """Variables under which every Python process is guarded."""
    (tmp_path / "guard").mkdir()
    (tmp_path / "guard/sitecustomize.py").write_text(GUARD, encoding="utf-8")
    (tmp_path / "record").touch()
    path = ":".join(filter(None, (str(tmp_path / "guard"), environment(tmp_path).get("PYTHONPATH"))))
    return {"PYTHONPATH": path, "RECORD": str(tmp_path / "record")}


def test_the_guard_of_this_test_catches_a_connection(guarded: dict[str, str], tmp_path: Path) -> None:
    for attempt in (
        "import socket; socket.create_connection(('192.0.2.1', 80), 1)",
        "import _socket; _socket.socket().connect(('192.0.2.1', 80))",
        "import urllib.request; urllib.request.urlopen('http://example.invalid/', timeout=1)",
    ):
        done = subprocess.run(
            [sys.executable, "-c", attempt], env=environment(tmp_path, **guarded), capture_output=True, check=False
        )
        assert done.returncode == 1
        assert b"no network in this test" in done.stderr
    assert len(Path(guarded["RECORD"]).read_text(encoding="utf-8").splitlines()) == 3


def test_init_ingest_search_and_doctor_make_no_connection(guarded: dict[str, str], example_home: Path) -> None:
    for arguments in (
        ("init",),
        ("ingest",),
        ("search", "압력밥솥 현미밥 물 비율"),
        ("search", "restore the backup", "--mode", "hybrid"),
        ("doctor",),
        ("doctor", "--repair"),
        ("schema",),
        ("config", "show"),
    ):
        assert objects(well(kebab(example_home, *arguments, "--json", env=guarded)))
    assert Path(guarded["RECORD"]).read_text(encoding="utf-8") == ""


def test_the_built_in_model_needs_no_connection_from_first_start_to_answers_across_languages(
    guarded: dict[str, str], builtin: dict[str, str], example_home: Path, tmp_path: Path
) -> None:
    # A cache of its own: the model is unpacked here, too.
    env = {**guarded, **builtin, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    report = answer(example_home, "ingest", env=env)
    assert (report["errors"], report["warnings"]) == (0, [])
    assert list((tmp_path / "cache/kebab/models").iterdir())
    asked = ({"query": question} for question in ("빵 반죽 발효", "kimchi stew with pork"))
    best = [response["hits"][0]["doc_path"] for response in responses(example_home, env, asked)]
    assert best == ["cooking/sourdough.md", "cooking/kimchi-jjigae.md"]
    assert answer(example_home, "doctor", env=env)["ok"] is True
    assert answer(example_home, "vectors", "status", env=env)["problem"] is None
    assert Path(guarded["RECORD"]).read_text(encoding="utf-8") == ""


def test_the_full_profile_reaches_for_no_server_either(guarded: dict[str, str], example_home: Path) -> None:
    well(
        kebab(example_home, "init", "--profile", "full", "--force", "--workspace", example_home / "notes", env=guarded)
    )
    well(kebab(example_home, "ingest", "--quiet", env=guarded))
    well(kebab(example_home, "search", "현미밥", env=guarded))
    assert Path(guarded["RECORD"]).read_text(encoding="utf-8") == ""
