"""`kebab ask` on the example notes with the built-in models: answers, refusals, the record and its verification."""

import json
from pathlib import Path

import pytest
from asking import ask_all, check_quotes, recorded
from conftest import copy_examples
from example_questions import ENGLISH, KOREAN, UNANSWERED
from kebab_process import Json, answer, kebab, objects, on_terminal, plant, refusal, side_by_side, well
from kebab_process import write_config as configure

RATIO = "압력밥솥 현미밥 물 비율은?"
RESTORE = "how do we restore the Postgres backup?"
RICE = "how much water does brown rice need?"
RICE_LINE = "One cup of brown rice needs two cups of water."


@pytest.fixture(scope="module")
def kitchen(tmp_path_factory: pytest.TempPathFactory, builtin: dict[str, str]) -> Path:
    """The example notes, indexed by words and by meaning. Questions add to its record."""
    home = tmp_path_factory.mktemp("kitchen") / "home"
    copy_examples(home / "notes")
    configure(home / ".config/kebab/config.toml", "../../notes", "${HOME}/.local/share/kebab")
    well(kebab(home, "ingest", "--quiet", env=builtin))
    return home


@pytest.fixture(scope="module")
def answers(kitchen: Path, builtin: dict[str, str]) -> dict[str, Json]:
    return ask_all(kitchen, builtin, [*KOREAN, *ENGLISH, *UNANSWERED])


def test_every_quote_of_forty_answers_stands_in_its_file_at_its_lines(kitchen: Path, answers: dict[str, Json]) -> None:
    quotes = {question: check_quotes(answers[question], kitchen / "notes") for question in answers}
    assert sum(given["grounded"] for given in answers.values()) >= 30
    for question, given in answers.items():
        markers = [marker for statement in given["statements"] for marker in statement["markers"]]
        if given["grounded"]:
            assert quotes[question] >= 2, question
            assert set(markers) == {cited["marker"] for cited in given["citations"]}
            assert "quoted" in {statement["support"] for statement in given["statements"]}


def test_what_the_notes_do_not_hold_is_refused_with_what_came_nearest(answers: dict[str, Json]) -> None:
    assert answers[UNANSWERED[0]]["answer"].startswith("Not enough evidence. The knowledge base has nothing on this.\n")
    assert answers[UNANSWERED[1]]["answer"].startswith("근거 부족. KB 에 해당 내용 없음.\n")
    for question in UNANSWERED:
        given = answers[question]
        assert (given["grounded"], given["refusal_reason"]) == (False, "score_gate"), question
        assert [cited["marker"] for cited in given["citations"]] == [None] * 3
        assert all(cited["score"] < given["retrieval"]["score_gate"] for cited in given["citations"])
        assert given["statements"] == []


def test_a_person_reads_the_answer_its_citations_and_what_bears_it_out(kitchen: Path, builtin: dict[str, str]) -> None:
    scenes = {
        "korean": ("ask", RATIO),
        "explained": ("ask", RESTORE, "--explain"),
    }
    got = side_by_side(lambda name: kebab(kitchen, *scenes[name], env=builtin), scenes)
    korean = well(got["korean"])
    assert "불린 현미 1컵에 물 1.2컵" in korean.lines[0]
    assert "[1] cooking/brown-rice-pressure-cooker.md#L" in korean.out
    assert korean.lines[-1].startswith("grounded ✓  extractive-v1  rag-v3  ")
    explained = well(got["explained"])
    assert "dev/postgres-backup-restore.md#L44\n    「To restore the Postgres backup, " in explained.out
    assert "retrieval trace" in explained.out
    assert {done.err for done in got.values()} == {""}


def test_the_answer_on_the_wire_is_the_last_event_of_the_stream(kitchen: Path, builtin: dict[str, str]) -> None:
    got = side_by_side(lambda flag: well(kebab(kitchen, "ask", RATIO, flag, env=builtin)), ("--json", "--stream"))
    (plain,) = objects(got["--json"])
    assert plain["embedding"]["id"] == "use-multilingual-v3"
    assert check_quotes(plain, kitchen / "notes") >= 2
    first, *tokens, final = objects(got["--stream"])
    assert {event["schema_version"] for event in (first, *tokens, final)} == {"answer_event.v1"}
    assert (first["kind"], final["kind"]) == ("retrieval_done", "final")
    assert {event["kind"] for event in tokens} == {"token"}
    assert "".join(event["delta"] for event in tokens) == final["answer"]["answer"] == plain["answer"]
    assert final["answer"]["citations"] == plain["citations"]
    assert {done.err for done in got.values()} == {""}


def test_a_refusal_says_so_and_streams_to_exactly_one_end_too(home: Path) -> None:
    got = side_by_side(lambda flag: well(kebab(home, "ask", "quokka zeppelin", flag), 1), ("--quiet", "--stream"))
    assert got["--quiet"].lines[0] == "Not enough evidence. The knowledge base has nothing on this."
    assert got["--quiet"].lines[-1].startswith("grounded ✗")
    done = got["--stream"]
    assert [event["kind"] for event in objects(done)] == ["retrieval_done", "final"]
    assert objects(done)[-1]["answer"]["refusal_reason"] == "no_chunks"


def test_a_terminal_shows_the_same_words_as_a_pipe(home: Path) -> None:
    shown = well(on_terminal(home, "ask", RICE, env={"NO_COLOR": "1"}, streams=("stdout",)))
    flags = ("--quiet", "--hide-citations")
    piped, hidden = side_by_side(lambda flag: well(kebab(home, "ask", RICE, flag)), flags).values()
    assert shown.out.replace("─", "").split() == piped.out.replace("─", "").split()
    assert shown.out.count(RICE_LINE) == 1
    assert "rice.md#L" in piped.out
    assert "rice.md#L" not in hidden.out
    assert (hidden.lines[0], hidden.lines[-1]) == (piped.lines[0], piped.lines[-1])


