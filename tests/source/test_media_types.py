import pytest

from kebab.source import MEDIA_TYPES, media_type
from kebab.source.media import NAMES, code_lang, extension, family


def test_every_row_is_a_lower_case_extension() -> None:
    assert all(suffix.startswith(".") and suffix == suffix.lower() for suffix in MEDIA_TYPES)


def test_case_of_the_extension_does_not_matter() -> None:
    assert media_type("README.MD") == media_type("노트.markdown") == "markdown"
    assert media_type("Main.RS") == "code/rust"


def test_unknown_and_missing_extensions_have_no_type() -> None:
    assert [media_type(name) for name in ("a.zip", "a.exe", ".md", "a.", "md", "", ".profile")] == [None] * 7


def test_only_the_last_extension_counts() -> None:
    assert [extension(name) for name in ("a.tar.GZ", ".profile", "a.", "x")] == [".gz", "", "", ""]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Dockerfile", "code/dockerfile"),
        ("Dockerfile.dev", "code/dockerfile"),
        ("web.Dockerfile", "code/dockerfile"),
        ("Containerfile", "code/dockerfile"),
        ("Dockerfile.md", "markdown"),
        ("Dockerfile.dockerignore", None),
        ("Makefile", "code/makefile"),
        ("GNUmakefile", "code/makefile"),
        ("Makefile.am", "code/makefile"),
        ("rules.mk", "code/makefile"),
        ("go.mod", "code/gomod"),
        ("Jenkinsfile", "code/groovy"),
        ("CMakeLists.txt", "code/cmake"),
        ("notes.txt", "text/plain"),
        ("README", "text/plain"),
        ("table.tsv", "text/csv"),
        (".gitlab-ci.yml", "code/yaml"),
        ("build.gradle.kts", "code/kotlin"),
        ("a.d.ts", "code/typescript"),
    ],
)
def test_whole_names_are_asked_before_extensions(name: str, expected: str | None) -> None:
    assert media_type(name) == expected


def test_every_type_is_a_family_or_a_family_and_a_kind() -> None:
    types = {*MEDIA_TYPES.values(), *NAMES.values()}
    assert {family(media) for media in types} == {
        *("markdown", "code", "text", "pdf", "image", "office", "web", "audio", "video")
    }
    assert all(media.count("/") == (family(media) not in ("markdown", "pdf")) for media in types)


def test_only_code_has_a_language() -> None:
    assert [code_lang(media) for media in ("code/tsx", "code/rust", "text/plain", "markdown", "pdf")] == [
        *("typescript", "rust", None, None, None)
    ]
