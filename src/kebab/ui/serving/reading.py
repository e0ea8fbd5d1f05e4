"""The tools that read: a call becomes a question to the App, and what it says becomes a wire object."""

import json
from typing import TYPE_CHECKING

from kebab.core.errors import Canceled
from kebab.core.versions import INDEX_VERSION
from kebab.ui.options import filters_of
from kebab.ui.serving.arguments import query_of, question_of
from kebab.ui.serving.calls import Call, Progress
from kebab.wire.value import Json

if TYPE_CHECKING:
    from kebab.core.answer import Answer


def search(call: Call) -> Json:
    from kebab.wire.search import encode_response

    result = call.app.search(query_of(call.values, call.app.config.search))
    return encode_response(result, INDEX_VERSION)


def bulk_search(call: Call) -> Json:
    from kebab.wire.bulk import encode_bulk_response

    lines = [json.dumps(query).encode() for query in call.values["queries"]]
    items: list[Json] = []
    for item in call.app.bulk_search(lines, query_of(call.values, call.app.config.search)):
        if call.cancel.is_set():
            raise Canceled("the client no longer waits")
        items.append(item)
        call.tell(Progress(len(items), len(lines)))
    return encode_bulk_response(items)


def ask(call: Call) -> Json:
    """Tokens go out as the messages of progress while they arrive."""
    from kebab.core.answer import AnswerReady, TokenArrived
    from kebab.wire.answer import encode_answer

    answer: Answer | None = None
    tokens = 0
    for event in call.app.ask(question_of(call.values, call.app.config.search), call.cancel):
        if isinstance(event, TokenArrived):
            tokens += 1
            call.tell(Progress(tokens, message=event.delta))
        elif isinstance(event, AnswerReady):
            answer = event.answer
    assert answer is not None, "the last event of a question carries the answer"
    return encode_answer(answer)


def fetch(call: Call) -> Json:
    from kebab.core.fetching import FetchKind, FetchRequest
    from kebab.wire.fetch import encode_fetch

    values = dict(call.values)
    request = FetchRequest(FetchKind(values.pop("kind")), **values)
    return encode_fetch(call.app.fetch(request))


def list_docs(call: Call) -> Json:
    from kebab.wire.documents import encode_doc_list

    values = call.values
    page = call.app.page_of_docs(filters_of(values), values["sort"], values["limit"], values["cursor"])
    return encode_doc_list(page)


def symbols(call: Call) -> Json:
    from kebab.wire.symbols import encode_symbols

    return encode_symbols(call.app.find_symbols(call.values["query"], filters_of(call.values), call.values["limit"]))


def schema(call: Call) -> Json:
    from kebab.wire.introspection import encode_schema

    return encode_schema(call.app.schema())


def doctor(call: Call) -> Json:
    from kebab.wire.introspection import encode_doctor

    return encode_doctor(call.app.doctor())


def verify(call: Call) -> Json:
    from kebab.wire.archive import encode_verify_report

    return encode_verify_report(call.app.verify(call.values["trace_id"]))
