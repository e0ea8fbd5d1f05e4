from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kebab.app.scope import Scope, ScopeRequest, all_sources, resolve
from kebab.core.errors import InvalidInput

if TYPE_CHECKING:
    from app_bench import Desk


def scope_of(
    desk: "Desk", path: Path | None = None, remembered: dict[str, str] | None = None, **globs: tuple[str, ...]
) -> Scope:
    return resolve(desk.config, remembered or {}, ScopeRequest(path, **globs))


def ids(scope: Scope) -> list[str]:
    return [source.source_id for source in scope.sources]


def with_papers(desk: "Desk") -> Path:
    papers = desk.home / "papers"
    papers.mkdir()
    desk.configure(f'[[workspace.sources]]\nid = "papers"\nroot = "{papers}"\nexclude = ["drafts/**"]\n')
    return papers


def test_without_a_path_every_known_folder_is_covered(desk: "Desk") -> None:
    with_papers(desk)
    scope = scope_of(desk, remembered={"/b": "b", "/a": "a"})
    assert ids(scope) == ["default", "papers", "a", "b"]
    assert (scope.subtree, scope.adhoc, scope.narrowed) == (None, None, False)


def test_a_remembered_folder_has_the_patterns_of_the_workspace(desk: "Desk") -> None:
    (_, remembered) = all_sources(desk.config, {"/a": "a"})
    assert (remembered.root, remembered.include) == (Path("/a"), desk.config.workspace.include)


def test_a_configured_name_wins_over_a_remembered_one(desk: "Desk") -> None:
    papers = with_papers(desk)
    scope = scope_of(desk, remembered={"/old/papers": "papers"})
    assert [(source.source_id, source.root) for source in scope.sources] == [
        ("default", desk.root),
        ("papers", papers),
    ]


def test_a_remembered_folder_that_is_configured_now_is_covered_once(desk: "Desk") -> None:
    papers = with_papers(desk)
    scope = scope_of(desk, remembered={str(papers): "ad-hoc-name"})
    assert [source.root for source in scope.sources] == [desk.root, papers]


def test_a_default_folder_nobody_made_is_passed_over(desk: "Desk", tmp_path: Path) -> None:
    from kebab import config as configuration

    config = configuration.load(env={"HOME": str(tmp_path / "elsewhere")})
    assert [source.source_id for source in resolve(config, {"/a": "a"}, ScopeRequest()).sources] == ["a"]
    with pytest.raises(InvalidInput) as caught:
        resolve(config, {}, ScopeRequest())
    assert caught.value.hint is not None


def test_a_folder_that_was_set_is_covered_even_if_it_is_not_there(desk: "Desk") -> None:
    desk.root.rmdir()
    assert ids(scope_of(desk, remembered={"/a": "a"})) == ["default", "a"]


def test_the_root_itself_is_the_whole_source(desk: "Desk") -> None:
    for path in (desk.root, desk.root / "x" / "..", Path(f"{desk.root}/")):
        (desk.root / "x").mkdir(exist_ok=True)
        scope = scope_of(desk, path)
        assert (ids(scope), scope.subtree) == (["default"], None)


def test_a_folder_inside_is_a_part_of_its_source(desk: "Desk") -> None:
    (desk.root / "notes/deep").mkdir(parents=True)
    scope = scope_of(desk, desk.root / "notes/deep")
    assert (ids(scope), scope.subtree, scope.adhoc) == (["default"], desk.root / "notes/deep", None)


def test_a_file_inside_is_a_part_of_its_source(desk: "Desk") -> None:
    file = desk.write("notes/a.md")
    assert scope_of(desk, file).subtree == file


def test_a_folder_of_a_named_source_belongs_to_it(desk: "Desk") -> None:
    papers = with_papers(desk)
    (papers / "2024").mkdir()
    scope = scope_of(desk, papers / "2024")
    assert (ids(scope), scope.subtree) == (["papers"], papers / "2024")


