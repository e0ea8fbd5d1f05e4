"""The first minute: what a newcomer sees, is asked and is told to do next."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from kebab_process import Done, environment, kebab, on_terminal, plant, search, well, write_config

from kebab.ui.cli.commands import COMMANDS
from kebab.ui.cli.mistyped import ELSEWHERE
from kebab.ui.cli.overview import SECTIONS
from kebab.ui.terminal import display_width

PAGER = {"KEBAB_NO_PAGER": "", "PAGER": "sed s/^/paged:/", "LINES": "8"}


@pytest.fixture
def newcomer(tmp_path: Path) -> Path:
    home = tmp_path / "home"
    plant(home / "notes", {"현미밥.md": "# 현미밥\n\n현미 한 컵에 물 1.2컵.\n", "rice.md": "# Rice\n\nBrown rice.\n"})
    return home


def offered(done: Done) -> list[str]:
    """The commands a greeting names."""
    return [line.split("   ")[0].strip() for line in done.lines if line.startswith("  kebab ")]


def test_kebab_alone_says_what_comes_next(newcomer: Path) -> None:
    first = well(kebab(newcomer))
    assert "no index yet" in first.out
    assert offered(first) == ["kebab init", "kebab ingest FOLDER", "kebab --help"]
    write_config(newcomer / ".config/kebab/config.toml", "../../notes", "${HOME}/data")
    configured = well(kebab(newcomer))
    assert offered(configured)[0] == "kebab ingest"
    well(kebab(newcomer, "ingest", "--quiet"))
    indexed = well(kebab(newcomer))
    assert "2 documents in the index, the last one indexed just now" in indexed.out
    assert offered(indexed) == ['kebab search "WORDS"', 'kebab ask "QUESTION"', "kebab ingest"]
    for done in (first, configured, indexed):
        assert done.err == ""
        assert all(display_width(line) <= 80 for line in done.lines)
        assert {line.split()[1] for line in offered(done)} <= {*COMMANDS, "--help"}
        assert len(done.lines) < 10


def test_kebab_alone_is_friendly_when_something_is_wrong(newcomer: Path) -> None:
    write_config(newcomer / ".config/kebab/config.toml", "x", "y", "[storage\n")
    done = well(kebab(newcomer))
    assert "Something is wrong" in done.out
    assert offered(done)[0] == "kebab doctor"
    index = newcomer / "data/kebab.sqlite"
    write_config(newcomer / ".config/kebab/config.toml", "x", index.parent)
    index.parent.mkdir()
    index.write_bytes(b"no database" * 1000)
    assert offered(well(kebab(newcomer)))[0] == "kebab doctor"


def test_options_without_a_command_show_the_start_under_them(newcomer: Path) -> None:
    file = write_config(newcomer / "other/mine.toml", "../notes", "data")
    begun = well(kebab(newcomer, "--config", file))
    assert "There is a config and no index yet" in begun.out
    assert f"each with --config {file}" in begun.out
    well(kebab(newcomer, "ingest", "--quiet", "--config", file))
    assert "2 documents" in well(kebab(newcomer, "--config", file)).out
    assert "2 documents" in well(kebab(newcomer, "--set", f"storage.data_dir={file.parent / 'data'}")).out
    for options in (("--no-color",), ("-q",), ("--readonly", "-v"), ("--debug",), ("--no-pager",)):
        assert well(kebab(newcomer, *options)) == well(kebab(newcomer)), options
    assert json.loads(well(kebab(newcomer, "--json"), 2).err)["message"] == "a command is missing"


def test_a_config_that_is_not_there_is_offered_to_be_written(newcomer: Path) -> None:
    done = well(kebab(newcomer, "--config", "none.toml"))
    assert "there is no config file" in done.out
    assert offered(done) == ["kebab init", "kebab --help"]
    odd = well(kebab(newcomer, "--set", "no.such=1"))
    assert "unknown key no.such" in odd.out


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("serch", "kebab search"),
        ("Ask", "kebab ask"),
        ("help", "kebab --help"),
        ("ls", "kebab list docs"),
        ("index", "kebab ingest FOLDER"),
        ("list dcos", "kebab list docs"),
        ("eval cmpare", "kebab eval compare"),
    ],
)
def test_a_mistyped_command_is_answered_with_the_one_that_was_meant(typed: str, meant: str, newcomer: Path) -> None:
    done = well(kebab(newcomer, *typed.split()), 2)
    assert done.err == f"error: No such command '{typed.rpartition(' ')[2]}'.\n  hint: did you mean `{meant}`?\n"


def test_every_name_of_another_tool_leads_to_a_command_that_is_there() -> None:
    for word, command in ELSEWHERE.items():
        assert word not in COMMANDS
        assert command.split()[0] in {*COMMANDS, "--help", "--version"}, command


def test_the_overview_has_every_command_once_and_cuts_no_summary(newcomer: Path) -> None:
    placed = [name for _, names in SECTIONS for name in names]
    assert sorted(placed) == sorted(COMMANDS)
    shown = well(kebab(newcomer, "--help", env={"COLUMNS": "80"}))
    words = " ".join(shown.out.split())
    for name, (_, summary) in COMMANDS.items():
        assert f" {name} {summary}" in words
    assert "..." not in well(kebab(newcomer, "eval", "--help", env={"COLUMNS": "80"})).out.partition("Commands:")[2]


def test_a_word_that_is_near_nothing_leads_to_the_help_of_its_group(newcomer: Path) -> None:
    assert well(kebab(newcomer, "frobnicate"), 2).err.endswith("  hint: see `kebab --help`\n")
    assert well(kebab(newcomer, "list", "search"), 2).err.endswith("  hint: see `kebab list --help`\n")


def test_where_there_is_nothing_to_find_it_is_said_what_to_do(newcomer: Path) -> None:
    (newcomer / "empty").mkdir()
    hint = "`kebab ingest FOLDER`"
    assert hint in well(kebab(newcomer, "ingest", "empty")).err
    assert well(kebab(newcomer, "search", "rice"), 1).err.count(hint) == 1
    assert hint in well(kebab(newcomer, "list", "docs"), 1).err
    assert well(kebab(newcomer, "list", "docs", "--lang", "ko"), 1).err == "no documents with these filters\n"
    assert hint in well(kebab(newcomer, "eval", "make"), 2).err
    assert hint not in well(kebab(newcomer, "ingest", "notes")).err


def test_kebab_alone_loads_no_more_than_it_needs(newcomer: Path) -> None:
    write_config(newcomer / ".config/kebab/config.toml", "../../notes", "${HOME}/data")
    well(kebab(newcomer, "ingest", "--quiet"))
    probe = (
        "import sys, json\nfrom kebab.ui.cli.main import run\ntry:\n    run([])\nexcept SystemExit as end:\n"
        "    print(json.dumps([end.code, sorted(sys.modules)]), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", probe], env=environment(newcomer), cwd=newcomer, capture_output=True, check=True
    )
    status, modules = json.loads(done.stderr)
    assert status == 0
    assert "apsw" in modules
    heavy = ("kebab.config", "kebab.app.facade", "kebab.store.store", "kebab.search", "numpy", "rich", "subprocess")
    assert not {name for name in modules if name in heavy or name.startswith("kebab.core.query")}


def questions(done: Done) -> int:
    return done.out.count("]: ")


def test_init_at_a_terminal_asks_three_questions_and_then_there_is_an_index(newcomer: Path) -> None:
    done = on_terminal(newcomer, "init", typed=b"~/notes\n\n\n")
    assert done.status == 0, done.out
    assert questions(done) == 3
    assert "done: 2 new" in done.out
    assert [hit["doc_path"] for hit in search(newcomer, "현미", "--mode", "lexical")] == ["현미밥.md"]
    again = on_terminal(newcomer, "init")
    assert (again.status, questions(again)) == (0, 0), "what is there is kept, so there is nothing to ask"


def test_a_newcomer_may_say_no(newcomer: Path) -> None:
    done = on_terminal(newcomer, "init", typed=b"~/notes\nbuiltin\nn\n")
    assert done.status == 0
    assert "kebab ingest" in done.out
    assert "done:" not in done.out


def test_an_end_of_input_writes_nothing(newcomer: Path) -> None:
    done = on_terminal(newcomer, "init", typed=b"\x04")
    assert done.status == 130
    assert not (newcomer / ".config").exists()
    assert not (newcomer / ".local").exists()


@pytest.mark.parametrize("given", [("--yes",), ("--json",), ("--quiet",)])
def test_nothing_is_asked_of_who_declined(given: tuple[str, ...], newcomer: Path) -> None:
    done = on_terminal(newcomer, "init", *given)
    assert (done.status, questions(done)) == (0, 0), done.out


def test_what_was_given_is_not_asked_for(newcomer: Path) -> None:
    done = on_terminal(newcomer, "init", "--workspace", newcomer / "notes", "--profile", "builtin", typed=b"n\n")
    assert (done.status, questions(done)) == (0, 1), done.out


def test_without_a_terminal_nothing_is_asked(newcomer: Path) -> None:
    assert "?" not in well(kebab(newcomer, "init")).out
    streams = on_terminal(newcomer, "init", "--force", streams=("stdout",))
    assert (streams.status, questions(streams)) == (0, 0)


@pytest.fixture
def shelf(newcomer: Path) -> Path:
    write_config(newcomer / ".config/kebab/config.toml", "../../notes", "${HOME}/data")
    plant(newcomer / "notes", {"쌀/아주 긴 제목.md": f"# {'긴 제목 ' * 20}\n\n{'현미 ' * 40}\n"})
    sections = "".join(f"## 절 {number}\n\n현미 {number}\n\n" for number in range(12))
    plant(newcomer / "notes", {"long.md": f"# Long\n\n{sections}"})
    well(kebab(newcomer, "ingest", "--quiet"))
    return newcomer


def test_long_text_is_paged_at_a_terminal_and_nowhere_else(shelf: Path) -> None:
    for call in (("inspect", "doc", "long.md"), ("search", "현미", "--mode", "lexical")):
        paged = on_terminal(shelf, *call, env=PAGER)
        assert paged.status == 0
        assert paged.lines[0].startswith("paged:"), paged.out
        assert "paged:" not in on_terminal(shelf, *call, "--no-pager", env=PAGER).out
        assert "paged:" not in on_terminal(shelf, *call, env={**PAGER, "KEBAB_NO_PAGER": "1"}).out
        assert "paged:" not in on_terminal(shelf, *call, env={**PAGER, "LINES": "500"}).out, "it fits the screen"
        assert "paged:" not in on_terminal(shelf, *call, "--json", env=PAGER).out
        assert "paged:" not in well(kebab(shelf, *call, env=PAGER)).out


@pytest.mark.parametrize("program", ["", "cat", "no-such-pager --at-all", "'unclosed", "false"])
def test_a_pager_that_is_none_keeps_nothing_back(program: str, shelf: Path) -> None:
    shown = on_terminal(shelf, "inspect", "doc", "long.md", env={**PAGER, "PAGER": program})
    assert shown.status == 0
    assert ("12" in shown.out) == (program != "false"), "one that ran and showed nothing was asked for"


def test_colours_are_for_those_who_want_them(shelf: Path) -> None:
    call = ("search", "rice", "--mode", "lexical")
    assert "\x1b[" in on_terminal(shelf, *call).out
    for plain in (on_terminal(shelf, *call, "--no-color"), on_terminal(shelf, "--no-color", *call)):
        assert plain.status == 0
        assert "\x1b" not in plain.out


@pytest.mark.parametrize("plain", [{"TERM": "dumb"}, {"NO_COLOR": "1"}])
def test_a_plain_terminal_gets_rows_that_fit_and_nothing_else(plain: dict[str, str], shelf: Path) -> None:
    for call in (
        (),
        ("search", "현미", "--k", "3", "--trace"),
        ("ask", "현미 한 컵에 물은?"),
        ("inspect", "doc", "long.md"),
    ):
        done = on_terminal(shelf, *call, env=plain)
        assert done.lines[0], call
        assert "\x1b" not in done.out, call
        assert all(display_width(line) <= 80 for line in done.lines), call


def test_tables_stand_in_columns_whatever_the_script(shelf: Path) -> None:
    lines = on_terminal(shelf, "list", "docs").lines
    assert len(lines) == 4
    assert all(display_width(line) <= 80 for line in lines), lines
    columns = {display_width(line[: line.index(f" {lang}")]) for line, lang in zip(lines, _langs(lines), strict=True)}
    assert len(columns) == 1, lines
    piped = well(kebab(shelf, "list", "docs")).out
    assert "긴 제목 " * 19 in piped, "a program gets the whole title"


def _langs(lines: list[str]) -> list[str]:
    return [next(lang for lang in (" ko ", " en ", " und ") if lang in line) for line in lines]


def test_a_decomposed_syllable_takes_the_room_of_a_whole_one() -> None:
    import unicodedata

    for text in ("현미밥", "쌀 밥", "값"):
        assert display_width(unicodedata.normalize("NFD", text)) == display_width(text)
    assert display_width("e\u0301") == 1
    assert display_width("❤\ufe0f") == 1
    assert display_width("a\u200db") == 2
