"""The JSON API: every path gives the object the command line gives, failures have a status, and it describes itself."""

import base64
import json
from typing import Any

import jsonschema_rs
import pytest
from web_bench import Host, hosting

from kebab.app.facade import App
from kebab.config import Config
from kebab.core.errors import ERROR_CODES, ERRORS, KebabError
from kebab.core.query import Filters, Query, SearchMode
from kebab.core.versions import INDEX_VERSION
from kebab.ui.serving.replies import failure, status_of
from kebab.ui.serving.tools import TOOLS
from kebab.ui.web.media import PICTURES
from kebab.ui.web.routes import ways
from kebab.ui.web.viewing import LOOKS
from kebab.wire.documents import encode_doc_list
from kebab.wire.search import encode_response
from wire_schemas import check


def test_a_search_gives_the_object_of_the_command_line(host: Host, config: Config) -> None:
    app = App(config)
    query = Query("rice", SearchMode.HYBRID, 3, Filters(tags=("cooking",)), snippet_chars=60)
    wanted = encode_response(app.search(query), INDEX_VERSION)
    app.close()
    reply = host.post("/v1/search", {"query": "rice", "k": 3, "tag": ["cooking"], "snippet_chars": 60})
    assert reply.headers["content-type"] == "application/json"
    assert reply.json == wanted
    check(reply.json)


def test_what_kebab_sends_as_a_query_can_be_sent_back(host: Host) -> None:
    value = {"schema_version": "bulk_search_input.v1", "query": "rice", "tag": "cooking"}
    assert host.post("/v1/search", value).json["hits"]


def test_many_searches_in_one_request(host: Host) -> None:
    reply = host.post("/v1/bulk_search", {"queries": [{"query": "rice"}, {"query": ""}], "k": 1})
    check(reply.json)
    assert reply.json["summary"] == {"total": 2, "succeeded": 1, "failed": 1}


def test_lists_take_filters_from_the_address(host: Host, config: Config) -> None:
    app = App(config)
    wanted = encode_doc_list(app.page_of_docs(Filters(langs=("ko", "en")), "title"))
    app.close()
    reply = host.get("/v1/docs?sort=title&lang=ko&lang=en")
    assert reply.json == wanted
    assert wanted["docs"]
    found = host.get("/v1/symbols?query=boil&limit=1&code_lang=python").json
    check(found)
    assert [each["name"] for each in found["symbols"]] == ["boil"]


def test_the_schema_report_and_the_doctor(host: Host) -> None:
    for path in ("/v1/schema", "/v1/doctor"):
        reply = host.get(path)
        assert reply.status == 200
        check(reply.json)


def test_a_hit_can_be_fetched_with_what_it_names(host: Host) -> None:
    hit = host.post("/v1/search", {"query": "현미"}).json["hits"][0]
    reply = host.post("/v1/fetch", {"kind": "chunk", "reference": hit["chunk_id"], "context": 1})
    check(reply.json)
    assert reply.json["chunk"]["chunk_id"] == hit["chunk_id"]
    lines = host.post("/v1/fetch", {"kind": "span", "reference": hit["citation"]["uri"]}).json
    assert "현미" in lines["text"]


@pytest.mark.parametrize("reference", ["../../etc/passwd", "/etc/passwd", "kb/../../etc/passwd", "%2e%2e/x", "a\0b"])
def test_a_path_leads_nowhere_but_to_the_index(host: Host, reference: str) -> None:
    reply = host.post("/v1/fetch", {"kind": "doc", "reference": reference})
    assert reply.status in (400, 404)
    assert "root:" not in reply.body.decode()


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "code"),
    [
        ("POST", "/v1/search", "{", 400, "invalid_input"),
        ("POST", "/v1/search", "[]", 400, "invalid_input"),
        ("POST", "/v1/search", "", 400, "invalid_input"),
        ("POST", "/v1/search", '{"query": 5}', 400, "invalid_input"),
        ("POST", "/v1/search", '{"query": "a", "k": 0}', 400, "invalid_input"),
        ("POST", "/v1/search", '{"query": "a", "tags": ["x"]}', 400, "invalid_input"),
        (
            "POST",
            "/v1/search",
            '{"query": "a", "cursor": "WzEsIDIsICJiYmJiYmJiYmJiYmJiYmJiYmJiYmJiYmJiYmJiYmJiYiJd"}',
            409,
            "stale_cursor",
        ),
        ("POST", "/v1/search", "[" * 100_000, 400, "invalid_input"),
        ("POST", "/v1/search", '{"query": ' + "[" * 40 + "]" * 40 + "}", 400, "invalid_input"),
        ("POST", "/v1/ask", '{"question": "  "}', 400, "invalid_input"),
        ("POST", "/v1/fetch", '{"kind": "chunk", "reference": "ffffffff"}', 404, "chunk_not_found"),
        ("POST", "/v1/verify", '{"trace_id": "ret_ffffffff"}', 404, "trace_not_found"),
        ("POST", "/v1/ingest", "{}", 403, "readonly_mode"),
        ("POST", "/v1/ingest_file", '{"path": "/etc/hosts"}', 403, "readonly_mode"),
        ("POST", "/v1/ingest_stdin", '{"text": "a", "title": "b"}', 403, "readonly_mode"),
        ("GET", "/v1/docs?sort=mood", None, 400, "invalid_input"),
        ("GET", "/v1/symbols?limit=many", None, 400, "invalid_input"),
        ("GET", "/v1/nothing", None, 404, "invalid_input"),
        ("GET", "/v1/search", None, 405, "invalid_input"),
    ],
)
def test_a_failure_is_an_error_object_with_a_status(
    host: Host, method: str, path: str, body: str | None, status: int, code: str
) -> None:
    reply = host.request(method, path, body, content_type="application/json")
    assert (reply.status, reply.json["code"]) == (status, code)
    check(reply.json)


