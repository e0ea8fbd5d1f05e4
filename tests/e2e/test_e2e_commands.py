"""Every command, each way: under --json on either side of its name, and failing."""

import importlib
import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import apsw
import click
import pytest
from kebab_process import (
    Done,
    answer,
    kebab,
    objects,
    plant,
    refusal,
    search,
    side_by_side,
    start,
    tree,
    well,
    write_config,
)

from answer_samples import bare, judged
from kebab.core.job import JobKind
from kebab.store.store import Store
from kebab.ui.cli.commands import COMMANDS
from office_samples import pptx, shape, slide

# Arguments under which a command succeeds in the small home, and the schema of the last line it sends.
# {chunk}, {job} and {trace} stand for the id of one, {notes} for the workspace, {outside} for a folder beside it,
# {suite} for a small one.
SUCCESS = {
    "init": (("init",), "init_report.v1"),
    "ingest": (("ingest",), "ingest_report.v1"),
    "ingest PATH": (("ingest", "{notes}/dev"), "ingest_report.v1"),
    "ingest-file": (("ingest-file", "{outside}/loose.md"), "ingest_report.v1"),
    "ingest-stdin": (("ingest-stdin", "--title", "회의 notes", "--source-uri", "mail:1"), "ingest_report.v1"),
    "search": (("search", "brown", "rice"), "search_response.v1"),
    "symbols": (("symbols", "boil"), "symbol_list.v1"),
    "ask": (("ask", "brown", "rice"), "answer.v1"),
    "answers list": (("answers", "list"), "answer_list.v1"),
    "answers show": (("answers", "show", "4a8b"), "answer.v1"),
    "verify": (("verify", "{trace}"), "verify_report.v1"),
    "session list": (("session", "list"), "session_list.v1"),
    "session show": (("session", "show", "회의"), "session.v1"),
    "session delete": (("session", "delete", "회의"), "session.v1"),
    "list docs": (("list", "docs", "--sort", "updated"), "doc_list.v1"),
    "inspect doc": (("inspect", "doc", "쌀/현미밥.md"), "doc_inspection.v1"),
    "inspect chunk": (("inspect", "chunk", "{chunk}"), "chunk_inspection.v1"),
    "inspect ocr-stats": (("inspect", "ocr-stats"), "ocr_stats.v1"),
    "inspect ocr-failures": (("inspect", "ocr-failures"), "ocr_failures.v1"),
    "fetch chunk": (("fetch", "chunk", "{chunk}", "--context", "1"), "fetch_result.v1"),
    "fetch doc": (("fetch", "doc", "쌀/현미밥.md"), "fetch_result.v1"),
    "fetch span": (("fetch", "span", "rice.md", "4", "9"), "fetch_result.v1"),
    "fetch page": (("fetch", "page", "deck.pptx#p=1"), "fetch_result.v1"),
    "open": (("open", "--print", "rice.md#L6"), "open_report.v1"),
    "eval run": (("eval", "run", "{suite}"), "eval_run.v1"),
    "eval aggregate": (("eval", "aggregate"), "eval_aggregate.v1"),
    "eval compare": (("eval", "compare", "last~1", "last"), "eval_compare.v1"),
    "eval variants": (("eval", "variants", "last"), "eval_variants.v1"),
    "eval make": (("eval", "make", "--n", "5"), "eval_suite.v1"),
    "eval calibrate": (("eval", "calibrate", "{suite}"), "eval_calibration.v1"),
    "doctor": (("doctor",), "doctor.v1"),
    "doctor --repair": (("doctor", "--repair"), "doctor.v1"),
    "schema": (("schema",), "schema.v1"),
    "vectors status": (("vectors", "status"), "vector_status.v1"),
    "vectors rebuild": (("vectors", "rebuild"), "vector_status.v1"),
    "cache status": (("cache", "status"), "cache_status.v1"),
    "cache prune": (("cache", "prune", "--max-mb", "1"), "cache_status.v1"),
    "models list": (("models", "list"), "model_list.v1"),
    "models path": (("models", "path", "use-multilingual-v3"), "model.v1"),
    "models pull": (("models", "pull", "use-multilingual-v3"), "model.v1"),
    "jobs list": (("jobs", "list"), "job_list.v1"),
    "jobs show": (("jobs", "show", "{job}"), "job.v1"),
    "jobs cancel": (("jobs", "cancel", "{job}"), "job.v1"),
    "config show": (("config", "show"), "config_show.v1"),
    "config get": (("config", "get", "search.default_k"), "config_value.v1"),
    "config set": (("config", "set", "search.default_k", "5"), "config_set.v1"),
    "config path": (("config", "path"), "config_path.v1"),
    "config migrate": (("config", "migrate"), "config_migration.v1"),
    "export": (("export", "{outside}/notes.kebab"), "transfer_report.v1"),
    "import": (("import", "{spare}", "--force"), "transfer_report.v1"),
    "backup": (("backup", "--keep", "2"), "transfer_report.v1"),
    "mcp install": (("mcp", "install", "--client", "cursor"), "mcp_install.v1"),
    "reset --all": (("reset", "--all", "--yes"), "reset_report.v1"),
    "reset --data-only": (("reset", "--data-only", "--yes"), "reset_report.v1"),
    "reset --vector-only": (("reset", "--vector-only", "--yes"), "reset_report.v1"),
    "reset --config-only": (("reset", "--config-only", "--yes"), "reset_report.v1"),
    "reset --orphans-only": (("reset", "--orphans-only"), "reset_report.v1"),
    "--version": (("--version",), "version.v1"),
}


