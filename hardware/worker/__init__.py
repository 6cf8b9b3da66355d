"""Work that may hang, in a child process that can be killed and started again."""

from hardware.worker.worker import Worker

__all__ = ["Worker"]
