"""The table at one moment, as a value: the fold of all events of a game."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache

from msgspec import structs

from companion.bots.seat import Level
from companion.errors import BadCommand, BadReveal
from companion.reveal import state as revealing
from companion.reveal.assessing import Assessment, assess, shown
from companion.reveal.claims import Claim, Kind
from companion.reveal.corrections import Hand
from companion.reveal.merging import PlaceView
from companion.reveal.observations import SeenDie
from companion.reveal.owners import Colour, learn_colours, named
from companion.reveal.state import BOUND, RevealState
from companion.rules import game as rules
from companion.rules.calls import DudoPass
from companion.rules.counting import Reveal, bonuses_of, by_hands, matching_faces, pass_rule
from companion.rules.events import Called, Joined, Left, NextRound, Revealed, RolledOff, Started
from companion.rules.judge import disputed, judge, passer_of, reveal_order, settling
from companion.rules.players import Player, RoundKind, ahead
from companion.rules.position import Game, Phase
from companion.rules.rolloff import roll_off
from companion.rules.verdict import Verdict
from companion.table import table_events as ev
from companion.table.knowledge import Role, known_cups

Rolls = tuple[tuple[tuple[str, int], ...], ...]
"""(name, face) of the first roll, then of each re-roll."""


def rolling(game: Game, rolls: Rolls) -> tuple[str, ...]:
    """Who rolls now: everybody, or those who tied; raises BadCommand for rolls that cannot be."""
    names = tuple(player.name for player in game.players)
    rules = game.ruleset
    result = roll_off(names, [dict(round_) for round_ in rolls], rules.order, rules.roll_off_dice)
    return tuple(name for group in result.reroll for name in group)


def begin_roll(game: Game, rolls: Rolls, cups: tuple[str, ...], frames: int = 1) -> RevealState:
    """The reveal of the dice rolled now: one place for each who has dice on the table."""
    names = rolling(game, rolls)
    plan = revealing.players_plan(name for name in names if name not in cups)
    each = game.ruleset.roll_off_dice
    by_player = tuple((name, each) for name in names)
    return RevealState(Claim(Kind.ROLL), each * len(names), by_player, places=plan, frames=frames)


def faces_rolled(found: Assessment) -> tuple[tuple[str, int], ...]:
    """The sum of the faces that each rolled, once the roll is settled."""
    return tuple((player, sum(faces)) for player, faces in found.hands)


def colours_of(reveal: RevealState) -> ev.ColoursLearnt | None:
    """The colours of everybody's dice, from the pictures of the roll; None when the pictures do not give
    them.

    Only pictures of one player's die count. Dice of one colour all round are no news either.
    """
    learnt = learn_colours({view.player: _known(view) for view in reveal.places if view.player})
    return ev.ColoursLearnt(learnt) if len(learnt) > 1 and any(colour.name for colour in learnt) else None


def _known(view: PlaceView) -> list[SeenDie]:
    """The dice of a place as they were seen, those nobody is sure of left out."""
    tracks = [track for track in view.tracks if not track.struck]
    return [die for track in tracks for die in track.sightings if die.certain or track.by_hand]


@dataclass(frozen=True, slots=True)
class Played:
    """A round that came to a verdict, with the names of the pictures behind it.

    `by_clock`: the table doubted for a player whose time was up. `called` is the game before the verdict.
    """

    number: int
    kind: RoundKind
    verdict: Verdict
    pictures: tuple[str, ...]
    by_clock: bool
    called: Game = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class SeatRoll:
    """The roll for seats or starter: (name, face) of every roll, and how all sat `before` it, clockwise."""

    rolls: Rolls
    before: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TableState:
    """A game with what the table knows besides: the reveal, a half-said challenge, dice rolled in phones.

    `reveal` stays until the next round begins, as the evidence behind the verdict; from then on it is
    `last_reveal`. `cups` are those who roll
    in their phone, `bots` (name, level) those for whom the box plays, `rolled` the dice of `cups` in this
    round. `colours` are the dice colours learnt under this light;
    without them no dice have an owner by colour. `newcomers`: somebody came with this round whose dice
    the box does not know. `rolls` is the roll for seats or starter so far, while it is open, `rolled_off`
    what came of it. `each`: a place for each player instead of one for all dice. `frames` pictures of a place
    must agree; a verdict whose chance to be another is below `bound` asks nothing. `by_clock`: the last call
    was the table's, for a player whose time was up. `handicaps`: those with which the game began.
    """

    game: Game | None = None
    reveal: RevealState | None = None
    last_reveal: RevealState | None = None
    asked: Kind | None = None
    cups: tuple[str, ...] = ()
    bots: tuple[tuple[str, Level], ...] = ()
    rolled: tuple[tuple[str, tuple[int, ...]], ...] = ()
    colours: tuple[Colour, ...] = ()
    newcomers: bool = False
    rolls: Rolls = ()
    rolled_off: SeatRoll | None = None
    played: tuple[Played, ...] = ()
    by_clock: bool = False
    handicaps: tuple[tuple[str, int], ...] = ()
    each: bool = False
    frames: int = 1
    bound: float = BOUND

    @property
    def revealing(self) -> RevealState:
        """The reveal that is going on; raises BadCommand when none is."""
        if self.reveal is None or self.game is None or self.game.phase not in REVEALING:
            raise BadCommand("no_reveal")
        return self.reveal

    @property
    def goes_on(self) -> bool:
        """Whether a game is played that is not over."""
        return self.game is not None and self.game.phase is not Phase.OVER

    @property
    def is_judged(self) -> bool:
        """Whether a verdict stands, or the game is over."""
        return self.game is not None and self.game.phase in (Phase.VERDICT, Phase.OVER)

    @property
    def is_ahead(self) -> bool:
        """Whether somebody is ahead by a tally, so that no round is played any more (row E3)."""
        return self.game is not None and ahead(self.game.ruleset, self.game.inside) is not None

    @property
    def seats_changed(self) -> bool:
        """Whether somebody has gone home, or has got something back, since the verdict that stands."""
        verdict = self.game.verdict if self.game and self.is_judged else None
        return verdict is not None and self.game is not None and verdict.players != self.game.players


REVEALING = (Phase.REVEAL, Phase.ROLLOFF)
"""When dice are shown to the box."""


def step(state: TableState, event: ev.TableEvent) -> TableState:
    """The table after one event; raises a CompanionError, and then nothing has changed."""
    match event:
        case ev.Asked(kind):
            return replace(state, asked=kind)
        case ev.ColoursLearnt(learnt):
            return replace(state, colours=learnt, reveal=state.reveal if learnt else _mixed(state))
        case ev.Cups(players, bots):
            return _rolling(replace(state, cups=players, bots=bots))
        case ev.BotSeated(player, level):
            return replace(state, bots=(*state.bots, (player, level)))
        case ev.Rolled(player, faces):
            others = tuple(hand for hand in state.rolled if hand[0] != player)
            return _shown_by_phone(replace(state, rolled=(*others, (player, faces))), player, faces)
        case ev.RollTied(rolls):
            return _rolling(replace(state, rolls=rolls, rolled=()))
        case ev.Observed(observation, place):
            seen = named(observation, state.colours)
            return replace(state, reveal=revealing.with_observation(state.revealing, place, seen))
        case ev.Corrected(correction):
            return replace(state, reveal=revealing.with_correction(state.revealing, correction))
        case ev.Amended(number, count):
            played = (_amended(one, count) if one.number == number else one for one in state.played)
            return replace(state, played=tuple(played))
        case Started():
            return _rolling(replace(state, game=rules.start(event), handicaps=event.handicaps))
        case _:
            return _played_on(state, event)


def _amended(played: Played, count: int) -> Played:
    """The round with another count. What followed from the old one happened, and stays."""
    was, verdict = played.verdict, judge(played.called, Reveal(count=count))
    if verdict.changes != was.changes:
        verdict = structs.replace(
            verdict,
            changes=was.changes,
            players=was.players,
            winner=was.winner,
            next_starter=was.next_starter,
            next_round_kind=was.next_round_kind,
            kept=True,
        )
    return replace(played, verdict=verdict)


def _mixed(state: TableState) -> RevealState | None:
    """The reveal without owners by colour, unless places or phones tell them; a roll goes by players."""
    revealing_bid = state.game is not None and state.game.phase is Phase.REVEAL
    if state.reveal is None or not revealing_bid or state.each or state.cups:
        return state.reveal
    return replace(state.reveal, by_player=(), owner_by_colour=())


def _rolling(state: TableState) -> TableState:
    """The table with the roll for seats or starter opened, where there is one."""
    if state.game is None or state.game.phase is not Phase.ROLLOFF:
        return state
    return replace(state, reveal=begin_roll(state.game, state.rolls, state.cups, state.frames))


def _shown_by_phone(state: TableState, player: str, faces: tuple[int, ...]) -> TableState:
    """Who rolls off in the phone shows it to the box at once."""
    if state.game is None or state.game.phase is not Phase.ROLLOFF:
        return state
    if not known_cups(state.game, Role.SCREEN, None, (player,)):
        return state
    return replace(state, reveal=revealing.with_correction(state.revealing, Hand(player, faces)))


def _played_on(state: TableState, event: ev.TableEvent) -> TableState:
    """The table after an event of the rules."""
    if state.game is None:
        raise BadCommand("no_game")
    game = rules.apply_kept(state.game, event)  # type: ignore[arg-type]  # the table's own are dealt with above
    after = replace(state, game=game)
    match event:
        case Called(by_clock=by_clock):
            opened = _begin_reveal(after, game) if game.phase is Phase.REVEAL else None
            return replace(after, asked=None, reveal=opened, by_clock=by_clock)
        case Revealed() if game.verdict:
            played = Played(
                game.round.number,
                game.round.kind,
                game.verdict,
                pictures(state.reveal),
                state.by_clock,
                state.game,
            )
            return replace(after, played=(*state.played, played))
        case RolledOff(rolls):
            seats = SeatRoll(rolls, tuple(player.name for player in state.game.players))
            return replace(_begin_round(state, after), rolled_off=seats)
        case NextRound():
            return _begin_round(state, after)
        case Joined(name, phone_cup=phone_cup):
            others = tuple(cup for cup in state.cups if cup != name)
            bots = tuple(bot for bot in state.bots if bot[0] != name)
            return replace(after, cups=(*others, name) if phone_cup else others, bots=bots)
        case Left(name):
            return _without(after, name)
        case _:
            return after


def _begin_round(state: TableState, after: TableState) -> TableState:
    come = unknown_dice_come(state)
    colours = () if come else state.colours
    begun = replace(after, reveal=None, last_reveal=state.reveal, rolled=(), rolls=())
    return replace(begun, colours=colours, newcomers=come)


def unknown_dice_come(state: TableState) -> bool:
    """Whether somebody sits down whose dice the box has not learnt to tell by their colour."""
    return state.game is not None and any(one.name not in state.cups for one in state.game.waiting)


def _without(state: TableState, name: str) -> TableState:
    """The table after somebody has gone home with the own dice; a roll for seats or starter begins again."""
    rolled = tuple(hand for hand in state.rolled if hand[0] != name)
    over = state.game is not None and state.game.phase is Phase.OVER and state.game.verdict is None
    after = replace(state, asked=None, rolled=rolled, reveal=None if over else state.reveal)
    rolling = state.game is not None and state.game.phase is Phase.ROLLOFF
    return _rolling(replace(after, rolls=(), rolled=())) if rolling else after


def pictures(reveal: RevealState | None) -> tuple[str, ...]:
    """The newest stored picture of every place of a reveal."""
    return tuple(view.picture for view in reveal.places if view.picture) if reveal else ()


def claim_of(game: Game) -> Claim:
    """The claim that the reveal of this challenge has to decide."""
    if isinstance(game.challenge, DudoPass):
        return Claim(Kind.PASS)
    dispute = disputed(game)
    face, wild = matching_faces(dispute.bid, game.wild)
    return Claim(Kind.CALZA if dispute.by_calza else Kind.DUDO, face, dispute.bid.quantity, wild)


def _begin_reveal(state: TableState, game: Game) -> RevealState:
    """The reveal of a challenge, with the dice rolled in phones known from the start."""
    dice = {p.name: p.dice for p in showing(game)}
    learnt = {c.player: c.name for c in state.colours if c.name and c.player in dice}
    each = state.each or (by_hands(game.ruleset) and not learnt.keys() >= dice.keys() - set(state.cups))
    by_player, order = bool(learnt) or each or bool(state.cups), _order(game)
    opened = RevealState(
        claim_of(game),
        sum(dice.values()),
        tuple(dice.items()) if by_player else (),
        tuple((colour, player) for player, colour in learnt.items()),
        revealing.players_plan(n for n in order if n not in state.cups) if each else revealing.ONE_PLACE,
        frames=state.frames,
        bound=state.bound,
        cups=tuple((name, dice[name]) for name in order),
    )
    rolled = dict(state.rolled)
    for player in known_cups(game, Role.SCREEN, None, tuple(rolled)):
        opened = revealing.with_correction(opened, Hand(player, rolled[player]))
    return opened


def showing(game: Game) -> tuple[Player, ...]:
    """Whose dice the challenge is about: the passer's alone, or everybody's."""
    passer = passer_of(game)
    return tuple(p for p in game.inside if passer in (None, p.name))


def _order(game: Game) -> tuple[str, ...]:
    """Who lifts the cup first, from there the way bids go (variants, row D6): where all lift together, from
    the caller on."""
    names = [p.name for p in showing(game)]
    around = names if game.round.clockwise else names[::-1]
    start = around.index(game.challenge.by) if game.challenge and game.challenge.by in around else 0
    order = reveal_order(game) or (*around[start:], *around[:start])
    return tuple(name for name in order if name in names)


def assessment(state: TableState) -> Assessment:
    """The assessment of the reveal under this game's rules; raises BadCommand when there is none."""
    if state.reveal is None or state.game is None:
        raise BadCommand("no_reveal")
    return _assessed(_OneReveal(state.reveal, state.game))


