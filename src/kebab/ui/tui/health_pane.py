"""HealthPane: what the doctor found, each failing check with the command that mends it. Failures come first."""

from textual.app import ComposeResult

from kebab.core.errors import KebabError
from kebab.core.inspection import Check, DoctorReport
from kebab.ui.tui.desk import Turn
from kebab.ui.tui.inking import ink, joined, trouble
from kebab.ui.tui.pane import Pane, Tools
from kebab.ui.tui.rows import Row
from kebab.ui.tui.words import Words
from kebab.ui.tui.workers import Pace


class HealthPane(Pane):
    title = "health"

    def __init__(self, tools: Tools) -> None:
        super().__init__(tools)
        self._turn = Turn()

    def compose(self) -> ComposeResult:
        yield self.rows

    def arrive(self) -> None:
        self.refresh_found()

    def refresh_found(self) -> None:
        self.tell(self.tools.words["checking"])
        self.tools.desk.run(Pace.LONG, lambda app: app.doctor(), self._found, self._failed, self._turn.next())

    def _found(self, report: DoctorReport) -> None:
        words = self.tools.words
        checks = sorted(report.checks, key=lambda check: check.ok)
        self.rows.show([_row(check, words) for check in checks])
        failed = sum(not check.ok for check in checks)
        self.tell(words["failed"].format(count=failed) if failed else words["all_well"])

    def _failed(self, error: KebabError) -> None:
        self.rows.show(())
        self.tell(trouble(error, self.tools.words["hint"]))


def _row(check: Check, words: Words) -> Row:
    mark = ink("ok  ", "green") if check.ok else ink("FAIL", "bold red")
    lines = [joined(mark, f" {check.name:<20} ", ink(check.detail))]
    if check.hint:
        lines.append(joined("     ", ink(words["mend"].format(hint=check.hint), "yellow")))
    return Row(tuple(lines), wraps=True)
