"""Replies by a server, whichever API it speaks: the prompt sent, the reply read piece by piece and to its end.

Nothing leaves this machine unless `models.llm.endpoint` names another one.
"""

from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from typing import ClassVar, NamedTuple, TypeAlias

from kebab.core.answer import Delta, Finished, ModelRef, Prompt
from kebab.core.answering import LlmSettings
from kebab.llm.reply import ReplyText
from kebab.remote.failures import Service, Unusable, broken_off, invalid
from kebab.remote.server import ModelServer

# Lines of a reply, and what makes a JSON value of one, to the pieces of the reply; `Finished` only if it has an end.
Reader: TypeAlias = Callable[[Iterator[bytes], Callable[[bytes], object]], Iterator[str | Finished]]


class ChatApi(NamedTuple):
    """What one kind of server expects and gives. `{model}` in `pull` stands for the model's name."""

    endpoint: str
    path: str
    start: str
    pull: str
    question: Callable[[LlmSettings, Prompt], dict[str, object]]
    pieces: Reader


class RemoteModel:
    """A language model that is made of settings and an `api`; it connects when it is first asked."""

    api: ClassVar[ChatApi]

    def __init__(self, settings: LlmSettings) -> None:
        self._settings = settings
        self._service = service_of(self.api, settings)
        self._server = ModelServer(self._service, settings.timeout_s)

    @property
    def model(self) -> ModelRef:
        return ModelRef(self._settings.model, self._settings.provider)

    @property
    def context_tokens(self) -> int:
        return self._settings.context_tokens

    def generate(self, prompt: Prompt) -> Generator[Delta | Finished, None, None]:
        text = ReplyText()
        finished: Finished | None = None
        with closing(self._server.lines(self.api.path, self.api.question(self._settings, prompt))) as lines:
            for piece in self._pieces(lines):
                if isinstance(piece, Finished):
                    finished = piece
                    break
                if told := text.add(piece):
                    yield Delta(told)
        if finished is None:
            raise broken_off(self._service)
        if rest := text.end():
            yield Delta(rest)
        yield finished

    def _pieces(self, lines: Iterator[bytes]) -> Iterator[str | Finished]:
        try:
            yield from self.api.pieces(lines, self._server.value_of)
        except Unusable as wrong:
            raise invalid(self._service, wrong.problem, wrong.hint) from wrong


def messages(prompt: Prompt) -> list[dict[str, str]]:
    user = {"role": "user", "content": prompt.user}
    return [{"role": "system", "content": prompt.system}, user] if prompt.system else [user]


def seed(settings: LlmSettings, prompt: Prompt) -> int:
    return settings.seed if prompt.seed is None else prompt.seed


def service_of(api: ChatApi, settings: LlmSettings) -> Service:
    return Service(
        section="models.llm",
        endpoint=settings.endpoint.strip() or api.endpoint,
        model=settings.model,
        key_variable=settings.api_key_env,
        start=api.start,
        pull=api.pull.format(model=settings.model),
        lighter="choose a smaller model",
    )
