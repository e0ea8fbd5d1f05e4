"""Ctrl-C during a pull, as its users meet it: at once, also when the hub is silent, and with nothing half-made."""

import signal
import subprocess
import sys
from pathlib import Path

from kebab_process import TIMEOUT, answer, environment, kebab

from embed.stand_in_hub import Offer, stand_in_hub

# A shell without job control starts its background processes deaf to Ctrl-C, and the tests may run in one.
LISTENING = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from kebab.ui.cli.main import run
run(sys.argv[1:])
"""
NAME = "multilingual-e5-small"
TOKENIZER = f"/intfloat/{NAME}/resolve/main/onnx/tokenizer.json"


def test_ctrl_c_stops_a_pull_from_a_silent_hub_at_once(tmp_path: Path) -> None:
    with stand_in_hub() as hub:
        hub.offers[TOKENIZER] = Offer(bytes(9_000_000), stall_at=2_000_000)
        process = subprocess.Popen(
            [sys.executable, "-c", LISTENING, "models", "pull", NAME],
            env=environment(tmp_path, HF_ENDPOINT=hub.url),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert process.stdout
        assert process.stderr
        lines = iter(process.stderr.readline, b"")
        assert any(line.startswith(b"onnx/tokenizer.json: 0 B of 9.0 MB") for line in lines)
        assert next(lines).startswith(b"onnx/tokenizer.json: ")
        process.send_signal(signal.SIGINT)
        # Not communicate(): it reads past the lines that readline() has taken into its buffer already.
        with process.stdout, process.stderr:
            out, err = process.stdout.read(), process.stderr.read()
        process.wait(TIMEOUT)
    assert (process.returncode, out) == (130, b"")
    assert err.decode().splitlines()[-2:] == [
        "error: the pull was stopped",
        f"  hint: `kebab models pull {NAME}` goes on where it stopped",
    ]
    assert answer(tmp_path, "models", "path", NAME, status=1)["pulled"] is False
    assert kebab(tmp_path, "models", "path", NAME).status == 1
