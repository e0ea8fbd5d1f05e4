from collections.abc import Sequence

import pytest

from kebab.core.document import Document, Symbol
from kebab.core.errors import LeftAside
from kebab.core.span import CodePlace
from kebab.parse.resources import PlainCodeParser, ResourceParser
from sample_files import held_lines, read, worded_lines


def document(source: str | bytes, kind: str, path: str = "deploy/a.file") -> Document:
    return read(ResourceParser(kind), source, path, f"code/{kind}")


def units(found: Document) -> list[tuple[str | None, int, int]]:
    assert set(worded_lines(found)) <= set(held_lines(found))
    places = [block.place for block in found.blocks]
    assert all(isinstance(place, CodePlace) for place in places)
    return [
        (block.place.symbol, block.span.start, block.span.end)
        for block in found.blocks
        if isinstance(block.place, CodePlace)
    ]


def names(found: Document) -> Sequence[str | None]:
    return [symbol for symbol, _start, _end in units(found)]


MANIFEST = """# The web server
apiVersion: apps/v1
kind: Deployment
metadata:
  labels:
    name: not-this
  name: "web" # the name
  namespace: prod
spec:
  template:
    metadata:
      name: nor-this
---
apiVersion: v1
kind: [broken
---
# config
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, labels: {a: b}}
data:
  text: |
    kind: Fake
---
apiVersion: v1
kind: List
items: []
"""


def test_each_kubernetes_resource_is_a_unit_and_a_broken_one_loses_no_other() -> None:
    found = document(MANIFEST, "yaml", "k8s/all.yaml")
    assert units(found) == [
        ("Deployment/prod/web", 1, 12),
        (None, 13, 15),
        ("ConfigMap/settings", 16, 23),
        ("List", 24, 27),
    ]
    assert found.symbols == (
        Symbol("web", "Deployment/prod/web", "Deployment", 7, 12),
        Symbol("settings", "ConfigMap/settings", "ConfigMap", 20, 23),
        Symbol("List", "List", "List", 26, 27),
    )
    assert (found.parser_version, found.metadata.code_lang) == ("yaml-units-v1", "yaml")


@pytest.mark.parametrize(
    "source",
    [
        "name: x\nversion: 1\n",
        "kind: Deployment\n",
        "apiVersion: v1\nkind: Pod\nmetadata:\n  name: {{ .Values.name }}\n",
        "{{- if true }}\napiVersion: v1\nkind: Pod\n{{- end }}\n",
        "apiVersion: v1\nkind: {a: b}\n",
        "",
    ],
)
def test_other_yaml_and_templates_have_no_unit(source: str) -> None:
    found = document(source, "yaml", "a.yaml")
    assert found.parser_version == "none-v1"
    assert set(names(found)) <= {None}
    assert found.symbols == ()


def test_braces_that_are_no_helm_template_stay_a_resource() -> None:
    source = "apiVersion: v1\nkind: Rule\nmetadata:\n  name: a\nspec:\n  text: '{{ $labels.pod }}'\n"
    assert names(document(source, "yaml", "a.yaml")) == ["Rule/a"]


def test_workflows_are_read_by_job() -> None:
    source = (
        "on: push\njobs:\n  # builds\n  build:\n    steps:\n      - run: |\n          x: 1\n"
        "  test:\n    needs: build\nenv:\n  A: 1\n"
    )
    assert units(document(source, "yaml", ".github/workflows/ci.yml")) == [
        (None, 1, 2),
        ("jobs.build", 3, 7),
        ("jobs.test", 8, 9),
        (None, 10, 11),
    ]
    source = "stages: [a]\n.base:\n  image: x\nlint:\n  script: y\nvariables:\n  A: 1\n"
    assert names(document(source, "yaml", ".gitlab-ci.yml")) == [None, ".base", "lint", None]
    source = "services:\n  db:\n    image: x\n  web:\n    image: y\n"
    assert names(document(source, "yaml", "docker-compose.yml")) == [None, "services.db", "services.web"]


