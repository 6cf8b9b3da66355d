"""What waits to leave the box: bounded, and filled by threads that never wait."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

MAX_WAITING = 200
"""Events that wait: an evening's bids of an hour. The oldest go first."""


@dataclass(frozen=True, slots=True)
class Message:
    """A text for a topic; a retained one is kept by the broker for whoever comes later."""

    topic: str
    text: str
    retained: bool = False


class Outbox:
    """Of a retained topic the newest message waits alone, of events the newest `most`. For any thread."""

    def __init__(self, most: int = MAX_WAITING) -> None:
        self._most, self._lock = most, threading.Lock()
        self._retained: dict[str, Message] = {}
        self._due: dict[str, Message] = {}
        self._events: deque[Message] = deque()
        self._dropped = 0

    def put(self, message: Message) -> None:
        """Let a message wait. A retained one that says what the last one said is not sent again."""
        with self._lock:
            if not message.retained:
                self._append(message)
            elif self._retained.get(message.topic) != message:
                self._retained[message.topic] = self._due[message.topic] = message

    def take(self) -> Message | None:
        """The next message, retained ones before events: a state never waits behind an old event."""
        with self._lock:
            if self._due:
                return self._due.pop(next(iter(self._due)))
            return self._events.popleft() if self._events else None

    def give_back(self, messages: Iterable[Message]) -> None:
        """Messages that were taken and may not have arrived; events go before those that wait."""
        with self._lock:
            for message in reversed(list(messages)):
                if not message.retained:
                    self._events.appendleft(message)
            while len(self._events) > self._most:
                self._drop_oldest()

    def renew(self) -> None:
        """Every retained message is due again: the broker may have lost them."""
        with self._lock:
            self._due = dict(self._retained)

    def counts(self) -> tuple[int, int]:
        """How many messages wait, and how many events were dropped."""
        with self._lock:
            return len(self._due) + len(self._events), self._dropped

    def _append(self, message: Message) -> None:
        self._events.append(message)
        if len(self._events) > self._most:
            self._drop_oldest()

    def _drop_oldest(self) -> None:
        self._events.popleft()
        self._dropped += 1
