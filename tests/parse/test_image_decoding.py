"""Images of every kind become upright PNGs in the form an engine wants, and tell little about who took them."""

from typing import Any

import pytest
from PIL import Image

from kebab.core.reading import ImageForm
from kebab.parse.image.fetching import MOST_PIXELS, moment
from kebab.parse.image.reading import prepare
from kebab.parse.worker.frames import Attached
from stand_ins.pictures import blank_png, corner, file_of, image_of

AS_IT_IS = ImageForm()
# What a camera does to an upright image before it writes this orientation down.
TURNED = {
    1: None,
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_90,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_270,
}


def read(raw: bytes, form: ImageForm = AS_IT_IS, pages: int = 50) -> list[tuple[dict[str, Any], Image.Image]]:
    """The pages of an image that can be read."""
    arguments = {**form._asdict(), "most_pixels": MOST_PIXELS, "most_pages": pages}
    found = []
    for item in prepare(raw, arguments):
        assert isinstance(item, Attached), item
        assert isinstance(item.value, dict)
        found.append((item.value, image_of(item.data)))
    return found


def problem(raw: bytes, **changes: int) -> dict[str, Any]:
    (item,) = prepare(raw, {**ImageForm()._asdict(), "most_pixels": MOST_PIXELS, "most_pages": 50, **changes})
    assert isinstance(item, dict)
    return item


def is_upright(image: Image.Image) -> bool:
    grey = image.convert("L")
    dark = [grey.getpixel((x * (grey.width - 1), y * (grey.height - 1))) < 128 for y in (0, 1) for x in (0, 1)]  # type: ignore[operator]
    return dark == [True, False, False, False]


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "GIF", "TIFF"])
def test_every_kind_is_read_and_named(kind: str) -> None:
    ((facts, image),) = read(file_of(corner().convert("RGB"), kind))
    assert facts["format"] == kind.lower()
    assert (facts["width"], facts["height"], facts["area"]) == (40, 20, [0, 0, 40, 20])
    assert image.mode == "L"
    assert is_upright(image)


@pytest.mark.parametrize("colour", [True, False])
def test_colours_are_kept_only_for_those_who_want_them(colour: bool) -> None:
    ((_, image),) = read(file_of(Image.new("RGB", (10, 10), "red")), ImageForm(colour=colour))
    assert image.mode == ("RGB" if colour else "L")


@pytest.mark.parametrize("kind", ["JPEG", "TIFF", "PNG", "WEBP"])
@pytest.mark.parametrize("way", TURNED)
def test_an_image_that_lies_on_its_side_is_turned_upright(way: int, kind: str) -> None:
    exif = Image.Exif()
    exif[274] = way
    turn = TURNED[way]
    taken = corner() if turn is None else corner().transpose(turn)
    options = {"tiffinfo": {274: way}} if kind == "TIFF" else {"exif": exif}
    ((facts, image),) = read(file_of(taken.convert("RGB"), kind, **options))
    assert (facts["width"], facts["height"]) == (40, 20)
    assert image.size == (40, 20)
    assert is_upright(image)


def test_only_the_time_and_the_camera_leave_the_image() -> None:
    exif = Image.Exif()
    exif[272], exif[271], exif[315] = "Camera\x00\n X", "Maker", "Somebody"
    exif.get_ifd(0x8769)[36867] = "2024:05:03 10:20:30"
    exif.get_ifd(0x8769)[36881] = "+09:00"
    exif.get_ifd(0x8825)[1] = "N"
    ((facts, image),) = read(file_of(corner().convert("RGB"), "JPEG", exif=exif))
    assert facts["camera"].split() == ["Camera", "X"]
    assert moment(facts["taken"], facts["offset"]) == "2024-05-03T01:20:30Z"
    assert set(facts) == {"camera", "taken", "offset", "format", "page", "width", "height", "area"}
    assert not image.getexif()
    assert not image.info


@pytest.mark.parametrize("taken", ["", "0000:00:00 00:00:00", "2024:13:40 10:00:00", "9999:12:31 23:59:59"])
def test_a_date_that_is_none_is_left_out(taken: str) -> None:
    assert moment(taken, "-23:59") is None


def test_an_image_is_enlarged_as_asked_and_never_beyond_the_bounds() -> None:
    raw = file_of(corner())
    assert [image.size for _, image in read(raw, ImageForm(scale=3))] == [(120, 60)]
    assert [image.size for _, image in read(raw, ImageForm(scale=3, max_side=60))] == [(60, 30)]
    assert [image.size for _, image in read(raw, ImageForm(scale=3, max_pixels=200))] == [(20, 10)]
    ((facts, image),) = read(file_of(Image.new("RGB", (900, 600)), "JPEG"), ImageForm(max_side=90))
    assert image.size == (90, 60)
    assert (facts["width"], facts["height"]) == (900, 600)


