"""A kept game for statistics: every judged round with its bids, its verdict and the dice shown.

`game_record` makes it from the journal's records. Dice not known for certain are only counted as left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from companion.errors import BadCommand, CompanionError
from companion.reveal.owners import plain
from companion.reveal.revealed import RevealedDie
from companion.rules.calls import BidCall
from companion.rules.events import Revealed, Started
from companion.rules.hands import Counting
from companion.rules.odds import counting_of
from companion.rules.players import RoundKind
from companion.rules.position import Game, Phase
from companion.rules.ruleset import Ruleset
from companion.rules.verdict import Verdict
from companion.storage.journal import Record
from companion.table.kept_game import replay
from companion.table.state import TableState, assessment
from companion.table.table_events import Observed, TableEvent


class How(StrEnum):
    """How a die's face became known: read, entered by a person, or rolled in a phone."""

    CAMERA = "camera"
    HAND = "hand"
    PHONE = "phone"


class Shown(Struct, frozen=True):
    """Dice of one owner, colour and way; `owner` is None and `colour` "" where nobody knows."""

    owner: str | None
    colour: str
    how: How
    faces: tuple[int, ...]


class JudgedRound(Struct, frozen=True):
    """A round that came to a verdict.

    `dice` were in play, `held` of them by each player; `shown` are those known for certain when the verdict
    was given. `countings`: what hands count for each bid. `wild`: the wild face of the verdict, 0 for none.
    `fair_sample` says that how they fell may be counted: the reveal was everybody's, no person counted
    instead, and there were not more dice than should be. Nor had anybody pushed dice out and rolled the rest
    again. `by_clock`: the clock doubted for the caller, whose time was up.
    """

    number: int
    kind: RoundKind
    starter: str
    dice: int
    held: tuple[tuple[str, int], ...]
    bids: tuple[BidCall, ...]
    verdict: Verdict
    countings: tuple[Counting, ...] = ()
    wild: int = 0
    shown: tuple[Shown, ...] = ()
    fair_sample: bool = False
    pictures: tuple[str, ...] = ()
    by_clock: bool = False

    @property
    def known(self) -> int:
        """How many dice were known for certain."""
        return sum(len(part.faces) for part in self.shown)

    def hand(self, name: str) -> tuple[int, ...] | None:
        """The whole hand of a player, None unless every die of it is known."""
        faces = tuple(face for part in self.shown if part.owner == name for face in part.faces)
        return faces if len(faces) == dict(self.held).get(name) else None


class Counted(StrEnum):
    """What the players of a game lose, or get: dice, lives or marks on a tally."""

    DICE = "dice"
    LIVES = "lives"
    MARKS = "marks"

    @classmethod
    def by(cls, rules: Ruleset) -> Counted:
        """By these rules."""
        if rules.keeps_tally:
            return cls.MARKS
        return cls.DICE if rules.lives is None else cls.LIVES


class Labels(Struct, frozen=True, kw_only=True):
    """What is known of a game beside its rounds.

    `began` and `ended` are wall-clock labels in UTC, their ticks those of a clock that never jumps
    (`companion.storage.form`). `round` is the last one begun; `partners` won with the `winner`.
    """

    id: str
    began: str
    ended: str
    preset: str
    winner: str | None = None
    over: bool = False
    round: int = 0
    began_tick: str = ""
    ended_tick: str = ""
    partners: tuple[str, ...] = ()

    @property
    def winners(self) -> tuple[str, ...]:
        """The winner, with partners where there are teams; nobody while nobody has won."""
        return (*((self.winner,) if self.winner else ()), *self.partners)


class GameRecord(Labels, frozen=True, kw_only=True):
    """One game; `players` are (name, colour). Everybody began with `starting` of what is `counted`."""

    players: tuple[tuple[str, str], ...]
    starting: int
    counted: Counted
    rounds: tuple[JudgedRound, ...] = ()


def game_record(game_id: str, created: str, lines: Sequence[Record]) -> GameRecord:
    """The game in a journal's records; raises a CompanionError where they cannot be read."""
    began, ended = (lines[0], lines[-1]) if lines else (Record(0, created, {}),) * 2
    when = {"began": created, "ended": ended.at, "began_tick": began.tick, "ended_tick": ended.tick}
    try:
        return _from_events({"id": game_id, **when}, [line.body for line in lines])
    except CompanionError:
        raise
    except Exception as error:  # whatever a damaged or crafted record brings about
        raise BadCommand("event_unreadable", cause=repr(error)) from error


