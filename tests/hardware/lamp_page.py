"""Makes docs/reference/lamps.md: what each lamp and the buzzer do in every state."""

from collections.abc import Iterable

from hardware.lamps import patterns
from hardware.ports import BoxState, SeatLamp

MEANINGS = {
    BoxState.IDLE: "nobody plays",
    BoxState.BIDDING: "a round is on, players bid",
    BoxState.LOOKING: "the camera looks at the dice",
    BoxState.QUESTION: "the box needs an answer: which die is this?",
    BoxState.STANDS: "the call is judged: the bid stands",
    BoxState.FAILS: "the call is judged: the bid fails",
    BoxState.OVER: "the game has a winner",
    BoxState.FAULT: "a part is not working; the page says which",
}

SEAT_MEANINGS = {
    SeatLamp.OFF: "nobody sits here",
    SeatLamp.IN: "plays",
    SeatLamp.STARTS: "is on turn; in a reveal, shows dice next",
    SeatLamp.LOSES: "loses a die",
    SeatLamp.GAINS: "gains a die",
    SeatLamp.OUT: "is out of the game",
}

RING = {BoxState.LOOKING: "lit", BoxState.QUESTION: "lit where dice lie open"}
"""The state of the light ring; in all other states it is dark."""

SEATS_IN: dict[BoxState, tuple[SeatLamp, ...]] = {
    BoxState.IDLE: (),
    BoxState.BIDDING: (SeatLamp.STARTS, SeatLamp.IN, SeatLamp.OUT),
    BoxState.LOOKING: (SeatLamp.STARTS, SeatLamp.IN, SeatLamp.OUT),
    BoxState.QUESTION: (SeatLamp.STARTS, SeatLamp.IN, SeatLamp.OUT),
    BoxState.STANDS: (SeatLamp.LOSES, SeatLamp.GAINS, SeatLamp.IN, SeatLamp.OUT),
    BoxState.FAILS: (SeatLamp.LOSES, SeatLamp.GAINS, SeatLamp.IN, SeatLamp.OUT),
    BoxState.OVER: (SeatLamp.LOSES, SeatLamp.GAINS, SeatLamp.IN, SeatLamp.OUT),
    BoxState.FAULT: (SeatLamp.STARTS, SeatLamp.IN, SeatLamp.OUT),
}
"""The words of seat lamps in each state; with nobody at the table there is no seat."""

FAULT_MEANINGS = {
    "camera_missing": "there is no camera",
    "camera_busy": "another program holds the camera",
    "camera_silent": "the camera sends no pictures",
    "pin_taken": "another program holds a pin",
    "pins_missing": "the pins can't be used",
    "button_stuck": "a button is stuck",
    "no_permission": "the user may not use a part",
    "disk_full": "the memory card is full; no more pictures are kept",
    "lamp_missing": "a lamp can't be lit",
    "under_voltage": "the power supply is too weak; other faults may come of it",
    "settings_set_aside": "settings cannot be used; their defaults are in force",
}


def lamp_page() -> str:
    """The whole text of docs/reference/lamps.md."""
    return "\n\n".join([_HEAD, _state_table(), _FAULTS, _fault_table(), _SEATS, _seat_table(), _TAIL]) + "\n"


_HEAD = """# What the lamps say

The same state word is on the lamps, on every page and in the log. Every state has a colour *and* a pattern of
its own, so nobody needs to see colours. Nothing flashes more than three times a second. This page
is made from `hardware/lamps/patterns.py`:
`python -m tests.hardware.lamp_page > docs/reference/lamps.md`.

## Every lamp in every state"""

_FAULTS = """## Faults

The game goes on by hand while one of these shows. Red flashes, a pause, and again: count them. A fault that
is not listed here flickers. The box tries again by itself; nothing has to be restarted.

While nobody plays and while people bid the light shows a fault of any part. In a reveal it shows only what
prevents a picture. Questions and verdicts are never hidden. The buzzer sounds once for each fault; the page
shows its sentence all the time. Thirteen flashes: the
companion does not start, and its page says why."""

_SEATS = """## Seat lamps

One for each seat, in order of the table. They work in every state."""

_TAIL = """## Light ring

The ring is lit at one level from the moment the camera looks until the call is judged: the exposure is
locked to it.

## Pictures by phone

With `camera.use = "phones"` the lamps show the same. After a call `looking` means that the box waits for
a picture, and the light ring is lit for the phones. No camera fault is shown: no camera can be missing."""


def _state_table() -> str:
    rows = [
        (
            f"`{state}`",
            MEANINGS[state],
            f"{signal.colour}, {signal.pattern.words}",
            RING.get(state, "dark"),
            ", ".join(f"`{lamp}`" for lamp in SEATS_IN[state]) or "dark",
            in_words(state),
        )
        for state, signal in patterns.STATUS.items()
    ]
    return _table(("state", "means", "status light", "light ring", "seat lamps", "buzzer"), rows)


def _fault_table() -> str:
    rows = [
        (f"`{reason}`", FAULT_MEANINGS[reason], str(count))
        for reason, count in patterns.FAULT_FLASHES.items()
    ]
    return _table(("fault", "means", "flashes"), rows)


def _seat_table() -> str:
    rows = [(f"`{lamp}`", SEAT_MEANINGS[lamp], pattern.words) for lamp, pattern in patterns.SEAT.items()]
    return _table(("seat", "means", "pattern"), rows)


def in_words(state: BoxState) -> str:
    """The pattern of a state for people: "short, long"; "silent" when there is none."""
    beeps = patterns.SOUNDS.get(state, ())[::2]
    return ", ".join("long" if seconds >= 0.4 else "short" for seconds in beeps) or "silent"


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


if __name__ == "__main__":
    print(lamp_page(), end="")
