from kebab.source import MEDIA_TYPES, media_type
from kebab.source.media import extension


def test_every_row_is_a_lower_case_extension() -> None:
    assert all(suffix.startswith(".") and suffix == suffix.lower() for suffix in MEDIA_TYPES)


def test_case_of_the_extension_does_not_matter() -> None:
    assert media_type("README.MD") == media_type("노트.markdown") == "markdown"


def test_unknown_and_missing_extensions_have_no_type() -> None:
    assert [media_type(name) for name in ("a.png", "Makefile", ".md", "a.", "md", "")] == [None] * 6


def test_only_the_last_extension_counts() -> None:
    assert [extension(name) for name in ("a.tar.GZ", ".profile", "a.", "x")] == [".gz", "", "", ""]
