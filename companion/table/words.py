"""The words that lamps, page and log say of a snapshot: lamps ask for nothing else."""

from __future__ import annotations

from companion.rules.calls import Calza, DudoPass
from companion.rules.game import Game, Phase
from companion.rules.judge import Verdict
from companion.rules.players import Player
from companion.table.snapshot import UNWRITABLE, Fault, Snapshot
from companion.table.state import REVEALING, TableState, assessment
from companion.table.wire.state import SeatWord, StateWord


def state_word(snapshot: Snapshot) -> StateWord:
    """The one word that lamps, page and log say. Lamps ask for it alone at every change."""
    game = snapshot.state.game
    hindered = hindrance(snapshot) is not None
    if game is None:
        return "fault" if hindered else "idle"
    match game.phase:
        case Phase.OVER:
            return "over"
        case Phase.REVEAL | Phase.ROLLOFF:
            if hindered:
                return "fault"
            return "question" if _asks(snapshot) else "looking"
        case Phase.VERDICT if game.verdict:
            return "stands" if stands(game.verdict) else "fails"
        case _:
            return "question" if snapshot.state.asked else "fault" if hindered else "bidding"


def _asks(snapshot: Snapshot) -> bool:
    """Whether the reveal waits for a person: dice were looked at, and the box needs an answer."""
    if snapshot.state.reveal is None:
        return False
    seen = assessment(snapshot.state)
    return any(die.place for die in seen.dice) and bool(seen.questions or snapshot.held)


def hindrance(snapshot: Snapshot) -> Fault | None:
    """The fault that the lamps show: in a reveal one of camera or journal, else of any part.

    A press that was refused is no fault of the box, nor is its camera one where a phone has taken its place.
    """
    game = snapshot.state.game
    faults = dict(snapshot.faults)
    if game is not None and game.phase in REVEALING:
        parts = UNWRITABLE if _taken_by_phone(snapshot.state) else ("camera", *UNWRITABLE)
        return next((faults[part] for part in parts if part in faults), None)
    return next((fault for part, fault in faults.items() if part != "button"), None)


def _taken_by_phone(state: TableState) -> bool:
    """Whether a phone has taken a picture of the reveal, so that no camera is missed."""
    return state.reveal is not None and any(v.frames and v.phone is not None for v in state.reveal.places)


def stands(verdict: Verdict) -> bool:
    """Whether what was doubted or claimed turned out true: the bid, the exact count, the pass."""
    if isinstance(verdict.call, Calza):
        return bool(verdict.exact)
    return bool(verdict.pass_justified if isinstance(verdict.call, DudoPass) else verdict.holds)


def seat_words(state: TableState) -> tuple[SeatWord, ...]:
    """The word of each seat's lamp, in order of the table.

    While dice are shown one after the other, the lamp of the next player to show is lit.
    """
    game, showing = state.game, _showing_next(state)
    return tuple(_seat_word(game, player, showing) for player in game.players) if game else ()


def _showing_next(state: TableState) -> str | None:
    """Whose dice the box should look at next."""
    if state.reveal is None or state.game is None or state.game.phase not in REVEALING:
        return None
    place = assessment(state).next_place
    return next((view.player for view in state.reveal.places if view.name == place), None)


def _seat_word(game: Game, player: Player, showing: str | None) -> SeatWord:
    verdict = game.verdict if decided(game) else None
    if verdict and player.name in verdict.losers:
        return "loses"
    if verdict and player.name in (verdict.gainer, *verdict.winners):
        return "gains"
    if player.out:
        return "out"
    if player.name == (game.round.turn if game.phase is Phase.BIDDING else showing):
        return "starts"
    return "in"


def decided(game: Game) -> bool:
    """Whether the verdict lies on the table."""
    return game.verdict is not None and game.phase in (Phase.VERDICT, Phase.OVER)
