"""Who may do what: phones that watch, phones that play for one seat, and the one that leads the table.

Everybody may watch. A phone is let in by a join code, or by a claim that somebody at the table confirmed.
Then it sees the pictures and may take a seat. With a seat it calls for its own player and helps to read the
dice. The phone that leads may do everything; so may a browser on the box itself. Where nobody leads and no
game is on, whoever sets one up leads it; it is let in by that no more than before.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from companion.table.wire.state import BoxJson

OF_ITSELF = frozenset(("leave", "rename"))
"""The requests of a player's phone for its own player alone: to go home, to be renamed."""

OWN_SEAT = frozenset(
    (
        *("bid", "dudo", "calza", "pass", "dudo_pass", "challenge"),
        *("choose_visibility", "choose_direction", "declare_palifico"),
    )
)
"""The calls at the table: a player's phone makes them for its own player alone."""

AT_THE_TABLE = frozenset(
    (
        *("look", "set_face", "set_owner", "strike", "cut_off", "as_read", "add_die"),
        *("same_die", "two_dice", "all_apart", "several"),
        *("correct_call", "type_count", "forget_colours", "confirm", "next_round", "undo", "press"),
    )
)
"""The commands that any player at the table gives for all: read the dice, correct, go on."""


class Role(StrEnum):
    """The role of a phone at the table."""

    WATCHER = "watcher"
    PLAYER = "player"
    HOST = "host"


@dataclass(frozen=True, slots=True)
class Phone:
    """A phone as the table knows it.

    - `led`: some phone leads; `leads`: this one does; `vacant`: nobody leads and no game is on.
    - `local`: it runs on the box itself.
    - `joined`: it was let in by a code or a claim; `ended`: it was, before everybody had to join anew.
    - `seat`: its player; `asks`: its claim is open.
    - `lead_silent`: the phone that leads is silent; `silent`: the player on turn whose phone is, "" for none.
    """

    id: str
    led: bool = False
    leads: bool = False
    local: bool = False
    joined: bool = False
    seat: str | None = None
    vacant: bool = False
    ended: bool = False
    asks: bool = False
    lead_silent: bool = False
    silent: str = ""

    @property
    def role(self) -> Role:
        """Watcher, player or host."""
        if self.leads or self.local:
            return Role.HOST
        return Role.PLAYER if self.seat is not None else Role.WATCHER

    @property
    def free(self) -> bool:
        """Whether this phone may do everything: it leads, or would by setting up a game."""
        return self.role is Role.HOST or self.vacant

    @property
    def plays(self) -> bool:
        """Whether this phone may do what anybody at the table may: correct, count, go on."""
        return self.free or self.role is Role.PLAYER

    @property
    def guest(self) -> bool:
        """Whether this phone was let in and does not lead: it sits down, and sets up a game only by wish."""
        return self.joined and self.role is not Role.HOST

    @property
    def let_in(self) -> bool:
        """Whether somebody at the table let this phone in: it sees pictures, and may bring others."""
        return self.joined or self.local

    @property
    def may_sit(self) -> bool:
        """Whether this phone may take a free seat."""
        return self.role is not Role.WATCHER or self.joined

    @property
    def manages(self) -> bool:
        """Whether this phone may do everything with the box itself, its camera too."""
        return self.free and self.let_in

    def may_hold_two(self, box: BoxJson) -> bool:
        """Whether this phone may hold two buttons of the simulated box: it must be at the table already,
        unless nothing of that box is real, its camera neither."""
        return self.manages or (self.leads and box["all_simulated"])

    def speaks_for(self, name: str | None) -> bool:
        """Whether this phone may call in that player's name: its own, or one whose phone is silent."""
        return self.free or (self.seat is not None and name in (self.seat, self.silent or self.seat))

    def refusal(self, command: Mapping[str, object], box: BoxJson | None = None) -> str | None:
        """Why this phone may not send `command`: a key under `web.problems`, None when it may."""
        if command.get("type") == "hold_two":
            return None if box and self.may_hold_two(box) else "let_in"
        if command.get("type") == "group" and self.free:  # those who played here, kept for other evenings
            return None if self.manages else "let_in"
        if self.free:
            return None
        if self.role is Role.WATCHER:
            return "sit_first" if self.joined else "watching"
        kind = str(command.get("type"))
        if kind in OWN_SEAT or kind in OF_ITSELF or kind == "hand":
            who = command.get("by" if kind in OWN_SEAT else "player")
            speaks = self.speaks_for(str(who)) if kind in OWN_SEAT else who == self.seat
            return None if speaks else "not_your_seat"
        if kind not in AT_THE_TABLE:
            return "leader_only"
        foreign = kind == "press" and command.get("by") not in (None, "", self.seat)
        return "not_your_seat" if foreign else None
