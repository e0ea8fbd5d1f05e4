"""Long runs, made once for all tests that ask for one, and only in the process that runs such tests."""

import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path

from hostile_notes import Run, ingest_hostile, ingest_line
from kill_campaign import Kills, campaign

LONGEST = 300
SEEDS = 2


class Background:
    """`model` are the variables that choose one; campaigns run side by side and are told by `stop` to end early."""

    def __init__(self, folder: Callable[[str], Path], model: Mapping[str, str], stop: threading.Event) -> None:
        self._folder = folder
        self._model = {**model, "KEBAB_MODELS_EMBEDDING_THREADS": "1"}
        self._stop = stop

    @cached_property
    def kills(self) -> list[Kills]:
        with ThreadPoolExecutor(SEEDS) as pool:
            under_way = [
                pool.submit(campaign, self._folder(f"campaign{seed}"), seed, self._model, self._stop)
                for seed in range(SEEDS)
            ]
            try:
                return [each.result(LONGEST) for each in under_way]
            finally:
                self._stop.set()

    @cached_property
    def line(self) -> Run:
        return ingest_line(self._folder("line"))

    @cached_property
    def hostile(self) -> Run:
        return ingest_hostile(self._folder("hostile"))
