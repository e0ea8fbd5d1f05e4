import struct
import zlib
from collections.abc import Mapping

import pytest

from kebab.core.document import Document
from kebab.core.errors import InvalidInput
from kebab.parse.office import HwpParser
from kebab.parse.office.compound import Broken, Compound
from kebab.parse.office.hwp_records import characters, records
from office_samples import check, outcome, read, survives


def record(tag: int, level: int, data: bytes = b"") -> bytes:
    head = tag | level << 10 | min(len(data), 0xFFF) << 20
    return struct.pack("<I", head) + (struct.pack("<I", len(data)) if len(data) >= 0xFFF else b"") + data


def hwp_para(text: str, level: int = 0, style: int = 0) -> bytes:
    head = struct.pack("<IIHB", len(text) + 1, 0, 0, style) + bytes(11)
    return record(66, level, head) + record(67, level + 1, (text + "\r").encode("utf-16-le"))


def hwp_table(rows: list[list[str]], level: int = 0) -> bytes:
    made = hwp_para("\x0b" + " lbt" + "\x00" * 2 + "\x0b", level) + record(71, level + 1, b" lbt" + bytes(40))
    made += record(77, level + 2, bytes(20))
    for at, row in enumerate(rows):
        for column, text in enumerate(row):
            made += record(72, level + 2, struct.pack("<HHIHHHH", 1, 0, 0, column, at, 1, 1) + bytes(20))
            made += hwp_para(text, level + 2)
    return made


def hwp(section: bytes, flags: int = 1, styles: tuple[str, ...] = ("바탕글", "개요 1")) -> bytes:
    header = b"HWP Document File".ljust(32, b"\x00") + struct.pack("<II", 0x05010001, flags) + bytes(216)
    info = b"".join(record(26, 0, _hwp_name(name) + _hwp_name("") + bytes(10)) for name in styles)
    return compound({"FileHeader": header, "DocInfo": _deflated(info), "Section0": _deflated(section)})


def _hwp_name(name: str) -> bytes:
    return struct.pack("<H", len(name)) + name.encode("utf-16-le")