def _from_events(labels: Mapping[str, str], bodies: list[Mapping[str, object]]) -> GameRecord:
    game = replay(bodies)
    if _looked_at_each(game.history):
        game = replay(bodies, TableState(each=True))
    steps = zip(game.history, game.states, game.states[1:], strict=False)
    rounds = [_judged(before, after) for event, before, after in steps if isinstance(event, Revealed)]
    judged = [_amended(one, played.verdict) for one, played in zip(rounds, game.state.played, strict=True)]
    return _record(labels, game.history, game.state.game, tuple(judged))


def _amended(judged: JudgedRound, verdict: Verdict) -> JudgedRound:
    """The round with the verdict as it stands; one that a person has corrected since is no sample of dice."""
    if judged.verdict == verdict:
        return judged
    return replace(judged, verdict=verdict, fair_sample=False)


def _looked_at_each(history: Sequence[TableEvent]) -> bool:
    """Whether the box was set over one player's dice after the other's; no record holds that."""
    started = history[0] if history else None
    names = {name for name, _ in started.players} if isinstance(started, Started) else set()
    return any(isinstance(event, Observed) and event.place in names for event in history)


def _record(
    labels: Mapping[str, str],
    history: Sequence[TableEvent],
    game: Game | None,
    rounds: tuple[JudgedRound, ...],
) -> GameRecord:
    if game is None or not history:
        raise BadCommand("not_started")
    rules = game.ruleset
    counted = Counted.by(rules)
    starting = {Counted.DICE: rules.first_dice, Counted.LIVES: rules.lives or 0, Counted.MARKS: 0}
    return GameRecord(
        preset=rules.name,
        players=tuple((player.name, player.colour) for player in game.players),
        starting=starting[counted],
        counted=counted,
        rounds=rounds,
        winner=game.winner,
        over=game.phase is Phase.OVER,
        round=game.round.number,
        partners=tuple(name for name in game.winners if name != game.winner),
        **labels,
    )


def _judged(before: TableState, after: TableState) -> JudgedRound:
    game, played = before.game, after.played[-1]
    assert game is not None
    reveal, shown = before.reveal, _shown(before, game) if before.reveal else ()
    bids = _bids(game, played.verdict)
    everybodys = reveal is not None and reveal.claim.counts and reveal.answer is None
    chosen = any(bid.pushed for bid in bids)
    return JudgedRound(
        number=played.number,
        kind=played.kind,
        starter=game.round.starter,
        dice=game.round.dice,
        held=tuple((player.name, player.dice) for player in game.inside),
        bids=bids,
        verdict=played.verdict,
        countings=_countings(game, bids),
        wild=game.wild_after(*(said.bid.face for said in bids[-1:])),
        shown=shown,
        fair_sample=everybodys and not chosen and sum(len(part.faces) for part in shown) <= game.round.dice,
        pictures=played.pictures,
        by_clock=played.by_clock,
    )


def _bids(game: Game, verdict: Verdict) -> tuple[BidCall, ...]:
    """Every bid as entered, and the doubted one where it was named with the doubt alone."""
    entered = tuple(said for said in game.round.bids if isinstance(said, BidCall))
    named = getattr(verdict.call, "bid", None)
    if named is None or verdict.bidder is None:
        return entered
    doubted = BidCall(verdict.bidder, named)
    return entered if doubted in entered[-1:] else (*entered, doubted)


def _countings(game: Game, bids: tuple[BidCall, ...]) -> tuple[Counting, ...]:
    """What hands count for each bid: where aces cease to be wild, from the first bid on them."""
    upto = [replace(game, round=replace(game.round, bids=bids[:n])) for n in range(len(bids))]
    return tuple(
        counting_of(then, said.bid.face, said.bid.zhai) for then, said in zip(upto, bids, strict=True)
    )


def _shown(state: TableState, game: Game) -> tuple[Shown, ...]:
    """The certain dice of the reveal, those alike in everything but their face together."""
    colours = {player.name: player.colour for player in game.players}
    in_phones = {name for name, _ in state.rolled}
    found: dict[tuple[str | None, str, How], list[int]] = {}
    for die in assessment(state).dice:
        if die.certain and die.counted:
            colour = colours.get(die.owner or "") or plain(die.colour)
            found.setdefault((die.owner, colour, _how(die, in_phones)), []).append(die.face)
    return tuple(Shown(*key, tuple(faces)) for key, faces in found.items())


def _how(die: RevealedDie, in_phones: set[str]) -> How:
    if die.place is None and die.owner in in_phones:
        return How.PHONE
    return How.HAND if die.by_hand else How.CAMERA
