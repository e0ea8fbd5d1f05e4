"""`kebab web`: a page for one browser, entered once, ended by a signal even while somebody listens."""

import json
import shutil
import signal
import time
from contextlib import closing
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from kebab_process import TIMEOUT, kebab, refusal
from serving import line_with, running

from wire_schemas import check


@pytest.fixture
def home(small_home: Path, tmp_path: Path) -> Path:
    return shutil.copytree(small_home, tmp_path / "home")


def ask(url: str, path: str, cookie: str = "") -> tuple[HTTPConnection, HTTPResponse]:
    connection = HTTPConnection(urlsplit(url).netloc, timeout=TIMEOUT)
    connection.request("GET", path, headers={"cookie": cookie} if cookie else {})
    return connection, connection.getresponse()


def status(url: str, path: str, cookie: str = "") -> int:
    connection, reply = ask(url, path, cookie)
    with closing(connection):
        return reply.status


def enter(entrance: str) -> str:
    parts = urlsplit(entrance)
    connection, reply = ask(entrance, f"{parts.path}?{parts.query}")
    with closing(connection):
        assert reply.status == 303
        return str(reply.getheader("set-cookie")).partition(";")[0]


def test_the_address_lets_one_browser_in(home: Path) -> None:
    with running(home, "web", "--no-open", "--json") as process:
        told = json.loads(process.stdout.readline())
        check(told)
        url = told["url"]
        assert status(url, "/") == 200
        assert status(url, "/v1/facets") == 401
        cookie = enter(told["entrance"])
        assert status(url, "/v1/facets", cookie) == 200
        assert status(url, told["entrance"].removeprefix(url)) == 403
        process.send_signal(signal.SIGTERM)
        assert process.wait(TIMEOUT) == 0
        assert process.stderr.read() == b""


def test_a_person_is_told_the_address_and_ctrl_c_ends_it_while_a_page_listens(home: Path) -> None:
    with running(home, "web", "--no-open") as process:
        entrance = process.stdout.readline().decode().strip()
        assert "works once" in line_with(process, "Ctrl-C")
        cookie = enter(entrance)
        connection, news = ask(entrance, "/v1/live", cookie)
        with closing(connection):
            assert news.readline() == b"event: live\n"
            process.send_signal(signal.SIGINT)
            assert process.wait(TIMEOUT) in (0, 130)


def test_a_browser_is_opened_at_the_address(home: Path, tmp_path: Path) -> None:
    seen, browser = tmp_path / "seen", tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {seen}.part; mv {seen}.part {seen}\n')
    browser.chmod(0o755)
    with running(home, "web", env={"BROWSER": f"{browser} %s"}) as process:
        assert "opening http://127.0.0.1:" in line_with(process, "opening")
        until = time.monotonic() + TIMEOUT
        while not seen.exists() and time.monotonic() < until:
            time.sleep(0.05)
        entrance = seen.read_text().strip()
        cookie = enter(entrance)
        assert status(entrance, "/v1/docs", cookie) == 200


def test_without_a_screen_or_with_a_broken_browser_the_address_is_told(home: Path) -> None:
    for variables in ({}, {"BROWSER": "/nowhere/browser %s"}):
        with running(home, "web", env=variables) as process:
            assert "/enter?key=" in process.stdout.readline().decode()


def test_a_port_that_is_taken_is_refused(home: Path) -> None:
    with running(home, "web", "--no-open", "--json") as process:
        port = urlsplit(json.loads(process.stdout.readline())["url"]).port
        refusal(kebab(home, "web", "--no-open", "--json", "--port", str(port)), "io_error")
