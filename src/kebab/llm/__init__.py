"""Prompt -> reply, piece by piece. LANGUAGE_MODELS lists every provider; each knows `core` and its own model."""

from collections.abc import Callable

from kebab.core.answering import LlmSettings
from kebab.core.ports import LanguageModel
from kebab.llm import ollama, openai
from kebab.llm.ollama import OllamaModel
from kebab.llm.openai import OpenAiModel

# None of them loads anything heavy before it is asked.
LANGUAGE_MODELS: dict[str, Callable[[LlmSettings], LanguageModel]] = {
    "ollama": OllamaModel,
    "openai": OpenAiModel,
}
# What each server says of itself, in a line for `kebab doctor`.
GREETINGS: dict[str, Callable[[LlmSettings], str]] = {
    "ollama": ollama.reachable,
    "openai": openai.reachable,
}
