"""The game's own bots as players of numbered actions: what they do, and how they mix.

The rules are those of OpenSpiel's `liars_dice` for two players: sixes are wild, a bid follows by number, then
by face, and nothing but a bid or dudo may be said.
"""

from collections.abc import Mapping
from functools import cache
from random import Random

from msgspec.structs import replace

from companion.bots.deciding import decide, mixed
from companion.bots.seat import Level, SeatView
from companion.rules.bids import Bid
from companion.rules.calls import BidCall, Call, Dudo
from companion.rules.dice import FACES, matching
from companion.rules.ruleset import Ruleset
from tests.new_games import new_game

RULES = Ruleset(
    name="liars_dice", starting_dice=1, wild_face=6, aces_convert=False, calza="off", palifico="off"
)
NAMES = ("first", "second")
DUDO = -1
"""Actions are bids by number, or this."""

Said = tuple[int, ...]
Hand = tuple[int, ...]


def bid_of(action: int) -> Bid:
    """Bids in their order: by number of dice, then by face."""
    return Bid(action // len(FACES) + 1, FACES[action % len(FACES)])


def holds(action: int, *hands: Hand) -> bool:
    """Whether the bid is true of these hands."""
    bid = bid_of(action)
    return sum(matching(hand, bid.face, RULES.wild_face) for hand in hands) >= bid.quantity


class LevelBot:
    """A level of the game's own bots, in a round of `dice` dice each."""

    def __init__(self, level: Level, dice: int, samples: int = 6) -> None:
        self._level, self._samples = level, samples
        self._start = new_game(RULES.with_house({"starting_dice": dice}), NAMES, NAMES[0])

    def action(self, said: Said, hand: Hand, rng: Random) -> int:
        """What the bot does."""
        return _action_of(decide(self._view(said, hand), self._level, rng))

    @cache  # noqa: B019 - one for each measurement, as long as it
    def policy(self, said: Said, hand: Hand) -> Mapping[int, float]:
        """How often it does what: exact where the bot says itself how it mixes, else an estimate."""
        view, found = self._view(said, hand), dict[int, float]()
        for call, share in self._shares(view, f"{said}/{hand}"):
            found[_action_of(call)] = found.get(_action_of(call), 0.0) + share
        total = sum(found.values())
        return {action: share / total for action, share in found.items()}

    def _shares(self, view: SeatView, seed: str) -> list[tuple[Call | None, float]]:
        """The strong level's mix; the others are asked several times."""
        if self._level is Level.STRONG:
            return list(mixed(view, Random(seed)).items())
        return [(decide(view, self._level, Random(f"{seed}/{n}")), 1.0) for n in range(self._samples)]

    def _view(self, said: Said, hand: Hand) -> SeatView:
        bids = tuple(BidCall(NAMES[n % 2], bid_of(one)) for n, one in enumerate(said))
        seat = NAMES[len(said) % 2]
        game = replace(self._start, round=replace(self._start.round, bids=bids, turn=seat))
        return SeatView(game, seat, ((seat, hand),))


def _action_of(call: Call | None) -> int:
    if isinstance(call, BidCall):
        return (call.bid.quantity - 1) * len(FACES) + call.bid.face - 1
    assert isinstance(call, Dudo), call
    return DUDO
