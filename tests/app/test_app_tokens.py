"""The server's token: another one each time, for its owner's eyes, and nothing else is taken for it."""

import stat

import pytest
from app_bench import Desk

from kebab.app.tokens import is_token, new_token, stored_token, token_path
from kebab.core.errors import ConfigInvalid, IoFailure


def test_a_token_is_kept_for_its_owner_and_replaced_by_the_next(desk: Desk) -> None:
    assert stored_token(desk.config) is None
    first = new_token(desk.config)
    assert stored_token(desk.config) == first
    assert stat.S_IMODE(token_path(desk.config).stat().st_mode) == 0o600
    second = new_token(desk.config)
    assert stored_token(desk.config) == second != first
    assert [path.name for path in token_path(desk.config).parent.iterdir()] == ["server.token"]


def test_a_token_that_others_can_read_is_refused(desk: Desk) -> None:
    new_token(desk.config)
    token_path(desk.config).chmod(0o640)
    with pytest.raises(ConfigInvalid, match="read by others"):
        stored_token(desk.config)


@pytest.mark.parametrize("text", ["", "short", "\x00" * 50])
def test_a_file_that_holds_no_token_is_refused(desk: Desk, text: str) -> None:
    new_token(desk.config)
    token_path(desk.config).write_text(text)
    with pytest.raises(ConfigInvalid):
        stored_token(desk.config)


def test_a_place_that_cannot_be_written_is_named(desk: Desk) -> None:
    (desk.home / "data").write_text("a file")
    with pytest.raises(IoFailure, match="data"):
        new_token(desk.config)


def test_only_the_token_is_the_token() -> None:
    assert is_token("abc", "abc")
    assert not any(is_token(given, "abc") for given in ("", "ab", "abcd", "ABC", "abc\udc80", "압"))
