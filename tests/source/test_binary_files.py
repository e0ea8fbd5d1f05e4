import random

import pytest

from kebab.source.binary import is_binary

NOISE = random.Random(1).randbytes(20_000)


@pytest.mark.parametrize(
    "raw",
    [
        NOISE,
        b"\x7fELF\x02\x01\x01" + bytes(9) + NOISE[:100],
        b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n" + NOISE,
        "def plain(): pass\n".encode("utf-16-le"),
        bytes(5000),
    ],
)
def test_noise_with_nul_bytes_is_binary(raw: bytes) -> None:
    assert is_binary(raw)


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"plain words\n" * 1000,
        b"a stray \x00 in plain words\n" * 100,
        "그림 없는 글\n".encode("cp949") * 100,
        "déjà vu\n".encode("latin-1") * 100,
        "def plain(): pass\n".encode("utf-16"),
        "def plain(): pass\n".encode("utf-32"),
        b"plain words\n" * 1000 + NOISE,
    ],
)
def test_text_in_any_encoding_is_not(raw: bytes) -> None:
    assert not is_binary(raw)