def leaves() -> Iterator[str]:
    """Every command a user can run, sub-commands spelled out."""
    for name, (place, _) in COMMANDS.items():
        module, _, attribute = place.partition(":")
        command = getattr(importlib.import_module(module), attribute)
        if isinstance(command, click.Group):
            yield from (f"{name} {below}" for below in command.commands)
        else:
            yield name


def test_the_table_of_this_file_knows_every_command() -> None:
    covered = {" ".join(word for word in key.split() if word.islower() and word[0] != "-") for key in SUCCESS}
    assert {*leaves()} - covered == {"completion", "serve", "tui", "watch", "web"}


# Other ways to call a command that is in the table already need not be tried on both sides.
VARIANTS = ("ingest PATH", "doctor --repair", "reset --data-only", "reset --vector-only", "reset --config-only")
BOTH_SIDES = [
    (way, row) for row in SUCCESS for way in ("before", "after") if (way, row not in VARIANTS) != ("before", False)
]
# For people, the rows whose output no other file looks at.
SPOKEN = ("init", "schema", "doctor", "config show", "config set", "config migrate")


@pytest.fixture(scope="module")
def successes(small_home: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], Done]:
    """Every row of the table, each run in a home of its own."""
    chunk = search(small_home, "brown rice")[0]["chunk_id"]
    model = shutil.copytree(small_home, tmp_path_factory.mktemp("model") / "home")
    plant(model / "notes", {"dev/kettle.py": "def boil(cups: int) -> None:\n    print(cups)\n"})
    (model / "notes/deck.pptx").write_bytes(pptx([slide(shape("title", "Kettles"))]))
    well(kebab(model, "ingest", "--quiet"))
    spare = tmp_path_factory.mktemp("spare") / "spare.sqlite"
    well(kebab(model, "backup", spare, "--quiet"))
    with Store.writer(model / ".local/share/kebab/kebab.sqlite") as store:
        job = store.jobs.begin(JobKind.EMBED, {"model": "m"}, 3).job_id
        store.answers.record(judged(), {})
        store.answers.record(bare(), {})
        store.sessions.create("회의", {})
        store.sessions.append("회의", "q", "a", judged().citations)
    suite = tmp_path_factory.mktemp("suite") / "suite.yaml"
    suite.write_text('queries: [{text: brown rice, expected: rice.md, variants: ["rice, brown"]}]\n', encoding="utf-8")
    for _ in range(2):
        well(kebab(model, "eval", "run", suite, "--quiet"))
    # An index follows its folder only if nothing is left at the old place.
    model = model.rename(model.with_name("moved"))

    def run(case: tuple[str, str]) -> Done:
        way, row = case
        home = shutil.copytree(model, tmp_path_factory.mktemp("success") / "home")
        outside = plant(home / "outside", {"loose.md": "# Loose\n\nA leaf of paper.\n"})
        places = {
            "notes": home / "notes",
            "outside": outside,
            "suite": suite,
            "chunk": chunk,
            "job": job,
            "spare": spare,
            "trace": bare().retrieval.trace_id,
        }
        given = [word.format(**places) for word in SUCCESS[row][0]]
        given = {"before": ["--json", *given], "after": [*given, "--json"], "people": given}[way]
        return kebab(home, *given, stdin="여러 줄\nof text\n".encode())

    return side_by_side(run, [*BOTH_SIDES, *(("people", row) for row in SPOKEN)])


