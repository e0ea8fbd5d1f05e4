"""What the doctor asks about answers: can the language model be reached, and does the verifier read as it should."""

from collections.abc import Iterator

from kebab.config import Config
from kebab.core.answering import LlmSettings
from kebab.core.errors import KebabError
from kebab.core.inspection import Check

# A sentence says itself; a verifier that doubts it takes another of its classes for entailment, and refuses everything.
_PROBE = "The library closes at nine in the evening."
_SURE = 0.5


def answer_checks(config: Config) -> Iterator[Check]:
    yield _language_model(config.llm)
    if config.rag.nli_threshold > 0:
        yield _verifier(config)


def _language_model(settings: LlmSettings) -> Check:
    """Asks a server what it is and whether it has the model; none of it generates anything."""
    name = "language_model"
    try:
        return Check(name, ok=True, detail=_greeting(settings))
    except KebabError as error:
        return Check(name, ok=False, detail=error.message, hint=error.hint)


def _greeting(settings: LlmSettings) -> str:
    from kebab.llm import ollama, openai

    if settings.provider == "ollama":
        return ollama.reachable(settings)
    if settings.provider == "openai":
        return openai.reachable(settings)
    return f"{settings.provider}/{settings.model}"


def _verifier(config: Config) -> Check:
    """Loads the model and has it read a pair."""
    from kebab.app.assemble import entailment_for

    name = "nli_model"
    try:
        (score,) = entailment_for(config).entails([(_PROBE, _PROBE)])
    except KebabError as error:
        return Check(name, ok=False, detail=error.message, hint=error.hint)
    told = f"entailment of a sentence by itself: {score:.2f}"
    if score < _SURE:
        hint = "choose another model: kebab config set rag.nli_model mdeberta-v3-xnli"
        return Check(name, ok=False, detail=f"it cannot check answers; {told}", hint=hint)
    return Check(name, ok=True, detail=told)