def test_dockerfiles_are_read_by_stage() -> None:
    source = (
        "ARG V=1\n# build it\nFROM golang:$V AS build\nRUN psql -c 'select 1 \\\nFROM dual'\n"
        "RUN <<EOF\nFROM $((1<<two))\nEOF\n\nfrom --platform=linux/arm64 alpine:3\nCOPY --from=build /a /a\n"
    )
    found = document(source, "dockerfile", "Dockerfile")
    assert units(found) == [(None, 1, 1), ("build", 2, 8), ("alpine:3", 10, 11)]
    assert [(symbol.name, symbol.line) for symbol in found.symbols] == [("build", 3), ("alpine:3", 10)]


def test_toml_is_read_by_table_and_not_by_what_looks_like_one() -> None:
    source = (
        'a = 1\nb = [\n  ["x"],\n  [1]\n]\n# deps\n[dependencies]\nc = """\n[no]\n"""\n\n'
        "[[bin]] # one\nd = \"[\"\n[x.'y z']\n"
    )
    assert units(document(source, "toml", "Cargo.toml")) == [
        (None, 1, 5),
        ("[dependencies]", 6, 10),
        ("[[bin]]", 12, 13),
        ("[x.'y z']", 14, 14),
    ]


def test_json_is_read_by_the_keys_of_its_object() -> None:
    source = (
        '{\n  // name\n  "name": "a{",\n  /* "no": {\n  */ "scripts": {\n    "build": "[x"\n  },\n'
        '  "files": [\n    "a"\n  ]\n}\n'
    )
    assert units(document(source, "json", "package.json")) == [(None, 1, 2), ("name", 3, 7), ("files", 8, 11)]
    assert document('[\n  {"a": 1}\n]\n', "json", "a.json").parser_version == "none-v1"


def test_xml_is_read_by_the_elements_below_its_root() -> None:
    source = (
        "<?xml version='1.0'?>\n<!-- <a> -->\n<project\n  x='1'>\n  <name>a</name> <b/>\n"
        "  <dependencies>\n    <dependency/>\n  </dependencies>\n  <build/>\n</project>\n"
    )
    assert units(document(source, "xml", "pom.xml")) == [
        (None, 1, 4),
        ("name", 5, 5),
        ("dependencies", 6, 8),
        ("build", 9, 10),
    ]


def test_go_modules_and_gradle_files_are_read_by_their_outermost_parts() -> None:
    source = "module x\n\ngo 1.22\n\n// direct\nrequire (\n\ta v1\n)\n"
    assert units(document(source, "gomod", "go.mod")) == [("module", 1, 1), ("go", 3, 3), ("require", 5, 8)]
    source = (
        "plugins { id 'x' }\n\ndependencies {\n  implementation('a') { b }\n}\n\n"
        "def f(String a) {\n}\nclass Foo extends Bar {\n}\nif (x) {\n}\ndef y = { it }\ntask run(type: X) {\n}\n"
    )
    assert names(document(source, "groovy", "build.gradle")) == [*("plugins", "dependencies", "f", "Foo", "y", "run")]


@pytest.mark.parametrize(("kind", "source"), [("json", '{"a": 1}'), ("toml", "a = 1\n"), ("xml", "<a>b</a>")])
def test_a_manifest_without_parts_is_a_unit_under_the_name_of_its_file(kind: str, source: str) -> None:
    found = document(source, kind, "x/settings.file")
    assert names(found) == ["settings.file"]
    assert found.symbols == ()


def test_makefiles_are_read_by_target() -> None:
    source = (
        "CC := gcc\nFILES = a \\\n  b: c\n\n# builds\n.PHONY: all\nall: main.o $(X)\n\techo a: b\n\n"
        "%.o: %.c\n\t$(CC)\n\nOUT ?= x\n\ndefine T\nno: target\nendef\nclean::\n\trm\n"
    )
    found = document(source, "makefile", "Makefile")
    assert units(found) == [(None, 1, 3), ("all", 5, 8), ("%.o", 10, 11), (None, 13, 17), ("clean", 18, 19)]
    assert [(symbol.name, symbol.kind, symbol.line) for symbol in found.symbols] == [
        ("all", "target", 7),
        ("%.o", "target", 10),
        ("clean", "target", 18),
    ]


