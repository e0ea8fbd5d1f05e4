"""Long runs on the second core, begun with the first test of this folder and asked for by the last ones."""

import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from hostile_notes import Run, ingest_hostile, ingest_line
from kill_campaign import Kills, campaign

LONGEST = 300


class Background(NamedTuple):
    """What is under way. A run that failed raises its error where it is asked for."""

    campaigns: list[Future[Kills]]
    runs: list[Future[Run]]

    def kills(self) -> list[Kills]:
        return [campaign.result(LONGEST) for campaign in self.campaigns]

    def line(self) -> Run:
        return self.runs[0].result(LONGEST)

    def hostile(self) -> Run:
        return self.runs[1].result(LONGEST)


def begin(
    pool: ThreadPoolExecutor,
    folder: Callable[[str], Path],
    wanted: set[str],
    model: Mapping[str, str],
    stop: threading.Event,
) -> Background:
    """Submits what the collected test files (`wanted`) will ask for. `model` are the variables that choose one."""
    model = {**model, "KEBAB_MODELS_EMBEDDING_THREADS": "1"}
    seeds = range(2) if "test_e2e_killed.py" in wanted else ()
    runs = (ingest_line, ingest_hostile) if "test_e2e_hostile.py" in wanted else ()
    return Background(
        [pool.submit(campaign, folder(f"campaign{seed}"), seed, model, stop) for seed in seeds],
        [pool.submit(run, folder(run.__name__)) for run in runs],
    )
