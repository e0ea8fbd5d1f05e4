"""Replies by any server with OpenAI's `/v1/chat/completions`: llama.cpp, vLLM, LM Studio, or a hosted one."""

from collections.abc import Callable, Iterator

from kebab.core.answer import Finished, FinishReason, Prompt
from kebab.core.answering import LlmSettings
from kebab.llm.remote import ChatApi, RemoteModel, messages, seed, service_of
from kebab.llm.reply import content_of, count
from kebab.remote.failures import Unusable
from kebab.remote.greeting import greet_openai

_DONE = b"[DONE]"
_NO_DATA = (b"", b"event", b"id", b"retry")


def _question(settings: LlmSettings, prompt: Prompt) -> dict[str, object]:
    stop: dict[str, object] = {"stop": list(prompt.stop)} if prompt.stop else {}
    return {
        "model": settings.model,
        "messages": messages(prompt),
        "stream": True,
        "stream_options": {"include_usage": True},
        "max_tokens": prompt.max_tokens,
        "temperature": prompt.temperature,
        "seed": seed(settings, prompt),
        **stop,
    }


def _pieces(lines: Iterator[bytes], value_of: Callable[[bytes], object]) -> Iterator[str | Finished]:
    """Some servers leave out the last line, but none that is well leaves out why it ended."""
    reason: FinishReason | None = None
    usage: dict[str, object] = {}
    for payload in filter(None, map(_payload, lines)):
        if payload == _DONE:
            break
        value = value_of(payload)
        if not isinstance(value, dict) or not isinstance(value.get("choices"), list):
            raise Unusable("gave a reply without `choices`; it may not speak OpenAI's API")
        usage = value["usage"] if isinstance(value.get("usage"), dict) else usage
        for choice in value["choices"][:1]:
            text, ended = _choice(choice)
            yield text
            reason = ended or reason
    if reason is not None:
        yield Finished(reason, count(usage.get("prompt_tokens")), count(usage.get("completion_tokens")))


def _choice(choice: object) -> tuple[str, FinishReason | None]:
    if not isinstance(choice, dict):
        raise Unusable("gave a choice that is none")
    # A server that does not stream gives the whole as a message.
    text = content_of(choice.get("delta") or choice.get("message"))
    match choice.get("finish_reason"):
        case None | "":
            return text, None
        case "length":
            return text, FinishReason.LENGTH
        case "content_filter":
            raise Unusable("withheld the reply by its content filter", hint="ask in other words, or another model")
        case _:
            return text, FinishReason.STOP


def _payload(line: bytes) -> bytes | None:
    """The JSON of a line, whatever the line is; None for those that carry none."""
    name, _, value = line.partition(b":")
    if name == b"data":
        return value.strip()
    if name == b"error":
        # A field of llama.cpp's own, for a failure within a reply.
        return b'{"error": %s}' % value
    return None if name.strip() in _NO_DATA else line


API = ChatApi(
    endpoint="http://127.0.0.1:8080",
    path="/v1/chat/completions",
    start="start the server",
    pull="load {model} in the server, or check models.llm.model",
    question=_question,
    pieces=_pieces,
)


class OpenAiModel(RemoteModel):
    """`models.llm.provider = "openai"`."""

    api = API


def reachable(settings: LlmSettings) -> str:
    """One line about the server, for `kebab doctor`."""
    return greet_openai(service_of(API, settings))