def test_terraform_is_read_by_block() -> None:
    source = (
        'locals {\n  a = "}"\n}\n# server\nresource "aws_instance" "web" {\n  user = <<-EOF\nvariable "no" {\n  EOF\n'
        '  tags = { a = "${x["}"]}" } # }\n}\n/* module "no" {\n*/\nmodule "net" {}\n'
    )
    found = document(source, "terraform", "main.tf")
    assert units(found) == [("locals", 1, 3), ("resource.aws_instance.web", 4, 10), ("module.net", 11, 13)]
    assert [(symbol.name, symbol.kind) for symbol in found.symbols][1:] == [("web", "resource"), ("net", "module")]
    assert document("region = 1\n", "terraform", "a.tfvars").parser_version == "none-v1"


def test_sql_is_read_by_statement_and_bodies_stay_whole() -> None:
    source = (
        "SET x = 1;\n-- people\nCREATE TABLE IF NOT EXISTS public.\"users\" (\n  id int default ';'\n);\n"
        "INSERT INTO users VALUES (1); INSERT INTO users VALUES (2);\nUPDATE users SET a = 'CREATE TABLE no (';\n"
        "CREATE OR REPLACE FUNCTION f() RETURNS int AS $body$\n"
        "BEGIN; CREATE TABLE no (a int);\nEND;\n$body$ LANGUAGE plpgsql;\n"
        "create unique index i on users (id);\n"
        "CREATE TRIGGER t AFTER INSERT ON users BEGIN\n"
        "  IF 1 THEN SET b = 2; END IF; UPDATE users SET a = CASE WHEN 1 THEN 2 END;\n  DELETE FROM b;\nEND;\n"
        "DELIMITER //\nCREATE PROCEDURE p()\nBEGIN\n  SELECT 1;\nEND //\nDELIMITER ;\nCREATE VIEW v AS SELECT 1;\n"
    )
    found = document(source, "sql", "schema.sql")
    assert units(found) == [
        (None, 1, 1),
        ("table public.users", 2, 5),
        (None, 6, 7),
        ("function f", 8, 11),
        ("index i", 12, 12),
        ("trigger t", 13, 17),
        ("procedure p", 18, 22),
        ("view v", 23, 23),
    ]
    assert Symbol("public.users", "table public.users", "table", 3, 5) in found.symbols


def test_code_without_a_grammar_is_one_block_in_its_language() -> None:
    found = read(PlainCodeParser("ruby"), "\nputs 1\n\nputs 2\n", "a.rb")
    assert units(found) == [(None, 1, 4)]
    assert (found.parser_version, found.metadata.code_lang, found.title) == ("none-v1", "ruby", "a.rb")
    assert found.blocks[0].place == CodePlace(None, "ruby")
    assert names(read(PlainCodeParser(), "x\n", "a.lua", "code/lua")) == [None]
    assert read(PlainCodeParser(), "x\n", "a.lua", "code/lua").metadata.code_lang == "lua"


def test_large_data_is_cut_short_with_a_word_about_it() -> None:
    found = document("[\n" + '  {"id": 1234567},\n' * 100_000 + "]\n", "json", "data.json")
    assert len(found.blocks) == 1
    assert 900_000 < len(found.blocks[0].text) <= 1_000_000
    assert found.warnings[0].startswith("data: the first 5")


@pytest.mark.parametrize("raw", [b'{"a": "' + b"x" * 5_000_001 + b'"}', b"[" + b"1," * 600_000 + b"1]"])
def test_data_beyond_measure_is_left_aside(raw: bytes) -> None:
    with pytest.raises(LeftAside) as caught:
        document(raw, "json", "data.json")
    assert caught.value.reason == "data"


def test_binary_data_under_the_name_of_code_is_left_aside() -> None:
    with pytest.raises(LeftAside) as caught:
        document(b"\x7fELF\x00", "makefile", "Makefile")
    assert caught.value.reason == "binary"
