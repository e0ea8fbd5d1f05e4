"""Killed at any moment, the index opens clean, and the next whole run makes it what it would have been."""

from pathlib import Path

from background_work import Background
from kebab_process import kebab, plant, search, well, write_config


def test_sixty_kills_leave_a_clean_database_and_the_state_of_an_unkilled_run(background: Background) -> None:
    """The checks are in the campaigns, which have been running since the first test of this folder."""
    done = background.kills
    assert sum(kills.all for kills in done) >= 60
    assert sum(kills.in_the_middle for kills in done) >= 15, "kills met an index in the making, too"
    assert sum(kills.between_models for kills in done) >= 8, "and one on its way to another model"
    assert sum(kills.at_the_vector_file for kills in done) >= 10, "and a vector file that was being written"


def test_the_order_of_equal_hits_does_not_depend_on_how_the_index_came_to_be(tmp_path: Path) -> None:
    notes = [f"{name}.md" for name in "abcd"]
    at_once = write_config(tmp_path / "at-once/kebab.toml", tmp_path / "notes")
    in_steps = write_config(tmp_path / "in-steps/kebab.toml", tmp_path / "notes")
    for name in reversed(notes):
        plant(tmp_path / "notes", {name: "# Twin\n\nThe same pelican.\n"})
        well(kebab(tmp_path, "ingest", "--quiet", "--config", in_steps))
    well(kebab(tmp_path, "ingest", "--quiet", "--config", at_once))
    orders = [
        [hit["doc_path"] for hit in search(tmp_path, "pelican", "--config", str(config))]
        for config in (at_once, in_steps)
    ]
    assert sorted(orders[0]) == notes
    assert orders[0] == orders[1]
