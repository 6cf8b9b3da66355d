"""What the table looks like from outside: plain data, ready for JSON, the same for every page and lamp.

Nothing here is secret: of dice rolled in phones it tells what `knowledge` lets everybody know, in the reveal;
what single phones may know is handed out by `cups.sight`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.reveal.assessing import Assessment
from companion.reveal.owners import alike, plain
from companion.reveal.questions import Question
from companion.reveal.revealed import RevealedDie
from companion.reveal.state import RevealState
from companion.rules.calls import BidCall, Calza, ChooseVisibility, DudoPass, Pass
from companion.rules.explain import explain
from companion.rules.game import Game, Phase
from companion.rules.judge import Verdict, bidder_of, passer_of
from companion.rules.legality import check, legal_bids
from companion.rules.players import Player
from companion.table.ledger import Note
from companion.table.losses import UNWRITABLE
from companion.table.state import LOOKING, Played, TableState, assessment
from companion.table.table import Fault, Snapshot
from companion.texts import languages

Data = dict[str, Any]


@dataclass(frozen=True, slots=True)
class View:
    """One numbered snapshot as data."""

    version: int
    data: Data


def view(snapshot: Snapshot) -> View:
    """Everything a page may show of `snapshot`."""
    state = snapshot.state
    seen = assessment(state) if state.reveal else None
    data = {
        "version": snapshot.version,
        "state": state_word(snapshot),
        "asked": state.asked.value if state.asked else None,
        "faults": {part: _fault(fault) for part, fault in snapshot.faults},
        "notice": next((_fault(fault) for _, fault in snapshot.faults), None),
        "can_undo": snapshot.can_undo,
        "undo_hides": snapshot.undo_hides,
        "notes": [_note(note) for note in snapshot.ledger.notes],
        "resumed": snapshot.resumed,
        "game": _game(snapshot.game_id, state) if state.game else None,
        "reveal": _reveal(snapshot, seen) if seen else None,
        "verdict": _verdict(state.game, state.reveal) if state.game and _decided(state.game) else None,
    }
    return View(snapshot.version, data)


def state_word(snapshot: Snapshot) -> str:
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
    """The fault that the lamps tell of: in a reveal of what is there to look with and of what cannot be taken
    down, and else of any part.

    A press that was refused is no fault of the box.
    """
    game = snapshot.state.game
    told = dict(snapshot.faults)
    if game is not None and game.phase in LOOKING:
        return told.get("camera") or next((told[part] for part in UNWRITABLE if part in told), None)
    return next((fault for part, fault in told.items() if part != "button"), None)


def stands(verdict: Verdict) -> bool:
    """Whether what was doubted or claimed turned out true: the bid, the exact count, the pass."""
    if isinstance(verdict.call, Calza):
        return bool(verdict.exact)
    return bool(verdict.pass_justified if isinstance(verdict.call, DudoPass) else verdict.holds)


def seat_words(state: TableState) -> tuple[str, ...]:
    """What each seat's lamp says, in order of the table; while dice are shown one after the other, the lamp
    of whom the box should look at next is lit."""
    game, showing = state.game, _showing_next(state)
    return tuple(_seat_word(game, player, showing) for player in game.players) if game else ()


def _showing_next(state: TableState) -> str | None:
    """Whose dice the box should look at next."""
    if state.reveal is None or state.game is None or state.game.phase not in LOOKING:
        return None
    place = assessment(state).next_place
    return next((view.player for view in state.reveal.places if view.name == place), None)


def _seat_word(game: Game, player: Player, showing: str | None) -> str:
    verdict = game.verdict if _decided(game) else None
    if verdict and player.name == verdict.loser:
        return "loses"
    if verdict and player.name in (verdict.gainer, verdict.winner):
        return "gains"
    if player.out:
        return "out"
    if player.name == (game.round.turn if game.phase is Phase.BIDDING else showing):
        return "starts"
    return "in"


def _decided(game: Game) -> bool:
    return game.verdict is not None and game.phase in (Phase.VERDICT, Phase.OVER)


def _fault(fault: Fault) -> Data:
    return {"reason": fault.reason, "values": dict(fault.values)}


def _note(note: Note) -> Data:
    return {"kind": note.kind, "round": note.round, "by": note.by, "name": note.name, "seat": note.seat}


def _game(game_id: str | None, state: TableState) -> Data:
    game = state.game
    assert game is not None
    return {
        "id": game_id,
        "phase": game.phase.value,
        "preset": game.ruleset.name,
        "house": {k: v for k, v in game.ruleset.to_json().items() if k not in ("version", "name")},
        "players": [_player(game, seat, player, state) for seat, player in enumerate(game.players, 1)],
        "round": _round(game),
        "winner": game.winner,
        "pot": game.pot,
        "rolls": [dict(round_) for round_ in state.rolls],
        "colours": [[colour.player, plain(colour.name)] for colour in state.colours if colour.name],
        "alike": list(alike(state.colours)),
        "history": [_played(played) for played in state.played],
    }


def _player(game: Game, seat: int, player: Player, state: TableState) -> Data:
    bidding = game.phase is Phase.BIDDING
    return {
        "seat": seat,
        "name": player.name,
        "colour": player.colour,
        "dice": player.dice,
        "lives": player.lives if game.ruleset.lives is not None else None,
        "out": player.out,
        "turn": bidding and player.name == game.round.turn,
        "starts": player.name == game.round.starter,
        "palifico": game.round.aces_wild is False and player.name == game.round.starter,
        "phone_cup": player.name in state.cups,
    }


def _round(game: Game) -> Data:
    now = game.round
    standing = now.standing
    return {
        "number": now.number,
        "kind": now.kind.value,
        "starter": now.starter,
        "turn": now.turn,
        "visibility": now.visibility,
        "bid": _bid(standing) if standing else None,
        "bids": [
            _bid(said) if isinstance(said, BidCall) else {"pass": True, "by": said.by} for said in now.bids
        ],
        "total": now.dice,
        "legal": _legal(game),
    }


def _bid(said: BidCall) -> Data:
    return {"quantity": said.bid.quantity, "face": said.bid.face, "by": said.by}


def _legal(game: Game) -> Data:
    turn = game.round.turn
    bids = legal_bids(game) if game.phase is Phase.BIDDING else ()
    return {
        "bids": [[bid.quantity, bid.face] for bid in bids],
        "dudo": bool(game.round.bids) and not game.round.open_pass,
        "calza": [p.name for p in game.players if check(Calza(p.name), game) is None],
        "pass": check(Pass(turn), game) is None,
        "dudo_pass": check(DudoPass(turn), game) is None,
        "visibility": check(ChooseVisibility(game.round.starter, "open"), game) is None,
    }


def _played(played: Played) -> Data:
    verdict = played.verdict
    return {
        "round": played.number,
        "kind": played.kind.value,
        **_call(verdict),
        "count": verdict.count_lo if verdict.count_lo == verdict.count_hi else None,
        "verdict": _told(verdict),
        "pictures": list(played.pictures),
        "picture": played.pictures[0] if played.pictures else None,
    }


def _call(verdict: Verdict) -> Data:
    bid = verdict.bid
    words = {Calza: "calza", DudoPass: "dudo_pass"}
    return {
        "call": words.get(type(verdict.call), "dudo"),
        "by": verdict.caller,
        "bid": {"quantity": bid.quantity, "face": bid.face, "by": verdict.bidder} if bid else None,
        "bidder": verdict.bidder or verdict.passer,
    }


def _told(verdict: Verdict) -> Data:
    """A verdict with its sentence in every language."""
    return {
        "sentences": {language: explain(verdict, language) for language in languages()},
        "stands": stands(verdict),
        "exact": bool(verdict.exact),
        "count_lo": verdict.count_lo,
        "count_hi": verdict.count_hi,
        "quantity": verdict.bid.quantity if verdict.bid else None,
        "face": verdict.bid.face if verdict.bid else None,
        "naturals": verdict.naturals,
        "aces": verdict.aces,
        "loser": verdict.loser,
        "gainer": verdict.gainer,
        "dice_change": dict(verdict.dice_change),
        "lives_change": dict(verdict.lives_change),
        "eliminated": list(verdict.eliminated),
        "pass_justified": verdict.pass_justified,
        "next_starter": verdict.next_starter,
        "next_round_kind": verdict.next_round_kind.value if verdict.next_round_kind else None,
        "winner": verdict.winner,
    }


def _verdict(game: Game, reveal: RevealState | None) -> Data:
    assert game.verdict is not None
    shots = [place.picture for place in reveal.places if place.picture] if reveal else []
    return {**_told(game.verdict), **_call(game.verdict), "pictures": shots}


def _reveal(snapshot: Snapshot, seen: Assessment) -> Data:
    state, reveal = snapshot.state, snapshot.state.reveal
    assert reveal is not None
    assert state.game is not None
    claim = reveal.claim
    call = state.game.challenge
    return {
        "call": {"pass": "dudo_pass"}.get(claim.kind.value, claim.kind.value),
        "by": call.by if call else None,
        "bid": {"quantity": claim.quantity, "face": claim.face} if claim.counts else None,
        "bidder": bidder_of(state.game) or passer_of(state.game),
        "wild": claim.wild,
        "lo": seen.lo,
        "hi": seen.hi,
        "settled": seen.settled,
        "early": seen.early,
        "held": snapshot.held,
        "expected": reveal.expected,
        "seen": sum(not die.struck for die in seen.dice),
        "missing": max(0, reveal.expected - sum(not die.struck for die in seen.dice)),
        "unseen": seen.unseen,
        "open": seen.open,
        "places": [_place(view) for view in reveal.places],
        "next_place": seen.next_place,
        "dice": [_die(die) for die in seen.dice],
        "hands": [[player, list(faces)] for player, faces in seen.hands],
        "questions": [_question(question) for question in seen.questions],
        "problems": [{"key": p.key, "values": _plain(p)} for p in seen.problems],
        "camera": _camera(snapshot),
    }


def _camera(snapshot: Snapshot) -> Data:
    fault = dict(snapshot.faults).get("camera")
    return {"ok": fault is None, "reason": fault.reason if fault else None, "sight": snapshot.sight}


def _place(place: Any) -> Data:
    return {
        "place": place.name,
        "player": place.player,
        "picture": place.picture,
        "frames": place.frames,
        "width": 1000,
        "height": round(1000 * place.height),
    }


def _die(die: RevealedDie) -> Data:
    return {
        "id": die.id,
        "place": die.place,
        "face": die.face,
        "x": die.x,
        "y": die.y,
        "size": die.size,
        "colour": plain(die.colour),
        "owner": die.owner,
        "certain": die.certain,
        "corrected": die.by_hand,
        "struck": die.struck,
        "counted": die.counted,
        "matches": die.matches,
        "others": [face for face in die.faces if face != die.face],
        "why": list(die.why),
    }


def _question(question: Question) -> Data:
    return {
        "ask": question.ask.value,
        "die": question.die,
        "other": question.other,
        "place": question.place,
        "player": question.player,
        "faces": list(question.faces),
    }


def _plain(problem: Any) -> Data:
    return {
        "number": problem.number,
        "player": problem.player,
        "place": problem.place,
        "why": ", ".join(problem.why),
    }
