"""Dice rolled in phones: what one phone may know of them now, and what a step back would hide again."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from companion.bots.seat import SeatView
from companion.reveal.corrections import Correction, Hand, Several
from companion.rules.game import Game, Phase
from companion.rules.players import playing
from companion.table.bot_dice import looked_at
from companion.table.knowledge import Moment, Role, exposed, known_cups, moment_of
from companion.table.ledger import Ledger
from companion.table.state import TableState


class Why(StrEnum):
    """Why a phone may know what it may: a key under `web.cup.why` in the catalogues."""

    OWN = "own"
    OPEN = "open"
    CLOSED = "closed"
    CHOOSING = "choosing"
    NEWCOMER = "newcomer"
    SHOWN = "shown"
    NO_CUP = "no_cup"


@dataclass(frozen=True, slots=True)
class KnownDice:
    """The dice one phone may know of those rolled in phones, (player, faces), and why these."""

    hands: tuple[tuple[str, tuple[int, ...]], ...] = ()
    why: Why = Why.NO_CUP

    @property
    def faces(self) -> tuple[int, ...]:
        """All dice that may be known, whoever's they are."""
        return tuple(face for _, faces in self.hands for face in faces)


def known_dice(state: TableState, ledger: Ledger, seat: str | None, phone: str) -> KnownDice:
    """The dice that the phone of that id, in the seat `seat`, may know now."""
    game, thrown = state.game, dict(state.rolled)
    if game is None or seat is None or not thrown or seat in dict(state.bots):  # a bot has no phone
        return KnownDice()
    role = role_of(ledger, game, seat, phone)
    names = known_cups(game, role, seat, tuple(thrown), asked=bool(state.asked))
    return KnownDice(tuple((name, thrown[name]) for name in names), _why(game, role, seat, state))


def seat_view(state: TableState, ledger: Ledger, seat: str) -> SeatView | None:
    """What the bot in the seat `seat` may know now: no more than the phone of a player there, real dice at
    which the box looked for it included; None before a game."""
    game, looked = state.game, looked_at(state, ledger)
    if game is None:
        return None
    thrown = dict(state.rolled) | ({seat: looked[seat]} if seat in looked else {})
    names = known_cups(game, Role.PLAYER, seat, tuple(thrown), asked=bool(state.asked))
    return SeatView(game, seat, tuple((name, thrown[name]) for name in names))


def role_of(ledger: Ledger, game: Game, seat: str, phone: str) -> Role:
    """Whether a phone has had its seat since the round's dice were thrown."""
    if not ledger.seal:  # an earlier version began this round
        return Role.PLAYER
    holds = ledger.holder(game.round.number, seat) == ledger.mark(phone)
    return Role.PLAYER if holds else Role.NEWCOMER


def _why(game: Game, role: Role, seat: str, state: TableState) -> Why:
    moment = moment_of(game, bool(state.asked))
    has_cup = seat in dict(state.rolled)
    if moment in (Moment.ROLL_OFF, Moment.REVEAL, Moment.VERDICT, Moment.OVER):
        return Why.SHOWN
    if not has_cup and moment is not Moment.OPEN:
        return Why.NO_CUP
    if role is Role.NEWCOMER:
        return Why.NEWCOMER
    alone = moment is Moment.CLOSED and game.player(seat).dice == 1
    return Why.OWN if alone else _WHY.get(moment, Why.OWN)


_WHY = {Moment.OPEN: Why.OPEN, Moment.CLOSED: Why.CLOSED, Moment.CHOOSING: Why.CHOOSING}


def of_phone(state: TableState, correction: Correction) -> bool:
    """Whether a correction is about dice that were rolled in a phone: those are known for certain."""
    rolled = dict(state.rolled)
    if isinstance(correction, Hand):
        return correction.player in rolled
    if isinstance(correction, Several):
        return any(of_phone(state, answer) for answer in correction.answers)
    about = [getattr(correction, name, None) for name in ("die", "first", "second")]
    return any(str(die).startswith(f"hand.{player}.") for die in about if die for player in rolled)


def hides(before: TableState, after: TableState) -> bool:
    """Whether somebody may have seen dice which, as the same round then stands, nobody should have seen."""
    if before.game is None or after.game is None or not before.rolled:
        return False
    if _takes_dice_back(before.game, after.game, dict(before.rolled)):
        return True
    same = before.game.round.number == after.game.round.number and before.rolled == after.rolled
    inside = {"", *(player.name for player in playing(after.game.players))}
    exposed_now = {
        pair for pair in _exposed(before) if pair[0] in inside
    }  # who has gone plays on with nothing
    return same and not exposed_now <= _seen(after, before.game)


def _takes_dice_back(before: Game, after: Game, rolled: Collection[str]) -> bool:
    """Whether dice that were pushed out of a cup in a phone would lie under it again."""
    if (before.round.number, before.round.kind) != (after.round.number, after.round.kind):
        return False
    still = (player.name for player in playing(after.players) if player.name in rolled)
    return any(len(after.round.pushed_by(name)) < len(before.round.pushed_by(name)) for name in still)


def _exposed(state: TableState) -> frozenset[tuple[str, str]]:
    assert state.game is not None
    return exposed(state.game, dict(state.rolled), asked=bool(state.asked))


def _seen(state: TableState, before: Game) -> frozenset[tuple[str, str]]:
    """The dice that may be known afterwards. Once a verdict is given, only what all have seen counts."""
    assert state.game is not None
    found = _exposed(state)
    if state.game.phase in (Phase.BIDDING, Phase.REVEAL):
        return found
    return found | {pair for pair in exposed(before, dict(state.rolled)) if pair[0]}
