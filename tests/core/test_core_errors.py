import re
from collections import Counter

import pytest

from kebab.core import errors
from kebab.core.errors import ERROR_CODES, Canceled, InvalidInput, KebabError


def subclasses(kind: type[KebabError]) -> list[type[KebabError]]:
    return [found for child in kind.__subclasses__() for found in (child, *subclasses(child))]


CLASSES = [kind for kind in subclasses(KebabError) if kind.__module__ == errors.__name__]


def test_there_are_errors_to_speak_of() -> None:
    assert len(CLASSES) >= 12
    assert InvalidInput in CLASSES


@pytest.mark.parametrize("kind", [KebabError, *CLASSES], ids=lambda kind: kind.__name__)
def test_every_code_is_one_the_wire_knows(kind: type[KebabError]) -> None:
    assert kind.code in ERROR_CODES


def test_no_two_errors_share_a_code() -> None:
    shared = [code for code, count in Counter(kind.code for kind in [KebabError, *CLASSES]).items() if count > 1]
    assert shared == []


def test_no_code_is_listed_twice() -> None:
    assert len(set(ERROR_CODES)) == len(ERROR_CODES)


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_the_tree_at_the_top_names_every_error_with_its_code(kind: type[KebabError]) -> None:
    tree = errors.__doc__ or ""
    line = re.search(rf"^ *[|`]- {kind.__name__}\b.*$", tree, re.MULTILINE)
    assert line is not None, f"{kind.__name__} is not in the tree of core/errors.py"
    assert kind.code in line[0].split()


def test_the_tree_names_nothing_that_does_not_exist() -> None:
    drawn = re.findall(r"^ *[|`]- (\w+)", errors.__doc__ or "", re.MULTILINE)
    assert drawn
    assert [name for name in drawn if not hasattr(errors, name)] == []


def test_an_error_carries_what_a_person_and_a_program_need() -> None:
    error = InvalidInput("k must be positive", hint="use --k 10", k=-1)
    assert str(error) == error.message == "k must be positive"
    assert (error.hint, error.details, error.code, error.exit_status) == ("use --k 10", {"k": -1}, "invalid_input", 2)


def test_an_error_without_details_has_an_empty_mapping() -> None:
    assert KebabError("x").details == {}
    assert KebabError("x").hint is None


def test_only_a_cancellation_leaves_as_an_interrupt() -> None:
    assert Canceled.exit_status == 130
    assert {kind.exit_status for kind in CLASSES if kind is not Canceled} == {2}
