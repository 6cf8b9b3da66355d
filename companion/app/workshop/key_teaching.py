"""Keys of keyboards and presenters taught on a page: whose key is awaited, the result, and the way back."""

from __future__ import annotations

import threading

from companion.errors import BadCommand, PartFault, StorageError
from companion.side_files import SideFile
from hardware.buttons.keys import Key, KeyButtons, Learnt, written
from hardware.errors import HardwareError

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
            return {
                "buttons": [
                    {"name": name, "keys": [_plain(key) for key in self._of(name)]}
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

    def faults(self) -> tuple[HardwareError, ...]:
        """Why keys cannot be read, or which learnt devices are not there."""
        return self._keys.faults()

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

    def _of(self, button: str) -> list[Key]:
        return [key for key, name in self._keys.learnt.items() if name == button]


def _plain(key: Key) -> Data:
    return {"device": key.device, "code": key.code}
