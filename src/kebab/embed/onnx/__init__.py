"""Local ONNX transformers: a folder with model.onnx and tokenizer.json in, numbers out. Never opens a connection."""

from kebab.embed.onnx.embedder import OnnxEmbedder

__all__ = ["OnnxEmbedder"]
