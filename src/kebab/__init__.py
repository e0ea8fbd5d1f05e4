"""kebab: a local-first knowledge base that answers with evidence."""

__version__ = "0.1.0"