def test_filters_narrow_what_an_answer_may_stand_on(home: Path) -> None:
    def paths(*flags: str) -> list[str]:
        given = answer(home, "ask", RICE, *flags)
        return [cited["citation"]["path"] for cited in given["citations"]]

    assert set(paths("--tag", "cooking", "--lang", "en", "--media", "markdown")) == {"rice.md"}
    refused = answer(home, "ask", RICE, "--tag", "absent", status=1)
    assert (refused["refusal_reason"], refused["citations"]) == ("no_chunks", [])
    refused = answer(home, "ask", RICE, "--path-glob", "dev/*", status=1)
    assert {cited["citation"]["path"] for cited in refused["citations"]} <= {"dev/backup.md"}


def test_without_vectors_questions_are_answered_by_words_and_say_so(home: Path) -> None:
    got = side_by_side(lambda mode: answer(home, "ask", RICE, "--mode", mode), ("hybrid", "lexical"))
    hybrid, lexical = got.values()
    assert hybrid["answer"] == lexical["answer"] == f"{RICE_LINE} [1]"
    assert "words only" in hybrid["hint"]
    assert "hint" not in lexical
    assert "embedding" not in lexical


def test_questions_that_cannot_be_asked_say_why(bare: Path) -> None:
    refused = answer(bare, "ask", "현미밥 물 비율은?", status=1)
    assert (refused["refusal_reason"], refused["hint"]) == ("no_index", "run `kebab ingest` first")
    assert "색인 없음" in refused["answer"]
    assert not (bare / ".local/share/kebab/kebab.sqlite").exists()
    asked = ((" \t\n",), (RICE, "--session", "no/name"), (RICE, "--temperature", "9"))
    for done in side_by_side(lambda arguments: kebab(bare, "ask", *arguments, "--json"), asked).values():
        assert refusal(done, "invalid_input")["message"]


def test_answers_are_kept_and_shown_again_by_the_beginning_of_their_id(home: Path) -> None:
    first = answer(home, "ask", RICE)
    second = answer(home, "ask", "quokka zeppelin", status=1)
    listed = recorded(home)
    assert [each["trace_id"] for each in listed] == [each["retrieval"]["trace_id"] for each in (second, first)]
    assert [each["grounded"] for each in listed] == [False, True]
    start = first["retrieval"]["trace_id"].removeprefix("ret_")[:9]
    again = answer(home, "answers", "show", start)
    for field in ("question", "answer", "citations", "statements", "retrieval", "created_at", "model"):
        assert again.get("answer_record", again)[field] == first[field], field
    assert RICE_LINE in well(kebab(home, "answers", "show", start)).out
    refusal(kebab(home, "answers", "show", "ret_ffffffffffffffff", "--json"), "trace_not_found")


def test_a_readonly_question_is_answered_and_leaves_no_record(home: Path) -> None:
    assert answer(home, "ask", RICE, "--readonly")["grounded"] is True
    assert recorded(home) == []


def checks(home: Path, trace: str, status: int) -> list[Json]:
    report = answer(home, "verify", trace, status=status)
    assert report["ok"] is (status == 0)
    found: list[Json] = report["checks"]
    return found


def test_citations_are_verified_as_the_file_is_edited_moved_changed_and_deleted(bare: Path) -> None:
    home = bare
    well(kebab(home, "ingest", "--quiet"))
    trace = answer(home, "ask", RICE)["retrieval"]["trace_id"]
    note = home / "notes/rice.md"
    text = note.read_text(encoding="utf-8")
    (intact,) = checks(home, trace, 0)
    assert (intact["status"], intact["citation"]["uri"]) == ("intact", "rice.md#L6")
    assert intact["citation"]["quote"]["text"] == RICE_LINE
    for edited, status, found in (
        (f"{text}\nRinse it first.\n", "intact", None),
        (text.replace("# Rice", "# Rice\n\nRinse it first."), "moved", "rice.md#L8"),
        (text.replace("two cups", "three cups"), "changed", None),
    ):
        plant(home / "notes", {"rice.md": edited})
        (check,) = checks(home, trace, 0 if status == "intact" else 1)
        assert check["status"] == status
        assert (check["found"] and check["found"]["uri"]) == found
    # What was said stays on the record, whatever the index holds by now.
    well(kebab(home, "ingest", "--quiet"))
    assert "newer version" in checks(home, trace, 1)[0]["detail"]
    note.unlink()
    well(kebab(home, "ingest", "--quiet"))
    assert [check["status"] for check in checks(home, trace, 1)] == ["missing"]
    spoken = well(kebab(home, "verify", trace), 1)
    assert spoken.lines[-1].startswith("0 of 1 intact")


def test_a_session_keeps_its_turns_in_order(home: Path) -> None:
    questions = (RICE, "restore the nightly backup with what?", "현미 한 컵에 물은?")
    given = [answer(home, "ask", question, "--session", "rice-1") for question in questions]
    assert [(each["conversation_id"], each["turn_index"]) for each in given] == [("rice-1", turn) for turn in range(3)]
    shown = json.dumps(answer(home, "session", "show", "rice-1"), ensure_ascii=False)
    places = [shown.index(question) for question in questions]
    assert places == sorted(places)
    assert all(json.dumps(each["answer"], ensure_ascii=False)[1:-1] in shown for each in given)
    assert "rice-1" in well(kebab(home, "session", "list")).out
    well(kebab(home, "session", "delete", "rice-1"))
    assert answer(home, "ask", RICE, "--session", "rice-1")["turn_index"] == 0
