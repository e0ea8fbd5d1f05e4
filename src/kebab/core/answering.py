"""The settings of answers: who writes them, and on what terms. Apart from the answers, as every command loads these."""

from typing import NamedTuple

# The provider that is no language model: it answers with sentences of the evidence.
QUOTING = "builtin"


class LlmSettings(NamedTuple):
    """Section `[models.llm]`. An empty endpoint is the provider's own default."""

    provider: str = QUOTING
    model: str = "extractive-v1"
    context_tokens: int = 32768
    endpoint: str = ""
    api_key_env: str = ""
    temperature: float = 0.0
    seed: int = 0
    timeout_s: int = 300
    max_tokens: int = 1024

    @property
    def quotes(self) -> bool:
        return self.provider == QUOTING


class RagSettings(NamedTuple):
    """Section `[rag]`. on_unsupported: mark, drop or refuse a sentence that its evidence does not bear out."""

    prompt_template_version: str = "rag-v3"
    score_gate: float = 0.3
    explain_default: bool = False
    max_context_tokens: int = 8000
    on_unsupported: str = "mark"
    nli_threshold: float = 0.0
    nli_model: str = ""
