"""Pixels of any mode to plain grey or colour: depths brought to eight bits, and a background to what is transparent."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.Image import Image

_MIDDLE = 128
_DEEP = 257
_VISIBLE = 32


def flattened(image: "Image", *, colour: bool) -> "Image":
    """The image in mode `RGB` or `L`, turned as it was."""
    mode = "RGB" if colour else "L"
    if image.mode.startswith("I;16"):
        return image.convert("I").point(lambda value: value * (1 / _DEEP)).convert("L").convert(mode)
    if image.mode in ("I", "F"):
        return _stretched(image).convert(mode)
    if image.has_transparency_data:
        return _on_background(image.convert("RGBA"), mode)
    return image.convert(mode)


def _stretched(image: "Image") -> "Image":
    """Numbers without a scale of their own, from the least of them to the greatest."""
    low, high = image.getextrema()
    assert isinstance(low, int | float)
    assert isinstance(high, int | float)
    scale = 255 / (high - low) if high > low else 1.0
    return image.convert("F").point(lambda value: value * scale + -low * scale).convert("L")


def _on_background(image: "Image", mode: str) -> "Image":
    """On white, or on black where what can be seen is light: text on a dark page is often saved without the page."""
    from PIL import Image, ImageStat

    alpha = image.getchannel("A")
    seen = alpha.point(lambda value: 255 if value > _VISIBLE else 0)
    stat = ImageStat.Stat(image.convert("L"), seen)
    light = bool(stat.count[0]) and stat.mean[0] > _MIDDLE
    behind = Image.new("RGB", image.size, "black" if light else "white")
    behind.paste(image, mask=alpha)
    return behind.convert(mode)
