"""`kebab models`: the models that have a name, whether they are on this machine, and bringing them here."""

import os
from collections.abc import Generator

from kebab.config import Config
from kebab.core.embedding import ModelFolders
from kebab.core.inspection import ModelFacts, PullProgress
from kebab.embed import catalogue
from kebab.embed.catalogue import KnownModel, ModelState


def list_models(config: Config) -> list[ModelFacts]:
    """In the order of the catalogue."""
    return [_facts(config, state) for state in catalogue.states(_folders(config))]


def find_model(config: Config, name: str) -> ModelFacts:
    """Raises InvalidInput for a name that no model has."""
    return _facts(config, catalogue.state_of(catalogue.named(name), _folders(config)))


def pull_model(config: Config, name: str) -> Generator[PullProgress, None, None]:
    """Fetches what is missing of a model. Left at any step, it goes on from there the next time."""
    from kebab.embed.hub import hub_of
    from kebab.embed.pull import pull

    model = catalogue.named(name)
    for step in pull(model, _folders(config), hub_of(os.environ)):
        yield PullProgress(*step)


def _folders(config: Config) -> ModelFolders:
    return ModelFolders(config.storage.model_dir, None)


def _facts(config: Config, state: ModelState) -> ModelFacts:
    model, pulled, path = state
    return ModelFacts(
        name=model.name,
        provider=model.provider,
        dimensions=model.dimensions,
        licence=model.licence,
        size_bytes=model.size,
        pulled=pulled,
        path=str(path),
        configured=_is_configured(config, model),
        kind=model.kind,
    )


def _is_configured(config: Config, model: KnownModel) -> bool:
    if model.kind == catalogue.NLI:
        wanted = config.rag.nli_model or catalogue.VERIFIER
        return config.rag.nli_threshold > 0 and catalogue.known(wanted) is model
    if model.kind == catalogue.SPEECH:
        return config.speech.provider == model.provider and catalogue.known(config.speech.model) is model
    return config.embedding.provider == model.provider and catalogue.known(config.embedding.model) is model
