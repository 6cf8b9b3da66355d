"""Dice that not everybody sees: those rolled in phones, and real dice of bots.

What one phone may know of the former now, and what a step back would hide again. The latter only the box
sees, before the bot makes its call; what it saw stands in the ledger as a throw of the round. No view shows
it: in the reveal these dice lie on the table, and are counted there like everybody's.
"""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum

from msgspec import Struct

from companion.bots.seat import SeatView
from companion.errors import BadCommand
from companion.reveal.corrections import Correction, Hand, dice_of
from companion.reveal.state import hand_of
from companion.rules.position import Game, Phase
from companion.table.knowledge import Moment, Role, exposed, known_cups, moment_of
from companion.table.ledger import Ledger, Thrown
from companion.table.state import TableState


def looking_bots(state: TableState) -> dict[str, int]:
    """The bots with real dice that may know them now, with how many they have."""
    game = state.game
    if game is None or game.phase is not Phase.BIDDING:
        return {}
    bots = dict(state.bots).keys() - set(state.cups)
    own = {player.name: player.dice for player in game.inside if player.name in bots}
    asked = bool(state.asked)
    return {name: n for name, n in own.items() if known_cups(game, Role.PLAYER, name, (name,), asked=asked)}


def looked_at(state: TableState, ledger: Ledger) -> dict[str, tuple[int, ...]]:
    """The real dice that the box has looked at for bots in this round."""
    game = state.game
    if game is None:
        return {}
    found = {name: ledger.newest(_throw(game, ledger), name) for name in looking_bots(state)}
    return {name: faces for name, faces in found.items() if len(faces) == looking_bots(state)[name]}


def unread(state: TableState, ledger: Ledger) -> tuple[str, ...]:
    """The bots whose dice the box has still to look at."""
    looked = looked_at(state, ledger)
    return tuple(name for name in looking_bots(state) if name not in looked)


def dice_read(state: TableState, ledger: Ledger, player: str, faces: tuple[int, ...]) -> Thrown:
    """The event of a bot's dice as the camera read them; raises BadCommand where none are awaited."""
    if looking_bots(state).get(player) != len(faces):
        raise BadCommand("bot_no_look", player=player)
    assert state.game is not None
    return Thrown(_throw(state.game, ledger), player, faces)


def _throw(game: Game, ledger: Ledger) -> str:
    return f"cup {game.round.number} {ledger.throws(game.round.number)}"


class Why(StrEnum):
    """Why a phone may know what it may: a key under `web.cup.why` in the catalogues."""

    OWN = "own"
    OPEN = "open"
    CLOSED = "closed"
    CHOOSING = "choosing"
    NEWCOMER = "newcomer"
    SHOWN = "shown"
    NO_CUP = "no_cup"


class KnownDice(Struct, frozen=True):
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
    return any(hand_of(die) in rolled for die in dice_of(correction))


def hides(before: TableState, after: TableState) -> bool:
    """Whether somebody may have seen dice that are played on with and that, as the round then stands, nobody
    should have seen. A throw is of a round and its kind; the number of a player's dice may change."""
    now, then = before.game, after.game
    if now is None or then is None:
        return False
    over = then.phase is Phase.OVER and then.challenge is None  # too few are left to play on
    if over or (now.round.number, now.round.kind) != (then.round.number, then.round.kind):
        return False
    rolled = dict(after.rolled)
    kept = {(who, cup) for who, cup in _exposed(before) if _stays(who, cup, now, then, rolled)}
    return _takes_dice_back(now, then, rolled) or not kept <= _seen(after, now)


def _takes_dice_back(before: Game, after: Game, rolled: Collection[str]) -> bool:
    """Whether dice that were pushed out of a cup in a phone would lie under it again."""
    return any(len(after.round.pushed_by(name)) < len(before.round.pushed_by(name)) for name in rolled)


def _stays(who: str, cup: str, before: Game, after: Game, rolled: Collection[str]) -> bool:
    """Whether one who may have looked into a cup, "" being everybody, plays on with it or against it.

    Whoever is taken out of a closed round again may come back with more dice than one, which he may not see.
    """
    closed = before.round.visibility == "closed"
    inside = {player.name for player in after.players if not (player.left if closed else player.out)}
    return who in {"", *inside} and cup in (inside if closed else rolled)


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
