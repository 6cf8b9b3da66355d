"""The table as plain data, ready for JSON, the same for every page and lamp.

Nothing here is secret: of dice rolled in phones it has what `knowledge` lets everybody know, in the reveal.
`cups.known_dice` gives what single phones may know.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from companion.json_types import members
from companion.reveal.claims import Kind
from companion.reveal.merging import PlaceView
from companion.reveal.owners import alike, plain
from companion.reveal.questions import Question
from companion.reveal.revealed import Problem, RevealedDie
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
from companion.rules.judge import bidder_of, passer_of
from companion.rules.legality import check, choice_is_due
from companion.rules.players import Player, RoundKind
from companion.rules.position import Game, Phase, Waiting
from companion.rules.ruleset import Ruleset, RulesetJson, switches
from companion.rules.verdict import Verdict
from companion.table.casting import commitment
from companion.table.cups import unread
from companion.table.ledger import Note, Step
from companion.table.snapshot import Fault, Snapshot, decided, state_word
from companion.table.state import Played, TableState, assessment
from companion.table.wire.game import (
    AnnouncementJson,
    CalledJson,
    GameJson,
    LegalJson,
    NoteJson,
    OutcomeJson,
    PlayedJson,
    PlayerJson,
    RoundJson,
    RoundsJson,
    SaidJson,
    SeatRollJson,
    StepJson,
    VerdictJson,
    WaitingJson,
    bid_json,
    call_word,
)
from companion.table.wire.state import (
    CameraJson,
    ClaimWord,
    DieJson,
    FaultJson,
    MarkJson,
    PlaceJson,
    ProblemValuesJson,
    QuestionJson,
    RevealJson,
    TableJson,
)
from companion.texts import languages

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
    shown = sum(not die.struck for die in seen.dice)
    return members(
        RevealJson,
        seen,
        reveal,
        snapshot,
        number=snapshot.reveal,
        call=_CLAIMED[claim.kind],
        by=call.by if call else None,
        bid=bid_json(game.doubted.bid) if game.doubted else None,
        bidder=bidder_of(game) or passer_of(game),
        wild=bool(claim.wild),
        wild_face=claim.wild,
        seen=shown,
        missing=max(0, reveal.expected - shown),
        places=[_place(view) for view in reveal.places],
        dice=[_die(die) for die in seen.dice],
        hands=[(player, list(faces)) for player, faces in seen.hands],
        questions=[_question(question) for question in seen.questions],
        problems=[{"key": p.key, "values": _plain(p)} for p in seen.problems],
        camera=_camera(snapshot),
    )


def _camera(snapshot: Snapshot) -> CameraJson:
    fault = dict(snapshot.faults).get("camera")
    return {"ok": fault is None, "reason": fault.reason if fault else None, "preview": snapshot.preview}


def _place(place: PlaceView) -> PlaceJson:
    return members(PlaceJson, place, place=place.name, width=1000, height=round(1000 * place.height))


def _die(die: RevealedDie) -> DieJson:
    return members(
        DieJson,
        die,
        colour=plain(die.colour),
        corrected=die.by_hand,
        others=[face for face in die.faces if face != die.face],
    )


def _question(question: Question) -> QuestionJson:
    return members(QuestionJson, question, marked=[members(MarkJson, mark) for mark in question.marked])


def _plain(problem: Problem) -> ProblemValuesJson:
    return members(ProblemValuesJson, problem, why=", ".join(problem.why))


def view(snapshot: Snapshot) -> TableJson:
    """Everything a page may show of `snapshot`."""
    state = snapshot.state
    lasting = snapshot.ledger.lasting(state.game.round.number) if state.game else ()
    return members(
        TableJson,
        snapshot,
        state=state_word(snapshot),
        asked=state.asked,
        faults={part: _fault(fault) for part, fault in snapshot.faults},
        notice=next((_fault(fault) for _, fault in snapshot.faults), None),
        can_undo=snapshot.undoes is not None,
        undoes=step_view(snapshot.undoes),
        announcement=announcement_view(snapshot.announcement, snapshot.announced),
        notes=[note_view(note) for note in lasting],
        game=_game(snapshot) if state.game else None,
        reveal=reveal_view(snapshot) if state.reveal else None,
        verdict=_verdict(state, state.game) if state.game and decided(state.game) else None,
    )


def _fault(fault: Fault) -> FaultJson:
    return {"reason": fault.reason, "values": dict(fault.values)}


def _game(snapshot: Snapshot) -> GameJson:
    state, game = snapshot.state, snapshot.state.game
    assert game is not None
    shown = game.shown
    due = unread(state, snapshot.ledger)
    return members(
        GameJson,
        game,
        id=snapshot.game_id,
        preset=game.ruleset.name,
        house=_house(game.ruleset),
        players=[_player(game, seat, player, state, due) for seat, player in enumerate(shown.players, 1)],
        waiting=[waiting_view(state, one) for one in game.waiting],
        seat_roll=seat_roll_view(state),
        round=_round(game, snapshot.ledger.throws(game.round.number)),
        dice_seed=commitment(state, snapshot.ledger),
        rolls=[dict(round_) for round_ in state.rolls],
        colours=[(colour.player, plain(colour.name)) for colour in state.colours if colour.name],
        alike=list(alike(state.colours)),
        colours_due=game.round.number == 1 or state.newcomers,
        last_round=_played(state.played[-1]) if state.played else None,
    )


@lru_cache(maxsize=8)
def _house(rules: Ruleset) -> RulesetJson:
    return {rule: getattr(rules, rule) for rule in switches()}


def rounds_view(snapshot: Snapshot) -> RoundsJson:
    """All rounds of the game so far: they grow with the evening, so that no view holds them."""
    return {
        "game": snapshot.game_id,
        "rounds": [_played(played) for played in snapshot.state.played],
        "notes": [note_view(note) for note in snapshot.ledger.notes],
    }


def _player(game: Game, seat: int, player: Player, state: TableState, due: tuple[str, ...]) -> PlayerJson:
    bidding = game.phase is Phase.BIDDING
    bot = {"bot": dict(state.bots).get(player.name), "to_look_at": player.name in due}
    return members(
        PlayerJson,
        player,
        seat=seat,
        began=game.ruleset.starting_dice - player.handicap,
        lives=None if game.ruleset.lives is None or game.ruleset.keeps_tally else player.lives,
        pushed=list(game.round.pushed_by(player.name)),
        marks=player.marks if game.ruleset.keeps_tally else None,
        turn=bidding and player.name == game.round.turn,
        starts=player.name == game.round.starter,
        palifico=game.round.kind is not RoundKind.NORMAL and player.name == game.round.starter,
        phone_cup=player.name in state.cups,
        **bot,
    )


def _round(game: Game, throws: int) -> RoundJson:
    now = game.round
    bid = {**bid_json(now.standing.bid), "by": now.standing.by} if now.standing else None
    said = [_said(said) for said in now.bids]
    total, legal = game.shown.round.dice, _legal(game)
    return members(RoundJson, now, bid=bid, bids=said, total=total, throws=throws, legal=legal)


def _said(said: BidCall | Pass) -> SaidJson:
    if isinstance(said, Pass):
        return {"pass": True, "by": said.by}
    bid: SaidJson = {"quantity": said.bid.quantity, "face": said.bid.face, "by": said.by}
    if said.bid.zhai:
        bid["zhai"] = True
    if said.pushed:
        bid["pushed"] = list(said.pushed)
    return bid


def _legal(game: Game) -> LegalJson:
    turn, starter = game.round.turn, game.round.starter
    bids = () if choice_is_due(game) else legal_bids(game)
    doubters = [p.name for p in game.players if check(Dudo(p.name), game) is None]
    return {
        "bids": [(bid.quantity, bid.face) for bid in bids if not bid.zhai],
        "zhai": [(bid.quantity, bid.face) for bid in bids if bid.zhai],
        "dudo": turn in doubters,
        "doubters": doubters,
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
        "total": played.called.round.dice,
        **_call(verdict),
        "count": verdict.count_lo if verdict.count_lo == verdict.count_hi else None,
        "verdict": _outcome(verdict, played.by_clock),
        "pictures": list(played.pictures),
        "picture": played.pictures[0] if played.pictures else None,
    }


def _call(verdict: Verdict) -> CalledJson:
    bid = verdict.bid
    return {
        "call": call_word(verdict),
        "by": verdict.caller,
        "bid": {**bid_json(bid), "by": verdict.bidder} if bid else None,
        "bidder": verdict.bidder or verdict.passer,
    }


def _outcome(verdict: Verdict, by_clock: bool) -> OutcomeJson:
    """A verdict with its sentence in every language."""
    return members(
        OutcomeJson,
        verdict,
        sentences={language: explain(verdict, language, by_clock) for language in languages()},
        by_clock=by_clock,
        exact=bool(verdict.exact),
        quantity=verdict.bid.quantity if verdict.bid else None,
        face=verdict.bid.face if verdict.bid else None,
        dice_change=dict(verdict.dice_change),
        lives_change=dict(verdict.lives_change),
        marks_change=dict(verdict.marks_change),
    )


def _verdict(state: TableState, game: Game) -> VerdictJson:
    assert game.verdict is not None
    shots = [place.picture for place in state.reveal.places if place.picture] if state.reveal else []
    return {**_outcome(game.verdict, state.by_clock), **_call(game.verdict), "pictures": shots}


def step_view(step: Step | None) -> StepJson | None:
    """A step of a person as data."""
    return members(StepJson, step, bid=bid_json(step.bid) if step.bid else None) if step else None


def note_view(note: Note) -> NoteJson:
    """A note to all phones as data."""
    return members(NoteJson, note, step=step_view(note.step))


def announcement_view(note: Note | None, number: int) -> AnnouncementJson | None:
    """The last note to all phones; `number` rises with each."""
    return {**note_view(note), "number": number} if note else None


def seat_roll_view(state: TableState) -> SeatRollJson | None:
    """What came of the roll for seats or starter, until somebody bids."""
    found, game = state.rolled_off, state.game
    if found is None or game is None or game.round.number != 1 or game.round.bids:
        return None
    return members(
        SeatRollJson,
        found,
        rolls=[dict(round_) for round_ in found.rolls],
        seats=[player.name for player in game.players],
        starter=game.round.starter,
    )


def waiting_view(state: TableState, one: Waiting) -> WaitingJson:
    """Somebody who came late as data."""
    bot = dict(state.bots).get(one.name)
    return members(WaitingJson, one, phone_cup=one.name in state.cups, bot=bot)
