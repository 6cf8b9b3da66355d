"""Errors of a worker process, one class for each cause."""

from __future__ import annotations

from hardware.errors import HardwareError


class WorkerError(HardwareError):
    """Something about a worker process; it has been killed, and the next call starts another."""

    reason = "worker_fault"
    hint = "It is started again by itself."


class WorkerHung(WorkerError, TimeoutError):
    """No answer came in time."""

    reason = "worker_hung"


class WorkerEnded(WorkerError):
    """The process ended by itself, or `kill` or `close` ended it."""

    reason = "worker_ended"


class WorkerGarbled(WorkerError):
    """An answer of the process that does not fit the request."""

    reason = "worker_garbled"


class WorkerResting(WorkerError):
    """It failed too often; the next attempt is not due yet."""

    reason = "worker_resting"