@pytest.mark.parametrize(("way", "row"), BOTH_SIDES)
def test_every_line_of_stdout_is_a_wire_object_with_json_on_either_side_of_the_name(
    way: str, row: str, successes: dict[tuple[str, str], Done]
) -> None:
    done = well(successes[way, row])
    assert done.err == ""
    assert objects(done)[-1]["schema_version"] == SUCCESS[row][1]


@pytest.mark.parametrize("row", SPOKEN)
def test_a_command_for_people_has_something_to_read_and_no_json(
    row: str, successes: dict[tuple[str, str], Done]
) -> None:
    done = well(successes["people", row])
    assert done.out.strip()
    assert not done.out.startswith("{")
    assert "Traceback" not in done.err


# How each command fails: its arguments, its error code, and what is put in the environment.
BELOW_A_FILE = {"KEBAB_STORAGE_DATA_DIR": "{home}/notes/rice.md/data"}
NO_INDEX = {"KEBAB_STORAGE_DATA_DIR": "{home}/nowhere"}
BAD_CONFIG = {"KEBAB_CONFIG": "{home}/bad.toml"}
NO_CONFIG = {"KEBAB_CONFIG": "{home}/missing.toml"}
NO_WORKSPACE = {"KEBAB_WORKSPACE_ROOT": "{home}/gone"}
NOT_A_NUMBER = {"KEBAB_SEARCH_DEFAULT_K": "many"}

