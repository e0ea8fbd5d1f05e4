"""Paths as people write them, and the places of the XDG rules."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kebab import locations
from kebab.core.errors import ConfigInvalid
from kebab.locations import expand

ENV = {"HOME": "/home/me", "NOTES": "/n", "EMPTY": "", "MONEY": "/a$HOME", "TILDE": "~/t"}


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("~", "/home/me"),
        ("~/a", "/home/me/a"),
        ("$HOME/a", "/home/me/a"),
        ("${NOTES}/a", "/n/a"),
        ("$NOTES/../b/./c//d", "/b/c/d"),
        ("${GONE:-/x}/a", "/x/a"),
        ("${EMPTY:-/x}/a", "/x/a"),
        ("${GONE:-~/.local/share}/kebab", "/home/me/.local/share/kebab"),
        ("${NOTES:-~/x}/kebab", "/n/kebab"),
        ("${GONE:-${NOTES}}/a", "/n/a"),
        ("${GONE:-${ALSO:-~/c}}", "/home/me/c"),
        ("${TILDE}/a", "/home/me/t/a"),
        ("$MONEY", "/a$HOME"),
        ("/cost$$5/$$HOME", "/cost$5/$HOME"),
        ("/a$/b$5", "/a$/b$5"),
        ("/a~/b", "/a~/b"),
        ("//a", "/a"),
        ("/노트/{x}", "/노트/{x}"),
        ("rel/a", "/base/rel/a"),
        ("../a", "/a"),
        (".", "/base"),
    ],
)
def test_expand(text: str, path: str) -> None:
    assert expand(text, ENV, base=Path("/base")) == Path(path)


@pytest.mark.parametrize("text", ["$GONE/a", "${GONE}", "$EMPTY/a", "${", "${NOTES", "${1}", "~other/a", "a\0b"])
def test_expand_refuses_what_has_no_meaning(text: str) -> None:
    with pytest.raises(ConfigInvalid):
        expand(text, ENV)


def test_names_in_braces() -> None:
    assert expand("{data_dir}/x", {}, names={"data_dir": "/d$HOME"}) == Path("/d$HOME/x")
    with pytest.raises(ConfigInvalid, match=r"\{datadir\} means nothing here") as caught:
        expand("{datadir}/x", {}, names={"data_dir": "/d"})
    assert caught.value.hint == "names that may be used here: {data_dir}"


def test_xdg_places() -> None:
    assert locations.config_file(ENV) == Path("/home/me/.config/kebab/config.toml")
    assert locations.data_dir(ENV) == Path("/home/me/.local/share/kebab")
    assert locations.cache_dir(ENV) == Path("/home/me/.cache/kebab")
    assert locations.state_dir(ENV) == Path("/home/me/.local/state/kebab")
    assert locations.cache_dir(ENV | {"XDG_CACHE_HOME": "/c"}) == Path("/c/kebab")


@pytest.mark.parametrize("value", ["", "relative/cache", "~/cache"])
def test_an_xdg_place_must_be_absolute(value: str) -> None:
    assert locations.cache_dir(ENV | {"XDG_CACHE_HOME": value}) == Path("/home/me/.cache/kebab")


def test_the_root_as_home() -> None:
    assert expand("~/a", {"HOME": "/"}) == Path("/a")
    assert expand("~", {"HOME": "/"}) == Path("/")


def test_without_home_the_account_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locations, "_account_home", lambda: "/home/account")
    assert expand("~/a", {}) == Path("/home/account/a")
    assert expand("~/a", {"HOME": ""}) == Path("/home/account/a")


@pytest.mark.parametrize("env", [{}, {"HOME": "not/absolute"}])
def test_an_unusable_home_is_an_error_with_a_hint(monkeypatch: pytest.MonkeyPatch, env: dict[str, str]) -> None:
    monkeypatch.setattr(locations, "_account_home", lambda: "")
    with pytest.raises(ConfigInvalid, match="the home folder is not known") as caught:
        expand("~/a", env)
    assert caught.value.hint == "set HOME, or write an absolute path"
    assert expand("/a", env) == Path("/a")


def test_a_current_directory_that_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    with pytest.raises(ConfigInvalid, match="nowhere to start"):
        expand("a", {})


@given(st.text(alphabet="ab/.~${}:-_A\0 한", max_size=24))
def test_expand_is_absolute_and_stable_or_refuses(text: str) -> None:
    env = {"HOME": "/h", "A": "/v", "_": "w"}
    try:
        path = expand(text, env, base=Path("/base"))
    except ConfigInvalid:
        return
    assert path.is_absolute()
    assert str(path) == os.path.normpath(path)
    assert expand(str(path).replace("$", "$$"), env) == path
