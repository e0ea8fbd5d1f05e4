"""Prompt -> reply, piece by piece. LANGUAGE_MODELS lists every provider; each knows `core` and its own model."""

from collections.abc import Callable

from kebab.core.answering import LlmSettings
from kebab.core.ports import LanguageModel
from kebab.llm.ollama import OllamaModel
from kebab.llm.openai import OpenAiModel

# None of them loads anything heavy before it is asked.
LANGUAGE_MODELS: dict[str, Callable[[LlmSettings], LanguageModel]] = {
    "ollama": OllamaModel,
    "openai": OpenAiModel,
}
