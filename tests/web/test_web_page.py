"""The page over HTTP: its files and no others, a strict policy, a key that opens once, what a cookie is good for."""

import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from web_bench import Host, hosting

from kebab.config import Config
from kebab.ui.serving.guard import Policy
from kebab.ui.serving.sessions import Sessions, cookie_name, session_of
from kebab.ui.web import page
from kebab.ui.web.page import CSP, FOLDER, MEDIA, shipped
from wire_schemas import check

TOKEN = "t" * 43
REPOSITORY = Path(__file__).resolve().parents[2]
# Word for word what was agreed with the page; a looser one must be noticed.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; connect-src 'self'; "
    "font-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; "
    "trusted-types 'none'"
)


def entered(host: Host, key: str) -> str:
    """The cookie of a new session."""
    reply = host.get(f"/enter?key={key}")
    assert (reply.status, reply.headers["location"]) == (303, "/")
    return reply.headers["set-cookie"].partition(";")[0]


def test_the_page_and_its_files_are_given_to_everybody(config: Config) -> None:
    with hosting(config, token=TOKEN) as host:
        front = host.get("/")
        assert front.status == 200
        assert front.headers["content-type"] == "text/html; charset=utf-8"
        assert front.headers["content-security-policy"] == POLICY == CSP
        assert front.headers["x-content-type-options"] == "nosniff"
        assert front.headers["cross-origin-opener-policy"] == "same-origin"
        names = re.findall(rb'(?:src|href)="(/page/[^"]+)"', front.body)
        assert names
        for name in names:
            reply = host.get(name.decode())
            assert reply.status == 200
            assert reply.headers["content-security-policy"] == POLICY


def test_every_file_has_a_type_of_our_table(host: Host) -> None:
    for name, file in shipped().items():
        reply = host.get(f"/page/{name}")
        assert reply.status == 200
        assert reply.headers["content-type"] == MEDIA[Path(name).suffix]
        assert reply.body == file.data == (FOLDER / name).read_bytes()


def test_a_file_that_is_known_is_not_sent_again(host: Host) -> None:
    first = host.get("/")
    again = host.get("/", if_none_match=first.headers["etag"])
    assert (again.status, again.body) == (304, b"")
    assert again.headers["content-security-policy"] == POLICY
    assert host.get("/", if_none_match=f'"x", W/{first.headers["etag"]}').status == 304
    assert host.get("/", if_none_match='"other"').status == 200
    assert first.headers["cache-control"] == "no-cache"


@pytest.mark.parametrize(
    "path",
    [
        "/page/../page.py",
        "/page/..%2fpage.py",
        "/page/%2e%2e/page.py",
        "/page/%2e%2e%2fguard.py",
        "/page/..\\page.py",
        "/page/..%5cpage.py",
        "/page//etc/passwd",
        "/page/%2fetc%2fpasswd",
        "/page/index.html%00.js",
        "/page/index.html/",
        "/page/./index.html",
        "/page/INDEX.HTML",
        "/page/",
        "/page",
        "/page/__init__.py",
        "/page/index.html%2f..%2fapp.js",
        "/index.html",
        "/favicon.ico",
    ],
)
def test_no_address_leads_out_of_the_folder(host: Host, path: str) -> None:
    reply = host.get(path)
    assert reply.status == 404
    check(reply.json)


def test_only_files_of_the_table_that_are_no_links_are_shipped(tmp_path: Path) -> None:
    (tmp_path / "a.js").write_text("1")
    (tmp_path / "b.map").write_text("2")
    (tmp_path / "part").mkdir()
    (tmp_path / "part" / "c.css").write_text("3")
    (tmp_path / "d.js").symlink_to(tmp_path / "b.map")
    assert set(shipped(tmp_path)) == {"a.js", "part/c.css"}
    assert shipped(tmp_path / "gone") == {}
    assert page.routes(tmp_path)


