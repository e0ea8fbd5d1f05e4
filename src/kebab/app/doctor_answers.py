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
    from kebab.llm import GREETINGS

    greet = GREETINGS.get(settings.provider)
    return f"{settings.provider}/{settings.model}" if greet is None else greet(settings)


def _verifier(config: Config) -> Check:
    """Loads the model and has it read a pair."""
    from kebab.app.assemble import entailment_for
    from kebab.embed.catalogue import VERIFIER

    name = "nli_model"
    try:
        (score,) = entailment_for(config).entails([(_PROBE, _PROBE)])
    except KebabError as error:
        return Check(name, ok=False, detail=error.message, hint=error.hint)
    model = config.rag.nli_model or VERIFIER
    if score < _SURE:
        detail = f"{model} doubts that a sentence says itself ({score:.2f}), so it would refuse every answer"
        return Check(name, ok=False, detail=detail, hint=f"kebab config set rag.nli_model {VERIFIER}")
    return Check(name, ok=True, detail=f"{model}; answers need {config.rag.nli_threshold:.2f}")