def _deflated(data: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


def compound(streams: Mapping[str, bytes]) -> bytes:
    """An OLE container: small streams in the small stream, large ones in sectors of their own."""
    sectors: list[bytes] = []
    table: list[int] = []
    small, small_table = b"", list[int]()

    def put(data: bytes) -> int:
        pieces = [data[at : at + 512].ljust(512, b"\x00") for at in range(0, len(data), 512)]
        start = len(sectors)
        sectors.extend(pieces)
        table.extend([*range(start + 1, start + len(pieces)), 0xFFFFFFFE])
        return start if pieces else 0xFFFFFFFE

    entries = []
    for name, data in streams.items():
        if len(data) < 4096:
            start, count = len(small) // 64, -(-len(data) // 64)
            small += data.ljust(count * 64, b"\x00")
            small_table += [*range(start + 1, start + count), 0xFFFFFFFE] if count else []
        else:
            start = put(data)
        entries.append((name, 2, start, len(data)))
    entries.insert(0, ("Root Entry", 5, put(small) if small else 0xFFFFFFFE, len(small)))
    first_small = put(struct.pack(f"<{len(small_table)}I", *small_table)) if small_table else 0xFFFFFFFE
    directory = put(b"".join(_entry(*entry) for entry in entries))
    table_sectors = -(-(len(table) + 8) // 126)
    start = len(sectors)
    table += [0xFFFFFFFD] * table_sectors
    table += [0xFFFFFFFF] * (table_sectors * 128 - len(table))
    sectors += [struct.pack("<128I", *table[at : at + 128]) for at in range(0, len(table), 128)]
    listed = [*range(start, start + table_sectors), *[0xFFFFFFFF] * (109 - table_sectors)]
    head = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16) + struct.pack("<HHHHH", 62, 3, 0xFFFE, 9, 6) + bytes(10)
    head += struct.pack("<IIIIIIII", table_sectors, directory, 0, 4096, first_small, 1, 0xFFFFFFFE, 0)
    return head + struct.pack("<109I", *listed) + b"".join(sectors)


def _entry(name: str, kind: int, start: int, size: int) -> bytes:
    raw = (name + "\x00").encode("utf-16-le")
    return (
        raw.ljust(64, b"\x00")
        + struct.pack("<HBB", len(raw), kind, 1)
        + bytes(48)
        + struct.pack("<III", start, size, 0)
    )


def parse(raw: bytes) -> Document:
    document = read(HwpParser(), raw, "문서/보고.hwp")
    check(document)
    return document


def test_paragraphs_headings_and_tables_are_read() -> None:
    document = parse(hwp(hwp_para("제목입니다", 0, 1) + hwp_para("본문 글") + hwp_table([["가", "나"], ["다", "라"]])))
    assert document.source_text == "# 제목입니다\n\n본문 글\n\n| 가 | 나 |\n| 다 | 라 |\n"
    assert document.title == "제목입니다"
    assert document.lang == "ko"


def test_a_table_in_a_cell_and_the_text_after_it_keep_their_places() -> None:
    inner = hwp_table([["1", "2"]], 2)
    outer = hwp_table([["가", "나"]]) + inner + hwp_para("끝")
    assert parse(hwp(outer)).source_text == "| 가 | 나 1, 2 |\n\n끝\n"


@pytest.mark.parametrize(
    ("control", "text"),
    [("gso ", "앞\n\n안\n"), ("head", "앞\n"), ("foot", "앞\n"), ("fn  ", "앞[^1]\n\n# Notes\n\n[^1] 안\n")],
)
def test_what_stands_beside_the_text_goes_where_it_belongs(control: str, text: str) -> None:
    beside = record(71, 1, control.encode()[::-1] + bytes(20)) + record(72, 2, bytes(16)) + hwp_para("안", 2)
    assert parse(hwp(hwp_para("앞") + beside)).source_text == text


def test_codes_within_the_text_are_stepped_over() -> None:
    text = "a\x09" + "\x00" * 6 + "\x09b\x0ac\x0b" + "x" * 6 + "\x0bd\x1ee\x0d"
    assert characters(text.encode("utf-16-le")) == "a\tb\ncd\u00a0e"
    assert characters(b"\x0b\x00\x41") == ""


def test_a_record_may_be_long_or_cut_off() -> None:
    found = list(records(record(67, 3, b"x" * 5000) + record(66, 1023, b"y")[:-1]))
    assert [(each.tag, each.level, len(each.data)) for each in found] == [(67, 3, 5000), (66, 1023, 0)]


def test_large_streams_are_read_from_sectors_of_their_own() -> None:
    data = {"a": bytes(range(256)) * 40, "b": b"small", "c": b""}
    file = Compound(compound(data))
    assert {name: file.read(name) for name in file.names} == data
    with pytest.raises(Broken):
        file.read("d")


@pytest.mark.parametrize(("flags", "word"), [(3, "encrypted"), (5, "distribution"), (17, "distribution")])
def test_a_protected_file_is_explained(flags: int, word: str) -> None:
    with pytest.raises(InvalidInput, match=word) as refused:
        parse(hwp(hwp_para("x"), flags))
    assert refused.value.hint


def test_files_of_other_kinds_are_explained() -> None:
    assert "another format" in outcome(HwpParser(), b"HWP Document File V3.00 \x1a\x01\x02")
    assert "another kind" in outcome(HwpParser(), compound({"FileHeader": b"x" * 100, "WordDocument": b"y"}))
    assert "damaged" in outcome(HwpParser(), compound({"WordDocument": b"y"}))


def test_a_chain_of_sectors_that_goes_round_ends() -> None:
    raw = bytearray(compound({"a": b"x" * 9000}))
    table = 512 * (struct.unpack_from("<I", raw, 76)[0] + 1)
    struct.pack_into("<I", raw, table, 0)
    assert len(Compound(bytes(raw)).read("a")) == 9000


def test_records_of_any_kind_in_any_order_make_a_document() -> None:
    kinds = [record(tag, level, b" lbt" + bytes(16)) for tag in (66, 71, 72, 77, 67) for level in (0, 1, 2, 1023)]
    for step in range(1, 20):
        parse(hwp(b"".join(kinds[at * step % len(kinds)] for at in range(200))))


def test_damage_of_any_kind_ends_well() -> None:
    survives(HwpParser(), hwp(hwp_para("제목", 0, 1) + hwp_table([["가", "나"], ["다", "라"]]) + hwp_para("끝")))


def test_a_stream_that_inflates_to_far_too_much_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kebab.parse.office.hwp_records.MAX_INFLATED", 10_000)
    document = parse(hwp(hwp_para("가" * 100) * 1000))
    assert 20 < len(document.blocks) < 60
