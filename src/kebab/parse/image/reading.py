"""Image bytes to facts and clean PNGs, in a worker: decoding is native code, and the bytes are anyone's.

Orientation is applied first, so that every coordinate is one of the image as people see it. What an image's maker wrote
into it is left behind, but for the moment it was taken and the model of the camera; where it was taken is never read.
"""

import io
import math
import warnings
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING, NamedTuple

from kebab.parse.image import columns
from kebab.parse.image.pixels import flattened
from kebab.parse.worker.frames import Attached, Json

if TYPE_CHECKING:
    from PIL.Image import Image

FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "TIFF", "HEIF")
_TAKEN, _OFFSET, _WRITTEN, _CAMERA, _SUBFILE, _ORIENTATION = 36867, 36881, 306, 272, 254, 274
# What undoes the orientations 2 to 8, as `Image.Transpose` numbers them; the last four lie on their side.
_TURNS = (0, 3, 1, 5, 4, 6, 2)
_SIDEWAYS = (5, 6, 7, 8)
_DETAILS = 0x8769
_LONGEST_FACT = 100
_BRANDS = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1")


class Wish(NamedTuple):
    """How images are wanted. Larger ones than `most_pixels` are refused unseen: few bytes can hold very many pixels."""

    scale: int
    max_pixels: int
    max_side: int
    colour: bool
    columns: bool
    most_pixels: int
    most_pages: int


class _Refused(Exception):
    def __init__(self, problem: str, message: str) -> None:
        super().__init__(message)
        self.problem = problem


def prepare(raw: bytes, arguments: Mapping[str, Json]) -> "Iterator[Json | Attached]":
    """Each page as `{page, width, height, ...}` with its PNG; `{problem, message}` for what cannot be read."""
    wish = Wish(**arguments)  # type: ignore[arg-type] # our own caller's
    try:
        yield from _pages(raw, wish)
    except _Refused as refused:
        yield {"problem": refused.problem, "message": str(refused)}
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 - decoders raise whatever they like over damaged bytes
        yield {"problem": "damaged", "message": f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"}


def _pages(raw: bytes, wish: Wish) -> "Iterator[Json | Attached]":
    with warnings.catch_warnings():
        # Odd tags are worth no word, and the size is judged here and not by a limit of the library.
        warnings.simplefilter("ignore")
        image = _opened(raw, wish)
        facts = _facts(image)
        # Pages are a matter of TIFF; the frames of an animation say the same over and over.
        many = image.format == "TIFF"
        sent = 0
        for number in range(wish.most_pages + 1 if many else 1):
            if number and not _turned(image, number):
                return
            if sent == wish.most_pages:
                yield {"more": True}
                return
            if sent and _is_thumbnail(image):
                continue
            sent += 1
            _check(image, wish)
            yield from _page(image, wish, {**facts, "page": sent})


def _opened(raw: bytes, wish: Wish) -> "Image":
    if find_spec("PIL") is None:
        raise _Refused("no_package", "images need the package pillow")
    from PIL import Image, UnidentifiedImageError

    if raw[4:8] == b"ftyp" and raw[8:12] in _BRANDS:
        if find_spec("pillow_heif") is None:
            raise _Refused("no_package", "HEIC images need the package pillow-heif")
        import pillow_heif

        pillow_heif.register_heif_opener(thumbnails=False)
    Image.MAX_IMAGE_PIXELS = None
    try:
        image = Image.open(io.BytesIO(raw), formats=FORMATS if "HEIF" in Image.OPEN else FORMATS[:-1])
    except UnidentifiedImageError:
        raise _Refused("damaged", "it is no PNG, JPEG, WebP, GIF, TIFF or HEIC") from None
    _check(image, wish)
    return image


def _check(image: "Image", wish: Wish) -> None:
    width, height = image.size
    if width * height > wish.most_pixels:
        many, most = width * height / 1e6, wish.most_pixels / 1e6
        raise _Refused("too_large", f"has {width} x {height} pixels: {many:.0f} million, of which {most:.0f} are read")


def _turned(image: "Image", number: int) -> bool:
    try:
        image.seek(number)
    except EOFError:
        return False
    return True


def _is_thumbnail(image: "Image") -> bool:
    tags = getattr(image, "tag_v2", {})
    kind = tags.get(_SUBFILE, 0)
    return isinstance(kind, int) and bool(kind & 1)


def _page(image: "Image", wish: Wish, facts: dict[str, Json]) -> Iterator[Attached]:
    """The page as one picture, or as one for each of its columns."""
    from PIL.Image import Transpose

    width, height = image.size
    if image.format in ("JPEG", "MPO"):
        # Decodes straight to a smaller size where the image is larger than it is wanted.
        image.draft(None, _target((width, height), wish))
        image.load()
    else:
        # A TIFF turns itself as it is loaded.
        image.load()
        width, height = image.size
    way = image.getexif().get(_ORIENTATION)
    flat = flattened(image, colour=wish.colour)
    if isinstance(way, int) and 1 < way <= len(_TURNS) + 1:
        flat = flat.transpose(Transpose(_TURNS[way - 2]))
        width, height = (height, width) if way in _SIDEWAYS else (width, height)
    down = max(width / flat.width, height / flat.height)
    for area in columns.split(flat) if wish.columns else [(0, 0, *flat.size)]:
        x, y, w, h = (round(edge * down) for edge in area)
        part = flat.crop((area[0], area[1], area[0] + area[2], area[1] + area[3]))
        yield Attached({**facts, "width": width, "height": height, "area": [x, y, w, h]}, _png(part, (w, h), wish))


def _png(part: "Image", size: tuple[int, int], wish: Wish) -> bytes:
    from PIL.Image import Resampling

    target = _target(size, wish)
    if part.size != target:
        part = part.resize(target, Resampling.LANCZOS)
    out = io.BytesIO()
    part.save(out, "PNG", compress_level=1)
    return out.getvalue()


def _target(size: tuple[int, int], wish: Wish) -> tuple[int, int]:
    width, height = size
    scale = min(wish.scale, math.sqrt(wish.max_pixels / (width * height)), wish.max_side / max(size))
    return max(1, round(width * scale)), max(1, round(height * scale))


def _facts(image: "Image") -> dict[str, Json]:
    facts: dict[str, Json] = {"format": (image.format or "").lower().replace("mpo", "jpeg")}
    try:
        exif = image.getexif()
        details = exif.get_ifd(_DETAILS)
        facts["taken"] = _word(details.get(_TAKEN)) or _word(exif.get(_WRITTEN))
        facts["offset"] = _word(details.get(_OFFSET))
        facts["camera"] = _word(exif.get(_CAMERA))
    except Exception:  # noqa: BLE001, S110 - an image with broken tags is still an image
        pass
    return facts


def _word(value: object) -> str:
    text = value.decode("utf-8", "replace") if isinstance(value, bytes) else value
    if not isinstance(text, str):
        return ""
    return " ".join("".join(char if char.isprintable() else " " for char in text[:_LONGEST_FACT]).split())
