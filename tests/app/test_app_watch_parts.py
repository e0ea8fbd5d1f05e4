"""Changed paths to parts of sources: few, none inside another, none of kebab's own files."""

from pathlib import Path

from app_bench import Desk
from hypothesis import given
from hypothesis import strategies as st

from kebab.app.watch_parts import MOST_PARTS, Ground, ground_of, is_below, is_ours, outermost, scope_of
from kebab.core.asset import Source

NOTES, PAPERS = Source("default", Path("/kb")), Source("papers", Path("/kb/papers"))
GROUND = Ground((("/kb/papers", PAPERS), ("/kb", NOTES)), ("/kb/data",))

names = st.sampled_from(["a", "b", "a b", "a.md", "a-", "a0"])
paths = st.lists(names, min_size=1, max_size=4).map(lambda parts: "/" + "/".join(parts))


@given(st.sets(paths, max_size=12))
def test_the_outermost_paths_cover_all_and_none_is_inside_another(given: set[str]) -> None:
    kept = outermost(given)
    assert kept <= given
    assert all(any(is_below(path, each) for each in kept) for path in given)
    assert not any(is_below(one, other) for one in kept for other in kept if one != other)


def test_a_path_belongs_to_the_innermost_source() -> None:
    scope = scope_of(["/kb/papers/x.md", "/kb/a/y.md", "/elsewhere/z.md"], GROUND)
    assert scope is not None
    assert scope.parts == {"papers": (Path("/kb/papers/x.md"),), "default": (Path("/kb/a/y.md"),)}
    assert {source.source_id for source in scope.sources} == {"papers", "default"}


def test_a_file_of_rules_at_the_root_means_the_whole_source() -> None:
    scope = scope_of(["/kb/.gitignore", "/kb/a/y.md"], GROUND)
    assert scope is not None
    assert scope.subtrees(NOTES) == (None,)
    assert [source.source_id for source in scope.sources] == ["default"]


def test_what_was_brought_in_from_outside_is_looked_at_with_all_the_rest() -> None:
    scope = scope_of(["/kb/_external/1.md"], GROUND)
    assert scope is not None
    assert scope.subtrees(NOTES) == (None,)


def test_nothing_for_the_index_is_no_scope() -> None:
    assert scope_of(["/kb/.git/index", "/elsewhere/a.md"], GROUND) is None
    assert scope_of([], GROUND) is None


def test_many_parts_become_the_folders_that_hold_them() -> None:
    one_folder = [f"/kb/a/{number}.md" for number in range(MOST_PARTS + 1)]
    scope = scope_of(one_folder, GROUND)
    assert scope is not None
    assert scope.subtrees(NOTES) == (Path("/kb/a"),)
    many = [f"/kb/{number}/deep/x.md" for number in range(MOST_PARTS + 1)]
    everything = scope_of(many, GROUND)
    assert everything is not None
    assert everything.subtrees(NOTES) == (None,)


def test_watched_roots_leave_out_what_lies_in_another() -> None:
    assert GROUND.roots == [Path("/kb")]


def test_an_index_among_the_notes_is_not_taken_for_notes(desk: Desk) -> None:
    desk.flags["storage.data_dir"] = str(desk.root / "index")
    inside = desk.config
    ground = ground_of(inside, inside.sources())
    assert is_ours(str(desk.root / "index/kebab.sqlite-wal"), inside, ground)
    assert not is_ours(str(desk.root / "indexes.md"), inside, ground)
    desk.flags["storage.data_dir"] = str(desk.root)
    beside = desk.config
    ground = ground_of(beside, beside.sources())
    assert is_ours(str(desk.root / "kebab.sqlite.lock"), beside, ground)
    assert not is_ours(str(desk.root / "a.md"), beside, ground)
