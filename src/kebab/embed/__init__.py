"""Text -> vectors. EMBEDDERS lists every provider; each knows `core` and its own model."""
