"""`kebab models` for people and for programs: the table, the path, and a pull that can be watched and stopped."""

import io
import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from embed.stand_in_hub import Hub, Offer, stand_in_hub
from kebab.app import models
from kebab.embed import catalogue
from kebab.embed.catalogue import HubFile, KnownModel
from kebab.ui.cli.pull_progress import in_bytes
from wire_schemas import check

if TYPE_CHECKING:
    from ui_bench import Home

WEIGHTS = 3_000_000
FILES = (HubFile("tokenizer.json", 20), HubFile("onnx/model.onnx", WEIGHTS))
TINY = KnownModel("tiny", "fastembed", 16, "MIT", "someone/tiny", FILES)


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, home: "Home") -> Iterator[Hub]:
    monkeypatch.setattr(catalogue, "MODELS", (*catalogue.MODELS, TINY))
    with stand_in_hub() as opened:
        monkeypatch.setenv("HF_ENDPOINT", opened.url)
        for file in FILES:
            opened.offers[f"/someone/tiny/resolve/main/{file.path}"] = Offer(b"x" * file.size)
        yield opened


def test_the_table_says_which_model_is_used_and_which_are_here(home: "Home") -> None:
    said = home.run("models", "list")
    assert (said.status, said.err) == (0, "")
    head, *rows = said.out.splitlines()
    assert head.split() == ["NAME", "KIND", "PROVIDER", "DIMENSIONS", "LICENCE", "SIZE", "STATE"]
    states = {row.split()[0]: row[head.index("STATE") :] for row in rows}
    assert states["use-multilingual-v3"] == "part of kebab, configured"
    assert states["multilingual-e5-large"] == states["mdeberta-v3-xnli"] == "not pulled"
    verifier = next(row.split() for row in rows if row.startswith("mdeberta"))
    assert verifier[1:4] == ["nli", "onnx", "-"], "a verifier has no vectors"
    assert len(states) == len(catalogue.MODELS)


@pytest.mark.parametrize(
    ("provider", "model", "note"),
    [
        ("fastembed", "multilingual-e5-small", "hint: kebab models pull multilingual-e5-small\n"),
        ("ollama", "bge-m3", "configured is ollama/bge-m3, which has no place in this list\n"),
        ("none", "bge-m3", "no embedding model is configured; searches go by words only\n"),
    ],
)
def test_the_table_has_a_word_about_another_choice(home: "Home", provider: str, model: str, note: str) -> None:
    chosen = [f"--set=models.embedding.{key}={value}" for key, value in (("provider", provider), ("model", model))]
    assert home.run("models", "list", *chosen).err == note
    assert home.run("models", "list", *chosen, "--quiet").err == ""


def test_the_table_has_a_word_about_a_verifier_that_is_not_here(home: "Home") -> None:
    said = home.run("models", "list", "--set=rag.nli_threshold=0.5")
    assert "not pulled, configured" in said.out
    assert said.err == "hint: kebab models pull mdeberta-v3-xnli\n"
    alone = home.run("models", "list", "--set=rag.nli_threshold=0.5", "--set=models.embedding.provider=none")
    assert "searches go by words only" in alone.err, "a verifier searches for nothing"


def test_after_a_pull_of_a_verifier_it_is_told_how_answers_are_checked(
    home: "Home", hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalogue, "MODELS", (*catalogue.MODELS[:-1], TINY._replace(kind=catalogue.NLI)))
    said = home.run("models", "pull", "tiny")
    *_, intro, model, threshold = said.err.splitlines()
    assert (intro, model.split()[-2:]) == ("to check answers with it:", ["rag.nli_model", "tiny"])
    for line in (model, threshold):
        assert home.run(*line.split()[1:]).status == 0
    assert "`kebab ask` checks its answers with it" in home.run("models", "pull", "tiny").err


