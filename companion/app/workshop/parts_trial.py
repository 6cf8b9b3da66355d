"""Buttons, lamps, sound and a picture tried out one by one, and keys of keyboards taught, as a page shows
them.
While a phone shows the page, presses of the box go to the test instead of the game; soon after the phone is
gone all is as usual.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from companion.app.camera.preview import reasoned
from companion.app.system.box_parts import BoxParts
from companion.errors import BadCommand, PartFault, StorageError
from companion.storage.side_files import SideFile
from companion.threads import Lease
from hardware.buttons.keys import Key, KeyButtons, Learnt, written
from hardware.buttons.pin_buttons import Edge, rated
from hardware.ports import BoxState, Camera, Press

AWAY_S = 6.0
"""A page asks every second; one that has not asked for so long is gone."""

ONE_PRESS_S = 2.0
"""Edges further apart than this are two presses."""


class PartsTrial:
    """The parts under test until nobody has asked for AWAY_S. `at_work`: a reveal needs the camera."""

    def __init__(self, box: BoxParts, camera: Camera, keys: KeyTeaching, at_work: Callable[[], bool]) -> None:
        self._box, self._camera, self._keys, self._at_work = box, camera, keys, at_work
        self._begin_anew()
        self._lit = ""
        self._picture: Data | None = None
        self._open = Lease(AWAY_S, self._as_usual)

    def close(self) -> None:
        """All as usual; may be called twice."""
        self._open.close()

    def heard(self, press: Press) -> bool:
        """A press of the box; whether it is part of the test."""
        if self._open.runs:
            self._pressed.add(press.button)
        return self._open.runs

    def now(self) -> Data:
        """Data of the page: the lamps, and every press since it was opened."""
        if not self._open.runs:
            self._begin_anew()
        self._open.renew()
        box = self._box
        reasons = dict.fromkeys(fault.reason for fault in box.faults())
        return {
            "simulated": box.simulated,
            "lamps": list(box.lights.parts()),
            "lit": self._lit,
            "buzzer": box.wiring.buzzer is not None,
            "buttons": self._buttons(),
            "faults": [{"reason": reason, "values": {}} for reason in reasons],
            "picture": self._picture,
            "keys": self._keys.now(),
        }

    def do(self, step: str, part: str | None = None) -> None:
        """Light one lamp alone (None: all as usual), sound the buzzer, take a picture, begin anew, leave, or
        what `KeyTeaching.do` does.

        Raises BadCommand for a part that is not there, PartFault."""
        self._open.renew()
        match step:
            case "light":
                self._light(part)
            case "beep":
                self._box.lights.play(BoxState.STANDS)
            case "again":
                self._begin_anew()
            case "picture":
                self._take()
            case "leave":
                self._open.close()
            case _:
                self._keys.do(step, part)

    def _light(self, part: str | None) -> None:
        if part is not None and part not in self._box.lights.parts():
            raise BadCommand("no_such_part", part=part)
        self._lit = part or ""
        self._box.lights.test(part)

    def _take(self) -> None:
        if self._at_work():
            raise BadCommand("camera_at_work")
        from companion.app.workshop.tried_picture import tried

        self._picture = tried(reasoned(self._camera.capture).image_bgr)

    def _begin_anew(self) -> None:
        """Forget presses, and ignore edges before now."""
        edges = self._box.buttons.edges()
        self._pressed = set[str]()
        self._since_s = edges[-1].at_s if edges else float("-inf")

    def _buttons(self) -> list[Data]:
        """Each button with all its raw edges since the test began."""
        edges = [edge for edge in self._box.buttons.edges() if edge.at_s > self._since_s]
        down = self._box.buttons.down()
        return [
            _button(
                name, name in self._pressed, name in down, [edge for edge in edges if edge.button == name]
            )
            for name in self._box.buttons.names
        ]

    def _as_usual(self) -> None:
        self._lit, self._picture = "", None
        self._box.lights.test(None)
        self._keys.stop()


def _button(name: str, pressed: bool, down: bool, since: Sequence[Edge]) -> Data:
    """One button's report as plain data, the raw edges of its last press in milliseconds from the first."""
    edges = _newest(since)
    began_s = edges[0].at_s if edges else 0.0
    contact, bounce_ms = rated(pressed, since)
    return {
        "name": name,
        "pressed": pressed,
        "down": down,
        "contact": contact,
        "values": {"edges": len(since), "ms": f"{bounce_ms:.1f}"},
        "edges": [{"down": edge.down, "ms": round(1000 * (edge.at_s - began_s))} for edge in edges],
    }