def verdict_event(state: TableState) -> Revealed:
    """The reveal as the rules take it, once it is settled; raises BadReveal while it is not."""
    seen = assessment(state)
    if not seen.settled or state.game is None:
        raise BadReveal("reveal_unsettled", lo=seen.lo, hi=seen.hi)
    justified = pass_rule(state.game.ruleset)
    return Revealed(shown(state.revealing, seen, passer_of(state.game), justified))


RECENT = 8
"""Assessments kept: the newest states of a table, and those just before them."""


class _OneReveal:
    """A reveal in its game, equal to no other than the very same values."""

    __slots__ = ("game", "reveal")

    def __init__(self, reveal: RevealState, game: Game) -> None:
        self.reveal, self.game = reveal, game

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _OneReveal) and self.reveal is other.reveal and self.game is other.game

    def __hash__(self) -> int:
        return hash((id(self.reveal), id(self.game)))


@lru_cache(maxsize=RECENT)
def _assessed(one: _OneReveal) -> Assessment:
    """Of the dice of a challenge, a pass or a roll."""
    reveal, game = one.reveal, one.game
    if game.challenge is None or isinstance(game.challenge, DudoPass):
        return assess(reveal, justified=pass_rule(game.ruleset))
    bonuses = bonuses_of(game, reveal.claim.face, reveal.claim.wild)
    return assess(reveal, settled=settling(game), bonuses=bonuses)