FAILURE = [
    (("init", "--profile", "huge"), "invalid_input", {}),
    (("init",), "io_error", BELOW_A_FILE),
    (("init",), "config_invalid", BAD_CONFIG),
    (("ingest", "--no-such-option"), "invalid_input", {}),
    (("ingest", "{home}/gone"), "invalid_input", {}),
    (("ingest", "{home}/notes/rice.md", "--root", "{home}/notes"), "invalid_input", {}),
    (("ingest",), "io_error", NO_WORKSPACE),
    (("ingest",), "io_error", BELOW_A_FILE),
    (("ingest",), "config_not_found", NO_CONFIG),
    (("ingest-file", "{home}/gone.md"), "invalid_input", {}),
    (("ingest-file", "{home}/notes"), "invalid_input", {}),
    (("ingest-file", "{home}/notes/rice.md"), "io_error", BELOW_A_FILE),
    (("ingest-stdin",), "invalid_input", {}),
    (("ingest-stdin", "--title", " "), "invalid_input", {}),
    (("ingest-stdin", "--title", "T"), "io_error", BELOW_A_FILE),
    (("search",), "invalid_input", {}),
    (("search", ""), "invalid_input", {}),
    (("search", "rice", "--k", "0"), "invalid_input", {}),
    (("search", "rice", "--k", "ten"), "invalid_input", {}),
    (("search", "rice", "--k", "1001"), "invalid_input", {}),
    (("search", "rice", "--snippet-chars", "3"), "invalid_input", {}),
    (("search", "rice", "--mode", "vector"), "invalid_input", {}),
    (("search", "rice", "--format", "xml"), "invalid_input", {}),
    (("search", "rice", "--ingested-after", "yesterday"), "invalid_input", {}),
    (("search", "rice"), "not_indexed", NO_INDEX),
    (("search", "rice"), "config_invalid", NOT_A_NUMBER),
    (("ask",), "invalid_input", {}),
    (("ask", ""), "invalid_input", {}),
    (("ask", "x", "--session", "a b"), "invalid_input", {}),
    (("ask", "x", "--temperature", "9"), "invalid_input", {}),
    (("answers",), "invalid_input", {}),
    (("answers", "list"), "not_indexed", NO_INDEX),
    (("answers", "list", "--limit", "0"), "invalid_input", {}),
    (("answers", "show", "ret_ffff"), "trace_not_found", {}),
    (("verify", "ret_ffff"), "trace_not_found", {}),
    (("verify", "ret_ffff"), "not_indexed", NO_INDEX),
    (("session", "list"), "not_indexed", NO_INDEX),
    (("session", "show", "nobody"), "invalid_input", {}),
    (("session", "delete", "nobody"), "invalid_input", {}),
    (("session", "delete", "nobody"), "not_indexed", NO_INDEX),
    (("list",), "invalid_input", {}),
    (("list", "docs"), "not_indexed", NO_INDEX),
    (("list", "docs", "--limit", "-1"), "invalid_input", {}),
    (("list", "docs", "--cursor", "x"), "invalid_input", {}),
    (("inspect", "doc", "no/such.md"), "doc_not_found", {}),
    (("inspect", "doc", "rice.md"), "not_indexed", NO_INDEX),
    (("inspect", "chunk", "ffffffffffff"), "chunk_not_found", {}),
    (("inspect", "chunk", "*"), "chunk_not_found", {}),
    (("inspect", "chunk", "0000"), "not_indexed", NO_INDEX),
    (("fetch",), "invalid_input", {}),
    (("fetch", "chunk", "ffffffffffff"), "chunk_not_found", {}),
    (("fetch", "chunk", "??????"), "chunk_not_found", {}),
    (("fetch", "chunk", "0000"), "not_indexed", NO_INDEX),
    (("fetch", "doc", "../../etc/passwd"), "doc_not_found", {}),
    (("fetch", "doc", "rice.md", "--max-tokens", "-1"), "invalid_input", {}),
    (("fetch", "doc", "rice.md"), "not_indexed", NO_INDEX),
    (("fetch", "span", "rice.md"), "invalid_input", {}),
    (("fetch", "span", "rice.md", "3", "2"), "invalid_input", {}),
    (("fetch", "page", "rice.md", "1"), "invalid_input", {}),
    (("open", "no/such.md"), "invalid_input", {}),
    (("open", "--print", "no/such.md"), "doc_not_found", {}),
    (("open", "--print", "ffffff"), "chunk_not_found", {}),
    (("open", "--print", "rice.md"), "not_indexed", NO_INDEX),
    (("doctor", "--heal"), "invalid_input", {}),
    (("doctor", "--repair"), "io_error", BELOW_A_FILE),
    (("doctor",), "config_not_found", NO_CONFIG),
    (("schema",), "config_invalid", BAD_CONFIG),
    (("vectors", "status"), "not_indexed", NO_INDEX),
    (("vectors", "rebuild"), "not_indexed", NO_INDEX),
    (("models", "list"), "config_invalid", BAD_CONFIG),
    (("models", "path", "no-such-model"), "invalid_input", {}),
    (("models", "pull", "multilingual-e5-small"), "invalid_input", {"HF_ENDPOINT": "nowhere"}),
    (("jobs", "list"), "not_indexed", NO_INDEX),
    (("jobs", "show", "job_0"), "invalid_input", {}),
    (("jobs", "cancel", "job_0"), "invalid_input", {}),
    (("config",), "invalid_input", {}),
    (("config", "get", "search.k"), "invalid_input", {}),
    (("config", "set", "search.default_k", "many"), "invalid_input", {}),
    (("config", "set", "search.snippet_chars", "90"), "config_invalid", BAD_CONFIG),
    (("config", "path", "extra"), "invalid_input", {}),
    (("config", "migrate"), "config_not_found", NO_CONFIG),
    (("config", "migrate"), "config_invalid", BAD_CONFIG),
    (("mcp", "install"), "invalid_input", {}),
    (("mcp", "install", "--client", "nobody"), "invalid_input", {}),
    (("mcp", "install", "--client", "cursor"), "config_not_found", NO_CONFIG),
    (("reset",), "invalid_input", {}),
    (("reset", "--all", "--yes"), "config_invalid", BAD_CONFIG),
    (("reset", "--orphans-only"), "io_error", BELOW_A_FILE),
    (("completion",), "invalid_input", {}),
    (("no-such-command",), "invalid_input", {}),
]


