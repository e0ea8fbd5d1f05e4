"""Replies by an Ollama server: its `/api/chat`, a JSON object per line."""

from collections.abc import Callable, Iterator

from kebab.core.answer import Finished, FinishReason, Prompt
from kebab.core.answering import LlmSettings
from kebab.llm.remote import ChatApi, RemoteModel, messages, seed, service_of
from kebab.llm.reply import content_of, count
from kebab.remote.failures import Unusable
from kebab.remote.greeting import greet_ollama, require_pulled


def _question(settings: LlmSettings, prompt: Prompt) -> dict[str, object]:
    options: dict[str, object] = {
        "temperature": prompt.temperature,
        "seed": seed(settings, prompt),
        "num_predict": prompt.max_tokens,
        # Without it the server keeps a few thousand tokens and forgets the beginning of the evidence without a word.
        "num_ctx": settings.context_tokens,
    }
    if prompt.stop:
        # An empty list would take the place of the model's own.
        options["stop"] = list(prompt.stop)
    return {"model": settings.model, "messages": messages(prompt), "stream": True, "options": options}


def _pieces(lines: Iterator[bytes], value_of: Callable[[bytes], object]) -> Iterator[str | Finished]:
    for line in lines:
        if not line.strip():
            continue
        value = value_of(line)
        done = isinstance(value, dict) and value.get("done") is True
        if not isinstance(value, dict) or not (done or "message" in value):
            raise Unusable("gave a reply without `message`; it may not be Ollama, or older than 0.1.14")
        yield content_of(value.get("message"))
        if done:
            # Older servers do not say why they ended.
            reason = FinishReason.LENGTH if value.get("done_reason") == "length" else FinishReason.STOP
            yield Finished(reason, count(value.get("prompt_eval_count")), count(value.get("eval_count")))
            return


API = ChatApi(
    endpoint="http://127.0.0.1:11434",
    path="/api/chat",
    start="run `ollama serve`",
    pull="ollama pull {model}",
    question=_question,
    pieces=_pieces,
)


class OllamaModel(RemoteModel):
    """`models.llm.provider = "ollama"`."""

    api = API


def reachable(settings: LlmSettings) -> str:
    """One line about the server, for `kebab doctor`. Raises ModelNotPulled when it has not got the model."""
    service = service_of(API, settings)
    greeting = greet_ollama(service)
    require_pulled(service)
    return f"{greeting}; it has {settings.model}"
