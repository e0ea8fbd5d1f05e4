"""The place of the index read at a glance is the one the whole configuration gives, or it is not read so."""

from pathlib import Path

import pytest

from kebab.app.standing import at_a_glance, in_full

CONFIGS = [
    "",
    "schema_version = 1\n",
    '[storage]\ndata_dir = "data"\n',
    '[storage]\ndata_dir = "~/elsewhere"\n',
    '[storage]\ndata_dir = "${XDG_DATA_HOME:-~/d}/x"\n',
    '[storage]\nsqlite = "{data_dir}/other.sqlite"\n',
    '[storage]\ndata_dir = "../up"\nsqlite = "beside.sqlite"\n',
    '[storage]\ndata_dir = "/a/$$b"\n',
    '\ufeff[workspace]\nroot = "x"\n[storage]\ndata_dir = "쌀"\n',
]


def planted(home: Path, text: str) -> dict[str, str]:
    file = home / ".config/kebab/config.toml"
    file.parent.mkdir(parents=True)
    file.write_text(text, encoding="utf-8")
    return {"HOME": str(home)}


@pytest.mark.parametrize("text", CONFIGS)
def test_a_glance_and_a_whole_look_see_the_same(text: str, tmp_path: Path) -> None:
    env = planted(tmp_path, text)
    seen = at_a_glance(env)
    assert seen is not None
    assert seen == in_full(env)
    assert seen.config_exists


def test_no_config_is_seen_at_a_glance(tmp_path: Path) -> None:
    env = {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path / "share")}
    assert at_a_glance(env) == in_full(env)
    assert not in_full(env).config_exists


@pytest.mark.parametrize(
    "text", ["storage = 1\n", "[storage\n", "[storage]\ndata_dir = 3\n", '[storage]\ndata_dir = "$NO_SUCH"\n', "\0"]
)
def test_what_is_odd_is_left_to_the_whole_look(text: str, tmp_path: Path) -> None:
    assert at_a_glance(planted(tmp_path, text)) is None


@pytest.mark.parametrize("name", ["KEBAB_CONFIG", "KEBAB_STORAGE_DATA_DIR", "KEBAB_STORAGE_SQLITE"])
def test_so_is_what_variables_say(name: str, tmp_path: Path) -> None:
    assert at_a_glance(planted(tmp_path, "") | {name: "/x"}) is None
