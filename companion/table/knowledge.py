"""Who may know which dice rolled in phones, and when: the one table that every view asks.

A row is a moment of a round, a column what somebody is at the table. Dice on the real table are under real
cups: nobody but their owner can see them, and the box learns of them when the cups are lifted.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from enum import StrEnum

from companion.rules.calls import DudoPass
from companion.rules.judge import passer_of
from companion.rules.legality import sees
from companion.rules.players import RoundKind
from companion.rules.position import Game, Phase


class Role(StrEnum):
    """Who wants to know dice.

    - `PLAYER`: a phone that has had its seat since the round's dice were thrown.
    - `NEWCOMER`: one that took its seat within the round.
    - `HOST`: the phone that leads, without a seat; `WATCHER`: any other without one.
    - `SCREEN`: what is the same for all: state, television, lamps, pictures, statistics, exports.
    """

    PLAYER = "player with that seat"
    NEWCOMER = "seat taken within the round"
    HOST = "host without a seat"
    WATCHER = "watcher"
    SCREEN = "state, television, lamps, exports"


class Moment(StrEnum):
    """Where a round stands, for who knows what, in the words of docs/reference/security.md."""

    ROLL_OFF = "the roll for seats or starter"
    CHOOSING = "palifico, its starter has not chosen yet"
    BIDDING = "dice thrown, bidding"
    CLOSED = "closed palifico"
    OPEN = "open palifico"
    ANNOUNCED = "a button was pressed, the call is still to be named"
    PASS_DOUBTED = "a pass is doubted, and its verdict"
    REVEAL = "dudo or calza called, the cups are lifted"
    VERDICT = "verdict"
    OVER = "game over by that verdict"


class Knows(StrEnum):
    """Whose dice may be known."""

    NOTHING = "none"
    OWN = "own"
    OWN_LAST = "own, with one die left"
    OTHERS = "all but own"
    PASSER = "the passer's"
    BEFORE_AND_PASSER = "as before, and the passer's"
    ALL = "all"


def _row(player: Knows, others: Knows = Knows.NOTHING) -> Mapping[Role, Knows]:
    return {role: player if role is Role.PLAYER else others for role in Role}


TABLE: Mapping[Moment, Mapping[Role, Knows]] = {
    Moment.ROLL_OFF: _row(Knows.ALL, Knows.ALL),
    Moment.CHOOSING: _row(Knows.NOTHING),
    Moment.BIDDING: _row(Knows.OWN),
    Moment.CLOSED: _row(Knows.OWN_LAST),
    Moment.OPEN: _row(Knows.OTHERS),
    Moment.ANNOUNCED: _row(Knows.OWN),
    Moment.PASS_DOUBTED: _row(Knows.BEFORE_AND_PASSER, Knows.PASSER),
    Moment.REVEAL: _row(Knows.ALL, Knows.ALL),
    Moment.VERDICT: _row(Knows.ALL, Knows.ALL),
    Moment.OVER: _row(Knows.ALL, Knows.ALL),
}
"""Who may know which dice rolled in phones, at every moment of a round."""


_CHOSEN: Mapping[str | None, Moment] = {"open": Moment.OPEN, "closed": Moment.CLOSED}
"""What the starter of a palifico may have chosen."""


def moment_of(game: Game, asked: bool = False) -> Moment:
    """Where the round stands; `asked`: somebody pressed, and it is still to be said what was called."""
    if game.phase is Phase.ROLLOFF:
        return Moment.ROLL_OFF
    if game.challenge is None:
        return _before_the_call(game, asked)
    if isinstance(game.challenge, DudoPass):
        return Moment.PASS_DOUBTED
    return {Phase.VERDICT: Moment.VERDICT, Phase.OVER: Moment.OVER}.get(game.phase, Moment.REVEAL)


def _before_the_call(game: Game, asked: bool = False) -> Moment:
    now = game.round
    if now.visibility in _CHOSEN:
        return _CHOSEN[now.visibility]
    may_choose = game.ruleset.palifico_view == "choice" and now.kind is RoundKind.PALIFICO
    if may_choose and now.visibility is None and not now.bids:
        return Moment.CHOOSING
    return Moment.ANNOUNCED if asked else Moment.BIDDING


def known_cups(
    game: Game, role: Role, seat: str | None, thrown: Collection[str], *, asked: bool = False
) -> tuple[str, ...]:
    """Whose dice somebody may know, of the players for whom the box has `thrown`, in that order."""
    knows = TABLE[moment_of(game, asked)][role]
    if knows is Knows.BEFORE_AND_PASSER:
        before = TABLE[_before_the_call(game)][role]
        allowed = _cups(before, game, seat, thrown) | _cups(Knows.PASSER, game, seat, thrown)
    else:
        allowed = _cups(knows, game, seat, thrown)
    return tuple(name for name in thrown if name in allowed)


def _cups(knows: Knows, game: Game, seat: str | None, thrown: Collection[str]) -> set[str]:
    """The players meant by a cell of the table."""
    match knows:
        case Knows.ALL:
            return set(thrown)
        case Knows.PASSER:
            return {passer_of(game) or ""}
        case Knows.OWN | Knows.OWN_LAST | Knows.OTHERS if seat is not None:
            return set(_looked_at(knows, game, seat)) & set(sees(game).get(seat, ()))
    return set()


def _looked_at(knows: Knows, game: Game, seat: str) -> Collection[str]:
    """The cups that a cell names; what may be known is held to the rules' own word as well (row F9)."""
    inside = {player.name: player for player in game.inside}
    if knows is Knows.OTHERS:
        return inside.keys() - {seat}
    last = knows is Knows.OWN_LAST
    return {seat} if seat in inside and not (last and inside[seat].dice > 1) else ()


def exposed(game: Game, thrown: Collection[str], *, asked: bool = False) -> frozenset[tuple[str, str]]:
    """Every (reader, cup) such that the reader, a player or "" for everybody, may have seen the cup's dice.

    What single players have seen matters until the verdict. Cups shown to all stay shown after it.
    """
    public = {("", cup) for cup in known_cups(game, Role.SCREEN, None, thrown, asked=asked)}
    if game.phase not in (Phase.BIDDING, Phase.REVEAL):
        return frozenset(public)
    seats = [player.name for player in game.players] if thrown else []
    own = {(s, c) for s in seats for c in known_cups(game, Role.PLAYER, s, thrown, asked=asked)}
    return frozenset(public | own)
