"""The table as plain data, ready for JSON, the same for every page and lamp.

Nothing here is secret: of dice rolled in phones it has what `knowledge` lets everybody know, in the reveal.
`cups.known_dice` gives what single phones may know.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from companion.reveal.owners import alike, plain
from companion.rules.bidding import legal_bids, may_push
from companion.rules.calls import (
    BidCall,
    Calza,
    ChooseDirection,
    ChooseVisibility,
    DeclarePalifico,
    Dudo,
    DudoPass,
    Pass,
)
from companion.rules.explain import explain
from companion.rules.fields import CallWord
from companion.rules.game import Game, Phase
from companion.rules.judge import Verdict
from companion.rules.legality import check
from companion.rules.players import Player, RoundKind
from companion.rules.position import Waiting
from companion.table.casting import Commitment, commitment
from companion.table.cups import unread
from companion.table.ledger import Note, Step
from companion.table.reveal_view import reveal_view
from companion.table.snapshot import Fault, Snapshot, decided, stands, state_word
from companion.table.state import Played, TableState
from companion.table.wire.game import (
    AnnouncementJson,
    BidJson,
    CalledJson,
    GameJson,
    LegalJson,
    NoteJson,
    OutcomeJson,
    PlayedJson,
    PlayerJson,
    RoundJson,
    SaidJson,
    SeatRollJson,
    SeedJson,
    StepJson,
    VerdictJson,
    WaitingJson,
    bid_json,
)
from companion.table.wire.state import FaultJson, TableJson
from companion.texts import languages


@dataclass(frozen=True, slots=True)
class View:
    """One numbered snapshot as data."""

    version: int
    data: TableJson


def view(snapshot: Snapshot) -> View:
    """Everything a page may show of `snapshot`."""
    state = snapshot.state
    data: TableJson = {
        "version": snapshot.version,
        "state": state_word(snapshot),
        "asked": state.asked,
        "faults": {part: _fault(fault) for part, fault in snapshot.faults},
        "notice": next((_fault(fault) for _, fault in snapshot.faults), None),
        "can_undo": snapshot.can_undo,
        "undo_hides": snapshot.undo_hides,
        "undoes": step_view(snapshot.undoes),
        "announcement": announcement_view(snapshot.announcement, snapshot.announced),
        "notes": [note_view(note) for note in snapshot.ledger.notes],
        "resumed": snapshot.resumed,
        "paused": snapshot.paused,
        "game": _game(snapshot) if state.game else None,
        "reveal": reveal_view(snapshot) if state.reveal else None,
        "verdict": _verdict(state, state.game) if state.game and decided(state.game) else None,
    }
    return View(snapshot.version, data)


def _fault(fault: Fault) -> FaultJson:
    return {"reason": fault.reason, "values": dict(fault.values)}


def _game(snapshot: Snapshot) -> GameJson:
    state, game = snapshot.state, snapshot.state.game
    assert game is not None
    shown = game.shown
    due = unread(state, snapshot.ledger)
    return {
        "id": snapshot.game_id,
        "phase": game.phase,
        "preset": game.ruleset.name,
        "house": {k: v for k, v in game.ruleset.to_json().items() if k not in ("version", "name")},
        "players": [_player(game, seat, player, state, due) for seat, player in enumerate(shown.players, 1)],
        "waiting": [waiting_view(state, one) for one in game.waiting],
        "seat_roll": seat_roll_view(state),
        "round": _round(game),
        "dice_seed": _seed(commitment(state, snapshot.ledger)),
        "winner": game.winner,
        "winners": list(game.winners),
        "pot": game.pot,
        "rolls": [dict(round_) for round_ in state.rolls],
        "colours": [(colour.player, plain(colour.name)) for colour in state.colours if colour.name],
        "alike": list(alike(state.colours)),
        "colours_due": game.round.number == 1 or state.newcomers,
        "history": [_played(played) for played in state.played],
    }


def _seed(known: Commitment | None) -> SeedJson | None:
    return {"hash": known.hash, "seed": known.seed} if known else None


def _player(game: Game, seat: int, player: Player, state: TableState, due: tuple[str, ...]) -> PlayerJson:
    bidding = game.phase is Phase.BIDDING
    return {
        "seat": seat,
        "name": player.name,
        "colour": player.colour,
        "dice": player.dice,
        "team": player.team,
        "began": game.ruleset.starting_dice - player.handicap,
        "lives": None if game.ruleset.lives is None or game.ruleset.keeps_tally else player.lives,
        "pushed": list(game.round.pushed_by(player.name)),
        "marks": player.marks if game.ruleset.keeps_tally else None,
        "out": player.out,
        "left": player.left,
        "turn": bidding and player.name == game.round.turn,
        "starts": player.name == game.round.starter,
        "palifico": game.round.kind is not RoundKind.NORMAL and player.name == game.round.starter,
        "phone_cup": player.name in state.cups,
        "bot": dict(state.bots).get(player.name),
        "to_look_at": player.name in due,
    }


def _round(game: Game) -> RoundJson:
    now = game.round
    standing = now.standing
    return {
        "number": now.number,
        "kind": now.kind,
        "starter": now.starter,
        "turn": now.turn,
        "visibility": now.visibility,
        "clockwise": now.clockwise,
        "bid": _bid(standing) if standing else None,
        "bids": [_said(said) for said in now.bids],
        "total": game.shown.round.dice,
        "legal": _legal(game),
    }


def _said(said: BidCall | Pass) -> SaidJson:
    if isinstance(said, Pass):
        return {"pass": True, "by": said.by}
    bid: SaidJson = {"quantity": said.bid.quantity, "face": said.bid.face, "by": said.by}
    if said.bid.zhai:
        bid["zhai"] = True
    if said.pushed:
        bid["pushed"] = list(said.pushed)
    return bid


def _bid(said: BidCall) -> BidJson:
    return {**bid_json(said.bid), "by": said.by}


def _legal(game: Game) -> LegalJson:
    turn, starter = game.round.turn, game.round.starter
    bids = legal_bids(game) if game.phase is Phase.BIDDING else ()
    return {
        "bids": [(bid.quantity, bid.face) for bid in bids if not bid.zhai],
        "zhai": [(bid.quantity, bid.face) for bid in bids if bid.zhai],
        "dudo": bool(game.round.bids) and not game.round.open_pass,
        "doubters": [p.name for p in game.players if check(Dudo(p.name), game) is None],
        "calza": [p.name for p in game.players if check(Calza(p.name), game) is None],
        "pass": check(Pass(turn), game) is None,
        "dudo_pass": check(DudoPass(turn), game) is None,
        "visibility": check(ChooseVisibility(starter, "open"), game) is None,
        "direction": check(ChooseDirection(starter, "clockwise"), game) is None,
        "palifico": check(DeclarePalifico(starter), game) is None,
        "push": may_push(game.shown) if bids else 0,
    }


@lru_cache(maxsize=256)  # it never changes, and has a sentence in every language
def _played(played: Played) -> PlayedJson:
    verdict = played.verdict
    return {
        "round": played.number,
        "kind": played.kind,
        **_call(verdict),
        "count": verdict.count_lo if verdict.count_lo == verdict.count_hi else None,
        "verdict": _outcome(verdict, played.by_clock),
        "pictures": list(played.pictures),
        "picture": played.pictures[0] if played.pictures else None,
    }


def _call(verdict: Verdict) -> CalledJson:
    bid = verdict.bid
    words: Mapping[type, CallWord] = {Calza: "calza", DudoPass: "dudo_pass"}
    return {
        "call": words.get(type(verdict.call), "dudo"),
        "by": verdict.caller,
        "bid": {**bid_json(bid), "by": verdict.bidder} if bid else None,
        "bidder": verdict.bidder or verdict.passer,
    }


def _outcome(verdict: Verdict, by_clock: bool) -> OutcomeJson:
    """A verdict with its sentence in every language."""
    return {
        "sentences": {language: explain(verdict, language, by_clock) for language in languages()},
        "by_clock": by_clock,
        "stands": stands(verdict),
        "exact": bool(verdict.exact),
        "count_lo": verdict.count_lo,
        "count_hi": verdict.count_hi,
        "quantity": verdict.bid.quantity if verdict.bid else None,
        "face": verdict.bid.face if verdict.bid else None,
        "naturals": verdict.naturals,
        "aces": verdict.aces,
        "loser": verdict.loser,
        "losers": list(verdict.losers),
        "gainer": verdict.gainer,
        "dice_change": dict(verdict.dice_change),
        "lives_change": dict(verdict.lives_change),
        "marks_change": dict(verdict.marks_change),
        "eliminated": list(verdict.eliminated),
        "pass_justified": verdict.pass_justified,
        "next_starter": verdict.next_starter,
        "next_round_kind": verdict.next_round_kind,
        "winner": verdict.winner,
    }


def _verdict(state: TableState, game: Game) -> VerdictJson:
    assert game.verdict is not None
    shots = [place.picture for place in state.reveal.places if place.picture] if state.reveal else []
    return {**_outcome(game.verdict, state.by_clock), **_call(game.verdict), "pictures": shots}


def step_view(step: Step | None) -> StepJson | None:
    """A step of a person as data."""
    if step is None:
        return None
    return {
        "kind": step.kind,
        "player": step.player,
        "bid": bid_json(step.bid) if step.bid else None,
    }


def note_view(note: Note) -> NoteJson:
    """A note to all phones as data."""
    return {
        "kind": note.kind,
        "round": note.round,
        "by": note.by,
        "name": note.name,
        "step": step_view(note.step),
        "player": note.player,
        "to": note.to,
        "count": note.count,
    }


def announcement_view(note: Note | None, number: int) -> AnnouncementJson | None:
    """The last note to all phones; `number` rises with each."""
    return {**note_view(note), "number": number} if note else None


def seat_roll_view(state: TableState) -> SeatRollJson | None:
    """What came of the roll for seats or starter, until somebody bids."""
    found, game = state.rolled_off, state.game
    if found is None or game is None or game.round.number != 1 or game.round.bids:
        return None
    return {
        "rolls": [dict(round_) for round_ in found.rolls],
        "before": list(found.before),
        "seats": [player.name for player in game.players],
        "starter": game.round.starter,
    }


def waiting_view(state: TableState, one: Waiting) -> WaitingJson:
    """Somebody who came late as data."""
    return {
        "name": one.name,
        "colour": one.colour,
        "after": one.after,
        "phone_cup": one.name in state.cups,
        "bot": dict(state.bots).get(one.name),
    }