@pytest.mark.parametrize(("ink", "paper"), [((0, 0, 0), 255), ((255, 255, 255), 0)])
def test_what_is_transparent_gets_a_background_the_text_stands_out_from(ink: tuple[int, ...], paper: int) -> None:
    image = Image.new("RGBA", (40, 20), (*ink, 0))
    image.paste((*ink, 255), (0, 0, 8, 4))
    ((_, seen),) = read(file_of(image))
    assert (seen.getpixel((2, 2)), seen.getpixel((30, 15))) == (ink[0], paper)
    ((_, nothing),) = read(file_of(Image.new("RGBA", (5, 5), (0, 0, 0, 0))))
    assert nothing.getextrema() == (255, 255)


def test_deep_shades_are_brought_to_eight_bits() -> None:
    deep = Image.new("I;16", (4, 4), 65535)
    deep.putpixel((0, 0), 0)
    assert [image.getextrema() for _, image in read(file_of(deep))] == [(0, 255)]
    floats = Image.new("F", (4, 4), -1.5)
    floats.putpixel((0, 0), 2.0)
    assert [image.getextrema() for _, image in read(file_of(floats, "TIFF"))] == [(0, 255)]
    assert [image.getextrema() for _, image in read(file_of(Image.new("F", (4, 4), 7.0), "TIFF"))] == [(0, 0)]


def test_the_pages_of_a_tiff_come_one_by_one_up_to_the_limit() -> None:
    pages = [Image.new("L", (10 + number, 10), 255) for number in range(4)]
    raw = file_of(pages[0], "TIFF", save_all=True, append_images=pages[1:])
    assert [(facts["page"], facts["width"]) for facts, _ in read(raw)] == [(1, 10), (2, 11), (3, 12), (4, 13)]
    arguments = {**ImageForm()._asdict(), "most_pixels": MOST_PIXELS, "most_pages": 3}
    *first, last = prepare(raw, arguments)
    assert len(first) == 3
    assert last == {"more": True}


def test_thumbnails_among_the_pages_are_no_pages() -> None:
    small = Image.new("L", (5, 5), 255)
    small.encoderinfo = {"tiffinfo": {254: 1}}
    raw = file_of(corner(), "TIFF", save_all=True, append_images=[small, corner()])
    assert [facts["width"] for facts, _ in read(raw)] == [40, 40]


def test_an_animation_is_one_page() -> None:
    frames = [Image.new("L", (10, 10), shade) for shade in (0, 100, 200)]
    assert len(read(file_of(frames[0], "GIF", save_all=True, append_images=frames[1:]))) == 1


def test_a_small_file_of_very_many_pixels_is_refused_unseen() -> None:
    raw = blank_png(20_000, 6_000)
    assert len(raw) < 20_000
    told = problem(raw)
    assert told["problem"] == "too_large"
    assert told["message"] == "has 20000 x 6000 pixels: 120 million, of which 100 are read"


@pytest.mark.parametrize("raw", [b"hello", b"%!PS-Adobe-3.0 EPSF-3.0\n", b"\x00" * 100, b"BM" * 99])
def test_what_is_no_image_of_a_known_kind_is_told(raw: bytes) -> None:
    assert problem(raw) == {"problem": "damaged", "message": "it is no PNG, JPEG, WebP, GIF, TIFF or HEIC"}


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "GIF", "TIFF"])
def test_a_file_that_ends_early_or_is_damaged_is_told_in_one_line(kind: str) -> None:
    raw = file_of(Image.linear_gradient("L").convert("RGB"), kind)
    for size in range(8, len(raw), max(1, len(raw) // 25)):
        for damaged in (raw[:size], raw[:size] + b"\xff\x00\x81" + raw[size + 3 :]):
            for item in prepare(damaged, {**ImageForm()._asdict(), "most_pixels": MOST_PIXELS, "most_pages": 3}):
                told = item.value if isinstance(item, Attached) else item
                assert isinstance(told, dict)
                assert "\n" not in str(told.get("message", ""))


def test_heic_is_read_where_its_package_is_and_told_where_it_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    heif = pytest.importorskip("pillow_heif")
    heif.register_heif_opener()
    raw = file_of(corner((64, 32)).convert("RGB"), "HEIF")
    ((facts, image),) = read(raw)
    assert (facts["format"], facts["width"], facts["height"]) == ("heif", 64, 32)
    assert is_upright(image)
    monkeypatch.setattr("kebab.parse.image.reading.find_spec", lambda name: name if name == "PIL" else None)
    assert problem(raw) == {"problem": "no_package", "message": "HEIC images need the package pillow-heif"}


def test_without_pillow_no_image_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kebab.parse.image.reading.find_spec", lambda name: None)
    assert problem(file_of(corner())) == {"problem": "no_package", "message": "images need the package pillow"}
