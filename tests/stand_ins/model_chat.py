"""Replies to a chat in the words of Ollama and of OpenAI's API, as the packets in which a server sends them."""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

TOKENS = ("현미", "밥은 ", "40분 동안 ", "짓는다 ", "[#1]. ", "Brown rice 🍚", " cooks for forty minutes [#2].")
PROMPT_TOKENS = 17


class Streamed(NamedTuple):
    """A reply that is sent piece by piece."""

    packets: tuple[bytes, ...]
    media_type: str

    def again(self, packets: Sequence[bytes]) -> "Streamed":
        return self._replace(packets=tuple(packets))


def told(tokens: Sequence[str], limit: int) -> tuple[Sequence[str], str]:
    """A server stops at the limit and says so."""
    return (tokens, "stop") if len(tokens) <= limit else (tokens[:limit], "length")


def ollama_chat(body: Any, tokens: Sequence[str]) -> Streamed:
    tokens, reason = told(tokens, body["options"]["num_predict"])
    head = {"model": body["model"]}
    lines = [{**head, "message": {"role": "assistant", "content": token}, "done": False} for token in tokens]
    counts = {"prompt_eval_count": PROMPT_TOKENS, "eval_count": len(tokens), "total_duration": 1, "eval_duration": 1}
    end = {**head, "message": {"role": "assistant", "content": ""}, "done": True, "done_reason": reason, **counts}
    return Streamed(tuple(ndjson(line) for line in [*lines, end]), "application/x-ndjson")


def openai_chat(body: Any, tokens: Sequence[str]) -> Streamed:
    tokens, reason = told(tokens, body["max_tokens"])
    head = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": body["model"]}

    def chunk(delta: dict[str, object], finish: str | None = None) -> dict[str, object]:
        return {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}], "usage": None}

    counts = {"prompt_tokens": PROMPT_TOKENS, "completion_tokens": len(tokens), "total_tokens": 1}
    chunks = [
        chunk({"role": "assistant", "content": None}),
        *(chunk({"content": token}) for token in tokens),
        chunk({}, reason),
        {**head, "choices": [], "usage": counts},
    ]
    return Streamed((*(event(each) for each in chunks), b"data: [DONE]\n\n"), "text/event-stream; charset=utf-8")


def ndjson(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode() + b"\n"


def event(value: object) -> bytes:
    return b"data: " + ndjson(value) + b"\n"