def test_after_a_pull_of_a_speech_model_it_is_told_how_recordings_are_read(
    home: "Home", hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = tuple(HubFile(name, 9) for name in ("config.json", "tokenizer.json", "vocabulary.txt", "model.bin"))
    ears = TINY._replace(name="ears", provider=catalogue.WHISPER, files=files, kind=catalogue.SPEECH)
    monkeypatch.setattr(catalogue, "MODELS", (*catalogue.MODELS, ears._replace(repository="someone/ears")))
    hub.offers |= {f"/someone/ears/resolve/main/{file.path}": Offer(b"x" * 9) for file in files}
    *_, intro, model, ingest = home.run("models", "pull", "ears").err.splitlines()
    assert (intro, ingest.strip()) == ("to write down recordings with it:", "kebab ingest")
    assert home.run(*model.split()[1:]).status == 0
    assert "writes down recordings with it" in home.run("models", "pull", "ears").err


def test_a_pull_from_a_script_is_lines_and_ends_with_what_to_do_next(home: "Home", hub: Hub) -> None:
    said = home.run("models", "pull", "tiny")
    folder = home.path / ".local/share/kebab/models/tiny"
    assert (said.status, said.out) == (0, f"tiny is now in {folder}\n")
    first, *steps = said.err.splitlines()
    assert first == f"pulling tiny, about 3.0 MB, into {folder}"
    *steps, intro, provider, model, dimensions, ingest = steps
    assert steps[-1] == "onnx/model.onnx: 3.0 MB of 3.0 MB"
    assert 3 <= len(steps) <= 14, "a line for a tenth, not for every step"
    assert [provider.strip(), model.strip(), dimensions.strip(), ingest.strip()] == [
        "kebab config set models.embedding.provider fastembed",
        "kebab config set models.embedding.model tiny",
        "kebab config set models.embedding.dimensions 16",
        "kebab ingest",
    ]
    for line in (provider, model, dimensions):
        assert home.run(*line.split()[1:]).status == 0, intro
    listed = json.loads(home.run("models", "list", "--json").out)["models"]
    assert [facts["name"] for facts in listed if facts["configured"] and facts["kind"] != "speech"] == ["tiny"]
    again = home.run("models", "pull", "tiny")
    assert again.out == f"tiny was already in {folder}\n"
    assert again.err == "it is the configured model; `kebab ingest` makes its vectors\n"


def test_a_pull_on_a_terminal_draws_a_bar(home: "Home", hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = io.StringIO()
    monkeypatch.setattr(screen, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setattr(sys, "stderr", screen)
    assert home.run("models", "pull", "tiny").status == 0
    assert "onnx/model.onnx" in screen.getvalue()
    assert "\x1b[?25h" in screen.getvalue(), "the cursor is back"


def test_a_pull_for_a_program_is_one_object(home: "Home", hub: Hub) -> None:
    said = home.run("models", "pull", "tiny", "--json")
    assert (said.status, said.err) == (0, "")
    value = json.loads(said.out)
    check(value)
    assert (value["name"], value["pulled"], value["configured"]) == ("tiny", True, False)


def test_a_quiet_pull_says_only_where_the_model_is(home: "Home", hub: Hub) -> None:
    said = home.run("models", "pull", "tiny", "--quiet")
    assert said.err == ""
    assert said.out.count("\n") == 1


def test_a_stopped_pull_exits_130_and_goes_on_later(home: "Home", hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = models.pull_model

    def stopped(*given: object) -> Iterator[object]:
        for step in whole(*given):  # type: ignore[arg-type]
            yield step
            if step.done > WEIGHTS / 2:
                raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(models, "pull_model", stopped)
        said = home.run("models", "pull", "tiny", "--quiet")
    assert (said.status, said.out) == (130, "")
    assert said.err.splitlines() == [
        "error: the pull was stopped",
        "  hint: `kebab models pull tiny` goes on where it stopped",
    ]
    assert home.run("models", "path", "tiny").status == 1
    hub.asked.clear()
    assert home.run("models", "pull", "tiny", "--json").status == 0
    assert [(path.rpartition("/")[2], bool(start)) for path, start in hub.asked] == [("model.onnx", True)]


def test_the_model_that_comes_with_kebab_needs_no_pull(home: "Home") -> None:
    said = home.run("models", "pull", "use-multilingual-v3")
    assert (said.status, said.out) == (0, "use-multilingual-v3 is part of kebab; there is nothing to pull\n")
    value = json.loads(home.run("models", "pull", "use-multilingual-v3", "--json").out)
    check(value)
    assert value["pulled"] is True


def test_the_path_stands_alone_on_stdout(home: "Home") -> None:
    absent = home.run("models", "path", "multilingual-e5-small")
    assert (absent.status, absent.out) == (1, f"{home.path}/.local/share/kebab/models/multilingual-e5-small\n")
    assert "kebab models pull multilingual-e5-small" in absent.err
    value = json.loads(home.run("models", "path", "multilingual-e5-small", "--json").out)
    check(value)
    assert value["pulled"] is False
    present = home.run("models", "path", "use-multilingual-v3")
    assert (present.status, present.err) == (0, "")


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (1000, "1.0 kB"),
        (17_100_000, "17 MB"),
        (1_110_000_000, "1.1 GB"),
        (2_000_000_000_000, "2000 GB"),
    ],
)
def test_a_size_is_short(size: int, text: str) -> None:
    assert in_bytes(size) == text
