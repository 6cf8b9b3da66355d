"""Work that may hang, in a child process that can be killed and started again."""

from hardware.worker.worker import START_S, Worker

__all__ = ["START_S", "Worker"]
