"""A reveal from outside: plain data, ready for JSON."""

from __future__ import annotations

from collections.abc import Mapping

from companion.reveal.claims import Kind
from companion.reveal.merging import PlaceView
from companion.reveal.owners import plain
from companion.reveal.questions import Question
from companion.reveal.revealed import Problem, RevealedDie
from companion.rules.judge import bidder_of, passer_of
from companion.table.snapshot import Snapshot
from companion.table.state import assessment
from companion.table.wire.game import bid_json
from companion.table.wire.reveal import (
    CameraJson,
    ClaimWord,
    DieJson,
    PlaceJson,
    ProblemValuesJson,
    QuestionJson,
    RevealJson,
)

_CLAIMED: Mapping[Kind, ClaimWord] = {
    Kind.DUDO: "dudo",
    Kind.CALZA: "calza",
    Kind.PASS: "dudo_pass",
    Kind.ROLL: "roll",
}


def reveal_view(snapshot: Snapshot) -> RevealJson:
    """Everything a page may show of the reveal on the table; raises BadCommand when there is none."""
    reveal, game, seen = snapshot.state.reveal, snapshot.state.game, assessment(snapshot.state)
    assert reveal is not None
    assert game is not None
    claim = reveal.claim
    call = game.challenge
    return {
        "number": snapshot.reveal,
        "call": _CLAIMED[claim.kind],
        "by": call.by if call else None,
        "bid": bid_json(game.doubted_bid) if claim.counts and game.doubted_bid else None,
        "bidder": bidder_of(game) or passer_of(game),
        "wild": bool(claim.wild),
        "wild_face": claim.wild,
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
        "cups": list(reveal.cups),
        "next_place": seen.next_place,
        "dice": [_die(die) for die in seen.dice],
        "hands": [(player, list(faces)) for player, faces in seen.hands],
        "questions": [_question(question) for question in seen.questions],
        "problems": [{"key": p.key, "values": _plain(p)} for p in seen.problems],
        "camera": _camera(snapshot),
    }


def _camera(snapshot: Snapshot) -> CameraJson:
    fault = dict(snapshot.faults).get("camera")
    return {"ok": fault is None, "reason": fault.reason if fault else None, "sight": snapshot.preview}


def _place(place: PlaceView) -> PlaceJson:
    return {
        "place": place.name,
        "player": place.player,
        "phone": place.phone,
        "picture": place.picture,
        "frames": place.frames,
        "width": 1000,
        "height": round(1000 * place.height),
    }


def _die(die: RevealedDie) -> DieJson:
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


def _question(question: Question) -> QuestionJson:
    return {
        "ask": question.ask,
        "die": question.die,
        "other": question.other,
        "place": question.place,
        "player": question.player,
        "faces": list(question.faces),
        "marked": [{"die": mark.die, "face": mark.face} for mark in question.marked],
        "pairs": list(question.pairs),
    }


def _plain(problem: Problem) -> ProblemValuesJson:
    return {
        "number": problem.number,
        "player": problem.player,
        "place": problem.place,
        "why": ", ".join(problem.why),
    }
