"""What a phone is: it watches, plays for one seat, or leads the table.

Everybody may watch. A phone is let in by a join code, or by a claim that somebody at the table confirmed.
Then it sees the pictures and may take a seat. With a seat it gives commands as its player, the phone that
leads nearly all of them, and so does a browser on the box itself: `companion.table.authority` has the table.
Where nobody leads and no game is on, whoever sets one up leads it; it is let in by that no more than before.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from companion.table.commands import Author, By


class Role(StrEnum):
    """The role of a phone at the table."""

    WATCHER = "watcher"
    PLAYER = "player"
    HOST = "host"


class Phone(Struct, frozen=True):
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

    @property
    def refusal(self) -> str | None:
        """Why this phone may give no command at all: a key under `web.problems`, None when it may."""
        if self.plays:
            return None
        return "sit_first" if self.joined else "watching"

    @property
    def author(self) -> Author:
        """This phone as the author of a command."""
        by = By.HOST if self.free else By.PLAYER
        return Author(by, self.seat or "", self.id, self.silent or "")