def _newest(edges: Sequence[Edge]) -> Sequence[Edge]:
    """The edges of the last press: those not long after one another, a dozen at most."""
    first = len(edges) - 1
    while first > 0 and edges[first].at_s - edges[first - 1].at_s < ONE_PRESS_S:
        first -= 1
    return edges[max(first, 0) :][-12:]


Data = dict[str, object]


class KeyTeaching:
    """One key at a time is learnt for one button; what was learnt is kept in `file` at once.

    A key that stands for another button keeps it: a sentence says so. `undo` takes one step back.
    """

    def __init__(self, keys: KeyButtons, file: SideFile) -> None:
        self._keys, self._file = keys, file
        self._lock = threading.Lock()
        self._awaited = ""
        self._before: Learnt | None = None
        self._result: Data | None = None

    def now(self) -> Data:
        """Data of the page: each button's keys, which button awaits one, and what came of the last step."""
        with self._lock:
            learnt = self._keys.learnt.items()
            return {
                "buttons": [
                    {"name": name, "keys": [_plain(key) for key, button in learnt if button == name]}
                    for name in self._keys.names
                ],
                "awaited": self._awaited,
                "result": self._result,
                "can_undo": self._before is not None,
                "no_keyboard": bool(self._awaited) and self._keys.devices() == () and not self._keys.faults(),
            }

    def do(self, what: str, button: str | None) -> None:
        """Await a key for `button`, await none, forget its keys, or take the last step back.

        Raises BadCommand for a button that is not there, PartFault where nothing can be kept.
        """
        if what in ("key", "key-forget") and button not in self._keys.names:
            raise BadCommand("no_such_button", button=button)
        with self._lock:
            self._await("")
            match what:
                case "key":
                    self._await(button or "")
                case "key-forget":
                    left = {key: name for key, name in self._keys.learnt.items() if name != button}
                    self._keep(left, {"what": "forgotten", "button": button})
                case "key-undo" if self._before is not None:
                    self._keep(self._before, {"what": "undone"})
                    self._before = None

    def stop(self) -> None:
        """The page was left: await no key, and forget what was said."""
        with self._lock:
            self._await("")
            self._result, self._before = None, None

    def _await(self, button: str) -> None:
        self._awaited = button
        if button:
            self._result = None
        self._keys.await_key(self._pressed if button else None)

    def _pressed(self, key: Key) -> None:
        """The key that was awaited, from the thread of the keys."""
        with self._lock:
            button, self._awaited = self._awaited, ""
            if not button:
                return
            owner = self._keys.learnt.get(key)
            if owner is not None and owner != button:
                self._result = {"what": "taken", "button": owner, **_plain(key)}
                return
            try:
                result = {"what": "learnt", "button": button, **_plain(key)}
                self._keep({**self._keys.learnt, key: button}, result)
            except PartFault as fault:
                self._result = {"what": "unwritable", "cause": str(fault.values.get("cause", ""))}

    def _keep(self, learnt: Learnt, result: Data) -> None:
        """Write first: what is not kept does not count."""
        try:
            self._file.write(written(learnt))
        except StorageError as error:
            raise PartFault("keys_unwritable", cause=error.values["cause"]) from error
        self._before, self._result = self._keys.learnt, result
        self._keys.learn(learnt)


def _plain(key: Key) -> Data:
    return {"device": key.device, "code": key.code}