@pytest.fixture(scope="module")
def failing_home(small_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home that no failing command may change."""
    home = shutil.copytree(small_home, tmp_path_factory.mktemp("failing") / "home")
    (home / "bad.toml").write_text('[search]\ndefault_k = "many"\n', encoding="utf-8")
    return home


@pytest.fixture(scope="module")
def failures(failing_home: Path) -> dict[int, Done]:
    """What became of every row of FAILURE."""

    def run(row: int) -> Done:
        arguments, _, env = FAILURE[row]
        given = ["--json", *(argument.format(home=failing_home) for argument in arguments)]
        variables = {name: value.format(home=failing_home) for name, value in env.items()}
        return kebab(failing_home, *given, env=variables, stdin=b"text")

    return side_by_side(run, range(len(FAILURE)))


@pytest.mark.parametrize("row", range(len(FAILURE)), ids=[f"{' '.join(given)} {code}" for given, code, _ in FAILURE])
def test_a_failure_is_one_error_line_on_stderr_and_exit_2(row: int, failures: dict[int, Done]) -> None:
    error = refusal(failures[row], FAILURE[row][1])
    assert "\n" not in error["message"]


@pytest.mark.usefixtures("failures")
def test_the_failing_commands_changed_nothing(failing_home: Path, small_home: Path) -> None:
    for place in ("notes", ".config"):
        assert tree(failing_home / place) == tree(small_home / place)
    assert (failing_home / "bad.toml").read_text(encoding="utf-8") == '[search]\ndefault_k = "many"\n'
    assert not (failing_home / "nowhere").exists()
    assert search(failing_home, "brown rice")


def test_a_failure_for_people_is_one_line_with_a_hint_and_no_traceback(home: Path) -> None:
    done = kebab(home, "search", "rice", "--k", "0")
    assert (done.status, done.out) == (2, "")
    assert done.err.splitlines()[0] == "error: --k must be from 1 to 1000, not 0"
    missing = kebab(home, "search", "rice", env={"KEBAB_STORAGE_DATA_DIR": str(home / "nowhere")})
    first, second = missing.err.splitlines()
    assert first.startswith("error: there is no index at ")
    assert second == "  hint: run `kebab ingest` first"


def test_search_without_a_hit_exits_1(home: Path) -> None:
    assert answer(home, "search", "zanzibar", status=1)["hits"] == []


def test_a_list_without_documents_exits_1_and_is_valid(home: Path) -> None:
    assert answer(home, "list", "docs", "--tag", "nobody", status=1)["docs"] == []


def test_an_unhealthy_installation_exits_3_with_a_report(home: Path) -> None:
    report = answer(home, "doctor", status=3, env={"KEBAB_STORAGE_DATA_DIR": str(home / "notes/rice.md/data")})
    assert report["ok"] is False
    failed = {check["name"]: check for check in report["checks"] if not check["ok"]}
    assert failed["data_dir_writable"]["hint"]


def test_a_broken_database_is_an_error_to_search_and_unhealthy_to_the_doctor(home: Path) -> None:
    (home / ".local/share/kebab/kebab.sqlite").write_bytes(b"this is no database, it only has its name" * 500)
    commands = (("search", "rice"), ("ingest",), ("schema",))
    for done in side_by_side(lambda command: kebab(home, *command, "--json"), commands).values():
        refusal(done, "retrieval_error")
    report = answer(home, "doctor", status=3)
    assert [check["name"] for check in report["checks"] if not check["ok"]] == ["sqlite_open"]
    well(kebab(home, "reset", "--data-only", "--yes"))
    well(kebab(home, "ingest", "--quiet"))
    assert search(home, "brown rice")


def test_the_doctor_finds_a_full_text_index_that_lost_a_chunk_and_repairs_it(home: Path) -> None:
    database = apsw.Connection(str(home / ".local/share/kebab/kebab.sqlite"))
    database.execute("DELETE FROM chunks_fts; DELETE FROM chunks_grams")
    database.close()
    assert answer(home, "search", "brown rice", status=1)["hits"] == []
    report = answer(home, "doctor", status=3)
    (failed,) = (check for check in report["checks"] if not check["ok"])
    assert (failed["name"], failed["hint"]) == ("full_text_sound", "kebab doctor --repair")
    repaired = answer(home, "doctor", "--repair")
    assert (repaired["ok"], len(repaired["repaired"])) == (True, 1)
    assert search(home, "brown rice")
    assert search(home, "현미밥 보관")


def test_an_index_of_a_newer_kebab_is_refused_untouched(home: Path) -> None:
    path = home / ".local/share/kebab/kebab.sqlite"
    database = apsw.Connection(str(path))
    database.pragma("user_version", 99)
    database.close()
    before = path.read_bytes()
    commands = (("search", "rice"), ("list", "docs"), ("ingest",), ("ingest-file", "notes/rice.md"), ("schema",))
    for done in side_by_side(lambda command: kebab(home, *command, "--json"), commands).values():
        refusal(done, "schema_too_new")
    assert answer(home, "doctor", status=3)["ok"] is False
    assert path.read_bytes() == before


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script(shell: str, home: Path) -> None:
    done = well(kebab(home, "completion", shell))
    assert done.err == ""
    assert "_KEBAB_COMPLETE" in done.out
    assert "kebab" in done.out
    interpreter = shutil.which(shell)
    if interpreter is not None:
        checked = subprocess.run([interpreter, "-n"], input=done.out.encode(), capture_output=True, check=False)
        assert checked.returncode == 0, checked.stderr


def test_completion_answers_with_commands_and_options(home: Path) -> None:
    ask = {"_KEBAB_COMPLETE": "bash_complete", "COMP_CWORD": "1", "COMP_WORDS": "kebab "}
    names = [line.partition(",")[2] for line in well(kebab(home, env=ask)).lines]
    assert names == list(COMMANDS)
    ask |= {"COMP_CWORD": "2", "COMP_WORDS": "kebab search --sn"}
    assert well(kebab(home, env=ask)).lines == ["plain,--snippet-chars"]


def test_the_version_is_the_same_either_way(home: Path) -> None:
    version = answer(home, "--version")["kebab_version"]
    assert well(kebab(home, "--version")).out == f"kebab {version}\n"


def test_help_shows_every_command(home: Path) -> None:
    asked = well(kebab(home, "--help"))
    for name, (_, summary) in COMMANDS.items():
        assert f"  {name}" in asked.out
        assert summary.split()[0] in asked.out


def test_a_word_after_two_dashes_is_a_query_and_not_an_option(home: Path) -> None:
    done = kebab(home, "search", "--", "--json", "rice")
    assert done.status == 0
    assert done.out.startswith("1. ")


def test_warnings_about_the_config_do_not_disturb_json(home: Path) -> None:
    config = write_config(home / "odd.toml", "notes", ".local/share/kebab", "\n[serach]\ndefault_k = 3\n")
    done = well(kebab(home, "search", "rice", "--json", "--config", config))
    assert done.err == ""
    assert objects(done)
    spoken = well(kebab(home, "search", "rice", "--config", config))
    assert "serach" in spoken.err
    assert "search" in spoken.err


def test_a_reader_that_leaves_early_is_no_error(home: Path) -> None:
    process = start(home, "list", "docs")
    process.stdout.close()
    said = process.stderr.read().decode()
    process.stderr.close()
    assert process.wait(30) == 0
    assert said == ""


def test_what_was_put_in_comes_out_of_list_and_inspect(home: Path) -> None:
    docs = answer(home, "list", "docs")["docs"]
    assert [doc["doc_path"] for doc in docs] == ["dev/backup.md", "rice.md", "쌀/현미밥.md"]
    assert [doc["lang"] for doc in docs] == ["en", "en", "ko"]
    view = answer(home, "inspect", "doc", docs[2]["doc_id"][:12])
    assert json.dumps(view, ensure_ascii=False).count("현미밥")
    chunk = answer(home, "inspect", "chunk", search(home, "현미 물 한 컵")[0]["chunk_id"][:12])
    assert chunk["doc_path"] == "쌀/현미밥.md"
    assert "불린 현미 한 컵에 물 1.2컵을 붓는다." in chunk["text"]
