"""AskPane: a question to an answer that streams, then stands with verdicts and citations. Keeps to a session."""

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Input

from kebab.core.answer import Answer, AnswerEvent, AnswerReady, Question, RetrievalDone, TokenArrived
from kebab.core.archive import VerifyReport
from kebab.core.clock import now
from kebab.core.errors import KebabError
from kebab.core.markers import MarkerStream
from kebab.ui.tui.answer_rows import Checks, answer_rows, checks_of, conversation_rows
from kebab.ui.tui.desk import Turn
from kebab.ui.tui.dialogs import NEW_SESSION, choose_answer, choose_session
from kebab.ui.tui.inking import facts, ink, joined, trouble
from kebab.ui.tui.pane import Line, Pane, Tools
from kebab.ui.tui.rows import Row
from kebab.ui.tui.workers import Pace

if TYPE_CHECKING:
    from kebab.app.archive import Conversation


class AskPane(Pane):
    title = "ask"
    keys = "keys_ask"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s", "sessions", show=False),
        Binding("n", "new_session", show=False),
        Binding("h", "history", show=False),
        Binding("v", "verify", show=False),
    ]

    def __init__(self, tools: Tools) -> None:
        super().__init__(tools)
        words = tools.words
        self._question = Line(words["ask"], words["ask_for"], "question")
        self._filter = Line(words["filter"], words["filter_for"], "question-filter")
        self._turn = Turn()
        self._cancel: threading.Event | None = None
        self._asked, self._heard, self._markers = "", "", MarkerStream()
        self.answer: Answer | None = None
        self.session_id: str | None = None

    def compose(self) -> ComposeResult:
        yield self._question
        yield self._filter
        yield self.rows

    @property
    def entry(self) -> Input:
        return self._question.input

    @property
    def filter_line(self) -> Input:
        return self._filter.input

    @property
    def running(self) -> bool:
        return self._cancel is not None

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        text, filters = self.entry.value.strip(), self.filters()
        if text and filters is not None:
            # At once, and not when the answer comes: somebody may be typing again by then.
            self.rows.focus()
            self._ask(
                Question(text, self.tools.mode(), self.tools.manners.passages, filters, session_id=self.session_id)
            )

    def _ask(self, question: Question) -> None:
        self._abandon()
        cancel, wanted = self.tools.desk.cancellation(), self._turn.next()
        self._cancel, self._asked, self._heard, self._markers = cancel, question.text, "", MarkerStream()
        self._stream(self.tools.words["looking"])
        self.tools.desk.follow(
            self.tools.manners.answers,
            lambda app: app.ask(question, cancel),
            _while(wanted, self._event),
            _while(wanted, self._failed),
        )

    def cancel(self) -> bool:
        """Whether there was something to stop. The answer so far stands, and says so."""
        if self._cancel is None:
            return False
        self._cancel.set()
        return True

    def _abandon(self) -> None:
        """Something else takes the place of what is still being answered."""
        self.cancel()
        self._cancel, self.answer = None, None
        self._turn.drop()

    def _event(self, event: AnswerEvent) -> None:
        words = self.tools.words
        if isinstance(event, RetrievalDone):
            self._stream(words["writing"].format(count=len(event.hits)))
        elif isinstance(event, TokenArrived):
            self._heard += self._markers.feed(event.delta if self._heard else event.delta.lstrip())
            self._stream("")
        elif isinstance(event, AnswerReady):
            self._cancel = None
            self.present(event.answer)

    def _stream(self, note: str) -> None:
        lines = (
            joined("? ", ink(self._asked, "bold")),
            *(ink(line) for line in self._heard.split("\n") if self._heard),
        )
        rows = [Row(lines, wraps=True)]
        if note:
            self.tell(note)
        self.rows.amend(rows)
        self.rows.follow()

    def present(self, answer: Answer, checks: Checks | None = None) -> None:
        words = self.tools.words
        self.answer = answer
        rows = answer_rows(answer, words, checks or {})
        # The first row that shows something is a statement with its source, not the question.
        first = next((at for at, row in enumerate(rows) if row.value is not None), 0)
        self.rows.show(rows, self.rows.cursor if checks else first)
        said = words["grounded"].format(count=answer.retrieval.chunks_used) if answer.grounded else ""
        session = words["session"].format(name=self.session_id) if self.session_id else ""
        self.tell(facts((said, answer.model.id, session, answer.hint or "")))

    def _failed(self, error: KebabError) -> None:
        self._cancel = None
        self.tell(trouble(error, self.tools.words["hint"]))

    # -- what was answered before

    def action_verify(self) -> None:
        answer, words = self.answer, self.tools.words
        if answer is None:
            self.tell(words["no_answer_yet"])
            return
        trace, wanted = answer.retrieval.trace_id, self._turn.next()
        self.tools.desk.run(
            Pace.LONG,
            lambda app: app.verify(trace),
            lambda report: self._verified(answer, report),
            self._failed,
            wanted,
        )

    def _verified(self, answer: Answer, report: VerifyReport) -> None:
        self.present(answer, checks_of(report))
        intact = sum(check.status == "intact" for check in report.checks)
        self.tell(self.tools.words["verified"].format(intact=intact, total=len(report.checks)))

    def action_history(self) -> None:
        choose_answer(self.app, self.tools, self.recall, self._failed)

    def recall(self, trace_id: str | None) -> None:
        """Shows an earlier answer as if it had just been given."""
        if trace_id is None:
            return
        self._abandon()
        self.tools.desk.run(
            Pace.QUICK, lambda app: app.find_answer(trace_id).answer, self.present, self._failed, self._turn.next()
        )

    def action_sessions(self) -> None:
        choose_session(self.app, self.tools, self.use_session, self._failed)

    def use_session(self, chosen: str | None) -> None:
        """Goes on with a session; its turns are shown."""
        if chosen is None:
            return
        if chosen == NEW_SESSION:
            self.action_new_session()
            return
        self._abandon()
        self.session_id = session_id = chosen or None
        self.rows.show(())
        words = self.tools.words
        self.tell(words["session"].format(name=session_id) if session_id else words["no_session"])
        if session_id is not None:
            self.tools.desk.run(
                Pace.QUICK, lambda app: app.find_session(session_id), self._turns, self._failed, self._turn.next()
            )

    def _turns(self, conversation: "Conversation") -> None:
        rows = conversation_rows(conversation)
        self.rows.show(rows, len(rows) - 1)

    def action_new_session(self) -> None:
        """It exists once something is asked in it."""
        self._abandon()
        moment = "".join(char for char in now()[:19] if char.isdigit())
        self.session_id = f"tui-{moment}"
        self.rows.show(())
        self.tell(self.tools.words["session"].format(name=self.session_id))
        self.entry.focus()


def _while(wanted: Callable[[], bool], act: Callable[..., None]) -> Callable[..., None]:
    """`act`, as long as no other question was asked since."""
    return lambda value: act(value) if wanted() else None
