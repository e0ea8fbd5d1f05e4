"""Tables on a screen of 80 columns: no line runs over and nothing is lost; a program gets every row on one line."""

import io
import sys
from collections.abc import Callable

import pytest
from ui_bench import Home

import evaluation_samples as samples
from kebab.core.query import SearchMode
from kebab.ui.cli.eval_render import table_lines
from kebab.ui.terminal import display_width

COLUMNS = 80
Shown = Callable[..., list[str]]


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def shown(home: Home, monkeypatch: pytest.MonkeyPatch) -> Shown:
    """The lines of a command at a terminal."""

    def run(*arguments: str) -> list[str]:
        screen = Screen()
        with monkeypatch.context() as at:
            at.setattr(sys, "stdout", screen)
            at.setenv("COLUMNS", str(COLUMNS))
            assert home.run(*arguments).status == 0
        return screen.getvalue().splitlines()

    return run


def words(lines: list[str]) -> list[str]:
    return " ".join(lines).split()


def test_every_model_fits_with_all_its_facts(home: Home, shown: Shown) -> None:
    lines = shown("models", "list")
    assert max(map(display_width, lines)) <= COLUMNS
    assert lines[1].split() == ["use-multilingual-v3", "embedding", "-", "part", "of", "kebab,", "configured"]
    assert lines[2] == "  builtin, 512 dimensions, Apache-2.0"
    whole = home.run("models", "list").out.splitlines()
    assert len(lines) - 1 == 2 * (len(whole) - 1)


def test_settings_go_on_below_themselves(home: Home, shown: Shown) -> None:
    long = f"storage.runs_dir=/{'folder/' * 12}runs"
    lines = shown("config", "show", "--set", long)
    assert max(map(display_width, lines)) <= COLUMNS
    whole = home.run("config", "show", "--set", long).out
    assert f"/{'folder/' * 12}runs  (flag)\n" in whole
    assert "".join(words(lines)) == "".join(whole.split()), "and nothing is lost"
    assert len(lines) > len(whole.splitlines())


def test_json_is_one_line_on_a_screen_too(shown: Shown) -> None:
    for command in (("models", "list"), ("config", "show")):
        assert len(shown(*command, "--json")) == 1


def test_the_modes_of_a_run_stand_below_it(monkeypatch: pytest.MonkeyPatch) -> None:
    results = [samples.result(mode=mode) for mode in (SearchMode.LEXICAL, SearchMode.HYBRID)]
    runs = [samples.run(*results, suite_name="질문 모음 " * 4), samples.run(*results, run_id="later", aborted=True)]
    whole = list(table_lines(runs))
    monkeypatch.setattr(sys, "stdout", Screen())
    monkeypatch.setenv("COLUMNS", str(COLUMNS))
    lines = list(table_lines(runs))
    assert max(map(display_width, whole)) > COLUMNS >= max(map(display_width, lines))
    assert [line.split()[0] for line in lines] == [
        *("run", "mode"),
        *(runs[0].run_id, "lexical", "hybrid"),
        *("later*", "lexical", "hybrid"),
        "*",
    ]
    assert set(words(lines)) == set(words(whole))
