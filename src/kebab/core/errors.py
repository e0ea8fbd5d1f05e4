"""Everything that can go wrong, as one small tree.

    KebabError                 code, message, details, hint, exit status
    |- ConfigInvalid           config_invalid      a key, a value or the file itself is wrong
    |- ConfigNotFound          config_not_found    a config file was named and is not there
    |- NotIndexed              not_indexed         there is no index yet
    |- IndexLocked             index_locked        another process is writing
    |- SchemaTooNew            schema_too_new      the index was made by a newer kebab
    |- InvalidInput            invalid_input       an argument cannot be used
    |- ReadonlyMode            readonly_mode       a write was asked for under --readonly
    |- ChunkNotFound           chunk_not_found     no chunk has this id
    |- DocNotFound             doc_not_found       no document has this id or path
    |- TraceNotFound           trace_not_found     no recorded answer has this trace id
    |- SpanNotSupported        span_not_supported  a document is cited by page, region or time, not by line
    |- ModelUnreachable        model_unreachable   the server or hub of a model does not answer
    |- ServerUnreachable       server_unreachable  no `kebab serve` answers where one was named
    |- ModelNotPulled          model_not_pulled    a model is not on this machine
    |- ModelInvalid            model_invalid       a model's files or replies are not what they should be
    |- TimedOut                timeout             a model took longer than allowed
    |- StaleCursor             stale_cursor        a cursor belongs to another query or an older index
    |- IoFailure               io_error            a file or folder cannot be read or written
    |- MissingExtra            missing_extra       an optional package is needed
    |- RetrievalError          retrieval_error     the index cannot be searched
    `- Canceled                canceled            the user stopped it

A refusal to answer and an empty result are values, not errors. Only `ui` prints an error or exits.
"""

from collections.abc import Mapping
from typing import ClassVar, TypeAlias

Detail: TypeAlias = "str | int | float | bool | list[str] | None"

ERROR_CODES = (
    "config_invalid",
    "config_not_found",
    "not_indexed",
    "index_locked",
    "schema_too_new",
    "model_unreachable",
    "server_unreachable",
    "model_not_pulled",
    "model_invalid",
    "timeout",
    "io_error",
    "invalid_input",
    "readonly_mode",
    "stale_cursor",
    "chunk_not_found",
    "doc_not_found",
    "trace_not_found",
    "span_not_supported",
    "missing_extra",
    "retrieval_error",
    "canceled",
    "generic",
)


class KebabError(Exception):
    """An expected failure: one line for a person, a code and details for a program."""

    code: ClassVar[str] = "generic"
    exit_status: ClassVar[int] = 2

    def __init__(self, message: str, *, hint: str | None = None, **details: Detail) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.details: Mapping[str, Detail] = details


class ConfigInvalid(KebabError):
    code = "config_invalid"


class ConfigNotFound(KebabError):
    code = "config_not_found"


class NotIndexed(KebabError):
    code = "not_indexed"


class IndexLocked(KebabError):
    code = "index_locked"


class SchemaTooNew(KebabError):
    code = "schema_too_new"


class InvalidInput(KebabError):
    code = "invalid_input"


class ReadonlyMode(KebabError):
    code = "readonly_mode"


class ChunkNotFound(KebabError):
    code = "chunk_not_found"


class DocNotFound(KebabError):
    code = "doc_not_found"


class TraceNotFound(KebabError):
    code = "trace_not_found"


class SpanNotSupported(KebabError):
    code = "span_not_supported"


class ModelUnreachable(KebabError):
    code = "model_unreachable"


class ServerUnreachable(KebabError):
    code = "server_unreachable"


class ModelNotPulled(KebabError):
    code = "model_not_pulled"


class ModelInvalid(KebabError):
    code = "model_invalid"


class TimedOut(KebabError):
    code = "timeout"


class StaleCursor(KebabError):
    code = "stale_cursor"


class IoFailure(KebabError):
    code = "io_error"


class MissingExtra(KebabError):
    code = "missing_extra"


class RetrievalError(KebabError):
    code = "retrieval_error"


class Canceled(KebabError):
    code = "canceled"
    exit_status = 130


ERRORS: Mapping[str, type[KebabError]] = {kind.code: kind for kind in KebabError.__subclasses__()}


class LeftAside(Exception):
    """Not an error: whoever read a file says that it is not for the index, and why.

    `reason` is one word for the report's counts; `hint` says what would make it readable, if anything would.
    """

    def __init__(self, reason: str, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.hint = hint
