"""Text -> vectors. EMBEDDERS lists every provider; each knows `core` and its own model."""

from collections.abc import Callable

from kebab.core.embedding import EmbeddingSettings, ModelFolders
from kebab.core.ports import Embedder
from kebab.embed import ollama, openai
from kebab.embed.ollama import OllamaEmbedder
from kebab.embed.onnx import OnnxEmbedder
from kebab.embed.openai import OpenAiEmbedder
from kebab.embed.use import UseEmbedder

# None of them loads anything heavy before it is used.
EMBEDDERS: dict[str, Callable[[EmbeddingSettings, ModelFolders], Embedder]] = {
    "builtin": UseEmbedder,
    "fastembed": OnnxEmbedder,
    "ollama": OllamaEmbedder,
    "openai": OpenAiEmbedder,
}
# What each server says of itself, in a line for `kebab doctor`; a provider without one has no server.
GREETINGS: dict[str, Callable[[EmbeddingSettings], str]] = {
    "ollama": ollama.reachable,
    "openai": openai.reachable,
}