def test_what_writes_is_there_once_it_is_allowed(own: Config) -> None:
    with hosting(own, allow_ingest=True) as host:
        reply = host.post("/v1/ingest_stdin", {"text": "A pelican at the harbour.", "title": "Birds"})
        assert reply.status == 200, reply.json
        check(reply.json)
        assert host.post("/v1/search", {"query": "pelican"}).json["hits"]


def test_without_an_index_it_says_so_and_finds_it_once_it_is_there(own: Config) -> None:
    moved = own.storage.sqlite.rename(own.storage.sqlite.with_suffix(".aside"))
    with hosting(own) as host:
        reply = host.post("/v1/search", {"query": "rice"})
        assert (reply.status, reply.json["code"]) == (503, "not_indexed")
        moved.rename(own.storage.sqlite)
        assert host.post("/v1/search", {"query": "rice"}).json["hits"]


def test_every_code_has_a_status_of_a_failure() -> None:
    assert {status_of(kind("m")) for kind in (*ERRORS.values(), KebabError)} <= set(range(400, 600))
    assert set(ERROR_CODES) >= set(ERRORS)
    assert failure(ValueError("why"))[0] == 500


def test_every_tool_has_a_path() -> None:
    assert [way.tool for way in ways()] == list(TOOLS)
    assert len({way.path for way in ways()}) == len(TOOLS)


@pytest.fixture(scope="module")
def described(host: Host) -> Any:
    return host.get("/openapi.json").json


def test_the_description_names_every_path_and_resolves_every_reference(described: Any) -> None:
    assert described["openapi"].startswith("3.1")
    assert set(described["paths"]) == {way.path for way in (*ways(), *LOOKS, *PICTURES)} | {"/v1/live", "/v1/watch"}
    ids = [operation["operationId"] for item in described["paths"].values() for operation in item.values()]
    assert len(ids) == len(set(ids))
    for reference in references(described):
        place = described
        for name in reference.removeprefix("#/").split("/"):
            place = place[name]
        assert isinstance(place, dict)


def references(value: Any) -> set[str]:
    if isinstance(value, list):
        return {each for inner in value for each in references(inner)}
    if not isinstance(value, dict):
        return set()
    own = {value["$ref"]} if isinstance(value.get("$ref"), str) else set()
    return own | {each for inner in value.values() for each in references(inner)}


def held(described: Any, schema: Any, value: Any) -> None:
    jsonschema_rs.Draft202012Validator({**schema, "components": described["components"]}).validate(value)


def test_what_is_sent_and_taken_follows_the_description(host: Host, described: Any) -> None:
    for path, value in {
        "/v1/search": {"query": "rice", "tag": ["cooking"], "trace": True},
        "/v1/ask": {"question": "How much water for brown rice?", "evidence": True},
        "/v1/fetch": {"kind": "doc", "reference": "rice.md"},
    }.items():
        operation = described["paths"][path]["post"]
        held(described, operation["requestBody"]["content"]["application/json"]["schema"], value)
        reply = host.post(path, value)
        assert reply.status == 200
        held(described, operation["responses"]["200"]["content"]["application/json"]["schema"], reply.json)
    docs = described["paths"]["/v1/docs"]["get"]
    assert {"sort", "tag", "lang"} <= {each["name"] for each in docs["parameters"]}
    held(described, docs["responses"]["200"]["content"]["application/json"]["schema"], host.get("/v1/docs").json)
    failed = docs["responses"]["default"]["content"]["application/json"]["schema"]
    held(described, failed, host.get("/v1/docs?sort=mood").json)


def test_the_mcp_endpoint_answers_beside_the_api(host: Host) -> None:
    params = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    value = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}
    reply = host.post("/mcp", value, accept="application/json, text/event-stream")
    assert reply.status == 200
    data = next(line for line in reply.body.decode().splitlines() if line.startswith("data: {"))
    assert json.loads(data[6:])["result"]["serverInfo"]["name"] == "kebab"


@pytest.mark.parametrize(("name", "most"), [("tag", 10_000), ("media", 10_000), ("path_glob", 200), ("symbol", 200)])
def test_a_filter_takes_many_values_and_refuses_more_than_the_index_can_compare(
    host: Host, name: str, most: int
) -> None:
    values = [f"a.b{number}" for number in range(most + 1)]
    assert host.post("/v1/search", {"query": "rice", name: values[:most]}).status == 200
    reply = host.post("/v1/search", {"query": "rice", name: values})
    assert (reply.status, reply.json["code"]) == (400, "invalid_input")
    (item,) = host.post("/v1/bulk_search", {"queries": [{"query": "rice", name: values}]}).json["results"]
    assert item["error"]["code"] == "invalid_input"


@pytest.mark.parametrize("offset", [2**63, 10**30])
def test_a_cursor_that_was_tampered_with_is_none_of_ours(host: Host, offset: int) -> None:
    cursor = host.get("/v1/docs?limit=1").json["next_cursor"]
    version, _, bound = json.loads(base64.urlsafe_b64decode(cursor))
    forged = base64.urlsafe_b64encode(json.dumps([version, offset, bound]).encode()).decode()
    reply = host.get(f"/v1/docs?limit=1&cursor={forged}")
    assert (reply.status, reply.json["code"]) == (400, "invalid_input")


def test_all_filters_can_be_full_at_once(host: Host) -> None:
    filters = {name: [f"x{number}" for number in range(4800)] for name in ("media", "tag")}
    filters |= {name: [f"*a.b::c{number}" for number in range(200)] for name in ("path_glob", "symbol")}
    assert host.post("/v1/search", {"query": "rice", **filters}).status == 200