def test_a_source_inside_another_owns_what_lies_in_it(desk: "Desk") -> None:
    inner = desk.root / "papers"
    (inner / "2024").mkdir(parents=True)
    desk.configure(f'[[workspace.sources]]\nid = "papers"\nroot = "{inner}"\n')
    desk.flags["workspace.exclude"] = ["papers/**"]
    assert ids(scope_of(desk, inner)) == ["papers"]
    assert ids(scope_of(desk, inner / "2024")) == ["papers"]
    assert ids(scope_of(desk, desk.root)) == ["default"]


def test_a_link_into_a_source_belongs_to_it(desk: "Desk") -> None:
    (desk.root / "notes").mkdir()
    (desk.home / "link").symlink_to(desk.root / "notes")
    scope = scope_of(desk, desk.home / "link")
    assert (ids(scope), scope.subtree) == (["default"], desk.root / "notes")


def test_a_relative_path_starts_where_the_command_runs(desk: "Desk", monkeypatch: pytest.MonkeyPatch) -> None:
    (desk.root / "notes").mkdir()
    monkeypatch.chdir(desk.root)
    assert scope_of(desk, Path("notes")).subtree == desk.root / "notes"


def test_a_folder_outside_becomes_a_source_of_its_own(desk: "Desk") -> None:
    outside = desk.home / "Other Notes!"
    outside.mkdir()
    scope = scope_of(desk, outside)
    assert ids(scope) == ["other-notes"]
    assert scope.adhoc is not None
    assert (scope.adhoc.root, scope.subtree) == (outside, None)
    assert scope.sources[0].workspace_path("a.md") == "@other-notes/a.md"


@pytest.mark.parametrize(
    ("name", "expected"), [("한글 노트", "한글-노트"), ("!!!", "folder"), ("x" * 60, "x" * 24), ("A_b-1", "a_b-1")]
)
def test_the_name_of_a_new_source_can_be_typed(desk: "Desk", name: str, expected: str) -> None:
    (desk.home / name).mkdir()
    assert ids(scope_of(desk, desk.home / name)) == [expected]


def test_a_name_that_is_taken_gets_an_ending(desk: "Desk") -> None:
    with_papers(desk)
    other = desk.home / "other" / "papers"
    other.mkdir(parents=True)
    (found,) = ids(scope_of(desk, other))
    assert found.startswith("papers-")
    assert len(found) == len("papers-") + 6
    assert ids(scope_of(desk, other)) == [found]
    (default,) = ids(scope_of(desk, _made(desk.home / "other" / "default")))
    assert default.startswith("default-")


def _made(path: Path) -> Path:
    path.mkdir(parents=True)
    return path


def test_a_folder_ingested_before_keeps_its_name(desk: "Desk") -> None:
    other = _made(desk.home / "other")
    scope = scope_of(desk, other, remembered={str(other): "first-name"})
    assert (ids(scope), scope.adhoc) == (["first-name"], None)


def test_a_path_that_is_not_there_is_invalid(desk: "Desk") -> None:
    with pytest.raises(InvalidInput, match="does not exist"):
        scope_of(desk, desk.root / "nowhere")


def test_a_single_file_elsewhere_is_sent_to_ingest_file(desk: "Desk") -> None:
    file = desk.write("a.md", root=desk.home / "elsewhere")
    with pytest.raises(InvalidInput) as caught:
        scope_of(desk, file)
    assert "ingest-file" in (caught.value.hint or "")


def test_include_replaces_and_exclude_adds(desk: "Desk") -> None:
    with_papers(desk)
    scope = scope_of(desk, include=("2024/**",), exclude=("old/**",))
    assert scope.narrowed
    assert [(source.include, source.exclude) for source in scope.sources] == [
        (("2024/**",), (*desk.config.workspace.exclude, "old/**")),
        (("2024/**",), ("drafts/**", "old/**")),
    ]
    plain = scope_of(desk, exclude=("old/**",))
    assert plain.narrowed
    assert plain.sources[0].include == desk.config.workspace.include


def test_what_the_index_remembers_of_a_folder_is_not_what_one_run_was_limited_to(desk: "Desk") -> None:
    scope = scope_of(desk, _made(desk.home / "other"), include=("2024/**",))
    assert scope.adhoc is not None
    assert scope.adhoc.include == desk.config.workspace.include
    assert scope.sources[0].include == ("2024/**",)
