"""A process of its own for native parsers: untrusted bytes in, plain values out, and no file can harm who asks."""

from kebab.parse.worker.limits import Limits
from kebab.parse.worker.worker import Reply, Worker, WorkerFailed

__all__ = ["Limits", "Reply", "Worker", "WorkerFailed"]
