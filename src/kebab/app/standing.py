"""How things stand, for somebody who typed `kebab` alone: is there a config, an index, and what is in it.

Asked before anything else is loaded, so it opens the database itself and loads no more than that takes.
"""

import os
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import apsw

from kebab.app.settings import load
from kebab.core.errors import KebabError, NotIndexed
from kebab.store.connection import open_reader


class Standing(NamedTuple):
    """`documents` is None while there is no index; `problem` is why nothing more can be said."""

    config_exists: bool = False
    root: Path | None = None
    documents: int | None = None
    updated_at: str | None = None
    problem: KebabError | None = None


def standing() -> Standing:
    try:
        config = load({}, None)
        found = Standing(config.file_exists, config.workspace.root if config.workspace.root.is_dir() else None)
    except KebabError as error:
        return Standing(bool(os.environ.get("KEBAB_CONFIG")), problem=error)
    try:
        with closing(open_reader(config.storage.sqlite)) as connection:
            count, moment = connection.execute("SELECT count(*), max(updated_at) FROM documents").fetchall()[0]
    except NotIndexed:
        return found
    except KebabError as error:
        return found._replace(problem=error)
    except apsw.Error as error:
        return found._replace(problem=KebabError(f"the index cannot be read: {error}", hint="run `kebab doctor`"))
    return found._replace(documents=int(str(count)), updated_at=str(moment) if moment else None)
