"""A config file given by name holds for every command, and nothing is looked for or left anywhere else."""

from pathlib import Path

from kebab_process import kebab, objects, plant, side_by_side, tree, well, write_config

COMMANDS = (
    ("init",),
    ("ingest",),
    ("ingest-file", "{outside}/loose.md"),
    ("ingest-stdin", "--title", "From a pipe"),
    ("ingest", "{outside}"),
    ("search", "anchovies", "--format", "jsonl"),
    ("list", "docs"),
    ("inspect", "doc", "fish.md"),
    ("inspect", "chunk", "{chunk}"),
    ("doctor",),
    ("doctor", "--repair"),
    ("schema",),
    ("config", "show"),
    ("config", "get", "workspace.root"),
    ("config", "set", "search.default_k", "7"),
    ("config", "path"),
    ("config", "migrate"),
    ("completion", "bash"),
    ("reset", "--orphans-only"),
    ("reset", "--vector-only", "--yes"),
    ("reset", "--data-only", "--yes"),
    ("reset", "--config-only", "--yes"),
)
# What may appear, and where: all of it lies beside the config or in the workspace it names.
OWN = (
    "config/kebab.toml",
    "config/kebab.toml.bak",
    "config/data/",
    "config/notes/_external/",
    "config/notes/.kebabignore",
)


def test_every_command_honours_a_foreign_config_under_an_unusable_home(tmp_path: Path) -> None:
    side_by_side(lambda given_by: run_every_command(tmp_path / given_by, given_by), ("--config", "KEBAB_CONFIG"))


def run_every_command(world: Path, given_by: str) -> None:
    """All of them succeed, and nothing appears or changes but what the config names."""
    config = write_config(world / "config/kebab.toml")
    plant(world / "config/notes", {"fish.md": "# Fish\n\nSmall anchovies in a tin.\n"})
    outside = plant(world / "outside", {"loose.md": "# Loose\n\nA leaf of paper.\n"})
    wall = world / "wall"
    wall.write_text("a file where a folder should be", encoding="utf-8")
    for name in ("cwd", "tmp"):
        (world / name).mkdir()
    before = set(tree(world))
    # Some commands must write the file they are given; the rest of the world has to stay as it is.
    fixed = {name: content for name, content in tree(world).items() if not name.startswith("config/kebab.toml")}

    home = wall / "home"
    env = {"TMPDIR": str(world / "tmp")} | ({"KEBAB_CONFIG": str(config)} if given_by == "KEBAB_CONFIG" else {})
    named = ("--config", str(config)) if given_by == "--config" else ()
    chunk = ""
    for command in COMMANDS:
        given = [word.format(outside=outside, chunk=chunk) for word in command]
        done = well(kebab(home, *named, *given, env=env, cwd=world / "cwd", stdin=b"piped words\n"))
        assert "Traceback" not in done.err
        if command[0] == "search":
            chunk = objects(done)[0]["chunk_id"]

    after = tree(world)
    assert {name for name in set(after) - before if not name.startswith(OWN)} == set()
    assert {name: after.get(name) for name in fixed} == fixed
    assert not config.exists(), "the last command removed it"


def test_a_config_may_be_named_before_the_command_or_after_it_and_wins_over_the_variable(tmp_path: Path) -> None:
    one, two = (str(write_config(tmp_path / name / "kebab.toml", root=name)) for name in ("one", "two"))
    get = ("config", "get", "workspace.root")
    ways = (("--config", two, *get), (*get, "--config", two), ("config", "--config", two, *get[1:]), get)
    done = side_by_side(lambda way: kebab(tmp_path, *way, env={"KEBAB_CONFIG": one}), ways)
    folders = [Path(well(result).out.strip()).name for result in done.values()]
    assert folders == ["two", "two", "two", "one"]


def test_init_writes_the_file_it_is_given_and_nothing_at_the_usual_place(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    config = tmp_path / "elsewhere/kebab.toml"
    env = {"KEBAB_STORAGE_DATA_DIR": str(tmp_path / "elsewhere/data")}
    well(kebab(home, "init", "--workspace", tmp_path / "elsewhere/notes", "--config", config, env=env))
    assert config.is_file()
    assert (tmp_path / "elsewhere/data/kebab.sqlite").is_file()
    assert (tmp_path / "elsewhere/notes").is_dir()
    assert tree(home) == {}
