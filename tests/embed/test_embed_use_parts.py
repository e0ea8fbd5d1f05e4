"""The parts of the built-in model: its shortcuts in arithmetic and in tokenising, each against the plain way."""

import subprocess
import sys

import numpy as np  # noqa: TID253
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kebab.embed.use import vocabulary as vocabulary_module
from kebab.embed.use.blas import load_numpy
from kebab.embed.use.loading import load_model
from kebab.embed.use.network import Network
from kebab.embed.use.resources import find_resources
from kebab.embed.use.tokens import TokenProducts
from kebab.embed.use.vocabulary import BEGIN, END, MOST_TOKENS, UNKNOWN, Vocabulary
from kebab.embed.use.weights import Arrays
from kebab.embed.use.winograd import TILE, points

TEXTS = (
    "쿠버네티스에서 파드를 삭제하려면 어떻게 해야 하나요?",
    "How do I delete a pod? kubectl delete pod web-0 --grace-period=30",
    "뷁쉟뛟 드문 음절이 이어지면",
    "😀😀 👩‍👩‍👧 \x01\x02",
    "①㎏ﬁ Ｆｕｌｌ　ｗｉｄｔｈ e\u0301 ᄒ\u1161ᆫ",
    "extra_token_id_1 in a text",
    "a\x00b\ufeff\u200b\u3000c",
    "\t\n",
    "",
)


@pytest.fixture(scope="module")
def arrays(tmp_path_factory: pytest.TempPathFactory) -> Arrays:
    load_numpy()
    return load_model("use-multilingual-v3", tmp_path_factory.mktemp("cache"), keep=True).arrays


@pytest.fixture(scope="module")
def whole() -> Vocabulary:
    return Vocabulary(find_resources().vocabulary, None)


@pytest.mark.parametrize("taps", [2, 3, 5])
def test_a_convolution_at_points_is_the_plain_convolution(taps: int) -> None:
    inward, weight, outward = points(taps)
    rng = np.random.default_rng(taps)
    inputs, weights = rng.standard_normal(TILE + taps - 1), rng.standard_normal(taps)
    plain = [inputs[place : place + taps] @ weights for place in range(TILE)]
    assert outward @ ((inward @ inputs) * (weight @ weights)) == pytest.approx(plain)
    assert (outward[:, 1] == 1).all()


def test_every_unknown_character_counts(whole: Vocabulary) -> None:
    rare, empty = whole.encode(["뷁쉟뛟", " "], 1)
    assert rare.count(UNKNOWN) == 3
    assert empty == [BEGIN, UNKNOWN, END]


def test_a_long_text_is_cut_and_keeps_its_frame(whole: Vocabulary) -> None:
    (found,) = whole.encode(["a b " * 100_000], 1)
    assert len(found) == MOST_TOKENS
    assert (found[0], found[-1]) == (BEGIN, END)


def test_a_little_text_needs_only_its_own_pieces(arrays: Arrays, whole: Vocabulary) -> None:
    little = Vocabulary(find_resources().vocabulary, arrays)
    assert little.encode(TEXTS, 1) == whole.encode(TEXTS, 1)
    assert little._whole is None


def test_much_text_in_small_portions_loads_everything_once(arrays: Arrays, whole: Vocabulary) -> None:
    little = Vocabulary(find_resources().vocabulary, arrays)
    portion = TEXTS[0] * 40
    for _ in range(vocabulary_module._FEW_CHARACTERS // len(portion) + 1):
        assert little.encode([portion], 1) == whole.encode([portion], 1)
    assert little._whole is not None


def test_a_sparing_vocabulary_never_loads_everything_for_small_portions(arrays: Arrays) -> None:
    little = Vocabulary(find_resources().vocabulary, arrays, sparing=True)
    portion = TEXTS[0] * 40
    for _ in range(vocabulary_module._FEW_CHARACTERS // len(portion) + 1):
        little.encode([portion], 1)
    assert little._whole is None
    little.encode([portion] * (vocabulary_module._FEW_CHARACTERS // len(portion) + 1), 1)
    assert little._whole is not None


@settings(max_examples=60, deadline=None)
@given(texts=st.lists(st.text(max_size=40), min_size=1, max_size=3))
def test_piecemeal_tokens_are_the_whole_vocabularys(arrays: Arrays, whole: Vocabulary, texts: list[str]) -> None:
    assert Vocabulary(find_resources().vocabulary, arrays).encode(texts, 1) == whole.encode(texts, 1)


def random_texts(count: int, seed: int) -> list[list[int]]:
    rng = np.random.default_rng(seed)
    return [rng.integers(0, 128_000, rng.integers(1, 150)).tolist() for _ in range(count)]


def test_forgotten_tokens_are_worked_out_again(arrays: Arrays) -> None:
    texts = random_texts(10, seed=1)
    assert len({token for text in texts for token in text}) > 300
    roomy, narrow = Network(arrays, 1), Network(arrays, 2, rows=300)
    expected = roomy.embed(texts)
    for _ in range(2):
        assert np.abs(narrow.embed(texts) - expected).max() < 1e-5
    assert np.abs(narrow.embed(texts[::-1])[::-1] - expected).max() < 1e-5


def test_a_known_token_is_not_worked_out_again(arrays: Arrays, monkeypatch: pytest.MonkeyPatch) -> None:
    network = Network(arrays, 1)
    texts = random_texts(4, seed=2)
    expected = network.embed(texts)
    monkeypatch.delattr(TokenProducts, "_fill")
    assert np.abs(network.embed([*texts[2:], *texts[:2]]) - expected[[2, 3, 0, 1]]).max() < 1e-5


PROGRAM = """
import os, sys
{first}
from kebab.embed.use.blas import load_numpy
load_numpy()
import ctypes, numpy
from pathlib import Path
libraries = list((Path(numpy.__file__).parent.parent / "numpy.libs").glob("*openblas64*"))
print(ctypes.CDLL(str(libraries[0])).scipy_openblas_get_num_threads64_() if libraries else 1)
print(os.environ.get("OPENBLAS_NUM_THREADS", "unset"))
"""


@pytest.mark.parametrize("first", ["", "import numpy"], ids=["before numpy", "after numpy"])
def test_numpy_computes_in_the_calling_thread(first: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(first=first)], capture_output=True, text=True, check=True, env={}
    )
    assert done.stdout.split() == ["1", "unset"]
