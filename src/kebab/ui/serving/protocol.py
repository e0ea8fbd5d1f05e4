"""HTTP/1.1 as uvicorn speaks it, with limits on how long a head may take to arrive and an answer to be taken.

Imported only where the server runs.
"""

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_SECONDS = 10.0
HEAD_BYTES = 32 * 1024
TAKE_SECONDS = 30.0
# As h11 calls the state of a client whose request's head is not complete.
_NO_HEAD_YET = "IDLE"


class PatientProtocol(H11Protocol):
    """But not endlessly: who says nothing, or a head letter by letter, or takes nothing of an answer, is left."""

    _head_timer: asyncio.TimerHandle | None = None
    _take_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn has it
        super().connection_made(transport)
        self._expect_head()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if str(self.conn.their_state) != _NO_HEAD_YET:
            self._stop_waiting()
        elif self._head_timer is None and self.timeout_keep_alive_task is None:
            self._expect_head()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._take_timer = self.loop.call_later(TAKE_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        self._stop_offering()
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        self._stop_offering()
        super().connection_lost(exc)

    def _expect_head(self) -> None:
        self._head_timer = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def _stop_waiting(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _stop_offering(self) -> None:
        if self._take_timer is not None:
            self._take_timer.cancel()
            self._take_timer = None
