"""A repository through the command line: names to definitions, as text and as JSON, and what the exit codes say."""

from pathlib import Path

import pytest
from kebab_process import answer, kebab, on_terminal, plant, refusal, search, well, write_config

PYTHON = '''class CardReader:
    """Reads zebra cards."""

    def read_card(self, slot):
        return slot


def charge_card(amount):
    return CardReader().read_card(amount)
'''
FILES = {
    "shop/.git/HEAD": "ref: refs/heads/main\n",
    "shop/pay/card.py": PYTHON,
    "shop/cmd/main.go": "package main\n\nfunc (s *Server) Serve() error { return nil }\n",
    "shop/k8s/app.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: till\n  namespace: prod\n",
    "shop/evil.c": 'int evil(void) { return puts("\x1b[31mred"); }\n',
    "shop/uv.lock": "version = 1\n",
    "notes/card.md": "# Cards\n\ncharge_card charge_card charge_card is called by the till.\n",
}


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home whose notes lie beside a repository, indexed. For tests that only read."""
    home = tmp_path_factory.mktemp("code") / "home"
    plant(home / "work", FILES)
    write_config(home / ".config/kebab/config.toml", "../../work", "${HOME}/.local/share/kebab")
    report = answer(home, "ingest")
    assert (report["new"], report["errors"], report["skipped_generated"]) == (5, 0, 1)
    return home


def test_a_name_is_answered_with_its_definition_however_often_others_say_it(repository: Path) -> None:
    hits = search(repository, "charge_card")
    assert [hit["doc_path"] for hit in hits] == ["shop/pay/card.py", "notes/card.md"]
    citation = hits[0]["citation"]
    assert (citation["kind"], citation["symbol"], citation["lang"]) == ("code", "pay.card.charge_card", "python")
    assert citation["uri"] == "shop/pay/card.py#L8-L9"
    assert (hits[0]["repo"], hits[0]["code_lang"]) == ("shop", "python")
    assert hits[0]["score"] >= hits[1]["score"]


def test_a_symbol_is_a_question_of_its_own_and_a_filter_of_others(repository: Path) -> None:
    for name in ("charge_card", "pay.card.charge_card", "card.charge_card", "CHARGE_CARD", "charge_*"):
        assert [hit["citation"]["uri"] for hit in search(repository, "--symbol", name)] == ["shop/pay/card.py#L8-L9"]
    assert [hit["doc_path"] for hit in search(repository, "serve error", "--symbol", "main.*")] == ["shop/cmd/main.go"]
    assert answer(repository, "search", "--symbol", "nobody", status=1)["hits"] == []
    refusal(kebab(repository, "search", "--symbol", "", "--json"), "invalid_input")


def test_symbols_are_listed_by_name_with_places_that_open(repository: Path) -> None:
    done = well(kebab(repository, "symbols", "charge_card"))
    assert done.lines == ["pay.card.charge_card  function  shop/pay/card.py#L8-L9"]
    for query in ("chrage_card", "charge", "crgcrd", "pay.card.charge_card"):
        found = answer(repository, "symbols", query)["symbols"]
        assert found[0]["symbol"] == "pay.card.charge_card", query
    first = answer(repository, "symbols", "(*Server).Serve")["symbols"][0]
    assert (first["symbol"], first["uri"], first["repo"]) == ("main.(*Server).Serve", "shop/cmd/main.go#L3", "shop")
    resource = answer(repository, "symbols", "till", "--code-lang", "yaml")["symbols"]
    assert [each["symbol"] for each in resource] == ["Deployment/prod/till"]


def test_without_a_name_symbols_come_by_file(repository: Path) -> None:
    found = answer(repository, "symbols", "--limit", "1000")["symbols"]
    assert [(each["doc_path"], each["line_start"]) for each in found] == sorted(
        (each["doc_path"], each["line_start"]) for each in found
    )
    assert len(answer(repository, "symbols", "--limit", "2")["symbols"]) == 2


def test_exit_codes_say_whether_anything_was_found(repository: Path) -> None:
    nothing = kebab(repository, "symbols", "qqqq")
    assert (nothing.status, nothing.out, nothing.err) == (1, "", "no such definition\n")
    assert answer(repository, "symbols", "qqqq", status=1)["symbols"] == []
    assert kebab(repository, "symbols", "x" * 60_000).status == 1
    for limit in ("0", "-1", "1001"):
        refusal(kebab(repository, "symbols", "--limit", limit, "--json"), "invalid_input")
    assert kebab(repository, "symbols", "--limit", "many").status == 2


def test_documents_are_listed_by_kind_language_and_repository(repository: Path) -> None:
    def listed(*filters: str) -> list[str]:
        return [doc["doc_path"] for doc in answer(repository, "list", "docs", *filters)["docs"]]

    code = ["shop/cmd/main.go", "shop/evil.c", "shop/k8s/app.yaml", "shop/pay/card.py"]
    assert listed("--media", "code") == listed("--repo", "shop") == code
    assert listed("--media", "markdown") == ["notes/card.md"]
    assert listed("--code-lang", "Go,python") == ["shop/cmd/main.go", "shop/pay/card.py"]
    assert listed("--symbol", "evil") == ["shop/evil.c"]


def test_the_schema_tells_of_code(repository: Path) -> None:
    stats = answer(repository, "schema")["stats"]
    assert stats["code_lang_breakdown"] == {"c": 1, "go": 1, "python": 1, "yaml": 1}
    assert stats["repo_breakdown"] == {"shop": 4}


def test_a_terminal_gets_no_control_characters_from_code(repository: Path) -> None:
    shown = on_terminal(repository, "search", "evil").out
    assert "evil" in shown
    assert "\x1b[31mred" not in shown