def test_the_page_itself_asks_for_nothing_of_other_sites() -> None:
    for name, file in shipped().items():
        text = file.data.decode()
        addresses = set(re.findall(r"https?://[^\s\"'`)]+", text)) - {"http://www.w3.org/2000/svg"}
        assert not addresses, name
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", text)


def test_a_key_opens_once(config: Config) -> None:
    sessions = Sessions()
    with hosting(config, token=TOKEN, sessions=sessions) as host:
        key = sessions.new_key()
        assert host.request("HEAD", f"/enter?key={key}").status == 403
        cookie = entered(host, key)
        for wrong in ("", "x" * 43, "%00"):
            reply = host.get(f"/enter?key={wrong}")
            assert reply.status == 403
            assert "set-cookie" not in reply.headers
            check(reply.json)
        assert host.get("/enter").status == 403
        assert host.get("/v1/docs", cookie=cookie).status == 200
        assert cookie.partition("=")[2] != key
        assert host.get(f"/enter?key={key}").status == 403


def test_a_key_that_two_knew_lets_neither_in(config: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    sessions = Sessions()
    with hosting(config, token=TOKEN, sessions=sessions) as host:
        key = sessions.new_key()
        thief = entered(host, key)
        assert host.get("/v1/docs", cookie=thief).status == 200
        assert host.get(f"/enter?key={key}").status == 403
        assert host.get("/v1/docs", cookie=thief).status == 401
        # Long afterwards it is only somebody who goes back in the history of their browser.
        key = sessions.new_key()
        cookie = entered(host, key)
        monkeypatch.setattr("kebab.ui.serving.sessions._SOON_SECONDS", 0.0)
        assert host.get(f"/enter?key={key}").status == 403
        assert host.get("/v1/docs", cookie=cookie).status == 200


BROWSER = "text/html,application/xhtml+xml,*/*;q=0.8"


@pytest.mark.parametrize(
    ("languages", "lang"),
    [
        ("", "en"),
        ("ko-KR,ko;q=0.9,en;q=0.8", "ko"),
        ("en-US,en;q=0.9,ko;q=0.8", "en"),
        ("en;q=0.2, KO", "ko"),
        ("fr,ko;q=0", "en"),
        ("de;q=x,,;q=,ko;q=nan", "en"),
    ],
)
def test_a_browser_with_a_used_link_is_told_so_on_a_page(config: Config, languages: str, lang: str) -> None:
    with hosting(config, token=TOKEN) as host:
        reply = host.get("/enter?key=<script>", accept=BROWSER, accept_language=languages)
        assert reply.status == 403
        assert reply.headers["content-type"] == "text/html; charset=utf-8"
        assert reply.headers["content-security-policy"] == POLICY.replace("script-src 'self'", "script-src 'none'")
        assert reply.headers["cache-control"] == "no-store"
        text = reply.body.decode()
        assert f'<html lang="{lang}">' in text
        assert "<code>kebab web</code>" in text
        assert "<script" not in text
        for accept in ("application/json", "application/json, text/html", "*/*"):
            check(host.get("/enter?key=x", accept=accept).json)


def test_a_cookie_is_for_this_server_alone_and_out_of_reach_of_scripts(config: Config) -> None:
    sessions = Sessions()
    with hosting(config, token=TOKEN, sessions=sessions) as host:
        given = host.get(f"/enter?key={sessions.new_key()}").headers["set-cookie"]
        name, _, rest = given.partition("=")
        assert name == f"kebab_session_{host.port}"
        assert {part.strip().lower() for part in rest.split(";")[1:]} == {"httponly", "path=/", "samesite=strict"}


def test_without_a_session_or_the_token_nothing_is_told(config: Config) -> None:
    sessions = Sessions()
    with hosting(config, token=TOKEN, sessions=sessions) as host:
        cookie = entered(host, sessions.new_key())
        name, _, secret = cookie.partition("=")
        for given in (
            {},
            {"cookie": f"{name}="},
            {"cookie": f"{name}={secret[:-1]}"},
            {"cookie": f"kebab_session={secret}"},
            {"cookie": f"{cookie_name(host.port + 1)}={secret}"},
            {"authorization": f"Bearer {secret}"},
        ):
            for path in ("/v1/facets", "/v1/view?doc=rice.md", "/v1/media?doc=rice.md", "/v1/live", "/mcp"):
                assert host.get(path, **given).status == 401
        assert host.get("/v1/facets", cookie=f"a=b; {cookie}; c=d").status == 200
        assert host.get("/v1/facets", authorization=f"Bearer {TOKEN}").status == 200


def test_a_cookie_does_not_make_other_sites_welcome(config: Config) -> None:
    sessions = Sessions()
    with hosting(config, token=TOKEN, sessions=sessions) as host:
        cookie = entered(host, sessions.new_key())
        own = f"http://127.0.0.1:{host.port}"
        assert host.post("/v1/search", {"query": "rice"}, cookie=cookie, origin=own).status == 200
        for origin in ("http://evil.example", "null", f"http://127.0.0.1:{host.port + 1}"):
            assert host.post("/v1/search", {"query": "rice"}, cookie=cookie, origin=origin).status == 403
        assert host.get("/v1/facets", cookie=cookie, host="evil.example").status == 421
        for site in ("cross-site", "same-site"):
            assert host.get("/v1/media?doc=rice.md", cookie=cookie, sec_fetch_site=site).status == 403
            assert host.get("/", sec_fetch_site=site).status == 200
        assert host.get("/v1/facets", cookie=cookie, sec_fetch_site="same-origin").status == 200


def test_the_token_can_be_exchanged_for_a_cookie(config: Config) -> None:
    with hosting(config, token=TOKEN) as host:
        for wrong in ({}, {"token": "u" * 43}, {"token": 7}, {"token": None}):
            reply = host.post("/enter", wrong)
            assert reply.status == 403
            assert "set-cookie" not in reply.headers
        assert host.request("POST", "/enter", "[1", content_type="application/json").status == 400
        assert host.request("POST", "/enter", f'{{"token": "{TOKEN}"}}', content_type="text/plain").status == 415
        assert host.post("/enter", {"token": TOKEN}, origin="http://evil.example").status == 403
        cookie = host.post("/enter", {"token": TOKEN}).headers["set-cookie"].partition(";")[0]
        assert host.get("/v1/facets", cookie=cookie).status == 200


def test_where_no_token_is_needed_no_cookie_is_given(host: Host) -> None:
    reply = host.post("/enter", {"token": "anything"})
    assert (reply.status, reply.json) == (200, {"ok": True})
    assert "set-cookie" not in reply.headers
    assert host.get("/enter?key=").status == 403


def test_sessions_are_few_and_keys_one() -> None:
    sessions = Sessions()
    first = sessions.new_key()
    second = sessions.new_key()
    assert sessions.enter(first) is None
    assert sessions.enter(second)
    assert sessions.enter(second) is None
    oldest = sessions.begin()
    assert sessions.knows(oldest)
    for _ in range(64):
        sessions.begin()
    assert not sessions.knows(oldest)
    assert not sessions.knows("")
    assert Policy("127.0.0.1").sessions is None
    assert session_of("a=b;kebab_session_7=c=d", 7) == "c=d"
    assert session_of("kebab_session_7", 7) is None


def test_the_wheel_carries_the_page() -> None:
    built = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]
    wheel = built["targets"]["wheel"]
    assert any(FOLDER.is_relative_to(REPOSITORY / package) for package in wheel["packages"])
    assert not {"exclude", "only-include", "include"} & {*built, *wheel}
    # What git ignores is left out of a wheel as well.
    files = [str(FOLDER / name) for name in shipped()]
    ignored = subprocess.run(["git", "check-ignore", *files], cwd=REPOSITORY, capture_output=True, check=False)
    assert ignored.stdout == b""
