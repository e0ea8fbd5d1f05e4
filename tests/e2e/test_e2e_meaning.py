"""Search by meaning as its users meet it: across languages, with the scene that says how a hit was found."""

import json
import re
from pathlib import Path

import pytest
from by_meaning import MODES, paths, responses
from fluent_notes import NOTES, QUESTIONS
from kebab_process import Json, answer, kebab, objects, on_terminal, well

MODEL = "use-multilingual-v3"
FOOTER = f"hybrid  index v1.0  bm25+{MODEL}/blend"


@pytest.fixture(scope="module")
def found(fluent_library: Path, builtin: dict[str, str]) -> dict[tuple[str, str], Json]:
    """Every question in every mode, in one process."""
    cases = [(question, mode) for question in QUESTIONS for mode in ("lexical", *MODES)]
    asked = [{"query": question, "mode": mode, "trace": True} for question, mode in cases]
    return dict(zip(cases, responses(fluent_library, builtin, asked), strict=True))


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_finds_the_note_in_the_other_language_without_a_shared_word(
    question: str, found: dict[tuple[str, str], Json]
) -> None:
    assert found[question, "lexical"]["hits"] == []
    for mode in MODES:
        best = found[question, mode]["hits"][0]
        assert best["doc_path"] == QUESTIONS[question]
        assert (best["retrieval"]["lexical_score"], best["retrieval"]["vector_rank"]) == (None, 1)
        assert best["embedding_model"] == MODEL


def test_the_scores_and_their_kind_are_those_of_the_mode(found: dict[tuple[str, str], Json]) -> None:
    for (_, mode), response in found.items():
        for hit in response["hits"]:
            detail = hit["retrieval"]
            assert hit["score_kind"] == {"vector": "cosine", "hybrid": "blend"}[mode]
            assert detail["fusion_score"] == hit["score"]
            assert -1 <= detail["vector_score"] <= 1
            assert mode == "hybrid" or hit["score"] == detail["vector_score"]


def test_a_trace_names_every_candidate_of_either_channel_and_the_fused_order(
    fluent_library: Path, builtin: dict[str, str]
) -> None:
    response = answer(fluent_library, "search", "bake the loaf in an oven", "--trace", "--k", "50", env=builtin)
    trace = response["trace"]
    assert [each["chunk_id"] for each in trace["rrf_inputs"]] == [hit["chunk_id"] for hit in response["hits"]]
    assert [each["lexical_rank"] for each in trace["lexical"]] == list(range(1, len(trace["lexical"]) + 1))
    assert [each["vector_rank"] for each in trace["vector"]] == list(range(1, len(trace["vector"]) + 1))
    assert trace["lexical"][0]["doc_path"] == trace["vector"][0]["doc_path"] == "bread.md"
    assert len(trace["vector"]) > len(trace["lexical"]) > 0
    assert set(trace["timing"]) == {"lexical_ms", "vector_ms", "fusion_ms", "total_ms"}


def test_the_scene_says_by_what_the_hits_were_found(fluent_library: Path, builtin: dict[str, str]) -> None:
    done = well(kebab(fluent_library, "search", "빵 반죽 발효", "--k", "3", env=builtin))
    assert done.err == ""
    assert done.lines[0].partition("  ")[2].startswith("bread.md#L")
    assert done.lines[-1] == f"3 hits  {FOOTER}"
    alone = well(kebab(fluent_library, "search", "빵 반죽 발효", "--k", "1", "--mode", "vector", env=builtin))
    assert alone.lines[-1] == f"1 hit  vector  index v1.0  {MODEL}"
    shown = on_terminal(fluent_library, "search", "빵 반죽 발효", "--k", "1", env=builtin)
    assert FOOTER in shown.out


def test_explain_tells_below_each_hit_what_either_channel_made_of_it(
    fluent_library: Path, builtin: dict[str, str]
) -> None:
    done = well(kebab(fluent_library, "search", "bake the loaf", "--k", "2", "--explain", env=builtin))
    scene = re.findall(
        rf"^   ├ lexical \(bm25\) +rank (\d+|-) +score (\S+)\n"
        rf"   ├ vector \({MODEL}\) +rank (\d+|-) +score (\S+)\n"
        r"   └ blend fusion +rank (\d+) +score (\S+)\n"
        r"   chunker \S+   chunk_id [0-9a-f]{12}…$",
        done.out,
        re.MULTILINE,
    )
    assert len(scene) == 2
    hits = answer(fluent_library, "search", "bake the loaf", "--k", "2", env=builtin)["hits"]
    for (_, _, rank, cosine, place, score), hit in zip(scene, hits, strict=True):
        detail = hit["retrieval"]
        assert (rank, cosine) == (str(detail["vector_rank"]), f"{detail['vector_score']:.2f}")
        assert (place, score) == (str(hit["rank"]), f"{hit['score']:.2f}")
    assert scene[0][:2] == ("1", f"{hits[0]['retrieval']['lexical_score']:.2f}")
    assert done.lines[-2] == f"2 hits  {FOOTER}"


def test_filters_narrow_what_is_found_by_meaning_before_it_is_ranked(
    fluent_library: Path, builtin: dict[str, str]
) -> None:
    wanted = {"tag": "ops"}, {"path_glob": "요리/*"}, {"lang": "ko"}, {"tag": "nobody"}
    asked = [{"query": "빵 반죽 발효", "mode": "vector", "k": 50, **filters} for filters in wanted]
    tagged, below, korean, none = responses(fluent_library, builtin, asked)
    assert paths(tagged) == ["ops/restore.md"]
    assert len(tagged["hits"]) == 2
    assert paths(below) == ["요리/김치찌개.md"]
    assert set(paths(korean)) == {path for path in NOTES if not path.isascii()}
    assert none["hits"] == []


def test_bulk_answers_good_lines_and_tells_bad_ones_apart(fluent_library: Path, builtin: dict[str, str]) -> None:
    lines = (
        json.dumps({"query": "빵 반죽 발효", "mode": "vector"}),
        "this is no JSON",
        json.dumps({"query": "restore the server", "k": 1}),
        json.dumps({"query": "rice", "mode": "telepathy"}),
        json.dumps({"query": "커피", "mode": "lexical"}),
    )
    stdin = "\n".join(lines).encode()
    items = objects(well(kebab(fluent_library, "search", "--bulk", stdin=stdin, env=builtin)))
    assert [item["schema_version"] for item in items] == ["bulk_search_item.v1"] * 5
    assert [item["error"] and item["error"]["code"] for item in items] == [
        None,
        "invalid_input",
        None,
        "invalid_input",
        None,
    ]
    best = [item["response"]["hits"][0]["doc_path"] for item in items if item["response"]]
    assert best == ["bread.md", "ops/restore.md", "수면.md"]
    whole = answer(fluent_library, "search", "--bulk", stdin=stdin, env=builtin)
    assert whole["summary"] == {"total": 5, "succeeded": 3, "failed": 2}
    assert [item["query"] for item in whole["results"]] == [item["query"] for item in items]
