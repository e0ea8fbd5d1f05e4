"""What a model server says of itself: Ollama's version and models, and the models of one with OpenAI's API."""

from kebab.remote import failures
from kebab.remote.server import probe


def greet_ollama(service: failures.Service) -> str:
    """One line about the server. Raises what asking it for anything else raises."""
    reply = probe(service, "/api/version")
    version = reply.get("version") if isinstance(reply, dict) else None
    if not isinstance(version, str):
        raise failures.invalid(service, "answers, but not as Ollama does")
    return f"Ollama {failures.one_line(version)} at {service.endpoint}"


def greet_openai(service: failures.Service) -> str:
    """One line about the server. Some list a model under another name than they answer to, so that is no failure."""
    models = _names(service, probe(service, "/v1/models"), "data", "id")
    listed = f"{service.model} is one of its models" if service.model in models else f"it lists {len(models)} models"
    return f"{service.endpoint} answers; {listed}"


def require_pulled(service: failures.Service) -> None:
    """Raises ModelNotPulled for a model that Ollama does not have."""
    names = _names(service, probe(service, "/api/tags"), "models", "name")
    if _full_name(service.model) not in {_full_name(name) for name in names}:
        raise failures.not_pulled(service)


def _full_name(model: str) -> str:
    """`qwen3` and `library/qwen3:latest` are one model to Ollama, and so is either in capitals."""
    name = model.strip().casefold().removeprefix("registry.ollama.ai/").removeprefix("library/")
    return name if ":" in name.rpartition("/")[2] else f"{name}:latest"


def _names(service: failures.Service, reply: object, listed: str, name: str) -> list[str]:
    items = reply.get(listed) if isinstance(reply, dict) else None
    if not isinstance(items, list):
        raise failures.invalid(service, "answers, but not with a list of models")
    names = [item.get(name) for item in items if isinstance(item, dict)]
    return [each for each in names if isinstance(each, str)]
