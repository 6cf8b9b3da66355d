"""A box that answers the taps of a page when a test lets it."""

from collections.abc import Callable
from typing import Any

from tests.web.hands import hand_on, until


class SlowAnswers:
    """Holds what a page sends to `path` back until it is let go, and records it."""

    def __init__(self, page: Any, path: str = "/api/v1/commands") -> None:
        self.page = page
        self.sent: list[Any] = []
        self._path = f"**{path}"
        self._held: list[Any] = []
        self._late: list[Callable[[], None]] = []
        self._holds = True
        page.route(self._path, self._asked)

    def _note(self, route: Any) -> None:
        body = route.request.post_data_json
        self.sent.append(body.get("command", body))

    def _asked(self, route: Any) -> None:
        self._note(route)
        if self._holds:
            self._held.append(route)
        else:
            route.continue_()

    def answer_late(self) -> None:
        """From now on the box hears a command at once, and the page its answer when it is let go."""
        self.page.route(self._path, self._heard, times=1)

    def _heard(self, route: Any) -> None:
        self._note(route)
        answer = route.fetch()
        self._late.append(lambda: route.fulfill(response=answer))
        self._holds = False

    def let_answer_go(self) -> None:
        self._late.pop()()

    def wait_for_first(self) -> None:
        until(self.page, "document.querySelector('#frame.busy')")
        hand_on(self.page, lambda: len(self._held) == 1)

    def let_go(self) -> None:
        self._holds = False
        self._held.pop().continue_()
