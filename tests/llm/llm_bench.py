"""Both remote language models against one stand-in server: how they are made, and what they are asked."""

import traceback

from kebab.core.answer import Delta, Finished, FinishReason, Prompt
from kebab.core.answering import LlmSettings
from kebab.core.errors import KebabError
from kebab.core.ports import LanguageModel
from kebab.llm.ollama import OllamaModel
from kebab.llm.openai import OpenAiModel
from kebab.llm.remote import RemoteModel
from stand_ins.model_chat import TOKENS
from stand_ins.model_server import MODEL

MODELS: dict[str, type[RemoteModel]] = {"ollama": OllamaModel, "openai": OpenAiModel}
PATHS = {"ollama": "/api/chat", "openai": "/v1/chat/completions"}
# What makes a model in a fresh interpreter, and what must not be loaded by that.
RECIPE = """
from kebab.core.answering import LlmSettings
from kebab.llm import LANGUAGE_MODELS
language_model = LANGUAGE_MODELS["{provider}"](LlmSettings())
"""
HEAVY = ("httpx2", "numpy", "ssl", "asyncio", "http")
REPLY = "".join(TOKENS)
FINISHED = Finished(FinishReason.STOP, 17, len(TOKENS))
PROMPT = Prompt("Answer from the evidence.", "[#1] 현미밥은 40분.\n\n얼마나 짓나요?", "얼마나 짓나요?", ())


def settings(provider: str, endpoint: str, **changes: str | float) -> LlmSettings:
    values = {"model": MODEL, "timeout_s": 10, "context_tokens": 4096, "seed": 7, **changes}
    return LlmSettings(provider=provider, endpoint=endpoint, **values)  # type: ignore[arg-type]


def language_model(provider: str, endpoint: str, **changes: str | float) -> RemoteModel:
    return MODELS[provider](settings(provider, endpoint, **changes))


def reply_of(model: LanguageModel, prompt: Prompt = PROMPT) -> tuple[str, Finished]:
    """The whole reply and its end."""
    *pieces, end = model.generate(prompt)
    assert isinstance(end, Finished)
    assert all(isinstance(piece, Delta) and piece.text for piece in pieces)
    return "".join(piece.text for piece in pieces if isinstance(piece, Delta)), end


def everything_said(error: BaseException) -> str:
    """All that could reach a person, a log or a program from an error."""
    shown = "".join(traceback.format_exception(error))
    return shown + (repr((error.message, error.hint, error.details)) if isinstance(error, KebabError) else "")
